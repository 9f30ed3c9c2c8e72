"""Appendix M: the derivative of the loss as an inner product, and its two parts."""

from __future__ import annotations

from proofs.eftekhari2022.alignment_rate import PUZ, PVZ, REST, stretched_rest
from proofs.eftekhari2022.deflated_decomposition import REST as COMPLETED
from proofs.eftekhari2022.deflation import LEADING, size
from proofs.eftekhari2022.loss_along_the_flow import loss
from proofs.eftekhari2022.preconditioner import psd
from proofs.eftekhari2022.rank_one_flow import INDUCED, INDUCED_VARIABLES, POWER, ROOTS_READING, TARGET_VARIABLES
from proofs.eftekhari2022.rank_one_numbers import BASES, GAP, POINT, SECOND, TOP, A, B, C, Q, W, numbers, product_bounds
from proofs.eftekhari2022.residual_bounds import residual_root
from proofs.eftekhari2022.singular_vectors import OPERATOR
from proofs.eftekhari2022.theorem_twenty import TARGET
from proofs.razin2020.scripts import only, using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import holds, part

FLOW = f"all {INDUCED_VARIABLES}, {TARGET_VARIABLES}. {INDUCED} {TARGET} all t:R. 0 <= t =>"
CONTEXT = (
    "N >= 2, whitened data and the spectral gap [Assumption 14]; used are N >= 2, X X^T = m I and Z = Y X^T/m [notation]"
)
POINT_CONTEXT = "the spectral gap [Assumption 14]; u, v, s are the values at a fixed time [notation]"
DEPTH_CONTEXT = f"N >= 2 [Assumption 14]; {POINT_CONTEXT}"


def pairing(d: str) -> str:
    """<W - Z_1, A_W(D)>."""
    return f"tr(T(E(t) - Z1) @ {OPERATOR.format(d)})"


def scaled_operator(g: Goal, flow: list[str], rate: str) -> str:
    """Adds W' = -m A_W(W - Z)."""
    white, _, target = flow[3:6]
    g.have("0 < m")
    gradient = g.have(
        "E(t) @ X @ T(X) - Y @ T(X) = m*(E(t) - Z)", lambda g: g.nc((white, 1, "E(t)", None), (target, "m", None, None))
    )
    rate = g.rewritten(rate, gradient)
    inner = "S(t)^(N-j) @ (E(t) - Z) @ H(t)^(j-1)"
    linear = g.fact("matrix_sum_linear", "y", "x", 1, "N", "m", 0, f"lam j:Z. {inner}", "lam j:Z. O(y,x)")
    ext = g.by_fact(
        "matrix_sum_ext", "y", "x", 1, "N", "lam j:Z. S(t)^(N-j) @ (m*(E(t) - Z)) @ H(t)^(j-1)", f"lam j:Z. m*({inner}) + 0*O(y,x)",
        by=[lambda g: (g.intro(), g.nc())],
    )  # fmt: skip
    return g.have(
        f"E'(t) = -(m*{OPERATOR.format('(E(t) - Z)')})",
        lambda g: g.nc((rate, 1, None, None), (ext, -1, None, None), (linear, -1, None, None)),
    )


def derivative_of_the_loss(g: Goal) -> tuple[list[str], str]:
    """Introduces FLOW and adds dL/dt = -m <W - Z_1, A_W(W - Z)>; returns the hypotheses and that equation."""
    names = g.intro(split=False)
    flow, now = names[:13], names[13]
    rate = scaled_operator(g, flow, g.apply(flow[2], "t", by=[using(now)]))
    slope = g.differentiate("r", loss("r"), "t")
    chain = g.have(f"D(r, {loss('r')}, t) = tr(T(E(t) - Z1) @ E'(t))", lambda g: g.field((slope, 1)))
    value = g.have(f"tr(T(E(t) - Z1) @ E'(t)) = -(m*{pairing('(E(t) - Z)')})", lambda g: (g.rewrite(rate), g.field()))
    return [chain, value], g.have(
        f"D(r, {loss('r')}, t) = -(m*{pairing('(E(t) - Z)')})", lambda g: g.field((chain, 1), (value, 1))
    )


@holds(
    "eftekhari2022.eq-34",
    f"""{FLOW} D(r, {loss("r")}, t) = tr(T(E(t) - Z1) @ E'(t)) and tr(T(E(t) - Z1) @ E'(t)) = -(m*{pairing("(E(t) - Z)")})""",
    argument="sound",
    reading=ROOTS_READING,
    context=CONTEXT,
)
def loss_along_the_induced_flow(g: Goal) -> None:
    """The chain rule, and W X X^T - Y X^T = m (W - Z)."""
    (chain, value), _ = derivative_of_the_loss(g)
    g.conj(using(chain), using(value))


@holds(
    "eftekhari2022.eq-172",
    f"""{FLOW} D(r, {loss("r")}, t) = -(m*{pairing("(E(t) - Z)")}) and
       -(m*{pairing("(E(t) - Z)")}) = -(m*{pairing("(E(t) - Z1)")}) + m*{pairing("(Z - Z1)")}""",
    argument="sound",
    reading=ROOTS_READING,
    context=CONTEXT,
)
def split_of_the_derivative(g: Goal) -> None:
    """The operator is linear."""
    _, whole = derivative_of_the_loss(g)
    first, second = "S(t)^(N-j) @ (E(t) - Z1) @ H(t)^(j-1)", "S(t)^(N-j) @ (Z - Z1) @ H(t)^(j-1)"
    linear = g.fact("matrix_sum_linear", "y", "x", 1, "N", 1, -1, f"lam j:Z. {first}", f"lam j:Z. {second}")
    ext = g.by_fact(
        "matrix_sum_ext", "y", "x", 1, "N", "lam j:Z. S(t)^(N-j) @ (E(t) - Z) @ H(t)^(j-1)", f"lam j:Z. 1*({first}) + (-1)*({second})",
        by=[lambda g: (g.intro(), g.nc())],
    )  # fmt: skip
    same = g.have(
        f"{OPERATOR.format('(E(t) - Z)')} = {OPERATOR.format('(E(t) - Z1)')} - {OPERATOR.format('(Z - Z1)')}",
        lambda g: g.nc((ext, 1, None, None), (linear, 1, None, None)),
    )
    g.conj(using(whole), lambda g: (g.rewrite(same), g.field()))


ROOTS_AT = f"""all N:Z, S:M(y,y), H:M(x,x). 2 <= N => {psd("S", "y")} => S^N = {W} @ T({W}) => {psd("H", "x")} => H^N = T({W}) @ {W} =>"""


def static_pairing(left: str, d: str) -> str:
    """<L, A_W(D)> at W = s u v^T."""
    return f"tr(T({left}) @ sum(j, 1, N, S^(N-j) @ {d} @ H^(j-1)))"


def operator_value(g: Goal, names: list[str], d: str) -> str:
    """Adds the operator (16) at s u v^T, applied to d; `names` are the hypotheses of POINT, BASES and ROOTS_AT."""
    positive, uu, vv = names[7:10]
    depth, s_psd, s_root, h_psd, h_root = names[-5:]
    first = g.have("S^N = s^2*(u @ T(u))", lambda g: (g.rewrite(s_root), g.nc(rw=[vv])))
    second = g.have("H^N = s^2*(v @ T(v))", lambda g: (g.rewrite(h_root), g.nc(rw=[uu])))
    return g.lemma(
        "eftekhari2022.eq-139", "part:operator", "x", "y", "N", "s", "u", "v", d, "S", "H",
        by=[using(h) for h in (depth, positive, uu, vv, s_psd, first, h_psd, second)],
    )  # fmt: skip


OWN = f"({W} - Z1)"
ROW, COLUMN = size("T(u) @ Z1 @ V"), size("T(U) @ Z1 @ v")


@part(
    "eftekhari2022.eq-177",
    "own-part",
    f"""{POINT} {ROOTS_AT} {static_pairing(OWN, OWN)} =
       s^{POWER}*(N*(s - {C})^2 + {TOP}^2*({A}^2*(1 - {B}^2) + {B}^2*(1 - {A}^2)))""",
    says="the first inner product of (172) in numbers",
    uses=["eftekhari2022.eq-139", "eftekhari2022.eq-169-identity"],
)
def first_inner_product_in_numbers(g: Goal) -> None:
    """u^T (W - Z_1) = s v^T - s_Z a v_Z^T, (W - Z_1) v = s u - s_Z b u_Z, u^T (W - Z_1) v = s - c."""
    names = g.intro(split=False)
    left, right, _, _, best = names[2:7]
    uu, vv = names[8:10]
    form = numbers(g, names[:10])[0]
    value = operator_value(g, names, OWN)
    au, bv = scalar_matrix(g, "(T(uZ) @ u)"), scalar_matrix(g, "(T(vZ) @ v)")
    rules = [best, left, right, uu, vv, au, bv]

    def trace(word: str, number: str) -> str:
        h = g.have(f"{word} = ({number})*I(1)", lambda g: g.nc(rw=rules))
        return g.have(f"tr({word}) = {number}", lambda g: (g.rewrite(h), g.field()))

    c = f"({TOP}*({A}*{B}))"
    first = trace(f"T(u) @ {OWN} @ T({OWN}) @ u", f"s^2 - 2*s*{c} + {TOP}^2*{A}^2")
    second = trace(f"T(v) @ T({OWN}) @ {OWN} @ v", f"s^2 - 2*s*{c} + {TOP}^2*{B}^2")
    third = trace(f"T(u) @ {OWN} @ v @ T(v) @ T({OWN}) @ u", f"(s - {c})^2")
    g.rewrite(value)
    total = f"u @ T(u) @ {OWN} + {OWN} @ v @ T(v) + (N-2)*(u @ T(u) @ {OWN} @ v @ T(v))"
    whole = g.have(
        f"tr(T({OWN}) @ ({total})) = tr(T(u) @ {OWN} @ T({OWN}) @ u) + tr(T(v) @ T({OWN}) @ {OWN} @ v) + "
        f"(N-2)*tr(T(u) @ {OWN} @ v @ T(v) @ T({OWN}) @ u)",
        lambda g: expanded(g),
    )
    g.field(
        (whole, f"s^{POWER}"), (first, f"s^{POWER}"), (second, f"s^{POWER}"), (third, f"s^{POWER}*(N-2)"),
        (form, f"s^{POWER}*N*(2*s - {C} - {c})"),
    )  # fmt: skip


def expanded(g: Goal) -> None:
    """Traces are cyclic; the factor W - Z_1 is taken as one letter."""
    d = g.obtain(g.have(f"ex D_:M(y,x). D_ = {OWN}", lambda g: (g.witness(OWN), g.refl())), "D_")[0]
    back = g.have(f"{OWN} = D_", lambda g: g.nc((d, -1, None, None)))
    g.rewrite(back)
    g.field()


def side_norms(g: Goal, names: list[str]) -> tuple[str, str]:
    """Adds |u^T Z_1 V|^2 = s_Z^2 a^2 (1 - b^2) and |U^T Z_1 v|^2 = s_Z^2 b^2 (1 - a^2); `names`: POINT and BASES."""
    left, right, _, _, best = names[2:7]
    uu, vv = names[8:10]
    _, uc, _, vc = names[10:14]
    au, bv = scalar_matrix(g, "(T(uZ) @ u)"), scalar_matrix(g, "(T(vZ) @ v)")
    rules = [best, left, right, uu, vv, au, bv]

    def norm(word: str, number: str, complement: str, before: str, after: str, whole: str) -> str:
        h = g.have(f"{word} = ({number})*I(1)", lambda g: g.nc((complement, 1, before, after), rw=rules))
        k = g.have(f"tr({word}) = {number}", lambda g: (g.rewrite(h), g.field()))
        return g.have(f"{whole} = {number}", lambda g: g.field((k, 1)))

    row = norm("T(u) @ Z1 @ (V @ T(V)) @ T(Z1) @ u", f"{TOP}^2*{A}^2*(1 - {B}^2)", vc, "T(u) @ Z1", "T(Z1) @ u", ROW)
    column = norm("T(v) @ T(Z1) @ (U @ T(U)) @ Z1 @ v", f"{TOP}^2*{B}^2*(1 - {A}^2)", uc, "T(v) @ T(Z1)", "Z1 @ v", COLUMN)
    return row, column


@holds(
    "eftekhari2022.eq-177",
    f"""{POINT} {BASES} {ROOTS_AT} {static_pairing(OWN, OWN)} =
       N*s^{POWER}*(s - {C})^2 + s^{POWER}*{ROW} + s^{POWER}*{COLUMN}""",
    argument="sound",
    reading=ROOTS_READING,
    context=DEPTH_CONTEXT,
    uses=["eftekhari2022.eq-177"],
)
def first_inner_product(g: Goal) -> None:
    """Only the (1,1) entry is hit by all N terms, the first row by one and the first column by one."""
    names = g.intro(split=False)
    h = g.lemma(
        "eftekhari2022.eq-177",
        "part:own-part",
        *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"),
        by=[using(k) for k in names[:10]],
    )
    value = g.apply(h, "N", "S", "H", by=[using(k) for k in names[-5:]])
    row, column = side_norms(g, names)
    g.field((value, 1), (row, f"-s^{POWER}"), (column, f"-s^{POWER}"))


@holds(
    "eftekhari2022.eq-182",
    f"""{POINT} {ROOTS_AT} N*s^{POWER}*(s - {C})^2 + 2*s^{POWER}*{TOP}^2*({A}*{B})*(1 - {A}*{B}) <= {static_pairing(OWN, OWN)}""",
    argument="sound",
    reading=ROOTS_READING,
    context=DEPTH_CONTEXT,
    uses=["eftekhari2022.eq-177"],
)
def lower_bound_of_the_first_inner_product(g: Goal) -> None:
    """The slack is s^(2-2/N) s_Z^2 (a - b)^2."""
    names = g.intro(split=False)
    h = g.lemma(
        "eftekhari2022.eq-177",
        "part:own-part",
        *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"),
        by=[using(k) for k in names[:10]],
    )
    value = g.apply(h, "N", "S", "H", by=[using(k) for k in names[-5:]])
    g.pos([f"s^{POWER}", f"{TOP}^2", f"({A} - {B})^2"], eqs=[(value, 1)])


COMPLEMENTS = """all U:M(y,y-1), V:M(x,x-1). T(U) @ U = I(y-1) => U @ T(U) = I(y) - uZ @ T(uZ) =>
           T(V) @ V = I(x-1) => V @ T(V) = I(x) - vZ @ T(vZ) =>"""
"""U = U_Z and V = V_Z are orthonormal bases of the complements of u_Z and v_Z."""
LEFT, RIGHT = f"sqrt({size('T(U) @ u')})", f"sqrt({size('T(V) @ v')})"
RA, RB = f"sqrt(1 - {A}^2)", f"sqrt(1 - {B}^2)"


def complement_norms(g: Goal, names: list[str]) -> tuple[str, str]:
    """Adds |U_Z^T u|^2 = 1 - a^2 and |V_Z^T v|^2 = 1 - b^2; `names`: POINT and COMPLEMENTS."""
    uu, vv = names[8:10]
    _, uc, _, vc = names[10:14]
    au, bv = scalar_matrix(g, "(T(uZ) @ u)"), scalar_matrix(g, "(T(vZ) @ v)")

    def norm(word: str, number: str, complement: str, vector: str, whole: str) -> str:
        h = g.have(f"{word} = ({number})*I(1)", lambda g: g.nc((complement, 1, f"T({vector})", vector), rw=[uu, vv, au, bv]))
        k = g.have(f"tr({word}) = {number}", lambda g: (g.rewrite(h), g.field()))
        return g.have(f"{whole} = {number}", lambda g: g.field((k, 1)))

    return (
        norm("T(u) @ (U @ T(U)) @ u", f"1 - {A}^2", uc, "u", size("T(U) @ u")),
        norm("T(v) @ (V @ T(V)) @ v", f"1 - {B}^2", vc, "v", size("T(V) @ v")),
    )


@holds(
    "eftekhari2022.eq-185",
    f"""{POINT} {COMPLEMENTS} abs({Q}) <= {LEFT}*{SECOND}*{RIGHT} and {LEFT}*{SECOND}*{RIGHT} = {SECOND}*{RA}*{RB} and
       {SECOND}*{RA}*{RB} <= {SECOND}*sqrt(1 - 2*{A}*{B} + {A}^2*{B}^2) and
       {SECOND}*sqrt(1 - 2*{A}*{B} + {A}^2*{B}^2) = {SECOND}*(1 - {A}*{B})""",
    argument="sound",
    reading="the norm of S_Z is s_{Z,2}",
    context=POINT_CONTEXT,
    uses=["eftekhari2022.eq-169-identity", "eftekhari2022.eq-142"],
)
def bound_of_the_residual_form(g: Goal) -> None:
    """|U_Z^T u|^2 = 1 - a^2, |V_Z^T v|^2 = 1 - b^2, and (1 - a^2)(1 - b^2) <= (1 - a b)^2."""
    names = g.intro(split=False)
    _, a, b, square, *_ = numbers(g, names[:10])
    p, q = complement_norms(g, names)
    root = residual_root(g, a, b, square)
    less, _ = product_bounds(g, a, b)
    top = f"1 - 2*{A}*{B} + {A}^2*{B}^2"
    roots = [g.by_fact("sqrt_sq", f"1 - {x}^2") for x in (A, B)]
    both = g.by_fact(
        "sqrt_unique", f"(1 - {A}^2)*(1 - {B}^2)", f"{RA}*{RB}",
        by=[None, lambda g: g.field((roots[0], f"{RB}^2"), (roots[1], f"1 - {A}^2"))],
    )  # fmt: skip
    grown = g.by_fact("sqrt_mono", f"(1 - {A}^2)*(1 - {B}^2)", top, by=[None, lambda g: g.pos([f"({A} - {B})^2"])])
    value = g.by_fact("sqrt_unique", top, f"1 - {A}*{B}", by=[lambda g: g.pos([f"@{less}"]), lambda g: g.field()])
    first = g.have(f"{LEFT} = {RA}", lambda g: (g.rewrite(p), g.refl()))
    second = g.have(f"{RIGHT} = {RB}", lambda g: (g.rewrite(q), g.refl()))

    def opening(g: Goal) -> None:
        g.rewrite(first)
        g.rewrite(second)
        only(g, root)
        g.pos([f"@{root}"])

    def same(g: Goal) -> None:
        g.rewrite(first)
        g.rewrite(second)
        only(g)
        g.field()

    order = g.fact("sv_range", "y", "x", "Z")
    nonneg, _ = g.split(g.apply(order, 2, 2))
    g.conj(
        opening,
        same,
        lambda g: (only(g, nonneg, grown, both), g.pos([SECOND, f"@{grown}"], eqs=[(both, SECOND)])),
        lambda g: (only(g, value), g.field((value, SECOND))),
    )


def rest_norm(g: Goal, names: list[str], left: bool) -> str:
    """Adds |(Z - Z_1) v|^2 <= s_2^2 (1 - b^2) or |(Z - Z_1)^T u|^2 <= s_2^2 (1 - a^2)."""
    uZ, vZ = names[2:4]
    uu, vv = names[8:10]
    stretch, _ = stretched_rest(g, names, left)
    vector, cosine, w, own, unit = ("vZ", B, PVZ, vZ, vv) if left else ("uZ", A, PUZ, uZ, uu)
    inner = "v" if left else "u"
    one = scalar_matrix(g, f"(T({vector}) @ {inner})")
    h = g.have(f"T({w}) @ {w} = (1 - {cosine}^2)*I(1)", lambda g: g.nc(rw=[own, unit, one]))
    k = g.have(f"{size(w)} = 1 - {cosine}^2", lambda g: (g.rewrite(h), g.field()))
    return g.rewritten(stretch, k)


def restricted(g: Goal, names: list[str], left: bool) -> None:
    """|X V| <= |X| for X = u^T (Z - Z_1), with orthonormal columns V; or |U^T X| <= |X| for X = (Z - Z_1) v."""
    bound = rest_norm(g, names, left)
    _, a, b, *_ = numbers(g, names[:10])
    _, uc, _, vc = names[10:14]
    if left:
        block, word, complement, before, after, other = (
            size(f"T(U) @ {REST} @ v"), f"T(v) @ T({REST}) @ (U @ T(U)) @ {REST} @ v", uc, f"T(v) @ T({REST})", f"{REST} @ v",
            f"T(u) @ {REST} @ v",
        )  # fmt: skip
        cosine, h = B, b
    else:
        block, word, complement, before, after, other = (
            size(f"T(u) @ {REST} @ V"), f"T(u) @ {REST} @ (V @ T(V)) @ T({REST}) @ u", vc, f"T(u) @ {REST}", f"T({REST}) @ u",
            f"T(v) @ T({REST}) @ u",
        )  # fmt: skip
        cosine, h = A, a
    split = g.have(f"{word} = {before} @ {after} - T({other}) @ ({other})", lambda g: g.nc((complement, 1, before, after)))
    trace = g.have(f"tr({word}) = tr({before} @ {after}) - {size(other)}", lambda g: (g.rewrite(split), g.field()))
    less = g.have(f"{block} <= {SECOND}^2*(1 - {cosine}^2)", lambda g: g.pos([f"@{bound}"], [size(other)], eqs=[(trace, -1)]))
    g.have(f"0 <= {block}")
    g.have(f"0 <= 1 - {cosine}^2", lambda g: g.pos([f"@{h}"]))
    grown = g.by_fact("sqrt_mono", block, f"{SECOND}^2*(1 - {cosine}^2)", by=[None, using(less)])
    root = g.by_fact("sqrt_sq", f"1 - {cosine}^2")
    g.by_fact("sqrt_nonneg", f"1 - {cosine}^2")
    value = g.by_fact(
        "sqrt_unique",
        f"{SECOND}^2*(1 - {cosine}^2)",
        f"{SECOND}*sqrt(1 - {cosine}^2)",
        by=[None, lambda g: g.field((root, f"{SECOND}^2"))],
    )
    g.pos([f"@{grown}"], eqs=[(value, -1)])


@part(
    "eftekhari2022.eq-186",
    "bound",
    f"{POINT} {BASES} sqrt({size(f'T(u) @ {REST} @ V')}) <= {SECOND}*{RA}",
    says="the first and the last member of (186)",
    uses=["eftekhari2022.eq-171", "eftekhari2022.eq-169-identity"],
)
def bound_of_the_residual_row(g: Goal) -> None:
    """|u^T (Z - Z_1) V| <= |u^T (Z - Z_1)| <= s_2 |P_{U_Z} u|."""
    names = g.intro(split=False)
    restricted(g, names, False)


@holds(
    "eftekhari2022.eq-187",
    f"""{POINT} {BASES} sqrt({size(f"T(U) @ {REST} @ v")}) <= {SECOND}*sqrt({size(PVZ)}) and {SECOND}*sqrt({size(PVZ)}) = {SECOND}*{RB}""",
    argument="sound",
    reading="|V_Z^T v| is the norm of the projection of v to the complement of v_Z",
    context=POINT_CONTEXT,
    uses=["eftekhari2022.eq-171", "eftekhari2022.eq-169-identity"],
)
def bound_of_the_residual_column(g: Goal) -> None:
    """|U^T (Z - Z_1) v| <= |(Z - Z_1) v| <= s_2 |P_{V_Z} v|."""
    names = g.intro(split=False)
    vZ, vv = names[3], names[9]
    one = scalar_matrix(g, "(T(vZ) @ v)")
    h = g.have(f"T({PVZ}) @ {PVZ} = (1 - {B}^2)*I(1)", lambda g: g.nc(rw=[vZ, vv, one]))
    k = g.have(f"{size(PVZ)} = 1 - {B}^2", lambda g: (g.rewrite(h), g.field()))
    whole = g.have(f"sqrt({size(f'T(U) @ {REST} @ v')}) <= {SECOND}*{RB}", lambda g: restricted(g, names, True))
    g.rewrite(k)
    g.conj(using(whole), lambda g: g.refl())


@holds(
    "eftekhari2022.eq-189",
    """all a b:R. abs(a) <= 1 => abs(b) <= 1 => (a + b)*sqrt(1 - a^2)*sqrt(1 - b^2) <= 2*sqrt(1 - a^2 - b^2 + a^2*b^2) and
       2*sqrt(1 - a^2 - b^2 + a^2*b^2) <= 2*sqrt(1 - 2*a*b + a^2*b^2) and 2*sqrt(1 - 2*a*b + a^2*b^2) = 2*(1 - a*b)""",
    argument="sound",
    uses=["eftekhari2022.eq-151"],
)
def sum_times_roots(g: Goal) -> None:
    """a + b <= 2, and (151)."""
    first, second = g.intro()
    h = g.lemma("eftekhari2022.eq-151", "statement", "a", "b", by=[using(first), using(second)])
    same, grown, value = g.split(h)
    roots = []
    for x, k in (("a", first), ("b", second)):
        g.have(f"0 <= abs({x})")
        eq = g.fact("abs_square", x)
        g.have(f"0 <= 1 - {x}^2", lambda g, k=k, x=x, eq=eq: g.pos([f"@{k}", f"1 + abs({x})"], eqs=[(eq, 1)]))
        roots.append(g.by_fact("sqrt_sq", f"1 - {x}^2"))
        g.by_fact("sqrt_nonneg", f"1 - {x}^2")
    both = g.by_fact(
        "sqrt_unique", "(1 - a^2)*(1 - b^2)", "sqrt(1 - a^2)*sqrt(1 - b^2)",
        by=[None, lambda g: g.field((roots[0], "sqrt(1 - b^2)^2"), (roots[1], "1 - a^2"))],
    )  # fmt: skip
    upper = []
    for x, k in (("a", first), ("b", second)):
        bound = g.fact("abs_le", x, 1)
        forward, _ = g.split(bound)
        upper.append(g.split(g.apply(forward, by=[using(k)]))[1])
    r = "sqrt(1 - a^2)*sqrt(1 - b^2)"
    g.conj(
        lambda g: g.pos([f"@{upper[0]}", r], [f"@{upper[1]}", r], eqs=[(same, -2), (both, 2)]),
        lambda g: g.pos(["2", f"@{grown}"]),
        lambda g: g.field((value, 2)),
    )


@holds(
    "eftekhari2022.eq-171",
    f"""all x y:Z, {TARGET_VARIABLES}. {GAP} {LEADING}
       Z = Z1 + (Z - Z1) and (ex U:M(y,y-1), V:M(x,x-1), S:M(y-1,x-1). {COMPLETED} and Z - Z1 = U @ S @ T(V)) and
       spec(Z) = {TOP} and spec(Z1) = {TOP} and spec(Z - Z1) = {SECOND}""",
    argument="sound",
    reading="Z_{1+} is Z - Z_1; U, V, S hold the other singular vectors and values of Z: orthonormal columns orthogonal to u_Z and v_Z, and "
    "the singular values from the second on down the diagonal of S",
    context="the spectral gap [Assumption 14]",
    uses=["eftekhari2022.eq-171", "eftekhari2022.eq-32"],
)
def spectral_norms_of_the_parts(g: Goal) -> None:
    """|Z - Z_1| >= s_2 as Z_1 has rank one (Eckart-Young), and |(Z - Z_1) w| <= s_2 |w| by deflation."""
    names = g.intro()
    positive, gap, left, right, image, back, best = names
    completed = g.lemma(
        "eftekhari2022.eq-171",
        "part:rest",
        "x",
        "y",
        "Z",
        "uZ",
        "vZ",
        by=[using(h) for h in (positive, gap, left, right, image, back)],
    )
    own = g.fact("spec_is_sv", "y", "x", "Z")
    other = g.fact("spec_is_sv", "y", "x", "Z1")
    value = g.lemma(
        "eftekhari2022.eq-32", "part:thin-singular-value", "x", "y", TOP, "uZ", "vZ", "Z1",
        by=[using(h) for h in (positive, best, left, right)],
    )  # fmt: skip
    rank = g.lemma(
        "eftekhari2022.eq-32", "part:thin-has-rank-one", "x", "y", TOP, "uZ", "vZ", "Z1",
        by=[using(h) for h in (positive, best, left, right)],
    )  # fmt: skip
    above = g.by_fact("eckart_young_spectral", "y", "x", 2, "Z", "Z1", by=[None, lambda g: (g.rewrite(rank), g.auto())])
    order = g.fact("sv_range", "y", "x", "Z")
    nonneg, _ = g.split(g.apply(order, 2, 2))
    deflated = g.lemma(
        "eftekhari2022.eq-171", "part:deflation", "x", "y", "Z", "uZ", "vZ", by=[using(h) for h in (left, right, image, back)]
    )

    def stretch(g: Goal) -> None:
        g.fix("w")
        p = "((I(x) - vZ @ T(vZ)) @ w)"
        cross = g.have(f"T(vZ) @ {p} = O(1,1)", lambda g: g.nc(rw=[right]))
        zero = g.have(f"tr(T(vZ) @ {p}) = 0", lambda g: (g.rewrite(cross), g.field()))
        bound = g.apply(deflated, p, by=[using(zero)])
        moved = g.have(f"Z @ {p} = (Z - Z1) @ w", lambda g: g.nc((image, -1, None, "T(vZ) @ w"), (best, 1, None, "w")))
        bound = g.rewritten(bound, moved)
        product = g.have(
            f"T({p}) @ {p} = T(w) @ w - T(T(vZ) @ w) @ (T(vZ) @ w)", lambda g: g.nc((right, 1, "T(w) @ vZ", "T(vZ) @ w"))
        )
        length = g.have(f"{size(p)} = {size('w')} - {size('T(vZ) @ w')}", lambda g: (g.rewrite(product), g.field()))
        bound = g.rewritten(bound, length)
        g.pos([f"@{bound}"], [f"{SECOND}^2", size("T(vZ) @ w")])

    below = g.by_fact("spec_least", "y", "x", SECOND, "Z - Z1", by=[using(nonneg), stretch])

    def decomposition(g: Goal) -> None:
        parts = g.obtain(completed, "U", "V", "S")
        g.witness("U", "V", "S")
        g.conj(*[using(h) for h in parts], lambda g: g.nc((parts[-1], 1, None, None), (best, -1, None, None)))

    g.conj(
        lambda g: g.nc(),
        decomposition,
        using(own),
        lambda g: g.field((other, 1), (value, 1)),
        lambda g: g.antisym(using(below), using(above)),
    )


@holds(
    "eftekhari2022.eq-176",
    f"""{POINT} {BASES} {W} = u @ (s*I(1)) @ T(v) + U @ O(y-1,x-1) @ T(V) and
       T(u) @ U = O(1,y-1) and T(v) @ V = O(1,x-1) and u @ T(u) + U @ T(U) = I(y) and v @ T(v) + V @ T(V) = I(x)""",
    argument="sound",
    reading="the block product is written out; that [u U] and [v V] are orthogonal matrices is said block by block",
    context=POINT_CONTEXT,
)
def full_decomposition_of_a_rank_one_matrix(g: Goal) -> None:
    """The zero block contributes nothing."""
    names = g.intro(split=False)
    uu, vv, uo, uc, vo, vc = names[8:14]
    g.conj(
        lambda g: g.nc(),
        lambda g: g.nc((uc, 1, "T(u)", "U"), (uo, -1, "T(u) @ U", None), (uu, -1, None, "T(u) @ U")),
        lambda g: g.nc((vc, 1, "T(v)", "V"), (vo, -1, "T(v) @ V", None), (vv, -1, None, "T(v) @ V")),
        lambda g: g.nc((uc, 1, None, None)),
        lambda g: g.nc((vc, 1, None, None)),
    )
