"""A model's field as a straight-line program over matrices of power series.

:func:`trace` runs a model once on symbolic nodes and records every operation, so that the Taylor
recurrence, its majorants and the field itself come from one definition. Equal operations are recorded once.

Operations: `input`, `speed` (a 1 x 1 series), `const`, the bilinear `matmul` and `hadamard`, and the linear
`cmul` (entrywise product with a constant), `lmul`, `rmul` (matrix product with a constant), `add`, `sub`,
`neg`, `transpose`, `gather`. A 1 x 1 factor in `hadamard` or `cmul` scales the other factor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from verify.flow.models import Arithmetic, LeastSquares, Model


@dataclass(frozen=True, eq=False)
class Op:
    """One operation: its kind, the numbers of its arguments, its shape, and constant data where it has
    any.
    """

    kind: str
    args: tuple[int, ...]
    shape: tuple[int, int]
    data: Any = None


class Const:
    """A constant matrix of exact rationals, as seen by a model that is being traced."""

    def __init__(self, values: Any):
        self.values = values
        self.shape = values.shape

    @property
    def T(self) -> Const:
        return Const(self.values.T)

    mT = T

    def __mul__(self, other: Any) -> Any:
        return other.__mul__(self) if isinstance(other, Node) else NotImplemented

    def __matmul__(self, other: Any) -> Any:
        return other.__rmatmul__(self) if isinstance(other, Node) else NotImplemented


@dataclass
class Tape:
    """A recorded program. `outputs` are operation numbers, one per block; `kept` are others of which all entries are wanted
    (the residual, also where the data make it irrelevant).
    """

    ops: list[Op] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    speed: int | None = None
    outputs: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    _seen: dict[Any, int] = field(default_factory=dict)

    def push(self, kind: str, args: tuple[int, ...], shape: tuple[int, int], data: Any = None) -> Node:
        key = (kind, args, shape, None if data is None else (data.shape, tuple(data.flat)))
        number = self._seen.get(key)
        if number is None or kind == "input":
            number = len(self.ops)
            self.ops.append(Op(kind, args, shape, data))
            self._seen[key] = number
        return Node(self, number)

    def needed(self) -> list[Any]:
        """For each operation the Boolean mask of entries that some output or kept operation depends on."""
        need = [np.zeros(op.shape, dtype=bool) for op in self.ops]
        for number in [*self.outputs, *self.kept]:
            need[number][:] = True
        for number in range(len(self.ops) - 1, -1, -1):
            op, mine = self.ops[number], need[number]
            if op.kind == "matmul":
                a, b = op.args
                need[a][mine.any(axis=1), :] = True
                need[b][:, mine.any(axis=0)] = True
            elif op.kind == "hadamard":
                for a in op.args:
                    need[a] |= mine if self.ops[a].shape == op.shape else mine.any()
            elif op.kind == "cmul":
                (a,) = op.args
                used = mine & (op.data != 0)
                need[a] |= used if self.ops[a].shape == op.shape else used.any()
            elif op.kind == "lmul":
                need[op.args[0]] |= (op.data != 0).T @ mine
            elif op.kind == "rmul":
                need[op.args[0]] |= mine @ (op.data != 0).T
            elif op.kind == "transpose":
                need[op.args[0]] |= mine.T
            elif op.kind == "gather":
                need[op.args[0]].reshape(-1)[op.data[mine]] = True
            else:
                for a in op.args:
                    need[a] |= mine
        return need


class Node:
    """A matrix of a tape; supports what models use."""

    __array_ufunc__ = None

    def __init__(self, tape: Tape, number: int):
        self.tape, self.number = tape, number

    @property
    def shape(self) -> tuple[int, int]:
        return self.tape.ops[self.number].shape

    @property
    def mT(self) -> Node:
        return self.tape.push("transpose", (self.number,), self.shape[::-1])

    def gather(self, index: Any) -> Node:
        return self.tape.push("gather", (self.number,), index.shape, index)

    def __neg__(self) -> Node:
        return self.tape.push("neg", (self.number,), self.shape)

    def __matmul__(self, other: Any) -> Node:
        rows = self.shape[0], other.shape[1]
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"matrix product of {self.shape} and {other.shape}")
        if isinstance(other, Const):
            return self.tape.push("rmul", (self.number,), rows, other.values)
        return self.tape.push("matmul", (self.number, other.number), rows)

    def __rmatmul__(self, other: Const) -> Node:
        shape = other.shape[0], self.shape[1]
        return self.tape.push("lmul", (self.number,), shape, other.values)

    def __mul__(self, other: Any) -> Node:
        shape = other.shape if self.shape == (1, 1) else self.shape
        if other.shape not in (shape, (1, 1)):
            raise ValueError(f"entrywise product of {self.shape} and {other.shape}")
        if isinstance(other, Const):
            return self.tape.push("cmul", (self.number,), shape, other.values)
        return self.tape.push("hadamard", (self.number, other.number), shape)

    __rmul__ = __mul__

    def _sum(self, kind: str, other: Any) -> Node:
        if isinstance(other, Const):
            other = self.tape.push("const", (), other.shape, other.values)
        if other.shape != self.shape:
            raise ValueError(f"sum of {self.shape} and {other.shape}")
        return self.tape.push(kind, (self.number, other.number), self.shape)

    def __add__(self, other: Any) -> Node:
        return self._sum("add", other)

    def __sub__(self, other: Any) -> Node:
        return self._sum("sub", other)


def tracing_arithmetic() -> Arithmetic:
    """The arithmetic in which constants become :class:`Const`."""
    return _Tracing()


class _Tracing(Arithmetic):
    def __init__(self) -> None:
        super().__init__("tracing", lambda v: v, cache=False)

    def array(self, values: Any) -> Any:
        return Const(np.asarray(values, dtype=object))


def trace(model: Model, speed: bool = False) -> Tape:
    """Record the field of a model; with `speed` the field is multiplied by a scalar series (a change of
    time).

    A model is recorded once and remembers its tapes.
    """
    known: dict[bool, Tape] = model.__dict__.setdefault("_tapes", {})
    if speed in known:
        return known[speed]
    tape = Tape()
    blocks = []
    for number, shape in enumerate(model.shapes):
        node = tape.push("input", (), shape, np.array([number]))
        tape.inputs.append(node.number)
        blocks.append(node)
    factor = None
    if speed:
        factor = tape.push("speed", (), (1, 1))
        tape.speed = factor.number
    tape.outputs = [node.number for node in model.field(blocks, _Tracing(), factor)]
    if isinstance(model, LeastSquares):
        before = len(tape.ops)
        tape.kept = [model.forward(blocks, _Tracing())[0].number]
        if len(tape.ops) != before:
            raise AssertionError("the residual is no part of the field's program")
    known[speed] = tape
    return tape


def residual_number(model: Model, tape: Tape) -> int:
    """The operation of a tape that holds the residual matrix; -1 if the model has none."""
    return int(tape.kept[0]) if isinstance(model, LeastSquares) else -1
