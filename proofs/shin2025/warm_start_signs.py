"""Appendix G.2: signs along the reduced flow (51), by first exits. With x = w11 - w, f = w12* - w12 and g = a11 a21 + a12 a22

    x' = -|A|^2 x + f g,   f' = -2 (a11^2 + a12^2) f + 2 x g,   g' = w11 f - x (w12 + w21),   w11 (w12 + w21) = |A|^2 g,

so that x, f, g stay positive once they are, and they become positive at once.
"""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import ALL, CORE, CROSS, ROW1, W11, W12, W21, E, F, at, of_reduced, rates, reduced
from verify.kernel import Goal
from verify.registry import part

THREE = """all a:R, x y z:R~>R. 0 < x(a) => 0 < y(a) => 0 < z(a) =>
  (all c:R. a < c => (all t:R. a <= t => t < c => 0 < x(t) and 0 < y(t) and 0 < z(t)) => 0 < x(c) and 0 < y(c) and 0 < z(c)) =>
  all t:R. a <= t => 0 < x(t) and 0 < y(t) and 0 < z(t)"""


@part(CORE, "three", THREE, says="Three functions that are positive at a and cannot leave the positive octant stay in it.")
def three_functions_stay_positive(g: Goal) -> None:
    """The first zero of any of them leads to a first time at which one of them vanishes while all were positive before."""
    *_, step, _later = g.intro()

    def exit_before(g: Goal, n: str, end: str, known: list[str]) -> None:
        """n is not positive at `end`, where a <= end; `known` are positive on [a, end)."""
        g.have(f"{n}({end}) <= 0")
        h = g.by_fact("first_exit", "a", end, n)
        hs = g.obtain(h, "c")
        c = g.seq.hyps[hs[0]][2]
        zero = hs[2]
        positive = {n: hs[3]}
        for k, hk in known:

            def earlier(g: Goal, hk: str = hk) -> None:
                (u,) = g.fix("u")
                g.split_all(g.assume())
                g.apply(hk, u)
                g.auto()

            positive[k] = g.have(f"all t:R. a <= t and t < {c} => 0 < {k}(t)", earlier)
        descend(g, n, c, zero, positive)

    def descend(g: Goal, n: str, c: str, zero: str, positive: dict[str, str]) -> None:
        others = [k for k in "xyz" if k not in positive]
        if not others:

            def before(g: Goal) -> None:
                (u,) = g.fix("u")
                g.assume()
                g.assume()
                g.conj(*[lambda g, k=k: (g.apply(positive[k], u), g.auto()) for k in "xyz"])

            g.split_all(g.apply(step, c, by=[None, before]))
            g.contra()
            g.nlin(products=1)
            return
        k = others[0]

        def no(g: Goal) -> None:
            hs = g.obtain(list(g.seq.hyps)[-1], "u")
            u = g.seq.hyps[hs[0]][2]
            exit_before(g, k, u, list(positive.items()))

        def yes(g: Goal) -> None:
            descend(g, n, c, zero, {**positive, k: list(g.seq.hyps)[-1]})

        g.em(f"all t:R. a <= t and t < {c} => 0 < {k}(t)", yes, no)

    def positive(g: Goal, n: str) -> None:
        g.em(f"0 < {n}(t)", None, lambda g: exit_before(g, n, "t", []))

    g.conj(*[lambda g, n=n: positive(g, n) for n in "xyz"])


@part(CORE, "balance", reduced("all t:R. 0 <= t => p(t)^2 + r(t)^2 = q(t)^2 + s(t)^2"), says="(54) for the solutions of (51).")
def columns_have_equal_norm(g: Goal) -> None:
    """The difference has derivative 0 and is w - w at the start."""
    hs = g.intro()

    def flat(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        g.field(rw=rates(g, hs[6], x))

    g.by_fact("sqrt_sq", "w")
    h = g.by_fact("constant", "0", "lam t:R. p(t)^2 + r(t)^2 - q(t)^2 - s(t)^2", by=[None, flat])
    k = g.apply(h, "t")
    z = g.have("p(0)^2 + r(0)^2 - q(0)^2 - s(0)^2 = 0", lambda g: g.field(rw=hs[2:6]))
    g.field((k, 1), (z, 1))


LOSS = f"({E}^2 + {F}^2/2)"


@part(CORE, "loss-start", reduced(f"all t:R. 0 <= t => {LOSS} <= v^2/2"), says="The loss never exceeds its value at the start.")
def loss_is_at_most_its_start(g: Goal) -> None:
    """The loss has derivative -|A'|^2 - |B'|^2, which is -2 (p'^2 + q'^2 + r'^2 + s'^2) here."""
    hs = g.intro()

    def down(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        k = rates(g, hs[6], x)
        e, f = at(E, x), at(F, x)
        slopes = [f"s({x})*{e} + q({x})*{f}", f"r({x})*{e} + p({x})*{f}", f"q({x})*{e}", f"p({x})*{e}"]
        g.pos(*[["2", f"({y})^2"] for y in slopes], rw=k)

    root = g.by_fact("sqrt_sq", "w")
    h = g.by_fact("nonincreasing", "0", f"lam t:R. {LOSS}", by=[None, down])
    k = g.apply(h, "0", "t")
    z = g.have(f"{at(LOSS, '0')} = v^2/2", lambda g: g.field((root, "w - sqrt(w)^2"), rw=hs[2:6]))
    g.pos(["@" + k], eqs=[(z, -1)])


X, SUM = f"({W11} - w)", f"({W12} + {W21})"
SIGNS = f"0 < {X} and 0 < {F} and 0 < {CROSS}"


def factor(g: Goal, rate: str, name: str) -> str:
    """Bring in an antiderivative, of the given (new) name, of a rate (a text about t); returns the hypothesis that says so."""
    h = g.by_fact("antiderivative", f"lam t:R. {rate}")
    return g.obtain(h, name)[1]


@part(
    CORE,
    "octant",
    reduced(f"all c:R. 0 <= c => {at(SIGNS, 'c')} => all t:R. c <= t => {SIGNS}"),
    says="Once x, f, g are positive they stay positive.",
)
def octant_is_not_left(g: Goal) -> None:
    """Integrating factors: x e^K with K' = |A|^2, f e^K with K' = 2 (a11^2 + a12^2) and g e^K with K' = |A|^2 x/w do not
    decrease while all three are positive; hence none can be the first to vanish."""
    hs = g.intro()
    balance = of_reduced(g, hs, "balance")
    three = g.lemma(CORE, "part:three")

    def step(g: Goal) -> None:
        (e,) = g.fix("e")
        g.assume()
        before = g.assume()

        def kept(rate: str, value: str, grow: str) -> str:
            name = f"K{grow}"
            h = factor(g, rate, name)

            def slope(g: Goal) -> None:
                (u,) = g.fix("u")
                g.split_all(g.assume())
                ks = [*rates(g, hs[6], u), g.apply(h, u)]
                px, pf, pg = g.split_all(g.apply(before, u))
                exp = f"exp({name}({u}))"
                if grow == "x":
                    g.pos([exp, "@" + pf, "@" + pg], rw=ks)
                elif grow == "f":
                    g.pos(["2", exp, "@" + px, "@" + pg], rw=ks)
                else:
                    b = g.apply(balance, u)
                    w11 = g.have(f"0 < {at(W11, u)}", lambda g: g.nlin(products=1))
                    known = g.have(
                        f"{at(SUM, u)}*{at(W11, u)} = {at(ALL, u)}*{at(CROSS, u)}",
                        lambda g: g.field((b, f"q({u})*s({u}) - p({u})*r({u})")),
                    )
                    g.pos(
                        ["w", exp, "@" + w11, "@" + w11, "@" + pf],
                        [exp, at(ALL, u), "@" + px, "@" + px, "@" + pg],
                        mul=["w", "@" + w11],
                        eqs=[(known, f"-w*{exp}*{at(X, u)}")],
                        rw=ks,
                    )

            h = g.by_fact("mean_value_le", "c", e, f"lam t:R. {value}*exp({name}(t))", by=[None, slope, None])
            return g.have(
                f"0 < {at(value, e)}",
                lambda g: g.pos(["@" + h], [f"exp({name}(c))", "@" + start[grow]], mul=[f"exp({name}({e}))"]),
            )

        start = dict(zip("xfg", hs[8:11], strict=True))
        got = [kept(ALL, X, "x"), kept(f"2*{ROW1}", F, "f"), kept(f"{ALL}*{X}/w", CROSS, "g")]
        g.conj(*[lambda g, h=h: g.exact(h) for h in got])

    stays = g.apply(three, "c", f"lam t:R. {X}", f"lam t:R. {F}", f"lam t:R. {CROSS}", by=[None, None, None, step])
    g.close_by(g.apply(stays, "t"))


def smaller(g: Goal, a: str, b: str, name: str) -> list[str]:
    """A positive number that is at most a and at most b."""

    def choose(g: Goal, c: str) -> None:
        g.witness(c)
        g.auto()

    def pick(g: Goal) -> None:
        g.cases(g.fact("total", a, b), lambda g: choose(g, a), lambda g: choose(g, b))

    return g.obtain(g.have(f"ex {name}:R. 0 < {name} and {name} <= {a} and {name} <= {b}", pick), name)


@part(CORE, "signs", reduced(f"all t:R. 0 < t => {SIGNS}"), says="x, f, g are positive for t > 0.")
def signs_after_the_start(g: Goal) -> None:
    """At the start f = w12* > 0, g = 0 with slope w* w12* > 0; so f and g are positive just after it, then x e^K
    increases from 0."""
    hs = g.intro()
    octant = of_reduced(g, hs, "octant")
    root = g.by_fact("sqrt_sq", "w")
    start = [*rates(g, hs[6], "0"), *hs[2:6]]
    square = (root, "1")
    f0 = g.have(f"{at(F, '0')} = v", lambda g: g.field(rw=start))
    g0 = g.have(f"{at(CROSS, '0')} = 0", lambda g: g.field(rw=start))
    x0 = g.have(f"{at(X, '0')} = 0", lambda g: g.field(square, rw=start))
    g.have(f"0 < D(t, {CROSS}, 0)", lambda g: g.pos(["w", "v"], eqs=[(root, "-v")], rw=start))
    near_f = g.obtain(g.by_fact("persistence", "0", f"lam t:R. {F}", by=[None, lambda g: g.pos(["v"], eqs=[(f0, "1")])]), "e1")
    near_g = g.obtain(g.by_fact("derivative_sign_right", "0", f"lam t:R. {CROSS}"), "e2")
    smaller(g, "e1", "e2", "e3")
    smaller(g, "e3", "t", "c")
    k = factor(g, ALL, "K")

    def early(g: Goal, u: str) -> tuple[str, str]:
        """f and g are positive at u in (0, c)."""
        f = g.apply(near_f[1], u)
        h = g.apply(near_g[1], u)
        return f, g.have(f"0 < {at(CROSS, u)}", lambda g: g.pos(["@" + h], eqs=[(g0, "1")]))

    def grows(g: Goal) -> None:
        (u,) = g.fix("u")
        g.split_all(g.assume())
        ks = [*rates(g, hs[6], u), g.apply(k, u)]
        f, h = early(g, u)
        g.pos([f"exp(K({u}))", "@" + f, "@" + h], rw=ks)

    up = g.by_fact("mean_value_lt", "0", "c", f"lam t:R. {X}*exp(K(t))", by=[None, grows])
    x = g.have(f"0 < {at(X, 'c')}", lambda g: g.pos(["@" + up], mul=["exp(K(c))"], eqs=[(x0, "exp(K(0))")]))
    f, h = early(g, "c")
    later = g.apply(octant, "c", by=[None, lambda g: g.conj(*[lambda g, y=y: g.close_by(y) for y in (x, f, h)])])
    g.close_by(g.apply(later, "t"))
