"""Theorem 4: with complete bipartite components the limit of small factors has the least nuclear norm of all completions."""

from __future__ import annotations

from proofs.bai2024.bound_by_blocks import projections, rest
from proofs.bai2024.components import CLAIM
from proofs.bai2024.graphs import COMPLETE, CONNECTED, PATTERN, READING, RECTANGLES
from proofs.bai2024.invariant_manifolds import COUNT
from proofs.bai2024.literal_patterns import binary, rectangles
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

RESIDUAL = "had(P, A(al,t) @ B(al,t) - M)"
FLOWS = (
    f"(all al t:R. 0 < al => 0 <= t => d(1,A,al,t) = -(2/n*({RESIDUAL} @ T(B(al,t)))) and"
    f" d(1,B,al,t) = -(2/n*(T(A(al,t)) @ {RESIDUAL})))"
)
STARTS = "(all al:R. 0 < al => A(al,0) = sqrt(al)*X and B(al,0) = sqrt(al)*Y)"
SUM = "sum(p, 1, d, nuc(R(p) @ {} @ S(p)))"


def defect(a: str, b: str) -> str:
    """The defect of a start with the factors a and b."""
    balance = f"T({a}) @ R(p) @ {a} - {b} @ S(p) @ T({b})"
    return f"(1/2*(sum(p, 1, d, nuc({balance})) + {rest('f', f'({a})[i,k]')} + {rest('g', f'T({b})[i,k]')}))"


LIMITS = """(all al:R. 0 < al => tends(t, A(al,t) @ B(al,t), L(al))) => tends(s, L(1/s), W) =>
       (all i j:Z. P[i,j] = 1 => W[i,j] = M[i,j]) =>
       all V:M(d,d). (all i j:Z. P[i,j] = 1 => V[i,j] = M[i,j]) => nuc(W) <= nuc(V)"""
"""Hypotheses (c) and (d), with L(alpha) for W_infinity(alpha W_0), and the conclusion for every completion V."""
VARIABLES = "d:Z, n:R, P M X Y W:M(d,d), A B:(R,R)~>M(d,d), L:R->M(d,d)"
SCALED = (
    "W_0 = X Y, and alpha W_0 stands for the start with both factors scaled, A(0) = alpha^(1/2) X and B(0) = alpha^(1/2) Y; L(alpha)"
    " is W_infinity(alpha W_0) and W the limit for alpha -> 0"
)
PRODUCT_ONLY = ("only the product of the factors at the start is alpha W_0", "refuted", "product-scaled")


def least_norm(g: Goal, corners: str, given: list[str], *names: str) -> None:
    """Close the conclusion for every completion by the part `least-norm`: `corners` says that rectangles are complete, `given` are the
    hypotheses on P, n, the flows, the starts, the limits and the fit."""
    binary, npos, *rest_ = given
    by: list[Script | None] = [None, *[lambda g, h=h: g.close_by(h) for h in (binary, npos, corners, *rest_)]]  # type: ignore[misc]
    g.close_by(g.lemma(CLAIM, "part:least-norm", *names, by=by))


@holds(
    CLAIM,
    f"""all {VARIABLES}. 1 <= d => {PATTERN} => 0 < n => {COUNT} =>
       not {CONNECTED} => {COMPLETE} => rank(X @ Y) = d => {FLOWS} => {STARTS} => {LIMITS}""",
    argument="repaired",
    uses=["bai2024.def-3"],
    reading=f"{SCALED}; {READING}",
    readings=[PRODUCT_ONLY],
)
def limit_has_the_least_nuclear_norm(g: Goal) -> None:
    """Complete bipartite components in the form of rectangles; see the part least-norm."""
    g.fix()
    names = ["size", "binary", "npos", "count", "disconnected", "complete", "full", "flows", "starts", "final", "small", "fits"]
    for name in names:
        g.assume(name)
    criterion = g.split(g.lemma("bai2024.def-3"))[0]
    corners = g.split(g.apply(criterion, "d", "P", by=[lambda g: g.close_by("binary")]))[0]
    corners = g.apply(corners, by=[lambda g: g.close_by("complete")])
    given = ["binary", "npos", "flows", "starts", "final", "small", "fits"]
    least_norm(g, corners, given, "d", "n", "P", "M", "X", "Y", "W", "A", "B", "L")


@holds(
    "bai2024.assertion-complete-bipartite-min-nuclear",
    f"""all {VARIABLES}. 1 <= d => {PATTERN} => 0 < n => {COUNT} => not {CONNECTED} => {COMPLETE} => rank(X @ Y) = d => {FLOWS} =>
       {STARTS} => {LIMITS}""",
    uses=[CLAIM],
    reading=f"found from small initialisation as in Theorem 4: {SCALED}; the limits exist and fit the data",
    context="the hypotheses on the start and the limits: the limits exist, and the last one is a completion [Theorem 4]",
)
def small_factors_find_the_least_norm(g: Goal) -> None:
    """Theorem 4."""
    g.close_by(g.lemma(CLAIM))


@holds(
    "bai2024.prop-a9",
    f"""all {VARIABLES}. 1 <= d => {PATTERN} => 0 < n => {COUNT} => (all i j:Z. P[i,j] = 1 => i = j) => rank(X @ Y) = d =>
       {FLOWS} => {STARTS} => {LIMITS}""",
    argument="repaired",
    uses=[CLAIM],
    reading=SCALED,
)
def limit_for_diagonal_observations(g: Goal) -> None:
    """Every component is one entry; see the part least-norm of Theorem 4. Learning one entry after the other is not needed."""
    g.fix()
    names = ["size", "binary", "npos", "count", "diagonal", "full", "flows", "starts", "final", "small", "fits"]
    for name in names:
        g.assume(name)

    def rectangle(g: Goal) -> None:
        g.fix("i", "j", "k", "l")
        _, two, _ = g.split(g.assume())
        a, c = g.apply("diagonal", "i", "j"), g.apply("diagonal", "k", "j")
        same = g.have("k = i", lambda g: g.field((c, 1), (a, -1)))
        g.rewrite(same)
        g.close_by(two)

    corners = g.have(RECTANGLES, rectangle)
    given = ["binary", "npos", "flows", "starts", "final", "small", "fits"]
    least_norm(g, corners, given, "d", "n", "P", "M", "X", "Y", "W", "A", "B", "L")


SYMMETRIC, VALUES = "[[1,0,1],[0,1,0],[1,0,1]]", "[[1,0,3],[0,5,0],[3,0,9]]"


def of_example(text: str) -> str:
    """A text about P, M and d for the matrix of Figure 4(a)."""
    text = text.replace("M[", f"{VALUES}[").replace("- M)", f"- {VALUES})").replace("M(d,d)", "M(3,3)")
    return text.replace("P[", f"{SYMMETRIC}[").replace("had(P,", f"had({SYMMETRIC},")


@holds(
    "bai2024.assertion-symmetric-min-nuclear",
    f"""all n:R, X Y W:M(3,3), A B:(R,R)~>M(3,3), L:R->M(3,3). n = 5 => rank(X @ Y) = 3 => {of_example(FLOWS)} => {STARTS} =>
       T(W) = W => {of_example(LIMITS)}""",
    argument="sound",
    uses=[CLAIM],
    reading=f"learned as in Theorem 4: {SCALED}; the limits exist and fit the data. (Symmetry is not needed; a symmetric completion that is"
    " not learned in this way need not have the least norm)",
    context="the hypotheses on the start and the limits [Theorem 4]",
)
def symmetric_solutions_of_the_figure(g: Goal) -> None:
    """The pattern has complete rectangles; see the part least-norm."""
    g.fix()
    for name in ("n5", "full", "flows", "starts", "symmetric", "final", "small", "fits"):
        g.assume(name)
    bits, corners = binary(g, SYMMETRIC, 3), rectangles(g, SYMMETRIC, 3)
    positive = g.have("0 < n")
    given = [bits, positive, "flows", "starts", "final", "small", "fits"]
    least_norm(g, corners, given, "3", "n", SYMMETRIC, VALUES, "X", "Y", "W", "A", "B", "L")


@part(
    CLAIM,
    "least-norm",
    f"all {VARIABLES}. 1 <= d => {PATTERN} => 0 < n => {RECTANGLES} => {FLOWS} => {STARTS} => {LIMITS}",
    says="the conclusion of Theorem 4 for every pattern of complete rectangles, connected or not",
)
def limit_of_small_factors_has_the_least_norm(g: Goal) -> None:
    """Along the flow nuc(A B) is at most the sum of the nuclear norms of the observed blocks plus alpha times a constant of the start,
    by the conserved balance of each component. In the limit the constant drops out, the blocks are those of any completion V, and by
    pinching the sum of their norms is at most nuc(V). The paper's argument by learning one component after the other is not needed."""
    g.fix()
    for name in ("size", "binary", "npos", "corners", "flows", "starts", "final", "small", "fits"):
        g.assume(name)
    g.fix("V")
    g.assume("other")
    found = g.lemma(CLAIM, "part:components", "d", "P", by=[lambda g: g.close_by("binary"), lambda g: g.close_by("corners")])
    (found,) = g.obtain(found, "f", "g", split=False)
    f_bits, g_bits, f_apart, g_apart, _, blocks, _ = g.split(found)
    g.obtain(g.fact("matrix_family", "d", "d", "lam k:Z, i:Z, j:Z. I(d)[i,j]*f(k,i)"), "R", split=False, name="r_is")
    g.obtain(g.fact("matrix_family", "d", "d", "lam k:Z, i:Z, j:Z. I(d)[i,j]*g(k,i)"), "S", split=False, name="s_is")
    pr = projections(g, "f", "R", ("r_is", f_bits, f_apart))
    ps = projections(g, "g", "S", ("s_is", g_bits, g_apart))
    (level,) = g.obtain(
        g.have(f"ex c:R. {defect('X', 'Y')} = c", lambda g: (g.witness(defect("X", "Y")), g.refl())[-1]), "c", split=False
    )

    def along(g: Goal) -> None:
        g.fix("al", "t")
        g.assume("positive")
        g.assume("time")
        a0, b0 = g.split(g.apply("starts", "al"))

        def flow(g: Goal) -> None:
            def law(which: int) -> Script:
                def script(g: Goal) -> None:
                    g.fix("u")
                    g.assume()
                    k = g.split(g.apply("flows", "al", "u"))[which]
                    g.nc((k, 1, None, None))

                return script

            g.conj(law(0), law(1))

        premises: list[Script | None] = [
            None,
            None,
            *[lambda g, h=h: g.close_by(h) for h in ("binary", found, "r_is", "s_is")],  # type: ignore[misc]
            flow,
        ]
        lam_a, lam_b = "lam t:R. A(al,t)", "lam t:R. B(al,t)"
        k = g.lemma(CLAIM, "part:bound-along-the-flow", "d", "n", "P", "M", "f", "g", "R", "S", lam_a, lam_b, by=premises)
        k = g.apply(k, "t")
        e = g.have(f"{defect('A(al,0)', 'B(al,0)')} = al*c", lambda g: scaled(g, a0, b0, level))
        g.pos([f"@{k}"], eqs=[(e, -1)])

    bound = g.have(f"all al t:R. 0 < al => 0 <= t => nuc(A(al,t) @ B(al,t)) <= {SUM.format('(A(al,t) @ B(al,t))')} + al*c", along)

    def sums(g: Goal, x: str, t: str, limit: str, known: str) -> str:
        """Adds the limit of the sum of the nuclear norms of the blocks of x(t), which tends to `limit`."""

        def block(g: Goal) -> None:
            g.fix("p")
            g.assume()
            one = g.apply(
                g.fact("tends_matrix_mul", "d", "d", "d", "R(p)", limit, f"lam {t}:R. R(p)", f"lam {t}:R. {x}"),
                by=[lambda g: g.close_by(g.fact("tends_matrix_const", "d", "d", "R(p)")), lambda g: g.close_by(known)],
            )
            two = g.apply(
                g.fact(
                    "tends_matrix_mul", "d", "d", "d", f"R(p) @ {limit}", "S(p)", f"lam {t}:R. R(p) @ {x}", f"lam {t}:R. S(p)"
                ),
                by=[lambda g: g.close_by(one), lambda g: g.close_by(g.fact("tends_matrix_const", "d", "d", "S(p)"))],
            )
            _, v, body, end = g.hyp_formula(two)
            three = g.apply(g.fact("tends_nuc", "d", "d", end, ("lam", ((v, "R"),), body)), by=[lambda g: g.close_by(two)])
            k = g.by_fact(
                "tends_ext",
                0,
                ("op", "nuc", end),
                ("lam", ((v, "R"),), ("op", "nuc", body)),
                f"lam {t}:R. nuc(R(p) @ {x} @ S(p))",
                by=[lambda g: regrouped(g, t), lambda g: g.close_by(three)],
            )
            g.exact(k, by=[Goal.nc])

        return g.lemma(
            CLAIM,
            "part:sum-of-limits",
            f"lam p:Z, {t}:R. nuc(R(p) @ {x} @ S(p))",
            f"lam p:Z. nuc(R(p) @ {limit} @ S(p))",
            "d",
            by=[block],
        )

    def regrouped(g: Goal, t: str) -> None:
        g.fix(t)
        g.assume()
        g.ctx(lambda g: g.nc())

    def at_rest(g: Goal) -> None:
        g.fix("al")
        g.assume("positive")
        here = g.apply("final", "al")
        low = g.apply(g.fact("tends_nuc", "d", "d", "L(al)", "lam t:R. A(al,t) @ B(al,t)"), by=[lambda g: g.close_by(here)])
        high = sums(g, "(A(al,t) @ B(al,t))", "t", "L(al)", here)
        total = g.apply(
            g.fact("tends_add", SUM.format("L(al)"), "al*c", f"lam t:R. {SUM.format('(A(al,t) @ B(al,t))')}", "lam t:R. al*c"),
            by=[lambda g: g.close_by(high), lambda g: g.close_by(g.fact("tends_const", "al*c"))],
        )

        def below(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.close_by(g.apply(bound, "al", "t"))

        g.close_by(
            g.by_fact(
                "tends_le",
                0,
                "nuc(L(al))",
                f"{SUM.format('L(al)')} + al*c",
                "lam t:R. nuc(A(al,t) @ B(al,t))",
                f"lam t:R. {SUM.format('(A(al,t) @ B(al,t))')} + al*c",
                by=[below, lambda g: g.close_by(low), lambda g: g.close_by(total)],
            )
        )

    limit = g.have(f"all al:R. 0 < al => nuc(L(al)) <= {SUM.format('L(al)')} + al*c", at_rest)
    low = g.apply(g.fact("tends_nuc", "d", "d", "W", "lam s:R. L(1/s)"), by=[lambda g: g.close_by("small")])
    high = sums(g, "L(1/s)", "s", "W", "small")
    zero = g.apply(g.fact("tends_scale", "c", "0", "lam s:R. 1/s"), by=[lambda g: g.close_by(g.fact("tends_inverse"))])
    total = g.apply(
        g.fact("tends_add", SUM.format("W"), "c*0", f"lam s:R. {SUM.format('L(1/s)')}", "lam s:R. c*(1/s)"),
        by=[lambda g: g.close_by(high), lambda g: g.close_by(zero)],
    )

    def below(g: Goal) -> None:
        g.fix("s")
        g.assume()
        g.have("0 < 1/s")
        k = g.apply(limit, "1/s")
        g.pos([f"@{k}"])

    least = g.by_fact(
        "tends_le",
        1,
        "nuc(W)",
        f"{SUM.format('W')} + c*0",
        "lam s:R. nuc(L(1/s))",
        f"lam s:R. {SUM.format('L(1/s)')} + c*(1/s)",
        by=[below, lambda g: g.close_by(low), lambda g: g.close_by(total)],
    )

    symmetric = g.have("all p:Z. T(S(p)) = S(p)", lambda g: (g.fix("p"), g.close_by(g.split(g.apply(ps[0], "p"))[0]))[-1])

    def same_blocks(g: Goal) -> None:
        g.fix("p")
        g.assume()
        entries = g.lemma(
            CLAIM,
            "part:blocks",
            "d",
            "f",
            "g",
            "R",
            "S",
            by=[lambda g, h=h: g.close_by(h) for h in ("r_is", "s_is", symmetric)],  # type: ignore[misc]
        )

        def equal(g: Goal) -> None:
            g.extn("i", "j")
            one, two = g.apply(entries, "W", "p", "i", "j"), g.apply(entries, "V", "p", "i", "j")

            def no_row(g: Goal) -> None:
                g.field((one, 1), (two, -1), (last(g), "g(p,j)*(W[i,j] - V[i,j])"))

            def row(g: Goal) -> None:
                a = last(g)

                def no_column(g: Goal) -> None:
                    g.field((one, 1), (two, -1), (last(g), "f(p,i)*(W[i,j] - V[i,j])"))

                def column(g: Goal) -> None:
                    b = last(g)
                    seen = g.apply(blocks, "p", "i", "j", by=[lambda g: g.close_by(a), lambda g: g.close_by(b)])
                    x = g.apply("fits", "i", "j", by=[lambda g: g.close_by(seen)])
                    y = g.apply("other", "i", "j", by=[lambda g: g.close_by(seen)])
                    g.field((one, 1), (two, -1), (x, "f(p,i)*g(p,j)"), (y, "-f(p,i)*g(p,j)"))

                g.cases(g.apply(g_bits, "p", "j"), no_column, column)

            g.cases(g.apply(f_bits, "p", "i"), no_row, row)

        g.rewrite(g.have("R(p) @ W @ S(p) = R(p) @ V @ S(p)", equal))
        g.refl()

    same = g.by_fact("sum_ext", 1, "d", "lam p:Z. nuc(R(p) @ W @ S(p))", "lam p:Z. nuc(R(p) @ V @ S(p))", by=[same_blocks])

    def projecting(g: Goal) -> None:
        g.fix("p")
        a, b = g.split(g.apply(pr[0], "p"))
        c, d = g.split(g.apply(ps[0], "p"))
        g.conj(*[lambda g, h=h: g.close_by(h) for h in (a, b, c, d)])  # type: ignore[misc]

    def orthogonal(g: Goal) -> None:
        g.fix("p", "l")
        ne = g.assume()
        a = g.apply(pr[1], "p", "l", by=[lambda g: g.close_by(ne)])
        b = g.apply(ps[1], "p", "l", by=[lambda g: g.close_by(ne)])
        g.conj(lambda g: g.close_by(a), lambda g: g.close_by(b))

    pinched = g.by_fact("nuc_pinching", "d", "d", "d", "V", "R", "S", by=[projecting, orthogonal])
    g.pos([f"@{least}"], [f"@{pinched}"], eqs=[(same, -1)])


def scaled(g: Goal, a0: str, b0: str, level: str) -> None:
    """The defect of the factors sqrt(al) X and sqrt(al) Y is al times that of X and Y."""
    g.rewrite(a0)
    g.rewrite(b0)
    root = g.by_fact("sqrt_sq", "al")
    size = g.fact("abs_cases", "al")

    def plain(g: Goal) -> None:
        g.close_by(g.split(last(g))[1])

    def negative(g: Goal) -> None:
        low, _ = g.split(last(g))
        g.contra()
        g.pos([f"@{low}"], ["al"])

    absolute = g.have("abs(al) = al", lambda g: g.cases(size, plain, negative))
    big = "T(sqrt(al)*X) @ R(p) @ (sqrt(al)*X) - (sqrt(al)*Y) @ S(p) @ T(sqrt(al)*Y)"
    unit = "T(X) @ R(p) @ X - Y @ S(p) @ T(Y)"

    def balance(g: Goal) -> None:
        g.fix("p")
        g.assume()
        g.rewrite(g.have(f"{big} = al*({unit})", Goal.nc))
        k = g.fact("nuc_scale", "d", "d", "al", unit)
        g.field((k, 1), (absolute, f"nuc({unit})"))

    def squares(f: str, text: str, scaled_text: str) -> str:
        def row(g: Goal) -> None:
            g.fix("i")
            g.assume()

            def entry(g: Goal) -> None:
                g.fix("k")
                g.assume()
                g.field((root, f"({text})^2"))

            s = g.by_fact("sum_ext", 1, "d", f"lam k:Z. ({scaled_text})^2", f"lam k:Z. al*({text})^2", by=[entry])
            s = g.have(f"sum(k, 1, d, ({scaled_text})^2) = al*sum(k, 1, d, ({text})^2)", lambda g: g.field((s, 1)))
            g.rewrite(s)
            g.field()

        body = f"(1 - sum(p, 1, d, {f}(p,i)))*"
        s = g.by_fact(
            "sum_ext",
            1,
            "d",
            f"lam i:Z. {body}sum(k, 1, d, ({scaled_text})^2)",
            f"lam i:Z. al*({body}sum(k, 1, d, ({text})^2))",
            by=[row],
        )
        return s

    one = g.by_fact("sum_ext", 1, "d", f"lam p:Z. nuc({big})", f"lam p:Z. al*nuc({unit})", by=[balance])
    two = squares("f", "X[i,k]", "(sqrt(al)*X)[i,k]")
    three = squares("g", "T(Y)[i,k]", "T(sqrt(al)*Y)[i,k]")
    for h in (one, two, three):
        g.rewrite(h)
    g.field((level, "al"))
