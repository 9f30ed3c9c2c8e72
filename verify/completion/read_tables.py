"""Tables of text (CSV, TSV) and lists of row, column, value in the same form."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from verify.completion.observations import Observations, shown
from verify.completion.source import Source, lines_of, text_of


def read_csv(source: Source, data: bytes) -> Observations:
    """Commas between the cells; semicolons where numbers have decimal commas."""
    return _read(source, data, source.layout.sep or (";" if source.layout.decimal == "," else ","))


def read_tsv(source: Source, data: bytes) -> Observations:
    """Tabulators between the cells."""
    return _read(source, data, source.layout.sep or "\t")


def _read(source: Source, data: bytes, sep: str) -> Observations:
    lines = [(n, t) for n, t in enumerate(lines_of(text_of(source, data)), 1) if not t.lstrip().startswith("#")]
    while lines and not lines[-1][1].strip(" "):
        lines.pop()
    while lines and not lines[0][1].strip(" ") and any(sep in t for _, t in lines):
        lines.pop(0)
    if source.layout.header:
        lines = lines[1:]
    return _triples(source, lines, sep) if source.layout.triples else _table(source, lines, sep)


def _cells(source: Source, place: str, text: str, sep: str) -> list[str]:
    if sep == " ":
        return text.split() or [""]
    try:
        return next(csv.reader([text], delimiter=sep, strict=True)) or [""]
    except csv.Error as error:
        source.fail(place, f"not a row of cells ({error}); write numbers separated by {shown(sep)}")


def _table(source: Source, lines: list[tuple[int, str]], sep: str) -> Observations:
    width = 0
    row = 0
    for line, text in lines:
        place = f"line {line}"
        if not text.strip(" "):
            if not width:
                continue
            if width > 1:
                source.fail(place, f"a blank line inside the table; write {width} cells or remove it")
        cells = _cells(source, place, text, sep)
        if not row:
            _look(source, place, cells, sep)
        width = width or len(cells)
        if len(cells) != width:
            source.fail(
                place,
                f"{len(cells)} cells where the rows above have {width}; "
                f"give every row {width} cells (? where nothing is observed)",
            )
        source.shape(place, row + 1, width, dense=True)
        for j, cell in enumerate(cells):
            where = f"{place}, cell {j + 1}"
            value = source.number(where, cell, table=True)
            if value is not None:
                source.put(where, (row, j), value)
        row += 1
    return source.finish(max(row, 1), max(width, 1))


_NUMBER = re.compile(r"\s*[+-]?(?:[0-9][0-9.,]*|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?(?:/[0-9]+)?\s*", re.ASCII)
_NAMES = {"\t": "tab", " ": "space"}


def _look(source: Source, place: str, cells: list[str], sep: str) -> None:
    """Refuse a first line that shows another layout, and name the option that reads it."""
    for other in (";", "\t", "|", ",", " "):
        whole = sep.join(cells).split(None if other == " " else other)
        if other != sep and len(cells) == 1 and len(whole) > 1 and _like_numbers(source, whole):
            name = _NAMES.get(other, other)
            option = f"--sep '{name}'" + (" --decimal ," if any("," in v for v in whole) else "")
            source.fail(f"{place}, cell 1", f"{shown(cells[0])} is not a number; {option} reads cells separated by {shown(name)}")
    named = [c for c in cells if c.strip().lower() not in source.unobserved]
    names = all(re.match(r"\s*[A-Za-z_][\w .()%-]*$", c) and not source.looks_missing(c) for c in named)
    if names and len(named) > 1 and not source.layout.header:
        source.fail(place, f"{shown(named[0].strip())} is not a number; --header passes over a first line of names")


def _like_numbers(source: Source, cells: list[str]) -> bool:
    return all(_NUMBER.fullmatch(c) or c.strip().lower() in source.unobserved or source.looks_missing(c) for c in cells)


def _triples(source: Source, lines: list[tuple[int, str]], sep: str) -> Observations:
    """Lines of row, column and value; the shape is that of the largest indices."""
    found = list(_listed(source, lines, sep))
    rows, cols = max((i for _, i, _, _ in found), default=1), max((j for _, _, j, _ in found), default=1)
    source.shape("", rows, cols, dense=False)
    for place, i, j, text in found:
        value = source.number(place, text, table=True)
        if value is not None:
            source.put(place, (i - 1, j - 1), value)
    return source.finish(rows, cols)


def _listed(source: Source, lines: list[tuple[int, str]], sep: str) -> Iterator[tuple[str, int, int, str]]:
    for line, text in lines:
        if not text.strip():
            continue
        place = f"line {line}"
        cells = _cells(source, place, text, sep)
        if len(cells) != 3:
            source.fail(place, f"{len(cells)} cells; write row, column and value, separated by {shown(sep)}")
        for what, cell in zip(("row", "column"), cells, strict=False):
            if not re.fullmatch(r"\s*[0-9]{1,18}\s*", cell, re.ASCII) or int(cell) < 1:
                hint = "; --header passes over a first line of names" if line == lines[0][0] and not source.layout.header else ""
                source.fail(place, f"{shown(cell.strip())} is no {what}; write a whole number, counted from 1{hint}")
        yield place, int(cells[0]), int(cells[1]), cells[2]
