"""What the two limiting eigenvalues satisfy when the flow converges to a zero-loss solution."""

from __future__ import annotations

from proofs.shin2025.commutant import moves
from proofs.shin2025.diagonal_flow import FLOW, PRODUCTS
from proofs.shin2025.equal_layers import LAYER, inside
from proofs.shin2025.factor_eigenvalues import scalar_moves
from proofs.shin2025.factor_spectrum import ODE, order_is_kept, system_moves
from proofs.shin2025.two_valued_factors import COMMON
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

LIMITS = f"""(all l:Z. {LAYER} => tends(t, W(l,t), V(l))) and tends(t, P(L,t), Winf) and (all i:Z. 1 <= i and i <= d =>
    Winf[i,i] = ws)"""
"""The factors converge, the product converges, and its limit has zero loss."""

LIMIT_VARIABLES = "V:Z->M(d,d), Winf:M(d,d)"

VALUES = f"""0 < A and 0 < B and B <= A and ws = (A^L + (d-1)*B^L)/d and
    (all l:Z. {LAYER} => V(l) = B*I(d) + ((A - B)/d)*J(d)) and Winf = (B^L)*I(d) + ((A^L - B^L)/d)*J(d) and
    (L = 2 => A*p = B*(p + d*q)) and (3 <= L => A^(2-L) - B^(2-L) = (p + d*q)^(2-L) - p^(2-L))"""


def same_limit(g: Goal, h: str, by: Script | None = None) -> None:
    """Close a limit by the hypothesis h about a function that is equal for t >= 0 and an equal limit."""
    f, c = g.hyp_formula(h), g.concl
    k = g.by_fact(
        "tends_ext",
        "0",
        f[3],
        ("lam", ((f[1], "R"),), f[2]),
        ("lam", ((c[1], "R"),), c[2]),
        by=[by or (lambda g: (g.fix(), g.assume(), g.field())[-1]), lambda g: g.close_by(h)],
    )
    g.exact(k)


def combination(g: Goal, *terms: tuple[str, str, str, str]) -> str:
    """The limit of a sum of multiples; each term is (coefficient, function of t, limit, hypothesis)."""
    done: tuple[str, str, str] | None = None
    for c, f, limit, h in terms:
        k = g.by_fact("tends_scale", c, limit, f"lam t:R. {f}", by=[lambda g, h=h: g.close_by(h)])
        f, limit = f"({c})*({f})", f"({c})*({limit})"
        if done is not None:
            f0, l0, h0 = done
            k = g.by_fact(
                "tends_add",
                l0,
                limit,
                f"lam t:R. {f0}",
                f"lam t:R. {f}",
                by=[lambda g, h=h0: same_limit(g, h), lambda g, h=k: same_limit(g, h)],
            )
            f, limit = f"{f0} + {f}", f"{l0} + {limit}"
        done = (f, limit, k)
    assert done is not None
    return done[2]


def entry_limit(g: Goal, matrix: str, limit: str, h: str, i: str, j: str) -> str:
    """tends of an entry."""
    f = g.fact("tends_matrix", "d", "d", limit, f"lam t:R. {matrix}")
    to, _ = g.split(f)
    k = g.apply(to, by=[lambda g: g.close_by(h)], n=1)
    return g.apply(k, i, j)


@part(
    "shin2025.eq-30",
    "limiting-eigenvalues",
    f"""all d L:Z, ws p q:R, W P Q:(Z,R)~>M(d,d), {LIMIT_VARIABLES}. 2 <= d => 2 <= L => 0 < ws => 0 < p => 0 <= q =>
        {PRODUCTS} => {FLOW} =>
        {COMMON} => {LIMITS} => ex A B:R. {VALUES}""",
    uses=[ODE],
)
def limiting_eigenvalues(g: Goal) -> None:
    """Pass to the limit in the eigenvalue functions; b^(L-2) - a^(L-2) = C a^(L-2) b^(L-2) shows that the smaller limit is
    not 0."""
    g.fix()
    for name in ("d_lo", "L_lo", "ws_lo", "p_lo", "q_lo", "prods", "move", "start"):
        g.assume(name)
    wl, pl, zero = g.split_all(g.assume())
    a0, b0, system = g.split_all(
        g.obtain(
            g.lemma(ODE, "part:system", *["d", "L", "ws", "p", "q", "W", "P", "Q"], by=[None, None, None, moves, None]),
            "a",
            "b",
            "r",
            split=False,
        )[0]
    )
    g.have("0 < b(0)", lambda g: (g.rewrite(b0), g.auto())[-1])
    g.have("b(0) <= a(0)", lambda g: (g.rewrite(b0), g.rewrite(a0), g.pos(["d", "q"]))[-1])
    order = order_is_kept(g, system)
    inside(g)
    w1 = g.apply(wl, "1")
    x = entry_limit(g, "W(1,t)", "V(1)", w1, "1", "1")
    y = entry_limit(g, "W(1,t)", "V(1)", w1, "1", "2")
    ex = g.obtain(
        g.have(
            "ex A B:R. A = V(1)[1,1] + (d-1)*V(1)[1,2] and B = V(1)[1,1] - V(1)[1,2]",
            lambda g: (
                g.witness("V(1)[1,1] + (d-1)*V(1)[1,2]", "V(1)[1,1] - V(1)[1,2]"),
                g.conj(lambda g: g.refl(), lambda g: g.refl()),
            )[-1],
        ),
        "A",
        "B",
    )

    def eigen(g: Goal, f: str, limit: str, c: str, h: str) -> str:
        k = combination(g, ("1", "W(1,t)[1,1]", "V(1)[1,1]", x), (c, "W(1,t)[1,2]", "V(1)[1,2]", y))

        def agree(g: Goal) -> None:
            g.intro()
            w = g.apply(g.split(g.apply(system, "t"))[0], "1")
            g.rewrite(w)
            g.field()

        e = g.by_fact(
            "tends_ext",
            "0",
            f"1*V(1)[1,1] + ({c})*V(1)[1,2]",
            f"lam t:R. 1*W(1,t)[1,1] + ({c})*W(1,t)[1,2]",
            f"lam t:R. {f}(t)",
            by=[agree, lambda g: same_limit(g, k)],
        )
        return g.have(f"tends(t, {f}(t), {limit})", lambda g: (g.rewrite(h), g.exact(e))[-1])

    ta = eigen(g, "a", "A", "d-1", ex[0])
    tb = eigen(g, "b", "B", "-1", ex[1])

    def matrix_power(f: str, n: str) -> str:
        return f"([[{f}]]^({n}))[1,1]"

    def power(g: Goal, f: str, limit: str, h: str, n: str) -> str:
        return g.by_fact(
            "tends_compose", limit, f"lam t:R. {f}(t)", f"lam x:R. {matrix_power('x', n)}", by=[lambda g: g.close_by(h), None]
        )

    def as_power(g: Goal, x: str, n: str) -> str:
        return g.lemma(ODE, "part:power-as-matrix", x, n)

    def two(g: Goal, n: str, ca: str, cb: str) -> str:
        """The limit of ca a^n + cb b^n, powers as powers of single entries."""
        pa = power(g, "a", "A", ta, n)
        pb = power(g, "b", "B", tb, n)
        return combination(
            g, (ca, matrix_power("a(t)", n), matrix_power("A", n), pa), (cb, matrix_power("b(t)", n), matrix_power("B", n), pb)
        )

    def limit_is(g: Goal, n: str, ca: str, cb: str, f: str, value: str, known: str, agree: object) -> str:
        """ca A^n + cb B^n = value, where f(t) = ca a(t)^n + cb b(t)^n has the limit value."""
        k = two(g, n, ca, cb)
        left = f"({ca})*{matrix_power('A', n)} + ({cb})*{matrix_power('B', n)}"

        def equal(g: Goal) -> None:
            t = g.fix("t")[0]
            g.assume()
            pa = as_power(g, f"a({t})", n)
            pb = as_power(g, f"b({t})", n)
            agree(g, t, pa, pb)  # type: ignore[operator]

        e = g.by_fact(
            "tends_ext",
            "0",
            left,
            f"lam t:R. ({ca})*{matrix_power('a(t)', n)} + ({cb})*{matrix_power('b(t)', n)}",
            f"lam t:R. {f}",
            by=[equal, lambda g: same_limit(g, k)],
        )
        u = g.by_fact("tends_unique", left, value, f"lam t:R. {f}", by=[lambda g: g.close_by(e), lambda g: g.exact(known)])
        pa = as_power(g, "A", n)
        pb = as_power(g, "B", n)
        return g.have(f"({ca})*A^({n}) + ({cb})*B^({n}) = {value}", lambda g: g.field((u, 1), (pa, f"-({ca})"), (pb, f"-({cb})")))

    def at(g: Goal, t: str) -> list[str]:
        g.split_all(g.apply(order, t))
        return g.split(g.apply(system, t))

    def product_entry(g: Goal, t: str, pa: str, pb: str, i: str, j: str, ca: str, cb: str) -> None:
        out = at(g, t)
        g.rewrite(out[1])
        g.field((pa, ca), (pb, cb))

    # the diagonal of the product
    p11 = entry_limit(g, "P(L,t)", "Winf", pl, "1", "1")
    z = g.apply(zero, "1")
    ws = limit_is(
        g,
        "L",
        "1/d",
        "(d-1)/d",
        "P(L,t)[1,1]",
        "Winf[1,1]",
        p11,
        lambda g, t, pa, pb: product_entry(g, t, pa, pb, "1", "1", "1/d", "(d-1)/d"),
    )
    ws = g.have("ws = (A^L + (d-1)*B^L)/d", lambda g: g.field((ws, -1), (z, -1)))
    # order and sign of the limits
    zero_t = g.fact("tends_const", "0")
    lo = g.by_fact(
        "tends_le",
        "0",
        "0",
        "B",
        "lam t:R. 0",
        "lam t:R. b(t)",
        by=[lambda g: (t := g.fix()[0], g.assume(), at(g, t), g.auto())[-1], None, None],
    )
    ab = g.by_fact(
        "tends_le",
        "0",
        "B",
        "A",
        "lam t:R. b(t)",
        "lam t:R. a(t)",
        by=[lambda g: (t := g.fix()[0], g.assume(), at(g, t), g.auto())[-1], None, None],
    )
    del zero_t, lo, ab

    def a_positive(g: Goal) -> None:
        def vanish(g: Goal) -> None:
            g.contra()
            g.have("B <= 0")
            b = g.have("B = 0", lambda g: g.antisym())
            k = g.by_fact("ipow_zero", "L")
            e = g.have(
                "ws = (0 + (d-1)*0)/d", lambda g: (g.rewrite(ws), g.replace("A", "0"), g.rewrite(b), g.rewrite(k), g.refl())[-1]
            )
            g.pos(["@ws_lo"], eqs=[(e, -1)])

        g.cases(g.by_fact("lt_or_eq", "0", "A"), None, vanish)

    g.have("0 < A", a_positive)

    # the conserved quantity
    _f0, f = g.obtain(g.by_fact("antiderivative", "lam t:R. r(t)"), "F")

    def explicit(g: Goal, role: str, h: str, k: int, first: object) -> str:
        return g.lemma(
            ODE,
            f"part:{role}",
            "L",
            h,
            "r",
            "F",
            by=[
                first,
                *([None] if role == "scalar-deep" else []),  # type: ignore[list-item]
                lambda g: system_moves(g, system, k),
                None,
                lambda g: scalar_moves(g, f),
            ],
        )

    def shallow(g: Goal) -> str:
        """A p = B (p + d q) at depth 2."""
        two_ = g.assume()
        ea = explicit(g, "scalar-depth-two", "a", 3, lambda g: g.close_by(two_))
        eb = explicit(g, "scalar-depth-two", "b", 4, lambda g: g.close_by(two_))
        k = combination(g, ("p", "a(t)", "A", ta), ("-(p + d*q)", "b(t)", "B", tb))

        def vanishes(g: Goal) -> None:
            g.fix("t")
            g.assume()
            x = g.apply(ea, "t")
            y = g.apply(eb, "t")
            g.field((x, "p"), (y, "-(p + d*q)"), (a0, "p*exp(-F(t))"), (b0, "-(p + d*q)*exp(-F(t))"))

        e = g.by_fact(
            "tends_ext",
            "0",
            "(p)*(A) + (-(p + d*q))*(B)",
            "lam t:R. (p)*(a(t)) + (-(p + d*q))*(b(t))",
            "lam t:R. 0",
            by=[vanishes, lambda g: same_limit(g, k)],
        )
        c = g.fact("tends_const", "0")
        u = g.by_fact(
            "tends_unique", "(p)*(A) + (-(p + d*q))*(B)", "0", "lam t:R. 0", by=[lambda g: g.close_by(e), lambda g: g.exact(c)]
        )
        return g.have("A*p = B*(p + d*q)", lambda g: g.field((u, 1)))

    depth_two = g.have("L = 2 => A*p = B*(p + d*q)", lambda g: g.close_by(shallow(g)))
    c = "((p + d*q)^(2-L) - p^(2-L))"

    def deep(g: Goal) -> None:
        """B^(L-2) - A^(L-2) = C A^(L-2) B^(L-2)."""
        g.assume()
        ea = explicit(g, "scalar-deep", "a", 3, None)
        eb = explicit(g, "scalar-deep", "b", 4, None)
        n = "L - 2"
        ka, kb = power(g, "a", "A", ta, n), power(g, "b", "B", tb, n)
        m = g.by_fact(
            "tends_mul",
            matrix_power("A", n),
            matrix_power("B", n),
            f"lam t:R. {matrix_power('a(t)', n)}",
            f"lam t:R. {matrix_power('b(t)', n)}",
            by=[lambda g: g.close_by(ka), lambda g: g.close_by(kb)],
        )
        lhs = combination(
            g, ("-1", matrix_power("a(t)", n), matrix_power("A", n), ka), ("1", matrix_power("b(t)", n), matrix_power("B", n), kb)
        )
        rhs = combination(
            g, (c, f"{matrix_power('a(t)', n)}*{matrix_power('b(t)', n)}", f"{matrix_power('A', n)}*{matrix_power('B', n)}", m)
        )
        left, right = (
            f"(-1)*({matrix_power('A', n)}) + (1)*({matrix_power('B', n)})",
            f"({c})*({matrix_power('A', n)}*{matrix_power('B', n)})",
        )
        fl = f"(-1)*({matrix_power('a(t)', n)}) + (1)*({matrix_power('b(t)', n)})"
        fr = f"({c})*({matrix_power('a(t)', n)}*{matrix_power('b(t)', n)})"

        def equal(g: Goal) -> None:
            g.fix("t")
            g.assume()
            at(g, "t")
            x, y = g.apply(ea, "t"), g.apply(eb, "t")
            pa, pb = as_power(g, "a(t)", n), as_power(g, "b(t)", n)
            g.rewrite(pa)
            g.rewrite(pb)
            sx = g.have("a(0)^(2-L) = (p + d*q)^(2-L)", lambda g: g.ctx(lambda g: g.close_by(a0)))
            sy = g.have("b(0)^(2-L) = p^(2-L)", lambda g: g.ctx(lambda g: g.close_by(b0)))
            d = "a(t)^(L-2)*b(t)^(L-2)"
            g.field((x, d), (y, f"-{d}"), (sx, d), (sy, f"-{d}"))

        e = g.by_fact("tends_ext", "0", left, f"lam t:R. {fl}", f"lam t:R. {fr}", by=[equal, lambda g: same_limit(g, lhs)])
        u = g.by_fact("tends_unique", left, right, f"lam t:R. {fr}", by=[lambda g: g.close_by(e), lambda g: same_limit(g, rhs)])
        pa, pb = as_power(g, "A", n), as_power(g, "B", n)
        g.field((u, 1), (pa, f"1 + {c}*{matrix_power('B', n)}"), (pb, f"-1 + {c}*A^(L-2)"))

    conserved = g.have(f"3 <= L => B^(L-2) - A^(L-2) = {c}*A^(L-2)*B^(L-2)", deep)

    def b_positive(g: Goal) -> None:
        def vanish(g: Goal) -> None:
            g.contra()

            def at_two(g: Goal) -> None:
                h = g.apply(depth_two)
                g.pos(["A", "p"], eqs=[(h, -1), ("b_zero", "(p + d*q)")])

            def deeper(g: Goal) -> None:
                g.by_fact("int_lt", "2", "L")
                h = g.apply(conserved)
                k = g.by_fact("ipow_zero", "L - 2")
                b = g.have("B = 0")
                e = g.have("B^(L-2) = 0", lambda g: (g.rewrite(b), g.close_by(k))[-1])
                g.pos(["A^(L-2)"], eqs=[(h, 1), (e, f"-1 + {c}*A^(L-2)")])

            g.cases(g.by_fact("lt_or_eq", "2", "L"), deeper, lambda g: (g.have("L = 2"), at_two(g))[-1])

        g.cases(g.by_fact("lt_or_eq", "0", "B"), None, vanish, name="b_zero")

    g.have("0 < B", b_positive)

    def difference(g: Goal) -> None:
        g.assume()
        h = g.apply(conserved)
        g.field((h, "A^(2-L)*B^(2-L)"))

    # the limits of the factors and of the product
    def matrix_limit(g: Goal, matrix: str, limit: str, h: str, ca: str, cb: str, ci: str, n: str, row: int) -> None:
        g.extn("i", "j")
        e = entry_limit(g, matrix, limit, h, "i", "j")

        def entry(g: Goal, t: str, pa: str, pb: str) -> None:
            out = at(g, t)
            w = out[1] if row else g.apply(out[0], "l")
            g.rewrite(w)
            g.field((pa, ca), (pb, f"{cb} + I(d)[i,j]"))

        k = limit_is(g, n, ca, f"{cb} + I(d)[i,j]", f"{matrix}[i,j]", f"{limit}[i,j]", e, entry)
        g.field((k, -1))

    def factors(g: Goal) -> None:
        g.intro()
        matrix_limit(g, "W(l,t)", "V(l)", g.apply(wl, "l"), "1/d", "-1/d", "1", "1", 0)

    g.witness("A", "B")
    g.conj(
        None,
        None,
        None,
        lambda g: g.close_by(ws),
        factors,
        lambda g: matrix_limit(g, "P(L,t)", "Winf", pl, "1/d", "-1/d", "1", "L", 1),
        lambda g: g.close_by(depth_two),
        difference,
    )
