"""The second opinion: certificates go to the independent checker in a clean process."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.errors import InputError

if TYPE_CHECKING:
    from verify.run.progress import Progress

TIME_LIMIT = 3600.0
ENGINE = Path(__file__).resolve().parents[2]


def command(
    reports: Path,
    claims: Iterable[str] = (),
    as_json: bool = True,
    processes: int = 1,
    oracles: bool = False,
    counted: Iterable[str] = (),
    progress: bool = False,
) -> list[str]:
    """The command that checks the certificates of a `reports` folder with the facts of this engine.

    oracles: ask these again.
    counted: claims whose recorded evidence is counted, by default those of the certificates.
    progress: the checker says in lines of JSON how far it is, which `ask` hands on.
    """
    form = (["--json"] if as_json else []) + (["--oracles"] if oracles else [])
    form += ["--progress"] if progress else []
    checker = [sys.executable, "-P", "-m", "verify.recheck", "--jobs", str(processes), *form]
    evidence = [f"--evidence={claim}" for claim in counted]
    return [*checker, "--root", str(reports.parent), *evidence, *claims]


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


def check(
    reports: Path, claims: Iterable[str], processes: int = 1, progress: Progress | None = None
) -> dict[tuple[str, str], str]:
    """Check the certificates of some claims; for every claim and role the reason of a refusal, or ''.

    An answer of an oracle counts only if the checker's process gets it again: the stored one was written where proof modules run.
    """
    wanted = sorted(claims)
    if not wanted:
        return {}
    checker = command(reports, wanted, processes=processes, oracles=True, progress=progress is not None)
    code, out, err = ask(checker, subprocess.PIPE, TIME_LIMIT, progress)
    try:
        return _read(json.loads(out))
    except (ValueError, KeyError, TypeError, AttributeError):
        last = err.decode(errors="replace").strip().splitlines()[-1:] or ["no output"]
        raise InputError(f"the checker failed with code {code}: {last[0]}") from None


def ask(
    checker: Sequence[str], pipe: int | None = None, limit: float | None = None, progress: Progress | None = None
) -> tuple[int, bytes, bytes]:
    """Run a checker in a clean environment: its exit code, and what it says, unless that goes where the output of this one goes.

    Lines of its standard error that say how far it is go to `progress`. Whatever ends this call ends the checker and all
    processes that it started. Raises InputError beyond the time limit.
    """
    env = clean_environment()
    heard = pipe if progress is None else subprocess.PIPE
    process = subprocess.Popen(checker, stdout=pipe, stderr=heard, env=env, start_new_session=True)  # out of reach of Ctrl-C
    try:
        if progress is None:
            out, err = process.communicate(timeout=limit)
        else:
            out, err = _listening(process, limit, progress)
    except subprocess.TimeoutExpired:
        raise InputError(f"the checker did not end within {limit:.0f} s") from None
    finally:
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return process.returncode, out or b"", err or b""


def _listening(process: subprocess.Popen[bytes], limit: float | None, progress: Progress) -> tuple[bytes, bytes]:
    """What a process writes, while it is told how far it is. Raises TimeoutExpired beyond the limit."""
    assert process.stderr is not None
    end = None if limit is None else time.monotonic() + limit
    out, rest, line = bytearray(), bytearray(), b""
    with selectors.DefaultSelector() as selector:
        for stream in filter(None, (process.stdout, process.stderr)):
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired(process.args, limit or 0.0)
            for key, _ in selector.select(1.0):
                piece = os.read(key.fd, 1 << 16)
                if not piece:
                    selector.unregister(key.fileobj)
                elif key.fileobj is process.stdout:
                    out += piece
                else:
                    *lines, line = (line + piece).split(b"\n")
                    rest += b"".join(text + b"\n" for text in lines if not _told(text, progress))
    process.wait()
    return bytes(out), bytes(rest) + line


def _told(line: bytes, progress: Progress) -> bool:
    """Whether a line says how far the checker is; then it was handed on."""
    try:
        said = json.loads(line)
        progress.at(int(said["done"]), int(said["total"]), str(said["part"]), float(said["seconds"]))
    except (ValueError, KeyError, TypeError):
        return False
    return True


def _read(answers: Any) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for answer in answers["parts"]:
        why = "" if answer["accepted"] is True else str(answer.get("reason") or "refused")
        found[(answer["claim"], answer["role"])] = why
    return found
