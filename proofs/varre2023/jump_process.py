"""Theorem C.12 and the jump process: the singular values of beta for gamma to 0 with the time ln(1/gamma) t."""

from __future__ import annotations

import re
from collections.abc import Callable

from proofs.razin2020.scripts import nested, using
from proofs.varre2023.rescaled_limits import GAIN
from proofs.varre2023.riccati import TARGET
from proofs.varre2023.riccati_scalars import printed
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted

CLAIM = "varre2023.thm-c-12-limit"
S = TARGET
FLOW = "(T(X) @ (Y - X @ Z1(t) @ Z2(t)))"
STARTED = f"""Z1(0) = sqrt(2*exp(-x))*(P @ T(P)) and Z2(0) = O(p,k) and
       (all t:R. 0 <= t => Z1'(t) = {FLOW} @ T(Z2(t)) and Z2'(t) = T(Z1(t)) @ {FLOW})"""
DATA = "all n p k l i:Z, b:R, X:M(n,p), Y:M(n,k), P:M(p,l), f:R->R. P @ T(P) = I(p) => T(X) @ X = I(p) =>"
FAMILY = f"(all x:R. 0 <= x => ex Z1:R~>M(p,p), Z2:R~>M(p,k). {STARTED} and f(x) = sv(Z1(x*b) @ Z2(x*b), i)) =>"
VALUE = f"sv({S},i)"
JUMP = f"1/(2*{VALUE})"
STATEMENT = f"{DATA} 0 < {VALUE} => 0 <= b => {FAMILY}"
READING = "gamma = exp(-x), so that ln(1/gamma) = x tends to infinity; b >= 0 stands for t, f(x) for sigma_{beta,i} at the time x b along the flow with this gamma"


GAIN_AT = re.sub(r"\bt\b", "b", GAIN)
TIME = "(x*b)"
DIMENSIONS = ("n", "p", "k", "l", "i")


@part(
    CLAIM,
    "one-gamma",
    f"""{DATA.replace("f:R->R.", "s x:R, Z1:R~>M(p,p), Z2:R~>M(p,k).")} 0 < {VALUE} => 0 < b => s = {VALUE} => 0 <= x =>
       {STARTED} => sv(Z1(x*b) @ Z2(x*b), i) = {GAIN_AT}""",
    says="the singular value in closed form, for one gamma",
    uses=["varre2023.thm-c-12-formula", "varre2023.step-c-12-beta-h", "varre2023.step-c-12-limit-cases"],
)
def rescaled_singular_value(g: Goal) -> None:
    """Theorem C.12 at the time x b, in terms of h."""
    ortho, white, positive, forward, value, late, first, second, law = g.intro()
    g.have("0 < s", lambda g: (g.rewrite(value), g.close_by(positive)))
    c = "exp(-x)"
    q, e = f"sqrt(s^2 + {c}^2)", f"exp(-2*{TIME}*sqrt(s^2 + {c}^2))"
    a = (
        printed(TIME)
        .replace("c^2", f"{c}^2")
        .replace("(c + ", f"({c} + ")
        .replace("- c/s", f"- {c}/s")
        .replace(" - c)", f" - {c})")
    )
    time = g.have(f"0 <= {TIME}", lambda g: g.pos([f"@{late}", "b"]))
    given = [None, using(ortho), using(first), using(second), using(law), using(white)]
    h = g.lemma("varre2023.thm-c-12-formula", "statement", "n", "p", "k", "l", c, "X", "Y", "P", "Z1", "Z2", by=given)
    h = g.apply(h, TIME, "i", "s", q, e, a, by=[using(time), using(value), None, Goal.refl, Goal.refl, None])
    v, w = f"({q} - {c})", f"({q} + {c})"
    e2 = f"exp(-{TIME}*({v} + {w}))"
    hh = f"({v} + {w})*{e2}/({w} + {v}*{e2})"
    k = g.lemma(
        "varre2023.step-c-12-beta-h",
        "statement",
        c,
        "s",
        TIME,
        v,
        w,
        e2,
        hh,
        a,
        by=[None, None, Goal.refl, Goal.refl, lambda g: g.field(), Goal.refl, None, using(time)],
    )
    one, two = g.split(k)
    form = g.lemma("varre2023.step-c-12-limit-cases", "statement", "s", "b", by=[None, using(forward)])
    last = g.split(form)[-1]
    done = g.apply(
        last,
        "x",
        "sv(Z1(x*b) @ Z2(x*b), i)",
        by=[using(late), lambda g: (g.rewrite(h), g.rewrite(one), g.rewrite(two), g.refl())],
    )
    g.close_by(done)


@part(
    CLAIM,
    "closed-form",
    f"{STATEMENT.replace('0 <= b', '0 < b')} all s:R. s = {VALUE} => all x:R. 0 <= x => f(x) = {GAIN_AT}",
    says="the singular value in closed form",
)
def rescaled_singular_values(g: Goal) -> None:
    """For each gamma."""
    ortho, white, positive, forward, family, value, late = g.intro()
    first, second, law, same = g.obtain(g.apply(family, "x", by=[using(late)]), "A", "B")
    started = [lambda g: g.conj(using(first), using(second), using(law))]
    given = [using(h) for h in (ortho, white, positive, forward, value, late)]
    h = g.lemma(CLAIM, "part:one-gamma", *DIMENSIONS, "b", "X", "Y", "P", "s", "x", "A", "B", by=[*given, *started])
    g.rewrite(same)
    g.close_by(h)


BELOW, ABOVE = f"b < {JUMP}", f"{JUMP} < b"
LIMITS = ["varre2023.step-c-12-limit-cases", CLAIM]


@part(
    CLAIM,
    "three-cases",
    f"""{STATEMENT} ({BELOW} => tends(x, f(x), 0)) and (b = {JUMP} => tends(x, f(x), {VALUE}/(1 + 2*{VALUE}))) and
       ({ABOVE} => tends(x, f(x), {VALUE}))""",
    says="the limits below, at and above the threshold",
    uses=LIMITS,
)
def limits_of_the_singular_value(g: Goal) -> None:
    """For t > 0 the closed form and its limits, for t = 0 the singular value of Z_1(0) O = O."""
    ortho, white, positive, late, family = g.intro()
    g.em(
        "0 < b",
        lambda g: later_limits(g, ortho, white, positive, family),
        lambda g: limits_at_the_start(g, late, family),
    )


def limits_at_the_start(g: Goal, late: str, family: str) -> None:
    """All values are those of Z_1(0) O = O, and 0 is below the threshold."""
    low = next(reversed(g.seq.hyps))
    zero = g.have("b = 0", lambda g: g.close_by(g.by_fact("le_antisym", "b", 0, by=[using(low), using(late)])))
    early = g.have(BELOW, lambda g: (g.rewrite(zero), g.auto()))

    def nothing(g: Goal) -> None:
        g.fix("x")
        first, second, law, same = g.obtain(g.apply(family, "x", by=[using(g.assume())]), "A", "B")
        product = g.have(
            "A(x*b) @ B(x*b) = O(p,k)",
            lambda g: (g.rewrite(zero), g.rewrite(g.have("x*0 = 0", lambda g: g.field())), g.rewrite(second), g.nc()),
        )
        empty = g.have("A(x*b) @ B(x*b) = 0*O(p,k)", lambda g: g.nc((product, 1, None, None)))
        g.rewrite(same)
        g.rewrite(empty)
        g.rewrite(g.fact("sv_scale", "p", "k", "i", 0, "O(p,k)"))
        g.auto()

    constant = g.fact("tends_const", 0)
    limit = g.by_fact("tends_ext", 0, 0, "lam x:R. 0", "lam x:R. f(x)", by=[nothing, using(constant)])

    def impossible(g: Goal) -> None:
        other = g.assume()
        g.step("absurd", h=g.have("false", lambda g: g.nlin(products=1, use=[early, other])))

    g.conj(lambda g: (g.assume(), g.close_by(limit)), impossible, impossible)


def later_limits(g: Goal, ortho: str, white: str, positive: str, family: str) -> None:
    """The closed form and its limits."""
    forward = next(reversed(g.seq.hyps))
    given = [using(h) for h in (ortho, white, positive, forward, family)]
    h = g.lemma(CLAIM, "part:closed-form", *DIMENSIONS, "b", "X", "Y", "P", "f", by=given)
    same = g.apply(h, VALUE, by=[Goal.refl])
    three = g.split(g.lemma("varre2023.step-c-12-limit-cases", "statement", VALUE, "b", by=[using(positive), using(forward)]))

    def case(index: int) -> Script:
        def script(g: Goal) -> None:
            done = g.apply(three[index], by=[using(g.assume())])
            _, var, body, at = g.hyp_formula(done)

            def agree(g: Goal) -> None:
                g.fix("x")
                e = g.apply(same, "x", by=[using(g.assume())])
                g.rewrite(e)
                g.refl()

            g.close_by(g.by_fact("tends_ext", 0, at, ("lam", ((var, "R"),), body), "lam x:R. f(x)", by=[agree, using(done)]))

        return script

    g.conj(*[case(i) for i in range(3)])


ONE = "[[1]]"
VALUE_ONE = f"sv(T({ONE}) @ {ONE}, 1)"


def counterexample(g: Goal, otherwise: Callable[[Goal, str, str], None]) -> None:
    """One dimension, X = Y = P = 1, at the threshold; `otherwise` goes on with the limit s/(1 + 2 s) of f and s > 0."""
    size = g.by_fact("sv_frobenius", 1, 1, f"T({ONE}) @ {ONE}", by=[Goal.auto])
    nonneg = g.split(g.apply(g.fact("sv_range", 1, 1, f"T({ONE}) @ {ONE}"), 1, 1))[0]

    def nonzero(g: Goal) -> None:
        small = g.contra()
        zero = g.by_fact("le_antisym", VALUE_ONE, 0, by=[using(small), using(nonneg)])
        g.pos([], eqs=[(size, -1), (zero, f"-({VALUE_ONE})")])

    positive = g.have(f"0 < {VALUE_ONE}", nonzero)
    time = f"1/(2*{VALUE_ONE})"
    value = re.sub(r"\bs\b", VALUE_ONE, re.sub(r"\bt\b", f"({time})", GAIN))
    path = f"lam x:R. {value}"

    def flows(g: Goal) -> None:
        g.fix("x")
        late = g.assume()
        flow = g.fact("two_layer_flow", 1, 1, 1, "sqrt(2*exp(-x))*[[1]]", "O(1,1)", ONE, ONE)
        first, second, law = g.obtain(flow, "A", "B")

        def start(g: Goal) -> None:
            g.rewrite(first)
            g.ext(lambda g: g.field())

        def gradient(g: Goal) -> None:
            g.fix("t")
            g.assume()
            a, b = g.split(g.apply(law, "t"))
            g.conj(lambda g: (g.rewrite(a), g.ext(lambda g: g.field())), lambda g: (g.rewrite(b), g.ext(lambda g: g.field())))

        begun = g.have(f"A(0) = sqrt(2*exp(-x))*({ONE} @ T({ONE}))", start)
        res = f"(T({ONE}) @ ({ONE} - {ONE} @ A(t) @ B(t)))"
        moves = g.have(f"all t:R. 0 <= t => A'(t) = {res} @ T(B(t)) and B'(t) = T(A(t)) @ {res}", gradient)
        started = [lambda g: g.conj(using(begun), using(second), using(moves))]
        unit = [lambda g: g.ext(lambda g: g.field())] * 2
        h = g.lemma(
            CLAIM, "part:one-gamma", 1, 1, 1, 1, 1, time, ONE, ONE, ONE, VALUE_ONE, "x", "A", "B",
            by=[*unit, using(positive), using(forward), Goal.refl, using(late), *started],
        )  # fmt: skip
        g.witness("A", "B")
        g.conj(using(begun), using(second), using(moves), lambda g: (g.rewrite(h), g.refl()))

    def goes_on(g: Goal) -> None:
        h = g.lemma("varre2023.step-c-12-limit-cases", "statement", VALUE_ONE, time, by=[using(positive), using(forward)])
        otherwise(g, g.apply(g.split(h)[1], by=[Goal.refl]), positive)

    forward = g.have(f"0 < {time}", Goal.auto)
    g.witness(1, 1, 1, 1, 1, time, ONE, ONE, ONE, path)
    unit = lambda g: g.ext(lambda g: g.field())  # noqa: E731
    nested(g, unit, unit, using(positive), Goal.auto, flows, goes_on)


def other_limit(g: Goal, limit: str, claimed: str, positive: str) -> None:
    """The function does not tend to 0, or to s."""
    tends = g.contra()
    _, var, body, at = g.hyp_formula(limit)
    same = g.by_fact("tends_unique", at, claimed, ("lam", ((var, "R"),), body), by=[using(limit), using(tends)])
    v = VALUE_ONE
    g.have(f"0 < 1 + 2*{v}", Goal.auto)
    if claimed == "0":
        g.pos([v], mul=[], eqs=[(same, f"-(1 + 2*{v})")])
    else:
        g.pos([v, v, 2], eqs=[(same, f"1 + 2*{v}")])


@refuted(
    CLAIM,
    f"{STATEMENT} ({BELOW} => tends(x, f(x), 0)) and ({JUMP} <= b => tends(x, f(x), {VALUE}))",
    argument="fails",
    reading=READING,
    reason="false at the single point t = 1/(2 s), where the limit is s/(1 + 2 s), as the last display of the printed proof says; for every other t >= 0 it holds",
    uses=LIMITS,
)
def value_at_the_threshold(g: Goal) -> None:
    """'Otherwise' includes the threshold."""

    def wrong(g: Goal, limit: str, positive: str) -> None:
        g.left_or_right(1)
        g.conj(Goal.refl, lambda g: other_limit(g, limit, VALUE_ONE, positive))

    counterexample(g, wrong)


@amendment(
    CLAIM,
    f"""{STATEMENT} ({BELOW} => tends(x, f(x), 0)) and (b = {JUMP} => tends(x, f(x), {VALUE}/(1 + 2*{VALUE}))) and
       ({ABOVE} => tends(x, f(x), {VALUE}))""",
    says="s for t > 1/(2 s), and s/(1 + 2 s) at t = 1/(2 s)",
)
def limits_in_all_cases(g: Goal) -> None:
    """Proved above."""
    g.close_by(g.lemma(CLAIM, "part:three-cases"))


@refuted(
    "varre2023.assertion-jump-process",
    f"{STATEMENT} ({ABOVE} => tends(x, f(x), {VALUE})) and (b <= {JUMP} => tends(x, f(x), 0))",
    reading=f"{READING}; the limit for every fixed t >= 0, as printed",
    reason="false at the single point t = 1/(2 s), where the indicator is 0 and the limit s/(1 + 2 s); for every other t >= 0 the display holds, so that it is right as a limit away from the jump",
    uses=LIMITS,
)
def indicator_at_the_threshold(g: Goal) -> None:
    """The indicator of t > 1/(2 s) vanishes at the threshold."""

    def wrong(g: Goal, limit: str, positive: str) -> None:
        g.left_or_right(1)
        g.conj(Goal.refl, lambda g: other_limit(g, limit, "0", positive))

    counterexample(g, wrong)


AWAY = f"{STATEMENT} ({ABOVE} => tends(x, f(x), {VALUE})) and ({BELOW} => tends(x, f(x), 0))"


@amendment("varre2023.assertion-jump-process", AWAY, says="for every t >= 0 except t = 1/(2 s)", uses=[CLAIM])
def jump_away_from_the_threshold(g: Goal) -> None:
    """Two of the three cases."""
    cases(g, 2, 0)


@holds(
    "varre2023.assertion-activation-time",
    AWAY,
    argument="sound",
    reading=f"{READING}; before the time ln(1/gamma)/(2 s), by any fixed factor, the singular value tends to 0 with gamma, after it to s",
    uses=[CLAIM],
)
def activated_at_the_threshold(g: Goal) -> None:
    """Two of the three cases."""
    cases(g, 2, 0)


def cases(g: Goal, *which: int) -> None:
    """Some of the three cases, in this order."""
    given = g.intro()
    h = g.lemma(CLAIM, "part:three-cases", *DIMENSIONS, "b", "X", "Y", "P", "f", by=[using(n) for n in given])
    three = g.split(h)
    g.conj(*[using(three[i]) for i in which])


@holds(
    "varre2023.assertion-incremental-order",
    f"""{DATA.replace(" i:Z,", " i j:Z,").replace("f:R->R.", "f h:R->R.")} 0 < sv({S},j) => sv({S},j) < {VALUE} => {JUMP} < 1/(2*sv({S},j)) and
       all b:R. {JUMP} < b => b < 1/(2*sv({S},j)) => {FAMILY} {FAMILY.replace("f(x)", "h(x)").replace(", i)", ", j)")}
         tends(x, f(x), {VALUE}) and tends(x, h(x), 0)""".replace("b:R, X", "X").replace(" b:R,", ""),
    argument="sound",
    reading=f"{READING}, h(x) for sigma_{{beta,j}}: of two different singular values the larger is activated first, and at the times between the other one is still 0 in the limit",
    uses=[CLAIM],
)
def larger_values_first(g: Goal) -> None:
    """1/(2 s) decreases."""
    ortho, white, small, less = g.intro()
    one, two = VALUE, f"sv({S},j)"
    large = g.have(f"0 < {one}", lambda g: g.pos([f"@{small}"], [f"@{less}"]))
    order = g.have(f"{JUMP} < 1/(2*{two})", lambda g: g.pos([f"@{less}", "1/2"], mul=[one, two]))

    def between(g: Goal) -> None:
        g.fix("b")
        after, before = g.assume(), g.assume()
        first, second = g.assume(), g.assume()
        forward = g.have("0 <= b", lambda g: g.pos([f"@{after}"], [f"1/(2*{one})"]))
        a = g.lemma(
            CLAIM,
            "part:three-cases",
            *DIMENSIONS,
            "b",
            "X",
            "Y",
            "P",
            "f",
            by=[using(h) for h in (ortho, white, large, forward, first)],
        )
        b = g.lemma(
            CLAIM,
            "part:three-cases",
            "n",
            "p",
            "k",
            "l",
            "j",
            "b",
            "X",
            "Y",
            "P",
            "h",
            by=[using(h) for h in (ortho, white, small, forward, second)],
        )
        g.conj(
            lambda g: g.close_by(g.apply(g.split(a)[2], by=[using(after)])),
            lambda g: g.close_by(g.apply(g.split(b)[0], by=[using(before)])),
        )

    g.conj(using(order), between)
