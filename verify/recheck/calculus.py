"""Where a term is smooth in a variable (``dom``), and its symbolic derivative.

Both work on a term in which the variable occurs free under its name.
"""

from __future__ import annotations

from itertools import permutations

from .sorts import Context, Sorter, literal_dimension
from .terms import FALSE, TRUE, Node, R, Z, close, free, is_int, put


class NotDifferentiable(Exception):
    """There is no rule for a derivative."""


class Calculus:
    """dom and derivative over the sorts of a signature."""

    def __init__(self, sorter: Sorter) -> None:
        self.sorter = sorter

    # --- dom ---

    def dom(self, e: Node, v: str, ctx: Context) -> Node:
        """The condition under which v -> e is smooth near v."""
        found: dict[Node, None] = {}
        for a in self._conditions(e, v, ctx):
            found[a] = None
        conditions = list(found)
        if not conditions:
            return TRUE
        return conditions[0] if len(conditions) == 1 else ("and", *conditions)

    def _conditions(self, e: Node, v: str, ctx: Context) -> list[Node]:
        if e == v or not isinstance(e, tuple) or v not in free(e):
            return []
        h = e[0]
        if h in ("sum", "prod"):
            return self._big(e, v, ctx)
        if h == "D":
            return self._inner_derivative(e, v, ctx)
        return [c for a in e[1:] for c in self._conditions(a, v, ctx)] + self._own(e, v, ctx)

    def _own(self, e: Node, v: str, ctx: Context) -> list[Node]:
        h = e[0]
        if h == "/":
            return [("!=", e[2], 0)] if v in free(e[2]) else []
        if h == "^":
            base, exponent = e[1:]
            if is_int(exponent):
                return [("!=", base, 0)] if exponent < 0 else []
            if v not in free(exponent) and self.sorter.of(exponent, ctx) == Z:
                return [("!=", base, 0)]
            return [("<", 0, base)]
        if h in ("log", "sqrt"):
            return [("<", 0, e[1])]
        if h == "inv":
            return [("!=", ("det", e[1]), 0)]
        if h in ("abs", "min", "max") or h.startswith("op "):
            return [FALSE]
        if h == "entry":
            return [FALSE] if v in free(e[2]) | free(e[3]) else []
        if h in ("call", "d"):
            f, args = (e[2], e[3:]) if h == "d" else (e[1], e[2:])
            if ctx[f][0] != "Fs" or any(v in free(a) for a in args[:-1]):
                return [FALSE]
            return self._order(e[1], v) if h == "d" else []
        if h == "mpow":
            return self._order(e[2], v)
        return []

    @staticmethod
    def _order(n: Node, v: str) -> list[Node]:
        """The condition that an order or exponent, constant in v, is not negative."""
        if is_int(n):
            return [] if n >= 0 else [FALSE]
        return [FALSE] if v in free(n) else [("<=", 0, n)]

    def _big(self, e: Node, v: str, ctx: Context) -> list[Node]:
        low, high = e[1], e[2]
        if e[0] == "prod":
            return [FALSE]
        found = [FALSE] if v in free(low) | free(high) else []
        i = self.sorter.fresh(ctx)
        inner = self.dom(put(e[3], [i]), v, {**ctx, i: Z})
        if inner != TRUE:
            inside = ("and", ("<=", low, i), ("<=", i, high))
            found.append(("all", Z, close(("=>", inside, inner), [i])))
        return found

    def _inner_derivative(self, e: Node, v: str, ctx: Context) -> list[Node]:
        w = self.sorter.fresh(ctx)
        longer = {**ctx, w: R}
        body = put(e[1], [w])
        if self.dom(body, w, longer) == TRUE:
            try:
                return self._conditions(self.derivative_at(e[1], e[2], ctx), v, ctx)
            except NotDifferentiable:
                pass
        return [FALSE]

    # --- the derivative ---

    def derivative_at(self, scope: Node, point: Node, ctx: Context) -> Node:
        """The derivative of the scope of one variable at a point (meaningful where dom holds)."""
        v = self.sorter.fresh(ctx)
        longer = {**ctx, v: R}
        body = put(scope, [v])
        value = self.derivative(body, v, longer)
        if value is None:
            s = self.sorter.of(body, longer)
            value = ("O", s[1], s[2]) if s[0] == "M" else 0
        return put(close(value, [v]), [point])

    def derivative(self, e: Node, v: str, ctx: Context) -> Node | None:
        """The derivative of e in v, None for zero."""
        if e == v:
            return 1
        if not isinstance(e, tuple) or v not in free(e):
            return None
        h = e[0]
        if h == "+":
            return plus([self.derivative(a, v, ctx) for a in e[1:]])
        if h in ("*", "mm", "sm", "had"):
            return self._product(e, v, ctx)
        if h == "/":
            return self._quotient(e, v, ctx)
        if h == "^":
            return self._power(e, v, ctx)
        if h in ("T", "tr"):
            return wrap(h, self.derivative(e[1], v, ctx))
        if h == "entry" and v not in free(e[2]) | free(e[3]):
            inner = self.derivative(e[1], v, ctx)
            return None if inner is None else ("entry", inner, e[2], e[3])
        if h == "mat":
            entries = [self.derivative(a, v, ctx) for a in e[3:]]
            return ("mat", e[1], e[2], *(0 if a is None else a for a in entries))
        if h == "inv":
            inner = self.derivative(e[1], v, ctx)
            return None if inner is None else ("sm", -1, ("mm", e, inner, e))
        if h == "mpow" and is_int(e[2]) and 0 <= e[2] <= 64:
            return self._matrix_power(e, v, ctx)
        if h == "sum" and v not in free(e[1]) | free(e[2]):
            i = self.sorter.fresh(ctx)
            inner = self.derivative(put(e[3], [i]), v, {**ctx, i: Z})
            return None if inner is None else ("sum", e[1], e[2], close(inner, [i]))
        if h == "det":
            return self.derivative(self.determinant(e[1], ctx), v, ctx)
        if h == "D":
            return self.derivative(self.derivative_at(e[1], e[2], ctx), v, ctx)
        if h in ("call", "d"):
            return self._application(e, v, ctx)
        return self._elementary(e, v, ctx)

    def _elementary(self, e: Node, v: str, ctx: Context) -> Node | None:
        outer = {
            "exp": lambda a: e,
            "log": lambda a: ("/", 1, a),
            "sqrt": lambda a: ("/", 1, ("*", 2, e)),
            "sin": lambda a: ("cos", a),
            "cos": lambda a: ("*", -1, ("sin", a)),
            "sinh": lambda a: ("cosh", a),
            "cosh": lambda a: ("sinh", a),
            "tanh": lambda a: ("+", 1, ("*", -1, ("^", e, 2))),
            "asinh": lambda a: ("/", 1, ("sqrt", ("+", ("^", a, 2), 1))),
        }.get(e[0])
        if outer is None:
            raise NotDifferentiable(e[0])
        return times([outer(e[1]), self.derivative(e[1], v, ctx)])

    def _product(self, e: Node, v: str, ctx: Context) -> Node | None:
        terms: list[Node | None] = []
        for i in range(1, len(e)):
            inner = self.derivative(e[i], v, ctx)
            terms.append(None if inner is None else (*e[:i], inner, *e[i + 1 :]))
        return plus(terms)

    def _quotient(self, e: Node, v: str, ctx: Context) -> Node | None:
        a, b = e[1:]
        da, db = self.derivative(a, v, ctx), self.derivative(b, v, ctx)
        first = None if da is None else ("/", da, b)
        second = None if db is None else ("*", -1, ("/", ("*", a, db), ("^", b, 2)))
        return plus([first, second])

    def _power(self, e: Node, v: str, ctx: Context) -> Node | None:
        a, n = e[1:]
        da, dn = self.derivative(a, v, ctx), self.derivative(n, v, ctx)
        if is_int(n):
            return None if n == 0 else times([n, ("^", a, n - 1) if n != 1 else None, da], unit=n == 1)
        first = None if da is None else ("*", n, ("^", a, ("+", n, -1)), da)
        second = None if dn is None else ("*", e, ("log", a), dn)
        return plus([first, second])

    def _matrix_power(self, e: Node, v: str, ctx: Context) -> Node | None:
        a, n = e[1:]
        inner = self.derivative(a, v, ctx)
        if inner is None or n == 0:
            return None
        return plus([("mm", ("mpow", a, k), inner, ("mpow", a, n - 1 - k)) for k in range(n)])

    def _application(self, e: Node, v: str, ctx: Context) -> Node | None:
        f, args, n = (e[2], e[3:], e[1]) if e[0] == "d" else (e[1], e[2:], 0)
        if ctx[f][0] != "Fs" or any(v in free(a) for a in args[:-1]) or v in free(n):
            raise NotDifferentiable(f)
        outer = ("d", n + 1 if is_int(n) else ("+", n, 1), f, *args)
        inner = self.derivative(args[-1], v, ctx)
        if inner is None or inner == 1:
            return None if inner is None else outer
        return ("sm", inner, outer) if ctx[f][1][0] == "M" else ("*", inner, outer)

    def determinant(self, a: Node, ctx: Context) -> Node:
        """The determinant by the formula of Leibniz, for small literal dimensions."""
        n = literal_dimension(self.sorter.square(a, ctx))
        if n is None or n > 5:
            raise NotDifferentiable("det")
        terms = []
        for p in permutations(range(1, n + 1)):
            sign = -1 if sum(p[i] > p[j] for i in range(len(p)) for j in range(i + 1, len(p))) % 2 else 1
            factors = [sign, *(("entry", a, i, j) for i, j in enumerate(p, 1))]
            terms.append(("*", *factors) if len(factors) > 1 else sign)
        return ("+", *terms) if len(terms) > 1 else terms[0]


def plus(terms: list[Node | None]) -> Node | None:
    """The sum of the terms that are not zero."""
    some = [t for t in terms if t is not None]
    if len(some) < 2:
        return some[0] if some else None
    return ("+", *some)


def times(factors: list[Node | None], unit: bool = False) -> Node | None:
    """The product; zero if a factor is zero (a unit in the middle is left out)."""
    if unit:
        factors = [factors[0], *factors[2:]]
    if any(f is None for f in factors):
        return None
    some = [f for f in factors if f != 1]
    if len(some) < 2:
        return some[0] if some else 1
    return ("*", *some)


def wrap(h: str, t: Node | None) -> Node | None:
    """The operator applied to a term that may be zero."""
    return None if t is None else (h, t)
