"""The records beside what is bound: pins, certificates and formulas must speak of the formula that is parsed here, from the text.

The text is that of the proof module, parsed in this process, which imports none. So neither a pin nor a certificate can stand for
another formula, and no certificate counts that the checker does not accept for the bound one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.registry import NEGATION, STATEMENT, Registry
from verify.run import certificates, checking, deriving, recorded
from verify.run.files import canonical, digest, read_json, sha256, write
from verify.run.keys import cache_key
from verify.run.language import Language
from verify.run.store import Store

if TYPE_CHECKING:
    from verify.project import Project
    from verify.run.engine import Run
    from verify.verdict import Verdict

Check = Callable[[Path, Iterable[str], int], dict[tuple[str, str], str]]
PIN = "the pinned statement is not the bound one; `verify report` pins anew what is proved"


@dataclass
class Bound:
    """The formulas of a registry's texts, each parsed when it is first asked for.

    known: digests that a run has already, of formulas that it parsed from these very texts (or took under the seal).
    """

    registry: Registry
    language: Language = field(default_factory=Language)
    known: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.digest = functools.cache(self._digest)

    def formula(self, claim: str, role: str) -> Any:
        """The formula of a role, or of one that is derived from another; None where nothing is bound, or no formula."""
        text = self.registry.text(claim, role)
        if text is not None:
            try:
                return self.language.parse(text)
            except Exception:  # whatever a statement does to the parser, there is no formula
                return None
        for derived, binding in deriving.derivable(self.registry, claim):
            if derived == role:
                source = self.formula(claim, binding.role)
                return None if source is None else deriving.expected(role, source)
        return None

    def _digest(self, claim: str, role: str) -> str:
        """The digest of such a formula; empty without one."""
        if (claim, role) in self.known:
            return self.known[(claim, role)]
        formula = self.formula(claim, role)
        return "" if formula is None else digest(formula)

    def roles(self, claim: str) -> list[str]:
        """The roles of a claim for which a text is bound."""
        found = [b.role for b in self.registry.roles(claim)]
        spoken = self.registry.text(claim, STATEMENT) is not None and not {STATEMENT, NEGATION} & set(found)
        return [*found, STATEMENT] if spoken else found


def of_run(run: Run) -> Bound:
    """What is bound, with the digests that a run found."""
    roles = run.results.roles.items()
    return Bound(run.results.registry, known={key: result.digest() for key, result in roles if result.spoken})


def pins(project: Project) -> dict[str, dict[str, str]]:
    """The pinned digests by claim and role; none when nothing is recorded."""
    path = project.reports / recorded.STATEMENTS
    if not path.is_file():
        return {}
    found = read_json(path, where=project.relative(path))
    return recorded.pinned(found, project.relative(path))


def unpinned(
    project: Project, bound: Bound, claims: Iterable[str], needed: Mapping[str, Collection[str]]
) -> list[tuple[str, str, str]]:
    """The claims and roles whose pins are not of what is bound, with the reason.

    needed: roles by claim that must be pinned, since a recorded verdict rests on them.
    """
    found = pins(project)
    problems = []
    for claim in claims if found else ():
        mine = found.get(claim, {})
        for role in sorted({*mine, *needed.get(claim, ())}):
            if role not in mine:
                problems.append((claim, role, "the recorded verdict rests on it, but its statement is not pinned"))
            elif mine[role] != bound.digest(claim, role):
                problems.append((claim, role, PIN if bound.digest(claim, role) else "a statement is pinned, but none is bound"))
    return problems


def refused(
    project: Project, bound: Bound, check: Check = checking.check, processes: int = 1, fresh: bool = True
) -> Iterator[tuple[str, str, str]]:
    """The stored certificates that the checker does not accept as proofs of what is bound, with the reason.

    Unless `fresh`, that all were accepted is taken from the cache, under the seal, while no certificate, bound formula, fact or
    source of the checker changed.
    """
    files = sorted(project.reports.glob("certificates/*/*.json"))
    wanted: dict[str, dict[str, str]] = {}
    for path in files:
        claim = f"{path.parent.name}.{path.stem}"
        if claim not in project.claims:
            yield claim, "certificate", "no catalogue has this claim"
            continue
        roles = certificates.roles(path)
        wanted[claim] = {role: bound.digest(claim, role) or "nothing is bound" for role in sorted(roles or ())}
    key = _key(files, wanted)
    with Store(project.cache) as store:
        if wanted and (fresh or store.get(key) != []):
            with checking.private(project.cache) as folder:
                folder.mkdir(parents=True)
                (folder / "certificates").symlink_to((project.reports / "certificates").resolve(), target_is_directory=True)
                write(folder / recorded.STATEMENTS, canonical(wanted) + "\n")
                answers = check(folder, wanted, processes)
            found = [(claim, role, why) for (claim, role), why in sorted(answers.items()) if why]
            asked = {claim for claim, _ in answers}
            found += [(claim, "certificate", "the checker gave no answer") for claim in wanted if claim not in asked]
            if not found:
                store.put(key, [])
            yield from found


def _key(files: Iterable[Path], wanted: Mapping[str, Mapping[str, str]]) -> str:
    package = Path(__file__).parents[1]
    believed = [*sorted((package / "recheck").glob("*.py")), package / "kernel" / "facts.json"]
    content = [[str(p.relative_to(p.parents[1])), sha256(p.read_bytes())] for p in (*believed, *files)]
    return cache_key(digest(["stored certificates", content, wanted]), "python-flint", "z3-solver")


def standing(project: Project, run: Run) -> tuple[dict[str, Verdict], list[str], set[str]]:
    """The verdicts of the selected claims, those on which the run gave up, and of these the ones whose recorded verdict stands.

    It stands where the stored certificates on which it rests are of the formulas that are bound.
    """
    record = recorded.verdicts(project)
    late = [c for c in run.selected if run.results.timed_out(c)]
    bound = Bound(run.results.registry)
    stands = {c for c in late if c in record and same(project, bound, c, record[c].certified())}
    return {c: record[c] if c in stands else run.results.verdict(c) for c in run.selected}, late, stands


def same(project: Project, bound: Bound, claim: str, roles: Iterable[str]) -> bool:
    """Whether the stored certificate of a claim proves, in each of these roles, the formula that is bound."""
    path = certificates.path_of(project.reports, claim)
    if not path.is_file():
        return not list(roles)
    parts = certificates.read(path, project.relative(path))["parts"]
    return all(role in parts and digest(parts[role]["statement"]) == bound.digest(claim, role) for role in roles)
