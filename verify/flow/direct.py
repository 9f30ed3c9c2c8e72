"""An accelerator for :mod:`verify.flow.taylor` that calls FLINT's dot and matrix products below python-
flint's interface.

It is optional. On first use it is compared with the plain recurrence on a test problem; if anything
differs, or the FLINT library that python-flint's wheel ships is not found, a notice is issued and the plain
recurrence serves. It can be switched off by the environment variable VERIFY_FLOW_PLAIN=1.

Layout. The coefficients of an operation with r x c entries lie in one array of ball structures (48 bytes
each), order by order. A matrix product needs its left factor row by row over all orders and its right
factor with the orders descending; these are shallow copies of the structures, made anew right after a
coefficient is written and only ever read. Memory of zeros is a ball equal to 0, so nothing needs to be
initialised.
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

from verify.flow.balls import Dyadic, ball, dyadic, from_dyadic, precision
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
        if tuple(int(p) for p in flint.__FLINT_VERSION__.split(".")[:2]) < (3, 3):
            raise OSError("needs FLINT 3.3 or later, whose matrices have a stride")

        def bind(name: str, *types: Any, result: Any = None) -> Any:
            function = getattr(lib, name)
            function.argtypes, function.restype = types, result
            return function

        self.dot = bind("arb_dot", pointer, pointer, flag, pointer, word, pointer, word, word, word)
        self.mat_mul = bind("arb_mat_mul", pointer, pointer, pointer, word)
        self.vec_mul = bind("_arb_vec_scalar_mul", pointer, pointer, word, pointer, word)
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

    def read_middle(self, address: int) -> Dyadic:
        text = self.dump(address)
        try:
            man, exp, _ = ctypes.string_at(text).split(b" ", 2)
        finally:
            self.free(text)
        return int(man, 16), int(exp, 16)


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
            warnings.warn(
                f"plain Taylor series are used, which are slower: {error}", RuntimeWarning, stacklevel=2
            )
    return _state["library"] is not None


def reason() -> str:
    """Why the accelerator is off; empty if it is on or was not tried."""
    return str(_state["reason"])


def _self_test(library: _Library) -> None:
    """Raise ArithmeticError unless numbers survive a round trip and a test expansion agrees with the
    plain one.
    """
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
            start = [
                [from_dyadic((7 * i * i - 11 * i + 3 + b, -3)) for i in range(r * c)]
                for b, (r, c) in enumerate(model.shapes)
            ]
            bits = [140] * 9
            fast = _Workspace(library, tape, 8).run(start, 8, bits, beta)
            slow = PlainSeries(tape, start, 8, bits, beta)
            for number in tape.inputs:
                for k in range(9):
                    for x, y in zip(fast.coefficients(number, k), slow.coefficients(number, k), strict=True):
                        if not x.overlaps(y) or not x.rad() < 1e-25 * (1 + abs(y)):
                            raise ArithmeticError("FLINT's direct results differ from the plain ones")


class _Workspace:
    """Memory for the expansions of one tape up to an order, and the recurrence itself.

    Order 0 is evaluated in Python. From order 1 on a constant is gone from sums, and transposes, gathers
    and masks are other views of the same numbers, so that only products, true sums and scalings by
    constants compute anything.
    """

    def __init__(self, library: _Library, tape: Tape, capacity: int):
        self.lib, self.tape, self.capacity = library, tape, capacity
        self.slots = slots = capacity + 1
        self.owned: list[Any] = []
        need = tape.needed()
        ops = tape.ops
        sizes = [op.shape[0] * op.shape[1] for op in ops]
        self.views: list[Any] = [None] * len(ops)
        self.scale, sources = _common_scale(tape)
        # Inputs lie side by side, and so do the sources of the outputs where each is a product of its own.
        total = sum(sizes[n] for n in tape.inputs)
        self.state = np.zeros((slots, total, 6), dtype=np.int64)
        self.owned.append(self.state)
        at = 0
        for n in tape.inputs:
            self.views[n] = self.state[:, at : at + sizes[n]]
            at += sizes[n]
        self.joined = None
        if len(set(sources)) == len(sources) and all(ops[n].kind in ("matmul", "hadamard") for n in sources):
            self.joined = np.zeros((slots, total, 6), dtype=np.int64)
            self.owned.append(self.joined)
            at = 0
            for n in sources:
                self.views[n] = self.joined[:, at : at + sizes[n]]
                at += sizes[n]
        self.sources = sources
        self.final = set(tape.outputs) - set(sources)
        for n, op in enumerate(ops):
            if self.views[n] is None:
                self.views[n] = np.zeros((slots, sizes[n], 6), dtype=np.int64)
                if self._owns(op):
                    self.owned.append(self.views[n])
        self.base = [v.ctypes.data for v in self.views]
        self.row = [v.strides[0] for v in self.views]
        # Order 0 of a sum with a constant, which is only a view later on, has memory of its own.
        self.heads = [np.zeros((size, 6), dtype=np.int64) for size in sizes]
        self.owned.extend(self.heads)
        self.power, self.scratch = self._cells(slots), self._cells(slots)
        self.reciprocal, self.inverse, self.constant_bits = self._cells(slots), self._cells(slots), 0
        self.mags = np.zeros((slots, 2), dtype=np.int64)
        self.keep: list[Any] = []
        self.copies: list[list[Any]] = [[] for _ in ops]
        self.steps: list[Any] = []
        used = self._used()
        self.virtual = self._virtual(used)
        for n, op in enumerate(ops):
            self.steps.append(self._compile(n, op, need[n]) if n in used else None)
        self.plan: list[tuple[Any, Any]] = [
            (self.steps[n], self.copies[n])
            for n in range(len(ops))
            if self.steps[n] is not None or self.copies[n]
        ]
        self._finalizer = weakref.finalize(self, _clear, library, self.owned)

    def _cells(self, count: int) -> Any:
        cells = np.zeros((count, 6), dtype=np.int64)
        self.owned.append(cells)
        return cells

    def _owns(self, op: Op) -> bool:
        """Whether orders >= 1 of an operation have memory of their own in FLINT."""
        if op.kind in ("input", "speed", "const", "matmul", "hadamard", "lmul", "rmul", "neg"):
            return True
        if op.kind == "cmul":
            return not self._is_mask(op)
        if op.kind in ("add", "sub"):
            return self.tape.ops[op.args[1]].kind != "const"
        return False

    def _is_mask(self, op: Op) -> bool:
        same = self.tape.ops[op.args[0]].shape == op.shape == op.data.shape
        return same and all(v in (0, 1) for v in op.data.flat)

    def _used(self) -> set[int]:
        """Operations that the recurrence needs: those before the final scaling."""
        out: set[int] = set()
        todo = list(self.sources)
        while todo:
            n = todo.pop()
            if n not in out:
                out.add(n)
                todo.extend(self.tape.ops[n].args)
        return out

    def _virtual(self, used: set[int]) -> set[int]:
        """Operations whose orders >= 1 nobody reads: transposes used in products only, sums with a
        constant under a mask only.
        """
        ops = self.tape.ops
        users: dict[int, list[Op]] = {}
        for n in used:
            for a in ops[n].args:
                users.setdefault(a, []).append(ops[n])
        out = set()
        for n in used - set(self.sources):
            op, by = ops[n], users.get(n, [])
            product = op.kind == "transpose" and all(u.kind == "matmul" for u in by)
            constant = op.kind in ("add", "sub") and ops[op.args[1]].kind == "const"
            if product or (constant and all(u.kind == "cmul" and self._is_mask(u) for u in by)):
                out.add(n)
        return out

    def _layout(self, number: int, shape: tuple[int, int], left: bool) -> Any:
        """Shallow copies of an operand's coefficients for matrix products, kept up to date by `copies`.

        Left: row by row, orders ascending. Right: orders descending, so that order k of a product is one
        product of [A_0 ... A_k] and [B_k; ...; B_0].
        """
        rows, cols = shape
        for kind, n, cells in self.keep:
            if kind == (left, shape) and n == number:
                return cells
        if number in self.virtual:
            origin = self.tape.ops[number].args[0]
            source = self.views[origin].reshape(self.slots, cols, rows, 6).transpose(0, 2, 1, 3)
        else:
            origin = number
            source = self.views[number].reshape(self.slots, rows, cols, 6)
        if left:
            cells = np.zeros((rows, self.slots, cols, 6), dtype=np.int64)
            places = [cells[:, k] for k in range(self.slots)]
        else:
            cells = np.zeros((self.slots, rows, cols, 6), dtype=np.int64)
            places = [cells[self.capacity - k] for k in range(self.slots)]
        self.copies[origin].append((places, [source[k] for k in range(self.slots)]))
        self.keep.append(((left, shape), number, cells))
        return cells

    def _compile(self, number: int, op: Op, need: Any) -> Any:
        """A function (k, bits) that computes order k >= 1 (products: any order), or None."""
        lib, base, row, views, ops = self.lib, self.base, self.row, self.views, self.tape.ops
        rows, cols = op.shape
        size = rows * cols
        mine, out, step = views[number], base[number], row[number]
        wanted = [int(e) for e in np.flatnonzero(need.reshape(-1))]
        if op.kind in ("input", "speed", "const"):
            return None
        if op.kind == "hadamard" and ops[op.args[1]].shape == (1, 1) != ops[op.args[0]].shape:
            op = Op(op.kind, op.args[::-1], op.shape)
        scalar = op.kind == "hadamard" and ops[op.args[0]].shape == (1, 1)
        if op.kind == "matmul" or scalar:
            # A 1 x 1 factor is the product of a 1 x 1 matrix with all entries in one row.
            a, b = op.args
            if scalar:
                rows, cols, inner = 1, size, 1
                left, right = self._layout(a, (1, 1), True), self._layout(b, (1, size), False)
            else:
                inner = ops[a].shape[1]
                left = self._layout(a, ops[a].shape, True)
                right = self._layout(b, ops[b].shape, False)
            x, y = left.ctypes.data, right.ctypes.data
            span, block = left.strides[0], right.strides[0]
            if 2 * len(wanted) > size:
                k = np.arange(self.slots)
                table = np.empty((3, self.slots, 4), dtype=np.int64)
                words: Any
                for i, words in enumerate(
                    (
                        (out + step * k, rows, cols, cols),
                        (x + 0 * k, rows, inner * (k + 1), inner * self.slots),
                        (y + block * (self.capacity - k), inner * (k + 1), cols, cols),
                    )
                ):
                    for word, value in enumerate(words):
                        table[i, :, word] = value
                self.keep.append((None, number, table))
                at, apart = table.ctypes.data, table.strides[0]
                calls = [
                    (at + 32 * j, at + apart + 32 * j, at + 2 * apart + 32 * j) for j in range(self.slots)
                ]
                product = lib.mat_mul

                def whole(k: int, bits: int) -> None:
                    p, q, r = calls[k]
                    product(p, q, r, bits)

                return whole
            starts = [(SIZE * e, x + span * (e // cols), y + SIZE * (e % cols)) for e in wanted]
            dot, capacity = lib.dot, self.capacity

            def entries_only(k: int, bits: int) -> None:
                target, jump, length = out + step * k, block * (capacity - k), inner * (k + 1)
                for offset, p, q in starts:
                    dot(target + offset, None, 0, p, 1, q + jump, cols, length, bits)

            return entries_only
        if op.kind == "hadamard":
            a, b = op.args
            wide = [ops[i].shape[0] * ops[i].shape[1] for i in (a, b)]
            pairs = [
                (
                    SIZE * e,
                    base[a] + SIZE * (e if wide[0] > 1 else 0),
                    base[b] + SIZE * (e if wide[1] > 1 else 0),
                )
                for e in wanted
            ]
            jumps = row[a] // SIZE, row[b] // SIZE

            def hadamard(k: int, bits: int) -> None:
                target, back = out + step * k, row[b] * k
                for offset, p, q in pairs:
                    lib.dot(target + offset, None, 0, p, jumps[0], q + back, -jumps[1], k + 1, bits)

            return hadamard
        source = views[op.args[0]]
        if op.kind == "transpose" and number in self.virtual:
            return None
        if op.kind in ("transpose", "gather"):
            index = np.arange(size).reshape(cols, rows).T.reshape(-1) if op.kind == "transpose" else op.data.reshape(-1)

            def pick(k: int, bits: int) -> None:
                mine[k] = source[k][index]

            return pick
        if op.kind == "cmul" and self._is_mask(op):
            on = np.ascontiguousarray(op.data.reshape(-1, 1) == 1, dtype=np.int64)
            before = ops[op.args[0]]
            skip = op.args[0] in self.virtual
            later = views[before.args[0]] if skip else source
            sources = [source[0], *(later[k] for k in range(1, self.slots))]
            targets = [mine[k] for k in range(self.slots)]
            multiply = np.multiply

            def mask(k: int, bits: int) -> None:
                # Zeros in the mask erase a structure, ones copy it.
                multiply(sources[k], on, targets[k])

            return mask
        if op.kind in ("cmul", "lmul", "rmul"):
            return self._linear(op, wanted, out, step)
        first, jump = base[op.args[0]], row[op.args[0]]
        if op.kind == "neg":

            def negate(k: int, bits: int) -> None:
                for e in wanted:
                    lib.neg(out + step * k + SIZE * e, first + jump * k + SIZE * e)

            return negate
        if ops[op.args[1]].kind == "const":
            head, constant = self.heads[number], base[op.args[1]]
            at_head = head.ctypes.data
            subtract = lib.add if op.kind == "add" else lib.sub

            skip = number in self.virtual

            def same(k: int, bits: int) -> None:
                if k:
                    if not skip:
                        mine[k] = source[k]
                    return
                for e in wanted:
                    subtract(at_head + SIZE * e, first + SIZE * e, constant + SIZE * e, bits)
                mine[0] = head

            return same
        second, other = base[op.args[1]], row[op.args[1]]
        act = lib.add if op.kind == "add" else lib.sub

        def combine(k: int, bits: int) -> None:
            for e in wanted:
                act(
                    out + step * k + SIZE * e,
                    first + jump * k + SIZE * e,
                    second + other * k + SIZE * e,
                    bits,
                )

        return combine

    def _linear(self, op: Op, wanted: list[int], out: int, step: int) -> Any:
        """Products with a constant matrix: the constants are rounded at the precision of each run."""
        lib, a = self.lib, op.args[0]
        base, jump, (arows, acols) = self.base[a], self.row[a], self.tape.ops[a].shape
        cols = op.shape[1]
        flat = list(op.data.flat)
        cells = self._cells(len(flat))
        c = cells.ctypes.data
        state = {"bits": 0}

        def linear(k: int, bits: int) -> None:
            if state["bits"] < bits:
                state["bits"] = bits
                with precision(bits):
                    for e, v in enumerate(flat):
                        lib.write(c + SIZE * e, ball(v))
            x, target = base + jump * k, out + step * k
            for e in wanted:
                i, j = divmod(e, cols)
                if op.kind == "cmul":
                    at = e if len(flat) > 1 else 0
                    lib.mul(
                        target + SIZE * e, x + SIZE * (e if arows * acols > 1 else 0), c + SIZE * at, bits
                    )
                elif op.kind == "lmul":
                    inner = op.data.shape[1]
                    lib.dot(
                        target + SIZE * e, None, 0, c + SIZE * inner * i, 1, x + SIZE * j, acols, inner, bits
                    )
                else:
                    inner, wide = op.data.shape
                    lib.dot(
                        target + SIZE * e, None, 0, x + SIZE * acols * i, 1, c + SIZE * j, wide, inner, bits
                    )

        return linear

    def run(self, start: Sequence[Flat], order: int, bits: Sequence[int], beta: arb | None) -> DirectSeries:
        lib, tape, base, views = self.lib, self.tape, self.base, self.views
        self._constants(bits[0])
        for number, flat in zip(tape.inputs, start, strict=True):
            at = base[number]
            for e, v in enumerate(flat):
                lib.write(at + SIZE * e, v)
        if tape.speed is not None:
            # u_k = u_(k-1) (-beta) / k
            at, rate, inverse = base[tape.speed], self.scratch.ctypes.data, self.inverse.ctypes.data
            lib.write(at, arb(1))
            lib.write(rate, -beta if beta is not None else arb(0))
            for k in range(1, order):
                lib.mul(at + SIZE, at, rate, bits[k - 1])
                lib.mul(at + SIZE, at + SIZE, inverse + SIZE * k, bits[k - 1])
                at += SIZE
        scale, reciprocal = lib.vec_mul, self.reciprocal.ctypes.data
        if self.joined is not None:
            state, joined = self.state, self.joined
            jobs = [
                (state.ctypes.data, state.strides[0], joined.ctypes.data, joined.strides[0], state.shape[1])
            ]
        else:
            jobs = [
                (base[inp], self.row[inp], base[src], self.row[src], views[inp].shape[1])
                for inp, src in zip(tape.inputs, self.sources, strict=True)
            ]
        for k in range(order):
            prec = bits[k]
            for step, copies in self.plan:
                if step is not None:
                    step(k, prec)
                for places, sources in copies:
                    places[k][:] = sources[k]
            for target, jump, source, other, size in jobs:
                scale(target + jump * (k + 1), source + other * k, size, reciprocal + SIZE * k, prec)
        return DirectSeries(self, order)

    def _constants(self, bits: int) -> None:
        """Tables and constants, rounded at a precision of at least `bits`; kept until more is needed."""
        if self.constant_bits >= bits:
            return
        self.constant_bits = bits
        lib = self.lib
        with precision(bits):
            factor = ball(self.scale)
            for k in range(self.slots):
                lib.write(self.reciprocal.ctypes.data + SIZE * k, factor / (k + 1))
                lib.write(self.inverse.ctypes.data + SIZE * k, 1 / arb(max(k, 1)))
            for number, op in enumerate(self.tape.ops):
                if op.kind == "const":
                    for e, v in enumerate(op.data.flat):
                        lib.write(self.base[number] + SIZE * e, ball(v))


def _common_scale(tape: Tape) -> tuple[Fraction, list[int]]:
    """(c, sources) with output = c times source for every output; c = 1 if the outputs do not share such
    a factor.
    """
    factors = []
    sources = []
    for number in tape.outputs:
        op = tape.ops[number]
        if op.kind == "neg":
            factors.append(Fraction(-1))
        elif op.kind == "cmul" and op.data.shape == (1, 1) and tape.ops[op.args[0]].shape == op.shape:
            factors.append(op.data[0, 0])
        else:
            return Fraction(1), list(tape.outputs)
        sources.append(op.args[0])
    if len(set(factors)) > 1 or set(tape.outputs) & {a for op in tape.ops for a in op.args}:
        return Fraction(1), list(tape.outputs)
    return factors[0], sources


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
        self.cache: dict[Any, Any] = {}

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
                lib.dot(scratch, None, 0, x, work.row[number] // SIZE, power, 1, self.order + 1, bits)
                flat.append(lib.read(scratch))
            out.append(flat)
        return out

    def norm_arrays(self, number: int, last: int) -> tuple[Any, Any]:
        """As :meth:`norms`, as arrays (m, e): norm_k <= m_k 2^e_k with m_k in [1/2, 1] or 0."""
        work, lib = self._work, self._work.lib
        size = work.views[number].shape[1]
        scratch, mags, at = work.scratch.ctypes.data, work.mags.ctypes.data, work.base[number]
        if number in work.final or number in work.virtual:
            raise ValueError("this operation's coefficients are not kept")
        for _ in range(last + 1):
            lib.dot(scratch, None, 0, at, 1, at, 1, size, 30)
            lib.get_mag(mags, scratch)
            at += work.row[number]
            mags += 16
        exp, man = work.mags[: last + 1, 0], work.mags[: last + 1, 1]
        if (np.abs(exp) >= 1 << 60).any():
            raise ArithmeticError("a bound is out of range")
        odd = exp & 1
        root = np.sqrt(np.ldexp(man.astype(float), -30 - odd)) * (1 + 1e-14)
        return root, (exp + 1) >> 1  # a fresh array, not a view of the buffer

    def norms(self, number: int, last: int) -> Flat:
        out = []
        for m, e in zip(*(a.tolist() for a in self.norm_arrays(number, last)), strict=True):
            numerator, denominator = m.as_integer_ratio()
            out.append(from_dyadic((numerator, e - (denominator.bit_length() - 1))))
        return out

    def leading(self, number: int) -> Flat:
        return self.coefficients(number, 0)

    def middles(self, number: int, k: int) -> list[Dyadic]:
        work = self._work
        base = work.base[number] + work.row[number] * k
        return [work.lib.read_middle(base + SIZE * e) for e in range(work.views[number].shape[1])]

    def coefficients(self, number: int, k: int) -> Flat:
        work = self._work
        size = work.views[number].shape[1]
        base = work.base[number] + work.row[number] * k
        if number in work.final or number in work.virtual:
            raise ValueError("this operation's coefficients are not kept")
        return [work.lib.read(base + SIZE * e) for e in range(size)]


def expand(
    tape: Tape, start: Sequence[Flat], order: int, bits: Sequence[int], beta: arb | None
) -> DirectSeries:
    """As :func:`verify.flow.taylor.expand`; :func:`available` must have said yes. Not for threads."""
    work: _Workspace | None = tape.__dict__.get("_workspace")
    if work is None or work.capacity < order:
        work = _Workspace(_state["library"], tape, max(32, order + order // 4))
        tape.__dict__["_workspace"] = work
    return work.run(start, order, bits, beta)
