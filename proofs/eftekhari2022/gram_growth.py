"""Appendix G, repaired: the growth of det(I + k W^T W) in k tells the rank of W."""

from __future__ import annotations

from proofs.eftekhari2022.gram_determinant import SHIFTED
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import part

FACTORS = "prod(i, 1, {0}, 1 + k*sv(W,i)^2)"


@part(
    "eftekhari2022.lemma-11",
    "determinant-by-singular-values",
    f"all x y:Z, W:M(y,x), k:R. det({SHIFTED}) = {FACTORS.format('x')}",
    says="det(I + k W^T W) is the product of 1 + k s_i^2",
    uses=["eftekhari2022.lemma-11"],
)
def determinant_by_singular_values(g: Goal) -> None:
    """The matrix is diagonal in the right singular basis."""
    g.fix()
    left, _, gram, off, values = g.obtain(g.lemma("eftekhari2022.lemma-11", "part:gram-diagonal", "x", "y", "W"), "V", "D_")
    inner = "(I(x) + k*D_)"
    same = g.have(
        f"T(V) @ ({SHIFTED} @ V) = {inner}",
        lambda g: g.nc(
            (gram, "k", "T(V)", "V"), (left, "1", None, None), (left, "k", "T(V) @ V @ D_", None), (left, "k", None, "D_")
        ),
    )
    outer = g.fact("det_product", "x", "T(V)", f"{SHIFTED} @ V")
    second = g.fact("det_product", "x", SHIFTED, "V")
    both = g.fact("det_product", "x", "T(V)", "V")
    outer = g.rewritten(outer, same)
    both = g.rewritten(both, left)
    one = g.fact("det_identity", "x")

    def zero(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        z = g.apply(off, "i", "j")
        g.field((z, "k"))

    diagonal = g.by_fact("det_diagonal", "x", inner, by=[zero])

    def entry(g: Goal) -> None:
        g.fix("i")
        g.split_all(g.assume())
        value = g.apply(values, "i")
        g.field((value, "k"))

    ext = g.by_fact("prod_ext", 1, "x", f"lam i:Z. {inner}[i,i]", "lam i:Z. 1 + k*sv(W,i)^2", by=[entry])
    g.field((outer, -1), (second, "-det(T(V))"), (both, f"det({SHIFTED})"), (one, f"-det({SHIFTED})"), (diagonal, 1), (ext, 1))


@part(
    "eftekhari2022.lemma-11",
    "rank-by-singular-values",
    """all x y:Z, W:M(y,x). 0 <= x => 0 <= y => (all i:Z. 1 <= i => rank(W) < i => sv(W,i) = 0) and
       (all i:Z. 1 <= i => i <= rank(W) => 0 < sv(W,i))""",
    says="the rank is the number of positive singular values",
)
def rank_counts_positive_singular_values(g: Goal) -> None:
    """Eckart-Young: beyond the rank W itself is an approximation without error; a vanishing singular value gives an
    approximation of lower rank without error."""
    g.intro()
    order = g.fact("sv_range", "y", "x", "W")

    def zero(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.assume()
        near = g.by_fact("eckart_young_spectral", "y", "x", "i", "W", "W")
        flat = g.by_fact("spec_least", "y", "x", 0, "W - W", by=[None, still])
        nonneg, _ = g.split(g.apply(order, "i", "i"))
        g.antisym(lambda g: g.pos([f"@{near}"], [f"@{flat}"]), using(nonneg))

    def still(g: Goal) -> None:
        g.fix("v")
        value = g.have("(W - W) @ v = O(y,1)", lambda g: g.nc())
        g.rewrite(value)
        none = g.have("tr(T(O(y,1)) @ O(y,1)) = 0", lambda g: g.field())
        g.rewrite(none)
        g.pos()

    def positive_value(g: Goal) -> None:
        g.fix("i")
        g.assume()
        inside = g.assume()
        nonneg, _ = g.split(g.apply(order, "i", "i"))
        g.cases(g.by_fact("lt_or_eq", 0, "sv(W,i)", by=[using(nonneg)]), None, lambda g: vanishing(g, inside))

    def vanishing(g: Goal, inside: str) -> None:
        eq = next(reversed(g.seq.hyps))
        best, _ = g.split(g.by_fact("eckart_young", "y", "x", "i - 1", "W"))
        lower, error = g.obtain(best, "A")

        def none(g: Goal) -> None:
            g.fix("j")
            g.split_all(g.assume())
            _, decreasing = g.split(g.apply(order, "i", "j"))
            below = g.apply(decreasing)
            own, _ = g.split(g.apply(order, "j", "j"))
            z = g.have("sv(W,j) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{below}"], eqs=[(eq, 1)]), using(own)))
            g.field((z, "sv(W,j)"))

        h = g.by_fact("sum_ext", "i", "x", "lam j:Z. sv(W,j)^2", "lam j:Z. 0", by=[none])
        empty = g.have("sum(j, i, x, 0) = 0", lambda g: g.field())
        exact = g.have("tr(T(W - A) @ (W - A)) = 0", lambda g: g.field((error, 1), (h, 1), (empty, 1)))
        gap = g.by_fact("frobenius_zero", "y", "x", "W - A", by=[using(exact)])
        same = g.have("W = A", lambda g: g.nc((gap, 1, None, None)))
        g.contra()
        g.have("rank(W) <= i - 1", lambda g: (g.rewrite(same), g.close_by(lower)), name="less")
        g.pos(["1"], [f"@{inside}"], ["@less"])

    g.conj(zero, positive_value)


@part(
    "eftekhari2022.lemma-11",
    "determinant-growth",
    f"""all x y:Z, W:M(y,x). 0 <= x => 0 <= y => ex a b:R. 0 < a and 0 < b and all k:R. 1 <= k =>
       a*k^rank(W) <= det({SHIFTED}) and det({SHIFTED}) <= b*k^rank(W)""",
    says="det(I + k W^T W) grows like k^rank(W)",
    uses=["eftekhari2022.lemma-11"],
)
def determinant_grows_with_the_rank(g: Goal) -> None:
    """k s_i^2 <= 1 + k s_i^2 <= k (1 + s_i^2) for each of the rank(W) positive singular values; the other factors are 1."""
    g.intro()
    counted = g.lemma("eftekhari2022.lemma-11", "part:rank-by-singular-values", "x", "y", "W")
    zero, some = g.split(counted)
    g.split(g.by_fact("rank_bounds", "y", "x", "W"))

    def low_part(g: Goal) -> None:
        ih = g.induct("n")
        g.assume()

        def base(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.witness("1", "1")

            def each(g: Goal) -> None:
                g.fix("k")
                g.assume()
                g.rewrite(eq, back=True)
                empty = g.by_fact("prod_empty", 1, 0, "lam i:Z. 1 + k*sv(W,i)^2")
                g.rewrite(empty)
                one = g.have("k^0 = 1", lambda g: g.field())
                g.rewrite(one)
                g.auto()

            g.conj(None, None, each)

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 0, "n", by=[using(strict)])
            before = g.apply(ih, "n - 1")
            a_pos, b_pos, inside = g.obtain(before, "a", "b")
            value = g.apply(some, "n")
            s = "sv(W,n)^2"
            g.have(f"0 < {s}", lambda g: g.pos([f"@{value}", f"@{value}"]))
            g.witness(f"a*{s}", f"b*(1 + {s})")

            def each(g: Goal) -> None:
                g.fix("k")
                large = g.assume()
                low, high = g.split(g.apply(inside, "k"))
                g.have("0 < k")
                last = g.by_fact("prod_last", 1, "n", "lam i:Z. 1 + k*sv(W,i)^2")
                power = g.by_fact("ipow_step", "k", "n - 1")
                power = g.have("k^n = k*k^(n-1)", lambda g: g.field((power, 1)))
                p, r = FACTORS.format("n - 1"), "k^(n-1)"
                g.have(f"0 <= {r}", lambda g: g.by_fact("ipow_nonneg", "k", "n - 1") and g.auto())
                first = g.have(f"0 <= {p}", lambda g: g.pos([f"@{low}"], ["a", r]))
                g.rewrite(last)
                g.rewrite(power)
                g.conj(
                    lambda g: g.pos(["k", s, f"@{low}"], [f"@{first}"]),
                    lambda g: g.pos(["k", f"1 + {s}", f"@{high}"], [f"@{first}", f"@{large}"]),
                )

            g.conj(lambda g: g.pos([f"@{a_pos}", s]), lambda g: g.pos([f"@{b_pos}", f"1 + {s}"]), each)

        g.cases(g.by_fact("lt_or_eq", 0, "n", by=[using(f"{ih}_lo")]), step, base)

    low = g.have(
        f"""all n:Z. 0 <= n => n <= rank(W) => ex a b:R. 0 < a and 0 < b and all k:R. 1 <= k =>
            a*k^n <= {FACTORS.format("n")} and {FACTORS.format("n")} <= b*k^n""",
        low_part,
    )

    def high_part(g: Goal) -> None:
        ih = g.induct("n")
        g.assume()

        def base(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.fix("k")
            g.rewrite(eq, back=True)
            g.refl()

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", "rank(W)", "n", by=[using(strict)])
            before = g.apply(ih, "n - 1")
            g.fix("k")
            here = g.apply(before, "k")
            g.have("1 <= n")
            last = g.by_fact("prod_last", 1, "n", "lam i:Z. 1 + k*sv(W,i)^2")
            z = g.apply(zero, "n", by=[None, using(strict)])
            g.field((last, 1), (here, 1), (z, f"k*sv(W,n)*{FACTORS.format('n - 1')}"))

        g.cases(g.by_fact("lt_or_eq", "rank(W)", "n", by=[using(f"{ih}_lo")]), step, base)

    high = g.have(f"all n:Z. rank(W) <= n => n <= x => all k:R. {FACTORS.format('n')} = {FACTORS.format('rank(W)')}", high_part)
    whole = g.apply(high, "x")
    ends = g.apply(low, "rank(W)")
    a_pos, b_pos, inside = g.obtain(ends, "a", "b")
    g.witness("a", "b")

    def each(g: Goal) -> None:
        g.fix("k")
        g.assume()
        value = g.lemma("eftekhari2022.lemma-11", "part:determinant-by-singular-values", "x", "y", "W", "k")
        same = g.apply(whole, "k")
        g.rewrite(value)
        g.rewrite(same)
        g.close_by(g.apply(inside, "k"))

    g.conj(using(a_pos), using(b_pos), each)


@part(
    "eftekhari2022.lemma-11",
    "growth-compares",
    "all a b:R, m n:Z. 0 < a => (all k:R. 1 <= k => a*k^m <= b*k^n) => m <= n",
    says="powers compare as their exponents do",
)
def faster_growth_has_the_larger_exponent(g: Goal) -> None:
    """Otherwise a k <= b for all k >= 1."""
    g.fix()
    g.assume()
    below = g.assume()
    strict = g.contra()
    g.by_fact("int_lt", "n", "m", by=[using(strict)])
    g.have("0 <= abs(b)")
    k = "(1 + abs(b)/a)"
    g.have(f"1 <= {k}", lambda g: g.pos(["abs(b)"], mul=["a"]))
    g.have(f"0 < {k}")
    h = g.apply(below, k)
    more = g.by_fact("pow_exp_mono", k, "n + 1", "m")
    power = g.have(f"{k}^(n+1) = {k}*{k}^n", lambda g: g.field())
    more = g.rewritten(more, power)
    g.have(f"0 < {k}^n")
    size = g.fact("abs_le", "b", "abs(b)")
    size, _ = g.split(size)
    _, size = g.split(g.apply(size, by=[lambda g: g.auto()]))
    final = g.have(f"a*{k} <= b", lambda g: g.pos([f"@{h}"], ["a", f"@{more}"], mul=[f"{k}^n"]))
    g.pos([f"@{final}"], [f"@{size}"], ["a"])
