"""Appendix F.2: what the set-up of the experiments asserts and can be proved."""

from __future__ import annotations

from proofs.razin2020.products_of_factors import upwards
from proofs.razin2020.scripts import only, using
from proofs.razin2020.tensors import CP, NUMBERED
from verify.kernel import Goal
from verify.registry import holds


@holds(
    "razin2020.f21-unbalanced-std",
    """all L:Z, d alpha s:R, v:Z->R. 1 <= L => 0 < d => 0 < alpha => s = (alpha^2/d^(L-1))^(1/(2*L)) => v(1) = s^2 =>
       (all l:Z. 2 <= l and l <= L => v(l) = d*s^2*v(l-1)) => 0 < s and v(L) = alpha^2""",
    argument="sound",
    reading="v(l) is the variance of each entry of W_l ... W_1, d the hidden width: the entries of W_l are centred, independent of one another and of W_(l-1) ... W_1, whose entries are centred, so that "
    "the variance of a sum of d products is d s^2 v(l-1)",
)
def entries_have_the_deviation_alpha(g: Goal) -> None:
    """v(l) = s^(2l) d^(l-1)."""
    depth, d, alpha, s, first, steps = g.intro()
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
    base = g.have("0 < alpha^2/d^(L-1)", lambda g: (only(g, d, alpha), g.auto())[-1])
    positive = g.have("0 < s", lambda g: (g.rewrite(s), only(g, base), g.auto())[-1])

    def grow(g: Goal) -> None:
        def start(g: Goal) -> None:
            g.assume()
            g.field((first, 1))

        def step(g: Goal) -> None:
            top = g.assume()
            two = g.have("2 <= l", lambda g: g.nlin())
            before = g.apply(
                "ih", "l - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[top])]
            )
            k = g.apply(steps, "l", by=[lambda g: g.conj(using(two), using(top))])
            only(g, k, before, d, positive)
            g.field((k, 1), (before, "d*s^2"))

        upwards(g, "1", start, step)

    h = g.have("all l:Z. 1 <= l => l <= L => v(l) = s^(2*l)*d^(l-1)", grow)
    k = g.apply(h, "L", by=[using(depth), Goal.refl])
    p = g.by_fact("pow_pow", "alpha^2/d^(L-1)", "1/(2*L)", "2*L", by=[using(base)])

    def value(g: Goal) -> None:
        only(g, k, p, s, pl, base, d, alpha, positive)
        power = g.have(
            "s^(2*L) = alpha^2/d^(L-1)", lambda g: (only(g, p, s, pl, base, d, alpha), g.rewrite(s), g.field((p, 1)))[-1]
        )
        g.field((k, 1), (power, "d^(L-1)"))

    g.conj(using(positive), value)


@holds(
    "razin2020.f21-clearing",
    """(all m d c:Z, A:M(m,c), P:M(d,m), B G:M(d,c), e:V(c), h:R. G @ e = (P @ A - B) @ e => B @ e = O(d,1) => A @ e = O(m,1) =>
          P @ A @ e = O(d,1) and T(P) @ G @ e = O(m,1) and (A - h*(T(P) @ G)) @ e = O(m,1)) and
       (all m d c:Z, A:M(m,c), P:M(d,m), B G:M(d,c), e:V(d), h:R. T(e) @ G = T(e) @ (P @ A - B) => T(e) @ B = O(1,c) => T(e) @ P = O(1,m) =>
          T(e) @ P @ A = O(1,c) and T(e) @ G @ T(A) = O(1,m) and T(e) @ (P - h*(G @ T(A))) = O(1,m))""",
    argument="sound",
    reading="first columns: A = W_1, P = W_L ... W_2, e a unit vector of an excess column, which is observed and where the observations B are 0, so that there the gradient G of the loss is the residual: the "
    "column of the product, of the gradient of W_1 and of W_1 after a step of any size h are 0 again, for balanced factors or not; then rows, with P = W_L and A = W_(L-1) ... W_1",
)
def cleared_columns_stay_zero(g: Goal) -> None:
    """G e = P A e - B e = 0."""

    def columns(g: Goal) -> None:
        slope, zero, clear = g.intro()
        flat = g.have("G @ e = O(d,1)", lambda g: g.nc((slope, 1, None, None), (clear, 1, "P", None), (zero, -1, None, None)))
        g.conj(
            lambda g: g.nc((clear, 1, "P", None)),
            lambda g: g.nc((flat, 1, "T(P)", None)),
            lambda g: g.nc((clear, 1, None, None), (flat, "-h", "T(P)", None)),
        )

    def rows(g: Goal) -> None:
        slope, zero, clear = g.intro()
        flat = g.have("T(e) @ G = O(1,c)", lambda g: g.nc((slope, 1, None, None), (clear, 1, None, "A"), (zero, -1, None, None)))
        g.conj(
            lambda g: g.nc((clear, 1, None, "A")),
            lambda g: g.nc((flat, 1, None, "T(A)")),
            lambda g: g.nc((clear, 1, None, None), (flat, "-h", None, "T(A)")),
        )

    g.conj(columns, rows)


@holds(
    "razin2020.f21-two-attempts",
    "all n:Z. 0 <= n => sum(k, 1, n, (1/2)^k) = 1 - (1/2)^n and sum(k, 1, n, k*(1/2)^k) = 2 - (n + 2)*(1/2)^n",
    argument="sound",
    reading="the k-th attempt is the first one with the needed sign with probability (1/2)^k: the sums over at most n attempts of the probabilities and of the numbers of attempts, which tend to 1 and to 2",
    context="attempts are independent and succeed with probability 1/2 [Proposition 3]",
)
def two_attempts_on_average(g: Goal) -> None:
    """Induction on n."""
    g.induct("n")

    def base(g: Goal) -> None:
        g.rewrite(next(reversed(g.seq.hyps)), back=True)
        g.conj(lambda g: g.field(), lambda g: g.field())

    def step(g: Goal) -> None:
        strict = next(reversed(g.seq.hyps))
        one = g.by_fact("int_lt", 0, "n", by=[using(strict)])
        one = g.have("1 <= n", lambda g: (only(g, one), g.pos([f"@{one}"]))[-1])
        before = g.apply(
            "ih", "n - 1", by=[lambda g: (only(g, one), g.conj(lambda g: g.pos([f"@{one}"]), lambda g: g.pos([1])))[-1]]
        )
        x, y = g.split(before)
        u = g.by_fact("sum_last", 1, "n", "lam k:Z. (1/2)^k", by=[using(one)])
        w = g.by_fact("sum_last", 1, "n", "lam k:Z. k*(1/2)^k", by=[using(one)])
        g.conj(lambda g: (only(g, x, u), g.field((u, 1), (x, 1)))[-1], lambda g: (only(g, y, w), g.field((w, 1), (y, 1)))[-1])

    g.cases(g.by_fact("lt_or_eq", 0, "n", by=[using("ih_lo")]), step, base)


@holds(
    "razin2020.f22-observation-ranges",
    """8^3 - 1 = 511 and 8^4 - 1 = 4095 and 3*50 = 150 and 3*100 = 300 and
       (all k:Z. 1 <= k and k <= 9 => 50 <= 50*k and 50*k <= 450 and 50*k < 511) and
       (all k:Z. 1 <= k and k <= 7 => 500 <= 500*k and 500*k <= 3500 and 500*k < 4095)""",
    reading="all entries but one; three times the least number of rank 1; the steps of the ranges between",
)
def observation_counts(g: Goal) -> None:
    """Arithmetic."""
    g.compute()


@holds(
    "razin2020.f22-adaptive-lr",
    """all b eta low high:R, n gamma:Z->R. 0 < b => b < 1 => 0 < eta => 0 <= low => gamma(0) = 0 =>
       (all t:Z. 1 <= t => low^2 <= n(t) and n(t) <= high^2 and gamma(t) = b*gamma(t-1) + (1 - b)*n(t)) => 0 <= high =>
       all t:Z. 1 <= t => 0 < 1 - b^t and low^2 <= gamma(t)/(1 - b^t) and gamma(t)/(1 - b^t) <= high^2 and
         eta/(high + 1/10^6) <= eta/(sqrt(gamma(t)/(1 - b^t)) + 1/10^6) and eta/(sqrt(gamma(t)/(1 - b^t)) + 1/10^6) <= eta/(low + 1/10^6)""",
    reading="the rate is defined for t >= 1, as 1 - beta^t is positive there, and positive; gamma_t/(1 - beta^t) lies between bounds of the squared gradient norms n(t), and is g^2 for constant norms g "
    "(low = high = g); a gradient that is always 0 gives the rate 10^6 eta",
)
def adaptive_rate_is_well_defined(g: Goal) -> None:
    """low^2 (1 - b^t) <= gamma(t) <= high^2 (1 - b^t) by induction."""
    b, b1, eta, low, start, steps, high, now = g.intro()

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.conj(lambda g: g.pos(eqs=[(start, 1)]), lambda g: g.pos(eqs=[(start, -1)]))

        def step(g: Goal) -> None:
            one = g.have("1 <= l", lambda g: g.nlin())
            before = g.apply(
                "ih", "l - 1", by=[lambda g: (only(g, one), g.conj(lambda g: g.pos([f"@{one}"]), lambda g: g.pos([1])))[-1]]
            )
            x, y = g.split(before)
            u, w, k = g.split(g.apply(steps, "l", by=[using(one)]))
            gap = g.have("0 <= 1 - b", lambda g: (only(g, b1), g.pos([f"@{b1}"]))[-1])
            only(g, x, y, u, w, k, b, gap)
            g.conj(
                lambda g: g.pos([f"@{x}", "b"], [f"@{u}", f"@{gap}"], eqs=[(k, 1)]),
                lambda g: g.pos([f"@{y}", "b"], [f"@{w}", f"@{gap}"], eqs=[(k, -1)]),
            )

        upwards(g, "0", base, step)

    h = g.have("all l:Z. 0 <= l => low^2*(1 - b^l) <= gamma(l) and gamma(l) <= high^2*(1 - b^l)", grow)

    def powers(g: Goal) -> None:
        def base(g: Goal) -> None:
            only(g, b, b1)
            g.pos([f"@{b1}"])

        def step(g: Goal) -> None:
            two = g.have("2 <= l", lambda g: g.nlin())
            before = g.apply(
                "ih", "l - 1", by=[lambda g: (only(g, two), g.conj(lambda g: g.pos([f"@{two}"]), lambda g: g.pos([1])))[-1]]
            )
            only(g, before, b, b1)
            g.pos([f"@{before}", "b"], [f"@{b1}"])

        upwards(g, "1", base, step)

    small = g.have("all l:Z. 1 <= l => b^l < 1", powers)
    below = g.apply(small, "t", by=[using(now)])
    x, y = g.split(g.apply(h, "t", by=[lambda g: (only(g, now), g.pos([f"@{now}"], [1]))[-1]]))
    only(g, eta, low, high, below, x, y)
    gap = g.have("0 < 1 - b^t", lambda g: (only(g, below), g.pos([f"@{below}"]))[-1])
    (q,) = g.obtain(g.have("ex q:R. q = 1 - b^t", lambda g: (g.witness("1 - b^t"), g.refl())[-1]), "q")
    back = g.have("1 - b^t = q", lambda g: g.field((q, -1)))
    gap, x, y = g.rewritten(gap, back), g.rewritten(x, back), g.rewritten(y, back)
    g.rewrite(back)
    only(g, eta, low, high, gap, x, y)
    v = "(gamma(t)/q)"
    least = g.have(f"low^2 <= {v}", lambda g: g.pos([f"@{x}"], mul=["q"]))
    most = g.have(f"{v} <= high^2", lambda g: g.pos([f"@{y}"], mul=["q"]))
    nonneg = g.have(f"0 <= {v}", lambda g: (only(g, least), g.pos([f"@{least}"], ["low^2"]))[-1])
    r = f"sqrt({v})"
    a = g.by_fact("sqrt_mono", "low^2", v, by=[None, using(least)])
    c = g.by_fact("sqrt_mono", v, "high^2", by=[using(nonneg), using(most)])
    sl = g.by_fact("sqrt_unique", "low^2", "low", by=[using(low), Goal.refl])
    sh = g.by_fact("sqrt_unique", "high^2", "high", by=[using(high), Goal.refl])
    lower = g.have(f"low <= {r}", lambda g: (only(g, a, sl), g.pos([f"@{a}"], eqs=[(sl, 1)]))[-1])
    upper = g.have(f"{r} <= high", lambda g: (only(g, c, sh), g.pos([f"@{c}"], eqs=[(sh, -1)]))[-1])

    def rate(g: Goal, smaller: str, larger: str, order: str) -> None:
        only(g, order, low, lower, eta, high)
        s = g.have(
            f"0 < {smaller} + 1/10^6",
            lambda g: g.pos([f"@{low}"], ["1/10^6"]) if smaller == "low" else g.pos([f"@{low}"], [f"@{lower}"], ["1/10^6"]),
        )
        t = g.have(f"0 < {larger} + 1/10^6", lambda g: (only(g, s, order), g.pos([f"@{s}"], [f"@{order}"]))[-1])
        only(g, order, s, t, eta)
        g.pos([f"@{order}", "eta"], mul=[f"{smaller} + 1/10^6", f"{larger} + 1/10^6"])

    g.conj(using(gap), using(least), using(most), lambda g: rate(g, r, "high", upper), lambda g: rate(g, "low", r, lower))


@holds(
    "razin2020.f22-ground-truth",
    f"""all N K R:Z, X:Z->R, J:(Z,Z)->Z, w:(Z,Z,Z)->R, c:R. 1 <= N => 0 <= R => {CP.format("R")} =>
       (ex v:(Z,Z,Z)->R. {CP.format("R").replace("w(", "v(")}) and
       (ex v:(Z,Z,Z)->R. {CP.format("R").replace("w(", "v(").replace("X(k)", "c*X(k)")})""",
    uses=["razin2020.fn-6-outer-product"],
    argument="sound",
    reading=f"{NUMBERED}; X is the sum of R* outer products of any vectors w, so that it and its multiples c X have at most the rank R*",
)
def sums_of_outer_products_have_small_rank(g: Goal) -> None:
    """The first vector of each term is multiplied by c."""
    g.fix("M", "K", "R", "X", "J", "w", "c")
    order, size, value = (g.assume() for _ in range(3))
    del size
    (f,) = g.obtain(g.fact("indicator", "lam x:Z. x - 1"), "f")

    def scaled(g: Goal) -> None:
        v = "(f({n})*w({r},{n},{j}) + (1 - f({n}))*c*w({r},{n},{j}))"
        g.witness("lam r:Z, n:Z, j:Z. " + v.format(r="r", n="n", j="j"))
        g.fix("k")
        inside = g.assume()
        x = g.apply(value, "k", by=[using(inside)])
        linear = g.split(g.lemma("razin2020.fn-6-outer-product"))[0]

        def term(g: Goal) -> None:
            (r,) = g.fix()
            g.assume()
            u = f"lam n:Z, j:Z. {v.format(r=r, n='n', j='j')}"
            w = f"lam n:Z, j:Z. w({r},n,j)"

            def apart(g: Goal) -> None:
                n, j = g.fix()
                ne = g.assume()

                def nonzero(g: Goal) -> None:
                    h = g.contra()
                    g.clash(g.have(f"{n} = 1", lambda g: g.field((h, 1))), ne)

                k = g.apply(g.split(g.apply(f, n))[1], by=[nonzero])
                one = g.have(
                    f"{v.format(r=r, n=n, j=j)} = w({r},{n},{j})",
                    lambda g: (only(g, k), g.field((k, f"(1 - c)*w({r},{n},{j})")))[-1],
                )
                g.conj(using(one), using(one))

            def here(g: Goal) -> None:
                (j,) = g.fix()
                k = g.apply(g.split(g.apply(f, 1))[0], by=[lambda g: g.field()])
                only(g, k)
                g.field((k, f"(1 - c)*w({r},1,{j})"))

            k = g.apply(linear, "M", 1, u, w, w, "lam n:Z. J(k,n)", "c", 0, by=[None, using(order), apart, here])
            only(g, k)
            g.field((k, 1))

        body = f"prod(n, 1, M, {v.format(r='r', n='n', j='J(k,n)')})"
        s = g.by_fact("sum_ext", 1, "R", f"lam r:Z. {body}", "lam r:Z. c*prod(n, 1, M, w(r,n,J(k,n)))", by=[term])
        only(g, x, s)
        g.field((x, "c"), (s, -1))

    g.conj(lambda g: (g.witness("w"), g.close_by(value))[-1], scaled)


@holds(
    "razin2020.f22-terms",
    """(all p q s:Z, X:(Z,Z,Z)->R. ex u v:(Z,Z)->R, w:(Z,Z,Z)->R. all i j k:Z. 1 <= i => i <= p => 1 <= j => j <= q =>
          X(i,j,k) = sum(a, 1, p, sum(b, 1, q, u(a,i)*v(b,j)*w(a,b,k)))) and
       (all p q r s:Z, X:(Z,Z,Z,Z)->R. ex t u v:(Z,Z)->R, w:(Z,Z,Z,Z)->R. all h i j k:Z. 1 <= h => h <= p => 1 <= i => i <= q => 1 <= j => j <= r =>
          X(h,i,j,k) = sum(a, 1, p, sum(b, 1, q, sum(c, 1, r, t(a,h)*u(b,i)*v(c,j)*w(a,b,c,k))))) and
       8^3/8 = 8^2 and 8^4/8 = 8^3""",
    covers="instances",
    because="Proved for the orders 3 and 4 of the experiments, with any dimensions; the order of a tensor as a variable would need the numbering of index tuples.",
    reading="the last mode is a longest one: p q terms, or p q r terms, that is the product of all dimensions divided by the largest one",
)
def fibres_times_unit_vectors(g: Goal) -> None:
    """The terms are the fibres along the last mode times unit vectors."""

    def unit(g: Goal) -> str:
        (f,) = g.obtain(g.fact("indicator", "lam x:Z. x"), "f")
        return f

    def collapse(g: Goal, f: str, index: str, at: str, top: str, bounds: tuple[str, str], rest: str) -> str:
        """sum(index, 1, top, (1 - f(index - at))*rest) is the term at `at`."""

        def other(g: Goal) -> None:
            (m,) = g.fix()
            g.assume()
            ne = g.assume()

            def nonzero(g: Goal) -> None:
                h = g.contra()
                g.clash(g.have(f"{m} = {at}", lambda g: g.field((h, 1))), ne)

            k = g.apply(g.split(g.apply(f, f"{m} - {at}"))[1], by=[nonzero])
            g.rewrite(k)
            g.field()

        body = f"(1 - f({index} - {at}))*({rest})"
        s = g.by_fact("sum_delta", 1, top, at, f"lam {index}:Z. {body}", by=[using(bounds[0]), using(bounds[1]), other])
        one = g.apply(g.split(g.apply(f, f"{at} - {at}"))[0], by=[lambda g: g.field()])
        return g.rewritten(s, one)

    def three(g: Goal) -> None:
        g.fix("p", "q", "s", "X")
        f = unit(g)
        d = "lam a:Z, i:Z. 1 - f(a - i)"
        g.witness(d, d, "lam a:Z, b:Z, k:Z. X(a,b,k)")
        g.fix("i", "j", "k")
        bounds = [g.assume() for _ in range(4)]

        def inner(g: Goal) -> None:
            (a,) = g.fix()
            g.assume()
            k = collapse(g, f, "b", "j", "q", (bounds[2], bounds[3]), f"(1 - f({a} - i))*X({a},b,k)")
            same = g.have(
                f"sum(b, 1, q, (1 - f({a} - i))*(1 - f(b - j))*X({a},b,k)) = sum(b, 1, q, (1 - f(b - j))*((1 - f({a} - i))*X({a},b,k)))",
                lambda g: (only(g), g.field())[-1],
            )
            only(g, k, same)
            g.field((same, 1), (k, 1))

        e = g.by_fact(
            "sum_ext",
            1,
            "p",
            "lam a:Z. sum(b, 1, q, (1 - f(a - i))*(1 - f(b - j))*X(a,b,k))",
            "lam a:Z. (1 - f(a - i))*X(a,j,k)",
            by=[inner],
        )
        o = collapse(g, f, "a", "i", "p", (bounds[0], bounds[1]), "X(a,j,k)")
        only(g, e, o)
        g.field((e, -1), (o, -1))

    def four(g: Goal) -> None:
        g.fix("p", "q", "r", "s", "X")
        f = unit(g)
        d = "lam a:Z, i:Z. 1 - f(a - i)"
        g.witness(d, d, d, "lam a:Z, b:Z, c:Z, k:Z. X(a,b,c,k)")
        g.fix("h", "i", "j", "k")
        bounds = [g.assume() for _ in range(6)]

        def middle(g: Goal) -> None:
            (a,) = g.fix()
            g.assume()

            def inner(g: Goal) -> None:
                (b,) = g.fix()
                g.assume()
                rest = f"(1 - f({a} - h))*(1 - f({b} - i))*X({a},{b},c,k)"
                k = collapse(g, f, "c", "j", "r", (bounds[4], bounds[5]), rest)
                same = g.have(
                    f"sum(c, 1, r, (1 - f({a} - h))*(1 - f({b} - i))*(1 - f(c - j))*X({a},{b},c,k)) = sum(c, 1, r, (1 - f(c - j))*({rest}))",
                    lambda g: (only(g), g.field())[-1],
                )
                only(g, k, same)
                g.field((same, 1), (k, 1))

            e = g.by_fact(
                "sum_ext",
                1,
                "q",
                f"lam b:Z. sum(c, 1, r, (1 - f({a} - h))*(1 - f(b - i))*(1 - f(c - j))*X({a},b,c,k))",
                f"lam b:Z. (1 - f(b - i))*((1 - f({a} - h))*X({a},b,j,k))",
                by=[inner],
            )
            o = collapse(g, f, "b", "i", "q", (bounds[2], bounds[3]), f"(1 - f({a} - h))*X({a},b,j,k)")
            only(g, e, o)
            g.field((e, 1), (o, 1))

        e = g.by_fact(
            "sum_ext",
            1,
            "p",
            "lam a:Z. sum(b, 1, q, sum(c, 1, r, (1 - f(a - h))*(1 - f(b - i))*(1 - f(c - j))*X(a,b,c,k)))",
            "lam a:Z. (1 - f(a - h))*X(a,i,j,k)",
            by=[middle],
        )
        o = collapse(g, f, "a", "h", "p", (bounds[0], bounds[1]), "X(a,i,j,k)")
        only(g, e, o)
        g.field((e, -1), (o, -1))

    g.conj(three, four, lambda g: g.compute(), lambda g: g.compute())
