"""Which hypotheses of a claim are needed: its parts `without-...` and `...-needed`, each of which drops one."""

from __future__ import annotations

from collections.abc import Iterator

from verify.registry import Binding
from verify.report.links import Here
from verify.report.words import table
from verify.run.results import denies

BEFORE, AFTER = "part:without-", "-needed"


def necessity(here: Here, claim: str) -> Iterator[str]:
    """A table of the hypotheses that were dropped; nothing when there are none."""
    rows = [_row(here, binding) for binding in dropping(here, claim)]
    if rows:
        yield "**Necessity of the hypotheses**"
        yield table(["hypothesis dropped", "does the conclusion survive?", "what happens", "shown by"], rows)


def dropping(here: Here, claim: str) -> list[Binding]:
    """The parts that drop a hypothesis; a part that decides another reading is none."""
    registry = here.material.project.registry
    decision = registry.decisions.get(claim)
    readings = set() if decision is None else {reading.role for reading in decision.readings}
    parts = (b for b in registry.roles(claim) if b.role.startswith("part:") and b.role not in readings)
    return [b for b in parts if b.role.startswith(BEFORE) or b.role.endswith(AFTER)]


def _row(here: Here, binding: Binding) -> list[str]:
    name = binding.role.removeprefix(BEFORE).removeprefix("part:").removesuffix(AFTER).replace("-", " ")
    why = here.material.results.why_not(binding.claim, binding.role)
    formula = here.material.encoded(binding.claim, binding.role)
    survives = "not decided" if why else "no: a counterexample" if denies(formula) else "yes: a proof"
    return [name, survives, here.cell(binding.says), here.detail(binding.claim, binding.role, binding.role.removeprefix("part:"))]
