"""Appendix I.2, (146) to (157): the residual R_t is dominated where the alignment exceeds gamma_Z."""

from __future__ import annotations

from proofs.eftekhari2022.alignment_rate import (
    LEFT_REST,
    PUC,
    PUZ,
    PVC,
    PVZ,
    RESIDUAL,
    RIGHT_REST,
    SCALE,
    STEPS,
    STEPS_CONTEXT,
)
from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.rank_one_numbers import BASES, POINT, SECOND, TOP, A, B, Q, numbers
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

KAPPA = "s^(1 - 2/N)"
SETTING = f"{STEPS} {POINT} {BASES}"
READING = "R_t is the sum of the two residual terms of (141) and (143), times s_Z"


@part(
    "eftekhari2022.eq-146",
    "triangle",
    """all c p q a b P Q:R. 0 <= c => abs(p) <= P => abs(q) <= Q => abs(c*(p*b + q*a)) <= c*P*abs(b) + c*Q*abs(a)""",
    says="the triangle inequality for two products",
)
def two_products(g: Goal) -> None:
    """|p b + q a| <= |p| |b| + |q| |a|."""
    _, p, q = g.intro()
    total = g.fact("abs_triangle", "p*b", "q*a")
    first, second = g.fact("abs_product", "p", "b"), g.fact("abs_product", "q", "a")
    whole = g.fact("abs_product", "c", "p*b + q*a")
    g.have("0 <= abs(a)")
    g.have("0 <= abs(b)")
    g.pos(
        [f"@{total}", "c"], ["c", f"@{p}", "abs(b)"], ["c", f"@{q}", "abs(a)"], eqs=[(whole, -1), (first, "-c"), (second, "-c")]
    )


@holds(
    "eftekhari2022.eq-146",
    f"""{SETTING} abs({RESIDUAL}) <= {SCALE}*sqrt({size(f"{PUC} @ uZ")})*sqrt({size(PVZ)})*abs({B}) +
       {SCALE}*sqrt({size(f"{PVC} @ vZ")})*sqrt({size(PUZ)})*abs({A})""",
    argument="sound",
    reading=READING,
    context=STEPS_CONTEXT,
    uses=["eftekhari2022.eq-142", "eftekhari2022.eq-144", "eftekhari2022.eq-146"],
)
def first_bound_of_the_residual(g: Goal) -> None:
    """The triangle inequality with (142) and (144)."""
    names = g.intro(split=False)
    at, bases = names[2:12], names[12:16]

    def term(claim: str) -> str:
        h = g.lemma(claim, "statement", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"), by=[using(k) for k in at])
        first, second = g.split(g.apply(h, "U", "V", by=[using(k) for k in bases]))
        left, right = g.hyp_formula(first)[1], g.hyp_formula(second)[2]
        return g.have(("<=", left, right), lambda g: g.pos([f"@{first}"], [f"@{second}"]))

    left, right = term("eftekhari2022.eq-142"), term("eftekhari2022.eq-144")
    c = f"{TOP}*m*{KAPPA}"
    g.have("0 < m")
    g.have(f"0 <= {c}")
    bound = g.lemma(
        "eftekhari2022.eq-146", "part:triangle", c, LEFT_REST, RIGHT_REST, A, B,
        g.hyp_formula(left)[2], g.hyp_formula(right)[2], by=[None, using(left), using(right)],
    )  # fmt: skip
    g.pos([f"@{bound}"])


def residual_value(g: Goal, names: list[str]) -> str:
    """Adds R_t = -2 m s_Z s^(1-2/N) a b q."""
    h = g.lemma(
        "eftekhari2022.eq-141",
        "part:projections",
        *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"),
        by=[using(k) for k in names[2:12]],
    )
    *_, left, right = g.split_all(g.apply(h, "U", "V", by=[using(k) for k in names[12:16]]))
    c = f"{TOP}*m*{KAPPA}"
    return g.have(
        f"{RESIDUAL} = -(2*m*{TOP}*{KAPPA}*({A}*({B}*{Q})))", lambda g: g.field((left, f"{c}*{B}"), (right, f"{c}*{A}"))
    )


def bounded(g: Goal, names: list[str], cap: str) -> None:
    """Closes |R_t| <= M from `cap`: 2 m s_Z s^(1-2/N) |a| |b| |q| <= M."""
    value = residual_value(g, names)
    x = f"({A}*({B}*{Q}))"
    outer, inner = g.fact("abs_product", A, f"{B}*{Q}"), g.fact("abs_product", B, Q)
    own = g.fact("abs_le", x, f"abs({x})")
    forward, _ = g.split(own)
    low, high = g.split(g.apply(forward, by=[lambda g: g.refl()]))
    top = g.concl[2]
    c = f"m*{TOP}*{KAPPA}"
    both = g.fact("abs_le", RESIDUAL, top)
    _, back = g.split(both)
    size_ = g.have(f"abs({x}) = abs({A})*(abs({B})*abs({Q}))", lambda g: g.field((outer, 1), (inner, f"abs({A})")))
    g.close_by(
        g.apply(
            back,
            by=[
                lambda g: g.conj(
                    lambda g: g.pos([f"@{cap}"], ["2", c, f"@{high}"], eqs=[(value, 1), (size_, f"-2*{c}")]),
                    lambda g: g.pos([f"@{cap}"], ["2", c, f"@{low}"], eqs=[(value, -1), (size_, f"-2*{c}")]),
                )
            ],
        )
    )


def cosine_sizes(g: Goal, a: str, b: str) -> tuple[str, str]:
    """Adds |a| <= 1 and |b| <= 1, and that they are not negative."""
    out = []
    for x, h in ((A, a), (B, b)):
        g.have(f"0 <= abs({x})")
        square = g.fact("abs_square", x)

        def below(g: Goal, x: str = x, h: str = h, square: str = square) -> None:
            k = g.contra()
            g.pos([f"@{k}", f"abs({x}) + 1"], [f"@{h}"], eqs=[(square, -1)])

        out.append(g.have(f"abs({x}) <= 1", below))
    return out[0], out[1]


def start(g: Goal) -> tuple[list[str], str, str, str, str, str, str, str]:
    """Introduces the setting: names, the bounds of a^2, b^2, q^2, q from below and above, |a| <= 1, |b| <= 1."""
    names = g.intro(split=False)
    _, a, b, square, low, high, *_ = numbers(g, names[2:12])
    g.have("0 < m")
    first, second = cosine_sizes(g, a, b)
    return names, a, b, square, low, high, first, second


RA, RB = f"sqrt(1 - {A}^2)", f"sqrt(1 - {B}^2)"


def residual_root(g: Goal, a: str, b: str, square: str) -> str:
    """Adds |q| <= s_2 sqrt(1 - a^2) sqrt(1 - b^2)."""
    order = g.fact("sv_range", "y", "x", "Z")
    g.split(g.apply(order, 2, 2))
    g.have(f"0 <= 1 - {A}^2", lambda g: g.pos([f"@{a}"]))
    g.have(f"0 <= 1 - {B}^2", lambda g: g.pos([f"@{b}"]))
    bound = g.lemma(
        "eftekhari2022.eq-142", "part:root-bound", Q, f"{SECOND}^2*(1 - {A}^2)", f"1 - {B}^2",
        by=[None, None, lambda g: g.pos([f"@{square}"])],
    )  # fmt: skip
    root = g.by_fact("sqrt_sq", f"1 - {A}^2")
    g.by_fact("sqrt_nonneg", f"1 - {A}^2")
    g.by_fact("sqrt_nonneg", f"1 - {B}^2")
    value = g.by_fact(
        "sqrt_unique", f"{SECOND}^2*(1 - {A}^2)", f"{SECOND}*{RA}", by=[None, lambda g: g.field((root, f"{SECOND}^2"))]
    )
    g.have(f"0 <= abs({Q})")
    return g.have(f"abs({Q}) <= {SECOND}*{RA}*{RB}", lambda g: g.pos([f"@{bound}"], eqs=[(value, f"-{RB}")]))


@holds(
    "eftekhari2022.eq-149-line1",
    f"{SETTING} abs({RESIDUAL}) <= {SCALE}*{RA}*{RB}*(abs({A}) + abs({B}))",
    argument="sound",
    reading=READING,
    context=STEPS_CONTEXT,
    uses=["eftekhari2022.eq-141", "eftekhari2022.eq-142", "eftekhari2022.eq-169-identity"],
)
def residual_bound_in_cosines(g: Goal) -> None:
    """R_t = -2 m s_Z s^(1-2/N) a b q and 2 |a| |b| <= |a| + |b|."""
    names, a, b, square, _, _, first, second = start(g)
    root = residual_root(g, a, b, square)
    c = f"m*{TOP}*{KAPPA}"
    p, q = f"abs({A})", f"abs({B})"
    cap = g.have(
        f"2*{c}*({p}*({q}*abs({Q}))) <= {SCALE}*{RA}*{RB}*({p} + {q})",
        lambda g: g.pos(
            ["2", c, p, q, f"@{root}"],
            [c, SECOND, RA, RB, p, f"@{second}"],
            [c, SECOND, RA, RB, q, f"@{first}"],
        ),
    )
    bounded(g, names, cap)


PRODUCT_ROOT = f"sqrt((1 - {A}^2)*(1 - {B}^2))"


@holds(
    "eftekhari2022.eq-149-line2",
    f"{SETTING} abs({A}) <= 1 and abs({B}) <= 1 and abs({RESIDUAL}) <= 2*{SCALE}*{PRODUCT_ROOT}",
    argument="sound",
    reading=READING,
    context=STEPS_CONTEXT,
    uses=["eftekhari2022.eq-141", "eftekhari2022.eq-142", "eftekhari2022.eq-169-identity"],
)
def residual_bound_by_a_root(g: Goal) -> None:
    """|a| |b| <= 1."""
    names, a, b, square, _, _, first, second = start(g)
    root = residual_root(g, a, b, square)
    c = f"m*{TOP}*{KAPPA}"
    p, q = f"abs({A})", f"abs({B})"
    roots = [g.by_fact("sqrt_sq", f"1 - {x}^2") for x in (A, B)]
    both = g.by_fact(
        "sqrt_unique", f"(1 - {A}^2)*(1 - {B}^2)", f"{RA}*{RB}",
        by=[None, lambda g: g.field((roots[0], f"{RB}^2"), (roots[1], f"1 - {A}^2"))],
    )  # fmt: skip
    cap = g.have(
        f"2*{c}*({p}*({q}*abs({Q}))) <= 2*{SCALE}*{PRODUCT_ROOT}",
        lambda g: g.pos(
            ["2", c, p, q, f"@{root}"],
            ["2", c, SECOND, RA, RB, p, f"@{second}"],
            ["2", c, SECOND, RA, RB, f"@{first}"],
            eqs=[(both, f"2*{SCALE}")],
        ),
    )
    g.conj(using(first), using(second), lambda g: bounded(g, names, cap))


@holds(
    "eftekhari2022.eq-149-line3",
    f"{SETTING} abs({RESIDUAL}) <= 2*{SCALE}*(1 - {A}*{B})",
    argument="sound",
    reading=READING,
    context=STEPS_CONTEXT,
    uses=["eftekhari2022.eq-141", "eftekhari2022.eq-169-identity"],
)
def residual_bound_by_the_alignment(g: Goal) -> None:
    """|q| <= s_2 (1 - a b)."""
    names, *_, low, high, first, second = start(g)
    cap = alignment_cap(g, low, high, first, second)
    bounded(g, names, cap)


def alignment_cap(g: Goal, low: str, high: str, first: str, second: str) -> str:
    """Adds 2 m s_Z s^(1-2/N) |a| |b| |q| <= 2 m s_Z s_2 s^(1-2/N) (1 - a b)."""
    both = g.fact("abs_le", Q, f"{SECOND}*(1 - {A}*{B})")
    _, back = g.split(both)
    root = g.apply(back, by=[lambda g: g.conj(lambda g: g.pos([f"@{low}"]), using(high))])
    g.have(f"0 <= abs({Q})")
    c = f"m*{TOP}*{KAPPA}"
    p, q, r = f"abs({A})", f"abs({B})", f"abs({Q})"
    return g.have(
        f"2*{c}*({p}*({q}*{r})) <= 2*{SCALE}*(1 - {A}*{B})",
        lambda g: g.pos(["2", c, f"@{root}"], ["2", c, r, f"@{first}"], ["2", c, r, p, f"@{second}"]),
    )


@holds(
    "eftekhari2022.eq-151",
    """all a b:R. abs(a) <= 1 => abs(b) <= 1 => sqrt((1 - a^2)*(1 - b^2)) = sqrt(1 - a^2 - b^2 + a^2*b^2) and
       sqrt(1 - a^2 - b^2 + a^2*b^2) <= sqrt(1 - 2*a*b + a^2*b^2) and sqrt(1 - 2*a*b + a^2*b^2) = 1 - a*b""",
    argument="sound",
)
def root_is_at_most_one_minus_the_product(g: Goal) -> None:
    """The difference of the radicands is (a - b)^2, and a b <= 1."""
    names = g.intro()
    squares = []
    for x, h in zip(("a", "b"), names, strict=True):
        g.have(f"0 <= abs({x})")
        eq = g.fact("abs_square", x)
        squares.append(g.have(f"{x}^2 <= 1", lambda g, x=x, h=h, eq=eq: g.pos([f"@{h}", f"1 + abs({x})"], eqs=[(eq, 1)])))
    a, b = squares
    less = g.have("a*b <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a-b)^2"]))
    nonneg = g.have("0 <= 1 - a^2 - b^2 + a^2*b^2", lambda g: g.pos([f"@{a}", f"@{b}"]))
    same = g.have("(1 - a^2)*(1 - b^2) = 1 - a^2 - b^2 + a^2*b^2", lambda g: g.field())
    grown = g.by_fact(
        "sqrt_mono", "1 - a^2 - b^2 + a^2*b^2", "1 - 2*a*b + a^2*b^2", by=[using(nonneg), lambda g: g.pos(["(a-b)^2"])]
    )
    value = g.by_fact("sqrt_unique", "1 - 2*a*b + a^2*b^2", "1 - a*b", by=[lambda g: g.pos([f"@{less}"]), lambda g: g.field()])
    g.conj(lambda g: (g.rewrite(same), g.refl()), using(grown), using(value))
