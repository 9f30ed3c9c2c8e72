"""Starts of gradient flow as a user writes them: `identity:1e-35`, `ones:1e-3,2`, `gaussian:0.01,7`, `file:start.json`.

- `identity:alpha`: every factor is alpha times the (rectangular) identity.
- `ones:alpha,m`: alpha on the diagonal and alpha/m off it, in every factor (initialisation (7) of shin2025).
- `gaussian:std,seed`: independent normal entries; the doubles that NumPy's default generator draws, times std, exactly.
- `file:PATH`: the factors W_1, ..., W_L: a JSON list of matrices (numbers, or text such as "1/3" or "1e-35"), or an NPZ
  file with the arrays W1, W2, ...

All numbers are exact rationals.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from verify.completion.observations import ObservationError, exact, parse_number, shown
from verify.errors import InputError, suggestion

KINDS = ("identity", "ones", "gaussian", "file")
FORMS = "identity:ALPHA, ones:ALPHA,M, gaussian:STD,SEED or file:PATH"
MAX_BYTES = 32 << 20

Factor = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Start:
    """A start, before the shapes are known.

    Attributes:
        kind: one of KINDS. text: as it was written.
        scale: alpha or std; None for a file.
        ratio: m of `ones`. seed: of `gaussian`. path: of `file`.
    """

    kind: str
    text: str
    scale: Fraction | None = None
    ratio: Fraction | None = None
    seed: int = 0
    path: str = ""

    def factors(self, shapes: Sequence[tuple[int, int]]) -> tuple[Factor, ...]:
        """W_1, ..., W_L for these shapes. Raises InputError where a file does not fit."""
        if self.kind == "file":
            return _from_file(self.path, shapes)
        assert self.scale is not None
        if self.kind == "gaussian":
            import numpy as np

            draw = np.random.default_rng(self.seed)
            return tuple(
                tuple(tuple(Fraction(float(v)) * self.scale for v in row) for row in draw.standard_normal(shape))
                for shape in shapes
            )
        off = Fraction(0) if self.ratio is None else self.scale / self.ratio
        return tuple(
            tuple(tuple(self.scale if i == j else off for j in range(cols)) for i in range(rows)) for rows, cols in shapes
        )

    def rescaled(self, text: str) -> Start:
        """The same start with another alpha (or std). Raises InputError."""
        if self.kind == "file":
            raise InputError("--sweep needs a start with a scale: " + FORMS.replace(" or file:PATH", ""))
        rest = self.text.partition(":")[2].partition(",")
        return parse_start(f"{self.kind}:{text}{rest[1]}{rest[2]}")


def parse_start(text: str) -> Start:
    """Read `--init`. Raises InputError, in one line, for anything that is not of one of the forms."""
    kind, colon, rest = text.partition(":")
    if kind not in KINDS:
        raise InputError(f"--init {shown(text)}: no start {shown(kind)}; {suggestion(kind, KINDS)}; write {FORMS}")
    if not colon or not rest.strip():
        missing = "the path is" if kind == "file" else "its numbers are"
        raise InputError(f"--init {shown(text)}: {missing} missing; write {FORMS}")
    if kind == "file":
        return Start(kind, text, path=rest)
    parts = [p.strip() for p in rest.split(",")]
    most = 1 if kind == "identity" else 2
    if kind == "gaussian" and len(parts) == 1:
        raise InputError(f"--init {shown(text)}: the seed is missing; write gaussian:STD,SEED, like gaussian:1e-2,7")
    if len(parts) > most or (kind == "ones" and len(parts) < 2):
        raise InputError(f"--init {shown(text)}: {len(parts)} numbers; write {FORMS}")
    scale = positive(parts[0], f"--init {shown(text)}: the scale")
    if kind == "ones":
        ratio = None if parts[1] in ("inf", "infinity") else positive(parts[1], f"--init {shown(text)}: m")
        return Start(kind, text, scale, ratio)
    seed = 0
    if kind == "gaussian":
        if not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) <= 18):
            raise InputError(f"--init {shown(text)}: the seed must be a whole number, at least 0")
        seed = int(parts[1])
    return Start(kind, text, scale, None, seed)


def positive(text: str, what: str, zero: bool = False) -> Fraction:
    """A positive exact number (or zero, where that is allowed). Raises InputError that begins with `what`."""
    try:
        value = parse_number(text.strip())
    except ObservationError as error:
        raise InputError(f"{what}: {error}") from None
    if value < 0 or (value == 0 and not zero):
        raise InputError(f"{what} is {shown(text.strip())}; it must be {'at least 0' if zero else 'positive'}")
    return value


def _from_file(name: str, shapes: Sequence[tuple[int, int]]) -> tuple[Factor, ...]:
    path = Path(name)
    try:
        if not path.is_file():
            problem = "is a folder" if path.is_dir() else "no such file"
            raise InputError(f"{name}: {problem}; --init file:PATH names the factors W_1, ..., W_L")
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{name}: larger than {MAX_BYTES >> 20} MB, the most that is read")
        matrices = _read_npz(path) if path.suffix.lower() == ".npz" else _read_json(path)
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror or error})") from None
    if len(matrices) != len(shapes):
        raise InputError(f"{name}: {len(matrices)} factors; depth {len(shapes)} needs {len(shapes)}")
    out = []
    for level, (matrix, (rows, cols)) in enumerate(zip(matrices, shapes, strict=True), 1):
        if not isinstance(matrix, list) or len(matrix) != rows or any(not isinstance(r, list) or len(r) != cols for r in matrix):
            raise InputError(f"{name}: factor W_{level} must be {rows} x {cols}")
        try:
            out.append(tuple(tuple(exact(v) for v in row) for row in matrix))
        except ObservationError as error:
            raise InputError(f"{name}: factor W_{level}: {error}") from None
    return tuple(out)


def _read_json(path: Path) -> list[Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"), parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        raise InputError(f"{path}: not JSON; write a list of matrices, W_1 first") from None
    if isinstance(data, dict):
        data = data.get("factors")
    if not isinstance(data, list):
        raise InputError(f"{path}: no list of matrices; write [W_1, ..., W_L], each a list of rows")
    return data


def _read_npz(path: Path) -> list[Any]:
    import zipfile

    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as data:
            names = sorted(n for n in data.files if n[:1] == "W" and n[1:].isdigit())
            names.sort(key=lambda n: int(n[1:]))
            if not names or any(data[n].size * 8 > MAX_BYTES for n in names):
                raise InputError(f"{path}: arrays W1, W2, ... are needed, each of at most {MAX_BYTES >> 20} MB")
            return [data[n].tolist() for n in names]
    except (ValueError, zipfile.BadZipFile, AttributeError):
        raise InputError(f"{path}: no NPZ file with the arrays W1, W2, ...") from None
