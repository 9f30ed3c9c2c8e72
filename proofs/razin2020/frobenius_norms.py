"""Lemma 12: the Frobenius norm of a difference of two products; the rules of the norm for matrices of any shape."""

from __future__ import annotations

from proofs.razin2020.problem import fro
from proofs.razin2020.products_of_factors import SQUARE, upwards
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CLAIM = "razin2020.lemma-12"


def square(g: Goal, m: str, n: str, x: str) -> tuple[str, str]:
    """Adds |x|^2 = tr(x^T x) and 0 <= |x|."""
    norm = f"tr(T({x}) @ ({x}))"
    p = g.have(f"0 <= {norm}", lambda g: (only(g), g.pos([norm]))[-1])
    return (
        g.have(f"{fro(x)}^2 = {norm}", lambda g: g.close_by(g.by_fact("sqrt_sq", norm, by=[using(p)]))),
        g.have(f"0 <= {fro(x)}", lambda g: g.close_by(g.by_fact("sqrt_nonneg", norm, by=[using(p)]))),
    )


def by_squares(g: Goal, low: str, smaller: str, larger: str, bound: str) -> None:
    """smaller <= larger from 0 <= larger and smaller^2 <= larger^2, the hypotheses low and bound."""
    wrong = g.contra()
    only(g, low, bound, wrong)
    g.pos([f"@{wrong}", f"@{wrong}"], [2, f"@{wrong}", f"@{low}"], [f"@{bound}"])
    del smaller, larger


@part(
    CLAIM,
    "inner-product",
    f"all m n:Z, X Y:M(m,n). abs(tr(T(X) @ Y)) <= {fro('X')}*{fro('Y')}",
    says="the Cauchy-Schwarz inequality of the Frobenius norm",
)
def inner_product_is_bounded(g: Goal) -> None:
    """By squares."""
    g.fix()
    x, lx = square(g, "m", "n", "X")
    y, ly = square(g, "m", "n", "Y")
    k = g.fact("frobenius_cauchy", "m", "n", "X", "Y")
    s = g.fact("abs_square", "tr(T(X) @ Y)")
    a, b, c = fro("X"), fro("Y"), "abs(tr(T(X) @ Y))"
    low = g.have(f"0 <= {a}*{b}", lambda g: g.pos([f"@{lx}", f"@{ly}"]))
    bound = g.have(
        f"{c}^2 <= ({a}*{b})^2",
        lambda g: (only(g, k, s, x, y), g.pos([f"@{k}"], eqs=[(s, -1), (x, f"{b}^2"), (y, "tr(T(X) @ X)")]))[-1],
    )
    by_squares(g, low, c, f"{a}*{b}", bound)


@part(
    CLAIM,
    "triangle",
    f"all m n:Z, X Y:M(m,n). {fro('X + Y')} <= {fro('X')} + {fro('Y')} and 0 <= {fro('X')} and {fro('-Y')} = {fro('Y')}",
    uses=[CLAIM],
    says="the triangle inequality of the Frobenius norm",
)
def triangle_inequality(g: Goal) -> None:
    """|X + Y|^2 = |X|^2 + 2 <X, Y> + |Y|^2."""
    g.fix()
    x, lx = square(g, "m", "n", "X")
    y, ly = square(g, "m", "n", "Y")
    z, _ = square(g, "m", "n", "X + Y")
    k = g.lemma(CLAIM, "part:inner-product", "m", "n", "X", "Y")
    k = g.split(g.apply(g.split(g.fact("abs_le", "tr(T(X) @ Y)", f"{fro('X')}*{fro('Y')}"))[0], by=[using(k)]))[1]
    a, b, c = fro("X"), fro("Y"), fro("X + Y")

    def sum_(g: Goal) -> None:
        low = g.have(f"0 <= {a} + {b}", lambda g: g.pos([f"@{lx}"], [f"@{ly}"]))
        bound = g.have(f"{c}^2 <= ({a} + {b})^2", lambda g: g.pos([2, f"@{k}"], eqs=[(z, -1), (x, 1), (y, 1)]))
        by_squares(g, low, c, f"{a} + {b}", bound)

    g.conj(sum_, using(lx), lambda g: g.ctx(lambda g: g.field()))


@part(
    CLAIM,
    "product",
    f"all m k n:Z, X:M(m,k), Y:M(k,n). {fro('X @ Y')} <= {fro('X')}*{fro('Y')} and {fro('T(X)')} = {fro('X')}",
    uses=[CLAIM],
    says="the Frobenius norm is submultiplicative",
)
def norm_of_a_product(g: Goal) -> None:
    """By squares."""
    g.fix()
    x, lx = square(g, "m", "k", "X")
    y, ly = square(g, "k", "n", "Y")
    z, _ = square(g, "m", "n", "X @ Y")
    k = g.fact("frobenius_submultiplicative", "m", "k", "n", "X", "Y")
    a, b, c = fro("X"), fro("Y"), fro("X @ Y")

    def main(g: Goal) -> None:
        low = g.have(f"0 <= {a}*{b}", lambda g: g.pos([f"@{lx}", f"@{ly}"]))
        bound = g.have(
            f"{c}^2 <= ({a}*{b})^2",
            lambda g: (only(g, k, x, y, z), g.pos([f"@{k}"], eqs=[(z, -1), (x, f"{b}^2"), (y, "tr(T(X) @ X)")]))[-1],
        )
        by_squares(g, low, c, f"{a}*{b}", bound)

    g.conj(main, lambda g: g.ctx(lambda g: g.field()))


def largest(r: str) -> str:
    """max(|A_r|, |B_r|)."""
    return f"max({fro(f'A({r})')}, {fro(f'B({r})')})"


def others(l: str, last: str) -> str:  # noqa: E741
    """The product of the maxima for all r <= last but l."""
    return f"prod(r, 1, {l} - 1, {largest('r')})*prod(r, {l} + 1, {last}, {largest('r')})"


PRODUCTS = """all m L:Z, A B Q R:Z->M(m,m). 1 <= L => Q(1) = A(1) and R(1) = B(1) =>
       (all l:Z. 2 <= l and l <= L => Q(l) = A(l) @ Q(l-1) and R(l) = B(l) @ R(l-1)) =>"""


OTHERS = "prod(r, 1, l - 1, u(r))*prod(r, l + 1, {0}, u(r))"


@part(
    CLAIM,
    "recursion",
    f"""all L:Z, u d e b:Z->R. 1 <= L => (all l:Z. 0 <= u(l) and 0 <= d(l)) => e(1) <= d(1) => b(1) <= u(1) =>
       (all l:Z. 2 <= l and l <= L => e(l) <= u(l)*e(l-1) + d(l)*b(l-1) and b(l) <= u(l)*b(l-1)) =>
       e(L) <= sum(l, 1, L, d(l)*({OTHERS.format("L")})) and b(L) <= prod(r, 1, L, u(r))""",
    says="a recursion for the norms of the differences",
)
def recursion_of_differences(g: Goal) -> None:
    """Induction on the number of factors: each sum is the one before times u(k), and one more term."""
    g.fix("n", "u", "d", "e", "b")
    depth, signs, first, own, steps = (g.assume() for _ in range(5))

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            g.assume()
            g.conj(lambda g: g.pos([f"@{first}"]), lambda g: g.pos([f"@{own}"]))

        def step(g: Goal) -> None:
            high = g.assume()
            before = g.split(
                g.apply(
                    "ih", "k - 1", by=[lambda g: g.conj(lambda g: g.nlin(), lambda g: g.nlin()), lambda g: g.nlin(use=[high])]
                )
            )
            now = g.split(g.apply(steps, "k", by=[lambda g: g.conj(lambda g: g.nlin(), using(high))]))
            nonneg_u, nonneg_d = g.split(g.apply(signs, "k"))
            product = g.by_fact("prod_last", 1, "k", "lam r:Z. u(r)", by=[lambda g: g.nlin()])
            total = g.by_fact("sum_last", 1, "k", f"lam l:Z. d(l)*({OTHERS.format('k')})", by=[lambda g: g.nlin()])
            none = g.by_fact("prod_empty", "k + 1", "k", "lam r:Z. u(r)", by=[lambda g: g.pos([1])])

            def term(g: Goal) -> None:
                (i,) = g.fix()
                low, top = g.split(g.assume())
                p = g.by_fact("prod_last", f"{i} + 1", "k", "lam r:Z. u(r)", by=[lambda g: g.pos([f"@{top}"])])
                g.field((p, f"d({i})*prod(r, 1, {i} - 1, u(r))"))
                del low

            same = g.by_fact(
                "sum_ext",
                1,
                "k - 1",
                f"lam l:Z. d(l)*({OTHERS.format('k')})",
                f"lam l:Z. u(k)*(d(l)*({OTHERS.format('(k - 1)')}))",
                by=[term],
            )

            def sum_(g: Goal) -> None:
                old = f"sum(l, 1, k - 1, d(l)*({OTHERS.format('(k - 1)')}))"
                g.pos(
                    [f"@{now[0]}"],
                    [f"@{before[0]}", f"@{nonneg_u}"],
                    [f"@{before[1]}", f"@{nonneg_d}"],
                    eqs=[(total, 1), (same, 1), (none, "d(k)*prod(r, 1, k - 1, u(r))")],
                )
                del old

            def bound(g: Goal) -> None:
                g.pos([f"@{now[1]}"], [f"@{before[1]}", f"@{nonneg_u}"], eqs=[(product, 1)])

            g.conj(sum_, bound)

        upwards(g, "1", base, step, "k")

    h = g.have(
        f"all k:Z. 1 <= k => k <= n => e(k) <= sum(l, 1, k, d(l)*({OTHERS.format('k')})) and b(k) <= prod(r, 1, k, u(r))", grow
    )
    g.close_by(g.apply(h, "n", by=[using(depth), Goal.refl]))


@holds(
    CLAIM,
    f"""{PRODUCTS} {fro("Q(L) - R(L)")} <= sum(l, 1, L, {fro("A(l) - B(l)")}*({others("l", "L")}))""",
    uses=[CLAIM],
    argument="sound",
    reading="Q(l) = A_l ... A_1 and R(l) = B_l ... B_1",
    context=SQUARE,
)
def difference_of_products(g: Goal) -> None:
    """Q(l) - R(l) = A_l (Q(l-1) - R(l-1)) + (A_l - B_l) R(l-1), by induction together with |R(l)| <= the product of the maxima."""
    g.fix()
    depth, first, steps = (g.assume() for _ in range(3))
    one_a, one_b = g.split(first)
    top = {x: upper(g, x) for x in ("a", "b")}
    signs = g.have(f"all r:Z. 0 <= {largest('r')}", lambda g: maximum_nonneg(g, top["a"]))

    def nonneg(g: Goal) -> None:
        (i,) = g.fix()
        g.conj(lambda g: g.close_by(g.apply(signs, i)), lambda g: g.close_by(square(g, "m", "m", f"A({i}) - B({i})")[1]))

    def start(g: Goal) -> None:
        g.rewrite(one_a)
        g.rewrite(one_b)
        g.refl()

    def start_b(g: Goal) -> None:
        g.rewrite(one_b)
        g.close_by(g.apply(top["b"], 1))

    def step(g: Goal) -> None:
        (i,) = g.fix()
        inside = g.assume()
        q, r = g.split(g.apply(steps, i, by=[using(inside)]))
        tops = g.apply(top["a"], i), g.apply(top["b"], i)
        g.conj(*one_more_factor(g, ("m", "m"), (f"A({i})", f"B({i})"), (f"Q({i}-1)", f"R({i}-1)"), tops, (q, r)))

    k = g.lemma(
        CLAIM,
        "part:recursion",
        "L",
        f"lam r:Z. {largest('r')}",
        f"lam l:Z. {fro('A(l) - B(l)')}",
        f"lam l:Z. {fro('Q(l) - R(l)')}",
        f"lam l:Z. {fro('R(l)')}",
        by=[using(depth), nonneg, start, start_b, step],
    )
    g.close_by(g.split(k)[0])


def one_more_factor(
    g: Goal,
    shape: tuple[str, str],
    factors: tuple[str, str],
    products: tuple[str, str],
    tops: tuple[str, str],
    equations: tuple[str, str],
) -> tuple[Script, Script]:
    """Scripts for |A H - D K| <= a |H - K| + |A - D| |K| and |D K| <= d |K|, where `tops` say |A| <= a and |D| <= d, and `equations`
    what A H and D K are called."""
    (m, c), (a, d), (h, k) = shape, factors, products
    x, y = f"{a} @ ({h} - {k})", f"({a} - {d}) @ {k}"
    t = g.split(g.lemma(CLAIM, "part:triangle", m, c, x, y))[0]
    first, second, third = (
        g.split(g.lemma(CLAIM, "part:product", m, m, c, *pair))[0] for pair in ((a, f"{h} - {k}"), (f"{a} - {d}", k), (d, k))
    )
    u, v = square(g, m, c, f"{h} - {k}")[1], square(g, m, c, k)[1]
    one, two = equations
    left, right = (g.hyp_formula(e)[1] for e in equations)
    difference = ("+", left, ("sm", -1, right))
    whole = g.have(("=", difference, g.term(f"{x} + {y}")), lambda g: g.nc((one, 1, None, None), (two, -1, None, None)))

    def apart(g: Goal) -> None:
        g.rewrite(whole)
        only(g, t, first, second, tops[0], u)
        g.pos([f"@{t}"], [f"@{first}"], [f"@{second}"], [f"@{tops[0]}", f"@{u}"])

    def product(g: Goal) -> None:
        g.rewrite(two)
        only(g, third, tops[1], v)
        g.pos([f"@{third}"], [f"@{tops[1]}", f"@{v}"])

    return apart, product


def upper(g: Goal, which: str) -> str:
    """|A_r| or |B_r| is at most the maximum, for all r."""
    value = fro(f"{which.upper()}(r)")

    def prove(g: Goal) -> None:
        g.fix("r")

        def case(g: Goal) -> None:
            order, eq = g.split(next(reversed(g.seq.hyps)))
            g.pos(*([] if g.concl[1] == g.hyp_formula(eq)[2] else [[f"@{order}"]]), eqs=[(eq, 1)])

        g.cases(g.fact("max_cases", fro("A(r)"), fro("B(r)")), case, case)

    return g.have(f"all r:Z. {value} <= {largest('r')}", prove)


def maximum_nonneg(g: Goal, top: str) -> None:
    g.fix("r")
    k = g.apply(top, "r")
    _, low = square(g, "m", "m", "A(r)")
    g.pos([f"@{k}"], [f"@{low}"])
