"""Catalogues: what is read, and the one-line error for everything that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.world import ENTRY, HERE, World
from verify import catalogue
from verify.catalogue import check_dependencies, read_paper
from verify.errors import InputError
from verify.project import Project


def entry(name: str, depends: str = "", **changes: str) -> str:
    """The text of an entry, with lines replaced."""
    lines = ENTRY.format(id=f"tiny.{name}", kind="lemma", depends=depends).splitlines()
    for key, line in changes.items():
        lines = [line if text.startswith(key + " ") else text for text in lines]
    return "\n".join(lines) + "\n"


def error_of(path: Path) -> str:
    """The error of reading a catalogue; one line."""
    with pytest.raises(InputError) as caught:
        check_dependencies([read_paper(path)])
    text = str(caught.value)
    assert "\n" not in text
    assert "catalogue.toml" in text
    return text


def test_all_five_catalogues_are_read() -> None:
    papers = Project(HERE).papers
    counts = {slug: len(papers[slug].claims) for slug in papers}
    assert {k: counts[k] for k in ("bai2024", "eftekhari2022", "razin2020", "shin2025", "varre2023")} == {
        "bai2024": 241,
        "eftekhari2022": 263,
        "razin2020": 316,
        "shin2025": 332,
        "varre2023": 281,
    }


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        (entry("f") + 'colour = "red"\n', "tiny.f: unknown key 'colour'"),
        (entry("f", statement=""), "tiny.f: missing statement"),
        (entry("f", statement='statement = ""'), "tiny.f: the statement is empty"),
        (entry("f", statement="statement = 3"), "tiny.f: statement must be a string"),
        (entry("f", depends_on="depends_on = [1]"), "tiny.f: depends_on must be a list of strings"),
        (entry("f", kind='kind = "lemmma"'), "tiny.f: unknown kind 'lemmma'; nearest: lemma"),
        (entry("a"), "tiny.a: duplicate id, entries 1 and 6"),
        (entry("f", '"tiny.aa"'), "tiny.f: depends_on names the unknown 'tiny.aa'; nearest: tiny.a"),
        (entry("f", '"tiny.f"'), "tiny.f: depends_on names the entry itself"),
        (entry("f", '"tiny.a", "tiny.a"'), "tiny.f: depends_on names 'tiny.a' twice; once is enough"),
        (entry("f", '"tiny.g"') + entry("g", '"tiny.f"'), "depends_on goes in a circle: tiny."),
        (entry("f", id='id = "other.f"'), "other.f: the id must begin with the slug of the paper, tiny."),
        (entry("f", id='id = "no spaces"'), "an id is the slug, a dot, then letters"),
        ("[[claim]\n", "not valid TOML"),
        ("\n[extra]\nx = 1\n", "the file: unknown key 'extra'"),
    ],
)
def test_a_mistake_is_one_line_that_names_file_and_entry(world: World, extra: str, expected: str) -> None:
    path = world.paper(["a", "b", "c", "d", "e"], extra=extra)
    assert expected in error_of(path)


def test_other_schema(world: World) -> None:
    path = world.paper(["a"])
    path.write_text(path.read_text().replace("schema = 1", "schema = 2"))
    assert "this version reads schema 1" in error_of(path)


def test_size_limit(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "MAX_BYTES", 100)
    assert "larger than 100 bytes" in error_of(world.paper(["a"]))


def test_missing_file_and_bad_bytes(tmp_path: Path) -> None:
    assert "cannot be read" in error_of(tmp_path / "catalogue.toml")
    (tmp_path / "catalogue.toml").write_bytes(b"\xff\xfe")
    assert "not UTF-8" in error_of(tmp_path / "catalogue.toml")


def test_deep_nesting_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "catalogue.toml").write_text("x = " + "[" * 100_000)
    assert "not valid TOML" in error_of(tmp_path / "catalogue.toml")


def test_selection(world: World) -> None:
    project = Project(world.root)
    assert project.select(["tiny.b", "tiny.a"]) == ["tiny.a", "tiny.b"]
    assert project.select(["tiny.[ab]"]) == ["tiny.a", "tiny.b"]
    assert "tiny.e" in project.select(["tiny"])
    for word, expected in [("tiny.bb", "nearest: tiny.b"), ("tinny", "nearest: tiny"), ("x*", "no claim matches")]:
        with pytest.raises(InputError, match=expected):
            project.select([word])
