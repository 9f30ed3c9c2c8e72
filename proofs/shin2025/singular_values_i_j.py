"""Singular values of b I + ((a - b)/d) J for 0 <= b <= a: a once, b otherwise."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import part

MATRIX = "(b*I(d) + ((a - b)/d)*J(d))"


def stretched(v: str) -> str:
    return f"tr(T(X @ {v}) @ (X @ {v}))"


@part(
    "shin2025.proof-step-lambda-positive",
    "stretching",
    f"""all d:Z, a b:R, X:M(d,d). 1 <= d => 0 <= b => b <= a => X = {MATRIX} => all v:V(d).
        b^2*tr(T(v) @ v) <= {stretched("v")} and {stretched("v")} <= a^2*tr(T(v) @ v)""",
)
def stretching_lies_between(g: Goal) -> None:
    """|X v|^2 = b^2 |v|^2 + (a^2 - b^2) |J v|^2 / d^2, and |J v / d| is at most |v|."""
    d, _, ab, x = g.intro()
    e = g.have(
        f"{stretched('v')} = b^2*tr(T(v) @ v) + ((a^2 - b^2)/d^2)*tr(T(J(d,d) @ v) @ (J(d,d) @ v))",
        lambda g: (g.rewrite(x), g.field())[-1],
    )
    g.rewrite(e)
    n = "tr(T(J(d,d) @ v) @ (J(d,d) @ v))"
    del d
    g.have("0 <= a - b")
    g.have("0 <= a + b")
    g.conj(
        lambda g: g.pos(["a - b", "a + b", "1/d^2", n]),
        lambda g: g.pos(["a - b", "a + b", "tr(T(v - (1/d)*(J(d,d) @ v)) @ (v - (1/d)*(J(d,d) @ v)))"]),
    )
    del ab


@part(
    "shin2025.proof-step-lambda-positive",
    "singular-values",
    f"""all d:Z, a b:R, X:M(d,d). 1 <= d => 0 <= b => b <= a => X = {MATRIX} =>
        sv(X,1) = a and all i:Z. 2 <= i and i <= d => sv(X,i) = b""",
)
def singular_values(g: Goal) -> None:
    """The norm bounds from both sides for the first; X minus a matrix of rank one is b I for the others."""
    d, blo, ab, x = g.intro()
    st = g.lemma("shin2025.proof-step-lambda-positive", "part:stretching", "d", "a", "b", "X")
    s = g.fact("spec_is_sv", "d", "d", "X")
    low = g.apply(g.fact("sv_range", "d", "d", "X"), "1", "1")
    low = g.split(low)[0]
    g.have("0 <= a")

    def below(g: Goal) -> None:
        g.rewrite(s, back=True)
        h = g.by_fact(
            "spec_least",
            "d",
            "d",
            "a",
            "X",
            by=[None, lambda g: (g.intro(), k := g.apply(st, "v"), g.close_by(g.split(k)[1]))[-1]],
        )
        g.close_by(h)

    def above(g: Goal) -> None:
        h = g.fact("spec_bound", "d", "d", "X", "J(d,1)")
        e = g.have("X @ J(d,1) = a*J(d,1)", lambda g: (g.rewrite(x), g.nc())[-1])
        h = g.have(
            "tr(T(a*J(d,1)) @ (a*J(d,1))) <= spec(X)^2*tr(T(J(d,1)) @ J(d,1))",
            lambda g: (g.rewrite(e, back=True), g.close_by(h))[-1],
        )
        n = g.have("tr(T(J(d,1)) @ J(d,1)) = d", lambda g: g.field())
        k = g.have("tr(T(a*J(d,1)) @ (a*J(d,1))) = a^2*d", lambda g: g.field((n, "a^2")))
        h = g.have(
            "a^2*d <= sv(X,1)^2*d", lambda g: (g.rewrite(s, back=True), g.pos([f"@{h}"], eqs=[(k, -1), (n, "spec(X)^2")]))[-1]
        )
        less = g.contra()
        g.pos([f"@{h}"], [f"@{less}", f"@{less}", "d"], [f"@{less}", "2", low_factor, "d"])

    low_factor = "sv(X,1)"
    del low, blo, ab, d

    def other(g: Goal) -> None:
        g.intro()

        def least(g: Goal) -> None:
            h = g.by_fact(
                "sv_stretch",
                "d",
                "d",
                "i",
                "b",
                "X",
                by=[None, None, None, lambda g: (g.intro(), k := g.apply(st, "v"), g.close_by(g.split(k)[0]))[-1]],
            )
            g.close_by(h)

        def most(g: Goal) -> None:
            y = "((a - b)/d)*J(d,1) @ J(1,d)"
            r = g.fact("rank_product", "d", "1", "d", "((a - b)/d)*J(d,1)", "J(1,d)")
            k = g.by_fact("rank_bounds", "1", "d", "J(1,d)")
            g.split_all(k)
            rs = g.split_all(r)
            c = g.by_fact("spec_least", "d", "d", "b", "b*I(d)", by=[None, lambda g: (g.intro(), g.pos())[-1]])
            z = g.obtain(
                g.have(
                    "ex Z:M(d,d). Z = (((a - b)/d)*J(d,1)) @ J(1,d)",
                    lambda g: (g.witness("(((a - b)/d)*J(d,1)) @ J(1,d)"), g.refl())[-1],
                ),
                "Z",
            )[0]
            rk = g.have("rank(Z) <= rank(J(1,d))", lambda g: (g.rewrite(z), g.close_by(rs[1]))[-1])
            m = g.by_fact("eckart_young_spectral", "d", "d", "i", "X", "Z")
            e = g.have("X - Z = b*I(d)", lambda g: g.nc(rw=[x, z]))
            del y, rk
            m = g.have("sv(X,i) <= spec(b*I(d))", lambda g: (g.rewrite(e, back=True), g.close_by(m))[-1])
            g.pos([f"@{c}"], [f"@{m}"])

        g.antisym(most, least)

    g.conj(lambda g: g.antisym(below, above), other)
