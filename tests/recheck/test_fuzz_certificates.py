"""Random edits of small certificates, one for each rule, leaf and operator: how many are refused, and a planted fault."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.fuzz_certificates import fuzz
from tests.logic.both import checker_accepts
from tests.logic.test_table import ROWS, TREES
from verify.recheck import Store
from verify.recheck.rules import _RULES

from .test_store import Disk

EDITS = 1_200


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The folder of reports with a certificate for every true row that is written as a tree, and for some of the others."""
    disk = Disk(tmp_path)
    cases = [case for good, case in TREES.values() if good]
    cases += [row.case() for row in ROWS[::5] if "checker" in row.accepts]
    for k, case in enumerate(c for c in cases if checker_accepts(c)):
        disk.put(f"a.r{k}", {"statement": case})
    disk.results()
    return tmp_path / "reports"


def test_edits_are_refused_or_prove_the_same(written: Path) -> None:
    """Nearly all edits of statements and most of proofs are refused; some change nothing that matters."""
    counts, failures = fuzz(written, EDITS, seed=1, largest=10**6)
    assert not failures
    assert counts["refused"] >= 0.6 * EDITS
    assert counts["same"] >= 0.02 * EDITS


def test_the_certificates_have_every_rule(written: Path) -> None:
    store = Store(written.parent, Path("verify/kernel/facts.json"))
    used = sum((r.outcome.rules for r in store.check()), Counter())
    assert set(_RULES) - set(used) <= {"lemma", "flow", "oracle"}  # these have certificates of their own


def test_a_statement_that_is_not_compared_is_found(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: a certificate may state what it likes."""
    monkeypatch.setattr(Store, "_pinned", lambda *args: None)
    _, failures = fuzz(written, EDITS, seed=1, largest=10**6)
    assert failures
