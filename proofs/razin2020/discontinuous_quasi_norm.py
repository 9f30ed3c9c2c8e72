"""The definition of quasi-norms and Footnote 20: Schatten quasi-norms are continuous along the solutions, quasi-norms need
not be."""

from __future__ import annotations

from proofs.razin2020.problem import QUASI_NORM, solution
from proofs.razin2020.quasi_norms import minus_one
from proofs.razin2020.schatten_norms import schatten
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

JUMP = "sqrt(tr(T({0}) @ ({0})))*(1 + {0}[1,1]*(1/{0}[1,1]))"
"""The Frobenius norm off the matrices with X[1,1] = 0 twice; 0 times the unspecified inverse of 0 is 0."""
IS_JUMP = "(all X:M(2,2). (X[1,1] = 0 => N(X) = sqrt(tr(T(X) @ X))) and (X[1,1] != 0 => N(X) = 2*sqrt(tr(T(X) @ X))))"
NORM_AXIOMS = QUASI_NORM.replace("c*(N(X) + N(Y))", "1*(N(X) + N(Y))")


@part(
    "razin2020.def-quasi-norm",
    "frobenius",
    """(all X Y:M(2,2). sqrt(tr(T(X + Y) @ (X + Y))) <= sqrt(tr(T(X) @ X)) + sqrt(tr(T(Y) @ Y))) and
       (all X:M(2,2), s:R. sqrt(tr(T(s*X) @ (s*X))) = abs(s)*sqrt(tr(T(X) @ X))) and
       (all X:M(2,2). sqrt(tr(T(X) @ X)) = 0 <=> X = O(2,2))""",
    says="the Frobenius norm is a norm",
)
def frobenius_is_a_norm(g: Goal) -> None:
    """Cauchy-Schwarz for the triangle inequality."""

    def triangle(g: Goal) -> None:
        g.fix("X", "Y")
        cauchy = g.fact("frobenius_cauchy", 2, 2, "X", "Y")
        p, q = (f"sqrt(tr(T({e}) @ ({e})))" for e in ("X", "Y"))
        a, b, c = (g.by_fact("sqrt_sq", f"tr(T({e}) @ ({e}))") for e in ("X", "Y", "X + Y"))
        for e in ("X", "Y", "X + Y"):
            g.by_fact("sqrt_nonneg", f"tr(T({e}) @ ({e}))")

        def mixed(g: Goal) -> None:
            k = g.contra()
            # tr > p q >= 0 contradicts tr^2 <= p^2 q^2
            g.pos([f"@{k}", f"@{k}"], [f"@{k}", 2, p, q], [f"@{cauchy}"], eqs=[(a, f"{q}^2"), (b, "tr(T(X) @ X)")])

        m = g.have(f"tr(T(X) @ Y) <= {p}*{q}", mixed)
        k = g.contra()
        g.pos([f"@{k}", f"@{k}"], [f"@{k}", 2, p], [f"@{k}", 2, q], [f"@{m}", 2], eqs=[(a, 1), (b, 1), (c, -1)])

    def homogeneous(g: Goal) -> None:
        g.fix("X", "s")
        a = g.by_fact("sqrt_sq", "tr(T(X) @ X)")
        low = g.by_fact("sqrt_nonneg", "tr(T(X) @ X)")
        v = g.fact("abs_square", "s")
        k = g.by_fact(
            "sqrt_unique",
            "tr(T(s*X) @ (s*X))",
            "abs(s)*sqrt(tr(T(X) @ X))",
            by=[lambda g: g.pos(["abs(s)", f"@{low}"]), lambda g: g.field((a, "abs(s)^2"), (v, "tr(T(X) @ X)"))],
        )
        g.close_by(k)

    def definite(g: Goal) -> None:
        g.fix("X")

        def forward(g: Goal) -> None:
            h = g.assume()
            a = g.by_fact("sqrt_sq", "tr(T(X) @ X)")
            zero = g.have("tr(T(X) @ X) = 0", lambda g: g.field((a, -1), (h, "sqrt(tr(T(X) @ X))")))
            g.close_by(g.by_fact("frobenius_zero", 2, 2, "X", by=[using(zero)]))

        def backward(g: Goal) -> None:
            g.rewrite(g.assume())
            g.close_by(g.by_fact("sqrt_unique", "tr(T(O(2,2)) @ O(2,2))", "0", by=[None, lambda g: g.field()]))

        g.iff(forward, backward)

    g.conj(triangle, homogeneous, definite)


@part(
    "razin2020.def-quasi-norm",
    "jump",
    f"all N:M(2,2)->R, c:R. {IS_JUMP} => c = 2 => {QUASI_NORM}",
    says="the Frobenius norm, doubled off the hyperplane X[1,1] = 0, is a quasi-norm with the constant 2",
    uses=["razin2020.def-quasi-norm"],
)
def jumping_norm_is_a_quasi_norm(g: Goal) -> None:
    """It lies between the Frobenius norm and its double."""
    value, two = g.intro()
    triangle, homogeneous, definite = g.split(g.lemma("razin2020.def-quasi-norm", "part:frobenius"))
    fro = "sqrt(tr(T({0}) @ ({0})))"

    def between(g: Goal) -> None:
        g.fix("X")
        low = g.by_fact("sqrt_nonneg", "tr(T(X) @ X)")
        a, b = g.split(g.apply(value, "X"))

        def zero(g: Goal) -> None:
            k = g.apply(a)
            g.conj(lambda g: g.pos(eqs=[(k, 1)]), lambda g: g.pos([f"@{low}"], eqs=[(k, -1)]))

        def other(g: Goal) -> None:
            k = g.apply(b)
            g.conj(lambda g: g.pos([f"@{low}"], eqs=[(k, 1)]), lambda g: g.pos(eqs=[(k, -1)]))

        g.em("X[1,1] = 0", zero, other)

    both = g.have(f"all X:M(2,2). {fro.format('X')} <= N(X) and N(X) <= 2*{fro.format('X')}", between)

    def nonneg(g: Goal) -> None:
        g.fix("X")
        low = g.by_fact("sqrt_nonneg", "tr(T(X) @ X)")
        k = g.split(g.apply(both, "X"))[0]
        g.pos([f"@{low}"], [f"@{k}"])

    def zero(g: Goal) -> None:
        g.fix("X")
        a, b = g.split(g.apply(both, "X"))
        low = g.by_fact("sqrt_nonneg", "tr(T(X) @ X)")
        iff = g.split(g.apply(definite, "X"))

        def forward(g: Goal) -> None:
            h = g.assume()
            f = g.have(
                f"{fro.format('X')} = 0",
                lambda g: g.antisym(lambda g: g.pos([f"@{a}"], eqs=[(h, -1)]), using(low)),
            )
            g.close_by(g.apply(iff[0], by=[using(f)]))

        def backward(g: Goal) -> None:
            h = g.assume()
            f = g.apply(iff[1], by=[using(h)])
            g.antisym(lambda g: g.pos([f"@{b}"], eqs=[(f, -2)]), lambda g: g.pos([f"@{a}"], eqs=[(f, 1)]))

        g.iff(forward, backward)

    def scaling(g: Goal) -> None:
        g.fix("X", "s")
        f = g.apply(homogeneous, "X", "s")
        a, b = g.split(g.apply(value, "X"))
        c, e = g.split(g.apply(value, "s*X"))

        def no_scale(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            entry = g.have("(s*X)[1,1] = 0", lambda g: g.field((eq, "X[1,1]")))
            k = g.apply(c, by=[using(entry)])
            zero = g.have("abs(s) = 0", lambda g: rewrite_zero(g, eq))
            g.field((k, 1), (f, 1), (zero, f"{fro.format('X')} - N(X)"))

        def scaled(g: Goal) -> None:
            s_nonzero = next(reversed(g.seq.hyps))

            def zero(g: Goal) -> None:
                eq = next(reversed(g.seq.hyps))
                entry = g.have("(s*X)[1,1] = 0", lambda g: g.field((eq, "s")))
                k, m = g.apply(c, by=[using(entry)]), g.apply(a)
                g.field((k, 1), (f, 1), (m, "-abs(s)"))

            def other(g: Goal) -> None:
                x_nonzero = next(reversed(g.seq.hyps))

                def entry(g: Goal) -> None:
                    wrong = g.contra()
                    product = g.have("s*X[1,1] = 0", lambda g: g.field((wrong, 1)))
                    h = g.apply(g.fact("product_zero", "s", "X[1,1]"), by=[using(product)])
                    g.cases(
                        h,
                        lambda g: g.clash(next(reversed(g.seq.hyps)), s_nonzero),
                        lambda g: g.clash(next(reversed(g.seq.hyps)), x_nonzero),
                    )

                n = g.have("(s*X)[1,1] != 0", entry)
                k, m = g.apply(e, by=[using(n)]), g.apply(b)
                g.field((k, 1), (f, 2), (m, "-abs(s)"))

            g.em("X[1,1] = 0", zero, other)

        g.em("s = 0", no_scale, scaled)

    def weak_triangle(g: Goal) -> None:
        g.fix("X", "Y")
        k = g.apply(triangle, "X", "Y")
        top = g.split(g.apply(both, "X + Y"))[1]
        a, b = g.split(g.apply(both, "X"))[0], g.split(g.apply(both, "Y"))[0]
        g.pos([f"@{top}"], [f"@{k}", 2], [f"@{a}", 2], [f"@{b}", 2], eqs=[(two, "N(X) + N(Y)")])

    g.conj(nonneg, zero, scaling, weak_triangle)


def rewrite_zero(g: Goal, eq: str) -> None:
    """abs(s) = 0 from s = 0."""
    g.rewrite(eq)
    g.field()


@part("razin2020.def-quasi-norm", "exists", f"ex N:M(2,2)->R. {IS_JUMP}", says="there is such a function")
def jump_exists(g: Goal) -> None:
    """It has a term with the total inverse."""
    g.witness(f"lam X:M(2,2). {JUMP.format('X')}")
    g.fix("X")

    def zero(g: Goal) -> None:
        h = g.assume()
        g.field((h, "sqrt(tr(T(X) @ X))*(1/X[1,1])"))

    def other(g: Goal) -> None:
        g.assume()
        g.field()

    g.conj(zero, other)


@holds(
    "razin2020.def-quasi-norm",
    f"""(all N:M(2,2)->R, c:R. {NORM_AXIOMS} => 1 <= c => 1 <= c and {QUASI_NORM}) and
       (ex N:M(2,2)->R, c:R. 1 <= c and {QUASI_NORM} and not ({NORM_AXIOMS}))""",
    uses=["razin2020.def-quasi-norm"],
    reading="a definition is not true or false: the predicate `1 <= c and` the four axioms is the one that the "
    "other claims use, for "
    "functions on the 2 x 2 matrices, the only vector space on which the paper uses it; what is proved is that it is "
    "meaningful: a norm is a quasi-norm with every c >= 1, and there is a quasi-norm that is no norm",
)
def quasi_norms_generalise_norms(g: Goal) -> None:
    """The Frobenius norm, doubled off the hyperplane X[1,1] = 0: at E11 + 10 E12 it exceeds the sum of the values of the
    summands."""

    def norms(g: Goal) -> None:
        g.fix("N", "c")
        a, b, s, t = g.split(g.assume())
        one = g.assume()

        def triangle(g: Goal) -> None:
            g.fix("X", "Y")
            k = g.apply(t, "X", "Y")
            x, y = g.apply(a, "X"), g.apply(a, "Y")
            g.pos([f"@{k}"], [f"@{one}", f"@{x}"], [f"@{one}", f"@{y}"])

        g.conj(using(one), using(a), using(b), using(s), triangle)

    def other(g: Goal) -> None:
        (value,) = g.obtain(g.lemma("razin2020.def-quasi-norm", "part:exists"), "N")
        g.witness("N", "2")
        quasi = g.lemma("razin2020.def-quasi-norm", "part:jump", "N", "2", by=[using(value), Goal.refl])
        q = g.split(quasi)

        def not_norm(g: Goal) -> None:
            t = g.split(g.assume())[3]
            x, y, z = "[[1,0],[0,0]]", "[[0,10],[0,0]]", "[[1,10],[0,0]]"
            k = g.apply(t, x, y)
            total = g.have(f"{x} + {y} = {z}", lambda g: g.ext())
            same = g.have(f"N({x} + {y}) = N({z})", lambda g: g.ctx(using(total)))
            nx = g.apply(g.split(g.apply(value, x))[1], by=[lambda g: g.field()])
            ny = g.apply(g.split(g.apply(value, y))[0], by=[lambda g: g.field()])
            nz = g.apply(g.split(g.apply(value, z))[1], by=[lambda g: g.field()])
            a = g.by_fact("sqrt_unique", f"tr(T({x}) @ {x})", "1", by=[None, lambda g: g.field()])
            b = g.by_fact("sqrt_unique", f"tr(T({y}) @ {y})", "10", by=[None, lambda g: g.field()])
            root = f"sqrt(tr(T({z}) @ {z}))"
            c = g.by_fact("sqrt_sq", f"tr(T({z}) @ {z})")
            low = g.have(f"10 <= {root}", lambda g: at_least_ten(g, c, root))
            only(g, k, same, nx, ny, nz, a, b, low)
            g.pos([f"@{k}"], [f"@{low}", 2], [8], eqs=[(same, 1), (nx, -1), (ny, -1), (nz, 1), (a, -2), (b, -1)])

        g.conj(None, *[using(h) for h in q], not_norm)

    g.conj(norms, other)


def at_least_ten(g: Goal, square: str, z: str) -> None:
    """10 <= sqrt(101)."""
    only(g, square)
    k = g.contra()
    low = g.by_fact("sqrt_nonneg", z[len("sqrt(") : -1])
    g.pos([f"@{k}", f"@{low}"], [f"@{k}", 10], [1], eqs=[(square, 1)])


@holds(
    "razin2020.fn-20-discontinuous",
    f"""(all p x e:R. 0 < p => 0 < e => ex h:R. 0 < h and all y:R. abs(y - x) < h =>
          abs({schatten("y")} - {schatten("x")}) < e) and
       (ex N:M(2,2)->R, c:R. 1 <= c and {QUASI_NORM} and
          (all h:R. 0 < h => ex x:R. abs(x) < h and N({solution("0")}) + 1 <= N({solution("x")})))""",
    uses=["razin2020.def-quasi-norm", "razin2020.eq-29"],
    argument="sound",
    reading="discontinuous: even along S, at x = 0",
)
def schatten_norms_are_continuous_but_not_all(g: Goal) -> None:
    """The Schatten norm is a smooth function of |x| (29); the jumping norm is sqrt(2) at x = 0 and at least 2 sqrt(2)
    elsewhere on S."""

    def continuous(g: Goal) -> None:
        positive, small = g.intro()
        value = g.have(f"all z:R. {schatten('z')} = {profile('abs(z)')}", along_s)
        near = [persistent(g, sign) for sign in ("", "-")]
        (h, k) = (g.obtain(n, name) for n, name in zip(near, ("h", "k"), strict=True))
        g.witness("min(h, k)")
        least = g.fact("min_cases", "h", "k")
        both = g.have("0 < min(h, k) and min(h, k) <= h and min(h, k) <= k", lambda g: least_of_two(g, least))
        low, a, b = g.split_all(both)

        def close(g: Goal) -> None:
            g.fix("y")
            d = g.assume()
            t = triangle_back(g)
            up = g.apply(h[1], "abs(y)", by=[lambda g: inside(g, t, d, a)])
            down = g.apply(k[1], "abs(y)", by=[lambda g: inside(g, t, d, b)])
            g.rewrite(g.apply(value, "x"))
            g.rewrite(g.apply(value, "y"))
            difference = f"{profile('abs(y)')} - {profile('abs(x)')}"
            cases = g.fact("abs_cases", difference)
            only(g, up, down, cases, small)

            def case(g: Goal, bound: str) -> None:
                _, eq = g.split(next(reversed(g.seq.hyps)))
                g.pos([f"@{bound}"], eqs=[(eq, -1)])

            g.cases(cases, lambda g: case(g, up), lambda g: case(g, down))

        g.conj(using(low), close)
        del positive

    def jump(g: Goal) -> None:
        (value,) = g.obtain(g.lemma("razin2020.def-quasi-norm", "part:exists"), "N")
        g.witness("N", "2")
        q = g.split(g.lemma("razin2020.def-quasi-norm", "part:jump", "N", "2", by=[using(value), Goal.refl]))
        g.conj(None, *[using(h) for h in q], lambda g: jumps(g, value))

    g.conj(continuous, jump)


def profile(t: str) -> str:
    """The Schatten-p norm along S as a function of t = |x|."""
    return f"(((sqrt({t}^2 + 4) + {t})/2)^p + ((sqrt({t}^2 + 4) - {t})/2)^p)^(1/p)"


def along_s(g: Goal) -> None:
    """The singular values (29) put in."""
    g.fix("z")
    first, second = g.split(g.lemma("razin2020.eq-29", "part:ordered", "z"))
    v = g.fact("abs_square", "z")
    root = g.have("sqrt(z^2 + 4) = sqrt(abs(z)^2 + 4)", lambda g: g.ctx(lambda g: g.field((v, -1))))
    one = g.have(f"sv({solution('z')},1) = (sqrt(abs(z)^2 + 4) + abs(z))/2", lambda g: g.field((first, 1), (root, "1/2")))
    two = g.have(f"sv({solution('z')},2) = (sqrt(abs(z)^2 + 4) - abs(z))/2", lambda g: g.field((second, 1), (root, "1/2")))
    g.rewrite(one)
    g.rewrite(two)
    g.refl()


def persistent(g: Goal, sign: str) -> str:
    """ex h: +-(profile(t) - profile(|x|)) < e for |t - |x|| <= h."""
    body = f"e - {sign}({profile('t')} - {profile('abs(x)')})"

    def smooth(g: Goal) -> None:
        t = "abs(x)"
        square = g.by_fact("sqrt_sq", f"{t}^2 + 4")
        g.have(f"0 < sqrt({t}^2 + 4)")

        def larger(g: Goal) -> None:
            k = g.contra()
            r = f"sqrt({t}^2 + 4)"
            g.pos([f"@{k}", r], [f"@{k}", t], [4], eqs=[(square, 1)])

        k = g.have(f"{t} < sqrt({t}^2 + 4)", larger)
        g.have(f"0 < (sqrt({t}^2 + 4) - {t})/2", lambda g: g.pos([f"@{k}", "1/2"]))
        g.auto()

    return g.by_fact("persistence", "abs(x)", f"lam t:R. {body}", by=[smooth, lambda g: g.auto()])


def least_of_two(g: Goal, least: str) -> None:
    """0 < min(h, k), which is at most h and k."""

    def case(g: Goal) -> None:
        _, eq = g.split(next(reversed(g.seq.hyps)))
        g.rewrite(eq)
        g.conj(None, lambda g: g.nlin(products=1), lambda g: g.nlin(products=1))

    g.cases(least, case, case)


def triangle_back(g: Goal) -> tuple[str, str]:
    """Adds ||y| - |x|| <= |y - x| as two bounds."""
    a = g.fact("abs_triangle", "y - x", "x")
    b = g.fact("abs_triangle", "x - y", "y")
    c = g.fact("abs_product", -1, "y - x")
    one = g.have("abs(-1) = 1", minus_one)
    same = g.have("abs(x - y) = abs(y - x)", lambda g: g.field((c, 1), (one, "abs(y - x)")))
    return (
        g.have("abs(y) - abs(x) <= abs(y - x)", lambda g: g.pos([f"@{a}"])),
        g.have("abs(x) - abs(y) <= abs(y - x)", lambda g: g.pos([f"@{b}"], eqs=[(same, -1)])),
    )


def inside(g: Goal, bounds: tuple[str, str], near: str, radius: str) -> None:
    """|x| - h <= |y| <= |x| + h."""
    g.conj(
        lambda g: g.pos([f"@{bounds[1]}"], [f"@{near}"], [f"@{radius}"]),
        lambda g: g.pos([f"@{bounds[0]}"], [f"@{near}"], [f"@{radius}"]),
    )


def jumps(g: Goal, value: str) -> None:
    """At x = h/2 the value is at least 2 sqrt(2), at 0 it is sqrt(2)."""
    g.fix("h")
    low = g.assume()
    g.witness("h/2")
    g.have("0 < h/2")
    w = solution("(h/2)")
    zero = solution("0")
    a = g.by_fact("sqrt_sq", f"tr(T({zero}) @ {zero})")
    p = f"sqrt(tr(T({zero}) @ {zero}))"
    g.have(f"0 < {p}", lambda g: positive_root_of_two(g, a, p))
    mono = g.by_fact(
        "sqrt_mono", f"tr(T({zero}) @ {zero})", f"tr(T({w}) @ {w})", by=[lambda g: g.pos([2]), lambda g: g.pos(["1/4", "h^2"])]
    )

    def one(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{k}", p], [f"@{k}"], [1], eqs=[(a, 1)])

    unit = g.have(f"1 <= {p}", one)
    at_zero = g.apply(g.split(g.apply(value, zero))[0], by=[lambda g: g.field()])
    away = g.apply(g.split(g.apply(value, w))[1], by=[lambda g: half_is_nonzero(g, w)])
    g.conj(
        lambda g: g.pos([f"@{low}", "1/2"]),
        lambda g: g.pos([f"@{mono}", 2], [f"@{unit}"], eqs=[(at_zero, -1), (away, 1)]),
    )


def half_is_nonzero(g: Goal, w: str) -> None:
    """The (1,1) entry h/2 is not 0."""
    entry = g.have(f"{w}[1,1] = h/2", lambda g: g.field())
    g.rewrite(entry)
    g.auto()


def positive_root_of_two(g: Goal, square: str, p: str) -> None:
    """0 < sqrt(2)."""
    low = g.by_fact("sqrt_nonneg", p[len("sqrt(") : -1])

    def zero(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        g.have("false", lambda g: g.pos([2], eqs=[(square, 1), (eq, p)]))
        g.auto()

    g.cases(g.by_fact("lt_or_eq", 0, p, by=[using(low)]), None, zero)
