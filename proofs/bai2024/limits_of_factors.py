"""Section 4, M_2: what the limits of the factors inherit from the flow."""

from __future__ import annotations

from dataclasses import dataclass

from proofs.bai2024.examples import P1, P2, V1, V2
from proofs.bai2024.graphs import by_values
from proofs.bai2024.minimum_nuclear_norm import STARTS
from proofs.bai2024.observations_as_operators import flows_of_the_second_example
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

CLAIM = "bai2024.assertion-m2-nuclear-not-rank"


@dataclass(frozen=True)
class Example:
    """An example with the value 5 at (3, 3), alone in its row and column: its claim, number of observations and flows."""

    claim: str
    count: int
    flows: str

    @property
    def setting(self) -> str:
        """The flows, the starts and the limits, as premises."""
        return f"all {VARIABLES}. n = {self.count} => {self.flows} => {STARTS} => {LIMITS} =>"


FLOWS = flows_of_the_second_example()
FIRST_FLOWS = FLOWS.replace(P2, P1).replace(V2, V1)
EXAMPLES = (Example(CLAIM, 5, FLOWS), Example("bai2024.assertion-m1-neither", 4, FIRST_FLOWS))
SUM_J, SUM_K = "(Ah[3,j] + Bh[j,3])", "(Ah[3,k] + Bh[k,3])"
START_J, START_K = "(X[3,j] + Y[j,3])", "(X[3,k] + Y[k,3])"
DIRECTION = f"(all j k:Z. 1 <= j and j <= 3 and 1 <= k and k <= 3 => {SUM_J}*{START_K} = {SUM_K}*{START_J})"
"""The sum of the third row of Ah and the third column of Bh is parallel to that of X and Y."""
LIMITS = """(all al:R. 0 < al => tends(t, A(al,t), Ai(al)) and tends(t, B(al,t), Bi(al))) =>
       tends(s, Ai(1/s), Ah) => tends(s, Bi(1/s), Bh)"""
VARIABLES = "n:R, X Y Ah Bh:M(3,3), A B:(R,R)~>M(3,3), Ai Bi:R->M(3,3)"
NAMES = ["count", "flows", "starts", "limits", "a_end", "b_end"]


def setting(g: Goal) -> None:
    g.fix()
    for name in NAMES:
        g.assume(name)


def of_limit(g: Goal, role: str, claim: str = CLAIM) -> str:
    """A part in the setting of an example, from the hypotheses of the same names."""
    by: list[Script | None] = [lambda g, n=name: g.close_by(n) for name in NAMES]  # type: ignore[misc]
    return g.lemma(claim, f"part:{role}", "n", "X", "Y", "Ah", "Bh", "A", "B", "Ai", "Bi", by=by)


@part(
    CLAIM,
    "constant-limit",
    """all m n:Z, a:R, E:R->M(m,n), L C:M(m,n). (all t:R. a <= t => E(t) = C) => tends(t, E(t), L) => L = C""",
    says="the limit of a matrix function that is constant from some time on",
)
def limit_of_a_constant_matrix(g: Goal) -> None:
    """Entry by entry."""
    g.fix()
    constant, limit = g.assume(), g.assume()
    forward = g.split(g.fact("tends_matrix", "m", "n", "L", "lam t:R. E(t)"))[0]
    entries = g.apply(forward, by=[lambda g: g.close_by(limit)])
    g.extn("i", "j")
    one = g.apply(entries, "i", "j")

    def same(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.rewrite(g.apply(constant, "t"))
        g.refl()

    two = g.by_fact("tends_ext", "a", "L[i,j]", "lam t:R. E(t)[i,j]", "lam t:R. C[i,j]", by=[same, lambda g: g.close_by(one)])
    three = g.fact("tends_const", "C[i,j]")
    g.close_by(
        g.by_fact(
            "tends_unique", "L[i,j]", "C[i,j]", "lam t:R. C[i,j]", by=[lambda g: g.close_by(two), lambda g: g.close_by(three)]
        )
    )


@part(CLAIM, "vanishing-multiple", "all m n:Z, C:M(m,n). tends(s, (1/s)*C, O(m,n))", says="a fixed matrix over s tends to 0")
def multiples_tend_to_zero(g: Goal) -> None:
    """Entry by entry."""
    g.fix()
    back = g.split(g.fact("tends_matrix", "m", "n", "O(m,n)", "lam s:R. (1/s)*C"))[1]

    def entry(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        inverse = g.fact("tends_inverse")
        k = g.apply(g.fact("tends_scale", "C[i,j]", "0", "lam s:R. 1/s"), by=[lambda g: g.close_by(inverse)])

        def same(g: Goal) -> None:
            g.fix("s")
            g.assume()
            g.field()

        k = g.by_fact(
            "tends_ext", "0", "C[i,j]*0", "lam s:R. C[i,j]*(1/s)", "lam s:R. ((1/s)*C)[i,j]", by=[same, lambda g: g.close_by(k)]
        )
        g.exact(k, by=[lambda g: g.field()])

    g.close_by(g.apply(back, by=[entry]))


def third_pair_keeps_its_direction(g: Goal, count: int) -> None:
    """Prove the part parallel."""
    g.fix()
    for name in ("count", "flows", "starts"):
        g.assume(name)
    g.fix("al", "w")
    g.assume()
    g.assume()
    rate = f"-(2/{count}*((A(al,t) @ B(al,t))[3,3] - 5))"

    def total(k: int, t: str) -> str:
        return f"(A(al,{t})[3,{k}] + B(al,{t})[{k},3])"

    def start(k: int) -> str:
        return f"(X[3,{k}] + Y[{k},3])"

    def speed(g: Goal, k: int) -> str:
        """Adds the rate of the entry k of the sum at time t."""
        laws = g.split(g.apply("flows", "al", "t"))
        known = []
        for law, i, j in ((laws[0], 3, k), (laws[1], k, 3)):
            _, left, right = g.hyp_formula(law)
            goal = ("=", ("entry", left, i, j), ("entry", right, i, j))
            known.append(g.have(goal, lambda g, law=law: (g.rewrite(law), g.refl())[-1]))  # type: ignore[misc]
        return g.have(
            f"d(1,A,al,t)[3,{k}] + d(1,B,al,t)[{k},3] = {rate}*{total(k, 't')}",
            lambda g: g.field(*[(h, 1) for h in known], rw=["count"]),
        )

    f = g.obtain(g.by_fact("antiderivative", f"lam t:R. {rate}", by=[None]), "K")

    def pair(j: int, k: int) -> Script:
        def cross(t: str) -> str:
            return f"{total(j, t)}*{start(k)} - {total(k, t)}*{start(j)}"

        def script(g: Goal) -> None:
            def law(g: Goal) -> None:
                g.fix("t")
                g.assume()
                a, b, c = speed(g, j), speed(g, k), g.apply(f[1], "t")
                g.field((a, start(k)), (b, f"-{start(j)}"), (c, f"-({cross('t')})"))

            h = g.apply(g.by_fact("linear_ode", 0, f"lam t:R. {cross('t')}", "lam t:R. K(t)", by=[None, law]), "w")
            a0, b0 = g.split(g.apply("starts", "al"))
            first = {
                i: g.have(f"{total(i, '0')} = sqrt(al)*{start(i)}", lambda g: (g.rewrite(a0), g.rewrite(b0), g.field())[-1])
                for i in {j, k}
            }
            e = "exp(K(w) - K(0))"
            g.field((h, 1), (first[j], f"{start(k)}*{e}"), (first[k], f"-{start(j)}*{e}"))

        return script

    table = {
        (j, k): g.have(f"{total(j, 'w')}*{start(k)} = {total(k, 'w')}*{start(j)}", pair(j, k))
        for j in (1, 2, 3)
        for k in (1, 2, 3)
    }
    g.fix("j", "k")
    g.split(g.assume())

    def row(g: Goal, u: int) -> None:
        hj = last(g)

        def column(g: Goal, v: int) -> None:
            hk = last(g)
            g.rewrite(hj)
            g.rewrite(hk)
            g.close_by(table[u, v])

        by_values(g, "k", 1, 3, column)

    by_values(g, "j", 1, 3, row)


def gram(a: str, b: str) -> str:
    return f"(T({a}) @ {a} + ((-1)*I(3)) @ ({b} @ T({b})))"


def gram_limit(g: Goal, t: str, a: str, b: str, ai: str, bi: str, one: str, two: str) -> str:
    """Adds the limit of gram(a, b)."""

    def times(x: str, y: str, xi: str, yi: str, hx: str, hy: str) -> str:
        k = g.fact("tends_matrix_mul", 3, 3, 3, xi, yi, f"lam {t}:R. {x}", f"lam {t}:R. {y}")
        return g.apply(k, by=[lambda g: g.close_by(hx), lambda g: g.close_by(hy)])

    ta = g.apply(g.fact("tends_matrix_transpose", 3, 3, ai, f"lam {t}:R. {a}"), by=[lambda g: g.close_by(one)])
    tb = g.apply(g.fact("tends_matrix_transpose", 3, 3, bi, f"lam {t}:R. {b}"), by=[lambda g: g.close_by(two)])
    x = times(f"T({a})", a, f"T({ai})", ai, ta, one)
    y = times(b, f"T({b})", bi, f"T({bi})", two, tb)
    z = times("(-1)*I(3)", f"{b} @ T({b})", "(-1)*I(3)", f"{bi} @ T({bi})", g.fact("tends_matrix_const", 3, 3, "(-1)*I(3)"), y)
    k = g.fact(
        "tends_matrix_add",
        3,
        3,
        f"T({ai}) @ {ai}",
        f"((-1)*I(3)) @ ({bi} @ T({bi}))",
        f"lam {t}:R. T({a}) @ {a}",
        f"lam {t}:R. ((-1)*I(3)) @ ({b} @ T({b}))",
    )
    return g.apply(k, by=[lambda g: g.close_by(x), lambda g: g.close_by(z)])


def limit_factors_are_balanced(g: Goal) -> None:
    """Prove the part balance-of-the-limit."""
    setting(g)
    start = "(T(X) @ X - Y @ T(Y))"

    def at_rest(g: Goal) -> None:
        g.fix("al")
        g.assume()
        one, two = g.split(g.apply("limits", "al"))

        def constant(g: Goal) -> None:
            form = gram("A(al,t)", "B(al,t)")

            def at_rest(g: Goal) -> None:
                g.fix("t")
                g.assume()
                a, b = g.split(g.apply("flows", "al", "t"))
                g.nc(rw=[a, b])

            k = g.by_fact("constant_matrix", 3, 3, 0, f"lam t:R. {form}", by=[None, at_rest])
            a0, b0 = g.split(g.apply("starts", "al"))
            first = g.have(f"{gram('A(al,0)', 'B(al,0)')} = al*{start}", lambda g: (g.rewrite(a0), g.rewrite(b0), g.nc())[-1])
            g.fix("t")
            h = g.assume()
            g.nc((g.apply(k, "t", by=[lambda g: g.close_by(h)]), 1, None, None), (first, 1, None, None))

        lim = gram_limit(g, "t", "A(al,t)", "B(al,t)", "Ai(al)", "Bi(al)", one, two)
        here = g.have(f"all t:R. 0 <= t => {gram('A(al,t)', 'B(al,t)')} = al*{start}", constant)
        g.close_by(
            g.lemma(
                CLAIM,
                "part:constant-limit",
                "3",
                "3",
                "0",
                f"lam t:R. {gram('A(al,t)', 'B(al,t)')}",
                gram("Ai(al)", "Bi(al)"),
                f"al*{start}",
                by=[lambda g: g.close_by(here), lambda g: g.close_by(lim)],
            )
        )

    rest = g.have(f"all al:R. 0 < al => {gram('Ai(al)', 'Bi(al)')} = al*{start}", at_rest)
    lim = gram_limit(g, "s", "Ai(1/s)", "Bi(1/s)", "Ah", "Bh", "a_end", "b_end")
    small = g.lemma(CLAIM, "part:vanishing-multiple", "3", "3", f"(-1)*{start}")
    total = g.apply(
        g.fact(
            "tends_matrix_add",
            "3",
            "3",
            gram("Ah", "Bh"),
            "O(3,3)",
            f"lam s:R. {gram('Ai(1/s)', 'Bi(1/s)')}",
            f"lam s:R. (1/s)*((-1)*{start})",
        ),
        by=[lambda g: g.close_by(lim), lambda g: g.close_by(small)],
    )
    _, v, body, end = g.hyp_formula(total)

    def nothing(g: Goal) -> None:
        g.fix("s")
        g.assume()
        g.have("0 < 1/s")
        g.nc((g.apply(rest, "1/s"), 1, None, None))

    k = g.lemma(
        CLAIM,
        "part:constant-limit",
        "3",
        "3",
        "1",
        ("lam", ((v, "R"),), body),
        end,
        "O(3,3)",
        by=[nothing, lambda g: g.close_by(total)],
    )
    g.nc((k, 1, None, None))


def direction_of_the_third_pair(g: Goal, claim: str) -> None:
    """Prove the part direction-of-the-limit."""
    setting(g)
    g.fix("j", "k")
    inside = g.assume()
    g.split(inside)
    moving = g.lemma(
        claim, "part:parallel", "n", "X", "Y", "A", "B", by=[lambda g, h=h: g.close_by(h) for h in ("count", "flows", "starts")]
    )  # type: ignore[misc]

    def limit(g: Goal, t: str, low: str, a: str, b: str, ai: str, bi: str, one: str, two: str, same: Script) -> None:
        """Close the proportion for ai and bi, the limits of a and b, for which `same` proves it."""

        def entry(x: str, xi: str, known: str, i: str, j: str) -> str:
            forward = g.split(g.fact("tends_matrix", 3, 3, xi, f"lam {t}:R. {x}"))[0]
            return g.apply(g.apply(forward, by=[lambda g: g.close_by(known)]), i, j)

        def multiple(j: str, k: str) -> str:
            p, q = entry(a, ai, one, "3", j), entry(b, bi, two, j, "3")
            total = g.apply(
                g.fact("tends_add", f"{ai}[3,{j}]", f"{bi}[{j},3]", f"lam {t}:R. {a}[3,{j}]", f"lam {t}:R. {b}[{j},3]"),
                by=[lambda g: g.close_by(p), lambda g: g.close_by(q)],
            )
            scale = g.fact(
                "tends_scale", f"X[3,{k}] + Y[{k},3]", f"{ai}[3,{j}] + {bi}[{j},3]", f"lam {t}:R. {a}[3,{j}] + {b}[{j},3]"
            )
            return g.apply(scale, by=[lambda g: g.close_by(total)])

        x, y = multiple("j", "k"), multiple("k", "j")
        _, v, body, end = g.hyp_formula(x)
        _, w, other, other_end = g.hyp_formula(y)
        moved = g.by_fact(
            "tends_ext", low, end, ("lam", ((v, "R"),), body), ("lam", ((w, "R"),), other), by=[same, lambda g: g.close_by(x)]
        )
        k = g.by_fact(
            "tends_unique", end, other_end, ("lam", ((w, "R"),), other), by=[lambda g: g.close_by(moved), lambda g: g.close_by(y)]
        )
        g.field((k, 1))

    def at_rest(g: Goal) -> None:
        g.fix("al")
        g.assume()
        one, two = g.split(g.apply("limits", "al"))

        def same(g: Goal) -> None:
            g.fix("t")
            g.assume()
            k = g.apply(g.apply(moving, "al", "t", n=2), "j", "k", by=[lambda g: g.close_by(inside)])
            g.field((k, 1))

        limit(g, "t", "0", "A(al,t)", "B(al,t)", "Ai(al)", "Bi(al)", one, two, same)

    rest = g.have(f"all al:R. 0 < al => (Ai(al)[3,j] + Bi(al)[j,3])*{START_K} = (Ai(al)[3,k] + Bi(al)[k,3])*{START_J}", at_rest)

    def then(g: Goal) -> None:
        g.fix("s")
        g.assume()
        g.have("0 < 1/s")
        g.field((g.apply(rest, "1/s"), 1))

    limit(g, "s", "1", "Ai(1/s)", "Bi(1/s)", "Ah", "Bh", "a_end", "b_end", then)


for _example in EXAMPLES:
    _uses = sorted({CLAIM} - {_example.claim})

    @part(
        _example.claim,
        "parallel",
        f"""all n:R, X Y:M(3,3), A B:(R,R)~>M(3,3). n = {_example.count} => {_example.flows} => {STARTS} => all al t:R. 0 < al => 0 <= t =>
           all j k:Z. 1 <= j and j <= 3 and 1 <= k and k <= 3 =>
           (A(al,t)[3,j] + B(al,t)[j,3])*(X[3,k] + Y[k,3]) = (A(al,t)[3,k] + B(al,t)[k,3])*(X[3,j] + Y[j,3])""",
        says="the sum of the third row of A and the third column of B keeps its direction",
    )
    def third_pair(g: Goal, count: int = _example.count) -> None:
        """Its rate is the third residual times itself."""
        third_pair_keeps_its_direction(g, count)

    @part(
        _example.claim,
        "balance-of-the-limit",
        f"{_example.setting} T(Ah) @ Ah = Bh @ T(Bh)",
        says="the limit factors are balanced",
        uses=_uses,
    )
    def balanced(g: Goal) -> None:
        """T(A) A - B T(B) is alpha times its value for X, Y along the flow, so 0 in the limit."""
        limit_factors_are_balanced(g)

    @part(
        _example.claim,
        "direction-of-the-limit",
        f"{_example.setting} {DIRECTION}",
        says="the third pair keeps its direction in the limit",
    )
    def direction(g: Goal, claim: str = _example.claim) -> None:
        """The proportion passes to the limit, entry by entry."""
        direction_of_the_third_pair(g, claim)
