"""Outcomes, grades and verdicts: pure data, with the JSON form of `reports/verdicts.json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """What became of a claim as printed."""

    HOLDS = "holds"
    REFUTED = "refuted"
    UNSUPPORTED = "unsupported"
    ILL_FORMED = "ill-formed"
    VOID = "void"
    OPEN = "open"


class Witness(StrEnum):
    """Whether it is proved that the hypotheses can be met of a claim that holds by proof under hypotheses."""

    FOUND = "found"
    MISSING = "missing"


class Open(StrEnum):
    """Why a claim is open."""

    UNTRIED = "not examined yet"
    TRIED = "tried"
    CITED = "cited"


class Argument(StrEnum):
    """What became of the printed argument."""

    SOUND = "sound"
    REPAIRED = "repaired"
    FAILS = "fails"


class Grade(StrEnum):
    """How strong the evidence is; ordered, `Grade.PROVED` is the greatest."""

    PROVED = "proved"
    INSTANCES = "proved-for-instances"
    CERTIFIED = "certified"
    NUMERIC = "numeric"
    SAMPLED = "sampled"
    SIMULATED = "simulated"
    CITED = "cited"

    @property
    def strength(self) -> int:
        """Higher is stronger."""
        return len(Grade) - list(Grade).index(self)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Grade):
            return NotImplemented
        return self.strength < other.strength

    def __le__(self, other: object) -> bool:
        if not isinstance(other, Grade):
            return NotImplemented
        return self.strength <= other.strength

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, Grade):
            return NotImplemented
        return self.strength > other.strength

    def __ge__(self, other: object) -> bool:
        if not isinstance(other, Grade):
            return NotImplemented
        return self.strength >= other.strength


COVERS = {"all": Grade.PROVED, "instances": Grade.INSTANCES, "boxes": Grade.CERTIFIED}
"""The highest grade for what an encoded statement covers of the printed one."""

COVERED = {"all": "all of it", "instances": "stated instances", "boxes": "stated values"}
"""The same in words."""


def weakest(grades: Iterable[Grade]) -> Grade:
    """The weakest of some grades; `proved` for none."""
    return min(grades, default=Grade.PROVED)


AMENDED = "in the amendment: "
"""How an axiom, a trusted step or an oracle's answer begins that belongs to the amendment, not to the claim as printed."""
IN_PART = "in a part: "
"""How one begins on which only a part of the claim rests: a lemma that is not used, or another reading."""


def placed(text: str) -> tuple[str, str]:
    """The place of an axiom, a trusted step or an answer in a verdict (the claim as printed: empty), and its own words."""
    place = next((p for p in (AMENDED, IN_PART) if text.startswith(p)), "")
    return place, text.removeprefix(place)


def with_evidence(grade: Grade, steps: int, oracles: int) -> str:
    """A grade with what keeps it from being plain."""
    told = f"{grade} with {steps} trusted step{'s' if steps > 1 else ''}" if steps else str(grade)
    return f"{told}, but {oracles} inequalit{'ies' if oracles > 1 else 'y'} by an oracle" if oracles else told


@dataclass(frozen=True, slots=True)
class Amendment:
    """The nearest true statement beside a claim that is not right as printed, with the role that proves it.

    The role is `statement` where what was proved is the statement itself, with a hypothesis that the paper does not print.
    """

    statement: str
    outcome: Outcome
    grade: Grade | None
    role: str = "amendment"


@dataclass(frozen=True, slots=True)
class Reading:
    """Another plausible reading of a claim in prose, with its outcome, the role that shows it, and how where that needs words."""

    reading: str
    outcome: Outcome
    role: str = ""
    because: str = ""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Reading:
        """Read the form of `verdicts.json`."""
        return cls(data["reading"], Outcome(data["outcome"]), str(data.get("role", "")), str(data.get("because", "")))


@dataclass(frozen=True, slots=True)
class Mutants:
    """How many perturbed statements were tried, and what became of them."""

    tried: int = 0
    killed: int = 0
    excused: int = 0
    inconclusive: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the suite says of one claim, with what it rests on."""

    outcome: Outcome = Outcome.OPEN
    grade: Grade | None = None
    argument: Argument | None = None
    amendment: Amendment | None = None
    reason: str = ""
    open: Open | None = None
    context: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    witness: Witness | None = None
    counterexample: Mapping[str, Any] | None = None
    readings: tuple[Reading, ...] = ()
    trusted_steps: tuple[str, ...] = ()
    axioms: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    oracles: tuple[str, ...] = ()
    obligations: int = 0
    mutants: Mutants = Mutants()

    def to_json(self) -> dict[str, Any]:
        """The form of `verdicts.json`."""
        data = asdict(self)
        data["counterexample"] = None if self.counterexample is None else dict(self.counterexample)
        for key in ("context", "added", "trusted_steps", "axioms", "uses", "oracles"):
            data[key] = list(data[key])
        data["readings"] = [{key: told for key, told in reading.items() if told} for reading in data["readings"]]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Verdict:
        """Read the form of `verdicts.json`; unknown words raise ValueError, values of another form TypeError."""
        amendment = data.get("amendment")
        grade, argument = data.get("grade"), data.get("argument")
        return cls(
            outcome=Outcome(data["outcome"]),
            grade=None if grade is None else Grade(grade),
            argument=None if argument is None else Argument(argument),
            amendment=None
            if amendment is None
            else Amendment(
                str(amendment["statement"]),
                Outcome(amendment["outcome"]),
                None if amendment["grade"] is None else Grade(amendment["grade"]),
                str(amendment.get("role", "amendment")),
            ),
            reason=str(data.get("reason", "")),
            open=None if data.get("open") is None else Open(data["open"]),
            context=_texts(data.get("context", ())),
            added=_texts(data.get("added", ())),
            witness=None if data.get("witness") is None else Witness(data["witness"]),
            counterexample=None if data.get("counterexample") is None else _object(data["counterexample"]),
            readings=tuple(Reading.from_json(r) for r in data.get("readings", ())),
            trusted_steps=_texts(data.get("trusted_steps", ())),
            axioms=_texts(data.get("axioms", ())),
            uses=_texts(data.get("uses", ())),
            oracles=_texts(data.get("oracles", ())),
            obligations=_count(data.get("obligations", 0)),
            mutants=Mutants(**{kind: _count(n) for kind, n in data.get("mutants", {}).items()}),
        )

    def words(self) -> str:
        """The verdict in a few words, e.g. `holds, proved with 2 trusted steps`."""
        if self.grade is None:
            return f"{self.outcome}, {self.open}" if self.open in (Open.UNTRIED, Open.CITED) else str(self.outcome)
        return f"{self.outcome}, {with_evidence(self.grade, len(self.own_steps()), len(self.own_oracles()))}"

    def own_steps(self) -> list[str]:
        """The trusted steps on which the verdict itself rests, not only its amendment or a part."""
        return [step for step in self.trusted_steps if not placed(step)[0]]

    def own_oracles(self) -> list[str]:
        """The answers of oracles on which the verdict itself rests, not only its amendment or a part."""
        return [answer for answer in self.oracles if not placed(answer)[0]]

    def certified(self) -> set[str]:
        """The roles whose certificates the verdict rests on."""
        role = {Outcome.HOLDS: "statement", Outcome.REFUTED: "negation", Outcome.VOID: "part:void"}.get(self.outcome)
        exact = (Grade.PROVED, Grade.INSTANCES, Grade.CERTIFIED)
        found = {role} if role is not None and self.grade in exact else set()
        if self.witness is Witness.FOUND:
            found.add("part:satisfiable")
        return found | {self.amendment.role} if self.amendment is not None and self.amendment.grade in exact else found

    def differs_from(self, old: Verdict) -> list[str]:
        """What a reader would call a different verdict, as `field: old -> new`."""
        before, now = old._headline(), self._headline()
        return [f"{k}: {before[k]} -> {now[k]}" for k in now if before[k] != now[k]]

    def _headline(self) -> dict[str, str]:
        amended = self.amendment
        return {
            "outcome": str(self.outcome),
            "grade": str(self.grade),
            "argument": str(self.argument),
            "amendment": "None" if amended is None else f"{amended.outcome}, {amended.grade}",
            "hypotheses added": str(len(self.added)),
            "witness": str(self.witness),
            "trusted steps": _by_place(self.trusted_steps),
            "answers of oracles": _by_place(self.oracles),
            "axioms": ", ".join(sorted(self.axioms)) or "None",
            "uses": ", ".join(sorted(self.uses)) or "None",
            "readings": ", ".join(str(r.outcome) for r in self.readings) or "None",
        }


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
        raise TypeError(f"not a list of texts: {value!r}")
    return tuple(value)


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"not an object: {value!r}")
    return value


def _count(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"not a number of things: {value!r}")
    return value


def _by_place(told: Sequence[str]) -> str:
    """How many trusted steps or answers the verdict rests on, and how many only its amendment or a part."""
    beside = {place: sum(text.startswith(place) for text in told) for place in (AMENDED, IN_PART)}
    own = len(told) - sum(beside.values())
    return ", ".join([str(own), *(f"{n} {place.removesuffix(': ')}" for place, n in beside.items() if n)])
