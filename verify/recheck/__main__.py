"""``python -m verify.recheck [--root DIR] [--facts FILE] [--jobs N] [--oracles] [--json] [--progress] [--evidence ID].. [IDS..]``

Re-validates the certificates below DIR without search; with ``--oracles`` an SMT solver is asked again for what it answered.
The facts are those beside the checker, whatever lies below DIR; another set is named in the output, with its digest.
Exit codes: 0 all accepted, 1 some refused, 2 wrong use.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import signal
import sys
import threading
from pathlib import Path

from . import parallel, solver
from .evidence import Evidence, recorded
from .names import one_line, plain
from .store import FACTS, Result, Store, long_integers, read
from .terms import Refused

STACK = 512 * 1024 * 1024
DEPTH = 60_000


def line(result: Result) -> str:
    """One line for a reader."""
    name = f"{plain(result.claim)} {plain(result.role)}"
    if not result.accepted:
        return f"refused   {name}: {one_line(result.reason)}"
    notes = [f"{sum(result.outcome.rules.values())} steps"]
    if result.axioms:
        notes.append("axioms " + ", ".join(sorted(result.axioms)))
    if result.outcome.lemmas:
        notes.append("lemmas " + ", ".join(" ".join(map(plain, part)) for part in sorted(result.outcome.lemmas)))
    if result.outcome.trusted:
        notes.append(f"{len(result.outcome.trusted)} trusted steps")
    if result.oracles:
        notes.append("rests on " + "; ".join(f"the answer of {one_line(answer)}" for answer in sorted(result.oracles)))
    if result.trusted_lemmas:
        notes.append(f"{len(result.trusted_lemmas)} lemmas with trusted steps")
    return f"accepted  {name}: " + "; ".join(notes)


def asked_again(problem: str) -> str:
    """What the solver answers now; refuses where there is none."""
    try:
        return solver.ask(problem).word
    except solver.NoSolver as e:
        raise Refused(f"its answer cannot be asked for again: {e}") from None


def told(done: int, total: int, part: str, seconds: float) -> None:
    """Says how far it is."""
    print(json.dumps({"done": done, "total": total, "part": part, "seconds": round(seconds, 1)}), file=sys.stderr, flush=True)


def run(argv: list[str]) -> int:
    """The command; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m verify.recheck", description="re-validate certificates")
    parser.add_argument("--root", type=Path, default=Path())
    parser.add_argument("--facts", type=Path, default=FACTS, help="default: those beside the checker")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes; default: one, and with 0 one per core")
    parser.add_argument("--oracles", action="store_true", help="ask the SMT solver again for every answer that a proof rests on")
    parser.add_argument("--json", action="store_true", help="machine-readable answers")
    parser.add_argument(
        "--evidence", action="append", metavar="ID", help="a claim or paper whose recorded evidence is counted; default: IDS"
    )
    parser.add_argument("ids", nargs="*", metavar="IDS", help="claims or papers; default: all")
    parser.add_argument("--progress", action="store_true", help="say on standard error how far it is, in lines of JSON")
    options = parser.parse_args(argv)
    try:
        jobs = options.jobs or len(os.sched_getaffinity(0))
        own = hashlib.sha256(read(FACTS)).hexdigest()
        store = Store(options.root, options.facts, asked_again if options.oracles else None)
        results = parallel.check(store, options.ids, jobs, told if options.progress else None)
        unasked = {claim for claim, _ in store.parts} - {r.claim for r in results}
        evidence = recorded(options.root, options.evidence or options.ids, [r.data() for r in results], unasked)
    except Refused as e:
        print(f"recheck: {one_line(str(e))}", file=sys.stderr)
        return 2
    facts = {"file": str(options.facts), "sha256": store.facts, "own": store.facts == own}
    if options.json:
        found = {"facts": facts, "parts": [r.data() for r in results], "evidence": evidence.data()}
        with long_integers():
            print(json.dumps(found, indent=1, sort_keys=True))
    else:
        if not facts["own"]:
            print(f"facts     {facts['file']!a}: not those of this checker; SHA-256 {store.facts}")
        show(results, evidence, options.oracles)
    return 0 if all(r.accepted for r in results) and not evidence.problems else 1


def show(results: list[Result], evidence: Evidence, asked: bool) -> None:
    """Prints the answers for a reader."""
    for r in results:
        print(line(r))
    refused = sum(not r.accepted for r in results)
    for claim, name, why in evidence.problems:
        print(f"refused   {plain(claim)} {plain(name)}: {one_line(why)}")
    resting = f" ({evidence.resting} resting on answers of an oracle)" if evidence.resting else ""
    print(f"{len(results) - refused} accepted{resting}, {refused + len(evidence.problems)} refused")
    print(evidence.line(asked=asked))


def stop(number: int, frame: object) -> None:
    """Ends the command and the processes that it has started."""
    parallel.stop()
    os.write(2, b"recheck: interrupted\n")
    os._exit(128 + number)


def main() -> int:
    """Runs the command in a thread whose stack is deep enough for the nesting that the page allows."""
    answer = [2]

    def work() -> None:
        try:
            answer[0] = run(sys.argv[1:])
        except SystemExit as e:
            answer[0] = e.code if isinstance(e.code, int) else 2

    gc.set_threshold(1_000_000, 50, 100)  # trees are large and have no cycles: looking for them costs more than it finds
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)
    sys.setrecursionlimit(DEPTH)
    threading.stack_size(STACK)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return answer[0]


if __name__ == "__main__":
    sys.exit(main())
