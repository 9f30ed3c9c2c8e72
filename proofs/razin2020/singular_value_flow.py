"""Equation (27): the evolution of a singular value of the product matrix."""

from __future__ import annotations

from typing import Any

from proofs.razin2020.balanced_products import power_sum
from proofs.razin2020.factorisation import BALANCED, FLOW, GRADIENT, PADDING, factors
from proofs.razin2020.product_dynamics import LEFT, RIGHT, TERM, flow_lemma
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

ORTHONORMAL = """(all i j:Z, t:R. 1 <= i and i <= q => 1 <= j and j <= q => 0 <= t =>
          (i = j => T({0}(i,t)) @ {0}(j,t) = I(1)) and (i != j => T({0}(i,t)) @ {0}(j,t) = O(1,1)))"""
DECOMPOSITION = f"""(all t:R. 0 <= t => X(t) = sum(i, 1, q, s(i,t)*(u(i,t) @ T(v(i,t))))) =>
       (all i:Z, t:R. 1 <= i and i <= q => 0 <= t => 0 <= s(i,t)) =>
       {ORTHONORMAL.format("u")} => {ORTHONORMAL.format("v")} =>"""
"""The singular value decomposition of Lemma 5, with smooth singular values and vectors; q = min(r, c)."""


@part(
    "razin2020.eq-27",
    "eigenvector-powers",
    """all n:Z, m:R, S:M(n,n), v:V(n), w:M(1,n). S @ v = m*v => w @ S = m*w => all k:Z. 0 <= k => S^k @ v = m^k*v and w @ S^k
    = m^k*w""",
    says="powers of a matrix at a right and a left eigenvector",
)
def powers_at_an_eigenvector(g: Goal) -> None:
    """Induction on k."""
    g.fix()
    right, left = g.assume(), g.assume()
    ih = g.induct("k")
    lo = next(k for k in g.seq.hyps if k.endswith("_lo"))

    def base(g: Goal) -> None:
        g.rewrite(next(reversed(g.seq.hyps)), back=True)
        g.conj(lambda g: g.nc(), lambda g: g.nc())

    def step(g: Goal) -> None:
        strict = next(reversed(g.seq.hyps))
        g.by_fact("int_lt", 0, "k", by=[using(strict)])
        a, b = g.split(g.apply(ih, "k - 1"))
        p = power_sum(g, "n", "S", "k - 1", "1", "k")
        next_power = g.by_fact("ipow_step", "m", "k - 1")
        power = g.have("m^k = m*m^(k-1)", lambda g: g.field((next_power, 1)))
        g.rewrite(power)
        g.conj(
            lambda g: g.nc((p, 1, None, "v"), (right, 1, "S^(k-1)", None), (a, "m", None, None)),
            lambda g: g.nc((p, 1, "w", None), (b, 1, None, "S"), (left, "m^(k-1)", None, None)),
        )

    g.cases(g.by_fact("lt_or_eq", 0, "k", by=[using(lo)]), step, base)


TRIPLE = """(all t:R. 0 <= t => X(t) @ v(i,t) = s(i,t)*u(i,t) and T(X(t)) @ u(i,t) = s(i,t)*v(i,t)) =>
       (all t:R. 0 <= t => T(u(i,t)) @ u(i,t) = I(1) and T(v(i,t)) @ v(i,t) = I(1)) =>"""
"""u_i, v_i are smooth unit vectors that X and X^T map to multiples of each other; the factor s_i may have any sign."""
PAIRING = "tr(T(G(t)) @ (u(i,t) @ T(v(i,t))))"


@part(
    "razin2020.eq-27",
    "signed",
    f"""all {factors("r", "c")}, s:(Z,R)~>R, u:(Z,R)~>V(r), v:(Z,R)~>V(c), i:Z. {FLOW} {BALANCED} {TRIPLE}
       all t m:R. 0 <= t => 0 <= m => m^L = s(i,t)^2 => d(1,s,i,t) = -L*m^(L-1)*{PAIRING}""",
    says="(27) for one triple of a smooth singular value of any sign and its vectors; m is |s|^(2/L)",
    uses=["razin2020.lemma-4", "razin2020.eq-27"],
)
def evolution_of_a_signed_singular_value(g: Goal) -> None:
    """s = u^T X v and the derivatives of the unit vectors drop out, so s' = u^T X' v; W_L W_L^T and W_1^T W_1 have u and v
    as eigenvectors
    with the eigenvalue s^(2/L), so each of the L terms of Lemma 4 contributes -s^(2(L-1)/L) <G, u v^T>."""
    names = g.intro()
    hyps, (pairs, units) = names[:9], names[9:11]
    nonneg, power = names[12:14]
    dynamics = flow_lemma(g, "part:dynamics-by-powers", hyps, ("r", "c"))
    velocity, xx, yy = g.split(g.apply(dynamics, "t"))
    ui, vi, si = "u(i,t)", "v(i,t)", "s(i,t)"
    xv, xu = g.split(g.apply(pairs, "t"))

    # s = u^T X v for all times, hence its derivative
    def scalar(g: Goal) -> None:
        g.fix("w")
        g.assume()
        k = g.split(g.apply(pairs, "w"))[0]
        one = g.split(g.apply(units, "w"))[0]
        e = g.have(
            "T(u(i,w)) @ X(w) @ v(i,w) = s(i,w)*I(1)", lambda g: g.nc((k, 1, "T(u(i,w))", None), (one, "s(i,w)", None, None))
        )
        g.rewrite(e)
        g.field()

    h = g.fact("derivative_agrees", 0, "lam w:R. s(i,w)", "lam w:R. tr(T(u(i,w)) @ X(w) @ v(i,w))")
    speed = g.apply(g.apply(h, by=[None, scalar], n=2), "t")
    du = orthogonal_derivative(g, units, 0, "u")
    dv = orthogonal_derivative(g, units, 1, "v")

    def as_sum(g: Goal) -> None:
        a = g.have(
            "T(d(1,u,i,t)) @ X(t) @ v(i,t) = s(i,t)*(T(d(1,u,i,t)) @ u(i,t))", lambda g: g.nc((xv, 1, "T(d(1,u,i,t))", None))
        )
        b = g.have("T(u(i,t)) @ X(t) @ d(1,v,i,t) = s(i,t)*(T(v(i,t)) @ d(1,v,i,t))", lambda g: transpose_row(g, xu))
        x = g.have("tr(T(d(1,u,i,t)) @ X(t) @ v(i,t)) = tr(s(i,t)*(T(d(1,u,i,t)) @ u(i,t)))", lambda g: g.ctx(using(a)))
        y = g.have("tr(T(u(i,t)) @ X(t) @ d(1,v,i,t)) = tr(s(i,t)*(T(v(i,t)) @ d(1,v,i,t)))", lambda g: g.ctx(using(b)))
        g.field((speed, 1), (x, 1), (y, 1), (du, si), (dv, si))

    core = g.have("d(1,s,i,t) = tr(T(u(i,t)) @ X'(t) @ v(i,t))", as_sum)
    ru = eigen(g, "r", LEFT, ui, "T(B(t)) @ w", xx, "X(t)", (xu, xv), nonneg, power)
    sv_ = eigen(g, "c", RIGHT, vi, "A(t) @ w", yy, "T(X(t))", (xv, xu), nonneg, power)
    pu, pv = powers(g, "r", LEFT, ui, ru), powers(g, "c", RIGHT, vi, sv_)
    body = f"lam l:Z. {TERM}"
    into_v = g.fact("matrix_sum_mul_right", "r", "c", 1, 1, "L", vi, body)
    into_u = g.fact("matrix_sum_mul_left", "r", 1, 1, 1, "L", f"T({ui})", summand(g, into_v))
    constant = f"m^(L-1)*(T({ui}) @ G(t) @ {vi})"

    def term(g: Goal) -> None:
        g.fix("l")
        g.split_all(g.assume())
        t = g.split(g.apply(pu, "l - 1"))[1]
        b = g.split(g.apply(pv, "L - l"))[0]
        c = g.by_fact("ipow_add", "m", "l - 1", "L - l")
        e = g.have("m^(L-1) = m^(l-1)*m^(L-l)", lambda g: g.field((c, 1)))
        g.rewrite(e)
        g.nc((t, 1, None, f"G(t) @ ({RIGHT})^(L-l) @ {vi}"), (b, "m^(l-1)", f"T({ui}) @ G(t)", None))

    ext = g.by_fact("matrix_sum_ext", 1, 1, 1, "L", summand(g, into_u), f"lam l:Z. {constant}", by=[term])
    const = g.by_fact("matrix_sum_const", 1, 1, 1, "L", constant)
    total = g.have(
        f"T({ui}) @ X'(t) @ {vi} = -L*({constant})",
        lambda g: g.nc(
            (velocity, 1, f"T({ui})", vi),
            (into_v, -1, f"T({ui})", None),
            (into_u, -1, None, None),
            (ext, -1, None, None),
            (const, -1, None, None),
        ),
    )
    value = g.have(f"tr(T({ui}) @ X'(t) @ {vi}) = tr(-L*({constant}))", lambda g: g.ctx(using(total)))
    g.field((core, 1), (value, 1))


@holds(
    "razin2020.eq-27",
    f"""all {factors("r", "c")}, s:(Z,R)~>R, u:(Z,R)~>V(r), v:(Z,R)~>V(c), q:Z. q = min(r,c) => {FLOW} {BALANCED} {DECOMPOSITION}
       all i:Z, t:R. 1 <= i and i <= q => 0 <= t =>
         (0 < s(i,t) => d(1,s,i,t) = -L*(s(i,t)^2)^(1 - 1/L)*tr(T(G(t)) @ (u(i,t) @ T(v(i,t))))) and
         (s(i,t) = 0 => d(1,s,i,t) = 0)""",
    uses=["razin2020.lemma-4", "razin2020.eq-27"],
    argument="sound",
    reading=f"the power with exponent 1 - 1/L is 0 where the singular value is 0 (as L >= 2); {PADDING}",
    context="the smooth singular value decomposition [Lemma 5]" + GRADIENT,
)
def evolution_of_a_singular_value(g: Goal) -> None:
    """Each triple of the decomposition satisfies X v = s u and X^T u = s v; m = s^(2/L) in the signed form."""
    _, *names = g.intro()
    hyps, (whole, _sign, left, right) = names[:9], names[9:13]
    pairs = pairings(g, whole, left, right)

    def units(g: Goal) -> None:
        g.fix("w")
        g.assume()
        one, two = unit(g, left, "u", "w"), unit(g, right, "v", "w")
        g.conj(using(one), using(two))

    norms = g.have("all w:R. 0 <= w => T(u(i,w)) @ u(i,w) = I(1) and T(v(i,w)) @ v(i,w) = I(1)", units)
    signed = g.lemma(
        "razin2020.eq-27",
        "part:signed",
        "r",
        "c",
        "n",
        "L",
        *"ABWPQGXCsuv",
        "i",
        by=[*[using(h) for h in hyps], using(pairs), using(norms)],
    )

    def positive(g: Goal) -> None:
        g.assume()
        g.have("0 < L")
        root = "(s(i,t)^2)^(1/L)"
        up = g.by_fact("pow_pow", "s(i,t)^2", "1/L", "L")
        down = g.by_fact("pow_pow", "s(i,t)^2", "1/L", "L - 1")
        k = g.apply(signed, "t", root, by=[None, None, lambda g: g.field((up, 1))])
        g.field((k, 1), (down, f"-L*{PAIRING}"))

    def zero(g: Goal) -> None:
        eq = g.assume()
        z = g.by_fact("ipow_zero", "L")
        w = g.by_fact("ipow_zero", "L - 1")
        k = g.apply(signed, "t", 0, by=[None, None, lambda g: g.field((z, 1), (eq, "-s(i,t)"))])
        g.field((k, 1), (w, f"-L*{PAIRING}"))

    g.conj(positive, zero)


def summand(g: Goal, h: str) -> Any:
    """The summand of the sum on the right side of an equation, as a function of the index."""
    _, i, _, _, body = g.hyp_formula(h)[2]
    return ("lam", ((i, "Z"),), body)


def unit(g: Goal, orthonormal: str, u: str, t: str) -> str:
    """Adds u_i^T u_i = I(1) at time t."""

    def prove(g: Goal) -> None:
        k = g.split(g.apply(orthonormal, "i", "i", t))[0]
        g.close_by(g.apply(k, by=[Goal.refl]))

    return g.have(f"T({u}(i,{t})) @ {u}(i,{t}) = I(1)", prove)


def orthogonal_derivative(g: Goal, units: str, which: int, u: str) -> str:
    """Adds tr(T(u') u) = 0 for a unit vector."""

    def prove(g: Goal) -> None:
        def agree(g: Goal) -> None:
            g.fix("w")
            g.assume()
            g.close_by(g.split(g.apply(units, "w"))[which])

        h = g.fact("derivative_agrees_matrix", 1, 1, 0, f"lam w:R. T({u}(i,w)) @ {u}(i,w)", "lam w:R. I(1)")
        k = g.apply(g.apply(h, by=[None, agree], n=2), "t")
        e = f"T(d(1,{u},i,t)) @ {u}(i,t) + T({u}(i,t)) @ d(1,{u},i,t)"
        zero = g.have(f"{e} = O(1,1)", lambda g: g.nc((k, 1, None, None)))
        value = g.have(f"tr({e}) = tr(O(1,1))", lambda g: g.ctx(using(zero)))
        g.field((value, "1/2"))

    return g.have(f"tr(T(d(1,{u},i,t)) @ {u}(i,t)) = 0", prove)


def pairings(g: Goal, whole: str, left: str, right: str) -> str:
    """Adds, for all t >= 0: X v_i = s_i u_i and X^T u_i = s_i v_i."""
    term = "s(j,w)*(u(j,w) @ T(v(j,w)))"

    def prove(g: Goal) -> None:
        g.fix("w")
        g.assume()
        x = g.apply(whole, "w")
        x = g.have(f"X(w) = sum(j, 1, q, {term})", using(x))
        one = unit(g, left, "u", "w")
        two = unit(g, right, "v", "w")

        def product(g: Goal) -> None:
            into = g.fact("matrix_sum_mul_right", "r", "c", 1, 1, "q", "v(i,w)", f"lam j:Z. {term}")

            def other(g: Goal) -> None:
                g.fix("j")
                g.split_all(g.assume())
                different = g.assume()
                k = g.apply(g.split(g.apply(right, "j", "i", "w"))[1], by=[using(different)])
                g.nc((k, "s(j,w)", "u(j,w)", None))

            d = g.by_fact("matrix_sum_delta", "r", 1, 1, "q", "i", f"lam j:Z. ({term}) @ v(i,w)", by=[None, None, other])
            g.nc((x, 1, None, "v(i,w)"), (into, 1, None, None), (d, 1, None, None), (two, "s(i,w)", "u(i,w)", None))

        def transposed(g: Goal) -> None:
            turn = g.fact("matrix_sum_transpose", "r", "c", 1, "q", f"lam j:Z. {term}")
            into = g.fact("matrix_sum_mul_right", "c", "r", 1, 1, "q", "u(i,w)", f"lam j:Z. T({term})")

            def other(g: Goal) -> None:
                g.fix("j")
                g.split_all(g.assume())
                different = g.assume()
                k = g.apply(g.split(g.apply(left, "j", "i", "w"))[1], by=[using(different)])
                g.nc((k, "s(j,w)", "v(j,w)", None))

            d = g.by_fact("matrix_sum_delta", "c", 1, 1, "q", "i", f"lam j:Z. T({term}) @ u(i,w)", by=[None, None, other])
            e = g.have(f"T(X(w)) = T(sum(j, 1, q, {term}))", lambda g: g.ctx(using(x)))
            g.nc(
                (e, 1, None, "u(i,w)"),
                (turn, 1, None, "u(i,w)"),
                (into, 1, None, None),
                (d, 1, None, None),
                (one, "s(i,w)", "v(i,w)", None),
            )

        g.conj(product, transposed)

    return g.have("all w:R. 0 <= w => X(w) @ v(i,w) = s(i,w)*u(i,w) and T(X(w)) @ u(i,w) = s(i,w)*v(i,w)", prove)


def transpose_row(g: Goal, h: str) -> None:
    """u^T X v' = s v^T v' from X^T u = s v."""
    k = g.have("T(T(X(t)) @ u(i,t)) = T(s(i,t)*v(i,t))", lambda g: g.ctx(using(h)))
    g.nc((k, 1, None, "d(1,v,i,t)"))


def powers(g: Goal, n: str, gram: str, vector: str, h: str) -> str:
    """Powers of the symmetric gram matrix at its eigenvector, from both sides."""

    def row(g: Goal) -> None:
        k = g.have(f"T({gram} @ {vector}) = T(m*{vector})", lambda g: g.ctx(lambda g: g.nc((h, 1, None, None))))
        g.nc((k, 1, None, None))

    return g.lemma(
        "razin2020.eq-27",
        "part:eigenvector-powers",
        n,
        "m",
        gram,
        vector,
        f"T({vector})",
        by=[lambda g: g.nc((h, 1, None, None)), row],
    )


def eigen(
    g: Goal, n: str, gram: str, vector: str, half: str, power: str, x: str, pair: tuple[str, str], nonneg: str, root: str
) -> str:
    """Adds gram vector = m vector: the L-th power of the semidefinite gram matrix has the eigenvalue m^L = s^2."""

    def semidefinite(g: Goal) -> None:
        g.fix("w")
        g.pos([f"tr(T({half}) @ ({half}))"])

    def eigenvalue(g: Goal) -> None:
        g.rewrite(root)
        g.nc((power, -1, None, vector), (pair[0], 1, x, None), (pair[1], "s(i,t)", None, None))

    return g.by_fact(
        "psd_power_eigenvector",
        n,
        "L",
        "m",
        gram,
        vector,
        by=[None, using(nonneg), None, semidefinite, eigenvalue],
    )
