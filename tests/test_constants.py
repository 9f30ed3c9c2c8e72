"""The table of constants: what is read, and the one-line error for everything that is wrong."""

from __future__ import annotations

import textwrap

import pytest

from tests.support.world import HERE, World
from verify.constants import Constant
from verify.errors import InputError
from verify.project import Project

ENTRY = """
[[constant]]
claim = "tiny.a"
printed = "$1/2$"
yields = "$1/4$"
follows = false
"""


def constants(world: World, text: str) -> tuple[Constant, ...]:
    """The constants of the small paper, with this file."""
    (world.root / "proofs/tiny/constants.toml").write_text(textwrap.dedent(text))
    return Project(world.root).constants["tiny"]


def test_no_file_no_constants(world: World) -> None:
    assert Project(world.root).constants["tiny"] == ()


def test_the_constants_of_the_project_are_read_and_shown() -> None:
    project = Project(HERE)
    assert project.registry.bindings
    assert project.constants["shin2025"]


def test_constants_are_read(world: World) -> None:
    found = constants(world, ENTRY + 'better = "$1/3$"\nshown_by = "tiny.c:k"\n' + ENTRY + 'shown_by = "tiny.b"')
    assert found == (
        Constant("tiny.a", "$1/2$", "$1/4$", False, "$1/3$", "tiny.c", "k"),
        Constant("tiny.a", "$1/2$", "$1/4$", False, "", "tiny.b"),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ENTRY + 'colour = "red"', "entry 1: unknown key 'colour'"),
        (ENTRY.replace("tiny.a", "tiny.zz"), "entry 1: tiny.zz: no claim 'tiny.zz'"),
        (ENTRY + 'shown_by = "tiny.zz"', "entry 1: tiny.a: no claim 'tiny.zz'"),
        (ENTRY.replace("follows = false", ""), "entry 1: missing follows"),
        (ENTRY.replace("false", "3"), "entry 1: follows must be true or false"),
        (ENTRY.replace('"$1/4$"', '""'), "entry 1: tiny.a: yields is empty"),
        (ENTRY + "shown_by = [1]", "entry 1: shown_by must be a string"),
        ("constant = 3", "the file: constant must be"),
        ("constant = [3]", "entry 1: must be a table"),
        ("constant = [", "not valid TOML"),
    ],
)
def test_a_mistake_is_one_line(world: World, text: str, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        constants(world, text)
    assert str(caught.value).startswith("proofs/tiny/constants.toml: ")
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_shows_a_constant_must_be_bound(world: World) -> None:
    world.proofs('@holds("tiny.a", "x")\ndef a(g): g.close()\n')
    (world.root / "proofs/tiny/constants.toml").write_text(ENTRY + 'shown_by = "tiny.a:sharp"\n')
    done = world.verify("list", "tiny", "--bound")
    assert done.returncode == 2
    assert "shown_by names tiny.a:sharp, which is not bound; known: statement" in done.stderr


def test_constants_are_no_input_of_results(world: World) -> None:
    world.proofs('@holds("tiny.a", "x")\ndef a(g): g.close()\n')
    assert world.run()["computed"] == ["tiny.a statement"]
    constants(world, ENTRY)
    assert world.run()["computed"] == []
