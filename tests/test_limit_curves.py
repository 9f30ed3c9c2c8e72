"""The enclosures of shin2025's limiting singular values, against another library, another method, and their properties."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from flint import arb, ctx

from proofs.shin2025 import limit_figures as figures
from proofs.shin2025.limit_curves import Ball, Limit, Setting, ball, limit, precision, printed_residuals
from proofs.shin2025.root_table import ROOTS
from verify.registry import REGISTRY, Figure, Place
from verify.run import drawing


def contains(x: Ball, value: mpmath.mpf, digits: int) -> bool:
    """Whether a ball, widened in the last of some digits, contains a value in high precision."""
    with precision(400):
        exact = arb(mpmath.nstr(value, digits + 10))
        return bool(abs(x.mid() - exact) < x.rad() + abs(exact) * arb(10) ** -digits)


def independent(setting: Setting, power: int) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Both singular values from the printed (9), solved in sigma_r by another library and method."""
    L, d, w, m = setting.depth, setting.dimension, setting.target, setting.ratio
    exact = lambda x: mpmath.mpf(x.numerator) / x.denominator  # noqa: E731
    w, m = exact(w), exact(m)
    alpha = mpmath.mpf(10) ** (mpmath.mpf(power) / L)
    constant = (alpha / m) ** (2 - L) * ((m + d - 1) ** (2 - L) - (m - 1) ** (2 - L))

    def nine(t: mpmath.mpf) -> mpmath.mpf:
        s = mpmath.exp(t)
        left = (w * d - (d - 1) * s**L) ** (mpmath.mpf(2 - L) / L) - s ** (2 - L)
        return left / constant - 1

    low, high = mpmath.log(w) / L - 120, mpmath.log(w) / L
    t = mpmath.findroot(nine, (low, high - mpmath.mpf(10) ** -60), solver="anderson", tol=1e-60, maxsteps=4000, verify=False)
    other = mpmath.exp(t) ** L
    return w * d - (d - 1) * other, other


@pytest.mark.parametrize("depth", [3, 4, 7])
def test_enclosures_contain_the_roots_of_another_library(depth: int) -> None:
    with mpmath.workdps(150):
        for ratio, power in (
            (Fraction(3, 2), 0),
            (Fraction(10), -1),
            (Fraction(100), 1),
            (Fraction(10**10), -9),
            (Fraction(2), -6),
        ):
            setting = Setting(Fraction(1, 10), 10, ratio, depth)
            largest, other = independent(setting, power)
            x = limit(setting, power)
            assert contains(x.largest, largest, 40)
            assert contains(x.other, other, 40)


def test_enclosures_meet_the_certified_table() -> None:
    rng = random.Random(7)
    for (depth, dimension, target, ratio), rows in rng.sample(sorted(ROOTS.items()), 12):
        for i, (s, es, x, ex) in enumerate(rows):
            found = limit(Setting(Fraction(target), dimension, Fraction(ratio), depth), -5 * i)
            with precision(300):
                for value, digits, exponent in ((found.other, s, es), (found.largest, x, ex)):
                    row = (arb(digits) * arb(10) ** exponent).union(arb(digits + 1) * arb(10) ** exponent)
                    assert row.overlaps((value.log() / depth).exp())


def test_printed_equations_at_extreme_parameters() -> None:
    for ratio in (1 + Fraction(1, 10**9), Fraction(10**10), Fraction(10**30)):
        for depth in (2, 3, 20):
            for power in (-300, -35, 0, 35):
                x = limit(Setting(Fraction(10), 3, ratio, depth), power)
                assert x.gap > 0 and x.other > 0
                assert (x.largest + 2 * x.other - 30).contains(0)
                if power == -35:
                    assert all(r.contains(0) for r in printed_residuals(x, power))


def test_monotone_in_the_scale_and_constant_at_depth_two() -> None:
    for depth in (3, 5, 12):
        setting = Setting(Fraction(1), 10, Fraction(10), depth)
        us = [limit(setting, Fraction(-i, 3)).log_ratio for i in range(-6, 60)]
        assert all(a < b for a, b in pairwise(us))
    shallow = Setting(Fraction(1), 10, Fraction(10), 2)
    assert limit(shallow, 5).largest.overlaps(limit(shallow, -35).largest)
    with precision():
        assert limit(shallow, 0).largest.overlaps(ball(Fraction(19**2, 109)))
        assert limit(shallow, 0).other.overlaps(ball(Fraction(9**2, 109)))


def test_scaling_law() -> None:
    one = limit(Setting(Fraction(1), 10, Fraction(10), 4), -7)
    ten = limit(Setting(Fraction(10), 10, Fraction(10), 4), -6)
    assert one.log_ratio.overlaps(ten.log_ratio)
    with precision():
        assert (10 * one.largest).overlaps(ten.largest)


def test_parameters_outside_the_theorem_are_refused() -> None:
    for target, dimension, ratio, depth in ((0, 2, 2, 3), (1, 1, 2, 3), (1, 2, 1, 3), (1, 2, 2, 1)):
        with pytest.raises(ValueError, match="Theorem 4"):
            Setting(Fraction(target), dimension, Fraction(ratio), depth)


def test_the_working_precision_is_put_back() -> None:
    before = ctx.prec
    with pytest.raises(ZeroDivisionError), precision(77):
        raise ZeroDivisionError
    limit(Setting(Fraction(1), 2, Fraction(2), 3), 0)
    assert ctx.prec == before


def test_findings() -> None:
    found = {claim: script("quick") for (claim, name), script in REGISTRY.scripts.items() if is_finding(claim, name)}
    assert {claim.partition(".")[2]: result["holds"] for claim, result in found.items()} == {
        "fig-2-setup": True,
        "fig-2-low-rank-finite-m": True,
        "fig-2-large-m": False,
    }
    near = found["shin2025.fig-2-large-m"]["statistics"]["within 1 percent of w* for"]
    assert near["L  5"] == "10^-10 <= alpha^L <= 1"


def is_finding(claim: str, name: str) -> bool:
    """Whether a script is an experiment on Figure 2."""
    return claim.startswith("shin2025.fig-2-") and (claim, name) in REGISTRY.experiments


def test_a_comparison_within_the_margin_does_not_count() -> None:
    assert figures.exceeds(arb("1.002"), arb(1))
    assert not figures.exceeds(arb("1.0005"), arb(1))
    assert not figures.exceeds(arb("1.002", "0.01"), arb(1))


def test_a_wide_enclosure_is_neither_near_nor_far() -> None:
    vague = Limit(Setting(Fraction(1), 10, Fraction(2), 3), arb(1), arb(1, 1), arb(1, 1), arb(0, 1))
    assert not figures.is_near(vague)
    assert not figures.is_far(vague)


def test_small_helpers() -> None:
    assert [figures.number(x) for x in (Fraction(3, 2), 100, 10**10, 12345)] == ["3/2", "100", "10^10", "12345"]
    assert [figures.power_above(arb(x)) for x in ("0.5", "1.5", "0.0099")] == [0, 1, -2]
    assert figures.largest_of([arb(1), arb(3), arb(2)]).overlaps(arb(3))
    assert figures.smallest_of([arb(1), arb(3), arb(2)]).overlaps(arb(1))


def test_a_figure_is_drawn_the_same_twice() -> None:
    place = Place("tests", "tests", 1)
    item = Figure("shin2025.fig-2-large-m", "figure-2-gap-at-large-m", "", place, "tests")
    script = REGISTRY.scripts[(item.claim, f"figure:{item.name}")]
    first, second = drawing.draw(script, item), drawing.draw(script, item)
    assert first == second
    assert first["svg"].startswith("<?xml") and "<dc:date>" not in first["svg"]
    assert "narrower than $10^{-" in first["caption"]
