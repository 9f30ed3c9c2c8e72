"""Appendices A and E: the induction over the layers, the chain of minima (101), global minimizers (102), (103)."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.equal_minima import FREE, REST, WHOLE
from proofs.eftekhari2022.product_map import CLAIM as SURJECTIVE
from proofs.eftekhari2022.product_map import DEEP, LAYERS, NAMES, READING, SETTING, VARIABLES, corner
from proofs.eftekhari2022.row_span_projection import PENROSE, P
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import amendment, holds, undecided


@holds(
    "eftekhari2022.step-a-base",
    "all x y r:Z. 0 <= x => 0 <= y => r = min(x,y) => all W:M(y,x). rank(W) <= r and ex A:M(y,x). A = W",
    argument="sound",
    reading="for N = 1 the product is W_1 itself; all matrices have rank at most r",
    uses=[SURJECTIVE],
)
def one_layer_is_its_product(g: Goal) -> None:
    """The matrix itself."""
    g.fix()
    names = [g.assume() for _ in range(3)]
    g.fix("W")
    _, shallow = g.split(g.lemma(SURJECTIVE, "statement"))
    rank = g.apply(shallow, "x", "y", "r", "W", by=[using(h) for h in names])
    g.conj(using(rank), lambda g: (g.witness("W"), g.refl())[-1])


@holds(
    "eftekhari2022.eq-45",
    """all x y r n:Z, W S:M(y,x), U:M(y,y), V:M(x,x), R:M(y,x). T(U) @ U = I(y) => T(V) @ V = I(x) => W = U @ S @ T(V) => R = S @ T(V) =>
       rank(W) <= r => r <= n => W = U @ R and rank(R) = rank(W) and rank(W) <= r and r <= n""",
    argument="sound",
    reading="R stands for the right factor and n for d_N",
)
def rank_of_the_right_factor(g: Goal) -> None:
    """R = U^T W and W = U R."""
    u, _, w, r, rank, wide = g.intro(split=False)
    whole = g.have("W = U @ R", lambda g: g.nc((w, 1, None, None), (r, -1, "U", None)))
    back = g.have("T(U) @ W = R", lambda g: g.nc((whole, 1, "T(U)", None), (u, 1, None, "R")))
    one = g.rewritten(g.split(g.fact("rank_product", "y", "y", "x", "T(U)", "W"))[1], back)
    two = g.rewritten(
        g.split(g.fact("rank_product", "y", "y", "x", "U", "R"))[1], g.have("U @ R = W", lambda g: g.nc((whole, -1, None, None)))
    )
    g.conj(using(whole), lambda g: g.antisym(using(one), using(two)), using(rank), using(wide))


undecided(
    "eftekhari2022.eq-47",
    outcome="ill-formed",
    reason="W = U' Q'^T multiplies a d_(N+1) x d_N by a d_0 x d_N matrix; (49) writes U' Q', which is meant",
    argument="sound",
)


@amendment(
    "eftekhari2022.eq-47",
    """all x y r n:Z, W R:M(y,x), U:M(y,y). 0 <= x => 0 <= y => T(U) @ U = I(y) => W = U @ R => rank(R) <= r => r <= n =>
       ex A:M(y,n), B:M(n,x). W = A @ B and rank(B) = rank(R) and rank(R) <= r""",
    says="W = U' Q' with Q' of the same rank as the right factor, through any width n >= r.",
    uses=[SURJECTIVE],
)
def factorisation_through_a_width(g: Goal) -> None:
    """W = A B with inner dimension rank W, embedded into n coordinates."""
    x_lo, y_lo, u, w, rank, wide = g.intro(split=False)
    back = g.have("T(U) @ W = R", lambda g: g.nc((w, 1, "T(U)", None), (u, 1, None, "R")))
    one = g.rewritten(g.split(g.fact("rank_product", "y", "y", "x", "T(U)", "W"))[1], back)
    two = g.rewritten(
        g.split(g.fact("rank_product", "y", "y", "x", "U", "R"))[1], g.have("U @ R = W", lambda g: g.nc((w, -1, None, None)))
    )
    low = g.split(g.by_fact("rank_bounds", "y", "x", "W", by=[using(y_lo), using(x_lo)]))[0]
    (f,) = g.obtain(g.by_fact("rank_factor", "y", "x", "rank(W)", "W", by=[using(low), lambda g: g.nlin(products=1)]), "C", "D")
    room = g.have("rank(W) <= n", lambda g: g.pos([f"@{two}"], [f"@{rank}"], [f"@{wide}"]))
    unit, _, _ = corner(g, "n", "rank(W)", "J", low, room)
    g.witness("C @ T(J)", "J @ D")
    g.have("0 <= n", lambda g: g.pos([f"@{low}"], [f"@{room}"]))
    whole = g.have("W = (C @ T(J)) @ (J @ D)", lambda g: g.nc((f, 1, None, None), (unit, -1, "C", "D")))
    above = g.split(g.fact("rank_product", "n", "rank(W)", "x", "J", "D"))[1]
    rows = g.split(g.by_fact("rank_bounds", "rank(W)", "x", "D"))[1]
    kept = g.have("T(J) @ (J @ D) = D", lambda g: g.nc((unit, 1, None, "D")))
    product = g.rewritten(
        g.split(g.fact("rank_product", "y", "rank(W)", "x", "C", "D"))[1],
        g.have("C @ D = W", lambda g: g.nc((f, -1, None, None))),
    )
    below = g.rewritten(g.split(g.fact("rank_product", "rank(W)", "n", "x", "T(J)", "J @ D"))[1], kept)
    g.conj(
        lambda g: g.exact(whole),
        lambda g: g.antisym(
            lambda g: g.pos([f"@{above}"], [f"@{rows}"], [f"@{two}"]),
            lambda g: g.pos([f"@{one}"], [f"@{product}"], [f"@{below}"]),
        ),
        using(rank),
    )


@holds(
    "eftekhari2022.eq-48",
    f"{SETTING} all k:Z, W:M(y,x). k <= r => rank(W) <= k => ex {VARIABLES}. {LAYERS} and B @ Q(N-1) = W",
    argument="repaired",
    reading=f"W stands for Q' and k for the r of (42) with the further width d_(N+1), which may be smaller than the smallest r of d_0, ..., d_N;"
    f" {READING}",
    uses=[SURJECTIVE],
)
def induction_hypothesis_for_the_right_factor(g: Goal) -> None:
    """The rank is at most the smallest of the first widths as well."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    g.fix("k", "W")
    small, rank = g.assume(), g.assume()
    h = g.lemma(SURJECTIVE, "part:onto", *"xynNrd", by=[using(name) for name in NAMES])
    g.close_by(g.apply(h, "W", by=[lambda g: g.pos([f"@{small}"], [f"@{rank}"])]))


@holds(
    "eftekhari2022.eq-50",
    """all x y k n N:Z, W:M(y,x), A:M(y,k), B:M(k,x), C:M(k,n), Q:Z->M(n,x). W = A @ B => B = C @ Q(N-1) =>
       W = A @ B and A @ B = A @ C @ Q(N-1)""",
    argument="sound",
    reading="A stands for U', B for Q', C for W_N and Q(N-1) for W_(N-1)...W_1: U' is the new layer",
)
def new_layer_on_top(g: Goal) -> None:
    """Substitute."""
    w, b = g.intro()
    g.conj(using(w), lambda g: g.nc((b, 1, "A", None)))


PROBLEM = f"all m:Z, X:M(x,m), G:M(m,x), Y:M(y,m). {PENROSE}"
SHIFTED = f"(all {VARIABLES}. {LAYERS} => c <= {size('Y - B @ Q(N-1) @ X')}/2 - {REST})"
MINIMUM = "two minima agree where every lower bound c of one objective is one of the other"


def setting(g: Goal) -> list[str]:
    """Fix the widths and the data; returns the names of the hypotheses on the data."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    g.fix()
    return [g.assume() for _ in range(4)]


@holds(
    "eftekhari2022.eq-101",
    f"{SETTING} {PROBLEM} det(X @ T(X)) != 0 => all c:R. ({SHIFTED} <=> {WHOLE}) and ({WHOLE} <=> {FREE})",
    argument="sound",
    reading=f"K stands for P and R for Q' (or Q); {MINIMUM}; {READING}",
    uses=["eftekhari2022.eq-10b", "eftekhari2022.lemma-5-value"],
)
def chain_of_equivalent_minima(g: Goal) -> None:
    """(10b) with c + |Y P_perp|^2/2, and Lemma 5."""
    data = setting(g)
    regular = g.assume()
    g.fix("c")
    h = g.lemma("eftekhari2022.eq-10b", "statement", *"xynNrd", by=[using(name) for name in NAMES])
    there, back = g.split(g.apply(h, "m", "X", "Y", f"c + {REST}"))

    def forward(g: Goal) -> None:
        bound = g.assume()

        def shifted(g: Goal) -> None:
            g.fix()
            layers = g.assume()
            k = g.apply(bound, "A", "B", "F", "Q", by=[using(layers)])
            g.pos([f"@{k}"])

        known = g.have(DEEP.replace("c <=", f"c + {REST} <="), shifted)
        low = g.apply(there, by=[using(known)], n=1)
        g.fix("K", "Q")
        k = g.apply(low, "K", "Q")
        g.pos([f"@{k}"])

    def backward(g: Goal) -> None:
        bound = g.assume()

        def shifted(g: Goal) -> None:
            g.fix("K", "R")
            k = g.apply(bound, "K", "R")
            g.pos([f"@{k}"])

        known = g.have(f"all K:M(y,r), R:M(r,x). c + {REST} <= {size('Y - K @ R @ X')}/2", shifted)
        low = g.apply(back, by=[using(known)], n=1)
        g.fix()
        layers = g.assume()
        k = g.apply(low, "A", "B", "F", "Q", by=[using(layers)])
        g.pos([f"@{k}"])

    five = g.lemma(
        "eftekhari2022.lemma-5-value", "statement", *("x", "y", "m", "X", "G", "Y", "r"), by=[using(k) for k in (*data, regular)]
    )
    five = g.apply(five, "c")
    g.conj(lambda g: g.iff(forward, backward), using(five))


OPTIMAL = f"""(all {VARIABLES.replace("A:", "A2:").replace("B:", "B2:").replace("F:", "F2:").replace("Q:", "Q2:")}.
       {LAYERS.replace("A[", "A2[").replace("B[", "B2[").replace("F(", "F2(").replace("Q(", "Q2(").replace("= A and", "= A2 and")} =>
       {size("Y - B @ Q(N-1) @ X")}/2 <= {size("Y - B2 @ Q2(N-1) @ X")}/2)"""
"""The layers A, B, F, Q are a global minimizer of (6)."""
BEST = f"(all K:M(y,r), R:M(r,m). {size(f'Y @ {P} - K0 @ R0')}/2 <= {size(f'Y @ {P} - K @ R')}/2)"


@holds(
    "eftekhari2022.eq-102",
    f"""{SETTING} {PROBLEM} det(X @ T(X)) != 0 => all {VARIABLES}. {LAYERS} => {OPTIMAL} =>
       ex K0:M(y,r), R0:M(r,m). B @ Q(N-1) @ X = K0 @ R0 and {BEST}""",
    argument="sound",
    reading=f"K0 and R0 stand for P^o and Q'^o; {READING}",
    uses=["eftekhari2022.eq-101", SURJECTIVE, "eftekhari2022.eq-11-equality"],
)
def minimizers_correspond(g: Goal) -> None:
    """W = K Q with inner dimension r; the value of (K, Q X) is the minimum by (101)."""
    data = setting(g)
    regular = g.assume()
    g.fix()
    layers, optimal = g.assume(), g.assume()
    known = [using(name) for name in NAMES]
    rank = g.apply(g.lemma(SURJECTIVE, "part:rank", *"xynNrd", by=known), "A", "B", "F", "Q", by=[using(layers)])
    (w,) = g.obtain(g.by_fact("rank_factor", "y", "x", "r", "B @ Q(N-1)", by=[using("r_lo"), using(rank)]), "K0", "V")
    g.witness("K0", "V @ X")
    value = f"({size('Y - B @ Q(N-1) @ X')}/2 - {REST})"
    h = g.lemma("eftekhari2022.eq-101", "statement", *"xynNrd", by=known)
    h = g.apply(h, "m", "X", "G", "Y", by=[using(k) for k in (*data, regular)])
    one, two = g.split(g.apply(h, value))

    def shifted(g: Goal) -> None:
        g.fix()
        other = g.assume()
        names = list(g.seq.ctx)[-4:]
        k = g.apply(optimal, *names, by=[using(other)])
        g.pos([f"@{k}"])

    start = g.have(bound_text(value), shifted)
    whole = g.apply(g.split(one)[0], by=[using(start)], n=1)
    free = g.apply(g.split(two)[0], by=[using(whole)], n=1)
    split = g.apply(
        g.lemma(
            "eftekhari2022.eq-11-equality", "statement", "x", "y", "m", "X", "G", "Y", "r", "K0", by=[using(k) for k in data]
        ),
        "V",
    )

    def best(g: Goal) -> None:
        g.fix("K", "R")
        k = g.apply(free, "K", "R")
        same = g.have(
            f"{size('Y - B @ Q(N-1) @ X')} = {size('Y - K0 @ V @ X')}",
            lambda g: (g.replace("Y - B @ Q(N-1) @ X", "Y - K0 @ V @ X", lambda g: g.nc((w, -1, None, "X"))), g.refl())[-1],
        )
        g.pos([f"@{k}"], eqs=[(same, "1/2"), (split, 1)])

    g.conj(lambda g: g.nc((w, 1, None, "X")), best)


def bound_text(value: str) -> str:
    """A lower bound of the loss of all layers, with other names for the layers."""
    other = size("Y - B2 @ Q2(N-1) @ X")
    return OPTIMAL.replace(f"{size('Y - B @ Q(N-1) @ X')}/2 <=", f"{value} <=").replace(f"{other}/2)", f"{other}/2 - {REST})")


@holds(
    "eftekhari2022.eq-103",
    f"""{SETTING} {PROBLEM} 0 <= m => det(X @ T(X)) != 0 => r <= rank(Y @ {P}) => all {VARIABLES}. {LAYERS} => {OPTIMAL} =>
       rank(B @ Q(N-1)) = r""",
    argument="sound",
    reading=READING,
    uses=["eftekhari2022.eq-102", SURJECTIVE],
)
def minimizers_have_the_largest_rank(g: Goal) -> None:
    """The value is at most the sum of the squared singular values beyond the r-th. A smaller rank would leave the r-th as well, which then
    is 0, so that Y P_X would have a rank below r."""
    data = setting(g)
    g.assume()
    regular, full = g.assume(), g.assume()
    g.fix()
    layers, optimal = g.assume(), g.assume()
    known = [using(name) for name in NAMES]
    rank = g.apply(g.lemma(SURJECTIVE, "part:rank", *"xynNrd", by=known), "A", "B", "F", "Q", by=[using(layers)])
    h = g.lemma("eftekhari2022.eq-102", "statement", *"xynNrd", by=known)
    h = g.apply(h, "m", "X", "G", "Y", by=[using(k) for k in (*data, regular)])
    h = g.apply(h, "A", "B", "F", "Q", by=[using(layers), using(optimal)])
    product, best = g.obtain(h, "K0", "R0")
    m = f"(Y @ {P})"

    def smaller(g: Goal) -> None:
        less = g.by_fact("int_lt", "rank(B @ Q(N-1))", "r", by=[using(next(reversed(g.seq.hyps)))])
        low = g.split(g.by_fact("rank_bounds", "y", "x", "B @ Q(N-1)"))[0]
        positive = g.have("1 <= r", lambda g: g.pos([f"@{less}"], [f"@{low}"]))
        some, _ = g.split(g.by_fact("eckart_young", "y", "m", "r", m))
        few, value = g.obtain(some, "C")
        (c,) = g.obtain(g.by_fact("rank_factor", "y", "m", "r", "C", by=[using("r_lo"), using(few)]), "U", "V")
        at = g.apply(best, "U", "V")
        there, lower = g.split(
            g.by_fact("eckart_young", "y", "m", "r - 1", m, by=[None, None, lambda g: g.pos([f"@{positive}"])])
        )
        drop = g.split(g.fact("rank_product", "y", "x", "m", "B @ Q(N-1)", "X"))[0]
        whole = g.have(("=", g.hyp_formula(drop)[1][2], g.term("K0 @ R0")), lambda g: g.nc((product, 1, None, None)))
        drop = g.rewritten(drop, whole)
        below = g.apply(lower, "K0 @ R0", by=[lambda g: g.pos([f"@{drop}"], [f"@{less}"])])
        tail = g.have(f"sum(i, r - 1 + 1, m, sv({m},i)^2) = sum(i, r, m, sv({m},i)^2)", lambda g: g.field())
        same = g.have(f"{size(f'{m} - C')} = {size(f'{m} - U @ V')}", lambda g: (g.rewrite(c), g.refl())[-1])
        order = g.fact("sv_range", "y", "m", m)

        def vanishes(g: Goal) -> None:
            def short(g: Goal) -> None:
                """r <= m: the first term of the sum is the r-th."""
                first = g.by_fact("sum_first", "r", "m", f"lam i:Z. sv({m},i)^2")
                g.pos([f"@{at}", "2"], [f"@{below}"], eqs=[(value, -1), (same, 1), (tail, 1), (first, 1)])

            def long(g: Goal) -> None:
                most = g.split(g.by_fact("rank_bounds", "y", "m", m))[2]
                g.contra()
                over = next(h for h, f in g.seq.hyps.items() if f == ("<", "m", "r"))
                g.pos([f"@{most}"], [f"@{full}"], [f"@{over}"])

            g.em("r <= m", short, long)

        zero = g.have(f"sv({m},r)^2 <= 0", vanishes)
        flat = g.have(f"sv({m},r)^2 = 0", lambda g: g.antisym(using(zero), lambda g: g.pos([f"sv({m},r)^2"])))
        root = g.by_fact("square_zero", f"sv({m},r)", by=[using(flat)])
        little, rest = g.obtain(there, "D")

        def term(g: Goal) -> None:
            g.fix("i")
            g.split(g.assume())
            up = g.split(g.apply(order, "r", "i"))[1]
            here = g.split(g.apply(order, "i", "i"))[0]
            g.have("r <= i", lambda g: g.nlin(products=1))
            up = g.apply(up)
            none = g.have(f"sv({m},i) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{up}"], eqs=[(root, -1)]), using(here)))
            g.field((none, f"sv({m},i)"))

        s = g.by_fact("sum_ext", "r - 1 + 1", "m", f"lam i:Z. sv({m},i)^2", "lam i:Z. 0", by=[term])
        nothing = g.have(f"{size(f'{m} - D')} = 0", lambda g: g.field((rest, 1), (s, 1)))
        equal = g.by_fact("frobenius_zero", "y", "m", f"{m} - D", by=[using(nothing)])
        same_ = g.have(f"D = {m}", lambda g: g.nc((equal, -1, None, None)))
        little = g.rewritten(little, same_)
        g.contra()
        g.pos([f"@{little}"], [f"@{full}"], [])

    g.cases(
        g.by_fact("lt_or_eq", "rank(B @ Q(N-1))", "r", by=[using(rank)]),
        smaller,
        lambda g: g.close_by(next(reversed(g.seq.hyps))),
    )
