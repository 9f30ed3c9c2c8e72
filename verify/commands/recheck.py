"""`verify recheck`: the independent checkers on stored certificates, of claims and of flows, in a clean process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verify.commands import _options as options
from verify.errors import InputError, one_line, plain
from verify.verdict import Grade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verify.project import Project
    from verify.verdict import Verdict


MISSING = "no certificate is stored"


@click.command(name="recheck")
@click.argument("words", nargs=-1, metavar="[PAPER|CLAIM|PATTERN|FILE|FOLDER]...")
@click.option("--oracles", is_flag=True, help="Ask the SMT solver again for every answer that a proof rests on (extra smt).")
@click.option("--time-limit", type=click.FloatRange(min=0.1), metavar="SECONDS", help="Of a file of a flow: seconds after which it is refused (default 600).")  # fmt: skip  # noqa: E501
@options.as_json
def command(words: tuple[str, ...], oracles: bool, time_limit: float | None, as_json: bool) -> int:
    """Check stored certificates again with the independent checker.

    The pins in reports/statements.json are compared with what the proof modules bind, which are imported in a process of their
    own; `python -m verify.recheck --root DIR` looks at the certificates alone and imports none.

    Proofs that rest on answers of an oracle are counted apart: the problem is checked, the answer is taken as stored, or asked
    for again with --oracles.

    A FILE that `verify flow --certificate` wrote, or a FOLDER that `verify flow --report` wrote, is checked by the checker of
    flows, which prints what was proved from its own numbers, and whether the answer beside it in the folder follows. Ends with 1
    when a certificate is refused, or is missing although a decided verdict is recorded. A claim that rests on a simulation has
    none: that is said, and is no failure.
    """
    files = [f for word in words for f in _flows(word)]
    claims = tuple(word for word in words if not _is_path(word))
    if not files and time_limit is not None:
        raise InputError("--time-limit is for files of flows")
    if not files:
        return _claims(claims, oracles, as_json)
    if claims or oracles:
        raise InputError("name either files of flows or claims, not both; --oracles is for claims")
    return _check_flows(files, time_limit, as_json)


def _is_path(word: str) -> bool:
    """Whether a word names a file or folder: by its look, so that a claim never depends on what lies about."""
    return word.endswith(".json") or "/" in word or word in (".", "..")


def _flows(word: str) -> list[str]:
    """The files of certificates that a word names; none if it is no path. Raises InputError where there are none."""
    if not _is_path(word):
        return []
    path = Path(word)
    if path.is_dir():
        found = sorted(str(f) for f in path.glob("certificate*.json"))
        if not found:
            raise InputError(f"{word}: holds no certificate of a flow")
        return found
    if not path.is_file():
        raise InputError(f"{word}: no such file")
    return [word]


def _check_flows(files: Sequence[str], seconds: float | None, as_json: bool) -> int:
    """Let the checker of flows print its answers, in a clean process. Raises InputError for a file that is no certificate."""
    from verify.run import checking

    words = [*(["--json"] if as_json else []), *([] if seconds is None else ["--seconds", str(seconds)])]
    code, out, err = checking.ask([sys.executable, "-P", "-m", "verify.flow", *words, *files], subprocess.PIPE)
    if code not in (0, 1):
        raise InputError((err.decode(errors="replace").strip().splitlines() or ["the checker of flows failed"])[-1])
    click.echo(out.decode(errors="replace"), nl=False)
    return code


def _claims(words: tuple[str, ...], oracles: bool, as_json: bool) -> int:
    """Check the certificates of claims."""
    from verify.recheck import solver
    from verify.run import certificates, checking
    from verify.run.progress import Progress

    if oracles and solver.executable() is None:
        raise InputError(f"--oracles: {solver.MISSING}")
    project = options.project()
    ids = project.select(words) if words else []
    stored = [c for c in ids if certificates.path_of(project.reports, c).is_file()]
    lost = _lost(project, ids if words else list(project.claims))
    without = _without(project, words, ids, {*stored, *(claim for claim, _ in lost)})
    moved = _moved(project, ids if words else list(project.claims))
    code = 1 if moved else 0
    found: dict[str, Any] = {}
    if stored or not words:
        cores = len(os.sched_getaffinity(0))
        command = checking.command(project.reports, stored, as_json, cores, oracles, counted=ids, progress=True)
        progress = Progress()
        progress.begin(f"checking {len(stored) or 'all'} certificates")
        answered, out, err = checking.ask(command, subprocess.PIPE if as_json else None, progress=progress)
        progress.close()
        code = max(code, answered)
        found = json.loads(out) if out else {}
        if err:
            click.echo(err.decode(errors="replace"), err=True, nl=False)
        if code == 2:
            return code
    else:
        found = {"parts": [], "evidence": _replayed(project, ids)}
        code = 1 if found["evidence"]["problems"] else code
        for problem in () if as_json else found["evidence"]["problems"]:
            click.echo(f"refused   {problem['claim']} {plain(problem['name'])}: {one_line(problem['reason'])}")
    if as_json:
        refused = sum(a["accepted"] is not True for a in found["parts"]) + len(lost) + len(moved)
        parts = found["parts"] + [{"claim": c, "role": r, "accepted": False, "reason": why} for c, r, why in moved]
        parts += [{"claim": c, "role": r, "accepted": False, "reason": MISSING} for c, r in lost]
        told = [{"name": name, "reason": why} for name, why in without]
        options.print_json({"parts": parts, "without": told, "evidence": {"refused": refused, **found["evidence"]}})
    else:
        for claim, role, why in moved:
            click.echo(f"refused   {claim} {plain(role)}: {why}")
        for claim, role in lost:
            click.echo(f"missing   {claim} {plain(role)}: {MISSING}")
        for name, why in without:
            click.echo(f"none      {plain(name)}: {why}")
    return max(code, 1 if lost else 0)


def _moved(project: Project, claims: Sequence[str]) -> list[tuple[str, str, str]]:
    """The roles of claims whose pins are not of what the proof modules bind, which are imported in a process of their own."""
    from verify.run import bound, recorded
    from verify.run.files import allow_depth

    allow_depth()
    needed = {claim: verdict.certified() for claim, verdict in recorded.verdicts(project).items()}
    return bound.unpinned(project, bound.Bound(project.registry), claims, needed)


def _without(project: Project, words: Sequence[str], ids: Sequence[str], known: set[str]) -> list[tuple[str, str]]:
    """Of the claims that were named, or of words of which none has one: why there is no certificate, and need not be."""
    from verify.run import recorded

    verdicts = recorded.verdicts(project)
    found = [(c, _why_none(verdicts.get(c))) for c in ids if c in words and c not in known]
    if not known:
        found += [(w, "no claim of these has a certificate, and none needs one") for w in words if w not in ids]
    return found


def _why_none(verdict: Verdict | None) -> str:
    """Why a claim has no certificate."""
    if verdict is None or verdict.grade is None:
        return "it is open, there is nothing to check"
    kinds = {
        Grade.NUMERIC: "a computation without guarantee",
        Grade.SAMPLED: "samples",
        Grade.SIMULATED: "a simulation",
        Grade.CITED: "a citation",
    }
    rests = kinds.get(verdict.grade)
    if rests is None:
        return f"{verdict.outcome}, and no certificate belongs to that"
    again = "" if verdict.grade is Grade.CITED else ", which `verify run` makes again; it has no certificate"
    return f"{verdict.outcome}, {verdict.grade}: it rests on {rests}{again}"


def _replayed(project: Project, ids: list[str]) -> dict[str, Any]:
    """The evidence of claims without certificates."""
    from verify.recheck.evidence import recorded
    from verify.recheck.terms import Refused

    try:
        return recorded(project.root, ids, []).data()
    except Refused as error:
        raise InputError(str(error)) from None


def _lost(project: Project, claims: Sequence[str]) -> list[tuple[str, str]]:
    """The roles of claims that a recorded verdict rests on, or that are pinned as proved, without a stored certificate."""
    from verify.run import certificates, recorded

    verdicts = recorded.verdicts(project)
    pinned = recorded.proved(project)
    found = []
    for claim in claims:
        wanted = set(pinned.get(claim, ()))
        if claim in verdicts:
            wanted |= verdicts[claim].certified()
        path = certificates.path_of(project.reports, claim)
        parts = certificates.roles(path) if wanted else set()
        found += [] if parts is None else [(claim, role) for role in sorted(wanted - parts)]
    return found
