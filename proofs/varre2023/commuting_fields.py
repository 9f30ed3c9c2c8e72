"""Section 3.2, related work: the parametrisation by two linear layers is not commuting."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

GRADIENT = """(all x:V(p), W1 H1:M(p,l), W2 H2:M(l,k). D(s, tr(T(x) @ (W1 + s*H1) @ (W2 + s*H2) @ h), 0) =
         tr(T(x @ T(W2 @ h)) @ H1) + tr(T(T(W1) @ x @ T(h)) @ H2))"""
BRACKET = "D(s, f @ T((W2 + s*(T(W1) @ e @ T(h))) @ h), 0) - D(s, e @ T((W2 + s*(T(W1) @ f @ T(h))) @ h), 0)"


def inner(g: Goal, dim: str, x: str, y: str, own_x: str, own_y: str, at_x: str, at_y: str) -> str:
    """Adds x^T y = I(1) or O(1,1) for the unit vectors x and y at the places at_x and at_y."""
    value = "I(1)" if at_x == at_y else "O(1,1)"
    first = g.apply(own_y, 1, f"T({x})", 1)
    second = g.apply(own_x, dim, f"I({dim})", at_y)
    plain = g.have(f"{x}[{at_y},1] = (I({dim}) @ {x})[{at_y},1]", lambda g: g.ctx(lambda g: g.nc()))
    return g.have(f"T({x}) @ {y} = {value}", lambda g: g.ext(lambda g: g.field((first, 1), (plain, 1), (second, 1))))


def own_entry(g: Goal, dim: str, x: str, own: str, at: str) -> None:
    """The entry of the unit vector x at its place is 1."""
    value = g.apply(own, dim, f"I({dim})", at)
    plain = g.have(f"{x}[{at},1] = (I({dim}) @ {x})[{at},1]", lambda g: g.ctx(lambda g: g.nc()))
    g.field((plain, 1), (value, 1))


@holds(
    "varre2023.cited-li-noncommutative",
    f"""all p l k:Z. 2 <= p => 1 <= l => 1 <= k => ex e f:V(p), h:V(k). e[1,1] = 1 and f[2,1] = 1 and h[1,1] = 1 and T(e) @ e = I(1) and T(f) @ f = I(1) and T(h) @ h = I(1) and
       T(e) @ f = O(1,1) and {GRADIENT} and
       (ex W1:M(p,l), W2:M(l,k). {BRACKET} != O(p,l))""",
    argument="sound",
    reading="commuting means that the gradient fields of the entries of beta have vanishing Lie brackets: e, f and h are unit vectors of coordinates (of length 1, with an entry 1), the next clause gives the gradient field of"
    " x^T W_1 W_2 h for x = e, f, two entries of beta, and the last one the part in W_1 of the bracket of the two fields at a point; the first entry of the field of f is f (W_2 h)^T. That"
    " a mirror flow is then not guaranteed is the reading of this, since commuting is what the cited theorem asks for; that none exists is not claimed",
)
def gradient_fields_do_not_commute(g: Goal) -> None:
    """The bracket is (f e^T - e f^T) W_1, which is f c^T for W_1 = e c^T."""
    two, low_l, low_k = g.intro()
    g.have("1 <= p", lambda g: g.pos([f"@{two}"], [1]))
    (e,) = g.obtain(g.by_fact("unit_vector", "p", 1, by=[None, None]), "e", split=False)
    (f,) = g.obtain(g.by_fact("unit_vector", "p", 2, by=[None, using(two)]), "f", split=False)
    (h,) = g.obtain(g.by_fact("unit_vector", "k", 1, by=[None, using(low_k)]), "h", split=False)
    (c,) = g.obtain(g.by_fact("unit_vector", "l", 1, by=[None, using(low_l)]), "c", split=False)
    ee, ff = inner(g, "p", "e", "e", e, e, "1", "1"), inner(g, "p", "f", "f", f, f, "2", "2")
    hh, cc = inner(g, "k", "h", "h", h, h, "1", "1"), inner(g, "l", "c", "c", c, c, "1", "1")
    ef, fe = inner(g, "p", "e", "f", e, f, "1", "2"), inner(g, "p", "f", "e", f, e, "2", "1")
    g.witness("e", "f", "h")

    def gradient(g: Goal) -> None:
        g.fix()
        g.field()

    def bracket(g: Goal) -> None:
        g.witness("e @ T(c)", "O(l,k)")
        w = "(e @ T(c))"
        text = BRACKET.replace("W1", w).replace("W2", "O(l,k)")
        value = g.have(
            f"{text} = f @ T(c)",
            lambda g: g.nc(
                (hh, 1, "f", f"T(e) @ {w}"), (ee, 1, "f", "T(c)"), (hh, -1, "e", f"T(f) @ {w}"), (fe, -1, "e", "T(c)")
            ),
        )
        zero = g.contra()
        one = g.have(
            "I(1) = O(1,1)",
            lambda g: g.nc((ff, -1, None, None), (cc, -1, "T(f) @ f", None), (value, -1, "T(f)", "c"), (zero, 1, "T(f)", "c")),
        )
        k = g.have("I(1)[1,1] = O(1,1)[1,1]", lambda g: g.ctx(using(one)))
        g.pos([1], eqs=[(k, -1)])

    g.conj(
        lambda g: own_entry(g, "p", "e", e, "1"),
        lambda g: own_entry(g, "p", "f", f, "2"),
        lambda g: own_entry(g, "k", "h", h, "1"),
        using(ee),
        using(ff),
        using(hh),
        using(ef),
        gradient,
        bracket,
    )
