"""Lemma 11: the rank of the induced flow is constant in time."""

from __future__ import annotations

from proofs.eftekhari2022.rank_one_flow import INDUCED, INDUCED_VARIABLES, ROOTS_READING
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

GRAD = "(E({0}) @ X @ T(X) - Y @ T(X))"
GRAM = "(I(x) + k*(T(E({0})) @ E({0})))"


def rate(t: str) -> str:
    """A smooth bound of the relative rate of change of det(I + k W^T W)."""
    grad = GRAD.format(t)
    return f"(2*(x*(N*((1 + tr(T({grad}) @ {grad}))*(1 + tr(T(E({t})) @ E({t})))))))"


@part(
    "eftekhari2022.lemma-11",
    "determinant-along-the-flow",
    f"""all {INDUCED_VARIABLES}. 0 <= x => 0 <= y => {INDUCED} ex K:R~>R. all k:R. 1 <= k => all t:R. 0 <= t =>
       det({GRAM.format("t")}) <= det({GRAM.format("0")})*exp(K(t)) and det({GRAM.format("0")})*exp(-K(t)) <= det({GRAM.format("t")})""",
    says="det(I + k W^T W) stays within factors that do not depend on k",
    uses=["eftekhari2022.lemma-11"],
)
def determinant_stays_comparable(g: Goal) -> None:
    """Jacobi's formula: the logarithmic derivative is 2 k tr((I + k W^T W)^{-1} W^T W'); Gronwall from both sides."""
    names = g.intro(split=False)
    _, _, _, roots, flow = names
    zero, slope = g.obtain(g.by_fact("antiderivative", f"lam t:R. {rate('t')}"), "K")
    g.witness("K")
    g.fix("k")
    large = g.assume()
    g.have("0 < k")
    gram = GRAM.format("t")
    smooth = g.by_fact("jacobi_formula", "x", f"lam t:R. {gram}")
    value = g.obtain(smooth, "F")[0]

    def growth(g: Goal, t: str, h: str) -> str:
        """0 < F at a time."""
        det, _ = g.split(g.apply(value, t, by=[using(h)]))
        ends = g.lemma("eftekhari2022.lemma-11", "part:determinant-growth", "x", "y", f"E({t})")
        _, _, inside = g.obtain(ends, "a", "b")
        low, _ = g.split(g.apply(inside, "k", by=[using(large)]))
        g.have(f"0 < k^rank(E({t}))")
        return g.have(f"0 < F({t})", lambda g: g.pos(["a", f"k^rank(E({t}))"], [f"@{low}"], eqs=[(det, 1)]))

    def bounds(g: Goal) -> tuple[str, str, str, str, str]:
        """At the time u: F' = 2 k F tr(...), the value of K', the two bounds of the trace, and 0 < F."""
        now = g.assume()
        positive = growth(g, "u", now)
        det, derivative = g.split(g.apply(value, "u", by=[using(now)]))
        at = GRAM.format("u")
        regular = g.have(f"det({at}) != 0", lambda g: nonzero(g, det, positive))
        derivative = g.apply(derivative, by=[using(regular)])
        l_psd, l_root, h_psd, h_root = g.split(g.apply(roots, "u", by=[using(now)]))
        speed = g.apply(flow, "u", by=[using(now)])
        bound = g.lemma(
            "eftekhari2022.lemma-11", "part:trace-rate", "x", "y", "N", "E(u)", "E'(u)", GRAD.format("u"), "S(u)", "H(u)",
            by=[None, *[using(h) for h in (l_psd, l_root, h_psd, h_root, speed)], None],
        )  # fmt: skip
        low, high = g.split(g.apply(bound, "k"))
        form = f"tr(inv({at}) @ T(E(u)) @ E'(u))"
        path = GRAM.format("s")
        product = g.differentiate("s", path, "u")
        slope_f = g.have(f"F'(u) = F(u)*(2*k*{form})", lambda g: whole_derivative(g, derivative, product, regular, at))
        return slope_f, g.apply(slope, "u", by=[using(now)]), low, high, positive

    def upper(g: Goal) -> None:
        g.fix("u")
        slope_f, slope_k, _, high, positive = bounds(g)
        g.pos(["2", f"@{high}", f"@{positive}"], eqs=[(slope_f, -1), (slope_k, "F(u)")])

    def lower(g: Goal) -> None:
        g.fix("u")
        slope_f, slope_k, low, _, positive = bounds(g)
        g.pos(["2", f"@{low}", f"@{positive}"], eqs=[(slope_f, 1), (slope_k, "F(u)")])

    above = g.by_fact("gronwall", 0, "lam t:R. F(t)", "lam t:R. K(t)", by=[None, upper])
    below = g.by_fact("gronwall", 0, "lam t:R. -F(t)", "lam t:R. -K(t)", by=[None, lower])
    g.fix("t")
    now = g.assume()
    at_t, _ = g.split(g.apply(value, "t", by=[using(now)]))
    at_0, _ = g.split(g.apply(value, "0"))
    first, second = g.apply(above, "t", by=[using(now)]), g.apply(below, "t", by=[using(now)])
    one = g.have("exp(K(0)) = 1", lambda g: (g.rewrite(zero), g.field()))
    inverse = g.have("exp(-K(0)) = 1", lambda g: (g.rewrite(zero), g.field()))
    g.conj(
        lambda g: g.pos([f"@{first}"], eqs=[(at_t, 1), (at_0, "-exp(K(t))"), (inverse, "-F(0)*exp(K(t))")]),
        lambda g: g.pos([f"@{second}"], eqs=[(at_t, -1), (at_0, "exp(-K(t))"), (one, "F(0)*exp(-K(t))")]),
    )


def nonzero(g: Goal, det: str, positive: str) -> None:
    """det != 0 from 0 < F = det."""
    eq = g.contra()
    g.pos([f"@{positive}"], eqs=[(det, -1), (eq, -1)])


def whole_derivative(g: Goal, derivative: str, product: str, regular: str, at: str) -> None:
    """F tr(M^{-1} M') with M' = k (W'^T W + W^T W'), the two halves being transposes of one another as M is symmetric."""
    inverse = f"inv({at})"
    right = g.by_fact("inv_right", "x", at, by=[using(regular)])
    turned = g.have(f"T({at} @ {inverse}) = T(I(x))", lambda g: (g.rewrite(right), g.refl()))
    left = g.have(f"T({inverse}) @ {at} = I(x)", lambda g: g.nc((turned, 1, None, None)))
    symmetric = g.have(f"T({inverse}) = {inverse}", lambda g: g.nc((right, -1, f"T({inverse})", None), (left, 1, None, inverse)))
    first, second = f"tr({inverse} @ T(E'(u)) @ E(u))", f"tr({inverse} @ T(E(u)) @ E'(u))"

    def halves(g: Goal) -> None:
        g.replace(first, f"tr(T({inverse}) @ T(E(u)) @ E'(u))", lambda g: g.field())
        g.rewrite(symmetric)
        g.refl()

    same = g.have(f"{first} = {second}", halves)
    g.rewrite(derivative)
    g.rewrite(product)
    g.field((same, "F(u)*k"))


@part(
    "eftekhari2022.lemma-11",
    "rank-constant",
    f"""all {INDUCED_VARIABLES}. 0 <= x => 0 <= y => {INDUCED} all t:R. 0 <= t => rank(E(t)) = rank(E(0))""",
    says="the rank of the induced flow is constant, for any data",
    uses=["eftekhari2022.lemma-11"],
)
def rank_is_constant_for_any_data(g: Goal) -> None:
    """det(I + k W^T W) grows in k like k^rank(W), and its values at 0 and t have bounded ratios."""
    names = g.intro(split=False)
    flow, now = names[:-1], names[-1]
    ratio = g.lemma(
        "eftekhari2022.lemma-11",
        "part:determinant-along-the-flow",
        *("x", "y", "m", "N", "X", "Y", "E", "S", "H"),
        by=[using(h) for h in flow],
    )
    between = g.obtain(ratio, "K")[0]
    a0, _, at0 = growth(g, "0", "a", "b")
    a1, _, at1 = growth(g, "t", "c", "e")

    def smaller(first: str, second: str, low: str, high: str, positive: str, which: int, here: str, there: str) -> str:
        """rank(first) <= rank(second): low k^r <= det(first) <= factor det(second) <= high k^s."""

        def script(g: Goal) -> None:
            g.fix("k")
            large = g.assume()
            bounds = g.split(g.apply(g.apply(between, "k", by=[using(large)]), "t", by=[using(now)]))
            below, _ = g.split(g.apply(here, "k", by=[using(large)]))
            _, above = g.split(g.apply(there, "k", by=[using(large)]))
            if which == 0:
                g.pos([f"@{below}"], [f"@{bounds[0]}"], [f"@{above}", "exp(K(t))"])
            else:
                g.pos([f"@{below}", "exp(-K(t))"], [f"@{bounds[1]}"], [f"@{above}"])

        return g.lemma(
            "eftekhari2022.lemma-11",
            "part:growth-compares",
            *(low, high, f"rank(E({first}))", f"rank(E({second}))"),
            by=[lambda g: g.pos([f"@{positive}"]) if which == 0 else g.pos([f"@{positive}", "exp(-K(t))"]), script],
        )

    up = smaller("t", "0", "c", "b*exp(K(t))", a1, 0, at1, at0)
    down = smaller("0", "t", "a*exp(-K(t))", "e", a0, 1, at0, at1)
    g.antisym(using(up), using(down))


def growth(g: Goal, t: str, low: str, high: str) -> tuple[str, str, str]:
    """Adds constants for the growth of the determinant at a time."""
    h = g.lemma("eftekhari2022.lemma-11", "part:determinant-growth", "x", "y", f"E({t})")
    a, b, inside = g.obtain(h, low, high)
    return a, b, inside


@holds(
    "eftekhari2022.lemma-11",
    f"""all {INDUCED_VARIABLES}. 1 <= x => 1 <= y => det(X @ T(X)) != 0 => {INDUCED} all t:R. 0 <= t => rank(E(t)) = rank(E(0))""",
    argument="repaired",
    reading=f"X has full column-rank means that X X^T is invertible (the paper's use of the words); {ROOTS_READING}",
    reason="the printed proof follows an analytic singular value decomposition; here the determinant of I + k W^T W is compared "
    "for all k, which needs neither that nor the invertibility of X X^T",
    uses=["eftekhari2022.lemma-11"],
)
def rank_is_constant(g: Goal) -> None:
    """The part without the hypothesis on the data."""
    names = g.intro(split=False)
    h = g.lemma(
        "eftekhari2022.lemma-11",
        "part:rank-constant",
        *("x", "y", "m", "N", "X", "Y", "E", "S", "H"),
        by=[None, None, *[using(k) for k in names[3:6]]],
    )
    g.close_by(g.apply(h, "t", by=[using(names[-1])]))
