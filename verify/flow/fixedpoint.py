"""An accelerator for the steps of :mod:`verify.flow.validated`: Taylor recurrences in fixed point, in compiled code.

It is optional. On first use the C file beside this one is compiled where a C compiler is found (the result is kept
in the user's cache directory) and compared with the plain recurrence; if there is no compiler or anything differs,
the accelerator is off. A failed comparison is announced by a warning. VERIFY_FLOW_PLAIN=1 switches it off.

Why fixed point is rigorous
===========================

A step needs one polynomial p and a bound of its defect h u F(p) - p', not the Taylor coefficients themselves. The
coefficients are integers times a power of two, so p is exact; each operation of the tape, applied to the
polynomials that were computed for its arguments, gives what was computed for it, plus

- a rest of low orders, from rounding: a known number of units in the last digit per order;
- a rest of orders from N on.

Both are carried through the tape by the norm of a product (`flow_rest`), in doubles with an inflation. At the
derivative they are the defect.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import os
import subprocess
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add
from typing import Any

import numpy as np
from flint import arb

from verify.flow.balls import INFLATE, Dyadic
from verify.flow.compiled import Book, Frame, Library, Op, Series, Wish, build
from verify.flow.tape import Tape, trace

BITS = 22  # of a digit
PIECES = 64
PROBE = 14  # order of the expansion from which a change of time is chosen
FAR = 48  # digits are at positions -FAR to FAR
GUARD = 2  # digits beyond the last one that products are summed to
FLOOR = 1e-290
RANGE = 900  # numbers of interest lie between 2^-RANGE and 2^RANGE
_KINDS = {"input": 0, "speed": 1, "const": 2, "dot": 3, "sum": 4}


@dataclass
class Plan:
    """A step as planned by :func:`plan`; `places` are the arrays of the first and last digits of every operation. Of
    coefficient k 2^(rise k) times as much is kept (see fixedpoint.c).
    """

    program: Program
    beta: Dyadic | None
    order: int
    h: Dyadic
    places: Any
    rise: int = 0


@dataclass
class Along:
    """Bounds along a sum of exponentials: norms of the defect per term, of what it differs from that (`low` at all times, `high`
    falling at least like the slowest exponential), of the terms of each block, and likewise of the residual.
    """

    defect: Any
    low: float
    high: float
    blocks: Any
    residual: Any
    residual_low: float
    residual_high: float
    target: float = 0.0  # by which the residual differs from that of the true target, where that is not in `low`


_state: dict[str, Any] = {"checked": False, "library": None, "reason": ""}


def available() -> bool:
    """Whether the accelerator was built and passed its check; tried once."""
    if not _state["checked"]:
        _state["checked"] = True
        if os.environ.get("VERIFY_FLOW_PLAIN"):
            _state["reason"] = "switched off by VERIFY_FLOW_PLAIN"
            return False
        try:
            path = build()
        except (OSError, subprocess.SubprocessError) as error:
            _state["reason"] = f"not compiled: {error}"
            return False
        try:
            library = Library(path)
            _self_test(library)
            _state["library"] = library
            _test_of_a_step()
        except (OSError, AttributeError, ArithmeticError) as error:
            _state["library"], _state["reason"] = None, str(error)
            warnings.warn(
                f"the compiled accelerator of the flow engine is not used: {error}", RuntimeWarning, stacklevel=2
            )
    return _state["library"] is not None


def reason() -> str:
    """Why the accelerator is off; empty if it is on or was not tried."""
    return str(_state["reason"])


class _View:
    """A tape operation as entries (or -1 for zero) of a base operation, up to sign."""

    def __init__(self, base: int, entries: Any, weight: Any, sign: int = 1):
        self.base, self.entries, self.weight, self.sign = base, entries, weight, sign

    def gain(self) -> float:
        """Upper bound of the norm of the view over that of the base, in which entries count as often as `weight` says."""
        used = self.entries[self.entries >= 0]
        most = float((np.bincount(used, minlength=len(self.weight)) / self.weight).max()) if used.size else 1.0
        return math.sqrt(most) * INFLATE if most > 1 else 1.0

    def seen(self, entries: Any, sign: int = 1) -> _View:
        return _View(self.base, entries, self.weight, self.sign * sign)


Cell = tuple[int, int]  # a base operation and an entry of it; entry -1 is zero


class Program:
    """A tape translated to inputs, constants, dot products and sums; transposes, gathers, masks and signs are
    views.

    *Symmetry.* Entries of the inputs that start at the same value share one place if their derivatives do: the polynomials of
    both are then the same by definition, and each operation of the tape, applied to the polynomials of the inputs, has equal
    entries wherever it combines the same places in the same way. What is true of a place is true of every entry that it stands
    for, and norms count a place as often as it stands for an entry. The finest partition of the inputs that does so is found by
    refinement: places are split until the derivatives of all entries of a place are in one place.

    Attributes:
        views: for each operation of the tape, its view.
        count: the number of base operations.
        slots: room for orders, always 8 more than the largest order.
        sources: the base operations of the inputs, each once; `inputs` has one for each input of the tape.
        heads: for each place of the sources, one after another, the entry of the state that it stands for; `places_of` the
            place of each entry of the state, `layout` the same as lists, one per input; `copies` how many entries a place has.
    """

    def __init__(self, library: Library, tape: Tape, residual: int, same: Sequence[int] | None = None):
        self.lib, self.tape = library, tape
        sizes = [tape.ops[n].shape[0] * tape.ops[n].shape[1] for n in tape.inputs]
        ends = np.cumsum([0, *sizes]).tolist()
        colours: list[Any] = list(range(ends[-1])) if same is None else list(same)
        need = [mask.reshape(-1) for mask in tape.needed()]
        while True:
            self._build(need, [colours[a:b] for a, b in itertools.pairwise(ends)])
            finer = self._refined(colours)
            if len(set(finer)) == len(set(colours)):
                break
            colours = finer
        self.count = len(self.fields)
        self.inputs = [self.views[n].base for n in tape.inputs]
        self.sources = sorted(set(self.inputs))
        self.bases_of_inputs = list(zip(tape.inputs, self.inputs, strict=True))
        self.input_gains = [self.views[n].gain() for n in tape.inputs]
        first = dict(zip(self.sources, np.cumsum([0, *(self.fields[b]["size"] for b in self.sources)]).tolist(), strict=False))
        where = [first[self.views[n].base] + e for n in tape.inputs for e in self.views[n].entries.tolist()]
        self.places_of = np.array(where)
        self.layout = [where[a:b] for a, b in itertools.pairwise(ends)]
        self.heads = [where.index(c) for c in range(max(where) + 1)]
        self.copies = np.bincount(self.places_of).astype(float)
        for base in self.sources:
            outs = [self.views[out] for inp, out in zip(self.inputs, tape.outputs, strict=True) if inp == base]
            number = self.inputs.index(base)
            entries = self.views[tape.outputs[number]].entries[self.firsts[base]]
            gain = math.sqrt(sum(v.gain() ** 2 for v in outs)) * INFLATE if len(outs) > 1 else outs[0].gain()
            self.fields[base].update(a=outs[0].base, left=entries, sign=outs[0].sign, gain=gain)
        self.keep: list[Any] = []
        self.ops = (Op * self.count)()
        for op, field in zip(self.ops, self.fields, strict=True):
            op.kind, op.size, op.a, op.b = _KINDS[field["kind"]], field["size"], field["a"], field["b"]
            op.terms, op.sign, op.gain = field["terms"], field["sign"], field["gain"]
            weight = np.ascontiguousarray(field["weight"], dtype=np.float64)
            self.keep.append(weight)
            op.weight, op.mass = weight.ctypes.data, float(weight.sum())
            times = np.array(field["times"] or [1.0] * op.size)
            self.keep.append(times)
            op.times, op.summands = times.ctypes.data, round(field["terms"] * max(times.tolist()))
            for name in ("left", "right"):
                array = np.ascontiguousarray(field[name], dtype=np.int64)
                self.keep.append(array)
                setattr(op, name, array.ctypes.data)
        self.address = ctypes.addressof(self.ops)
        for field in self.fields:
            if field["kind"] == "dot":
                self.ops[field["b"]].used_right = 1
        products = {field[side] for field in self.fields if field["kind"] == "dot" for side in ("a", "b")}
        for base in self.sources:
            self.ops[base].entries = sum(len(self.views[n].entries) for n, b in self.bases_of_inputs if b == base)
        for base, values in self.constants:
            given = np.array([_far(v) for v in values])
            self.keep.append(given)
            self.ops[base].given = given.ctypes.data
        self.book, self.places = Book(), np.zeros((2, self.count + 8), dtype=np.int64)
        self.slots = self.room = 0
        self.residual = 0 if residual < 0 else self.views[residual].base
        self.residual_gain = 1.0 if residual < 0 else self.views[residual].gain()
        for i, field in enumerate(self.fields):
            self.ops[i].single = field["kind"] in ("dot", "sum") and i not in products and i != self.residual
        self.input_numbers = np.array(self.sources, dtype=np.int64)
        self.rounded: dict[tuple[int, int], list[int]] = {}  # constants in units of a last digit
        self.memory = np.zeros(0)
        self.framed: list[Any] = []
        self.last = np.zeros((self.count, 256), dtype=np.int64)
        for i, op in enumerate(self.ops):
            op.last = self.last[i].ctypes.data

    # -- translation

    def _build(self, need: Sequence[Any], colours: Sequence[list[Any]]) -> None:
        """Translate the tape, where entries of inputs with the same colour share a place if an earlier input has them all."""
        self.fields: list[dict[str, Any]] = []
        self.constants: list[tuple[int, list[Fraction]]] = []
        self.views: list[_View] = []
        self.tables: list[dict[Any, int]] = []  # for each base operation, what its places hold
        self.firsts: list[list[int]] = []  # and the entry that each of them was made for
        self.colours = dict(zip(self.tape.inputs, colours, strict=True))
        for number in range(len(self.tape.ops)):
            self.views.append(self._translate(number, need[number]))

    def _refined(self, colours: Sequence[Any]) -> list[Any]:
        """Colours that tell places and the places of derivatives apart."""
        out: list[Any] = []
        for number, result in zip(self.tape.inputs, self.tape.outputs, strict=True):
            view, slope = self.views[number], self.views[result]
            for e, d in zip(view.entries.tolist(), slope.entries.tolist(), strict=True):
                out.append((view.base, e, (slope.base, d, slope.sign) if d >= 0 else None))
        known: dict[Any, int] = {}
        return [known.setdefault((c, new), len(known)) for c, new in zip(colours, out, strict=True)]

    def _base(self, kind: str, keys: Sequence[Any], **more: Any) -> _View:
        """The places for the entries of an operation; `None` is zero. An operation that has them all is taken where there is
        one of the kind.
        """
        wanted = {key for key in keys if key is not None}
        for base, table in enumerate(self.tables):
            if self.fields[base]["kind"] == kind and wanted <= table.keys():
                return self._over(base, keys)
        table = {key: n for n, key in enumerate(dict.fromkeys(key for key in keys if key is not None))}
        base = len(self.fields)
        field = {"kind": kind, "size": max(1, len(table)), "a": 0, "b": 0, "terms": 0, "sign": 1, "gain": 1.0, "times": []}
        field.update(left=[], right=[])
        field.update(more)
        self.fields.append(field)
        self.tables.append(table)
        self.firsts.append([list(keys).index(key) for key in table])
        entries = np.array([-1 if key is None else table[key] for key in keys])
        count = np.bincount(entries[entries >= 0], minlength=max(1, len(table))).astype(float)
        field["weight"] = np.maximum(count, 1.0)
        return self._over(base, keys)

    def _over(self, base: int, keys: Sequence[Any]) -> _View:
        table = self.tables[base]
        return _View(base, np.array([-1 if key is None else table[key] for key in keys]), self.fields[base]["weight"])

    def _constant(self, data: Any) -> _View:
        before = len(self.fields)
        view = self._base("const", list(data.flat))
        if len(self.fields) > before:
            self.constants.append((view.base, list(self.tables[view.base])))
        return view

    def _dot(self, a: _View, b: _View, left: Any, right: Any, need: Any) -> _View:
        """Entry e is the sum over t of a[left[e, t]] b[right[e, t]]."""
        pairs = [
            [(p, q) for p, q in zip(row, other, strict=True) if p >= 0 and q >= 0] if on else []
            for row, other, on in zip(a.entries[left].tolist(), b.entries[right].tolist(), need.tolist(), strict=True)
        ]
        # Equal numbers in equal products, in whichever order.
        keys = [tuple(sorted(tuple(sorted(((a.base, p), (b.base, q)))) for p, q in row)) or None for row in pairs]
        before, sign = len(self.fields), a.sign * b.sign
        view = self._base("dot", keys, a=a.base, b=b.base, sign=sign, gain=a.gain() * b.gain() * INFLATE)
        field = self.fields[view.base]
        if len(self.fields) > before:
            chosen = [pairs[e] for e in self.firsts[view.base]] or [[]]
            halved = [_halved(row, a.base == b.base) for row in chosen]
            chosen = [row if half is None else half for row, half in zip(chosen, halved, strict=True)]
            field.update(times=[1.0 if half is None else 2.0 for half in halved])
            terms = max(1, *(len(row) for row in chosen)) if chosen else 1
            full = [row + [(-1, -1)] * (terms - len(row)) for row in chosen]
            field.update(terms=terms, left=[p for row in full for p, _ in row], right=[q for row in full for _, q in row])
        return view.seen(view.entries, sign * field["sign"])

    def _sum(self, a: _View, b: _View, sign: int, need: Any) -> _View:
        sign *= a.sign * b.sign
        pairs = list(zip(a.entries.tolist(), b.entries.tolist(), need.tolist(), strict=True))
        keys = [(a.base, p, sign, b.base, q) if on and (p >= 0 or q >= 0) else None for p, q, on in pairs]
        before = len(self.fields)
        view = self._base("sum", keys, a=a.base, b=b.base, sign=sign, gain=max(a.gain(), b.gain()))
        if len(self.fields) > before:
            chosen = [pairs[e] for e in self.firsts[view.base]] or [(-1, -1, True)]
            self.fields[view.base].update(left=[p for p, _, _ in chosen], right=[q for _, q, _ in chosen])
        return view.seen(view.entries, a.sign)

    def _translate(self, number: int, need: Any) -> _View:
        op = self.tape.ops[number]
        rows, cols = op.shape
        size = rows * cols
        each = np.arange(size)
        args = [self.views[a] for a in op.args]
        shapes = [self.tape.ops[a].shape for a in op.args]
        match op.kind:
            case "input":
                return self._base("input", self.colours[number])
            case "speed":
                return self._base("speed", [0])
            case "const":
                return self._constant(op.data)
            case "neg":
                return args[0].seen(args[0].entries, -1)
            case "transpose":
                return args[0].seen(args[0].entries.reshape(cols, rows).T.reshape(-1))
            case "gather":
                return args[0].seen(args[0].entries[op.data.reshape(-1)])
            case "add" | "sub":
                return self._sum(args[0], args[1], 1 if op.kind == "add" else -1, need)
            case "cmul":
                data = op.data
                if data.shape == op.shape == shapes[0] and all(v in (0, 1) for v in data.flat):
                    on = np.array([v == 1 for v in data.flat])
                    return args[0].seen(np.where(on, args[0].entries, -1))
                if data.shape == (1, 1) and data[0, 0] in (1, -1) and shapes[0] == op.shape:
                    return args[0].seen(args[0].entries, int(data[0, 0]))
                right = each if data.shape == op.shape else 0 * each
                left = each if shapes[0] == op.shape else 0 * each
                return self._dot(args[0], self._constant(data), left[:, None], right[:, None], need)
            case "hadamard":
                left, right = (each if s == op.shape else 0 * each for s in shapes)
                return self._dot(args[0], args[1], left[:, None], right[:, None], need)
        i, j = divmod(each, cols)
        if op.kind == "lmul":
            args.insert(0, self._constant(op.data))
            inner = op.data.shape[1]
        elif op.kind == "rmul":
            args.append(self._constant(op.data))
            inner = op.data.shape[0]
        elif op.kind == "matmul":
            inner = shapes[0][1]
        else:
            raise ValueError(f"unknown operation {op.kind}")
        m = np.arange(inner)
        return self._dot(args[0], args[1], i[:, None] * inner + m, m * cols + j[:, None], need)

    def reduced(self, values: Sequence[Any]) -> list[Any]:
        """One value for each place, from one for each entry of the state."""
        return [values[e] for e in self.heads]

    def fits(self, values: Sequence[Any]) -> bool:
        """Whether entries of the state that share a place are equal."""
        return all(v == values[self.heads[c]] for v, c in zip(values, self.places_of.tolist(), strict=True))

    # -- memory

    def reserve(self, order: int) -> None:
        """Room for expansions up to an order."""
        if self.slots >= order + 9:
            return
        self.slots = slots = (order + order // 8 + 12) // 4 * 4 + 8
        self.shadow = [np.zeros((op.size, slots)) for op in self.ops]
        self.mirror = [np.zeros((op.size, slots)) for op in self.ops]
        for op, a, b in zip(self.ops, self.shadow, self.mirror, strict=True):
            op.shadow, op.mirror, op.wide = a.ctypes.data, b.ctypes.data, slots
        for base, values in self.constants:
            self.shadow[base][:, 0] = [_double(v) for v in values]
        self.norms = np.zeros((self.count, slots))
        self.rests = np.zeros((3, self.count))  # of low orders, of high orders; and sums of norms
        self.scratch = np.zeros(4 * self.count + 2 * slots + 64)
        self.at_norms, self.at_scratch = self.norms.ctypes.data, self.scratch.ctypes.data
        self.at_rests = [row.ctypes.data for row in self.rests]
        self.radii = np.zeros((3 * self.count, slots))
        book = self.book
        book.ops, book.count, book.slots, book.norms, book.work = self.address, self.count, slots, self.at_norms, self.at_scratch
        book.input, book.inputs, book.residual = self.input_numbers.ctypes.data, len(self.sources), self.residual
        book.rests, book.radii = self.rests.ctypes.data, self.radii.ctypes.data
        book.top, book.last = (row.ctypes.data for row in self.places)

    # -- the exact polynomial

    def coefficients(
        self, start: Sequence[Sequence[int]], unit: int, order: int, h: Dyadic, beta: Dyadic | None, goal: float
    ) -> tuple[list[list[int]], int] | None:
        """Taylor coefficients times powers of h for every place of the inputs, integers in units of 2^(-22 last), and `last`.

        Args:
            start: as for :meth:`expand`. goal: log2 of the error of rounding that is aimed at (no bound of it is computed).

        None where doubles do not reach or a number does not fit its place.
        """
        if max(h[0].bit_length(), 0 if beta is None else beta[0].bit_length()) > 12:
            return None
        self.reserve(order)
        length = math.ldexp(*h)
        rate = 0.0 if beta is None else -math.ldexp(*beta) * length
        state = [math.ldexp(float(v), -BITS * unit) for v in self.reduced([v for flat in start for v in flat])]
        largest = max(map(abs, state), default=0.0)
        if goal < -RANGE or not 2.0 ** (-RANGE / 2) < largest < 2.0 ** (RANGE / 2):  # doubles hold the squares of the state
            return None
        self.lib.sketch(ctypes.byref(self.book), (ctypes.c_double * len(state))(*state), None, order, length, rate)
        places = np.empty((2, self.count), dtype=np.int64)
        at = (places[0].ctypes.data, places[1].ctypes.data)
        args = self.address, self.count, self.slots, order, 1.0, length, goal, unit, self.at_norms, self.at_scratch, *at, None
        if not self.lib.places(*args) < math.inf or not self.expand(start, unit, Plan(self, beta, order, h, places)):
            return None
        ends = [int(places[1][base]) for base in self.sources]
        last = max(ends)
        rows: list[list[int]] = []
        for base, end in zip(self.sources, ends, strict=True):
            shift = BITS * (last - end)
            rows.extend([v << shift for v in row] for row in self._orders(base, order))
        return rows, last

    def _orders(self, base: int, order: int) -> list[list[int]]:
        """For each place of a base operation its coefficients 0..order, in units of its last digit."""
        op = self.ops[base]
        room = op.size * op.rows * self.room
        digits = np.ctypeslib.as_array((ctypes.c_double * room).from_address(op.fwd)).reshape(op.size, op.rows, self.room)
        total: Any = 0
        for low in range(op.digits, 0, -2):  # two digits are exact in a word
            word = np.zeros((op.size, order + 1), dtype=np.int64)
            for a in range(max(0, low - 2), low):
                word += digits[:, a, : order + 1].astype(np.int64) << BITS * (low - 1 - a)
            total = total + (word.astype(object) << BITS * (op.digits - low))
        return list(total.tolist())

    def expand(self, start: Sequence[Sequence[int]], unit: int, plan: Plan) -> bool:
        """The recurrence in fixed point; False where a number does not fit its place.

        Args:
            start: integers in units of 2^(-22 unit), one list per input; entries that share a place are equal.
            plan: h is positive and has at most 12 bits, beta at most 12; the last digit of inputs is at `unit` or
                beyond.
        """
        order = plan.order
        self.reserve(order)
        self.room = slots = (order + 4) // 4 * 4 + 12
        top, last = plan.places
        if not self._layout(order, top, last, True):
            return False
        ends = last.tolist()
        for base in self.sources:
            values = start[self.inputs.index(base)]
            if not self._load(base, [values[e] << BITS * (ends[base] - unit) for e in self.firsts[base]]):
                return False
        for base, fractions in self.constants:
            if not self._load(base, self._constants(base, fractions, ends[base])):
                return False
        if self.tape.speed is not None:
            base = self.views[self.tape.speed].base
            if ends[base] < 0 or not self._load(base, [1 << BITS * ends[base]]):
                return False
        self.rise = plan.rise
        numbers = [_digit((plan.h[0], plan.h[1] + plan.rise)), _digit(plan.beta if plan.beta is not None else (0, 0))]
        number = (ctypes.c_double * 2)(*(n for n, _ in numbers))
        shifts = (ctypes.c_int64 * 2)(*(s for _, s in numbers))
        return bool(self.lib.expand(self.address, self.count, slots, order, number, shifts, plan.rise))

    def _layout(self, order: int, top: Any, last: Any, sparing: bool) -> bool:
        """Room for every digit."""
        for _ in range(2):
            needed = self.lib.layout(
                self.address,
                self.count,
                self.room,
                order,
                top.ctypes.data,
                last.ctypes.data,
                self.memory.ctypes.data,
                self.memory.size,
                sparing,
            )
            if needed <= 0:
                break
            self.memory = np.zeros(needed + needed // 4)
        return not needed

    def _constants(self, base: int, fractions: list[Fraction], last: int) -> list[int]:
        hit = self.rounded.get((base, last))
        if hit is None:
            hit = self.rounded[base, last] = [_nearest(v, BITS * last) for v in fractions]
        return hit

    # -- sums of exponentials (a search, without bounds)

    def place(
        self, rows: Sequence[Sequence[int]], places: Sequence[int], point: Sequence[int], last: int
    ) -> bool:
        """Put the coefficients of a sum (one list per entry of all inputs) as orders `places` and a point into the inputs, in
        units of 2^(-22 last); False where a number does not fit.
        """
        order = places[-1]
        self.reserve(order + 1)
        self.room = (order + 5) // 4 * 4 + 12
        if not self._layout(order + 1, np.full(self.count, -1, dtype=np.int64), np.full(self.count, last, dtype=np.int64), False):
            return False
        at = 0
        rows, point = self.reduced(rows), self.reduced(point)
        for base in self.sources:
            size = self.ops[base].size
            part = rows[at : at + size]
            for t, k in enumerate(places):
                column = [row[t] for row in part]
                if any(column) and not self._load(base, column, k):
                    return False
            if not self._load(base, list(point[at : at + size]), order + 1):
                return False
            at += size
        return all(self._load(base, self._constants(base, fractions, last)) for base, fractions in self.constants)

    def correct(self, series: Series) -> list[float] | None:
        """One correction of the sum that was placed: see `flow_correct`. None where a number does not fit."""
        out = (ctypes.c_double * (series.terms + 3))()
        terms, places = series.terms, sum(op.size for op in self.ops)
        work = np.empty(series.cells * (7 * terms + 4) + 2 * series.modes + 2 * terms * places + terms * terms)
        done = self.lib.correct(self.address, self.count, self.room, ctypes.addressof(series), out, work.ctypes.data)
        return list(out) if done else None

    def along(self, series: Series, places: Sequence[int], powers: Sequence[tuple[int, ...]]) -> Along | None:
        """Bounds of the defect and the residual along the sum that was placed; rigorous.

        The sum is exact. What an operation was computed to be differs from what it is, for the sums that were computed for its
        arguments, by rounding (`low`), by the products that were left out, and by those that came to a place where they do not
        belong (both in `high`: no more than the products of norms of terms that do not stay among the terms, twice).
        """
        cells, terms = series.cells, series.terms
        out, known = np.empty((cells, terms + 1)), np.empty((cells, terms))
        args = self.address, self.count, self.room, ctypes.addressof(series), out.ctypes.data, known.ctypes.data
        if not self.lib.defect(*args):
            return None
        order = places[-1] + 1
        self.lib.shadow(self.address, self.count, self.room, self.slots, order, 0)
        self.lib.norms(self.address, self.count, self.slots, order + 1, self.at_norms)
        norms = self.norms[:, list(places)]
        # A pair of terms stays if its place is that of the term which is the sum of its powers.
        if len(powers[0]) == 1 and places[-1] == terms - 1:  # all powers of one exponential
            leaves = np.add.outer(np.arange(terms), np.arange(terms)) >= terms
        else:
            have = set(powers)
            leaves = np.array([[tuple(map(add, a, b)) not in have for b in powers] for a in powers])
        leaves = leaves.astype(float)
        low, high = np.zeros(self.count), np.zeros(self.count)
        for i, op in enumerate(self.ops):
            drop = self.unit(i) * 0.51
            if op.kind == _KINDS["const"]:
                low[i] = drop * math.sqrt(op.mass)
            elif op.kind in (_KINDS["sum"], _KINDS["dot"]):
                a, b, spread = op.a, op.b, math.sqrt(op.mass)
                if op.kind == _KINDS["sum"]:
                    low[i] = op.gain * (low[a] + low[b]) + terms * drop * spread
                    high[i] = op.gain * (high[a] + high[b])
                else:
                    p, q = norms[a], norms[b]
                    la, lb, cross = float(p.sum()), float(q.sum()), 2 * float(p @ leaves @ q)
                    least = min(self.ops[a].digits, self.ops[b].digits)
                    pairs = op.summands * terms * terms * least * 0.2501 * self.unit(i) * 2.0 ** -(BITS * (GUARD - 1))
                    low[i] = op.gain * (low[a] * lb + la * low[b] + low[a] * low[b]) + (terms * drop + pairs) * spread
                    high[i] = op.gain * (cross + high[a] * (lb + low[b]) + (la + low[a]) * high[b] + high[a] * high[b])
            low[i], high[i] = low[i] * INFLATE + FLOOR, high[i] * INFLATE + FLOOR
        inputs = [self.ops[base] for base in self.sources]
        return Along(
            defect=column_norms(out[:, :-1], self.copies),
            low=math.hypot(*(op.gain * low[op.a] for op in inputs)) * INFLATE,
            high=math.hypot(*(op.gain * high[op.a] for op in inputs)) * INFLATE,
            blocks=norms[self.inputs] * np.array(self.input_gains)[:, None] * INFLATE,
            residual=norms[self.residual] * self.residual_gain * INFLATE,
            residual_low=low[self.residual] * self.residual_gain * INFLATE,
            residual_high=high[self.residual] * self.residual_gain * INFLATE,
        )

    def placed(self, places: Sequence[int]) -> list[list[int]]:
        """The coefficients of the sum, one list per entry."""
        columns = [[v for base in self.sources for v in self.endpoint(base, k, k)] for k in places]
        rows = list(zip(*columns, strict=True))
        return [list(rows[c]) for c in self.places_of.tolist()]

    def _load(self, base: int, values: list[int], k: int = 0) -> bool:
        op = self.ops[base]
        if max((v.bit_length() for v in values), default=0) > BITS * op.digits - 2:
            return False
        words = (BITS * op.digits + 63) // 64 + 1
        data = b"".join(v.to_bytes(8 * words, "little", signed=True) for v in values)
        return bool(self.lib.load(self.address + base * ctypes.sizeof(Op), self.room, k, data, words, 0))

    def endpoint(self, base: int, order: int, first: int = 0) -> list[int]:
        """The sum of the coefficients first..order of a base operation (of all: its value at the end of the step), in units
        of its last digit.
        """
        op = self.ops[base]
        words = (BITS * (op.digits + 2) + 32 + 63) // 64 + 1
        width = 8 * words
        data = ctypes.create_string_buffer(width * op.size)
        address = self.address + base * ctypes.sizeof(Op)
        if not self.lib.endpoint(address, self.room, first, order, data, words):
            raise ArithmeticError("the end of the step does not fit")
        raw = data.raw
        return [
            int.from_bytes(raw[at : at + width], "little", signed=True) for at in range(0, len(raw), width)
        ]

    def bounds(self, order: int, h: float, rate: float) -> tuple[float, float]:
        """(low, high) after :meth:`expand`: the error of the polynomial grows by at most low + high on the step
        (in exact arithmetic, before amplification). Fills `shadow`, `norms` and `rests`.
        """
        lib, slots = self.lib, self.slots
        lib.shadow(self.address, self.count, self.room, slots, order, self.rise)
        lib.norms(self.address, self.count, slots, order, self.at_norms)
        high = lib.rest(
            self.address, self.count, slots, order, 1.0, abs(rate), 1, self.at_norms, *self.at_rests, self.at_scratch
        )
        low = float(self.scratch[0]) * h
        division = math.hypot(*(order * 0.51 * self.unit(base) * math.sqrt(self.ops[base].entries) for base in self.sources))
        return (low + division) * INFLATE, high * h / (order + 1) * INFLATE

    def unit(self, base: int) -> float:
        op = self.ops[base]
        return math.ldexp(1.0, -BITS * (op.top + op.digits - 1))

    def frame(
        self, shapes: Sequence[tuple[int, int]], residual: int, columns: bool, data: float, factor: float, spread: float
    ) -> None:
        """What tubes need to know: the shapes of the inputs, the tape's number of the residual, whether blocks are measured
        by their columns, and the constants of the model's bounds.
        """
        wanted = (tuple(shapes), residual, columns, data, factor, spread)
        if self.framed and self.framed[0] == wanted:
            return
        view = self.views[residual]
        cells = np.concatenate([self.views[n].entries for n in self.tape.inputs])
        arrays = [np.array(v, dtype=np.int64) for v in (self.inputs, *zip(*shapes, strict=True), cells, view.entries)]
        gains = np.array(self.input_gains)
        height, width = self.tape.ops[residual].shape
        size = max(r * c for r, c in [*shapes, (height, width)])
        tubes = np.zeros((len(shapes) + 2) * PIECES + 3 * size)
        inputs, rows, cols, places, entries = (a.ctypes.data for a in arrays)
        of_inputs = len(shapes), columns, inputs, rows, cols, places, gains.ctypes.data
        whole = Frame(*of_inputs, view.base, height, width, entries, view.gain(), data, factor, spread)
        self.framed = [wanted, *arrays, gains, tubes, whole]  # kept while it is used
        self.book.frame, self.book.tubes = ctypes.addressof(whole), tubes.ctypes.data


def _halved(pairs: Sequence[tuple[int, int]], same: bool) -> list[tuple[int, int]] | None:
    """Half of the products of a sum in which each comes an even number of times; None for another sum. `same`: both factors are
    from one operation.
    """
    count: dict[tuple[int, int], int] = {}
    for p, q in pairs:
        key = (q, p) if same and q < p else (p, q)
        count[key] = count.get(key, 0) + 1
    return None if not pairs or any(n % 2 for n in count.values()) else [key for key, n in count.items() for _ in range(n // 2)]


def column_norms(values: Any, copies: Any = None) -> Any:
    """Upper bounds of the Euclidean norms of columns whose entries have a relative error below 1e-12 or one below 1e-280; each
    row counts as often as `copies` says.
    """
    top = np.abs(values).max(axis=0)
    scaled = values / np.where(top > 0, top, 1.0)
    weight = 1.0 if copies is None else copies[:, None]
    return np.sqrt((scaled * scaled * weight).sum(axis=0)) * top * INFLATE + 1e-270


def _far(value: Fraction) -> list[float]:
    """Balanced digits at positions -FAR to FAR of the nearest number that has no more."""
    out, n = [], _nearest(value, BITS * FAR)
    for _ in range(2 * FAR + 1):
        low = (n + (1 << BITS - 1) & (1 << BITS) - 1) - (1 << BITS - 1)
        out.append(float(low))
        n = n - low >> BITS
    return [out[-1] if n == 0 else math.inf, *out[-2::-1]]


def _double(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _nearest(value: Fraction, shift: int) -> int:
    """The integer nearest to value 2^shift."""
    n, d = value.numerator, value.denominator
    if shift >= 0:
        n <<= shift
    else:
        d <<= -shift
    return (2 * n + d) // (2 * d)


def _digit(value: Dyadic) -> tuple[int, int]:
    """(n, s) with value = n 2^(-22 s) and n below 2^34 for 12-bit mantissas."""
    man, exp = value
    s = -(exp // BITS)
    return man << (exp + BITS * s), s


def plan(
    programs: dict[bool, Program],
    start: Sequence[float],
    residual: Sequence[float] | None,
    orders: Sequence[int],
    tau: float,
    goal: float,
    slack: float,
    limit: float,
    unit: int,
    price: float,
) -> Plan | None:
    """Plan a step on a sketch of the Taylor coefficients in doubles; None where doubles do not reach, or the limit is
    nearer than its end. Nothing here is rigorous.

    Args:
        programs: without and with a change of time.
        start: the entries of all inputs.
        residual: those of the residual's base operation, where they are known better than from the start.
        orders: that may be chosen, rising.
        tau, goal: log2 of the local error and of the error of rounding that are aimed at.
        slack: bits by which the sketch is expected to overestimate the local error.
        limit: length in t below which the step stays.
        unit: the last digit of the start.
        price: of a pair of digits, relative to what a step costs at least.
    """
    for p in programs.values():
        p.reserve(orders[-1])
    free = programs[False]
    listed = (ctypes.c_int64 * len(orders))(*orders)
    wish = Wish(tau, goal, slack, limit, len(start), price, unit, PROBE, len(orders), ctypes.addressof(listed))
    known = None if residual is None else (ctypes.c_double * len(residual))(*residual)
    out = (ctypes.c_int64 * 6)()
    places = np.empty((2, max(p.count for p in programs.values())), dtype=np.int64)
    found = free.lib.plan(
        ctypes.byref(free.book),
        ctypes.byref(programs[True].book),
        (ctypes.c_double * len(start))(*start),
        known,
        ctypes.byref(wish),
        out,
        places[0].ctypes.data,
        places[1].ctypes.data,
        None,
    )
    if not found:
        return None
    beta = (out[1], out[2]) if out[0] else None
    return Plan(programs[beta is not None], beta, out[3], (out[4], out[5]), places)


def program(tape: Tape, residual: int, start: Sequence[Any] | None = None) -> Program | None:
    """The program of a tape, kept with it; None if the accelerator is off.

    Args:
        residual: the number of the residual.
        start: the entries of the state; equal ones may share a place.
    """
    if not available():
        return None
    kept: dict[Any, Program] = tape.__dict__.setdefault("_programs", {})
    numbers: dict[Any, int] = {}
    same = None if start is None else tuple(numbers.setdefault(v, len(numbers)) for v in start)
    if same not in kept:
        while len(kept) > 3:
            kept.pop(next(iter(kept)))
        kept[same] = Program(_state["library"], tape, residual, same)
    return kept[same]


def _self_test(library: Library) -> None:
    """Raise ArithmeticError unless the polynomials and bounds of test problems agree with the plain ones."""
    from verify.flow.balls import from_dyadic, precision
    from verify.flow.models import CPTensor, deep_factorization
    from verify.flow.taylor import PlainSeries

    tests: list[tuple[Any, bool]] = [
        (deep_factorization([[1, Fraction(1, 3), None], [None, 2, Fraction(1, 7)]], 3, factor=Fraction(2, 3)), False),
        (CPTensor([[[1, None], [2, Fraction(1, 3)]], [[None, 1], [1, 5]]], 2), False),
        (deep_factorization([[2, Fraction(1, 3)], [None, 2]], 2), True),
    ]
    order, h = 9, (3, -15)
    for model, alike in tests:
        for beta in (None, (-3, -2)):
            tape = trace(model, speed=beta is not None)
            ints = [[7 * i * i - 11 * i + 3 + b for i in range(r * c)] for b, (r, c) in enumerate(model.shapes)]
            if alike:
                ints = [[-5, 9, 4, -5]] * 2
            program = Program(library, tape, -1, [v for flat in ints for v in flat] if alike else None)
            if alike and len(program.heads) == len(program.places_of):
                raise ArithmeticError("a symmetry is not seen")
            places = np.full((2, program.count), -1, dtype=np.int64)
            places[1] = 8
            scaled = [[v << BITS * 8 - 3 for v in flat] for flat in ints]
            if not program.expand(scaled, 8, Plan(program, beta, order, h, places)):
                raise ArithmeticError("a test expansion does not fit")
            exact = [[from_dyadic((v, -3)) for v in flat] for flat in ints]
            rate = None if beta is None else from_dyadic(beta)
            slow = PlainSeries(tape, exact, order, [220] * (order + 1), rate)
            low, high = program.bounds(order, math.ldexp(*h), 0.0 if rate is None else 0.01)
            with precision(220):
                end = slow.endpoint(from_dyadic(h), 220)
                ends = [v for base in program.sources for v in program.endpoint(base, order)]
                for c, v in zip(program.places_of.tolist(), (v for flat in end for v in flat), strict=True):
                    if not abs(from_dyadic((ends[c], -BITS * 8)) - v) < arb(low) * 4 or not low < 1e-40:
                        raise ArithmeticError("polynomials differ from the plain ones")
                for number in range(len(tape.ops)):
                    view = program.views[number]
                    for k in range(order):
                        norm = slow.norms(number, k)[k] * from_dyadic(h) ** k
                        mine = arb(float(program.norms[view.base, k]) * view.gain() + 1e-40)
                        if tape.ops[number].kind in ("input", "hadamard") and not norm < mine * (1 + arb(2) ** -20):
                            raise ArithmeticError("norms are below the plain ones")
            if not 0 < high < 1:
                raise ArithmeticError("a bound is out of range")


def _test_of_a_step() -> None:
    """Raise ArithmeticError unless whole steps end where the plain recurrence ends, within their error."""
    from verify.flow.balls import from_dyadic, precision
    from verify.flow.models import deep_factorization
    from verify.flow.stride import Point, Strider
    from verify.flow.taylor import PlainSeries

    for depth, ints in ((2, [-5, 9, 4, -5]), (3, [1, 2, 3, 5])):
        model = deep_factorization([[2, Fraction(1, 3)], [None, 2]], depth)
        tapes = {timed: trace(model, speed=timed) for timed in (False, True)}
        mid = [[v << 2 * BITS - 5 for v in ints]] * depth
        flat = [v for part in mid for v in part]
        made = Strider(model, tapes, {timed: tape.kept[0] for timed, tape in tapes.items()}, 1.0, 1.0, flat).step(
            Point(2, mid), 2.0**-36, -40.0, None
        )
        if made is None:
            raise ArithmeticError("a test step was not made")
        beta = None if made.beta is None else from_dyadic(made.beta)
        exact = [[from_dyadic((v, -2 * BITS)) for v in part] for part in mid]
        slow = PlainSeries(tapes[beta is not None], exact, made.order, [120] * (made.order + 1), beta)
        with precision(120):
            end = [v for part in slow.endpoint(from_dyadic(made.h), 120) for v in part]
            off = [abs(from_dyadic((n, -BITS * made.end.unit)) - v) for n, v in zip(made.end.flat(), end, strict=True)]
            if not all(v < arb(made.error) for v in off) or not made.error < 2.0**-20:
                raise ArithmeticError("a step does not end where the plain one ends")
