"""Lemma 15, its proof, and the singular values of the factors in Appendix F.3.1 up to equation (29)."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from proofs.shin2025.commutant import moves
from proofs.shin2025.diagonal_flow import CONTEXT, in_setting
from proofs.shin2025.equal_layers import AT_INITIAL, LAYER, from_initial, inside
from proofs.shin2025.factor_flow import first
from verify.kernel import Goal, ProofError
from verify.kernel.tactics import Script
from verify.registry import holds, part

ODE = "shin2025.proof-step-lambda-ode"
RES = "(P(L,t)[1,1] - ws)"
INTEGRAL = f"F(0) = 0 => (all t:R. 0 <= t => F'(t) = {RES})"
RES_I, INTEGRAL_I = (text.replace("[1,1]", "[i,i]") for text in (RES, INTEGRAL))
"""The residual of any of the observed entries; they are all equal."""
USES = [ODE, "shin2025.lemma-13"]
SETTING_NAMES = ["d", "L", "ws", "al", "m", "W", "P", "Q"]
SV_USES = [*USES, "shin2025.proof-step-lambda-positive"]


def lam1(t: str = "t") -> str:
    """x + (d-1) y for the entries x, y of a factor."""
    return f"(W(l,{t})[1,1] + (d-1)*W(l,{t})[1,2])"


def lam2(t: str = "t") -> str:
    """x - y for the entries x, y of a factor."""
    return f"(W(l,{t})[1,1] - W(l,{t})[1,2])"


@dataclass
class Spectrum:
    """Names of what is known of the eigenvalue functions a, b and the residual r."""

    a0: str
    b0: str
    system: str
    order: str

    def at(self, g: Goal, t: str) -> tuple[str, str, str, str, str]:
        """At a time: the factors, the product, the residual, the velocities of a and b; positivity and order become known."""
        out = g.split(g.apply(self.system, t))
        g.split_all(g.apply(self.order, t))
        return tuple(out)  # type: ignore[return-value]


def spectrum(g: Goal, arguments: list[str] = AT_INITIAL) -> Spectrum:
    """The eigenvalue functions a and b and the residual r, for a positive start."""
    a0, b0, system = g.split_all(
        g.obtain(g.lemma(ODE, "part:system", *arguments, by=[None, None, None, moves, None]), "a", "b", "r", split=False)[0]
    )
    g.have("1/m < 1", lambda g: g.pos(["@m_lo"], mul=["m"]))
    g.have("0 < b(0)", lambda g: (g.rewrite(b0), start_positive(g))[-1])
    g.have("b(0) <= a(0)", lambda g: (g.rewrite(b0), g.rewrite(a0), g.pos(["d", "al/m"]))[-1])
    order = order_is_kept(g, system)
    return Spectrum(a0, b0, system, order)


def start_positive(g: Goal) -> None:
    """0 < al - al/m for m > 1."""
    g.pos(["al", "@m_lo"], mul=["m"])


def system_moves(g: Goal, system: str, k: int) -> None:
    """The scalar flow of a (k = 3) or b (k = 4) as a premise."""
    t = g.fix()[0]
    g.assume()
    h = g.split(g.apply(system, t))[k]
    g.step("field", eqs=((h, 1),))


def order_is_kept(g: Goal, system: str, low: str = "b", high: str = "a") -> str:
    """The scalar flows of a and b keep the order low(0) <= high(0)."""
    by = [None] * 3 + [lambda g, x=x: system_moves(g, system, {"a": 3, "b": 4}[x]) for x in (high, low)]
    return g.lemma(ODE, "part:scalar-ordered", "L", high, low, "r", by=by)


def at_layer_with_integral(g: Goal, integral: str = "F") -> Spectrum:
    """Fix the layer and the integral, whose start and velocity are named F_0 and F_rate."""
    g.fix()
    g.split_all(g.assume())
    g.assume(f"{integral}_0")
    g.assume(f"{integral}_rate")
    return spectrum(g)


def entries(g: Goal, factor: str, t: str = "t") -> tuple[str, str]:
    """lam1 = a(t) and lam2 = b(t) for the layer l."""
    w = g.apply(factor, "l")
    inside(g)
    x = g.have(f"{lam1(t)} = a({t})", lambda g: (g.rewrite(w), g.field())[-1])
    y = g.have(f"{lam2(t)} = b({t})", lambda g: (g.rewrite(w), g.field())[-1])
    return x, y


def residual(g: Goal, product: str, r: str, t: str = "t", i: str = "1") -> str:
    """The residual of the entry (i, i) at a time is r."""
    inside(g)
    return g.have(f"P(L,{t})[{i},{i}] - ws = r({t})", lambda g: (g.rewrite(product), g.rewrite(r), g.field())[-1])


@part(
    ODE,
    "diagonal",
    in_setting("all i:Z, t:R. 1 <= i and i <= d => 0 <= t => P(L,t)[i,i] = P(L,t)[1,1]"),
    says="the residuals of all observed entries are equal",
    uses=["shin2025.lemma-13"],
)
def residuals_are_equal(g: Goal) -> None:
    """The product has the two-value form."""
    from_initial(g)
    g.intro()
    s = spectrum(g)
    product = s.at(g, "t")[1]
    inside(g)
    g.rewrite(product)
    g.field()


def equal_residuals(g: Goal, t: str, i: str = "i") -> str:
    """P(L,t)[i,i] = P(L,t)[1,1]."""
    return g.apply(g.lemma(ODE, "part:diagonal", *SETTING_NAMES), i, t)


def values(g: Goal, factor: str, t: str = "t") -> tuple[str, str]:
    """The singular values of the layer l at time t."""
    w = g.apply(factor, "l")
    one, others = g.split(
        g.lemma(
            "shin2025.proof-step-lambda-positive",
            "part:singular-values",
            "d",
            f"a({t})",
            f"b({t})",
            f"W(l,{t})",
            by=[None, None, None, lambda g: g.close_by(w)],
        )
    )
    return one, others


@holds(
    ODE,
    in_setting(f"""all l:Z, t:R. {LAYER} => 0 <= t => D(s, {lam1("s")}, t) = -{lam1()}^(L-1)*{RES} and
        D(s, {lam2("s")}, t) = -{lam2()}^(L-1)*{RES}"""),
    argument="sound",
    context=CONTEXT + "; x and y are the entries (1,1) and (1,2) of the factor, the common ones by Lemma 13 [notation]",
    uses=["shin2025.lemma-13", "shin2025.proof-step-power"],
)
def flow_of_the_eigenvalues(g: Goal) -> None:
    """Combine the flows of the two entries."""
    from_initial(g)
    g.intro()
    v, x = first(g)
    h = g.apply(g.lemma("shin2025.proof-step-power", "part:any-power", "d", "X", "Y"), "L - 1")
    inside(g)
    a = g.have("W(l,t)[1,1] = X", lambda g: (g.rewrite(x), g.field())[-1])
    b = g.have("W(l,t)[1,2] = Y", lambda g: (g.rewrite(x), g.field())[-1])
    v = g.have(
        "W'(l,t) = -(P(L,t)[1,1] - ws)*(((X - Y)^(L-1))*I(d) + (((X + (d-1)*Y)^(L-1) - (X - Y)^(L-1))/d)*J(d))",
        lambda g: (g.rewrite(v), g.rewrite(x), g.rewrite(h), g.refl())[-1],
    )

    def rate(g: Goal, body: str) -> None:
        g.rewrite(g.differentiate("s", body, "t"))
        g.rewrite(v)
        g.rewrite(a)
        g.rewrite(b)
        g.field()

    g.conj(lambda g: rate(g, lam1("s")), lambda g: rate(g, lam2("s")))


@holds(
    "shin2025.proof-step-lambda-initial",
    in_setting(f"all l:Z. {LAYER} => {lam2('0')} <= {lam1('0')} and 0 < {lam2('0')}"),
    argument="sound",
    context=CONTEXT,
    uses=USES,
)
def initial_order(g: Goal) -> None:
    """The start is al (1 - 1/m) and al (1 + (d-1)/m)."""
    from_initial(g)
    g.intro()
    s = spectrum(g)
    x, y = entries(g, s.at(g, "0")[0], "0")
    g.rewrite(x)
    g.rewrite(y)
    g.conj(None, None)


@holds(
    "shin2025.proof-step-lambda-positive",
    in_setting(f"""all l:Z, t:R. {LAYER} => 0 <= t => 0 < {lam1()} and 0 < {lam2()} and
        sv(W(l,t),1) = {lam1()} and all i:Z. 2 <= i and i <= d => sv(W(l,t),i) = {lam2()}"""),
    argument="sound",
    context=CONTEXT,
    uses=USES,
)
def eigenvalues_stay_positive(g: Goal) -> None:
    """The scalar equations are linear with a smooth rate; the order of the eigenvalues is kept, so they are the singular
    values."""
    from_initial(g)
    g.intro()
    s = spectrum(g)
    factor = s.at(g, "t")[0]
    x, y = entries(g, factor)
    _one, others = values(g, factor)
    g.rewrite(x)
    g.rewrite(y)
    g.conj(None, None, None, lambda g: g.close_by(others))


@holds(
    "shin2025.proof-step-lambda-solution-l2",
    in_setting(
        f"""all l:Z, F:R~>R. {LAYER} => {INTEGRAL} => all t:R. 0 <= t =>
        {lam1()} = {lam1("0")}*exp(-F(t)) and {lam2()} = {lam2("0")}*exp(-F(t))""",
        "L = 2",
    ),
    argument="sound",
    context=CONTEXT + "; F is the integral of r from 0 [notation]",
    uses=USES,
)
def eigenvalues_at_depth_two(g: Goal) -> None:
    """A linear equation."""
    from_initial(g)
    two = g.assume("L_is")
    s = at_layer_with_integral(g)
    a, b = depth_two(g, s, two)
    g.intro()
    rewritten(g, s)
    g.conj(lambda g: g.close_by(g.apply(a, "t")), lambda g: g.close_by(g.apply(b, "t")))


def rewritten(g: Goal, s: Spectrum) -> None:
    """The eigenvalues of the layer l at times t and 0 by their names."""
    x, y = entries(g, s.at(g, "t")[0])
    x0, y0 = entries(g, s.at(g, "0")[0], "0")
    for h in (x, y, x0, y0):
        with contextlib.suppress(ProofError):  # not every name occurs in every conclusion
            g.rewrite(h)


def integral_moves(s: Spectrum) -> Script:
    def script(g: Goal) -> None:
        t = g.fix("t")[0]
        g.assume()
        f = g.apply("F_rate", t)
        out = g.split(g.apply(s.system, t))
        e = residual(g, out[1], out[2], t)
        g.field((f, 1), (e, 1))

    return script


def explicit(g: Goal, s: Spectrum, role: str, depth: list[Script | None]) -> tuple[str, str]:
    """The explicit solutions for both eigenvalues by a part on scalar flows, `depth` proves its first premises."""

    def one(f: str, k: int) -> str:
        by = [*depth, lambda g: system_moves(g, s.system, k), None, integral_moves(s)]
        return g.lemma(ODE, f"part:{role}", "L", f, "r", "F", by=by)

    return one("a", 3), one("b", 4)


def depth_two(g: Goal, s: Spectrum, two: str) -> tuple[str, str]:
    """The explicit solutions at depth 2."""
    return explicit(g, s, "scalar-depth-two", [lambda g: g.close_by(two)])


def deep(g: Goal, s: Spectrum) -> tuple[str, str]:
    """The explicit solutions at depth above 2."""
    return explicit(g, s, "scalar-deep", [None, None])


@holds(
    "shin2025.proof-step-lambda-solution-deep",
    in_setting(
        f"""all l:Z, F:R~>R. {LAYER} => {INTEGRAL} => all t:R. 0 <= t =>
        {lam1()} = ({lam1("0")}^(2-L) + (L-2)*F(t))^(1/(2-L)) and {lam2()} = ({lam2("0")}^(2-L) + (L-2)*F(t))^(1/(2-L))""",
        "3 <= L",
    ),
    argument="sound",
    context=CONTEXT + "; F is the integral of r from 0 [notation]",
    uses=USES,
)
def eigenvalues_at_greater_depth(g: Goal) -> None:
    """The power 2 - L of an eigenvalue grows at the rate (L-2) r; take the root."""
    from_initial(g)
    g.assume("deep")
    s = at_layer_with_integral(g)
    a, b = deep(g, s)
    g.intro()
    rewritten(g, s)
    g.conj(lambda g: root(g, g.apply(a, "t"), "a(t)"), lambda g: root(g, g.apply(b, "t"), "b(t)"))


def root(g: Goal, h: str, x: str) -> None:
    """x = z^(1/(2-L)) from x^(2-L) = z."""
    g.rewrite(h, back=True)
    k = g.by_fact("pow_pow", x, "2 - L", "1/(2 - L)")
    g.have("2 - L < 0")
    g.have("2 - L != 0")
    e = g.have(f"{x}^((2 - L)*(1/(2 - L))) = {x}", lambda g: g.field())
    g.field((k, -1), (e, -1))
