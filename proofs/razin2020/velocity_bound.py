"""Lemma 27, Equation (65): the velocity of a product of factors with bounded norms."""

from __future__ import annotations

from proofs.razin2020.frobenius_norms import square
from proofs.razin2020.problem import fro
from proofs.razin2020.products_of_factors import INSIDE, READING, SQUARE, upwards
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CLAIM = "razin2020.lemma-27-eq-65"
NORMS = "razin2020.lemma-12"
FACTORS = f"""1 <= L => 0 <= x => Q(0) = I(m) => P(L) = I(m) => (all l:Z. {INSIDE} => Q(l) = W(l) @ Q(l-1) and P(l-1) = P(l) @ W(l)) =>
       (all l:Z. {INSIDE} => {fro("W(l)")} <= x) =>"""
TERM = "P(l) @ T(P(l)) @ G @ T(Q(l-1)) @ Q(l-1)"


@part(
    CLAIM,
    "sums",
    f"all m n N:Z, T_:Z->M(m,n). 0 <= N => {fro('sum(l, 1, N, T_(l))')} <= sum(l, 1, N, {fro('T_(l)')})",
    uses=[NORMS],
    says="the triangle inequality for sums of matrices",
)
def norm_of_a_sum(g: Goal) -> None:
    """Induction on the number of terms."""
    g.fix("m", "n", "N", "F")
    size = g.assume()

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            a = g.by_fact("matrix_sum_empty", "m", "n", 1, 0, "lam l:Z. F(l)")
            b = g.by_fact("sum_empty", 1, 0, f"lam l:Z. {fro('F(l)')}")
            g.rewrite(a)
            g.rewrite(b)
            none = g.have("tr(T(O(m,n)) @ O(m,n)) = 0", lambda g: g.field())
            g.rewrite(none)
            zero = g.by_fact("sqrt_unique", 0, 0, by=[None, lambda g: g.field()])
            g.pos(eqs=[(zero, -1)])

        def step(g: Goal) -> None:
            one = g.have("1 <= l", lambda g: g.nlin())
            before = g.apply(
                "ih", "l - 1", by=[lambda g: (only(g, one), g.conj(lambda g: g.pos([f"@{one}"]), lambda g: g.pos([1])))[-1]]
            )
            a = g.by_fact("matrix_sum_last", "m", "n", 1, "l", "lam l:Z. F(l)", by=[using(one)])
            b = g.by_fact("sum_last", 1, "l", f"lam l:Z. {fro('F(l)')}", by=[using(one)])
            t = g.split(g.lemma(NORMS, "part:triangle", "m", "n", "sum(k, 1, l - 1, F(k))", "F(l)"))[0]
            g.rewrite(a)
            g.rewrite(b)
            only(g, before, t)
            g.pos([f"@{before}"], [f"@{t}"])

        upwards(g, "0", base, step)

    h = g.have(f"all l:Z. 0 <= l => {fro('sum(k, 1, l, F(k))')} <= sum(k, 1, l, {fro('F(k)')})", grow)
    g.close_by(g.apply(h, "N", by=[using(size)]))


def previous_step(g: Goal, one: str, top: str, matrix: str) -> str:
    """The statement of the induction at l - 1 for this matrix."""
    h = g.apply("ih", "l - 1", by=[lambda g: (only(g, one), g.conj(lambda g: g.pos([f"@{one}"]), lambda g: g.pos([1])))[-1]])
    return g.apply(h, matrix, by=[lambda g: (only(g, top), g.pos([f"@{top}"], [1]))[-1]])


def one_factor_more(g: Goal, before: str, matrix: str, pair: tuple[str, str], bound: str, low: str, one: str) -> None:
    """x^l |X| from the bound at l - 1 for the product of `pair`, one of which is X and the other a factor with the norm bound."""
    t = g.split(g.lemma(NORMS, "part:product", "m", "m", "m", *pair))[0]
    size = square(g, "m", "m", matrix)[1]
    small = g.have("0 <= l - 1", lambda g: (only(g, one), g.pos([f"@{one}"]))[-1])
    power = g.by_fact("ipow_nonneg", "x", "l - 1", by=[using(low), using(small)])
    s = g.by_fact("ipow_step", "x", "l - 1", by=[using(small)])
    only(g, before, bound, t, size, power, s, low)
    g.pos([f"@{before}"], [f"@{t}", "x^(l-1)"], [f"@{bound}", f"@{size}", "x^(l-1)"], eqs=[(s, fro(matrix))])


def turn(g: Goal, p: str, factor: str) -> None:
    """The transposed equation of P(L-l)."""
    k = g.have(f"P(L-l) = P(L-(l-1)) @ {factor}", lambda g: (only(g, p), g.nc((p, 1, None, None)))[-1])
    only(g, k)
    g.rewrite(k)
    g.nc()


def one_transposed_factor_more(
    g: Goal, before: str, matrix: str, pair: tuple[str, str], factor: str, bound: str, low: str, one: str
) -> None:
    """x^l |X| from the bound at l - 1 for one of `pair`, where the other one is the transpose of a factor with the norm bound."""
    t = g.split(g.lemma(NORMS, "part:product", "m", "m", "m", *pair))[0]
    turned = g.have(f"{fro(f'T({factor})')} = {fro(factor)}", lambda g: (only(g), g.ctx(lambda g: g.field()))[-1])
    own = pair[0] if pair[1].startswith("T(W") else pair[1]
    size = square(g, "m", "m", own)[1]
    small = g.have("0 <= l - 1", lambda g: (only(g, one), g.pos([f"@{one}"]))[-1])
    s = g.by_fact("ipow_step", "x", "l - 1", by=[using(small)])
    only(g, before, bound, t, turned, size, s, low)
    g.pos(
        [f"@{t}"],
        [f"@{bound}", f"@{size}"],
        ["x", f"@{before}"],
        eqs=[(turned, f"-{fro(own)}"), (s, fro(matrix))],
    )


@part(
    CLAIM,
    "partial-products",
    f"""all m L:Z, x:R, W P Q:Z->M(m,m). {FACTORS} (all k:Z, X:M(m,m). 0 <= k => k <= L => {fro("X @ Q(k)")} <= x^k*{fro("X")}) and
       (all k:Z, X:M(m,m). 0 <= k => k <= L => {fro("P(L-k) @ X")} <= x^k*{fro("X")}) and
       (all k:Z, X:M(m,m). 0 <= k => k <= L => {fro("X @ T(Q(k))")} <= x^k*{fro("X")}) and
       (all k:Z, X:M(m,m). 0 <= k => k <= L => {fro("T(P(L-k)) @ X")} <= x^k*{fro("X")})""",
    uses=[NORMS],
    says="multiplication by k factors increases the norm at most by the factor x^k",
)
def multiplication_by_factors(g: Goal) -> None:
    """Factor by factor."""
    g.fix("m", "L", "x", "W", "P", "Q")
    _, low, q0, pl, steps, norms = (g.assume() for _ in range(6))

    def right(g: Goal) -> None:
        def base(g: Goal) -> None:
            (y,) = g.fix()
            g.assume()
            whole = g.have(f"{y} @ Q(0) = {y}", lambda g: (only(g, q0), g.nc((q0, 1, y, None)))[-1])
            g.rewrite(whole)
            g.pos()

        def step(g: Goal) -> None:
            one = g.have("1 <= l", lambda g: g.nlin())
            (y,) = g.fix()
            top = g.assume()
            before = previous_step(g, one, top, f"{y} @ W(l)")
            inside = g.have("1 <= l and l <= L", lambda g: g.conj(using(one), using(top)))
            q = g.split(g.apply(steps, "l", by=[using(inside)]))[0]
            whole = g.have(f"{y} @ Q(l) = {y} @ W(l) @ Q(l-1)", lambda g: (only(g, q), g.nc((q, 1, y, None)))[-1])
            n = g.apply(norms, "l", by=[using(inside)])
            g.rewrite(whole)
            one_factor_more(g, before, y, (y, "W(l)"), n, low, one)

        upwards(g, "0", base, step)

    def left_(g: Goal) -> None:
        def base(g: Goal) -> None:
            (y,) = g.fix()
            g.assume()
            same = g.have(("=", ("+", "L", ("*", -1, 0)), "L"), lambda g: g.field())
            g.rewrite(same)
            whole = g.have(f"P(L) @ {y} = {y}", lambda g: (only(g, pl), g.nc((pl, 1, None, y)))[-1])
            g.rewrite(whole)
            g.pos()

        def step(g: Goal) -> None:
            one = g.have("1 <= l", lambda g: g.nlin())
            (y,) = g.fix()
            top = g.assume()
            factor = "W(L-l+1)"
            before = previous_step(g, one, top, f"{factor} @ {y}")
            inside = g.have(
                "1 <= L-l+1 and L-l+1 <= L",
                lambda g: (only(g, one, top), g.conj(lambda g: g.pos([f"@{top}"]), lambda g: g.pos([f"@{one}"])))[-1],
            )
            p = g.split(g.apply(steps, "L-l+1", by=[using(inside)]))[1]
            n = g.apply(norms, "L-l+1", by=[using(inside)])
            a = g.have(f"P(L-l) @ {y} = P(L-(l-1)) @ ({factor} @ {y})", lambda g: (only(g, p), g.nc((p, 1, None, y)))[-1])
            g.rewrite(a)
            one_factor_more(g, before, y, (factor, y), n, low, one)

        upwards(g, "0", base, step)

    a = g.have(f"all l:Z. 0 <= l => all X:M(m,m). l <= L => {fro('X @ Q(l)')} <= x^l*{fro('X')}", right)
    b = g.have(f"all l:Z. 0 <= l => all X:M(m,m). l <= L => {fro('P(L-l) @ X')} <= x^l*{fro('X')}", left_)

    def right_transposed(g: Goal) -> None:
        def base(g: Goal) -> None:
            (y,) = g.fix()
            g.assume()
            whole = g.have(f"{y} @ T(Q(0)) = {y}", lambda g: (only(g, q0), g.rewrite(q0), g.nc())[-1])
            g.rewrite(whole)
            g.pos()

        def step(g: Goal) -> None:
            one = g.have("1 <= l", lambda g: g.nlin())
            (y,) = g.fix()
            top = g.assume()
            before = previous_step(g, one, top, y)
            inside = g.have("1 <= l and l <= L", lambda g: g.conj(using(one), using(top)))
            q = g.split(g.apply(steps, "l", by=[using(inside)]))[0]
            n = g.apply(norms, "l", by=[using(inside)])
            whole = g.have(f"{y} @ T(Q(l)) = {y} @ T(Q(l-1)) @ T(W(l))", lambda g: (only(g, q), g.rewrite(q), g.nc())[-1])
            g.rewrite(whole)
            one_transposed_factor_more(g, before, y, (f"{y} @ T(Q(l-1))", "T(W(l))"), "W(l)", n, low, one)

        upwards(g, "0", base, step)

    def left_transposed(g: Goal) -> None:
        def base(g: Goal) -> None:
            (y,) = g.fix()
            g.assume()
            same = g.have(("=", ("+", "L", ("*", -1, 0)), "L"), lambda g: g.field())
            g.rewrite(same)
            whole = g.have(f"T(P(L)) @ {y} = {y}", lambda g: (only(g, pl), g.rewrite(pl), g.nc())[-1])
            g.rewrite(whole)
            g.pos()

        def step(g: Goal) -> None:
            one = g.have("1 <= l", lambda g: g.nlin())
            (y,) = g.fix()
            top = g.assume()
            factor = "W(L-l+1)"
            before = previous_step(g, one, top, y)
            inside = g.have(
                "1 <= L-l+1 and L-l+1 <= L",
                lambda g: (only(g, one, top), g.conj(lambda g: g.pos([f"@{top}"]), lambda g: g.pos([f"@{one}"])))[-1],
            )
            p = g.split(g.apply(steps, "L-l+1", by=[using(inside)]))[1]
            n = g.apply(norms, "L-l+1", by=[using(inside)])
            turned = g.have(f"T(P(L-l)) = T({factor}) @ T(P(L-(l-1)))", lambda g: turn(g, p, factor))
            a = g.have(
                f"T(P(L-l)) @ {y} = T({factor}) @ (T(P(L-(l-1))) @ {y})",
                lambda g: (only(g, turned), g.nc((turned, 1, None, y)))[-1],
            )
            g.rewrite(a)
            one_transposed_factor_more(g, before, y, (f"T({factor})", f"T(P(L-(l-1))) @ {y}"), factor, n, low, one)

        upwards(g, "0", base, step)

    c = g.have(f"all l:Z. 0 <= l => all X:M(m,m). l <= L => {fro('X @ T(Q(l))')} <= x^l*{fro('X')}", right_transposed)
    d = g.have(f"all l:Z. 0 <= l => all X:M(m,m). l <= L => {fro('T(P(L-l)) @ X')} <= x^l*{fro('X')}", left_transposed)

    def each(h: str) -> Script:
        def script(g: Goal) -> None:
            k, y = g.fix()
            lo, hi = g.assume(), g.assume()
            c = g.apply(h, k, by=[using(lo)])
            g.close_by(g.apply(c, y, by=[using(hi)]))

        return script

    g.conj(each(a), each(b), each(c), each(d))


@holds(
    CLAIM,
    f"""all m L:Z, x:R, W P Q:Z->M(m,m), G V:M(m,m). {FACTORS} 33 <= x => {fro("G")} <= {fro("Q(L)")} + sqrt(2) => {fro("Q(L)")} <= x^L =>
       V = -sum(l, 1, L, {TERM}) => {fro("V")} <= 2*L*x^(3*L-2)""",
    uses=[CLAIM, NORMS],
    argument="sound",
    reading=f"{READING}; V is the velocity of the product (lemma-27-step-velocity), x = R + 1, G the gradient of the loss; the same for the factors W_l and W'_l",
    context=f"{SQUARE}; the gradient bound with B = sqrt 2 [Proposition 5], the norm of the product is at most the product of the norms of the factors, and the velocity is that of the gradient flow [Appendix G.13.1]",
)
def velocity_is_bounded(g: Goal) -> None:
    """Each term is at most x^(L-l) x^(L-l) |G| x^(l-1) x^(l-1), and |G| <= 2 x^L."""
    g.fix("m", "L", "x", "W", "P", "Q", "G", "V")
    hyps = [g.assume() for _ in range(6)]
    radius, gradient, size, velocity = (g.assume() for _ in range(4))
    depth = hyps[0]
    parts = g.split(g.lemma(CLAIM, "part:partial-products", *"mLxWPQ", by=[using(h) for h in hyps]))
    whole_l = g.have("0 <= L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1])
    total = g.lemma(CLAIM, "part:sums", "m", "m", "L", f"lam l:Z. {TERM}", by=[using(whole_l)])
    two = g.have("sqrt(2) <= 2", lambda g: (only(g), g.ball())[-1])
    first = g.by_fact(
        "pow_exp_mono",
        "x",
        1,
        "L",
        by=[lambda g: (only(g, radius), g.pos([f"@{radius}"], [32]))[-1], using(depth)],
    )
    top = g.have(
        f"{fro('G')} <= 2*x^L",
        lambda g: (
            only(g, gradient, size, two, first, radius),
            g.pos([f"@{gradient}"], [f"@{size}"], [f"@{two}"], [f"@{first}"], [f"@{radius}"], [31]),
        )[-1],
    )
    positive = g.have("0 < x", lambda g: (only(g, radius), g.pos([f"@{radius}"], [33]))[-1])

    def term(g: Goal) -> None:
        (i,) = g.fix()
        a, b = g.split(g.assume())
        front, back = f"(L - {i})", f"({i} - 1)"
        zero_f = g.have(f"0 <= {front}", lambda g: (only(g, b), g.pos([f"@{b}"]))[-1])
        top_f = g.have(f"{front} <= L", lambda g: (only(g, a), g.pos([f"@{a}"], [1]))[-1])
        zero_b = g.have(f"0 <= {back}", lambda g: (only(g, a), g.pos([f"@{a}"]))[-1])
        top_b = g.have(f"{back} <= L", lambda g: (only(g, b), g.pos([f"@{b}"], [1]))[-1])
        same = g.have(f"L - (L - {i}) = {i}", lambda g: g.field())

        front_bounds, back_bounds = (zero_f, top_f), (zero_b, top_b)

        def bounded(g: Goal, which: int, exponent: str, bounds: tuple[str, str], matrix: str) -> str:
            k = g.apply(parts[which], exponent, matrix, by=[using(h) for h in bounds])
            return g.rewritten(k, same) if which in (1, 3) else k

        one = bounded(g, 1, front, front_bounds, f"T(P({i})) @ G @ T(Q({i}-1)) @ Q({i}-1)")
        two_ = bounded(g, 3, front, front_bounds, f"G @ T(Q({i}-1)) @ Q({i}-1)")
        three = bounded(g, 0, back, back_bounds, f"G @ T(Q({i}-1))")
        four = bounded(g, 2, back, back_bounds, "G")
        only(g, one, two_, three, four, top, positive)
        g.have(f"0 < x^{front}", lambda g: (only(g, positive), g.auto())[-1])
        g.have(f"0 < x^{back}", lambda g: (only(g, positive), g.auto())[-1])
        value = g.have(
            f"2*x^(3*L-2) = x^{front}*x^{front}*x^{back}*x^{back}*(2*x^L)", lambda g: (only(g, positive), g.field())[-1]
        )
        g.pos(
            [f"@{one}"],
            [f"@{two_}", f"x^{front}"],
            [f"@{three}", f"x^{front}", f"x^{front}"],
            [f"@{four}", f"x^{front}", f"x^{front}", f"x^{back}"],
            [f"@{top}", f"x^{front}", f"x^{front}", f"x^{back}", f"x^{back}"],
            eqs=[(value, 1)],
        )

    bound = g.by_fact("sum_mono", 1, "L", f"lam l:Z. {fro(TERM)}", "lam l:Z. 2*x^(3*L-2)", by=[term])
    count = g.by_fact("sum_const", 1, "L", "2*x^(3*L-2)", by=[lambda g: (only(g, depth), g.pos([f"@{depth}"], [1]))[-1]])
    minus = g.split(g.lemma(NORMS, "part:triangle", "m", "m", "O(m,m)", f"sum(l, 1, L, {TERM})"))[2]
    g.rewrite(velocity)
    only(g, total, bound, count, minus)
    g.pos([f"@{total}"], [f"@{bound}"], eqs=[(count, -1), (minus, -1)])
