"""Instances of every fact of the library: the kernel and the checker put the same parameters in, and make the same formula.

The parameters have the names that the fact binds itself, so that one that is captured is seen.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.recheck.support import LIBRARY, J
from verify.kernel.facts import instance, library
from verify.kernel.terms import LogicError, fits, freeze, sort_of, subst_sort, thaw
from verify.recheck import Refused, read_formula
from verify.recheck.terms import read_sort

FACTS = library()[0]


def bound(f: Any) -> list[str]:
    """The names that a formula binds."""
    if not isinstance(f, tuple) or not f:
        return []
    here: list[str] = []
    if f[0] in ("all", "ex"):
        here = [name for name, _ in f[1]]
    elif f[0] in ("sum", "prod", "D", "tends", "tendsoo"):
        here = [f[1]]
    return here + [name for part in f[1:] for name in bound(part)]


def setting(name: str, divided: bool) -> tuple[dict[str, Any], list[J]]:
    """A context and parameters over it; lambdas are functions of the context, or these divided by their last argument."""
    fact = FACTS[name]
    wishes = [*dict.fromkeys(bound(fact.formula)), *(f"p{k}" for k in range(len(fact.params)))]
    ctx: dict[str, Any] = {}
    env: dict[str, Any] = {}
    params: list[J] = []
    for k, (old, sort) in enumerate(fact.params):
        sort, new = subst_sort(sort, env), wishes[k]
        if sort[0] != "L":
            ctx[new], env[old] = sort, new
            params.append(new)
            continue
        smooth = sort[1][-1] == "R" and sort[2] != "Z"
        ctx[new] = ("F", sort[1], sort[2], "smooth" if smooth else "any")
        args = [f"a{j}" for j in range(len(sort[1]))]
        body: J = ["call", new, *args]
        if divided and smooth:
            body = ["/", body, args[-1]] if sort[2] == "R" else ["sm", ["/", 1, args[-1]], body]
        params.append(["lam", [[a, thaw(s)] for a, s in zip(args, sort[1], strict=True)], body])
        env[old] = freeze(params[-1])
    return ctx, params


@pytest.mark.parametrize("divided", [False, True])
@pytest.mark.parametrize("name", sorted(FACTS))
def test_both_make_the_same_formula(name: str, divided: bool) -> None:
    ctx, params = setting(name, divided)
    made = json.loads(json.dumps(thaw(instance(name, tuple(freeze(p) for p in params), ctx))))
    decls = {x: read_sort(json.loads(json.dumps(thaw(s)))) for x, s in ctx.items()}
    assert read_formula(made) == LIBRARY.instance(name, params, decls)[1]


@pytest.mark.parametrize("name", sorted(name for name, fact in FACTS.items() if fact.params))
def test_both_refuse_parameters_of_other_sorts(name: str) -> None:
    """One parameter too few, one too many, and each in turn replaced by the term of another sort."""
    ctx, params = setting(name, divided=False)
    ctx = {**ctx, "other_matrix": ("M", 17, 19), "other_number": "R"}
    decls = {x: read_sort(json.loads(json.dumps(thaw(s)))) for x, s in ctx.items()}
    wrong = [params[:-1], [*params, 1]]
    for k, p in enumerate(params):
        for term in ("other_matrix", "other_number"):
            if isinstance(p, list) or not fits(sort_of(term, ctx), ctx[p]):
                wrong.append([*params[:k], term, *params[k + 1 :]])
    for given in wrong:
        with pytest.raises(LogicError):
            instance(name, tuple(freeze(p) for p in given), ctx)
        with pytest.raises(Refused):
            LIBRARY.instance(name, given, decls)
