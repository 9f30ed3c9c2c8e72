"""Independent checker of the certificates of validated gradient flow. It and the modules recheck_* beside it import python-flint,
the standard library and each other only.

- :mod:`recheck_read`: what a certificate may look like, numbers, and how much work it may cost.
- :mod:`recheck_balls`, :mod:`recheck_models`: bounds of norms; the models.
- this module: steps, capture, the scalar pair. :mod:`recheck_reductions`: what decouples or has a closed form.
- :mod:`recheck_proved`: what was proved, with enclosures of product and loss. :mod:`recheck_files`: files, chains, what is told.

A certificate is JSON:

- `format` "verify-flow", `version` 2 (version 1 had no polynomials, see `certificate.complete`).
- `model`: {"name": "linear-network", "widths", "target" (rows; null is unobserved), "data" (rows or null),
  "factor"} or {"name": "cp-tensor", "dims", "rank", "target" (unfolded along the first axis), "factor"};
  numbers are exact fractions p or p/q as text. Every object has its own keys and no others.
- `start`: the exact start, blocks of rows of fractions.
- `kind`: "limit", "time" (with `time`, a fraction), "undetermined" (an enclosure at the time where the run
  stopped), "stationary".
- `begin`: {"mid": blocks of dyadic numbers (flat), "error"}: the exact start lies within `error` of `mid`.
- `steps`: each {"h", "beta" (or null), "polynomial", "rho", "mid", "error", "final"}: every solution
  that starts within the previous error of the previous mid lies, after the step, within `error` of `mid`;
  on the way it stays within `rho` of the polynomial. A final step ends at the exact time, and h is
  an upper bound of its length. `polynomial`: {"unit", "sizes", "data"}, for every entry the integers c_0, .., c_n of
  2^-unit sum c_k T_k(2u - 1), 0 <= u <= 1 (T_k: Chebyshev's polynomials); with a `beta` one more, near exp(-beta h u).
  `data` are the bytes in base 64: for k = 0, .., n the c_k of all entries, with `sizes[k]` bytes each, signed, low byte first.
- A step with `kind` "exponential" goes along a sum of exponentials of the time t in [0, h]. In the place of `polynomial` it
  has `rates`: dyadic numbers a_1, .., a_q, not 0; `terms`: different lists of exponents k_1, .., k_q >= 0, the first all 0;
  `coefficients`: for each term the blocks (flat) of integers in hexadecimal, in units of 2^-bits; `bits`. With E_i(t) =
  exp(a_i t) for a falling and exp(a_i (t - h)) for a rising one, at most 1, the sum is p(t) = sum_k c_k E_1^k_1 .. E_q^k_q.
- `capture`: {"bits", "radius", "mid", "error"}: every such solution converges to a point within `error` of
  `mid`.
- `claim`: {"blocks", "error"}: what the certificate asserts in the end.

Problems that decouple or have a closed form have certificates of their own (:mod:`verify.flow.recheck_reductions`).

Dyadic numbers are [hexadecimal mantissa, exponent]. Nothing is searched for, and no differential equation is solved: the
defect of the given polynomials is a polynomial and bounded by its values at enough points, so that it does not matter
how they were found. The mathematics is that of the module `validated` beside this one; the code is separate.

Of kind "scalar-pair" is {"d", "depth", "target", "start": [lambda_1, lambda_2], "bracket": two dyadic numbers or
null}: the limit of the deep scalar pair (module `pair`), whose larger component lies between the two.
{"format": "verify-flow-chain", "certificates": [..]} holds several certificates; each is checked, and that it is about
every start within the error of the point that the one before it proves, for the same model with other targets.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, arb_mat, arb_poly, ctx, fmpq, fmpz, fmpz_mat

from verify.flow import recheck_read as read
from verify.flow.recheck_balls import Flat, _arb, _exact, _far, _float, _largest, _log2, _norm, _spectral, _split, _up
from verify.flow.recheck_models import _MODELS, _Model, _Network
from verify.flow.recheck_proved import Pair, Reduced, Verified
from verify.flow.recheck_read import MAX_PRECISION, REDUCED, VERSION, Budget, Refused, rational, room, spend
from verify.flow.recheck_read import dyadic as _dyadic
from verify.flow.recheck_read import need as _need
from verify.flow.recheck_reductions import check_reduction

__all__ = ["REDUCED", "VERSION", "_MODELS", "Pair", "Reduced", "Refused", "Verified", "_Network", "check", "decoded"]

PIECES = (8, 64, 256)  # parts of a step on which the logarithmic norm is bounded: few, and more where these do not do
ROUGH = 60  # bits of what need not be known well
PRODUCTS = 100_000  # of exponentials in the defect of a step along a sum of them
SIDE = 1_000  # the most observed entries for a limit by capture

MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, RecursionError)
"""What the reading of something malformed raises."""


def check(certificate: Any, seconds: float = math.inf) -> Verified:
    """Check a certificate, in at most so many seconds (looked at between the parts of the work).

    Raises :class:`Refused` unless every part of it holds. What it costs is bounded by its size, see :class:`Budget`.
    """
    saved = ctx.prec
    try:
        read.certificate(certificate)
        with read.within(Budget(read.extent(certificate), seconds)):
            return _checked(certificate)
    except MALFORMED as error:
        raise Refused(_malformed(error)) from None
    except MemoryError:
        raise Refused("more memory than there is") from None
    finally:
        ctx.prec = saved


def _checked(certificate: dict[str, Any]) -> Verified:
    """What a certificate of the right shape proves; those in it are checked by the same."""
    if certificate["kind"] in REDUCED:
        return check_reduction(certificate, _checked)
    return _check_pair(certificate) if certificate["kind"] == "scalar-pair" else _check(certificate)


def _malformed(error: Exception) -> str:
    return f"malformed or not provable: {type(error).__name__}: {error}"


def _precision(bits: float, what: str) -> int:
    """A working precision, within the limits."""
    _need(bits <= MAX_PRECISION, f"{what}: more than {MAX_PRECISION} bits would be needed")
    return max(64, math.ceil(bits))


# -- polynomials
# ---------------------------------------------------------------------------------------------------------

Table = list[list[int]]
"""For several polynomials the integers c_0, .., c_n of 2^-unit sum c_k T_k(2u - 1), 0 <= u <= 1."""


def decoded(data: dict[str, Any], rows: int) -> tuple[int, Table]:
    """(unit, coefficients) of a step."""
    unit, sizes = data["unit"], data["sizes"]
    read.integer(unit, 0, read.MAX_BITS, "unit")
    for v in read.items(sizes, "the degree", read.MAX_ORDER, 1):
        read.integer(v, 1, read.MAX_BITS // 2, "sizes")
    raw = base64.b64decode(data["data"], validate=True)
    _need(len(raw) == rows * sum(sizes), "a polynomial is incomplete")
    columns, at = [], 0
    for size in sizes:
        end = at + size * rows
        columns.append([int.from_bytes(raw[i : i + size], "little", signed=True) for i in range(at, end, size)])
        at = end
    return unit, [list(row) for row in zip(*columns, strict=True)]


def derivative(c: Sequence[int]) -> list[int]:
    """Chebyshev coefficients of the derivative with respect to u."""
    out = [0] * (len(c) + 1)
    for k in range(len(c) - 1, 0, -1):
        out[k - 1] = out[k + 1] + 4 * k * c[k]
    out[0] //= 2
    return out[: max(1, len(c) - 1)]


def first(c: Sequence[int]) -> int:
    """The value at u = 0."""
    return sum(c[::2]) - sum(c[1::2])


def _size(c: Sequence[int]) -> int:
    """An upper bound of the absolute value."""
    return sum(map(abs, c))


def _root(values: Sequence[int]) -> int:
    """An upper bound of the Euclidean norm."""
    return math.isqrt(sum(v * v for v in values)) + 1


Tables = tuple[fmpz_mat, fmpz_mat]
"""T_0, T_2, .. and T_1, T_3, .. at points of [0, 1), in units of 2^-bits and each off by less than 2."""


def _values(rows: Table, unit: int, tables: Tables, bits: int) -> list[Flat]:
    """Balls for polynomials at points v and, in the second half, at -v (where odd ones change their signs)."""
    numbers = {row: k for k, row in enumerate(dict.fromkeys(map(tuple, rows)))}  # equal ones are evaluated once
    columns = [list(c) for c in zip(*numbers, strict=True)]
    even, odd = tables[0] * fmpz_mat(columns[::2]), tables[1] * fmpz_mat(columns[1::2])
    scale = arb((1, -unit - bits))
    radii = arb_mat(even.nrows(), 1, [1] * even.nrows()) * arb_mat([[arb(0, 2 * _size(row)) for row in numbers]])
    places = [numbers[tuple(row)] for row in rows]
    found = [values for part in (even + odd, even - odd) for values in ((arb_mat(part) + radii) * scale).tolist()]
    return [[values[k] for k in places] for values in found]


@lru_cache(maxsize=128)
def _chebyshev(points: int, degree: int, bits: int) -> Tables:
    """At the zeros of T_points that are not negative."""
    saved, ctx.prec = ctx.prec, bits + 32
    unit, turn = arb((1, bits)), 4 * points
    waves = [_floor(arb.cos_pi_fmpq(fmpq(j, 2 * points)) * unit) for j in range(turn)]
    ctx.prec = saved
    return _halves([[waves[(2 * i + 1) * k % turn] for k in range(degree + 1)] for i in range((points + 1) // 2)])


@lru_cache(maxsize=64)
def _middles(degree: int, pieces: int) -> Tables:
    """In units of 2^-ROUGH, at the middles of those of equal pieces of [0, 1] that lie in the second half, where 2u - 1 > 0."""
    saved, ctx.prec = ctx.prec, ROUGH + 64
    unit = arb((1, ROUGH))
    points = [arb(fmpq(2 * i + 1, pieces)) for i in range(pieces // 2)]
    table = [[_floor(v.chebyshev_t(k) * unit) for k in range(degree + 1)] for v in points]
    ctx.prec = saved
    return _halves(table)


def _halves(table: Table) -> Tables:
    return fmpz_mat([row[::2] for row in table]), fmpz_mat([row[1::2] for row in table])


def _floor(v: arb) -> int:
    n, d = _exact(v.mid())
    return n // d


def _padded(rows: Table) -> Table:
    """With zeros, so that there are fewer tables to make."""
    return [row + [0] * (-len(row) % 8) for row in rows]


class _Pieces:
    """Polynomials on equal pieces of [0, 1], roughly: balls for their values in the middles, and how far from these they go.

    On a piece of middle c and half width w: |p(u) - p(c)| <= w |p'(c)| + w^2/2 sup |p''|.
    """

    def __init__(self, rows: Table, unit: int, pieces: int, shapes: Sequence[tuple[int, int]]):
        shift = max(0, max(abs(v) for row in rows for v in row).bit_length() - 2 * ROUGH)
        lost = 0
        if shift:  # each coefficient loses less than 1
            lost, unit = len(rows[0]), unit - shift
            rows = [[v >> shift for v in row] for row in rows]
        rows = _padded(rows)
        slopes = [[*derivative(row), 0] for row in rows]
        found = _values([*rows, *slopes], unit, _middles(len(rows[0]) - 1, pieces), ROUGH)
        found = found[: pieces // 2 - 1 : -1] + found[: pieces // 2]
        scale, cells = arb((1, -unit)), len(rows)
        near = arb(0, lost * scale)
        self.values = [_split([v + near for v in x[:cells]], shapes) for x in found]
        bends = _split([_size(derivative(c)) + 4 * lost**5 for c in slopes], shapes)
        slower = [2 * lost**3 * (math.isqrt(r * c) + 1) * scale / (2 * pieces) for r, c in shapes]
        rest = [_root(flat) * scale / (8 * pieces**2) + v for flat, v in zip(bends, slower, strict=True)]
        self.ways = [
            [_norm(flat) / (2 * pieces) + v for flat, v in zip(_split(x[cells:], shapes), rest, strict=True)] for x in found
        ]
        """For each piece the values of the blocks, and bounds of the ways of the blocks from there."""


# -- the checks
# -----------------------------------------------------------------------------------------------------


def _blocks(data: Any, model: _Model) -> list[list[Fraction]]:
    out = [[_dyadic(v) for v in flat] for flat in data]
    sizes = [r * c for r, c in model.shapes]
    _need([len(f) for f in out] == sizes, "blocks of wrong sizes")
    return out


def _check(cert: dict[str, Any]) -> Verified:
    ctx.prec = 64
    model: _Model = _MODELS[cert["model"]["name"]](cert["model"])
    start = _start(cert, model)
    kind = cert["kind"]
    if kind == "stationary":
        return _check_stationary(model, start)
    mid = _blocks(cert["begin"]["mid"], model)
    error = _dyadic(cert["begin"]["error"])
    _need(error >= 0, "a negative error")
    _need(within(start, mid, error), "the start is not within the first ball")
    steps = cert["steps"]
    stop = rational(cert["time"]) if kind == "time" else None
    top_bits = max((s["polynomial"]["unit"] if "polynomial" in s else s["bits"] for s in steps), default=64)
    clock = 8 * top_bits + 64
    ctx.prec = clock
    time = arb(0)
    arrived = stop == 0
    for number, step in enumerate(steps):
        try:
            _need(not arrived, "after the end")
            ctx.prec = clock
            time, arrived, mid, error = _one_step(model, mid, error, step, time, stop)
        except Refused as refused:
            raise Refused(str(refused), number) from None
        except MALFORMED as problem:
            raise Refused(_malformed(problem), number) from None
    if stop is not None:
        _need(arrived, "the time is not reached")
        answer: Any = str(stop)
    elif kind == "limit":
        mid, error = _check_capture(model, mid, error, cert["capture"])
        answer = "infinity"
    else:
        answer = time
    _need(
        _blocks(cert["claim"]["blocks"], model) == mid,
        "the claim is another point than the one that was proved",
    )
    _need(_dyadic(cert["claim"]["error"]) >= error, "the claimed error is below the one that was proved")
    return Verified(kind, mid, _dyadic(cert["claim"]["error"]), answer, model, start)


def _start(cert: dict[str, Any], model: _Model) -> list[list[Fraction]]:
    """The exact start, flat, of the shapes of the model."""
    _need(len(cert["start"]) == len(model.shapes), "start: a factor too few or too many")
    for block, shape in zip(cert["start"], model.shapes, strict=True):
        _need(len(block) == shape[0] and all(len(row) == shape[1] for row in block), "start: bad shape")
    return [[rational(v) for row in block for v in row] for block in cert["start"]]


def _check_stationary(model: _Model, start: list[list[Fraction]]) -> Verified:
    """The field is exactly zero at the start."""
    model.spend_exactly(start, "the field at the start")
    residual, rows = model.jacobian(start)  # type: ignore[arg-type]
    pairs: Any = list(zip(residual, rows, strict=True))
    still = all(sum((x * row[c] for x, row in pairs), Fraction(0)) == 0 for c in range(model.entries))
    _need(still, "the field is not zero at the start")
    found = Verified("stationary", start, Fraction(0), "infinity", model, start)
    found.fitted = {cell for cell, x in zip(found.observed, residual, strict=True) if x == 0}
    found.loss_zero = len(found.fitted) == len(residual)
    return found


def within(some: list[list[Fraction]], others: list[list[Fraction]], distance: Fraction) -> bool:
    """Whether exact points are shown to have at most this Euclidean distance."""
    _need([len(f) for f in some] == [len(f) for f in others], "points of different shapes")
    gaps = [a - b for f, g in zip(some, others, strict=True) for a, b in zip(f, g, strict=True)]
    gaps = [v for v in gaps if v]
    if not gaps or distance < 0:
        return distance >= 0
    saved, ctx.prec = ctx.prec, _precision(2 * max(_bits(v) for v in [*gaps, distance]) + 64, "a distance")
    try:
        spend(3 * len(gaps), ctx.prec, "a distance")
        return bool(sum((_arb(v) ** 2 for v in gaps), arb(0)) <= _arb(distance) ** 2)
    finally:
        ctx.prec = saved


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _one_step(
    model: _Model, mid: list[list[Fraction]], error: Fraction, step: dict[str, Any], time: arb, stop: Fraction | None
) -> tuple[arb, bool, list[list[Fraction]], Fraction]:
    """One step, of any kind, that begins at a time: the time after it, whether it is the last one, the midpoint and the error."""
    if "kind" in step:
        _need(step["kind"] == "exponential", "unknown kind")
        return (time + _arb(_dyadic(step["h"])), False, *_check_exponential(model, mid, error, step))
    exact_h = _dyadic(step["h"])
    exact_beta = None if step["beta"] is None else _dyadic(step["beta"])
    h = _arb(exact_h)
    beta = None if exact_beta is None else _arb(exact_beta)
    at, part, last = h, None, step["final"]
    if last is True:
        _need(stop is not None and beta is None, "must not be final")
        assert stop is not None
        at = _arb(stop) - time
        _need(bool(at > 0), "the time is over")
        _need(bool(at <= h), "the length is not enough for the time")
        part = at / h
    else:
        _need(last is False, "malformed")
    time = time + (at if beta is None else -(-beta * h).expm1() / beta)  # beta is not 0: division would not be finite
    return (time, last, *_check_step(model, mid, error, step, exact_h, exact_beta, part))


def _check_step(
    model: _Model,
    mid: list[list[Fraction]],
    error: Fraction,
    step: dict[str, Any],
    h: Fraction,
    beta: Fraction | None,
    at: arb | None,
) -> tuple[list[list[Fraction]], Fraction]:
    """One step; `at` is the part of it that is taken (in units of h), None for all of it."""
    _need(h > 0, "h is not positive")
    ctx.prec = 64
    rho = _arb(_dyadic(step["rho"]))
    new_error = _dyadic(step["error"])
    new_mid = _blocks(step["mid"], model)
    _need(bool(rho > 0) and new_error >= 0, "a bound is negative")
    cells = sum(r * c for r, c in model.shapes)
    unit, rows = decoded(step["polynomial"], cells + (beta is not None))
    top = max(abs(v) for row in rows for v in row).bit_length() - unit
    ctx.prec = _precision(unit + 48 + max(0, math.ceil(_log2(h * model.factor))) + 2 * model.depth * max(0, top), "a step")

    # From the exact midpoint to where the polynomials begin, from their end to the new midpoint, and their defect.
    length, one = _arb(h), Fraction(1, 1 << unit)
    entries = rows[:cells]
    begins = [first(row) * one for row in entries]
    begin = _norm([_arb(v - x) for v, x in zip([v for flat in mid for v in flat], begins, strict=True)])
    if at is None:
        ends = [_arb(sum(row) * one) for row in entries]
    else:
        waves = [(2 * at - 1).chebyshev_t(k) for k in range(len(rows[0]))]
        ends = [sum((c * w for c, w in zip(row, waves, strict=True)), arb(0)) * _arb(one) for row in entries]
    rounding = _far(ends, [_arb(v) for flat in new_mid for v in flat])
    local = _defect(model, entries, rows[cells:], unit, length)
    slack = None if beta is None else _slip(rows[-1], unit, beta * h)

    constant = model.residual(_split([_arb(v) for v in begins], model.shapes))
    ctx.prec = 64
    starts = _split([_arb(v) for v in begins], model.shapes)
    for pieces in PIECES:
        spend(pieces * (2 * cells * len(rows[0]) + model.work + model.depth**3), 64, "the growth on a step")
        growth, swing = _growth(model, _Pieces(entries, unit, pieces, model.shapes), starts, constant, rho, begin, length, beta)
        miss = local if slack is None else _up(local + slack * length * _arb(model.factor) * swing)
        bound = _up((_up(_arb(error)) + begin + miss) * growth.exp())
        stays, small = bool(bound < rho), bool(bound + rounding <= _arb(new_error))
        if stays and small:
            break
    _need(stays, "the solution is not shown to stay within rho")
    _need(small, "the error is larger than claimed")
    return new_mid, new_error


def _growth(
    model: _Model, p: _Pieces, starts: list[Flat], constant: Flat, rho: arb, begin: arb, length: arb, beta: Fraction | None
) -> tuple[arb, arb]:
    """Upper bounds of the integral of the logarithmic norm on a step, within rho of the polynomials, and of the field over its
    factor. `constant` is the residual where the polynomials start, `begin` how far that is from where the step starts.
    """
    heads = [model.block_norm(flat, shape) for flat, shape in zip(starts, model.shapes, strict=True)]
    norms = []
    for values, ways in zip(p.values, p.ways, strict=True):
        norms.append([_up(a + _far(v, x) + w + rho) for a, x, v, w in zip(heads, starts, values, ways, strict=True)])
    ends = [_largest(column) for column in zip(*norms, strict=True)]
    steepness = model.slope(ends) * model.data_norm
    reach = steepness * rho
    pieces, growth, whole = len(norms), arb(0), arb(0)
    monotone = _up(_norm(constant) + 2 * reach + steepness * begin)
    dual = model.dual_norm(constant)
    for number, (values, ways) in enumerate(zip(p.values, p.ways, strict=True)):
        r = model.residual(values)
        way = steepness * _norm(ways)
        whole = whole.max(_norm(r) + way)
        if model.depth == 1:
            continue
        g = _up(dual + _far(r, constant) + way + reach)
        if monotone < g:
            g = monotone
        part = model.curvature(norms[number]) * g
        if beta is not None:
            part *= (-_arb(beta) * length * (number if beta > 0 else number + 1) / pieces).exp()
        growth += part
    return _up(growth * _arb(model.factor) * model.data_norm * length / pieces), _up(whole * steepness)



def _defect(model: _Model, rows: Table, speed: Table, unit: int, length: arb) -> arb:
    """An upper bound of |q| on [0, 1], q = h w F(p) - p', where w is the speed (1 without one).

    q is evaluated at the m zeros of T_m. The polynomial of degree m - 1 through these values is at most 1 + 2/pi log m times as
    large between them (Lebesgue's constant). On the ellipse 2u - 1 = (z + 1/z)/2, |z| = r, T_k is at most r^k, so that |q| <= M
    there by the sizes of the coefficients of p. The Chebyshev coefficients of q are at most 2 M r^-k, and q differs from that
    polynomial by at most twice the sum of those from k = m on, 4 M r^-m/(1 - 1/r).
    """
    cells = len(rows)
    wide = _padded([*rows, *speed])
    degree = len(wide[0]) - 1
    slopes = [[*derivative(row), 0] for row in wide[:cells]]
    whole = degree * (2 * model.depth - 1 + len(speed)) + 1  # with so many points nothing is left
    turn = Fraction(_turn(model, wide, unit, whole), 16)
    saved, ctx.prec = ctx.prec, ROUGH
    r, scale = arb(2) ** _arb(turn), arb((1, -unit))
    powers = arb_mat([[r**k] for k in range(degree + 1)])
    sizes = [_up(v * scale) for v in (arb_mat([[abs(c) for c in row] for row in [*wide, *slopes]]) * powers).entries()]
    ctx.prec = saved
    blocks = [_norm(flat) for flat in _split(sizes[:cells], model.shapes)]
    largest = model.field_size(blocks) * length
    if speed:
        largest *= sizes[cells]
    largest += _norm(sizes[-cells:])
    enough = 8 * math.ceil((math.log2(_float(largest)) + unit + 8) / float(turn) / 8) if turn else whole
    points = min(whole, max(8, enough))
    bits = -(-(unit + 24) // 32) * 32
    spend(points * (2 * (degree + 1) * (cells + 1) + model.work), max(bits, ctx.prec), "the defect of a step")
    room(points * (degree + 1 + 2 * (cells + 1)), bits, "the defect of a step")
    at_nodes = _values([*slopes, *wide], unit, _chebyshev(points, degree, bits), bits)
    flat: Flat = []
    for x in at_nodes:
        flat.extend(model.field(_split(x[cells : 2 * cells], model.shapes), length * x[2 * cells] if speed else length))
    gaps = arb_mat(len(at_nodes), cells, flat) - arb_mat([x[:cells] for x in at_nodes])
    worst = _largest([_norm(row) for row in gaps.tolist()])
    rest = 4 * largest / r**points / (1 - 1 / r) if points < whole else arb(0)
    return _up(worst * (1 + 2 * arb(points).log() / arb.pi()) + rest)


def _turn(model: _Model, rows: Table, unit: int, whole: int) -> int:
    """16 log2 r for a good ellipse: where the number of points for `unit` bits is least (by the leading bits only)."""
    heights = [(k, max(abs(row[k]) for row in rows).bit_length() - unit) for k in range(len(rows[0]))]
    best, turn = float(whole), 0
    for t in (1, 2, 3, *range(4, 97, 4)):
        top = max(h + t * k / 16 for k, h in heights)
        points = 16 * (unit + 12 + 2 * model.depth * max(top, 2)) / t
        if points < best:
            best, turn = points, t
    return turn


def _slip(row: list[int], unit: int, x: Fraction) -> arb:
    """Upper bound of |w - exp(-x u)| on [0, 1], w = 2^-unit sum c_k T_k: the difference has at 0 the value w(0) - 1, and its
    derivative is -x times itself plus w' + x w.
    """
    y, one = _arb(x), Fraction(1, 1 << unit)
    slope = [*derivative(row), 0]
    missed = sum((abs(_arb(b * one) + y * _arb(c * one)) for b, c in zip(slope, row, strict=True)), arb(0))
    missed += abs(_arb(first(row) * one - 1))
    return _up(missed * (-y).exp().max(arb(1)))


def _check_exponential(
    model: _Model, mid: list[list[Fraction]], error: Fraction, step: dict[str, Any]
) -> tuple[list[list[Fraction]], Fraction]:
    """A step along a sum p of exponentials, whatever it is, of length T.

    Its defect F(p) - p' = sum_k d_k E^k is computed in full, and so is its residual sum_k r_k E^k. As long as the error of a
    solution, e = theta - p, stays below rho,

        |e|' <= mu |e| + |defect|,   mu <= m + M (sum over k other than 0 of |r_k| E^k + Lambda rho),   M = factor K |X|,

    with m = M |r_0|, in the dual norm, and K, Lambda from bounds of the blocks over the whole step. Let w_k be the exponent of
    E^k, and I_k(m) >= integral over [0, T] of exp(m (T - t)) E^k: at most exp(m T) E^k(0) or E^k(T), whichever is larger, times
    T or 1/|w_k - m|, whichever is smaller. By Gronwall's lemma

        |e(T)| <= (exp(m T) (E + |mid - p(0)|) + sum_k |d_k| I_k(m)) exp(M (sum_k |r_k| I_k(0) + Lambda rho T)),

    and if that is below rho, e never reaches rho.
    """
    bits = step["bits"]
    rates = [_dyadic(v) for v in step["rates"]]
    _need(all(v != 0 for v in rates), "bad rates")
    terms = [tuple(k) for k in step["terms"]]
    _need(all(len(k) == len(rates) for k in terms), "bad terms")
    _need(not any(terms[0]) and len(set(terms)) == len(terms), "bad terms")
    length, rho, new_error = (_dyadic(step[name]) for name in ("h", "rho", "error"))
    _need(length > 0 and rho > 0 and new_error >= 0, "a bound is negative")
    _need(step["final"] is False and step["beta"] is None, "malformed")
    new_mid = _blocks(step["mid"], model)
    sizes = [r * c for r, c in model.shapes]
    values = [[[int(v, 16) for v in flat] for flat in blocks] for blocks in step["coefficients"]]
    fit = len(values) == len(terms) and all([len(f) for f in blocks] == sizes for blocks in values)
    _need(fit, "coefficients of wrong sizes")

    # All exponentials in one variable: E_i is x^strides[i], far enough apart for every product.
    strides, width = [], 1
    for i in range(len(rates)):
        strides.append(width)
        width *= (2 * model.depth - 1) * max(k[i] for k in terms) + 1
        _need(width <= PRODUCTS, "too many products")
    places = [sum(n * s for n, s in zip(k, strides, strict=True)) for k in terms]
    spans = [*strides[1:], width]

    def powers(place: int) -> list[int]:
        return [place % span // stride for stride, span in zip(strides, spans, strict=True)]

    # The sum, its residual and its defect.
    ctx.prec = _precision(2 * bits + 64, "a step")
    spend(width * (8 * len(rates) + 4 * model.rows_work), ctx.prec, "a step along exponentials")
    room(width * (3 * model.entries + sum(model.mask)), ctx.prec, "a step along exponentials")
    states: list[list[arb_poly]] = []
    for block, size in enumerate(sizes):
        states.append([])
        for entry in range(size):
            row = [arb(0)] * (max(places) + 1)
            for place, blocks in zip(places, values, strict=True):
                row[place] = arb((fmpz(blocks[block][entry]), fmpz(-bits)))
            states[-1].append(arb_poly(row))
    field, residual = model.over(states)
    whole = [x.coeffs() for flat in states for x in flat]
    forces, misses = [f.coeffs() for f in field], [f.coeffs() for f in residual]
    exponents = []
    for place in range(max(map(len, [*forces, *misses, *whole]))):
        exponents.append(_arb(sum((n * a for n, a in zip(powers(place), rates, strict=True)), Fraction(0))))
    defects = []
    for place, w in enumerate(exponents):
        pairs = zip(_column(forces, place), _column(whole, place), strict=True)
        defects.append(_norm([f - w * x for f, x in pairs]))

    # Its ends.
    t = _arb(length)
    starts, ends = [], []
    for place in range(len(exponents)):
        parts = list(zip(powers(place), map(_arb, rates), strict=True))
        starts.append(sum((-n * a * t for n, a in parts if bool(a > 0)), arb(0)).exp())
        ends.append(sum((n * a * t for n, a in parts if bool(a < 0)), arb(0)).exp())
    begin = _far(_along(whole, starts), [_arb(v) for flat in mid for v in flat])
    rounding = _far(_along(whole, ends), [_arb(v) for flat in new_mid for v in flat])

    # The logarithmic norm, with bounds of the blocks over the whole step.
    ctx.prec = 64
    radius = _arb(rho)
    sides = [_norm(_column(misses, place)) for place in range(len(exponents))]
    norms = []
    for flat, shape in zip(states, model.shapes, strict=True):
        rows = [x.coeffs() for x in flat]
        moved = sum((_norm(_column(rows, place)) for place in places if place), arb(0))
        norms.append(_up(model.block_norm(_column(rows, 0), shape) + moved + radius))
    weight = _up(model.curvature(norms) * _arb(model.factor) * model.data_norm)
    reach = _up(model.slope(norms) * model.data_norm * radius)
    steady = _up(weight * model.dual_norm(_column(misses, 0)))

    def integral(place: int, rate: arb) -> arb:
        first, last = _up(starts[place]) * (rate * t).exp(), _up(ends[place])
        gap = abs(exponents[place] - rate)
        return _up(_largest([_up(first), last]) * (1 / gap if bool(gap * t > 1) else t))

    growth = weight * (sum((v * integral(k, arb(0)) for k, v in enumerate(sides) if k), arb(0)) + reach * t)
    local = sum((v * integral(k, steady) for k, v in enumerate(defects)), arb(0))
    bound = _up((_up((_arb(error) + begin) * (steady * t).exp()) + local) * growth.exp())
    _need(bool(bound < radius), "the solution is not shown to stay within rho")
    _need(bool(bound + rounding <= _arb(new_error)), "the error is larger than claimed")
    return new_mid, new_error


def _column(rows: Sequence[Flat], place: int) -> Flat:
    return [row[place] if place < len(row) else arb(0) for row in rows]


def _along(rows: Sequence[Flat], values: Sequence[arb]) -> Flat:
    """Sums of coefficients times values."""
    return [sum((c * values[k] for k, c in enumerate(row) if not c.is_zero()), arb(0)) for row in rows]


def _check_capture(
    model: _Model, mid: list[list[Fraction]], error: Fraction, capture: dict[str, Any]
) -> tuple[list[list[Fraction]], Fraction]:
    bits = capture["bits"]
    radius = _arb(_dyadic(capture["radius"]))
    new_mid, new_error = _blocks(capture["mid"], model), _dyadic(capture["error"])
    _need(bool(radius > 0) and new_error >= 0, "capture: a bound is negative")
    ctx.prec = bits + 40
    count = sum(model.mask)
    spend(count**2 * model.entries + 3 * count**3 + model.rows_work, ctx.prec, "capture")
    blocks = [[_arb(v) for v in flat] for flat in mid]
    residual, rows = model.jacobian(blocks)
    jac = arb_mat(rows)
    inverse = (jac * jac.transpose()).inv()
    shift = (jac.transpose() * (inverse * arb_mat([[v] for v in residual]))).entries()
    flat = [v for f in blocks for v in f]
    target = [_arb(v) for f in new_mid for v in f]
    spill = _norm([x - s - y for x, s, y in zip(flat, shift, target, strict=True)])
    ctx.prec = 64
    spread = _spectral([[inverse[i, j] for j in range(inverse.ncols())] for i in range(inverse.nrows())])
    sigma0 = (1 / spread).sqrt()
    r = _norm(residual)
    e = _up(_arb(error))
    norms = [model.block_norm(f, shape) + radius for f, shape in zip(blocks, model.shapes, strict=True)]
    kappa = model.curvature(norms) * model.data_norm
    rho0 = r + model.slope(norms) * model.data_norm * e
    sigma = sigma0 - kappa * radius
    _need(bool(sigma > 0), "capture: the Jacobian is not shown to have full row rank")
    _need(bool(e + rho0 / sigma < radius), "capture: the flow is not shown to stay within the radius")
    newton = kappa * r * r / sigma**3 / arb(2).sqrt()
    bound = _up(newton + e * (kappa * rho0 / sigma**2).exp())
    _need(bool(bound + spill <= _arb(new_error)), "capture: the error is larger than claimed")
    return new_mid, new_error


def _check_pair(cert: dict[str, Any]) -> Verified:
    """The limit of lambda_i' = -lambda_i^(L-1) r, r = (lambda_1^L + (d-1) lambda_2^L)/d - w, from positive starts.

    Both components are increasing functions of one another along the flow: for L > 2 the difference of the powers
    2 - L stays, for L = 2 the ratio, for L = 1 the difference. So r increases in the larger component x, and x lies
    between two points where r has opposite signs. For L >= 2 and w <= 0 the limit is 0.
    """
    d, depth, target = cert["d"], cert["depth"], rational(cert["target"])
    first, second = (rational(v) for v in cert["start"])
    _need(first > 0 and second > 0, "the start is not positive")
    begin = (first, second)
    if cert["bracket"] is None:
        _need(depth == 1 or target <= 0, "a bracket is missing")
        gap = (first - second) / d if depth == 1 else Fraction(0)
        low = target - gap if depth == 1 else Fraction(0)
        return Pair(d, depth, target, begin, (low + d * gap, low))
    _need(depth > 1 and target > 0, "a bracket needs depth 2 or more and a positive target")
    swapped = second > first
    big, small = max(first, second), min(first, second)
    one, other = Fraction(1, d), Fraction(d - 1, d)
    weights = (other, one) if swapped else (one, other)
    ends = [_dyadic(v) for v in cert["bracket"]]
    _need(0 < ends[0] < ends[1], "the bracket is no interval of positive numbers")
    ctx.prec = _precision(max(v.numerator.bit_length() + v.denominator.bit_length() for v in ends) + 64, "the bracket")
    power = depth - 2
    spend(50, max(1, power) * (_bits(small) + _bits(big)), "the invariant of the pair")
    gap_of_powers = fmpq(0) if power == 0 else _rational(small) ** -power - _rational(big) ** -power

    def smaller(x: arb) -> arb:
        if depth == 2:
            return x * _arb(small / big)
        return 1 / (arb(gap_of_powers) + 1 / x**power).root(power)

    def residual(x: arb) -> arb:
        return _arb(weights[0]) * x**depth + _arb(weights[1]) * smaller(x) ** depth - _arb(target)

    left, right = (_arb(v) for v in ends)
    _need(bool(residual(left) < 0) and bool(residual(right) > 0), "the residual has no opposite signs at the ends")
    x = left.union(right)
    return Pair(d, depth, target, begin, [x, smaller(x)][:: -1 if swapped else 1])


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)
