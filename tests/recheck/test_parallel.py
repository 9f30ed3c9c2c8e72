"""The checker in several processes says what it says in one."""

from __future__ import annotations

import os
import signal

import pytest

from tests.recheck.test_store import FACTS, FALSE_CLAIM, SQUARES, Disk, lemma
from tests.recheck.test_store import disk as disk
from verify.recheck import parallel
from verify.recheck.store import Store
from verify.recheck.terms import Refused


@pytest.fixture
def store(disk: Disk) -> Store:
    """Four claims, of which two are connected, one is refused, and one rests on what there is not."""
    statement = SQUARES[0]
    one = lemma("a.one", "statement", statement)
    disk.put("a.one", {"statement": SQUARES})
    disk.put("a.two", {"statement": one, "part:again": one})
    disk.put("b.three", {"statement": (FALSE_CLAIM, SQUARES[1])})
    disk.put("b.four", {"statement": lemma("b.five", "statement", statement)})
    disk.results()
    return Store(disk.root, FACTS)


def fresh(store: Store) -> Store:
    """The same certificates, nothing decided."""
    return Store(store.root, FACTS)


def test_several_processes_answer_what_one_does(store: Store) -> None:
    for ids in ([], ["a"], ["a.two", "b.three"], ["nowhere"]):
        one = [r.data() for r in fresh(store).check(ids)]
        for processes in (1, 2, 3, 50):
            assert [r.data() for r in parallel.check(fresh(store), ids, processes)] == one
    assert {r.claim: r.accepted for r in store.check()} == {"a.one": True, "a.two": True, "b.three": False, "b.four": False}


def test_parts_that_share_a_lemma_stay_together(store: Store) -> None:
    groups = {frozenset(claim for claim, _ in group) for group in parallel.connected(store, store.parts)}
    assert groups == {frozenset({"a.one", "a.two"}), frozenset({"b.three"}), frozenset({"b.four"})}
    asked = [("a.two", "statement"), ("a.two", "part:again")]
    assert [sorted(group) for group in parallel.connected(store, asked)] == [sorted(asked)]


def test_more_groups_than_numbers_that_a_pipe_takes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_MOST", 2)
    assert [r.data() for r in parallel.check(fresh(store), [], 2)] == [r.data() for r in store.check()]


def test_a_process_that_dies_accepts_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "part", lambda self, part: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(Refused, match="ended before its answer"):
        parallel.check(store, [], 2)
    assert not parallel._running
