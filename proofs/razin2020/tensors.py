"""Outer products, tensor rank, the tensor factorisation (12) and its network (Figure 3); depth 2 as a sum of outer products.

A tensor of order N is a function of the number k = 1, ..., K of an index tuple, whose n-th index is J(k,n).
"""

from __future__ import annotations

from proofs.razin2020.products_of_factors import upwards
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds

NUMBERED = "the index tuples are numbered by k = 1, ..., K, for any order N and any dimensions; J(k,n) is the n-th index of the k-th tuple"


@holds(
    "razin2020.fn-6-outer-product",
    """(all N m:Z, u v w:(Z,Z)->R, i:Z->Z, a b:R. 1 <= m => m <= N =>
          (all n j:Z. n != m => u(n,j) = v(n,j) and u(n,j) = w(n,j)) => (all j:Z. u(m,j) = a*v(m,j) + b*w(m,j)) =>
          prod(n, 1, N, u(n,i(n))) = a*prod(n, 1, N, v(n,i(n))) + b*prod(n, 1, N, w(n,i(n)))) and
       (all p q i j:Z, x:V(p), y:V(q). (x @ T(y))[i,j] = x[i,1]*y[j,1])""",
    reading="the entry at the indices i(1), ..., i(N) is prod_n v(n, i(n)), for any order; it is linear in each of the vectors, and for order 2 it is x y^T",
)
def outer_product_is_multilinear(g: Goal) -> None:
    """Induction on the number of factors."""

    def linear(g: Goal) -> None:
        g.fix("M", "m", "u", "v", "w", "i", "a", "b")
        low, high, apart, at = (g.assume() for _ in range(4))

        def equal_below(g: Goal, f: str) -> str:
            """The products of the first m - 1 factors agree."""

            def same(g: Goal) -> None:
                (n,) = g.fix()
                _, top = g.split(g.assume())

                def different(g: Goal) -> None:
                    h = g.contra()
                    only(g, top, h)
                    g.pos([1], [f"@{top}"], eqs=[(h, 1)])

                k = g.split(g.apply(apart, n, f"i({n})", by=[different]))
                g.close_by(k[0] if f == "v" else k[1])

            return g.by_fact("prod_ext", 1, "m - 1", "lam n:Z. u(n,i(n))", f"lam n:Z. {f}(n,i(n))", by=[same])

        first = {f: equal_below(g, f) for f in "vw"}

        def grow(g: Goal) -> None:
            def base(g: Goal) -> None:
                g.assume()
                last = {f: g.by_fact("prod_last", 1, "m", f"lam n:Z. {f}(n,i(n))", by=[using(low)]) for f in "uvw"}
                k = g.apply(at, "i(m)")
                only(g, k, *last.values(), *first.values())
                g.field(
                    (last["u"], 1),
                    (k, "prod(n, 1, m - 1, u(n,i(n)))"),
                    (first["v"], "a*v(m,i(m))"),
                    (first["w"], "b*w(m,i(m))"),
                    (last["v"], "-a"),
                    (last["w"], "-b"),
                )

            def step(g: Goal) -> None:
                top = g.assume()
                before = g.apply(
                    "ih", "k - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[top])]
                )
                more = g.have("m + 1 <= k", lambda g: g.nlin())
                one = g.have("1 <= k", lambda g: (only(g, more, low), g.pos([f"@{more}"], [f"@{low}"], [1]))[-1])
                last = {f: g.by_fact("prod_last", 1, "k", f"lam n:Z. {f}(n,i(n))", by=[using(one)]) for f in "uvw"}

                def different(g: Goal) -> None:
                    h = g.contra()
                    only(g, more, h)
                    g.pos([1], [f"@{more}"], eqs=[(h, -1)])

                x, y = g.split(g.apply(apart, "k", "i(k)", by=[different]))
                only(g, before, x, y, *last.values())
                g.field(
                    (last["u"], 1),
                    (before, "u(k,i(k))"),
                    (x, "a*prod(n, 1, k - 1, v(n,i(n)))"),
                    (y, "b*prod(n, 1, k - 1, w(n,i(n)))"),
                    (last["v"], "-a"),
                    (last["w"], "-b"),
                )

            upwards(g, "m", base, step, "k")

        h = g.have(
            "all k:Z. m <= k => k <= M => prod(n, 1, k, u(n,i(n))) = a*prod(n, 1, k, v(n,i(n))) + b*prod(n, 1, k, w(n,i(n)))",
            grow,
        )
        g.close_by(g.apply(h, "M", by=[using(high), Goal.refl]))

    def matrix(g: Goal) -> None:
        g.fix()
        g.field()

    g.conj(linear, matrix)


CP = "(all k:Z. 1 <= k and k <= K => X(k) = sum(r, 1, {0}, prod(n, 1, N, w(r,n,J(k,n)))))"
EXPRESSED = f"(ex w:(Z,Z,Z)->R. {CP})"
LEAST = f"0 <= {{0}} and {EXPRESSED} and (all q:Z. 0 <= q and q < {{0}} => not {EXPRESSED.replace('{0}', 'q')})"


def least_number(g: Goal, some: str, expressed: str, least: str) -> None:
    """There is exactly one least number of terms if there is one: descent, and comparison of two least numbers."""

    def descend(g: Goal) -> None:
        ih = g.induct("j")
        now = g.assume()
        smaller = f"ex q:Z. 0 <= q and q < j and {expressed.format('q')}"

        def yes(g: Goal) -> None:
            low, below, e = g.obtain(next(reversed(g.seq.hyps)), "q")
            k = g.apply(ih, "q", by=[lambda g: g.conj(using(low), using(below)), using(e)])
            g.close_by(k)

        def no(g: Goal) -> None:
            none = next(reversed(g.seq.hyps))
            g.witness("j")

            def minimal(g: Goal) -> None:
                (q,) = g.fix()
                low, below = g.split(g.assume())
                e = g.assume()

                def found(g: Goal) -> None:
                    g.witness(q)
                    g.conj(using(low), using(below), using(e))

                g.clash(g.have(smaller, found), none)

            g.conj(None, using(now), minimal)

        g.em(smaller, yes, no)

    h = g.have(f"all j:Z. 0 <= j => {expressed.format('j')} => ex R:Z. {least.format('R')}", descend)
    low, e = g.obtain(some, "R0")

    def unique(g: Goal) -> None:
        a, b = g.fix()
        x, y = g.assume(), g.assume()
        x, y = g.split(x), g.split(y)

        def first(g: Goal) -> None:
            less = next(reversed(g.seq.hyps))
            k = g.apply(y[2], a, by=[lambda g: g.conj(using(x[0]), using(less))])
            g.clash(x[1], k)

        def second(g: Goal) -> None:
            less = next(reversed(g.seq.hyps))
            k = g.apply(x[2], b, by=[lambda g: g.conj(using(y[0]), using(less))])
            g.clash(y[1], k)

        g.cases(g.fact("trichotomy", a, b), first, None, second)

    g.conj(lambda g: g.close_by(g.apply(h, "R0", by=[using(low), using(e)])), unique)


@holds(
    "razin2020.eq-12",
    f"""(all N K:Z, X:Z->R, J:(Z,Z)->Z. (ex R:Z. 0 <= R and {EXPRESSED.format("R")}) =>
          (ex R:Z. {LEAST.format("R")}) and (all R S:Z. {LEAST.format("R")} => {LEAST.format("S")} => R = S)) and
       (all d c R i j:Z, w:(Z,Z,Z)->R, A:M(d,R), B:M(R,c). 1 <= i => i <= d => 1 <= j => j <= c =>
          (all p r:Z. A[p,r] = w(r,1,p)) => (all r q:Z. B[r,q] = w(r,2,q)) => (A @ B)[i,j] = sum(r, 1, R, w(r,1,i)*w(r,2,j)))""",
    reading=f"{NUMBERED}; w(r,n,j) is the j-th entry of the vector w_r^(n); a tensor that has such an expression has exactly one least number of terms; "
    "the order 2 is the product W_2 W_1 of two matrices",
)
def tensor_rank_is_well_defined(g: Goal) -> None:
    """Descent; the entry of a product."""

    def rank(g: Goal) -> None:
        g.fix()
        some = g.assume()
        least_number(g, some, EXPRESSED, LEAST)

    def matrices(g: Goal) -> None:
        d, c, r, i, j, *_ = g.fix()
        *_, a, b = (g.assume() for _ in range(6))
        k = g.apply(g.fact("mm_entry", d, r, c, "A", "B"), i, j)

        def term(g: Goal) -> None:
            (l,) = g.fix()  # noqa: E741
            g.assume()
            x, y = g.apply(a, i, l), g.apply(b, l, j)
            g.field((x, f"B[{l},{j}]"), (y, f"w({l},1,{i})"))

        s = g.by_fact("sum_ext", 1, r, f"lam l:Z. A[{i},l]*B[l,{j}]", f"lam l:Z. w(l,1,{i})*w(l,2,{j})", by=[term])
        g.field((k, 1), (s, 1))

    g.conj(rank, matrices)


@holds(
    "razin2020.assertion-outer-product-form",
    """(all d c R:Z, A:M(d,R), B:M(R,c). all i j:Z. (A @ B)[i,j] = sum(r, 1, R, A[i,r]*B[r,j])) and
       (all d c R:Z, X:M(d,c). 0 <= d => 0 <= c => 0 <= R => ((ex A:M(d,R), B:M(R,c). X = A @ B) <=> rank(X) <= R)) and
       (all d c R:Z, X:M(d,c). 0 <= d => 0 <= c => min(d,c) <= R => ex A:M(d,R), B:M(R,c). X = A @ B)""",
    argument="sound",
    reading="the columns of A = W_2 are the w_r, the rows of B = W_1 the w'_r: X = A B is the sum of the outer products; X is a sum of R of them exactly if rank X <= R, "
    "so that the least R is the rank",
)
def factorisation_as_a_sum_of_outer_products(g: Goal) -> None:
    """The rank of a product is at most its inner dimension, and a matrix of rank R has such a factorisation."""

    def entries(g: Goal) -> None:
        g.fix("d", "c", "R", "A", "B")
        g.fix("i", "j")
        g.close_by(g.apply(g.fact("mm_entry", "d", "R", "c", "A", "B"), "i", "j"))

    def rank(g: Goal) -> None:
        g.fix()
        d, c, r = (g.assume() for _ in range(3))

        def below(g: Goal) -> None:
            (eq,) = g.obtain(g.assume(), "A", "B")
            g.rewrite(eq)
            a, _ = g.split(g.fact("rank_product", "d", "R", "c", "A", "B"))
            b = g.split(g.by_fact("rank_bounds", "d", "R", "A", by=[using(d), using(r)]))[2]
            g.pos([f"@{a}"], [f"@{b}"])

        def above(g: Goal) -> None:
            low = g.assume()
            g.close_by(g.by_fact("rank_factor", "d", "c", "R", "X", by=[using(r), using(low)]))

        g.iff(below, above)
        del c

    def full(g: Goal) -> None:
        g.fix()
        d, c, r = (g.assume() for _ in range(3))
        k = g.split(g.by_fact("rank_bounds", "d", "c", "X", by=[using(d), using(c)]))

        def case(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            top = k[1] if g.hyp_formula(eq)[2] == "d" else k[2]
            low = g.have("rank(X) <= R", lambda g: g.pos([f"@{top}"], [f"@{r}"], eqs=[(eq, 1)]))
            wide = g.have("0 <= R", lambda g: (only(g, low, k[0]), g.pos([f"@{low}"], [f"@{k[0]}"]))[-1])
            g.close_by(g.by_fact("rank_factor", "d", "c", "R", "X", by=[using(wide), using(low)]))

        g.cases(g.fact("min_cases", "d", "c"), case, case)

    g.conj(entries, rank, full)


@holds(
    "razin2020.def-tensor-rank",
    f"""(all N K:Z, X:Z->R, J:(Z,Z)->Z. (ex R:Z. 0 <= R and {EXPRESSED.format("R")}) =>
          (ex R:Z. {LEAST.format("R")}) and (all R S:Z. {LEAST.format("R")} => {LEAST.format("S")} => R = S)) and
       (all N K:Z, X:Z->R, J:(Z,Z)->Z. (all k:Z. 1 <= k and k <= K => X(k) = 0) => {EXPRESSED.format("0")}) and
       (all d c:Z, X:M(d,c). 0 <= d => 0 <= c => (ex A:M(d,rank(X)), B:M(rank(X),c). X = A @ B) and
          (all R:Z. 0 <= R and R < rank(X) => not (ex A:M(d,R), B:M(R,c). X = A @ B)))""",
    uses=["razin2020.eq-12", "razin2020.assertion-outer-product-form"],
    reading=f"{NUMBERED}; a tensor that is a sum of outer products has exactly one least number of summands, which is 0 for the zero tensor; for matrices it is the rank",
)
def rank_of_tensors_and_matrices(g: Goal) -> None:
    """Descent; for matrices the rank of a product."""

    def zero(g: Goal) -> None:
        g.fix()
        none = g.assume()
        g.witness("lam r:Z, n:Z, j:Z. 0")
        (k,) = g.fix()
        inside = g.assume()
        g.field((g.apply(none, k, by=[using(inside)]), 1))

    def matrices(g: Goal) -> None:
        g.fix()
        d, c = g.assume(), g.assume()
        rank = g.split(g.lemma("razin2020.assertion-outer-product-form"))[1]
        low = g.split(g.by_fact("rank_bounds", "d", "c", "X", by=[using(d), using(c)]))[0]

        def own(g: Goal) -> None:
            k = g.apply(rank, "d", "c", "rank(X)", "X", by=[using(d), using(c), using(low)])
            g.close_by(g.apply(g.split(k)[1], by=[Goal.refl]))

        def fewer(g: Goal) -> None:
            (r,) = g.fix()
            wide, less = g.split(g.assume())
            e = g.assume()
            k = g.apply(rank, "d", "c", r, "X", by=[using(d), using(c), using(wide)])
            b = g.apply(g.split(k)[0], by=[using(e)])
            g.pos([f"@{b}"], [f"@{less}"])

        g.conj(own, fewer)

    g.conj(lambda g: g.close_by(g.split(g.lemma("razin2020.eq-12"))[0]), zero, matrices)


@holds(
    "razin2020.fig-3",
    """all N R:Z, d i:Z->Z, w:(Z,Z,Z)->R, x:(Z,Z)->R. (all n:Z. 1 <= n and n <= N => 1 <= i(n) and i(n) <= d(n)) =>
       (all n j:Z. (j = i(n) => x(n,j) = 1) and (j != i(n) => x(n,j) = 0)) =>
       sum(r, 1, R, prod(n, 1, N, sum(j, 1, d(n), w(r,n,j)*x(n,j)))) = sum(r, 1, R, prod(n, 1, N, w(r,n,i(n))))""",
    argument="sound",
    reading="x(n,.) is the one-hot vector of the index i(n); on the left the network: inner products, product over n in each channel, sum over the channels; "
    "on the right the entry of the tensor (12). Any order, width and dimensions; equal filters w(r,1,.) = ... = w(r,N,.) are a case",
)
def network_computes_the_entries(g: Goal) -> None:
    """The inner product with a one-hot vector picks an entry."""
    g.fix("M", "R", "d", "i", "w", "x")
    inside, hot = g.assume(), g.assume()

    def channel(g: Goal) -> None:
        (r,) = g.fix()
        g.assume()

        def slot(g: Goal) -> None:
            (n,) = g.fix()
            index = g.assume()
            low, high = g.split(g.apply(inside, n, by=[using(index)]))

            def other(g: Goal) -> None:
                (j,) = g.fix()
                g.assume()
                ne = g.assume()
                z = g.apply(g.split(g.apply(hot, n, j))[1], by=[using(ne)])
                g.field((z, f"w({r},{n},{j})"))

            s = g.by_fact(
                "sum_delta", 1, f"d({n})", f"i({n})", f"lam j:Z. w({r},{n},j)*x({n},j)", by=[using(low), using(high), other]
            )
            one = g.apply(g.split(g.apply(hot, n, f"i({n})"))[0], by=[Goal.refl])
            g.field((s, 1), (one, f"w({r},{n},i({n}))"))

        g.close_by(
            g.by_fact(
                "prod_ext",
                1,
                "M",
                f"lam n:Z. sum(j, 1, d(n), w({r},n,j)*x(n,j))",
                f"lam n:Z. w({r},n,i(n))",
                by=[slot],
            )
        )

    g.close_by(
        g.by_fact(
            "sum_ext",
            1,
            "R",
            "lam r:Z. prod(n, 1, M, sum(j, 1, d(n), w(r,n,j)*x(n,j)))",
            "lam r:Z. prod(n, 1, M, w(r,n,i(n)))",
            by=[channel],
        )
    )
