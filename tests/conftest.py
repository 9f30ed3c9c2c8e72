"""Fixtures that all tests share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.world import World
from verify import cli

# property tests: `pytest --hypothesis-profile=full` makes ten times as many examples, others each time
settings.register_profile("quick", max_examples=200, deadline=None, derandomize=True)
settings.register_profile("full", max_examples=2_000, deadline=None)
settings.load_profile("quick")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A project in a temporary folder with one paper `tiny` of five claims."""
    found = World(tmp_path)
    found.paper(["a", "b", "c", "d", ("e", "experiment")])
    return found


OneLine = Callable[..., str]


@pytest.fixture
def one_line(world: World, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> OneLine:
    """Call the command line and return its error: one line on standard error, nothing else, exit code 2."""

    def call(*args: str) -> str:
        monkeypatch.chdir(world.root)
        code = cli.run(args)
        out, err = capfd.readouterr()
        assert (code, out) == (2, ""), err
        assert len(err.splitlines()) == 1, err
        assert err.startswith("verify: ")
        return err.strip()

    return call
