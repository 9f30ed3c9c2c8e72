"""The checker's part for problems that decouple, and for those that have a closed form. Imports python-flint, the standard
library and the checker beside it.

A certificate has `model` (a linear network without data) and `start` as for :mod:`verify.flow.recheck`, `bits`, the working
precision of what is evaluated, and one of these kinds.

*decoupled*, with `split` and `parts`. The nodes of a network are (l, k): row k of W_l, or for l = 0 column k of W_1. A part has
`nodes`, a list of nodes for each l = 0, .., L, and `certificate`, which is about the network with these nodes alone, or null.

- `split` "blocks": the parts are disjoint and hold all nodes; entries of the start between parts are 0; observed entries between
  parts have target 0. Then the gradient of an entry between parts vanishes: it is a sum over observed entries (r, c) of
  Q[r, j] R[r, c] P[i, c] with P, Q products of factors, and P, Q vanish between parts, and so does the residual R. So the
  factors stay block diagonal and each part has its own flow. A part without an observed entry, or without nodes in some layer,
  does not move: its certificate is null.
- `split` "entries", depth 2: each row and column is in one part or in none, and each part has all inner nodes; observed entries
  lie within parts. Row r of W_2 and column c of W_1 move only by the observed entries in them, so that each part has its own
  flow, and rows and columns in no part do not move.

*chain*: all widths are 1. x_l' = -(x_1 .. x_L - w) prod_(k != l) x_k. The differences x_l^2 - x_k^2 are constant. Let u be an x_m
of least square, q the number of these, c_l = x_l^2 - u^2 >= 0. An x_l with c_l > 0 keeps its sign; one with c_l = 0 stays equal
to u or to -u, since (x_l -+ u)' is a multiple of x_l -+ u. If q = 1, u moves monotonically to the one u with
h(u) = u prod sqrt(u^2 + c_l) = tau, where tau = w times the signs of the other x_l. If q > 1, u keeps its sign, is taken
positive, and h(u) = u^q prod_(c_l > 0) sqrt(u^2 + c_l) tends to tau = w times all signs if tau > 0, and to 0 if tau <= 0; from
u = 0 nothing moves. `bracket`: two exact points between which h - tau changes its sign; null where u tends to 0 or stays.

*single-entry*: depth 2, widths 1, n, 1. With p, q = W_2^T +- W_1, p = e^s p(0), q = e^(-s) q(0), where
s' = w - (|p|^2 - |q|^2)/4 falls in s: for P = |p(0)|^2, Q = |q(0)|^2 both positive, e^(2s) tends to the positive root z of
P z^2 - 4 w z - Q; if Q = 0 it tends to 4w/P, or to 0 for w <= 0; if P = 0, e^(-2s) tends to -4w/Q, or to 0 for w >= 0.

*commuting*: every entry is observed, the target W is symmetric, and every factor is a multiple alpha_l of the identity. The
factors stay polynomials in W, and on an eigenvector with eigenvalue w the flow is the chain from alpha_1, .., alpha_L.
`eigenvalues`: for each distinct eigenvalue, in falling order, the bracket of that chain (or null). The limits are sums over the
eigenvalues of the limit of the chain times the projection on the eigenspace, prod_(v != w) (W - v)/(w - v).

*truncated*: depth L >= 2, and every entry of the target Y is observed. The product P of the factors tends to the sum of the k
largest singular parts sigma_i u_i v_i^T of Y; k is the smaller one of the rank of Y and a bound of the rank of P at infinity.
(The limit of the factors is not told: they may turn against each other.) `way`: a certificate about the same network (of kind
"undetermined": an enclosure at some time) that shows a loss as small as is needed below; null for k = 0.

1. The flow converges to a critical point. The loss does not increase, so P stays bounded. The C_l = W_(l+1)^T W_(l+1) -
   W_l W_l^T are constant. Let Q_l = (W_L .. W_l)^T (W_L .. W_l), so that Q_l = W_l^T Q_(l+1) W_l, and M_l = W_l^T W_l. By
   induction from l = L down, Q_l differs from M_l^(L-l+1) by at most c (1 + |W_l|^(2(L-l))): put M_(l+1) = W_l W_l^T + C_l
   into M_(l+1)^(L-l), and |W_(l+1)|^2 <= |W_l|^2 + c into the rest. So |P|^2 = |Q_1| >= |W_1|^(2L) - c (1 + |W_1|^(2L-2)), and
   W_1 stays bounded; with it each W_l, as |W_l|_F^2 - |W_1|_F^2 is constant. A bounded solution of the gradient flow of a
   polynomial converges, to a point where the gradient is 0 (Lojasiewicz).
2. There P^T (P - Y) = 0 and (P - Y) P^T = 0, since these are the gradients of W_1 and W_L times W_1^T and W_L^T. So Y = P + N
   with N = Y - P, P^T N = 0 and P N^T = 0: a singular value decomposition of P and one of N are one of Y together. The singular
   values of Y are those of P and those of N, and the loss there is half the sum of squares of those of N.
3. P has at most rank c, the least width, so at most k = min(c, rank Y) singular values of Y, sigma_1 >= sigma_2 >= .., and N has
   all others. If N has not just those with i > k, then it has one with i <= k, and the squares of its singular values sum up to
   at least S + sigma_k^2 - sigma_(k+1)^2, where S is the sum of sigma_i^2 over i > k. So if |P - Y|_F^2 is below that at some
   time, and sigma_k > sigma_(k+1), then P tends to the sum of the first k parts, which is unique. If k = 0, then P tends to 0.
4. The sign of the determinant. Let all widths be d, the start balanced (all C_l = 0), and det Y and det P(0) of opposite signs;
   then c = d - 1 will do. For with B = W_L .. W_2, B^T B = (W_1 W_1^T)^(L-1), so that B = O (W_1 W_1^T)^((L-1)/2) with an
   orthogonal O; and W_1^-1 (W_1 W_1^T)^(1/2) = Q is orthogonal as long as W_1 is invertible. Then (log |det W_1|)' =
   -tr(W_1^-1 B^T (P - Y)) = -tr(Q (W_1 W_1^T)^((L-2)/2) O^T (P - Y)), times the factor of the loss, is bounded, since the flow
   is, and det W_1 is never 0; nor are those of the other factors, which have the same squares. So det P keeps its sign, and at
   infinity P is not Y. But if it had rank d there, N would be 0.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import acb, arb, arb_mat, ctx, fmpq, fmpq_mat

from verify.flow.recheck_balls import _arb, _norm
from verify.flow.recheck_models import _Network, _times
from verify.flow.recheck_proved import Reduced, Verified, _fraction
from verify.flow.recheck_read import dyadic as _dyadic
from verify.flow.recheck_read import need as _need
from verify.flow.recheck_read import rational, room, spend

Flat = list[arb]
Rows = list[list[Fraction]]
Check = Callable[[Any], Verified]


def check_reduction(cert: dict[str, Any], check: Check) -> Reduced:
    """Check a certificate of one of REDUCED, whose shape is right; `check` is the checker for those in it. Raises Refused."""
    model = _Network(cert["model"])
    start = _start(cert, model)
    saved, ctx.prec = ctx.prec, cert["bits"]
    try:
        if cert["kind"] == "decoupled":
            return _decoupled(cert, model, start, check)
        if cert["kind"] == "chain":
            return _chain(cert, model, start)
        if cert["kind"] == "commuting":
            return _commuting(cert, model, start)
        if cert["kind"] == "truncated":
            return _truncated(cert, model, start, check)
        _need(cert["kind"] == "single-entry", "unknown kind")
        return _single_entry(model, start)
    finally:
        ctx.prec = saved


def _start(cert: dict[str, Any], model: _Network) -> list[Rows]:
    start = [[[rational(v) for v in row] for row in block] for block in cert["start"]]
    _need(len(start) == model.depth, "start: a factor too few or too many")
    for block, (rows, cols) in zip(start, model.shapes, strict=True):
        _need(len(block) == rows and all(len(row) == cols for row in block), "start: bad shape")
    return start


def _flat(start: list[Rows]) -> list[list[Fraction]]:
    return [[v for row in block for v in row] for block in start]


# -- decoupling
# --------------------------------------------------------------------------------------------------------


def _decoupled(cert: dict[str, Any], model: _Network, start: list[Rows], check: Check) -> Reduced:
    cols = model.shapes[0][1]
    sizes = [cols, *(r for r, _ in model.shapes)]
    parts = [part["nodes"] for part in cert["parts"]]
    observed = {(e // cols, e % cols): model.target[e] for e, on in enumerate(model.mask) if on}
    blocks = cert["split"] == "blocks"
    owner = _owners(parts, sizes, blocks)
    if blocks:
        for level, block in enumerate(start):
            for j, row in enumerate(block):
                for i, v in enumerate(row):
                    _need(v == 0 or owner[level + 1][j] == owner[level][i], "the start links two parts")
    else:
        _need(model.depth == 2, "not of depth 2")
    balls = [[_arb(v) for row in block for v in row] for block in start]
    products: list[tuple[list[list[int]], list[Flat]]] = []
    fitted: set[tuple[int, int]] = set()
    whole = True
    for (r, c), target in observed.items():
        if owner[-1].get(r, -1) != owner[0].get(c, -2):
            _need(blocks and target == 0, "an observed entry links two parts")
            fitted.add((r, c))
    for number, (nodes, part) in enumerate(zip(parts, cert["parts"], strict=True)):
        inside = [(r, c) for r in nodes[-1] for c in nodes[0] if (r, c) in observed]
        moves = bool(inside) and all(nodes)
        _need((part["certificate"] is not None) == moves, f"part {number}: a certificate is missing or too many")
        if not moves:
            fitted |= {cell for cell in inside if observed[cell] == 0}
            if all(nodes):
                still = [[[_arb(block[j][i]) for i in nodes[k]] for j in nodes[k + 1]] for k, block in enumerate(start)]
                products.append((nodes, _product(still, arb(0))))
            continue
        sub = part["certificate"]
        _same(sub, model, start, nodes, observed, number)
        found = _of_part(sub, check)
        fitted |= {(nodes[-1][r], nodes[0][c]) for r, c in found.fitted}
        if found.balls is None:
            _need(blocks, f"part {number}: its factors are not known, and other parts need them")
            assert found.product is not None
            whole = False
            products.append((nodes, found.product))
            continue
        sides = [(len(high), len(low)) for low, high in pairwise(nodes)]
        given = [[flat[i * c : (i + 1) * c] for i in range(r)] for flat, (r, c) in zip(found.balls, sides, strict=True)]
        products.append((nodes, _product(given, arb(0))))
        for level in range(model.depth):
            width = len(nodes[level])
            for j, high in enumerate(nodes[level + 1]):
                for i, low in enumerate(nodes[level]):
                    balls[level][high * sizes[level] + low] = found.balls[level][j * width + i]
    if whole:
        return Reduced(model, _flat(start), balls, fitted)
    product = [[arb(0)] * cols for _ in range(sizes[-1])]  # between blocks it is 0
    for nodes, values in products:
        for r, line in zip(nodes[-1], values, strict=True):
            for c, x in zip(nodes[0], line, strict=True):
                product[r][c] = x
    return Reduced(model, _flat(start), None, fitted, product)


def _owners(parts: list[list[list[int]]], sizes: list[int], blocks: bool) -> list[dict[int, int]]:
    """The part of each node by layer; inner nodes are shared in a split by entries."""
    owner: list[dict[int, int]] = [{} for _ in sizes]
    for number, nodes in enumerate(parts):
        _need(len(nodes) == len(sizes), f"part {number}: a layer too few or too many")
        for level, (layer, size) in enumerate(zip(nodes, sizes, strict=True)):
            shared = not blocks and 0 < level < len(sizes) - 1
            _need(all(0 <= k < size for k in layer) and len(set(layer)) == len(layer), f"part {number}: no such nodes")
            if shared:
                _need(layer == list(range(size)), f"part {number}: inner nodes are missing")
                continue
            _need(not any(k in owner[level] for k in layer), f"part {number}: a node is in two parts")
            owner[level].update(dict.fromkeys(layer, number))
    if blocks:
        _need(all(len(held) == size for held, size in zip(owner, sizes, strict=True)), "a node is in no part")
    return owner


def _same(
    sub: dict[str, Any],
    model: _Network,
    start: list[Rows],
    nodes: list[list[int]],
    observed: dict[tuple[int, int], Fraction],
    number: int,
) -> None:
    """The certificate of a part must be about the part."""
    where = f"part {number}: "
    _need("model" in sub, where + "another model")
    _need(sub["model"]["name"] == "linear-network" and sub["model"]["data"] is None, where + "another model")
    _need(sub["model"]["widths"] == [len(layer) for layer in nodes], where + "other widths")
    _need(rational(sub["model"]["factor"]) == model.factor, where + "another factor")
    cells = [[None if v is None else rational(v) for v in row] for row in sub["model"]["target"]]
    _need(cells == [[observed.get((r, c)) for c in nodes[0]] for r in nodes[-1]], where + "other observations")
    given = [[[rational(v) for v in row] for row in block] for block in sub["start"]]
    mine = [[[block[j][i] for i in nodes[k]] for j in nodes[k + 1]] for k, block in enumerate(start)]
    _need(given == mine, where + "another start")


def _of_part(sub: dict[str, Any], check: Check) -> Reduced:
    """What the certificate of a part proves of the limit."""
    bits = ctx.prec
    found = check(sub)
    ctx.prec = bits
    if isinstance(found, Reduced):
        return found
    _need(found.kind in ("limit", "stationary"), "the limit of a part is not proved")
    error = _arb(found.error)
    balls = [[_arb(v) + arb(0, error.abs_upper()) if error else _arb(v) for v in flat] for flat in found.blocks]
    assert isinstance(found.model, _Network)
    return Reduced(found.model, found.start, balls, found.fitted)


def _product(blocks: list[Any], zero: Any) -> Any:
    count = sum(len(block) * len(block[0]) for block in blocks) * len(blocks[0][0])
    longest = 0 if isinstance(zero, arb) else max(_length(v) for block in blocks for row in block for v in row)
    spend(8 * count, len(blocks) * longest + ctx.prec, "a product")
    out = blocks[0]
    for block in blocks[1:]:
        out = _times(block, out, zero)
    return out


# -- scalar chains
# --------------------------------------------------------------------------------------------------------


def chain_limit(xs: list[Fraction], w: Fraction, bracket: Any) -> tuple[Flat, bool]:
    """Enclosures of the limits of a chain, and whether its residual tends to zero."""
    least = min(abs(x) for x in xs)
    gaps = [x * x - least * least for x in xs]
    tied = [k for k, c in enumerate(gaps) if c == 0]
    others = [k for k, c in enumerate(gaps) if c != 0]
    sign = 1
    for k in others if len(tied) == 1 else range(len(xs)):
        sign = -sign if xs[k] < 0 else sign
    tau = sign * w
    if len(tied) > 1 and least == 0:
        _need(bracket is None, "nothing moves here")
        return [_arb(x) for x in xs], w == 0
    if tau == 0 or (len(tied) > 1 and tau < 0):
        _need(bracket is None, "the chain tends to zero")
        u = arb(0)
    else:
        _need(bracket is not None, "a bracket is missing")
        low, high = (_arb(_dyadic(v)) for v in bracket)

        def h(x: arb) -> arb:
            out = x ** len(tied)
            for k in others:
                out = out * (x * x + _arb(gaps[k])).sqrt()
            return out

        _need(bool(low < high) and (len(tied) == 1 or bool(low > 0)), "the bracket is out of place")
        _need(bool(h(low) < _arb(tau)) and bool(h(high) > _arb(tau)), "the signs at the ends of the bracket do not hold")
        u = low.union(high)
    out = []
    for k, x in enumerate(xs):
        if k in tied:
            out.append(u if len(tied) == 1 or x > 0 else -u)
        else:
            size = (u * u + _arb(gaps[k])).sqrt()
            out.append(size if x > 0 else -size)
    return out, bracket is not None or w == 0


def _chain(cert: dict[str, Any], model: _Network, start: list[Rows]) -> Reduced:
    _need(all(shape == (1, 1) for shape in model.shapes), "not all widths are 1")
    limits, zero = chain_limit([block[0][0] for block in start], model.target[0], cert["bracket"])
    return Reduced(model, _flat(start), [[v] for v in limits], {(0, 0)} if zero else set())


# -- one observed entry at depth 2
# --------------------------------------------------------------------------------------------------------


def _single_entry(model: _Network, start: list[Rows]) -> Reduced:
    _need(model.depth == 2 and model.shapes[0][1] == 1 and model.shapes[1][0] == 1, "not a single entry of depth 2")
    b, a = [row[0] for row in start[0]], start[1][0]
    w = model.target[0]
    plus = [x + y for x, y in zip(a, b, strict=True)]
    minus = [x - y for x, y in zip(a, b, strict=True)]
    p, q = sum((x * x for x in plus), Fraction(0)), sum((x * x for x in minus), Fraction(0))
    zero = True
    if p and q:
        root = _arb(4 * w * w + p * q).sqrt()
        z = (2 * _arb(w) + root) / _arb(p) if w >= 0 else _arb(q) / (root - 2 * _arb(w))
        up, down = z.sqrt(), 1 / z.sqrt()
    else:
        zero = (p != 0 and w >= 0) or (q != 0 and w <= 0) or w == 0
        up = _arb(4 * w / p).sqrt() if p and w > 0 else arb(0)
        down = _arb(-4 * w / q).sqrt() if q and w < 0 else arb(0)
    sums = [up * _arb(x) for x in plus]
    gaps = [down * _arb(x) for x in minus]
    row = [(x + y) / 2 for x, y in zip(sums, gaps, strict=True)]
    column = [(x - y) / 2 for x, y in zip(sums, gaps, strict=True)]
    return Reduced(model, _flat(start), [column, row], {(0, 0)} if zero else set())


# -- a symmetric target, all observed, from multiples of the identity
# --------------------------------------------------------------------------------------------------------


def _commuting(cert: dict[str, Any], model: _Network, start: list[Rows]) -> Reduced:
    n = model.shapes[0][0]
    _need(all(shape == (n, n) for shape in model.shapes) and all(model.mask), "not square, or not all observed")
    w = [model.target[i * n : (i + 1) * n] for i in range(n)]
    _need(all(w[i][j] == w[j][i] for i in range(n) for j in range(i)), "the target is not symmetric")
    alphas = [block[0][0] for block in start]
    for alpha, block in zip(alphas, start, strict=True):
        multiple = all(v == (alpha if i == j else 0) for i, row in enumerate(block) for j, v in enumerate(row))
        _need(multiple, "a factor is no multiple of the identity")
    values = eigenvalues(w)
    brackets = cert["eigenvalues"]
    _need(len(values) == len(brackets), "not one bracket for each eigenvalue")
    ends = [_ball_chain(alphas, value, bracket) for value, bracket in zip(values, brackets, strict=True)]
    zero = all(fits for _, fits in ends)
    sums = [arb_mat(n, n) for _ in alphas]
    for (limits, _), projection in zip(ends, projections(w, values), strict=True):
        sums = [total + projection * x for total, x in zip(sums, limits, strict=True)]
    cells = {(i, j) for i in range(n) for j in range(n)} if zero else set()
    return Reduced(model, _flat(start), [list(total.entries()) for total in sums], cells)


# -- all observed: the largest singular parts of the target
# --------------------------------------------------------------------------------------------------------


def largest_rank(target: Rows, start: list[Rows]) -> int:
    """An upper bound of the rank of the product at infinity: the least width, or d - 1 where the determinant keeps its sign."""
    d = len(target)
    widths = [len(start[0][0]), *(len(block) for block in start)]
    if any(width != d for width in widths):
        return min(widths)
    if balanced(start) and determinant(target) * determinant(_product(start, Fraction(0))) < 0:
        return d - 1
    return d


def balanced(start: list[Rows]) -> bool:
    """Whether W_(l+1)^T W_(l+1) = W_l W_l^T for all l."""
    zero = Fraction(0)
    return all(_times(_transposed(high), high, zero) == _times(low, _transposed(low), zero) for low, high in pairwise(start))


def rank(rows: Rows) -> int:
    """The rank."""
    return int(_table(rows).rank())


def determinant(rows: Rows) -> fmpq:
    """The determinant."""
    return _table(rows).det()


def _table(rows: Rows) -> fmpq_mat:
    """A matrix in exact arithmetic; whoever asks for one wants its determinant, its rank or its eigenvalues."""
    size = min(len(rows), len(rows[0]))
    longest = max(_length(v) for row in rows for v in row)
    spend(size**3 * (size + 10), size * longest + ctx.prec, "a matrix in exact arithmetic")
    return fmpq_mat(len(rows), len(rows[0]), [fmpq(v.numerator, v.denominator) for row in rows for v in row])


def _length(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _transposed(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def truncation(target: Rows, start: list[Rows]) -> tuple[int, arb | None, list[Flat]]:
    """The k of a truncated limit, the level below which |P - Y|_F^2 is to come (None: no matter), and the limit of the product.

    Raises Refused where sigma_k and sigma_(k+1) are not told apart at the working precision.
    """
    full = rank(target)
    k = min(full, largest_rank(target, start))
    y = arb_mat([[_arb(v) for v in row] for row in target])
    if k == 0:
        return 0, None, [[arb(0)] * len(row) for row in target]
    wide = len(target) <= len(target[0])
    gram = _times(target, _transposed(target), Fraction(0)) if wide else _times(_transposed(target), target, Fraction(0))
    spend(600 * len(gram) ** 2, ctx.prec, "singular values")
    roots: Any = _table(gram).charpoly().numer().complex_roots()
    squares = sorted(((acb(root).real, n) for root, n in roots), key=lambda pair: _fraction(pair[0].mid()), reverse=True)
    values = [v for v, _ in squares]
    _need(all(bool(a > b) for a, b in pairwise(values)), "singular values are not told apart at this precision")
    kept, count = [], 0
    for v, n in squares:
        if count < k:
            kept.append(v)
            count += n
    _need(count == k, "two singular values are equal: the limit is not unique")
    rest = squares[len(kept) :]
    level = sum((v * n for v, n in rest), arb(0)) + kept[-1] - (rest[0][0] if rest else 0)
    if k == full:
        return k, level, [[_arb(v) for v in row] for row in target]
    parts = projections(gram, values)
    part = sum(parts[1 : len(kept)], parts[0])
    return k, level, (part * y if wide else y * part).tolist()


def _truncated(cert: dict[str, Any], model: _Network, start: list[Rows], check: Check) -> Reduced:
    _need(model.depth >= 2 and all(model.mask), "depth 1, or not all observed")
    rows, cols = model.shapes[-1][0], model.shapes[0][1]
    target = [model.target[i * cols : (i + 1) * cols] for i in range(rows)]
    k, level, product = truncation(target, start)
    if level is not None:
        way = cert["way"]
        _need(way is not None, "the way is missing")
        nodes = [list(range(size)) for size in (cols, *(r for r, _ in model.shapes))]
        observed = {(r, c): target[r][c] for r in range(rows) for c in range(cols)}
        _same(way, model, start, nodes, observed, 0)
        bits = ctx.prec
        _need(way["kind"] == "undetermined", "the way is no enclosure at a time")
        found = check(way)
        ctx.prec = bits
        error = _arb(found.error).abs_upper()
        flats = [[_arb(v) + arb(0, error) for v in flat] for flat in found.blocks]
        left = _norm(model.residual(flats))
        _need(bool(left * left < level), "the loss is not below the second one that is possible")
    zero = k == rank(target)
    cells = {(r, c) for r in range(rows) for c in range(cols)} if zero else set()
    return Reduced(model, _flat(start), None, cells, product)


def projections(w: Rows, values: list[arb]) -> list[arb_mat]:
    """The projections on the eigenspaces of a symmetric matrix W from all its distinct eigenvalues, in disjoint balls: for each
    value the product over the others v of (W - v)/(value - v).
    """
    n = len(w)
    spend(3 * len(values) * n**3, ctx.prec, "projections")
    room(2 * len(values) * n * n, ctx.prec, "projections")
    matrix = arb_mat([[_arb(v) for v in row] for row in w])
    one = arb_mat([[arb(int(i == j)) for j in range(n)] for i in range(n)])
    before, after = [one], [one]
    for low, high in zip(values[:-1], values[:0:-1], strict=True):
        before.append(before[-1] * (matrix - one * low))
        after.append((matrix - one * high) * after[-1])
    out = []
    for k, value in enumerate(values):
        scale = arb(1)
        for other in values:
            if other is not value:
                scale = scale * (value - other)
        out.append(before[k] * after[len(values) - 1 - k] * (1 / scale))
    return out


def eigenvalues(w: Rows) -> list[arb]:
    """Disjoint balls around the distinct eigenvalues of a symmetric matrix, in falling order; exactly 0 where it is 0."""
    spend(600 * len(w) ** 2, ctx.prec, "eigenvalues")
    roots: Any = _table(w).charpoly().numer().complex_roots()
    found = [acb(root).real for root, _ in roots]  # all are real
    found.sort(key=lambda v: _fraction(v.mid()), reverse=True)
    _need(all(bool(a > b) for a, b in pairwise(found)), "eigenvalues are not told apart at this precision")
    return found


def _ball_chain(alphas: list[Fraction], w: arb, bracket: Any) -> tuple[Flat, bool]:
    """The limits of the chain for every target in a ball: those at its ends enclose them, since they are monotone in w."""
    if w.is_exact():
        return chain_limit(alphas, _fraction(w), bracket)
    _need(bool(w > 0) or bool(w < 0), "the sign of an eigenvalue is not decided")
    ends = [_fraction(arb(w.lower())), _fraction(arb(w.upper()))]
    both = [chain_limit(alphas, end, bracket) for end in ends]
    return [x.union(y) for x, y in zip(both[0][0], both[1][0], strict=True)], both[0][1] and both[1][1]
