"""The instance that a proof of an existential formula gives: exact values, and the condition on what is only known to exist.

The way to the witnesses is followed with the rules of the kernel, so that a name which the proof obtained (the solution of a
differential equation, a root in an interval) is shown with the formula that it was obtained with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from verify.run.language import Language

if TYPE_CHECKING:
    from verify.run.results import RoleResult

GIVEN = "such that "
"""How the value of names begins that stand for anything with a property."""
ANY = "any values: what is printed is true of none"
_SAME_CONCLUSION = frozenset({"have", "fact", "lemma", "clear", "apply", "split", "obtain", "push"})
"""Rules whose last child has the conclusion of the node."""
_BRANCHES = frozenset({"em", "cases"})
_FOLLOWED = _SAME_CONCLUSION | _BRANCHES | {"witness", "and", "or"}

DEPTH = 50
"""How many lemmas are entered at most."""
Values = dict[str, str]
Roles = Mapping[tuple[str, str], "RoleResult"]


def finder(language: Language, roles: Roles) -> Callable[[Any, Any], Values | None]:
    """A function from the statement that is refuted and the proof of its negation to the instance in the proof, if there is any.

    The statements and proofs of lemmas are taken from `roles`.
    """

    def find(statement: Any, proof: Any) -> Values | None:
        if not language.follows:
            return None
        return _Way(language, roles, 0).from_goal(language.negate(statement), proof)

    return find


def instance(language: Language, roles: Roles, formula: Any, proof: Any) -> Values | None:
    """The values in the proof of a formula `ex ..`, or of a conjunction of such."""
    return _Way(language, roles, 0).from_goal(language.frozen(formula), proof) if language.follows else None


@dataclass
class _Way:
    """A way through a proof, from the root to the last witness."""

    language: Language
    roles: Roles
    depth: int
    """How many lemmas were entered."""
    terms: list[tuple[str, Any]] = field(default_factory=list)
    obtained: list[tuple[tuple[str, ...], Any]] = field(default_factory=list)
    lemmas: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The hypotheses that are lemmas."""

    def from_goal(self, goal: Any, proof: Any) -> Values | None:
        """The values in a proof of a closed formula."""
        return self.follow(self.language.start(goal), proof) or None

    def follow(self, goal: Any, node: Any) -> Values:
        """The values in a proof of a goal; none when no witness is on the way."""
        while isinstance(node, Mapping):
            rule, children = node.get("r"), node.get("c", ())
            if rule == "hyp":
                return self._values() or self._from_lemma(str(node.get("h")))
            if rule == "fix" and not self.terms and goal.concl[0] == "all":
                return {", ".join(name for name, _ in goal.concl[1]): ANY}
            if rule not in _FOLLOWED:
                break
            goals = self.language.goals(goal, node, self._lemma)
            if rule in _BRANCHES:
                return self._join(goals, node)
            if rule == "witness":
                self.terms += [(name, t) for (name, _), t in zip(goal.concl[1], self.language.frozen(node["terms"]), strict=True)]
                at = 0
            elif rule == "and":
                at = max((k for k, g in enumerate(goals) if _existential(g.concl)), default=len(goals))
            elif rule == "or":
                at = 0
            else:
                at = len(children) - 1
                if rule == "obtain":
                    self.obtained.append((tuple(node["names"]), goals[at].hyps[node["name"]]))
                elif rule == "lemma":
                    self.lemmas[str(node["name"])] = (str(node["claim"]), str(node["role"]))
            if not 0 <= at < min(len(goals), len(children)):
                break
            goal, node = goals[at], children[at]
        return self._values()

    def _lemma(self, claim: str, role: str) -> Any:
        formula = self.roles[(claim, role)].formula
        return self.language.negate(formula) if role == "negation" else self.language.frozen(formula)

    def _from_lemma(self, hypothesis: str) -> Values:
        """The values in the proof of a lemma that is the goal itself."""
        key = self.lemmas.get(hypothesis)
        if key is None or self.depth > DEPTH:
            return {}
        return _Way(self.language, self.roles, self.depth + 1).from_goal(self._lemma(*key), self.roles[key].proof) or {}

    def _join(self, goals: list[Any], node: Mapping[str, Any]) -> Values:
        """The values of each case under which the proof goes on, with the case."""
        found: Values = {}
        for goal, child in zip(goals, node.get("c", ()), strict=False):
            way = _Way(self.language, self.roles, self.depth, [*self.terms], [*self.obtained], {**self.lemmas})
            if values := way.follow(goal, child):
                for name, value in {"case": self.language.pretty(goal.hyps[node["name"]]), **values}.items():
                    found[_unused(name, found)] = value
        return found

    def _values(self) -> Values:
        if not self.terms:
            return {}
        known = {name for names, _ in self.obtained for name in names}
        labels: Values = {}
        found: dict[str, Any] = {}
        for name, term in self.terms:
            label = _unused(name, found, "_" if term in known else "'")
            found[label] = term
            if isinstance(term, str):
                labels.setdefault(term, label)
        for name in sorted(known - labels.keys()):
            labels[name] = _unused(name, found, "_")
        groups = self._needed(chain.from_iterable(self.language.free(term) for term in found.values()))
        named = {name: label for name, label in labels.items() if name in known}
        shown = {
            label: self.language.renamed(term, named)
            for label, term in found.items()
            if not (term in known and labels[term] == label)
        }
        given = {", ".join(labels[n] for n in names): GIVEN + self.language.renamed(f, named) for names, f in groups}
        return {**shown, **given}

    def _needed(self, names: Iterator[str]) -> list[tuple[tuple[str, ...], Any]]:
        """The obtained names that are used, also by the conditions on others, each group with its condition."""
        wanted, kept = set(names), []
        for group, formula in reversed(self.obtained):
            if wanted & set(group):
                kept.append((group, formula))
                wanted |= self.language.free(formula)
        return kept[::-1]


def _existential(f: Any) -> bool:
    """Whether a proof of a formula may give values."""
    return f[0] == "ex" or (f[0] in ("and", "or") and any(_existential(part) for part in f[1:]))


def _unused(name: str, taken: Mapping[str, Any], mark: str = "'") -> str:
    while name in taken:
        name += mark
    return name
