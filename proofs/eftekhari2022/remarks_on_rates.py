"""Sections 3 and 4: remarks on the widths, on rates and depth, on scales, and on starts far from the target."""

from __future__ import annotations

from proofs.eftekhari2022.best_rank_one import TARGET as LEADING_PAIR
from proofs.eftekhari2022.rank_one_numbers import GAMMA, GAP, LOSS, POINT, T1, T2, TOP, C
from proofs.eftekhari2022.second_order_layers import half
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, refuted

GAPPED = LEADING_PAIR.replace(". ", f". {GAP} ", 1)
GAP_CONTEXT = "the spectral gap [Assumption 14]"


def size(m: str) -> str:
    """The squared Frobenius norm."""
    return f"tr(T({m}) @ ({m}))"


@holds(
    "eftekhari2022.assertion-r1-scalar-output",
    """all d:Z->Z, N r:Z. 0 <= N => (all j:Z. 0 <= j and j <= N => 1 <= d(j) and r <= d(j)) => (ex j:Z. 0 <= j and j <= N and d(j) = r) =>
       d(N) = 1 => r = 1""",
    argument="sound",
    reading="r is the smallest of the widths d_0, ..., d_N; that the case r = 1 is called the spiked covariance model is a name",
)
def scalar_outputs_have_width_one(g: Goal) -> None:
    """r <= d_N = 1 and r is one of the widths."""
    g.fix()
    depth, widths, some, one = (g.assume() for _ in range(4))
    low, high, value = g.obtain(some, "j")
    own = g.split(g.apply(widths, "j", by=[lambda g: g.conj(using(low), using(high))]))[0]
    last = g.split(g.apply(widths, "N", by=[lambda g: g.conj(using(depth), None)]))[1]
    g.antisym(lambda g: g.pos([f"@{last}"], eqs=[(one, -1)]), lambda g: g.pos([f"@{own}"], eqs=[(value, -1)]))


@refuted(
    "eftekhari2022.assertion-depth-marginal-speedup",
    "all c:R, N:Z. 0 < c => 1 <= N => c^(-(1 - 1/(N+1))) < c^(-(1 - 1/N))",
    argument="fails",
    reading="c stands for C: the time scale of (29) decreases with the depth",
    reason="for C < 1 the factor grows with the depth: C = 1/4 gives 1 for N = 1 and 2 for N = 2",
)
def small_constants_slow_down_with_depth(g: Goal) -> None:
    """C = 1/4."""
    g.witness("1/4", "1")

    def last(g: Goal) -> None:
        one = g.have("(1/4)^(-(1 - 1/1)) = 1", lambda g: g.field())
        half_ = g.have("(1/4)^(-(1 - 1/(1+1))) = 2", lambda g: g.field())
        g.pos(["1"], eqs=[(one, -1), (half_, 1)])

    def close(g: Goal) -> None:
        if g.concl[0] == "and":
            g.conj(*[close] * (len(g.concl) - 1))
        elif "^" in str(g.concl):
            last(g)
        else:
            g.auto()

    close(g)


@amendment(
    "eftekhari2022.assertion-depth-marginal-speedup",
    """all c:R, N:Z. 1 <= N => (1 < c => c^(-(1 - 1/(N+1))) < c^(-(1 - 1/N))) and (1 <= c => 1/c <= c^(-(1 - 1/N)) and c^(-(1 - 1/N)) <= 1)""",
    says="For C > 1 the factor decreases with the depth, from 1 at N = 1, and stays above 1/C.",
)
def large_constants_speed_up_with_depth(g: Goal) -> None:
    """Powers of C >= 1 increase in the exponent."""
    g.fix()
    depth = g.assume()
    now, then = "-(1 - 1/N)", "-(1 - 1/(N+1))"

    def strict(g: Goal) -> None:
        large = g.assume()
        order = g.have(f"{then} < {now}", lambda g: g.pos(["1"], mul=["N", "N+1"]))
        g.close_by(g.by_fact("pow_exp_strict", "c", then, now, by=[using(large), using(order)]))

    def between(g: Goal) -> None:
        g.assume()
        g.have("0 < c")
        low = g.have(f"-1 <= {now}", lambda g: g.pos(["1"], mul=["N"]))
        high = g.have(f"{now} <= 0", lambda g: g.pos([f"@{depth}"], mul=["N"]))
        a = g.by_fact("pow_exp_mono", "c", "-1", now, by=[None, using(low)])
        b = g.by_fact("pow_exp_mono", "c", now, "0", by=[None, using(high)])
        one = g.have("c^(-1) = 1/c", lambda g: g.field())
        two = g.have("c^0 = 1", lambda g: g.field())
        g.conj(lambda g: g.pos([f"@{a}"], eqs=[(one, 1)]), lambda g: g.pos([f"@{b}"], eqs=[(two, -1)]))

    g.conj(strict, between)


def nearby(n: str) -> str:
    """The rate of (39) at depth n, without the factor m."""
    p = f"(2 - 2/{n})"
    return f"(s^{p}*(a*(a - q)^{p} - 2*q*{n}*b^{p}))"


@refuted(
    "eftekhari2022.assertion-nearby-no-benefit",
    f"all N M:Z, s a b q:R. 2 <= N => N < M => 0 < s => 0 <= q => q < a => a < 1 => 1 < b => {nearby('M')} <= {nearby('N')}",
    argument="fails",
    reading="the rate of (39) does not grow with the depth; s stands for s_Z and q for gamma_Z, the common factor m is left out",
    reason="for gamma_Z = 0 the rate is alpha (alpha s_Z)^(2-2/N), which grows with N if alpha s_Z > 1: alpha = 1/2, s_Z = 8, N = 2 and 4 give 2 and 4",
)
def large_targets_benefit_from_depth(g: Goal) -> None:
    """4^(3/2)/2 = 4 and 4/2 = 2."""
    g.witness("2", "4", "8", "1/2", "2", "0")

    def close(g: Goal) -> None:
        if g.concl[0] == "and":
            g.conj(*[close] * (len(g.concl) - 1))
        elif "^" in str(g.concl):
            p, r = "(2 - 2/4)", "(2 - 2/2)"
            four = g.have(f"8^{p}*(1/2)^{p} = 8", lambda g: power(g))
            two = g.have(f"8^{r}*(1/2)^{r} = 4", lambda g: g.field())
            g.pos(["2"], eqs=[(four, "1/2"), (two, "-1/2")]) if g.concl[0] == "<" else g.auto()
        else:
            g.auto()

    def power(g: Goal) -> None:
        h = g.by_fact("pow_mul", "8", "1/2", "2 - 2/4")
        k = g.by_fact("pow_pow", "2", "2", "2 - 2/4")
        a = g.have("(8*(1/2))^(2 - 2/4) = 8", lambda g: g.field((k, 1)))
        g.field((h, -1), (a, 1))

    close(g)


@amendment(
    "eftekhari2022.assertion-nearby-no-benefit",
    f"all N M:Z, s a b:R. 2 <= N => N < M => 0 < s => 0 < a => a < 1 => 1 < b => a*s <= 1 => {nearby('M').replace('q', '0')} <= {nearby('N').replace('q', '0')}",
    says="For gamma_Z = 0 the rate does not grow with the depth if alpha s_Z <= 1.",
)
def small_targets_do_not_benefit_from_depth(g: Goal) -> None:
    """a (a s)^(2-2/N), and powers of a s <= 1 decrease in the exponent."""
    g.fix()
    two, order, s, a, _, _, small = (g.assume() for _ in range(7))
    g.have("0 < M", lambda g: g.pos([f"@{two}"], [f"@{order}"], ["2"]))
    g.have("0 < N", lambda g: g.pos([f"@{two}"], ["2"]))
    g.have("0 < a*s", lambda g: g.pos([f"@{a}", f"@{s}"]))
    exponents = g.have("2 - 2/N <= 2 - 2/M", lambda g: g.pos(["2", f"@{order}"], mul=["N", "M"]))
    k = g.by_fact("pow_exp_anti", "a*s", "2 - 2/N", "2 - 2/M", by=[None, using(small), using(exponents)])
    parts = [g.by_fact("pow_mul", "a", "s", f"2 - 2/{n}") for n in "NM"]
    bare = [g.have(f"(a - 0)^(2 - 2/{n}) = a^(2 - 2/{n})", lambda g: g.ctx(lambda g: g.field())) for n in "NM"]
    for h in reversed(bare):
        g.rewrite(h)
    g.pos(["a", f"@{k}"], eqs=[(parts[0], "-a"), (parts[1], "a")])


@holds(
    "eftekhari2022.assertion-scale-dependence",
    """all N:Z, c s k:R. 2 <= N => 0 < c => 0 < s =>
       k*(c*s)^(2 - 2/N) = c^(2 - 2/N)*(k*s^(2 - 2/N)) and (1 < c => s^(2 - 2/N) < (c*s)^(2 - 2/N)) and
       k*(c*s)^(-2/N) = c^(-2/N)*(k*s^(-2/N)) and (1 < c => (c*s)^(-2/N) < s^(-2/N))""",
    argument="sound",
    reading="the rates of (38), amended, and of (39) are k s_Z^(2-2/N), where k depends on alpha, beta, gamma_Z, m and N only; multiplying the target"
    " by c multiplies them by c^(2-2/N), which is not 1. The same for the printed power s_Z^(-2/N) of (38)",
)
def rates_scale_with_a_power(g: Goal) -> None:
    """Powers of products."""
    g.fix()
    g.assume()
    c, s = g.assume(), g.assume()
    g.have("0 < N")
    g.have("0 < c*s", lambda g: g.pos([f"@{c}", f"@{s}"]))
    p, q = "2 - 2/N", "-2/N"
    up, down = g.by_fact("pow_mul", "c", "s", p), g.by_fact("pow_mul", "c", "s", q)

    def larger(g: Goal) -> None:
        h = g.assume()
        g.have(f"0 < {p}", lambda g: g.pos(["2", "N - 1"], mul=["N"]))
        order = g.have("s < c*s", lambda g: g.pos([f"@{h}", f"@{s}"]))
        g.close_by(g.by_fact("pow_base_strict", "s", "c*s", p, by=[None, using(order), None]))

    def smaller(g: Goal) -> None:
        h = g.assume()
        low = g.have(f"{q} < 0", lambda g: g.pos(["2"], mul=["N"]))
        order = g.have("s < c*s", lambda g: g.pos([f"@{h}", f"@{s}"]))
        g.close_by(g.by_fact("pow_base_anti_strict", "s", "c*s", q, by=[using(s), using(order), using(low)]))

    g.have("0 <= N - 1", lambda g: g.pos([f"@{next(h for h, f in g.seq.hyps.items() if f == ('<=', 2, 'N'))}"], ["1"]))
    g.have("0 < N - 1", lambda g: g.pos([f"@{next(h for h, f in g.seq.hyps.items() if f == ('<=', 2, 'N'))}"], []))
    g.conj(lambda g: g.field((up, "k")), larger, lambda g: g.field((down, "k")), smaller)


SWITCH = f"({T1} - {TOP}*{T2})"


@holds(
    "eftekhari2022.eq-206",
    f"""{POINT} {SWITCH} = (s - {C})^2/2 - {TOP}*({TOP} - {C}) and (0 <= {SWITCH} <=> {TOP}*{T2} <= {T1}) and ({SWITCH} <= 0 <=> {T1} <= {TOP}*{T2}) and
       (0 <= {SWITCH} => {LOSS} <= (s - {C})^2) and ({SWITCH} <= 0 => {LOSS} <= 2*{TOP}*({TOP} - {C}))""",
    argument="sound",
    reading="T_t is not negative exactly in the fast regime (200) and not positive exactly in the slow regime (203), so that a transition is a"
    " change of its sign; how often that happens is not said",
    context=f"{GAP_CONTEXT}; rank(W_t) = 1 as the decomposition s u v^T at a fixed time [Lemma 18]",
    uses=["eftekhari2022.eq-201", "eftekhari2022.eq-204"],
)
def regimes_by_the_sign(g: Goal) -> None:
    """T_1 - s_Z T_2, and (201), (204)."""
    g.fix()
    names = [g.assume() for _ in range(10)]
    terms = ("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s")

    def regime(claim: str, fast: bool) -> Script:
        def script(g: Goal) -> None:
            sign = g.assume()
            order = g.have(f"{TOP}*{T2} <= {T1}" if fast else f"{T1} <= {TOP}*{T2}", lambda g: g.pos([f"@{sign}"]))
            g.close_by(g.lemma(claim, "statement", *terms, by=[*[using(k) for k in names], using(order)]))

        return script

    def same(g: Goal) -> None:
        g.iff(lambda g: g.pos([f"@{g.assume()}"]), lambda g: g.pos([f"@{g.assume()}"]))

    g.conj(lambda g: g.field(), same, same, regime("eftekhari2022.eq-201", True), regime("eftekhari2022.eq-204", False))


FAR = "(s0*(uZ @ T(vZ)))"
HIGH = f"""(w - {GAMMA})*{TOP} < s0 and w*{TOP} < tr(T(uZ) @ Z1 @ vZ)"""


def aligned_form(g: Goal, left: str, right: str, best: str) -> tuple[str, str, str]:
    """Adds u_Z^T Z_1 v_Z = s_Z, and tr(u_Z^T u_Z v_Z^T v_Z) = 1."""
    k = g.have(
        f"T(uZ) @ Z1 @ vZ = {TOP}*I(1)",
        lambda g: g.nc((best, 1, "T(uZ)", "vZ"), (left, TOP, None, "T(vZ) @ vZ"), (right, TOP, None, None)),
    )
    form = g.have(f"tr(T(uZ) @ Z1 @ vZ) = {TOP}", lambda g: (g.rewrite(k), g.field())[-1])
    ones = g.have("T(uZ) @ uZ @ T(vZ) @ vZ = I(1)", lambda g: g.nc(rw=[left, right]))
    unit = g.have("tr(T(uZ) @ uZ @ T(vZ) @ vZ) = 1", lambda g: (g.rewrite(ones), g.field())[-1])
    return form, unit, ones


@holds(
    "eftekhari2022.assertion-thm20-beyond-40",
    f"""{GAPPED} (all w b s0:R. {GAMMA} < w => w < 1 => 2*{TOP} <= s0 => s0 < b*{TOP} =>
         {HIGH} and s0 < b*{TOP} and all k:Z. 1 <= k => not {size(f"Z - {FAR}")} < sv(Z,k)^2) and
       (all N:Z, a b:R. 2 <= N => 0 < a => a < 1 => 1 < b => ex g0:R. 0 < g0 and all z:R. 0 <= z => z <= g0 =>
         z < a and 2*z*b^(2 - 2/N) < (a - z)^(2 - 2/N) and 2*z*N*b^(2 - 2/N) < a*(a - z)^(2 - 2/N))""",
    argument="sound",
    reading="starts with the product s_0 u_Z v_Z^T, 2 s_Z <= s_0 < beta s_Z, satisfy (37), w stands for alpha, and violate (40) with every singular value"
    " of Z in the place of the least one; the conditions on the exponents hold for all gamma_Z below some g0 > 0",
    context="N >= 2, whitened data and the spectral gap [Assumption 14]",
    uses=["eftekhari2022.assumption-thm20-exponents", "eftekhari2022.eq-32"],
)
def aligned_starts_far_away(g: Goal) -> None:
    """|Z - s_0 u_Z v_Z^T|^2 = |Z|^2 - 2 s_0 s_Z + s_0^2 >= (s_0 - s_Z)^2 >= s_Z^2."""
    g.fix()
    _, _, left, right, image, _, best = (g.assume() for _ in range(7))
    form, unit, _ = aligned_form(g, left, right, best)
    pair = g.have(f"T(uZ) @ Z @ vZ = {TOP}*I(1)", lambda g: g.nc((image, 1, "T(uZ)", None), (left, TOP, None, None)))
    z = g.have(f"tr(T(uZ) @ Z @ vZ) = {TOP}", lambda g: (g.rewrite(pair), g.field())[-1])
    own = g.fact("frobenius_cauchy", "y", "x", "Z", "uZ @ T(vZ)")
    cross = g.have(f"tr(T(Z) @ (uZ @ T(vZ))) = {TOP}", lambda g: g.field((z, 1)))
    norm = g.have(f"{size('uZ @ T(vZ)')} = 1", lambda g: g.field((unit, 1)))
    large = g.have(
        f"{TOP}^2 <= {size('Z')}",
        lambda g: g.pos([f"@{own}"], eqs=[(norm, f"-{size('Z')}"), (cross, f"tr(T(Z) @ (uZ @ T(vZ))) + {TOP}")]),
    )
    order = g.fact("sv_range", "y", "x", "Z")

    def starts(g: Goal) -> None:
        g.fix("w", "b", "s0")
        _, one, low, high = (g.assume() for _ in range(4))
        g.split(g.apply(order, 2, 2))
        g.have(f"0 <= {GAMMA}")
        level = g.have(f"(w - {GAMMA})*{TOP} < s0", lambda g: g.pos([f"@{low}"], [f"@{one}", TOP], [GAMMA, TOP], [TOP]))

        def violated(g: Goal) -> None:
            g.fix("k")
            g.assume()
            near = g.assume()
            b = g.apply(g.split(g.apply(order, "1", "k"))[1])
            g.split(g.apply(order, "k", "k"))
            value = g.have(
                f"{size(f'Z - {FAR}')} = {size('Z')} - 2*s0*{TOP} + s0^2", lambda g: g.field((z, "-2*s0"), (unit, "s0^2"))
            )
            g.pos(
                [f"@{near}"],
                [f"@{large}"],
                [f"@{low}", f"@{low}"],
                [f"@{low}", f"2*{TOP}"],
                [f"@{b}", f"{TOP} + sv(Z,k)"],
                eqs=[(value, 1)],
            )

        g.conj(using(level), lambda g: g.pos([f"@{one}", TOP], eqs=[(form, 1)]), using(high), violated)

    g.conj(starts, lambda g: g.close_by(g.lemma("eftekhari2022.assumption-thm20-exponents", "statement")))


@holds(
    "eftekhari2022.assertion-thm16-nonlazy",
    f"""all x y m:Z, X:M(x,m), Y:M(y,m), Z Z1:M(y,x), uZ:V(y), vZ:V(x). X @ T(X) = m*I(x) => 1 <= m => Z = (1/m)*(Y @ T(X)) =>
       {GAPPED.split(". ", 1)[1]} (all w c:R. {GAMMA} < w => w < 1 => ex s0:R. 0 < s0 and {HIGH} and c <= {size(f"Z1 - {FAR}")} and c <= {half(f"Y - {FAR} @ X")}) and
       (all N:Z, w c:R. 2 <= N => {GAMMA} = 0 => 0 < w => w < 1 => ex s0 b:R. 0 < s0 and {HIGH} and 1 < b and s0 < b*{TOP} and
         2*{GAMMA}*b^(2 - 2/N) < (w - {GAMMA})^(2 - 2/N) and 2*{GAMMA}*N*b^(2 - 2/N) < w*(w - {GAMMA})^(2 - 2/N) and
         c <= {size(f"Z1 - {FAR}")} and c <= {half(f"Y - {FAR} @ X")})""",
    argument="sound",
    reading="starts with the product s_0 u_Z v_Z^T, which layers of any depth have, also balanced ones; w stands for alpha and b for beta. First the set"
    " of Theorem 16, then that of Theorem 20 (with its conditions on the exponents, for gamma_Z = 0): distance and initial loss exceed every c",
    context="N >= 2, whitened data and the spectral gap [Assumption 14]",
    uses=["eftekhari2022.theorem-16"],
)
def starts_of_arbitrary_loss(g: Goal) -> None:
    """|Z_1 - W|^2 = (s_0 - s_Z)^2, and the loss is m |Z - W|^2/2 plus a constant, at least m (s_0 - s_Z)^2/2 plus a constant."""
    g.fix()
    white, low_m, target = (g.assume() for _ in range(3))
    top, _, left, right, image, _, best = (g.assume() for _ in range(7))
    form, unit, _ = aligned_form(g, left, right, best)
    pair = g.have(f"T(uZ) @ Z @ vZ = {TOP}*I(1)", lambda g: g.nc((image, 1, "T(uZ)", None), (left, TOP, None, None)))
    z = g.have(f"tr(T(uZ) @ Z @ vZ) = {TOP}", lambda g: (g.rewrite(pair), g.field())[-1])
    loss = g.lemma(
        "eftekhari2022.theorem-16",
        "part:loss-by-distance",
        "x",
        "y",
        "m",
        "X",
        "Y",
        "Z",
        by=[using(white), using(low_m), using(target)],
    )
    order = g.fact("sv_range", "y", "x", "Z")
    g.split(g.apply(order, 2, 2))
    g.have(f"0 <= {GAMMA}")
    g.have("0 < m", lambda g: g.pos([f"@{low_m}"], ["1"]))
    start = f"(2*{TOP} + c^2 + 2)"

    def far(g: Goal, one: str) -> list[str]:
        """Adds s_0 = 2 s_Z + d, d = c^2 + 2, with |Z_1 - W|^2 = (s_Z + d)^2 and a loss of at least m d^2/2."""
        (eq,) = g.obtain(g.have(f"ex s0:R. s0 = {start}", lambda g: (g.witness(start), g.refl())[-1]), "s0", split=False)
        pos = g.have("0 < s0", lambda g: g.pos(["2", TOP], ["c^2"], ["2"], eqs=[(eq, 1)]))
        level = g.have(
            f"(w - {GAMMA})*{TOP} < s0",
            lambda g: g.pos([f"@{one}", TOP], [GAMMA, TOP], [TOP], ["c^2"], ["2"], eqs=[(eq, 1)]),
        )
        angle = g.have(f"w*{TOP} < tr(T(uZ) @ Z1 @ vZ)", lambda g: g.pos([f"@{one}", TOP], eqs=[(form, 1)]))
        own = g.have(
            f"{size(f'Z1 - {FAR}')} = (s0 - {TOP})^2", lambda g: (g.rewrite(best), g.field((unit, f"(s0 - {TOP})^2")))[-1]
        )
        value = g.have(f"{size(f'Z - {FAR}')} = {size('Z')} - 2*s0*{TOP} + s0^2", lambda g: g.field((z, "-2*s0"), (unit, "s0^2")))
        k = g.apply(loss, FAR)
        d = "(c^2 + 2)"
        square = g.have(
            f"c + 2*{TOP}*{d} + {TOP}^2 <= (s0 - {TOP})^2",
            lambda g: g.pos(["c^4"], ["3*c^2"], ["(c - 1/2)^2"], ["15/4"], eqs=[(eq, f"s0 - {TOP} + {TOP} + {d}")]),
        )
        near = g.have(f"c <= {size(f'Z1 - {FAR}')}", lambda g: g.pos([f"@{square}"], ["2", TOP, d], [f"{TOP}^2"], eqs=[(own, 1)]))
        gain = g.have(
            f"2*c + {TOP}^2 <= (s0 - {TOP})^2",
            lambda g: g.pos(["c^4"], ["3*c^2"], ["(c - 1)^2"], ["3"], ["2", TOP, d], eqs=[(eq, f"s0 - {TOP} + {TOP} + {d}")]),
        )
        far_ = g.have(
            f"0 <= (s0 - {TOP})^2 - {TOP}^2", lambda g: g.pos([d, d], ["2", TOP, d], eqs=[(eq, f"s0 - {TOP} + {TOP} + {d}")])
        )
        cost = g.have(
            f"c <= {half(f'Y - {FAR} @ X')}",
            lambda g: g.pos(
                ["1/2", f"@{gain}"], ["1/2", f"@{low_m}", f"@{far_}"], ["1/2", size("Y")], eqs=[(k, 1), (value, "m/2")]
            ),
        )
        return [pos, level, angle, near, cost]

    def sixteen(g: Goal) -> None:
        g.fix("w", "c")
        _, one = g.assume(), g.assume()
        pos, level, angle, near, cost = far(g, one)
        g.witness("s0")
        g.conj(using(pos), using(level), using(angle), using(near), using(cost))

    def twenty(g: Goal) -> None:
        g.fix("N", "w", "c")
        _, flat, positive, one = (g.assume() for _ in range(4))
        pos, level, angle, near, cost = far(g, one)
        g.witness("s0", f"s0/{TOP} + 2")
        base = g.have(f"0 < w - {GAMMA}", lambda g: g.pos([f"@{positive}"], eqs=[(flat, -1)]))
        g.have(f"0 < (w - {GAMMA})^(2 - 2/N)", lambda g: g.auto())
        del base
        b = f"(s0/{TOP} + 2)^(2 - 2/N)"
        g.conj(
            using(pos),
            using(level),
            using(angle),
            lambda g: g.pos(["s0"], [TOP], mul=[TOP]),
            lambda g: g.pos(["2", TOP]),
            lambda g: g.pos([f"(w - {GAMMA})^(2 - 2/N)"], eqs=[(flat, f"-2*{b}")]),
            lambda g: g.pos(["w", f"(w - {GAMMA})^(2 - 2/N)"], eqs=[(flat, f"-2*N*{b}")]),
            using(near),
            using(cost),
        )

    g.conj(sixteen, twenty)
