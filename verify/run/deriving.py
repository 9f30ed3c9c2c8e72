"""Roles without a script: stored witnesses, stored proofs that a role is void, and the search for void roles.

What is stored counts like any proof: when it is of the formula that is derived here from the bound text, and when the checker
accepts it. A search that found nothing is kept under the digests of statement and proof, in the cache and in the record.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.registry import NEGATION, SATISFIABLE, STATEMENT, Binding, Registry, void_role
from verify.run import recorded
from verify.run.evidence import whole_library
from verify.run.files import canonical, digest, read_json, sha256
from verify.run.language import SAYS_NOTHING, Language
from verify.run.pool import Pool
from verify.run.results import PROVED, RoleResult

if TYPE_CHECKING:
    from verify.project import Project
    from verify.run.engine import Settings
    from verify.run.progress import Progress
    from verify.run.store import Store
    from verify.run.stored import Stored

SECONDS = 60.0
"""What the search in one role may take."""
Roles = Mapping[tuple[str, str], RoleResult]


@functools.cache
def searcher() -> str:
    """The digest of the sources that search for a contradiction."""
    here = Path(__file__).parent
    return digest([sha256((here / name).read_bytes()) for name in ("derived.py", "voidness.py")])


def searched(result: RoleResult) -> str:
    """Under which it is kept that the search in a proved role found nothing."""
    return digest(["void", result.digest(), result.proof_digest(), searcher()])


@dataclass
class Deriver:
    """Finds the roles without a script of some claims."""

    project: Project
    registry: Registry
    settings: Settings
    store: Store
    progress: Progress
    stored: Stored
    engine: str
    """The digest of the kernel's sources, by which texts are parsed."""
    taken: set[tuple[str, str]] = field(default_factory=set)
    """The roles that were taken from their stored certificates."""
    language: Language = field(init=False)
    _pins: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        self.language = Language(self.settings.kernel)

    def derive(self, claims: Iterable[str], roles: Roles) -> dict[tuple[str, str], RoleResult]:
        """The stored roles of claims that are still of the derived formulas, and those that a search for void roles finds."""
        found: dict[tuple[str, str], RoleResult] = {}
        for claim in claims:
            found |= self._stored(claim)
        return found | self._void(roles, found)

    # -------------------------------------------------------------- what is stored

    def _stored(self, claim: str) -> dict[tuple[str, str], RoleResult]:
        found: dict[tuple[str, str], RoleResult] = {}
        named = self._pinned(claim)
        source = self.stored.digest(claim)
        if not named or not source:
            return found
        for role, binding in derivable(self.registry, claim):
            if role in named:
                result = self._role(claim, role, binding, source)
                if result is not None:
                    found[(claim, role)] = result
        self.taken |= found.keys()
        return found

    def _pinned(self, claim: str) -> Mapping[str, Any]:
        if self._pins is None:
            path = self.project.reports / recorded.STATEMENTS
            pins = read_json(path, where=self.project.relative(path)) if path.is_file() else {}
            self._pins = pins if isinstance(pins, dict) else {}
        roles = self._pins.get(claim, {})
        return roles if isinstance(roles, dict) else {}

    def _role(self, claim: str, role: str, binding: Binding, source: str) -> RoleResult | None:
        """A stored role, by what the cache says of this very file, or read; None where it is of another formula."""
        key = digest(["derived", claim, role, binding.text, source, searcher(), self.engine, whole_library()])
        read = partial(self.stored.content, claim, role)
        outline = None if self.settings.rechecks else self.store.get(key)
        if isinstance(outline, dict):
            return RoleResult.from_outline(outline, read)
        if not self.language.follows:  # asked last, since it imports the kernel
            return None
        content = read()
        wanted = expected(role, self.language.parse(binding.text))
        if content["proof"] is None or wanted is None or canonical(content["formula"]) != canonical(wanted):
            return None
        result = RoleResult.outlined(content, read)
        self.store.put(key, result.outline())
        return result

    # -------------------------------------------------------------- void roles

    def _void(self, roles: Roles, found: Roles) -> dict[tuple[str, str], RoleResult]:
        """Search in the proved roles that were not searched before."""
        known = recorded.searched(self.project) if not self.settings.fresh else frozenset()
        out: dict[tuple[str, str], RoleResult] = {}
        tasks: list[dict[str, Any]] = []
        for (claim, role), result in roles.items():
            if role == NEGATION or (claim, role) not in self.registry.bindings or (claim, void_role(role)) in found:
                continue
            if result.status != PROVED or not result.assumes():
                continue
            key = searched(result)
            if key in known:
                continue
            answer = None if self.settings.fresh else self.store.get(key)
            if isinstance(answer, dict):
                _keep(out, claim, role, result, answer.get("proof"))
                continue
            if not self.language.follows:
                return out
            lemmas = [[c, r, roles[(c, r)].formula] for c, r in _below(roles, claim, role)]
            task = {"kind": "void", "claim": claim, "role": role, "formula": result.formula, "proof": result.proof, "key": key}
            tasks.append({**task, "lemmas": lemmas, "limit": SECONDS})
        if not tasks:
            return out
        self.progress.stage(f"asking of {len(tasks)} proofs whether the hypotheses contradict each other")

        def done(task: dict[str, Any], answer: dict[str, Any]) -> None:
            if answer["status"] in ("proved", "failed") and not answer.get("transient"):
                self.store.put(task["key"], {"proof": answer.get("proof")})
            claim, role = task["claim"], task["role"]
            _keep(out, claim, role, roles[(claim, role)], answer.get("proof"))

        with Pool(self.project.root, self.settings.processes, self.settings.kernel) as pool:
            for task in tasks:
                pool.submit(task)
            pool.drain(done, self.progress.busy)
        return out


def _keep(out: dict[tuple[str, str], RoleResult], claim: str, role: str, result: RoleResult, proof: Any) -> None:
    if proof is not None:
        out[(claim, void_role(role))] = RoleResult(PROVED, expected(void_role(role), result.formula), proof)


def _below(roles: Roles, claim: str, role: str) -> list[tuple[str, str]]:
    return [key for key in roles[(claim, role)].summary().lemmas if key in roles]


def derivable(registry: Registry, claim: str) -> list[tuple[str, Binding]]:
    """The roles that can be derived from those of a claim and have no script, each with the binding that it is derived from."""
    bindings = {b.role: b for b in registry.roles(claim)}
    found = [(void_role(role), b) for role, b in bindings.items() if role != NEGATION]
    if STATEMENT in bindings:
        found.insert(0, (SATISFIABLE, bindings[STATEMENT]))
    return [(role, b) for role, b in found if role not in bindings]


def fault(language: Language, registry: Registry, claim: str, role: str, formula: Any) -> str:
    """Why a bound formula cannot stand in its role; empty when it can."""
    if role != SATISFIABLE and language.says_nothing(formula):
        return SAYS_NOTHING
    if role != SATISFIABLE or not language.follows:
        return ""
    from verify.kernel import freeze, pretty
    from verify.run.derived import meets, satisfiable

    text = registry.text(claim, STATEMENT)
    if text is None:
        return "a part `satisfiable` belongs to a statement, and there is none"
    statement = freeze(language.parse(text))
    if meets(freeze(formula), statement):
        return ""
    wanted = satisfiable(statement)
    told = "the statement has no hypotheses" if wanted is None else f"it must be `{pretty(wanted)}`, or this with values put in"
    return f"the formula of `satisfiable` does not say that the hypotheses can be met: {told}"


def expected(role: str, formula: Any) -> Any:
    """The formula of a derived role, from that of the role that it is derived from; None where there is nothing to derive."""
    from verify.kernel import freeze, thaw
    from verify.run.derived import satisfiable, voided

    made = satisfiable(freeze(formula)) if role == SATISFIABLE else voided(freeze(formula))
    return None if made is None else thaw(made)

