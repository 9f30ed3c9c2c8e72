"""What a run says while it works: a line on a terminal, one every ten seconds in a pipe."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO

import pytest

from tests.support.world import World
from verify.errors import InputError
from verify.run import checking
from verify.run.pool import Pool
from verify.run.progress import Progress


class Terminal(StringIO):
    """A stream that somebody watches."""

    def isatty(self) -> bool:
        """Yes."""
        return True


def test_a_long_task_is_named_while_it_runs() -> None:
    screen = Terminal()
    progress = Progress(total=3, stream=screen, bars=False)
    progress.busy("tiny.e e", 1.0)
    assert screen.getvalue() == ""
    progress.step("tiny.a statement")
    progress.busy("tiny.e e", 61.4)
    assert screen.getvalue().endswith("s  [1/3] running tiny.e e, 61 s")


def test_a_bar_is_drawn_where_rich_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rich")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    screen = Terminal()
    progress = Progress(total=3, stream=screen)
    progress.step("tiny.a statement [b]")
    progress.busy("tiny.e e", 61.4)
    assert "1/3" in screen.getvalue() and "tiny.a statement [b]" in screen.getvalue()
    assert "running tiny.e e, 61 s" in screen.getvalue()
    progress.close()
    hidden, shown = "\x1b[?25l", "\x1b[?25h"
    assert screen.getvalue().rindex(shown) > screen.getvalue().rindex(hidden)


def test_without_rich_the_line_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    screen = Terminal()
    Progress(total=3, stream=screen).step("tiny.a statement")
    assert screen.getvalue().endswith("s  [1/3] tiny.a statement")


def test_rich_is_not_imported_for_a_pipe(world: World) -> None:
    code = "from verify.run.progress import Progress\nProgress(stream=io.StringIO()).step('a')\nprint('rich' in sys.modules)"
    assert world.python("-c", f"import io, sys\n{code}").stdout == "False\n"


def test_a_pipe_hears_of_stages_and_then_every_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    pipe = StringIO()
    progress = Progress(stream=pipe)
    progress.stage("computing 30 results", 30)
    progress.step("tiny.a statement")
    progress.busy("tiny.e e", 61.4)
    assert pipe.getvalue() == "verify: computing 30 results\n"
    for _ in range(14):
        clock[0] += 1
        progress.step("tiny.b statement")
    clock[0] += 7
    progress.busy("tiny.e e", 61.4)
    progress.busy("tiny.e e", 61.5)
    assert pipe.getvalue().splitlines()[1:] == [
        "verify: computing 30 results: 11 of 30, 10 s, about 17 s left; tiny.b statement",
        "verify: computing 30 results: 15 of 30, 21 s, about 21 s left; running tiny.e e, 61 s",
    ]


def test_a_short_stage_is_not_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    pipe = StringIO()
    progress = Progress(stream=pipe)
    progress.begin("reading", 40)
    for number in range(40):
        clock[0] += 0.2
        progress.at(number, 40, f"tiny.{number}")
    assert pipe.getvalue() == ""
    clock[0] += 3
    progress.at(40, 40, "tiny.40", 3.0)
    assert pipe.getvalue() == "verify: reading: 40 of 40, 11 s; running tiny.40, 3 s\n"


def test_the_checker_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that say so go to the progress, all others to whom they are meant for."""
    code = (
        "import sys; e = sys.stderr\n"
        "print('x')\n"
        'e.write(\'{"done": 3, "total": 7, "part": "tiny.a statement", "seconds": 5.0}\\nno JSON\\n[1]\\n\'); e.write("rest")'
    )
    screen = Terminal()
    progress = Progress(stream=screen, bars=False)
    found = checking.ask([sys.executable, "-c", code], subprocess.PIPE, 60.0, progress)
    assert found == (0, b"x\n", b"no JSON\n[1]\nrest")
    assert screen.getvalue().endswith("[3/7] running tiny.a statement, 5 s")
    with pytest.raises(InputError, match="did not end within"):
        checking.ask([sys.executable, "-c", "import time; time.sleep(60)"], subprocess.PIPE, 0.5, progress)


def test_the_pool_says_what_runs(world: World) -> None:
    world.proofs(
        """
        import time

        @experiment("tiny.e")
        def e(profile):
            time.sleep(2.5)
            return {"holds": True, "statistics": {}}
        """
    )
    heard: list[tuple[str, float]] = []
    answers: list[str] = []
    with Pool(world.root, 1, "tests.support.stub_kernel") as pool:
        pool.submit({"kind": "experiment", "claim": "tiny.e", "role": "e", "profile": "quick", "found": {}, "limit": 60.0})
        pool.drain(lambda task, answer: answers.append(answer["status"]), lambda what, seconds: heard.append((what, seconds)))
    assert answers == ["done"]
    assert heard[0][0] == "tiny.e e"
    assert max(seconds for _, seconds in heard) > 1
