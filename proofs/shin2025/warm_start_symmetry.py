"""Appendix G.2: the entries of the flow, the symmetry of Lemmas 18 and 19, the reduced flow."""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import (
    CORE,
    ENTRIES,
    PAPER,
    RATES,
    claim,
    enter,
    entries,
    of_flow,
    of_reduced,
    product,
    rates,
    residual,
)
from verify.kernel import Goal
from verify.registry import holds, part


def entry_rates(g: Goal, flow: str, t: str, left: str = "A", right: str = "B") -> list[str]:
    """The eight entries of the flow equation at a time that is visibly >= 0, in terms of the entries of the factors."""
    ha, hb = g.split_all(g.apply(flow, t))
    out = []
    for name, h in ((left, ha), (right, hb)):
        right = g.hyp_formula(h)[2]
        for i in (1, 2):
            for j in (1, 2):

                def same(g: Goal, h: str = h) -> None:
                    g.rewrite(h)
                    g.refl()

                out.append(g.have(("=", ("entry", ("d", 1, name, g.term(t)), i, j), ("entry", right, i, j)), same))
    return out


def ab(i: int, j: int, m: str, t: str = "t") -> str:
    return f"{m}({t})[{i},{j}]"


RA = ["(w - (A(t)@B(t))[1,1])", "(v - (A(t)@B(t))[1,2])", "(w - (A(t)@B(t))[2,2])"]


@holds(
    "shin2025.eq-46",
    claim(f"""all t:R. 0 <= t =>
      D(u, A(u)[1,1], t) = B(t)[1,1]*{RA[0]} + B(t)[1,2]*{RA[1]} and D(u, A(u)[1,2], t) = B(t)[2,1]*{RA[0]} +
      B(t)[2,2]*{RA[1]} and
      D(u, A(u)[2,1], t) = B(t)[1,2]*{RA[2]} and D(u, A(u)[2,2], t) = B(t)[2,2]*{RA[2]}"""),
    argument="sound",
)
def entries_of_the_flow_of_a(g: Goal) -> None:
    """The entries of A' = -G B^T."""
    hs = g.intro()
    e = entry_rates(g, hs[4], "t")
    g.conj(*[lambda g: g.field(rw=e)] * 4)


@holds(
    "shin2025.eq-47",
    claim(f"""all t:R. 0 <= t =>
      D(u, B(u)[1,1], t) = A(t)[1,1]*{RA[0]} and D(u, B(u)[1,2], t) = A(t)[1,1]*{RA[1]} + A(t)[2,1]*{RA[2]} and
      D(u, B(u)[2,1], t) = A(t)[1,2]*{RA[0]} and D(u, B(u)[2,2], t) = A(t)[1,2]*{RA[1]} + A(t)[2,2]*{RA[2]}"""),
    argument="sound",
)
def entries_of_the_flow_of_b(g: Goal) -> None:
    """The entries of B' = -A^T G."""
    hs = g.intro()
    e = entry_rates(g, hs[4], "t")
    g.conj(*[lambda g: g.field(rw=e)] * 4)


A_, B_ = ({(i, j): f"{m}(t)[{i},{j}]" for i in (1, 2) for j in (1, 2)} for m in "AB")
PAIRS = "A(t)[1,1] = B(t)[2,2] and A(t)[1,2] = B(t)[1,2] and A(t)[2,1] = B(t)[2,1] and A(t)[2,2] = B(t)[1,1]"
DIFFERENCES = (f"{A_[1, 1]} - {B_[2, 2]}", f"{A_[1, 2]} - {B_[1, 2]}", f"{A_[2, 1]} - {B_[2, 1]}", f"{A_[2, 2]} - {B_[1, 1]}")
GAPS = "[" + ", ".join(f"[{x}]" for x in DIFFERENCES) + "]"
# w11 - w22 = DIAGONAL . GAPS
DIAGONAL = (A_[2, 2], A_[2, 1], f"-{A_[1, 2]}", f"-{A_[1, 1]}")


def system() -> str:
    """The matrix of the linear system that the differences of paired entries solve."""
    plain = [
        ["0", f"-{RA[1]}", "0", f"-{RA[2]}"],
        [f"-{RA[1]}", "0", f"-{RA[2]}", "0"],
        ["0", f"-{RA[0]}", "0", "0"],
        [f"-{RA[0]}", "0", "0", "0"],
    ]
    factors = [f"-{B_[1, 1]}", f"-{B_[2, 1]}", B_[1, 2], B_[2, 2]]
    rows = [[f"{x} + ({c})*({m})" for x, m in zip(line, DIAGONAL, strict=True)] for line, c in zip(plain, factors, strict=True)]
    return "[" + ", ".join("[" + ", ".join(line) + "]" for line in rows) + "]"


@holds(
    "shin2025.lemma-19",
    claim(f"all t:R. 0 <= t => {PAIRS} and {product('t')}[1,1] = {product('t')}[2,2]"),
    reading="T_1 is taken as the origin of time.",
)
def paired_entries_agree(g: Goal) -> None:
    """The four differences of paired entries solve a linear homogeneous system with smooth coefficients and vanish at
    the start."""
    hs = g.intro()
    starts, flow = (hs[2], hs[3]), hs[4]

    def derivative(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        e = entry_rates(g, flow, x)
        g.ext(lambda g: g.field(rw=e))

    def start(g: Goal) -> None:
        def entry(g: Goal) -> None:
            for h in starts:
                g.rewrite(h)
            g.field()

        g.ext(entry)

    z = g.by_fact("linear_system_zero", "4", f"lam t:R. {GAPS}", f"lam t:R. {system()}", by=[None, derivative, start])
    zero = g.apply(z, "t")
    gap = []
    for i in range(4):
        h = g.have(f"({GAPS})[{i + 1},1] = 0", lambda g: (g.rewrite(zero), g.field()))
        gap.append(g.have(f"{DIFFERENCES[i]} = 0", lambda g, h=h: g.field((h, 1))))
    g.conj(
        *[lambda g, h=h: g.field((h, 1)) for h in gap], lambda g: g.field(*[(h, c) for h, c in zip(gap, DIAGONAL, strict=True)])
    )


REDUCTION = f"""ex p q r s:R~>R. p(0) = sqrt(w) and q(0) = 0 and r(0) = 0 and s(0) = sqrt(w) and (all t:R. 0 <= t => {RATES}) and
                (all t:R. 0 <= t => {ENTRIES})"""


@part(f"{PAPER}.lemma-19", "reduction", claim(REDUCTION), says="The flow comes from four functions that solve (51).")
def four_functions_carry_the_flow(g: Goal) -> None:
    """p, q, r, s are the entries of A; those of B are the same ones by the symmetry, and with them their derivatives."""
    hs = g.intro()
    starts, flow = (hs[2], hs[3]), hs[4]
    sym = of_flow(g, hs, "lemma-19")
    g.witness("lam t:R. A(t)[1,1]", "lam t:R. A(t)[1,2]", "lam t:R. A(t)[2,1]", "lam t:R. A(t)[2,2]")

    def start(g: Goal) -> None:
        g.rewrite(starts[0])
        g.field()

    def both(g: Goal) -> tuple[list[str], list[str]]:
        (x,) = g.fix("x")
        g.assume()
        e = entry_rates(g, flow, x)
        pairs = g.split_all(g.apply(sym, x))
        turned = [
            g.have(f"B({x})[{3 - i},{3 - i}] = A({x})[{i},{i}]", lambda g, k=k: g.field((pairs[k], -1)))
            for i, k in ((1, 0), (2, 3))
        ]
        turned += [
            g.have(f"B({x})[{i},{3 - i}] = A({x})[{i},{3 - i}]", lambda g, k=k: g.field((pairs[k], -1)))
            for i, k in ((1, 1), (2, 2))
        ]
        return e, turned

    def rates(g: Goal) -> None:
        e, turned = both(g)
        g.conj(*[lambda g: g.field(rw=e + turned)] * 4)

    def values(g: Goal) -> None:
        e, turned = both(g)
        g.conj(*[lambda g: g.field(rw=e + turned)] * 16)

    g.conj(start, start, start, start, rates, values)


A11, A12, A21, A22 = (A_[k] for k in ((1, 1), (1, 2), (2, 1), (2, 2)))
R11, R12, R22 = RA
NORM = f"({A11}^2 + {A12}^2 + {A21}^2 + {A22}^2)"
ROW = f"({A11}^2 + {A12}^2)"
INNER = f"({A11}*{A21} + {A12}*{A22})"


def by_entries(g: Goal) -> list[str]:
    """Fix the setting and a time t >= 0; returns equations that turn everything into p, q, r, s."""
    _, red, ent = enter(g)
    return entries(g, ent, "t") + rates(g, red[6], "t")


@holds(
    "shin2025.eq-51",
    claim(f"""all t:R. 0 <= t =>
      D(u, A(u)[1,1], t) = {A22}*{R11} + {A12}*{R12} and D(u, A(u)[1,2], t) = {A21}*{R11} + {A11}*{R12} and
      D(u, A(u)[2,1], t) = {A12}*{R22} and D(u, A(u)[2,2], t) = {A11}*{R22}"""),
    argument="sound",
    uses=["shin2025.lemma-19"],
)
def reduced_flow(g: Goal) -> None:
    """(46) with the entries of B replaced by those of A."""
    e = by_entries(g)
    g.conj(*[lambda g: g.field(rw=e)] * 4)


@holds(
    "shin2025.eq-52",
    claim(f"""all t:R. 0 <= t =>
      {product("t")} = [[{A11}, {A12}], [{A21}, {A22}]] @ [[{A22}, {A12}], [{A21}, {A11}]] and
      [[{A11}, {A12}], [{A21}, {A22}]] @ [[{A22}, {A12}], [{A21}, {A11}]]
        = [[{A11}*{A22} + {A12}*{A21}, 2*{A11}*{A12}], [2*{A21}*{A22}, {A11}*{A22} + {A12}*{A21}]]"""),
    argument="sound",
    uses=["shin2025.lemma-19"],
)
def product_by_the_entries_of_a(g: Goal) -> None:
    """Entry by entry."""
    e = by_entries(g)
    g.conj(lambda g: g.ext(lambda g: g.field(rw=e)), lambda g: g.ext())


@holds(
    "shin2025.eq-53",
    claim(f"""all t:R. 0 <= t =>
      D(u, {product("u")}[1,1], t) = {R11}*{NORM} + {R12}*{INNER} and
      D(u, {product("u")}[1,2], t) = 2*{R12}*{ROW} + 2*{R11}*{INNER} and
      D(u, {product("u")}[2,1], t) = 2*{R11}*{INNER} and
      D(u, {product("u")}[2,2], t) = D(u, {product("u")}[1,1], t)"""),
    argument="sound",
    uses=["shin2025.lemma-19"],
)
def flow_of_the_product(g: Goal) -> None:
    """The product rule and (51)."""
    e = by_entries(g)
    g.conj(*[lambda g: g.field(rw=e)] * 4)


@holds(
    "shin2025.eq-54",
    claim(f"T(A(0)) @ A(0) = B(0) @ T(B(0)) and all t:R. 0 <= t => {A11}^2 + {A21}^2 = {A12}^2 + {A22}^2"),
    argument="sound",
    uses=["shin2025.lemma-19", CORE],
)
def columns_of_a_have_equal_norm(g: Goal) -> None:
    """The difference has derivative 0 along (51) and vanishes at the start."""
    hs, red, ent = enter(g)
    h = of_reduced(g, red, "balance")

    def start(g: Goal) -> None:
        g.rewrite(hs[2])
        g.rewrite(hs[3])
        g.nc()

    def always(g: Goal) -> None:
        g.intro()
        g.field((g.apply(h, "t"), 1), rw=entries(g, ent, "t"))

    g.conj(start, always)


CURVES = f"""all w v a:R, A B:R~>M(2,2). 0 < w => 0 < v =>
   A'(a) = -({residual("a")} @ T(B(a))) => B'(a) = -(T(A(a)) @ {residual("a")}) =>
   A(a)[1,1] = B(a)[2,2] => A(a)[1,2] = B(a)[1,2] => A(a)[2,1] = B(a)[2,1] => A(a)[2,2] = B(a)[1,1] => """


@holds(
    "shin2025.proof-step-w11-zero-derivative",
    CURVES
    + """0 < A(a)[2,2] => A(a)[1,1] = A(a)[1,2] => A(a)[2,1] = -A(a)[2,2] => (A(a) @ B(a))[1,1] = 0 =>
      D(u, (A(u) @ B(u))[1,1], a) = 2*w*(A(a)[1,2]^2 + A(a)[2,2]^2) and 0 < D(u, (A(u) @ B(u))[1,1], a)""",
    argument="sound",
    reading="At a time a of any curve that obeys the flow equations and (50) there: the flow from (45) has no such time.",
    context="a22 > 0 [Lemma 20]",
)
def product_grows_where_it_vanishes(g: Goal) -> None:
    """(53) with a11 = a12 and a21 = -a22: the cross term vanishes."""
    hs = g.intro()
    e = []
    for name, h in (("A", hs[2]), ("B", hs[3])):
        right = g.hyp_formula(h)[2]
        for i in (1, 2):
            for j in (1, 2):

                def same(g: Goal, h: str = h) -> None:
                    g.rewrite(h)
                    g.refl()

                e.append(g.have(("=", ("entry", ("d", 1, name, "a"), i, j), ("entry", right, i, j)), same))
    turned = [
        g.have("B(a)[2,2] = A(a)[1,1]"),
        g.have("B(a)[1,2] = A(a)[1,2]"),
        g.have("B(a)[2,1] = A(a)[2,1]"),
        g.have("B(a)[1,1] = A(a)[2,2]"),
    ]
    first = g.have(
        "D(u, (A(u) @ B(u))[1,1], a) = 2*w*(A(a)[1,2]^2 + A(a)[2,2]^2)", lambda g: g.field(rw=[*e, *turned, hs[9], hs[10]])
    )
    g.conj(lambda g: g.close_by(first), lambda g: g.pos(["2", "w", "A(a)[1,2]^2 + A(a)[2,2]^2"], eqs=[(first, 1)]))


def equal_derivatives(g: Goal, h: str, x: str, y: str) -> None:
    """Close `all n >= 0, t >= 0: d(n, X, t)[i,j] = d(n, Y, t)[k,l]` for x = (X, i, j) and y = (Y, k, l) by h, the case n = 0.

    By induction: the difference of the derivatives of order n - 1 vanishes for t >= 0, so it can have no derivative
    there (it were larger
    or smaller just to the right).
    """
    ih = g.induct("n", "ih")
    g.fix("t")
    g.assume()

    def zero(g: Goal) -> None:
        k = list(g.seq.hyps)[-1]
        g.rewrite(g.have("n = 0", lambda g: g.field((k, -1))))
        g.field((g.apply(h, "t"), 1))

    def later(g: Goal) -> None:
        g.by_fact("int_lt", "0", "n")
        before = g.apply(ih, "n - 1")
        g.have("0 <= n - 1")
        value = f"(d(n - 1, {x} - d(n - 1, {y})"

        def flat(g: Goal, sign: str) -> None:
            up = g.obtain(g.by_fact("derivative_sign_right", "t", f"lam t:R. {sign}{value}"), "e")
            m = g.apply(up[1], "t + e")
            a, b = g.apply(before, "t"), g.apply(before, "t + e")
            s = -1 if sign else 1
            g.pos(["@" + m], eqs=[(a, s), (b, -s)])

        below = g.have(f"D(t, {value}, t) <= 0", lambda g: (g.contra(), flat(g, "")))
        above = g.have(f"0 <= D(t, {value}, t)", lambda g: (g.contra(), g.have(f"0 < D(t, -{value}, t)"), flat(g, "-")))
        z = g.by_fact("le_antisym", f"D(t, {value}, t)", "0", by=[lambda g: g.close_by(below), lambda g: g.close_by(above)])
        g.field((z, 1))

    g.less_or_equal("0 <= n", later, zero)


@holds(
    "shin2025.lemma-18",
    claim(
        f"""(all t:R. W(t) = {product("t")}) => all k:Z. 0 <= k =>
        d(k, A, 0)[1,1] = d(k, B, 0)[2,2] and d(k, A, 0)[1,2] = d(k, B, 0)[1,2] and d(k, A, 0)[2,1] = d(k, B, 0)[2,1] and
        d(k, A, 0)[2,2] = d(k, B, 0)[1,1] and d(k, W, 0)[1,1] = d(k, W, 0)[2,2]""",
        ", W:R~>M(2,2)",
    ),
    reading="W is the product as a function of time; its entries are the w_ij.",
    uses=["shin2025.lemma-19"],
)
def derivatives_at_the_start_agree(g: Goal) -> None:
    """The paired functions agree for all t >= 0, hence so do their derivatives of every order (by induction: a function
    that vanishes
    on a half-line can have no derivative there, else it were larger or smaller just to the right)."""
    hs = g.intro()
    agree = of_flow(g, hs, "lemma-19")

    def pair(g: Goal, k: int, x: str, y: str) -> None:
        def same(g: Goal) -> None:
            g.intro()
            w = g.apply(hs[5], "t")
            e = g.split_all(g.apply(agree, "t"))[k]
            if "W" in x:
                g.rewrite(w)
            g.field((e, 1))

        base = g.have(f"all t:R. 0 <= t => {x.replace(', t)', '(t)')} = {y.replace(', t)', '(t)')}", same)
        every = g.have(f"all n:Z. 0 <= n => all t:R. 0 <= t => d(n, {x} = d(n, {y}", lambda g: equal_derivatives(g, base, x, y))
        g.close_by(g.apply(g.apply(every, "k"), "0"))

    table = [
        ("A, t)[1,1]", "B, t)[2,2]"),
        ("A, t)[1,2]", "B, t)[1,2]"),
        ("A, t)[2,1]", "B, t)[2,1]"),
        ("A, t)[2,2]", "B, t)[1,1]"),
        ("W, t)[1,1]", "W, t)[2,2]"),
    ]
    g.conj(*[lambda g, k=k, row=row: pair(g, k, *row) for k, row in enumerate(table)])
