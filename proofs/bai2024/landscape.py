"""Theorem 1 (A.3): every critical point of the loss is a strict saddle or a global minimum."""

from __future__ import annotations

from proofs.bai2024.graphs import inside
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted, undecided

BINARY = "(all i j:Z. P[i,j] = 0 or P[i,j] = 1)"


def pairing(x: str, y: str) -> str:
    """The inner product of two matrices over the observed entries."""
    return f"sum(a, 1, d, sum(b, 1, d, P[a,b]*({x})[a,b]*({y})[a,b]))"


def loss(a: str, b: str) -> str:
    """Half the sum of the squared residuals over the observed entries."""
    return f"1/2*{pairing(f'({a}) @ ({b}) - M', f'({a}) @ ({b}) - M')}"


MOVED = loss("A + u*E", "B + u*F")
FIRST = "E @ B + A @ F"
RESIDUAL = "A @ B - M"
FORM = f"1/2*{pairing(FIRST, FIRST)} + {pairing(RESIDUAL, 'E @ F')}"
"""h_{A,B}(E, F)."""
CRITICAL = f"(all E F:M(d,d). D(u, {MOVED}, 0) = 0)"
"""All directional derivatives of the loss vanish at (A, B)."""
STRICT = f"(ex E F:M(d,d). D(s, D(u, {MOVED}, s), 0) < 0)"
"""The Hessian at (A, B) is negative in some direction."""
GLOBAL = f"(all C G:M(d,d). {loss('A', 'B')} <= {loss('C', 'G')})"
DIRECTION = "(all a b:Z. 1 <= a and a <= d and 1 <= b and b <= d => E[a,b] = I(d)[a,i]*w[b,1] and F[a,b] = v[a,1]*I(d)[b,j])"
"""E has the i-th row w^T and F the j-th column v; the other entries are 0."""
PLACE = "1 <= i and i <= d and 1 <= j and j <= d"


@holds(
    "bai2024.thm-a3-loss-normalisation",
    f"""all d:Z, P M A B:M(d,d). {BINARY} => 1/2*tr(T(had(P, A @ B - M)) @ had(P, A @ B - M)) = {loss("A", "B")}""",
    argument="sound",
    reading="half the squared masked norm is half the sum of the squares over the observed entries",
)
def masked_norm_by_entries(g: Goal) -> None:
    """The squared Frobenius norm by entries; P^2 = P."""
    g.fix()
    binary = g.assume()
    x = g.obtain(g.have("ex X:M(d,d). X = A @ B - M", lambda g: (g.witness("A @ B - M"), g.refl())[-1]), "X")[0]
    g.rewrite(x, back=True)
    whole = g.fact("frobenius_entries", "d", "d", "had(P, X)")

    def row(g: Goal) -> None:
        g.fix("a")
        g.assume()

        def entry(g: Goal) -> None:
            g.fix("b")
            g.assume()
            g.cases(
                g.apply(binary, "a", "b"),
                lambda g: g.field((last(g), "X[a,b]^2*(P[a,b] - 1)")),
                lambda g: g.field((last(g), "X[a,b]^2*P[a,b]")),
            )

        h = g.by_fact("sum_ext", 1, "d", "lam b:Z. had(P, X)[a,b]^2", "lam b:Z. P[a,b]*X[a,b]*X[a,b]", by=[entry])
        g.close_by(h)

    same = g.by_fact(
        "sum_ext",
        1,
        "d",
        "lam a:Z. sum(b, 1, d, had(P, X)[a,b]^2)",
        "lam a:Z. sum(b, 1, d, P[a,b]*X[a,b]*X[a,b])",
        by=[row],
    )
    g.field((whole, "1/2"), (same, "1/2"))


VARIABLES = "all d:Z, P M A B E F:M(d,d)."


@holds(
    "bai2024.eq-13",
    f"""{VARIABLES} {BINARY} => all u:R.
       {MOVED} = 1/2*{pairing(*["A @ B - M + (u*E) @ B + A @ (u*F) + (u*E) @ (u*F)"] * 2)} and
       {MOVED} = 1/2*{pairing(RESIDUAL, RESIDUAL)} + u*{pairing(RESIDUAL, FIRST)} + u^2*({FORM}) +
         (u^3*{pairing(FIRST, "E @ F")} + u^4*(1/2*{pairing("E @ F", "E @ F")}))""",
    argument="sound",
    reading="the perturbation is (u E, u F); the o-term is written out: it has degree 3 and 4 in u. On the observed entries deltaM is AB - M",
)
def expansion_of_the_loss(g: Goal) -> None:
    """(A + u E)(B + u F) = A B + u (E B + A F) + u^2 E F; the sums are linear."""
    g.fix()
    g.assume()
    g.fix("u")
    g.conj(lambda g: g.field(), lambda g: g.field())


@holds(
    "bai2024.thm-a3-step-first-order",
    f"all d:Z, P M A B:M(d,d). {BINARY} => {CRITICAL} => all E F:M(d,d). {pairing(RESIDUAL, FIRST)} = 0",
    argument="sound",
    reading="critical: every directional derivative of the loss is 0",
)
def first_order_term_vanishes(g: Goal) -> None:
    """It is the derivative of the loss along (E, F)."""
    g.fix()
    g.assume()
    critical = g.assume()
    g.fix("E", "F")
    k = g.apply(critical, "E", "F")
    d = g.have(f"D(u, {MOVED}, 0) = {pairing(RESIDUAL, FIRST)}", lambda g: g.field())
    g.field((d, -1), (k, 1))


@holds(
    "bai2024.thm-a3-step-hessian-form",
    f"{VARIABLES} {BINARY} => D(s, D(u, {MOVED}, s), 0) = 2*({FORM})",
    argument="sound",
    reading="the second derivative of the loss along (E, F) is 2 h(E, F): h is the term of second order",
)
def second_order_term(g: Goal) -> None:
    """Differentiate the expansion twice."""
    g.fix()
    g.assume()
    g.field()


@holds(
    "bai2024.thm-a3-step-h",
    f"""all d i j:Z, P M A B E F:M(d,d), v w:V(d). {BINARY} => {PLACE} => P[i,j] = 1 => (A @ B - M)[i,j] != 0 => rank(A) < d =>
       v != O(d,1) => A @ v = O(d,1) => {DIRECTION} => {FORM} = 1/2*{pairing("E @ B", "E @ B")} + (A @ B - M)[i,j]*(T(w) @ v)[1,1]""",
    argument="sound",
)
def form_at_the_special_direction(g: Goal) -> None:
    """A F = 0 since A v = 0, and E F has only the entry w^T v at (i, j)."""
    g.fix()
    g.assume()
    g.split(g.assume())
    one = g.assume()
    for _ in range(3):
        g.assume()
    kernel, direction = g.assume(), g.assume()
    x = g.obtain(g.have("ex X:M(d,d). X = A @ B - M", lambda g: (g.witness("A @ B - M"), g.refl())[-1]), "X")[0]
    g.rewrite(x, back=True)

    def flat(g: Goal) -> None:
        g.extn("p", "q")
        m = g.apply(g.fact("mm_entry", "d", "d", "d", "A", "F"), "p", "q")

        def term(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            _, b = g.split(g.apply(direction, "l", "q"))
            g.field((b, "A[p,l]"))

        s = g.by_fact("sum_ext", 1, "d", "lam l:Z. A[p,l]*F[l,q]", "lam l:Z. A[p,l]*v[l,1]*I(d)[q,j]", by=[term])
        k = g.apply(g.fact("mm_entry", "d", "d", 1, "A", "v"), "p", 1)
        z = g.have("(A @ v)[p,1] = 0", lambda g: (g.rewrite(kernel), g.field())[-1])
        g.field((m, 1), (s, 1), (k, "-I(d)[q,j]"), (z, "I(d)[q,j]"))

    none = g.have("A @ F = O(d,d)", flat)

    def corner(g: Goal) -> None:
        g.fix("p", "q")
        g.split(g.assume())
        m = g.apply(g.fact("mm_entry", "d", "d", "d", "E", "F"), "p", "q")

        def term(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            a, _ = g.split(g.apply(direction, "p", "l"))
            _, b = g.split(g.apply(direction, "l", "q"))
            g.field((a, "F[l,q]"), (b, "I(d)[p,i]*w[l,1]"))

        s = g.by_fact("sum_ext", 1, "d", "lam l:Z. E[p,l]*F[l,q]", "lam l:Z. I(d)[p,i]*w[l,1]*(v[l,1]*I(d)[q,j])", by=[term])
        k = g.apply(g.fact("mm_entry", 1, "d", 1, "T(w)", "v"), 1, 1)
        g.field((m, 1), (s, 1), (k, "-I(d)[p,i]*I(d)[q,j]"))

    outer = "I(d)[p,i]*I(d)[q,j]*(T(w) @ v)[1,1]"
    product = g.have(f"all p q:Z. 1 <= p and p <= d and 1 <= q and q <= d => (E @ F)[p,q] = {outer}", corner)
    body = "P[a,b]*X[a,b]*(E @ F)[a,b]"

    rows = only_row(g, body, product, "P[a,b]*X[a,b]")

    def other_columns(g: Goal) -> None:
        g.fix("b")
        g.split(g.assume())
        g.assume()
        e = g.apply(product, "i", "b")
        g.field((e, "P[i,b]*X[i,b]"))

    columns = g.by_fact("sum_delta", 1, "d", "j", f"lam b:Z. {body.replace('[a,', '[i,')}", by=[None, None, other_columns])
    here = g.apply(product, "i", "j")
    quadratic = g.have(
        f"{pairing(FIRST, FIRST)} = {pairing('E @ B', 'E @ B')}",
        lambda g: (g.replace("E @ B + A @ F", "E @ B", lambda g: g.nc((none, 1, None, None))), g.refl())[-1],
    )
    g.field((quadratic, "1/2"), (rows, 1), (columns, 1), (one, "X[i,j]*(E @ F)[i,j]"), (here, "X[i,j]"))


def only_row(g: Goal, body: str, product: str, cofactor: str) -> str:
    """Adds that a double sum over a, b has only the terms a = i: `product` says what a factor of its body is, which vanishes in the other rows."""

    def others(g: Goal) -> None:
        g.fix("a")
        g.split(g.assume())
        g.assume()

        def zero(g: Goal) -> None:
            g.fix("b")
            g.split(g.assume())
            g.field((g.apply(product, "a", "b"), cofactor))

        s = g.by_fact("sum_ext", 1, "d", f"lam b:Z. {body}", "lam b:Z. 0", by=[zero])
        g.field((s, 1))

    return g.by_fact("sum_delta", 1, "d", "i", f"lam a:Z. sum(b, 1, d, {body})", by=[None, None, others])


SMALL = f"1/2*{pairing('E @ B', 'E @ B')} + (A @ B - M)[i,j]*(T(w) @ v)[1,1]"
WIDE = "1/2*(T(w) @ B @ T(B) @ w)[1,1] + (A @ B - M)[i,j]*(T(w) @ v)[1,1]"

undecided(
    "bai2024.thm-a3-step-bound",
    outcome="ill-formed",
    reason="w^T B is a row vector of length d, while the mask S_x is a set of positions of a d x d matrix; if the mask of row i is meant, the"
    " equation is false (a row with an unobserved entry), if none is meant, all is true",
    argument="repaired",
)


@amendment(
    "bai2024.thm-a3-step-bound",
    f"""all d i j:Z, P M A B E F:M(d,d), v w:V(d). {BINARY} => {PLACE} => {DIRECTION} =>
       {SMALL} <= 1/2*tr(T(T(w) @ B) @ (T(w) @ B)) + (A @ B - M)[i,j]*(T(w) @ v)[1,1] and
       1/2*tr(T(T(w) @ B) @ (T(w) @ B)) + (A @ B - M)[i,j]*(T(w) @ v)[1,1] = {WIDE}""",
    says="Without the mask in the middle: the masked square of E B is at most that of w^T B, which is w^T B B^T w.",
)
def dropping_the_mask(g: Goal) -> None:
    """Row i of E B is w^T B, the other rows are 0; a binary factor at most 1 only lowers a square."""
    g.fix()
    binary = g.assume()
    g.split(g.assume())
    direction = g.assume()

    def entry(g: Goal) -> None:
        g.fix("p", "q")
        g.split(g.assume())
        m = g.apply(g.fact("mm_entry", "d", "d", "d", "E", "B"), "p", "q")

        def term(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            a, _ = g.split(g.apply(direction, "p", "l"))
            g.field((a, "B[l,q]"))

        s = g.by_fact("sum_ext", 1, "d", "lam l:Z. E[p,l]*B[l,q]", "lam l:Z. I(d)[p,i]*w[l,1]*B[l,q]", by=[term])
        k = g.apply(g.fact("mm_entry", 1, "d", "d", "T(w)", "B"), 1, "q")
        g.field((m, 1), (s, 1), (k, "-I(d)[p,i]"))

    row = "I(d)[p,i]*(T(w) @ B)[1,q]"
    product = g.have(f"all p q:Z. 1 <= p and p <= d and 1 <= q and q <= d => (E @ B)[p,q] = {row}", entry)
    square = g.fact("frobenius_entries", 1, "d", "T(w) @ B")
    body = "P[a,b]*(E @ B)[a,b]*(E @ B)[a,b]"

    rows = only_row(g, body, product, "P[a,b]*(E @ B)[a,b]")

    def smaller(g: Goal) -> None:
        g.fix("b")
        g.split(g.assume())
        e = g.apply(product, "i", "b")
        g.cases(
            g.apply(binary, "i", "b"),
            lambda g: g.pos(["(T(w) @ B)[1,b]^2"], eqs=[(last(g), "-(E @ B)[i,b]^2")]),
            lambda g: g.pos(eqs=[(last(g), "-(E @ B)[i,b]^2"), (e, "-((E @ B)[i,b] + (T(w) @ B)[1,b])")]),
        )

    columns = g.by_fact("sum_mono", 1, "d", f"lam b:Z. {body.replace('[a,', '[i,')}", "lam b:Z. (T(w) @ B)[1,b]^2", by=[smaller])
    first = g.have("tr(T(T(w) @ B) @ (T(w) @ B)) = sum(b, 1, d, (T(w) @ B)[1,b]^2)", lambda g: g.field((square, 1)))
    second = g.have("tr(T(T(w) @ B) @ (T(w) @ B)) = (T(w) @ B @ T(B) @ w)[1,1]", scalar)
    g.conj(
        lambda g: g.pos([f"@{columns}", "1/2"], eqs=[(rows, "-1/2"), (first, "1/2")]),
        lambda g: g.field((second, "1/2")),
    )


def scalar(g: Goal) -> None:
    """The trace of B^T w w^T B is the entry of the 1 x 1 matrix w^T B B^T w."""
    t = g.fact("tr_entries", 1, "T(w) @ B @ T(B) @ w")
    turned = g.have("tr(T(T(w) @ B) @ (T(w) @ B)) = tr(T(w) @ B @ T(B) @ w)", lambda g: g.field())
    g.field((turned, 1), (t, 1))


VALUE = "1/2*(T(w) @ B @ T(B) @ w)[1,1] + c*(T(w) @ v)[1,1]"
"""g(w, v) with c for the entry of the residual."""
AT = "1/2*(T(-x*c*v) @ B @ T(B) @ (-x*c*v))[1,1] + c*(T(-x*c*v) @ v)[1,1]"
"""g(-alpha c v, v)."""


MIDDLE = "1/2*x^2*c^2*(T(v) @ B @ T(B) @ v)[1,1] - x*c^2*(T(v) @ v)[1,1]"


@refuted(
    "bai2024.thm-a3-step-g",
    f"""all d:Z, B:M(d,d), v:V(d), c x:R. 1 <= d => v != O(d,1) => c != 0 =>
       {AT} = {MIDDLE} and {MIDDLE} = 1/2*x^2*c^2*((T(v) @ B @ T(B) @ v)[1,1] - 2*(T(v) @ v)[1,1])""",
    argument="repaired",
    reason="the last factorisation takes alpha^2 out of a term that has alpha: for d = 1, B = v = 1, deltaM = 1, alpha = 2 the middle is 0 and"
    " the right side -2",
)
def wrong_factor(g: Goal) -> None:
    """d = 1, B = v = 1, alpha = 2."""
    g.witness("1", "[[1]]", "[[1]]", "1", "2")

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "or":
            g.left_or_right(1)
            eq = g.contra()
            g.pos(["2"], eqs=[(eq, -1)])
        elif c[0] == "!=" and "mat" in str(c):
            eq = g.contra()
            k = g.have("[[1]][1,1] = O(1,1)[1,1]", lambda g: (g.rewrite(eq), g.refl())[-1])
            g.pos([], eqs=[(k, -1)])
        else:
            g.auto()

    close(g)


@amendment(
    "bai2024.thm-a3-step-g",
    f"""all d:Z, B:M(d,d), v:V(d), c x:R.
       {AT} = {MIDDLE} and {MIDDLE} = 1/2*x*c^2*(x*(T(v) @ B @ T(B) @ v)[1,1] - 2*(T(v) @ v)[1,1])""",
    says="The common factor is alpha/2, not alpha^2/2, and alpha stays inside.",
)
def value_along_the_kernel(g: Goal) -> None:
    """The first term is quadratic and the second linear in w."""
    g.fix()
    g.conj(lambda g: g.field(), lambda g: g.field())


@holds(
    "bai2024.thm-a3-step-alpha",
    f"""all d:Z, B:M(d,d), v:V(d), c x:R. 1 <= d => v != O(d,1) => c != 0 => 0 < x =>
       eig(B @ T(B), 1) = 0 or x < 2/eig(B @ T(B), 1) => {AT} < 0""",
    argument="repaired",
    reading="2/lambda is no bound if the largest eigenvalue lambda of B B^T is 0",
)
def negative_for_small_alpha(g: Goal) -> None:
    """v^T B B^T v <= lambda v^T v, so alpha v^T B B^T v < 2 v^T v."""
    g.fix()
    size = g.assume()
    nonzero, delta, positive, small = (g.assume() for _ in range(4))
    most = g.split(g.by_fact("eig_rayleigh", "d", "B @ T(B)", "v", by=[lambda g: g.nc(), lambda g: g.close_by(size)]))[1]
    t = g.fact("tr_entries", 1, "T(v) @ v")
    q = g.fact("tr_entries", 1, "T(v) @ B @ T(B) @ v")
    norm = g.have("tr(T(v) @ v) = (T(v) @ v)[1,1]", lambda g: g.field((t, 1)))
    form = g.have("tr(T(v) @ (B @ T(B)) @ v) = (T(v) @ B @ T(B) @ v)[1,1]", lambda g: g.field((q, 1)))
    length = g.have("0 < (T(v) @ v)[1,1]", lambda g: positive_square(g, norm, nonzero))
    square = g.have("0 <= (T(v) @ B @ T(B) @ v)[1,1]", lambda g: nonnegative_form(g, form))
    value = g.have(f"{AT} = {MIDDLE}", lambda g: g.field())
    g.have("0 < c^2")
    most = g.have(
        "(T(v) @ B @ T(B) @ v)[1,1] <= eig(B @ T(B), 1)*(T(v) @ v)[1,1]",
        lambda g: g.pos([f"@{most}"], eqs=[(norm, "-eig(B @ T(B), 1)"), (form, 1)]),
    )

    def below(g: Goal) -> None:
        def flat(g: Goal) -> None:
            z = last(g)
            g.pos([f"@{most}", "x"], [f"@{length}", 2], eqs=[(z, "-x*(T(v) @ v)[1,1]")])

        def bounded(g: Goal) -> None:
            b = last(g)

            def up(g: Goal) -> None:
                low = last(g)
                top = g.have("x*eig(B @ T(B), 1) < 2", lambda g: g.pos([f"@{b}", f"@{low}"]))
                g.pos([f"@{most}", "x"], [f"@{top}", f"@{length}"])

            def down(g: Goal) -> None:
                low = last(g)
                g.pos([f"@{most}", "x"], [f"@{length}", 2], [f"@{low}", "x", f"@{length}"])

            g.em("0 < eig(B @ T(B), 1)", up, down)

        g.cases(small, flat, bounded)

    low = g.have("x*(T(v) @ B @ T(B) @ v)[1,1] < 2*(T(v) @ v)[1,1]", below)
    del square
    g.rewrite(value)
    g.pos([f"@{low}", "x", "c^2", "1/2"])


def positive_square(g: Goal, norm: str, nonzero: str) -> None:
    """0 < v^T v for v != 0."""
    g.contra("low")
    zero = g.have(
        "tr(T(v) @ v) = 0", lambda g: g.antisym(lambda g: g.pos(["@low"], eqs=[(norm, -1)]), lambda g: g.pos(["tr(T(v) @ v)"]))
    )
    z = g.by_fact("frobenius_zero", "d", 1, "v", by=[lambda g: g.close_by(zero)])
    g.clash(z, nonzero)


def nonnegative_form(g: Goal, form: str) -> None:
    """v^T B B^T v is the square of B^T v."""
    g.pos(["tr(T(T(B) @ v) @ (T(B) @ v))"], eqs=[(form, -1)])


DESCENT = f"(ex E F:M(d,d). {FORM} < 0 and D(s, D(u, {MOVED}, s), 0) < 0)"
RESIDUE = "(ex i j:Z. P[i,j] = 1 and (A @ B - M)[i,j] != 0)"
"""deltaM is not zero."""


@part(
    "bai2024.thm-a3-step-case-i",
    "kernel",
    f"all d:Z, P M A B:M(d,d). 1 <= d => {BINARY} => det(A) = 0 => {RESIDUE} => {DESCENT}",
    says="a singular A and a residual that is not zero give a direction of negative curvature, critical or not",
    uses=["bai2024.thm-a3-step-h", "bai2024.thm-a3-step-bound", "bai2024.thm-a3-step-hessian-form"],
)
def descent_along_a_kernel(g: Goal) -> None:
    """w = -alpha c v with alpha = v^T v / (v^T v + v^T B B^T v), c the entry of the residual."""
    g.fix()
    g.assume()
    binary, singular = g.assume(), g.assume()
    one, delta = g.obtain(g.assume(), "i", "j")
    inside(g, "P", "d", "d", "i", "j", one)
    nonzero, kernel = g.obtain(g.by_fact("det_kernel", "d", "A", by=[lambda g: g.close_by(singular)]), "v")
    t = g.fact("tr_entries", 1, "T(v) @ v")
    q = g.fact("tr_entries", 1, "T(v) @ B @ T(B) @ v")
    norm = g.have("tr(T(v) @ v) = (T(v) @ v)[1,1]", lambda g: g.field((t, 1)))
    form = g.have("tr(T(v) @ (B @ T(B)) @ v) = (T(v) @ B @ T(B) @ v)[1,1]", lambda g: g.field((q, 1)))
    length = g.have("0 < (T(v) @ v)[1,1]", lambda g: positive_square(g, norm, nonzero))
    square = g.have("0 <= (T(v) @ B @ T(B) @ v)[1,1]", lambda g: nonnegative_form(g, form))
    total = "((T(v) @ v)[1,1] + (T(v) @ B @ T(B) @ v)[1,1])"
    positive = g.have(f"0 < {total}", lambda g: g.pos([f"@{length}"], [f"@{square}"]))
    c = g.obtain(g.have("ex c:R. c = (A @ B - M)[i,j]", lambda g: (g.witness("(A @ B - M)[i,j]"), g.refl())[-1]), "c")[0]
    g.have("c != 0", lambda g: (g.rewrite(c), g.close_by(delta))[-1])
    g.have("0 < c^2")
    x = g.obtain(
        g.have(f"ex x:R. x*{total} = (T(v) @ v)[1,1]", lambda g: (g.witness(f"(T(v) @ v)[1,1]/{total}"), g.field())[-1]), "x"
    )[0]
    g.have("0 < x", lambda g: g.pos([f"@{length}"], mul=[f"@{positive}"], eqs=[(x, 1)]))
    w = g.obtain(g.have("ex w:V(d). w = -x*c*v", lambda g: (g.witness("-x*c*v"), g.refl())[-1]), "w")[0]
    (e,) = g.obtain(g.fact("matrix_of_entries", "d", "d", "lam a:Z, b:Z. I(d)[a,i]*w[b,1]"), "E", split=False)
    (f,) = g.obtain(g.fact("matrix_of_entries", "d", "d", "lam a:Z, b:Z. v[a,1]*I(d)[b,j]"), "F", split=False)

    def shape(g: Goal) -> None:
        g.fix("a", "b")
        g.split(g.assume())
        one_, two = g.apply(e, "a", "b"), g.apply(f, "a", "b")
        g.conj(lambda g: g.close_by(one_), lambda g: g.close_by(two))

    direction = g.have(DIRECTION, shape)
    arguments = ["d", "i", "j", "P", "M", "A", "B", "E", "F", "v", "w"]
    less = g.have("rank(A) < d", lambda g: deficient(g, singular))
    h = g.lemma(
        "bai2024.thm-a3-step-h",
        "statement",
        *arguments,
        by=[
            *[lambda g, n=n: g.close_by(n) for n in (binary,)],
            None,
            *[lambda g, n=n: g.close_by(n) for n in (one, delta, less, nonzero, kernel, direction)],
        ],
    )
    bound = g.lemma(
        "bai2024.thm-a3-step-bound",
        "amendment",
        *arguments,
        by=[lambda g: g.close_by(binary), None, lambda g: g.close_by(direction)],
    )
    above, equal = g.split(bound)

    def negative(g: Goal) -> None:
        one_ = g.have("(T(w) @ v)[1,1] = -x*c*(T(v) @ v)[1,1]", lambda g: (g.rewrite(w), g.field())[-1])
        two = g.have("(T(w) @ B @ T(B) @ w)[1,1] = x^2*c^2*(T(v) @ B @ T(B) @ v)[1,1]", lambda g: (g.rewrite(w), g.field())[-1])
        # value: x c^2 (x q/2 - n) with x q = n - x n
        n, q_ = "(T(v) @ v)[1,1]", "(T(v) @ B @ T(B) @ v)[1,1]"
        g.pos(
            [f"@{above}"],
            ["1/2", "x", "c^2", f"@{length}"],
            ["1/2", "x^2", "c^2", f"@{length}"],
            eqs=[
                (h, -1),
                (equal, -1),
                (one_, "-(A @ B - M)[i,j]"),
                (two, "-1/2"),
                (c, f"-x*c*{n}"),
                (x, "-1/2*x*c^2"),
            ],
        )
        del q_

    less = g.have(f"{FORM} < 0", negative)
    second = g.lemma(
        "bai2024.thm-a3-step-hessian-form", "statement", "d", "P", "M", "A", "B", "E", "F", by=[lambda g: g.close_by(binary)]
    )
    g.witness("E", "F")
    g.conj(lambda g: g.close_by(less), lambda g: (g.rewrite(second), g.pos(["2", f"@{less}"]))[-1])


def deficient(g: Goal, singular: str) -> None:
    """rank(A) < d from det(A) = 0."""
    full = g.by_fact("rank_full", "d", "A")
    bounds = g.split(g.by_fact("rank_bounds", "d", "d", "A"))
    forward, _ = g.split(full)

    def equal(g: Goal) -> None:
        h = last(g)
        k = g.apply(forward, by=[lambda g: g.close_by(h)])
        g.clash(singular, k)

    g.cases(g.by_fact("lt_or_eq", "rank(A)", "d", by=[lambda g: g.close_by(bounds[1])]), lambda g: g.close_by(last(g)), equal)


def nonnegative_entry(x: str, row: str = "a", column: str = "b") -> Script:
    """0 <= P X^2 at a place."""

    def script(g: Goal) -> None:
        g.cases(
            g.apply("binary", row, column),
            lambda g: g.pos(eqs=[(last(g), f"({x})[{row},{column}]^2")]),
            lambda g: g.pos([f"({x})[{row},{column}]^2"], eqs=[(last(g), f"({x})[{row},{column}]^2")]),
        )

    return script


def nonnegative_row(x: str) -> Script:
    """A row of the masked squares of X has a sum >= 0, for each a in the range."""

    def script(g: Goal) -> None:
        g.fix("a")
        g.assume()
        each: Script = lambda g: (g.fix("b"), g.assume(), nonnegative_entry(x)(g))[-1]  # noqa: E731
        g.close_by(g.by_fact("sum_nonneg", 1, "d", f"lam b:Z. P[a,b]*({x})[a,b]*({x})[a,b]", by=[each]))

    return script


FITS = "(all i j:Z. P[i,j] = 1 => (A @ B - M)[i,j] = 0)"
"""deltaM = 0."""
STEP = "x*(had(P, A @ B - M) @ inv(B))"
"""epsilon = alpha deltaM B^-1."""
SQUARE = pairing(RESIDUAL, RESIDUAL)


@part(
    "bai2024.thm-a3-step-case-ii",
    "minimum",
    f"all d:Z, P M A B:M(d,d). {BINARY} => {FITS} => {GLOBAL}",
    says="a point that fits all observations is a global minimum",
)
def fitting_points_are_minima(g: Goal) -> None:
    """Its loss is 0, and no loss is negative."""
    g.fix()
    binary, fits = g.assume("binary"), g.assume()
    g.fix("C", "G")

    def zero(g: Goal) -> None:
        g.fix("b")
        g.assume()
        g.cases(
            g.apply(binary, "a", "b"),
            lambda g: g.field((last(g), "(A @ B - M)[a,b]^2")),
            lambda g: g.field((g.apply(fits, "a", "b"), "P[a,b]*(A @ B - M)[a,b]")),
        )

    def row(g: Goal) -> None:
        g.fix("a")
        g.assume()
        h = g.by_fact("sum_ext", 1, "d", "lam b:Z. P[a,b]*(A @ B - M)[a,b]*(A @ B - M)[a,b]", "lam b:Z. 0", by=[zero])
        g.field((h, 1))

    inner = "lam a:Z. sum(b, 1, d, P[a,b]*({0})[a,b]*({0})[a,b])"
    none = g.by_fact("sum_ext", 1, "d", inner.format("A @ B - M"), "lam a:Z. 0", by=[row])
    some = g.by_fact("sum_nonneg", 1, "d", inner.format("C @ G - M"), by=[nonnegative_row("C @ G - M")])
    g.pos(["1/2", f"@{some}"], eqs=[(none, "-1/2")])


@part(
    "bai2024.thm-a3-step-case-ii",
    "along-the-residual",
    f"""all d:Z, P M A B E F:M(d,d), x:R. {BINARY} => {FIRST} = x*had(P, {RESIDUAL}) => {pairing(RESIDUAL, FIRST)} = x*{SQUARE}""",
    says="the first-order term in a direction that moves the output along the residual",
)
def first_order_term_along_the_residual(g: Goal) -> None:
    """P^2 = P."""
    g.fix()
    binary, along = g.assume(), g.assume()
    g.rewrite(along)
    y = g.obtain(g.have("ex Y:M(d,d). Y = A @ B - M", lambda g: (g.witness("A @ B - M"), g.refl())[-1]), "Y")[0]
    g.rewrite(y, back=True)

    def row(g: Goal) -> None:
        g.fix("a")
        g.assume()

        def entry(g: Goal) -> None:
            g.fix("b")
            g.assume()
            g.cases(
                g.apply(binary, "a", "b"),
                lambda g: g.field((last(g), "x*Y[a,b]^2*(P[a,b] - 1)")),
                lambda g: g.field((last(g), "x*Y[a,b]^2*P[a,b]")),
            )

        body = "lam b:Z. P[a,b]*Y[a,b]*(x*had(P, Y))[a,b]"
        h = g.by_fact("sum_ext", 1, "d", body, "lam b:Z. x*(P[a,b]*Y[a,b]*Y[a,b])", by=[entry])
        g.close_by(h)

    h = g.by_fact(
        "sum_ext",
        1,
        "d",
        "lam a:Z. sum(b, 1, d, P[a,b]*Y[a,b]*(x*had(P, Y))[a,b])",
        "lam a:Z. sum(b, 1, d, x*(P[a,b]*Y[a,b]*Y[a,b]))",
        by=[row],
    )
    g.field((h, 1))


@part(
    "bai2024.thm-a3-step-case-ii",
    "fits",
    f"all d:Z, P M A B E F:M(d,d). {BINARY} => {FIRST} = 1*had(P, {RESIDUAL}) => {CRITICAL} => {FITS}",
    says="if some direction moves the output along the residual, the residual vanishes at a critical point",
    uses=["bai2024.thm-a3-step-first-order"],
)
def residual_vanishes_where_it_can_be_followed(g: Goal) -> None:
    """A sum of squares over the observed entries that is 0 has only terms 0."""
    g.fix()
    binary, along, critical = g.assume("binary"), g.assume(), g.assume()
    h = g.lemma(
        "bai2024.thm-a3-step-first-order",
        "statement",
        *"dPMAB",
        by=[lambda g: g.close_by(binary), lambda g: g.close_by(critical)],
    )
    k = g.apply(h, "E", "F")
    one = g.lemma(
        "bai2024.thm-a3-step-case-ii",
        "part:along-the-residual",
        *"dPMABEF",
        "1",
        by=[lambda g: g.close_by(binary), lambda g: g.close_by(along)],
    )
    total = g.have(f"{SQUARE} = 0", lambda g: g.field((one, -1), (k, 1)))
    g.fix("i", "j")
    seen = g.assume()
    inside(g, "P", "d", "d", "i", "j", seen)
    body = "P[a,b]*(A @ B - M)[a,b]*(A @ B - M)[a,b]"
    outer = g.apply(
        g.fact("sum_zero_terms", 1, "d", f"lam a:Z. sum(b, 1, d, {body})"),
        by=[nonnegative_row(RESIDUAL), lambda g: g.close_by(total)],
    )
    at_i = g.apply(outer, "i")

    def entry(g: Goal) -> None:
        g.fix("b")
        g.assume()
        nonnegative_entry(RESIDUAL, "i")(g)

    inner = g.apply(
        g.fact("sum_zero_terms", 1, "d", f"lam b:Z. {body.replace('[a,', '[i,')}"), by=[entry, lambda g: g.close_by(at_i)]
    )
    at_j = g.apply(inner, "j")
    square = g.have("(A @ B - M)[i,j]^2 = 0", lambda g: g.field((at_j, 1), (seen, "-(A @ B - M)[i,j]^2")))
    g.close_by(g.by_fact("square_zero", "(A @ B - M)[i,j]", by=[lambda g: g.close_by(square)]))


@holds(
    "bai2024.thm-a3-step-case-ii",
    f"""all d:Z, P M A B:M(d,d). 1 <= d => {BINARY} => rank(A) = d => rank(B) = d => {CRITICAL} =>
       (all x:R. {pairing(RESIDUAL, f"({STEP}) @ B + A @ O(d,d)")} = x*{SQUARE}) and {FITS} and {GLOBAL}""",
    argument="sound",
)
def regular_critical_points_are_minima(g: Goal) -> None:
    """The first-order term is alpha |deltaM|^2 and has to vanish."""
    g.fix()
    g.assume()
    binary = g.assume()
    g.assume()
    full, critical = g.assume(), g.assume()
    forward, _ = g.split(g.by_fact("rank_full", "d", "B"))
    regular = g.apply(forward, by=[lambda g: g.close_by(full)])
    left = g.by_fact("inv_left", "d", "B", by=[lambda g: g.close_by(regular)])
    claim, known = "bai2024.thm-a3-step-case-ii", lambda g: g.close_by(binary)

    def along(x: str) -> Script:
        return lambda g: g.nc((left, x, f"had(P, {RESIDUAL})", None))

    def first(g: Goal) -> None:
        g.fix("x")
        g.close_by(g.lemma(claim, "part:along-the-residual", *"dPMAB", STEP, "O(d,d)", "x", by=[known, along("x")]))

    step = STEP.replace("x*", "1*", 1)
    fits = g.lemma(claim, "part:fits", *"dPMAB", step, "O(d,d)", by=[known, along("1"), lambda g: g.close_by(critical)])
    least = g.lemma(claim, "part:minimum", *"dPMAB", by=[known, lambda g: g.close_by(fits)])
    g.conj(first, lambda g: g.close_by(fits), lambda g: g.close_by(least))


@part(
    "bai2024.thm-a3-step-case-i",
    "critical",
    f"all d:Z, P M A B:M(d,d). 1 <= d => {BINARY} => {CRITICAL} => {RESIDUE} => {DESCENT}",
    says="a critical point that does not fit has a direction of negative curvature",
    uses=["bai2024.thm-a3-step-case-ii"],
)
def critical_points_that_do_not_fit_have_descent(g: Goal) -> None:
    """If A is regular the residual vanishes (direction (0, A^-1 deltaM)); so A has a kernel."""
    g.fix()
    size, binary, critical, residue = g.assume(), g.assume(), g.assume(), g.assume()

    def singular(g: Goal) -> None:
        known = (size, binary, last(g), residue)
        h = g.lemma("bai2024.thm-a3-step-case-i", "part:kernel", *"dPMAB", by=[lambda g, h=h: g.close_by(h) for h in known])
        g.close_by(h)

    def regular(g: Goal) -> None:
        right = g.by_fact("inv_right", "d", "A")
        step = f"inv(A) @ had(P, {RESIDUAL})"
        fits = g.lemma(
            "bai2024.thm-a3-step-case-ii",
            "part:fits",
            *"dPMAB",
            "O(d,d)",
            step,
            by=[
                lambda g: g.close_by(binary),
                lambda g: g.nc((right, 1, None, f"had(P, {RESIDUAL})")),
                lambda g: g.close_by(critical),
            ],
        )
        one, delta = g.obtain(residue, "i", "j")
        zero = g.apply(fits, "i", "j", by=[lambda g: g.close_by(one)])
        g.clash(zero, delta)

    g.em("det(A) = 0", singular, regular)


@holds(
    "bai2024.thm-a3-step-case-i",
    f"""all d:Z, P M A B:M(d,d). 1 <= d => {BINARY} => {CRITICAL} => rank(A) < d or rank(B) < d => {RESIDUE} => {DESCENT}""",
    argument="repaired",
    reading="a strict saddle is a critical point at which the quadratic form of the Hessian is negative somewhere (it then has a negative"
    " eigenvalue). The printed factorisation of g is wrong and its conclusion is true",
    uses=["bai2024.thm-a3-step-case-ii"],
)
def deficient_critical_points_are_strict_saddles(g: Goal) -> None:
    """If A is regular, so is its transpose in the transposed problem, and the residual vanishes; so A is singular and has a kernel."""
    g.fix()
    names = [g.assume() for _ in range(3)]
    g.assume()
    names.append(g.assume())
    h = g.lemma("bai2024.thm-a3-step-case-i", "part:critical", *"dPMAB", by=[lambda g, h=h: g.close_by(h) for h in names])
    g.close_by(h)


@holds(
    "bai2024.thm-1",
    f"all d:Z, P M A B:M(d,d). 1 <= d => {BINARY} => {CRITICAL} => {STRICT} or {GLOBAL}",
    argument="repaired",
    reading="a strict saddle is a critical point at which the quadratic form of the Hessian is negative somewhere (it then has a negative"
    " eigenvalue); the factor 1/2 for 1/n in the loss changes neither",
    uses=["bai2024.thm-a3-step-case-i", "bai2024.thm-a3-step-case-ii"],
)
def critical_points_are_strict_saddles_or_minima(g: Goal) -> None:
    """A critical point fits the observations, with loss 0, or has a direction of descent."""
    g.fix()
    size, binary, critical = g.assume(), g.assume(), g.assume()

    def misses(g: Goal) -> None:
        names = (size, binary, critical, last(g))
        h = g.lemma("bai2024.thm-a3-step-case-i", "part:critical", *"dPMAB", by=[lambda g, h=h: g.close_by(h) for h in names])
        descent = g.split(g.obtain(h, "E", "F", split=False)[0])[1]
        g.left_or_right(0)
        g.witness("E", "F")
        g.close_by(descent)

    def fits(g: Goal) -> None:
        none = last(g)

        def zero(g: Goal) -> None:
            g.fix("i", "j")
            one = g.assume()
            g.contra("delta")
            both = g.have(
                RESIDUE, lambda g: (g.witness("i", "j"), g.conj(lambda g: g.close_by(one), lambda g: g.close_by("delta")))[-1]
            )
            g.clash(both, none)

        k = g.have(FITS, zero)
        least = g.lemma(
            "bai2024.thm-a3-step-case-ii", "part:minimum", *"dPMAB", by=[lambda g: g.close_by(binary), lambda g: g.close_by(k)]
        )
        g.left_or_right(1)
        g.close_by(least)

    g.em(RESIDUE, misses, fits)


@holds(
    "bai2024.sec-a4-landscape-reference",
    f"""all d:Z, P M A B:M(d,d). 1 <= d => {BINARY} => {CRITICAL} => ({STRICT} or {GLOBAL}) and
       (not {GLOBAL} => {STRICT})""",
    argument="sound",
    reading="the landscape, and as the meaning of leaving a critical point easily: one that is not optimal has a direction of negative"
    " curvature. The result is Theorem A.3 (the text cites a Prop. A.3)",
    uses=["bai2024.thm-1"],
)
def points_that_are_not_optimal_can_be_left(g: Goal) -> None:
    """Theorem 1."""
    g.fix()
    names = [g.assume() for _ in range(3)]
    h = g.lemma("bai2024.thm-1", "statement", *"dPMAB", by=[lambda g, h=h: g.close_by(h) for h in names])

    def second(g: Goal) -> None:
        no = g.assume()
        g.cases(h, lambda g: g.close_by(last(g)), lambda g: g.clash(last(g), no))

    g.conj(lambda g: g.close_by(h), second)


@holds(
    "bai2024.assertion-suboptimal-strict-saddle",
    f"all d:Z, P M A B:M(d,d). 1 <= d => {BINARY} => {CRITICAL} => 0 < {loss('A', 'B')} => {STRICT}",
    argument="sound",
    reading="a sub-optimal solution is a critical point with positive loss, on any invariant manifold",
    uses=["bai2024.thm-1"],
)
def suboptimal_critical_points_are_strict_saddles(g: Goal) -> None:
    """(I, M) has the loss 0, so a positive loss is not minimal."""
    g.fix()
    names = [g.assume() for _ in range(3)]
    positive = g.assume()
    h = g.lemma("bai2024.thm-1", "statement", *"dPMAB", by=[lambda g, h=h: g.close_by(h) for h in names])

    def minimum(g: Goal) -> None:
        k = g.apply(last(g), "I(d)", "M")
        flat = g.have("I(d) @ M - M = O(d,d)", lambda g: g.nc())
        zero = g.have(f"{loss('I(d)', 'M')} = 0", lambda g: (g.rewrite(flat), g.field())[-1])
        g.contra()
        g.pos([f"@{positive}"], [f"@{k}"], eqs=[(zero, -1)])

    g.cases(h, lambda g: g.close_by(last(g)), minimum)


SHIFTED = loss("A + u*E + s*G", "B + u*F + s*K")
PLAIN = loss("A + s*G", "B + s*K")
SLOPE = f"D(s, {SHIFTED}, 0)"
"""The inner product of the gradient at (A, B) + u (E, F) with (G, K)."""


@holds(
    "bai2024.eq-15",
    f"""all d:Z, P M A B E F G K:M(d,d). ex x y:R. all u:R.
       -({SLOPE}) = -D(s, {PLAIN}, 0) - u*D(r, D(s, {loss("A + r*E + s*G", "B + r*F + s*K")}, 0), 0) + u^2*(x + u*y)""",
    argument="sound",
    reading="tested with every direction (G, K): the gradient at theta_c + u (E, F); the rest is u^2 (x + u y), of order u^2",
)
def expansion_of_the_vector_field(g: Goal) -> None:
    """The gradient of a polynomial of degree 4 is a polynomial of degree 3."""
    g.fix()
    x = f"-({pairing('E @ B + A @ F', 'E @ K + G @ F')} + {pairing('E @ F', 'G @ B + A @ K')})"
    y = f"-{pairing('E @ F', 'E @ K + G @ F')}"
    g.witness(x, y)
    g.fix("u")
    g.field()
