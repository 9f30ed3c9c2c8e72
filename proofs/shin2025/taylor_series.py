"""Lemma 36, second step: a function whose n-th derivative is at most n! R (2 R)^n is the sum of its Taylor series."""

from __future__ import annotations

from proofs.shin2025.analytic_functions import partial_sum
from proofs.shin2025.derivatives_of_products import ID, factorial
from proofs.shin2025.leibniz import agreement_in_every_order
from proofs.shin2025.measurement_flow import n2
from verify.kernel import Goal
from verify.kernel.library.analytic_functions import analytic
from verify.kernel.tactics import Script
from verify.registry import part


@part(
    ID,
    "remainder",
    "all D u v w F R q:R. 0 < F => v = w*u => D^2 <= (F*R*w)^2 => v^2 <= q => (D*u/F)^2 <= R^2*q",
    says="The square of a remainder of Taylor's formula.",
)
def remainder(g: Goal) -> None:
    """The factorial cancels."""
    _, product, size, power = g.intro()
    g.pos(["u^2/F^2", "@" + size], ["R^2", "@" + power], eqs=[(product, "R^2*(v + w*u)")])


@part(
    ID,
    "small-square",
    "all x R e q k:R. 0 < R => 0 < e => 0 < q => q*k^2 = 1 => R <= e*k => x^2 <= R^2*q => -e <= x and x <= e",
    says="From x^2 <= R^2/k^2 and R <= e k: |x| <= e.",
)
def small_square(g: Goal) -> None:
    """R^2/k^2 <= e^2."""
    r, e, q, unit, enough, square = g.intro()
    top = g.have(
        "R^2*q <= e^2", lambda g: g.pos(["q", "@" + enough, "@" + enough], ["2", "q", "R", "@" + enough], eqs=[(unit, "-e^2")])
    )

    def far(g: Goal) -> None:
        h = g.contra()
        g.pos(["@" + h, "@" + h], ["2", "e", "@" + h], ["@" + square], ["@" + top])

    g.conj(far, far)


@part(
    ID,
    "powers",
    """all y R e:R, p n:Z. 0 <= n => y^2 <= 1/4 => 0 < e => R/e < p => p <= n =>
        (y^n)^2 <= (1/4)^n and R <= e*2^n and (1/4)^n*(2^n)^2 = 1 and 0 < (1/4)^n""",
    says="Powers of numbers of size at most 1/2, and of 2.",
)
def powers_of_a_half(g: Goal) -> None:
    """By the monotonicity of powers and Bernoulli's inequality."""
    _, small, _, big, late = g.intro()
    power = g.by_fact("ipow_mono", "y^2", "1/4", "n", by=[None, lambda g: g.close_by(small), None])
    two, three = g.by_fact("ipow_pow", "y", "2", "n"), g.by_fact("ipow_pow", "y", "n", "2")
    exponent = g.have("y^(2*n) = y^(n*2)", lambda g: g.ctx(lambda g: g.field()))
    bern = g.by_fact("bernoulli", "1", "n")
    bern = g.have("1 + n <= 2^n", lambda g: g.pos(["@" + bern]))
    g.conj(
        lambda g: (g.rewrite(three), g.rewrite(exponent, back=True), g.rewrite(two, back=True), g.close_by(power))[-1],
        lambda g: g.pos(["e", "@" + big], ["e", "@" + late], ["e", "@" + bern], ["e"]),
        lambda g: g.field(),
        lambda g: g.pos(["(1/4)^n"]),
    )


@part(
    ID,
    "series",
    f"""all f:R~>R, s R:R. 0 <= s => 1 <= R => (all c:R, n:Z. 0 <= n => 0 <= c => abs(c - s) <= 1 =>
        d(n,f,c)^2 <= ({factorial("n")}*R*(2*R)^n)^2) => all t:R. 0 <= t => abs(t - s) < 1/(4*R) => all e:R. 0 < e => ex p:Z. all m:Z.
        p <= m => abs(f(t) - {partial_sum("d({}, f, {})")}) <= e""",
    says="With derivatives of at most n! R (2 R)^n near a point the Taylor series converges to the function within 1/(4 R).",
    uses=[ID],
)
def taylor_series_converges(g: Goal) -> None:
    """The remainder of order n is at most R/2^n."""
    g.fix("f", "s", "R")
    s0, r1, bound = (g.assume() for _ in range(3))
    fact = g.lemma(ID, "part:factorials")
    taylor = g.fact("taylor")
    g.have("0 < R", lambda g: g.pos(["@" + r1], ["1"]))

    def inside(g: Goal) -> None:
        g.fix("t")
        t0, close = g.assume(), g.assume()
        g.fix("e")
        g.assume()
        big = g.obtain(g.fact("archimedean", "R/e"), "p")
        g.witness("p")
        g.fix("m")
        pm = g.assume()
        g.have("0 <= m + 1", lambda g: g.pos(["@" + big[1]], ["@" + pm], ["2"]))
        c = g.obtain(g.apply(taylor, "f", "s", "t", "m + 1"), "c")
        n = "(m + 1)"
        rem = f"(d({n},f,c)*(t - s)^{n}/{factorial(n)})"
        tail = g.have(f"f(t) - {partial_sum('d({}, f, {})')} = {rem}", lambda g: g.field((c[2], 1)))
        g.split(g.apply(fact, n))[0]
        inner = between(g, c[0], c[1])
        limits = g.split(g.apply(g.split(g.fact("abs_le", "t - s", "abs(t - s)"))[0]))
        quarter = g.have("1/(4*R) <= 1", lambda g: g.pos(["@" + r1, "1/R"], ["3/4*1/R"]))

        def near_(g: Goal) -> None:
            _, back = g.split(g.fact("abs_le", "c - s", "1"))

            def right(g: Goal) -> None:
                lo, hi = g.split(list(g.seq.hyps)[-1])
                far: Script = lambda g: g.pos(["@" + hi], ["@" + limits[1]], ["@" + close], ["@" + quarter])  # noqa: E731
                g.close_by(g.apply(back, by=[lambda g: g.conj(lambda g: g.pos(["@" + lo], ["1"]), far)]))

            def left(g: Goal) -> None:
                lo, hi = g.split(list(g.seq.hyps)[-1])
                far: Script = lambda g: g.pos(["@" + lo], ["@" + limits[0]], ["@" + close], ["@" + quarter])  # noqa: E731
                g.close_by(g.apply(back, by=[lambda g: g.conj(far, lambda g: g.pos(["@" + hi], ["1"]))]))

            g.cases(inner, right, left)

        def nonneg(g: Goal) -> None:
            def side(start: str) -> Script:
                return lambda g: g.pos(["@" + g.split(list(g.seq.hyps)[-1])[0]], ["@" + start])

            g.cases(inner, side(s0), side(t0))

        g.have("0 <= c", nonneg)
        g.have("abs(c - s) <= 1", near_)
        g.apply(bound, "c", n)
        y = "((2*R)*(t - s))"
        sq = g.fact("abs_square", "t - s")
        g.have(f"{y}^2 <= 1/4", lambda g: g.pos(["4*R^2", "@" + close, "1/(4*R) + abs(t - s)"], eqs=[(sq, "4*R^2")]))
        g.by_fact("ipow_mul", "2*R", "t - s", n)
        late = g.have(f"p <= {n}", lambda g: g.pos(["@" + pm], ["1"]))
        g.split_all(g.lemma(ID, "part:powers", y, "R", "e", "p", n, by=[None, None, None, None, lambda g: g.close_by(late)]))
        g.lemma(ID, "part:remainder", f"d({n},f,c)", f"(t - s)^{n}", f"{y}^{n}", f"(2*R)^{n}", factorial(n), "R", f"(1/4)^{n}")
        bounds = g.lemma(ID, "part:small-square", rem, "R", "e", f"(1/4)^{n}", f"2^{n}")
        _, back = g.split(g.fact("abs_le", rem, "e"))
        k = g.apply(back, by=[lambda g: g.close_by(bounds)])
        g.rewrite(tail)
        g.close_by(k)

    inside(g)


def between(g: Goal, low: str, high: str) -> str:
    """From min(s,t) <= c <= max(s,t): s <= c <= t or t <= c <= s."""
    least, most = g.fact("min_cases", "s", "t"), g.fact("max_cases", "s", "t")

    def script(g: Goal) -> None:
        def first(g: Goal, i: int) -> None:
            a = g.split(list(g.seq.hyps)[-1])
            g.rewritten(low, a[1])

            def second(g: Goal) -> None:
                b = g.split(list(g.seq.hyps)[-1])
                g.rewritten(high, b[1])
                g.left_or_right(i)
                g.auto()

            g.cases(most, second, second)

        g.cases(least, lambda g: first(g, 0), lambda g: first(g, 1))

    return g.have("(s <= c and c <= t) or (t <= c and c <= s)", script)


@part(
    ID,
    "entry",
    f"all rows cols:Z, X:M(rows,cols), i j:Z. 1 <= i and i <= rows and 1 <= j and j <= cols => X[i,j]^2 <= {n2('X')}",
    says="An entry is at most the Frobenius norm.",
)
def entry_below_norm(g: Goal) -> None:
    """The squared norm is the sum of the squared entries."""
    g.intro()
    e = g.fact("frobenius_entries", "rows", "cols", "X")
    row = "lam j:Z. X[i,j]^2"
    first = g.apply(g.by_fact("sum_term_le", "1", "cols", row, by=[None]), "j")
    rows = g.by_fact(
        "sum_term_le",
        "1",
        "rows",
        "lam i:Z. sum(j, 1, cols, X[i,j]^2)",
        by=[
            lambda g: (g.fix("k"), g.assume(), h := g.by_fact("sum_nonneg", "1", "cols", "lam j:Z. X[k,j]^2"), g.close_by(h))[-1]
        ],
    )
    second = g.apply(rows, "i")
    g.pos(["@" + first], ["@" + second], eqs=[(e, 1)])


@part(
    ID,
    "from-bounds",
    f"""all rows cols:Z, X:R~>M(rows,cols). (all s:R. 0 <= s => ex R:R. 1 <= R and all t:R, n:Z. 0 <= t => t <= s + 1 => 0 <= n =>
        {n2("d(n,X,t)")} <= ({factorial("n")}*R*(2*R)^n)^2) => {analytic("X", "rows", "cols")}""",
    says="Matrix functions with derivatives of order n below n! R (2 R)^n, R locally constant, are analytic.",
    uses=[ID],
)
def analytic_from_bounds(g: Goal) -> None:
    """The entries satisfy the same bounds."""
    g.fix()
    bounded = g.assume()
    g.fix("s")
    g.assume()
    r1, bound = g.obtain(g.apply(bounded, "s"), "R")
    g.have("0 < R", lambda g: g.pos(["@" + r1], ["1"]))
    g.witness("1/(4*R)")
    g.conj(lambda g: g.pos(["1/(4*R)"]), lambda g: entry_of_the_series(g, bound))


def entry_of_the_series(g: Goal, bound: str) -> None:
    """An entry f of X has the derivatives of that entry, and its series converges."""
    g.fix("t")
    g.split(g.assume())
    g.fix("i", "j", "e")
    rng = g.assume()
    g.assume()
    f = g.obtain(
        g.have("ex f:R~>R. all t:R. f(t) = X(t)[i,j]", lambda g: (g.witness("lam t:R. X(t)[i,j]"), g.intro(), g.field())[-1]), "f"
    )[0]

    same = agreement_in_every_order(g, "d({0},f,{1})", "d({0},X,{1})[i,j]", f, None)

    def below(g: Goal) -> None:
        g.fix("c", "n")
        g.assume()
        g.assume()
        close = g.assume()
        k = g.split(g.apply(g.split(g.fact("abs_le", "c - s", "1"))[0], by=[lambda g: g.close_by(close)]))
        b = g.apply(bound, "c", "n", by=[None, lambda g: g.pos(["@" + k[1]]), None])
        e = g.lemma(ID, "part:entry", "rows", "cols", "d(n,X,c)", "i", "j", by=[lambda g: g.close_by(rng)])
        v = g.apply(g.apply(same, "n"), "c")
        g.rewrite(v)
        g.pos(["@" + b], ["@" + e])

    series = g.lemma(ID, "part:series", "f", "s", "R", by=[None, None, below])
    p = g.obtain(g.apply(g.apply(series, "t", n=2), "e"), "p")[0]
    g.witness("p")
    g.fix("m")
    g.assume()
    h = g.apply(p, "m")

    def terms(g: Goal) -> None:
        (x,) = g.fix("x")
        g.split(g.assume())
        v = g.apply(g.apply(same, x), "s")
        g.field((v, f"(t - s)^{x}/{factorial(x)}"))

    one = g.by_fact(
        "sum_ext",
        "0",
        "m",
        f"lam k:Z. d(k,f,s)*(t - s)^k/{factorial('k')}",
        f"lam k:Z. d(k,X,s)[i,j]*(t - s)^k/{factorial('k')}",
        by=[terms],
    )
    h = g.rewritten(g.rewritten(h, one), g.apply(f, "t"))
    g.close_by(h)
