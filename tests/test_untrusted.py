"""Nothing that is read is run: no pickle, no eval, a limit on every file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.support.world import HERE
from verify.errors import InputError
from verify.run import frames
from verify.run.files import digest, read_json, write

SHELL = [
    *sorted((HERE / "verify").glob("*.py")),
    *(p for folder in ("run", "report", "commands") for p in sorted((HERE / "verify" / folder).glob("*.py"))),
]
FORBIDDEN_MODULES = {"pickle", "marshal", "shelve", "dill", "joblib"}
FORBIDDEN_CALLS = {"eval", "exec", "sympify", "parse_expr", "compile"}


@pytest.mark.parametrize("path", SHELL, ids=lambda p: p.relative_to(HERE).as_posix())
def test_no_pickle_and_no_eval(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            assert not {a.name.partition(".")[0] for a in node.names} & FORBIDDEN_MODULES
        elif isinstance(node, ast.ImportFrom):
            assert (node.module or "").partition(".")[0] not in FORBIDDEN_MODULES
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS
        elif isinstance(node, ast.ExceptHandler):
            assert node.type is not None
        elif isinstance(node, ast.keyword):
            assert node.arg != "shell"


def test_json_files_have_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[" + "1," * 1000 + "1]")
    with pytest.raises(InputError, match="larger than 100 bytes"):
        read_json(path, limit=100)
    path.write_text("[" * 200_000)
    with pytest.raises(InputError, match="not valid JSON"):
        read_json(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_json(tmp_path / "none.json")


def test_a_write_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deep" / "x.txt"
    assert write(path, "old")
    assert not write(path, "old")

    def fail(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        write(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in path.parent.iterdir()] == ["x.txt"]


def test_a_message_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "frame"
    path.write_bytes(b"\xff\xff\xff\xff")
    with path.open("rb") as stream, pytest.raises(ValueError, match="too large"):
        frames.receive(stream)
    path.write_bytes(b"\x00\x00\x00\x09{")
    with path.open("rb") as stream:
        assert frames.receive(stream) is None


def test_digests_do_not_depend_on_the_order_of_keys() -> None:
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    with pytest.raises(ValueError, match="JSON"):
        digest(float("nan"))
