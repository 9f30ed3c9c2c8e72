"""`verify flow`: answers are right and certified, every bad input is one line, and nothing is written by halves."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy
import pytest
from flint import arb

from tests.conftest import OneLine
from tests.support.world import World
from verify import cli
from verify.completion import Observations, read_observations
from verify.flow import ask, recheck, recheck_files
from verify.flow.balls import precision
from verify.flow.numbers import exact_text, number, short_text
from verify.flow.predictors import Reached, predictions
from verify.flow.starts import parse_start

ROOT = Path(__file__).parents[2]
DIAGONAL = "1,?\n?,1\n"
WARM = "1,0.1\n?,1\n"


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run `verify flow` in a folder with a few tables; returns (exit code, output)."""
    for name, text in {
        "d.csv": DIAGONAL,
        "w.csv": WARM,
        "neg.csv": "-1,?\n?,2\n",
        "one.csv": "1/2,?\n",
        "full.csv": "1,1\n1,-1\n",
    }.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, str]:
        code = cli.run(["flow", *args])
        out, err = capfd.readouterr()
        assert err == ""
        return code, out

    return run


def question(rows, depth, init, **rest):
    data = Observations.from_rows(rows)
    factors = parse_start(init).factors(ask.shapes(data.rows, data.cols, depth))
    return ask.Question(data, depth, factors, **rest)


def test_the_pair_is_exact_at_any_scale(call):
    code, out = call("d.csv", "--depth", "3", "--init", "ones:1e-35,2", "--digits", "30")
    assert code == 0
    assert "certified to 30 digits" in out and "1.00000000000000000000000000000" in out
    assert "4.21875000000e-106" in out  # the second singular value: (y(0)^-1 - x(0)^-1 + 2^(-1/3))^-3, x the larger one
    assert "coupled (Definition 2)" in out and "Theorem 4: applies" in out


@pytest.mark.parametrize(("depth", "m"), [(2, "2"), (3, "3"), (2, "inf")])
def test_the_pair_agrees_with_the_validated_engine(depth, m):
    q = question([[1, None], [None, 1]], depth, f"ones:1/10,{m}", digits=12)
    short = ask.answer(q)
    long = ask._validated(q, lambda text: None)
    assert short.certified and long.certified and "pair" in short.method and "validated steps" in long.method
    with precision(100):
        for a, b in zip(short.product.flat, long.product.flat, strict=True):
            assert a.overlaps(b)
        # The factors lie within the distance that is claimed.
        far = sum(((a - b) ** 2 for f, g in zip(short.factors, long.factors, strict=True) for a, b in zip(f, g, strict=True)))
        assert far <= (short.radius + long.radius) ** 2


def test_a_warm_start_and_its_certificates(call, tmp_path):
    code, out = call("d.csv", "--init", "identity:1e-35", "--then", "w.csv", "--digits", "20", "--certificate", "c.json")
    assert code == 0
    assert "-5.1847448171976369180e-5" in out and "Theorem 6: applies" in out and "1.44932896412" in out
    chain = json.loads((tmp_path / "c.json").read_text())
    assert recheck.check(chain["certificates"][1]).kind == "limit"
    assert recheck_files.main(["c.json"]) == 0


@pytest.mark.parametrize("first", ["d.csv", "unequal.csv"])
@pytest.mark.parametrize("depth", ["2", "3"])
def test_certificates_are_accepted_by_the_command_and_links_are_checked(call, tmp_path, capfd, first, depth):
    (tmp_path / "unequal.csv").write_text("1,?\n?,3\n")
    (tmp_path / "more.csv").write_text("1,1/4\n?,3\n")
    then = "w.csv" if first == "d.csv" else "more.csv"
    start = "identity:1e-6"
    code, _ = call(first, "--depth", depth, "--init", start, "--then", then, "--digits", "8", "--certificate", "c.json")
    assert code == 0 and cli.run(["recheck", "c.json"]) == 0
    assert capfd.readouterr().out.count("accepted  c.json (") == 2
    chain = json.loads((tmp_path / "c.json").read_text())
    chain["certificates"][1]["begin"]["error"] = ["0", 0]
    chain["certificates"][1]["start"][0][0][0] = "1/3"
    (tmp_path / "wrong.json").write_text(json.dumps(chain))
    assert cli.run(["recheck", "wrong.json"]) == 1
    assert "refused" in capfd.readouterr().out


def test_a_ball_of_starts_covers_its_points():
    rows = [[1, "0.1"], [None, 1]]
    q = question(rows, 2, "identity:1", digits=8)
    centre = ask.answer(q)
    ball = ask.answer(ask.Question(q.observations, 2, q.factors, 8, spread=Fraction(1, 10**16)))
    moved = tuple(tuple(tuple(v + Fraction(1, 10**17) for v in row) for row in f) for f in q.factors)
    other = ask.answer(ask.Question(q.observations, 2, moved, 8))
    assert centre.certified and ball.certified and other.certified
    with precision(80):
        for a, b, c in zip(ball.product.flat, centre.product.flat, other.product.flat, strict=True):
            assert a.overlaps(b) and a.overlaps(c)


def test_a_wide_ball_gives_fewer_digits():
    q = question([[1, "0.1"], [None, 1]], 2, "identity:1", digits=8)
    found = ask.answer(ask.Question(q.observations, 2, q.factors, 8, spread=Fraction(1, 10**9)))
    assert found.certified and 0 < found.digits < 8 and "8 were asked for" in found.reason


def test_a_limit_that_cannot_be_certified_is_undetermined(call):
    code, out = call("full.csv", "--hidden", "1", "--json")
    data = json.loads(out)
    assert code == 0 and data["status"] == "undetermined"
    assert "comes to rest" in data["reason"] and data["reason"].endswith("a sign of the Hessian is not decided")  # two equal ones
    with precision(80):
        assert abs(arb(data["product"][0][0]) - (1 + arb(2).sqrt()) / 2) < arb("0.01")
    assert data["certain_digits"] == 0 and data["checked"].startswith("undetermined")


def test_a_saddle_of_decoupled_flows_is_certified(call):
    code, out = call("neg.csv", "--json")
    data = json.loads(out)
    assert code == 0 and data["status"] == "certified" and "stays positive" in data["reason"]
    assert [[Fraction(v) for v in row] for row in data["product"]] == [[0, 0], [0, 2]] and Fraction(data["loss"]) == Fraction(
        1, 2
    )
    code, out = call("neg.csv", "--certificate", "proof.json")
    assert code == 0 and "stays positive" in out and recheck_files.main(["proof.json"]) == 0


def test_a_refused_certificate_leaves_nothing_certain(monkeypatch):
    def refuse(certificate):
        raise recheck.Refused("a bound does not hold", 0)

    monkeypatch.setattr(recheck, "check", refuse)
    found = ask.answer(question([[1, "0.1"], [None, 1]], 2, "identity:1", digits=8))
    assert found.status == "undetermined" and "refused" in found.reason and found.product is None


def test_the_steps_before_a_refused_one_are_shown(monkeypatch):
    genuine = recheck.check

    def refuse(certificate):
        if certificate["kind"] != "undetermined":
            raise recheck.Refused("a bound does not hold", 2)
        return genuine(certificate)

    monkeypatch.setattr(recheck, "check", refuse)
    found = ask.answer(question([[1, "0.1"], [None, 1]], 2, "identity:1", digits=8))
    assert found.status == "undetermined" and "step 2: a bound does not hold" in found.reason
    assert found.product is not None and len(found.certificate["steps"]) == 2


def test_a_step_that_ends_at_a_rounded_point_is_accepted():
    """Its error, which is that of rounding, is far above the radius of the run."""
    found = ask.answer(question([["4/5"]], 5, "gaussian:0.5,48", digits=10, time=Fraction(8, 5)))
    assert found.status == "certified"


def test_engines_agree():
    found = {}
    for engine in ask.ENGINES:
        found[engine] = ask.answer(question([[1, "0.5"], [None, 1]], 2, "identity:1", digits=12, engine=engine))
    assert [f.status for f in found.values()] == ["certified", "estimate", "estimate"]
    with precision(60):
        for engine, close in (("high-precision", "1e-11"), ("float64", "1e-6")):
            for a, b in zip(found["validated"].product.flat, found[engine].product.flat, strict=True):
                assert abs(a - b) < arb(close)


def test_a_finite_time(call):
    code, out = call("one.csv", "--depth", "1", "--init", "ones:1,1", "--to", "2", "--json")
    data = json.loads(out)
    with precision(80):  # depth 1: w = 1/2 + exp(-2)/2
        assert code == 0 and abs(arb(data["product"][0][0]) - (1 + (-arb(2)).exp()) / 2) < arb("1e-14")
        assert abs(arb(data["product"][0][1]) - 1) < arb("1e-14")


def test_a_sweep(call):
    code, out = call("d.csv", "--depth", "4", "--init", "ones:1,3", "--sweep", "alpha=1e-1..1e-35")
    rows = [line.split() for line in out.splitlines()[3:]]
    assert code == 0 and [r[0] for r in (rows[0], rows[-1])] == ["1e-1", "1e-35"] and len(rows) == 8
    assert all(r[1] == "certified" for r in rows) and rows[-1][-1] == "3.5116598e-141"


def test_a_report_is_reproducible_and_replaced_as_a_whole(call, tmp_path):
    for folder in ("one", "two", "two"):
        code, _ = call("w.csv", "--init", "identity:1", "--digits", "8", "--report", folder)
        assert code == 0
    names = {p.name for p in (tmp_path / "one").iterdir()}
    assert names == {"report.md", "flow.svg", "answer.json", "certificate.json"}
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    text = (tmp_path / "one/report.md").read_text()
    assert "](flow.svg)" in text and "certified to 8 digits" in text
    assert [p for p in tmp_path.iterdir() if p.name.startswith(".verify")] == []


@pytest.mark.parametrize(
    ("table", "args", "expected"),
    [
        ("1,2\n3\n", [], "line 2: 1 cells where the rows above have 2"),
        ("?,?\n?,?\n", [], "no observed entry"),
        ("1,x\n", [], "'x' is not a number"),
        ("1,inf\n", [], "'inf' is infinite"),
        (DIAGONAL, ["--init", "identity:0"], "it must be positive"),
        (DIAGONAL, ["--init", "ones:-1,2"], "it must be positive"),
        (DIAGONAL, ["--init", "ones:1,0"], "it must be positive"),
        (DIAGONAL, ["--init", "ones:1"], "write identity:ALPHA"),
        (DIAGONAL, ["--init", "identiti:1"], "nearest: identity"),
        (DIAGONAL, ["--init", "gaussian:1"], "the seed is missing; write gaussian:STD,SEED"),
        (DIAGONAL, ["--init", "gaussian:1,x"], "the seed must be a whole number"),
        (DIAGONAL, ["--init", "identity:nan"], "is not a number"),
        (DIAGONAL, ["--init", "file:none.json"], "no such file"),
        (DIAGONAL, ["--init", "file:t.csv"], "not JSON"),
        (DIAGONAL, ["--depth", "0"], "must be at least 1"),
        (DIAGONAL, ["--depth", "two"], "not a valid integer"),
        (DIAGONAL, ["--digits", "0"], "between 1 and 1000"),
        (DIAGONAL, ["--engine", "validatd"], "nearest: validated"),
        (DIAGONAL, ["--to", "-1"], "it must be at least 0"),
        (DIAGONAL, ["--to", "soon"], "is not a number"),
        (DIAGONAL, ["--hidden", "0"], "must be at least 1"),
        (DIAGONAL, ["--time-limit", "0"], "must be a positive number of seconds"),
        (DIAGONAL, ["--time-limit", "nan"], "must be a positive number of seconds"),
        (DIAGONAL, ["--sweep", "alpha=1"], "write alpha=A..B"),
        (DIAGONAL, ["--sweep", "alpha=1..0"], "it must be positive"),
        (DIAGONAL, ["--then", "none.csv"], "no such file"),
        (DIAGONAL, ["--then", "t.csv", "--engine", "float64"], "needs --engine validated"),
        (DIAGONAL, ["--report", "t.csv"], "is a file"),
        (DIAGONAL, ["--report", "."], "holds other things"),
        (DIAGONAL, ["--report", "none/none"], "no folder that can be written to"),
        (DIAGONAL, ["--certificate", "none/c.json"], "not a file in a folder that exists"),
        (DIAGONAL, ["--report", "/proc/x"], "no folder that can be written to"),
        (DIAGONAL, ["--certificate", "/proc/x"], "the folder cannot be written to"),
        (DIAGONAL, ["--depth", "2", "--depth", "3"], "--depth is given twice"),
        (DIAGONAL, ["--to", "1e400000"], "out of range"),
        ("1e400000,?\n", [], "out of range"),
        ("1e4500,?,1\n2,3,?\n", [], "takes numbers from 1e-3000 to 1e3000"),
        (DIAGONAL, ["--to", "1e-4500"], "takes numbers from 1e-3000 to 1e3000"),
        (DIAGONAL, ["--init", "file:"], "the path is missing"),
        (DIAGONAL, ["--init", "file:/"], "is a folder"),
        (DIAGONAL, ["--certificate", "c.json", "--engine", "float64"], "there is no certificate to write"),
        (DIAGONAL, ["--engine", "float64", "--init", "identity:1e-300"], "the float64 engine cannot take this"),
        ("1e300,2\n3,?\n", [], "takes values from 1e-60 to 1e60"),
        ("1,?\n2,-1e999\n", [], "in row 2, column 2, is -1e999"),
        ("1,?\n2,-1e3999\n", [], "in row 2, column 2 is -1e3999"),
        ("1,?\n2,-1e999\n", ["--engine", "float64"], "in row 2, column 2 is -1e999"),
        (DIAGONAL, ["--init", "identity:1e-4500"], "entry (1, 1) of the start W_1 is 1e-4500"),
        ("1e300,2\n3,?\n", ["--engine", "float64"], "beyond 1e308"),
        ("1," * 19 + "1\n" + ("?," * 19 + "?\n") * 19, [], "800 unknowns; the validated engine takes at most"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(world: World, one_line: OneLine, table, args, expected):
    (world.root / "t.csv").write_text(table)
    before = {p: p.read_bytes() for p in world.root.rglob("*") if p.is_file()}
    line = one_line("flow", "t.csv", *args)
    assert expected in line
    assert {p: p.read_bytes() for p in world.root.rglob("*") if p.is_file() and "cache" not in str(p)} == before


def test_the_examples_of_the_help_are_read(tmp_path, capfd):
    assert cli.run(["flow", "--help"]) == 0
    lines = [line.strip() for line in capfd.readouterr().out.splitlines()]
    at = lines.index("%%MatrixMarket matrix coordinate real general")
    texts = {"a.csv": "1, 0.5, ?", "b.mtx": "\n".join(lines[at : at + 3])}
    texts |= {f"{k}.json": line for k, line in enumerate(v for v in lines if v.startswith(("[[", "{")))}
    assert "1, 0.5, ?" in lines and len(texts) == 4
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        assert read_observations(tmp_path / name).rows <= 2
    numpy.savez(tmp_path / "x.npz", matrix=[[1, numpy.nan], [0.5, 2]])
    assert 'numpy.savez("x.npz", matrix=[[1, numpy.nan], [0.5, 2]])' in lines
    assert read_observations(tmp_path / "x.npz").matrix()[0] == (1, None)


def test_the_tutorial_is_what_the_command_prints(capfd, monkeypatch):
    """But for the number of steps and the bounds of what is nearly 0, which depend on the compiler."""
    monkeypatch.chdir(ROOT)
    lines = (ROOT / "README.md").read_text().splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("    $ verify flow data/kepler.csv"))
    assert cli.run(lines[at].split()[2:]) == 0
    out = capfd.readouterr().out.splitlines()
    shown = [line[4:] for line in itertools.takewhile(lambda v: not v or v.startswith("    "), lines[at + 1 :]) if line.strip()]
    rest = ("...", "singular values", "how:", "certificate accepted")
    assert len(shown) > 15 and all(line in out for line in shown if not line.startswith(rest))


def test_other_bad_files(world: World, one_line: OneLine):
    assert "no such file" in one_line("flow", "none.csv")
    assert "is a folder" in one_line("flow", ".")
    (world.root / "t.json").write_text('{"shape": [1, 2], "entries": [[1, 1, 2], [1, 1, 3]]}')
    assert "row 1, column 1 was 2 before and is 3 here" in one_line("flow", "t.json")
    (world.root / "t.csv").write_text(DIAGONAL)
    (world.root / "s.json").write_text("[[[1, 2], [3, 4]], [[1, 2]]]")
    assert "factor W_2 must be 2 x 2" in one_line("flow", "t.csv", "--init", "file:s.json")


def test_an_interrupt_leaves_nothing(call, tmp_path, monkeypatch, capfd):
    def interrupted(question, say):
        raise KeyboardInterrupt

    monkeypatch.setattr(ask, "answer", interrupted)
    before = sorted(p.name for p in tmp_path.iterdir())
    assert cli.run(["flow", "d.csv", "--report", "r", "--certificate", "c.json"]) == 130
    assert capfd.readouterr().err == "verify: interrupted; nothing was written\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == before


@pytest.mark.parametrize("table", ["d.csv", "w.csv", "neg.csv", "one.csv", "full.csv"])
@pytest.mark.parametrize("hidden", [1, 2, 3])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_predictors_take_any_widths(table, hidden, depth, call):
    data = read_observations(table)
    factors = parse_start("ones:1/2,3").factors(ask.shapes(data.rows, data.cols, depth, hidden))
    assert predictions(ROOT, data, depth, factors)


def test_a_very_short_time_is_answered(call):
    """The singular values differ by a part of 1e-50."""
    code, out = call("w.csv", "--to", "1e-50")
    assert code == 0 and "at t = 1e-50: certified to 15 digits" in out and "singular values   1.000000000" in out


def test_large_numbers_in_high_precision(call, tmp_path):
    (tmp_path / "large.csv").write_text("1e300,2\n3,?\n")
    code, out = call("large.csv", "--engine", "high-precision", "--report", "r")
    assert code == 0 and "1.00000000000000e300" in out and "an estimate" in out and (tmp_path / "r/flow.svg").is_file()


@pytest.mark.parametrize("engine", ask.ENGINES)
def test_at_time_0_there_is_the_start(call, engine):
    code, out = call("w.csv", "--init", "identity:1/2", "--to", "0", "--engine", engine, "--json")
    data = json.loads(out)
    assert code == 0 and data["time"] == "0" and data["status"] == ("certified" if engine == "validated" else "estimate")
    assert [[Fraction(v) for v in row] for row in data["product"]] == [[Fraction(1, 4), 0], [0, Fraction(1, 4)]]


def test_nothing_is_computed_where_nothing_can_be_written(call, tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(ask, "answer", None)
    for option in (["--report", "/proc/x"], ["--certificate", "/proc/c.json"]):
        assert cli.run(["flow", "d.csv", *option]) == 2
    assert capfd.readouterr().err.count("\n") == 2


def test_what_was_written_before_an_interrupt_is_named(call, tmp_path, monkeypatch, capfd):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("verify.commands.flow.click.echo", lambda text, err=False: print(text) if err else interrupted())
    assert cli.run(["flow", "w.csv", "--init", "identity:1", "--digits", "5", "--certificate", "c.json"]) == 130
    assert capfd.readouterr().out == "verify: interrupted; c.json was written\n" and (tmp_path / "c.json").is_file()


def test_an_interrupt_before_the_command_begins(call, monkeypatch, capfd):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("verify.cli.importlib.import_module", interrupted)
    for words, kept in ((["flow", "d.csv"], "nothing was written"), (["run"], "what was finished is in the cache")):
        assert cli.run(words) == 130
        assert capfd.readouterr().err == f"verify: interrupted; {kept}\n"


def test_starts_are_exact(tmp_path):
    start = parse_start("gaussian:1e-35,7")
    (a,) = start.factors([(2, 3)])
    (b,) = parse_start("gaussian:1,7").factors([(2, 3)])
    assert all(x == y * Fraction(1, 10**35) for p, q in zip(a, b, strict=True) for x, y in zip(p, q, strict=True))
    assert start.rescaled("2").text == "gaussian:2,7"
    (tmp_path / "s.json").write_text('[[["1/3", 0.1]]]')
    assert parse_start(f"file:{tmp_path}/s.json").factors([(1, 2)]) == (((Fraction(1, 3), Fraction(1, 10)),),)
    assert parse_start("ones:2,inf").factors([(1, 2)]) == (((2, 0),),)


def test_predictions_look_at_their_hypotheses():
    def told(rows, depth, init):
        q = question(rows, depth, init)
        return {p.theorem.partition(", ")[2]: p for p in predictions(ROOT, q.observations, depth, q.factors)}

    diagonal = [[1, None], [None, 1]]
    assert "9/5 (once) and 1/5" in told(diagonal, 2, "ones:1e-3,2")["Theorem 4"].prediction
    assert not told(diagonal, 2, "gaussian:1,1")["Theorem 4"].applies
    assert not told([[1, None], [None, 2]], 3, "ones:1e-3,2")["Theorem 4"].applies
    assert told(diagonal, 2, "gaussian:1,1")["Section 3.2 (connectivity)"].prediction.startswith("decoupled")
    assert not told([[1, "0.1"], [None, 1]], 2, "identity:1/2")["Theorem 6"].applies
    assert told([[1, None], [None, -2]], 2, "gaussian:1,1")["Proposition 17"].applies
    assert "equals the column" in told([[1, None], [None, -2]], 2, "identity:1")["Proposition 17"].why
    assert "Proposition 17" not in told([[1, None], [None, 2]], 3, "identity:1")


@pytest.mark.parametrize(
    ("rows", "depth", "init", "theorem", "why"),
    [
        ([[None, 1], [1, 0]], 2, "identity:1e-3", "Theorem 1", ""),
        ([[None, 1], [1, 0]], 3, "ones:1e-3,2", "Theorem 1", ""),
        ([[None, 1], [1, 0]], 2, "gaussian:1,1", "Theorem 1", "balanced"),
        ([[None, 1], [-1, 0]], 2, "identity:1", "Theorem 2", "negative determinant"),
        ([[1, None], ["1/2", -1]], 2, "identity:1", "Theorem 2", ""),  # z z' = -1, off the diagonal
        ([[1, None], ["1/2", 1]], 2, "identity:1", "Theorem 2", "negative determinant"),
        ([[None, 1], [0, 2]], 2, "identity:1", "Theorem 2", "different from 0"),
        ([[None, 1], [None, 2]], 2, "identity:1", "Theorem 2", "one unobserved entry"),
        ([[None, 1], [1, 0]], 1, "identity:1", "Theorem 1", "depth 2"),
    ],
)
def test_predictions_for_one_unobserved_entry(rows, depth, init, theorem, why):
    q = question(rows, depth, init)
    (found,) = [p for p in predictions(ROOT, q.observations, depth, q.factors) if p.theorem.startswith("Razin")]
    assert found.theorem.endswith(theorem) and found.applies == (why == "") and why in found.why
    assert bool(found.prediction) == found.applies


@pytest.mark.parametrize(
    ("rows", "depth", "init", "words"),
    [
        ([[1, None], [None, 2]], 2, "identity:1", "smallest nuclear norm"),
        ([[1, 2], [None, 2]], 2, "identity:1", "smallest rank"),
        ([[1, 2, None], [None, 2, None], [None, None, 1]], 2, "identity:1", "complete bipartite components"),
        ([[1, 2], [2, None]], 2, "identity:1", "smallest rank"),
        ([[-1, None], [None, 2]], 2, "identity:1", "stays positive semidefinite"),
        ([[1, 2, None], [2, 3, 1], [None, 1, None]], 2, "ones:1,2", "(d) fails at every scale"),
        ([[0, 2], [2, None]], 2, "identity:1", "(d) fails at every scale"),
        ([[1, None], [None, 2]], 3, "identity:1", "depth 2"),
        ([[1, None]], 2, "identity:1", "square"),
    ],
)
def test_predictions_for_small_scales(rows, depth, init, words):
    q = question(rows, depth, init)
    (found,) = [p for p in predictions(ROOT, q.observations, depth, q.factors) if p.theorem.startswith("Bai")]
    assert words in (found.why if found.applies is False else found.prediction)
    assert [h.partition(")")[0] for h, _ in found.hypotheses] == ([] if found.applies is False else ["(a", "(b", "(c", "(d"])


def test_predictions_for_small_scales_look_at_the_limit():
    def told(rows, **known):
        q = question(rows, 2, "identity:1")
        reached = Reached(**known)
        return next(p for p in predictions(ROOT, q.observations, 2, q.factors, reached) if p.theorem.startswith("Bai"))

    connected = [[1, 2], [3, None]]
    assert told(connected).applies is None and told(connected).hypotheses[3][1] == "not known"
    assert told(connected, fits=False).applies is False
    here = told(connected, fits=True, singular=("2", "0.5"), rank=(1, 1))
    assert "the limit from this start does" in here.hypotheses[3][1] and here.here.endswith("is 0.5")
    assert not told(connected, fits=True, singular=("2", "0.5"), rank=(1, 2)).here
    block = told([[1, None], [None, 2]], fits=True, nuclear="3.1", smallest="3")
    assert block.here == "nuclear norm 3.1; the smallest is 3"


def test_hypotheses_are_told_one_by_one(call, tmp_path):
    code, out = call("w.csv", "--digits", "6", "--all")
    assert code == 0 and "Theorem 3: not known whether it applies; if so, " in out
    assert "\n    (b) a start of full rank: yes\n" in out and "\n    here: the smallest is rank 1; singular value 2" in out
    call("w.csv", "--digits", "6", "--report", str(tmp_path / "r"), "--all")
    assert "| not known | (a) every invariant manifold" in (tmp_path / "r" / "report.md").read_text()


def test_numbers_as_text():
    with precision(100):
        assert number(arb("1.25", "1e-6"), 20) == "1.25000"
        assert number(arb(0, "3e-8"), 20) == "0 +- 5e-8" and number(arb(0, "3e-8000"), 20) == "0 +- 5e-8000"
        assert number(arb(0), 20) == "0" and number(arb(3), 20) == "3"
    assert number(arb(1, 0.5), 3) == "1 +- 0.501" and number(arb("2e300"), 1) == "2e300" and number(arb("inf"), 3) == "unknown"
    assert [short_text(Fraction(v)) for v in ("4e-300", "-1.25e300", "2/3")] == ["4e-300", "-1.25e300", "2/3"]
    assert short_text(Fraction(10**40 + 1, 3 * 10**40)) == "0.333333" and exact_text(Fraction(0), 3) == "0"
    assert exact_text(Fraction(-1, 80), 10) == "-0.0125" and exact_text(Fraction(1, 3), 5) == "1/3"


def test_a_flow_without_a_limit_is_told_from_a_slow_one(call, tmp_path):
    (tmp_path / "grows.csv").write_text("?,1\n1,0\n")
    code, out = call("grows.csv", "--digits", "10", "--max-steps", "20")
    assert code == 0 and "perhaps there is no limit" in out and "every norm of the product tends to infinity" in out
    assert "no limit" not in call("w.csv", "--max-steps", "3")[1]


def test_the_time_can_be_bounded(call):
    for engine in ("validated", "high-precision", "float64"):
        options = ["w.csv", "--digits", "40", "--engine", engine, "--json"]
        code, out = call(*options, "--time-limit", "1e-9")
        data = json.loads(out)
        assert code == 0 and data["status"] == "undetermined", engine
        assert "--time-limit" in data["reason"] and "--max-steps" not in data["reason"]
    assert json.loads(call("w.csv", "--time-limit", "600", "--json")[1])["status"] == "certified"


def test_a_run_that_is_given_up_tells_where_it_was(call, monkeypatch):
    from verify.flow import deadline

    asked = iter(range(100))
    monkeypatch.setattr(deadline, "passed", lambda: next(asked) >= 5)
    data = json.loads(call("w.csv", "--digits", "40", "--json")[1])
    assert data["status"] == "undetermined" and data["reason"].startswith("not decided after 5 steps, when the time was over")
    assert float(data["time"]) > 0


def test_limits_are_nested_and_end_with_their_block():
    from verify.flow import deadline

    assert deadline.left() == float("inf") and not deadline.passed()
    with deadline.within(1000):
        with deadline.within(2000):
            assert 900 < deadline.left() <= 1000
        with deadline.within(0):
            assert deadline.passed()
        assert not deadline.passed()
    assert deadline.left() == float("inf")


def test_the_number_of_steps_can_be_bounded(call):
    code, out = call("w.csv", "--max-steps", "3", "--json")
    data = json.loads(out)
    assert code == 0 and data["status"] == "undetermined"
    assert "after 3 steps" in data["reason"] and "--max-steps" in data["reason"]
    for engine in ("high-precision", "float64"):
        code, out = call("w.csv", "--max-steps", "3", "--engine", engine, "--json")
        assert code == 0 and json.loads(out)["status"] == "undetermined"
    assert json.loads(call("w.csv", "--json")[1])["status"] == "certified"


def test_fitted_cells_are_shown_as_they_were_given(call, tmp_path):
    (tmp_path / "mixed.csv").write_text("2.04,?,?\n?,-1,?\n?,?,1/3\n")
    code, out = call("mixed.csv", "--digits", "6")
    rows = [line.split() for line in out.splitlines()[5:8]]
    assert code == 0 and "not all observations are fitted" in out
    assert rows == [["2.04*", "0", "0"], ["0", "0*", "0"], ["0", "0", "1/3*"]]


def test_the_digits_of_a_first_stage_are_explained(call):
    code, out = call("d.csv", "--init", "identity:1e-2", "--then", "w.csv", "--digits", "8")
    heads = [line for line in out.splitlines() if line.startswith("product of the factors")]
    assert code == 0 and len(heads) == 2
    assert heads[0].endswith("certified to 23 digits (15 more than for the end, which is computed from here)")
    assert heads[1].endswith("certified to 8 digits")
