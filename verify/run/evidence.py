"""What a stored proof rests on, read off its tree without running anything."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import verify
from verify.run.files import digest, sha256

DECIDING = frozenset({"field", "nc", "pos", "ball", "flow", "compute", "refl", "trusted", "oracle"})
"""The rules whose nodes count as obligations: each decides one atomic fact."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A summary of a proof tree."""

    counts: Mapping[str, int]
    facts: tuple[str, ...]
    lemmas: tuple[tuple[str, str], ...]
    trusted: tuple[str, ...]
    oracles: tuple[str, ...] = ()

    @property
    def obligations(self) -> int:
        """How many atomic facts were decided."""
        return sum(n for rule, n in self.counts.items() if rule in DECIDING)

    @property
    def axioms(self) -> tuple[str, ...]:
        """The facts from the literature among those used."""
        kinds = fact_kinds()
        return tuple(f for f in self.facts if kinds.get(f, "axiom") == "axiom")


def summarise(proof: Any) -> Evidence:
    """Walk a proof tree and count."""
    counts: Counter[str] = Counter()
    facts: set[str] = set()
    lemmas: set[tuple[str, str]] = set()
    trusted: dict[str, None] = {}
    answers: set[str] = set()
    for node in nodes(proof):
        rule = str(node.get("r"))
        counts[rule] += 1
        if rule == "fact":
            facts.add(str(node.get("fact")))
        elif rule == "lemma":
            lemmas.add((str(node.get("claim")), str(node.get("role"))))
        elif rule == "trusted":
            trusted[str(node.get("why"))] = None
        elif rule == "oracle":
            answers.add(answer(node))
    sets = tuple(sorted(facts)), tuple(sorted(lemmas)), tuple(trusted), tuple(sorted(answers))
    return Evidence(dict(sorted(counts.items())), *sets)


def assumes(formula: Any) -> bool:
    """Whether a formula, as JSON, has hypotheses: an implication below universal quantifiers and conjunctions."""
    stack = [formula]
    while stack:
        f = stack.pop()
        if not isinstance(f, (list, tuple)) or not f:
            continue
        if f[0] == "=>":
            return True
        if f[0] in ("all", "and"):
            stack.extend(f[2:] if f[0] == "all" else f[1:])
    return False


def answer(node: Mapping[str, Any]) -> str:
    """The answer of an oracle in a node, in the words of the checker."""
    problem = str(node.get("problem"))
    count = problem.count("(declare-fun ")
    told = f"{sha256(problem.encode())}, {count} variable{'' if count == 1 else 's'}"
    return f"{node.get('solver')}: {node.get('answer')} of {told}"


def nodes(proof: Any) -> Iterator[Mapping[str, Any]]:
    """The nodes of a proof tree from left to right, without recursion."""
    stack = [proof]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            yield node
            stack.extend(reversed(node.get("c", ())))


@functools.cache
def library() -> tuple[dict[str, Any], ...]:
    """The facts of the logic, as the kernel's `facts.json` states them; empty while there is no such file."""
    source = Path(verify.__file__).parent / "kernel" / "facts.json"  # without importing the kernel, which takes a while
    if not source.is_file():
        return ()
    data = json.loads(source.read_text(encoding="utf-8"))
    entries = data if isinstance(data, list) else data.get("facts", [])
    return tuple(entries)


@functools.cache
def _entries() -> dict[str, tuple[str, frozenset[str]]]:
    """For every name in the library the digest of what it stands for, and the names in it."""
    found: dict[str, list[Any]] = {}
    for entry in library():
        found.setdefault(str(entry.get("name")), []).append(entry)
    return {name: (digest(entries), frozenset(_words(entries) & found.keys())) for name, entries in found.items()}


def used_library(value: Any) -> str:
    """The digest of the facts and constants of the library that a formula or proof names, and of those that they name."""
    entries = _entries()
    queue = list(_words(value) & entries.keys())
    used: dict[str, str] = {}
    while queue:
        name = queue.pop()
        if name not in used:
            used[name], more = entries[name]
            queue.extend(more)
    return digest(used)


@functools.cache
def whole_library() -> str:
    """The digest of all facts and constants."""
    return digest({name: own for name, (own, _) in _entries().items()})


def _words(value: Any) -> set[str]:
    """Every text in plain JSON."""
    found: set[str] = set()
    stack: list[Any] = [[value]]
    while stack:
        items = stack.pop()
        for item in items.values() if isinstance(items, Mapping) else items:
            if isinstance(item, str):
                found.add(item)
            elif isinstance(item, (list, tuple, Mapping)):
                stack.append(item)
    return found


@functools.cache
def fact_kinds() -> dict[str, str]:
    """The kind of every fact by name."""
    return {str(f.get("name")): str(f.get("kind")) for f in library()}
