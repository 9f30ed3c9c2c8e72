"""What `reports/verdicts.json` says of a claim, compared with what the accepted certificates give.

A verdict names what it rests on: alone, what the proof of the printed claim (or of its negation) rests on; after a heading, what
only the amendment or another part rests on. Whether it holds, is refuted or is amended must be shown by a certificate, or by
recorded experiments where the grade says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .names import plain
from .terms import Refused

AMENDED, IN_PART = "in the amendment: ", "in a part: "
"""How what only the amendment, or only another part, rests on is named."""
LISTS = {
    "axioms": ("axioms_with_lemmas", "the axiom"),
    "trusted_steps": ("trusted_with_lemmas", "the trusted step"),
    "oracles": ("oracles_with_lemmas", "the answer of"),
}
"""The lists in a verdict, each with its name in the checker's answers and what stands in it."""
DECIDING = {"holds": "statement", "refuted": "negation", "void": "part:void"}
"""The role whose certificate an outcome needs."""
WITNESS = "part:satisfiable"
"""The role that shows that the hypotheses of the statement can be met."""
UNDECIDED = ("open", "unsupported", "ill-formed")
"""The outcomes that nothing has to show."""
EXACT = ("proved", "proved-for-instances", "certified")
"""The grades that only a certificate gives."""
REPLAYED = ("sampled", "simulated", "numeric")
"""The grades that only an experiment gives."""

Role = Mapping[str, Any]  # `Result.data` of a part
Roles = Mapping[str, Role]


def compared(
    verdicts: Mapping[str, Any], tests: Mapping[str, Collection[bool]], parts: list[dict[str, Any]], whole: bool
) -> Iterator[tuple[str, str]]:
    """The claims whose verdicts say something else than their certificates, each with what.

    verdicts: the entries by claim. tests: what recorded experiments of a claim found. parts: what the checker says of all parts
    of the certificates of these claims (`Result.data`). A claim with a part that was refused is passed over: the refusal stands
    for all else. With `whole` a claim that has a certificate must have a verdict.
    """
    roles: dict[str, dict[str, Role]] = defaultdict(dict)
    refused = {part["claim"] for part in parts if part["accepted"] is not True}
    for part in parts:
        roles[part["claim"]][part["role"]] = part
    for claim in sorted((verdicts.keys() | (roles.keys() if whole else set())) - refused):
        if claim not in verdicts:
            yield claim, "has a certificate, but no verdict is recorded"
            continue
        verdict, proved = verdicts[claim], roles[claim]
        for why in (*_decided(verdict, proved, tests.get(claim, ())), *_lists(claim, verdict, proved)):
            yield claim, why


def _decided(verdict: Mapping[str, Any], roles: Roles, found: Collection[bool]) -> Iterator[str]:
    """Whether the outcome, and that of the amendment and of other readings, is what was shown."""
    outcome, grade = verdict.get("outcome"), verdict.get("grade")
    for word, shown in DECIDING.items():
        weaker = shown == "statement" and ("part:void" in roles or _adds(verdict))  # a part says more of it than the statement
        if shown in roles and outcome != word and not weaker:
            yield f"says {outcome}, but a certificate proves the {shown}"
    if (verdict.get("witness") == "found") > (WITNESS in roles):
        yield "says that its hypotheses can be met, but no certificate proves it"
    role = DECIDING.get(outcome) if isinstance(outcome, str) else None
    if role is not None and role not in roles:
        if grade not in REPLAYED:
            yield f"says {outcome}, {grade}, but no certificate proves the {role}"
        elif (outcome == "holds") not in found:
            yield f"says {outcome}, {grade}, but no recorded experiment shows it"
    elif role is not None and grade not in EXACT:
        yield f"says {outcome}, {grade}, but a certificate proves the {role}"
    amendment = verdict.get("amendment")
    amended = isinstance(amendment, dict) and amendment.get("outcome") == "holds"
    if amended and _amending(verdict) not in roles:
        yield "says that its amendment holds, but no certificate proves it"
    elif not amended and "amendment" in roles and "part:void-amendment" not in roles:
        yield "does not say that its amendment holds, which a certificate proves"
    readings = verdict.get("readings", [])
    for reading in readings if isinstance(readings, list) else ():
        told = reading if isinstance(reading, dict) else {}
        word, by = told.get("outcome", "open"), told.get("role")
        if word not in UNDECIDED and (str(by) not in roles if by else not found):
            yield f"says of a reading that it is {word}, but no {'certificate' if by else 'recorded experiment'} shows it"


def _adds(verdict: Mapping[str, Any]) -> bool:
    """Whether the statement was proved with a hypothesis that the paper does not print, so that it proves less than the claim."""
    return verdict.get("outcome") == "unsupported" and bool(verdict.get("added"))


def _amending(verdict: Mapping[str, Any]) -> str:
    """The role of the nearest true statement: the statement itself where a hypothesis was added and nothing else is nearest."""
    amendment = verdict.get("amendment")
    named = amendment.get("role") if isinstance(amendment, dict) else None
    return "statement" if named == "statement" and _adds(verdict) else "amendment"


def _lists(claim: str, verdict: Mapping[str, Any], roles: Roles) -> Iterator[str]:
    """Whether a verdict names all that it rests on, and nothing else."""
    for key, (name, what) in LISTS.items():
        told = _told(claim, verdict, key)
        shown = _placed(verdict, roles, name)
        yield from (f"does not say that it rests on {what} {_words(x)}" for x in sorted(shown - told))
        yield from (f"says that it rests on {what} {_words(x)}, but no certificate of it does" for x in sorted(told - shown))
    uses = {used for role in roles.values() for used, _ in role["lemmas"]} - {claim}
    yield from (f"does not say that it uses {x}" for x in sorted(uses - _told(claim, verdict, "uses")))


def _words(text: str) -> str:
    """What a verdict names, with its heading behind it."""
    heading = next((h for h in (AMENDED, IN_PART) if text.startswith(h)), "")
    return text.removeprefix(heading) + (f" ({heading.removesuffix(': ')})" if heading else "")


def _told(claim: str, verdict: Mapping[str, Any], key: str) -> set[str]:
    told = verdict.get(key, [])
    if not isinstance(told, list) or not all(isinstance(x, str) for x in told):
        raise Refused(f"verdicts.json: the {key} of {plain(claim)} are no list of texts")
    return set(told)


def _placed(verdict: Mapping[str, Any], roles: Roles, key: str) -> set[str]:
    """What the roles of a claim rest on, each with the heading under which a verdict names it."""
    groups: dict[str, set[str]] = {"": set(), AMENDED: set(), IN_PART: set()}
    own = {IN_PART: ""}  # the verdict's own steps, and those of its amendment, need no name of their part
    for name, role in roles.items():
        decides = any(name == role and verdict.get("outcome") == word for word, role in DECIDING.items())
        place = "" if decides else AMENDED if name == _amending(verdict) else IN_PART
        groups[place].update(role[key])
        own.setdefault(place, step_of((role["claim"], name), ""))
    groups[IN_PART] -= groups[""] | groups[AMENDED]
    return {place + text.removeprefix(own[place]) for place, texts in groups.items() for text in texts}


def step_of(part: tuple[str, str], why: str) -> str:
    """A trusted step with the claim and role in whose proof it stands; no proof places its own steps under a heading."""
    while (heading := next((h for h in (AMENDED, IN_PART) if why.startswith(h)), None)) is not None:
        why = why.removeprefix(heading)
    return f"{part[0]} ({part[1]}): {why}"
