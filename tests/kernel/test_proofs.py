"""Ten very different claims, each through the kernel and through the independent checker."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kernel.common import disproved, leaf, proved
from verify.kernel import Goal, balls, finite, flows, leaves, rules

EASY = [
    ("all n:Z, a b c e:R. 1 <= n => (a*I(n)+b*J(n)) @ (c*I(n)+e*J(n)) = (a*c)*I(n) + (a*e+b*c+n*b*e)*J(n)", leaf("nc")),
    ("all x y:R. x != y => x/(x-y) + y/(y-x) = 1", leaf("field")),
    ("all x:R, L:Z. 0 < x => 3 <= L => x^(2-L) * x^L = x^2", leaf("field")),
    ("all m d a:R, L:Z. 1 < m => 2 <= d => 0 < a => (a/m*(m+d-1))^(2-L) = (a/m)^(2-L) * (m+d-1)^(2-L)", leaf("field")),
    ("all x y:R. exp(x+y)*exp(-y) = exp(x) and cosh(x)^2 - sinh(x)^2 = 1", leaf("auto")),
    ("all x:R. sinh(asinh(x)) = x", leaf("field")),
    ("all x:R. 0 < x => sqrt(x)^3 = x*sqrt(x) and log(x^2) = 2*log(x)", leaf("auto")),
    ("all x:R. sqrt(x^2+1)^2 = x^2 + 1", leaf("field")),
    ("all x y:R. 0 < x => 0 < y => 2 <= x/y + y/x", leaf("pos", ["(x-y)^2"], mul=["x", "y"])),
    ("all a b c:R. 0 <= a => a <= b => 0 <= c => a*c <= b*c", leaf("nlin")),
    ("all a b:R. a^2 + b^2 <= 1 => a*b <= 1/2", leaf("nlin", "(a-b)^2", products=1)),
    ("all x:R. 0 <= x => x <= 1 => exp(x) <= 1 + 2*x + x^2 + 1/100", leaf("ball")),
    ("3.14159 < pi and pi < 3.1416", lambda g: g.conj(Goal.ball, Goal.ball)),
    ("all a b c e:Z. 0<=a and a<=1 and 0<=b and b<=1 and 0<=c and c<=1 and 0<=e and e<=1 => ncomp([[a,b],[c,e]]) <= 2", lambda g: g.compute()),
    ("all X:M(2,2), a b c e:R. det(T(X)) = det(X) and tr([[a,b],[c,e]]) = a + e", leaf("auto")),
    ("all n:Z, X Y:M(n,n). tr(X @ Y) = tr(Y @ X) and T(X @ Y) = T(Y) @ T(X)", leaf("auto")),
    ("all n:Z, X:M(n,n), k:Z. 0 <= k => X^(k+1) = X^k @ X", leaf("nc")),
    ("all n:Z, X:M(n,n). det(X) != 0 => inv(X) @ X @ inv(X) = inv(X)", leaf("nc")),
    ("all f:R~>R. D(t, f(t)^2, 1) = 2*f(1)*f'(1)", leaf("field")),
    ("all x:R. 0 < x => D(t, t^(3/2), x) = 3/2*sqrt(x)", leaf("field")),
    ("all E F:Z->R, n:Z. sum(i,1,n, 2*E(i)+F(i)) = 2*sum(k,1,n,E(k)) + sum(k,1,n,F(k))", leaf("field")),
]  # fmt: skip


@pytest.mark.parametrize("text, script", EASY, ids=range(len(EASY)))
def test_easy_statements_are_proved_and_accepted(text: str, script: object) -> None:
    proved(text, script)


def test_a_conservation_law_in_every_dimension() -> None:
    def script(g: Goal) -> None:
        g.fix()
        a, b = g.assume(), g.assume()
        h = g.fact("constant_matrix", "n", "n", "0", "lam t:R. T(A(t))@A(t) - B(t)@T(B(t))")

        def derivative(g: Goal) -> None:
            g.intro()
            g.nc(rw=[g.apply(a, "t"), g.apply(b, "t")])

        g.close_by(g.apply(h, by=[None, derivative]))

    proved(
        """all m n k:Z, A:R~>M(m,n), B:R~>M(n,k), G:R~>M(m,k).
        (all t:R. 0<=t => A'(t) = -(G(t)@T(B(t)))) => (all t:R. 0<=t => B'(t) = -(T(A(t))@G(t))) =>
        all t:R. 0<=t => T(A(t))@A(t) - B(t)@T(B(t)) = T(A(0))@A(0) - B(0)@T(B(0))""",
        script,
    )


def test_a_statement_for_all_quasi_norms() -> None:
    def script(g: Goal) -> None:
        g.fix()
        for name in ("one", "nonneg", "triangle", "scale"):
            g.assume(name)
        g.fix()
        g.apply("triangle", "X+Y", "-Y")
        g.apply("scale", "Y", "-1")
        g.have("N(X) = N((X+Y)+(-Y))", lambda g: g.ctx(Goal.nc))
        g.have("abs(-1) = 1")
        g.nlin(cofactors=["1", "c", "N(Y)", "c*N(Y)"], products=2)

    proved(
        """all N:M(2,2)->R, c:R. 1<=c => (all X:M(2,2). 0<=N(X)) => (all X Y:M(2,2). N(X+Y) <= c*(N(X)+N(Y))) =>
        (all X:M(2,2), s:R. N(s*X)=abs(s)*N(X)) => all X Y:M(2,2). N(X) <= c*(N(X+Y)+N(Y))""",
        script,
    )


def test_a_limit() -> None:
    def script(g: Goal) -> None:
        g.intro()
        g.by_fact("tends_exp_decay", "k")
        g.by_fact("tends_scale", "3", "0", "lam t:R. exp(-k*t)")
        g.fact("tends_const", "1")
        g.exact(g.by_fact("tends_add", "1", "3*0", "lam t:R. 1", "lam t:R. 3*exp(-k*t)"))

    proved("all k:R. 0<k => tends(t, 1+3*exp(-k*t), 1)", script)


def test_an_induction() -> None:
    def script(g: Goal) -> None:
        g.induct("n", "ih")

        def empty(g: Goal) -> None:
            g.by_fact("int_lt", "n", "1")
            g.have("n=0", Goal.antisym)
            g.by_fact("sum_empty", "1", "n", "lam i:Z. i")
            g.nlin(cofactors=["1", "n"])

        def more(g: Goal) -> None:
            g.have("1<=n")
            g.by_fact("sum_last", "1", "n", "lam i:Z. i")
            g.apply("ih", "n-1")
            g.nlin()

        g.em("n<1", empty, more)

    proved("all n:Z. 0<=n => sum(i,1,n,i) = n*(n+1)/2", script)


def test_a_false_statement_is_disproved() -> None:
    def script(g: Goal) -> None:
        g.witness("1/2")
        g.auto()

    disproved("all x:R. 0<x => x <= x^2", script)


def test_a_root_exists_by_the_intermediate_value_theorem() -> None:
    def below_and_above(g: Goal) -> None:
        g.left_or_right(0)
        g.auto()

    def script(g: Goal) -> None:
        h = g.by_fact("intermediate_value", "0", "1", "0", "lam t:R. t^3 + t - 1", by=[None, None, below_and_above])
        g.obtain(h, "c")
        g.witness("c")
        g.nlin()

    proved("ex c:R. c^3 + c = 1", script)


SQUARES = [
    ("all x y z:R. x*y + y*z + z*x <= x^2 + y^2 + z^2", {}),
    ("all x y:R. 0 < x^4 - 2*x^2*y + 2*y^2 + 1", {}),
    ("all x y:R. 0 <= x => 0 <= y => x + y <= 1 => x*y <= 1/4", {"products": 2}),
    ("all a b c e:R. (a*c + b*e)^2 <= (a^2 + b^2)*(c^2 + e^2)", {}),
]


@pytest.mark.parametrize("text, options", SQUARES)
def test_sums_of_squares_are_found_and_accepted(text: str, options: dict[str, int]) -> None:
    pytest.importorskip("clarabel")
    proved(text, leaf("sos", **options))


def test_no_sum_of_squares_is_found_for_a_false_inequality() -> None:
    pytest.importorskip("clarabel")
    from verify.kernel import LogicError

    with pytest.raises(LogicError):
        proved("all x y:R. 3*x*y <= x^2 + y^2", leaf("sos"))


@pytest.mark.parametrize(
    "term",
    [
        ("*", -1, ("*", 2, "x")),
        ("+", "y", ("*", -1, ("*", 2, "x"))),
        ("*", -1, 3),
        ("+", "x", ("*", -1, ("q", 1, 2))),
        ("+", ("+", "x", 1), -2),
    ],
)
def test_text_is_read_back_as_it_was(term: object) -> None:
    from verify.kernel import parse_term, pretty

    assert parse_term(pretty(term), {"x": "R", "y": "R"}) == term


def test_every_deciding_rule_says_what_is_trusted_and_where_it_is_specified() -> None:
    page = Path(rules.__file__).with_name("LOGIC.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", page, re.M)
    deciding = [leaves.field, leaves.nc, leaves.pos, balls.ball, flows.flow, finite.compute]
    for decides in [*deciding, *(rules.RULES[name] for name in ("refl", "hyp", "clash", "induct", "fact", "trusted"))]:
        told = " ".join((decides.__doc__ or "").split())
        named = re.search(r"Trusted: .*\(LOGIC\.md, sections? (.*?)\)", told)
        assert named, decides
        sections = [named[1]] if named[1].startswith("Goals") else named[1].split(" and ")
        assert all(any(heading.startswith(section) for heading in headings) for section in sections), decides
