"""The leaf `ball`: inequalities over a box by ball arithmetic, along a stored subdivision (LOGIC.md)."""

from __future__ import annotations

from typing import Any

import flint
from flint import arb, fmpq

from verify.kernel.sign import literal
from verify.kernel.terms import Context, Formula, LogicError, Term, free, sort_of, subst

MAX_TERMS = 100_000
MAX_EXPONENT = 10**7


def rational(t: Any) -> fmpq:
    """A rational literal (integer, q, or -1 times one)."""
    if isinstance(t, tuple) and t[0] == "*" and len(t) == 3 and t[1] == -1:
        return -rational(t[2])
    lit = literal(t)
    if lit is None or isinstance(t, bool):
        raise LogicError(f"no rational literal: {t!r}")
    return fmpq(lit[0], lit[1])


def hull(lo: fmpq, hi: fmpq) -> arb:
    """A ball that contains the interval [lo, hi], at the current precision."""
    return arb(lo) if lo == hi else arb(lo).union(arb(hi))


def evaluate(e: Term, box: dict[str, arb]) -> arb:
    """A ball that contains the value of the term for all points of the box."""
    if isinstance(e, int):
        return arb(e)
    if isinstance(e, str):
        if e not in box:
            raise LogicError(f"ball: the variable {e} is not in the box")
        return box[e]
    head = e[0]
    if head == "q":
        return arb(fmpq(e[1], e[2]))
    if head in ("+", "*"):
        out = evaluate(e[1], box)
        for a in e[2:]:
            out = out + evaluate(a, box) if head == "+" else out * evaluate(a, box)
        return out
    if head == "/":
        return evaluate(e[1], box) / evaluate(e[2], box)
    if head == "^":
        base = evaluate(e[1], box)
        if isinstance(e[2], int):
            if abs(e[2]) > MAX_EXPONENT:
                raise LogicError("ball: an exponent is too large")
            return base ** e[2]
        if not base > 0:
            raise LogicError("ball: a power with a base that may not be positive")
        return (base.log() * evaluate(e[2], box)).exp()
    unary = {
        "exp": arb.exp,
        "log": arb.log,
        "sqrt": arb.sqrt,
        "sin": arb.sin,
        "cos": arb.cos,
        "sinh": arb.sinh,
        "cosh": arb.cosh,
        "tanh": arb.tanh,
        "asinh": arb.asinh,
        "abs": arb.__abs__,
    }
    if head in unary:
        return unary[head](evaluate(e[1], box))
    if head == "min":
        return evaluate(e[1], box).min(evaluate(e[2], box))
    if head == "max":
        return evaluate(e[1], box).max(evaluate(e[2], box))
    if head == "pi":
        return arb.pi()
    if head in ("sum", "prod") and isinstance(e[2], int) and isinstance(e[3], int):
        if e[3] - e[2] >= MAX_TERMS:
            raise LogicError("ball: too many terms")
        out = arb(0 if head == "sum" else 1)
        for k in range(e[2], e[3] + 1):
            v = evaluate(subst(e[4], {e[1]: k}), box)
            out = out + v if head == "sum" else out * v
        return out
    raise LogicError(f"ball: {head} has no enclosure")


def decide(relation: str, a: Term, b: Term, box: dict[str, tuple[fmpq, fmpq]], precision: int) -> bool:
    """Whether the relation is certain on the whole box at the given precision."""
    with flint.ctx.workprec(precision):
        d = evaluate(("+", b, ("*", -1, a)), {x: hull(lo, hi) for x, (lo, hi) in box.items()})
        if not d.is_finite():
            return False
        return bool(d > 0 if relation == "<" else d >= 0 if relation == "<=" else d != 0)


def ball(ctx: Context, hyps: dict[str, Formula], concl: Formula, box: Any, tree: Any) -> None:
    """Accept an inequality that ball arithmetic decides on each leaf of the subdivision.

    Trusted: that Arb's balls contain the true values, and that the leaves of the subdivision cover the box (LOGIC.md,
    section `ball`).
    """
    if concl[0] not in ("<", "<=", "!="):
        raise LogicError("ball proves an inequality")
    if any(sort_of(x, ctx) not in ("R", "Z") for x in (concl[1], concl[2])):
        raise LogicError("ball compares scalars")
    sides: dict[str, tuple[fmpq, fmpq]] = {}
    for x, bounds in box.items():
        if ctx.get(x) not in ("R", "Z") or not isinstance(bounds, tuple) or len(bounds) != 2:
            raise LogicError("ball: box maps a scalar variable to two hypotheses")
        low, high = hyps.get(bounds[0]), hyps.get(bounds[1])
        if low is None or high is None or low[0] not in ("<", "<=") or high[0] not in ("<", "<="):
            raise LogicError("ball: a bound is no hypothesis lo <= x or x <= hi")
        if low[2] != x or high[1] != x:
            raise LogicError("ball: a bound speaks of another variable")
        sides[x] = (rational(low[1]), rational(high[2]))
    if missing := (free(concl[1]) | free(concl[2])) - sides.keys():
        raise LogicError(f"ball: no bounds for {', '.join(sorted(missing))}")
    if any(lo > hi for lo, hi in sides.values()):
        return
    _walk(concl, sides, tree)


def _walk(concl: Formula, box: dict[str, tuple[fmpq, fmpq]], tree: Any) -> None:
    if isinstance(tree, int) and not isinstance(tree, bool):
        if not 20 <= tree <= 20_000:
            raise LogicError("ball: a precision out of range")
        if not decide(concl[0], concl[1], concl[2], box, tree):
            raise LogicError("ball: undecided on a box of the subdivision")
        return
    if not (isinstance(tree, tuple) and len(tree) == 4 and tree[0] in box):
        raise LogicError("ball: no subdivision")
    x, at = tree[0], rational(tree[1])
    lo, hi = box[x]
    if not lo <= at <= hi:
        raise LogicError("ball: a cut outside the box")
    _walk(concl, {**box, x: (lo, at)}, tree[2])
    _walk(concl, {**box, x: (at, hi)}, tree[3])
