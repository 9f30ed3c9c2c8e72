"""Section 2 and Appendix A: the products of the layers are the matrices of rank at most r, and equal minima."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import size
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CLAIM = "eftekhari2022.assertion-surjective"
WIDTHS = """0 <= x => 0 <= y => 2 <= N => 0 <= r => (all l:Z. 1 <= l and l <= N - 1 => r <= d(l) and d(l) <= n) => r <= x => r <= y =>
       (r = x or r = y or (ex l:Z. 1 <= l and l <= N - 1 and d(l) = r)) =>"""
"""d(1), ..., d(N-1) are the hidden widths, at most n; r is the smallest of all widths."""
LAYERS = """((all i j:Z. d(1) < i => A[i,j] = 0) and (all l i j:Z. 2 <= l and l <= N - 1 => d(l) < i or d(l-1) < j => F(l)[i,j] = 0) and
       (all i j:Z. d(N-1) < j => B[i,j] = 0) and Q(1) = A and (all l:Z. 2 <= l and l <= N - 1 => Q(l) = F(l) @ Q(l-1)))"""
VARIABLES = "A:M(n,x), B:M(y,n), F:Z->M(n,n), Q:Z->M(n,x)"
READING = (
    "N >= 2 (for N = 1 the product is the only layer, and r = min(d_0, d_1)); A = W_1, F(l) = W_l, B = W_N, Q(l) = W_l...W_1; the hidden"
    " layers are padded by zero rows and columns to a common width n and vanish outside their d_l x d_(l-1) corner; d_0 = x and d_N = y"
)
NAMES = ("x_lo", "y_lo", "depth", "r_lo", "widths", "r_x", "r_y", "least")
SETTING = f"all x y n N r:Z, d:Z->Z. {WIDTHS}"


@part(
    CLAIM,
    "corner",
    """all n r:Z. 0 <= r => r <= n => ex J:M(n,r). T(J) @ J = I(r) and (all i j:Z. r < i => J[i,j] = 0) and
       (all k:Z, X:M(n,k). (all i j:Z. r < i => X[i,j] = 0) => J @ T(J) @ X = X)""",
    says="the embedding of the first r coordinates",
)
def embedding_of_a_corner(g: Goal) -> None:
    """The first r columns of the identity."""
    g.fix()
    g.assume()
    g.assume()
    (e,) = g.obtain(g.fact("matrix_of_entries", "n", "r", "lam i:Z, j:Z. I(n)[i,j]"), "J", split=False)
    outside = g.fact("entry_outside", "n", "r", "J")
    g.witness("J")

    def reversed_(g: Goal, ne: str) -> None:
        a, b = g.hyp_formula(ne)[1:]
        eq = g.contra()
        k = g.have(("=", a, b), lambda g: g.field((eq, -1)))
        g.clash(k, ne)

    def orthonormal(g: Goal) -> None:
        g.extn("i", "j")
        g.have("i <= n", lambda g: g.nlin(products=1))
        k = g.apply(g.fact("mm_entry", "r", "n", "r", "T(J)", "J"), "i", "j")

        def others(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            g.assume()
            v = g.apply(e, "l", "i")
            g.field((v, "J[l,j]"))

        s = g.by_fact("sum_delta", 1, "n", "i", "lam l:Z. J[l,i]*J[l,j]", by=[None, None, others])
        v, w = g.apply(e, "i", "i"), g.apply(e, "i", "j")

        def same(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            one = g.have("I(n)[i,j] = 1", lambda g: (g.rewrite(eq, back=True), g.field())[-1])
            two = g.have("I(r)[i,j] = 1", lambda g: (g.rewrite(eq, back=True), g.field())[-1])
            g.field((k, 1), (s, 1), (v, "J[i,j]"), (w, 1), (one, 1), (two, -1))

        g.em("i = j", same, lambda g: g.field((k, 1), (s, 1), (v, "J[i,j]"), (w, 1)))

    def zero(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()

        def out(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            g.close_by(g.apply(outside, "i", "j", by=[using(h)]))

        def within(g: Goal) -> None:
            g.split_all(next(reversed(g.seq.hyps)))
            g.have("j < i", lambda g: g.nlin(products=1))
            g.have("i != j", Goal.condition)
            v = g.apply(e, "i", "j")
            g.field((v, 1))

        g.em("i < 1 or n < i or j < 1 or r < j", out, within)

    def fixed(g: Goal) -> None:
        g.fix("k", "X")
        rows = g.assume()
        g.extn("i", "j")
        one = g.apply(g.fact("mm_entry", "n", "r", "k", "J", "T(J) @ X"), "i", "j")

        def inner(g: Goal) -> None:
            g.fix("a")
            g.split(g.assume())
            g.have("a <= n", lambda g: g.nlin(products=1))
            m = g.apply(g.fact("mm_entry", "r", "n", "k", "T(J)", "X"), "a", "j")

            def others(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume())
                g.assume()
                v = g.apply(e, "l", "a")
                g.field((v, "X[l,j]"))

            s = g.by_fact("sum_delta", 1, "n", "a", "lam l:Z. J[l,a]*X[l,j]", by=[None, None, others])
            v, w = g.apply(e, "a", "a"), g.apply(e, "i", "a")
            g.field((m, "J[i,a]"), (s, "J[i,a]"), (v, "J[i,a]*X[a,j]"), (w, "X[a,j]"))

        t = g.by_fact("sum_ext", 1, "r", "lam a:Z. J[i,a]*(T(J) @ X)[a,j]", "lam a:Z. I(n)[i,a]*X[a,j]", by=[inner])

        def low(g: Goal) -> None:
            def others(g: Goal) -> None:
                g.fix("a")
                g.split(g.assume())
                ne = g.assume()
                g.have("i != a", lambda g: reversed_(g, ne))
                g.have("a <= n", lambda g: g.nlin(products=1))
                g.field()

            s = g.by_fact("sum_delta", 1, "r", "i", "lam a:Z. I(n)[i,a]*X[a,j]", by=[None, None, others])
            g.field((one, 1), (t, 1), (s, 1))

        def high(g: Goal) -> None:
            def none(g: Goal) -> None:
                g.fix("a")
                g.split(g.assume())
                g.have("a < i", lambda g: g.nlin(products=1))
                g.have("i != a", Goal.condition)
                g.field()

            s = g.by_fact("sum_ext", 1, "r", "lam a:Z. I(n)[i,a]*X[a,j]", "lam a:Z. 0", by=[none])
            z = g.apply(rows, "i", "j")
            g.field((one, 1), (t, 1), (s, 1), (z, -1))

        g.em("i <= r", low, high)

    g.conj(orthonormal, zero, fixed)


def corner(g: Goal, n: str, r: str, name: str, low: str, high: str) -> list[str]:
    """Adds the embedding of the part `corner`."""
    return g.obtain(g.lemma(CLAIM, "part:corner", n, r, by=[using(low), using(high)]), name)


@part(
    CLAIM,
    "onto",
    f"{SETTING} all W:M(y,x). rank(W) <= r => ex {VARIABLES}. {LAYERS} and B @ Q(N-1) = W",
    says="every matrix of rank at most r is a product",
)
def every_matrix_of_low_rank_is_a_product(g: Goal) -> None:
    """W = U V; the first layer holds V and the last U, the others pass the first r coordinates on."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    g.fix("W")
    rank = g.assume()
    (w,) = g.obtain(g.by_fact("rank_factor", "y", "x", "r", "W", by=[using("r_lo"), using(rank)]), "U", "V")
    some = g.split(g.apply("widths", "1"))
    room = g.have("r <= n", lambda g: g.pos([f"@{some[0]}"], [f"@{some[1]}"]))
    unit, zero, _ = corner(g, "n", "r", "J", "r_lo", room)
    g.witness("J @ V", "U @ T(J)", "lam l:Z. J @ T(J)", "lam l:Z. J @ V")

    def vanishing(left: str, right: str, width: str, row: bool, column: bool = False) -> Script:
        """An entry of left @ right beyond the width d(..) is 0."""

        def script(g: Goal) -> None:
            names = g.fix()
            facts = [g.assume()] if not column else [g.assume(), g.assume()]
            i, j = names[-2:]
            m = g.apply(g.fact("mm_entry", *shape(left, right), left, right), i, j)

            def case(at: str, of_row: bool, given: str = "") -> Script:
                def inner(g: Goal) -> None:
                    beyond = given or next(reversed(g.seq.hyps))
                    least = g.split(g.apply("widths", at))[0]
                    k = i if of_row else j
                    g.have(f"r < {k}", lambda g: g.pos([f"@{beyond}"], [f"@{least}"]))

                    def term(g: Goal) -> None:
                        g.fix("q")
                        g.assume()
                        z = g.apply(zero, k, "q")
                        g.field((z, f"({right})[q,{j}]" if of_row else f"({left})[{i},q]"))

                    s = g.by_fact("sum_ext", 1, "r", f"lam q:Z. ({left})[{i},q]*({right})[q,{j}]", "lam q:Z. 0", by=[term])
                    g.field((m, 1), (s, 1))

                return inner

            if column:
                g.split(facts[0])
                g.cases(facts[1], case(names[0], True), case(f"{names[0]}-1", False))
            else:
                case(width, row, facts[0])(g)

        return script

    def shape(left: str, right: str) -> tuple[str, str, str]:
        rows = {"J": "n", "U": "y"}[left]
        columns = {"V": "x", "T(J)": "n"}[right]
        return rows, "r", columns

    def law(g: Goal) -> None:
        g.fix("l")
        g.assume()
        g.nc((unit, -1, "J", "V"))

    layers: list[Script] = [
        vanishing("J", "V", "1", True),
        vanishing("J", "T(J)", "", True, column=True),
        vanishing("U", "T(J)", "N-1", False),
        lambda g: g.nc(),
        law,
    ]
    g.conj(lambda g: g.conj(*layers), lambda g: g.nc((unit, 1, "U", "V"), (w, -1, None, None)))


@part(
    CLAIM,
    "rank",
    f"{SETTING} all {VARIABLES}. {LAYERS} => rank(B @ Q(N-1)) <= r",
    says="the rank of a product is at most the smallest width",
)
def products_have_low_rank(g: Goal) -> None:
    """A layer of width r has rank at most r, and so have all products from there on."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    g.fix()
    a_out, f_out, _, first, law = g.split(g.assume())
    bounds = g.split(g.fact("rank_product", "y", "n", "x", "B", "Q(N-1)"))
    some = g.split(g.apply("widths", "1"))
    g.have("0 <= n", lambda g: g.pos(["@r_lo"], [f"@{some[0]}"], [f"@{some[1]}"]))
    whole = g.split(g.by_fact("rank_bounds", "y", "x", "B @ Q(N-1)"))

    def inner(g: Goal) -> None:
        low, high, equal = g.obtain(next(reversed(g.seq.hyps)), "l0")
        room = g.have("r <= n", lambda g: g.pos([f"@{some[0]}"], [f"@{some[1]}"]))
        _, zero, keeps = corner(g, "n", "r", "J", "r_lo", room)
        _, _, columns = g.split(g.by_fact("rank_bounds", "n", "r", "J"))

        def through(g: Goal, x: str, k: str, rows: str) -> str:
            """Adds rank(x) <= r for a matrix with zero rows beyond r."""
            kept = g.apply(keeps, k, x, by=[using(rows)])
            p = g.split(g.fact("rank_product", "n", "r", k, "J", f"T(J) @ {x}"))[0]
            same = g.have(f"J @ (T(J) @ {x}) = {x}", lambda g: g.nc((kept, 1, None, None)))
            p = g.rewritten(p, same)
            return g.have(f"rank({x}) <= r", lambda g: g.pos([f"@{p}"], [f"@{columns}"]))

        def grows(g: Goal) -> None:
            ih = g.induct("l")
            high_l = g.assume()

            def at_start(g: Goal) -> None:
                eq = next(reversed(g.seq.hyps))

                def layer_one(g: Goal) -> None:
                    one = next(reversed(g.seq.hyps))

                    def rows(g: Goal) -> None:
                        g.fix("i", "j")
                        g.assume()
                        value = g.have("d(1) = r", lambda g: (g.rewrite(one, back=True), g.close_by(equal))[-1])
                        g.have("d(1) < i", lambda g: g.pos([f"@{before(g)}"], eqs=[(value, -1)]))
                        g.close_by(g.apply(a_out, "i", "j"))

                    k = through(g, "A", "x", g.have("all i j:Z. r < i => A[i,j] = 0", rows))
                    g.rewrite(eq)
                    g.rewrite(one)
                    g.rewrite(first)
                    g.close_by(k)

                def later(g: Goal) -> None:
                    g.have("2 <= l0", two)

                    def rows(g: Goal) -> None:
                        g.fix("i", "j")
                        beyond = g.assume()
                        g.have("d(l0) < i", lambda g: g.pos([f"@{beyond}"], eqs=[(equal, -1)]))
                        g.close_by(g.apply(f_out, "l0", "i", "j", by=[None, lambda g: (g.left_or_right(0), g.auto())[-1]]))

                    k = through(g, "F(l0)", "n", g.have("all i j:Z. r < i => F(l0)[i,j] = 0", rows))
                    p = g.split(g.fact("rank_product", "n", "n", "x", "F(l0)", "Q(l0-1)"))[0]
                    e = g.apply(law, "l0")
                    g.rewrite(eq)
                    g.rewrite(e)
                    g.pos([f"@{p}"], [f"@{k}"])

                g.em("l0 = 1", layer_one, later)

            def after(g: Goal) -> None:
                less = g.have("l0 < l", strictly)
                step = g.apply(g.fact("int_lt", "l0", "l"), by=[using(less)])
                g.have("2 <= l", lambda g: g.pos([f"@{step}"], [f"@{low}"]))
                k = g.apply(
                    ih, "l-1", by=[lambda g: g.conj(lambda g: g.pos([f"@{step}"]), None), lambda g: g.pos([f"@{high_l}"], ["1"])]
                )
                p = g.split(g.fact("rank_product", "n", "n", "x", "F(l)", "Q(l-1)"))[1]
                e = g.apply(law, "l")
                g.rewrite(e)
                g.pos([f"@{p}"], [f"@{k}"])

            g.em("l = l0", at_start, after)

        every = g.have("all l:Z. l0 <= l => l <= N - 1 => rank(Q(l)) <= r", grows)
        last_ = g.apply(every, "N-1")
        g.pos([f"@{bounds[1]}"], [f"@{last_}"])

    g.cases(
        "least",
        lambda g: g.pos([f"@{whole[2]}"], eqs=[(next(reversed(g.seq.hyps)), 1)]),
        lambda g: g.pos([f"@{whole[1]}"], eqs=[(next(reversed(g.seq.hyps)), 1)]),
        inner,
    )


def before(g: Goal) -> str:
    """The newest strict inequality."""
    return next(h for h in reversed(g.seq.hyps) if g.hyp_formula(h)[0] == "<")


def two(g: Goal) -> None:
    """2 <= l0 from 1 <= l0 and l0 != 1."""

    def less(g: Goal) -> None:
        h = g.apply(g.fact("int_lt", "1", "l0"))
        g.pos([f"@{h}"])

    def equal(g: Goal) -> None:
        e = next(reversed(g.seq.hyps))
        ne = next(h for h, f in g.seq.hyps.items() if f == ("!=", "l0", 1))
        k = g.have("l0 = 1", lambda g: g.field((e, -1)))
        g.clash(k, ne)

    g.cases(g.by_fact("lt_or_eq", "1", "l0"), less, equal)


def strictly(g: Goal) -> None:
    """l0 < l from l0 <= l and l != l0."""

    def equal(g: Goal) -> None:
        e = next(reversed(g.seq.hyps))
        ne = next(h for h, f in g.seq.hyps.items() if f == ("!=", "l", "l0"))
        k = g.have("l = l0", lambda g: g.field((e, -1)))
        g.clash(k, ne)

    g.cases(g.by_fact("lt_or_eq", "l0", "l"), lambda g: g.close_by(next(reversed(g.seq.hyps))), equal)


@holds(
    CLAIM,
    f"""({SETTING} (all W:M(y,x). rank(W) <= r => ex {VARIABLES}. {LAYERS} and B @ Q(N-1) = W) and
         (all {VARIABLES}. {LAYERS} => rank(B @ Q(N-1)) <= r)) and
       (all x y r:Z, W:M(y,x). 0 <= x => 0 <= y => r = min(x,y) => rank(W) <= r)""",
    argument="repaired",
    reading=f"{READING}; the second part is N = 1, where every matrix is its own product. (41) prints the domain with the widths for the"
    " spaces of matrices",
)
def product_map_is_onto(g: Goal) -> None:
    """The two parts; for N = 1 the rank is at most both sizes."""

    def deep(g: Goal) -> None:
        g.fix()
        for name in NAMES:
            g.assume(name)
        known = [using(name) for name in NAMES]
        onto = g.lemma(CLAIM, "part:onto", *"xynNrd", by=known)
        rank = g.lemma(CLAIM, "part:rank", *"xynNrd", by=known)
        g.conj(using(onto), using(rank))

    def shallow(g: Goal) -> None:
        g.fix()
        g.assume()
        g.assume()
        eq = g.assume()
        _, rows, columns = g.split(g.by_fact("rank_bounds", "y", "x", "W"))

        def case(h: str) -> Script:
            def script(g: Goal) -> None:
                m = g.split(next(reversed(g.seq.hyps)))[1]
                g.pos([f"@{h}"], eqs=[(eq, 1), (m, 1)])

            return script

        g.cases(g.fact("min_cases", "x", "y"), case(columns), case(rows))

    g.conj(deep, shallow)


DEEP = f"(all {VARIABLES}. {LAYERS} => c <= {size('Y - B @ Q(N-1) @ X')}/2)"
LOW_RANK = f"(all W:M(y,x). rank(W) <= r => c <= {size('Y - W @ X')}/2)"
PAIR = f"(all K:M(y,r), R:M(r,x). c <= {size('Y - K @ R @ X')}/2)"
MINIMA = f"two minima agree where every lower bound c of one objective is one of the other, and one is attained where the other is; {READING}"
DATA = "all m:Z, X:M(x,m), Y:M(y,m), c:R."


@holds(
    "eftekhari2022.eq-10a",
    f"{SETTING} {DATA} {DEEP} <=> {LOW_RANK}",
    argument="sound",
    reading=MINIMA,
    uses=[CLAIM],
)
def deep_minimum_is_the_minimum_of_low_rank(g: Goal) -> None:
    """The products are the matrices of rank at most r."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    known = [using(name) for name in NAMES]
    g.fix()

    def forward(g: Goal) -> None:
        bound = g.assume()
        g.fix("W")
        rank = g.assume()
        onto = g.apply(g.lemma(CLAIM, "part:onto", *"xynNrd", by=known), "W", by=[using(rank)])
        layers, product = g.split(g.obtain(onto, "A", "B", "F", "Q", split=False)[0])
        h = g.apply(bound, "A", "B", "F", "Q", by=[using(layers)])
        g.rewrite(product, back=True)
        g.exact(h)

    def backward(g: Goal) -> None:
        bound = g.assume()
        g.fix()
        layers = g.assume()
        rank = g.apply(g.lemma(CLAIM, "part:rank", *"xynNrd", by=known), "A", "B", "F", "Q", by=[using(layers)])
        g.exact(g.apply(bound, "B @ Q(N-1)", by=[using(rank)]))

    g.iff(forward, backward)


@holds(
    "eftekhari2022.eq-10b",
    f"{SETTING} {DATA} {DEEP} <=> {PAIR}",
    argument="sound",
    reading=f"K stands for P and R for Q; {MINIMA}",
    uses=["eftekhari2022.eq-10a"],
)
def deep_minimum_is_that_of_a_pair(g: Goal) -> None:
    """A matrix has rank at most r exactly if it is a product with inner dimension r."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    known = [using(name) for name in NAMES]
    g.fix()
    h = g.apply(g.lemma("eftekhari2022.eq-10a", "statement", *"xynNrd", by=known), "m", "X", "Y", "c")
    there, back = g.split(h)

    def forward(g: Goal) -> None:
        low = g.apply(there, by=[using(g.assume())], n=1)
        g.fix("K", "R")
        left = g.split(g.fact("rank_product", "y", "r", "x", "K", "R"))[0]
        columns = g.split(g.by_fact("rank_bounds", "y", "r", "K"))[2]
        k = g.apply(low, "K @ R", by=[lambda g: g.pos([f"@{left}"], [f"@{columns}"])])
        g.exact(k)

    def backward(g: Goal) -> None:
        bound = g.assume()

        def low(g: Goal) -> None:
            g.fix("W")
            rank = g.assume()
            (w,) = g.obtain(g.by_fact("rank_factor", "y", "x", "r", "W", by=[using("r_lo"), using(rank)]), "U", "V")
            k = g.apply(bound, "U", "V")
            g.rewrite(w)
            g.exact(k)

        k = g.have(LOW_RANK, low)
        g.close_by(g.apply(back, by=[using(k)], n=1))

    g.iff(forward, backward)
