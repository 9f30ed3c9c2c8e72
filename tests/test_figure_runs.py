"""What the experiments of Figures 4 and 10 to 12 rest on: counts of patterns, pre-trained points, recorded enclosures."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from flint import arb

from proofs.shin2025.pattern_counts import NOTIONS, PRINTED, counts, printed_by, representatives, table
from proofs.shin2025.warm_start_runs import Limit, NotCertified, Row, initial, pretrained, root_below, run
from proofs.shin2025.warm_start_tasks import RATIOS, TASKS
from verify.completion.patterns import patterns
from verify.flow.balls import precision


def test_every_notion_of_symmetry_is_a_group():
    cells = list(product(range(3), repeat=2))
    for maps in NOTIONS.values():
        tables = {tuple(f(c) for c in cells) for f in maps}
        assert len(tables) == len(maps)
        for one, two in product(tables, repeat=2):
            assert tuple(two[cells.index(c)] for c in one) in tables


@pytest.mark.parametrize(("notion", "transposition"), [("rows, columns", False), ("rows, columns, transposition", True)])
def test_counts_agree_with_the_enumeration(notion, transposition):
    assert len(list(representatives(notion))) == len(patterns(3, 3, transposition))


def test_the_printed_numbers_have_one_reading():
    assert printed_by(table()) == [("rows, columns, transposition", "fewer than two observations, the full one")]
    assert counts("rows, columns, transposition", "fewer than two observations, the full one") == PRINTED


@pytest.mark.parametrize("name", sorted(TASKS))
@pytest.mark.parametrize("m", RATIOS)
def test_pretrained_points_fit_the_diagonal(name, m):
    task = TASKS[name]
    (b, a), spread = pretrained(task, m, 20)
    diagonal = [sum(a[i][k] * b[k][i] for k in range(2)) for i in range(2)]
    assert all(0 <= w - x <= Fraction(1, 10**50) for w, x in zip((task.w11, task.w22), diagonal, strict=True))
    assert (spread == 0) == (diagonal == [task.w11, task.w22])
    off = Fraction(0) if m is None else 1 / m
    assert a[0][1] == a[0][0] * off and a[1][0] == a[1][1] * off  # the direction of the start is kept


def test_square_roots_are_rounded_down():
    assert root_below(Fraction(9, 4), Fraction(1, 10)) == Fraction(3, 2)
    assert root_below(Fraction(2), Fraction(1, 1000)) == Fraction(1414, 1000)


def test_recorded_enclosures_contain_what_was_recorded():
    with precision(256):
        x = arb(1) / 3 + arb(0, arb("1e-30"))
        row = Row(None, Limit(x, x, -x), Limit(x, x, x), Limit(x, x, arb(0)))
    again = Row.from_data(row.to_data())
    assert again.m is None and again.pretrained.w21.contains(row.pretrained.w21) and again.cold.w21 == 0
    assert again.warm.effective.rad() < 1e-29


def test_a_run_that_is_not_certified_is_no_result():
    with pytest.raises(NotCertified):
        run(TASKS["figure-10"], initial(None, Fraction(0)), Fraction(0), 10)
