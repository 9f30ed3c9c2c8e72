"""Appendix F.3.1: an exact solution of (8) and (9) for L = 4, d = 2, in square roots."""

from __future__ import annotations

from proofs.shin2025.implicit_equations import IMPLICIT, PARAMETERS, UNIQUE_8, UNIQUE_9
from proofs.shin2025.theorem_four import C, eq8, eq9
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, part, undecided

ID = "shin2025.assertion-f3-no-closed-form"


TOTAL = "(1 + sqrt(1 + 2*ws*K^2))"
Y = f"(({TOTAL} + sqrt({TOTAL}^2 - 4))/2)"
FIRST, OTHERS = f"sqrt(({Y} - 1)/K)", f"sqrt(({Y} - 1)/(K*{Y}))"
SOLVES = f"all ws al m K:R. 0 < ws => 0 < al => 1 < m => K = -{C} => {eq8(FIRST, C)} and {eq9(OTHERS, C)}"


@part(
    ID,
    "depth-four",
    f"ex d L:Z. 2 <= d and 3 <= L and ({SOLVES})",
    says="For L = 4, d = 2 both equations are solved by square roots: sigma_1 = sqrt((y - 1)/K), sigma_r = sqrt((y - 1)/(K y)) with"
    " K = -C > 0, y = (s + sqrt(s^2 - 4))/2, s = 1 + sqrt(1 + 2 w* K^2); with y = 1 + K sigma_1^2 the equations reduce to"
    " (y + 1/y)^2 - 2 (y + 1/y) = 2 w* K^2.",
    uses=[IMPLICIT],
)
def depth_four_has_a_closed_form(g: Goal) -> None:
    """u = sigma_1^2 and v = sigma_r^2 satisfy 1/v - 1/u = K and u^2 + v^2 = 2 w*."""
    g.witness("2", "4")

    def solves(g: Goal) -> None:
        constant = g.intro()[3]
        negative = g.lemma(IMPLICIT, "part:constant-negative", "2", "4", "al", "m")
        g.have("0 < K", lambda g: g.pos(["@" + negative], eqs=[(constant, 1)]))

        def named(name: str, value: str) -> str:
            return g.obtain(g.have(f"ex {name}:R. {name} = {value}", lambda g: (g.witness(value), g.refl())[-1]), name)[0]

        def root(name: str, radicand: str, positive: Script | None = None) -> tuple[str, str]:
            """A square root by name; its equation and its square."""
            g.have(f"0 < {radicand}", positive)
            h = named(name, f"sqrt({radicand})")
            g.have(f"0 < {name}", lambda g: (g.rewrite(h), g.pos([f"sqrt({radicand})"]))[-1])
            return h, g.have(
                f"{name}^2 = {radicand}", lambda g: (q := g.by_fact("sqrt_sq", radicand), g.rewrite(h), g.close_by(q))[-1]
            )

        r, rr = root("r", "1 + 2*ws*K^2")
        big = g.have("1 < r", lambda g: (h := g.contra(), g.pos(["2*ws*K^2"], ["@" + h, "1 + r"], eqs=[(rr, 1)]))[-1])
        t, tt = root("t", "(1 + r)^2 - 4", lambda g: g.pos(["@" + big, "r + 3"]))
        y = named("y", "((1 + r) + t)/2")
        one = g.have("0 < y - 1", lambda g: g.pos(["1/2", "@" + big], ["1/2", "t"], eqs=[(y, 1)]))
        g.have("0 < y", lambda g: g.pos(["@" + one], ["1"]))
        square = g.have("y^2 - (1 + r)*y + 1 = 0", lambda g: g.field((y, "y - (1 + r)/2 + t/2"), (tt, "1/4")))
        u, v = "((y - 1)/K)", "((y - 1)/(K*y))"
        g.have(f"0 < {u}", lambda g: g.pos(["@" + one, "1/K"]))
        g.have(f"0 < {v}", lambda g: g.pos(["@" + one, "1/(K*y)"]))
        a, aa = root("a", u)
        b, bb = root("b", v)
        x = "y^2 - (1 + r)*y + 1"
        mean = g.have(f"{u}^2 + {v}^2 = 2*ws", lambda g: g.field((rr, "1/K^2"), (square, f"({x} + 2*r*y)/(K^2*y^2)")))
        first = g.have("ws*2 - a^4 = b^4", lambda g: g.field((aa, f"-(a^2 + {u})"), (bb, f"-(b^2 + {v})"), (mean, -1)))
        quotient = g.have("(ws*2 - a^4)/(2 - 1) = b^4", lambda g: g.field((first, 1)))
        second = g.have("ws*2 - (2 - 1)*b^4 = a^4", lambda g: g.field((first, 1)))
        gap = g.have("1/a^2 - 1/b^2 = -K", lambda g: g.field((aa, "-K/((y - 1)*a^2)"), (bb, "K*y/((y - 1)*b^2)")))
        for h in (r, t, y):
            g.rewrite(h, back=True)

        def equation(value: str, power: str) -> Script:
            def script(g: Goal) -> None:
                g.rewrite(value, back=True)
                g.rewrite(power)
                left = g.have(("=", g.concl[1], g.term("1/a^2 - 1/b^2")), lambda g: g.field())
                g.field((left, 1), (gap, 1), (constant, -1))

            return script

        g.conj(equation(a, quotient), equation(b, second))

    g.conj(None, None, solves)


@amendment(
    ID,
    f"({PARAMETERS} {UNIQUE_8}) and ({PARAMETERS} {UNIQUE_9})",
    says="For every L >= 3 the equations (8) and (9) determine sigma_1 and sigma_r: each has exactly one root in its range, which can be"
    " enclosed for any given parameters.",
    uses=["shin2025.eq-8", "shin2025.eq-9"],
)
def equations_determine_the_values(g: Goal) -> None:
    """The parts on their roots."""
    g.conj(*[lambda g, n=n: g.close_by(g.lemma(f"shin2025.eq-{n}", "part:one-root")) for n in (8, 9)])


undecided(
    ID,
    outcome="ill-formed",
    reason="that no exact analytical solution can be obtained says nothing until a class of expressions is fixed, and the paper fixes none;"
    " what is determined is proved as the amendment: each of the equations (8) and (9) has exactly one root in its range",
    readings=[
        ("for no L >= 3 and no d is there an expression in square roots", "refuted", "depth-four"),
        ("for every L other than 4 there is no expression by arithmetic and roots", "open", None),
    ],
    uses=[IMPLICIT, "shin2025.eq-8", "shin2025.eq-9"],
)
