"""Tables as other programs write them: read with the option that the message names."""

from __future__ import annotations

import gzip
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from verify.commands._tables import NAMED, OPTIONS, layout_of
from verify.completion import Layout, Limits, ObservationError, Observations, read_observations

H = Fraction(1, 2)


def read(tmp_path: Path, name: str, content: str | bytes, limits: Limits | None = None, **layout: Any) -> Observations:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_observations(path, limits, Layout(**layout))


READ = [
    ("a.csv", "1;2,5\n3;?\n", {"decimal": ","}, ((1, 5 * H), (3, None))),
    ("a.csv", "1;2.5\n3;?\n", {"sep": ";"}, ((1, 5 * H), (3, None))),
    ("a.csv", "1|2\n3|\n", {"sep": "|"}, ((1, 2), (3, None))),
    ("a.csv", "1\t2\n3\t\n", {"sep": "\t"}, ((1, 2), (3, None))),
    ("a.tsv", "1\t2,5\n3\t?\n", {"decimal": ","}, None),
    ("a.tsv", "1\t2,5\n3\t?\n", {"decimal": ",", "sep": "\t"}, ((1, 5 * H), (3, None))),
    ("a.csv", "1   2\n 3 ?\n", {"sep": " "}, ((1, 2), (3, None))),
    ("a.csv", "1,NA\nnull,na\n", {"na": frozenset({"NA", "null"})}, ((1, None), (None, None))),
    ("a.csv", "x,y\n1,2\n", {"header": True}, ((1, 2),)),
    ("a.csv", "1,2\n3,4\n", {"header": True}, ((3, 4),)),
    ("a.csv", "# note\n\nx,y\n1,2\n", {"header": True}, ((1, 2),)),
    ("a.csv", "1,1,5\n2,3,1/2\n", {"triples": True}, ((5, None, None), (None, None, H))),
    ("a.csv", "user;item;score\n1;2;0,5\n1;2;0,5\n", {"triples": True, "header": True, "decimal": ","}, ((None, H),)),
    ("a.csv", "1,1,NA\n2,2,1\n", {"triples": True, "na": frozenset({"NA"})}, ((None, None), (None, 1))),
    ("noname", "1,2\n", {"form": ".csv"}, ((1, 2),)),
    ("a.txt", "[[1, null]]", {"form": ".json"}, ((1, None),)),
    ("a.csv.gz", gzip.compress(b"1,?\n3,4\n", mtime=0), {}, ((1, None), (3, 4))),
    ("a.JSON.GZ", gzip.compress(b"[[1, 2]]", mtime=0), {}, ((1, 2),)),
]


@pytest.mark.parametrize(("name", "content", "layout", "expected"), READ)
def test_layouts(tmp_path: Path, name: str, content: str, layout: dict[str, Any], expected: Any) -> None:
    if expected is None:  # decimal commas move the default to semicolons in .csv only
        assert read(tmp_path, name, content, **layout).matrix() == ((1, 5 * H), (3, None))
        return
    assert read(tmp_path, name, content, **layout).matrix() == expected


NAMES = [
    # what is written, and the option that the message names, which reads it
    ("1,NA\n2,3\n", "--na NA reads it", {"na": frozenset({"NA"})}),
    ("1,null\n2,3\n", "--na null reads it", {"na": frozenset({"null"})}),
    ("1,-\n2,3\n", "--na - reads it", {"na": frozenset({"-"})}),
    ("1;2\n3;?\n", "--sep ';' reads", {"sep": ";"}),
    ("1;2,5\n3;?\n", "--sep ';'", {"sep": ";", "decimal": ","}),
    ("1|2\n", "--sep '|' reads", {"sep": "|"}),
    ("1\t2\n", "--sep 'tab' reads", {"sep": NAMED["tab"]}),
    ("1 2 ?\n", "--sep 'space' reads", {"sep": NAMED["space"]}),
    ("a,b\n1,2\n", "--header passes over", {"header": True}),
    ("height (m),b_2\n1,2\n", "--header passes over", {"header": True}),
]


@pytest.mark.parametrize(("content", "option", "layout"), NAMES)
def test_the_message_names_the_option_that_reads_it(tmp_path: Path, content: str, option: str, layout: dict[str, Any]) -> None:
    with pytest.raises(ObservationError) as caught:
        read(tmp_path, "a.csv", content)
    assert option in str(caught.value) and "\n" not in str(caught.value)
    assert read(tmp_path, "a.csv", content, **layout).rows >= 1


REFUSED = [
    ("a.csv", "1;2,5\n", {"sep": ";"}, "line 1, cell 2: '2,5' is not a number; --decimal , reads decimal commas"),
    ("a.csv", "1;2.5\n", {"decimal": ","}, "'2.5' is not a number with a decimal comma"),
    ("a.csv", "a,b\nc,d\n", {"header": True}, "line 2, cell 1: 'c' is not a number"),
    ("a.csv", "x\n", {}, "line 1, cell 1: 'x' is not a number; write a number"),
    ("a.csv", "1,\u22122\n", {}, "it holds U+2212 (MINUS SIGN); write -"),
    ("a.csv", "1,2\u00a0000\n", {}, "it holds U+00A0 (NO-BREAK SPACE); write a plain blank, or nothing"),
    ("a.csv", "1,\uff12\n", {}, "it holds U+FF12 (FULLWIDTH DIGIT TWO); write plain digits"),
    ("a.csv", "1,2\u200b\n", {}, "it holds U+200B (ZERO WIDTH SPACE)"),
    ("a.csv", "1,1'000\n", {}, "write numbers without signs between groups of digits"),
    ("a.csv", "1,2,3\n", {"header": True}, "no observed entry"),
    ("a.csv", "1,1\n", {"triples": True}, "line 1: 2 cells; write row, column and value, separated by ','"),
    ("a.csv", "0,1,2\n", {"triples": True}, "line 1: '0' is no row; write a whole number, counted from 1"),
    ("a.csv", "1,1.5,2\n", {"triples": True}, "line 1: '1.5' is no column"),
    ("a.csv", "user,item,r\n1,1,1\n", {"triples": True}, "--header passes over a first line of names"),
    ("a.csv", "1,1,2\n1,1,3\n", {"triples": True}, "line 2: row 1, column 1 was 2 before and is 3 here"),
    ("a.csv", "200000,1,2\n", {"triples": True}, "at most 100000 rows and columns"),
    ("a.json", "[[1]]", {"sep": ";"}, "are for CSV and TSV, not for .json"),
    ("a.json", '{"shape":[2,2],"entries":[[1.0,1,1]]}', {}, "entry 1: '1.0' is not a whole number; write 1"),
    ("a.json", '{"shape":[2,2],"entries":[[1,1e400,1]]}', {}, "'1e400' is not a whole number; write one such as 3"),
    ("a.json", '{"shape":[2,2],"entries":[[1,"1",1]]}', {}, "'\"1\"' is not a whole number"),
    ("a.json", '{"shape":[2,2],"base":0,"entries":[[0,1,1],[0,1,2]]}', {}, "row 0, column 1, counted from 0 was 1 before"),
    ("a.csv.gz", b"no", {}, "not a gzip file"),
    ("a.xlsx.gz", b"no", {}, "unknown suffix '.xlsx'"),
    ("a.npy", b"no", {}, "the array: not an array that NumPy can read"),
]


@pytest.mark.parametrize(("name", "content", "layout", "expected"), REFUSED)
def test_what_is_refused(tmp_path: Path, name: str, content: str | bytes, layout: dict[str, Any], expected: str) -> None:
    with pytest.raises(ObservationError) as caught:
        read(tmp_path, name, content, **layout)
    assert expected in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "layout",
    [{"sep": ""}, {"sep": ";;"}, {"sep": "1"}, {"sep": "\n"}, {"sep": "."}, {"decimal": ";"}, {"sep": ",", "decimal": ","}],
)
def test_layouts_that_cannot_be(layout: dict[str, Any]) -> None:
    with pytest.raises(ObservationError):
        Layout(**layout)


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def test_arrays(tmp_path: Path) -> None:
    assert read(tmp_path, "a.npy", npy(np.array([[0.5, np.nan], [3, 4]]))).matrix() == ((H, None), (3, 4))
    assert read(tmp_path, "a.npy.gz", gzip.compress(npy(np.array([[1, 2]])))).matrix() == ((1, 2),)
    for bad, expected in (
        (np.ones(3), "has 1 dimensions"),
        (np.array([[True]]), "truth values"),
        (np.array([["a"]]), "must hold"),
    ):
        with pytest.raises(ObservationError, match=expected):
            read(tmp_path, "a.npy", npy(bad))
    with pytest.raises(ObservationError, match="without running code"):
        read(tmp_path, "a.npy", npy(np.array([[1]]))[:-3])


@pytest.mark.parametrize("kind", ["coo", "csr", "csc"])
@pytest.mark.parametrize("array", [False, True])
def test_sparse_matrices_of_scipy(tmp_path: Path, kind: str, array: bool) -> None:
    """What is stored is observed, zeros too."""
    made = scipy.sparse.coo_array if array else scipy.sparse.coo_matrix
    table = made(([0.5, 0.0, 3.0], ([0, 1, 1], [2, 0, 1])), shape=(3, 3)).asformat(kind)
    scipy.sparse.save_npz(tmp_path / "s.npz", table)
    expected = ((None, None, H), (0, 3, None), (None, None, None))
    assert read_observations(tmp_path / "s.npz").matrix() == expected


def test_broken_sparse_matrices(tmp_path: Path) -> None:
    scipy.sparse.save_npz(tmp_path / "d.npz", scipy.sparse.dia_matrix(np.eye(2)))
    with pytest.raises(ObservationError, match="'dia' is not read; save it in one of the formats coo, csc, csr"):
        read_observations(tmp_path / "d.npz")
    good = {"format": np.array(b"csr"), "shape": [2, 2], "data": [1.0, 2.0], "indices": [0, 1], "indptr": [0, 1, 2]}
    edits: list[tuple[dict[str, Any], str]] = [
        ({"indptr": [0, 2, 1]}, "must hold whole numbers that do not fall"),
        ({"indptr": [0, 1, 5]}, "must begin with 0 and end with 2"),
        ({"indptr": [1, 1, 2]}, "must begin with 0 and end with 2"),
        ({"indptr": [0.0, 1.0, 2.0]}, "must hold whole numbers"),
        ({"indices": [0, 7]}, r"entry 2 \(row 1, column 7, counted from 0\): outside a 2 x 2 matrix; indices count from 0"),
        ({"indptr": [0, 1, 1, 2]}, "outside a 2 x 2 matrix"),
        ({"indices": None}, "the array 'indices' of a sparse matrix is missing"),
        ({"extra": [1]}, "unknown; the keys here are"),
        ({"format": np.array(b"lil")}, "'lil' is not read"),
        ({"data": [1.0, np.inf]}, "is not finite"),
    ]
    for edit, expected in edits:
        arrays = {k: v for k, v in (good | edit).items() if v is not None}
        np.savez(tmp_path / "s.npz", **arrays)
        with pytest.raises(ObservationError, match=expected):
            read_observations(tmp_path / "s.npz")
    np.savez(tmp_path / "s.npz", **good)
    assert read_observations(tmp_path / "s.npz").matrix() == ((1, None), (None, 2))


def test_packed_bombs_are_not_unpacked(tmp_path: Path) -> None:
    with pytest.raises(ObservationError, match="larger than"):
        read(tmp_path, "a.csv.gz", gzip.compress(b"1," * (1 << 20)), Limits(file_bytes=1 << 16))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def piped(data: bytes, **layout: Any) -> Observations:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        return read_observations("-", Limits(file_bytes=100), Layout(**layout))

    assert piped(b"1,?\n").matrix() == ((1, None),)
    assert piped(b"[[1]]", form=".json").matrix() == ((1,),)
    for data, expected in ((b"x\n", "standard input: line 1, cell 1"), (b"1," * 99, "standard input: larger than 100 bytes")):
        with pytest.raises(ObservationError, match=expected):
            piped(data)


def test_rows_and_columns_without_an_observation_are_noted(tmp_path: Path) -> None:
    hint = "(a separator at the end of every line makes one)"
    assert read(tmp_path, "a.csv", "1,2,\n3,?,\n").notes() == [f"column 3 has no observation {hint}"]
    assert read(tmp_path, "a.csv", "1,?,2\n?,?,?\n?,?,\n").notes() == [
        "rows 2, 3 have no observation",
        "column 2 has no observation",
    ]
    assert read(tmp_path, "a.csv", "1,2\n3,?\n").notes() == []
    many = json.dumps({"shape": [20, 1], "entries": [[1, 1, 1]]})
    assert read(tmp_path, "a.json", many).notes() == ["rows 2, 3, 4, 5, 6, 7 and 13 more have no observation"]


def test_options_of_a_command() -> None:
    from verify.errors import InputError

    words = dict.fromkeys(OPTIONS) | {"decimal": ".", "header": False, "triples": False}
    assert layout_of(dict(words)) == Layout()
    asked = words | {"sep": "tab", "na": "NA, null,", "form": "csv", "header": True}
    assert layout_of(asked) == Layout("\t", ".", frozenset({"NA", "null"}), True, False, ".csv")
    for edit, expected in (
        ({"form": "xls"}, "--format 'xls' is unknown"),
        ({"sep": "ab"}, "cannot separate cells"),
        ({"decimal": "x"}, "no decimal sign"),
    ):
        with pytest.raises(InputError, match=expected):
            layout_of(words | edit)
