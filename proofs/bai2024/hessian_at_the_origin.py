"""Appendix A.5: gradient and Hessian by the chain rule, the block form of the Hessian, its eigenvectors at the origin."""

from __future__ import annotations

from proofs.bai2024.hessian import BINARY, FIRST, FORM, LINE, SECOND, VARIABLES, the_double_sum_is_not_part_of_the_hessian
from proofs.bai2024.kronecker_products import BLOCK, INDEPENDENT, KRON, LEMMA, PRODUCT, RESHAPED
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted

PARTS = "bai2024.def-h1-h2"


@holds(
    "bai2024.sec-a5-gradient-chain",
    f"{VARIABLES} 0 < c => {BINARY} => D(u, {LINE}, 0) = c*sum(i, 1, d, sum(j, 1, d, P[i,j]*((A @ B)[i,j] - M[i,j])*{FIRST}))",
    argument="sound",
    reading="tested with every direction (E, F): E_S is c times the sum over the observed entries, and (E B + A F)_ij is the inner product of"
    " the gradient of (A B)_ij with (E, F)",
)
def gradient_by_the_chain_rule(g: Goal) -> None:
    """The derivative of half a square."""
    g.fix()
    g.assume()
    g.assume()
    g.field()


refuted(
    "bai2024.sec-a5-hessian-chain",
    f"""all d:Z, P M:M(d,d). 1 <= d => {BINARY} => ex c:R. 0 < c and all A B E F:M(d,d).
        {FORM} = sum(i, 1, d, sum(j, 1, d, {FIRST}))^2 + {SECOND}""",
    reading="the first and the last member of the chain, as quadratic forms; the first two lines are the amendment",
    argument="fails",
    reason="the last line drops E_S and the factor of the second derivatives of the loss, which is 0 for i != j and for entries that are not"
    " observed: d = 2, all entries observed, A = M = 0, B = I, direction E = [1,-1; 0,0], F = 0",
)(the_double_sum_is_not_part_of_the_hessian)


@amendment(
    "bai2024.sec-a5-hessian-chain",
    f"""{VARIABLES} 1 <= d => 0 < c => {BINARY} => {FORM} = c*sum(i, 1, d, sum(j, 1, d, P[i,j]*{FIRST}^2)) + {SECOND}""",
    says="The Hessian is E_S of grad f_i (grad f_i)^T over the observed entries, plus E_S of (f - f*)_i times the Hessian of f_i.",
    uses=[PARTS],
)
def hessian_by_the_chain_rule(g: Goal) -> None:
    """The amended definition of the two parts."""
    g.close_by(g.lemma(PARTS, "amendment"))


PAIRING = "sum(a, 1, d, sum(b, 1, d, P[a,b]*(A @ B - M)[a,b]*(E @ F)[a,b]))"
LOSS = "1/2*sum(a, 1, d, sum(b, 1, d, P[a,b]*((A + u*E) @ (B + u*F) - M)[a,b]^2))"
CRITICAL = f"(all E F:M(d,d). D(u, {LOSS}, 0) = 0)"
NEGATIVE = f"-D(s, D(u, {LOSS}, s), 0)"
"""The quadratic form of the negative Hessian."""
BLOCK_FORM = f"-2*{PAIRING}"
"""The quadratic form of [0, -deltaM (x) I; -deltaM^T (x) I, 0]: the rows of E are paired with the columns of F."""


@refuted(
    "bai2024.eq-24",
    f"all d:Z, P M A B:M(d,d). 1 <= d => (all i j:Z. P[i,j] = 0 or P[i,j] = 1) => {CRITICAL} => all E F:M(d,d). {NEGATIVE} = {BLOCK_FORM}",
    argument="fails",
    reading="the printed definition H^(2) := - Hessian of R_S, as quadratic forms; the paper's earlier H^(2) has the opposite sign of the display",
    reason="the Hessian has the part H^(1) as well, which is not 0 away from the origin: d = 1, A = B = M = 1, direction E = 1, F = 0",
)
def first_part_is_missing(g: Goal) -> None:
    """d = 1, A = B = M = 1."""
    g.witness("1", "[[1]]", "[[1]]", "[[1]]", "[[1]]")

    def pattern(g: Goal) -> None:
        g.fix("i", "j")
        k = g.fact("entry_outside", 1, 1, "[[1]]")

        def outside(g: Goal) -> None:
            h = last(g)
            g.left_or_right(0)
            g.close_by(g.apply(k, "i", "j", by=[lambda g: g.close_by(h)]))

        def inside(g: Goal) -> None:
            g.split(last(g))
            for x in ("i", "j"):
                g.rewrite(g.have(f"{x} = 1", lambda g: g.antisym()))
            g.left_or_right(1)
            g.field()

        g.em("i < 1 or 1 < i or j < 1 or 1 < j", outside, inside)

    def critical(g: Goal) -> None:
        g.fix("E", "F")
        g.field()

    def differ(g: Goal) -> None:
        g.witness("[[1]]", "[[0]]")
        eq = g.contra()
        g.pos([], eqs=[(eq, 1)])

    g.conj(None, lambda g: g.conj(pattern, lambda g: g.conj(critical, differ)))


@amendment(
    "bai2024.eq-24",
    f"""all d:Z, P M A B E F:M(d,d). {NEGATIVE} = {BLOCK_FORM} -
       sum(a, 1, d, sum(b, 1, d, P[a,b]*(E @ B + A @ F)[a,b]^2))""",
    says="The displayed block matrix is the negative Hessian without its part H^(1), that is -H^(2).",
)
def block_form_with_the_first_part(g: Goal) -> None:
    """Differentiate twice."""
    g.fix()
    g.field()


ORIGIN = "1/2*sum(a, 1, d, sum(b, 1, d, P[a,b]*((O(d,d) + u*E) @ (O(d,d) + u*F) - M)[a,b]^2))"
AT_ORIGIN = f"D(s, D(u, {ORIGIN}, s), 0)"
SECOND_AT_ORIGIN = PAIRING.replace("A @ B", "O(d,d) @ O(d,d)")


@holds(
    "bai2024.eq-27",
    f"all d:Z, P M E F:M(d,d). -{AT_ORIGIN} = -2*{SECOND_AT_ORIGIN}",
    argument="repaired",
    reading="as quadratic forms: that of the block matrix pairs the rows of E with the columns of F. The middle H = H^(2) has the sign of the"
    " display (24), not that of the definition of H^(2)",
)
def negative_hessian_at_the_origin(g: Goal) -> None:
    """The output is of second order at the origin."""
    g.fix()
    g.field()


@holds(
    "bai2024.prop-a7-step-h1-zero",
    f"""all d:Z, P M E F:M(d,d). (E @ O(d,d) + O(d,d) @ F = O(d,d)) and
       sum(a, 1, d, sum(b, 1, d, (E @ O(d,d) + O(d,d) @ F)[a,b]))^2 = 0 and {AT_ORIGIN} = 2*{SECOND_AT_ORIGIN}""",
    argument="sound",
    reading="as quadratic forms: the gradients of the outputs vanish, so H^(1) does (as printed, with all pairs i, j), and the Hessian is H^(2)",
)
def first_part_vanishes_at_the_origin(g: Goal) -> None:
    """Each factor 0 gives 0."""
    g.fix()
    flat = g.have("E @ O(d,d) + O(d,d) @ F = O(d,d)", lambda g: g.nc())
    g.conj(lambda g: g.close_by(flat), lambda g: (g.rewrite(flat), g.field())[-1], lambda g: g.field())


MIXED = "1/2*sum(a, 1, d, sum(b, 1, d, P[a,b]*((O(d,d) + r*{0} + s*G) @ (O(d,d) + r*{1} + s*K) - M)[a,b]^2))"


def eigen(e: str, f: str) -> str:
    """(e, f) is an eigenvector of the negative Hessian at the origin with the eigenvalue l: tested with every (G, K)."""
    return f"(all G K:M(d,d). -D(r, D(s, {MIXED.format(e, f)}, 0), 0) = l*(tr(T({e}) @ G) + tr(T({f}) @ K)))"


VALUE = "tr(T(had(P, M)) @ ({0} @ K)) + tr(T(had(P, M)) @ (G @ {1}))"


@part(
    "bai2024.prop-a7",
    "trace",
    "all m n:Z, X Y:M(m,n). tr(T(X) @ Y) = sum(a, 1, m, sum(b, 1, n, X[a,b]*Y[a,b]))",
    says="the Frobenius inner product by entries",
)
def inner_product_by_entries(g: Goal) -> None:
    """The trace of X^T Y, and exchange of the sums."""
    g.fix()
    t = g.fact("tr_entries", "n", "T(X) @ Y")

    def diagonal(g: Goal) -> None:
        g.fix("b")
        g.assume()
        k = g.apply(g.fact("mm_entry", "n", "m", "n", "T(X)", "Y"), "b", "b")
        g.field((k, 1))

    s = g.by_fact("sum_ext", 1, "n", "lam b:Z. (T(X) @ Y)[b,b]", "lam b:Z. sum(a, 1, m, X[a,b]*Y[a,b])", by=[diagonal])
    w = g.fact("sum_swap", 1, "m", 1, "n", "lam a:Z, b:Z. X[a,b]*Y[a,b]")
    g.field((t, 1), (s, 1), (w, -1))


@part(
    "bai2024.prop-a7",
    "bilinear",
    f"""all d:Z, P M E F G K:M(d,d). -D(r, D(s, {MIXED.format("E", "F")}, 0), 0) = {VALUE.format("E", "F")}""",
    says="the bilinear form of the negative Hessian at the origin",
)
def bilinear_form_at_the_origin(g: Goal) -> None:
    """The second derivative of the output is E K + G F, the residual is -M."""
    g.fix()
    one = g.lemma("bai2024.prop-a7", "part:trace", "d", "d", "had(P, M)", "E @ K")
    two = g.lemma("bai2024.prop-a7", "part:trace", "d", "d", "had(P, M)", "G @ F")
    g.rewrite(one)
    g.rewrite(two)
    g.field()


NORMAL = "had(P, M) @ T({1}) = l*{0} and T({0}) @ had(P, M) = l*{1}"


@part(
    "bai2024.prop-a7",
    "equations",
    f"all d:Z, l:R, P M E F:M(d,d). {eigen('E', 'F')} <=> ({NORMAL.format('E', 'F')})",
    says="the eigenvectors at the origin by matrix equations",
)
def eigenvectors_by_equations(g: Goal) -> None:
    """The difference of the two sides is its own test direction."""
    g.fix()

    def value(g: Goal, gg: str, kk: str) -> str:
        return g.lemma("bai2024.prop-a7", "part:bilinear", *["d", "P", "M", "E", "F", gg, kk])

    def forward(g: Goal) -> None:
        law = g.assume()

        def zero(x: str, gg: str, kk: str) -> str:
            k, v = g.apply(law, gg, kk), value(g, gg, kk)
            flat = g.have(f"tr(T({x}) @ ({x})) = 0", lambda g: g.field((k, 1), (v, -1)))
            return g.by_fact("frobenius_zero", "d", "d", x, by=[lambda g: g.close_by(flat)])

        x, y = "had(P, M) @ T(F) - l*E", "T(E) @ had(P, M) - l*F"
        a, b = zero(x, x, "O(d,d)"), zero(y, "O(d,d)", y)
        g.conj(lambda g: g.nc((a, 1, None, None)), lambda g: g.nc((b, 1, None, None)))

    def backward(g: Goal) -> None:
        one, two = g.split(g.assume())
        g.fix("G", "K")
        v = value(g, "G", "K")
        g.rewrite(v)
        a = g.have("tr(T(had(P, M) @ T(F)) @ G) = tr(T(l*E) @ G)", lambda g: (g.rewrite(one), g.refl())[-1])
        b = g.have("tr(T(T(E) @ had(P, M)) @ K) = tr(T(l*F) @ K)", lambda g: (g.rewrite(two), g.refl())[-1])
        g.field((a, 1), (b, 1))

    g.iff(forward, backward)


@holds(
    "bai2024.prop-a7",
    f"""all d:Z, l:R, P M:M(d,d). 1 <= d => (ex E F:M(d,d). (E != O(d,d) or F != O(d,d)) and {eigen("E", "F")}) =>
       ex p q:V(d). (p != O(d,1) or q != O(d,1)) and (all e:V(d). {eigen("(p @ T(e))", "(e @ T(q))")})""",
    argument="repaired",
    reading="v = (p, q): the vector v (x) e has the rows p_a e^T of A and the columns q_b e of B; they are eigenvectors for every e, in"
    " particular for the d columns of the identity, for which they are independent because v is not 0. Eigenvectors are tested against all"
    " directions with the second derivative of the loss",
)
def eigenvectors_at_the_origin(g: Goal) -> None:
    """N F^T = l E and E^T N = l F; a column i in which E or F^T is not 0 gives p = E e_i and q = F^T e_i."""
    g.fix()
    g.assume()
    hs = g.obtain(g.assume(), "E", "F")
    nonzero, law = hs

    def equations(g: Goal, e: str, f: str) -> tuple[str, str]:
        h = g.lemma("bai2024.prop-a7", "part:equations", "d", "l", "P", "M", e, f)
        return tuple(g.split(h))

    one, two = g.split(g.apply(equations(g, "E", "F")[0], by=[lambda g: g.close_by(law)], n=1))

    def column(g: Goal) -> None:
        no = g.contra()

        def flat(x: str, place: str) -> str:
            def script(g: Goal) -> None:
                g.extn("a", "i")
                (e,) = g.obtain(g.by_fact("unit_vector", "d", place), "c", split=False)

                def entry(g: Goal) -> None:
                    g.contra("ne")

                    def wrong(g: Goal) -> None:
                        g.witness("c")
                        g.left_or_right(0 if x == "E" else 1)
                        eq = g.contra()
                        y = "E" if x == "E" else "T(F)"
                        at = "a" if x == "E" else "i"
                        k = g.apply(e, "d", y, at)
                        z = g.have(f"({y} @ c)[{at},1] = 0", lambda g: (g.rewrite(eq), g.field())[-1])
                        w = g.have(f"{x}[a,i] = 0", lambda g: g.field((k, -1), (z, 1)))
                        g.clash(w, "ne")

                    both = g.have("ex c:V(d). E @ c != O(d,1) or T(F) @ c != O(d,1)", wrong)
                    g.clash(both, no)

                z = g.have(f"{x}[a,i] = 0", entry)
                g.field((z, 1))

            return g.have(f"{x} = O(d,d)", script)

        a, b = flat("E", "i"), flat("F", "a")
        g.cases(nonzero, lambda g: g.clash(a, last(g)), lambda g: g.clash(b, last(g)))

    some = g.obtain(g.have("ex c:V(d). E @ c != O(d,1) or T(F) @ c != O(d,1)", column), "c", split=False)[0]
    named = "ex p q:V(d). p = E @ c and q = T(F) @ c"
    p_is, q_is = g.obtain(g.have(named, lambda g: (g.witness("E @ c", "T(F) @ c"), g.auto())[-1]), "p", "q")
    g.witness("p", "q")

    def every(g: Goal) -> None:
        g.fix("e")
        _, back = g.split(g.lemma("bai2024.prop-a7", "part:equations", "d", "l", "P", "M", "p @ T(e)", "e @ T(q)"))
        turned = g.have("T(q) = T(T(F) @ c)", lambda g: (g.rewrite(q_is), g.refl())[-1])
        tp = g.have("T(p) = T(E @ c)", lambda g: (g.rewrite(p_is), g.refl())[-1])
        equal = [
            lambda g: g.nc((q_is, 1, "had(P, M)", "T(e)"), (one, 1, None, "c @ T(e)"), (p_is, "-l", None, "T(e)")),
            lambda g: g.nc((tp, 1, "e", "had(P, M)"), (two, 1, "e @ T(c)", None), (turned, "-l", "e", None)),
        ]
        g.close_by(g.apply(back, by=[lambda g: g.conj(*equal)], n=1))

    def direction(g: Goal) -> None:
        g.rewrite(p_is)
        g.rewrite(q_is)
        g.close_by(some)

    g.conj(direction, every)


@holds(
    "bai2024.thm-a4-step-exactly-d",
    f"""all d n:Z, l:R, P M A B:M(d,d), X:M(n,n), H:M(n*d,n*d), v:V(n). 1 <= d => n = 2*d => {BLOCK} => {KRON.format(H="H", X="X")} =>
       v != O(n,1) => X @ v = l*v => (all w:V(n). X @ w = l*w => ex x:R. w = x*v) =>
       {INDEPENDENT} and (all i:Z, x:V(n*d). 1 <= i and i <= d => {PRODUCT.format(x="x", i="i")} => H @ x = l*x) and
       (all x:V(n*d). H @ x = l*x => ex c:V(d). {RESHAPED.format(x="x", U="v[a,1]*c[r,1]")})""",
    argument="repaired",
    reading="H is the displayed matrix (24), that is -H^(2) with the sign of the definition, and l any eigenvalue of X = [0, -deltaM;"
    " -deltaM^T, 0] with a one-dimensional eigenspace (Assumption A.1: the largest one): the products are independent eigenvectors, and every"
    " eigenvector is a combination of them",
    uses=[LEMMA],
)
def a_simple_eigenvalue_has_multiplicity_d(g: Goal) -> None:
    """The columns of the matrix of an eigenvector are multiples of v."""
    g.fix()
    for _ in range(3):
        g.assume()
    entries, nonzero, eigenvector, simple = g.assume(), g.assume(), g.assume(), g.assume()
    known = [None, None, *[lambda g, h=h: g.close_by(h) for h in (entries, nonzero, eigenvector)]]
    vectors, combination = g.split(g.lemma(LEMMA, "part:vectors", "n", "d", "l", "X", "H", "v", by=known))

    def products(g: Goal) -> None:
        g.fix("i", "x")
        place, shape = g.assume(), g.assume()
        k = g.apply(vectors, "i", "x", by=[lambda g: g.close_by(place), lambda g: g.close_by(shape)])
        g.close_by(g.split(k)[1])

    def all_of_them(g: Goal) -> None:
        g.fix("x")
        eq = g.assume()
        (u,) = g.obtain(g.fact("matrix_of_entries", "n", "d", "lam a:Z, r:Z. x[(a-1)*d+r,1]"), "U", split=False)

        def shape(g: Goal) -> None:
            g.fix("a", "r")
            g.assume()
            k = g.apply(u, "a", "r")
            g.field((k, -1))

        shaped = g.have(RESHAPED.format(x="x", U="U[a,r]"), shape)
        act = g.lemma(
            LEMMA,
            "part:action",
            *["n", "d", "X", "H", "U", "x"],
            by=[None, None, lambda g: g.close_by(entries), lambda g: g.close_by(shaped)],
        )

        def matrix(g: Goal) -> None:
            g.extn("a", "r")
            k, s = g.apply(act, "a", "r"), g.apply(shaped, "a", "r")
            e = g.have("(H @ x)[(a-1)*d+r,1] = l*x[(a-1)*d+r,1]", lambda g: (g.rewrite(eq), g.field())[-1])
            g.field((k, -1), (e, 1), (s, "l"))

        law = g.have("X @ U = l*U", matrix)
        g.have("0 < tr(T(v) @ v)", lambda g: positive(g, nonzero))
        (c,) = g.obtain(g.fact("matrix_of_entries", "d", 1, "lam r:Z, q:Z. (T(U) @ v)[r,1]/tr(T(v) @ v)"), "c", split=False)
        g.witness("c")
        g.fix("a", "r")
        g.split(g.assume())
        (e,) = g.obtain(g.by_fact("unit_vector", "d", "r"), "e", split=False)
        column = g.apply(simple, "U @ e", by=[lambda g: g.nc((law, 1, None, "e"))])
        multiple = g.obtain(column, "y", split=False)[0]
        value = g.apply(e, "n", "U", "a")
        k = g.have("(U @ e)[a,1] = y*v[a,1]", lambda g: (g.rewrite(multiple), g.field())[-1])
        s = g.apply(shaped, "a", "r")
        t = g.apply(c, "r", "1")
        m = g.apply(g.fact("mm_entry", "d", "n", 1, "T(U)", "v"), "r", "1")

        def term(g: Goal) -> None:
            g.fix("b")
            g.split(g.assume())
            one = g.apply(e, "n", "U", "b")
            two = g.have("(U @ e)[b,1] = y*v[b,1]", lambda g: (g.rewrite(multiple), g.field())[-1])
            g.field((one, "-v[b,1]"), (two, "v[b,1]"))

        z = g.by_fact("sum_ext", 1, "n", "lam b:Z. U[b,r]*v[b,1]", "lam b:Z. y*(v[b,1]*v[b,1])", by=[term])
        w = g.fact("tr_entries", 1, "T(v) @ v")
        ratio = g.have("(T(U) @ v)[r,1] = y*tr(T(v) @ v)", lambda g: g.field((m, 1), (z, 1), (w, "-y")))
        coefficient = g.have("c[r,1] = y", lambda g: (g.rewrite(t), g.rewrite(ratio), g.field())[-1])
        g.field((s, 1), (value, -1), (k, 1), (coefficient, "-v[a,1]"))

    g.conj(lambda g: g.close_by(combination), products, all_of_them)


def positive(g: Goal, nonzero: str) -> None:
    """0 < v^T v for v != 0."""
    g.contra("low")
    zero = g.have("tr(T(v) @ v) = 0", lambda g: g.antisym(lambda g: g.close_by("low"), lambda g: g.pos(["tr(T(v) @ v)"])))
    g.clash(g.by_fact("frobenius_zero", "n", 1, "v", by=[lambda g: g.close_by(zero)]), nonzero)
