"""Appendix I.2: the induced flow (17), the operator (16) at a matrix of rank one, and what follows for W and its alignment with Z_1."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import LEADING, trace_of
from proofs.eftekhari2022.preconditioner import power_steps, psd
from proofs.eftekhari2022.theorem_twenty import TARGET
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import part

POWER = "(2 - 2/N)"

ROOTS_READING = (
    "the induced flow is any smooth solution W (here E) of (17); the power k/N of a positive semidefinite matrix is the k-th power "
    "of its positive semidefinite N-th root, here S(t) for W W^T and H(t) for W^T W, and the zeroth power is the identity"
)

ROOTS = f"""(all t:R. 0 <= t => {psd("S(t)", "y")} and S(t)^N = E(t) @ T(E(t)) and {psd("H(t)", "x")} and H(t)^N = T(E(t)) @ E(t)) =>"""

INDUCED_VARIABLES = "x y m N:Z, X:M(x,m), Y:M(y,m), E:R~>M(y,x), S:R->M(y,y), H:R->M(x,x)"

INDUCED = f"""2 <= N => {ROOTS}
       (all t:R. 0 <= t => E'(t) = -sum(j, 1, N, S(t)^(N-j) @ (E(t) @ X @ T(X) - Y @ T(X)) @ H(t)^(j-1))) =>"""
"""The induced flow (17)."""

TARGET_VARIABLES = "Z Z1:M(y,x), uZ:V(y), vZ:V(x)"

THIN = "0 <= t => 0 < s => E(t) = s*(u @ T(v)) => T(u) @ u = I(1) => T(v) @ v = I(1) =>"
"""The thin singular value decomposition of W(t), where its rank is one."""

TOP = "sv(Z,1)"
ALIGNMENT = f"({TOP}*(a*b))"
RADIAL = f"(m*N*s^{POWER}*s*(s - {ALIGNMENT} - q))"
CORRELATION = f"(m*s^{POWER}*(2*s*{ALIGNMENT} - {TOP}^2*(a^2 + b^2) + (N-2)*(s - {ALIGNMENT} - q)*{ALIGNMENT}))"
REDUCED = f"""ex a b q:R. a^2 <= 1 and b^2 <= 1 and -(sv(Z,2)*(1 - a*b)) <= q and q <= sv(Z,2)*(1 - a*b) and
           tr(T(u) @ Z1 @ v) = {ALIGNMENT} and tr(T(E(t)) @ E(t)) = s^2 and tr(T(Z1) @ E(t)) = s*{ALIGNMENT} and
           tr(T(Z1) @ Z1) = {TOP}^2 and tr(T(E(t)) @ E'(t)) = -{RADIAL} and tr(T(Z1) @ E'(t)) = -{CORRELATION}"""
"""W(t) and its velocity in scalars: a = u_Z^T u, b = v_Z^T v, q = u^T (Z - Z_1) v."""


@part(
    "eftekhari2022.eq-139",
    "projector-power",
    "all n:Z, c:R, u:V(n). T(u) @ u = I(1) => all k:Z. 1 <= k => (c*(u @ T(u)))^k = c^k*(u @ T(u))",
    says="(c u u^T)^k = c^k u u^T for a unit vector u and k >= 1",
)
def powers_of_a_scaled_projector(g: Goal) -> None:
    """Induction on k."""
    g.fix()
    unit = g.assume()
    ih = g.induct("k")

    def base(g: Goal) -> None:
        g.rewrite(next(reversed(g.seq.hyps)), back=True)
        g.nc()

    def step(g: Goal) -> None:
        strict = next(reversed(g.seq.hyps))
        g.by_fact("int_lt", 1, "k", by=[using(strict)])
        before = g.apply(ih, "k - 1")
        first, _ = power_steps(g, "n", "c*(u @ T(u))", "k")
        scalar = g.by_fact("ipow_step", "c", "k - 1")
        power = g.have("c^k = c*c^(k-1)", lambda g: g.field((scalar, 1)))
        g.rewrite(power)
        g.rewrite(first)
        g.rewrite(before)
        g.nc(rw=[unit])

    g.cases(g.by_fact("lt_or_eq", 1, "k", by=[using(f"{ih}_lo")]), step, base)


@part(
    "eftekhari2022.eq-139",
    "rank-one-root",
    f"""all n N:Z, s:R, u:V(n), S:M(n,n). 1 <= N => 0 < s => T(u) @ u = I(1) => {psd("S", "n")} => S^N = s^2*(u @ T(u)) =>
       all k:Z. 1 <= k => S^k = s^(2*k/N)*(u @ T(u))""",
    says="the root of s^2 u u^T of degree N has the powers s^(2k/N) u u^T",
    uses=["eftekhari2022.eq-139"],
)
def powers_of_the_root(g: Goal) -> None:
    """s^(2/N) u u^T is positive semidefinite with the same N-th power, and such a root is unique."""
    g.fix()
    _, _, unit = g.assume(), g.assume(), g.assume()
    sym, semi = g.split(g.assume())
    power = g.assume()
    root = "s^(2/N)*(u @ T(u))"
    powers = g.lemma("eftekhari2022.eq-139", "part:projector-power", "n", "s^(2/N)", "u", by=[using(unit)])

    def nonneg(g: Goal) -> None:
        g.fix("w")
        g.pos(["s^(2/N)", "tr(T(T(u) @ w) @ (T(u) @ w))"])

    def same(g: Goal) -> None:
        k = g.apply(powers, "N")
        g.by_fact("pow_pow", "s", "2/N", "N", name="whole")
        g.rewrite(power)
        g.rewrite(k)
        g.rewrite("whole")
        g.nc()

    unique = g.by_fact("psd_root_unique", "n", "N", "S", root, by=[None, using(sym), lambda g: g.nc(), using(semi), nonneg, same])
    g.fix("k")
    g.assume()
    k = g.apply(powers, "k")
    g.by_fact("pow_pow", "s", "2/N", "k", name="part")
    g.rewrite(unique)
    g.rewrite(k)
    g.rewrite("part")
    g.nc()


ROOTS_AT_RANK_ONE = f"""{psd("S", "y")} => S^N = s^2*(u @ T(u)) => {psd("H", "x")} => H^N = s^2*(v @ T(v)) =>"""


@part(
    "eftekhari2022.eq-139",
    "operator",
    f"""all x y N:Z, s:R, u:V(y), v:V(x), G:M(y,x), S:M(y,y), H:M(x,x). 2 <= N => 0 < s => T(u) @ u = I(1) => T(v) @ v = I(1) =>
       {ROOTS_AT_RANK_ONE}
       sum(j, 1, N, S^(N-j) @ G @ H^(j-1)) = s^{POWER}*(u @ T(u) @ G + G @ v @ T(v) + (N-2)*(u @ T(u) @ G @ v @ T(v)))""",
    says="the operator (16) at s u v^T",
    uses=["eftekhari2022.eq-139"],
)
def operator_at_rank_one(g: Goal) -> None:
    """The first term is s^(2-2/N) u u^T G, the last s^(2-2/N) G v v^T, each of the N - 2 others s^(2-2/N) u u^T G v v^T."""
    g.fix()
    _, positive, left, right = (g.assume() for _ in range(4))
    s_psd, s_root, r_psd, r_root = (g.assume() for _ in range(4))
    term = "lam j:Z. S^(N-j) @ G @ H^(j-1)"
    powers = [
        g.lemma(
            "eftekhari2022.eq-139",
            "part:rank-one-root",
            *(n, "N", "s", u, root),
            by=[None, using(positive), using(one), using(semi), using(value)],
        )
        for n, u, root, one, semi, value in (("y", "u", "S", left, s_psd, s_root), ("x", "v", "H", right, r_psd, r_root))
    ]

    def partial(g: Goal) -> None:
        ih = g.induct("k")
        g.assume()
        last = g.by_fact("matrix_sum_last", "y", "x", 1, "k", term)
        a = g.apply(powers[0], "N - k")

        def base(g: Goal) -> None:
            k1 = next(reversed(g.seq.hyps))
            g.rewrite(k1, back=True)
            one = g.have("1 <= N - 1")
            a = g.apply(powers[0], "N - 1", by=[using(one)])
            last = g.by_fact("matrix_sum_last", "y", "x", 1, 1, term)
            empty = g.by_fact("matrix_sum_empty", "y", "x", 1, "1 - 1", term)
            g.nc((last, 1, None, None), (empty, 1, None, None), (a, 1, None, "G"))

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 1, "k", by=[using(strict)])
            before = g.apply(ih, "k - 1")
            b = g.apply(powers[1], "k - 1")
            exponent = g.have(f"s^(2*(N - k)/N)*s^(2*(k - 1)/N) = s^{POWER}", lambda g: g.field())
            pair = g.have(
                f"S^(N-k) @ G @ H^(k-1) = s^{POWER}*(u @ T(u) @ G @ v @ T(v))",
                lambda g: (g.rewrite(a), g.rewrite(b), g.rewrite(exponent, back=True), g.nc()),
            )
            g.nc((last, 1, None, None), (before, 1, None, None), (pair, 1, None, None))

        g.cases(g.by_fact("lt_or_eq", 1, "k", by=[using(f"{ih}_lo")]), step, base)

    sums = g.have(
        f"""all k:Z. 1 <= k => k <= N - 1 =>
            sum(j, 1, k, S^(N-j) @ G @ H^(j-1)) = s^{POWER}*(u @ T(u) @ G + (k-1)*(u @ T(u) @ G @ v @ T(v)))""",
        partial,
    )
    before = g.apply(sums, "N - 1")
    last = g.by_fact("matrix_sum_last", "y", "x", 1, "N", term)
    b = g.apply(powers[1], "N - 1")
    exponent = g.have(f"s^(2*(N - 1)/N) = s^{POWER}", lambda g: g.field())
    final = g.have(
        f"S^(N-N) @ G @ H^(N-1) = s^{POWER}*(G @ v @ T(v))",
        lambda g: (g.rewrite(b), g.rewrite(exponent), g.replace("N - N", "0", lambda g: g.field()), g.nc()),
    )
    g.nc((last, 1, None, None), (before, 1, None, None), (final, 1, None, None))


@part(
    "eftekhari2022.eq-139",
    "scalars",
    f"""all x y:Z, k N s a b q:R, Z Z1 W V:M(y,x), uZ u:V(y), vZ v:V(x). {LEADING} T(u) @ u = I(1) => T(v) @ v = I(1) =>
       T(uZ) @ u = a*I(1) => T(vZ) @ v = b*I(1) => T(u) @ (Z - Z1) @ v = q*I(1) => W = s*(u @ T(v)) =>
       V = -(k*(u @ T(u) @ (W - Z) + (W - Z) @ v @ T(v) + (N-2)*(u @ T(u) @ (W - Z) @ v @ T(v)))) =>
       tr(T(u) @ Z1 @ v) = {ALIGNMENT} and tr(T(W) @ W) = s^2 and tr(T(Z1) @ W) = s*{ALIGNMENT} and tr(T(Z1) @ Z1) = {TOP}^2 and
       tr(T(W) @ V) = -(k*N*s*(s - {ALIGNMENT} - q)) and
       tr(T(Z1) @ V) = -(k*(2*s*{ALIGNMENT} - {TOP}^2*(a^2 + b^2) + (N-2)*(s - {ALIGNMENT} - q)*{ALIGNMENT}))""",
    says="inner products of W = s u v^T, Z_1 and the velocity (139)",
    uses=["eftekhari2022.eq-139"],
)
def inner_products_at_rank_one(g: Goal) -> None:
    """Every factor u^T M v is a number: u^T Z_1 v = s_Z a b, u^T Z v = s_Z a b + q, u^T Z v_Z = s_Z a, u_Z^T Z v = s_Z b."""
    left, right, image, back, best, uu, vv, au, bv, form, whole, velocity = g.intro()
    both = g.have(
        f"T(u) @ Z @ v = ({ALIGNMENT} + q)*I(1)", lambda g: g.nc((form, 1, None, None), (best, 1, "T(u)", "v"), rw=[au, bv])
    )
    rules = [left, right, uu, vv, au, bv, both, image, back]

    speed = f"s - {ALIGNMENT} - q"

    def value(word: str, number: str) -> str:
        return trace_of(g, word, number, rules)

    def inner(text: str, factor: str, h: str, *equations: str) -> str:
        """Adds an inner product with s u v^T or s_Z u_Z v_Z^T."""

        def prove(g: Goal) -> None:
            for equation in equations:
                g.rewrite(equation)
            g.field((h, factor))

        return g.have(text, prove)

    aligned = value("T(u) @ uZ @ T(vZ) @ v", "a*b")
    ones = value("T(u) @ u @ T(v) @ v", "1")
    tops = value("T(uZ) @ uZ @ T(vZ) @ vZ", "1")
    radial = trace_of(g, "T(u) @ V @ v", f"-(k*N*({speed}))", [velocity, whole, *rules])
    turning = trace_of(
        g, "T(uZ) @ V @ vZ", f"-(k*(a*(s*b - {TOP}*a) + b*(s*a - {TOP}*b) + (N-2)*({speed})*a*b))", [velocity, whole, *rules]
    )
    results = [
        inner(f"tr(T(u) @ Z1 @ v) = {ALIGNMENT}", TOP, aligned, best),
        inner("tr(T(W) @ W) = s^2", "s^2", ones, whole),
        inner(f"tr(T(Z1) @ W) = s*{ALIGNMENT}", f"s*{TOP}", aligned, best, whole),
        inner(f"tr(T(Z1) @ Z1) = {TOP}^2", f"{TOP}^2", tops, best),
        inner(f"tr(T(W) @ V) = -(k*N*s*({speed}))", "s", radial, whole),
        inner(f"tr(T(Z1) @ V) = -(k*(2*s*{ALIGNMENT} - {TOP}^2*(a^2 + b^2) + (N-2)*({speed})*{ALIGNMENT}))", TOP, turning, best),
    ]
    g.conj(*[using(h) for h in results])


VELOCITY = f"-(m*s^{POWER}*(u @ T(u) @ (E(t) - Z) + (E(t) - Z) @ v @ T(v) + (N-2)*(u @ T(u) @ (E(t) - Z) @ v @ T(v))))"


@part(
    "eftekhari2022.eq-139",
    "velocity",
    f"""all {INDUCED_VARIABLES}, {TARGET_VARIABLES}. {INDUCED} {TARGET} all t s:R, u:V(y), v:V(x). {THIN} E'(t) = {VELOCITY}""",
    says="the velocity of the induced flow at s u v^T",
    uses=["eftekhari2022.eq-139"],
)
def velocity_at_rank_one(g: Goal) -> None:
    """W X X^T - Y X^T = m (W - Z), and the operator (16) at s u v^T."""
    names = g.intro(split=False)
    _, roots, flow, white, _, target = names[:6]
    positive, whole, left, right = names[-4:]
    g.have("0 < m")
    s_psd, s_root, h_psd, h_root = g.split(g.apply(roots, "t"))
    gradient = g.have(
        "E(t) @ X @ T(X) - Y @ T(X) = m*(E(t) - Z)", lambda g: g.nc((white, 1, "E(t)", None), (target, "m", None, None))
    )
    first = g.have("S(t)^N = s^2*(u @ T(u))", lambda g: (g.rewrite(s_root), g.nc(rw=[whole, right])))
    second = g.have("H(t)^N = s^2*(v @ T(v))", lambda g: (g.rewrite(h_root), g.nc(rw=[whole, left])))
    operator = g.lemma(
        "eftekhari2022.eq-139", "part:operator", "x", "y", "N", "s", "u", "v", "m*(E(t) - Z)", "S(t)", "H(t)",
        by=[None, *[using(h) for h in (positive, left, right, s_psd, first, h_psd, second)]],
    )  # fmt: skip
    rate = g.apply(flow, "t")
    rate = g.rewritten(rate, gradient)
    g.nc((rate, 1, None, None), (operator, -1, None, None))


@part(
    "eftekhari2022.eq-139",
    "reduced",
    f"""all {INDUCED_VARIABLES}, {TARGET_VARIABLES}. {INDUCED} {TARGET} all t s:R, u:V(y), v:V(x). {THIN} {REDUCED}""",
    says="the induced flow of rank one in scalars",
    uses=["eftekhari2022.eq-139", "eftekhari2022.step-i1-residual-bound"],
)
def flow_in_scalars(g: Goal) -> None:
    """a = u_Z^T u, b = v_Z^T v, q = u^T (Z - Z_1) v."""
    names = g.intro(split=False)
    flow, (whole, left, right) = names[:-5], names[-3:]
    frame = flow[-5:]
    velocity = g.lemma("eftekhari2022.eq-139", "part:velocity", *FLOW_TERMS, by=[using(h) for h in flow])
    velocity = g.apply(velocity, "t", "s", "u", "v")
    g.witness("tr(T(uZ) @ u)", "tr(T(vZ) @ v)", "tr(T(u) @ (Z - Z1) @ v)")
    numbers = [scalar_matrix(g, f"({word})") for word in ("T(uZ) @ u", "T(vZ) @ v", "T(u) @ (Z - Z1) @ v")]
    given = [using(h) for h in (*frame, left, right, *numbers)]
    bound = g.lemma(
        "eftekhari2022.step-i1-residual-bound", "part:residual-bound", "x", "y", "Z", "Z1", "uZ", "u", "vZ", "v",
        "tr(T(uZ) @ u)", "tr(T(vZ) @ v)", "tr(T(u) @ (Z - Z1) @ v)", by=given,
    )  # fmt: skip
    products = g.lemma(
        "eftekhari2022.eq-139", "part:scalars", "x", "y", f"m*s^{POWER}", "N", "s",
        "tr(T(uZ) @ u)", "tr(T(vZ) @ v)", "tr(T(u) @ (Z - Z1) @ v)", "Z", "Z1", "E(t)", "E'(t)", "uZ", "u", "vZ", "v",
        by=[*given, using(whole), using(velocity)],
    )  # fmt: skip
    a, b, _, low, high = g.split_all(bound)
    aligned, size, correlation, best, radial, turning = g.split_all(products)
    g.conj(
        *[using(h) for h in (a, b, low, high, aligned, size, correlation, best)],
        lambda g: g.field((radial, 1)),
        lambda g: g.field((turning, 1)),
    )


FLOW_TERMS = ("x", "y", "m", "N", "X", "Y", "E", "S", "H", "Z", "Z1", "uZ", "vZ")
"""The variables of the induced flow and of its target, to instantiate a lemma with."""
