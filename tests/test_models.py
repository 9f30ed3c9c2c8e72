"""The search for counterexamples: what is false is found out, what is true never is."""

from __future__ import annotations

import pytest
from flint import fmpq

from verify.kernel import parse
from verify.run.models import counterexample
from verify.run.models.flows import is_positive_semidefinite
from verify.run.models.values import eigenvalues, singular_values

DEEP = """all d L:Z, ws al:R, W P Q:(Z, R)~>M(d,d). 2 <= d => 2 <= L => 0 < ws => 0 < al
  => (all t:R. P(0, t) = I(d)) and (all l:Z, t:R. 0 <= l and l < L => P(l + 1, t) = W(l + 1, t) @ P(l, t))
  => (all t:R. Q(L, t) = I(d)) and (all l:Z, t:R. 0 <= l and l < L => Q(l, t) = Q(l + 1, t) @ W(l + 1, t))
  => (all l:Z, t:R. 1 <= l and l <= L => 0 <= t =>
        W'(l, t) = -(T(Q(l, t)) @ had(I(d), P(L, t) - ws * I(d)) @ T(P(l - 1, t))))
  => (all l:Z. 1 <= l and l <= L => W(l, 0) = al * I(d)) => """

NORM = """all N:M(2,2)->R, c:R. 1 <= c and (all X:M(2,2). 0 <= N(X)) and (all X:M(2,2). N(X) = 0 <=> X = O(2, 2))
  and (all X:M(2,2), s:R. N(s * X) = abs(s) * N(X)) and (all X Y:M(2,2). N(X + Y) <= c * (N(X) + N(Y))) => """

FALSE = [
    "all x:R. 0 < x => x < x^2",
    "all n:Z. 1 <= n => tr(J(n, n)) = 1",
    "all n:Z, A B:M(n,n). 1 <= n => A @ B = B @ A",
    "all A:M(2,2). sv(A, 1) = sv(A, 2)",
    "all x y:R. 0 < x => y = sqrt(x) => y^2 = x + 1",
    "all x:R~>R, w:R. (all t:R. 0 <= t => x'(t) = w - x(t)) => all t:R. 0 <= t => x'(t) = 2 * (w - x(t))",
    "all x:R~>R, w l:R. (all t:R. 0 <= t => x'(t) = w - x(t)) => tends(t, x(t), l) => l = w + 1",
    "all x:R~>R. (all t:R. 0 <= t => x'(t) = -x(t)^3) => d(2, x, 0) = 2 * x(0)^5",
    DEEP + "all l:Z, t:R. 1 <= l and l <= L => 0 <= t => W(l, t) = 2 * W(1, t)",
    DEEP + "all l:Z. 1 <= l and l <= L => W'(l, 0)[1,1] = al^(L - 1) * (ws + al^L)",
    NORM + "N(I(2)) = 2 * N([[0,1],[1,0]])",
    "all P:M(2,2). (all i j:Z. P[i,j] = 0 or P[i,j] = 1) => tr(P) = 2",
    "all f:Z->Z. (all k:Z. 1 <= k and k <= 2 => f(k) = k + 1) => f(2) = 2",
]

TRUE = [
    "all x:R. 0 <= x^2",
    "all A:M(2,2). sv(A, 2) <= sv(A, 1)",
    "all x:R~>R. x(0) = 1 => (all t:R. 0 <= t => x'(t) = x(t)^2) => false",  # it ends at time 1
    "all x:R~>R. (all t:R. 0 <= t => x'(t) = -x(t)^3) => d(2, x, 0) = 3 * x(0)^5",
    "all x:R~>R. x(0) = 1 => (all t:R. 0 <= t => x'(t) = x(t)) => all t:R. 0 <= t => 1 <= x(t)",
    "all x:R~>R. x(0) = 1 => (all t:R. x'(t) = -x(t)^3) => false",  # it begins at time -1/2
    "all x:R~>R. (all t:R. 0 <= t => x'(t) = 1) => tends(t, x(t), 0) => false",
    "all x:R~>R, w:R. 0 < w => x(0) = 1 => (all t:R. 0 <= t => x'(t) = x(t)) => 0 < x(w)",
    DEEP + "all l:Z. 1 <= l and l <= L => W'(l, 0)[1,1] = al^(L - 1) * (ws - al^L)",
    "all f:R->R. (all t:R. 0 <= t) => false",
    "all k:Z. ex n:Z. k < n",
    # a constant that only the equation of motion names is one and the same throughout
    "all w:R, x:R~>R. (all t:R. 0 <= t => x'(t) = w - x(t)) => all t:R. 0 <= t => x'(t) = w - x(t)",
    # what exists at a time may depend on the time
    "all x:R~>R. x(0) = 1 => (all t:R. 0 <= t => x'(t) = x(t)) => all t:R. 0 <= t => ex c:R. x(t) = c",
    "tendsoo(t, t)",
    "all c:R. ex f:R~>R. all t:R. 0 <= t => f'(t) = c * t",
    "all x:R~>R. ex f:R~>R. (all t:R. f(t) = x(t)) and f'(0) = x'(0)",
    "ex f:Z->Z. all k:Z. f(k) = k",
    "all f:Z->R. (all k:Z. f(k) = 0) => f(1000) = 0",
    "D(x, log(x), 0 - 1) = 0 - 1 or true",
]


@pytest.mark.parametrize("text", FALSE)
def test_a_false_statement_has_a_counterexample(text: str) -> None:
    assert counterexample(parse(text)) is not None


@pytest.mark.parametrize("text", TRUE)
def test_a_true_statement_has_none(text: str) -> None:
    assert counterexample(parse(text)) is None


def test_a_derivative_that_does_not_exist_has_no_value() -> None:
    assert counterexample(parse("all x:R. x < 0 => D(y, log(y), x) = 0")) is None


def test_singular_values_are_exact_where_they_are_rational() -> None:
    assert singular_values([[fmpq(0), fmpq(2)], [fmpq(3), fmpq(0)]]) == [3, 2]
    golden = singular_values([[fmpq(1), fmpq(1)], [fmpq(0), fmpq(1)]])
    assert float(golden[0].mid()) == pytest.approx((5**0.5 + 1) / 2)
    assert eigenvalues([[fmpq(1), fmpq(1)], [fmpq(1), fmpq(1)]]) == [2, 0]


def test_definiteness_is_decided_exactly() -> None:
    rows = [[fmpq(1), fmpq(2)], [fmpq(2), fmpq(4)]]
    assert is_positive_semidefinite(rows)
    assert not is_positive_semidefinite([[fmpq(1), fmpq(2)], [fmpq(2), fmpq(399, 100)]])
    assert not is_positive_semidefinite([[fmpq(0), fmpq(1)], [fmpq(1), fmpq(5)]])
