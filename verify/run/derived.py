"""Formulas that the engine derives from a bound one: the same hypotheses with the conclusion `false`, and that they can be met.

Both are made mechanically, so that their proofs can be stored beside the claim's own and need no script: a formula that is
*void* has a proof of `voided(f)`; a *witness* is a proof of `satisfiable(f)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verify.kernel.terms import Formula, Sort, free, fresh, negate, same, subst, subst_sort

Decls = tuple[tuple[str, Sort], ...]
Goal = tuple[Decls, tuple[Formula, ...], Formula]
FALSE: Formula = ("false",)


def voided(f: Formula) -> Formula:
    """The formula with each innermost conclusion replaced by `false`; quantifiers and hypotheses stay.

    `all x. H => A and B` becomes `all x. H => false`. Of a conjunction of statements with hypotheses of their own each is voided:
    the whole says nothing only if every one says nothing.
    """
    if f[0] == "all":
        inner = voided(f[2])
        return FALSE if inner == FALSE else ("all", f[1], inner)
    if f[0] == "=>":
        return ("=>", f[1], voided(f[2]))
    if f[0] == "and":
        parts = [voided(a) for a in f[1:]]
        return FALSE if FALSE in parts else ("and", *parts)
    return FALSE


def assumes(f: Formula) -> bool:
    """Whether a formula has a hypothesis."""
    return satisfiable(f) is not None


def satisfiable(f: Formula) -> Formula | None:
    """That values of the outer universal variables meet all hypotheses; None for a formula without hypotheses.

    `all x. H => (A and all y. G => B)` gives `ex x y. H and G`. Statements joined by `and` with hypotheses of their own give a
    conjunction; one whose hypotheses begin those of another adds nothing.
    """
    found: list[tuple[Decls, tuple[Formula, ...]]] = []
    for decls, hypotheses, _ in goals(f):
        if hypotheses and (decls, hypotheses) not in found:
            found.append((decls, hypotheses))
    kept = [a for a in found if not any(a is not b and _begins(a, b) for b in found)]
    parts: list[Formula] = []
    for decls, hypotheses in kept:
        body: Formula = hypotheses[0] if len(hypotheses) == 1 else ("and", *hypotheses)
        part = ("ex", decls, body) if decls else body
        if not any(same(part, other) for other in parts):
            parts.append(part)
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else ("and", *parts)


def _begins(a: tuple[Decls, tuple[Formula, ...]], b: tuple[Decls, tuple[Formula, ...]]) -> bool:
    return b[0][: len(a[0])] == a[0] and b[1][: len(a[1])] == a[1]


def goals(f: Formula) -> Iterator[Goal]:
    """The conclusions of a statement, each with its variables (all different) and its hypotheses, conjunctions taken apart."""
    yield from _goals(f, (), ())


def _goals(f: Formula, decls: Decls, hypotheses: tuple[Formula, ...]) -> Iterator[Goal]:
    if f[0] == "all":
        taken = {n for n, _ in decls}
        renaming: dict[str, str] = {}
        more: list[tuple[str, Sort]] = []
        for name, sort in f[1]:
            new = fresh(name, taken) if name in taken else name
            more.append((new, subst_sort(sort, renaming)))
            if new != name:
                renaming[name] = new
            taken.add(new)
        yield from _goals(subst(f[2], renaming), (*decls, *more), hypotheses)
    elif f[0] == "=>":
        yield from _goals(f[2], decls, (*hypotheses, *conjuncts(f[1])))
    elif f[0] == "and":
        for a in f[1:]:
            yield from _goals(a, decls, hypotheses)
    else:
        yield decls, hypotheses, f


def conjuncts(f: Formula) -> Iterator[Formula]:
    """The members of a conjunction, and of conjunctions in it."""
    if f[0] == "and":
        for a in f[1:]:
            yield from conjuncts(a)
    else:
        yield f


def says_nothing(f: Formula) -> bool:
    """Whether a formula is true by its form alone, so that it cannot encode a sentence: `true and true`, `x = x`, `A => A`."""
    return _plain(f, ())


def _plain(f: Formula, given: tuple[Formula, ...]) -> bool:
    head = f[0]
    if head == "true" or any(same(f, g) for g in given):
        return True
    if head in ("=", "<="):
        return same(f[1], f[2]) or _literals(f)
    if head in ("<", "!="):
        return _literals(f)
    if head == "and":
        return all(_plain(a, given) for a in f[1:])
    if head == "or":
        return any(_plain(a, given) for a in f[1:]) or any(same(negate(a), b) for a in f[1:] for b in f[1:])
    if head == "not":
        return _absurd(f[1])
    if head == "=>":
        return _absurd(f[1]) or _plain(f[2], (*given, *conjuncts(f[1])))
    if head == "iff":
        return same(f[1], f[2])
    if head in ("all", "ex"):
        return _plain(f[2], tuple(g for g in given if not free(g) & {n for n, _ in f[1]}))
    return False


def _absurd(f: Formula) -> bool:
    return f == FALSE or (f[0] in ("and", "or") and (any if f[0] == "and" else all)(_absurd(a) for a in f[1:]))


def _literals(f: Formula) -> bool:
    """A comparison of two integer literals that is true."""
    a, b = f[1:]
    if not (isinstance(a, int) and isinstance(b, int)):
        return False
    return {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b}[f[0]]


def meets(given: Formula, statement: Formula) -> bool:
    """Whether a formula says that the hypotheses of a statement can be met: it is the derived formula, or an instance of it.

    In an instance terms stand for some of the variables; those that are left, among them all functions, are bound by `ex`.
    """
    wanted = satisfiable(statement)
    if wanted is None:
        return False
    if same(given, wanted):
        return True
    parts = wanted[1:] if wanted[0] == "and" and all(p[0] == "ex" for p in wanted[1:]) else (wanted,)
    mine = given[1:] if len(parts) > 1 and given[0] == "and" and len(given) - 1 == len(parts) else (given,)
    return len(parts) == len(mine) and all(_instance(g, p) for g, p in zip(mine, parts, strict=True))


def _instance(given: Formula, wanted: Formula) -> bool:
    if wanted[0] != "ex":
        return same(given, wanted)
    left = dict(given[1]) if given[0] == "ex" else {}
    found: dict[str, Any] = {}
    if not _match(wanted[2], given[2] if given[0] == "ex" else given, dict(wanted[1]), found):
        return False
    functions = [n for n, s in wanted[1] if isinstance(s, tuple) and s[0] == "F"]
    return all(found.get(n, next(iter(left), None)) in left for n in functions)


def _match(pattern: Any, given: Any, holes: dict[str, Sort], found: dict[str, Any]) -> bool:
    """Whether terms for the holes make the first formula the second."""
    if isinstance(pattern, str) and pattern in holes:
        return bool(found.setdefault(pattern, given) == given)
    if not isinstance(pattern, tuple) or not isinstance(given, tuple):
        return bool(pattern == given)
    if len(pattern) != len(given):
        return False
    if pattern and pattern[0] in ("all", "ex", "lam"):
        inner = {n: s for n, s in holes.items() if n not in {m for m, _ in pattern[1]}}
        names = dict(zip((n for n, _ in given[1]), (n for n, _ in pattern[1]), strict=False))
        if pattern[0] != given[0] or len(pattern[1]) != len(given[1]):
            return False
        return _match(pattern[2], subst(given[2], names), inner, found)
    return all(_match(p, g, holes, found) for p, g in zip(pattern, given, strict=True))
