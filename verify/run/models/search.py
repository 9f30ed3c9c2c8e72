"""The search for a counterexample: worlds in which the hypotheses are certainly true, and the conclusion certainly false."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import flint
from flint import fmpq

from verify.kernel.finite import Evaluator
from verify.kernel.terms import Formula, LogicError, Sort, free, subst
from verify.run import derived
from verify.run.models.flows import equations_of_motion
from verify.run.models.solve import Dead, Solver
from verify.run.models.values import Series
from verify.run.models.world import Failure, TooLong, World

BITS = 120
TRIES = 32
SECONDS = 1.5
"""Time of this process that a search for worlds may take, and half of what a statement may."""
STEPS = 20_000
"""How many terms are evaluated while a world is made."""
FEW_STEPS = 6_000
"""How many terms are evaluated while a conclusion is judged in a world."""
BUDGET = 200_000
"""Steps of the exact evaluation of a statement about finitely many integers."""
WORLDS = 8
"""How many worlds are kept for one list of hypotheses."""

BARREN = 6
"""After how many tries without a world the search is given up."""

Decls = tuple[tuple[str, Sort], ...]


def counterexample(statement: Formula, tries: int = TRIES, seed: int = 1) -> dict[str, Any] | None:
    """A model (as plain data) in which every hypothesis is certainly true and the conclusion certainly false, or None."""
    try:
        return None if Evaluator(BUDGET).holds(statement, {}) else {"kind": "exact evaluation of all instances"}
    except LogicError:
        pass  # the statement is not about finitely many integers
    with flint.ctx.workprec(BITS):
        began = time.process_time()
        for decls, hypotheses, conclusion in goals(statement):
            for world in worlds(decls, hypotheses, tries, seed):
                if time.process_time() - began > 2 * SECONDS:
                    return None
                trial = copy(world)
                try:
                    if trial.holds(conclusion) is False:
                        return show(trial)
                except TooLong:
                    continue
    return None


@lru_cache(maxsize=64)
def worlds(decls: Decls, hypotheses: tuple[Formula, ...], tries: int, seed: int) -> tuple[World, ...]:
    """Worlds in which the hypotheses are certainly true: still ones and moving ones in turn."""
    found: list[World] = []
    began = time.process_time()
    moves = any(isinstance(s, tuple) and s[0] == "F" and s[3] == "smooth" for _, s in decls)
    for k in range(tries):
        if time.process_time() - began > SECONDS:
            break
        world = World(random.Random(f"{seed}:{k}"), dict(decls), steps=STEPS)
        try:
            if moves and k % 2:
                _set_in_motion(world, hypotheses)
            else:
                Solver(world, hypotheses).run()
                if not all(world.holds(h) is True for h in hypotheses):
                    continue
        except (Dead, TooLong, *Failure):
            if not found and k >= BARREN:
                break
            continue
        found.append(world)
        if len(found) == WORLDS:
            break
    return tuple(found)


def _set_in_motion(world: World, hypotheses: tuple[Formula, ...]) -> None:
    solver = Solver(world, [h for h in hypotheses if h[0] in ("<", "<=", "!=")])
    world.unknown = True
    solver.draw_integers()
    flow, rest = equations_of_motion(world, hypotheses)
    world.flow = flow.initial
    solver.hypotheses = [*rest, *(h for h in hypotheses if h not in rest)]
    solver.run()
    flow.start()
    if not all(world.holds(h) is True for h in rest):
        raise Dead


def copy(world: World) -> World:
    return World(
        random.Random(world.rng.random()),
        dict(world.sorts),
        dict(world.values),
        dict(world.table),
        steps=FEW_STEPS,
        flow=world.flow,
    )


def goals(f: Formula) -> Iterator[tuple[Decls, tuple[Formula, ...], Formula]]:
    """The conclusions of a statement, each with its variables and hypotheses; what is defined by an equation is put in."""
    for decls, hypotheses, conclusion in derived.goals(f):
        yield _wrapped(*_unfolded(decls, hypotheses, conclusion))


def _unfolded(decls: Decls, hypotheses: tuple[Formula, ...], conclusion: Formula) -> tuple[Decls, tuple[Formula, ...], Formula]:
    """Replace a variable x by e where `x = e` is a hypothesis: for all x with it is for x = e."""
    for k, h in enumerate(hypotheses):
        for x, e in ((h[1], h[2]), (h[2], h[1])) if h[0] == "=" else ():
            sort = dict(decls).get(x) if isinstance(x, str) else None
            if sort is None or sort == "Z" or sort[0] == "F" or x in free(e):
                continue
            others = tuple(subst(g, {x: e}) for g in (*hypotheses[:k], *hypotheses[k + 1 :]))
            kept = tuple((n, s) for n, s in decls if n != x)
            return _unfolded(kept, others, subst(conclusion, {x: e}))
    return decls, hypotheses, conclusion


def _wrapped(decls: Decls, hypotheses: tuple[Formula, ...], conclusion: Formula) -> tuple[Decls, tuple[Formula, ...], Formula]:
    """Quantify the last integers and times again: the world tries all of them."""
    probe = World(random.Random(0), dict(decls))
    at = len(decls)
    while at and (
        decls[at - 1][1] == "Z"
        or (decls[at - 1][1] == "R" and all(probe.is_time(decls[at - 1][0], f) for f in (*hypotheses, conclusion)))
    ):
        at -= 1
    tail = {n for n, _ in decls[at:]}
    if not tail or not at:
        return decls, hypotheses, conclusion
    inside = tuple(h for h in hypotheses if free(h) & tail)
    body = ("=>", ("and", *inside), conclusion) if inside else conclusion
    return decls[:at], tuple(h for h in hypotheses if h not in inside), ("all", decls[at:], body)


def show(world: World) -> dict[str, Any]:
    """The values, as plain data."""

    def text(v: Any) -> Any:
        if isinstance(v, list):
            return [[text(x) for x in r] for r in v]
        if isinstance(v, Series):
            return [text(x) for x in v.c]
        return str(v) if isinstance(v, fmpq) else v.str(20) if hasattr(v, "str") else str(v)

    out: dict[str, Any] = {n: text(v) for n, v in sorted(world.values.items())}
    for (f, args), v in sorted(world.table.items(), key=repr):
        out[f"{f}({', '.join(str(a) for a in args)})"] = text(v)
    timed = any(isinstance(s, tuple) and s[0] == "F" and s[1][-1] == "R" for s in world.sorts.values())
    if timed:
        out["kind"] = "functions of time are constant" if world.flow is None else "flow with these values at time 0"
    return out
