"""`--time-limit` bounds the whole command, whatever takes the time; sweeps keep their rows; high precision says how far it is."""

from __future__ import annotations

import json
import signal
import time
from fractions import Fraction

import pytest
from flint import arb, ctx

from tests.flow.test_command import question
from verify import cli
from verify.flow import ask, deadline, precise, recheck
from verify.flow.balls import precision

SLACK = 1.5  # seconds that a machine with other work may be late


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.csv").write_text("1,0.1\n?,1\n")
    (tmp_path / "n.csv").write_text("1.968,1.193,\n1.304,0.754,0.568\n1.599,0.955,0.892\n")

    def run(*args: str):
        begun = time.monotonic()
        code = cli.run(["flow", *args])
        return code, capfd.readouterr().out, time.monotonic() - begun

    call_once = run
    call_once("w.csv", "--digits", "5")  # imports
    return run


def forever(*_):
    while True:
        time.sleep(0.01)


@pytest.mark.parametrize("digits", ["15", "300"])
@pytest.mark.parametrize("engine", ["validated", "high-precision", "float64"])
def test_the_command_ends_in_time(call, engine, digits):
    code, out, seconds = call("n.csv", "--engine", engine, "--digits", digits, "--depth", "3", "--time-limit", "2", "--json")
    assert code == 0 and seconds < 2 + SLACK
    assert json.loads(out)["status"] in ("undetermined", "estimate")


@pytest.mark.parametrize(
    ("place", "name", "told"),
    [
        ("verify.flow.facts", "coupling", "the time was over"),
        ("verify.flow.facts", "minimum_nuclear_norm", "nuclear norm not known: the time was over"),
        ("verify.flow.facts", "minimum_rank_bounds", "rank not known: the time was over"),
        ("verify.flow.facts", "spectrum_of", "singular values   not known: the time was over"),
        ("verify.flow.predictors", "predictions", "certified to 15 digits"),
        ("verify.flow.recheck", "check", "the time was over before anything was certain"),
        ("verify.flow.ask", "certified_limit", "the time was over before anything was certain"),
    ],
)
def test_whatever_takes_too_long_is_given_up_alone(call, monkeypatch, place, name, told):
    import importlib

    monkeypatch.setattr(importlib.import_module(place), name, forever)
    code, out, seconds = call("w.csv", "--time-limit", "3")
    assert code == 0 and seconds < 3 + SLACK and told in out
    if name not in ("check", "certified_limit"):
        assert "certified to 15 digits" in out


def test_a_file_that_is_not_read_in_time_is_one_line(call, monkeypatch):
    import verify.completion
    from verify.commands import _tables
    from verify.completion import Layout
    from verify.errors import InputError

    monkeypatch.setattr(verify.completion, "read_observations", lambda *_, **__: forever())
    with pytest.raises(InputError, match="the time limit was over before the file was read"), deadline.within(0.3):
        _tables.read("w.csv", Layout())


def test_the_checker_looks_at_as_many_steps_as_there_is_time_for(monkeypatch):
    genuine = recheck.check

    def slow(certificate):
        time.sleep(0.1 * len(certificate["steps"]))
        return genuine(certificate)

    monkeypatch.setattr(recheck, "check", slow)
    asked = question([[1, "0.1"], [None, 1]], 2, "identity:1e-6")
    free = ask.answer(ask.Question(asked.observations, 2, asked.factors, 30))
    count = len(free.certificate["steps"])
    assert free.certified and count > 12
    bound = 0.1 * count * 0.7
    found = ask.answer(ask.Question(asked.observations, 2, asked.factors, 30, seconds=2 * bound))
    assert found.status == "undetermined" and "no time for the checker" in found.reason and "--time-limit" in found.reason
    assert found.product is not None and 3 <= len(found.certificate["steps"]) < count


def test_an_alarm_ends_work_and_puts_everything_back():
    before = signal.getsignal(signal.SIGALRM)
    saved = ctx.prec
    with pytest.raises(deadline.Over), deadline.enforced(0.05), precision(777):
        forever()
    assert ctx.prec == saved and signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0 and deadline.left() == float("inf")
    assert deadline.in_time(1, lambda: 3, lambda: 4) == 3
    with deadline.within(0.05):
        assert deadline.in_time(1, forever, lambda: 4) == 4


def test_an_inner_alarm_leaves_the_outer_one():
    begun = time.monotonic()
    with pytest.raises(deadline.Over), deadline.enforced(0.3):
        with pytest.raises(deadline.Over), deadline.enforced(0.05):
            forever()
        assert time.monotonic() - begun < 0.25
        forever()
    assert 0.25 < time.monotonic() - begun < 0.3 + SLACK


def test_an_alarm_that_is_lost_rings_again():
    class Slow:
        def __del__(self):
            end = time.monotonic() + 0.1
            while time.monotonic() < end:
                pass

    with pytest.raises(deadline.Over), deadline.enforced(0.05):
        thing = Slow()
        del thing
        forever()


# -- sweeps
# ----------------------------------------------------------------------------------------------------


def test_a_row_that_fails_does_not_lose_the_others(call, monkeypatch):
    from verify.flow import scales

    genuine = ask.answer

    def answer(asked, *rest):
        if asked.factors[0][0][0] == Fraction(1, 100):
            raise AssertionError("a fault of the program")
        return genuine(asked, *rest)

    monkeypatch.setattr(scales, "answer", answer)
    code, out, _ = call("w.csv", "--sweep", "alpha=1e-1..1e-3", "--digits", "6")
    rows = out.splitlines()[3:]
    assert code == 1 and [r.split()[1] for r in rows] == ["certified", "failed", "certified"]
    assert "an error of this program, AssertionError: a fault of the program" in rows[1]


def test_a_scale_that_is_refused_is_a_row(call):
    code, out, _ = call("w.csv", "--sweep", "alpha=1e-1..1e-3000", "--digits", "6", "--max-steps", "5")
    rows = [line.split()[1] for line in out.splitlines()[3:]]
    assert code == 0 and rows[0] == "undetermined" and rows[-1] == "refused" and len(rows) == 8


def test_a_sweep_ends_in_time_and_tells_how_long_it_takes(call, monkeypatch):
    from verify.commands import flow as command

    told: list[str] = []
    monkeypatch.setattr(command._Ticker, "_say", lambda self, text: told.append(text))
    code, out, seconds = call("n.csv", "--depth", "3", "--sweep", "alpha=1e-1..1e-3", "--time-limit", "3")
    assert code == 0 and seconds < 3 + SLACK and len(out.splitlines()) == 6
    assert told[0] == "[1/3] scale 1e-1" and "s for the others" in told[1]


def test_an_interrupted_sweep_shows_its_rows(tmp_path, monkeypatch, capfd):
    from verify.flow import scales

    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.csv").write_text("1,0.1\n?,1\n")
    genuine, count = ask.answer, iter(range(9))

    def answer(asked, *rest):
        if next(count) == 2:
            raise KeyboardInterrupt
        return genuine(asked, *rest)

    monkeypatch.setattr(scales, "answer", answer)
    assert cli.run(["flow", "w.csv", "--sweep", "alpha=1e-1..1e-4", "--digits", "6"]) == 130
    assert capfd.readouterr().out.count("certified") == 2


# -- high precision
# ----------------------------------------------------------------------------------------------------


def test_high_precision_notices_rest_at_a_positive_loss():
    rows = [["1.1", 2, None, -1], [2, "4.1", 6, None], [None, 2, 3, -1], [1, None, "2.9", -1]]
    narrow = question(rows, 2, "identity:1e-3", digits=15, engine="high-precision")
    factors = tuple(tuple(tuple(row[:1]) for row in f) if k else (f[0],) for k, f in enumerate(narrow.factors))
    found = ask.answer(ask.Question(narrow.observations, 2, factors, 15, engine="high-precision"))
    assert found.status == "estimate" and "at rest, the loss stays at 0.00582784" in found.reason
    assert "a minimum for these widths" in found.reason
    with precision(100):
        assert abs(found.product[0, 0] - arb("1.0209825922081889390")) < arb("1e-13")
    saddle = ask.answer(question([[-1, None], [None, -2]], 2, "identity:1e-1", digits=8, engine="high-precision"))
    assert saddle.status == "estimate" and "the loss stays at 2.5; a saddle" in saddle.reason


def test_high_precision_shows_how_far_it_came_and_what_is_left():
    said: list[str] = []
    asked = question([[1, "0.1"], [None, 1]], 2, "identity:1e-3", digits=20, engine="high-precision", max_steps=30)
    found = ask.answer(asked, said.append)
    assert found.status == "undetermined" and found.product is not None and not found.enclosed and found.loss is not None
    assert "--max-steps" in found.reason and any("residual" in text and "s more" in text for text in said)


def test_high_precision_has_a_forecast(monkeypatch):
    monkeypatch.setattr(precise, "first_step", lambda *_: 10.0)
    asked = question([[1, "0.1"], [None, 1]], 2, "identity:1", digits=12, engine="high-precision")
    found = ask.answer(asked)
    assert found.status == "undetermined" and "20 minutes or more; allow them with --time-limit" in found.reason
    allowed = ask.Question(asked.observations, 2, asked.factors, 12, engine="high-precision", seconds=100.0)
    assert ask.answer(allowed).status == "estimate"
