"""The steps of the proof of Lemma C.13: differentiating a singular value decomposition of alpha."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.alpha import setting_lemma
from proofs.varre2023.flows import ALPHA, ALPHA_PATH, PROJECTED, RES, SETTING
from verify.kernel import Goal
from verify.registry import holds

FRAMES = """(all t:R. 0 <= t => T(U(t)) @ U(t) = I(p) and T(V(t)) @ V(t) = I(k)) => (all t:R, a b:Z. 0 <= t => a != b => S(t)[a,b] = 0) =>"""
PATH = f"""all p k:Z, U:R~>M(p,p), V:R~>M(k,k), S:R~>M(p,k), a:R~>M(p,k). {FRAMES} (all t:R. 0 <= t => a(t) = U(t) @ S(t) @ T(V(t))) =>"""
READING = "U and V are differentiable singular bases of alpha, and S holds the singular values D_alpha on its principal diagonal"
DERIVATIVE = "T(U(t)) @ a'(t) @ V(t) = T(U(t)) @ U'(t) @ S(t) + S'(t) + S(t) @ T(V'(t)) @ V(t)"
SVD = "varre2023.step-c-13-svd-derivative"


@holds(SVD, f"{PATH} all t:R. 0 <= t => {DERIVATIVE}", argument="sound", reading=READING)
def derivative_of_the_decomposition(g: Goal) -> None:
    """The product rule, and U^T U = I, V^T V = I."""
    frames, _, path, _ = g.intro()
    h = g.by_fact(
        "derivative_agrees_matrix",
        "p",
        "k",
        0,
        "lam t:R. a(t)",
        "lam t:R. U(t) @ S(t) @ T(V(t))",
        by=[None, lambda g: g.close_by(path)],
    )
    now = g.apply(h, "t")
    one, two = g.split(g.apply(frames, "t"))
    rate = g.have(
        "a'(t) = U'(t) @ S(t) @ T(V(t)) + U(t) @ S'(t) @ T(V(t)) + U(t) @ S(t) @ T(V'(t))", lambda g: g.nc((now, 1, None, None))
    )
    g.nc(
        (rate, 1, "T(U(t))", "V(t)"),
        (two, 1, "T(U(t)) @ U'(t) @ S(t)", None),
        (one, 1, None, "S'(t) @ T(V(t)) @ V(t)"),
        (two, 1, "S'(t)", None),
        (one, 1, None, "S(t) @ T(V'(t)) @ V(t)"),
    )


def skew(g: Goal, frames: str, letter: str, dim: str, which: int) -> str:
    """U'^T U + U^T U' = 0."""

    def constant(g: Goal) -> None:
        g.fix("w")
        g.assume()
        g.close_by(g.split(g.apply(frames, "w"))[which])

    h = g.by_fact(
        "derivative_agrees_matrix",
        dim,
        dim,
        0,
        f"lam t:R. T({letter}(t)) @ {letter}(t)",
        f"lam t:R. I({dim})",
        by=[None, constant],
    )
    at = g.apply(h, "t")
    return g.have(f"T(T({letter}(t)) @ {letter}'(t)) = -(T({letter}(t)) @ {letter}'(t))", lambda g: g.nc((at, 1, None, None)))


def diagonal_zero(g: Goal, skewed: str, letter: str, dim: str, left: bool) -> None:
    """The i-th diagonal entry of a skew matrix times a diagonal one: only the vanishing entry (i, i) of the skew one could count."""
    n = f"T({letter}(t)) @ {letter}'(t)" if left else f"T({letter}'(t)) @ {letter}(t)"
    named = g.obtain(g.have(f"ex K:M({dim},{dim}). K = {n}", lambda g: (g.witness(n), g.refl())), "K")[0]
    turned = g.have(
        "T(K) = -K", lambda g: g.nc((named, 1, None, None), (flipped(g, named, dim), 1, None, None), (skewed, 1, None, None))
    )
    entry = g.have("T(K)[i,i] = (-K)[i,i]", lambda g: (g.rewrite(turned), g.refl()))
    none = g.have("K[i,i] = 0", lambda g: g.field((entry, "1/2")))
    off = next(h for h, f in g.seq.hyps.items() if f[0] == "all" and len(f[1]) == 3)
    product = "K @ S(t)" if left else "S(t) @ K"
    dims = ("p", "p", "k") if left else ("p", "k", "k")
    factors = ("K", "S(t)") if left else ("S(t)", "K")
    e = g.apply(g.fact("mm_entry", *dims, *factors), "i", "i")
    bound = dims[1]

    def term(g: Goal) -> None:
        (j,) = g.fix("j")
        g.assume()

        def same(g: Goal) -> None:
            eq = list(g.seq.hyps)[-1]
            g.rewrite(g.have(f"{j} = i", lambda g: g.field((eq, 1))))
            g.rewrite(none)
            g.field()

        def other(g: Goal) -> None:
            ne = list(g.seq.hyps)[-1]
            z = g.apply(off, "t", *((j, "i") if left else ("i", j)), by=[None, lambda g: distinct(g, ne)])
            g.rewrite(z)
            g.field()

        g.em(f"{j} = i", same, other)

    body = "K[i,j]*S(t)[j,i]" if left else "S(t)[i,j]*K[j,i]"
    zero = g.by_fact("sum_ext", 1, bound, f"lam j:Z. {body}", "lam j:Z. 0", by=[term])
    g.have(f"({product})[i,i] = 0", lambda g: g.field((e, 1), (zero, 1)))
    value = list(g.seq.hyps)[-1]
    same = g.have(
        ("=", g.concl[1][1], g.term(product)), lambda g: g.nc((named, -1, None, "S(t)") if left else (named, -1, "S(t)", None))
    )
    g.rewrite(same)
    g.close_by(value)


def flipped(g: Goal, named: str, dim: str) -> str:
    """The transpose of the definition of K."""
    f = g.hyp_formula(named)
    return g.have(("=", ("T", "K"), ("T", f[2])), lambda g: g.ctx(using(named)))


def distinct(g: Goal, ne: str) -> None:
    """Either order of the indices."""
    same = g.contra()
    f = g.hyp_formula(same)
    back = g.have(("=", f[2], f[1]), lambda g: g.field((same, -1)))
    g.clash(back if g.hyp_formula(ne)[1] == f[2] else same, ne)


@holds(
    "varre2023.step-c-13-skew",
    f"""{PATH} all t:R. 0 <= t => T(T(U(t)) @ U'(t)) = -(T(U(t)) @ U'(t)) and T(T(V(t)) @ V'(t)) = -(T(V(t)) @ V'(t)) and
       (all i:Z. (T(U(t)) @ U'(t) @ S(t))[i,i] = 0 and (S(t) @ T(V'(t)) @ V(t))[i,i] = 0 and
          (T(U(t)) @ a'(t) @ V(t))[i,i] = S'(t)[i,i])""",
    argument="sound",
    reading=READING,
    uses=[SVD],
)
def skew_matrices_do_not_move_the_diagonal(g: Goal) -> None:
    """The diagonal of a skew matrix is 0, and a diagonal factor reaches only it."""
    frames, off, path, _ = g.intro()
    first, second = skew(g, frames, "U", "p", 0), skew(g, frames, "V", "k", 1)
    h = g.lemma(SVD, "statement", "p", "k", "U", "V", "S", "a", by=[using(frames), using(off), using(path)])
    rule = g.apply(h, "t")

    def entries(g: Goal) -> None:
        g.fix("i")
        one = g.have("(T(U(t)) @ U'(t) @ S(t))[i,i] = 0", lambda g: diagonal_zero(g, first, "U", "p", True))
        two = g.have("(S(t) @ T(V'(t)) @ V(t))[i,i] = 0", lambda g: diagonal_zero(g, second, "V", "k", False))
        e = g.have(
            ("=", ("entry", g.hyp_formula(rule)[1], "i", "i"), ("entry", g.hyp_formula(rule)[2], "i", "i")),
            lambda g: g.ctx(using(rule)),
        )
        g.conj(using(one), using(two), lambda g: g.field((e, 1), (one, 1), (two, 1)))

    g.conj(using(first), using(second), entries)


FLOW = PROJECTED.replace(". 0 < c", ", U:R~>M(p,p), V:R~>M(k,k), S:R~>M(p,k). 0 < c", 1)
ALONG = f"{FLOW} {FRAMES} (all t:R. 0 <= t => {ALPHA} = U(t) @ S(t) @ T(V(t))) =>"
TURNED = f"(T(U(t)) @ {RES} @ V(t))"
RHS = f"(T(U(t)) @ ({RES} - {ALPHA} @ T({RES}) @ {ALPHA}) @ V(t))"


@holds(
    "varre2023.step-c-13-rhs-diag",
    f"""{ALONG} all t:R. 0 <= t => {RHS} = {TURNED} - S(t) @ T({TURNED}) @ S(t) and
       all i:Z. 1 <= i => i <= p => i <= k => (S(t) @ T({TURNED}) @ S(t))[i,i] = S(t)[i,i]*{TURNED}[i,i]*S(t)[i,i] and
          {RHS}[i,i] = (1 - S(t)[i,i]^2)*{TURNED}[i,i]""",
    argument="sound",
    reading=f"{READING}; the equality of the diagonals entry by entry",
)
def diagonal_of_the_right_side(g: Goal) -> None:
    """alpha = U S V^T, and only the entry (i, i) of a diagonal factor counts."""
    names = g.intro()
    frames, off, path = names[5:8]
    one, two = g.split(g.apply(frames, "t"))
    alpha = g.apply(path, "t")
    matrix = g.have(f"{RHS} = {TURNED} - S(t) @ T({TURNED}) @ S(t)", lambda g: turned(g, alpha, one, two))

    def entries(g: Goal) -> None:
        g.fix("i")
        for _ in range(3):
            g.assume()
        named = g.obtain(g.have(f"ex Q:M(p,k). Q = {TURNED}", lambda g: (g.witness(TURNED), g.refl())), "Q")[0]
        value = g.have("(S(t) @ T(Q) @ S(t))[i,i] = S(t)[i,i]*Q[i,i]*S(t)[i,i]", lambda g: sandwiched(g, off))
        plain = g.have(f"S(t) @ T({TURNED}) @ S(t) = S(t) @ T(Q) @ S(t)", lambda g: (g.rewrite(named), g.refl()))
        entry = g.have(f"{TURNED}[i,i] = Q[i,i]", lambda g: (g.rewrite(named), g.refl()))
        first = g.have(
            f"(S(t) @ T({TURNED}) @ S(t))[i,i] = S(t)[i,i]*{TURNED}[i,i]*S(t)[i,i]",
            lambda g: (g.rewrite(plain), g.rewrite(value), g.rewrite(entry), g.refl()),
        )
        whole = g.have(f"{RHS}[i,i] = ({TURNED} - S(t) @ T({TURNED}) @ S(t))[i,i]", lambda g: g.ctx(using(matrix)))
        split = g.have(
            f"({TURNED} - S(t) @ T({TURNED}) @ S(t))[i,i] = {TURNED}[i,i] - (S(t) @ T({TURNED}) @ S(t))[i,i]", lambda g: g.field()
        )
        g.conj(using(first), lambda g: finish(g, whole, split, first))

    g.conj(using(matrix), entries)


def finish(g: Goal, whole: str, split: str, first: str) -> None:
    """Put the entries together."""
    g.rewrite(whole)
    g.rewrite(split)
    g.rewrite(first)
    r = g.obtain(g.have(f"ex r:R. r = {TURNED}[i,i]", lambda g: (g.witness(f"{TURNED}[i,i]"), g.refl())), "r")[0]
    g.rewrite(r, back=True)
    g.field()


def turned(g: Goal, alpha: str, one: str, two: str) -> None:
    """U^T U = I and V^T V = I."""
    g.nc(
        (alpha, -1, "T(U(t))", f"T({RES}) @ {ALPHA} @ V(t)"),
        (alpha, -1, f"T(U(t)) @ U(t) @ S(t) @ T(V(t)) @ T({RES})", "V(t)"),
        (one, -1, None, f"S(t) @ T(V(t)) @ T({RES}) @ U(t) @ S(t) @ T(V(t)) @ V(t)"),
        (two, -1, f"S(t) @ T(V(t)) @ T({RES}) @ U(t) @ S(t)", None),
    )


def sandwiched(g: Goal, off: str) -> None:
    """(S Q^T S)_ii = S_ii Q_ii S_ii."""
    outer = g.apply(g.fact("mm_entry", "p", "k", "k", "S(t)", "T(Q) @ S(t)"), "i", "i")

    def single(g: Goal, hi: str, body: str, place: object) -> str:
        def other(g: Goal) -> None:
            (j,) = g.fix("j")
            g.assume()
            ne = g.assume()
            z = g.apply(off, "t", *place(j), by=[None, lambda g: distinct(g, ne)])  # type: ignore[operator]
            g.rewrite(z)
            g.field()

        return g.by_fact("sum_delta", 1, hi, "i", f"lam j:Z. {body}", by=[None, None, other])

    first = single(g, "k", "S(t)[i,j]*(T(Q) @ S(t))[j,i]", lambda j: ("i", j))
    inner = g.apply(g.fact("mm_entry", "k", "p", "k", "T(Q)", "S(t)"), "i", "i")
    second = single(g, "p", "T(Q)[i,j]*S(t)[j,i]", lambda j: (j, "i"))
    assoc = g.have("(S(t) @ T(Q) @ S(t))[i,i] = (S(t) @ (T(Q) @ S(t)))[i,i]", lambda g: g.ctx(lambda g: g.nc()))
    g.rewrite(assoc)
    g.field((outer, 1), (first, 1), (inner, "S(t)[i,i]"), (second, "S(t)[i,i]"))


@holds(
    "varre2023.eq-c-36",
    f"""{ALONG} all t:R, i:Z. 0 <= t => 1 <= i => i <= p => i <= k => S'(t)[i,i] = (1 - S(t)[i,i]^2)*{TURNED}[i,i]""",
    argument="sound",
    reading=f"{READING}; entry by entry",
    uses=["varre2023.step-c-13-skew", "varre2023.step-c-13-rhs-diag", "varre2023.lemma-c-2-alpha"],
)
def diagonal_equation(g: Goal) -> None:
    """The diagonal of U^T alpha' V is S', and alpha' = R - alpha R^T alpha."""
    names = g.intro()
    setting, frames, off, path = names[:5], *names[5:8]
    low, high, wide = names[9:12]
    change = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "statement", setting))[1]
    right = g.lemma(
        "varre2023.step-c-13-rhs-diag",
        "statement",
        *("n", "p", "k", "l", "c", "X", "Y", "P", "Z1", "Z2", "U", "V", "S"),
        by=[using(n) for n in names[:8]],
    )
    value = g.split(g.apply(g.split(g.apply(right, "t"))[1], "i", by=[using(low), using(high), using(wide)]))[1]
    left = g.lemma(
        "varre2023.step-c-13-skew",
        "statement",
        "p",
        "k",
        "U",
        "V",
        "S",
        "lam t:R. U(t) @ S(t) @ T(V(t))",
        by=[using(frames), using(off), lambda g: (g.fix("w"), g.assume(), g.refl())],
    )
    entries = g.split_all(g.apply(left, "t"))[-1]
    slope = g.split_all(g.apply(entries, "i"))[-1]

    def smooth(g: Goal) -> None:
        g.fix("w")
        g.assume()
        h = g.lemma("varre2023.lemma-c-2-alpha", "part:invertible", *SETTING, by=[using(n) for n in setting])
        g.split(g.apply(h, "w"))
        g.auto()

    agree = g.by_fact(
        "derivative_agrees_matrix",
        "p",
        "k",
        0,
        f"lam t:R. {ALPHA}",
        "lam t:R. U(t) @ S(t) @ T(V(t))",
        by=[smooth, lambda g: g.close_by(path)],
    )
    same = g.apply(agree, "t")
    g.have(f"T(U(t)) @ D(s, {ALPHA_PATH}, t) @ V(t) = {RHS}", lambda g: g.nc((change, 1, "T(U(t))", "V(t)")), name="mid")
    whole = g.have(
        f"(T(U(t)) @ D(s, U(s) @ S(s) @ T(V(s)), t) @ V(t))[i,i] = {RHS}[i,i]",
        lambda g: g.ctx(lambda g: g.nc((same, -1, "T(U(t))", "V(t)"), ("mid", 1, None, None))),
    )
    g.rewrite(value, back=True)
    g.rewrite(whole, back=True)
    g.rewrite(slope)
    g.refl()
