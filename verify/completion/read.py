"""Reading observations from files: CSV and TSV, JSON, NPY and NPZ, SciPy's sparse matrices and Matrix Market.

Every reader keeps decimal text as an exact rational, refuses what is too large before it is in memory, runs
no code from the file, and raises `ObservationError` with one line that names the file, the place in it and
what would be right, or the option that would read it.

Formats:

- `.csv`, `.tsv`: one row a line; blank, `?`, `*` or `nan` where nothing is observed; lines that start with
  `#` are comments. Blank lines before and after the table are ignored. A `Layout` says what else a table may look like: another
  separator, decimal commas, other marks, a first line of names, or lines of row, column and value.
- `.json`: the table as a list of rows (`null`, or the marks above, where nothing is observed), the same
  under the key `matrix`, or `{"shape": [m, n], "entries": [[i, j, value], ...]}` with indices from 1, or
  from 0 with `"base": 0`. Numbers may be written as text (`"2/3"`).
- `.npy`: one array. `.npz`: `matrix`, or the only array, whatever its name (NaN where nothing is observed), optionally `mask`
  (true where observed); or `rows`, `cols` (indices from 0), `values` and `shape`; or what `scipy.sparse.save_npz` wrote (coo, csr
  or csc; what is stored is observed, zeros too). Doubles keep their exact binary value.
- `.mtx`: Matrix Market, `coordinate` (what is listed is observed, zeros too) or `array`, `real` or `integer`,
  `general` or `symmetric`.

Each may be packed (`.csv.gz`), and `-` is standard input, in CSV unless the layout says otherwise.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from verify.completion.observations import Cell, Observations, shown
from verify.completion.read_arrays import read_npy, read_npz
from verify.completion.read_tables import read_csv, read_tsv
from verify.completion.source import Layout, Limits, Source, lines_of, load, only, piped, text_of


def read_observations(
    path: str | os.PathLike[str], limits: Limits | None = None, layout: Layout | None = None
) -> Observations:
    """Read a partially observed matrix; the suffix of the file's name says its format (see the module's
    text).

    Args:
        path: the file, or "-" for standard input.
        limits: what is accepted at most; the defaults of `Limits` if not given.
        layout: how a table of text is laid out; the defaults of `Layout` if not given.

    Raises:
        ObservationError: the file is not there, too large, of an unknown suffix, or not as its format asks:
            ragged rows, text in a cell, an infinity, conflicting duplicates, no observed entry.
    """
    stream = str(path) == "-"
    file = Path(path)
    source = Source("standard input" if stream else str(path), limits or Limits(), layout)
    packed = file.suffix.lower() == ".gz"
    suffix = source.layout.form or (".csv" if stream else (Path(file.stem) if packed else file).suffix.lower())
    reader = _READERS.get(suffix)
    if reader is None and file.is_dir():
        source.fail("", "is a folder; give the path of a file")
    if reader is None:
        most = f"use one of {', '.join(sorted(_READERS))}, also with .gz behind it, or say --format csv"
        source.fail("", f"unknown suffix {shown(suffix)}; {most}")
    if source.layout != Layout(form=source.layout.form) and suffix not in (".csv", ".tsv"):
        source.fail("", f"--sep, --decimal, --na, --header and --triples are for CSV and TSV, not for {suffix}")
    return reader(source, piped(source) if stream else load(source, file))


class _Token(str):
    """A number as it stands in a JSON file."""

    __slots__ = ()


# ---------------------------------------------------------------------------------------------- JSON


def _read_json(source: Source, data: bytes) -> Observations:
    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                source.fail(f"key {shown(key)}", "given twice; keep one of them")
        return dict(pairs)

    text = text_of(source, data)
    try:
        tree = json.loads(
            text, parse_float=_Token, parse_int=_Token, parse_constant=_Token, object_pairs_hook=no_duplicates
        )
    except json.JSONDecodeError as error:
        source.fail(
            f"line {error.lineno}, column {error.colno}", f"not JSON ({error.msg}); write a list of rows"
        )
    except RecursionError:
        source.fail("", "nested too deeply; write a list of rows")
    if isinstance(tree, dict) and "entries" in tree:
        return _json_entries(source, tree)
    if isinstance(tree, dict) and "matrix" in tree:
        only(source, tree, {"matrix"})
        tree = tree["matrix"]
    if not isinstance(tree, list) or not tree:
        source.fail("", 'neither a list of rows nor an object with "matrix" or with "shape" and "entries"')
    width = len(tree[0]) if isinstance(tree[0], list) else 0
    for i, cells in enumerate(tree):
        if not isinstance(cells, list):
            source.fail(f"row {i + 1}", "not a list; write every row as a list of cells")
        if len(cells) != width:
            source.fail(
                f"row {i + 1}",
                f"{len(cells)} cells where the first row has {width}; "
                f"give every row {width} cells (null where nothing is observed)",
            )
    source.shape("", len(tree), width, dense=True)
    for i, cells in enumerate(tree):
        for j, cell in enumerate(cells):
            place = f"row {i + 1}, cell {j + 1}"
            value = _json_number(source, place, cell)
            if value is not None:
                source.put(place, (i, j), value)
    return source.finish(len(tree), width)


def _json_number(source: Source, place: str, cell: object) -> Fraction | None:
    if cell is None:
        return None
    if isinstance(cell, str):
        return source.number(place, cell)
    source.fail(
        place, f"{shown(json.dumps(cell))} is not a number; write a number, or null where nothing is observed"
    )


def _json_index(source: Source, place: str, cell: object) -> int:
    if isinstance(cell, _Token) and re.fullmatch(r"-?[0-9]{1,18}", cell):
        return int(cell)
    text = cell if isinstance(cell, _Token) else json.dumps(cell)
    source.fail(place, f"{shown(text)} is not a whole number; write {_nearest(cell)}")


def _nearest(cell: object) -> str:
    """The whole number that a text such as 1.0 means, or an example."""
    try:
        value = float(cell) if isinstance(cell, _Token) else 0.5
        return str(int(value)) if value == int(value) else "one such as 3"
    except (ValueError, OverflowError):
        return "one such as 3"


def _json_entries(source: Source, tree: Mapping[str, Any]) -> Observations:
    only(source, tree, {"shape", "entries", "base"})
    shape, entries, base = tree.get("shape"), tree["entries"], tree.get("base", _Token("1"))
    if not isinstance(shape, list) or len(shape) != 2:
        source.fail('key "shape"', "must be [rows, columns]")
    rows, cols = (_json_index(source, 'key "shape"', side) for side in shape)
    source.shape('key "shape"', rows, cols, dense=False)
    start = _json_index(source, 'key "base"', base)
    if start not in (0, 1):
        source.fail('key "base"', "must be 0 or 1")
    source.base = start
    if not isinstance(entries, list):
        source.fail('key "entries"', "must be a list of [row, column, value]")
    for n, entry in enumerate(entries, 1):
        place = f"entry {n}"
        if not isinstance(entry, list) or len(entry) != 3:
            source.fail(place, "must be [row, column, value]")
        i, j = (_json_index(source, place, side) - start for side in entry[:2])
        if not (0 <= i < rows and 0 <= j < cols):
            source.fail(
                place,
                f"index ({i + start}, {j + start}) is outside a {rows} x {cols} matrix; "
                f"indices count from {start}",
            )
        value = _json_number(source, place, entry[2])
        if value is not None:
            source.put(place, (i, j), value)
    return source.finish(rows, cols)


# ---------------------------------------------------------------------------------------------- Matrix Market


def _read_mtx(source: Source, data: bytes) -> Observations:
    lines = list(enumerate(lines_of(text_of(source, data)), 1))
    banner = lines[0][1].split() if lines else []
    if len(banner) != 5 or banner[0].lower() != "%%matrixmarket" or banner[1].lower() != "matrix":
        source.fail(
            "line 1", "no Matrix Market banner; begin with %%MatrixMarket matrix coordinate real general"
        )
    layout, field, symmetry = (word.lower() for word in banner[2:])
    for word, allowed in (
        (layout, ("coordinate", "array")),
        (field, ("real", "integer")),
        (symmetry, ("general", "symmetric")),
    ):
        if word not in allowed:
            source.fail("line 1", f"{shown(word)} is not read; use {' or '.join(allowed)}")
    body = [(n, text.split()) for n, text in lines[1:] if text.strip() and not text.startswith("%")]
    if not body:
        source.fail(
            f"line {len(lines)}",
            "the line with the size is missing; write rows, columns"
            + (" and the number of entries" if layout == "coordinate" else ""),
        )
    line, words = body[0]
    sizes = [_mtx_index(source, f"line {line}", word) for word in words]
    if len(sizes) != (3 if layout == "coordinate" else 2):
        source.fail(
            f"line {line}",
            f"{len(sizes)} sizes; write rows, columns"
            + (" and the number of entries" if layout == "coordinate" else ""),
        )
    rows, cols = sizes[:2]
    source.shape(f"line {line}", rows, cols, dense=layout == "array")
    symmetric = symmetry == "symmetric"
    if symmetric and rows != cols:
        source.fail(f"line {line}", f"symmetric of shape {rows} x {cols}; a symmetric matrix must be square")
    expected = sizes[2] if layout == "coordinate" else (rows * (rows + 1) // 2 if symmetric else rows * cols)
    if len(body) - 1 != expected:
        source.fail(f"line {body[-1][0]}", f"{len(body) - 1} entries where {expected} are announced")
    if layout == "array":
        places = ((i, j) for j in range(cols) for i in range(j if symmetric else 0, rows))
        for (line, words), cell in zip(body[1:], places, strict=True):
            if len(words) != 1:
                source.fail(f"line {line}", f"{len(words)} words; write one value a line")
            _mtx_put(source, f"line {line}", cell, words[0], field, symmetric)
    else:
        for line, words in body[1:]:
            if len(words) != 3:
                source.fail(f"line {line}", f"{len(words)} words; write row, column and value")
            i, j = (_mtx_index(source, f"line {line}", word) - 1 for word in words[:2])
            if not (0 <= i < rows and 0 <= j < cols):
                source.fail(
                    f"line {line}",
                    f"index ({i + 1}, {j + 1}) is outside a {rows} x {cols} matrix; indices count from 1",
                )
            if symmetric and j > i:
                source.fail(
                    f"line {line}", "above the diagonal of a symmetric matrix; list the lower triangle only"
                )
            _mtx_put(source, f"line {line}", (i, j), words[2], field, symmetric)
    return source.finish(rows, cols)


def _mtx_index(source: Source, place: str, word: str) -> int:
    if re.fullmatch(r"[0-9]{1,18}", word, re.ASCII):
        return int(word)
    source.fail(place, f"{shown(word)} is not a whole number; write one such as 3")


def _mtx_put(source: Source, place: str, cell: Cell, word: str, field: str, symmetric: bool) -> None:
    value = source.number(place, word)
    if value is None:
        return
    if field == "integer" and value.denominator != 1:
        source.fail(place, f"{shown(word)} is not whole; write 'real' in line 1")
    source.put(place, cell, value)
    if symmetric:
        source.put(place, (cell[1], cell[0]), value)


_READERS: dict[str, Callable[[Source, bytes], Observations]] = {
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".json": _read_json,
    ".npy": read_npy,
    ".npz": read_npz,
    ".mtx": _read_mtx,
}

FORMATS = tuple(sorted(suffix[1:] for suffix in _READERS))
"""What a format can be called."""
