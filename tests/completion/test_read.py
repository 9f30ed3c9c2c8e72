"""Reading observation files: what is accepted, exactness, and one-line errors for everything else."""

from __future__ import annotations

import io
import json
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.completion import Limits, ObservationError, Observations, Pattern, read_observations
from verify.completion.observations import exact, parse_number, parse_ratio, ratio_text

quick = settings(derandomize=True, deadline=None, max_examples=60)
numbers = st.one_of(
    st.integers(-(10**6), 10**6).map(Fraction),
    st.fractions(max_denominator=1000),
    st.sampled_from([Fraction("1e-300"), Fraction("1e300"), Fraction("-1.5e-35"), Fraction(0)]),
)
tables = (
    st.integers(1, 4)
    .flatmap(lambda n: st.lists(st.lists(st.one_of(st.none(), numbers), min_size=n, max_size=n), min_size=1, max_size=4))
    .filter(lambda rows: any(v is not None for row in rows for v in row))
)


def read(tmp_path: Path, name: str, content: str | bytes, limits: Limits | None = None) -> Observations:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_observations(path, limits)


def npz(**arrays: object) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def test_csv_marks_and_exact_values(tmp_path: Path) -> None:
    text = '# a comment\n\n 0.1 ,?,* \n,NaN,-2e-3\n1/3,"4",.5\n\n'
    table = read(tmp_path, "a.csv", "\ufeff" + text).matrix()
    assert table == (
        (Fraction(1, 10), None, None),
        (None, None, Fraction(-1, 500)),
        (Fraction(1, 3), Fraction(4), Fraction(1, 2)),
    )
    assert read(tmp_path, "a.TSV", "1\t?\n\t2\r\n").matrix() == ((1, None), (None, 2))


def test_csv_column_keeps_blank_rows_inside(tmp_path: Path) -> None:
    assert read(tmp_path, "a.csv", "1\n\n2\n").matrix() == ((1,), (None,), (2,))
    assert read(tmp_path, "b.csv", "1,2,\n").matrix() == ((1, 2, None),)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("ragged.csv", "1,2\n3\n", "line 2: 1 cells where the rows above have 2"),
        ("empty.csv", "", "no observed entry"),
        ("none.csv", "?,*\n,nan\n", "no observed entry"),
        ("text.csv", "1,two\n", "line 1, cell 2: 'two' is not a number"),
        ("semicolon.csv", "1;2\n", "--sep ';' reads cells separated by"),
        ("inf.csv", "1,-inf\n", "line 1, cell 2: '-inf' is infinite; values must be finite"),
        ("blank.csv", "1,2\n\n3,4\n", "line 2: a blank line inside the table"),
        ("quote.csv", '1,"2\n', "line 1: not a row of cells"),
        ("zero.csv", "1/0\n", "denominator 0"),
        ("bomb.csv", "1e999999999\n", "out of range"),
        ("under.csv", "1_0\n", "is not a number"),
        ("long.csv", "1" * 2001, "a number of 2001 characters"),
        ("latin.csv", b"1,\xe9\n", "line 1: not UTF-8 text"),
        ("nul.csv", b"1,\x00\n", "line 1"),
        ("a.json", "[[1, 2], [3]]", "row 2: 1 cells where the first row has 2"),
        ("a.json", "[[1, Infinity]]", "row 1, cell 2: 'Infinity' is infinite"),
        ("a.json", "[[1, true]]", "row 1, cell 2: 'true' is not a number"),
        ("a.json", "[[1, [2]]]", "is not a number"),
        ("a.json", "[1, 2]", "row 1: not a list"),
        ("a.json", "[[1,\n 2]", "line 2, column"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.json", "[]", "neither a list of rows"),
        ("a.json", "[[]]", "both sides must be at least 1"),
        ("a.json", "[[null]]", "no observed entry"),
        ("a.json", '{"matrix": [[1]], "x": 1}', "unknown; the keys here are matrix"),
        ("a.json", '{"matrix": [[1]], "matrix": [[2]]}', "given twice"),
        ("a.json", '{"shape": [2, 2], "entries": [[1, 1, 2], [1, 1, 3]]}', "row 1, column 1 was 2 before"),
        (
            "a.json",
            '{"shape": [2, 2], "entries": [[0, 1, 2]]}',
            "outside a 2 x 2 matrix; indices count from 1",
        ),
        ("a.json", '{"shape": [2, 2], "base": 0, "entries": [[2, 1, 2]]}', "indices count from 0"),
        ("a.json", '{"shape": [2, 2], "base": 7, "entries": [[2, 1, 2]]}', "must be 0 or 1"),
        ("a.json", '{"shape": [2.5, 2], "entries": []}', "not a whole number"),
        ("a.json", '{"shape": 3, "entries": []}', "must be [rows, columns]"),
        ("a.json", '{"shape": [1, 1], "entries": [[1, 1]]}', "must be [row, column, value]"),
        ("a.json", '{"shape": [100001, 1], "entries": [[1, 1, 1]]}', "at most 100000 rows"),
        ("a.mtx", "1 2 3\n", "no Matrix Market banner"),
        ("a.mtx", "%%MatrixMarket matrix coordinate complex general\n", "'complex' is not read"),
        ("a.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n", "use general or symmetric"),
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n", "size is missing"),
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2\n", "2 sizes"),
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", "1 entries where 2 are"),
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n", "index (3, 1) is outside"),
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n", "2 words"),
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 1 2\n", "was 1 before"),
        ("a.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 .5\n", "not whole"),
        ("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", "lower triangle only"),
        ("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", "must be square"),
        ("a.mtx", "%%MatrixMarket matrix array real general\n1 2\n1\ninf\n", "infinite"),
        ("a.npz", b"PK nothing", "not an NPZ archive"),
        ("a.npz", npz(a=np.ones(2), b=np.ones(2)), 'holds 2 arrays and none is named "matrix"'),
        ("a.npz", npz(matrix=np.ones(2)), "has 1 dimensions"),
        ("a.npz", npz(matrix=np.array([[1.0, np.inf]])), "row 1, column 2): inf is not finite"),
        ("a.npz", npz(matrix=np.array([[1, None]], dtype=object)), "must hold integers or doubles"),
        ("a.npz", npz(matrix=np.array([["a"]])), "must hold integers or doubles"),
        ("a.npz", npz(matrix=np.ones((2, 2), dtype=complex)), "must hold integers or doubles"),
        ("a.npz", npz(matrix=np.ones((2, 2)), mask=np.ones((2, 3), dtype=bool)), "of shape 2 x 2"),
        ("a.npz", npz(matrix=np.full((2, 2), np.nan)), "no observed entry"),
        ("a.npz", npz(matrix=np.ones((0, 2))), "both sides must be at least 1"),
        (
            "a.npz",
            npz(rows=np.array([0, 0]), cols=np.array([0, 0]), values=np.array([1, 2]), shape=np.array([2, 2])),
            "was 1 before",
        ),
        (
            "a.npz",
            npz(rows=np.array([5]), cols=np.array([0]), values=np.array([1]), shape=np.array([2, 2])),
            "outside a 2 x 2",
        ),
        (
            "a.npz",
            npz(rows=np.array([[0]]), cols=np.array([0]), values=np.array([1]), shape=np.array([2, 2])),
            "vectors of one length",
        ),
        (
            "a.json",
            '{"shape": [2, 2], "entries": [[1, 1, 1e-5000], [1, 1, 1e5000]]}',
            "row 1, column 1 was 1/1000",
        ),
        ("a.xlsx", "1", "unknown suffix '.xlsx'; use one of .csv, .json, .mtx, .npy, .npz, .tsv, also with .gz"),
        ("noname", "1", "unknown suffix ''"),
    ],
)
def test_one_line_errors(tmp_path: Path, name: str, content: str | bytes, expected: str) -> None:
    with pytest.raises(ObservationError) as caught:
        read(tmp_path, name, content)
    message = str(caught.value)
    assert expected in message
    assert "\n" not in message
    assert message.startswith(str(tmp_path / name))


def test_files_that_are_not_there_or_too_large(tmp_path: Path) -> None:
    with pytest.raises(ObservationError, match="no such file"):
        read_observations(tmp_path / "absent.csv")
    with pytest.raises(ObservationError, match="no such file"):
        read_observations("a\0b.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(ObservationError, match="not a regular file"):
        read_observations(tmp_path / "folder.csv")
    with pytest.raises(ObservationError, match="larger than 10 bytes"):
        read(tmp_path, "a.csv", "1,2,3,4,5,6\n", Limits(file_bytes=10))
    with pytest.raises(ObservationError, match="at most 4 cells"):
        read(tmp_path, "a.csv", "1,2,3\n4,5,6\n", Limits(cells=4))
    with pytest.raises(ObservationError, match="more than 2 observed"):
        read(tmp_path, "a.csv", "1,2,3\n", Limits(entries=2))


def test_npz_bombs_are_refused_before_they_are_unpacked(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**6, 10**6)})
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("matrix.npy", header.getvalue())
    with pytest.raises(ObservationError, match="larger than"):
        read(tmp_path, "a.npz", stream.getvalue())
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("matrix.npy", bytes(1 << 20))
    with pytest.raises(ObservationError, match="larger than"):
        read(tmp_path, "b.npz", stream.getvalue(), Limits(file_bytes=1 << 16))


def test_npz_keeps_binary_values(tmp_path: Path) -> None:
    got = read(tmp_path, "a.npz", npz(matrix=np.array([[0.1, np.nan], [5e-324, 1e300]])))
    assert got.matrix() == ((Fraction(0.1), None), (Fraction(5e-324), Fraction(1e300)))
    masked = npz(matrix=np.array([[1, 2]], dtype=np.uint64), mask=np.array([[False, True]]))
    assert read(tmp_path, "b.npz", masked).matrix() == ((None, 2),)
    assert read(tmp_path, "only.npz", npz(any_name=np.array([[1.5, np.nan]]))).matrix() == ((Fraction(3, 2), None),)
    triples = npz(rows=[0, 1, 1], cols=[1, 0, 0], values=[0.5, 2.0, 2.0], shape=[2, 2])
    assert read(tmp_path, "c.npz", triples).matrix() == ((None, Fraction(1, 2)), (2, None))


def test_matrix_market(tmp_path: Path) -> None:
    banner = "%%MatrixMarket matrix "
    listed = read(tmp_path, "a.mtx", banner + "coordinate real general\n% note\n2 3 2\n1 1 0\n2 3 0.1\n")
    assert listed.matrix() == ((0, None, None), (None, None, Fraction(1, 10)))
    mirrored = read(tmp_path, "b.mtx", banner + "coordinate integer symmetric\n2 2 2\n1 1 1\n2 1 7\n")
    assert mirrored.matrix() == ((1, 7), (7, None))
    array = read(tmp_path, "c.mtx", banner + "array real general\n2 2\n1\n2\nnan\n4\n")
    assert array.matrix() == ((1, None), (2, 4))
    lower = read(tmp_path, "d.mtx", banner + "array real symmetric\n2 2\n1\n2\n4\n")
    assert lower.matrix() == ((1, 2), (2, 4))


@quick
@given(tables)
def test_formats_agree(tmp_path_factory: pytest.TempPathFactory, rows: list[list[Fraction | None]]) -> None:
    folder = tmp_path_factory.mktemp("formats")
    expected = Observations.from_rows(rows)
    marks = [["?" if v is None else str(v) for v in row] for row in rows]
    entries = [[i, j, str(v)] for i, j, v in expected.entries]
    lines = [f"{i + 1} {j + 1} {v}" for i, j, v in expected.entries]
    size = f"{len(rows)} {len(rows[0])} {len(lines)}"
    files = {
        "a.csv": "\n".join(",".join(row) for row in marks),
        "a.tsv": "\r\n".join("\t".join(row) for row in marks),
        "a.json": json.dumps([[None if v is None else str(v) for v in row] for row in rows]),
        "b.json": json.dumps({"shape": [len(rows), len(rows[0])], "base": 0, "entries": entries}),
        "c.json": json.dumps(expected.to_data()),
        "a.mtx": "\n".join(["%%MatrixMarket matrix coordinate real general", size, *lines]),
    }
    for name, content in files.items():
        assert read(folder, name, content) == expected, name
    assert Observations.from_data(expected.to_data()) == expected
    assert expected.transpose().transpose() == expected
    assert expected.pattern == Pattern.from_matrix([[v is not None for v in row] for row in rows])


@quick
@given(st.text(max_size=80), st.sampled_from(["a.csv", "a.tsv", "a.json", "a.mtx"]))
def test_any_text_is_read_or_refused_in_one_line(tmp_path_factory: pytest.TempPathFactory, text: str, name: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    try:
        read(tmp_path_factory.mktemp("any"), name, data)
    except ObservationError as error:
        assert len(str(error).splitlines()) == 1


@quick
@given(st.integers(0, 400), st.integers(0, 255))
def test_damaged_archives_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, place: int, byte: int) -> None:
    data = bytearray(npz(matrix=np.array([[1.0, np.nan]])))
    data[place % len(data)] = byte
    try:
        read(tmp_path_factory.mktemp("damaged"), "a.npz", bytes(data))
    except ObservationError as error:
        assert len(str(error).splitlines()) == 1


@quick
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_exact(x: float) -> None:
    assert exact(x) == Fraction(x)
    assert exact(np.float64(x)) == Fraction(x)
    assert float(parse_number(repr(x))) == x


@pytest.mark.parametrize("value", [True, None, float("nan"), float("inf"), 1j, "x", b"1"])
def test_what_is_no_number(value: object) -> None:
    with pytest.raises(ObservationError):
        exact(value)


def test_data_classes_refuse_nonsense() -> None:
    for bad in [(0, 1, ()), (1, 1, ((0, 0), (0, 0))), (1, 1, ((0, 1),))]:
        with pytest.raises(ObservationError):
            Pattern(*bad)
    with pytest.raises(ObservationError, match="no observed entry"):
        Observations(1, 1, ())
    with pytest.raises(ObservationError, match="keep one"):
        Observations.from_entries(1, 1, [(0, 0, 1), (0, 0, 2)])
    with pytest.raises(ObservationError, match="row 1 has 1 cells"):
        Observations.from_rows([[1, 2], [3]])


@quick
@given(st.integers(-9, 9), st.integers(0, 12000), st.integers(-3, 3))
def test_text_of_any_length(lead: int, zeros: int, tail: int) -> None:
    value = Fraction(lead * 10**zeros + tail, 3)
    assert parse_ratio(ratio_text(value)) == value
    assert exact(ratio_text(value)) == value
