"""Random edits of certificates of flows are refused or true; faults planted in the checker are found."""

from __future__ import annotations

import pytest
from flint import arb

from tests.fuzz_flow_certificates import corpus, fuzz
from verify.flow import recheck, recheck_reductions


@pytest.fixture(scope="module")
def certificates():
    return corpus()


def test_edits_are_refused_or_true(certificates):
    counts, failures = fuzz(300, 11, certificates)
    assert not failures, failures
    assert counts["refused"] >= 180 and counts["same"] >= 8 and counts["another"] >= 3, counts


FAULTS = {
    "any start": ("time", recheck, "within", lambda *_: True),
    "no defect": ("time", recheck, "_defect", lambda *_: arb(0)),
    "parts of another problem": ("blocks", recheck_reductions, "_same", lambda *_: None),
}


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_found(certificates, name, monkeypatch):
    kind, module, place, fault = FAULTS[name]
    monkeypatch.setattr(module, place, fault)
    counts, failures = fuzz(400, 5, {kind: certificates[kind]}, most=1)
    assert failures, counts
