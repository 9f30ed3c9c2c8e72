"""Sections 1 to 3: the training problem, stationary points and saddles, the zero tuple, and what some hypotheses mean."""

from __future__ import annotations

from proofs.eftekhari2022.product_map import LAYERS, VARIABLES
from proofs.eftekhari2022.product_map import READING as PADDED
from proofs.eftekhari2022.second_order_layers import half
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import amendment, holds, refuted


def last(g: Goal) -> str:
    """The name of the newest hypothesis."""
    return next(reversed(g.seq.hyps))


@holds(
    "eftekhari2022.def-training-problem",
    f"""all x y n N m:Z, d:Z->Z, {VARIABLES}, X:M(x,m), Y:M(y,m), v:V(x), h:Z->V(n). 2 <= N => {LAYERS} =>
       h(1) = A @ v => (all l:Z. 2 <= l and l <= N - 1 => h(l) = F(l) @ h(l-1)) =>
       B @ h(N-1) = (B @ Q(N-1)) @ v and
       {half("Y - B @ Q(N-1) @ X")} = 1/2*sum(i, 1, y, sum(k, 1, m, (Y - B @ Q(N-1) @ X)[i,k]^2))""",
    argument="sound",
    reading=f"the network applied layer by layer to an input v is the product of the layers, and the loss is half the sum of squares; {PADDED}",
)
def network_is_the_product(g: Goal) -> None:
    """Induction over the layers; the squared norm by entries."""
    g.fix()
    g.assume()
    *_, first, law = g.split(g.assume())
    start, step = g.assume(), g.assume()

    def every(g: Goal) -> None:
        ih = g.induct("l")
        g.assume()

        def one(g: Goal) -> None:
            eq = last(g)
            g.rewrite(eq)
            g.rewrite(start)
            g.rewrite(first)
            g.refl()

        def more(g: Goal) -> None:
            ne = last(g)
            low = next(h for h, f in g.seq.hyps.items() if f == ("<=", 1, "l"))

            def equal(g: Goal) -> None:
                g.clash(turned(g), ne)

            def larger(g: Goal) -> None:
                two = g.by_fact("int_lt", "1", "l", by=[using(last(g))])
                g.have("2 <= l", lambda g: g.pos([f"@{two}"]))
                k = g.apply(ih, "l-1", by=[lambda g: g.conj(lambda g: g.pos([f"@{two}"]), None), None])
                a, b = g.apply(step, "l"), g.apply(law, "l")
                g.rewrite(a)
                g.rewrite(b)
                g.nc((k, 1, "F(l)", None))

            g.cases(g.by_fact("lt_or_eq", "1", "l", by=[using(low)]), larger, equal)

        g.em("l = 1", one, more)

    def turned(g: Goal) -> str:
        e = last(g)
        return g.have("l = 1", lambda g: g.field((e, -1)))

    all_ = g.have("all l:Z. 1 <= l => l <= N - 1 => h(l) = Q(l) @ v", every)
    top = g.apply(all_, "N-1")
    square = g.fact("frobenius_entries", "y", "m", "Y - B @ Q(N-1) @ X")
    g.conj(lambda g: g.nc((top, 1, "B", None)), lambda g: g.field((square, "1/2")))


LAYER = "all x y m k l:Z, X:M(x,m), Y:M(y,m), P:M(y,k), W:M(k,l), Q:M(l,x)."
MOVED = half("Y - P @ (W + u*E) @ Q @ X")
GRADIENT = "(T(P) @ (P @ W @ Q @ X - Y) @ T(X) @ T(Q))"
CUT = "W is the layer W_j, P = W_N...W_{j+1} and Q = W_{j-1}...W_1 (identities at the ends, N >= 1)"


@holds(
    "eftekhari2022.def-gradient-flow",
    f"{LAYER} all E:M(k,l). D(u, {MOVED}, 0) = tr(T({GRADIENT}) @ E)",
    argument="sound",
    reading=f"the explicit form of the flow: the printed matrix is the gradient of L_N in the layer W_j; {CUT}",
)
def gradient_in_a_layer(g: Goal) -> None:
    """The derivative along E."""
    g.fix()
    g.fix("E")
    g.field()


@holds(
    "eftekhari2022.def-1",
    f"{LAYER} (all E:M(k,l). D(u, {MOVED}, 0) = 0) <=> {GRADIENT} = O(k,l)",
    argument="sound",
    reading=f"well-formed: the gradient is zero exactly if, for each layer, all directional derivatives vanish, which are matrix equations; {CUT}",
)
def stationary_layers_by_equations(g: Goal) -> None:
    """The gradient is its own test direction."""
    g.fix()
    d = g.have(f"all E:M(k,l). D(u, {MOVED}, 0) = tr(T({GRADIENT}) @ E)", lambda g: (g.fix("E"), g.field())[-1])

    def forward(g: Goal) -> None:
        flat = g.assume()
        a, b = g.apply(flat, GRADIENT), g.apply(d, GRADIENT)
        zero = g.have(f"tr(T({GRADIENT}) @ {GRADIENT}) = 0", lambda g: g.field((a, 1), (b, -1)))
        g.close_by(g.by_fact("frobenius_zero", "k", "l", GRADIENT, by=[using(zero)]))

    def backward(g: Goal) -> None:
        zero = g.assume()
        g.fix("E")
        b = g.apply(d, "E")
        flat = g.have(f"T({GRADIENT}) = T(O(k,l))", lambda g: (g.rewrite(zero), g.refl())[-1])
        t = g.have(f"tr(T({GRADIENT}) @ E) = 0", lambda g: (g.rewrite(flat), g.field())[-1])
        g.field((b, 1), (t, 1))

    g.iff(forward, backward)


BOTH = half("Y - (K + u*E) @ (Q + u*F) @ X")


@holds(
    "eftekhari2022.def-2",
    f"""all x y m r:Z, X:M(x,m), Y:M(y,m), K E:M(y,r), Q F:M(r,x).
       D(s, D(u, {BOTH}, s), 0) = tr(T((E @ Q + K @ F) @ X) @ ((E @ Q + K @ F) @ X)) - 2*tr(T(Y - K @ Q @ X) @ (E @ F @ X))""",
    argument="sound",
    reading="well-formed: the second derivative along a line through the layers is a quadratic form in the direction; written out for two layers"
    " K = W_2, Q = W_1, and for more layers with the products above and below a cut in their place",
)
def second_derivative_of_two_layers(g: Goal) -> None:
    """Differentiate twice."""
    g.fix()
    g.field()


ZERO = half("Y - (O(y,r) + u*E) @ (O(r,x) + u*F) @ X")


@holds(
    "eftekhari2022.def-3",
    f"""all x y m r:Z, X:M(x,m), Y:M(y,m), E:M(y,r), F:M(r,x). 0 < tr(T(Y) @ (E @ F @ X)) =>
       (all C:M(y,r), G:M(r,x). D(u, {ZERO.replace("E", "C").replace("F", "G")}, 0) = 0) and D(s, D(u, {ZERO}, s), 0) < 0""",
    argument="sound",
    reading="strict saddles exist: for two layers the zero pair is stationary, and if some product E F X correlates with Y, the second derivative"
    " along (E, F) is negative",
)
def zero_pair_is_a_strict_saddle(g: Goal) -> None:
    """The second derivative at zero is -2 <Y, E F X>."""
    g.fix()
    positive = g.assume()

    def flat(g: Goal) -> None:
        g.fix("C", "G")
        g.field()

    value = f"D(s, D(u, {ZERO}, s), 0) = -2*tr(T(Y) @ (E @ F @ X))"

    def negative(g: Goal) -> None:
        k = g.have(value, lambda g: g.field())
        g.rewrite(k)
        g.pos(["2", f"@{positive}"])

    g.conj(flat, negative)


@holds(
    "eftekhari2022.assertion-strict-saddle-escape",
    """(all f:R~>R. f'(0) = 0 => f''(0) < 0 => ex h:R. 0 < h and all u:R. 0 < u and u <= h => f(u) < f(0)) and
       (all E F G u:R. D(s, D(u, (1 - (0 + u*E)*(0 + u*F)*(0 + u*G))^2/2, s), 0) = 0 and D(u, (1 - (0 + u*E)*(0 + u*F)*(0 + u*G))^2/2, 0) = 0)""",
    argument="sound",
    reading="f is the loss along a line in a direction in which the second derivative is negative, which a strict saddle has by definition; the"
    " zero tuple of a network of depth 3 and widths 1 with X = Y = 1 is stationary and all its second derivatives vanish",
)
def strict_saddles_have_descent(g: Goal) -> None:
    """-f' has a positive derivative at 0, so f' is negative just to the right, and f decreases."""

    def descent(g: Goal) -> None:
        g.fix("f")
        flat, bend = g.assume(), g.assume()
        h = g.fact("derivative_sign_right", "0", "lam t:R. -f'(t)")
        found = g.apply(h, by=[None, lambda g: g.pos([f"@{bend}"])])
        low, right = g.obtain(found, "h")
        g.witness("h")

        def decreases(g: Goal) -> None:
            g.fix("u")
            positive = g.split(g.assume())[0]

            def slope(g: Goal) -> None:
                g.fix("t")
                g.split(g.assume())
                k = g.apply(right, "t")
                g.pos([f"@{k}"], eqs=[(flat, -1)])

            k = g.by_fact("mean_value_lt", "0", "u", "lam t:R. -f(t)", by=[None, slope, using(positive)])
            g.pos([f"@{k}"])

        g.conj(using(low), decreases)

    def flat(g: Goal) -> None:
        g.fix()
        g.conj(lambda g: g.field(), lambda g: g.field())

    g.conj(descent, flat)


@refuted(
    "eftekhari2022.assumption-full-column-rank",
    "all x m:Z, X:M(x,m). 1 <= x => 1 <= m => (rank(X) = m <=> det(X @ T(X)) != 0)",
    argument="fails",
    reason="X is d_x x m, and X X^T is invertible exactly if X has full row rank d_x: for X = (1, 0)^T the rank is m = 1 and X X^T is singular",
)
def full_column_rank_is_not_enough(g: Goal) -> None:
    """X = (1, 0)^T."""
    g.witness("2", "1", "[[1],[0]]")

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "or":
            g.left_or_right(0)
            close(g)
        elif c[0] == "=" and "rank" in str(c):
            g.compute()
        elif c[0] == "=":
            g.field()
        else:
            g.auto()

    close(g)


@amendment(
    "eftekhari2022.assumption-full-column-rank",
    "all x m:Z, X:M(x,m). 0 <= x => 0 <= m => (rank(X) = x <=> det(X @ T(X)) != 0)",
    says="X X^T is invertible exactly if X has full row rank d_x.",
    uses=["eftekhari2022.lemma-4-fosp"],
)
def full_row_rank(g: Goal) -> None:
    """A left kernel vector of X is one of X X^T; and rank(X X^T) <= rank(X)."""
    g.fix()
    x_lo, m_lo = g.assume(), g.assume()

    def forward(g: Goal) -> None:
        rank = g.assume()
        g.contra("singular")
        nonzero, kernel = g.obtain(g.by_fact("det_kernel", "x", "X @ T(X)", by=[using("singular")]), "v")

        def some(g: Goal) -> None:
            positive = g.by_fact("int_lt", "0", "x", by=[using(last(g))])
            right = g.lemma(
                "eftekhari2022.lemma-4-fosp",
                "part:right-inverse",
                "m",
                "x",
                "X",
                by=[using(m_lo), lambda g: g.pos([f"@{positive}"]), using(rank)],
            )
            h = g.obtain(right, "R")[0]
            t = g.have(
                "T(R) @ T(X) = I(x)",
                lambda g: g.nc((g.have("T(X @ R) = T(I(x))", lambda g: (g.rewrite(h), g.refl())[-1]), 1, None, None)),
            )
            flat = g.have("T(T(X) @ v) @ (T(X) @ v) = O(1,1)", lambda g: g.nc((kernel, 1, "T(v)", None)))
            zero = g.have("tr(T(T(X) @ v) @ (T(X) @ v)) = 0", lambda g: (g.rewrite(flat), g.field())[-1])
            w = g.by_fact("frobenius_zero", "m", 1, "T(X) @ v", by=[using(zero)])
            v = g.have("v = O(x,1)", lambda g: g.nc((t, -1, None, "v"), (w, 1, "T(R)", None)))
            g.clash(v, nonzero)

        def none(g: Goal) -> None:
            eq = last(g)

            def empty(g: Goal) -> None:
                g.extn("i", "j")
                g.contra()
                low = next(h for h, f in g.seq.hyps.items() if f == ("<=", 1, "i"))
                high = next(h for h, f in g.seq.hyps.items() if f == ("<=", "i", "x"))
                g.pos([f"@{low}"], [f"@{high}"], [], eqs=[(eq, 1)])

            g.clash(g.have("v = O(x,1)", empty), nonzero)

        g.cases(g.by_fact("lt_or_eq", "0", "x", by=[using(x_lo)]), some, none)

    def backward(g: Goal) -> None:
        regular = g.assume()
        full = g.split(g.by_fact("rank_full", "x", "X @ T(X)"))[1]
        whole = g.apply(full, by=[using(regular)])
        low = g.split(g.fact("rank_product", "x", "m", "x", "X", "T(X)"))[0]
        most = g.split(g.by_fact("rank_bounds", "x", "m", "X"))[1]
        g.antisym(using(most), lambda g: g.pos([f"@{low}"], eqs=[(whole, 1)]))

    g.iff(forward, backward)


@holds(
    "eftekhari2022.eq-9",
    """all d:Z->Z, N:Z. 0 <= N => ex r:Z. ((all j:Z. 0 <= j and j <= N => r <= d(j)) and (ex j:Z. 0 <= j and j <= N and d(j) = r)) and
       (all s:Z. (all j:Z. 0 <= j and j <= N => s <= d(j)) and (ex j:Z. 0 <= j and j <= N and d(j) = s) => s = r)""",
    argument="sound",
    reading="well-formed: the smallest of the widths d_0, ..., d_N exists and is unique",
)
def smallest_width(g: Goal) -> None:
    """Induction on N for the existence; two smallest widths are below each other."""
    g.fix()
    depth = g.assume()

    def exists(g: Goal) -> None:
        ih = g.induct("n")

        def zero(g: Goal) -> None:
            eq = last(g)
            g.witness("d(0)")

            def least(g: Goal) -> None:
                g.fix("j")
                low, high = g.split(g.assume())
                j = g.have("j = 0", lambda g: g.antisym(lambda g: g.pos([f"@{high}"], eqs=[(eq, -1)]), using(low)))
                g.rewrite(j)
                g.refl()

            g.conj(least, lambda g: (g.witness("0"), g.conj(None, None, lambda g: g.refl()))[-1])

        def more(g: Goal) -> None:
            ne = last(g)
            low = next(h for h, f in g.seq.hyps.items() if f == ("<=", 0, "n"))

            def equal(g: Goal) -> None:
                e = last(g)
                g.clash(g.have("n = 0", lambda g: g.field((e, -1))), ne)

            def larger(g: Goal) -> None:
                one = g.by_fact("int_lt", "0", "n", by=[using(last(g))])
                k = g.apply(ih, "n-1", by=[lambda g: g.conj(lambda g: g.pos([f"@{one}"]), None)])
                least, some = g.obtain(k, "r", split=True)
                j_lo, j_hi, value = g.obtain(some, "j0")

                def new(g: Goal) -> None:
                    less = last(g)
                    g.witness("d(n)")

                    def bound(g: Goal) -> None:
                        g.fix("j")
                        _, high = g.split(g.assume())

                        def before(g: Goal) -> None:
                            step = g.by_fact("int_lt", "j", "n", by=[using(last(g))])
                            b = g.apply(least, "j", by=[lambda g: g.conj(None, lambda g: g.pos([f"@{step}"]))])
                            g.pos([f"@{b}"], [f"@{less}"])

                        def here(g: Goal) -> None:
                            g.rewrite(last(g))
                            g.refl()

                        g.cases(g.by_fact("lt_or_eq", "j", "n", by=[using(high)]), before, here)

                    g.conj(bound, lambda g: (g.witness("n"), g.conj(using(low), lambda g: g.refl(), lambda g: g.refl()))[-1])

                def old(g: Goal) -> None:
                    greater = last(g)
                    g.witness("r")

                    def bound(g: Goal) -> None:
                        g.fix("j")
                        _, high = g.split(g.assume())

                        def before(g: Goal) -> None:
                            step = g.by_fact("int_lt", "j", "n", by=[using(last(g))])
                            g.close_by(g.apply(least, "j", by=[lambda g: g.conj(None, lambda g: g.pos([f"@{step}"]))]))

                        def here(g: Goal) -> None:
                            g.rewrite(last(g))
                            g.pos([f"@{greater}"])

                        g.cases(g.by_fact("lt_or_eq", "j", "n", by=[using(high)]), before, here)

                    g.conj(
                        bound,
                        lambda g: (g.witness("j0"), g.conj(using(j_lo), lambda g: g.pos([f"@{j_hi}"], ["1"]), using(value)))[-1],
                    )

                g.em("d(n) <= r", new, old)

            g.cases(g.by_fact("lt_or_eq", "0", "n", by=[using(low)]), larger, equal)

        g.em("n = 0", zero, more)

    every = g.have(
        "all n:Z. 0 <= n => ex r:Z. (all j:Z. 0 <= j and j <= n => r <= d(j)) and (ex j:Z. 0 <= j and j <= n and d(j) = r)",
        exists,
    )
    both = g.obtain(g.apply(every, "N", by=[using(depth)]), "r", split=False)[0]
    least, some = g.split(both)
    g.witness("r")

    def unique(g: Goal) -> None:
        g.fix("s")
        below, attained = g.split(g.assume())
        a_lo, a_hi, a = g.obtain(some, "j1")
        b_lo, b_hi, b = g.obtain(attained, "j2")
        one = g.apply(below, "j1", by=[lambda g: g.conj(using(a_lo), using(a_hi))])
        two = g.apply(least, "j2", by=[lambda g: g.conj(using(b_lo), using(b_hi))])
        g.antisym(lambda g: g.pos([f"@{one}"], eqs=[(a, -1)]), lambda g: g.pos([f"@{two}"], eqs=[(b, -1)]))

    g.conj(using(both), unique)


ALONG = half("Y - u^N*(W @ X)")
"""The loss at u times a tuple of layers with the product W: products of N layers have degree N."""
AT_ZERO = f"(all W:M(y,x). rank(W) <= r => D(u, {ALONG}, 0) = 0 and 0 <= D(s, D(u, {ALONG}, s), 0))"
BETTER = f"(ex W:M(y,x). rank(W) <= r and {half('Y - W @ X')} < {half('Y')})"
DATA = "all x y m r N:Z, X:M(x,m), Y:M(y,m)."
SPURIOUS = f"{DATA} 2 <= N => 1 <= r => r <= x => r <= y => det(X @ T(X)) != 0 => r <= rank(Y @ T(X)) => {AT_ZERO} and {BETTER}"
CONTEXT = "X X^T is invertible and rank(Y P_X) = rank(Y X^T) >= r [Theorem 8]"
ALONG_READING = (
    "the direction of the layers enters through its product W, of rank at most r, as the loss on the line through zero is that of u^N W;"
    " products of layers are all these matrices (Appendix A)"
)
SMALL = f"""(all W:M(y,x). rank(W) <= r => ex c:R. all u:R. 0 <= u and u <= 1 => abs({half("Y - u^(2+n)*(W @ X)")} - {half("Y")}) <= c*u^(2+n))"""
TRUE_FROM_THREE = (
    f"""{DATA.replace("N:Z", "n:Z")} 1 <= n => 1 <= r => 0 <= x => 0 <= y => Y @ T(X) != O(y,x) => {SMALL} and {BETTER}"""
)
TRUE_SAYS = (
    "From depth N = 2 + n >= 3 on: along every line the loss differs from that at zero by at most c u^N, so that gradient and second derivative"
    " vanish, and zero is no global minimizer if Y X^T is not 0. For N = 2 it is a strict saddle then."
)


def scalar_network(g: Goal) -> None:
    """N = 2, all widths 1, X = Y = 1: along W = 1 the loss is (1 - u^2)^2/2, with the second derivative -2."""
    one = "[[1]]"
    g.witness("1", "1", "1", "1", "2", one, one)

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "or" and any(str(d).find("'D'") >= 0 for d in c[1:]) and c[1][0] == "ex":
            g.left_or_right(0)
            close(g)
        elif c[0] == "or":
            g.left_or_right(1)
            close(g)
        elif c[0] == "ex":
            g.witness(one)
            close(g)
        elif "rank" in str(c):
            k = g.have("rank([[1]]) = 1", lambda g: g.compute())
            if c[1] == 1:
                t = g.have("rank([[1]] @ T([[1]])) = 1", lambda g: g.compute())
                g.pos(eqs=[(t, 1)])
            else:
                g.pos(eqs=[(k, -1)])
        elif "'D'" in str(c):
            d = g.have(("=", c[1], -2), lambda g: g.field())
            g.pos(["2"], eqs=[(d, -1)])
        elif c[0] == "!=":
            g.field()
        else:
            g.auto()

    close(g)


@refuted(
    "eftekhari2022.assertion-zero-spurious",
    SPURIOUS,
    argument="fails",
    context=CONTEXT,
    reading=ALONG_READING,
    reason="for N = 2 the second derivative at zero is -2 <Y, W X>, which is negative in some direction unless Y X^T = 0: N = 2, all widths 1,"
    " X = Y = 1, W = 1. (Theorem 7 says so as well.)",
)
def zero_is_a_strict_saddle_at_depth_two(g: Goal) -> None:
    """(1 - u^2)^2/2 has the second derivative -2 at 0."""
    scalar_network(g)


@amendment("eftekhari2022.assertion-zero-spurious", TRUE_FROM_THREE, says=TRUE_SAYS)
def zero_is_spurious_from_depth_three_on(g: Goal) -> None:
    """The loss is |Y|^2/2 - u^N <Y, W X> + u^(2N) |W X|^2/2. For Z = Y X^T and Z v != 0 a small multiple of Z v v^T lowers the loss."""
    g.fix()
    g.assume()
    wide = g.assume()
    g.assume()
    g.assume()
    nonzero = g.assume()

    def flat(g: Goal) -> None:
        g.fix("W")
        g.assume()
        inner, square = "tr(T(Y) @ (W @ X))", half("W @ X")
        g.witness(f"abs({inner}) + {square}")
        g.fix("u")
        low, high = g.split(g.assume())
        g.have("0 <= 2 + n")
        p = "(u^(2+n))"
        power = g.by_fact("ipow_nonneg", "u", "2 + n", by=[using(low), None])
        most = g.by_fact("ipow_mono", "u", "1", "2 + n", by=[using(low), using(high), None])
        one = g.have("1^(2+n) = 1", lambda g: g.field())
        most = g.have(f"{p} <= 1", lambda g: g.pos([f"@{most}"], eqs=[(one, 1)]))
        value = g.have(f"{half(f'Y - {p}*(W @ X)')} - {half('Y')} = {p}^2*{square} - {p}*{inner}", lambda g: g.field())
        left, right = g.split(g.apply(g.split(g.fact("abs_le", inner, f"abs({inner})"))[0], by=[lambda g: g.refl()]))
        _, back = g.split(g.fact("abs_le", f"{half(f'Y - {p}*(W @ X)')} - {half('Y')}", f"(abs({inner}) + {square})*{p}"))

        def both(g: Goal) -> None:
            g.conj(
                lambda g: g.pos([f"@{power}", f"@{right}"], [f"@{power}", square], [f"{p}^2", square], eqs=[(value, 1)]),
                lambda g: g.pos([f"@{power}", f"@{left}"], [f"@{power}", square, f"@{most}"], eqs=[(value, -1)]),
            )

        g.close_by(g.apply(back, by=[both], n=1))

    def better(g: Goal) -> None:
        z = "Z"
        (z_is,) = g.obtain(g.have("ex Z:M(y,x). Z = Y @ T(X)", lambda g: (g.witness("Y @ T(X)"), g.refl())[-1]), "Z", split=False)

        def vector(g: Goal) -> None:
            no = g.contra()

            def zero(g: Goal) -> None:
                g.extn("i", "j")
                (e,) = g.obtain(g.by_fact("unit_vector", "x", "j"), "e", split=False)
                k = g.apply(e, "y", z, "i")

                def gone(g: Goal) -> None:
                    g.contra("some")
                    both = g.have(f"ex v:V(x). {z} @ v != O(y,1)", lambda g: (g.witness("e"), g.close_by("some"))[-1])
                    g.clash(both, no)

                w = g.have(f"{z} @ e = O(y,1)", gone)
                v = g.have(f"({z} @ e)[i,1] = 0", lambda g: (g.rewrite(w), g.field())[-1])
                g.field((k, -1), (v, 1))

            k = g.have(f"{z} = O(y,x)", zero)
            g.clash(g.have("Y @ T(X) = O(y,x)", lambda g: g.nc((z_is, -1, None, None), (k, 1, None, None))), nonzero)

        moved = g.obtain(g.have(f"ex v:V(x). {z} @ v != O(y,1)", vector), "v", split=False)[0]
        (w_is,) = g.obtain(g.have(f"ex w:V(y). w = {z} @ v", lambda g: (g.witness(f"{z} @ v"), g.refl())[-1]), "w", split=False)
        length, image = "tr(T(w) @ w)", "tr(T(w @ T(v) @ X) @ (w @ T(v) @ X))"

        def positive(g: Goal) -> None:
            g.contra("low")
            zero = g.have(f"{length} = 0", lambda g: g.antisym(using("low"), lambda g: g.pos([length])))
            w = g.by_fact("frobenius_zero", "y", 1, "w", by=[using(zero)])
            g.clash(g.have(f"{z} @ v = O(y,1)", lambda g: g.nc((w, 1, None, None), (w_is, -1, None, None))), moved)

        long = g.have(f"0 < {length}", positive)
        total = f"({length} + {image})"
        above = g.have(f"0 < {total}", lambda g: g.pos([f"@{long}"], [image]))
        c = g.obtain(g.have(f"ex c:R. c*{total} = {length}", lambda g: (g.witness(f"{length}/{total}"), g.field())[-1]), "c")[0]
        g.have("0 < c", lambda g: g.pos([f"@{long}"], mul=[f"@{above}"], eqs=[(c, 1)]))
        g.witness("c*(w @ T(v))")

        def rank(g: Goal) -> None:
            same = g.have("c*(w @ T(v)) = (c*w) @ T(v)", lambda g: g.nc())
            k = g.split(g.fact("rank_product", "y", 1, "x", "c*w", "T(v)"))[0]
            b = g.split(g.by_fact("rank_bounds", "y", 1, "c*w"))[2]
            g.rewrite(same)
            g.pos([f"@{k}"], [f"@{b}"], [f"@{wide}"])

        def lower(g: Goal) -> None:
            inner = g.have("T(w) @ Y @ T(X) @ v = T(w) @ w", lambda g: g.nc((w_is, -1, "T(w)", None), (z_is, -1, "T(w)", "v")))
            trace = g.have(f"tr(T(w) @ Y @ T(X) @ v) = {length}", lambda g: (g.rewrite(inner), g.refl())[-1])
            value = g.have(
                f"{half('Y - c*(w @ T(v)) @ X')} = {half('Y')} - c*tr(T(w) @ Y @ T(X) @ v) + c^2/2*{image}", lambda g: g.field()
            )
            g.pos(["1/2", "c", f"@{long}"], ["1/2", "c^2", length], eqs=[(value, -1), (trace, "c"), (c, "-c/2")])

        g.conj(rank, lower)

    g.conj(flat, better)


@refuted(
    "eftekhari2022.assertion-no-strict-saddle-property",
    SPURIOUS,
    argument="fails",
    context=CONTEXT,
    reading=f"zero is a second-order stationary point that is no minimizer, that is a non-strict saddle. {ALONG_READING}",
    reason="for N = 2 zero is a strict saddle: N = 2, all widths 1, X = Y = 1",
)
def zero_is_a_strict_saddle_of_two_layers(g: Goal) -> None:
    """(1 - u^2)^2/2 has the second derivative -2 at 0."""
    scalar_network(g)


@amendment(
    "eftekhari2022.assertion-no-strict-saddle-property",
    TRUE_FROM_THREE,
    says=TRUE_SAYS,
    uses=["eftekhari2022.assertion-zero-spurious"],
)
def zero_is_a_saddle_from_depth_three_on(g: Goal) -> None:
    """The amended statement on the zero tuple."""
    g.close_by(g.lemma("eftekhari2022.assertion-zero-spurious", "amendment"))
