"""The library of facts (`facts.json`): definitions, textbook calculus, axioms from the literature, signatures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from verify.kernel.terms import (
    Context,
    Formula,
    LogicError,
    Sort,
    apply_lam,
    bind,
    check_formula,
    check_sort,
    dom,
    extend,
    fits,
    free_sort,
    freeze,
    same_sort,
    sort_of,
    subst,
    subst_sort,
)


@dataclass(frozen=True)
class Signature:
    """A constant symbol: argument sorts over dimension variables, value sort, meaning in words."""

    name: str
    args: tuple[Sort, ...]
    value: Sort
    vars: tuple[str, ...]
    says: str


@dataclass(frozen=True)
class Fact:
    """A named formula with parameters; kind is definition, calculus or axiom."""

    name: str
    kind: str
    params: tuple[tuple[str, Sort], ...]
    formula: Formula
    says: str
    source: str


@lru_cache(maxsize=1)
def library() -> tuple[dict[str, Fact], dict[str, Signature]]:
    text = resources.files("verify.kernel").joinpath("facts.json").read_text(encoding="utf-8")
    facts: dict[str, Fact] = {}
    signatures: dict[str, Signature] = {}
    for entry in json.loads(text):
        if entry["kind"] == "signature":
            signatures[entry["name"]] = Signature(
                entry["name"], freeze(entry["args"]), freeze(entry["value"]), tuple(v for v, _ in entry["vars"]), entry["says"]
            )
        else:
            facts[entry["name"]] = Fact(
                entry["name"], entry["kind"], freeze(entry["params"]), freeze(entry["formula"]), entry["says"], entry["source"]
            )
    return facts, signatures


def signature(name: Any) -> Signature:
    found = library()[1].get(name) if isinstance(name, str) else None
    if found is None:
        raise LogicError(f"unknown constant {name!r}")
    return found


def fact(name: Any) -> Fact:
    found = library()[0].get(name) if isinstance(name, str) else None
    if found is None:
        raise LogicError(f"unknown fact {name!r}")
    return found


def check_term(term: Any, sort: Sort, ctx: Context) -> None:
    """Raise unless the term (a lambda for a sort of functions) has the sort in the context."""
    if isinstance(sort, tuple) and sort[0] in ("F", "L"):
        if not (isinstance(term, tuple) and len(term) == 3 and term[0] == "lam"):
            raise LogicError("a function is expected: [lam, declarations, body]")
        if len(term[1]) != len(sort[1]):
            raise LogicError("a function with another number of arguments is expected")
        inner = ctx
        for (name, have), want in zip(term[1], sort[1], strict=True):
            check_sort(have, inner)
            if not same_sort(have, want):
                raise LogicError(f"the argument {name} has the wrong sort")
            inner = bind(inner, name, have)
        names = {n for n, _ in term[1]}
        if len(names) != len(term[1]) or names & free_sort(sort):
            raise LogicError("an argument is declared twice, or hides a variable that the function's sort mentions")
        if not fits(sort_of(term[2], inner), sort[2]):
            raise LogicError("the value of the function has the wrong sort")
        return
    if not fits(sort_of(term, ctx), sort):
        raise LogicError(f"a term of sort {sort!r} is expected, not {sort_of(term, ctx)!r}")


def instance(name: Any, params: tuple[Any, ...], ctx: Context) -> Formula:
    """The instance of a fact for the given parameters, well-sorted in the context."""
    f = fact(name)
    if len(params) != len(f.params):
        raise LogicError(f"the fact {name} has {len(f.params)} parameters")
    env: dict[str, Any] = {}
    for (pname, psort), value in zip(f.params, params, strict=True):
        check_term(value, subst_sort(psort, env), ctx)
        env[pname] = value
    formula = _put(f.formula, env, ctx)
    check_formula(formula, ctx)
    return formula


def _put(e: Any, env: dict[str, Any], ctx: Context) -> Any:
    """Substitute parameters and expand `app` and `dom`; bound names of the fact are renamed away from the parameters."""
    if isinstance(e, str):
        return env.get(e, e)
    if isinstance(e, int):
        return e
    head = e[0]
    if head == "q":
        return e
    if head in ("app", "dom"):
        lam = env[e[1]]
        args = tuple(_put(a, env, ctx) for a in e[2:])
        if head == "app":
            return apply_lam(lam, args)
        body, names = lam[2], [n for n, _ in lam[1]]
        condition = dom(body, names[-1], extend(ctx, lam[1]))
        return subst(condition, dict(zip(names, args, strict=True)))
    if head in ("all", "ex"):
        inner, scope = dict(env), dict(ctx)
        decls = []
        for name, sort in e[1]:
            s = subst_sort(sort, inner)
            new = _rename(name, inner, scope)
            inner[name] = new
            scope[new] = s
            decls.append((new, s))
        return (head, tuple(decls), _put(e[2], inner, scope))
    if head in ("sum", "prod", "D", "tends", "tendsoo"):
        new = _rename(e[1], env, ctx)
        inner, scope = {**env, e[1]: new}, {**ctx, new: "Z" if head in ("sum", "prod") else "R"}
        if head in ("sum", "prod"):
            return (head, new, _put(e[2], env, ctx), _put(e[3], env, ctx), _put(e[4], inner, scope))
        if head == "tendsoo":
            return (head, new, _put(e[2], inner, scope))
        return (head, new, _put(e[2], inner, scope), _put(e[3], env, ctx))
    if head == "op":
        return ("op", e[1], *(_put(a, env, ctx) for a in e[2:]))
    if head == "mat":
        return ("mat", tuple(tuple(_put(a, env, ctx) for a in row) for row in e[1]))
    if head in ("call", "d"):
        at = 1 if head == "call" else 2
        f = env.get(e[at], e[at])
        if not isinstance(f, str):
            raise LogicError("a parameter that is a function is applied with app")
        lead = () if head == "call" else (_put(e[1], env, ctx),)
        return (head, *lead, f, *(_put(a, env, ctx) for a in e[at + 1 :]))
    return (head, *(_put(a, env, ctx) for a in e[1:]))


def _rename(name: str, env: dict[str, Any], ctx: Context) -> str:
    """A bound name of a fact that neither hides a variable of the goal nor is mentioned by a parameter."""
    taken = set(ctx) | {v for v in env.values() if isinstance(v, str)}
    if name not in taken:
        return name
    k = 1
    while f"{name}_{k}" in taken:
        k += 1
    return f"{name}_{k}"
