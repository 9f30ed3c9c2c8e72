"""Section 3 and Appendices I, K: the limit of gradient flow from the stable set (Lemma 15, Theorem 16, Lemma 17)."""

from __future__ import annotations

from proofs.eftekhari2022.excess_loss import START
from proofs.eftekhari2022.global_convergence import BASE, LIMITS_EXIST, TERMS
from proofs.eftekhari2022.rank_one_flow import TARGET_VARIABLES
from proofs.eftekhari2022.second_order_layers import half
from proofs.eftekhari2022.theorem_twenty import BALANCED, FLOW, INNER, NETWORK, ONE_NEURON, PADDING, TARGET
from proofs.razin2020.scripts import using
from proofs.varre2023.matrix_limits import CLAIM as LIMITS
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "eftekhari2022.theorem-16"
STATED = f"all {NETWORK}, {TARGET_VARIABLES}, w:R. {FLOW} {BALANCED} {ONE_NEURON} {TARGET} {START}"
FAMILY = f"""all C:M(n,x), D:M(y,n), L:Z->M(n,n), R:Z->M(n,x). tends(t, A(t), C) => tends(t, B(t), D) =>
       (all l:Z. {INNER} => tends(t, W(l,t), L(l))) => R(1) = C => (all l:Z. {INNER} => R(l) = L(l) @ R(l-1)) =>"""
"""C, L(l), D are the limits of the layers and R(l) the products of the first l of them."""
LIMIT = "D @ R(N-1)"
READING = (
    "C, L(l), D are the limits of the layers W_1, W_l, W_N and D R(N-1) is their product; w stands for alpha. The start is in the stable set (28):"
    " its product has rank one and is s u v^T with s and u^T Z_1 v above their bounds. The products of layers are the matrices of rank at most"
    f" r = 1 (Appendix A); {PADDING}"
)
CONTEXT = "N >= 2, whitened data and the spectral gap [Assumption 14]"


def best(w: str) -> str:
    """w is a global minimizer among the matrices of rank at most one."""
    return f"(all V:M(y,x). rank(V) <= 1 => {half(f'Y - {w} @ X')} <= {half('Y - V @ X')})"


@part(
    CLAIM,
    "unique-limit",
    "all m n:Z, E:R->M(m,n), L K:M(m,n). tends(t, E(t), L) => tends(t, E(t), K) => L = K",
    says="a matrix function has at most one limit",
)
def matrix_limits_are_unique(g: Goal) -> None:
    """Entry by entry."""
    one, two = g.intro(split=False)
    first = g.apply(g.split(g.fact("tends_matrix", "m", "n", "L", "lam t:R. E(t)"))[0], by=[using(one)], n=1)
    second = g.apply(g.split(g.fact("tends_matrix", "m", "n", "K", "lam t:R. E(t)"))[0], by=[using(two)], n=1)
    g.extn("i", "j")
    a, b = g.apply(first, "i", "j"), g.apply(second, "i", "j")
    g.close_by(g.by_fact("tends_unique", "L[i,j]", "K[i,j]", "lam t:R. E(t)[i,j]", by=[using(a), using(b)]))


@part(
    CLAIM,
    "loss-by-distance",
    f"""all x y m:Z, X:M(x,m), Y:M(y,m), Z:M(y,x). X @ T(X) = m*I(x) => 1 <= m => Z = (1/m)*(Y @ T(X)) =>
       all V:M(y,x). {half("Y - V @ X")} = m*{half("Z - V")} + {half("Y")} - m*{half("Z")}""",
    says="for whitened data the loss is m |Z - V|^2/2 up to a constant",
)
def loss_is_a_distance(g: Goal) -> None:
    """Multiply out."""
    white, _, target = g.intro(split=False)
    own = g.have("V @ X @ T(X) = m*V", lambda g: g.nc((white, 1, "V", None)))
    cross = g.have("Y @ T(X) = m*Z", lambda g: g.nc((target, "-m", None, None)))
    one = g.have("tr(T(V) @ (V @ X @ T(X))) = m*tr(T(V) @ V)", lambda g: (g.rewrite(own), g.field())[-1])
    two = g.have("tr(T(V) @ (Y @ T(X))) = m*tr(T(V) @ Z)", lambda g: (g.rewrite(cross), g.field())[-1])
    g.field((one, "1/2"), (two, -1))


@part(
    CLAIM,
    "minimal",
    f"all x y m:Z, X:M(x,m), Y:M(y,m), {TARGET_VARIABLES}. {TARGET} rank(Z1) = 1 and {best('Z1')}",
    says="Z_1 is a global minimizer of the loss among the matrices of rank at most one, and has rank one",
    uses=[CLAIM, "eftekhari2022.def-z1", "eftekhari2022.eq-32"],
)
def leading_part_minimizes_the_loss(g: Goal) -> None:
    """Eckart and Young for Z."""
    names = g.intro(split=False)
    h = g.lemma("eftekhari2022.def-z1", "statement", "x", "y", "Z", "Z1", "uZ", "vZ", by=[using(k) for k in names[5:10]])
    least = g.split(h)[1]
    loss = g.lemma(CLAIM, "part:loss-by-distance", "x", "y", "m", "X", "Y", "Z", by=[using(k) for k in names[:3]])
    one = g.lemma(
        "eftekhari2022.eq-32", "part:thin-has-rank-one", "x", "y", "sv(Z,1)", "uZ", "vZ", "Z1",
        by=[using(names[3]), using(names[9]), using(names[5]), using(names[6])],
    )  # fmt: skip

    def minimal(g: Goal) -> None:
        g.fix("V")
        rank = g.assume()
        k = g.apply(least, "V", by=[using(rank)])
        a, b = g.apply(loss, "Z1"), g.apply(loss, "V")
        g.have("0 < m")
        g.pos(["1/2", "m", f"@{k}"], eqs=[(a, -1), (b, 1)])

    g.conj(using(one), minimal)


@part(
    CLAIM,
    "limit-of-products",
    f"{BASE} {FAMILY} {LIMIT} = Z1",
    says="the product of the limits of the layers is Z_1",
    uses=[CLAIM, LIMITS],
)
def product_of_the_limits(g: Goal) -> None:
    """Limits of products are products of limits."""
    g.fix()
    names = [g.assume() for _ in range(19)]
    g.fix()
    first, last, inner, start, law = (g.assume() for _ in range(5))
    whole = g.split(g.lemma(CLAIM, "part:layers-converge", *TERMS, by=[using(k) for k in names]))[1]
    ends, steps = names[1], names[2]

    def equal(g: Goal, rows: str, columns: str, left: str, right: str, limit: str, pick: int, h: str) -> str:
        """The limit of `right` from that of `left`, which agree for t >= 0."""

        def same(g: Goal) -> None:
            g.fix("t")
            at = g.assume()
            k = g.split(g.apply(ends, "t", by=[using(at)]) if pick < 3 else g.apply(steps, "l", "t", by=[None, using(at)]))[
                pick if pick < 3 else 0
            ]
            g.nc((k, -1, None, None))

        return g.lemma(
            LIMITS, "part:equal-from-0", rows, columns, f"lam t:R. {left}", f"lam t:R. {right}", limit, by=[same, using(h)]
        )

    def every(g: Goal) -> None:
        ih = g.induct("l")
        g.assume()

        def one(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.rewrite(eq)
            g.rewrite(start)
            g.close_by(equal(g, "n", "x", "A(t)", "Q(1,t)", "C", 0, first))

        def more(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            low = next(h for h, f in g.seq.hyps.items() if f == ("<=", 1, "l"))

            def clash(g: Goal) -> None:
                e = next(reversed(g.seq.hyps))
                g.clash(g.have("l = 1", lambda g: g.field((e, -1))), ne)

            def larger(g: Goal) -> None:
                two = g.by_fact("int_lt", "1", "l", by=[using(next(reversed(g.seq.hyps)))])
                two = g.have("2 <= l", lambda g: g.pos([f"@{two}"]))
                before = g.apply(ih, "l-1", by=[lambda g: g.conj(lambda g: g.pos([f"@{two}"]), None), None])
                own = g.apply(inner, "l")
                k = g.by_fact(
                    "tends_matrix_mul", "n", "n", "x", "L(l)", "R(l-1)", "lam t:R. W(l,t)", "lam t:R. Q(l-1,t)",
                    by=[using(own), using(before)],
                )  # fmt: skip
                g.rewrite(g.apply(law, "l"))
                g.close_by(equal(g, "n", "x", "W(l,t) @ Q(l-1,t)", "Q(l,t)", "L(l) @ R(l-1)", 3, k))

            g.cases(g.by_fact("lt_or_eq", "1", "l", by=[using(low)]), larger, clash)

        g.em("l = 1", one, more)

    all_ = g.have("all l:Z. 1 <= l => l <= N - 1 => tends(t, Q(l,t), R(l))", every)
    top = g.apply(all_, "N-1")
    k = g.by_fact(
        "tends_matrix_mul", "y", "n", "x", "D", "R(N-1)", "lam t:R. B(t)", "lam t:R. Q(N-1,t)", by=[using(last), using(top)]
    )
    k = equal(g, "y", "x", "B(t) @ Q(N-1,t)", "E(t)", "D @ R(N-1)", 2, k)
    g.close_by(g.lemma(CLAIM, "part:unique-limit", "y", "x", "lam t:R. E(t)", "D @ R(N-1)", "Z1", by=[using(k), using(whole)]))


def take(g: Goal) -> list[str]:
    """Fix and assume STATED; the names of what BASE assumes."""
    g.fix()
    names = [g.assume() for _ in range(20)]
    return [*names[:6], *names[7:]]


def limits(g: Goal, names: list[str]) -> tuple[str, str, str, str]:
    """Adds that the layers converge, that E(t) tends to Z_1, that Z_1 has rank one, and that it is a minimizer."""
    exist, whole = g.split(g.lemma(CLAIM, "part:layers-converge", *TERMS, by=[using(k) for k in names]))
    rank, least = g.split(
        g.lemma(CLAIM, "part:minimal", "x", "y", "m", "X", "Y", "Z", "Z1", "uZ", "vZ", by=[using(k) for k in names[6:16]])
    )
    return exist, whole, rank, least


def product(g: Goal, names: list[str]) -> str:
    """Fix and assume FAMILY; adds that the product of the limits is Z_1."""
    g.fix()
    own = [g.assume() for _ in range(5)]
    h = g.lemma(CLAIM, "part:limit-of-products", *TERMS, by=[using(k) for k in names])
    return g.apply(h, "C", "D", "L", "R", by=[using(k) for k in own])


@holds(
    "eftekhari2022.lemma-15",
    f"{STATED} ({LIMITS_EXIST}) and ({FAMILY} rank({LIMIT}) = 1)",
    argument="repaired",
    reason="convergence is shown without the inequality of Lojasiewicz: the excess of the loss decays exponentially",
    reading=READING,
    context=CONTEXT,
    uses=[CLAIM],
)
def limit_has_rank_one(g: Goal) -> None:
    """All layers converge, and the product of the limits is Z_1."""
    names = take(g)
    exist, _, rank, _ = limits(g, names)

    def one(g: Goal) -> None:
        whole = product(g, names)
        g.rewrite(whole)
        g.close_by(rank)

    g.conj(using(exist), one)


@holds(
    CLAIM,
    f"{STATED} ({LIMITS_EXIST}) and ({FAMILY} rank({LIMIT}) = 1 and {LIMIT} = Z1 and {best(f'({LIMIT})')})",
    argument="repaired",
    reason="proved for every start in the stable set, without an exceptional set: a set of Lebesgue measure zero in the space of all tuples says little"
    " about balanced tuples, which may be such a set themselves",
    reading=READING,
    context=CONTEXT,
    uses=[CLAIM],
)
def flow_converges_to_a_global_minimizer(g: Goal) -> None:
    """All layers converge, and the product of the limits is Z_1, the best approximation of rank one."""
    names = take(g)
    exist, _, rank, least = limits(g, names)

    def minimizer(g: Goal) -> None:
        whole = product(g, names)

        def best_of_all(g: Goal) -> None:
            g.fix("V")
            low = g.assume()
            g.replace(f"Y - {LIMIT} @ X", "Y - Z1 @ X", lambda g: g.nc((whole, -1, None, "X")))
            g.close_by(g.apply(least, "V", by=[using(low)]))

        g.conj(lambda g: (g.rewrite(whole), g.close_by(rank))[-1], using(whole), best_of_all)

    g.conj(using(exist), minimizer)


LOSS_TENDS = f"tends(t, {half('Y - E(t) @ X')}, {half('Y - Z1 @ X')})"


@holds(
    "eftekhari2022.eq-159",
    f"{STATED} {LOSS_TENDS} and rank(Z1) = 1 and {best('Z1')}",
    argument="repaired",
    reason="for every start in the stable set, by the repaired Theorem 16",
    reading=f"the minimum is the loss at Z_1; {READING}",
    context=CONTEXT,
    uses=[CLAIM, LIMITS],
)
def loss_tends_to_its_minimum(g: Goal) -> None:
    """The loss is a continuous function of the product."""
    names = take(g)
    _, whole, rank, least = limits(g, names)

    def continuous(g: Goal) -> None:
        x = g.fact("tends_matrix_const", "x", "m", "(-1)*X")
        k = g.by_fact(
            "tends_matrix_mul", "y", "x", "m", "Z1", "(-1)*X", "lam t:R. E(t)", "lam t:R. (-1)*X", by=[using(whole), using(x)]
        )
        y = g.fact("tends_matrix_const", "y", "m", "Y")
        gap = g.by_fact(
            "tends_matrix_add", "y", "m", "Y", "Z1 @ ((-1)*X)", "lam t:R. Y", "lam t:R. E(t) @ ((-1)*X)", by=[using(y), using(k)]
        )
        gap = g.rewritten(gap, g.have("Y + Z1 @ ((-1)*X) = Y - Z1 @ X", lambda g: g.nc()))

        def same(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.nc()

        gap = g.lemma(
            LIMITS,
            "part:equal-from-0",
            *("y", "m", "lam t:R. Y + E(t) @ ((-1)*X)", "lam t:R. Y - E(t) @ X", "Y - Z1 @ X"),
            by=[same, using(gap)],
        )
        turned = g.by_fact("tends_matrix_transpose", "y", "m", "Y - Z1 @ X", "lam t:R. Y - E(t) @ X", by=[using(gap)])
        square = g.by_fact(
            "tends_matrix_mul",
            "m",
            "y",
            "m",
            "T(Y - Z1 @ X)",
            "Y - Z1 @ X",
            "lam t:R. T(Y - E(t) @ X)",
            "lam t:R. Y - E(t) @ X",
            by=[using(turned), using(gap)],
        )
        trace = g.by_fact(
            "tends_trace", "m", "T(Y - Z1 @ X) @ (Y - Z1 @ X)", "lam t:R. T(Y - E(t) @ X) @ (Y - E(t) @ X)", by=[using(square)]
        )
        scaled = g.by_fact(
            "tends_scale",
            "1/2",
            "tr(T(Y - Z1 @ X) @ (Y - Z1 @ X))",
            "lam t:R. tr(T(Y - E(t) @ X) @ (Y - E(t) @ X))",
            by=[using(trace)],
        )
        same_limit = g.have(f"1/2*tr(T(Y - Z1 @ X) @ (Y - Z1 @ X)) = {half('Y - Z1 @ X')}", lambda g: g.field())
        scaled = g.rewritten(scaled, same_limit)

        def halves(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.field()

        g.close_by(
            g.by_fact(
                "tends_ext",
                "0",
                half("Y - Z1 @ X"),
                "lam t:R. 1/2*tr(T(Y - E(t) @ X) @ (Y - E(t) @ X))",
                f"lam t:R. {half('Y - E(t) @ X')}",
                by=[halves, using(scaled)],
            )
        )

    g.conj(continuous, using(rank), using(least))


@holds(
    "eftekhari2022.lemma-17",
    f"{STATED} ({FAMILY} {best(f'({LIMIT})')} => tends(t, E(t), Z1) and rank(Z1) = 1 and {best('Z1')})",
    argument="sound",
    reading=f"(24) has the same minimizers as the loss, as both differ by a constant; {READING}",
    context=CONTEXT,
    uses=[CLAIM],
)
def induced_flow_converges(g: Goal) -> None:
    """The product tends to Z_1 whether or not that is assumed."""
    names = take(g)
    _, whole, rank, least = limits(g, names)
    g.fix()
    for _ in range(6):
        g.assume()
    g.conj(using(whole), using(rank), using(least))
