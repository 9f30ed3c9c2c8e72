"""Appendix B: expansions along the lift (58) of a direction, and second-order stationary layers."""

from __future__ import annotations

from proofs.eftekhari2022.row_span_projection import PENROSE
from proofs.eftekhari2022.stationary_pairs import INNER as INNER_GAP
from proofs.eftekhari2022.stationary_pairs import WHOLE as FORM_IN_ALL_DIRECTIONS
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted

LEMMA = "eftekhari2022.lemma-4-sosp"
INNER = """all x y m n r:Z, X:M(x,m), Y:M(y,m), A:M(n,x), B:M(y,n), M:M(n,r), L:M(r,n), K:M(y,r), Q:M(r,x), W:M(y,x).
       0 <= x => 0 <= y => 1 <= r => K = B @ M => Q = L @ A => W = K @ Q => rank(W) = r =>"""
READING = (
    "A = W_1 and B = W_N, M and L are the products of the layers j_0+1..N-1 and 2..j_0 for a layer of width r strictly between (for N = 2 the"
    " cut leaves identities); K and Q stand for P and Q. Of the stationarity of the layers only the first and the last are used, in which the"
    " lift (58) moves"
)


def half(residual: str) -> str:
    """Half the squared Frobenius norm."""
    return f"(tr(T({residual}) @ ({residual}))/2)"


def layers(e: str, f: str, u: str = "u") -> str:
    """L_N with the last layer moved by u e and the first by u f."""
    return half(f"Y - (B + {u}*{e}) @ M @ L @ (A + {u}*{f}) @ X")


def pair(k: str, q: str) -> str:
    """L_2 at a pair."""
    return half(f"Y - ({k}) @ ({q}) @ X")


STATIONARY = f"(all E:M(y,n), F:M(n,x). D(u, {layers('E', 'F')}, 0) = 0)"
CONVEX = f"(all E:M(y,n), F:M(n,x). 0 <= D(s, D(u, {layers('E', 'F')}, s), 0))"
LIFT = ("(D1 @ R @ B)", "(A @ S @ D2)")
"""The lift (58) of (D1, D2); R and S are inverses R K = I and Q S = I."""
LIFTED = layers(*LIFT)
MOVED = pair("K + u*D1", "Q + u*D2")
CUT = """all x y m n r:Z, X:M(x,m), Y:M(y,m), A:M(n,x), B:M(y,n), M:M(n,r), L:M(r,n), K:M(y,r), Q:M(r,x), R:M(r,y), S:M(x,r).
       K = B @ M => Q = L @ A => R @ K = I(r) => Q @ S = I(r) =>"""
DIRECTIONS = "all D1:M(y,r), D2:M(r,x)."


@holds(
    "eftekhari2022.eq-60",
    f"""all x y m r:Z, X:M(x,m), Y:M(y,m), K D1:M(y,r), Q D2:M(r,x). all u:R.
       {MOVED} = {pair("K", "Q")} - u*tr(T(Y - K @ Q @ X) @ ((D1 @ Q + K @ D2) @ X))
         + u^2*({half("(D1 @ Q + K @ D2) @ X")} - tr(T(Y - K @ Q @ X) @ (D1 @ D2 @ X)))
         + (u^3*tr(T((D1 @ Q + K @ D2) @ X) @ (D1 @ D2 @ X)) + u^4*{half("D1 @ D2 @ X")})""",
    argument="sound",
    reading="K stands for P, along the line u (D1, D2); the o-term is written out, it has degree 3 and 4. As in the text the last but one term"
    " holds all terms of second order, which is half the second derivative",
)
def expansion_of_the_pair(g: Goal) -> None:
    """(K + u D1)(Q + u D2) = K Q + u (D1 Q + K D2) + u^2 D1 D2."""
    g.fix()
    g.fix("u")
    g.field()


def same_loss(g: Goal, p: str, q: str, left: str, right: str, e: str, f: str, k: str, z: str, u: str = "u") -> str:
    """Adds that L_N along the lift (e, f) is L_2 at (k, z)."""
    whole = g.have(
        f"Y - (B + {u}*{e}) @ M @ L @ (A + {u}*{f}) @ X = Y - ({k}) @ ({z}) @ X", lambda g: lifted_product(g, p, q, left, right)
    )
    return g.have(f"{layers(e, f, u)} = {pair(k, z)}", lambda g: (g.rewrite(whole), g.refl())[-1])


def lifted_product(g: Goal, p: str, q: str, left: str, right: str) -> None:
    """B M L A = K Q, R K = I and Q S = I."""
    product = g.have("B @ M @ L @ A = K @ Q", lambda g: g.nc((p, -1, None, "L @ A"), (q, -1, "K", None)))
    u = "u" if "u" in g.seq.ctx else "0"
    g.nc(
        (product, -1, None, "X"),
        (product, f"-{u}", "D1 @ R", "X"),
        (product, f"-{u}", None, "S @ D2 @ X"),
        (product, f"-{u}^2", "D1 @ R", "S @ D2 @ X"),
        (left, f"-{u}", "D1", "Q @ X"),
        (right, f"-{u}", "K", "D2 @ X"),
        (left, f"-{u}^2", "D1", "Q @ S @ D2 @ X"),
        (right, f"-{u}^2", "D1", "D2 @ X"),
    )


@holds(
    "eftekhari2022.eq-63",
    f"{CUT} {DIRECTIONS} all u:R. {MOVED} = {LIFTED}",
    argument="sound",
    reading=f"on the whole line u (D1, D2); u = 1 is (63). R and S stand for the pseudo-inverses of P and Q, of which R K = I and Q S = I are"
    f" used; {READING}",
)
def losses_agree_along_the_lift(g: Goal) -> None:
    """The perturbed products are equal."""
    p, q, left, right = g.intro(split=False)
    h = same_loss(g, p, q, left, right, *LIFT, "K + u*D1", "Q + u*D2")
    g.field((h, -1))


def agree(g: Goal, p: str, q: str, left: str, right: str) -> tuple[str, str]:
    """Adds that the first and second derivatives at 0 of L_2 and of L_N along the lift agree."""

    def every(g: Goal) -> None:
        g.fix("u")
        g.assume()
        h = same_loss(g, p, q, left, right, *LIFT, "K + u*D1", "Q + u*D2")
        g.field((h, -1))

    k = g.fact("derivative_agrees", "-1", f"lam u:R. {MOVED}", f"lam u:R. {LIFTED}")
    first = g.apply(k, by=[None, every], n=2)
    zero = g.apply(first, "0")

    def slopes(g: Goal) -> None:
        g.fix("s")
        now = g.assume()
        g.close_by(g.apply(first, "s", by=[using(now)]))

    k = g.fact("derivative_agrees", "-1", f"lam s:R. D(u, {MOVED}, s)", f"lam s:R. D(u, {LIFTED}, s)")
    second = g.apply(g.apply(k, by=[None, slopes], n=2), "0")
    return zero, second


SLOPE, SLOPE_LIFTED = f"D(u, {MOVED}, 0)", f"D(u, {LIFTED}, 0)"
BEND, BEND_LIFTED = f"D(s, D(u, {MOVED}, s), 0)", f"D(s, D(u, {LIFTED}, s), 0)"


@holds(
    "eftekhari2022.eq-64",
    f"{CUT} {STATIONARY} => {DIRECTIONS} {SLOPE} = {SLOPE_LIFTED} and {SLOPE_LIFTED} = 0",
    argument="sound",
    reading=READING,
)
def slopes_agree_and_vanish(g: Goal) -> None:
    """Functions that agree have the same derivative."""
    *known, flat = g.intro(split=False)
    first, _ = agree(g, *known)
    zero = g.apply(flat, *LIFT)
    g.conj(using(first), using(zero))


SECOND_TERMS = f"({half('(D1 @ Q + K @ D2) @ X')} - tr(T(Y - K @ Q @ X) @ (D1 @ D2 @ X)))"


@refuted(
    "eftekhari2022.eq-65",
    f"{CUT} rank(K @ Q) = r => {STATIONARY} => {DIRECTIONS} {SECOND_TERMS} = {BEND_LIFTED}",
    argument="fails",
    reading="with the conventions of (51), where the second derivative of L_N has the factor 1/2, and (60), where that of L_2 has none and"
    " stands for all terms of second order",
    readings=[("both sides are second derivatives", "holds", "derivatives")],
    reason="matching (51) with (60) gives half the right side: all matrices 1 x 1 and equal to 1, Delta_P = 1, Delta_Q = 0, where the left side"
    " is 1/2 and the right side 1",
)
def half_is_missing(g: Goal) -> None:
    """All factors are 1."""
    one = "[[1]]"
    g.witness(*["1"] * 5, *[one] * 10)

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif c[0] == "all":
            g.fix()
            g.field()
        elif c[0] == "ex":
            g.witness(one, "[[0]]")
            eq = g.contra()
            g.pos(["1/2"], eqs=[(eq, 1)])
        elif "rank" in str(c):
            g.compute()
        elif c[0] == "=":
            g.ext(lambda g: g.field())
        else:
            g.auto()

    close(g)


SAME_SECOND = f"{CUT} {DIRECTIONS} {BEND} = {BEND_LIFTED} and {BEND} = 2*{SECOND_TERMS}"


@part("eftekhari2022.eq-65", "derivatives", SAME_SECOND, says="The second derivatives of both losses agree.")
def second_derivatives_agree(g: Goal) -> None:
    """Functions that agree have the same second derivative."""
    known = g.intro(split=False)
    _, second = agree(g, *known)
    g.conj(using(second), lambda g: g.field())


@amendment(
    "eftekhari2022.eq-65",
    SAME_SECOND,
    says="The second derivatives agree, and are twice the terms of second order in (60).",
)
def second_derivatives_are_twice_the_terms(g: Goal) -> None:
    """See the part."""
    g.close_by(g.lemma("eftekhari2022.eq-65", "part:derivatives"))


@holds(
    "eftekhari2022.eq-66",
    f"{CUT} {CONVEX} => {DIRECTIONS} {BEND} = {BEND_LIFTED} and 0 <= {BEND_LIFTED}",
    argument="sound",
    reading=f"second derivatives on both sides; the factor of (65) does not change the sign. {READING}",
    uses=["eftekhari2022.eq-65"],
)
def second_order_condition_transfers(g: Goal) -> None:
    """The lift is one of the directions of the layers."""
    *known, convex = g.intro(split=False)
    h = g.lemma("eftekhari2022.eq-65", "amendment", *("x", "y", "m", "n", "r", *"XYABMLKQRS"), by=[using(k) for k in known])
    same = g.split(g.apply(h, "D1", "D2"))[0]
    g.conj(using(same), using(g.apply(convex, *LIFT)))


FIRST_ORDER = f"{INNER_GAP} @ T(Q @ X) = O(y,r) and T(K) @ {INNER_GAP} = O(r,m)"
PAIR_FIRST = (
    f"""(all D1:M(y,r). D(u, {pair("K + u*D1", "Q")}, 0) = 0) and (all D2:M(r,x). D(u, {pair("K", "Q + u*D2")}, 0) = 0)"""
)
PAIR_SECOND = f"(all D1:M(y,r), D2:M(r,x). 0 <= {BEND})"


@holds(
    LEMMA,
    f"{INNER} {STATIONARY} => {CONVEX} => {PAIR_FIRST} and {PAIR_SECOND}",
    argument="sound",
    reading=READING,
    uses=["eftekhari2022.eq-54", "eftekhari2022.eq-64", "eftekhari2022.eq-66", "eftekhari2022.lemma-4-fosp"],
)
def second_order_layers_give_a_second_order_pair(g: Goal) -> None:
    """P and Q have rank r and so one-sided inverses; (64) and (66)."""
    names = g.intro(split=False)
    p, q, w, rank, flat, convex = names[3:9]
    both = g.split(
        g.lemma("eftekhari2022.eq-54", "statement", "x", "y", "r", "W", "K", "Q", by=[None, None, None, using(w), using(rank)])
    )
    left_rank = g.have("rank(K) = r", lambda g: g.field((both[1], -1), (rank, 1)))
    left = g.lemma("eftekhari2022.lemma-4-fosp", "part:left-inverse", "y", "r", "K", by=[None, None, using(left_rank)])
    left = g.obtain(left, "R")[0]
    right = g.lemma("eftekhari2022.lemma-4-fosp", "part:right-inverse", "x", "r", "Q", by=[None, None, using(both[3])])
    right = g.obtain(right, "S")[0]
    terms = ("x", "y", "m", "n", "r", *"XYABMLKQRS")
    known = [using(k) for k in (p, q, left, right)]
    slopes = g.lemma("eftekhari2022.eq-64", "statement", *terms, by=[*known, using(flat)])
    bends = g.lemma("eftekhari2022.eq-66", "statement", *terms, by=[*known, using(convex)])

    def first(row: bool) -> Script:
        def script(g: Goal) -> None:
            (d,) = g.fix()
            one, two = (d, "O(r,x)") if row else ("O(y,r)", d)
            a, b = g.split(g.apply(slopes, one, two))
            g.field((a, 1), (b, 1))

        return script

    def second(g: Goal) -> None:
        g.fix("D1", "D2")
        a, b = g.split(g.apply(bends, "D1", "D2"))
        g.pos([f"@{b}"], eqs=[(a, 1)])

    g.conj(first(True), first(False), second)


@holds(
    "eftekhari2022.lemma-6-sosp",
    f"""all x y m n r:Z, X:M(x,m), G:M(m,x), Y:M(y,m), A:M(n,x), B:M(y,n), M:M(n,r), L:M(r,n), K:M(y,r), Q:M(r,x), W:M(y,x).
       {PENROSE} det(X @ T(X)) != 0 => 0 <= x => 0 <= y => 1 <= r => K = B @ M => Q = L @ A => W = K @ Q => rank(W) = r =>
       {STATIONARY} => {CONVEX} => K @ (Q @ X) = W @ X and {FIRST_ORDER} and ({FORM_IN_ALL_DIRECTIONS})""",
    argument="repaired",
    reason="by Lemma 5, whose printed proof is repaired",
    reading=f"G is the pseudo-inverse of X and Q' = Q X; second-order stationarity for (12) as the form of its second derivative, see Lemma 5."
    f" {READING}",
    uses=[LEMMA, "eftekhari2022.lemma-5-fosp", "eftekhari2022.lemma-5-sosp"],
)
def second_order_layers_give_a_second_order_approximation(g: Goal) -> None:
    """Lemma 4 and Lemma 5."""
    names = g.intro(split=False)
    penrose, regular, rest = names[:4], names[4], names[5:]
    h = g.lemma(LEMMA, "statement", *("x", "y", "m", "n", "r", *"XYABMLKQW"), by=[using(k) for k in rest])
    rows, columns, convex = g.split(h)
    terms = ("x", "y", "m", "r", *"XGYKQ")
    known = [using(k) for k in (*penrose, regular)]
    first = g.lemma("eftekhari2022.lemma-5-fosp", "statement", *terms, by=[*known, using(rows), using(columns)])
    second = g.lemma("eftekhari2022.lemma-5-sosp", "statement", *terms, by=[*known, using(convex)])
    a, b = g.split(first)
    g.conj(lambda g: g.nc((rest[5], -1, None, "X")), using(a), using(b), using(second))
