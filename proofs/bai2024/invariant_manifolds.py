"""Proposition 1: the manifolds Omega_k, their invariance and their nesting."""

from __future__ import annotations

from proofs.bai2024.graphs import NONZERO, PATTERN
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds

INDEPENDENT = "(all v:V(k). T(V) @ v = O(d,1) => v = O(k,1))"
"""The rows alpha_1, ..., alpha_k of V are linearly independent."""


def spans(a: str, b: str, v: str = "V", k: str = "k") -> str:
    """row(A) = col(B) = span of the rows of V: each is contained in the other."""
    return (
        f"((ex X:M(d,{k}). {a} = X @ {v}) and (ex X:M({k},d). {v} = X @ {a}) and"
        f" (ex X:M({k},d). {b} = T({v}) @ X) and (ex X:M(d,{k}). T({v}) = {b} @ X))"
    )


def within(a: str, b: str, v: str = "V", k: str = "k") -> str:
    """row(A) and col(B) are contained in the span of the rows of V."""
    return f"((ex X:M(d,{k}). {a} = X @ {v}) and (ex X:M({k},d). {b} = T({v}) @ X))"


FLOW = (
    "(all t:R. 0 <= t => A'(t) = -(2/n*(had(P, A(t) @ B(t) - M) @ T(B(t))))) and"
    " (all t:R. 0 <= t => B'(t) = -(2/n*(T(A(t)) @ had(P, A(t) @ B(t) - M))))"
)
"""Gradient flow (3) of the loss (2) with n observations P of the matrix M."""

COUNT = "n = sum(i, 1, d, sum(j, 1, d, P[i,j]))"


def invariance(member: str, later: str) -> str:
    """Membership at t = 0 implies membership for all t >= 0, for any data."""
    return f"""all d k:Z, n:R, V:M(k,d), P M:M(d,d), A B:R~>M(d,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} =>
        {PATTERN} => 0 < n => {COUNT} => {NONZERO} => {FLOW} => {member} => (all t:R. 0 <= t => {later})"""


INTRINSIC = f"""all d k:Z, V:M(k,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} =>
        (all n:R, P M:M(d,d), A B:R~>M(d,d). {PATTERN} => 0 < n => {COUNT} => {NONZERO} => {FLOW} => {spans("A(0)", "B(0)")} =>
           (all t:R. 0 <= t => {spans("A(t)", "B(t)")}))"""


@amendment(
    "bai2024.prop-1-invariance",
    invariance(within("A(0)", "B(0)"), within("A(t)", "B(t)")),
    says="The set of (A, B) with row(A) and col(B) contained in the span is invariant, for any data.",
)
def containment_in_the_span_is_invariant(g: Goal) -> None:
    """With the projector S onto the complement of the span, A S and B^T S obey a linear system and start from 0, so they stay
    0, and
    A = A V^T (V V^T)^-1 V."""
    g.fix()
    for name in ("size", "k_lo", "k_hi", "independent", "binary", "positive", "count", "nonzero", "flow", "start"):
        g.assume(name)
    laws = g.split("flow")
    a0, b0 = g.split("start")
    x = g.obtain(a0, "X")[0]
    y = g.obtain(b0, "Y")[0]

    def regular(g: Goal) -> None:
        g.contra()
        u = g.obtain(g.by_fact("det_kernel", "k", "V @ T(V)"), "v")
        g.have("tr(T(T(V) @ v) @ (T(V) @ v)) = 0", lambda g: trace(g, u[1]))
        g.by_fact("frobenius_zero", "d", 1, "T(V) @ v")
        g.clash(g.apply("independent", "v"), u[0])

    def trace(g: Goal, kernel: str) -> None:
        h = g.have("T(T(V) @ v) @ (T(V) @ v) = O(1,1)", lambda g: g.nc((kernel, 1, "T(v)", None)))
        g.rewrite(h)
        g.field()

    g.have("det(V @ T(V)) != 0", regular, name="det")
    right = g.by_fact("inv_right", "k", "V @ T(V)")
    g.by_fact("inv_left", "k", "V @ T(V)")
    s = g.obtain(
        g.have(
            "ex S:M(d,d). S = I(d) - T(V) @ inv(V @ T(V)) @ V", lambda g: (g.witness("I(d) - T(V) @ inv(V @ T(V)) @ V"), g.refl())
        ),
        "S",
    )[0]
    kill = g.have("V @ S = O(k,d)", lambda g: g.nc((s, 1, "V", None), (right, -1, None, "V")))
    residual = "had(P, A(t) @ B(t) - M)"
    lemma = g.fact(
        "linear_pair_zero",
        "d",
        "d",
        "d",
        "lam t:R. A(t) @ S",
        "lam t:R. T(B(t)) @ S",
        f"lam t:R. -(2/n*{residual})",
        f"lam t:R. -(2/n*T({residual}))",
    )

    def first(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.nc((g.apply(laws[0], "t"), 1, None, "S"))

    def second(g: Goal) -> None:
        g.fix("t")
        g.assume()
        law = g.apply(laws[1], "t")
        turned = g.have(f"T(B'(t)) = T(-(2/n*(T(A(t)) @ {residual})))", lambda g: (g.rewrite(law), g.refl()))
        g.nc((turned, 1, None, "S"))

    def start_a(g: Goal) -> None:
        g.nc((x, 1, None, "S"), (kill, 1, "X", None))

    def start_b(g: Goal) -> None:
        turned = g.have("T(B(0)) = T(T(V) @ Y)", lambda g: (g.rewrite(y), g.refl()))
        g.nc((turned, 1, None, "S"), (kill, 1, "T(Y)", None))

    still = g.apply(lemma, by=[None, first, second, start_a, start_b])
    g.fix("t")
    g.assume()
    za, zb = g.split(g.apply(still, "t"))

    def rows(g: Goal) -> None:
        g.witness("A(t) @ T(V) @ inv(V @ T(V))")
        g.nc((za, 1, None, None), (s, -1, "A(t)", None))

    def columns(g: Goal) -> None:
        g.witness("T(T(B(t)) @ T(V) @ inv(V @ T(V)))")
        turned = g.have("T(T(B(t)) @ S) = T(O(d,d))", lambda g: (g.rewrite(zb), g.refl()))
        flat = g.have("T(S) = T(I(d) - T(V) @ inv(V @ T(V)) @ V)", lambda g: (g.rewrite(s), g.refl()))
        g.nc((turned, 1, None, None), (flat, -1, None, "B(t)"))

    g.conj(rows, columns)


@amendment(
    "bai2024.prop-1-intrinsic",
    f"""all d k:Z, V:M(k,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} =>
        (all n:R, P M:M(d,d), A B:R~>M(d,d). {PATTERN} => 0 < n => {COUNT} => {NONZERO} => {FLOW} => {within("A(0)", "B(0)")} =>
           (all t:R. 0 <= t => {within("A(t)", "B(t)")}))""",
    says="The set of (A, B) with row(A) and col(B) contained in the span does not depend on the data and is invariant for"
    " any data.",
    uses=["bai2024.prop-1-invariance"],
)
def containment_is_invariant_for_any_data(g: Goal) -> None:
    """The amended Proposition 1 (i)."""
    g.fix()
    for name in ("size", "k_lo", "k_hi", "independent"):
        g.assume(name)
    g.fix()
    for name in ("binary", "positive", "count", "nonzero", "flow", "start"):
        g.assume(name)

    def law(h: str) -> Script:
        def script(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.nc((g.apply(h, "t"), 1, None, None))

        return script

    def flow(g: Goal) -> None:
        a, b = g.split("flow")
        g.conj(law(a), law(b))

    names = ("size", "k_lo", "k_hi", "independent", "binary", "positive", "count", "nonzero", "start")
    scripts: list[Script] = [lambda g, n=n: g.close_by(n) for n in names]
    scripts.insert(8, flow)
    whole = g.lemma("bai2024.prop-1-invariance", "amendment", *["d", "k", "n", "V", "P", "M", "A", "B"], by=scripts)
    g.close_by(whole)


@holds(
    "bai2024.def-omega-k",
    f"""all d k:Z, V:M(k,d). 0 <= k => k <= d => {INDEPENDENT} => (ex A B:M(d,d). {spans("A", "B")}) and
        (1 <= k => {within("O(d,d)", "O(d,d)")} and not {spans("O(d,d)", "O(d,d)")}) and
        (k = 0 => (all A B:M(d,d). {spans("A", "B")} <=> {within("A", "B")}))""",
    argument="sound",
    reading="a definition is not true or false: what is proved is that the set is not empty, and how it differs "
    "from the set with "
    "inclusions in place of the two equations (which Appendix A.6 and A.7 use): for k >= 1 only the latter contains (0, 0), "
    "for k = 0 they agree",
)
def manifold_is_not_empty(g: Goal) -> None:
    """A = B = V^T V."""
    g.fix()
    g.assume()
    g.assume()
    g.assume("independent")

    def some(g: Goal) -> None:
        def regular(g: Goal) -> None:
            g.contra()
            u = g.obtain(g.by_fact("det_kernel", "k", "V @ T(V)"), "v")
            h = g.have("T(T(V) @ v) @ (T(V) @ v) = O(1,1)", lambda g: g.nc((u[1], 1, "T(v)", None)))
            g.have("tr(T(T(V) @ v) @ (T(V) @ v)) = 0", lambda g: (g.rewrite(h), g.field()))
            g.by_fact("frobenius_zero", "d", 1, "T(V) @ v")
            g.clash(g.apply("independent", "v"), u[0])

        g.have("det(V @ T(V)) != 0", regular, name="det")
        right = g.by_fact("inv_right", "k", "V @ T(V)")
        left = g.by_fact("inv_left", "k", "V @ T(V)")
        g.witness("T(V) @ V", "T(V) @ V")

        def part_(x: str, *eqs: tuple[str, str, str | None, str | None]) -> Script:
            return lambda g: (g.witness(x), g.nc(*eqs))

        g.conj(
            part_("T(V)"),
            part_("inv(V @ T(V)) @ V", (left, "-1", None, "V")),
            part_("V"),
            part_("T(V) @ inv(V @ T(V))", (right, "-1", "T(V)", None)),
        )

    def zero(g: Goal) -> None:
        g.assume()
        inside = lambda g: g.conj(  # noqa: E731
            lambda g: (g.witness("O(d,k)"), g.nc())[-1], lambda g: (g.witness("O(k,d)"), g.nc())[-1]
        )

        def outside(g: Goal) -> None:
            whole = g.split(g.assume())[1]
            x = g.obtain(whole, "X")[0]
            flat = g.have("T(V) = T(X @ O(d,d))", lambda g: (g.rewrite(x), g.refl())[-1])
            v = g.apply("independent", "J(k,1)", by=[lambda g: g.nc((flat, 1, None, "J(k,1)"))])
            e = g.have("J(k,1)[1,1] = O(k,1)[1,1]", lambda g: (g.rewrite(v), g.refl())[-1])
            g.have("1 = 0", lambda g: g.field((e, 1)), name="wrong")
            g.pos([], eqs=[("wrong", -1)])

        g.conj(inside, outside)

    def empty(g: Goal) -> None:
        none = g.assume()
        g.fix("A", "B")

        def narrow(g: Goal) -> None:
            a, _, b, _ = g.split(g.assume())
            g.conj(lambda g: g.close_by(a), lambda g: g.close_by(b))

        def wide(g: Goal) -> None:
            a, b = g.split(g.assume())

            def nothing(x: str) -> Script:
                """Both sides have no row or no column."""

                def script(g: Goal) -> None:
                    g.witness(x)
                    g.extn("i", "j")
                    g.contra()
                    bounds = [h for h, f in g.seq.hyps.items() if f[0] == "<=" and f[2] == "k" and f[1] in ("i", "j")]
                    low = [h for h, f in g.seq.hyps.items() if f == ("<=", 1, g.hyp_formula(bounds[0])[1])]
                    g.pos([f"@{bounds[0]}"], [f"@{low[0]}"], [1], eqs=[(none, -1)])

                return script

            g.conj(lambda g: g.close_by(a), nothing("O(k,d)"), lambda g: g.close_by(b), nothing("O(d,k)"))

        g.iff(narrow, wide)

    g.conj(some, zero, empty)
