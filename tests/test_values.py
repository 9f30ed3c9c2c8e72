"""Counterexamples and encoded statements for a reader; statistics as tables."""

from __future__ import annotations

import pytest

from verify.kernel import parse, parse_term
from verify.report.formula import outline
from verify.report.statistics import tables
from verify.report.values import fold, markdown, text
from verify.run.language import Language

LANGUAGE = Language()


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("2 * 3 + 1/2", "13/2"),
        ("(1/2) * I(2) + (1/2) * J(2, 2)", "[[1,1/2],[1/2,1]]"),
        ("[[1,3],[1,1]] @ [[3,1],[1,1]]", "[[6,4],[4,2]]"),
        ("had([[1]], [[2]])", "[[2]]"),
        ("0 * I(2)", "O(2, 2)"),
        ("T([[1,2]])", "[[1],[2]]"),
        ("([[2,0],[0,1]])^3", "[[8,0],[0,1]]"),
        ("sqrt(9/4)", "3/2"),
        ("sqrt(2)", "sqrt(2)"),
        ("1/0", "1 / 0"),
        ("0^(-1)", "0^(-1)"),
        ("exp(log(2) - log(3) / 1)", "2/3"),
        ("exp(log(-2))", "exp(log(-2))"),
        ("exp(0)", "1"),
        ("1/1000000000", "10^(-9)"),
        ("I(2) @ I(3)", "I(2) @ I(3)"),
    ],
)
def test_exact_arithmetic(term: str, expected: str) -> None:
    try:
        parsed = parse_term(term)
    except Exception:  # the kernel refuses matrices that do not fit
        return
    assert LANGUAGE.pretty(fold(parsed)) == expected


def test_layers_are_listed() -> None:
    values = {
        "L": "2",
        "free": "free",
        "W": "lam l:Z, t:R. l * I(2)",
        "V": "lam l:Z. [[1,0],[0,2]]",
        "P": "lam l:Z, t:R. [[l]]",
        "M": "[[1,2],[3,4]]",
        "A": "lam t:R. exp(-(1/2) * log(1 + 3 * exp(-8 * t))) * I(2)",
        "B": "lam t:R. B(t - 1)",
        "C": "lam t:R. [[F(t)]]",
        "odd": "something(else",
    }
    assert text(values, LANGUAGE) == [
        "L = 2",
        "W_1(t) = I(2), W_2(t) = [[2, 0], [0, 2]]",
        "V_1 = V_2 = [[1, 0], [0, 2]]",
        "P_0(t) = [[0]], P_1(t) = [[1]], P_2(t) = [[2]]",
        "M = [[1, 2], [3, 4]]",
        "A(t) = (1 / sqrt(1 + 3 * exp(-8 * t))) * I(2)",
        "B(t) = B_flow(t - 1)",
        "C(t) = [[F(t)]]",
        "odd = something(else",
        "B_flow, F, something: obtained in the proof (the solution of an equation, which exists)",
    ]
    shown = markdown(values, LANGUAGE)
    assert r"- $V_{1} = V_{2} = \begin{pmatrix} 1 & 0 \cr 0 & 2 \end{pmatrix}$" in shown
    assert r"- $B(t) = B_{\mathrm{flow}}(t - 1)$" in shown
    assert "- `odd = something(else`" in shown


def test_a_free_counterexample_shows_nothing() -> None:
    assert markdown({"x": "x"}, LANGUAGE) == ""


def test_a_statement_is_a_list() -> None:
    formula = parse(
        """all n:Z, A B:R~>M(n,n), ws:R. 1 <= n => (all t:R. 0 <= t => A'(t) = -(A(t) @ B(t) @ A(t) @ B(t) @ A(t))
        and B'(t) = A(t)) => 0 < ws => (ex x:R. 0 < x) and (A(0) = B(0) or A(1) = B(1)) and tr(T(A(1)) @ A(1))^2 <= ws"""
    )
    assert outline(formula, LANGUAGE).splitlines() == [
        r"- for all $n\in \mathbb{Z}$, $A,B\in (\mathbb{R} \xrightarrow{\infty} \mathbb{R}^{n\times n})$, "
        r"${w^{\ast}}\in \mathbb{R}$ with $1 \le n$",
        r"- if for all $t\in \mathbb{R}$ with $0 \le t$:",
        r"  - $A'(t) = -A(t)\thinspace B(t)\thinspace A(t)\thinspace B(t)\thinspace A(t)$",
        r"  - $B'(t) = A(t)$",
        r"- if $0 \lt {w^{\ast}}$",
        r"- then $\exists x\in \mathbb{R}:\ 0 \lt x$",
        r"- and $A(0) = B(0) \lor A(1) = B(1)$",
        r"- and $\lVert A(1) \rVert_{F}^{4} \le {w^{\ast}}$",
    ]


def test_statistics_are_tables() -> None:
    found = list(
        tables(
            {
                "runs": 3,
                "converged": True,
                "rank": {
                    "alpha^L = 10^-2, L = 10": "median 1.5, mean 2 (0.1, 9 runs)",
                    "alpha^L = 10^-1, L = 2": "median 1, mean 3",
                },
                "grid": {f"a = {a}, L = {d}": f"{a}{d}" for a in (1, 2, 3) for d in (2, 3)},
                "w21": {"m 10": {"cold": 1, "warm": 2}, "m 3/2": {"cold": 3}},
                "left": [],
                "list": ["x", "y"],
                "numbered": {"00": "first", "01": "second"},
            }
        )
    )
    assert found == [
        "| quantity | value |\n| --- | --- |\n| converged | yes |\n| runs | 3 |",
        "grid:\n\n| a | L = 2 | L = 3 |\n| --- | --- | --- |\n| 1 | 12 | 13 |\n| 2 | 22 | 23 |\n| 3 | 32 | 33 |",
        "left: none",
        "list:\n\n- x\n- y",
        "numbered:\n\n- first\n- second",
        "rank:\n\n| αᴸ | L | median | mean |\n| --- | --- | --- | --- |\n"
        "| 10⁻¹ | 2 | 1 | 3 |\n| 10⁻² | 10 | 1.5 | 2 (0.1, 9 runs) |",
        "w21:\n\n| m | cold | warm |\n| --- | --- | --- |\n| 3/2 | 3 |  |\n| 10 | 1 | 2 |",
    ]
