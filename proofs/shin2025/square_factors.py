"""Lemmas 34 and 35: determinants and singular values along a balanced gradient flow of two square factors."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import CORE, n2
from verify.kernel import Goal
from verify.registry import holds, part

GRADIENT = "(all t:R. 0 <= t => A'(t) = -(G(t) @ T(B(t))) and B'(t) = -(T(A(t)) @ G(t)))"
BALANCED = "T(A(0)) @ A(0) = B(0) @ T(B(0))"
READING = "G(t) is the gradient of the loss at W(t) = A(t) B(t), a smooth function of time."
L34, L35 = "shin2025.lemma-34", "shin2025.lemma-35-sv"


@part(
    L34,
    "kernel",
    f"""all m k n:Z, A:R~>M(m,k), B:R~>M(k,n), G:R~>M(m,n). {GRADIENT} => all c:R, v:V(k). 0 <= c => A(c) @ v = O(m,1) =>
        T(B(c)) @ v = O(n,1) => A(0) @ v = O(m,1)""",
    says="a common kernel vector of A and B^T at one time is one at the start",
)
def kernel_at_the_start(g: Goal) -> None:
    """phi = |A v|^2 + |B^T v|^2 obeys |phi'| <= 2 (1 + |G|^2) phi, and |G| is bounded up to c."""
    f, c0, av, bv = g.intro()
    size = n2("G(t)")
    top = g.by_fact("extreme_value", "0", "c", f"lam t:R. {size}", by=[None, None])
    _, _, most = g.obtain(top, "e")
    rate = f"(2*(1 + {n2('G(e)')}))"

    def phi(t: str) -> str:
        return f"({n2(f'A({t}) @ v')} + {n2(f'T(B({t})) @ v')})"

    def grows(g: Goal) -> None:
        (u,) = g.fix("u")
        g.split_all(g.assume())
        va, vb = g.split(g.apply(f, u))
        b = g.apply(most, u)
        dd = g.differentiate("t", f"{phi('t')}*exp({rate}*t)", u)
        dd = g.rewritten(g.rewritten(dd, va), vb)
        g.rewrite(dd)
        x, y = f"A({u}) @ v", f"T(B({u})) @ v"
        s = g.fact("frobenius_submultiplicative", "m", "n", 1, f"G({u})", y)
        e = f"exp({rate}*{u})"
        g.pos(
            [e, "2", n2(f"{x} - G({u}) @ {y}")],
            [e, "2", f"@{s}"],
            [e, "2", f"@{b}", n2(y)],
            [e, "2", n2("G(e)"), n2(x)],
            [e, "2", n2(y)],
        )

    h = g.by_fact("mean_value_le", "0", "c", f"lam t:R. {phi('t')}*exp({rate}*t)", by=[None, grows, None])
    za = g.have(f"{n2('A(c) @ v')} = 0", lambda g: (g.rewrite(av), g.field())[-1])
    zb = g.have(f"{n2('T(B(c)) @ v')} = 0", lambda g: (g.rewrite(bv), g.field())[-1])
    e = f"exp({rate}*c)"
    below = g.have(f"{n2('A(0) @ v')} <= 0", lambda g: g.pos([f"@{h}"], [n2("T(B(0)) @ v")], eqs=[(za, f"-{e}"), (zb, f"-{e}")]))
    z = g.have(f"{n2('A(0) @ v')} = 0", lambda g: g.antisym(lambda g: g.close_by(below)))
    g.close_by(g.by_fact("frobenius_zero", "m", 1, "A(0) @ v"))
    del c0, z


@holds(
    L34,
    f"all d:Z, A B G:R~>M(d,d). {GRADIENT} => {BALANCED} => 0 < det(A(0)) => all t:R. 0 <= t => 0 < det(A(t))",
    argument="repaired",
    uses=[CORE, L34],
    reading=f"{READING} Remark: the flow, balancedness and det A(0) > 0 are each needed (parts without-flow, without-balance,"
    " without-positive-start); B need not be square (part:without-square-b), and G(t) may be the gradient of any loss.",
    context="balanced at the start (setting of Lemma 32) [Lemma 32]; the lemma fails without it: part:without-balance [note]",
    reason="The argument avoids the smoothness of the singular vectors: a kernel vector of A is one of B^T by balancedness, "
    "and the pair (A v, B^T v) obeys a linear equation.",
)
def determinant_keeps_its_sign(g: Goal) -> None:
    """At a first zero of det A there is a kernel vector, common to A and B^T; then it is one at the start."""
    sign_is_kept(g, "d")


@part(
    L34,
    "without-square-b",
    f"""all d n:Z, A:R~>M(d,d), B G:R~>M(d,n). {GRADIENT} => {BALANCED} => 0 < det(A(0)) => all t:R. 0 <= t => 0 < det(A(t))""",
    says="Without a square B: the lemma holds for B with any number of columns.",
    uses=[CORE],
)
def determinant_keeps_its_sign_beside_any_factor(g: Goal) -> None:
    """The same argument."""
    sign_is_kept(g, "n")


@part(
    L34,
    "negative-start",
    f"all d:Z, A B G:R~>M(d,d). {GRADIENT} => {BALANCED} => det(A(0)) < 0 => all t:R. 0 <= t => det(A(t)) < 0",
    says="A negative determinant stays negative, too.",
    uses=[CORE],
)
def negative_determinant_keeps_its_sign(g: Goal) -> None:
    """The same argument for -det A."""
    sign_is_kept(g, "d", "-")


def sign_is_kept(g: Goal, columns: str, sign: str = "") -> None:
    """det A (or -det A, with the sign) stays positive along a balanced flow, for B with this number of columns."""
    hs = g.intro()
    _f, _bal, d0 = hs[:3]
    j = g.by_fact("jacobi_formula", "d", "lam t:R. A(t)", by=[None])
    (jj,) = g.obtain(j, "F")
    now = g.contra()
    at0 = g.split(g.apply(jj, "0"))[0]
    att = g.split(g.apply(jj, "t"))[0]
    h = g.by_fact(
        "first_exit",
        "0",
        "t",
        f"lam t:R. {sign}F(t)",
        by=[None, None, lambda g: (g.rewrite(at0), g.auto())[-1], lambda g: (g.rewrite(att), g.auto())[-1]],
    )
    _, _, zero, _ = g.obtain(h, "c")
    atc = g.split(g.apply(jj, "c"))[0]
    z = g.have("det(A(c)) = 0", lambda g: g.field((atc, -1), (zero, f"{sign}1")))
    kernel = g.by_fact("det_kernel", "d", "A(c)")
    nz, av = g.obtain(kernel, "v")
    b = g.apply(g.lemma(CORE, "part:balanced", "d", "d", columns, "A", "B", "G"), "c")
    e = g.have("T(v) @ (T(A(c)) @ A(c)) @ v = T(v) @ (B(c) @ T(B(c))) @ v", lambda g: g.nc((b, 1, "T(v)", "v")))
    e2 = g.have("T(v) @ T(A(c)) @ (A(c) @ v) = O(1,1)", lambda g: (g.rewrite(av), g.nc())[-1])
    zero_ = g.have("T(T(B(c)) @ v) @ (T(B(c)) @ v) = O(1,1)", lambda g: g.nc((e, -1, None, None), (e2, 1, None, None)))
    n = g.have(f"{n2('T(B(c)) @ v')} = 0", lambda g: (g.rewrite(zero_), g.field())[-1])
    bv = g.by_fact("frobenius_zero", columns, 1, "T(B(c)) @ v")
    k = g.lemma(L34, "part:kernel", "d", "d", columns, "A", "B", "G")
    k = g.apply(k, "c", "v")
    g.have("det(A(0)) != 0")
    i = g.by_fact("inv_left", "d", "A(0)")
    v0 = g.have("v = O(d,1)", lambda g: g.nc((k, 1, "inv(A(0))", None), (i, -1, None, "v")))
    g.clash(v0, nz)
    del now, z, n, bv, d0


@part(
    L34,
    "without-balance",
    """ex A B G:R~>M(1,1). (all t:R. 0 <= t => A'(t) = -(G(t) @ T(B(t))) and B'(t) = -(T(A(t)) @ G(t))) and 0 < det(A(0)) and
       det(A(1)) < 0""",
    says="Without balanced factors: the sign can change, d = 1, the loss w, A(0) = 1, B(0) = 2, A(t) = cosh t - 2 sinh t",
)
def sign_changes_without_balance(g: Goal) -> None:
    """A' = -B, B' = -A."""
    g.witness("lam t:R. [[cosh(t) - 2*sinh(t)]]", "lam t:R. [[2*cosh(t) - sinh(t)]]", "lam t:R. [[1]]")

    def along(g: Goal) -> None:
        g.intro()
        g.conj(*[lambda g: g.ext(lambda g: g.field())] * 2)

    def last(g: Goal) -> None:
        e = g.have("2.7 < exp(1)", lambda g: g.ball())
        k = g.have("exp(-1) < 0.4", lambda g: g.ball())
        g.pos(["1/2", f"@{e}"], ["3/2", f"@{k}"], ["3/4"])

    g.conj(along, lambda g: g.pos(["1"]), last)


@holds(
    L35,
    f"""all d:Z, A B G:R~>M(d,d). {GRADIENT} => {BALANCED} => all t:R, r:Z. 0 <= t => 1 <= r and r <= d =>
        sv(A(t) @ B(t), r) = sv(A(t), r)^2 and sv(A(t), r)^2 = sv(B(t), r)^2""",
    argument="sound",
    uses=[CORE],
    reading=f"{READING} Remark: the flow and balancedness are needed (parts without-flow, without-balance); the factors need not be square "
    "(part:without-square-factors).",
)
def singular_values_of_the_product(g: Goal) -> None:
    """W^T W = (B^T B)^2 and A^T A = B B^T."""
    values_are_squares(g, "d", "d", "d")


@part(
    L35,
    "without-square-factors",
    f"""all m k n:Z, A:R~>M(m,k), B:R~>M(k,n), G:R~>M(m,n). {GRADIENT} => {BALANCED} => all t:R, r:Z. 0 <= t => 1 <= r =>
        r <= k and r <= n => sv(A(t) @ B(t), r) = sv(A(t), r)^2 and sv(A(t), r)^2 = sv(B(t), r)^2""",
    says="Without square factors: the lemma holds for factors of any shapes, for r up to the inner and the outer width.",
    uses=[CORE],
)
def singular_values_of_products_of_any_shape(g: Goal) -> None:
    """The same argument."""
    values_are_squares(g, "m", "k", "n")


def values_are_squares(g: Goal, m: str, k: str, n: str) -> None:
    """sigma_r(A B) = sigma_r(A)^2 = sigma_r(B)^2 along a balanced flow, for A of the shape m x k and B of the shape k x n."""
    hs = g.intro()
    t0, r1, rd = hs[2:5]
    b = g.apply(g.lemma(CORE, "part:balanced", m, k, n, "A", "B", "G"), "t")
    x, w = "(T(B(t)) @ B(t))", "A(t) @ B(t)"
    gram = g.have(f"T({w}) @ ({w}) = {x} @ {x} + 0*{x} + 0*I({n})", lambda g: g.nc((b, 1, "T(B(t))", "B(t)")))
    s = g.by_fact("sv_gram", m, n, "r", w)
    s = g.rewritten(s, gram)
    low = g.by_fact("eig_lower_bound", n, "0", x, by=[None, None, lambda g: (g.fix("v"), g.pos([n2("B(t) @ v")]))[-1]])
    q = g.by_fact("eig_quadratic", n, "r", "0", "0", x)
    sb = g.by_fact("sv_gram", k, n, "r", "B(t)")
    z = g.have(f"sv({w}, r)^2 = (sv(B(t), r)^2)^2", lambda g: g.field((s, 1), (q, 1), (sb, f"-(sv(B(t), r)^2 + eig({x}, r))")))
    w0 = g.split(g.apply(g.fact("sv_range", m, n, w), "r", "r"))[0]

    def equal(g: Goal) -> None:
        a, c = f"sv({w}, r)", "sv(B(t), r)^2"
        g.antisym(
            lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", c], eqs=[(z, "-1")]))[-1],
            lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", a], eqs=[(z, "1")]))[-1],
        )

    one = g.have(f"sv({w}, r) = sv(B(t), r)^2", equal)
    p = g.by_fact("sv_gram", m, k, "r", "A(t)")
    y = g.by_fact("sv_gram", n, k, "r", "T(B(t))")
    e = g.have("T(T(B(t))) @ T(B(t)) = T(A(t)) @ A(t)", lambda g: g.nc((b, -1, None, None)))
    y = g.rewritten(y, e)
    tr = g.fact("sv_transpose", k, n, "r", "B(t)")
    two = g.have("sv(A(t), r)^2 = sv(B(t), r)^2", lambda g: (g.rewrite(tr, back=True), g.field((p, 1), (y, -1)))[-1])
    g.conj(lambda g: g.field((one, 1), (two, -1)), None)
    del t0, r1, rd, low, w0


@holds(
    "shin2025.lemma-35-det",
    f"""all d:Z, A B G:R~>M(d,d). {GRADIENT} => {BALANCED} => 0 < det(A(0)) => 0 < det(B(0)) => all t:R. 0 <= t =>
        det(A(t) @ B(t)) = det(A(t))^2 and det(A(t))^2 = det(B(t))^2""",
    argument="sound",
    uses=[CORE, L34],
    reading=f"{READING} Remark: the flow, balancedness and the two positive determinants are each needed (parts without-flow,"
    " without-balance, without-positive-a, without-positive-b); two negative ones would do (part:without-positive-signs).",
)
def determinant_of_the_product(g: Goal) -> None:
    """det A^2 = det B^2 by balancedness; both stay positive (Lemma 34, for the transposed flow, too)."""
    equal_determinants(g, "statement", "0 < det(B(t))")


@part(
    "shin2025.lemma-35-det",
    "without-positive-signs",
    f"""all d:Z, A B G:R~>M(d,d). {GRADIENT} => {BALANCED} => det(A(0)) < 0 => det(B(0)) < 0 => all t:R. 0 <= t =>
        det(A(t) @ B(t)) = det(A(t))^2 and det(A(t))^2 = det(B(t))^2""",
    says="Without positive determinants, but with two negative ones: the lemma holds; the signs need only agree.",
    uses=[CORE, L34],
)
def determinant_of_the_product_of_two_negative_ones(g: Goal) -> None:
    """The same argument."""
    equal_determinants(g, "part:negative-start", "det(B(t)) < 0")


def equal_determinants(g: Goal, role: str, sign: str) -> None:
    """det W = det A^2 = det B^2, where Lemma 34 in the given role keeps the sign of det A, and that of det B, which is `sign`."""
    hs = g.intro()
    f, bal = hs[:2]
    a = g.apply(g.lemma(L34, role, "d", "A", "B", "G"), "t")

    def along(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()
        v, w = g.split(g.apply(f, t))
        g.conj(lambda g: g.nc(rw=[w]), lambda g: g.nc(rw=[v]))

    tb = g.fact("det_transpose", "d", "B(0)")
    k = g.lemma(
        L34,
        role,
        "d",
        "lam t:R. T(B(t))",
        "lam t:R. T(A(t))",
        "lam t:R. T(G(t))",
        by=[along, lambda g: g.nc((bal, -1, None, None)), lambda g: (g.rewrite(tb), g.auto())[-1]],
    )
    k = g.apply(k, "t")
    tt, ta = g.fact("det_transpose", "d", "B(t)"), g.fact("det_transpose", "d", "A(t)")
    c = g.have(sign, lambda g: (g.rewrite(tt, back=True), g.close_by(k))[-1])
    b = g.apply(g.lemma(CORE, "part:balanced", "d", "d", "d", "A", "B", "G"), "t")
    p, q = g.fact("det_product", "d", "T(A(t))", "A(t)"), g.fact("det_product", "d", "B(t)", "T(B(t))")
    m = g.have("det(T(A(t)) @ A(t)) = det(B(t) @ T(B(t)))", lambda g: (g.rewrite(b), g.refl())[-1])
    sq = g.have("det(A(t))^2 = det(B(t))^2", lambda g: g.field((m, 1), (p, -1), (q, 1), (ta, "-det(A(t))"), (tt, "det(B(t))")))

    def equal(g: Goal) -> None:
        h = g.have("(det(A(t)) - det(B(t)))*(det(A(t)) + det(B(t))) = 0", lambda g: g.field((sq, 1)))
        g.field((h, "1/(det(A(t)) + det(B(t)))"))

    e = g.have("det(A(t)) = det(B(t))", equal)
    w = g.fact("det_product", "d", "A(t)", "B(t)")
    g.conj(lambda g: g.field((w, 1), (e, "-det(A(t))")), None)
    del a, c
