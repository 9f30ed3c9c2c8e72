"""Appendix G.1: the fully disconnected flow solved along its accumulated residuals; the constants P and Q; the
quadratic and its root."""

from __future__ import annotations

from typing import Any

from proofs.shin2025.disconnected_flow import (
    SETTING,
    VARIABLES,
    ZERO_LOSS,
    constant_p,
    constant_q,
    defined,
    entry_a,
    inside,
    rbar,
)
from verify.kernel import Goal
from verify.registry import holds, part

DEF = "shin2025.def-fully-disconnected"
CONTEXT = "depth 2, square factors, the flow (3) of the loss (2) with one observation in each row and column [Section 2, G.1]"


@holds(
    DEF,
    """all n:Z, row column:Z->Z.
       (all m:Z. 1 <= m and m <= n => 1 <= row(m) and row(m) <= n and 1 <= column(m) and column(m) <= n) =>
       (all m k:Z. 1 <= m and m <= n and 1 <= k and k <= n => row(m) = row(k) => m = k) =>
       (all m k:Z. 1 <= m and m <= n and 1 <= k and k <= n => column(m) = column(k) => m = k) =>
       (all k:Z. 1 <= k and k <= n => ex m:Z. 1 <= m and m <= n and row(m) = k and
           (all x:Z. 1 <= x and x <= n and row(x) = k => column(x) = column(m))) and
       (all l:Z. 1 <= l and l <= n => ex m:Z. 1 <= m and m <= n and column(m) = l and
           (all x:Z. 1 <= x and x <= n and column(x) = l => row(x) = row(m))) and
       (all m x:Z. 1 <= m and m <= n and 1 <= x and x <= n and column(x) = column(m) => row(x) = row(m))""",
    argument="sound",
    reading="row and column are the sequences i_n and j_n. Each row holds exactly one observation and so does "
    "each column, so that j^(k) and i^(l) "
    "are well defined, and the row observed in the column observed in row k is k. "
    "The residual w* - w is only a name here; its sign matters in (34), where it is wrong.",
    context="d observations [Appendix G.1]",
)
def index_maps_are_well_defined(g: Goal) -> None:
    """An injective map of 1..n to itself is onto; uniqueness is injectivity."""
    g.intro("range", "rows", "columns")

    def unique(k: Goal, injective: str) -> None:
        """From equal values at x and m: x = m, so that the other sequence agrees there."""
        h = k.apply(injective, "x", "m")
        k.rewrite(h)
        k.refl()

    def onto(k: Goal, f: str, injective: str, index: str) -> None:
        k.intro()
        h = k.by_fact(
            "injective_onto",
            "n",
            f"lam z:Z. {f}(z)",
            by=[lambda q: (q.intro(), q.split_all(q.apply("range", last(q))), q.auto()), lambda q: q.close_by(injective)],
        )
        e = k.apply(h, index)
        k.obtain(e, "m")
        k.witness("m")

        def same(q: Goal) -> None:
            q.intro()
            q.have(f"{f}(x) = {f}(m)")
            unique(q, injective)

        k.conj(None, None, None, same)

    g.conj(
        lambda k: onto(k, "row", "rows", "k"),
        lambda k: onto(k, "column", "columns", "l"),
        lambda k: (k.intro(), unique(k, "columns")),
    )


def last(g: Goal) -> str:
    """The variable declared last."""
    return list(g.seq.ctx)[-1]


# ---------------------------------------------------------------------- the entries of the flow


def named(g: Goal, test: Any) -> str:
    """The hypothesis whose formula passes a test."""
    return next(h for h, f in g.seq.hyps.items() if test(f))


def is_all(f: Any, *names: str) -> bool:
    return bool(f[0] == "all" and tuple(v for v, _ in f[1]) == names)


RESIDUAL_ROW = "((A(t) @ B(t))[p,j(p)] - W[p,j(p)])"
RESIDUAL_COLUMN = "((A(t) @ B(t))[i(q),q] - W[i(q),q])"


@part(
    DEF,
    "entries",
    f"""all {VARIABLES}. {SETTING} => all t:R, p q:Z. 0 <= t => {inside("p", "q")} =>
        A'(t)[p,q] = -{RESIDUAL_ROW}*B(t)[q,j(p)] and B'(t)[p,q] = -{RESIDUAL_COLUMN}*A(t)[i(q),p]""",
    says="the flow by entries: every entry of A moves with one entry of B, at the rate of the residual of its row",
)
def entries_move_in_pairs(g: Goal) -> None:
    """In the sums over a row or a column of the gradient only the observed entry is not 0."""
    g.intro()
    pattern, gradient = named(g, lambda f: is_all(f, "k")), named(g, lambda f: is_all(f, "t", "k", "l"))
    both = g.split(g.apply(named(g, lambda f: is_all(f, "t")), "t"))
    g.split_all(g.apply(pattern, "p"))
    g.split_all(g.apply(pattern, "q"))

    def only(k: Goal, h: str, body: str, at: str, row: str, column: str) -> None:
        """The derivative is a sum with the one term at `at`, whose gradient entry is G[row, column]."""
        k.rewrite(h)

        def other(q: Goal) -> None:
            q.intro()
            different = list(q.seq.hyps)[-1]
            r, c = (row, last(q)) if row == "p" else (last(q), column)
            zero = q.split(q.apply(gradient, "t", r, c))[1]

            def unequal(x: Goal) -> None:
                x.contra("same")
                if row == "p":
                    x.clash("same", different)
                else:
                    x.split_all(x.apply(pattern, r))
                    y = x.have(f"{r} = i(q)", lambda z: (z.rewrite("same"), z.auto()))
                    x.clash(y, different)

            v = q.apply(zero, by=[unequal])
            q.rewrite(v)
            q.field()

        total = k.by_fact("sum_delta", 1, "n", at, f"lam l:Z. {body}", by=[None, None, other])
        here = k.split(k.apply(gradient, "t", row, column))[0]
        value = k.apply(here)
        k.field((total, "-1"), (value, f"-{'B(t)[q,j(p)]' if row == 'p' else 'A(t)[i(q),p]'}"))

    g.conj(
        lambda k: only(k, both[0], "G(t)[p,l]*B(t)[q,l]", "j(p)", "p", "j(p)"),
        lambda k: only(k, both[1], "A(t)[l,p]*G(t)[l,q]", "i(q)", "i(q)", "q"),
    )


# ---------------------------------------------------------------------- the solution along the accumulated residual

PAIR = """(all t:R. 0 <= t => x'(t) = -r'(t)*y(t) and y'(t) = -r'(t)*x(t)) => r(0) = 0 => all t:R. 0 <= t =>
       x(t) = x(0)*cosh(r(t)) - y(0)*sinh(r(t)) and y(t) = y(0)*cosh(r(t)) - x(0)*sinh(r(t))"""


@part(
    DEF,
    "pair",
    f"all x y r:R~>R. {PAIR}",
    says="a pair of entries that move with one another is a hyperbolic rotation of its initial value",
)
def pair_is_rotated(g: Goal) -> None:
    """x + y decays like exp(-r) and x - y grows like exp(r)."""
    g.intro("pair", "start")

    def mode(sign: str) -> str:
        """x + y or x - y is its initial value times an exponential."""
        e, rate = (f"x(t) {sign} y(t)", "-r(t)" if sign == "+" else "r(t)")

        def derivative(q: Goal) -> None:
            q.intro()
            first, second = q.split(q.apply("pair", last(q)))
            q.field((first, "1"), (second, f"{sign}1" if sign == "-" else "1"))

        h = g.by_fact("linear_ode", "0", f"lam t:R. {e}", f"lam t:R. {rate}", by=[None, derivative])
        now = g.apply(h, "t")
        power = g.hyp_formula(now)[2][2]
        same = g.have(("=", power, ("exp", g.term(rate))), lambda q: (q.rewrite("start"), q.field()))
        return g.have(f"{e} = (x(0) {sign} y(0))*exp({rate})", lambda q: q.field((now, "1"), (same, f"x(0) {sign} y(0)")))

    plus, minus = mode("+"), mode("-")
    g.conj(lambda k: k.field((plus, "1/2"), (minus, "1/2")), lambda k: k.field((plus, "1/2"), (minus, "-1/2")))


SOLUTION_VARIABLES = f"{VARIABLES}, r:R~>R, p:Z"
ACCUMULATED = f"r(0) = 0 => (all t:R. 0 <= t => r'(t) = {RESIDUAL_ROW})"
SOLUTION_NAMES = ("n", "i", "j", "W", "A", "B", "G", "r", "p")


def partner(q: str, column: str, row: str, r: str) -> str:
    """The closed form of the entry q of the observed column."""
    return f"B(0)[{q},{column}]*cosh({r}) - A(0)[{row},{q}]*sinh({r})"


@part(
    DEF,
    "solution",
    f"""all {SOLUTION_VARIABLES}. {SETTING} => {inside("p")} => {ACCUMULATED} => all t:R, q:Z. 0 <= t => {inside("q")} =>
        A(t)[p,q] = {entry_a("p", "q", "j(p)", "r(t)")} and B(t)[q,j(p)] = {partner("q", "j(p)", "p", "r(t)")}""",
    says="at every time the entries are hyperbolic rotations of the initial ones by the accumulated residual w - w* of their row",
)
def entries_are_rotated(g: Goal) -> None:
    """The entries a_pq and b_qj(p) move in a pair, at the rate of the residual."""
    g.intro()
    pattern = named(g, lambda f: is_all(f, "k"))
    rate = named(g, lambda f: is_all(f, "t") and f[2][2][0] == "=")
    column = g.split_all(g.apply(pattern, "p"))

    def moves(k: Goal) -> None:
        k.intro()
        t = last(k)
        of_a = k.split(entries(k, t, "p", "q"))[0]
        of_b = k.split(entries(k, t, "q", "j(p)"))[1]
        of_b = k.rewritten(of_b, column[4])
        r = k.apply(rate, t)
        k.conj(
            lambda c: c.field((of_a, "1"), (r, f"B({t})[q,j(p)]")),
            lambda c: c.field((of_b, "1"), (r, f"A({t})[p,q]")),
        )

    h = g.lemma(DEF, "part:pair", "lam t:R. A(t)[p,q]", "lam t:R. B(t)[q,j(p)]", "r", by=[moves])
    g.close_by(g.apply(h, "t"))


def flow_again(g: Goal) -> None:
    """The flow as the premise of an earlier statement."""
    g.intro()
    flow = named(g, lambda f: is_all(f, "t") and f[2][2][0] == "and")
    g.conj(*[lambda k, h=h: k.nc((h, "1", None, None)) for h in g.split(g.apply(flow, last(g)))])


def entries(g: Goal, *terms: str) -> str:
    """The flow by entries, at a time and two indices."""
    h = g.lemma(DEF, "part:entries", "n", "i", "j", "W", "A", "B", "G", by=[None, None, None, flow_again])
    return g.apply(h, *terms)


def solution(g: Goal) -> str:
    """The entries at every time, for the row p and its accumulated residual r."""
    return g.lemma(DEF, "part:solution", *SOLUTION_NAMES, by=[None, None, None, flow_again, None, None, rate_again])


def rate_again(g: Goal) -> None:
    """The rate of the accumulated residual as the premise of an earlier statement."""
    g.intro()
    rate = named(g, lambda f: is_all(f, "t") and f[2][2][0] == "=" and f[2][2][1][:1] == ("d",))
    g.field((g.apply(rate, last(g)), "1"))


P_ROW, Q_ROW = constant_p("p", "j(p)"), constant_q("p", "j(p)")


def by_terms(g: Goal, sums: str, old: str, new: str, by: Any) -> str:
    """sum(k, 1, n, old) = sum(k, 1, n, new), term by term."""
    return g.by_fact("sum_ext", 1, "n", f"lam k:Z. {old}", f"lam k:Z. {new}", by=[by])


@part(
    DEF,
    "product",
    f"""all {SOLUTION_VARIABLES}. {SETTING} => {inside("p")} => {ACCUMULATED} => all t:R. 0 <= t =>
        (A(t) @ B(t))[p,j(p)] = {P_ROW}*cosh(2*r(t)) - {Q_ROW}/2*sinh(2*r(t))""",
    says="the observed entry at every time, by P, Q and the accumulated residual of its row",
)
def observed_entry_at_every_time(g: Goal) -> None:
    """The product of the two rotated vectors: cosh^2 + sinh^2 = cosh of the double, 2 cosh sinh = sinh of the double."""
    g.intro()
    h = solution(g)
    new_a, new_b = f"({entry_a('p', 'k', 'j(p)', 'r(t)')})", f"({partner('k', 'j(p)', 'p', 'r(t)')})"

    def term(k: Goal) -> None:
        k.intro()
        x, y = k.split(k.apply(h, "t", last(k)))
        k.rewrite(x)
        k.rewrite(y)
        k.refl()

    e = g.by_fact("sum_ext", 1, "n", "lam k:Z. A(t)[p,k]*B(t)[k,j(p)]", f"lam k:Z. {new_a}*{new_b}", by=[term])
    g.field((e, "1"))


ROOT_TERM = "((P + Q/2)/(w + sqrt(w^2 - P^2 + (Q/2)^2)))"
QUADRATIC = "(P - Q/2)*exp(2*x)^2 - 2*w*exp(2*x) + P + Q/2 = 0"


@part(
    "shin2025.proof-step-rbar-root",
    "scalar",
    f"""all P Q w x:R. {QUADRATIC} => P - Q/2 <= 0 => 0 < P + Q/2 =>
        0 < w + sqrt(w^2 - P^2 + (Q/2)^2) and exp(2*x) = {ROOT_TERM} and x = 1/2*log({ROOT_TERM})""",
    says="the positive root of the quadratic when P + Q/2 > 0, also when P - Q/2 = 0",
)
def positive_root(g: Goal) -> None:
    """With c = Q/2 - P and u = exp(2 x): c u + w is the square root, since 2 (c u + w) u = c u^2 + P + Q/2 > 0."""
    g.intro("quadratic", "sign", "positive")
    u, c, m = "exp(2*x)", "(Q/2 - P)", "(P + Q/2)"
    radicand = "w^2 - P^2 + (Q/2)^2"
    above = g.have(
        f"0 <= {c}*{u} + w", lambda k: k.pos(["@sign", f"{u}^2"], ["@positive"], mul=[f"2*{u}"], eqs=[("quadratic", "-1")])
    )
    square = g.have(f"({c}*{u} + w)^2 = {radicand}", lambda k: k.field(("quadratic", f"-{c}")))
    root_ = g.by_fact("sqrt_unique", radicand, f"{c}*{u} + w", by=[lambda k: k.close_by(above), lambda k: k.close_by(square)])
    below = g.have(f"w + sqrt({radicand}) = {m}/{u}", lambda k: (k.rewrite(root_), k.field(("quadratic", f"-1/{u}"))))
    denominator = g.have(f"0 < w + sqrt({radicand})", lambda k: k.pos([m, f"1/{u}"], eqs=[(below, "1")]))
    value = g.have(f"{u} = {ROOT_TERM}", lambda k: (k.rewrite(below), k.field()))
    logarithm = g.have(f"x = 1/2*log({u})", lambda k: k.field())
    g.conj(
        lambda k: k.close_by(denominator),
        lambda k: k.close_by(value),
        lambda k: (k.rewrite(value, back=True), k.close_by(logarithm)),
    )


# ---------------------------------------------------------------------- P and Q

GENERAL = "all n:Z, i j:Z->Z, W:M(n,n), A B:R~>M(n,n), G:R->M(n,n)"


def half_square(g: Goal, sign: str, p: str, q: str) -> str:
    """sum (a + b)^2 = 2 (Q/2 + P) or sum (a - b)^2 = 2 (Q/2 - P) is not negative; p: row, q: column."""
    a, b = f"A(0)[{p},k]", f"B(0)[k,{q}]"
    h = g.by_fact("sum_nonneg", 1, "n", f"lam k:Z. ({a} {sign} {b})^2")
    total = f"{constant_q(p, q)}/2 {sign} {constant_p(p, q)}"
    return g.have(f"0 <= {total}", lambda k: k.pos(["1/2", f"@{h}"]))


@holds(
    "shin2025.proof-step-p-minus-q",
    f"{GENERAL}. {SETTING} => all p:Z. {inside('p')} => {P_ROW} - {Q_ROW}/2 <= 0",
    argument="sound",
    context=CONTEXT,
)
def p_is_at_most_half_q(g: Goal) -> None:
    """P - Q/2 is minus half the sum of the squares of a_k - b_k."""
    g.intro()
    h = half_square(g, "-", "p", "j(p)")
    g.pos([f"@{h}"])


@holds(
    "shin2025.prop-17-pq",
    f"""{GENERAL}. {SETTING} => all p:Z. {inside("p")} =>
        {P_ROW} = (A(0) @ B(0))[p,j(p)] and -{Q_ROW}/2 <= {P_ROW} and {P_ROW} <= {Q_ROW}/2""",
    argument="sound",
    reading="the definition is meaningful: P is the observed entry of the product at the start, and |P| <= Q/2. "
    "The observation (i_n, j_n) is (p, j(p)).",
    context=CONTEXT,
)
def constants_of_proposition_17(g: Goal) -> None:
    """P is an entry of the product; Q/2 + P and Q/2 - P are sums of squares."""
    g.intro()
    plus, minus = half_square(g, "+", "p", "j(p)"), half_square(g, "-", "p", "j(p)")
    g.conj(None, lambda k: k.pos([f"@{plus}"]), lambda k: k.pos([f"@{minus}"]))


@holds(
    "shin2025.prop-5-pq",
    f"""all n:Z, A B:M(n,n), p:Z. 1 <= n => {inside("p")} =>
        {constant_p("p", "p", "A", "B")} = (A @ B)[p,p] and
        -{constant_q("p", "p", "A", "B")}/2 <= {constant_p("p", "p", "A", "B")} and
        {constant_p("p", "p", "A", "B")} <= {constant_q("p", "p", "A", "B")}/2""",
    argument="sound",
    reading="the definition is meaningful: P_i is the entry w_ii of the product at the start, and |P_i| <= Q_i/2",
)
def constants_of_proposition_5(g: Goal) -> None:
    """P is an entry of the product; Q/2 + P and Q/2 - P are sums of squares."""
    g.intro()
    plus = g.by_fact("sum_nonneg", 1, "n", "lam k:Z. (A[p,k] + B[k,p])^2")
    minus = g.by_fact("sum_nonneg", 1, "n", "lam k:Z. (A[p,k] - B[k,p])^2")
    g.conj(None, lambda k: k.pos(["1/2", f"@{plus}"]), lambda k: k.pos(["1/2", f"@{minus}"]))


# ---------------------------------------------------------------------- the limit

DOMAIN = """all P Q w:R. P - Q/2 <= 0 => 0 < P + Q/2 => P - Q/2 != 0 or 0 < w =>
    0 < w^2 - P^2 + (Q/2)^2 and 0 < w + sqrt(w^2 - P^2 + (Q/2)^2)"""


def root_is_defined(g: Goal) -> None:
    """The radicand is w^2 + (Q/2 - P) (Q/2 + P)."""
    g.intro("sign", "positive", "either")
    radicand = "w^2 - P^2 + (Q/2)^2"

    def unequal(k: Goal) -> None:
        strict = k.have(
            "P - Q/2 < 0", lambda q: q.less_or_equal("P - Q/2 <= 0", None, lambda z: z.clash(list(z.seq.hyps)[-1], "case"))
        )
        h = k.have(f"w^2 < {radicand}", lambda q: q.pos([f"@{strict}", "@positive"]))
        p = k.have(f"0 < {radicand}", lambda q: q.pos([f"@{h}"], ["w^2"]))
        square = k.by_fact("sqrt_sq", radicand)

        def denominator(q: Goal) -> None:
            q.contra("below")
            q.have("0 <= -w", lambda z: z.pos(["@below"], [f"sqrt({radicand})"]))
            q.pos([f"@{h}"], ["@below", f"-w + sqrt({radicand})"], eqs=[(square, "-1")])

        k.conj(lambda q: q.close_by(p), denominator)

    def positive(k: Goal) -> None:
        p = k.have(f"0 < {radicand}", lambda q: q.pos(["@case", "@case"], ["@sign", "@positive"]))
        k.conj(lambda q: q.close_by(p), lambda q: q.pos(["@case"], [f"sqrt({radicand})"]))

    g.cases("either", unequal, positive, name="case")


@part(
    "shin2025.prop-17-rbar",
    "limit",
    f"""{GENERAL}, p:Z. {SETTING} => {ZERO_LOSS} => {inside("p")} => {defined("p", "j(p)")} => all q:Z. {inside("q")} =>
        tends(t, A(t)[p,q], {entry_a("p", "q", "j(p)", rbar("p", "j(p)"))}) and
        tends(t, B(t)[q,j(p)], {partner("q", "j(p)", "p", rbar("p", "j(p)"))})""",
    says="the limits of row p of A and of the column of B that is observed in it",
    uses=[DEF, "shin2025.proof-step-rbar-root"],
)
def limits_of_a_pair(g: Goal) -> None:
    """At every time the accumulated residual is the printed expression with w(t) for w*; the expression is continuous at w*."""
    dom = g.have(DOMAIN, root_is_defined)
    g.intro()
    p, q, w = P_ROW, Q_ROW, "W[p,j(p)]"
    wt = "(A(t) @ B(t))[p,j(p)]"
    f = g.by_fact("antiderivative", f"lam t:R. {wt} - {w}")
    g.obtain(f, "r")
    product = g.lemma(DEF, "part:product", *SOLUTION_NAMES, by=[None, None, None, flow_again, None, None, rate_again])
    half = half_square(g, "-", "p", "j(p)")
    sign = g.have(f"{p} - {q}/2 <= 0", lambda k: k.pos([f"@{half}"]))
    plus = half_square(g, "+", "p", "j(p)")
    nonzero, either = g.split(named(g, lambda f: f[0] == "and" and f[1][0] == "!="))
    positive = g.have(f"0 < {p} + {q}/2", lambda k: strictly(k, plus, nonzero))
    scalar = g.lemma("shin2025.proof-step-rbar-root", "part:scalar")

    def at_time(k: Goal) -> None:
        k.intro()
        h = k.apply(product, "t")
        quadratic = lambda z: z.field((h, "-2*exp(2*r(t))"))  # noqa: E731
        m = k.apply(scalar, p, q, wt, "r(t)", by=[quadratic, lambda z: z.close_by(sign), lambda z: z.close_by(positive)])
        k.close_by(k.split(m)[2])

    inverse = rbar("p", "j(p)").replace(w, wt)
    along = g.have(f"all t:R. 0 <= t => r(t) = {inverse}", at_time)
    limit = g.apply(named(g, lambda f: is_all(f, "k") and f[2][2][0] == "tends"), "p")

    def admissible(k: Goal) -> None:
        def equal(z: Goal) -> None:
            """P = Q/2: then w(t) = (P + Q/2)/(2 u) > 0, so that the limit is not negative."""

            def above(c: Goal) -> None:
                c.intro()
                t = last(c)
                h = c.apply(product, t)
                c.pos([f"{p} + {q}/2", f"1/(2*exp(2*r({t})))"], eqs=[(h, "1"), ("same", f"exp(2*r({t}))/2 ")])

            zero = z.fact("tends_const", 0)
            h = z.by_fact(
                "tends_le",
                0,
                0,
                w,
                "lam t:R. 0",
                f"lam t:R. {wt}",
                by=[above, lambda c: c.close_by(zero), lambda c: c.close_by(limit)],
            )
            other = z.have(
                f"{w} != 0",
                lambda c: c.cases(either, lambda x: x.clash("same", "case"), lambda x: x.close_by("case"), name="case"),
            )
            z.left_or_right(1)
            z.less_or_equal(
                f"0 <= {w}", None, lambda c: c.clash(c.have(f"{w} = 0", lambda x: x.field((list(x.seq.hyps)[-1], "-1"))), other)
            )
            del h

        k.em(f"{p} - {q}/2 = 0", equal, lambda z: (z.left_or_right(0), z.auto()), name="same")

    good = g.have(f"{p} - {q}/2 != 0 or 0 < {w}", admissible)
    g.split(g.apply(dom, p, q, w, by=[lambda k: k.close_by(sign), lambda k: k.close_by(positive), lambda k: k.close_by(good)]))
    rotated = solution(g)

    def tends(k: Goal, closed: str, part_: int) -> None:
        """closed: the closed form in r."""
        as_function = closed.replace("r(t)", rbar("p", "j(p)").replace(w, "z"))
        c = k.by_fact("tends_compose", w, f"lam t:R. {wt}", f"lam z:R. {as_function}", by=[lambda z: z.close_by(limit), None])

        def same(z: Goal) -> None:
            z.intro()
            h = z.split(z.apply(rotated, last(z), "q"))[part_]
            z.rewrite(h)
            z.rewrite(z.apply(along, last(z)))
            z.refl()

        f = k.concl[2]
        body = k.hyp_formula(c)[2]
        e = k.by_fact(
            "tends_ext",
            0,
            k.hyp_formula(c)[3],
            ("lam", ((k.hyp_formula(c)[1], "R"),), body),
            ("lam", ((k.concl[1], "R"),), f),
            by=[same, lambda z: z.close_by(c)],
        )
        k.close_by(e)

    g.conj(lambda k: tends(k, entry_a("p", "q", "j(p)", "r(t)"), 0), lambda k: tends(k, partner("q", "j(p)", "p", "r(t)"), 1))


def strictly(g: Goal, nonneg: str, nonzero: str) -> None:
    """0 < x from 0 <= x (in another form) and x != 0."""
    x = g.concl[2]
    h = g.have(("<=", 0, x), lambda k: k.pos([f"@{nonneg}"]))
    g.less_or_equal(
        g.hyp_formula(h), None, lambda k: k.clash(k.have(("=", x, 0), lambda z: z.field((list(z.seq.hyps)[-1], "-1"))), nonzero)
    )
