"""Definition A.5 and Proposition A.4: the dynamics are decoupled exactly if the observations are disconnected."""

from __future__ import annotations

from proofs.bai2024.graphs import (
    CONNECTED,
    DECOUPLED,
    LABELS,
    NONZERO,
    PATTERN,
    READING,
    independent,
    inside,
)
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

OBSERVED = (
    "rows and columns without observed entries are disregarded, as in Definition 2: a subsystem contains an observed row and"
    " an observed column"
)


def last(g: Goal) -> str:
    """The name of the newest hypothesis."""
    return list(g.seq.hyps)[-1]


@part(
    "bai2024.def-a5",
    "independence",
    f"all d n:Z, P M:M(d,d), r c:Z->Z, l:Z. {PATTERN} => {LABELS} => {independent('r', 'c', 'l')}",
    says="For labels that agree along observed entries (such as the number of the component), the rows and columns with one label"
    " obey equations of their own.",
)
def rows_and_columns_of_a_component_move_by_themselves(g: Goal) -> None:
    """Term by term: an entry that is not observed contributes nothing, an observed one joins a row and a column with the same
    label."""
    g.intro("binary", "labels", "rows", "columns")

    def velocity(u: str, v: str, pair: str, mine: str, agree_a: str, agree_b: str, factor: tuple[str, str]) -> Script:
        """u is fixed with the label, v runs over the sum; pair is P at (row, column)."""

        def script(g: Goal) -> None:
            g.fix(u, "m")
            g.split(g.assume("here"))
            row, column = pair
            inner = [f"sum(q, 1, d, {a}({row},q)*{b}(q,{column}))" for a, b in (("A", "B"), ("A2", "B2"))]
            body = [f"P[{row},{column}]*({s} - M[{row},{column}])*{f}" for s, f in zip(inner, factor, strict=True)]
            k = g.fact("sum_ext", 1, "d", f"lam {v}:Z. {body[0]}", f"lam {v}:Z. {body[1]}")

            def term(g: Goal) -> None:
                g.fix(v)
                g.split(g.assume("place"))

                def unobserved(g: Goal) -> None:
                    z = last(g)
                    g.field((z, f"({inner[0]} - M[{row},{column}])*{factor[0]} - ({inner[1]} - M[{row},{column}])*{factor[1]}"))

                def observed(g: Goal) -> None:
                    same = g.apply("labels", row, column)
                    g.have(
                        f"{'c' if u == row else 'r'}({v}) = l",
                        lambda g: g.field((same, -1 if u == row else 1), ("here_5", 1)),
                    )
                    e = g.fact("sum_ext", 1, "d", f"lam q:Z. A({row},q)*B(q,{column})", f"lam q:Z. A2({row},q)*B2(q,{column})")

                    def product(g: Goal) -> None:
                        g.fix("q")
                        g.assume()
                        one = g.apply("rows", row, "q")
                        two = g.apply("columns", column, "q")
                        g.field((one, f"B(q,{column})"), (two, f"A2({row},q)"))

                    total = g.apply(e, by=[product])
                    last_one = g.apply("columns", column, "m") if u == row else g.apply("rows", row, "m")
                    g.field(
                        (total, f"P[{row},{column}]*{factor[0]}"),
                        (last_one, f"P[{row},{column}]*({inner[1]} - M[{row},{column}])"),
                    )

                g.cases(g.apply("binary", row, column), unobserved, observed)

            total = g.apply(k, by=[term])
            g.field((total, "-2/n"))

        return script

    g.conj(
        velocity("i", "y", ("i", "y"), "r", "rows", "columns", ("B(m,y)", "B2(m,y)")),
        velocity("j", "x", ("x", "j"), "c", "columns", "rows", ("A(x,m)", "A2(x,m)")),
    )


@holds(
    "bai2024.prop-a4-decoupled",
    f"""all d n:Z, P M:M(d,d). 1 <= d => 1 <= n => {PATTERN} => {NONZERO} =>
        (all r c:Z->Z. {LABELS} => (all l:Z. {independent("r", "c", "l")})) and
        (not {CONNECTED} => {DECOUPLED})""",
    uses=["bai2024.def-a5"],
    argument="sound",
    reading="every labelling of rows and columns that agrees along observed entries, in particular the number of the"
    " component (eq. 11),"
    " gives independent subsystems; and there are at least two if M is disconnected. " + READING + ". " + OBSERVED,
)
def disconnected_observations_give_independent_subsystems(g: Goal) -> None:
    """The rows and columns with one label move by themselves; a labelling that is not constant gives two labels, 1 and 2."""
    g.fix()
    g.intro("size", "count", "binary", "nonzero")

    def subsystems(g: Goal) -> None:
        g.fix("r", "c")
        g.assume()
        g.fix("l")
        whole = g.lemma("bai2024.def-a5", "part:independence", "d", "n", "P", "M", "r", "c", "l", by=[None, None])
        g.close_by(whole)

    def two(g: Goal) -> None:
        h = g.assume()
        g.become(g.step("push", h=h, name="pushed")[0])
        g.obtain("pushed", "r", "c", name="split")
        first, second, differ = g.obtain("split_2", "i0", "j0", "k0", "l0", name="apart")
        (f,) = g.obtain(g.fact("indicator", "lam x:Z. r(x) - r(i0)"), "f")
        (e,) = g.obtain(g.fact("indicator", "lam x:Z. c(x) - r(i0)"), "g")
        g.have("all x:Z. f(x) = 0 or f(x) = 1", two_values("f", "r", f), name="f_values")
        g.have("all x:Z. g(x) = 0 or g(x) = 1", two_values("g", "c", e), name="g_values")

        def value(fun: str, at: str, equal: bool, label: str, rule: str, proof: Script) -> str:
            h = g.apply(rule, at)
            a, b = g.split(h)
            return g.apply(a if equal else b, by=[proof])

        same0 = g.apply("split_1", "i0", "j0")
        same1 = g.apply("split_1", "k0", "l0")
        f_i = value("f", "i0", True, "r", f, lambda g: g.field())
        f_k = value("f", "k0", False, "r", f, lambda g: unequal(g, differ, None))
        g_j = value("g", "j0", True, "c", e, lambda g: g.field((same0, -1)))
        g_l = value("g", "l0", False, "c", e, lambda g: unequal(g, differ, same1))

        def agree(g: Goal) -> None:
            g.fix("p", "q")
            g.assume()
            same = g.apply("split_1", "p", "q")

            def inside_class(g: Goal) -> None:
                eq = last(g)
                a = g.apply(f, "p")
                b = g.apply(e, "q")
                a1, _ = g.split(a)
                b1, _ = g.split(b)
                one = g.apply(a1, by=[lambda g: g.field((eq, 1))])
                other = g.apply(b1, by=[lambda g: g.field((eq, 1), (same, -1))])
                g.field((one, 1), (other, -1))

            def outside_class(g: Goal) -> None:
                ne = last(g)
                a = g.apply(f, "p")
                b = g.apply(e, "q")
                _, a1 = g.split(a)
                _, b1 = g.split(b)
                one = g.apply(a1, by=[lambda g: unequal(g, ne, None)])
                other = g.apply(b1, by=[lambda g: unequal(g, ne, same)])
                g.field((one, 1), (other, -1))

            g.em("r(p) = r(i0)", inside_class, outside_class)

        g.have("all i j:Z. P[i,j] = 1 => 1 + f(i) = 1 + g(j)", agree, name="labels")
        g.witness("2", "lam x:Z. 1 + f(x)", "lam x:Z. 1 + g(x)")

        def bounds(fun: str) -> Script:
            def script(g: Goal) -> None:
                g.fix("x")
                g.assume()
                g.cases(g.apply(f"{fun}_values", "x"))

            return script

        def members(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume("range"))

            def choose(i: str, j: str, edge: str, row: str, column: str) -> Script:
                def script(g: Goal) -> None:
                    g.conj(
                        lambda g: (g.witness(i, j), g.conj(lambda g: g.nlin(), lambda g: g.close_by(edge))),
                        lambda g: (g.witness(i, j), g.conj(lambda g: g.nlin(), lambda g: g.close_by(edge))),
                    )

                return script

            def one(g: Goal) -> None:
                g.have("l = 1", lambda g: g.antisym())
                choose("i0", "j0", first, f_i, g_j)(g)

            def other(g: Goal) -> None:
                k = g.fact("int_lt", "1", "l")
                g.apply(k)
                g.have("l = 2", lambda g: g.antisym())
                choose("k0", "l0", second, f_k, g_l)(g)

            g.em("l <= 1", one, other)

        def independence(g: Goal) -> None:
            g.fix("l")
            g.assume()
            whole = g.lemma(
                "bai2024.def-a5",
                "part:independence",
                "d",
                "n",
                "P",
                "M",
                "lam x:Z. 1 + f(x)",
                "lam x:Z. 1 + g(x)",
                "l",
                by=[None, None],
            )
            g.close_by(whole)

        g.conj(None, bounds("f"), bounds("g"), members, independence)

    g.conj(subsystems, two)


def unequal(g: Goal, h: str, same: str | None) -> None:
    """u - v != 0 from u != v, where one of them may be replaced by an equal term."""
    eq = g.contra()
    left, right = g.hyp_formula(h)[1:]
    wanted = g.have(("=", left, right), lambda g: g.nlin(use=[eq, *([same] if same else [])]))
    g.clash(wanted, h)


def two_values(fun: str, label: str, rule: str) -> Script:
    """An indicator function has the values 0 and 1."""

    def script(g: Goal) -> None:
        g.fix("x")
        a, b = g.split(g.apply(rule, "x"))

        def zero(g: Goal) -> None:
            k = g.apply(a)
            g.left_or_right(0)
            g.close_by(k)

        def one(g: Goal) -> None:
            k = g.apply(b)
            g.left_or_right(1)
            g.close_by(k)

        g.em(f"{label}(x) - r(i0) = 0", zero, one)

    return script


@holds(
    "bai2024.prop-a4-coupled",
    f"all d n:Z, P M:M(d,d). 1 <= d => 1 <= n => {PATTERN} => {NONZERO} => {CONNECTED} => not {DECOUPLED}",
    argument="repaired",
    reading=READING + ". " + OBSERVED,
    readings=[("unobserved rows and columns may form a subsystem of their own", "refuted", "unobserved")],
)
def connected_observations_allow_no_independent_subsystems(g: Goal) -> None:
    """At A = 0, B = 0 the velocity of row i changes with column j of B if (i, j) is observed, and that of column j with row i
    of A; so
    the index sets give labels that agree along the edges, and these are constant."""
    g.fix()
    g.intro("size", "count", "binary", "nonzero", "connected")
    h = g.assume("system")
    g.obtain(h, "k", "R", "C", name="system_")
    _two, rows, columns, members, alone = (f"system__{k}" for k in range(1, 6))
    zero = "lam x:Z, y:Z. 0"

    def row_follows(g: Goal) -> None:
        g.fix("i", "j")
        g.split(g.assume("edge"))
        inside(g, "P", "d", "d", "i", "j", "edge_1")
        g.apply(rows, "i", name="ri")
        g.split("ri")
        free = g.apply(alone, "R(i)")
        g.contra("differs")
        bump = "I(d)[x,1]*I(d)[y,j]"

        def same_columns(g: Goal) -> None:
            g.fix("q", "m")
            g.split(g.assume("class"))
            other(g, "q", "j", "C")
            g.field()

        system = g.apply(free, zero, zero, zero, f"lam x:Z, y:Z. {bump}", by=[lambda g: (g.intro(), g.refl()), same_columns], n=2)
        g.split(system, "moves", "moves_too")
        law = g.apply("moves", "i", "1")
        body = "P[i,y]*(sum(q, 1, d, 0*(I(d)[q,1]*I(d)[y,j])) - M[i,y])*(I(d)[1,1]*I(d)[y,j])"
        k = g.fact("sum_delta", 1, "d", "j", f"lam y:Z. {body}")

        def vanish(g: Goal) -> None:
            g.fix("y")
            g.assume()
            g.assume()
            g.field()

        total = g.apply(k, by=[None, None, vanish])
        value = g.apply("nonzero", "i", "j")
        result = g.have("M[i,j] = 0", lambda g: g.field((law, "-n/2"), (total, 1), ("edge_1", "-M[i,j]")))
        g.clash(result, value)

    def column_follows(g: Goal) -> None:
        g.fix("i", "j")
        g.split(g.assume("edge"))
        inside(g, "P", "d", "d", "i", "j", "edge_1")
        g.apply(columns, "j", name="cj")
        g.split("cj")
        free = g.apply(alone, "C(j)")
        g.contra("differs")
        bump = "I(d)[x,i]*I(d)[y,1]"

        def same_rows(g: Goal) -> None:
            g.fix("p", "m")
            g.split(g.assume("class"))
            other(g, "p", "i", "R")
            g.field()

        system = g.apply(free, zero, zero, f"lam x:Z, y:Z. {bump}", zero, by=[same_rows, lambda g: (g.intro(), g.refl())], n=2)
        g.split(system, "moves", "moves_too")
        law = g.apply("moves_too", "j", "1")
        body = "P[x,j]*(sum(q, 1, d, I(d)[x,i]*I(d)[q,1]*0) - M[x,j])*(I(d)[x,i]*I(d)[1,1])"
        k = g.fact("sum_delta", 1, "d", "i", f"lam x:Z. {body}")

        def vanish(g: Goal) -> None:
            g.fix("x")
            g.assume()
            g.assume()
            g.field()

        total = g.apply(k, by=[None, None, vanish])
        value = g.apply("nonzero", "i", "j")
        result = g.have("M[i,j] = 0", lambda g: g.field((law, "-n/2"), (total, 1), ("edge_1", "-M[i,j]")))
        g.clash(result, value)

    down = g.have("all i j:Z. P[i,j] = 1 and 1 <= R(i) => C(j) = R(i)", row_follows)
    up = g.have("all i j:Z. P[i,j] = 1 and 1 <= C(j) => R(i) = C(j)", column_follows)

    def agree(g: Goal) -> None:
        g.fix("i", "j")
        g.assume("edge")
        inside(g, "P", "d", "d", "i", "j", "edge")

        def mine(g: Goal) -> None:
            k = g.apply(down, "i", "j")
            g.field((k, -1))

        def not_mine(g: Goal) -> None:
            def yours(g: Goal) -> None:
                g.close_by(g.apply(up, "i", "j"))

            def neither(g: Goal) -> None:
                g.split(g.apply(rows, "i", name="ri"))
                g.split(g.apply(columns, "j", name="cj"))
                a = g.fact("int_lt", "R(i)", "1")
                g.apply(a)
                b = g.fact("int_lt", "C(j)", "1")
                g.apply(b)
                g.antisym()

            g.em("1 <= C(j)", yours, neither)

        g.em("1 <= R(i)", mine, not_mine)

    constant = g.apply("connected", "R", "C", by=[agree], n=1)
    g.apply(members, "1", name="one")
    g.apply(members, "2", name="two")
    g.split("one")
    g.split("two")
    a, _b = g.obtain("one_1", "i1", "j1")
    e, _f = g.obtain("two_1", "i2", "j2")
    same = g.apply(constant, "i1", "j1", "i2", "j2")
    g.pos([], eqs=[(same, "1"), (a, "-1"), (e, "1")])


def other(g: Goal, q: str, j: str, label: str) -> None:
    """q != j, because their labels differ (class_3 and differs)."""

    def unlike(g: Goal) -> None:
        eq = g.contra()
        back = g.have(f"{j} = {q}", lambda g: g.field((eq, -1)))
        goal = g.hyp_formula("differs")
        k = g.have(("=", *goal[1:]), lambda g: (g.rewrite(back), g.close_by("class_3")))
        g.clash(k, "differs")

    g.have(f"{q} != {j}", unlike)


@holds(
    "bai2024.assertion-decoupling-iff-disconnection",
    f"all d n:Z, P M:M(d,d). 1 <= d => 1 <= n => {PATTERN} => {NONZERO} => ({DECOUPLED} <=> not {CONNECTED})",
    argument="sound",
    reading=READING + ". " + OBSERVED + ", a clause that Definition A.5 does not print",
    readings=[
        (
            "a subsystem may consist of rows and columns without observed entries, as Definition A.5 allows literally",
            "refuted",
            "unobserved",
        )
    ],
    uses=["bai2024.prop-a4-decoupled", "bai2024.prop-a4-coupled"],
)
def decoupling_is_disconnection(g: Goal) -> None:
    """The two halves of Proposition A.4."""
    g.fix()
    g.intro("size", "count", "binary", "nonzero")
    args = ["d", "n", "P", "M"]

    def forward(g: Goal) -> None:
        system = g.assume("system")
        connected = g.assume("connected")
        h = g.lemma("bai2024.prop-a4-coupled", "statement", *args, by=[None, None, None, None, lambda g: g.close_by(connected)])
        g.clash(system, h)

    def backward(g: Goal) -> None:
        cut = g.assume("cut")
        h = g.lemma("bai2024.prop-a4-decoupled", "statement", *args, by=[None] * 4)
        _, down = g.split(h)
        g.close_by(g.apply(down, by=[lambda g: g.close_by(cut)]))

    g.iff(forward, backward)
