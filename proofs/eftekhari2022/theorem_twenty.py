"""Theorem 20: its setting as formula texts, and the rate (38), whose scale is wrong as printed."""

from __future__ import annotations

from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import refuted

PADDING = (
    "the hidden widths are represented by their maximum n: smaller factors are padded with zero rows and columns, which changes neither the "
    "products, nor the gradient flow, nor balancedness; A = W_1, W(l) = W_l, B = W_N, Q(l) = W_l...W_1, P(l) = W_N...W_{l+1}, E = W_N...W_1; "
    "r = 1 says that Q(l) takes its values in a fixed line for some layer l, or that d_x = 1 or d_y = 1"
)
INNER = "2 <= l and l <= N - 1"
GRADIENT = "((E(t) @ X - Y) @ T(X))"

NETWORK = """x y m n N:Z, X:M(x,m), Y:M(y,m), A:R~>M(n,x), B:R~>M(y,n), W:(Z,R)~>M(n,n), P:(Z,R)~>M(y,n), Q:(Z,R)~>M(n,x), E:R~>M(y,x)"""

FLOW = f"""2 <= N =>
       (all t:R. 0 <= t => Q(1,t) = A(t) and P(N-1,t) = B(t) and E(t) = B(t) @ Q(N-1,t)) =>
       (all l:Z, t:R. {INNER} => 0 <= t => Q(l,t) = W(l,t) @ Q(l-1,t) and P(l-1,t) = P(l,t) @ W(l,t)) =>
       (all t:R. 0 <= t => A'(t) = -(T(P(1,t)) @ {GRADIENT}) and B'(t) = -({GRADIENT} @ T(Q(N-1,t)))) =>
       (all l:Z, t:R. {INNER} => 0 <= t => d(1,W,l,t) = -(T(P(l,t)) @ {GRADIENT} @ T(Q(l-1,t)))) =>"""
"""The layers' products and the gradient flow (13) of |Y - W_N...W_1 X|^2 / 2."""

BALANCED = f"""(all F:Z->M(n,n). F(1) = A(0) @ T(A(0)) => (all l:Z. {INNER} => F(l) = W(l,0) @ T(W(l,0))) =>
           T(B(0)) @ B(0) = F(N-1) and (all l:Z. {INNER} => T(W(l,0)) @ W(l,0) = F(l-1))) =>"""
"""Balanced initialisation (14); F(l) stands for W_l W_l^T, l < N."""

ONE_NEURON = """(x = 1 or y = 1 or
           ex l:Z, h:V(n). 1 <= l and l <= N - 1 and T(h) @ h = I(1) and all t:R. 0 <= t => h @ T(h) @ Q(l,t) = Q(l,t)) =>"""

TARGET = """X @ T(X) = m*I(x) => 1 <= m => Z = (1/m)*(Y @ T(X)) => 0 < sv(Z,1) => sv(Z,2) < sv(Z,1) =>
       T(uZ) @ uZ = I(1) => T(vZ) @ vZ = I(1) => Z @ vZ = sv(Z,1)*uZ => T(Z) @ uZ = sv(Z,1)*vZ => Z1 = sv(Z,1)*(uZ @ T(vZ)) =>"""
"""Whitened data, Z and its best approximation Z1 of rank one; gamma_Z = sv(Z,2)/sv(Z,1) < 1."""

GAMMA = "(sv(Z,2)/sv(Z,1))"

START = f"""{GAMMA} < a => a < 1 => 1 < b =>
       E(0) = s0*(u0 @ T(v0)) => T(u0) @ u0 = I(1) => T(v0) @ v0 = I(1) =>
       (a - {GAMMA})*sv(Z,1) < s0 => s0 < b*sv(Z,1) => a*sv(Z,1) < tr(T(u0) @ Z1 @ v0) =>"""
"""The initial conditions (37)."""

POWER = "(2 - 2/N)"
EXPONENTS = f"""2*{GAMMA}*b^{POWER} < (a - {GAMMA})^{POWER} => 2*{GAMMA}*N*b^{POWER} < a*(a - {GAMMA})^{POWER} =>"""

SETTING = f"""all {NETWORK}, Z Z1:M(y,x), uZ:V(y), vZ:V(x), a b s0:R, u0:V(y), v0:V(x). {FLOW} {BALANCED} {ONE_NEURON} {TARGET} {START}"""

FAST_RATE = f"((a - {GAMMA})^{POWER} - 2*{GAMMA}*b^{POWER})"


def distance(t: str) -> str:
    """|Z1 - W(t)|^2."""
    return f"tr(T(Z1 - E({t})) @ (Z1 - E({t})))"


BEFORE_TAU = "(all u:R. 0 <= u => u < t => sqrt(6)*sv(Z,1) < sv(E(u),1))"
"""t <= tau: the singular value stays above sqrt(6) s_Z before t."""


def closed(g: Goal) -> None:
    """A closed equation of 1 x 1 matrices."""
    g.ext(lambda g: g.field())


def nested(g: Goal, *scripts: Script | None) -> None:
    """A conjunction that is nested to the right."""
    first, *rest = scripts
    if rest:
        g.conj(first, lambda g: nested(g, *rest))
    else:
        g.run(first)


def one_by_one(g: Goal, m: str) -> str:
    """sv(m,1)^2 = tr(m^T m) for one column."""
    h = g.by_fact("sv_frobenius", 1, 1, m)
    return g.have(f"sv({m},1)^2 = tr(T({m}) @ {m})", lambda g: g.field((h, -1)))


@refuted(
    "eftekhari2022.theorem-20-fast",
    f"""{SETTING} {EXPONENTS} all t:R. 0 <= t => {BEFORE_TAU} =>
       {distance("t")} <= {distance("0")}*exp(-(m*N*sv(Z,1)^(-2/N)*{FAST_RATE}*t))""",
    reason="the factor s_Z^(-2/N) scales wrongly (it should be s_Z^(2-2/N)): N = 2, one dimension, Z = 1/12, W(0) = 1/4, alpha = 1/2, beta = 4",
    reading=PADDING,
)
def rate_scales_wrongly(g: Goal) -> None:
    """With Z = 1/12 and W(0) = 3 Z the squared distance decays at the rate 4 W(0) = 1 at first, but the printed rate is 12."""
    one, z, half = "[[1]]", "[[1/12]]", "[[1/2]]"
    flow = g.fact("two_layer_flow", 1, 1, 1, half, half, one, z)
    first, second, equations = g.obtain(flow, "B", "A")
    largest = one_by_one(g, z)
    g.fact("sv_range", 1, 1, z, name="order")
    nonneg, _ = g.split(g.apply("order", 1, 1))
    value = g.have(f"sv({z},1) = 1/12", lambda g: twelfth(g, largest, nonneg))
    zero = second_value(g, z)
    g.witness(
        *(
            "1",
            "1",
            "1",
            "1",
            "2",
            one,
            z,
            "A",
            "B",
            "lam l:Z, t:R. O(1,1)",
            "lam l:Z, t:R. B(t)",
            "lam l:Z, t:R. A(t)",
            "lam t:R. B(t) @ A(t)",
        ),
        *(z, z, one, one, "1/2", "4", "1/4", one, one),
    )

    def gradients(g: Goal) -> None:
        g.fix("t")
        g.assume()
        b, a = g.split(g.apply(equations, "t"))
        g.conj(lambda g: (g.rewrite(a), closed(g)), lambda g: (g.rewrite(b), closed(g)))

    def no_inner(g: Goal) -> None:
        g.intro()
        g.contra()
        g.nlin()

    def balanced(g: Goal) -> None:
        g.fix("F")
        start = g.assume()
        g.assume()
        g.conj(lambda g: (g.replace("2 - 1", "1"), g.rewrite(start), g.rewrite(first), g.rewrite(second), closed(g)), no_inner)

    def numbers(g: Goal) -> None:
        g.rewrite(value)
        g.auto()

    def gamma(g: Goal) -> None:
        g.rewrite(zero)
        g.rewrite(value)
        g.auto()

    def exponents(g: Goal) -> None:
        g.rewrite(zero)
        g.rewrite(value)
        left = g.have(("=", g.concl[1], 0), lambda g: g.field())
        g.rewrite(left)
        power = next(p for p in (g.concl[2], g.concl[2][-1]) if p[0] == "^")
        half = g.have(("=", power, ("q", 1, 2)), lambda g: g.field())
        g.rewrite(half)
        g.auto()

    def start(g: Goal) -> None:
        g.rewrite(first)
        g.rewrite(second)
        closed(g)

    def scaled(g: Goal) -> None:
        g.rewrite(value)
        closed(g)

    nested(
        g,
        None,
        lambda g: (g.fix("t"), g.assume(), g.conj()),
        no_inner,
        gradients,
        no_inner,
        balanced,
        lambda g: g.left_or_right(0) or g.auto(),
        closed,
        None,
        closed,
        numbers,
        lambda g: (g.rewrite(zero), numbers(g)),
        closed,
        closed,
        scaled,
        scaled,
        scaled,
        gamma,
        None,
        None,
        start,
        closed,
        closed,
        gamma,
        numbers,
        lambda g: (
            g.rewrite(value),
            g.have(f"tr(T({one}) @ {z} @ {one}) = 1/12", lambda g: g.field(), name="tr1"),
            g.rewrite("tr1"),
            g.auto(),
        ),
        exponents,
        exponents,
        lambda g: too_fast(g, first, second, equations, value, zero),
    )


def twelfth(g: Goal, largest: str, nonneg: str) -> None:
    """s = 1/12 from s^2 = 1/144 and 0 <= s."""
    s = g.concl[1]
    t = g.have("tr(T([[1/12]]) @ [[1/12]]) = 1/144", lambda g: g.field())
    split = g.fact("product_zero", ("+", s, ("q", -1, 12)), ("+", s, ("q", 1, 12)))
    g.have(
        ("=", ("*", ("+", s, ("q", -1, 12)), ("+", s, ("q", 1, 12))), 0), lambda g: g.field((largest, 1), (t, 1)), name="prod_"
    )
    g.apply(split, name="either")
    g.cases("either", lambda g: g.nlin(), lambda g: (g.contra(), g.nlin()))


def second_value(g: Goal, z: str) -> str:
    """A 1 x 1 matrix has no second singular value."""
    _, _rows, _ = g.split(g.by_fact("rank_bounds", 1, 1, z))
    near = g.by_fact("eckart_young_spectral", 1, 1, 2, z, z)
    flat = g.by_fact(
        "spec_least",
        1,
        1,
        0,
        f"{z} - {z}",
        by=[None, lambda g: (g.fix("v"), g.replace(f"({z} - {z}) @ v", "O(1,1)", lambda g: g.nc()), g.auto())],
    )
    nonneg, _ = g.split(g.apply("order", 2, 2))
    return g.have(f"sv({z},2) = 0", lambda g: g.antisym(lambda g: g.nlin(use=[near, flat]), lambda g: g.close_by(nonneg)))


def too_fast(g: Goal, first: str, second: str, equations: str, value: str, zero: str) -> None:
    """At small times the distance exceeds the printed bound: its derivative at 0 is -1/36, that of the bound -12/36."""
    b, a = g.split(g.apply(equations, 0))
    gap = "tr(T([[1/12]] - B(t) @ A(t)) @ ([[1/12]] - B(t) @ A(t))) - 1/36*exp(-(12*t))"
    slope = g.differentiate("t", gap, 0)

    def derivative(g: Goal) -> None:
        g.rewrite(slope)
        for h in (b, a, first, second):
            g.rewrite(h)
        g.have("exp(0) = 1", lambda g: g.close_by(g.fact("exp_zero")), name="e0")
        g.field()

    rate = g.have(f"D(t, {gap}, 0) = 11/36", derivative)
    rises = g.by_fact("derivative_sign_right", 0, f"lam t:R. {gap}", by=[None, lambda g: (g.rewrite(rate), g.auto())])
    _some, above = g.obtain(rises, "h")
    high = "tr(T(B(t) @ A(t)) @ (B(t) @ A(t))) - 1/24"
    start = g.have("tr(T(B(0) @ A(0)) @ (B(0) @ A(0))) - 1/24 = 1/48", lambda g: (g.rewrite(first), g.rewrite(second), g.field()))
    stays = g.by_fact("persistence", 0, f"lam t:R. {high}", by=[None, lambda g: (g.rewrite(start), g.auto())])
    _near, far = g.obtain(stays, "k")
    order = g.fact("total", "h", "k")
    both = g.have(
        "ex r:R. 0 < r and r <= h and r <= k",
        lambda g: g.cases(order, lambda g: g.witness("h") or g.auto(), lambda g: g.witness("k") or g.auto()),
    )
    g.obtain(both, "r")
    g.witness("r")

    def before(g: Goal) -> None:
        g.fix("u")
        g.assume()
        g.assume()
        g.apply(far, "u")
        one_by_one(g, "(B(u) @ A(u))")
        order = g.fact("sv_range", 1, 1, "B(u) @ A(u)")
        g.split(g.apply(order, 1, 1))
        g.rewrite(value)
        g.contra()
        g.nlin()

    def larger(g: Goal) -> None:
        h = g.apply(above, "r")
        g.rewrite(value)
        g.rewrite(zero)
        bound = g.concl[1]
        exponent = g.have(("=", bound[2][1], g.term("-(12*r)")), lambda g: g.field())
        g.rewrite(exponent)
        begin = g.have(("=", bound[1], ("q", 1, 36)), lambda g: (g.rewrite(first), g.rewrite(second), g.field()))
        g.rewrite(begin)
        g.have("exp(-(12*0)) = 1", lambda g: g.field(), name="e1")
        g.pos([f"@{h}"], eqs=[("e1", "-1/36"), (begin, 1)])

    g.conj(None, lambda g: g.conj(before, larger))
