"""Proposition 5: the gradient of the objective of a deep factorisation is Lipschitz on bounded sets, so nearby flows stay near.

W(l), V(l) are the factors of two points, Q(l), P(l) and Y(l), Z(l) their partial products from the right and from the left.
"""

from __future__ import annotations

from proofs.razin2020.frobenius_norms import by_squares, one_more_factor, square
from proofs.razin2020.problem import fro
from proofs.razin2020.products_of_factors import INSIDE, SQUARE, upwards
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

BOUNDS = "razin2020.prop-5-step-gradient-bounds"
LAYER = "razin2020.prop-5-step-layer"
MASK = "(all i j:Z. S[i,j] = 0 or S[i,j] = 1)"


@part(
    BOUNDS,
    "contraction",
    f"all m n:Z, S X:M(m,n). {MASK} => {fro('had(S, X)')} <= {fro('X')}",
    says="leaving out entries does not increase the Frobenius norm",
)
def masking_is_a_contraction(g: Goal) -> None:
    """Entry by entry."""
    g.fix()
    mask = g.assume()
    a, b = g.fact("frobenius_entries", "m", "n", "had(S, X)"), g.fact("frobenius_entries", "m", "n", "X")

    def row(g: Goal) -> None:
        (i,) = g.fix()
        g.assume()

        def term(g: Goal) -> None:
            (j,) = g.fix()
            g.assume()

            def case(g: Goal) -> None:
                h = next(reversed(g.seq.hyps))
                x = f"X[{i},{j}]"
                terms = [[f"{x}^2"]] if g.hyp_formula(h)[2] == 0 else []
                g.pos(*terms, eqs=[(h, f"-(S[{i},{j}] + {0 if terms else 1})*{x}^2")])

            g.cases(g.apply(mask, i, j), case, case)

        g.close_by(g.by_fact("sum_mono", 1, "n", f"lam j:Z. had(S, X)[{i},j]^2", f"lam j:Z. X[{i},j]^2", by=[term]))

    k = g.by_fact("sum_mono", 1, "m", "lam i:Z. sum(j, 1, n, had(S, X)[i,j]^2)", "lam i:Z. sum(j, 1, n, X[i,j]^2)", by=[row])
    x, _ = square(g, "m", "n", "had(S, X)")
    y, low = square(g, "m", "n", "X")
    bound = g.have(f"{fro('had(S, X)')}^2 <= {fro('X')}^2", lambda g: g.pos([f"@{k}"], eqs=[(x, -1), (y, 1), (a, -1), (b, 1)]))
    by_squares(g, low, "", "", bound)


GRAD = "had(S, {0} - B)"


@holds(
    BOUNDS,
    f"""all m n:Z, S B W V:M(m,n). {MASK} => {fro(f"{GRAD.format('W')} - {GRAD.format('V')}")} <= {fro("W - V")} and
       {fro(GRAD.format("W"))} <= {fro("W")} + {fro("had(S, B)")}""",
    uses=[BOUNDS, "razin2020.lemma-12"],
    argument="sound",
    reading="S marks the observed entries, S o (W - B) is the gradient of the loss (eq-1), |S o B|_F = (sum of the squared observations)^(1/2)",
)
def gradient_of_the_loss_is_bounded(g: Goal) -> None:
    """Masking is linear and a contraction."""
    g.fix()
    mask = g.assume()

    def difference(g: Goal) -> None:
        k = g.lemma(BOUNDS, "part:contraction", "m", "n", "S", "W - V", by=[using(mask)])
        same = g.have(f"{GRAD.format('W')} - {GRAD.format('V')} = had(S, W - V)", lambda g: entries(g))
        g.rewrite(same)
        g.close_by(k)

    def size(g: Goal) -> None:
        k = g.lemma(BOUNDS, "part:contraction", "m", "n", "S", "W", by=[using(mask)])
        same = g.have(f"{GRAD.format('W')} = had(S, W) + -(had(S, B))", lambda g: entries(g))
        t = g.split(g.lemma("razin2020.lemma-12", "part:triangle", "m", "n", "had(S, W)", "-(had(S, B))"))[0]
        minus = g.split(g.lemma("razin2020.lemma-12", "part:triangle", "m", "n", "had(S, W)", "had(S, B)"))[2]
        g.rewrite(same)
        g.pos([f"@{t}"], [f"@{k}"], eqs=[(minus, 1)])

    g.conj(difference, size)


def entries(g: Goal) -> None:
    """An equation of matrices, entry by entry."""
    g.extn()
    g.field()


@part(
    LAYER,
    "recursion",
    """all n:Z, r p q:R, d s e b:Z->R. 0 <= n => 0 < r => (all k:Z. 0 <= d(k)) => s(0) = 0 => e(0) <= p => b(0) <= q =>
       (all k:Z. 1 <= k and k <= n => s(k) = s(k-1) + d(k) and e(k) <= r*e(k-1) + d(k)*b(k-1) and b(k) <= r*b(k-1)) =>
       b(n) <= r^n*q and e(n) <= r^n*p + r^(n-1)*q*s(n)""",
    says="a recursion for differences of products of bounded factors",
)
def recursion_with_bounded_factors(g: Goal) -> None:
    """Induction."""
    g.fix("n", "r", "p", "q", "d", "s", "e", "b")
    size, rate, signs, zero, start, start_b, steps = (g.assume() for _ in range(7))

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.assume()
            g.conj(lambda g: g.pos([f"@{start_b}"]), lambda g: g.pos([f"@{start}"], eqs=[(zero, "q/r")]))

        def step(g: Goal) -> None:
            high = g.assume()
            before = g.split(
                g.apply(
                    "ih", "k - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[high])]
                )
            )
            sum_, difference, bound = g.split(g.apply(steps, "k", by=[lambda g: g.conj(lambda g: g.nlin(), using(high))]))
            d = g.apply(signs, "k")
            only(g, rate, d, *before, sum_, difference, bound)
            g.conj(
                lambda g: g.pos([f"@{bound}"], [f"@{before[0]}", "r"]),
                lambda g: g.pos(
                    [f"@{difference}"], [f"@{before[1]}", "r"], [f"@{before[0]}", f"@{d}"], eqs=[(sum_, "r^(k-1)*q")]
                ),
            )

        upwards(g, "0", base, step, "k")

    h = g.have("all k:Z. 0 <= k => k <= n => b(k) <= r^k*q and e(k) <= r^k*p + r^(k-1)*q*s(k)", grow)
    g.close_by(g.apply(h, "n", by=[using(size), Goal.refl]))


TWO_POINTS = f"""1 <= L => {MASK} => Q(0) = I(m) => Y(0) = I(m) => P(L) = I(m) => Z(L) = I(m) =>
       (all l:Z. {INSIDE} => Q(l) = W(l) @ Q(l-1) and P(l-1) = P(l) @ W(l) and Y(l) = V(l) @ Y(l-1) and Z(l-1) = Z(l) @ V(l)) =>
       (all l:Z. {INSIDE} => {fro("W(l)")} <= r and {fro("V(l)")} <= r) =>"""
VARIABLES = "m L:Z, S B:M(m,m), r:R, W V P Q Y Z:Z->M(m,m)"
GRAD_W = "(T(P(l)) @ had(S, Q(L) - B) @ T(Q(l-1)))"
GRAD_V = "(T(Z(l)) @ had(S, Y(L) - B) @ T(Y(l-1)))"
SUM = f"sum(k, 1, L, {fro('W(k) - V(k)')})"
OBSERVED = fro("had(S, B)")
CHANGE = fro(f"{GRAD.format('Q(L)')} - {GRAD.format('Y(L)')}")
RATE = f"(2*r^(2*L-2) + {OBSERVED}*r^(L-2))"


@part(
    LAYER,
    "one-side",
    """all m c n:Z, r q:R, F E:M(m,c), A D:Z->M(m,m), H K:Z->M(m,c), s:Z->R. 0 <= n => 0 < r => s(0) = 0 =>
       H(0) = F => K(0) = E => SIZE_E <= q =>
       (all k:Z. 1 <= k and k <= n => H(k) = A(k) @ H(k-1) and K(k) = D(k) @ K(k-1) and NORM_A <= r and NORM_D <= r and s(k) = s(k-1) + NORM_AD) =>
       SIZE_K <= r^n*q and CHANGE_H <= r^n*CHANGE_F + r^(n-1)*q*s(n)""".replace("SIZE_E", fro("E"))
    .replace("NORM_AD", fro("A(k) - D(k)"))
    .replace("NORM_A", fro("A(k)"))
    .replace("NORM_D", fro("D(k)"))
    .replace("SIZE_K", fro("K(n)"))
    .replace("CHANGE_H", fro("H(n) - K(n)"))
    .replace("CHANGE_F", fro("F - E")),
    uses=[LAYER, "razin2020.lemma-12"],
    says="two matrices multiplied from the left by two families of bounded factors",
)
def multiplied_by_bounded_factors(g: Goal) -> None:
    """H(k) - K(k) = A_k (H(k-1) - K(k-1)) + (A_k - D_k) K(k-1)."""
    g.fix()
    size, rate, zero, start, start_k, bound, steps = (g.assume() for _ in range(7))

    def nonneg(g: Goal) -> None:
        (k,) = g.fix()
        g.close_by(square(g, "m", "m", f"A({k}) - D({k})")[1])

    def first(g: Goal) -> None:
        g.rewrite(start)
        g.rewrite(start_k)
        g.refl()

    def second(g: Goal) -> None:
        g.rewrite(start_k)
        g.close_by(bound)

    def step(g: Goal) -> None:
        (k,) = g.fix()
        inside = g.assume()
        h, e, na, nd, sum_ = g.split(g.apply(steps, k, by=[using(inside)]))
        scripts = one_more_factor(g, ("m", "c"), (f"A({k})", f"D({k})"), (f"H({k}-1)", f"K({k}-1)"), (na, nd), (h, e))
        g.conj(using(sum_), *scripts)

    g.close_by(
        g.lemma(
            LAYER,
            "part:recursion",
            "n",
            "r",
            fro("F - E"),
            "q",
            f"lam k:Z. {fro('A(k) - D(k)')}",
            "s",
            f"lam k:Z. {fro('H(k) - K(k)')}",
            f"lam k:Z. {fro('K(k)')}",
            by=[using(size), using(rate), nonneg, using(zero), first, second, step],
        )
    )


DELTA = fro("W(i) - V(i)")


@part(
    LAYER,
    "products",
    f"""all {VARIABLES}. 0 < r => {TWO_POINTS} {fro("Y(L)")} <= r^L and {fro("Q(L) - Y(L)")} <= r^(L-1)*{SUM}""",
    uses=[LAYER],
    says="the products of bounded factors",
)
def products_of_bounded_factors(g: Goal) -> None:
    """The factors after the first one are multiplied to it from the left."""
    g.fix()
    rate = g.assume()
    depth, _, q0, y0, _, _, steps, norms = (g.assume() for _ in range(8))
    one = g.split(g.apply(steps, 1))
    q1 = g.have("Q(1) = W(1)", lambda g: g.nc((one[0], 1, None, None), (q0, 1, "W(1)", None)))
    y1 = g.have("Y(1) = V(1)", lambda g: g.nc((one[2], 1, None, None), (y0, 1, "V(1)", None)))
    first = g.split(g.apply(norms, 1))[1]

    def step(g: Goal) -> None:
        (k,) = g.fix()
        low, high = g.split(g.assume())
        inside = lambda g: g.conj(lambda g: g.pos([f"@{low}"], [1]), lambda g: g.pos([f"@{high}"]))  # noqa: E731
        e = g.split(g.apply(steps, f"{k} + 1", by=[inside]))
        w, v = g.split(g.apply(norms, f"{k} + 1", by=[inside]))
        s = g.by_fact("sum_last", 2, f"{k} + 1", f"lam i:Z. {DELTA}", by=[lambda g: g.pos([f"@{low}"])])
        g.conj(
            lambda g: g.nc((e[0], 1, None, None)),
            lambda g: g.nc((e[2], 1, None, None)),
            using(w),
            using(v),
            lambda g: g.field((s, 1)),
        )

    k = g.lemma(
        LAYER,
        "part:one-side",
        "m",
        "m",
        "L - 1",
        "r",
        "r",
        "W(1)",
        "V(1)",
        "lam k:Z. W(k+1)",
        "lam k:Z. V(k+1)",
        "lam k:Z. Q(k+1)",
        "lam k:Z. Y(k+1)",
        f"lam k:Z. sum(i, 2, k + 1, {DELTA})",
        by=[
            lambda g: g.pos([f"@{depth}"]),
            using(rate),
            lambda g: g.field((g.by_fact("sum_empty", 2, 1, f"lam i:Z. {DELTA}"), 1)),
            lambda g: g.nc((q1, 1, None, None)),
            lambda g: g.nc((y1, 1, None, None)),
            using(first),
            step,
        ],
    )
    size, change = g.split(k)
    total = g.by_fact("sum_first", 1, "L", f"lam i:Z. {DELTA}", by=[using(depth)])
    only(g, size, change, total, rate)
    g.conj(
        lambda g: g.pos([f"@{size}"]),
        lambda g: g.pos([f"@{change}"], eqs=[(total, "r^(L-1)")]),
    )


@holds(
    LAYER,
    f"""all {VARIABLES}. 0 < r => {TWO_POINTS} all l:Z. {INSIDE} =>
       {fro(f"{GRAD_W} - {GRAD_V}")} <= r^(L-2)*(r^L + {OBSERVED})*{SUM} + r^(L-1)*{CHANGE} and
       r^(L-2)*(r^L + {OBSERVED})*{SUM} + r^(L-1)*{CHANGE} <= {RATE}*{SUM}""",
    uses=[LAYER, BOUNDS, "razin2020.lemma-12"],
    argument="sound",
    reading="W(l), V(l) are the factors of two points with norms of at most r = R', P, Q and Z, Y their partial products; S marks the observed entries and B has the "
    "observed values; the negative gradients of the l-th factor are compared",
    context=SQUARE,
)
def gradients_of_a_layer(g: Goal) -> None:
    """The gradient of the loss is multiplied from the left by the transposed factors above, its transpose then by the factors below."""
    names = g.fix()
    rate = g.assume()
    given = [g.assume() for _ in range(8)]
    depth, mask, q0, y0, pl, zl, steps, norms = given
    g.fix("l")
    inside = g.assume()
    low, high = g.split(inside)
    size, change = g.split(g.lemma(LAYER, "part:products", *names, by=[using(h) for h in (rate, *given)]))
    gw, gv = GRAD.format("Q(L)"), GRAD.format("Y(L)")
    near = g.split(g.lemma(BOUNDS, "statement", "m", "m", "S", "B", "Q(L)", "Y(L)", by=[using(mask)]))[0]
    large = g.split(g.lemma(BOUNDS, "statement", "m", "m", "S", "B", "Y(L)", "Q(L)", by=[using(mask)]))[1]
    top = f"(r^L + {OBSERVED})"
    bound = g.have(f"{fro(gv)} <= {top}", lambda g: (only(g, large, size), g.pos([f"@{large}"], [f"@{size}"]))[-1])

    def above(g: Goal) -> None:
        (k,) = g.fix()
        lo, hi = g.split(g.assume())

        def index(g: Goal) -> None:
            only(g, low, lo, hi)
            g.conj(lambda g: g.pos([f"@{hi}"], [f"@{low}"], [1]), lambda g: g.pos([f"@{lo}"]))

        i = f"(L - {k} + 1)"
        e = g.split(g.apply(steps, i, by=[index]))
        w, v = g.split(g.apply(norms, i, by=[index]))
        p = g.have(f"P(L - {k}) = P{i} @ W{i}", lambda g: g.nc((e[1], 1, None, None)))
        z = g.have(f"Z(L - {k}) = Z{i} @ V{i}", lambda g: g.nc((e[3], 1, None, None)))
        s = g.by_fact("sum_first", f"L - {k} + 1", "L", f"lam i:Z. {DELTA}", by=[lambda g: (only(g, lo), g.pos([f"@{lo}"]))[-1]])

        tw = g.split(g.lemma("razin2020.lemma-12", "part:product", "m", "m", "m", f"W{i}", f"W{i}"))[1]
        tv = g.split(g.lemma("razin2020.lemma-12", "part:product", "m", "m", "m", f"V{i}", f"V{i}"))[1]
        td = g.split(g.lemma("razin2020.lemma-12", "part:product", "m", "m", "m", f"W{i} - V{i}", f"W{i}"))[1]
        d = g.have(f"{fro(f'T(W{i}) - T(V{i})')} = {fro(f'T(W{i} - V{i})')}", lambda g: g.ctx(lambda g: g.field()))
        g.conj(
            lambda g: (only(g, p), g.nc(rw=[p]))[-1],
            lambda g: (only(g, z), g.nc(rw=[z]))[-1],
            lambda g: (only(g, w, tw), g.pos([f"@{w}"], eqs=[(tw, -1)]))[-1],
            lambda g: (only(g, v, tv), g.pos([f"@{v}"], eqs=[(tv, -1)]))[-1],
            lambda g: (only(g, s, td, d), g.field((s, 1), (td, -1), (d, -1)))[-1],
        )

    first = g.lemma(
        LAYER,
        "part:one-side",
        "m",
        "m",
        "L - l",
        "r",
        top,
        gw,
        gv,
        "lam k:Z. T(W(L - k + 1))",
        "lam k:Z. T(V(L - k + 1))",
        f"lam k:Z. T(P(L - k)) @ {gw}",
        f"lam k:Z. T(Z(L - k)) @ {gv}",
        f"lam k:Z. sum(i, L - k + 1, L, {DELTA})",
        by=[
            lambda g: (only(g, high), g.pos([f"@{high}"]))[-1],
            using(rate),
            lambda g: g.field((g.by_fact("sum_empty", "L + 1", "L", f"lam i:Z. {DELTA}", by=[lambda g: g.pos([1])]), 1)),
            lambda g: g.nc(rw=[pl]),
            lambda g: g.nc(rw=[zl]),
            using(bound),
            above,
        ],
    )
    one, two = g.split(first)
    hw, hv = f"T(P(l)) @ {gw}", f"T(Z(l)) @ {gv}"
    tk = g.split(g.lemma("razin2020.lemma-12", "part:product", "m", "m", "m", hv, hv))[1]
    td = g.split(g.lemma("razin2020.lemma-12", "part:product", "m", "m", "m", f"{hw} - {hv}", hv))[1]
    dd = g.have(f"{fro(f'T({hw}) - T({hv})')} = {fro(f'T({hw} - {hv})')}", lambda g: g.ctx(lambda g: g.field()))

    def below(g: Goal) -> None:
        (k,) = g.fix()
        lo, hi = g.split(g.assume())
        index = lambda g: (only(g, lo, hi, high), g.conj(using(lo), lambda g: g.pos([f"@{hi}"], [f"@{high}"], [1])))[-1]  # noqa: E731
        e = g.split(g.apply(steps, k, by=[index]))
        w, v = g.split(g.apply(norms, k, by=[index]))
        s = g.by_fact("sum_last", 1, k, f"lam i:Z. {DELTA}", by=[using(lo)])
        g.conj(
            lambda g: (only(g, e[0]), g.nc(rw=[e[0]]))[-1],
            lambda g: (only(g, e[2]), g.nc(rw=[e[2]]))[-1],
            using(w),
            using(v),
            lambda g: (only(g, s), g.field((s, 1)))[-1],
        )

    second = g.lemma(
        LAYER,
        "part:one-side",
        "m",
        "m",
        "l - 1",
        "r",
        f"r^(L-l)*{top}",
        f"T({hw})",
        f"T({hv})",
        "W",
        "V",
        f"lam k:Z. Q(k) @ T({hw})",
        f"lam k:Z. Y(k) @ T({hv})",
        f"lam k:Z. sum(i, 1, k, {DELTA})",
        by=[
            lambda g: (only(g, low), g.pos([f"@{low}"]))[-1],
            using(rate),
            lambda g: g.field((g.by_fact("sum_empty", 1, 0, f"lam i:Z. {DELTA}"), 1)),
            lambda g: g.nc(rw=[q0]),
            lambda g: g.nc(rw=[y0]),
            lambda g: (only(g, one, tk), g.pos([f"@{one}"], eqs=[(tk, -1)]))[-1],
            below,
        ],
    )
    both = g.split(second)[1]
    turned = g.have(
        f"{fro(f'{GRAD_W} - {GRAD_V}')} = {fro(f'Q(l-1) @ T({hw}) - Y(l-1) @ T({hv})')}", lambda g: g.ctx(lambda g: g.field())
    )
    cut = g.by_fact(
        "sum_split", 1, "l", "L", f"lam i:Z. {DELTA}", by=[lambda g: (only(g, low), g.pos([f"@{low}"], [1]))[-1], using(high)]
    )
    last = g.by_fact("sum_last", 1, "l", f"lam i:Z. {DELTA}", by=[using(low)])
    own = square(g, "m", "m", "W(l) - V(l)")[1]
    low_b = square(g, "m", "m", "had(S, B)")[1]

    def layer(g: Goal) -> None:
        only(g, rate, two, td, dd, both, turned, cut, last, own, low_b)
        g.pos(
            [f"@{both}"],
            [f"@{two}", "r^(l-1)"],
            ["r^(L-2)", "r^L", f"@{own}"],
            ["r^(L-2)", f"@{low_b}", f"@{own}"],
            eqs=[(turned, -1), (dd, "-r^(l-1)"), (td, "-r^(l-1)"), (cut, f"r^(L-2)*{top}"), (last, f"r^(L-2)*{top}")],
        )

    def total(g: Goal) -> None:
        only(g, rate, near, change)
        g.pos([f"@{near}", "r^(L-1)"], [f"@{change}", "r^(L-1)"])

    g.conj(layer, total)
