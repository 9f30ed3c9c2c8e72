"""Sections 3 and 4: Z_1 is the unique best approximation of Z of rank one, and the loss is comparable to the distance from it."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import LEADING, nonempty, size, unit_trace
from proofs.eftekhari2022.rank_one_numbers import GAP, LOSS, POINT, SECOND, TOP, A, B, C, Q, W, numbers, product_bounds
from proofs.eftekhari2022.theorem_twenty import GAMMA
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import holds, part

TARGET = f"all x y:Z, Z Z1:M(y,x), uZ:V(y), vZ:V(x). {LEADING}"
CONTEXT = "the spectral gap [Assumption 14]"


@part(
    "eftekhari2022.def-z1",
    "error",
    f"{TARGET} {size('Z - Z1')} = tr(T(Z) @ Z) - {TOP}^2",
    says="the error of Z_1",
)
def error_of_the_leading_part(g: Goal) -> None:
    """<Z, Z_1> = s_Z u_Z^T Z v_Z = s_Z^2 = |Z_1|^2."""
    left, right, image, _, best = g.intro()
    one = g.have(f"T(uZ) @ Z @ vZ = {TOP}*I(1)", lambda g: g.nc((image, 1, "T(uZ)", None), (left, TOP, None, None)))
    two = g.have("T(uZ) @ uZ @ T(vZ) @ vZ = I(1)", lambda g: g.nc(rw=[left, right]))
    first = g.have(f"tr(T(uZ) @ Z @ vZ) = {TOP}", lambda g: (g.rewrite(one), g.field()))
    second = g.have("tr(T(uZ) @ uZ @ T(vZ) @ vZ) = 1", lambda g: (g.rewrite(two), g.field()))
    g.rewrite(best)
    g.field((first, f"-2*{TOP}"), (second, f"{TOP}^2"))


@holds(
    "eftekhari2022.def-z1",
    f"{TARGET} rank(Z1) <= 1 and all W:M(y,x). rank(W) <= 1 => {size('Z - Z1')} <= {size('Z - W')}",
    argument="sound",
    reading="well-formed: Z_1 made of a leading singular pair is a best approximation of rank at most one",
    uses=["eftekhari2022.def-z1"],
)
def leading_part_is_a_best_approximation(g: Goal) -> None:
    """Eckart and Young: every matrix of rank at most one leaves the squares of the singular values from the second on."""
    names = g.intro()
    left, right, _, _, best = names
    nonempty(g, "y", "uZ", unit_trace(g, left, "uZ"))
    nonempty(g, "x", "vZ", unit_trace(g, right, "vZ"))
    error = g.lemma("eftekhari2022.def-z1", "part:error", "x", "y", "Z", "Z1", "uZ", "vZ", by=[using(h) for h in names])
    total = g.by_fact("sv_frobenius", "y", "x", "Z")
    split = g.by_fact("sum_first", 1, "x", "lam i:Z. sv(Z,i)^2")
    _, least = g.split(g.by_fact("eckart_young", "y", "x", 1, "Z"))
    both = g.fact("rank_product", "y", 1, "x", f"{TOP}*uZ", "T(vZ)")
    low, _ = g.split(both)
    _, _, columns = g.split(g.by_fact("rank_bounds", "y", 1, f"{TOP}*uZ"))

    def rank(g: Goal) -> None:
        same = g.have(f"Z1 = ({TOP}*uZ) @ T(vZ)", lambda g: g.nc((best, 1, None, None)))
        g.rewrite(same)
        g.pos([f"@{low}"], [f"@{columns}"])

    def minimal(g: Goal) -> None:
        g.fix("W")
        h = g.assume()
        k = g.apply(least, "W", by=[using(h)])
        g.pos([f"@{k}"], eqs=[(error, -1), (total, -1), (split, -1)])

    g.conj(rank, minimal)


@holds(
    "eftekhari2022.assertion-z1-unique",
    f"""all m:R. 0 < m => all x y:Z, Z Z1:M(y,x), uZ:V(y), vZ:V(x). {GAP} {LEADING} rank(Z1) <= 1 and
       (all W:M(y,x). rank(W) <= 1 => m*{size("Z - Z1")}/2 <= m*{size("Z - W")}/2) and
       all W:M(y,x). rank(W) <= 1 => m*{size("Z - W")}/2 <= m*{size("Z - Z1")}/2 => W = Z1""",
    argument="sound",
    context=CONTEXT,
    uses=["eftekhari2022.def-z1", "eftekhari2022.eq-32", "eftekhari2022.eq-169-identity"],
)
def best_approximation_is_unique(g: Goal) -> None:
    """For W = s u v^T: |Z - W|^2 = |Z|^2 - 2 s z + s^2 with z = u^T Z v <= s_Z a b + s_2 (1 - a b); equality forces s = z = s_Z,
    a b = 1, hence u = a u_Z and v = b v_Z."""
    names = g.intro(split=False)
    flow = names[1:]
    lead = flow[2:]
    h = g.lemma("eftekhari2022.def-z1", "statement", "x", "y", "Z", "Z1", "uZ", "vZ", by=[using(k) for k in lead])
    small, least = g.split(h)
    error = g.lemma("eftekhari2022.def-z1", "part:error", "x", "y", "Z", "Z1", "uZ", "vZ", by=[using(k) for k in lead])

    def minimal(g: Goal) -> None:
        g.fix("W")
        low = g.assume()
        k = g.apply(least, "W", by=[using(low)])
        g.pos(["1/2", "m", f"@{k}"])

    def unique(g: Goal) -> None:
        g.fix("W")
        low = g.assume()
        close = g.assume()
        near = g.have(
            f"{size('Z - W')} <= tr(T(Z) @ Z) - {TOP}^2", lambda g: g.pos(["2", f"@{close}"], mul=["m"], eqs=[(error, "-m")])
        )

        def one(g: Goal) -> None:
            rank = next(reversed(g.seq.hyps))
            parts = g.obtain(g.lemma("eftekhari2022.eq-32", "part:thin-exists", "x", "y", "W", by=[using(rank)]), "s", "u", "v")
            attained(g, flow, parts, near)

        def less(g: Goal) -> None:
            different = next(reversed(g.seq.hyps))
            empty(g, flow[0], different, low, near)

        g.em("rank(W) = 1", one, less)

    g.conj(using(small), minimal, unique)


def empty(g: Goal, top: str, different: str, low: str, near: str) -> None:
    """Rank 0: W = 0, which is too far."""

    def equal(g: Goal) -> None:
        g.clash(next(reversed(g.seq.hyps)), different)

    def strict(g: Goal) -> None:
        h = next(reversed(g.seq.hyps))
        k = g.by_fact("int_lt", "rank(W)", 1, by=[using(h)])
        factors = g.by_fact("rank_factor", "y", "x", 0, "W", by=[None, lambda g: g.pos([f"@{k}"])])
        product = g.obtain(factors, "L", "R")[0]

        def entries(g: Goal) -> None:
            g.extn("i", "j")
            g.field()

        zero = g.have("L @ R = O(y,x)", entries)
        none = g.have("W = O(y,x)", lambda g: (g.rewrite(product), g.close_by(zero)))
        flat = g.have(f"{size('Z - W')} = tr(T(Z) @ Z)", lambda g: (g.rewrite(none), g.field()))
        false = g.have(f"{TOP}^2 <= 0", lambda g: g.pos([f"@{near}"], eqs=[(flat, 1)]))
        g.contra()
        g.pos([f"@{false}"], [f"@{top}", f"@{top}"])

    g.cases(g.by_fact("lt_or_eq", "rank(W)", 1, by=[using(low)]), strict, equal)


def attained(g: Goal, flow: list[str], parts: list[str], near: str) -> None:
    """W = s u v^T with the least error is Z_1."""
    _, gap, left, right, _, _, best = flow
    s_pos, product, uu, vv = parts
    form, a, b, _, _, high, *_ = numbers(g, [*flow, s_pos, uu, vv])
    z = "tr(T(u) @ Z @ v)"
    rest = g.have(f"{z} = {C} + {Q}", lambda g: g.field())
    ones = g.have("T(u) @ u @ T(v) @ v = I(1)", lambda g: g.nc(rw=[uu, vv]))
    unit = g.have("tr(T(u) @ u @ T(v) @ v) = 1", lambda g: (g.rewrite(ones), g.field()))
    value = g.have(f"{size('Z - W')} = tr(T(Z) @ Z) - 2*s*{z} + s^2", lambda g: (g.rewrite(product), g.field((unit, "s^2"))))
    square = g.have(f"(s - {z})^2 + {TOP}^2 - {z}^2 <= 0", lambda g: g.pos([f"@{near}"], eqs=[(value, 1)]))
    less, _ = product_bounds(g, a, b)
    upper = g.have(
        f"{z} <= {TOP} - ({TOP} - {SECOND})*(1 - {A}*{B})", lambda g: g.pos([f"@{high}"], eqs=[(rest, -1), (form, -1)])
    )
    cap = g.have(f"{z} <= {TOP}", lambda g: g.pos([f"@{upper}"], [f"@{gap}", f"@{less}"]))

    def positive_form(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{square}"], ["2", "s", f"@{k}"], ["s^2"], [f"{TOP}^2"])

    g.have(f"0 <= {z}", positive_form)
    flat = g.have(f"(s - {z})^2 = 0", lambda g: g.antisym(lambda g: g.pos([f"@{square}"], [f"@{cap}", f"{TOP} + {z}"]), None))
    zero = g.by_fact("square_zero", f"s - {z}", by=[using(flat)])

    def reached(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{square}"], [f"(s - {z})^2"], [f"@{k}", f"{TOP} + {z}"])

    full = g.have(f"{TOP} <= {z}", reached)

    def aligned(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{full}"], [f"@{upper}"], [f"@{gap}", f"@{k}"])

    ab = g.have(f"1 <= {A}*{B}", aligned)
    total = g.have(f"{A}*{B} = 1", lambda g: g.antisym(using(less), using(ab)))
    one = g.have(f"{A}^2 = 1", lambda g: g.antisym(using(a), lambda g: g.pos([f"@{b}"], ["2", f"@{ab}"], [f"({A} - {B})^2"])))
    two = g.have(f"{B}^2 = 1", lambda g: g.antisym(using(b), lambda g: g.pos([f"@{a}"], ["2", f"@{ab}"], [f"({A} - {B})^2"])))
    au, bv = scalar_matrix(g, "(T(uZ) @ u)"), scalar_matrix(g, "(T(vZ) @ v)")

    def parallel(vector: str, leading: str, number: str, own: str, unit: str, cosine: str, n: str, squared: str) -> str:
        w = f"({vector} - {number}*{leading})"
        gram = g.have(f"T({w}) @ {w} = (1 - {number}^2)*I(1)", lambda g: g.nc(rw=[own, unit, cosine]))
        trace = g.have(f"tr(T({w}) @ {w}) = 0", lambda g: (g.rewrite(gram), g.field((squared, -1))))
        k = g.by_fact("frobenius_zero", n, 1, w, by=[using(trace)])
        return g.have(f"{vector} = {number}*{leading}", lambda g: g.nc((k, 1, None, None)))

    u = parallel("u", "uZ", A, left, uu, au, "y", one)
    v = parallel("v", "vZ", B, right, vv, bv, "x", two)
    size_ = g.have(
        f"s = {TOP}",
        lambda g: g.antisym(lambda g: g.pos([f"@{cap}"], eqs=[(zero, -1)]), lambda g: g.pos([f"@{full}"], eqs=[(zero, 1)])),
    )
    outer = g.have(f"u @ T(v) = ({A}*{B})*(uZ @ T(vZ))", lambda g: product_of(g, u, v))
    g.rewrite(product)
    g.rewrite(best)
    g.rewrite(outer)
    g.rewrite(total)
    g.rewrite(size_)
    g.nc()


def product_of(g: Goal, u: str, v: str) -> None:
    """u v^T = a b u_Z v_Z^T from u = a u_Z and v = b v_Z."""
    turned = g.have(f"T(v) = T({B}*vZ)", lambda g: g.ctx(using(v)))
    g.nc((u, 1, None, "T(v)"), (turned, 1, f"{A}*uZ", None))


@part(
    "eftekhari2022.assertion-rate-equivalence",
    "pointwise",
    f"""{POINT} (1 - {GAMMA})*(2*{LOSS}) <= {size(f"Z - {W}")} - {size("Z - Z1")} and
       {size(f"Z - {W}")} - {size("Z - Z1")} <= (1 + {GAMMA})*(2*{LOSS})""",
    says="at a matrix W = s u v^T: the excess of |Z - W|^2 over its minimum lies between 1 - gamma_Z and 1 + gamma_Z times |Z_1 - W|^2",
    uses=["eftekhari2022.def-z1", "eftekhari2022.eq-169-identity"],
)
def excess_loss_and_distance_are_comparable(g: Goal) -> None:
    """Their difference is 2 s |q| <= 2 s s_2 (1 - a b) <= gamma_Z |Z_1 - W|^2."""
    names = g.intro(split=False)
    lead, (uu, vv) = names[2:7], names[8:10]
    form, _, _, _, low, high, _, value = numbers(g, names)
    error = g.lemma("eftekhari2022.def-z1", "part:error", "x", "y", "Z", "Z1", "uZ", "vZ", by=[using(k) for k in lead])
    z = "tr(T(u) @ Z @ v)"
    rest = g.have(f"{z} = {C} + {Q}", lambda g: g.field())
    ones = g.have("T(u) @ u @ T(v) @ v = I(1)", lambda g: g.nc(rw=[uu, vv]))
    unit = g.have("tr(T(u) @ u @ T(v) @ v) = 1", lambda g: (g.rewrite(ones), g.field()))
    own = g.have(f"{size(f'Z - {W}')} = tr(T(Z) @ Z) - 2*s*{z} + s^2", lambda g: g.field((unit, "s^2")))
    order = g.fact("sv_range", "y", "x", "Z")
    g.split(g.apply(order, 2, 2))
    g.have(f"0 <= {GAMMA}")
    ratio = g.have(f"{GAMMA}*{TOP} = {SECOND}", lambda g: g.field())
    excess = g.have(
        f"{size(f'Z - {W}')} - {size('Z - Z1')} = 2*{LOSS} - 2*s*{Q}",
        lambda g: g.field((own, 1), (error, -1), (rest, "-2*s"), (value, -2)),
    )
    room = g.have(
        f"2*s*({SECOND}*(1 - {A}*{B})) <= {GAMMA}*(2*{LOSS})",
        lambda g: g.pos(
            [GAMMA, f"(s - {TOP})^2"], eqs=[(value, f"2*{GAMMA}"), (form, f"-2*s*{GAMMA}"), (ratio, f"2*s*(1 - {A}*{B})")]
        ),
    )
    g.rewrite(excess)
    g.conj(
        lambda g: g.pos([f"@{room}"], ["2", "s", f"@{high}"]),
        lambda g: g.pos([f"@{room}"], ["2", "s", f"@{low}"]),
    )
