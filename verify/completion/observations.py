"""Observation sets: which entries of a matrix are known, and their exact values.

A `Pattern` is the 0/1 part (which cells are observed), `Observations` adds the values. Both are immutable,
hold their cells sorted by row and column, and count rows and columns from 0. Values are exact rationals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Cell = tuple[int, int]

MAX_DIGITS = 2000
"""Longest text of one number that is accepted, in characters."""

MAX_EXPONENT = 5000
"""Largest absolute decimal exponent that is accepted (an exact 1e999999999 would fill the memory)."""

MAX_RATIO = 200_000
"""Longest text of an integer or of `p/q` that is accepted where numbers are exchanged as plain data."""

_CHUNK = 4000  # Python itself converts at most 4300 digits

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?", re.ASCII)
_RATIO = re.compile(r"[+-]?[0-9]+/[0-9]+", re.ASCII)


class ObservationError(ValueError):
    """Observations that cannot be used; the message is one line and says what would be right."""


def shown(text: str, limit: int = 40) -> str:
    """`text` on one line, quoted and shortened, for use in a message."""
    flat = "".join(c if c.isprintable() else "?" for c in text[: limit + 1])
    return repr(flat[: limit - 3] + "...") if len(flat) > limit else repr(flat)


def parse_number(text: str) -> Fraction:
    """Exact value of a decimal (`-1.5e-3`) or a ratio of integers (`2/3`).

    Raises:
        ObservationError: the text is something else, has a zero denominator, or is beyond `MAX_DIGITS` or
            `MAX_EXPONENT`.
    """
    if len(text) > MAX_DIGITS:
        raise ObservationError(f"a number of {len(text)} characters; at most {MAX_DIGITS} are read")
    decimal = _DECIMAL.fullmatch(text)
    if decimal is not None:
        exponent = decimal.group(1)
        if exponent is not None and (len(exponent.lstrip("+-0")) > 5 or abs(int(exponent)) > MAX_EXPONENT):
            raise ObservationError(
                f"exponent {shown(exponent)} is out of range -{MAX_EXPONENT}..{MAX_EXPONENT}"
            )
        return Fraction(text)
    if _RATIO.fullmatch(text):
        return parse_ratio(text)
    if text.lower().lstrip("+-") in {"inf", "infinity"}:
        raise ObservationError(f"{shown(text)} is infinite; values must be finite")
    raise ObservationError(f"{shown(text)} is not a number")


def parse_ratio(text: str) -> Fraction:
    """Value of `p` or `p/q`, of up to `MAX_RATIO` characters; the inverse of `ratio_text`.

    Raises:
        ObservationError: the text is something else, too long, or has a zero denominator.
    """
    top, slash, bottom = text.partition("/")
    if len(text) > MAX_RATIO or not _INTEGER.fullmatch(top) or (slash and not _INTEGER.fullmatch(bottom)):
        raise ObservationError(f"{shown(text)} is not an integer or a ratio of integers")
    denominator = _integer(bottom) if slash else 1
    if not denominator:
        raise ObservationError(f"{shown(text)} has denominator 0")
    return Fraction(_integer(top), denominator)


def ratio_text(value: Fraction) -> str:
    """`p` or `p/q`, of any length."""
    top = _digits(value.numerator)
    return top if value.denominator == 1 else f"{top}/{_digits(value.denominator)}"


def _integer(text: str) -> int:
    if len(text) <= _CHUNK:
        return int(text)
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    half = len(digits) // 2
    return sign * (_integer(digits[:-half]) * 10**half + _integer(digits[-half:]))


def _digits(value: int) -> str:
    if value < 0:
        return "-" + _digits(-value)
    if value.bit_length() < 3 * _CHUNK:
        return str(value)
    half = value.bit_length() * 3 // 20
    top, rest = divmod(value, 10**half)
    return _digits(top) + _digits(rest).zfill(half)


def exact(value: Any) -> Fraction:
    """`value` as an exact rational: an int, Fraction, finite float (its binary value), FLINT or NumPy
    number, or text.

    Raises:
        ObservationError: not a finite real number.
    """
    if isinstance(value, bool):
        raise ObservationError(f"{value} is a truth value, not a number")
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, str):
        text = value.strip()
        return parse_ratio(text) if len(text) > MAX_DIGITS else parse_number(text)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ObservationError(f"{value} is not finite; values must be finite")
        return Fraction(value)
    top, bottom = getattr(value, "p", None), getattr(value, "q", None)  # FLINT's fmpq, SymPy's Rational
    if top is not None and bottom is not None and not callable(top):
        return Fraction(int(top), int(bottom))
    item = getattr(value, "item", None)  # NumPy scalars
    if callable(item) and isinstance(item(), (int, float)):
        return exact(item())
    index = getattr(value, "__index__", None) or getattr(value, "__int__", None)
    if index is not None and type(value).__name__ == "fmpz":
        return Fraction(int(value))
    raise ObservationError(f"a value of type {type(value).__name__} is not an exact number")


@dataclass(frozen=True)
class Pattern:
    """Which cells of a `rows` x `cols` matrix are observed.

    Attributes:
        rows, cols: the shape, both at least 1.
        cells: the observed (row, column) pairs, counted from 0, sorted and distinct. May be empty.
    """

    rows: int
    cols: int
    cells: tuple[Cell, ...]

    def __post_init__(self) -> None:
        if self.rows < 1 or self.cols < 1:
            raise ObservationError(
                f"a matrix of shape {self.rows} x {self.cols}; both sides must be at least 1"
            )
        cells = tuple(sorted((int(i), int(j)) for i, j in self.cells))
        for before, cell in zip(((-1, -1), *cells), cells, strict=False):
            if before == cell:
                raise ObservationError(f"cell {cell} is listed twice; list it once")
            if not (0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols):
                raise ObservationError(f"cell {cell} is outside a {self.rows} x {self.cols} matrix")
        object.__setattr__(self, "cells", cells)

    @classmethod
    def from_matrix(cls, matrix: Sequence[Sequence[Any]]) -> Pattern:
        """Pattern of a 0/1 (or truth-valued) matrix given by its rows."""
        rows = [list(row) for row in matrix]
        width = len(rows[0]) if rows else 0
        for i, row in enumerate(rows):
            if len(row) != width:
                raise ObservationError(f"row {i} has {len(row)} cells; the first has {width}")
        return cls(
            len(rows), width, tuple((i, j) for i, row in enumerate(rows) for j, v in enumerate(row) if v)
        )

    def matrix(self) -> tuple[tuple[int, ...], ...]:
        """The 0/1 matrix, by rows; shape (rows, cols)."""
        known = set(self.cells)
        return tuple(tuple(int((i, j) in known) for j in range(self.cols)) for i in range(self.rows))

    def transpose(self) -> Pattern:
        """The pattern of the transposed matrix."""
        return Pattern(self.cols, self.rows, tuple((j, i) for i, j in self.cells))

    def permuted(self, rows: Sequence[int], cols: Sequence[int]) -> Pattern:
        """The pattern whose row i is the old row `rows[i]`, and likewise for columns.

        Raises:
            ObservationError: not permutations of all rows and all columns.
        """
        if sorted(rows) != list(range(self.rows)) or sorted(cols) != list(range(self.cols)):
            raise ObservationError("permutations of all rows and of all columns are needed")
        row_at = {old: new for new, old in enumerate(rows)}
        col_at = {old: new for new, old in enumerate(cols)}
        return Pattern(self.rows, self.cols, tuple((row_at[i], col_at[j]) for i, j in self.cells))


@dataclass(frozen=True)
class Observations:
    """A partially observed `rows` x `cols` matrix with exact rational values.

    Attributes:
        rows, cols: the shape, both at least 1.
        entries: (row, column, value), counted from 0, sorted, each cell once; at least one.
    """

    rows: int
    cols: int
    entries: tuple[tuple[int, int, Fraction], ...]

    def __post_init__(self) -> None:
        entries = tuple(sorted((int(i), int(j), exact(v)) for i, j, v in self.entries))
        object.__setattr__(self, "entries", entries)
        _ = self.pattern  # checks the cells
        if not entries:
            raise ObservationError("no observed entry; at least one is needed")

    @classmethod
    def from_entries(cls, rows: int, cols: int, entries: Iterable[tuple[int, int, Any]]) -> Observations:
        """Observations from (row, column, value) triples; equal repetitions are merged.

        Raises:
            ObservationError: conflicting repetitions, cells outside the matrix, values that are not finite
                numbers.
        """
        known: dict[Cell, Fraction] = {}
        for i, j, value in entries:
            new = exact(value)
            if known.setdefault((int(i), int(j)), new) != new:
                old = shown(ratio_text(known[int(i), int(j)]))
                raise ObservationError(
                    f"cell ({i}, {j}) is given as {old} and as {shown(ratio_text(new))}; keep one of them"
                )
        return cls(rows, cols, tuple((i, j, v) for (i, j), v in known.items()))

    @classmethod
    def from_rows(cls, matrix: Sequence[Sequence[Any]]) -> Observations:
        """Observations from a full table, `None` where a cell is not observed."""
        rows = [list(row) for row in matrix]
        Pattern.from_matrix(rows)
        width = len(rows[0]) if rows else 0
        triples = ((i, j, v) for i, row in enumerate(rows) for j, v in enumerate(row) if v is not None)
        return cls.from_entries(len(rows), width, triples)

    @property
    def pattern(self) -> Pattern:
        """The observed cells."""
        return Pattern(self.rows, self.cols, tuple((i, j) for i, j, _ in self.entries))

    def notes(self) -> list[str]:
        """In words, counted from 1: the rows and the columns without an observation, about which the data say nothing."""
        out = []
        for side, size, place in (("row", self.rows, 0), ("column", self.cols, 1)):
            seen = {entry[place] for entry in self.entries}
            empty = [k + 1 for k in range(size) if k not in seen] if size <= 100_000 else []
            if not empty:
                continue
            first = ", ".join(map(str, empty[:6])) + (f" and {len(empty) - 6} more" if len(empty) > 6 else "")
            hint = " (a separator at the end of every line makes one)" if place and empty == [size] and size > 1 else ""
            verb = f"{side} {first} has" if len(empty) == 1 else f"{side}s {first} have"
            out.append(f"{verb} no observation{hint}")
        return out

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The observed cells, sorted."""
        return tuple((i, j) for i, j, _ in self.entries)

    @property
    def values(self) -> dict[Cell, Fraction]:
        """The observed values by cell."""
        return {(i, j): v for i, j, v in self.entries}

    def matrix(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """The table by rows, `None` where nothing is observed; shape (rows, cols)."""
        known = self.values
        return tuple(tuple(known.get((i, j)) for j in range(self.cols)) for i in range(self.rows))

    def filled(self, fill: Fraction = Fraction(0)) -> list[list[Fraction]]:
        """The table with `fill` in every cell that is not observed; shape (rows, cols)."""
        return [[fill if v is None else v for v in row] for row in self.matrix()]

    def transpose(self) -> Observations:
        """The observations of the transposed matrix."""
        return Observations(self.cols, self.rows, tuple((j, i, v) for i, j, v in self.entries))

    def to_data(self) -> dict[str, Any]:
        """Plain data (JSON): shape, and entries with values written as `p` or `p/q`."""
        return {
            "shape": [self.rows, self.cols],
            "base": 0,
            "entries": [[i, j, ratio_text(v)] for i, j, v in self.entries],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Observations:
        """Inverse of `to_data`."""
        rows, cols = data["shape"]
        base = data.get("base", 1)
        return cls.from_entries(rows, cols, ((i - base, j - base, v) for i, j, v in data["entries"]))
