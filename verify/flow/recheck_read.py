"""What the checker of flows takes from a file: JSON within limits, known keys, exact numbers, and how much work it may cost.

Imports the standard library and python-flint only. Everything that is not as :mod:`verify.flow.recheck` says is refused in one
line before anything is computed:

- a file of more than MAX_BYTES, not UTF-8, nested more than MAX_NESTING deep, with a key that occurs twice, or with a number
  that is no integer;
- an object with other keys than its own, a boolean where a number belongs, a list of another length;
- a number that is not written p or p/q (a string or an integer, at most MAX_DIGITS digits), or, for a dyadic one,
  [hexadecimal mantissa, exponent] within MAX_HEX and MAX_EXPONENT.

A check spends from one :class:`Budget` for the whole file, which grows with the size of the file: a small file cannot ask for
much work.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any

from flint import fmpz

MAX_BYTES = 150_000_000  # a 2 x 2 matrix at 1000 digits takes about 100
MAX_NESTING = 40
MAX_DIGITS = 5_000  # of p and of q
MAX_HEX = 8_192
MAX_EXPONENT = 65_536
MAX_BITS = 16_384  # of a unit, and of the precision of what is evaluated
MAX_PRECISION = 65_536  # of intermediate numbers
MAX_CELLS = 250_000  # of a table
MAX_ENTRIES = 10_000  # of all factors
MAX_DEPTH = 1_000
MAX_ORDER = 2_000
VERSION = 2
"""Of certificates that this checker reads."""

REDUCED = ("decoupled", "chain", "single-entry", "commuting", "truncated")
"""The kinds of certificates of :mod:`verify.flow.recheck_reductions`."""


class Refused(Exception):
    """The certificate does not prove what it claims; the message, one line, says where.

    Attributes:
        step: the number of the step that is refused, from 0, if it is one: those before it hold.
    """

    def __init__(self, message: str, step: int | None = None):
        super().__init__(plain(message if step is None else f"step {step}: {message}"))
        self.step = step


class NoCertificate(Refused):
    """The file is no certificate of a flow at all."""


def plain(text: str, most: int = 400) -> str:
    """One line that a terminal shows as it is: what is not printable is escaped, and what is long is cut."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[: most + 1])
    return line if len(line) <= most else line[: most - 2] + ".."


def shown(name: object) -> str:
    """A name from a file or of a file, as it is if nothing about it can mislead, else by repr."""
    text = str(name)
    return text if re.fullmatch(r"[\w./+@~=-]+", text) else plain(repr(text))


def need(condition: Any, message: str) -> None:
    """Raise :class:`Refused` unless the condition is True itself."""
    if condition is not True:
        raise Refused(message)


# -- work
# ---------------------------------------------------------------------------------------------------------


class Budget:
    """How much a check may cost: nominal nanoseconds of work, bytes of one table, seconds on the clock."""

    FIRST, EACH = 2 * 10**10, 400_000  # for a file, and for each of its characters
    ROOM = 10**9

    def __init__(self, size: int, seconds: float = math.inf):
        self.work = float(self.FIRST + self.EACH * size)
        self.seconds, self.end = seconds, time.monotonic() + seconds

    def spend(self, count: float, bits: int, what: str) -> None:
        """So many multiplications of numbers of so many bits are about to be made."""
        self.work -= count * (60 + 2.5 * (bits / 64) ** 1.5)
        need(self.work >= 0, f"{what}: more work than a certificate of this size may ask for")
        need(time.monotonic() < self.end, f"the check took longer than {self.seconds:.6g} s; --time-limit allows more")

    def room(self, count: float, bits: int, what: str) -> None:
        """A table of so many numbers of so many bits is about to be made."""
        need(count * (bits / 8 + 64) <= self.ROOM, f"{what}: more memory than a certificate may ask for")


_budget: ContextVar[Budget | None] = ContextVar("_budget", default=None)


@contextmanager
def within(budget: Budget) -> Iterator[None]:
    """Checks inside spend from this budget (from the one around it, where there is one)."""
    mark = _budget.set(_budget.get() or budget)
    try:
        yield
    finally:
        _budget.reset(mark)


def spend(count: float, bits: int, what: str) -> None:
    """Spend from the budget of the check that is under way, if it has one."""
    budget = _budget.get()
    if budget is not None:
        budget.spend(count, bits, what)


def room(count: float, bits: int, what: str) -> None:
    """Whether a table fits: as :meth:`Budget.room`."""
    budget = _budget.get()
    if budget is not None:
        budget.room(count, bits, what)


# -- JSON
# ---------------------------------------------------------------------------------------------------------

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def _integer(text: str) -> int:
    need(len(text) <= MAX_DIGITS, "an integer is too long")
    return int(fmpz(text))


def _no_number(text: str) -> None:
    raise Refused(f"{text[:20]!r} is no exact number; numbers are integers, or text such as \"1/3\"")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) != len(pairs):
        seen: set[str] = set()
        twice = next(k for k, _ in pairs if k in seen or seen.add(k))  # type: ignore[func-returns-value]
        raise Refused(f"the key {twice[:40]!r} occurs twice")
    return keys


def parse(data: bytes, decimals: bool = False) -> Any:
    """JSON within the limits; with `decimals`, numbers that are no integers stay as they are written. Raises Refused."""
    need(len(data) <= MAX_BYTES, f"the file is too large: more than {MAX_BYTES // 10**6} MB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise NoCertificate("the file is not UTF-8") from None
    brackets = _STRING.sub(b"", data).translate(None, _NO_BRACKET)
    deep = max(itertools.accumulate(map(_STEP.__getitem__, brackets), initial=0))
    need(deep <= MAX_NESTING, "the file is nested too deeply")
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=str if decimals else _no_number,
            parse_constant=str if decimals else _no_number,
        )
    except json.JSONDecodeError as error:
        raise NoCertificate(f"the file is not JSON: {error.msg}, line {error.lineno}") from None
    except (ValueError, RecursionError):
        raise NoCertificate("the file is not JSON") from None


# -- numbers
# ---------------------------------------------------------------------------------------------------------

_RATIONAL = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?", re.ASCII)
_HEX = re.compile(r"-?[0-9a-f]+", re.ASCII)


def rational(value: Any) -> Fraction:
    """An exact number: an integer, or text p or p/q."""
    if type(value) is int:
        return Fraction(value)
    found = _RATIONAL.fullmatch(value) if isinstance(value, str) and len(value) <= 2 * MAX_DIGITS + 2 else None
    if found is None:
        raise Refused(f"{value!r:.40} is no number written p or p/q, with at most {MAX_DIGITS} digits each")
    top, bottom = found[1], found[2] or "1"
    need(max(len(top), len(bottom)) <= MAX_DIGITS, f"a number has more than {MAX_DIGITS} digits")
    q = int(fmpz(bottom))
    need(q != 0, "a denominator is 0")
    return Fraction(int(fmpz(top)), q)


def dyadic(value: Any) -> Fraction:
    """A dyadic number, [hexadecimal mantissa, exponent]."""
    _dyadic_shape(value)
    man, exp = int(value[0], 16), value[1]
    return Fraction(man << exp) if exp >= 0 else Fraction(man, 1 << -exp)


def _dyadic_shape(value: Any) -> None:
    if not (isinstance(value, list) and len(value) == 2 and type(value[1]) is int and isinstance(value[0], str)):
        raise Refused(f"{value!r:.40} is no dyadic number [hexadecimal mantissa, exponent]")
    need(len(value[0]) <= MAX_HEX and abs(value[1]) <= MAX_EXPONENT, "a dyadic number is out of range")
    need(_HEX.fullmatch(value[0]) is not None, f"{value[0]!r:.40} is no hexadecimal mantissa")


def integer(value: Any, low: int, high: int, what: str) -> int:
    """An integer, and no truth value, in a range."""
    if type(value) is not int or not low <= value <= high:
        raise Refused(f"{what}: {value!r:.40}; it must be an integer from {low} to {high}")
    return value


# -- the shape of a certificate
# ---------------------------------------------------------------------------------------------------------


def fields(value: Any, what: str, names: str, optional: str = "") -> dict[str, Any]:
    """An object with these keys and no others."""
    if not isinstance(value, dict):
        raise Refused(f"{what}: {value!r:.40} is no object")
    known, free = names.split(), optional.split()
    for key in value:
        need(key in known or key in free, f"{what}: unknown key {key!r:.60}")
    for key in known:
        need(key in value, f"{what}: the key {key!r} is missing")
    return value


def items(value: Any, what: str, most: int = MAX_CELLS, least: int = 0) -> list[Any]:
    """A list, not too long."""
    if not isinstance(value, list):
        raise Refused(f"{what}: {value!r:.40} is no list")
    need(least <= len(value) <= most, f"{what}: {len(value)} items; from {least} to {most} are read")
    return value


def rows(value: Any, what: str, blank: bool = False) -> None:
    """Rows of one length of exact numbers, or null where that may be."""
    table = items(value, what, least=1)
    need(isinstance(table[0], list), f"{what}: a row is no list")
    width = len(items(table[0], what, least=1))
    need(width * len(table) <= MAX_CELLS, f"{what}: too many cells")
    for row in table:
        need(isinstance(row, list) and len(row) == width, f"{what}: rows of different lengths")
        for v in row:
            if not (blank and v is None):
                rational(v)


def flats(value: Any, what: str) -> None:
    """A list of lists of dyadic numbers."""
    for flat in items(value, what, MAX_DEPTH, 1):
        for v in items(flat, what, MAX_ENTRIES):
            _dyadic_shape(v)


HEAD = "format version kind"
KINDS = {
    "stationary": ("model start", ""),
    "limit": ("model start begin steps capture claim", ""),
    "time": ("model start begin steps time claim", ""),
    "undetermined": ("model start begin steps claim", ""),
    "scalar-pair": ("d depth target start bracket", ""),
    "decoupled": ("model start bits split parts", ""),
    "chain": ("model start bits bracket", ""),
    "single-entry": ("model start bits", ""),
    "commuting": ("model start bits eigenvalues", ""),
    "truncated": ("model start bits way", ""),
}


def certificate(value: Any, nested: int = 4) -> None:
    """Whether a certificate has the shape of its kind. Raises Refused."""
    if not isinstance(value, dict):
        raise Refused("no certificate of a flow")
    need(nested >= 0, "too deeply nested")
    need(value.get("format") == "verify-flow", "not of the format verify-flow")
    version, kind = value.get("version"), value.get("kind")
    if type(version) is not int or version != VERSION:
        about = f"a certificate of version {version!r:.20}; this checker reads version {VERSION}"
        raise Refused(f"{about}: make it again with `verify flow`")
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refused(f"unknown kind {kind!r:.40}")
    names, optional = KINDS[kind]
    fields(value, "certificate", f"{HEAD} {names}", optional)
    if kind == "scalar-pair":
        return _pair(value)
    _model(value["model"], reduced=kind in REDUCED)
    for block in items(value["start"], "start", MAX_DEPTH, 1):
        rows(block, "start")
    if kind in REDUCED:
        integer(value["bits"], 16, MAX_BITS, "bits")
        return _reduction(value, kind, nested)
    if kind != "stationary":
        _path(value)
    return None


def _model(value: Any, reduced: bool) -> None:
    name = value.get("name") if isinstance(value, dict) else None
    if name == "cp-tensor" and not reduced:
        fields(value, "model", "name dims rank target factor")
        for n in items(value["dims"], "dims", MAX_DEPTH, 1):
            integer(n, 1, MAX_CELLS, "dims")
        integer(value["rank"], 1, MAX_ENTRIES, "rank")
    elif name == "linear-network":
        fields(value, "model", "name widths target data factor")
        for n in items(value["widths"], "widths", MAX_DEPTH + 1, 2):
            integer(n, 1, MAX_CELLS, "widths")
        if value["data"] is not None:
            need(not reduced, "no network without data")
            rows(value["data"], "data")
    else:
        raise Refused(f"no checker for the model {name!r:.40}{' of this kind' if name == 'cp-tensor' else ''}")
    rows(value["target"], "target", blank=True)
    rational(value["factor"])


def _pair(value: dict[str, Any]) -> None:
    integer(value["d"], 2, MAX_ENTRIES, "d")
    integer(value["depth"], 1, MAX_DEPTH, "depth")
    rational(value["target"])
    for v in items(value["start"], "start", 2, 2):
        rational(v)
    _bracket(value["bracket"])


def _bracket(value: Any) -> None:
    if value is not None:
        for v in items(value, "bracket", 2, 2):
            _dyadic_shape(v)


def _reduction(value: dict[str, Any], kind: str, nested: int) -> None:
    if kind == "chain":
        _bracket(value["bracket"])
    elif kind == "commuting":
        for v in items(value["eigenvalues"], "eigenvalues", MAX_ENTRIES):
            _bracket(v)
    elif kind == "truncated":
        if value["way"] is not None:
            certificate(value["way"], nested - 1)
    elif kind == "decoupled":
        need(value["split"] in ("blocks", "entries"), "unknown split")
        for part in items(value["parts"], "parts", 2 * MAX_ENTRIES):
            fields(part, "part", "nodes certificate")
            for layer in items(part["nodes"], "nodes", MAX_DEPTH + 1, 2):
                for k in items(layer, "nodes", MAX_CELLS):
                    integer(k, 0, MAX_CELLS, "nodes")
            if part["certificate"] is not None:
                certificate(part["certificate"], nested - 1)


def _path(value: dict[str, Any]) -> None:
    _ball(value["begin"], "begin", "mid error")
    _ball(value["claim"], "claim", "blocks error")
    if "time" in value:
        rational(value["time"])
    if "capture" in value:
        _ball(value["capture"], "capture", "mid error bits radius")
        integer(value["capture"]["bits"], 16, MAX_BITS, "capture: bits")
        _dyadic_shape(value["capture"]["radius"])
    for number, step in enumerate(items(value["steps"], "steps", 100_000)):
        try:
            _step(step)
        except Refused as refused:
            raise Refused(f"malformed: {refused}", number) from None


def _ball(value: Any, what: str, names: str) -> None:
    fields(value, what, names)
    flats(value["blocks" if "blocks" in value else "mid"], what)
    _dyadic_shape(value["error"])


def _step(step: Any) -> None:
    common = "h beta final rho mid error"
    if isinstance(step, dict) and "kind" in step:
        need(step["kind"] == "exponential", "unknown kind")
        _ball(step, "step", f"kind {common} rates terms coefficients bits" + (" order" if "order" in step else ""))
        if "order" in step:  # a remark of the engine
            integer(step["order"], 0, MAX_BITS, "order")
        integer(step["bits"], 16, MAX_BITS, "bits")
        for v in items(step["rates"], "rates", 8, 1):
            _dyadic_shape(v)
        for term in items(step["terms"], "terms", 2_000, 1):
            for k in items(term, "terms", 8, 1):
                integer(k, 0, 100_000, "terms")
        for blocks in items(step["coefficients"], "coefficients", 2_000, 1):
            for flat in items(blocks, "coefficients", MAX_DEPTH, 1):
                for v in items(flat, "coefficients", MAX_ENTRIES):
                    need(isinstance(v, str) and len(v) <= MAX_HEX and bool(_HEX.fullmatch(v)), "bad coefficients")
        need(step["beta"] is None, "malformed")
    else:
        _ball(step, "step", f"{common} polynomial")
        polynomial = fields(step["polynomial"], "polynomial", "unit sizes data")
        integer(polynomial["unit"], 0, MAX_BITS, "unit")
        for v in items(polynomial["sizes"], "the degree", MAX_ORDER, 1):
            integer(v, 1, MAX_BITS // 2, "sizes")
        need(isinstance(polynomial["data"], str), "the polynomial has no data")
        if step["beta"] is not None:
            _dyadic_shape(step["beta"])
    need(type(step["final"]) is bool, "final is no truth value")
    _dyadic_shape(step["h"])
    _dyadic_shape(step["rho"])


def extent(value: Any) -> int:
    """About how many characters a value has in a file."""
    total, stack = 0, [value]
    while stack:
        x = stack.pop()
        total += len(x) + 2 if isinstance(x, str) else 2
        if isinstance(x, list):
            stack.extend(x)
        elif isinstance(x, dict):
            stack.extend(x.values())
            total += 8 * len(x)
    return total
