"""The checker in several processes says what it says in one."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from tests.recheck.test_store import FACTS, FALSE_CLAIM, SQUARES, Disk, lemma
from tests.recheck.test_store import disk as disk
from verify.recheck import parallel
from verify.recheck.store import Part, Result, Store
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


def test_each_part_is_looked_at_once_and_lemmas_that_were_not_asked_for_as_well(store: Store) -> None:
    assert {claim for claim, _ in store.needed([("a.two", "statement")])} == {"a.one", "a.two"}
    assert ("b.five", "statement") not in store.needed(store.parts)
    asked: list[Part] = []
    original = Store.by_itself
    parts = store.needed(store.parts)
    assert len(parts) == len(set(parts)) == 5
    store.alone.update((part, original(store, part)) for part in parts)
    store.begun = asked.append
    store.check()
    assert sorted(asked) == parts
    assert {p for p, r in store.alone.items() if r.accepted} >= {p for p, r in store.results.items() if r.accepted}


def test_a_part_that_is_right_by_itself_is_refused_with_its_lemma(store: Store) -> None:
    """What a process finds says nothing of the lemmas: these have to be accepted here."""
    part = ("a.two", "statement")
    assert store.by_itself(part).accepted
    store.alone[part] = store.by_itself(part)
    store.alone["a.one", "statement"] = Result("a.one", "statement", "no")
    assert not store.part(("a.one", "statement")).accepted
    assert store.part(part).reason.endswith("a.one statement has no accepted certificate")


def test_lemmas_in_a_circle_are_refused_by_several_processes(disk: Disk) -> None:
    statement = SQUARES[0]
    disk.put("a.one", {"statement": lemma("a.two", "statement", statement)})
    disk.put("a.two", {"statement": lemma("a.one", "statement", statement)})
    disk.put("a.three", {"statement": lemma("a.three", "statement", statement)})
    disk.results()
    one = [r.data() for r in Store(disk.root, FACTS).check()]
    assert not any(r["accepted"] for r in one)
    assert [r.data() for r in parallel.check(Store(disk.root, FACTS), [], 3)] == one


def test_it_is_told_how_far_several_processes_are(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_PAUSE", 0.0)
    for processes in (1, 2):
        said: list[tuple[int, int, str, float]] = []

        def tell(*words: Any, said: list[Any] = said) -> None:
            said.append(words)

        parallel.check(fresh(store), [], processes, tell)
        assert said and all(0 <= done <= total == 5 for done, total, _, _ in said)
        assert {part for *_, part, _ in said} <= {" ".join(p) for p in store.parts}


def test_more_groups_than_numbers_that_a_pipe_takes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_MOST", 2)
    assert [r.data() for r in parallel.check(fresh(store), [], 2)] == [r.data() for r in store.check()]


def test_a_process_that_dies_accepts_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "by_itself", lambda self, part: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(Refused, match="ended before its answer"):
        parallel.check(store, [], 2)
    assert not parallel._running
