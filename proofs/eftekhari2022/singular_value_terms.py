"""Appendices G and M: the terms of the operator in singular coordinates, and the evolution of one singular value."""

from __future__ import annotations

from proofs.eftekhari2022.preconditioner import READING, powers
from proofs.eftekhari2022.rank_one_flow import INDUCED, INDUCED_VARIABLES, POWER, ROOTS_READING
from proofs.eftekhari2022.singular_coordinates import DECOMPOSITION, INNER, ROOTS, conjugations, intro_whole
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

TERM = "F(j) @ D_ @ H(j)"
COORDINATES = "U @ K(j) @ T(U) @ D_ @ V @ L(j) @ T(V)"


@holds(
    "eftekhari2022.eq-191",
    f"""{DECOMPOSITION} {ROOTS} {powers("K", "L", "S @ T(S)", "T(S) @ S", "N")} =>
       W @ T(W) = U @ (S @ T(S)) @ T(U) and T(W) @ W = V @ (T(S) @ S) @ T(V) and
       (all j:Z. 1 <= j and j <= N => {TERM} = {COORDINATES}) and sum(j, 1, N, {TERM}) = sum(j, 1, N, {COORDINATES})""",
    argument="sound",
    reading=f"{READING}; the shape of S is not needed",
    uses=["eftekhari2022.lemma-24-1"],
)
def operator_term_by_term(g: Goal) -> None:
    """(U S S^T U^T)^(k/N) = U (S S^T)^(k/N) U^T."""
    names = intro_whole(g)
    _, product, u, v = names[:4]

    def each(g: Goal) -> None:
        g.fix("j")
        g.split_all(g.assume())
        f, h = conjugations(g, names, "j", False)
        g.nc(rw=[f, h])

    terms = g.have(f"all j:Z. 1 <= j and j <= N => {TERM} = {COORDINATES}", each)
    g.conj(
        lambda g: g.nc((v, 1, "U @ S", "T(S) @ T(U)"), rw=[product]),
        lambda g: g.nc((u, 1, "V @ T(S)", "S @ T(V)"), rw=[product]),
        using(terms),
        lambda g: g.close_by(
            g.by_fact("matrix_sum_ext", "y", "x", 1, "N", f"lam j:Z. {TERM}", f"lam j:Z. {COORDINATES}", by=[using(terms)])
        ),
    )


@holds(
    "eftekhari2022.eq-192",
    f"""{DECOMPOSITION} {ROOTS} {powers("K", "L", "S @ T(S)", "T(S) @ S", "2*N")} =>
       all j:Z. 1 <= j and j <= N => tr(T(D_) @ ({TERM})) = tr(T({INNER}) @ {INNER})""",
    argument="sound",
    reading=f"{READING}, and S^(k/(2N)) the 2N-th root; the middle member is (191)",
    uses=["eftekhari2022.lemma-24-1", "eftekhari2022.lemma-24-2"],
)
def quadratic_form_term_by_term(g: Goal) -> None:
    """F(j) = U K(j)^2 U^T and H(j) = V L(j)^2 V^T."""
    names = intro_whole(g)
    g.split_all(names[6])
    f, h = conjugations(g, names, "j", True)
    k, m = g.split(g.apply(names[5], "j"))
    k_sym = g.split_all(g.split(k)[0])[0]
    l_sym = g.split_all(g.split(m)[0])[0]
    g.rewrite(f)
    g.rewrite(h)
    middle = "(T(U) @ D_ @ V)"
    g.replace(g.concl[2], f"tr(T(L(j)) @ T({middle}) @ T(K(j)) @ K(j) @ {middle} @ L(j))", lambda g: g.field())
    g.rewrite(k_sym)
    g.rewrite(l_sym)
    g.field()


SMOOTH_PAIR = "u:R~>V(y), v:R~>V(x), s:R~>R"
PAIR = """(all t:R. 0 <= t => 0 <= s(t) and E(t) @ v(t) = s(t)*u(t) and T(E(t)) @ u(t) = s(t)*v(t) and T(u(t)) @ u(t) = I(1) and
           T(v(t)) @ v(t) = I(1)) =>"""
GRADIENT = "(E(t) @ X @ T(X) - Y @ T(X))"


@holds(
    "eftekhari2022.eq-106",
    f"""all {INDUCED_VARIABLES}, {SMOOTH_PAIR}. {INDUCED} {PAIR} all t:R. 0 <= t =>
       (0 < s(t) => s'(t) = -(N*s(t)^{POWER}*tr(T(u(t)) @ {GRADIENT} @ v(t)))) and (s(t) = 0 => s'(t) = 0)""",
    argument="sound",
    reading=f"s, u, v are one component of the decomposition (19), smooth in t; the power with exponent 2 - 2/N is 0 where s is 0; {ROOTS_READING}",
    context="the smooth singular value decomposition [(19)]",
    uses=["eftekhari2022.lemma-11", "eftekhari2022.eq-131"],
)
def evolution_of_a_singular_value(g: Goal) -> None:
    """s = u^T W v, so s' = u^T W' v; u and v are eigenvectors of W W^T and W^T W with the eigenvalue s^2 = c^N."""
    names = g.intro(split=False)
    depth, roots, flow, pair, now = names
    _, right, left, _, _ = g.split(g.apply(pair, "t", by=[using(now)]))
    rate = component_rate(g, pair, now)
    l_psd, l_root, k_psd, k_root = g.split(g.apply(roots, "t", by=[using(now)]))
    speed = g.apply(flow, "t", by=[using(now)])
    velocity = g.lemma(
        "eftekhari2022.lemma-11", "part:velocity-at-eigenvectors", "x", "y", "N", "E(t)", "E'(t)", GRADIENT, "S(t)", "H(t)",
        by=[using(h) for h in (depth, l_psd, l_root, k_psd, k_root, speed)],
    )  # fmt: skip
    form = f"tr(T(u(t)) @ {GRADIENT} @ v(t))"

    def with_root(g: Goal, c: str, power: str) -> str:
        """Adds s' = -N c^(N-1) u^T G v, where c^N = s^2."""
        first = g.have(
            f"T(E(t)) @ E(t) @ v(t) = ({c})^N*v(t)",
            lambda g: (g.rewrite(power), g.nc((right, 1, "T(E(t))", None), (left, "s(t)", None, None))),
        )
        second = g.have(
            f"E(t) @ T(E(t)) @ u(t) = ({c})^N*u(t)",
            lambda g: (g.rewrite(power), g.nc((left, 1, "E(t)", None), (right, "s(t)", None, None))),
        )
        h = g.apply(velocity, c, "v(t)", "u(t)", by=[None, using(first), using(second)])
        trace = g.have(f"tr(T(u(t)) @ E'(t) @ v(t)) = -(N*({c})^(N-1))*{form}", lambda g: (g.rewrite(h), g.field()))
        return g.have(f"s'(t) = -(N*({c})^(N-1))*{form}", lambda g: g.field((rate, 1), (trace, 1)))

    def positive(g: Goal) -> None:
        g.assume()
        g.have("0 < N")
        c = "(s(t)^2)^(1/N)"
        up = g.by_fact("pow_pow", "s(t)^2", "1/N", "N")
        down = g.by_fact("pow_pow", "s(t)^2", "1/N", "N - 1")
        power = g.have(f"({c})^N = s(t)^2", lambda g: g.field((up, 1)))
        value = with_root(g, c, power)
        g.field((value, 1), (down, f"-N*{form}"))

    def zero(g: Goal) -> None:
        eq = g.assume()
        whole, less = g.by_fact("ipow_zero", "N"), g.by_fact("ipow_zero", "N - 1")
        power = g.have("0^N = s(t)^2", lambda g: g.field((whole, 1), (eq, "-s(t)")))
        value = with_root(g, "0", power)
        g.field((value, 1), (less, f"-N*{form}"))

    g.conj(positive, zero)


def component_rate(g: Goal, pair: str, now: str) -> str:
    """Adds s' = u^T W' v: the derivative of s = u^T W v, where u^T u' = 0 and v^T v' = 0."""

    def side(which: int) -> Script:
        def script(g: Goal) -> None:
            g.fix("r")
            h = g.assume()
            g.close_by(g.split(g.apply(pair, "r", by=[using(h)]))[which])

        return script

    du = g.apply(g.lemma("eftekhari2022.eq-131", "part:tangent", "y", "u", by=[side(3)]), "t", by=[using(now)])
    dv = g.apply(g.lemma("eftekhari2022.eq-131", "part:tangent", "x", "v", by=[side(4)]), "t", by=[using(now)])
    h = g.fact("derivative_agrees", 0, "lam r:R. s(r)", "lam r:R. tr(T(u(r)) @ E(r) @ v(r))")

    def same(g: Goal) -> None:
        g.fix("r")
        k = g.assume()
        _, right, _, uu, _ = g.split(g.apply(pair, "r", by=[using(k)]))
        one = g.have("T(u(r)) @ E(r) @ v(r) = s(r)*I(1)", lambda g: g.nc((right, 1, "T(u(r))", None), (uu, "s(r)", None, None)))
        g.rewrite(one)
        g.field()

    speed = g.apply(g.apply(h, by=[None, same], n=2), "t", by=[using(now)])
    _, right, left, _, _ = g.split(g.apply(pair, "t", by=[using(now)]))
    a = g.have("T(u'(t)) @ E(t) @ v(t) = s(t)*(T(u'(t)) @ u(t))", lambda g: g.nc((right, 1, "T(u'(t))", None)))
    turned = g.have("T(T(E(t)) @ u(t)) = T(s(t)*v(t))", lambda g: g.ctx(using(left)))
    b = g.have("T(u(t)) @ E(t) @ v'(t) = s(t)*(T(v(t)) @ v'(t))", lambda g: g.nc((turned, 1, None, "v'(t)")))
    x = g.have("tr(T(u'(t)) @ E(t) @ v(t)) = s(t)*tr(T(u'(t)) @ u(t))", lambda g: (g.rewrite(a), g.field()))
    y = g.have("tr(T(u(t)) @ E(t) @ v'(t)) = s(t)*tr(T(v(t)) @ v'(t))", lambda g: (g.rewrite(b), g.field()))
    p = g.have("tr(T(u(t)) @ u'(t)) = 0", lambda g: (g.rewrite(du), g.field()))
    q = g.have("tr(T(v(t)) @ v'(t)) = 0", lambda g: (g.rewrite(dv), g.field()))
    return g.have("s'(t) = tr(T(u(t)) @ E'(t) @ v(t))", lambda g: g.field((speed, 1), (x, 1), (y, 1), (p, "s(t)"), (q, "s(t)")))
