"""Instances of Definition A.5, and the reading in which unobserved rows and columns count."""

from __future__ import annotations

from proofs.bai2024.decoupling import OBSERVED, last
from proofs.bai2024.graphs import CONNECTED, DECOUPLED, DECOUPLED_ANY, NONZERO, PATTERN, by_values, inside
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part


@holds(
    "bai2024.def-a5",
    f"""all d n:Z, P M:M(d,d). 1 <= n => (2 <= d and P = I(d) => {DECOUPLED}) and (d = 1 => not {DECOUPLED})""",
    argument="sound",
    reading="the definition is usable and neither side is empty: diagonal observations give d subsystems; with one row and"
    " one column"
    " there is nothing to divide. " + OBSERVED,
)
def definition_has_decoupled_and_coupled_instances(g: Goal) -> None:
    """R(i) = i and C(j) = j divide the diagonal; two rows with different labels need d > 1."""
    g.intro("count")

    def diagonal(g: Goal) -> None:
        g.split(g.assume("case"))

        def off(g: Goal) -> None:
            g.fix("i", "j")
            g.assume("edge")
            g.contra("differ")
            zero = g.have("P[i,j] = 0", lambda g: (g.rewrite("case_2"), g.field()))
            g.pos([], eqs=[("edge", "1"), (zero, "-1")])

        g.have("all i j:Z. P[i,j] = 1 => i = j", off, name="labels")

        def binary(g: Goal) -> None:
            g.fix("i", "j")

            def same(g: Goal) -> None:
                eq = last(g)

                def within(g: Goal) -> None:
                    g.split("beyond")
                    g.left_or_right(1)
                    g.rewrite("case_2")
                    g.rewrite(eq)
                    g.field()

                def beyond(g: Goal) -> None:
                    k = g.fact("entry_outside", "d", "d", "P")

                    def choose(g: Goal) -> None:
                        def first(g: Goal) -> None:
                            g.left_or_right(2)
                            g.nlin()

                        def second(g: Goal) -> None:
                            g.left_or_right(3)
                            g.nlin()

                        g.cases("beyond", first, second)

                    g.left_or_right(0)
                    g.close_by(g.apply(k, "i", "j", by=[choose]))

                g.em("j < 1 or d < j", lambda g: beyond(g), lambda g: within(g), name="beyond")

            def differ(g: Goal) -> None:
                g.left_or_right(0)
                g.rewrite("case_2")
                g.field()

            g.em("i = j", same, differ)

        def simple(g: Goal) -> None:
            g.witness("d", "lam i:Z. i", "lam j:Z. j")

            def members(g: Goal) -> None:
                g.fix("l")
                g.split(g.assume("range"))
                one = g.have("P[l,l] = 1", lambda g: (g.rewrite("case_2"), g.field()))
                g.conj(
                    lambda g: (g.witness("l", "l"), g.conj(lambda g: g.refl(), lambda g: g.close_by(one))),
                    lambda g: (g.witness("l", "l"), g.conj(lambda g: g.refl(), lambda g: g.close_by(one))),
                )

            def alone(g: Goal) -> None:
                g.fix("l")
                g.assume()
                args = ("d", "n", "P", "M", "lam i:Z. i", "lam j:Z. j", "l")
                g.close_by(g.lemma("bai2024.def-a5", "part:independence", *args, by=[lambda g: g.close_by("binary"), None]))

            g.conj(None, None, None, members, alone)

        g.have("all i j:Z. P[i,j] = 0 or P[i,j] = 1", binary, name="binary")
        simple(g)

    def single(g: Goal) -> None:
        g.assume("one")
        g.assume("system")
        g.obtain("system", "k", "R", "C", name="part")
        members = next(n for n, f in g.seq.hyps.items() if n.startswith("part_") and n.endswith("_4"))
        g.apply(members, "1", name="first")
        g.apply(members, "2", name="second")
        g.split("first")
        g.split("second")
        a, b = g.obtain("first_1", "i1", "j1")
        e, f = g.obtain("second_1", "i2", "j2")
        inside(g, "P", "d", "d", "i1", "j1", b)
        inside(g, "P", "d", "d", "i2", "j2", f)
        g.have("i2 = i1", lambda g: g.antisym(), name="same")
        k = g.have("R(i1) = 2", lambda g: (g.rewrite("same", back=True), g.close_by(e)))
        g.pos([], eqs=[(k, "1"), (a, "-1")])

    g.conj(diagonal, single)


@part(
    "bai2024.prop-a4-coupled",
    "unobserved",
    f"ex d n:Z, P M:M(d,d). 1 <= d and 1 <= n and {PATTERN} and {NONZERO} and {CONNECTED} and {DECOUPLED_ANY}",
    says="With unobserved rows and columns allowed as subsystems the claim fails: of a 2 x 2 matrix only the entry (1,1) is"
    " observed; row 2"
    " and column 2 never move.",
    uses=["bai2024.def-a5"],
)
def unobserved_row_and_column_are_a_subsystem(g: Goal) -> None:
    """P = M = [1, 0; 0, 0] with R(i) = i and C(j) = j."""
    p = "[[1,0],[0,0]]"
    g.witness("2", "1", p, p)
    outside = g.fact("entry_outside", 2, 2, p)
    for name, what in (
        ("corner", f"all i j:Z. {p}[i,j] = 1 => i = 1 and j = 1"),
        ("binary", f"all i j:Z. {p}[i,j] = 0 or {p}[i,j] = 1"),
    ):

        def entry(g: Goal, name: str = name) -> None:
            g.fix("i", "j")
            if name == "corner":
                g.assume("edge")

            def finish(g: Goal, value: int, reason: Script) -> None:
                k = g.have(f"{p}[i,j] = {value}", reason)
                if name == "binary":
                    g.left_or_right(value)
                    g.close_by(k)
                elif value == 0:
                    g.contra()
                    g.pos([], eqs=[("edge", "1"), (k, "-1")])
                else:
                    g.auto()

            def apart(g: Goal) -> None:
                finish(g, 0, lambda g: g.close_by(g.apply(outside, "i", "j")))

            def within(g: Goal) -> None:
                g.split("apart")

                def row(g: Goal, v: int) -> None:
                    a = last(g)

                    def column(g: Goal, w: int) -> None:
                        b = last(g)
                        finish(g, int(v == w == 1), lambda g: (g.rewrite(a), g.rewrite(b), g.field()))

                    by_values(g, "j", 1, 2, column)

                by_values(g, "i", 1, 2, row)

            g.em("i < 1 or 2 < i or j < 1 or 2 < j", apart, within, name="apart")

        g.have(what, entry, name=name)

    def nonzero(g: Goal) -> None:
        g.fix("i", "j")
        e = g.assume()
        g.contra()
        g.pos([], eqs=[(e, "1"), (last(g), "-1")])

    def connected(g: Goal) -> None:
        g.intro("labels", "entries")
        a, _ = g.split(g.apply("corner", "i", "j"))
        b, _ = g.split(g.apply("corner", "k", "l"))
        same = g.have("i = k", lambda g: g.field((a, 1), (b, -1)))
        g.rewrite(same)
        g.refl()

    def system(g: Goal) -> None:
        g.witness("2", "lam i:Z. i", "lam j:Z. j")

        def members(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            g.conj(
                lambda g: (g.witness("l", "l"), g.conj(lambda g: g.refl())),
                lambda g: (g.witness("l", "l"), g.conj(lambda g: g.refl())),
            )

        def alone(g: Goal) -> None:
            g.fix("l")
            g.assume()
            args = ("2", "1", p, p, "lam i:Z. i", "lam j:Z. j", "l")

            def labels(g: Goal) -> None:
                g.fix("i", "j")
                g.assume()
                a, b = g.split(g.apply("corner", "i", "j"))
                g.field((a, 1), (b, -1))

            g.close_by(g.lemma("bai2024.def-a5", "part:independence", *args, by=[lambda g: g.close_by("binary"), labels]))

        g.conj(None, None, None, members, alone)

    g.conj(None, None, lambda g: g.close_by("binary"), nonzero, connected, system)


@part(
    "bai2024.assertion-decoupling-iff-disconnection",
    "unobserved",
    f"not (all d n:Z, P M:M(d,d). 1 <= d => 1 <= n => {PATTERN} => {NONZERO} => ({DECOUPLED_ANY} <=> not {CONNECTED}))",
    says="With unobserved rows and columns allowed as subsystems (`some rows and some columns`, literally) the equivalence fails:"
    " of a 2 x 2 matrix only the entry (1,1) is observed, which is connected, and row 2 and column 2 never move.",
    uses=["bai2024.prop-a4-coupled"],
)
def equivalence_fails_with_unobserved_rows_and_columns(g: Goal) -> None:
    """The example of Proposition A.4."""
    equivalent = g.assume()
    found = g.split(g.obtain(g.lemma("bai2024.prop-a4-coupled", "part:unobserved"), "d", "n", "P", "M", split=False)[0])
    both = g.apply(equivalent, "d", "n", "P", "M", by=[lambda g, h=h: g.close_by(h) for h in found[:4]])
    forward = g.split(both)[0]
    cut = g.apply(forward, by=[lambda g: g.close_by(found[5])], n=1)
    g.clash(found[4], cut)
