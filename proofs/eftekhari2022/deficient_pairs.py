"""Appendix D: the chain (84), the reduction of Appendix D.1 to factors of equal ranks, and the missing singular pairs (90)."""

from __future__ import annotations

from proofs.eftekhari2022.equal_minima import REST
from proofs.eftekhari2022.global_minimizers import (
    BENDS,
    BEST_PRODUCT,
    CUT,
    DATA,
    GENERAL,
    GENERAL_TERMS,
    PRODUCTS,
    SLOPES,
    SOSP,
    TARGET,
    VALUE,
    split_loss,
    substitute,
)
from proofs.eftekhari2022.optimal_pairs import CLAIM as PAIRS
from proofs.eftekhari2022.second_order_layers import READING as LAYERED
from proofs.eftekhari2022.second_order_layers import half
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

INNER_VALUE = half(f"{TARGET} - K @ (Q @ X)")


@holds(
    "eftekhari2022.eq-84",
    f"""{DATA} r <= rank({TARGET}) => {CUT} {VALUE} = {half(f"{TARGET} - W @ X")} + {REST} and
       {half(f"{TARGET} - W @ X")} + {REST} = {INNER_VALUE} + {REST} and (all C:M(y,r), D:M(r,m). {INNER_VALUE} <= {half(f"{TARGET} - C @ D")}) and
       (all C:M(y,r), D:M(r,x). {INNER_VALUE} + {REST} <= {half("Y - C @ D @ X")}) and ({BEST_PRODUCT})""",
    argument="sound",
    reading=f"each minimum is attained at the pair or the layers in question, whose value is below all others: K, Q X for (12), K, Q for (10b) and W"
    f" for the layers; {LAYERED}; {PRODUCTS.split('. First')[0]}",
    uses=["eftekhari2022.theorem-8", "eftekhari2022.eq-11-equality"],
)
def chain_of_equal_minima(g: Goal) -> None:
    """The split of the loss, the best approximation, and Theorem 8."""
    g.fix()
    penrose = [g.assume() for _ in range(4)]
    g.assume()
    rest = [g.assume() for _ in range(11)]
    whole = rest[7]
    terms, known = ("x", "y", "m", "n", "r", *"XGYABMLKQW"), [using(k) for k in (*penrose, *rest)]
    best = g.lemma("eftekhari2022.theorem-8", "part:approximation", *terms, by=known)
    layers = g.lemma("eftekhari2022.theorem-8", "part:inner", *terms, by=known)
    own = split_loss(g, penrose, "r", "K", "Q")
    same = g.have(f"{VALUE} = {half('Y - K @ Q @ X')}", lambda g: substitute(g, whole))
    inner = g.have(f"{half(f'{TARGET} - W @ X')} = {INNER_VALUE}", lambda g: projected(g, whole))

    def pairs(g: Goal) -> None:
        g.fix("C", "D")
        g.close_by(g.apply(best, "C @ D", by=[lambda g: low_rank(g, "m")]))

    def regression(g: Goal) -> None:
        g.fix("C", "D")
        k = g.apply(layers, "C @ D", by=[lambda g: low_rank(g, "x")])
        g.pos([f"@{k}"], eqs=[(own, 1), (same, 1)])

    g.conj(
        lambda g: g.field((same, 1), (own, 1), (inner, -1)),
        lambda g: g.field((inner, 1)),
        pairs,
        regression,
        using(layers),
    )


def projected(g: Goal, whole: str) -> None:
    """W X = K (Q X)."""
    g.replace(f"{TARGET} - W @ X", f"{TARGET} - K @ (Q @ X)", lambda g: g.nc((whole, -1, None, "X")))
    g.refl()


def low_rank(g: Goal, columns: str) -> None:
    """rank(C D) <= r."""
    low = g.split(g.fact("rank_product", "y", "r", columns, "C", "D"))[0]
    most = g.split(g.by_fact("rank_bounds", "y", "r", "C"))[2]
    g.pos([f"@{low}"], [f"@{most}"])


@part(
    PAIRS,
    "reached",
    "all y m r:Z, M:M(y,m), K:M(y,r), R:M(r,m). M = K @ R => "
    + f"{SLOPES} {BENDS}".replace(TARGET, "M").replace(") =>", ") and").replace("= 0) and (all B", "= 0) and (all B"),
    says="a pair that reaches its target is second-order stationary",
)
def reached_targets_are_second_order_stationary(g: Goal) -> None:
    """The second derivative is |A R + K B|^2."""
    g.fix()
    eq = g.assume()
    gap = g.have("M - K @ R = O(y,m)", lambda g: g.nc((eq, 1, None, None)))

    def left(g: Goal) -> None:
        g.fix("A")
        d = g.have(f"D(e, {half('M - (K + e*A) @ R')}, 0) = -tr(T(M - K @ R) @ (A @ R))", lambda g: g.field())
        z = g.have("tr(T(M - K @ R) @ (A @ R)) = 0", lambda g: (g.rewrite(gap), g.field())[-1])
        g.field((d, 1), (z, -1))

    def right(g: Goal) -> None:
        g.fix("B")
        d = g.have(f"D(e, {half('M - K @ (R + e*B)')}, 0) = -tr(T(M - K @ R) @ (K @ B))", lambda g: g.field())
        z = g.have("tr(T(M - K @ R) @ (K @ B)) = 0", lambda g: (g.rewrite(gap), g.field())[-1])
        g.field((d, 1), (z, -1))

    def bends(g: Goal) -> None:
        g.fix("A", "B")
        w = "(A @ R + K @ B)"
        d = g.have(
            f"D(e, D(h, {half('M - (K + h*A) @ (R + h*B)')}, e), 0) = tr(T({w}) @ {w}) - 2*tr(T(M - K @ R) @ (A @ B))",
            lambda g: g.field(),
        )
        z = g.have("tr(T(M - K @ R) @ (A @ B)) = 0", lambda g: (g.rewrite(gap), g.field())[-1])
        g.pos([f"tr(T({w}) @ {w})"], eqs=[(d, 1), (z, -2)])

    g.conj(left, right, bends)


MEET = "all w:V(r). E @ w = w <=> (ex a:V(y). w = T(K) @ a) and (ex b:V(m). w = R @ b)"
WLOG = f"""{GENERAL} rank(K @ R) < r => rank(K) < rank(R) => rank(R) < r => all E:M(r,r). T(E) = E => E @ E = E => ({MEET}) =>
       {half("M - K @ E @ (E @ R)")} = {half("M - K @ R")}"""


@part(
    "eftekhari2022.step-d1-wlog",
    "without-the-rank",
    f"not ({WLOG})",
    says="without (85) the projected pair need not have the same value: K = (1, 1, 0) and R with the columns e_1, e_3 meet in 0 only, while"
    " K R = (1, 0) = M is reached; there r = 3 exceeds rank(M) = 1",
    uses=[PAIRS],
)
def spans_may_meet_in_zero(g: Goal) -> None:
    """r = 3, M = (1, 0), E = 0."""
    m, k, r, e = "[[1,0]]", "[[1,1,0]]", "[[1,0],[0,0],[0,1]]", "O(3,3)"
    eq = g.have(f"{m} = {k} @ {r}", lambda g: g.ext())
    sosp = g.split(g.lemma(PAIRS, "part:reached", "1", "2", "3", m, k, r, by=[using(eq)]))
    all_pairs = g.assume()

    def spans(g: Goal) -> None:
        g.fix("w")

        def forward(g: Goal) -> None:
            h = g.assume()
            zero = g.have("w = O(3,1)", lambda g: g.nc((h, -1, None, None)))
            g.conj(
                lambda g: (g.witness("O(1,1)"), g.nc((zero, 1, None, None)))[-1],
                lambda g: (g.witness("O(2,1)"), g.nc((zero, 1, None, None)))[-1],
            )

        def backward(g: Goal) -> None:
            one, two = g.split(g.assume())
            (a,) = g.obtain(one, "a", split=False)
            (b,) = g.obtain(two, "b", split=False)
            entries = []
            for i in (1, 2, 3):
                x = g.have(("=", ("entry", "w", i, 1), g.term(f"(T({k}) @ a)[{i},1]")), lambda g: g.ctx(using(a)))
                y = g.have(("=", ("entry", "w", i, 1), g.term(f"({r} @ b)[{i},1]")), lambda g: g.ctx(using(b)))
                entries.append((x, y))
            (x1, _), (x2, y2), (x3, _) = entries
            rows = iter([[(x1, -1), (x2, 1), (y2, -1)], [(y2, -1)], [(x3, -1)]])
            g.ext(lambda g: g.field(*next(rows)))

        g.iff(forward, backward)

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif "rank" in str(c):
            g.compute()
        elif c[0] == "iff" or (c[0] == "all" and "iff" in str(c)):
            spans(g)
        elif c[0] == "all":
            g.close_by(next(h for h in sosp if g.hyp_formula(h)[1] == c[1] and str(g.hyp_formula(h)[2][0]) == str(c[2][0])))
        elif c[0] == "=":
            g.nc()
        else:
            g.auto()

    projected = g.apply(all_pairs, "1", "2", "3", m, k, r, by=[close] * 9)
    equal = g.apply(projected, e, by=[close] * 3)
    left = g.have(f"{half(f'{m} - {k} @ {e} @ ({e} @ {r})')} = 1/2", lambda g: g.field())
    right = g.have(f"{half(f'{m} - {k} @ {r}')} = 0", lambda g: g.field())
    g.pos(["1/2"], eqs=[(left, 1), (right, -1), (equal, -1)])


FULL_RANK = SOSP.replace(TARGET, "M")
DEFICIENT = GENERAL.replace(FULL_RANK, f"r <= rank(M) => {FULL_RANK}") + " rank(K @ R) < r =>"
"""Second-order stationary pairs under (85) and (87), which exclude each other."""


def excluded(g: Goal) -> None:
    """Lemma 21: under (85) no second-order stationary pair has a lower rank."""
    sizes = [g.assume() for _ in range(3)]
    full = g.assume()
    stationary = [g.assume() for _ in range(3)]
    low = g.assume()
    known = [using(k) for k in (*sizes, full, *stationary)]
    h = g.lemma("eftekhari2022.lemma-21-rank", "part:any-target", *GENERAL_TERMS, by=known)
    g.contra()
    g.pos([f"@{low}"], eqs=[(g.split(h)[2], 1)])


PROJECTED = f"""(all A:M(y,r). D(e, {half("M - (K @ E + e*A) @ (E @ R)")}, 0) = 0) and (all B:M(r,m). D(e, {half("M - K @ E @ (E @ R + e*B)")}, 0) = 0) and
       (all A:M(y,r), B:M(r,m). 0 <= D(e, D(h, {half("M - (K @ E + h*A) @ (E @ R + h*B)")}, e), 0))"""
"""The pair (K E, E R) is second-order stationary."""


@holds(
    "eftekhari2022.step-d1-wlog",
    f"""{DEFICIENT} rank(K) < rank(R) => rank(R) < r => all E:M(r,r). T(E) = E => E @ E = E => ({MEET}) =>
       {half("M - K @ E @ (E @ R)")} = {half("M - K @ R")} and (all C:M(y,r), D:M(r,m). {half("M - K @ E @ (E @ R)")} <= {half("M - C @ D")}) and
       {PROJECTED} and rank(K @ E) = rank(E @ R) and rank(E @ R) < r""",
    argument="repaired",
    context="(85) with rank(Y P_X) >= r, as in Lemma 21, which this step is to prove [(85), Lemma 21]",
    reading="M stands for Y P_X, of rank at least r as in (85), and E for the projection to the meet of the row span of K = P and the column span of"
    " R = Q'; the projected pair has the same value, is a minimizer, is second-order stationary and has equal ranks below r",
    reason="a step of an indirect proof: (85) and (87), from which it starts, exclude each other (Lemma 21); the printed reason, that the projected pair has the same value, is not true of"
    " second-order stationary pairs in general (see the part)",
    uses=["eftekhari2022.lemma-21-rank", "eftekhari2022.step-d1-wlog"],
)
def the_case_does_not_occur(g: Goal) -> None:
    """Lemma 21."""
    g.fix()
    excluded(g)


MISSING = """rank(M) = r => rank(K @ R) < r => (M - K @ R) @ T(R) = O(y,r) => T(K) @ (M - K @ R) = O(r,m) =>
       all u w:V(y), v z:M(1,m), s c:R. 0 < s => T(u) @ u = I(1) => v @ T(v) = I(1) => M @ T(v) = s*u => T(u) @ M = s*v => T(K) @ u = O(r,1) =>
       R @ T(v) = O(r,1) => 0 < c => T(w) @ w = I(1) => z @ T(z) = I(1) => M @ T(z) = c*w => T(w) @ M = c*z => T(K) @ w = O(r,1) =>
       R @ T(z) = O(r,1) => ex b:R. w = b*u"""


@part(
    "eftekhari2022.eq-90",
    "two-may-be-missing",
    f"not (all y m r:Z, M:M(y,m), K:M(y,r), R:M(r,m). {MISSING})",
    says="a first-order stationary pair may lack more than one singular pair: M = diag(2, 1), r = 2, K = R = 0, where both are absent",
)
def two_pairs_may_be_missing(g: Goal) -> None:
    """The first and the second unit vector."""
    zero, one, two = "O(2,2)", "[[1],[0]]", "[[0],[1]]"
    unique = g.assume()

    def close(g: Goal) -> None:
        c = g.concl
        if "rank" in str(c):
            g.compute()
        elif c[0] == "=":
            g.ext(lambda g: g.field())
        else:
            g.auto()

    alone = g.apply(unique, "2", "2", "2", "[[2,0],[0,1]]", zero, zero, by=[close] * 4)
    multiple = g.apply(alone, one, two, "[[1,0]]", "[[0,1]]", "2", "1", by=[close] * 14)
    (same,) = g.obtain(multiple, "b", split=False)
    k = g.have(("=", g.term(f"({two})[2,1]"), g.term(f"(b*({one}))[2,1]")), lambda g: g.ctx(using(same)))
    g.pos(["1"], eqs=[(k, -1)])


ABSENT = "T({u}) @ {u} = I(1) and {v} @ T({v}) = I(1) and 0 < {s} and M @ T({v}) = {s}*{u} and T({u}) @ M = {s}*{v} and T(K) @ {u} = O(r,1) and R @ T({v}) = O(r,1)"


@holds(
    "eftekhari2022.eq-90",
    f"""{DEFICIENT} rank(M) = r => ex u:V(y), v:M(1,m), s:R. {ABSENT.format(u="u", v="v", s="s")} and
       all w:V(y), z:M(1,m), c:R. {ABSENT.format(u="w", v="z", s="c")} => ex b:R. w = b*u and z = b*v""",
    argument="repaired",
    reading="M, K, R stand for Y P_X, P, Q'; u, v and w, z are singular pairs of M (v and z are rows) that are absent from the pair; the pair is"
    " unique up to a factor",
    reason="a step of an indirect proof: (85) and (87), from which it starts, exclude each other (Lemma 21); the printed reason (89) is no reason: a pair that is only"
    " stationary lacks at least one singular pair, and may lack more (see the parts)",
    uses=["eftekhari2022.lemma-21-rank"],
)
def no_second_order_pair_lacks_one(g: Goal) -> None:
    """Lemma 21."""
    g.fix()
    excluded(g)
