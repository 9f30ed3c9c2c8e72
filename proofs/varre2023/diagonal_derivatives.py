"""Theorem C.12 and Lemma C.13: derivatives of the diagonal matrices of singular values; Definition C.9."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.alpha import setting_lemma
from proofs.varre2023.flows import ALPHA, BETA, RES
from proofs.varre2023.riccati import TARGET, WHITE, white_lemma
from proofs.varre2023.shared_frames import DIAGONAL, differ, transposed
from proofs.varre2023.singular_value_steps import FLOW
from verify.kernel import Goal
from verify.registry import holds, part

ODE = "varre2023.step-c-12-diagonal-ode"
SHARED = "varre2023.thm-c-11-general"


@part(
    ODE,
    "symmetric",
    f"all p k:Z, S D:M(p,k). {DIAGONAL.format('S')} => {DIAGONAL.format('D')} => T(S) @ D = T(D) @ S",
    says="rectangular diagonal matrices: S^T D is symmetric",
)
def product_of_diagonals_is_symmetric(g: Goal) -> None:
    """Entry by entry: a term with i != j vanishes on both sides."""
    g.fix("p", "k", "S", "D")
    off_s, off_d = g.assume(), g.assume()
    g.extn("i", "j")

    def same(g: Goal) -> None:
        g.rewrite(list(g.seq.hyps)[-1])
        g.field()

    def apart(g: Goal) -> None:
        differ(g, list(g.seq.hyps)[-1])

        def term(g: Goal) -> None:
            g.fix("q")
            g.assume()

            def own(g: Goal) -> None:
                h = list(g.seq.hyps)[-1]
                g.rewrite(h)
                a, b = g.apply(off_s, "i", "j"), g.apply(off_d, "i", "j")
                g.field((b, "S[i,i]"), (a, "-(D[i,i])"))

            def other(g: Goal) -> None:
                a, b = g.apply(off_s, "q", "i"), g.apply(off_d, "q", "i")
                g.field((a, "D[q,j]"), (b, "-(S[q,j])"))

            g.em("q = i", own, other)

        s = g.by_fact("sum_ext", 1, "p", "lam q:Z. S[q,i]*D[q,j]", "lam q:Z. D[q,i]*S[q,j]", by=[term])
        g.field((s, 1))

    g.em("j = i", same, apart)


IN_FRAME = WHITE.replace(". 0 < c", ", U:M(p,p), V:M(k,k), D:M(p,k), S:R~>M(p,k). 0 < c", 1)


@holds(
    ODE,
    f"""{IN_FRAME} T(U) @ U = I(p) => T(V) @ V = I(k) => {TARGET} = U @ D @ T(V) => {DIAGONAL.format("D")} =>
       (all t:R. 0 <= t => {ALPHA} = U @ S(t) @ T(V) and {DIAGONAL.format("S(t)")}) =>
       all t:R. 0 <= t => S'(t) = (I(p) - S(t) @ T(S(t))) @ D - (2*c)*S(t)""",
    argument="sound",
    context="the singular bases U, V of beta* are those of alpha at all times [Theorem C.11]",
    reading="S stands for D_alpha, D for D_{beta*}; tilde D_alpha^2 = S S^T",
    uses=["varre2023.thm-c-12-formula"],
)
def diagonal_riccati_equation(g: Goal) -> None:
    """S D^T S = S S^T D for diagonal matrices."""
    names = g.intro()
    setting, orth_u, orth_v, target, off, path = names[:6], *names[6:11]
    change = g.split(white_lemma(g, "varre2023.thm-c-12-formula", "part:riccati", setting))[1]

    def smooth(g: Goal) -> None:
        g.fix("w")
        g.assume()
        g.split(white_lemma(g, "varre2023.thm-c-12-formula", "part:riccati", setting, "w"))
        g.auto()

    def agree(g: Goal) -> None:
        g.fix("w")
        g.close_by(g.split(g.apply(path, "w", by=[using(g.assume())]))[0])

    moved = g.by_fact(
        "derivative_agrees_matrix", "p", "k", 0, f"lam t:R. {ALPHA}", "lam t:R. U @ S(t) @ T(V)", by=[smooth, agree]
    )
    rate = g.apply(moved, "t")
    alpha, diagonal = g.split(g.apply(path, "t"))
    sym = g.lemma(ODE, "part:symmetric", "p", "k", "S(t)", "D", by=[using(diagonal), using(off)])
    turned = transposed(g, target)
    a = "U @ S(t) @ T(V)"
    law = g.have(
        f"U @ S'(t) @ T(V) = U @ D @ T(V) - {a} @ T(U @ D @ T(V)) @ {a} - (2*c)*({a})",
        lambda g: g.nc(
            (rate, -1, None, None), (change, 1, None, None), (target, 1, None, None), (turned, -1, ALPHA, ALPHA),
            (alpha, -1, None, f"T(U @ D @ T(V)) @ {ALPHA}"), (alpha, -1, f"{a} @ T(U @ D @ T(V))", None), (alpha, "-2*c", None, None),
        ),
    )  # fmt: skip
    g.nc(
        (law, 1, "T(U)", "V"),
        (orth_u, -1, None, "S'(t) @ T(V) @ V"), (orth_v, -1, "S'(t)", None),
        (orth_u, 1, None, "D @ T(V) @ V"), (orth_v, 1, "D", None),
        (orth_u, -1, None, "S(t) @ T(V) @ V @ T(D) @ T(U) @ U @ S(t) @ T(V) @ V"), (orth_v, -1, "S(t)", "T(D) @ T(U) @ U @ S(t) @ T(V) @ V"),
        (orth_u, -1, "S(t) @ T(D)", "S(t) @ T(V) @ V"), (orth_v, -1, "S(t) @ T(D) @ S(t)", None),
        (orth_u, "-2*c", None, "S(t) @ T(V) @ V"), (orth_v, "-2*c", "S(t)", None),
        (sym, 1, "S(t)", None),
    )  # fmt: skip


TURNED = f"(T(U) @ {RES} @ V)"
LINE = "(X @ U @ (G + s*K) @ T(V) - Y)"


@holds(
    "varre2023.step-c-13-residual-gradient",
    f"""all n p k m:Z, X:M(n,p), Y:M(n,k), U:M(p,p), V:M(k,k), G K:M(p,k). 1 <= m => m <= p => m <= k =>
       {DIAGONAL.format("G")} => {DIAGONAL.format("K")} => (all i:Z. i != m => K[i,i] = 0) => K[m,m] = 1 =>
       D(s, tr(T({LINE}) @ {LINE})/2, 0) = -(T(U) @ (T(X) @ (Y - X @ U @ G @ T(V))) @ V)[m,m]""",
    argument="sound",
    reading="beta = U G V^T with fixed U, V; K is the direction in which the m-th singular value grows; R = X^T (Y - X beta)",
)
def gradient_in_a_singular_value(g: Goal) -> None:
    """The derivative along K is -tr(R'^T K), of which one term is left."""
    low, high, wide, _, off, others, one = g.intro()
    r = "(T(U) @ (T(X) @ (Y - X @ U @ G @ T(V))) @ V)"
    named = g.obtain(g.have(f"ex Q:M(p,k). Q = {r}", lambda g: (g.witness(r), g.refl())), "Q")[0]
    turned = transposed(g, named)
    whole = g.have(f"T({r}) @ K = T(Q) @ K", lambda g: g.nc((turned, -1, None, "K")))
    trace = g.fact("tr_entries", "k", "T(Q) @ K")

    def column(g: Goal) -> None:
        g.fix("j")
        g.assume()
        apart = g.assume()

        def zero(g: Goal) -> None:
            g.fix("q")
            g.assume()

            def same(g: Goal) -> None:
                g.rewrite(list(g.seq.hyps)[-1])
                z = g.apply(others, "j", by=[using(apart)])
                g.field((z, "Q[j,j]"))

            g.em("q = j", same, lambda g: g.field((g.apply(off, "q", "j"), "Q[q,j]")))

        s = g.by_fact("sum_ext", 1, "p", "lam q:Z. Q[q,j]*K[q,j]", "lam q:Z. 0", by=[zero])
        g.field((s, 1))

    diagonal = g.by_fact("sum_delta", 1, "k", "m", "lam j:Z. (T(Q) @ K)[j,j]", by=[using(low), using(wide), column])

    def row(g: Goal) -> None:
        g.fix("q")
        g.assume()
        g.assume()
        g.field((g.apply(off, "q", "m"), "Q[q,m]"))

    last = g.by_fact("sum_delta", 1, "p", "m", "lam q:Z. Q[q,m]*K[q,m]", by=[using(low), using(high), row])
    value = g.have("tr(T(Q) @ K) = Q[m,m]", lambda g: g.field((trace, 1), (diagonal, 1), (last, 1), (one, "Q[m,m]")))
    same = g.have(f"tr(T({r}) @ K) = Q[m,m]", lambda g: (g.rewrite(whole), g.close_by(value)))
    g.rewrite(named, back=True)
    g.field((same, -1))


MOVING = FLOW.replace("S:R~>M(p,k)", "Q:R~>M(p,p), S:R~>M(p,k)")
GRAM = "(Z1(t) @ T(Z1(t)))"
R_FRAME = f"(T(U(t)) @ {RES} @ V(t))"
FRAMES = f"""(all t:R. 0 <= t => T(U(t)) @ U(t) = I(p) and T(V(t)) @ V(t) = I(k) and {GRAM} = U(t) @ Q(t) @ T(U(t)) and {BETA} = U(t) @ S(t) @ T(V(t)) and
       {DIAGONAL.format("Q(t)")} and {DIAGONAL.format("S(t)")}) =>"""


@holds(
    "varre2023.step-c-13-inverse-gram",
    f"""{MOVING} {FRAMES} all t:R. 0 <= t => det({GRAM}) != 0 and
       T(U(t)) @ D(s, inv(Z1(s) @ T(Z1(s))), t) @ U(t) = -(T(U(t)) @ inv({GRAM}) @ D(s, Z1(s) @ T(Z1(s)), t) @ inv({GRAM}) @ U(t)) and
       T(U(t)) @ D(s, inv(Z1(s) @ T(Z1(s))), t) @ U(t) = -(inv(Q(t)) @ (S(t) @ T({R_FRAME}) + {R_FRAME} @ T(S(t))) @ inv(Q(t))) and
       det(Q(t)) != 0 and all i:Z. 1 <= i => i <= p => Q(t)[i,i] != 0 and
       D(s, 1/Q(s)[i,i], t) = -(2*S(t)[i,i]*{R_FRAME}[i,i]/Q(t)[i,i]^2)""",
    argument="sound",
    reading="U, V are singular bases of beta, U also of Z_1 (Theorem C.11); Q = tilde D_{Z_1}^2, S = D_beta, R' = U^T R V; for i > k the entries of S and R' are 0",
    uses=["varre2023.lemma-c-2-alpha", "varre2023.step-c-13-skew", SHARED],
)
def derivative_of_the_inverse_gram_matrix(g: Goal) -> None:
    """d/dt(Z_1 Z_1^T) = beta R^T + R beta^T, and the frame does not move the diagonal."""
    names = g.intro()
    setting, along = names[:5], names[5]
    frame_u, frame_v, gram, beta, off_q, off_s = g.split(g.apply(along, "t"))
    plain, turned = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", setting))
    product = g.fact("det_product", "p", "Z1(t)", "T(Z1(t))")
    regular = g.have(f"det({GRAM}) != 0", lambda g: nonzero_product(g, product, plain, turned))
    right = g.by_fact("inv_right", "p", GRAM, by=[using(regular)])
    back = g.split(g.by_fact("inv_unique", "p", "T(U(t))", "U(t)", by=[using(frame_u)]))[1]
    inside = f"(T(U(t)) @ inv({GRAM}) @ U(t))"
    unit = g.have(
        f"Q(t) @ {inside} = I(p)",
        lambda g: g.nc(
            (frame_u, -1, None, f"Q(t) @ {inside}"), (frame_u, -1, "T(U(t)) @ U(t) @ Q(t)", inside), (gram, -1, "T(U(t))", f"U(t) @ {inside}"),
            (back, 1, f"T(U(t)) @ {GRAM}", f"inv({GRAM}) @ U(t)"), (right, 1, "T(U(t))", "U(t)"), (frame_u, 1, None, None),
        ),
    )  # fmt: skip
    inverse, _, det_q = g.split(g.by_fact("inv_unique", "p", "Q(t)", inside, by=[using(unit)]))
    a, _ = g.split(g.apply(setting[4], "t"))
    beta_t = transposed(g, beta)
    r = R_FRAME
    slope = g.have(
        f"T(U(t)) @ D(s, Z1(s) @ T(Z1(s)), t) @ U(t) = S(t) @ T({r}) + {r} @ T(S(t))",
        lambda g: g.nc(
            (beta, 1, "T(U(t))", f"T({RES}) @ U(t)"), (frame_u, 1, None, f"S(t) @ T(V(t)) @ T({RES}) @ U(t)"),
            (beta_t, 1, f"T(U(t)) @ {RES}", "U(t)"), (frame_u, 1, f"{r} @ T(S(t))", None), rw=[a],
        ),
    )  # fmt: skip
    whole = "D(s, Z1(s) @ T(Z1(s)), t)"
    rule = g.have(
        f"T(U(t)) @ D(s, inv(Z1(s) @ T(Z1(s))), t) @ U(t) = -(T(U(t)) @ inv({GRAM}) @ {whole} @ inv({GRAM}) @ U(t))",
        lambda g: g.nc(),
    )

    def framed(g: Goal) -> None:
        g.nc(
            (rule, 1, None, None), (inverse, 1, None, f"(S(t) @ T({r}) + {r} @ T(S(t))) @ inv(Q(t))"), (inverse, 1, f"{inside} @ (S(t) @ T({r}) + {r} @ T(S(t)))", None),
            (slope, -1, inside, inside), (back, -1, f"T(U(t)) @ inv({GRAM})", f"-({whole}) @ U(t) @ {inside}"), (back, 1, f"T(U(t)) @ inv({GRAM}) @ {whole}", f"inv({GRAM}) @ U(t)"),
        )  # fmt: skip

    def diagonal(g: Goal) -> None:
        g.fix("i")
        low, _high = g.assume(), g.assume()
        times = g.lemma(SHARED, "part:diagonal-times", "p", "p", "Q(t)", inside, by=[using(off_q)])
        own = g.have(
            f"Q(t)[i,i]*{inside}[i,i] = 1", lambda g: (g.rewrite(g.apply(times, "i", "i"), back=True), g.rewrite(unit), g.field())
        )

        def not_zero(g: Goal) -> None:
            zero = g.contra()
            g.pos([], eqs=[(own, 1), (zero, f"-({inside}[i,i])")])

        nonzero = g.have("Q(t)[i,i] != 0", not_zero)

        def frames(g: Goal) -> None:
            g.fix("w")
            h = g.split(g.apply(along, "w", by=[using(g.assume())]))
            g.conj(using(h[0]), using(h[0]))

        def diagonals(g: Goal) -> None:
            g.fix("w", "a", "b")
            now = g.assume()
            h = g.split(g.apply(along, "w", by=[using(now)]))
            g.close_by(g.apply(h[4], "a", "b", by=[using(g.assume())]))

        def path(g: Goal) -> None:
            g.fix("w")
            g.close_by(g.split(g.apply(along, "w", by=[using(g.assume())]))[2])

        skew = g.lemma(
            "varre2023.step-c-13-skew",
            "statement",
            "p",
            "p",
            "U",
            "U",
            "Q",
            "lam w:R. Z1(w) @ T(Z1(w))",
            by=[frames, diagonals, path],
        )
        entry = g.split_all(g.apply(g.split_all(g.apply(skew, "t"))[-1], "i"))[-1]
        q = g.obtain(g.have(f"ex K:M(p,k). K = {r}", lambda g: (g.witness(r), g.refl())), "K")[0]
        named = g.have(
            f"S(t) @ T({r}) + {r} @ T(S(t)) = S(t) @ T(K) + K @ T(S(t))",
            lambda g: g.nc((q, -1, None, "T(S(t))"), (transposed(g, q), -1, "S(t)", None)),
        )
        value = g.have(
            "Q'(t)[i,i] = (S(t) @ T(K) + K @ T(S(t)))[i,i]",
            lambda g: (g.rewrite(entry, back=True), g.rewrite(named, back=True), g.rewrite(slope, back=True), g.refl()),
        )

        def paired(g: Goal) -> None:
            def other(g: Goal) -> None:
                g.fix("j")
                g.split_all(g.assume())
                differ(g, g.assume())
                g.field((g.apply(off_s, "i", "j"), "K[i,j]"))

            wide = list(g.seq.hyps)[-1]
            g.close_by(g.by_fact("sum_delta", 1, "k", "i", f"lam j:Z. {term}", by=[using(low), using(wide), other]))

        def beyond(g: Goal) -> None:
            outside = g.by_fact("entry_outside", "p", "k", "S(t)")
            none = g.apply(outside, "i", "i", by=[lambda g: (g.left_or_right(3), g.auto())])

            def zero(g: Goal) -> None:
                g.fix("j")
                g.split_all(g.assume())
                g.have("i != j", lambda g: g.condition())
                g.field((g.apply(off_s, "i", "j"), "K[i,j]"))

            s = g.by_fact("sum_ext", 1, "k", f"lam j:Z. {term}", "lam j:Z. 0", by=[zero])
            g.field((s, 1), (none, "-K[i,i]"))

        term = "K[i,j]*S(t)[i,j]"
        d = g.have(f"sum(j, 1, k, {term}) = K[i,i]*S(t)[i,i]", lambda g: g.em("i <= k", paired, beyond))
        same = g.have(f"{r}[i,i] = K[i,i]", lambda g: (g.rewrite(q), g.refl()))
        rate = g.have("Q'(t)[i,i] = 2*S(t)[i,i]*K[i,i]", lambda g: g.field((value, 1), (d, 2)))
        g.rewrite(same)
        g.conj(using(nonzero), lambda g: g.field((rate, "-1/Q(t)[i,i]^2")))

    g.conj(using(regular), using(rule), framed, using(det_q), diagonal)


def nonzero_product(g: Goal, product: str, one: str, two: str) -> None:
    """A product of numbers that are not 0."""
    zero = g.contra()
    both = g.have("det(Z1(t))*det(T(Z1(t))) = 0", lambda g: g.field((product, -1), (zero, 1)))
    g.cases(
        g.by_fact("product_zero", "det(Z1(t))", "det(T(Z1(t)))", by=[using(both)]),
        lambda g: g.clash(list(g.seq.hyps)[-1], one),
        lambda g: g.clash(list(g.seq.hyps)[-1], two),
    )


@holds(
    "varre2023.def-c-9",
    f"""all p k:Z, A:M(p,k). k <= p => ex U:M(p,p), V:M(k,k), D:M(p,k). T(U) @ U = I(p) and T(V) @ V = I(k) and A = U @ D @ T(V) and
       {DIAGONAL.format("D")} and (all i:Z. D[i,i] = sv(A,i)) and T(A) @ A = V @ (T(D) @ D) @ T(V) and A @ T(A) = U @ (D @ T(D)) @ T(U) and
       (all i j:Z. (D @ T(D))[i,i] = D[i,i]^2 and (T(D) @ D)[i,i] = D[i,i]^2 and (i != j => (D @ T(D))[i,j] = 0 and (T(D) @ D)[i,j] = 0)) and
       all i:Z. k < i => (D @ T(D))[i,i] = 0""",
    reading="D_A^2 = D^T D and tilde D_A^2 = D D^T, with the singular values in decreasing order",
    uses=[SHARED],
)
def notation_for_singular_values(g: Goal) -> None:
    """A singular value decomposition, and the Gram matrices of a rectangular diagonal matrix."""
    g.intro()
    orth_u, orth_v, svd, off, values = g.obtain(g.fact("svd", "p", "k", "A"), "U", "V", "D")
    turned = transposed(g, svd)
    left = g.lemma(SHARED, "part:square-of-a-diagonal", "p", "k", "D", by=[using(off)])

    def flipped(g: Goal) -> None:
        g.fix("i", "j")
        differ(g, g.assume())
        g.field((g.apply(off, "j", "i"), 1))

    off_t = g.have(DIAGONAL.format("T(D)"), flipped)
    right = g.lemma(SHARED, "part:square-of-a-diagonal", "k", "p", "T(D)", by=[using(off_t)])
    plain = g.have("T(D) @ T(T(D)) = T(D) @ D", lambda g: g.nc())
    right = g.rewritten(right, plain)
    out = g.fact("entry_outside", "p", "k", "D")

    def entries(g: Goal) -> None:
        g.fix("i", "j")
        a, b = g.split(g.apply(left, "i", "j"))
        c, e = g.split(g.apply(right, "i", "j"))

        def apart(g: Goal) -> None:
            h = g.assume()
            g.conj(lambda g: g.close_by(g.apply(b, by=[using(h)])), lambda g: g.close_by(g.apply(e, by=[using(h)])))

        g.conj(using(a), lambda g: g.field((c, 1)), apart)

    def beyond(g: Goal) -> None:
        g.fix("i")
        far = g.assume()
        a = g.split(g.apply(left, "i", "i"))[0]
        z = g.apply(out, "i", "i", by=[lambda g: (g.left_or_right(3), g.close_by(far))])
        g.field((a, 1), (z, "D[i,i]"))

    g.witness("U", "V", "D")
    g.conj(
        using(orth_u),
        using(orth_v),
        using(svd),
        using(off),
        using(values),
        lambda g: g.nc((turned, 1, None, "A"), (svd, 1, "T(U @ D @ T(V))", None), (orth_u, 1, "V @ T(D)", "D @ T(V)")),
        lambda g: g.nc((svd, 1, None, "T(A)"), (turned, 1, "U @ D @ T(V)", None), (orth_v, 1, "U @ D", "T(D) @ T(U)")),
        entries,
        beyond,
    )
