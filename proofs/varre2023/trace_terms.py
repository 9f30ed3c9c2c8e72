"""Lemma C.6: the smallest non-zero eigenvalue of X^T X bounds it on the span of X^T; the second trace term, the restriction, the span of beta."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.alpha import setting_lemma
from proofs.varre2023.flows import ALPHA, BETA, PROJECTED, RES, SETTING
from proofs.varre2023.network_and_loss import size
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "varre2023.step-c-6-second-term"
A = "(T(X) @ X)"
GAP = f"(all e:R, v:V(p). v != O(p,1) => {A} @ v = e*v => e = 0 or q <= e)"
"""q is at most every non-zero eigenvalue of X^T X."""
EIGENVALUES = "the smallest non-zero eigenvalue is written as any q > 0 that no non-zero eigenvalue lies below"


@part(
    CLAIM,
    "eigenvalue",
    """all p i:Z, q:R, H V D:M(p,p). T(V) @ V = I(p) => D = T(V) @ H @ V => (all a b:Z. a != b => D[a,b] = 0) =>
       (all e:R, v:V(p). v != O(p,1) => H @ v = e*v => e = 0 or q <= e) => 1 <= i => i <= p => D[i,i] = 0 or q <= D[i,i]""",
    says="the diagonal entries in an eigenbasis are eigenvalues",
)
def diagonal_entry_is_an_eigenvalue(g: Goal) -> None:
    """The i-th column of the basis is an eigenvector."""
    orth, named, off, gap, low, high = g.intro()
    back = g.split(g.by_fact("inv_unique", "p", "T(V)", "V", by=[using(orth)]))[1]
    (column,) = g.obtain(g.by_fact("unit_vector", "p", "i", by=[using(low), using(high)]), "u")
    unit = g.have("I(p) @ u = u", lambda g: g.nc())

    def entry(g: Goal) -> None:
        y = g.apply(column, "p", "I(p)", "a")
        back = g.have("u[a,1] = (I(p) @ u)[a,1]", lambda g: g.ctx(lambda g: g.nc()))
        g.rewrite(back)
        g.close_by(y)

    def moved(g: Goal) -> None:
        g.extn("a", "b")
        one = g.have("b = 1", lambda g: g.antisym(Goal.auto, Goal.auto))
        g.rewrite(one)
        x = g.apply(column, "p", "D", "a")
        y = g.have("u[a,1] = I(p)[a,i]", entry)
        g.rewrite(x)

        def same(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            y_ = g.rewritten(y, h)
            g.rewrite(h)
            g.field((y_, "-(D[i,i])"))

        def apart(g: Goal) -> None:
            z = g.apply(off, "a", "i")
            g.field((z, 1), (y, "-(D[i,i])"))

        g.em("a = i", same, apart)

    eigen = g.have("D @ u = D[i,i]*u", moved)
    vector = g.have(
        "H @ (V @ u) = D[i,i]*(V @ u)",
        lambda g: g.nc((eigen, 1, "V", None), (named, -1, "V", "u"), (back, -1, None, "H @ V @ u")),
    )

    def nonzero(g: Goal) -> None:
        zero = g.contra()
        none = g.have("u = O(p,1)", lambda g: g.nc((zero, 1, "T(V)", None), (orth, -1, None, "u")))
        y = g.apply(column, "p", "I(p)", "i")
        left = g.have("(I(p) @ u)[i,1] = 0", lambda g: (g.rewrite(unit), g.rewrite(none), g.field()))
        g.pos([], eqs=[(y, 1), (left, -1)])

    g.close_by(g.apply(gap, "D[i,i]", "V @ u", by=[nonzero, using(vector)]))


@part(
    CLAIM,
    "gap-in-the-eigenbasis",
    """all p k:Z, q:R, D:M(p,p), M:M(p,k). (all a b:Z. a != b => D[a,b] = 0) =>
       (all i:Z. 1 <= i => i <= p => q <= D[i,i] or all j:Z. 1 <= j => j <= k => M[i,j] = 0) => q*tr(T(M) @ M) <= tr(T(M) @ D @ M)""",
    says="a diagonal form on vectors whose coordinates vanish where the diagonal is small",
)
def gap_of_a_diagonal_form(g: Goal) -> None:
    """tr((D - q) M M^T), entry by entry."""
    off, rows = g.intro()
    named = g.obtain(g.have("ex G:M(p,p). G = M @ T(M)", lambda g: (g.witness("M @ T(M)"), g.refl())), "G")[0]
    shifted = g.obtain(g.have("ex E:M(p,p). E = D - q*I(p)", lambda g: (g.witness("D - q*I(p)"), g.refl())), "E")[0]

    def term(g: Goal) -> None:
        g.fix("i")
        low, high = g.split_all(g.assume())
        product = g.apply(g.fact("mm_entry", "p", "p", "p", "E", "G"), "i", "i")

        def other(g: Goal) -> None:
            g.fix("j")
            g.split_all(g.assume())
            apart = g.assume()
            g.have("i != j", lambda g: (g.contra("same"), g.clash(g.have("j = i", lambda g: g.field(("same", -1))), apart)))
            z = g.apply(off, "i", "j")
            g.rewrite(shifted)
            g.field((z, "G[j,i]"))

        single = g.by_fact("sum_delta", 1, "p", "i", "lam j:Z. E[i,j]*G[j,i]", by=[using(low), using(high), other])
        own = g.have("E[i,i] = D[i,i] - q", lambda g: (g.rewrite(shifted), g.field()))
        square = g.have("G[i,i] = sum(j, 1, k, M[i,j]^2)", lambda g: (g.rewrite(named), g.field()))
        value = g.have("(E @ G)[i,i] = (D[i,i] - q)*G[i,i]", lambda g: g.field((product, 1), (single, 1), (own, "G[i,i]")))
        g.rewrite(value)

        def kernel(g: Goal) -> None:
            row = next(reversed(g.seq.hyps))

            def coordinate(g: Goal) -> None:
                g.fix("j")
                a, b = g.split_all(g.assume())
                z = g.apply(row, "j", by=[using(a), using(b)])
                g.field((z, "M[i,j]"))

            flat = g.by_fact("sum_ext", 1, "k", "lam j:Z. M[i,j]^2", "lam j:Z. 0", by=[coordinate])
            none = g.have("G[i,i] = 0", lambda g: g.field((square, 1), (flat, 1)))
            g.rewrite(none)
            g.pos()

        def large(g: Goal) -> None:
            wide = next(reversed(g.seq.hyps))
            nonneg = g.have("0 <= G[i,i]", lambda g: (g.rewrite(square), g.auto()))
            g.pos([f"@{wide}", f"@{nonneg}"])

        g.cases(g.apply(rows, "i", by=[using(low), using(high)]), large, kernel)

    total = g.by_fact("sum_nonneg", 1, "p", "lam i:Z. (E @ G)[i,i]", by=[term])
    trace = g.fact("tr_entries", "p", "E @ G")
    whole = g.have("E @ G = (D - q*I(p)) @ M @ T(M)", lambda g: g.nc((shifted, 1, None, "G"), (named, 1, "D - q*I(p)", None)))
    same = g.have("tr(E @ G) = tr((D - q*I(p)) @ M @ T(M))", lambda g: (g.rewrite(whole), g.refl()))
    g.pos([f"@{total}"], eqs=[(trace, 1), (same, -1)])


@part(
    CLAIM,
    "gap",
    f"all n p k:Z, q:R, X:M(n,p), N:M(n,k). {GAP} => q*{size('(T(X) @ N)')} <= {size('(X @ T(X) @ N)')}",
    says="|X M|^2 >= lambda |M|^2 for M in the span of X^T",
)
def gap_on_the_span(g: Goal) -> None:
    """In an eigenbasis of X^T X: the coordinates of M in the kernel of X vanish."""
    (gap,) = g.intro()
    base = g.by_fact("simultaneous_diagonalisation", "p", A, A, by=[lambda g: g.nc(), lambda g: g.nc(), lambda g: g.refl()])
    orth, both = g.obtain(base, "V")
    back = g.split(g.by_fact("inv_unique", "p", "T(V)", "V"))[1]
    d, m = f"T(V) @ {A} @ V", "T(V) @ T(X) @ N"
    named = g.obtain(g.have(f"ex D:M(p,p). D = {d}", lambda g: (g.witness(d), g.refl())), "D")[0]
    moved = g.obtain(g.have(f"ex M:M(p,k). M = {m}", lambda g: (g.witness(m), g.refl())), "M")[0]
    turned = g.obtain(g.have("ex Q:M(n,p). Q = X @ V", lambda g: (g.witness("X @ V"), g.refl())), "Q")[0]

    def diagonal(g: Goal) -> None:
        g.fix("a", "b")
        z = g.split(g.apply(both, "a", "b", by=[using(g.assume())]))[0]
        g.rewrite(named)
        g.close_by(z)

    off = g.have("all a b:Z. a != b => D[a,b] = 0", diagonal)

    def rows(g: Goal) -> None:
        g.fix("i")
        low, high = g.assume(), g.assume()

        def eigenvalues(g: Goal) -> None:
            g.fix("e", "v")
            nonzero, pair = g.assume(), g.assume()
            g.close_by(g.apply(gap, "e", "v", by=[using(nonzero), lambda g: g.nc((pair, 1, None, None))]))

        given = [using(orth), using(named), using(off), eigenvalues, using(low), using(high)]
        cases = g.lemma(CLAIM, "part:eigenvalue", "p", "i", "q", A, "V", "D", by=given)

        def kernel(g: Goal) -> None:
            zero = next(reversed(g.seq.hyps))
            g.left_or_right(1)
            shape = g.have("D = T(Q) @ Q", lambda g: (g.rewrite(turned), g.nc((named, 1, None, None))))
            none = g.have(
                "sum(r, 1, n, Q[r,i]^2) = 0",
                lambda g: (
                    g.have("D[i,i] = (T(Q) @ Q)[i,i]", lambda g: g.ctx(using(shape)), name="own"),
                    g.field((zero, 1), ("own", -1)),
                ),
            )
            each = g.by_fact(
                "sum_zero_terms", 1, "n", "lam r:Z. Q[r,i]^2", by=[lambda g: (g.fix(), g.assume(), g.auto()), using(none)]
            )
            g.fix("j")
            g.assume()
            g.assume()
            shape_m = g.have("M = T(Q) @ N", lambda g: (g.rewrite(turned), g.nc((moved, 1, None, None))))

            def vanish(g: Goal) -> None:
                g.fix("r")
                v = g.by_fact("square_zero", "Q[r,i]", by=[using(g.apply(each, "r", by=[using(g.assume())]))])
                g.field((v, "N[r,j]"))

            z = g.by_fact("sum_ext", 1, "n", "lam r:Z. Q[r,i]*N[r,j]", "lam r:Z. 0", by=[vanish])
            g.rewrite(shape_m)
            g.field((z, 1))

        g.cases(cases, kernel, lambda g: (g.left_or_right(0), g.close_by(next(reversed(g.seq.hyps)))))

    coordinates = g.have("all i:Z. 1 <= i => i <= p => q <= D[i,i] or all j:Z. 1 <= j => j <= k => M[i,j] = 0", rows)
    h = g.lemma(CLAIM, "part:gap-in-the-eigenbasis", "p", "k", "q", "D", "M", by=[using(off), using(coordinates)])
    h = g.rewritten(g.rewritten(h, moved), named)
    x_n, b = "T(X) @ N", "T(N) @ X"
    one = g.have(
        f"{size('(X @ T(X) @ N)')} = tr(T({m}) @ ({d}) @ ({m}))",
        lambda g: bracketed(
            g, back, f"T({m}) @ ({d}) @ ({m})", f"T(X @ {x_n}) @ (X @ {x_n})", [(b, f"{A} @ V @ {m}"), (f"{b} @ {A}", x_n)]
        ),
    )
    two = g.have(
        f"{size('(T(X) @ N)')} = tr(T({m}) @ ({m}))",
        lambda g: bracketed(g, back, f"T({m}) @ ({m})", f"T({x_n}) @ ({x_n})", [(b, x_n)]),
    )
    g.pos([f"@{h}"], eqs=[(one, 1), (two, "-q")])


def bracketed(g: Goal, back: str, inner: str, outer: str, places: list[tuple[str, str]]) -> None:
    """V V^T = I inside a trace."""
    same = g.have(f"{outer} = {inner}", lambda g: g.nc(*[(back, -1, left, right) for left, right in places]))
    g.rewrite(same)
    g.refl()


TAIL = f"tr({RES} @ T(Z2(t)) @ Z2(t) @ T({RES}))"
FORM = f"tr({A} @ {RES} @ T(Z2(t)) @ Z2(t) @ T({RES}))"


@holds(
    CLAIM,
    f"""{PROJECTED} all q:R. 0 < q => {GAP} => all t:R. 0 <= t => tr(T({RES}) @ {A} @ {RES} @ T(Z2(t)) @ Z2(t)) = {FORM} and
       q*{TAIL} <= {FORM} and 0 <= q*{TAIL}""",
    argument="sound",
    reading=EIGENVALUES,
)
def second_trace_term_is_nonnegative(g: Goal) -> None:
    """R Z2^T has its columns in the span of X^T."""
    names = g.intro()
    gap = names[6]
    h = g.lemma(CLAIM, "part:gap", "n", "p", "p", "q", "X", "(Y - X @ Z1(t) @ Z2(t)) @ T(Z2(t))", by=[using(gap)])
    g.conj(
        lambda g: g.field(), lambda g: g.pos([f"@{h}"]), lambda g: g.pos(["q", f"tr(T({RES} @ T(Z2(t))) @ ({RES} @ T(Z2(t))))"])
    )


@holds(
    "varre2023.step-c-6-beta-span",
    f"""{PROJECTED} (all t:R. 0 <= t => ex N:M(n,k). {BETA} = T(X) @ N) and
       all B:M(p,k). (X @ B = Y and ex N:M(n,k). B = T(X) @ N) <=> (X @ B = Y and all C:M(p,k). X @ C = Y => {size("B")} <= {size("C")})""",
    argument="sound",
    uses=[
        "varre2023.lemma-c-2-beta",
        "varre2023.step-c-3-perp-ode",
        "varre2023.step-c-3-projection",
        "varre2023.step-b-kkt-min-norm",
    ],
)
def predictor_is_in_the_span_of_the_data(g: Goal) -> None:
    """(I - alpha alpha^T) beta = 2 gamma alpha, so beta = alpha (2 gamma + alpha^T beta); the least norm is that of the projection."""
    names = g.intro()
    setting = names[:5]
    inner, sym = g.obtain(g.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X"), "G")
    g.have("T(T(G @ X)) = T(G @ X)", lambda g: (g.rewrite(sym), g.close_by(sym)))

    def along(g: Goal) -> None:
        g.fix("t")
        g.assume()
        regular, beta = g.split(setting_lemma(g, "varre2023.lemma-c-2-beta", "statement", setting))
        right = g.by_fact("inv_right", "p", f"(I(p) - {ALPHA} @ T({ALPHA}))", by=[using(regular)])
        step = g.lemma("varre2023.step-c-3-perp-ode", "statement", *SETTING, "G", by=[using(h) for h in (inner, sym, *setting)])
        rest = g.apply(g.split_all(step)[-1], "t")
        k = f"((2*c)*I(k) + T({ALPHA}) @ {BETA})"
        factor = g.have(
            f"{BETA} = {ALPHA} @ {k}",
            lambda g: g.nc((beta, 1, None, None), (beta, -1, f"{ALPHA} @ T({ALPHA})", None), (right, "2*c", None, ALPHA)),
        )
        g.witness(f"T(G) @ {ALPHA} @ {k}")
        g.nc((factor, 1, None, None), (rest, 1, None, k), (sym, -1, None, f"{ALPHA} @ {k}"))

    def least(g: Goal) -> None:
        g.fix("B")

        def forward(g: Goal) -> None:
            fits, spanned = g.split(g.assume())
            h = g.lemma(
                "varre2023.step-b-kkt-min-norm", "statement", "n", "p", "k", "X", "Y", "B", by=[using(spanned), using(fits)]
            )

            def bound(g: Goal) -> None:
                g.fix("C")
                g.close_by(g.split(g.apply(h, "C", by=[using(g.assume())]))[0])

            g.conj(using(fits), bound)

        def backward(g: Goal) -> None:
            fits, minimal = g.split(g.assume())
            near = "(T(X) @ (T(G) @ B))"
            proper = g.have(f"X @ {near} = Y", lambda g: g.nc((sym, 1, "X", "B"), (inner, 1, None, "B"), (fits, 1, None, None)))
            spanned = g.have(f"ex N:M(n,k). {near} = T(X) @ N", lambda g: (g.witness("T(G) @ B"), g.refl()))
            h = g.lemma(
                "varre2023.step-b-kkt-min-norm", "statement", "n", "p", "k", "X", "Y", near, by=[using(spanned), using(proper)]
            )
            less = g.apply(minimal, near, by=[using(proper)])
            same = g.apply(g.split(g.apply(h, "B", by=[using(fits)]))[1], by=[using(less)])
            g.conj(using(fits), lambda g: (g.witness("T(G) @ B"), g.close_by(same)))

        g.iff(forward, backward)

    g.conj(along, least)


FRAME = "T(U) @ U = I(r) => (ex N:M(n,r). U = T(X) @ N) => X @ U @ T(U) = X =>"
SMALL, INNER, ROWS = f"(T(U) @ {A} @ U)", "(T(U) @ Z1(t) @ T(Z1(t)) @ U)", f"(T(U) @ {RES})"


@holds(
    "varre2023.step-c-6-restriction",
    f"""{PROJECTED.replace(". 0 < c =>", f", r:Z, U:M(p,r). {FRAME} 0 < c =>", 1)} det({SMALL}) != 0 and {A} = U @ {SMALL} @ T(U) and
       all t:R. 0 <= t => {RES} = U @ {ROWS} and U @ T(U) @ (Z1(t) @ T(Z1(t))) = Z1(t) @ T(Z1(t)) @ (U @ T(U)) and
       D(s, T(U) @ {RES.replace("(t)", "(s)")}, t) = -({SMALL} @ ({INNER} @ {ROWS} + {ROWS} @ T(Z2(t)) @ Z2(t))) and
       {size(RES)} = {size(ROWS)}""",
    argument="sound",
    reading="U is an orthonormal basis of the span of X^T: the restricted matrices obey the same equation, the restricted X^T X is regular and has, by X^T X = U (..) U^T, "
    "the non-zero eigenvalues of X^T X, and the trace is that of the restricted R",
    uses=["varre2023.step-c-6-r-evolution", "varre2023.eq-c-12", "varre2023.step-c-3-perp-ode", "varre2023.step-c-3-projection"],
)
def residual_can_be_restricted_to_the_span(g: Goal) -> None:
    """U U^T X^T = X^T; the Gram matrix of Z1 is a function of alpha alpha^T."""
    names = g.intro(split=False)
    orth, spanned, whole, setting = names[0], names[1], names[2], names[3:8]
    (data,) = g.obtain(spanned, "N")
    turned = g.have("T(X @ U @ T(U)) = T(X)", lambda g: (g.rewrite(whole), g.refl()))

    def regular(g: Goal) -> None:
        zero = g.contra()
        nonzero, killed = g.obtain(g.by_fact("det_kernel", "r", SMALL, by=[using(zero)]), "v")
        square = g.have("T(X @ U @ v) @ (X @ U @ v) = O(1,1)", lambda g: g.nc((killed, 1, "T(v)", None)))
        none = g.by_fact(
            "frobenius_zero",
            "n",
            1,
            "X @ U @ v",
            by=[
                lambda g: (
                    g.have("tr(T(X @ U @ v) @ (X @ U @ v)) = tr(O(1,1))", lambda g: (g.rewrite(square), g.refl()), name="sq"),
                    g.rewrite("sq"),
                    g.field(),
                )
            ],
        )
        back = g.have("T(U) = T(T(X) @ N)", lambda g: g.ctx(using(data)))
        null = g.have("v = O(r,1)", lambda g: g.nc((orth, -1, None, "v"), (back, 1, None, "U @ v"), (none, 1, "T(N)", None)))
        g.clash(null, nonzero)

    def along(g: Goal) -> None:
        g.fix("t")
        g.assume()
        inner, sym = g.obtain(g.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X"), "G")
        step = g.lemma("varre2023.step-c-3-perp-ode", "statement", *SETTING, "G", by=[using(h) for h in (inner, sym, *setting)])
        rest = g.apply(g.split_all(step)[-1], "t")
        law = setting_lemma(g, "varre2023.step-c-6-r-evolution", "statement", setting)
        det, gram = g.split(setting_lemma(g, "varre2023.eq-c-12", "statement", setting))
        b = f"(I(p) - {ALPHA} @ T({ALPHA}))"
        left = g.by_fact("inv_left", "p", b, by=[using(det)])
        right = g.by_fact("inv_right", "p", b, by=[using(det)])
        frame, s, inv = "(U @ T(U))", "(Z1(t) @ T(Z1(t)))", f"inv({b})"
        span = g.have(f"{ALPHA} = T(X) @ (T(G) @ {ALPHA})", lambda g: g.nc((rest, 1, None, None), (sym, -1, None, ALPHA)))
        kept = g.have(
            f"{frame} @ {ALPHA} = {ALPHA}",
            lambda g: g.nc((span, 1, frame, None), (turned, 1, None, f"T(G) @ {ALPHA}"), (span, -1, None, None)),
        )
        kept_t = g.have(f"T({frame} @ {ALPHA}) = T({ALPHA})", lambda g: g.ctx(using(kept)))
        same = g.have(f"{frame} @ {RES} = {RES}", lambda g: g.nc((turned, 1, None, "(Y - X @ Z1(t) @ Z2(t))")))

        def commute(g: Goal) -> None:
            g.nc(
                (gram, 1, frame, None),
                (gram, -1, None, frame),
                (left, "-2*c", None, f"{frame} @ {inv}"),
                (right, "2*c", f"{inv} @ {frame}", None),
                (kept, "2*c", inv, f"T({ALPHA}) @ {inv}"),
                (kept_t, "-2*c", f"{inv} @ {ALPHA}", inv),
            )

        def evolve(g: Goal) -> None:
            before = "T(U) @ T(X)"
            g.nc(
                (law, 1, "T(U)", None),
                (whole, 1, before, f"{s} @ {frame} @ {RES}"),
                (same, 1, f"{before} @ X @ {s}", None),
                (whole, 1, before, f"{RES} @ T(Z2(t)) @ Z2(t)"),
            )

        def trace(g: Goal) -> None:
            product = g.have(f"T({RES}) @ {RES} = T({ROWS}) @ {ROWS}", lambda g: g.nc((same, -1, f"T({RES})", None)))
            g.rewrite(product)
            g.refl()

        g.conj(lambda g: g.nc((same, -1, None, None)), commute, evolve, trace)

    def compact(g: Goal) -> None:
        g.nc((turned, -1, None, "X @ U @ T(U)"), (whole, -1, "T(X)", None))

    g.conj(regular, compact, along)
