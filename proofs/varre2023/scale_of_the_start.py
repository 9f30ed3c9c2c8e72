"""Discussion after Corollary 3.1: how the scale of the initialisation shapes the singular values of the first layer."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.flows import TWO_LAYERS
from proofs.varre2023.limit_spectrum import LEADING, SHARED, WITH_LEAST, spectrum
from proofs.varre2023.network_and_loss import size
from proofs.varre2023.projection_steps import VARS
from verify.kernel import Goal
from verify.registry import holds

USES = [LEADING]
LIMIT = "ex A:M(p,l). tends(t, W1(t), A) and"
UNIFORM = "bounds for every gamma > 0, from which the limit follows; beta_* is S"


def root_bounds(g: Goal, x: str, nonneg: str) -> tuple[str, str]:
    """x <= sqrt(c^2 + x^2) <= c + x."""
    g.have(f"0 < c^2 + {x}^2")
    root = f"sqrt(c^2 + {x}^2)"
    g.have(f"0 < {root}")
    square = g.have(f"{root}^2 = c^2 + {x}^2", lambda g: g.field())

    def low(g: Goal) -> None:
        less = g.contra()
        g.pos([f"@{less}", f"{root} + {x}"], ["c^2"], eqs=[(square, 1)])

    def high(g: Goal) -> None:
        less = g.contra()
        g.pos([f"@{less}", f"{root} + c + {x}"], [2, "c", f"@{nonneg}"], eqs=[(square, -1)])

    return g.have(f"{x} <= {root}", low), g.have(f"{root} <= c + {x}", high)


@holds(
    "varre2023.assertion-vanishing-rank-k",
    f"""{WITH_LEAST} {LIMIT} all i:Z. 1 <= i => i <= p => sv(S,i) <= sv(A,i)^2 and sv(A,i)^2 <= sv(S,i) + 2*c and (k < i => sv(A,i)^2 = 2*c)""",
    argument="sound",
    reading=f"{UNIFORM}: the i-th singular value tends to sqrt(sigma_i(beta_*)), and to 0 for i > k",
    uses=USES,
)
def small_scale_activates_k_values(g: Goal) -> None:
    """x <= gamma + sqrt(gamma^2 + x^2) <= x + 2 gamma."""
    names = g.intro()
    limit, _, first, _, none, signs = spectrum(g, names)
    g.witness("A")

    def bounds(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.assume()
        h = g.apply(first, "i")
        nonneg = g.split(g.apply(signs, "i"))[1]
        low, high = root_bounds(g, "sv(S,i)", nonneg)

        def beyond(g: Goal) -> None:
            g.assume()
            zero = g.apply(none, "i")
            g.rewrite(h)
            g.rewrite(zero)
            g.field()

        g.conj(lambda g: g.pos([f"@{low}"], ["c"], eqs=[(h, 1)]), lambda g: g.pos([f"@{high}"], eqs=[(h, -1)]), beyond)

    g.conj(using(limit), bounds)


@holds(
    "varre2023.assertion-large-gamma-isotropic",
    f"{WITH_LEAST} {LIMIT} all i:Z. 1 <= i => i <= p => 2*c <= sv(A,i)^2 and sv(A,i)^2/(2*c) <= 1 + sv(S,1)/(2*c)",
    argument="sound",
    reading="for every gamma > 0 each squared singular value is between 2 gamma and 2 gamma (1 + sigma_1(beta_*)/(2 gamma)), so all ratios tend to 1 as gamma grows",
    uses=USES,
)
def large_scale_keeps_the_layer_isotropic(g: Goal) -> None:
    """2 gamma <= gamma + sqrt(gamma^2 + x^2) <= 2 gamma + x."""
    names = g.intro()
    limit, _, first, _, _, signs = spectrum(g, names)
    g.witness("A")

    def bounds(g: Goal) -> None:
        g.fix("i")
        low = g.assume()
        g.assume()
        h = g.apply(first, "i")
        nonneg = g.split(g.apply(signs, "i"))[1]
        _, high = root_bounds(g, "sv(S,i)", nonneg)
        own = g.by_fact("sqrt_of_square", "c")
        more = g.by_fact("sqrt_mono", "c^2", "c^2 + sv(S,i)^2", by=[None, lambda g: g.pos(["sv(S,i)^2"])])
        order = g.apply(g.split(g.apply(g.fact("sv_range", "p", "k", "S"), 1, "i"))[1], by=[lambda g: g.conj(None, using(low))])
        g.conj(
            lambda g: g.pos([f"@{more}"], eqs=[(h, 1), (own, 1)]),
            lambda g: g.pos([f"@{high}"], [f"@{order}"], mul=["2*c"], eqs=[(h, -1)]),
        )

    g.conj(using(limit), bounds)


def one_output(g: Goal, names: list[str]) -> str:
    """sv(S,1)^2 = |S|^2 for k = 1."""
    one = names[9]
    total = g.by_fact("sv_frobenius", "p", "k", "S", by=[lambda g: g.pos([1], eqs=[(one, 1)])])
    whole = g.rewritten(total, one)
    return g.have(f"sv(S,1)^2 = {size('S')}", lambda g: g.field((whole, -1)))


def second_values(g: Goal, names: list[str], none: str) -> str:
    """sv(S,i) = 0 for i >= 2, for k = 1."""
    one = names[9]

    def zero(g: Goal) -> None:
        g.fix("i")
        h = g.assume()
        g.close_by(g.apply(none, "i", by=[lambda g: g.pos([f"@{h}"], [1], eqs=[(one, -1)])]))

    return g.have("all i:Z. 2 <= i => sv(S,i) = 0", zero)


@holds(
    "varre2023.assertion-small-gamma-rank-one",
    f"""{WITH_LEAST} k = 1 => all x:R. 0 < x => c <= x*sv(S,1) => sv(S,1)^2 = {size("S")} and
       {LIMIT} sv(S,1) <= sv(A,1)^2 and all i:Z. 2 <= i => i <= p => sv(A,i)^2 <= 2*x*sv(A,1)^2""",
    argument="sound",
    reading="if gamma is at most x |beta_*| then all singular values but the first are at most sqrt(2 x) times the first",
    uses=USES,
)
def small_scale_gives_rank_one(g: Goal) -> None:
    """The others are 2 gamma, the first is at least |beta_*|, all squared."""
    names = g.intro()
    small = names[11]
    norm = one_output(g, names)
    limit, _, first, _, none, signs = spectrum(g, names)
    rest = second_values(g, names, none)
    top = g.apply(first, 1)
    low, _ = root_bounds(g, "sv(S,1)", g.split(g.apply(signs, 1))[1])
    big = g.have("sv(S,1) <= sv(A,1)^2", lambda g: g.pos([f"@{low}"], ["c"], eqs=[(top, 1)]))

    def others(g: Goal) -> None:
        g.fix("i")
        two = g.assume()
        g.assume()
        h = g.apply(first, "i", by=[lambda g: g.pos([f"@{two}"], [1]), None])
        zero = g.apply(rest, "i")
        value = g.have("sv(A,i)^2 = 2*c", lambda g: (g.rewrite(h), g.rewrite(zero), g.field()))
        g.pos([2, f"@{small}"], [2, "x", f"@{big}"], eqs=[(value, -1)])

    g.conj(using(norm), lambda g: (g.witness("A"), g.conj(using(limit), using(big), others)))


@holds(
    "varre2023.assertion-large-gamma-no-low-rank",
    f"""{WITH_LEAST} k = 1 => all x:R. 0 < x => x*sv(S,1) <= c => sv(S,1)^2 = {size("S")} and
       {LIMIT} all i:Z. 1 <= i => i <= p => sv(A,1)^2 <= (1 + 1/(2*x))*sv(A,i)^2""",
    argument="sound",
    reading="if gamma is at least x |beta_*| then all d singular values are comparable, within a factor that depends on x alone",
    uses=USES,
)
def large_scale_has_no_low_rank(g: Goal) -> None:
    """The first is at most 2 gamma + |beta_*|, each at least 2 gamma, all squared."""
    names = g.intro()
    large = names[11]
    norm = one_output(g, names)
    limit, _, first, _, _, signs = spectrum(g, names)
    top = g.apply(first, 1)
    _, high = root_bounds(g, "sv(S,1)", g.split(g.apply(signs, 1))[1])
    own = g.by_fact("sqrt_of_square", "c")

    def each(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.assume()
        h = g.apply(first, "i")
        more = g.by_fact("sqrt_mono", "c^2", "c^2 + sv(S,i)^2", by=[None, lambda g: g.pos(["sv(S,i)^2"])])
        above = g.have("2*c <= sv(A,i)^2", lambda g: g.pos([f"@{more}"], eqs=[(h, 1), (own, 1)]))
        g.pos([2, "x", f"@{high}"], [f"@{large}", 2], ["2*x + 1", f"@{above}"], mul=["2*x"], eqs=[(top, "-2*x")])

    g.conj(using(norm), lambda g: (g.witness("A"), g.conj(using(limit), each)))


@holds(
    "varre2023.assertion-scalar-one-value-grows",
    f"""{TWO_LAYERS.replace("0 < c =>", "1 <= p => k = 1 => 0 < c =>", 1)} all t:R. 0 <= t =>
       sv(W1(t),1)^2 = c + sqrt(c^2 + {size("W1(t) @ W2(t)")}) and all i:Z. 2 <= i => i <= p => sv(W1(t),i)^2 = 2*c""",
    argument="sound",
    reading="at every time and for every gamma: the others keep the value sqrt(2 gamma) exactly",
    uses=["varre2023.lemma-3-1", "varre2023.lemma-3-2", SHARED, "varre2023.step-c-10-quadratic-identities"],
)
def one_singular_value_grows(g: Goal) -> None:
    """The singular values of Z1 = W1 P^T by the invariant; beta has one singular value, its norm."""
    names = g.intro()
    one, setting = names[1], names[2:7]
    lemma = g.lemma("varre2023.lemma-3-1", "statement", *VARS, by=[using(n) for n in setting])
    z1, z2 = "(W1(t) @ T(P))", "(P @ W2(t))"

    def flow(g: Goal) -> None:
        g.fix("u")
        g.assume()
        a, b, _, _ = g.split(g.apply(lemma, "u"))
        g.conj(lambda g: g.exact(a), lambda g: g.exact(b))

    inv = g.lemma(
        "varre2023.lemma-3-2",
        "statement",
        *("n", "p", "k", "l", "c", "X", "Y", "P", "lam t:R. W1(t) @ T(P)", "lam t:R. P @ W2(t)"),
        by=[using(setting[0]), using(setting[1]), lambda g: g.nc(rw=[setting[2]]), lambda g: g.nc(rw=[setting[3]]), flow],
    )
    now = g.apply(inv, "t")
    _, _, w1, w2 = g.split(g.apply(lemma, "t"))
    a, b = (
        g.obtain(g.have(f"ex {x}:{m}. {x} = {z}", lambda g, z=z: (g.witness(z), g.refl())), x)[0]
        for x, m, z in (("A", "M(p,p)", z1), ("B", "M(p,k)", z2))
    )
    kept = g.have("T(A) @ A - B @ T(B) = (2*c)*I(p)", lambda g: (g.rewrite(a), g.rewrite(b), g.nc((now, 1, None, None))))
    first = g.have("W1(t) = A @ P", lambda g: (g.rewrite(a), g.nc((w1, 1, None, None))))
    second = g.have("W2(t) = T(P) @ B", lambda g: (g.rewrite(b), g.nc((w2, 1, None, None))))
    shared = g.split(
        g.lemma(
            SHARED,
            "statement",
            *("p", "l", "k", "P", "W1(t)", "W2(t)", "A", "B"),
            by=[using(setting[1]), using(first), using(second)],
        )
    )[0]
    product = g.have(
        "W1(t) @ W2(t) = A @ B", lambda g: g.nc((first, 1, None, "W2(t)"), (second, 1, "A @ P", None), (setting[1], 1, "A", "B"))
    )
    total = g.by_fact("sv_frobenius", "p", "k", "A @ B", by=[lambda g: g.pos([1], eqs=[(one, 1)])])
    norm = g.have("sv(A @ B,1)^2 = tr(T(A @ B) @ (A @ B))", lambda g: single(g, total, one))

    def value(g: Goal, i: str, low: object, high: object) -> str:
        h = g.lemma(
            "varre2023.step-c-10-quadratic-identities",
            "part:first-layer",
            *("p", "k", i, "c", "A", "B"),
            by=[using(setting[0]), using(kept), low, high],  # type: ignore[list-item]
        )
        same = g.apply(shared, i, by=[low, high])  # type: ignore[list-item]
        own = g.split(h)[1]
        return g.have(f"sv(W1(t),{i})^2 = c + sqrt(c^2 + sv(A @ B,{i})^2)", lambda g: (g.rewrite(same), g.close_by(own)))

    def top(g: Goal) -> None:
        v = value(g, "1", lambda g: g.pos(), using(names[0]))
        g.rewrite(product)
        g.rewrite(v)
        g.rewrite(norm)
        g.refl()

    def others(g: Goal) -> None:
        g.fix("i")
        two, high = g.assume(), g.assume()
        v = value(g, "i", lambda g: g.pos([f"@{two}"], [1]), using(high))
        svd = g.obtain(g.fact("svd", "p", "k", "A @ B"), "U", "V", "D0")
        entry = g.apply(svd[4], "i")
        out = g.apply(g.fact("entry_outside", "p", "k", "D0"), "i", "i", n=0)
        zero = g.apply(out, by=[lambda g: (g.left_or_right(3), g.pos([f"@{two}"], [1], eqs=[(one, -1)]))])
        none = g.have("sv(A @ B,i) = 0", lambda g: g.field((entry, -1), (zero, 1)))
        g.rewrite(v)
        g.rewrite(none)
        g.field()

    g.conj(top, others)


def single(g: Goal, total: str, one: str) -> None:
    """The sum has one term."""
    g.have("sum(i, 1, k, sv(A @ B,i)^2) = sum(i, 1, 1, sv(A @ B,i)^2)", lambda g: (g.rewrite(one), g.refl()), name="short")
    g.field((total, -1), ("short", -1))
