"""Claims as test items.

    pytest --claims shin2025 -k lemma

runs the claims of a paper that a proof module speaks of, in the quick profile; `--claims` takes papers, ids and
patterns, or `all`. Without the option and without paths, the ini value `verify_claims` says which claims belong to the
plain test run. An item fails when a formula that was bound is not proved, or when the verdict differs from the
recorded one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from verify.project import Project
    from verify.run.engine import Run
    from verify.verdict import Verdict

ALL = "all"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the ini value."""
    group = parser.getgroup("verify")
    group.addoption(
        "--claims", action="append", default=[], metavar="PAPER|ID|PATTERN", help="run claims as tests; `all` for all"
    )
    group.addoption("--claims-profile", choices=["quick", "full"], default="quick", help="how far experiments of claims go")
    parser.addini("verify_claims", "claims that belong to the plain test run", type="args", default=[])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the claims, before `-k` and `-m` choose."""
    asked = list(config.getoption("--claims"))
    plain = config.args_source is not pytest.Config.ArgsSource.ARGS
    words = asked or (list(config.getini("verify_claims")) if plain else [])
    if not words:
        return
    if asked and plain:
        items.clear()
    items.extend(_items(session, words))


def _items(session: pytest.Session, words: list[str]) -> Iterator[pytest.Item]:
    from verify.errors import InputError
    from verify.project import Project, find_root
    from verify.run import remembered
    from verify.run.keys import Keys
    from verify.run.store import Store

    try:
        project = Project(find_root(session.config.rootpath))
        selected = project.select([] if ALL in words else words)
        with _alone(project.cache / "tests.lock"), Store(project.cache) as store:  # of several processes one imports the proofs
            keys = Keys(project)
            keys.sources.memory = store
            bound = set(remembered.registry(project, keys, store).claims())
    except InputError as error:
        raise pytest.UsageError(f"verify: {error}") from None
    shared = _Shared(project, session.config)
    parent = _Claims.from_parent(session, name="claims", nodeid="claims")
    for claim in selected:
        if claim in bound:
            yield ClaimItem.from_parent(parent, name=claim, shared=shared)


class _Shared:
    """One run for all items of a session."""

    def __init__(self, project: Project, config: pytest.Config) -> None:
        self.project, self.config = project, config
        self._run: Run | None = None
        self._recorded: dict[str, Verdict] | None = None

    def run(self, item: ClaimItem) -> Run:
        """All chosen claims together; of several processes (xdist) the first computes, the others find its results."""
        from verify.run import engine

        if self._run is None:
            chosen = [i.name for i in item.session.items if isinstance(i, ClaimItem)]
            settings = engine.Settings(profile=self.config.getoption("--claims-profile"))
            with _alone(self.project.cache / "tests.lock"):
                self._run = engine.run(self.project, chosen, settings)
        return self._run

    def recorded(self) -> dict[str, Verdict]:
        """The recorded verdicts."""
        from verify.run import recorded

        if self._recorded is None:
            self._recorded = recorded.verdicts(self.project)
        return self._recorded


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Wait until no other process is inside."""
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


class _Claims(pytest.Collector):
    """The parent of all claims."""

    def collect(self) -> Iterator[pytest.Item]:
        """Nothing: the items are made when the collection is complete."""
        return iter(())


class ClaimFailed(Exception):
    """A claim that is not as expected."""


class ClaimItem(pytest.Item):
    """One claim."""

    def __init__(self, *, shared: _Shared, **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]
        self.shared = shared

    def runtest(self) -> None:
        """Decide the claim."""
        run = self.shared.run(self)
        problems = [f"{role} is not proved: {why}" for role, why in run.problems(self.name)]
        recorded = self.shared.recorded().get(self.name)
        if recorded is not None and not run.results.timed_out(self.name):
            changes = run.results.verdict(self.name).differs_from(recorded)
            problems += [f"differs from the recorded verdict: {change}" for change in changes]
        if problems:
            raise ClaimFailed("\n".join(problems))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """The reasons, without a trace."""
        if isinstance(excinfo.value, ClaimFailed):
            return f"{self.name}\n{excinfo.value}"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[str, None, str]:
        """Where the claim stands."""
        paper = self.shared.project.papers[self.name.partition(".")[0]]
        return str(paper.path), None, f"claim {self.name}"
