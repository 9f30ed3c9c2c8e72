"""Section 3 and Appendices A, I: closures of sets of matrices and of layers."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import LEADING, nonempty, unit_trace
from proofs.eftekhari2022.excess_loss import stable
from proofs.eftekhari2022.global_convergence import start_of
from proofs.eftekhari2022.invariant_sets import ALIGNED, LARGE, member
from proofs.eftekhari2022.limits_of_the_flow import STATED
from proofs.eftekhari2022.product_map import CLAIM as CORNER
from proofs.eftekhari2022.product_map import corner
from proofs.eftekhari2022.rank_one_numbers import GAP, TOP
from proofs.eftekhari2022.theorem_twenty import GAMMA, INNER, PADDING
from proofs.razin2020.scripts import using
from proofs.varre2023.matrix_limits import CLAIM as LIMITS
from verify.kernel import Goal
from verify.registry import holds, part

CLOSURE = "eftekhari2022.assertion-closure-rank-r"
SINGULAR = "eftekhari2022.lemma-11"


def size(m: str) -> str:
    """The squared Frobenius norm."""
    return f"tr(T({m}) @ ({m}))"


@part(
    CLOSURE,
    "closed",
    f"""all m n r:Z, X:M(m,n). 0 <= m => 1 <= n => 0 <= r => (all e:R. 0 < e => ex Y:M(m,n). rank(Y) <= r and {size("X - Y")} <= e) => rank(X) <= r""",
    says="limits of matrices of rank at most r have rank at most r",
    uses=[SINGULAR],
)
def low_rank_is_closed(g: Goal) -> None:
    """Otherwise the singular value r + 1 is positive, and no matrix of rank at most r is nearer (Eckart and Young)."""
    g.fix()
    _, n1, _, near = (g.assume() for _ in range(4))
    g.have("0 <= n", lambda g: g.pos([f"@{n1}"], [1]))
    larger = g.contra()
    more = g.by_fact("int_lt", "r", "rank(X)", by=[using(larger)])
    _, some = g.split(g.lemma(SINGULAR, "part:rank-by-singular-values", "n", "m", "X"))
    top = g.split(g.by_fact("rank_bounds", "m", "n", "X"))[2]
    value = g.apply(some, "r + 1")
    bound = g.split(g.by_fact("eckart_young", "m", "n", "r", "X"))[1]
    low, close = g.obtain(g.apply(near, "sv(X,r+1)^2/2"), "Y")
    k = g.apply(bound, "Y", by=[using(low)])
    terms = g.by_fact("sum_term_le", "r + 1", "n", "lam i:Z. sv(X,i)^2")
    term = g.apply(terms, "r + 1", by=[lambda g: g.conj(None, lambda g: g.pos([f"@{more}"], [f"@{top}"]))])
    g.have("0 < sv(X,r+1)", using(value))
    g.pos([f"@{k}"], [f"@{term}"], [f"@{close}"], ["1/2", "sv(X,r+1)^2"])


DENSE = f"""all m n r:Z, X:M(m,n). 0 <= m => 0 <= n => 0 <= r => r <= m => r <= n => rank(X) <= r => all e:R. 0 < e =>
       ex Y:M(m,n). rank(Y) = r and {size("X - Y")} <= e"""


@part(CLOSURE, "dense", DENSE, says="near every matrix of rank at most r there is one of rank r", uses=[CORNER])
def rank_r_is_dense(g: Goal) -> None:
    """X = A B; on the line from (A, B) to the embeddings (J, K^T) the determinant of J^T Y K is a polynomial that is 1 at the end."""
    g.fix()
    m0, n0, r0, rm, rn, rank = (g.assume() for _ in range(6))
    g.fix("e")
    g.assume()
    (x,) = g.obtain(g.by_fact("rank_factor", "m", "n", "r", "X", by=[using(r0), using(rank)]), "A", "B", split=False)
    jj = corner(g, "m", "r", "J", r0, rm)[0]
    kk = corner(g, "n", "r", "K", r0, rn)[0]
    y = "(A + {t}*(J - A)) @ (B + {t}*(T(K) - B))"
    minor = "T(J) @ " + y + " @ K"
    a, b, c = "(T(J) @ A @ B @ K)", "(T(J) @ ((J - A) @ B + A @ (T(K) - B)) @ K)", "(T(J) @ (J - A) @ (T(K) - B) @ K)"

    def entries(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        g.witness("2", f"lam k:Z. (1-k)*(2-k)/2*{a}[i,j] + k*(2-k)*{b}[i,j] + k*(k-1)/2*{c}[i,j]")
        g.fix("t")
        whole = g.have(f"{minor.format(t='t')} = {a} + t*{b} + t^2*{c}", lambda g: g.nc())
        g.rewrite(whole)
        g.field()

    (terms,) = g.obtain(g.by_fact("det_polynomial", "r", f"lam t:R. {minor.format(t='t')}", by=[entries]), "q", "c", split=False)

    def somewhere(g: Goal) -> None:
        g.witness("1")
        k = g.apply(terms, "1")
        end = g.have(f"{minor.format(t='1')} = I(r)", lambda g: g.nc((jj, 1, None, "T(K) @ K"), (kk, 1, None, None)))
        one = g.have(
            f"det({minor.format(t='1')}) = 1", lambda g: (g.rewrite(end), g.rewrite(g.fact("det_identity", "r")), g.refl())[-1]
        )
        eq = g.contra()
        g.pos([1], eqs=[(k, -1), (one, 1), (eq, -1)])

    first, second = "((J - A) @ B + A @ (T(K) - B))", "((J - A) @ (T(K) - B))"
    bound = f"(2*{size(first)} + 2*{size(second)})"
    step = f"e/(e + 1 + {bound})"
    g.have(f"0 <= {bound}")
    near = g.by_fact("polynomial_nonzero_near", "q", "lam k:Z. c(k)", by=[somewhere])
    below, above, nonzero = g.obtain(g.apply(near, "0", step, by=[lambda g: g.pos([step])]), "t")
    room = g.have(f"t*(e + 1 + {bound}) < e", lambda g: g.pos([f"@{above}", f"e + 1 + {bound}"]))
    one = g.have("t < 1", lambda g: g.pos([f"@{room}"], [f"@{below}"], [f"@{below}", bound], mul=["e"]))
    here = y.format(t="t")
    g.witness(here)

    def full(g: Goal) -> None:
        k = g.apply(terms, "t")

        def det(g: Goal) -> None:
            eq = g.contra()
            g.clash(g.have("sum(k, 0, q, c(k)*t^k) = 0", lambda g: g.field((k, -1), (eq, 1))), nonzero)

        regular = g.have(f"det({minor.format(t='t')}) != 0", det)
        whole = g.apply(g.split(g.by_fact("rank_full", "r", minor.format(t="t"), by=[using(r0)]))[1], by=[using(regular)])
        left = g.split(g.fact("rank_product", "r", "m", "r", "T(J)", f"{here} @ K"))[1]
        left = g.rewritten(left, g.have(("=", g.hyp_formula(left)[1][2], g.term(minor.format(t="t"))), lambda g: g.nc()))
        right = g.split(g.fact("rank_product", "m", "n", "r", here, "K"))[0]
        right = g.rewritten(right, g.have(("=", g.hyp_formula(right)[1][2], g.hyp_formula(left)[2][2]), lambda g: g.nc()))
        most = g.split(g.fact("rank_product", "m", "r", "n", "A + t*(J - A)", "B + t*(T(K) - B)"))[0]
        inner = g.split(g.by_fact("rank_bounds", "m", "r", "A + t*(J - A)"))[2]
        g.antisym(lambda g: g.pos([f"@{most}"], [f"@{inner}"]), lambda g: g.pos([f"@{left}"], [f"@{right}"], eqs=[(whole, 1)]))

    def close(g: Goal) -> None:
        moved = g.have(f"X - {here} = -t*{first} + -(t^2)*{second}", lambda g: g.nc((x, 1, None, None)))
        g.rewrite(moved)
        norm = f"{size(f'-t*{first} + -(t^2)*{second}')}"
        m1, m2 = size(first), size(second)
        other = size(f"{first} - t*{second}")
        value = g.have(f"{norm} = t^2*(2*{m1} + 2*t^2*{m2}) - t^2*{other}", lambda g: g.field())
        g.have("0 < t", using(below))
        g.pos(
            ["t^2", other],
            ["2", "t^2", m2, f"@{one}", "1 + t"],
            ["t", bound, f"@{one}"],
            [f"@{room}"],
            ["t", "e"],
            ["t"],
            eqs=[(value, -1)],
        )

    g.conj(full, close)


@holds(
    CLOSURE,
    f"""all m n r:Z, X:M(m,n). 0 <= m => 1 <= n => 0 <= r => r <= m => r <= n =>
       (rank(X) <= r <=> all e:R. 0 < e => ex Y:M(m,n). rank(Y) = r and {size("X - Y")} <= e)""",
    argument="sound",
    reading="X belongs to the closure of the matrices of rank r if and only if its rank is at most r; m = d_N and n = d_0. That the matrices of rank r are a manifold is the"
    " name of the set and not shown",
    uses=[CLOSURE],
)
def closure_of_the_matrices_of_rank_r(g: Goal) -> None:
    """Dense and closed."""
    g.fix()
    m0, n1, r0, rm, rn = (g.assume() for _ in range(5))
    n0 = g.have("0 <= n", lambda g: g.pos([f"@{n1}"], [1]))

    def dense(g: Goal) -> None:
        rank = g.assume()
        h = g.lemma(CLOSURE, "part:dense", "m", "n", "r", "X", by=[using(k) for k in (m0, n0, r0, rm, rn, rank)])
        g.close_by(h)

    def closed(g: Goal) -> None:
        near = g.assume()

        def low(g: Goal) -> None:
            g.fix("e")
            rank, close = g.obtain(g.apply(near, "e", by=[using(g.assume())]), "Y")
            g.witness("Y")
            g.conj(lambda g: g.pos(eqs=[(rank, -1)]), using(close))

        h = g.have(f"all e:R. 0 < e => ex Y:M(m,n). rank(Y) <= r and {size('X - Y')} <= e", low)
        g.close_by(g.lemma(CLOSURE, "part:closed", "m", "n", "r", "X", by=[using(k) for k in (m0, n1, r0, h)]))

    g.iff(dense, closed)


EQ = "eftekhari2022.eq-122"
LAYERS = f"""(all t:R. 0 <= t => Q(1,t) = A(t) and E(t) = B(t) @ Q(N-1,t)) => (all l:Z, t:R. {INNER} => 0 <= t => Q(l,t) = W(l,t) @ Q(l-1,t)) =>
       tends(t, A(t), C) => tends(t, B(t), F) => (all l:Z. {INNER} => tends(t, W(l,t), L(l))) =>
       R(1) = C => (all l:Z. {INNER} => R(l) = L(l) @ R(l-1)) =>"""
"""Layers and their products, for every t >= 0, and the limits C, L(l), F of the layers with their products R(l)."""
PATHS = "A:R->M(n,x), B:R->M(y,n), W:(Z,R)->M(n,n), Q:(Z,R)->M(n,x), E:R->M(y,x), C:M(n,x), F:M(y,n), L:Z->M(n,n), R:Z->M(n,x)"


@part(
    EQ,
    "products",
    f"all x y n N:Z, {PATHS}. 2 <= N => {LAYERS} tends(t, E(t), F @ R(N-1))",
    says="limits of products of layers are products of limits",
    uses=[LIMITS],
)
def limits_of_products(g: Goal) -> None:
    """Induction over the layers."""
    g.fix()
    deep, ends, steps, first, last, inner, start, law = (g.assume() for _ in range(8))

    def equal(g: Goal, shape: tuple[str, str], left: str, right: str, limit: str, h: str, pick: int) -> str:
        """The limit of `right` from that of `left`, which agree for t >= 0."""

        def same(g: Goal) -> None:
            g.fix("t")
            at = g.assume()
            k = g.split(g.apply(ends, "t", by=[using(at)]))[pick] if pick < 2 else g.apply(steps, "k", "t", by=[None, using(at)])
            g.nc((k, -1, None, None))

        return g.lemma(LIMITS, "part:equal-from-0", *shape, f"lam t:R. {left}", f"lam t:R. {right}", limit, by=[same, using(h)])

    def every(g: Goal) -> None:
        ih = g.induct("k")
        g.assume()

        def one(g: Goal) -> None:
            g.rewrite(g.have("k = 1", lambda g: g.field((next(reversed(g.seq.hyps)), -1))))
            g.rewrite(start)
            g.close_by(equal(g, ("n", "x"), "A(t)", "Q(1,t)", "C", first, 0))

        def more(g: Goal) -> None:
            g.by_fact("int_lt", "1", "k", by=[using(next(reversed(g.seq.hyps)))])
            before = g.apply(ih, "k - 1")
            g.have("2 <= k", lambda g: g.nlin(products=1))
            own = g.apply(inner, "k")
            both = ("lam t:R. W(k,t)", "lam t:R. Q(k-1,t)")
            k = g.by_fact("tends_matrix_mul", "n", "n", "x", "L(k)", "R(k-1)", *both, by=[using(own), using(before)])
            g.rewrite(g.apply(law, "k"))
            g.close_by(equal(g, ("n", "x"), "W(k,t) @ Q(k-1,t)", "Q(k,t)", "L(k) @ R(k-1)", k, 2))

        g.less_or_equal("1 <= k", more, one)

    h = g.have("all k:Z. 1 <= k => k <= N - 1 => tends(t, Q(k,t), R(k))", every)
    top = g.apply(h, "N - 1", by=[lambda g: g.pos([f"@{deep}"]), None])
    both = ("lam t:R. B(t)", "lam t:R. Q(N-1,t)")
    k = g.by_fact("tends_matrix_mul", "y", "n", "x", "F", "R(N-1)", *both, by=[using(last), using(top)])
    g.close_by(equal(g, ("y", "x"), "B(t) @ Q(N-1,t)", "E(t)", "F @ R(N-1)", k, 1))


@part(
    EQ,
    "distance",
    f"all m n:Z, E:R->M(m,n), V:M(m,n). tends(t, E(t), V) => tends(t, {size('V - E(t)')}, 0)",
    says="the distance from the limit tends to 0",
)
def distance_from_the_limit(g: Goal) -> None:
    """The squared norm is a trace of products."""
    g.fix()
    limit = g.assume()
    turned = g.by_fact(
        "tends_matrix_mul", "m", "n", "n", "V", "(-1)*I(n)", "lam t:R. E(t)", "lam t:R. (-1)*I(n)",
        by=[using(limit), lambda g: g.close_by(g.fact("tends_matrix_const", "n", "n", "(-1)*I(n)"))],
    )  # fmt: skip
    constant = g.fact("tends_matrix_const", "m", "n", "V")
    paths = ("lam t:R. V", "lam t:R. E(t) @ ((-1)*I(n))")
    gap = g.by_fact("tends_matrix_add", "m", "n", "V", "V @ ((-1)*I(n))", *paths, by=[using(constant), using(turned)])
    d = "(V + E(t) @ ((-1)*I(n)))"
    end = "(V + V @ ((-1)*I(n)))"
    back = g.by_fact("tends_matrix_transpose", "m", "n", end, f"lam t:R. {d}", by=[using(gap)])
    square = g.by_fact(
        "tends_matrix_mul", "n", "m", "n", f"T({end})", end, f"lam t:R. T({d})", f"lam t:R. {d}", by=[using(back), using(gap)]
    )
    trace = g.by_fact("tends_trace", "n", f"T({end}) @ {end}", f"lam t:R. T({d}) @ {d}", by=[using(square)])
    value = g.have(f"tr(T({end}) @ {end}) = 0", lambda g: g.field())
    trace = g.rewritten(trace, value)

    def same(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.field()

    g.close_by(
        g.by_fact("tends_ext", 0, 0, f"lam t:R. tr(T({d}) @ {d})", f"lam t:R. {size('V - E(t)')}", by=[same, using(trace)])
    )


MEMBER = member("t", LARGE, ALIGNED)
CLOSED = f"""all x y n N:Z, Z Z1:M(y,x), uZ:V(y), vZ:V(x), w:R, {PATHS}. {GAP} {LEADING} {GAMMA} < w => w < 1 => 2 <= N => {LAYERS}
       (all t:R. 0 <= t => {MEMBER}) => rank(F @ R(N-1)) = 1 and F @ R(N-1) != O(y,x)"""


@part(
    EQ,
    "closure",
    CLOSED,
    says="the closure of the stable set lies in the set of tuples with a product of rank one",
    uses=[EQ, CLOSURE, "eftekhari2022.eq-32"],
)
def closure_has_rank_one(g: Goal) -> None:
    """The rank of the limit is at most one, and its norm at least (alpha - gamma) s_Z."""
    g.fix()
    names = []
    while g.concl[0] == "=>":
        names.append(g.assume())
    gap, _, deep = names[-11:-8]
    inside = names[-1]
    limit = g.lemma(EQ, "part:products", *"xynN", *"ABWQECFLR", by=[using(k) for k in (deep, *names[-8:-1])])
    (v,) = g.obtain(g.have("ex V:M(y,x). V = F @ R(N-1)", lambda g: (g.witness("F @ R(N-1)"), g.refl())[-1]), "V", split=False)
    g.rewrite(g.have("F @ R(N-1) = V", lambda g: g.nc((v, -1, None, None))))
    limit = g.rewritten(limit, g.have("F @ R(N-1) = V", lambda g: g.nc((v, -1, None, None))))
    distance = g.lemma(EQ, "part:distance", "y", "x", "lam t:R. E(t)", "V", by=[using(limit)])
    top = next(h for h in names if g.hyp_formula(h) == g.formula(f"0 < {TOP}"))
    level = f"((w - {GAMMA})*{TOP})"
    g.have(f"0 < {level}", lambda g: g.pos([f"@{gap}", f"@{top}"]))

    def near(g: Goal, bound: str) -> list[str]:
        """Adds a time a >= 0 at which the squared distance is below the positive bound."""
        h = g.by_fact("tends_eventually_lt", 0, bound, f"lam t:R. {size('V - E(t)')}", by=[using(distance), None])
        (late,) = g.obtain(h, "a", split=False)
        order = g.fact("total", "a", 0)

        def later(g: Goal) -> None:
            g.cases(order, lambda g: (g.witness("0"), g.conj(using(next(reversed(g.seq.hyps))), None))[-1], forward)

        def forward(g: Goal) -> None:
            low = next(reversed(g.seq.hyps))
            g.witness("a")
            g.conj(None, using(low))

        after, positive = g.obtain(g.have("ex b:R. a <= b and 0 <= b", later), "b")
        return [g.apply(late, "b", by=[using(after)]), g.apply(inside, "b", by=[using(positive)])]

    def low(g: Goal) -> None:
        g.fix("e")
        g.assume()
        close, member_ = near(g, "e")
        g.witness("E(b)")
        g.conj(lambda g: g.pos(eqs=[(g.split(member_)[0], -1)]), lambda g: g.pos([f"@{close}"]))

    def nonzero(g: Goal) -> None:
        zero = g.contra()
        close, member_ = near(g, f"{level}^2")
        rank, bounds = g.split(member_)
        parts = g.obtain(g.lemma("eftekhari2022.eq-32", "part:thin-exists", "x", "y", "E(b)", by=[using(rank)]), "s", "u", "v")
        large = g.split(g.apply(bounds, "s", "u", "v", by=[using(k) for k in parts]))[0]
        positive, thin_, uu, vv = parts
        g.have("0 < s", using(positive))
        value = g.have(
            f"{size('V - E(b)')} = s^2",
            lambda g: (g.rewrite(zero), g.rewrite(thin_), square(g, uu, vv))[-1],
        )
        g.pos([f"@{close}"], [f"@{large}", f"@{large}"], ["2", f"@{large}", level], eqs=[(value, 1)])

    def square(g: Goal, uu: str, vv: str) -> None:
        k = g.have(
            "T(O(y,x) - s*(u @ T(v))) @ (O(y,x) - s*(u @ T(v))) = s^2*(v @ T(v))", lambda g: g.nc((uu, "s^2", "v", "T(v)"))
        )
        g.rewrite(k)
        t = g.have("tr(T(v) @ v) = 1", lambda g: (g.rewrite(vv), g.field())[-1])
        g.field((t, "s^2"))

    apart = g.have("V != O(y,x)", nonzero)
    for dim, vector, unit in (("y", "uZ", names[2]), ("x", "vZ", names[3])):
        low_ = nonempty(g, dim, vector, unit_trace(g, unit, vector))
        g.have(f"0 <= {dim}", lambda g, k=low_: g.pos([f"@{k}"], [1]))  # type: ignore[misc]

    def rank_one(g: Goal) -> None:
        closed = g.have(f"all e:R. 0 < e => ex Y:M(y,x). rank(Y) <= 1 and {size('V - Y')} <= e", low)
        most = g.lemma(CLOSURE, "part:closed", "y", "x", "1", "V", by=[None, None, None, using(closed)])

        def least(g: Goal) -> None:
            less = g.contra()
            none = g.by_fact("int_lt", "rank(V)", "1", by=[using(less)])
            (k,) = g.obtain(
                g.by_fact("rank_factor", "y", "x", 0, "V", by=[None, lambda g: g.pos([f"@{none}"])]), "G", "H", split=False
            )

            def empty(g: Goal) -> None:
                g.rewrite(k)
                g.extn("i", "j")
                entry = g.apply(g.fact("mm_entry", "y", 0, "x", "G", "H"), "i", "j")
                g.field((entry, 1))

            g.clash(g.have("V = O(y,x)", empty), apart)

        g.antisym(using(most), least)

    g.conj(rank_one, using(apart))


@holds(
    EQ,
    f"({STATED} all t:R. 0 <= t => {MEMBER}) and ({CLOSED})",
    argument="sound",
    reading="first: gradient flow from the stable set stays in it, so that its limit, which exists (Lemma 15), is in the closure; second: the limits C, L(l), F of any layers in the set"
    " have a product F R(N-1) of rank one. A point of the closure is the limit of a sequence of members, written as functions of t >= 0 (constant between integers); w stands"
    f" for alpha. The products of layers are the matrices of rank at most r = 1 (Appendix A); {PADDING}",
    context="N >= 2, whitened data and the spectral gap [Assumption 14]",
    uses=[EQ, "eftekhari2022.lemma-22", "eftekhari2022.eq-17"],
)
def limit_is_in_the_closure(g: Goal) -> None:
    """Lemma 22, and the part on the closure."""

    def stays(g: Goal) -> None:
        g.fix()
        names = [g.assume() for _ in range(20)]
        flow, (gap, one, start) = start_of(g, [*names[:6], *names[7:]])
        g.close_by(stable(g, flow, gap, one, start))

    g.conj(stays, lambda g: g.close_by(g.lemma(EQ, "part:closure")))
