"""Section 4, M_1: how fast a small start of the flow grows along the first singular vectors and across them.

N = [1,2; 3,0] has the singular vectors (a1,a2), (b1,b2) for the value s, and the second pair (-a2,a1), (-b2,b1) with the value r < 0.
"""

from __future__ import annotations

import re

from proofs.bai2024.followed_limits import CLAIM
from proofs.bai2024.learned_examples import M1
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

DIRECTION = "s r a1 a2 b1 b2"
VECTORS = """13/4 <= s and s <= 33/10 and -2 <= r and r <= -1 and a1^2 + a2^2 = 1 and b1^2 + b2^2 = 1 and b1 + 2*b2 = s*a1 and
      3*b1 = s*a2 and a1 + 3*a2 = s*b1 and 2*a1 = s*b2 and 2*b1 - b2 = -r*a2 and -3*b2 = r*a1"""
PREMISES = re.sub(r"\s+and\s+", " => ", VECTORS)
NAMES = ["s_lo", "s_hi", "r_lo", "r_hi", "ua", "ub", "n1", "n2", "m1", "m2", "k1", "k2"]
CLOSE = """0.47185792 <= a1 and a1 <= 0.47185793 and 0.88167459 <= a2 and a2 <= 0.8816746 and 0.95709202 <= b1 and b1 <= 0.95709203 and
      0.28978414 <= b2 and b2 <= 0.28978415"""
W = "sqrt(13)"
ROOTS = {
    "w": ("13", "3.6055512754", "3.6055512755"),
    "S": ("7 + w", "3.2566165378", "3.2566165382"),
    "d": ("26 - 6*w", "2.0896632133", "2.0896632144"),
}
"""Roots by which the vectors are written: the radicands, lower and upper bounds."""


@part(CLAIM, "directions", f"ex {DIRECTION}:R. {VECTORS} and {CLOSE}", says="The singular vectors of [1,2; 3,0], with bounds.")
def singular_vectors(g: Goal) -> None:
    """By their values in terms of the root of 13."""
    square, box = {}, {}
    for x, (radicand, low, high) in ROOTS.items():
        inside = dict(box)
        known = g.have(f"0 <= {radicand}", lambda g, r=radicand, b=inside: g.ball(b))  # type: ignore[misc]
        root = g.apply(g.fact("sqrt_sq", radicand), by=[lambda g, k=known: g.close_by(k)])  # type: ignore[misc]

        def exists(g: Goal, radicand: str = radicand, root: str = root, b: dict[str, tuple[str, str]] = inside) -> None:
            g.witness(f"sqrt({radicand})")
            g.conj(lambda g: g.close_by(root), lambda g: g.ball(b), lambda g: g.ball(b))

        found = g.obtain(g.have(f"ex {x}:R. {x}^2 = {radicand} and {low} <= {x} and {x} <= {high}", exists), x)
        square[x], box[x] = found[0], (found[1], found[2])
        g.have(f"0 < {x}", lambda g, low=low, h=found[1]: g.pos(["@" + h], [low]))  # type: ignore[misc]
    w, s, d = square["w"], square["S"], square["d"]
    g.witness("S", "-6/S", "(2*w - 4)/(S*d)", "6/(S*d)", "2/d", "(w - 3)/d")

    def within(g: Goal) -> None:
        g.ball(box)

    def equal(*cofactors: tuple[str, str]) -> Script:
        return lambda g: g.field(*cofactors)

    equations = [
        equal((w, "10/(S^2*d^2)"), (s, "-1/S^2"), (d, "-(7 + w)/(S^2*d^2)")),
        equal((w, "1/d^2"), (d, "-1/d^2")),
        equal(),
        equal(),
        equal((s, "-2/(S*d)")),
        equal((w, "-1/(S*d)"), (s, "-(w - 3)/(S*d)")),
        equal((s, "(7 - w)/(S^2*d)"), (w, "-1/(S^2*d)")),
        equal((w, "-3/(S^2*d)"), (s, "-3*(w - 3)/(S^2*d)")),
    ]
    g.conj(*[within] * 4, *equations, *[within] * 8)


COLUMN = {"u1": "(a1*x - a2*X)", "u2": "(a2*x + a1*X)", "v1": "(b1*y - b2*Y)", "v2": "(b2*y + b1*Y)"}
"""A column of the factors in the basis of the singular vectors."""
RATES = {
    "u1": "(1/2*((1 - c11)*{v1} + (2 - c12)*{v2}))",
    "u2": "(1/2*((3 - c21)*{v1}))",
    "v1": "(1/2*((1 - c11)*{u1} + (3 - c21)*{u2}))",
    "v2": "(1/2*((2 - c12)*{u1}))",
}
ALONG = "(a1*{u1} + a2*{u2} + b1*{v1} + b2*{v2})"
SIZE = "({u1}^2 + {u2}^2 + {v1}^2 + {v2}^2)"


def along(z: dict[str, str]) -> str:
    """Twice the square of the part along the first singular vectors is the square of this."""
    return ALONG.format(**z)


def size(z: dict[str, str]) -> str:
    return SIZE.format(**z)


def rates(z: dict[str, str]) -> dict[str, str]:
    return {k: v.format(**z) for k, v in RATES.items()}


def inequalities(z: dict[str, str]) -> list[str]:
    """Along the vectors a column grows at the rate 2.99 at least, across at 2.26 at most, in all at 4 at most, but for E."""
    p, r = along(z), size(z)
    dz = rates(z)
    dp = f"({p}*{along(dz)})"
    dr = "(2*(" + " + ".join(f"{z[k]}*{dz[k]}" for k in z) + "))"
    return [
        f"2.99*({p}^2/2) - E*({r} - {p}^2/2) <= {dp}",
        f"{dr} - {dp} <= 2.26*({r} - {p}^2/2) + E*({p}^2/2)",
        f"{dr} <= 4*{r}",
    ]


@part(
    CLAIM,
    "column-in-the-basis",
    f"all {DIRECTION} x X y Y c11 c12 c21 E:R. {PREMISES} => c11^2 + c12^2 + c21^2 <= E => E <= 0.01 =>"
    f" {' and '.join(inequalities(COLUMN))}",
    says="Growth of a column of the factors near 0, by its components.",
)
def growth_of_a_column(g: Goal) -> None:
    """The first pair contributes s x y, the second r X Y to the product with N; the product C of the factors perturbs by at most E."""
    h = dict(zip([*NAMES, "small", "E"], g.intro(), strict=True))
    z, e = COLUMN, ["a1", "a2", "b1", "b2"]
    texts = [t.format(**z) for t in ("c11*{v1} + c12*{v2}", "c21*{v1}", "c11*{u1} + c21*{u2}", "c12*{u1}")]
    total = "(x^2 + X^2 + y^2 + Y^2)"
    p = g.have(f"{along(z)} = x + y", lambda g: g.field((h["ua"], "x"), (h["ub"], "y")))
    r = g.have(f"{size(z)} = {total}", lambda g: g.field((h["ua"], "x^2 + X^2"), (h["ub"], "y^2 + Y^2")))
    defect = " + ".join(f"{c}*({t})" for c, t in zip(e, texts, strict=True))
    turn = " + ".join(f"{z[k]}*({t})" for k, t in zip(z, texts, strict=True))
    dz = rates(z)
    dp = g.have(
        f"{along(dz)} = (s*(x + y) - ({defect}))/2",
        lambda g: g.field(
            (h["m1"], f"{z['v1']}/2"), (h["m2"], f"{z['v2']}/2"), (h["n1"], f"{z['u1']}/2"), (h["n2"], f"{z['u2']}/2"),
            (h["ua"], "s*x/2"), (h["ub"], "s*y/2"),
        ),
    )  # fmt: skip
    motion = "(2*(" + " + ".join(f"{z[k]}*{dz[k]}" for k in z) + "))"
    dr = g.have(
        f"{motion} = 2*s*x*y + 2*r*X*Y - ({turn})",
        lambda g: g.field(
            (h["n1"], f"2*{z['u1']}*y"), (h["n2"], f"2*{z['u2']}*y"), (h["k1"], f"2*{z['u1']}*Y"), (h["k2"], f"2*{z['u2']}*Y"),
            (h["ua"], "2*s*x*y + 2*r*X*Y"),
        ),
    )  # fmt: skip
    squares = [
        f"(c11*{z['v2']} - c12*{z['v1']})^2",
        f"(c21*{z['v2']})^2",
        f"(c11*{z['u2']} - c21*{z['u1']})^2",
        f"(c12*{z['u2']})^2",
    ]
    cauchy = g.have(
        " + ".join(f"({t})^2" for t in texts) + f" <= E*{total}",
        lambda g: g.pos([f"@{h['small']}", size(z)], *[[t] for t in squares], eqs=[(r, "-E")]),
    )
    names = ["g1", "g2", "g3", "g4"]
    given = g.have(
        f"ex {' '.join(names)}:R. " + " and ".join(f"{n} = {t}" for n, t in zip(names, texts, strict=True)),
        lambda g: witness(g, texts),
    )
    same = g.obtain(given, *names)
    defect, turn = (
        " + ".join(f"{c}*{n}" for c, n in zip(e, names, strict=True)),
        " + ".join(f"{z[k]}*{n}" for k, n in zip(z, names, strict=True)),
    )
    low = g.have(" + ".join(f"{n}^2" for n in names) + f" <= E*{total}", lambda g: g.pos(["@" + cauchy], rw=same))
    dp = g.have(
        f"{along(dz)} = (s*(x + y) - ({defect}))/2",
        lambda g: g.field((dp, 1), *[(k, f"{c}/2") for k, c in zip(same, e, strict=True)]),
    )
    dr = g.have(
        f"{motion} = 2*s*x*y + 2*r*X*Y - ({turn})",
        lambda g: g.field((dr, 1), *[(k, c) for k, c in zip(same, z.values(), strict=True)]),
    )
    across = "((x - y)^2/2 + X^2 + Y^2)"

    def first(g: Goal) -> None:
        g.rewrite(p)
        g.rewrite(r)
        g.rewrite(dp)
        terms = [[f"({c}*(x + y)/4 - {n})^2"] for c, n in zip(e, names, strict=True)]
        unit = "-(x + y)^2/16"
        g.pos(
            *terms,
            ["@" + low],
            ["@" + h["s_lo"], "(x + y)^2/2"],
            ["@" + h["E"], "(x + y)^2/2"],
            eqs=[(h["ua"], unit), (h["ub"], unit)],
        )

    def second(g: Goal) -> None:
        g.rewrite(dr)
        g.rewrite(p)
        g.rewrite(r)
        g.rewrite(dp)
        terms = [[f"(({z[k]} - (x + y)/2*{c})/2 + {n})^2"] for k, c, n in zip(z, e, names, strict=True)]
        g.pos(
            *terms, ["@" + low], ["@" + h["E"], across], ["@" + h["s_lo"], "(x - y)^2/2"], ["21/8", "(x - y)^2"],
            ["@" + h["r_hi"], "(X + Y)^2"], ["(X + Y)^2"], ["@" + h["r_lo"], "X^2 + Y^2"],
            eqs=[(h["ua"], "-((x - y)^2/4 + X^2)/4"), (h["ub"], "-((x - y)^2/4 + Y^2)/4")],
        )  # fmt: skip

    def third(g: Goal) -> None:
        g.rewrite(dr)
        g.rewrite(r)
        terms = [[f"({z[k]}/2 + {n})^2"] for k, n in zip(z, names, strict=True)]
        g.pos(
            *terms, ["@" + low], ["@" + h["E"], total], ["@" + h["s_lo"], "(x - y)^2"], ["13/4", "(x - y)^2"],
            ["@" + h["s_hi"], "x^2 + y^2"], ["0.44", "x^2 + y^2"], ["@" + h["r_hi"], "(X + Y)^2"], ["(X + Y)^2"],
            ["@" + h["r_lo"], "X^2 + Y^2"], ["1.74", "X^2 + Y^2"],
            eqs=[(h["ua"], "-(x^2 + X^2)/4"), (h["ub"], "-(y^2 + Y^2)/4")],
        )  # fmt: skip

    g.conj(first, second, third)


def witness(g: Goal, texts: list[str]) -> None:
    g.witness(*texts)
    g.conj(*[lambda g: g.refl()] * len(texts))


PLAIN = {k: k for k in COLUMN}
DIRECTIONS = DIRECTION.split()


@part(
    CLAIM,
    "column",
    f"all {DIRECTION} u1 u2 v1 v2 c11 c12 c21 E:R. {PREMISES} => c11^2 + c12^2 + c21^2 <= E => E <= 0.01 =>"
    f" {' and '.join(inequalities(PLAIN))}",
    says="Growth of a column of the factors near 0.",
)
def growth_of_a_plain_column(g: Goal) -> None:
    """A column in the basis of the singular vectors."""
    h = g.intro()
    ua, ub = h[4], h[5]
    texts = [f"u1 = {COLUMN['u1']}", f"u2 = {COLUMN['u2']}", f"v1 = {COLUMN['v1']}", f"v2 = {COLUMN['v2']}"]

    def give(g: Goal) -> None:
        g.witness("a1*u1 + a2*u2", "-a2*u1 + a1*u2", "b1*v1 + b2*v2", "-b2*v1 + b1*v2")
        pairs = [(ua, "u1"), (ua, "u2"), (ub, "v1"), (ub, "v2")]
        g.conj(*[lambda g, p=p: g.field((p[0], f"-{p[1]}")) for p in pairs])  # type: ignore[misc]

    same = g.obtain(g.have(f"ex x X y Y:R. {' and '.join(texts)}", give), "x", "X", "y", "Y")
    for k in same:
        g.rewrite(k)
    terms = [*DIRECTIONS, "x", "X", "y", "Y", "c11", "c12", "c21", "E"]
    g.close_by(g.lemma(CLAIM, "part:column-in-the-basis", *terms, by=[lambda g, k=k: g.close_by(k) for k in h]))  # type: ignore[misc]


ENTRIES = {(m, i, k): f"{m}{i}{k}" for m in ("u", "v") for i in (1, 2) for k in (1, 2, 3)}
SMALL = {
    c: " + ".join(f"u{i}{k}*v{j}{k}" for k in (1, 2, 3)) for c, (i, j) in {"c11": (1, 1), "c12": (1, 2), "c21": (2, 1)}.items()
}


@part(
    CLAIM,
    "product-of-small-factors",
    f"all {' '.join(ENTRIES.values())}:R. "
    + " + ".join(f"({t})^2" for t in SMALL.values())
    + " <= ("
    + " + ".join(f"{x}^2" for x in ENTRIES.values())
    + ")^2/4",
    says="The observed entries of a product are small with the factors.",
)
def products_are_small(g: Goal) -> None:
    """Lagrange's identity for each entry; the product of two sizes is at most the square of their mean."""
    g.intro()
    norm = {(m, i): "(" + " + ".join(f"{m}{i}{k}^2" for k in (1, 2, 3)) + ")" for m in ("u", "v") for i in (1, 2)}
    terms = [[f"({norm['u', 1]} + {norm['u', 2]} - {norm['v', 1]} - {norm['v', 2]})^2/4"], [norm["u", 2], norm["v", 2]]]
    for i, j in ((1, 1), (1, 2), (2, 1)):
        terms += [[f"(u{i}{k}*v{j}{m} - u{i}{m}*v{j}{k})^2"] for k in (1, 2, 3) for m in (1, 2, 3) if k < m]
    g.pos(*terms)


def column(k: int, t: str) -> dict[str, str]:
    """Column k of the first two rows of A and of the first two columns of B, at a time."""
    return {"u1": f"A({t})[1,{k}]", "u2": f"A({t})[2,{k}]", "v1": f"B({t})[{k},1]", "v2": f"B({t})[{k},2]"}


def along_at(t: str) -> str:
    """The squared part of the factors of the component along the first singular vectors."""
    return "((" + " + ".join(f"{along(column(k, t))}^2" for k in (1, 2, 3)) + ")/2)"


def size_at(t: str) -> str:
    """The squared size of the factors of the component."""
    return "(" + " + ".join(size(column(k, t)) for k in (1, 2, 3)) + ")"


def growth(p: str, r: str, dp: str, dr: str, e: str) -> str:
    """The three inequalities for the parts of the whole."""
    return f"2.99*{p} - {e}*({r} - {p}) <= {dp} and {dr} - {dp} <= 2.26*({r} - {p}) + {e}*{p} and {dr} <= 4*{r}"


FLOW = M1.equation


@part(
    CLAIM,
    "growth-near-zero",
    f"all A B:R~>M(3,3), {DIRECTION} E t:R. {FLOW} => {PREMISES} => 0 <= t => {size_at('t')}^2/4 <= E => E <= 0.01 => "
    + growth(along_at("t"), size_at("t"), f"D(q, {along_at('q')}, t)", f"D(q, {size_at('q')}, t)", "E"),
    says="Growth of the factors near 0.",
)
def growth_near_zero(g: Goal) -> None:
    """The sum over the columns."""
    h = g.intro()
    flow, vectors, small, most = h[0], h[1:13], h[14], h[15]
    entry = equations(g, flow)
    products = {}
    for c, (i, j) in {"c11": (1, 1), "c12": (1, 2), "c21": (2, 1)}.items():
        products[c] = "(" + " + ".join(f"A(t)[{i},{k}]*B(t)[{k},{j}]" for k in (1, 2, 3)) + ")"
    values = [f"A(t)[{i},{k}]" if m == "u" else f"B(t)[{k},{i}]" for m, i, k in ENTRIES]
    low = g.lemma(CLAIM, "part:product-of-small-factors", *values)
    low = g.have(" + ".join(f"{t}^2" for t in products.values()) + " <= E", lambda g: g.pos(["@" + low], ["@" + small]))
    same = g.obtain(
        g.have(
            f"ex c11 c12 c21:R. {' and '.join(f'{c} = {t}' for c, t in products.items())}",
            lambda g: witness(g, list(products.values())),
        ),
        *products,
    )
    low = g.have("c11^2 + c12^2 + c21^2 <= E", lambda g: g.pos(["@" + low], rw=same))
    found = []
    for k in (1, 2, 3):
        terms = [*DIRECTIONS, *column(k, "t").values(), "c11", "c12", "c21", "E"]
        by = [*vectors, low, most]
        found.append(g.split(g.lemma(CLAIM, "part:column", *terms, by=[lambda g, x=x: g.close_by(x) for x in by])))  # type: ignore[misc]
    cols = [column(k, "t") for k in (1, 2, 3)]
    dps = " + ".join(f"{along(z)}*{along(rates(z))}" for z in cols)
    drs = " + ".join("2*(" + " + ".join(f"{z[k]}*{rates(z)[k]}" for k in z) + ")" for z in cols)
    dp = g.have(f"D(q, {along_at('q')}, t) = {dps}", lambda g: g.field(rw=[*entry, *same]))
    dr = g.have(f"D(q, {size_at('q')}, t) = {drs}", lambda g: g.field(rw=[*entry, *same]))
    g.rewrite(dp)
    g.rewrite(dr)
    g.conj(*[lambda g, n=n: g.pos(*[["@" + f[n]] for f in found]) for n in range(3)])  # type: ignore[misc]


def equations(g: Goal, flow: str) -> list[str]:
    """The derivatives of the twelve entries of the component at the time t."""
    out = []
    forward = [(i, k) for i in (1, 2) for k in (1, 2, 3)]
    for h, places in zip(g.split(g.apply(flow, "t")), (forward, [(k, i) for i, k in forward]), strict=True):
        left, right = g.hyp_formula(h)[1:]
        for i, j in places:
            one = g.have(("=", ("entry", left, i, j), ("entry", right, i, j)), lambda g, h=h: (g.rewrite(h), g.refl())[-1])
            out.append(one)
    return out
