"""Section 3: the loss (2), its gradient flow (3), the augmented matrix."""

from __future__ import annotations

from proofs.bai2024.setting import EXISTS, LISTING, OBSERVES, count_at, count_nowhere, last
from verify.kernel import Goal
from verify.registry import amendment, holds, undecided


@holds(
    "bai2024.eq-2",
    f"""all d n:Z, i j:Z->Z, P M A B:M(d,d). 1 <= n => {LISTING} => {OBSERVES} =>
        1/n*tr(T(had(P, A @ B - M)) @ had(P, A @ B - M)) = 1/n*sum(k, 1, n, (sum(q, 1, d, A[i(k),q]*B[q,j(k)]) -
        M[i(k),j(k)])^2)""",
    argument="sound",
    reading="the masked Frobenius norm and the sum over the observations are the same",
)
def masked_norm_is_the_sum_over_observations(g: Goal) -> None:
    """P[x,y] is the number of k with (i_k, j_k) = (x, y); exchange the sums, of which one term each remains."""
    g.fix()
    g.assume("count")
    g.split(g.assume("listing"), "inside", "distinct")
    g.assume("observes")
    x_is = g.obtain(g.have("ex X:M(d,d). X = A @ B - M", lambda g: (g.witness("A @ B - M"), g.refl())), "X")[0]
    g.rewrite(x_is, back=True)

    def counted(g: Goal) -> None:
        g.fix("x", "y")
        g.split(g.assume())
        a, b = g.split(g.apply("observes", "x", "y"))
        b1, b2 = g.split(b)

        def found(g: Goal) -> None:
            some = last(g)
            value = g.apply(b2, by=[lambda g: g.close_by(some)])
            _c1, _c2, _e, _f = g.obtain(some, "k0")
            both = g.have("x = i(k0) and y = j(k0)")
            one = count_at(g, "k0", both)
            g.conj(lambda g: g.field((value, 1), (one, -1)), lambda g: g.field((value, "P[x,y]")))

        def nowhere(g: Goal) -> None:
            none = last(g)
            zero = count_nowhere(g, none)

            def vanishes(g: Goal) -> None:
                p = last(g)
                g.conj(lambda g: g.field((p, 1), (zero, -1)), lambda g: g.field((p, "P[x,y] - 1")))

            def impossible(g: Goal) -> None:
                last(g)
                g.clash(g.apply(b1), none)

            g.cases(a, vanishes, impossible)

        g.em(EXISTS, found, nowhere)

    number = "sum(k, 1, n, I(d)[x,i(k)]*I(d)[y,j(k)])"
    h = g.have(f"all x y:Z. 1 <= x and x <= d and 1 <= y and y <= d => P[x,y] = {number} and P[x,y]^2 = P[x,y]", counted)
    norm = g.fact("frobenius_entries", "d", "d", "had(P, X)")
    term = "I(d)[x,i(k)]*I(d)[y,j(k)]*X[x,y]^2"

    def by_terms(g: Goal) -> None:
        def row(g: Goal) -> None:
            g.fix("x")
            g.split(g.assume())
            k = g.fact("sum_ext", 1, "d", "lam y:Z. had(P, X)[x,y]^2", f"lam y:Z. sum(k, 1, n, {term})")

            def column(g: Goal) -> None:
                g.fix("y")
                g.split(g.assume())
                a, b = g.split(g.apply(h, "x", "y"))
                g.field((a, "X[x,y]^2"), (b, "X[x,y]^2"))

            same = g.apply(k, by=[column])
            swap = g.fact("sum_swap", 1, "d", 1, "n", f"lam y:Z, k:Z. {term}")
            g.field((same, 1), (swap, 1))

        k = g.fact(
            "sum_ext",
            1,
            "d",
            "lam x:Z. sum(y, 1, d, had(P, X)[x,y]^2)",
            f"lam x:Z. sum(k, 1, n, sum(y, 1, d, {term}))",
        )
        g.close_by(g.apply(k, by=[row]))

    one = g.have(f"sum(x, 1, d, sum(y, 1, d, had(P, X)[x,y]^2)) = sum(x, 1, d, sum(k, 1, n, sum(y, 1, d, {term})))", by_terms)
    two = g.fact("sum_swap", 1, "d", 1, "n", f"lam x:Z, k:Z. sum(y, 1, d, {term})")

    def single(g: Goal) -> None:
        g.fix("k")
        g.split(g.assume())
        g.split(g.apply("inside", "k"))
        outer = g.fact("sum_delta", 1, "d", "i(k)", f"lam x:Z. sum(y, 1, d, {term})")

        def others(g: Goal) -> None:
            g.fix("x")
            g.assume()
            g.assume()
            z = g.fact("sum_ext", 1, "d", f"lam y:Z. {term}", "lam y:Z. 0")
            total = g.apply(z, by=[lambda g: (g.intro(), g.field())])
            g.field((total, 1))

        first = g.apply(outer, by=[None, None, others])
        inner = g.fact("sum_delta", 1, "d", "j(k)", f"lam y:Z. {term.replace('x', 'i(k)')}")

        def rest(g: Goal) -> None:
            g.fix("y")
            g.assume()
            g.assume()
            g.field()

        second = g.apply(inner, by=[None, None, rest])
        entry = g.have("X[i(k),j(k)] = sum(q, 1, d, A[i(k),q]*B[q,j(k)]) - M[i(k),j(k)]", lambda g: (g.rewrite(x_is), g.field()))
        value = "sum(q, 1, d, A[i(k),q]*B[q,j(k)]) - M[i(k),j(k)]"
        g.field((first, 1), (second, 1), (entry, f"X[i(k),j(k)] + {value}"))

    k = g.fact(
        "sum_ext",
        1,
        "n",
        f"lam k:Z. sum(x, 1, d, sum(y, 1, d, {term}))",
        "lam k:Z. (sum(q, 1, d, A[i(k),q]*B[q,j(k)]) - M[i(k),j(k)])^2",
    )
    three = g.apply(k, by=[single])
    g.field((norm, "1/n"), (one, "1/n"), (two, "1/n"), (three, "1/n"))


def partial(direction: str, gradient: str) -> str:
    """The partial derivative of the loss along the line with the given product is an entry of the gradient."""
    return f"D(s, 1/n*sum(p, 1, d, sum(q, 1, d, P[p,q]*(({direction})[p,q] - M[p,q])^2)), 0) = ({gradient})[i,j]"


@holds(
    "bai2024.eq-3",
    f"""all d i j:Z, n:R, P M A B E:M(d,d). 0 < n => 1 <= i and i <= d and 1 <= j and j <= d =>
        (all a b:Z. 1 <= a and a <= d and 1 <= b and b <= d => E[a,b] = I(d)[a,i]*I(d)[b,j]) =>
        {partial("(A + s*E) @ B", "2/n*(had(P, A @ B - M) @ T(B))")} and
        {partial("A @ (B + s*E)", "2/n*(T(A) @ had(P, A @ B - M))")}""",
    argument="sound",
    reading="the gradient of (2) with respect to A and B, entry by entry, as it stands on the right side of the flow in all"
    " other claims",
)
def gradient_of_the_loss(g: Goal) -> None:
    """The derivative of A B along the unit matrix E at (i, j) is row j of B in row i (column i of A in column j); one sum
    remains."""
    g.fix()
    g.assume("count")
    g.split(g.assume("place"))
    g.assume("unit")

    def rows(g: Goal) -> None:
        body = "P[p,q]*((A @ B)[p,q] - M[p,q])*(E @ B)[p,q]"
        d = g.have(
            f"D(s, 1/n*sum(p, 1, d, sum(q, 1, d, P[p,q]*(((A + s*E) @ B)[p,q] - M[p,q])^2)), 0) = 2/n*sum(p, 1, d, sum(q, 1,"
            f" d, {body}))",
            lambda g: g.field(),
        )

        def entry(g: Goal, p: str, q: str, value: str) -> str:
            """(E B)[p,q] is B[j,q] for p = i and 0 otherwise."""
            e = g.apply(g.fact("mm_entry", "d", "d", "d", "E", "B"), p, q)
            k = g.fact("sum_delta", 1, "d", "j", f"lam l:Z. E[{p},l]*B[l,{q}]")

            def others(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume())
                g.assume()
                u = g.apply("unit", p, "l")
                g.field((u, f"B[l,{q}]"))

            total = g.apply(k, by=[None, None, others])
            u = g.apply("unit", p, "j")
            return g.have(f"(E @ B)[{p},{q}] = {value}", lambda g: g.field((e, 1), (total, 1), (u, f"B[j,{q}]")))

        k = g.fact("sum_delta", 1, "d", "i", f"lam p:Z. sum(q, 1, d, {body})")

        def others(g: Goal) -> None:
            g.fix("p")
            g.split(g.assume())
            g.assume()
            z = g.fact("sum_ext", 1, "d", f"lam q:Z. {body}", "lam q:Z. 0")

            def each(g: Goal) -> None:
                g.fix("q")
                g.split(g.assume())
                h = entry(g, "p", "q", "0")
                g.field((h, "P[p,q]*((A @ B)[p,q] - M[p,q])"))

            total = g.apply(z, by=[each])
            g.field((total, 1))

        first = g.apply(k, by=[None, None, others])
        z = g.fact(
            "sum_ext",
            1,
            "d",
            f"lam q:Z. {body.replace('p,', 'i,')}",
            "lam q:Z. P[i,q]*((A @ B)[i,q] - M[i,q])*B[j,q]",
        )

        def each(g: Goal) -> None:
            g.fix("q")
            g.split(g.assume())
            h = entry(g, "i", "q", "B[j,q]")
            g.field((h, "P[i,q]*((A @ B)[i,q] - M[i,q])"))

        second = g.apply(z, by=[each])
        g.field((d, 1), (first, "2/n"), (second, "2/n"))

    def columns(g: Goal) -> None:
        body = "P[p,q]*((A @ B)[p,q] - M[p,q])*(A @ E)[p,q]"
        d = g.have(
            f"D(s, 1/n*sum(p, 1, d, sum(q, 1, d, P[p,q]*((A @ (B + s*E))[p,q] - M[p,q])^2)), 0) = 2/n*sum(p, 1, d, sum(q, 1,"
            f" d, {body}))",
            lambda g: g.field(),
        )

        def entry(g: Goal, p: str, q: str, value: str) -> str:
            """(A E)[p,q] is A[p,i] for q = j and 0 otherwise."""
            e = g.apply(g.fact("mm_entry", "d", "d", "d", "A", "E"), p, q)
            k = g.fact("sum_delta", 1, "d", "i", f"lam l:Z. A[{p},l]*E[l,{q}]")

            def others(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume())
                g.assume()
                u = g.apply("unit", "l", q)
                g.field((u, f"A[{p},l]"))

            total = g.apply(k, by=[None, None, others])
            u = g.apply("unit", "i", q)
            return g.have(f"(A @ E)[{p},{q}] = {value}", lambda g: g.field((e, 1), (total, 1), (u, f"A[{p},i]")))

        z = g.fact("sum_ext", 1, "d", f"lam p:Z. sum(q, 1, d, {body})", "lam p:Z. P[p,j]*((A @ B)[p,j] - M[p,j])*A[p,i]")

        def each(g: Goal) -> None:
            g.fix("p")
            g.split(g.assume())
            k = g.fact("sum_delta", 1, "d", "j", f"lam q:Z. {body}")

            def others(g: Goal) -> None:
                g.fix("q")
                g.split(g.assume())
                g.assume()
                h = entry(g, "p", "q", "0")
                g.field((h, "P[p,q]*((A @ B)[p,q] - M[p,q])"))

            first = g.apply(k, by=[None, None, others])
            h = entry(g, "p", "j", "A[p,i]")
            g.field((first, 1), (h, "P[p,j]*((A @ B)[p,j] - M[p,j])"))

        total = g.apply(z, by=[each])
        g.field((d, 1), (total, "2/n"))

    g.conj(rows, columns)


AUGMENTED = "(all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => W[i,j] = A[j,i] and W[i,d+j] = B[i,j])"
"""The d x 2d matrix W = [A^T, B]."""

undecided(
    "bai2024.def-waug",
    outcome="ill-formed",
    reason="[A^T B^T]^T is the transpose of a d x 2d matrix, a 2d x d matrix, and no member of R^{d x 2d} for d >= 1; with"
    " B^T its column space is"
    " row(A) + row(B) and not row(A) + col(B), which the alignment statements use",
    argument="fails",
)


@amendment(
    "bai2024.def-waug",
    f"""all d:Z, A B:M(d,d), W:M(d,2*d), w:V(d). 1 <= d => {AUGMENTED} => ((ex x:V(2*d). w = W @ x) <=> (ex u v:V(d). w = T(A)
    @ u + B @ v))""",
    says="W_aug^T = [A^T, B] is a d x 2d matrix whose column space is row(A) + col(B).",
)
def column_space_of_the_augmented_matrix(g: Goal) -> None:
    """A vector x of length 2d is a pair (u, v); the sum over 2d columns splits in the middle."""
    g.fix()
    g.assume("size")
    g.assume("blocks")

    def entry(g: Goal, left: str, middle: str) -> None:
        """(W x)[i] = (A^T u + B v)[i] from x[l] = u[l] and x[d+l] = v[l] (hypotheses left and middle)."""
        wx = g.apply(g.fact("mm_entry", "d", "2*d", 1, "W", "x"), "i", "1")
        au = g.apply(g.fact("mm_entry", "d", "d", 1, "T(A)", "u"), "i", "1")
        bv = g.apply(g.fact("mm_entry", "d", "d", 1, "B", "v"), "i", "1")
        split = g.by_fact("sum_split", 1, "d", "2*d", "lam l:Z. W[i,l]*x[l,1]")
        shift = g.fact("sum_shift", "d + 1", "2*d", "d", "lam l:Z. W[i,l]*x[l,1]")
        e = g.fact("sum_ext", 1, "d", "lam l:Z. W[i,l]*x[l,1]", "lam l:Z. A[l,i]*u[l,1]")

        def first(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            a, _ = g.split(g.apply("blocks", "i", "l"))
            b = g.apply(left, "l")
            g.field((a, "x[l,1]"), (b, "A[l,i]"))

        one = g.apply(e, by=[first])
        e = g.fact("sum_ext", 1, "d", "lam l:Z. W[i,l+d]*x[l+d,1]", "lam l:Z. B[i,l]*v[l,1]")

        def second(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            _, a = g.split(g.apply("blocks", "i", "l"))
            b = g.apply(middle, "l")
            g.field((a, "x[l+d,1]"), (b, "B[i,l]"))

        two = g.apply(e, by=[second])
        g.field((wx, 1), (split, 1), (shift, 1), (one, 1), (two, 1), (au, -1), (bv, -1))

    def there(g: Goal) -> None:
        h = g.obtain(g.assume(), "x")[0]
        (u,) = g.obtain(g.fact("matrix_of_entries", "d", 1, "lam i:Z, j:Z. x[i,1]"), "u")
        (v,) = g.obtain(g.fact("matrix_of_entries", "d", 1, "lam i:Z, j:Z. x[d+i,1]"), "v")
        g.have("all l:Z. 1 <= l and l <= d => x[l,1] = u[l,1]", lambda g: same(g, u), name="left")
        g.have("all l:Z. 1 <= l and l <= d => x[d+l,1] = v[l,1]", lambda g: same(g, v), name="middle")
        g.witness("u", "v")
        g.rewrite(h)
        g.extn("i", "j")
        one = g.have("j = 1", lambda g: g.antisym())
        g.rewrite(one)
        entry(g, "left", "middle")

    def same(g: Goal, rule: str) -> None:
        g.fix("l")
        g.split(g.assume())
        k = g.apply(rule, "l", "1")
        g.field((k, -1))

    def back(g: Goal) -> None:
        h = g.obtain(g.assume(), "u", "v")[0]
        (x,) = g.obtain(g.fact("matrix_of_entries", "2*d", 1, "lam i:Z, j:Z. u[i,1] + v[i-d,1]"), "x")
        low = g.fact("entry_outside", "d", 1, "u")
        high = g.fact("entry_outside", "d", 1, "v")

        def left(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            k = g.apply(x, "l", "1")
            z = g.apply(high, "l - d", "1", by=[lambda g: (g.left_or_right(0), g.nlin())])
            g.field((k, 1), (z, 1))

        def middle(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            k = g.apply(x, "d + l", "1")
            z = g.apply(low, "d + l", "1", by=[lambda g: (g.left_or_right(1), g.nlin())])
            g.field((k, 1), (z, 1))

        g.have("all l:Z. 1 <= l and l <= d => x[l,1] = u[l,1]", left, name="left")
        g.have("all l:Z. 1 <= l and l <= d => x[d+l,1] = v[l,1]", middle, name="middle")
        g.witness("x")
        g.rewrite(h)
        g.extn("i", "j")
        one = g.have("j = 1", lambda g: g.antisym())
        g.rewrite(one)
        turned = g.have("(W @ x)[i,1] = (T(A) @ u + B @ v)[i,1]", lambda g: entry(g, "left", "middle"))
        g.field((turned, -1))

    g.iff(there, back)
