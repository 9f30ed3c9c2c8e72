"""Theorem 4 and Proposition 16 at extreme values: m near 1, huge and infinite, the scale far below and above (w*)^(1/L)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs.shin2025.extreme_values import Cases, at_most, compare, loss, same, state, vanishes
from proofs.shin2025.limit_curves import Setting, ball, limit_from
from verify.registry import experiment


@dataclass(frozen=True, slots=True)
class Member:
    """A start of the family (7): alpha on and alpha/m off the diagonal of every factor; no m for alpha I."""

    target: Fraction
    size: int
    ratio: Fraction | None
    depth: int
    scale: Fraction

    def __str__(self) -> str:
        m = "infinity" if self.ratio is None else self.ratio
        return f"w* = {self.target}, d = {self.size}, m = {m}, L = {self.depth}, alpha = {self.scale}"

    @property
    def diagonal(self) -> list[list[Fraction | None]]:
        """The observed entries: w* on the diagonal."""
        return [[self.target if i == j else None for j in range(self.size)] for i in range(self.size)]

    @property
    def layers(self) -> list[list[list[Fraction]]]:
        """The factors at the start."""
        off = self.scale / self.ratio if self.ratio else Fraction(0)
        layer = [[self.scale if i == j else off for j in range(self.size)] for i in range(self.size)]
        return [layer] * self.depth

    @property
    def eigenvalues(self) -> tuple[Fraction, Fraction]:
        """Those of a factor at the start: the simple one and the other one."""
        off = self.scale / self.ratio if self.ratio else Fraction(0)
        return self.scale + (self.size - 1) * off, self.scale - off

    @property
    def undershoot(self) -> Fraction:
        """The right side of the scale condition of Proposition 16."""
        m, d, depth = self.ratio, self.size, self.depth
        return self.target if m is None else self.target * d * m**depth / ((m + d - 1) ** depth + (d - 1) * (m - 1) ** depth)


def members(*rows: tuple[str, int, str | None, int, str]) -> list[Member]:
    """A table of starts: w*, d, m, L, alpha."""
    return [Member(Fraction(w), d, Fraction(m) if m else None, depth, Fraction(a)) for w, d, m, depth, a in rows]


FAMILY = members(
    ("1", 2, "1001/1000", 3, "1"),
    ("1", 2, "1000001/1000000", 3, "1/10"),
    ("1", 3, "1001/1000", 2, "1/10"),
    ("1", 2, "10000000000", 3, "1"),
    ("1", 3, "10000000000", 2, "1/1000"),
    ("1", 2, "2", 3, "10"),
    ("1", 3, "2", 2, "10"),
    ("1", 2, "2", 2, "1/100000000000000000000"),
    ("1/10", 2, "10", 4, "1"),
    ("1/1000", 4, "3", 3, "1/100"),
    ("1000", 2, "3/2", 5, "3"),
)
"""m near 1 and huge, alpha below and above the L-th root of w*, small and large w*."""

IDENTITIES = members(
    ("1", 2, None, 3, "1/1000"),
    ("1", 3, None, 3, "10"),
    ("1/1000", 2, None, 4, "1"),
    ("1000", 2, None, 5, "1/10"),
    ("8", 4, None, 3, "2"),
)
"""m infinite: alpha far below, above and at the L-th root of w*."""

UNDERSHOOTS = members(
    ("1", 2, "1000001/1000000", 2, "1/2"),
    ("1", 3, "10000000000", 3, "9/10"),
    ("1/10", 5, "1001/1000", 3, "1/10"),
    ("1", 2, "2", 4, "1/100"),
    ("1000", 3, "2", 2, "1"),
    ("1", 2, None, 3, "1/10"),
)
TIMES = tuple(Fraction(x) for x in ("1/1000000", "1/10", "1", "20"))


def values(product: Any, size: int) -> tuple[Any, Any] | None:
    """The eigenvalues p + (d - 1) q and p - q of a matrix with p on and q off the diagonal; None for any other matrix."""
    p, q = product[0][0], product[0][1]
    regular = all(same(product[i][j], p if i == j else q) or vanishes(product[i][j] - q, abs(p).upper())
                  for i in range(size) for j in range(size))  # fmt: skip
    return (p + (size - 1) * q, p - q) if regular else None


def limits(table: list[Member]) -> Iterator[tuple[Member, Any, Any]]:
    """Each start of a table with its certified limit and the two values of the product, None where there is none."""
    for member in table:
        found = state(member.diagonal, member.layers, digits=45)
        yield member, found, values(found.product, member.size) if found.certified else None


def unobserved_entries() -> Cases:
    """The unobserved entries of the limit: all of them equal (sigma_1^L - sigma_r^L)/d of the implicit equations."""
    for member, found, _ in limits(FAMILY):
        assert member.ratio is not None
        setting = Setting(member.target, member.size, member.ratio, member.depth)
        wanted = limit_from(setting, member.scale).gap / member.size
        pairs = [(i, j) for i in range(member.size) for j in range(member.size) if i != j]
        yield str(member), found.certified and all(same(found.product[i][j], wanted) for i, j in pairs)


def printed_equation(which: str) -> Cases:
    """The values of the limit in equation (8) or (9) as printed, for L >= 3."""
    for member, _, found in limits([m for m in FAMILY if m.depth >= 3]):
        m, d, n, depth = member.ratio, member.size, 2 - member.depth, ball(member.depth)
        assert m is not None
        if found is None:
            yield str(member), False
            continue
        k, total = ball(Fraction(n, member.depth)), ball(member.target * d)
        constant = ball((member.scale / m) ** n * ((m + d - 1) ** n - (m - 1) ** n))
        first, other = ((x.log() / depth).exp() for x in found)
        if which == "(8)":
            left = first**n - ((total - first**member.depth) / (d - 1)) ** k
        else:
            left = (total - (d - 1) * other**member.depth) ** k - other**n
        yield str(member), same(left, constant)


def closed_form() -> Cases:
    """The squares of the printed singular values at L = 2, for the certified limits."""
    for member, _, found in limits([m for m in FAMILY if m.depth == 2]):
        m, d = member.ratio, member.size
        assert m is not None
        unit = member.target / (m * m + d - 1)
        wanted = ball((m + d - 1) ** 2 * unit), ball((m - 1) ** 2 * unit)
        yield str(member), found is not None and all(same(x, y) for x, y in zip(found, wanted, strict=True))


def powers_of_the_factor() -> Cases:
    """All factors have one limit, and the values of the product are L-th powers of its values, the simple one the largest."""
    for member, limit_, found in limits(FAMILY):
        factors = [values(block, member.size) for block in limit_.blocks] if limit_.certified else []
        if found is None or None in factors:
            yield str(member), False
            continue
        equal = all(same(x, y) for f in factors for x, y in zip(f, factors[0], strict=True))  # type: ignore[arg-type]
        first, other = factors[0]  # type: ignore[misc]
        powers = same(first**member.depth, found[0]) and same(other**member.depth, found[1])
        yield str(member), equal and powers and bool(first > other) and bool(other > 0)


def scaled_identity() -> Cases:
    """From alpha I the limit is w* I."""
    for member, found, _ in limits(IDENTITIES):
        w, size = ball(member.target), range(member.size)
        yield (
            str(member),
            found.certified
            and all(same(found.product[i][j], w) if i == j else vanishes(found.product[i][j], w) for i in size for j in size),
        )


def exponential_decay() -> Cases:
    """The loss at four times beside the printed bound."""
    for member in UNDERSHOOTS:
        if member.scale**member.depth > member.undershoot:
            yield f"{member}: the scale condition fails", False
            continue
        first, other = member.eigenvalues
        n, d = 2 * member.depth - 2, member.size
        rate = Fraction(2 * member.depth, d) * (first**n + (d - 1) * other**n)
        start = loss(member.diagonal, state(member.diagonal, member.layers, Fraction(0)).product)
        for time in TIMES:
            found = state(member.diagonal, member.layers, time, digits=25)
            bound = start * (-ball(rate * time)).exp()
            yield f"{member}, t = {time}", found.certified and at_most(loss(member.diagonal, found.product), bound)


def equality_of_the_scale() -> Cases:
    """At the largest scale the loss is 0 at the start, and the flow rests: w* is chosen as the diagonal entry at the start."""
    for member in (*UNDERSHOOTS, *FAMILY):
        first, other = member.eigenvalues
        entry = (first**member.depth + (member.size - 1) * other**member.depth) / member.size
        for factor, below in ((Fraction(1), True), (1 + Fraction(1, 10**30), True), (1 - Fraction(1, 10**30), False)):
            moved = Member(entry * factor, member.size, member.ratio, member.depth, member.scale)
            name = f"{member} with w* = ({factor if factor == 1 else '1 + 1e-30' if below else '1 - 1e-30'}) w_ii(0)"
            condition = moved.scale**moved.depth <= moved.undershoot
            rests = factor != 1 or all(
                vanishes(found - ball(start), 1)
                for block, layer in zip(state(moved.diagonal, moved.layers, Fraction(1)).blocks, moved.layers, strict=True)
                for row, row_ in zip(block, layer, strict=True)
                for found, start in zip(row, row_, strict=True)
            )
            yield name, condition == below == (entry <= moved.target) and rests


def constants() -> Cases:
    """C_(alpha,m,L,d), exactly: it is negative, and it is sigma_1(0)^(2-L) - sigma_r(0)^(2-L)."""
    for member in (*FAMILY, *members(("1", 2, "1000000001/1000000000", 10, "1e-35"), ("1", 100, "1e10", 10, "1e35"))):
        m, d, n, alpha = member.ratio, member.size, 2 - member.depth, member.scale
        if m is None or n == 0:
            continue
        constant = (alpha / m) ** n * ((m + d - 1) ** n - (m - 1) ** n)
        first, other = member.eigenvalues
        yield str(member), constant < 0 and constant == first**n - other**n


def conserved(table: list[Member]) -> Cases:
    """(28) at L = 2 and (29) beyond, for the enclosed common factor at four times."""
    for member in table:
        first, other = member.eigenvalues
        n = 2 - member.depth
        for time in TIMES:
            found = state(member.diagonal, member.layers, time / member.target, digits=45)
            pair = values(found.blocks[0], member.size) if found.certified else None
            wanted = ball(first / other) if n == 0 else ball(first**n - other**n)
            kept = pair is not None and (pair[0] / pair[1] if n == 0 else pair[0] ** n - pair[1] ** n)
            layers = [values(block, member.size) for block in found.blocks]
            equal = pair is not None and all(x is not None and same(x[0], pair[0]) and same(x[1], pair[1]) for x in layers)
            yield f"{member}, t = {time}/w*", equal and same(kept, wanted)


@experiment("shin2025.def-constant-c", grade="numeric", name="extreme_values")
def constant_at_extreme_values(profile: str) -> dict[str, Any]:
    """The sign of C and its value at the start, exactly, for alpha from 1e-35 to 1e35, m from 1 + 1e-9 to 1e10, L up to 10."""
    del profile
    return compare(constants())


@experiment("shin2025.eq-28", grade="numeric", name="extreme_values")
def ratio_at_extreme_values(profile: str) -> dict[str, Any]:
    """The ratio of the enclosed singular values of both factors at four times, and that the factors agree."""
    del profile
    return compare(conserved([m for m in FAMILY if m.depth == 2]))


@experiment("shin2025.eq-29", grade="numeric", name="extreme_values")
def difference_at_extreme_values(profile: str) -> dict[str, Any]:
    """The difference of powers of the enclosed singular values of all factors at four times, and that the factors agree."""
    del profile
    return compare(conserved([m for m in FAMILY if m.depth > 2]))


@experiment("shin2025.eq-8", grade="numeric", name="extreme_values")
def equation_eight_at_extreme_values(profile: str) -> dict[str, Any]:
    """The certified limit of the flow put into (8): m near 1 and huge, alpha far below and above the L-th root of w*."""
    del profile
    return compare(printed_equation("(8)"))


@experiment("shin2025.eq-9", grade="numeric", name="extreme_values")
def equation_nine_at_extreme_values(profile: str) -> dict[str, Any]:
    """The certified limit of the flow put into (9), at the same values as for (8)."""
    del profile
    return compare(printed_equation("(9)"))


@experiment("shin2025.eq-9", grade="numeric")
def extreme_scales_and_ratios(profile: str) -> dict[str, Any]:
    """Certified limits of the flow against the roots of the implicit equations, at m near 1 and huge, alpha below and above the
    L-th root of w*."""
    del profile
    return compare(unobserved_entries())


@experiment("shin2025.theorem-4-l2", grade="numeric", name="extreme_values")
def closed_form_at_extreme_values(profile: str) -> dict[str, Any]:
    """Certified limits at L = 2 beside the closed form, at m near 1 and huge, alpha from 1e-20 to 10."""
    del profile
    return compare(closed_form())


@experiment("shin2025.theorem-4-ordering", grade="numeric", name="extreme_values")
def powers_at_extreme_values(profile: str) -> dict[str, Any]:
    """The values of the limit are L-th powers of those of the one limit of all factors, at all extreme values of the family."""
    del profile
    return compare(powers_of_the_factor())


@experiment("shin2025.theorem-4-minf", grade="numeric", name="extreme_values")
def identity_at_extreme_values(profile: str) -> dict[str, Any]:
    """From alpha I with alpha far below, above and at the L-th root of w* the certified limit is w* I."""
    del profile
    return compare(scaled_identity())


@experiment("shin2025.prop-16", grade="numeric", name="extreme_values")
def decay_at_extreme_values(profile: str) -> dict[str, Any]:
    """The enclosed loss at times from 1e-6 to 20 beside the printed bound, at m near 1, huge and infinite."""
    del profile
    return compare(exponential_decay())


@experiment("shin2025.prop-16-condition", grade="numeric", name="extreme_values")
def scale_condition_at_equality(profile: str) -> dict[str, Any]:
    """The condition, exactly, at w* = w_ii(0) and 1e-30 beside it; at equality the flow rests."""
    del profile
    return compare(equality_of_the_scale())
