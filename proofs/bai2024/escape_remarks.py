"""Appendix A.3 to A.6: remarks on the escape from a saddle, and on the scope of the cited landscape theorems."""

from __future__ import annotations

from proofs.bai2024.linearised_escape import MAIN, PREFIX, SQUARED
from verify.kernel import Goal
from verify.registry import holds

DOMINANT = f"{PREFIX} w != O(n,1) => all e:R. 0 < e => ex r:R. 0 < r and all t:R. r <= t => {SQUARED} < e^2*{MAIN}"


@holds(
    "bai2024.sec-a4-dominance",
    f"""(all a b:R. b < a => (all t:R. exp(a*t)/exp(b*t) = exp((a-b)*t)) and tendsoo(t, exp(a*t)/exp(b*t))) and ({DOMINANT})""",
    argument="sound",
    reading="near theta_c: for the linearised flow, whose distance from its part in the top eigenspace becomes any small fraction of this part",
    context="the start has a part in the top eigenspace [Section A.4]",
    uses=["bai2024.prop-a5"],
)
def top_eigenspace_dominates(g: Goal) -> None:
    """A quotient of exponentials is one; the amended Proposition A.5."""

    def ratio(g: Goal) -> None:
        g.fix()
        less = g.assume()
        gap = g.have("0 < a - b", lambda g: g.pos([f"@{less}"]))
        same = g.have("all t:R. exp((a-b)*t) = exp(a*t)/exp(b*t)", lambda g: (g.fix("t"), g.field())[-1])

        def grows(g: Goal) -> None:
            k = g.by_fact("tendsoo_exp", "a-b", by=[lambda g: g.close_by(gap)])
            d = g.fact("tendsoo_definition", "lam t:R. exp((a-b)*t)")
            e = g.fact("tendsoo_definition", "lam t:R. exp(a*t)/exp(b*t)")
            bound = g.apply(g.split(d)[0], by=[lambda g: g.close_by(k)], n=1)

            def late(g: Goal) -> None:
                (c,) = g.fix()
                hs = g.obtain(g.apply(bound, c), "z", split=False)
                g.witness("z")
                g.fix("t")
                later = g.assume()
                v = g.apply(hs[0], "t", by=[lambda g: g.close_by(later)])
                w = g.apply(same, "t")
                g.rewrite(w, back=True)
                g.close_by(v)

            g.close_by(g.apply(g.split(e)[1], by=[late], n=1))

        g.conj(lambda g: (g.fix("t"), g.field())[-1], grows)

    g.conj(ratio, lambda g: g.close_by(g.lemma("bai2024.prop-a5", "amendment")))


BOXES = """(all e:R. 0 < e => ex A B:Z->V(n). (all k i:Z. 1 <= i and i <= n => A(k)[i,1] <= B(k)[i,1]) and
  (all m:Z. sum(k, 1, m, prod(i, 1, n, B(k)[i,1] - A(k)[i,1])) <= e) and
  (all x:V(n). {zero} => (ex k:Z. 1 <= k and (all i:Z. 1 <= i and i <= n => A(k)[i,1] <= x[i,1] and x[i,1] <= B(k)[i,1]))))"""
"""The x with this property can be covered by boxes of any small total volume: a Lebesgue null set."""
ORTHOGONAL = "(all j:Z. 1 <= j and j <= l => (T(q(j)) @ (x - c))[1,1] = 0)"


@holds(
    "bai2024.thm-a4-step-generic-c",
    f"all n l:Z, q:Z->V(n), c:V(n). 1 <= n => 1 <= l => q(1) != O(n,1) => {BOXES.format(zero=ORTHOGONAL)}",
    argument="sound",
    reading="theta_0 = x is drawn from a distribution with a density; c is theta_c, and q(1), ..., q(l) are eigenvectors: the starts for which all"
    " products vanish are a Lebesgue null set",
)
def generic_starts_have_a_dominant_part(g: Goal) -> None:
    """They lie in the zero set of the affine function x -> q(1) . (x - c), which is not 0 at c + q(1)."""
    g.fix()
    g.assume()
    g.assume()
    nonzero = g.assume()
    value = "(T(q(1)) @ ({x} - c))[1,1]"

    def lines(g: Goal) -> None:
        g.fix("x", "y")
        a, b = value.format(x="x"), "(T(q(1)) @ y)[1,1]"
        g.witness("1", f"lam k:Z. (1-k)*{a} + k*{b}")
        g.fix("t")
        at = g.have("T(q(1)) @ ((x + t*y) - c) = T(q(1)) @ (x - c) + t*(T(q(1)) @ y)", lambda g: g.nc())
        g.rewrite(at)
        g.field()

    def somewhere(g: Goal) -> None:
        g.witness("c + q(1)")
        zero = g.contra()
        at = g.have("T(q(1)) @ ((c + q(1)) - c) = T(q(1)) @ q(1)", lambda g: g.nc())
        t = g.fact("tr_entries", "1", "T(q(1)) @ q(1)")
        e = g.have("(T(q(1)) @ ((c + q(1)) - c))[1,1] = (T(q(1)) @ q(1))[1,1]", lambda g: (g.rewrite(at), g.refl())[-1])
        norm = g.have("tr(T(q(1)) @ q(1)) = 0", lambda g: g.field((t, 1), (e, -1), (zero, 1)))
        z = g.by_fact("frobenius_zero", "n", "1", "q(1)", by=[lambda g: g.close_by(norm)])
        g.clash(z, nonzero)

    null = g.by_fact("polynomial_zeros_null", "n", f"lam x:V(n). {value.format(x='x')}", by=[None, lines, somewhere])
    g.fix("e")
    small = g.assume()
    boxes = g.obtain(g.apply(null, "e", by=[lambda g: g.close_by(small)]), "A", "B")
    g.witness("A", "B")

    def covered(g: Goal) -> None:
        g.fix("x")
        zero = g.apply(g.assume(), 1)
        g.close_by(g.apply(boxes[2], "x", by=[lambda g: g.close_by(zero)], n=1))

    g.conj(lambda g: g.close_by(boxes[0]), lambda g: g.close_by(boxes[1]), covered)


@holds(
    "bai2024.thm-a2-strict",
    """all n:Z, H:M(n,n). T(H) = H => not (all v:V(n). 0 <= (T(v) @ H @ v)[1,1]) => ex l:R, v:V(n). l < 0 and v != O(n,1) and H @ v = l*v""",
    argument="sound",
    reading="H is the Hessian at the stationary point, a symmetric matrix since f is C^2; with the printed definition of saddles (the Hessian is not"
    " positive semidefinite) strictness, a negative eigenvalue, follows for every k",
)
def indefinite_hessians_have_a_negative_eigenvalue(g: Goal) -> None:
    """In an orthonormal basis of eigenvectors the quadratic form is the sum of l_i times squares."""
    g.fix()
    symmetric, wrong = g.assume(), g.assume()
    known = [lambda g: g.close_by(symmetric), lambda g: g.close_by(symmetric), lambda g: g.refl()]
    unit, off = g.obtain(g.by_fact("simultaneous_diagonalisation", "n", "H", "H", by=known), "U")
    right = g.split(g.by_fact("inv_unique", "n", "T(U)", "U", by=[lambda g: g.close_by(unit)]))[1]
    (d_is,) = g.obtain(g.have("ex D:M(n,n). D = T(U) @ H @ U", lambda g: (g.witness("T(U) @ H @ U"), g.refl())[-1]), "D")
    turned = g.have("H @ U = U @ D", lambda g: g.nc((d_is, -1, "U", None), (right, -1, None, "H @ U")))
    back = g.have("H = U @ D @ T(U)", lambda g: g.nc((turned, 1, None, "T(U)"), (right, -1, "H", None)))

    def diagonal(g: Goal) -> None:
        g.fix("i", "j")
        ne = g.assume()
        k = g.split(g.apply(off, "i", "j", by=[lambda g: g.close_by(ne)]))[0]
        g.rewrite(d_is)
        g.close_by(k)

    zero = g.have("all i j:Z. i != j => D[i,j] = 0", diagonal)

    def found(g: Goal) -> None:
        _, _, negative = g.obtain(list(g.seq.hyps)[-1], "i")
        (e,) = g.obtain(g.by_fact("unit_vector", "n", "i"), "e", split=False)
        g.witness("D[i,i]", "U @ e")

        def value(g: Goal) -> str:
            """e[a,1] = I[a,i]."""
            k = g.apply(e, "n", "I(n)", "a")
            same = g.have("(I(n) @ e)[a,1] = e[a,1]", lambda g: (g.replace("I(n) @ e", "e", lambda g: g.nc()), g.refl())[-1])
            return g.have("e[a,1] = I(n)[a,i]", lambda g: g.field((k, 1), (same, -1)))

        def not_zero(g: Goal) -> None:
            flat = g.contra()
            z = g.have("e = O(n,1)", lambda g: g.nc((unit, -1, None, "e"), (flat, 1, "T(U)", None)))
            (a,) = g.obtain(g.have("ex a:Z. a = i", lambda g: (g.witness("i"), g.refl())[-1]), "a", split=False)
            v = value(g)
            w = g.have("e[a,1] = 0", lambda g: (g.rewrite(z), g.field())[-1])
            one = g.have("I(n)[a,i] = 1", lambda g: (g.rewrite(a), g.field())[-1])
            g.pos([], eqs=[(v, 1), (w, -1), (one, 1)])

        def eigen(g: Goal) -> None:
            def column(g: Goal) -> None:
                g.extn("a", "q")
                only = g.have("q = 1", lambda g: g.antisym())
                g.rewrite(only)
                k, v = g.apply(e, "n", "D", "a"), value(g)

                def same(g: Goal) -> None:
                    eq = list(g.seq.hyps)[-1]
                    one = g.have("I(n)[a,i] = 1", lambda g: (g.rewrite(eq), g.field())[-1])
                    at = g.have("D[a,i] = D[i,i]", lambda g: (g.rewrite(eq), g.refl())[-1])
                    g.field((k, 1), (at, 1), (v, "-D[i,i]"), (one, "-D[i,i]"))

                def other(g: Goal) -> None:
                    z = g.apply(zero, "a", "i")
                    g.field((k, 1), (z, 1), (v, "-D[i,i]"))

                g.em("a = i", same, other)

            c = g.have("D @ e = D[i,i]*e", column)
            g.nc((turned, 1, None, "e"), (c, 1, "U", None))

        g.conj(lambda g: g.close_by(negative), not_zero, eigen)

    def none(g: Goal) -> None:
        no = list(g.seq.hyps)[-1]

        def convex(g: Goal) -> None:
            g.fix("v")
            (y,) = g.obtain(g.have("ex y:V(n). y = T(U) @ v", lambda g: (g.witness("T(U) @ v"), g.refl())[-1]), "y")
            turned_y = g.have("T(y) = T(v) @ U", lambda g: (g.rewrite(y), g.nc())[-1])
            whole = g.have(
                "T(v) @ H @ v = T(y) @ (D @ y)",
                lambda g: g.nc((back, 1, "T(v)", "v"), (turned_y, -1, None, "D @ y"), (y, -1, "T(v) @ U @ D", None)),
            )
            g.rewrite(whole)
            m = g.apply(g.fact("mm_entry", 1, "n", 1, "T(y)", "D @ y"), 1, 1)

            def term(g: Goal) -> None:
                g.fix("i")
                g.split(g.assume())
                k = g.apply(g.fact("mm_entry", "n", "n", 1, "D", "y"), "i", 1)

                def others(g: Goal) -> None:
                    g.fix("j")
                    g.assume()
                    ne = g.assume()

                    def back_(g: Goal) -> None:
                        eq = g.contra()
                        g.clash(g.have("j = i", lambda g: g.field((eq, -1))), ne)

                    g.have("i != j", back_)
                    z = g.apply(zero, "i", "j")
                    g.field((z, "y[j,1]"))

                s = g.by_fact("sum_delta", 1, "n", "i", "lam j:Z. D[i,j]*y[j,1]", by=[None, None, others])
                g.field((k, "y[i,1]"), (s, "y[i,1]"))

            s = g.by_fact("sum_ext", 1, "n", "lam i:Z. y[i,1]*(D @ y)[i,1]", "lam i:Z. D[i,i]*y[i,1]^2", by=[term])

            def nonneg(g: Goal) -> None:
                g.fix("i")
                g.split(g.assume())

                def low(g: Goal) -> None:
                    g.contra("less")
                    both = g.have("ex i:Z. 1 <= i and i <= n and D[i,i] < 0", lambda g: (g.witness("i"), g.auto())[-1])
                    g.clash(both, no)

                h = g.have("0 <= D[i,i]", low)
                g.pos([f"@{h}", "y[i,1]^2"])

            p = g.by_fact("sum_nonneg", 1, "n", "lam i:Z. D[i,i]*y[i,1]^2", by=[nonneg])
            g.pos([f"@{p}"], eqs=[(m, 1), (s, 1)])

        g.contra()
        g.clash(g.have("all v:V(n). 0 <= (T(v) @ H @ v)[1,1]", convex), wrong)

    g.em("ex i:Z. 1 <= i and i <= n and D[i,i] < 0", found, none)


@holds(
    "bai2024.sec-a3-thm-a1-scope",
    "all d:Z. 1 <= d => d <= d and not (2*d <= d)",
    reading="the condition k >= d of Theorem A.2 on the shape of the factor U, with as many rows as the product U U^T: d rows and d columns in the"
    " symmetric case, 2d rows and d columns for (A; B^T)",
    covers="instances",
    because="the inequalities between the shapes are all that a formula can say; that the proof of Theorem A.1 relies on Theorem A.2, and so"
    " applies only to the symmetric case, is a remark on a text that is cited",
)
def width_condition_fails_for_stacked_factors(g: Goal) -> None:
    """2d > d."""
    g.fix("d")
    one = g.assume()

    def fails(g: Goal) -> None:
        h = g.assume()
        g.pos([f"@{h}"], [f"@{one}"], ["1"])

    g.conj(lambda g: g.refl(), fails)
