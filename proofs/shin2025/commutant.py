"""A matrix that commutes with all factors at the start and whose commutator the residual does not enlarge commutes with
    them for ever.

This replaces the analytic induction over all time derivatives: the squared commutator norm E(t), summed over the layers, obeys
E' <= K(t) E with a smooth K, and E(0) = 0.
"""

from __future__ import annotations

from proofs.shin2025.diagonal_flow import PRODUCTS, flow
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part


def squared(x: str) -> str:
    """The squared Frobenius norm."""
    return f"tr(T({x}) @ ({x}))"


def commutator(x: str) -> str:
    return f"(S @ {x} - {x} @ S)"


def size(x: str) -> str:
    return squared(commutator(x))


@part(
    "shin2025.lemma-9",
    "norm-of-sum",
    f"all m n:Z, X Y:M(m,n). {squared('X + Y')} <= 2*{squared('X')} + 2*{squared('Y')}",
)
def norm_of_sum(g: Goal) -> None:
    """The difference of the two sides is the squared norm of X - Y."""
    g.intro()
    g.pos(["tr(T(X - Y) @ (X - Y))"])


@part(
    "shin2025.lemma-9",
    "commutator-of-product",
    f"""all d:Z, S X Y:M(d,d), e p q:R. 0 <= e => {size("X")} <= p*e => {size("Y")} <= q*e =>
        {size("(X @ Y)")} <= (2*p*{squared("Y")} + 2*q*{squared("X")})*e""",
)
def commutator_of_product(g: Goal) -> None:
    """[S, XY] = [S, X] Y + X [S, Y], and the Frobenius norm is submultiplicative."""
    _, hx, hy = g.intro()
    s = g.lemma("shin2025.lemma-9", "part:norm-of-sum", "d", "d", "(S @ X - X @ S) @ Y", "X @ (S @ Y - Y @ S)")
    a = g.fact("frobenius_submultiplicative", "d", "d", "d", "S @ X - X @ S", "Y")
    b = g.fact("frobenius_submultiplicative", "d", "d", "d", "X", "S @ Y - Y @ S")
    y = squared("Y")
    x = squared("X")
    h = g.have("(S @ X - X @ S) @ Y + X @ (S @ Y - Y @ S) = S @ (X @ Y) - (X @ Y) @ S", lambda g: g.nc())
    g.rewrite(h, back=True)
    g.pos([f"@{s}"], [2, f"@{a}"], [2, f"@{b}"], [2, y, f"@{hx}"], [2, x, f"@{hy}"])


HYPOTHESES = f"""0 <= d => 1 <= L => T(S) = S => {PRODUCTS} => {flow("G(t)")} =>
    (all t:R. 0 <= t => {size("G(t)")} <= c*{size("P(L,t)")}) =>"""
DECLARED = "all d L:Z, c:R, S:M(d,d), W P Q:(Z,R)~>M(d,d), G:R~>M(d,d)."
ENERGY = f"sum(j, 1, L, {size('W(j,t)')})"


def by_last(g: Goal, empty: Script, step: Script, n: str = "n") -> None:
    """Split an integer n >= 0 into n = 0 (with the hypothesis 0 = n) and 1 <= n."""

    def positive(g: Goal) -> None:
        g.by_fact("int_lt", "0", n)
        step(g)

    g.cases(g.by_fact("lt_or_eq", "0", n), positive, empty)


def bounded(x: str, energy: str = ENERGY) -> str:
    """The commutator norm of x(t) is at most a smooth nonnegative multiple of the energy."""
    return f"(ex K:R~>R. all t:R. 0 <= t => 0 <= K(t) and {size(x)} <= K(t)*{energy})"


def energy_nonneg(g: Goal) -> str:
    return g.have(f"0 <= {ENERGY}", lambda g: g.by_fact("sum_nonneg", "1", "L", f"lam j:Z. {size('W(j,t)')}") and g.auto())


def layer_bound(g: Goal, layer: str) -> str:
    """One layer's commutator norm is at most the energy, at time t."""
    h = g.by_fact("sum_term_le", "1", "L", f"lam j:Z. {size('W(j,t)')}")
    return g.apply(h, layer)


def bounded_by_induction(
    g: Goal, unit: str, step: str, index: tuple[str, str], product: str, at: str, layer: str, before: str, left: bool
) -> None:
    """The product of n factors has a bounded commutator norm, by induction over n: it is `before` times W(layer,t), which stands
    on the left or on the right (`step` at the index `at`); index: the product's own, and its value for n = 0, where it is I."""
    g.induct("n", "ih")
    g.assume()

    def empty(g: Goal) -> None:
        g.witness("lam t:R. 0")
        g.intro()
        g.apply(unit, "t", name="unit")
        g.replace(*index)
        g.rewrite("unit")
        g.conj(None, lambda g: g.pos())

    def next_(g: Goal) -> None:
        h = g.obtain(g.apply("ih", "n - 1"), "K")[0]
        factor = f"W({layer},t)"
        (x, p), (y, q) = pair = [(factor, "1"), (before, "K(t)")] if left else [(before, "K(t)"), (factor, "1")]
        g.witness(f"lam t:R. 2*{p}*{squared(y)} + 2*{q}*{squared(x)}")
        g.intro()
        known = {before: g.split_all(g.apply(h, "t"))[1]}
        law = g.apply(step, at, "t")
        e = energy_nonneg(g)
        a = layer_bound(g, layer)
        known[factor] = g.have(f"{size(factor)} <= 1*{ENERGY}", lambda g: g.exact(a))
        g.replace(product, f"{x} @ {y}", lambda g: g.exact(law))
        by = [lambda g, h=h: g.close_by(h) for h in (e, *(known[z] for z, _ in pair))]
        c = g.lemma("shin2025.lemma-9", "part:commutator-of-product", "d", "S", x, y, ENERGY, p, q, by=by)
        g.conj(None, lambda g: g.exact(c))

    by_last(g, empty, next_)


@part(
    "shin2025.lemma-9",
    "right-products-bounded",
    f"""all d L:Z, S:M(d,d), W P Q:(Z,R)~>M(d,d). {PRODUCTS} =>
        all n:Z. 0 <= n => n <= L => {bounded("P(n,t)")}""",
)
def right_products_bounded(g: Goal) -> None:
    """Induction over the number of factors."""
    g.fix()
    one, step, _, _ = g.split_all(g.assume())
    bounded_by_induction(g, one, step, ("n", "0"), "P(n,t)", "n - 1", "n", "P(n-1,t)", left=True)


@part(
    "shin2025.lemma-9",
    "left-products-bounded",
    f"""all d L:Z, S:M(d,d), W P Q:(Z,R)~>M(d,d). {PRODUCTS} =>
        all n:Z. 0 <= n => n <= L => {bounded("Q(L - n,t)")}""",
)
def left_products_bounded(g: Goal) -> None:
    """The same induction from the other end."""
    g.fix()
    _, _, one, step = g.split_all(g.assume())
    bounded_by_induction(g, one, step, ("L - n", "L"), "Q(L-n,t)", "L - n", "L - n + 1", "Q(L-(n-1),t)", left=False)


@part(
    "shin2025.lemma-9",
    "velocities-bounded",
    f"""{DECLARED} 0 <= c => {HYPOTHESES} all l:Z. 1 <= l => l <= L => {bounded("W'(l,t)")}""",
)
def velocities_bounded(g: Goal) -> None:
    """The velocity of a layer is a product of a left product, the residual and a right product; transposition keeps the norm."""
    g.fix()
    for name in ("c_lo", "d_lo", "L_lo", "sym", "prods", "move", "resid"):
        g.assume(name)
    g.fix()
    g.assume()
    g.assume()
    left = g.obtain(
        g.apply(g.lemma("shin2025.lemma-9", "part:left-products-bounded", "d", "L", "S", "W", "P", "Q"), "L - l"), "A"
    )[0]
    right = g.lemma("shin2025.lemma-9", "part:right-products-bounded", "d", "L", "S", "W", "P", "Q")
    whole = g.obtain(g.apply(right, "L"), "M")[0]
    right = g.obtain(g.apply(right, "l - 1"), "B")[0]
    qg = f"2*A(t)*{squared('G(t)')} + 2*(c*M(t))*{squared('T(Q(l,t))')}"
    g.witness(f"lam t:R. 2*({qg})*{squared('T(P(l-1,t))')} + 2*B(t)*{squared('T(Q(l,t)) @ G(t)')}")
    g.intro()
    e = energy_nonneg(g)
    _a_lo, a = g.split_all(g.apply(left, "t"))
    _m_lo, m = g.split_all(g.apply(whole, "t"))
    _b_lo, b = g.split_all(g.apply(right, "t"))
    r = g.apply("resid", "t")
    v = g.apply("move", "l", "t")
    a = g.have(f"{size('T(Q(l,t))')} <= A(t)*{ENERGY}", lambda g: flipped(g, "Q(l,t)", lambda g: g.exact(a)))
    b = g.have(f"{size('T(P(l-1,t))')} <= B(t)*{ENERGY}", lambda g: flipped(g, "P(l-1,t)", lambda g: g.exact(b)))
    r = g.have(f"{size('G(t)')} <= c*M(t)*{ENERGY}", lambda g: g.pos([f"@{r}"], ["c", f"@{m}"]))
    one = g.lemma(
        "shin2025.lemma-9",
        "part:commutator-of-product",
        "d",
        "S",
        "T(Q(l,t))",
        "G(t)",
        ENERGY,
        "A(t)",
        "c*M(t)",
        by=[lambda g: g.close_by(e), lambda g: g.close_by(a), lambda g: g.exact(r)],
    )
    two = g.lemma(
        "shin2025.lemma-9",
        "part:commutator-of-product",
        "d",
        "S",
        "T(Q(l,t)) @ G(t)",
        "T(P(l-1,t))",
        ENERGY,
        qg,
        "B(t)",
        by=[lambda g: g.close_by(e), lambda g: g.exact(one), lambda g: g.close_by(b)],
    )

    def last(g: Goal) -> None:
        g.rewrite(v)
        g.replace(size("(-(T(Q(l,t)) @ G(t) @ T(P(l-1,t))))"), size("((T(Q(l,t)) @ G(t)) @ T(P(l-1,t)))"), lambda g: g.field())
        g.exact(two)

    g.conj(None, last)


def moves(g: Goal, flow: str = "move") -> None:
    """The flow as a premise of a lemma, where functions stand as lambdas."""
    layer, time = g.fix()
    g.assume()
    g.assume()
    h = g.apply(flow, layer, time)
    g.nc((h, 1, None, None))


def flipped(g: Goal, x: str, rest: Script) -> None:
    """The commutator with a symmetric matrix and the one of the transpose have the same norm."""
    h = g.have(
        f"S @ T({x}) - T({x}) @ S = -T(S @ {x} - {x} @ S)",
        lambda g: g.nc(("sym", -1, None, f"T({x})"), ("sym", 1, f"T({x})", None)),
    )
    g.rewrite(h)
    g.replace(f"tr(T(-T(S @ {x} - {x} @ S)) @ (-T(S @ {x} - {x} @ S)))", size(x), lambda g: g.field())
    rest(g)


@part(
    "shin2025.lemma-9",
    "commutes-for-ever",
    f"""{DECLARED} 0 <= c => {HYPOTHESES} (all l:Z. 1 <= l and l <= L => S @ W(l,0) = W(l,0) @ S) =>
        all l:Z, t:R. 1 <= l => l <= L => 0 <= t => S @ W(l,t) = W(l,t) @ S""",
)
def commutes_for_ever(g: Goal) -> None:
    """The energy obeys E' <= (1 + K) E by Young's inequality and starts from 0, so it stays 0 by Gronwall."""
    g.fix()
    for name in ("c_lo", "d_lo", "L_lo", "sym", "prods", "move", "resid", "start"):
        g.assume(name)
    term = size("W(j,t)")
    velocity = size("W'(j,t)")

    def sums(g: Goal) -> None:
        g.induct("n", "ih")
        g.assume("n_hi")

        def empty(g: Goal) -> None:
            g.witness("lam t:R. 0")
            g.intro()
            h = g.by_fact("sum_empty", "1", "n", f"lam j:Z. {velocity}")
            g.rewrite(h)
            g.conj(None, lambda g: g.pos())

        def next_(g: Goal) -> None:
            before = g.obtain(g.apply("ih", "n - 1"), "A")[0]
            lem = g.lemma(
                "shin2025.lemma-9", "part:velocities-bounded", *["d", "L", "c", "S", "W", "P", "Q", "G"], by=[*[None] * 5, moves]
            )
            this = g.obtain(g.apply(lem, "n"), "B")[0]
            g.witness("lam t:R. A(t) + B(t)")
            g.intro()
            _, a = g.split_all(g.apply(before, "t"))
            _, b = g.split_all(g.apply(this, "t"))
            h = g.by_fact("sum_last", "1", "n", f"lam j:Z. {velocity}")
            g.conj(None, lambda g: (g.rewrite(h), g.pos([f"@{a}"], [f"@{b}"])))

        by_last(g, empty, next_)

    total = g.have(
        f"all n:Z. 0 <= n => n <= L => ex K:R~>R. all t:R. 0 <= t => 0 <= K(t) and sum(j, 1, n, {velocity}) <= K(t)*{ENERGY}",
        sums,
    )
    k = g.obtain(g.apply(total, "L"), "K")[0]
    f = g.obtain(g.by_fact("antiderivative", "lam t:R. 1 + K(t)"), "F")[1]
    slope = "2*tr(T(S @ W(j,t) - W(j,t) @ S) @ (S @ W'(j,t) - W'(j,t) @ S))"

    def rate(g: Goal) -> None:
        g.intro()
        _, b = g.split_all(g.apply(k, "t"))
        df = g.apply(f, "t")
        h = g.by_fact("sum_mono", "1", "L", f"lam j:Z. {slope}", f"lam j:Z. {term} + {velocity}", by=[young])
        de = g.differentiate("s", ENERGY.replace("(j,t)", "(j,s)"), "t")
        g.rewrite(de)
        g.replace("D(s, F(s), t)", "1 + K(t)", lambda g: g.field(rw=[df]))
        g.pos([f"@{h}"], [f"@{b}"])

    def young(g: Goal) -> None:
        g.fix("j")
        g.assume()
        g.pos(
            [
                "tr(T((S @ W(j,t) - W(j,t) @ S) - (S @ W'(j,t) - W'(j,t) @ S)) @ "
                "((S @ W(j,t) - W(j,t) @ S) - (S @ W'(j,t) - W'(j,t) @ S)))"
            ]
        )

    bound = g.by_fact("gronwall", "0", f"lam t:R. {ENERGY}", "lam t:R. F(t)", by=[None, rate])
    at_zero = ENERGY.replace("(j,t)", "(j,0)")

    def vanishes(g: Goal) -> None:
        h = g.by_fact("sum_ext", "1", "L", f"lam j:Z. {term.replace('(j,t)', '(j,0)')}", "lam j:Z. 0", by=[zero_term])
        g.rewrite(h)
        g.field()

    def zero_term(g: Goal) -> None:
        g.intro()
        h = g.apply("start", "i")
        k = g.have("S @ W(i,0) - W(i,0) @ S = O(d,d)", lambda g: g.nc((h, 1, None, None)))
        g.rewrite(k)
        g.field()

    zero = g.have(f"{at_zero} = 0", vanishes)
    g.intro()
    h = g.apply(bound, "t")
    e = layer_bound(g, "l")
    n = g.have(
        f"{size('W(l,t)')} = 0",
        lambda g: g.antisym(lambda g: g.pos([f"@{h}"], [f"@{e}"], eqs=[(zero, "-exp(F(t) - F(0))")]), None),
    )
    m = g.by_fact("frobenius_zero", "d", "d", "S @ W(l,t) - W(l,t) @ S", by=[lambda g: g.close_by(n)])
    g.nc((m, 1, None, None))
