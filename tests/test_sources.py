"""Which edits touch which binding."""

from __future__ import annotations

from pathlib import Path

from verify.run.sources import Sources

MODULE = """
from verify.registry import holds, undecided
from proofs.tiny.helper import deep

SIZE = 3
TABLE = {}
TABLE["x"] = 1

def shared(g):
    return SIZE

@holds("tiny.a", "x")
def a(g):
    shared(g)

@holds("tiny.b", "y")
def b(g):
    TABLE["x"]

undecided("tiny.c")

for n in (1, 2):
    @holds(f"tiny.d{n}", "z")
    def d(g):
        g.close()
"""


def digest(folder: Path, text: str, needle: str, helper: str = "deep = 1\n") -> str:
    """The digest of the slice of the binding whose decorator has the needle."""
    package = folder / "proofs" / "tiny"
    package.mkdir(parents=True, exist_ok=True)
    for path in (package.parent / "__init__.py", package / "__init__.py"):
        path.write_text("")
    (package / "section.py").write_text(text)
    (package / "helper.py").write_text(helper)
    line = next(n for n, s in enumerate(text.splitlines(), 1) if needle in s)
    return Sources({"proofs": [folder / "proofs"]}).slice_digest("proofs.tiny.section", [line])


def test_slices(tmp_path: Path) -> None:
    before = {k: digest(tmp_path, MODULE, k) for k in ("tiny.a", "tiny.b", "tiny.d", "tiny.c")}

    def touched(old: str, new: str, helper: str = "deep = 1\n") -> set[str]:
        text = MODULE.replace(old, new)
        return {k for k in before if digest(tmp_path, text, k, helper) != before[k]}

    assert touched("    shared(g)\n", "    shared(g); 1\n") == {"tiny.a"}
    assert touched("SIZE = 3", "SIZE = 4") == {"tiny.a"}
    assert touched('TABLE["x"] = 1', 'TABLE["x"] = 2') == {"tiny.b"}
    assert touched('"y")', '"yy")') == {"tiny.b"}
    assert touched("g.close()", "g.close(1)") == {"tiny.d"}
    assert touched('undecided("tiny.c")', 'undecided("tiny.c", tried="x")') == {"tiny.c"}
    assert touched("SIZE = 3", "# a comment\nSIZE = 3") == set()
    assert touched("SIZE = 3", "SIZE = 3\nprint(1)") == set(before)
    assert touched("", "", helper="deep = 2\n") == set(before)
    assert touched("return SIZE", "return globals()") == set(before)
    assert touched("SIZE = 3", "SIZE = 3\ndeep.prove = 1") == set(before)
    assert touched("SIZE = 3", 'SIZE = 3\ndeep.table["x"] = 1') == set(before)


def test_imports_of_imports_count(tmp_path: Path) -> None:
    digest(tmp_path, MODULE, "tiny.a")
    (tmp_path / "proofs/tiny/low.py").write_text("x = 1\n")
    one = digest(tmp_path, MODULE, "tiny.a", helper="from .low import x as deep\n")
    (tmp_path / "proofs/tiny/low.py").write_text("x = 2\n")
    assert digest(tmp_path, MODULE, "tiny.a", helper="from .low import x as deep\n") != one


def test_the_engine_and_libraries() -> None:
    sources = Sources()
    assert sources.find("verify.registry") is not None
    assert sources.find("numpy") is None
    assert sources.find("json") is None
    assert sources.tree_digest("verify.run") == Sources().tree_digest("verify.run")


def test_prose_of_the_engine_changes_no_run(tmp_path: Path) -> None:
    def made(engine: str) -> tuple[str, str]:
        (tmp_path / "verify").mkdir(exist_ok=True)
        (tmp_path / "verify/__init__.py").write_text("")
        (tmp_path / "verify/flow.py").write_text(engine)
        digest(tmp_path, "from verify.flow import step\n\n" + MODULE, "tiny.a")
        tops = {"proofs": [tmp_path / "proofs"], "verify": [tmp_path / "verify"]}
        line = next(n for n, s in enumerate(MODULE.splitlines(), 3) if "tiny.a" in s)
        sources = [Sources(dict(tops)) for _ in range(2)]
        own = sources[0].own_digest("proofs.tiny.section", [line])
        return own, sources[1].own_digest("proofs.tiny.section", [line], engine=True)

    before = made('"""Flows."""\n\ndef step():\n    """One step."""\n    return 1\n')
    assert made('"""Gradient flows."""\n\n# why\ndef step():\n    """A step."""\n    return 1\n') == before
    changed = made('"""Flows."""\n\ndef step():\n    """One step."""\n    return 2\n')
    assert changed[0] == before[0] and changed[1] != before[1]
