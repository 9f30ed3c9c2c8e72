"""One table of falsehoods and of true near misses, asked of the kernel and of the checker.

Rows that say *no* are false, or their proof breaks a rule; rows that say *yes* are true and near to one of those. A row that one
program accepts and the other refuses is true, and says why they differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.recheck.support import LIBRARY, TRUTH, given, le, lt, node, sq
from verify.kernel import LogicError, check, freeze, freeze_node
from verify.recheck import Checker, Refused, read_formula

from . import balls_and_finite, conditions, leaves, rule_edges, rules, sorts
from .both import PROGRAMS, Case, J
from .table import Row, rows

# what is true, but only one of the programs accepts it
ONE_ONLY: dict[str, tuple[str, str]] = {
    "rules, refused: an extra argument": ("kernel", "the kernel does not look at arguments that a rule has no use for"),
    "leaves: D is opaque up to its body": (
        "checker",
        "the kernel does not normalise the body of a derivative that it cannot take",
    ),
    "leaves: trace of a small product": (
        "checker",
        "the kernel takes traces by entries of literal matrices and entrywise products only",
    ),
    "leaves: rewriting": ("checker", "the kernel replaces atoms of the outermost polynomial only"),
    "leaves: inverse of a product": ("checker", "the kernel cancels inverses of one letter only"),
    "leaves: sums of matrices": ("checker", "the kernel keeps a sum of matrices as one letter"),
    "balls and finite: closed": ("checker", "the test writes 314/100, which the kernel wants in lowest terms"),
    "balls and finite: matrices": ("checker", "the kernel has no balls of determinants"),
    "conditions: a derivative that is not known": ("checker", "the kernel refuses where it has no rule for the derivative"),
    "conditions: a derivative of a high power": ("checker", "the kernel refuses where it has no rule for the derivative"),
    "sorts: ['all', [['n', 'Z'], ['B', ['M', 'n', 'n']]], ['=', 'B', ['I', 'n']]]": (
        "checker",
        "the kernel admits no bound name that hides a variable which a sort in scope mentions",
    ),
}


def tables() -> dict[str, tuple[bool, Case]]:
    """The rows that are written as trees: by name, whether both must accept, and the case."""
    found: dict[str, tuple[bool, Case]] = {}
    modules = {
        "rules": rules,
        "edges": rule_edges,
        "leaves": leaves,
        "balls and finite": balls_and_finite,
        "conditions": conditions,
    }
    for title, module in modules.items():
        found |= {f"{title}: {name}": (True, case) for name, case in module.GOOD.items()}
        found |= {f"{title}, refused: {name}": (False, case) for name, case in module.BAD.items()}
    for good, formulas in ((True, sorts.SORTED), (False, sorts.ILL), (False, sorts.MALFORMED)):
        found |= {f"sorts{'' if good else ', refused'}: {a}": (good, given(sorts.DECLS, [a], ["true"], TRUTH)) for a in formulas}
    return found


TREES = tables()
ROWS = rows()


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("name", TREES)
def test_trees(name: str, program: str) -> None:
    good, case = TREES[name]
    wanted = program == ONE_ONLY[name][0] if name in ONE_ONLY else good
    assert PROGRAMS[program](case) == wanted


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_rows(row: Row, program: str) -> None:
    assert PROGRAMS[program](row.case()) == (program in row.accepts)


SAID = ["all", [["x", "R"]], le(0, sq("x"))]


def kernel_lemmas(concl: J, proof: J) -> int:
    """How many lemmas the kernel counts where one is accepted: SAID, as part 1 of a.b; 0 where it refuses."""

    def lemma(claim: str, role: str) -> object:
        if (claim, role) != ("a.b", "part:1"):
            raise LogicError("no such lemma")
        return freeze(SAID)

    try:
        return len(check(freeze(concl), freeze_node(proof), lemma).lemmas)
    except LogicError:
        return 0


def checker_lemmas(concl: J, proof: J) -> int:
    """The same of the checker."""

    def lemma(claim: str, role: str) -> object:
        if (claim, role) != ("a.b", "part:1"):
            raise Refused("no such lemma")
        return read_formula(SAID)

    try:
        return len(Checker(LIBRARY, lemma).check(read_formula(concl), proof).lemmas)
    except Refused:
        return 0


@pytest.mark.parametrize("count", [kernel_lemmas, checker_lemmas])
def test_a_lemma_says_its_own_statement_and_nothing_more(count: Callable[[J, J], int]) -> None:
    proof = node("lemma", node("hyp", h="a"), claim="a.b", role="part:1", name="a")
    assert count(SAID, proof) == 1
    assert count(["all", [["x", "R"]], lt(0, sq("x"))], proof) == 0
    assert count(SAID, {**proof, "role": "statement"}) == count(SAID, {**proof, "claim": "a.c"}) == 0


def test_the_table_is_large_and_has_both_kinds_everywhere() -> None:
    """At least 1,000 rows; in each section at least three that are refused and two that are accepted."""
    assert len(TREES) + len(ROWS) >= 1000
    assert set(ONE_ONLY) <= set(TREES)
    refused = Counter(row.section for row in ROWS if not row.accepts)
    taken = Counter(row.section for row in ROWS if row.accepts)
    for section in refused | taken:
        assert refused[section] >= 3 and taken[section] >= 2, section


def test_every_rule_has_three_boundary_cases() -> None:
    """For each rule of the page at least three proofs that misuse it (`truth` and the leaves stand in the other tables too)."""
    from verify.kernel.rules import RULES

    def used(proof: object) -> set[str]:
        nodes = [proof] if isinstance(proof, dict) else []
        found: set[str] = set()
        while nodes:
            node = nodes.pop()
            found.add(node.get("r", ""))
            nodes += [c for c in node.get("c", []) if isinstance(c, dict)] if isinstance(node.get("c", []), list) else []
        return found

    count = Counter(rule for good, (_, proof) in TREES.values() if not good for rule in used(proof))
    count += Counter(row.leaf for row in ROWS if not row.accepts)
    elsewhere = {"flow", "oracle"}  # tests/kernel/test_flows.py, test_oracle.py; tests/recheck
    assert {rule: count[rule] for rule in RULES if rule not in elsewhere and count[rule] < 3} == {}
