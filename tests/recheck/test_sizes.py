"""What the checker counts, and that too much work is refused in time."""

from __future__ import annotations

import time

import pytest
from flint import ctx

from tests.logic.balls_and_finite import BAD as BALLS
from tests.logic.balls_and_finite import closed, every
from tests.logic.leaves import same
from verify.recheck import Refused, finite

from .support import ANY, FIELD, REAL, TRUTH, J, accepted, add, check, eq, given, le, lt, mul, node, sq


def test_counts_rules_axioms_and_trusted_steps() -> None:
    case = given(
        [["X", ["M", 2, 2]]],
        [],
        lt(0, 1),
        node(
            "fact",
            node("have", node("trusted", f=lt(0, 1), why="seen"), node("hyp", h="b"), name="b", f=lt(0, 1)),
            fact="frobenius_cauchy",
            params=[2, 2, "X", "X"],
            name="a",
        ),
    )
    outcome = check(case)
    assert outcome.rules == {"fix": 1, "fact": 1, "have": 1, "trusted": 1, "hyp": 1}
    assert outcome.axioms == {"frobenius_cauchy"}
    assert outcome.trusted == [{"f": ["<", 0, 1], "why": "seen"}]


def test_a_large_substitution_is_refused() -> None:
    t: object = "x"
    for _ in range(40):
        t = ["all", [["x", "R"]], ["=>", eq("x", "x"), t]] if t == 0 else ["+", t, "x"]
    proof: object = TRUTH
    for k in range(60):
        name = f"a{k + 1}"
        proof = node("apply", proof, h="a0", terms=[t], name=name)
    doubling = ["all", [["u", "R"]], eq("u", "u")]
    statement = ["all", [["x", "R"]], ["=>", doubling, ["true"]]]
    case = (statement, node("fix", node("assume", proof, name="a0"), names=["x"]))
    check(case)  # many large instances are no problem
    nested: object = ["call", "f", "x"]
    for _ in range(40):
        nested = ["call", "f", nested]
    bomb = (
        ["all", [["x", "R"]], ["ex", [["f", ANY]], eq(nested, 0)]],
        node("fix", node("witness", FIELD, terms=[["lam", [["s", "R"]], mul("s", "s")]]), names=["x"]),
    )
    with pytest.raises(Refused, match="too large"):
        check(bomb)


def test_a_polynomial_identity_with_thousands_of_terms_is_fast() -> None:
    xs = [f"x{i}" for i in range(12)]
    start = time.process_time()
    check(same([[x, "R"] for x in xs], ["^", add(*xs), 5], mul(sq(add(*xs)), ["^", add(*xs), 3])))
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "t",
    [
        ["^", add("x", "y"), 10**9],
        ["^", 2, 10**12],
        ["^", add("x", 1), ["^", 10, 10]],
        ["sum", "i", 1, 200, ["sum", "j", 1, 200, ["sum", "k", 1, 200, mul("i", "j", "k", "x")]]],
        ["prod", "i", 1, 150, add("x", ["^", "y", "i"])],
        ["det", ["mat", [[["^", add("x", "y", i, j), 9] for i in range(6)] for j in range(6)]]],
    ],
)
def test_what_is_too_large_is_refused(t: J) -> None:
    start = time.process_time()
    assert not accepted(same(REAL, t, 0))
    assert time.process_time() - start < 60


@pytest.mark.parametrize(
    "a",
    [
        every("n", 0, 10**15, le(0, "n")),
        every("m", 0, 10**4, every("n", 0, 10**4, le(0, "n"))),
        eq(["^", 3, 10**9], 0),
        eq(["tr", ["J", 10**6, 10**6]], 0),
        eq(["sum", "i", 1, 10**9, "i"], 0),
        eq(["tr", ["mpow", ["J", 9, 9], 10**8]], 0),
    ],
)
def test_too_much_work_is_refused(a: J, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finite, "MAX_ITERATIONS", 10**6)
    start = time.process_time()
    assert not accepted(closed(a))
    assert time.process_time() - start < 60


def test_the_precision_of_balls_is_restored() -> None:
    before = ctx.prec
    for case in BALLS.values():
        accepted(case)
        assert ctx.prec == before
