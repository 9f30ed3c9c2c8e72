"""The loss of matrix completion is analytic: near every matrix it is the sum of three homogeneous polynomials."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.library.analytic_functions import analytic_loss
from verify.kernel.syntax import rational
from verify.registry import holds

LOSS = "1/2*sum(i, 1, r, sum(j, 1, c, P[i,j]*({x}[i,j] - B[i,j])^2))"
CONSTANT = LOSS.format(x="x")


def linear(y: str) -> str:
    """The derivative of the loss at x in the direction y."""
    return f"sum(i, 1, r, sum(j, 1, c, P[i,j]*(x[i,j] - B[i,j])*{y}[i,j]))"


def quadratic(y: str) -> str:
    return f"(1/2*sum(i, 1, r, sum(j, 1, c, P[i,j]*{y}[i,j]^2)))"


def last(g: Goal) -> str:
    return next(reversed(g.seq.hyps))


@holds(
    "razin2020.cited-loss-analytic",
    f"""all r c:Z, P B:M(r,c), ell:M(r,c)->R. (all x:M(r,c). ell(x) = {LOSS.format(x="x")}) => {analytic_loss("ell", "r", "c")}""",
    reading="P is the indicator of the observed entries, B holds their values; the Taylor series is that of homogeneous polynomials in the"
    " displacement, as in Lemma 5, and it converges everywhere",
)
def loss_is_the_sum_of_three_homogeneous_polynomials(g: Goal) -> None:
    """The value, the derivative and half the second derivative at x; all other terms are 0."""
    g.fix()
    loss = g.assume()
    g.fix("x")
    marks = []
    for k in (0, 1, 2):
        (h,) = g.obtain(g.fact("indicator", f"lam i:Z. i - {k}"), f"e{k}", split=False)
        marks.append(h)

    def term(k: str, y: str) -> str:
        return f"(1 - e0({k}))*({CONSTANT}) + (1 - e1({k}))*{linear(y)} + (1 - e2({k}))*{quadratic(y)}"

    g.witness(f"lam k:Z, y:M(r,c). {term('k', 'y')}", "1")

    def values(g: Goal, k: str, which: int | None) -> list[str]:
        """Adds e_i(k) = 0 for i = which, else 1; k is known to be which, or to differ from 0, 1, 2."""
        out = []
        for i in (0, 1, 2):
            zero, one = g.split(g.apply(marks[i], k))
            if i == which:
                eq = last_equation(g, k)
                h = g.have(f"{k} - {i} = 0", lambda g, eq=eq: g.field((eq, 1)))  # type: ignore[misc]
                out.append(g.apply(zero, by=[using(h)]))
            else:
                h = g.have(f"{k} - {i} != 0", lambda g, i=i: different(g, k, i, which))  # type: ignore[misc]
                out.append(g.apply(one, by=[using(h)]))
        return out

    def last_equation(g: Goal, k: str) -> str:
        return next(h for h in reversed(g.seq.hyps) if g.hyp_formula(h)[0] == "=" and g.hyp_formula(h)[1] == g.term(k))

    def different(g: Goal, k: str, i: int, which: int | None) -> None:
        eq = g.contra()
        if which is None:
            same = g.have(f"{k} = {i}", lambda g: g.field((eq, 1)))
            ne = next(h for h, f in g.seq.hyps.items() if f == ("!=", g.term(k), i))
            g.clash(same, ne)
        else:
            known = last_equation(g, k)
            cofactor = Fraction(1, i - which)
            g.pos([], eqs=[(eq, rational(cofactor)), (known, rational(-cofactor))])

    def by_degree(g: Goal, script: Callable[[Goal, int | None], None]) -> None:
        """Cases k = 0, 1, 2 and none of them; script(g, which)."""

        def descend(g: Goal, left: list[int]) -> None:
            if not left:
                script(g, None)
                return
            g.em(f"k = {left[0]}", lambda g: script(g, left[0]), lambda g: descend(g, left[1:]))

        descend(g, [0, 1, 2])

    def homogeneous(g: Goal) -> None:
        g.fix("k", "y", "t")
        g.assume()

        def case(g: Goal, which: int | None) -> None:
            e = values(g, "k", which)
            if which is not None:
                power = g.have(f"t^k = t^{which}", lambda g: g.ctx(lambda g: g.field((last_equation(g, "k"), 1))))
                g.rewrite(power)
            g.field(rw=e)

        by_degree(g, case)

    def polynomial(g: Goal) -> None:
        g.fix("k", "y", "u")
        g.assume()
        cross = "sum(i, 1, r, sum(j, 1, c, P[i,j]*y[i,j]*u[i,j]))"

        def case(g: Goal, which: int | None) -> None:
            e = values(g, "k", which)
            if which is None:
                g.witness("lam i:Z. 0")
                g.fix("t")
                g.field(rw=e)
                return
            eq = last_equation(g, "k")
            levels = {0: [CONSTANT], 1: [linear("y"), linear("u")], 2: [quadratic("y"), cross, quadratic("u")]}[which]
            names = [f"m{i}" for i in range(len(levels))]
            text = f"ex {' '.join(names)}:R. " + " and ".join(f"{n} = {v}" for n, v in zip(names, levels, strict=True))

            def given(g: Goal) -> None:
                g.witness(*levels)
                g.conj(*[lambda g: g.refl()] * len(levels)) if len(levels) > 1 else g.refl()

            known = g.obtain(g.have(text, given), *names)
            basis = {
                0: ["1"],
                1: ["(1 - i)", "i"],
                2: ["(i - 1)*(i - 2)/2", "(-1)*i*(i - 2)", "i*(i - 1)/2"],
            }[which]
            g.witness("lam i:Z. " + " + ".join(f"{b}*{n}" for b, n in zip(basis, names, strict=True)))
            g.fix("t")
            g.rewrite(eq)
            e2 = [g.rewritten(h, eq) for h in e]
            g.field(*[(h, f"-t^{i}") for i, h in enumerate(known)], rw=e2)

        by_degree(g, case)

    def converges(g: Goal) -> None:
        g.fix("y")
        g.assume()
        g.fix("e")
        positive = g.assume()
        g.witness("2")
        g.fix("b")
        far = g.assume()
        split = g.by_fact("sum_split", 0, 2, "b", f"lam k:Z. {term('k', 'y')}", by=[None, using(far)])

        def zero(g: Goal) -> None:
            g.fix("k")
            g.split(g.assume())
            for i in (0, 1, 2):
                g.have(f"k != {i}", lambda g: beyond(g))
            g.field(rw=values(g, "k", None))

        def beyond(g: Goal) -> None:
            eq = g.contra()
            g.nlin(products=1)
            del eq

        rest = g.by_fact("sum_ext", "2 + 1", "b", f"lam k:Z. {term('k', 'y')}", "lam k:Z. 0", by=[zero])
        numbers = []
        for k in (0, 1, 2):
            for i in (0, 1, 2):
                zero_, one = g.split(g.apply(marks[i], k))
                h = g.have(f"{k} - {i} {'=' if i == k else '!='} 0", lambda g: g.field())
                numbers.append(g.apply(zero_ if i == k else one, by=[using(h)]))
        value = g.apply(loss, "x + y")
        exact = g.have(
            f"ell(x + y) - sum(k, 0, b, {term('k', 'y')}) = 0",
            lambda g: g.field((value, 1), (split, -1), (rest, -1), rw=numbers),
        )
        g.rewrite(exact)
        zero_size = g.have("abs(0) = 0", lambda g: g.field())
        g.rewrite(zero_size)
        g.pos([f"@{positive}"])

    g.conj(None, homogeneous, polynomial, converges)
