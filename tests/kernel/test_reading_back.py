"""What is shown is what was proved: every form of a formula is read back and gives the same formula.

Three forms: LaTeX, the list on a page (made of LaTeX and words), and the surface syntax on one line or on several. Read are all
bound statements of all papers, in every role, and random formulas over the whole grammar with names that look alike:
300 of them, 10,000 with `pytest --hypothesis-profile full`.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.formulas import NASTY, Grower, grown
from tests.support.lists import listed, read_list
from tests.support.schemas import read_pieces, read_source, spliced
from tests.support.typeset import Reader, Unreadable, read, shown
from tests.support.world import HERE
from verify.kernel import Alphabet, latex, parse, parse_term, pretty, thaw
from verify.kernel.facts import library
from verify.kernel.library.__main__ import apply_parameters
from verify.kernel.syntax import Parser
from verify.kernel.text.latex import NORMS
from verify.kernel.text.surface import lines
from verify.project import Project
from verify.report import formula as page
from verify.report.families import formulas
from verify.report.formula import outline
from verify.report.markup import portable
from verify.report.notation import NOTE
from verify.report.values import fold
from verify.run.language import Language

LANGUAGE = Language()
MANY = settings(max_examples=10_000 if settings.get_current_profile_name() == "full" else 300, deadline=None)
GROWN = st.builds(lambda rng, depth: grown(rng, depth), st.randoms(use_true_random=False), st.integers(1, 4))
SEEDED = st.builds(lambda seed, depth: grown(random.Random(seed), depth), st.integers(0, 2**32), st.integers(2, 5))


def one_line(text: str) -> str:
    return re.sub(r"\n *", " ", text)


def check(formula: Any) -> None:
    """All forms of a closed formula."""
    typeset, text = latex(formula), pretty(formula)
    assert read(typeset) == shown(formula), typeset
    assert read(portable(typeset)) == shown(formula), typeset
    assert parse(text) == formula, text
    assert one_line(lines(formula, 60)) == text
    as_list = outline(formula, LANGUAGE)
    assert read_list(as_list) == listed(shown(formula)), as_list


def check_page(formula: Any) -> bool:
    """What the page of a claim shows: lists, tables and names, and the source that is folded; whether it has names."""
    pieces = list(formulas(thaw(formula), LANGUAGE, "here"))
    assert spliced(read_pieces(pieces)) == spliced(shown(formula)), pieces[0]
    assert read_source(pieces) == formula, pieces[-1]
    return len(pieces) > 2 or " := " in pieces[-1]


def bound_statements() -> dict[str, str]:
    """The text of every role of every claim, with a name; each text once."""
    project, found = Project(HERE), dict[str, str]()
    for paper in project.papers.values():
        for claim in paper.claims:
            for binding in project.registry.roles(claim.id):
                found.setdefault(binding.text, f"{claim.id} ({binding.role})")
            decision = project.registry.decisions.get(claim.id)
            if decision is not None and decision.text:
                found.setdefault(decision.text, claim.id)
    found.pop("", None)
    return found


def test_every_bound_statement_reads_back() -> None:
    found, named = bound_statements(), 0
    assert len(found) > 2_000
    for text, place in found.items():
        try:
            formula = parse(text)
            assert read(latex(formula)) == shown(formula)
            named += check_page(formula)
        except (AssertionError, Unreadable) as error:
            raise AssertionError(f"{place}: {error}") from error
    assert named > 30


def test_every_fact_reads_back() -> None:
    """As the page of what is trusted prints it; a parameter that is a function is applied like one."""
    for fact in library()[0].values():
        context = {v: ("F", *s[1:], "any") if s[0] == "L" else s for v, s in fact.params}
        parser = Parser(pretty(fact.formula), context)
        found = parser.formula()
        parser.end()
        assert apply_parameters(found, frozenset(v for v, s in fact.params if s[0] == "L")) == fact.formula, fact.name


@MANY
@given(GROWN | SEEDED)
def test_random_formulas_read_back(formula: Any) -> None:
    check(formula)


@settings(max_examples=MANY.max_examples // 3, deadline=None)
@given(SEEDED)
def test_lists_with_short_lines_read_back(formula: Any) -> None:
    """Lists are opened earlier than on a page, so that all their words occur."""
    kept = page.SHORT, page.LINE
    page.SHORT, page.LINE = 40, 60
    try:
        as_list = outline(formula, LANGUAGE)
        assert read_list(as_list) == listed(shown(formula)), as_list
    finally:
        page.SHORT, page.LINE = kept


@MANY
@given(st.integers(0, 2**32), st.integers(1, 5))
def test_values_of_counterexamples_read_back(seed: int, depth: int) -> None:
    """Terms without variables, worked out as far as a page does."""
    rng = random.Random(seed)
    term = fold(Grower(rng).term(rng.choice(["R", "Z", ("M", 2, 2), ("M", 1, 3)]), depth))
    reader = Reader(portable(latex(term)))
    assert reader.term() == shown(term), latex(term)
    reader.end()
    assert parse_term(pretty(term)) == term, pretty(term)


def test_all_operators_occur_in_random_formulas() -> None:
    heads: set[Any] = set()

    def walk(e: Any) -> None:
        if isinstance(e, tuple):
            heads.update(e[:1] if e and isinstance(e[0], str) else ())
            for x in e:
                walk(x)

    for seed in range(2_000):
        walk(grown(random.Random(seed), seed % 5 + 1))
    scalars = {*"+*/^", "q", "exp", "log", "sqrt", "sin", "cos", "sinh", "cosh", "tanh", "asinh", "abs", "min", "max", "pi", "sum", "prod"}
    matrices = {"tr", "det", "entry", "op", "sm", "mm", "T", "inv", "I", "J", "O", "mpow", "mat", "had", "call", "d", "D"}
    connectives = {"true", "false", "=", "!=", "<", "<=", "not", "and", "or", "=>", "iff", "all", "ex", "tends", "tendsoo"}
    assert scalars | matrices | connectives <= heads


def test_different_names_look_different() -> None:
    """Alone, and all together."""
    every = Alphabet(("and", *(("=", n, 0) for n in NASTY)))
    assert len({every[n] for n in NASTY}) == len(NASTY)
    for one in NASTY:
        for other in NASTY:
            two = Alphabet(("=", one, other))
            assert one == other or two[one] != two[other], (one, other)


CONTEXT = {"x": "R", "y": "R", "n": "Z", "A": ("M", 2, 2), "B": ("M", 2, 2), "f": ("F", ("R",), "R", "smooth")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(x + y)^2", r"\left(x + y\right)^{2}"),
        ("x^2 + y^2", r"x^{2} + y^{2}"),
        ("(1/2)^n", r"\left(\tfrac{1}{2}\right)^{n}"),
        ("(-1/2)^2", r"\left(-\tfrac{1}{2}\right)^{2}"),
        ("(x / y)^2", r"\left(\frac{x}{y}\right)^{2}"),
        ("x^2 / y", r"\frac{x^{2}}{y}"),
        ("x / (y / x)", r"\dfrac{x}{\frac{y}{x}}"),
        ("2^(x / (y / x))", r"2^{\frac{x}{\frac{y}{x}}}"),
        ("prod(i, 1, n, x) * y", r"\left(\prod_{i=1}^{n} x\right)\,y"),
        ("prod(i, 1, n, x * y)", r"\prod_{i=1}^{n} x\,y"),
        ("y * sum(i, 1, n, x)", r"y\,\sum_{i=1}^{n} x"),
        ("sum(i, 1, n, x + y)", r"\sum_{i=1}^{n} \left(x + y\right)"),
        ("sum(i, 1, n, x)^2", r"\left(\sum_{i=1}^{n} x\right)^{2}"),
        ("sum(i, 1, n, x^2)", r"\sum_{i=1}^{n} x^{2}"),
        ("-2 * x", r"-2\,x"),
        ("y - 2 * x", r"y - 2\,x"),
        ("-(2 * x)", r"-\left(2\,x\right)"),
        ("x * (-2)", r"x\,\left(-2\right)"),
        ("2 * 3", r"2\cdot 3"),
        ("-(x + y)", r"-\left(x + y\right)"),
        ("-(x * y)", r"-x\,y"),
        ("-2^n", r"-2^{n}"),
        ("(-2)^n", r"\left(-2\right)^{n}"),
        ("inv(T(A))", r"A^{-\top}"),
        ("T(inv(A))", r"\left(A^{-1}\right)^{\top}"),
        ("T(A @ B)", r"\left(A\,B\right)^{\top}"),
        ("-(A @ B)", r"-A\,B"),
        ("2 * (A @ B)", r"2\,A\,B"),
        ("(2 * A) @ B", r"\left(2\,A\right)\,B"),
        ("A[1,2]^2", r"A_{1,2}^{2}"),
        ("(A^2)[1,2]", r"\left(A^{2}\right)_{1,2}"),
        ("I(2)[1,2]", r"\left(I_{2}\right)_{1,2}"),
        ("T(A)[1,2]", r"\left(A^{\top}\right)_{1,2}"),
        ("tr(T(A) @ A)", r"\lVert A \rVert_{F}^{2}"),
        ("sqrt(tr(T(A) @ A))", r"\lVert A \rVert_{F}"),
        ("sqrt(tr(T(A) @ A))^2", r"\left(\lVert A \rVert_{F}\right)^{2}"),
        ("tr(T(A) @ A)^2", r"\lVert A \rVert_{F}^{4}"),
        ("tr(T(A) @ B)", r"\langle A,\ B \rangle"),
        ("sv(A, 1)", r"\sigma_{1}(A)"),
        ("min(x, -y)", r"\min\left(x,-y\right)"),
        ("f'(x)^2", r"f'(x)^{2}"),
        ("D(x, x + y, 0)", r"\left.\tfrac{\mathrm{d}}{\mathrm{d}x} \left(x + y\right)\right\rvert_{x=0}"),
    ],
)
def test_brackets_where_they_are_needed(text: str, expected: str) -> None:
    assert latex(parse_term(text, CONTEXT)) == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (("*", -1, 2, "x"), "-1 * 2 * x"),
        (("*", ("*", "x", "y"), "x"), "{x * y} * x"),
        (("/", 1, 2), "{1} / 2"),
        (("mm", ("mm", "A", "B"), "A"), "{A @ B} @ A"),
    ],
)
def test_what_reading_would_merge_is_kept_apart(term: Any, expected: str) -> None:
    assert pretty(term) == expected
    assert parse_term(expected, CONTEXT) == term


@pytest.mark.parametrize(
    "text",
    [
        "all T:R, A:M(2,2). \\T(A) = A",
        "all pi:R. pi < \\pi",
        "all d:R->R, g:R~>R. \\d(2 + 2, g, d(1)) = 0",
        "all `and` `lam`:R. `and` < `lam`",
        "all x:R. \\and(0 < x)",
    ],
)
def test_variables_with_names_of_the_language(text: str) -> None:
    assert pretty(parse(text)) == text


def test_a_variable_may_have_any_name() -> None:
    """Also one that the page once used for itself."""
    for name in NASTY:
        check(parse(f"all `{name}`:R, A:M(2,2). (`{name}` + 1)^2 = \\tr(\\T(A) @ A)" if name != "A" else "true"))


@pytest.mark.parametrize("text", ["\\ = 1", "` = 1", "`x = 1", "{x = 1", "x} = 1", "{x = 1} and true", "`x`(1) = 1", "\\x = 1"])
def test_marks_are_checked(text: str) -> None:
    with pytest.raises(Exception, match=r"unexpected character|expected at|unknown"):
        parse(f"all x:R. {text}")


def test_the_reader_refuses() -> None:
    for latex_text in (r"\forall x\in \mathbb{R}:\ x", r"x = 1", r"\forall x\in \mathbb{R}:\ x x = 1", r"\forall x\in \mathbb{R}:\ x^{2} = 1)"):
        with pytest.raises(Unreadable):
            read(latex_text)
    with pytest.raises(Unreadable):
        read_list(r"- for all $x\in \mathbb{R}$" + "\n- perhaps $x = 1$")


def test_the_note_names_what_is_written_otherwise() -> None:
    for sign in (r"\rVert_F^2", r"\langle", r"\sigma_k", r"\lambda_k", r"\odot", r"^{-\top}", *(rf"\rVert_{s}" for s in NORMS.values())):
        assert sign in NOTE
