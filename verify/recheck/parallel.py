"""Checking in several processes: parts that are connected by lemmas stay together, so that nothing is checked twice.

A process is a copy of this one. It takes the number of the next group from a pipe that all share until that is empty, and writes
its answers as JSON to a pipe of its own. It ends when this one is gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
from collections.abc import Iterable

from .store import Part, Result, Store, lemma_uses, long_integers, selected
from .terms import Refused

_NUMBER = struct.Struct(">I")
_MOST = 4096
"""Groups that are handed out one by one: their numbers fit into a pipe that nobody reads yet."""

_running: set[int] = set()


def check(store: Store, ids: Iterable[str], processes: int) -> list[Result]:
    """What `Store.check` answers, found by several processes."""
    wanted = list(ids)
    groups = connected(store, [part for part in store.parts if selected(part[0], wanted)])
    processes = min(processes, len(groups))
    if processes > 1:
        groups.sort(key=lambda group: (-len(group), group))
        handed = [[p for group in groups[n::_MOST] for p in group] for n in range(min(_MOST, len(groups)))]
        store.results.update(_answers(store, handed, processes))
    return store.check(wanted)  # of which every part is known, where several processes have looked


def connected(store: Store, parts: Iterable[Part]) -> list[list[Part]]:
    """The parts in groups such that no part of a group uses what a part of another one uses, directly or not."""
    parent: dict[Part, Part] = {}

    def root(part: Part) -> Part:
        while parent[part] != part:
            parent[part] = part = parent[parent[part]]
        return part

    asked = sorted(parts)
    parent.update((part, part) for part in asked)
    queue, seen = list(asked), set()
    while queue:
        part = queue.pop()
        if part in seen:
            continue
        seen.add(part)
        for used in lemma_uses(store.parts[part]["proof"]) & store.parts.keys():
            parent.setdefault(used, used)
            parent[root(used)] = root(part)
            queue.append(used)
    groups: dict[Part, list[Part]] = {}
    for part in asked:
        groups.setdefault(root(part), []).append(part)
    return list(groups.values())


def stop() -> None:
    """End the processes that are checking."""
    for child in list(_running):
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def _answers(store: Store, groups: list[list[Part]], processes: int) -> dict[Part, Result]:
    tasks, hand_out = os.pipe()
    os.write(hand_out, b"".join(_NUMBER.pack(n) for n in range(len(groups))))
    os.close(hand_out)
    pipes: list[int] = []
    children: list[int] = []
    try:
        for _ in range(processes):
            answer, say = os.pipe()
            child = os.fork()
            if child == 0:
                _work(store, groups, tasks, say)
            _running.add(child)
            children.append(child)
            pipes.append(answer)
            os.close(say)
        found: dict[Part, Result] = {}
        for pipe in pipes:
            with open(pipe, "rb", closefd=False) as stream:
                found.update(_read(stream.read()))
        return found
    finally:
        stop()
        for child in children:
            os.waitpid(child, 0)
            _running.discard(child)
        for pipe in (tasks, *pipes):
            os.close(pipe)


def _read(answer: bytes) -> dict[Part, Result]:
    try:
        with long_integers():
            results = [Result.of(data) for data in json.loads(answer)]
    except ValueError:
        raise Refused("a process of the checker ended before its answer") from None
    return {(result.claim, result.role): result for result in results}


def _work(store: Store, groups: list[list[Part]], tasks: int, say: int) -> None:
    """What a copy of the process does; it does not return."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        parent = os.getppid()
        found = []
        while number := os.read(tasks, _NUMBER.size):
            for part in groups[_NUMBER.unpack(number)[0]]:
                if os.getppid() != parent:
                    os._exit(code)
                found.append(store.part(part).data())
        with open(say, "wb") as stream, long_integers():
            stream.write(json.dumps(found).encode())
        code = 0
    finally:
        os._exit(code)
