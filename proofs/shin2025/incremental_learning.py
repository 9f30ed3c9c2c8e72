"""Appendix C.1, the report on full observations: how small the start must be for one mode to be learned before the other.

With all entries observed and equal factors the singular values obey x' = L x^(2 - 2/L) (w - x), each for itself.
"""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds

P = "(1 - 2/L)"
MODES = """(all t:R. 0 <= t => 0 < x(t) and 0 < z(t) and x'(t) = L*x(t)^(2 - 2/L)*(w - x(t)) and z'(t) = L*z(t)^(2 - 2/L)*(u - z(t)))"""
START = "0 < e => x(0) = e => z(0) = e"
LEFT = "(1 - u/((1 - f)*w))"
DEEP = f"""(all L:Z, w u f e T:R, x z:R~>R. 3 <= L => 0 < u => 0 < f => f < 1 => u < (1 - f)*w => {START} => {MODES} => 0 <= T =>
    (all t:R. 0 <= t and t <= T => x(t) <= f*w) => z(T) <= e*{LEFT}^(-1/{P}))"""
SHALLOW = f"""(all L:Z, w u f e T:R, x z:R~>R. L = 2 => 0 < u => u < w => 0 < f => {START} => {MODES} => 0 <= T => x(T) = f*w =>
    u/(1 + u/e*(e/(f*w))^(u/w)) <= z(T))"""


@holds(
    "shin2025.cited-gissin-li",
    f"{DEEP} and {SHALLOW}",
    context=(
        "full observation [the cited work]; equal factors along fixed singular vectors, so that each singular value moves "
        "for itself [the cited work]; both start at e [the cited work]"
    ),
    reading="Two modes with targets w > u, until the first has reached the fraction f < 1 - u/w of its target: for L >= 3 the second is then at"
    " most a constant times the start e, so that it has not been learned for any small e; at depth 2 it is at least of the order"
    " e^(1 - u/w), so that e must be exponentially small when the targets are close. In this sense incremental learning emerges at greater"
    " depth and depends less on the scale",
    readings=[("the same for every gradient flow of a deep linear network with full observations", "open", None)],
)
def second_mode_waits_at_depth(g: Goal) -> None:
    """x^(-p) with p = 1 - 2/L falls at the rate p L (w - x) and z^(-p) at the rate p L (u - z); at depth 2 the logistic solution."""

    def deep(g: Goal) -> None:
        g.fix()
        size, u0, f0, f1, apart, e0, sx, sz, modes, t0, below = (g.assume() for _ in range(11))
        g.have("0 < L")
        positive = g.have(f"0 < {P}", lambda g: g.pos(["@" + size, "1/L"], ["1/L"]))
        g.have("0 < 1 - f", lambda g: g.pos(["@" + f1]))
        w0 = g.have("0 < (1 - f)*w", lambda g: g.pos(["@" + apart], ["u"]))
        g.have("0 < w", lambda g: (h := g.contra(), g.pos(["@" + w0], ["1 - f", "@" + h]))[-1])
        k = f"({P}*L)"

        def known(g: Goal) -> None:
            (t,) = g.fix("t")
            g.split(g.assume())
            g.split_all(g.apply(modes, t))
            g.auto()

        def first(g: Goal) -> None:
            (t,) = g.fix("t")
            a, b = g.split(g.assume())
            g.have(f"0 <= {t}")
            _, _, dx, _ = g.split(g.apply(modes, t))
            low = g.apply(below, t, by=[lambda g: g.conj(None, lambda g: g.pos(["@" + b]))])
            g.pos(["@" + positive, "L", "@" + low], rw=[dx])

        def second(g: Goal) -> None:
            (t,) = g.fix("t")
            g.split(g.assume())
            g.have(f"0 <= {t}")
            _, _, _, dz = g.split(g.apply(modes, t))
            g.pos(["@" + positive, "L", f"z({t})"], rw=[dz])

        one = g.by_fact("mean_value_le", "0", "T", f"lam t:R. -(x(t)^(-{P})) - {k}*((1 - f)*w)*t", by=[known, first, None])
        two = g.by_fact("mean_value_le", "0", "T", f"lam t:R. z(t)^(-{P}) + {k}*u*t", by=[known, second, None])
        at0x = g.have(f"x(0)^(-{P}) = e^(-{P})", lambda g: (g.rewrite(sx), g.refl())[-1])
        at0z = g.have(f"z(0)^(-{P}) = e^(-{P})", lambda g: (g.rewrite(sz), g.refl())[-1])
        g.split_all(g.apply(modes, "T"))
        g.have(f"0 < {LEFT}", lambda g: g.pos(["@" + apart], mul=["(1 - f)*w"]))
        time = g.have(f"{k}*((1 - f)*w)*T <= e^(-{P})", lambda g: g.pos(["@" + one], [f"x(T)^(-{P})"], eqs=[(at0x, -1)]))
        late = g.have(
            f"e^(-{P})*{LEFT} <= z(T)^(-{P})", lambda g: g.pos(["@" + two], ["u/((1 - f)*w)", "@" + time], eqs=[(at0z, 1)])
        )
        m = f"(e*{LEFT}^(-1/{P}))"
        far = g.contra()
        g.have(f"0 < {LEFT}^(-1/{P})", lambda g: g.pos([f"{LEFT}^(-1/{P})"]))
        g.have(f"0 < {m}", lambda g: g.pos(["e", f"{LEFT}^(-1/{P})"]))
        g.have(f"-{P} < 0", lambda g: g.pos(["@" + positive]))
        h = g.by_fact("pow_base_anti_strict", m, "z(T)", f"-{P}", by=[None, lambda g: g.close_by(far), None])
        split = g.by_fact("pow_mul", "e", f"{LEFT}^(-1/{P})", f"-{P}")
        inner = g.by_fact("pow_pow", LEFT, f"-1/{P}", f"-{P}")
        unit = g.have(f"{LEFT}^(-1/{P}*(-{P})) = {LEFT}^1", lambda g: g.ctx(lambda g: g.field()))
        plain = g.have(f"{LEFT}^1 = {LEFT}", lambda g: g.field())
        g.pos(["@" + h], ["@" + late], eqs=[(split, -1), (inner, f"-e^(-{P})"), (unit, f"-e^(-{P})"), (plain, f"-e^(-{P})")])

    def shallow(g: Goal) -> None:
        g.fix()
        two, u0, apart, f0, e0, sx, sz, modes, t0, there = (g.assume() for _ in range(10))
        g.have("0 < w", lambda g: g.pos(["@" + apart], ["u"]))

        def known(g: Goal) -> None:
            (t,) = g.fix("t")
            g.assume()
            g.split_all(g.apply(modes, t))
            g.auto()

        def rates(g: Goal, t: str) -> tuple[str, str]:
            _, _, a, b = g.split(g.apply(modes, t))
            return g.rewritten(a, two), g.rewritten(b, two)

        def still(g: Goal) -> None:
            (t,) = g.fix("t")
            g.assume()
            _, dz = rates(g, t)
            g.field(rw=[dz])

        def slower(g: Goal) -> None:
            (t,) = g.fix("t")
            g.assume()
            dx, _ = rates(g, t)
            g.pos(["2", f"x({t})"], rw=[dx])

        constant = g.by_fact("constant", "0", "lam t:R. (1/z(t) - 1/u)*exp(2*u*t)", by=[known, still])
        logistic = g.apply(constant, "T")
        falls = g.by_fact("nonincreasing", "0", "lam t:R. log(x(t)) - 2*w*t", by=[known, slower])
        growth = g.apply(falls, "0", "T")
        g.split_all(g.apply(modes, "T"))
        inverse = g.have("1/z(0) = 1/e", lambda g: (g.rewrite(sz), g.refl())[-1])
        logs = g.have("log(x(T)) = log(f*w)", lambda g: (g.rewrite(there), g.refl())[-1])
        log0 = g.have("log(x(0)) = log(e)", lambda g: (g.rewrite(sx), g.refl())[-1])
        long = g.have(
            "u/w*(log(f*w) - log(e)) <= 2*u*T", lambda g: g.pos(["u/w", "@" + growth], eqs=[(logs, "u/w"), (log0, "-u/w")])
        )
        power = "(e/(f*w))^(u/w)"
        small = g.by_fact("exp_mono", "-2*u*T", "-(u/w*(log(f*w) - log(e)))", by=[lambda g: g.pos(["@" + long])])
        same = g.have(f"exp(-(u/w*(log(f*w) - log(e)))) = {power}", lambda g: g.field())
        value = g.have(
            "1/z(T) = 1/u + (1/e - 1/u)*exp(-2*u*T)", lambda g: g.field((logistic, "exp(-2*u*T)"), (inverse, "exp(-2*u*T)"))
        )
        bound = g.have(
            f"1/z(T) <= 1/u + 1/e*{power}",
            lambda g: g.pos(["1/e", "@" + small], ["1/u", "exp(-2*u*T)"], eqs=[(value, -1), (same, "1/e")]),
        )
        total = f"(1 + u/e*{power})"
        g.have(f"0 < {total}", lambda g: g.pos(["1"], ["u/e", power]))
        g.pos(["u", "z(T)", "@" + bound], mul=[total])

    g.conj(deep, shallow)
