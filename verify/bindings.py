"""The registry as data, collected in a process of its own.

    python -m verify.bindings ROOT

The process that computes verdicts imports no proof module: what a proof module does to the Python that runs it cannot
reach the verdicts, except through certificates that the checker accepts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from verify.errors import InputError
from verify.project import source_file
from verify.registry import Binding, Decision, Experiment, Figure, Place, ReadingSpec, Registry, Remark
from verify.verdict import Argument, Grade, Outcome

TIME_LIMIT = 120.0


def to_json(registry: Registry) -> dict[str, Any]:
    """Everything but the functions."""
    return {
        "bindings": [asdict(b) for b in registry.bindings.values()],
        "decisions": [asdict(d) for d in registry.decisions.values()],
        "experiments": [asdict(e) for e in registry.experiments.values()],
        "figures": [asdict(f) for f in registry.figures.values()],
        "remarks": [asdict(r) for r in registry.remarks.values()],
    }


def from_json(data: Any) -> Registry:
    """The registry again, without functions."""
    registry = Registry()
    for item in data["bindings"]:
        registry.add_binding(Binding(**{**item, "place": Place(**item["place"]), "uses": tuple(item["uses"])}))
    for item in data["decisions"]:
        argument = item["argument"]
        more = {
            "place": Place(**item["place"]),
            "uses": tuple(item["uses"]),
            "context": tuple(item["context"]),
            "added": tuple(item["added"]),
            "outcome": Outcome(item["outcome"]),
            "argument": None if argument is None else Argument(argument),
            "readings": tuple(ReadingSpec(r["text"], Outcome(r["outcome"]), r["part"], r["because"]) for r in item["readings"]),
        }
        registry.add_decision(Decision(**{**item, **more}))
    for item in data["experiments"]:
        more = {"place": Place(**item["place"]), "grade": Grade(item["grade"]), "needs": tuple(item["needs"])}
        registry.add_experiment(Experiment(**{**item, **more}))
    for item in data["figures"]:
        registry.add_figure(Figure(**{**item, "place": Place(**item["place"]), "needs": tuple(item["needs"])}))
    for item in data["remarks"]:
        registry.add_remark(Remark(**{**item, "place": Place(**item["place"])}))
    return registry


def environment(root: Path) -> dict[str, str]:
    """The environment of processes that import proofs: the project's root and the engine can be imported."""
    found = dict(os.environ, PYTHONHASHSEED="0")
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        found[name] = "1"
    here = str(Path(__file__).resolve().parents[1])
    inherited = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    found["PYTHONPATH"] = os.pathsep.join([str(root), here, *inherited])
    return found


def collect(root: Path) -> Registry:
    """What the proof modules of a project bind, imported in another process; whatever is wrong in them is an InputError."""
    command = [sys.executable, "-P", "-m", "verify.bindings", str(root)]
    try:
        done = subprocess.run(command, capture_output=True, env=environment(root), timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired as late:
        module, _ = _said(late.stdout or b"")
        raise InputError(f"{source_file(module)}: its import takes more than {TIME_LIMIT:.0f} s") from None
    module, answer = _said(done.stdout)
    if answer is None:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        why = f": {last[0]}" if last else ""
        raise InputError(f"{source_file(module)}: its import ended the process with code {done.returncode}{why}")
    if "error" in answer:
        raise InputError(answer["error"])
    return from_json(answer)


def _said(output: bytes) -> tuple[str, dict[str, Any] | None]:
    """The module whose import was the last to begin, and the answer, if there is one."""
    module, answer = "", None
    for line in output.splitlines():
        try:
            said = json.loads(line)
        except ValueError:  # cut off in the middle
            break
        if "importing" in said:
            module = said["importing"]
        else:
            answer = said
    return module, answer


def main() -> None:
    """Import, and print as JSON, a line each: the module before its import, and at last the registry or the error."""
    from verify.project import Project

    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(what: dict[str, Any]) -> None:
        out.write(json.dumps(what) + "\n")
        out.flush()

    try:
        say(to_json(Project(Path(sys.argv[1])).import_proofs(lambda module: say({"importing": module}))))
    except InputError as error:
        say({"error": str(error)})


if __name__ == "__main__":
    main()
