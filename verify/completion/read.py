"""Reading observations from files: CSV and TSV, JSON, NPZ and Matrix Market.

Every reader keeps decimal text as an exact rational, refuses what is too large before it is in memory, runs
no code from the file, and raises `ObservationError` with one line that names the file, the place in it and
what would be right.

Formats:

- `.csv`, `.tsv`: one row a line; blank, `?`, `*` or `nan` where nothing is observed; lines that start with
  `#` are comments; no header. Blank lines before and after the table are ignored.
- `.json`: the table as a list of rows (`null`, or the marks above, where nothing is observed), the same
  under the key `matrix`, or `{"shape": [m, n], "entries": [[i, j, value], ...]}` with indices from 1, or
  from 0 with `"base": 0`. Numbers may be written as text (`"2/3"`).
- `.npz`: `matrix`, or the only array, whatever its name (NaN where nothing is observed), optionally `mask` (true where
  observed); or `rows`, `cols`
  (indices from 0), `values` and `shape`. Doubles keep their exact binary value.
- `.mtx`: Matrix Market, `coordinate` (what is listed is observed, zeros too) or `array`, `real` or `integer`,
  `general` or `symmetric`.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from verify.completion.observations import (
    Cell,
    ObservationError,
    Observations,
    exact,
    parse_number,
    ratio_text,
    shown,
)

UNOBSERVED = frozenset({"", "?", "*", "nan"})
"""Cell texts (after stripping, in lower case) that mean: not observed."""


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


class _Token(str):
    """A number as it stands in a JSON file."""

    __slots__ = ()


class _Source:
    """A file under way: where messages point to, the limits, and the entries so far."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.name = "".join(c if c.isprintable() else "?" for c in name)
        self.limits = limits
        self.known: dict[Cell, Fraction] = {}

    def fail(self, place: str, problem: str) -> NoReturn:
        where = f"{self.name}: {place}: " if place else f"{self.name}: "
        raise ObservationError(where + problem) from None

    def number(self, place: str, text: str) -> Fraction | None:
        """Value of a cell's text, None if unobserved."""
        text = text.strip()
        if text.lower() in UNOBSERVED:
            return None
        try:
            return parse_number(text)
        except ObservationError as error:
            self.fail(
                place, f"{error}; write a number such as 1.5, 2/3 or 1e-3, or ? where nothing is observed"
            )

    def put(self, place: str, cell: Cell, value: Fraction) -> None:
        if self.known.setdefault(cell, value) != value:
            self.fail(
                place,
                f"row {cell[0] + 1}, column {cell[1] + 1} was {_short(self.known[cell])} before "
                f"and is {_short(value)} here; keep one of them",
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


def read_observations(path: str | os.PathLike[str], limits: Limits | None = None) -> Observations:
    """Read a partially observed matrix; the suffix of the file's name says its format (see the module's
    text).

    Args:
        path: the file.
        limits: what is accepted at most; the defaults of `Limits` if not given.

    Raises:
        ObservationError: the file is not there, too large, of an unknown suffix, or not as its format asks:
            ragged rows, text in a cell, an infinity, conflicting duplicates, no observed entry.
    """
    limits = limits or Limits()
    file = Path(path)
    source = _Source(str(path), limits)
    reader = _READERS.get(file.suffix.lower())
    if reader is None and file.is_dir():
        source.fail("", "is a folder; give the path of a file")
    if reader is None:
        source.fail("", f"unknown suffix {shown(file.suffix)}; use one of {', '.join(sorted(_READERS))}")
    return reader(source, _load(source, file))


def _load(source: _Source, file: Path) -> bytes:
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
    if len(data) > source.limits.file_bytes:
        problem = f"larger than {_megabytes(source.limits.file_bytes)}, the most that is read; {SMALLER}"
    if problem:
        source.fail("", problem)
    return data


def _megabytes(size: int) -> str:
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size} bytes"


def _text(source: _Source, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        source.fail(f"line {line}", "not UTF-8 text; save the file as UTF-8")


def _lines(text: str) -> list[str]:
    lines = re.split(r"\r\n|\r|\n", text)
    return lines[:-1] if lines and not lines[-1] else lines


def _short(value: Fraction) -> str:
    return shown(ratio_text(value))[1:-1]


# ---------------------------------------------------------------------------------------------- CSV and TSV


def _read_csv(source: _Source, data: bytes) -> Observations:
    return _read_table(source, data, ",")


def _read_tsv(source: _Source, data: bytes) -> Observations:
    return _read_table(source, data, "\t")


def _read_table(source: _Source, data: bytes, delimiter: str) -> Observations:
    width = 0
    row = 0
    lines = [(n, t) for n, t in enumerate(_lines(_text(source, data)), 1) if not t.lstrip().startswith("#")]
    while lines and not lines[-1][1].strip(" "):
        lines.pop()
    for line, text in lines:
        place = f"line {line}"
        if not text.strip(" "):
            if not width:
                continue
            if width > 1:
                source.fail(place, f"a blank line inside the table; write {width} cells or remove it")
        try:
            cells = next(csv.reader([text], delimiter=delimiter, strict=True)) or [""]
        except csv.Error as error:
            source.fail(place, f"not a row of cells ({error}); write numbers separated by {shown(delimiter)}")
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
            if delimiter == "," and ";" in cell:
                source.fail(where, f"{shown(cell)} is not a number; separate the cells with commas")
            value = source.number(where, cell)
            if value is not None:
                source.put(where, (row, j), value)
        row += 1
    return source.finish(max(row, 1), max(width, 1))


# ---------------------------------------------------------------------------------------------- JSON


def _read_json(source: _Source, data: bytes) -> Observations:
    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                source.fail(f"key {shown(key)}", "given twice; keep one of them")
        return dict(pairs)

    text = _text(source, data)
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
        _only(source, tree, {"matrix"})
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


def _only(source: _Source, tree: Mapping[str, Any], allowed: set[str]) -> None:
    for key in tree:
        if key not in allowed:
            source.fail(f"key {shown(key)}", f"unknown; the keys here are {', '.join(sorted(allowed))}")


def _json_number(source: _Source, place: str, cell: object) -> Fraction | None:
    if cell is None:
        return None
    if isinstance(cell, str):
        return source.number(place, cell)
    source.fail(
        place, f"{shown(json.dumps(cell))} is not a number; write a number, or null where nothing is observed"
    )


def _json_index(source: _Source, place: str, cell: object) -> int:
    if isinstance(cell, _Token) and re.fullmatch(r"-?[0-9]{1,18}", cell):
        return int(cell)
    source.fail(place, f"{shown(json.dumps(cell))} is not a whole number; write one such as 3")


def _json_entries(source: _Source, tree: Mapping[str, Any]) -> Observations:
    _only(source, tree, {"shape", "entries", "base"})
    shape, entries, base = tree.get("shape"), tree["entries"], tree.get("base", _Token("1"))
    if not isinstance(shape, list) or len(shape) != 2:
        source.fail('key "shape"', "must be [rows, columns]")
    rows, cols = (_json_index(source, 'key "shape"', side) for side in shape)
    source.shape('key "shape"', rows, cols, dense=False)
    start = _json_index(source, 'key "base"', base)
    if start not in (0, 1):
        source.fail('key "base"', "must be 0 or 1")
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


# ---------------------------------------------------------------------------------------------- NPZ


def _read_npz(source: _Source, data: bytes) -> Observations:
    import numpy as np

    try:
        arrays = dict(_npz_arrays(source, data))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        source.fail("", "not an NPZ archive; write it with numpy.savez")
    others = arrays.keys() - {"mask"}
    if len(others) == 1:
        arrays["matrix"] = arrays.pop(others.pop())
    if "matrix" in arrays:
        _only(source, arrays, {"matrix", "mask"})
        matrix = arrays["matrix"]
        if matrix.ndim != 2:
            source.fail('array "matrix"', f"has {matrix.ndim} dimensions; it must have 2")
        rows, cols = matrix.shape
        source.shape('array "matrix"', rows, cols, dense=True)
        mask = arrays.get("mask", np.ones(matrix.shape, dtype=bool))
        if mask.shape != matrix.shape or mask.dtype != np.bool_:
            source.fail('array "mask"', f"must be truth values of shape {rows} x {cols}")
        cells = [(int(i), int(j)) for i, j in np.argwhere(mask)]
        values = [matrix[cell] for cell in cells]
    elif {"rows", "cols", "values", "shape"} <= arrays.keys():
        _only(source, arrays, {"rows", "cols", "values", "shape"})
        for name in ("rows", "cols", "shape"):
            if arrays[name].dtype.kind not in "iu":
                source.fail(f'array "{name}"', "must hold whole numbers")
        if arrays["shape"].shape != (2,):
            source.fail('array "shape"', "must hold two numbers, rows and columns")
        if any(
            arrays[name].ndim != 1 or arrays[name].size != arrays["values"].size
            for name in ("rows", "cols", "values")
        ):
            source.fail("", 'arrays "rows", "cols" and "values" must be vectors of one length')
        rows, cols = (int(side) for side in arrays["shape"])
        source.shape('array "shape"', rows, cols, dense=False)
        cells = [(int(i), int(j)) for i, j in zip(arrays["rows"], arrays["cols"], strict=True)]
        values = list(arrays["values"])
    else:
        source.fail(
            "",
            f"holds {len(arrays)} arrays and none is named \"matrix\"; name it so, or save it alone "
            '(or save "rows", "cols", "values" and "shape")',
        )
    for n, ((i, j), value) in enumerate(zip(cells, values, strict=True), 1):
        place = f"entry {n} (row {i + 1}, column {j + 1})"
        if not (0 <= i < rows and 0 <= j < cols):
            source.fail(place, f"outside a {rows} x {cols} matrix; indices count from 0")
        if value != value:
            continue
        try:
            source.put(place, (i, j), exact(value))
        except OverflowError:
            source.fail(place, "infinite; values must be finite")
        except ObservationError as error:
            if str(error).startswith(source.name):
                raise
            source.fail(place, str(error))
    return source.finish(rows, cols)


def _npz_arrays(source: _Source, data: bytes) -> Iterator[tuple[str, Any]]:
    """The arrays of the archive, each checked by its header before it is unpacked."""
    from numpy.lib import format as npy

    limit = source.limits.file_bytes
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if len(members) > 8:
            source.fail("", f"{len(members)} arrays; at most 8 are read")
        for member in members:
            name = member.filename.removesuffix(".npy")
            place = f"array {shown(name)}"
            if member.file_size > limit:
                source.fail(place, f"larger than {_megabytes(limit)}, the most that is read; {SMALLER}")
            with archive.open(member) as stream:
                content = io.BytesIO(stream.read(limit + 1))
            try:
                version = npy.read_magic(content)
                header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
                shape, _, dtype = header(content)
                count = 1
                for side in shape:
                    count *= int(side)
                if dtype.kind not in "iufb" or dtype.itemsize > 8:
                    source.fail(place, f"holds {shown(str(dtype))}; it must hold integers or doubles")
                if min(shape, default=1) < 0 or count * dtype.itemsize > limit:
                    source.fail(place, f"larger than {_megabytes(limit)}, the most that is read; {SMALLER}")
                if name in {"matrix", "values"} and dtype.kind == "b":
                    source.fail(place, "holds truth values; it must hold integers or doubles")
                content.seek(0)
                yield name, npy.read_array(content, allow_pickle=False)
            except ObservationError:
                raise
            except ValueError:
                source.fail(
                    place, "not an array that NumPy can read without running code; write it with numpy.savez"
                )


# ---------------------------------------------------------------------------------------------- Matrix Market


def _read_mtx(source: _Source, data: bytes) -> Observations:
    lines = list(enumerate(_lines(_text(source, data)), 1))
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


def _mtx_index(source: _Source, place: str, word: str) -> int:
    if re.fullmatch(r"[0-9]{1,18}", word, re.ASCII):
        return int(word)
    source.fail(place, f"{shown(word)} is not a whole number; write one such as 3")


def _mtx_put(source: _Source, place: str, cell: Cell, word: str, field: str, symmetric: bool) -> None:
    value = source.number(place, word)
    if value is None:
        return
    if field == "integer" and value.denominator != 1:
        source.fail(place, f"{shown(word)} is not whole; write 'real' in line 1")
    source.put(place, cell, value)
    if symmetric:
        source.put(place, (cell[1], cell[0]), value)


_READERS: dict[str, Callable[[_Source, bytes], Observations]] = {
    ".csv": _read_csv,
    ".tsv": _read_tsv,
    ".json": _read_json,
    ".npz": _read_npz,
    ".mtx": _read_mtx,
}
