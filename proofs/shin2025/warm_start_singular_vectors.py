"""Appendix G.2.2: the motion of the singular values, (67), (68), and the bound of the driving term."""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import (
    PAPER,
    claim,
    enter,
    entries,
    loss,
    of_flow,
    of_reduced,
    product,
    rates,
)
from proofs.shin2025.warm_start_loss import USES, G
from verify.kernel import Goal
from verify.registry import holds, part

ROW1, ROW2, CROSS, SIZE = "(p^2 + q^2)", "(r^2 + s^2)", "(p*r + q*s)", "(p^2 + q^2 + r^2 + s^2)"
D, C = f"({ROW1} - {ROW2})", "(p*q + r*s)"


@part(
    f"{PAPER}.eq-67",
    "vectors",
    f"""all p q r s k e a b c d:R. e^2 = 1 => p^2 + r^2 = q^2 + s^2 => 0 < {C} => 0 < {SIZE} => k = {SIZE}/2 + e*{C} =>
      (p*s + q*r)*c + 2*p*q*d = k*a => 2*r*s*c + (p*s + q*r)*d = k*b =>
      (p*s + q*r)*a + 2*r*s*b = k*c => 2*p*q*a + (p*s + q*r)*b = k*d => a^2 + b^2 = 1 =>
      2*{C}*a*b = e*{CROSS} and 2*(2*p*q*a^2 + (p*s + q*r)*a*b) = 2*p*q + e*{ROW1}""",
    says="Unit singular vectors (a, b) and (c, d) for the singular value k = |A|^2/2 + e (w12 + w21)/2, e = +-1, of the product.",
)
def left_singular_vectors(g: Goal) -> None:
    """(a, b) is an eigenvector of (A A^T)^2 = W W^T for k^2; so the products a b and a^2 - b^2 are known."""
    e2, balance, _c, _n, k, h1, h2, h3, h4, unit = g.intro()
    first = g.have(
        f"({ROW1}^2 + {CROSS}^2)*a + {CROSS}*{SIZE}*b = k^2*a",
        lambda g: g.field((h3, "p*s + q*r"), (h4, "2*p*q"), (h1, "k"), (balance, "(p^2 - q^2)*a + (p*r - q*s)*b")),
    )
    second = g.have(
        f"{CROSS}*{SIZE}*a + ({CROSS}^2 + {ROW2}^2)*b = k^2*b",
        lambda g: g.field((h3, "2*r*s"), (h4, "p*s + q*r"), (h2, "k"), (balance, "(r^2 - s^2)*b + (p*r - q*s)*a")),
    )
    cross = g.have(f"{D}*a*b = {CROSS}*(a^2 - b^2)", lambda g: g.field((first, f"b/{SIZE}"), (second, f"-a/{SIZE}")))
    c2 = g.have(f"{C}^2 = {D}^2/4 + {CROSS}^2", lambda g: g.field((balance, "-(p^2 + r^2 - q^2 - s^2)/4")))
    level = g.have(
        f"{D}*(a^2 - b^2)/2 + 2*{CROSS}*a*b = e*{C}",
        lambda g: g.field(
            (first, f"a/{SIZE}"),
            (second, f"b/{SIZE}"),
            (k, f"(k + {SIZE}/2 + e*{C})/{SIZE}"),
            (unit, f"(k^2 - {ROW1}^2/2 - {ROW2}^2/2 - {CROSS}^2)/{SIZE}"),
            (c2, f"1/{SIZE}"),
            (e2, f"{C}^2/{SIZE}"),
        ),
    )
    ab = g.have(f"2*{C}*a*b = e*{CROSS}", lambda g: g.field((level, f"{CROSS}/{C}"), (cross, f"{D}/(2*{C})"), (c2, f"2*a*b/{C}")))
    diff = g.have(
        f"2*{C}*(a^2 - b^2) = e*{D}",
        lambda g: g.field((level, f"{D}/{C}"), (cross, f"-2*{CROSS}/{C}"), (c2, f"2*(a^2 - b^2)/{C}")),
    )
    g.conj(lambda g: g.close_by(ab), lambda g: g.field((unit, "2*p*q"), (diff, f"2*p*q/(2*{C})"), (ab, f"2*(p*s + q*r)/(2*{C})")))


PAIRING = f"tr(T({G}) @ (x(t) @ T(y(t))))"
VECTORS = f"""(all t:R. a <= t and t <= b => tr(T(x(t)) @ x(t)) = 1 and tr(T(y(t)) @ y(t)) = 1 and
   {product("t")} @ y(t) = sv({product("t")}, i)*x(t) and T({product("t")}) @ x(t) = sv({product("t")}, i)*y(t) and
   (a < t => F'(t) = {PAIRING}))"""


def sizes(g: Goal, red: list[str], ent: str, t: str) -> tuple[list[str], list[str], list[str]]:
    """At a time > 0: the equations into p, q, r, s, the bounds and the strict signs."""
    g.have(f"0 <= {t}")
    b = g.split_all(g.apply(of_reduced(g, red, "bounds"), t))
    return entries(g, ent, t) + rates(g, red[6], t), b, g.split_all(g.apply(of_reduced(g, red, "signs"), t))


def value(i: int, t: str) -> str:
    """The singular value of the product in terms of p, q, r, s."""
    sign = "+" if i == 1 else "-"
    return f"((p({t})^2 + q({t})^2 + r({t})^2 + s({t})^2)/2 {sign} (p({t})*q({t}) + r({t})*s({t})))"


def explicit(g: Goal, values: str, ent: str, i: int, t: str) -> str:
    """The singular value number i at time t as `value`."""
    k = g.split_all(g.apply(values, t))[i - 1]
    return g.have(f"sv({product(t)}, {i}) = {value(i, t)}", lambda g: g.field((k, 1), rw=entries(g, ent, t)))


def for_both(g: Goal, h: str, script) -> None:  # type: ignore[no-untyped-def]
    """Go through i = 1 and i = 2 (h says so)."""
    g.cases(h, lambda g: script(g, list(g.seq.hyps)[-1], 1), lambda g: script(g, list(g.seq.hyps)[-1], 2))


@holds(
    f"{PAPER}.eq-67",
    claim(
        f"""0 <= a => a <= b => (i = 1 or i = 2) => {VECTORS} =>
      sv({product("b")}, i) = sv({product("a")}, i)*exp(-2*(F(b) - F(a)))""",
        ", a b:R, i:Z, x y:R->V(2), F:R~>R",
    ),
    uses=USES,
    argument="repaired",
    reading=(
        "a, b stand for s, t; x, y are unit left and right singular vectors for sigma_i at every time of [s, "
        "t] (they need not be continuous; at s = T_1, where every unit vector is one, they are arbitrary), and "
        "F(b) - F(a) is the integral of <grad, x y^T>: F has this derivative for s < t' <= t, which the "
        "value at s does not affect."
    ),
    reason="At T_1 both singular values coincide and a singular vector need not continue; for t > T_1 they are distinct.",
)
def motion_of_the_singular_values(g: Goal) -> None:
    """sigma_i = |A|^2/2 +- (w12 + w21)/2 is smooth, and its slope is -2 sigma_i <grad, x y^T> for t > T_1: the singular
    vectors are
    known up to sign. So sigma_i e^(2F) is constant."""
    hs, red, ent = enter(g)
    _start, _order, which, vectors = hs[5:9]
    values = of_flow(g, hs, "lemma-22-w12", "part:values")
    lemma = g.lemma(f"{PAPER}.eq-67", "part:vectors")

    def case(g: Goal, h: str, i: int) -> None:
        g.have("0 <= b")
        e = "1" if i == 1 else "-1"

        def flat(g: Goal) -> None:
            (t,) = g.fix("t")
            g.split_all(g.assume())
            g.have(f"0 < {t}")
            eqs, b, signs = sizes(g, red, ent, t)
            x1, _x2, wy, wx, rate = g.split_all(g.apply(vectors, t))
            rate = g.apply(rate)
            now = explicit(g, values, ent, i, t)
            kk = g.have(f"sv({product(t)}, i) = {value(i, t)}", lambda g: (g.rewrite(h), g.close_by(now)))
            k = value(i, t)
            known = []
            for m, z, y in ((wy, "y", "x"), (wx, "x", "y")):
                for j in (1, 2):
                    left = ("entry", g.hyp_formula(m)[1], j, 1)
                    right = ("entry", g.hyp_formula(m)[2], j, 1)
                    raw = g.have(("=", left, right), lambda g, m=m: (g.rewrite(m), g.refl()))
                    w = [
                        [f"(p({t})*s({t}) + q({t})*r({t}))", f"2*p({t})*q({t})"],
                        [f"2*r({t})*s({t})", f"(p({t})*s({t}) + q({t})*r({t}))"],
                    ]
                    row = w[j - 1] if m == wy else [w[0][j - 1], w[1][j - 1]]
                    known.append(
                        g.have(
                            f"{row[0]}*{z}({t})[1,1] + {row[1]}*{z}({t})[2,1] = {k}*{y}({t})[{j},1]",
                            lambda g, raw=raw: g.field((raw, 1), rw=[*eqs, kk]),
                        )
                    )
            n = g.fact("frobenius_entries", "2", "1", f"x({t})")
            unit = g.have(f"x({t})[1,1]^2 + x({t})[2,1]^2 = 1", lambda g: g.field((x1, 1), (n, -1)))
            p, q, r, s = (f"{c}({t})" for c in "pqrs")
            w11 = g.have(f"0 < {p}*{s} + {q}*{r}", lambda g: g.pos(["w"], ["@" + signs[0]]))
            size = g.have(
                f"0 < {p}^2 + {q}^2 + {r}^2 + {s}^2", lambda g: g.pos(["@" + b[8], "@" + b[8]], [f"{p}^2 + {q}^2 + {r}^2"])
            )
            sm = g.have(
                f"0 < {p}*{q} + {r}*{s}", lambda g: g.pos(["@" + size, "@" + signs[2]], mul=["2", "@" + w11], eqs=[(b[12], 1)])
            )
            out = g.apply(
                lemma,
                p,
                q,
                r,
                s,
                k,
                e,
                f"x({t})[1,1]",
                f"x({t})[2,1]",
                f"y({t})[1,1]",
                f"y({t})[2,1]",
                by=[
                    None,
                    lambda g: g.close_by(b[0]),
                    lambda g: g.close_by(sm),
                    lambda g: g.close_by(size),
                    None,
                    *[lambda g, z=z: g.close_by(z) for z in known],
                    lambda g: g.close_by(unit),
                ],
            )
            ab, aa = g.split_all(out)
            res, f = f"({p}*{s} + {q}*{r} - w)", f"(v - 2*{p}*{q})"
            a1, a2 = f"x({t})[1,1]", f"x({t})[2,1]"
            drive = g.have(
                f"2*{k}*F'({t}) = 2*{res}*({p}*{s} + {q}*{r}) + {e}*2*{res}*({p}*{r} + {q}*{s}) - {f}*(2*{p}*{q} + "
                f"{e}*({p}^2 + {q}^2))",
                lambda g: g.field(
                    (rate, f"2*{k}"),
                    (known[2], f"-2*{res}*{a1}"),
                    (known[3], f"-2*({res}*{a2} - {f}*{a1})"),
                    (unit, f"2*{res}*({p}*{s} + {q}*{r})"),
                    (ab, f"2*{res}"),
                    (aa, f"-{f}"),
                    rw=eqs,
                ),
            )
            g.field((drive, f"exp(2*F({t}))"), rw=eqs)

        const = g.by_fact("mean_value_eq", "a", "b", f"lam t:R. {value(i, 't')}*exp(2*F(t))", by=[None, flat])
        sa, sb = explicit(g, values, ent, i, "a"), explicit(g, values, ent, i, "b")
        g.rewrite(h)
        g.rewrite(sa)
        g.rewrite(sb)
        g.field((const, "exp(-2*F(b))"))

    for_both(g, which, case)


OUTER = "(x @ T(y))"
INNER_X = f"tr(T({G}) @ {OUTER})"
FRO_G, FRO_X = f"tr(T({G}) @ {G})", f"tr(T({OUTER}) @ {OUTER})"


@holds(
    f"{PAPER}.proof-step-cs",
    claim(f"""all t:R, x y:V(2). 0 <= t => tr(T(x) @ x) = 1 => tr(T(y) @ y) = 1 =>
      abs({INNER_X}) <= sqrt({FRO_G})*sqrt({FRO_X}) and sqrt({FRO_G})*sqrt({FRO_X}) = sqrt({FRO_G}) and sqrt({FRO_G}) =
      sqrt(2*{loss("t")})"""),
    argument="sound",
    reading="x, y are the unit singular vectors; any unit vectors do.",
)
def bound_of_the_driving_term(g: Goal) -> None:
    """Cauchy-Schwarz for the Frobenius inner product; |x y^T|_F = |x| |y| = 1; |G|_F^2 is twice the loss."""
    hs = g.intro()
    x1, y1 = hs[6], hs[7]
    one = g.have(f"{FRO_X} = 1", lambda g: outer(g, x1, y1))
    cauchy = g.fact("frobenius_cauchy", "2", "2", G, OUTER)
    size = g.have(f"{FRO_G} = 2*{loss('t')}", lambda g: g.field())
    g.have(f"{INNER_X}^2 <= {FRO_G}", lambda g: g.pos(["@" + cauchy], eqs=[(one, f"-{FRO_G}")]))
    root = g.by_fact("sqrt_mono", f"{INNER_X}^2", FRO_G)
    square = g.fact("sqrt_of_square", INNER_X)
    unit = g.by_fact("sqrt_unique", FRO_X, "1", by=[None, lambda g: g.field((one, -1))])
    second = g.have(f"sqrt({FRO_G})*sqrt({FRO_X}) = sqrt({FRO_G})", lambda g: g.field((unit, f"sqrt({FRO_G})")))
    g.conj(
        lambda g: g.pos(["@" + root], eqs=[(square, 1), (second, 1)]),
        lambda g: g.close_by(second),
        lambda g: g.ctx(lambda g: g.close_by(size)),
    )


def outer(g: Goal, x1: str, y1: str) -> None:
    """Close |x y^T|_F^2 = 1 for unit vectors."""
    nx, ny = g.fact("frobenius_entries", "2", "1", "x"), g.fact("frobenius_entries", "2", "1", "y")
    n = g.fact("frobenius_entries", "2", "2", OUTER)
    sx = g.have("x[1,1]^2 + x[2,1]^2 = 1", lambda g: g.field((x1, 1), (nx, -1)))
    sy = g.have("y[1,1]^2 + y[2,1]^2 = 1", lambda g: g.field((y1, 1), (ny, -1)))
    g.field((n, 1), (sx, "y[1,1]^2 + y[2,1]^2"), (sy, 1))


RATE = "2*sqrt(2)*(F(b) - F(a))"


@holds(
    f"{PAPER}.eq-68",
    claim(
        f"""0 <= a => a <= b => (i = 1 or i = 2) => (all t:R. a <= t and t <= b => F'(t) = sqrt({loss("t")})) =>
      sv({product("a")}, i)*exp(-{RATE}) <= sv({product("b")}, i) and sv({product("b")}, i) <= sv({product("a")},
      i)*exp({RATE})""",
        ", a b:R, i:Z, F:R~>R",
    ),
    uses=USES,
    argument="repaired",
    reading="a, b stand for s, t; F is an antiderivative of the square root of the loss.",
    reason="Proved without singular vectors from sigma_i = |A|^2/2 +- (w12 + w21)/2.",
)
def two_sided_bound(g: Goal) -> None:
    """With U = a11 +- a12, V = a21 +- a22 the value is (U^2 + V^2)/2 and its slope +-(f U^2 - 2 x U V), whose square is at most
    2 loss (U^2 + V^2)^2."""
    hs, red, ent = enter(g)
    which, rate = hs[7], hs[8]
    values = of_flow(g, hs, "lemma-22-w12", "part:values")

    def case(g: Goal, h: str, i: int) -> None:
        g.have("0 <= b")
        sign = "+" if i == 1 else "-"

        def slope(g: Goal, up: bool) -> None:
            (t,) = g.fix("t")
            g.split_all(g.assume())
            g.have(f"0 <= {t}")
            e = entries(g, ent, t) + rates(g, red[6], t)
            p, q, r, s = (f"{c}({t})" for c in "pqrs")
            x, f = f"({p}*{s} + {q}*{r} - w)", f"(v - 2*{p}*{q})"

            def root(g: Goal) -> None:
                """k = sqrt(2 loss)."""
                zero = g.have(
                    f"0 <= {loss(t)}",
                    lambda g: g.pos(
                        [f"({product(t)}[1,1] - w)^2/2"], [f"({product(t)}[1,2] - v)^2/2"], [f"({product(t)}[2,2] - w)^2/2"]
                    ),
                )

                def facts(g: Goal) -> None:
                    k = g.apply(rate, t)
                    sq, nn = g.by_fact("sqrt_sq", loss(t)), g.by_fact("sqrt_nonneg", loss(t))
                    g.rewrite(k)
                    g.conj(lambda g: g.close_by(sq), lambda g: g.close_by(nn))

                sq, nn = g.split(g.have(f"F'({t})^2 = {loss(t)} and 0 <= F'({t})", facts))
                g.clear(zero)
                g.witness(f"sqrt(2)*F'({t})")
                g.conj(lambda g: g.pos(["sqrt(2)", "@" + nn]), lambda g: g.field((sq, "2"), rw=e), lambda g: g.refl())

            nonneg, sq, kk = g.obtain(g.have(f"ex k:R. 0 <= k and k^2 = 2*{x}^2 + {f}^2 and sqrt(2)*F'({t}) = k", root), "k")
            u, w_ = f"({p} {sign} {q})", f"({r} {sign} {s})"
            size = f"(k*({u}^2 + {w_}^2))"
            move = f"({f}*{u}^2 - 2*{x}*{u}*{w_})"
            big = g.have(f"0 <= {size}", lambda g: g.pos(["@" + nonneg, f"{u}^2 + {w_}^2"]))
            gap = g.have(
                f"{move}^2 <= {size}^2",
                lambda g: g.pos(
                    ["2", f"({f}*{u}*{w_} + {x}*{u}^2)^2"], [f"2*{x}^2 + {f}^2", f"{w_}^4"], eqs=[(sq, f"({u}^2 + {w_}^2)^2")]
                ),
            )

            def below(g: Goal, m: str) -> None:
                n = "@" + g.contra()
                g.pos([n, n], ["2", n, "@" + big], ["@" + gap])

            lo = g.have(f"0 <= {size} + {move}", lambda g: below(g, move))
            hi = g.have(f"0 <= {size} - {move}", lambda g: below(g, move))
            good = {(True, 1): lo, (True, 2): hi, (False, 1): hi, (False, 2): lo}[up, i]
            g.pos(
                ["@" + good, f"exp({'' if up else '-'}2*sqrt(2)*F({t}))"],
                eqs=[(kk, f"{'' if up else '-'}2*{value(i, t)}*exp({'' if up else '-'}2*sqrt(2)*F({t}))*{'1' if up else '-1'}")],
                rw=e,
            )

        sa, sb = (explicit(g, values, ent, i, c) for c in "ab")
        rising = g.by_fact(
            "mean_value_le", "a", "b", f"lam t:R. {value(i, 't')}*exp(2*sqrt(2)*F(t))", by=[None, lambda g: slope(g, True)]
        )
        falling = g.by_fact(
            "mean_value_le", "a", "b", f"lam t:R. -({value(i, 't')}*exp(-2*sqrt(2)*F(t)))", by=[None, lambda g: slope(g, False)]
        )
        g.rewrite(h)
        g.rewrite(sa)
        g.rewrite(sb)
        g.conj(lambda g: g.pos(["@" + rising, "exp(-2*sqrt(2)*F(b))"]), lambda g: g.pos(["@" + falling, "exp(2*sqrt(2)*F(b))"]))

    for_both(g, which, case)
