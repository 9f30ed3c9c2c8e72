"""Whatever words are given to the command line: exit code 0, 1 or 2, at most one line of error, never a traceback."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.support.world import World
from verify import cli
from verify.commands import _options
from verify.errors import InputError

GROUP = click.Context(cli.cli)
COMMANDS = {name: command for name in cli.cli.list_commands(GROUP) if (command := cli.cli.get_command(GROUP, name)) is not None}
OPTIONS = {name: [opt for p in command.params for opt in (*p.opts, *p.secondary_opts)] for name, command in COMMANDS.items()}
ODD = ["", "-", "--", "---", "--=", "-j", "-j0", "-jx", "--limit=nan", "--limit=inf", "--limit=-1", "--jobs=1e3", "--no", "-h"]
PLAIN = [
    "\n",
    "a\nb",
    "\x00",
    "\ud800",
    "٣",
    "é",
    "*",
    "[",
    "../..",
    "/",
    "{}",
    "tiny",
    "tiny.a",
    "tiny.*",
    "tiny.none",
    "holds",
    "quick",
]
WORD = st.sampled_from([*ODD, *PLAIN, "0", "1", "1.5"]) | st.sampled_from(["\n", "a\nb", "-x\ny"]) | st.text(max_size=6)


@st.composite
def lines(draw: st.DrawFn, names: tuple[str, ...] = tuple(COMMANDS)) -> list[str]:
    """A command with some of its own options, of another command's options and of other words."""
    name = draw(st.sampled_from(names))
    word = st.sampled_from(OPTIONS[name]) | st.sampled_from(["tiny", "tiny.a", "1", "quick", "proved"]) | WORD
    return [name, *draw(st.lists(word | st.sampled_from(OPTIONS[draw(st.sampled_from(names))]), max_size=4))]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project without proofs, and this process in it."""
    root = tmp_path_factory.mktemp("cli")
    World(root).paper(["a", "b"])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        patch.setenv("XDG_STATE_HOME", str(root / "state"))
        yield root


@contextmanager
def only_parsed() -> Iterator[list[dict[str, Any]]]:
    """With what commands are called, in place of what they do."""
    found: list[dict[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        for command in COMMANDS.values():
            patch.setattr(command, "callback", lambda **given: found.append(given))
        yield found


def call(args: list[str]) -> tuple[int, str, str]:
    """The exit code of the command line, and what it says on standard output and as an error."""
    command = click.Command("all", callback=lambda: cli.run(args))
    done = CliRunner().invoke(command, [], standalone_mode=False, catch_exceptions=False)
    assert isinstance(done.return_value, int)
    return done.return_value, done.stdout, done.stderr


def is_proper(code: int, out: str, err: str) -> None:
    assert code in (cli.EXPECTED, cli.DIFFERENT, cli.WRONG_USE)
    assert "Traceback" not in out + err
    if code == cli.WRONG_USE and not out:
        assert err.startswith("verify: ")
        assert len(err.splitlines()) == 1, err
    elif code == cli.EXPECTED:
        assert err == ""


@given(args=lines() | st.lists(WORD, max_size=4))
def test_any_words_are_parsed_or_refused_in_one_line(args: list[str]) -> None:
    with only_parsed() as called:
        code, out, err = call(args)
    is_proper(code, out, err)
    assert code != cli.DIFFERENT
    assert len(called) <= 1
    assert not called or (code, out, err) == (cli.EXPECTED, "", "")
    assert called or code == cli.WRONG_USE or "Usage: " in out


@given(args=lines(names=("list",)).filter(lambda args: not {"--bound", "--check"} & set(args)))
def test_a_command_that_reads_says_what_it_finds_or_one_line(home: Path, args: list[str]) -> None:
    code, out, err = call(args)
    is_proper(code, out, err)
    assert code != cli.DIFFERENT
    assert (code == cli.WRONG_USE) == bool(err)


@given(
    profile=st.sampled_from(["quick", "full"]),
    jobs=st.none() | st.integers(1, 99),
    limit=st.none() | st.floats(min_value=0.1) | st.sampled_from([math.inf, math.nan]),
    fresh=st.booleans(),
    scripts=st.booleans(),
)
def test_settings_are_the_options_and_a_limit_is_a_number(
    profile: str, jobs: int | None, limit: float | None, fresh: bool, scripts: bool
) -> None:
    try:
        found = _options.settings(profile, jobs, limit, fresh, scripts)
    except InputError as error:
        assert limit is not None
        assert not math.isfinite(limit)
        assert "--limit" in str(error)
        return
    assert (found.profile, found.jobs, found.limit, found.fresh, found.scripts) == (profile, jobs, limit, fresh, scripts)
    assert limit is None or math.isfinite(limit)
    assert found.processes == (jobs or found.processes) >= 1
    assert found.seconds == limit or limit is None
    assert found.stored == (not fresh and not scripts)
