"""Equations (143), (179), (180), (181): printed with a wrong exponent, without absolute values, with a doubled term."""

from __future__ import annotations

from proofs.eftekhari2022.alignment_rate import (
    POINT_CONTEXT,
    PVC,
    REST,
    RIGHT_REST,
    STEPS_CONTEXT,
    at_t,
    projections_at,
    smooth_start,
    vector_rates,
)
from proofs.eftekhari2022.alignment_strictness import numeric
from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.loss_derivative import COLUMN, ROW, side_norms
from proofs.eftekhari2022.rank_one_numbers import BASES, POINT, TOP, A, B, numbers
from proofs.eftekhari2022.singular_vectors import BASES_AT, SMOOTH, K
from proofs.eftekhari2022.theorem_twenty import closed, nested
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, refuted

WIDE, TALL = "[[1,0]]", "[[1],[0]]"
USES = ["eftekhari2022.eq-32", "eftekhari2022.lemma-11"]
NORM_ROW, NORM_COLUMN = f"sqrt({ROW})", f"sqrt({COLUMN})"


def singular_values(g: Goal, z: str, y: int, x: int, u: str, v: str) -> tuple[str, str]:
    """Adds that a unit row or column has the singular values 1 and 0."""
    first = g.lemma("eftekhari2022.eq-32", "part:thin-singular-value", x, y, 1, u, v, z, by=[None, closed, closed, closed])
    beyond, _ = g.split(g.lemma("eftekhari2022.lemma-11", "part:rank-by-singular-values", x, y, z))
    _, rows, columns = g.split(g.by_fact("rank_bounds", y, x, z))
    small = rows if y == 1 else columns
    return first, g.apply(beyond, 2, by=[None, lambda g: g.pos(["1"], [f"@{small}"])])


def counterexample(g: Goal, wide: bool, u: str, v: str, s: str, last: Script) -> None:
    """Z = (1, 0) or its transpose, with the vectors u and v, as a witness of a negated POINT with BASES."""
    y, x, z = (1, 2, WIDE) if wide else (2, 1, TALL)
    left, right = ("[[1]]", TALL) if wide else (TALL, "[[1]]")
    values = singular_values(g, z, y, x, left, right)
    g.witness(str(x), str(y), z, z, left, u, right, v, s)

    def bases(g: Goal) -> None:
        turned = "[[-4/5],[3/5]]"
        g.witness(*(("O(1,0)", turned) if wide else (turned, "O(1,0)")))
        nested(g, *[lambda g: g.ext(lambda g: g.field()) for _ in range(4)], lambda g: (g.rewrite(values[0]), last(g)))

    nested(g, *[numeric(values) for _ in range(10)], bases)


SLANTED = "[[3/5],[4/5]]"


def numeric_difference(g: Goal, left: str, right: str) -> None:
    """Closes a != b by the values of both sides."""
    a = g.have(("=", g.concl[1], g.term(left)), lambda g: g.field())
    b = g.have(("=", g.concl[2], g.term(right)), lambda g: g.field())
    g.rewrite(a)
    g.rewrite(b)
    g.auto()


CHAIN_ROW = f"""{NORM_ROW} = {TOP}*sqrt({size("T(u) @ uZ @ T(vZ) @ V")}) and
       {TOP}*sqrt({size("T(u) @ uZ @ T(vZ) @ V")}) = {TOP}*abs({A})*sqrt({size("T(vZ) @ V")}) and
       {TOP}*abs({A})*sqrt({size("T(vZ) @ V")}) = {TOP}*{{0}}*sqrt(1 - {B}^2)"""
CHAIN_COLUMN = f"""{NORM_COLUMN} = {TOP}*sqrt({size("T(U) @ uZ")})*abs({B}) and
       {TOP}*sqrt({size("T(U) @ uZ")})*abs({B}) = {TOP}*{{0}}*sqrt(1 - {A}^2)"""


@refuted(
    "eftekhari2022.eq-179",
    f"{POINT} {BASES} {CHAIN_ROW.format(A)}",
    reason="the last member is negative where a_t < 0: Z = (1, 0), u = -1, v = (3/5, 4/5) give 4/5 and -4/5",
    context=POINT_CONTEXT,
    uses=USES,
)
def norm_of_the_row_needs_an_absolute_value(g: Goal) -> None:
    """One row and two columns."""

    def last(g: Goal) -> None:
        g.left_or_right(2)
        numeric_difference(g, "4/5", "-4/5")

    counterexample(g, True, "[[-1]]", SLANTED, "1", last)


@refuted(
    "eftekhari2022.eq-180",
    f"{POINT} {BASES} {CHAIN_COLUMN.format(B)}",
    reason="the last member is negative where b_t < 0: Z = (1, 0)^T, u = (3/5, 4/5), v = -1 give 4/5 and -4/5",
    context=POINT_CONTEXT,
    uses=USES,
)
def norm_of_the_column_needs_an_absolute_value(g: Goal) -> None:
    """Two rows and one column."""

    def last(g: Goal) -> None:
        g.left_or_right(1)
        numeric_difference(g, "4/5", "-4/5")

    counterexample(g, False, SLANTED, "[[-1]]", "1", last)


SUM = f"{ROW} + {COLUMN}"
CHAIN_SUM = f"""{SUM} = {TOP}^2*({A}^2*(1 - {B}^2) + {{0}}) and
       {TOP}^2*({A}^2*(1 - {B}^2) + {{0}}) = {TOP}^2*({A}^2 + {B}^2 - 2*{A}^2*{B}^2) and
       {TOP}^2*(2*{A}*{B} - 2*{A}^2*{B}^2) <= {TOP}^2*({A}^2 + {B}^2 - 2*{A}^2*{B}^2) and
       {TOP}^2*(2*{A}*{B} - 2*{A}^2*{B}^2) = 2*{TOP}^2*({A}*{B})*(1 - {A}*{B})"""


@refuted(
    "eftekhari2022.eq-181",
    f"{POINT} {BASES} {CHAIN_SUM.format(f'(1 - {B}^2)*{A}^2')}",
    reason="the second term of the second member should be (1 - a^2) b^2: Z = (1, 0), u = 1, v = (3/5, 4/5) give 16/25 and 32/25",
    context=POINT_CONTEXT,
    uses=USES,
)
def sum_of_the_norms_is_misprinted(g: Goal) -> None:
    """One row and two columns."""

    def last(g: Goal) -> None:
        g.left_or_right(0)
        numeric_difference(g, "16/25", "32/25")

    counterexample(g, True, "[[1]]", SLANTED, "1", last)


@amendment(
    "eftekhari2022.eq-181",
    f"{POINT} {BASES} {CHAIN_SUM.format(f'(1 - {A}^2)*{B}^2')}",
    says="with (1 - a^2) b^2 in the second term",
)
def sum_of_the_norms(g: Goal) -> None:
    """|u^T Z_1 V|^2 = s_Z^2 a^2 (1 - b^2) and |U^T Z_1 v|^2 = s_Z^2 b^2 (1 - a^2)."""
    names = g.intro(split=False)
    row, column = side_norms(g, names)
    g.conj(
        lambda g: g.field((row, 1), (column, 1)),
        lambda g: g.field(),
        lambda g: g.pos([f"{TOP}^2", f"({A} - {B})^2"]),
        lambda g: g.field(),
    )


def length(g: Goal, names: list[str], row: bool) -> tuple[str, str]:
    """Adds |v_Z^T V|^2 = 1 - b^2 (or |U^T u_Z|^2 = 1 - a^2) and that it is not negative."""
    leading, complement, cosine = (names[3], names[13], B) if row else (names[2], names[11], A)
    vector, other = ("vZ", "v") if row else ("uZ", "u")
    basis = "V" if row else "U"
    one = scalar_matrix(g, f"(T({vector}) @ {other})")
    word = f"T({vector}) @ ({basis} @ T({basis})) @ {vector}"
    h = g.have(f"{word} = (1 - {cosine}^2)*I(1)", lambda g: g.nc((complement, 1, f"T({vector})", vector), rw=[leading, one]))
    k = g.have(f"tr({word}) = 1 - {cosine}^2", lambda g: (g.rewrite(h), g.field()))
    whole = size("T(vZ) @ V") if row else size("T(U) @ uZ")
    return g.have(f"{whole} = 1 - {cosine}^2", lambda g: g.field((k, 1))), whole


def root_of(g: Goal, radicand: str, value: str, square: str) -> str:
    """Adds sqrt(radicand) = value, where `square` proves value^2 = radicand."""
    return g.by_fact("sqrt_unique", radicand, value, by=[None, using(square)])


def norms_with_absolute_values(g: Goal, row: bool) -> None:
    """Roots of the squares, with |a|^2 = a^2."""
    names = g.intro(split=False)
    _, a, b, *_ = numbers(g, names[:10])
    rows, columns = side_norms(g, names)
    norm = rows if row else columns
    short, whole = length(g, names, row)
    cosine, other = (A, B) if row else (B, A)
    square = g.fact("abs_square", cosine)
    g.have(f"0 <= abs({cosine})")
    g.have(f"0 <= {whole}")
    low = g.have(f"0 <= 1 - {other}^2", lambda g: g.pos([f"@{b if row else a}"]))
    root, last = g.by_fact("sqrt_sq", whole), g.by_fact("sqrt_sq", f"1 - {other}^2", by=[using(low)])
    g.by_fact("sqrt_nonneg", whole)
    g.by_fact("sqrt_nonneg", f"1 - {other}^2", by=[using(low)])
    r, t = f"sqrt({whole})", f"sqrt(1 - {other}^2)"
    same = g.have(f"{r} = {t}", lambda g: (g.rewrite(short), g.refl()))
    own = ROW if row else COLUMN
    squared = g.have(
        f"({TOP}*abs({cosine})*{t})^2 = {own}",
        lambda g: g.field((norm, -1), (square, f"{TOP}^2*{t}^2"), (last, f"{TOP}^2*{cosine}^2")),
    )
    first = root_of(g, own, f"{TOP}*abs({cosine})*{t}", squared)
    if not row:
        g.conj(lambda g: g.field((first, 1), (same, f"-{TOP}*abs({cosine})")), lambda g: g.field((same, f"{TOP}*abs({cosine})")))
        return
    middle = "T(u) @ uZ @ T(vZ) @ V"
    one = scalar_matrix(g, "(T(uZ) @ u)")
    product = g.have(f"({middle}) @ T({middle}) = {A}^2*(T(vZ) @ V @ T(V) @ vZ)", lambda g: g.nc(rw=[one]))
    trace = g.have(f"tr(({middle}) @ T({middle})) = {A}^2*tr(T(vZ) @ V @ T(V) @ vZ)", lambda g: (g.rewrite(product), g.field()))
    middle_square = g.have(
        f"(abs({A})*{r})^2 = {size(middle)}", lambda g: g.field((trace, -1), (square, f"{r}^2"), (root, f"{A}^2"))
    )
    second = root_of(g, size(middle), f"abs({A})*{r}", middle_square)
    g.conj(
        lambda g: g.field((first, 1), (second, f"-{TOP}"), (same, f"-{TOP}*abs({A})")),
        lambda g: g.field((second, TOP)),
        lambda g: g.field((same, f"{TOP}*abs({A})")),
    )


@amendment(
    "eftekhari2022.eq-179",
    f"{POINT} {BASES} {CHAIN_ROW.format(f'abs({A})')}",
    says="with |a_t| in the last member",
    uses=["eftekhari2022.eq-169-identity"],
)
def norm_of_the_row(g: Goal) -> None:
    """See the helper."""
    norms_with_absolute_values(g, True)


@amendment(
    "eftekhari2022.eq-180",
    f"{POINT} {BASES} {CHAIN_COLUMN.format(f'abs({B})')}",
    says="with |b_t| in the last member",
    uses=["eftekhari2022.eq-169-identity"],
)
def norm_of_the_column(g: Goal) -> None:
    """See the helper."""
    norms_with_absolute_values(g, False)


VZ = f"({TOP}*(vZ @ T(uZ)) + T({REST}))"


def right_chain(k: str, other: str, u: str) -> str:
    """The members of (143) from the second on, with the exponents of the scale in the second and the third member."""
    rest = RIGHT_REST if u == "u" else at_t(RIGHT_REST)
    return f"""{k}*tr(T(vZ) @ {PVC} @ T(Z) @ {u}) = {other}*tr(T(vZ) @ {PVC} @ {VZ} @ {u}) and
       {other}*tr(T(vZ) @ {PVC} @ {VZ} @ {u}) = {k}*{TOP}*{size(f"{PVC} @ vZ")}*tr(T(uZ) @ {u}) + {k}*{rest}"""


@refuted(
    "eftekhari2022.eq-143",
    f"all m N:Z. 1 <= m => 2 <= N => {POINT} {BASES} {right_chain('(m*s^(1 - 2/N))', '(m*s^(1 - 1/N))', 'u')}",
    reason="the exponent of s_t in the third member should be 1 - 2/N: N = 2, Z = (1, 0), W = 4 (3/5, 4/5) give 16/25 and 32/25",
    reading="the members from the second on, which are functions of u_t, v_t, s_t; every such point is the start of an induced flow",
    context=STEPS_CONTEXT,
    uses=USES,
)
def exponent_of_the_third_member(g: Goal) -> None:
    """One row and two columns, s = 4."""
    g.witness("1", "2")

    def last(g: Goal) -> None:
        g.left_or_right(0)
        numeric_difference(g, "16/25", "32/25")

    nested(g, None, None, lambda g: counterexample(g, True, "[[1]]", SLANTED, "4", last))


@amendment(
    "eftekhari2022.eq-143",
    f"""{SMOOTH} all t:R. 0 <= t => {BASES_AT} tr(T(vZ) @ v'(t)) = (m*{K})*tr(T(vZ) @ {PVC} @ T(Z) @ u(t)) and
       {right_chain(f"(m*{K})", f"(m*{K})", "u(t)")}""",
    says="with the exponent 1 - 2/N in all members",
    uses=["eftekhari2022.eq-140", "eftekhari2022.eq-141"],
)
def rate_of_the_right_cosine(g: Goal) -> None:
    """Put (140) in; P_V is a projection."""
    flow, whole, now, bases, at = smooth_start(g)
    _, right = vector_rates(g, flow, whole, now, bases)
    _, norm, _, full, _, rest = projections_at(g, at, bases)
    best = flow[12]
    turned = g.have("T(Z1) = sv(Z,1)*(vZ @ T(uZ))", lambda g: (g.rewrite(best), g.nc()))
    same = g.have(f"{VZ} = T(Z)", lambda g: g.nc((turned, -1, None, None)))
    k = f"(m*{K})"
    g.conj(
        lambda g: (g.rewrite(right), g.field()),
        lambda g: (g.rewrite(same), g.refl()),
        lambda g: (g.rewrite(same), g.field((full, k), (norm, f"-{k}*{TOP}*{at_t(A)}"), (rest, f"-{k}"))),
    )
