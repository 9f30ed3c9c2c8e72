"""Lemma A.3: directions of negative curvature at a second-order stationary point within an invariant manifold."""

from __future__ import annotations

from proofs.bai2024.component_manifold_dynamics import contained
from proofs.bai2024.hessian_blocks import (
    BLOCKS,
    COMPLEMENT,
    CONCLUSION,
    GRADIENTS,
    NEGATIVE,
    PERPENDICULAR,
    READING,
    SETTING,
    STATIONARY,
    coordinates,
    enter,
    first,
    flat_sum,
    form,
    inner,
    marks,
    membership,
    second,
    selected,
    slope,
    unchanged,
)
from proofs.bai2024.representable import gram_is_regular
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.registry import amendment, holds, part


def projected(g: Goal) -> None:
    """Adds Q = (V V^T)^-1 and S = V^T Q V with V S = V, S^T = S, S^2 = S, S V^T = V^T."""
    g.have("det(V @ T(V)) != 0", gram_is_regular)
    inverse = g.by_fact("inv_right", "k", "V @ T(V)")
    found = g.have("ex Q:M(k,k). V @ T(V) @ Q = I(k)", lambda g: (g.witness("inv(V @ T(V))"), g.nc((inverse, 1, None, None)))[-1])
    right = g.obtain(found, "Q")[0]
    turned = g.have("T(V @ T(V) @ Q) = T(I(k))", lambda g: (g.rewrite(right), g.refl())[-1])
    even = g.have("T(Q) = Q", lambda g: g.nc((right, -1, "T(Q)", None), (turned, 1, None, "Q")))
    s = "T(V) @ Q @ V"
    g.obtain(g.have(f"ex S:M(d,d). S = {s}", lambda g: (g.witness(s), g.refl())[-1]), "S", name="projector")
    g.have("V @ S = V", lambda g: g.nc(("projector", 1, "V", None), (right, 1, None, "V")), name="kept")
    g.have("T(S) = S", lambda g: (g.rewrite("projector"), g.nc((even, 1, "T(V)", "V")))[-1], name="symmetric")
    g.have(
        "S @ S = S",
        lambda g: g.nc(("projector", 1, None, "S"), ("kept", 1, "T(V) @ Q", None), ("projector", -1, None, None)),
        name="idempotent",
    )
    back = g.have("T(V @ S) = T(V)", lambda g: (g.rewrite("kept"), g.refl())[-1])
    g.have("S @ T(V) = T(V)", lambda g: g.nc((back, 1, None, None), ("symmetric", -1, None, "T(V)")), name="fixes")


RULES = ("D1_symmetric", "D1_idempotent", "D2_symmetric", "D2_idempotent", "symmetric", "idempotent", "kept", "fixes")
"""The hypotheses on the projections D1, D2 (marked rows and columns) and S (span), as rewriting rules."""


def trace_equation(g: Goal, x: str, y: str, *rules: str) -> str:
    """Adds tr(x) = tr(y), where x = y by the rules."""
    e = g.have(f"{x} = {y}", lambda g: g.nc(rw=[*rules, *RULES]))
    return g.have(f"tr({x}) = tr({y})", lambda g: (g.rewrite(e), g.refl())[-1])


def in_omega(g: Goal) -> None:
    """Fix (G, K) in Omega and put G = D1 X V and K = V^T Y D2 in."""
    g.fix("G", "K")
    g_is, g_fixed, k_is, k_fixed = selected(g, g.assume(), "X", "Y")
    one = g.have("G = D1 @ X @ V", lambda g: g.nc((g_is, 1, None, None), (g_fixed, -1, None, "V")))
    two = g.have("K = T(V) @ Y @ D2", lambda g: g.nc((k_is, 1, None, None), (k_fixed, -1, "T(V)", None)))
    g.rewrite(one)
    g.rewrite(two)


def project(g: Goal, e: str, f: str) -> tuple[str, str, str, str]:
    """Adds the projection (W1, W2) of (e, f) onto Omega: two equations, that it is in Omega, and that the rest is perpendicular."""
    w1, w2 = f"D1 @ {e} @ S", f"S @ {f} @ D2"
    w1_is, w2_is = g.obtain(
        g.have(f"ex W1 W2:M(d,d). W1 = {w1} and W2 = {w2}", lambda g: (g.witness(w1, w2), g.auto())[-1]), "W1", "W2"
    )
    inside = g.have(
        contained("W1", "W2"),
        lambda g: membership(
            g,
            f"{e} @ T(V) @ Q",
            f"Q @ V @ {f}",
            lambda g: g.nc((w1_is, 1, None, None), ("projector", 1, f"D1 @ {e}", None)),
            lambda g: g.nc((w2_is, 1, None, None), ("projector", 1, None, f"{f} @ D2")),
        ),
    )

    def rest(g: Goal) -> None:
        in_omega(g)
        a = trace_equation(g, "V @ T(W1) @ D1 @ X", f"V @ T({e}) @ D1 @ X", w1_is)
        b = trace_equation(g, "D2 @ T(W2) @ T(V) @ Y", f"D2 @ T({f}) @ T(V) @ Y", w2_is)
        g.field((a, -1), (b, -1))

    apart = PERPENDICULAR.replace("T(E)", f"T({e} - W1)").replace("T(F)", f"T({f} - W2)")
    return w1_is, w2_is, inside, g.have(apart, rest)


@holds(
    COMPLEMENT,
    f"{SETTING} {STATIONARY} {NEGATIVE} {PERPENDICULAR}",
    argument="sound",
    reading=READING + "; the eigenvector is v = (E, F)",
    uses=[BLOCKS],
)
def negative_eigenvectors_are_perpendicular(g: Goal) -> None:
    """With w the projection of v onto Omega: l |w|^2 = H(v, w) = H(w, w) >= 0, so w = 0."""
    names = enter(g)
    critical, stationary = g.assume(), g.assume()
    g.fix("l", "E", "F")
    negative, _, eigen = g.assume(), g.assume(), g.assume()
    marks(g)
    coordinates(g)
    projected(g)
    w1_is, w2_is, inside, apart = project(g, "E", "F")
    known = [lambda g, h=h: g.close_by(h) for h in names[:-1]]
    h = g.lemma(BLOCKS, "statement", *"dkVfgPMAB", by=known)
    both = g.apply(g.split(h)[1], by=[lambda g: g.close_by("member"), lambda g: g.close_by(critical)], n=2)
    zero = g.split(g.apply(both, "E - W1", "F - W2", "W1", "W2", by=[lambda g: g.close_by(apart), lambda g: g.close_by(inside)]))[
        1
    ]
    value = g.apply(eigen, "W1", "W2")
    convex = g.apply(stationary, "W1", "W2")
    curvature = g.hyp_formula(convex)[2]
    additive = g.have(("=", g.hyp_formula(value)[1], ("+", curvature, g.hyp_formula(zero)[1])), lambda g: g.field())
    a = trace_equation(g, "T(W1) @ W1", "S @ T(E) @ W1 @ S", w1_is)
    b = trace_equation(g, "W2 @ T(W2)", "S @ F @ T(W2) @ S", w2_is)
    e = trace_equation(g, "S @ S @ T(E) @ W1", "S @ T(E) @ W1")
    f = trace_equation(g, "S @ S @ F @ T(W2)", "S @ F @ T(W2)")
    p = trace_equation(g, "T(E) @ W1 @ S", "T(E) @ W1", w1_is)
    q = trace_equation(g, "F @ T(W2) @ S", "F @ T(W2)", w2_is)
    size = "(tr(T(W1) @ W1) + tr(T(W2) @ W2))"
    norm = g.have(
        f"{inner('E', 'F', 'W1', 'W2')} = {size}",
        lambda g: g.field((a, -1), (b, -1), (e, -1), (f, -1), (p, -1), (q, -1)),
    )
    total = g.have(f"0 <= l*{size}", lambda g: g.pos([f"@{convex}"], eqs=[(additive, 1), (value, -1), (zero, 1), (norm, "-l")]))

    def vanishes(w: str, v: str) -> str:
        t = f"tr(T({w}) @ {w})"
        low = g.have(f"{t} <= 0", lambda g: g.pos([f"@{total}"], [f"@{negative}", f"tr(T({v}) @ {v})"], mul=[f"@{negative}"]))
        z = g.have(f"{t} = 0", lambda g: g.antisym(lambda g: g.close_by(low), lambda g: g.pos([t])))
        return g.by_fact("frobenius_zero", "d", "d", w, by=[lambda g: g.close_by(z)])

    z1, z2 = vanishes("W1", "W2"), vanishes("W2", "W1")
    in_omega(g)
    a = trace_equation(g, "V @ T(W1) @ D1 @ X", "V @ T(E) @ D1 @ X", w1_is)
    b = trace_equation(g, "D2 @ T(W2) @ T(V) @ Y", "D2 @ T(F) @ T(V) @ Y", w2_is)
    e = g.have("tr(V @ T(W1) @ D1 @ X) = 0", lambda g: (g.rewrite(z1), g.field())[-1])
    f = g.have("tr(D2 @ T(W2) @ T(V) @ Y) = 0", lambda g: (g.rewrite(z2), g.field())[-1])
    g.field((a, -1), (b, -1), (e, 1), (f, 1))


GAUSS_NEWTON = f"""(all G K:M(d,d). {first("E", "F", "G", "K")} = 0 and {form("E", "F", "G", "K")} = {second("E", "F", "G", "K")} and
         {second("E", "F", "G", "K")} = l*{inner("E", "F", "G", "K")})"""
LITERAL = f"sum(a, 1, d, sum(b, 1, d, ({slope('E', 'F')})[a,b]))*sum(a, 1, d, sum(b, 1, d, ({slope('G', 'K')})[a,b]))"
"""H^(1) as it is printed, with every pair of outputs."""


def enter_eigenvector(g: Goal) -> tuple[list[str], str]:
    """SETTING, STATIONARY and NEGATIVE; adds that the eigenvector is perpendicular to Omega. Returns all names, and this one."""
    names = enter(g)
    names += [g.assume(), g.assume()]
    g.fix("l", "E", "F")
    eigen = [g.assume(), g.assume(), g.assume()]
    h = g.lemma(COMPLEMENT, "statement", *"dkVfgPMAB", by=[lambda g, h=h: g.close_by(h) for h in names])
    return names + eigen, g.apply(h, "l", "E", "F", by=[lambda g, h=h: g.close_by(h) for h in eigen], n=3)


@amendment(
    CONCLUSION,
    f"{SETTING} {STATIONARY} {NEGATIVE} {GAUSS_NEWTON}",
    says="With H^(1) the sum over the observed outputs of grad f_i (grad f_i)^T, the first part of the Hessian: H^(1) v = 0 and H v = H^(2) v = l v.",
    uses=[BLOCKS, COMPLEMENT],
)
def observed_gradients_annihilate_negative_eigenvectors(g: Goal) -> None:
    """v is perpendicular to Omega, so that it does not change the observed outputs."""
    names, perpendicular = enter_eigenvector(g)
    marks(g)
    here = unchanged(g, names[:7], perpendicular)
    g.fix("G", "K")
    value = g.apply(names[-1], "G", "K")
    flat = flat_sum(g, "(E @ B + A @ F)[a,b]", lambda g: g.apply(here, "a", "b"), "(G @ B + A @ K)[a,b]")
    g.conj(lambda g: g.field((flat, 1)), lambda g: g.field((flat, 1)), lambda g: g.field((value, 1), (flat, -1)))


FAMILY = f"""ex m:Z, X Y:Z->M(d,d), q:Z->R. 1 <= m and E = sum(i, 1, m, X(i)) and F = sum(i, 1, m, Y(i)) and
       (all i:Z. 1 <= i and i <= m => q(i) < 0 and (X(i) != O(d,d) or Y(i) != O(d,d)) and
         (all G K:M(d,d). {second("X(i)", "Y(i)", "G", "K")} = q(i)*{inner("X(i)", "Y(i)", "G", "K")}))"""
"""(E, F) is a sum of eigenvectors of H^(2) for negative eigenvalues."""
SPLIT = "H = H^(1) + H^(2) is the Hessian as split in A.5, H^(2) the part with the residual"


def eigenvector_of_the_second_part(g: Goal, names: list[str]) -> None:
    """The family of one member."""
    known = [lambda g, h=h: g.close_by(h) for h in names[:9]]
    h = g.lemma(CONCLUSION, "amendment", *"dkVfgPMAB", by=known)
    k = g.apply(h, "l", "E", "F", by=[lambda g, h=h: g.close_by(h) for h in names[9:]], n=3)
    g.witness("1", "lam i:Z. E", "lam i:Z. F", "lam i:Z. l")

    def each(g: Goal) -> None:
        g.fix("i")
        g.assume()

        def eigen(g: Goal) -> None:
            g.fix("G", "K")
            g.close_by(g.split(g.apply(k, "G", "K"))[2])

        g.conj(lambda g: g.close_by(names[9]), lambda g: g.close_by(names[10]), eigen)

    g.conj(None, lambda g: single(g, "E"), lambda g: single(g, "F"), each)


def single(g: Goal, x: str) -> None:
    """A sum with one term."""
    k = g.by_fact("matrix_sum_const", "d", "d", 1, 1, x)
    g.nc((k, -1, None, None))


GRADIENT = "(all G K:M(d,d). tr(T(N1) @ G) + tr(T(N2) @ K) = D(u, ((A + u*G) @ (B + u*K))[p,q], 0))"
"""(N1, N2) is the gradient of the output (p, q)."""
OUTPUT = f"all p q:Z, N1 N2:M(d,d). 1 <= p and p <= d and 1 <= q and q <= d => {GRADIENT} =>"
ORTHOGONAL = inner("N1", "N2", "E", "F") + " = 0"

SAME_SIDE = "f(p) = g(q)"


@amendment(
    GRADIENTS,
    f"""{SETTING} {OUTPUT} {SAME_SIDE} => {contained("N1", "N2")} and (all E F:M(d,d). {PERPENDICULAR} => {ORTHOGONAL})""",
    says="The gradient of the output (p, q) lies in Omega if p is a row and q a column of the component, or neither: so for every output if"
    " Omega is an Omega_k, and for every observed output in any case.",
    uses=[BLOCKS],
)
def gradients_of_observed_outputs(g: Goal) -> None:
    """The part of the gradient perpendicular to Omega does not change the output, so its inner product with the gradient, the
    square of its norm, is 0."""
    names = enter(g)
    g.fix("p", "q", "N1", "N2")
    g.split(g.assume())
    gradient = g.assume()
    g.assume()
    marks(g)
    coordinates(g)
    projected(g)
    w1_is, w2_is, inside, apart = project(g, "N1", "N2")
    rest = ("N1 - W1", "N2 - W2")
    here = g.apply(unchanged(g, names, apart, *rest), "p", "q")
    value = g.apply(gradient, *rest)
    cross = g.apply(apart, "W1", "W2", by=[lambda g: g.close_by(inside)])
    size = f"tr(T({rest[0]}) @ ({rest[0]})) + tr(T({rest[1]}) @ ({rest[1]}))"
    norm = g.have(f"{size} = 0", lambda g: g.field((value, 1), (here, 1), (cross, -1)))

    def vanishes(x: str, y: str, w: str) -> str:
        t = f"tr(T({x}) @ ({x}))"
        z = g.have(
            f"{t} = 0",
            lambda g: g.antisym(lambda g: g.pos([f"tr(T({y}) @ ({y}))"], eqs=[(norm, -1)]), lambda g: g.pos([t])),
        )
        h = g.by_fact("frobenius_zero", "d", "d", x, by=[lambda g: g.close_by(z)])
        n = x.split()[0]
        return g.have(f"{n} = {w}", lambda g: g.nc((h, 1, None, None)))

    z1, z2 = vanishes(*rest, "W1"), vanishes(rest[1], rest[0], "W2")
    del w1_is, w2_is
    member = g.have(contained("N1", "N2"), lambda g: (g.rewrite(z1), g.rewrite(z2), g.close_by(inside))[-1])

    def orthogonal(g: Goal) -> None:
        g.fix("E", "F")
        k = g.apply(g.assume(), "N1", "N2", by=[lambda g: g.close_by(member)])
        g.field((k, 1))

    g.conj(lambda g: g.close_by(member), orthogonal)


WITH_THE_DISPLAY = (
    f"{SETTING} {STATIONARY} {NEGATIVE} not (all G K:M(d,d). -({second('E', 'F', 'G', 'K')}) = l*{inner('E', 'F', 'G', 'K')})"
)


@part(
    "bai2024.lemma-a3",
    "sign-of-the-display",
    WITH_THE_DISPLAY,
    says="with the opposite sign, as H^(2) is displayed in (24), v is an eigenvector for -l > 0 and not for l",
    uses=[CONCLUSION],
)
def display_has_the_other_sign(g: Goal) -> None:
    """l |v|^2 = -l |v|^2 only for v = 0."""
    names, _ = enter_eigenvector(g)
    known = [lambda g, h=h: g.close_by(h) for h in names[:9]]
    h = g.lemma(CONCLUSION, "amendment", *"dkVfgPMAB", by=known)
    k = g.apply(h, "l", "E", "F", by=[lambda g, h=h: g.close_by(h) for h in names[9:]], n=3)
    wrong = g.assume()
    a = g.split(g.apply(k, "E", "F"))[2]
    b = g.apply(wrong, "E", "F")

    def zero(x: str, y: str) -> str:
        t = f"tr(T({x}) @ {x})"
        low = g.have(
            f"{t} <= 0",
            lambda g: g.pos([f"tr(T({y}) @ {y})", f"@{names[9]}"], mul=[f"@{names[9]}"], eqs=[(a, "-1/2"), (b, "-1/2")]),
        )
        z = g.have(f"{t} = 0", lambda g: g.antisym(lambda g: g.close_by(low), lambda g: g.pos([t])))
        return g.by_fact("frobenius_zero", "d", "d", x, by=[lambda g: g.close_by(z)])

    e, f = zero("E", "F"), zero("F", "E")
    g.cases(names[10], lambda g: g.clash(e, last(g)), lambda g: g.clash(f, last(g)))


@holds(
    "bai2024.lemma-a3",
    f"{SETTING} {STATIONARY} {NEGATIVE} {FAMILY}",
    argument="repaired",
    reading=f"{READING}; {SPLIT}. What is proved is more: the eigenvector is one of H^(2) for the same eigenvalue",
    readings=[
        (
            "H^(2) with the sign of the display (24)",
            "refuted",
            "sign-of-the-display",
            "with that sign an eigenvector of the Hessian for l < 0 is one for -l > 0, and so orthogonal to all eigenvectors for negative eigenvalues",
        ),
    ],
    uses=[COMPLEMENT, CONCLUSION],
)
def negative_eigenvectors_come_from_the_second_part(g: Goal) -> None:
    """H v = H^(2) v = l v."""
    names, _ = enter_eigenvector(g)
    eigenvector_of_the_second_part(g, names)


TOP = f"all l:R, E F:M(d,d). 0 < l => (E != O(d,d) or F != O(d,d)) => (all G K:M(d,d). -({form('E', 'F', 'G', 'K')}) = l*{inner('E', 'F', 'G', 'K')}) =>"


@holds(
    "bai2024.thm-a4-step-span",
    f"{SETTING} {STATIONARY} {TOP} {FAMILY}",
    argument="sound",
    reading=f"{READING}; {SPLIT}. (E, F) is an eigenvector of -H for the eigenvalue l > 0, of which the largest one is a case",
    context="lambda_1 > 0, as the time log(1/alpha)/lambda_1 of Theorem A.4 needs [Theorem A.4]",
    uses=["bai2024.lemma-a3"],
)
def top_eigenvectors_come_from_the_second_part(g: Goal) -> None:
    """Lemma A.3 for the eigenvalue -l of H."""
    names = enter(g)
    names += [g.assume(), g.assume()]
    g.fix("l", "E", "F")
    positive, nonzero, eigen = g.assume(), g.assume(), g.assume()

    def turned(g: Goal) -> None:
        g.fix("G", "K")
        k = g.apply(eigen, "G", "K")
        g.field((k, -1))

    h = g.lemma("bai2024.lemma-a3", "statement", *"dkVfgPMAB", by=[lambda g, h=h: g.close_by(h) for h in names])
    known = [lambda g: g.pos([f"@{positive}"]), lambda g: g.close_by(nonzero), turned]
    g.close_by(g.apply(h, "-l", "E", "F", by=known, n=3))
