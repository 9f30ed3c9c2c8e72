"""Appendix G.3: the stacked factors Theta = [A; B^T], the lifted loss (70) and its Jacobian (72) to (74), steps of
Corollary 27."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import CONTEXT, CORE, READING, SETTING, moved, n2
from proofs.shin2025.small_loss import SMALL, from_squares
from proofs.shin2025.stable_rank import BALANCED, stable_rank
from verify.kernel import Goal
from verify.registry import holds

BLOCKS = "T(E) @ E = I(d) => T(F) @ F = I(d) => T(E) @ F = O(d,d) =>"
STACKED = "[P; Q] is written E P + F Q with E = [I; 0] and F = [0; I], of which only E^T E = F^T F = I and E^T F = 0 are used."
THETA, BAR = "(E @ A + F @ T(B))", "(1/2*(E @ X(n) @ T(F) + F @ T(X(n)) @ T(E)))"
LIFTED = f"tr(T({THETA} @ T{THETA}) @ {BAR})"


def relations(g: Goal, e: str, f: str, o: str) -> list[str]:
    """The relations in both orders."""
    t = g.have(
        "T(F) @ E = O(d,d)",
        lambda g: g.exact(g.have("T(T(E) @ F) = O(d,d)", lambda g: (g.rewrite(o), g.nc())[-1]), by=[lambda g: g.nc()]),
    )
    return [e, f, o, t]


@holds(
    "shin2025.eq-70",
    f"""all d N:Z, A B:M(d,d), E F:M(2*d,d), X:Z->M(d,d), y:Z->R. {BLOCKS}
        sum(n, 1, N, (tr(T(A @ B) @ X(n)) - y(n))^2)/2 = sum(n, 1, N, ({LIFTED} - y(n))^2)/2""",
    argument="sound",
    reading=f"{STACKED} The sum over n is |F(Theta) - y|^2; it holds for any measurement matrices X_n.",
)
def lifted_loss(g: Goal) -> None:
    """<Theta Theta^T, X_bar> = <A B, X>, term by term."""
    r = g.intro()

    def term(g: Goal) -> None:
        (n,) = g.fix("n")
        g.split_all(g.assume())
        x = f"X({n})"
        rel = relations(g, *r)
        m = g.have(
            f"T{THETA} @ ({BAR.replace('X(n)', x)} @ {THETA}) = 1/2*(T(A) @ {x} @ T(B) + B @ T({x}) @ A)", lambda g: g.nc(rw=rel)
        )
        k = g.have(
            f"tr(T{THETA} @ ({BAR.replace('X(n)', x)} @ {THETA})) = tr(T(A @ B) @ {x})", lambda g: (g.rewrite(m), g.field())[-1]
        )
        g.have(f"tr(T(A @ B) @ {x}) = {LIFTED.replace('X(n)', x)}", lambda g: g.field((k, -1)))
        e = list(g.seq.hyps)[-1]
        g.rewrite(e)
        g.refl()

    h = g.by_fact("sum_ext", "1", "N", "lam n:Z. (tr(T(A @ B) @ X(n)) - y(n))^2", f"lam n:Z. ({LIFTED} - y(n))^2", by=[term])
    g.field((h, "1/2"))


@holds(
    "shin2025.proof-step-theta-sv",
    f"""all d:Z, A B G:R~>M(d,d), E F:M(2*d,d). 1 <= d => {BLOCKS}
        (all t:R. 0 <= t => A'(t) = -(G(t) @ T(B(t))) and B'(t) = -(T(A(t)) @ G(t))) => {BALANCED} => all t:R. 0 <= t =>
        T(E @ A(t) + F @ T(B(t))) @ (E @ A(t) + F @ T(B(t))) = T(A(t)) @ A(t) + B(t) @ T(B(t)) and
        T(A(t)) @ A(t) + B(t) @ T(B(t)) = 2*(T(A(t)) @ A(t)) and
        (all i:Z. 1 <= i and i <= d => sv(E @ A(t) + F @ T(B(t)), i) = sqrt(2)*sv(A(t), i)) and
        sqrt({n2("E @ A(0) + F @ T(B(0))")}) = sqrt(2)*sqrt({n2("A(0)")}) and sv(E @ A(0) + F @ T(B(0)), 1) =
        sqrt(2)*spec(A(0))""",
    argument="sound",
    uses=[CORE],
    reading=f"{STACKED} G(t) is the gradient of the loss at the product.",
)
def singular_values_of_the_stack(g: Goal) -> None:
    """Theta^T Theta = 2 A^T A = (sqrt 2 A)^T (sqrt 2 A)."""
    d1, e, f, o, fl, bal, t0 = g.intro()
    rel = relations(g, e, f, o)
    b = g.apply(g.lemma(CORE, "part:balanced", "d", "d", "d", "A", "B", "G"), "t")

    def gram(g: Goal, t: str, h: str) -> str:
        x = f"(E @ A({t}) + F @ T(B({t})))"
        one = g.have(f"T{x} @ {x} = T(A({t})) @ A({t}) + B({t}) @ T(B({t}))", lambda g: g.nc(rw=rel))
        return g.have(
            f"T{x} @ {x} = T(sqrt(2)*A({t})) @ (sqrt(2)*A({t}))", lambda g: g.nc((one, 1, None, None), (h, -1, None, None))
        )

    def values(g: Goal, t: str, h: str, i: str) -> str:
        x, y = f"(E @ A({t}) + F @ T(B({t})))", f"sqrt(2)*A({t})"
        k = gram(g, t, h)
        p, q = g.by_fact("sv_gram", "2*d", "d", i, x), g.by_fact("sv_gram", "d", "d", i, y)
        p = g.rewritten(p, k)
        c = g.fact("sv_scale", "d", "d", i, "sqrt(2)", f"A({t})")
        r = g.have(f"sv({y}, {i}) = sqrt(2)*sv(A({t}), {i})", lambda g: g.field((c, 1)))
        a, z = f"sv({x}, {i})", f"(sqrt(2)*sv(A({t}), {i}))"
        sq = g.have(f"{a}^2 = {z}^2", lambda g: g.field((p, 1), (q, -1), (r, f"sv({y}, {i}) + {z}")))
        g.split(g.apply(g.fact("sv_range", "2*d", "d", x), i, i))
        g.split(g.apply(g.fact("sv_range", "d", "d", f"A({t})"), i, i))

        def equal(g: Goal) -> None:
            g.antisym(
                lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", z], eqs=[(sq, -1)]))[-1],
                lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", a], eqs=[(sq, 1)]))[-1],
            )

        return g.have(f"{a} = sqrt(2)*sv(A({t}), {i})", equal)

    def each(g: Goal) -> None:
        g.fix("i")
        g.split_all(g.assume())
        g.close_by(values(g, "t", b, "i"))

    def norm(g: Goal) -> None:
        k = gram(g, "0", bal)
        n = g.have(f"{n2('E @ A(0) + F @ T(B(0))')} = 2*{n2('A(0)')}", lambda g: (g.rewrite(k), g.field())[-1])
        g.rewrite(n)
        x = n2("A(0)")
        p, q = g.by_fact("sqrt_sq", f"2*{x}"), g.by_fact("sqrt_sq", x)
        g.by_fact("sqrt_nonneg", f"2*{x}")
        g.by_fact("sqrt_nonneg", x)
        a, z = f"sqrt(2*{x})", f"(sqrt(2)*sqrt({x}))"
        sq = g.have(f"{a}^2 = {z}^2", lambda g: g.field((p, 1), (q, -2)))
        g.antisym(
            lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", z], eqs=[(sq, -1)]))[-1],
            lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", a], eqs=[(sq, 1)]))[-1],
        )

    def top(g: Goal) -> None:
        g.have("1 <= 1")
        k = values(g, "0", bal, "1")
        s = g.fact("spec_is_sv", "d", "d", "A(0)")
        g.field((k, 1), (s, "-sqrt(2)"))

    g.conj(lambda g: g.nc(rw=rel), lambda g: g.nc((b, -1, None, None)), each, norm, top)
    del d1, fl, t0


AT, START = "(E @ A(t) + F @ T(B(t)))", "(E @ A(0) + F @ T(B(0)))"
STACKS = f"{SETTING.replace('s S:R.', 's S:R, E F:M(2*d,d).')} {BLOCKS} {SMALL} => {BALANCED} => all t:R. 0 <= t =>"
K = "s/(4*sqrt(d))"


def moved_stack(g: Goal, rel: list[str]) -> str:
    """|Theta(t) - Theta(0)|_F^2 <= K^2."""
    g.have("0 < d")
    m = g.have(
        f"{n2(f'{AT} - {START}')} = {moved('t')}",
        lambda g: (
            e := g.have(
                f"T({AT} - {START}) @ ({AT} - {START}) = T(A(t) - A(0)) @ (A(t) - A(0)) + (B(t) - B(0)) @ T(B(t) - B(0))",
                lambda g: g.nc(rw=rel),
            ),
            g.rewrite(e),
            g.field(),
        )[-1],
    )
    h = g.lemma(CORE, "part:captured", "d", "M", "Z", "A", "B", "s", "S")
    k = g.split(g.apply(h, "t"))[2]
    return g.have(f"{n2(f'{AT} - {START}')} <= ({K})^2", lambda g: g.pos([f"@{k}"], ["s^2/d", "2257/38416"], eqs=[(m, "-1")]))


@holds(
    "shin2025.proof-step-weyl",
    f"""{STACKS} (all i:Z. 1 <= i and i <= d => abs(sv({AT}, i) - sv({START}, i)) <= spec({AT} - {START})) and
        spec({AT} - {START}) <= sqrt({n2(f"{AT} - {START}")}) and sqrt({n2(f"{AT} - {START}")}) <= {K}""",
    argument="sound",
    uses=[CORE],
    reading=f"{READING} {STACKED}",
    context=CONTEXT,
)
def stack_moves_little(g: Goal) -> None:
    """Weyl's inequality, the spectral norm by the Frobenius norm, and the distance of Theorem 26."""
    hs = g.intro()
    rel = relations(g, *hs[9:12])
    k = moved_stack(g, rel)
    x = n2(f"{AT} - {START}")
    e = g.by_fact("sqrt_sq", x)
    g.by_fact("sqrt_nonneg", x)
    small = g.have(f"{x} <= sqrt({x})^2", lambda g: g.pos(eqs=[(e, 1)]))

    def each(g: Goal) -> None:
        g.fix("i")
        g.split_all(g.assume())
        g.close_by(g.fact("sv_perturbation", "2*d", "d", "i", AT, START))

    g.conj(
        each,
        lambda g: g.close_by(g.lemma(CORE, "part:spectral-by-frobenius", "2*d", "d", f"sqrt({x})", f"{AT} - {START}")),
        lambda g: from_squares(g, x, K, k),
    )
    del small


@holds(
    "shin2025.proof-step-theta-stable-rank",
    f"""{STACKS} sqrt({n2(START)}) - {K} <= sqrt({n2(AT)}) and sv({AT}, 1) <= sv({START}, 1) + {K} and
        ((sqrt({n2(START)}) - {K})/(spec({START}) + {K}))^2 <= {stable_rank(AT)}""",
    argument="sound",
    uses=[CORE, "shin2025.proof-step-weyl"],
    reading=f"{READING} {STACKED}",
    context=CONTEXT,
)
def stable_rank_of_the_stack(g: Goal) -> None:
    """Both norms move by at most K."""
    hs = g.intro()
    rel = relations(g, *hs[9:12])
    moved_stack(g, rel)
    size = g.lemma(CORE, "part:start-size", "d", "M", "Z", "A", "B", "s", "S")
    n = g.have(
        f"{n2(START)} = {n2('A(0)')} + {n2('B(0)')}",
        lambda g: (
            e := g.have(f"T({START}) @ {START} = T(A(0)) @ A(0) + B(0) @ T(B(0))", lambda g: g.nc(rw=rel)),
            g.rewrite(e),
            g.field(),
        )[-1],
    )
    x, y = n2(AT), n2(START)
    _ex, ey = g.by_fact("sqrt_sq", x), g.by_fact("sqrt_sq", y)
    g.by_fact("sqrt_nonneg", x)
    g.by_fact("sqrt_nonneg", y)
    one = g.have("0 <= d - 1")
    a, _b = f"sqrt({y})", f"sqrt({x})"

    def inside(g: Goal) -> None:
        more = g.contra()
        g.pos([f"@{more}", f"{K} + {a}"], [f"@{size}"], ["s^2/d", f"@{one}"], ["s^2/d", "15/16"], eqs=[(ey, "1"), (n, "1")])

    g.have(f"{K} < {a}", inside)
    r = g.lemma(CORE, "part:stable-rank", "2*d", "d", K, AT, START)
    w = g.lemma("shin2025.proof-step-weyl", "statement", "d", "M", "Z", "A", "B", "s", "S", "E", "F")
    w1, w2, w3 = g.split(g.apply(w, "t"))
    w1 = g.apply(w1, "1")
    u = f"abs(sv({AT},1) - sv({START},1))"
    w1 = g.have(f"{u} <= {K}", lambda g: g.pos([f"@{w1}"], [f"@{w2}"], [f"@{w3}"]))
    up = g.split(g.apply(g.split(g.fact("abs_le", f"sv({AT},1) - sv({START},1)", K))[0]))[1]

    longer = g.lemma(CORE, "part:frobenius-triangle", "2*d", "d", K, AT, START)
    g.conj(lambda g: g.close_by(longer), lambda g: g.pos([f"@{up}"]), lambda g: g.close_by(r))
