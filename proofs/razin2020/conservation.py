"""Lemma 3: gradient flow conserves the unbalancedness of adjacent factors."""

from __future__ import annotations

from proofs.razin2020.factorisation import GRADIENT
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

GAP = "T(W(l+1,{0})) @ W(l+1,{0}) - W(l,{0}) @ T(W(l,{0}))"


@holds(
    "razin2020.lemma-3-step-conservation",
    """all r a b k c:Z, V:R~>M(a,b), U:R~>M(b,k), P:R->M(r,a), Q:R->M(k,c), G:R->M(r,c).
       (all t:R. 0 <= t => V'(t) = -(T(P(t)) @ G(t) @ T(U(t) @ Q(t))) and U'(t) = -(T(P(t) @ V(t)) @ G(t) @ T(Q(t)))) =>
       all t:R. 0 <= t =>
         U'(t) @ T(U(t)) = T(V(t)) @ V'(t) and
         D(s, U(s) @ T(U(s)), t) = D(s, T(V(s)) @ V(s), t) and
         T(V(t)) @ V(t) - U(t) @ T(U(t)) = T(V(0)) @ V(0) - U(0) @ T(U(0))""",
    argument="sound",
    reading="U and V are the adjacent factors W_l and W_{l+1} of any shapes, P and Q the products of the factors to "
    "the left and to the right of "
    "them, G(t) the gradient of the loss at the product P V U Q; depth and position are arbitrary",
)
def adjacent_gram_matrices_move_together(g: Goal) -> None:
    """Both sides are -(P V)^T G (U Q)^T; the difference of the Gram matrices has the derivative 0."""
    (flow,) = g.intro()[:1]

    def still(g: Goal) -> None:
        g.fix("u")
        g.assume()
        v, u = g.split(g.apply(flow, "u"))
        g.nc(rw=[v, u])

    h = g.by_fact("constant_matrix", "b", "b", 0, "lam s:R. T(V(s)) @ V(s) - U(s) @ T(U(s))", by=[None, still])
    k = g.apply(h, "t")
    v, u = g.split(g.apply(flow, "t"))
    g.conj(lambda g: g.nc(rw=[v, u]), lambda g: g.nc(rw=[v, u]), using(k))


@holds(
    "razin2020.lemma-3",
    f"""all m L:Z, W:(Z,R)~>M(m,m), P Q:(Z,R)->M(m,m), G:R->M(m,m), eps:R->R. 2 <= L =>
       (all t:R. 0 <= t => Q(0,t) = I(m) and P(L,t) = I(m)) =>
       (all l:Z, t:R. 1 <= l and l <= L => 0 <= t => Q(l,t) = W(l,t) @ Q(l-1,t) and P(l-1,t) = P(l,t) @ W(l,t)) =>
       (all l:Z, t:R. 1 <= l and l <= L => 0 <= t => d(1,W,l,t) = -(T(P(l,t)) @ G(t) @ T(Q(l-1,t)))) =>
       (all t:R. 0 <= t => (all l:Z. 1 <= l and l <= L - 1 => nuc({GAP.format("t")}) <= eps(t)) and
          (ex l:Z. 1 <= l and l <= L - 1 and nuc({GAP.format("t")}) = eps(t))) =>
       all t:R. 0 <= t => eps(t) = eps(0)""",
    uses=["razin2020.lemma-3-step-conservation"],
    argument="sound",
    reading="square factors as in Definition 3; Q(l) = W_l ... W_1 and P(l) = W_L ... W_{l+1}; eps(t) is the maximum over l",
    context=GRADIENT,
)
def unbalancedness_is_conserved(g: Goal) -> None:
    """Each W_{l+1}^T W_{l+1} - W_l W_l^T is constant, hence its nuclear norm, hence the maximum over l."""
    _, _, steps, flow, largest, _ = g.intro()

    def each(g: Goal) -> None:
        g.fix("l")
        g.split_all(g.assume())

        def still(g: Goal) -> None:
            g.fix("u")
            g.assume()
            upper, lower = g.apply(flow, "l + 1", "u"), g.apply(flow, "l", "u")
            q = g.split(g.apply(steps, "l", "u"))[0]
            p = g.split(g.apply(steps, "l + 1", "u"))[1]
            g.nc(rw=[upper, lower, q, p])

        h = g.by_fact("constant_matrix", "m", "m", 0, f"lam t:R. {GAP.format('t')}", by=[None, still])
        g.ctx(lambda g: g.close_by(g.apply(h, "t")))

    same = g.have(f"all l:Z. 1 <= l and l <= L - 1 => nuc({GAP.format('t')}) = nuc({GAP.format('0')})", each)
    now, then = g.split(g.apply(largest, "t")), g.split(g.apply(largest, 0))

    def at_most(g: Goal, here: list[str], there: list[str], sign: int) -> None:
        *_, value = g.obtain(here[1], "l")
        k = g.apply(there[0], "l")
        s = g.apply(same, "l")
        g.pos([f"@{k}"], eqs=[(value, 1), (s, -sign)])

    g.antisym(lambda g: at_most(g, now, then, 1), lambda g: at_most(g, then, now, -1))
