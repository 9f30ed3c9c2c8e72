"""Theorem 4 when only the product of the factors is scaled: the flow of a pair of which one factor stays large, and its limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from proofs.bai2024.components import CLAIM
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

END = "sqrt(((1 - al^2) + sqrt((1 - al^2)^2 + 4*mu^2))/2)"
"""The limit of the large factor for the target mu from the start (1, al)."""
PAIR = """p(0) = 1 and q(0) = al and
  (all t:R. 0 <= t => p'(t) = c*(mu - p(t)*q(t))*q(t) and q'(t) = c*(mu - p(t)*q(t))*p(t))"""


@part(
    CLAIM,
    "unbalanced-pair",
    f"""all mu c al:R. 0 < mu => 0 < c => 0 < al => al <= 1/2 => ex p q:R~>R. {PAIR} and tends(t, p(t), {END}) and
       tends(t, q(t), mu/{END})""",
    says="the flow of a pair of factors from (1, alpha) exists and converges to a pair with the product mu and the same p^2 - q^2",
)
def pair_from_a_large_and_a_small_factor(g: Goal) -> None:
    """p^2 - q^2 is conserved, so p^2 >= 3/4 and p q tends to mu exponentially; p is a function of p q."""
    g.fix()
    for name in ("target", "rate", "positive", "small"):
        g.assume(name)
    flow = g.obtain(g.fact("two_layer_flow", 1, 1, 1, "[[1]]", "[[al]]", "[[sqrt(c)]]", "[[mu]]"), "A", "B")
    root = g.by_fact("sqrt_sq", "c")
    g.obtain(g.have(f"ex p q:R~>R. {PAIR}", lambda g: scalars(g, flow, root)), "p", "q", split=False, name="pair")
    p0, q0, laws = g.split("pair")

    def rates(g: Goal, t: str) -> list[str]:
        return g.split(g.apply(laws, t))

    def still(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.field(rw=rates(g, "t"))

    kept = g.by_fact("constant", 0, "lam t:R. p(t)^2 - q(t)^2", by=[None, still])
    gap = g.have("all t:R. 0 <= t => p(t)^2 - q(t)^2 = 1 - al^2", lambda g: conserved(g, kept, p0, q0))
    g.have("0 < 1 - al^2", lambda g: g.pos(["1/2 - al", "1/2 + al"], ["3/4"], side={"0 <= 1/2 - al": None}))
    g.have("3/4 <= 1 - al^2", lambda g: g.pos(["1/2 - al", "1/2 + al"], side={"0 <= 1/2 - al": None}), name="quarter")

    def sign(g: Goal) -> None:
        g.fix("t")
        g.assume()
        n = g.contra()
        start = g.have("0 < p(0)", lambda g: (g.rewrite(p0), g.pos(["1"]))[-1])
        e = g.by_fact(
            "first_exit", 0, "t", "lam t:R. p(t)", by=[None, None, lambda g: g.close_by(start), lambda g: g.close_by(n)]
        )
        hs = g.obtain(e, "e")
        g.have("0 <= e", lambda g: g.pos([f"@{hs[0]}"]))
        k = g.apply(gap, "e")
        g.pos(["q(e)^2"], ["1 - al^2"], eqs=[(hs[2], "-p(e)"), (k, 1)])

    large = g.have("all t:R. 0 <= t => 0 < p(t)", sign)
    error = "(p(t)*q(t) - mu)^2"

    g.obtain(g.have("ex r:R. r = 3/4*c", lambda g: (g.witness("3/4*c"), g.refl())[-1]), "r", split=False, name="r_is")
    g.have("0 < r", lambda g: g.pos(["3/4*c"], eqs=[("r_is", 1)]))

    def decay(g: Goal) -> None:
        g.fix("t")
        g.assume()
        k = g.apply(gap, "t")
        g.pos(
            ["2*c", error, "2*q(t)^2"],
            ["2*c", error, "@quarter"],
            rw=rates(g, "t"),
            eqs=[(k, f"2*c*{error}"), ("r_is", f"-2*{error}")],
        )

    law = g.by_fact("gronwall", 0, f"lam t:R. {error}", "lam t:R. -2*r*t", by=[None, decay])
    size = "(1 + mu)"

    def close(g: Goal) -> None:
        g.fix("t")
        g.assume()
        m = g.apply(law, "t")
        unit = g.have("exp(-2*r*t - -2*r*0) = exp(-r*t)^2", lambda g: g.field())
        first = g.have("(p(0)*q(0) - mu)^2 <= (1 + mu)^2", lambda g: (g.rewrite(p0), g.rewrite(q0), start_error(g))[-1])
        e = "exp(-r*t)"
        bound = g.have(
            f"{error} <= ({size}*{e})^2", lambda g: g.pos([f"@{m}"], [f"@{first}", f"{e}^2"], eqs=[(unit, "-(p(0)*q(0) - mu)^2")])
        )
        value = f"({size}*{e})"

        def side(sign_: int) -> Script:
            def script(g: Goal) -> None:
                n = g.contra()
                g.pos([f"@{n}", f"@{n}"], [f"@{n}", f"2*{value}"], [f"@{bound}"])

            return script

        g.conj(side(-1), side(1))

    both = g.have(f"all t:R. 0 <= t => -1*({size}*exp(-r*t)) <= p(t)*q(t) - mu and p(t)*q(t) - mu <= {size}*exp(-r*t)", close)
    zero = g.by_fact("tends_exp_decay", "r")
    up = g.apply(g.fact("tends_scale", size, "0", "lam t:R. exp(-r*t)"), by=[lambda g: g.close_by(zero)])
    up = g.have(f"tends(t, {size}*exp(-r*t), 0)", lambda g: g.exact(up))
    low = g.apply(g.fact("tends_scale", "-1", "0", f"lam t:R. {size}*exp(-r*t)"), by=[lambda g: g.close_by(up)])
    low = g.have(f"tends(t, -1*({size}*exp(-r*t)), 0)", lambda g: g.exact(low))
    gone = g.by_fact(
        "tends_squeeze",
        0,
        0,
        f"lam t:R. -1*({size}*exp(-r*t))",
        "lam t:R. p(t)*q(t) - mu",
        f"lam t:R. {size}*exp(-r*t)",
        by=[lambda g: g.close_by(both), lambda g: g.close_by(low), lambda g: g.close_by(up)],
    )
    end = "sqrt(((1 - al^2) + sqrt((1 - al^2)^2 + 4*(x + mu)^2))/2)"
    inner = g.have("0 < (1 - al^2)^2 + 4*(0 + mu)^2", lambda g: g.pos(["(1 - al^2)^2"], ["4*mu^2"]))
    g.have("0 < sqrt((1 - al^2)^2 + 4*(0 + mu)^2)", lambda g: positive_root(g, inner))
    limit = g.by_fact(
        "tends_compose", 0, "lam t:R. p(t)*q(t) - mu", f"lam x:R. {end}", by=[lambda g: g.close_by(gone), Goal.auto]
    )

    def value(g: Goal) -> None:
        g.fix("t")
        g.assume()
        k, pos_ = g.apply(gap, "t"), g.apply(large, "t")
        whole = g.concl[1]
        under = whole[1]
        radicand = next(x[1] for x in parts(under) if x[0] == "sqrt")
        s = g.by_fact(
            "sqrt_unique", radicand, "p(t)^2 + q(t)^2", by=[None, lambda g: g.field((k, "p(t)^2 - q(t)^2 + (1 - al^2)"))]
        )
        inside = g.have(("=", under, g.term("p(t)^2")), lambda g: g.field((s, "1/2"), (k, "-1/2")))
        g.rewrite(inside)
        g.close_by(g.by_fact("sqrt_unique", "p(t)^2", "p(t)", by=[lambda g: g.pos([f"@{pos_}"]), None]))

    _, v, body, bound_end = g.hyp_formula(limit)
    limit = g.by_fact(
        "tends_ext", 0, bound_end, ("lam", ((v, "R"),), body), "lam t:R. p(t)", by=[value, lambda g: g.close_by(limit)]
    )
    first = g.have(f"tends(t, p(t), {END})", lambda g: g.exact(limit, by=[lambda g: simpler(g)]))
    const = g.fact("tends_const", "mu")
    whole = g.apply(
        g.fact("tends_add", "0", "mu", "lam t:R. p(t)*q(t) - mu", "lam t:R. mu"),
        by=[lambda g: g.close_by(gone), lambda g: g.close_by(const)],
    )
    g.have(f"0 < {END}", lambda g: end_is_positive(g))
    _, v, top, top_end = g.hyp_formula(whole)
    ratio = g.apply(
        g.fact("tends_div", top_end, END, ("lam", ((v, "R"),), top), "lam t:R. p(t)"),
        by=[lambda g: g.close_by(whole), lambda g: g.close_by(first), Goal.condition],
    )
    _, v, body, ratio_end = g.hyp_formula(ratio)

    def quotient(g: Goal) -> None:
        g.fix("t")
        g.assume()
        g.apply(large, "t")
        g.field()

    second = g.by_fact(
        "tends_ext", 0, ratio_end, ("lam", ((v, "R"),), body), "lam t:R. q(t)", by=[quotient, lambda g: g.close_by(ratio)]
    )
    g.witness("p", "q")
    g.conj(
        lambda g: g.close_by(p0),
        lambda g: g.close_by(q0),
        lambda g: g.close_by(laws),
        lambda g: g.close_by(first),
        lambda g: g.exact(second, by=[lambda g: g.field()]),
    )


def parts(e: Any) -> Iterator[Any]:
    """The compound subterms of a term."""
    if isinstance(e, tuple):
        if e and isinstance(e[0], str):
            yield e
        for x in e[1:]:
            yield from parts(x)


def scalars(g: Goal, flow: list[str], root: str) -> None:
    """The entries of the 1 x 1 factors."""
    a0, b0, laws = flow
    g.witness("lam t:R. A(t)[1,1]", "lam t:R. B(t)[1,1]")

    def start(h: str) -> Script:
        return lambda g: (g.rewrite(h), g.field())[-1]

    def rates(g: Goal) -> None:
        g.fix("t")
        g.assume()
        known = []
        for h in g.split(g.apply(laws, "t")):
            _, left, right = g.hyp_formula(h)
            known.append(
                g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g, h=h: (g.rewrite(h), g.refl())[-1])
            )  # type: ignore[misc]
        a, b = "A(t)[1,1]", "B(t)[1,1]"
        g.conj(
            lambda g: g.field((known[0], 1), (root, f"(mu - {a}*{b})*{b}")),
            lambda g: g.field((known[1], 1), (root, f"(mu - {a}*{b})*{a}")),
        )

    g.conj(start(a0), start(b0), rates)


def conserved(g: Goal, kept: str, p0: str, q0: str) -> None:
    g.fix("t")
    g.assume()
    k = g.apply(kept, "t")
    g.field((k, 1), (p0, "p(0) + 1"), (q0, "-(q(0) + al)"))


def start_error(g: Goal) -> None:
    """(al - mu)^2 <= (1 + mu)^2 for 0 < al <= 1/2."""
    g.pos(["1 + al", "1 + 2*mu - al"], side={"0 <= 1 + 2*mu - al": None})


def positive_root(g: Goal, inner: str) -> None:
    e = g.hyp_formula(inner)[2]
    s = g.by_fact("sqrt_sq", e)
    low = g.by_fact("sqrt_nonneg", e)

    def zero(g: Goal) -> None:
        eq = last(g)
        g.contra()
        g.pos([f"@{inner}"], eqs=[(s, 1), (eq, ("sqrt", e))])

    g.cases(g.by_fact("lt_or_eq", 0, ("sqrt", e), by=[lambda g: g.close_by(low)]), lambda g: g.close_by(last(g)), zero)


def simpler(g: Goal) -> None:
    g.ctx(lambda g: g.field()) if g.concl[1][0] == "sqrt" else g.field()


def end_is_positive(g: Goal, mu: str = "mu", al: str = "al") -> None:
    """The limit of the large factor is positive (1 - al^2 > 0 is known or computed)."""
    mu = mu if mu == "mu" else f"({mu})"
    inner = g.have(f"0 < (1 - {al}^2)^2 + 4*{mu}^2", lambda g: g.pos([f"(1 - {al}^2)^2"], [f"4*{mu}^2"]))
    g.have(f"0 < sqrt((1 - {al}^2)^2 + 4*{mu}^2)", lambda g: positive_root(g, inner))
    outer = g.have(f"0 < ((1 - {al}^2) + sqrt((1 - {al}^2)^2 + 4*{mu}^2))/2")
    positive_root(g, outer)
