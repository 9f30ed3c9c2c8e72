"""Appendices B and C: first- and second-order stationary pairs of (10b) and of (12)."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.row_span_projection import PENROSE, READING, P
from proofs.eftekhari2022.theorem_twenty import closed, nested
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import amendment, holds, refuted

NAMES = f"K and Q stand for P and Q, R for Q'; {READING}"
PAIR = f"all x y m r:Z, X:M(x,m), G:M(m,x), Y:M(y,m), K:M(y,r), Q:M(r,x). {PENROSE}"
GAP = "(Y - K @ Q @ X)"


def loss(k: str, q: str) -> str:
    """L_2(K, Q)."""
    return f"(tr(T(Y - ({k}) @ ({q}) @ X) @ (Y - ({k}) @ ({q}) @ X))/2)"


FIRST = f"""(all A:M(y,r). D(e, {loss("K + e*A", "Q")}, 0) = 0) => (all B:M(r,x). D(e, {loss("K", "Q + e*B")}, 0) = 0) =>"""
"""First-order stationarity for (10b)."""
SECOND = f"(all A:M(y,r), B:M(r,x). 0 <= D(e, D(h, {loss('K + h*A', 'Q + h*B')}, e), 0)) =>"
"""The second derivative along every direction is not negative."""

ROW, COLUMN = f"{GAP} @ T(X) @ T(Q) = O(y,r)", f"T(K) @ {GAP} @ T(X) = O(r,x)"
INNER = f"(Y @ {P} - K @ (Q @ X))"


def stationary(g: Goal, left: str, right: str) -> tuple[str, str]:
    """Adds the equations (70): the gradient in either factor vanishes, tested against itself."""
    a, b = f"{GAP} @ T(X) @ T(Q)", f"T(K) @ {GAP} @ T(X)"
    k = g.apply(left, a)
    slope = g.differentiate("e", loss(f"K + e*({a})", "Q"), 0)
    zero = g.have(f"tr(T({a}) @ ({a})) = 0", lambda g: g.field((slope, 1), (k, -1)))
    first = g.by_fact("frobenius_zero", "y", "r", a, by=[using(zero)])
    k2 = g.apply(right, b)
    slope2 = g.differentiate("e", loss("K", f"Q + e*({b})"), 0)
    zero2 = g.have(f"tr(T({b}) @ ({b})) = 0", lambda g: g.field((slope2, 1), (k2, -1)))
    return first, g.by_fact("frobenius_zero", "r", "x", b, by=[using(zero2)])


@holds(
    "eftekhari2022.eq-70",
    f"all x y m r:Z, X:M(x,m), Y:M(y,m), K:M(y,r), Q:M(r,x). {FIRST} {ROW} and {COLUMN}",
    argument="sound",
    reading="a pair is stationary where the directional derivatives of L_2 in each factor vanish; K stands for P",
)
def stationary_pairs_of_the_regression(g: Goal) -> None:
    """Test the derivative with the gradient itself."""
    left, right = g.intro(split=False)
    first, second = stationary(g, left, right)
    g.conj(using(first), using(second))


def moves(g: Goal, own: str, sym: str) -> str:
    """Adds P_X X^T = X^T."""
    return g.have(f"{P} @ T(X) = T(X)", lambda g: projected(g, own, sym))


def projected(g: Goal, own: str, sym: str) -> None:
    """(X G X)^T = X^T."""
    turned = g.have("T(X @ G @ X) = T(X)", lambda g: (g.rewrite(own), g.refl()))
    g.nc((turned, 1, None, None), (sym, -1, None, "T(X)"))


@holds(
    "eftekhari2022.eq-72",
    f"""{PAIR} {ROW} => O(y,r) = {GAP} @ T(X) @ T(Q) and {GAP} @ T(X) @ T(Q) = (Y @ {P} - K @ Q @ X) @ T(X) @ T(Q) and
       (Y @ {P} - K @ Q @ X) @ T(X) @ T(Q) = {INNER} @ T(Q @ X)""",
    argument="sound",
    reading=NAMES,
    context="the first equation of (70) [(70)]",
)
def stationarity_in_the_left_factor(g: Goal) -> None:
    """P_X X^T = X^T."""
    own, _, _, sym, row = g.intro()
    fixed = moves(g, own, sym)
    g.conj(lambda g: g.nc((row, -1, None, None)), lambda g: g.nc((fixed, -1, "Y", "T(Q)")), lambda g: g.nc())


@holds(
    "eftekhari2022.eq-73",
    f"""{PAIR} {COLUMN} => O(r,x) = T(K) @ {GAP} @ T(X) and T(K) @ {GAP} @ T(X) = T(K) @ (Y @ {P} - K @ Q @ X) @ T(X) and
       T(K) @ (Y @ {P} - K @ Q @ X) @ T(X) = T(K) @ {INNER} @ T(X)""",
    argument="sound",
    reading=NAMES,
    context="the second equation of (70) [(70)]",
)
def stationarity_in_the_right_factor(g: Goal) -> None:
    """P_X X^T = X^T."""
    own, _, _, sym, column = g.intro()
    fixed = moves(g, own, sym)
    g.conj(lambda g: g.nc((column, -1, None, None)), lambda g: g.nc((fixed, -1, "T(K) @ Y", None)), lambda g: g.nc())


@holds(
    "eftekhari2022.eq-75",
    f"""{PAIR} det(X @ T(X)) != 0 => T(K) @ {INNER} @ T(X) = O(r,x) =>
       (ex L:M(r,x). Q @ X = L @ X) and T(K) @ {INNER} = O(r,m)""",
    argument="sound",
    reading=f"the rows of Q' lie in the row span of X where Q' = L X; {NAMES}",
    context="as shown there [(73)]",
)
def stationarity_without_the_data(g: Goal) -> None:
    """The rows of Y P_X - K Q' lie in the row span of X, where X^T can be cancelled."""
    own, _, _, sym, _, column = g.intro()
    g.conj(
        lambda g: (g.witness("Q"), g.refl()),
        lambda g: g.nc(
            (column, 1, None, "T(G)"),
            (sym, -1, f"T(K) @ {INNER}", None),
            (own, -1, "T(K) @ Y @ G", None),
            (own, 1, "T(K) @ K @ Q", None),
        ),
    )


@holds(
    "eftekhari2022.lemma-5-fosp",
    f"{PAIR} det(X @ T(X)) != 0 => {FIRST} {INNER} @ T(Q @ X) = O(y,r) and T(K) @ {INNER} = O(r,m)",
    argument="sound",
    reading=f"a pair is stationary where the directional derivatives of L_2 in each factor vanish; {NAMES}",
    uses=["eftekhari2022.eq-72", "eftekhari2022.eq-73", "eftekhari2022.eq-75"],
)
def stationary_pairs_descend(g: Goal) -> None:
    """(70) to (75)."""
    names = g.intro(split=False)
    first, second = stationary(g, names[5], names[6])
    terms = ("x", "y", "m", "r", "X", "G", "Y", "K", "Q")
    given = [using(h) for h in names[:4]]
    row = g.split(g.lemma("eftekhari2022.eq-72", "statement", *terms, by=[*given, using(first)]))
    column = g.split(g.lemma("eftekhari2022.eq-73", "statement", *terms, by=[*given, using(second)]))
    inner = g.have(
        f"T(K) @ {INNER} @ T(X) = O(r,x)",
        lambda g: g.nc((column[2], -1, None, None), (column[1], -1, None, None), (column[0], -1, None, None)),
    )
    last = g.split(g.lemma("eftekhari2022.eq-75", "statement", *terms, by=[*given, using(names[4]), using(inner)]))[1]
    g.conj(
        lambda g: g.nc((row[2], -1, None, None), (row[1], -1, None, None), (row[0], -1, None, None)),
        using(last),
    )


def form(a: str, b: str, r: str, target: str) -> str:
    """The second-order form |A R + K B|^2/2 + <K R - target, A B>, with B already in the row space."""
    return f"(tr(T({a} @ {r} + K @ {b}) @ ({a} @ {r} + K @ {b}))/2 + tr(T(K @ {r} - {target}) @ ({a} @ {b})))"


QX, BX = "(Q @ X)", "(B @ X)"


@holds(
    "eftekhari2022.eq-76",
    f"""{PAIR} {SECOND} all A:M(y,r), B:M(r,x). {form("A", BX, QX, "Y")} = {form("A", BX, QX, f"Y @ {P}")} and
       0 <= {form("A", BX, QX, f"Y @ {P}")}""",
    argument="sound",
    reading=f"the second derivative along (A, B) is twice the form; {NAMES}",
)
def second_order_pairs_of_the_regression(g: Goal) -> None:
    """The second derivative of L_2 along a line, and X P_X = X."""
    own, _, _, sym, second = g.intro(split=False)
    k = g.apply(second, "A", "B")
    slope = g.differentiate("e", f"D(h, {loss('K + h*A', 'Q + h*B')}, e)", 0)
    fixed = g.have(f"{P} @ T(X) = T(X)", lambda g: projected(g, own, sym))
    same = g.have(f"tr(T(Y @ {P}) @ (A @ {BX})) = tr(T(Y) @ (A @ {BX}))", lambda g: inner_product(g, fixed))
    g.conj(lambda g: g.field((same, 1)), lambda g: g.pos(["1/2", f"@{k}"], eqs=[(slope, "-1/2"), (same, -1)]))


def inner_product(g: Goal, fixed: str) -> None:
    """<Y P_X, A B X> = <Y, A B X P_X>."""
    turned = g.have(f"T(Y @ {P} @ T(X)) = T(Y @ T(X))", lambda g: transposed(g, fixed))
    eq = g.have(f"X @ T(Y @ {P}) = X @ T(Y)", lambda g: g.nc((turned, 1, None, None)))
    left = g.have(f"tr(T(Y @ {P}) @ (A @ {BX})) = tr(A @ B @ (X @ T(Y @ {P})))", lambda g: g.field())
    g.rewrite(left)
    g.rewrite(eq)
    g.field()


def transposed(g: Goal, fixed: str) -> None:
    """Y P_X X^T = Y X^T, transposed."""
    eq = g.have(f"Y @ {P} @ T(X) = Y @ T(X)", lambda g: g.nc((fixed, 1, "Y", None)))
    g.ctx(using(eq))


FORM = form("A", "R", QX, f"Y @ {P}")
PAIR_TERMS = ("x", "y", "m", "r", "X", "G", "Y", "K", "Q")
USES = ["eftekhari2022.eq-76"]


def in_the_row_span(g: Goal, names: list[str]) -> str:
    """Adds (78): the form is not negative for matrices R with rows in the row span; `names` are the Penrose conditions and the
    second-order condition."""

    def each(g: Goal) -> None:
        g.fix("M1", "M2")
        inside = g.assume()
        k = g.lemma("eftekhari2022.eq-76", "statement", *PAIR_TERMS, by=[using(h) for h in names])
        h = g.split(g.apply(k, "M1", "M2 @ G"))[1]
        g.replace("M2", "M2 @ G @ X", lambda g: g.nc((inside, -1, None, None)))
        g.exact(h)

    return g.have(f"all M1:M(y,r), M2:M(r,m). M2 @ {P} = M2 => 0 <= {form('M1', 'M2', QX, f'Y @ {P}')}", each)


@holds(
    "eftekhari2022.eq-78",
    f"{PAIR} {SECOND} all A:M(y,r), R:M(r,m). R @ {P} = R => 0 <= {FORM}",
    argument="sound",
    reading=f"the rows of R lie in the row span of X where R P_X = R; {NAMES}",
    uses=USES,
)
def form_in_the_row_span(g: Goal) -> None:
    """(76) with R = (R G) X."""
    names = g.intro(split=False)[:5]
    h = in_the_row_span(g, names)
    g.close_by(g.apply(h, "A", "R"))


def across(g: Goal, own: str, sym: str, outside: str, a: str, r: str) -> tuple[str, str]:
    """For R P_X = 0: adds <A Q X, K R> = 0 and <K Q X - Y P_X, A R> = 0."""
    flat = g.have(f"{r} @ T(X) = O(r,x)", lambda g: orthogonal_rows(g, own, sym, outside, r))
    both = []
    for left in (f"{a} @ {QX}", f"K @ {QX} - Y @ {P}"):
        second = f"K @ {r}" if left.startswith(a) else f"{a} @ {r}"
        product = g.have(f"({second}) @ T({left}) = O(y,y)", lambda g, left=left, second=second: vanishing(g, flat, left, second))
        trace = g.have(f"tr(({second}) @ T({left})) = 0", lambda g, product=product: (g.rewrite(product), g.field()))
        both.append(g.have(f"tr(T({left}) @ ({second})) = 0", lambda g, trace=trace: g.field((trace, 1))))
    return both[0], both[1]


def orthogonal_rows(g: Goal, own: str, sym: str, outside: str, r: str) -> None:
    """R X^T = R (X G X)^T = R G X X^T = 0."""
    fixed = moves(g, own, sym)
    g.nc((outside, 1, None, "T(X)"), (fixed, -1, r, None))


def vanishing(g: Goal, flat: str, left: str, second: str) -> None:
    """M R N^T = 0 where the rows of N lie in the row span."""
    head = second.split(" @ ")[0]
    if "Y" in left:
        g.nc((flat, 1, head, "T(K @ Q)"), (flat, -1, head, "T(Y @ G)"))
    else:
        g.nc((flat, 1, head, f"T({left.split(' @ ')[0]} @ Q)"))


HALF = f"tr(T(A @ {QX}) @ (A @ {QX}))/2"
OUTSIDE = f"all A:M(y,r), R:M(r,m). R @ {P} = O(r,m) =>"
FULL = "tr(T(K @ R) @ (K @ R))"


@refuted(
    "eftekhari2022.eq-80",
    f"{PAIR} {OUTSIDE} {FORM} = {HALF} + {FULL} and 0 <= {HALF} + {FULL}",
    reason="the last term lacks its factor 1/2: x = y = r = 1, m = 2, X = (1, 0), K = 1, Delta_P = 0, Delta_Q' = (0, 1) give 1/2 and 1",
    reading=f"the rows of R are orthogonal to the row span of X where R P_X = 0; {NAMES}",
)
def orthogonal_directions_lack_a_factor(g: Goal) -> None:
    """One row of data."""
    g.witness("1", "1", "2", "1", "[[1,0]]", "[[1],[0]]", "[[0,0]]", "[[1]]", "[[0]]")

    def last(g: Goal) -> None:
        g.witness("[[0]]", "[[0,1]]")
        g.conj(closed, end)

    def end(g: Goal) -> None:
        g.left_or_right(0)
        g.have("1/2 != 1")
        left, right = g.concl[1], g.concl[2]
        a = g.have(("=", left, ("q", 1, 2)), lambda g: g.field())
        b = g.have(("=", right, 1), lambda g: g.field())
        g.rewrite(a)
        g.rewrite(b)
        g.auto()

    nested(g, closed, closed, closed, closed, last)


@amendment(
    "eftekhari2022.eq-80",
    f"{PAIR} {OUTSIDE} {FORM} = {HALF} + {FULL}/2 and 0 <= {HALF} + {FULL}/2",
    says="with the factor 1/2 in both terms",
)
def form_for_orthogonal_directions(g: Goal) -> None:
    """The cross terms vanish."""
    own, _, _, sym, outside = g.intro(split=False)
    first, second = across(g, own, sym, outside, "A", "R")
    g.conj(lambda g: g.field((first, 1), (second, 1)), None)


WHOLE = f"all A:M(y,r), R:M(r,m). 0 <= {FORM}"


def all_directions(g: Goal) -> None:
    """R = R P_X + R P_{X^perp}: the form is the sum of its values at (A, R P_X) and half a square."""
    names = g.intro(split=False)
    own, sym = names[0], names[3]
    inside = in_the_row_span(g, [*names[:4], names[-1]])
    inner, outer = f"(R @ {P})", f"(R - R @ {P})"
    kept = g.have(f"{inner} @ {P} = {inner}", lambda g: g.nc((own, 1, "R @ G", None)))
    h = g.apply(inside, "A", inner, by=[lambda g: g.nc((kept, 1, None, None))])
    gone = g.have(f"{outer} @ {P} = O(r,m)", lambda g: g.nc((own, -1, "R @ G", None)))
    first, second = across(g, own, sym, gone, "A", outer)
    flat = g.have(f"{outer} @ T(X) = O(r,x)", lambda g: orthogonal_rows(g, own, sym, gone, outer))
    product = g.have(
        f"(K @ {outer}) @ T(K @ {inner}) = O(y,y)",
        lambda g: g.nc(
            (flat, 1, "K", "T(G) @ T(R) @ T(K)"), (sym, -1, f"K @ {outer}", "T(K @ R)"), (sym, 1, f"K @ {outer}", "T(K @ R)")
        ),
    )
    trace = g.have(f"tr((K @ {outer}) @ T(K @ {inner})) = 0", lambda g: (g.rewrite(product), g.field()))
    cross = g.have(f"tr(T(K @ {inner}) @ (K @ {outer})) = 0", lambda g: g.field((trace, 1)))
    d = g.obtain(
        g.have(f"ex M:M(r,m), N:M(r,m). M = {inner} and N = {outer}", lambda g: (g.witness(inner, outer), g.auto())), "M", "N"
    )
    letters = [
        g.have(f"{text} = {x}", lambda g, k=k: g.nc((k, -1, None, None)))
        for text, x, k in ((outer, "N", d[1]), (inner, "M", d[0]))
    ]
    h, first, second, cross = (g.rewritten(g.rewritten(k, letters[0]), letters[1]) for k in (h, first, second, cross))
    total = g.have("R = M + N", lambda g: g.nc((d[0], -1, None, None), (d[1], -1, None, None)))
    g.rewrite(total)
    g.pos([f"@{h}"], ["1/2", size("K @ N")], eqs=[(first, 1), (second, 1), (cross, 1)])


@holds(
    "eftekhari2022.eq-81",
    f"{PAIR} {SECOND} {WHOLE}",
    argument="repaired",
    reason="(78) and (80) treat directions inside and orthogonal to the row span; for their sum the cross terms vanish as well",
    reading=NAMES,
    uses=USES,
)
def form_in_all_directions(g: Goal) -> None:
    """See the helper."""
    all_directions(g)


@holds(
    "eftekhari2022.lemma-5-sosp",
    f"{PAIR} det(X @ T(X)) != 0 => {SECOND} {WHOLE}",
    argument="repaired",
    reason="(78) and (80) treat directions inside and orthogonal to the row span; for their sum the cross terms vanish as well",
    reading=f"second-order stationarity is that of the second derivatives along lines; {NAMES}",
    uses=USES,
)
def second_order_pairs_descend(g: Goal) -> None:
    """See the helper; the data need not have full rank."""
    all_directions(g)
