"""Appendix D.2: a zero initialisation never moves; it is decoupled if there are two observations at least."""

from __future__ import annotations

from proofs.shin2025.decoupled_factors import last, vanishing_sum
from proofs.shin2025.diagonal_flow import PRODUCTS, flow
from proofs.shin2025.gradients import BINARY, decoupled, deep_inner, masked
from proofs.shin2025.partitions import TWO, one_and_the_rest
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.kernel.terms import free
from verify.registry import amendment, refuted

RESIDUAL = "had(Om, P(L,t) - Ws)"
SETTING = (
    f"all d L:Z, Om Ws:M(d,d), W P Q:(Z,R)~>M(d,d). 1 <= d => 2 <= L => {BINARY} => {{}} => {PRODUCTS} => {flow(RESIDUAL)} =>"
    " (all l:Z. 1 <= l and l <= L => W(l,0) = O(d,d)) =>"
)
CONCLUSION = f"(all l:Z, t:R. 1 <= l and l <= L => 0 <= t => W(l,t) = O(d,d)) and {decoupled(masked, deep_inner)}"
CLAIM = "shin2025.assertion-d2-zero-init"


@refuted(
    CLAIM,
    f"{SETTING.format('(ex i j:Z. Om[i,j] = 1)')} {CONCLUSION}",
    argument="fails",
    context="square factors [Appendix D.2]",
    reason="a single observation has no partition into two non-empty parts, so by Definition 2 its dynamics are coupled,"
    " here for d = 1, L = 2",
)
def a_single_observation_is_never_decoupled(g: Goal) -> None:
    """d = 1, L = 2, the only entry observed with value 1, zero factors."""
    g.witness("1", "2", "[[1]]", "[[1]]", "lam l:Z, t:R. [[0]]", "lam l:Z, t:R. [[(l-1)*(l-2)/2]]", "lam l:Z, t:R. [[l*(l-1)/2]]")
    outside = g.fact("entry_outside", 1, 1, "[[1]]")

    def place(g: Goal) -> None:
        g.fix("i", "j")
        g.assume("edge")

        def apart(g: Goal) -> None:
            g.contra()
            zero = g.apply(outside, "i", "j")
            g.pos([], eqs=[("edge", "1"), (zero, "-1")])

        def within(g: Goal) -> None:
            g.split("apart")
            g.conj(lambda g: g.antisym(), lambda g: g.antisym())

        g.em("i < 1 or 1 < i or j < 1 or 1 < j", apart, within, name="apart")

    g.have("all i j:Z. [[1]][i,j] = 1 => i = 1 and j = 1", place, name="corner")

    def binary(g: Goal) -> None:
        g.fix("i", "j")

        def apart(g: Goal) -> None:
            g.left_or_right(0)
            g.close_by(g.apply(outside, "i", "j"))

        def within(g: Goal) -> None:
            g.split("apart")
            a = g.have("i = 1", lambda g: g.antisym())
            b = g.have("j = 1", lambda g: g.antisym())
            g.left_or_right(1)
            g.rewrite(a)
            g.rewrite(b)
            g.field()

        g.em("i < 1 or 1 < i or j < 1 or 1 < j", apart, within, name="apart")

    def deny(g: Goal) -> None:
        """For K and part one of the four conditions fails: the third, for the first or the second part."""
        g.fix("K", "part")

        def small(g: Goal) -> None:
            g.left_or_right(0)
            g.close_by(last(g))

        def enough(g: Goal) -> None:
            def lacking(k: int) -> Script:
                def script(g: Goal) -> None:
                    no = last(g)
                    g.left_or_right(2)
                    g.witness(str(k))
                    g.conj(None, lambda g: g.close_by(no))

                return script

            def first(g: Goal) -> None:
                one = last(g)
                g.em("ex i j:Z. [[1]][i,j] = 1 and part(i,j) = 2", lambda g: both(g, one), lacking(2))

            g.em("ex i j:Z. [[1]][i,j] = 1 and part(i,j) = 1", first, lacking(1))

        g.em("K < 2", small, enough)

    def both(g: Goal, one: str) -> None:
        two = last(g)
        g.contra()
        _a, b = g.obtain(one, "i", "j")
        _e, f = g.obtain(two, "x", "y")
        i1, j1 = g.split(g.apply("corner", "i", "j"))
        x1, y1 = g.split(g.apply("corner", "x", "y"))
        same = g.have("part(i,j) = part(x,y)", lambda g: (g.rewrite(i1), g.rewrite(j1), g.rewrite(x1), g.rewrite(y1), g.refl()))
        g.pos([], eqs=[(same, "1"), (b, "-1"), (f, "1")])

    def layers(g: Goal) -> None:
        """A statement about one layer: l in {0, 1} or {1, 2}."""
        g.fix()
        here = next(iter(g.seq.ctx))
        while g.concl[0] == "=>":
            h = g.assume()
            if g.hyp_formula(h)[0] == "and":
                g.split(h)
        zero_based = any(f == ("<=", 0, here) for f in g.seq.hyps.values())
        low = 0 if zero_based else 1
        if zero_based:
            g.apply(g.fact("int_lt", here, "2"))
            g.have(f"{here} <= 1")

        def value(v: int) -> Script:
            def script(g: Goal) -> None:
                if v > low:
                    g.apply(g.fact("int_lt", low, here))
                eq = g.have(f"{here} = {v}", lambda g: g.antisym())
                if here in free(g.concl):
                    g.rewrite(eq)
                g.ext(lambda g: g.field())

            return script

        g.em(f"{here} <= {low}", value(low), value(low + 1))

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "or":
            g.left_or_right(1)
            deny(g)
        elif c[0] == "ex":
            g.witness("1", "1")
            g.field()
        elif c[0] == "all" and len(c[1]) == 2 and c[1][1][1] == "Z":
            binary(g)
        elif c[0] == "all" and c[1][0][1] == "Z":
            layers(g)
        elif c[0] == "all":
            g.fix()
            g.ext(lambda g: g.field())
        else:
            g.auto()

    close(g)


@amendment(
    CLAIM,
    f"{SETTING.format(TWO)} {CONCLUSION}",
    says="With at least two observations a zero initialisation never moves and its dynamics are decoupled.",
)
def zero_factors_stay_zero(g: Goal) -> None:
    """W_1^T and W_2 obey a linear system and stay 0; so do the products right of each further layer, hence its velocity;
    every term of an
    inner product of gradients contains W_1 or W_2."""
    g.fix()
    for name in ("size", "depth", "binary", "two", "products", "flow", "start"):
        g.assume(name)
    p0, ps, _, qs = g.split_all("products")

    def first(g: Goal) -> None:
        k = g.fact(
            "linear_pair_zero",
            "d",
            "d",
            "d",
            "lam t:R. T(W(1,t))",
            "lam t:R. W(2,t)",
            f"lam t:R. -(T({RESIDUAL}) @ Q(2,t))",
            f"lam t:R. -(T(Q(2,t)) @ {RESIDUAL})",
        )

        def law_one(g: Goal) -> None:
            g.fix("t")
            g.assume()
            law = g.apply("flow", "1", "t")
            q = g.apply(qs, "1", "t")
            p = g.apply(p0, "t")
            turned = g.have(f"T(W'(1,t)) = T(-(T(Q(1,t)) @ {RESIDUAL} @ T(P(1-1,t))))", lambda g: (g.rewrite(law), g.refl()))
            g.nc((turned, 1, None, None), rw=[q, p])

        def law_two(g: Goal) -> None:
            g.fix("t")
            g.assume()
            law = g.apply("flow", "2", "t")
            p = g.apply(ps, "0", "t")
            zero = g.apply(p0, "t")
            g.nc((law, 1, None, None), rw=[p, zero])

        one = g.apply("start", "1")
        two = g.apply("start", "2")
        h = g.apply(k, by=[None, law_one, law_two, lambda g: (g.rewrite(one), g.nc()), lambda g: g.close_by(two)])
        g.fix("t")
        g.assume()
        a, b = g.split(g.apply(h, "t"))
        turned = g.have("T(T(W(1,t))) = T(O(d,d))", lambda g: (g.rewrite(a), g.refl()))
        g.conj(lambda g: g.nc((turned, 1, None, None)), lambda g: g.close_by(b))

    g.have("all t:R. 0 <= t => W(1,t) = O(d,d) and W(2,t) = O(d,d)", first, name="both")

    def products(g: Goal) -> None:
        g.fix("t")
        g.assume("time")
        g.induct("k", "ih")
        g.assume("top")
        law = g.apply(ps, "k - 1", "t")

        def one(g: Goal) -> None:
            eq = g.have("k = 1", lambda g: g.antisym())
            w, _ = g.split(g.apply("both", "t"))
            g.rewrite(eq)
            step = g.apply(ps, "0", "t")
            g.nc((step, 1, None, None), rw=[w])

        def more(g: Goal) -> None:
            g.apply(g.fact("int_lt", "1", "k"))
            before = g.apply("ih", "k - 1")
            g.nc((law, 1, None, None), rw=[before])

        g.em("k <= 1", one, more)

    g.have("all t:R. 0 <= t => (all k:Z. 1 <= k => k <= L => P(k,t) = O(d,d))", products, name="below")

    def still(g: Goal) -> None:
        g.fix("l", "t")
        g.split(g.assume("layer"))
        g.assume("time")

        def bottom(g: Goal) -> None:
            eq = g.have("l = 1", lambda g: g.antisym())
            w, _ = g.split(g.apply("both", "t"))
            g.rewrite(eq)
            g.close_by(w)

        def upper(g: Goal) -> None:
            g.apply(g.fact("int_lt", "1", "l"))
            k = g.fact("constant_matrix", "d", "d", "0", "lam t:R. W(l,t)")

            def rest(g: Goal) -> None:
                g.fix("u")
                g.assume()
                law = g.apply("flow", "l", "u")
                zero = g.apply(g.apply("below", "u", n=1), "l - 1")
                g.nc((law, 1, None, None), rw=[zero])

            h = g.apply(g.apply(k, by=[None, rest]), "t")
            begin = g.apply("start", "l")
            g.nc((h, 1, None, None), (begin, 1, None, None))

        g.em("l <= 1", bottom, upper)

    def orthogonal(g: Goal) -> None:
        def layer(g: Goal) -> None:
            here = list(g.seq.ctx)[-1]

            def bottom(g: Goal) -> None:
                eq = g.have(f"{here} = 1", lambda g: g.antisym())
                _, w = g.split(g.apply("both", "t"))
                q = g.apply(qs, "1", "t")
                zero = g.have("Q(1,t) = O(d,d)", lambda g: g.nc((q, 1, None, None), rw=[w]))
                g.rewrite(eq)
                g.rewrite(zero)
                g.field()

            def upper(g: Goal) -> None:
                g.apply(g.fact("int_lt", "1", here))
                zero = g.apply(g.apply("below", "t", n=1), f"{here} - 1")
                entry = lambda g: (g.rewrite(zero), g.field())  # noqa: E731
                vanishing_sum(g, lambda g: vanishing_sum(g, entry))

            g.em(f"{here} <= 1", bottom, upper)

        vanishing_sum(g, layer)

    g.conj(still, lambda g: one_and_the_rest(g, "two", orthogonal))
