"""Long pages are split at their sections, nothing is lost, and every link of every page leads somewhere."""

from __future__ import annotations

import re

import pytest

from tests.support.world import HERE
from verify.report.pages import LIMIT, anchors, problems, split

ENTRY = '<a id="{name}"></a>\n\n### Entry {name}\n\n[own](tiny/{name}.md) and [other](#{other}), `[x](#y)` and $a$ {filler}'
PAPER = "# A paper\n\n## Contents\n\n| [One](#section-1) | [a](#a) · [b](#b) |\n| [Two](#section-2) | [c](#c) [a](#a) |\n\n"
FILLER = "words " * 150


def paper(filler: str = FILLER) -> str:
    """A page with two sections, the first of two entries."""
    entries = {n: ENTRY.format(name=n, other=o, filler=filler) for n, o in ("ac", "ba", "ca")}
    one, two = (f'<a id="section-{n}"></a>\n\n## Section {n}' for n in (1, 2))
    return PAPER + "\n\n".join([one, entries["a"], entries["b"], two, entries["c"]]) + "\n"


def claim(name: str) -> str:
    """The page of a claim."""
    return f"# {name}\n\n[paper](../tiny.md#{name}) [index](../README.md)\n\n```text\n## no heading [x](#nowhere)\n```\n"


def world(filler: str = FILLER) -> dict[str, str]:
    """A small set of pages, with a claim that has long parts."""
    parts = "\n\n".join(f'<a id="part-{n}"></a>\n\n## Part {n}\n\n[to a](#part-1) {filler}' for n in range(1, 6))
    long = f"# long\n\n[1](#part-1) [3](#part-3) [5](#part-5)\n\n## Statement\n\nx\n\n{parts}\n\n## Rests\n\n[p](../tiny.md#b)\n"
    return {
        "README.md": "# Index\n\n[paper](tiny.md) [b](tiny.md#b) [part](tiny/long.md#part-5) [data](data.json) [web](https://x.org/#a)\n",
        "tiny.md": paper(filler),
        **{f"tiny/{n}.md": claim(n) for n in "abc"},
        "tiny/long.md": long,
        "data.json": "{}\n",
    }


def bare(line: str) -> str:
    """A line without the targets of its links, and without the anchors beside them."""
    return re.sub(r"\]\([^)]*\)(<a id=[^>]*></a>)?", "]", line).rstrip()


def test_pages_that_are_short_enough_stay_as_they_are() -> None:
    files = world()
    assert split(files) == files
    assert list(problems(files, lambda path: False)) == []


@pytest.mark.parametrize("goal", [900, 1200, 2200])
def test_sections_become_pages_and_links_follow(goal: int) -> None:
    files = world()
    found = split(files, goal)
    assert {"tiny/sections/1.md", "tiny/sections/2.md", "tiny/long.2.md"} <= set(found)
    assert list(problems(found, lambda path: False)) == []
    for path, text in files.items():
        assert {bare(line) for line in text.splitlines()} <= {bare(x) for t in found.values() for x in t.splitlines()}, path
    assert "[b](tiny/sections/1" in found["README.md"]
    assert "[data](data.json) [web](https://x.org/#a)" in found["README.md"]
    first = "".join(t for p, t in found.items() if p.startswith("tiny/sections/1"))
    assert "`[x](#y)`" in first
    assert "[own](../a.md)" in first
    assert "## no heading [x](#nowhere)" in found["tiny/a.md"]
    for page in ("tiny.md", "tiny/long.md"):
        assert set(anchors(files[page])) - set(anchors(found[page])) <= {"part-2", "part-4"}, "an old link is no dead end"
    assert all(len(t) < goal + 1100 for p, t in found.items() if p != "README.md")


def test_an_entry_that_is_alone_too_long_is_a_page() -> None:
    found = split(world(), 900)
    assert {"tiny/sections/1.2.md", "tiny/long.5.md"} <= set(found)
    assert "Of [tiny.md](../../tiny.md); before: [1.md](1.md); next: [" in found["tiny/sections/1.2.md"]


def test_problems_are_named() -> None:
    files = {
        "a.md": '<a id="x"></a>\n<a id="x"></a>\n[1](b.md) [2](b.md#z) [3](c/d.json) [4](#y)\n',
        "b.md": "# B\n" + "x" * LIMIT,
    }
    assert list(problems(files, lambda path: path == "c/d.json")) == [
        "reports/a.md: an anchor occurs twice: x",
        "reports/a.md: the link b.md#z leads to no anchor",
        "reports/a.md: the link #y leads to no anchor",
        f"reports/b.md has {LIMIT + 4} bytes, more than {LIMIT}",
    ]
    assert list(problems({"a.md": "[1](b.md)\n"}, lambda path: False)) == ["reports/a.md: the link b.md leads to no file"]


def test_the_committed_pages_are_short_and_all_their_links_lead_somewhere() -> None:
    reports = HERE / "reports"
    files = {p.relative_to(reports).as_posix(): p.read_text() for p in reports.rglob("*.md")}
    assert list(problems(files, lambda path: (reports / path).exists())) == []
