"""Equations (8) and (9): derived from (29) and (30) at infinity; each has exactly one root in the admissible range."""

from __future__ import annotations

from proofs.shin2025.equal_layers import LAYER
from proofs.shin2025.theorem_four import AT_LIMIT, USES, C, at_limit, eq8, eq9, limits, open_limit, values_of
from verify.kernel import Goal
from verify.registry import holds, part

IMPLICIT = "shin2025.proof-step-implicit-from-29-30"


def power_of_power(g: Goal, x: str, a: str, b: str, c: str) -> str:
    """(x^a)^b = x^c for positive x, where a b = c."""
    h = g.by_fact("pow_pow", x, a, b)
    e = g.have(f"{x}^(({a})*({b})) = {x}^({c})", lambda g: g.ctx(lambda g: g.field()))
    return g.have(f"({x}^({a}))^({b}) = {x}^({c})", lambda g: (g.rewrite(e, back=True), g.exact(h))[-1])


@part(
    IMPLICIT,
    "combined",
    f"""all d L:Z, ws c A B:R. 2 <= d => 3 <= L => 0 < A => 0 < B => A^(2-L) - B^(2-L) = c => ws = (A^L + (d-1)*B^L)/d =>
        {eq8("A", "c")} and {eq9("B", "c")}""",
)
def two_equations_for_two_values(g: Goal) -> None:
    """Eliminate one value by (30): the bracket is a power L, and its power (2-L)/L is the power 2-L of the base."""
    g.intro("d_lo", "L_lo", "A_lo", "B_lo", "diff", "mean")
    g.have("0 < d - 1")
    x = g.have("(ws*d - A^L)/(d-1) = B^L", lambda g: g.field(("mean", "d/(d-1)")))
    y = g.have("ws*d - (d-1)*B^L = A^L", lambda g: g.field(("mean", "d")))
    g.rewrite(x)
    g.rewrite(y)
    p = power_of_power(g, "A", "L", "(2-L)/L", "2-L")
    q = power_of_power(g, "B", "L", "(2-L)/L", "2-L")
    g.rewrite(p)
    g.rewrite(q)
    g.conj(None, None)


@part(
    IMPLICIT,
    "unique-9",
    f"""all d L:Z, ws c y z:R. 2 <= d => 3 <= L => 0 < y => 0 < z => (d-1)*y^L < ws*d => (d-1)*z^L < ws*d =>
        {eq9("y", "c")} => {eq9("z", "c")} => y = z""",
)
def second_equation_has_one_root(g: Goal) -> None:
    """The left side increases strictly."""
    g.intro("d_lo", "L_lo", "y_lo", "z_lo", "y_hi", "z_hi", "at_y", "at_z")
    g.have("0 < d - 1")
    g.have("(2-L)/L < 0", lambda g: g.pos(["@L_lo"], [1], mul=["L"]))

    def less(g: Goal, a: str, b: str) -> None:
        p = g.by_fact("pow_base_anti_strict", a, b, "2 - L")
        i = g.by_fact("ipow_strict", a, b, "L")
        g.have(f"0 < ws*d - (d-1)*{b}^L")
        q = g.by_fact(
            "pow_base_anti_strict",
            f"ws*d - (d-1)*{b}^L",
            f"ws*d - (d-1)*{a}^L",
            "(2-L)/L",
            by=[None, lambda g: g.pos([f"@{i}", "d - 1"]), None],
        )
        s = 1 if a == "y" else -1
        g.contra()
        g.pos([f"@{p}"], [f"@{q}"], eqs=[("at_y", s), ("at_z", -s)])

    t = g.fact("trichotomy", "y", "z")
    g.cases(t, lambda g: less(g, "y", "z"), None, lambda g: less(g, "z", "y"))


@part(
    IMPLICIT,
    "unique-8",
    f"""all d L:Z, ws c y z:R. 2 <= d => 3 <= L => 0 < y => 0 < z => y^L < ws*d => z^L < ws*d =>
        {eq8("y", "c")} => {eq8("z", "c")} => y = z""",
)
def first_equation_has_one_root(g: Goal) -> None:
    """The left side decreases strictly."""
    g.intro("d_lo", "L_lo", "y_lo", "z_lo", "y_hi", "z_hi", "at_y", "at_z")
    g.have("0 < d - 1")
    g.have("(2-L)/L < 0", lambda g: g.pos(["@L_lo"], [1], mul=["L"]))

    def less(g: Goal, a: str, b: str) -> None:
        p = g.by_fact("pow_base_anti_strict", a, b, "2 - L")
        i = g.by_fact("ipow_strict", a, b, "L")
        hb = "z_hi" if b == "z" else "y_hi"
        g.have(f"0 < (ws*d - {b}^L)/(d-1)", lambda g: g.pos([f"@{hb}", "1/(d-1)"]))
        q = g.by_fact(
            "pow_base_anti_strict",
            f"(ws*d - {b}^L)/(d-1)",
            f"(ws*d - {a}^L)/(d-1)",
            "(2-L)/L",
            by=[None, lambda g: g.pos([f"@{i}", "1/(d-1)"]), None],
        )
        s = 1 if a == "y" else -1
        g.contra()
        g.pos([f"@{p}"], [f"@{q}"], eqs=[("at_y", -s), ("at_z", s)])

    t = g.fact("trichotomy", "y", "z")
    g.cases(t, lambda g: less(g, "y", "z"), None, lambda g: less(g, "z", "y"))


@part(
    IMPLICIT,
    "exists-9",
    f"""all d L:Z, ws c:R. 2 <= d => 3 <= L => 0 < ws => c < 0 => ex x:R. 0 < x and x^L < ws and {eq9("x", "c")}""",
)
def second_equation_has_a_root(g: Goal) -> None:
    """At s0 with s0^(2-L) = w*^((2-L)/L) - c the left side is at most c, at w*^(1/L) it is 0: intermediate value."""
    g.intro("d_lo", "L_lo", "ws_lo", "c_hi")
    g.have("0 < d - 1")
    g.have("2 - L < 0")
    g.have("2 - L != 0")
    g.have("(2-L)/L < 0", lambda g: g.pos(["@L_lo"], [1], mul=["L"]))
    w = g.obtain(g.have("ex w:R. w = ws^(1/L)", lambda g: (g.witness("ws^(1/L)"), g.refl())[-1]), "w")[0]
    g.have("0 < w", lambda g: (g.rewrite(w), g.auto())[-1])
    wl = g.have("w^L = ws", lambda g: (g.rewrite(w), h := power_of_power(g, "ws", "1/L", "L", "1"), g.rewrite(h), g.field())[-1])
    wk = g.have(
        "w^(2-L) = ws^((2-L)/L)",
        lambda g: (g.rewrite(w), h := power_of_power(g, "ws", "1/L", "2-L", "(2-L)/L"), g.close_by(h))[-1],
    )
    g.have("0 < w^(2-L) - c", lambda g: g.pos(["w^(2-L)"], ["@c_hi"]))
    s = g.obtain(
        g.have("ex s:R. s = (w^(2-L) - c)^(1/(2-L))", lambda g: (g.witness("(w^(2-L) - c)^(1/(2-L))"), g.refl())[-1]), "s"
    )[0]
    g.have("0 < s", lambda g: (g.rewrite(s), g.auto())[-1])
    sk = g.have("s^(2-L) = w^(2-L) - c", lambda g: (g.rewrite(s), power_root(g))[-1])

    def below(g: Goal) -> None:
        g.contra("not_less")
        h = g.by_fact("pow_base_anti", "w", "s", "2 - L")
        g.pos([f"@{h}"], ["@c_hi"], eqs=[(sk, 1)])

    g.have("s < w", below)
    f = "(ws*d - (d-1)*x^L)^((2-L)/L) - x^(2-L)"

    def above(g: Goal, x: str) -> None:
        """w* <= w* d - (d-1) x^L for 0 < x <= w."""
        i = g.by_fact("ipow_mono", x, "w", "L")
        g.pos([f"@{i}", "d - 1"], eqs=[(wl, "-(d-1)")])

    def smooth(g: Goal) -> None:
        t = g.fix()[0]
        g.split_all(g.assume())
        g.have(f"0 < {t}")
        g.have(f"ws <= ws*d - (d-1)*{t}^L", lambda g: above(g, t))
        g.auto()

    def ends(g: Goal) -> None:
        g.left_or_right(0)
        b = g.have("ws <= ws*d - (d-1)*s^L", lambda g: above(g, "s"))
        p = g.by_fact("pow_base_anti", "ws", "ws*d - (d-1)*s^L", "(2-L)/L")
        e = g.have("(ws*d - (d-1)*w^L)^((2-L)/L) = ws^((2-L)/L)", lambda g: g.ctx(lambda g: g.field((wl, "-(d-1)"))))
        del b
        g.conj(lambda g: g.pos([f"@{p}"], eqs=[(sk, 1), (wk, 1)]), lambda g: g.pos(["@c_hi"], eqs=[(e, 1), (wk, -1)]))

    r = g.obtain(g.by_fact("intermediate_value", "s", "w", "c", f"lam x:R. {f}", by=[smooth, None, ends]), "x")

    def strict(g: Goal) -> None:
        g.have("0 < x")

        def at_end(g: Goal) -> None:
            g.contra()
            e = g.have("(ws*d - (d-1)*w^L)^((2-L)/L) - w^(2-L) = c", lambda g: (g.replace("w", "x"), g.close_by(r[2]))[-1])
            k = g.have("(ws*d - (d-1)*w^L)^((2-L)/L) = ws^((2-L)/L)", lambda g: g.ctx(lambda g: g.field((wl, "-(d-1)"))))
            g.pos(["@c_hi"], eqs=[(e, -1), (k, 1), (wk, -1)])

        def inside(g: Goal) -> None:
            i = g.by_fact("ipow_strict", "x", "w", "L")
            g.pos([f"@{i}"], eqs=[(wl, -1)])

        g.cases(g.by_fact("lt_or_eq", "x", "w"), inside, at_end)

    g.witness("x")
    g.conj(None, strict, None)


def power_root(g: Goal) -> None:
    """(z^(1/(2-L)))^(2-L) = z."""
    h = g.by_fact("pow_pow", "w^(2-L) - c", "1/(2-L)", "2-L")
    e = g.have("(w^(2-L) - c)^((1/(2-L))*(2-L)) = w^(2-L) - c", lambda g: g.field())
    g.field((h, 1), (e, 1))


@part(
    IMPLICIT,
    "constant-negative",
    f"all d L:Z, al m:R. 2 <= d => 3 <= L => 0 < al => 1 < m => {C} < 0",
)
def the_constant_is_negative(g: Goal) -> None:
    """A negative power of the larger base is smaller."""
    g.intro()
    g.have("0 < m - 1")
    g.have("0 < m + d - 1")
    h = g.by_fact("pow_base_anti_strict", "m - 1", "m + d - 1", "2 - L")
    g.pos(["(al/m)^(2-L)", f"@{h}"])


@part(
    IMPLICIT,
    "exists-8",
    f"""all d L:Z, ws c:R. 2 <= d => 3 <= L => 0 < ws => c < 0 => ex x:R. 0 < x and ws < x^L and x^L < ws*d and
        {eq8("x", "c")}""",
)
def first_equation_has_a_root(g: Goal) -> None:
    """The partner of the root s of the second equation: x^L = w* d - (d-1) s^L."""
    g.intro()
    h = g.lemma(IMPLICIT, "part:exists-9", "d", "L", "ws", "c")
    _s_lo, s_hi, eq = g.obtain(h, "s")
    g.have("0 < d - 1")
    g.have("0 < s^L")
    y = "ws*d - (d-1)*s^L"
    low = g.have(f"ws < {y}", lambda g: g.pos([f"@{s_hi}", "d - 1"]))
    g.have(f"0 < {y}")
    x = g.obtain(g.have(f"ex x:R. x = ({y})^(1/L)", lambda g: (g.witness(f"({y})^(1/L)"), g.refl())[-1]), "x")[0]
    g.have("0 < x", lambda g: (g.rewrite(x), g.auto())[-1])
    z = g.obtain(g.have(f"ex z:R. z = {y}", lambda g: (g.witness(y), g.refl())[-1]), "z")[0]
    g.have("0 < z", lambda g: (g.rewrite(z), g.auto())[-1])
    x = g.have("x = z^(1/L)", lambda g: (g.rewrite(z), g.close_by(x))[-1])
    xl = g.have("x^L = z", lambda g: (g.rewrite(x), h := power_of_power(g, "z", "1/L", "L", "1"), g.rewrite(h), g.field())[-1])
    xk = g.have(
        "x^(2-L) = z^((2-L)/L)", lambda g: (g.rewrite(x), h := power_of_power(g, "z", "1/L", "2-L", "(2-L)/L"), g.close_by(h))[-1]
    )
    eq = g.have("z^((2-L)/L) - s^(2-L) = c", lambda g: (g.rewrite(z), g.close_by(eq))[-1])
    b = g.have("(ws*d - x^L)/(d-1) = s^L", lambda g: g.field((xl, "-1/(d-1)"), (z, "-1/(d-1)")))
    q = power_of_power(g, "s", "L", "(2-L)/L", "2-L")

    def equation(g: Goal) -> None:
        g.rewrite(b)
        g.rewrite(q)
        g.field((xk, 1), (eq, 1))

    g.witness("x")
    g.conj(
        None,
        lambda g: g.pos([f"@{low}"], eqs=[(xl, 1), (z, 1)]),
        lambda g: g.pos(["d - 1", "s^L"], eqs=[(xl, -1), (z, -1)]),
        equation,
    )


UNIQUE_8 = (
    f"(ex x:R. 0 < x and ws < x^L and x^L < ws*d and {eq8('x', C)} and all y:R. 0 < y => y^L < ws*d => {eq8('y', C)} => y = x)"
)
UNIQUE_9 = f"(ex x:R. 0 < x and x^L < ws and {eq9('x', C)} and all y:R. 0 < y => (d-1)*y^L < ws*d => {eq9('y', C)} => y = x)"
PARAMETERS = "all d L:Z, ws al m:R. 2 <= d => 3 <= L => 0 < ws => 0 < al => 1 < m =>"


@part("shin2025.eq-8", "one-root", f"{PARAMETERS} {UNIQUE_8}", uses=[IMPLICIT])
def exactly_one_largest_value(g: Goal) -> None:
    """Existence and uniqueness for a negative constant."""
    g.intro()
    g.lemma(IMPLICIT, "part:constant-negative", "d", "L", "al", "m")
    h = g.lemma(IMPLICIT, "part:exists-8", "d", "L", "ws", C)
    hs = g.obtain(h, "x")
    g.witness("x")

    def unique(g: Goal) -> None:
        g.intro()
        g.close_by(g.lemma(IMPLICIT, "part:unique-8", "d", "L", "ws", C, "y", "x"))

    g.conj(None, None, None, lambda g: g.close_by(hs[3]), unique)


@part("shin2025.eq-9", "one-root", f"{PARAMETERS} {UNIQUE_9}", uses=[IMPLICIT])
def exactly_one_smaller_value(g: Goal) -> None:
    """Existence and uniqueness for a negative constant."""
    g.intro()
    g.lemma(IMPLICIT, "part:constant-negative", "d", "L", "al", "m")
    h = g.lemma(IMPLICIT, "part:exists-9", "d", "L", "ws", C)
    hs = g.obtain(h, "x")
    g.witness("x")

    def unique(g: Goal) -> None:
        g.intro()
        k = g.have("(d-1)*x^L < ws*d", lambda g: (g.have("0 < d - 1"), g.pos(["d - 1", f"@{hs[1]}"], ["ws"]))[-1])
        del k
        g.close_by(g.lemma(IMPLICIT, "part:unique-9", "d", "L", "ws", C, "y", "x"))

    g.conj(None, None, lambda g: g.close_by(hs[2]), unique)


def implicit(g: Goal) -> tuple[str, str, list[str]]:
    """Both equations for the limiting eigenvalues A and B."""
    hs = limits(g)
    power = g.apply(hs[7])
    na = g.by_fact("pow_mul", "al/m", "m + d - 1", "2 - L")
    nb = g.by_fact("pow_mul", "al/m", "m - 1", "2 - L")
    ea = g.have("(al - al/m + d*(al/m))^(2-L) = (al/m*(m + d - 1))^(2-L)", lambda g: g.ctx(lambda g: g.field()))
    eb = g.have("(al - al/m)^(2-L) = (al/m*(m - 1))^(2-L)", lambda g: g.ctx(lambda g: g.field()))
    pw = g.have("(al - al/m + d*(al/m))^(2-L) - (al - al/m)^(2-L) = A^(2-L) - B^(2-L)", lambda g: matched(g, power))
    diff = g.have(f"A^(2-L) - B^(2-L) = {C}", lambda g: g.field((pw, -1), (ea, 1), (eb, -1), (na, 1), (nb, -1)))
    h = g.lemma(
        IMPLICIT,
        "part:combined",
        "d",
        "L",
        "ws",
        C,
        "A",
        "B",
        by=[None, None, None, None, lambda g: g.close_by(diff), lambda g: g.close_by(hs[3])],
    )
    x, y = g.split(h)
    return x, y, hs


def matched(g: Goal, power: str) -> None:
    """The conserved difference with the sums written in one way."""
    f = g.hyp_formula(power)[2]
    e = g.have(
        ("=", f, g.term("(al - al/m + d*(al/m))^(2-L) - (al - al/m)^(2-L)")),
        lambda g: g.ctx(lambda g: g.ctx(lambda g: g.field())),
    )
    g.rewrite(e, back=True)
    g.field((power, -1))


@holds(
    "shin2025.eq-8",
    at_limit(f"all l:Z. {LAYER} => {eq8('sv(V(l),1)', C)}", "3 <= L"),
    argument="sound",
    context=AT_LIMIT,
    uses=[*USES, IMPLICIT],
)
def equation_for_the_largest_singular_value(g: Goal) -> None:
    """(29) at infinity and (30); the bracket is sigma_r^L."""
    open_limit(g)
    g.assume("deep")
    g.intro()
    x, _, hs = implicit(g)
    one, _ = values_of(g, "V(l)", "A", "B", g.apply(hs[4], "l"))
    g.rewrite(one)
    g.close_by(x)


@holds(
    "shin2025.eq-9",
    at_limit(f"all l i:Z. {LAYER} => 2 <= i and i <= d => {eq9('sv(V(l),i)', C)}", "3 <= L"),
    argument="sound",
    context=AT_LIMIT,
    uses=[*USES, IMPLICIT],
)
def equation_for_the_other_singular_values(g: Goal) -> None:
    """(29) at infinity and (30); the bracket is sigma_1^L."""
    open_limit(g)
    g.assume("deep")
    g.intro()
    _, y, hs = implicit(g)
    _, rest = values_of(g, "V(l)", "A", "B", g.apply(hs[4], "l"))
    g.rewrite(g.apply(rest, "i"))
    g.close_by(y)


@holds(
    IMPLICIT,
    at_limit(
        f"""(all l:Z. {LAYER} => {eq8("sv(V(l),1)", C)} and all y:R. 0 < y => y^L < ws*d => {eq8("y", C)} => y = sv(V(l),1)) and
        (all l i:Z. {LAYER} => 2 <= i and i <= d => {eq9("sv(V(l),i)", C)} and all y:R. 0 < y => (d-1)*y^L < ws*d =>
        {eq9("y", C)} => y = sv(V(l),i))""",
        "3 <= L",
    ),
    argument="sound",
    context=AT_LIMIT
    + (
        "; that the limits are determined means: they are the only positive roots for which the brackets are positive "
        "[notation]"
    ),
    uses=USES,
)
def the_limits_are_determined(g: Goal) -> None:
    """Both equations, each with one root."""
    open_limit(g)
    g.assume("deep")
    x, y, hs = implicit(g)
    g.have("0 < d - 1")
    g.have("0 < A^L")
    g.have("0 < B^L")
    a = g.have("A^L < ws*d", lambda g: g.pos(["d - 1", "B^L"], eqs=[(hs[3], "d")]))
    b = g.have("(d-1)*B^L < ws*d", lambda g: g.pos(["A^L"], eqs=[(hs[3], "d")]))
    del a, b

    def first(g: Goal) -> None:
        g.intro()
        one, _ = values_of(g, "V(l)", "A", "B", g.apply(hs[4], "l"))
        g.rewrite(one)
        g.conj(
            lambda g: g.close_by(x),
            lambda g: (g.intro(), g.close_by(g.lemma(IMPLICIT, "part:unique-8", "d", "L", "ws", C, "y", "A")))[-1],
        )

    def second(g: Goal) -> None:
        g.intro()
        _, rest = values_of(g, "V(l)", "A", "B", g.apply(hs[4], "l"))
        g.rewrite(g.apply(rest, "i"))
        g.conj(
            lambda g: g.close_by(y),
            lambda g: (g.intro(), g.close_by(g.lemma(IMPLICIT, "part:unique-9", "d", "L", "ws", C, "y", "B")))[-1],
        )

    g.conj(first, second)


@holds(
    "shin2025.def-constant-c",
    """all d L:Z, al m c:R. 2 <= d => 3 <= L => 0 < al => 1 < m => c = (al/m)^(2-L)*((m + d - 1)^(2-L) - (m - 1)^(2-L)) =>
       0 < al/m and 0 < m + d - 1 and 0 < m - 1 and c = (al*(1 + (d-1)/m))^(2-L) - (al*(1 - 1/m))^(2-L) and c < 0""",
    argument="sound",
    reading="a definition is not true or false: its powers have positive bases, and it is what Theorem 4 uses it "
    "for, the difference of "
    "the powers 2 - L of the two initial eigenvalues; it is negative",
)
def the_constant_is_well_defined(g: Goal) -> None:
    """Powers of products; a negative power decreases."""
    _, deep, _, _, c = g.intro()
    g.have("0 < al/m")
    g.have("0 < m - 1")
    g.have("0 < m + d - 1")
    first = g.by_fact("pow_mul", "al/m", "m + d - 1", "2 - L")
    second = g.by_fact("pow_mul", "al/m", "m - 1", "2 - L")
    anti = g.by_fact("pow_base_anti_strict", "m - 1", "m + d - 1", "2 - L", by=[None, None, lambda g: g.pos([f"@{deep}"], [1])])
    a = g.have("(al*(1 + (d-1)/m))^(2-L) = (al/m*(m + d - 1))^(2-L)", lambda g: g.ctx(lambda g: g.field()))
    b = g.have("(al*(1 - 1/m))^(2-L) = (al/m*(m - 1))^(2-L)", lambda g: g.ctx(lambda g: g.field()))
    g.have("0 < (al/m)^(2-L)", name="scale")

    def difference(g: Goal) -> None:
        g.rewrite(a)
        g.rewrite(b)
        g.rewrite(first)
        g.rewrite(second)
        g.rewrite(c)
        g.field()

    g.conj(None, None, None, difference, lambda g: g.pos([f"@{anti}", "@scale"], eqs=[(c, -1)]))
