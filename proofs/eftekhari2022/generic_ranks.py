"""Lemma 12 and Appendix H: almost all tuples of layers have a product of the largest rank; the cases of the induction."""

from __future__ import annotations

from collections.abc import Callable

from proofs.eftekhari2022.generic_layers import (
    DETERMINANT,
    MODEL,
    NAMES,
    NULL_SET,
    READING,
    VARIABLES,
    last,
    last_equation,
    model,
    null_set,
    setting,
)
from proofs.eftekhari2022.product_map import CLAIM as CORNER
from proofs.eftekhari2022.product_map import corner
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

ALMOST_ALL = f"all {VARIABLES}. {MODEL} {null_set('rank(P(N,x)) != r')}"
NULL_READING = f"for every e > 0 countably many boxes of a total volume of at most e cover the exceptional x; {READING}"
LEFT_INVERSE = "eftekhari2022.lemma-4-fosp"


def embedding(g: Goal) -> tuple[str, str]:
    """Adds the embedding K of the first r coordinates, with K^T K = I, and 1 <= p; returns both."""
    low, high, length = g.split(model(g, NULL_SET, "part:least"))
    g.have("0 <= r", lambda g: g.pos([f"@{low}"], [1]))
    unit, rows, _ = corner(g, "n", "r", "K", last(g), high)
    (at,) = g.obtain(g.apply(model(g, NULL_SET, "part:passing"), "K", by=[using(unit), using(rows)]), "z", split=False)
    return length, at


@part(
    NULL_SET,
    "regular",
    f"all {VARIABLES}. {MODEL} all K:M(n,r), x:V(p). {DETERMINANT.format(x='x')} != 0 => rank(P(N,x)) = r",
    says="where an r x r minor does not vanish, the rank is r",
    uses=[NULL_SET],
)
def regular_minors_give_the_rank(g: Goal) -> None:
    """r = rank(K^T P K) <= rank(P) <= r."""
    setting(g)
    low = g.split(model(g, NULL_SET, "part:least"))[0]
    g.have("0 <= r", lambda g: g.pos([f"@{low}"], [1]))
    g.fix("K", "x")
    regular = g.assume()
    g.obtain("attained", "q")
    most = g.apply(model(g, NULL_SET, "part:at-most"), "q", "N", "x")
    full = g.apply(g.split(g.by_fact("rank_full", "r", "T(K) @ P(N,x) @ K"))[1], by=[using(regular)])
    one = g.split(g.fact("rank_product", "r", "n", "r", "T(K)", "P(N,x) @ K"))[1]
    same = g.have(("=", g.hyp_formula(one)[1][2], g.term("T(K) @ P(N,x) @ K")), lambda g: g.nc())
    one = g.rewritten(one, same)
    two = g.split(g.fact("rank_product", "n", "n", "r", "P(N,x)", "K"))[0]
    g.antisym(using(most), lambda g: g.pos([f"@{one}"], [f"@{two}"], eqs=[(full, 1)]))


@holds(NULL_SET, ALMOST_ALL, argument="repaired", reading=NULL_READING, uses=[NULL_SET, CORNER])
def exceptional_tuples_are_a_null_set(g: Goal) -> None:
    """They are zeros of an r x r minor, which is a polynomial of the entries and is 1 for layers that pass r coordinates on. (The induction
    of Appendix H does not reach the case in which the last layer alone is narrowest.)"""
    setting(g)
    length, at = embedding(g)
    minor = model(g, NULL_SET, "part:minor")
    regular = model(g, NULL_SET, "part:regular")

    def lines(g: Goal) -> None:
        g.fix("x", "y")
        g.close_by(g.apply(minor, "K", "x", "y"))

    def somewhere(g: Goal) -> None:
        g.witness("z")
        g.rewrite(at)
        g.rewrite(g.fact("det_identity", "r"))
        g.auto()

    null = g.by_fact(
        "polynomial_zeros_null", "p", f"lam x:V(p). {DETERMINANT.format(x='x')}", by=[using(length), lines, somewhere]
    )
    g.fix("e")
    small = g.assume()
    boxes = g.obtain(g.apply(null, "e", by=[using(small)]), "A", "B")
    g.witness("A", "B")

    def covered(g: Goal) -> None:
        g.fix("x")
        low = g.assume()

        def zero(g: Goal) -> None:
            g.clash(g.apply(regular, "K", "x", by=[using(g.contra())]), low)

        h = g.have(f"{DETERMINANT.format(x='x')} = 0", zero)
        g.close_by(g.apply(boxes[2], "x", by=[using(h)]))

    g.conj(using(boxes[0]), using(boxes[1]), covered)


@holds(
    "eftekhari2022.lemma-12-dense",
    f"all {VARIABLES}. {MODEL} all x:V(p), e:R. 0 < e => ex y:V(p). tr(T(y - x) @ (y - x)) < e and rank(P(N,y)) = r",
    argument="sound",
    reading=READING,
    uses=[NULL_SET, CORNER],
)
def tuples_of_the_largest_rank_are_dense(g: Goal) -> None:
    """On the line from x to layers that pass r coordinates on, a minor is a polynomial that is 1 at the end, so it has no zero at
    points near x."""
    setting(g)
    _, at = embedding(g)
    g.fix("x", "e")
    g.assume()
    value = "det(T(K) @ P(N,x + {t}*(z - x)) @ K)"
    (terms,) = g.obtain(g.apply(model(g, NULL_SET, "part:minor"), "K", "x", "z - x"), "m", "c", split=False)

    def somewhere(g: Goal) -> None:
        g.witness("1")
        k = g.apply(terms, "1")
        end = g.have("x + 1*(z - x) = z", lambda g: g.nc())
        one = g.have(
            f"{value.format(t='1')} = 1",
            lambda g: (g.rewrite(end), g.rewrite(at), g.rewrite(g.fact("det_identity", "r")), g.refl())[-1],
        )
        eq = g.contra()
        g.pos([1], eqs=[(k, -1), (one, 1), (eq, -1)])

    size = "tr(T(z - x) @ (z - x))"
    near = g.by_fact("polynomial_nonzero_near", "m", "lam k:Z. c(k)", by=[somewhere])
    step = f"e/(e + 1 + {size})"
    below, above, nonzero = g.obtain(g.apply(near, "0", step, by=[lambda g: g.pos([step])]), "t")
    room = g.have(f"t*(e + 1 + {size}) < e", lambda g: g.pos([f"@{above}", f"e + 1 + {size}"]))
    one = g.have("t < 1", lambda g: g.pos([f"@{room}"], [f"@{below}"], [f"@{below}", size], mul=["e"]))
    g.witness("x + t*(z - x)")

    def close(g: Goal) -> None:
        g.pos([f"@{room}", f"@{below}"], [f"@{one}", "e"], ["t^2", "e"], ["t^2"])

    def regular(g: Goal) -> None:
        k = g.apply(terms, "t")

        def det(g: Goal) -> None:
            eq = g.contra()
            g.clash(g.have("sum(k, 0, m, c(k)*t^k) = 0", lambda g: g.field((k, -1), (eq, 1))), nonzero)

        h = g.have(f"{value.format(t='t')} != 0", det)
        g.close_by(g.apply(model(g, NULL_SET, "part:regular"), "K", "x + t*(z - x)", by=[using(h)]))

    g.conj(close, regular)


@holds("eftekhari2022.eq-21", ALMOST_ALL, argument="sound", reading=NULL_READING, uses=[NULL_SET])
def almost_every_start_has_the_largest_rank(g: Goal) -> None:
    """Lemma 12 (2)."""
    g.close_by(g.lemma(NULL_SET, "statement"))


def exceptional(g: Goal, right: str, cover: Callable[[Goal, str], None]) -> None:
    """Close a null set of the x for which `right` is false: `cover` proves it from the hypothesis that the product has the rank r."""
    g.fix("e")
    small = g.assume()
    boxes = g.obtain(g.apply(model(g, NULL_SET, "statement"), "e", by=[using(small)]), "A", "B")
    g.witness("A", "B")

    def covered(g: Goal) -> None:
        g.fix("x")
        wrong = g.assume()

        def regular(g: Goal) -> None:
            rank = last(g)
            h = g.have(right, lambda g: cover(g, rank))
            g.contra()
            g.clash(h, wrong)

        g.em("rank(P(N,x)) != r", lambda g: g.close_by(g.apply(boxes[2], "x", by=[using(last(g))])), regular)

    g.conj(using(boxes[0]), using(boxes[1]), covered)


def only_layer(g: Goal, one: str) -> str:
    """Adds P(N,x) = F(1,x) for N = 1."""
    start, step = g.apply("start", "x"), g.apply("step", "1", "x")
    first = g.have("P(N,x) = P(1,x)", lambda g: g.ctx(using(one)))
    base = g.have("P(1-1,x) = I(n)", lambda g: g.exact(start))
    return g.have("P(N,x) = F(1,x)", lambda g: g.nc((first, 1, None, None), (step, 1, None, None), (base, 1, "F(1,x)", None)))


@holds(
    "eftekhari2022.eq-109",
    f"all {VARIABLES}. {MODEL} N = 1 => r = min(w(0),w(1)) and {null_set('rank(F(1,x)) != r')}",
    argument="sound",
    reading=NULL_READING,
    uses=[NULL_SET],
)
def almost_every_matrix_has_full_rank(g: Goal) -> None:
    """Lemma 12 (2) for one layer."""
    setting(g)
    one = g.assume()

    def least(g: Goal) -> None:
        first, second = g.apply("least", "0"), g.apply("least", "1", by=[lambda g: g.conj(None, lambda g: g.pos(eqs=[(one, 1)]))])
        low, high, value = g.obtain("attained", "q")

        def smaller(k: int) -> Script:
            def script(g: Goal) -> None:
                order, equal = g.split(last(g))

                def at(q: str) -> Script:
                    def close(g: Goal) -> None:
                        eq = g.have(f"q = {q}", lambda g: g.field((last_equation(g), -1 if q == "0" else 1)))
                        w = g.have(f"w(q) = w({q})", lambda g: g.ctx(using(eq)))
                        bound = (first, second)[k]
                        g.antisym(
                            lambda g: g.pos([f"@{bound}"], eqs=[(equal, 1)]),
                            lambda g: g.pos(*([[f"@{order}"]] if q != str(k) else []), eqs=[(equal, -1), (w, 1), (value, -1)]),
                        )

                    return close

                def positive(g: Goal) -> None:
                    g.by_fact("int_lt", "0", "q", by=[using(last(g))])
                    up = g.have("q <= 1", lambda g: g.pos([f"@{high}"], eqs=[(one, -1)]))
                    g.have("q = 1", lambda g: g.antisym(using(up), None))
                    at("1")(g)

                g.less_or_equal("0 <= q", positive, at("0"))

            return script

        g.cases(g.fact("min_cases", "w(0)", "w(1)"), smaller(0), smaller(1))

    def full(g: Goal, rank: str) -> None:
        g.close_by(g.rewritten(rank, only_layer(g, one)))

    g.conj(least, lambda g: exceptional(g, "rank(F(1,x)) = r", full))


@part(
    "eftekhari2022.eq-116",
    "kernels",
    """all n r:Z, V W:M(n,n). 1 <= r => 0 <= n => rank(W) = r => rank(V @ W) = r =>
       (all v:V(n). V @ W @ v = O(n,1) <=> W @ v = O(n,1)) and (all u:V(n). (ex v:V(n). u = W @ v) => V @ u = O(n,1) => u = O(n,1))""",
    says="if V W has the rank of W, the range of W meets the null space of V in 0 only, and the null spaces of V W and W agree",
    uses=[LEFT_INVERSE],
)
def kernels_of_products(g: Goal) -> None:
    """W = U S with r columns in U, and V U has a left inverse."""
    g.fix()
    least, size, rank, product = (g.assume() for _ in range(4))
    low = g.have("0 <= r", lambda g: g.pos([f"@{least}"], [1]))
    (w,) = g.obtain(
        g.by_fact("rank_factor", "n", "n", "r", "W", by=[using(low), lambda g: g.pos(eqs=[(rank, -1)])]), "U", "S", split=False
    )
    k = g.split(g.fact("rank_product", "n", "r", "n", "V @ U", "S"))[0]
    same = g.have(("=", g.hyp_formula(k)[1][2], g.term("V @ W")), lambda g: g.nc((w, -1, "V", None)))
    k = g.rewritten(k, same)
    most = g.split(g.by_fact("rank_bounds", "n", "r", "V @ U"))[2]
    full = g.have("rank(V @ U) = r", lambda g: g.antisym(using(most), lambda g: g.pos([f"@{k}"], eqs=[(product, 1)])))
    (left,) = g.obtain(
        g.lemma(LEFT_INVERSE, "part:left-inverse", "n", "r", "V @ U", by=[None, None, using(full)]), "L", split=False
    )

    def forward(g: Goal) -> None:
        h = g.assume()
        g.nc((w, 1, None, "v"), (left, -1, "U", "S @ v"), (w, -1, "U @ L @ V", "v"), (h, 1, "U @ L", None))

    def null(g: Goal) -> None:
        g.fix("v")
        g.iff(forward, lambda g: g.nc((g.assume(), 1, "V", None)))

    def meet(g: Goal) -> None:
        g.fix("u")
        some, zero = g.assume(), g.assume()
        (v,) = g.obtain(some, "v", split=False)
        g.nc(
            (v, 1, None, None),
            (w, 1, None, "v"),
            (left, -1, "U", "S @ v"),
            (w, -1, "U @ L @ V", "v"),
            (v, -1, "U @ L @ V", None),
            (zero, 1, "U @ L", None),
        )

    g.conj(null, meet)


def before_the_last(g: Goal, rank: str, attained: str) -> str:
    """Adds rank(P(N-1,x)) = r; `attained` says that one of the layers up to N - 1 has the width r."""
    low, high, value = g.obtain(attained, "q")
    most = g.apply(model(g, NULL_SET, "part:at-most"), "q", "N - 1", "x")
    step = g.apply("step", "N", "x")
    product = g.split(g.fact("rank_product", "n", "n", "n", "F(N,x)", "P(N-1,x)"))[1]
    product = g.rewritten(product, g.have("F(N,x) @ P(N-1,x) = P(N,x)", lambda g: g.nc((step, -1, None, None))))
    return g.have("rank(P(N-1,x)) = r", lambda g: g.antisym(using(most), lambda g: g.pos([f"@{product}"], eqs=[(rank, 1)])))


NULL_SPACES = "(all v:V(n). F(N,x) @ P(N-1,x) @ v = O(n,1) <=> P(N-1,x) @ v = O(n,1))"
MEET = "(all u:V(n). (ex v:V(n). u = P(N-1,x) @ v) => F(N,x) @ u = O(n,1) => u = O(n,1))"
RANKS = "rank(P(N,x)) = rank(P(N-1,x)) and rank(P(N-1,x)) = r"
LAST_READING = "the last layer W_{N+1} of the paper is the layer N >= 2 here, and W = W_N ... W_1 is P(N-1,x); dim null is the number of columns minus the rank; "


def kernels(g: Goal, rank: str, before: str) -> list[str]:
    """Adds the two conclusions of the part `kernels` for the last layer."""
    low, high, _ = g.split(model(g, NULL_SET, "part:least"))
    n_lo = g.have("0 <= n", lambda g: g.pos([f"@{low}"], [f"@{high}"], [1]))
    step = g.apply("step", "N", "x")
    known = [using(low), using(n_lo), using(before), lambda g: g.close_by(g.rewritten(rank, step))]
    return g.split(g.lemma("eftekhari2022.eq-116", "part:kernels", "n", "r", "F(N,x)", "P(N-1,x)", by=known))


@holds(
    "eftekhari2022.step-h-case1",
    f"all {VARIABLES}. {MODEL} 2 <= N => w(N-1) <= w(N) => {null_set(f'not ({NULL_SPACES} and {RANKS})')}",
    argument="sound",
    reading=LAST_READING + NULL_READING,
    uses=[NULL_SET, "eftekhari2022.eq-116"],
)
def a_wide_last_layer_keeps_the_null_space(g: Goal) -> None:
    """Almost surely the product has the rank r, and so has W, since one of its widths is r."""
    setting(g)
    g.assume()
    wide = g.assume()

    def cover(g: Goal, rank: str) -> None:
        def earlier(g: Goal) -> None:
            low, high, value = g.obtain("attained", "q")

            def less(g: Goal) -> None:
                g.by_fact("int_lt", "q", "N", by=[using(last(g))])
                g.witness("q")
                g.conj(using(low), None, using(value))

            def top(g: Goal) -> None:
                eq = last_equation(g)
                w = g.have("w(q) = w(N)", lambda g: g.ctx(using(eq)))
                least = g.apply("least", "N - 1")
                g.witness("N - 1")
                g.conj(None, None, lambda g: g.antisym(lambda g: g.pos([f"@{wide}"], eqs=[(w, 1), (value, -1)]), using(least)))

            g.less_or_equal("q <= N", less, top)

        before = before_the_last(g, rank, g.have("ex q:Z. 0 <= q and q <= N - 1 and w(q) = r", earlier))
        null = kernels(g, rank, before)[0]
        g.conj(using(null), lambda g: g.field((rank, 1), (before, -1)), using(before))

    exceptional(g, f"{NULL_SPACES} and {RANKS}", cover)


@holds(
    "eftekhari2022.eq-114",
    f"all {VARIABLES}, s:Z. {MODEL} N = 1 => w(1) < w(0) => s <= w(1) => {null_set('not (w(0) - rank(F(1,x)) = w(0) - w(1) and w(0) - w(1) <= w(0) - s)')}",
    argument="sound",
    reading="F(1,x) is the layer W_{N+1} of the paper, with w(0) = d_N and w(1) = d_{N+1}, and s is its r, at most d_{N+1} by (9); dim null is the number of columns"
    f" minus the rank; {NULL_READING}",
    uses=[NULL_SET],
)
def null_space_of_a_generic_flat_layer(g: Goal) -> None:
    """Almost surely the rank is w(1)."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    one, narrow, small = g.assume(), g.assume(), g.assume()
    low, high, value = g.obtain("attained", "q")
    most = g.apply("least", "1", by=[lambda g: g.conj(None, lambda g: g.pos(eqs=[(one, 1)]))])

    def top(g: Goal) -> None:
        def positive(g: Goal) -> None:
            g.by_fact("int_lt", "0", "q", by=[using(last(g))])
            up = g.have("q <= 1", lambda g: g.pos([f"@{high}"], eqs=[(one, -1)]))
            eq = g.have("q = 1", lambda g: g.antisym(using(up), None))
            w = g.have("w(q) = w(1)", lambda g: g.ctx(using(eq)))
            g.field((value, -1), (w, 1))

        def zero(g: Goal) -> None:
            eq = last_equation(g)
            w = g.have("w(q) = w(0)", lambda g: g.ctx(lambda g: g.field((eq, -1))))
            g.contra()
            g.pos([f"@{narrow}"], [f"@{most}"], eqs=[(w, 1), (value, -1)])

        g.less_or_equal("0 <= q", positive, zero)

    width = g.have("r = w(1)", top)

    def cover(g: Goal, rank: str) -> None:
        k = g.rewritten(rank, only_layer(g, one))
        g.conj(lambda g: g.field((k, -1), (width, -1)), lambda g: g.pos([f"@{small}"]))

    exceptional(g, "w(0) - rank(F(1,x)) = w(0) - w(1) and w(0) - w(1) <= w(0) - s", cover)


@holds(
    "eftekhari2022.eq-116",
    f"all {VARIABLES}. {MODEL} 2 <= N => w(N) < w(N-1) => (ex l:Z. 0 <= l and l <= N - 1 and w(l) = r) => {null_set(f'not ({MEET} and {NULL_SPACES})')}",
    argument="sound",
    reading=f"{LAST_READING}as in (111) and (115), r is the least of the widths before the last layer too (without this it can fail, part spaces-meet); {NULL_READING}",
    uses=[NULL_SET, "eftekhari2022.eq-116"],
)
def generic_spaces_do_not_meet(g: Goal) -> None:
    """Almost surely the product has the rank r, as W has."""
    setting(g)
    g.assume()
    g.assume()
    attained = g.assume()

    def cover(g: Goal, rank: str) -> None:
        null, meet = kernels(g, rank, before_the_last(g, rank, attained))
        g.conj(using(meet), using(null))

    exceptional(g, f"{MEET} and {NULL_SPACES}", cover)


@holds(
    "eftekhari2022.step-h-case2",
    f"all {VARIABLES}. {MODEL} 2 <= N => w(N) < w(N-1) => {null_set('rank(P(N,x)) != r')}",
    argument="repaired",
    reading=LAST_READING + NULL_READING,
    uses=[NULL_SET],
)
def a_narrow_last_layer(g: Goal) -> None:
    """Lemma 12 (2). The step by (116) and (117) does not reach the case in which the last layer alone is narrowest, where W has a larger rank."""
    setting(g)
    g.assume()
    g.assume()
    g.close_by(model(g, NULL_SET, "statement"))
