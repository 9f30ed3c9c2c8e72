"""Appendix A.4: the linearised flow near a saddle, its solution, and the dominance of the top eigenvectors."""

from __future__ import annotations

from proofs.bai2024.landscape import BINARY, CRITICAL, PLAIN, SLOPE, loss
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.registry import amendment, holds, part, refuted, undecided

FLOW = "(all t:R. 0 <= t => x'(t) = H @ (x(t) - c)) => x(0) = x0 =>"
"""The linearised flow at c from x0."""
VARIABLES = "all n:Z, H:M(n,n), c x0:V(n), x:R~>V(n)."
EXPONENTIAL = "X:R~>M(n,n). X(0) = I(n) => (all t:R. 0 <= t => X'(t) = H @ X(t)) =>"
"""X(t) = exp(t H), by its differential equation."""
BASIS = "Q D:M(n,n), l:Z->R. T(Q) @ Q = I(n) => H @ Q = Q @ D => (all i j:Z. i != j => D[i,j] = 0) => (all i:Z. D[i,i] = l(i)) =>"
"""The columns of Q are orthonormal eigenvectors of H for the eigenvalues l(1), ..., l(n)."""
MIXED = loss("A + r*E + s*G", "B + r*F + s*K")
SWAPPED = loss("A + r*G + s*E", "B + r*K + s*F")


@holds(
    "bai2024.eq-16",
    f"""all d:Z, P M A B E F G K:M(d,d). {BINARY} => {CRITICAL} => ex y z:R. all u:R.
       -({SLOPE}) = -u*D(r, D(s, {MIXED}, 0), 0) + u^2*(y + u*z)""",
    argument="sound",
    reading="tested with every direction (G, K): at theta_c + u (E, F) the field is that of the linearised flow up to terms of order u^2",
    uses=["bai2024.eq-15"],
)
def linear_part_of_the_field(g: Goal) -> None:
    """The expansion (15), whose first term vanishes at a critical point."""
    g.fix()
    g.assume()
    critical = g.assume()
    h = g.lemma("bai2024.eq-15", "statement", *"dPMABEFGK")
    (k,) = g.obtain(h, "y", "z", split=False)
    zero = g.apply(critical, "G", "K")
    g.witness("y", "z")
    g.fix("u")
    e = g.apply(k, "u")
    flat = g.have(f"D(s, {PLAIN}, 0) = 0", lambda g: g.field((zero, 1)))
    g.field((e, 1), (flat, -1))


@holds(
    "bai2024.eq-17",
    f"{VARIABLES} {FLOW} all {EXPONENTIAL} all t:R. 0 <= t => x(t) = X(t) @ (x0 - c) + c",
    argument="sound",
    reading="X(t) = exp(t H) is the solution of X' = H X with X(0) = I",
)
def solution_of_the_linear_flow(g: Goal) -> None:
    """The difference of both sides obeys the linear equation and starts from 0."""
    g.fix()
    law, start = g.assume(), g.assume()
    g.fix("X")
    unit, grows = g.assume(), g.assume()
    k = g.fact("linear_system_zero", "n", "lam t:R. x(t) - c - X(t) @ (x0 - c)", "lam t:R. H")

    def slope(g: Goal) -> None:
        g.fix("t")
        g.assume()
        a, b = g.apply(law, "t"), g.apply(grows, "t")
        g.nc((a, 1, None, None), (b, -1, None, "x0 - c"))

    def begin(g: Goal) -> None:
        g.nc((start, 1, None, None), (unit, -1, None, "x0 - c"))

    still = g.apply(k, by=[None, slope, begin])
    g.fix("t")
    g.assume()
    z = g.apply(still, "t")
    g.nc((z, 1, None, None))


@holds(
    "bai2024.eq-18",
    f"""(all d:Z, P M A B E F G K:M(d,d). D(r, D(s, {MIXED}, 0), 0) = D(r, D(s, {SWAPPED}, 0), 0)) and
       (all n:Z, H:M(n,n). T(H) = H => ex Q D:M(n,n). T(Q) @ Q = I(n) and Q @ T(Q) = I(n) and (all i j:Z. i != j => D[i,j] = 0) and
         H = Q @ D @ T(Q))""",
    argument="sound",
    reading="the second derivatives of the loss are symmetric in the two directions, and a symmetric matrix (of size n = 2 d^2) is Q Lambda Q^T",
)
def spectral_decomposition(g: Goal) -> None:
    """Mixed derivatives commute; the spectral theorem."""

    def symmetric(g: Goal) -> None:
        g.fix()
        g.field()

    def spectral(g: Goal) -> None:
        g.fix()
        h = g.assume()
        u, off = g.obtain(
            g.by_fact(
                "simultaneous_diagonalisation",
                "n",
                "H",
                "H",
                by=[lambda g: g.close_by(h), lambda g: g.close_by(h), lambda g: g.refl()],
            ),
            "U",
        )
        both = g.split(g.by_fact("inv_unique", "n", "T(U)", "U", by=[lambda g: g.close_by(u)]))
        right = both[1]
        g.witness("U", "T(U) @ H @ U")

        def zero(g: Goal) -> None:
            g.fix("i", "j")
            ne = g.assume()
            k = g.apply(off, "i", "j", by=[lambda g: g.close_by(ne)])
            g.close_by(g.split(k)[0])

        g.conj(
            lambda g: g.close_by(u),
            lambda g: g.close_by(right),
            zero,
            lambda g: g.nc((right, -1, None, "H"), (right, -1, "U @ T(U) @ H", None)),
        )

    g.conj(symmetric, spectral)


COORDINATES = "(T(Q) @ (x(t) - c))[i,1] = exp(l(i)*t)*(T(Q) @ (x0 - c))[i,1]"


@part(
    "bai2024.eq-21",
    "coordinates",
    f"""{VARIABLES} {FLOW} T(H) = H => all {BASIS} all t:R, i:Z. 0 <= t and 1 <= i and i <= n => {COORDINATES}""",
    says="each coordinate in the eigenbasis grows with its eigenvalue",
)
def coordinates_grow_separately(g: Goal) -> None:
    """The coordinates obey scalar linear equations."""
    g.fix()
    law, start, symmetric = g.assume(), g.assume(), g.assume()
    g.fix("Q", "D", "l")
    _, eigen, off, values = (g.assume() for _ in range(4))
    g.fix("t", "i")
    g.split(g.assume())
    k = g.fact("linear_ode", 0, "lam s:R. (T(Q) @ (x(s) - c))[i,1]", "lam s:R. l(i)*s")
    turned = g.have("T(H @ Q) = T(Q @ D)", lambda g: (g.rewrite(eigen), g.refl())[-1])

    def symmetric_d(g: Goal) -> None:
        g.extn("a", "b")

        def same(g: Goal) -> None:
            g.rewrite(last(g))
            g.field()

        def differ(g: Goal) -> None:
            ne = last(g)

            def back(g: Goal) -> None:
                eq = g.contra()
                k = g.have("a = b", lambda g: g.field((eq, -1)))
                g.clash(k, ne)

            g.have("b != a", back)
            one, two = g.apply(off, "a", "b"), g.apply(off, "b", "a")
            g.field((two, 1), (one, -1))

        g.em("a = b", same, differ)

    td = g.have("T(D) = D", symmetric_d)

    def slope(g: Goal) -> None:
        g.fix("s")
        g.assume()
        a = g.apply(law, "s")
        moved = g.have(
            "T(Q) @ (H @ (x(s) - c)) = D @ (T(Q) @ (x(s) - c))",
            lambda g: g.nc(
                (turned, 1, None, "x(s) - c"), (symmetric, -1, "T(Q)", "x(s) - c"), (td, 1, None, "T(Q) @ (x(s) - c)")
            ),
        )
        m = g.apply(g.fact("mm_entry", "n", "n", 1, "D", "T(Q) @ (x(s) - c)"), "i", "1")

        def others(g: Goal) -> None:
            g.fix("q")
            g.split(g.assume())
            ne = g.assume()

            def back(g: Goal) -> None:
                eq = g.contra()
                k = g.have("q = i", lambda g: g.field((eq, -1)))
                g.clash(k, ne)

            g.have("i != q", back)
            z = g.apply(off, "i", "q")
            g.field((z, "(T(Q) @ (x(s) - c))[q,1]"))

        d = g.by_fact("sum_delta", 1, "n", "i", "lam q:Z. D[i,q]*(T(Q) @ (x(s) - c))[q,1]", by=[None, None, others])
        v = g.apply(values, "i")
        whole = g.have(
            "(T(Q) @ x'(s))[i,1] = (D @ (T(Q) @ (x(s) - c)))[i,1]", lambda g: (g.rewrite(a), g.rewrite(moved), g.refl())[-1]
        )
        g.field((whole, 1), (m, 1), (d, 1), (v, "(T(Q) @ (x(s) - c))[i,1]"))

    h = g.apply(g.apply(k, by=[None, slope], n=2), "t")
    begin = g.have("(T(Q) @ (x(0) - c))[i,1] = (T(Q) @ (x0 - c))[i,1]", lambda g: (g.rewrite(start), g.refl())[-1])
    g.field((h, 1), (begin, "exp(l(i)*t)"))


@holds(
    "bai2024.eq-21",
    f"""{VARIABLES} {FLOW} T(H) = H => all {BASIS} all t:R, a:Z. 0 <= t and 1 <= a and a <= n =>
       x(t)[a,1] = sum(i, 1, n, exp(l(i)*t)*(T(Q) @ (x0 - c))[i,1]*Q[a,i]) + c[a,1]""",
    argument="sound",
    reading="the eigenvectors are the columns of Q, listed with their multiplicities, and l(i) their eigenvalues",
)
def expansion_in_eigenvectors(g: Goal) -> None:
    """x - c = Q Q^T (x - c)."""
    g.fix()
    law, start, symmetric = g.assume(), g.assume(), g.assume()
    g.fix("Q", "D", "l")
    basis = [g.assume() for _ in range(4)]
    right = g.split(g.by_fact("inv_unique", "n", "T(Q)", "Q", by=[lambda g: g.close_by(basis[0])]))[1]
    g.fix("t", "a")
    g.split(g.assume())
    known = [lambda g, h=h: g.close_by(h) for h in (law, start, symmetric)]
    h = g.lemma("bai2024.eq-21", "part:coordinates", *("n", "H", "c", "x0", "x"), by=known)
    h = g.apply(h, "Q", "D", "l", by=[lambda g, h=h: g.close_by(h) for h in basis])
    whole = g.have("x(t) - c = Q @ (T(Q) @ (x(t) - c))", lambda g: g.nc((right, -1, None, "x(t) - c")))
    m = g.apply(g.fact("mm_entry", "n", "n", 1, "Q", "T(Q) @ (x(t) - c)"), "a", "1")

    def term(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        k = g.apply(h, "t", "i")
        g.field((k, "Q[a,i]"))

    s = g.by_fact(
        "sum_ext",
        1,
        "n",
        "lam i:Z. Q[a,i]*(T(Q) @ (x(t) - c))[i,1]",
        "lam i:Z. exp(l(i)*t)*(T(Q) @ (x0 - c))[i,1]*Q[a,i]",
        by=[term],
    )
    e = g.have("(x(t) - c)[a,1] = (Q @ (T(Q) @ (x(t) - c)))[a,1]", lambda g: g.ctx(lambda g: g.close_by(whole)))
    g.field((e, 1), (m, 1), (s, 1))


@refuted(
    "bai2024.prop-a5-solution-remark",
    f"{VARIABLES} {FLOW} all {EXPONENTIAL} all t:R. 0 <= t => x(t) = X(t) @ x0",
    argument="fails",
    reading="the formula for the solution; X(t) = exp(t H)",
    reason="the saddle is left out: for n = 1, H = 1, theta_c = 1 and theta(0) = 1 the solution is 1 and not exp(t)",
)
def shift_is_missing(g: Goal) -> None:
    """The constant solution 1."""
    one = "[[1]]"
    g.witness("1", one, one, one, f"lam t:R. {one}")

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "ex" and c[1][0][0] == "X":
            g.witness("lam t:R. [[exp(t)]]")
            close(g)
        elif c[0] == "ex":
            g.witness("1")
            g.conj(None, differ)
        elif c[0] == "all":
            g.fix("t")
            g.assume()
            g.ext(lambda g: g.field())
        else:
            g.ext(lambda g: g.field())

    def differ(g: Goal) -> None:
        eq = g.contra()
        left, right = g.hyp_formula(eq)[1:]
        k = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: g.ctx(lambda g: g.close_by(eq)))
        e = g.fact("exp_convex", "1")
        g.pos([f"@{e}"], [], eqs=[(k, 1)])

    close(g)


@amendment(
    "bai2024.prop-a5-solution-remark",
    f"{VARIABLES} {FLOW} all {EXPONENTIAL} all t:R. 0 <= t => x(t) = X(t) @ (x0 - c) + c",
    says="theta(t) - theta_c = exp(H t) (theta(0) - theta_c), as in (17).",
    uses=["bai2024.eq-17"],
)
def solution_with_the_shift(g: Goal) -> None:
    """Equation (17)."""
    g.close_by(g.lemma("bai2024.eq-17", "statement"))


ILL = "a quotient of two vectors is not defined (entry by entry it would divide by 0 wherever a dominant eigenvector has an entry 0)"
TOP = """all k:Z, a b:R, w:V(n). 0 <= k => k <= n => b < a => (all i:Z. 1 <= i and i <= k => l(i) = a) =>
       (all i:Z. k < i and i <= n => l(i) <= b) =>
       (all i:Z. 1 <= i and i <= n => (i <= k => w[i,1] = (T(Q) @ (x0 - c))[i,1]) and (k < i => w[i,1] = 0)) =>"""
"""l(1), ..., l(k) are the largest eigenvalue a, the others at most b; Q w is the part of x0 - c in the top eigenspace."""
ERROR = "(x(t) - c - exp(a*t)*(Q @ w))"
SQUARED = f"tr(T({ERROR}) @ {ERROR})"
REST = "sum(i, k + 1, n, (T(Q) @ (x0 - c))[i,1]^2)"
MAIN = "tr(T(exp(a*t)*(Q @ w)) @ (exp(a*t)*(Q @ w)))"
PREFIX = f"{VARIABLES} {FLOW} T(H) = H => all {BASIS} {TOP}"

for claim, what in (
    ("bai2024.prop-a5", "the quotient (20)"),
    ("bai2024.eq-22-equality", "both quotients"),
    ("bai2024.eq-22-inequalities", "each of the quotients"),
    ("bai2024.eq-23", "each quotient in the constant C"),
):
    undecided(claim, outcome="ill-formed", reason=f"{ILL}; to be read as a quotient of norms: {what}", argument="sound")


def prefix(g: Goal) -> list[str]:
    """Fix and assume all of PREFIX; returns the names of the hypotheses."""
    g.fix()
    names = [g.assume() for _ in range(3)]
    g.fix("Q", "D", "l")
    names += [g.assume() for _ in range(4)]
    g.fix("k", "a", "b", "w")
    return names + [g.assume() for _ in range(6)]


@amendment(
    "bai2024.eq-22-equality",
    f"{PREFIX} all t:R. 0 <= t => {SQUARED} = sum(i, k + 1, n, (exp(l(i)*t)*(T(Q) @ (x0 - c))[i,1])^2)",
    says="The squared distance from the dominant part is the sum of the squares of the other terms.",
    uses=["bai2024.eq-21"],
)
def distance_from_the_dominant_part(g: Goal) -> None:
    """In the eigenbasis the dominant coordinates cancel."""
    names = prefix(g)
    basis, high, top, parts = names[3:7], names[8], names[10], names[12]
    right = g.split(g.by_fact("inv_unique", "n", "T(Q)", "Q", by=[lambda g: g.close_by(basis[0])]))[1]
    known = [lambda g, h=h: g.close_by(h) for h in names[:3]]
    h = g.lemma("bai2024.eq-21", "part:coordinates", *("n", "H", "c", "x0", "x"), by=known)
    h = g.apply(h, "Q", "D", "l", by=[lambda g, h=h: g.close_by(h) for h in basis])
    g.fix("t")
    g.assume()
    z = "T(Q) @ (x(t) - c) - exp(a*t)*w"
    (z_is,) = g.obtain(g.have(f"ex z:V(n). z = {z}", lambda g: (g.witness(z), g.refl())[-1]), "z", split=False)
    e = g.have(f"{ERROR} = Q @ z", lambda g: g.nc((z_is, -1, "Q", None), (right, -1, None, "x(t) - c")))
    t = g.fact("tr_entries", 1, "T(z) @ z")
    norm = g.have(
        "tr(T(Q @ z) @ (Q @ z)) = tr(T(z) @ z)",
        lambda g: (g.replace("T(Q @ z) @ (Q @ z)", "T(z) @ z", lambda g: g.nc((basis[0], 1, "T(z)", "z"))), g.refl())[-1],
    )
    whole = g.have(f"{SQUARED} = sum(i, 1, n, z[i,1]^2)", lambda g: (g.rewrite(e), g.field((norm, 1), (t, 1)))[-1])
    split = g.by_fact("sum_split", 1, "k", "n", "lam i:Z. z[i,1]^2", by=[None, lambda g: g.close_by(high)])

    def entry(g: Goal) -> str:
        k = g.apply(h, "t", "i")
        v = g.have(f"z[i,1] = ({z})[i,1]", lambda g: (g.rewrite(z_is), g.refl())[-1])
        return g.have("z[i,1] = exp(l(i)*t)*(T(Q) @ (x0 - c))[i,1] - exp(a*t)*w[i,1]", lambda g: g.field((v, 1), (k, 1)))

    def small(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        g.have("i <= n", lambda g: g.nlin(products=1))
        v = entry(g)
        one, _ = g.split(g.apply(parts, "i"))
        p = g.apply(one)
        q = g.apply(top, "i")
        same = g.have("exp(l(i)*t) = exp(a*t)", lambda g: (g.rewrite(q), g.refl())[-1])
        zero = g.have("z[i,1] = 0", lambda g: g.field((v, 1), (p, "-exp(a*t)"), (same, "(T(Q) @ (x0 - c))[i,1]")))
        g.field((zero, "z[i,1]"))

    def large(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        g.have("1 <= i", lambda g: g.nlin(products=1))
        g.have("k < i", lambda g: g.nlin(products=1))
        v = entry(g)
        _, two = g.split(g.apply(parts, "i"))
        p = g.apply(two)
        zero = g.have("z[i,1] = exp(l(i)*t)*(T(Q) @ (x0 - c))[i,1]", lambda g: g.field((v, 1), (p, "-exp(a*t)")))
        g.rewrite(zero)
        g.refl()

    one = g.by_fact("sum_ext", 1, "k", "lam i:Z. z[i,1]^2", "lam i:Z. 0", by=[small])
    two = g.by_fact("sum_ext", "k + 1", "n", "lam i:Z. z[i,1]^2", "lam i:Z. (exp(l(i)*t)*(T(Q) @ (x0 - c))[i,1])^2", by=[large])

    g.field((whole, 1), (split, 1), (one, 1), (two, 1))


def squared_distance(g: Goal, names: list[str], role: str = "bai2024.eq-22-equality") -> str:
    """The amended statement of an earlier claim for the same data, for all t."""
    h = g.lemma(role, "amendment", *("n", "H", "c", "x0", "x"), by=[lambda g, h=h: g.close_by(h) for h in names[:3]])
    h = g.apply(h, "Q", "D", "l", by=[lambda g, h=h: g.close_by(h) for h in names[3:7]], n=4)
    return g.apply(h, "k", "a", "b", "w", by=[lambda g, h=h: g.close_by(h) for h in names[7:13]], n=6)


@amendment(
    "bai2024.eq-22-inequalities",
    f"{PREFIX} all t:R. 0 <= t => {SQUARED} <= exp(2*b*t)*{REST}",
    says="The squared distance from the dominant part is at most exp(2 lambda_2 t) times the squares of the other coordinates.",
    uses=["bai2024.eq-22-equality"],
)
def distance_grows_with_the_second_eigenvalue(g: Goal) -> None:
    """Term by term."""
    names = prefix(g)
    h = squared_distance(g, names)
    g.fix("t")
    now = g.assume()
    k = g.apply(h, "t", by=[lambda g: g.close_by(now)])

    def term(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        g.have("k < i", lambda g: g.nlin(products=1))
        less = g.apply(names[11], "i")
        m = g.by_fact("exp_mono", "2*(l(i)*t)", "2*b*t", by=[lambda g: g.pos([2, f"@{less}", f"@{now}"])])
        square = g.have("exp(l(i)*t)^2 = exp(2*(l(i)*t))", lambda g: g.field())
        y = "(T(Q) @ (x0 - c))[i,1]"
        g.pos([f"@{m}", f"{y}^2"], eqs=[(square, f"-{y}^2")])

    s = g.by_fact(
        "sum_mono",
        "k + 1",
        "n",
        "lam i:Z. (exp(l(i)*t)*(T(Q) @ (x0 - c))[i,1])^2",
        "lam i:Z. exp(2*b*t)*(T(Q) @ (x0 - c))[i,1]^2",
        by=[term],
    )
    g.pos([f"@{s}"], eqs=[(k, -1)])


@amendment(
    "bai2024.eq-23",
    f"""{PREFIX} w != O(n,1) => all e q:R. 0 < e => 0 < q => {REST} <= q^2*tr(T(Q @ w) @ (Q @ w)) =>
       all t:R. 0 <= t => log(q/e)/(a - b) < t => {SQUARED} < e^2*{MAIN}""",
    says="With t_0 = log(C/epsilon)/(lambda_1 - lambda_2), C at least the quotient of the norms of the other part and of the dominant part.",
    uses=["bai2024.eq-22-inequalities"],
)
def explicit_time_of_alignment(g: Goal) -> None:
    """exp((a - b) t) > q/e after t_0, so exp(b t) q < e exp(a t)."""
    names = prefix(g)
    nonzero = g.assume()
    g.fix("e", "q")
    g.assume()
    g.assume()
    bound = g.assume()
    h = squared_distance(g, names, "bai2024.eq-22-inequalities")
    g.fix("t")
    now, later = g.assume(), g.assume()
    k = g.apply(h, "t", by=[lambda g: g.close_by(now)])
    gap = g.have("0 < a - b", lambda g: g.pos([f"@{names[9]}"]))
    g.have("0 < q/e", lambda g: g.pos(["q/e"]))
    time = g.have("log(q/e) < (a - b)*t", lambda g: g.pos([f"@{later}", f"@{gap}"]))
    grown = g.by_fact("exp_strict", "log(q/e)", "(a - b)*t", by=[lambda g: g.close_by(time)])
    ratio = g.by_fact("exp_log", "q/e")
    over = g.have("q*exp(b*t) < e*exp(a*t)", lambda g: g.pos([f"@{grown}", "e", "exp(b*t)"], eqs=[(ratio, "e*exp(b*t)")]))
    square = g.have("q^2*exp(2*b*t) < e^2*exp(2*a*t)", lambda g: g.pos([f"@{over}", "q*exp(b*t) + e*exp(a*t)"]))
    unit = names[3]
    size = "tr(T(Q @ w) @ (Q @ w))"

    def positive(g: Goal) -> None:
        g.contra("low")
        zero = g.have(f"{size} = 0", lambda g: g.antisym(lambda g: g.close_by("low"), lambda g: g.pos([size])))
        v = g.by_fact("frobenius_zero", "n", 1, "Q @ w", by=[lambda g: g.close_by(zero)])
        g.clash(g.have("w = O(n,1)", lambda g: g.nc((unit, -1, None, "w"), (v, 1, "T(Q)", None))), nonzero)

    large = g.have(f"0 < {size}", positive)
    value = g.have(f"{MAIN} = exp(2*a*t)*{size}", lambda g: g.field())

    g.rewrite(value)
    g.pos([f"@{k}"], [f"@{bound}", "exp(2*b*t)"], [f"@{square}", f"@{large}"])


@amendment(
    "bai2024.prop-a5",
    f"{PREFIX} w != O(n,1) => all e:R. 0 < e => ex r:R. 0 < r and all t:R. r <= t => {SQUARED} < e^2*{MAIN}",
    says="From some time on the distance from the dominant part is less than epsilon times its norm.",
    uses=["bai2024.eq-23"],
)
def dominant_part_prevails(g: Goal) -> None:
    """The explicit time, with a C that is large enough."""
    names = prefix(g)
    nonzero = g.assume()
    g.fix("e")
    small = g.assume()
    size = "tr(T(Q @ w) @ (Q @ w))"
    unit = names[3]

    def positive(g: Goal) -> None:
        g.contra("low")
        zero = g.have(f"{size} = 0", lambda g: g.antisym(lambda g: g.close_by("low"), lambda g: g.pos([size])))
        v = g.by_fact("frobenius_zero", "n", 1, "Q @ w", by=[lambda g: g.close_by(zero)])
        g.clash(g.have("w = O(n,1)", lambda g: g.nc((unit, -1, None, "w"), (v, 1, "T(Q)", None))), nonzero)

    large = g.have(f"0 < {size}", positive)
    rest = g.by_fact(
        "sum_nonneg", "k + 1", "n", "lam i:Z. (T(Q) @ (x0 - c))[i,1]^2", by=[lambda g: (g.fix("i"), g.assume(), g.auto())[-1]]
    )
    (q,) = g.obtain(
        g.have(f"ex q:R. q*{size} = {REST} + {size}", lambda g: (g.witness(f"({REST} + {size})/{size}"), g.field())[-1]),
        "q",
        split=False,
    )
    one = g.have("1 <= q", lambda g: g.pos([f"@{rest}"], mul=[f"@{large}"], eqs=[(q, 1)]))
    bound = g.have(f"{REST} <= q^2*{size}", lambda g: g.pos([f"@{one}", "q", f"@{large}"], [f"@{large}"], eqs=[(q, 1)]))
    h = squared_distance(g, [*names, nonzero], "bai2024.eq-23")
    h = g.apply(h, by=[lambda g: g.close_by(nonzero)], n=1)
    h = g.apply(h, "e", "q", by=[lambda g: g.close_by(small), None, lambda g: g.close_by(bound)], n=3)
    time = "log(q/e)/(a - b)"
    g.witness(f"abs({time}) + 1")

    def later(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        own = g.split(g.apply(g.split(g.fact("abs_le", time, f"abs({time})"))[0], by=[lambda g: g.refl()]))[1]
        g.close_by(
            g.apply(
                h,
                "t",
                by=[
                    lambda g: g.pos([f"@{now}"], [f"abs({time})"], ["1"]),
                    lambda g: g.pos([f"@{now}"], [f"@{own}"], ["1"]),
                ],
            )
        )

    g.conj(lambda g: g.pos([f"abs({time})"], ["1"]), later)
