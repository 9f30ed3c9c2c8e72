"""Section 4: rank and nuclear norm of completions of the example matrices."""

from __future__ import annotations

from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

E, F = "[[1,0,0],[0,1,0]]", "[[1,0],[0,1],[0,0]]"


def rank_at_least_two(g: Goal) -> None:
    """The conclusion is 2 <= rank(X) for a 3 x 3 matrix X with the corner [1,2; 3,4]."""
    x = g.concl[2][2]
    corner = g.term("[[1,2],[3,4]]")
    e, f = g.term(E), g.term(F)
    same = g.have(("=", corner, ("mm", e, ("mm", x, f))), lambda g: g.ext(lambda g: g.field()))
    full = g.have("rank([[1,2],[3,4]]) = 2", lambda g: g.compute())
    one = g.fact("rank_product", 2, 3, 2, e, ("mm", x, f))
    two = g.fact("rank_product", 3, 3, 2, x, f)
    _, left = g.split(one)
    right, _ = g.split(two)
    number = g.have(("=", ("op", "rank", ("mm", e, ("mm", x, f))), 2), lambda g: (g.rewrite(same, back=True), g.close_by(full)))
    g.pos([f"@{left}"], [f"@{right}"], eqs=[(number, "1")])


M3 = "[[1,2,x],[3,4,y],[6,z,5]]"


@holds(
    "bai2024.assertion-m3-rank2-nonunique",
    f"""(all x y z:R. 2 <= rank({M3})) and
        (ex x y z u v w:R. rank({M3}) = 2 and rank([[1,2,u],[3,4,v],[6,w,5]]) = 2 and
           {M3} != [[1,2,u],[3,4,v],[6,w,5]])""",
    argument="sound",
)
def two_completions_of_rank_two(g: Goal) -> None:
    """The corner [1,2; 3,4] is invertible; (x, y, z) = (0, 5/2, 8) and (1, 5/2, 8) give rank 2."""

    def lower(g: Goal) -> None:
        g.intro()
        rank_at_least_two(g)

    def two(g: Goal) -> None:
        g.witness("0", "5/2", "8", "1", "5/2", "8")

        def differ(g: Goal) -> None:
            eq = g.contra()
            left, right = g.hyp_formula(eq)[1:]
            k = g.have(("=", ("entry", left, 1, 3), ("entry", right, 1, 3)), lambda g: (g.rewrite(eq), g.refl()))
            g.pos([], eqs=[(k, "1")])

        g.conj(lambda g: g.compute(), lambda g: g.compute(), differ)

    g.conj(lower, two)


@part(
    "bai2024.assertion-m1-neither",
    "minima",
    """rank([[1,2,5],[3,6,15],[1,2,5]]) = 1 and nuc([[1,2],[3,1]]) = 5 and nuc([[1,2],[3,6]])^2 = 50 and
       (all x:R. 5 <= nuc([[1,2],[3,x]]))""",
    says="M_1 has a completion of rank 1, and the observed part of its first two rows and columns has least nuclear norm 5,"
    " at (2,2) = 1; at"
    " (2,2) = 6, where the rank is 1, it is the root of 50.",
)
def minima_for_the_first_example(g: Goal) -> None:
    """For 2 x 2 matrices the squared nuclear norm is the squared Frobenius norm plus twice the modulus of the determinant."""

    def square(g: Goal, x: str) -> tuple[str, str]:
        """nuc^2 = 14 + x^2 + 2 |x - 6|, and 0 <= nuc."""
        m = f"[[1,2],[3,{x}]]"
        total = g.fact("nuc_is_sum", 2, m)
        a, b = g.split(g.fact("sv_2x2", m))
        r = g.fact("sv_range", 2, 2, m)
        one = g.apply(r, 1, 1, n=0)
        two = g.apply(r, 2, 2, n=0)
        g.split(one, "s1", "s1x")
        g.split(two, "s2", "s2x")
        t = g.have(f"tr(T({m}) @ {m}) = 14 + ({x})^2", lambda g: g.field())
        d = g.have(f"det({m}) = ({x}) - 6", lambda g: g.field())
        d2 = g.have(f"abs(det({m})) = abs(({x}) - 6)", lambda g: (g.rewrite(d), g.refl()))
        h = g.have(
            f"nuc({m})^2 = 14 + ({x})^2 + 2*abs(({x}) - 6)",
            lambda g: g.field((total, f"nuc({m}) + sv({m},1) + sv({m},2)"), (a, "2"), (b, "1"), (t, "1"), (d2, "2")),
        )
        p = g.have(f"0 <= nuc({m})", lambda g: g.pos(["@s1"], ["@s2"], eqs=[(total, "1")]))
        return h, p

    def least(g: Goal) -> None:
        h, p = square(g, "1")
        a = g.have("abs(1 - 6) = 5", lambda g: absolute(g))
        r = g.have("nuc([[1,2],[3,1]])^2 = 25", lambda g: g.field((h, 1), (a, 2)))
        root(g, r, p)

    def root(g: Goal, r: str, p: str) -> None:
        """n = 5 from n^2 = 25 and 0 <= n."""
        n = "nuc([[1,2],[3,1]])"
        k = g.by_fact("product_zero", f"{n} - 5", f"{n} + 5", by=[lambda g: g.field((r, 1))])

        def no(g: Goal) -> None:
            z = list(g.seq.hyps)[-1]
            g.contra()
            g.nlin(products=1, use=[p, z])

        g.cases(k, lambda g: g.field((list(g.seq.hyps)[-1], 1)), no)

    def absolute(g: Goal) -> None:
        k = g.fact("abs_cases", "1 - 6")

        def first(g: Goal) -> None:
            low, _ = g.split(list(g.seq.hyps)[-1])
            g.contra()
            g.pos([f"@{low}"], ["5"])

        def second(g: Goal) -> None:
            _, e = g.split(list(g.seq.hyps)[-1])
            g.field((e, 1))

        g.cases(k, first, second)

    def six(g: Goal) -> None:
        h, _ = square(g, "6")
        z = g.have("abs(6 - 6) = 0", lambda g: g.field())
        g.field((h, 1), (z, 2))

    def below(g: Goal) -> None:
        g.fix("x")
        h, p = square(g, "x")
        k = g.fact("abs_cases", "x - 6")
        n = "nuc([[1,2],[3,x]])"

        def finish(sign: str) -> Script:
            def script(g: Goal) -> None:
                a, e = g.split(list(g.seq.hyps)[-1])
                r = g.have(f"{n}^2 = 14 + x^2 + 2*({sign}(x - 6))", lambda g: g.field((h, 1), (e, 2)))
                v = g.obtain(g.have(f"ex v:R. v = {n}", lambda g: (g.witness(n), g.refl())), "v")[0]
                g.rewrite(v, back=True)
                g.have("0 <= v", lambda g: (g.rewrite(v), g.close_by(p)), name="low")
                g.have(f"v^2 = 14 + x^2 + 2*({sign}(x - 6))", lambda g: (g.rewrite(v), g.close_by(r)), name="level")
                no = g.contra()
                g.nlin("(x-1)^2", "(x-6)^2", products=2, use=["low", "level", no, a])

            return script

        g.cases(k, finish(""), finish("-"))

    g.conj(lambda g: g.compute(), least, six, below)


@part(
    "bai2024.assertion-m2-nuclear-not-rank",
    "ranks",
    "(all x y z u:R. 2 <= rank([[1,2,x],[3,4,y],[z,u,5]])) and rank([[1,2,5],[3,4,5],[1,2,5]]) = 2 and"
    " rank([[1,2,0],[3,4,0],[0,0,5]]) = 3",
    says="The least rank of a completion of M_2 is 2; with zeros at the unknown places the rank is 3.",
)
def ranks_of_the_second_example(g: Goal) -> None:
    """The corner [1,2; 3,4] is invertible."""

    def lower(g: Goal) -> None:
        g.intro()
        rank_at_least_two(g)

    g.conj(lower, lambda g: g.compute(), lambda g: g.compute())
