"""Theorem 20: the transition time tau exists."""

from __future__ import annotations

from proofs.eftekhari2022.alignment import SETTING, size
from proofs.eftekhari2022.invariant_sets import decomposition
from proofs.eftekhari2022.loss_along_the_flow import scalars
from proofs.eftekhari2022.rank_one_flow import ALIGNMENT, FLOW_TERMS, POWER, ROOTS_READING, TOP
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

LEVEL = f"6*{TOP}^2"
SPEED = f"(2*m*N*{TOP}^{POWER}*{TOP}^2)"


@part(
    "eftekhari2022.def-tau",
    "falls",
    f"""{SETTING} rank(E(0)) = 1 => all t:R. 0 <= t => {LEVEL} <= {size("t")} => D(r, {size("r")}, t) <= -{SPEED}""",
    says="while the singular value is at least sqrt(6) s_Z, its square falls at a rate bounded from below",
    uses=["eftekhari2022.eq-32", "eftekhari2022.eq-139"],
)
def square_falls_steadily(g: Goal) -> None:
    """s s' = -m N s^(3-2/N) (s - u^T Z v), with u^T Z v <= s_Z and s >= 2 s_Z."""
    names = g.intro(split=False)
    flow, start, now, high = names[:13], *names[13:16]
    parts = decomposition(g, flow, start, "t", now)
    a, b, _, above, _, norm, _, _, radial, _ = scalars(g, flow, [now, *parts])
    g.have("0 < m")
    g.have("2 <= N")
    less = g.have("a*b <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(a-b)^2"]))
    gap = g.have(f"sv(Z,2) < {TOP}")
    cap = g.have(f"{ALIGNMENT} + q <= {TOP}", lambda g: g.pos([f"@{above}"], [f"@{gap}", f"@{less}"]))
    square = g.have(f"{LEVEL} <= s^2", lambda g: g.pos([f"@{high}"], eqs=[(norm, -1)]))

    def large(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{square}"], [f"@{k}", f"s + 2*{TOP}"], [f"2*{TOP}^2"])

    twice = g.have(f"2*{TOP} <= s", large)
    one = g.have("1 <= N")
    g.have(f"0 <= {POWER}", lambda g: g.pos(["2", f"@{one}"], mul=["N"]))
    below = g.have(f"{TOP} <= s", lambda g: g.pos([f"@{twice}"], [TOP]))
    grown = g.by_fact("pow_base_mono", TOP, "s", POWER, by=[None, using(below), None])
    value = g.differentiate("r", size("r"), "t")
    g.rewrite(value)
    scale = ["2", "m", "N"]
    g.pos(
        [*scale, f"s^{POWER}", "s", f"@{cap}"],
        [*scale, f"s^{POWER}", f"@{twice}", f"s + {TOP}"],
        [*scale, f"s^{POWER}", f"{TOP}^2"],
        [*scale, f"{TOP}^2", f"@{grown}"],
        eqs=[(radial, -2)],
    )


@holds(
    "eftekhari2022.def-tau",
    f"""{SETTING} rank(E(0)) = 1 => ex h:R. 0 <= h and sv(E(h),1) <= sqrt(6)*{TOP} and
       (all r:R. 0 <= r => r < h => sqrt(6)*{TOP} < sv(E(r),1)) and (sv(E(0),1) <= sqrt(6)*{TOP} => h = 0)""",
    argument="sound",
    reading=f"well-formed: the first time h = tau with s <= sqrt(6) s_Z exists, and is 0 where this holds at the start; of (37) only "
    f"rank(W_0) = 1 is needed; s is the first singular value; {ROOTS_READING}",
    context="N >= 2, whitened data and the spectral gap [Assumption 14]",
    uses=["eftekhari2022.def-tau", "eftekhari2022.eq-32"],
)
def transition_time_exists(g: Goal) -> None:
    """The square of s would become negative if it stayed above 6 s_Z^2; the first time by continuity."""
    names = g.intro(split=False)
    flow, start = names[:13], names[13]
    falls = g.lemma("eftekhari2022.def-tau", "part:falls", *FLOW_TERMS, by=[using(h) for h in (*flow, start)])

    def value(g: Goal, t: str, now: str) -> tuple[str, str]:
        """Adds 0 < s and s^2 = |W|^2 for s = sv(W(t),1)."""
        parts = decomposition(g, flow, start, t, now, "p1 p2 p3")
        sv = g.lemma(
            "eftekhari2022.eq-32", "part:thin-singular-value", "x", "y", "p1", "p2", "p3", f"E({t})", by=[using(h) for h in parts]
        )
        norm = scalars(g, flow, [now, *parts], (t, "p1", "p2", "p3"))[5]
        s = f"sv(E({t}),1)"
        positive = g.have(f"0 < {s}", lambda g: g.pos([f"@{parts[0]}"], eqs=[(sv, 1)]))
        square = g.have(f"{s}^2 = {size(t)}", lambda g: g.field((norm, -1), (sv, f"{s} + p1")))
        return positive, square

    six = g.by_fact("sqrt_sq", "6")
    g.by_fact("sqrt_nonneg", "6")
    top = f"sqrt(6)*{TOP}"

    def small(g: Goal, t: str, now: str, low: str) -> None:
        """s <= sqrt(6) s_Z from s^2 <= 6 s_Z^2."""
        _, square = value(g, t, now)
        k = g.contra()
        g.pos([f"@{low}"], [f"@{k}", f"sv(E({t}),1) + {top}"], eqs=[(square, -1), (six, f"-({TOP}^2)")])

    def large(g: Goal, t: str, now: str, high: str) -> None:
        """sqrt(6) s_Z < s from 6 s_Z^2 < s^2."""
        _, square = value(g, t, now)
        k = g.contra()
        g.pos([f"@{high}"], [f"@{k}", f"sv(E({t}),1) + {top}"], eqs=[(square, 1), (six, f"{TOP}^2")])

    zero = g.have("0 <= 0")

    def at_once(g: Goal) -> None:
        low = next(reversed(g.seq.hyps))
        g.witness("0")
        none = g.have(
            "all r:R. 0 <= r => r < 0 => sqrt(6)*sv(Z,1) < sv(E(r),1)", lambda g: (g.intro(), g.contra(), g.nlin(products=1))
        )
        g.conj(using(zero), lambda g: small(g, "0", zero, low), using(none), lambda g: (g.assume(), g.refl()))

    def later(g: Goal) -> None:
        high = next(reversed(g.seq.hyps))
        g.have("0 < m")
        g.have("2 <= N")
        g.have(f"0 < {SPEED}")

        def reached(g: Goal) -> None:
            never = g.contra("never")
            above = g.have(f"all t:R. 0 <= t => {LEVEL} <= {size('t')}", lambda g: stays(g, never))
            end = f"({size('0')}/{SPEED})"
            g.have(f"0 < {size('0')}", lambda g: g.pos([f"@{high}"], [LEVEL]))
            g.have(f"0 <= {end}")

            def slope(g: Goal) -> None:
                g.fix("t")
                g.split_all(g.assume())
                at = g.have("0 <= t")
                k = g.apply(falls, "t", by=[using(at), lambda g: g.close_by(g.apply(above, "t", by=[using(at)]))])
                own = g.differentiate("r", size("r"), "t")
                whole = g.differentiate("r", f"-({size('r')} + {SPEED}*r)", "t")
                g.rewrite(whole)
                g.pos([f"@{k}"], eqs=[(own, -1)])

            grown = g.by_fact("mean_value_le", 0, end, f"lam r:R. -({size('r')} + {SPEED}*r)", by=[None, slope])
            last = g.apply(above, end)
            exact = g.have(f"{SPEED}*{end} = {size('0')}", lambda g: g.field())
            g.pos([f"@{grown}"], [f"@{last}"], [LEVEL], eqs=[(exact, -1)])

        def stays(g: Goal, never: str) -> None:
            g.fix("t")
            g.assume()
            h = g.apply(never, "t")

            def before(g: Goal) -> None:
                g.contra()
                g.nlin(products=1, use=[x for x in g.seq.hyps if g.hyp_formula(x)[0] in ("<", "<=")][-3:])

            g.cases(h, before, lambda g: g.pos([f"@{next(reversed(g.seq.hyps))}"]))

        ends = g.have(f"ex t:R. 0 <= t and {size('t')} <= {LEVEL}", reached)
        g.obtain(ends, "t")
        exit_ = g.by_fact("first_exit", 0, "t", f"lam r:R. {size('r')} - {LEVEL}")
        _, _, flat, before = g.obtain(exit_, "h")
        at = g.have("0 <= h")
        g.witness("h")
        level = g.have(f"{size('h')} <= {LEVEL}", lambda g: g.pos(eqs=[(flat, -1)]))

        def earlier(g: Goal) -> None:
            g.fix("r")
            first = g.assume()
            g.assume()
            k = g.apply(before, "r")
            over = g.have(f"{LEVEL} < {size('r')}", lambda g: g.pos([f"@{k}"]))
            large(g, "r", first, over)

        def immediate(g: Goal) -> None:
            k = g.assume()
            over = g.have(f"{top} < sv(E(0),1)", lambda g: large(g, "0", zero, high))
            g.contra()
            g.pos([f"@{k}"], [f"@{over}"])

        g.conj(using(at), lambda g: small(g, "h", at, level), earlier, immediate)

    order = g.have(
        f"{size('0')} <= {LEVEL} or {LEVEL} < {size('0')}",
        lambda g: g.em(
            f"{size('0')} <= {LEVEL}", lambda g: g.left_or_right(0) or g.auto(), lambda g: g.left_or_right(1) or g.auto()
        ),
    )
    g.cases(order, at_once, later)
