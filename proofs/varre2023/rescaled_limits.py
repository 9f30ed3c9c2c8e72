"""Theorem C.12 and the jump process: the limits of the singular values for gamma = exp(-x), x to infinity, at the times x t."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CLAIM = "varre2023.step-c-12-exp-h-limit"
C = "exp(-x)"
Q = f"sqrt(s^2 + {C}^2)"
V, W = f"({Q} - {C})", f"({Q} + {C})"
E = f"exp(-x*t*({V} + {W}))"
H = f"({V} + {W})*{E}/({W} + {V}*{E})"
REST = f"2*{Q}*exp(-2*x*t*exp(-2*x)/(s + {Q}))/({Q} + {C} + {V}*{E})"
FORM = f"exp(x*(1 - 2*t*s))*({REST})"


def function(g: Goal, h: str) -> tuple[object, object]:
    """The function and the limit of a hypothesis that says that it has one."""
    _, var, body, at = g.hyp_formula(h)
    return ("lam", ((var, "R"),), body), at


def combined(g: Goal, fact: str, h: str, k: str, *by: Script) -> str:
    """The limit of a sum, product or quotient."""
    (f, a), (e, b) = function(g, h), function(g, k)
    return g.by_fact(fact, a, b, f, e, by=[using(h), using(k), *by])


def composed(g: Goal, h: str, body: str, condition: Script | None = None) -> str:
    """The limit of a function of y, continuous at the limit of y."""
    f, a = function(g, h)
    return g.by_fact("tends_compose", a, f, f"lam y:R. {body}", by=[using(h), condition])


def becomes(g: Goal, h: str, body: str, value: str, after: str = "0") -> str:
    """The same limit, the function and the value written otherwise; they are equal for x >= after."""
    f, a = function(g, h)

    def same(g: Goal) -> None:
        g.fix("x")
        late = g.assume()
        facts_at(g, late)
        g.field()

    k = g.by_fact("tends_ext", after, a, f, f"lam x:R. {body}", by=[same, using(h)])
    equal = g.have(("=", a, g.term(value)), lambda g: g.field())
    return g.rewritten(k, equal)


def facts_at(g: Goal, late: str) -> None:
    """Signs at a point x: q > c > 0, w > 0, v > 0."""
    g.have(f"0 < s^2 + {C}^2", Goal.auto)
    g.have(f"0 < {Q}", Goal.auto)
    squares = g.have(f"{Q}^2 = s^2 + {C}^2", lambda g: g.field())
    above = g.have(f"{C} < {Q}", lambda g: strictly(g, squares))
    g.have(f"0 < {V}", lambda g: g.pos([f"@{above}"]))


def strictly(g: Goal, squares: str) -> None:
    """exp(-x) < q from their squares."""
    less = g.contra()
    g.pos([f"@{less}", f"{Q} + {C}"], ["s^2"], eqs=[(squares, 1)])


def roots(g: Goal) -> tuple[str, str, str]:
    """exp(-x) tends to 0, q to s, x exp(-2 x) to 0."""
    small = becomes(g, g.by_fact("tends_exp_decay", 1, by=[Goal.auto]), C, "0")
    big = composed(g, small, "sqrt(s^2 + y^2)", Goal.auto)
    root = g.by_fact("sqrt_unique", "s^2 + 0^2", "s", by=[None, lambda g: g.field()])
    value = g.have("sqrt(s^2 + 0^2) = s", using(root))
    big = g.rewritten(big, value)
    slow = becomes(g, g.by_fact("tends_exp_beats_power", 2, 1, by=[Goal.auto, Goal.auto]), "x*exp(-2*x)", "0")
    return small, big, slow


@part(
    CLAIM,
    "roots",
    f"all s:R. 0 < s => tends(x, {C}, 0) and tends(x, {Q}, s) and tends(x, x*exp(-2*x), 0)",
    says="limits of the parts",
)
def limits_of_the_parts(g: Goal) -> None:
    """Exponentials beat powers."""
    g.intro()
    small, big, slow = roots(g)
    g.conj(using(small), using(big), using(slow))


@part(
    CLAIM,
    "fading",
    f"all s t:R. 0 < s => 0 < t => tends(x, {E}, 0)",
    says="exp(-x t (v + w)) tends to 0",
)
def exponential_fades(g: Goal) -> None:
    """v + w = 2 q >= 2 s."""
    g.intro()
    decay = g.by_fact("tends_exp_decay", "2*t*s", by=[Goal.auto])
    decay = becomes(g, decay, "exp(-(2*t*s)*x)", "0")
    zero = g.fact("tends_const", 0)

    def between(g: Goal) -> None:
        g.fix("x")
        late = g.assume()
        facts_at(g, late)
        squares = g.have(f"{Q}^2 = s^2 + {C}^2", lambda g: g.field())

        def larger(g: Goal) -> None:
            less = g.contra()
            g.pos([f"@{less}", f"{Q} + s"], [f"{C}^2"], eqs=[(squares, 1)])

        above = g.have(f"s <= {Q}", larger)
        mono = g.by_fact("exp_mono", f"-x*t*({V} + {W})", "-(2*t*s)*x", by=[lambda g: g.pos([f"@{above}", f"@{late}", "t", 2])])
        g.conj(lambda g: g.auto(), using(mono))

    g.close_by(
        g.by_fact(
            "tends_squeeze",
            0,
            0,
            "lam x:R. 0",
            f"lam x:R. {E}",
            "lam x:R. exp(-(2*t*s)*x)",
            by=[between, using(zero), using(decay)],
        )
    )


@part(
    CLAIM,
    "rest",
    f"all s t:R. 0 < s => 0 < t => tends(x, {REST}, 2) and tends(x, {H}, 0) and tends(x, {V}, s) and all x:R. exp(x)*({H}) = {FORM}",
    says="the factor beside exp(x (1 - 2 t s)) tends to 2, h to 0",
)
def rest_tends_to_two(g: Goal) -> None:
    """q - s = exp(-2 x)/(s + q)."""
    a, b = g.intro()
    small, big, slow = g.split(g.lemma(CLAIM, "part:roots", "s", by=[using(a)]))
    fading = g.lemma(CLAIM, "part:fading", "s", "t", by=[using(a), using(b)])
    minus = g.by_fact("tends_scale", -1, 0, f"lam x:R. {C}", by=[using(small)])
    v = becomes(g, combined(g, "tends_add", big, minus), V, "s")
    tail = combined(g, "tends_mul", v, fading)
    w = combined(g, "tends_add", big, small)
    den = combined(g, "tends_add", w, tail)
    one = g.fact("tends_const", "s")
    wide = combined(g, "tends_add", one, big)
    slower = combined(g, "tends_div", slow, wide, Goal.auto)
    slower = becomes(g, composed(g, slower, "2*exp(-2*t*y)"), f"2*exp(-2*x*t*exp(-2*x)/(s + {Q}))", "2")
    top = combined(g, "tends_mul", big, slower)
    rest = becomes(g, combined(g, "tends_div", top, den, Goal.auto), REST, "2")
    double = g.by_fact("tends_scale", 2, "s", f"lam x:R. {Q}", by=[using(big)])
    high = combined(g, "tends_mul", double, fading)
    h = becomes(g, combined(g, "tends_div", high, den, Goal.auto), H, "0")

    def form(g: Goal) -> None:
        g.fix("x")
        g.have(f"0 < s^2 + {C}^2", Goal.auto)
        g.have(f"0 < {Q}", Goal.auto)
        squares = g.have(f"{Q}^2 = s^2 + {C}^2", lambda g: g.field())
        above = g.have(f"{C} < {Q}", lambda g: strictly(g, squares))
        g.have(f"0 < {V}", lambda g: g.pos([f"@{above}"]))
        g.have(f"0 < {W} + {V}*{E}", Goal.auto)
        same = g.have(
            f"-x*t*({V} + {W}) = x*(1 - 2*t*s) + -2*x*t*exp(-2*x)/(s + {Q}) - x",
            lambda g: g.field((squares, f"-2*x*t/(s + {Q})")),
        )
        slow_part = f"exp(-2*x*t*exp(-2*x)/(s + {Q}))"
        law = g.have("all c a b:R. exp(c)*exp(a + b - c) = exp(a)*exp(b)", lambda g: (g.fix(), g.field()))
        split = g.have(
            f"exp(x)*{E} = exp(x*(1 - 2*t*s))*{slow_part}",
            lambda g: (g.rewrite(same), g.close_by(g.apply(law, "x", "x*(1 - 2*t*s)", f"-2*x*t*exp(-2*x)/(s + {Q})"))),
        )
        g.field((split, f"2*{Q}/({W} + {V}*{E})"))

    g.conj(using(rest), using(h), using(v), form)


SETTING = "all s t:R. 0 < s => 0 < t =>"
GROWTH = f"exp(x)*({H})"


def form_everywhere(g: Goal, names: list[str]) -> tuple[str, str, str, str]:
    """The limits of the factor, of h and of v, and the factorisation."""
    h = g.lemma(CLAIM, "part:rest", "s", "t", by=[using(names[0]), using(names[1])])
    rest, fading, v, form = g.split(h)
    return rest, fading, v, form


@holds(
    CLAIM,
    f"""{SETTING} (all x:R. exp(x)*({H}) = {FORM}) and (t < 1/(2*s) => tendsoo(x, {GROWTH})) and
       (t = 1/(2*s) => tends(x, {GROWTH}, 2)) and (1/(2*s) < t => tends(x, {GROWTH}, 0))""",
    argument="sound",
    reading="x stands for c, with gamma = exp(-x)",
)
def growth_of_h(g: Goal) -> None:
    """exp(x (1 - 2 t s)) times a factor that tends to 2."""
    names = g.intro()
    rest, _, _, form = form_everywhere(g, names)

    def same(g: Goal) -> None:
        g.fix("x")
        g.assume()
        g.field((g.apply(form, "x"), -1))

    def below(g: Goal) -> None:
        small = g.assume()
        k = g.obtain(g.have("ex k:R. k = 1 - 2*t*s", lambda g: (g.witness("1 - 2*t*s"), g.refl())), "k")[0]
        positive = g.have("0 < k", lambda g: (g.rewrite(k), g.pos([f"@{small}", "2*s"])))
        exponential = g.by_fact("tendsoo_exp", "k", by=[using(positive)])
        growth = g.apply(g.split(g.fact("tendsoo_definition", "lam x:R. exp(k*x)"))[0], by=[using(exponential)])
        back = g.split(g.fact("tendsoo_definition", f"lam x:R. {GROWTH}"))[1]
        f, two = function(g, rest)
        (late,) = g.obtain(g.by_fact("tends_eventually_gt", two, 1, f, by=[using(rest), Goal.auto]), "r")

        def large(g: Goal) -> None:
            g.fix("b")
            (far,) = g.obtain(g.apply(growth, "b"), "q")
            g.witness("max(q,r)")
            g.fix("x")
            h = g.assume()
            cases = g.fact("max_cases", "q", "r")
            one = g.apply(far, "x", by=[lambda g: g.cases(cases, *[beyond(h)] * 2)])
            two = g.apply(late, "x", by=[lambda g: g.cases(cases, *[beyond(h)] * 2)])
            shape = g.apply(form, "x")
            g.rewrite(shape)
            same = g.have("exp(k*x) = exp(x*(1 - 2*t*s))", lambda g: (g.rewrite(k), g.field()))
            e = "exp(x*(1 - 2*t*s))"
            g.pos([f"@{one}"], [f"@{two}", e], eqs=[(same, -1)])

        g.apply(back, by=[large])
        g.close_by(next(reversed(g.seq.hyps)))

    def threshold(g: Goal) -> None:
        equal = g.assume()
        f, two = function(g, rest)

        def flat(g: Goal) -> None:
            g.fix("x")
            g.assume()
            shape = g.apply(form, "x")
            g.rewrite(shape)
            none = g.have(
                "exp(x*(1 - 2*t*s)) = 1",
                lambda g: (
                    g.have("x*(1 - 2*t*s) = 0", lambda g: g.field((equal, "-2*s*x")), name="zero"),
                    g.rewrite("zero"),
                    g.close_by(g.fact("exp_zero")),
                ),
            )
            g.rewrite(none)
            g.field()

        g.close_by(g.by_fact("tends_ext", 0, two, f, f"lam x:R. {GROWTH}", by=[flat, using(rest)]))

    def above(g: Goal) -> None:
        wide = g.assume()
        decay = g.by_fact("tends_exp_decay", "2*t*s - 1", by=[lambda g: g.pos([f"@{wide}", "2*s"])])
        product = combined(g, "tends_mul", decay, rest)
        f, a = function(g, product)

        def shape(g: Goal) -> None:
            g.fix("x")
            g.assume()
            g.rewrite(g.apply(form, "x"))
            g.rewrite(g.have("-(2*t*s - 1)*x = x*(1 - 2*t*s)", lambda g: g.field()))
            g.refl()

        k = g.by_fact("tends_ext", 0, a, f, f"lam x:R. {GROWTH}", by=[shape, using(product)])
        g.exact(g.rewritten(k, g.have(("=", a, 0), lambda g: g.field())))

    g.conj(using(form), below, threshold, above)


def beyond(late: str) -> Script:
    """From max(x, y) <= t."""

    def script(g: Goal) -> None:
        order, value = g.split(next(reversed(g.seq.hyps)))
        g.nlin(products=1, use=[late, order, value])

    return script


MIDDLE = f"{V}*({H})*exp(x)"
GAIN = f"2*s*(1 - {H})/(2 + {V}*({H})*exp(x)*(2 - {H}))"


@holds(
    "varre2023.step-c-12-limit-cases",
    f"""{SETTING} (t < 1/(2*s) => tends(x, {GAIN}, 0)) and (t = 1/(2*s) => tends(x, {GAIN}, s/(1 + 2*s))) and
       (1/(2*s) < t => tends(x, {GAIN}, s)) and (t < 1/(2*s) => tendsoo(x, {MIDDLE})) and
       (t = 1/(2*s) => tends(x, {MIDDLE}, 2*s)) and (1/(2*s) < t => tends(x, {MIDDLE}, 0)) and
       all x a:R. 0 <= x => a = s*(1 - {H})/(1 + {V}*({H})*(2 - {H})/(2*exp(-x))) => a = {GAIN}""",
    argument="sound",
    reading="x stands for c, with gamma = exp(-x); the singular value in the form of step-c-12-beta-h; the middle form s/(1 + l) with the limit l of v h exp(c), which is infinity, 2 s and 0 in the three cases, and s/infinity = 0",
    uses=[CLAIM],
)
def three_regimes(g: Goal) -> None:
    """h tends to 0, v to s; in the first case divide by exp(x) h."""
    names = g.intro()
    _, fading, v, _ = form_everywhere(g, names)
    whole = g.split(g.lemma(CLAIM, "statement", "s", "t", by=[using(names[0]), using(names[1])]))
    one = g.fact("tends_const", 1)
    two = g.fact("tends_const", 2)
    minus = g.by_fact("tends_scale", -1, 0, f"lam x:R. {H}", by=[using(fading)])
    rest = combined(g, "tends_add", one, minus)
    twice = combined(g, "tends_add", two, minus)
    top = g.by_fact("tends_scale", "2*s", *reversed(function(g, rest)), by=[using(rest)])

    def finish(g: Goal, h: str, value: str) -> None:
        f, a = function(g, h)

        def same(g: Goal) -> None:
            g.fix("x")
            late = g.assume()
            signs(g, late)
            g.field()

        k = g.by_fact("tends_ext", 0, a, f, f"lam x:R. {GAIN}", by=[same, using(h)])
        g.exact(g.rewritten(k, g.have(("=", a, g.term(value)), lambda g: g.field())))

    def signs(g: Goal, late: str) -> None:
        facts_at(g, late)
        small = g.by_fact("exp_mono", f"-x*t*({V} + {W})", 0, by=[lambda g: g.pos([f"@{late}", "t", f"{V} + {W}"])])
        zero = g.fact("exp_zero")
        g.have(f"0 < {H}", Goal.auto)
        less = g.have(f"{H} <= 1", lambda g: g.pos([W, f"@{small}"], mul=[f"{W} + {V}*{E}"], eqs=[(zero, W)]))
        g.have(f"0 < 2 - {H}", lambda g: g.pos([f"@{less}"], [1]))

    def bounded(index: int, value: str) -> Script:
        def script(g: Goal) -> None:
            growth = g.apply(whole[index], by=[using(g.assume())])
            low = combined(g, "tends_add", two, combined(g, "tends_mul", combined(g, "tends_mul", v, growth), twice))
            finish(g, combined(g, "tends_div", top, low, Goal.auto), value)

        return script

    def below(g: Goal) -> None:
        growth = g.apply(whole[1], by=[using(g.assume())])
        inverse = g.by_fact("tends_inverse_oo", f"lam x:R. {GROWTH}", by=[using(growth)])
        low = combined(g, "tends_add", combined(g, "tends_mul", two, inverse), combined(g, "tends_mul", v, twice))
        finish(g, combined(g, "tends_div", combined(g, "tends_mul", top, inverse), low, Goal.auto), "0")

    def form(g: Goal) -> None:
        g.fix("x", "a")
        late, value = g.assume(), g.assume()
        signs(g, late)
        g.rewrite(value)
        g.field()

    def middle(index: int, value: str) -> Script:
        def script(g: Goal) -> None:
            growth = g.apply(whole[index], by=[using(g.assume())])
            f, a = function(g, combined(g, "tends_mul", v, growth))
            product = next(reversed(g.seq.hyps))
            same = lambda g: (g.fix("x"), g.assume(), g.field())  # noqa: E731
            k = g.by_fact("tends_ext", 0, a, f, f"lam x:R. {MIDDLE}", by=[same, using(product)])
            g.exact(g.rewritten(k, g.have(("=", a, g.term(value)), lambda g: g.field())))

        return script

    def unbounded(g: Goal) -> None:
        """v >= s/2 from some time on, since v tends to s."""
        growth = g.apply(whole[1], by=[using(g.assume())])
        large = g.apply(g.split(g.fact("tendsoo_definition", f"lam x:R. {GROWTH}"))[0], by=[using(growth)])
        near = g.by_fact("tends_eventually_gt", "s", "s/2", f"lam x:R. {V}", by=[using(v), Goal.auto])
        (after,) = g.obtain(near, "r")
        back = g.split(g.fact("tendsoo_definition", f"lam x:R. {MIDDLE}"))[1]

        def above(g: Goal) -> None:
            g.fix("b")
            (far,) = g.obtain(g.apply(large, "2*(b^2 + 1)/s"), "q")
            g.witness("max(q,r)")
            g.fix("x")
            late = g.assume()
            cases = g.fact("max_cases", "q", "r")
            first = g.have("q <= x", lambda g: g.cases(cases, *[beyond(late)] * 2))
            second = g.have("r <= x", lambda g: g.cases(cases, *[beyond(late)] * 2))
            one, two = g.apply(far, "x", by=[using(first)]), g.apply(after, "x", by=[using(second)])
            g.have(f"0 < {H}", lambda g: g.pos([f"@{one}", "exp(-x)"], ["exp(-x)", "2*(b^2 + 1)/s"]))
            g.pos([f"@{two}", GROWTH], [f"@{one}", "s/2"], ["(b - 1/2)^2"], ["3/4"])

        g.apply(back, by=[above])
        g.close_by(next(reversed(g.seq.hyps)))

    g.conj(below, bounded(2, "s/(1 + 2*s)"), bounded(3, "s"), unbounded, middle(2, "2*s"), middle(3, "0"), form)
