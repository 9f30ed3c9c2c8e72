"""Proposition 4: the depth 2 flow from a scaled identity; the product matrix stays symmetric and positive definite."""

from __future__ import annotations

from proofs.razin2020.product_dynamics import derivative
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

GRADIENT = "[[0, X(t)[1,2] - 1], [X(t)[2,1] - 1, X(t)[2,2]]]"
DECLARATIONS = "n:Z, A:R~>M(n,2), B:R~>M(2,n), X:R~>M(2,2), al:R"
PROP_4 = f"""all {DECLARATIONS}. 2 <= n => (all t:R. 0 <= t => X(t) = B(t) @ A(t)) =>
       (all t:R. 0 <= t => A'(t) = -(T(B(t)) @ {GRADIENT}) and B'(t) = -({GRADIENT} @ T(A(t)))) =>
       T(B(0)) @ B(0) = A(0) @ T(A(0)) => X(0) = al*I(2) => 0 < al => al <= 1 =>"""
"""The setting of Proposition 4: gradient flow of depth 2 on the observations (6), whose loss has this gradient at X, from balanced
factors A = W_1 (n x 2) and B = W_2 (2 x n) with the product alpha I."""

SETTING = "depth 2: A = W_1, B = W_2, X = W_2 W_1, al = alpha; the flow is written with the gradient of the loss of (6) at X; n >= 2 is the hidden width"

R_LAW = f"-({GRADIENT} @ T(X(t)) + X(t) @ T({GRADIENT}))"
S_LAW = f"-(T({GRADIENT}) @ X(t) + T(X(t)) @ {GRADIENT})"
X_LAW = f"-(R(t) @ {GRADIENT} + {GRADIENT} @ S(t))"
CLOSED = f"""(all t:R. 0 <= t => X'(t) = {X_LAW} and R'(t) = {R_LAW} and S'(t) = {S_LAW}) =>
       (all t:R. 0 <= t => T(R(t)) = R(t) and T(S(t)) = S(t)) => X(0) = al*I(2) => R(0) = al*I(2) => S(0) = al*I(2) =>"""

G12, G21, G22 = "(X(t)[1,2] - 1)", "(X(t)[2,1] - 1)", "X(t)[2,2]"
ENTRIES = [
    "X(t)[1,2] - X(t)[2,1]",
    "R(t)[1,1] - S(t)[1,1]",
    "R(t)[1,2] - S(t)[1,2]",
    "R(t)[2,2] - S(t)[2,2]",
]
VECTOR = "[" + ", ".join(f"[{e}]" for e in ENTRIES) + "]"
MATRIX = f"""[[-(R(t)[2,2] + S(t)[1,1]), -{G12}, -{G22}, {G12}],
       [-{G12} - X(t)[1,2] - X(t)[2,1] - {G21}, 0, 0, 0],
       [X(t)[1,1] - X(t)[2,2] - {G22}, 0, 0, 0],
       [{G21} + X(t)[2,1] + X(t)[1,2] + {G12}, 0, 0, 0]]"""


@part(
    "razin2020.lemma-24",
    "closed-system",
    f"""all X R S:R~>M(2,2), al:R. {CLOSED} all t:R. 0 <= t => T(X(t)) = X(t) and R(t) = X(t) and S(t) = X(t)""",
    says="X, R = W_2 W_2^T and S = W_1^T W_1 solve a closed system, along which they stay equal and symmetric",
)
def gram_matrices_equal_the_product(g: Goal) -> None:
    """The antisymmetric part of X and R - S solve a linear system with initial value 0; then X - R solves M' = -(M H + H M) with
    H minus the gradient."""
    g.fix()
    laws, sym, x0, r0, s0 = (g.assume() for _ in range(5))

    def entry_laws(g: Goal, t: str) -> list[str]:
        """The entries of the derivatives and of the symmetric matrices at a time."""
        x, r, s = g.split(g.apply(laws, t))
        a, b = g.split(g.apply(sym, t))
        out = []
        for name, h in (("X", x), ("R", r), ("S", s)):
            for i in (1, 2):
                for j in (1, 2):
                    out.append(
                        g.have(
                            ("=", ("entry", g.term(f"{name}'({t})"), i, j), ("entry", g.hyp_formula(h)[2], i, j)),
                            lambda g, h=h: (g.rewrite(h), g.refl())[-1],
                        )
                    )
        turned = []
        for name, h in (("R", a), ("S", b)):
            turned.append(transposed_entry(g, name, t, h))
        return out + turned

    def rate(g: Goal) -> None:
        g.fix("t")
        g.assume()
        names = entry_laws(g, "t")
        only(g, *names)
        k = g.differentiate("t", VECTOR, "t")
        g.rewrite(k)
        g.ext(lambda g: g.field(rw=names))

    def start(g: Goal) -> None:
        def entry(g: Goal) -> None:
            g.field(rw=initial)

        initial = []
        for name, h in (("X", x0), ("R", r0), ("S", s0)):
            for i in (1, 2):
                for j in (1, 2):
                    initial.append(
                        g.have(f"{name}(0)[{i},{j}] = {'al' if i == j else '0'}", lambda g, h=h: (g.rewrite(h), g.field())[-1])
                    )
        g.ext(entry)

    zero = g.by_fact("linear_system_zero", 4, f"lam t:R. {VECTOR}", f"lam t:R. {MATRIX}", by=[None, rate, start])
    vanish = g.have("all t:R. 0 <= t => " + " and ".join(f"{e} = 0" for e in ENTRIES), lambda g: entries_vanish(g, zero))

    def symmetric(g: Goal) -> None:
        g.fix("t")
        g.assume()
        a, b, c, e = g.split(g.apply(vanish, "t"))
        rt, st = g.split(g.apply(sym, "t"))
        r21, s21 = transposed_entry(g, "R", "t", rt), transposed_entry(g, "S", "t", st)

        def one(g: Goal) -> None:
            f = g.concl[2]
            g.field((a, {(1, 2): -1, (2, 1): 1}.get((f[2], f[3]), 0)))

        def two(g: Goal) -> None:
            f = g.concl[2]
            h = {(1, 1): (b, -1), (1, 2): (c, -1), (2, 1): (c, -1), (2, 2): (e, -1)}[(f[2], f[3])]
            g.field(h, rw=[r21, s21])

        g.conj(lambda g: g.ext(one), lambda g: g.ext(two))

    both = g.have("all t:R. 0 <= t => T(X(t)) = X(t) and S(t) = R(t)", symmetric)

    def difference(g: Goal) -> None:
        g.fix("t")
        g.assume()
        x, r, _ = g.split(g.apply(laws, "t"))
        xt, sr = g.split(g.apply(both, "t"))
        gt = g.have(f"T({GRADIENT}) = {GRADIENT}", lambda g: gradient_is_symmetric(g, xt))
        g.nc(rw=[x, r, sr, xt, gt])

    h = g.fact("linear_matrix_ode_zero", 2, 2, "lam t:R. X(t) - R(t)", f"lam t:R. {GRADIENT}", f"lam t:R. {GRADIENT}")
    k = g.apply(h, by=[None, difference, lambda g: g.nc((x0, 1, None, None), (r0, -1, None, None))])
    g.fix("t")
    g.assume()
    d = g.apply(k, "t")
    xt, sr = g.split(g.apply(both, "t"))
    g.conj(using(xt), lambda g: g.nc((d, -1, None, None)), lambda g: g.nc((sr, 1, None, None), (d, -1, None, None)))


def transposed_entry(g: Goal, name: str, t: str, h: str) -> str:
    """M[2,1] = M[1,2] from T(M) = M."""
    k = g.have(f"T({name}({t}))[1,2] = {name}({t})[1,2]", lambda g: g.ctx(using(h)))
    return g.have(f"{name}({t})[2,1] = {name}({t})[1,2]", lambda g: g.field((k, 1)))


def gradient_is_symmetric(g: Goal, xt: str) -> None:
    """The gradient at a symmetric matrix is symmetric."""
    k = transposed_entry(g, "X", "t", xt)
    g.ext(lambda g: g.field(rw=[k]))


def entries_vanish(g: Goal, zero: str) -> None:
    """The entries of a vector that is 0."""
    g.fix("t")
    g.assume()
    k = g.apply(zero, "t")
    for i in range(1, 5):
        g.have(f"{VECTOR}[{i},1] = O(4,1)[{i},1]", lambda g: g.ctx(using(k)))
    names = list(g.seq.hyps)[-4:]
    g.conj(*[lambda g, h=h: g.field((h, 1)) for h in names])


@part(
    "razin2020.lemma-24",
    "symmetric",
    f"""{PROP_4} all t:R. 0 <= t => T(X(t)) = X(t) and B(t) @ T(B(t)) = X(t) and T(A(t)) @ A(t) = X(t) and
       X'(t) = -(X(t) @ {GRADIENT} + {GRADIENT} @ X(t))""",
    says="the product matrix is symmetric, equal to both outer Gram matrices, and solves (38)",
    uses=["razin2020.lemma-24"],
)
def product_is_the_gram_matrix_of_either_factor(g: Goal) -> None:
    """W_2 W_2^T and W_1^T W_1 are square roots of X X^T and X^T X at the start (balancedness), hence alpha I; then the closed system."""
    g.fix()
    _, product, flow, balanced, start, positive, _ = (g.assume() for _ in range(7))
    (rs,) = g.obtain(
        g.have(
            "ex R:R~>M(2,2). all t:R. R(t) = B(t) @ T(B(t))",
            lambda g: (g.witness("lam t:R. B(t) @ T(B(t))"), g.fix("t"), g.refl())[-1],
        ),
        "R",
    )
    (ss,) = g.obtain(
        g.have(
            "ex S:R~>M(2,2). all t:R. S(t) = T(A(t)) @ A(t)",
            lambda g: (g.witness("lam t:R. T(A(t)) @ A(t)"), g.fix("t"), g.refl())[-1],
        ),
        "S",
    )
    x = derivative(g, "2", "2", "X(s)", "B(s) @ A(s)", lambda g: g.close_by(g.apply(product, "u")))
    r = derivative(g, "2", "2", "R(s)", "B(s) @ T(B(s))", lambda g: g.close_by(g.apply(rs, "u")))
    s = derivative(g, "2", "2", "S(s)", "T(A(s)) @ A(s)", lambda g: g.close_by(g.apply(ss, "u")))

    def laws(g: Goal) -> None:
        g.fix("t")
        g.assume()
        a, b = g.split(g.apply(flow, "t"))
        p, v, w = g.apply(product, "t"), g.apply(rs, "t"), g.apply(ss, "t")
        dx, dr, ds = g.apply(x, "t"), g.apply(r, "t"), g.apply(s, "t")
        (name,) = g.obtain(g.have(f"ex H:M(2,2). H = {GRADIENT}", lambda g: (g.witness(GRADIENT), g.refl())[-1]), "H")
        for h in (a, b):
            g.have(
                ("=", g.hyp_formula(h)[1], g.term("-(T(B(t)) @ H)" if h == a else "-(H @ T(A(t)))")),
                lambda g, h=h: (g.rewrite(name), g.close_by(h))[-1],
            )
        ah, bh = list(g.seq.hyps)[-2:]

        ex = g.have("X'(t) = -(R(t) @ H + H @ S(t))", lambda g: g.nc((dx, 1, None, None), rw=[ah, bh, v, w]))
        er = g.have("R'(t) = -(H @ T(X(t)) + X(t) @ T(H))", lambda g: g.nc((dr, 1, None, None), rw=[bh, p]))
        es = g.have("S'(t) = -(T(H) @ X(t) + T(X(t)) @ H)", lambda g: g.nc((ds, 1, None, None), rw=[ah, p]))
        only(g, name, ex, er, es)
        g.rewrite(name, back=True)
        g.conj(using(ex), using(er), using(es))

    def symmetric(g: Goal) -> None:
        g.fix("t")
        g.assume()
        v, w = g.apply(rs, "t"), g.apply(ss, "t")
        g.conj(lambda g: g.nc(rw=[v]), lambda g: g.nc(rw=[w]))

    p0 = g.apply(product, 0)

    def root(g: Goal, name: str, value: str, power: Script) -> None:
        v = g.apply(value, 0)
        g.close_by(
            g.by_fact(
                "psd_root_unique",
                2,
                2,
                f"{name}(0)",
                "al*I(2)",
                by=[
                    None,
                    lambda g: g.nc(rw=[v]),
                    lambda g: g.nc(),
                    lambda g: gram_is_psd(g, name, v),
                    lambda g: scaled_is_psd(g, positive),
                    power,
                ],
            )
        )

    def r_power(g: Goal) -> None:
        v = g.apply(rs, 0)
        eq = g.have("X(0) @ T(X(0)) = al^2*I(2)", lambda g: (g.rewrite(start), g.nc())[-1])
        g.nc((eq, 1, None, None), (balanced, 1, "B(0)", "T(B(0))"), rw=[v, p0])

    def s_power(g: Goal) -> None:
        w = g.apply(ss, 0)
        eq = g.have("T(X(0)) @ X(0) = al^2*I(2)", lambda g: (g.rewrite(start), g.nc())[-1])
        g.nc((eq, 1, None, None), (balanced, -1, "T(A(0))", "A(0)"), rw=[w, p0])

    r0 = g.have("R(0) = al*I(2)", lambda g: root(g, "R", rs, r_power))
    s0 = g.have("S(0) = al*I(2)", lambda g: root(g, "S", ss, s_power))
    main = g.lemma(
        "razin2020.lemma-24", "part:closed-system", "X", "R", "S", "al", by=[laws, symmetric, using(start), using(r0), using(s0)]
    )
    lawful = g.have(f"all t:R. 0 <= t => X'(t) = {X_LAW} and R'(t) = {R_LAW} and S'(t) = {S_LAW}", laws)
    g.fix("t")
    g.assume()
    xt, rx, sx = g.split(g.apply(main, "t"))
    v, w = g.apply(rs, "t"), g.apply(ss, "t")
    d = g.split(g.apply(lawful, "t"))[0]
    g.conj(
        using(xt),
        lambda g: g.nc((v, -1, None, None), (rx, 1, None, None)),
        lambda g: g.nc((w, -1, None, None), (sx, 1, None, None)),
        lambda g: g.nc((d, 1, None, None), (rx, -1, None, GRADIENT), (sx, -1, GRADIENT, None)),
    )


def gram_is_psd(g: Goal, name: str, value: str) -> None:
    """A Gram matrix is positive semidefinite."""
    g.fix("v")
    f = "B(0)" if name == "R" else "T(A(0))"
    square = f"tr(T(T({f}) @ v) @ (T({f}) @ v))"
    eq = g.have(f"tr(T(v) @ {name}(0) @ v) = {square}", lambda g: (g.rewrite(value), g.field())[-1])
    g.pos([square], eqs=[(eq, 1)])


def scaled_is_psd(g: Goal, positive: str) -> None:
    """alpha I is positive semidefinite."""
    g.fix("v")
    eq = g.have("tr(T(v) @ (al*I(2)) @ v) = al*tr(T(v) @ v)", lambda g: g.field())
    g.pos([f"@{positive}", "tr(T(v) @ v)"], eqs=[(eq, 1)])
