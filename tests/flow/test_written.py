"""What `verify flow` writes and prints: where it may write, the completed table, predictions, notes, the way in JSON."""

from __future__ import annotations

import itertools
import json
import os
import stat
from pathlib import Path

import pytest

from verify import cli
from verify.commands import _files
from verify.completion import read_observations
from verify.errors import InputError


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run a command in a folder with tables; returns (exit code, output, errors)."""
    (tmp_path / "d.csv").write_text("1,?\n?,1\n")
    (tmp_path / "w.csv").write_text("1,0.1\n?,1\n")
    (tmp_path / "trail.csv").write_text("1,2,\n3,?,\n")
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, str, str]:
        code = cli.run(list(args))
        return (code, *capfd.readouterr())

    return run


def shape(folder: Path) -> list[tuple[str, int, bytes]]:
    """All things in a folder, links and devices as they are."""
    found = []
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        found.append((str(path), stat.S_IFMT(mode), path.read_bytes() if stat.S_ISREG(mode) else b""))
    return found


@pytest.mark.parametrize("option", ["--certificate", "--out"])
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("link", "is a link; links are not followed, give the file itself"),
        ("broken", "is a link; links are not followed, give the file itself"),
        ("folder", "is a folder; give a file"),
        ("pipe", "is a pipe; give a file"),
        ("input", "is what is read; give another file"),
        ("hard link", "is what is read; give another file"),
        ("nowhere", "not a file in a folder that exists"),
        ("in a file", "not in a folder that exists"),
    ],
)
def test_only_regular_files_are_replaced(call, tmp_path, option, kind, expected):
    target = tmp_path / "t.csv"
    if kind in ("link", "broken"):
        (tmp_path / "other.csv").write_text("mine") if kind == "link" else None
        target.symlink_to(tmp_path / "other.csv")
    elif kind == "folder":
        target.mkdir()
    elif kind == "pipe":
        os.mkfifo(target)
    elif kind == "input":
        target = tmp_path / "w.csv"
    elif kind == "hard link":
        os.link(tmp_path / "w.csv", target)
    else:
        target = tmp_path / ("none/t.csv" if kind == "nowhere" else "d.csv/t.csv")
    before = shape(tmp_path)
    code, out, err = call("flow", "w.csv", option, str(target))
    assert (code, out) == (2, "") and err.startswith(f"verify: {option} {target}: {expected}") and len(err.splitlines()) == 1
    assert shape(tmp_path) == before


@pytest.mark.parametrize("option", ["--certificate", "--report"])
def test_devices_stay_devices(call, option):
    before = os.stat("/dev/null")
    code, _, err = call("flow", "w.csv", option, "/dev/null")
    assert code == 2 and "is a device" in err
    after = os.stat("/dev/null")
    assert stat.S_ISCHR(after.st_mode) and (before.st_ino, before.st_rdev) == (after.st_ino, after.st_rdev)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("link", "is a link"),
        ("file", "is a file; give a folder"),
        ("others", "holds other things"),
        ("nowhere", "no folder that can be"),
    ],
)
def test_reports_go_into_folders_of_their_own(call, tmp_path, kind, expected):
    folder = tmp_path / "r"
    if kind == "link":
        (tmp_path / "other").mkdir()
        folder.symlink_to(tmp_path / "other")
    elif kind == "file":
        folder.write_text("mine")
    elif kind == "others":
        folder.mkdir()
        (folder / "notes.txt").write_text("mine")
    else:
        folder = tmp_path / "a" / "b"
    before = shape(tmp_path)
    code, out, err = call("flow", "w.csv", "--report", str(folder))
    assert (code, out) == (2, "") and expected in err and len(err.splitlines()) == 1
    assert shape(tmp_path) == before


def test_a_link_in_a_report_is_not_followed(call, tmp_path):
    """The folder of an earlier report, in which somebody has put a link in the place of a file."""
    assert call("flow", "d.csv", "--report", "r")[0] == 0
    (tmp_path / "victim").write_text("mine")
    (tmp_path / "r/report.md").unlink()
    (tmp_path / "r/report.md").symlink_to(tmp_path / "victim")
    before = shape(tmp_path)
    code, _, err = call("flow", "w.csv", "--report", "r")
    assert code == 2 and "r/report.md: is no regular file, and is left as it is" in err
    assert shape(tmp_path) == before


def test_all_files_are_written_or_none(tmp_path, monkeypatch):
    folder = tmp_path / "r"
    folder.mkdir()
    (folder / "b").mkdir()
    with pytest.raises(InputError, match="b: is no regular file"):
        _files.write(folder, {"a": "1", "b": "2"})
    assert sorted(p.name for p in folder.iterdir()) == ["b"]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        _files.write(folder, {"a": "1"})
    assert sorted(p.name for p in folder.iterdir()) == ["b"]


def test_nothing_of_an_earlier_report_is_left(call, tmp_path):
    """A certificate of another answer would lie beside the new one."""
    assert call("flow", "d.csv", "--init", "gaussian:0.5,1", "--then", "w.csv", "--digits", "6", "--report", "r")[0] == 0
    names = {p.name for p in (tmp_path / "r").iterdir()}
    assert {"certificate.json", "answer-then.json", "flow-then.svg"} <= names
    (tmp_path / "r/mine.txt").write_text("mine")
    assert call("flow", "w.csv", "--engine", "float64", "--report", "r")[0] == 0
    assert {p.name for p in (tmp_path / "r").iterdir()} == {"report.md", "answer.json", "flow.svg", "mine.txt"}


def test_an_earlier_file_is_replaced(call, tmp_path):
    (tmp_path / "c.json").write_text("old")
    assert call("flow", "w.csv", "--certificate", "c.json", "--out", "o.csv")[0] == 0
    assert json.loads((tmp_path / "c.json").read_text())["format"] == "verify-flow"
    assert call("flow", "w.csv", "--certificate", "c.json", "--out", "o.csv")[0] == 0


def test_the_completed_table(call, tmp_path):
    assert call("flow", "w.csv", "--init", "identity:1", "--digits", "8", "--out", "o.csv")[0] == 0
    assert (tmp_path / "o.csv").read_text() == "1,0.1\n-5.1847448e-5,1\n"
    assert call("flow", "w.csv", "--digits", "8", "--out", "o.tsv")[0] == 0
    assert "\t" in (tmp_path / "o.tsv").read_text() and "," not in (tmp_path / "o.tsv").read_text()
    assert len(read_observations(tmp_path / "o.tsv").cells) == 4
    for words, expected in (
        (["--out", "o.txt"], "not a name that ends with .csv or .tsv"),
        (["--out", "n.csv", "--sweep", "alpha=1..2"], "--sweep cannot be combined with"),
        (["--out", "n.csv", "--max-steps", "1", "--init", "gaussian:1e-3,1"], "there is no completed table to write"),
    ):
        code, _, err = call("flow", "w.csv", *words)
        assert code == 2 and expected in err and not (tmp_path / "n.csv").exists()


def test_large_tables_name_the_option(call, tmp_path):
    rows = [["1" if i == j else "?" for j in range(14)] for i in range(14)]
    (tmp_path / "large.csv").write_text("\n".join(",".join(r) for r in rows))
    code, out, _ = call("flow", "large.csv", "--out", "o.csv")
    assert code == 0 and "(14 x 14; in full with --out FILE.csv, --json or --report)" in out
    assert len(read_observations(tmp_path / "o.csv").cells) == 196


def test_only_predictions_that_apply_are_told(call):
    _, short, _ = call("flow", "w.csv", "--digits", "6")
    _, whole, _ = call("flow", "w.csv", "--digits", "6", "--all")
    assert "does not apply" in whole and "not known whether it applies" in whole and "see --all" not in whole
    assert (
        "does not apply" not in short and "not known whether it applies" not in short and "more predictions of theorems" in short
    )
    assert ": applies (" in short
    _, data, _ = call("flow", "w.csv", "--digits", "6", "--json")
    assert {p["applies"] for p in json.loads(data)["predictions"]} == {True, False, None}


def test_columns_without_an_observation_are_noted(call):
    code, out, _ = call("flow", "trail.csv", "--digits", "6")
    assert code == 0 and "\nnote: column 3 has no observation (a separator at the end of every line makes one)\n" in out
    _, data, _ = call("flow", "trail.csv", "--digits", "6", "--json")
    assert json.loads(data)["notes"] == ["column 3 has no observation (a separator at the end of every line makes one)"]
    assert call("flow", "w.csv", "--digits", "6")[1].count("note:") == 0


def test_the_way_is_in_the_json(call):
    for words in (
        ["w.csv", "--init", "identity:1"],
        ["d.csv", "--depth", "3", "--init", "ones:1e-9,2"],
        ["w.csv", "--engine", "float64"],
    ):
        _, out, _ = call("flow", *words, "--digits", "6", "--json")
        path = json.loads(out)["path"]
        assert len(path) > 10 and set(path[0]) == {"time", "loss", "singular_values"}
        losses = [float(p["loss"]) for p in path if p["loss"] is not None]
        assert losses[-1] < losses[0] / 1e6 and all(b <= a * 1.001 for a, b in itertools.pairwise(losses))
        assert len(path[-1]["singular_values"]) == 2
    _, out, _ = call("flow", "d.csv", "--depth", "2", "--init", "identity:1e-2", "--digits", "6", "--json")
    assert json.loads(out)["path"] == [] or len(json.loads(out)["path"]) > 1


def test_no_digit_is_told_as_bounds(call, tmp_path):
    from dataclasses import replace

    from tests.flow.test_answers import page

    found = page([[1, "0.1"], [None, 1]], 2, "identity:1")
    for digits, expected in (
        (0, "certified as bounds, of the worst entry no digit"),
        (1, "certified to 1 digit\n"),
        (3, "certified to 3 digits\n"),
    ):
        shown = replace(found, answer=replace(found.answer, digits=digits, reason="")).text()
        assert expected in shown and "0 digits" not in shown


def test_standard_input_is_read(call, monkeypatch):
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1;0,1\nNA;1\n")))
    code, out, _ = call("flow", "-", "--decimal", ",", "--na", "NA", "--digits", "6")
    assert code == 0 and out.startswith("standard input: 2 x 2, 3 of 4 entries observed")
    code, _, err = call("flow", "-", "--then", "-")
    assert code == 2 and "standard input can be read once" in err
