"""A file of observations under way: its bytes, its limits, how it is laid out, and the entries so far."""

from __future__ import annotations

import gzip
import io
import re
import sys
import unicodedata
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from verify.completion.observations import Cell, ObservationError, Observations, parse_number, ratio_text, shown

UNOBSERVED = frozenset({"", "?", "*", "nan"})
"""Cell texts (after stripping, in lower case) that mean: not observed."""

OTHERS = frozenset({"na", "n/a", "#n/a", "null", "none", "-", "--", ".", "missing", "inf?", "n.a.", "nil"})
"""Cell texts that other programs write where nothing is observed; read with an option only."""

SMALLER = "write the observed entries alone (.mtx coordinate, or JSON with shape and entries), or part of the matrix"


@dataclass(frozen=True)
class Limits:
    """What a reader accepts at most: bytes of a file and of each unpacked array, cells of a table,
    entries.
    """

    file_bytes: int = 32 << 20
    side: int = 100_000
    cells: int = 4_000_000
    entries: int = 1_000_000


@dataclass(frozen=True)
class Layout:
    """How a table of text is laid out.

    Attributes:
        sep: one character between the cells; None: a comma in .csv, a tabulator in .tsv. A space stands for any blanks.
        decimal: the decimal sign of numbers, "." or ",".
        na: texts that mean "not observed", besides a blank, ?, * and nan (upper and lower case are the same).
        header: whether the first line holds names.
        triples: whether each line is row, column (counted from 1) and value.
        form: the suffix that says the format, instead of that of the name (".csv").
    """

    sep: str | None = None
    decimal: str = "."
    na: frozenset[str] = frozenset()
    header: bool = False
    triples: bool = False
    form: str | None = None

    def __post_init__(self) -> None:
        if self.sep is not None and (len(self.sep) != 1 or self.sep in '"\n\r#' or self.sep.isalnum() or self.sep in "+-.?*/"):
            raise ObservationError(f"{shown(self.sep)} cannot separate cells; use one character such as ; or , or tab or space")
        if self.decimal not in (".", ","):
            raise ObservationError(f"{shown(self.decimal)} is no decimal sign; use . or ,")
        if self.sep == self.decimal:
            raise ObservationError(f"{shown(self.decimal)} cannot be the decimal sign and separate the cells as well")


class Source:
    """A file under way: where messages point to, the limits, and the entries so far."""

    def __init__(self, name: str, limits: Limits, layout: Layout | None = None) -> None:
        self.name = "".join(c if c.isprintable() else "?" for c in name)
        self.limits = limits
        self.layout = layout or Layout()
        self.unobserved = UNOBSERVED | {word.lower() for word in self.layout.na}
        self.known: dict[Cell, Fraction] = {}
        self.base = 1  # from which indices count in the file

    def fail(self, place: str, problem: str) -> NoReturn:
        where = f"{self.name}: {place}: " if place else f"{self.name}: "
        raise ObservationError(where + problem) from None

    def number(self, place: str, text: str, table: bool = False) -> Fraction | None:
        """Value of a cell's text, None if unobserved; options help in a table of text."""
        text = text.strip()
        if text.lower() in self.unobserved:
            return None
        decimal = self.layout.decimal == "," and table
        try:
            if decimal and "." in text:
                raise ObservationError(f"{shown(text)} is not a number with a decimal comma")
            return parse_number(text.replace(",", ".") if decimal else text)
        except ObservationError as error:
            self.fail(place, f"{error}; {self._advice(text, table)}")

    def _advice(self, text: str, table: bool) -> str:
        """What would be right, or the option that reads this text."""
        odd = next((c for c in text if not " " <= c <= "~"), None)
        if odd is not None:
            better = {"\u2212": "-", "\u2010": "-", "\u2013": "-", "\u00a0": "a plain blank, or nothing"}.get(odd)
            name = unicodedata.name(odd, "a control character")
            return f"it holds U+{ord(odd):04X} ({name}); write {better or 'plain digits, points and signs'}"
        other = next((c for c in ";|\t" if c in text and c != self.layout.sep), None) if table else None
        if other is not None:
            return f"--sep '{'tab' if other == chr(9) else other}' separates cells there"
        if table and text.lower() in OTHERS:
            return f"--na {text} reads it as not observed"
        if table and re.fullmatch(r"[+-]?[0-9]+,[0-9]+([eE][+-]?[0-9]+)?", text):
            return "--decimal , reads decimal commas"
        if re.fullmatch(r"[+-]?[0-9]+(?:[ '_][0-9]{3})+([.,][0-9]*)?", text):
            return "write numbers without signs between groups of digits"
        return "write a number such as 1.5, 2/3 or 1e-3, or ? where nothing is observed"

    def looks_missing(self, text: str) -> bool:
        """Whether other programs write this where nothing is observed."""
        return text.strip().lower() in OTHERS

    def place(self, cell: Cell) -> str:
        """A cell in words, with the indices of the file."""
        return f"row {cell[0] + self.base}, column {cell[1] + self.base}" + ("" if self.base else ", counted from 0")

    def put(self, place: str, cell: Cell, value: Fraction) -> None:
        if self.known.setdefault(cell, value) != value:
            self.fail(
                place,
                f"{self.place(cell)} was {short(self.known[cell])} before "
                f"and is {short(value)} here; keep one of them",
            )
        if len(self.known) > self.limits.entries:
            self.fail(
                place, f"more than {self.limits.entries} observed entries, the most that are read; use fewer"
            )

    def shape(self, place: str, rows: int, cols: int, dense: bool) -> None:
        side, cells = self.limits.side, self.limits.cells
        if rows < 1 or cols < 1:
            self.fail(place, f"shape {rows} x {cols}; both sides must be at least 1")
        if max(rows, cols) > side:
            self.fail(place, f"shape {rows} x {cols}; at most {side} rows and columns are read")
        if dense and rows * cols > cells:
            self.fail(place, f"a table of {rows} x {cols} cells; at most {cells} cells are read")

    def finish(self, rows: int, cols: int) -> Observations:
        if not self.known:
            self.fail("", "no observed entry; at least one cell must hold a number")
        return Observations(rows, cols, tuple((i, j, v) for (i, j), v in self.known.items()))


def load(source: Source, file: Path) -> bytes:
    """The bytes of a file; unpacked if its name ends with .gz."""
    data = b""
    try:
        if not file.exists():
            problem = "no such file; check the path"
        elif not file.is_file():
            problem = "not a regular file; give the path of a file"
        else:
            problem = ""
            with file.open("rb") as stream:
                data = stream.read(source.limits.file_bytes + 1)
    except OSError as error:
        problem = f"cannot be read ({error.strerror or type(error).__name__}); check its permissions"
    except ValueError:  # a NUL character in the name
        problem = "no such file; check the path"
    if problem:
        source.fail("", problem)
    data = small(source, data)
    return small(source, unpacked(source, data)) if file.suffix.lower() == ".gz" else data


def small(source: Source, data: bytes) -> bytes:
    """Refuse what is too large."""
    if len(data) > source.limits.file_bytes:
        source.fail("", f"larger than {megabytes(source.limits.file_bytes)}, the most that is read; {SMALLER}")
    return data


def megabytes(size: int) -> str:
    """A size in words."""
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size} bytes"


def text_of(source: Source, data: bytes) -> str:
    """The text of a file in UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        source.fail(f"line {line}", "not UTF-8 text; save the file as UTF-8")


def lines_of(text: str) -> list[str]:
    """Its lines, without their ends."""
    lines = re.split(r"\r\n|\r|\n", text)
    return lines[:-1] if lines and not lines[-1] else lines


def short(value: Fraction) -> str:
    """A number, shortened."""
    return shown(ratio_text(value))[1:-1]


def unpacked(source: Source, data: bytes) -> bytes:
    """The content of a gzip file, no more of it than is read."""
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read(source.limits.file_bytes + 1)
    except (OSError, EOFError, zlib.error):
        source.fail("", "not a gzip file; write it with gzip")


def piped(source: Source) -> bytes:
    """The bytes of standard input."""
    return small(source, sys.stdin.buffer.read(source.limits.file_bytes + 1))


def only(source: Source, tree: Mapping[str, Any], allowed: set[str]) -> None:
    """Refuse other keys than these."""
    for key in tree:
        if key not in allowed:
            source.fail(f"key {shown(key)}", f"unknown; the keys here are {', '.join(sorted(allowed))}")
