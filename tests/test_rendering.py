"""Every formula of every page is rendered: by KaTeX, in the macros that GitHub admits, the pages as the record gives them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.support.formulas import grown
from tests.support.katex import Katex
from tests.support.world import HERE
from verify.kernel import latex
from verify.project import Project
from verify.report import build, record
from verify.report.markup import portable, prose
from verify.run.files import allow_depth
from verify.run.language import Language

FENCE = re.compile(r"^(```+).*?^\1`*$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")
MATH = re.compile(r"\$\$(.+?)\$\$|\$([^$]+?)\$", re.DOTALL)
FORBIDDEN = re.compile(r"\\(operatorname|newcommand|renewcommand|def|let|href|class|style|require|unicode|mathchoice)\b")
"""Macros that GitHub does not render."""


def without_code(page: str) -> str:
    """A page with its code blanked out, every line where it was."""
    blank = FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), page)
    return CODE.sub(lambda m: " " * len(m[0]), blank)


def formulas(page: str) -> Iterator[tuple[int, str, bool]]:
    """Line, LaTeX and whether it is displayed, for each formula of a page."""
    text = re.sub(r"\\[$`]", "  ", without_code(page))
    for match in MATH.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1] or match[2], match[1] is not None


@cache
def pages() -> dict[str, str]:
    """All Markdown files of the reports, rendered from the record."""
    allow_depth()
    material = record.load(Project(HERE), Language())
    return {path: text for path, text in build.render(material).items() if path.endswith(".md")}


def test_katex_renders_every_formula_of_every_page() -> None:
    first: dict[tuple[str, bool], str] = {}
    for path, text in pages().items():
        for line, tex, display in formulas(text):
            first.setdefault((tex, display), f"reports/{path}, line {line}")
    assert len(first) > 10_000
    with Katex() as katex:
        failures = katex.failures(first)
    told = [f"{list(first.values())[place]}: {message}\n{list(first)[place][0]}" for place, message in failures]
    assert not told, f"{len(told)} formulas, the first one at {told[0]}"
    forbidden = [f"{where}: {tex}" for (tex, _), where in first.items() if FORBIDDEN.search(tex)]
    assert not forbidden, forbidden[0]


def test_a_dollar_that_opens_a_formula_stands_after_a_blank() -> None:
    """GitHub takes a dollar after a letter, a figure or a closing bracket for a dollar."""
    for path, text in pages().items():
        for match in MATH.finditer(re.sub(r"\\[$`]", "  ", without_code(text))):
            before = match.string[max(0, match.start() - 40) : match.start()]
            assert not re.search(r"[\w)\]]$", before), f"reports/{path}: {before}{match[0][:40]}"


def test_katex_renders_random_formulas() -> None:
    made = [(portable(latex(grown(random.Random(seed), seed % 5 + 1))), False) for seed in range(400)]
    with Katex() as katex:
        assert not [(made[place], message) for place, message in katex.failures(made)]


@pytest.mark.parametrize("tex", [r"I_{d} _ {b,i}", r"X^{\top}^{-1}", r"\frac{a}", r"\nosuch x", r"\left( x"])
def test_what_does_not_render_is_found(tex: str) -> None:
    with Katex() as katex:
        assert [place for place, _ in katex.failures([("x", False), (tex, False)])] == [1]


def test_formulas_are_found_on_a_page() -> None:
    page = "a $x$ `$y$` \\$5\n\n```text\n$z$\n```\n$$w$$ and $u\nv$"
    assert list(formulas(page)) == [(1, "x", False), (6, "w", True), (6, "u\nv", False)]


def test_a_formula_after_a_bracket_is_set_off() -> None:
    assert prose("(thin SVD)$:(x)$") == "(thin SVD) $:(x)$"
