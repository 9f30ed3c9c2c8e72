"""Mutation: perturb each encoded statement and decide it anew.

A mutant is *killed* by a counterexample (`verify.run.models`) or by an accepted proof of its negation, *excused* by an
accepted proof without trusted steps that it is true as well, else *inconclusive*. It *survives* if it was decided true
without such a proof: the kernel's proof was refused by the checker, or there is a counterexample beside it. The claim's own
script is the prover: it is run on every mutant.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from verify.kernel import freeze, negate, pretty
from verify.kernel.terms import thaw
from verify.project import Project
from verify.registry import NEGATION, STATEMENT
from verify.run import certificates, checking, mutants
from verify.run.engine import Settings, run
from verify.run.evidence import summarise
from verify.run.files import canonical, digest, sha256, write
from verify.run.perturb import sample
from verify.run.pool import Pool
from verify.run.progress import Progress
from verify.run.results import PROVED, RoleResult

BATCH = 12
"""Statements between two recordings."""
COUNT = 8
"""Mutants of one statement."""
SECONDS = 15.0
"""What the script may take on one mutant."""
SEARCH_SECONDS = 60.0
"""What the search for a counterexample may take at most; it gives up much earlier by itself."""


@dataclass
class Mutant:
    """One perturbed statement and how it fared."""

    claim: str
    number: int
    label: str
    formula: Any
    counterexample: dict[str, Any] | None = None
    unsearched: bool = False
    """Whether the search for a counterexample ended with its process, or was too slow."""
    proof: Any = None  # of the mutant, or of its negation for a refuted claim
    trusted: bool = False
    accepted: bool = False
    refused: str = ""

    def fate(self, refuted: bool) -> str:
        """killed, excused, inconclusive or survived."""
        if refuted:
            return "killed" if self.counterexample is not None or self.accepted else "inconclusive"
        if self.proof is not None and (self.counterexample is not None or not self.accepted):
            return "survived"
        if self.counterexample is not None:
            return "killed"
        return "excused" if self.accepted and not self.trusted else "inconclusive"


@dataclass
class Report:
    """Counts by claim, and the survivors."""

    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    survivors: list[str] = field(default_factory=list)
    unsearched: int = 0
    """How many searches for a counterexample were cut short."""

    def total(self, what: str) -> int:
        return sum(int(e[what]) for e in self.entries.values())

    def lines(self) -> Iterable[str]:
        """For a reader."""
        for claim, e in sorted(self.entries.items()):
            yield f"{claim}: {e['tried']} tried, {e['killed']} killed, {e['excused']} excused, {e['inconclusive']} inconclusive"
        yield (
            f"{len(self.entries)} statements, {self.total('tried')} mutants: {self.total('killed')} killed, "
            f"{self.total('excused')} excused, {self.total('inconclusive')} inconclusive, {len(self.survivors)} survived"
        )
        if self.unsearched:
            yield f"{self.unsearched} searches for a counterexample were cut short"
        yield from self.survivors

    def to_json(self) -> dict[str, Any]:
        return {"schema": 1, "claims": self.entries, "survivors": self.survivors}


def mutate(project: Project, selected: Iterable[str], settings: Settings) -> Report:
    """Perturb the statements of the selected claims that are decided, decide the mutants, record the counts.

    The counts are recorded after every few statements, and those that this engine recorded are not made again unless
    `settings.fresh`: an interrupted call goes on where it was.
    """
    done = run(project, selected, replace(settings, fresh=False))
    roles = done.results.roles
    engine = _engine()
    refuted: dict[str, bool] = {}
    for claim in done.selected:
        for role in (STATEMENT, NEGATION):
            result = roles.get((claim, role))
            if result is not None and result.status == PROVED and not result.refused:
                refuted[claim] = role == NEGATION
    known = {} if settings.fresh else mutants.read(project)
    report = Report()
    todo = []
    for claim, is_refuted in refuted.items():
        entry = known.get(claim, {})
        formula = roles[(claim, NEGATION if is_refuted else STATEMENT)]
        if entry.get("engine") == engine and entry.get("statement") == formula.digest() and not entry.get("survived"):
            report.entries[claim] = entry
        else:
            todo.append(claim)
    progress = Progress()
    progress.begin("perturbing statements", len(todo))
    for start in range(0, len(todo), BATCH):
        progress.at(start, len(todo), todo[start])
        part = {claim: refuted[claim] for claim in todo[start : start + BATCH]}
        found = [
            Mutant(claim, k, label, f)
            for claim in part
            for k, (label, f) in enumerate(sample(freeze(roles[(claim, NEGATION if part[claim] else STATEMENT)].formula), COUNT))
        ]
        _decide(project, found, part, settings, progress)
        _check(project, found, part, roles, settings)
        _record(project, report, found, part, roles, engine)
    progress.close()
    return report


@functools.cache
def _engine() -> str:
    """The digest of the sources that make mutants and decide them."""
    here = Path(__file__).parent
    files = [here / "perturb.py", here / "mutate.py", *sorted((here / "models").glob("*.py"))]
    return digest([[p.name, sha256(p.read_bytes())] for p in files])


def _decide(
    project: Project, found: list[Mutant], refuted: dict[str, bool], settings: Settings, progress: Progress
) -> None:
    """Search for a counterexample to each mutant, and run the claim's script on it."""

    def done(task: dict[str, Any], answer: dict[str, Any]) -> None:
        m = found[task["index"]]
        if task["kind"] == "search":
            m.counterexample = answer.get("counterexample")
            m.unsearched = answer["status"] != "done"
        elif answer["status"] == PROVED:
            m.proof = answer["proof"]

    with Pool(project.root, settings.processes, settings.kernel) as pool:
        for index, m in enumerate(found):
            task = {"claim": m.claim, "formula": thaw(m.formula), "index": index}
            pool.submit({**task, "kind": "search", "role": "search", "limit": SEARCH_SECONDS})
            pool.submit({**task, "kind": "mutant", "role": NEGATION if refuted[m.claim] else STATEMENT, "limit": SECONDS})
        pool.drain(done, progress.busy)


def _check(
    project: Project, found: list[Mutant], refuted: dict[str, bool], roles: dict[tuple[str, str], RoleResult], settings: Settings
) -> None:
    """The proofs of mutants go to the independent checker like any other, beside the certificates that they use."""
    proved = [m for m in found if m.proof is not None]
    if not proved:
        return
    everything = dict(roles)
    for m in proved:
        goal = negate(m.formula) if refuted[m.claim] else m.formula
        everything[(m.claim, f"part:mutant-{m.number}")] = RoleResult(PROVED, thaw(goal), m.proof, "")
    by_claim: dict[str, dict[str, RoleResult]] = {}
    for (claim, role), result in everything.items():
        by_claim.setdefault(claim, {})[role] = result
    built = [c for claim, parts in sorted(by_claim.items()) if (c := certificates.build(claim, parts)) is not None]
    with checking.private(project.cache) as folder:
        certificates.write_all(folder, built)
        pins = certificates.statements(everything)
        write(folder / "statements.json", canonical(pins) + "\n")
        answers = settings.check(folder, sorted({m.claim for m in proved}), settings.processes)
    for m in proved:
        m.refused = answers.get((m.claim, f"part:mutant-{m.number}"), "the checker gave no answer")
        m.accepted = not m.refused
        m.trusted = bool(summarise(m.proof).trusted)


def _record(
    project: Project,
    report: Report,
    found: list[Mutant],
    refuted: dict[str, bool],
    roles: dict[tuple[str, str], RoleResult],
    engine: str,
) -> None:
    for claim in sorted(refuted):
        formula = roles[(claim, NEGATION if refuted[claim] else STATEMENT)].formula
        entry: dict[str, Any] = dict.fromkeys(("tried", "killed", "excused", "inconclusive", "survived"), 0)
        entry["statement"] = digest(formula)
        entry["engine"] = engine
        for m in (m for m in found if m.claim == claim):
            fate = m.fate(refuted[claim])
            entry["tried"] += 1
            entry[fate] += 1
            report.unsearched += m.unsearched
            if fate == "survived":
                why = f"refused by the checker: {m.refused}" if m.refused else f"false at {m.counterexample}"
                report.survivors.append(f"survivor of {claim} ({m.label}; {why}): {pretty(m.formula)}")
        report.entries[claim] = entry
    recorded = mutants.read(project)
    known = {**recorded, **report.entries}
    kept = {c: e for c, e in sorted(known.items()) if c in project.claims}
    write(project.reports / mutants.FILE, canonical({"schema": 1, "claims": kept}) + "\n")
