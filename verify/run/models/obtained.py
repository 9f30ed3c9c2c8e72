"""Flows of two layers as witnesses: the hypotheses that describe one, and the start and the target from which it is obtained.

That the flow exists for all times is a fact of the library (`two_layer_flow`); the rest of the hypotheses is met by values at
time 0.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import flint
from flint import fmpq

from verify.kernel.terms import Formula, Sort, Term
from verify.run.derived import conjuncts
from verify.run.models.search import BITS
from verify.run.models.solve import Dead
from verify.run.models.values import plus, product, times
from verify.run.models.world import Failure, TooLong, World

FACT = "two_layer_flow"
SAMPLES = 2
Decls = tuple[tuple[str, Sort], ...]


@dataclass(frozen=True)
class Obtained:
    """The parameters of the fact, and the two functions that it gives."""

    names: tuple[str, str]
    parameters: tuple[Term, ...]


@dataclass(frozen=True)
class Equations:
    """The equations of motion of a first and a second factor, and the other hypotheses."""

    names: tuple[str, str]
    time: str
    right: tuple[Term, Term]
    rest: tuple[Formula, ...]


def equations(decls: Decls, hypotheses: tuple[Formula, ...]) -> Iterator[Equations]:
    """The pairs of matrix functions whose derivatives are given for all times t >= 0, in both orders."""
    sorts = dict(decls)
    found: dict[str, tuple[str, Term]] = {}
    used: list[Formula] = []
    for h in hypotheses:
        if h[0] != "all" or len(h[1]) != 1 or h[1][0][1] != "R" or h[2][0] != "=>":
            continue
        t = h[1][0][0]
        laws = {f[1][2]: (t, f[2]) for f in conjuncts(h[2][2]) if _derivative(f, t, sorts)}
        if laws and len(laws) == len(list(conjuncts(h[2][2]))) and not laws.keys() & found.keys():
            found |= laws
            used.append(h)
    if len(found) != 2 or len({t for t, _ in found.values()}) != 1:
        return
    rest = tuple(h for h in hypotheses if h not in used)
    a, b = found
    for first, second in ((a, b), (b, a)):
        yield Equations((first, second), found[a][0], (found[first][1], found[second][1]), rest)


def _derivative(f: Formula, t: str, sorts: dict[str, Sort]) -> bool:
    if f[0] != "=" or not isinstance(f[1], tuple) or f[1][:2] != ("d", 1) or f[1][3:] != (t,):
        return False
    sort = sorts.get(f[1][2])
    return isinstance(sort, tuple) and sort[0] == "F" and isinstance(sort[2], tuple)


def parameters(world: World, laws: Equations) -> tuple[Any, ...] | None:
    """Starts, mask S and target Z such that the equations are those of the flow of |S o (AB - Z)|^2/2; None if there are none."""
    a, b = laws.names
    try:
        start = world.lookup((a, ()), world.sorts[a][2]), world.lookup((b, ()), world.sorts[b][2])
        rows, inner, cols = len(start[0]), len(start[0][0]), len(start[1][0])
        if inner != len(start[1]) or inner != cols:
            return None
        one = [[fmpq(int(i == j)) for j in range(cols)] for i in range(cols)]
        zero, ones = ([[fmpq(v)] * inner for _ in range(rows)] for v in (0, 1))
        target = _right(world, laws, zero, one)[0]  # S^2 o Z
        mask = plus(target, _scaled(-1, _right(world, laws, ones, one)[0]))  # S^2
        for k in range(SAMPLES):
            rng = random.Random(k)
            first, second = (
                [[fmpq(rng.randrange(-3, 4)) for _ in range(c)] for _ in range(r)] for r, c in ((rows, inner), (inner, cols))
            )
            gap = plus(_had(mask, product(first, second)), _scaled(-1, target))
            wanted = _scaled(-1, product(gap, _turned(second))), _scaled(-1, product(_turned(first), gap))
            if _right(world, laws, first, second) != wanted:
                return None
        s = [[_root(x) for x in r] for r in mask]
        z = [[x / m if m != 0 else fmpq(0) for x, m in zip(r, q, strict=True)] for r, q in zip(target, mask, strict=True)]
    except (Dead, TooLong, *Failure):
        return None
    return (*start, s, z)


def _right(world: World, laws: Equations, first: Any, second: Any) -> tuple[Any, Any]:
    """The right sides of the equations at values of the factors."""
    with flint.ctx.workprec(BITS):
        trial = World(random.Random(0), dict(world.sorts), dict(world.values), dict(world.table), steps=4000, uniform=True)
        trial.table[laws.names[0], ()], trial.table[laws.names[1], ()] = first, second
        with trial.bound(laws.time, "R", fmpq(0)):
            return trial.matrix(laws.right[0]), trial.matrix(laws.right[1])


def _scaled(c: int, m: Any) -> Any:
    return [[times(fmpq(c), x) for x in r] for r in m]


def _turned(m: Any) -> Any:
    return [list(c) for c in zip(*m, strict=True)]


def _had(a: Any, b: Any) -> Any:
    return [[times(x, y) for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def _root(x: fmpq) -> fmpq:
    for k in (0, 1, 2, 3):
        if x == k * k:
            return fmpq(k)
    raise ValueError("no square")
