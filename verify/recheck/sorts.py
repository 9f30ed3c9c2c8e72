"""Sorts: which terms and formulas make sense in a context, and which sort a term has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .terms import UNARY_REAL, Node, R, Refused, Z, free, head, is_int, put, show

Context = Mapping[str, Node]


@dataclass(frozen=True)
class Signature:
    """A constant of ``facts.json``; its dimension variables, a number of them, are bound in the sorts."""

    variables: int
    args: tuple[Node, ...]
    value: Node


Signatures = Mapping[str, Signature]


# --- dimensions ---

_Poly = dict[tuple[tuple[Node, int], ...], int]


def _dimension(t: Node) -> _Poly:
    """An integer term as a polynomial in opaque integer terms."""
    h = head(t)
    if is_int(t):
        return {(): t} if t else {}
    if h == "+":
        total: _Poly = {}
        for a in t[1:]:
            for m, c in _dimension(a).items():
                total[m] = total.get(m, 0) + c
        return {m: c for m, c in total.items() if c}
    if h == "*" or (h == "^" and is_int(t[2]) and 0 <= t[2] <= 64):
        product: _Poly = {(): 1}
        for a in t[1:] if h == "*" else [t[1]] * t[2]:
            product = _times(product, _dimension(a))
        return product
    return {((t, 1),): 1}


def _times(p: _Poly, q: _Poly) -> _Poly:
    if len(p) * len(q) > 10_000:
        raise Refused("a dimension is too large")
    out: _Poly = {}
    for m1, c1 in p.items():
        for m2, c2 in q.items():
            powers = dict(m1)
            for atom, e in m2:
                powers[atom] = powers.get(atom, 0) + e
            m = tuple(sorted(powers.items(), key=lambda item: repr(item[0])))
            out[m] = out.get(m, 0) + c1 * c2
            if out[m].bit_length() > 10_000:
                raise Refused("a dimension is too large")
    return {m: c for m, c in out.items() if c}


def same_dimension(a: Node, b: Node) -> bool:
    """Whether two integer terms are equal as polynomials."""
    return a == b or _dimension(a) == _dimension(b)


def literal_dimension(a: Node) -> int | None:
    """The value of a dimension without variables."""
    p = _dimension(a)
    return p.get((), 0) if set(p) <= {()} else None


def same_sort(a: Node, b: Node) -> bool:
    """Equality of sorts, up to the normal form of dimensions."""
    if a[0] != b[0] or len(a) != len(b):
        return False
    if a[0] == "M":
        return same_dimension(a[1], b[1]) and same_dimension(a[2], b[2])
    return all(same_sort(x, y) for x, y in zip(a[1:], b[1:], strict=True))


def fits(have: Node, want: Node) -> bool:
    """Whether a term of one sort may stand where another is expected."""
    if want == R:
        return have in (R, Z)
    if want[0] == "F" and have[0] == "Fs":
        return same_sort(("F", *have[1:]), want)
    return same_sort(have, want)


# --- checking ---


class Sorter:
    """Computes sorts; refuses what is not well-sorted."""

    def __init__(self, signatures: Signatures) -> None:
        self.signatures = signatures

    def fresh(self, ctx: Context) -> str:
        """A name that no input can contain and that is new in the context (contexts only grow)."""
        return f"%s{len(ctx)}"

    def sort(self, s: Node, ctx: Context) -> None:
        """Accepts a well-formed sort."""
        if s[0] == "M":
            self.want(s[1], Z, ctx)
            self.want(s[2], Z, ctx)
        for x in s[1:] if s[0] in ("F", "Fs") else ():
            self.sort(x, ctx)

    def want(self, t: Node, s: Node, ctx: Context) -> None:
        """Accepts a term that may stand where the sort is expected."""
        have = self.of(t, ctx)
        if not fits(have, s):
            raise Refused(f"{show(t)} has sort {show(have)}, not {show(s)}")

    def number(self, t: Node, ctx: Context) -> Node:
        """The sort of a term that must be a number: R or Z."""
        s = self.of(t, ctx)
        if s not in (R, Z):
            raise Refused(f"{show(t)} is not a number")
        return s

    def matrix(self, t: Node, ctx: Context) -> tuple[Node, Node]:
        """The dimensions of a term that must be a matrix."""
        s = self.of(t, ctx)
        if s[0] != "M":
            raise Refused(f"{show(t)} is not a matrix")
        return s[1], s[2]

    def square(self, t: Node, ctx: Context) -> Node:
        """The dimension of a term that must be a square matrix."""
        r, c = self.matrix(t, ctx)
        if not same_dimension(r, c):
            raise Refused(f"{show(t)} is not square")
        return r

    def open(self, scope: Node, sorts: Sequence[Node], ctx: Context) -> tuple[Node, dict[str, Node], list[str]]:
        """Opens a telescope: the scope with fresh names, the longer context, the names."""
        longer = dict(ctx)
        names: list[str] = []
        for s in sorts:
            s = put(s, names)
            self.sort(s, longer)
            name = self.fresh(longer)
            longer[name] = s
            names.append(name)
        return put(scope, names), longer, names

    def of(self, t: Node, ctx: Context) -> Node:
        """The sort of a term."""
        if is_int(t):
            return Z
        if isinstance(t, str):
            if t not in ctx:
                raise Refused(f"{t} is not declared")
            return ctx[t]
        h = t[0]
        if h in ("q", "pi"):
            return R
        if h in ("+", "*"):
            return self._sum_or_product(t, ctx)
        if h == "^":
            self.number(t[2], ctx)
            integral = self.number(t[1], ctx) == Z and is_int(t[2]) and t[2] >= 0
            return Z if integral else R
        if h in UNARY_REAL or h in ("/", "min", "max"):
            for a in t[1:]:
                self.number(a, ctx)
            return R
        if h in ("sum", "prod"):
            return self._big(t, ctx)
        if h == "D":
            self.number(t[2], ctx)
            return self._scope(t[1], R, ctx)
        if h in ("call", "d"):
            return self._application(t, ctx)
        if h in ("tr", "det"):
            self.square(t[1], ctx)
            return R
        if h == "entry":
            self.matrix(t[1], ctx)
            self.want(t[2], Z, ctx)
            self.want(t[3], Z, ctx)
            return R
        if h.startswith("op "):
            return self._constant(t, ctx)
        return self._matrix(t, ctx)

    def _sum_or_product(self, t: Node, ctx: Context) -> Node:
        sorts = [self.of(a, ctx) for a in t[1:]]
        if all(s in (R, Z) for s in sorts):
            return Z if all(s == Z for s in sorts) else R
        if t[0] == "+" and sorts[0][0] == "M" and all(same_sort(s, sorts[0]) for s in sorts):
            return sorts[0]
        raise Refused(f"the arguments of {show(t)} do not fit together")

    def _scope(self, scope: Node, s: Node, ctx: Context, may_be_matrix: bool = True) -> Node:
        """The sort of the scope of one variable; it must not mention the variable."""
        body, longer, names = self.open(scope, [s], ctx)
        value = self.of(body, longer)
        if value in (R, Z):
            return R
        if value[0] != "M" or not may_be_matrix:
            raise Refused(f"{show(body)} is not a number" + (" or a matrix" if may_be_matrix else ""))
        if free(value) & set(names):
            raise Refused(f"the dimensions of {show(body)} depend on a bound variable")
        return value

    def _big(self, t: Node, ctx: Context) -> Node:
        self.want(t[1], Z, ctx)
        self.want(t[2], Z, ctx)
        return self._scope(t[3], Z, ctx, may_be_matrix=t[0] == "sum")

    def _application(self, t: Node, ctx: Context) -> Node:
        derivative = t[0] == "d"
        f, args = (t[2], t[3:]) if derivative else (t[1], t[2:])
        if not isinstance(f, str) or f not in ctx:
            raise Refused(f"{show(f)} is not a declared function")
        s = ctx[f]
        if s[0] not in ("F", "Fs") or (derivative and s[0] != "Fs"):
            raise Refused(f"{f} is not a {'smooth ' if derivative else ''}function")
        if derivative:
            self.want(t[1], Z, ctx)
        if len(args) != len(s) - 2:
            raise Refused(f"{f} wants {len(s) - 2} arguments")
        for a, want in zip(args, s[2:], strict=True):
            self.want(a, want, ctx)
        return s[1]

    def _constant(self, t: Node, ctx: Context) -> Node:
        signature = self.signatures.get(t[0][3:])
        if signature is None:
            raise Refused(f"no signature of {t[0]}")
        if len(t) - 1 != len(signature.args):
            raise Refused(f"{t[0]} wants {len(signature.args)} arguments")
        holes = [f"%v{i}" for i in range(signature.variables)]
        values: dict[str, Node] = {}
        have = [self.of(a, ctx) for a in t[1:]]
        wants = [put(s, holes) for s in signature.args]
        for x, want in zip(have, wants, strict=True):
            if want[0] == "M" and x[0] == "M":
                for hole, value in zip(want[1:], x[1:], strict=True):
                    if hole in holes:
                        values.setdefault(hole, value)
        if len(values) != len(holes):
            raise Refused(f"the dimensions of {t[0]} are not determined by its arguments")
        found = [values[hole] for hole in holes]
        for x, s in zip(have, signature.args, strict=True):
            if not fits(x, put(s, found)):
                raise Refused(f"an argument of {t[0]} has sort {show(x)}")
        return put(signature.value, found)

    def _matrix(self, t: Node, ctx: Context) -> Node:
        h = t[0]
        if h == "sm":
            self.number(t[1], ctx)
            r, c = self.matrix(t[2], ctx)
            return ("M", r, c)
        if h == "mm":
            shapes = [self.matrix(a, ctx) for a in t[1:]]
            for (_, c), (r, _) in pairwise(shapes):
                if not same_dimension(c, r):
                    raise Refused(f"the dimensions in the product {show(t)} do not match")
            return ("M", shapes[0][0], shapes[-1][1])
        if h == "T":
            r, c = self.matrix(t[1], ctx)
            return ("M", c, r)
        if h in ("inv", "mpow"):
            n = self.square(t[1], ctx)
            if h == "mpow":
                self.want(t[2], Z, ctx)
            return ("M", n, n)
        if h in ("I", "J", "O"):
            for a in t[1:]:
                self.want(a, Z, ctx)
            return ("M", t[1], t[-1])
        if h == "mat":
            for a in t[3:]:
                self.number(a, ctx)
            return ("M", t[1], t[2])
        if h == "had":
            s = self.of(t[1], ctx)
            if s[0] != "M" or not same_sort(s, self.of(t[2], ctx)):
                raise Refused(f"the arguments of {show(t)} do not fit together")
            return s
        raise Refused(f"{show(t)} is not a term")

    def formula(self, a: Node, ctx: Context) -> None:
        """Accepts a well-sorted formula."""
        h = a[0]
        if h in ("true", "false"):
            return
        if h in ("=", "!="):
            s, u = self.of(a[1], ctx), self.of(a[2], ctx)
            numbers = s in (R, Z) and u in (R, Z)
            if not numbers and not (s[0] == "M" and same_sort(s, u)):
                raise Refused(f"the sides of {show(a)} do not have one sort")
        elif h in ("<", "<="):
            self.number(a[1], ctx)
            self.number(a[2], ctx)
        elif h in ("not", "=>", "iff", "and", "or"):
            for b in a[1:]:
                self.formula(b, ctx)
        elif h in ("all", "ex"):
            body, longer, _ = self.open(a[-1], a[1:-1], ctx)
            self.formula(body, longer)
        elif h in ("tends", "tendsoo"):
            value = self._scope(a[1], R, ctx, may_be_matrix=h == "tends")
            if h == "tends":
                self.want(a[2], value, ctx)
        else:
            raise Refused(f"{show(a)} is not a formula")

    def lam(self, lam: Node, want: Node, ctx: Context) -> None:
        """Accepts a lambda for the function sort."""
        if len(lam) != len(want):
            raise Refused("a lambda has the wrong number of arguments")
        for have, s in zip(lam[1:-1], want[2:], strict=True):
            if free_indices(have) or not same_sort(have, s):
                raise Refused("an argument of a lambda has the wrong sort")
        body, longer, _ = self.open(lam[-1], lam[1:-1], ctx)
        self.want(body, want[1], longer)


def free_indices(t: Node) -> bool:
    """Whether a node has loose indices (closing over nothing shifts them, so the node changes)."""
    return isinstance(t, tuple) and put(t, ["%x"]) != t
