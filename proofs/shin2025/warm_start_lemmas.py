"""Appendix G.2: Lemma 20 with the steps of its proof, (56), the monotone loss."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.warm_start_flow import (
    CORE,
    PAPER,
    claim,
    counterexample,
    enter,
    entries,
    functions,
    loss,
    of_flow,
    of_reduced,
    product,
    rates,
)
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

W11, W12, W21, W22 = (f"{product('t')}[{i},{j}]" for i, j in ((1, 1), (1, 2), (2, 1), (2, 2)))
A11, A12, A21, A22 = ("A(t)[1,1]", "A(t)[1,2]", "A(t)[2,1]", "A(t)[2,2]")
NAMES = ("balance", "w11", "w12", "cross", "w21", "w12_nonneg", "det", "a11", "a22", "a12", "det2", "loss", "sum", "sum_nonneg")


def start(g: Goal) -> tuple[list[str], list[str], str]:
    """Fix the setting; see `enter`."""
    return enter(g)


def known(g: Goal, red: list[str], ent: str, t: str, w: str = "w", v: str = "v") -> tuple[list[str], dict[str, str]]:
    """At a time that is visibly >= 0: the equations that turn everything into p, q, r, s, and the bounds by name."""
    bounds = g.split_all(g.apply(of_reduced(g, red, "bounds", w, v), t))
    return entries(g, ent, t) + rates(g, red[6], t), dict(zip(NAMES, bounds, strict=True))


def by_bound(*names: str) -> Callable[[Goal], None]:
    """Close a conjunction (or one formula) at time t of the setting by the named bounds."""

    def script(g: Goal) -> None:
        _, red, ent = start(g)
        e, b = known(g, red, ent, "t")

        def close(g: Goal, n: str) -> None:
            g.pos(["@" + b[n]], rw=e)

        if len(names) == 1:
            close(g, names[0])
        else:
            g.conj(*[lambda g, n=n: close(g, n) for n in names])

    return script


LEMMA20 = "0 < A(0)[1,1] => 0 < A(0)[2,2] => 0 < (A(0) @ B(0))[1,1] => 0 < (A(0) @ B(0))[2,2] => 0 <= A(0)[1,2] => "
START_NOTE = "The positivity at T_1 that the lemma assumes follows from the start (45); it is kept as a hypothesis."
USES = [f"{PAPER}.lemma-19", CORE]
ORDER = "Lemmas 21 and 22 come first here (their signs need no Lemma 20); det A^2 = w11^2 - w12 w21 >= w*^2 then excludes a zero."


@holds(
    f"{PAPER}.lemma-20-a11",
    claim(LEMMA20 + f"all t:R. 0 <= t => 0 < {A11}"),
    uses=USES,
    argument="repaired",
    reading=START_NOTE,
    reason=ORDER,
)
def a11_stays_positive(g: Goal) -> None:
    """Where a11 vanished, det A = -a12 a21 > 0 and w11 = a12 a21 > 0 would contradict each other."""
    by_bound("a11")(g)


@holds(
    f"{PAPER}.lemma-20-a22",
    claim(LEMMA20 + f"all t:R. 0 <= t => 0 < {A22}"),
    uses=USES,
    argument="repaired",
    reading=START_NOTE,
    reason=ORDER,
)
def a22_stays_positive(g: Goal) -> None:
    """As for a11."""
    by_bound("a22")(g)


@holds(
    f"{PAPER}.lemma-20-w11",
    claim(LEMMA20 + f"all t:R. 0 <= t => 0 < {W11} and 0 < {W22}"),
    uses=USES,
    argument="repaired",
    reading=START_NOTE,
    reason=ORDER,
)
def diagonal_of_the_product_stays_positive(g: Goal) -> None:
    """Both are at least w*."""
    _, red, ent = start(g)
    e, b = known(g, red, ent, "t")
    g.conj(*[lambda g: g.pos([red_w(red)], ["@" + b["w11"]], rw=e)] * 2)


def red_w(red: list[str]) -> str:
    """The positive number w as a factor."""
    return "@" + red[0]


STEP = f"(({W11} - w)^2 + ({W12} - v)^2 + ({W22} - w)^2)/2 <= v^2/2"
MONOTONE = "all t u:R. 0 <= t => t <= u => {0} <= {1}"
NON_DECREASING = "(" + MONOTONE.format(loss("t"), loss("u")) + ")"
NON_INCREASING = "(" + MONOTONE.format(loss("u"), loss("t")) + ")"
REST20 = f"(all t:R. 0 <= t => {STEP} and 0 <= {W12} and {W12} = 2*{A11}*{A12} and 0 < {A11})"


@part(
    f"{PAPER}.assertion-loss-monotone",
    "monotone",
    claim(NON_INCREASING),
    says="The loss does not increase.",
    uses=[f"{PAPER}.lemma-19"],
)
def loss_does_not_increase(g: Goal) -> None:
    """Its derivative is -2 (a11'^2 + a12'^2 + a21'^2 + a22'^2)."""
    _, red, ent = start(g)

    def down(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        k = rates(g, red[6], x)
        slopes = [f"({g_text})^2" for g_text in (f"p'({x})", f"q'({x})", f"r'({x})", f"s'({x})")]
        back = entries(g, ent, x)
        g.pos(*[["2", y] for y in slopes], rw=back + k)

    h = g.by_fact("nonincreasing", "0", f"lam t:R. {loss('t')}", by=[None, down])
    g.close_by(g.apply(h, "t", "u"))


def positive_start(g: Goal, hs: list[str]) -> None:
    """An entry of A(0) or A(0) B(0) is positive (or >= 0) at the start with w = 1, by the value of sqrt(1)."""
    for name, h in (("A", hs[2]), ("B", hs[3])):
        if repr(("call", name, 0)) in repr(g.concl):
            one = g.have(f"{name}(0) = I(2)", lambda g, h=h: (g.rewrite(h), g.nc()))
            g.rewrite(one)
    g.auto()


@refuted(
    f"{PAPER}.lemma-20-a12",
    claim(LEMMA20 + f"(all t:R. 0 <= t => 0 <= {A12}) and {NON_DECREASING} and {REST20}"),
    uses=[*USES, f"{PAPER}.eq-g2-flow"],
    argument="repaired",
    reading=START_NOTE,
    reason=(
        "The conclusion a12 >= 0 is true; one word of the proof is not: the loss is not non-decreasing, "
        "with w* = w12* = 1 it is 1/2 at T_1 and less than that afterwards."
    ),
)
def loss_does_decrease(g: Goal) -> None:
    """Along the flow with w* = w12* = 1 the loss is at most e^(-2)/2 < 1/2 one unit of time after T_1."""

    def decrease(g: Goal, hs: list[str]) -> None:
        g.left_or_right(1)
        red, ent = functions(g, hs, "1", "1")
        h = g.apply(of_reduced(g, red, "decay", "1", "1"), "1")
        small = g.by_fact("exp_strict", "-2", "0")
        one = g.fact("exp_zero")
        first = g.have(f"{loss('0')} = v^2/2".replace("w", "1").replace("v", "1"), lambda g: start_value(g, hs))
        g.witness("0", "1")
        g.conj(
            None,
            lambda g: g.conj(
                None, lambda g: g.pos(["@" + h], ["1/2", "@" + small], eqs=[(first, "1"), (one, "1/2")], rw=entries(g, ent, "1"))
            ),
        )

    counterexample(g, decrease, *[positive_start] * 5)


@amendment(
    f"{PAPER}.lemma-20-a12",
    claim(LEMMA20 + f"(all t:R. 0 <= t => 0 <= {A12}) and {NON_INCREASING} and {REST20}"),
    uses=[*USES, f"{PAPER}.assertion-loss-monotone"],
    says="The same with non-increasing for non-decreasing.",
)
def a12_stays_nonnegative(g: Goal) -> None:
    """w12 = 2 a11 a12 >= 0 because the loss does not exceed w12*^2/2."""
    hs, red, ent = start(g)

    def sign(g: Goal) -> None:
        g.intro()
        e, b = known(g, red, ent, "t")
        g.pos(["@" + b["a12"]], rw=e)

    def rest(g: Goal) -> None:
        g.intro()
        e, b = known(g, red, ent, "t")
        g.conj(
            lambda g: g.pos(["@" + b["loss"]], rw=e),
            lambda g: g.pos(["@" + b["w12_nonneg"]], rw=e),
            lambda g: g.field(rw=e),
            lambda g: g.pos(["@" + b["a11"]], rw=e),
        )

    g.conj(sign, lambda g: g.close_by(of_flow(g, hs, "assertion-loss-monotone", "part:monotone")), rest)


FIXED = "all w v p q r s:R. 0 < w => 0 < v => p^2 + r^2 = q^2 + s^2 => "


@holds(
    f"{PAPER}.eq-56",
    claim(f"""(all t:R. 0 <= t => {loss("t")} <= {loss("0")}) and
      (all p q r s:R. p^2 + r^2 = q^2 + s^2 => 0 < p*s - q*r => p = 0 =>
        p*s + q*r < 0 and 2*p*q = 0 and not ((p*s + q*r - w)^2 + (2*p*q - v)^2 + (p*s + q*r - w)^2)/2 <= {loss("0")}) and
      (all t:R. 0 <= t => {A11}^2 + {A21}^2 = {A12}^2 + {A22}^2 and 0 < det(A(t)) and {W11} = {A11}*{A22} + {A12}*{A21} and
        {W22} = {W11} and {W12} = 2*{A11}*{A12} and {A11} != 0)"""),
    uses=[*USES, f"{PAPER}.assertion-loss-monotone"],
    argument="sound",
    reading=(
        "Second part: at any point with (52), (54), det A > 0 and a11 = 0 (p, q, r, s are the entries of A) the loss exceeds its "
        "value at T_1. Third part: (52), (54) and det A > 0 are so along the flow from (45), which therefore has no such time."
    ),
)
def a_zero_of_a11_would_raise_the_loss(g: Goal) -> None:
    """With a11 = 0 the determinant is -a12 a21, so w11 = w22 = a12 a21 < 0 and w12 = 0: the loss exceeds w12*^2/2."""
    hs = g.intro()
    h = of_flow(g, hs, "assertion-loss-monotone", "part:monotone")
    root = g.by_fact("sqrt_sq", "w")

    def first(g: Goal) -> None:
        g.intro()
        g.close_by(g.apply(h, "0", "t"))

    def second(g: Goal) -> None:
        _, det, zero = g.intro()
        w11 = g.have("p*s + q*r < 0", lambda g: g.pos(["@" + det], eqs=[(zero, "-2*s")]))
        raise_ = g.have(
            "v^2/2 < ((p*s + q*r - w)^2 + (2*p*q - v)^2 + (p*s + q*r - w)^2)/2",
            lambda g: g.pos(["w", "w"], ["2", "w", "@" + w11], ["@" + w11, "@" + w11], eqs=[(zero, "2*p*q^2 - 2*q*v")]),
        )
        at_start = g.have(f"{loss('0')} = v^2/2", lambda g: start_value(g, hs, root))

        def no(g: Goal) -> None:
            k = g.assume()
            g.pos(["@" + raise_], ["@" + k], eqs=[(at_start, "-1")])

        g.conj(None, lambda g: g.field((zero, "2*q")), no)

    def third(g: Goal) -> None:
        g.intro()
        red, ent = functions(g, hs)
        e, b = known(g, red, ent, "t")
        plain = lambda g: g.field(rw=e)  # noqa: E731
        g.conj(
            lambda g: g.field((b["balance"], 1), rw=e),
            lambda g: g.pos(["@" + b["det"]], rw=e),
            plain,
            plain,
            plain,
            lambda g: (g.have(f"0 < {A11}", lambda g: g.pos(["@" + b["a11"]], rw=e)), g.auto())[-1],
        )

    g.conj(first, second, third)


def start_value(g: Goal, hs: list[str], root: str = "") -> None:
    """Close loss(0) = v^2/2 by the start; `root` says sqrt(w)^2 = w where w is no number."""
    g.rewrite(hs[2])
    g.rewrite(hs[3])
    g.field(*([(root, "sqrt(w)^2 - w")] if root else []))


POINT = "all p q r s:R. "
AT_POINT = "[[p, q], [r, s]] @ [[s, q], [r, p]]"


@holds(
    f"{PAPER}.proof-step-w11-zero-algebra",
    f"""{POINT}p*s + q*r = 0 => p^2 + r^2 = q^2 + s^2 =>
      p*s = -(q*r) and s^2*(p^2 - q^2) = q^2*(r^2 - s^2) and (q^2 + s^2)*(r^2 - s^2) = 0 and
      (0 < s => 0 < p => 0 <= q => 0 < det({AT_POINT}) => r = -s and p = q and 0 < q)""",
    argument="sound",
    reading=(
        "p, q, r, s are the entries of A at any point with (52), (54) and w11 = a11 a22 + a12 a21 = 0; the "
        "flow from (45) has no such time."
    ),
)
def entries_of_a_where_w11_vanishes(g: Goal) -> None:
    """The identities are combinations of the two equations; then r^2 = s^2, and r = s would give w11 > 0."""
    zero, balance = g.intro()
    first = g.have("(q^2 + s^2)*(r^2 - s^2) = 0", lambda g: g.field((zero, "q*r - p*s"), (balance, "s^2")))

    def signs(g: Goal) -> None:
        s, p, q, _ = g.intro()
        root = g.by_fact("product_zero", "q^2 + s^2", "r^2 - s^2")

        def no(g: Goal) -> None:
            h = list(g.seq.hyps)[-1]
            g.contra()
            g.pos(["q^2"], ["s^2"], eqs=[(h, "-1")])

        def yes(g: Goal) -> None:
            h = list(g.seq.hyps)[-1]
            g.have("(r + s)*(r - s) = 0", lambda g: g.field((h, "1")))

            def plus(g: Goal) -> None:
                k = list(g.seq.hyps)[-1]
                e = g.have("r = -s", lambda g: g.field((k, "1")))
                f = g.have("s*(p - q) = 0", lambda g: g.field((zero, "1"), (e, "-q")))
                eq = g.have("p = q", lambda g: g.field((f, "1/s")))
                g.conj(None, None, lambda g: g.pos(["@" + p], eqs=[(eq, "-1")]))

            def minus(g: Goal) -> None:
                k = list(g.seq.hyps)[-1]
                g.contra()
                g.pos(["@" + p, "@" + s], ["@" + q, "@" + s], eqs=[(zero, "-1"), (k, "q")])

            g.cases(g.by_fact("product_zero", "r + s", "r - s"), plus, minus)

        g.cases(root, no, yes)

    g.conj(lambda g: g.field((zero, "1")), lambda g: g.field((zero, "p*s - q*r")), lambda g: g.close_by(first), signs)
