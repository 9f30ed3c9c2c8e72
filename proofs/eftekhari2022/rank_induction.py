"""Appendix H: the dimension count (115), and where the transversality (116) fails: the last layer the only narrowest one."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

GENERIC = """all a n k r:Z, W:M(n,a), V:M(k,n). 1 <= r => k < n => r <= a => r <= n => r <= k => (r = a or r = n or r = k) =>
       rank(W) = min(a,n) => rank(V) = min(k,n) =>"""
"""W = W_1 and V = W_2 of full rank, as almost all matrices are; a, n, k are the widths d_0, d_1, d_2, and r is the least of them."""
IDENTITY, ROW = "[[1,0],[0,1]]", "[[1,0]]"


def instance(g: Goal) -> str:
    """What a statement about generic layers says of W = I and V = (1, 0)."""
    every = g.assume()

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "or":
            g.left_or_right(2)
            g.refl()
        elif "rank" in str(c):
            g.compute()
        else:
            g.auto()

    return g.apply(every, "2", "2", "1", "1", IDENTITY, ROW, by=[close] * 8)


@holds(
    "eftekhari2022.eq-115",
    """all a n k r:Z, W:M(n,a), V:M(k,n). rank(W) = r => n - rank(V) <= n - r =>
       rank(W) + (n - rank(V)) <= r + (n - r) and r + (n - r) = n""",
    argument="sound",
    reading="W = W_N .. W_1 and V = W_{N+1}; (111) and (114) are the hypotheses, with the same r, and the dimension of the null space is the number of"
    " columns minus the rank. With r as the least width of all layers (111) can fail (see the part)",
)
def dimensions_add_up(g: Goal) -> None:
    """The sum of (111) and (114)."""
    g.fix()
    rank, null = g.assume(), g.assume()
    g.conj(lambda g: g.pos([f"@{null}"], eqs=[(rank, -1)]), lambda g: g.field())


@part(
    "eftekhari2022.eq-115",
    "narrow-last-layer",
    f"not ({GENERIC} rank(W) + (n - rank(V)) <= n)",
    says="the count is false where r in (114) is the least width of all layers and the last layer is the only narrowest one: for the widths (2, 2, 1)"
    " r = 1, but W = I has rank 2, and 2 + 1 > 2",
)
def dimensions_add_up_to_more(g: Goal) -> None:
    """2 + 1 > 2."""
    count = instance(g)
    one, two = g.have(f"rank({IDENTITY}) = 2", lambda g: g.compute()), g.have(f"rank({ROW}) = 1", lambda g: g.compute())
    g.pos([f"@{count}"], [1], eqs=[(one, 1), (two, -1)])


@part(
    "eftekhari2022.eq-116",
    "spaces-meet",
    f"not ({GENERIC} all p:V(n). (ex v:V(a). p = W @ v) => V @ p = O(k,1) => p = O(n,1))",
    says="for the widths (2, 2, 1), W = I and V = (1, 0), the null space of V, spanned by e_2, is in the range of W",
)
def spaces_meet(g: Goal) -> None:
    """e_2."""
    none = instance(g)
    p = "[[0],[1]]"
    some = g.have(f"ex v:V(2). {p} = {IDENTITY} @ v", lambda g: (g.witness(p), g.ext(lambda g: g.field()))[-1])
    zero = g.have(f"{ROW} @ {p} = O(1,1)", lambda g: g.ext(lambda g: g.field()))
    eq = g.apply(none, p, by=[using(some), using(zero)])
    k = g.have(("=", g.term(f"({p})[2,1]"), g.term("O(2,1)[2,1]")), lambda g: g.ctx(using(eq)))
    g.pos(["1"], eqs=[(k, -1)])


@part(
    "eftekhari2022.eq-116",
    "left-inverse",
    """all a n k:Z, W:M(n,a), V:M(k,n), L:M(a,k). L @ V @ W = I(a) =>
       (all p:V(n). (ex v:V(a). p = W @ v) => V @ p = O(k,1) => p = O(n,1)) and (all v:V(a). V @ W @ v = O(k,1) <=> W @ v = O(n,1))""",
    says="if V W has a left inverse, which needs k >= a, the range of W meets the null space of V in 0 only, and the null spaces of V W and W agree",
)
def spaces_do_not_meet(g: Goal) -> None:
    """p = W v with V W v = 0 gives v = L V W v = 0."""
    g.fix()
    left = g.assume()

    def first(g: Goal) -> None:
        g.fix("p")
        some, zero = g.assume(), g.assume()
        (v,) = g.obtain(some, "v", split=False)
        g.nc((v, 1, None, None), (left, -1, "W", "v"), (v, -1, "W @ L @ V", None), (zero, 1, "W @ L", None))

    def second(g: Goal) -> None:
        g.fix("v")

        def forward(g: Goal) -> None:
            h = g.assume()
            g.nc((left, -1, "W", "v"), (h, 1, "W @ L", None))

        def backward(g: Goal) -> None:
            h = g.assume()
            g.nc((h, 1, "V", None))

        g.iff(forward, backward)

    g.conj(first, second)
