"""Theorem 4 in the reading that only the product of the factors at the start is scaled: it fails, as one factor may stay large."""

from __future__ import annotations

from proofs.bai2024.components import CLAIM
from proofs.bai2024.graphs import COMPLETE, CONNECTED, PATTERN, by_values
from proofs.bai2024.invariant_manifolds import COUNT, FLOW
from proofs.bai2024.literal_patterns import binary, rectangles, within
from proofs.bai2024.setting import last
from proofs.bai2024.unbalanced_pair import END, end_is_positive, positive_root
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

FITS = "(all i j:Z. P[i,j] = 1 => {}[i,j] = M[i,j])"
READING = f"""(all d:Z, n:R, P M K W:M(d,d), L:R->M(d,d). 1 <= d => {PATTERN} => 0 < n => {COUNT} => not {CONNECTED} => {COMPLETE} =>
  rank(K) = d => (all al:R. 0 < al => al <= 1/2 => ex A B:R~>M(d,d). {FLOW} and A(0) @ B(0) = al*K and tends(t, A(t) @ B(t), L(al))) =>
  tends(s, L(1/s), W) => {FITS.format("W")} => all V:M(d,d). {FITS.format("V")} => nuc(W) <= nuc(V))"""
FIRST, SECOND = ("2/3", "1"), ("3/8", "2")  # the targets and rates of the two pairs
TRUTH, START = "[[2/3,0],[0,3/4]]", "[[1,1],[1,2]]"


def end(pair: tuple[str, str], al: str) -> str:
    """The limit of the large factor of a pair from the start (1, al)."""
    return END.replace("mu", f"({pair[0]})").replace("al", al)


def learned(al: str) -> str:
    """The limit for the scale al."""
    one, two = end(FIRST, al), end(SECOND, al)
    return f"[[2/3, {one}*(({SECOND[0]})/{two})], [{two}*(({FIRST[0]})/{one}), 3/4]]"


def entries(g: Goal, table: dict[tuple[int, int], Script]) -> None:
    """Close a statement on all i, j in 1..2 by scripts for the entries."""
    g.fix("i", "j")
    g.split(g.assume())

    def row(g: Goal, u: int) -> None:
        hi = last(g)

        def column(g: Goal, v: int) -> None:
            hj = last(g)
            g.rewrite(hi)
            g.rewrite(hj)
            table[u, v](g)

        by_values(g, "j", 1, 2, column)

    by_values(g, "i", 1, 2, row)


def unit_entry(g: Goal) -> str:
    """Adds: an entry 1 of I(2) is on the diagonal."""

    def equal(g: Goal) -> None:
        g.fix("i", "j")
        one = g.assume()
        ne = g.contra()
        z = g.have("I(2)[i,j] = 0", lambda g: g.field())
        g.pos([], eqs=[(one, 1), (z, -1)])
        del ne

    return g.have("all i j:Z. I(2)[i,j] = 1 => i = j", equal)


@part(
    CLAIM,
    "product-scaled",
    f"not {READING}",
    says="If only the product at the start is alpha W_0 (A(0) = [1,0; 1,1] fixed, B(0) = alpha A(0)^T, observed diagonal 2/3, 3/4), the limit"
    " does not have the least nuclear norm: its square is 295/144, that of the diagonal completion 289/144.",
    uses=["bai2024.def-3"],
)
def a_large_factor_spoils_the_least_norm(g: Goal) -> None:
    """The two pairs evolve independently along (1, 0) and (1, 1), each with a large and a small factor; the limit is explicit."""
    h = g.assume()
    k = g.apply(
        h,
        "2",
        "2",
        "I(2)",
        TRUTH,
        START,
        learned("0"),
        f"lam al:R. {learned('al')}",
        by=[
            None,
            lambda g: g.close_by(binary(g, "I(2)", 2)),
            None,
            lambda g: g.field(),
            disconnected,
            complete,
            lambda g: g.compute(),
            flows,
            small_scale,
            fitting,
        ],
    )
    k = g.apply(k, TRUTH, by=[trivially])
    w, v = norm_square(g, learned("0")), norm_square(g, TRUTH)
    one, two = end(FIRST, "0"), end(SECOND, "0")
    s1, s2 = square_of_end(g, FIRST, "5/3", "4/3"), square_of_end(g, SECOND, "5/4", "9/8")
    p1 = g.have(f"0 < {one}", lambda g: end_at_zero(g, "2/3"))
    p2 = g.have(f"0 < {two}", lambda g: end_at_zero(g, "3/8"))
    g.obtain(
        g.have(
            f"ex a b:R. {one} = a and {two} = b",
            lambda g: (g.witness(one, two), g.conj(lambda g: g.refl(), lambda g: g.refl()))[-1],
        ),
        "a",
        "b",
        split=False,
        name="ab",
    )
    a, b = g.split("ab")
    facts = []
    for hyp in (k, *w, *v, s1, s2, p1, p2):
        for e in (a, b):
            hyp = g.rewritten(hyp, e)
        facts.append(hyp)
    k, w1, _, v1, _, s1, s2, _, _ = facts
    m = "[[2/3, a*((3/8)/b)], [b*((2/3)/a), 3/4]]"
    value = g.have(f"nuc({m})^2 = 295/144", lambda g: square_value(g, w1, s1, s2, m))
    truth = g.have(f"nuc({TRUTH})^2 = 289/144", lambda g: truth_value(g, v1))
    g.pos([f"@{k}", f"nuc({m})"], [f"@{k}", f"nuc({TRUTH})"], ["6/144"], eqs=[(value, 1), (truth, -1)])


def disconnected(g: Goal) -> None:
    """Labels i and j agree along the diagonal."""
    h = g.assume()
    equal = unit_entry(g)
    k = g.apply(h, "lam i:Z. i", "lam j:Z. j", by=[lambda g: g.close_by(equal)])
    one = g.have("I(2)[1,1] = 1", lambda g: g.field())
    two = g.have("I(2)[2,2] = 1", lambda g: g.field())
    k = g.apply(k, 1, 1, 2, 2, by=[lambda g: g.conj(lambda g: g.close_by(one), lambda g: g.close_by(two))])
    g.pos([], eqs=[(k, 1)])


def complete(g: Goal) -> None:
    """Every component is one entry."""
    criterion = g.split(g.lemma("bai2024.def-3"))[0]
    bits, corners = binary(g, "I(2)", 2), rectangles(g, "I(2)", 2)
    back = g.split(g.apply(criterion, "2", "I(2)", by=[lambda g: g.close_by(bits)]))[1]
    g.close_by(g.apply(back, by=[lambda g: g.close_by(corners)]))


def fitting(g: Goal) -> None:
    """The limit has the observed diagonal."""
    equal = unit_entry(g)
    g.fix("i", "j")
    one = g.assume()
    eq = g.apply(equal, "i", "j", by=[lambda g: g.close_by(one)])
    within(g, "I(2)", 2, "i", "j", one)
    g.rewrite(eq)

    def value(g: Goal, v: int) -> None:
        g.rewrite(last(g))
        g.field()

    by_values(g, "j", 1, 2, value)


def trivially(g: Goal) -> None:
    g.fix("i", "j")
    g.assume()
    g.refl()


def end_at_zero(g: Goal, mu: str) -> None:
    """The limit of the large factor for al = 0 is positive."""
    g.have("0 < 1 - 0^2", lambda g: g.pos(["1"]))
    end_is_positive(g, mu, "0")


def flows(g: Goal) -> None:
    """For every scale the flow that the two pairs give."""
    g.fix("al")
    g.assume("positive")
    g.assume("small")
    for name, pair in (("x", FIRST), ("y", SECOND)):
        k = g.lemma(CLAIM, "part:unbalanced-pair", *pair, "al")
        g.obtain(k, f"p{name}", f"q{name}", split=False, name=name)
        g.split(name, *[f"{name}{i}" for i in range(5)])
    a = "lam t:R. [[px(t), 0], [py(t), py(t)]]"
    b = "lam t:R. [[qx(t), qy(t)], [0, qy(t)]]"
    g.witness(a, b)

    def rates(g: Goal) -> list[str]:
        g.fix("t")
        g.assume()
        return [*g.split(g.apply("x2", "t")), *g.split(g.apply("y2", "t"))]

    def law(g: Goal) -> None:
        known = rates(g)
        g.ext(lambda g: g.field(rw=known))

    def start(g: Goal) -> None:
        g.ext(lambda g: g.field(rw=["x0", "x1", "y0", "y1"]))

    def converges(g: Goal) -> None:
        _, back = g.split(
            g.fact(
                "tends_matrix", "2", "2", learned("al"), "lam t:R. [[px(t), 0], [py(t), py(t)]] @ [[qx(t), qy(t)], [0, qy(t)]]"
            )
        )
        ends = {"x": end(FIRST, "al"), "y": end(SECOND, "al")}
        quotients = {"x": f"({FIRST[0]})/{ends['x']}", "y": f"({SECOND[0]})/{ends['y']}"}
        for name in "xy":
            g.have(f"0 < {ends[name]}", lambda g: end_is_positive(g, FIRST[0] if name == "x" else SECOND[0]))  # noqa: B023

        def product(g: Goal, i: str, j: str) -> str:
            k = g.fact("tends_mul", ends[i], quotients[j], f"lam t:R. p{i}(t)", f"lam t:R. q{j}(t)")
            return g.apply(k, by=[lambda g: g.close_by(f"{i}3"), lambda g: g.close_by(f"{j}4")])

        def entry(i: str, j: str, factor: str) -> Script:
            def script(g: Goal) -> None:
                one = product(g, i, j)
                _, v, body, limit = g.hyp_formula(one)
                two = g.apply(g.fact("tends_scale", factor, limit, ("lam", ((v, "R"),), body)), by=[lambda g: g.close_by(one)])
                _, v, body, limit = g.hyp_formula(two)
                goal_body = g.concl[2]
                same = g.by_fact(
                    "tends_ext",
                    0,
                    limit,
                    ("lam", ((v, "R"),), body),
                    ("lam", ((g.concl[1], "R"),), goal_body),
                    by=[lambda g: equal(g), lambda g: g.close_by(two)],
                )
                g.exact(same, by=[lambda g: g.field()])

            return script

        def equal(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.field()

        table = {
            (1, 1): entry("x", "x", "1"),
            (1, 2): entry("x", "y", "1"),
            (2, 1): entry("y", "x", "1"),
            (2, 2): entry("y", "y", "2"),
        }
        g.close_by(g.apply(back, by=[lambda g: entries(g, table)]))

    g.conj(law, law, start, converges)


def small_scale(g: Goal) -> None:
    """The entries are continuous functions of the scale at 0."""
    _, back = g.split(g.fact("tends_matrix", "2", "2", learned("0"), f"lam s:R. {learned('(1/s)')}"))
    inverse = g.fact("tends_inverse")
    one, two = end(FIRST, "0"), end(SECOND, "0")
    for e, mu in ((one, FIRST[0]), (two, SECOND[0])):
        g.have(f"0 < 1/2*sqrt((1 - 0^2)^2 + 4*({mu})^2)", lambda g, mu=mu: inner_root(g, mu))  # type: ignore[misc]
        g.have(f"0 < {e}", lambda g, mu=mu: end_at_zero(g, mu))  # type: ignore[misc]

    def defined(g: Goal) -> None:
        """The conditions under which an entry is smooth in the scale at 0."""
        c = g.concl
        if c[0] == "and":
            g.conj(*[defined] * (len(c) - 1))
        elif c[0] == "!=":
            g.condition()
        else:
            g.auto()

    def entry(text: str) -> Script:
        def script(g: Goal) -> None:
            k = g.by_fact("tends_compose", 0, "lam s:R. 1/s", f"lam x:R. {text}", by=[lambda g: g.close_by(inverse), defined])
            _, v, body, limit = g.hyp_formula(k)
            same = g.by_fact(
                "tends_ext",
                0,
                limit,
                ("lam", ((v, "R"),), body),
                ("lam", ((g.concl[1], "R"),), g.concl[2]),
                by=[agreeing, lambda g: g.close_by(k)],
            )
            g.exact(same, by=[lambda g: g.field()])

        return script

    def agreeing(g: Goal) -> None:
        g.fix("s")
        g.assume()
        g.field()

    def constant(value: str) -> Script:
        def script(g: Goal) -> None:
            same = g.by_fact(
                "tends_ext",
                0,
                value,
                f"lam s:R. {value}",
                ("lam", ((g.concl[1], "R"),), g.concl[2]),
                by=[agreeing, lambda g: g.close_by(g.fact("tends_const", value))],
            )
            g.exact(same, by=[lambda g: g.field()])

        return script

    x, y = end(FIRST, "x"), end(SECOND, "x")
    table = {
        (1, 1): constant("2/3"),
        (1, 2): entry(f"{x}*(({SECOND[0]})/{y})"),
        (2, 1): entry(f"{y}*(({FIRST[0]})/{x})"),
        (2, 2): constant("3/4"),
    }
    g.close_by(g.apply(back, by=[lambda g: entries(g, table)]))


def inner_root(g: Goal, mu: str) -> None:
    """The inner root of the limit for al = 0 is positive."""
    inner = g.have(f"0 < (1 - 0^2)^2 + 4*({mu})^2", lambda g: g.pos(["1"], [f"4*({mu})^2"]))
    k = g.have(f"0 < sqrt((1 - 0^2)^2 + 4*({mu})^2)", lambda g: positive_root(g, inner))
    g.pos(["1/2", f"@{k}"])


def norm_square(g: Goal, m: str) -> tuple[str, str]:
    """Adds nuc^2 = tr(T(m) m) + 2 |det m| and 0 <= nuc."""
    total = g.fact("nuc_is_sum", 2, m)
    a, b = g.split(g.fact("sv_2x2", m))
    ranges = g.fact("sv_range", 2, 2, m)
    one, two = (g.split(g.apply(ranges, i, i, n=0))[0] for i in (1, 2))
    square = g.have(
        f"nuc({m})^2 = tr(T({m}) @ {m}) + 2*abs(det({m}))",
        lambda g: g.field((total, f"nuc({m}) + sv({m},1) + sv({m},2)"), (a, "2"), (b, "1")),
    )
    low = g.have(f"0 <= nuc({m})", lambda g: g.pos([f"@{one}"], [f"@{two}"], eqs=[(total, 1)]))
    return square, low


def square_of_end(g: Goal, pair: tuple[str, str], root: str, value: str) -> str:
    """Adds: the square of the limit of the large factor for al = 0, whose inner root is rational."""
    under = f"(1 - 0^2)^2 + 4*({pair[0]})^2"
    outer = f"((1 - 0^2) + sqrt({under}))/2"
    r = g.by_fact("sqrt_unique", under, root, by=[None, lambda g: g.field()])
    s = g.by_fact("sqrt_sq", outer, by=[lambda g: g.pos([value], eqs=[(r, "1/2")])])
    return g.have(f"{end(pair, '0')}^2 = {value}", lambda g: g.field((s, 1), (r, "1/2")))


def square_value(g: Goal, w: str, s1: str, s2: str, m: str) -> None:
    """a^2 = 4/3 and b^2 = 9/8; the determinant is 1/4."""
    det = g.have(f"det({m}) = 1/4", lambda g: g.field())
    size = g.have(f"abs(det({m})) = 1/4", lambda g: (g.rewrite(det), g.field())[-1])
    x = g.have("(a*((3/8)/b))^2 = 1/6", lambda g: g.field((s1, "9/64/b^2"), (s2, "-1/6/b^2")))
    y = g.have("(b*((2/3)/a))^2 = 3/8", lambda g: g.field((s2, "4/9/a^2"), (s1, "-3/8/a^2")))
    g.field((w, 1), (size, 2), (x, 1), (y, 1))


def truth_value(g: Goal, v: str) -> None:
    """The determinant is 1/2."""
    g.field((v, 1))
