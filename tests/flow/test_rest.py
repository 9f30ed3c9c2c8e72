"""A saddle and a minimum are told apart by certified signs, or not at all; and what is known before the first step."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from verify import cli
from verify.completion import Observations
from verify.flow import ask, rest
from verify.flow.balls import precision
from verify.flow.facts import beforehand
from verify.flow.models import FLOAT, deep_factorization
from verify.flow.starts import parse_start

RATINGS = "5,4,?\n4,?,1\n?,1,5\n"
NOISY = "1.1,2,?,-1\n2,4.1,6,?\n?,2,3,-1\n1,?,2.9,-1\n"


def flat(*factors):
    return [[Fraction(v) for row in f for v in row] for f in factors]


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_hessian_is_that_of_the_loss(depth):
    draw = np.random.default_rng(depth)
    model = deep_factorization([[1, None, 2], ["1/2", 3, None]], depth, [2] * (depth - 1))
    blocks = [draw.standard_normal(shape) for shape in model.shapes]
    with precision(80):
        found = rest._doubles(rest.hessian(model, [[arb(float(v)) for v in b.flat] for b in blocks]))
    at = np.cumsum([0] + [b.size for b in blocks])

    def field(y):
        parts = [y[a:b].reshape(s) for a, b, s in zip(at, at[1:], model.shapes, strict=False)]
        return -np.concatenate([b.ravel() for b in model.field(parts, FLOAT)])

    y, h = np.concatenate([b.ravel() for b in blocks]), 1e-6
    columns = [(field(y + h * e) - field(y - h * e)) / (2 * h) for e in np.eye(len(y))]
    assert np.allclose(found, np.array(columns), atol=1e-7)


def test_kinds_of_points():
    model = deep_factorization([[2, 0], [0, 1]], 2, [1])
    best = deep_factorization([[4, 0], [0, 1]], 2, [1])
    assert rest.nature(best, flat([[2, 0]], [[2], [0]])) == rest.MINIMUM  # the larger singular part
    assert rest.nature(best, flat([[0, 1]], [[0], [1]])) == rest.SADDLE  # the smaller one
    assert rest.nature(best, flat([[0, 0]], [[0], [0]])) == rest.SADDLE
    assert rest.nature(model, flat([[0, 0]], [[0], [0]])) == rest.SADDLE
    alike = deep_factorization([[4, 0], [0, 4]], 2, [1])  # a circle of minima, which is no orbit
    assert rest.nature(alike, flat([[2, 0]], [[2], [0]])) == rest.UNKNOWN
    deep = deep_factorization([[1]], 3)  # zero at depth 3: the Hessian vanishes
    assert rest.nature(deep, flat([[0]], [[0]], [[0]])) == rest.UNKNOWN


def test_beside_a_minimum_the_symmetry_makes_no_saddle():
    """Along the symmetry of the factors the Hessian is 0 at rest, and of either sign beside it."""
    best = deep_factorization([[4, 0], [0, 1]], 2, [1])
    alike = deep_factorization([[4, 0], [0, 4]], 2, [1])
    for shift in (Fraction(1, 10**6), -Fraction(1, 10**6)):
        assert rest.nature(best, flat([[2 + shift, 0]], [[2], [0]])) == rest.MINIMUM
        assert rest.nature(alike, flat([[2 + shift, shift]], [[2], [0]])) == rest.UNKNOWN


def test_the_sign_is_that_of_every_point_within_the_error():
    best = deep_factorization([[4, 0], [0, 1]], 2, [1])
    assert rest.nature(best, flat([[2, 0]], [[2], [0]]), Fraction(1, 100)) == rest.MINIMUM
    assert rest.nature(best, flat([[2, 0]], [[2], [0]]), Fraction(1)) == rest.UNKNOWN
    # A negative eigenvalue of -3 at zero: of at most 1 - 4 + 2 x^2 .. within a distance x; with 2 it can be lost.
    assert rest.nature(best, flat([[0, 0]], [[0], [0]]), Fraction(1, 10)) == rest.SADDLE
    assert rest.nature(best, flat([[0, 0]], [[0], [0]]), Fraction(2)) == rest.UNKNOWN
    # A saddle of curvature 1e-20 is told by the exact point, and not within a distance that may turn it.
    slight = deep_factorization([[4, 0], [0, Fraction(1, 10**20)]], 2, [1])
    assert rest.nature(slight, flat([[0, 0]], [[0], [0]])) == rest.SADDLE
    assert rest.nature(slight, flat([[2, 0]], [[2], [0]])) != rest.SADDLE


@pytest.mark.parametrize(("table", "start"), [(RATINGS, "gaussian:0.5,1"), (NOISY, "identity:1e-3")])
def test_a_minimum_of_a_narrow_network_is_not_called_a_saddle(tmp_path, monkeypatch, capfd, table, start):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(table)
    assert cli.run(["flow", "t.csv", "--hidden", "1", "--init", start]) == 0
    out = capfd.readouterr().out
    assert "undetermined" in out and "saddle" not in out and "a minimum for these widths" in out and "(certified)" in out
    assert "beforehand: the loss cannot tend to zero: the narrowest layer has width 1" in out


def test_a_saddle_is_called_one():
    """A plateau at depth 3 ahead, which is left after a time of 1e6; and one where the enclosure is."""
    data = Observations.from_rows([["2.1", None, 2], [2, None, "-2.9"]])
    factors = parse_start("identity:1e-6").factors(ask.shapes(2, 3, 3))
    found = ask.answer(ask.Question(data, 3, factors, 8))
    assert found.status == "undetermined" and "3.20695] (a saddle, as the Hessian there tells), for longer" in found.reason
    model = deep_factorization([[4, 1, None], [1, 1, 1], [None, 1, -1]], 2)
    near = flat(*[[[2, 0, 0], [0, Fraction(1, 10**5), 0], [0, 0, Fraction(1, 10**5)]]] * 2)
    assert rest.word(model, near, Fraction(1, 10**7)) == ""  # not at rest
    best = deep_factorization([[4, 0], [0, 1]], 2, [2])
    assert rest.word(best, flat([[2, 0], [0, 0]], [[2, 0], [0, 0]]), Fraction(1, 10**7)) == rest.WORDS[rest.SADDLE]


def test_what_is_known_before_the_first_step():
    def known(rows, depth, hidden, rank):
        data = Observations.from_rows(rows)
        factors = parse_start("identity:1").factors(ask.shapes(data.rows, data.cols, depth, hidden))
        return beforehand(ask.Question(data, depth, factors), rank)

    full = [[1, 2], [3, 4]]
    assert known(full, 2, None, (2, 2)) == ()
    assert [t.split(":")[0] for t in known(full, 2, 1, (2, 2))] == [
        "the loss cannot tend to zero",
        "the Jacobian of the residual has nowhere full row rank",
    ]
    assert known([[1, 2], [3, None]], 2, 1, (1, 2)) == ()  # three observations, rank one has three degrees of freedom
    assert known([[1, 2], [2, 4]], 2, 1, (1, 1)) == (
        "the Jacobian of the residual has nowhere full row rank: 4 observations, and products of rank 1 have 3 degrees of "
        "freedom",
    )
    assert known([[1, 2], [2, 4]], 2, 1, None) == known([[1, 2], [2, 4]], 2, 1, (1, 1))
    assert known(full, 1, None, (2, 2)) == ()


def test_no_jacobian_of_too_few_degrees_of_freedom_has_full_rank():
    """The statement itself, at random factors."""
    draw = np.random.default_rng(2)
    for rows, cols, width, depth in ((3, 3, 1, 2), (4, 3, 2, 3), (3, 4, 1, 3)):
        model = deep_factorization([[1] * cols] * rows, depth, [width] * (depth - 1))
        from verify.flow.geometry import jacobian_in_doubles

        blocks = [draw.standard_normal(shape)[None] for shape in model.shapes]
        jac = jacobian_in_doubles(model, [b[0] for b in blocks])[1]
        assert np.linalg.matrix_rank(jac) == width * (rows + cols - width) < rows * cols
