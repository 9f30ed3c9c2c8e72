"""The checker of evidence at the edge of what it accepts, by hand-made evidence."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from verify.completion.recheck import EvidenceError, is_semidefinite, recheck_coupling, recheck_nuclear, recheck_rank

ROW = {"shape": [1, 3], "entries": [[0, 0, "1"], [0, 1, "2"], [0, 2, "3"]], "factors": [[["1", "1", "1"]], [["1"]]]}
EYE = [["1", "0"], ["0", "1"]]
DIAGONAL = {"shape": [2, 2], "entries": [[0, 0, "1"], [1, 1, "1"]], "factors": [EYE, EYE]}
PLACES = [[[0, 0], [1, 1]]] * 2
PARTS = [[[0, 0]], [[1, 1]]]


def edge(one: list[int], two: list[int], value: str = "1", radius: str = "0") -> dict[str, Any]:
    return {"cells": [one, two], "order": 0, "value": value, "radius": radius}


def decided(problem: dict[str, Any], verdict: str, **evidence: Any) -> bool:
    try:
        return recheck_coupling({"problem": problem, "verdict": verdict, "evidence": evidence}) == verdict
    except EvidenceError:
        return False


def test_edges_connect_all_observations() -> None:
    first, second = edge([0, 0], [0, 1]), edge([0, 1], [0, 2])
    assert decided(ROW, "coupled", kind="taylor", edges=[first, second])
    assert not decided(ROW, "coupled", kind="taylor", edges=[first]) and not decided(
        ROW, "coupled", kind="taylor", edges=[first] * 2
    )
    assert not decided(ROW, "coupled", kind="taylor", edges=[first, edge([0, 1], [0, 2], "2")])


def test_a_coefficient_is_not_zero() -> None:
    assert not decided(DIAGONAL, "coupled", kind="taylor", edges=[edge([0, 0], [1, 1], "0")])


@pytest.mark.parametrize(("radius", "holds"), [("99/100", True), ("1", False)])
def test_a_coefficient_is_larger_than_its_radius(radius: str, holds: bool) -> None:
    """For W_1 = (1, 1 +- r) and W_2 = 1 the inner product of the gradients is 1 +- r."""
    problem = {"shape": [1, 2], "entries": [[0, 0, "1"], [0, 1, "2"]], "factors": [[["1", "1"]], [["1"]]]}
    problem["radii"] = [[["0", radius]], [["0"]]]
    assert decided(problem, "coupled", kind="taylor", edges=[edge([0, 0], [0, 1], "1", radius)]) is holds
    assert not decided(problem, "coupled", kind="taylor", edges=[edge([0, 0], [0, 1], "1", "0")])


def test_a_set_holds_every_start() -> None:
    assert decided(DIAGONAL, "decoupled", kind="support", places=PLACES, parts=PARTS)
    small = [["0", "1/1000"], ["0", "0"]]
    wide = {**DIAGONAL, "radii": [small, [["0", "0"], ["0", "0"]]]}
    assert not decided(wide, "decoupled", kind="support", places=PLACES, parts=PARTS)
    moved = {**DIAGONAL, "factors": [[["1", "1/1000"], ["0", "1"]], EYE]}
    assert not decided(moved, "decoupled", kind="support", places=PLACES, parts=PARTS)


def test_parts_hold_every_observation() -> None:
    three = [[str(int(i == j)) for j in range(3)] for i in range(3)]
    problem = {"shape": [3, 3], "entries": [[k, k, "1"] for k in range(3)], "factors": [three, three]}
    places = [[[k, k] for k in range(3)]] * 2
    parts = [[[k, k]] for k in range(3)]
    assert decided(problem, "decoupled", kind="support", places=places, parts=parts)
    assert not decided(problem, "decoupled", kind="support", places=places, parts=parts[:2])
    assert not decided(problem, "decoupled", kind="support", places=places, parts=[*parts, [[0, 0]]])
    assert not decided(problem, "decoupled", kind="support", places=places, parts=[parts[0] + parts[1] + parts[2]])


# -- smallest ranks


def ranked(rows: list[list[int | None]], lower: dict[str, Any], upper: dict[str, Any] | None = None) -> tuple[int, int] | None:
    """What evidence about the rank of a completion proves; None if it is refused."""
    entries = [[i, j, str(v)] for i, row in enumerate(rows) for j, v in enumerate(row) if v is not None]
    evidence = {"kind": "rank", "shape": [len(rows), len(rows[0])], "entries": entries, "lower": lower}
    size = len(rows)
    full = {
        "rank": size,
        "left": [[str(int(i == j)) for j in range(size)] for i in range(size)],
        "right": [[str(v or 0) for v in row] for row in rows],
    }
    try:
        return recheck_rank({**evidence, "upper": upper or full})
    except EvidenceError:
        return None


def test_a_minor_is_not_zero() -> None:
    minor = {"kind": "minor", "rows": [0, 1], "cols": [0, 1]}
    assert ranked([[1, 1], [1, 2]], minor) == (2, 2) and ranked([[0, 1], [1, 0]], minor) == (2, 2)
    assert ranked([[1, 1], [1, 1]], minor) is None and ranked([[1, 1], [1, None]], minor) is None
    for rows, cols in (([0, 0], [0, 1]), ([0], [0, 1]), ([], [])):
        assert ranked([[1, 1], [1, 2]], {"kind": "minor", "rows": rows, "cols": cols}) is None
    swapped = {"kind": "minor", "rows": [0, 1, 2], "cols": [0, 1, 2]}
    assert ranked([[0, 1, 1], [1, 0, 1], [1, 1, 2]], swapped) is None  # the determinant is 0, after a swap of rows
    assert ranked([[0, 1, 1], [1, 0, 1], [1, 1, 1]], swapped) == (3, 3)


def test_a_closed_walk_has_products_that_differ() -> None:
    around = [[0, 0], [0, 1], [1, 1], [1, 0]]
    assert ranked([[1, 2], [3, 4]], {"kind": "cycle", "cells": around}) == (2, 2)
    assert ranked([[1, 2], [3, 6]], {"kind": "cycle", "cells": around}) is None
    rows = [[1, 2, None], [None, 3, 4], [5, None, 6]]
    longer = [[0, 0], [0, 1], [1, 1], [1, 2], [2, 2], [2, 0]]
    assert ranked(rows, {"kind": "cycle", "cells": longer}) == (2, 3)
    odd = [[0, 0], [0, 1], [0, 1]]  # the first and the last share a row, the last two a column
    assert ranked([[2, 3], [None, 1]], {"kind": "cycle", "cells": odd}) is None
    for cells in (around[:3], around[:2], around[1:] + around[:1], [[0, 0], [0, 1], [1, 1], [1, 1]], []):
        assert ranked([[1, 2], [3, 4]], {"kind": "cycle", "cells": cells}) is None


def test_a_zero_beside_what_is_not_zero() -> None:
    cells = [[0, 0], [0, 1], [1, 0]]
    assert ranked([[0, 2], [3, None]], {"kind": "zero", "cells": cells}) == (2, 2)
    for rows in ([[1, 2], [3, None]], [[0, 0], [3, None]], [[0, 2], [0, None]]):
        assert ranked(rows, {"kind": "zero", "cells": cells}) is None
    assert ranked([[0, 2], [3, None]], {"kind": "zero", "cells": [[0, 0], [1, 0], [0, 1]]}) is None


def test_a_completion_agrees_with_what_is_observed() -> None:
    none = {"kind": "none"}
    assert ranked([[0, 0], [None, 0]], none, {"rank": 0}) == (0, 0) and ranked([[0, 1], [None, 0]], none, {"rank": 0}) is None
    one = {"rank": 1, "left": [["1"], ["2"]], "right": [["1", "3"]]}
    assert ranked([[1, 3], [2, None]], none, one) == (0, 1) and ranked([[1, 3], [2, 7]], none, one) is None


# -- smallest nuclear norms


def normed(rows: list[list[int | None]], x: Any, dual: Any, left: Any, right: Any) -> tuple[Any, Any] | None:
    entries = [[i, j, str(v)] for i, row in enumerate(rows) for j, v in enumerate(row) if v is not None]
    shape = [len(rows), len(rows[0])]
    evidence = {
        "kind": "nuclear",
        "shape": shape,
        "entries": entries,
        "completion": x,
        "dual": dual,
        "left": left,
        "right": right,
    }
    try:
        return recheck_nuclear(evidence)
    except EvidenceError:
        return None


def test_bounds_of_a_nuclear_norm() -> None:
    """Of diag(1, 1) with the rest unobserved the smallest is 2."""
    rows: list[list[int | None]] = [[1, None], [None, 1]]
    dual = [[0, 0, "1"], [1, 1, "1"]]
    assert normed(rows, EYE, dual, EYE, EYE) == (2, 2)
    assert normed(rows, EYE, [[0, 0, "1"], [1, 1, "1001/1000"]], EYE, EYE) is None  # a dual matrix above norm 1
    assert normed(rows, EYE, [[0, 0, "1"], [0, 1, "0"]], EYE, EYE) is None  # not zero where nothing is observed
    assert normed(rows, EYE, dual, EYE, [["1", "0"], ["0", "999/1000"]]) is None  # no upper bound
    assert normed(rows, [["1", "0"], ["0", "2"]], dual, EYE, EYE) is None  # another entry
    assert normed(rows, EYE, dual, [["1", "1/9"], ["0", "1"]], EYE) is None  # not symmetric
    assert normed(rows, EYE, dual, [["2", "0"], ["0", "2"]], EYE) == (2, 3)


def test_a_zero_pivot_needs_a_zero_row() -> None:
    assert is_semidefinite([[Fraction(0), Fraction(0)], [Fraction(0), Fraction(1)]])
    assert not is_semidefinite([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(1)]])
    assert not is_semidefinite([[Fraction(1), Fraction(0)], [Fraction(1), Fraction(1)]])
    tiny = Fraction(1, 10**30)
    assert is_semidefinite([[Fraction(1), Fraction(1)], [Fraction(1), Fraction(1)]])
    assert not is_semidefinite([[Fraction(1), Fraction(1)], [Fraction(1), 1 - tiny]])
