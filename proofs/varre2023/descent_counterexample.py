"""Lemma C.6 and Lemma C.7: a flow with X = diag(8, 1), Y = (8, 20), gamma = 1/8, where the squared residual |X^T (Y - X beta)|^2 grows at the time 3/64.

The first coordinate of beta has overshot its target there, while the second is on its way. The same flow shows that Z_1^T Z_1 cannot
stand in place of Z_1 Z_1^T.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.razin2020.scripts import nested, using
from proofs.varre2023.alpha import setting_lemma
from proofs.varre2023.flows import ALPHA, ALPHA_PATH, BETA, PROJECTED, PROJECTED_ONE, RES, SETTING_ONE
from proofs.varre2023.network_and_loss import size
from proofs.varre2023.residual_decay import LEMMA, LOSS
from proofs.varre2023.trace_terms import EIGENVALUES, GAP
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, part, refuted

CLAIM = "varre2023.eq-c-13"
TIME = Fraction(3, 64)
X, Y, EYE = "[[8,0],[0,1]]", "[[8],[20]]", "[[1,0],[0,1]]"
NAMES = ("z", "y", "x", "w", "u", "v")
"""The entries 11, 12, 21, 22 of Z_1 and 1, 2 of Z_2."""
PLACES = ("A(s)[1,1]", "A(s)[1,2]", "A(s)[2,1]", "A(s)[2,2]", "B(s)[1,1]", "B(s)[2,1]")
VALUES = (95635, 17141, 56710, 76227, 99308, 60037)
"""What the entries are at that time, in units of 10^-5, up to two of them."""
FIRST, SECOND = "(64*(1 - z(t)*u(t) - y(t)*v(t)))", "(20 - x(t)*u(t) - w(t)*v(t))"
RATES = (
    f"{FIRST}*u(t)",
    f"{FIRST}*v(t)",
    f"{SECOND}*u(t)",
    f"{SECOND}*v(t)",
    f"z(t)*{FIRST} + x(t)*{SECOND}",
    f"y(t)*{FIRST} + w(t)*{SECOND}",
)
BOUNDS = " and ".join(f"{v - 2}/100000 <= {n}(3/64) and {n}(3/64) <= {v + 2}/100000" for n, v in zip(NAMES, VALUES, strict=True))
EQUATIONS = " => ".join(f"(all t:R. 0 <= t => {n}'(t) = {r})" for n, r in zip(NAMES, RATES, strict=True))
STARTS = " => ".join(f"{n}(0) = {v}" for n, v in zip(NAMES, ("1/2", "0", "0", "1/2", "0", "0"), strict=True))


@part(
    CLAIM,
    "entries",
    f"all z y x w u v:R~>R. {STARTS} => {EQUATIONS} => {BOUNDS}",
    says="the entries of the layers of this flow at the time 3/64",
)
def entries_at_the_time(g: Goal) -> None:
    """Enclosures of the flow."""
    names = g.intro()
    boxes = []
    for h in names[:6]:
        f = g.hyp_formula(h)
        low = g.have(("<=", f[2], f[1]), lambda g, h=h: equal_bound(g, h))
        high = g.have(("<=", f[1], f[2]), lambda g, h=h: equal_bound(g, h))
        boxes.append((low, high))
    g.flow(names[6:], boxes, 7, time=TIME)


def equal_bound(g: Goal, h: str) -> None:
    """From an equation."""
    g.rewrite(h)
    g.refl()


RESIDUAL = f"(T({X}) @ ({Y} - {X} @ A(t) @ B(t)))"
ENTRIES = BOUNDS
for _name, _place in zip(NAMES, PLACES, strict=True):
    ENTRIES = ENTRIES.replace(f"{_name}(3/64)", _place.replace("(s)", "(3/64)"))


@part(
    CLAIM,
    "example",
    f"""ex A:R~>M(2,2), B:R~>V(2). A(0) = (1/2)*I(2) and B(0) = O(2,1) and
       (all t:R. 0 <= t => A'(t) = {RESIDUAL} @ T(B(t)) and B'(t) = T(A(t)) @ {RESIDUAL}) and {ENTRIES}""",
    says="the flow exists, and its entries at the time 3/64",
)
def flow_of_the_example(g: Goal) -> None:
    """It is the gradient flow of |S o (A B - b)|^2 / 2 with S = (8, 1), b = (1, 20)."""
    flow = g.fact("two_layer_flow", 2, 2, 1, "(1/2)*I(2)", "O(2,1)", "[[8],[1]]", "[[1],[20]]")
    first, second, equations = g.obtain(flow, "A", "B")

    def gradient(g: Goal) -> None:
        g.fix("t")
        g.assume()
        a, b = g.split(g.apply(equations, "t"))
        g.conj(lambda g: (g.rewrite(a), g.ext(lambda g: g.field())), lambda g: (g.rewrite(b), g.ext(lambda g: g.field())))

    law = g.have(f"all t:R. 0 <= t => A'(t) = {RESIDUAL} @ T(B(t)) and B'(t) = T(A(t)) @ {RESIDUAL}", gradient)

    def equation(i: int) -> Script:
        def script(g: Goal) -> None:
            g.fix("t")
            a, b = g.split(g.apply(law, "t", by=[using(g.assume())]))
            h = a if i < 4 else b
            place = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 1), (2, 1))[i]
            _, left, right = g.hyp_formula(h)
            e = g.have(("=", ("entry", left, *place), ("entry", right, *place)), lambda g: g.ctx(using(h)))
            g.field((e, 1))

        return script

    def start(i: int) -> Script:
        return lambda g: (g.rewrite(first if i < 4 else second), g.field())

    paths = [f"lam s:R. {place}" for place in PLACES]
    h = g.lemma(CLAIM, "part:entries", *paths, by=[*[start(i) for i in range(6)], *[equation(i) for i in range(6)]])
    g.witness("A", "B")
    g.conj(using(first), using(second), using(law), *[using(k) for k in g.split_all(h)])


def example(g: Goal) -> tuple[str, str, str, list[str]]:
    """The flow A, B: names of its start, its equations, and the bounds of its entries at the time 3/64."""
    first, second, law, *bounds = g.obtain(g.lemma(CLAIM, "part:example"), "A", "B")
    return first, second, law, bounds


def setting(first: str, second: str, law: str) -> list[Script | None]:
    """What the projected flow asks of the example with P = I and gamma = 1/8."""

    def begin(g: Goal) -> None:
        g.have(
            "sqrt(2*(1/8)) = 1/2",
            lambda g: g.close_by(g.by_fact("sqrt_unique", "2*(1/8)", "1/2", by=[Goal.auto, lambda g: g.field()])),
        )
        g.rewrite(next(reversed(g.seq.hyps)))
        g.rewrite(first)
        g.ext(lambda g: g.field())

    return [Goal.auto, lambda g: g.ext(lambda g: g.field()), begin, using(second), using(law)]


def boxed(g: Goal, bounds: list[str], statement: str) -> str:
    """A statement about the entries z, y, x, w, u, v from their bounds, by ball arithmetic; at the example."""
    box = " => ".join(f"{v - 2}/100000 <= {n} => {n} <= {v + 2}/100000" for n, v in zip(NAMES, VALUES, strict=True))
    h = g.have(f"all {' '.join(NAMES)}:R. {box} => {statement}", lambda g: (g.intro(), g.ball()))
    return g.apply(h, *[p.replace("(s)", "(3/64)") for p in PLACES], by=[using(b) for b in bounds])


AT = "64*(1 - z*u - y*v)", "20 - x*u - w*v"
R1, R2 = f"({AT[0]})", f"({AT[1]})"
FIRST_TERM = f"(64*{R1}*(z*(z*{R1} + x*{R2}) + y*(y*{R1} + w*{R2})) + {R2}*(x*(z*{R1} + x*{R2}) + w*(y*{R1} + w*{R2})))"
SECOND_TERM = f"((64*{R1}^2 + {R2}^2)*(u^2 + v^2))"
GRAM = f"(T({X}) @ {X})"
AT_TIME = ["A", "B", X, Y]


def put_in(text: str) -> str:
    """A text about the projected flow, for the example at the time 3/64."""
    return text.replace("Z1(", "A(").replace("Z2(", "B(").replace("(t)", "(3/64)").replace("X", X).replace("Y", Y)


LEFT, RIGHT = f"tr(T({RES}) @ (T(X) @ X) @ Z1(t) @ T(Z1(t)) @ {RES})", f"tr(T({RES}) @ (T(X) @ X) @ {RES} @ T(Z2(t)) @ Z2(t))"
EXAMPLE = (2, 2, 1, 2, "1/8", X, Y, EYE, "A", "B")


def gap(g: Goal) -> None:
    """Every eigenvalue of diag(64, 1) is at least 1."""
    g.fix("e", "v")
    nonzero, pair = g.assume(), g.assume()
    _, left, right = g.hyp_formula(pair)
    one = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: g.ctx(using(pair)))
    two = g.have(("=", ("entry", left, 2, 1), ("entry", right, 2, 1)), lambda g: g.ctx(using(pair)))
    first = g.have("(64 - e)*v[1,1] = 0", lambda g: g.field((one, 1)))
    second = g.have("(1 - e)*v[2,1] = 0", lambda g: g.field((two, 1)))
    g.left_or_right(1)

    def value(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        g.nlin(products=1, use=[h])

    def other(g: Goal) -> None:
        zero = next(reversed(g.seq.hyps))

        def none(g: Goal) -> None:
            last = next(reversed(g.seq.hyps))
            null = g.have("v = O(2,1)", lambda g: both_zero(g, zero, last))
            g.step("clash", h=null, k=nonzero)

        g.cases(g.by_fact("product_zero", "1 - e", "v[2,1]", by=[using(second)]), value, none)

    g.cases(g.by_fact("product_zero", "64 - e", "v[1,1]", by=[using(first)]), value, other)


def both_zero(g: Goal, one: str, two: str) -> None:
    """A plane vector with vanishing entries."""
    g.ext(lambda g: g.field((one, 1)) if g.concl[1][2] == 1 else g.field((two, 1)))


def derivative(g: Goal, law_setting: list[Script | None]) -> str:
    """The derivative of |R|^2 at the time 3/64, by the two trace terms."""
    h = g.lemma("varre2023.step-c-6-trace-derivative", "statement", *EXAMPLE, by=law_setting)
    return g.apply(h, "3/64", by=[Goal.auto])


def grows(g: Goal, bounds: list[str], law_setting: list[Script | None]) -> str:
    """The derivative is positive."""
    rate = derivative(g, law_setting)
    total = boxed(g, bounds, f"{FIRST_TERM} + {SECOND_TERM} < 0")
    f = g.hyp_formula(rate)
    return g.have(("<", 0, f[1]), lambda g: (g.rewrite(rate), g.pos([f"@{total}", 2])))


SQUARE = size(RES)
GROWTH = f"D(s, {size(RES.replace('(t)', '(s)'))}, t)"
TRUE = f"{PROJECTED} all t:R. 0 <= t => D(s, {LOSS.replace('(t)', '(s)')}, t) <= -4*c*{SQUARE}"
SAYS = "d/dt |Y - X beta|^2 <= -4 gamma |R|^2, for the residual before the multiplication by X^T; |X^T (Y - X beta)|^2 itself can grow"


def rate_of_the_loss_bounded(g: Goal) -> None:
    """|Z1^T R|^2 >= 2 gamma |R|^2 by the invariant."""
    names = g.intro()
    rate = setting_lemma(g, LEMMA, "part:loss-rate", names[:5])
    inv = setting_lemma(g, "varre2023.lemma-3-2", "statement", names[:5])
    regular, _ = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", names[:5]))
    h = g.lemma(
        LEMMA, "part:stretch", "p", "k", "k", "c", "Z1(t)", "Z2(t)", RES, by=[using(names[0]), using(inv), using(regular)]
    )
    g.rewrite(rate)
    g.pos([2, f"@{h}"], [2, size(f"({RES} @ T(Z2(t)))")])


REASON = "for X = diag(8, 1), Y = (8, 20), gamma = 1/8 the squared norm of R grows at t = 3/64: the first coordinate of beta has overshot its target by then"


@refuted(
    CLAIM,
    f"{PROJECTED} all q:R. 0 < q => {GAP} => all t:R. 0 <= t => {GROWTH} <= -2*q*c*{SQUARE}",
    argument="fails",
    reading=EIGENVALUES,
    reason=REASON,
    uses=["varre2023.step-c-6-trace-derivative"],
)
def squared_residual_can_grow(g: Goal) -> None:
    """The derivative is positive, the bound is not."""
    first, second, law, bounds = example(g)
    given = setting(first, second, law)
    more = grows(g, bounds, given)
    g.witness(*EXAMPLE)

    def later(g: Goal) -> None:
        g.witness("3/64")
        r = put_in(RES)
        g.conj(None, lambda g: g.pos([f"@{more}"], ["1/4", f"tr(T({r}) @ {r})"]))

    nested(g, *given, lambda g: (g.witness(1), nested(g, None, gap, later)))


amendment(CLAIM, TRUE, says=SAYS, uses=[LEMMA, "varre2023.lemma-3-2", "varre2023.lemma-c-2-alpha"])(rate_of_the_loss_bounded)


@refuted(
    "varre2023.eq-b-descent",
    f"{PROJECTED.replace('0 < c =>', '1 <= p => 0 < c =>', 1)} all t:R. 0 <= t => {GROWTH} <= -2*c*eig(T(X) @ X, p)*{SQUARE}",
    argument="fails",
    reason=REASON,
    uses=["varre2023.step-c-6-trace-derivative", CLAIM],
)
def quoted_inequality_fails(g: Goal) -> None:
    """The eigenvalues of X^T X are not negative."""
    first, second, law, bounds = example(g)
    given = setting(first, second, law)
    more = grows(g, bounds, given)

    def form(g: Goal) -> None:
        g.fix("v")
        g.pos([f"tr(T({X} @ v) @ ({X} @ v))"])

    low = g.by_fact("eig_lower_bound", 2, 0, f"T({X}) @ {X}", by=[Goal.auto, lambda g: g.nc(), form])
    g.witness(*EXAMPLE)

    def later(g: Goal) -> None:
        g.witness("3/64")
        r = put_in(RES)
        g.conj(None, lambda g: g.pos([f"@{more}"], [f"@{low}", "1/4", f"tr(T({r}) @ {r})"]))

    nested(g, None, *given, later)


amendment("varre2023.eq-b-descent", TRUE, says=SAYS, uses=[CLAIM])(lambda g: g.close_by(g.lemma(CLAIM, "amendment")))


FORM = f"tr((T(X) @ X) @ Z1(t) @ T(Z1(t)) @ {RES} @ T({RES}))"
LEAST = "eig(Z1(t) @ T(Z1(t)), p)"


@refuted(
    "varre2023.step-c-6-first-term",
    f"""{PROJECTED.replace("0 < c =>", "1 <= p => 0 < c =>", 1)} all q:R. 0 < q => {GAP} => all t:R. 0 <= t => {LEFT} = {FORM} and
       q*{LEAST}*{SQUARE} <= {FORM} and 2*q*c*{SQUARE} <= q*{LEAST}*{SQUARE}""",
    argument="fails",
    reading=EIGENVALUES,
    reason="X^T X and Z_1 Z_1^T need not commute, and the trace of the product of three positive semidefinite matrices can be negative: for X = diag(8, 1), Y = (8, 20), "
    "gamma = 1/8 it is below -1700 at t = 3/64",
    uses=[CLAIM],
)
def first_trace_term_can_be_negative(g: Goal) -> None:
    """The trace is negative, and the last bound says that it is not."""
    first, second, law, bounds = example(g)
    given = setting(first, second, law)
    negative = boxed(g, bounds, f"{FIRST_TERM} < 0")
    r, form, least = put_in(RES), put_in(FORM), put_in(LEAST).replace(", p)", ", 2)")
    value = g.have(f"{form} < 0", lambda g: g.pos([f"@{negative}"]))
    g.witness(*EXAMPLE)

    def wrong(g: Goal) -> None:
        g.em(
            f"1*{least}*tr(T({r}) @ {r}) <= {form}", last, lambda g: (g.left_or_right(1), g.close_by(next(reversed(g.seq.hyps))))
        )

    def last(g: Goal) -> None:
        small = next(reversed(g.seq.hyps))
        g.left_or_right(2)
        g.em(
            f"{form} < 2*1*(1/8)*tr(T({r}) @ {r})",
            lambda g: g.pos([f"@{small}"], [f"@{next(reversed(g.seq.hyps))}"]),
            lambda g: impossible(g),
        )

    def impossible(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        no = g.have("false", lambda g: g.pos([f"@{h}"], [f"@{value}"], ["1/4", f"tr(T({r}) @ {r})"]))
        g.step("absurd", h=no)

    def later(g: Goal) -> None:
        g.witness("3/64")
        g.conj(None, wrong)

    nested(g, None, *given, lambda g: (g.witness(1), nested(g, None, gap, later)))


@amendment(
    "varre2023.step-c-6-first-term",
    f"""{PROJECTED.replace("0 < c =>", "1 <= p => 0 < c =>", 1)} all t:R. 0 <= t => {LEAST}*{SQUARE} <= tr(T({RES}) @ Z1(t) @ T(Z1(t)) @ {RES}) and
       2*c*{SQUARE} <= {LEAST}*{SQUARE}""",
    says="without X^T X: tr(R^T Z_1 Z_1^T R) >= lambda_min(Z_1 Z_1^T) |R|^2 >= 2 gamma |R|^2",
    uses=["varre2023.step-c-6-gram-lower-bound", "varre2023.cited-lasserre-trace"],
)
def form_of_the_first_layer(g: Goal) -> None:
    """The trace inequality for two matrices, with R R^T."""
    many, *names = g.intro()
    h = g.lemma(
        "varre2023.step-c-6-gram-lower-bound",
        "statement",
        "n",
        "p",
        "k",
        "l",
        "c",
        "X",
        "Y",
        "P",
        "Z1",
        "Z2",
        by=[using(many), *[using(n) for n in names[:5]]],
    )
    low = g.split(g.apply(h, "t"))[-1]

    def square(left: str, root: str) -> list[Script | None]:
        return [lambda g: g.nc(), lambda g: (g.fix("v"), g.pos([f"tr(T(T({root}) @ v) @ (T({root}) @ v))"]))]

    s, rr = "Z1(t) @ T(Z1(t))", f"{RES} @ T({RES})"
    two = g.lemma(
        "varre2023.cited-lasserre-trace", "amendment", "p", s, rr, by=[using(many), *square(s, "Z1(t)"), *square(rr, RES)]
    )
    g.conj(lambda g: g.pos([f"@{two}"]), lambda g: g.pos([f"@{low}", SQUARE]))


ONE = "varre2023.step-c-7-reduced-flow"


def entry_of(g: Goal, h: str, i: int, j: int) -> str:
    """An entry of an equation of matrices."""
    _, left, right = g.hyp_formula(h)
    return g.have(("=", ("entry", left, i, j), ("entry", right, i, j)), lambda g: g.ctx(using(h)))


@refuted(
    ONE,
    f"""{PROJECTED_ONE} all t:R. 0 <= t => D(s, {ALPHA_PATH}, t) = (I(p) - {ALPHA} @ T({ALPHA})) @ {RES} and
       Z1'(t) = Z1(t) @ {ALPHA} @ T({RES})""",
    argument="fails",
    reason="Z_1' = R Z_2^T = r alpha^T Z_1, printed Z_1 alpha r^T: two matrices of rank one with the left factors r and Z_1 alpha; for X = diag(8, 1), Y = (8, 20), gamma = 1/8, t = 3/64 "
    "r and Z_2, which would have to be parallel, are not",
    uses=[CLAIM],
)
def printed_flow_of_the_first_layer(g: Goal) -> None:
    """r Z_2^T = m r^T gives r_1 (r_1 Z_2_2 - r_2 Z_2_1) = 0."""
    first, second, law, bounds = example(g)
    given = setting(first, second, law)
    apart = boxed(g, bounds, f"{R1}*({R1}*v - {R2}*u) != 0")
    g.witness(2, 2, 2, "1/8", X, Y, EYE, "A", "B")

    def wrong(g: Goal) -> None:
        g.left_or_right(1)
        same = g.contra()
        rate = g.split(g.apply(law, "3/64", by=[Goal.auto]))[0]
        m = g.obtain(
            g.have(f"ex m:V(2). m = {put_in('Z1(t) @ ' + ALPHA)}", lambda g: (g.witness(put_in("Z1(t) @ " + ALPHA)), g.refl())),
            "m",
        )[0]
        r = put_in(RES)
        both = g.have(
            f"{r} @ T(B(3/64)) = m @ T({r})",
            lambda g: g.nc((rate, -1, None, None), (same, 1, None, None), (m, -1, None, f"T({r})")),
        )
        one, two = entry_of(g, both, 1, 1), entry_of(g, both, 1, 2)
        u, v = "B(3/64)[1,1]", "B(3/64)[2,1]"
        r1, r2 = entry_text(R1), entry_text(R2)
        zero = g.have(f"{r1}*({r1}*{v} - {r2}*{u}) = 0", lambda g: g.field((two, r1), (one, f"-({r2})")))
        g.clash(zero, apart)

    nested(g, *given, lambda g: (g.witness("3/64"), g.conj(None, wrong)))


def entry_text(text: str) -> str:
    """A text in the entries z, y, x, w, u, v at the example."""
    out = ""
    for ch in text:
        out += PLACES[NAMES.index(ch)].replace("(s)", "(3/64)") if ch in NAMES else ch
    return out


@amendment(
    ONE,
    f"""{PROJECTED_ONE} all t:R. 0 <= t => D(s, {ALPHA_PATH}, t) = (I(p) - {ALPHA} @ T({ALPHA})) @ {RES} and
       Z1'(t) = {RES} @ T({ALPHA}) @ Z1(t)""",
    says="Z_1' = r alpha^T Z_1",
    uses=["varre2023.lemma-c-2-alpha"],
)
def flow_of_the_first_layer(g: Goal) -> None:
    """Z_1^T alpha = Z_2; r^T alpha is a number."""
    names = g.intro()
    setting_ = [using(n) for n in names[:5]]
    change = g.split(g.apply(g.lemma("varre2023.lemma-c-2-alpha", "statement", *SETTING_ONE, by=setting_), "t"))[1]
    regular = g.split(g.apply(g.lemma("varre2023.lemma-c-2-alpha", "part:invertible", *SETTING_ONE, by=setting_), "t"))[0]
    left = g.by_fact("inv_left", "p", "Z1(t)", by=[using(regular)])
    a = g.split(g.apply(names[4], "t"))[0]
    one, two = g.fact("tr_entries", 1, f"T({RES}) @ {ALPHA}"), g.fact("tr_entries", 1, f"T({ALPHA}) @ {RES}")
    f = f"tr(T({RES}) @ {ALPHA})"
    first = g.have(f"T({RES}) @ {ALPHA} = {f}*I(1)", lambda g: g.ext(lambda g: g.field((one, -1))))
    second = g.have(f"T({ALPHA}) @ {RES} = {f}*I(1)", lambda g: g.ext(lambda g: g.field((two, -1))))
    g.conj(
        lambda g: g.nc((change, 1, None, None), (first, -1, ALPHA, None), (second, 1, ALPHA, None)),
        lambda g: g.nc((a, 1, None, None), (left, -1, f"{RES} @ T(Z2(t))", None)),
    )


FORM_OF_ALPHA = "tr(T({a}) @ ({gram}) @ {a})"
PREDICTOR, RESIDUAL_PATH = "Z1(s) @ Z2(s)", RES.replace("(t)", "(s)")


def velocities(gram: str) -> str:
    """The velocities of beta and r with this Gram matrix of Z_1."""
    rate = f"(({gram}) @ {RES} + tr(T({ALPHA}) @ ({gram}) @ {ALPHA})*{RES})"
    return f"D(s, {PREDICTOR}, t) = {rate} and D(s, {RESIDUAL_PATH}, t) = -((T(X) @ X) @ {rate})"


@refuted(
    "varre2023.step-c-7-beta-r-flow",
    f"""{PROJECTED_ONE} all t:R. 0 <= t => {velocities("T(Z1(t)) @ Z1(t)")} and
       D(s, {PREDICTOR}, t) = D(s, T(Z1(s)) @ Z1(s) @ (inv(T(Z1(s))) @ Z2(s)), t)""",
    argument="fails",
    reason="the velocity of beta is (Z_1 Z_1^T + |Z_2|^2) r, and Z_1 Z_1^T r - Z_1^T Z_1 r is no multiple of r for X = diag(8, 1), Y = (8, 20), gamma = 1/8, t = 3/64",
    uses=[CLAIM],
)
def printed_velocity_of_the_predictor(g: Goal) -> None:
    """(A A^T - A^T A) r would be a multiple of r."""
    first, second, law, bounds = example(g)
    given = setting(first, second, law)
    turned = (f"(z*(z*{R1} + x*{R2}) + y*(y*{R1} + w*{R2}))", f"(x*(z*{R1} + x*{R2}) + w*(y*{R1} + w*{R2}))")
    plain = (f"(z*(z*{R1} + y*{R2}) + x*(x*{R1} + w*{R2}))", f"(y*(z*{R1} + y*{R2}) + w*(x*{R1} + w*{R2}))")
    apart = boxed(g, bounds, f"({turned[0]} - {plain[0]})*{R2} - ({turned[1]} - {plain[1]})*{R1} != 0")
    g.witness(2, 2, 2, "1/8", X, Y, EYE, "A", "B")

    def wrong(g: Goal) -> None:
        g.left_or_right(0)
        same = g.contra()
        a, b = g.split(g.apply(law, "3/64", by=[Goal.auto]))
        r, gram = put_in(RES), "T(A(3/64)) @ A(3/64)"
        m = g.obtain(
            g.have(
                f"ex m:R. m = {put_in(FORM_OF_ALPHA.format(a=ALPHA, gram='T(Z1(t)) @ Z1(t)'))}",
                lambda g: (g.witness(put_in(FORM_OF_ALPHA.format(a=ALPHA, gram="T(Z1(t)) @ Z1(t)"))), g.refl()),
            ),
            "m",
        )[0]
        size_ = g.fact("tr_entries", 1, "T(B(3/64)) @ B(3/64)")
        norm = g.have("T(B(3/64)) @ B(3/64) = tr(T(B(3/64)) @ B(3/64))*I(1)", lambda g: g.ext(lambda g: g.field((size_, -1))))
        known = g.have(
            f"A(3/64) @ T(A(3/64)) @ {r} - {gram} @ {r} = (m - tr(T(B(3/64)) @ B(3/64)))*{r}",
            lambda g: (
                g.rewrite(m),
                g.nc((same, 1, None, None), (a, -1, None, "B(3/64)"), (b, -1, "A(3/64)", None), (norm, -1, r, None)),
            ),
        )
        one, two = entry_of(g, known, 1, 1), entry_of(g, known, 2, 1)
        text = entry_text(f"({turned[0]} - {plain[0]})*{R2} - ({turned[1]} - {plain[1]})*{R1}")
        zero = g.have(f"{text} = 0", lambda g: g.field((one, entry_text(R2)), (two, f"-({entry_text(R1)})")))
        g.clash(zero, apart)

    nested(g, *given, lambda g: (g.witness("3/64"), g.conj(None, wrong)))


@amendment(
    "varre2023.step-c-7-beta-r-flow",
    f"""{PROJECTED_ONE} all t:R. 0 <= t => D(s, {PREDICTOR}, t) = Z1(t) @ T(Z1(t)) @ {RES} + tr(T(Z2(t)) @ Z2(t))*{RES} and
       D(s, {RESIDUAL_PATH}, t) = -((T(X) @ X) @ (Z1(t) @ T(Z1(t)) @ {RES} + tr(T(Z2(t)) @ Z2(t))*{RES})) and
       tr(T(Z2(t)) @ Z2(t)) = tr(T({ALPHA}) @ (Z1(t) @ T(Z1(t))) @ {ALPHA}) and {BETA} = Z1(t) @ T(Z1(t)) @ {ALPHA}""",
    says="with Z_1 Z_1^T in place of Z_1^T Z_1",
    uses=["varre2023.lemma-c-2-alpha"],
)
def velocity_with_the_other_gram_matrix(g: Goal) -> None:
    """Z_1^T alpha = Z_2."""
    names = g.intro()
    change = g.split(
        g.apply(g.lemma("varre2023.lemma-c-2-alpha", "statement", *SETTING_ONE, by=[using(n) for n in names[:5]]), "t")
    )
    right = g.by_fact("inv_right", "p", "T(Z1(t))", by=[using(change[0])])
    a, b = g.split(g.apply(names[4], "t"))
    size_ = g.fact("tr_entries", 1, "T(Z2(t)) @ Z2(t)")
    norm = g.have("T(Z2(t)) @ Z2(t) = tr(T(Z2(t)) @ Z2(t))*I(1)", lambda g: g.ext(lambda g: g.field((size_, -1))))
    back = g.have(f"T(Z1(t)) @ {ALPHA} = Z2(t)", lambda g: g.nc((right, 1, None, "Z2(t)")))

    def trace(g: Goal) -> None:
        whole = g.have(
            f"T({ALPHA}) @ (Z1(t) @ T(Z1(t))) @ {ALPHA} = T(T(Z1(t)) @ {ALPHA}) @ (T(Z1(t)) @ {ALPHA})", lambda g: g.nc()
        )
        g.rewrite(whole)
        g.rewrite(back)
        g.refl()

    g.conj(
        lambda g: g.nc((norm, 1, RES, None), rw=[a, b]),
        lambda g: g.nc((norm, -1, f"(T(X) @ X) @ {RES}", None), rw=[a, b]),
        trace,
        lambda g: g.nc((back, -1, "Z1(t)", None)),
    )
