"""The parameters of all factors in one vector, the factors and partial products as functions of it, inner products of gradients.

The entry (i, j) of W_l is the component o(l-1) + (i-1) w(l-1) + j of the parameters theta, where w(l) are the widths. F(l, theta) is
the factor W_l, padded with zeros to N x N; P(l, theta) = W_l ... W_1 and Q(l, theta) = W_L ... W_(l+1).
"""

from __future__ import annotations

from collections.abc import Callable

from verify.kernel import Goal
from verify.kernel.tactics import Script

CLAIM = "shin2025.assertion-gaussian-coupled"
PLACE = "1 <= i and i <= w(l) and 1 <= j and j <= w(l-1)"
INDEX = "o(l-1) + (i-1)*w(l-1) + j"
MODEL = f"""1 <= d => 3 <= L => w(0) = d => w(L) = d => (all l:Z. 0 <= l and l <= L => 1 <= w(l) and w(l) <= N) =>
  o(0) = 0 => (all l:Z. 1 <= l and l <= L => o(l) = o(l-1) + w(l)*w(l-1)) => o(L) = Np =>
  (all l i j:Z, x:V(Np). 1 <= l and l <= L => {PLACE} => F(l,x)[i,j] = x[{INDEX},1]) =>
  (all l i j:Z, x:V(Np). 1 <= l and l <= L => w(l) < i or w(l-1) < j => F(l,x)[i,j] = 0) =>
  (all x:V(Np). P(0,x) = I(N)) => (all l:Z, x:V(Np). 1 <= l and l <= L => P(l,x) = F(l,x) @ P(l-1,x)) =>
  (all x:V(Np). Q(L,x) = I(N)) => (all l:Z, x:V(Np). 1 <= l and l <= L => Q(l-1,x) = Q(l,x) @ F(l,x)) =>"""
NAMES = [
    "size",
    "depth",
    "first",
    "top",
    "widths",
    "origin",
    "offsets",
    "length",
    "layers",
    "beyond",
    "p_start",
    "p_step",
    "q_start",
    "q_step",
]
VARIABLES = "d L N Np:Z, w o:Z->Z, F P Q:(Z,V(Np))->M(N,N)"


def inner_at(x: str) -> Callable[[str, str, str, str], str]:
    """The inner product of the gradients of two entries of the product at the parameters x, over all parameters."""

    def inner(i: str, j: str, u: str, v: str) -> str:
        terms = f"Q(l,{x})[{i},a]*P(l-1,{x})[b,{j}]*(Q(l,{x})[{u},a]*P(l-1,{x})[b,{v}])"
        return f"sum(l, 1, L, sum(a, 1, w(l), sum(b, 1, w(l-1), {terms})))"

    return inner


def all_pairs(x: str) -> str:
    """The product of the inner products of the gradients over all pairs of entries of the d x d product."""
    return f"prod(i, 1, d, prod(j, 1, d, prod(u, 1, d, prod(v, 1, d, {inner_at(x)('i', 'j', 'u', 'v')}))))"


def setting(g: Goal) -> None:
    """Fix the variables and name the hypotheses of MODEL."""
    g.fix()
    for name in NAMES:
        g.assume(name)


def model(g: Goal, role: str, *terms: str) -> str:
    """A part about MODEL, from the hypotheses of the same names."""
    by: list[Script | None] = [lambda g, n=name: g.close_by(n) for name in NAMES]  # type: ignore[misc]
    h = g.lemma(CLAIM, f"part:{role}", "d", "L", "N", "Np", "w", "o", "F", "P", "Q", by=by)
    return g.apply(h, *terms) if terms else h
