"""Equations (170), (171), (185): what remains of Z without its leading singular pair is bounded by the second singular value."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import holds, part

PAIR = """T(uZ) @ uZ = I(1) => T(vZ) @ vZ = I(1) => Z @ vZ = sv(Z,1)*uZ => T(Z) @ uZ = sv(Z,1)*vZ =>"""
"""A leading singular pair of Z."""

LEADING = f"{PAIR} Z1 = sv(Z,1)*(uZ @ T(vZ)) =>"
"""Z1 is the best approximation of Z of rank one."""


def size(v: str) -> str:
    """The squared length of a vector."""
    return f"tr(T({v}) @ ({v}))"


def unit_trace(g: Goal, unit: str, v: str) -> str:
    """tr(v^T v) = 1 from v^T v = I(1)."""
    return g.have(f"tr(T({v}) @ {v}) = 1", lambda g: (g.rewrite(unit), g.field()))


def nonempty(g: Goal, dim: str, v: str, one: str) -> str:
    """1 <= dim, as there is a unit vector v of that dimension."""

    def prove(g: Goal) -> None:
        g.contra("less")
        g.have(f"{dim} < 1", using("less"))
        entries = g.fact("frobenius_entries", dim, 1, v)
        empty = g.by_fact("sum_empty", 1, dim, f"lam i:Z. sum(j, 1, 1, {v}[i,j]^2)")
        g.pos([], eqs=[(one, 1), (entries, -1), (empty, -1)])

    return g.have(f"1 <= {dim}", prove)


@part(
    "eftekhari2022.eq-171",
    "deflation",
    f"""all x y:Z, Z:M(y,x), uZ:V(y), vZ:V(x). {PAIR} all w:V(x). tr(T(vZ) @ w) = 0 => {size("Z @ w")} <= sv(Z,2)^2*{size("w")}""",
    says="orthogonally to the leading singular vector Z stretches by at most its second singular value",
)
def stretching_beyond_the_leading_pair(g: Goal) -> None:
    """Y = Z v v^T + Z w w^T / |w|^2 has rank at most two and leaves |Z|^2 - s_1^2 - |Z w|^2/|w|^2, which is at least the sum
    of the squares of the singular values from the third on (Eckart-Young)."""
    g.fix()
    left, right, image, _ = (g.assume() for _ in range(4))
    g.fix("w")
    orthogonal = g.assume()
    one = unit_trace(g, right, "vZ")
    nonempty(g, "x", "vZ", one)
    nonempty(g, "y", "uZ", unit_trace(g, left, "uZ"))

    def zero(g: Goal) -> None:
        flat = next(reversed(g.seq.hyps))
        w = g.by_fact("frobenius_zero", "x", 1, "w", by=[using(flat)])
        g.rewrite(w)
        value = g.have("tr(T(Z @ O(x,1)) @ (Z @ O(x,1))) = 0", lambda g: g.field())
        other = g.have(f"{size('O(x,1)')} = 0", lambda g: g.field())
        g.rewrite(value)
        g.rewrite(other)
        g.have("0 <= sv(Z,2)^2*0", lambda g: g.pos())
        g.auto()

    def general(g: Goal) -> None:
        different = next(reversed(g.seq.hyps))
        g.have(f"0 < {size('w')}", lambda g: positive(g, different))
        n = size("w")
        cross = g.have("T(vZ) @ w = O(1,1)", lambda g: crossing(g, orthogonal))
        length = scalar_matrix(g, "(T(w) @ w)")
        near = f"(Z @ vZ @ T(vZ) + (1/{n})*(Z @ w @ T(w)))"
        first, second = "[[1,0]]", "[[0,1]]"
        factored = g.have(
            f"{near} = (Z @ vZ @ {first} + (1/{n})*(Z @ w) @ {second}) @ (T({first}) @ T(vZ) + T({second}) @ T(w))",
            lambda g: blocks(g, first, second),
        )
        rank = g.have(f"rank({near}) <= 2", lambda g: low_rank(g, factored))
        best = g.by_fact("eckart_young", "y", "x", 2, "Z")
        _, least = g.split(best)
        bound = g.apply(least, near, by=[using(rank)])
        gram = g.have(
            f"(Z - {near}) @ T(Z - {near}) = Z @ T(Z) - Z @ vZ @ T(vZ) @ T(Z) - (1/{n})*(Z @ w @ T(w) @ T(Z))",
            lambda g: g.nc(rw=[right, cross, length]),
        )
        turned = g.have(
            f"tr(T(Z - {near}) @ (Z - {near})) = tr((Z - {near}) @ T(Z - {near}))",
            lambda g: g.field(),
        )
        stretched = g.have("tr(T(Z @ vZ) @ (Z @ vZ)) = sv(Z,1)^2", lambda g: (g.rewrite(image), leading(g, left)))
        rest = g.have(
            f"tr(T(Z - {near}) @ (Z - {near})) = tr(T(Z) @ Z) - sv(Z,1)^2 - (1/{n})*{size('Z @ w')}",
            lambda g: (g.rewrite(turned), g.rewrite(gram), g.field((stretched, -1))),
        )
        frobenius = g.by_fact("sv_frobenius", "y", "x", "Z")
        terms = "lam i:Z. sv(Z,i)^2"
        split = g.by_fact("sum_first", 1, "x", terms)
        order = g.fact("total", 2, "x")

        def several(g: Goal) -> None:
            again = g.by_fact("sum_first", 2, "x", terms)
            g.pos([f"@{bound}", n], eqs=[(h, f"-{n}") for h in (rest, frobenius, split, again)])

        def at_most_two(g: Goal) -> None:
            g.less_or_equal("x <= 2", one_column, several)

        def one_column(g: Goal) -> None:
            second = g.by_fact("sum_empty", 2, "x", terms)
            third = g.by_fact("sum_empty", 3, "x", terms)
            equations = [(h, f"-{n}") for h in (rest, frobenius, split, second)]
            g.pos([f"@{bound}", n], ["sv(Z,2)^2", n], eqs=[*equations, (third, n)])

        g.cases(order, several, at_most_two)

    g.em(f"{size('w')} = 0", zero, general)


def positive(g: Goal, different: str) -> None:
    """0 < |w|^2 from |w|^2 != 0."""
    n = g.concl[2]
    nonneg = g.have(("<=", 0, n))

    def equal(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        k = g.have(("=", n, 0), lambda g: g.field((eq, -1)))
        g.clash(k, different)

    g.cases(g.by_fact("lt_or_eq", 0, n, by=[using(nonneg)]), None, equal)


def crossing(g: Goal, orthogonal: str) -> None:
    """v^T w = 0 as a 1 x 1 matrix."""
    h = scalar_matrix(g, "(T(vZ) @ w)")
    g.nc((h, 1, None, None), rw=[orthogonal])


def blocks(g: Goal, first: str, second: str) -> None:
    """Two rows times two columns."""
    e = [g.have(f"{a} @ T({b}) = {c}", lambda g: g.ext()) for a, b, c in (
        (first, first, "I(1)"), (first, second, "O(1,1)"), (second, first, "O(1,1)"), (second, second, "I(1)"))]  # fmt: skip
    g.nc(rw=e)


def low_rank(g: Goal, factored: str) -> None:
    """The rank is at most the inner dimension."""
    g.rewrite(factored)
    _, left, right = g.concl[1][2]
    both = g.fact("rank_product", "y", 2, "x", left, right)
    small, _ = g.split(both)
    bounds = g.by_fact("rank_bounds", "y", 2, left)
    _, _, columns = g.split(bounds)
    g.pos([f"@{small}"], [f"@{columns}"])


def leading(g: Goal, left: str) -> None:
    """|s u|^2 = s^2 for a unit vector u."""
    h = g.have("T(sv(Z,1)*uZ) @ (sv(Z,1)*uZ) = sv(Z,1)^2*I(1)", lambda g: g.nc(rw=[left]))
    g.rewrite(h)
    g.field()


@part(
    "eftekhari2022.step-i1-residual-bound",
    "residual-bound",
    f"""all x y:Z, Z Z1:M(y,x), uZ u:V(y), vZ v:V(x), a b q:R. {LEADING} T(u) @ u = I(1) => T(v) @ v = I(1) =>
       T(uZ) @ u = a*I(1) => T(vZ) @ v = b*I(1) => T(u) @ (Z - Z1) @ v = q*I(1) =>
       a^2 <= 1 and b^2 <= 1 and q^2 <= sv(Z,2)^2*((1 - a^2)*(1 - b^2)) and
       -(sv(Z,2)*(1 - a*b)) <= q and q <= sv(Z,2)*(1 - a*b)""",
    says="with a = u_Z^T u and b = v_Z^T v: |u^T (Z - Z_1) v| <= s_2 sqrt((1 - a^2)(1 - b^2)) <= s_2 (1 - a b)",
    uses=["eftekhari2022.eq-171"],
)
def bilinear_form_of_the_residual(g: Goal) -> None:
    """u^T (Z - Z_1) v = (u - a u_Z)^T Z (v - b v_Z), Cauchy-Schwarz and deflation; (1 - a^2)(1 - b^2) = (1 - a b)^2 - (a - b)^2."""
    left, right, image, back, best, uu, vv, au, bv, form = g.intro()
    p, w = "(u - a*uZ)", "(v - b*vZ)"
    deflated = g.lemma(
        "eftekhari2022.eq-171", "part:deflation", "x", "y", "Z", "uZ", "vZ",
        by=[using(left), using(right), using(image), using(back)],
    )  # fmt: skip
    traces = {
        name: trace_of(g, product, value, [left, right, uu, vv, au, bv])
        for name, product, value in (
            ("p", f"T({p}) @ {p}", "1 - a^2"),
            ("w", f"T({w}) @ {w}", "1 - b^2"),
            ("cross", f"T(vZ) @ {w}", "0"),
            ("uu", "T(u) @ u", "1"),
            ("vv", "T(v) @ v", "1"),
        )
    }
    stretch = g.apply(deflated, w, by=[using(traces["cross"])])
    product = g.have(
        f"T({p}) @ (Z @ {w}) = q*I(1)",
        lambda g: g.nc((form, 1, None, None), (best, 1, "T(u)", "v"), rw=[image, back, left, right, au, bv]),
    )
    value = g.have(f"tr(T({p}) @ (Z @ {w})) = q", lambda g: (g.rewrite(product), g.field()))
    cauchy = g.fact("frobenius_cauchy", "y", 1, p, f"Z @ {w}")
    a_low = g.have("a^2 <= 1", lambda g: g.pos([f"tr(T({p}) @ {p})"], eqs=[(traces["p"], -1)]))
    b_low = g.have("b^2 <= 1", lambda g: g.pos([f"tr(T({w}) @ {w})"], eqs=[(traces["w"], -1)]))
    square = g.have(
        "q^2 <= sv(Z,2)^2*((1 - a^2)*(1 - b^2))",
        lambda g: squares(g, cauchy, stretch, value, traces["p"], traces["w"], a_low),
    )
    order = g.fact("sv_range", "y", "x", "Z")
    nonneg, _ = g.split(g.apply(order, 2, 2))
    product = g.have("0 <= 1 - a*b", lambda g: g.pos(["1/2", f"@{a_low}"], ["1/2", f"@{b_low}"], ["1/2", "(a - b)^2"]))
    top = "sv(Z,2)*(1 - a*b)"
    wide = g.have(f"0 <= {top}", lambda g: g.pos([f"@{nonneg}", f"@{product}"]))
    large = g.have(f"q^2 <= ({top})^2", lambda g: g.pos([f"@{square}"], ["sv(Z,2)^2", "(a - b)^2"]))

    def low(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{k}", f"@{k}"], ["2", f"@{k}", f"@{wide}"], [f"@{large}"])

    g.conj(using(a_low), using(b_low), using(square), low, low)


def trace_of(g: Goal, product: str, value: str, rules: list[str]) -> str:
    """Adds tr(product) = value for a 1 x 1 product that the rules reduce to a number."""
    h = g.have(f"{product} = ({value})*I(1)", lambda g: g.nc(rw=rules))
    return g.have(f"tr({product}) = {value}", lambda g: (g.rewrite(h), g.field()))


def squares(g: Goal, cauchy: str, stretch: str, value: str, p: str, w: str, low: str) -> None:
    """q^2 <= |p|^2 |Z w|^2 <= |p|^2 s_2^2 |w|^2."""
    first = g.rewritten(cauchy, value)
    first = g.rewritten(first, p)
    second = g.rewritten(stretch, w)
    g.pos([f"@{first}"], [f"@{low}", f"@{second}"])


@holds(
    "eftekhari2022.step-i1-residual-bound",
    f"""all x y:Z, Z Z1:M(y,x), uZ u:V(y), vZ v:V(x). {LEADING} T(u) @ u = I(1) => T(v) @ v = I(1) =>
       -sv(Z,2) <= tr(T(u) @ (Z - Z1) @ v)""",
    argument="sound",
    context="Z_1 is made of a leading singular pair of Z [Assumption 14]",
    uses=["eftekhari2022.step-i1-residual-bound"],
)
def residual_form_from_below(g: Goal) -> None:
    """|q| <= s_2 sqrt((1 - a^2)(1 - b^2)) <= s_2."""
    names = g.intro(split=False)
    words = ("T(uZ) @ u", "T(vZ) @ v", "T(u) @ (Z - Z1) @ v")
    numbers = [scalar_matrix(g, f"({word})") for word in words]
    a, b, q = (f"tr({word})" for word in words)
    bounds = g.lemma(
        "eftekhari2022.step-i1-residual-bound", "part:residual-bound", "x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", a, b, q,
        by=[using(h) for h in (*names, *numbers)],
    )  # fmt: skip
    first, _, square, _, _ = g.split_all(bounds)
    order = g.fact("sv_range", "y", "x", "Z")
    nonneg, _ = g.split(g.apply(order, 2, 2))
    s = "sv(Z,2)"
    large = g.have(f"{q}^2 <= {s}^2", lambda g: g.pos([f"@{square}"], [f"{s}^2", f"{a}^2"], [f"{s}^2", f"{b}^2", f"@{first}"]))
    k = g.contra()
    g.pos([f"@{k}", f"@{k}"], ["2", f"@{k}", f"@{nonneg}"], [f"@{large}"])
