"""Section 2 and Appendices D, E: second-order stationary points of rank r are global minimizers (Theorems 7 and 8, Lemma 21)."""

from __future__ import annotations

from proofs.eftekhari2022.optimal_pairs import CLAIM as PAIRS
from proofs.eftekhari2022.row_span_projection import PENROSE, P
from proofs.eftekhari2022.second_order_layers import CONVEX, INNER, STATIONARY, half
from proofs.eftekhari2022.second_order_layers import READING as LAYERED
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

TARGET = f"Y @ {P}"
SPACES = f"all x y m r:Z, X:M(x,m), G:M(m,x), Y:M(y,m), K:M(y,r), R:M(r,m). {PENROSE} 0 <= y => 0 <= m => 0 <= r =>"
TERMS = ("x", "y", "m", "r", *"XGYKR")


def loss(k: str, r: str) -> str:
    """The objective of (12)."""
    return half(f"{TARGET} - ({k}) @ ({r})")


SLOPES = f"(all A:M(y,r). D(e, {loss('K + e*A', 'R')}, 0) = 0) => (all B:M(r,m). D(e, {loss('K', 'R + e*B')}, 0) = 0) =>"
BENDS = f"(all A:M(y,r), B:M(r,m). 0 <= D(e, D(h, {loss('K + h*A', 'R + h*B')}, e), 0))"
SOSP = f"{SLOPES} {BENDS} =>"
RESIDUAL = f"({TARGET} - K @ R)"
READING = (
    "K and R stand for P and Q', G for the pseudo-inverse of X; a pair is second-order stationary where the directional derivatives in each"
    " factor vanish and the second derivative along every line is not negative"
)
MINIMAL = f"all C:M(y,r), D:M(r,m). {loss('K', 'R')} <= {loss('C', 'D')}"
"""A global minimizer of (12)."""


def equations(g: Goal, left: str, right: str, bends: str) -> list[str]:
    """The gradients vanish, tested against themselves, and the second derivative is twice the form; for a named target M."""
    a, b = "(M - K @ R) @ T(R)", "T(K) @ (M - K @ R)"
    k = g.apply(left, a)
    slope = g.have(f"D(e, {half(f'M - (K + e*({a})) @ R')}, 0) = -tr(T({a}) @ ({a}))", lambda g: g.field())
    zero = g.have(f"tr(T({a}) @ ({a})) = 0", lambda g: g.field((slope, 1), (k, -1)))
    first = g.by_fact("frobenius_zero", "y", "r", a, by=[using(zero)])
    k = g.apply(right, b)
    slope = g.have(f"D(e, {half(f'M - K @ (R + e*({b}))')}, 0) = -tr(T({b}) @ ({b}))", lambda g: g.field())
    zero = g.have(f"tr(T({b}) @ ({b})) = 0", lambda g: g.field((slope, 1), (k, -1)))
    second = g.by_fact("frobenius_zero", "r", "m", b, by=[using(zero)])
    form = "tr(T(A @ R + K @ B) @ (A @ R + K @ B))/2 + tr(T(K @ R - M) @ (A @ B))"

    def each(g: Goal) -> None:
        g.fix("A", "B")
        k = g.apply(bends, "A", "B")
        bend = g.have(f"D(e, D(h, {half('M - (K + h*A) @ (R + h*B)')}, e), 0) = 2*({form})", lambda g: g.field())
        g.pos(["1/2", f"@{k}"], eqs=[(bend, "1/2")])

    return [first, second, g.have(f"all A:M(y,r), B:M(r,m). 0 <= {form}", each)]


GENERAL = f"all y m r:Z, M:M(y,m), K:M(y,r), R:M(r,m). 0 <= y => 0 <= m => 0 <= r => {SOSP.replace(TARGET, 'M')}"
GENERAL_TERMS = ("y", "m", "r", "M", "K", "R")


@part(
    PAIRS,
    "any-target",
    f"{GENERAL} ({MINIMAL.replace(TARGET, 'M')}) and all W:M(y,m). rank(W) <= r => {half('M - K @ R')} <= {half('M - W')}",
    says="the same for every target M in the place of Y P_X",
    uses=[PAIRS],
)
def stationary_pairs_minimize(g: Goal) -> None:
    """The parts on the form of the second derivative."""
    g.fix()
    y0, m0, r0, left, right, bends = (g.assume() for _ in range(6))
    first, second, form = equations(g, left, right, bends)
    best = g.lemma(PAIRS, "part:optimal", *GENERAL_TERMS, by=[using(h) for h in (y0, m0, r0, first, second, form)])

    def pairs(g: Goal) -> None:
        g.fix("C", "D")
        low = g.split(g.fact("rank_product", "y", "r", "m", "C", "D"))[0]
        most = g.split(g.by_fact("rank_bounds", "y", "r", "C"))[2]
        k = g.apply(best, "C @ D", by=[lambda g: g.pos([f"@{low}"], [f"@{most}"])])
        g.pos(["1/2", f"@{k}"])

    def all_(g: Goal) -> None:
        g.fix("W")
        rank = g.assume()
        k = g.apply(best, "W", by=[using(rank)])
        g.pos(["1/2", f"@{k}"])

    g.conj(pairs, all_)


@holds(
    PAIRS,
    f"{SPACES} {SOSP} {MINIMAL}",
    argument="repaired",
    reason="the paper cites the theorem; proved here for every target, with repeated singular values and factors of any rank",
    reading=READING,
    uses=[PAIRS],
)
def second_order_stationary_pairs_are_global_minimizers(g: Goal) -> None:
    """Part `any-target` with M = Y P_X."""
    g.fix()
    names = [g.assume() for _ in range(10)]
    h = g.lemma(PAIRS, "part:any-target", "y", "m", "r", TARGET, "K", "R", by=[using(k) for k in names[4:]])
    g.close_by(g.split(h)[0])


@holds(
    "eftekhari2022.lemma-21-global",
    f"{SPACES} r <= rank({TARGET}) => {SOSP} {MINIMAL}",
    argument="sound",
    reading=READING,
    uses=[PAIRS],
)
def stationary_pairs_with_enough_rank_are_global_minimizers(g: Goal) -> None:
    """Theorem 7."""
    g.fix()
    names = [g.assume() for _ in range(11)]
    g.close_by(g.lemma(PAIRS, "statement", *TERMS, by=[using(k) for k in (*names[:7], *names[8:])]))


RANKS = "rank(K) = r and rank(R) = r and rank(K @ R) = r"


@part(
    "eftekhari2022.lemma-21-rank",
    "any-target",
    f"{GENERAL.replace(SOSP.replace(TARGET, 'M'), 'r <= rank(M) => ' + SOSP.replace(TARGET, 'M'))} {RANKS}",
    says="the same for every target M in the place of Y P_X",
    uses=[PAIRS],
)
def stationary_pairs_have_full_rank(g: Goal) -> None:
    """If a Gram matrix is singular, M = K R, of rank at least r. Otherwise K and R have rank r, and so has K R, as R = (K^T K)^-1 K^T K R."""
    g.fix()
    y0, m0, r0, rank, left, right, bends = (g.assume() for _ in range(7))
    first, second, form = equations(g, left, right, bends)
    one, two = g.split(g.fact("rank_product", "y", "r", "m", "K", "R"))
    k_most = g.split(g.by_fact("rank_bounds", "y", "r", "K"))[2]
    r_most = g.split(g.by_fact("rank_bounds", "r", "m", "R"))[1]

    def whole(g: Goal, low: str) -> None:
        """rank(K R) >= r (the hypothesis `low`)."""
        g.conj(
            lambda g: g.antisym(using(k_most), lambda g: g.pos([f"@{low}"], [f"@{one}"])),
            lambda g: g.antisym(using(r_most), lambda g: g.pos([f"@{low}"], [f"@{two}"])),
            lambda g: g.antisym(lambda g: g.pos([f"@{one}"], [f"@{k_most}"]), using(low)),
        )

    def reached(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        known = [using(k) for k in (y0, m0, r0, first, second, form, h)]
        eq = g.lemma(PAIRS, "part:deficient", *GENERAL_TERMS, by=known)
        whole(g, g.have("r <= rank(K @ R)", lambda g: g.close_by(g.rewritten(rank, eq))))

    def regular(g: Goal) -> None:
        a, b = g.split(next(reversed(g.seq.hyps)))
        gram, rows = "T(K) @ K", "R @ T(R)"
        inverse = g.by_fact("inv_left", "r", gram, by=[using(a)])
        full = g.apply(g.split(g.by_fact("rank_full", "r", rows, by=[using(r0)]))[1], by=[using(b)])
        below = g.split(g.fact("rank_product", "r", "m", "r", "R", "T(R)"))[0]
        at = g.split(g.fact("rank_product", "r", "y", "m", f"inv({gram}) @ T(K)", "K @ R"))[1]
        own = g.have(("=", g.hyp_formula(at)[1][2], g.term("R")), lambda g: g.nc((inverse, 1, None, "R")))
        at = g.rewritten(at, own)
        whole(g, g.have("r <= rank(K @ R)", lambda g: g.pos([f"@{at}"], [f"@{below}"], eqs=[(full, 1)])))

    g.em("det(T(K) @ K) = 0 or det(R @ T(R)) = 0", reached, regular)


FULL = f"{SPACES} r <= rank({TARGET}) => {SOSP} {RANKS}"


@holds(
    "eftekhari2022.lemma-21-rank",
    FULL,
    argument="repaired",
    reason="the printed argument rests on the block form (89), which not every stationary pair has; proved by another one",
    reading=READING,
    uses=["eftekhari2022.lemma-21-rank"],
)
def second_order_stationary_pairs_have_full_rank(g: Goal) -> None:
    """The part with M = Y P_X."""
    g.fix()
    names = [g.assume() for _ in range(11)]
    g.close_by(
        g.lemma(
            "eftekhari2022.lemma-21-rank", "part:any-target", "y", "m", "r", TARGET, "K", "R", by=[using(k) for k in names[4:]]
        )
    )


@holds(
    "eftekhari2022.eq-100",
    FULL,
    argument="sound",
    reading=f"given that rank-deficient pairs are strict saddles; {READING}",
    uses=["eftekhari2022.lemma-21-rank"],
)
def factors_have_the_rank_of_the_product(g: Goal) -> None:
    """Lemma 21."""
    g.close_by(g.lemma("eftekhari2022.lemma-21-rank", "statement"))


STRICT = f"""{SPACES} r <= rank({TARGET}) => {SLOPES} rank(K @ R) < r => ex A:M(y,r), B:M(r,m).
       D(e, D(h, {loss("K + h*A", "R + h*B")}, e), 0) < 0"""


@part(
    "eftekhari2022.step-d1-strict-saddle",
    "exists",
    STRICT,
    says="every stationary pair of rank below r has a direction of negative second derivative",
    uses=["eftekhari2022.lemma-21-rank"],
)
def stationary_pairs_of_low_rank_are_strict_saddles(g: Goal) -> None:
    """Otherwise the pair were second-order stationary."""
    g.fix()
    names = [g.assume() for _ in range(11)]
    none = g.contra()

    def each(g: Goal) -> None:
        g.fix("A", "B")
        low = g.contra()
        bend = f"D(e, D(h, {loss('K + h*A', 'R + h*B')}, e), 0) < 0"
        some = g.have(f"ex A:M(y,r), B:M(r,m). {bend}", lambda g: (g.witness("A", "B"), g.close_by(low))[-1])
        g.clash(some, none)

    bends = g.have(BENDS, each)
    known = [using(k) for k in (*names[:10], bends)]
    ranks = g.split(g.lemma("eftekhari2022.lemma-21-rank", "statement", *TERMS, by=known))
    g.pos([f"@{names[10]}"], eqs=[(ranks[2], 1)])


MISSING = """all y m r:Z, M:M(y,m), K:M(y,r), R:M(r,m), u:V(y), v:M(1,m), e:M(1,r), s a b:R.
       T(u) @ u = I(1) => v @ T(v) = I(1) => M @ T(v) = s*u => e @ T(e) = I(1) => K @ T(e) = O(y,1) => e @ R = O(1,m) => R @ T(v) = O(r,1) =>
       0 < a*b*s =>"""


@holds(
    "eftekhari2022.step-d1-strict-saddle",
    f"({MISSING} D(q, D(h, {half('M - (K + h*(a*(u @ e))) @ (R + h*(b*(T(e) @ v)))')}, q), 0) = -2*(a*b*s)) and ({STRICT})",
    argument="sound",
    reading="first: M stands for Y P_X; (u, v) is a missing pair with the singular value s, e the coordinate of the zero column and row of"
    " (89), and (a u e, b e^T v) the direction: the second derivative is -2 a b s < 0; M may have any rank. Second: every stationary pair of"
    f" rank below r has such a direction. {READING}",
    uses=["eftekhari2022.step-d1-strict-saddle"],
)
def the_direction_has_negative_curvature(g: Goal) -> None:
    """The form is |A R + K B|^2 - 2 <M - K R, A B> with A R = 0 and K B = 0."""

    def direction(g: Goal) -> None:
        g.fix()
        uu, vv, image, ee, k, r, rv, _ = (g.assume() for _ in range(8))
        c, d = "(a*(u @ e))", "(b*(T(e) @ v))"
        flat = g.have(f"{c} @ R + K @ {d} = O(y,m)", lambda g: g.nc((r, "a", "u", None), (k, "b", None, "v")))
        zero = g.have(f"tr(T({c} @ R + K @ {d}) @ ({c} @ R + K @ {d})) = 0", lambda g: (g.rewrite(flat), g.field())[-1])
        value = g.have(
            f"D(q, D(h, {half(f'M - (K + h*{c}) @ (R + h*{d})')}, q), 0) = tr(T({c} @ R + K @ {d}) @ ({c} @ R + K @ {d})) - 2*tr(T(M - K @ R) @ ({c} @ {d}))",
            lambda g: g.field(),
        )
        inner = g.have(f"{c} @ {d} = (a*b)*(u @ v)", lambda g: g.nc((ee, "a*b", "u", "v")))
        turn = g.have("tr(T(M - K @ R) @ (u @ v)) = tr(T(u) @ ((M - K @ R) @ T(v)))", lambda g: g.field())
        gap = g.have("(M - K @ R) @ T(v) = s*u", lambda g: g.nc((image, 1, None, None), (rv, -1, "K", None)))
        unit = g.have("tr(T(u) @ (s*u)) = s", lambda g: traced(g, uu))
        pair = g.have("tr(T(M - K @ R) @ (u @ v)) = s", lambda g: (g.rewrite(turn), g.rewrite(gap), g.close_by(unit))[-1])
        last = g.have(f"tr(T(M - K @ R) @ ({c} @ {d})) = a*b*s", lambda g: (g.rewrite(inner), g.field((pair, "a*b")))[-1])
        del vv
        g.field((value, 1), (zero, 1), (last, -2))

    g.conj(direction, lambda g: g.close_by(g.lemma("eftekhari2022.step-d1-strict-saddle", "part:exists")))


def traced(g: Goal, unit: str) -> None:
    """tr(s u^T u) = s."""
    k = g.have("T(u) @ (s*u) = s*I(1)", lambda g: g.nc((unit, "s", None, None)))
    g.rewrite(k)
    g.field()


@holds(
    "eftekhari2022.step-d1-reduction",
    STRICT,
    argument="repaired",
    reason="proved for every rank from r on by another argument: the printed one rests on the block form (89)",
    reading=f"what the argument shows, that stationary pairs of rank below r are strict saddles, is true for every rank of Y P_X from r on. {READING}",
    uses=["eftekhari2022.step-d1-strict-saddle"],
)
def larger_ranks_need_no_other_argument(g: Goal) -> None:
    """See the step on strict saddles."""
    g.close_by(g.lemma("eftekhari2022.step-d1-strict-saddle", "part:exists"))


@part(
    PAIRS,
    "low-rank",
    f"""all y m r:Z, M:M(y,m), K:M(y,r), R:M(r,m). 0 <= y => 0 <= m => 0 <= r =>
       ((all C:M(y,r), D:M(r,m). {half("M - K @ R")} <= {half("M - C @ D")}) <=> all W:M(y,m). rank(W) <= r => {half("M - K @ R")} <= {half("M - W")})""",
    says="the products K R are the matrices of rank at most r",
)
def products_are_the_matrices_of_low_rank(g: Goal) -> None:
    """Factor a matrix of rank at most r; a product has rank at most r."""
    g.fix()
    r0 = [g.assume() for _ in range(3)][2]

    def forward(g: Goal) -> None:
        h = g.assume()
        g.fix("W")
        rank = g.assume()
        (w,) = g.obtain(g.by_fact("rank_factor", "y", "m", "r", "W", by=[using(r0), using(rank)]), "C", "D")
        k = g.apply(h, "C", "D")
        g.rewrite(w)
        g.close_by(k)

    def backward(g: Goal) -> None:
        h = g.assume()
        g.fix("C", "D")
        low = g.split(g.fact("rank_product", "y", "r", "m", "C", "D"))[0]
        most = g.split(g.by_fact("rank_bounds", "y", "r", "C"))[2]
        g.close_by(g.apply(h, "C @ D", by=[lambda g: g.pos([f"@{low}"], [f"@{most}"])]))

    g.iff(forward, backward)


BEST = f"(all W:M(y,m). rank(W) <= r => {loss('K', 'R')} <= {half(f'{TARGET} - W')})"


@holds(
    "eftekhari2022.assertion-pca-equivalence",
    f"""{SPACES} (({MINIMAL}) <=> {BEST}) and (({MINIMAL}) <=> 2*{loss("K", "R")} = sum(i, r + 1, m, sv({TARGET},i)^2))""",
    argument="sound",
    reading="K, R is a solution of (12) exactly if K R is a best approximation of Y P_X of rank at most r, and exactly if it leaves the singular"
    " values beyond the r-th (the r leading principal components are kept); G stands for the pseudo-inverse of X",
    uses=[PAIRS],
)
def best_approximation_by_factors(g: Goal) -> None:
    """Products are the matrices of rank at most r; Eckart and Young."""
    g.fix()
    y0, m0, r0 = [g.assume() for _ in range(7)][4:]
    same = g.lemma(PAIRS, "part:low-rank", "y", "m", "r", TARGET, "K", "R", by=[using(k) for k in (y0, m0, r0)])
    there, back = g.split(same)
    some, least = g.split(g.by_fact("eckart_young", "y", "m", "r", TARGET, by=[using(y0), using(m0), using(r0)]))
    low = g.split(g.fact("rank_product", "y", "r", "m", "K", "R"))[0]
    most = g.split(g.by_fact("rank_bounds", "y", "r", "K"))[2]
    own = g.apply(least, "K @ R", by=[lambda g: g.pos([f"@{low}"], [f"@{most}"])])

    def value(g: Goal) -> None:
        h = g.assume()
        best = g.apply(there, by=[using(h)], n=1)
        rank, at = g.obtain(some, "C")
        k = g.apply(best, "C", by=[using(rank)])
        g.antisym(lambda g: g.pos(["2", f"@{k}"], eqs=[(at, -1)]), lambda g: g.pos([f"@{own}"]))

    def minimal(g: Goal) -> None:
        h = g.assume()

        def each(g: Goal) -> None:
            g.fix("W")
            rank = g.assume()
            k = g.apply(least, "W", by=[using(rank)])
            g.pos(["1/2", f"@{k}"], eqs=[(h, "-1/2")])

        best = g.have(BEST, each)
        g.close_by(g.apply(back, by=[using(best)], n=1))

    g.conj(using(same), lambda g: g.iff(value, minimal))


DATA = f"all x y m n r:Z, X:M(x,m), G:M(m,x), Y:M(y,m), A:M(n,x), B:M(y,n), M:M(n,r), L:M(r,n), K:M(y,r), Q:M(r,x), W:M(y,x). {PENROSE}"
CUT = f"0 <= m => det(X @ T(X)) != 0 => {INNER[INNER.index('0 <= x') :]} {STATIONARY} => {CONVEX} =>"
VALUE = half("Y - W @ X")
BEST_PRODUCT = f"all V:M(y,x). rank(V) <= r => {VALUE} <= {half('Y - V @ X')}"
END_FIRST = f"""all x y m n:Z, X:M(x,m), Y:M(y,m), B:M(y,n), M:M(n,x), W:M(y,x). 1 <= x => 0 <= y => 0 <= n => W = B @ M => rank(W) = x =>
       (all E:M(y,n). D(u, {half("Y - (B + u*E) @ M @ X")}, 0) = 0) => all V:M(y,x). {VALUE} <= {half("Y - V @ X")}"""
END_LAST = f"""all x y m n:Z, X:M(x,m), Y:M(y,m), A:M(n,x), L:M(y,n), W:M(y,x). 0 <= x => 1 <= y => 0 <= n => W = L @ A => rank(W) = y =>
       (all F:M(n,x). D(u, {half("Y - L @ (A + u*F) @ X")}, 0) = 0) => all V:M(y,x). {VALUE} <= {half("Y - V @ X")}"""
PRODUCTS = (
    "the products of layers are the matrices V of rank at most r (Appendix A). First: a layer of width r strictly between; second and third: the"
    " narrowest width is that of the input or of the output, where M (or L) is the product of the other layers and first-order stationarity of"
    " the last (first) layer suffices"
)


APPROXIMATION = f"all V:M(y,m). rank(V) <= r => {half(f'{TARGET} - K @ (Q @ X)')} <= {half(f'{TARGET} - V')}"


def take_layers(g: Goal) -> tuple[list[str], list[str]]:
    """Fix and assume DATA and CUT; the names of the Penrose conditions and of the rest."""
    g.fix()
    return [g.assume() for _ in range(4)], [g.assume() for _ in range(11)]


@part(
    "eftekhari2022.theorem-8",
    "approximation",
    f"{DATA} {CUT} {APPROXIMATION}",
    says="the pair made by the layers above and below the cut is a best approximation of Y P_X of rank at most r",
    uses=["eftekhari2022.lemma-6-sosp", PAIRS],
)
def layers_give_a_best_approximation(g: Goal) -> None:
    """Lemma 6 and the optimality of second-order pairs for (12)."""
    penrose, (_, regular, x0, y0, r1, *rest) = take_layers(g)
    terms = ("x", "y", "m", "n", "r", *"XGYABMLKQW")
    h = g.lemma("eftekhari2022.lemma-6-sosp", "statement", *terms, by=[using(k) for k in (*penrose, regular, x0, y0, r1, *rest)])
    _, row, column, second = g.split(h)
    g.have("0 <= r", lambda g: g.pos([f"@{r1}"], ["1"]))
    gradients = [lambda g: g.nc((row, 1, None, None)), lambda g: g.nc((column, 1, None, None))]
    best = g.lemma(PAIRS, "part:optimal", "y", "m", "r", TARGET, "K", "Q @ X", by=[None, None, None, *gradients, using(second)])
    g.fix("V")
    rank = g.assume()
    k = g.apply(best, "V", by=[using(rank)])
    g.pos(["1/2", f"@{k}"])


def split_loss(g: Goal, penrose: list[str], r: str, k: str, q: str) -> str:
    """Adds |Y - k q X|^2/2 = |Y P_perp|^2/2 + |Y P_X - k q X|^2/2."""
    h = g.lemma("eftekhari2022.eq-11-equality", "statement", "x", "y", "m", "X", "G", "Y", r, k, by=[using(p) for p in penrose])
    return g.apply(h, q)


@part(
    "eftekhari2022.theorem-8",
    "inner",
    f"{DATA} {CUT} {BEST_PRODUCT}",
    says="the narrowest layer lies strictly between; the rank of Y P_X is not used",
    uses=["eftekhari2022.theorem-8", "eftekhari2022.eq-11-equality"],
)
def layers_with_an_inner_cut_minimize(g: Goal) -> None:
    """Part `approximation`, and the Pythagorean split of the loss."""
    penrose, rest = take_layers(g)
    best = g.lemma(
        "eftekhari2022.theorem-8",
        "part:approximation",
        *("x", "y", "m", "n", "r", *"XGYABMLKQW"),
        by=[using(k) for k in (*penrose, *rest)],
    )
    g.fix("V")
    rank = g.assume()
    low = g.split(g.fact("rank_product", "y", "x", "m", "V", "X"))[0]
    k = g.apply(best, "V @ X", by=[lambda g: g.pos([f"@{low}"], [f"@{rank}"])])
    own, other = split_loss(g, penrose, "r", "K", "Q"), split_loss(g, penrose, "x", "V", "I(x)")
    same = g.have(f"{VALUE} = {half('Y - K @ Q @ X')}", lambda g: substitute(g, rest[7]))
    g.pos([f"@{k}"], eqs=[(same, -1), (own, -1), (other, 1)])


def substitute(g: Goal, whole: str) -> None:
    """W X = K Q X."""
    g.replace("Y - W @ X", "Y - K @ Q @ X", lambda g: g.nc((whole, -1, None, "X")))
    g.refl()


def least_squares(g: Goal, flat: str) -> None:
    """If (W X - Y) X^T = 0, then |Y - V X|^2 = |Y - W X|^2 + |(V - W) X|^2."""
    zero = g.have("tr((W @ X - Y) @ T(X) @ T(V - W)) = 0", lambda g: vanish(g, flat))
    g.pos(["1/2", "tr(T((V - W) @ X) @ ((V - W) @ X))"], eqs=[(zero, 1)])


def vanish(g: Goal, flat: str) -> None:
    """A product with 0."""
    k = g.have("(W @ X - Y) @ T(X) @ T(V - W) = O(y,y)", lambda g: g.nc((flat, 1, None, "T(V - W)")))
    g.rewrite(k)
    g.field()


@part(
    "eftekhari2022.theorem-8",
    "ends",
    f"({END_FIRST}) and ({END_LAST})",
    says="the narrowest layer is the input or the output: stationary points of full rank solve the regression",
    uses=["eftekhari2022.lemma-4-fosp"],
)
def layers_with_an_outer_cut_minimize(g: Goal) -> None:
    """Lemma 4 gives (W X - Y) X^T = 0."""

    def first(g: Goal) -> None:
        g.fix()
        x1, y0, n0, w, rank, slopes = (g.assume() for _ in range(6))
        a = "((W @ X - Y) @ T(X) @ T(M))"
        k = g.apply(slopes, a)
        slope = g.have(
            f"D(u, {half(f'Y - (B + u*{a}) @ M @ X')}, 0) = tr(T((B @ M @ X - Y) @ T(X) @ T(M)) @ {a})", lambda g: g.field()
        )
        same = g.have(f"(B @ M @ X - Y) @ T(X) @ T(M) = {a}", lambda g: g.nc((w, -1, None, "X @ T(X) @ T(M)")))
        zero = g.have(f"tr(T({a}) @ {a}) = 0", lambda g: g.field((g.rewritten(slope, same), -1), (k, 1)))
        flat = g.by_fact("frobenius_zero", "y", "n", a, by=[using(zero)])
        _, end, _ = g.split(g.lemma("eftekhari2022.lemma-4-fosp", "statement"))
        h = g.apply(
            end,
            "x",
            "y",
            "m",
            "n",
            "X",
            "Y",
            "B",
            "M",
            "W",
            by=[using(x1), using(y0), using(n0), using(w), using(rank), using(flat)],
        )
        g.fix("V")
        least_squares(g, g.have("(W @ X - Y) @ T(X) = O(y,x)", lambda g: g.nc((g.split(h)[0], 1, None, None))))

    def last(g: Goal) -> None:
        g.fix()
        x0, y1, n0, w, rank, slopes = (g.assume() for _ in range(6))
        a = "(T(L) @ (W @ X - Y) @ T(X))"
        k = g.apply(slopes, a)
        slope = g.have(
            f"D(u, {half(f'Y - L @ (A + u*{a}) @ X')}, 0) = tr(T(T(L) @ (L @ A @ X - Y) @ T(X)) @ {a})", lambda g: g.field()
        )
        same = g.have(f"T(L) @ (L @ A @ X - Y) @ T(X) = {a}", lambda g: g.nc((w, -1, "T(L)", "X @ T(X)")))
        zero = g.have(f"tr(T({a}) @ {a}) = 0", lambda g: g.field((g.rewritten(slope, same), -1), (k, 1)))
        flat = g.by_fact("frobenius_zero", "n", "x", a, by=[using(zero)])
        _, _, end = g.split(g.lemma("eftekhari2022.lemma-4-fosp", "statement"))
        flat = g.have("T(L) @ ((W @ X - Y) @ T(X)) = O(n,x)", lambda g: g.nc((flat, 1, None, None)))
        h = g.apply(
            end,
            "x",
            "y",
            "m",
            "n",
            "X",
            "Y",
            "L",
            "A",
            "W",
            by=[using(x0), using(y1), using(n0), using(w), using(rank), using(flat)],
        )
        g.fix("V")
        least_squares(g, g.have("(W @ X - Y) @ T(X) = O(y,x)", lambda g: g.nc((g.split(h)[1], 1, None, None))))

    g.conj(first, last)


@holds(
    "eftekhari2022.theorem-8",
    f"({DATA} r <= rank({TARGET}) => {CUT} {BEST_PRODUCT}) and ({END_FIRST}) and ({END_LAST})",
    argument="repaired",
    reason="by Lemma 5, whose printed proof is repaired, and Theorem 7, which is proved here; the rank of Y P_X is not needed",
    reading=f"{LAYERED}; G stands for the pseudo-inverse of X; {PRODUCTS}",
    uses=["eftekhari2022.theorem-8"],
)
def second_order_stationary_layers_are_global_minimizers(g: Goal) -> None:
    """The parts `inner` and `ends`."""

    def inner(g: Goal) -> None:
        g.fix()
        penrose = [g.assume() for _ in range(4)]
        g.assume()
        rest = [g.assume() for _ in range(11)]
        g.close_by(
            g.lemma(
                "eftekhari2022.theorem-8",
                "part:inner",
                "x",
                "y",
                "m",
                "n",
                "r",
                *"XGYABMLKQW",
                by=[using(k) for k in (*penrose, *rest)],
            )
        )

    ends = g.split(g.lemma("eftekhari2022.theorem-8", "part:ends"))
    g.conj(inner, using(ends[0]), using(ends[1]))


@holds(
    "eftekhari2022.cited-bah-prop-32",
    f"({DATA} {CUT} {BEST_PRODUCT}) and ({END_FIRST}) and ({END_LAST})",
    argument="repaired",
    reason="the paper cites it; proved here for k = r, without exceptions and against all products instead of those of rank r",
    reading=f"k = r, the only case that is used; {LAYERED}; {PRODUCTS}",
    context="X X^T is invertible [Theorem 8]",
    uses=["eftekhari2022.theorem-8"],
)
def stationary_layers_of_full_rank_minimize(g: Goal) -> None:
    """The parts of Theorem 8."""
    ends = g.split(g.lemma("eftekhari2022.theorem-8", "part:ends"))
    g.conj(lambda g: g.close_by(g.lemma("eftekhari2022.theorem-8", "part:inner")), using(ends[0]), using(ends[1]))
