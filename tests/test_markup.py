"""Rendering for Markdown: what a viewer sees is the formula, whatever Markdown would make of its signs."""

from __future__ import annotations

import re

import pytest

from tests.support.world import HERE
from verify.project import Project
from verify.report.markup import cell, display, inline, paragraphs, portable, prose

markdown_it = pytest.importorskip("markdown_it")
MATH = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.DOTALL)


def seen(markdown: str) -> tuple[str, set[str]]:
    """The text that is left when Markdown was read, and the kinds of inline tokens."""
    text, kinds = "", set()
    for token in markdown_it.MarkdownIt("gfm-like", {"linkify": False}).parse(markdown):
        for child in token.children or []:
            kinds.add(child.type)
            text += " " if child.type == "softbreak" else child.content
    return text, kinds


@pytest.mark.parametrize("slug", ["bai2024", "eftekhari2022", "razin2020", "shin2025", "varre2023"])
def test_markdown_leaves_the_formulas_of_every_statement_alone(slug: str) -> None:
    for claim in Project(HERE).papers[slug].claims:
        for text in (claim.statement, claim.assumptions, claim.title, claim.edge_cases):
            out = prose(text)
            read, kinds = seen(out)
            assert MATH.findall(read) == MATH.findall(out), claim.id
            assert kinds <= {"text", "softbreak", "text_special", "code_inline"}, claim.id
            plain = "".join(MATH.sub("", " ".join(text.split())).split())
            assert "".join(MATH.sub("", read).split()).replace("`", "") == plain.replace("`", ""), claim.id


@pytest.mark.parametrize("slug", ["bai2024", "shin2025", "varre2023"])
def test_a_cell_has_no_bar(slug: str) -> None:
    for claim in Project(HERE).papers[slug].claims:
        assert not re.search(r"(?<!\\)\|", cell(claim.statement))


def test_portable_formulas() -> None:
    assert portable(r"\{x\}_{i} < |y|") == r"\lbrace x\rbrace _ {i} \lt \vert y\vert"
    assert portable(r"\operatorname{rank}(A)") == r"\mathop{\mathrm{rank}}(A)"
    assert portable(r"a\\b") == r"a\cr b"
    assert portable("[a](b)") == "[a] (b)"
    assert portable("x_1^*") == r"x_1^\ast"
    assert portable("a\n  b") == "a b"
    assert portable(r"\alpha*") == r"\alpha\ast"
    assert portable(r"x\;") == "x"


def test_prose() -> None:
    assert prose("non-$x$ and $y$s") == "non- $x$ and $y$ s"
    assert prose("a_b * <c> | d") == r"a\_b \* \<c\> \| d"
    assert prose("# no heading") == r"\# no heading"
    assert prose("1. no list") == r"1\. no list"
    assert prose("#") == r"\#"
    assert prose("1.") == r"1\."
    assert prose("&lt; & b") == r"\&lt; & b"
    assert prose("use `a_b`") == "use `a_b`"
    assert "\n\n" + display("x") in prose("so $$x$$ holds")
    assert inline(" x ") == "$x$"
    assert paragraphs("one\ntwo\n\n- a\n- b") == "one two\n\n- a\n- b"


def test_a_long_formula_is_broken_outside_brackets() -> None:
    hypothesis = r"\left(" + "x" * 60 + r"\land y\right)"
    out = display(hypothesis + r" \Rightarrow " + "z" * 60)
    assert out == (r"$$\begin{aligned} & " + hypothesis + r" \cr & \Rightarrow " + "z" * 60 + r" \end{aligned}$$")
    assert display(r"x \Rightarrow y") == r"$$x \Rightarrow y$$"

