"""The second opinion: certificates go to the independent checker in a clean process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from verify.errors import InputError

TIME_LIMIT = 3600.0


def command(folder: Path, claims: Iterable[str] = (), as_json: bool = True) -> list[str]:
    """The command that checks the certificates below a folder."""
    if not (Path(__file__).parents[1] / "recheck" / "__main__.py").is_file():
        return [sys.executable, "-P", "-m", "verify.run.kernel_check", str(folder), *claims]
    form = ["--json"] if as_json else []
    return [sys.executable, "-P", "-m", "verify.recheck", *form, "--reports", str(folder), *claims]


def clean_environment() -> dict[str, str]:
    """An environment in which only the engine itself can be imported beside the installed libraries."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    kept["PYTHONPATH"] = str(Path(__file__).resolve().parents[2])
    kept["PYTHONHASHSEED"] = "0"
    return kept


def check(folder: Path, claims: Iterable[str]) -> dict[tuple[str, str], str]:
    """Check the certificates of some claims; for every claim and role the reason of a refusal, or ''."""
    wanted = sorted(claims)
    if not wanted:
        return {}
    try:
        done = subprocess.run(
            command(folder, wanted),
            capture_output=True,
            env=clean_environment(),
            timeout=TIME_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"the checker did not end within {TIME_LIMIT:.0f} s") from None
    try:
        report = json.loads(done.stdout)
        return _read(report)
    except (ValueError, KeyError, TypeError, AttributeError):
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no output"]
        raise InputError(f"the checker failed with code {done.returncode}: {last[0]}") from None


def _read(report: Any) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for claim, parts in report["claims"].items():
        for role, answer in parts.items():
            found[(claim, role)] = "" if answer["accepted"] else str(answer.get("reason") or "refused")
    return found
