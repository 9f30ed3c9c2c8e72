"""Appendix F.1: the decomposition along u*, and u* as a function of the initial values (uniqueness of the flow (4))."""

from __future__ import annotations

from proofs.shin2025.alignment_flow import CONTEXT, symmetric_unit
from proofs.shin2025.connected_flow import FLOW, SETTING, UNIT, VARIABLES, alpha, beta, inner, norm2, perp
from verify.kernel import Goal
from verify.registry import holds, part


def second(text: str) -> str:
    """The same text for a second flow c1, c2, e1 with limits C1, C2, E1 and reference v."""
    for old, new in (("a1", "c1"), ("a2", "c2"), ("b1", "e1"), ("A1", "C1"), ("A2", "C2"), ("B1", "E1"), ("u = ", "v = ")):
        text = text.replace(old, new)
    return text


SAME_START = "c1(0) = a1(0) => c2(0) = a2(0) => e1(0) = b1(0)"
X, Y, Z = "(c1(t) - a1(t))", "(c2(t) - a2(t))", "(e1(t) - b1(t))"
DISTANCE = f"{norm2(X)} + {norm2(Y)} + {norm2(Z)}"
S1, S2 = "(w1 - tr(T(c1(t)) @ e1(t)))", "(w2 - tr(T(c2(t)) @ e1(t)))"
RATE = f"2*{S1}^2 + 2*{S2}^2 + 4 + {norm2(Z)}/2"


@part(
    "shin2025.def-parallel-perp",
    "one-flow",
    f"""all n:Z, w1 w2:R, a1 a2 b1 c1 c2 e1:R~>V(n). {FLOW} => {second(FLOW)} => {SAME_START} =>
        all t:R. 0 <= t => c1(t) = a1(t) and c2(t) = a2(t) and e1(t) = b1(t)""",
    says="the flow (4) is determined by its initial values",
)
def flow_is_unique(g: Goal) -> None:
    """The squared distance of two flows satisfies N' <= M(t) N, so that it stays 0 (Gronwall)."""
    g.intro()
    flows = [h for h, f in g.seq.hyps.items() if f[0] == "all"]
    starts = [h for h, f in g.seq.hyps.items() if f[0] == "="]
    k = g.by_fact("antiderivative", f"lam t:R. {RATE}")
    _, rate = g.obtain(k, "K")

    def grows(q: Goal) -> None:
        q.intro()
        t = list(q.seq.ctx)[-1]
        at = lambda text: text.replace("(t)", f"({t})")  # noqa: E731
        r = q.apply(rate, t)
        equations = [h for f in flows for h in q.split(q.apply(f, t))]
        d = q.differentiate("t", DISTANCE, t)
        value = q.hyp_formula(d)[2]
        x, y, z = at(X), at(Y), at(Z)
        cs = [q.fact("frobenius_cauchy", "n", "1", v, z) for v in (x, y)]

        def rewritten(c: Goal) -> None:
            c.rewrite(d)
            for h in equations:
                c.rewrite(h)
            c.refl()

        new = value
        for h in equations:
            f = q.hyp_formula(h)
            new = replaced(new, f[1], f[2])
        plain = q.have(("=", q.hyp_formula(d)[1], new), rewritten)
        n = at(DISTANCE)
        bound = q.have(("<=", new, q.term(f"({at(RATE)})*({n})")), lambda c: estimate(c, x, y, z, at(S1), at(S2), cs, t))
        q.rewrite(plain)
        q.rewrite(q.have(("=", q.concl[2][1], q.hyp_formula(r)[2]), lambda c: c.field((r, "1"))))
        q.close_by(bound)

    h = g.by_fact("gronwall", 0, f"lam t:R. {DISTANCE}", "lam t:R. K(t)", by=[None, grows])
    now = g.apply(h, "t")
    zero = "0*exp(K(t) - K(0))"

    def nothing(q: Goal) -> None:
        for e in starts:
            q.rewrite(e)
        q.field()

    initial = g.have(f"({DISTANCE.replace('(t)', '(0)')})*exp(K(t) - K(0)) = {zero}", nothing)
    below = g.have(f"{DISTANCE} <= 0", lambda q: q.pos([f"@{now}"], eqs=[(initial, "-1")]))

    def equal(q: Goal, v: str, others: tuple[str, str]) -> None:
        none = q.have(
            f"{norm2(v)} = 0", lambda c: c.antisym(lambda e: e.pos([f"@{below}"], [norm2(others[0])], [norm2(others[1])]), None)
        )
        o = q.by_fact("frobenius_zero", "n", "1", v, by=[lambda c: c.close_by(none)])
        q.nc((o, "1", None, None))

    g.conj(lambda q: equal(q, X, (Y, Z)), lambda q: equal(q, Y, (X, Z)), lambda q: equal(q, Z, (X, Y)))


def replaced(e: object, old: object, new: object) -> object:
    """A term with a subterm replaced everywhere."""
    if e == old:
        return new
    return tuple(replaced(x, old, new) for x in e) if isinstance(e, tuple) else e


def estimate(g: Goal, x: str, y: str, z: str, s1: str, s2: str, cs: list[str], t: str) -> None:
    """4 s x.z <= 2 s^2 |x|^2 + 2 |z|^2, -(p + q)(r + q) <= (p - r)^2/4 and (x.z)^2 <= |x|^2 |z|^2, for both rows."""
    e, b = f"e1({t})", f"b1({t})"
    half = lambda v, a: f"({inner(a, z)} + ({inner(v, e)} + {inner(v, b)})/2)^2"  # noqa: E731
    terms = [
        ["2", norm2(f"({s1}*{x} - {z})")],
        ["2", norm2(f"({s2}*{y} - {z})")],
        ["2", half(x, f"a1({t})")],
        ["2", half(y, f"a2({t})")],
        ["1/2", f"@{cs[0]}"],
        ["1/2", f"@{cs[1]}"],
        ["2", f"{s1}^2", f"{norm2(y)} + {norm2(z)}"],
        ["2", f"{s2}^2", f"{norm2(x)} + {norm2(z)}"],
        ["4", f"{norm2(x)} + {norm2(y)}"],
        ["1/2", f"{norm2(z)}^2"],
    ]
    g.pos(*terms)


REFERENCE_SETTING = f"all {VARIABLES}. {SETTING}"


@holds(
    "shin2025.def-parallel-perp",
    f"""all {VARIABLES}. {SETTING} => 0 < {norm2("B1")} and {UNIT} and
        (all c1 c2 e1:R~>V(n), C1 C2 E1 v:V(n). {second(SETTING)} => {SAME_START} => v = u) and
        (all x:V(n). x = {alpha("x")}*u + {perp("x")} and {inner("u", perp("x"))} = 0 and {alpha(perp("x"))} = 0 and
        {norm2("x")} = {alpha("x")}^2 + {beta("x")})""",
    uses=[],
    argument="sound",
    reading="the definition is meaningful: b_1(inf) is not 0, u* is a unit vector and depends on the initial "
    "values alone (two flows with the same "
    "initial values and observations have the same u*), and every vector is the orthogonal sum of its two parts",
    context=CONTEXT,
)
def parts_are_an_orthogonal_decomposition(g: Goal) -> None:
    """|u*| = 1 because b_1(inf) is not 0; two flows with the same initial values agree, and so do their limits; the
    rest is expansion."""
    g.intro()
    h = symmetric_unit(g)

    def determined(k: Goal) -> None:
        first = [x for x, f in k.seq.hyps.items() if f[0] in ("all", "tends") or (f[0] == "=" and f[1] == "u")]
        k.intro()
        later = [
            x for x, f in k.seq.hyps.items() if x not in first and (f[0] in ("all", "tends") or (f[0] == "=" and f[1] == "v"))
        ]

        def flow(which: str):
            def script(q: Goal) -> None:
                q.intro()
                es = q.split(q.apply(which, list(q.seq.ctx)[-1]))
                q.conj(*[lambda c, e=e: c.nc((e, "1", None, None)) for e in es])

            return script

        agree = k.lemma(
            "shin2025.def-parallel-perp",
            "part:one-flow",
            "n",
            "w1",
            "w2",
            "a1",
            "a2",
            "b1",
            "c1",
            "c2",
            "e1",
            by=[flow(first[0]), flow(later[0])],
        )
        b, e = first[3], later[3]

        def same(q: Goal) -> None:
            q.extn("i", "j")
            tb, te = (
                q.apply(
                    q.apply(
                        q.split(q.fact("tends_matrix", "n", "1", big, f"lam t:R. {x}(t)"))[0], by=[lambda c, y=y: c.close_by(y)]
                    ),
                    "i",
                    "j",
                )
                for big, x, y in (("B1", "b1", b), ("E1", "e1", e))
            )

            def at(c: Goal) -> None:
                c.intro()
                c.rewrite(c.split(c.apply(agree, list(c.seq.ctx)[-1]))[2])
                c.refl()

            moved = q.by_fact(
                "tends_ext", 0, "E1[i,j]", "lam t:R. e1(t)[i,j]", "lam t:R. b1(t)[i,j]", by=[at, lambda c: c.close_by(te)]
            )
            q.close_by(
                q.by_fact(
                    "tends_unique",
                    "E1[i,j]",
                    "B1[i,j]",
                    "lam t:R. b1(t)[i,j]",
                    by=[lambda c: c.close_by(moved), lambda c: c.close_by(tb)],
                )
            )

        limits = k.have("E1 = B1", same)
        k.rewrite(later[4])
        k.rewrite(first[4])
        k.rewrite(limits)
        k.refl()

    def decomposition(k: Goal) -> None:
        k.intro()
        number = lambda q: q.field(rw=[h])  # noqa: E731
        k.conj(lambda q: q.nc(), number, number, number)

    g.conj(None, lambda k: k.close_by(h), determined, decomposition)
