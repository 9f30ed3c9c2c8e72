"""The second opinion: certificates go to the independent checker in a clean process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verify.errors import InputError

TIME_LIMIT = 3600.0
ENGINE = Path(__file__).resolve().parents[2]
FACTS = ENGINE / "verify" / "kernel" / "facts.json"


def command(reports: Path, claims: Iterable[str] = (), as_json: bool = True) -> list[str]:
    """The command that checks the certificates of a `reports` folder."""
    form = ["--json"] if as_json else []
    checker = [sys.executable, "-P", "-m", "verify.recheck", *form]
    return [*checker, "--root", str(reports.parent), "--facts", str(FACTS), *claims]


@contextmanager
def private(cache: Path) -> Iterator[Path]:
    """A `reports` folder below the cache that no other run sees; it is removed afterwards."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        folder = tempfile.TemporaryDirectory(prefix="checking-", dir=cache, ignore_cleanup_errors=True)
    except OSError as error:
        raise InputError(f"{cache.name}: cannot be written: {error.strerror}") from None
    with folder as name:
        yield Path(name) / "reports"


def clean_environment() -> dict[str, str]:
    """An environment in which only the engine itself can be imported beside the installed libraries."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    kept["PYTHONPATH"] = str(ENGINE)
    kept["PYTHONHASHSEED"] = "0"
    return kept


def check(reports: Path, claims: Iterable[str], processes: int = 1) -> dict[tuple[str, str], str]:
    """Check the certificates of some claims; for every claim and role the reason of a refusal, or ''."""
    wanted = sorted(claims)
    groups = [wanted[start::processes] for start in range(processes)]
    with ThreadPoolExecutor(processes) as threads:
        answers = list(threads.map(lambda group: _check_group(reports, group), groups))
    return {key: why for answer in answers for key, why in answer.items()}


def _check_group(reports: Path, claims: Sequence[str]) -> dict[tuple[str, str], str]:
    if not claims:
        return {}
    try:
        done = subprocess.run(
            command(reports, claims),
            capture_output=True,
            env=clean_environment(),
            timeout=TIME_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"the checker did not end within {TIME_LIMIT:.0f} s") from None
    try:
        return _read(json.loads(done.stdout))
    except (ValueError, KeyError, TypeError, AttributeError):
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no output"]
        raise InputError(f"the checker failed with code {done.returncode}: {last[0]}") from None


def _read(answers: Any) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for answer in answers:
        why = "" if answer["accepted"] is True else str(answer.get("reason") or "refused")
        found[(answer["claim"], answer["role"])] = why
    return found
