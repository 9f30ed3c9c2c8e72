"""Section 3.1: under the disconnected 2 x 2 pattern the depth-2 flow splits into two independent systems."""

from __future__ import annotations

from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

C1, C2 = "[[1],[0]]", "[[0],[1]]"
FACTORS_A, FACTORS_B = f"({C1} @ a1(t) + {C2} @ a2(t))", f"(b1(t) @ T({C1}) + b2(t) @ T({C2}))"
R = f"had([[1,0],[0,1]], {FACTORS_A} @ {FACTORS_B} - [[p,0],[0,q]])"
DIAGONAL = f"(((a1(t) @ b1(t))[1,1] - p)*({C1} @ T({C1})) + ((a2(t) @ b2(t))[1,1] - q)*({C2} @ T({C2})))"


def pair(k: str, w: str) -> str:
    r = f"({w} - (a{k}(t) @ b{k}(t))[1,1])"
    return f"(all t:R. 0 <= t => a{k}'(t) = {r}*T(b{k}(t)) and b{k}'(t) = {r}*T(a{k}(t)))"


@holds(
    "shin2025.assertion-md-independent",
    f"""all n:Z, p q:R, a1 a2:R~>M(1,n), b1 b2:R~>V(n). 1 <= n =>
       ((all t:R. 0 <= t => {C1} @ a1'(t) + {C2} @ a2'(t) = -({R} @ T{FACTORS_B}) and
          b1'(t) @ T({C1}) + b2'(t) @ T({C2}) = -(T{FACTORS_A} @ {R})) <=> ({pair("1", "p")} and {pair("2", "q")}))""",
    argument="sound",
    reading="a_i are the rows of A, b_i the columns of B. The flow of (A, B) is the same as the two systems, each of which "
    "mentions one pair only; so any solutions of the two combine to a solution.",
)
def the_flow_splits(g: Goal) -> None:
    """The masked residual is diagonal; rows and columns are read off with the unit vectors."""
    g.intro()
    d = g.have(f"all t:R. {R} = {DIAGONAL}", lambda g: (g.fix(), g.ext(lambda g: g.field()))[-1])
    rel = [
        g.have(f"T({x}) @ {y} = {z}", lambda g: g.ext(lambda g: g.field()))
        for x, y, z in ((C1, C1, "I(1)"), (C1, C2, "O(1,1)"), (C2, C1, "O(1,1)"), (C2, C2, "I(1)"))
    ]

    def apart(g: Goal) -> None:
        h = g.assume()

        def one(c: str) -> Script:
            def script(g: Goal) -> None:
                g.fix("t")
                g.assume()
                u, v = g.split(g.apply(h, "t"))
                k = g.apply(d, "t")
                u, v = g.rewritten(u, k), g.rewritten(v, k)
                g.conj(lambda g: g.nc((u, 1, f"T({c})", None), rw=rel), lambda g: g.nc((v, 1, None, c), rw=rel))

            return script

        g.conj(one(C1), one(C2))

    def together(g: Goal) -> None:
        x, y = g.split(g.assume())
        g.fix("t")
        g.assume()
        a, b = g.split(g.apply(x, "t"))
        e, f = g.split(g.apply(y, "t"))
        g.rewrite(g.apply(d, "t"))
        g.rewrite(a)
        g.rewrite(b)
        g.rewrite(e)
        g.rewrite(f)
        g.conj(lambda g: g.nc(rw=rel), lambda g: g.nc(rw=rel))

    g.iff(apart, together)
