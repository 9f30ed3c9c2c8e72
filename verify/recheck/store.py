"""Certificates on disk: reading them safely, digests, pinned statements, lemmas in order of dependency."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .facts import Library
from .names import one_line, plain
from .oracle import Ask
from .rules import Checker, Outcome
from .terms import MAX_BITS, MAX_NESTING, Node, Refused, neg, read_formula
from .verdicts import step_of

MAX_BYTES = 20_000_000
MAX_DIGITS = MAX_BITS * 30103 // 100000 + 1
FACTS = Path(__file__).resolve().parents[1] / "kernel" / "facts.json"
"""The facts of the page of logic, which stand beside this checker; those below another root are never taken for them."""
CERTIFICATES = Path("reports/certificates")
STATEMENTS = Path("reports/statements.json")

Part = tuple[str, str]  # claim, role


# --- JSON ---


@contextmanager
def long_integers() -> Iterator[None]:
    """Lets Python read and write integers as long as the logic allows."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(max(before, 2 * MAX_DIGITS) if before else 0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS + 1:
        raise Refused("a literal is too long")
    return int(text)


def _no_number(text: str) -> None:
    raise Refused(f"{text[:20]} is not an integer")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) != len(pairs):
        raise Refused("a key occurs twice in an object")
    return keys


_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def nesting(text: str) -> int:
    """How deeply brackets are nested outside of strings."""
    brackets = _STRING.sub(b"", text.encode()).translate(None, _NO_BRACKET)
    return max(itertools.accumulate(map(_STEP.__getitem__, brackets), initial=0))


def parse(data: bytes) -> Any:
    """JSON within the limits of the page: integers only, no repeated keys."""
    if len(data) > MAX_BYTES:
        raise Refused("the file is too large")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("the file is not UTF-8") from None
    if nesting(text) > MAX_NESTING:
        raise Refused("the file is nested too deeply")
    with long_integers():
        try:
            return json.loads(
                text,
                parse_int=_integer,
                parse_float=_no_number,
                parse_constant=_no_number,
                object_pairs_hook=_object,
            )
        except (ValueError, RecursionError):
            raise Refused("the file is not JSON") from None


def load(path: Path) -> Any:
    """The content of a JSON file."""
    return parse(read(path))


def read(path: Path) -> bytes:
    """The bytes of a file within the limit."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise Refused(f"{plain(path.name)} is too large")
        return path.read_bytes()
    except OSError:
        raise Refused(f"{plain(path.name)} cannot be read") from None


def digests(x: object) -> set[str]:
    """The SHA-256 of the canonical JSON (with ASCII or UTF-8 strings, which only differ in comments)."""
    with long_integers():
        text = json.dumps(x, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        texts = [text]
        if not text.isascii() or "\x7f" in text:  # what only one of the two escapes
            texts.append(json.dumps(x, sort_keys=True, separators=(",", ":"), ensure_ascii=True))
    return {hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() for text in texts}


# --- results ---


@dataclass
class Result:
    """The answer for one part of a certificate."""

    claim: str
    role: str
    reason: str = ""
    outcome: Outcome = field(default_factory=Outcome)
    axioms: set[str] = field(default_factory=set)  # also through lemmas
    trusted: set[str] = field(default_factory=set)  # trusted steps, also through lemmas, each with its part
    trusted_lemmas: set[Part] = field(default_factory=set)  # lemmas, also indirect ones, with trusted steps
    oracles: set[str] = field(default_factory=set)  # answers that it rests on, also through lemmas

    @property
    def accepted(self) -> bool:
        """Whether the part was accepted."""
        return not self.reason

    def data(self) -> dict[str, Any]:
        """The answer as JSON."""
        head: dict[str, Any] = {"claim": self.claim, "role": self.role, "accepted": self.accepted}
        if not self.accepted:
            return head | {"reason": self.reason}
        return head | {
            "rules": dict(sorted(self.outcome.rules.items())),
            "axioms": sorted(self.outcome.axioms),
            "axioms_with_lemmas": sorted(self.axioms),
            "lemmas": [list(part) for part in sorted(self.outcome.lemmas)],
            "trusted": self.outcome.trusted,
            "trusted_with_lemmas": sorted(self.trusted),
            "lemmas_with_trusted_steps": [list(part) for part in sorted(self.trusted_lemmas)],
            "oracles": sorted(self.outcome.oracles),
            "oracles_with_lemmas": sorted(self.oracles),
        }

    @classmethod
    def of(cls, data: dict[str, Any]) -> Result:
        """The answer again from its JSON."""
        if not data["accepted"]:
            return cls(data["claim"], data["role"], data["reason"])
        lemmas, oracles = {(c, r) for c, r in data["lemmas"]}, set(data["oracles"])
        outcome = Outcome(Counter(data["rules"]), set(data["axioms"]), lemmas, data["trusted"], oracles)
        trusted = {(c, r) for c, r in data["lemmas_with_trusted_steps"]}
        below = set(data["axioms_with_lemmas"]), set(data["trusted_with_lemmas"]), trusted, set(data["oracles_with_lemmas"])
        return cls(data["claim"], data["role"], "", outcome, *below)


def lemma_uses(proof: object) -> set[Part]:
    """The parts that a proof names as lemmas."""
    found: set[Part] = set()
    stack = [proof]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            claim, role = node.get("claim"), node.get("role")
            if node.get("r") == "lemma" and isinstance(claim, str) and isinstance(role, str):
                found.add((claim, role))
            children = node.get("c", [])
            if isinstance(children, list):
                stack.extend(children)
    return found


def is_role(role: str) -> bool:
    """Whether a role is one of those on the page."""
    return role in ("statement", "negation", "amendment") or (role.startswith("part:") and len(role) > 5)


class Store:
    """All certificates below a root directory; parts are checked on demand, each once; ``ask`` asks a solver again.

    The facts are those beside the checker, or those of the file ``facts``; never those below the root.
    """

    def __init__(self, root: Path, facts: Path = FACTS, ask: Ask | None = None) -> None:
        self.root = root
        self.ask = ask
        content = read(facts)
        self.facts = hashlib.sha256(content).hexdigest()
        self.library = Library(parse(content))
        self.pins = self._pins(root / STATEMENTS)
        self.parts: dict[Part, dict[str, Any]] = {}
        self.broken: list[Result] = []
        self.results: dict[Part, Result] = {}
        self.alone: dict[Part, Result] = {}  # what was found of parts by themselves, should all their lemmas be accepted
        self.begun: Callable[[Part], None] | None = None  # is told which part is looked at next
        self._statements: dict[Part, Node] = {}
        self._uses: dict[Part, set[Part]] = {}
        self._twice: set[str] = set()
        seen: dict[str, Path] = {}
        for path in sorted((root / CERTIFICATES).glob("*/*.json")):
            self._read(path, seen)

    @staticmethod
    def _pins(path: Path) -> dict[str, dict[str, str]]:
        pins = load(path)
        if not isinstance(pins, dict) or not all(isinstance(x, dict) for x in pins.values()):
            raise Refused("statements.json is not an object of objects")
        return pins

    def _read(self, path: Path, seen: dict[str, Path]) -> None:
        try:
            content = load(path)
            if not isinstance(content, dict):
                raise Refused("a certificate is an object")
            parts = self._content(content, path)
            claim = content["claim"]
            if claim in seen:
                for part in [p for p in self.parts if p[0] == claim]:
                    del self.parts[part]
                raise Refused(f"there are two certificates of {plain(claim)}")
            self.parts.update({(claim, role): part for role, part in parts.items()})
            seen[claim] = path
        except (Refused, RecursionError) as e:
            self.broken.append(self._refuse((belongs_to(path), "certificate"), str(e)))

    @staticmethod
    def _content(content: dict[str, Any], path: Path) -> dict[str, Any]:
        if set(content) != {"schema", "claim", "parts", "sha256"} or content["schema"] != 1:
            raise Refused("a certificate has schema 1, claim, parts and sha256")
        if content["schema"] is True or not isinstance(content["claim"], str) or not content["claim"]:
            raise Refused("a certificate has schema 1, claim, parts and sha256")
        if content["sha256"] not in digests({k: x for k, x in content.items() if k != "sha256"}):
            raise Refused("the digest does not fit")
        paper, _, name = content["claim"].partition(".")
        if path.stem not in (content["claim"], name) or (name and path.parent.name != paper):
            raise Refused("the file is not where the claim's certificate belongs")
        parts = content["parts"]
        if not isinstance(parts, dict) or not parts:
            raise Refused("a certificate has parts")
        for role, part in parts.items():
            if not is_role(role):
                raise Refused(f"unknown role {role[:40]!r}")
            if not isinstance(part, dict) or set(part) != {"statement", "proof"}:
                raise Refused("a part has a statement and a proof")
        return parts

    # --- checking ---

    def check(self, ids: Iterable[str] = ()) -> list[Result]:
        """Checks the certificates of these claims or papers, or all, and the lemmas that they need."""
        wanted = list(ids)
        known = {claim for claim, _ in self.parts} | {r.claim for r in self.broken}
        missing = [x for x in wanted if not any(selected(claim, [x]) for claim in known)]
        results = [Result(x, "certificate", "there is no certificate") for x in missing]
        results += [r for r in self.broken if selected(r.claim, wanted)]
        for part in sorted(self.parts):
            if selected(part[0], wanted):
                results.append(self.part(part))
        return results

    def part(self, part: Part) -> Result:
        """The answer for one part, after the parts that it uses."""
        entered: list[Part] = []
        stack = [part]
        while stack:
            here = stack[-1]
            if here in self.results:
                stack.pop()
                continue
            if here in entered:  # all that it uses has been decided
                entered.remove(here)
                self.results[here] = self._decide(here)
                continue
            entered.append(here)
            for needed in sorted(self.uses(here)):
                if needed in entered:
                    self.results[here] = self._refuse(here, "its lemmas form a cycle")
                elif needed in self.parts and needed not in self.results:
                    stack.append(needed)
            if here in self.results:
                entered.remove(here)
        return self.results[part]

    def uses(self, part: Part) -> set[Part]:
        """The parts that the proof of a part names as lemmas."""
        if part not in self._uses:
            self._uses[part] = lemma_uses(self.parts[part]["proof"])
        return self._uses[part]

    def needed(self, parts: Iterable[Part]) -> list[Part]:
        """Some parts and all that they use, directly or not, as far as there are certificates."""
        found: set[Part] = set()
        queue = list(parts)
        while queue:
            part = queue.pop()
            if part not in found:
                found.add(part)
                queue.extend(self.uses(part) & self.parts.keys())
        return sorted(found)

    def by_itself(self, part: Part) -> Result:
        """The answer for one part if all its lemmas are accepted; it says nothing of these."""
        return self._guarded(part, self._assumed)

    def _assumed(self, part: Part) -> Result:
        target = self._target(part)
        return Result(*part, outcome=Checker(self.library, self._formula, self.ask).check(target, self.parts[part]["proof"]))

    def _formula(self, claim: str, role: str) -> Node:
        """The formula of a part, as `lemma` gives it once the part is accepted."""
        part = (claim, role)
        try:
            if part not in self._statements:
                self._statements[part] = self._target(part)
        except (KeyError, Refused, RecursionError, MemoryError, OverflowError):
            raise Refused(f"{plain(claim)} {plain(role)} has no accepted certificate") from None
        return self._statements[part]

    @staticmethod
    def _refuse(part: Part, reason: str) -> Result:
        return Result(part[0], part[1], one_line(reason)[:300] or "refused")

    def _decide(self, part: Part) -> Result:
        if self.begun is not None:
            self.begun(part)
        return self._guarded(part, self._accept)

    def _guarded(self, part: Part, decide: Callable[[Part], Result]) -> Result:
        try:
            return decide(part)
        except Refused as e:
            return self._refuse(part, str(e))
        except (RecursionError, MemoryError, OverflowError) as e:
            return self._refuse(part, f"a limit was reached ({type(e).__name__})")

    def _target(self, part: Part) -> Node:
        """What the proof of a part has to prove."""
        claim, role = part
        content = self.parts[part]
        self._pinned(claim, role, content["statement"])
        statement = read_formula(content["statement"])
        self.library.sorter.formula(statement, {})
        return neg(statement) if role == "negation" else statement

    def _accept(self, part: Part) -> Result:
        claim, role = part
        known = self.alone.get(part)
        if known is not None and all(used in self.results and self.results[used].accepted for used in self.uses(part)):
            if not known.accepted:
                raise Refused(known.reason)
            outcome = known.outcome
        else:
            target = self._target(part)
            outcome = Checker(self.library, self.lemma, self.ask).check(target, self.parts[part]["proof"])
            self._statements[part] = target
        result = Result(claim, role, outcome=outcome, axioms=set(outcome.axioms), oracles=set(outcome.oracles))
        result.trusted = {step_of(part, step["why"]) for step in outcome.trusted}
        for used in outcome.lemmas:
            below = self.results[used]
            result.axioms |= below.axioms
            result.trusted |= below.trusted
            result.oracles |= below.oracles
            result.trusted_lemmas |= below.trusted_lemmas
            if below.outcome.trusted:
                result.trusted_lemmas.add(used)
        return result

    def _pinned(self, claim: str, role: str, statement: object) -> None:
        pins = self.pins.get(claim, {})
        roles = [r for r in ((role, "statement") if role == "negation" else (role,)) if r in pins]
        if not roles:
            raise Refused("the statement is not pinned")
        found = digests(statement)
        if any(pins[r] not in found for r in roles):
            raise Refused("the statement is not the pinned one")

    def lemma(self, claim: str, role: str) -> Node:
        """The accepted formula of a part (for a negation, the negated statement)."""
        result = self.results.get((claim, role))
        if result is None or not result.accepted:
            raise Refused(f"{plain(claim)} {plain(role)} has no accepted certificate")
        return self._formula(claim, role)


def belongs_to(path: Path) -> str:
    """The claim whose certificate a file is by its place, whatever it holds."""
    paper = path.parent.name
    return path.stem if path.stem.startswith(f"{paper}.") else f"{paper}.{path.stem}"


def selected(claim: str, ids: list[str]) -> bool:
    """Whether a claim is among the wanted claims or papers."""
    return not ids or any(claim == x or claim.startswith(x + ".") for x in ids)


def total(results: Iterable[Result]) -> Counter[str]:
    """The number of nodes by rule over all accepted parts."""
    count: Counter[str] = Counter()
    for r in results:
        if r.accepted:
            count.update(r.outcome.rules)
    return count
