"""Terms, formulas and sorts, read from JSON into a locally nameless form.

A node is an integer, a free variable (a string) or a tuple ``(head, child, ...)`` of nodes.  A bound variable
is ``("#", k)``: it belongs to the k-th enclosing binder, counted from the inside.  Nodes are alpha-equivalent
exactly when they are equal, and putting a node without loose indices for a variable can capture nothing.

Sorts are nodes too: ``("R",)``, ``("Z",)``, ``("M", r, c)``, ``("F", value, arg, ..)`` and, when smooth,
``("Fs", value, arg, ..)``; the sorts of a telescope stand inside its binder, where earlier ones are in scope.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Node = Any  # int | str | tuple[str, *Node]

MAX_NESTING = 2000
MAX_BITS = 100_000
MAX_NODES = 300_000

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

R: Node = ("R",)
Z: Node = ("Z",)
TRUE: Node = ("true",)
FALSE: Node = ("false",)

UNARY_REAL = ("exp", "log", "sqrt", "sin", "cos", "sinh", "cosh", "tanh", "asinh", "abs")
FIXED_ARITY = dict.fromkeys(UNARY_REAL, 1) | {
    "/": 2, "^": 2, "min": 2, "max": 2, "pi": 0, "tr": 1, "det": 1, "entry": 3, "sm": 2, "T": 1, "inv": 1,
    "I": 1, "J": 2, "O": 2, "mpow": 2, "had": 2,
}  # fmt: skip
SEVERAL = ("+", "*", "mm")
RELATIONS = ("=", "!=", "<", "<=")


class Refused(Exception):
    """The input is malformed, or a step is not justified; the message is one line for a human reader."""


def is_int(x: object) -> bool:
    """An integer literal; JSON's true and false are not integers."""
    return type(x) is int


def is_name(x: object) -> bool:
    """A name as the page allows it."""
    return isinstance(x, str) and NAME.fullmatch(x) is not None


def head(t: Node) -> str:
    """The operator of a compound node, "" for a literal or a variable."""
    return t[0] if isinstance(t, tuple) else ""


BINDERS = frozenset({"all", "ex", "lam", "sum", "prod", "D", "tends", "tendsoo"})
"""The heads of nodes that bind variables; no other does."""


def binds(h: str, index: int) -> int:
    """How many variables the node with head h binds in its child at this position (1, 2, ..)."""
    if h not in BINDERS:
        return 0
    if h in ("all", "ex", "lam"):
        return index - 1
    return 1 if index == (3 if h in ("sum", "prod") else 1) else 0


# --- reading ---


class Reader:
    """Reads JSON values; ``special`` names the operators that only occur in facts (app, dom)."""

    def __init__(self, special: Sequence[str] = ()) -> None:
        self.special = special
        self.count = 0

    def _tick(self) -> None:
        self.count += 1
        if self.count > MAX_NODES:
            raise Refused("an expression is too large")

    def _list(self, x: object, what: str) -> list[Any]:
        self._tick()
        if not isinstance(x, list) or not x or not isinstance(x[0], str):
            raise Refused(f"not a {what}: {show_json(x)}")
        return x

    def _var(self, x: str, env: tuple[str, ...]) -> Node:
        if not is_name(x):
            raise Refused(f"not a name: {x[:40]!r}")
        return ("#", env.index(x)) if x in env else x

    def term(self, x: object, env: tuple[str, ...] = ()) -> Node:
        """A term; env lists the bound names, innermost first."""
        if is_int(x):
            if x.bit_length() > MAX_BITS:  # type: ignore[attr-defined]
                raise Refused("a literal is too long")
            return x
        if isinstance(x, str):
            self._tick()
            return self._var(x, env)
        xs = self._list(x, "term")
        h, args = xs[0], xs[1:]
        if h == "q":
            if len(args) != 2 or not all(is_int(a) for a in args) or args[1] < 2:
                raise Refused("q wants two integers, the second at least 2")
            return ("q", self.term(args[0]), self.term(args[1]))
        if h in SEVERAL:
            if len(args) < 2:
                raise Refused(f"{h} wants at least two arguments")
            return (h, *(self.term(a, env) for a in args))
        if h in FIXED_ARITY:
            if len(args) != FIXED_ARITY[h]:
                raise Refused(f"{h} wants {FIXED_ARITY[h]} arguments")
            return (h, *(self.term(a, env) for a in args))
        if h in ("sum", "prod"):
            self._arity(h, args, 4)
            inner = (self._binder(args[0]), *env)
            return (h, self.term(args[1], env), self.term(args[2], env), self.term(args[3], inner))
        if h == "D":
            self._arity(h, args, 3)
            return ("D", self.term(args[1], (self._binder(args[0]), *env)), self.term(args[2], env))
        if h == "call":
            self._at_least(h, args, 2)
            return ("call", self._function(args[0], env), *(self.term(a, env) for a in args[1:]))
        if h == "d":
            self._at_least(h, args, 3)
            rest = (self.term(a, env) for a in args[2:])
            return ("d", self.term(args[0], env), self._function(args[1], env), *rest)
        if h == "op":
            self._at_least(h, args, 1)
            if not is_name(args[0]):
                raise Refused("op wants a name")
            return ("op " + args[0], *(self.term(a, env) for a in args[1:]))
        if h == "mat":
            self._arity(h, args, 1)
            rows = args[0]
            if not isinstance(rows, list) or not rows or not all(isinstance(r, list) and r for r in rows):
                raise Refused("mat wants a list of rows")
            if len({len(r) for r in rows}) != 1:
                raise Refused("mat wants rows of one length")
            return ("mat", len(rows), len(rows[0]), *(self.term(a, env) for r in rows for a in r))
        if h == "app" and "app" in self.special:
            self._at_least(h, args, 1)
            return ("app", self._function(args[0], env), *(self.term(a, env) for a in args[1:]))
        raise Refused(f"unknown operator {h[:40]!r}")

    def formula(self, x: object, env: tuple[str, ...] = ()) -> Node:
        """A formula."""
        xs = self._list(x, "formula")
        h, args = xs[0], xs[1:]
        if h in ("true", "false"):
            self._arity(h, args, 0)
            return (h,)
        if h in RELATIONS:
            self._arity(h, args, 2)
            return (h, self.term(args[0], env), self.term(args[1], env))
        if h in ("not", "=>", "iff"):
            self._arity(h, args, 1 if h == "not" else 2)
            return (h, *(self.formula(a, env) for a in args))
        if h in ("and", "or"):
            self._at_least(h, args, 1)
            return (h, *(self.formula(a, env) for a in args))
        if h in ("all", "ex"):
            self._arity(h, args, 2)
            sorts, inner = self.telescope(args[0], env)
            return (h, *sorts, self.formula(args[1], inner))
        if h == "tends":
            self._arity(h, args, 3)
            return (h, self.term(args[1], (self._binder(args[0]), *env)), self.term(args[2], env))
        if h == "tendsoo":
            self._arity(h, args, 2)
            return (h, self.term(args[1], (self._binder(args[0]), *env)))
        if h == "dom" and "dom" in self.special:
            self._at_least(h, args, 1)
            return ("dom", self._function(args[0], env), *(self.term(a, env) for a in args[1:]))
        raise Refused(f"unknown connective or relation {h[:40]!r}")

    def telescope(self, x: object, env: tuple[str, ...] = ()) -> tuple[list[Node], tuple[str, ...]]:
        """Declarations [[name, sort], ..], with distinct names: the sorts and the inner environment."""
        self._tick()
        if not isinstance(x, list) or not x:
            raise Refused("a binder wants declarations")
        names, sorts = set(), []
        for item in x:
            if not isinstance(item, list) or len(item) != 2:
                raise Refused("a declaration is [name, sort]")
            name = self._binder(item[0])
            if name in names:
                raise Refused(f"{name} is declared twice in one binder")
            names.add(name)
            sorts.append(self.sort(item[1], env))
            env = (name, *env)
        return sorts, env

    def sort(self, x: object, env: tuple[str, ...] = ()) -> Node:
        """A sort."""
        self._tick()
        if x == "R":
            return R
        if x == "Z":
            return Z
        if isinstance(x, list) and len(x) == 3 and x[0] == "M":
            return ("M", self.term(x[1], env), self.term(x[2], env))
        if isinstance(x, list) and len(x) == 4 and x[0] == "F" and isinstance(x[1], list) and x[1]:
            args, value = [self.sort(s, env) for s in x[1]], self.sort(x[2], env)
            if any(head(s) in ("F", "Fs") for s in [*args, value]):
                raise Refused("functions of functions are not sorts")
            if x[3] == "any":
                return ("F", value, *args)
            if x[3] == "smooth" and args[-1] == R and value != Z:
                return ("Fs", value, *args)
        raise Refused(f"not a sort: {show_json(x)}")

    def lam(self, x: object, env: tuple[str, ...] = ()) -> Node:
        """A lambda: ``("lam", sort.., body)``."""
        xs = self._list(x, "lambda")
        if xs[0] != "lam" or len(xs) != 3:
            raise Refused("a lambda is [lam, declarations, body]")
        sorts, inner = self.telescope(xs[1], env)
        return ("lam", *sorts, self.term(xs[2], inner))

    def _function(self, x: object, env: tuple[str, ...]) -> Node:
        if not isinstance(x, str):
            raise Refused("a function is given by its name")
        return self._var(x, env)

    @staticmethod
    def _binder(x: object) -> str:
        if not is_name(x):
            raise Refused("a bound variable is a name")
        return str(x)

    @staticmethod
    def _arity(h: str, args: list[Any], n: int) -> None:
        if len(args) != n:
            raise Refused(f"{h} wants {n} arguments")

    @staticmethod
    def _at_least(h: str, args: list[Any], n: int) -> None:
        if len(args) < n:
            raise Refused(f"{h} wants at least {n} arguments")


def read_term(x: object) -> Node:
    """A term without bound variables around it."""
    return Reader().term(x)


def read_formula(x: object) -> Node:
    """A formula without bound variables around it."""
    return Reader().formula(x)


def read_sort(x: object) -> Node:
    """A sort without bound variables around it."""
    return Reader().sort(x)


# --- walking and substitution ---


def parts(t: Node) -> Iterator[tuple[Node, int]]:
    """The children of a compound node, each with the number of variables bound around it."""
    for i in range(1, len(t)):
        yield t[i], binds(t[0], i)


def size(t: Node, limit: int = MAX_NODES) -> int:
    """The number of nodes; refuses beyond the limit."""
    total, stack = 0, [t]
    while stack:
        x = stack.pop()
        total += 1
        if isinstance(x, tuple) and x[0] != "#":
            stack.extend(x[1:])
        if total > limit:
            raise Refused("an expression is too large")
    return total


def free(t: Node) -> frozenset[str]:
    """The free variables."""
    names, stack = set(), [t]
    while stack:
        x = stack.pop()
        if isinstance(x, str):
            names.add(x)
        elif isinstance(x, tuple) and x[0] != "#":
            stack.extend(x[1:])
    return frozenset(names)


def lift(t: Node, by: int, cut: int = 0) -> Node:
    """Raises the loose indices of t (those that point outside of it) by a number."""
    if by == 0 or not isinstance(t, tuple):
        return t
    if t[0] == "#":
        return ("#", t[1] + by) if t[1] >= cut else t
    if t[0] not in BINDERS:
        return (t[0], *[lift(x, by, cut) for x in t[1:]])
    return (t[0], *(lift(x, by, cut + b) for x, b in parts(t)))


def put(body: Node, args: Sequence[Node], domains: Mapping[Node, Node] | None = None) -> Node:
    """The scope of a binder of len(args) variables (first declared, first given), with args put in.

    ``domains`` gives for a lambda the scope that stands for ``dom`` of it (in facts).
    """
    values = list(reversed(args))
    return _Put(MAX_NODES, domains or {}).scope(body, values)


class _Put:
    """One substitution, with beta reduction of calls of lambdas, and a limit on the size of the result."""

    def __init__(self, room: int, domains: Mapping[Node, Node]) -> None:
        self.room = room
        self.domains = domains

    def spend(self, n: int) -> None:
        self.room -= n
        if self.room < 0:
            raise Refused("an expression is too large")

    def scope(self, body: Node, values: Sequence[Node]) -> Node:
        """The scope with values for its variables, innermost variable first."""
        return self._walk(body, values, [size(v) for v in values], 0)

    def _walk(self, t: Node, values: Sequence[Node], sizes: Sequence[int], depth: int) -> Node:
        self.spend(1)
        if not isinstance(t, tuple):
            return t
        if t[0] == "#":
            j = t[1] - depth
            if j < 0:
                return t
            if j >= len(values):
                return ("#", t[1] - len(values))
            self.spend(sizes[j])
            return lift(values[j], depth)
        if t[0] in BINDERS:
            args = tuple(self._walk(x, values, sizes, depth + b) for x, b in parts(t))
        else:  # nearly all nodes, and so without the cost of a generator
            args = tuple([self._walk(x, values, sizes, depth) for x in t[1:]])
        if t[0] == "call" and head(args[0]) == "lam":
            return self._beta(args[0], args[1:])
        if t[0] == "d" and head(args[1]) == "lam":
            return self._derivative(args[0], args[1], args[2:])
        if t[0] == "app":
            if head(args[0]) != "lam":
                raise Refused("app wants a lambda")
            return self._beta(args[0], args[1:])
        if t[0] == "dom":
            if args[0] not in self.domains or len(args) != len(args[0]) - 1:
                raise Refused("dom wants a lambda and its arguments")
            return self.scope(self.domains[args[0]], list(reversed(args[1:])))
        return (t[0], *args)

    def _beta(self, lam: Node, args: Sequence[Node]) -> Node:
        if len(args) != len(lam) - 2:
            raise Refused("wrong number of arguments of a function")
        return self.scope(lam[-1], list(reversed(args)))

    def _derivative(self, n: Node, lam: Node, args: Sequence[Node]) -> Node:
        """n nested derivatives in the last argument, at the last of args."""
        if not is_int(n) or not 0 <= n <= 8:
            raise Refused("a derivative of symbolic or high order of a lambda")
        if n == 0:
            return self._beta(lam, args)
        first = [lift(a, 1) for a in args[:-1]]
        return ("D", self._derivative(n - 1, lift(lam, 1), [*first, ("#", 0)]), args[-1])


def close(t: Node, names: Sequence[str]) -> Node:
    """The scope of a binder of these variables (in order), from a node where they are free."""
    index = {name: len(names) - 1 - i for i, name in enumerate(names)}
    return _close(t, index, 0)


def _close(t: Node, index: dict[str, int], depth: int) -> Node:
    if isinstance(t, str):
        return ("#", index[t] + depth) if t in index else t
    if not isinstance(t, tuple):
        return t
    if t[0] == "#":
        return t if t[1] < depth else ("#", t[1] + len(index))
    if t[0] not in BINDERS:
        return (t[0], *[_close(x, index, depth) for x in t[1:]])
    return (t[0], *(_close(x, index, depth + b) for x, b in parts(t)))


# --- formulas ---


def neg(a: Node) -> Node:
    """The classical negation, pushed inwards."""
    h = a[0]
    if h == "true":
        return FALSE
    if h == "false":
        return TRUE
    if h in ("=", "!="):
        return ("!=" if h == "=" else "=", a[1], a[2])
    if h in ("<", "<="):
        return ("<=" if h == "<" else "<", a[2], a[1])
    if h == "not":
        return a[1]
    if h in ("and", "or"):
        return ("or" if h == "and" else "and", *(neg(b) for b in a[1:]))
    if h == "=>":
        return ("and", a[1], neg(a[2]))
    if h == "iff":
        return ("or", ("and", a[1], neg(a[2])), ("and", neg(a[1]), a[2]))
    if h in ("all", "ex"):
        return ("ex" if h == "all" else "all", *a[1:-1], neg(a[-1]))
    return ("not", a)


def conjuncts(a: Node) -> Iterator[Node]:
    """The members of nested conjunctions, left to right."""
    stack = [a]
    while stack:
        x = stack.pop()
        if head(x) == "and":
            stack.extend(reversed(x[1:]))
        else:
            yield x


def show_json(x: object) -> str:
    """A short excerpt of a JSON value that is safe for very large values."""
    if isinstance(x, list):
        return "[" + (show_json(x[0]) if x and not isinstance(x[0], list) else "") + ("..]" if x else "]")
    if isinstance(x, str):
        return repr(x[:40])
    if is_int(x):
        return show(x)
    return type(x).__name__


def show(t: Node, room: int = 160) -> str:
    """A short rendering for messages."""
    out: list[str] = []
    stack: list[Any] = [t]
    length = 0
    while stack and length <= room:
        x = stack.pop()
        if isinstance(x, _Text):
            piece = x.text
        elif isinstance(x, str):
            piece = x
        elif isinstance(x, int):
            piece = str(x) if x.bit_length() < 200 else "(large integer)"
        elif x[0] == "#":
            piece = f"#{x[1]}"
        else:
            piece = f"({x[0]}"
            stack.append(_Text(")"))
            for child in reversed(x[1:]):
                stack += [child, _Text(" ")]
        out.append(piece)
        length += len(piece)
    return "".join(out) + (" .." if stack else "")


class _Text:
    """A literal piece of output."""

    def __init__(self, text: str) -> None:
        self.text = text
