"""Appendix E.1: how many 3 x 3 observation patterns there are, under each notion of symmetry and with each exclusion.

The orbits are counted by exhaustion over all 512 patterns. The printed numbers, 23 patterns of which 17 are connected and 6
disconnected, come out for one notion: exchange of rows, exchange of columns, and transposition, where the empty pattern, that
with a single observation and the full one are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product

from verify.completion.graph import is_connected
from verify.completion.observations import Pattern

SIDE = 3
PRINTED = (23, 17, 6)
Cell = tuple[int, int]
Map = Callable[[Cell], Cell]

INDICES = list(permutations(range(SIDE)))


def transposed(cell: Cell) -> Cell:
    """The cell after transposition."""
    return cell[1], cell[0]


def moved(p: tuple[int, ...], q: tuple[int, ...], turn: bool = False) -> Map:
    """Rows go by p and columns by q, after a transposition if `turn`."""

    def map_cell(cell: Cell) -> Cell:
        i, j = transposed(cell) if turn else cell
        return p[i], q[j]

    return map_cell


SAME, BACK = tuple(range(SIDE)), tuple(reversed(range(SIDE)))

NOTIONS: dict[str, list[Map]] = {
    "none": [moved(SAME, SAME)],
    "transposition": [moved(SAME, SAME, turn) for turn in (False, True)],
    "the eight symmetries of the square": [moved(p, q, t) for p in (SAME, BACK) for q in (SAME, BACK) for t in (False, True)],
    "rows": [moved(p, SAME) for p in INDICES],
    "one order of rows and columns": [moved(p, p) for p in INDICES],
    "one order of rows and columns, transposition": [moved(p, p, t) for p in INDICES for t in (False, True)],
    "rows, columns": [moved(p, q) for p in INDICES for q in INDICES],
    "rows, columns, transposition": [moved(p, q, t) for p in INDICES for q in INDICES for t in (False, True)],
}
"""What counts as the same pattern; each list is a group of maps of cells."""

EXCLUSIONS: dict[str, Callable[[int], bool]] = {
    "the empty one": lambda size: size >= 1,
    "the empty and the full one": lambda size: 1 <= size < SIDE * SIDE,
    "fewer than two observations": lambda size: size >= 2,
    "fewer than two observations, the full one": lambda size: 2 <= size < SIDE * SIDE,
}
"""Which numbers of observations are kept when patterns are left out."""

Counts = tuple[int, int, int]


def representatives(notion: str) -> Iterator[Pattern]:
    """One pattern of each class, the empty one included: the first in lexicographic order."""
    cells = list(product(range(SIDE), repeat=2))
    tables = [[cells.index(f(cell)) for cell in cells] for f in NOTIONS[notion]]
    for bits in product((0, 1), repeat=len(cells)):
        images = [tuple(bits[k] for k in table) for table in tables]
        if bits == min(images):
            yield Pattern(SIDE, SIDE, tuple(c for c, b in zip(cells, bits, strict=True) if b))


def counts(notion: str, exclusion: str) -> Counts:
    """All, connected and disconnected classes."""
    kept = [p for p in representatives(notion) if EXCLUSIONS[exclusion](len(p.cells))]
    connected = sum(is_connected(p) for p in kept)
    return len(kept), connected, len(kept) - connected


def table() -> dict[str, dict[str, Counts]]:
    """The counts by notion of symmetry and exclusion."""
    return {notion: {exclusion: counts(notion, exclusion) for exclusion in EXCLUSIONS} for notion in NOTIONS}


def printed_by(found: dict[str, dict[str, Counts]]) -> list[tuple[str, str]]:
    """The notions and exclusions under which the printed numbers come out."""
    return [(n, e) for n, row in found.items() for e, numbers in row.items() if numbers == PRINTED]
