"""The record: everything that the reports are rendered from, beside the certificates.

`reports/record.json` holds for every claim with a binding the digests of its inputs, the formulas and errors of roles
without a proof, the results of experiments, and the digests of figures and of what they show. Whoever has the record,
the certificates, the figures and the sources can render the reports again without proving or drawing anything.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from verify.errors import InputError
from verify.run import certificates, deriving, drawing, mutants, recorded
from verify.run.evidence import whole_library
from verify.run.files import digest, sha256
from verify.run.instances import finder
from verify.run.keys import Keys
from verify.run.language import Language
from verify.run.results import DONE, FAILED, PARSED, PROVED, FigureResult, Results, RoleResult, TestResult
from verify.verdict import Verdict

if TYPE_CHECKING:
    from verify.project import Project

FILE = recorded.RECORD
FACTS = "facts"
SCHEMA = 1


@dataclass
class Material:
    """What a rendering needs."""

    project: Project
    results: Results
    verdicts: dict[str, Verdict]
    certificates: dict[str, dict[str, Any]]
    record: dict[str, Any]
    language: Language

    @property
    def profile(self) -> str:
        """The profile of the recorded run."""
        return str(self.record["profile"])

    @cached_property
    def builds_on(self) -> dict[str, list[str]]:
        """The claims that rest on a claim in the paper, as its catalogue says."""
        found: dict[str, list[str]] = defaultdict(list)
        for claim in self.project.claims.values():
            for used in claim.depends_on:
                found[used].append(claim.id)
        return found

    @cached_property
    def spoken(self) -> frozenset[str]:
        """The claims that a proof module speaks of; those alone can have certificates."""
        return frozenset(self.project.registry.claims())

    @cached_property
    def users(self) -> dict[str, list[str]]:
        """The claims that use a claim."""
        found: dict[str, list[str]] = defaultdict(list)
        for claim, verdict in self.verdicts.items():
            for used in verdict.uses:
                found[used].append(claim)
        return found

    @cached_property
    def role_users(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """The accepted roles whose proofs use a role as a lemma, in the order of the catalogues."""
        found: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for claim in self.project.claims:
            for binding in self.project.registry.roles(claim):
                if not self.results.why_not(claim, binding.role):
                    for lemma in self.results.roles[(claim, binding.role)].summary().lemmas:
                        found[lemma].append((claim, binding.role))
        return found

    def encoded(self, claim: str, role: str) -> Any:
        """The formula of a role, or None."""
        result = self.results.roles.get((claim, role))
        return None if result is None else result.formula


def inputs(project: Project, results: Results, keys: Keys, profile: str) -> dict[str, dict[str, str]]:
    """The digests of the inputs of every role, experiment and figure by claim, and under `facts` of what its proofs name.

    Of a role with a proof the engine is no input, since the checker has the last word on the certificate; one without a proof
    rests on everything.
    """
    found: dict[str, dict[str, str]] = {}
    registry = project.registry
    for claim in registry.claims():
        entry: dict[str, str] = {}
        named = []
        for binding in registry.roles(claim):
            if results.why_not(claim, binding.role):
                entry[binding.role] = digest([keys.role(binding), whole_library()])
            else:
                entry[binding.role] = keys.own(binding)
                named.append([binding.role, results.roles[(claim, binding.role)].library()])
        if named:
            entry[FACTS] = digest(named)
        entry |= {f"experiment:{t.name}": keys.experiment(t, profile) for t in registry.tests(claim)}
        entry |= {f"figure:{f.name}": keys.figure(f, profile) for f in registry.drawings(claim)}
        found[claim] = entry
    return found


def make(project: Project, results: Results, keys: Keys, profile: str) -> dict[str, Any]:
    """The content of the record after a run."""
    claims: dict[str, Any] = {}
    for claim, digests in inputs(project, results, keys, profile).items():
        claims[claim] = {"inputs": digests, "roles": {}, "tests": {}}
    for (claim, role), result in results.roles.items():
        why = results.why_not(claim, role)
        if why:
            status, error = (PARSED, "") if result.status == PARSED else (FAILED, why)
            claims[claim]["roles"][role] = {"status": status, "formula": result.formula, "error": error}
        elif results.unsuspicious(claim, role):
            claims[claim].setdefault("searched", {})[role] = deriving.searched(result)
    for (claim, name), test in results.tests.items():
        claims[claim]["tests"][name] = {
            "status": test.status,
            "profile": test.profile,
            "grade": str(test.grade),
            "holds": test.holds,
            "statistics": test.statistics,
            "error": test.error,
            **({} if test.data is None else {"data": test.data}),
        }
    for (claim, name), drawn in results.figures.items():
        claims[claim].setdefault("figures", {})[name] = {
            "status": drawn.status,
            "svg": sha256(drawn.svg),
            "data": drawn.data,
            "caption": drawn.caption,
            "error": drawn.error,
        }
    return {"schema": SCHEMA, "profile": profile, "claims": claims}


def load(project: Project, language: Language) -> Material:
    """The recorded results as a run would give them; an InputError says what is missing."""
    path = project.reports / FILE
    where = project.relative(path)
    if not path.is_file():
        raise InputError(f"{where} is missing; `verify report` writes it")
    record = recorded.read_record(project)
    found: dict[str, dict[str, Any]] = {}
    results = Results(project.claims, project.registry, show=language.pretty, negate=language.negate)
    results.find = finder(language, results.roles)
    try:
        for claim, entry in record["claims"].items():
            for role, item in entry["roles"].items():
                results.roles[(claim, role)] = RoleResult(item["status"], item["formula"], error=item["error"])
            for name, item in entry["tests"].items():
                test = project.registry.experiments.get((claim, name))
                if test is not None:
                    results.tests[(claim, name)] = TestResult(**{**item, "grade": test.grade, "seed": test.seed})
            for name, item in entry.get("figures", {}).items():
                figure = project.registry.figures.get((claim, name))
                if figure is not None:
                    svg = drawing.read(project, figure, item["svg"]) if item["status"] == DONE else ""
                    results.figures[(claim, name)] = FigureResult(**{**item, "svg": svg})
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{where}: {claim}: a result lacks what belongs to it; {recorded.ANEW}") from None
    for file in sorted(project.reports.glob("certificates/*/*.json")):
        certificate = certificates.read(file, project.relative(file))
        claim = str(certificate["claim"])
        if certificates.path_of(project.reports, claim) != file:
            raise InputError(f"{project.relative(file)}: is the certificate of {claim}, which belongs elsewhere")
        found[claim] = certificate
        for role, part in certificate["parts"].items():
            results.roles[(claim, role)] = RoleResult(PROVED, part["statement"], part["proof"])
    results.mutants = mutants.counts(project, results.roles)
    return material(project, results, found, record, language)


def material(
    project: Project, results: Results, found: dict[str, dict[str, Any]], record: dict[str, Any], language: Language
) -> Material:
    """Put everything together and compute the verdicts."""
    verdicts = {claim: results.verdict(claim) for claim in project.claims}
    return Material(project, results, verdicts, found, record, language)


__all__ = ["DONE", "FILE", "Material", "inputs", "load", "make", "material"]
