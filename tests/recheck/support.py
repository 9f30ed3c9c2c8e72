"""Short ways to write formulas and proofs as the JSON of certificates, and to ask the checker."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from verify.recheck import Checker, Library, Outcome, Refused, read_formula
from verify.recheck.store import load

sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

J = Any
Case = tuple[J, J]  # statement, proof

FACTS = Path(__file__).parents[2] / "verify" / "kernel" / "facts.json"
LIBRARY = Library(load(FACTS))

REAL = [["x", "R"], ["y", "R"]]
INTS = [["m", "Z"], ["n", "Z"]]
SQUARE = [["n", "Z"], ["A", ["M", "n", "n"]], ["B", ["M", "n", "n"]]]
SMOOTH = ["F", ["R"], "R", "smooth"]
ANY = ["F", ["R"], "R", "any"]

FIELD = {"r": "field"}
NC = {"r": "nc"}
TRUTH = {"r": "truth"}
COMPUTE = {"r": "compute"}


def eq(a: J, b: J) -> J:
    return ["=", a, b]


def ne(a: J, b: J) -> J:
    return ["!=", a, b]


def lt(a: J, b: J) -> J:
    return ["<", a, b]


def le(a: J, b: J) -> J:
    return ["<=", a, b]


def add(*xs: J) -> J:
    return ["+", *xs]


def mul(*xs: J) -> J:
    return ["*", *xs]


def neg(x: J) -> J:
    return ["*", -1, x]


def sub(a: J, b: J) -> J:
    return ["+", a, neg(b)]


def sq(x: J) -> J:
    return ["^", x, 2]


def node(rule: str, *children: J, **args: J) -> J:
    return {"r": rule, **args, **({"c": list(children)} if children else {})}


def given(decls: J, hyps: list[J], concl: J, leaf: J) -> Case:
    """all decls (h0 => h1 => .. => concl), proved by fixing, assuming h0, h1, .. and the leaf."""
    for k in reversed(range(len(hyps))):
        concl = ["=>", hyps[k], concl]
        leaf = node("assume", leaf, name=f"h{k}")
    if decls:
        return ["all", decls, concl], node("fix", leaf, names=[d[0] for d in decls])
    return concl, leaf


def check(case: Case, library: Library = LIBRARY) -> Outcome:
    """The answer of the checker; raises Refused."""
    statement, proof = case
    return Checker(library).check(read_formula(statement), proof)


def accepted(case: Case) -> bool:
    """Whether the checker accepts; anything but a clean refusal is an error."""
    try:
        check(case)
    except Refused as e:
        assert str(e) and "\n" not in str(e)
        return False
    return True
