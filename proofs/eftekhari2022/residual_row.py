"""Appendix M: the chain (186) for the row u^T (Z - Z_1) V."""

from __future__ import annotations

from proofs.eftekhari2022.alignment_rate import POINT_CONTEXT, REST
from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.rank_one_numbers import BASES, POINT, SECOND, A, numbers
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import holds

DECOMPOSED = f"""all U0:M(y,y-1), V0:M(x,x-1), S:M(y-1,x-1). T(U0) @ U0 = I(y-1) => U0 @ T(U0) = I(y) - uZ @ T(uZ) =>
           T(V0) @ V0 = I(x-1) => V0 @ T(V0) = I(x) - vZ @ T(vZ) => {REST} = U0 @ S @ T(V0) =>"""
ROW, INNER = size(f"T(u) @ {REST} @ V"), size("T(u) @ U0 @ S @ T(V0) @ V")
LEFT = f"sqrt({size('T(u) @ U0')})"


def spectral(g: Goal, rows: str, columns: str, m: str) -> str:
    """Adds 0 <= |M|."""
    order = g.fact("sv_range", rows, columns, m)
    first = g.split(g.apply(order, 1, 1))[0]
    k = g.fact("spec_is_sv", rows, columns, m)
    return g.have(f"0 <= spec({m})", lambda g: (g.rewrite(k), g.close_by(first))[-1])


def turned_norm(g: Goal, rows: str, columns: str, m: str) -> str:
    """Adds |M^T| = |M|."""
    one, two = g.fact("spec_is_sv", columns, rows, f"T({m})"), g.fact("spec_is_sv", rows, columns, m)
    same = g.fact("sv_transpose", rows, columns, 1, m)
    return g.have(f"spec(T({m})) = spec({m})", lambda g: g.field((one, 1), (same, 1), (two, -1)))


def contraction(g: Goal, rows: str, columns: str, m: str, unit: str) -> str:
    """Adds |M| <= 1 for orthonormal columns."""

    def stretch(g: Goal) -> None:
        g.fix("w")
        k = g.have(f"T({m} @ w) @ ({m} @ w) = T(w) @ w", lambda g: g.nc((unit, 1, "T(w)", "w")))
        t = g.have(f"{size(f'{m} @ w')} = {size('w')}", lambda g: (g.rewrite(k), g.refl())[-1])
        g.pos(eqs=[(t, -1)])

    return g.by_fact("spec_least", rows, columns, 1, m, by=[None, stretch])


@holds(
    "eftekhari2022.eq-186",
    f"""{POINT} {DECOMPOSED} {BASES} sqrt({ROW}) = sqrt({INNER}) and sqrt({INNER}) <= {LEFT}*spec(S)*spec(T(V0) @ V) and
       {LEFT}*spec(S)*spec(T(V0) @ V) <= {SECOND}*{LEFT}*spec(V0)*spec(V) and {SECOND}*{LEFT}*spec(V0)*spec(V) <= {SECOND}*sqrt(1 - {A}^2)""",
    argument="sound",
    reading="U0, S, V0 stand for U_Z, S_Z, V_Z in the decomposition (171), with full orthonormal bases of the complements of u_Z and v_Z",
    context=POINT_CONTEXT,
    uses=["eftekhari2022.eq-171", "eftekhari2022.eq-169-identity"],
)
def chain_of_the_residual_row(g: Goal) -> None:
    """|S| <= s_2 since Z stretches the complement of v_Z by at most s_2; norms of products, and |U_Z^T u|^2 = 1 - a^2."""
    names = g.intro(split=False)
    uz, vz, image, back, best = names[2:7]
    uu = names[8]
    u_unit, u_rest, v_unit, v_rest, whole = names[10:15]
    own_v = names[17]
    a_square = numbers(g, names[:10])[1]
    deflated = g.lemma(
        "eftekhari2022.eq-171", "part:deflation", "x", "y", "Z", "uZ", "vZ", by=[using(k) for k in (uz, vz, image, back)]
    )
    order = g.fact("sv_range", "y", "x", "Z")
    second = g.split(g.apply(order, 2, 2))[0]
    beside = g.have(
        "T(V0) @ vZ = O(x-1,1)",
        lambda g: g.nc((v_unit, -1, None, "T(V0) @ vZ"), (v_rest, 1, "T(V0)", "vZ"), (vz, -1, "T(V0) @ vZ", None)),
    )

    def small(g: Goal) -> None:
        g.fix("w")
        turn = g.have("T(T(V0) @ vZ) = T(O(x-1,1))", lambda g: g.ctx(using(beside)))
        flat = g.have("T(vZ) @ (V0 @ w) = O(1,1)", lambda g: g.nc((turn, 1, None, "w")))
        cross = g.have("tr(T(vZ) @ (V0 @ w)) = 0", lambda g: (g.rewrite(flat), g.field())[-1])
        k = g.apply(deflated, "V0 @ w", by=[using(cross)])
        at = g.have(
            "Z @ (V0 @ w) = U0 @ S @ w",
            lambda g: g.nc(
                (whole, 1, None, "V0 @ w"), (best, 1, None, "V0 @ w"), (flat, "sv(Z,1)", "uZ", None), (v_unit, 1, "U0 @ S", "w")
            ),
        )
        k = g.rewritten(k, at)
        one = g.have("T(U0 @ S @ w) @ (U0 @ S @ w) = T(S @ w) @ (S @ w)", lambda g: g.nc((u_unit, 1, "T(w) @ T(S)", "S @ w")))
        two = g.have("T(V0 @ w) @ (V0 @ w) = T(w) @ w", lambda g: g.nc((v_unit, 1, "T(w)", "w")))
        first = g.have(f"{size('U0 @ S @ w')} = {size('S @ w')}", lambda g: (g.rewrite(one), g.refl())[-1])
        other = g.have(f"{size('V0 @ w')} = {size('w')}", lambda g: (g.rewrite(two), g.refl())[-1])
        g.pos([f"@{k}"], eqs=[(first, 1), (other, f"-{SECOND}^2")])

    top = g.by_fact("spec_least", "y-1", "x-1", SECOND, "S", by=[using(second), small])
    m = "T(V0) @ V"
    pair = ("x-1", "x-1", m)
    nonneg = {
        name: spectral(g, *shape)
        for name, shape in {"S": ("y-1", "x-1", "S"), "M": pair, "V0": ("x", "x-1", "V0"), "V": ("x", "x-1", "V")}.items()
    }
    turned = {"S": turned_norm(g, "y-1", "x-1", "S"), "M": turned_norm(g, *pair), "V0": turned_norm(g, "x", "x-1", "V0")}

    def product(g: Goal) -> None:
        g.fix("w")
        one = g.fact("spec_bound", "x-1", "x", "T(V0)", "V @ w")
        one = g.rewritten(one, turned["V0"])
        two = g.fact("spec_bound", "x", "x-1", "V", "w")
        same = g.have(f"{size(f'{m} @ w')} = {size('T(V0) @ (V @ w)')}", lambda g: g.field())
        g.pos([f"@{one}"], ["spec(V0)^2", f"@{two}"], eqs=[(same, -1)])

    both = g.by_fact(
        "spec_least", "x-1", "x-1", "spec(V0)*spec(V)", m, by=[lambda g: g.pos([f"@{nonneg['V0']}", f"@{nonneg['V']}"]), product]
    )
    small_v0, small_v = contraction(g, "x", "x-1", "V0", v_unit), contraction(g, "x", "x-1", "V", own_v)
    n = size("T(u) @ U0")
    square = g.by_fact("sqrt_sq", n)
    g.by_fact("sqrt_nonneg", n)

    def equal(g: Goal) -> None:
        row = g.have(f"T(u) @ {REST} @ V = T(u) @ U0 @ S @ T(V0) @ V", lambda g: g.nc((whole, 1, "T(u)", "V")))
        g.rewrite(row)
        g.refl()

    def stretched(g: Goal) -> None:
        one = g.rewritten(g.fact("spec_bound", "x-1", "x-1", f"T({m})", "T(S) @ T(U0) @ u"), turned["M"])
        two = g.rewritten(g.fact("spec_bound", "x-1", "y-1", "T(S)", "T(U0) @ u"), turned["S"])
        same = g.have(f"{INNER} = {size(f'T({m}) @ (T(S) @ T(U0) @ u)')}", lambda g: g.field())
        again = g.have(f"{size('T(S) @ T(U0) @ u')} = {size('T(S) @ (T(U0) @ u)')}", lambda g: g.field())
        length = g.have(f"{size('T(U0) @ u')} = {n}", lambda g: g.field())
        bound = f"{LEFT}*spec(S)*spec({m})"
        less = g.have(
            f"{INNER} <= ({bound})^2",
            lambda g: g.pos(
                [f"@{one}"],
                [f"spec({m})^2", f"@{two}"],
                eqs=[
                    (same, -1),
                    (again, f"-spec({m})^2"),
                    (length, f"-spec({m})^2*spec(S)^2"),
                    (square, f"spec({m})^2*spec(S)^2"),
                ],
            ),
        )
        root = g.by_fact("sqrt_sq", INNER)
        positive = g.by_fact("sqrt_nonneg", INNER)
        g.have(f"0 <= {bound}", lambda g: g.pos([LEFT, f"@{nonneg['S']}", f"@{nonneg['M']}"]))
        large = g.contra()
        g.pos([f"@{large}", f"@{large}"], [f"@{large}", "2", bound], [f"@{less}"], eqs=[(root, -1)])
        del positive

    def norms(g: Goal) -> None:
        g.pos([LEFT, f"@{top}", f"@{nonneg['M']}"], [SECOND, LEFT, f"@{both}"])

    def last(g: Goal) -> None:
        au = scalar_matrix(g, "(T(uZ) @ u)")
        word = "T(u) @ (U0 @ T(U0)) @ u"
        h = g.have(f"{word} = (1 - {A}^2)*I(1)", lambda g: g.nc((u_rest, 1, "T(u)", "u"), rw=[uu, au]))
        k = g.have(f"tr({word}) = 1 - {A}^2", lambda g: (g.rewrite(h), g.field())[-1])
        value = g.have(f"{n} = 1 - {A}^2", lambda g: g.field((k, 1)))
        g.rewrite(value)
        g.have(f"0 <= 1 - {A}^2", lambda g: g.pos([f"@{a_square}"]))
        r = f"sqrt(1 - {A}^2)"
        g.have(f"0 <= {r}", lambda g: g.close_by(g.by_fact("sqrt_nonneg", f"1 - {A}^2")))
        g.pos([SECOND, r, f"@{small_v0}", f"@{nonneg['V']}"], [SECOND, r, f"@{small_v}"])

    g.conj(equal, stretched, norms, last)
