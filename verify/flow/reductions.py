"""Limits without integration, or with less of it: problems that decouple, and those that have a closed form.

The validated engine certifies a limit where the loss tends to zero and the Jacobian has full row rank. A start with zeros, or a
pattern of observations that falls apart, often leads elsewhere: to a saddle (a diagonal target -1 from alpha I), to an observed 0
at an algebraic rate, or it is a problem of many small ones. Here the flow is split where a symmetry of signs or of the pattern
keeps it in an invariant subspace, and each part is answered on its own:

- *blocks*: the start is block diagonal and no observed entry with a target other than 0 lies between blocks (then the flow is
  invariant under a change of sign of one block, and stays block diagonal);
- *entries*, depth 2: connected components of the observation graph do not meet;
- *chain*: all widths are 1; an invariant and one monotone equation;
- *single-entry*, depth 2: one row times one column (Proposition 17 of shin2025), a quadratic equation;
- *commuting*: a symmetric target, all observed, from multiples of the identity: a chain for each eigenvalue;
- *truncated*: all observed, where the limit has not full rank (narrow widths, a target of low rank, or a determinant that must
  change its sign, which it cannot): the product tends to the largest singular parts of the target, as soon as the loss is low.

What is left goes to the validated engine, part by part. The mathematics, and the checker, are in
:mod:`verify.flow.recheck_reductions`; every number of an answer is what the checker proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from verify.flow import deadline, recheck
from verify.flow.balls import ball, dyadic, dyadic_fraction, encode, precision
from verify.flow.certificate import complete
from verify.flow.domain import refuse
from verify.flow.models import LinearNetwork, deep_factorization
from verify.flow.recheck_numbers import Numbers, numbers
from verify.flow.recheck_reductions import balanced, eigenvalues, largest_rank, rank, truncation
from verify.flow.validated import LOG2_10, Problem, Result, _header, certain_digits, certified_limit, descend

Rows = Sequence[Sequence[Any]]
Nodes = list[list[int]]
Say = Callable[[str], None]
MAX_PART = 100
"""The most unknowns of a part that goes to the validated engine."""


class Undetermined(Exception):
    """A part whose limit was not certified, with the reason."""


@dataclass(frozen=True)
class Network:
    """A deep factorisation: target rows (None: not observed), and the exact factors W_1, .., W_L."""

    target: tuple[tuple[Fraction | None, ...], ...]
    factors: tuple[tuple[tuple[Fraction, ...], ...], ...]

    @property
    def depth(self) -> int:
        return len(self.factors)

    @property
    def sizes(self) -> list[int]:
        """d_0, .., d_L."""
        return [len(self.target[0]), *(len(f) for f in self.factors)]

    @property
    def observed(self) -> dict[tuple[int, int], Fraction]:
        return {(r, c): v for r, row in enumerate(self.target) for c, v in enumerate(row) if v is not None}

    @property
    def model(self) -> LinearNetwork:
        return deep_factorization(self.target, self.depth, self.sizes[1:-1])

    def part(self, nodes: Nodes) -> Network:
        """The network with some of the nodes."""
        target = tuple(tuple(self.target[r][c] for c in nodes[0]) for r in nodes[-1])
        factors = tuple(
            tuple(tuple(factor[j][i] for i in nodes[k]) for j in nodes[k + 1]) for k, factor in enumerate(self.factors)
        )
        return Network(target, factors)

    def header(self) -> dict[str, Any]:
        """The problem as a certificate states it."""
        return _header(Problem.make(self.model, self.factors))


@dataclass(frozen=True)
class Outcome:
    """A limit, as the checker proved it.

    Attributes:
        found: the checker's answer. numbers: what follows from it.
        product: m x n balls of W_L .. W_1; exact where nothing moves or an observation is fitted.
        certificate: what was checked. digits: certain digits of the worst entry. method: in words.
    """

    found: recheck.Verified
    numbers: Numbers
    product: Any
    certificate: dict[str, Any]
    digits: int
    method: str


def applies(network: Network) -> bool:
    """Whether the problem decouples or has a closed form."""
    if closed_form(network) is not None or truncates(network):
        return True
    split = decouple(network)
    return split is not None


def limit(network: Network, digits: int, max_steps: int, say: Say = lambda text: None) -> Outcome:
    """The limit at infinity of a problem that `applies` accepts.

    Raises Undetermined where a part has no closed form and the validated engine cannot certify its limit.
    """
    wanted = digits + 3
    for _ in range(5):
        certificate = certify(network, wanted, max_steps, say)
        say("the checker looks at every part again")
        found = recheck.check(certificate)
        known = numbers(found, bits_for(2 * wanted))
        product = np.array(known.product, dtype=object)
        achieved = certain_digits(product)
        if achieved >= digits:
            break
        wanted += digits - achieved + 3
    return Outcome(found, known, product, certificate, achieved, describe(certificate))


def bits_for(digits: int) -> int:
    return math.ceil(digits * LOG2_10) + 64


def certify(network: Network, digits: int, max_steps: int, say: Say = lambda text: None) -> dict[str, Any]:
    """A certificate of the limit, of whichever kind is simplest."""
    kind = closed_form(network)
    if kind is not None:
        return close(network, kind, digits)
    split = decouple(network)
    if split is None:
        if not truncates(network):
            return integrate(network, digits, max_steps, say)
        if perhaps_regular(network):
            try:
                return integrate(network, digits, max_steps, say)
            except Undetermined:
                pass
        return truncate(network, digits, max_steps, say)
    name, parts = split
    out = []
    for number, nodes in enumerate(parts):
        part = network.part(nodes)
        moves = all(nodes) and bool(part.observed)
        if moves:
            say(f"part {number + 1} of {len(parts)}")
        found = certify(part, digits, max_steps, say) if moves else None
        if name == "entries" and _product_only(found):
            raise Undetermined("of one part only the product of the factors is known; entries between parts need the factors")
        out.append({"nodes": nodes, "certificate": found})
    return {**network.header(), "kind": "decoupled", "bits": bits_for(digits), "split": name, "parts": out}


def _product_only(certificate: dict[str, Any] | None) -> bool:
    """Whether a certificate says nothing about the factors themselves."""
    if certificate is None or certificate["kind"] != "decoupled":
        return certificate is not None and certificate["kind"] == "truncated"
    return any(_product_only(part["certificate"]) for part in certificate["parts"])


def integrate(network: Network, digits: int, max_steps: int, say: Say) -> dict[str, Any]:
    """By the validated engine."""
    return _run(network, say, lambda problem: certified_limit(problem, digits, max_steps))


def _run(network: Network, say: Say, engine: Callable[[Problem], Result]) -> dict[str, Any]:
    """The certificate of a run of the validated engine."""
    size = sum(len(f) * len(f[0]) for f in network.factors)
    if size > MAX_PART:
        raise Undetermined(f"a part that does not decouple has {size} unknowns; the validated engine takes at most {MAX_PART}")
    problem = Problem.make(network.model, network.factors)
    refuse(problem, None)
    say("validated steps")
    with deadline.within(deadline.left() / 2):  # the rest is for the check
        result = engine(problem)
    if not result.certified:
        raise Undetermined(result.reason)
    return complete(result.certificate)


# -- all observed, and a limit of lower rank
# --------------------------------------------------------------------------------------------------------


def truncates(network: Network) -> bool:
    """Whether all is observed, and the product cannot have full rank at infinity."""
    if network.depth < 2 or len(network.observed) < network.sizes[0] * network.sizes[-1]:
        return False
    target, start = _rows(network)
    return min(rank(target), largest_rank(target, start)) < min(len(target), len(target[0]))


def perhaps_regular(network: Network) -> bool:
    """Whether the factors may keep full rank although the product loses it: the engine may then know their limits as well."""
    target, start = _rows(network)
    return largest_rank(target, start) == min(len(target), len(target[0])) and not balanced(start)


def _rows(network: Network) -> tuple[list[list[Fraction]], list[list[list[Fraction]]]]:
    """The target, and the start, as lists of rows."""
    target = [[v or Fraction(0) for v in row] for row in network.target]
    return target, [[list(row) for row in factor] for factor in network.factors]


def truncate(network: Network, digits: int, max_steps: int, say: Say) -> dict[str, Any]:
    """The certificate of a truncated limit: the engine follows the flow until the loss is low enough."""
    target, start = _rows(network)
    why, bits, height = "", bits_for(digits), None
    for _ in range(5):
        with precision(bits):
            try:
                _, level, product = truncation(target, start)
            except recheck.Refused as error:  # singular values are close to each other
                why, bits = str(error), 2 * bits
                continue
            if level is not None:  # a quarter of the way from there to the loss of the limit is left to the checker
                rows = zip(product, target, strict=True)
                gaps = [x - ball(y) for row, ys in rows for x, y in zip(row, ys, strict=True)]
                lost = sum((g * g for g in gaps), arb(0))  # g ** 2 is not finite for a ball around 0
                height = dyadic_fraction(dyadic(((lost + 3 * level) / 4).mid()))
        break
    else:
        raise Undetermined(why)
    way = None if height is None else _run(network, say, lambda problem: descend(problem, height, max_steps))
    if way is not None and way["kind"] != "undetermined":
        raise Undetermined("the start does not move")
    return {**network.header(), "kind": "truncated", "bits": bits, "way": way}


# -- decoupling
# --------------------------------------------------------------------------------------------------------


def decouple(network: Network) -> tuple[str, list[Nodes]] | None:
    """The kind of split and the nodes of each part, or None if there is one part only."""
    parts = blocks(network)
    if len(parts) > 1:
        return "blocks", parts
    parts = components(network)
    if len(parts) > 1 or (parts and (len(parts[0][0]) < network.sizes[0] or len(parts[0][-1]) < network.sizes[-1])):
        return "entries", parts
    return None


class _Classes:
    """Disjoint sets."""

    def __init__(self) -> None:
        self.above: dict[Any, Any] = {}

    def find(self, x: Any) -> Any:
        while self.above.setdefault(x, x) != x:
            self.above[x] = self.above[self.above[x]]
            x = self.above[x]
        return x

    def join(self, x: Any, y: Any) -> None:
        self.above[self.find(x)] = self.find(y)


def blocks(network: Network) -> list[Nodes]:
    """The finest partition of the nodes that the start and the observed entries other than 0 do not link."""
    sizes, classes = network.sizes, _Classes()
    for level, factor in enumerate(network.factors):
        for j, row in enumerate(factor):
            for i, v in enumerate(row):
                if v:
                    classes.join((level + 1, j), (level, i))
    for (r, c), v in network.observed.items():
        if v:
            classes.join((network.depth, r), (0, c))
    found: dict[Any, Nodes] = {}
    for level, size in enumerate(sizes):
        for k in range(size):
            found.setdefault(classes.find((level, k)), [[] for _ in sizes])[level].append(k)
    return list(found.values())


def components(network: Network) -> list[Nodes]:
    """Depth 2: the connected components of the observation graph, each with all inner nodes; else none."""
    if network.depth != 2:
        return []
    classes = _Classes()
    for r, c in network.observed:
        classes.join(("row", r), ("column", c))
    found: dict[Any, Nodes] = {}
    for r, c in network.observed:
        part = found.setdefault(classes.find(("row", r)), [[], list(range(network.sizes[1])), []])
        part[2].append(r)
        part[0].append(c)
    return [[sorted(set(cols)), inner, sorted(set(rows))] for cols, inner, rows in found.values()]


# -- closed forms
# --------------------------------------------------------------------------------------------------------


def closed_form(network: Network) -> str | None:
    """The kind of certificate that needs no integration and no split, or None."""
    sizes = network.sizes
    if all(size == 1 for size in sizes):
        return "chain"
    if network.depth == 2 and sizes[0] == sizes[2] == 1 and sizes[1] > 1:
        return "single-entry"
    n = sizes[0]
    if all(size == n for size in sizes) and len(network.observed) == n * n:
        symmetric = all(network.target[i][j] == network.target[j][i] for i in range(n) for j in range(i))
        multiples = all(_is_multiple(factor) for factor in network.factors)
        diagonal = all(network.target[i][j] == 0 for i in range(n) for j in range(n) if i != j)
        if symmetric and multiples and not diagonal:
            return "commuting"
    return None


def _is_multiple(factor: Rows) -> bool:
    """Whether a factor is a multiple of the identity."""
    return all(v == (factor[0][0] if i == j else 0) for i, row in enumerate(factor) for j, v in enumerate(row))


def close(network: Network, kind: str, digits: int) -> dict[str, Any]:
    """The certificate of a closed form."""
    bits = bits_for(digits)
    head = {**network.header(), "kind": kind, "bits": bits}
    if kind == "single-entry":
        return head
    starts = [factor[0][0] for factor in network.factors]
    if kind == "chain":
        (w,) = network.observed.values()
        return {**head, "bracket": bracket(starts, w, bits)}
    for _ in range(6):
        with precision(bits):
            try:
                values = eigenvalues([[v or Fraction(0) for v in row] for row in network.target])
            except recheck.Refused:  # two eigenvalues are close to each other
                bits *= 2
                continue
            return {**head, "bits": bits, "eigenvalues": [bracket(starts, v, bits) for v in values]}
    raise Undetermined("the eigenvalues of the target are too close to each other")


def bracket(xs: Sequence[Fraction], w: Any, bits: int) -> list[Any] | None:
    """Two exact points around the root u of a chain for a target (a number or a ball), or None where u tends to 0 or stays."""
    least = min(abs(x) for x in xs)
    gaps = [x * x - least * least for x in xs]
    tied = sum(c == 0 for c in gaps)
    others = [k for k, c in enumerate(gaps) if c]
    sign = math.prod((-1 if xs[k] < 0 else 1) for k in (others if tied == 1 else range(len(xs))))
    with precision(bits):
        tau = sign * (w if isinstance(w, arb) else ball(w))
        if not (tau > 0 or tau < 0) or (tied > 1 and (least == 0 or tau < 0)):
            return None
        moved = [ball(gaps[k]) for k in others]
        u = _root(tied, moved, abs(tau).mid(), len(xs))
        for width in (16, 24, 32, 48, bits // 2):
            gap = u * arb(2) ** (width - bits)
            low, high = (u - gap).mid(), (u + gap).mid()
            if _log_product(low, tied, moved) < abs(tau).log() < _log_product(high, tied, moved):
                ends = (low, high) if tau > 0 else (-high, -low)
                return [encode(dyadic(v)) for v in ends]
    raise Undetermined("the root of a chain was not separated")


def _log_product(u: arb, tied: int, moved: Sequence[arb]) -> arb:
    """log of u^q prod sqrt(u^2 + c) for a positive u."""
    return tied * u.log() + sum(((u * u + c).log() / 2 for c in moved), arb(0))


def _root(tied: int, moved: Sequence[arb], tau: arb, depth: int) -> arb:
    """Newton's method in log u, kept within bounds: not rigorous."""
    high = tau.log() / depth
    low = (tau.log() - sum(((2 * high).exp() + c).log() / 2 for c in moved) / 1) / tied if moved else high
    x = high
    for _ in range(200):
        u = x.exp()
        slope = tied + sum((u * u / (u * u + c) for c in moved), arb(0))
        gap = ((_log_product(u, tied, moved) - tau.log()) / slope).mid()
        if gap > 0:
            high = x
        else:
            low = x
        new = (x - gap).mid()
        new = new if low <= new <= high else ((low + high) / 2).mid()
        if abs(new - x) < arb(2) ** -40 * abs(gap) or abs(gap) <= abs(gap).max(arb(1)) * arb(2) ** (4 - _precision()):
            return new.exp().mid()
        x = new
    return x.exp().mid()


def _precision() -> int:
    from flint import ctx

    return int(ctx.prec)


# -- what is told
# --------------------------------------------------------------------------------------------------------


WORDS = {
    "chain": ("scalar chain", "an invariant and a rigorous root, no integration"),
    "single-entry": ("row times column", "a quadratic equation, no integration"),
    "commuting": ("symmetric target", "a chain for each eigenvalue, no integration"),
    "stationary": ("part at rest", "exactly"),
    "limit": ("part", "validated steps"),
    "truncated": ("truncated target", "its largest singular parts, as the loss is low enough after"),
}


def describe(certificate: dict[str, Any]) -> str:
    """How the limit was found."""
    if certificate["kind"] in ("limit", "stationary"):
        count = len(certificate.get("steps", ()))
        return f"{count} validated steps" if count else "the start is exactly stationary"
    counts: dict[str, int] = {}
    steps = 0

    def visit(cert: dict[str, Any]) -> None:
        nonlocal steps
        if cert["kind"] == "decoupled":
            for part in cert["parts"]:
                if part["certificate"] is not None:
                    visit(part["certificate"])
                else:
                    counts["still"] = counts.get("still", 0) + 1
            return
        counts[cert["kind"]] = counts.get(cert["kind"], 0) + 1
        way = cert.get("way") or cert
        steps += len(way.get("steps", ()))

    visit(certificate)
    still = counts.pop("still", 0)
    told = []
    for kind, number in counts.items():
        name, how = WORDS[kind]
        how = f"{steps} {how}" if kind == "limit" else f"{how} {steps} validated steps" if kind == "truncated" else how
        told.append(f"{_count(number, name)} ({how})" if certificate["kind"] == "decoupled" else f"{name}: {how}")
    if certificate["kind"] != "decoupled":
        return told[0]
    if still:
        told.append(_count(still, "part") + f" that do{'es' if still == 1 else ''} not move")
    return "the flow decouples into " + ", ".join(told)


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"
