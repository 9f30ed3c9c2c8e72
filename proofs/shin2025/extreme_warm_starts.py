"""Theorem 6 and Lemmas 19 to 25 at extreme values: w12*/w* from 1e-6 to 1000, small and large w*, times from 1e-6 on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from flint import arb

from proofs.shin2025.extreme_values import Cases, at_most, compare, loss, same, state, vanishes
from proofs.shin2025.limit_curves import ball
from verify.registry import experiment

STARTS = [  # alpha = sqrt(w*), w12*/w*
    ("1", "1/1000000"), ("1", "1/100"), ("1", "1"), ("1", "30"), ("1", "1000"), ("1/100", "1/2"), ("100", "1/2"), ("1/100", "50"),
]  # fmt: skip
TIMES = tuple(Fraction(x) for x in ("0", "1/1000000", "1/100", "1", "10"))
"""In units of 1/w*."""
DIGITS = 40


def starts() -> Iterator[tuple[str, Fraction, Fraction, list[list[Fraction | None]], list[list[list[Fraction]]]]]:
    """Each start: its name, w*, w12*, the observed entries and the factors."""
    for root, ratio in STARTS:
        alpha = Fraction(root)
        w, corner = alpha * alpha, alpha * alpha * Fraction(ratio)
        layer = [[alpha, Fraction(0)], [Fraction(0), alpha]]
        yield f"w* = {w}, w12*/w* = {ratio}", w, corner, [[w, corner], [None, w]], [layer, layer]


def states() -> Iterator[tuple[str, Fraction, Fraction, Fraction, Any, Any]]:
    """Each start at each time: its name, w*, w12*, the time since T_1, the loss and the certified state."""
    for name, w, corner, target, layers in starts():
        for time in TIMES:
            found = state(target, layers, time / w, DIGITS)
            yield (
                f"{name}, w* (t - T_1) = {time}",
                w,
                corner,
                time,
                loss(target, found.product) if found.certified else None,
                found,
            )


def values(product: Any) -> tuple[Any, Any]:
    """Both singular values of a 2 x 2 matrix with positive determinant: (sigma_1 +- sigma_2)^2 = |W|_F^2 +- 2 det W."""
    (a, b), (c, d) = product
    size, determinant = a * a + b * b + c * c + d * d, a * d - b * c
    first = ((size + 2 * determinant).sqrt() + arb.max(size - 2 * determinant, arb(0)).sqrt()) / 2
    return first, determinant / first


def limits() -> Iterator[tuple[str, Any, Any, Any]]:
    """Each start: its name, w*, w12*/w* and the certified product of the limit, None where there is none."""
    for name, w, corner, target, layers in starts():
        found = state(target, layers, digits=DIGITS)
        yield name, ball(w), ball(corner / w), found.product if found.certified else None


@experiment("shin2025.theorem-6-loss", grade="numeric", name="extreme_values")
def loss_at_extreme_values(profile: str) -> dict[str, Any]:
    """The enclosed loss beside the printed bound, which it meets at T_1."""
    del profile
    return compare(
        (name, size is not None and at_most(size, ball(corner**2) / 2 * (-2 * ball(time)).exp()))
        for name, _, corner, time, size, _ in states()
    )


@experiment("shin2025.theorem-6-w21", grade="numeric", name="extreme_values")
def sign_at_extreme_values(profile: str) -> dict[str, Any]:
    """The enclosed unobserved entry is negative after T_1, from the time 1e-6/w* on and for w12*/w* from 1e-6 on."""
    del profile
    return compare((name, found.certified and bool(found.product[1][0] < 0)) for name, _, _, time, _, found in states() if time)


@experiment("shin2025.lemma-24", grade="numeric", name="extreme_values")
def coefficients_at_extreme_values(profile: str) -> dict[str, Any]:
    """a_11^2 + a_12^2 and det(B)^2/(a_21^2 + a_22^2), which mu = w* does not exceed, are at least w*."""
    del profile

    def cases() -> Cases:
        for name, w, _, _, _, found in states():
            if not found.certified:
                yield name, False
                continue
            (b11, b12), (b21, b22) = found.blocks[0]
            (a11, a12), (a21, a22) = found.blocks[1]
            determinant = b11 * b22 - b12 * b21
            least = a11 * a11 + a12 * a12, determinant * determinant / (a21 * a21 + a22 * a22)
            yield name, all(at_most(ball(w), x) for x in least)

    return compare(cases())


def not_negative(x: Any, size: Any) -> bool:
    """Whether x >= 0 is certain, or x is enclosed narrowly around 0, as at the start."""
    return bool(x >= 0) or vanishes(x, size)


Check = Callable[[Any, Any, Any, Any, Any], bool]
ALONG: tuple[tuple[str, str, Check], ...] = (
    ("lemma-19", "The pairs of (50) and w_11 = w_22.", lambda w, c, a, b, p: all(
        same(x, y) or vanishes(x - y) for x, y in ((a[0][0], b[1][1]), (a[0][1], b[0][1]), (a[1][0], b[1][0]), (a[1][1], b[0][0]),
                                                   (p[0][0], p[1][1])))),
    ("eq-54", "a_11^2 + a_21^2 = a_12^2 + a_22^2.", lambda w, c, a, b, p: same(
        a[0][0] * a[0][0] + a[1][0] * a[1][0], a[0][1] * a[0][1] + a[1][1] * a[1][1])),
    ("lemma-20-a11", "a_11 is positive.", lambda w, c, a, b, p: bool(a[0][0] > 0)),
    ("lemma-20-a22", "a_22 is positive.", lambda w, c, a, b, p: bool(a[1][1] > 0)),
    ("lemma-20-w11", "w_11 and w_22 are positive.", lambda w, c, a, b, p: bool(p[0][0] > 0) and bool(p[1][1] > 0)),
    ("lemma-21", "a_11 a_21 + a_12 a_22 is not negative.", lambda w, c, a, b, p: not_negative(a[0][0] * a[1][0] + a[0][1] * a[1][1], w)),
    ("lemma-22-w12", "w_12 does not exceed w12*.", lambda w, c, a, b, p: at_most(p[0][1], c)),
    ("lemma-22-w11", "w_11 and w_22 are at least w*.", lambda w, c, a, b, p: at_most(w, p[0][0]) and at_most(w, p[1][1])),
    ("lemma-22-w21", "w_21 is not positive.", lambda w, c, a, b, p: not_negative(-p[1][0], w)),
    ("lemma-23", "det W is at least w*^2.", lambda w, c, a, b, p: at_most(w * w, p[0][0] * p[1][1] - p[0][1] * p[1][0])),
)  # fmt: skip
"""What holds along the path: claim, in words, and the check of w*, w12*, A, B and W."""

for _claim, _says, _check in ALONG:

    def _along(profile: str, check: Check = _check) -> dict[str, Any]:
        del profile
        return compare(
            (name, found.certified and check(ball(w), ball(corner), found.blocks[1], found.blocks[0], found.product))
            for name, w, corner, _, _, found in states()
        )

    _along.__doc__ = f"{_says} Enclosed for w12*/w* from 1e-6 to 1000, at T_1 and from 1e-6/w* after it on."
    experiment(f"shin2025.{_claim}", grade="numeric", name="extreme_values")(_along)


@experiment("shin2025.lemma-25-sigma1", grade="numeric", name="extreme_values")
def largest_value_at_extreme_values(profile: str) -> dict[str, Any]:
    """The certified limit beside the upper bound, up to w12*/w* = 1000, where the bound is exp(2000)."""
    del profile
    return compare((name, p is not None and at_most(values(p)[0], w * (2 * x).exp())) for name, w, x, p in limits())


@experiment("shin2025.lemma-25-sigma2", grade="numeric", name="extreme_values")
def smallest_value_at_extreme_values(profile: str) -> dict[str, Any]:
    """The certified limit beside the lower bound."""
    del profile
    return compare((name, p is not None and at_most(w * (-2 * x).exp(), values(p)[1])) for name, w, x, p in limits())


@experiment("shin2025.theorem-6-stable-rank", grade="numeric", name="extreme_values")
def stable_rank_at_extreme_values(profile: str) -> dict[str, Any]:
    """The certified limit beside the lower bound, which tends to 2 for small and to 1 for large w12*/w*."""
    del profile

    def cases() -> Cases:
        for name, _, x, p in limits():
            if p is None:
                yield name, False
                continue
            first, second = values(p)
            yield name, at_most((-8 * x).exp(), (second / first) * (second / first))

    return compare(cases())
