"""Perturbed statements: constants, signs, exponents, relations, operators, swapped symbols; deterministic order."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Iterable, Iterator
from typing import Any

from verify.kernel.terms import Formula, LogicError, canon, check_formula

SPARE = 8
"""How many more perturbations are drawn than are needed: some are ill-sorted, or equal to another."""

SWAPS = {"cosh": "sinh", "sinh": "cosh", "sin": "cos", "cos": "sin", "min": "max", "max": "min", "exp": "cosh"}


def perturbations(statement: Formula) -> list[tuple[str, Formula]]:
    """All single perturbations of a closed formula that are well-sorted and differ from it, with a word on each."""
    return list(_admissible(statement, _formula(statement, {})))


def sample(statement: Formula, count: int) -> list[tuple[str, Formula]]:
    """At most `count` perturbations, drawn with a seed that the statement gives: the same ones each time."""
    total = sum(1 for _ in _formula(statement, {}))
    seed = hashlib.sha256(repr(statement).encode()).hexdigest()
    order = random.Random(seed).sample(range(total), min(total, SPARE * count))
    rank = {index: k for k, index in enumerate(order)}
    found = [(rank[k], p) for k, p in enumerate(_formula(statement, {})) if k in rank]
    found.sort(key=lambda pair: pair[0])
    return list(itertools.islice(_admissible(statement, (p for _, p in found)), count))


def _admissible(statement: Formula, found: Iterable[tuple[str, Formula]]) -> Iterator[tuple[str, Formula]]:
    seen = {canon(statement)}
    for label, changed in found:
        try:
            check_formula(changed, {})
        except LogicError:
            continue
        form = canon(changed)
        if form not in seen:
            seen.add(form)
            yield label, changed


def _formula(f: Any, scope: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    head = f[0]
    if head in ("all", "ex"):
        inner = {**scope, **_partners(f[1])}
        for label, body in _formula(f[2], inner):
            yield label, (head, f[1], body)
    elif head in ("and", "or", "not", "=>", "iff"):
        for i in range(1, len(f)):
            for label, part in _formula(f[i], scope):
                yield label, (*f[:i], part, *f[i + 1 :])
        if head == "and" and len(f) > 2:
            yield "and to or", ("or", *f[1:])
        if head == "or":
            yield "or to and", ("and", *f[1:])
    elif head in ("<", "<="):
        yield "relation turned round", (head, f[2], f[1])
        yield ("relation made weak" if head == "<" else "relation made strict"), ("<=" if head == "<" else "<", *f[1:])
        yield from _sides(f, scope)
    elif head in ("=", "!="):
        yield "relation negated", ("!=" if head == "=" else "=", *f[1:])
        yield from _sides(f, scope)
    elif head == "tends":
        for label, body in _term(f[2], {**scope, f[1]: None}):
            yield label, (head, f[1], body, f[3])
        for label, limit in _term(f[3], scope):
            yield label, (head, f[1], f[2], limit)
    elif head == "tendsoo":
        for label, body in _term(f[2], {**scope, f[1]: None}):
            yield label, (head, f[1], body)


def _partners(decls: Any) -> dict[str, Any]:
    """For every variable of a quantifier another one of its sort, if there is one; not for functions.

    A time is not swapped for a parameter: that would make a differential equation one with delay, another kind of statement.
    """
    found: dict[str, Any] = {}
    for name, sort in decls:
        others = [n for n, s in decls if n != name and s == sort and not (isinstance(s, tuple) and s[0] == "F")]
        found[name] = others[0] if others else None
    return found


def _sides(f: Any, scope: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for i in (1, 2):
        for label, t in _term(f[i], scope):
            yield label, (*f[:i], t, *f[i + 1 :])


def _term(e: Any, scope: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(e, int):
        yield f"constant {e} to {e + 1}", e + 1
        if e not in (0, 1):
            yield f"constant {e} to {e - 1}", e - 1
        if e != 0:
            yield f"sign of {e}", -e
        return
    if isinstance(e, str):
        other = scope.get(e)
        if other is not None:
            yield f"{e} to {other}", other
        return
    head = e[0]
    if head == "q":
        yield f"constant {e[1]}/{e[2]} doubled", ("*", 2, e)
        yield f"sign of {e[1]}/{e[2]}", ("*", -1, e)
        return
    if head in SWAPS:
        yield f"{head} to {SWAPS[head]}", (SWAPS[head], *e[1:])
    if head == "+":
        for i in range(1, len(e)):
            part = e[i]
            if not isinstance(part, int):
                for flipped in (("*", -1, part), ("sm", -1, part)):
                    yield f"sign of term {i}", (*e[:i], flipped, *e[i + 1 :])
    if head == "/":
        yield "fraction turned round", ("/", e[2], e[1])
    if head == "T":
        yield "transpose dropped", e[1]
    if head == "mm":
        yield "factors swapped", ("mm", *reversed(e[1:]))
    if head in ("sum", "prod"):
        for label, body in _term(e[4], {**scope, e[1]: None}):
            yield label, (*e[:4], body)
        for i in (2, 3):
            for label, bound in _term(e[i], scope):
                yield f"bound: {label}", (*e[:i], bound, *e[i + 1 :])
        return
    if head == "D":
        for label, body in _term(e[2], {**scope, e[1]: None}):
            yield label, ("D", e[1], body, e[3])
        return
    if head == "d":
        if isinstance(e[1], int):
            yield "order of a derivative", ("d", e[1] + 1, *e[2:])
        for i in range(3, len(e)):
            for label, a in _term(e[i], scope):
                yield label, (*e[:i], a, *e[i + 1 :])
        return
    if head == "mat":
        for i, row in enumerate(e[1]):
            for j, a in enumerate(row):
                for label, b in _term(a, scope):
                    new = (*row[:j], b, *row[j + 1 :])
                    yield label, ("mat", (*e[1][:i], new, *e[1][i + 1 :]))
        return
    if head in ("I", "J", "O"):
        return
    start = 2 if head in ("call", "op") else 1
    for i in range(start, len(e)):
        for label, a in _term(e[i], scope):
            yield label, (*e[:i], a, *e[i + 1 :])
