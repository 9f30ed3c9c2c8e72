"""Section 3.1: at depth 2 the pairs of the diagonal 2 x 2 problem evolve on their own."""

from __future__ import annotations

from proofs.bai2024.graphs import by_values
from proofs.shin2025.decoupled_factors import last
from verify.kernel import Goal
from verify.registry import holds

PATTERN = "[[1,0],[0,1]]"


def flow(a: str, b: str, w: str) -> str:
    """The gradient flow (3) on M_D."""
    residual = f"had({PATTERN}, {a}(t) @ {b}(t) - {w})"
    return f"(all t:R. 0 <= t => {a}'(t) = -({residual} @ T({b}(t)))) => (all t:R. 0 <= t => {b}'(t) = -(T({a}(t)) @ {residual}))"


RATE = "(Ws[i,i] - sum(q, 1, n, A(t)[i,q]*B(t)[q,i]))"
SYSTEM = f"""(all i k:Z, t:R. 1 <= i and i <= 2 and 1 <= k and k <= n => 0 <= t =>
    A'(t)[i,k] = {RATE}*B(t)[k,i] and B'(t)[k,i] = {RATE}*A(t)[i,k])"""


@holds(
    "shin2025.assertion-md-independent",
    f"""all n:Z, Ws Vs:M(2,2), A C:R~>M(2,n), B E:R~>M(n,2). 1 <= n => {flow("A", "B", "Ws")} => {SYSTEM} and
        ({flow("C", "E", "Vs")} => all i:Z. 1 <= i and i <= 2 => Ws[i,i] = Vs[i,i] =>
            (all k:Z. 1 <= k and k <= n => A(0)[i,k] = C(0)[i,k] and B(0)[k,i] = E(0)[k,i]) =>
            all t:R, k:Z. 0 <= t => 1 <= k and k <= n => A(t)[i,k] = C(t)[i,k] and B(t)[k,i] = E(t)[k,i])""",
    argument="sound",
    reading="a_i is row i of A and b_i column i of B: each pair satisfies a system in which the other does not"
    " occur, and its path is"
    " determined by its own start and its own observation, whatever the other pair does",
    context="gradient flow (3) at depth 2 on the diagonal 2 x 2 problem [(3)]",
    uses=["shin2025.eq-decoupled-pair", "shin2025.def-parallel-perp"],
)
def each_pair_is_determined_by_its_own_start(g: Goal) -> None:
    """A pair is a solution of (4) with second row 0 and second observation 0, and (4) has one solution from each start."""
    g.fix()
    for name in ("size", "fa", "fb"):
        g.assume(name)

    def same(h: str):
        def script(g: Goal) -> None:
            t = g.fix()[0]
            g.assume()
            g.nc((g.apply(h, t), 1, None, None))

        return script

    first = g.lemma("shin2025.eq-decoupled-pair", "statement", "n", "Ws", "A", "B", by=[same("fa"), same("fb")])

    def unique(g: Goal) -> None:
        g.assume("fc")
        g.assume("fe")
        g.fix("i")
        place = g.assume()
        g.split(place)
        obs = g.assume("observation")
        start = g.assume("start")
        second = g.lemma("shin2025.eq-decoupled-pair", "statement", "n", "Vs", "C", "E", by=[same("fc"), same("fe")])

        def pair(g: Goal, v: int) -> None:
            eq = last(g)
            u = "[[1,0]]" if v == 1 else "[[0,1]]"
            data = []
            for x, y in (("A", "B"), ("C", "E")):
                data += [f"lam t:R. T({u} @ {x}(t))", "lam t:R. O(n,1)", f"lam t:R. {y}(t) @ T({u})"]

            def motion(law: str, x: str, y: str):
                def script(g: Goal) -> None:
                    t = g.fix()[0]
                    g.assume()

                    def side(g: Goal) -> None:
                        g.extn("k", "j")
                        one = g.have("j = 1", lambda q: q.antisym())
                        g.rewrite(one)
                        e = g.split(g.apply(law, "i", "k", t))
                        f = [g.rewritten(h, eq) for h in e]
                        ob = g.rewritten(obs, eq)
                        d = g.concl[1][1]
                        name = g.have(("=", d, g.term(f"T({u} @ {x}'({t}))" if d[2][0] == "T" else f"{y}'({t}) @ T({u})")), None)
                        g.rewrite(name)
                        h = f[0] if d[2][0] == "T" else f[1]
                        cofactor = f"-{y}({t})[k,{v}]" if d[2][0] == "T" else f"-{x}({t})[{v},k]"
                        g.field((h, "1"), *([(ob, cofactor)] if x == "C" else []))

                    g.conj(side, lambda q: q.nc(), side)

                return script

            k = g.lemma(
                "shin2025.def-parallel-perp",
                "part:one-flow",
                "n",
                f"Ws[{v},{v}]",
                "0",
                *data,
                by=[motion(first, "A", "B"), motion(second, "C", "E"), *[lambda q: equal(q, u, v)] * 3],
            )
            g.fix("t", "k")
            now = g.assume()
            g.split(g.assume())
            r = g.split(g.apply(k, "t", by=[lambda q: q.close_by(now)]))
            x = g.have(f"T({u} @ C(t))[k,1] = T({u} @ A(t))[k,1]", lambda q: (q.rewrite(r[0]), q.refl())[-1])
            y = g.have(f"(E(t) @ T({u}))[k,1] = (B(t) @ T({u}))[k,1]", lambda q: (q.rewrite(r[2]), q.refl())[-1])
            g.rewrite(eq)
            g.conj(lambda q: q.field((x, "-1")), lambda q: q.field((y, "-1")))

        def equal(g: Goal, u: str, v: int) -> None:
            if g.concl[1] == g.concl[2]:
                g.refl()
                return
            g.extn("k", "j")
            g.rewrite(g.have("j = 1", lambda q: q.antisym()))
            e = g.split(g.apply(start, "k"))
            eq = next(h for h, f in g.seq.hyps.items() if f == ("=", "i", v))
            f = [g.rewritten(h, eq) for h in e]
            h = f[0] if "'C'" in str(g.concl) else f[1]
            g.field((h, "-1"))

        del place
        by_values(g, "i", 1, 2, pair)

    g.conj(lambda q: q.close_by(first), unique)
