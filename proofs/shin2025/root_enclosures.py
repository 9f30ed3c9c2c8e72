"""Equations (8) and (9) at stated parameters: both roots to 30 digits, from sign changes at decimal end points.

The smaller root carries the proof: the left side of (9) increases in it, and the larger root is a decreasing function of
it. So tiny values
of w* d - sigma_1^L are never formed by subtraction.
"""

from __future__ import annotations

import re
from itertools import product

from proofs.shin2025.implicit_equations import IMPLICIT, power_of_power
from proofs.shin2025.root_table import ROOTS
from proofs.shin2025.theorem_four import C, eq8, eq9
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

DIGITS = 30
SCALES = (0, 5, 10, 15, 20, 25, 30, 35)
"""alpha^L = 10^-k."""
TARGETS, RATIOS = ("1/10", "1", "10"), ("1001/1000", "2", "10", "10000000000")
DIMENSIONS, DEPTHS = (3, 10), (3, 4, 5)


def left9(s: str) -> str:
    return f"((ws*d - (d-1)*{s}^L)^((2-L)/L) - {s}^(2-L))"


@part(
    IMPLICIT,
    "enclosed",
    f"""all d L:Z, ws c u v y z:R. 2 <= d => 3 <= L => 0 < u => u < v => (d-1)*v^L < ws*d => {left9("u")} < c => c <
        {left9("v")} =>
        0 < y => 0 < z => y^L < ws*d - (d-1)*v^L => ws*d - (d-1)*u^L < z^L =>
        ex s x:R. u < s and s < v and y < x and x < z and {eq9("s", "c")} and {eq8("x", "c")}""",
)
def roots_between_sign_changes(g: Goal) -> None:
    """Intermediate value for (9); the larger root is (w* d - (d-1) s^L)^(1/L)."""
    g.intro("d_lo", "L_lo", "u_lo", "uv", "v_hi", "at_u", "at_v", "y_lo", "z_lo", "y_hi", "z_hi")
    g.have("0 < d - 1")
    g.have("0 < v")

    def bracket(g: Goal, x: str) -> None:
        i = g.by_fact("ipow_mono", x, "v", "L")
        g.pos(["@v_hi"], [f"@{i}", "d - 1"])

    def smooth(g: Goal) -> None:
        t = g.fix()[0]
        g.split_all(g.assume())
        g.have(f"0 < {t}")
        g.have(f"0 < ws*d - (d-1)*{t}^L", lambda g: bracket(g, t))
        g.auto()

    r = g.obtain(
        g.by_fact(
            "intermediate_value",
            "u",
            "v",
            "c",
            f"lam s:R. {left9('s')}",
            by=[smooth, None, lambda g: (g.left_or_right(0), g.conj(None, None))[-1]],
        ),
        "s",
    )
    eq = r[2]

    def not_end(end: str, h: str) -> Script:
        def script(g: Goal) -> None:
            e = g.have(f"{left9(end)} = c", lambda g: (g.replace(end, "s"), g.close_by(eq))[-1])
            g.contra()
            g.pos([f"@{h}"], eqs=[(e, 1 if end == "u" else -1)])

        return script

    g.have("u < s", lambda g: g.cases(g.by_fact("lt_or_eq", "u", "s"), None, not_end("u", "at_u")))
    g.have(
        "s < v",
        lambda g: g.cases(g.by_fact("lt_or_eq", "s", "v"), None, lambda g: (g.have("v = s"), not_end("v", "at_v")(g))[-1]),
    )
    g.have("0 < s")
    w = "ws*d - (d-1)*s^L"
    su = g.by_fact("ipow_strict", "u", "s", "L")
    sv = g.by_fact("ipow_strict", "s", "v", "L")
    q = g.obtain(g.have(f"ex w:R. w = {w}", lambda g: (g.witness(w), g.refl())[-1]), "w")[0]
    g.have("0 < w", lambda g: g.pos(["@v_hi"], [f"@{sv}", "d - 1"], eqs=[(q, 1)]))
    x = g.obtain(g.have("ex x:R. x = w^(1/L)", lambda g: (g.witness("w^(1/L)"), g.refl())[-1]), "x")[0]
    g.have("0 < x", lambda g: (g.rewrite(x), g.auto())[-1])
    xl = g.have("x^L = w", lambda g: (g.rewrite(x), h := power_of_power(g, "w", "1/L", "L", "1"), g.rewrite(h), g.field())[-1])
    xk = g.have(
        "x^(2-L) = w^((2-L)/L)", lambda g: (g.rewrite(x), h := power_of_power(g, "w", "1/L", "2-L", "(2-L)/L"), g.close_by(h))[-1]
    )
    e = g.have("w^((2-L)/L) - s^(2-L) = c", lambda g: (g.rewrite(q), g.close_by(eq))[-1])
    b = g.have("(ws*d - x^L)/(d-1) = s^L", lambda g: g.field((xl, "-1/(d-1)"), (q, "-1/(d-1)")))
    p = power_of_power(g, "s", "L", "(2-L)/L", "2-L")

    def lower(g: Goal) -> None:
        g.contra()
        i = g.by_fact("ipow_mono", "x", "y", "L")
        g.pos([f"@{i}"], ["@y_hi"], [f"@{sv}", "d - 1"], eqs=[(xl, 1), (q, 1)])

    def upper(g: Goal) -> None:
        g.contra()
        i = g.by_fact("ipow_mono", "z", "x", "L")
        g.pos([f"@{i}"], ["@z_hi"], [f"@{su}", "d - 1"], eqs=[(xl, -1), (q, -1)])

    g.witness("s", "x")
    g.conj(
        None, None, lower, upper, lambda g: g.close_by(eq), lambda g: (g.rewrite(b), g.rewrite(p), g.field((xk, 1), (e, 1)))[-1]
    )


def decimal(digits: int, exponent: int) -> str:
    """digits * 10^exponent as a quotient of integers."""
    return f"{digits}/{10**-exponent}" if exponent < 0 else str(digits * 10**exponent)


def with_numbers(text: str, numbers: dict[str, str]) -> str:
    """A formula with numbers put in for its names."""
    return re.sub(r"\b[A-Za-z]+\b", lambda m: numbers.get(m.group(), m.group()), text)


def parameters(L: int, d: int, ws: str, m: str, k: int) -> dict[str, str]:
    """The numbers for the names of the equations; alpha is the root of 10^-k."""
    scale = "1" if k == 0 else f"((1/{10**k})^(1/{L}))"
    return {"L": str(L), "d": str(d), "ws": f"({ws})", "m": f"({m})", "al": scale}


def bounds(row: tuple[int, int, int, int]) -> tuple[str, str, str, str]:
    """Lower and upper bounds of the smaller and of the larger root."""
    s, es, x, ex = row
    return decimal(s, es), decimal(s + 1, es), decimal(x, ex), decimal(x + 1, ex)


def enclosure(L: int, d: int, ws: str, m: str, k: int) -> str:
    """The smaller root lies between neighbouring decimals of 36 digits, the larger one of 30 digits."""
    u, v, y, z = bounds(ROOTS[L, d, ws, m][SCALES.index(k)])
    n = parameters(L, d, ws, m, k)
    return (
        f"(ex s x:R. {u} < s and s < {v} and {y} < x and x < {z} and"
        f" {with_numbers(eq9('s', C), n)} and {with_numbers(eq8('x', C), n)})"
    )


def certified(L: int, d: int, ws: str) -> Script:
    """Sign changes by ball arithmetic at every m and scale."""

    def one(g: Goal, m: str, k: int, general: str) -> None:
        u, v, y, z = bounds(ROOTS[L, d, ws, m][SCALES.index(k)])
        n = parameters(L, d, ws, m, k)
        ball = lambda g: g.ball(bits=BITS)  # noqa: E731
        h = g.apply(general, str(d), str(L), ws, with_numbers(C, n), u, v, y, z, by=[ball] * 11)
        hs = g.obtain(h, "s", "x")
        g.witness("s", "x")
        g.conj(None, None, None, None, lambda g: g.step("field", eqs=((hs[4], 1),)), lambda g: g.step("field", eqs=((hs[5], 1),)))

    def script(g: Goal) -> None:
        general = g.lemma(IMPLICIT, "part:enclosed")
        g.conj(*[lambda g, m=m, k=k: one(g, m, k, general) for m, k in product(RATIOS, SCALES)])

    script.__doc__ = "At the end points the left side of (9) lies on both sides of the constant; ball arithmetic decides."
    return script


BITS = 400

for depth, dimension, target in product(DEPTHS, DIMENSIONS, TARGETS):
    if ROOTS:
        part(
            "shin2025.eq-9",
            f"roots-L{depth}-d{dimension}-w{target.replace('/', 'over')}",
            " and ".join(enclosure(depth, dimension, target, m, k) for m, k in product(RATIOS, SCALES)),
            says=(
                f"both roots to 30 digits for L = {depth}, d = {dimension}, w* = {target}, "
                f"m in {{1.001, 2, 10, 1e10}}, alpha^L = 1, 1e-5, .., 1e-35"
            ),
            uses=[IMPLICIT],
        )(certified(depth, dimension, target))
