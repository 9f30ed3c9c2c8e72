"""What is known of a claim after a run, and the verdict that follows from it.

A result comes from the cache of a run or from the recorded files in `reports/`; both give the same object, so that
reports can be rendered from either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from verify.claim import Claim
from verify.registry import AMENDMENT, NEGATION, SATISFIABLE, STATEMENT, Binding, Decision, ReadingSpec, Registry, void_role
from verify.run.evidence import Evidence, assumes, summarise, used_library, whole_library
from verify.run.files import digest
from verify.verdict import AMENDED, COVERED, IN_PART, Amendment, Grade, Mutants, Open, Outcome, Reading, Verdict, Witness, placed

WITH_ADDED = "the statement as printed, with a further hypothesis:"
"""How the amendment begins of a claim whose proof needs a hypothesis that the paper does not print."""
DECIDING = {Outcome.HOLDS: STATEMENT, Outcome.REFUTED: NEGATION, Outcome.VOID: void_role(STATEMENT)}
"""The role that shows an outcome."""
PROVED, FAILED, TIMED_OUT, PARSED, DONE = "proved", "failed", "timed out", "parsed", "done"


def denies(formula: Any) -> bool:
    """Whether a formula is a negation or says that there is a counterexample."""
    return isinstance(formula, list | tuple) and formula[0] in ("not", "ex", "!=")


class RoleResult:
    """One formula of a claim: its proof, or why there is none.

    With `read`, which gives an object with the keys `formula` and `proof`, these two are read when they are first asked for.
    """

    __slots__ = ("_assumes", "_digest", "_formula", "_proof", "_proof_digest", "_read", "error", "evidence", "known_values",
                 "refused", "rests_on", "status")  # fmt: skip

    def __init__(
        self, status: str, formula: Any = None, proof: Any = None, error: str = "", read: Callable[[], Any] | None = None
    ) -> None:
        self.status, self.error = status, error
        self._formula, self._proof, self._read = formula, proof, read
        self.evidence: Evidence | None = None
        self.refused = ""
        self.rests_on = ""
        self.known_values: dict[str, str] | None = None
        self._digest = self._proof_digest = ""
        self._assumes: bool | None = None

    @classmethod
    def outlined(cls, content: Mapping[str, Any], read: Callable[[], Any]) -> RoleResult:
        """A proved role from its formula and proof, which are not kept, but read again when they are asked for."""
        found = cls(PROVED, read=read)
        found.recall_digests(digest(content["formula"]), digest(content["proof"]))
        found.evidence = summarise(content["proof"])
        found._assumes = assumes(content["formula"])
        found.rests_on = used_library([content["formula"], content["proof"]])
        return found

    @property
    def formula(self) -> Any:
        """The formula as JSON; None when the text has none."""
        self._fill()
        return self._formula

    @property
    def proof(self) -> Any:
        """The proof tree as JSON, or None."""
        self._fill()
        return self._proof

    def _fill(self) -> None:
        if self._read is not None:
            content, self._read = self._read(), None
            self._formula, self._proof = content.get("formula"), content.get("proof")

    def recall_digests(self, formula: str, proof: str) -> None:
        """Take the digests as known."""
        self._digest, self._proof_digest = formula, proof

    def digest(self) -> str:
        """The digest of the formula, computed once."""
        if not self._digest:
            self._digest = digest(self.formula)
        return self._digest

    @property
    def spoken(self) -> bool:
        """Whether there is a formula."""
        return self.digest() != digest(None)

    def proof_digest(self) -> str:
        """The digest of the proof, computed once."""
        if not self._proof_digest:
            self._proof_digest = digest(self.proof)
        return self._proof_digest

    def library(self) -> str:
        """What of the library of facts the result rests on: a proof on what it names, a failure on everything; computed once."""
        if not self.rests_on:
            self.rests_on = whole_library() if self.status == FAILED else used_library([self.formula, self.proof])
        return self.rests_on

    def summary(self) -> Evidence:
        """The evidence of the proof, computed once."""
        if self.evidence is None:
            self.evidence = summarise(self.proof)
        return self.evidence

    def outline(self) -> dict[str, Any]:
        """What can be kept of a role instead of its formula and proof; `from_outline` gives the role again."""
        found = self.summary()
        more = {"formula": self.digest(), "proof": self.proof_digest(), "rests_on": self.library(), "assumes": self.assumes()}
        sets = {"facts": found.facts, "lemmas": found.lemmas, "trusted": found.trusted, "oracles": found.oracles}
        return {**more, **sets, "counts": found.counts, "library": whole_library()}

    @classmethod
    def from_outline(
        cls, outline: Mapping[str, Any], read: Callable[[], Any], status: str = PROVED, error: str = ""
    ) -> RoleResult:
        """A role of which the formula and the proof are read when they are needed."""
        found = cls(status, error=error, read=read)
        found.recall_digests(outline["formula"], outline["proof"])
        lemmas = tuple((claim, role) for claim, role in outline["lemmas"])
        sets = tuple(outline["facts"]), lemmas, tuple(outline["trusted"]), tuple(outline["oracles"])
        found.evidence = Evidence(outline["counts"], *sets)
        found._assumes = outline["assumes"]
        if outline["library"] == whole_library():
            found.rests_on = outline["rests_on"]
        return found

    def assumes(self) -> bool:
        """Whether the formula has hypotheses."""
        if self._assumes is None:
            self._assumes = assumes(self.formula)
        return self._assumes

    def values(self, find: Callable[[Any, Any], dict[str, str] | None]) -> dict[str, str] | None:
        """The counterexample in the proof of a negation, computed once; None when it gives no values."""
        if self.known_values is None:
            self.known_values = find(self.formula, self.proof) or {}
        return self.known_values or None


@dataclass(slots=True)
class TestResult:
    """The outcome of an experiment."""

    __test__ = False
    status: str
    grade: Grade
    seed: int
    profile: str
    holds: bool = False
    statistics: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
    data: Any = None

    @property
    def found(self) -> dict[str, Any]:
        """What an experiment or a figure that needs this one is given."""
        return {"holds": self.holds, "statistics": self.statistics, "data": self.data}


@dataclass(slots=True)
class FigureResult:
    """A picture, or why there is none; `data` is the digest of what was drawn."""

    status: str
    svg: str = ""
    data: str = ""
    caption: str = ""
    error: str = ""


@dataclass
class Results:
    """The results of many claims, and the verdicts that follow."""

    claims: Mapping[str, Claim]
    registry: Registry
    roles: dict[tuple[str, str], RoleResult] = field(default_factory=dict)
    tests: dict[tuple[str, str], TestResult] = field(default_factory=dict)
    figures: dict[tuple[str, str], FigureResult] = field(default_factory=dict)
    mutants: Mapping[str, Mutants] = field(default_factory=dict)
    show: Callable[[Any], str] = str
    negate: Callable[[Any], Any] = lambda formula: formula
    find: Callable[[Any, Any], dict[str, str] | None] = lambda statement, proof: None
    """The instance in the proof of the negation of a statement."""
    _accepted: dict[tuple[str, str], str] = field(default_factory=dict)

    def why_not(self, claim: str, role: str) -> str:
        """Empty when the role is proved, accepted, and rests on accepted lemmas only; else the reason."""
        key = (claim, role)
        if key not in self._accepted:
            self._accepted[key] = f"{role} of {claim} rests on itself"
            self._accepted[key] = self._why_not(claim, role)
        return self._accepted[key]

    def accepted(self, claim: str) -> dict[str, RoleResult]:
        """The roles of a claim that are proved, accepted, and rest on accepted lemmas only."""
        roles = [*(b.role for b in self.registry.roles(claim)), *self.derived(claim)]
        return {role: self.roles[(claim, role)] for role in roles if not self.why_not(claim, role)}

    def derived(self, claim: str) -> list[str]:
        """The roles of a claim that have a result and no script: its witness, and what shows that a role is void."""
        bound = [b.role for b in self.registry.roles(claim)]
        return [r for r in (SATISFIABLE, *map(void_role, bound)) if (claim, r) in self.roles and r not in bound]

    def void(self, claim: str, role: str) -> bool:
        """Whether the checker accepts `false` from the hypotheses of a role."""
        return (claim, void_role(role)) in self.roles and not self.why_not(claim, void_role(role))

    def unsuspicious(self, claim: str, role: str) -> bool:
        """Whether a role is proved under hypotheses, and nothing shows that these contradict each other."""
        spoken = role != NEGATION and (claim, role) in self.registry.bindings
        return spoken and not self.why_not(claim, role) and self.roles[(claim, role)].assumes() and not self.void(claim, role)

    def witness(self, claim: str) -> Witness | None:
        """Whether it is proved that the hypotheses of the statement can be met; None for a statement without any."""
        result = self.roles.get((claim, STATEMENT))
        if result is None or not result.assumes():
            return None
        return Witness.MISSING if self.why_not(claim, SATISFIABLE) else Witness.FOUND

    def _why_not(self, claim: str, role: str) -> str:
        result = self.roles.get((claim, role))
        if result is None:
            return f"nothing is bound to {role}"
        if result.status == TIMED_OUT:
            return "the run exceeded its time limit"
        if result.status != PROVED:
            return result.error or "no proof"
        for used, used_role in result.summary().lemmas:
            if self.why_not(used, used_role):
                return f"rests on {used_role} of {used}, which is not proved"
        if result.refused:
            return f"the checker refused the certificate: {result.refused}"
        return ""

    def rests_on(self, claim: str, role: str) -> list[tuple[str, str]]:
        """The role itself and all lemmas below it, each once, in a stable order."""
        seen: dict[tuple[str, str], None] = {}
        stack = [(claim, role)]
        while stack:
            key = stack.pop()
            if key in seen or key not in self.roles:
                continue
            seen[key] = None
            stack.extend(reversed(self.roles[key].summary().lemmas))
        return list(seen)

    def axioms(self, claim: str, role: str) -> tuple[str, ...]:
        """The axioms that a role rests on, through its lemmas as well."""
        return tuple(sorted({a for key in self.rests_on(claim, role) for a in self.roles[key].summary().axioms}))

    def trusted(self, claim: str, role: str) -> tuple[str, ...]:
        """The trusted steps that a role rests on, through its lemmas as well; those of lemmas with claim and role before them."""
        return tuple(step.removeprefix(_whose(claim, role)) for step in self._steps(claim, role))

    def _steps(self, claim: str, role: str) -> tuple[str, ...]:
        """The trusted steps that a role rests on, each with the claim and role in whose proof it stands before it."""
        steps: dict[str, None] = {}
        for key in self.rests_on(claim, role):
            for why in self.roles[key].summary().trusted:
                while placed(why)[0]:  # only the engine says where a step belongs
                    why = placed(why)[1]
                steps[_whose(*key) + why] = None
        return tuple(steps)

    def oracles(self, claim: str, role: str) -> tuple[str, ...]:
        """The answers of oracles that a role rests on, through its lemmas as well."""
        return tuple(sorted({a for key in self.rests_on(claim, role) for a in self.roles[key].summary().oracles}))

    def timed_out(self, claim: str) -> bool:
        """Whether the run gave up on some role or experiment of the claim."""
        found: list[RoleResult | TestResult | FigureResult | None] = []
        found += [self.roles.get((claim, b.role)) for b in self.registry.roles(claim)]
        found += [self.tests.get((claim, t.name)) for t in self.registry.tests(claim)]
        found += [self.figures.get((claim, f.name)) for f in self.registry.drawings(claim)]
        return any(r is not None and r.status == TIMED_OUT for r in found)

    def not_drawn(self) -> list[str]:
        """The pictures that could not be drawn, each with the reason."""
        failed = ((key, f) for key, f in sorted(self.figures.items()) if f.status != DONE)
        return [f"{claim}: figure {name} was not drawn: {f.error or f.status}" for (claim, name), f in failed]

    def verdict(self, claim: str) -> Verdict:
        """The verdict of a claim as printed."""
        decision = self.registry.decisions.get(claim)
        uses = self._uses(claim)
        mutants = self.mutants.get(claim, Mutants())
        if decision is None:
            base = self._by_experiment(claim)
        elif decision.outcome in (Outcome.HOLDS, Outcome.REFUTED):
            base = self._by_proof(claim, decision)
        else:
            parts = [decision.reason]
            parts += [f"Tried: {decision.tried}" if decision.tried else ""]
            parts += [f"Missing: {decision.missing}" if decision.missing else ""]
            parts += self._tried(claim)
            base = {"outcome": decision.outcome, "reason": _sentences(parts)}
        if decision is not None:
            base.setdefault("argument", decision.argument)
            base["reason"] = _sentences([base["reason"], *self._remarks(claim, base["outcome"])])
            base["context"], base["added"] = decision.context, decision.added
        base["open"] = self._why_open(claim, decision) if base["outcome"] is Outcome.OPEN else None
        base["readings"] = tuple(self._readings(claim, decision))
        base["amendment"] = self._amendment(claim)
        base["obligations"] = self._obligations(claim)
        kinds = {"axioms": self.axioms, "trusted_steps": self._steps, "oracles": self.oracles}
        deciding = DECIDING.get(base["outcome"], "") if base.get("grade") is not None else ""
        base |= {kind: self._rests(claim, deciding, found) for kind, found in kinds.items()}
        return Verdict(uses=uses, mutants=mutants, **base)

    def _why_open(self, claim: str, decision: Decision | None) -> Open:
        """The one reason for which a claim is open."""
        told = decision is not None and (decision.tried or decision.missing or decision.reason)
        if told or self.registry.roles(claim) or self.registry.tests(claim):
            return Open.TRIED
        entry = self.claims[claim]
        return Open.CITED if "cited" in (entry.kind, entry.route) else Open.UNTRIED

    def _rests(self, claim: str, deciding: str, found: Callable[[str, str], tuple[str, ...]]) -> tuple[str, ...]:
        """What anything proved of the claim rests on, each once, the verdict's own first; what only a part rests on says so."""
        groups: dict[str, set[str]] = {"": set(), AMENDED: set(), IN_PART: set()}
        own: dict[str, str] = {}
        for role in self.accepted(claim):
            place = "" if role == deciding else AMENDED if role == self.amending(claim) else IN_PART
            groups[place].update(found(claim, role))
            if place != IN_PART:
                own[place] = _whose(claim, role)
        groups[IN_PART] -= groups[""] | groups[AMENDED]
        return tuple(p + text.removeprefix(own.get(p, "")) for p, texts in groups.items() for text in sorted(texts))

    def _obligations(self, claim: str) -> int:
        derived = self.derived(claim)
        return sum(r.summary().obligations for role, r in self.accepted(claim).items() if role not in derived)

    def _uses(self, claim: str) -> tuple[str, ...]:
        found = set(self.registry.uses(claim))
        for binding in self.registry.roles(claim):
            result = self.roles.get((claim, binding.role))
            if result is not None and result.status == PROVED:
                found |= {c for c, _ in result.summary().lemmas}
        return tuple(sorted(found - {claim}))

    def _by_proof(self, claim: str, decision: Decision) -> dict[str, Any]:
        role = STATEMENT if decision.outcome is Outcome.HOLDS else NEGATION
        reason = self.why_not(claim, role)
        if reason:
            return {"outcome": Outcome.OPEN, "argument": None, "reason": _sentences([f"No proof: {reason}"])}
        binding = self.registry.bindings[(claim, role)]
        result = self.roles[(claim, role)]
        values = None
        if role == NEGATION:
            values = result.values(self.find)
        because = f"Proved only for {COVERED[binding.covers]}: {binding.because}" if binding.because else ""
        if role == STATEMENT and self.void(claim, role):
            return self._void(decision, binding)
        if role == STATEMENT and decision.added:
            return {"outcome": Outcome.UNSUPPORTED, "reason": _sentences([decision.reason, because])}
        return {
            "outcome": decision.outcome,
            "grade": binding.cap,
            "reason": _sentences([decision.reason, because]),
            "counterexample": values,
            "witness": self.witness(claim) if role == STATEMENT else None,
        }

    @staticmethod
    def _void(decision: Decision, binding: Binding) -> dict[str, Any]:
        return {
            "outcome": Outcome.VOID,
            "grade": binding.cap,
            "reason": decision.reason or "its hypotheses contradict each other",
        }

    def _by_experiment(self, claim: str) -> dict[str, Any]:
        tests = self._tests(claim)
        if not tests:
            return {"outcome": Outcome.OPEN}
        failed = [f"{name}: {t.error or t.status}" for name, t in tests if t.status != DONE]
        if failed:
            return {"outcome": Outcome.OPEN, "reason": _sentences(failed)}
        why = ""
        if self.claims[claim].kind != "experiment":
            reasons = {name: self.registry.experiments[(claim, name)].decides for name, _ in tests}
            tests = [(name, t) for name, t in tests if reasons[name]]
            why = _sentences(dict.fromkeys(reasons[name] for name, _ in tests))
        if not tests:
            return {"outcome": Outcome.OPEN, "reason": _sentences(self._tried(claim))}
        good = all(t.holds for _, t in tests)
        remark = self.registry.remarks.get(claim)
        reason = _sentences([why, "" if remark is None else remark.because])
        return {"outcome": Outcome.HOLDS if good else Outcome.REFUTED, "grade": Grade.SIMULATED, "reason": reason}

    def _tried(self, claim: str) -> list[str]:
        done = [(name, t) for name, t in self._tests(claim) if t.status == DONE]
        return [f"Tried: {name}, {t.grade}, {'passed' if t.holds else 'failed'}" for name, t in done]

    def _tests(self, claim: str) -> list[tuple[str, TestResult]]:
        """The experiments about the claim itself that have a result."""
        names = [t.name for t in self.registry.tests(claim) if not t.reading]
        return [(name, self.tests[(claim, name)]) for name in names if (claim, name) in self.tests]

    def _remarks(self, claim: str, outcome: Outcome) -> Iterable[str]:
        if outcome is Outcome.REFUTED and self.claims[claim].transcription:
            yield "The printed text of this entry was reconstructed from a damaged source"

    def amending(self, claim: str) -> str:
        """The role of the nearest true statement, empty without one: a proof that adds a hypothesis proves just an amendment."""
        if (claim, AMENDMENT) in self.registry.bindings:
            return AMENDMENT
        decision = self.registry.decisions.get(claim)
        added = decision is not None and decision.outcome is Outcome.HOLDS and decision.added
        return STATEMENT if added and not self.why_not(claim, STATEMENT) else ""

    def _amendment(self, claim: str) -> Amendment | None:
        role = self.amending(claim)
        if not role:
            return None
        binding = self.registry.bindings[(claim, role)]
        words = binding.says or " ".join(binding.text.split())
        if role == STATEMENT:
            words = f"{WITH_ADDED} {'; '.join(self.registry.decisions[claim].added)}"
        if self.why_not(claim, role):
            return Amendment(words, Outcome.OPEN, None, role)
        return Amendment(words, Outcome.VOID if self.void(claim, role) else Outcome.HOLDS, binding.cap, role)

    def _readings(self, claim: str, decision: Decision | None) -> Iterable[Reading]:
        for spec in () if decision is None else decision.readings:
            decided = spec.outcome in (Outcome.HOLDS, Outcome.REFUTED)
            if decided and (spec.role is None or self.why_not(claim, spec.role) or self._shows_nothing(claim, spec)):
                yield Reading(spec.text, Outcome.OPEN)
                continue
            void = spec.outcome is Outcome.HOLDS and spec.role is not None and self.void(claim, spec.role)
            role = (spec.role or "") if decided else ""
            yield Reading(spec.text, Outcome.VOID if void else spec.outcome, role, spec.because)
        for test in self.registry.tests(claim):
            if test.reading:
                yield Reading(test.reading, self._found(self.tests.get((claim, test.name))))

    def _shows_nothing(self, claim: str, spec: ReadingSpec) -> str:
        """Why an accepted part does not show that a reading is refuted; empty when it does, or when it has not to."""
        if spec.outcome is not Outcome.REFUTED or spec.because or spec.role in (None, NEGATION):
            return ""
        if denies(self.roles[(claim, str(spec.role))].formula):
            return ""
        told = "it denies nothing; let it begin with not, ex or !=, or say how it refutes"
        return f"does not refute the reading {spec.text!r}: {told}"

    def empty_readings(self, claim: str) -> list[tuple[str, str]]:
        """The parts of a claim that are accepted and are said to refute a reading, but do not show how, each with the reason."""
        decision = self.registry.decisions.get(claim)
        specs = () if decision is None else decision.readings
        found = [(str(s.role), self._shows_nothing(claim, s)) for s in specs if s.role and not self.why_not(claim, s.role)]
        return [(role, why) for role, why in found if why]

    @staticmethod
    def _found(result: TestResult | None) -> Outcome:
        """What an experiment says of the reading that it decides."""
        if result is None or result.status != DONE:
            return Outcome.OPEN
        return Outcome.HOLDS if result.holds else Outcome.REFUTED


def _whose(claim: str, role: str) -> str:
    """How a trusted step begins that stands in the proof of a role."""
    return f"{claim} ({role}): "


def _sentences(parts: Iterable[str]) -> str:
    texts = [" ".join(p.split()) for p in parts if p and p.strip()]
    return " ".join(t if t.endswith((".", "!", "?")) else t + "." for t in texts)
