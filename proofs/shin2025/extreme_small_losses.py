"""Theorems 7 and 26, Corollary 27 and Lemmas 28 to 31 at degenerate values: d = 1, one observation, a zero factor or row, negative
and zero targets, a loss at the threshold, values of very different size."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from proofs.shin2025.extreme_values import Cases, at_most, compare, loss, observed, rationals, state
from proofs.shin2025.limit_curves import ball
from verify.completion.spectrum import singular_values
from verify.registry import experiment

TIMES = tuple(Fraction(x) for x in ("1/1000000", "1", "10"))
"""In units of 1/sigma_min^2; the limit comes on top."""
DIGITS = 30


@dataclass(frozen=True, slots=True)
class Start:
    """A start with one observation in each row and column at most: then the Jacobian has orthogonal rows, of exact lengths."""

    name: str
    a: list[list[Fraction]]
    b: list[list[Fraction]]
    entries: tuple[tuple[int, int, Fraction], ...]

    @property
    def squares(self) -> list[Fraction]:
        """The squares of the singular values of the Jacobian: |row of A|^2 + |column of B|^2 for each observed entry."""
        return [sum(x * x for x in self.a[i]) + sum(row[j] ** 2 for row in self.b) for i, j, _ in self.entries]

    @property
    def loss(self) -> Fraction:
        """The loss at the start."""
        inner = [sum(x * row[j] for x, row in zip(self.a[i], self.b, strict=True)) - w for i, j, w in self.entries]
        return sum((r * r for r in inner), Fraction(0)) / 2

    @property
    def threshold(self) -> Fraction:
        """sigma_min^6/(1152 d sigma_max^2)."""
        low, high = min(self.squares), max(self.squares)
        return low**3 / (1152 * len(self.a) * high)

    @property
    def balanced(self) -> bool:
        """A^T A = B B^T."""
        d = range(len(self.a))
        return all(
            sum(r[i] * r[j] for r in self.a) == sum(x * y for x, y in zip(self.b[i], self.b[j], strict=True))
            for i in d
            for j in d
        )

    @property
    def target(self) -> list[list[Fraction | None]]:
        """The observed values, None elsewhere."""
        return observed(len(self.a), len(self.a), self.entries)

    def states(self) -> Iterator[tuple[str, Fraction | None, Any]]:
        """The certified states at the times of the table, and in the limit."""
        for time in (*(t / min(self.squares) for t in TIMES), None):
            found = state(self.target, [self.b, self.a], time, DIGITS)
            yield f"{self.name}, t = {'infinity' if time is None else time}", time, found


def start(name: str, a: Sequence[Any], b: Sequence[Any], *entries: tuple[int, int, Any]) -> Start:
    return Start(name, rationals(a), rationals(b), tuple((i, j, Fraction(w)) for i, j, w in entries))


def at_threshold(name: str, root: Any, sign: int) -> Start:
    """d = 1 and A = B = root, where sigma_min^2 = 2 root^2: the residual root^2/12 meets the threshold with equality."""
    x = Fraction(root)
    return start(name, [[x]], [[x]], (0, 0, x * x * (1 + Fraction(sign, 12))))


SMALL = [
    at_threshold("d = 1, the loss at the threshold, from below", "1", 1),
    at_threshold("d = 1, the loss at the threshold, from above", "1", -1),
    at_threshold("d = 1, a tiny start at the threshold", "1/1000", 1),
    at_threshold("d = 1, a huge start at the threshold", "1000", -1),
    start("d = 1, negative observation", [["-2"]], [["2"]], (0, 0, "-41/10")),
    start("d = 1, A = 0 and an observation near 0", [["0"]], [["1"]], (0, 0, "1/30")),
    start("d = 1, no residual", [["3"]], [["3"]], (0, 0, "9")),
    start("one observation, a zero row of A", [["0", "0"], ["1", "2"]], [["1", "0"], ["0", "1"]], (0, 0, "1/50")),
    start("one observation, balanced", [["1", "0"], ["0", "1"]], [["1", "0"], ["0", "1"]], (0, 1, "1/30")),
    start("two observations, sigma_max/sigma_min = 10", [["1", "0"], ["0", "10"]], [["1", "0"], ["0", "10"]],
          (0, 0, "10001/10000"), (1, 1, "100")),
]  # fmt: skip
"""Starts below the threshold of Theorem 26."""

LARGE = [
    start("d = 1, large loss", [["2"]], [["1"]], (0, 0, "10")),
    start("d = 1, the path runs to the origin", [["1"]], [["1"]], (0, 0, "-1")),
    start("zero row and negative observation", [["0", "0"], ["1", "2"]], [["1", "0"], ["0", "1"]], (0, 0, "-3")),
]
"""Starts above it, for Lemmas 29 to 31, which hold up to the exit from the ball."""


def distance(found: Any, first: Start) -> Any:
    """|Theta(t) - Theta(0)|."""
    pairs = zip(found.blocks, (first.b, first.a), strict=True)
    moved = [x - ball(y) for block, rows in pairs for u, v in zip(block, rows, strict=True) for x, y in zip(u, v, strict=True)]
    return sum((x * x for x in moved), arb(0)).sqrt()


def root(x: Fraction) -> Any:
    return ball(x).sqrt()


def far(first: Start) -> Any:
    """6 sqrt 2 sigma_max/sigma_min^2 sqrt(loss(0))."""
    return 6 * root(2 * max(first.squares) * first.loss) / ball(min(first.squares))


def bound_of_the_loss(first: Start, time: Fraction | None) -> Any:
    return arb(0) if time is None else ball(first.loss) * (-ball(min(first.squares) * time) / 2).exp()


def below_the_threshold(check: Callable[[Start, Fraction | None, Any], bool], table: Sequence[Start] = tuple(SMALL)) -> Cases:
    """A check at every time and in the limit, from every start below the threshold."""
    for first in table:
        if first.loss > first.threshold:
            yield f"{first.name}: the loss is above the threshold", False
            continue
        for name, time, found in first.states():
            yield name, found.certified and check(first, time, found)


def decays(first: Start, time: Fraction | None, found: Any) -> bool:
    if time is None:
        return bool(loss(first.target, found.product) < arb(10) ** -20)
    return at_most(loss(first.target, found.product), bound_of_the_loss(first, time))


def stays_near(first: Start, time: Fraction | None, found: Any) -> bool:
    del time
    return within(distance(found, first), far(first))


def within(moved: Any, most: Any) -> bool:
    """A distance beside a bound; both may be 0."""
    return bool(moved <= most) or (most == 0 and bool(moved.contains(0)) and bool(moved < arb(10) ** -20))


def values(rows: Any) -> list[Any]:
    """The singular values of a 1 x 1 or 2 x 2 matrix, the largest first, in balls."""
    if len(rows) == 1:
        return [abs(rows[0][0])]
    (p, q), (r, s) = rows
    size, det = p * p + q * q + r * r + s * s, abs(p * s - q * r)
    plus, minus = (size + 2 * det).sqrt(), arb.max(size - 2 * det, arb(0)).sqrt()
    return [(plus + minus) / 2, (plus - minus) / 2]


def balls(rows: Sequence[Sequence[Fraction]]) -> list[list[Any]]:
    return [[ball(x) for x in row] for row in rows]


def values_move_little(first: Start, time: Fraction | None, found: Any) -> bool:
    """Corollary 27: the singular values of A, and those of B equal to them, move by at most sigma_min/(4 sqrt(2d))."""
    del time
    most = root(min(first.squares) / (32 * len(first.a)))
    now, then = values(found.blocks[1]), values(balls(first.a))
    close = all(within(abs(x - y), most) for x, y in zip(now, then, strict=True))
    other = values([list(row) for row in found.blocks[0]])
    return close and all((x - y).contains(0) for x, y in zip(now, other, strict=True))


def stable_rank_stays(first: Start, time: Fraction | None, found: Any) -> bool:
    """Corollary 27: the stable rank of A beside the printed bound."""
    del time
    c = root(min(first.squares) / (32 * len(first.a)))
    size = ball(sum(x * x for row in first.a for x in row))
    low = ((2 * size).sqrt() - c) / (arb(2).sqrt() * values(balls(first.a))[0] + c)
    now = values(found.blocks[1])
    norm = sum((x * x for row in found.blocks[1] for x in row), arb(0))
    return at_most(low * low, norm / (now[0] * now[0]))


def up_to_the_exit(check: Callable[[Start, Fraction, Any], bool]) -> Cases:
    """A check at every time at which the path is certainly inside a ball half as large as the printed one, and was so before."""
    for first in (*SMALL, *LARGE):
        step = 1 / (100 * max(*first.squares, *(abs(w) for _, _, w in first.entries)))
        checked = False
        for k in range(1, 5):
            found = state(first.target, [first.b, first.a], k * step, DIGITS)
            limit = root(min(first.squares) / (4 * len(first.a)))
            # |Theta'| <= sigma_max(J) |F - y|, where the residual falls and sigma_max grows by at most the distance.
            longest = ball(k * step) * root(2 * first.loss) * (root(max(first.squares)) + limit)
            if not (found.certified and longest < limit):
                break
            checked = True
            yield f"{first.name}, t = {k * step}", check(first, k * step, found)
        if not checked:
            yield f"{first.name}: no time before the exit", False


def jacobian_values(found: Any, first: Start) -> list[Any]:
    """The singular values of the Jacobian at a state: its rows stay orthogonal."""
    b, a = found.blocks
    rows = [[a[i][k] for k in range(len(b))] + [b[k][j] for k in range(len(b))] for i, j, _ in first.entries]
    return [sum((x * x for x in row), arb(0)).sqrt() for row in rows]


def between_half_and_three_halves(first: Start, time: Fraction, found: Any) -> bool:
    del time
    low, high = root(min(first.squares)) / 2, 3 * root(max(first.squares)) / 2
    return all(bool(x >= low) and bool(x <= high) for x in jacobian_values(found, first))


Matrix = Sequence[Sequence[Fraction]]


def jacobian(a: Matrix, b: Matrix, places: Sequence[tuple[int, int]]) -> list[list[Fraction]]:
    """The derivatives of the observed entries of A B in all parameters, exactly: the product is quadratic in them, so that
    central differences of any width are."""
    flat = [x for m in (a, b) for row in m for x in row]
    d = len(a)

    def entries(values_: Sequence[Fraction]) -> list[Fraction]:
        p, q = values_[: d * d], values_[d * d :]
        return [sum((p[i * d + k] * q[k * d + j] for k in range(d)), Fraction(0)) for i, j in places]

    columns = []
    for n, x in enumerate(flat):
        ends = [entries([*flat[:n], x + step, *flat[n + 1 :]]) for step in (1, -1)]
        columns.append([(u - v) / 2 for u, v in zip(*ends, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def on_the_boundary() -> Cases:
    """d = 1: at (1 +- 1/2) Theta(0), on the boundary of the ball, the singular value of J is exactly sigma/2 and 3 sigma/2."""
    for a, b in (("1", "1"), ("0", "1/1000000"), ("-1000", "3")):
        x, y = Fraction(a), Fraction(b)
        (first,) = jacobian([[x]], [[y]], [(0, 0)])
        square = sum(v * v for v in first)
        for c in (Fraction(1, 2), Fraction(3, 2)):
            (row,) = jacobian([[c * x]], [[c * y]], [(0, 0)])
            moved = (c * x - x) ** 2 + (c * y - y) ** 2
            yield f"A = {a}, B = {b}, {c} Theta(0)", moved == square / 4 and sum(v * v for v in row) == c * c * square


LIPSCHITZ = [  # name, d, observed places, A and B of two points by a multiplier
    ("d = 1", 1, [(0, 0)], 1), ("d = 1, huge", 1, [(0, 0)], 10**9), ("d = 1, tiny", 1, [(0, 0)], Fraction(1, 10**9)),
    ("one observation of nine", 3, [(0, 2)], 1), ("a full row", 3, [(0, 0), (0, 1), (0, 2)], 1),
    ("everything observed", 2, [(0, 0), (0, 1), (1, 0), (1, 1)], 1), ("a zero row of the difference", 2, [(0, 0), (1, 1)], 0),
]  # fmt: skip


def lipschitz_constant() -> Cases:
    """|J(W) - J(V)| beside sqrt d |W - V| and beside |W - V|, which it attains for d = 1."""
    for name, d, places, size in LIPSCHITZ:
        first = [[[size * Fraction(i - 2 * j + 2, 3 + n) for j in range(d)] for i in range(d)] for n in (0, 4)]
        second = [[[size * Fraction(j - i, 2 + n) for j in range(d)] for i in range(d)] for n in (0, 1)]
        if not size:
            first[0][1] = [Fraction(1)] * d
        one, two = jacobian(*first, places), jacobian(*second, places)
        moved = sum(
            (x - y) ** 2
            for m, n in zip(first, second, strict=True)
            for r, s in zip(m, n, strict=True)
            for x, y in zip(r, s, strict=True)
        )
        norm = singular_values([[x - y for x, y in zip(r, s, strict=True)] for r, s in zip(one, two, strict=True)])[0]
        slack = 1 + Fraction(1, 10**20)
        bound = norm.upper**2 <= moved * slack and norm.upper**2 <= d * moved * slack
        yield name, moved > 0 and bound and (d > 1 or norm.lower**2 * slack >= moved)


def balanced() -> list[Start]:
    return [first for first in SMALL if first.balanced]


@experiment("shin2025.theorem-26-loss", grade="numeric", name="extreme_values")
def loss_at_degenerate_values(profile: str) -> dict[str, Any]:
    """The enclosed loss beside the printed bound: d = 1, one observation, a zero factor or row, a loss at the threshold."""
    del profile
    return compare(below_the_threshold(decays))


@experiment("shin2025.theorem-26-distance", grade="numeric", name="extreme_values")
def distance_at_degenerate_values(profile: str) -> dict[str, Any]:
    """The enclosed distance from the start beside the printed bound, up to the limit."""
    del profile
    return compare(below_the_threshold(stays_near))


@experiment("shin2025.corollary-27-sv-deviation", grade="numeric", name="extreme_values")
def singular_values_at_degenerate_values(profile: str) -> dict[str, Any]:
    """The singular values of A beside the printed deviation, and those of B beside those of A, from balanced starts."""
    del profile
    return compare(below_the_threshold(values_move_little, balanced()))


@experiment("shin2025.corollary-27-stable-rank", grade="numeric", name="extreme_values")
def stable_rank_at_degenerate_values(profile: str) -> dict[str, Any]:
    """The stable rank of A beside the printed bound, from balanced starts; for d = 1 it is 1."""
    del profile
    return compare(below_the_threshold(stable_rank_stays, balanced()))


@experiment("shin2025.lemma-28", grade="numeric", name="extreme_values")
def jacobian_at_degenerate_values(profile: str) -> dict[str, Any]:
    """For d = 1 the printed constant sqrt d is attained; for one observation and for a full row 1 is enough."""
    del profile
    return compare(lipschitz_constant())


@experiment("shin2025.lemma-29", grade="numeric", name="extreme_values")
def spectrum_at_degenerate_values(profile: str) -> dict[str, Any]:
    """The singular values of the Jacobian inside the ball, along flows; for d = 1 both constants are attained on its boundary."""
    del profile
    return compare(itertools.chain(on_the_boundary(), up_to_the_exit(between_half_and_three_halves)))


@experiment("shin2025.lemma-30", grade="numeric", name="extreme_values")
def decay_before_the_exit(profile: str) -> dict[str, Any]:
    """The enclosed loss before the exit beside the printed bound, also for losses above the threshold."""
    del profile
    return compare(up_to_the_exit(decays))


@experiment("shin2025.lemma-31", grade="numeric", name="extreme_values")
def distance_before_the_exit(profile: str) -> dict[str, Any]:
    """The enclosed distance before the exit beside the printed bound, also for losses above the threshold."""
    del profile
    return compare(up_to_the_exit(stays_near))
