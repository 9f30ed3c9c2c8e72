"""Asking an SMT solver, a program that knows nothing of the logic: z3, with fixed seeds and a limit on its work.

The problem is a text in SMT-LIB 2, which any other solver reads as well. The extra `smt` (z3-solver) brings the program.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass

WORK = 20_000_000
"""z3's own count of steps, after which it gives up: the same on every machine, and about twenty seconds."""
SECONDS = 300
"""Only stops what does not count its steps."""
MEGABYTES = 2000
OPTIONS = (
    "-in",
    f"rlimit={WORK}",
    f"-T:{SECONDS}",
    f"-memory:{MEGABYTES}",
    "smt.random_seed=0",
    "sat.random_seed=0",
    "nlsat.seed=0",
)
MISSING = "no SMT solver is installed: the extra smt (z3-solver) brings z3"

_VERSION = re.compile(r'\(:version "([0-9]+(?:\.[0-9]+)*)[^"]*"\)')


class NoSolver(Exception):
    """There is no solver to ask; the message is one line that says what would help."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the solver says of a problem: unsat, sat, or unknown; its name and version; what else was asked."""

    word: str
    solver: str
    more: str = ""


def executable() -> str | None:
    """The program z3: the one beside this Python, else one on the search path; never one of the folder that we are in."""
    folders = [sysconfig.get_path("scripts"), *os.environ.get("PATH", "").split(os.pathsep)]
    return shutil.which("z3", path=os.pathsep.join(folder for folder in folders if os.path.isabs(folder)))


@functools.cache
def ask(problem: str, more: str = "") -> Answer:
    """Put a problem that ends with `(check-sat)` to the solver, and a further command; raises NoSolver.

    Whatever is not plainly an answer (an error, a time-out) is `unknown`.
    """
    program = executable()
    if program is None:
        raise NoSolver(MISSING)
    told = f"{problem}(get-info :version)\n{more}"
    try:
        done = subprocess.run(
            [program, *OPTIONS],
            input=told,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS + 60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return Answer("unknown", "z3")
    word, _, rest = done.stdout.partition("\n")
    version, _, rest = rest.partition("\n")
    found = _VERSION.fullmatch(version)
    if found is None or word not in ("unsat", "sat", "unknown"):
        return Answer("unknown", "z3")
    return Answer(word, f"z3 {found[1]}", rest)
