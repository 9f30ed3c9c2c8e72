"""Two explicit flows with the diagonal pattern in dimension 2, and what they refute in Appendix G.1.

With rho(t) = log(1 + 3 exp(-8 t))/2 - log 2, f = exp(-rho) = 2/sqrt(1 + 3 exp(-8 t)) solves f' = (4 - f^2) f from f(0) = 1 to 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proofs.shin2025.alignment_flow import subterms
from proofs.shin2025.disconnected_chain import EXPANDED, LIMITS_43, PRODUCT, READING, SIGN, W_ROW, U, exponential_form, statement
from proofs.shin2025.disconnected_flow import rbar
from proofs.shin2025.disconnected_limit import chain
from proofs.shin2025.disconnected_solution import CONTEXT, P_ROW, Q_ROW, last
from verify.kernel import Goal
from verify.registry import part, refuted

RHO = "(1/2*log(1 + 3*exp(-8*t)) - log(2))"
F = f"exp(-{RHO})"
Script = Callable[[Goal], Any]


def index_is_one_or_two(g: Goal, k: str, one: Script, two: Script) -> None:
    """Cases for an integer from 1 to 2."""

    def is_one(q: Goal) -> None:
        q.rewrite(q.have(f"{k} = 1", lambda z: z.field((list(z.seq.hyps)[-1], "-1"))))
        one(q)

    def is_two(q: Goal) -> None:
        strict = list(q.seq.hyps)[-1]
        h = q.by_fact("int_lt", 1, k, by=[lambda z: z.close_by(strict)])
        above = q.have(f"2 <= {k}", lambda z: z.pos([f"@{h}"]))
        q.rewrite(q.have(f"{k} = 2", lambda z: z.antisym(None, lambda c: c.close_by(above))))
        two(q)

    g.less_or_equal(f"1 <= {k}", is_two, is_one)


def rho_tends(g: Goal, at: str = "lam z:R. z", value: str = "-log(2)") -> str:
    """A function of rho tends to its value at -log 2."""
    body = at.removeprefix("lam z:R. ")
    decay = g.by_fact("tends_exp_decay", 8)
    form = g.hyp_formula(decay)[2]
    decay = g.by_fact(
        "tends_ext", 0, 0, ("lam", (("t", "R"),), form), "lam t:R. exp(-8*t)",
        by=[lambda k: (k.intro(), k.field()), lambda k: k.close_by(decay)],
    )  # fmt: skip
    inner = "(1/2*log(1 + 3*z) - log(2))"
    c = g.by_fact(
        "tends_compose", 0, "lam t:R. exp(-8*t)", "lam z:R. " + body.replace("z", inner), by=[lambda k: k.close_by(decay), None]
    )
    limit = g.hyp_formula(c)[3]
    return g.rewritten(c, g.have(("=", limit, g.term(value)), lambda k: k.field()))


# ---------------------------------------------------------------------- A = a I, B = b I


def multiples(a: str, b: str, w: str) -> tuple[str, ...]:
    """Dimension, pattern, observations, A = a I, B = b I and the gradient; a, b are terms in t."""
    return (
        "2",
        "lam k:Z. k",
        "lam k:Z. k",
        f"({w})*I(2)",
        f"lam t:R. ({a})*I(2)",
        f"lam t:R. ({b})*I(2)",
        f"lam t:R. (({a})*({b}) - ({w}))*I(2)",
    )


SATURATING = multiples(F, F, "4")
OPPOSITE = multiples(F, f"-{F}", "-4")
RESTING = multiples("1", "-1", "-1")


def product_again(g: Goal, a: str, b: str, t: str) -> None:
    """The product of a I and b I is a b I."""
    x, y = a.replace("*t", f"*{t}"), b.replace("*t", f"*{t}")
    g.replace(f"(({x})*I(2)) @ (({y})*I(2))", f"(({x})*({y}))*I(2)", lambda q: q.nc())


def gradient_of(a: str, b: str) -> Script:
    """The printed gradient is (a b - w) I."""

    def script(g: Goal) -> None:
        g.intro()
        product_again(g, a, b, [v for v, s in g.seq.ctx.items() if s == "R"][-1])

        def unequal(q: Goal) -> None:
            h = q.intro()[0]
            q.have("k != l", lambda z: (z.contra("same"), z.clash(z.have("l = k", lambda x: x.field(("same", "-1"))), h)))
            q.field()

        g.conj(lambda q: (q.intro(), q.field()), unequal)

    return script


def by_expansion(g: Goal) -> None:
    """The equations of the flow."""
    g.intro()
    g.conj(lambda k: k.nc(), lambda k: k.nc())


def saturating_loss(a: str, b: str, w: str) -> Script:
    """a b = c f^2 tends to w = 4 c."""

    def script(g: Goal) -> None:
        g.intro()
        k = last(g)
        c = "-" if w.startswith("-") else ""
        h = rho_tends(g, f"lam z:R. {c}(exp(-z)*exp(-z))", w)

        def same(q: Goal) -> None:
            q.intro()
            product_again(q, a, b, last(q))
            q.field()

        g.replace(f"(({w})*I(2))[{k},{k}]", w)
        e = g.by_fact(
            "tends_ext", 0, w, f"lam t:R. {c}({F}*{F})", f"lam t:R. ((({a})*I(2)) @ (({b})*I(2)))[{k},{k}]",
            by=[same, lambda q: q.close_by(h)],
        )  # fmt: skip
        g.close_by(e)

    return script


def rho_integrals(a: str, b: str, sign: str) -> tuple[tuple[str, str], Script]:
    """The integrals of the residuals are sign * rho, with limit - sign * log 2; and the proof that they are."""
    opposite = "" if sign == "-" else "-"
    terms = (f"lam k:Z, t:R. {sign}{RHO}", f"lam k:Z. {opposite}log(2)")

    def script(g: Goal) -> None:
        g.intro()

        def rate(q: Goal) -> None:
            q.intro()
            product_again(q, a, b, last(q))
            q.field()

        g.conj(lambda q: q.field(), rate, lambda q: q.close_by(rho_tends(q, f"lam z:R. {sign}z", f"{opposite}log(2)")))

    return terms, script


def printed_residual_fails(g: Goal, finish: Callable[[Goal, str], None], *indices: str) -> None:
    """Assume the statement with the integral of w* - w, and apply it to A = B = f I."""
    h = g.assume()
    terms, integrals = rho_integrals(F, F, "-")
    k = g.apply(h, *SATURATING, *terms, by=[None, None, gradient_of(F, F), by_expansion, saturating_loss(F, F, "4"), integrals])
    finish(g, g.apply(k, *indices))


def wrong_number(left: str, right: str) -> Callable[[Goal, str], None]:
    """The equation evaluates to left = right, two different rational numbers."""

    def finish(g: Goal, h: str) -> None:
        h = g.split(h)[-1] if g.hyp_formula(h)[0] == "and" else h
        e = g.have(f"{left} = {right}", lambda k: k.field((h, "1")))
        g.clash(e, g.have(f"{left} != {right}", lambda k: k.ball()))

    return finish


SAYS_SIGN = "with the integral of w* - w the statement is false: A = B = f I with f' = (4 - f^2) f, f(0) = 1, w* = 4"


@part(
    "shin2025.proof-step-w-expansion", "printed-residual", f"not ({statement(f'{W_ROW} = {PRODUCT}', 'w* - w')})", says=SAYS_SIGN
)
def sign_in_the_product(g: Goal) -> None:
    """r-bar = log 2 gives (cosh - sinh)^2 = 1/4, not 4."""
    printed_residual_fails(g, wrong_number("4", "1/4"), "1")


@part("shin2025.eq-44", "printed-residual", f"not ({statement(f'{W_ROW} = {EXPANDED}', 'w* - w')})", says=SAYS_SIGN)
def sign_in_the_observation_equation(g: Goal) -> None:
    """r-bar = log 2 gives (cosh - sinh)^2 = 1/4, not 4."""
    printed_residual_fails(g, wrong_number("4", "1/4"), "1")


@part(
    "shin2025.proof-step-quadratic",
    "printed-residual",
    f"not ({statement(f'({P_ROW} - {Q_ROW}/2)*{U}^2 - 2*{W_ROW}*{U} + {P_ROW} + {Q_ROW}/2 = 0', 'w* - w')})",
    says=SAYS_SIGN,
)
def sign_in_the_quadratic(g: Goal) -> None:
    """P = 1, Q = 2, u = 4: -2*4*4 + 2 = -30, not 0."""
    printed_residual_fails(g, wrong_number("-30", "0"), "1")


@part("shin2025.eq-43", "printed-residual", f"not ({statement(LIMITS_43, 'w* - w', 'pq')})", says=SAYS_SIGN)
def sign_in_the_limit(g: Goal) -> None:
    """f tends to 2, not to cosh(log 2) - sinh(log 2) = 1/2."""

    def finish(k: Goal, h: str) -> None:
        limit = k.split(h)[0]
        f = k.hyp_formula(limit)
        two = rho_tends(k, "lam z:R. exp(-z)", "2")
        body = ("lam", ((f[1], "R"),), f[2])
        e = k.by_fact("tends_ext", 0, 2, f"lam t:R. {F}", body, by=[lambda q: (q.intro(), q.field()), lambda q: q.close_by(two)])
        u = k.by_fact("tends_unique", f[3], 2, body, by=[lambda q: q.close_by(limit), lambda q: q.close_by(e)])
        wrong_number("1/2", "2")(k, u)

    printed_residual_fails(g, finish, "1", "1")


# ---------------------------------------------------------------------- A = B = diag(1, f)

DIAGONAL = f"[[1,0],[0,{F}]]"
STAGGERED = (
    "2", "lam k:Z. k", "lam k:Z. k", "[[1,0],[0,4]]", f"lam t:R. {DIAGONAL}", f"lam t:R. {DIAGONAL}",
    f"lam t:R. [[0,0],[0,{F}*{F} - 4]]", f"lam k:Z, t:R. (k - 1)*{RHO}", "lam k:Z. -(k - 1)*log(2)",
)  # fmt: skip


def staggered_gradient(g: Goal) -> None:
    g.intro()

    def concrete(q: Goal) -> None:
        q.conj(lambda z: (z.intro(), z.field()), off_diagonal)

    def off_diagonal(q: Goal) -> None:
        h = q.assume()
        left, right = q.hyp_formula(h)[1:]
        if left == right:
            q.clash(q.have(("=", left, right), Goal.refl), h)
        else:
            q.field()

    both = lambda q: index_is_one_or_two(q, "l", concrete, concrete)  # noqa: E731
    index_is_one_or_two(g, "k", both, both)


def staggered_flow(g: Goal) -> None:
    g.intro()
    g.conj(*[lambda k: k.ext(lambda c: c.field())] * 2)


def staggered_loss(g: Goal) -> None:
    g.intro()

    def one(q: Goal) -> None:
        constant(q, "1")

    def two(q: Goal) -> None:
        h = rho_tends(q, "lam z:R. exp(-z)*exp(-z)", "4")
        finish(q, h, f"lam t:R. {F}*{F}", "4")

    def constant(q: Goal, value: str) -> None:
        finish(q, q.fact("tends_const", value), f"lam t:R. {value}", value)

    def finish(q: Goal, h: str, f: str, value: str) -> None:
        q.replace(q.concl[3], value)
        body = ("lam", ((q.concl[1], "R"),), q.concl[2])
        e = q.by_fact("tends_ext", 0, value, f, body, by=[lambda z: (z.intro(), z.field()), lambda z: z.close_by(h)])
        q.close_by(e)

    index_is_one_or_two(g, last(g), one, two)


def staggered_integrals(g: Goal) -> None:
    g.intro()
    k = last(g)

    def rate(q: Goal) -> None:
        q.intro()
        each = lambda z: z.field()  # noqa: E731
        index_is_one_or_two(q, k, each, each)

    def limit(q: Goal) -> None:
        h = rho_tends(q, f"lam z:R. ({k} - 1)*z", f"-({k} - 1)*log(2)")
        q.close_by(h)

    g.conj(lambda q: q.field(), rate, limit)


@refuted(
    "shin2025.proof-step-exp-form",
    statement(f"j(1) = 1 => {exponential_form('rb(1)')}"),
    argument="repaired",
    context=CONTEXT,
    reading="r-bar_11 is that of the observation (1, 1), which is assumed to be one of the observations. " + READING,
    readings=[("with the index (i_n, j_n) in every exponent and " + SIGN[0], *SIGN[1:])],
    reason="the exponents of the last members carry the index 11 for every n: for A = B = diag(1, f), f' = (4 - "
    "f^2) f, f(0) = 1, W* = diag(1, 4): "
    "r-bar_11 = 0, and 2 w*_22 = 8, but exp(0)(P - Q/2) + exp(0)(P + Q/2) = 2",
)
def index_11_in_the_exponents(g: Goal) -> None:
    """A = B = diag(1, f): row 1 rests, so r-bar_11 = 0; row 2 has P = 1, Q = 2, w* = 4, and 8 = 2 would follow."""
    g.witness(*STAGGERED)

    def finish(k: Goal) -> None:
        h = k.contra()
        first, second, _ = k.split(h)
        e = k.have("8 = 2", lambda q: q.field((first, "1"), (second, "1")))
        k.clash(e, k.have("8 != 2", lambda q: q.field()))

    scripts: list[Script | None] = [None, None, staggered_gradient, staggered_flow, staggered_loss, staggered_integrals]
    chain(g, *scripts, lambda k: (k.witness("2"), chain(k, None, None, finish)))


@part(
    "shin2025.proof-step-exp-form",
    "printed-residual",
    f"not ({statement(exponential_form('rb(p)'), 'w* - w')})",
    says=SAYS_SIGN,
)
def sign_in_the_exponential_form(g: Goal) -> None:
    """r-bar = log 2 gives 4 + 1/4 - (4 - 1/4) = 1/2, not 8, in the first equation."""
    printed_residual_fails(g, lambda k, h: wrong_number("8", "1/2")(k, k.split(h)[0]), "1")


# ---------------------------------------------------------------------- the root where A = f I, B = - f I

ROOT_17 = f"rb(p) = {rbar('p', 'j(p)')}"


@part("shin2025.proof-step-rbar-root", "printed-residual", f"not ({statement(ROOT_17, 'w* - w')})", says=SAYS_SIGN)
def sign_of_the_root(g: Goal) -> None:
    """r-bar would be log 2, but the formula gives log(2/8)/2 = -log 2."""

    def finish(k: Goal, h: str) -> None:
        radicand = next(e for e in subterms(k.hyp_formula(h)) if e[0] == "sqrt")[1]
        four = k.by_fact("sqrt_unique", radicand, 4, by=[None, lambda q: q.field()])
        wrong_number("log(2)", "1/2*log(1/4)")(k, k.rewritten(h, four))

    printed_residual_fails(g, finish, "1")


@refuted(
    "shin2025.proof-step-rbar-root",
    statement(ROOT_17),
    argument="repaired",
    context=CONTEXT,
    reading=READING,
    readings=[SIGN, ("where w* = 0 and P = Q/2 > 0: r-bar is infinite, and the quotient is Q/0", "holds", "infinite")],
    reason="true except for P = -Q/2 (a row of A(0) opposite to its column of B(0)), where the formula is "
    "undefined: the quotient "
    "is 0/0 if w* < 0. There r-bar exists and depends on w*, while the printed quotient does not: A(0) = I, B(0) = -I "
    "has zero loss in the limit with r-bar = 0 for w* = -1 and with r-bar = log 2 for w* = -4, so that no value given to the "
    "undefined expression fits both. The quadratic has then the positive root -2 w*/Q",
)
def quotient_without_value(g: Goal) -> None:
    """The quotient is 0/0 for A = f I, B = -f I, where r-bar = log 2, and for A = I, B = -I at rest, where r-bar = 0."""

    def saturating(k: Goal) -> None:
        b = f"-{F}"
        terms, integrals = rho_integrals(F, b, "-")
        k.witness(*OPPOSITE, *terms)
        scripts = [None, None, gradient_of(F, b), by_expansion, saturating_loss(F, b, "-4"), integrals, at_one("log(2)")]
        chain(k, *scripts)

    def at_one(value: str) -> Script:
        def script(k: Goal) -> None:
            k.witness("1")
            chain(k, None, lambda q: differ(q, value))

        return script

    def differ(q: Goal, value: str) -> None:
        same = q.contra()
        half = q.have(f"{value} = 1/2*log(0)", lambda z: z.field((same, "1")))
        if value == "0":
            q.clash(q.have("log(0) = 0", lambda z: z.field((half, "-2"))), "zero")
        else:
            q.clash(
                q.have(f"{value} = 0", lambda z: z.field((half, "1"), ("zero", "1/2"))),
                q.have(f"{value} != 0", lambda z: z.ball()),
            )

    def resting(k: Goal) -> None:
        k.witness(*RESTING, "lam k:Z, t:R. 0", "lam k:Z. 0")

        def loss(q: Goal) -> None:
            q.intro()
            product_again(q, "1", "-1", "t")
            q.replace(q.concl[3], q.concl[2])
            q.close_by(q.fact("tends_const", q.concl[3]))

        def integrals(q: Goal) -> None:
            q.intro()

            def rate(z: Goal) -> None:
                z.intro()
                product_again(z, "1", "-1", "t")
                z.field()

            q.conj(lambda z: z.field(), rate, lambda z: z.close_by(z.fact("tends_const", 0)))

        chain(k, None, None, gradient_of("1", "-1"), by_expansion, loss, integrals, at_one("0"))

    g.em("log(0) = 0", saturating, resting, name="zero")
