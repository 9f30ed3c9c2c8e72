"""Appendix G.3.2: Corollary 27, the stable ranks of A and of Theta."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import CONTEXT, CORE, DECLARED, READING, SETTING, extremes, n2
from proofs.shin2025.small_loss import SMALL
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

BALANCED = "T(A(0)) @ A(0) = B(0) @ T(B(0))"
INDEX = "all i:Z, t:R. 1 <= i and i <= d => 0 <= t =>"
COROLLARY = f"{SETTING} {SMALL} => {BALANCED} =>"
DELTA = "(3/49*s/sqrt(d))"


def stable_rank(x: str) -> str:
    return f"{n2(x)}/spec({x})^2"


def printed_bound(start: str) -> str:
    c = "s/(4*sqrt(2*d))"
    return f"((sqrt(2)*sqrt({n2(start)}) - {c})/(sqrt(2)*spec({start}) + {c}))^2"


@part(CORE, "spectral-by-frobenius", "all m n:Z, c:R, X:M(m,n). 0 <= c => tr(T(X) @ X) <= c^2 => spec(X) <= c")
def spectral_norm_at_most_frobenius(g: Goal) -> None:
    """|X v| <= |X|_F |v|."""
    _c0, h = g.intro()

    def stretch(g: Goal) -> None:
        (v,) = g.fix("v")
        k = g.fact("frobenius_submultiplicative", "m", "n", 1, "X", v)
        g.pos([f"@{k}"], [f"@{h}", f"tr(T({v}) @ {v})"])

    g.close_by(g.by_fact("spec_least", "m", "n", "c", "X", by=[None, stretch]))


@part(
    CORE,
    "balanced",
    """all m k n:Z, A:R~>M(m,k), B:R~>M(k,n), G:R~>M(m,n). (all t:R. 0 <= t => A'(t) = -(G(t) @ T(B(t))) and B'(t) = -(T(A(t)) @ G(t))) =>
       T(A(0)) @ A(0) = B(0) @ T(B(0)) => all t:R. 0 <= t => T(A(t)) @ A(t) = B(t) @ T(B(t))""",
    says="gradient flow conserves A^T A - B B^T; G(t) is the gradient of the loss at the product",
)
def balance_is_conserved(g: Goal) -> None:
    """A^T A - B B^T has derivative 0."""
    f, b = g.intro()[:2]

    def flat(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()
        v, w = g.split(g.apply(f, t))
        g.nc(rw=[v, w])

    c = g.by_fact("constant_matrix", "k", "k", "0", "lam t:R. T(A(t)) @ A(t) - B(t) @ T(B(t))", by=[None, flat])
    c = g.apply(c, "t")
    g.nc((c, 1, None, None), (b, 1, None, None))


def balanced_now(g: Goal, flow: str) -> str:
    """Balancedness at the time t for the flow of the measurements."""

    def apart(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        g.close_by(g.apply(flow, u))

    k = g.lemma(CORE, "part:balanced", "d", "d", "d", "A", "B", "lam t:R. had(M, A(t) @ B(t) - Z)", by=[apart, None])
    return g.apply(k, "t")


def equal_singular_values(g: Goal, b: str, i: str) -> None:
    """Close sv(A(t),i) = sv(B(t),i) by equal Gram matrices."""
    p = g.by_fact("sv_gram", "d", "d", i, "A(t)")
    q = g.by_fact("sv_gram", "d", "d", i, "T(B(t))")
    e = g.have("T(T(B(t))) @ T(B(t)) = T(A(t)) @ A(t)", lambda g: g.nc((b, -1, None, None)))
    q = g.rewritten(q, e)
    r = g.fact("sv_transpose", "d", "d", i, "B(t)")
    sq = g.have(f"sv(A(t),{i})^2 = sv(B(t),{i})^2", lambda g: (g.rewrite(r, back=True), g.field((p, 1), (q, -1)))[-1])
    x = g.split(g.apply(g.fact("sv_range", "d", "d", "A(t)"), i, i))[0]
    y = g.split(g.apply(g.fact("sv_range", "d", "d", "B(t)"), i, i))[0]
    a, c = f"sv(A(t),{i})", f"sv(B(t),{i})"

    def less(u: str, sign: str) -> Script:
        def script(g: Goal) -> None:
            h = g.contra()
            g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", u], eqs=[(sq, sign)])

        return script

    g.antisym(less(c, "-1"), less(a, "1"))
    del x, y


@holds(
    "shin2025.corollary-27-sv-equal",
    f"{COROLLARY} {INDEX} sv(A(t),i) = sv(B(t),i)",
    argument="sound",
    uses=[CORE],
    reading=READING,
    context=CONTEXT,
    reason="The loss condition is not needed.",
)
def equal_values(g: Goal) -> None:
    """A^T A = B B^T at all times."""
    hs = g.intro()
    b = balanced_now(g, hs[2])
    equal_singular_values(g, b, "i")


@part(
    "shin2025.corollary-27-sv-deviation",
    "displacement",
    f"{SETTING} {SMALL} => all t:R. 0 <= t => spec(A(t) - A(0)) <= {DELTA} and {n2('A(t) - A(0)')} <= {DELTA}^2",
    says="A moves by at most 3 sigma_min/(49 sqrt d), also without balancedness",
    uses=[CORE],
)
def displacement_of_a(g: Goal) -> None:
    """The distance of Theta bounds that of A."""
    g.intro()
    g.have("0 < d")
    h = g.lemma(CORE, "part:captured", "d", "M", "Z", "A", "B", "s", "S")
    k = g.split(g.apply(h, "t"))[2]
    k = g.have(f"{n2('A(t) - A(0)')} <= {DELTA}^2", lambda g: g.pos([f"@{k}"], [n2("B(t) - B(0)")]))
    g.conj(lambda g: g.close_by(g.lemma(CORE, "part:spectral-by-frobenius", "d", "d", DELTA, "A(t) - A(0)")), None)


@holds(
    "shin2025.corollary-27-sv-deviation",
    f"{COROLLARY} {INDEX} abs(sv(A(t),i) - sv(A(0),i)) <= s/(4*sqrt(2*d))",
    argument="sound",
    reading=READING,
    context=CONTEXT,
    uses=["shin2025.corollary-27-sv-deviation", CORE],
    reason=(
        "The printed constant follows from K = sigma_min/(4 sqrt d) and sigma_i(Theta) = sqrt 2 sigma_i(A). "
        "Without balancedness and with a better constant: 3 sigma_min/(49 sqrt d) (part:displacement)."
    ),
)
def singular_values_move_little(g: Goal) -> None:
    """Weyl's inequality; 3/49 < 1/(4 sqrt 2)."""
    g.intro()
    g.have("0 < d")
    h = g.lemma("shin2025.corollary-27-sv-deviation", "part:displacement", "d", "M", "Z", "A", "B", "s", "S")
    k = g.split(g.apply(h, "t"))[0]
    w = g.fact("sv_perturbation", "d", "d", "i", "A(t)", "A(0)")
    r = g.have("3/49 <= 1/(4*sqrt(2))", lambda g: g.ball())
    g.pos([f"@{w}"], [f"@{k}"], [f"@{r}", "s/sqrt(d)"])


# ---------------------------------------------------------------- stable ranks


@part(CORE, "frobenius-by-spectral", f"all m n:Z, X:M(m,n). 1 <= n => {n2('X')} <= n*spec(X)^2")
def frobenius_norm_by_spectral_norm(g: Goal) -> None:
    """Each of the n singular values is at most the first."""
    (_n1,) = g.intro()
    f = g.by_fact("sv_frobenius", "m", "n", "X")
    r = g.fact("sv_range", "m", "n", "X")
    e = g.fact("spec_is_sv", "m", "n", "X")

    def below(g: Goal) -> None:
        (i,) = g.fix("i")
        g.split_all(g.assume())
        x0 = g.split(g.apply(r, i, i))[0]
        h = g.apply(g.split(g.apply(r, 1, i))[1])
        g.pos([f"@{h}", f"sv(X,1) + sv(X,{i})"])
        del x0

    m = g.by_fact("sum_mono", 1, "n", "lam i:Z. sv(X,i)^2", "lam i:Z. sv(X,1)^2", by=[below])
    c = g.by_fact("sum_const", 1, "n", "sv(X,1)^2")
    g.pos([f"@{m}"], eqs=[(f, "-1"), (c, "-1"), (e, "n*(spec(X) + sv(X,1))")])


@part(
    CORE,
    "frobenius-triangle",
    f"all m n:Z, k:R, X Y:M(m,n). 0 <= k => {n2('X - Y')} <= k^2 => sqrt({n2('Y')}) - k <= sqrt({n2('X')})",
)
def triangle_inequality(g: Goal) -> None:
    """Cauchy-Schwarz."""
    _k0, close = g.intro()
    ea = g.by_fact("sqrt_sq", n2("Y"))
    eb = g.by_fact("sqrt_sq", n2("X"))
    g.by_fact("sqrt_nonneg", n2("X"))
    g.by_fact("sqrt_nonneg", n2("Y"))
    a, b = f"sqrt({n2('Y')})", f"sqrt({n2('X')})"
    x = "tr(T(X) @ Y)"
    c = g.fact("frobenius_cauchy", "m", "n", "X", "Y")

    def product(g: Goal) -> None:
        h = g.contra()
        g.have(f"0 <= {a}*{b}")
        g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", a, b], [f"@{c}"], eqs=[(ea, f"{b}^2"), (eb, n2("Y"))])

    p = g.have(f"{x} <= {a}*{b}", product)

    def longer(g: Goal) -> None:
        h = g.contra()
        g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", "k"], [f"@{close}"], ["2", f"@{p}"], eqs=[(ea, "-1"), (eb, "-1")])

    longer(g)


@part(
    CORE,
    "stable-rank",
    f"""all m n:Z, k:R, X Y:M(m,n). 1 <= n => 0 <= k => {n2("X - Y")} <= k^2 => k < sqrt({n2("Y")}) =>
        ((sqrt({n2("Y")}) - k)/(spec(Y) + k))^2 <= {stable_rank("X")}""",
    says="a matrix that moves by at most k in the Frobenius norm keeps a stable rank of ((|Y|_F - k)/(|Y|_2 + k))^2",
)
def stable_rank_after_a_displacement(g: Goal) -> None:
    """|X|_F >= |Y|_F - k and |X|_2 <= |Y|_2 + k."""
    _n1, _k0, _close, inside = g.intro()
    g.by_fact("sqrt_sq", n2("Y"))
    eb = g.by_fact("sqrt_sq", n2("X"))
    g.by_fact("sqrt_nonneg", n2("X"))
    a, b = f"sqrt({n2('Y')})", f"sqrt({n2('X')})"
    g.have(f"0 < {a}", lambda g: g.pos([f"@{inside}"], ["k"]))
    low = g.lemma(CORE, "part:frobenius-triangle", "m", "n", "k", "X", "Y")
    g.have(f"0 < {b}", lambda g: g.pos([f"@{low}"], [f"@{inside}"]))
    d = g.lemma(CORE, "part:spectral-by-frobenius", "m", "n", "k", "X - Y")
    w = g.fact("sv_perturbation", "m", "n", 1, "X", "Y")
    w = g.have("abs(sv(X,1) - sv(Y,1)) <= k", lambda g: g.pos([f"@{w}"], [f"@{d}"]))
    w = g.split(g.apply(g.split(g.fact("abs_le", "sv(X,1) - sv(Y,1)", "k"))[0]))[1]
    e1, e2 = g.fact("spec_is_sv", "m", "n", "X"), g.fact("spec_is_sv", "m", "n", "Y")
    up = g.have("spec(X) <= spec(Y) + k", lambda g: g.pos([f"@{w}"], eqs=[(e1, "-1"), (e2, "1")]))
    r = g.fact("sv_range", "m", "n", "X")
    ry = g.split(g.apply(g.fact("sv_range", "m", "n", "Y"), 1, 1))[0]
    rx = g.split(g.apply(r, 1, 1))[0]
    g.have("0 <= spec(Y)", lambda g: g.pos([f"@{ry}"], eqs=[(e2, "1")]))
    x0 = g.have("0 <= spec(X)", lambda g: g.pos([f"@{rx}"], eqs=[(e1, "1")]))

    def positive(g: Goal) -> None:
        h = g.contra()
        k = g.lemma(CORE, "part:frobenius-by-spectral", "m", "n", "X")
        g.pos([b, b], [f"@{k}"], ["n", f"@{h}", f"@{x0}"], eqs=[(eb, "-1")])

    g.have("0 < spec(X)", positive)
    g.have(f"0 < {a} - k")
    m = g.have(f"({a} - k)*spec(X) <= {b}*(spec(Y) + k)", lambda g: g.pos([f"{a} - k", f"@{up}"], [f"@{low}", "spec(Y) + k"]))
    c = "(spec(Y) + k)"

    def denominator(g: Goal) -> None:
        h = g.contra()
        g.pos([f"{a} - k", "spec(X)"], [f"@{m}"], [b, f"@{h}"])

    g.have(f"0 < {c}", denominator)
    g.pos([f"@{m}", f"{b}*{c} + ({a} - k)*spec(X)"], mul=[c, c, "spec(X)", "spec(X)"], eqs=[(eb, f"-{c}^2")])


@part(
    CORE,
    "start-size",
    f"""{DECLARED} {extremes()} => s^2 <= {n2("A(0)")} + {n2("B(0)")}""",
    says="sigma_min is at most |Theta(0)|_F",
)
def smallest_singular_value_at_most_the_norm(g: Goal) -> None:
    """The bound of |J^T x| where the smallest singular value is attained."""
    hs = g.intro()
    _p, e = g.obtain(hs[3], "Y")
    x = "had(M, Y)"
    a = g.fact("frobenius_submultiplicative", "d", "d", "d", x, "T(B(0))")
    b = g.fact("frobenius_submultiplicative", "d", "d", "d", "T(A(0))", x)
    g.pos([f"@{a}"], [f"@{b}"], mul=[n2(x)], eqs=[(e, "1")])


def rank_of_a(g: Goal, k: str, c: str) -> None:
    """Close the lower bound of the stable rank of A(t), whose constant c is sqrt 2 k."""
    balanced = list(g.seq.hyps)[-2]
    g.have("0 < d")
    size = g.lemma(CORE, "part:start-size", "d", "M", "Z", "A", "B", "s", "S")
    e = g.have(f"{n2('A(0)')} = tr(B(0) @ T(B(0)))", lambda g: (g.rewrite(balanced), g.refl())[-1])
    size = g.have(f"s^2 <= 2*{n2('A(0)')}", lambda g: g.pos([f"@{size}"], eqs=[(e, "1")]))
    h = g.lemma("shin2025.corollary-27-sv-deviation", "part:displacement", "d", "M", "Z", "A", "B", "s", "S")
    h = g.split(g.apply(h, "t"))[1]
    r = g.have("3/49 <= 1/(4*sqrt(2))", lambda g: g.ball())
    r8 = g.have("3/49 <= 1/8")
    less = g.have(f"{DELTA} <= {k}", lambda g: g.pos([f"@{r}", "s/sqrt(d)"]) if "2" in k else g.pos([f"@{r8}", "s/sqrt(d)"]))
    close = g.have(f"{n2('A(t) - A(0)')} <= ({k})^2", lambda g: g.pos([f"@{h}"], [f"@{less}", f"{k} + {DELTA}"]))
    eq = g.by_fact("sqrt_sq", n2("A(0)"))
    g.by_fact("sqrt_nonneg", n2("A(0)"))
    one = g.have("0 <= d - 1")

    def inside(g: Goal) -> None:
        more = g.contra()
        a = f"sqrt({n2('A(0)')})"
        rest = ["s^2/d", "15/16"] if "2" in k else ["s^2/d", "31/32"]
        g.pos([f"@{more}", f"{k} + {a}", "2"], [f"@{size}"], ["s^2/d", f"@{one}"], rest, eqs=[(eq, "2")])

    inside_ = g.have(f"{k} < sqrt({n2('A(0)')})", inside)
    b = g.lemma(CORE, "part:stable-rank", "d", "d", k, "A(t)", "A(0)")
    same = g.have(f"{c} = sqrt(2)*({k})", lambda g: g.field())
    del inside_, close
    sv = g.fact("spec_is_sv", "d", "d", "A(0)")
    x0 = g.split(g.apply(g.fact("sv_range", "d", "d", "A(0)"), 1, 1))[0]
    g.have("0 <= spec(A(0))", lambda g: g.pos([f"@{x0}"], eqs=[(sv, "1")]))
    g.have(f"0 < spec(A(0)) + {k}")
    g.rewrite(same)
    g.pos([f"@{b}"])


@holds(
    "shin2025.corollary-27-stable-rank",
    f"{COROLLARY} all t:R. 0 <= t => {printed_bound('A(0)')} <= {stable_rank('A(t)')}",
    argument="repaired",
    uses=[CORE, "shin2025.corollary-27-sv-deviation"],
    reading=READING,
    context=CONTEXT,
    reason=(
        "The printed argument gives the bound with sigma_min/(4 sqrt d) in place of sigma_min/(4 sqrt(2d)), "
        "which is weaker (proof-step-a-stable-rank). The printed constant needs |A(t) - A(0)|_F <= sigma_min/(8 sqrt d), "
        "half of what (77) gives through sigma_i(Theta) = sqrt 2 sigma_i(A); it holds since the distance is in fact at "
        "most 3 sigma_min/(49 sqrt d)."
    ),
)
def stable_rank_of_a(g: Goal) -> None:
    """A moves by at most 3 s/(49 sqrt d) < s/(8 sqrt d)."""
    g.intro()
    rank_of_a(g, "s/(8*sqrt(d))", "s/(4*sqrt(2*d))")


@holds(
    "shin2025.proof-step-a-stable-rank",
    f"{COROLLARY} all t:R. 0 <= t => {printed_bound('A(0)').replace('2*d', 'd')} <= {stable_rank('A(t)')}",
    argument="sound",
    uses=[CORE, "shin2025.corollary-27-sv-deviation"],
    reading=READING,
    context=CONTEXT,
)
def stable_rank_of_a_from_theta(g: Goal) -> None:
    """A moves by at most 3 s/(49 sqrt d) < s/(4 sqrt(2 d))."""
    g.intro()
    rank_of_a(g, "s/(4*sqrt(2*d))", "s/(4*sqrt(d))")
