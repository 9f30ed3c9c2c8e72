"""Section 3: the excess of the loss over its minimum decays exponentially along the induced flow from the stable set."""

from __future__ import annotations

from proofs.eftekhari2022.alignment import SETTING
from proofs.eftekhari2022.invariant_sets import ALIGNED, LARGE, decomposition, member
from proofs.eftekhari2022.loss_along_the_flow import FORM
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS, POWER, THIN, TOP
from proofs.eftekhari2022.rank_one_numbers import GAMMA, POINT, SECOND, A, B, C, Q, W, numbers, product_bounds
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import part

CLAIM = "eftekhari2022.theorem-16"
F = "tr(T(u) @ Z @ v)"
"""z = u^T Z v."""
MISS = f"(tr(T(Z @ v) @ (Z @ v)) + tr(T(T(Z) @ u) @ (T(Z) @ u)) - 2*{F}^2)"
"""|(I - u u^T) Z v|^2 + |(I - v v^T) Z^T u|^2."""
BRACKET = f"(N*(s - {F})^2 + {MISS})"


def excess(w: str) -> str:
    """|Z - w|^2 - |Z - Z_1|^2."""
    return f"(tr(T(Z - {w}) @ (Z - {w})) - tr(T(Z - Z1) @ (Z - Z1)))"


@part(
    CLAIM,
    "pointwise",
    f"""{POINT} all w:R. 0 <= w => w*{TOP} <= {C} => {excess(W)} = (s - {F})^2 + {TOP}^2 - {F}^2 and
       2*w*({TOP} - {SECOND})*({TOP} - {F}) <= {MISS} and {MISS} <= 2*({TOP}^2 - {F}^2) and {F} <= {TOP} and {F}^2 <= {TOP}^2""",
    says="at W = s u v^T with u^T Z_1 v >= alpha s_Z: the excess of the loss, and what its derivative is made of",
    uses=["eftekhari2022.def-z1", "eftekhari2022.eq-169-identity"],
)
def excess_and_its_derivative_at_a_point(g: Goal) -> None:
    """For e_1 = u_Z - a u, g_1 = Z v - z u, e_2 = v_Z - b v, g_2 = Z^T u - z v: <e_1, g_1> + <e_2, g_2> = (a + b)(s_Z - z) and
    |e_1|^2 + |e_2|^2 = 2 - a^2 - b^2 <= 2 (1 - a b) <= 2 (s_Z - z)/(s_Z - s_2); so |g_1|^2 + |g_2|^2 >= (a + b)^2 (s_Z - s_2) (s_Z - z)/2."""
    names = g.intro(split=False)
    aligned = names[-1]
    point = names[:10]
    _, gap, left, right, image, turned, _, _, uu, vv = point
    form, a, b, _, _, high, *_ = numbers(g, point)
    error = g.lemma("eftekhari2022.def-z1", "part:error", "x", "y", "Z", "Z1", "uZ", "vZ", by=[using(k) for k in point[2:7]])
    rest = g.have(f"{F} = {C} + {Q}", lambda g: g.field())
    less, _ = product_bounds(g, a, b)
    ones = g.have("T(u) @ u @ T(v) @ v = I(1)", lambda g: g.nc(rw=[uu, vv]))
    unit = g.have("tr(T(u) @ u @ T(v) @ v) = 1", lambda g: (g.rewrite(ones), g.field())[-1])

    def trace(v: str, h: str) -> str:
        return g.have(f"tr(T({v}) @ {v}) = 1", lambda g: (g.rewrite(h), g.field())[-1])

    tu, tv, tuz, tvz = trace("u", uu), trace("v", vv), trace("uZ", left), trace("vZ", right)
    flipped = g.have(f"T(T(Z) @ uZ) = T({TOP}*vZ)", lambda g: (g.rewrite(turned), g.refl())[-1])
    row = g.have(f"T(uZ) @ Z @ v = {TOP}*(T(vZ) @ v)", lambda g: g.nc((flipped, 1, None, "v")))
    one = g.have(f"tr(T(uZ) @ Z @ v) = {TOP}*{B}", lambda g: (g.rewrite(row), g.field())[-1])
    column = g.have(f"T(u) @ Z @ vZ = {TOP}*(T(u) @ uZ)", lambda g: g.nc((image, 1, "T(u)", None)))
    two = g.have(f"tr(T(u) @ Z @ vZ) = {TOP}*{A}", lambda g: (g.rewrite(column), g.field())[-1])
    cap = g.have(f"{F} <= {TOP} - ({TOP} - {SECOND})*(1 - {A}*{B})", lambda g: g.pos([f"@{high}"], eqs=[(rest, -1), (form, -1)]))
    below = g.have(f"{F} <= {TOP}", lambda g: g.pos([f"@{cap}"], [f"@{gap}", f"@{less}"]))
    k = f"(({A} + {B})*({TOP} - {SECOND})/2)"
    first, last = f"{k}*(uZ - {A}*u) - (Z @ v - {F}*u)", f"{k}*(vZ - {B}*v) - (T(Z) @ u - {F}*v)"

    def square(text: str) -> str:
        return f"tr(T({text}) @ ({text}))"

    nv, nu = "tr(T(Z @ v) @ (Z @ v))", "tr(T(T(Z) @ u) @ (T(Z) @ u))"
    sq1 = g.have(
        f"{square(first)} = {k}^2*(1 - {A}^2) - 2*{k}*({TOP}*{B} - {F}*{A}) + {nv} - {F}^2",
        lambda g: g.field((tuz, f"{k}^2"), (tu, f"{k}^2*{A}^2 - 2*{k}*{A}*{F} + {F}^2"), (one, f"-2*{k}")),
    )
    sq2 = g.have(
        f"{square(last)} = {k}^2*(1 - {B}^2) - 2*{k}*({TOP}*{A} - {F}*{B}) + {nu} - {F}^2",
        lambda g: g.field((tvz, f"{k}^2"), (tv, f"{k}^2*{B}^2 - 2*{k}*{B}*{F} + {F}^2"), (two, f"-2*{k}")),
    )
    ab = g.have(f"{TOP}*w <= {TOP}*({A}*{B})", lambda g: g.pos([f"@{aligned}"], eqs=[(form, -1)]))
    ab = g.have(f"w <= {A}*{B}", lambda g: g.pos([f"@{ab}"], mul=[TOP]))

    def lower(g: Goal) -> None:
        # miss = sq1 + sq2 + 2 k (A + B)(TOP - F) - k^2 (2 - A^2 - B^2), and (TOP - SECOND)(1 - AB) <= TOP - F
        g.pos(
            [square(first)],
            [square(last)],
            [f"@{cap}", f"({A} + {B})^2/2", f"@{gap}"],
            [f"({TOP} - {SECOND})^2*({A} + {B})^2*({A} - {B})^2/4"],
            [f"@{gap}", f"@{below}", f"({A} - {B})^2/2"],
            [f"@{gap}", f"@{below}", "2", f"@{ab}"],
            eqs=[(sq1, -1), (sq2, -1)],
        )

    norm = g.fact("spec_is_sv", "y", "x", "Z")
    largest = g.fact("spec_bound", "y", "x", "Z", "v")
    largest = g.have(f"{nv} <= {TOP}^2", lambda g: g.pos([f"@{g.rewritten(largest, norm)}"], eqs=[(tv, f"-{TOP}^2")]))
    other = g.fact("spec_bound", "x", "y", "T(Z)", "u")
    norm2 = g.fact("spec_is_sv", "x", "y", "T(Z)")
    same = g.fact("sv_transpose", "y", "x", "1", "Z")
    other = g.rewritten(g.rewritten(other, norm2), same)
    other = g.have(f"{nu} <= {TOP}^2", lambda g: g.pos([f"@{other}"], eqs=[(tu, f"-{TOP}^2")]))
    cauchy = g.fact("frobenius_cauchy", "y", 1, "u", "Z @ v")
    inner = g.have(f"tr(T(u) @ (Z @ v)) = {F}", lambda g: g.field())
    most = g.have(
        f"{F}^2 <= {TOP}^2",
        lambda g: g.pos([f"@{cauchy}"], [f"@{largest}"], eqs=[(inner, f"tr(T(u) @ (Z @ v)) + {F}"), (tu, f"-{nv}")]),
    )
    g.conj(
        lambda g: g.field((unit, "s^2"), (error, -1)),
        lower,
        lambda g: g.pos([f"@{largest}"], [f"@{other}"]),
        using(below),
        using(most),
    )


@part(
    CLAIM,
    "slope",
    f"{SETTING} all t s:R, u:V(y), v:V(x). {THIN} D(r, {excess('E(r)')}, t) = -(2*m*s^{POWER}*{BRACKET})",
    says="the derivative of the excess at a time with W(t) = s u v^T",
    uses=["eftekhari2022.eq-139"],
)
def derivative_of_the_excess(g: Goal) -> None:
    """2 <W - Z, W'> with the velocity at rank one."""
    names = g.intro(split=False)
    flow, (whole, uu, vv) = names[:-5], names[-3:]
    velocity = g.lemma("eftekhari2022.eq-139", "part:velocity", *FLOW_TERMS, by=[using(h) for h in flow])
    velocity = g.apply(velocity, "t", "s", "u", "v")
    slope = g.differentiate("r", excess("E(r)"), "t")
    d = "(E(t) - Z)"
    row, column, entry = f"(T(u) @ {d})", f"({d} @ v)", f"(T(u) @ {d} @ v)"
    value = g.have(
        f"D(r, {excess('E(r)')}, t) = -(2*m*s^{POWER}*(tr(T({row}) @ {row}) + tr(T({column}) @ {column}) + (N-2)*tr(T({entry}) @ {entry})))",
        lambda g: moving(g, slope, velocity),
    )
    own = g.have(f"T(u) @ {d} = s*T(v) - T(u) @ Z", lambda g: g.nc((whole, 1, "T(u)", None), (uu, "s", None, "T(v)")))
    other = g.have(f"{d} @ v = s*u - Z @ v", lambda g: g.nc((whole, 1, None, "v"), (vv, "s", "u", None)))
    z = scalar_matrix(g, "(T(u) @ Z @ v)")
    last = g.have(
        f"T(u) @ {d} @ v = (s - {F})*I(1)",
        lambda g: g.nc((whole, 1, "T(u)", "v"), (uu, "s", None, "T(v) @ v"), (vv, "s", None, None), (z, -1, None, None)),
    )
    tu = g.have("tr(T(u) @ u) = 1", lambda g: (g.rewrite(uu), g.field())[-1])
    tv = g.have("tr(T(v) @ v) = 1", lambda g: (g.rewrite(vv), g.field())[-1])
    one = g.have(
        f"tr(T(T(u) @ {d}) @ (T(u) @ {d})) = s^2 - 2*s*{F} + tr(T(T(Z) @ u) @ (T(Z) @ u))",
        lambda g: (g.rewrite(own), g.field((tv, "s^2")))[-1],
    )
    two = g.have(
        f"tr(T({d} @ v) @ ({d} @ v)) = s^2 - 2*s*{F} + tr(T(Z @ v) @ (Z @ v))",
        lambda g: (g.rewrite(other), g.field((tu, "s^2")))[-1],
    )
    three = g.have(f"tr(T(T(u) @ {d} @ v) @ (T(u) @ {d} @ v)) = (s - {F})^2", lambda g: (g.rewrite(last), g.field())[-1])
    scale = f"-2*m*s^{POWER}"
    g.field((value, 1), (one, scale), (two, scale), (three, f"{scale}*(N-2)"))


def moving(g: Goal, slope: str, velocity: str) -> None:
    """The derivative of |Z - W|^2 with W' put in."""
    g.rewrite(slope)
    g.rewrite(velocity)
    g.field()


LEVEL = f"(w - {GAMMA})*{TOP}"
RATE = f"(2*m*({LEVEL})^{POWER}*(w*(1 - {GAMMA})))"
START = f"{GAMMA} < w => w < 1 => {member('0', LARGE, ALIGNED)} =>"


def at_time(g: Goal, flow: list[str], start: str, stays: str, t: str, now: str) -> tuple[list[str], list[str], list[str]]:
    """Adds a decomposition s, u, v of W(t), the bounds of the stable set, and the conjuncts of `pointwise`; `start`: W(0) has rank one."""
    parts = decomposition(g, flow, start, t, now)
    _, bounds = g.split(g.apply(stays, t, by=[using(now)]))
    inside = g.split_all(g.apply(bounds, "s", "u", "v", by=[using(k) for k in parts]))
    h = g.lemma(
        CLAIM, "part:pointwise", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"),
        by=[using(k) for k in (*flow[6:13], parts[0], *parts[2:4])],
    )  # fmt: skip
    weak = g.have(f"w*{TOP} <= {FORM}", lambda g: g.pos([f"@{inside[1]}"]))
    numbers_ = g.split_all(g.apply(h, "w", by=[None, using(weak)]))
    return (
        parts,
        inside,
        [g.rewritten(numbers_[0], g.have(f"s*(u @ T(v)) = E({t})", lambda g: g.nc((parts[1], -1, None, None)))), *numbers_[1:]],
    )


def stable(g: Goal, flow: list[str], gap: str, one: str, start: str) -> str:
    """Adds that W(t) is in the stable set for all t >= 0."""
    stays = g.lemma("eftekhari2022.lemma-22", "statement", *FLOW_TERMS, by=[using(k) for k in flow])
    weak = g.have(f"{GAMMA} <= w", lambda g: g.pos([f"@{gap}"]))
    return g.apply(stays, "w", by=[using(weak), using(one), using(start)])


def positive_numbers(g: Goal, gap: str) -> None:
    """Adds 0 <= gamma, 0 < w, 0 < (w - gamma) s_Z, 0 <= 2 - 2/N, 0 < m and 0 < 1 - gamma."""
    order = g.fact("sv_range", "y", "x", "Z")
    g.split(g.apply(order, 2, 2))
    ratio = g.have(f"0 <= {GAMMA}")
    g.have("0 < w", lambda g: g.nlin(use=[gap, ratio]))
    g.have(f"0 < {LEVEL}", lambda g: g.pos([f"@{gap}", TOP]))
    g.have("2 <= N")
    one = g.have("1 <= N")
    g.have(f"0 <= {POWER}", lambda g: g.pos(["2", f"@{one}"], mul=["N"]))
    g.have("0 < m")


@part(
    CLAIM,
    "excess-decays",
    f"{SETTING} all w:R. {START} all t:R. 0 <= t => 0 <= {excess('E(t)')} and {excess('E(t)')} <= {excess('E(0)')}*exp(-({RATE}*t))",
    says="from the stable set, the loss decays exponentially to its minimum",
    uses=[CLAIM, "eftekhari2022.lemma-22", "eftekhari2022.eq-32"],
)
def excess_decays(g: Goal) -> None:
    """The derivative is at most -2 m s^p alpha (1 - gamma) times the excess, and s stays above (alpha - gamma) s_Z; Gronwall."""
    names = g.intro(split=False)
    flow, (gap, one, start), now = names[:13], names[13:16], names[16]
    rank = g.split(start)[0]
    stays = stable(g, flow, gap, one, start)
    positive_numbers(g, gap)
    gap2 = flow[7]
    ratio = g.have(f"{GAMMA}*{TOP} = {SECOND}", lambda g: g.field())

    def slope(g: Goal) -> None:
        g.fix("c")
        at = g.assume()
        parts, inside, numbers_ = at_time(g, flow, rank, stays, "c", at)
        value, miss, _, below, most = numbers_
        h = g.lemma(CLAIM, "part:slope", *FLOW_TERMS, by=[using(k) for k in flow])
        h = g.apply(h, "c", "s", "u", "v", by=[using(at), *[using(k) for k in parts]])
        k = g.by_fact("pow_base_mono", LEVEL, "s", POWER, by=[None, lambda g: g.pos([f"@{inside[0]}"]), None])
        c = f"w*(1 - {GAMMA})"
        g.have(f"0 <= 1 - {GAMMA}", lambda g: g.pos([f"@{gap2}"], mul=[TOP]))
        small = g.have(f"{c} <= N", lambda g: bounded_by_depth(g, one))
        square = f"(s - {F})^2"
        bracket = g.have(
            f"{c}*{excess('E(c)')} <= {BRACKET}",
            lambda g: g.pos(
                [f"@{small}", square],
                [f"@{miss}"],
                [c, f"@{below}", f"@{below}"],
                eqs=[(value, f"-{c}"), (ratio, f"2*w*({TOP} - {F})")],
            ),
        )
        nonneg = g.have(f"0 <= {excess('E(c)')}", lambda g: g.pos([square], [f"@{most}"], eqs=[(value, 1)]))
        rate = g.differentiate("r", f"-({RATE}*r)", "c")
        g.rewrite(rate)
        g.rewrite(h)
        p = f"s^{POWER}"
        g.pos(["2", "m", p, f"@{bracket}"], ["2", "m", f"@{k}", c, f"@{nonneg}"])

    decay = g.by_fact("gronwall", 0, f"lam r:R. {excess('E(r)')}", f"lam r:R. -({RATE}*r)", by=[None, slope])
    decay = g.apply(decay, "t", by=[using(now)])
    parts, _, numbers_ = at_time(g, flow, rank, stays, "t", now)
    value, most = numbers_[0], numbers_[4]
    e = g.have(f"exp(-({RATE}*t) - -({RATE}*0)) = exp(-({RATE}*t))", lambda g: g.ctx(lambda g: g.field()))
    decay = g.rewritten(decay, e)
    del parts
    g.conj(lambda g: g.pos([f"(s - {F})^2"], [f"@{most}"], eqs=[(value, 1)]), lambda g: g.pos([f"@{decay}"]))


def bounded_by_depth(g: Goal, one: str) -> None:
    """w (1 - gamma) <= 1 <= N."""
    n = next(h for h, f in g.seq.hyps.items() if f == ("<=", 1, "N"))
    g.pos([f"@{n}"], [f"@{one}", f"1 - {GAMMA}"], [GAMMA])
