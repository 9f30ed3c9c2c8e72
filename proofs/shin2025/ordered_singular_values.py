"""Lemma 32, another reading: the singular values in decreasing order are not differentiable where two of them cross."""

from __future__ import annotations

from proofs.shin2025.analytic_functions import continuous_zero
from proofs.shin2025.lazy_training import binary
from proofs.shin2025.measurement_flow import MASK, flow
from proofs.shin2025.singular_value_flow import BALANCED
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

ID = "shin2025.lemma-32"


@part(
    ID,
    "larger-of-two",
    "all x y:R. 0 <= x => 0 <= y => x <= y => sv([[x,0],[0,y]], 1) = y and sv([[y,0],[0,x]], 1) = y",
    says="The first singular value of a nonnegative diagonal 2 x 2 matrix is the larger entry.",
)
def larger_entry(g: Goal) -> None:
    """From the sum of the squares and the product."""
    x0, y0, order = g.intro()

    def one(m: str) -> Script:
        def script(g: Goal) -> None:
            product, squares = g.split(g.fact("sv_2x2", m))
            rng = g.split_all(g.apply(g.fact("sv_range", "2", "2", m), "1", "2"))
            ordered = g.apply(rng[1])
            low = g.split(g.apply(g.fact("sv_range", "2", "2", m), "2", "2"))[0]
            norm = g.fact("frobenius_entries", "2", "2", m)
            s, r = f"sv({m}, 1)", f"sv({m}, 2)"
            g.have("0 <= x*y", lambda g: g.pos(["@" + x0, "@" + y0]))
            det = g.have(f"det({m}) = x*y", lambda g: g.field())
            size = g.have(f"abs(det({m})) = x*y", lambda g: (g.rewrite(det), g.field())[-1])
            total = g.have(f"{s}^2 + {r}^2 = x^2 + y^2", lambda g: g.field((squares, 1), (norm, 1)))
            both = g.have(f"{s}*{r} = x*y", lambda g: g.field((product, 1), (size, 1)))
            plus = g.have(f"({s} + {r})^2 = (x + y)^2", lambda g: g.field((total, 1), (both, 2)))
            minus = g.have(f"({s} - {r})^2 = (y - x)^2", lambda g: g.field((total, 1), (both, -2)))

            def root(a: str, b: str, eq: str, na: list, nb: list) -> str:  # type: ignore[type-arg]
                def below(g: Goal) -> None:
                    h = g.contra()
                    g.pos(["@" + h, "@" + h], *[["2", "@" + h, *t] for t in nb], eqs=[(eq, -1)])

                def above(g: Goal) -> None:
                    h = g.contra()
                    g.pos(["@" + h, "@" + h], *[["2", "@" + h, *t] for t in na], eqs=[(eq, 1)])

                return g.have(f"{a} = {b}", lambda g: g.antisym(below, above))

            p = root(f"{s} + {r}", "x + y", plus, [["@" + rng[0]], ["@" + low]], [["@" + x0], ["@" + y0]])
            d = root(f"{s} - {r}", "y - x", minus, [["@" + ordered]], [["@" + order]])
            g.field((p, "1/2"), (d, "1/2"))

        return script

    g.conj(one("[[x,0],[0,y]]"), one("[[y,0],[0,x]]"))


Y = "(2/sqrt(1 + 15*exp(-8*t)))"


@part(
    ID,
    "ordered",
    f"""ex M Z:M(2,2), A B:R~>M(2,2). {MASK} and {flow()} and {BALANCED} and not (ex f:R~>R. all t:R. 0 <= t => f(t) = sv(A(t) @ B(t), 1))""",
    says="Along a balanced flow the largest singular value is not smooth where it is overtaken: W = diag(1, y^2) with y^2 growing from 1/4"
    " to 4.",
    uses=[ID],
)
def larger_value_has_a_corner(g: Goal) -> None:
    """Left of the crossing the largest value is 1, right of it y^2, whose rate at the crossing is 6."""
    diagonal, _square = f"[[1,0],[0,{Y}]]", f"{Y}^2"
    g.witness("[[1,0],[0,1]]", "[[1,0],[0,4]]", f"lam t:R. {diagonal}", f"lam t:R. {diagonal}")

    def along(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        v = g.obtain(g.have(f"ex v:R. v = exp(-8*{u})", lambda g: (g.witness(f"exp(-8*{u})"), g.refl())[-1]), "v")[0]
        g.have("0 < v", lambda g: (g.rewrite(v), g.pos([f"exp(-8*{u})"]))[-1])
        d = g.differentiate("t", diagonal, u)

        def side(g: Goal) -> None:
            g.rewrite(d)
            g.rewrite(v, back=True)
            g.ext(lambda g: g.field())

        g.conj(side, side)

    def corner(g: Goal) -> None:
        f = g.obtain(g.assume(), "f")[0]
        c = g.obtain(g.have("ex c:R. c = log(5)/8", lambda g: (g.witness("log(5)/8"), g.refl())[-1]), "c")[0]
        g.have("0 < c", lambda g: (g.rewrite(c), g.ball())[-1])
        at_c = g.have("exp(-8*c) = 1/5", lambda g: (g.rewrite(c), g.field())[-1])

        value = "4/(1 + 15*exp(-8*t))"
        q = g.obtain(
            g.have(f"ex q:R~>R. all t:R. q(t) = {value}", lambda g: (g.witness(f"lam t:R. {value}"), g.intro(), g.field())[-1]),
            "q",
        )[0]
        larger = g.lemma(ID, "part:larger-of-two")

        def product(g: Goal, t: str) -> tuple[str, str]:
            """f(t) as the value of diag(1, q(t)), and q(t)."""
            v = g.apply(q, t)
            whole = diagonal.replace("*t)", f"*{t})")
            e = g.have(
                f"{whole} @ {whole} = [[1,0],[0,q({t})]]",
                lambda g: g.ext(lambda g: g.field((v, -1)) if g.concl[1][2:] == (2, 2) else g.field()),
            )
            return g.rewritten(g.apply(f, t), e), v

        def left(g: Goal) -> None:
            g.fix("t")
            a, b = g.split(g.assume())
            h, v = product(g, "t")
            m = g.by_fact("exp_mono", "-8*c", "-8*t", by=[lambda g: g.pos(["8", "@" + b])])
            one = g.have(
                "q(t) <= 1",
                lambda g: g.pos(["15", "@" + m], mul=["1 + 15*exp(-8*t)"], eqs=[(v, "-(1 + 15*exp(-8*t))"), (at_c, 15)]),
            )
            g.have("0 <= q(t)", lambda g: g.pos([value], eqs=[(v, 1)]))
            k = g.split(g.apply(larger, "q(t)", "1", by=[None, None, lambda g: g.close_by(one)]))[1]
            g.field((h, 1), (k, 1))

        def right(g: Goal) -> None:
            g.fix("t")
            a, b = g.split(g.assume())
            g.have("0 <= t")
            h, v = product(g, "t")
            m = g.by_fact("exp_mono", "-8*t", "-8*c", by=[lambda g: g.pos(["8", "@" + a])])
            one = g.have(
                "1 <= q(t)",
                lambda g: g.pos(["15", "@" + m], mul=["1 + 15*exp(-8*t)"], eqs=[(v, "1 + 15*exp(-8*t)"), (at_c, -15)]),
            )
            g.have("0 <= q(t)", lambda g: g.pos([value], eqs=[(v, 1)]))
            k = g.split(g.apply(larger, "1", "q(t)", by=[None, None, lambda g: g.close_by(one)]))[0]
            g.field((h, 1), (k, 1))

        before = g.have("all t:R. 0 < t and t < c => f(t) = 1", left)
        after = g.have("all t:R. c < t and t < c + 1 => f(t) = q(t)", right)

        def flat(g: Goal, x: str) -> str:
            h = g.by_fact(
                "derivative_local",
                "0",
                "c",
                x,
                "lam t:R. f(t)",
                "lam t:R. 1",
                by=[None, None, None, lambda g: g.close_by(before)],
            )
            return g.have(f"d(1,f,{x}) = 0", lambda g: g.field((h, 1)))

        zero = g.have("d(1,f,c) = 0", lambda g: continuous_zero(g, "d(1,f,{0})", "c", "0", flat))

        def steep(g: Goal) -> None:
            h = g.contra()
            gap = "d(1,f,{0}) - d(1,q,{0})"
            at = gap.format("c")
            g.have(
                f"({at}) != 0",
                lambda g: (z := g.contra(), g.clash(g.have("d(1,f,c) = d(1,q,c)", lambda g: g.field((z, 1))), h))[-1],
            )
            g.have(f"0 < ({at})^2", lambda g: g.pos([f"({at})^2"]))
            w, near = g.obtain(g.by_fact("persistence", "c", f"lam t:R. ({gap.format('t')})^2"), "w")
            least = g.fact("min_cases", "w", "1")

            def point(g: Goal, x: str) -> None:
                g.split(list(g.seq.hyps)[-1])
                k = g.apply(near, x)
                y = g.by_fact(
                    "derivative_local",
                    "c",
                    "c + 1",
                    x,
                    "lam t:R. f(t)",
                    "lam t:R. q(t)",
                    by=[None, None, None, lambda g: g.close_by(after)],
                )
                g.pos(["@" + k], eqs=[(y, f"-({gap.format(x)})")])

            g.cases(least, lambda g: point(g, "c + w/2"), lambda g: point(g, "c + 1/2"))

        same = g.have("d(1,f,c) = d(1,q,c)", steep)
        rate = g.by_fact(
            "derivative_local", "c - 1", "c + 1", "c", "lam t:R. q(t)", f"lam t:R. {value}",
            by=[None, None, None, lambda g: (t := g.fix("t"), g.assume(), g.close_by(g.apply(q, t[0])))[-1]],
        )  # fmt: skip
        d = g.differentiate("t", value, "c")
        e = g.have("d(1,q,c) = 6", lambda g: slope(g, rate, d, at_c))
        g.pos(["6"], eqs=[(e, 1), (same, 1), (zero, -1)])

    g.conj(lambda g: binary(g, "[[1,0],[0,1]]", 2, lambda i, j: int(i == j)), along, lambda g: g.ext(lambda g: g.field()), corner)


def slope(g: Goal, rate: str, value: str, at: str) -> None:
    """480 e/(1 + 15 e)^2 = 6 for e = 1/5."""
    v = g.obtain(g.have("ex v:R. v = exp(-8*c)", lambda g: (g.witness("exp(-8*c)"), g.refl())[-1]), "v")[0]
    fifth = g.have("v = 1/5", lambda g: (g.rewrite(v), g.close_by(at))[-1])
    k = g.have(("=", g.hyp_formula(rate)[1], g.hyp_formula(value)[2]), lambda g: g.field((rate, 1), (value, 1)))
    k = g.rewritten(k, g.have("exp(-8*c) = v", lambda g: g.field((v, -1))))
    k = g.rewritten(k, fifth)
    g.field((k, 1))
