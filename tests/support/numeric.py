"""A reading of the logic in floating point: universal quantifiers over given samples, existential ones by given witnesses.

It decides nothing; it is for sanity checks of facts that no exact evaluation reaches (flows, decompositions, null sets).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Env = Mapping[str, Any]
SLACK = 1e-7
RELATIONS = {"<": lambda a, b: a < b, "!=": lambda a, b: not close(a, b), "=": lambda a, b: close(a, b)}


def close(a: Any, b: Any) -> bool:
    """Equality of scalars or matrices up to rounding."""
    return bool(np.allclose(a, b, rtol=SLACK, atol=SLACK))


@dataclass(frozen=True)
class Smooth:
    """A function of one real (the last argument) with all derivatives: `at(n, *arguments)` is the n-th one."""

    at: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:
        return self.at(0, *arguments)


@dataclass
class Reading:
    """Truth and values of formulas and terms.

    `samples` and `witnesses` give, for the name of a bound variable, its values: a function of the environment that returns
    a list, or one value. A universal variable without samples takes the defaults of its sort. An existential variable without
    a witness is a KeyError: nothing is passed over in silence.
    """

    rng: np.random.Generator
    samples: Mapping[str, Callable[[Env], Iterable[Any]]] = field(default_factory=dict)
    witnesses: Mapping[str, Callable[[Env], Any]] = field(default_factory=dict)

    def conclusions(self, f: Any, env: Env) -> Iterator[bool]:
        """Whether the conclusion is true, for every choice of the outer universal variables at which all premises are."""
        if f[0] == "all":
            for inner in self._choices(f[1], env):
                yield from self.conclusions(f[2], inner)
        elif f[0] == "=>":
            if self.holds(f[1], env):
                yield from self.conclusions(f[2], env)
        else:
            yield self.holds(f, env)

    def drawn(self, name: str, sort: Any, env: Env) -> Iterable[Any]:
        """The values of a universal variable."""
        if name in self.samples:
            return self.samples[name](env)
        if sort == "Z":
            return range(-1, 5)
        if sort == "R":
            return (-1.3, 0.0, 0.4, 2.0)
        if sort[0] == "M":
            return [self.rng.normal(size=self.shape(sort, env)) for _ in range(4)]
        raise KeyError(f"no samples for {name} of sort {sort}")

    def shape(self, sort: Any, env: Env) -> tuple[int, int]:
        """Rows and columns of a sort of matrices."""
        return tuple(max(0, round(self.value(n, env))) for n in sort[1:])  # type: ignore[return-value]

    def holds(self, f: Any, env: Env) -> bool:
        """Whether the formula is true in this reading."""
        head = f[0]
        if head in ("all", "ex"):
            return self._quantified(f, env)
        if head == "=>":
            return not self.holds(f[1], env) or self.holds(f[2], env)
        if head in ("and", "or"):
            parts = (self.holds(part, env) for part in f[1:])
            return all(parts) if head == "and" else any(parts)
        if head == "dom":  # all functions that are put in here are smooth everywhere
            return True
        if head == "<=":
            a, b = self.value(f[1], env), self.value(f[2], env)
            return bool(a <= b + SLACK * (1 + abs(a) + abs(b)))
        return bool(RELATIONS[head](self.value(f[1], env), self.value(f[2], env)))

    def _quantified(self, f: Any, env: Env) -> bool:
        if f[0] == "ex":
            inner = dict(env)
            for name, _ in f[1]:
                inner[name] = self.witnesses[name](inner)
            return self.holds(f[2], inner)
        return all(self.holds(f[2], inner) for inner in self._choices(f[1], env))

    def _choices(self, decls: Any, env: Env) -> Iterator[Env]:
        if not decls:
            yield env
            return
        name, sort = decls[0]
        for value in self.drawn(name, sort, env):
            yield from self._choices(decls[1:], {**env, name: value})

    def value(self, e: Any, env: Env) -> Any:
        """The number or matrix that a term stands for."""
        if isinstance(e, int):
            return e
        if isinstance(e, str):
            return env[e]
        head = e[0]
        if head in ("sum", "prod"):
            lo, hi = (round(self.value(bound, env)) for bound in e[2:4])
            terms = [self.value(e[4], {**env, e[1]: k}) for k in range(lo, hi + 1)]
            return sum(terms) if head == "sum" else math.prod(terms)
        if head == "D":
            return self.derivative(lambda s: self.value(e[2], {**env, e[1]: s}), self.value(e[3], env))
        if head == "q":
            return e[1] / e[2]
        if head in ("app", "call"):
            return env[e[1]](*(self.value(a, env) for a in e[2:]))
        if head == "d":
            return env[e[2]].at(round(self.value(e[1], env)), *(self.value(a, env) for a in e[3:]))
        if head == "op":
            return OPERATORS[e[1]](*(self.value(a, env) for a in e[2:]))
        return TERMS[head](*(self.value(a, env) for a in e[1:]))

    @staticmethod
    def derivative(f: Callable[[float], Any], t: float, h: float = 2e-3) -> Any:
        """A central difference with an error of the sixth order."""
        return sum(c * (f(t + k * h) - f(t - k * h)) for k, c in ((1, 45), (2, -9), (3, 1))) / (60 * h)


def singular_value(x: np.ndarray, i: int) -> float:
    """The i-th singular value, 0 for other i."""
    return float(np.linalg.svd(x, compute_uv=False)[i - 1]) if 1 <= i <= min(x.shape) else 0.0


def entry(x: np.ndarray, i: int, j: int) -> float:
    """An entry, 0 outside the matrix."""
    return float(x[i - 1, j - 1]) if 1 <= i <= x.shape[0] and 1 <= j <= x.shape[1] else 0.0


def power(a: Any, b: Any) -> Any:
    """A power, with 0^0 = 1."""
    return 1.0 if b == 0 else float(a) ** b


OPERATORS: dict[str, Callable[..., Any]] = {
    "sv": singular_value,
    "spec": lambda x: singular_value(x, 1),
    "nuc": lambda x: float(sum(np.linalg.svd(x, compute_uv=False))) if x.size else 0.0,
    "rank": lambda x: int(np.linalg.matrix_rank(x, tol=1e-9)) if x.size else 0,
    "eig": lambda x, i: float(np.sort(np.linalg.eigvalsh(x))[::-1][i - 1]),
}
TERMS: dict[str, Callable[..., Any]] = {
    "+": lambda *a: sum(a[1:], a[0]),
    "*": lambda *a: math.prod(a),
    "/": lambda a, b: a / b,
    "^": power,
    "abs": abs,
    "tr": lambda x: float(np.trace(x)) if x.size else 0.0,
    "det": lambda x: float(np.linalg.det(x)) if x.size else 1.0,
    "entry": entry,
    "sm": lambda c, x: c * x,
    "mm": lambda *a: a[0] if len(a) == 1 else np.linalg.multi_dot(a),
    "T": np.transpose,
    "I": lambda n: np.eye(max(0, n)),
    "O": lambda m, n: np.zeros((max(0, m), max(0, n))),
    "J": lambda m, n: np.ones((max(0, m), max(0, n))),
    "mpow": lambda x, n: np.linalg.matrix_power(x, n),
    "had": np.multiply,
}
