"""Terms, formulas and sorts of the logic (LOGIC.md) as nested tuples: substitution, comparison, sorts, derivatives."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

Term = Any  # int, str or a tuple whose head is an operator
Formula = Any
Sort = Any
Context = Mapping[str, Sort]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
UNARY = frozenset({"exp", "log", "sqrt", "sin", "cos", "sinh", "cosh", "tanh", "asinh", "abs"})
RELATIONS = frozenset({"=", "!=", "<", "<="})
MAX_DERIVATIVE = 8


class LogicError(Exception):
    """A term, formula, rule or certificate that the logic does not admit; the message says why."""


def freeze(value: Any) -> Any:
    """JSON value (lists) to the immutable form (tuples)."""
    if isinstance(value, (list, tuple)):
        return tuple(freeze(v) for v in value)
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise LogicError(f"no term: {value!r}")
    return value


def thaw(value: Any) -> Any:
    """The inverse of `freeze`: tuples to lists, ready for JSON."""
    return [thaw(v) for v in value] if isinstance(value, tuple) else value


# ---------------------------------------------------------------------------------------------- binders


def decls_of(e: tuple[Any, ...]) -> tuple[tuple[str, Sort], ...]:
    return e[1]


@lru_cache(maxsize=200_000)
def free(e: Any) -> frozenset[str]:
    """Free variables of a term, formula or sort."""
    if isinstance(e, str):
        return frozenset({e})
    if isinstance(e, int):
        return frozenset()
    head = e[0]
    if head in ("all", "ex", "lam"):
        out = free(e[2])
        for name, sort in reversed(e[1]):
            out = (out - {name}) | free_sort(sort)
        return out
    if head in ("sum", "prod"):
        return free(e[2]) | free(e[3]) | (free(e[4]) - {e[1]})
    if head == "D":
        return (free(e[2]) - {e[1]}) | free(e[3])
    if head == "tends":
        return (free(e[2]) - {e[1]}) | free(e[3])
    if head == "tendsoo":
        return free(e[2]) - {e[1]}
    if head == "q":
        return frozenset()
    if head in ("op", "app", "dom"):
        return _union(e[2:])
    if head == "mat":
        return _union(itertools.chain.from_iterable(e[1]))
    return _union(e[1:])


def _union(items: Iterable[Any]) -> frozenset[str]:
    out: frozenset[str] = frozenset()
    for item in items:
        out |= free(item)
    return out


@lru_cache(maxsize=20_000)
def free_sort(sort: Sort) -> frozenset[str]:
    """Free variables of the dimension terms of a sort."""
    if isinstance(sort, str):
        return frozenset()
    if sort[0] == "M":
        return free(sort[1]) | free(sort[2])
    if sort[0] in ("F", "L"):
        out = free_sort(sort[2])
        for s in sort[1]:
            out |= free_sort(s)
        return out
    raise LogicError(f"no sort: {sort!r}")


def fresh(base: str, taken: Iterable[str]) -> str:
    """A name like `base` that is not in `taken`."""
    used = set(taken)
    if base not in used:
        return base
    stem = re.sub(r"_\d+\Z", "", base)
    return next(c for c in (f"{stem}_{i}" for i in itertools.count(1)) if c not in used)


def subst(e: Any, m: Mapping[str, Any]) -> Any:
    """Replace free variables by terms (or functions by `lam`), without capture."""
    m = {k: v for k, v in m.items() if v != k}
    return _subst(e, m) if m else e


def _bind(name: str, scope_free: frozenset[str], m: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    inner = {k: v for k, v in m.items() if k != name and k in scope_free}
    image: set[str] = set()
    for v in inner.values():
        image |= free(v)
    if name in image:
        new = fresh(name, image | scope_free | set(inner))
        inner[name] = new
        return new, inner
    return name, inner


def _subst(e: Any, m: Mapping[str, Any]) -> Any:
    if isinstance(e, str):
        return m.get(e, e)
    if isinstance(e, int) or e[0] == "q":
        return e
    if not (free(e) & m.keys()):
        return e
    head = e[0]
    if head in ("all", "ex", "lam"):
        decls, body = list(e[1]), e[2]
        done: list[tuple[str, Sort]] = []
        cur = dict(m)
        for i, (name, sort) in enumerate(decls):
            new_sort = subst_sort(sort, cur)
            rest = free(("all", tuple(decls[i + 1 :]), body))
            name2, cur = _bind(name, rest, cur)
            done.append((name2, new_sort))
        return (head, tuple(done), _subst(body, cur) if cur else body)
    if head in ("sum", "prod"):
        v, inner = _bind(e[1], free(e[4]), m)
        return (head, v, _subst(e[2], m), _subst(e[3], m), _subst(e[4], inner) if inner else e[4])
    if head in ("D", "tends"):
        v, inner = _bind(e[1], free(e[2]), m)
        return (head, v, _subst(e[2], inner) if inner else e[2], _subst(e[3], m))
    if head == "tendsoo":
        v, inner = _bind(e[1], free(e[2]), m)
        return (head, v, _subst(e[2], inner) if inner else e[2])
    if head == "call":
        args = tuple(_subst(a, m) for a in e[2:])
        f = m.get(e[1], e[1])
        return apply_lam(f, args) if isinstance(f, tuple) else ("call", f, *args)
    if head == "d":
        n = _subst(e[1], m)
        args = tuple(_subst(a, m) for a in e[3:])
        f = m.get(e[2], e[2])
        return derivative_of_lam(n, f, args) if isinstance(f, tuple) else ("d", n, f, *args)
    if head in ("op", "app", "dom"):
        return (head, e[1], *(_subst(a, m) for a in e[2:]))
    if head == "mat":
        return ("mat", tuple(tuple(_subst(a, m) for a in row) for row in e[1]))
    return (head, *(_subst(a, m) for a in e[1:]))


def apply_lam(lam: Any, args: tuple[Any, ...]) -> Term:
    """Beta-reduce a lambda applied to arguments."""
    if lam[0] != "lam" or len(lam[1]) != len(args):
        raise LogicError("a function variable is replaced by a term that is no function of as many arguments")
    return subst(lam[2], dict(zip((n for n, _ in lam[1]), args, strict=True)))


def derivative_of_lam(n: Any, lam: Any, args: tuple[Any, ...]) -> Term:
    if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= MAX_DERIVATIVE:
        raise LogicError(f"a derivative of order {n!r} of a function given by a term")
    if n == 0:
        return apply_lam(lam, args)
    last = lam[1][-1][0]
    taken = set(free(lam)) | {n_ for n_, _ in lam[1]} | set(_union(args))
    v = fresh(last, taken)
    body = apply_lam(lam, (*args[:-1], v))
    for _ in range(n - 1):
        w = fresh(last, taken | {v} | free(body))
        body = ("D", v, body, w)
        v = w
    return ("D", v, body, args[-1])


def subst_sort(sort: Sort, m: Mapping[str, Any]) -> Sort:
    if isinstance(sort, str) or not m:
        return sort
    if sort[0] == "M":
        return ("M", subst(sort[1], m), subst(sort[2], m))
    return (sort[0], tuple(subst_sort(s, m) for s in sort[1]), subst_sort(sort[2], m), *sort[3:])


@lru_cache(maxsize=200_000)
def canon(e: Any) -> Any:
    """The representative up to renaming of bound variables."""
    return _canon(e, {}, 0)


def _canon(e: Any, env: dict[str, str], depth: int) -> Any:
    if isinstance(e, str):
        return env.get(e, e)
    if isinstance(e, int) or e[0] == "q":
        return e
    head = e[0]
    if head in ("all", "ex", "lam"):
        env = dict(env)
        decls = []
        for name, sort in e[1]:
            s = _canon_sort(sort, env, depth)
            env[name] = f"%{depth}"
            decls.append((f"%{depth}", s))
            depth += 1
        return (head, tuple(decls), _canon(e[2], env, depth))
    if head in ("sum", "prod"):
        inner = {**env, e[1]: f"%{depth}"}
        return (head, f"%{depth}", _canon(e[2], env, depth), _canon(e[3], env, depth), _canon(e[4], inner, depth + 1))
    if head in ("D", "tends"):
        inner = {**env, e[1]: f"%{depth}"}
        return (head, f"%{depth}", _canon(e[2], inner, depth + 1), _canon(e[3], env, depth))
    if head == "tendsoo":
        return (head, f"%{depth}", _canon(e[2], {**env, e[1]: f"%{depth}"}, depth + 1))
    if head in ("op", "app", "dom"):
        return (head, e[1], *(_canon(a, env, depth) for a in e[2:]))
    if head == "mat":
        return ("mat", tuple(tuple(_canon(a, env, depth) for a in row) for row in e[1]))
    return (head, *(_canon(a, env, depth) for a in e[1:]))


def _canon_sort(sort: Sort, env: dict[str, str], depth: int) -> Sort:
    if isinstance(sort, str):
        return sort
    if sort[0] == "M":
        return ("M", _canon(sort[1], env, depth), _canon(sort[2], env, depth))
    return (sort[0], tuple(_canon_sort(s, env, depth) for s in sort[1]), _canon_sort(sort[2], env, depth), *sort[3:])


def same(a: Any, b: Any) -> bool:
    """Equality up to renaming of bound variables."""
    return a == b or canon(a) == canon(b)


# ---------------------------------------------------------------------------------------------- formulas


def conj(parts: list[Formula]) -> Formula:
    out: list[Formula] = []
    for p in parts:
        if not any(same(p, q) for q in out):
            out.append(p)
    if not out:
        return ("true",)
    return out[0] if len(out) == 1 else ("and", *out)


def negate(f: Formula) -> Formula:
    """The negation, pushed inwards as LOGIC.md prescribes."""
    head = f[0]
    if head == "true":
        return ("false",)
    if head == "false":
        return ("true",)
    if head == "=":
        return ("!=", f[1], f[2])
    if head == "!=":
        return ("=", f[1], f[2])
    if head == "<":
        return ("<=", f[2], f[1])
    if head == "<=":
        return ("<", f[2], f[1])
    if head == "not":
        return f[1]
    if head == "and":
        return ("or", *(negate(a) for a in f[1:]))
    if head == "or":
        return ("and", *(negate(a) for a in f[1:]))
    if head == "=>":
        return ("and", f[1], negate(f[2]))
    if head == "iff":
        return ("or", ("and", f[1], negate(f[2])), ("and", negate(f[1]), f[2]))
    if head in ("all", "ex"):
        return ("ex" if head == "all" else "all", f[1], negate(f[2]))
    return ("not", f)


# ---------------------------------------------------------------------------------------------- sorts


def check_name(name: Any) -> None:
    if not isinstance(name, str) or not NAME.match(name):
        raise LogicError(f"no name: {name!r}")


def bind(ctx: Context, name: Any, sort: Sort) -> dict[str, Sort]:
    """The context inside a binder; a bound name may not hide a variable that a sort in scope mentions."""
    check_name(name)
    if any(name in free_sort(s) for n, s in ctx.items() if n != name):
        raise LogicError(f"{name} would hide a variable that a sort in scope mentions")
    return {**ctx, name: sort}


def check_sort(sort: Sort, ctx: Context) -> None:
    """Raise unless the sort is well-formed in the context."""
    if sort in ("R", "Z"):
        return
    if isinstance(sort, tuple) and sort:
        if sort[0] == "M" and len(sort) == 3:
            if sort_of(sort[1], ctx) != "Z" or sort_of(sort[2], ctx) != "Z":
                raise LogicError(f"dimensions are no integers: {sort!r}")
            return
        if sort[0] == "F" and len(sort) == 4 and isinstance(sort[1], tuple) and sort[1] and sort[3] in ("any", "smooth"):
            for s in (*sort[1], sort[2]):
                if isinstance(s, tuple) and s[0] != "M":
                    raise LogicError("a function of functions")
                check_sort(s, ctx)
            if sort[3] == "smooth" and (sort[1][-1] != "R" or sort[2] == "Z"):
                raise LogicError("a smooth function has a real last argument and a real or matrix value")
            return
    raise LogicError(f"no sort: {sort!r}")


def same_sort(a: Sort, b: Sort) -> bool:
    if a == b:
        return True
    if isinstance(a, str) or isinstance(b, str) or a[0] != b[0]:
        return False
    if a[0] == "M":
        return same_dim(a[1], b[1]) and same_dim(a[2], b[2])
    return (
        len(a[1]) == len(b[1])
        and a[3:] == b[3:]
        and all(same_sort(x, y) for x, y in zip(a[1], b[1], strict=True))
        and same_sort(a[2], b[2])
    )


def same_dim(a: Term, b: Term) -> bool:
    if a == b:
        return True
    from verify.kernel.normal import dimensions_agree

    return dimensions_agree(a, b)


def fits(actual: Sort, wanted: Sort) -> bool:
    """Whether a term of the sort `actual` may stand where `wanted` is expected."""
    return (actual == "Z" and wanted == "R") or same_sort(actual, wanted)


def _scalar(e: Term, ctx: Context) -> str:
    s = sort_of(e, ctx)
    if s not in ("R", "Z"):
        raise LogicError(f"a scalar is expected, not {e!r}")
    return s


def _matrix(e: Term, ctx: Context) -> tuple[Any, Term, Term]:
    s = sort_of(e, ctx)
    if isinstance(s, str) or s[0] != "M":
        raise LogicError(f"a matrix is expected, not {e!r}")
    return s


def _square(e: Term, ctx: Context) -> tuple[Any, Term, Term]:
    s = _matrix(e, ctx)
    if not same_dim(s[1], s[2]):
        raise LogicError(f"a square matrix is expected, not {s!r}")
    return s


def _integer(e: Term, ctx: Context) -> None:
    if sort_of(e, ctx) != "Z":
        raise LogicError(f"an integer is expected, not {e!r}")


def _arity(e: tuple[Any, ...], n: int, at_least: bool = False) -> None:
    if len(e) - 1 < n or (not at_least and len(e) - 1 != n):
        raise LogicError(f"wrong number of arguments of {e[0]}")


def sort_of(e: Term, ctx: Context) -> Sort:
    """The sort of a term in a context; raises LogicError when there is none."""
    if isinstance(e, bool):
        raise LogicError("no term")
    if isinstance(e, int):
        return "Z"
    if isinstance(e, str):
        if e not in ctx:
            raise LogicError(f"unknown variable {e}")
        return ctx[e]
    if not isinstance(e, tuple) or not e or not isinstance(e[0], str):
        raise LogicError(f"no term: {e!r}")
    head = e[0]
    if head == "q":
        from math import gcd

        if len(e) != 3 or type(e[1]) is not int or type(e[2]) is not int or e[2] < 2 or gcd(e[1], e[2]) != 1:
            raise LogicError(f"no rational in lowest terms: {e!r}")
        return "R"
    if head == "+":
        _arity(e, 2, True)
        first = sort_of(e[1], ctx)
        if first in ("R", "Z"):
            kinds = [_scalar(a, ctx) for a in e[1:]]  # each term is checked
            return "Z" if all(k == "Z" for k in kinds) else "R"
        for a in e[2:]:
            if not same_sort(_matrix(a, ctx), first):
                raise LogicError("sum of matrices of different shapes")
        return first
    if head == "*":
        _arity(e, 2, True)
        kinds = [_scalar(a, ctx) for a in e[1:]]
        return "Z" if all(k == "Z" for k in kinds) else "R"
    if head == "/":
        _arity(e, 2)
        _scalar(e[1], ctx)
        _scalar(e[2], ctx)
        return "R"
    if head == "^":
        _arity(e, 2)
        base = _scalar(e[1], ctx)
        _scalar(e[2], ctx)
        return "Z" if base == "Z" and isinstance(e[2], int) and e[2] >= 0 else "R"
    if head in UNARY:
        _arity(e, 1)
        _scalar(e[1], ctx)
        return "R"
    if head in ("min", "max"):
        _arity(e, 2)
        _scalar(e[1], ctx)
        _scalar(e[2], ctx)
        return "R"
    if head == "pi":
        _arity(e, 0)
        return "R"
    if head in ("sum", "prod"):
        _arity(e, 4)
        _integer(e[2], ctx)
        _integer(e[3], ctx)
        body = sort_of(e[4], bind(ctx, e[1], "Z"))
        if not isinstance(body, str) and (head == "prod" or body[0] != "M" or e[1] in free_sort(body)):
            raise LogicError("a product of matrices over an index, or a sum whose shape depends on its index")
        return "R" if body == "Z" else body
    if head in ("call", "d"):
        at = 1 if head == "call" else 2
        if head == "d":
            _arity(e, 3, True)
            _integer(e[1], ctx)
        f = e[at] if len(e) > at else None
        fs = ctx.get(f) if isinstance(f, str) else None
        if not (isinstance(fs, tuple) and fs[0] == "F"):
            raise LogicError(f"{f!r} is no function here")
        if head == "d" and fs[3] != "smooth":
            raise LogicError(f"derivative of {f}, which is not declared smooth")
        args = e[at + 1 :]
        if len(args) != len(fs[1]) or not all(fits(sort_of(a, ctx), s) for a, s in zip(args, fs[1], strict=True)):
            raise LogicError(f"arguments of {f} do not fit")
        return fs[2]
    if head == "D":
        _arity(e, 3)
        _scalar(e[3], ctx)
        body = sort_of(e[2], bind(ctx, e[1], "R"))
        if body == "Z":
            return "R"
        if body != "R" and (body[0] != "M" or e[1] in free_sort(body)):
            raise LogicError("derivative of no scalar or matrix")
        return "R" if body == "Z" else body
    if head in ("tr", "det"):
        _arity(e, 1)
        _square(e[1], ctx)
        return "R"
    if head == "entry":
        _arity(e, 3)
        _matrix(e[1], ctx)
        _integer(e[2], ctx)
        _integer(e[3], ctx)
        return "R"
    if head == "op":
        return _op_sort(e, ctx)
    if head == "sm":
        _arity(e, 2)
        _scalar(e[1], ctx)
        return _matrix(e[2], ctx)
    if head == "mm":
        _arity(e, 2, True)
        shape = _matrix(e[1], ctx)
        for a in e[2:]:
            nxt = _matrix(a, ctx)
            if not same_dim(shape[2], nxt[1]):
                raise LogicError(f"product of a matrix with {shape[2]!r} columns and one with {nxt[1]!r} rows")
            shape = ("M", shape[1], nxt[2])
        return shape
    if head == "T":
        _arity(e, 1)
        _, r, c = _matrix(e[1], ctx)
        return ("M", c, r)
    if head == "inv":
        _arity(e, 1)
        return _square(e[1], ctx)
    if head == "I":
        _arity(e, 1)
        _integer(e[1], ctx)
        return ("M", e[1], e[1])
    if head in ("J", "O"):
        _arity(e, 2)
        _integer(e[1], ctx)
        _integer(e[2], ctx)
        return ("M", e[1], e[2])
    if head == "mpow":
        _arity(e, 2)
        _integer(e[2], ctx)
        return _square(e[1], ctx)
    if head == "mat":
        _arity(e, 1)
        rows = e[1]
        if not isinstance(rows, tuple) or not rows or not all(isinstance(r, tuple) for r in rows):
            raise LogicError("a literal matrix is a list of rows")
        if any(not r or len(r) != len(rows[0]) for r in rows):
            raise LogicError("a literal matrix has rows of equal positive length")
        for a in itertools.chain.from_iterable(rows):
            _scalar(a, ctx)
        return ("M", len(rows), len(rows[0]))
    if head == "had":
        _arity(e, 2)
        left = _matrix(e[1], ctx)
        if not same_sort(left, _matrix(e[2], ctx)):
            raise LogicError("entrywise product of matrices of different shapes")
        return left
    raise LogicError(f"unknown operator {head}")


def _op_sort(e: tuple[Any, ...], ctx: Context) -> Sort:
    from verify.kernel.facts import signature

    sig = signature(e[1] if len(e) > 1 else None)
    if len(e) - 2 != len(sig.args):
        raise LogicError(f"wrong number of arguments of {e[1]}")
    env: dict[str, Term] = {}

    def match(want: Sort, have: Sort) -> None:
        if isinstance(want, str) or isinstance(have, str):
            if not (want == have or (want == "R" and have == "Z")):
                raise LogicError(f"argument of {e[1]} has sort {have!r}, not {want!r}")
            return
        if have[0] != "M":
            raise LogicError(f"argument of {e[1]} is no matrix")
        for w, h in zip(want[1:], have[1:], strict=True):
            if isinstance(w, str) and w in sig.vars and w not in env:
                env[w] = h
            elif not same_dim(subst(w, env), h):
                raise LogicError(f"argument of {e[1]} has the wrong shape")

    for want, arg in zip(sig.args, e[2:], strict=True):
        match(want, sort_of(arg, ctx))
    return subst_sort(sig.value, env)


def check_formula(f: Formula, ctx: Context) -> None:
    """Raise LogicError unless the formula is well-sorted in the context."""
    if not isinstance(f, tuple) or not f:
        raise LogicError(f"no formula: {f!r}")
    head = f[0]
    if head in ("true", "false"):
        _arity(f, 0)
    elif head in ("=", "!="):
        _arity(f, 2)
        a, b = sort_of(f[1], ctx), sort_of(f[2], ctx)
        if a in ("R", "Z") and b in ("R", "Z"):
            return
        if isinstance(a, tuple) and a[0] == "M" and same_sort(a, b):
            return
        raise LogicError(f"sides of an equation have sorts {a!r} and {b!r}")
    elif head in ("<", "<="):
        _arity(f, 2)
        _scalar(f[1], ctx)
        _scalar(f[2], ctx)
    elif head == "not":
        _arity(f, 1)
        check_formula(f[1], ctx)
    elif head in ("and", "or"):
        _arity(f, 1, True)
        for a in f[1:]:
            check_formula(a, ctx)
    elif head in ("=>", "iff"):
        _arity(f, 2)
        check_formula(f[1], ctx)
        check_formula(f[2], ctx)
    elif head in ("all", "ex"):
        _arity(f, 2)
        check_formula(f[2], extend(ctx, f[1]))
    elif head == "tends":
        _arity(f, 3)
        a = sort_of(f[2], bind(ctx, f[1], "R"))
        b = sort_of(f[3], ctx)
        scalars = a in ("R", "Z") and b in ("R", "Z")
        matrices = isinstance(a, tuple) and a[0] == "M" and f[1] not in free_sort(a) and same_sort(a, b)
        if not (scalars or matrices):
            raise LogicError("a limit of another sort than the function")
    elif head == "tendsoo":
        _arity(f, 2)
        _scalar(f[2], bind(ctx, f[1], "R"))
    else:
        raise LogicError(f"unknown connective {head!r}")


def extend(ctx: Context, decls: Any) -> dict[str, Sort]:
    """The context with further declarations, each checked in turn."""
    out = dict(ctx)
    if not isinstance(decls, tuple) or not decls:
        raise LogicError("a quantifier without variables")
    seen: set[str] = set()
    for d in decls:
        if not isinstance(d, tuple) or len(d) != 2:
            raise LogicError(f"no declaration: {d!r}")
        check_name(d[0])
        check_sort(d[1], out)
        if d[0] in seen:
            raise LogicError(f"{d[0]} is declared twice in one quantifier")
        seen.add(d[0])
        out = bind(out, d[0], d[1])
    return out


# ---------------------------------------------------------------------------------------------- calculus


def dom(e: Term, v: str, ctx: Context) -> Formula:
    """The condition under which v -> e is smooth near v (LOGIC.md)."""
    out: list[Formula] = []
    _dom(e, v, ctx, out)
    return conj(out)


def _dom(e: Term, v: str, ctx: Context, out: list[Formula]) -> None:
    if v not in free(e) or isinstance(e, (int, str)):
        return
    head = e[0]
    bad = ("false",)
    if head in ("sum", "prod"):
        if head == "prod" or v in free(e[2]) | free(e[3]):
            out.append(bad)
            return
        i, body = e[1], e[4]
        if i == v:
            return
        inner: list[Formula] = []
        _dom(body, v, {**ctx, i: "Z"}, inner)
        if inner:
            guard = ("and", ("<=", e[2], i), ("<=", i, e[3]))
            if i in free(e[2]) | free(e[3]):
                j = fresh(i, free(e) | {v})
                guard = ("and", ("<=", e[2], j), ("<=", j, e[3]))
                inner = [subst(f, {i: j}) for f in inner]
                i = j
            out.append(("all", ((i, "Z"),), ("=>", guard, conj(inner))))
        return
    if head == "D":
        w, body, _ = e[1:]
        if w != v and dom(body, w, {**ctx, w: "R"}) == ("true",):
            _dom(evaluate_D(e, ctx), v, ctx, out)
        else:
            out.append(bad)
        return
    if head == "op":
        out.append(bad)
        return
    if head in ("call", "d"):
        at = 1 if head == "call" else 2
        fs = ctx.get(e[at])
        args = e[at + 1 :]
        smooth = isinstance(fs, tuple) and fs[0] == "F" and fs[3] == "smooth"
        if not smooth or any(v in free(a) for a in args[:-1]) or (head == "d" and v in free(e[1])):
            out.append(bad)
            return
        _dom(args[-1], v, ctx, out)
        if head == "d":
            _nonneg_order(e[1], out)
        return
    if head == "mat":
        for row in e[1]:
            for a in row:
                _dom(a, v, ctx, out)
        return
    for a in e[1:]:
        if not isinstance(a, (int, str)):
            _dom(a, v, ctx, out)
    if head == "/":
        if v in free(e[2]):
            out.append(("!=", e[2], 0))
    elif head == "^":
        if isinstance(e[2], int):
            if e[2] < 0:
                out.append(("!=", e[1], 0))
        elif v not in free(e[2]) and sort_of(e[2], ctx) == "Z":
            out.append(("!=", e[1], 0))
        else:
            out.append(("<", 0, e[1]))
    elif head in ("log", "sqrt"):
        out.append(("<", 0, e[1]))
    elif head == "inv":
        out.append(("!=", ("det", e[1]), 0))
    elif (
        head in ("abs", "min", "max")
        or (head == "entry" and (v in free(e[2]) or v in free(e[3])))
        or (head == "mpow" and v in free(e[2]))
    ):
        out.append(bad)
    elif head == "mpow":
        _nonneg_order(e[2], out)


def _nonneg_order(n: Term, out: list[Formula]) -> None:
    """Derivatives and matrix powers are what their names say for orders n >= 0 only."""
    if not isinstance(n, int):
        out.append(("<=", 0, n))
    elif n < 0:
        out.append(("false",))


def evaluate_D(e: Term, ctx: Context) -> Term:
    """Replace ["D", v, body, p] by the symbolic derivative at p (valid where dom holds at p)."""
    v, body, p = e[1:]
    inner = {**ctx, v: "R"}
    return subst(diff(body, v, inner), {v: p})


def plus(*parts: Term) -> Term:
    kept = [p for p in parts if p != 0]
    return 0 if not kept else kept[0] if len(kept) == 1 else ("+", *kept)


def times(*parts: Term) -> Term:
    if any(p == 0 for p in parts):
        return 0
    kept = [p for p in parts if p != 1]
    return 1 if not kept else kept[0] if len(kept) == 1 else ("*", *kept)


def diff(e: Term, v: str, ctx: Context) -> Term:
    """The symbolic derivative of e in v; raises LogicError for what has no rule."""
    d = _diff(e, v, ctx)
    if d is None:
        s = sort_of(e, ctx)
        return 0 if isinstance(s, str) else ("O", s[1], s[2])
    return d


def _diff(e: Term, v: str, ctx: Context) -> Term | None:
    """Like `diff`, with None for a zero of whatever sort."""
    if e == v:
        return 1
    if v not in free(e):
        return None
    head = e[0]

    def d(a: Term) -> Term | None:
        return _diff(a, v, ctx)

    def linear(parts: Iterator[Term | None]) -> Term | None:
        kept = [p for p in parts if p is not None]
        return None if not kept else kept[0] if len(kept) == 1 else ("+", *kept)

    if head == "+":
        return linear(d(a) for a in e[1:])
    if head in ("*", "mm"):
        args = e[1:]

        def term(i: int) -> Term | None:
            di = d(args[i])
            if di is None:
                return None
            parts = (*args[:i], di, *args[i + 1 :])
            return times(*parts) if head == "*" else ("mm", *parts)

        return linear(term(i) for i in range(len(args)))
    if head in ("sm", "had"):
        da, db = d(e[1]), d(e[2])
        parts = [] if da is None else [(head, da, e[2])]
        return linear(iter([*parts, None if db is None else (head, e[1], db)]))
    if head == "/":
        da, db = d(e[1]), d(e[2])
        parts = [] if da is None else [("/", da, e[2])]
        if db is not None:
            parts.append(("/", times(-1, e[1], db), ("^", e[2], 2)))
        return linear(iter(parts))
    if head == "^":
        a, n = e[1], e[2]
        da, dn = d(a), d(n)
        if isinstance(n, int):
            return None if n == 0 or da is None else times(n, ("^", a, n - 1) if n != 1 else 1, da)
        parts = []
        if da is not None:
            parts.append(times(n, ("^", a, ("+", n, -1)), da))
        if dn is not None:
            parts.append(times(e, ("log", a), dn))
        return linear(iter(parts))
    if head in UNARY:
        a = e[1]
        outer = {
            "exp": e,
            "log": ("/", 1, a),
            "sqrt": ("/", 1, ("*", 2, e)),
            "sin": ("cos", a),
            "cos": ("*", -1, ("sin", a)),
            "sinh": ("cosh", a),
            "cosh": ("sinh", a),
            "tanh": ("+", 1, ("*", -1, ("^", e, 2))),
            "asinh": ("/", 1, ("sqrt", ("+", ("^", a, 2), 1))),
        }.get(head)
        da = d(a)
        if outer is None or da is None:
            raise LogicError(f"no derivative rule for {head}")
        return times(outer, da)
    if head == "sum":
        if v in free(e[2]) | free(e[3]):
            raise LogicError("derivative of a sum in its bound")
        i, body = e[1], e[4]
        if i in free(e[2]) | free(e[3]) | {v}:
            j = fresh(i, free(e) | {v} | set(ctx))
            body, i = subst(body, {i: j}), j
        inner = _diff(body, v, {**ctx, i: "Z"})
        return None if inner is None else ("sum", i, e[2], e[3], inner)
    if head in ("call", "d"):
        at = 1 if head == "call" else 2
        args = e[at + 1 :]
        fs = ctx.get(e[at])
        if any(v in free(a) for a in args[:-1]) or not (isinstance(fs, tuple) and fs[-1] == "smooth"):
            raise LogicError(f"derivative of {e[at]} in another argument than its last, or of one that is not smooth")
        order = 1 if head == "call" else (e[1] + 1 if isinstance(e[1], int) else ("+", e[1], 1))
        outer_d = ("d", order, e[at], *args)
        inner_d = d(args[-1])
        if inner_d is None:
            return None
        if isinstance(fs[2], str):
            return times(outer_d, inner_d)
        return outer_d if inner_d == 1 else ("sm", inner_d, outer_d)
    if head in ("tr", "T"):
        da = d(e[1])
        return None if da is None else (head, da)
    if head == "entry":
        da = d(e[1])
        return None if da is None else ("entry", da, e[2], e[3])
    if head == "inv":
        da = d(e[1])
        return None if da is None else ("sm", -1, ("mm", e, da, e))
    if head == "mpow" and isinstance(e[2], int) and 1 <= e[2] <= 64:
        return d(("mm", *([e[1]] * e[2]))) if e[2] > 1 else d(e[1])
    if head == "mat":
        return ("mat", tuple(tuple(0 if (da := d(a)) is None else da for a in row) for row in e[1]))
    if head == "det":
        from verify.kernel.normal import expand_det

        return d(expand_det(e[1], ctx))
    if head == "D" and e[1] != v and dom(e[2], e[1], {**ctx, e[1]: "R"}) == ("true",):
        return d(evaluate_D(e, ctx))
    raise LogicError(f"no derivative rule for {head}")
