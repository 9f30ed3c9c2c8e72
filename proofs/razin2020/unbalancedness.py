"""Definition 3 and the nuclear norm: the unbalancedness magnitude of square factors."""

from __future__ import annotations

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds


@holds(
    "razin2020.def-3",
    """all m L:Z, W:Z->M(m,m), c e:R. 2 <= L =>
       (all l:Z. 1 <= l and l <= L - 1 => nuc(GAP) <= e) => (ex l:Z. 1 <= l and l <= L - 1 and nuc(GAP) = e) =>
       0 <= e and (e = 0 <=> all l:Z. 1 <= l and l <= L - 1 => T(W(l+1)) @ W(l+1) = W(l) @ T(W(l))) and
       (all l:Z. 1 <= l and l <= L - 1 => nuc(T(c*W(l+1)) @ (c*W(l+1)) - (c*W(l)) @ T(c*W(l))) <= c^2*e) and
       (ex l:Z. 1 <= l and l <= L - 1 and nuc(T(c*W(l+1)) @ (c*W(l+1)) - (c*W(l)) @ T(c*W(l))) = c^2*e)""".replace(
        "GAP", "T(W(l+1)) @ W(l+1) - W(l) @ T(W(l))"
    ),
    uses=["razin2020.def-nuclear-norm"],
    reading="e is the maximum over l; it is nonnegative, is 0 exactly for balanced factors, and scales with the square of the factors; for L = 1 it is a maximum over nothing",
)
def unbalancedness_magnitude(g: Goal) -> None:
    """The nuclear norm is nonnegative, definite and homogeneous."""
    g.fix("m", "L", "W", "c", "e")
    _, most, attained = (g.assume() for _ in range(3))
    gap = "T(W({0}+1)) @ W({0}+1) - W({0}) @ T(W({0}))"
    scaled = "T(c*W({0}+1)) @ (c*W({0}+1)) - (c*W({0})) @ T(c*W({0}))"
    low, high, value = g.obtain(attained, "k")
    inside = g.have("1 <= k and k <= L - 1", lambda g: g.conj(using(low), using(high)))

    def norm(g: Goal, i: str) -> list[str]:
        return g.split(g.lemma("razin2020.def-nuclear-norm", "statement", "m", gap.format(i)))

    sign = norm(g, "k")[1]
    nonneg = g.have("0 <= e", lambda g: (only(g, sign, value), g.pos([f"@{sign}"], eqs=[(value, -1)]))[-1])

    def zero(g: Goal) -> None:
        e = g.assume()
        (i,) = g.fix()
        index = g.assume()
        k = g.apply(most, i, by=[using(index)])
        s, definite = norm(g, i)[1:3]
        none = g.have(
            f"nuc({gap.format(i)}) = 0",
            lambda g: (only(g, k, e, s), g.antisym(lambda g: g.pos([f"@{k}"], eqs=[(e, -1)]), using(s)))[-1],
        )
        o = g.apply(g.split(definite)[0], by=[using(none)])
        g.nc((o, 1, None, None))

    def balanced(g: Goal) -> None:
        k = g.apply(g.assume(), "k", by=[using(inside)])
        definite = norm(g, "k")[2]
        o = g.have(f"{gap.format('k')} = O(m,m)", lambda g: g.nc((k, 1, None, None)))
        none = g.apply(g.split(definite)[1], by=[using(o)])
        only(g, none, value)
        g.field((value, -1), (none, 1))

    def scale(g: Goal, i: str) -> str:
        k = g.fact("nuc_scale", "m", "m", "c^2", gap.format(i))
        size = g.have("abs(c^2) = c^2", lambda g: (only(g), g.field())[-1])
        same = g.have(f"{scaled.format(i)} = c^2*({gap.format(i)})", lambda g: (only(g), g.nc())[-1])
        return g.have(
            f"nuc({scaled.format(i)}) = c^2*nuc({gap.format(i)})",
            lambda g: (g.rewrite(same), g.field((k, 1), (size, f"nuc({gap.format(i)})")))[-1],
        )

    def all_scaled(g: Goal) -> None:
        (i,) = g.fix()
        index = g.assume()
        k = g.apply(most, i, by=[using(index)])
        s = scale(g, i)
        only(g, k, s)
        g.pos([f"@{k}", "c^2"], eqs=[(s, -1)])

    def one_scaled(g: Goal) -> None:
        s = scale(g, "k")
        g.witness("k")
        g.conj(using(low), using(high), lambda g: g.field((s, 1), (value, "c^2")))

    g.conj(using(nonneg), lambda g: g.iff(zero, balanced), all_scaled, one_scaled)


@holds(
    "razin2020.def-nuclear-norm",
    """all m:Z, X:M(m,m). nuc(X) = sum(i, 1, m, sv(X,i)) and 0 <= nuc(X) and (nuc(X) = 0 <=> X = O(m,m)) and
       (all Y:M(m,m). spec(Y) <= 1 => tr(T(Y) @ X) <= nuc(X)) and (ex Y:M(m,m). spec(Y) <= 1 and tr(T(Y) @ X) = nuc(X)) and
       (all Y:M(m,m), s:R. nuc(s*X) = abs(s)*nuc(X) and nuc(X + Y) <= nuc(X) + nuc(Y)) and
       (all s:R, Y:M(m,m). 0 <= s => s <= 1 => nuc(s*X + (1 - s)*Y) <= s*nuc(X) + (1 - s)*nuc(Y)) and
       (0 <= m => spec(X) <= 1 => nuc(X) <= rank(X))""",
    uses=["bai2024.lemma-a5-step-duality", "eftekhari2022.lemma-11"],
    reading="a square matrix (others are padded with zeros, which does not change the singular values): the sum of the singular values is a norm, the largest inner product with matrices of spectral norm at most 1; "
    "a convex relaxation of the rank, that is convex and at most the rank where the spectral norm is at most 1",
)
def nuclear_norm_is_the_sum_of_singular_values(g: Goal) -> None:
    """The squares of the singular values sum to the squared Frobenius norm; duality with the spectral norm."""
    g.fix("m", "X")
    total = g.fact("nuc_is_sum", "m", "X")
    range_ = g.fact("sv_range", "m", "m", "X")

    def sign(g: Goal) -> None:
        (i,) = g.fix()
        g.assume()
        g.close_by(g.split(g.apply(range_, i, i))[0])

    low = g.by_fact("sum_nonneg", 1, "m", "lam i:Z. sv(X,i)", by=[sign])

    def zero(g: Goal) -> None:
        none = g.assume()
        sum_ = g.have("sum(i, 1, m, sv(X,i)) = 0", lambda g: g.field((total, -1), (none, 1)))
        every = g.by_fact("sum_zero_terms", 1, "m", "lam i:Z. sv(X,i)", by=[sign, using(sum_)])

        def square_(g: Goal) -> None:
            (i,) = g.fix()
            inside = g.assume()
            k = g.apply(every, i, by=[using(inside)])
            g.field((k, f"sv(X,{i})"))

        squares = g.by_fact("sum_ext", 1, "m", "lam i:Z. sv(X,i)^2", "lam i:Z. 0", by=[square_])

        def sized(g: Goal) -> None:
            wide = next(reversed(g.seq.hyps))
            norm = g.by_fact("sv_frobenius", "m", "m", "X", by=[using(wide)])
            t = g.have("tr(T(X) @ X) = 0", lambda g: g.field((norm, 1), (squares, 1)))
            g.close_by(g.by_fact("frobenius_zero", "m", "m", "X", by=[using(t)]))

        def empty(g: Goal) -> None:
            narrow = next(reversed(g.seq.hyps))
            g.extn("i", "j")
            g.contra()
            only(g, narrow, "i_lo", "i_hi")
            g.pos([1], [f"@{narrow}"], ["@i_lo"], ["@i_hi"])

        g.em("0 <= m", sized, empty)

    def back(g: Goal) -> None:
        g.rewrite(g.assume())
        k = g.fact("nuc_scale", "m", "m", 0, "O(m,m)")
        same = g.have("nuc(0*O(m,m)) = nuc(O(m,m))", lambda g: g.ctx(lambda g: g.nc()))
        size = g.have("abs(0) = 0", lambda g: g.field())
        only(g, k, same, size)
        g.field((same, -1), (k, 1), (size, "nuc(O(m,m))"))

    def pairing(g: Goal) -> None:
        (y,) = g.fix()
        h = g.assume()
        g.close_by(g.by_fact("nuc_pairing", "m", "m", "X", y, by=[using(h)]))

    attained = g.split(g.lemma("bai2024.lemma-a5-step-duality", "statement", "m", "m", "X"))[1]

    def dual(g: Goal) -> None:
        small, value = g.obtain(attained, "Y")
        g.witness("Y")
        g.conj(using(small), lambda g: g.field((value, 1)))

    def triangle(g: Goal, x: str, y: str) -> str:
        """nuc(x + y) <= nuc(x) + nuc(y): the matrix at which the left side is attained."""
        best = g.split(g.lemma("bai2024.lemma-a5-step-duality", "statement", "m", "m", f"{x} + {y}"))[1]
        small, value = g.obtain(best, "Z")
        a = g.by_fact("nuc_pairing", "m", "m", x, "Z", by=[using(small)])
        b = g.by_fact("nuc_pairing", "m", "m", y, "Z", by=[using(small)])
        sum_ = g.have(f"tr(T({x} + {y}) @ Z) = tr(T(Z) @ ({x})) + tr(T(Z) @ ({y}))", lambda g: (only(g), g.field())[-1])
        only(g, a, b, value, sum_)
        return g.have(
            f"nuc({x} + {y}) <= nuc({x}) + nuc({y})", lambda g: g.pos([f"@{a}"], [f"@{b}"], eqs=[(value, 1), (sum_, -1)])
        )

    def norm(g: Goal) -> None:
        (y, s) = g.fix()
        scale = g.fact("nuc_scale", "m", "m", s, "X")
        g.conj(using(scale), lambda g: g.close_by(triangle(g, "X", y)))

    def convex(g: Goal) -> None:
        s, y = g.fix()
        low, high = g.assume(), g.assume()
        t = g.have(
            f"nuc({s}*X + (1 - {s})*{y}) <= nuc({s}*X) + nuc((1 - {s})*{y})",
            lambda g: g.close_by(triangle(g, f"{s}*X", f"(1 - {s})*{y}")),
        )
        a, b = g.fact("nuc_scale", "m", "m", s, "X"), g.fact("nuc_scale", "m", "m", f"1 - {s}", y)
        only(g, low, high, t, a, b)
        gap = g.have(f"0 <= 1 - {s}", lambda g: g.pos([f"@{high}"]))
        size = g.have(f"abs({s}) = {s}", lambda g: (only(g, low), g.field())[-1])
        other = g.have(f"abs(1 - {s}) = 1 - {s}", lambda g: (only(g, gap), g.field())[-1])
        only(g, t, a, b, size, other)
        g.pos([f"@{t}"], eqs=[(a, -1), (b, -1), (size, "-nuc(X)"), (other, f"-nuc({y})")])

    def relaxation(g: Goal) -> None:
        wide, small = g.assume(), g.assume()
        none = g.split(
            g.lemma("eftekhari2022.lemma-11", "part:rank-by-singular-values", "m", "m", "X", by=[using(wide), using(wide)])
        )[0]
        nonneg, top, _ = g.split(g.by_fact("rank_bounds", "m", "m", "X", by=[using(wide), using(wide)]))
        first = g.fact("spec_is_sv", "m", "m", "X")
        start = g.have("1 <= rank(X) + 1", lambda g: (only(g, nonneg), g.pos([f"@{nonneg}"]))[-1])
        cut = g.by_fact("sum_split", 1, "rank(X)", "m", "lam i:Z. sv(X,i)", by=[using(start), using(top)])

        def beyond(g: Goal) -> None:
            (i,) = g.fix()
            lo, _ = g.split(g.assume())
            one = g.have(f"1 <= {i}", lambda g: (only(g, lo, nonneg), g.pos([f"@{lo}"], [f"@{nonneg}"]))[-1])
            more = g.have(f"rank(X) < {i}", lambda g: (only(g, lo), g.pos([f"@{lo}"], [1]))[-1])
            g.close_by(g.apply(none, i, by=[using(one), using(more)]))

        def below(g: Goal) -> None:
            (i,) = g.fix()
            lo, _ = g.split(g.assume())
            k = g.apply(g.split(g.apply(range_, 1, i))[1], by=[lambda g: g.conj(None, using(lo))])
            only(g, k, first, small)
            g.pos([f"@{k}"], [f"@{small}"], eqs=[(first, 1)])

        rest = g.by_fact("sum_ext", "rank(X) + 1", "m", "lam i:Z. sv(X,i)", "lam i:Z. 0", by=[beyond])
        most = g.by_fact("sum_mono", 1, "rank(X)", "lam i:Z. sv(X,i)", "lam i:Z. 1", by=[below])
        ones = g.by_fact("sum_const", 1, "rank(X)", 1, by=[using(start)])
        empty = g.have("sum(i, rank(X) + 1, m, 0) = 0", lambda g: (only(g), g.field())[-1])
        only(g, total, cut, rest, empty, most, ones)
        g.pos([f"@{most}"], eqs=[(total, -1), (cut, -1), (rest, -1), (empty, -1), (ones, -1)])

    g.conj(
        using(total),
        lambda g: g.pos([f"@{low}"], eqs=[(total, 1)]),
        lambda g: g.iff(zero, back),
        pairing,
        dual,
        norm,
        convex,
        relaxation,
    )
