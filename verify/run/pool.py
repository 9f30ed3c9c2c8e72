"""Worker processes: one task at a time each, a time limit for every task, and nothing left behind."""

from __future__ import annotations

import contextlib
import io
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from verify.bindings import environment
from verify.errors import InputError
from verify.project import source_file
from verify.run.frames import receive, send

START_LIMIT = 120.0
"""Seconds that a worker may take to import the proofs."""


@dataclass(slots=True)
class _Worker:
    process: subprocess.Popen[bytes]
    answers: IO[bytes]
    since: float
    ready: bool = False
    importing: str = ""
    """The proof module whose import began last."""
    task: dict[str, Any] | None = None


@dataclass
class Pool:
    """Runs tasks (dictionaries with a `limit` in seconds) and hands each answer to a callback.

    A worker that exceeds the limit of its task is killed, and the answer is `{"status": "timed out"}`; one that dies
    gives `{"status": "failed"}`. Either is replaced by a new one.
    """

    root: Path
    jobs: int
    kernel: str = "verify.kernel"
    _workers: list[_Worker] = field(default_factory=list)
    _waiting: deque[dict[str, Any]] = field(default_factory=deque)
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _next: int = 0

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for worker in list(self._workers):
            self._kill(worker)
        self._selector.close()

    def submit(self, task: dict[str, Any]) -> None:
        """Add a task to the queue."""
        self._next += 1
        self._waiting.append({"id": self._next, **task})

    def drain(
        self, done: Callable[[dict[str, Any], dict[str, Any]], None], busy: Callable[[str, float], None] | None = None
    ) -> None:
        """Work until no task is left; `done` is called with each task and its answer and may submit more.

        `busy` is called at least once a second with the task that has run longest, and its seconds.
        """
        while self._waiting or any(w.task for w in self._workers):
            self._start()
            for key, _ in self._selector.select(self._patience() if busy is None else min(self._patience(), 1.0)):
                self._hear(key.data, done)
            self._expire(done)
            running = [w for w in self._workers if w.task]
            if busy is not None and running:
                first = min(running, key=lambda w: w.since)
                assert first.task is not None
                busy(f"{first.task.get('claim')} {first.task.get('role')}", time.monotonic() - first.since)

    def _start(self) -> None:
        busy = sum(1 for w in self._workers if w.task)
        while len(self._workers) < min(self.jobs, busy + len(self._waiting)):
            self._spawn()
        for worker in self._workers:
            if worker.ready and worker.task is None and self._waiting:
                worker.task = self._waiting.popleft()
                worker.since = time.monotonic()
                assert worker.process.stdin is not None
                with contextlib.suppress(BrokenPipeError):  # the end of its output says that it died
                    send(worker.process.stdin, worker.task)

    def _spawn(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "verify.run.worker", str(self.root), self.kernel],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(self.root),
            start_new_session=True,
        )
        assert process.stdout is not None
        answers = io.FileIO(process.stdout.fileno(), "rb", closefd=False)  # what is in no buffer wakes the selector
        worker = _Worker(process, answers, time.monotonic())
        self._workers.append(worker)
        self._selector.register(process.stdout, selectors.EVENT_READ, worker)

    def _hear(self, worker: _Worker, done: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
        try:
            message = receive(worker.answers)
        except (ValueError, OSError):
            message = None
        if message is None:
            task = worker.task
            code = self._kill(worker)
            if task is None:
                raise InputError(f"{source_file(worker.importing)}: its import ended a worker with code {code}")
            done(task, {"status": "failed", "error": f"its process ended with code {code}", "transient": True})
        elif message["status"] == "importing":
            worker.importing = message["module"]
        elif message["status"] == "ready":
            worker.ready = True
        elif message["status"] == "broken":
            raise InputError(message["error"])
        else:
            task, worker.task = worker.task, None
            assert task is not None
            worker.since = time.monotonic()
            message.pop("id", None)
            done(task, message)

    def _patience(self) -> float:
        now = time.monotonic()
        ends = [w.since + self._limit(w) - now for w in self._workers if w.task or not w.ready]
        return max(0.0, min([*ends, 3600.0]))

    def _limit(self, worker: _Worker) -> float:
        return float(worker.task["limit"]) if worker.task else START_LIMIT

    def _expire(self, done: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
        now = time.monotonic()
        for worker in list(self._workers):
            if not (worker.task or not worker.ready) or now - worker.since < self._limit(worker):
                continue
            task = worker.task
            self._kill(worker)
            if task is None:
                raise InputError(f"{source_file(worker.importing)}: its import takes more than {START_LIMIT:.0f} s in a worker")
            done(task, {"status": "timed out", "seconds": round(now - worker.since, 3)})

    def _kill(self, worker: _Worker) -> int:
        self._workers.remove(worker)
        process = worker.process
        assert process.stdout is not None and process.stdin is not None
        self._selector.unregister(process.stdout)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # the worker leads a group of its own
        code = process.wait()
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        return code
