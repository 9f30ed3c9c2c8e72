"""False inputs that must not pass: each attacks a condition of a rule or of a leaf."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.common import leaf
from verify.kernel import Goal, LogicError, parse, prove

# (statement, script): what the search must not find a proof of; the leaves and the rules have their table in tests/logic
ATTACKS: list[tuple[str, Any]] = [
    ("all x:R. 0 <= x => 0 <= 1/x", leaf("auto")),
    ("all x:R. 0 <= x => 0 <= x^(-1)", leaf("auto")),
    ("all x y:R. x < y => x < y - 1", leaf("nlin")),
    ("all x:R. 0 <= x^2 => 0 < x^2", leaf("auto")),
    ("all x:R. min(x, 1) <= 0 => x <= 0 => 1 <= min(x, 1)", leaf("auto")),
]


@pytest.mark.parametrize("text, script", ATTACKS, ids=range(len(ATTACKS)))
def test_false_inputs_do_not_pass(text: str, script: Any) -> None:
    with pytest.raises(LogicError):
        prove(text, script)


ILL_SORTED = [
    "all A:M(2,3). A @ A = A",
    "all A:M(2,3), B:M(3,2). A + B = A",
    "all A:M(2,3). tr(A) = 0",
    "all n:Z, A:M(n,n+1). det(A) = 0",
    "all x:R. x^2 + I(2) = x",
    "all x:R. I(x) = I(x)",
    "all n:Z, A:M(n,n). all n:Z. tr(A) = n",
    "all f:R->R. f'(0) = 0",
    "all f:R~>R. f(1, 2) = 0",
    "all x:R. sum(i, 1, x, i) = 0",
    "all x:R. x = y",
    "all n:Z. sum(i, 1, n, I(i)) = I(n)",
    "all x x:R. x = x",
]


@pytest.mark.parametrize("text", ILL_SORTED)
def test_ill_sorted_statements_are_refused(text: str) -> None:
    with pytest.raises(LogicError):
        parse(text)


def test_a_scalar_multiple_of_a_scalar_is_no_term() -> None:
    from verify.kernel.terms import check_formula

    with pytest.raises(LogicError):
        check_formula(("<=", ("q", 1, 2), ("+", ("q", 1, 2), ("sm", -1, 3))), {})


def test_a_witness_is_not_captured() -> None:
    # ex x. all y. x != y is false; the witness y must not be captured by the inner y
    def script(g: Goal) -> None:
        g.fix("y")
        g.witness("y + 1")
        g.fix("z")
        g.field()

    with pytest.raises(LogicError):
        prove("all y:R. ex x:R. all y:R. x != y", script)


def test_an_eigenvariable_must_be_new() -> None:
    def script(g: Goal) -> None:
        g.step("fix", names=("x", "x"))

    with pytest.raises(LogicError):
        prove("all x y:R. x = y", script)


def test_obtain_needs_a_new_name() -> None:
    def script(g: Goal) -> None:
        g.intro()
        g.step("obtain", h="h1", names=("x",), name="k")

    with pytest.raises(LogicError):
        prove("all x:R. (ex y:R. y = x + 1) => x = x + 1", script)


def test_induction_needs_its_base() -> None:
    # P(n): n = n + 1 follows from nothing; the hypothesis is for smaller numbers only
    def script(g: Goal) -> None:
        g.induct("n", "ih")
        g.apply("ih", "n")
        g.nlin()

    with pytest.raises(LogicError):
        prove("all n:Z. 0 <= n => n = n + 1", script)


def test_a_function_that_is_not_smooth_cannot_stand_for_a_smooth_one() -> None:
    def script(g: Goal) -> None:
        g.assume("h")
        g.apply("h", "lam t:R. abs(t)")

    with pytest.raises(LogicError):
        prove("(all f:R~>R. f(1)^2 = f(1)^2) => abs(1)^2 = abs(1)^2", script)


def test_a_real_does_not_stand_for_an_integer() -> None:
    def script(g: Goal) -> None:
        g.assume("h")
        g.apply("h", "1/2")

    with pytest.raises(LogicError):
        prove("(all n:Z. n < 1 => n <= 0) => 1/2 <= 0", script)


def test_a_strict_inequality_needs_a_positive_term() -> None:
    with pytest.raises(LogicError):
        prove("all x:R. 0 < x^2", leaf("pos", ["x^2"]))


def test_a_trusted_step_is_listed() -> None:
    theorem = prove("all x:R. 0 <= x^2 + 1", lambda g: (g.fix(), g.trusted("0 <= x^2 + 1", "a square")))
    assert len(theorem.trusted) == 1
    with pytest.raises(LogicError):
        prove("all x:R. 0 <= x^2 + 2", lambda g: (g.fix(), g.trusted("0 <= x^2 + 1", "a square")))


@pytest.mark.parametrize("text", ["all x y:R. 1/(x*y) = (1/x)*(1/y)", "all x:R. 1/(2*x) = 1/2*(1/x)", "all x:R. 1/(-x) = -(1/x)"])
def test_nothing_is_taken_out_of_an_inverse_that_may_be_one_of_zero(text: str) -> None:
    with pytest.raises(LogicError):
        prove(text, leaf("field"))
