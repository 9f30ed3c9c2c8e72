"""Each fact of the library, attacked: a seeded search for parameters at which an instance is certainly false."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from verify.kernel.facts import Fact, instance, library
from verify.kernel.library.__main__ import TARGET, build
from verify.kernel.syntax import parse_term
from verify.kernel.terms import subst_sort
from verify.run.models import counterexample

FUNCTIONS = {
    (("R",), "R"): ["lam t:R. t^2 - t", "lam t:R. exp(-t)", "lam t:R. 3", "lam t:R. t^3 + 1/2", "lam t:R. 1/(1 + t^2)", "lam t:R. -t"],
    (("Z",), "R"): ["lam i:Z. i^2 - 2", "lam i:Z. 1", "lam i:Z. (-1)^i", "lam i:Z. 1/(i^2 + 1)", "lam i:Z. -i"],
    (("Z", "Z"), "R"): ["lam i:Z, j:Z. i*j - j", "lam i:Z, j:Z. 1", "lam i:Z, j:Z. i - 2*j"],
}  # fmt: skip


def function(sort: Any, rng: random.Random) -> Any:
    """A lambda of a sort: from the list, or for another sort a constant or a linear one, by its value."""
    options = FUNCTIONS.get((sort[1], sort[2]))
    if options is not None:
        return parse_term(rng.choice(options))
    declared = tuple((f"v{k}", s) for k, s in enumerate(sort[1]))
    return ("lam", declared, rng.choice(list(bodies(declared, sort[2]))))


def bodies(declared: tuple[tuple[str, Any], ...], value: Any) -> Iterator[Any]:
    """Terms of sort `value` in the declared variables."""
    if value in ("R", "Z"):
        yield 2
        for name, sort in declared:
            yield name if sort in ("R", "Z") else ("tr", ("mm", ("T", name), name))
        return
    rows, columns = value[1:]
    yield ("O", rows, columns)
    yield ("J", rows, columns)
    for name, sort in declared:
        yield ("sm", name, ("J", rows, columns)) if sort in ("R", "Z") else name


def how_many(fact: Fact) -> int:
    """How many choices of the parameters are tried: few where functions of matrices make each of them slow."""
    return 6 if all(s[1:] in FUNCTIONS for _, s in fact.params if isinstance(s, tuple) and s[0] == "L") else 2


def choices(fact: Fact) -> Iterator[tuple[dict[str, Any], tuple[Any, ...]]]:
    """Contexts and parameters: scalars and matrices as fresh variables, dimensions as small literals, functions by `function`."""
    rng = random.Random(fact.name)
    dims = {v for _, s in fact.params if isinstance(s, tuple) and s[0] in ("M", "L") for v in _dimension_names(s)}
    for _ in range(how_many(fact)):
        ctx: dict[str, Any] = {}
        env: dict[str, Any] = {}
        params: list[Any] = []
        for name, sort in fact.params:
            sort = subst_sort(sort, env)
            if isinstance(sort, tuple) and sort[0] == "L":
                value = function(sort, rng)
            elif sort == "Z" and name in dims:
                value = rng.choice((1, 2, 3))
            else:
                value = f"p_{name}"
                ctx[value] = sort
            env[name] = value
            params.append(value)
        yield ctx, tuple(params)


def _dimension_names(sort: Any) -> set[str]:
    from verify.kernel.terms import free_sort

    return set(free_sort(sort))


@pytest.mark.parametrize("name", sorted(library()[0]))
def test_no_instance_of_a_fact_is_certainly_false(name: str) -> None:
    tried = 0
    for ctx, params in choices(library()[0][name]):
        formula = instance(name, params, ctx)
        closed = ("all", tuple(ctx.items()), formula) if ctx else formula
        assert counterexample(closed, tries=25, seed=7) is None
        tried += 1
    assert tried == how_many(library()[0][name])


def test_a_wrong_fact_would_be_found() -> None:
    from verify.kernel import parse

    assert counterexample(parse("all x y:R. abs(x + y) = abs(x) + abs(y)"), tries=25, seed=7) is not None


def test_the_committed_library_is_the_one_that_its_source_gives() -> None:
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-m", "verify.kernel.library", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert TARGET.is_file() and callable(build)


def test_every_axiom_names_its_source_and_says_what_it_is() -> None:
    for fact in library()[0].values():
        assert fact.says and fact.source and fact.kind in ("definition", "calculus", "axiom")


def test_a_flow_is_not_refuted_by_values_at_another_time() -> None:
    from verify.kernel import parse

    true = parse("all x:R~>R, w:R. 0 < w => x(0) = 1 => (all t:R. 0 <= t => x'(t) = x(t)) => 0 < x(w)")
    assert counterexample(true, tries=40, seed=3) is None
    false = parse("all x:R~>R, t:R. (all t:R. 0 <= t => x'(t) = x(t)) => 0 <= t => x'(t) = 2*x(t)")
    assert counterexample(false, tries=40, seed=3) is not None
