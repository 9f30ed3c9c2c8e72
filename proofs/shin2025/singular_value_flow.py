"""Lemma 32: singular value decompositions along a two-layer gradient flow, and the flow of the singular values."""

from __future__ import annotations

from proofs.shin2025.diagonal_matrices import ID, diagonal, diagonal_matrix, product_is_diagonal
from proofs.shin2025.measurement_flow import MASK, flow, n2, residual
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CORE = "shin2025.lemma-28"
ANALYTIC = "shin2025.lemma-36"

GENERAL_FLOW = "(all t:R. 0 <= t => A'(t) = -(G(t) @ T(B(t))) and B'(t) = -(T(A(t)) @ G(t)))"
BALANCED = "T(A(0)) @ A(0) = B(0) @ T(B(0))"


DECOMPOSITION = f"""(all t:R. 0 <= t => T(U(t)) @ U(t) = I(d) and T(V(t)) @ V(t) = I(d) and A(t) @ B(t) = U(t) @ S(t) @ T(V(t)) and
    {diagonal("S(t)")})"""
NONNEGATIVE = "(all t:R, r:Z. 0 <= t => 1 <= r => r <= d => 0 <= S(t)[r,r])"
GRADIENT = residual("t")
RATE = f"(T(U(t)) @ {GRADIENT} @ V(t))[r,r]"
"""<gradient, u_r v_r^T>."""


@part(
    ID,
    "signed-rate",
    f"""all d k:Z, A:R~>M(d,k), B:R~>M(k,d), G U S V:R~>M(d,d). {GENERAL_FLOW} => {BALANCED} => {DECOMPOSITION} =>
        all t:R, r:Z. 0 <= t => 1 <= r => r <= d => S'(t)[r,r] = -(2*abs(S(t)[r,r])*(T(U(t)) @ G(t) @ V(t))[r,r])""",
    says="If the diagonal may have any sign: sigma_r' = -2 |sigma_r| <gradient, u_r v_r^T>.",
    uses=[ID, CORE],
)
def signed_singular_values_move(g: Goal) -> None:
    """A A^T = U |S| U^T and B^T B = V |S| V^T; the terms with U' and V' have no diagonal."""
    g.fix()
    fl, bal, dec = (g.assume() for _ in range(3))
    balanced = g.lemma(CORE, "part:balanced", "d", "k", "d", "A", "B", "G")

    def now(g: Goal) -> None:
        g.intro()
        u1, v1, w, _ = g.split(g.apply(dec, "t"))
        g.nc(rw=[w, u1, v1])

    value = g.have("all t:R. 0 <= t => S(t) = T(U(t)) @ A(t) @ B(t) @ V(t)", now)
    rate = g.by_fact(
        "derivative_agrees_matrix",
        "d",
        "d",
        "0",
        "lam t:R. S(t)",
        "lam t:R. T(U(t)) @ A(t) @ B(t) @ V(t)",
        by=[None, lambda g: g.close_by(value)],
    )
    still = {}
    for x in "UV":
        unit = g.have(
            f"all t:R. 0 <= t => T({x}(t)) @ {x}(t) = I(d)",
            lambda g, x=x: (g.intro(), g.close_by(g.split(g.apply(dec, "t"))["UV".index(x)]))[-1],
        )
        still[x] = g.by_fact(
            "derivative_agrees_matrix",
            "d",
            "d",
            "0",
            f"lam t:R. T({x}(t)) @ {x}(t)",
            "lam t:R. I(d)",
            by=[None, lambda g, unit=unit: g.close_by(unit)],
        )
    g.fix("t", "r")
    g.assume()
    _low, _high = g.assume(), g.assume()
    u1, v1, w, off = g.split(g.apply(dec, "t"))
    b = g.apply(balanced, "t")

    def psd(x: str) -> Script:
        return lambda g: (v := g.fix("v"), g.pos([n2(f"{x} @ {v[0]}")]))[-1]

    st = g.lemma(ID, "part:diagonal-transpose", "d", "S(t)")
    roots = {}
    for x, gram, half, cofactor in (
        ("U", "A(t) @ T(A(t))", "T(A(t))", (b, 1, "A(t)", "T(A(t))")),
        ("V", "T(B(t)) @ B(t)", "B(t)", (b, -1, "T(B(t))", "B(t)")),
    ):
        h = g.lemma(
            ID,
            "part:root",
            "d",
            f"{x}(t)",
            gram,
            "S(t)",
            by=[None, None, None, psd(half), lambda g, c=cofactor: g.nc(c, rw=[w, u1, v1, st])],
        )
        roots[x] = g.obtain(h, "N" + x)
    first, second = g.apply(rate, "t"), g.differentiate("t", "T(U(t)) @ A(t) @ B(t) @ V(t)", "t")
    fa, fb = g.split(g.apply(fl, "t"))
    terms = {"X": "T(U'(t)) @ U(t)", "Y": "T(V(t)) @ V'(t)", "H": "T(U(t)) @ G(t) @ V(t)"}
    named = {
        n: g.obtain(g.have(f"ex {n}:M(d,d). {n} = {e}", lambda g, e=e: (g.witness(e), g.refl())[-1]), n)[0]
        for n, e in terms.items()
    }
    total = "X @ S(t) + (-1)*(H @ NV) + (-1)*(NU @ H) + S(t) @ Y"
    hs = [
        (named["X"], 1, None, "S(t)"),
        (named["H"], -1, None, "NV"),
        (named["H"], -1, "NU", None),
        (named["Y"], 1, "S(t)", None),
    ]
    hs = [(h, -c, left, right) for h, c, left, right in hs]
    whole = g.have(
        f"S'(t) = {total}",
        lambda g: g.nc(
            (first, 1, None, None), (second, 1, None, None), *hs, rw=[fa, fb, w, roots["U"][2], roots["V"][2], u1, v1]
        ),
    )
    entry = g.have(f"S'(t)[r,r] = ({total})[r,r]", lambda g: (g.rewrite(whole), g.refl())[-1])
    none = {}
    for x, n in (("U", "X"), ("V", "Y")):
        a, c = g.apply(still[x], "t"), g.differentiate("t", f"T({x}(t)) @ {x}(t)", "t")
        z = g.have(f"{n} + T({n}) = O(d,d)", lambda g, a=a, c=c, n=n: skew(g, named[n], a, c))
        e = g.have(f"({n} + T({n}))[r,r] = 0", lambda g, z=z: (g.rewrite(z), g.field())[-1])
        none[n] = g.have(f"{n}[r,r] = 0", lambda g, e=e: g.field((e, "1/2")))
    pieces = [
        g.split(g.lemma(ID, "part:diagonal-entry", "d", x, y, "r", by=[lambda g, h=h: g.close_by(h), None, None]))[i]
        for x, y, h, i in (
            ("X", "S(t)", off, 0),
            ("H", "NV", roots["V"][0], 0),
            ("H", "NU", roots["U"][0], 1),
            ("Y", "S(t)", off, 1),
        )
    ]
    nu, nv = g.apply(roots["U"][1], "r"), g.apply(roots["V"][1], "r")
    g.rewrite(named["H"], back=True)
    g.field(
        (entry, 1),
        (pieces[0], 1),
        (none["X"], "S(t)[r,r]"),
        (pieces[1], -1),
        (nv, "-H[r,r]"),
        (pieces[2], -1),
        (nu, "-H[r,r]"),
        (pieces[3], 1),
        (none["Y"], "S(t)[r,r]"),
    )


for _name, _sizes, _size, _says in (
    (
        "without-square-factors",
        "d k",
        "k",
        "Without square factors: (78) holds for A and B of any inner width, and for any loss.",
    ),
    (
        "without-objective",
        "d",
        "d",
        "Without objective (2): (78) holds for every differentiable loss, with G(t) its gradient at W(t).",
    ),
):

    @part(
        ID,
        _name,
        f"""all {_sizes}:Z, A:R~>M(d,{_size}), B:R~>M({_size},d), G U S V:R~>M(d,d). {GENERAL_FLOW} => {BALANCED} => {DECOMPOSITION} =>
            {NONNEGATIVE} => all t:R, r:Z. 0 <= t => 1 <= r => r <= d =>
            S'(t)[r,r] = -(2*S(t)[r,r]*(T(U(t)) @ G(t) @ V(t))[r,r])""",
        says=_says,
        uses=[ID],
    )
    def singular_values_move(g: Goal, inner: str = _size) -> None:
        """The signed rate, with |sigma_r| = sigma_r."""
        g.fix()
        flows, balanced, decomposed, positive = (g.assume() for _ in range(4))
        g.fix("t", "r")
        for _ in range(3):
            g.assume()
        scripts = [lambda g, h=h: g.close_by(h) for h in (flows, balanced, decomposed)]
        k = g.lemma(ID, "part:signed-rate", "d", inner, "A", "B", "G", "U", "S", "V", by=scripts)
        k = g.apply(k, "t", "r")
        g.apply(positive, "t", "r")
        g.exact(g.rewritten(k, g.have("abs(S(t)[r,r]) = S(t)[r,r]")))


def skew(g: Goal, named: str, agree: str, value: str) -> None:
    """From the derivative of an orthogonality relation."""
    g.rewrite(named)
    g.nc((agree, 1, None, None), (value, -1, None, None))


@part(
    ID,
    "sign",
    """all x h:R~>R. (all t:R. 0 <= t => x'(t) = -(2*abs(x(t))*h(t))) => 0 <= x(0) => all t:R. 0 <= t => 0 <= x(t)""",
    says="sigma' = -2 |sigma| h keeps the sign of its start.",
)
def sign_is_kept(g: Goal) -> None:
    """With K' = 2 (1 + h^2), x^2 e^K does not decrease and x^2 e^(-K) does not increase."""
    g.fix("x", "h")
    rate, _start = g.assume(), g.assume()
    k0, kr = g.obtain(g.by_fact("antiderivative", "lam t:R. 2*(1 + h(t)^2)"), "K")

    def slope(sign: str) -> Script:
        def script(g: Goal) -> None:
            (u,) = g.fix("u")
            g.assume()
            r, k = g.apply(rate, u), g.apply(kr, u)
            a = g.fact("abs_square", f"x({u})")
            e = f"exp({sign}K({u}))"
            s = "-" if not sign else "+"
            g.pos([e, "2", f"(abs(x({u})) {s} x({u})*h({u}))^2"], eqs=[(a, f"-2*{e}")], rw=[r, k])

        return script

    up = g.by_fact("nondecreasing", "0", "lam t:R. x(t)^2*exp(K(t))", by=[None, slope("")])
    down = g.by_fact("nonincreasing", "0", "lam t:R. x(t)^2*exp(-K(t))", by=[None, slope("-")])
    g.fix("t")
    g.assume()
    g.contra()

    def zero(g: Goal) -> None:
        z = g.have("x(0) = 0", lambda g: g.field((list(g.seq.hyps)[-1], -1)))
        k = g.apply(down, "0", "t")
        g.have("x(t) != 0")
        g.pos(["@" + k], ["x(t)^2", "exp(-K(t))"], eqs=[(z, "-x(0)*exp(-K(0))")])

    def positive(g: Goal) -> None:
        c = g.obtain(
            g.by_fact(
                "intermediate_value",
                "0",
                "t",
                "0",
                "lam t:R. x(t)",
                by=[None, None, lambda g: (g.left_or_right(1), g.auto())[-1]],
            ),
            "c",
        )
        k = g.apply(up, "0", "c")
        g.pos(["@" + k], ["x(0)^2", "exp(K(0))"], eqs=[(c[2], "-x(c)*exp(K(c))")])

    g.less_or_equal("0 <= x(0)", positive, zero)


@part(
    ID,
    "nonnegative",
    f"""all d:Z, A B G U S V:R~>M(d,d). {GENERAL_FLOW} => {BALANCED} => {DECOMPOSITION} =>
        ex U S V:R~>M(d,d). {DECOMPOSITION} and {NONNEGATIVE}""",
    says="From a decomposition with signs one with a nonnegative diagonal: every diagonal entry keeps its sign.",
    uses=[ID],
)
def nonnegative_decomposition(g: Goal) -> None:
    """Turn the columns of U that belong to entries that start negative."""
    g.fix()
    fl, bal, dec = (g.assume() for _ in range(3))
    rate = g.lemma(ID, "part:signed-rate", "d", "d", "A", "B", "G", "U", "S", "V")
    sign = g.lemma(ID, "part:sign")
    body = "I(d)[i,j]*(1 + (S(0)[i,j] - abs(S(0)[i,j]))/abs(S(0)[i,j]))"
    given, off = diagonal_matrix(g, "E", body)

    def values(g: Goal) -> None:
        """E[i,i] is 1 with S(0)[i,i] >= 0, or -1 with S(0)[i,i] <= 0."""
        g.intro()
        k = g.apply(given, "i", "i")
        x = "S(0)[i,i]"

        def nonneg(g: Goal) -> None:
            a, b = g.split(list(g.seq.hyps)[-1])
            g.left_or_right(0)
            g.conj(lambda g: (g.rewrite(k), g.rewrite(b), g.field())[-1], lambda g: g.close_by(a))

        def negative(g: Goal) -> None:
            a, b = g.split(list(g.seq.hyps)[-1])
            g.left_or_right(1)
            g.have(f"{x} != 0")
            g.conj(lambda g: (g.rewrite(k), g.rewrite(b), g.field())[-1], lambda g: g.pos(["@" + a]))

        g.cases(g.fact("abs_cases", x), nonneg, negative)

    signs = g.have("all i:Z. 1 <= i => i <= d => (E[i,i] = 1 and 0 <= S(0)[i,i]) or (E[i,i] = -1 and S(0)[i,i] <= 0)", values)
    unit_off = g.have(diagonal("I(d)"), lambda g: identity_off(g))
    et = g.lemma(ID, "part:diagonal-transpose", "d", "E")

    def squares(g: Goal) -> None:
        g.intro()

        def case(g: Goal) -> None:
            a, _ = g.split(list(g.seq.hyps)[-1])
            g.rewrite(a)
            g.field()

        g.cases(g.apply(signs, "i"), case, case)

    ee = g.lemma(ID, "part:diagonal-product", "d", "E", "E", "I(d)", by=[None, None, lambda g: g.close_by(unit_off), squares])
    g.witness("lam t:R. U(t) @ E", "lam t:R. E @ S(t)", "lam t:R. V(t)")

    def decomposition(g: Goal) -> None:
        g.intro()
        u1, v1, w, so = g.split(g.apply(dec, "t"))

        g.conj(
            lambda g: g.nc((ee, 1, None, None), rw=[et, u1]),
            lambda g: g.close_by(v1),
            lambda g: g.nc((w, 1, None, None), rw=[ee]),
            lambda g: product_is_diagonal(g, "E", "S(t)", off, so),
        )

    def nonneg(g: Goal) -> None:
        g.fix("t", "r")
        g.assume()
        _low, _high = g.assume(), g.assume()
        entry = g.split(g.lemma(ID, "part:diagonal-entry", "d", "S(t)", "E", "r", by=[lambda g: g.close_by(off), None, None]))[1]
        g.rewrite(entry)
        factor = "(T(U(t)) @ G(t) @ V(t))[r,r]"

        def move(s: str) -> Script:
            def script(g: Goal) -> None:
                (u,) = g.fix("u")
                g.assume()
                k = g.apply(rate, u, "r")
                if s:
                    turned(g, k, u, factor)
                else:
                    g.field((k, 1))

            return script

        def plus(g: Goal) -> None:
            a, b = g.split(list(g.seq.hyps)[-1])
            k = g.apply(sign, "lam t:R. S(t)[r,r]", f"lam t:R. {factor}", by=[move(""), lambda g: g.close_by(b)])
            k = g.apply(k, "t")
            g.rewrite(a)
            g.pos(["@" + k])

        def minus(g: Goal) -> None:
            a, b = g.split(list(g.seq.hyps)[-1])
            k = g.apply(sign, "lam t:R. -S(t)[r,r]", f"lam t:R. -({factor})", by=[move("-"), lambda g: g.pos(["@" + b])])
            k = g.apply(k, "t")
            g.rewrite(a)
            g.pos(["@" + k])

        g.cases(g.apply(signs, "r"), plus, minus)

    g.conj(decomposition, nonneg)


def turned(g: Goal, k: str, u: str, factor: str) -> None:
    """The rate of -sigma."""
    here = factor.replace("(t)", f"({u})")
    x = f"S({u})[r,r]"
    flip = g.have(f"abs(-{x}) = abs({x})", lambda g: absolute(g, x))
    g.field((k, -1), (flip, f"-2*{here}"))


def absolute(g: Goal, x: str) -> None:
    """abs(-x) = abs(x)."""
    a = g.fact("abs_product", "-1", x)
    g.field((a, 1))


def identity_off(g: Goal) -> None:
    """The identity has no entries off the diagonal."""
    g.intro()
    out = g.fact("entry_outside", "d", "d", "I(d)")

    def within(g: Goal) -> None:
        g.split(list(g.seq.hyps)[-1])
        g.field()

    g.em("i < 1 or d < i or j < 1 or d < j", lambda g: g.close_by(g.apply(out, "i", "j")), within)


@holds(
    ID,
    f"""all d:Z, M Z:M(d,d), A B:R~>M(d,d). {MASK} => {flow()} => (ex U S V:R~>M(d,d). {DECOMPOSITION}) and
        ({BALANCED} => (ex U S V:R~>M(d,d). {DECOMPOSITION} and {NONNEGATIVE}) and
         all U S V:R~>M(d,d). {DECOMPOSITION} => {NONNEGATIVE} =>
           all t:R, r:Z. 0 <= t => 1 <= r => r <= d => S'(t)[r,r] = -(2*S(t)[r,r]*{RATE}))""",
    argument="sound",
    reading="The decomposition W(t) = sum_r sigma_r(t) u_r(t) v_r(t)^T, with the columns u_r of U and v_r of V orthonormal and"
    " sigma_r = S[r,r], is smooth in t; it exists, and if the factors are balanced at the start it exists with sigma_r >= 0, and"
    " (78) holds for every such decomposition. The sigma_r need not be ordered. Remark: the flow and balancedness are needed"
    " (parts without-flow, without-balance), and so is sigma_r >= 0 (part:without-nonnegative-values; with signs the right factor is"
    " |sigma_r|, part:signed-rate); square factors and objective (2) are not needed for (78) (parts without-square-factors,"
    " without-objective).",
    readings=[
        ("sigma_r of any sign, as in the analytic decomposition of Arora et al.", "refuted", "without-nonnegative-values"),
        ("sigma_r(t) is the r-th largest singular value, a smooth function of t", "refuted", "ordered"),
    ],
    context="the loss is objective (2), so that its gradient is the masked residual [(2)]",
    uses=[ID, ANALYTIC],
)
def singular_values_along_the_flow(g: Goal) -> None:
    """W is analytic (Lemma 36), so an analytic decomposition exists; sigma_r keeps its sign; (78) from U^T W V = S."""
    g.fix()
    mask, fl = g.assume(), g.assume()
    product = g.obtain(
        g.have(
            "ex W:R~>M(d,d). all t:R. W(t) = A(t) @ B(t)", lambda g: (g.witness("lam t:R. A(t) @ B(t)"), g.intro(), g.nc())[-1]
        ),
        "W",
    )[0]

    def later(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        g.close_by(g.apply(product, u))

    k = g.lemma(
        ANALYTIC, "statement", "d", "M", "Z", "A", "B", "W", by=[lambda g: g.close_by(mask), lambda g: g.close_by(fl), later]
    )
    analytic = g.split(k)[2]
    dec = g.obtain(g.apply(g.fact("analytic_svd_any_shape", "d", "d"), "W", by=[lambda g: g.close_by(analytic)]), "U", "S", "V")

    def of_product(g: Goal) -> None:
        (u,) = g.fix("t")
        g.assume()
        a, b, c = g.split(g.apply(dec[3], u))
        p = g.apply(product, u)
        g.conj(
            lambda g: g.close_by(a),
            lambda g: g.close_by(b),
            lambda g: g.nc((c, 1, None, None), (p, -1, None, None)),
            lambda g: (g.fix("i", "j"), g.assume(), g.close_by(g.apply(dec[4], u, "i", "j")))[-1],
        )

    signed = g.have(DECOMPOSITION, of_product)

    def exists(g: Goal) -> None:
        g.witness("U", "S", "V")
        g.close_by(signed)

    def balanced(g: Goal) -> None:
        bal = g.assume()
        lam = f"lam t:R. {GRADIENT}"

        def nonneg(g: Goal) -> None:
            g.close_by(
                g.lemma(
                    ID,
                    "part:nonnegative",
                    "d",
                    "A",
                    "B",
                    lam,
                    "U",
                    "S",
                    "V",
                    by=[lambda g: g.close_by(fl), lambda g: g.close_by(bal), lambda g: g.close_by(signed)],
                )
            )

        def law(g: Goal) -> None:
            x, y, z = g.fix()
            other, pos = g.assume(), g.assume()
            g.fix("t", "r")
            g.assume()
            g.assume()
            g.assume()
            k = g.lemma(
                ID,
                "part:signed-rate",
                "d",
                "d",
                "A",
                "B",
                lam,
                x,
                y,
                z,
                by=[lambda g: g.close_by(fl), lambda g: g.close_by(bal), lambda g: g.close_by(other)],
            )
            k = g.apply(k, "t", "r")
            g.apply(pos, "t", "r")
            a = g.have(f"abs({y}(t)[r,r]) = {y}(t)[r,r]")
            g.exact(g.rewritten(k, a))

        g.conj(nonneg, law)

    g.conj(exists, balanced)
