"""Section 4, M_1: from a small ball around a multiple of the first singular vectors the flow of the component tends to a limit near rank 1."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from proofs.bai2024.escape_rates import CLOSE, DIRECTION, PREMISES, along, along_at, column, size_at
from proofs.bai2024.followed_limits import CLAIM, NAMES
from proofs.bai2024.learned_examples import M1
from verify.kernel import Goal
from verify.kernel.flow_search import find, number
from verify.kernel.flows import read
from verify.kernel.syntax import parse_term
from verify.kernel.tactics import Script
from verify.registry import part

BLOCK = [x for x in NAMES if (x[0] == "a" and x[1] in "12") or (x[0] == "b" and x[2] in "12")]
"""The entries of the first two rows of A and of the first two columns of B."""
CENTRE = {"a11": "0.0000235928963", "a21": "0.0000440837299", "b11": "0.0000478546013", "b12": "0.0000144892074"}
RADIUS = Fraction(1, 10**12)
RESIDUALS = {k: r for k, r in M1.residuals().items() if 3 not in k}
FREE = "(a21(t)*b12(t) + a22(t)*b22(t)) + a23(t)*b32(t)"


def side(x: str, sign: int) -> str:
    """The lower or upper bound of an entry at the start."""
    value = Fraction(CENTRE.get(x, "0")) + sign * RADIUS
    return f"{value.numerator}/{value.denominator}"


STARTS = [f"{side(x, -1)} <= {x}(0) => {x}(0) <= {side(x, 1)}" for x in BLOCK]
RATES = [f"(all t:R. 0 <= t => {x}'(t) = {M1.rates()[x]})" for x in BLOCK]


@part(
    CLAIM,
    "limit-from-the-ball",
    f"all {' '.join(BLOCK)}:R~>R. {' => '.join(STARTS)} => {' => '.join(RATES)} => ex l:R. tends(t, {FREE}, l) and 5 <= l",
    says="From every start within 1e-12 of a multiple of the first singular vectors the entry (2,2) tends to a limit that is at least 5.",
)
def limit_from_the_ball(g: Goal) -> None:
    """The twelve entries are followed from the ball until the loss decays."""
    h = g.intro()
    n = len(BLOCK)
    sides = tuple((h[2 * i], h[2 * i + 1]) for i in range(n))
    hypotheses = {"vars": tuple(BLOCK), "ode": tuple(h[2 * n :]), "start": sides}
    flow = read(g.seq.ctx, g.seq.hyps, hypotheses["vars"], hypotheses["ode"], hypotheses["start"])
    terms = [parse_term(r, dict.fromkeys(BLOCK, "R")) for r in RESIDUALS.values()]
    found = find(flow, 1, residuals=terms, factor=Fraction(1, 2), growth=17, order=48)
    limits = []
    for x, m in zip(BLOCK, found.state.mid, strict=True):
        low, high = (Fraction(f((m + way * found.state.error) * 10000), 10000) for f, way in ((math.floor, -1), (math.ceil, 1)))
        bounds = (("<=", number(low), "l"), ("<=", "l", number(high)))
        limits.append(("ex", (("l", "R"),), ("and", ("tends", "t", ("call", x, "t"), "l"), *bounds)))
    k = g.have(("and", *limits), lambda g: g.step("flow", **hypotheses, **found.arguments))
    ends = {x: g.obtain(e, f"l{x}") for x, e in zip(BLOCK, g.split(k), strict=True)}
    sums, total = [], []
    for a, b in (("a21", "b12"), ("a22", "b22"), ("a23", "b32")):
        by = [lambda g, x=x: g.close_by(ends[x][0]) for x in (a, b)]  # type: ignore[misc]
        sums.append(g.by_fact("tends_mul", f"l{a}", f"l{b}", f"lam t:R. {a}(t)", f"lam t:R. {b}(t)", by=by))
        total.append((f"{a}(t)*{b}(t)", f"l{a}*l{b}"))
    one = g.by_fact(
        "tends_add", total[0][1], total[1][1], f"lam t:R. {total[0][0]}", f"lam t:R. {total[1][0]}",
        by=[lambda g: g.close_by(sums[0]), lambda g: g.close_by(sums[1])],
    )  # fmt: skip
    two = g.by_fact(
        "tends_add", f"{total[0][1]} + {total[1][1]}", total[2][1], f"lam t:R. {total[0][0]} + {total[1][0]}", f"lam t:R. {total[2][0]}",
        by=[lambda g: g.close_by(one), lambda g: g.close_by(sums[2])],
    )  # fmt: skip
    g.witness(f"({total[0][1]} + {total[1][1]}) + {total[2][1]}")
    box = {f"l{x}": (e[1], e[2]) for x, e in ends.items()}
    g.conj(lambda g: g.exact(two), lambda g: g.ball(box))


@part(
    CLAIM,
    "rotation",
    "all p1 p2 p3 s:R. 0 < s => p1^2 + p2^2 + p3^2 = s^2 =>"
    " ex Q:M(3,3). T(Q) @ Q = I(3) and Q @ T(Q) = I(3) and [[p1,p2,p3]] @ Q = [[s,0,0]]",
    says="A rotation or reflection that takes a vector to the first axis.",
)
def vector_to_the_first_axis(g: Goal) -> None:
    """Householder's reflection, or the identity."""
    pos, norm = g.intro()

    def same(g: Goal) -> None:
        eq = list(g.seq.hyps)[-1]
        z = g.have("p2^2 + p3^2 = 0", lambda g: g.field((norm, 1), (eq, "-(p1 + s)")))
        zeros = []
        for p in ("p2", "p3"):
            low = g.have(f"{p}^2 <= 0", lambda g, p=p: g.pos([{"p2": "p3", "p3": "p2"}[p] + "^2"], eqs=[(z, -1)]))  # type: ignore[misc]
            zeros.append(g.have(f"{p} = 0", lambda g, p=p, low=low: zero(g, p, low)))  # type: ignore[misc]
        g.witness("I(3)")
        g.conj(lambda g: g.nc(), lambda g: g.nc(), lambda g: entries(g, *[lambda g, e=e: g.field((e, 1)) for e in (eq, *zeros)]))  # type: ignore[misc]

    def other(g: Goal) -> None:
        ne = list(g.seq.hyps)[-1]
        g.have("s - p1 != 0", lambda g: apart_from(g, ne))
        w = ["(p1 - s)", "p2", "p3"]
        rows = ",".join("[" + ",".join(f"{int(i == j)} - {w[i]}*{w[j]}/(s*(s - p1))" for j in range(3)) + "]" for i in range(3))
        g.witness(f"[{rows}]")

        def orthogonal(g: Goal) -> None:
            def entry(g: Goal, i: int, j: int) -> None:
                g.field((norm, f"{w[i]}*{w[j]}/(s*(s - p1))^2"))

            entries(g, *[lambda g, i=i, j=j: entry(g, i, j) for i in range(3) for j in range(3)])  # type: ignore[misc]

        g.conj(
            orthogonal,
            orthogonal,
            lambda g: entries(g, *[lambda g, j=j: g.field((norm, f"-{w[j]}/(s*(s - p1))")) for j in range(3)]),
        )  # type: ignore[misc]

    g.em("p1 = s", same, other)


def apart_from(g: Goal, ne: str) -> None:
    eq = g.contra()
    g.clash(g.have("p1 = s", lambda g: g.field((eq, -1))), ne)


def zero(g: Goal, x: str, low: str) -> None:
    """x = 0 from x^2 <= 0."""
    g.contra()
    positive = g.have(f"0 < ({x})^2")
    g.clash(positive, low)


LEVEL = "1/400000000"
"""The size at which the flow is taken over is twice this."""
ALIGNED = f"{size_at('0')} = 2*({LEVEL}) => {size_at('0')} - {along_at('0')} <= 2*({LEVEL})^2*{along_at('0')}"
CLOSE_PREMISES = re.sub(r"\s+and\s+", " => ", CLOSE)
HIDDEN = [(k, x) for k in (1, 2, 3) for x in ("u1", "u2", "v1", "v2")]


def place(k: int, x: str) -> str:
    """The name of an entry of column k of the component among the eighteen functions."""
    return f"a{x[1]}{k}" if x[0] == "u" else f"b{k}{x[1]}"


@part(
    CLAIM,
    "limit-after-the-exit",
    f"all A B:R~>M(3,3), {DIRECTION}:R. {M1.equation} => {PREMISES} => {CLOSE_PREMISES} => {ALIGNED} =>"
    " ex l:R. tends(t, (A(t) @ B(t))[2,2], l) and 5 <= l",
    says="From a small start along the first singular vectors the entry (2,2) of the product tends to a limit that is at least 5.",
)
def limit_after_the_exit(g: Goal) -> None:
    """A rotation of the hidden space brings the part along the singular vectors to the first column; the other entries are small."""
    h = g.intro()
    flow, vectors, close, (level, thin) = h[0], h[1:13], h[13:21], h[21:]
    unit = dict(zip(("a", "b"), (vectors[4], vectors[5]), strict=True))
    bound = {x: (close[2 * i], close[2 * i + 1]) for i, x in enumerate(("a1", "a2", "b1", "b2"))}
    ps = [along(column(k, "0")) for k in (1, 2, 3)]
    p = g.obtain(
        g.have(
            "ex p1 p2 p3:R. " + " and ".join(f"p{k} = {t}" for k, t in zip((1, 2, 3), ps, strict=True)), lambda g: given(g, ps)
        ),
        "p1",
        "p2",
        "p3",
    )
    # the part along is half the square of s, which is nearly 1e-4
    half = g.have(f"{along_at('0')} = (p1^2 + p2^2 + p3^2)/2", lambda g: rewritten(g, p))
    thin = g.have(
        f"{size_at('0')} - (p1^2 + p2^2 + p3^2)/2 <= 2*({LEVEL})^2*((p1^2 + p2^2 + p3^2)/2)",
        lambda g: (g.rewrite(half, back=True), g.close_by(thin))[-1],
    )
    (m,) = g.obtain(g.have("ex m:R. m = p1^2 + p2^2 + p3^2", lambda g: given(g, ["p1^2 + p2^2 + p3^2"])), "m")
    across = g.have(f"{size_at('0')} - m/2 <= ({LEVEL})^2*m", lambda g: g.pos(["@" + thin], eqs=[(m, f"1/2 + ({LEVEL})^2")]))
    share = 1 / (Fraction(1, 2) + Fraction(LEVEL) ** 2)
    least = Fraction(99999999999, 10**19)
    low = g.have(
        f"{least} <= m",
        lambda g: g.pos([str(share), "@" + across], [str(2 * Fraction(LEVEL) * share - least)], eqs=[(level, str(share))]),
    )
    g.have("0 < m", lambda g: g.pos(["@" + low], [str(least)]))
    root = g.apply(g.fact("sqrt_sq", "m"))
    spos, square = g.obtain(
        g.have("ex z:R. 0 < z and z^2 = m", lambda g: (g.witness("sqrt(m)"), g.conj(None, lambda g: g.close_by(root)))[-1]), "z"
    )
    q = g.lemma(
        CLAIM, "part:rotation", "p1", "p2", "p3", "z", by=[lambda g: g.close_by(spos), lambda g: g.field((m, -1), (square, -1))]
    )
    left, right, turn = g.obtain(q, "Q")
    found = g.obtain(
        g.lemma(CLAIM, f"part:{M1.part}", "lam t:R. A(t) @ Q", "lam t:R. T(Q) @ B(t)", by=[lambda g: turned(g, flow, right)]),
        *NAMES,
    )
    rate, same = (dict(zip(NAMES, part_, strict=True)) for part_ in (found[: len(NAMES)], found[len(NAMES) :]))

    def entries_at(g: Goal, t: str) -> list[str]:
        """The functions of the component at a time as entries of the turned factors."""
        out = []
        for x in BLOCK:
            own = g.apply(same[x], t)
            value, call = g.hyp_formula(own)[1:]
            out.append(g.have(("=", call, value), lambda g, own=own: g.field((own, -1))))
        return out

    start = entries_at(g, "0")
    row = g.have(
        "[[a1,a2,0]] @ A(0) + T(B(0) @ [[b1],[b2],[0]]) = [[p1,p2,p3]]",
        lambda g: entries(g, *[lambda g, k=k: g.field((k, -1)) for k in p]),
    )  # fmt: skip
    turned_row = "[[a1,a2,0]] @ (A(0) @ Q) + T((T(Q) @ B(0)) @ [[b1],[b2],[0]])"
    axis = g.have(f"{turned_row} = [[z,0,0]]", lambda g: g.nc((row, 1, None, "Q"), (turn, 1, None, None)))
    columns = {(k, x): f"{place(k, x)}(0)" for k, x in HIDDEN}
    directions = {"u1": "a1", "u2": "a2", "v1": "b1", "v2": "b2"}
    lines = []
    for k in (1, 2, 3):
        one = g.have(f"({turned_row})[1,{k}] = [[z,0,0]][1,{k}]", lambda g: (g.rewrite(axis), g.refl())[-1])
        text = " + ".join(f"{directions[x]}*{columns[k, x]}" for x in directions)
        lines.append(g.have(f"{text} = {'z' if k == 1 else '0'}", lambda g, one=one: g.field((one, 1), rw=start)))  # type: ignore[misc]
    grams = []
    for text, plain in (("(A(0) @ Q) @ T(A(0) @ Q)", "A(0) @ T(A(0))"), ("T(T(Q) @ B(0)) @ (T(Q) @ B(0))", "T(B(0)) @ B(0)")):
        whole = g.have(f"{text} = {plain}", lambda g: g.nc(rw=[right]))
        grams += [
            g.have(f"({text})[{i},{i}] = ({plain})[{i},{i}]", lambda g, w=whole: (g.rewrite(w), g.refl())[-1]) for i in (1, 2)
        ]  # type: ignore[misc]
    total = " + ".join(f"{c}^2" for c in columns.values())
    size = g.have(f"{total} = {size_at('0')}", lambda g: g.field(*[(k, 1) for k in grams], rw=start))
    gaps = {(k, x): f"({c} - z/2*{directions[x]})" if k == 1 else f"({c})" for (k, x), c in columns.items()}
    spread = " + ".join(f"{t}^2" for t in gaps.values())
    dev = g.have(
        f"{spread} = {size_at('0')} - m/2",
        lambda g: g.field((size, 1), (lines[0], "-z"), (unit["a"], "z^2/4"), (unit["b"], "z^2/4"), (square, "-1/2")),
    )  # fmt: skip
    high = g.have("m <= 0.00000001", lambda g: g.pos(*[["2", f"{t}^2"] for t in gaps.values()], eqs=[(dev, "-2"), (level, "-2")]))
    upper = g.have("z <= 0.0001", lambda g: g.pos(["@" + high], mul=["z + 0.0001"], eqs=[(square, "-1")]))
    floor = Fraction(9999999999, 10**14)
    lower = g.have(
        f"{floor} <= z",
        lambda g: g.pos(["@" + low], [str(Fraction(99999999999, 10**19) - floor**2)], mul=[f"z + {floor}"], eqs=[(square, "1")]),
    )
    reach = Fraction(3, 10**13)
    small = g.have(
        f"{spread} <= {reach**2}",
        lambda g: g.pos(
            ["@" + across], [f"({LEVEL})^2", "@" + high], [str(reach**2 - Fraction(LEVEL) ** 2 / 10**8)], eqs=[(dev, "-1")]
        ),
    )
    sides = {}
    for (k, x), text in gaps.items():
        rest_ = [[f"{other}^2"] for key, other in gaps.items() if key != (k, x)]
        square_ = g.have(f"{text}^2 <= ({reach})^2", lambda g, r=rest_: g.pos(["@" + small], *r))  # type: ignore[misc]
        near = (
            g.have(f"-({reach}) <= {text}", lambda g, q=square_: below(g, f"({reach})", q)),  # type: ignore[misc]
            g.have(f"{text} <= {reach}", lambda g, q=square_: below(g, f"({reach})", q)),  # type: ignore[misc]
        )
        name = place(k, x)
        for sign in (-1, 1):
            value = side(name, sign)
            goal = f"{value} <= {name}(0)" if sign < 0 else f"{name}(0) <= {value}"
            if k == 1:
                centre = f"z/2*{directions[x]}"
                inner = Fraction(value) - sign * reach
                box = {"z": (lower, upper), directions[x]: bound[directions[x]]}
                part_ = f"{inner} <= {centre}" if sign < 0 else f"{centre} <= {inner}"
                c = g.have(part_, lambda g, b=box: g.ball(b, bits=100))  # type: ignore[misc]
                sides[name, sign] = g.have(goal, lambda g, n=near[sign > 0], c=c: g.pos(["@" + n], ["@" + c]))  # type: ignore[misc]
            else:
                sides[name, sign] = g.have(goal, lambda g, n=near[sign > 0]: g.pos(["@" + n], [str(RADIUS - reach)]))  # type: ignore[misc]
    by = [sides[x, sign] for x in BLOCK for sign in (-1, 1)] + [rate[x] for x in BLOCK]
    k = g.lemma(CLAIM, "part:limit-from-the-ball", *BLOCK, by=[lambda g, h=h: g.close_by(h) for h in by])  # type: ignore[misc]
    tends, five = g.obtain(k, "l")

    def product(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()
        kept = product_is_kept(g, t, right)
        left_, right_ = g.hyp_formula(kept)[1:]
        one = g.have(("=", ("entry", left_, 2, 2), ("entry", right_, 2, 2)), lambda g: (g.rewrite(kept), g.refl())[-1])
        g.field((one, 1), rw=entries_at(g, t))

    g.witness("l")
    g.conj(
        lambda g: g.close_by(
            g.by_fact(
                "tends_ext",
                "0",
                "l",
                f"lam t:R. {FREE}",
                "lam t:R. (A(t) @ B(t))[2,2]",
                by=[product, lambda g: g.close_by(tends)],
            )
        ),
        lambda g: g.close_by(five),
    )


def below(g: Goal, y: str, h: str) -> None:
    """The conclusion x <= y or -y <= x from x^2 <= y^2, where y > 0."""
    bad = g.contra()
    gap = "@" + bad
    g.pos([gap, gap], [f"2*{y}", gap], ["@" + h])


def given(g: Goal, texts: list[str]) -> None:
    g.witness(*texts)
    g.conj(*[lambda g: g.refl()] * len(texts)) if len(texts) > 1 else g.refl()


def rewritten(g: Goal, names: list[str]) -> None:
    """The conclusion by the definitions of the names."""
    for k in names:
        g.rewrite(k)
    g.field()


def entries(g: Goal, *scripts: Script) -> None:
    """Equality of matrices of literal shape, with a script for each entry."""
    for branch, script in zip(g.step("ext"), scripts, strict=True):
        branch.run(script)


def turned(g: Goal, flow: str, right: str) -> None:
    """The turned factors solve the same equation."""
    (t,) = g.fix("t")
    h = g.assume()
    a, b = g.split(g.apply(flow, t, by=[lambda g: g.close_by(h)]))
    same = product_is_kept(g, t, right)

    def close(g: Goal, h: str) -> None:
        g.rewrite(same)
        g.nc(rw=[h, right])

    g.conj(lambda g: close(g, a), lambda g: close(g, b))


def product_is_kept(g: Goal, t: str, right: str) -> str:
    """The turned factors have the same product."""
    both = ("mm", g.term(f"A({t}) @ Q"), g.term(f"T(Q) @ B({t})"))
    return g.have(("=", both, g.term(f"A({t}) @ B({t})")), lambda g: g.nc(rw=[right]))
