"""The mirror flow of the singular values with the hyperbolic entropy (asinh(s/gamma) s - sqrt(s^2 + gamma^2))/2."""

from __future__ import annotations

from proofs.varre2023.flows import PROJECTED, TWO_LAYERS, residual
from proofs.varre2023.mirror_flow_of_singular_values import setting
from verify.kernel import Goal
from verify.registry import amendment, part

FLOW = PROJECTED.replace("Z1", "W1").replace("Z2", "W2")
CORRECTED = "1/2*(z*asinh(z/c) - sqrt(z^2 + c^2))"
BETA = "(W1(t) @ W2(t))"
R = residual("W1(t)", "W2(t)")
G1, G2 = "(W1(t) @ T(W1(t)))", "(T(W2(t)) @ W2(t))"
VARS = ("n", "p", "k", "l", "c", "X", "Y", "P", "W1", "W2")


def of_flow(g: Goal, claim: str, role: str, names: list[str], time: str = "t") -> str:
    """A statement about the projected flow, at a time."""
    h = g.lemma(claim, role, *VARS, by=[lambda g, n=n: g.close_by(n) for n in names[:5]])
    return g.apply(h, time) if time else h


@part(
    "varre2023.lemma-c-13",
    "layers",
    f"""{FLOW.replace(". 0 < c", ", u:V(p), v:V(k), r:R. 0 < c", 1)} 1 <= p => all t:R. 0 <= t => {BETA} @ v = r*u => T({BETA}) @ u = r*v =>
       {G1} @ u = (sqrt(r^2 + c^2) + c)*u and {G2} @ v = (sqrt(r^2 + c^2) - c)*v""",
    says="W1 W1^T and W2^T W2 on a singular pair of beta",
    uses=["varre2023.step-c-10-quadratic-identities", "varre2023.lemma-c-10-z1"],
)
def layers_on_singular_pairs(g: Goal) -> None:
    """(W1 W1^T - gamma)^2 = beta beta^T + gamma^2 and (W2^T W2 + gamma)^2 = beta^T beta + gamma^2; roots on eigenvectors."""
    names = g.intro()
    forth, back = names[7], names[8]
    right, left = g.split(of_flow(g, "varre2023.step-c-10-quadratic-identities", "statement", names))
    q = "sqrt(r^2 + c^2)"
    g.have("0 < r^2 + c^2")
    g.have(f"0 < {q}")
    z1 = of_flow(g, "varre2023.lemma-c-10-z1", "statement", names, "")
    _, last = g.split(g.apply(z1, "t", "p"))
    g.have(f"0 <= sqrt(c^2 + sv({BETA},p)^2)", name="root_")
    floor = g.have("c <= sv(W1(t),p)^2", lambda g: (g.rewrite(last), g.pos(["@root_"])))
    gram = g.by_fact("sv_gram", "p", "p", "p", "T(W1(t))")
    turned = g.fact("sv_transpose", "p", "p", "p", "W1(t)")
    plain = g.have(f"T(T(W1(t))) @ T(W1(t)) = {G1}", lambda g: g.nc())
    least = g.have(
        f"sv(W1(t),p)^2 = eig({G1},p)", lambda g: (g.rewrite(turned, back=True), g.rewrite(plain, back=True), g.close_by(gram))
    )

    def above(g: Goal) -> None:
        g.fix("w")
        low, _ = g.split(g.by_fact("eig_rayleigh", "p", G1, "w", by=[lambda g: g.nc(), None]))
        below = g.have(f"c <= eig({G1},p)", lambda g: (g.rewrite(least, back=True), g.close_by(floor)))
        n = g.have("0 <= tr(T(w) @ w)")
        g.pos([f"@{low}"], [f"@{below}", f"@{n}"])

    def positive(g: Goal) -> None:
        g.fix("w")
        one, two = g.have("0 <= tr(T(w) @ w)"), g.have("0 <= tr(T(W2(t) @ w) @ (W2(t) @ w))")
        g.pos([f"@{two}"], ["c", f"@{one}"])

    value = g.have(f"({q})^2 = r^2 + c^2", lambda g: g.field())
    first = g.by_fact(
        "psd_power_eigenvector",
        *("p", 2, q, f"{G1} - c*I(p)", "u"),
        by=[
            None,
            None,
            lambda g: g.nc(),
            above,
            lambda g: (g.rewrite(value), g.nc((left, 1, None, "u"), (back, 1, BETA, None), (forth, "r", None, None))),
        ],
    )
    second = g.by_fact(
        "psd_power_eigenvector",
        *("k", 2, q, f"{G2} + c*I(k)", "v"),
        by=[
            None,
            None,
            lambda g: g.nc(),
            positive,
            lambda g: (g.rewrite(value), g.nc((right, -1, None, "v"), (forth, 1, f"T({BETA})", None), (back, "r", None, None))),
        ],
    )
    g.conj(lambda g: g.nc((first, 1, None, None)), lambda g: g.nc((second, 1, None, None)))


@amendment(
    "varre2023.lemma-c-13",
    setting(FLOW, CORRECTED),
    says="the mirror flow with the potential tr((D asinh(D/gamma) - sqrt(D^2 + gamma^2))/2)",
    uses=["varre2023.step-c-10-quadratic-identities", "varre2023.lemma-c-10-z1"],
)
def mirror_flow_with_the_hyperbolic_entropy(g: Goal) -> None:
    """s' = u^T beta' v, as U^T U' and V^T V' are skew; beta' = R W2^T W2 + W1 W1^T R gives s' = 2 sqrt(s^2 + gamma^2) u^T R v."""
    names = g.intro()
    frames, off, gradient = names[8], names[9], names[11]
    e = g.obtain(g.by_fact("unit_vector", "p", "i"), "ep")[0]
    f = g.obtain(g.by_fact("unit_vector", "k", "i"), "ek")[0]
    sigma = "S(t)[i,i]"

    def entry(g: Goal) -> None:
        g.fix("M0")
        column = g.apply(f, "p", "M0", "i")
        row = g.apply(e, 1, "T(M0 @ ek)", 1)
        trace = g.fact("tr_entries", 1, "T(M0 @ ek) @ ep")
        linked(g, column, row, trace, "M0")

    entries = g.have("all M0:M(p,k). M0[i,i] = tr(T(ep) @ M0 @ ek)", entry)

    def diagonal(g: Goal, flip: bool) -> None:
        g.extn("a", "b")
        source, target, dim = (e, f, "k") if flip else (f, e, "p")
        h = g.apply(source, dim, "T(S(t))" if flip else "S(t)", "a")
        eq = g.have(f"I({dim}) @ {'ek' if flip else 'ep'} = {'ek' if flip else 'ep'}", lambda g: g.nc())
        k = g.rewritten(g.apply(target, dim, f"I({dim})", "a"), eq)
        only = g.have("b = 1", lambda g: g.antisym())
        g.rewrite(only)
        g.rewrite(h)

        def same(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            k2 = g.rewritten(k, eq)
            g.rewrite(eq)
            g.field((k2, f"-({sigma})"))

        def other(g: Goal) -> None:
            zero = g.apply(off, "t", *(("i", "a") if flip else ("a", "i")))
            g.field((zero, 1), (k, f"-({sigma})"))

        g.em("a = i", same, other)

    forth = g.have(f"S(t) @ ek = ({sigma})*ep", lambda g: diagonal(g, False))
    back = g.have(f"T(S(t)) @ ep = ({sigma})*ek", lambda g: diagonal(g, True))
    u_orth, v_orth, beta = g.split(g.apply(frames, "t"))
    layers = g.lemma(
        "varre2023.lemma-c-13",
        "part:layers",
        *VARS,
        "U(t) @ ep",
        "V(t) @ ek",
        sigma,
        by=[lambda g, n=n: g.close_by(n) for n in names[:5]],
    )
    one, two = apply_layers(g, layers, beta, u_orth, v_orth, forth, back)

    def isolated(g: Goal) -> None:
        g.fix("w")
        g.assume()
        u, v, b = g.split(g.apply(frames, "w"))
        g.nc((b, 1, "T(U(w))", "V(w)"), (u, 1, None, "S(w) @ T(V(w)) @ V(w)"), (v, 1, "S(w)", None))

    path = "T(U(t)) @ W1(t) @ W2(t) @ V(t)"
    moving = g.apply(
        g.by_fact("derivative_agrees_matrix", "p", "k", 0, f"lam t:R. {path}", "lam t:R. S(t)", by=[None, isolated]), "t"
    )
    skew_u = skew(g, frames, "p", "U", 0)
    skew_v = skew(g, frames, "k", "V", 1)
    a, b = g.split(g.apply(names[4], "t"))
    slope = g.apply(entries, "S'(t)")
    push = g.apply(entries, f"T(U(t)) @ {R} @ V(t)")
    q = f"sqrt(({sigma})^2 + c^2)"
    g.have(f"0 < ({sigma})^2 + c^2")
    g.have(f"0 < {q}")
    rho = f"tr(T(ep) @ (T(U(t)) @ {R} @ V(t)) @ ek)"
    back_t = g.have(f"T(ep) @ S(t) = ({sigma})*T(ek)", lambda g: by_transpose(g, back))
    one_t = g.have(f"T(ep) @ T(U(t)) @ W1(t) @ T(W1(t)) = ({q} + c)*(T(ep) @ T(U(t)))", lambda g: by_transpose(g, one))
    u_turn, v_turn = "T(ep) @ T(U'(t)) @ U(t) @ ep", "T(ek) @ T(V(t)) @ V'(t) @ ek"
    speed = g.have(
        f"T(ep) @ S'(t) @ ek = ({sigma})*({u_turn}) + (2*{q})*(T(ep) @ (T(U(t)) @ {R} @ V(t)) @ ek) + ({sigma})*({v_turn})",
        lambda g: g.nc(
            (moving, -1, "T(ep)", "ek"),
            (a, 1, "T(ep) @ T(U(t))", "W2(t) @ V(t) @ ek"),
            (b, 1, "T(ep) @ T(U(t)) @ W1(t)", "V(t) @ ek"),
            (beta, 1, "T(ep) @ T(U'(t))", "V(t) @ ek"),
            (v_orth, 1, "T(ep) @ T(U'(t)) @ U(t) @ S(t)", "ek"),
            (forth, 1, "T(ep) @ T(U'(t)) @ U(t)", None),
            (beta, 1, "T(ep) @ T(U(t))", "V'(t) @ ek"),
            (u_orth, 1, "T(ep)", "S(t) @ T(V(t)) @ V'(t) @ ek"),
            (back_t, 1, None, "T(V(t)) @ V'(t) @ ek"),
            (two, 1, f"T(ep) @ T(U(t)) @ {R}", None),
            (one_t, 1, None, f"{R} @ V(t) @ ek"),
        ),
    )
    still_u = no_turn(g, skew_u, "U", "ep", u_turn)
    still_v = no_turn(g, skew_v, "V", "ek", v_turn)

    def value(g: Goal) -> None:
        g.rewrite(slope)
        g.rewrite(speed)
        g.field((still_u, sigma), (still_v, sigma))

    rate = g.have(f"S'(t)[i,i] = 2*{q}*{rho}", value)

    def gradient_value(g: Goal) -> None:
        g.fix("w")
        g.assume()
        h = g.apply(gradient, "w")
        g.have("0 < S(w)[i,i]^2 + c^2")
        g.field((h, 1))

    agree = g.apply(
        g.by_fact("derivative_agrees", 0, "lam t:R. 1/2*asinh(S(t)[i,i]/c)", "lam t:R. G(t)", by=[None, gradient_value]), "t"
    )
    g.rewrite(push)
    g.field((agree, -1), (rate, f"1/(2*{q})"))


@amendment(
    "varre2023.thm-3-2-a",
    setting(TWO_LAYERS, CORRECTED),
    says="the mirror flow with the potential tr((D asinh(D/gamma) - sqrt(D^2 + gamma^2))/2)",
    uses=["varre2023.lemma-3-1", "varre2023.lemma-c-13"],
)
def mirror_flow_of_two_layers_with_the_hyperbolic_entropy(g: Goal) -> None:
    """By Lemma 3.1 beta = Z1 Z2 for the projected flow."""
    names = g.intro()
    frames, now = names[8], names[12]
    lemma = g.lemma("varre2023.lemma-3-1", "statement", *VARS, by=[lambda g, n=n: g.close_by(n) for n in names[:5]])
    z1, z2 = "W1(t) @ T(P)", "P @ W2(t)"

    def product(g: Goal, time: str) -> str:
        """The products agree at a time."""
        _, _, one, _ = g.split(g.apply(lemma, time))
        w1, w2 = z1.replace("(t)", f"({time})"), z2.replace("(t)", f"({time})")
        eq = ("=", ("mm", g.term(w1), g.term(w2)), g.term(f"W1({time}) @ W2({time})"))
        return g.have(eq, lambda g: g.nc((one, -1, None, f"W2({time})")))

    def flow(g: Goal) -> None:
        g.fix("u")
        g.assume()
        first, second, _, _ = g.split(g.apply(lemma, "u"))
        g.conj(lambda g: g.exact(first), lambda g: g.exact(second))

    def decomposition(g: Goal) -> None:
        g.fix("u")
        g.assume()
        one, two, three = g.split(g.apply(frames, "u"))
        g.conj(lambda g: g.close_by(one), lambda g: g.close_by(two), lambda g: (g.rewrite(product(g, "u")), g.close_by(three)))

    done = g.lemma(
        "varre2023.lemma-c-13",
        "amendment",
        *("n", "p", "k", "l", "c", "X", "Y", "P", f"lam t:R. {z1}", f"lam t:R. {z2}", "U", "V", "S", "i", "G"),
        by=[
            None,
            None,
            lambda g: g.nc(rw=[names[2]]),
            lambda g: g.nc(rw=[names[3]]),
            flow,
            None,
            None,
            None,
            decomposition,
            *[lambda g, n=n: g.close_by(n) for n in names[9:12]],
        ],
    )
    h = g.apply(done, "t", by=[lambda g: g.close_by(now)])
    eq = product(g, "t")
    same = g.have(f"{residual('(W1(t) @ T(P))', '(P @ W2(t))')} = {R}", lambda g: g.nc((eq, -1, "T(X) @ X", None)))
    g.rewrite(same, back=True)
    g.exact(h)


def by_transpose(g: Goal, h: str) -> None:
    """u = v from T(u) = T(v)."""
    f = g.hyp_formula(h)
    eq = g.have(("=", ("T", f[1]), ("T", f[2])), lambda g: (g.rewrite(h), g.refl()))
    g.nc((eq, 1, None, None))


def no_turn(g: Goal, skew_: str, letter: str, e: str, turn: str) -> str:
    """The quadratic form of a skew matrix vanishes."""
    f = g.hyp_formula(skew_)
    eq = g.have(
        ("=", ("tr", ("mm", ("T", e), f[1], e)), ("tr", ("mm", ("T", e), f[2], e))), lambda g: (g.rewrite(skew_), g.refl())
    )
    return g.have(f"tr({turn}) = 0", lambda g: g.field((eq, "1/2")))


def apply_layers(g: Goal, layers: str, beta: str, u_orth: str, v_orth: str, forth: str, back: str) -> list[str]:
    """The layers on the pair U ep, V ek."""
    turned = g.have(f"T({BETA}) = V(t) @ T(S(t)) @ T(U(t))", lambda g: (g.rewrite(beta), g.nc()))
    return g.split(
        g.apply(
            layers,
            "t",
            by=[
                None,
                lambda g: g.nc((beta, 1, None, "V(t) @ ek"), (v_orth, 1, "U(t) @ S(t)", "ek"), (forth, 1, "U(t)", None)),
                lambda g: g.nc((turned, 1, None, "U(t) @ ep"), (u_orth, 1, "V(t) @ T(S(t))", "ep"), (back, 1, "V(t)", None)),
            ],
        )
    )


def linked(g: Goal, column: str, row: str, trace: str, m: str) -> None:
    """tr(ep^T m ek) is the entry of m."""
    g.rewrite(column, back=True)
    g.have(f"tr(T(ep) @ {m} @ ek) = tr(T({m} @ ek) @ ep)", lambda g: g.field(), name="turn_")
    g.rewrite("turn_")
    g.rewrite(trace)
    g.replace(f"sum(i, 1, 1, (T({m} @ ek) @ ep)[i,i])", f"(T({m} @ ek) @ ep)[1,1]", lambda g: g.field())
    g.rewrite(row)
    g.field()


def skew(g: Goal, frames: str, dim: str, letter: str, which: int) -> str:
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
    return g.have(
        f"T({letter}'(t)) @ {letter}(t) + T({letter}(t)) @ {letter}'(t) = O({dim},{dim})", lambda g: g.nc((at, 1, None, None))
    )
