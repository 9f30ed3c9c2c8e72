"""Appendix C and Section 3.4: what the bounds of Theorem 2 become as the loss tends to zero, and as epsilon varies."""

from __future__ import annotations

from proofs.razin2020.corollary_1 import same_bounds
from proofs.razin2020.distance_from_rank_one import distance_value
from proofs.razin2020.factorisation import PADDING
from proofs.razin2020.perturbed_norms import CONSTANTS, M
from proofs.razin2020.perturbed_problem import NAMES, THEOREM_2, perturbed, perturbed_loss
from proofs.razin2020.perturbed_ranks import RANK, SX, at_least_one
from proofs.razin2020.perturbed_singular_values import LEAST, Z
from proofs.razin2020.problem import QUASI_NORM, distance, erank, infimum
from proofs.razin2020.quasi_norms import E11, E12, E21, E22, LARGEST, at_most_max, unit_is_positive
from proofs.razin2020.scripts import only, using
from proofs.razin2020.theorem_2 import hypothesis, sign_is_kept
from verify.kernel import Goal
from verify.registry import holds, part

E_L = "(abs(eps) + sqrt(2*l))"
QUASI = f"all N:M(2,2)->R, c:R. 1 <= c and {QUASI_NORM} =>"


@holds(
    "razin2020.assertion-finite-limits",
    f"""all N:M(2,2)->R, c a b:R. 1 <= c and {QUASI_NORM} => all z y eps:R. z != 0 => y != 0 => eps != 0 => {CONSTANTS}
       all e:R. 0 < e => ex r:R. 0 < r and all l:R. 0 <= l => l < r => abs((a*({Z}/{E_L}) - b) - (a*{Z}/abs(eps) - b)) <= e""",
    argument="sound",
    reading=f"the bound tends to a |z| |z'|/|eps| - b as l tends to 0; a, b are the constants of Theorem 2; {NAMES}",
)
def bound_has_a_finite_limit(g: Goal) -> None:
    """The two differ by a |z y| u/(|eps| (|eps| + u)) <= a |z y| u/eps^2, u = sqrt(2 l)."""
    one, nonneg, *_, a, _b, e = g.intro()
    n = hypothesis(g, "eps != 0")
    sign = g.apply(nonneg, E11)
    g.have("0 < c", lambda g: (only(g, one), g.pos([f"@{one}"], [1]))[-1])
    positive = g.have("0 <= a", lambda g: g.pos([f"@{sign}"], mul=["c"], eqs=[(a, "c")]))
    only(g, n, e, positive)
    s = f"(e*abs(eps)^2/(a*{Z} + 1))"
    g.have("0 < abs(eps)")
    g.have(f"0 < a*{Z} + 1", lambda g: g.pos([f"@{positive}", Z], [1]))
    g.witness(f"{s}^2/2")

    def near(g: Goal) -> None:
        low, small = g.intro()
        root, u = g.by_fact("sqrt_sq", "2*l"), g.by_fact("sqrt_nonneg", "2*l")

        def below(g: Goal) -> None:
            w = g.contra()
            only(g, w, small, root, u, e, n, positive)
            g.have("0 < abs(eps)")
            g.have(f"0 < a*{Z} + 1", lambda g: g.pos([f"@{positive}", Z], [1]))
            g.pos([f"@{w}", f"sqrt(2*l) + {s}"], [f"@{small}", 2], eqs=[(root, -1)])

        less = g.have(f"sqrt(2*l) < {s}", below)
        only(g, less, u, e, n, positive)
        g.have("0 < abs(eps)")
        total = g.have(f"0 < {E_L}", lambda g: g.pos(["abs(eps)"], [f"@{u}"]))
        p = g.have(f"0 < a*{Z} + 1", lambda g: g.pos([f"@{positive}", Z], [1]))
        gap = g.have(
            f"0 <= a*{Z}*sqrt(2*l)/(abs(eps)*{E_L})",
            lambda g: g.pos([f"@{positive}", Z, f"@{u}"], mul=["abs(eps)", E_L]),
        )
        top = g.have(f"a*{Z}*sqrt(2*l)/(abs(eps)*{E_L}) <= e", lambda g: bounded(g, less, u, p, positive, e))
        value = g.have(f"(a*({Z}/{E_L}) - b) - (a*{Z}/abs(eps) - b) = -(a*{Z}*sqrt(2*l)/(abs(eps)*{E_L}))", lambda g: g.field())
        g.rewrite(value)
        only(g, gap, top)
        q = f"a*{Z}*sqrt(2*l)/(abs(eps)*{E_L})"
        k = g.split(g.fact("abs_le", f"-({q})", "e"))[1]
        g.close_by(g.apply(k, by=[lambda g: g.conj(lambda g: g.pos([f"@{top}"]), lambda g: g.pos([f"@{gap}", 2], [f"@{top}"]))]))
        del total

    def bounded(g: Goal, less: str, u: str, p: str, positive: str, e: str) -> None:
        # a Z u <= e |eps| (|eps| + u), from u (a Z + 1) < e |eps|^2
        k = g.have(f"sqrt(2*l)*(a*{Z} + 1) <= e*abs(eps)^2", lambda g: g.pos([f"@{less}", f"a*{Z} + 1"]))
        only(g, k, u, e, positive, p, n)
        g.have("0 < abs(eps)")
        g.pos([f"@{k}"], [f"@{u}"], ["e", "abs(eps)", f"@{u}"], mul=["abs(eps)", E_L])

    g.conj(None, lambda g: (g.fix("l"), near(g))[-1])


LIMIT = "(a*{0}/abs({1}) - max(a*{0}/(abs({1}) + {2}), 8*c^2*max(max(abs(z), abs(y)), abs({1}))*{3}))"


def limit_bound(eps: str) -> str:
    """The limit of the bound (15) as the loss tends to 0."""
    return LIMIT.format(Z, eps, LEAST, LARGEST)


SMALLER_DIAGONAL = f"""all N:M(2,2)->R, c a:R. 1 <= c and {QUASI_NORM} => a = N({E11})/c => all z y p q:R. z != 0 => y != 0 => p != 0 => abs(p) < abs(q) =>
       {limit_bound("q")} < {limit_bound("p")} and
       1 + 16/{LEAST}*abs(p) < 1 + 16/{LEAST}*abs(q) and 4*abs(p) < 4*abs(q)"""


@holds(
    "razin2020.assertion-3-4-small-b22",
    SMALLER_DIAGONAL,
    argument="sound",
    reading="the limits of the bounds (15), (16), (17) for the loss tending to 0, at two observations b_22 = p and b_22 = q with |p| < |q|",
)
def smaller_diagonal_observation_gives_stronger_bounds(g: Goal) -> None:
    """a Z/e - max(a Z/(e + m), 8 c^2 M G) is the smaller one of a Z/e - a Z/(e + m) and a Z/e - 8 c^2 M G, which both decrease."""
    one, nonneg, zero, _, _, a, z, y, p, order = g.intro()
    g.have("0 < c", lambda g: (only(g, one), g.pos([f"@{one}"], [1]))[-1])
    unit = g.have(f"0 < N({E11})", lambda g: unit_is_positive(g, nonneg, zero))
    signs = g.apply(nonneg, E11)
    positive = g.have("0 < a", lambda g: g.pos([f"@{unit}"], mul=["c"], eqs=[(a, "c")]))
    w, v = at_most_max(g, f"N({E11})", f"N({E12})")
    e, _ = at_most_max(g, f"max(N({E11}), N({E12}))", f"max(N({E21}), N({E22}))")
    top = g.have(f"0 <= {LARGEST}", lambda g: (only(g, signs, w, e), g.pos([f"@{signs}"], [f"@{w}"], [f"@{e}"]))[-1])
    only(g, z, y, p, order, positive, top)
    g.have("0 < abs(z)")
    g.have("0 < abs(y)")
    low = g.have("0 < abs(p)")
    high = g.have("0 < abs(q)", lambda g: (only(g, low, order), g.pos([f"@{low}"], [f"@{order}"]))[-1])
    least = g.have(f"0 < {LEAST}")
    zy = g.have(f"0 < a*{Z}")

    def mono(g: Goal) -> None:
        only(g, order)
        a1, b1 = at_most_max(g, "max(abs(z), abs(y))", "abs(q)")

        def case(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            own = g.hyp_formula(eq)[2]
            g.pos([f"@{b1}"], [f"@{order}"], eqs=[(eq, -1)]) if own == g.term("abs(p)") else g.pos([f"@{a1}"], eqs=[(eq, -1)])

        g.cases(g.fact("max_cases", "max(abs(z), abs(y))", "abs(p)"), case, case)

    m = g.have("max(max(abs(z), abs(y)), abs(p)) <= max(max(abs(z), abs(y)), abs(q))", mono)

    def member(e: str, i: int) -> str:
        other = f"max(max(abs(z), abs(y)), abs({e}))"
        return f"a*{Z}/(abs({e}) + {LEAST})" if i == 0 else f"8*c^2*{other}*{LARGEST}"

    def bounds(g: Goal) -> None:
        x, t = at_most_max(g, member("q", 0), member("q", 1))

        def first(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            only(g, x, eq, order, low, high, least, zy)
            # Z/p - Z/(p+m) - Z/q + Z/(q+m) = Z m (q-p)(p+q+m)/(p (p+m) q (q+m))
            k = g.have(
                f"a*{Z}/abs(q) - {member('q', 0)} < a*{Z}/abs(p) - {member('p', 0)}",
                lambda g: g.pos(
                    [f"@{order}", f"a*{Z}", LEAST, f"abs(p) + abs(q) + {LEAST}"],
                    mul=["abs(p)", "abs(q)", f"abs(p) + {LEAST}", f"abs(q) + {LEAST}"],
                ),
            )
            only(g, x, eq, k)
            g.pos([f"@{k}"], [f"@{x}"], eqs=[(eq, -1)])

        def second(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            only(g, t, eq, order, low, high, zy, m, top)
            k = g.have(f"a*{Z}/abs(q) < a*{Z}/abs(p)", lambda g: g.pos([f"@{order}", f"a*{Z}"], mul=["abs(p)", "abs(q)"]))
            n = g.have(f"{member('p', 1)} <= {member('q', 1)}", lambda g: g.pos([f"@{m}", 8, "c^2", f"@{top}"]))
            only(g, t, eq, k, n)
            g.pos([f"@{k}"], [f"@{t}"], [f"@{n}"], eqs=[(eq, -1)])

        g.cases(g.fact("max_cases", member("p", 0), member("p", 1)), second, first)

    g.conj(
        bounds,
        lambda g: (only(g, order, least), g.pos([f"@{order}", 16], mul=[LEAST]))[-1],
        lambda g: (only(g, order), g.pos([f"@{order}", 4]))[-1],
    )


@holds(
    "razin2020.assertion-arbitrarily-larger",
    f"""{QUASI} all a z y r:R. a = N({E11})/c => z != 0 => y != 0 => ex eps:R. eps != 0 and
       all m:R. {infimum("m", f"N({SX})")} => m + r <= {limit_bound("eps")}""",
    argument="sound",
    reading=f"m is the infimum of the (quasi-)norm over the solutions for eps, r any number, the right side the limit of the bound (15); {NAMES}",
)
def small_epsilon_makes_the_bound_exceed_the_infimum(g: Goal) -> None:
    """For eps <= 1 the infimum is at most c N(z E12) + ..., b is bounded, and a |z y|/eps grows beyond all bounds."""
    one, nonneg, zero, homogeneous, triangle, a, z, y = g.intro()
    unit = g.have("0 < c", lambda g: (only(g, one), g.pos([f"@{one}"], [1]))[-1])
    n11 = g.have(f"0 < N({E11})", lambda g: unit_is_positive(g, nonneg, zero))
    positive = g.have("0 < a", lambda g: (only(g, n11, a, unit), g.pos([f"@{n11}"], mul=["c"], eqs=[(a, "c")]))[-1])
    signs = {e: g.apply(nonneg, e) for e in (E11, E12, E21, E22)}
    off = "[[0,z],[y,0]]"
    own = g.apply(nonneg, off)
    top = g.have(f"0 <= {LARGEST}", lambda g: largest_is_nonneg(g, signs[E11]))
    az, ay = g.have("0 < abs(z)"), g.have("0 < abs(y)")
    least = g.have(f"0 < {LEAST}")
    zy = g.have(f"0 < a*{Z}", lambda g: (only(g, positive, az, ay), g.auto())[-1])
    inf = f"c*(N({off}) + N({E22}))"
    b1, b2 = f"a*{Z}/{LEAST}", f"8*c^2*(abs(z) + abs(y) + 1)*{LARGEST}"
    bound = f"(abs(r) + {inf} + {b1} + {b2})"
    eps = f"(a*{Z}/(a*{Z} + {bound}))"
    low = g.have(
        f"0 <= {bound}",
        lambda g: (only(g, unit, own, signs[E22], zy, least, top, az, ay), bound_is_nonneg(g, own, signs[E22], top, bound))[-1],
    )
    small = g.have(
        f"0 < {eps}",
        lambda g: (only(g, zy, low), g.have(f"0 < a*{Z} + {bound}", lambda g: g.pos([f"@{zy}"], [f"@{low}"])), g.auto())[-1],
    )
    total = g.have(f"0 < a*{Z} + {bound}", lambda g: (only(g, zy, low), g.pos([f"@{zy}"], [f"@{low}"]))[-1])
    unit_eps = g.have(f"{eps} <= 1", lambda g: (only(g, low, total, zy), g.pos([f"@{low}"], mul=[f"a*{Z} + {bound}"]))[-1])
    value = g.have(f"a*{Z}/{eps} = a*{Z} + {bound}", lambda g: (only(g, zy, total), g.field())[-1])
    g.suffices(
        f"""all eps:R. 0 < eps => eps <= 1 => a*{Z}/eps = a*{Z} + {bound} =>
            all m:R. {infimum("m", f"N({SX})")} => m + r <= {limit_bound("eps")}""",
        lambda g: finish(g, eps, small, unit_eps, value),
    )
    only(g, one, unit, homogeneous, triangle, zy, *signs.values(), own, top, az, ay, least, low)
    g.fix("eps")
    e0, e1, eq = g.assume(), g.assume(), g.assume()
    g.fix("m")
    below = g.split(g.assume())[0]
    member = g.apply(below, 0)
    k = g.apply(triangle, off, f"eps*{E22}")
    scale = g.apply(homogeneous, E22, "eps")
    same = g.have(f"N({perturbed('0')}) = N({off} + eps*{E22})", lambda g: g.ctx(lambda g: g.ext(lambda g: g.field())))
    size = g.have("abs(eps) = eps", lambda g: (only(g, e0), g.field())[-1])
    first = g.have(
        f"m <= {inf}",
        lambda g: (
            only(g, member, k, scale, same, size, e1, unit, signs[E22]),
            g.pos(
                [f"@{member}"],
                [f"@{k}"],
                [f"@{e1}", "c", f"@{signs[E22]}"],
                eqs=[(same, -1), (scale, "-c"), (size, f"-c*N({E22})")],
            ),
        )[-1],
    )
    only(g, first, eq, e0, e1, size, zy, least, top, az, ay, unit, low)
    r = g.split(g.apply(g.split(g.fact("abs_le", "r", "abs(r)"))[0], by=[Goal.refl]))[1]

    def largest(g: Goal) -> None:
        only(g, e1, size, az, ay)

        def outer(g: Goal) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            if g.hyp_formula(eq)[2] == g.term("abs(eps)"):
                g.pos([f"@{e1}"], ["abs(z)"], ["abs(y)"], eqs=[(eq, -1), (size, -1)])
            else:
                g.cases(g.fact("max_cases", "abs(z)", "abs(y)"), lambda g: inner(g, eq), lambda g: inner(g, eq))

        def inner(g: Goal, before: str) -> None:
            _, eq = g.split(next(reversed(g.seq.hyps)))
            rest = "abs(y)" if g.hyp_formula(eq)[2] == g.term("abs(z)") else "abs(z)"
            g.pos([rest], [1], eqs=[(before, -1), (eq, -1)])

        g.cases(g.fact("max_cases", "max(abs(z), abs(y))", "abs(eps)"), outer, outer)

    m = g.have(f"{M} <= abs(z) + abs(y) + 1", largest)
    one_ = g.have(
        f"a*{Z}/(abs(eps) + {LEAST}) <= {b1}",
        lambda g: (only(g, zy, least), g.pos([f"a*{Z}", "abs(eps)"], mul=[LEAST, f"abs(eps) + {LEAST}"]))[-1],
    )
    two_ = g.have(f"8*c^2*{M}*{LARGEST} <= {b2}", lambda g: (only(g, m, top), g.pos([f"@{m}", 8, "c^2", f"@{top}"]))[-1])
    main = g.have(f"a*{Z}/abs(eps) = a*{Z} + {bound}", lambda g: (g.rewrite(size), g.close_by(eq))[-1])
    p1 = g.have(f"0 <= {b1}", lambda g: (only(g, zy, least), g.auto())[-1])
    p2 = g.have(f"0 <= {b2}", lambda g: (only(g, top, az, ay), g.pos([8, "c^2", "abs(z) + abs(y) + 1", f"@{top}"]))[-1])

    def either(g: Goal) -> None:
        _, eq = g.split(next(reversed(g.seq.hyps)))
        only(g, eq, one_, two_, main, r, first, p1, p2, zy)
        which = one_ if "abs(eps) + min" in str(g.hyp_formula(eq)[2]) or g.hyp_formula(eq)[2] == g.hyp_formula(one_)[1] else two_
        other = p2 if which == one_ else p1
        g.pos([f"@{first}"], [f"@{r}"], [f"@{which}"], [f"@{other}"], [f"@{zy}"], eqs=[(eq, -1), (main, 1)])

    g.cases(g.fact("max_cases", f"a*{Z}/(abs(eps) + {LEAST})", f"8*c^2*{M}*{LARGEST}"), either, either)


def finish(g: Goal, eps: str, small: str, unit: str, value: str) -> None:
    """The number eps is put in."""
    h = next(reversed(g.seq.hyps))
    k = g.apply(h, eps, by=[using(small), using(unit), using(value)])
    g.witness(eps)
    g.conj(lambda g: (only(g, small), nonzero(g, small))[-1], using(k))


def nonzero(g: Goal, small: str) -> None:
    """x != 0 from 0 < x."""
    eq = g.contra()
    g.pos([f"@{small}"], eqs=[(eq, -1)])


def largest_is_nonneg(g: Goal, sign: str) -> None:
    """0 <= the largest norm of a matrix unit."""
    only(g, sign)
    w, _ = at_most_max(g, f"N({E11})", f"N({E12})")
    e, _ = at_most_max(g, f"max(N({E11}), N({E12}))", f"max(N({E21}), N({E22}))")
    g.pos([f"@{sign}"], [f"@{w}"], [f"@{e}"])


def bound_is_nonneg(g: Goal, own: str, unit: str, top: str, bound: str) -> None:
    """All four members are nonnegative."""
    del bound
    g.pos(["abs(r)"], ["c", f"@{own}"], ["c", f"@{unit}"], [f"a*{Z}/{LEAST}"], [8, "c^2", "abs(z) + abs(y) + 1", f"@{top}"])


F = f"({Z}/{{0}} - (abs(z) + abs(y)))"


ENTRY_RECEDES = f"""all z y:R. z != 0 => y != 0 =>
       (all W:M(2,2), eps:R. eps != 0 => W[1,2] = z => W[2,1] = y => W[2,2] = eps => 0 < z*y*det(W) => {F.format("abs(eps)")} < abs(W[1,1])) and
       (all p q:R. 0 < p => p < q => {F.format("q")} < {F.format("p")}) and
       (all r p q:R. 0 < r => r <= p => r <= q => abs({F.format("p")} - {F.format("q")}) <= {Z}/r^2*abs(p - q)) and
       tendsoo(t, {F.format("(1/t)")})"""


@holds(
    "razin2020.assertion-fig-5-recedes",
    ENTRY_RECEDES,
    uses=["razin2020.lemma-25"],
    argument="sound",
    reading="the guaranteed size |z z'|/|eps| - (|z| + |z'|) of the unobserved entry at zero loss decreases in |eps|, locally "
    "Lipschitz continuously, from infinity",
)
def guaranteed_entry_recedes_continuously(g: Goal) -> None:
    """Lemma 25 at loss 0; 1/p - 1/q = (q - p)/(p q)."""
    z, y = g.intro()
    az, ay = g.have("0 < abs(z)"), g.have("0 < abs(y)")

    def entry(g: Goal) -> None:
        n, a, b, c, det = g.intro()
        loss = g.have(f"0 = {perturbed_loss('W')}", lambda g: g.field(rw=[a, b, c]))
        small = g.have("0 < min(z^2/2, y^2/2)", lambda g: least_square(g, z, y))
        scripts = [using(h) for h in (z, y, loss, det, small)]
        k = g.split(g.lemma("razin2020.lemma-25", "statement", "W", "z", "y", "eps", 0, by=scripts))
        root = g.by_fact("sqrt_unique", "2*0", "0", by=[None, lambda g: g.field()])
        only(g, *k, root, n)
        g.have("0 < abs(eps)")
        u, v = g.rewritten(k[0], root), g.rewritten(k[1], root)
        only(g, n, u, v)
        g.have("0 < abs(eps)")
        g.pos([f"@{u}"], [f"@{v}"])

    def monotone(g: Goal) -> None:
        p, order = g.intro()
        only(g, az, ay, p, order)
        g.have("0 < q", lambda g: g.pos([f"@{p}"], [f"@{order}"]))
        g.pos([f"@{order}", Z], mul=["p", "q"])

    def lipschitz(g: Goal) -> None:
        r, p, q = g.intro()
        only(g, az, ay, r, p, q)
        g.have("0 < p", lambda g: g.pos([f"@{r}"], [f"@{p}"]))
        g.have("0 < q", lambda g: g.pos([f"@{r}"], [f"@{q}"]))
        k = g.fact("abs_product", f"{Z}/(p*q)", "-1*(p - q)")
        m = g.fact("abs_product", "-1", "p - q")
        size = g.have(f"abs({Z}/(p*q)) = {Z}/(p*q)", lambda g: g.field())
        same = g.have(
            f"abs({F.format('p')} - {F.format('q')}) = abs({Z}/(p*q)*(-1*(p - q)))", lambda g: g.ctx(lambda g: g.field())
        )
        one = g.have("abs(-1) = 1", lambda g: g.field())
        less = g.have("r^2 <= p*q", lambda g: g.pos([f"@{p}", "q"], [f"@{q}", "r"]))
        only(g, az, ay, r, k, m, size, same, one, less)
        g.have("0 < p*q", lambda g: g.pos([f"@{less}"], ["r^2"]))
        top = g.have(
            f"{Z}/(p*q) <= {Z}/r^2",
            lambda g: (
                only(g, less, r, az, ay),
                g.have("0 < p*q", lambda g: g.pos([f"@{less}"], ["r^2"])),
                g.pos([f"@{less}", Z], mul=["p*q", "r^2"]),
            )[-1],
        )
        value = g.have(
            f"abs({F.format('p')} - {F.format('q')}) = {Z}/(p*q)*abs(p - q)",
            lambda g: g.field((same, 1), (k, 1), (size, "abs(-1*(p - q))"), (m, f"{Z}/(p*q)"), (one, f"{Z}/(p*q)*abs(p - q)")),
        )
        only(g, top, value)
        g.pos([f"@{top}", "abs(p - q)"], eqs=[(value, -1)])

    def unbounded(g: Goal) -> None:
        only(g, az, ay)
        forth = g.split(g.fact("tendsoo_definition", f"lam t:R. {F.format('(1/t)')}"))[1]

        def large(g: Goal) -> None:
            g.fix("b")
            c = "(abs(b) + abs(z) + abs(y) + 1)"
            g.witness(f"{c}/({Z}) + 1")
            g.fix("t")
            h = g.assume()
            g.have("0 < t", lambda g: g.pos([f"@{h}"], [f"{c}/({Z})"], [1]))
            k = g.split(g.apply(g.split(g.fact("abs_le", "b", "abs(b)"))[0], by=[Goal.refl]))[1]
            only(g, az, ay, h, k)
            g.have("0 < t", lambda g: g.pos([f"@{h}"], [f"{c}/({Z})"], [1]))
            g.pos([f"@{h}", Z], [f"@{k}"], [1], [Z])

        g.close_by(g.apply(forth, by=[large]))

    g.conj(entry, monotone, lipschitz, unbounded)


def least_square(g: Goal, z: str, y: str) -> None:
    """0 < min(z^2/2, y^2/2)."""
    only(g, z, y)
    g.auto()


LIMITS = f"""(all N:M(2,2)->R, c:R. 1 <= c and {QUASI_NORM} => tendsoo(t, N(X(t)))) and
       (all m:R. {infimum("m", erank(SX))} => tends(t, {erank("X(t)")}, m)) and
       (all r:Z, D:R->R. {RANK} => (all t:R. 0 <= t => {distance("D(t)", "X(t)", "r")}) => tends(t, D(t), 0))"""


@part(
    "razin2020.assertion-3-4-any-offdiagonal",
    "positive-loss",
    f"all W:M(2,2), z y eps l:R. z != 0 => y != 0 => eps = 0 => l = {perturbed_loss('W')} => 0 < z*y*det(W) => 0 < l",
    says="for eps = 0 and a determinant with the sign of z z' the loss is positive",
    uses=["razin2020.lemma-25"],
)
def perturbed_loss_is_positive(g: Goal) -> None:
    """At loss 0, Lemma 25 would give 0 < |eps| = 0."""
    z, y, eq, loss, det = g.intro()
    low = g.have("0 <= l", lambda g: g.pos(["(W[1,2] - z)^2 + (W[2,1] - y)^2 + (W[2,2] - eps)^2", "1/2"], eqs=[(loss, 1)]))

    def zero(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        small = g.have("0 < min(z^2/2, y^2/2)", lambda g: least_square(g, z, y))
        small = g.have("l < min(z^2/2, y^2/2)", lambda g: (only(g, small, h), g.pos([f"@{small}"], eqs=[(h, 1)]))[-1])
        k = g.split(
            g.lemma(
                "razin2020.lemma-25", "part:sizes", "W", "z", "y", "eps", "l", by=[using(x) for x in (z, y, loss, det, small)]
            )
        )[3]
        root = g.by_fact("sqrt_unique", "2*l", "0", by=[None, lambda g: g.field((h, 2))])
        size = g.have("abs(eps) = 0", lambda g: (g.rewrite(eq), g.field())[-1])
        only(g, k, root, size)
        g.contra()
        g.pos([f"@{k}"], eqs=[(root, -1), (size, -1)])

    g.cases(g.by_fact("lt_or_eq", 0, "l", by=[using(low)]), None, zero)


@holds(
    "razin2020.assertion-3-4-any-offdiagonal",
    f"""{THEOREM_2} eps = 0 => all l:R->R. (all t:R. 0 <= t => l(t) = {perturbed_loss("X(t)")}) => tends(t, l(t), 0) => {LIMITS}""",
    uses=[
        "razin2020.theorem-2-eq-15",
        "razin2020.theorem-2-eq-16",
        "razin2020.lemma-6",
        "razin2020.lemma-26-eq-49",
        "razin2020.thm-2-step-inf-erank",
        "razin2020.thm-2-step-infimal-rank",
        "razin2020.prop-2-step-distance",
        "razin2020.def-1",
        "razin2020.corollary-1-norms",
        "razin2020.corollary-1-rank",
        "razin2020.assertion-3-4-any-offdiagonal",
    ],
    argument="sound",
    reading=f"l is the loss along the flow; {NAMES}; {PADDING}",
)
def phenomenon_for_any_off_diagonal_observations(g: Goal) -> None:
    """The bounds of Theorem 2 at eps = 0."""
    hyps = g.intro(split=False)
    eq, values, limit = hyps[-3:]
    start = hypothesis(g, "0 < z*y*det(X(0))")
    z, y = hypothesis(g, "z != 0"), hypothesis(g, "y != 0")
    det = g.have(
        "all t:R. 0 <= t => 0 < z*y*det(X(t))",
        lambda g: (g.fix("t"), g.assume(), g.close_by(sign_is_kept(g, hyps[:-3], start)))[-1],
    )
    only(g, eq, values, limit, z, y, det)
    size = g.have("abs(eps) = 0", lambda g: (g.rewrite(eq), g.field())[-1])
    az, ay = g.have("0 < abs(z)"), g.have("0 < abs(y)")
    least = g.have(f"0 < {LEAST}")

    def at(g: Goal) -> tuple[str, str, str]:
        g.fix("t")
        g.assume()
        d, v = g.apply(det, "t"), g.apply(values, "t")
        scripts = [using(h) for h in (z, y, eq, v, d)]
        return (
            d,
            v,
            g.lemma("razin2020.assertion-3-4-any-offdiagonal", "part:positive-loss", "X(t)", "z", "y", "eps", "l(t)", by=scripts),
        )

    def norms(g: Goal) -> None:
        g.fix("N", "c")
        quasi = g.assume()
        one, nonneg, zero, *_ = g.split(quasi)
        a = f"(N({E11})/c)"
        b = f"max({a}*{Z}/(abs(eps) + {LEAST}), 8*c^2*{M}*{LARGEST})"

        def bounds(g: Goal) -> None:
            d, v, p = at(g)
            k = g.lemma("razin2020.theorem-2-eq-15", "part:static", "N", "c", a, b, by=[using(quasi)])
            k = g.apply(k, "z", "y", "eps", by=[using(z), using(y), Goal.refl, Goal.refl])
            k = g.apply(k, "X(t)", "l(t)", by=[using(v), using(d)])
            only(g, p, k, size)
            g.have("0 < sqrt(l(t))")
            g.have("0 < sqrt(2)")
            e = g.have(
                f"{a}*({Z}/(abs(eps) + sqrt(2*l(t)))) = ({a}*{Z}/sqrt(2))/sqrt(l(t))", lambda g: (g.rewrite(size), g.field())[-1]
            )
            g.conj(using(p), lambda g: g.pos([f"@{k}"], eqs=[(e, 1)]))

        h = g.have(f"all t:R. 0 <= t => 0 < l(t) and ({a}*{Z}/sqrt(2))/sqrt(l(t)) - {b} <= N(X(t))", bounds)
        only(g, h, limit, one, nonneg, zero, az, ay)
        unit = g.have(f"0 < N({E11})", lambda g: unit_is_positive(g, nonneg, zero))
        pc = g.have("0 < c", lambda g: (only(g, one), g.pos([f"@{one}"], [1]))[-1])
        positive = g.have(f"0 < {a}*{Z}/sqrt(2)", lambda g: (only(g, unit, pc, az, ay), g.have("0 < sqrt(2)"), g.auto())[-1])
        g.close_by(
            g.lemma(
                "razin2020.corollary-1-norms",
                "part:blow-up",
                f"{a}*{Z}/sqrt(2)",
                b,
                "lam t:R. l(t)",
                "lam t:R. N(X(t))",
                by=[using(positive), using(h), using(limit)],
            )
        )

    def squeeze(g: Goal, a: str, b: str, f: str, between: str) -> None:
        constant = g.have(
            f"0 <= {a}", lambda g: (only(g, az, ay, least), g.have("0 < sqrt(2)"), g.have(f"0 <= sqrt({Z})"), g.auto())[-1]
        )
        only(g, constant, between, limit)
        g.close_by(
            g.lemma(
                "razin2020.corollary-1-rank",
                "part:squeeze",
                a,
                b,
                "lam t:R. l(t)",
                f"lam t:R. {f}",
                by=[using(constant), lambda g: same_bounds(g, between), using(limit)],
            )
        )

    def effective(g: Goal) -> None:
        g.fix("m")
        inf = g.assume()
        k = g.apply(g.lemma("razin2020.thm-2-step-inf-erank", "statement", "z", "y", "eps", by=[using(z), using(y)]), "m")
        one = g.apply(g.split(k)[0], by=[using(inf)])
        a = f"(16/{LEAST}*sqrt(2))"

        def between(g: Goal) -> None:
            d, v, p = at(g)
            top = g.lemma(
                "razin2020.theorem-2-eq-16", "part:static", "X(t)", "z", "y", "eps", "l(t)", by=[using(h) for h in (z, y, v, d)]
            )
            low = at_least_one(g, "X(t)", total_of_a_matrix(g, d))
            only(g, p, top, low, one, size, least)
            e = g.have(f"16/{LEAST}*(abs(eps) + sqrt(2*l(t))) = {a}*sqrt(l(t))", lambda g: (g.rewrite(size), g.field())[-1])
            only(g, p, top, low, one, e)
            g.conj(
                lambda g: g.pos([f"@{p}"]),
                lambda g: g.pos([f"@{low}"], eqs=[(one, -1)]),
                lambda g: g.pos([f"@{top}"], eqs=[(one, 1), (e, -1)]),
            )

        h = g.have(f"all t:R. 0 <= t => 0 <= l(t) and m <= {erank('X(t)')} and {erank('X(t)')} <= m + {a}*sqrt(l(t))", between)
        squeeze(g, a, "m", erank("X(t)"), h)

    def far(g: Goal) -> None:
        g.fix("r", "D")
        rank, dist = g.assume(), g.assume()
        k = g.apply(g.split(g.lemma("razin2020.thm-2-step-infimal-rank"))[0], "z", "y", "eps", "r", by=[using(z), using(y)])
        one = g.apply(g.split(k)[0], by=[using(rank)])
        a = f"((4 + sqrt({Z})/{LEAST})*sqrt(2))"

        def between(g: Goal) -> None:
            d, v, p = at(g)
            k = g.rewritten(g.apply(dist, "t"), one)
            value = distance_value(g, k, "D(t)", "X(t)")
            second = g.lemma(
                "razin2020.lemma-26-eq-49", "statement", "X(t)", "z", "y", "eps", "l(t)", by=[using(h) for h in (z, y, v, d)]
            )
            low = g.split(g.apply(g.fact("sv_range", 2, 2, "X(t)"), 2, 2))[0]
            only(g, p, value, second, low, size, least)
            e = g.have(f"(4 + sqrt({Z})/{LEAST})*sqrt(2*l(t)) = {a}*sqrt(l(t))", lambda g: g.field())
            only(g, p, value, second, low, size, e)
            g.conj(
                lambda g: g.pos([f"@{p}"]),
                lambda g: g.pos([f"@{low}"], eqs=[(value, 1)]),
                lambda g: g.pos([f"@{second}"], eqs=[(value, -1), (e, -1), (size, -4)]),
            )

        h = g.have(f"all t:R. 0 <= t => 0 <= l(t) and 0 <= D(t) and D(t) <= 0 + {a}*sqrt(l(t))", between)
        squeeze(g, a, "0", "D(t)", h)

    g.conj(norms, effective, far)


def total_of_a_matrix(g: Goal, det: str) -> str:
    """0 < sv_1 + sv_2 for X(t) with a nonzero determinant."""

    def prove(g: Goal) -> None:
        product = g.split(g.fact("sv_2x2", "X(t)"))[0]
        order = g.fact("sv_range", 2, 2, "X(t)")
        a, b = (g.split(g.apply(order, i, i))[0] for i in (1, 2))
        k = g.contra()
        only(g, det, product, a, b, k)
        one = g.have("sv(X(t),1) = 0", lambda g: g.antisym(lambda g: g.pos([f"@{k}"], [f"@{b}"]), using(a)))
        size = g.fact("abs_square", "det(X(t))")
        square = g.have(
            "det(X(t))^2 = 0", lambda g: g.field((size, -1), (product, "-abs(det(X(t)))"), (one, "abs(det(X(t)))*sv(X(t),2)"))
        )
        root = g.apply(g.fact("square_zero", "det(X(t))"), by=[using(square)])
        g.pos([f"@{det}"], eqs=[(root, "-z*y")])

    return g.have("0 < sv(X(t),1) + sv(X(t),2)", prove)
