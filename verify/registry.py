"""How a proof module binds proofs to claims.

    @holds("shin2025.lemma-10-mult", "all n:Z, a b:R. 1 <= n => ...", argument="sound")
    def span_is_closed(g):
        "The reduction, in words for a human reader."
        g....

A decorator only records; the kernel decides when the run calls the function. Nothing here returns a grade. What is
recorded is plain data; the functions stand apart in `Registry.scripts`, so that a process that imports no proof module
can know everything but them (see `verify.bindings`).
"""

from __future__ import annotations

import inspect
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from verify.errors import InputError
from verify.verdict import COVERS, Argument, Grade, Outcome

Script = TypeVar("Script", bound=Callable[..., Any])
ReadingTuple = tuple[str, str, str | None] | tuple[str, str, str | None, str]
"""How a proof module gives another reading: the members of a `ReadingSpec`."""

_PART_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_PLACED = re.compile(r".*\S \[[^\[\]]+\]")
STATEMENT, NEGATION, AMENDMENT = "statement", "negation", "amendment"
SATISFIABLE = "part:satisfiable"
"""The role of the witness of a claim: that the hypotheses of its statement can be met."""


def void_role(role: str) -> str:
    """The role of the proof that another role of the same claim is void: `false` from its hypotheses."""
    return "part:void" if role == STATEMENT else f"part:void-{role.removeprefix('part:')}"


CAPTION_AGAINST_TEXT = "caption against text"
"""The reading of a figure that says where the printed caption and the text disagree."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a binding was written."""

    module: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.module}:{self.line}"


@dataclass(frozen=True, slots=True)
class ReadingSpec:
    """Another reading of a claim: its words, the outcome stated for it, the part that proves it, and how a part refutes it.

    A formula that refutes a reading denies something or gives a counterexample (`denies`); of any other formula `because` says
    how the reading is false if it is true.
    """

    text: str
    outcome: Outcome
    part: str | None
    because: str = ""

    @property
    def role(self) -> str | None:
        """The role of the part, if there is one."""
        if self.part is None or self.part in (STATEMENT, NEGATION, AMENDMENT):
            return self.part
        return "part:" + self.part.removeprefix("part:")


@dataclass(frozen=True, slots=True)
class Binding:
    """One formula of a claim in a role; `home` is the module of its script, `reduction` the script's docstring."""

    claim: str
    role: str
    text: str
    place: Place
    home: str
    reduction: str = ""
    uses: tuple[str, ...] = ()
    says: str = ""
    covers: str = "all"
    because: str = ""

    @property
    def cap(self) -> Grade:
        """The highest grade that this binding can give."""
        return COVERS[self.covers]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a proof module says of a claim as a whole; the kernel has to agree.

    `context`: hypotheses of the formula that the paper prints elsewhere, each with its place; `added`: hypotheses that the
    paper does not print. With one of these a proof of the statement is no proof of what is printed, only of an amendment.
    """

    claim: str
    outcome: Outcome
    place: Place
    text: str | None = None
    argument: Argument | None = None
    reading: str = ""
    context: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    readings: tuple[ReadingSpec, ...] = ()
    reason: str = ""
    tried: str = ""
    missing: str = ""
    uses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """Evidence that can only be replayed; `decides` says why it may decide a claim of another kind.

    With a `reading` it decides that other reading of the claim, and not the claim.
    """

    claim: str
    name: str
    grade: Grade
    seed: int
    place: Place
    home: str
    reduction: str = ""
    needs: tuple[str, ...] = ()
    limit: float | None = None
    decides: str = ""
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture in the section of a claim; it decides nothing. `against_text`: where the paper's caption and text disagree."""

    claim: str
    name: str
    caption: str
    place: Place
    home: str
    needs: tuple[str, ...] = ()
    against_text: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """Why a claim that experiments decide is decided by no more than that."""

    claim: str
    because: str
    place: Place


@dataclass(slots=True)
class Registry:
    """Everything that the imported proof modules have bound."""

    bindings: dict[tuple[str, str], Binding] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    experiments: dict[tuple[str, str], Experiment] = field(default_factory=dict)
    figures: dict[tuple[str, str], Figure] = field(default_factory=dict)
    remarks: dict[str, Remark] = field(default_factory=dict)
    scripts: dict[tuple[str, str], Callable[..., Any]] = field(default_factory=dict)
    _roles: dict[str, list[Binding]] = field(default_factory=dict)
    _tests: dict[str, list[Experiment]] = field(default_factory=dict)
    _drawn: dict[str, list[Figure]] = field(default_factory=dict)

    def claims(self) -> list[str]:
        """The ids that have anything bound, sorted."""
        return sorted({c for c, _ in (*self.bindings, *self.experiments, *self.figures)} | set(self.decisions))

    def roles(self, claim: str) -> list[Binding]:
        """The bindings of a claim in the order in which they were written, parts first."""
        return sorted(self._roles.get(claim, ()), key=lambda b: not b.role.startswith("part:"))

    def tests(self, claim: str) -> list[Experiment]:
        """The experiments of a claim, by name."""
        return sorted(self._tests.get(claim, ()), key=lambda e: e.name)

    def drawings(self, claim: str) -> list[Figure]:
        """The figures of a claim, by name."""
        return sorted(self._drawn.get(claim, ()), key=lambda f: f.name)

    def uses(self, claim: str) -> tuple[str, ...]:
        """The claims that a claim's proofs, experiments and figures declare, sorted."""
        found = {u for b in self.roles(claim) for u in b.uses}
        found |= {u for test in self.tests(claim) for u in test.needs}
        found |= {u for drawing in self.drawings(claim) for u in drawing.needs}
        decision = self.decisions.get(claim)
        if decision is not None:
            found |= set(decision.uses)
        return tuple(sorted(found - {claim}))

    def text(self, claim: str, role: str) -> str | None:
        """The surface text of the formula of a role; that of `negation` is the claim's own statement."""
        if role in (STATEMENT, NEGATION):
            decision = self.decisions.get(claim)
            return None if decision is None else decision.text
        binding = self.bindings.get((claim, role))
        return None if binding is None else binding.text

    def places(self) -> Iterator[tuple[str, Place]]:
        """Every id with every place that names it."""
        for (claim, _), binding in self.bindings.items():
            yield claim, binding.place
        for claim, decision in self.decisions.items():
            yield claim, decision.place
        for (claim, _), experiment in self.experiments.items():
            yield claim, experiment.place
        for (claim, _), figure in self.figures.items():
            yield claim, figure.place
        for claim, remark in self.remarks.items():
            yield claim, remark.place

    def add_binding(self, binding: Binding) -> None:
        """Record a binding; a second one for the same role, or one of a formula that says nothing, is an error."""
        if binding.text.replace("(", " ").replace(")", " ").split() == ["true"]:
            raise InputError(f"{binding.place}: {binding.role} of {binding.claim} is `true`, a formula with no content")
        old = self.bindings.setdefault((binding.claim, binding.role), binding)
        if old is not binding:
            raise InputError(f"{binding.claim}: {binding.role} is bound twice, at {old.place} and at {binding.place}")
        self._roles.setdefault(binding.claim, []).append(binding)

    def add_decision(self, decision: Decision) -> None:
        """Record what is said of a claim; a second word is an error."""
        old = self.decisions.setdefault(decision.claim, decision)
        if old is not decision:
            raise InputError(f"{decision.claim}: decided twice, at {old.place} and at {decision.place}")

    def add_remark(self, remark: Remark) -> None:
        """Record why a claim is simulated only; a second sentence is an error."""
        old = self.remarks.setdefault(remark.claim, remark)
        if old is not remark:
            raise InputError(f"{remark.claim}: said to be simulated twice, at {old.place} and at {remark.place}")

    def add_experiment(self, experiment: Experiment) -> None:
        """Record an experiment; a second one of the same name is an error."""
        old = self.experiments.setdefault((experiment.claim, experiment.name), experiment)
        if old is not experiment:
            raise InputError(
                f"{experiment.claim}: two experiments are named {experiment.name}, at {old.place} and at {experiment.place}"
            )
        self._tests.setdefault(experiment.claim, []).append(experiment)

    def add_figure(self, figure: Figure) -> None:
        """Record a figure; a second one of the same name in a paper is an error, since both are one file."""
        paper = figure.claim.partition(".")[0]
        for old in self.figures.values():
            if old.name == figure.name and old.claim.partition(".")[0] == paper:
                raise InputError(f"{paper}: two figures are named {figure.name}, at {old.place} and at {figure.place}")
        self.figures[(figure.claim, figure.name)] = figure
        self._drawn.setdefault(figure.claim, []).append(figure)


REGISTRY = Registry()
"""What the imported proof modules have bound; they write here through the functions below."""


def holds(
    claim: str,
    statement: str,
    *,
    uses: Iterable[str] = (),
    argument: str | None = None,
    covers: str = "all",
    because: str = "",
    reading: str = "",
    context: str | Iterable[str] = (),
    added: str | Iterable[str] = (),
    readings: Iterable[ReadingTuple] = (),
    reason: str = "",
) -> Callable[[Script], Script]:
    """Bind a script that proves the statement of a claim.

    `covers` says how much of the printed claim the statement encodes (`all`, `instances`, `boxes`), `because` why
    it is not all; `reading` is the reading that was encoded, `readings` the other ones, each as `(text, outcome, part)`: a part
    that refutes a reading begins with `not`, `ex` or `!=`, or a fourth member says how it refutes it. `context` names
    hypotheses that the paper prints elsewhere, `"hypothesis [place]"` with a label or the name of a claim. `added` names
    hypotheses that the paper does not print: with one of these the claim is *unsupported*, and the statement is its amendment.
    """
    return _decide(
        Outcome.HOLDS,
        STATEMENT,
        claim,
        statement,
        uses,
        argument,
        covers,
        because,
        reading,
        context,
        added,
        readings,
        reason,
    )


def refuted(
    claim: str,
    statement: str,
    *,
    uses: Iterable[str] = (),
    argument: str | None = None,
    covers: str = "all",
    because: str = "",
    reading: str = "",
    context: str | Iterable[str] = (),
    added: str | Iterable[str] = (),
    readings: Iterable[ReadingTuple] = (),
    reason: str = "",
) -> Callable[[Script], Script]:
    """Bind a script that proves the negation of a statement as printed; `reason` says which case breaks it."""
    return _decide(
        Outcome.REFUTED,
        NEGATION,
        claim,
        statement,
        uses,
        argument,
        covers,
        because,
        reading,
        context,
        added,
        readings,
        reason,
    )


def amendment(
    claim: str,
    statement: str,
    *,
    says: str = "",
    uses: Iterable[str] = (),
    covers: str = "all",
    because: str = "",
) -> Callable[[Script], Script]:
    """Bind a script that proves the nearest true statement beside a claim that is not right as printed."""
    return _bind(claim, AMENDMENT, statement, uses, says, covers, because, _place())


def part(
    claim: str,
    name: str,
    formula: str,
    *,
    says: str = "",
    uses: Iterable[str] = (),
    covers: str = "all",
    because: str = "",
) -> Callable[[Script], Script]:
    """Bind a script that proves a lemma or another reading of a claim; `covers` and `because` as for `holds`."""
    place = _place()
    if not isinstance(name, str) or not _PART_NAME.fullmatch(name):
        raise InputError(f"{place}: {claim}: part name {name!r} must be letters, digits, hyphens, underscores")
    return _bind(claim, f"part:{name}", formula, uses, says, covers, because, place)


def undecided(
    claim: str,
    *,
    outcome: str = "open",
    tried: str = "",
    missing: str = "",
    argument: str | None = None,
    uses: Iterable[str] = (),
    statement: str | None = None,
    reading: str = "",
    context: str | Iterable[str] = (),
    added: str | Iterable[str] = (),
    readings: Iterable[ReadingTuple] = (),
    reason: str = "",
) -> None:
    """Say of a claim that it is open, unsupported or ill-formed, with what was tried and what is missing."""
    place = _place()
    word = _word(Outcome, outcome, "outcome", claim, place)
    if word in (Outcome.HOLDS, Outcome.REFUTED):
        raise InputError(f"{place}: {claim}: undecided takes open, unsupported or ill-formed; use @{word} to prove")
    REGISTRY.add_decision(
        Decision(
            claim=_id(claim, place),
            outcome=word,
            place=place,
            text=statement,
            argument=None if argument is None else _word(Argument, argument, "argument", claim, place),
            reading=reading,
            context=_placed(context, claim, place),
            added=_listed(added, "added", claim, place),
            readings=_readings(readings, claim, place),
            reason=reason,
            tried=tried,
            missing=missing,
            uses=_uses(uses, claim, place),
        )
    )


def experiment(
    claim: str,
    *,
    grade: str = "sampled",
    seed: int = 1,
    name: str | None = None,
    needs: Iterable[str] = (),
    limit: float | None = None,
    decides: str = "",
    reading: str = "",
) -> Callable[[Script], Script]:
    """Bind a function that is given the profile and returns `{"holds": bool, "statistics": {...}}`.

    On a claim of kind `experiment` it decides the claim (simulated); on any other it is only a test, unless `decides`
    says why it decides that one: for a sentence that speaks of the paper's own experiments. With `reading`, the words of
    another reading of the claim, it decides that reading instead: it holds or is refuted as the experiment comes out.

    The function may return `"data"` as well, plain JSON that is recorded and not printed. `needs` names other claims whose
    experiments come first: the function is given their results as second argument, `found[claim][name]` with the keys
    `holds`, `statistics`, `data`. `limit` is how many seconds it may take in the full profile.
    """
    place = _place()
    word = _word(Grade, grade, "grade", claim, place)
    if word not in (Grade.SAMPLED, Grade.SIMULATED, Grade.NUMERIC):
        raise InputError(f"{place}: {claim}: an experiment is sampled, simulated or numeric, not {word}")
    needed = _uses(needs, claim, place)
    if claim in needed:
        raise InputError(f"{place}: {claim}: an experiment cannot need those of its own claim")
    if reading and decides:
        raise InputError(f"{place}: {claim}: an experiment decides the claim or another reading, not both")
    if limit is not None and not 0 < limit < math.inf:
        raise InputError(f"{place}: {claim}: limit is {limit!r}; it must be a positive number of seconds")

    def bind(script: Script) -> Script:
        label = name or str(getattr(script, "__name__", "experiment"))
        home, reduction = script.__module__, _doc(script)
        item = Experiment(_id(claim, place), label, word, seed, place, home, reduction, needed, limit, decides, reading)
        REGISTRY.add_experiment(item)
        REGISTRY.scripts[(item.claim, item.name)] = script
        return script

    return bind


def simulated(claim: str, *, because: str) -> None:
    """Say why a claim that experiments decide is decided by no more than that; the sentence goes with its verdict."""
    place = _place()
    if not because.strip():
        raise InputError(f"{place}: {claim}: simulated needs because=..., a sentence")
    REGISTRY.add_remark(Remark(_id(claim, place), because, place))


def figure(
    claim: str, name: str, *, caption: str = "", needs: Iterable[str] = (), readings: Iterable[tuple[str, str]] = ()
) -> Callable[[Script], Script]:
    """Bind a function that draws: it is given an empty matplotlib figure and returns `{"data": ..., "caption": "..."}`.

    `data` is what was drawn, as plain JSON, best as text of decimals: its digest is recorded and does not depend on
    the drawing library. The optional `caption` follows the one given here. With `svg` the function gives the picture
    itself, as text. `needs` names claims, also its own, whose experiments it shows: their results are the second argument,
    as for `experiment`. `readings=[("caption against text", "...")]` says where the printed caption and the text
    disagree, or that they were compared and agree; the report gives it a line of its own.
    """
    place = _place()
    if not isinstance(name, str) or not _PART_NAME.fullmatch(name):
        raise InputError(f"{place}: {claim}: figure name {name!r} must be letters, digits, hyphens, underscores")
    needed = _uses(needs, claim, place)
    against = _against_text(readings, claim, place)

    def bind(script: Script) -> Script:
        item = Figure(_id(claim, place), name, caption or _doc(script), place, script.__module__, needed, against)
        REGISTRY.add_figure(item)
        REGISTRY.scripts[(item.claim, f"figure:{item.name}")] = script
        return script

    return bind


def _decide(
    outcome: Outcome,
    role: str,
    claim: str,
    statement: str,
    uses: Iterable[str],
    argument: str | None,
    covers: str,
    because: str,
    reading: str,
    context: str | Iterable[str],
    added: str | Iterable[str],
    readings: Iterable[ReadingTuple],
    reason: str,
) -> Callable[[Script], Script]:
    place = _place(3)
    decision = Decision(
        claim=_id(claim, place),
        outcome=outcome,
        place=place,
        text=statement,
        argument=None if argument is None else _word(Argument, argument, "argument", claim, place),
        reading=reading,
        context=_placed(context, claim, place),
        added=_listed(added, "added", claim, place),
        readings=_readings(readings, claim, place),
        reason=reason,
    )
    bind_script = _bind(claim, role, statement, uses, "", covers, because, place)

    def bind(script: Script) -> Script:
        REGISTRY.add_decision(decision)
        return bind_script(script)

    return bind


def _bind(
    claim: str, role: str, text: str, uses: Iterable[str], says: str, covers: str, because: str, place: Place
) -> Callable[[Script], Script]:
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{place}: {claim}: the formula of {role} must be a non-empty string")
    if covers not in COVERS:
        raise InputError(f"{place}: {claim}: covers is {covers!r}; it must be one of {', '.join(COVERS)}")
    if covers != "all" and not because.strip():
        raise InputError(f"{place}: {claim}: covers={covers!r} needs because=..., why it is not all")
    named = _uses(uses, claim, place)

    def bind(script: Script) -> Script:
        home, reduction = script.__module__, _doc(script)
        item = Binding(_id(claim, place), role, text, place, home, reduction, named, says, covers, because)
        REGISTRY.add_binding(item)
        REGISTRY.scripts[(item.claim, item.role)] = script
        return script

    return bind


def _place(depth: int = 2) -> Place:
    frame = sys._getframe(depth)
    return Place(frame.f_globals.get("__name__", "?"), frame.f_code.co_filename, frame.f_lineno)


def _doc(script: Callable[..., Any]) -> str:
    return inspect.cleandoc(script.__doc__ or "")


def _id(claim: str, place: Place) -> str:
    if not isinstance(claim, str) or "." not in claim:
        raise InputError(f"{place}: {claim!r} is no claim id; an id looks like paper.lemma-1")
    return claim


Word = TypeVar("Word", Outcome, Argument, Grade)


def _word(kind: type[Word], word: str, what: str, claim: str, place: Place) -> Word:
    try:
        return kind(word)
    except ValueError:
        known = ", ".join(str(k) for k in kind)
        raise InputError(f"{place}: {claim}: {what} is {word!r}; it must be one of {known}") from None


def _uses(uses: Iterable[str], claim: str, place: Place) -> tuple[str, ...]:
    if isinstance(uses, str):
        raise InputError(f"{place}: {claim}: uses must be a list of ids")
    return tuple(_id(u, place) for u in uses)


def _placed(told: str | Iterable[str], claim: str, place: Place) -> tuple[str, ...]:
    """Hypotheses of the setting, each with the place that prints it; those of one string are separated by semicolons."""
    items = tuple(item for item in told.split("; ") if item.strip()) if isinstance(told, str) else told
    found = _listed(items, "context", claim, place)
    for item in found:
        if not _PLACED.fullmatch(item):
            raise InputError(
                f"{place}: {claim}: the context {item!r} names no place; write `hypothesis [place]` with the label or the"
                " claim that prints it, or move what the paper does not print to added="
            )
    return found


def _listed(told: str | Iterable[str], what: str, claim: str, place: Place) -> tuple[str, ...]:
    """Hypotheses in words, one string or several."""
    items = ((told,) if told else ()) if isinstance(told, str) else tuple(told)
    if not all(isinstance(item, str) and item.strip() for item in items):
        raise InputError(f"{place}: {claim}: {what} must be a sentence or a list of sentences")
    return tuple(" ".join(item.split()) for item in items)


def _readings(readings: Iterable[ReadingTuple], claim: str, place: Place) -> tuple[ReadingSpec, ...]:
    found = []
    for item in readings:
        if not isinstance(item, (tuple, list)) or len(item) not in (3, 4):
            raise InputError(f'{place}: {claim}: a reading is ("text", "holds|refuted|open", part name or None[, "because"])')
        text, outcome, name, *because = item
        found.append(ReadingSpec(text, _word(Outcome, outcome, "outcome of a reading", claim, place), name, *because))
    return tuple(found)


def _against_text(readings: Iterable[tuple[str, str]], claim: str, place: Place) -> str:
    told = ""
    for item in readings:
        if not isinstance(item, (tuple, list)) or len(item) != 2 or item[0] != CAPTION_AGAINST_TEXT or not str(item[1]).strip():
            raise InputError(f'{place}: {claim}: a reading of a figure must be ("{CAPTION_AGAINST_TEXT}", "what was found")')
        told = str(item[1])
    return told
