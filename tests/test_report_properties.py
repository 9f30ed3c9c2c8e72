"""Properties of what reports are written with, for random words, formulas, links and pages."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from verify.registry import Binding, Place, Registry
from verify.report.links import Here, anchor, claim_page, paper_page, role_anchor
from verify.report.markup import WIDE, cell, code, display, inline, paragraphs, portable, prose, typed
from verify.report.pages import anchors, problems, split
from verify.report.plain import plain
from verify.report.typography import DOWN, GREEK, RELATIONS, UP, typographic

markdown_it = pytest.importorskip("markdown_it")
READER = markdown_it.MarkdownIt("gfm-like", {"linkify": False})

SIGNS = st.text(alphabet="ab1 .\\*_[]<>~|#-+=()!&;:{}^/'\"", max_size=14)
PIECES = st.sampled_from(
    ["<b>", "&lt;", "&#60;", "](x)", "![", "1. ", "2)", "# ", "- ", "***", "---", "a_b_c", "\\", "~~", "|", "== ", "<http://x.y>"]
)
WORDS = st.lists(SIGNS | PIECES, max_size=5).map("".join)


def blocks(markdown: str) -> list[str]:
    """The kinds of blocks that a viewer sees."""
    return [token.type for token in READER.parse(markdown) if token.nesting >= 0]


def read(markdown: str) -> tuple[str, set[str]]:
    """The text that a viewer shows, and the kinds of inline tokens in it."""
    found = [child for token in READER.parse(markdown) for child in token.children or []]
    return "".join(" " if c.type == "softbreak" else c.content for c in found), {c.type for c in found}


@given(WORDS)
def test_prose_is_one_paragraph_that_shows_the_very_text(text: str) -> None:
    text = " ".join(text.split())
    shown, kinds = read(prose(text))
    assert shown == text
    assert kinds <= {"text", "text_special"}
    assert blocks(prose(text)) in (["paragraph_open", "inline"], [])


@given(st.lists(WORDS, min_size=1, max_size=3))
def test_cells_of_a_table_show_the_very_texts(texts: list[str]) -> None:
    row = " | ".join(cell(text) for text in texts)
    table = "\n".join(["| " + " | ".join("h" for _ in texts) + " |", "|" + " --- |" * len(texts), f"| {row} |"])
    tokens = READER.parse(table)
    shown = ["".join(c.content for c in t.children or []) for t in tokens if t.type == "inline"][len(texts) :]
    assert shown == [" ".join(text.split()) for text in texts]


@given(
    st.lists(st.text(alphabet="ab `~$\\#\n|<", max_size=6) | st.sampled_from(["```", "\n```\n", "````"]), max_size=4).map("".join)
)
def test_a_block_of_code_shows_the_very_text(text: str) -> None:
    (token,) = READER.parse(code(text))
    assert (token.type, token.info) == ("fence", "text")
    assert token.content.strip() == text.strip()


@given(st.lists(st.lists(WORDS.map(lambda t: " ".join(t.split())).filter(bool), min_size=1, max_size=3), max_size=3))
def test_paragraphs_and_items_stay_apart(lists: list[list[str]]) -> None:
    lists = [[item for item in items if not item.startswith("- ")] for items in lists]
    text = "\n\n".join("\n".join(f"- {item}" for item in items) for items in lists if items)
    kinds = [t.type for t in READER.parse(paragraphs(text))]
    assert kinds.count("list_item_open") == sum(map(len, lists))
    assert read(paragraphs(text))[0] == "".join(item for items in lists for item in items)


GROUPS = st.recursive(
    st.sampled_from(
        ["x", "2", "a_i", "x_1^2", r"\alpha", r"\le", "<", ">", "*", "|", r"\|", r"\{", r"\}", r"\,", r"\;", r"\ ", r"\!", "~",
         "'", r"\operatorname{rank}", r"\operatorname*{argmin}_{x}", "[a](b)", "![x]", r"\_", "\n", "-", r"\Rightarrow",
          r"\land", "&"]
    ),
    lambda x: st.lists(x, min_size=1, max_size=4).map(lambda g: "{" + " ".join(g) + "}")
    | st.lists(x, min_size=2, max_size=5).map("".join)
    | st.lists(x, min_size=1, max_size=3).map(lambda g: r"\left(" + "".join(g) + r"\right)"),
    max_leaves=8,
)  # fmt: skip


@given(GROUPS)
def test_markdown_finds_nothing_in_a_formula(latex: str) -> None:
    out = portable(latex)
    assert not re.search(r"\\[^A-Za-z ]|[<>*|~`\n]|\]\(|operatorname", out)
    assert out.count("{") == out.count("}")
    shown, kinds = read(inline(latex))
    assert shown == inline(latex)
    assert kinds <= {"text"}


@given(st.lists(GROUPS, min_size=4, max_size=6))
def test_a_long_formula_is_broken_and_nothing_of_it_is_lost(parts: list[str]) -> None:
    latex = r" \Rightarrow ".join(part + "z" * 20 for part in parts)
    assume(r"\cr" not in portable(latex) and "&" not in latex)
    text = display(latex)
    assert "\n" not in text
    lines = text.removeprefix(r"$$\begin{aligned} & ").removesuffix(r" \end{aligned}$$").split(r" \cr & ")
    assert len(portable(latex)) <= WIDE or len(lines) > 1
    assert "".join(lines).replace(" ", "") == portable(latex).replace(" ", "")
    for line in lines:
        assert line.count("{") == line.count("}")
        assert line.count(r"\left(") == line.count(r"\right)")


TYPED = st.lists(
    st.sampled_from([*GREEK, *(f" {r} " for r in RELATIONS), "x", " ", "^2", "^-3", "^(-t)", "^{-1}", "^T", "_1", "_12", "_min",
                     "sqrt ", "(", ")", ".", "part:", "-", "٣", "^٣", "_٣", "^(2)"]),
    max_size=10,
).map("".join)  # fmt: skip


@given(TYPED)
def test_typed_mathematics_is_set_once(text: str) -> None:
    out = typographic(text)
    assert typographic(out) == out
    back = str.maketrans({v: k for table in (UP, DOWN) for k, v in table.items()} | {v: k for k, v in RELATIONS.items()})
    letters = out.translate(back)
    for name, sign in sorted(GREEK.items()):
        letters = letters.replace(sign, "epsilon" if name == "eps" else name)
    letters = letters.replace("√", "sqrt")

    def bare(said: str) -> str:
        """Without what only holds exponents together, and with one name of each letter."""
        return re.sub(r"[\s^_(){}]", "", re.sub(r"eps(?!ilon)", "epsilon", said))

    assert bare(letters) == bare(text)


@given(st.lists(st.sampled_from(["[1,2; 3,4]", "[1; 2]", "x <= 2", " ", "$a <= b$", "`a <= b`", "[a]", "[1]"]), max_size=5))
def test_formulas_and_code_are_not_typed_again(pieces: list[str]) -> None:
    out = typed(" ".join(pieces))
    assert out.count("$a <= b$") == pieces.count("$a <= b$")
    assert out.count("`a <= b`") == pieces.count("`a <= b`")
    assert out.count("x ≤ 2") == pieces.count("x <= 2")
    assert out.count("bmatrix") == 2 * sum("; " in piece for piece in pieces)


Tree = tuple[str, Fraction, int]
"""A formula in LaTeX, its value, and how tightly it is held together: a sum 0, a product 1, a power 2, an atom 3."""


def held(tree: Tree, level: int) -> str:
    return tree[0] if tree[2] >= level else rf"\left({tree[0]}\right)"


def joined(parts: tuple[str, Tree, Tree]) -> Tree:
    """A sum, a difference, a product, a fraction or a power of two formulas."""
    kind, a, b = parts
    if kind == "+":
        return f"{a[0]}+{held(b, 1)}", a[1] + b[1], 0
    if kind == "-":
        return f"{held(a, 0)}-{held(b, 1)}", a[1] - b[1], 0
    if kind == "*":
        return rf"{held(a, 1)}\cdot {held(b, 1)}", a[1] * b[1], 1
    if kind == "." and b[2] != 2:  # a product without a sign, which binds tighter than the bar of a fraction
        factor = b[0] if b[0].startswith(r"\frac") else rf"\left({b[0]}\right)"
        return held(a, 1) + factor, a[1] * b[1], 1
    if kind == "/" and b[1]:
        return rf"\frac{{{a[0]}}}{{{b[0]}}}", a[1] / b[1], 1
    if kind == "^" and a[1].denominator < 100 and abs(a[1]) < 100:
        return f"{held(a, 3)}^{{2}}", a[1] ** 2, 2
    return a


ATOMS = st.integers(1, 12).map(lambda n: (str(n), Fraction(n), 3))
TREES = st.recursive(ATOMS, lambda x: st.tuples(st.sampled_from("+-*./^"), x, x).map(joined), max_leaves=6)


class Read:
    """A number as plain text is read: a factor directly after it, and an exponent, bind tighter than a bar."""

    def __init__(self, value: Fraction | int) -> None:
        self.value = Fraction(value)

    def __add__(self, other: Read) -> Read:
        return Read(self.value + other.value)

    def __sub__(self, other: Read) -> Read:
        return Read(self.value - other.value)

    def __mul__(self, other: Read) -> Read:
        return Read(self.value * other.value)

    def __truediv__(self, other: Read) -> Read:
        return Read(self.value / other.value)

    __call__ = __mul__

    def squared(self) -> Read:
        return Read(self.value**2)


@given(TREES)
def test_a_formula_in_plain_text_has_the_same_value(tree: Tree) -> None:
    text = plain(f"${tree[0]}$").replace(" ", "").replace("·", "*").replace("−", "-")
    assert set(text) <= set("0123456789+-*/()²")
    python = re.sub(r"(\d+)", r"Read(\1)", text).replace("²", ".squared()")
    assert eval(python, {"Read": Read}).value == tree[1], text


@given(st.lists(GROUPS | st.sampled_from(["$", "$$", " ", "words", r"\frac", r"\sqrt", "^", "_", "{", "}", "\\"]), max_size=8))
def test_any_text_becomes_one_line_for_a_terminal(pieces: list[str]) -> None:
    out = plain("".join(pieces))
    assert len(out.splitlines()) <= 1
    assert unicodedata.is_normalized("NFC", out)


PATHS = st.lists(st.sampled_from(["a", "b", "tiny"]), min_size=1, max_size=3).map(lambda p: "/".join(p) + ".md")


@given(PATHS, PATHS, st.sampled_from(["", "at"]))
def test_a_link_leads_from_its_page_to_its_target(page: str, target: str, at: str) -> None:
    file, _, mark = Here(cast(Any, None), page).to(target, at).partition("#")
    assert mark == at
    assert (posixpath.normpath(posixpath.join(posixpath.dirname(page), file)) if file else page) == target
    assert Here(cast(Any, None), page).speaking_of("p.c") == Here(cast(Any, None), page, "p.c")


CLAIMS = ("tiny.a", "tiny.long-name", "other.b")
NAMED = st.sampled_from(
    [*CLAIMS, "tiny.none", "long-name", "a", "part:k", "part:none", "parts k, m and none", "part m", "words", "x.y", "`tiny.a`",
     "$a.b$", "(tiny.a)", "tiny.a.", "see-tiny.a"]
)  # fmt: skip


@given(st.lists(NAMED, max_size=6), st.sampled_from([*CLAIMS, ""]), st.sampled_from(["tiny.md", "tiny/a.md", "other/b.md"]))
def test_names_become_links_to_what_they_name_and_the_text_stays(pieces: list[str], claim: str, page: str) -> None:
    registry = Registry()
    for name in ("k", "m"):
        registry.add_binding(Binding("tiny.a", f"part:{name}", "x", Place("m", "m.py", 1), "m"))
    material = SimpleNamespace(verdicts=dict.fromkeys(CLAIMS), project=SimpleNamespace(registry=registry))
    here = Here(cast(Any, material), page, claim)
    text = " ".join(pieces)
    out = here.prose(text)
    assert re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r"\1", out) == prose(typed(text))
    for shown, target in re.findall(r"\[([^\]]*)\]\(([^)]*)\)", out):
        file, _, mark = target.partition("#")
        to = posixpath.normpath(posixpath.join(posixpath.dirname(page), file)) if file else page
        if shown in ("k", "m", "part:k"):
            assert (claim, to, mark) == ("tiny.a", claim_page("tiny.a"), role_anchor(f"part:{shown[-1]}"))
        else:
            named = shown if shown in CLAIMS else f"{claim.partition('.')[0]}.{shown}"
            assert named in CLAIMS
            assert named != claim
            assert (to, mark) in ((claim_page(named), ""), (paper_page(named.partition(".")[0]), anchor(named)))
    if claim and claim != "tiny.a" and "tiny.a" in pieces:
        assert "[tiny.a](" in out


FILLERS = st.sampled_from(
    ["words", "```text\n## no heading [x](#nowhere)\n```", "`[x](#y)` and $a$", "* an item\n\n#### Small", ""]
)


@st.composite
def sites(draw: st.DrawFn) -> dict[str, str]:
    """A page of a paper with sections and entries, pages of claims with parts, and an index: links to every anchor."""
    counts = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    names = [f"c{n}-{k}" for n, count in enumerate(counts) for k in range(count)]
    parts = {name: draw(st.integers(0, 4)) for name in names[:2]}
    places = [("tiny.md", name) for name in names] + [("tiny.md", f"section-{n}") for n in range(len(counts))]
    places += [(f"tiny/{name}.md", f"part-{n}") for name, count in parts.items() for n in range(count)] + [("README.md", "")]

    def text(page: str) -> str:
        said = [draw(FILLERS), "w" + " ." * draw(st.integers(0, 150))]
        for to, mark in draw(st.lists(st.sampled_from(places), max_size=3)):
            file = "" if to == page and mark else posixpath.relpath(to, posixpath.dirname(page) or ".")
            said.append(f"[to {mark or 'index'}]({file}{'#' + mark if mark else ''})")
        return "\n\n".join(said)

    paper = ["# A paper", " ".join(f"[{mark}](#{mark})" for to, mark in places if to == "tiny.md")]
    for n, count in enumerate(counts):
        paper.append(f'<a id="section-{n}"></a>\n\n## Section {n}\n\n{text("tiny.md")}')
        paper += [f'<a id="c{n}-{k}"></a>\n\n### Entry c{n}-{k}\n\n{text("tiny.md")}' for k in range(count)]
    site = {"README.md": f"# Index\n\n{text('README.md')}\n", "tiny.md": "\n\n".join(paper) + "\n"}
    site["data.json"] = "## no page\n" * 200
    for name, count in parts.items():
        page = f"tiny/{name}.md"
        own = [f"# {name}", " ".join(f"[{n}](#part-{n})" for n in range(count)), "## Statement", text(page)]
        own += [f'<a id="part-{n}"></a>\n\n## Part {n}\n\n{text(page)}' for n in range(count)]
        site[page] = "\n\n".join([*own, "## Rests", text(page)]) + "\n"
    return site


LINK = re.compile(r"(?<!`)\[(to [^\]]*)\]\(([^)]*)\)(<a id=[^>]*></a>)?")


def lines(pages: dict[str, str]) -> Counter[str]:
    """How often each line stands on the pages, without the targets of links and the anchors beside them."""
    every = (line for text in pages.values() for line in text.splitlines() if line.strip())
    return Counter(re.sub(r"\]\([^)]*\)(<a id=[^>]*></a>)?", "]", line).rstrip() for line in every)


def leads(pages: dict[str, str]) -> Counter[tuple[str, str]]:
    """Where each link leads: its words, and the heading after the anchor to which it leads."""
    found: Counter[tuple[str, str]] = Counter()
    for path, text in pages.items():
        for shown, target, _ in LINK.findall(text) if path.endswith(".md") else ():
            file, _, mark = target.partition("#")
            to = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
            after = pages[to].partition(f'<a id="{mark}"></a>')[2] if mark else pages[to]
            found[shown, after.strip().splitlines()[0].removesuffix(" (continued)")] += 1
    return found


@given(sites(), st.integers(150, 1500))
def test_a_split_page_keeps_every_line_and_every_link_leads_where_it_led(site: dict[str, str], goal: int) -> None:
    assert list(problems(site, lambda path: False)) == []
    found = split(site, goal)
    assert list(problems(found, lambda path: False)) == []
    assert site.keys() <= found.keys()
    assert found["data.json"] == site["data.json"]
    assert not lines(site) - lines(found)
    beside = {line for line in lines(found) - lines(site) if not line.startswith("Of [") and not line.endswith("(continued)")}
    assert beside == set()
    assert leads(found) == leads(site)
    for path, text in site.items():
        assert set(anchors(text)) <= set(anchors(found[path])), path  # what leads there from elsewhere still does
