"""An accelerator for :mod:`verify.flow.taylor` that calls FLINT's `arb_dot` below python-flint's interface.

It is optional. On first use it is compared with the plain recurrence on a test problem; if anything differs, or the
FLINT library that python-flint's wheel ships is not found, a notice is issued and the plain recurrence serves. It can be
switched off by the environment variable VERIFY_FLOW_PLAIN=1.

Layout. The coefficients of an operation with r x c entries lie in one array of ball structures (48 bytes each), order
by order. A matrix product needs its left factor row by row over all orders and its right factor column by column;
these are shallow copies of the structures, made anew right after a coefficient is written and only ever read. Memory
of zeros is a ball equal to 0, so nothing needs to be initialised.
"""

from __future__ import annotations

import ctypes
import glob
import os
import warnings
import weakref
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from flint import arb

from verify.flow.balls import ball, dyadic, from_dyadic, precision
from verify.flow.tape import Op, Tape, trace

Flat = list[arb]
SIZE = 48  # bytes of one ball structure on 64-bit systems


class _Library:
    """The few functions of FLINT that are used, with their signatures."""

    def __init__(self, path: str):
        lib = ctypes.CDLL(path)
        pointer, word, flag = ctypes.c_void_p, ctypes.c_long, ctypes.c_int
        if ctypes.sizeof(word) != 8 or ctypes.sizeof(pointer) != 8:
            raise OSError("needs 64-bit words")

        def bind(name: str, *types: Any, result: Any = None) -> Any:
            function = getattr(lib, name)
            function.argtypes, function.restype = types, result
            return function

        self.dot = bind("arb_dot", pointer, pointer, flag, pointer, word, pointer, word, word, word)
        self.div_ui = bind("arb_div_ui", pointer, pointer, ctypes.c_ulong, word)
        self.mul = bind("arb_mul", pointer, pointer, pointer, word)
        self.add = bind("arb_add", pointer, pointer, pointer, word)
        self.sub = bind("arb_sub", pointer, pointer, pointer, word)
        self.neg = bind("arb_neg", pointer, pointer)
        self.clear = bind("arb_clear", pointer)
        self.get_mag = bind("arb_get_mag", pointer, pointer)
        self.load = bind("arb_load_str", pointer, ctypes.c_char_p, result=flag)
        self.dump = bind("arb_dump_str", pointer, result=pointer)
        self.free = bind("flint_free", pointer)

    def write(self, address: int, value: arb) -> None:
        man, exp = dyadic(value.mid())
        rman, rexp = (0, 0) if value.is_exact() else dyadic(value.rad())
        if self.load(address, f"{man:x} {exp:x} {rman:x} {rexp:x}".encode()):
            raise OSError("FLINT could not read a number")

    def read(self, address: int) -> arb:
        text = self.dump(address)
        try:
            parts = ctypes.string_at(text).split()
        finally:
            self.free(text)
        man, exp, rman, rexp = (int(p, 16) for p in parts)
        if rman == 0:
            return from_dyadic((man, exp))
        return arb((man, exp), (rman, rexp))


_state: dict[str, Any] = {"checked": False, "library": None, "reason": ""}


def _find() -> str:
    package = os.path.dirname(flint.__file__)
    patterns = [
        os.path.join(os.path.dirname(package), "python_flint.libs", "libflint*"),
        os.path.join(package, ".dylibs", "libflint*"),
    ]
    for pattern in patterns:
        hits = sorted(glob.glob(pattern))
        if hits:
            return hits[0]
    raise OSError("the FLINT library of python-flint's wheel was not found")


def available() -> bool:
    """Whether the accelerator passed its check; the check runs once. A failure is announced by a warning."""
    if not _state["checked"]:
        _state["checked"] = True
        if os.environ.get("VERIFY_FLOW_PLAIN"):
            _state["reason"] = "switched off by VERIFY_FLOW_PLAIN"
            return False
        try:
            library = _Library(_find())
            _self_test(library)
            _state["library"] = library
        except (OSError, AttributeError, ArithmeticError) as error:
            _state["reason"] = str(error)
            warnings.warn(f"plain Taylor series are used, which are slower: {error}", RuntimeWarning, stacklevel=2)
    return _state["library"] is not None


def reason() -> str:
    """Why the accelerator is off; empty if it is on or was not tried."""
    return str(_state["reason"])


def _self_test(library: _Library) -> None:
    """Raise ArithmeticError unless numbers survive a round trip and a test expansion agrees with the plain one."""
    from verify.flow.models import CPTensor, deep_factorization
    from verify.flow.taylor import PlainSeries

    cells = np.zeros((3, 6), dtype=np.int64)
    base = cells.ctypes.data
    numbers = [from_dyadic((-(3**150), -77)), arb((5, 3), (1, -9)), arb(0)]
    for i, v in enumerate(numbers):
        library.write(base + SIZE * i, v)
    for i, v in enumerate(numbers):
        back = library.read(base + SIZE * i)
        if not (back.contains(v) and v.contains(back)):
            raise ArithmeticError("numbers do not survive the round trip to FLINT")
    for i in range(3):
        library.clear(base + SIZE * i)
    tests: list[Any] = [
        deep_factorization([[1, Fraction(1, 3), None], [None, 2, Fraction(1, 7)]], 3, factor=Fraction(2, 3)),
        CPTensor([[[1, None], [2, Fraction(1, 3)]], [[None, 1], [1, 5]]], 2),
    ]
    for model in tests:
        for beta in (None, arb(0.75)):
            tape = trace(model, speed=beta is not None)
            start = [[from_dyadic((7 * i * i - 11 * i + 3 + b, -3)) for i in range(r * c)]
                     for b, (r, c) in enumerate(model.shapes)]
            bits = [140] * 9
            fast = _Workspace(library, tape, 8).run(start, 8, bits, beta)
            slow = PlainSeries(tape, start, 8, bits, beta)
            for number in tape.inputs:
                for k in range(9):
                    for x, y in zip(fast.coefficients(number, k), slow.coefficients(number, k), strict=True):
                        if not x.overlaps(y) or not x.rad() < 1e-25 * (1 + abs(y)):
                            raise ArithmeticError("FLINT's direct results differ from the plain ones")


class _Workspace:
    """Memory for the expansions of one tape up to an order, and the recurrence itself."""

    def __init__(self, library: _Library, tape: Tape, capacity: int):
        self.lib, self.tape, self.capacity = library, tape, capacity
        slots = capacity + 1
        need = tape.needed()
        self.base: list[int] = []
        self.views: list[Any] = []
        owned: list[Any] = []
        self.keep: list[Any] = []
        for op in tape.ops:
            size = op.shape[0] * op.shape[1]
            cells = np.zeros((slots, size, 6), dtype=np.int64)
            self.views.append(cells)
            self.base.append(cells.ctypes.data)
        self.power = self._array(slots, owned)
        self.scratch = self._array(slots, owned)
        self.mags = np.zeros((slots, 2), dtype=np.int64)
        self.orders: list[Any] = []
        users: dict[int, list[Any]] = {}
        for number, op in enumerate(tape.ops):
            if op.kind == "matmul":
                a, b = op.args
                rows, inner = tape.ops[a].shape
                cols = op.shape[1]
                left = np.zeros((rows, slots, inner, 6), dtype=np.int64)
                right = np.zeros((cols, slots, inner, 6), dtype=np.int64)
                users.setdefault(a, []).append((left, self.views[a].reshape(slots, rows, inner, 6)))
                flipped = self.views[b].reshape(slots, inner, cols, 6)[:, ::-1].transpose(0, 2, 1, 3)
                users.setdefault(b, []).append((right, flipped))
                self.keep.append((number, left, right))
        self.users = users
        arrays = {number: (left, right) for number, left, right in self.keep}
        for number, op in enumerate(tape.ops):
            step, owner = self._compile(number, op, need[number], arrays.get(number))
            if owner is not None:
                owned.append(owner)
            self.orders.append(step)
        self._finalizer = weakref.finalize(self, _clear, library, owned)

    def _array(self, slots: int, owned: list[Any]) -> Any:
        cells = np.zeros((slots, 6), dtype=np.int64)
        owned.append(cells)
        return cells

    def _constants(self, values: Any, bits: int) -> tuple[Any, int]:
        flat = list(values.flat)
        cells = np.zeros((len(flat), 6), dtype=np.int64)
        with precision(bits):
            for e, v in enumerate(flat):
                self.lib.write(cells.ctypes.data + SIZE * e, ball(v))
        return cells, cells.ctypes.data

    def _compile(self, number: int, op: Op, need: Any, arrays: Any) -> tuple[Any, Any]:
        """A function (k, bits) that computes order k, and the array that owns memory in FLINT (or None)."""
        lib, base, views, ops = self.lib, self.base, self.views, self.tape.ops
        rows, cols = op.shape
        size = rows * cols
        mine, out = views[number], base[number]
        wanted = [int(e) for e in np.flatnonzero(need.reshape(-1))]
        row_bytes = SIZE * size
        if op.kind in ("input", "speed", "const"):
            return None, mine
        if op.kind == "matmul":
            inner = ops[op.args[0]].shape[1]
            left, right = arrays
            span = SIZE * inner * (self.capacity + 1)
            starts = [
                (SIZE * e, left.ctypes.data + span * (e // cols), right.ctypes.data + span * (e % cols))
                for e in wanted
            ]
            dot, back = lib.dot, SIZE * (inner - 1)

            def matmul(k: int, bits: int) -> None:
                target, tail, length = out + row_bytes * k, SIZE * inner * k + back, inner * (k + 1)
                for offset, x, y in starts:
                    dot(target + offset, None, 0, x, 1, y + tail, -1, length, bits)

            return matmul, mine
        if op.kind == "hadamard":
            a, b = op.args
            wide = [ops[i].shape[0] * ops[i].shape[1] for i in (a, b)]
            pairs = [
                (SIZE * e, base[a] + SIZE * (e if wide[0] > 1 else 0), base[b] + SIZE * (e if wide[1] > 1 else 0))
                for e in wanted
            ]
            jump = SIZE * wide[1]

            def hadamard(k: int, bits: int) -> None:
                target = out + row_bytes * k
                for offset, x, y in pairs:
                    lib.dot(target + offset, None, 0, x, wide[0], y + jump * k, -wide[1], k + 1, bits)

            return hadamard, mine
        source = views[op.args[0]]
        if op.kind == "transpose":
            index = np.arange(size).reshape(cols, rows).T.reshape(-1)
        elif op.kind == "gather":
            index = op.data.reshape(-1)
        else:
            index = None
        if index is not None:

            def copy(k: int, bits: int) -> None:
                mine[k] = source[k][index]

            return copy, None
        if op.kind == "cmul" and source.shape[1] == size and all(v in (0, 1) for v in op.data.flat):
            on = np.flatnonzero(np.broadcast_to(op.data, op.shape).reshape(-1) == 1)

            def mask(k: int, bits: int) -> None:
                mine[k][on] = source[k][on]

            return mask, None
        if op.kind in ("cmul", "lmul", "rmul"):
            return self._linear(op, wanted, out, mine)
        first = base[op.args[0]]
        if op.kind == "neg":

            def negate(k: int, bits: int) -> None:
                at = row_bytes * k
                for e in wanted:
                    lib.neg(out + at + SIZE * e, first + at + SIZE * e)

            return negate, mine
        second = base[op.args[1]]
        act = lib.add if op.kind == "add" else lib.sub
        if ops[op.args[1]].kind == "const":
            head = np.zeros((size, 6), dtype=np.int64)
            at_head = head.ctypes.data

            def shift(k: int, bits: int) -> None:
                if k:
                    mine[k] = source[k]
                    return
                for e in wanted:
                    act(at_head + SIZE * e, first + SIZE * e, second + SIZE * e, bits)
                mine[0] = head

            return shift, head

        def combine(k: int, bits: int) -> None:
            at = row_bytes * k
            for e in wanted:
                act(out + at + SIZE * e, first + at + SIZE * e, second + at + SIZE * e, bits)

        return combine, mine

    def _linear(self, op: Op, wanted: list[int], out: int, mine: Any) -> tuple[Any, Any]:
        """Products with a constant matrix: the constants are rounded at the precision of each run."""
        lib, a = self.lib, op.args[0]
        base, (arows, acols) = self.base[a], self.tape.ops[a].shape
        rows, cols = op.shape
        state: dict[str, Any] = {"bits": 0, "cells": None}
        self.linear = [*getattr(self, "linear", []), state]

        def linear(k: int, bits: int) -> None:
            if state["bits"] < bits:
                if state["cells"] is not None:
                    _clear(lib, [state["cells"]])
                state["cells"], state["base"] = self._constants(op.data, bits)
                state["bits"] = bits
            c, x, target = state["base"], base + SIZE * arows * acols * k, out + SIZE * rows * cols * k
            for e in wanted:
                i, j = divmod(e, cols)
                if op.kind == "cmul":
                    at = e if op.data.size > 1 else 0
                    lib.mul(target + SIZE * e, x + SIZE * (e if arows * acols > 1 else 0), c + SIZE * at, bits)
                elif op.kind == "lmul":
                    inner = op.data.shape[1]
                    lib.dot(target + SIZE * e, None, 0, c + SIZE * inner * i, 1, x + SIZE * j, acols, inner, bits)
                else:
                    inner, wide = op.data.shape
                    lib.dot(target + SIZE * e, None, 0, x + SIZE * acols * i, 1, c + SIZE * j, wide, inner, bits)

        return linear, mine

    def run(self, start: Sequence[Flat], order: int, bits: Sequence[int], beta: arb | None) -> DirectSeries:
        lib, tape, base, views = self.lib, self.tape, self.base, self.views
        for number, flat in zip(tape.inputs, start, strict=True):
            for e, v in enumerate(flat):
                lib.write(base[number] + SIZE * e, v)
        plan = []
        for number, op in enumerate(tape.ops):
            if op.kind == "const":
                with precision(bits[0]):
                    for e, v in enumerate(op.data.flat):
                        lib.write(base[number] + SIZE * e, ball(v))
            elif op.kind == "speed":
                with precision(bits[0]):
                    term = arb(1)
                    for k in range(order):
                        lib.write(base[number] + SIZE * k, term)
                        term = -term * beta / (k + 1) if beta is not None else arb(0)
            copies = self.users.get(number, [])
            if self.orders[number] is not None or copies:
                plan.append((self.orders[number], copies))
        finish = []
        for inp, out in zip(tape.inputs, tape.outputs, strict=True):
            size = views[inp].shape[1]
            finish.append((base[inp], base[out], SIZE * size, size))
        div = lib.div_ui
        for k in range(order):
            prec = bits[k]
            for step, copies in plan:
                if step is not None:
                    step(k, prec)
                for target, source in copies:
                    target[:, k] = source[k]
            for inp, out, width, size in finish:
                x, y = inp + width * (k + 1), out + width * k
                for e in range(0, SIZE * size, SIZE):
                    div(x + e, y + e, k + 1, prec)
        return DirectSeries(self, order)


def _clear(library: _Library, arrays: list[Any]) -> None:
    for cells in arrays:
        flat = cells.reshape(-1, 6)
        base = flat.ctypes.data
        for e in np.flatnonzero(flat.any(axis=1)):
            library.clear(base + SIZE * int(e))
        flat[:] = 0


class DirectSeries:
    """The coefficients that a workspace holds; valid until its next run."""

    def __init__(self, work: _Workspace, order: int):
        self._work, self.order = work, order

    def endpoint(self, h: arb, bits: int) -> list[Flat]:
        work, lib = self._work, self._work.lib
        power, scratch = work.power.ctypes.data, work.scratch.ctypes.data
        lib.write(power, arb(1))
        lib.write(scratch, h)
        for k in range(self.order):
            lib.mul(power + SIZE * (k + 1), power + SIZE * k, scratch, bits)
        out = []
        for number in work.tape.inputs:
            size = work.views[number].shape[1]
            flat = []
            for e in range(size):
                x = work.base[number] + SIZE * e
                lib.dot(scratch, None, 0, x, size, power, 1, self.order + 1, bits)
                flat.append(lib.read(scratch))
            out.append(flat)
        return out

    def norm_arrays(self, number: int, last: int) -> tuple[Any, Any]:
        """As :meth:`norms`, as arrays (m, e): norm_k <= m_k 2^e_k with m_k in [1/2, 1] or 0."""
        work, lib = self._work, self._work.lib
        size = work.views[number].shape[1]
        scratch, mags, at = work.scratch.ctypes.data, work.mags.ctypes.data, work.base[number]
        for _ in range(last + 1):
            lib.dot(scratch, None, 0, at, 1, at, 1, size, 30)
            lib.get_mag(mags, scratch)
            at += SIZE * size
            mags += 16
        exp, man = work.mags[: last + 1, 0], work.mags[: last + 1, 1]
        if (np.abs(exp) >= 1 << 60).any():
            raise ArithmeticError("a bound is out of range")
        odd = exp & 1
        root = np.sqrt(np.ldexp(man.astype(float), -30 - odd)) * (1 + 1e-14)
        return root, (exp + 1) >> 1

    def norms(self, number: int, last: int) -> Flat:
        out = []
        for m, e in zip(*(a.tolist() for a in self.norm_arrays(number, last)), strict=True):
            numerator, denominator = m.as_integer_ratio()
            out.append(from_dyadic((numerator, e - (denominator.bit_length() - 1))))
        return out

    def leading(self, number: int) -> Flat:
        return self.coefficients(number, 0)

    def coefficients(self, number: int, k: int) -> Flat:
        work = self._work
        size = work.views[number].shape[1]
        base = work.base[number] + SIZE * size * k
        return [work.lib.read(base + SIZE * e) for e in range(size)]




def expand(tape: Tape, start: Sequence[Flat], order: int, bits: Sequence[int], beta: arb | None) -> DirectSeries:
    """As :func:`verify.flow.taylor.expand`; :func:`available` must have said yes. Not for threads."""
    work: _Workspace | None = tape.__dict__.get("_workspace")
    if work is None or work.capacity < order:
        work = _Workspace(_state["library"], tape, max(order, 32))
        tape.__dict__["_workspace"] = work
    return work.run(start, order, bits, beta)
