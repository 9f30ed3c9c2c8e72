"""Appendix G.1, (36) to (42): the solution as an exponential of the block matrix, and the four blocks."""

from __future__ import annotations

from proofs.shin2025.disconnected_flow import (
    BLOCKS,
    exponential,
    inside,
    pattern,
    position,
    structured,
)
from proofs.shin2025.disconnected_solution import DEF, is_all, last, named
from proofs.shin2025.disconnected_structure import STRUCTURE, in_range, maps
from verify.kernel import Goal
from verify.registry import amendment, holds, part

EXPONENTIAL = "shin2025.eq-38"
BLOCK_SETTING = f"1 <= n => {pattern()} => {structured('M', 'r(p)')} => {exponential('M')}"
BLOCK_VARIABLES = f"all n:Z, i j:Z->Z, r:Z->R, M:M(n*n,n*n), {BLOCKS}"
U, V = position("p", "q"), position("q", "j(p)")


# ---------------------------------------------------------------------- the exponential of the structured block matrix


def shape(g: Goal) -> str:
    return named(g, lambda f: is_all(f, "p", "q", "c"))


def picks(g: Goal, which: str, x: str, columns: str) -> str:
    return g.lemma(STRUCTURE, f"part:{which}", "n", "i", "j", "r", "M", columns, x)


@part(
    EXPONENTIAL,
    "action",
    f"""{BLOCK_VARIABLES}, m:Z, X Y:M(n*n,m). {BLOCK_SETTING} => all s:R, p q c:Z. 0 <= s => {inside("p", "q")} =>
        (Cb(s) @ X + Db(s) @ Y)[{U},c] = X[{U},c]*cosh(r(p)*s) - Y[{V},c]*sinh(r(p)*s) and
        (Eb(s) @ X + Fb(s) @ Y)[{V},c] = Y[{V},c]*cosh(r(p)*s) - X[{U},c]*sinh(r(p)*s)""",
    says="the exponential rotates the places (p, q) and (q, j(p)) into one another by r(p)",
    uses=[DEF, STRUCTURE],
)
def exponential_acts_in_pairs(g: Goal) -> None:
    """Along s the two places move in a pair, at the rate r(p)."""
    g.intro()
    equations = named(g, lambda f: is_all(f, "s"))
    starts = [h for h, f in g.seq.hyps.items() if f[0] == "=" and f[1][0] == "call" and f[1][2:] == (0,)]
    inverse = maps(g, "p")[4]
    x, y = "(Cb(s) @ X + Db(s) @ Y)", "(Eb(s) @ X + Fb(s) @ Y)"

    def moves(k: Goal) -> None:
        k.intro()
        t = last(k)
        es = k.split(k.apply(equations, t))
        xt, yt = x.replace("(s)", f"({t})"), y.replace("(s)", f"({t})")

        def matrix(z: Goal, body: str, value: str) -> str:
            return z.have(
                f"D(s, {body}, {t}) = {value}",
                lambda c: c.nc(
                    *[(h, "1", None, "X" if n in (0, 2) else "Y") for n, h in enumerate(es) if (n < 2) == (body == x)]
                ),
            )

        def first(z: Goal) -> None:
            d = matrix(z, x, f"-(M @ {yt})")
            e = z.have(f"D(s, {body_entry(x, U)}, {t}) = (-(M @ {yt}))[{U},c]", lambda c: by_derivative(c, d, U))
            m = z.apply(picks(z, "row", yt, "m"), "p", "q", "c")
            z.field((e, "1"), (m, "-1"))

        def second(z: Goal) -> None:
            d = matrix(z, y, f"-(T(M) @ {xt})")
            e = z.have(f"D(s, {body_entry(y, V)}, {t}) = (-(T(M) @ {xt}))[{V},c]", lambda c: by_derivative(c, d, V))
            m = z.rewritten(z.apply(picks(z, "column", xt, "m"), "q", "j(p)", "c"), inverse)
            z.field((e, "1"), (m, "-1"))

        k.conj(first, second)

    def body_entry(body: str, at: str) -> str:
        return f"{body}[{at},c]"

    def by_derivative(c: Goal, d: str, at: str) -> None:
        """The derivative of an entry is the entry of the derivative."""
        inner = c.hyp_formula(d)[1]
        e = c.have(("=", c.concl[1], ("entry", inner, c.term(at), "c")), lambda z: z.field())
        c.rewrite(e)
        c.rewrite(d)
        c.refl()

    h = g.lemma(
        DEF, "part:pair", f"lam s:R. {body_entry(x, U)}", f"lam s:R. {body_entry(y, V)}", "lam s:R. r(p)*s", by=[moves, None]
    )
    at_s = g.split(g.apply(h, "s"))
    zero = {b: g.have(f"{b.replace('(s)', '(0)')} = {v}", lambda k, h=hs: k.nc(*h)) for b, v, hs in (
        (x, "X", [(starts[0], "1", None, "X"), (starts[1], "1", None, "Y")]),
        (y, "Y", [(starts[2], "1", None, "X"), (starts[3], "1", None, "Y")]),
    )}  # fmt: skip
    out = []
    for e in at_s:
        for z in zero.values():
            e = g.rewritten(e, z)
        out.append(e)
    g.conj(*[lambda k, e=e: k.close_by(e) for e in out])


@part(
    EXPONENTIAL,
    "entries",
    f"""{BLOCK_VARIABLES}. {BLOCK_SETTING} => all p q c:Z. {inside("p", "q")} =>
        Cb(1)[{U},c] = cosh(r(p))*I(n*n)[{U},c] and Db(1)[{U},c] = -sinh(r(p))*I(n*n)[{V},c] and
        Eb(1)[{V},c] = -sinh(r(p))*I(n*n)[{U},c] and Fb(1)[{V},c] = cosh(r(p))*I(n*n)[{V},c]""",
    says="the entries of the exponential",
)
def entries_of_the_exponential(g: Goal) -> None:
    """The action on the identity in either half."""
    g.intro()
    one, zero = "I(n*n)", "O(n*n,n*n)"
    found: dict[str, str] = {}
    for x, y, first, second in ((one, zero, "Cb", "Eb"), (zero, one, "Db", "Fb")):
        h = g.lemma(
            EXPONENTIAL,
            "part:action",
            "n",
            "i",
            "j",
            "r",
            "M",
            "Cb",
            "Db",
            "Eb",
            "Fb",
            "n*n",
            x,
            y,
            by=[None, None, None, exponential_again],
        )
        pair = g.split(g.apply(h, "1", "p", "q", "c"))
        for name, e, a, b in ((first, pair[0], "Cb", "Db"), (second, pair[1], "Eb", "Fb")):
            block = g.have(f"{a}(1) @ {x} + {b}(1) @ {y} = {name}(1)", lambda k: k.nc())
            found[name] = g.rewritten(e, block)
    g.conj(*[lambda k, b=b: k.field((found[b], "1")) for b in ("Cb", "Db", "Eb", "Fb")])


def exponential_again(g: Goal) -> None:
    """The equations of the exponential as the premise of an earlier statement."""

    def equations(k: Goal) -> None:
        k.intro()
        h = k.apply(named(k, lambda f: is_all(f, "s")), last(k))
        k.conj(*[lambda q, e=e: q.nc((e, "1", None, None)) for e in k.split(h)])

    g.conj(None, None, None, None, equations)


def block_entries(g: Goal, p: str, q: str, c: str) -> list[str]:
    h = g.lemma(
        EXPONENTIAL, "part:entries", "n", "i", "j", "r", "M", "Cb", "Db", "Eb", "Fb", by=[None, None, None, exponential_again]
    )
    return g.split(g.apply(h, p, q, c))


PLACES = "1 <= u and u <= n*n and 1 <= v and v <= n*n"


def diagonal(value: str) -> str:
    """Z is diagonal, with this value at the place (p, q)."""
    return f"""(all p q c:Z. {inside("p", "q")} and 1 <= c and c <= n*n => Z[{U},{U}] = {value} and (c != {U} => Z[{U},c] = 0))"""


def block(conclusion: str, *more: str) -> str:
    variables = BLOCK_VARIABLES + (", Z:M(n*n,n*n)" if more else "")
    return f"{variables}. {BLOCK_SETTING} => {''.join(x + ' => ' for x in more)}all u v:Z. {PLACES} => {conclusion}"


BLOCK_CONTEXT = (

        "the structure (35) with any values r(p) for the integrals of the residuals [Appendix G.1]; the blocks are those "
        "of the exponential in (38) [(38)]"

)


def decomposed(g: Goal, u: str, a: str, b: str) -> str:
    """u is the place of the entry (a, b)."""
    return g.obtain(g.apply(g.lemma(STRUCTURE, "part:place"), "n", u), a, b)[-1]


@holds(
    "shin2025.def-block-d",
    block("Db(1)[u,v] = -sinh(M[u,v])"),
    uses=[EXPONENTIAL, STRUCTURE],
    argument="sound",
    reading="the upper right block of the exponential of - [[0, R], [R^T, 0]] is minus sinh, entry by entry, of "
    "the bracket, which is R",
    context=BLOCK_CONTEXT,
)
def upper_right_block(g: Goal) -> None:
    """In row (a, b) the only entry that is not 0 is at the place (b, j(a))."""
    g.intro()
    place = decomposed(g, "u", "a", "b")
    maps(g, "a")
    g.rewrite(place)
    in_range(g, "b", "j(a)")
    d = block_entries(g, "a", "b", "v")[1]
    at, other = g.split(g.apply(shape(g), "a", "b", "v"))
    v = position("b", "j(a)")

    def hit(k: Goal) -> None:
        k.rewrite("same")
        e = k.rewritten(d, "same")
        k.rewrite(at)
        k.field((e, "1"))

    def miss(k: Goal) -> None:
        z = k.apply(other)
        k.rewrite(z)
        different = k.have(
            f"{v} != v", lambda q: (q.contra("eq"), q.clash(q.have(f"v = {v}", lambda c: c.field(("eq", "-1"))), "same"))
        )
        one = k.have(f"I(n*n)[{v},v] = 0", lambda q: q.field())
        del different
        k.field((d, "1"), (one, "-sinh(r(a))"))

    g.em(f"v = {v}", hit, miss, name="same")


DIAGONAL_BLOCK = "{b}(1)[u,u] = cosh(Z[u,u]) and (u != v => {b}(1)[u,v] = 0)"


def _diagonal_block(g: Goal, which: int) -> None:
    """C (0) or F (3): cosh of the diagonal, and 0 off the diagonal."""
    g.intro()
    place = decomposed(g, "u", "a", "b")
    z = [h for h, f in g.seq.hyps.items() if is_all(f, "p", "q", "c")][1]
    p, q = ("a", "b") if which == 0 else ("i(b)", "a")
    at = maps(g, "a" if which == 0 else "b")
    on = g.split(g.apply(z, "a", "b", "u", by=[lambda k: k.auto()]))[0]

    def entry(k: Goal, c: str) -> str:
        e = block_entries(k, p, q, c)[which]
        return e if which == 0 else k.rewritten(e, at[5])

    def diagonal_entry(k: Goal) -> None:
        e = entry(k, "u")
        back = k.have(f"{position('a', 'b')} = u", lambda c: c.field((place, "-1")))
        e, v = k.rewritten(e, back), k.rewritten(on, back)
        k.rewrite(v)
        k.field((e, "1"))

    def off(k: Goal) -> None:
        h = k.assume()
        e = entry(k, "v")
        back = k.have(f"{position('a', 'b')} = u", lambda c: c.field((place, "-1")))
        e = k.rewritten(e, back)
        k.field((e, "1"))
        del h

    g.conj(diagonal_entry, off)


SAYS_COSH = "cosh of the diagonal matrix (cosh of the entries on the diagonal, 0 elsewhere), not entry by entry"


DEF_BLOCK_C = block(DIAGONAL_BLOCK.format(b="Cb"), diagonal("r(p)"))


@part("shin2025.def-block-c", "on-the-diagonal", DEF_BLOCK_C, says=SAYS_COSH, uses=[EXPONENTIAL, STRUCTURE])
def upper_left_block(g: Goal) -> None:
    """The place (p, q) is multiplied by cosh r(p)."""
    _diagonal_block(g, 0)


@amendment("shin2025.def-block-c", DEF_BLOCK_C, says=SAYS_COSH)
def upper_left_block_amended(g: Goal) -> None:
    """See the reading."""
    g.close_by(g.lemma("shin2025.def-block-c", "part:on-the-diagonal"))


DEF_BLOCK_F = block(DIAGONAL_BLOCK.format(b="Fb"), diagonal("r(i(q))"))


@part("shin2025.def-block-f", "on-the-diagonal", DEF_BLOCK_F, says=SAYS_COSH, uses=[EXPONENTIAL, STRUCTURE])
def lower_right_block(g: Goal) -> None:
    """The place (q, j(p)) is multiplied by cosh r(p)."""
    _diagonal_block(g, 3)


@amendment("shin2025.def-block-f", DEF_BLOCK_F, says=SAYS_COSH)
def lower_right_block_amended(g: Goal) -> None:
    """See the reading."""
    g.close_by(g.lemma("shin2025.def-block-f", "part:on-the-diagonal"))


@amendment(
    "shin2025.def-block-e",
    block("Eb(1)[u,v] = -sinh(M[v,u])"),
    says="with the transposed bracket: E = D^T",
    uses=[EXPONENTIAL, STRUCTURE],
)
def lower_left_block(g: Goal) -> None:
    """In row (a, b) the only entry that is not 0 is at the place (i(b), a)."""
    g.intro()
    place = decomposed(g, "u", "a", "b")
    at_b = maps(g, "b")
    in_range(g, "i(b)", "a")
    in_range(g, "a", "b")
    g.rewrite(place)
    e = g.rewritten(block_entries(g, "i(b)", "a", "v")[2], at_b[5])
    w, u = position("i(b)", "a"), position("a", "b")
    on = g.rewritten(g.split(g.apply(shape(g), "i(b)", "a", w))[0], at_b[5])

    def hit(k: Goal) -> None:
        k.rewrite("same")
        x = k.rewritten(e, "same")
        k.rewrite(on)
        k.field((x, "1"))

    def miss(k: Goal) -> None:
        k.have(f"{w} != v", lambda q: (q.contra("eq"), q.clash(q.have(f"v = {w}", lambda c: c.field(("eq", "-1"))), "same")))
        one = k.have(f"I(n*n)[{w},v] = 0", lambda q: q.field())
        there = decomposed(k, "v", "x", "y")
        at_x = maps(k, "x")
        other = k.split(k.apply(shape(k), "x", "y", u))[1]

        def unequal(q: Goal) -> None:
            eq = q.contra()
            both = q.split(
                q.apply(q.lemma(STRUCTURE, "part:place-unique"), "n", "a", "b", "y", "j(x)", by=[None, lambda c: c.close_by(eq)])
            )
            x = q.have("i(b) = x", lambda c: (c.rewrite(both[1]), c.close_by(at_x[4])))
            q.clash(q.have(f"v = {w}", lambda c: (c.rewrite(there), c.rewrite(x), c.rewrite(both[0]), c.refl())), "same")

        z = k.apply(other, by=[unequal])
        m = k.have(f"M[v,{u}] = 0", lambda q: (q.rewrite(there), q.close_by(z)))
        k.rewrite(m)
        k.field((e, "1"), (one, "-sinh(r(i(b)))"))

    g.em(f"v = {w}", hit, miss, name="same")
