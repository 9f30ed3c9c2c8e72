"""Theorem 4: along the flow the nuclear norm exceeds the sum of those of the observed blocks by a defect of the start at most."""

from __future__ import annotations

from proofs.bai2024.component_blocks import diagonal
from proofs.bai2024.components import CLAIM, COMPONENTS
from proofs.bai2024.graphs import PATTERN
from proofs.bai2024.invariant_manifolds import FLOW
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

RESIDUAL = "had(P, A(t) @ B(t) - M)"


def rest(f: str, entry: str) -> str:
    """The squares of the rows i that are in no component; `entry` is the entry (i, k) of the matrix."""
    return f"sum(i, 1, d, (1 - sum(p, 1, d, {f}(p,i)))*sum(k, 1, d, ({entry})^2))"


SEEN = "(all i j:Z. P[i,j] = 1 => sum(p, 1, d, f(p,i)) = 1)"


@part(
    CLAIM,
    "unobserved-rows",
    f"""all d:Z, n:R, P M:M(d,d), f:(Z,Z)->R, A B:R~>M(d,d). {PATTERN} => {SEEN} =>
       (all t:R. 0 <= t => A'(t) = -(2/n*({RESIDUAL} @ T(B(t))))) =>
       all t:R. 0 <= t => {rest("f", "A(t)[i,k]")} = {rest("f", "A(0)[i,k]")}""",
    says="the rows of A in which nothing is observed do not move",
)
def unobserved_rows_do_not_move(g: Goal) -> None:
    """Their residual vanishes."""
    g.fix()
    binary, seen, flow = g.assume(), g.assume(), g.assume()
    weight = "1 - sum(p, 1, d, f(p,i))"
    (rho,) = g.obtain(g.have(f"ex e:Z->R. all i:Z. {weight} = e(i)", lambda g: by_index(g, weight)), "e", split=False)

    def still(g: Goal) -> None:
        g.fix("i", "k")
        g.split(g.assume())

        def rate(g: Goal) -> None:
            g.fix("t")
            g.assume()
            v = g.apply(flow, "t")
            m = g.apply(g.fact("mm_entry", "d", "d", "d", RESIDUAL, "T(B(t))"), "i", "k")

            def term(g: Goal) -> None:
                g.fix("j")
                g.split(g.assume())
                value = "((A(t) @ B(t) - M)[i,j])"

                def one(g: Goal) -> None:
                    k, e = g.apply(seen, "i", "j"), g.apply(rho, "i")
                    zero = g.have("e(i) = 0", lambda g: g.field((e, -1), (k, -1)))
                    g.field((zero, f"P[i,j]*{value}*B(t)[k,j]"))

                g.cases(g.apply(binary, "i", "j"), lambda g: g.field((last(g), f"e(i)*{value}*B(t)[k,j]")), one)

            z = g.by_fact("sum_ext", 1, "d", f"lam j:Z. e(i)*({RESIDUAL}[i,j]*T(B(t))[j,k])", "lam j:Z. 0", by=[term])
            e = g.have(f"A'(t)[i,k] = -(2/n*({RESIDUAL} @ T(B(t))))[i,k]", lambda g: (g.rewrite(v), g.field())[-1])
            w = g.have(f"e(i)*({RESIDUAL} @ T(B(t)))[i,k] = 0", lambda g: g.field((m, "e(i)"), (z, 1)))
            g.field((e, "e(i)"), (w, "-2/n"))

        g.close_by(g.by_fact("constant", 0, "lam t:R. e(i)*A(t)[i,k]", by=[None, rate]))

    fixed = g.have(
        "all i k:Z. 1 <= i and i <= d and 1 <= k and k <= d => all t:R. 0 <= t => e(i)*A(t)[i,k] = e(i)*A(0)[i,k]", still
    )
    g.fix("t")
    g.assume()

    def row(g: Goal) -> None:
        g.fix("i")
        g.split(g.assume())
        g.rewrite(g.apply(rho, "i"))

        def entry(g: Goal) -> None:
            g.fix("k")
            g.split(g.assume())
            k = g.apply(g.apply(fixed, "i", "k", n=1), "t")
            g.field((k, "A(t)[i,k] + A(0)[i,k]"))

        s = g.by_fact("sum_ext", 1, "d", "lam k:Z. e(i)*A(t)[i,k]^2", "lam k:Z. e(i)*A(0)[i,k]^2", by=[entry])
        g.field((s, 1))

    def body(t: str) -> str:
        return f"lam i:Z. ({weight})*sum(k, 1, d, (A({t})[i,k])^2)"

    g.close_by(g.by_fact("sum_ext", 1, "d", body("t"), body("0"), by=[row]))


def by_index(g: Goal, text: str) -> None:
    """The function of the index i that this text is."""
    g.witness(f"lam i:Z. {text}")
    g.fix("i")
    g.refl()


BLOCKS = f"{diagonal('R', 'f')} => {diagonal('S', 'g')}"
DEFECT = f"""(1/2*(sum(p, 1, d, nuc(T(A(0)) @ R(p) @ A(0) - B(0) @ S(p) @ T(B(0)))) + {rest("f", "A(0)[i,k]")} +
  {rest("g", "T(B(0))[i,k]")}))"""


@part(
    CLAIM,
    "bound-along-the-flow",
    f"""all d:Z, n:R, P M:M(d,d), f g:(Z,Z)->R, R S:Z->M(d,d), A B:R~>M(d,d). 1 <= d => 0 < n => {PATTERN} => {COMPONENTS} =>
       {BLOCKS} => {FLOW} =>
       all t:R. 0 <= t => nuc(A(t) @ B(t)) <= sum(p, 1, d, nuc(R(p) @ (A(t) @ B(t)) @ S(p))) + {DEFECT}""",
    says="the nuclear norm exceeds the sum of those of the blocks at most by a defect of the start",
)
def bound_by_the_blocks(g: Goal) -> None:
    """nuc(A B) is at most the mean of the squared norms, which are those of the components and of what is not observed; in each
    component the balance is conserved, so that its norms are nearly the nuclear norm of its block."""
    g.fix()
    for name in ("size", "count", "binary", "components", "r_is", "s_is", "flow"):
        g.assume(name)
    f_bits, g_bits, f_apart, g_apart, agree, _, seen = g.split("components")
    laws = g.split("flow")
    pr = projections(g, "f", "R", ("r_is", f_bits, f_apart))
    ps = projections(g, "g", "S", ("s_is", g_bits, g_apart))

    def columns_seen(g: Goal) -> None:
        g.fix("i", "j")
        one = g.assume()

        def equal(g: Goal) -> None:
            g.fix("p")
            g.assume()
            k = g.apply(agree, "p", "j", "i", by=[lambda g: transposed_entry(g, one)])
            g.field((k, -1))

        s = g.by_fact("sum_ext", 1, "d", "lam p:Z. g(p,i)", "lam p:Z. f(p,j)", by=[equal])
        k = g.apply(seen, "j", "i", by=[lambda g: transposed_entry(g, one)])
        g.field((s, 1), (k, 1))

    def transposed_entry(g: Goal, one: str) -> None:
        g.field((one, 1))

    def transposed_binary(g: Goal) -> None:
        g.fix("i", "j")
        g.exact(g.apply(binary_name, "j", "i"), by=[lambda g: g.field(), lambda g: g.field()])

    binary_name = "binary"
    rows = g.lemma(
        CLAIM,
        "part:unobserved-rows",
        "d",
        "n",
        "P",
        "M",
        "f",
        "A",
        "B",
        by=[lambda g: g.close_by("binary"), lambda g: g.close_by(seen), lambda g: g.close_by(laws[0])],
    )

    def turned_flow(g: Goal) -> None:
        g.fix("t")
        g.assume()
        v = g.apply(laws[1], "t")
        tv = g.have(f"T(B'(t)) = T(-(2/n*(T(A(t)) @ {RESIDUAL})))", lambda g: (g.rewrite(v), g.refl())[-1])
        h = g.have(f"had(T(P), T(B(t)) @ T(A(t)) - T(M)) = T({RESIDUAL})", lambda g: masked_transpose(g))
        g.nc((tv, 1, None, None), (h, "2/n", None, "A(t)"))

    columns = g.lemma(
        CLAIM,
        "part:unobserved-rows",
        "d",
        "n",
        "T(P)",
        "T(M)",
        "g",
        "lam t:R. T(B(t))",
        "lam t:R. T(A(t))",
        by=[transposed_binary, columns_seen, turned_flow],
    )

    def balance(g: Goal) -> None:
        g.fix("p", "t")
        g.assume()

        def select(g: Goal) -> None:
            def off(g: Goal) -> None:
                g.fix("i", "j")
                ne = g.assume()
                g.conj(lambda g: off_diagonal(g, "R", "r_is", ne), lambda g: off_diagonal(g, "S", "s_is", ne))

            def equal(g: Goal) -> None:
                g.fix("i", "j")
                one = g.assume()
                inside(g, "i", "j", one)
                a, b = g.apply("r_is", "p", "i", "i"), g.apply("s_is", "p", "j", "j")
                k = g.apply(agree, "p", "i", "j")
                g.field((a, 1), (b, -1), (k, 1))

            g.conj(off, equal)

        k = g.lemma(
            CLAIM,
            "part:conserved",
            "d",
            "n",
            "P",
            "M",
            "R(p)",
            "S(p)",
            "A",
            "B",
            by=[None, None, lambda g: g.close_by("binary"), select, lambda g: g.close_by("flow")],
        )
        g.close_by(g.apply(k, "t"))

    e = "T(A({0})) @ R(p) @ A({0}) - B({0}) @ S(p) @ T(B({0}))"
    balanced = g.have(f"all p:Z, t:R. 0 <= t => {e.format('t')} = {e.format('0')}", balance)
    g.fix("t")
    g.assume()
    product = g.fact("nuc_factors", "d", "d", "d", "A(t)", "B(t)")
    squares = g.lemma(
        CLAIM,
        "part:squares-by-components",
        "d",
        "A(t)",
        "f",
        "R",
        by=[lambda g: g.close_by("r_is"), lambda g: g.close_by(f_bits)],
    )
    other = g.lemma(
        CLAIM,
        "part:squares-by-components",
        "d",
        "T(B(t))",
        "g",
        "S",
        by=[lambda g: g.close_by("s_is"), lambda g: g.close_by(g_bits)],
    )
    still, still_too = g.apply(rows, "t"), g.apply(columns, "t")
    one, two = "tr(T(R(p) @ A(t)) @ (R(p) @ A(t)))", "tr(T(S(p) @ T(B(t))) @ (S(p) @ T(B(t))))"

    def component(g: Goal) -> None:
        g.fix("p")
        g.assume()
        k = g.lemma(CLAIM, "part:nearly-balanced", "d", "d", "d", "R(p) @ A(t)", "B(t) @ S(p)")
        rt, rr = g.split(g.apply(pr[0], "p"))
        st, ss = g.split(g.apply(ps[0], "p"))
        b = g.apply(balanced, "p", "t")
        x = "T(R(p) @ A(t)) @ (R(p) @ A(t)) - (B(t) @ S(p)) @ T(B(t) @ S(p))"
        same = g.have(
            f"{x} = {e.format('0')}",
            lambda g: g.nc(
                (rt, 1, "T(A(t))", "R(p) @ A(t)"),
                (rr, 1, "T(A(t))", "A(t)"),
                (st, -1, "B(t) @ S(p)", "T(B(t))"),
                (ss, -1, "B(t)", "T(B(t))"),
                (b, 1, None, None),
            ),
        )
        value = g.have(f"nuc({x}) = nuc({e.format('0')})", lambda g: (g.rewrite(same), g.refl())[-1])
        block = g.have("nuc((R(p) @ A(t)) @ (B(t) @ S(p))) = nuc(R(p) @ (A(t) @ B(t)) @ S(p))", lambda g: g.ctx(lambda g: g.nc()))
        st2 = g.have("T(B(t) @ S(p)) = S(p) @ T(B(t))", lambda g: g.nc((st, 1, None, "T(B(t))")))
        norm = g.have(f"tr(T(B(t) @ S(p)) @ (B(t) @ S(p))) = {two}", lambda g: same_norm(g, st2))
        g.pos([f"@{k}"], eqs=[(value, "-1/2"), (block, -1), (norm, "1/2")])

    bound = "nuc(R(p) @ (A(t) @ B(t)) @ S(p))"
    rate = f"nuc({e.format('0')})"
    total = g.by_fact("sum_mono", 1, "d", f"lam p:Z. ({one} + {two})/2", f"lam p:Z. {bound} + {rate}/2", by=[component])
    turned = g.have("tr(T(B(t)) @ B(t)) = tr(T(T(B(t))) @ T(B(t)))", lambda g: g.field())
    pieces = {
        "s1": f"sum(p, 1, d, {one})",
        "s2": f"sum(p, 1, d, {two})",
        "r1": rest("f", "A(t)[i,k]"),
        "r2": rest("g", "T(B(t))[i,k]"),
        "q1": rest("f", "A(0)[i,k]"),
        "q2": rest("g", "T(B(0))[i,k]"),
        "bl": f"sum(p, 1, d, {bound})",
        "de": f"sum(p, 1, d, {rate})",
    }
    left = g.have(f"sum(p, 1, d, ({one} + {two})/2) = ({pieces['s1']} + {pieces['s2']})/2", lambda g: g.field())
    right = g.have(f"sum(p, 1, d, {bound} + {rate}/2) = {pieces['bl']} + {pieces['de']}/2", lambda g: g.field())
    names = {}
    for short, text in pieces.items():
        (names[short],) = g.obtain(
            g.have(f"ex {short}:R. {text} = {short}", lambda g, text=text: (g.witness(text), g.refl())[-1]),
            short,
            split=False,  # type: ignore[misc]
        )

    def named(h: str, *sums: str) -> str:
        """The hypothesis h with these sums named."""
        for short in sums:
            h = g.rewritten(h, names[short])
        return h

    of_a, of_b = named(squares, "s1", "r1"), named(other, "s2", "r2")
    fixed_a, fixed_b = named(still, "r1", "q1"), named(still_too, "r2", "q2")
    left, right = named(left, "s1", "s2"), named(right, "bl", "de")
    for short in ("bl", "de", "q1", "q2"):
        g.rewrite(names[short])
    half = "-1/2"
    equations = [(h, half) for h in (of_a, turned, of_b, fixed_a, fixed_b)]
    g.pos([f"@{product}"], [f"@{total}"], eqs=[(left, 1), (right, -1), *equations])


def projections(g: Goal, f: str, r: str, known: tuple[str, str, str]) -> list[str]:
    return g.split(g.lemma(CLAIM, "part:projections", "d", f, r, by=[lambda g, k=k: g.close_by(k) for k in known]))  # type: ignore[misc]


def inside(g: Goal, i: str, j: str, one: str) -> None:
    """Adds that (i, j) is a place of the matrix P, as the entry is 1."""
    outside = g.fact("entry_outside", "d", "d", "P")
    for bound in (f"1 <= {i}", f"{i} <= d", f"1 <= {j}", f"{j} <= d"):

        def absurd(g: Goal) -> None:
            g.contra()
            z = g.apply(outside, i, j)
            g.pos([], eqs=[(one, 1), (z, -1)])

        g.have(bound, absurd)


def off_diagonal(g: Goal, r: str, known: str, ne: str) -> None:
    """r(p)[i,j] = 0 for i != j, inside and outside."""
    outside = g.fact("entry_outside", "d", "d", f"{r}(p)")

    def far(k: int) -> Script:
        def script(g: Goal) -> None:
            h = last(g)
            g.close_by(g.apply(outside, "i", "j", by=[lambda g: (g.left_or_right(k), g.close_by(h))[-1]]))

        return script

    def within(g: Goal) -> None:
        v = g.apply(known, "p", "i", "j")
        g.field((v, 1))

    del ne
    g.em(
        "i < 1", far(0), lambda g: g.em("d < i", far(1), lambda g: g.em("j < 1", far(2), lambda g: g.em("d < j", far(3), within)))
    )


def masked_transpose(g: Goal) -> None:
    """Entry by entry."""
    g.extn("i", "j")
    g.field()


def same_norm(g: Goal, turned: str) -> None:
    """tr(T(Y) Y) = tr(Y T(Y)) for Y = B S."""
    g.replace("tr(T(B(t) @ S(p)) @ (B(t) @ S(p)))", "tr(T(T(B(t) @ S(p))) @ T(B(t) @ S(p)))", lambda g: g.field())
    g.rewrite(turned)
    g.refl()
