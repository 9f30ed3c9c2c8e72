"""Proof of Lemma 6, the remark on finite-time divergence: along the flow of a loss bounded below nothing diverges in finite
time."""

from __future__ import annotations

from typing import Any

from proofs.razin2020.factorisation import BALANCED_PARTS, FLOW_PARTS, PADDING, factors
from proofs.razin2020.product_dynamics import LEFT, RIGHT, TERM, flow_lemma, next_integer, powers_at, preserved, see_exponents
from proofs.razin2020.scripts import only, using
from proofs.razin2020.singular_value_solutions import EQUATION, eta
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.kernel.terms import sort_of
from verify.registry import amendment, part, refuted

DECLARATIONS = f"{factors('r', 'c')}, y:R, loss:M(r,c)->R, grad:M(r,c)->M(r,c), E:R~>R"
PARTS = [
    *FLOW_PARTS,
    *BALANCED_PARTS,
    "0 < y",
    "(all M:M(r,c). 0 <= loss(M))",
    "(all t:R. 0 <= t => E(t) = loss(X(t)))",
    "(all t:R. 0 <= t => E'(t) = tr(T(grad(X(t))) @ X'(t)))",
    "(all t:R. 0 <= t => G(t) = (y*exp(-t))*grad(X(t)))",
]
"""The setting of Lemma 4 on the time interval [0, y), in the parameter t with the time y (1 - exp(-t)); E is the loss along
the flow."""
CONJUNCTION = " and\n         ".join(PARTS)
IMPLICATION = " =>\n       ".join(PARTS)
DIVERGES = f"""(ex {DECLARATIONS}, i:Z. {CONJUNCTION} and
         3 <= L and 1 <= i and i <= r and i <= c and 0 < sv(X(0),i) and tendsoo(t, sv(X(t),i)))"""
POSITIVE = f"""(all L:Z, s g:R~>R. 3 <= L => (all t:R. 0 <= t => 0 <= s(t)) => {EQUATION.format("L")} => 0 < s(0) =>
          all t:R. 0 <= t => 0 < s(t))"""
N = "tr(T(A({0})) @ A({0}))"


@part(
    "razin2020.lemma-6-assertion-divergence",
    "bounded",
    f"""all {DECLARATIONS}. {IMPLICATION} => ex b:R. all t:R. 0 <= t => tr(T(X(t)) @ X(t)) <= b""",
    says="on a bounded time interval the product matrix stays bounded",
    uses=["razin2020.lemma-4"],
)
def product_stays_bounded(g: Goal) -> None:
    """|W_1'|^2 is at most the decrease of the loss, so |W_1|^2 exp(-time) + loss does not increase; by balancedness all
    factors have the
    same Frobenius norm, and the norm of the product is at most the product of the norms."""
    hyps = g.intro()
    ends, steps = hyps[1], hyps[2]
    positive, nonneg, energy, chain, gradient = hyps[9:14]
    rest = hyps[:9]
    conserved = g.split(preserved(g, rest, ("r", "c")))
    both = (conserved[0], conserved[1])

    dissipation = g.have(
        "all t:R. 0 <= t => (y*exp(-t))*E'(t) <= -tr(T(A'(t)) @ A'(t))", lambda g: loss_decreases(g, rest, both, chain, gradient)
    )
    body = "tr(T(A(t)) @ A(t))*exp(-(y*(1 - exp(-t)))) + E(t)"

    def slope(g: Goal) -> None:
        g.fix("t")
        low = g.assume()
        k = g.apply(dissipation, "t")
        e = "exp(-(y*(1 - exp(-t))))"
        small = g.have(f"{e} <= 1", lambda g: at_most_one(g, low, positive))
        name = g.differentiate("s", body.replace("(t)", "(s)").replace("exp(-t)", "exp(-s)"), "t")
        g.rewrite(name)
        only(g, k, small, positive)
        w = "(y*exp(-t))"
        g.pos([f"tr(T(A'(t) - {w}*A(t)) @ (A'(t) - {w}*A(t)))", e], [f"@{k}"], ["tr(T(A'(t)) @ A'(t))", f"@{small}"], mul=[w])

    h = g.by_fact("nonincreasing", 0, f"lam t:R. {body}", by=[None, slope])
    bound = "(tr(T(A(0)) @ A(0)) + E(0))*exp(y)"

    def first_factor(g: Goal) -> None:
        g.fix("t")
        low = g.assume()
        k = g.apply(h, 0, "t")
        value, sign = g.apply(energy, "t"), g.apply(nonneg, "X(t)")
        start, sign0 = g.apply(energy, 0), g.apply(nonneg, "X(0)")
        m = g.have("0 <= tr(T(A(0)) @ A(0)) + E(0)", lambda g: g.pos(["tr(T(A(0)) @ A(0))"], [f"@{sign0}"], eqs=[(start, 1)]))
        top = g.have(
            "exp(y*(1 - exp(-t))) <= exp(y)",
            lambda g: g.close_by(
                g.by_fact("exp_mono", "y*(1 - exp(-t))", "y", by=[lambda g: g.pos([f"@{positive}", "exp(-t)"])])
            ),
        )
        k = g.have(
            f"{N.format('t')}*exp(-(y*(1 - exp(-t)))) <= tr(T(A(0)) @ A(0)) + E(0)",
            lambda g: g.pos([f"@{k}"], [f"@{sign}"], eqs=[(value, 1)]),
        )
        only(g, m, top, k)
        g.pos([f"@{k}", "exp(y*(1 - exp(-t)))"], [f"@{top}", f"@{m}"])
        del low

    factor = g.have(f"all t:R. 0 <= t => {N.format('t')} <= {bound}", first_factor)
    g.witness(f"({bound})^L")

    def product(g: Goal) -> None:
        g.fix("t")
        g.assume()
        top = product_of_norms(g, ends, steps, hyps[5], hyps[6], both)
        k = g.apply(factor, "t")
        power = g.by_fact("ipow_mono", N.format("t"), bound, "L", by=[None, using(k)])
        g.pos([f"@{top}"], [f"@{power}"])

    product(g)


def at_most_one(g: Goal, low: str, positive: str) -> None:
    """exp(-(y (1 - exp(-t)))) <= 1 for y, t >= 0."""
    a = g.by_fact("exp_mono", "-t", "0", by=[lambda g: g.pos([f"@{low}"])])
    one = g.fact("exp_zero")
    small = g.have("exp(-t) <= 1", lambda g: g.pos([f"@{a}"]))
    k = g.by_fact("exp_mono", "-(y*(1 - exp(-t)))", "0", by=[lambda g: g.pos([f"@{positive}", f"@{small}"])])
    g.pos([f"@{k}"])
    del one


def loss_decreases(g: Goal, hyps: list[str], both: tuple[str, str], chain: str, gradient: str) -> None:
    """tr(G^T X') is minus a sum of squared norms, of which |W_1'|^2 is one."""
    g.fix("t")
    g.assume()
    dynamics = flow_lemma(g, "part:dynamics-by-powers", hyps, ("r", "c"))
    velocity = g.split(g.apply(dynamics, "t"))[0]
    (_, right, left), _ = powers_at(g, hyps, both, ("r", "c"))
    term = f"T(G(t)) @ ({TERM})"

    into = g.fact("matrix_sum_mul_left", "r", "c", "c", 1, "L", "T(G(t))", f"lam l:Z. {TERM}")
    trace = g.fact("matrix_sum_trace", "c", 1, "L", f"lam l:Z. {term}")

    def nonneg(g: Goal) -> None:
        g.fix("l")
        g.split_all(g.assume())
        g.em("l = 1", lambda g: square(g, "G(t) @ T(Q(L-1,t))", None, "L - 1"), inner)

    def inner(g: Goal) -> None:
        g.have("2 <= l", lambda g: next_integer(g, "1", "l"))
        g.em("l = L", lambda g: square(g, "T(P(1,t)) @ G(t)", "1", None), between)

    def between(g: Goal) -> None:
        different = next(reversed(g.seq.hyps))
        g.have("l + 1 <= L", lambda g: before_last(g, different))
        square(g, "T(P(L-l+1,t)) @ G(t) @ T(Q(L-l,t))", "L - l + 1", "L - l")

    def square(g: Goal, z: str, p: str | None, q: str | None) -> None:
        rows: list[tuple[Any, ...]] = []
        end = next((h for h, f in reversed(g.seq.hyps.items()) if f in (g.formula("l = 1"), g.formula("l = L"))), None)
        if end is not None:
            g.rewrite(end)
        index = {None: "l", "1": "L", "L - 1": "1"}[None if p and q else (p or q)]
        if p is not None:
            k = g.apply(left, p)
            rows.append((k, -1, "T(G(t))", f"G(t) @ ({RIGHT})^(L-{index})"))
        if q is not None:
            k2 = g.split(g.apply(right, q))[0]
            rows.append((k2, -1, f"T(G(t)) @ P({p},t) @ T(P({p},t)) @ G(t)" if p else "T(G(t)) @ G(t)", None))
        see_exponents(g, *[r[0] for r in rows])
        this = f"T(G(t)) @ (({LEFT})^({index}-1) @ G(t) @ ({RIGHT})^(L-{index}))"
        swapped = f"T(G(t)) @ P({p},t) @ T(P({p},t)) @ G(t)" if p else "T(G(t)) @ G(t)"
        full = f"{swapped} @ T(Q({q},t)) @ Q({q},t)" if q else swapped
        same = g.have(f"{this} = {full}", lambda g: g.nc(*rows))
        value = g.have(f"tr({this}) = tr({full})", lambda g: g.ctx(using(same)))
        only(g, value)
        g.pos([f"tr(T({z}) @ ({z}))"], eqs=[(value, 1)])

    one = g.by_fact("sum_term_le", 1, "L", f"lam l:Z. tr({term})", by=[nonneg])
    one = g.apply(one, "L")
    last = f"T(G(t)) @ (({LEFT})^(L-1) @ G(t) @ ({RIGHT})^(L-L))"
    first = g.split(g.apply(hyps[3], "t"))[0]
    pp = g.apply(left, 1)
    see_exponents(g, pp)
    top = g.have(f"{last} = T(A'(t)) @ A'(t)", lambda g: g.nc((pp, -1, "T(G(t))", "G(t)"), rw=[first]))
    top = g.have(f"tr({last}) = tr(T(A'(t)) @ A'(t))", lambda g: g.ctx(using(top)))
    scaled = g.apply(gradient, "t")
    energy = g.apply(chain, "t")
    a = g.have("T(G(t)) @ X'(t) = (y*exp(-t))*(T(grad(X(t))) @ X'(t))", lambda g: g.nc(rw=[scaled]))
    a = g.have("tr(T(G(t)) @ X'(t)) = tr((y*exp(-t))*(T(grad(X(t))) @ X'(t)))", lambda g: g.ctx(using(a)))
    b = g.have(f"T(G(t)) @ X'(t) = -sum(l, 1, L, {term})", lambda g: g.nc((velocity, 1, "T(G(t))", None), (into, -1, None, None)))
    b = g.have(f"tr(T(G(t)) @ X'(t)) = tr(-sum(l, 1, L, {term}))", lambda g: g.ctx(using(b)))
    only(g, one, top, energy, a, b, trace)
    g.pos([f"@{one}"], eqs=[(energy, "-(y*exp(-t))"), (a, 1), (b, -1), (trace, 1), (top, 1)])


def before_last(g: Goal, different: str) -> None:
    """l + 1 <= L from l <= L and l != L."""

    def equal(g: Goal) -> None:
        g.clash(next(reversed(g.seq.hyps)), different)

    k = g.have("l < L", lambda g: g.cases(g.by_fact("lt_or_eq", "l", "L"), None, equal))
    g.close_by(g.by_fact("int_lt", "l", "L", by=[using(k)]))


def product_of_norms(g: Goal, ends: str, steps: str, low: str, grams: str, both: tuple[str, str]) -> str:
    """Adds tr(X^T X) <= (tr(W_1^T W_1))^L at time t."""
    n = N.format("t")

    def equal_norms(g: Goal) -> None:
        ih = g.induct("l")
        lo = next(k for k in g.seq.hyps if k.endswith("_lo"))
        g.assume()

        def base(g: Goal) -> None:
            g.rewrite(next(reversed(g.seq.hyps)), back=True)
            k = g.apply(low, "t")
            g.rewrite(k)
            g.field()

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 1, "l", by=[using(strict)])
            k = g.apply(ih, "l - 1")
            c = g.apply(grams, "l", "t")
            w = g.apply(both[1], "l", "t")
            a = g.have("tr(C(l,t)) = tr(W(l,t) @ T(W(l,t)))", lambda g: g.ctx(using(c)))
            b = g.have("tr(T(W(l,t)) @ W(l,t)) = tr(C(l-1,t))", lambda g: g.ctx(using(w)))
            only(g, a, b, k)
            g.field((a, 1), (b, 1), (k, 1))

        g.cases(g.by_fact("lt_or_eq", 1, "l", by=[using(lo)]), step, base)

    norms = g.have(f"all l:Z. 1 <= l => l <= L - 1 => tr(C(l,t)) = {n}", equal_norms)

    def partial(g: Goal) -> None:
        ih = g.induct("l")
        lo = next(k for k in g.seq.hyps if k.endswith("_lo"))
        g.assume()

        def base(g: Goal) -> None:
            g.rewrite(next(reversed(g.seq.hyps)), back=True)
            q = g.split(g.apply(ends, "t"))[0]
            g.rewrite(q)
            g.pos()

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 1, "l", by=[using(strict)])
            k = g.apply(ih, "l - 1")
            q = g.split(g.apply(steps, "l", "t"))[0]
            w = g.apply(both[1], "l", "t")
            c = g.apply(norms, "l - 1")
            b = g.have("tr(T(W(l,t)) @ W(l,t)) = tr(C(l-1,t))", lambda g: g.ctx(using(w)))
            g.rewrite(q)
            multiply(g, "W(l,t)", "Q(l-1,t)", (b, c), k, "n", "n", "c", "l - 1", "l")

        g.cases(g.by_fact("lt_or_eq", 1, "l", by=[using(lo)]), step, base)

    each = g.have(f"all l:Z. 1 <= l => l <= L - 1 => tr(T(Q(l,t)) @ Q(l,t)) <= ({n})^l", partial)

    def whole(g: Goal) -> None:
        x = g.split(g.apply(ends, "t"))[2]
        k = g.apply(each, "L - 1")
        top = g.apply(both[0], "t")
        c = g.apply(norms, "L - 1")
        b = g.have("tr(T(B(t)) @ B(t)) = tr(C(L-1,t))", lambda g: g.ctx(using(top)))
        g.rewrite(x)
        multiply(g, "B(t)", "Q(L-1,t)", (b, c), k, "r", "n", "c", "L - 1", "L")

    return g.have(f"tr(T(X(t)) @ X(t)) <= ({n})^L", whole)


def multiply(g: Goal, u: str, v: str, value: tuple[str, str], bound: str, m: str, n: str, k: str, less: str, total: str) -> None:
    """|u v|^2 <= |u|^2 |v|^2 <= N N^less = N^total."""
    norm = N.format("t")
    sub = g.fact("frobenius_submultiplicative", m, n, k, u, v)
    step = g.by_fact("ipow_step", norm, less)
    power = g.have(f"({norm})^({total}) = {norm}*({norm})^({less})", lambda g: g.field((step, 1)))
    b, c = value
    factor = g.have(f"tr(T({u}) @ {u}) = {norm}", lambda g: g.field((b, 1), (c, 1)))
    only(g, sub, bound, factor, power)
    g.pos([f"@{sub}"], [norm, f"@{bound}"], eqs=[(factor, f"-tr(T({v}) @ {v})"), (power, 1)])


READING = (
    "time on [0, y) is y (1 - exp(-t)) with the parameter t >= 0, so that a flow on [0, y) is a smooth "
    "function of t; of the loss only the chain rule "
    f"along the flow is used; positivity: for every solution of (27), time again arbitrary; {PADDING}"
)


@refuted(
    "razin2020.lemma-6-assertion-divergence",
    f"{DIVERGES} and {POSITIVE}",
    uses=["razin2020.lemma-6-assertion-divergence", "razin2020.lemma-6-step-solution-gt-2"],
    argument="fails",
    reading=READING,
    readings=[
        (
            "the scalar equation (27) with a function g that need not come from a loss can diverge in finite time",
            "holds",
            "scalar-equation",
        )
    ],
    reason="a loss bounded below spends at most its initial value, so the factors move a finite distance in finite "
    "time and nothing diverges; "
    "positivity is preserved as stated",
)
def nothing_diverges_in_finite_time(g: Goal) -> None:
    """A singular value is at most the Frobenius norm of the product, which stays bounded on [0, y)."""
    g.left_or_right(0)
    g.fix()
    h = g.contra()
    parts = g.split_all(h)
    count = len(PARTS)
    given = [k if g.hyp_formula(k)[0] != "all" else implication(g, k, f) for k, f in zip(parts[:count], PARTS, strict=True)]
    b = g.lemma(
        "razin2020.lemma-6-assertion-divergence",
        "part:bounded",
        *"rcnL",
        *"ABWPQGXC",
        "y",
        "loss",
        "grad",
        "E",
        by=[matching(k) for k in given],
    )
    (bound,) = g.obtain(b, "b")
    diverges = parts[-1]
    beyond = g.apply(g.split(g.fact("tendsoo_definition", "lam t:R. sv(X(t),i)"))[0], by=[using(diverges)])
    (a,) = g.obtain(g.apply(beyond, "1 + abs(b)"), "a")
    size = g.split(g.apply(g.split(g.fact("abs_le", "a", "abs(a)"))[0], by=[Goal.refl]))[1]
    big = g.apply(a, "abs(a)", by=[using(size)])
    k = g.apply(bound, "abs(a)")
    squares = g.by_fact("sv_frobenius", "r", "c", "X(abs(a))")
    one = g.apply(g.by_fact("sum_term_le", 1, "c", "lam j:Z. sv(X(abs(a)),j)^2", by=[None]), "i")
    top = g.split(g.apply(g.split(g.fact("abs_le", "b", "abs(b)"))[0], by=[Goal.refl]))[1]
    only(g, big, k, squares, one, top)
    g.pos(
        [f"@{big}", f"@{big}"],
        [f"@{big}", 2],
        [f"@{big}", 2, "abs(b)"],
        [f"@{one}"],
        [f"@{k}"],
        [f"@{top}"],
        [1],
        ["abs(b)"],
        ["abs(b)^2"],
        eqs=[(squares, 1)],
    )


def implication(g: Goal, h: str, text: str) -> str:
    """Adds a part of the setting as it is written, from the hypothesis whose implications are disjunctions."""

    def settle(g: Goal, k: str) -> None:
        f = g.hyp_formula(k)
        if f == g.concl:
            g.close_by(k)
        elif f[0] == "or":
            g.cases(k, *[lambda g: settle(g, next(reversed(g.seq.hyps)))] * (len(f) - 1))
        else:
            only(g, *[n for n, e in g.seq.hyps.items() if e[0] in ("<", "<=")])
            g.have("false", lambda g: g.nlin(products=1))
            g.auto()

    def prove(g: Goal) -> None:
        names = g.fix(*[f"{n}_" for n, _ in g.concl[1]])
        while g.concl[0] == "=>":
            a = g.assume()
            if g.hyp_formula(a)[0] == "and":
                g.split_all(a)
        settle(g, g.apply(h, *names))

    return g.have(text, prove)


def matching(h: str) -> Script:
    """Close a part of the setting by the hypothesis h."""
    return lambda g: premise(g, h)


def closing(h: str) -> Script:
    """Close an equation by the hypothesis h."""
    return lambda g: close(g, h)


def premise(g: Goal, h: str) -> None:
    """A part of the setting, stated for the functions themselves."""
    f = g.hyp_formula(h)
    if f == g.concl or f[0] != "all":
        g.exact(h)
        return
    names = g.fix(*[f"{n}_" for n, _ in f[1]])
    while g.concl[0] == "=>":
        g.assume()
    k = g.apply(h, *names)
    if g.hyp_formula(k)[0] != "and":
        close(g, k)
        return
    a, b, *more = g.split(k)
    g.conj(*[closing(x) for x in (a, b, *more)])


def close(g: Goal, h: str) -> None:
    """By a hypothesis, up to the normal form."""
    f = g.hyp_formula(h)
    if f == g.concl or f[0] != "=":
        g.close_by(h)
    elif sort_of(f[1], g.seq.ctx) == "R":
        g.field((h, 1))
    else:
        g.nc((h, 1, None, None))


@amendment(
    "razin2020.lemma-6-assertion-divergence",
    f"""(all {DECLARATIONS}. {IMPLICATION} => ex b:R. all i:Z, t:R. 1 <= i and i <= c => 0 <= t => sv(X(t),i) <= b) and
          {POSITIVE}""",
    says="on every bounded time interval [0, y) the singular values stay bounded; positivity is preserved",
    uses=["razin2020.lemma-6-assertion-divergence", "razin2020.lemma-6-step-solution-gt-2"],
)
def singular_values_stay_bounded_and_positive(g: Goal) -> None:
    """A singular value is at most the Frobenius norm; positivity by Gronwall's inequality."""

    def bounded(g: Goal) -> None:
        hyps = g.intro()
        b = g.lemma(
            "razin2020.lemma-6-assertion-divergence",
            "part:bounded",
            *"rcnL",
            *"ABWPQGXC",
            "y",
            "loss",
            "grad",
            "E",
            by=[matching(k) for k in hyps],
        )
        (bound,) = g.obtain(b, "b")
        g.witness("1 + abs(b)")
        g.fix("i", "t")
        g.split_all(g.assume())
        g.assume()
        k = g.apply(bound, "t")
        squares = g.by_fact("sv_frobenius", "r", "c", "X(t)")
        one = g.apply(g.by_fact("sum_term_le", 1, "c", "lam j:Z. sv(X(t),j)^2", by=[None]), "i")
        top = g.split(g.apply(g.split(g.fact("abs_le", "b", "abs(b)"))[0], by=[Goal.refl]))[1]
        big = g.contra()
        only(g, big, k, squares, one, top)
        g.pos(
            [f"@{big}", f"@{big}"],
            [f"@{big}", 2],
            [f"@{big}", 2, "abs(b)"],
            [f"@{one}"],
            [f"@{k}"],
            [f"@{top}"],
            [1],
            ["abs(b)"],
            ["abs(b)^2"],
            eqs=[(squares, 1)],
        )

    def positive(g: Goal) -> None:
        _, _, equation, start, _ = g.intro()
        signs = g.split(
            g.lemma(
                "razin2020.lemma-6-step-solution-gt-2", "part:sign", "L", "s", "g", by=[None, None, lambda g: eta(g, equation)]
            )
        )
        k = g.apply(signs[0], by=[using(start)])
        g.close_by(g.apply(k, "t"))

    g.conj(bounded, positive)


@part(
    "razin2020.lemma-6-assertion-divergence",
    "scalar-equation",
    """ex s g:R~>R. (all t:R. 0 <= t => 0 < s(t) and s'(t) = exp(-t)*(g(t)*(s(t)^2)^(1 - 1/4))) and (all t:R. g(t) = 2) and
    tendsoo(t, s(t))""",
    says="the scalar equation (27) alone, with a function g that comes from no loss, can diverge in finite time (L "
    "= 4, g = 2, time 1 - exp(-t))",
)
def scalar_equation_can_diverge(g: Goal) -> None:
    """s = (1 - time)^(-2), that is exp(2 t)."""
    g.witness("lam t:R. exp(2*t)", "lam t:R. 2")

    def solves(g: Goal) -> None:
        g.intro()
        root = g.have("(exp(2*t)^2)^(1 - 1/4) = exp(3*t)", lambda g: power_of_exponential(g))
        g.rewrite(root)
        g.conj(None, lambda g: g.field())

    g.conj(solves, None, lambda g: g.close_by(g.by_fact("tendsoo_exp", 2)))


def power_of_exponential(g: Goal) -> None:
    """(exp(2t)^2)^(3/4) = exp(3t)."""
    g.field()
