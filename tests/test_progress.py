"""What a run says while it works: a line on a terminal, stages only in a pipe."""

from __future__ import annotations

import sys
from io import StringIO

import pytest

from tests.support.world import World
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


def test_a_pipe_hears_of_stages_only() -> None:
    pipe = StringIO()
    progress = Progress(total=3, stream=pipe)
    progress.stage("computing 3 results")
    progress.step("tiny.a statement")
    progress.busy("tiny.e e", 61.4)
    assert pipe.getvalue() == "verify: computing 3 results\n"


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
