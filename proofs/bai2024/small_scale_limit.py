"""Section 4, M_1: for every generic start the entry (2,2) of the limit is at least 5 when the scale is small."""

from __future__ import annotations

import re

from proofs.bai2024.escape_rates import COLUMN, DIRECTION, DIRECTIONS, PREMISES, along, along_at, column, size, size_at
from proofs.bai2024.escape_time import SCALE
from proofs.bai2024.followed_limits import CLAIM
from proofs.bai2024.learned_examples import M1
from proofs.bai2024.rank_one_capture import CLOSE_PREMISES, LEVEL
from verify.kernel import Goal
from verify.registry import part

START = [{"u1": f"X[1,{k}]", "u2": f"X[2,{k}]", "v1": f"Y[{k},1]", "v2": f"Y[{k},2]"} for k in (1, 2, 3)]
ALONG_START = "((" + " + ".join(f"{along(z)}^2" for z in START) + ")/2)"
SIZE_START = "(" + " + ".join(size(z) for z in START) + ")"
SMALL = re.sub(r"\b([re])\b", lambda m: {"r": "q", "e": f"({LEVEL})"}[m[1]], SCALE)


@part(
    CLAIM,
    "small-part-of-the-whole",
    f"all {DIRECTION} u1 u2 v1 v2:R. a1^2 + a2^2 = 1 => b1^2 + b2^2 = 1 =>"
    f" {along({k: k for k in COLUMN})}^2/2 <= {size({k: k for k in COLUMN})}",
    says="The part of a column along the singular vectors is at most the whole.",
)
def part_of_a_column(g: Goal) -> None:
    """The rest is a sum of squares."""
    a, b = g.intro()
    p = along({k: k for k in COLUMN})
    rest = [[f"({x} - {p}/2*{c})^2"] for x, c in zip(COLUMN, ("a1", "a2", "b1", "b2"), strict=True)]
    g.pos(*rest, eqs=[(a, f"-{p}^2/4"), (b, f"-{p}^2/4")])


@part(
    CLAIM,
    "limit-of-a-small-start",
    f"all A B:R~>M(3,3), X Y:M(3,3), {DIRECTION} p q al:R. {M1.equation} => {PREMISES} => {CLOSE_PREMISES} => 0 < al =>"
    f" A(0) = sqrt(al)*X => B(0) = sqrt(al)*Y => p = {ALONG_START} => q = {SIZE_START} => 0 < p => {SMALL} =>"
    " ex l:R. tends(t, (A(t) @ B(t))[2,2], l) and 5 <= l",
    says="The entry (2,2) of the limit from a small start that has a part along the singular vectors.",
)
def limit_of_a_small_start(g: Goal) -> None:
    """The exit from the ball, and the limit after it."""
    h = g.intro()
    flow, vectors, close = h[0], h[1:13], h[13:21]
    positive, a0, b0, pdef, rdef, ppos, scale = h[21:]
    unit = (vectors[4], vectors[5])
    terms = DIRECTIONS

    def ordered(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()
        parts = [
            g.lemma(
                CLAIM,
                "part:small-part-of-the-whole",
                *terms,
                *column(k, t).values(),
                by=[lambda g, u=u: g.close_by(u) for u in unit],
            )
            for k in (1, 2, 3)
        ]  # type: ignore[misc]
        g.conj(lambda g: g.auto(), lambda g: g.pos(*[["@" + k] for k in parts]))

    def balls(g: Goal) -> None:
        (c,) = g.fix("c")
        g.assume()
        most = g.assume()
        (t,) = g.fix("t")
        now, inside = g.assume(), g.assume()
        area = size_at(t)
        g.have(f"0 <= {area}")
        small = g.have(f"{area}^2/4 <= {c}^2", lambda g: g.pos(["@" + inside, f"{c}/2 + {area}/4"]))
        tenth = g.have(f"{c}^2 <= 0.01", lambda g: g.pos(["@" + most, f"1/10 + {c}"]))
        by = [flow, *vectors, now, small, tenth]
        k = g.lemma(CLAIM, "part:growth-near-zero", "A", "B", *terms, f"{c}^2", t, by=[lambda g, h=h: g.close_by(h) for h in by])  # type: ignore[misc]
        g.conj(*[lambda g, x=x: g.pos(["@" + x]) for x in g.split(k)])  # type: ignore[misc]

    root = g.apply(g.fact("sqrt_sq", "al"))
    begin = []
    for name, start, matrix in (("A", a0, "X"), ("B", b0, "Y")):
        for i, j in [(i, k) for i in (1, 2) for k in (1, 2, 3)] if name == "A" else [(k, i) for i in (1, 2) for k in (1, 2, 3)]:
            begin.append(
                g.have(f"{name}(0)[{i},{j}] = sqrt(al)*{matrix}[{i},{j}]", lambda g, s=start: (g.rewrite(s), g.field())[-1])
            )  # type: ignore[misc]
    parts = [
        g.lemma(CLAIM, "part:small-part-of-the-whole", *terms, *z.values(), by=[lambda g, u=u: g.close_by(u) for u in unit])
        for z in START
    ]  # type: ignore[misc]
    less = g.have("p <= q", lambda g: g.pos(*[["@" + k] for k in parts], eqs=[(pdef, -1), (rdef, 1)]))
    exit_ = g.lemma(
        CLAIM, "part:aligned-exit", f"lam t:R. {along_at('t')}", f"lam t:R. {size_at('t')}", LEVEL, "p", "q", "al",
        by=[
            lambda g: g.compute(), lambda g: g.compute(), ordered, balls, lambda g: g.close_by(ppos), lambda g: g.close_by(less),
            lambda g: g.close_by(positive),
            lambda g: g.field((root, ALONG_START), (pdef, "-al"), rw=begin),
            lambda g: g.field((root, SIZE_START), (rdef, "-al"), rw=begin),
            lambda g: g.close_by(scale),
        ],
    )  # fmt: skip
    start, level, thin = g.obtain(exit_, "T")

    def shifted(g: Goal) -> None:
        (t,) = g.fix("t")
        now = g.assume()
        later = g.have(f"0 <= T + {t}", lambda g: g.pos(["@" + start], ["@" + now]))
        a, b = g.split(g.apply(flow, f"T + {t}", by=[lambda g: g.close_by(later)]))
        g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))

    k = g.lemma(
        CLAIM, "part:limit-after-the-exit", "lam t:R. A(T + t)", "lam t:R. B(T + t)", *terms,
        by=[
            shifted, *[lambda g, h=h: g.close_by(h) for h in (*vectors, *close)],  # type: ignore[misc]
            lambda g: g.field((level, 1)), lambda g: g.pos(["@" + thin]),
        ],
    )  # fmt: skip
    tends, five = g.obtain(k, "l")
    value = "(A(T + t) @ B(T + t))[2,2]"
    back = g.by_fact("tends_shift", "-T", "l", f"lam t:R. {value}", by=[lambda g: g.close_by(tends)])

    def same(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.field()

    last = g.by_fact(
        "tends_ext", "0", "l", "lam t:R. (A(T + (t + -T)) @ B(T + (t + -T)))[2,2]", "lam t:R. (A(t) @ B(t))[2,2]",
        by=[same, lambda g: g.exact(back)],
    )  # fmt: skip
    g.witness("l")
    g.conj(lambda g: g.close_by(last), lambda g: g.close_by(five))
