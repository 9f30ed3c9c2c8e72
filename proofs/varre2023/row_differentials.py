"""Appendix D, proof of Proposition 4.1, alignment: the stochastic differentials of the rows of W, and of their commutators with a.

As in stochastic_differentials, a differential is encoded by the coefficients of dB^j and of dt, for every state. The rows z_i and a
move along the j-th noise direction by I_ij a and by z_j. For the entry e_i of a commutator the equation itself is the data: its
coefficient of dt is -e_i, that of dB^j is c_ij.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.razin2020.scripts import nested, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, refuted

ROWS = "all d:Z, z:Z->V(d), a:V(d). 1 <= d => all i:Z. 1 <= i => i <= d =>"
ITO = (
    "Ito's formula: the coefficient of dB^j is the first derivative along the j-th column of the noise, the coefficient of "
    "dt half the sum over j of the second derivatives [Appendix D]"
)
READING = "z(i) is the i-th row of W as a column, at any time"


def along(f: str, time: str) -> str:
    """A function of z_i and a, written {z} and {a}, along the j-th noise direction."""
    return f.format(z=f"(z(i) + ({time}*I(d)[i,j])*a)", a=f"(a + {time}*z(j))")


def noise(f: str) -> str:
    """The coefficient of dB^j."""
    return f"D(s, {along(f, 's')}, 0)"


def bend(f: str) -> str:
    """The second derivative along the j-th noise direction."""
    return f"D(s, D(r, {along(f, 'r')}, s), 0)"


def differential(f: str, martingale: str, rate: str) -> str:
    """df = rate dt + sum_j martingale dB^j."""
    return f"(all j:Z. 1 <= j => j <= d => {noise(f)} = {martingale}) and (1/2)*sum(j, 1, d, {bend(f)}) = {rate}"


def other_index(g: Goal, apart: str) -> None:
    """j != i turned around."""
    g.have("i != j", lambda g: (g.contra("same"), g.clash(g.have("j = i", lambda g: g.field(("same", -1))), apart)))


LEFT, RIGHT = "{z} @ T({a})", "{a} @ T({z})"


def drift(g: Goal, f: str) -> None:
    """Only j = i has a second derivative, twice what the conclusion says."""

    def elsewhere(g: Goal) -> None:
        g.fix("j")
        g.split_all(g.assume())
        other_index(g, g.assume())
        g.nc()

    single = g.by_fact("matrix_sum_delta", "d", "d", 1, "d", "i", f"lam j:Z. {bend(f)}", by=[None, None, elsewhere])
    g.nc((single, "1/2", None, None))


@holds(
    "varre2023.step-d-outer-products",
    f"""{ROWS} {differential(LEFT, "I(d)[i,j]*(a @ T(a)) + z(i) @ T(z(j))", "a @ T(z(i))")} and
       {differential(RIGHT, "I(d)[i,j]*(a @ T(a)) + z(j) @ T(z(i))", "z(i) @ T(a)")}""",
    argument="sound",
    context=ITO,
    reading=READING,
)
def outer_products_of_a_row(g: Goal) -> None:
    """Along the i-th direction the second derivative is 2 a z_i^T."""
    g.intro()

    def first(g: Goal) -> None:
        g.intro()
        g.nc()

    g.conj(first, lambda g: drift(g, LEFT), first, lambda g: drift(g, RIGHT))


BRACKET = "({z} @ T({a}) - {a} @ T({z}))"
HERE = "(z(i) @ T(a) - a @ T(z(i)))"
PAIR = "(z(i) @ T(z(j)) - z(j) @ T(z(i)))"


@holds(
    "varre2023.step-d-commutator-sde",
    f"{ROWS} {differential(BRACKET, PAIR, f'-{HERE}')}",
    argument="sound",
    context=ITO,
    reading=READING,
)
def commutator_of_a_row(g: Goal) -> None:
    """The terms a a^T cancel."""
    g.intro()

    def first(g: Goal) -> None:
        g.intro()
        g.nc()

    g.conj(first, lambda g: drift(g, BRACKET))


MEAN = "(all m:R~>M(d,d). (all t:R. 0 <= t => m'(t) = -m(t)) => all t:R. 0 <= t => m(t) = exp(-t)*m(0))"


@holds(
    "varre2023.step-d-commutator-mean",
    f"{ROWS} (1/2)*sum(j, 1, d, {bend(BRACKET)}) = -{HERE} and {MEAN}",
    argument="sound",
    context=f"{ITO}; Dynkin's formula: the derivative of an expectation is the expectation of the coefficient of dt, so that the mean m of the commutator has m' = -m [Appendix D]",
    reading=READING,
    uses=["varre2023.step-d-commutator-sde"],
)
def mean_of_the_commutator_decays(g: Goal) -> None:
    """exp(t) m(t) has the derivative 0."""
    names = g.intro()
    h = g.apply(
        g.lemma("varre2023.step-d-commutator-sde", "statement", "d", "z", "a", by=[using(names[0])]),
        "i",
        by=[using(n) for n in names[1:3]],
    )
    rate = g.split(h)[1]

    def solved(g: Goal) -> None:
        law = g.intro()[0]

        def flat(g: Goal) -> None:
            g.fix("u")
            k = g.apply(law, "u", by=[using(g.assume())])
            g.nc((k, "exp(u)", None, None))

        constant = g.by_fact("constant_matrix", "d", "d", 0, "lam t:R. exp(t)*m(t)", by=[None, flat])
        now = g.apply(constant, "t")
        g.nc((now, "exp(-t)", None, None))

    g.conj(using(rate), solved)


ENTRY = "all d k l:Z, z:Z->V(d), a:V(d). 1 <= k => k <= d => 1 <= l => l <= d => all i:Z. 1 <= i => i <= d =>"
ENTRY_PATH = f"({BRACKET})[k,l]"
E_I, C_IJ = f"{HERE}[k,l]", f"{PAIR}[k,l]"


def entries(sign: str) -> str:
    """The differentials of e_i and e_i^2; sign stands before the martingale part of the second."""
    square = f"({ENTRY_PATH}^2)"
    return f"""{ENTRY} {differential(ENTRY_PATH, C_IJ, f"-{E_I}")} and
       {differential(square, f"{sign}2*{E_I}*{C_IJ}", f"-2*{E_I}^2 + sum(j, 1, d, {C_IJ}^2)")}"""


ENTRY_READING = f"{READING}; e_i and c_ij are written out"


def unit_rows(g: Goal) -> list[str]:
    """Rows z with W = I_2, and their entries."""
    rows = g.obtain(g.fact("matrix_family", 2, 1, "lam k i j:Z. I(2)[i,k]"), "z")[0]
    known = []
    for j, i in ((1, 1), (1, 2), (2, 1), (2, 2)):
        h = g.apply(rows, j, i, 1)
        known.append(g.have(f"z({j})[{i},1] = {int(i == j)}", lambda g, h=h: g.field((h, 1))))
    return known


@refuted(
    "varre2023.step-d-entry-sde",
    entries("-"),
    argument="repaired",
    context=ITO,
    reading=ENTRY_READING,
    reason="only a sign is wrong: the martingale part of d e_i^2 is 2 e_i sum_j c_ij dB^j, printed with a minus sign; for W = I_2 and a = (0, 1) it is 2 dB^2 for i = 1. "
    "The expectation of this part is 0 with either sign",
)
def sign_of_the_martingale_part(g: Goal) -> None:
    """d = 2, z_1 = (1, 0), z_2 = (0, 1), a = (0, 1), k = 1, l = 2: e_1 = c_12 = 1."""
    known = unit_rows(g)
    g.witness(2, 1, 2, "z", "[[0],[1]]")

    def wrong(g: Goal) -> None:
        g.witness(1)

        def second(g: Goal) -> None:
            g.left_or_right(2)
            g.witness(2)
            nested(g, None, None, different)

        nested(g, None, None, second)

    def different(g: Goal) -> None:
        same = g.contra()
        g.pos([], eqs=[(same, "-1/4")], rw=known)

    nested(g, None, None, None, None, wrong)


@amendment("varre2023.step-d-entry-sde", entries(""), says="with + 2 e_i sum_j c_ij dB^j in the second equation")
def entries_of_the_commutator(g: Goal) -> None:
    """Along the j-th direction the entry is e_i + r c_ij - r^2 I_ij e_i."""
    g.intro()

    def first(g: Goal) -> None:
        g.intro()
        g.field()

    def sum_of(g: Goal, f: str, plain: str, own: str) -> None:
        """The second derivatives are plain + I_ij own."""

        def term(g: Goal) -> None:
            g.fix("j")
            g.split_all(g.assume())
            g.em(
                "j = i",
                lambda g: (g.rewrite(next(reversed(g.seq.hyps))), g.field()),
                lambda g: (other_index(g, next(reversed(g.seq.hyps))), g.field()),
            )

        s = g.by_fact("sum_ext", 1, "d", f"lam j:Z. {bend(f)}", f"lam j:Z. {plain} + ({own})*I(d)[i,j]", by=[term])

        def elsewhere(g: Goal) -> None:
            g.fix("j")
            g.split_all(g.assume())
            other_index(g, g.assume())
            g.field()

        single = g.by_fact("sum_delta", 1, "d", "i", "lam j:Z. I(d)[i,j]", by=[None, None, elsewhere])
        one = g.have("I(d)[i,i] = 1", lambda g: g.field())
        g.field((s, "1/2"), (single, f"({own})/2"), (one, f"({own})/2"))

    square = f"({ENTRY_PATH}^2)"
    g.conj(
        first, lambda g: sum_of(g, ENTRY_PATH, "0", f"-2*{E_I}"), first, lambda g: sum_of(g, square, f"2*{C_IJ}^2", f"-4*{E_I}^2")
    )


PROCESS = f"{ENTRY} all c:Z->R, e:R. e = {E_I} => (all j:Z. 1 <= j => j <= d => c(j) = {C_IJ}) => e != 0 =>"
WITH_POWER = f"{PROCESS} all p:R. 0 < p => p < 1 =>"
PROCESS_READING = f"{READING}; e stands for e_i, c(j) for c_ij; the equation of e_i of the display before gives the differential of f(e_i): f'(e_i) c_ij and -f'(e_i) e_i + sum_j c_ij^2 f''(e_i)/2"
SQUARES = "sum(j, 1, d, c(j)^2)"


def of_the_entry(process: str, f: str, martingale: str, *rates: str) -> str:
    """The differential of f(e) for these quantifiers and hypotheses, for de = -e dt + sum_j c(j) dB^j; f is written with {x}."""
    slope, curve = f"D(x, {f.format(x='x')}, e)", f"D(y, D(x, {f.format(x='x')}, y), e)"
    whole = f"-({slope}*e) + {SQUARES}*{curve}/2"
    return f"{process} (all j:Z. 1 <= j => j <= d => {slope}*c(j) = {martingale}) and " + " and ".join(
        f"{whole} = {r}" for r in rates
    )


POWER = "({x}^2)^p"
FIRST_LINE = f"-2*p*(e^2)^p + p*(e^2)^(p - 1)*{SQUARES} + (1/2)*p*(p - 1)*(e^2)^(p - 2)*(4*e^2*{SQUARES})"
SECOND_LINE = f"-2*p*(e^2)^p + p*(2*p - 1)*(e^2)^(p - 1)*{SQUARES}"


def at_the_identity(g: Goal, different: Callable[[Goal, list[str]], None], alpha: str = "") -> None:
    """W = I_2, a = (0, 1), and the entry (1, 2) for i = 1: e_1 = c_12 = 1; `different` refutes the coefficient of dB^2."""
    known = unit_rows(g)
    entry = lambda g: g.field(rw=known)  # noqa: E731

    def process(g: Goal) -> None:
        g.witness(1)
        nested(g, None, None, numbers)

    def numbers(g: Goal) -> None:
        g.witness("lam j:Z. (z(1) @ T(z(j)) - z(j) @ T(z(1)))[1,2]", 1)
        nested(g, entry, lambda g: (g.intro(), g.refl()), None, power if alpha else wrong)

    def power(g: Goal) -> None:
        g.witness(alpha)
        nested(g, None, None, wrong)

    def wrong(g: Goal) -> None:
        g.left_or_right(0)
        g.witness(2)
        nested(g, None, None, lambda g: different(g, known))

    g.witness(2, 1, 2, "z", "[[0],[1]]")
    nested(g, None, None, None, None, process)


@refuted(
    "varre2023.step-d-entry-power",
    of_the_entry(WITH_POWER, POWER, "-2*p*(e^2)^(1 - p)*e*c(j)", FIRST_LINE, SECOND_LINE),
    argument="fails",
    context=f"{ITO}; e_i is not 0 [the power is differentiated there]",
    reading=f"{PROCESS_READING}; p stands for alpha; the martingale part of the first line",
    reason="the martingale part is 2 alpha (e_i^2)^(alpha - 1) e_i c_ij: both lines print it with a minus sign, and the first has the exponent 1 - alpha besides; for W = I_2 and a = (0, 1), "
    "with e_1 = c_12 = 1 at the entry (1, 2), the coefficient of dB^2 is 2 alpha. The expectation of this part is 0 with either sign, and the rest of both lines is right away from e_i = 0; "
    "at a zero of e_i the power has no second derivative, so that Ito's formula does not give the display there",
)
def printed_power_of_an_entry(g: Goal) -> None:
    """d = 2, z_1 = (1, 0), z_2 = (0, 1), a = (0, 1), k = 1, l = 2, alpha = 1/2: the coefficient of dB^2 is 1 and not -1."""

    def different(g: Goal, known: list[str]) -> None:
        same = g.contra()
        g.pos([], eqs=[(same, "-1/2")], rw=known)

    at_the_identity(g, different, "1/2")


@amendment(
    "varre2023.step-d-entry-power",
    of_the_entry(WITH_POWER, POWER, "2*p*(e^2)^(p - 1)*e*c(j)", FIRST_LINE, SECOND_LINE),
    says="with + 2 alpha (e_i^2)^(alpha - 1) e_i sum_j c_ij dB^j, away from e_i = 0",
)
def power_of_an_entry(g: Goal) -> None:
    """The derivative of (x^2)^p is 2 p x (x^2)^(p - 1) near e."""
    g.intro()
    g.have("0 < e^2", Goal.auto)
    room, inside = g.obtain(g.by_fact("persistence", "e", "lam x:R. x^2", by=[None, None]), "h")

    def slope(g: Goal) -> None:
        g.fix("x")
        low, high = g.intro()
        g.apply(inside, "x", by=[lambda g: g.conj(lambda g: g.pos([f"@{low}"]), lambda g: g.pos([f"@{high}"]))])
        g.field()

    slopes = g.have("all x:R. e - h < x and x < e + h => D(y, (y^2)^p, x) = 2*p*x*(x^2)^(p - 1)", slope)
    local = g.by_fact(
        "derivative_local", "e - h", "e + h", "e", "lam y:R. D(x, (x^2)^p, y)", "lam x:R. 2*p*x*(x^2)^(p - 1)",
        by=[lambda g: g.pos([f"@{room}"]), lambda g: g.pos([f"@{room}"]), None, using(slopes)],
    )  # fmt: skip
    g.conj(lambda g: (g.intro(), g.field()), *[lambda g: g.field((local, f"{SQUARES}/2"))] * 2)


SIZE = "abs({x})"


@refuted(
    "varre2023.step-d-abs",
    of_the_entry(PROCESS, SIZE, "-(e*c(j)/abs(e))", "-abs(e)"),
    argument="fails",
    context=f"{ITO}; e_i is not 0 [the power is differentiated there]",
    reading=PROCESS_READING,
    reason="the martingale part is e_i/|e_i| c_ij, printed with a minus sign; the encoded formula is refuted by this alone, for W = I_2 and a = (0, 1), with e_1 = c_12 = 1 at the entry (1, 2). "
    "The expectation of this part is 0 with either sign. What the argument lacks is the local time of e_i at 0: at a zero of e_i Ito's formula does not apply to |x|, and the formula for the "
    "absolute value (Tanaka) has this increasing term besides; it is not part of the encoded formula, which speaks of e_i != 0",
)
def printed_absolute_value_of_an_entry(g: Goal) -> None:
    """d = 2, z_1 = (1, 0), z_2 = (0, 1), a = (0, 1), k = 1, l = 2: the coefficient of dB^2 is 1 and not -1."""

    def different(g: Goal, known: list[str]) -> None:
        same = g.contra()
        slope = g.by_fact("derivative_local", 0, 2, 1, "lam x:R. abs(x)", "lam x:R. x", by=[None, None, None, positive])
        g.pos([], eqs=[(same, "-1/2"), (slope, "1/2")], rw=known)

    at_the_identity(g, different)


def positive(g: Goal) -> None:
    """|x| = x for x > 0."""
    g.intro()
    g.field()


@amendment(
    "varre2023.step-d-abs",
    of_the_entry(PROCESS, SIZE, "e*c(j)/abs(e)", "-abs(e)"),
    says="with + e_i/|e_i| sum_j c_ij dB^j, and away from e_i = 0",
)
def absolute_value_of_an_entry(g: Goal) -> None:
    """|x| is x or -x near e, so that its second derivative is 0."""
    apart = g.intro()[-1]
    sign = g.fact("abs_cases", "e")

    def side(factor: str) -> Script:
        def script(g: Goal) -> None:
            case, value = g.split(next(reversed(g.seq.hyps)))
            if factor == "1":
                strict = g.have(
                    "0 < e",
                    lambda g: (g.contra("low"), g.clash(g.by_fact("le_antisym", "e", 0, by=[using("low"), using(case)]), apart)),
                )
                low, high = "0", "2*e"
            else:
                strict, (low, high) = case, ("2*e", "0")
            inside = [lambda g: g.pos([f"@{strict}"]), lambda g: g.pos([f"@{strict}"])]

            def equal(g: Goal) -> None:
                g.fix("x")
                a, b = g.intro()
                cases = g.fact("abs_cases", "x")

                def one(g: Goal) -> None:
                    order, v = g.split(next(reversed(g.seq.hyps)))
                    if g.hyp_formula(order)[0] == ("<=" if factor == "1" else "<"):
                        g.field((v, 1))
                    else:
                        wrong = g.have("false", lambda g: g.nlin(products=1, use=[order, a if factor == "1" else b]))
                        g.step("absurd", h=wrong)

                g.cases(cases, one, one)

            def slope(g: Goal) -> None:
                g.fix("x")
                a, b = g.intro()
                h = g.by_fact(
                    "derivative_local",
                    low,
                    high,
                    "x",
                    "lam y:R. abs(y)",
                    f"lam y:R. {factor}*y",
                    by=[using(a), using(b), None, using(values)],
                )
                g.field((h, 1))

            values = g.have(f"all x:R. {low} < x and x < {high} => abs(x) = {factor}*x", equal)
            slopes = g.have(f"all x:R. {low} < x and x < {high} => D(y, abs(y), x) = {factor}", slope)
            here = g.apply(slopes, "e", by=[lambda g: g.conj(*inside)])
            flat = g.by_fact(
                "derivative_local",
                low,
                high,
                "e",
                "lam y:R. D(x, abs(x), y)",
                f"lam y:R. {factor}",
                by=[*inside, None, using(slopes)],
            )
            g.rewrite(value)
            g.conj(lambda g: (g.intro(), g.rewrite(here), g.field()), lambda g: g.field((here, "-e"), (flat, f"{SQUARES}/2")))

        return script

    g.cases(sign, side("1"), side("(-1)"))
