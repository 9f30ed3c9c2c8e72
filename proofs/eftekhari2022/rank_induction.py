"""Appendix H: the dimension count (115) and the transversality (116) fail where the last layer is the only narrowest one."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import amendment, refuted

GENERIC = """all a n k r:Z, W:M(n,a), V:M(k,n). 1 <= r => k < n => r <= a => r <= n => r <= k => (r = a or r = n or r = k) =>
       rank(W) = min(a,n) => rank(V) = min(k,n) =>"""
READING = (
    "N = 1: W = W_1 and V = W_2 are of full rank, as almost all matrices are; a, n, k are the widths d_0, d_1, d_2 with d_2 < d_1, r is the least of"
    " them, and the dimension of the null space is the number of columns minus the rank"
)
REASON = "for the widths (2, 2, 1) r = 1, but W = I has rank 2, and the null space of V = (1, 0) has dimension 1"


def widths(g: Goal) -> None:
    """W = I and V = (1, 0)."""
    identity, row = "[[1,0],[0,1]]", "[[1,0]]"
    g.witness("2", "2", "1", "1", identity, row)

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "or" and "rank" not in str(c):
            g.left_or_right(2)
            g.refl()
        elif c[0] == "ex":
            g.witness("[[0],[1]]")
            close(g)
        elif c[0] == "all":
            g.fix()
            eq = g.contra()
            k = g.have(("=", g.term("([[0],[1]])[2,1]"), g.term("O(2,1)[2,1]")), lambda g: g.ctx(using(eq)))
            g.pos(["1"], eqs=[(k, -1)])
        elif "rank" in str(c):
            one, two = g.have(f"rank({identity}) = 2", lambda g: g.compute()), g.have(f"rank({row}) = 1", lambda g: g.compute())
            if c[0] == "=":
                g.compute()
            else:
                g.pos(["1"], eqs=[(one, 1), (two, -1)])
        elif c[0] == "!=":
            eq = g.contra()
            k = g.have(("=", g.term("([[0],[1]])[2,1]"), g.term("O(2,1)[2,1]")), lambda g: g.ctx(using(eq)))
            g.pos(["1"], eqs=[(k, -1)])
        elif c[0] == "=":
            g.ext(lambda g: g.field())
        else:
            g.auto()

    close(g)


@refuted(
    "eftekhari2022.eq-115",
    f"{GENERIC} rank(W) + (n - rank(V)) <= n",
    argument="fails",
    reading=READING,
    reason=f"{REASON}: 2 + 1 > 2",
)
def dimensions_add_up_to_more(g: Goal) -> None:
    """2 + 1 > 2."""
    widths(g)


@amendment(
    "eftekhari2022.eq-115",
    """all a n k q:Z, W:M(n,a), V:M(k,n). k < n => q <= k => rank(W) = q => rank(V) = k => rank(W) + (n - rank(V)) <= n""",
    says="With the least width q of the layers before: the bound holds if the new width k is at least q.",
)
def dimensions_with_a_wide_layer(g: Goal) -> None:
    """q <= k."""
    g.fix()
    _, order, one, two = (g.assume() for _ in range(4))
    g.pos([f"@{order}"], eqs=[(one, -1), (two, 1)])


@refuted(
    "eftekhari2022.eq-116",
    f"{GENERIC} all p:V(n). (ex v:V(a). p = W @ v) => V @ p = O(k,1) => p = O(n,1)",
    argument="fails",
    reading=READING,
    reason=f"{REASON}, spanned by e_2, which is in the range of W",
)
def spaces_meet(g: Goal) -> None:
    """e_2."""
    widths(g)


@amendment(
    "eftekhari2022.eq-116",
    """all a n k:Z, W:M(n,a), V:M(k,n), L:M(a,k). L @ V @ W = I(a) =>
       (all p:V(n). (ex v:V(a). p = W @ v) => V @ p = O(k,1) => p = O(n,1)) and (all v:V(a). V @ W @ v = O(k,1) <=> W @ v = O(n,1))""",
    says="If V W has a left inverse, which needs k >= a, the range of W meets the null space of V in 0 only, and the null spaces of V W and W agree.",
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
