"""All observation patterns of a grid, up to the order of rows and columns, and optionally transposition.

A class is named by its canonical member. Columns are read as bit masks over the rows (row 0 is the highest
bit); the canonical member has, over all orders of the rows, the lexicographically largest list of masks in
falling order. Ones therefore gather in the upper left.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import factorial

from verify.completion.observations import ObservationError, Pattern

MAX_SIDE = 6
"""Longest side for which canonical forms are computed (all orders of the rows are tried)."""

Masks = tuple[int, ...]


@dataclass(frozen=True)
class PatternClass:
    """A class of patterns: its canonical member and the number of different patterns in it."""

    representative: Pattern
    size: int


def canonical(pattern: Pattern, transposition: bool = False) -> Pattern:
    """The canonical member of the pattern's class.

    Args:
        pattern: at most `MAX_SIDE` rows and columns.
        transposition: whether a pattern and its transpose count as the same; for square grids only.

    Raises:
        ObservationError: too large, or transposition asked for a grid that is not square.
    """
    _check(pattern.rows, pattern.cols, transposition)
    best = _canonical(pattern.rows, _masks(pattern))
    if transposition:
        best = max(best, _canonical(pattern.rows, _masks(pattern.transpose())))
    return _pattern(pattern.rows, best)


def orbit_size(pattern: Pattern, transposition: bool = False) -> int:
    """Number of different patterns in the class."""
    _check(pattern.rows, pattern.cols, transposition)
    images = _images(pattern.rows, _masks(pattern))
    if transposition:
        images |= _images(pattern.rows, _masks(pattern.transpose()))
    total = 0
    for masks in images:
        arrangements = factorial(len(masks))
        for times in Counter(masks).values():
            arrangements //= factorial(times)
        total += arrangements
    return total


def patterns(rows: int, cols: int, transposition: bool = False) -> tuple[PatternClass, ...]:
    """All classes of `rows` x `cols` patterns, the empty and the full one included, by number of
    observations.

    The sizes of the classes add up to 2^(rows cols).

    Raises:
        ObservationError: longer than `MAX_SIDE`, or transposition asked for a grid that is not square.
    """
    _check(rows, cols, transposition)
    classes: set[Masks] = {()}
    for _ in range(cols):  # every class arises from a class with one column less
        classes = {_canonical(rows, (*masks, mask)) for masks in classes for mask in range(1 << rows)}
    members = {_pattern(rows, masks) for masks in classes}
    if transposition:
        members = {canonical(member, True) for member in members}
    order = sorted(members, key=lambda p: (len(p.cells), p.cells))
    return tuple(PatternClass(member, orbit_size(member, transposition)) for member in order)


def _check(rows: int, cols: int, transposition: bool) -> None:
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise ObservationError(f"a grid of {rows} x {cols}; sides from 1 to {MAX_SIDE} can be enumerated")
    if transposition and rows != cols:
        raise ObservationError(
            f"transposition maps a {rows} x {cols} grid to another; it needs a square grid"
        )


def _masks(pattern: Pattern) -> Masks:
    masks = [0] * pattern.cols
    for i, j in pattern.cells:
        masks[j] |= 1 << (pattern.rows - 1 - i)
    return tuple(masks)


def _pattern(rows: int, masks: Masks) -> Pattern:
    cells = ((i, j) for j, mask in enumerate(masks) for i in range(rows) if mask >> (rows - 1 - i) & 1)
    return Pattern(rows, len(masks), tuple(cells))


@lru_cache(maxsize=MAX_SIDE)
def _row_orders(rows: int) -> tuple[Masks, ...]:
    """For every order of the rows, where each mask goes."""
    return tuple(
        tuple(sum(1 << order[bit] for bit in range(rows) if mask >> bit & 1) for mask in range(1 << rows))
        for order in permutations(range(rows))
    )


def _images(rows: int, masks: Masks) -> set[Masks]:
    return {tuple(sorted((table[m] for m in masks), reverse=True)) for table in _row_orders(rows)}


def _canonical(rows: int, masks: Masks) -> Masks:
    return max(tuple(sorted([table[m] for m in masks], reverse=True)) for table in _row_orders(rows))
