"""Section 3.1: how near to rank one the product is after training on the first column, and the contrast with the diagonal."""

from __future__ import annotations

from proofs.shin2025.limiting_rank import SHALLOW
from proofs.shin2025.measurement_flow import n2
from proofs.shin2025.rank_claims import ZERO_LOSS, special
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.kernel.terms import Term
from verify.registry import holds, part

ID = "shin2025.assertion-theorem-1-near-rank-1"
FIRST = "[[1,0],[1,0]]"
RESIDUAL = f"had({FIRST}, A(t) @ B(t) - W)"
FLOW = f"(all t:R. 0 <= t => A'(t) = -({RESIDUAL} @ T(B(t))) and B'(t) = -(T(A(t)) @ {RESIDUAL}))"
VARIABLES = "n:Z, W:M(2,2), A:R~>M(2,n), B:R~>M(n,2), X:M(2,n), Y:M(n,2)"
OBSERVED = "W[1,1] != 0 => W[2,1] != 0"
CONVERGES = "tends(t, A(t), X) => tends(t, B(t), Y) => (X @ Y)[1,1] = W[1,1] => (X @ Y)[2,1] = W[2,1]"
SETTING = f"1 <= n => {OBSERVED} => {FLOW} => {CONVERGES}"
ONE, TWO = "[[1],[0]]", "[[0],[1]]"
UNOBSERVED = n2(f"B(0) @ {TWO}")
NEAR = "abs(det(X @ Y)) <= e*" + n2("X @ Y")
"""sigma_1 sigma_2 <= e (sigma_1^2 + sigma_2^2)."""


GIVEN = f"W[1,1] = w => W[2,1] = z => {SETTING} => {n2('A(0)')} <= s"


@part(
    ID,
    "uniformly-in-b2",
    f"not (all e w z:R. 0 < e => w != 0 => z != 0 => ex s:R. 0 < s and all {VARIABLES}. {GIVEN} => {NEAR})",
    says="Without a bound of b_2(0): the second column of B does not move. A = [1/b, 1/b^2; 1/b, -1/b^2], B = diag(b, b^2) is at rest with"
    " w11* = w21* = 1, |A(0)|_F tends to 0 with 1/b and both rows align with b_1, but the product is [1, 1; 1, -1], whose singular values"
    " are equal.",
)
def the_unobserved_column_is_not_small(g: Goal) -> None:
    """A flow at rest for every size of A(0)."""
    every = g.assume()
    _, below = g.obtain(g.apply(every, "1/4", "1", "1"), "s")
    b = g.obtain(g.have("ex b:R. b = 1 + 4/s", lambda g: (g.witness("1 + 4/s"), g.refl())[-1]), "b")[0]
    one = g.have("1 <= b", lambda g: g.pos(["4/s"], eqs=[(b, 1)]))
    g.have("0 < b")
    a, c, w = "[[1/b, 1/b^2],[1/b, -1/b^2]]", "[[b,0],[0,b^2]]", "[[1,1],[1,-1]]"
    small = g.have("4/b <= s", lambda g: g.pos(["s"], mul=["b"], eqs=[(b, "s")]))
    entries: Script = lambda g: g.ext(lambda g: g.field())  # noqa: E731
    field: Script = lambda g: g.field()  # noqa: E731

    def rest(g: Goal) -> None:
        g.intro()
        g.conj(entries, entries)

    def size(g: Goal) -> None:
        g.pos(["@" + small], ["2/b^2", "@" + one], ["2/b^4", "@" + one, "1 + b + b^2"])

    def constant(g: Goal) -> None:
        g.close_by(g.fact("tends_matrix_const", "2", "2", g.concl[3]))

    by: list[Script | None] = [None, None, None, None, None, rest, constant, constant, field, field, size]
    near = g.apply(below, "2", w, f"lam t:R. {a}", f"lam t:R. {c}", a, c, by=by)
    g.pos(["@" + g.rewritten(near, g.have(f"{a} @ {c} = {w}", entries))], ["1"])


def chain(g: Goal, scripts: list[Script | None]) -> None:
    """Close a conjunction, nested or flat."""
    if len(scripts) == 1:
        g.run(scripts[0])
        return
    n = len(g.concl) - 1
    g.conj(*scripts[: n - 1], lambda g: chain(g, scripts[n - 1 :]))


Limit = tuple[Term, Term, str]
"""A matrix function of t, its limit, and the hypothesis that says so."""


def of(g: Goal, value: str, end: str, h: str) -> Limit:
    """A factor given as text."""
    return g.term(f"lam t:R. {value}")[2], g.term(end), h


def along(e: Term) -> Term:
    """The function of t."""
    return ("lam", (("t", "R"),), e)


def times(g: Goal, shape: tuple[str, str, str], left: Limit, right: Limit) -> Limit:
    """The limit of a product."""
    (e, m, h), (f, n, k) = left, right
    p = g.by_fact("tends_matrix_mul", *shape, m, n, along(e), along(f), by=[lambda g: g.close_by(h), lambda g: g.close_by(k)])
    return ("mm", e, f), ("mm", m, n), p


@part(
    ID,
    "across",
    f"""all n:Z, A:R~>M(2,n), b:R~>V(n), v:R->V(2), X:M(2,n), y:V(n).
        (all t:R. 0 <= t => A'(t) = -(v(t) @ T(b(t))) and b'(t) = -(T(A(t)) @ v(t))) => tends(t, A(t), X) => tends(t, b(t), y) =>
        all x:V(n). tr(T(x) @ y) = 0 => {n2("X @ x")} <= {n2("A(0)")}*{n2("x")}""",
    says="Across the limit of b_1 the limit of A is at most as large as A(0).",
)
def limit_across_the_observed_column(g: Goal) -> None:
    """|A x|^2 - (b_1.x)^2 is conserved for every x."""
    g.fix()
    flow, la, lb = (g.assume() for _ in range(3))
    g.fix("x")
    ortho = g.assume()
    rows, column = "T(x) @ T(A(t)) @ A(t) @ x", "T(x) @ b(t) @ T(b(t)) @ x"

    def still(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        a, b = g.split(g.apply(flow, u))
        d = g.differentiate("t", f"tr({rows}) - tr({column})", u)
        g.rewrite(d)
        g.rewrite(a)
        g.rewrite(b)
        g.field()

    constant = g.by_fact("constant", "0", f"lam t:R. tr({rows}) - tr({column})", by=[None, still])
    fixed = g.fact("tends_matrix_const", "n", "1", "x")
    turned = g.fact("tends_matrix_const", "1", "n", "T(x)")
    at = g.by_fact("tends_matrix_transpose", "2", "n", "X", "lam t:R. A(t)", by=[lambda g: g.close_by(la)])
    bt = g.by_fact("tends_matrix_transpose", "n", "1", "y", "lam t:R. b(t)", by=[lambda g: g.close_by(lb)])

    start, end = of(g, "T(x)", "T(x)", turned), of(g, "x", "x", fixed)
    a1, a2 = of(g, "T(A(t))", "T(X)", at), of(g, "A(t)", "X", la)
    b1, b2 = of(g, "b(t)", "y", lb), of(g, "T(b(t))", "T(y)", bt)
    one = times(g, ("1", "n", "1"), times(g, ("1", "2", "n"), times(g, ("1", "n", "2"), start, a1), a2), end)
    two = times(g, ("1", "n", "1"), times(g, ("1", "1", "n"), times(g, ("1", "n", "1"), start, b1), b2), end)
    one_t, two_t = (g.by_fact("tends_trace", "1", m, along(e), by=[lambda g, h=h: g.close_by(h)]) for e, m, h in (one, two))
    first, second = (("tr", x[0]) for x in (one, two))
    minus = g.by_fact("tends_scale", "-1", ("tr", two[1]), along(second), by=[lambda g: g.close_by(two_t)])
    back = ("*", -1, second)
    total = g.by_fact(
        "tends_add",
        ("tr", one[1]),
        ("*", -1, ("tr", two[1])),
        along(first),
        along(back),
        by=[lambda g: g.close_by(one_t), lambda g: g.close_by(minus)],
    )
    whole, limit = ("+", first, back), ("+", ("tr", one[1]), ("*", -1, ("tr", two[1])))
    here = f"tr({rows}) - tr({column})".replace("(t)", "(0)")

    def same(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        g.field((g.apply(constant, u), -1))

    e = g.by_fact(
        "tends_ext", "0", here, f"lam t:R. {here}", along(whole), by=[same, lambda g: g.close_by(g.fact("tends_const", here))]
    )
    value = g.by_fact("tends_unique", limit, here, along(whole), by=[lambda g: g.close_by(total), lambda g: g.close_by(e)])
    s = g.fact("frobenius_submultiplicative", "2", "n", "1", "A(0)", "x")
    square, trace = g.fact("frobenius_entries", "1", "1", "T(x) @ y"), g.fact("tr_entries", "1", "T(x) @ y")
    none = g.have(
        "tr(T(x) @ y @ T(y) @ x) = 0",
        lambda g: g.field((square, 1), (trace, "-(tr(T(x) @ y) + (T(x) @ y)[1,1])"), (ortho, "tr(T(x) @ y)")),
    )
    g.pos(["@" + s], [n2("T(b(0)) @ x")], eqs=[(value, -1), (none, -1)])


BOUND = f"det(X @ Y)^2 <= (W[1,1]^2 + W[2,1]^2)*{n2('A(0)')}*{UNOBSERVED}"


@part(
    ID,
    "determinant",
    f"all {VARIABLES}. {SETTING} => {BOUND}",
    says="sigma_1 sigma_2 of the limit is at most |(w11*, w21*)| |A(0)|_F |b_2(0)|.",
    uses=[ID],
)
def determinant_of_the_limit_is_small(g: Goal) -> None:
    """b_2 does not move; its part x across b_1 gives det = w11 (X x)_2 - w21 (X x)_1, and |X x| <= |A(0)| |x|."""
    g.fix()
    hs = [g.assume() for _ in range(8)]
    w1, _, flow, la, lb, z1, z2 = hs[1:]
    first = g.have(
        f"all t:R. 0 <= t => {RESIDUAL} = {RESIDUAL} @ {ONE} @ T({ONE})", lambda g: (g.intro(), g.ext(lambda g: g.field()))[-1]
    )
    p, y, c = (
        g.obtain(g.have(f"ex {name}:{sort}. {name} = {value}", lambda g, value=value: (g.witness(value), g.refl())[-1]), name)[0]
        for name, sort, value in (("P", "M(2,2)", "X @ Y"), ("y", "V(n)", f"Y @ {ONE}"), ("c", "V(n)", f"Y @ {TWO}"))
    )
    lb_one = times(g, ("n", "2", "1"), of(g, "B(t)", "Y", lb), of(g, ONE, ONE, g.fact("tends_matrix_const", "2", "1", ONE)))
    to_y = g.rewritten(lb_one[2], g.have(("=", lb_one[1], "y"), lambda g: g.nc((y, -1, None, None))))

    def moves(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        a, b = g.split(g.apply(flow, u))
        f = g.apply(first, u)
        d = g.differentiate("t", f"B(t) @ {ONE}", u)
        g.conj(
            lambda g: g.nc((a, 1, None, None), (f, -1, None, f"T(B({u}))")),
            lambda g: (g.rewrite(d), g.nc((b, 1, None, ONE)))[-1],
        )

    across = g.lemma(
        ID,
        "part:across",
        "n",
        "A",
        f"lam t:R. B(t) @ {ONE}",
        f"lam t:R. {RESIDUAL} @ {ONE}",
        "X",
        "y",
        by=[moves, lambda g: g.close_by(la), lambda g: g.close_by(to_y)],
    )

    def still(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        b = g.split(g.apply(flow, u))[1]
        none = g.have(f"{RESIDUAL.replace('(t)', f'({u})')} @ {TWO} = O(2,1)", lambda g: g.ext(lambda g: g.field()))
        d = g.differentiate("t", f"B(t) @ {TWO}", u)
        g.nc((d, 1, None, None), (b, 1, None, TWO), (none, -1, f"T(A({u}))", None))

    fixed = g.by_fact("constant_matrix", "n", "1", "0", f"lam t:R. B(t) @ {TWO}", by=[None, still])
    lb_two = times(g, ("n", "2", "1"), of(g, "B(t)", "Y", lb), of(g, TWO, TWO, g.fact("tends_matrix_const", "2", "1", TWO)))
    lb_two_t = (
        ("T", lb_two[0]),
        ("T", lb_two[1]),
        g.by_fact("tends_matrix_transpose", "n", "1", lb_two[1], along(lb_two[0]), by=[lambda g: g.close_by(lb_two[2])]),
    )
    norm = times(g, ("1", "n", "1"), lb_two_t, lb_two)
    size = g.by_fact("tends_trace", "1", norm[1], along(norm[0]), by=[lambda g: g.close_by(norm[2])])

    def same(g: Goal) -> None:
        (u,) = g.fix("u")
        g.assume()
        k = g.apply(fixed, u)
        g.rewrite(k)
        g.refl()

    constant = g.by_fact(
        "tends_ext",
        "0",
        UNOBSERVED,
        f"lam t:R. {UNOBSERVED}",
        along(("tr", norm[0])),
        by=[same, lambda g: g.close_by(g.fact("tends_const", UNOBSERVED))],
    )
    unmoved = g.by_fact(
        "tends_unique",
        ("tr", norm[1]),
        UNOBSERVED,
        along(("tr", norm[0])),
        by=[lambda g: g.close_by(size), lambda g: g.close_by(constant)],
    )
    cc = g.have(f"{n2('c')} = {UNOBSERVED}", lambda g: (g.rewrite(c), g.exact(unmoved))[-1])
    entry = {i: g.have(f"P[{i},1] = W[{i},1]", lambda g, z=z: (g.rewrite(p), g.close_by(z))[-1]) for i, z in ((1, z1), (2, z2))}
    py, pc = (
        g.have(f"P @ {ONE} = X @ y", lambda g: (g.rewrite(p), g.rewrite(y), g.nc())[-1]),
        g.have(f"P @ {TWO} = X @ c", lambda g: (g.rewrite(p), g.rewrite(c), g.nc())[-1]),
    )

    def moved(g: Goal) -> None:
        zero = g.contra()
        o = g.by_fact("frobenius_zero", "n", "1", "y", by=[lambda g: g.close_by(zero)])
        e = g.have(f"(P @ {ONE})[1,1] = (X @ y)[1,1]", lambda g: (g.rewrite(py), g.refl())[-1])
        e = g.have("P[1,1] = 0", lambda g: (k := g.rewritten(e, o), g.field((k, 1)))[-1])
        g.clash(g.have("W[1,1] = 0", lambda g: g.field((e, 1), (entry[1], -1))), w1)

    nonzero = g.have(f"{n2('y')} != 0", moved)
    g.have(
        f"0 < {n2('y')}",
        lambda g: g.less_or_equal(
            f"0 <= {n2('y')}",
            None,
            lambda g: g.clash(g.have(f"{n2('y')} = 0", lambda g: g.field((list(g.seq.hyps)[-1], -1))), nonzero),
        ),
    )
    k = f"(tr(T(y) @ c)/{n2('y')})"
    x = g.obtain(g.have(f"ex x:V(n). x = c - {k}*y", lambda g: (g.witness(f"c - {k}*y"), g.refl())[-1]), "x")[0]
    ortho = g.have("tr(T(x) @ y) = 0", lambda g: (g.rewrite(x), g.field())[-1])
    pythagoras = g.have(f"{n2('c')} = {n2('x')} + {k}^2*{n2('y')}", lambda g: (g.rewrite(x), g.field())[-1])
    short = g.apply(across, "x", by=[lambda g: g.close_by(ortho)])
    z = g.obtain(g.have("ex z:V(2). z = X @ x", lambda g: (g.witness("X @ x"), g.refl())[-1]), "z")[0]
    column = g.have(
        f"P @ {TWO} = z + {k}*(P @ {ONE})", lambda g: (g.rewrite(pc), g.rewrite(py), g.rewrite(z), g.rewrite(x), g.nc())[-1]
    )
    second = {i: g.have(f"P[{i},2] = z[{i},1] + {k}*P[{i},1]", lambda g, i=i: entry_of(g, column, i, k)) for i in (1, 2)}
    det = g.have("det(P) = W[1,1]*z[2,1] - W[2,1]*z[1,1]", lambda g: g.field(rw=[*second.values(), *entry.values()]))
    short = g.have(f"z[1,1]^2 + z[2,1]^2 <= {n2('A(0)')}*{n2('x')}", lambda g: bound_of(g, z, short))
    g.rewrite(g.have("X @ Y = P", lambda g: g.nc((p, -1, None, None))))
    g.rewrite(det)
    weight = "(W[1,1]^2 + W[2,1]^2)"
    g.pos(
        [weight, "@" + short],
        [weight, n2("A(0)"), f"{k}^2", n2("y")],
        ["(W[1,1]*z[1,1] + W[2,1]*z[2,1])^2"],
        eqs=[(cc, f"-{weight}*{n2('A(0)')}"), (pythagoras, f"{weight}*{n2('A(0)')}")],
    )


def entry_of(g: Goal, column: str, i: int, k: str) -> None:
    """An entry of the second column."""
    e = g.have(f"(P @ {TWO})[{i},1] = (z + {k}*(P @ {ONE}))[{i},1]", lambda g: (g.rewrite(column), g.refl())[-1])
    g.field((e, 1))


def bound_of(g: Goal, z: str, short: str) -> None:
    """The bound of |X x|^2 by entries."""
    n = g.fact("frobenius_entries", "2", "1", "z")
    h = g.have(f"{n2('z')} <= {n2('A(0)')}*{n2('x')}", lambda g: (g.rewrite(z), g.close_by(short))[-1])
    g.pos(["@" + h], eqs=[(n, 1)])


@holds(
    ID,
    f"""all e w z be:R. 0 < e => w != 0 => z != 0 => 0 < be => ex s:R. 0 < s and all {VARIABLES}. {GIVEN} =>
        {UNOBSERVED} <= be => {NEAR}""",
    argument="repaired",
    context="gradient flow (4), convergence to zero loss [Theorem 1]",
    added="the second column of B(0), which the flow does not move, is bounded (the sentence speaks of A(0) alone)",
    reading="nearly of rank one: the ratio sigma_2/sigma_1 of the limit is as small as one likes if |A(0)|_F is small enough, the observed"
    " values and a bound of b_2(0) being given",
    readings=[("|A(0)|_F alone decides, uniformly in b_2(0)", "refuted", "uniformly-in-b2")],
    uses=[ID],
)
def small_first_factors_end_nearly_at_rank_one(g: Goal) -> None:
    """det^2 <= |w|^2 |A(0)|^2 |b_2(0)|^2 <= e^2 |w|^4 for |A(0)|^2 <= e^2 |w|^2/|b_2(0)|^2, and |w|^2 <= |X Y|^2."""
    g.fix("e", "w", "z", "be")
    for _ in range(4):
        g.assume()
    weight = "(w^2 + z^2)"
    s = f"e^2*{weight}/be"
    positive = g.have(f"0 < {weight}", lambda g: g.auto())
    g.witness(s)

    def near(g: Goal) -> None:
        hs = g.intro()
        first, second, small, column = hs[0], hs[1], hs[-2], hs[-1]
        bound = g.lemma(ID, "part:determinant", "n", "W", "A", "B", "X", "Y")
        p = g.obtain(g.have("ex P:M(2,2). P = X @ Y", lambda g: (g.witness("X @ Y"), g.refl())[-1]), "P")[0]
        entries: list[str] = []
        for i, at, value in ((1, first, hs[-4]), (2, second, hs[-3])):
            bound = g.rewritten(bound, at)
            entry = g.have(f"P[{i},1] = W[{i},1]", lambda g, value=value: (g.rewrite(p), g.close_by(value))[-1])
            entries.append(g.rewritten(entry, at))
        square = g.have(
            f"det(X @ Y)^2 <= e^2*{weight}^2",
            lambda g: g.pos(["@" + bound], [weight, "@" + small, UNOBSERVED], [weight, s, "@" + column]),
        )
        rest = "(P[1,2]^2 + P[2,2]^2)"
        norm = g.fact("frobenius_entries", "2", "2", "P")
        whole = g.have(
            f"{n2('P')} = {weight} + {rest}",
            lambda g: g.field((norm, 1), (entries[0], "P[1,1] + w"), (entries[1], "P[2,1] + z")),
        )
        g.rewrite(g.rewritten(whole, p))
        rest = "((X @ Y)[1,2]^2 + (X @ Y)[2,2]^2)"
        size = g.fact("abs_cases", "det(X @ Y)")
        same = g.have("abs(det(X @ Y))^2 = det(X @ Y)^2", lambda g: g.cases(size, *[lambda g: square_of(g)] * 2, name="case"))
        far = g.contra()
        terms = [["@" + far] * 2, ["2", "e", f"{weight} + {rest}", "@" + far], ["2", "e^2", weight, rest], ["e^2", f"{rest}^2"]]
        g.pos(*terms, ["@" + square], eqs=[(same, -1)])

    g.conj(lambda g: g.pos(["e^2", "@" + positive, "1/be"]), near)


def square_of(g: Goal) -> None:
    """In a case of its sign the square of |x| is that of x."""
    g.rewrite(g.split("case")[1])
    g.field()


@holds(
    "shin2025.assertion-decoupled-no-bias",
    f"(all {VARIABLES}. {SETTING} => {BOUND}) and {special(SHALLOW)}",
    argument="sound",
    covers="instances",
    because="the diagonal part is for equal positive values and the family (7)",
    context=ZERO_LOSS + "; for the diagonal pattern equal positive values and the family (7) [(7)]",
    reading="first column observed, every start and width: sigma_1 sigma_2 of the limit is at most |(w11*, w21*)| |A(0)|_F |b_2(0)|, which a start scaled by alpha"
    " makes of the order alpha^2. Diagonal observed: from the family (7) the limit has rank 2 and both singular values are bounded below,"
    " for every alpha; other values and starts are the subject of assertion-md-high-rank",
    readings=[("the limit has full rank from every start with the diagonal observed", "refuted", "exceptional-start")],
    uses=[ID, "shin2025.assertion-intro-l2-rank2"],
)
def the_bias_needs_connected_observations(g: Goal) -> None:
    """The determinant of the limit, and Theorem 4 at depth 2."""
    g.conj(
        lambda g: g.close_by(g.lemma(ID, "part:determinant")),
        lambda g: g.close_by(g.lemma("shin2025.assertion-intro-l2-rank2")),
    )


DIAGONAL_FLOW = FLOW.replace(FIRST, "[[1,0],[0,1]]")


@part(
    "shin2025.assertion-decoupled-no-bias",
    "exceptional-start",
    f"""ex W:M(2,2), A B:R~>M(2,2). {DIAGONAL_FLOW} and (all t:R. 0 <= t => (A(t) @ B(t))[1,1] = W[1,1] and
        (A(t) @ B(t))[2,2] = W[2,2]) and rank(A(0) @ B(0)) = 1""",
    says="Aligned pairs stay aligned: A = [1,0;1,0], B = A^T is at rest with the product of all ones.",
)
def aligned_pairs_have_rank_one(g: Goal) -> None:
    """A flow at rest."""
    a, b = "[[1,0],[1,0]]", "[[1,1],[0,0]]"
    g.witness("[[1,1],[1,1]]", f"lam t:R. {a}", f"lam t:R. {b}")
    entries: Script = lambda g: g.ext(lambda g: g.field())  # noqa: E731
    g.conj(
        lambda g: (g.intro(), g.conj(entries, entries))[-1],
        lambda g: (g.intro(), g.conj(None, None))[-1],
        lambda g: g.compute(),
    )
