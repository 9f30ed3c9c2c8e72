"""Checking in several processes: each part by itself, with the formulas of its lemmas; what is accepted is put together here.

A process is a copy of this one. It takes the number of the next parts from a pipe that all share until that is empty, says on
another one which part it begins, and writes its answers as JSON to a pipe of its own. It ends when this one is gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import struct
import time
from collections.abc import Callable, Iterable

from .store import Part, Result, Store, long_integers, selected
from .terms import Refused

_NUMBER = struct.Struct(">I")
_BEGUN = struct.Struct(">II")
"""The number of a process, and of the part that it begins."""
_MOST = 4096
"""Numbers that are handed out one by one: so many fit into a pipe that nobody reads yet."""
_PAUSE = 0.5
"""Seconds between two words about how far the processes are."""

Tell = Callable[[int, int, str, float], None]
"""Is told how many parts are done of how many, and which has been looked at longest, for how many seconds."""

_running: set[int] = set()


def check(store: Store, ids: Iterable[str], processes: int, tell: Tell | None = None) -> list[Result]:
    """What `Store.check` answers, found by several processes."""
    wanted = list(ids)
    parts = store.needed(part for part in store.parts if selected(part[0], wanted))
    processes = min(processes, len(parts))
    if processes > 1:
        store.alone.update(_answers(store, parts, processes, tell))
    elif tell is not None:
        store.begun = _counted(len(parts), tell)
    return store.check(wanted)


def _counted(total: int, tell: Tell) -> Callable[[Part], None]:
    """Tells now and then how far one process is."""
    done, last = -1, time.monotonic()

    def begun(part: Part) -> None:
        nonlocal done, last
        done += 1
        if time.monotonic() - last >= _PAUSE:
            last = time.monotonic()
            tell(done, total, " ".join(part), 0.0)

    return begun


def stop() -> None:
    """End the processes that are checking."""
    for child in list(_running):
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def _answers(store: Store, parts: list[Part], processes: int, tell: Tell | None) -> dict[Part, Result]:
    tasks, hand_out = os.pipe()
    numbers = min(_MOST, len(parts))
    os.write(hand_out, b"".join(_NUMBER.pack(n) for n in range(numbers)))
    os.close(hand_out)
    begun, begins = os.pipe()
    pipes: list[int] = []
    children: list[int] = []
    try:
        for number in range(processes):
            answer, say = os.pipe()
            child = os.fork()
            if child == 0:
                _work(store, parts, number, tasks, begins, say)
            _running.add(child)
            children.append(child)
            pipes.append(answer)
            os.close(say)
        found: dict[Part, Result] = {}
        for answers in _heard(parts, pipes, begun, tell):
            found.update(_read(answers))
        return found
    finally:
        stop()
        for child in children:
            os.waitpid(child, 0)
            _running.discard(child)
        for pipe in (tasks, begun, begins, *pipes):
            os.close(pipe)


def _heard(parts: list[Part], pipes: list[int], begun: int, tell: Tell | None) -> list[bytes]:
    """What the processes answer; meanwhile it is told how far they are."""
    answers = {pipe: bytearray() for pipe in pipes}
    now: dict[int, tuple[Part, float]] = {}  # what each process looks at, and since when
    done, last = 0, time.monotonic()
    with selectors.DefaultSelector() as selector:
        for pipe in (*pipes, begun):
            selector.register(pipe, selectors.EVENT_READ)
        waiting = set(pipes)
        while waiting:
            for key, _ in selector.select(_PAUSE):
                if key.fd == begun:
                    for number, part in _BEGUN.iter_unpack(os.read(begun, 512 * _BEGUN.size)):
                        done += number in now
                        now[number] = (parts[part], time.monotonic())
                elif piece := os.read(key.fd, 1 << 20):
                    answers[key.fd] += piece
                else:
                    selector.unregister(key.fd)
                    waiting.discard(key.fd)
            if tell is not None and now and time.monotonic() - last >= _PAUSE:
                last = time.monotonic()
                part, since = min(now.values(), key=lambda item: item[1])
                tell(done, len(parts), " ".join(part), last - since)
    return [bytes(answers[pipe]) for pipe in pipes]


def _read(answer: bytes) -> dict[Part, Result]:
    try:
        with long_integers():
            results = [Result.of(data) for data in json.loads(answer)]
    except ValueError:
        raise Refused("a process of the checker ended before its answer") from None
    return {(result.claim, result.role): result for result in results}


def _work(store: Store, parts: list[Part], number: int, tasks: int, begins: int, say: int) -> None:
    """What a copy of the process does; it does not return."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        parent = os.getppid()
        found = []
        while task := os.read(tasks, _NUMBER.size):
            for n in range(_NUMBER.unpack(task)[0], len(parts), _MOST):
                if os.getppid() != parent:
                    os._exit(code)
                os.write(begins, _BEGUN.pack(number, n))
                found.append(store.by_itself(parts[n]).data())
        with open(say, "wb") as stream, long_integers():
            stream.write(json.dumps(found).encode())
        code = 0
    finally:
        os._exit(code)
