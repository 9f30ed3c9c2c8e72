"""Ctrl-C, SIGTERM and SIGHUP: one line, no process left, and a cache that can be used."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.interrupting import listen_to_interrupts
from tests.support.world import World
from verify.run import checking

PROOFS = """
@holds("tiny.a", "all a b:R. (a + b)^2 = a^2 + 2*a*b + b^2")
def a(g):
    g.intro("a", "b")
    g.field()
"""

SLOW = """
import os, sys, time
from pathlib import Path
child = os.fork()
if child:
    Path(sys.argv[1]).write_text(f"{os.getpid()} {child}")
time.sleep(60)
"""
"""A checker that has started another process and takes its time."""

CALL = """
import sys
from verify import cli
from verify.run import checking
slow, pids, *words = sys.argv[1:]
if pids:
    checking.command = lambda *_, **__: [sys.executable, "-c", slow, pids]
cli.main(words)
"""


def call(world: World, pids: Path | str, *words: str) -> subprocess.Popen[str]:
    """Start a command, whose checker is the slow one if there is a file for the numbers of its processes."""
    return subprocess.Popen(
        [sys.executable, "-c", CALL, SLOW, str(pids), *words],
        cwd=world.root,
        env=world.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listen_to_interrupts,
    )


def wait_for(found: Callable[[], list[int]]) -> list[int]:
    """The numbers of processes, as soon as there are some."""
    deadline = time.monotonic() + 60
    while not (numbers := found()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return numbers


def alive(numbers: list[int]) -> list[int]:
    """Those of some processes that are still running after a moment."""
    for _ in range(100):
        left = [n for n in numbers if Path(f"/proc/{n}/stat").is_file() and state(n) not in "ZX"]
        if not left:
            break
        time.sleep(0.05)
    return left


def state(number: int) -> str:
    """The state of a process in one letter, X when it is gone."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def children(number: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [int(n) for task in Path(f"/proc/{number}/task").iterdir() for n in (task / "children").read_text().split()]
    except OSError:
        return []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("words", [("run", "tiny"), ("recheck",)])
def test_a_checker_does_not_outlive_the_command(world: World, words: tuple[str, ...], number: int) -> None:
    world.proofs(PROOFS)
    pids = world.root / "pids"
    process = call(world, pids, *words)
    numbers = wait_for(lambda: [int(n) for n in pids.read_text().split()] if pids.is_file() else [])
    process.send_signal(number)
    _, err = process.communicate(timeout=45)
    assert process.returncode == 130
    stages = ("verify: computing", "verify: checking")
    said = [line for line in err.splitlines() if not line.startswith(stages)]
    assert said == ["verify: interrupted; what was finished is in the cache"]
    assert alive(numbers) == []
    assert [p.name for p in (world.root / ".verify-cache").glob("checking-*")] == []
    done = world.verify("run", "tiny")
    assert (done.returncode, done.stderr) == (0, "verify: checking 1 certificates\n" if words[0] == "run" else done.stderr)
    assert "0 computed, 1 from the cache, 1 certificates accepted" in done.stdout or words[0] == "recheck"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_search_for_counterexamples_ends_with_the_command(world: World, number: int) -> None:
    world.proofs(PROOFS)
    assert world.verify("run", "tiny").returncode == 0
    process = call(world, "", "mutate", "tiny")
    numbers = wait_for(lambda: found if len(found := children(process.pid)) > 1 else [])  # the first keeps the books
    time.sleep(0.2)
    process.send_signal(number)
    _, err = process.communicate(timeout=45)
    assert (process.returncode, err) == (130, "verify: interrupted; what was finished is in the cache\n")
    assert alive(numbers) == []


def test_a_checker_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    with pytest.raises(checking.InputError, match="did not end within 2 s"):
        checking.ask([sys.executable, "-c", SLOW, str(pids)], subprocess.PIPE, 2.0)
    assert alive([int(n) for n in pids.read_text().split()]) == []


def test_the_checker_itself_ends_with_its_processes(world: World) -> None:
    """As a command of its own, in two processes on certificates that take a while."""
    root = checking.ENGINE
    command = [sys.executable, "-P", "-m", "verify.recheck", "--jobs", "2", "--root", str(root)]
    process = subprocess.Popen(
        command, env=checking.clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=listen_to_interrupts,
    )  # fmt: skip
    numbers = wait_for(lambda: children(process.pid))
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=45)
    assert (process.returncode, err) == (130, "recheck: interrupted\n")
    assert alive(numbers) == []


EARLY = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            os.kill(os.getpid(), int(sys.argv[1]))
sys.meta_path.insert(0, Interrupting())
from verify.start import main
main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_of_imports_is_one_line(world: World, number: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY, str(int(number))], env=world.environment(), capture_output=True, text=True,
        preexec_fn=listen_to_interrupts,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "verify: interrupted before it began\n")
