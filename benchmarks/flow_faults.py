"""Faults put by hand into the checker of flows and into `verify/completion`, one at a time: the tests must notice each.

    python benchmarks/flow_faults.py [--quick] [PART OF A NAME]...

Each fault is a change of one place: a condition dropped, a bound off by one, a sign, a transpose, an error term left out. The tests
of the room run in a copy of the tree. Ends with 1 if a fault is not noticed. (About ten minutes on one core.)
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# ruff: noqa: E501

ROOT = Path(__file__).resolve().parents[1]
FLOW = [f"tests/flow/test_{n}.py" for n in ("recheck_edges", "recheck", "bounds", "recheck_command", "reductions")]
COMPLETION = ["tests/completion/test_recheck_edges.py", "tests/completion"]

CHECKER = {
    "start not in the first ball": ("recheck", "_need(within(start, mid, error), ", "_need(True, "),
    "distance without its square": ("recheck", "sum((_arb(v) ** 2 for v in gaps), arb(0)) <= _arb(distance) ** 2", "sum((_arb(v) ** 2 for v in gaps), arb(0)) <= _arb(distance)"),
    "no error before a step": ("recheck", "(_up(_arb(error)) + begin + miss) * growth.exp()", "(begin + miss) * growth.exp()"),
    "no distance to the polynomial": ("recheck", "(_up(_arb(error)) + begin + miss) * growth.exp()", "(_up(_arb(error)) + miss) * growth.exp()"),
    "no defect": ("recheck", "(_up(_arb(error)) + begin + miss) * growth.exp()", "(_up(_arb(error)) + begin) * growth.exp()"),
    "no growth": ("recheck", "(_up(_arb(error)) + begin + miss) * growth.exp()", "_up(_arb(error)) + begin + miss"),
    "no rounding": ("recheck", "bool(bound < rho), bool(bound + rounding <= _arb(new_error))", "bool(bound < rho), bool(bound <= _arb(new_error))"),
    "the radius is left": ("recheck", "stays, small = bool(bound < rho)", "stays, small = True"),
    "the radius is off by a factor": ("recheck", "stays, small = bool(bound < rho)", "stays, small = bool(bound < 2 * rho)"),
    "no slip of the speed": ("recheck", "miss = local if slack is None else _up(local + slack * length * _arb(model.factor) * swing)", "miss = local"),
    "slip without the value at 0": ("recheck", "    missed += abs(_arb(first(row) * one - 1))\n", ""),
    "time of the slowed step": ("recheck", "(at if beta is None else -(-beta * h).expm1() / beta)", "at"),
    "a final step may be too short": ("recheck", "_need(bool(at <= h), ", "_need(True, "),
    "a final step at its own end": ("recheck", "    if at is None:\n        ends", "    if True:\n        ends"),
    "the time need not be reached": ("recheck", '_need(arrived, "the time is not reached")', "pass"),
    "the claimed error": ("recheck", '_need(_dyadic(cert["claim"]["error"]) >= error', '_need(_dyadic(cert["claim"]["error"]) >= error / 2'),
    "no residual within the radius": ("recheck", "monotone = _up(_norm(constant) + 2 * reach + steepness * begin)", "monotone = _up(_norm(constant) + steepness * begin)"),
    "growth without the factor": ("recheck", "return _up(growth * _arb(model.factor) * model.data_norm * length / pieces)", "return _up(growth * model.data_norm * length / pieces)"),
    "growth without the data": ("recheck", "return _up(growth * _arb(model.factor) * model.data_norm * length / pieces)", "return _up(growth * _arb(model.factor) * length / pieces)"),
    "the speed at the wrong end of a piece": ("recheck", "(number if beta > 0 else number + 1) / pieces", "(number + 1 if beta > 0 else number) / pieces"),
    "the defect without what the nodes miss": ("recheck", "return _up(worst * (1 + 2 * arb(points).log() / arb.pi()) + rest)", "return _up(worst + rest)"),
    "the defect at too few points": ("recheck", "    points = min(whole, max(8, enough))\n", "    points = min(8, whole)\n    turn = 0\n    whole = points\n"),
    "the derivative by half": ("recheck", "out[k - 1] = out[k + 1] + 4 * k * c[k]", "out[k - 1] = out[k + 1] + 2 * k * c[k]"),
    "capture: no radius in the slope": ("recheck", "sigma = sigma0 - kappa * radius", "sigma = sigma0"),
    "capture: no error in the way": ("recheck", '_need(bool(e + rho0 / sigma < radius)', '_need(bool(rho0 / sigma < radius)'),
    "capture: no Newton term": ("recheck", "bound = _up(newton + e * (kappa * rho0 / sigma**2).exp())", "bound = _up(e * (kappa * rho0 / sigma**2).exp())"),
    "capture: no growth": ("recheck", "bound = _up(newton + e * (kappa * rho0 / sigma**2).exp())", "bound = _up(newton + e)"),
    "capture: no spill": ("recheck", "_need(bool(bound + spill <= _arb(new_error))", "_need(bool(bound <= _arb(new_error))"),
    "exponentials: no defect": ("recheck", "bound = _up((_up((_arb(error) + begin) * (steady * t).exp()) + local) * growth.exp())", "bound = _up(_up((_arb(error) + begin) * (steady * t).exp()) * growth.exp())"),
    "exponentials: no moving residual": ("recheck", "(sum((v * integral(k, arb(0)) for k, v in enumerate(sides) if k), arb(0)) + reach * t)", "(reach * t)"),
    "exponentials: no steady growth": ("recheck", "(_arb(error) + begin) * (steady * t).exp()", "(_arb(error) + begin)"),
    "exponentials: the derivative's sign": ("recheck", "_norm([f - w * x for f, x in pairs])", "_norm([f + w * x for f, x in pairs])"),
    "exponentials: rates of one sign": ("recheck", "for n, a in parts if bool(a > 0)), arb(0)).exp())\n        ends", "for n, a in parts if bool(a > 9)), arb(0)).exp())\n        ends"),
    "pair: only one end": ("recheck", "_need(bool(residual(left) < 0) and bool(residual(right) > 0), ", "_need(bool(residual(left) < 0), "),
    "pair: weights not swapped": ("recheck", "weights = (other, one) if swapped else (one, other)", "weights = (one, other)"),
    "pair: components not swapped": ("recheck", "[:: -1 if swapped else 1])", ")"),
    "pair: off by one in the power": ("recheck", "    power = depth - 2\n", "    power = max(depth - 3, 0)\n"),
    "gradient: a transpose": ("recheck_models", "delta = delta * _matrix(self.x).transpose()", "delta = delta * _matrix(self.x)"),
    "curvature: a pair left out": ("recheck_models", "                if k != j:\n                    term = arb(1)", "                if k > j:\n                    term = arb(1)"),
    "slope: no square": ("recheck_models", "total += term * term", "total += term"),
    "tensor: no rank in the slope": ("recheck_models", "        self.slope_factor = self.rank\n", ""),
    "norm of one row": ("recheck_balls", "row = arb_mat(1, len(values), values)", "row = arb_mat(1, max(1, len(values) - 1), values[: max(1, len(values) - 1)])"),
    "spectral norm: a root too many": ("recheck_balls", "for _ in range(5):", "for _ in range(6):"),
    "stationary at one entry": ("recheck", "for c in range(model.entries))", "for c in range(1))"),
    "blocks: the start may link": ("recheck_reductions", '_need(v == 0 or owner[level + 1][j] == owner[level][i], "the start links two parts")', "pass"),
    "blocks: data may link": ("recheck_reductions", '_need(blocks and target == 0, "an observed entry links two parts")', "pass"),
    "parts: another start": ("recheck_reductions", '_need(given == mine, where + "another start")', "pass"),
    "parts: other observations": ("recheck_reductions", 'where + "other observations")', 'where + "other observations") if False else None'),
    "chain: one end": ("recheck_reductions", '_need(bool(h(low) < _arb(tau)) and bool(h(high) > _arb(tau))', '_need(bool(h(low) < _arb(tau))'),
    "chain: a sign": ("recheck_reductions", "sign = -sign if xs[k] < 0 else sign", "sign = sign"),
    "single entry: halves": ("recheck_reductions", "row = [(x + y) / 2 for x, y in zip(sums, gaps, strict=True)]", "row = [(x - y) / 2 for x, y in zip(sums, gaps, strict=True)]"),
    "truncated: the loss may be large": ("recheck_reductions", "_need(bool(left * left < level)", "_need(bool(left < level)"),
    "truncated: level": ("recheck_reductions", "kept[-1] - (rest[0][0] if rest else 0)", "kept[-1]"),
    "determinant of an unbalanced start": ("recheck_reductions", "if balanced(start) and determinant(target)", "if determinant(target)"),
    "links of a chain": ("recheck_files", 'dyadic(later["begin"]["error"]) - error)', 'dyadic(later["begin"]["error"]))'),
    "chains of other models": ("recheck_files", "    if _apart_from_targets(later[\"model\"]) != before:\n", "    if False:\n"),
    "product: no error": ("recheck_numbers", "balls = _all(model, [[v + arb(0, error) for v in flat] for flat in mids])", "balls = _all(model, mids)"),
}  # fmt: skip

ROOM = {
    "majorants: the inner one": ("recheck", "spread = _inner(outer, one, two, order) - _inner(inner, one, two, order)", "spread = Fraction(0)"),
    "a coefficient may be zero": ("recheck", '_need(abs(actual) > spread, "a Taylor coefficient may be zero")', "pass"),
    "edges need not connect": ("recheck", '_need(linked[problem.cells[0]] == set(problem.cells), "the edges do not connect all observations")', "pass"),
    "sign of the flow": ("recheck", "sign = Fraction(1 if positive else -1)", "sign = Fraction(1)"),
    "support: the start": ("recheck", '_need((a, b) in places[level] or (v == 0 and spread == 0), "a start is outside the set")', "pass"),
    "support: radii": ("recheck", "(v == 0 and spread == 0)", "(v == 0)"),
    "support: parts share": ("recheck", '                above[level][p].isdisjoint(above[level][x]) or below[level][q].isdisjoint(below[level][y]),', "                True,"),
    "parts: all observations": ("recheck", '_need(len(where) == len(problem.cells), "the parts do not partition the observations")', "pass"),
    "affine: the flow leaves": ("recheck", '_need(v == inside, "the flow can leave the set")', "pass"),
    "affine: gradients": ("recheck", '_need(_inner((above, below), one, two, 0) == 0, "gradients of two parts are not orthogonal")', "pass"),
    "semidefinite: a zero pivot": ("recheck", "(pivot == 0 and any(top[k + 1 :]))", "False"),
    "semidefinite: symmetric": ("recheck", "    if any(matrix[i][j] != matrix[j][i] for i in range(size) for j in range(i)):\n        return False\n", ""),
    "nuclear: the completion": ("recheck", '_need(all(x[i][j] == v for (i, j), v in values.items()), "the completion changes an observed entry")', "pass"),
    "nuclear: the dual matrix": ("recheck", '_need(is_semidefinite(_block(_identity(rows), y, _identity(cols))), "the dual matrix is too large")', "pass"),
    "nuclear: half the trace": ("recheck", "return lower, trace / 2", "return lower, trace"),
    "rank: a minor of zero": ("recheck", '_need(_determinant([[values[i, j] for j in cols] for i in rows]) != 0, "a minor is zero")', "pass"),
    "rank: a cycle of odd length": ("recheck", '_need(count >= 4 and count % 2 == 0, ', "_need(count >= 3, "),
    "rank: the products agree": ("recheck", '_need(products[0] != products[1], "the products around the walk agree")', "pass"),
    "rank: zero completion": ("recheck", '_need(not any(values.values()), "an observed entry is not zero")', "pass"),
    "determinant: the sign of a row": ("recheck", "rows[i] = [v - factor * w for v, w in zip(rows[i], rows[k], strict=True)]", "rows[i] = [v + factor * w for v, w in zip(rows[i], rows[k], strict=True)]"),
}  # fmt: skip


def main() -> int:
    """Try all faults whose name has the words in it."""
    quick = "--quick" in sys.argv  # only the first file of tests of the flows
    wanted = [word for word in sys.argv[1:] if word != "--quick"] or [""]
    faults = [(n, Path("verify/flow"), *f, FLOW[:1] if quick else FLOW) for n, f in CHECKER.items()]
    faults += [(n, Path("verify/completion"), *f, COMPLETION) for n, f in ROOM.items()]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "reports", ".verify-cache", "__pycache__"))
        for name, room, module, old, new, tests in faults:
            if not any(word in name for word in wanted):
                continue
            path = copy / room / f"{module}.py"
            text = path.read_text(encoding="utf-8")
            if text.count(old) != 1:
                print(f"{name}: the place is there {text.count(old)} times")
                missed += 1
                continue
            path.write_text(text.replace(old, new), encoding="utf-8")
            began = time.monotonic()
            words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
            run = subprocess.run(words, cwd=copy, capture_output=True, text=True, check=False, timeout=900)
            path.write_text(text, encoding="utf-8")
            by = next((line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))), "")
            missed += run.returncode == 0
            print(f"{'NOT NOTICED' if run.returncode == 0 else 'noticed':<12}{name} ({time.monotonic() - began:.0f} s) {by[:100]}", flush=True)
    print(f"{missed} not noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
