"""Section 3: the matrix completion problem, the model, the loss and its gradient flow."""

from __future__ import annotations

from proofs.bai2024.graphs import PATTERN
from verify.kernel import Goal
from verify.registry import holds

LISTING = (
    "(all k:Z. 1 <= k and k <= n => 1 <= i(k) and i(k) <= d and 1 <= j(k) and j(k) <= d) and"
    " (all k l:Z. 1 <= k and k <= n and 1 <= l and l <= n and k != l => i(k) != i(l) or j(k) != j(l))"
)
"""(i_k, j_k), k = 1..n, are distinct positions of a d x d matrix."""

OBSERVES = "(all x y:Z. (P[x,y] = 0 or P[x,y] = 1) and (P[x,y] = 1 <=> (ex k:Z. 1 <= k and k <= n and x = i(k) and y = j(k))))"
"""P is 1 at the listed positions and 0 elsewhere."""

COUNTED = "sum(k, 1, n, I(d)[x,i(k)]*I(d)[y,j(k)])"


def last(g: Goal) -> str:
    """The name of the newest hypothesis."""
    return list(g.seq.hyps)[-1]


def count_at(g: Goal, k0: str, placed: str) -> str:
    """COUNTED = 1 if (x, y) is the k0-th position: only that term is not 0."""
    k = g.fact("sum_delta", 1, "n", k0, "lam k:Z. I(d)[x,i(k)]*I(d)[y,j(k)]")
    here = g.apply("inside", k0)
    g.split(here)
    a, b = (n for n in g.split(placed)) if g.hyp_formula(placed)[0] == "and" else (placed, placed)

    def others(g: Goal) -> None:
        g.fix("k")
        g.split(g.assume())
        g.assume()
        apart = g.apply("distinct", "k", k0)

        def row(g: Goal) -> None:
            ne = last(g)
            g.have("x != i(k)", lambda g: unlike(g, a, ne))
            g.field()

        def column(g: Goal) -> None:
            ne = last(g)
            g.have("y != j(k)", lambda g: unlike(g, b, ne))
            g.field()

        g.cases(apart, row, column)

    total = g.apply(k, by=[None, None, others])

    def value(g: Goal) -> None:
        g.rewrite(total)
        g.rewrite(a)
        g.rewrite(b)
        g.field()

    return g.have(f"{COUNTED} = 1", value)


def unlike(g: Goal, placed: str, ne: str) -> None:
    """x != i(k) from x = i(k0) and i(k) != i(k0)."""
    eq = g.contra()
    u, v = g.hyp_formula(ne)[1:]
    k = g.have(("=", u, v), lambda g: g.field((eq, -1), (placed, 1)))
    g.clash(k, ne)


def count_nowhere(g: Goal, nowhere: str) -> str:
    """COUNTED = 0 if no k has (i_k, j_k) = (x, y); `nowhere` is the negated existence in the form of an `all`."""
    k = g.fact("sum_ext", 1, "n", "lam k:Z. I(d)[x,i(k)]*I(d)[y,j(k)]", "lam k:Z. 0")

    def term(g: Goal) -> None:
        g.fix("k")
        g.split(g.assume())

        def equal(g: Goal) -> None:
            def both(g: Goal) -> None:
                found = g.have("ex k:Z. 1 <= k and k <= n and x = i(k) and y = j(k)", lambda g: (g.witness("k"), g.auto()))
                g.clash(found, nowhere)

            g.em("y = j(k)", both, lambda g: g.field())

        g.em("x = i(k)", equal, lambda g: g.field())

    total = g.apply(k, by=[term])
    return g.have(f"{COUNTED} = 0", lambda g: g.field((total, 1)))


EXISTS = "ex k:Z. 1 <= k and k <= n and x = i(k) and y = j(k)"


@holds(
    "bai2024.def-matrix-completion",
    f"""all d n:Z, i j:Z->Z. {LISTING} => (ex P:M(d,d). {OBSERVES}) and
        (all P Q:M(d,d). {OBSERVES} => {OBSERVES.replace("P[", "Q[")} => P = Q)""",
    argument="sound",
    reading="the definition is well formed: distinct positions determine one binary matrix P",
)
def positions_determine_the_binary_matrix(g: Goal) -> None:
    """P is the sum of the unit matrices at the listed positions; an entry of two such matrices is 1 for the same positions."""
    g.fix()
    listing = g.assume("listing")
    g.split(listing, "inside", "distinct")

    def exists(g: Goal) -> None:
        (p,) = g.obtain(g.fact("matrix_of_entries", "d", "d", f"lam x:Z, y:Z. {COUNTED}"), "P")
        outside = g.fact("entry_outside", "d", "d", "P")
        g.witness("P")
        g.fix("x", "y")

        def found(g: Goal) -> None:
            some = last(g)
            _a, _b, e, f = g.obtain(some, "k0")
            g.split(g.apply("inside", "k0", name="here"))
            bounds = {"1 <= x": e, "x <= d": e, "1 <= y": f, "y <= d": f}
            for bound, eq in bounds.items():
                g.have(bound, lambda g, eq=eq: (g.rewrite(eq), g.auto()))
            both = g.have("x = i(k0) and y = j(k0)")
            one = count_at(g, "k0", both)
            entry = g.apply(p, "x", "y")
            value = g.have("P[x,y] = 1", lambda g: g.field((entry, 1), (one, 1)))
            g.conj(
                lambda g: (g.left_or_right(1), g.close_by(value)),
                lambda g: g.iff(lambda g: (g.assume(), g.close_by(some)), lambda g: (g.assume(), g.close_by(value))),
            )

        def nowhere(g: Goal) -> None:
            none = last(g)

            def beyond(g: Goal) -> None:
                finish(g, g.apply(outside, "x", "y"))

            def within(g: Goal) -> None:
                g.split(last(g))
                entry = g.apply(p, "x", "y")
                zero = count_nowhere(g, none)
                finish(g, g.have("P[x,y] = 0", lambda g: g.field((entry, 1), (zero, 1))))

            def finish(g: Goal, value: str) -> None:
                def forward(g: Goal) -> None:
                    one = g.assume()
                    g.contra()
                    g.pos([], eqs=[(one, "1"), (value, "-1")])

                g.conj(
                    lambda g: (g.left_or_right(0), g.close_by(value)),
                    lambda g: g.iff(forward, lambda g: g.clash(g.assume(), none)),
                )

            g.em("x < 1 or d < x or y < 1 or d < y", beyond, within)

        g.em(EXISTS, found, nowhere)

    def unique(g: Goal) -> None:
        g.fix()
        g.assume("first")
        g.assume("second")
        g.extn("x", "y")
        a, b = g.split(g.apply("first", "x", "y"))
        e, f = g.split(g.apply("second", "x", "y"))
        b1, b2 = g.split(b)
        f1, f2 = g.split(f)

        def one(g: Goal) -> None:
            p = last(g)
            q = g.apply(f2, by=[lambda g: g.close_by(g.apply(b1))])
            g.field((p, 1), (q, -1))

        def zero(g: Goal) -> None:
            p = last(g)

            def other(g: Goal) -> None:
                q = g.apply(b2, by=[lambda g: g.close_by(g.apply(f1))])
                g.contra()
                g.pos([], eqs=[(q, "1"), (p, "-1")])

            def both(g: Goal) -> None:
                q = last(g)
                g.field((p, 1), (q, -1))

            g.cases(e, both, other)

        g.cases(a, zero, one)

    g.conj(exists, unique)


@holds(
    "bai2024.eq-1",
    """(all d r i j:Z, A:M(d,r), B:M(r,d). (A @ B)[i,j] = sum(k, 1, r, A[i,k]*B[k,j])) and
       (all d i j:Z, A B:M(d,d). (A @ B)[i,j] = sum(k, 1, d, A[i,k]*B[k,j]))""",
    argument="sound",
    reading="the model is well formed, for general width r and for r = d",
)
def entries_of_the_model(g: Goal) -> None:
    """The definition of the matrix product."""
    g.conj(
        lambda g: (g.intro(), g.close_by(g.apply(g.fact("mm_entry", "d", "r", "d", "A", "B"), "i", "j"))),
        lambda g: (g.intro(), g.close_by(g.apply(g.fact("mm_entry", "d", "d", "d", "A", "B"), "i", "j"))),
    )


@holds(
    "bai2024.def-residual",
    f"""all d i j:Z, P M A B:M(d,d). {PATTERN} => 1 <= i and i <= d and 1 <= j and j <= d =>
        (P[i,j] = 1 => had(P, A @ B - M)[i,j] = (A @ B)[i,j] - M[i,j]) and (P[i,j] = 0 => had(P, A @ B - M)[i,j] = 0)""",
    argument="sound",
    reading="the residual is the entrywise product of P with AB - M",
)
def residual_is_the_masked_difference(g: Goal) -> None:
    """Entry by entry."""
    g.intro()

    def one(g: Goal) -> None:
        h = g.assume()
        g.field((h, "(A @ B)[i,j] - M[i,j]"))

    def zero(g: Goal) -> None:
        h = g.assume()
        g.field((h, "(A @ B)[i,j] - M[i,j]"))

    g.conj(one, zero)
