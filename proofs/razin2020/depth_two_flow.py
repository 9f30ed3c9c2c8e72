"""Equations (37) to (39), Lemma 21: the entries of the depth 2 product matrix that starts at a scaled identity."""

from __future__ import annotations

from proofs.razin2020.problem import LOSS
from proofs.razin2020.scaled_identity import GRADIENT, PROP_4, SETTING
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

GRADIENT_W = "[[0, W[1,2] - 1], [W[2,1] - 1, W[2,2]]]"
SYMMETRIC_GRADIENT = "[[0, {0}[1,2] - 1], [{0}[1,2] - 1, {0}[2,2]]]"


@holds(
    "razin2020.eq-37",
    f"""all W:M(2,2). T(W) = W => {LOSS} = (W[2,2]^2 + 2*(W[1,2] - 1)^2)/2 and
       (all V:M(2,2). D(s, ((W + s*V)[1,2] - 1)^2/2 + ((W + s*V)[2,1] - 1)^2/2 + (W + s*V)[2,2]^2/2, 0) =
          tr(T({SYMMETRIC_GRADIENT.format("W")}) @ V))""",
    argument="sound",
    reading="the gradient is the matrix whose inner product with every direction is the derivative of the loss in it",
)
def loss_and_gradient_at_a_symmetric_matrix(g: Goal) -> None:
    """w21 = w12."""
    h = g.intro()[0]
    k = g.have("T(W)[1,2] = W[1,2]", lambda g: g.ctx(using(h)))
    k = g.have("W[2,1] = W[1,2]", lambda g: g.field((k, 1)))

    def gradient(g: Goal) -> None:
        g.fix("V")
        g.field(rw=[k])

    g.conj(lambda g: g.field(rw=[k]), gradient)


P4 = f"{PROP_4} all t:R. 0 <= t =>"
SYMMETRIC = "razin2020.lemma-24"


def symmetric_flow(g: Goal, names: list[str]) -> list[str]:
    """Symmetry, the two Gram matrices and the law (38) at the time t."""
    k = g.lemma("razin2020.lemma-24", "part:symmetric", *["n", "A", "B", "X", "al"], by=[using(h) for h in names])
    return g.split(g.apply(k, "t"))


@holds(
    "razin2020.eq-38",
    f"""{P4} (all H:M(2,2). H = {GRADIENT} => (all Y Z:M(2,2). T(Y) = Y => T(Z) = Z =>
         (all v:M(2,1). 0 <= tr(T(v) @ Y @ v) and 0 <= tr(T(v) @ Z @ v)) => Y^2 = X(t) @ T(X(t)) => Z^2 = T(X(t)) @ X(t) =>
           X'(t) = -(Y @ H) - H @ Z and -(Y @ H) - H @ Z = -(X(t) @ H) - H @ X(t)))""",
    uses=["razin2020.lemma-24"],
    argument="repaired",
    reason="the positive definiteness that Lemma 20 provides is shown for depth 2 directly",
    reading=f"{SETTING}; H is the gradient of the loss; Y and Z are the positive semidefinite square roots of X X^T and X^T X",
)
def dynamics_of_the_symmetric_product(g: Goal) -> None:
    """X = W_2 W_2^T is positive semidefinite and symmetric, so it is the root of X X^T = X^2 and of X^T X."""
    names = g.intro()
    hyps = names[:7]
    h, yt, zt, psd, y2, z2 = names[8:]
    sym, gram, _, law = symmetric_flow(g, hyps)
    only(g, h, yt, zt, psd, y2, z2, sym, gram, law)

    def root(g: Goal, name: str, turned: str, square: str, i: int) -> None:
        def own(g: Goal) -> None:
            g.fix("v")
            g.close_by(g.split(g.apply(psd, "v"))[i])

        def psd_x(g: Goal) -> None:
            g.fix("v")
            s = "tr(T(T(B(t)) @ v) @ (T(B(t)) @ v))"
            e = g.have(f"tr(T(v) @ X(t) @ v) = {s}", lambda g: (g.rewrite(gram, back=True), g.field())[-1])
            g.pos([s], eqs=[(e, 1)])

        def power(g: Goal) -> None:
            g.nc((square, 1, None, None), (sym, 1, "X(t)", None) if i == 0 else (sym, 1, None, "X(t)"))

        g.close_by(g.by_fact("psd_root_unique", 2, 2, name, "X(t)", by=[None, using(turned), using(sym), own, psd_x, power]))

    y = g.have("Y = X(t)", lambda g: root(g, "Y", yt, y2, 0))
    z = g.have("Z = X(t)", lambda g: root(g, "Z", zt, z2, 1))
    only(g, h, y, z, law)
    law = g.have("X'(t) = -(X(t) @ H + H @ X(t))", lambda g: (g.rewrite(h), g.close_by(law))[-1])
    g.conj(
        lambda g: g.nc((law, 1, None, None), (y, 1, None, "H"), (z, 1, "H", None)),
        lambda g: g.nc((y, -1, None, "H"), (z, -1, "H", None)),
    )


P, Q, R = "X(t)[1,1]", "X(t)[1,2]", "X(t)[2,2]"
LAWS = [
    ("X'(t)[1,1]", f"2*{Q}*(1 - {Q})"),
    ("X'(t)[2,2]", f"2*{Q}*(1 - {Q}) - 2*{R}^2"),
    ("X'(t)[1,2]", f"{R}*(1 - 2*{Q}) + {P}*(1 - {Q})"),
]


@holds(
    "razin2020.eq-39",
    f"{P4} {' and '.join(f'{a} = {b}' for a, b in LAWS)}",
    uses=["razin2020.lemma-24"],
    argument="sound",
    reading=SETTING,
)
def entrywise_equations(g: Goal) -> None:
    """The entries of (38)."""
    names = g.intro()
    sym, _, _, law = symmetric_flow(g, names[:7])
    only(g, sym, law)
    k = g.have("T(X(t))[1,2] = X(t)[1,2]", lambda g: g.ctx(using(sym)))
    k = g.have("X(t)[2,1] = X(t)[1,2]", lambda g: g.field((k, 1)))

    def entry(g: Goal) -> None:
        g.rewrite(law)
        g.field(rw=[k])

    g.conj(entry, entry, entry)


SCALAR_LAWS = """(all t:R. 0 <= t => p'(t) = 2*q(t)*(1 - q(t)) and r'(t) = 2*q(t)*(1 - q(t)) - 2*r(t)^2 and
         q'(t) = r(t)*(1 - 2*q(t)) + p(t)*(1 - q(t)))"""
START = "p(0) = al and q(0) = 0 and r(0) = al"
POSITIVE = "(all t:R. 0 <= t => 0 < p(t) and 0 < r(t))"
SCALARS = f"all p q r:R~>R, al:R. 0 < al => al <= 1 => {START} => {SCALAR_LAWS} => {POSITIVE} =>"
"""The entries p = w_11, q = w_12 = w_21, r = w_22 of the product matrix as functions of time."""


@part(
    "razin2020.lemma-21",
    "scalars",
    f"""{PROP_4} ex p q r:R~>R. {START} and {SCALAR_LAWS} and {POSITIVE} and
       (all t:R. X(t)[1,1] = p(t) and X(t)[1,2] = q(t) and X(t)[2,2] = r(t)) and (all t:R. 0 <= t => X(t)[2,1] = q(t)) and
       (all t:R. 0 <= t => q(t)^2 < p(t)*r(t))""",
    says="the entries as scalar functions; the product matrix is positive definite",
    uses=["razin2020.eq-39", "razin2020.lemma-24"],
)
def entries_as_functions_of_time(g: Goal) -> None:
    """The determinant d solves d' = -2 r d, so it stays positive; the diagonal is that of W_2 W_2^T."""
    g.fix()
    hyps = [g.assume() for _ in range(7)]
    start, positive = hyps[4], hyps[5]
    flow = g.have(
        f"all t:R. 0 <= t => T(X(t)) = X(t) and B(t) @ T(B(t)) = X(t) and {' and '.join(f'{a} = {b}' for a, b in LAWS)}",
        lambda g: laws_and_symmetry(g, hyps),
    )
    only(g, start, positive, flow)
    g.witness("lam t:R. X(t)[1,1]", "lam t:R. X(t)[1,2]", "lam t:R. X(t)[2,2]")
    initial = [
        g.have(f"X(0)[{i},{j}] = {'al' if i == j else 0}", lambda g: (g.rewrite(start), g.field())[-1])
        for i, j in ((1, 1), (1, 2), (2, 2))
    ]

    def law(g: Goal) -> None:
        g.fix("t")
        g.assume()
        names = g.split(g.apply(flow, "t"))[2:]
        g.conj(*[lambda g, h=h: g.field((h, 1)) for h in names])

    det = "X(s)[1,1]*X(s)[2,2] - X(s)[1,2]^2"

    def determinant(g: Goal) -> None:
        _, k = g.obtain(g.by_fact("antiderivative", "lam t:R. -2*X(t)[2,2]"), "K")

        def rate(g: Goal) -> None:
            g.fix("t")
            g.assume()
            names = g.split(g.apply(flow, "t"))[2:]
            g.field(rw=[*names, g.apply(k, "t")])

        e = g.by_fact("linear_ode", 0, f"lam s:R. {det}", "lam s:R. K(s)", by=[None, rate])
        g.fix("t")
        g.assume()
        v = g.apply(e, "t")
        only(g, v, positive, *initial)
        g.pos(
            ["al^2", "exp(K(t) - K(0))"],
            eqs=[
                (v, 1),
                (initial[0], "X(0)[2,2]*exp(K(t) - K(0))"),
                (initial[2], "al*exp(K(t) - K(0))"),
                (initial[1], "-X(0)[1,2]*exp(K(t) - K(0))"),
            ],
        )

    d = g.have(f"all t:R. 0 <= t => 0 < {det.replace('(s)', '(t)')}", determinant)

    def diagonal(g: Goal) -> None:
        g.fix("t")
        g.assume()
        gram = g.split(g.apply(flow, "t"))[1]
        v = g.apply(d, "t")
        only(g, gram, v)

        def entry(i: int) -> str:
            square = f"sum(l, 1, n, B(t)[{i},l]^2)"
            k = g.apply(g.fact("mm_entry", 2, "n", 2, "B(t)", "T(B(t))"), i, i)
            same = g.have(f"(B(t) @ T(B(t)))[{i},{i}] = X(t)[{i},{i}]", lambda g: g.ctx(using(gram)))
            k = g.have(f"X(t)[{i},{i}] = {square}", lambda g: g.field((same, -1), (k, 1)))
            return g.have(f"0 <= X(t)[{i},{i}]", lambda g: g.pos([square], eqs=[(k, 1)]))

        a, b = entry(1), entry(2)
        only(g, a, b, v)

        def strict(low: str) -> Script:
            def script(g: Goal) -> None:
                h = g.contra()
                i = 1 if low == a else 2
                z = g.have(f"X(t)[{i},{i}] = 0", lambda g: g.antisym(using(h), using(low)))
                g.pos([f"@{v}"], ["X(t)[1,2]^2"], eqs=[(z, f"-X(t)[{3 - i},{3 - i}]")])

            return script

        g.conj(strict(a), strict(b))

    def off(g: Goal) -> None:
        g.fix("t")
        g.assume()
        sym = g.split(g.apply(flow, "t"))[0]
        k = g.have("T(X(t))[1,2] = X(t)[1,2]", lambda g: g.ctx(using(sym)))
        g.field((k, 1))

    def positive_definite(g: Goal) -> None:
        g.fix("t")
        g.assume()
        v = g.apply(d, "t")
        g.pos([f"@{v}"])

    g.conj(
        *[using(h) for h in initial],
        law,
        diagonal,
        lambda g: (g.fix("t"), g.conj(Goal.refl, Goal.refl, Goal.refl))[-1],
        off,
        positive_definite,
    )


def laws_and_symmetry(g: Goal, hyps: list[str]) -> None:
    """Symmetry, Gram matrix and (39) at each time."""
    g.fix("t")
    h = g.assume()
    sym, gram, *_ = symmetric_flow(g, hyps)
    k = g.lemma("razin2020.eq-39", "statement", *["n", "A", "B", "X", "al"], by=[using(x) for x in hyps])
    names = g.split(g.apply(k, "t", by=[using(h)]))
    g.conj(using(sym), using(gram), *[using(x) for x in names])


@part(
    "razin2020.lemma-21",
    "region",
    f"""{SCALARS} (all t u:R. 0 <= t => t <= u => p(t) <= p(u)) and
       (all t:R. 0 <= t => 0 <= q(t) and q(t) <= 1 and r(t) <= 1 and al <= p(t))""",
    says="the invariant region for the scalar functions",
)
def invariant_region(g: Goal) -> None:
    """Where q < 0 it increases, where q > 1 it decreases, where r > 1 it decreases; then p does not decrease."""
    g.fix()
    alpha, small, start, laws, positive = (g.assume() for _ in range(5))
    p0, q0, r0 = g.split(start)

    def stays(g: Goal, e: str, slope: Script) -> None:
        """e(t) <= 0 for all t >= 0, since e(0) <= 0 and e' <= 0 where e > 0."""
        g.fix("t")
        low = g.assume()
        wrong = g.contra()
        above = g.have(f"0 < {e.format('t')}", lambda g: g.pos([f"@{wrong}"]))

        def initial(g: Goal) -> None:
            only(g, p0, q0, r0, small)
            g.pos(
                *([[f"@{small}"]] if "r" in e else [[1]] if "1" in e else []),
                eqs=[(q0, 1 if e.startswith("-") else -1)] if "q" in e else [(r0, -1)],
            )

        k = g.by_fact("last_entry", 0, "t", f"lam u:R. {e.format('u')}", by=[None, using(low), initial, using(above)])
        names = g.obtain(k, "c")

        def falls(g: Goal) -> None:
            g.fix("u")
            a, b = g.split(g.assume())
            late = g.have("0 <= u", lambda g: g.pos([f"@{a}"], [f"@{names[0]}"]))
            x = g.apply(names[3], "u", by=[lambda g: g.conj(using(a), lambda g: g.pos([f"@{b}"]))])
            z = g.split(g.apply(laws, "u", by=[using(late)]))
            s = g.split(g.apply(positive, "u", by=[using(late)]))
            only(g, x, *z, *s)
            g.have("true", lambda g: g.step("truth"))
            slope(g)

        m = g.by_fact(
            "mean_value_le", "c", "t", f"lam u:R. -({e.format('u')})", by=[None, falls, lambda g: g.pos([f"@{names[1]}"])]
        )
        only(g, m, above, names[2])
        g.pos([f"@{m}"], [f"@{above}"], eqs=[(names[2], -1)])

    def slope_of(g: Goal, f: list[list[str]], rw: list[int]) -> None:
        names = list(g.seq.hyps)
        x, lp, lr, lq, sp, sr = names[:6]
        rows = [[{"x": f"@{x}", "p": f"@{sp}", "r": f"@{sr}"}.get(t, t) for t in row] for row in f]
        g.pos(*rows, rw=[[lp, lr, lq][i] for i in rw])

    # q < 0: q' = r (1 - 2q) + p (1 - q) >= 0
    low = g.have(
        "all t:R. 0 <= t => -q(t) <= 0",
        lambda g: stays(g, "-q({0})", lambda g: slope_of(g, [["r"], ["x", "r", "2"], ["p"], ["x", "p"]], [2])),
    )
    # q > 1: -q' = r (2q - 1) + p (q - 1) >= 0
    high = g.have(
        "all t:R. 0 <= t => q(t) - 1 <= 0",
        lambda g: stays(g, "q({0}) - 1", lambda g: slope_of(g, [["x", "r", "2"], ["r"], ["x", "p"]], [2])),
    )
    # r > 1: -r' = 2 r^2 - 2 q (1 - q) = 2 (r - 1)(r + 1) + 2 - 1/2 + 2 (q - 1/2)^2
    top = g.have(
        "all t:R. 0 <= t => r(t) - 1 <= 0",
        lambda g: stays(
            g, "r({0}) - 1", lambda g: slope_of(g, [["x", "x", "2"], ["x", "4"], ["2*(q(u) - 1/2)^2"], ["3/2"]], [1])
        ),
    )

    def rises(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        a, b = g.apply(low, "t", by=[using(h)]), g.apply(high, "t", by=[using(h)])
        z = g.split(g.apply(laws, "t", by=[using(h)]))[0]
        only(g, a, b, z)
        g.pos([f"@{a}", f"@{b}", 2], rw=[z])

    mono = g.by_fact("nondecreasing", 0, "lam t:R. p(t)", by=[None, rises])

    def region(g: Goal) -> None:
        g.fix("t")
        h = g.assume()
        a, b, c = (g.apply(x, "t", by=[using(h)]) for x in (low, high, top))
        e = g.apply(mono, 0, "t", by=[None, using(h)])
        g.conj(
            lambda g: g.pos([f"@{a}"]),
            lambda g: g.pos([f"@{b}"]),
            lambda g: g.pos([f"@{c}"]),
            lambda g: g.pos([f"@{e}"], eqs=[(p0, 1)]),
        )

    g.conj(using(mono), region)


def scalar_region(g: Goal, hyps: list[str]) -> tuple[list[str], list[str]]:
    """The scalar functions with what is known of them, and their region, from the hypotheses of Proposition 4."""
    k = g.lemma("razin2020.lemma-21", "part:scalars", *["n", "A", "B", "X", "al"], by=[using(h) for h in hyps])
    names = g.obtain(k, "p", "q", "r", split=False)
    p0, q0, r0, laws, positive, entries, off, definite = g.split(names[0])
    start = g.have(START, lambda g: g.conj(using(p0), using(q0), using(r0)))
    scripts = [using(hyps[5]), using(hyps[6]), using(start), using(laws), using(positive)]
    mono, region = g.split(g.lemma("razin2020.lemma-21", "part:region", "p", "q", "r", "al", by=scripts))
    return [start, laws, positive, entries, off, definite], [mono, region]


@holds(
    "razin2020.lemma-21",
    f"""{PROP_4} (all t:R. 0 <= t => 0 < X(t)[1,1]) and (all t u:R. 0 <= t => t <= u => X(t)[1,1] <= X(u)[1,1]) and
       (all t:R. 0 <= t => 0 <= X(t)[1,2] and X(t)[1,2] <= 1) and (all t:R. 0 <= t => 0 < X(t)[2,2] and X(t)[2,2] <= 1)""",
    uses=["razin2020.lemma-21"],
    argument="sound",
    reading=SETTING,
)
def entries_stay_in_the_region(g: Goal) -> None:
    """The invariant region of the scalar functions."""
    g.fix()
    hyps = [g.assume() for _ in range(7)]
    (_, _, positive, entries, _, _), (mono, region) = scalar_region(g, hyps)
    only(g, positive, entries, mono, region)

    def at(g: Goal, pick: list[str]) -> None:
        g.fix("t")
        h = g.assume()
        e = g.split(g.apply(entries, "t"))
        a, b = g.split(g.apply(positive, "t", by=[using(h)]))
        r = g.split(g.apply(region, "t", by=[using(h)]))
        rows = {"p": (a, e[0]), "q0": (r[0], e[1]), "q1": (r[1], e[1]), "r0": (b, e[2]), "r1": (r[2], e[2])}
        scripts: list[Script] = [lambda g, k=k: g.pos([f"@{rows[k][0]}"], rw=[rows[k][1]]) for k in pick]
        if len(scripts) == 1:
            scripts[0](g)
        else:
            g.conj(*scripts)

    def rises(g: Goal) -> None:
        g.fix("t", "u")
        a, b = g.assume(), g.assume()
        m = g.apply(mono, "t", "u", by=[using(a), using(b)])
        x, y = g.split(g.apply(entries, "t"))[0], g.split(g.apply(entries, "u"))[0]
        g.pos([f"@{m}"], rw=[x, y])

    g.conj(lambda g: at(g, ["p"]), rises, lambda g: at(g, ["q0", "q1"]), lambda g: at(g, ["r0", "r1"]))
