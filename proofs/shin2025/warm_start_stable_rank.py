"""Appendix G.2.2 and E.2: Lemma 25, the stable rank of Theorem 6, limit values, and the numbers that follow."""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import (
    CORE,
    PAPER,
    claim,
    enter,
    entries,
    of_flow,
    of_reduced,
    product,
)
from proofs.shin2025.warm_start_lemmas import W11, W12, W21, W22
from proofs.shin2025.warm_start_loss import USES
from verify.kernel import Goal
from verify.registry import holds, part

LIMIT = "[[w, v], [l, w]]"
CONVERGES = f"tends(t, {product('t')}, X)"
UPPER, LOWER = "w*exp(2*v/w)", "w*exp(-(2*v/w))"


@part(
    CORE,
    "spread-along",
    claim(f"""all t:R. 0 <= t => sv({product("t")}, 1) <= w*exp(2*v/w*(1 - exp(-w*t))) and
      w*exp(-(2*v/w*(1 - exp(-w*t)))) <= sv({product("t")}, 2)"""),
    says="Bounds of the singular values along the flow.",
    uses=[f"{PAPER}.lemma-19"],
)
def singular_values_along_the_flow(g: Goal) -> None:
    """The bounds of |A|^2/2 +- (w12 + w21)/2."""
    hs, red, ent = enter(g)
    e = entries(g, ent, "t")
    one, two = g.split_all(g.apply(of_flow(g, hs, "lemma-22-w12", "part:values"), "t"))
    up, low = g.split_all(g.apply(of_reduced(g, red, "spread"), "t"))
    g.conj(lambda g: g.pos(["@" + up], eqs=[(one, "-1")], rw=e), lambda g: g.pos(["@" + low], eqs=[(two, "1")], rw=e))


@part(
    CORE,
    "limit-values",
    claim(f"""ex X:M(2,2). {CONVERGES} and sv(X,1) <= {UPPER} and {LOWER} <= sv(X,2) and 0 < sv(X,1) and
      X[1,1] = w and X[2,2] = w and X[1,2] = v and X[2,1] < 0 and
      sv(X,1) - sv(X,2) = v + X[2,1] and sv(X,1)*sv(X,2) = w^2 - v*X[2,1] and tends(t, {W21}, X[2,1])"""),
    says="The limit and bounds of its singular values.",
    uses=[f"{PAPER}.lemma-19"],
)
def singular_values_of_the_limit(g: Goal) -> None:
    """Along the flow det <= M^2 - M (w12 + w21) for M = w* e^(2 w12*/w*), which passes to the limit and says (M - s1)(M
    + s2) >= 0."""
    hs, red, ent = enter(g)
    matrix, low, neg, total, _ = g.obtain(of_flow(g, hs, "lemma-22-w12", "part:limit"), "l")
    g.witness(LIMIT)
    hm = g.obtain(g.have(f"ex m:R. m = {UPPER}", lambda g: (g.witness(UPPER), g.refl())), "m")[0]
    m = "m"
    g.have("0 < m", lambda g: g.pos([UPPER], eqs=[(hm, "1")]))
    entry = {}
    back = g.fact("tends_matrix", "2", "2", LIMIT, f"lam t:R. {product('t')}")
    forward, _ = g.split(back)
    every = g.apply(forward)
    for i, j, value in ((1, 1, "w"), (1, 2, "v"), (2, 1, "l"), (2, 2, "w")):
        k = g.apply(every, str(i), str(j))
        entry[i, j] = g.have(f"tends(t, {product('t')}[{i},{j}], {value})", lambda g, k=k: g.exact(k))
    a = g.by_fact(
        "tends_mul",
        "w",
        "w",
        f"lam t:R. {W11}",
        f"lam t:R. {W22}",
        by=[lambda g: g.close_by(entry[1, 1]), lambda g: g.close_by(entry[2, 2])],
    )
    b = g.by_fact(
        "tends_mul",
        "v",
        "l",
        f"lam t:R. {W12}",
        f"lam t:R. {W21}",
        by=[lambda g: g.close_by(entry[1, 2]), lambda g: g.close_by(entry[2, 1])],
    )
    c = g.by_fact("tends_scale", "-1", "v*l", f"lam t:R. {W12}*{W21}", by=[lambda g: g.close_by(b)])
    d = g.by_fact(
        "tends_add",
        "w*w",
        "-1*(v*l)",
        f"lam t:R. {W11}*{W22}",
        f"lam t:R. -1*({W12}*{W21})",
        by=[lambda g: g.close_by(a), lambda g: g.close_by(c)],
    )
    f = g.by_fact(
        "tends_add",
        "v",
        "l",
        f"lam t:R. {W12}",
        f"lam t:R. {W21}",
        by=[lambda g: g.close_by(entry[1, 2]), lambda g: g.close_by(entry[2, 1])],
    )
    h = g.by_fact("tends_scale", m, "v + l", f"lam t:R. {W12} + {W21}", by=[lambda g: g.close_by(f)])
    det = f"({W11}*{W22} + -1*({W12}*{W21}))"
    k = g.by_fact(
        "tends_add",
        "w*w + -1*(v*l)",
        f"{m}*(v + l)",
        f"lam t:R. {det}",
        f"lam t:R. {m}*({W12} + {W21})",
        by=[lambda g: g.close_by(d), lambda g: g.close_by(h)],
    )
    g.have("w != 0")

    def along(g: Goal) -> None:
        g.intro()
        e = entries(g, ent, "t")
        bounds = g.split_all(g.apply(of_reduced(g, red, "bounds"), "t"))
        up, _ = g.split_all(g.apply(of_reduced(g, red, "spread"), "t"))
        small = g.by_fact("exp_mono", "2*v/w*(1 - exp(-w*t))", "2*v/w", by=[lambda g: g.pos(["2*v/w", "exp(-w*t)"])])
        n, sm = "((p(t)^2 + q(t)^2 + r(t)^2 + s(t)^2)/2)", "(p(t)*q(t) + r(t)*s(t))"
        top = g.have(f"{n} + {sm} <= {m}", lambda g: g.pos(["@" + up], ["w", "@" + small], eqs=[(hm, "1")]))
        g.have(f"0 <= {sm}", lambda g: g.pos(["1/2", "@" + bounds[13]]))
        # M^2 - 2 M c + c^2 - N^2/4 = (M - c - N/2)(M - c + N/2), and N^2/4 - c^2 = det A^2 by (54)
        gap = "(p(t)^2 + r(t)^2 - q(t)^2 - s(t)^2)"
        g.pos(["@" + top, "@" + top], ["2", n, "@" + top], eqs=[(bounds[0], f"{gap}/4")], rw=e)

    limit = g.by_fact(
        "tends_le",
        "0",
        f"(w*w + -1*(v*l)) + {m}*(v + l)",
        f"{m}^2",
        f"lam t:R. {det} + {m}*({W12} + {W21})",
        f"lam t:R. {m}^2",
        by=[along, lambda g: g.close_by(k), lambda g: g.close_by(g.fact("tends_const", f"{m}^2"))],
    )
    s1, s2 = f"sv({LIMIT},1)", f"sv({LIMIT},2)"
    prod, total2 = g.split_all(g.fact("sv_2x2", LIMIT))
    rng = g.fact("sv_range", "2", "2", LIMIT)
    _first, order = g.split_all(g.apply(rng, "1", "2"))
    second, _ = g.split_all(g.apply(rng, "2", "2"))
    order = g.apply(order)
    g.have(f"0 < det({LIMIT})", lambda g: g.pos(["w", "w"], ["v", "@" + neg]))
    size = g.have(f"{s1}*{s2} = w^2 - v*l", lambda g: g.field((prod, "1")))
    zero = g.by_fact(
        "product_zero", f"{s1} - {s2} - (v + l)", f"{s1} - {s2} + (v + l)", by=[lambda g: g.field((total2, "1"), (size, "-2"))]
    )

    def both_zero(g: Goal) -> None:
        h = list(g.seq.hyps)[-1]
        g.antisym(*[lambda g: g.nlin(products=1, use=[h, total, order])] * 2)

    diff = g.have(f"{s1} - {s2} = v + l", lambda g: g.cases(zero, lambda g: g.field((list(g.seq.hyps)[-1], "1")), both_zero))

    def upper(g: Goal) -> None:
        n = "@" + g.contra()
        g.pos([n, m], [n, "@" + second], ["@" + limit], eqs=[(size, "-1"), (diff, f"-({m})")])

    up = g.have(f"{s1} <= {m}", upper)
    low_ = g.have(
        f"{LOWER} <= {s2}",
        lambda g: g.pos(["@" + up, "@" + second], ["v", "@" + neg], mul=[m], eqs=[(size, "1"), (hm, f"-{LOWER}")]),
    )
    s1pos = g.have(f"0 < {s1}", lambda g: g.pos(["w*exp(-(2*v/w))"], ["@" + low_], ["@" + order]))
    g.conj(
        lambda g: g.close_by(matrix),
        lambda g: g.pos(["@" + up], eqs=[(hm, "-1")]),
        lambda g: g.close_by(low_),
        lambda g: g.close_by(s1pos),
        None,
        None,
        None,
        lambda g: g.pos(["@" + neg]),
        lambda g: g.field((diff, "1")),
        lambda g: g.field((size, "1")),
        lambda g: g.exact(low),
    )


def limit_values(g: Goal, hs: list[str]) -> list[str]:
    """The limit X and what the part `limit-values` says of it; hs: the hypotheses of the setting."""
    return g.obtain(of_flow(g, hs, "lemma-22-w12", "part:limit-values"), "X")


def bound_of_the_limit(g: Goal, which: int) -> None:
    """Close that there is a limit with this one of its properties."""
    k = limit_values(g, g.intro())
    g.witness("X")
    g.conj(lambda g: g.close_by(k[0]), lambda g: g.close_by(k[which]))


@holds(
    f"{PAPER}.lemma-25-sigma1",
    claim(f"ex X:M(2,2). {CONVERGES} and sv(X,1) <= {UPPER}"),
    uses=USES,
    reading="The limit is asserted to exist.",
    reason="Proved from explicit singular values |A|^2/2 +- (w12 + w21)/2 instead of (67) and (68).",
    argument="repaired",
)
def largest_singular_value(g: Goal) -> None:
    """See the part `limit-values` of lemma-22-w12."""
    bound_of_the_limit(g, 1)


@holds(
    f"{PAPER}.lemma-25-sigma2",
    claim(f"ex X:M(2,2). {CONVERGES} and {LOWER} <= sv(X,2)"),
    uses=USES,
    reading="The limit is asserted to exist.",
    reason="Proved from det >= w*^2 and the bound of the largest singular value.",
    argument="repaired",
)
def smallest_singular_value(g: Goal) -> None:
    """See the part `limit-values` of lemma-22-w12."""
    bound_of_the_limit(g, 2)


RATIO = "tr(T(X) @ X)/spec(X)^2"
BOUND = "1 + exp(-8*v/w)"


def stable_rank(g: Goal, k: list[str], bound: bool = True) -> tuple[str, str]:
    """For the limit X with k = its properties: the ratio is 1 + s2^2/s1^2, and this is at least the bound."""
    spec = g.fact("spec_is_sv", "2", "2", "X")
    _, total = g.split_all(g.fact("sv_2x2", "X"))
    g.have("w != 0")
    g.have("0 < spec(X)", lambda g: g.pos(["@" + k[3]], eqs=[(spec, "1")]))
    same = g.have(f"{RATIO} = 1 + sv(X,2)^2/sv(X,1)^2", lambda g: g.field((total, "-1/sv(X,1)^2"), rw=[spec]))
    low = g.have(f"{LOWER}*sv(X,1) <= sv(X,2)*{UPPER}", lambda g: g.pos([LOWER, "@" + k[1]], [UPPER, "@" + k[2]]))
    # s2/s1 >= e^(-4 v/w)
    root = g.have("exp(-(4*v/w))*sv(X,1) <= sv(X,2)", lambda g: g.pos(["@" + low], mul=[UPPER]))
    g.have("0 < sv(X,2)", lambda g: g.pos([LOWER], ["@" + k[2]]))
    final = g.have(
        "1 + exp(-8*v/w) <= 1 + sv(X,2)^2/sv(X,1)^2",
        lambda g: g.pos(["@" + root, "sv(X,2)"], ["@" + root, "exp(-(4*v/w))", "sv(X,1)"], mul=["sv(X,1)^2"]),
    )
    return same, final


@holds(
    f"{PAPER}.proof-step-stable-rank-2x2",
    claim(f"ex X:M(2,2). {CONVERGES} and {RATIO} = 1 + sv(X,2)^2/sv(X,1)^2 and {BOUND} <= 1 + sv(X,2)^2/sv(X,1)^2"),
    uses=USES,
    argument="sound",
)
def stable_rank_by_singular_values(g: Goal) -> None:
    """s2/s1 >= e^(-4 w12*/w*) by Lemma 25."""
    k = limit_values(g, g.intro())
    same, final = stable_rank(g, k)
    g.witness("X")
    g.conj(lambda g: g.close_by(k[0]), lambda g: g.close_by(same), lambda g: g.close_by(final))


@holds(
    f"{PAPER}.theorem-6-stable-rank",
    claim(f"ex X:M(2,2). {CONVERGES} and {BOUND} <= {RATIO}"),
    uses=USES,
    reading="The limit is asserted to exist.",
)
def theorem_stable_rank(g: Goal) -> None:
    """s2/s1 >= e^(-4 w12*/w*) by Lemma 25."""
    k = limit_values(g, g.intro())
    same, final = stable_rank(g, k)
    g.witness("X")
    g.conj(lambda g: g.close_by(k[0]), lambda g: g.pos(["@" + final], eqs=[(same, "1")]))


INTEGRAL = "F(0) = 0 => (all t:R. 0 <= t => F'(t) = exp(-w*t)) => "


@holds(
    f"{PAPER}.proof-step-sigma2-integral",
    claim(
        f"""{INTEGRAL}sv({product("0")}, 1) = w and sv({product("0")}, 2) = w and
      (all t:R. 0 <= t => w*exp(-2*v*F(t)) <= sv({product("t")}, 2) and w*exp(-2*v*F(t)) = w*exp(-(2*v/w*(1 - exp(-w*t))))) and
      ex X:M(2,2). {CONVERGES} and w*exp(-(2*v/w)) <= sv(X,2) and sv(X,1) <= w*exp(2*v/w)""",
        ", F:R~>R",
    ),
    uses=USES,
    argument="sound",
    reading="F(t) is the integral of e^(-w* s) over [T_1, t], T_1 = 0.",
)
def bound_evaluated(g: Goal) -> None:
    """F = (1 - e^(-w* t))/w*; the rest is Lemma 25."""
    hs = g.intro()
    start, rate = hs[5], hs[6]
    values = of_flow(g, hs, "lemma-22-w12", "part:values")
    g.by_fact("sqrt_sq", "w")
    at0 = g.split_all(g.apply(values, "0"))
    g.have("w != 0")

    def flat(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        g.field((g.apply(rate, x), "1"))

    const = g.by_fact("constant", "0", "lam t:R. F(t) - (1 - exp(-w*t))/w", by=[None, flat])
    spread = of_flow(g, hs, "lemma-22-w12", "part:spread-along")

    def initial(g: Goal, h: str) -> None:
        g.rewrite(h)
        g.rewrite(hs[2])
        g.rewrite(hs[3])
        g.field()

    def along(g: Goal) -> None:
        g.intro()
        c = g.apply(const, "t")
        f = g.have("F(t) = (1 - exp(-w*t))/w", lambda g: g.field((c, "1"), (start, "1")))
        same = g.have("w*exp(-2*v*F(t)) = w*exp(-(2*v/w*(1 - exp(-w*t))))", lambda g: (g.rewrite(f), g.field()))
        _, low = g.split_all(g.apply(spread, "t"))
        g.conj(lambda g: g.pos(["@" + low], eqs=[(same, "-1")]), lambda g: g.close_by(same))

    k = limit_values(g, hs)

    def limit(g: Goal) -> None:
        g.witness("X")
        g.conj(lambda g: g.close_by(k[0]), lambda g: g.close_by(k[2]), lambda g: g.close_by(k[1]))

    g.conj(lambda g: initial(g, at0[0]), lambda g: initial(g, at0[1]), along, limit)


def by_rank(g: Goal, r: str) -> None:
    """Close z = w^2/v by rank 1."""
    full = g.fact("rank_full", "2", "[[w, v], [z, w]]")
    _, back = g.split(g.apply(full))

    def singular(g: Goal) -> None:
        g.contra()
        two = g.apply(back)
        g.pos(["1"], eqs=[(two, "1"), (r, "-1")])

    det = g.have("det([[w, v], [z, w]]) = 0", singular)
    g.field((det, "-1/v"))


@holds(
    f"{PAPER}.proof-step-limit-values",
    claim(f"""ex X:M(2,2). {CONVERGES} and X[1,1] = w and X[2,2] = w and X[1,2] = v and X[2,1] <= 0 and 0 < w^2/v and
      (all z:R. rank([[w, v], [z, w]]) = 1 => z = w^2/v and 0 < (X[2,1] - z)^2/2)"""),
    uses=USES,
    argument="sound",
    reading="z is the unobserved entry of a ground truth of rank 1; the test loss is the loss on it.",
)
def values_at_convergence(g: Goal) -> None:
    """The limit has the observed values and a negative entry (2,1), the ground truth of rank 1 a positive one."""
    k = limit_values(g, g.intro())
    g.witness("X")

    def truth(g: Goal) -> None:
        r = g.intro()[0]
        z = g.have("z = w^2/v", lambda g: by_rank(g, r))
        p = g.have("0 < z", lambda g: g.pos(["w^2/v"], eqs=[(z, "1")]))
        g.conj(
            lambda g: g.close_by(z),
            lambda g: g.pos(["1/2", "@" + p, "@" + p], ["@" + p, "@" + k[7]], ["1/2", "@" + k[7], "@" + k[7]]),
        )

    g.conj(
        lambda g: g.close_by(k[0]),
        lambda g: g.close_by(k[4]),
        lambda g: g.close_by(k[5]),
        lambda g: g.close_by(k[6]),
        lambda g: g.pos(["@" + k[7]]),
        None,
        truth,
    )
