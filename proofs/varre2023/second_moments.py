"""Appendix D, proof of Proposition 4.1, variance: the second moments u = E[u^2], v = E[v^2] of a column solve a linear system.

The system is what the display before gives; what is decided is how it is solved.
"""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

MOMENTS = """all d:Z, u v:R~>R. 1 <= d => (all t:R. 0 <= t => u'(t) = d*v(t) and v'(t) = u(t)) =>"""
SYSTEM = (
    "the equations of the second moments, which the display before derives from the stochastic differential equation "
    "[step-d-second-moments]"
)
READING = "u and v stand for u_0 and v_0, smooth functions of time; d for d and n, which agree where the display comes from"


def start(sign: str) -> str:
    """The value of u + sqrt(d) v or u - sqrt(d) v at 0."""
    return f"(u(0) {sign} sqrt(d)*v(0))"


def mode(sign: str) -> Script:
    """E = u + s v with s = sqrt(d), or s = -sqrt(d), has E' = d v + s u = s E."""
    rate = f"{'' if sign == '+' else '-'}sqrt(d)"
    value = f"u(w) {sign} sqrt(d)*v(w)"

    def script(g: Goal) -> None:
        system = g.intro()[1]
        g.have("0 < sqrt(d)", Goal.auto)
        root = g.by_fact("sqrt_sq", "d", by=[Goal.auto])

        def derivative(g: Goal) -> None:
            g.fix("t")
            a, b = g.split(g.apply(system, "t", by=[using(g.assume())]))
            g.field((a, 1), (b, rate), (root, "-v(t)"))

        law = g.have(f"all t:R. 0 <= t => D(w, {value}, t) = {rate}*(u(t) {sign} sqrt(d)*v(t))", derivative)

        def linear(g: Goal) -> None:
            g.fix("t")
            k = g.apply(law, "t", by=[using(g.assume())])
            g.field((k, 1))

        solved = g.by_fact("linear_ode", "0", f"lam w:R. {value}", f"lam w:R. {rate}*w", by=[None, linear])

        def now(g: Goal) -> None:
            g.fix("t")
            k = g.apply(solved, "t", by=[using(g.assume())])
            g.field((k, 1))

        g.conj(using(law), now)

    return script


def statement(sign: str) -> str:
    """One of the two modes: its derivative, and the exponential that it is."""
    rate = f"{'' if sign == '+' else '-'}sqrt(d)"
    combination = f"u(t) {sign} sqrt(d)*v(t)"
    return f"""{MOMENTS}
       (all t:R. 0 <= t => D(w, u(w) {sign} sqrt(d)*v(w), t) = {rate}*({combination})) and
       (all t:R. 0 <= t => {combination} = {start(sign)}*exp({rate}*t))"""


@holds("varre2023.step-d-plus-mode", statement("+"), argument="sound", context=SYSTEM, reading=READING)
def growing_mode(g: Goal) -> None:
    """u + sqrt(d) v grows with the rate sqrt(d)."""
    mode("+")(g)


@holds("varre2023.step-d-minus-mode", statement("-"), argument="sound", context=SYSTEM, reading=READING)
def decaying_mode(g: Goal) -> None:
    """u - sqrt(d) v decays with the rate sqrt(d)."""
    mode("-")(g)


PLUS, MINUS = f"{start('+')}*exp(sqrt(d)*t)", f"{start('-')}*exp(-(sqrt(d)*t))"
SOLUTION = f"u(t) = ({PLUS} + {MINUS})/2 and v(t) = ({PLUS} - {MINUS})/(2*sqrt(d))"


@part(
    "varre2023.step-d-second-moments-solution",
    "zero-start",
    f"not ({MOMENTS} tendsoo(t, u(t)))",
    says="a column that starts at zero stays there, and its second moments do not tend to infinity",
)
def zero_stays_zero(g: Goal) -> None:
    """u = v = 0 solves the system for d = 1."""
    h = g.assume()

    def solves(g: Goal) -> None:
        g.intro()
        g.conj(lambda g: g.field(), lambda g: g.field())

    limit = g.apply(h, "1", "lam w:R. 0", "lam w:R. 0", by=[None, solves])
    large = g.apply(g.split(g.fact("tendsoo_definition", "lam w:R. 0"))[0], by=[using(limit)])
    (k,) = g.obtain(g.apply(large, "1"), "a")
    wrong = g.have("1 < 0", lambda g: g.close_by(g.apply(k, "a", by=[Goal.refl])))
    g.pos([f"@{wrong}"], [1])


def modes(g: Goal, positive: str, system: str, t: str) -> list[str]:
    """Both modes at the time t."""
    found = []
    for claim in ("plus", "minus"):
        h = g.lemma(f"varre2023.step-d-{claim}-mode", "statement", "d", "u", "v", by=[using(positive), using(system)])
        found.append(g.apply(g.split(h)[1], "t", by=[using(t)]))
    return found


@holds(
    "varre2023.step-d-second-moments-solution",
    f"""{MOMENTS}
       (all t:R. 0 <= t => {SOLUTION}) and (0 < {start("+")} => tendsoo(t, u(t)) and tendsoo(t, v(t)))""",
    uses=["varre2023.step-d-plus-mode", "varre2023.step-d-minus-mode"],
    argument="sound",
    context=SYSTEM,
    added="for the limit, the column does not start at zero",
    reading=READING,
    readings=[("the limit for zero initial data as well", "refuted", "zero-start")],
)
def second_moments_in_closed_form(g: Goal) -> None:
    """Half the sum and half the difference of the modes; the growing one has the coefficient c_0 > 0, and |c_1| bounds the other."""
    positive, system = g.intro()
    g.have("0 < sqrt(d)", Goal.auto)

    def closed(g: Goal) -> None:
        g.fix("t")
        plus, minus = modes(g, positive, system, g.assume())
        g.conj(
            lambda g: g.field((plus, "1/2"), (minus, "1/2")),
            lambda g: g.field((plus, "1/(2*sqrt(d))"), (minus, "-1/(2*sqrt(d))")),
        )

    form = g.have(f"all t:R. 0 <= t => {SOLUTION}", closed)

    def limits(g: Goal) -> None:
        above = g.assume()
        g.conj(lambda g: grows(g, above, form, 0), lambda g: grows(g, above, form, 1))

    g.conj(using(form), limits)


def grows(g: Goal, above: str, form: str, which: int) -> None:
    """u (which = 0) or v (which = 1) exceeds b once exp(sqrt(d) t) exceeds (2 s |b| + |c_1|)/c_0, with s = 1 or sqrt(d)."""
    name, scale = ("u", "1") if which == 0 else ("v", "sqrt(d)")
    first, second = start("+"), start("-")
    exponential = g.by_fact("tendsoo_exp", "sqrt(d)")
    growth = g.apply(g.split(g.fact("tendsoo_definition", "lam w:R. exp(sqrt(d)*w)"))[0], by=[using(exponential)])
    back = g.split(g.fact("tendsoo_definition", f"lam w:R. {name}(w)"))[1]

    def beyond(g: Goal) -> None:
        g.fix("b")
        (far,) = g.obtain(g.apply(growth, f"(2*{scale}*abs(b) + abs({second}))/{first}"), "a")
        g.witness("abs(a)")
        g.fix("t")
        late = g.assume()
        after = g.have("a <= t", lambda g: g.pos([f"@{late}"], [f"@{between(g, 'a')[1]}"]))
        later = g.have("0 <= t", lambda g: g.pos([f"@{late}"], ["abs(a)"]))
        big = g.apply(far, "t", by=[using(after)])
        value = g.split(g.apply(form, "t", by=[using(later)]))[which]
        decay = g.by_fact("exp_mono", "-(sqrt(d)*t)", "0", by=[lambda g: g.pos([f"@{later}", "sqrt(d)"])])
        one = g.fact("exp_zero")
        small = g.have("exp(-(sqrt(d)*t)) <= 1", lambda g: g.pos([f"@{decay}"], eqs=[(one, -1)]))
        bound = between(g, "b")[1]
        other = between(g, second)[which]
        half = ["1/2"] if which == 0 else []
        g.pos(
            [f"@{big}", first, *half],
            [f"@{bound}", *(["2*sqrt(d)"] if which else [])],
            [f"@{other}", "exp(-(sqrt(d)*t))", *half],
            [f"abs({second})", f"@{small}", *half],
            mul=["2*sqrt(d)"] if which else [],
            eqs=[(value, "2*sqrt(d)" if which else 1)],
        )

    g.close_by(g.apply(back, by=[beyond]))


def between(g: Goal, x: str) -> list[str]:
    """-|x| <= x and x <= |x|."""
    return g.split(g.apply(g.split(g.fact("abs_le", x, f"abs({x})"))[0], by=[Goal.refl]))
