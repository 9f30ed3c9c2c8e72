"""`verify witness`: find witnesses of the hypotheses of claims that hold, and store them in the claims' certificates.

A witness is a part `satisfiable` of a certificate: the formula is derived from the bound statement (`derived.satisfiable`), the
proof was found by the engine. It needs no script; like every part it counts when the checker accepts it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verify.kernel import freeze, thaw
from verify.project import Project
from verify.registry import SATISFIABLE, STATEMENT
from verify.run import certificates, checking, derived
from verify.run.engine import Settings
from verify.run.files import canonical, digest, read_json, rows_json, sha256, write
from verify.run.language import Language
from verify.run.pool import Pool
from verify.run.progress import Progress
from verify.run.recorded import STATEMENTS
from verify.run.store import Store
from verify.verdict import Outcome

SECONDS = 45.0
"""Processor time that the search may take for one claim, roughly: it looks at the clock between its steps."""
PATIENCE = 4.0
"""How many times as long a worker may take by the clock on the wall, since others may use the processor too."""
BATCH = 24
"""How many claims are searched between two writings."""
ROLE = SATISFIABLE


@dataclass
class Report:
    """What became of the claims."""

    there: list[str] = field(default_factory=list)
    """Claims that had a witness."""
    found: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    """Claims without a witness, each with the reason."""
    refused: dict[str, str] = field(default_factory=dict)
    """Claims whose witness the checker refused."""

    def lines(self) -> Iterable[str]:
        """For a reader."""
        for claim in self.found:
            yield f"{claim}: found"
        for claim, why in self.missing.items():
            yield f"{claim}: none; {' '.join(why.split())[:160]}"
        for claim, why in self.refused.items():
            yield f"{claim}: the checker refused what was found: {why}"
        have = len(self.there) + len(self.found)
        whole = have + len(self.missing) + len(self.refused)
        now = f"({len(self.found)} found now)"
        yield f"{whole} claims hold by proof under hypotheses: {have} with a witness {now}, {whole - have} without"

    def to_json(self) -> dict[str, Any]:
        """The form of `--json`."""
        return {"there": self.there, "found": self.found, "missing": self.missing, "refused": self.refused}


def search(project: Project, selected: Iterable[str], settings: Settings, progress: Progress | None = None) -> Report:
    """Search for the witnesses that are not there yet; what is found is written after every few claims.

    A search that found nothing is not made again by the same engine, unless `settings.fresh`.
    """
    progress = progress or Progress()
    language, report = Language(settings.kernel), Report()
    with Store(project.cache) as store:
        todo: list[tuple[str, Any]] = []
        for claim in selected:
            formula = wanted(project, claim, language)
            if formula is None:
                continue
            if stored(project, claim) == formula or project.registry.bindings.get((claim, ROLE)) is not None:
                report.there.append(claim)
            elif not settings.fresh and isinstance(known := store.get(_key(formula)), str):
                report.missing[claim] = known
            else:
                todo.append((claim, formula))
        if not todo:
            return report
        progress.total = len(todo)
        progress.stage(f"searching for witnesses of {len(todo)} claims")
        with Pool(project.root, settings.processes, settings.kernel) as pool:
            for start in range(0, len(todo), BATCH):
                _batch(project, todo[start : start + BATCH], settings, pool, store, report, progress)
    progress.close()
    return report


def _batch(
    project: Project,
    part: list[tuple[str, Any]],
    settings: Settings,
    pool: Pool,
    store: Store,
    report: Report,
    progress: Progress,
) -> None:
    proofs: dict[str, tuple[Any, Any]] = {}
    formulas = dict(part)

    def done(task: dict[str, Any], answer: dict[str, Any]) -> None:
        claim = task["claim"]
        if answer["status"] == "proved":
            proofs[claim] = (formulas[claim], answer["proof"])
        else:
            why = str(answer.get("error") or "the search took too long")
            report.missing[claim] = why
            store.put(_key(formulas[claim]), why)
        progress.step(f"{claim} {ROLE}", answer["status"] != "proved")

    for claim, formula in part:
        limit = SECONDS if settings.limit is None else settings.limit
        task = {"kind": "witness", "claim": claim, "role": ROLE, "formula": formula, "seconds": limit / 5}
        pool.submit({**task, "limit": PATIENCE * (limit + 15)})
    pool.drain(done, progress.busy)
    refused = _refused(project, proofs, settings)
    for claim in sorted(proofs):
        if refused[claim]:
            report.refused[claim] = refused[claim]
        else:
            add(project, claim, ROLE, *proofs[claim])
            report.found.append(claim)


def wanted(project: Project, claim: str, language: Language) -> Any:
    """The formula that a witness of a claim proves; None for one that does not hold by proof, or that assumes nothing."""
    decision = project.registry.decisions.get(claim)
    binding = project.registry.bindings.get((claim, STATEMENT))
    if decision is None or decision.outcome is not Outcome.HOLDS or binding is None:
        return None
    try:
        formula = derived.satisfiable(freeze(language.parse(binding.text)))
    except Exception:  # a text that is no formula is said by `verify run`
        return None
    return None if formula is None else thaw(formula)


def stored(project: Project, claim: str) -> Any:
    """The formula of the witness that is stored, or None."""
    path = certificates.path_of(project.reports, claim)
    if not path.is_file():
        return None
    return certificates.read(path, project.relative(path))["parts"].get(ROLE, {}).get("statement")


def _refused(project: Project, proofs: dict[str, tuple[Any, Any]], settings: Settings) -> dict[str, str]:
    """What the checker says of each proof, '' where it accepts it."""
    if not proofs:
        return {}
    with checking.private(project.cache) as folder:
        pins: dict[str, Any] = {}
        for claim, (formula, proof) in proofs.items():
            body: dict[str, Any] = {"schema": certificates.SCHEMA, "claim": claim}
            body["parts"] = {ROLE: {"statement": formula, "proof": proof}}
            write(certificates.path_of(folder, claim), certificates.text_of({**body, "sha256": digest(body)}))
            pins[claim] = {ROLE: digest(formula)}
        write(folder / STATEMENTS, canonical(pins) + "\n")
        answers = settings.check(folder, sorted(proofs), settings.processes)
    return {claim: answers.get((claim, ROLE), "the checker gave no answer") for claim in proofs}


def add(project: Project, claim: str, role: str, formula: Any, proof: Any) -> None:
    """Write a part into the stored certificate of a claim, and its pin."""
    path = certificates.path_of(project.reports, claim)
    parts: dict[str, Any] = {}
    if path.is_file():
        parts = dict(certificates.read(path, project.relative(path))["parts"])
    parts[role] = {"statement": formula, "proof": proof}
    body: dict[str, Any] = {"schema": certificates.SCHEMA, "claim": claim, "parts": dict(sorted(parts.items()))}
    write(path, certificates.text_of({**body, "sha256": digest(body)}))
    pins_path = project.reports / STATEMENTS
    pins = read_json(pins_path, where=project.relative(pins_path)) if pins_path.is_file() else {}
    pins.setdefault(claim, {})[role] = digest(formula)
    write(pins_path, rows_json(pins))


def _key(formula: Any) -> str:
    """Under which a search that found nothing is kept."""
    return digest(["witness", formula, _engine()])


@functools.cache
def _engine() -> str:
    """The digest of the sources that search."""
    here = Path(__file__).parent
    files = [here / "derived.py", here / "witness.py", *sorted((here / "models").glob("*.py"))]
    return digest([[p.name, sha256(p.read_bytes())] for p in files])
