"""Arrays of NumPy: .npy, .npz, and sparse matrices as SciPy writes them (scipy.sparse.save_npz); no code in a file is run."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from verify.completion.observations import ObservationError, Observations, exact, shown
from verify.completion.source import SMALLER, Source, megabytes, only

SPARSE = {"coo": {"row", "col"}, "csr": {"indices", "indptr"}, "csc": {"indices", "indptr"}}
"""Formats of sparse matrices that are read, with their arrays of indices."""


def read_npy(source: Source, data: bytes) -> Observations:
    """One array, nan where nothing is observed."""
    return _matrix(source, {"matrix": _array(source, "matrix", io.BytesIO(data), "the array")})


def read_npz(source: Source, data: bytes) -> Observations:
    """An archive: a matrix with or without a mask, a list of entries, or a sparse matrix."""
    try:
        arrays = dict(_npz_arrays(source, data))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        source.fail("", "not an NPZ archive; write it with numpy.savez")
    if "format" in arrays:
        return _sparse(source, arrays)
    others = arrays.keys() - {"mask"}
    if len(others) == 1:
        arrays["matrix"] = arrays.pop(others.pop())
    if "matrix" in arrays:
        return _matrix(source, arrays)
    if {"rows", "cols", "values", "shape"} <= arrays.keys():
        only(source, arrays, {"rows", "cols", "values", "shape"})
        return _entries(source, arrays, ("rows", "cols", "values"))
    source.fail(
        "",
        f'holds {len(arrays)} arrays and none is named "matrix"; name it so, or save it alone '
        '(or save "rows", "cols", "values" and "shape")',
    )


def _matrix(source: Source, arrays: dict[str, Any]) -> Observations:
    """A table, and where it is observed."""
    import numpy as np

    only(source, arrays, {"matrix", "mask"})
    matrix = arrays["matrix"]
    if matrix.ndim != 2:
        source.fail('array "matrix"', f"has {matrix.ndim} dimensions; it must have 2")
    rows, cols = matrix.shape
    source.shape('array "matrix"', rows, cols, dense=True)
    mask = arrays.get("mask", np.ones(matrix.shape, dtype=bool))
    if mask.shape != matrix.shape or mask.dtype != np.bool_:
        source.fail('array "mask"', f"must be truth values of shape {rows} x {cols}")
    cells = [(int(i), int(j)) for i, j in np.argwhere(mask)]
    return _put(source, rows, cols, cells, [matrix[cell] for cell in cells])


def _sparse(source: Source, arrays: dict[str, Any]) -> Observations:
    """A sparse matrix of SciPy: what is stored is observed, zeros too."""
    import numpy as np

    kind = arrays.pop("format")
    name = bytes(kind.item()).decode("ascii", "replace") if kind.ndim == 0 and kind.dtype.kind == "S" else str(kind)[:20]
    if name not in SPARSE:
        source.fail('array "format"', f"{shown(name)} is not read; save it in one of the formats {', '.join(sorted(SPARSE))}")
    arrays.pop("_is_array", None)
    only(source, arrays, SPARSE[name] | {"data", "shape"})
    for needed in (*sorted(SPARSE[name]), "data", "shape"):
        if needed not in arrays:
            source.fail("", f"the array {shown(needed)} of a sparse matrix is missing; write it with scipy.sparse.save_npz")
    if name == "coo":
        return _entries(source, arrays, ("row", "col", "data"))
    steps, along = arrays["indptr"], arrays["indices"]
    if steps.ndim != 1 or steps.dtype.kind not in "iu" or not steps.size or (np.diff(steps.astype(np.int64)) < 0).any():
        source.fail('array "indptr"', "must hold whole numbers that do not fall")
    if int(steps[0]) != 0 or int(steps[-1]) != along.size:
        source.fail('array "indptr"', f"must begin with 0 and end with {along.size}, the number of entries")
    major = np.repeat(np.arange(steps.size - 1), np.diff(steps.astype(np.int64)))
    first, second = (major, along) if name == "csr" else (along, major)
    listed = {"row": first, "col": second, "data": arrays["data"], "shape": arrays["shape"]}
    return _entries(source, listed, ("row", "col", "data"))


def _entries(source: Source, arrays: dict[str, Any], names: tuple[str, str, str]) -> Observations:
    """A list of entries, with indices from 0."""
    row, col, value = names
    for name in (row, col, "shape"):
        if arrays[name].dtype.kind not in "iu":
            source.fail(f'array "{name}"', "must hold whole numbers")
    if arrays["shape"].shape != (2,):
        source.fail('array "shape"', "must hold two numbers, rows and columns")
    if any(arrays[name].ndim != 1 or arrays[name].size != arrays[value].size for name in names):
        source.fail("", f'arrays "{row}", "{col}" and "{value}" must be vectors of one length')
    rows, cols = (int(side) for side in arrays["shape"])
    source.shape('array "shape"', rows, cols, dense=False)
    source.base = 0
    cells = [(int(i), int(j)) for i, j in zip(arrays[row], arrays[col], strict=True)]
    return _put(source, rows, cols, cells, list(arrays[value]))


def _put(source: Source, rows: int, cols: int, cells: list[tuple[int, int]], values: list[Any]) -> Observations:
    for n, ((i, j), value) in enumerate(zip(cells, values, strict=True), 1):
        place = f"entry {n} ({source.place((i, j))})"
        if not (0 <= i < rows and 0 <= j < cols):
            source.fail(place, f"outside a {rows} x {cols} matrix; indices count from 0")
        if value != value:
            continue
        try:
            number = exact(value)
        except OverflowError:
            source.fail(place, "infinite; values must be finite")
        except ObservationError as error:
            source.fail(place, str(error))
        source.put(place, (i, j), number)
    return source.finish(rows, cols)


def _npz_arrays(source: Source, data: bytes) -> Iterator[tuple[str, Any]]:
    """The arrays of the archive, each checked by its header before it is unpacked."""
    limit = source.limits.file_bytes
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if len(members) > 8:
            source.fail("", f"{len(members)} arrays; at most 8 are read")
        for member in members:
            name = member.filename.removesuffix(".npy")
            place = f"array {shown(name)}"
            if member.file_size > limit:
                source.fail(place, f"larger than {megabytes(limit)}, the most that is read; {SMALLER}")
            with archive.open(member) as stream:
                content = io.BytesIO(stream.read(limit + 1))
            yield name, _array(source, name, content, place)


def _array(source: Source, name: str, content: io.BytesIO, place: str) -> Any:
    """An array in NumPy's format."""
    from numpy.lib import format as npy

    limit = source.limits.file_bytes
    try:
        version = npy.read_magic(content)
        header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = header(content)
        count = 1
        for side in shape:
            count *= int(side)
        word = name == "format" and dtype.kind in "SU" and dtype.itemsize <= 64  # of a sparse matrix
        if not word and (dtype.kind not in "iufb" or dtype.itemsize > 8):
            source.fail(place, f"holds {shown(str(dtype))}; it must hold integers or doubles")
        if min(shape, default=1) < 0 or count * dtype.itemsize > limit:
            source.fail(place, f"larger than {megabytes(limit)}, the most that is read; {SMALLER}")
        if name in {"matrix", "values", "data"} and dtype.kind == "b":
            source.fail(place, "holds truth values; it must hold integers or doubles")
        content.seek(0)
        return npy.read_array(content, allow_pickle=False)
    except ObservationError:
        raise
    except (ValueError, EOFError):
        source.fail(place, "not an array that NumPy can read without running code; write it with numpy.save or numpy.savez")
