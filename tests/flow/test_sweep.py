"""Many tables at once, the linearly implicit flow, and sweeps that can be interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner

from tests.support.interrupting import listen_to_interrupts
from verify.cli import cli
from verify.completion.observations import Pattern
from verify.errors import InputError
from verify.flow import sweep
from verify.flow.batch import State, Stop, gradient_flow, losses
from verify.flow.family import DeepFamily, tables
from verify.flow.models import FLOAT, deep_factorization
from verify.flow.stiff import stiff_flow

PATTERNS = [Pattern(3, 3, ((0, 0), (1, 1), (2, 0))), Pattern(3, 3, ((0, 1), (2, 2))), Pattern(3, 3, ((0, 0), (0, 1), (1, 1)))]
SMALL = sweep.Sweep(rows=2, cols=2, depths=(2, 3), scales=("1e-1", "1e-3"), seeds=2)


def runs(depth: int, scale: float, seed: int = 4):
    draw = np.random.default_rng(seed)
    masks, targets = tables(PATTERNS, draw.standard_normal((3, 3, 3)))
    return [scale * draw.standard_normal((3, 3, 3)) for _ in range(depth)], masks, targets


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_family_has_the_fields_of_its_members(depth):
    blocks, masks, targets = runs(depth, 0.7)
    model = DeepFamily((3,) * (depth + 1))
    whole = model.field([*blocks, masks, targets], FLOAT)
    assert all((part == 0).all() for part in whole[depth:])
    for k in range(3):
        cells = [[t if m else None for m, t in zip(*rows, strict=True)] for rows in zip(masks[k], targets[k], strict=True)]
        one = deep_factorization(cells, depth)
        for a, b in zip(whole, one.field([b[k] for b in blocks], FLOAT), strict=False):
            assert np.allclose(a[k], b, rtol=1e-13, atol=1e-14)
        assert model.loss([*blocks, masks, targets], FLOAT)[k] == pytest.approx(one.loss([b[k] for b in blocks], FLOAT))


def test_the_observations_do_not_enter_the_tolerance():
    blocks, masks, targets = runs(2, 1e-9)
    model = DeepFamily((3, 3, 3))
    state = State.begin(model, [*blocks, masks, targets])
    gradient_flow(model, state, Stop(time=1.0), rtol=1e-8)
    for k in range(3):
        # As small as this the flow is linear: (W_1^T)' = T^T W_2, W_2' = T W_1^T.
        exact = exponential(masks[k] * targets[k]) @ np.vstack([blocks[0][k].T, blocks[1][k]])
        assert np.allclose(np.vstack([state.blocks[0][k].T, state.blocks[1][k]]), exact, rtol=1e-6, atol=1e-15)


def exponential(t):
    """exp of [[0, T^T], [T, 0]] by its eigenvalues."""
    n = len(t)
    m = np.zeros((2 * n, 2 * n))
    m[:n, n:], m[n:, :n] = t.T, t
    values, vectors = np.linalg.eigh(m)
    return vectors @ np.diag(np.exp(values)) @ vectors.T


def test_the_implicit_flow_has_order_four():
    blocks, masks, targets = runs(3, 0.8)
    model = DeepFamily((3,) * 4)

    def end(flow, **options):
        state = State.begin(model, [*(b.copy() for b in blocks), masks, targets])
        flow(model, state, Stop(time=1.0), **options)
        assert set(state.reasons()) == {"time"}
        return np.concatenate([b.reshape(-1) for b in state.blocks]), int(state.steps.max())

    exact, _ = end(gradient_flow, rtol=1e-12)
    found = [end(stiff_flow, rtol=r) for r in (1e-4, 1e-5, 1e-6, 1e-7)]
    errors = [np.abs(y - exact).max() for y, _ in found]
    assert all(b < 0.25 * a for a, b in pairwise(errors)) and errors[-1] < 1e-6
    assert found[-1][1] < 10 * found[0][1]  # a thousand times smaller a tolerance: 1000^(1/4) times as many steps


def test_the_implicit_flow_crosses_long_slow_stretches():
    """A small observed entry next to large ones at depth 4: 10^5 and more units of time, where an explicit step is below 1."""
    masks, targets = tables([Pattern(2, 2, ((0, 0), (1, 1)))], [[[2.0, 0.0], [0.0, 0.004]]])
    model = DeepFamily((2,) * 5)
    blocks = [np.array([[[0.1, 0.02], [-0.01, 0.1]]]) for _ in range(4)]
    state = State.begin(model, [*blocks, masks, targets])
    stiff_flow(model, state, Stop(loss=1e-12, steps=2000), rtol=1e-5)
    assert state.reasons() == ["loss"] and state.time[0] > 1e3 and state.steps[0] < 500
    assert losses(model, state)[0] <= 1e-12


def test_the_implicit_flow_refuses():
    model = DeepFamily((3, 3, 3))
    blocks, masks, targets = runs(2, 0.5)
    state = State.begin(model, [*blocks, masks, targets])
    with pytest.raises(ValueError, match="tolerance"):
        stiff_flow(model, state, Stop(time=1.0), rtol=0)
    with pytest.raises(ValueError, match="no limit"):
        stiff_flow(model, state, Stop(steps=None))
    wide = DeepFamily((12, 12, 12))
    big = State.begin(wide, [np.eye(12)[None]] * 4)
    with pytest.raises(ValueError, match="at most"):
        stiff_flow(wide, big, Stop(time=1.0))
    with pytest.raises(ValueError, match="widths"):
        DeepFamily((3,))


def test_a_sweep_goes_on_where_it_stopped(tmp_path):
    folder = tmp_path / "state"
    whole = {(c.pattern, c.depth): c for c in sweep.run(SMALL, jobs=1)}
    assert len(whole) == 2 * len(SMALL.patterns()) == 10
    assert sweep.ended(list(whole.values())) == {"loss": 40}
    partly = sweep.run(SMALL, folder, jobs=1)
    for _ in range(5):
        next(partly)
    partly.close()
    (folder / "depth-9.json.part").write_text("left behind")
    kept = sorted(p.name for p in folder.glob("depth-*.json"))
    assert len(kept) == 5
    said: list[str] = []
    again = {(c.pattern, c.depth): c for c in sweep.run(SMALL, folder, jobs=1, say=said.append)}
    assert said[0] == "5 of 10 chunks are there" and again == whole
    assert len(list(folder.glob("depth-*.json"))) == 10


def test_a_sweep_on_cores_gives_the_same(tmp_path):
    one = sorted(sweep.run(SMALL, jobs=1), key=lambda c: (c.pattern, c.depth))
    two = sorted(sweep.run(SMALL, tmp_path / "state", jobs=2), key=lambda c: (c.pattern, c.depth))
    assert one == two


def test_folders_that_are_refused(tmp_path):
    def start(folder, what=SMALL):
        next(iter(sweep.run(what, folder, jobs=1)))

    start(tmp_path / "state")
    with pytest.raises(InputError, match="another sweep"):
        start(tmp_path / "state", sweep.Sweep(rows=2, cols=2, depths=(2,), scales=("1",), seeds=1))
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file"):
        start(tmp_path / "file")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thing").write_text("")
    with pytest.raises(InputError, match="other things"):
        start(tmp_path / "other")
    chunk = next((tmp_path / "state").glob("depth-*.json"))
    chunk.write_text(json.dumps({"pattern": 0}))
    with pytest.raises(InputError, match="no chunk"):
        start(tmp_path / "state")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depths": ()}, "depths"),
        ({"depths": (2, 2)}, "depths"),
        ({"depths": (0,)}, "depths"),
        ({"seeds": 0}, "seeds"),
        ({"scales": ()}, "scales"),
        ({"scales": ("-1",)}, "scales"),
        ({"rows": 0}, "sides of 1"),
        ({"rows": 7, "cols": 2}, "sides of 1"),
        ({"rows": 5, "cols": 5}, "at most 16"),
        ({"rows": 4, "cols": 4, "depths": (13,)}, "unknowns"),
    ],
)
def test_sweeps_that_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        sweep.Sweep(**options)


def test_effective_rank():
    assert sweep.effective_rank([2.0, 2.0, 0.0]) == pytest.approx(2)
    assert sweep.effective_rank([3.0, 0.0]) == 1
    assert np.isnan(sweep.effective_rank([0.0, 0.0]))


# -- the command
# ----------------------------------------------------------------------------------------------------


def test_the_command(tmp_path):
    words = ["2x2", "--depths", "2", "--scales", "1e-1,1e-3", "--seeds", "2", "--jobs", "1"]
    shown = CliRunner().invoke(cli, ["sweep", *words])
    assert shown.exit_code == 0 and "5 patterns with an observation, 4 connected and 1 not" in shown.output
    assert "depth 2" in shown.output and "disconnected" in shown.output
    data = json.loads(CliRunner().invoke(cli, ["sweep", *words, "--json"]).output)
    assert data["patterns"] == {"connected": 4, "disconnected": 1} and len(data["means"]) == 4
    assert data["means"][0] | {"effective rank": 0, "standard error": 0} == {
        "connected": True,
        "depth": 2,
        "scale": "1e-1",
        "runs": 8,
        "converged": 8,
        "effective rank": 0,
        "standard error": 0,
    }


@pytest.mark.parametrize(
    "words",
    [
        ["3"],
        ["3xa"],
        ["9x9"],
        ["--depths", "2,x"],
        ["--depths", ""],
        ["--scales", "0"],
        ["--scales", "nan"],
        ["--scales", "1e-100"],
        ["--seeds", "0"],
        ["--state", __file__],
    ],
)
def test_bad_words_are_refused_in_one_line(words):
    with pytest.raises(InputError) as error:
        CliRunner().invoke(cli, ["sweep", *words], catch_exceptions=False)
    assert "\n" not in str(error.value)


def test_an_interrupted_command_keeps_what_is_finished(tmp_path):
    folder = tmp_path / "state"
    words = [sys.executable, "-m", "verify", "sweep", "3x3", "--depths", "4", "--state", str(folder), "--jobs", "2"]
    process = subprocess.Popen(
        words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=listen_to_interrupts
    )
    deadline = time.monotonic() + 120
    while not list(folder.glob("depth-*.json")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 130 and "interrupted" in told and "Traceback" not in told
    assert not list(folder.glob("*.part"))
    kept = sorted(folder.glob("depth-*.json"))
    assert 1 <= len(kept) < 25
    number = int(kept[0].stem[-3:])
    assert next(iter(sweep.run(sweep.Sweep(depths=(4,)), folder, jobs=1))) == sweep.run_chunk(sweep.Sweep(depths=(4,)), number, 4)


def breaking(number, depth, error):
    """`run_chunk`, but for one chunk."""
    genuine = sweep.run_chunk

    def run(what, k, level):
        if (k, level) == (number, depth):
            raise error
        return genuine(what, k, level)

    return run


def test_a_chunk_that_fails_is_a_row_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(sweep, "run_chunk", breaking(1, 3, np.linalg.LinAlgError("SVD did not converge")))
    words = ["sweep", "2x2", "--depths", "2,3", "--scales", "1e-1,1e-3", "--seeds", "2", "--jobs", "1"]
    words += ["--state", str(tmp_path / "s")]
    result = CliRunner().invoke(cli, words, catch_exceptions=False, standalone_mode=False)
    assert result.return_value == 1 and "failed: pattern 1 at depth 3: LinAlgError: SVD did not converge" in result.output
    assert "36 by loss" in result.output and "4 by failed" in result.output
    assert len(list((tmp_path / "s").glob("depth-*.json"))) == 9  # the failed one is tried again
    monkeypatch.undo()
    result = CliRunner().invoke(cli, words, catch_exceptions=False, standalone_mode=False)
    assert result.return_value == 0 and "40 by loss" in result.output and "failed" not in result.output


def test_a_forecast_is_told():
    said: list[str] = []
    list(sweep.run(SMALL, jobs=1, say=said.append))
    assert said[1].startswith("1 of 10 chunks, about ") and said[-1] == "10 of 10 chunks, about 0 s left"


DYING = """
import os, sys
from verify.flow import sweep
genuine = sweep.run_chunk
def run_chunk(what, number, depth):
    if (number, depth) == (1, 3):
        os._exit(7)
    return genuine(what, number, depth)
sweep.run_chunk = run_chunk
if __name__ == "__main__":
    small = sweep.Sweep(rows=2, cols=2, depths=(2, 3), scales=("1e-1",), seeds=1)
    for chunk in sweep.run(small, jobs=2):
        print(chunk.pattern, chunk.depth, chunk.failed)
"""


def test_a_worker_that_dies_costs_its_chunk_only(tmp_path):
    (tmp_path / "dying.py").write_text(DYING)
    run = subprocess.run([sys.executable, "dying.py"], cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False)
    lines = run.stdout.splitlines()
    assert run.returncode == 0, run.stderr
    assert len(lines) == 10 and "1 3 the process that ran it died" in lines


def test_no_worker_is_left_when_a_sweep_is_killed(tmp_path):
    words = [sys.executable, "-m", "verify", "sweep", "4x4", "--depths", "4", "--state", str(tmp_path / "s"), "--jobs", "2"]
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def workers():
        found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False)
        return [int(v) for v in found.stdout.split()]

    end = time.monotonic() + 60
    while len(workers()) < 3 and time.monotonic() < end:  # two workers and a process that tracks resources
        time.sleep(0.05)
    children = workers()
    time.sleep(2.0)  # they are importing, or at work
    process.kill()
    process.wait()
    end = time.monotonic() + 30
    while any(alive(child) for child in children) and time.monotonic() < end:
        time.sleep(0.05)
    assert len(children) >= 3 and not any(alive(child) for child in children)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as handle:
            return handle.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
