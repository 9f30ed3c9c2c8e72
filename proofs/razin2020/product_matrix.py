"""Lemma 4, Equation (27), Lemma 6 and Equation (31): the product matrix of a balanced flow, its singular values and its
determinant."""

from __future__ import annotations

from proofs.razin2020.balanced_products import power_sum
from proofs.razin2020.factorisation import BALANCED, FLOW, GRADIENT, PADDING, factors
from proofs.razin2020.product_dynamics import LEFT, RIGHT, TERM, flow_lemma, powers_at, preserved, see_exponents
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

ROOT = "T({0}(t)) = {0}(t) and (all w:V({1}). 0 <= tr(T(w) @ {0}(t) @ w)) and {0}(t)^L = {2}"


@holds(
    "razin2020.lemma-4",
    f"""(all r c:Z, X G:R~>M(r,c), E:R->M(r,r), F:R->M(c,c). (all t:R. 0 <= t => X'(t) = -G(t)) =>
         all t:R. 0 <= t => X'(t) = -sum(l, 1, 1, E(t)^(l-1) @ G(t) @ F(t)^(1-l))) and
       (all {factors("r", "c")}, E:R->M(r,r), F:R->M(c,c). {FLOW} {BALANCED}
       (all t:R. 0 <= t => {ROOT.format("E", "r", "X(t) @ T(X(t))")}) =>
       (all t:R. 0 <= t => {ROOT.format("F", "c", "T(X(t)) @ X(t)")}) =>
       all t:R. 0 <= t => X'(t) = -sum(l, 1, L, E(t)^(l-1) @ G(t) @ F(t)^(L-l)))""",
    uses=["razin2020.lemma-4"],
    reading="the power k/L of a positive semidefinite matrix is the k-th power of its positive semidefinite L-th root, "
    "here E(t) and F(t); "
    f"L = 1 is the first part; {PADDING}",
    context=GRADIENT,
)
def dynamics_with_fractional_powers(g: Goal) -> None:
    """W_L W_L^T is positive semidefinite with the L-th power X X^T, hence the root E, which is unique; likewise W_1^T W_1 is
    F."""

    def depth_one(g: Goal) -> None:
        (flow,) = g.intro()[:1]
        k = g.apply(flow, "t")
        e = "lam l:Z. E(t)^(l-1) @ G(t) @ F(t)^(1-l)"
        last = g.by_fact("matrix_sum_last", "r", "c", 1, 1, e)
        empty = g.by_fact("matrix_sum_empty", "r", "c", 1, "1 - 1", e)
        g.nc((k, 1, None, None), (last, 1, None, None), (empty, 1, None, None))

    def deep(g: Goal) -> None:
        hyps = g.intro()
        dynamics = flow_lemma(g, "part:dynamics-by-powers", hyps, ("r", "c"))
        velocity, left, right = g.split(g.apply(dynamics, "t"))
        own = g.split(g.apply(hyps[9], "t"))
        other = g.split(g.apply(hyps[10], "t"))
        e = unique(g, "r", LEFT, "E(t)", "T(B(t)) @ w", left, own)
        f = unique(g, "c", RIGHT, "F(t)", "A(t) @ w", right, other)
        see_exponents(g)
        same = g.by_fact(
            "matrix_sum_ext",
            "r",
            "c",
            1,
            "L",
            f"lam l:Z. {TERM}",
            "lam l:Z. E(t)^(l-1) @ G(t) @ F(t)^(L-l)",
            by=[lambda g: terms(g, e, f)],
        )
        g.nc((velocity, 1, None, None), (same, -1, None, None))

    def terms(g: Goal, e: str, f: str) -> None:
        g.intro()
        g.rewrite(e)
        g.rewrite(f)
        g.refl()

    g.conj(depth_one, deep)


def unique(g: Goal, n: str, gram: str, root: str, vector: str, power: str, known: list[str]) -> str:
    """Adds gram = root, by uniqueness of the positive semidefinite L-th root."""
    symmetric, semidefinite, value = known

    def nonneg(g: Goal) -> None:
        g.fix("w")
        g.pos([f"tr(T({vector}) @ ({vector}))"])

    return g.by_fact(
        "psd_root_unique",
        n,
        "L",
        gram,
        root,
        by=[
            None,
            None,
            using(symmetric),
            nonneg,
            using(semidefinite),
            lambda g: g.nc((power, -1, None, None), (value, -1, None, None)),
        ],
    )


@part(
    "razin2020.lemma-6",
    "trace",
    """all n L:Z, X S R G V:M(n,n). 1 <= L => det(X) != 0 => R @ X = X @ S => V = -sum(l, 1, L, R^(l-1) @ G @ S^(L-l)) =>
       tr(inv(X) @ V) = -L*tr(S^(L-1) @ inv(X) @ G)""",
    says="all L terms contribute equally to the logarithmic derivative of the determinant",
)
def equal_contributions(g: Goal) -> None:
    """inv(X) R^k = S^k inv(X) by induction; then cyclically tr(S^(l-1) inv(X) G S^(L-l)) = tr(S^(L-1) inv(X) G)."""
    _, _det, swap, velocity = g.intro()
    right = g.by_fact("inv_right", "n", "X")
    left = g.by_fact("inv_left", "n", "X")
    one = g.have(
        "inv(X) @ R = S @ inv(X)",
        lambda g: g.nc((swap, 1, "inv(X)", "inv(X)"), (right, -1, "inv(X) @ R", None), (left, 1, None, "S @ inv(X)")),
    )

    def powers(g: Goal) -> None:
        ih = g.induct("k")
        lo = next(k for k in g.seq.hyps if k.endswith("_lo"))

        def base(g: Goal) -> None:
            g.rewrite(next(reversed(g.seq.hyps)), back=True)
            g.nc()

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 0, "k", by=[using(strict)])
            before = g.apply(ih, "k - 1")
            a = power_sum(g, "n", "R", "k - 1", "1", "k")
            b = power_sum(g, "n", "S", "k - 1", "1", "k")
            g.nc((a, 1, "inv(X)", None), (before, 1, None, "R"), (one, 1, "S^(k-1)", None), (b, -1, None, "inv(X)"))

        g.cases(g.by_fact("lt_or_eq", 0, "k", by=[using(lo)]), step, base)

    moved = g.have("all k:Z. 0 <= k => inv(X) @ R^k = S^k @ inv(X)", powers)
    e, f = "lam l:Z. R^(l-1) @ G @ S^(L-l)", "lam l:Z. inv(X) @ (R^(l-1) @ G @ S^(L-l))"
    into = g.fact("matrix_sum_mul_left", "n", "n", "n", 1, "L", "inv(X)", e)
    trace = g.fact("matrix_sum_trace", "n", 1, "L", f)
    total = "tr(S^(L-1) @ inv(X) @ G)"
    cyclic = g.have("all Y Z:M(n,n). tr(Y @ Z) = tr(Z @ Y)")

    def term(g: Goal) -> None:
        g.fix("l")
        g.split_all(g.assume())
        k = g.apply(moved, "l - 1")
        s = power_sum(g, "n", "S", "L - l", "l - 1", "L - 1")
        a = g.have(
            "inv(X) @ (R^(l-1) @ G @ S^(L-l)) = S^(l-1) @ inv(X) @ G @ S^(L-l)", lambda g: g.nc((k, 1, None, "G @ S^(L-l)"))
        )
        g.rewrite(a)
        b = g.have("S^(L-1) @ inv(X) @ G = S^(L-l) @ S^(l-1) @ inv(X) @ G", lambda g: g.nc((s, 1, None, "inv(X) @ G")))
        g.rewrite(b)
        g.field((g.apply(cyclic, "S^(l-1) @ inv(X) @ G", "S^(L-l)"), 1))

    ext = g.by_fact("sum_ext", 1, "L", "lam l:Z. tr(inv(X) @ (R^(l-1) @ G @ S^(L-l)))", f"lam l:Z. {total}", by=[term])
    const = g.by_fact("sum_const", 1, "L", total)
    v = g.have(
        "inv(X) @ V = -sum(l, 1, L, inv(X) @ (R^(l-1) @ G @ S^(L-l)))",
        lambda g: g.nc((velocity, 1, "inv(X)", None), (into, -1, None, None)),
    )
    g.rewrite(v)
    g.field((trace, -1), (ext, -1), (const, -1))


@part(
    "razin2020.lemma-6",
    "norm",
    """all n L:Z, X S:M(n,n). 2 <= L => det(X) != 0 => T(S) = S => T(X) @ X = S^L =>
       tr((S^(L-1) @ inv(X)) @ T(S^(L-1) @ inv(X))) = tr(S^(L-2))""",
    says="the bound of the logarithmic derivative is continuous",
)
def bounded_rate(g: Goal) -> None:
    """S is invertible as S^L = X^T X is, so S^(L-1) inv(X) = inv(S) X^T, whose Gram matrix is inv(S) S^L inv(S)."""
    _, det, symmetric, power = g.intro()
    two = power_sum(g, "n", "S", "1", "L - 1", "L")
    power_sum(g, "n", "S", "L - 2", "1", "L - 1")

    def invertible(g: Goal) -> None:
        zero = g.contra()
        a = g.fact("det_product", "n", "T(X)", "X")
        b = g.fact("det_transpose", "n", "X")
        c = g.fact("det_product", "n", "S", "S^(L-1)")
        same = g.have("T(X) @ X = S @ S^(L-1)", lambda g: g.nc((power, 1, None, None), (two, 1, None, None)))
        value = g.have("det(T(X) @ X) = det(S @ S^(L-1))", lambda g: g.ctx(using(same)))
        eq = g.have("det(X)^2 = 0", lambda g: g.field((a, -1), (b, "-det(X)"), (value, 1), (c, 1), (zero, "det(S^(L-1))")))
        root = g.apply(g.fact("square_zero", "det(X)"), by=[using(eq)])
        g.clash(root, det)

    regular = g.have("det(S) != 0", invertible)
    left = g.by_fact("inv_left", "n", "S")
    t = g.have("T(inv(S)) = inv(S)", lambda g: inverse_is_symmetric(g, symmetric))
    own = g.by_fact("inv_right", "n", "S")
    g.clear(regular)
    right = g.by_fact("inv_right", "n", "X")
    z = g.have(
        "S^(L-1) @ inv(X) = inv(S) @ T(X)",
        lambda g: g.nc(
            (left, -1, None, "S^(L-1) @ inv(X)"),
            (two, -1, "inv(S)", "inv(X)"),
            (power, -1, "inv(S)", "inv(X)"),
            (right, 1, "inv(S) @ T(X)", None),
        ),
    )
    g.clear(det)
    first = g.have("(S^(L-1) @ inv(X)) @ T(S^(L-1) @ inv(X)) = inv(S) @ T(X) @ X @ T(inv(S))", lambda g: g.nc(rw=[z]))
    gram = g.have("inv(S) @ T(X) @ X @ T(inv(S)) = inv(S) @ S^L @ T(inv(S))", lambda g: g.nc((power, 1, "inv(S)", "T(inv(S))")))
    lower = g.have("inv(S) @ S^L @ T(inv(S)) = S^(L-1) @ T(inv(S))", lambda g: g.nc((left, 1, None, "S^(L-1) @ T(inv(S))")))
    last = g.have("S^(L-1) @ T(inv(S)) = S^(L-2)", lambda g: g.nc((t, 1, "S^(L-1)", None), (own, 1, "S^(L-2)", None)))
    g.rewrite(first)
    g.rewrite(gram)
    g.rewrite(lower)
    g.rewrite(last)
    g.refl()


def inverse_is_symmetric(g: Goal, symmetric: str) -> None:
    """T(inv(S)) = inv(S) for a symmetric S with det(S) != 0."""
    left = g.by_fact("inv_left", "n", "S")
    turned = g.have("S @ T(inv(S)) = I(n)", lambda g: transposed_inverse(g, left, symmetric))
    k = g.split(g.apply(g.fact("inv_unique", "n", "S", "T(inv(S))"), by=[using(turned)]))[0]
    g.nc((k, -1, None, None))


def transposed_inverse(g: Goal, left: str, symmetric: str) -> None:
    """S inv(S)^T = I from inv(S) S = I and S^T = S."""
    k = g.have("T(inv(S) @ S) = T(I(n))", lambda g: g.ctx(using(left)))
    g.nc((k, 1, None, None), (symmetric, -1, None, "T(inv(S))"))


@holds(
    "razin2020.lemma-6",
    f"""all {factors("m", "m")}. {FLOW} {BALANCED}
       (det(X(0)) = 0 => all t:R. 0 <= t => det(X(t)) = 0) and
       (0 < det(X(0)) => all t:R. 0 <= t => 0 < det(X(t))) and
       (det(X(0)) < 0 => all t:R. 0 <= t => det(X(t)) < 0)""",
    uses=["razin2020.lemma-4"],
    argument="sound",
    reading=PADDING,
    context=GRADIENT,
)
def determinant_keeps_its_sign(g: Goal) -> None:
    """Where det X != 0 its logarithmic derivative is -L tr(S^(L-1) X^-1 G) with S = W_1^T W_1, and S^(L-1) X^-1 has the
    squared Frobenius
    norm tr S^(L-2): a continuous bound. Gronwall's inequality for (det X)^2, from both sides, and the intermediate value
    theorem."""
    hyps = g.intro()
    low = g.fact("jacobi_formula", "m", "X")
    low = g.apply(low)
    (jacobi,) = g.obtain(low, "F")
    rate = f"L*(tr(T(G(t)) @ G(t)) + tr(({RIGHT})^(L-2)))"
    g.have("0 <= L - 2")
    k = g.by_fact("antiderivative", f"lam t:R. {rate}", by=[exponent_visible])
    _, k = g.obtain(k, "K")

    def bounds(g: Goal) -> None:
        g.fix("t")
        g.assume()
        speed = g.apply(k, "t")
        value, slope = g.split(g.apply(jacobi, "t"))

        def nonzero(g: Goal) -> None:
            derivative_bound(g, hyps, slope, speed)

        def zero(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            f = g.have("F(t) = 0", lambda g: g.field((value, 1), (eq, 1)))
            g.conj(lambda g: g.pos(eqs=[(f, "K'(t)*F(t) - 2*F'(t)")]), lambda g: g.pos(eqs=[(f, "K'(t)*F(t) + 2*F'(t)")]))

        g.em("det(X(t)) != 0", nonzero, zero)

    both = g.have("all t:R. 0 <= t => 2*F(t)*F'(t) <= K'(t)*F(t)^2 and -(K'(t)*F(t)^2) <= 2*F(t)*F'(t)", bounds)

    def gronwall(g: Goal, sign: int) -> str:
        e, rate_k = ("lam t:R. F(t)^2", "lam t:R. K(t)") if sign > 0 else ("lam t:R. -F(t)^2", "lam t:R. -K(t)")

        def slower(g: Goal) -> None:
            g.fix("t")
            g.assume()
            a, b = g.split(g.apply(both, "t"))
            g.pos([f"@{a if sign > 0 else b}"])

        return g.by_fact("gronwall", 0, e, rate_k, by=[None, slower])

    above, below = gronwall(g, 1), gronwall(g, -1)
    at_zero = g.split(g.apply(jacobi, 0))[0]

    def stays_zero(g: Goal) -> None:
        h = g.assume()
        g.fix("t")
        g.assume()
        up = g.apply(above, "t")
        value = g.split(g.apply(jacobi, "t"))[0]
        f0 = g.have("F(0) = 0", lambda g: g.field((at_zero, 1), (h, 1)))
        square = g.have(
            "F(t)^2 = 0",
            lambda g: g.antisym(lambda g: g.pos([f"@{up}"], eqs=[(f0, "-F(0)*exp(K(t) - K(0))")]), lambda g: g.pos(["F(t)^2"])),
        )
        f = g.apply(g.fact("square_zero", "F(t)"), by=[using(square)])
        g.field((value, -1), (f, 1))

    def stays_signed(g: Goal, sign: int) -> None:
        h = g.assume()
        g.fix("t")
        g.assume()
        value = g.split(g.apply(jacobi, "t"))[0]
        s = "" if sign > 0 else "-"
        start = g.have(f"0 < {s}F(0)", lambda g: g.pos([f"@{h}"], eqs=[(at_zero, sign)]))
        away = g.have("all u:R. 0 <= u => 0 < F(u)^2", lambda g: away_from_zero(g, start))
        wrong = g.contra()
        end = g.have(f"{s}F(t) <= 0", lambda g: g.pos([f"@{wrong}"], eqs=[(value, -sign)]))
        exit_ = g.by_fact("first_exit", 0, "t", f"lam u:R. {s}F(u)", by=[None, None, using(start), using(end)])
        names = g.obtain(exit_, "u")
        square = g.apply(away, "u", by=[lambda g: g.pos([f"@{names[0]}"])])
        g.pos([f"@{square}"], eqs=[(names[2], f"-({s}F(u))")])

    def away_from_zero(g: Goal, start: str) -> None:
        g.fix("u")
        g.assume()
        down = g.apply(below, "u")
        g.pos([f"@{down}"], [f"@{start}", f"@{start}", "exp(-K(u) + K(0))"])

    g.conj(stays_zero, lambda g: stays_signed(g, 1), lambda g: stays_signed(g, -1))


def exponent_visible(g: Goal) -> None:
    """all t: 0 <= t => 0 <= L - 2."""
    g.intro()
    g.auto()


def derivative_bound(g: Goal, hyps: list[str], slope: str, speed: str) -> None:
    """|2 F F'| <= K' F^2 where det X is not 0."""
    log_derivative = g.apply(slope)
    dynamics = flow_lemma(g, "part:dynamics-by-powers", hyps, ("m", "m"))
    velocity, _, right = g.split(g.apply(dynamics, "t"))
    conserved = g.split(preserved(g, hyps, ("m", "m")))
    (_, each, _), _ = powers_at(g, hyps, (conserved[0], conserved[1]), ("m", "m"))
    swap = g.split(g.apply(each, "L - 1"))[1]
    _, last, product = g.split(g.apply(hyps[1], "t"))
    swapped = g.have(
        f"({LEFT}) @ X(t) = X(t) @ ({RIGHT})", lambda g: g.nc((swap, 1, "B(t)", None), (product, -1, None, RIGHT), rw=[last])
    )
    z = f"({RIGHT})^(L-1) @ inv(X(t))"
    trace = g.lemma(
        "razin2020.lemma-6",
        "part:trace",
        "m",
        "L",
        "X(t)",
        RIGHT,
        LEFT,
        "G(t)",
        "X'(t)",
        by=[None, None, lambda g: g.nc((swapped, 1, None, None)), lambda g: g.nc((velocity, 1, None, None))],
    )
    norm = g.lemma("razin2020.lemma-6", "part:norm", "m", "L", "X(t)", RIGHT, by=[None, None, None, using(right)])
    square = "tr(T(T({0}) {1} G(t)) @ (T({0}) {1} G(t)))"
    g.conj(
        lambda g: g.pos(
            ["L", "F(t)^2", square.format(z, "+")],
            eqs=[(speed, "F(t)^2"), (log_derivative, "-2*F(t)"), (trace, "-2*F(t)^2"), (norm, "-L*F(t)^2")],
        ),
        lambda g: g.pos(
            ["L", "F(t)^2", square.format(z, "-")],
            eqs=[(speed, "F(t)^2"), (log_derivative, "2*F(t)"), (trace, "2*F(t)^2"), (norm, "-L*F(t)^2")],
        ),
    )
