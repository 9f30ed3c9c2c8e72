"""Proposition 2: the manifolds of one connected component under the flow."""

from __future__ import annotations

from collections.abc import Callable

from proofs.bai2024.component_manifolds import MEMBER
from proofs.bai2024.crossing import MINUS, PLUS, crossing
from proofs.bai2024.graphs import LABELS, NONZERO, PATTERN, by_values
from proofs.bai2024.invariant_manifolds import COUNT, FLOW, INDEPENDENT
from proofs.bai2024.representable import gram_is_regular
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, part, refuted

CLAIM = "bai2024.prop-2-invariance"
COMPONENT = f"""((all i:Z. f(i) = 0 or f(i) = 1) and (all j:Z. g(j) = 0 or g(j) = 1) and (all i j:Z. P[i,j] = 1 => f(i) = g(j)) and
  (all i:Z. f(i) = 1 => (ex j:Z. P[i,j] = 1)) and (all j:Z. g(j) = 1 => (ex i:Z. P[i,j] = 1)) and
  (ex i j:Z. P[i,j] = 1 and f(i) = 1) and (ex i j:Z. P[i,j] = 1 and f(i) = 0) and
  (all r c:Z->Z. {LABELS} => (all i j x y:Z. P[i,j] = 1 and P[x,y] = 1 and f(i) = 1 and f(x) = 1 => r(i) = r(x))))"""
"""f and g mark the rows and columns of a connected component, and it is not the only one: M is disconnected."""


def member(a: str, b: str) -> str:
    """(a, b) is in the set (9)."""
    text = MEMBER.replace("A[i,j]", f"{a}[i,j]").replace("B[i,j]", f"{b}[i,j]")
    return text.replace("V = Y @ A", f"V = Y @ {a}").replace("T(V) = B @ Y", f"T(V) = {b} @ Y")


def contained(a: str, b: str) -> str:
    """The rows of a and the columns of b of the component lie in the span of the rows of V, the others are 0."""
    return f"""((ex X:M(d,k). (all i m:Z. 1 <= i and i <= d and 1 <= m and m <= k and f(i) != 1 => X[i,m] = 0) and {a} = X @ V) and
      (ex X:M(k,d). (all m j:Z. 1 <= m and m <= k and 1 <= j and j <= d and g(j) != 1 => X[m,j] = 0) and {b} = T(V) @ X))"""


SPACE = f"1 <= d => 0 <= k => k <= d => {INDEPENDENT}"
PATTERNED = f"{PATTERN} => {COMPONENT}"
VALUES = f"0 < n => {COUNT} => {NONZERO}"


def invariance(start: str, later: str) -> str:
    """Membership at t = 0 implies membership for all t >= 0."""
    return f"""all d k:Z, V:M(k,d), P:M(d,d), f g:Z->Z, n:R, M:M(d,d), A B:R~>M(d,d). {SPACE} => {PATTERNED} => {VALUES} => {FLOW} =>
       {start} => (all t:R. 0 <= t => {later})"""


def intrinsic(start: str, later: str) -> str:
    """For the pattern P the set is invariant for all observed values."""
    return f"""all d k:Z, V:M(k,d), P:M(d,d), f g:Z->Z. {SPACE} => {PATTERNED} =>
       (all n:R, M:M(d,d), A B:R~>M(d,d). {VALUES} => {FLOW} => {start} => (all t:R. 0 <= t => {later}))"""


REASON = (
    "d = 2, k = 1, the diagonal observed with the value 2, the component of the entry (1,1), A(0) = [2,0; 0,0], B(0) = [-1,0; 0,0]: the"
    " flow takes B through 0 at t = log(8/3)/5, where the column space is not the span; only containment in the span is invariant"
)
HALF_PLUS, HALF_MINUS = PLUS.replace("F(t)", "F(t/2)"), MINUS.replace("F(t)", "F(t/2)")
FACTORS = (f"lam t:R. [[{HALF_PLUS},0],[0,0]]", f"lam t:R. [[{HALF_MINUS},0],[0,0]]")


def first_only(g: Goal) -> None:
    """Adds f1, the indicator of 1, with its values."""
    (h,) = g.obtain(g.fact("indicator", "lam x:Z. x - 1"), "e", split=False)
    (k,) = g.obtain(
        g.have("ex f1:Z->Z. all x:Z. f1(x) = 1 - e(x)", lambda g: (g.witness("lam x:Z. 1 - e(x)"), g.fix("x"), g.refl())[-1]),
        "f1",
        split=False,
    )

    def at_one(g: Goal) -> None:
        g.fix("x")
        one = g.assume()
        zero, _ = g.split(g.apply(h, "x"))
        z = g.apply(zero, by=[lambda g: g.field((one, 1))])
        v = g.apply(k, "x")
        g.field((v, 1), (z, -1))

    def elsewhere(g: Goal) -> None:
        g.fix("x")
        ne = g.assume()

        def apart(g: Goal) -> None:
            eq = g.contra()
            same = g.have("x = 1", lambda g: g.field((eq, 1)))
            g.clash(same, ne)

        _, one = g.split(g.apply(h, "x"))
        z = g.apply(one, by=[apart])
        v = g.apply(k, "x")
        g.field((v, 1), (z, -1))

    g.have("all x:Z. x = 1 => f1(x) = 1", at_one, name="marked")
    g.have("all x:Z. x != 1 => f1(x) = 0", elsewhere, name="unmarked")


def diagonal_pattern(g: Goal) -> None:
    """Adds: I(2)[i,j] = 1 means i = j = 1 or i = j = 2, else the entry is 0."""
    k = g.fact("entry_outside", 2, 2, "I(2)")

    def entry(g: Goal) -> None:
        g.fix("i", "j")

        def beyond(g: Goal) -> None:
            g.left_or_right(0)
            h = last(g)
            g.close_by(g.apply(k, "i", "j", by=[lambda g: g.close_by(h)]))

        def within(g: Goal) -> None:
            g.split_all(last(g))

            def same(g: Goal) -> None:
                eq = last(g)
                one = g.have("I(2)[i,j] = 1", lambda g: (g.rewrite(eq), g.field())[-1])

                def low(g: Goal) -> None:
                    i = g.have("i = 1", lambda g: g.antisym())
                    g.left_or_right(1)
                    g.conj(lambda g: g.close_by(one), lambda g: g.close_by(i), lambda g: g.field((eq, -1), (i, 1)))

                def high(g: Goal) -> None:
                    g.apply(g.fact("int_lt", 1, "i"))
                    i = g.have("i = 2", lambda g: g.antisym())
                    g.left_or_right(2)
                    g.conj(lambda g: g.close_by(one), lambda g: g.close_by(i), lambda g: g.field((eq, -1), (i, 1)))

                g.em("i <= 1", low, high)

            def differ(g: Goal) -> None:
                g.left_or_right(0)
                g.field()

            g.em("i = j", same, differ)

        g.em("i < 1 or 2 < i or j < 1 or 2 < j", beyond, within)

    g.have(
        "all i j:Z. I(2)[i,j] = 0 or (I(2)[i,j] = 1 and i = 1 and j = 1) or (I(2)[i,j] = 1 and i = 2 and j = 2)",
        entry,
        name="diagonal",
    )


def places(g: Goal, i: str, j: str, one: str, script: Callable[[Goal, int, str, str], None]) -> None:
    """Split I(2)[i,j] = 1 into i = j = 1 and i = j = 2; the script gets the value and the two equations."""

    def never(g: Goal) -> None:
        z = last(g)
        g.contra()
        g.pos([], eqs=[(one, 1), (z, -1)])

    def at(v: int) -> Script:
        def inner(g: Goal) -> None:
            _, a, b = g.split(last(g))
            script(g, v, a, b)

        return inner

    g.cases(g.apply("diagonal", i, j), never, at(1), at(2))


@part(
    CLAIM,
    "other-rows",
    """all d:Z, f:Z->Z. (all i:Z. f(i) = 0 or f(i) = 1) => ex F:M(d,d). T(F) = F and
       (all m:Z, X:M(d,m), i j:Z. 1 <= i and i <= d and 1 <= j and j <= m => (F @ X)[i,j] = (1 - f(i))*X[i,j]) and
       (all m:Z, X:M(d,m). F @ X = O(d,m) <=>
         (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= m and f(i) != 1 => X[i,j] = 0))""",
    says="the diagonal projection onto the rows that are not marked",
)
def projection_onto_the_other_rows(g: Goal) -> None:
    """Diagonal entries 1 - f(i)."""
    g.fix()
    bits = g.assume()
    (e,) = g.obtain(g.fact("matrix_of_entries", "d", "d", "lam i:Z, j:Z. I(d)[i,j]*(1 - f(i))"), "F", split=False)
    g.witness("F")

    def reversed_(g: Goal, ne: str) -> None:
        eq = g.contra()
        a, b = g.hyp_formula(ne)[1:]
        k = g.have(("=", a, b), lambda g: g.field((eq, -1)))
        g.clash(k, ne)

    def symmetric(g: Goal) -> None:
        g.extn("i", "j")
        one, two = g.apply(e, "i", "j"), g.apply(e, "j", "i")

        def same(g: Goal) -> None:
            g.rewrite(last(g))
            g.field()

        def differ(g: Goal) -> None:
            ne = last(g)
            g.have("j != i", lambda g: reversed_(g, ne))
            g.field((two, 1), (one, -1))

        g.em("i = j", same, differ)

    def entries(g: Goal) -> None:
        g.fix("m", "X", "i", "j")
        g.split(g.assume())
        m = g.apply(g.fact("mm_entry", "d", "d", "m", "F", "X"), "i", "j")

        def others(g: Goal) -> None:
            g.fix("l")
            g.split(g.assume())
            ne = g.assume()
            g.have("i != l", lambda g: reversed_(g, ne))
            v = g.apply(e, "i", "l")
            g.field((v, "X[l,j]"))

        s = g.by_fact("sum_delta", 1, "d", "i", "lam l:Z. F[i,l]*X[l,j]", by=[None, None, others])
        v = g.apply(e, "i", "i")
        g.field((m, 1), (s, 1), (v, "X[i,j]"))

    scale = g.have(
        "all m:Z, X:M(d,m), i j:Z. 1 <= i and i <= d and 1 <= j and j <= m => (F @ X)[i,j] = (1 - f(i))*X[i,j]", entries
    )

    def kernel(g: Goal) -> None:
        g.fix("m", "X")

        def forward(g: Goal) -> None:
            flat = g.assume()
            g.fix("i", "j")
            g.split(g.assume())
            ne = last(g)
            k = g.apply(scale, "m", "X", "i", "j")
            w = g.have("(F @ X)[i,j] = 0", lambda g: (g.rewrite(flat), g.field())[-1])
            g.cases(
                g.apply(bits, "i"),
                lambda g: g.field((w, 1), (k, -1), (last(g), "X[i,j]")),
                lambda g: g.clash(last(g), ne),
            )

        def backward(g: Goal) -> None:
            zero = g.assume()
            g.extn("i", "j")
            k = g.apply(scale, "m", "X", "i", "j")

            def marked(g: Goal) -> None:
                g.field((k, 1), (last(g), "-X[i,j]"))

            def other(g: Goal) -> None:
                z = g.apply(zero, "i", "j")
                g.field((k, 1), (z, "1 - f(i)"))

            g.em("f(i) = 1", marked, other)

        g.iff(forward, backward)

    g.conj(symmetric, lambda g: g.close_by(scale), kernel)


def other_rows(g: Goal, f: str, name: str, bits: str) -> list[str]:
    """Adds the projection of the part `other-rows` and its three properties."""
    return g.obtain(g.lemma(CLAIM, "part:other-rows", "d", f, by=[lambda g: g.close_by(bits)]), name)


@amendment(
    CLAIM,
    invariance(contained("A(0)", "B(0)"), contained("A(t)", "B(t)")),
    says="The set with containment in the span in place of equality is invariant.",
    uses=["bai2024.prop-1-invariance"],
)
def containment_for_a_component_is_invariant(g: Goal) -> None:
    """Containment is preserved by the amended Proposition 1. With the diagonal projections F and G onto the other rows and columns,
    F had(P, .) = had(P, .) G, so F A and G B^T obey a linear system and start from 0."""
    g.fix()
    for name in ("size", "k_lo", "k_hi", "independent", "binary", "component", "positive", "count", "nonzero", "flow", "start"):
        g.assume(name)
    f_bits, g_bits, labels = g.split("component")[:3]
    laws = g.split("flow")
    a0, b0 = g.split("start")
    x_zero, x_is = g.obtain(a0, "X0")
    y_zero, y_is = g.obtain(b0, "Y0")
    at_start = g.have(
        "(ex X:M(d,k). A(0) = X @ V) and (ex X:M(k,d). B(0) = T(V) @ X)",
        lambda g: g.conj(lambda g: (g.witness("X0"), g.close_by(x_is))[-1], lambda g: (g.witness("Y0"), g.close_by(y_is))[-1]),
    )
    known = ("size", "k_lo", "k_hi", "independent", "binary", "positive", "count", "nonzero", "flow", at_start)
    always = g.lemma("bai2024.prop-1-invariance", "amendment", *"dknVPMAB", by=[lambda g, h=h: g.close_by(h) for h in known])
    f_turned, f_scale, f_kernel = other_rows(g, "f", "F", f_bits)
    g_turned, g_scale, g_kernel = other_rows(g, "g", "G", g_bits)

    def commute(g: Goal) -> None:
        g.fix("X")
        g.rewrite(g.have("had(P, X) @ G = T(G @ T(had(P, X)))", lambda g: g.nc((g_turned, -1, "had(P, X)", None))))
        g.extn("i", "j")
        one = g.apply(f_scale, "d", "had(P, X)", "i", "j")
        two = g.apply(g_scale, "d", "T(had(P, X))", "j", "i")
        g.cases(
            g.apply("binary", "i", "j"),
            lambda g: g.field((one, 1), (two, -1), (last(g), "X[i,j]*(g(j) - f(i))")),
            lambda g: g.field((one, 1), (two, -1), (g.apply(labels, "i", "j"), "-P[i,j]*X[i,j]")),
        )

    meet = g.have("all X:M(d,d). F @ had(P, X) = had(P, X) @ G", commute)
    residual = "had(P, A(t) @ B(t) - M)"
    system = g.fact(
        "linear_pair_zero",
        "d",
        "d",
        "d",
        "lam t:R. F @ A(t)",
        "lam t:R. G @ T(B(t))",
        f"lam t:R. -(2/n*{residual})",
        f"lam t:R. -(2/n*T({residual}))",
    )

    def rows_move(g: Goal) -> None:
        g.fix("t")
        g.assume()
        law, c = g.apply(laws[0], "t"), g.apply(meet, "A(t) @ B(t) - M")
        g.nc((law, 1, "F", None), (c, "-2/n", None, "T(B(t))"))

    def columns_move(g: Goal) -> None:
        g.fix("t")
        g.assume()
        law, c = g.apply(laws[1], "t"), g.apply(meet, "A(t) @ B(t) - M")
        turned = g.have(f"T(B'(t)) = T(-(2/n*(T(A(t)) @ {residual})))", lambda g: (g.rewrite(law), g.refl())[-1])
        flip = g.have(f"T(F @ {residual}) = T({residual} @ G)", lambda g: (g.rewrite(c), g.refl())[-1])
        g.nc(
            (turned, 1, "G", None),
            (flip, "2/n", None, "A(t)"),
            (f_turned, "-2/n", f"T({residual})", "A(t)"),
            (g_turned, "2/n", None, f"T({residual}) @ A(t)"),
        )

    def rows_start(g: Goal) -> None:
        _, back = g.split(g.apply(f_kernel, "k", "X0"))
        flat = g.apply(back, by=[lambda g: g.close_by(x_zero)])
        g.nc((x_is, 1, "F", None), (flat, 1, None, "V"))

    def transposed(rule: str) -> Script:
        """Entries of a transpose."""

        def script(g: Goal) -> None:
            g.fix("i", "j")
            g.split(g.assume())
            k = g.apply(rule, "j", "i")
            g.field((k, 1))

        return script

    def columns_start(g: Goal) -> None:
        _, back = g.split(g.apply(g_kernel, "k", "T(Y0)"))
        flat = g.apply(back, by=[transposed(y_zero)])
        t = g.have("T(B(0)) = T(T(V) @ Y0)", lambda g: (g.rewrite(y_is), g.refl())[-1])
        g.nc((t, 1, "G", None), (flat, 1, None, "V"))

    still = g.apply(system, by=[None, rows_move, columns_move, rows_start, columns_start])
    g.have("det(V @ T(V)) != 0", gram_is_regular, name="det")
    right = g.by_fact("inv_right", "k", "V @ T(V)")
    g.fix("t")
    g.assume()
    za, zb = g.split(g.apply(still, "t"))
    some_a, some_b = g.split(g.apply(always, "t"))
    q = "T(V) @ inv(V @ T(V))"

    def rows(g: Goal) -> None:
        x = g.obtain(some_a, "X")[0]
        g.witness("X")
        back = g.have(f"X = A(t) @ ({q})", lambda g: g.nc((right, -1, "X", None), (x, -1, None, q)))
        forward, _ = g.split(g.apply(f_kernel, "k", "X"))
        zero = g.apply(forward, by=[lambda g: g.nc((back, 1, "F", None), (za, 1, None, q))], n=1)
        g.conj(lambda g: g.close_by(zero), lambda g: g.close_by(x))

    def columns(g: Goal) -> None:
        y = g.obtain(some_b, "Y")[0]
        g.witness("Y")
        t = g.have("T(B(t)) = T(T(V) @ Y)", lambda g: (g.rewrite(y), g.refl())[-1])
        back = g.have(f"T(Y) = T(B(t)) @ ({q})", lambda g: g.nc((right, -1, "T(Y)", None), (t, -1, None, q)))
        forward, _ = g.split(g.apply(g_kernel, "k", "T(Y)"))
        zero = g.apply(forward, by=[lambda g: g.nc((back, 1, "G", None), (zb, 1, None, q))], n=1)

        def outside(g: Goal) -> None:
            g.fix("m", "j")
            g.split(g.assume())
            k = g.apply(zero, "j", "m")
            g.field((k, 1))

        g.conj(outside, lambda g: g.close_by(y))

    g.conj(rows, columns)


@amendment(
    "bai2024.prop-2-intrinsic",
    intrinsic(contained("A(0)", "B(0)"), contained("A(t)", "B(t)")),
    says="The set with containment in the span is invariant for all observed values.",
    uses=[CLAIM],
)
def containment_is_invariant_for_all_values(g: Goal) -> None:
    """The amended Proposition 2 (i)."""
    g.fix()
    first = [g.assume(n) for n in ("size", "k_lo", "k_hi", "independent", "binary", "component")]
    g.fix()
    second = [g.assume(n) for n in ("positive", "count", "nonzero", "flow", "start")]
    names = [lambda g, h=h: g.close_by(h) for h in (*first, *second)]
    g.close_by(g.lemma(CLAIM, "amendment", "d", "k", "V", "P", "f", "g", "n", "M", "A", "B", by=names))


def bits(g: Goal) -> None:
    """f1 has the values 0 and 1."""
    (x,) = g.fix("x")

    def yes(g: Goal) -> None:
        h = last(g)
        g.left_or_right(1)
        g.close_by(g.apply("marked", x, by=[lambda g: g.close_by(h)]))

    def no(g: Goal) -> None:
        h = last(g)
        g.left_or_right(0)
        g.close_by(g.apply("unmarked", x, by=[lambda g: g.close_by(h)]))

    g.em(f"{x} = 1", yes, no)


def pattern(g: Goal) -> None:
    """I(2) is binary."""
    g.fix("i", "j")
    zero: Script = lambda g: (g.left_or_right(0), g.close_by(last(g)))[-1]  # noqa: E731
    one: Script = lambda g: (g.left_or_right(1), g.close_by(g.split(last(g))[0]))[-1]  # noqa: E731
    g.cases(g.apply("diagonal", "i", "j"), zero, one, one)


def impossible(g: Goal, one: str, zero: str) -> None:
    """x = 1 and x = 0."""
    g.contra()
    g.pos([], eqs=[(one, 1), (zero, -1)])


def two_is_not_one(g: Goal, a: str) -> None:
    """x != 1 from x = 2."""
    eq = g.contra()
    g.pos([], eqs=[(a, 1), (eq, -1)])


def component(g: Goal) -> None:
    """The entry (1, 1) is a component of the pattern I(2) with the marks f1."""

    def same_label(g: Goal) -> None:
        g.fix("i", "j")
        one = g.assume()

        def each(g: Goal, _: int, a: str, b: str) -> None:
            g.rewrite(a)
            g.rewrite(b)
            g.refl()

        places(g, "i", "j", one, each)

    def observed(g: Goal) -> None:
        (x,) = g.fix("x")
        mark = g.assume()

        def yes(g: Goal) -> None:
            eq = last(g)
            g.witness("1")
            g.rewrite(eq)
            g.field()

        def no(g: Goal) -> None:
            ne = last(g)
            z = g.apply("unmarked", x, by=[lambda g: g.close_by(ne)])
            impossible(g, mark, z)

        g.em(f"{x} = 1", yes, no)

    def alone(g: Goal) -> None:
        g.fix("r", "c")
        g.assume()
        g.fix("i", "j", "x", "y")
        one, two, mi, mk = g.split(g.assume())

        def value(x: str, y: str, seen: str, mark: str) -> str:
            def each(g: Goal, v: int, a: str, _: str) -> None:
                if v == 1:
                    g.close_by(a)
                else:
                    z = g.apply("unmarked", x, by=[lambda g: two_is_not_one(g, a)])
                    impossible(g, mark, z)

            return g.have(f"{x} = 1", lambda g: places(g, x, y, seen, each))

        a, b = value("i", "j", one, mi), value("x", "y", two, mk)
        g.rewrite(a)
        g.rewrite(b)
        g.refl()

    def inside_(g: Goal) -> None:
        g.witness("1", "1")
        g.conj(lambda g: g.field(), lambda g: g.close_by(g.apply("marked", 1)))

    def outside(g: Goal) -> None:
        g.witness("2", "2")
        g.conj(lambda g: g.field(), lambda g: g.close_by(g.apply("unmarked", 2)))

    g.conj(bits, bits, same_label, observed, observed, inside_, outside, alone)


def independent(g: Goal) -> None:
    """The row [1, 0]."""
    g.fix("v")
    zero = g.assume()
    e = g.have("(T([[1,0]]) @ v)[1,1] = O(2,1)[1,1]", lambda g: (g.rewrite(zero), g.refl())[-1])
    g.ext(lambda g: g.field((e, 1)))


def chain(*scripts: Script) -> Script:
    """One script for each premise of a negated implication, the last one for the negated conclusion."""
    if len(scripts) == 1:
        return scripts[0]
    return lambda g: g.conj(scripts[0], chain(*scripts[1:]))


def auto(g: Goal) -> None:
    g.auto()


def nonzero(g: Goal) -> None:
    """Observed values are 2."""
    g.fix("i", "j")
    one = g.assume()
    eq = g.contra()
    g.pos([], eqs=[(one, 1), (eq, "-1/2")])


def flow(g: Goal) -> None:
    """Both laws, entry by entry, from F'."""

    def law(g: Goal) -> None:
        g.fix("t")
        g.assume()
        v = g.apply("velocity", "t/2")
        g.ext(lambda g: g.field(rw=[v]))

    g.conj(law, law)


def start(g: Goal) -> None:
    """A(0) = [2,0; 0,0], B(0) = [-1,0; 0,0]."""

    def halved(h: str, value: str) -> str:
        def script(g: Goal) -> None:
            g.fix("t")
            zero = g.assume()
            half = g.have("t/2 = 0", lambda g: g.field((zero, "1/2")))
            g.rewrite(half)
            g.close_by(h)

        return g.apply(g.have(f"all t:R. t = 0 => exp({value}) = 1", script), "0")

    one, two = halved("begin", "F(t/2)"), halved("begin_inverse", "-F(t/2)")
    g.rewrite(one)
    g.rewrite(two)
    corner_member(g, "2", "1/2", "-1", "-1")


def corner_member(g: Goal, a: str, a_inverse: str, b: str, b_inverse: str) -> None:
    """([a,0; 0,0], [b,0; 0,0]) is in the set (9) of the entry (1, 1) for the row [1, 0]."""

    def at_places(g: Goal, script: Callable[[Goal, str, str], None]) -> None:
        """The four places of a 2 x 2 matrix; the script gets i = .. and j = .."""

        def row(g: Goal, _: int) -> None:
            i = last(g)
            by_values(g, "j", 1, 2, lambda g, _: script(g, i, last(g)))

        by_values(g, "i", 1, 2, row)

    def entries(x: str) -> Script:
        def finish(g: Goal, i: str, j: str) -> None:
            g.rewrite(i)
            g.rewrite(j)
            g.field()

        def script(g: Goal) -> None:
            g.witness(x)
            g.fix("i", "j")
            g.split(g.assume())
            at_places(g, finish)

        return script

    def spanned(x: str) -> Script:
        def script(g: Goal) -> None:
            g.witness(x)

            def zero(g: Goal) -> None:
                g.fix("m", "i")
                hs = g.split(g.assume())
                by_values(g, "m", 1, 1, lambda g, _: by_values(g, "i", 1, 2, lambda g, v: value(g, v, hs[-1])))

            def value(g: Goal, v: int, mark: str) -> None:
                i, m = last(g), g.have("m = 1", lambda g: g.antisym())
                g.rewrite(m)
                g.rewrite(i)
                if v == 2:
                    g.field()
                else:
                    k = g.apply("marked", "i")
                    g.clash(k, mark)

            g.conj(zero, lambda g: g.ext(lambda g: g.field()))

        return script

    def zeros(g: Goal) -> None:
        g.fix("i", "j")
        mark = g.split(g.assume())[-1]

        def finish(g: Goal, i: str, j: str) -> None:
            g.rewrite(i)
            g.rewrite(j)
            if g.hyp_formula(i)[2] == g.hyp_formula(j)[2] == 1:
                g.clash(g.apply("marked", g.hyp_formula(mark)[1][2]), mark)
            else:
                g.field()

        at_places(g, finish)

    g.conj(
        entries(f"[[{a}],[0]]"),
        spanned(f"[[{a_inverse},0]]"),
        entries(f"[[{b},0]]"),
        spanned(f"[[{b_inverse}],[0]]"),
        zeros,
        zeros,
    )


def leaves(g: Goal) -> None:
    """At t = log(8/3)/5 the entry of B is 0."""
    g.witness("log(8/3)/5")
    half = g.have("log(8/3)/5/2 = log(8/3)/10", lambda g: g.field())

    def out(g: Goal) -> None:
        h = g.contra()
        y = g.obtain(g.split(h)[3], "Y")[1]
        zero = g.have(
            f"{MINUS.replace('F(t)', 'F(log(8/3)/5/2)')} = 0",
            lambda g: (g.rewrite(half), g.field(("meets", "exp(-F(log(8/3)/10))/2")))[-1],
        )
        left, right = g.hyp_formula(y)[1:]
        k = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: (g.rewrite(y), g.refl())[-1])
        g.pos([], eqs=[(k, "-1"), (zero, "-Y[1,1]")])

    g.conj(lambda g: g.pos(["@later", 2]), out)


SPACE_OF_EXAMPLE = ("2", "1", "[[1,0]]", "I(2)", "f1", "f1")
FLOW_OF_EXAMPLE = ("2", "2*I(2)", *FACTORS)
FIRST = (auto, auto, auto, independent, pattern, component)
SECOND = (auto, lambda g: g.field(), nonzero, flow, start, leaves)


def example(g: Goal) -> None:
    """Adds the flow and the marks."""
    crossing(g)
    first_only(g)
    diagonal_pattern(g)


@refuted(CLAIM, invariance(member("A(0)", "B(0)"), member("A(t)", "B(t)")), argument="fails", reason=REASON)
def a_component_leaves_its_manifold(g: Goal) -> None:
    """The crossing of Proposition 1 at half the speed (n = 2), in the entry (1, 1)."""
    example(g)
    g.witness(*SPACE_OF_EXAMPLE, *FLOW_OF_EXAMPLE)
    chain(*FIRST, *SECOND)(g)


@refuted("bai2024.prop-2-intrinsic", intrinsic(member("A(0)", "B(0)"), member("A(t)", "B(t)")), argument="fails", reason=REASON)
def values_with_a_crossing(g: Goal) -> None:
    """The same flow."""
    example(g)
    g.witness(*SPACE_OF_EXAMPLE)

    def values(g: Goal) -> None:
        g.witness(*FLOW_OF_EXAMPLE)
        chain(*SECOND)(g)

    chain(*FIRST, values)(g)
