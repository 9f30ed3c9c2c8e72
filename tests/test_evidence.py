"""What a stored result rests on in the library of facts."""

from __future__ import annotations

from typing import Any

import pytest

from verify.run import evidence
from verify.run.results import RoleResult


def test_a_result_rests_on_the_facts_that_it_names_and_a_failure_on_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def digests(entries: list[dict[str, Any]]) -> dict[str, str]:
        monkeypatch.setattr(evidence, "library", lambda: tuple(entries))
        evidence._entries.cache_clear()
        evidence.whole_library.cache_clear()
        steps = {name: {"r": "fact", "fact": name, "params": []} for name in ("first", "second")}
        found = {name: RoleResult("proved", ["true"], node).library() for name, node in steps.items()}
        found["formula"] = RoleResult("parsed", ["=", ["op", "size", "A"], 1]).library()
        return {**found, "failure": RoleResult("failed", ["true"], None).library()}

    size = {"name": "size", "kind": "signature", "value": "Z"}
    first = {"name": "first", "kind": "calculus", "formula": ["<=", 0, ["op", "size", "A"]]}
    second = {"name": "second", "kind": "axiom", "formula": ["true"]}
    before = digests([first, size, second])
    added = digests([first, size, second, {"name": "third", "kind": "axiom", "formula": ["true"]}])
    assert {k for k in before if before[k] != added[k]} == {"failure"}
    other_fact = digests([first, size, {**second, "formula": ["false"]}])
    assert {k for k in before if before[k] != other_fact[k]} == {"second", "failure"}
    other_constant = digests([first, {**size, "value": "R"}, second])
    assert {k for k in before if before[k] != other_constant[k]} == {"first", "formula", "failure"}
    monkeypatch.undo()
    evidence._entries.cache_clear()
    evidence.whole_library.cache_clear()
