"""Mutation testing of the believed rooms, by hand: how many small faults in the kernel and the checker do the fast tests notice?

    python benchmarks/mutation.py [FILE ..] [--sample N] [--seed S] [--table]
    python benchmarks/mutation.py --faults

The faults are those of mutmut (3.8: `pip install "mutmut>=3.8,<4"`), of which a seeded sample is taken for each file. Its own
runner would start pytest for each of them; here each runs in a forked process that puts the changed file in the place of the true
one, asks the table of tests/logic first and runs the fast tests of the room where the table notices nothing. Messages of errors
are not changed. A fault is noticed when a test fails, or when nothing is answered in time.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
KERNEL = ("rules", "leaves", "sign", "terms", "normal", "laurent", "finite", "facts", "balls")
CHECKER = ("rules", "leaves", "sign", "calculus", "normal", "words", "poly", "sorts", "terms", "finite", "facts", "balls")
FILES = [f"verify/kernel/{name}.py" for name in KERNEL] + [f"verify/recheck/{name}.py" for name in CHECKER]
PROPERTIES, INSTANCES = "tests/logic/test_properties.py", "tests/logic/test_instances.py"
TESTS = {
    "kernel": [INSTANCES, PROPERTIES, "tests/kernel/test_false.py", "tests/kernel/test_proofs.py"],
    "recheck": [INSTANCES, "tests/recheck/test_sorts.py", PROPERTIES],
}
SECONDS = 15  # of processor time
MEMORY = 6 * 2**30


def put_in_place(name: str, path: Path, source: str) -> None:
    """Run other source in a module that is imported, and give what it defines to all who took it from there."""
    module = sys.modules[name]
    before = {id(v): k for k, v in vars(module).items() if callable(v)}
    exec(compile(source, str(path), "exec"), vars(module))
    for other in list(sys.modules.values()):
        if getattr(other, "__name__", "").partition(".")[0] in ("verify", "tests"):
            for k, v in list(vars(other).items()):
                if id(v) in before and other is not module:
                    setattr(other, k, vars(module).get(before[id(v)]))
    if name.startswith("verify.recheck."):  # what was made of the true source
        from tests.logic import both
        from tests.recheck import support

        both.LIBRARY = support.LIBRARY = support.Library(support.load(support.FACTS))


def mutants(path: Path, sample: int, chance: random.Random) -> tuple[int, list[str]]:
    """How many faults there are, without those in the messages of errors, and the sources with one of a sample each."""
    import libcst as cst
    from mutmut.mutation.file_mutation import MutationVisitor, deep_replace
    from mutmut.mutation.mutators import mutation_operators
    from mutmut.mutation.pragma_handling import IgnoredCode

    visitor = MutationVisitor(mutation_operators, IgnoredCode(set(), set(), set()))
    module = cst.MetadataWrapper(cst.parse_module(path.read_text(encoding="utf-8"))).visit(visitor)
    silent: set[int] = set()

    class Messages(cst.CSTVisitor):
        def visit_Raise(self, node: cst.Raise) -> None:
            silent.update(id(x) for x in below(node))

    def below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        yield node
        for child in node.children:
            yield from below(child)

    module.visit(Messages())
    found = [m for m in visitor.mutations if id(m.original_node) not in silent]
    chosen = chance.sample(found, min(sample, len(found)))
    return len(found), [deep_replace(module, m.original_node, m.mutated_node).code for m in chosen]  # type: ignore[union-attr]


def table() -> dict[str, list[tuple[Any, bool]]]:
    """The rows of the table as JSON, with the answer that each program must give; made in a process of its own."""
    read, write = os.pipe()
    if os.fork() == 0:
        from tests.logic.test_table import ONE_ONLY, ROWS, TREES

        out: dict[str, list[tuple[Any, bool]]] = {"kernel": [], "recheck": []}
        for room, program in (("kernel", "kernel"), ("recheck", "checker")):
            for name, (good, case) in TREES.items():
                out[room].append((case, program == ONE_ONLY[name][0] if name in ONE_ONLY else good))
            out[room] += [(row.case(), program in row.accepts) for row in ROWS]
        with open(write, "w") as stream:
            json.dump(out, stream)
        os._exit(0)
    os.close(write)
    with open(read) as stream:
        return json.load(stream)


def notices(room: str, rows: list[tuple[Any, bool]], tests: Sequence[str]) -> bool:
    """Whether the table, or else one of some tests, fails in this process."""
    if room == "kernel":
        from tests.logic.both import kernel_accepts as accepts
    else:
        from tests.logic.both import checker_accepts as accepts
    for (statement, proof), wanted in rows:
        if accepts((statement, proof)) != wanted:
            return True
    if not tests:
        return False
    import pytest

    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]) != 0


def attempt(path: Path, source: str, rows: list[tuple[Any, bool]], tests: Sequence[str]) -> str:
    """noticed, in time or not, or survived: what becomes of one source in a process of its own."""
    room = path.parent.name
    child = os.fork()
    if child == 0:
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 1)
            os.dup2(null, 2)
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            put_in_place(name, path, source)
            code = 1 if notices(room, rows, tests) else 0
        finally:
            os._exit(code)  # whatever is raised here is a failure of a test
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "noticed (no answer)"
    return "noticed" if os.WEXITSTATUS(status) else "survived"


def change(before: str, after: str) -> str:
    """The lines that differ, on one line."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    shown = [x for x in lines if x[:1] in "+-@" and not x.startswith(("+++", "---"))]
    return " ".join(" ".join(x.split()) for x in shown)


def preload() -> None:
    """Import what need not be imported again for each fault."""
    import hypothesis  # noqa: F401
    import pytest  # noqa: F401

    import tests.logic.both  # noqa: F401


def run(files: Sequence[str], sample: int, seed: int, tests: dict[str, list[str]]) -> int:
    """Report the share of noticed faults of each file and every survivor; 1 when an unchanged file fails the tests."""
    preload()
    rows = table()
    total = kept = 0
    for name in files:
        path = ROOT / name
        room = path.parent.name
        true = path.read_text(encoding="utf-8")
        if attempt(path, true, rows[room], tests[room]) != "survived":
            print(f"{name}: the tests fail without a fault")
            return 1
        every, chosen = mutants(path, sample, random.Random(f"{seed} {name}"))
        start = time.perf_counter()
        survivors = [source for source in chosen if attempt(path, source, rows[room], tests[room]) == "survived"]
        total, kept = total + len(chosen), kept + len(survivors)
        share = 100 * (len(chosen) - len(survivors)) / len(chosen)
        print(f"{name}: {len(chosen)} of {every}, {share:.0f} of 100 noticed, {time.perf_counter() - start:.0f} s", flush=True)
        for source in survivors:
            print(f"    {change(true, source)}", flush=True)
    print(f"{total} faults, {100 * (total - kept) / total:.1f} of 100 noticed")
    return 0


def by_hand() -> int:
    """See whether the table alone notices each fault of `faults.py`; 1 when one is not noticed, or is none any more."""
    from benchmarks.faults import FAULTS

    preload()
    rows = table()
    unnoticed = 0
    for name, old, new in FAULTS:
        path = ROOT / name
        true = path.read_text(encoding="utf-8")
        if old not in true:
            print(f"{name}: no such text: {old!r}")
            unnoticed += 1
        elif attempt(path, true.replace(old, new), rows[path.parent.name], ()) == "survived":
            print(f"{name}: not noticed: {change(true, true.replace(old, new))}", flush=True)
            unnoticed += 1
    print(f"{len(FAULTS)} faults made by hand, {len(FAULTS) - unnoticed} noticed")
    return 1 if unnoticed else 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks/mutation.py", description="mutation testing of the believed rooms")
    parser.add_argument("files", nargs="*", metavar="FILE", help="default: the kernel and the checker")
    parser.add_argument("--sample", type=int, default=40, help="faults for each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="ask the table of tests/logic alone, which is much faster")
    parser.add_argument("--faults", action="store_true", help="the faults made by hand instead")
    options = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    sys.setrecursionlimit(20_000)
    tests: dict[str, list[str]] = {"kernel": [], "recheck": []} if options.table else TESTS
    raise SystemExit(by_hand() if options.faults else run(options.files or FILES, options.sample, options.seed, tests))


if __name__ == "__main__":
    main()
