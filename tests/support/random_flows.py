"""Random small problems for `verify flow`, and what must hold of every answer, whatever the problem."""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
from flint import arb, arb_mat

from verify.commands.flow import _Asker
from verify.completion import Observations
from verify.errors import InputError
from verify.flow import ask, recheck
from verify.flow.balls import ball, exact, precision
from verify.flow.page import Page
from verify.flow.starts import Factor, parse_start

STARTS = ("identity", "ones", "gaussian", "integers", "sparse")
"""Kinds of starts: those of the command, and factors of small fractions (as from a file), hardly any zero or mostly zeros."""

Cells = tuple[tuple[Fraction | None, ...], ...]


@dataclass(frozen=True)
class Small:
    """A problem: the table, the start and the options."""

    cells: Cells
    depth: int
    hidden: int | None
    start: str
    factors: tuple[Factor, ...]
    digits: int
    time: Fraction | None
    engine: str

    def asker(self, max_steps: int, seconds: float) -> _Asker:
        """As the command would ask."""
        data = Observations.from_rows(self.cells)
        limits = max_steps, seconds
        return _Asker(data, "table.csv", self.depth, self.hidden, self.digits, self.time, self.engine, *limits)


def draw(seed: int) -> Small:
    """The problem with a number."""
    return drawn(random.Random(seed))


def drawn(rng: random.Random) -> Small:
    """A problem: at most 4 x 4, any pattern, depth 1 to 5, any width, 5 to 30 digits."""
    rows, cols = rng.randint(1, 4), rng.randint(1, 4)
    depth = rng.choice((1, 2, 2, 2, 3, 3, 4, 5))
    hidden = rng.choice((None, None, None, 1, 2, rng.randint(1, 4)))
    kind = rng.choice(STARTS)
    sizes = ask.shapes(rows, cols, depth, hidden)
    text, factors = _start(rng, kind, sizes)
    time = None if rng.random() < 0.85 else Fraction(rng.randint(0, 40), rng.choice((1, 2, 10)))
    engine = rng.choices(ask.ENGINES, (18, 1, 1))[0]
    return Small(_table(rng, rows, cols), depth, hidden, text, factors, rng.randint(5, 30), time, engine)


def _start(rng: random.Random, kind: str, sizes: list[tuple[int, int]]) -> tuple[str, tuple[Factor, ...]]:
    scale = rng.choice(("1e-3", "1e-6", "1/10", "0.6", "1", "2", "1e-1"))
    if kind in ("identity", "ones", "gaussian"):
        rest = {"identity": "", "ones": f",{rng.choice((2, 3, 'inf'))}", "gaussian": f",{rng.randrange(1000)}"}[kind]
        text = f"{kind}:{scale}{rest}"
        return text, parse_start(text).factors(sizes)
    zeros = 0.1 if kind == "integers" else 0.6
    pick = [Fraction(v, d) for v in (-3, -2, -1, 1, 2, 3) for d in (1, 1, 2, 3)]

    def entry() -> Fraction:
        return Fraction(0) if rng.random() < zeros else rng.choice(pick)

    return f"file:{kind}", tuple(tuple(tuple(entry() for _ in range(c)) for _ in range(r)) for r, c in sizes)


def _table(rng: random.Random, rows: int, cols: int) -> Cells:
    """A table of some kind with at least one observation."""
    values = rng.choice(("integers", "decimals", "low rank", "zeros", "alike", "sizes"))
    left, right = ([rng.randint(-2, 3) for _ in range(n)] for n in (rows, cols))

    def one(i: int, j: int) -> Fraction:
        if values == "integers":
            return Fraction(rng.randint(-3, 3))
        if values == "decimals":
            return Fraction(rng.randint(-200, 200), 100)
        if values == "low rank":
            return Fraction(left[i] * right[j])
        if values == "zeros":
            return Fraction(0 if rng.random() < 0.7 else rng.randint(-2, 2))
        if values == "alike":
            return Fraction(1 if i == j else rng.choice((0, 1, -1)))
        return Fraction(rng.randint(-9, 9)) * Fraction(10) ** rng.randint(-4, 4)

    share = rng.choice((0.3, 0.5, 0.7, 1, 1))
    seen = [[rng.random() < share for _ in range(cols)] for _ in range(rows)]
    seen[rng.randrange(rows)][rng.randrange(cols)] = True
    return tuple(tuple(one(i, j) if seen[i][j] else None for j in range(cols)) for i in range(rows))


def answered(small: Small, max_steps: int = 40, seconds: float = 2.0) -> Page | None:
    """The page for a problem, looked over; None where the command refuses the question, in one line.

    Raises AssertionError where something on the page does not hold.
    """
    asker = small.asker(max_steps, seconds)
    question = ask.Question(
        asker.data, small.depth, small.factors, small.digits, small.time, small.engine, Fraction(0), max_steps, seconds
    )
    try:
        page = asker.page(question, small.start, "table.csv", lambda text: None)
    except InputError as error:
        assert "\n" not in str(error)
        return None
    page.text(), page.markdown(None)
    look_over(page)
    return page


def look_over(page: Page) -> None:
    """What must hold of an answer. Raises AssertionError."""
    found, data = page.answer, json.loads(page.json())
    assert found.status in ("certified", "undetermined", "estimate")
    assert found.certified <= (found.product is not None and found.certificate is not None and bool(found.checked))
    if not found.enclosed:
        return
    proved = recheck.check(json.loads(json.dumps(found.certificate)))
    assert proved is not None
    observed = page.question.observations.values
    with precision(400):
        if found.exact_loss:
            assert all(found.product[cell].contains(ball(v)) for cell, v in observed.items()), "an observation is not fitted"
        for cell in found.fitted:
            assert found.product[cell].contains(ball(observed[cell]))
        if found.loss is not None:
            gaps = [found.product[cell] - ball(v) for cell, v in observed.items()]
            assert sum((g * g for g in gaps), arb(0)).overlaps(2 * found.loss), "the loss is another one"
        _look_at_spectrum(page)
        if found.certified:
            _look_at_digits(page)
    assert data["status"] == found.status


def _look_at_spectrum(page: Page) -> None:
    """Singular values and nuclear norm against an SVD in balls of the enclosures that are shown."""
    found, spectrum = page.answer.product, page.spectrum
    if spectrum is None:  # the limit of time came first, and the page says so
        assert page.question.seconds is not None and "singular values   not known: the time was over" in page.text()
        return
    values, off = enclosed_svd(found, 60 + page.question.digits)
    for value, ours in zip(values, spectrum.values, strict=True):
        assert not ours < 0, "a negative singular value"
        assert (ours - value).overlaps(arb(0, off)), "another singular value"
    assert (spectrum.nuclear - sum(values, arb(0))).overlaps(arb(0, off * len(values))), "another nuclear norm"


def enclosed_svd(product: Any, digits: int) -> tuple[list[arb], arb]:
    """Numbers and a bound of their distances to the singular values of every matrix in a matrix of balls, largest first.

    With M = U S V + E, |U^T U - I| <= a and |V V^T - I| <= b, a singular value of M is within |E| + S_1 (a + b) of one of S;
    another matrix moves it by at most the Frobenius norm of the difference (Weyl).
    """
    rows, cols = product.shape
    with precision(math.ceil(4 * digits)), mpmath.workdps(digits):
        balls = product if rows >= cols else product.T
        middle = mpmath.matrix([[_mpf(v.mid()) for v in row] for row in balls])
        u, s, v = (_balls(part) for part in mpmath.svd_r(middle))
        n = v.nrows()
        scaled = arb_mat([[u[i, k] * s[k, 0] for k in range(n)] for i in range(u.nrows())])
        gaps = arb_mat([[x.mid() for x in row] for row in balls]) - scaled * v
        one = arb_mat([[arb(int(i == j)) for j in range(n)] for i in range(n)])
        a, b = u.transpose() * u - one, v * v.transpose() - one
        top = max((s[k, 0] for k in range(n)), key=float)
        radii = _size([x.rad() for x in balls.flat])
        off = _size(gaps.entries()) + top * (_size(a.entries()) + _size(b.entries())) + radii
        return sorted((s[k, 0] for k in range(n)), key=exact, reverse=True), arb(off.abs_upper())


def _balls(matrix: Any) -> arb_mat:
    return arb_mat([[ball(exact(matrix[i, j])) for j in range(matrix.cols)] for i in range(matrix.rows)])


def _size(values: Any) -> arb:
    return sum((v * v for v in values), arb(0)).sqrt()


def _look_at_digits(page: Page) -> None:
    """Every number of the table that is shown: its last digit may be off by one."""
    found = page.answer
    for i, row in enumerate(page._cells()):
        for j, text in enumerate(row):
            if "+-" in text or "/" in text or text == "unknown":
                continue
            mantissa, _, power = text.partition("e")
            unit = Fraction(10) ** (int(power or 0) - len(mantissa.partition(".")[2]))
            exactly = (i, j) in page.question.observations.values and (found.exact_loss or (i, j) in found.fitted)
            near = ball(Fraction(text)) + arb(0, 0 if exactly else ball(unit).abs_upper())
            short = exactly and len(mantissa.replace("-", "").replace(".", "").lstrip("0")) >= page.question.digits
            assert found.product[i, j].overlaps(near) or short, f"{text} is shown for {found.product[i, j]}"


def _mpf(value: arb) -> Any:
    number = exact(value)
    return mpmath.mpf(number.numerator) / number.denominator
