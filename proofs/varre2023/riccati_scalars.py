"""The scalar formulas of the proof of Theorem C.12: the Riccati equation of a singular value, its solution and its limits."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.flows import ALPHA, ALPHA_PATH
from proofs.varre2023.riccati import TARGET, WHITE, root_above, solution, white_lemma
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

S = TARGET
RICCATI = "varre2023.thm-c-12-formula"
PAIR = WHITE.replace(". 0 < c", ", u:V(p), v:V(k), r:R, f:R~>R. 0 < c", 1)


@holds(
    "varre2023.eq-c-31",
    f"""{PAIR} 0 < r => {S} @ v = r*u => T({S}) @ u = r*v => tr(T(u) @ u) = 1 =>
       (all t:R. 0 <= t => {ALPHA} @ v = f(t)*u and T({ALPHA}) @ u = f(t)*v) => all t:R. 0 <= t => f'(t) = -r*f(t)^2 - 2*c*f(t) + r and
       -r*f(t)^2 - 2*c*f(t) + r = -r*((f(t) + c/r)^2 - (1 + c^2/r^2))""",
    argument="sound",
    reading="along a pair of singular vectors that beta* and alpha(t) share for all t (Theorem C.11); f is the singular value of alpha, r = s that of beta*",
    uses=[RICCATI],
)
def riccati_equation_of_a_singular_value(g: Goal) -> None:
    """f = u^T alpha v, and alpha' = beta* - alpha beta*^T alpha - 2 gamma alpha."""
    names = g.intro()
    forth, back, unit, acts = names[7:11]
    _, change = g.split(white_lemma(g, RICCATI, "part:riccati", names))
    one, two = g.split(g.apply(acts, "t"))

    def smooth(g: Goal) -> None:
        g.fix("w")
        g.assume()
        g.split(white_lemma(g, RICCATI, "part:riccati", names, "w"))
        g.auto()

    whole = g.by_fact(
        "derivative_agrees_matrix",
        "p",
        1,
        0,
        f"lam t:R. {ALPHA} @ v",
        "lam t:R. f(t)*u",
        by=[smooth, lambda g: agree_matrix(g, acts)],
    )
    now = g.apply(whole, "t")
    rule = g.have(f"D(s, {ALPHA_PATH} @ v, t) = D(s, {ALPHA_PATH}, t) @ v", lambda g: g.nc())
    moved = g.have(
        "f'(t)*u = (r - r*f(t)^2 - 2*c*f(t))*u",
        lambda g: g.nc(
            (now, -1, None, None),
            (rule, 1, None, None),
            (change, 1, None, "v"),
            (forth, 1, None, None),
            (one, "-2*c", None, None),
            (one, -1, f"{ALPHA} @ T({S})", None),
            (back, "-f(t)", ALPHA, None),
            (one, "-r*f(t)", None, None),
        ),
    )
    pair = g.have("tr(T(u) @ (f'(t)*u)) = tr(T(u) @ ((r - r*f(t)^2 - 2*c*f(t))*u))", lambda g: (g.rewrite(moved), g.refl()))
    g.conj(lambda g: g.field((pair, 1), (unit, "-(f'(t) - (r - r*f(t)^2 - 2*c*f(t)))")), lambda g: g.field())


def agree_matrix(g: Goal, acts: str) -> None:
    """alpha v = f u at all times."""
    g.fix("w")
    g.assume()
    g.close_by(g.split(g.apply(acts, "w"))[0])


ODE = "(all t:R. 0 <= t => f'(t) = s - s*f(t)^2 - 2*c*f(t))"


@part(
    RICCATI,
    "unique",
    f"all c s:R, f:R~>R. 0 < c => 0 <= s => f(0) = 0 => {ODE} => all t:R. 0 <= t => f(t) = {solution('t', 's')}",
    says="the scalar Riccati equation from 0 has only this solution",
)
def scalar_solution_is_unique(g: Goal) -> None:
    """The difference of two solutions solves a linear equation."""
    positive, nonneg, start, ode, _ = g.intro()
    h = g.lemma(RICCATI, "part:solution", "c", "s", by=[using(positive), using(nonneg)])
    begin, each = g.split(h)
    q = "sqrt(s^2 + c^2)"
    g.have("0 < s^2 + c^2")
    g.have(f"0 < {q}")

    def smooth(g: Goal) -> None:
        g.fix("w")
        g.assume()
        g.split(g.apply(each, "w"))
        g.auto()

    y = solution("w", "s")
    _, rate = g.obtain(g.by_fact("antiderivative", f"lam w:R. -s*(f(w) + {y}) - 2*c", by=[smooth]), "K")

    def linear(g: Goal) -> None:
        g.fix("w")
        g.assume()
        _, d, _ = g.split(g.apply(each, "w"))
        a, k = g.apply(ode, "w"), g.apply(rate, "w")
        rule = g.have(f"D(x, f(x) - {solution('x', 's')}, w) = f'(w) - D(x, {solution('x', 's')}, w)", lambda g: g.field())
        g.rewrite(rule)
        g.field((a, 1), (d, -1), (k, f"-(f(w) - {y})"))

    solved = g.by_fact("linear_ode", 0, f"lam w:R. f(w) - {y}", "lam w:R. K(w)", by=[smooth, linear])
    now = g.apply(solved, "t")
    g.field((now, 1), (start, "exp(K(t) - K(0))"), (begin, "-exp(K(t) - K(0))"))


def printed(t: str) -> str:
    """(C.33) at the time t."""
    q, e = "sqrt(s^2 + c^2)", f"exp(-2*({t})*sqrt(s^2 + c^2))"
    return f"(sqrt(1 + c^2/s^2)*((c + {q} - {e}*({q} - c))/(c + {q} + {e}*({q} - c))) - c/s)"


def prepare(g: Goal, t: str) -> None:
    """The signs that the printed formulas need."""
    q, e = "sqrt(s^2 + c^2)", f"exp(-2*({t})*sqrt(s^2 + c^2))"
    g.have("0 < s^2 + c^2")
    g.have(f"0 < {q}")
    squares = g.have(f"({q})^2 = s^2 + c^2", lambda g: g.field())
    above = g.have(f"c <= {q}", lambda g: root_above(g, "c", squares, q))
    g.have(f"0 < c + {q} + {e}*({q} - c)", lambda g: g.pos([q], ["c"], [f"@{above}", e]))
    g.have("0 < 1 + c^2/s^2")


@part(
    RICCATI,
    "printed-solution",
    f"all c s t:R. 0 < c => 0 < s => {printed('t')} = {solution('t', 's')}",
    says="(C.33) is the solution of the Riccati equation",
)
def printed_form(g: Goal) -> None:
    """Clear the denominators."""
    g.intro()
    prepare(g, "t")
    g.have(
        "0 < (sqrt(s^2 + c^2) + c) + (sqrt(s^2 + c^2) - c)*exp(-2*t*sqrt(s^2 + c^2))",
        lambda g: g.pos(["@" + list(g.seq.hyps)[-2]]),
    )
    g.field()


@holds(
    "varre2023.eq-c-33",
    f"all c s:R, f:R~>R. 0 < c => 0 < s => f(0) = 0 => {ODE} => all t:R. 0 <= t => f(t) = {printed('t')}",
    argument="sound",
    reading="f is a singular value of alpha, which solves (C.31) from 0",
    uses=[RICCATI],
)
def singular_values_of_alpha(g: Goal) -> None:
    """Uniqueness, and the printed form."""
    positive, big, start, ode, _ = g.intro()
    h = g.lemma(RICCATI, "part:unique", "c", "s", "f", by=[using(positive), None, using(start), using(ode)])
    now = g.apply(h, "t")
    form = g.lemma(RICCATI, "part:printed-solution", "c", "s", "t", by=[using(positive), using(big)])
    g.rewrite(form)
    g.close_by(now)


Q, PP = "(1 + c^2/s^2)", "(c/s)"
C1 = f"(1/(2*(-s)*sqrt{Q})*log((sqrt{Q} - {PP})/(sqrt{Q} + {PP})))"
EXP = f"exp(2*(-s)*sqrt{Q}*(t + {C1}))"
C32 = f"(sqrt{Q}*((1 - {EXP})/(1 + {EXP})) - {PP})"


@holds(
    "varre2023.eq-c-32",
    f"""all c s:R. 0 < c => 0 < s => {C32.replace("(t +", "(0 +")} = 0 and all t:R. D(t, {C32}, t) = -s*(({C32} + {PP})^2 - {Q})""",
    argument="sound",
    reading="p = gamma/s, q = 1 + gamma^2/s^2, r = -s; the printed function solves the initial value problem",
)
def solution_of_the_initial_value_problem(g: Goal) -> None:
    """exp(2 r sqrt(q) c_1) = (sqrt(q) - p)/(sqrt(q) + p)."""
    g.intro()
    g.have(f"0 < {Q}")
    g.have(f"0 < sqrt{Q}")
    g.have(f"0 < {PP}")
    square = g.have(f"sqrt{Q}^2 = {Q}", lambda g: g.field())
    less = g.have(f"{PP} < sqrt{Q}", lambda g: strictly(g, square))
    g.have(f"0 < sqrt{Q} - {PP}", lambda g: g.pos([f"@{less}"]))
    g.have(f"0 < (sqrt{Q} - {PP})/(sqrt{Q} + {PP})")
    begin = g.have(
        f"{EXP.replace('(t +', '(0 +')} = (sqrt{Q} - {PP})/(sqrt{Q} + {PP})",
        lambda g: exponent(g),
    )

    def at_zero(g: Goal) -> None:
        g.rewrite(begin)
        g.field()

    g.conj(at_zero, lambda g: (g.fix("t"), g.field()))


def strictly(g: Goal, square: str) -> None:
    """p < sqrt(q), as q - p^2 = 1."""
    less = g.contra()
    g.pos([f"@{less}", f"sqrt{Q} + {PP}"], [1], eqs=[(square, 1)])


def exponent(g: Goal) -> None:
    """The exponent is a logarithm."""
    x = f"(sqrt{Q} - {PP})/(sqrt{Q} + {PP})"
    same = g.have(f"2*(-s)*sqrt{Q}*(0 + {C1}) = log({x})", lambda g: named(g, x))
    g.rewrite(same)
    g.close_by(g.by_fact("exp_log", x))


def named(g: Goal, x: str) -> None:
    """The factors before the logarithm cancel."""
    general = g.have("all a b:R. 0 < a => 2*(-s)*a*(0 + 1/(2*(-s)*a)*b) = b")
    g.exact(g.apply(general, f"sqrt{Q}", f"log({x})"))


V, W = "(sqrt(s^2 + c^2) - c)", "(sqrt(s^2 + c^2) + c)"


@holds(
    "varre2023.step-c-12-vw",
    f"all c s:R. 0 < c => 0 < s => {V} + {W} = 2*sqrt(s^2 + c^2) and {W} - {V} = 2*c and {V}*{W} = s^2",
    argument="sound",
)
def auxiliary_quantities(g: Goal) -> None:
    """The square of the root."""
    g.intro()
    g.have("0 < s^2 + c^2")
    g.conj(*[lambda g: g.field()] * 3)


VW = "all c s t v w e h a:R. 0 < c => 0 < s => v = {} => w = {} => e = exp(-t*(v + w)) => h = (v + w)*e/(w + v*e) => a = {} =>".format(
    V, W, printed("t")
)
L3 = "(1/s)*(-(v*w*e)/(w + e*v) + v*w/(w + e*v))"
L1 = "1/(2*s)*((w + v)*((w - e*v)/(w + e*v)) - (w - v))"
L2 = "1/(2*s)*(w*((w - e*v)/(w + e*v) - 1) + v*((w - e*v)/(w + e*v) + 1))"


def short_names(g: Goal, names: list[str]) -> tuple[str, str, str]:
    """a = L1 in the short names; v w = s^2 and w - v = 2 gamma."""
    _, _, v, w, e, _, a = names
    prepare(g, "t")
    q = "sqrt(s^2 + c^2)"
    squares = g.have(f"{q}^2 = s^2 + c^2", lambda g: g.field())
    above = g.have(f"c < {q}", lambda g: above_strictly(g, squares, q))
    g.have("0 < v", lambda g: (g.rewrite(v), g.pos([f"@{above}"])))
    g.have("0 < w", lambda g: (g.rewrite(w), g.auto()))
    g.have("0 < e", lambda g: (g.rewrite(e), g.auto()))
    product = g.have("v*w = s^2", lambda g: (g.rewrite(v), g.rewrite(w), g.field()))
    gap = g.have("w - v = 2*c", lambda g: (g.rewrite(v), g.rewrite(w), g.field()))

    def exponent_of(g: Goal) -> None:
        g.rewrite(e)
        g.rewrite(v)
        g.rewrite(w)
        g.replace(f"-t*({V} + {W})", f"-2*t*{q}", lambda g: g.field())
        g.refl()

    long = g.have(f"e = exp(-2*t*{q})", exponent_of)
    value = g.have(f"a = {L1}", lambda g: (g.rewrite(long), g.rewrite(a), g.rewrite(v), g.rewrite(w), root_quotient(g)))
    return value, product, gap


def above_strictly(g: Goal, squares: str, q: str) -> None:
    """c < q from c^2 < q^2."""
    less = g.contra()
    g.pos([f"@{less}", f"{q} + c"], ["s^2"], eqs=[(squares, 1)])


def root_quotient(g: Goal) -> None:
    """sqrt(1 + gamma^2/s^2) = q/s."""
    q = "sqrt(s^2 + c^2)"
    h = g.by_fact("sqrt_unique", "1 + c^2/s^2", f"{q}/s", by=[None, lambda g: g.field()])
    g.rewrite(h)
    g.have(
        f"0 < {q} + c + exp(-2*t*{q})*({q} - c)",
        lambda g: g.pos(["@" + next(k for k, f in g.seq.hyps.items() if f[0] == "<" and "exp" in str(f))]),
    )
    g.field()


@holds(
    "varre2023.eq-c-34",
    f"{VW} a = {L1} and {L1} = {L2} and {L2} = {L3} and {L3} = v/s*(1 - h)",
    argument="sound",
    reading="the singular value of alpha by (C.33)",
    uses=[RICCATI],
)
def alpha_by_h(g: Goal) -> None:
    """Fractions with the denominator w + E v."""
    names = g.intro()
    value, _, _ = short_names(g, names[:7])
    h = names[5]
    g.conj(using(value), lambda g: g.field(), lambda g: g.field(), lambda g: (g.rewrite(h), g.field()))


def alpha_short(g: Goal, names: list[str]) -> tuple[str, str, str]:
    """a = v/s (1 - h)."""
    value, product, gap = short_names(g, names)
    return g.have("a = v/s*(1 - h)", lambda g: (g.rewrite(value), g.rewrite(names[5]), g.field())), product, gap


@holds(
    "varre2023.step-c-12-one-minus-alpha",
    f"{VW} 1 - a^2 = 2*c*v/s^2 + v^2*h*(2 - h)/s^2",
    argument="sound",
    uses=[RICCATI],
)
def one_minus_the_square(g: Goal) -> None:
    """s^2 - v^2 = v (w - v) = 2 gamma v."""
    value, product, gap = alpha_short(g, g.intro()[:7])
    g.rewrite(value)
    g.field((product, "-1/s^2"), (gap, "v/s^2"))


@holds(
    "varre2023.step-c-12-beta-h",
    f"""{VW} 0 <= t => 2*c*a/(1 - a^2) = (2*v*c/s*(1 - h))/(2*c*v/s^2 + v^2*h*(2 - h)/s^2) and
       (2*v*c/s*(1 - h))/(2*c*v/s^2 + v^2*h*(2 - h)/s^2) = s*(1 - h)/(1 + v*h*(2 - h)/(2*c))""",
    argument="sound",
    reading="sigma_beta = 2 gamma sigma_alpha/(1 - sigma_alpha^2); t >= 0",
    uses=[RICCATI],
)
def beta_by_h(g: Goal) -> None:
    """0 < h <= 1, so the denominators are positive."""
    g.fix()
    names = [g.assume() for _ in range(7)]
    late = g.assume()
    e, h = names[4], names[5]
    value, product, gap = alpha_short(g, names)
    small = g.have("e <= 1", lambda g: small_exponential(g, e, late))
    g.have("0 < h", lambda g: (g.rewrite(h), g.auto()))
    hone = g.have("h <= 1", lambda g: (g.rewrite(h), g.pos(["w", f"@{small}"], mul=["w + v*e"])))
    square = g.have(
        "1 - a^2 = 2*c*v/s^2 + v^2*h*(2 - h)/s^2", lambda g: (g.rewrite(value), g.field((product, "-1/s^2"), (gap, "v/s^2")))
    )
    g.have("0 < 2 - h", lambda g: g.pos([f"@{hone}"], [1]))
    g.have("0 < 2*c*v/s^2 + v^2*h*(2 - h)/s^2")
    g.have("0 < 1 + v*h*(2 - h)/(2*c)")
    top = g.have("2*c*a = 2*v*c/s*(1 - h)", lambda g: (g.rewrite(value), g.field()))
    g.conj(lambda g: (g.rewrite(square), g.rewrite(top), g.refl()), lambda g: g.field())


def small_exponential(g: Goal, e: str, late: str) -> None:
    """E <= 1 for t >= 0."""
    g.rewrite(e)
    one = g.by_fact("exp_mono", "-t*(v + w)", 0, by=[lambda g: g.pos([f"@{late}", "v + w"])])
    zero = g.fact("exp_zero")
    g.pos([f"@{one}"], eqs=[(zero, 1)])


BODY = (
    "(sqrt(1 + c^2/s^2)*((c + sqrt(s^2 + c^2) - @*(sqrt(s^2 + c^2) - c))/(c + sqrt(s^2 + c^2) + @*(sqrt(s^2 + c^2) - c))) - c/s)"
)


@holds(
    "varre2023.step-c-12-alpha-limit",
    f"all c s:R. 0 < c => 0 < s => tends(t, {printed('t')}, (1/s)*(sqrt(s^2 + c^2) - c))",
    argument="sound",
)
def limit_of_alpha(g: Goal) -> None:
    """exp(-2 t q) tends to 0."""
    g.intro()
    g.have("0 < s^2 + c^2")
    g.have("0 < sqrt(s^2 + c^2)")
    limit(g, BODY, "(1/s)*(sqrt(s^2 + c^2) - c)")


def limit(g: Goal, body: str, value: str) -> None:
    """The limit of a function of exp(-2 t q), written @."""
    q = "sqrt(s^2 + c^2)"
    decay = g.by_fact("tends_exp_decay", f"2*{q}", by=[lambda g: g.pos(["2", q])])
    g.have("0 < 1 + c^2/s^2")
    root = g.by_fact("sqrt_unique", "1 + c^2/s^2", f"{q}/s", by=[None, lambda g: g.field()])
    _, var, fading, _ = g.hyp_formula(decay)
    h = g.by_fact(
        "tends_compose", 0, ("lam", ((var, "R"),), fading), f"lam x:R. {body.replace('@', 'x')}", by=[using(decay), None]
    )
    _, var, path, at = g.hyp_formula(h)

    def same(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.field()

    final = g.by_fact(
        "tends_ext", 0, at, ("lam", ((var, "R"),), path), "lam t:R. " + body.replace("@", f"exp(-2*(t)*{q})"), by=[same, using(h)]
    )
    start = g.have(("=", at, g.term(value)), lambda g: (g.rewrite(root), g.field()))
    g.exact(g.rewritten(final, start))


MIDDLE = "2*c*(sqrt(s^2 + c^2) - c)/(s*(sqrt(s^2 + c^2) - c))"
GAIN = f"2*c*{printed('t')}/(1 - {printed('t')}^2)"


@refuted(
    "varre2023.step-c-12-beta-limit",
    f"all c s:R. 0 < c => 0 < s => tends(t, {GAIN}, {MIDDLE}) and {MIDDLE} = s",
    reason="the middle member is 2 gamma/s, which is s for s^2 = 2 gamma only; for s = gamma = 1 it is 2; the denominator 1 - sigma_alpha^2 tends to "
    "2 gamma (sqrt(s^2 + gamma^2) - gamma)/s^2, which gives the limit s",
)
def printed_limit_of_beta(g: Goal) -> None:
    """s = gamma = 1: 2 = 1."""
    g.witness(1, 1)

    def wrong(g: Goal) -> None:
        g.left_or_right(1)
        same = g.contra()
        one = "sqrt(1^2 + 1^2)"
        g.have(f"0 < {one}")
        square = g.have(f"{one}^2 = 2", lambda g: g.field())
        g.have(f"0 < {one} - 1", lambda g: above_one(g, square, one))
        value = g.have(f"2*1*({one} - 1)/(1*({one} - 1)) = 2", lambda g: g.field())
        g.pos([], eqs=[(same, -1), (value, 1)])

    g.conj(None, lambda g: g.conj(None, wrong))


def above_one(g: Goal, square: str, one: str) -> None:
    """1 < sqrt(2)."""
    less = g.contra()
    g.pos([f"@{less}", f"{one} + 1"], [1], eqs=[(square, 1)])


LAST = "2*c*((sqrt(s^2 + c^2) - c)/s)/(2*c*(sqrt(s^2 + c^2) - c)/s^2)"


@amendment(
    "varre2023.step-c-12-beta-limit",
    f"all c s:R. 0 < c => 0 < s => tends(t, {GAIN}, {LAST}) and {LAST} = s",
    says="the limit is 2 gamma (v/s)/(2 gamma v/s^2) = s with v = sqrt(s^2 + gamma^2) - gamma",
    uses=["varre2023.step-c-12-alpha-limit"],
)
def limit_of_beta(g: Goal) -> None:
    """1 - (v/s)^2 = 2 gamma v/s^2 at the limit of the singular value of alpha."""
    positive, big = g.intro()
    h = g.lemma("varre2023.step-c-12-alpha-limit", "statement", "c", "s", by=[using(positive), using(big)])
    q = "sqrt(s^2 + c^2)"
    g.have("0 < s^2 + c^2")
    g.have(f"0 < {q}")
    squares = g.have(f"{q}^2 = s^2 + c^2", lambda g: g.field())
    above = g.have(f"c < {q}", lambda g: above_strictly(g, squares, q))
    g.have(f"0 < {q} - c", lambda g: g.pos([f"@{above}"]))
    value = f"(1/s)*({q} - c)"
    gap = g.have(f"1 - ({value})^2 = 2*c*({q} - c)/s^2", lambda g: g.field())
    g.have(f"0 < 1 - ({value})^2", lambda g: (g.rewrite(gap), g.auto()))
    done = g.by_fact("tends_compose", value, f"lam t:R. {printed('t')}", "lam x:R. 2*c*x/(1 - x^2)", by=[using(h), None])
    same = g.have(f"2*c*({value})/(1 - ({value})^2) = {LAST}", lambda g: (g.rewrite(gap), g.field()))
    g.conj(lambda g: g.exact(g.rewritten(done, same)), lambda g: g.field())
