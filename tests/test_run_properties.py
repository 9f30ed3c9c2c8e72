"""Properties of the machinery of a run, for random values, sources and plans."""

from __future__ import annotations

import ast
import io
import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.errors import InputError
from verify.project import Project
from verify.registry import Binding, Place, Registry
from verify.run import frames, recorded, seal
from verify.run.engine import in_order
from verify.run.files import canonical, claims_json, digest, read_json, rows_json, write
from verify.run.keys import Keys, cache_key
from verify.run.sources import Sources
from verify.run.store import Store
from verify.verdict import Amendment, Argument, Grade, Mutants, Open, Outcome, Reading, Verdict, Witness

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.none() | st.booleans() | st.integers(-3, 10**9) | FLOATS | st.text(max_size=5)
JSON = st.recursive(PLAIN, lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=3), x, max_size=3), max_leaves=6)
OBJECTS = st.dictionaries(st.text(max_size=3), JSON, max_size=4)
NAMES = st.sampled_from(["a", "b", "c", "dd", "e1"])


class Trickle(io.RawIOBase):
    """A stream that gives one byte at a time, as a pipe may."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def read(self, size: int = -1, /) -> bytes:
        self.at += 1
        return self.data[self.at - 1 : self.at] if size else b""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("properties")


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    """A store of a user with a key."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        with Store(folder / "cache") as found:
            yield found


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same JSON: 1, 1.0 and true are three values."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b and str(a) == str(b)  # -0.0 is not 0.0


@given(JSON, JSON)
def test_canonical_json_gives_equal_bytes_for_equal_values_only(a: Any, b: Any) -> None:
    assert same(json.loads(canonical(a)), a)
    assert canonical(a).isascii()
    assert (digest(a) == digest(b)) == same(a, b)


@given(OBJECTS, st.randoms(use_true_random=False))
def test_canonical_json_does_not_depend_on_the_order_of_keys(value: dict[str, Any], chance: Any) -> None:
    items = list(value.items())
    chance.shuffle(items)
    assert canonical(dict(items)) == canonical(value)
    assert rows_json(dict(items)) == rows_json(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"x": [float("-inf")]}])
def test_what_is_no_json_has_no_digest(value: Any) -> None:
    with pytest.raises(ValueError, match="JSON"):
        digest(value)


@given(OBJECTS, OBJECTS)
def test_files_with_a_line_for_every_key_are_the_same_json(head: dict[str, Any], claims: dict[str, Any]) -> None:
    whole = {**head, "claims": claims}
    assert same(json.loads(claims_json(whole)), whole)
    assert same(json.loads(rows_json(claims)), claims)
    assert len(rows_json(claims).splitlines()) == max(1, len(claims)) + 2


@given(text=st.text(max_size=20).map(lambda t: t.encode(errors="ignore").decode()))
def test_a_file_is_written_once_and_whole(folder: Path, text: str) -> None:
    path = folder / "written"
    path.unlink(missing_ok=True)
    assert write(path, text)
    assert not write(path, text)
    assert path.read_bytes() == text.encode()
    assert not list(folder.glob(".*.tmp"))


@given(value=JSON, less=st.integers(1, 5), junk=st.binary(max_size=12))
def test_reading_json_gives_the_value_or_one_line(folder: Path, value: Any, less: int, junk: bytes) -> None:
    path = folder / "value.json"
    path.write_text(canonical(value))
    assert same(read_json(path), value)
    assert same(read_json(path, len(canonical(value))), value)
    with pytest.raises(InputError, match=r"value\.json: larger than"):
        read_json(path, max(0, len(canonical(value)) - less))
    path.write_bytes(junk)
    try:
        read_json(path)
    except InputError as error:
        assert str(error).startswith("value.json: not valid JSON: ")
        assert len(str(error).splitlines()) == 1


@given(st.lists(JSON, max_size=3), st.data())
def test_messages_come_out_as_they_went_in_and_a_cut_one_not_at_all(values: list[Any], data: st.DataObject) -> None:
    stream, ends = io.BytesIO(), [0]
    for value in values:
        frames.send(stream, value)
        ends.append(stream.tell())
    cut = data.draw(st.integers(0, ends[-1]))
    whole = [v for v, end in zip(values, ends[1:], strict=True) if end <= cut]
    for source in (io.BytesIO(stream.getvalue()[:cut]), Trickle(stream.getvalue()[:cut])):
        assert same([frames.receive(cast(Any, source)) for _ in whole], whole)
        assert frames.receive(cast(Any, source)) is None


@given(key=st.text(max_size=8).map(lambda t: t.encode(errors="ignore").decode()), value=JSON, data=st.data())
def test_the_store_gives_back_what_it_got_and_nothing_that_was_edited_or_moved(
    store: Store, key: str, value: Any, data: st.DataObject
) -> None:
    row = store.put(key, value)
    assert store.row(key) == row
    assert same(store.get(key), value)
    assert same(Store.open(row), value)
    at, bit = data.draw(st.integers(0, len(row) - 1)), data.draw(st.integers(0, 7))
    edited = row[:at] + bytes([row[at] ^ 1 << bit]) + row[at + 1 :]
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key + "'", row))
    assert store.get(key + "'") is None
    other.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, edited))
    found = store.get(key)
    assert found is None or (at == 0 and found == value)  # the mark alone is not sealed: it holds nothing
    other.execute("DELETE FROM results WHERE key = ?", (key + "'",))
    other.close()


@given(st.binary(min_size=1, max_size=4), st.text("ab\0", max_size=3), st.binary(max_size=4), st.text("ab", max_size=3))
def test_a_seal_is_of_one_key_name_and_content(key: bytes, name: str, content: bytes, other: str) -> None:
    made = seal.seal(key, name, content)
    assert len(made) == seal.SIZE
    assert seal.fits(key, name, content, made)
    assert not seal.fits(key + b"1", name, content, made)
    assert not seal.fits(key, name, content + b"1", made)
    assert seal.fits(key, other, content, made) == (other == name)


WORDS = st.text("abc ", max_size=4)
LISTS = st.lists(WORDS, max_size=2).map(tuple)
READINGS = st.builds(Reading, st.text("abc", min_size=1, max_size=3), st.sampled_from(Outcome), WORDS, WORDS)
VERDICTS = st.builds(
    Verdict,
    outcome=st.sampled_from(Outcome),
    grade=st.none() | st.sampled_from(Grade),
    argument=st.none() | st.sampled_from(Argument),
    amendment=st.none() | st.builds(Amendment, WORDS, st.sampled_from(Outcome), st.none() | st.sampled_from(Grade), WORDS),
    reason=WORDS,
    open=st.none() | st.sampled_from(Open),
    context=LISTS,
    added=LISTS,
    witness=st.none() | st.sampled_from(Witness),
    counterexample=st.none() | st.dictionaries(WORDS, WORDS, max_size=2),
    readings=st.lists(READINGS, max_size=2).map(tuple),
    trusted_steps=LISTS,
    axioms=LISTS,
    uses=LISTS,
    oracles=LISTS,
    obligations=st.integers(0, 9),
    mutants=st.builds(Mutants, *[st.integers(0, 9)] * 4),
)


@given(VERDICTS)
def test_a_recorded_verdict_is_read_as_it_was_written(verdict: Verdict) -> None:
    text = claims_json({"schema": recorded.SCHEMA, "claims": {"p.c": verdict.to_json()}})
    assert recorded.parse_verdicts(json.loads(text), "v") == {"p.c": verdict}


ODD = [float("inf"), float("nan"), 0, -1, True, "", "x", [], {}, [1], [[]], {"x": 1}, ["x"], [{}]]


@given(VERDICTS, st.sampled_from(sorted(Verdict().to_json())))
def test_a_damaged_verdict_is_an_error_in_one_line_or_can_be_used(verdict: Verdict, key: str) -> None:
    for value in ODD:
        entry = {**verdict.to_json(), key: value}
        try:
            found = recorded.parse_verdicts({"schema": 1, "claims": {"p.c": entry}}, "v.json")["p.c"]
        except InputError as error:
            assert str(error) == f"v.json: p.c: not a verdict; {recorded.ANEW}"
        else:
            assert found.words()
            assert found.differs_from(found) == []
            assert Verdict.from_json(found.to_json()) == found


@given(JSON | st.builds(lambda schema, claims: {"schema": schema, "claims": claims}, st.sampled_from([0, 1]), JSON))
def test_any_json_as_verdicts_pins_or_record_is_read_or_an_error_in_one_line(value: Any) -> None:
    for read in (recorded.parse_verdicts, recorded.pinned):
        try:
            found = read(value, "x.json")
        except InputError as error:
            assert str(error).startswith("x.json: ")
            assert len(str(error).splitlines()) == 1
        else:
            assert found.keys() <= (value["claims"] if read is recorded.parse_verdicts else value).keys()


ITEM = st.fixed_dictionaries({"status": st.sampled_from(["done", "done", "failed"])}, optional={"svg": PLAIN})
DAMAGED = st.sampled_from([None, 1, "x", [], {"a": 1}, {"a": {}}, {"t": {"status": None}}])
ENTRY = st.fixed_dictionaries(
    {
        "inputs": st.fixed_dictionaries(
            {}, optional={k: st.sampled_from(["0", "1", 2, None]) for k in ("experiment:t", "figure:t")}
        ),
        "roles": st.dictionaries(NAMES, ITEM, max_size=2),
        "tests": st.dictionaries(st.just("t"), ITEM, max_size=1),
    },
    optional={
        "figures": st.dictionaries(st.just("t"), ITEM, max_size=1),
        "searched": st.dictionaries(NAMES, PLAIN, max_size=1) | PLAIN,
    },
)


PINS = st.dictionaries(NAMES, st.dictionaries(NAMES, st.text("01", max_size=2)))


@given(claims=st.dictionaries(NAMES, ENTRY, max_size=2), pins=PINS, data=st.data())
def test_a_damaged_record_is_read_or_an_error_in_one_line(
    folder: Path, claims: dict[str, Any], pins: dict[str, Any], data: st.DataObject
) -> None:
    reports = folder / "reports"
    if claims and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(["inputs", "roles", "tests", "figures", "searched"]))
        claims[min(claims)][key] = data.draw(DAMAGED)
    write(reports / recorded.RECORD, canonical({"schema": 1, "claims": claims}))
    write(reports / recorded.STATEMENTS, canonical(pins))
    project = cast(Project, SimpleNamespace(reports=reports, relative=lambda p: p.name, registry=Registry()))
    try:
        done = recorded.experiments(project)
    except InputError as error:
        assert str(error).startswith("record.json: ")
        assert str(error).endswith(recorded.ANEW)
        return
    assert all(isinstance(key, str) and test["status"] == "done" for key, test in done.items())
    assert recorded.inputs(project).keys() == claims.keys()
    assert recorded.figures(project) == {}  # none of them is bound
    assert all(isinstance(key, str) for key in recorded.searched(project))
    for claim, roles in recorded.proved(project).items():
        assert set(roles) == {r for r in pins[claim] if claim in claims and r not in claims[claim]["roles"]}


@given(st.dictionaries(st.integers(0, 7), st.sets(st.integers(0, 7), max_size=3)), st.sets(st.integers(0, 9), max_size=4))
def test_a_plan_has_every_bound_claim_that_is_needed_after_what_it_uses(uses: dict[int, set[int]], selected: set[int]) -> None:
    below = {n: {u for u in used if u < n} for n, used in uses.items()}  # a claim uses earlier ones, bound or not
    registry, place = Registry(), Place("m", "m.py", 1)
    for n, used in below.items():
        registry.add_binding(Binding(f"p.{n}", "statement", "x", place, "m", uses=tuple(f"p.{u}" for u in sorted(used))))
    order = in_order(registry, [f"p.{n}" for n in selected])
    needed, queue = set[int](), list(selected)
    while queue:
        n = queue.pop()
        if n in below and n not in needed:
            needed.add(n)
            queue.extend(below[n])
    assert set(order) == {f"p.{n}" for n in needed}
    seen: set[str] = set()
    for claim, used in order.items():
        assert set(used) == {f"p.{u}" for u in below[int(claim[2:])] if u in below}
        assert seen.issuperset(used)
        seen.add(claim)


@given(st.text("ab", max_size=3), st.text("ab", max_size=3), st.sampled_from(["matplotlib", "no-such-library"]))
def test_the_key_of_the_cache_depends_on_inputs_and_libraries(a: str, b: str, library: str) -> None:
    assert (cache_key(a) == cache_key(b)) == (a == b)
    assert cache_key(a, library) != cache_key(a)
    assert len(cache_key(a)) == 64


FILES = st.dictionaries(
    st.sampled_from(["data.csv", "sub/x.json", "notes.md", "p.py", ".hidden", "sub/.h/x", "constants.toml", "__pycache__/x"]),
    st.binary(max_size=2),
    max_size=5,
)
COUNTS = {"data.csv", "sub/x.json"}


@given(one=FILES, two=FILES)
def test_a_key_depends_on_the_data_files_of_a_paper_only(folder: Path, one: dict[str, bytes], two: dict[str, bytes]) -> None:
    found = []
    for files in (one, two):
        paper = folder / "paper"
        shutil.rmtree(paper, ignore_errors=True)
        for name, content in {"catalogue.toml": b"", **files}.items():
            (paper / name).parent.mkdir(parents=True, exist_ok=True)
            (paper / name).write_bytes(content)
        papers = {"p": SimpleNamespace(slug="p", path=paper / "catalogue.toml")}
        found.append(Keys(cast(Project, SimpleNamespace(root=folder, papers=papers))).data("p.c"))
    counted = [{name: content for name, content in files.items() if name in COUNTS} for files in (one, two)]
    assert (found[0] == found[1]) == (counted[0] == counted[1])


STEPS = st.lists(st.integers(0, 3), min_size=4, max_size=4)
MODULE = '''"""{prose}"""
HELP = {0}
OTHER = {1}


def helper(x):
    """{prose}"""
    return x + HELP


@holds("p.c", "x")
def script(g):
    """{prose}"""
    return helper({2})


@holds("p.d", "y")
def another(g):
    return OTHER + {3}
'''


def digests_of(folder: Path, steps: list[int], prose: str) -> list[str]:
    """Of both digests of the first script, and of the second, in a module."""
    text = MODULE.format(*steps, prose=prose)
    (folder / "m.py").write_text(text)
    first, second = [node.lineno for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)][1:]
    sources = Sources({"m": [folder / "m"]})
    return [sources.own_digest("m", [first]), sources.slice_digest("m", [first]), sources.own_digest("m", [second])]


@given(one=STEPS, two=STEPS, prose=st.sampled_from(["Words.", "Other words.", "A line.\n\n    More."]))
def test_a_source_counts_for_what_uses_it_and_prose_for_none(folder: Path, one: list[int], two: list[int], prose: str) -> None:
    before, after = digests_of(folder, one, "Words."), digests_of(folder, two, prose)
    used = [[steps[0], steps[2]] for steps in (one, two)]
    assert (before[0] == after[0]) == (used[0] == used[1])
    assert (before[1] == after[1]) == (used[0] == used[1] and prose == "Words.")
    assert (before[2] == after[2]) == ([one[1], one[3]] == [two[1], two[3]])


@given(before=STEPS, after=STEPS)
def test_a_remembered_outline_of_a_module_gives_the_same_digests_and_counts_for_its_text_only(
    folder: Path, store: Store, before: list[int], after: list[int]
) -> None:
    text = MODULE.format(*before, prose="Words.")
    for steps in (before, after):
        (folder / "m.py").write_text(MODULE.format(*steps, prose="Words."))
        line = next(n for n, words in enumerate(text.splitlines(), 1) if words.startswith("def script"))
        plain, first, second = (Sources({"m": [folder / "m"]}, memory) for memory in (None, store, store))
        expected = plain.own_digest("m", [line]), plain.slice_digest("m", [line])
        assert (first.own_digest("m", [line]), first.slice_digest("m", [line])) == expected
        assert (second.own_digest("m", [line]), second.slice_digest("m", [line])) == expected
