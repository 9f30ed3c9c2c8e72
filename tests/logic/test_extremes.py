"""`min`, `max`, traces and derivatives of normal forms: what the page of logic licenses, and its near misses, in both programs."""

from __future__ import annotations

import pytest

from tests.kernel.common import LIBRARY
from verify.kernel import Goal, ProofError, parse, prove, thaw
from verify.recheck.rules import Checker
from verify.recheck.terms import Refused, read_formula

BOTH = [
    "all x y:R. min(x, y) = min(y, x)",
    "all x y:R. max(x, y) + 1 = 1 + max(y + 0, x)",
    "all x:R. min(x + 1, 1 + x) = 1 + x",
    "all x:R. max(2, 3)*x = 3*x",
    "min(0 - 1/2, 1/3) = 0 - 1/2",
    "max(0, 0) = 0",
    "all n:Z. tr(I(n)) = max(n, 0)",
    "all n:Z. tr(I(n)) = max(0, n)",
    "all n:Z. 0 <= n => tr(I(n)) = n",
    "all n:Z. tr(J(n,1) @ J(1,n)) = max(0, n)",
    "all m n:Z, A:M(m,n), B:M(n,m). tr(A @ B) = tr(B @ A)",
]
CHECKER_ONLY = ["all n:Z, k:Z, A:M(n,n), B:M(n,n). 0 <= k => tr(mpow(A, k) @ B @ A) = tr(mpow(A, k + 1) @ B)"]
NEITHER = [
    "all x y:R. min(x, y) = max(x, y)",
    "all x y:R. max(x, y) = x",
    "all x y:R. min(x, y) + max(x, x) = x + y",
    "min(2, 3) = 3",
    "max(0 - 1, 0 - 2) = 0 - 2",
    "all n:Z. tr(I(n)) = n",
    "all n:Z. tr(I(n)) = min(n, 0)",
    "all n:Z. tr(J(n,1) @ J(1,n)) = n",
    "all n:Z, A B:M(n,n). tr(A @ B @ A @ B) = tr(A @ A @ B @ B)",
    "all n:Z, k:Z, A B:M(n,n). tr(mpow(A, k) @ B @ A) = tr(mpow(A, k + 1) @ B)",
    "all x:R. D(v, max(v, x), 0) = 0",
    "all x:R. D(v, min(v, v + 1 - 1), 1) = 0",
]


def by_kernel(text: str) -> bool:
    """Whether the kernel takes the equation for one of normal forms."""

    def script(g: Goal) -> None:
        if g.concl[0] in ("all", "=>"):
            g.intro()
        g.field()

    try:
        prove(parse(text), script)
    except ProofError:
        return False
    return True


def by_checker(text: str) -> bool:
    """The same of the checker, with a proof that the kernel need not find."""
    formula = thaw(parse(text))
    proof: dict[str, object] = {"r": "field"}
    inner, names = formula, []
    while inner[0] in ("all", "=>"):
        names.append(inner)
        inner = inner[2]
    for k, f in reversed(list(enumerate(names))):
        if f[0] == "all":
            proof = {"r": "fix", "names": [name for name, _ in f[1]], "c": [proof]}
        else:
            proof = {"r": "assume", "name": f"h{k}", "c": [proof]}
    try:
        Checker(LIBRARY).check(read_formula(formula), proof)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("text", BOTH)
def test_what_the_page_licenses_both_accept(text: str) -> None:
    assert (by_kernel(text), by_checker(text)) == (True, True)


@pytest.mark.parametrize("text", CHECKER_ONLY)
def test_powers_that_meet_in_a_rotation_are_merged_by_the_checker(text: str) -> None:
    assert by_checker(text)


@pytest.mark.parametrize("text", NEITHER)
def test_near_misses_neither_accepts(text: str) -> None:
    assert (by_kernel(text), by_checker(text)) == (False, False)


def test_a_derivative_is_that_of_the_normal_form_where_the_body_has_none() -> None:
    assert by_checker("all x:R. D(v, abs(v - v + 2)*v, x) = 2")
    assert not by_checker("all x:R. D(v, abs(v), x) = 1")
