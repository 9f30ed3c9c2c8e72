"""The statistics of an experiment as Markdown tables.

Experiments return nested objects whose keys are words for a reader, such as "alpha^L = 10^-2, L = 3". What such keys and
values have in common becomes the head of a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verify.report.markup import cell, typed
from verify.report.words import table

WIDEST = 8
"""The most columns that the last part of the keys is spread over."""
_COMMA = re.compile(r",\s+(?![^(]*\))")
_COUNTED = re.compile(r"\d+")
_TOKEN = re.compile(r"((\d+(?:\.\d+)?)(?:/([1-9]\d*))?(?:(?<=10)\^(-?\d{1,3}))?|\D)")
_NUMBER = re.compile(r"[-+]?\d")


def tables(statistics: Mapping[str, Any]) -> Iterator[str]:
    """The pieces of Markdown, each a table, a list or a line."""
    single = {k: v for k, v in statistics.items() if not isinstance(v, (Mapping, list, tuple))}
    if single:
        yield table(["quantity", "value"], [[_text(k), _text(v)] for k, v in sorted(single.items())])
    for key, value in sorted(statistics.items()):
        if key not in single:
            yield from _titled(key, value)


def _titled(title: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping) and value and all(isinstance(v, Mapping) for v in value.values()):
        inner = [v for member in value.values() for v in member.values()]
        if any(isinstance(v, (Mapping, list, tuple)) for v in inner):
            for key, member in sorted(value.items()):
                yield from _titled(f"{title}, {key}", member)
            return
        columns = sorted({str(k) for member in value.values() for k in member}, key=_natural)
        split = _split([str(k) for k in sorted(value, key=_natural)])
        rows = [[*split[1][n], *(_show(value[k].get(c, "")) for c in columns)] for n, k in enumerate(sorted(value, key=_natural))]
        yield f"{_text(title)}:\n\n{table(map(_text, [*split[0], *columns]), [map(_text, row) for row in rows])}"
    elif isinstance(value, Mapping):
        single = {str(k): v for k, v in value.items() if not isinstance(v, (Mapping, list, tuple))}
        if single:
            yield f"{_text(title)}:\n\n{_simple(single)}"
        for key, member in sorted(value.items()):
            if str(key) not in single:
                yield from _titled(f"{title}, {key}", member)
    elif not value:
        yield f"{_text(title)}: none"
    else:
        yield f"{_text(title)}:\n\n" + "\n".join(f"- {_text(item)}" for item in value)


def _simple(values: Mapping[str, Any]) -> str:
    """Names with one value each."""
    names = sorted(values, key=_natural)
    if all(_COUNTED.fullmatch(name) for name in names):
        return "\n".join(f"- {_text(values[name])}" for name in names)
    heads, keys = _split(names)
    shown = [_show(values[name]) for name in names]
    titles, cells = _split(shown)
    if len(titles) > 1 and not all(titles):
        titles, cells = [""], [[text] for text in shown]
    if len(titles) == 1 and len(heads) > 1 and len(names) >= 6:
        grid = _grid(heads, keys, [c[0] for c in cells])
        if grid:
            return grid
    titles = [t or "value" for t in titles] if len(titles) == 1 else titles
    return table(map(_text, [*heads, *titles]), [map(_text, [*k, *c]) for k, c in zip(keys, cells, strict=True)])


def _grid(heads: Sequence[str], keys: Sequence[Sequence[str]], values: Sequence[str]) -> str:
    """A table with the last part of the keys across, when every combination occurs once; else nothing."""
    across = sorted({k[-1] for k in keys}, key=_natural)
    down = list(dict.fromkeys(tuple(k[:-1]) for k in keys))
    found = {(tuple(k[:-1]), k[-1]): v for k, v in zip(keys, values, strict=True)}
    if not 1 < len(across) <= WIDEST or len(found) != len(across) * len(down) or len(found) != len(values):
        return ""
    last = [f"{heads[-1]} = {a}" if heads[-1] and _NUMBER.match(a) else f"{heads[-1]} {a}" for a in across]
    rows = [[*d, *(found[(d, a)] for a in across)] for d in down]
    return table(map(_text, [*heads[:-1], *last]), [map(_text, row) for row in rows])


def _split(texts: list[str]) -> tuple[list[str], list[list[str]]]:
    """The parts of texts between commas, when all have as many; what all begin with becomes the head of their column."""
    parts = [_COMMA.split(t) for t in texts]
    if len(texts) < 2 or len({len(p) for p in parts}) != 1:
        return [""], [[t] for t in texts]
    heads, columns = [], []
    for column in zip(*parts, strict=True):
        words = [c.split() for c in column]
        shared = 0
        while all(len(w) > shared + 1 for w in words) and len({w[shared] for w in words}) == 1 and "." not in words[0][shared]:
            shared += 1
        if "=" in words[0][:shared]:
            shared = words[0].index("=") + 1
        heads.append(" ".join(words[0][:shared]).removesuffix("=").strip())
        columns.append([" ".join(w[shared:]) for w in words])
    return heads, [list(row) for row in zip(*columns, strict=True)]


def _natural(text: str) -> tuple[tuple[int, float, str], ...]:
    """The order in which a reader counts: L = 2 before L = 10, 3/2 before 2, and smaller and smaller scales 10^-1, 10^-2."""
    found = []
    for whole, number, below, exponent in _TOKEN.findall(" ".join(text.split())):
        if not number:
            found.append((1, 0.0, whole))
        elif exponent:
            power = int(exponent)
            found.append((0, float(10**power) if power > 0 else 1 - power / 1000, ""))
        else:
            found.append((0, float(number) / float(below or 1), ""))
    return tuple(found)


def _show(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _text(value: Any) -> str:
    return cell(typed(_show(value)))
