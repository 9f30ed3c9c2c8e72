"""A worker process: imports the proofs, then answers one task after another.

    python -m verify.run.worker ROOT KERNEL

Tasks and answers go over the original standard input and output as framed JSON; what a proof prints goes to
standard error. The worker ends when its parent does.
"""

from __future__ import annotations

import importlib
import os
import queue
import sys
import threading
import time
from pathlib import Path
from typing import Any

from verify.errors import InputError
from verify.project import Project, describe
from verify.registry import NEGATION, REGISTRY, STATEMENT, Binding, Registry
from verify.run.deriving import fault
from verify.run.files import allow_depth
from verify.run.frames import receive, send
from verify.run.language import Language
from verify.verdict import Outcome

STACK = 512 * 1024 * 1024
MEMORY = 4 * 1024**3


class Lemmas:
    """Looks up the formulas that a script may use: those of declared claims, and the other roles of its own claim."""

    def __init__(self, kernel: Any, registry: Registry, binding: Binding) -> None:
        self._kernel, self._registry, self._binding = kernel, registry, binding

    def __call__(self, claim: str, role: str = STATEMENT) -> Any:
        mine = self._binding
        if claim == mine.claim:
            if role == mine.role:
                raise InputError(f"{mine.place}: {mine.role} of {mine.claim} cannot use itself")
        elif claim not in self._registry.uses(mine.claim):
            raise InputError(f"{mine.place}: {mine.claim} uses {claim} without declaring it; add it to uses=[...]")
        decision = self._registry.decisions.get(claim)
        outcome = None if decision is None else decision.outcome
        if role == STATEMENT and outcome is not Outcome.HOLDS:
            raise InputError(
                f"{mine.place}: {claim} is {outcome or 'not decided'}, so its statement is no lemma; use its amendment or a part"
            )
        if role == NEGATION and outcome is not Outcome.REFUTED:
            raise InputError(f"{mine.place}: {claim} is {outcome or 'not decided'}, so its negation is no lemma")
        text = self._registry.text(claim, role)
        if text is None:
            known = ", ".join(b.role for b in self._registry.roles(claim)) or "none"
            raise InputError(f"{mine.place}: {claim} has no role {role!r}; bound there: {known}")
        formula = self._kernel.parse(text)
        return self._kernel.negate(formula) if role == NEGATION else formula


def answer(task: dict[str, Any], kernel_name: str) -> dict[str, Any]:
    """Do one task; every failure is an answer."""
    registry = REGISTRY
    if task["kind"] == "experiment":
        return _experiment(registry, task)
    if task["kind"] == "figure":
        return _figure(registry, task)
    if task["kind"] == "search":
        return _search(task)
    if task["kind"] == "witness":
        return _witness(task)
    if task["kind"] == "void":
        return _void(task)
    kernel = importlib.import_module(kernel_name)
    if task["kind"] == "mutant":
        return _mutant(kernel, registry, task)
    text = task["text"]
    try:
        formula = kernel.parse(text)
    except Exception as error:  # whatever a statement does to the parser is the answer
        return {"status": "failed", "error": f"the statement cannot be parsed: {describe(error)}"}
    if why := fault(Language(kernel_name), registry, task["claim"], task["role"], formula):
        return {"status": "failed", "error": why}
    result: dict[str, Any] = {"formula": formula}
    binding = registry.bindings[(task["claim"], task["role"])]
    goal = kernel.negate(formula) if binding.role == NEGATION else formula
    try:
        script = registry.scripts[(binding.claim, binding.role)]
        theorem = kernel.prove(goal, script, lemmas=Lemmas(kernel, registry, binding))
    except Exception as error:  # a script is a user's code: whatever it raises leaves the claim open
        missing = _without_solver(error)
        return {**result, "status": "failed", "error": describe(error, binding.place.module), **missing}
    return {**result, "status": "proved", "proof": theorem.proof}


def _without_solver(error: BaseException) -> dict[str, bool]:
    """That a failure for want of a program is not worth keeping: it may be there the next time."""
    from verify.recheck.solver import NoSolver

    reason: BaseException | None = error
    while reason is not None and not isinstance(reason, NoSolver):
        reason = reason.__context__
    return {} if reason is None else {"transient": True}


def _search(task: dict[str, Any]) -> dict[str, Any]:
    from verify.kernel import freeze
    from verify.run.models import counterexample

    return {"status": "done", "counterexample": counterexample(freeze(task["formula"]))}


def _witness(task: dict[str, Any]) -> dict[str, Any]:
    """Values that meet the hypotheses of a claim, with a proof that they do."""
    from verify.kernel import freeze
    from verify.run.witness import find

    found = find(freeze(task["formula"]), seconds=task["seconds"])
    if found.proof is None:
        return {"status": "failed", "error": found.reason}
    return {"status": "proved", "proof": found.proof}


def _void(task: dict[str, Any]) -> dict[str, Any]:
    """A proof of `false` from the hypotheses of a role: its own, adapted, or what a short search finds."""
    from verify.run.voidness import find, lemmas_of

    lemmas = lemmas_of({(claim, role): formula for claim, role, formula in task["lemmas"]})
    proof = find(task["formula"], task["proof"], lemmas)
    return {"status": "failed", "error": "none found"} if proof is None else {"status": "proved", "proof": proof}


def _mutant(kernel: Any, registry: Registry, task: dict[str, Any]) -> dict[str, Any]:
    """Run a claim's script on a perturbed statement; that it fails is the usual answer."""
    binding = registry.bindings[(task["claim"], task["role"])]
    formula = kernel.freeze(task["formula"])
    goal = kernel.negate(formula) if binding.role == NEGATION else formula
    try:
        script = registry.scripts[(binding.claim, binding.role)]
        theorem = kernel.prove(goal, script, lemmas=Lemmas(kernel, registry, binding))
    except Exception as error:  # a script is a user's code: whatever it raises decides nothing
        return {"status": "failed", "error": describe(error, binding.place.module)}
    return {"status": "proved", "proof": theorem.proof}


def _experiment(registry: Registry, task: dict[str, Any]) -> dict[str, Any]:
    test = registry.experiments[(task["claim"], task["role"])]
    script = registry.scripts[(test.claim, test.name)]
    try:
        found = script(task["profile"], task["found"]) if test.needs else script(task["profile"])
    except Exception as error:  # a user's code: whatever it raises is the answer
        return {"status": "failed", "error": describe(error, test.place.module)}
    keys = set(found) - {"data"} if isinstance(found, dict) else set()
    if keys != {"holds", "statistics"} or not isinstance(found["holds"], bool):
        return {
            "status": "failed",
            "error": f'{test.place}: an experiment returns {{"holds": bool, "statistics": {{...}}}} as plain JSON',
        }
    return {"status": "done", **found}


def _figure(registry: Registry, task: dict[str, Any]) -> dict[str, Any]:
    from verify.run import drawing

    figure = registry.figures[(task["claim"], task["role"])]
    try:
        script = registry.scripts[(figure.claim, f"figure:{figure.name}")]
        return {"status": "done", **drawing.draw(script, figure, task["found"])}
    except Exception as error:  # a user's code: whatever it raises is the answer
        return {"status": "failed", "error": describe(error, figure.place.module)}


def _limit_memory() -> None:
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    except (ImportError, ValueError, OSError):
        return


def _serve(root: Path, kernel: str, tasks: queue.Queue[Any], out: Any) -> None:
    try:
        Project(root).import_proofs(lambda module: send(out, {"status": "importing", "module": module}))
        send(out, {"status": "ready"})
    except Exception as error:  # said to the parent, which stops the run with it
        send(out, {"status": "broken", "error": str(error)})
        os._exit(2)
    while True:
        task = tasks.get()
        began = time.perf_counter()
        try:
            found = answer(task, kernel)
        except MemoryError:
            text = f"needs more than {MEMORY // 1024**3} GiB of memory"
            found = {"status": "failed", "error": text, "transient": True}
        found["seconds"] = round(time.perf_counter() - began, 3)
        try:
            send(out, {"id": task["id"], **found})
        except (TypeError, ValueError, RecursionError) as error:
            text = f"the result is not plain JSON: {describe(error)}"
            send(out, {"id": task["id"], "status": "failed", "error": text, "seconds": found["seconds"]})


def _serve_to_the_end(root: Path, kernel: str, tasks: queue.Queue[Any], out: Any) -> None:
    try:
        _serve(root, kernel, tasks, out)
    finally:  # whatever ends the server ends the process, so that the parent hears of it
        os._exit(3)


def main() -> None:
    """Serve until standard input ends."""
    allow_depth()
    inbox = os.fdopen(os.dup(0), "rb")
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _limit_memory()
    tasks: queue.Queue[Any] = queue.Queue()
    threading.stack_size(STACK)
    server = threading.Thread(target=_serve_to_the_end, args=(Path(sys.argv[1]), sys.argv[2], tasks, out), daemon=True)
    server.start()
    while (task := receive(inbox)) is not None:
        tasks.put(task)
    os._exit(0)


if __name__ == "__main__":
    main()
