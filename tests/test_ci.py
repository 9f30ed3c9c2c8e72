"""What `.ci/run` does first is what README.md tells a newcomer, and what README.md shows needs no extra."""

from __future__ import annotations

import re
import tomllib

from tests.support.world import HERE

README = (HERE / "README.md").read_text()
CI = (HERE / ".ci/run").read_text()
PROJECT = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]


def names(requirements: list[str]) -> set[str]:
    """The packages of some requirements."""
    return {re.split(r"[<>=\[; ]", r)[0].lower() for r in requirements}


def test_the_newcomer_of_ci_runs_the_lines_of_the_readme() -> None:
    lines = [line.strip() for line in README.splitlines() if line.startswith("    python3 -m venv")]
    assert len(lines) == 2
    assert lines[0].endswith("pip install -q -e . && .venv/bin/verify run")
    assert "'.[dev]'" in lines[1] and ".venv/bin/pytest" in lines[1]
    assert 'step newcomer run "$(readme 1)"' in CI and 'step newcomer test "$(readme 2)"' in CI
    assert CI.index("step newcomer") < CI.index("step .venv")
    assert "pip install" not in CI


def test_what_a_plain_run_and_the_readme_need_is_no_extra() -> None:
    core = names(PROJECT["dependencies"])
    assert {"clarabel", "scipy", "rich"} <= core
    extras = PROJECT["optional-dependencies"]
    assert set(extras) == {"smt", "dev"}
    for extra, requirements in extras.items():
        assert not core & names(requirements), extra
    assert all(f"`{extra}`" in README for extra in extras)
