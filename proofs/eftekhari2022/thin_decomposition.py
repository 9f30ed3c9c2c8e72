"""Equation (32): matrices of rank one and their thin singular value decomposition, along the induced flow."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import nonempty, positive, unit_trace
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS, INDUCED, INDUCED_VARIABLES, TARGET_VARIABLES
from proofs.eftekhari2022.theorem_twenty import TARGET
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import part

DECOMPOSED = "0 < s and {0} = s*(u @ T(v)) and T(u) @ u = I(1) and T(v) @ v = I(1)"


@part(
    "eftekhari2022.eq-32",
    "thin-exists",
    f"all x y:Z, W:M(y,x). rank(W) = 1 => ex s:R, u:V(y), v:V(x). {DECOMPOSED.format('W')}",
    says="a matrix of rank one is s u v^T with s > 0 and unit vectors u, v",
    uses=["eftekhari2022.eq-32"],
)
def rank_one_matrices_have_a_thin_decomposition(g: Goal) -> None:
    """W = p q with a column p and a row q, neither of which is 0; normalise them."""
    g.fix()
    rank = g.assume()
    factors = g.by_fact("rank_factor", "y", "x", 1, "W", by=[None, lambda g: g.pos(eqs=[(rank, -1)])])
    product = g.obtain(factors, "P", "Q")[0]
    sizes = []
    for name, word, other in (("a", "T(P) @ P", "P"), ("b", "Q @ T(Q)", "Q")):
        g.have(f"0 < tr({word})", lambda g, word=word, other=other: nonzero_factor(g, word, other, product, rank))
        one = scalar_matrix(g, f"({word})")
        square = g.by_fact("sqrt_sq", f"tr({word})")
        root = g.obtain(
            g.have(
                f"ex {name}:R. 0 < {name} and {word} = {name}^2*I(1)",
                lambda g, word=word, one=one, square=square: square_root(g, word, one, square),
            ),
            name,
        )
        sizes.append(root)
    (a_pos, a_norm), (b_pos, b_norm) = sizes
    g.witness("a*b", "(1/a)*P", "(1/b)*T(Q)")
    g.conj(
        lambda g: g.pos([f"@{a_pos}", f"@{b_pos}"]),
        lambda g: g.nc((product, 1, None, None)),
        lambda g: g.nc((a_norm, "1/a^2", None, None)),
        lambda g: g.nc((b_norm, "1/b^2", None, None)),
    )


def square_root(g: Goal, word: str, one: str, square: str) -> None:
    """The size of a vector."""
    g.witness(f"sqrt(tr({word}))")
    g.conj(None, lambda g: (g.rewrite(square), g.close_by(one)))


def nonzero_factor(g: Goal, word: str, factor: str, product: str, rank: str) -> None:
    """A factor of a matrix of rank one is not 0."""

    def different(g: Goal) -> None:
        zero = g.contra("zero")
        rows, cols = ("y", "1") if factor == "P" else ("1", "x")
        value = g.have(f"tr(T({factor}) @ {factor}) = 0", lambda g: g.field((zero, 1)))
        vanishing = g.by_fact("frobenius_zero", rows, cols, factor, by=[using(value)])
        none = g.have("W = O(y,x)", lambda g: (g.rewrite(product), g.rewrite(vanishing), g.nc()))
        empty = g.have("W = O(y,0) @ O(0,x)", lambda g: (g.rewrite(none), g.nc()))
        both = g.fact("rank_product", "y", 0, "x", "O(y,0)", "O(0,x)")
        _, right = g.split(both)
        low = g.fact("rank_product", 0, 0, "x", "O(0,0)", "O(0,x)")
        small, _ = g.split(low)
        same = g.have("O(0,0) @ O(0,x) = O(0,x)", lambda g: g.nc())
        small = g.rewritten(small, same)
        _, _, cap = g.split(g.by_fact("rank_bounds", 0, 0, "O(0,0)"))
        total = g.have("rank(W) <= 0", lambda g: (g.rewrite(empty), g.pos([f"@{right}"], [f"@{small}"], [f"@{cap}"])))
        g.pos(["1"], [f"@{total}"], eqs=[(rank, 1)])

    k = g.have(f"tr({word}) != 0", different)
    positive(g, k)


@part(
    "eftekhari2022.eq-32",
    "thin-has-rank-one",
    "all x y:Z, s:R, u:V(y), v:V(x), W:M(y,x). 0 < s => W = s*(u @ T(v)) => T(u) @ u = I(1) => T(v) @ v = I(1) => rank(W) = 1",
    says="s u v^T has rank one",
)
def thin_decompositions_have_rank_one(g: Goal) -> None:
    """At most one by the inner dimension; rank 0 would make it an empty sum of products, hence 0."""
    _, whole, left, right = g.intro()
    one, other = unit_trace(g, left, "u"), unit_trace(g, right, "v")
    nonempty(g, "y", "u", one)
    nonempty(g, "x", "v", other)
    both = g.fact("rank_product", "y", 1, "x", "s*u", "T(v)")
    same = g.have("(s*u) @ T(v) = W", lambda g: (g.rewrite(whole), g.nc()))
    both = g.rewritten(both, same)
    small, _ = g.split(both)
    _, _, cap = g.split(g.by_fact("rank_bounds", "y", 1, "s*u"))
    upper = g.have("rank(W) <= 1", lambda g: g.pos([f"@{small}"], [f"@{cap}"]))

    def below(g: Goal) -> None:
        strict = g.contra()
        low = g.by_fact("int_lt", "rank(W)", 1, by=[using(strict)])
        factors = g.by_fact("rank_factor", "y", "x", 0, "W", by=[None, lambda g: g.pos([f"@{low}"])])
        product = g.obtain(factors, "P", "Q")[0]

        def entries(g: Goal) -> None:
            g.extn("i", "j")
            g.field()

        empty = g.have("P @ Q = O(y,x)", entries)
        norm = g.have("T(u) @ W @ v = s*I(1)", lambda g: g.nc(rw=[whole, left, right]))
        value = g.have("T(u) @ W @ v = O(1,1)", lambda g: (g.rewrite(product), g.rewrite(empty), g.nc()))
        trace = g.have("tr(T(u) @ W @ v) = s", lambda g: (g.rewrite(norm), g.field()))
        none = g.have("tr(T(u) @ W @ v) = 0", lambda g: (g.rewrite(value), g.field()))
        g.pos(["s"], eqs=[(trace, 1), (none, -1)])

    g.antisym(using(upper), below)


@part(
    "eftekhari2022.eq-32",
    "rank-one-for-all-times",
    f"""all {INDUCED_VARIABLES}, {TARGET_VARIABLES}. {INDUCED} {TARGET} rank(E(0)) = 1 => all t:R. 0 <= t =>
       rank(E(t)) = 1 and ex s:R, u:V(y), v:V(x). {DECOMPOSED.format("E(t)")}""",
    says="the induced flow stays of rank one, and has a thin singular value decomposition at each time",
    uses=["eftekhari2022.lemma-11", "eftekhari2022.eq-32"],
)
def flow_keeps_a_thin_decomposition(g: Goal) -> None:
    """Lemma 11, at each time."""
    names = g.intro(split=False)
    flow, (start, now) = names[:-2], names[-2:]
    left, right = flow[-5:-3]
    nonempty(g, "y", "uZ", unit_trace(g, left, "uZ"))
    nonempty(g, "x", "vZ", unit_trace(g, right, "vZ"))
    constant = g.lemma(
        "eftekhari2022.lemma-11", "part:rank-constant", *FLOW_TERMS[:9], by=[None, None, *[using(h) for h in flow[:3]]]
    )
    same = g.apply(constant, "t", by=[using(now)])
    one = g.have("rank(E(t)) = 1", lambda g: (g.rewrite(same), g.close_by(start)))
    thin = g.lemma("eftekhari2022.eq-32", "part:thin-exists", "x", "y", "E(t)", by=[using(one)])
    g.conj(using(one), using(thin))


@part(
    "eftekhari2022.eq-32",
    "thin-unique",
    """all x y:Z, W M:M(y,x), s r:R, u p:V(y), v q:V(x). 0 < s => W = s*(u @ T(v)) => T(u) @ u = I(1) => T(v) @ v = I(1) =>
       0 < r => W = r*(p @ T(q)) => T(p) @ p = I(1) => T(q) @ q = I(1) => s = r and tr(T(u) @ M @ v) = tr(T(p) @ M @ q)""",
    says="the singular value and u^T M v do not depend on the choice of the thin decomposition",
    uses=["eftekhari2022.eq-32"],
)
def thin_decompositions_agree(g: Goal) -> None:
    """s is the Frobenius norm, and s u^T M v = <M, W>."""
    s_pos, first, uu, vv, r_pos, second, pp, qq = g.intro()
    one = g.have("tr(T(W) @ W) = s^2", lambda g: squared(g, first, "s", "u", "v", uu, vv))
    two = g.have("tr(T(W) @ W) = r^2", lambda g: squared(g, second, "r", "p", "q", pp, qq))
    same = g.have("s = r", lambda g: equal_sizes(g, one, two, s_pos, r_pos))
    left = g.have("tr(T(M) @ W) = s*tr(T(u) @ M @ v)", lambda g: (g.rewrite(first), g.field()))
    right = g.have("tr(T(M) @ W) = r*tr(T(p) @ M @ q)", lambda g: (g.rewrite(second), g.field()))

    def form(g: Goal) -> None:
        g.field((left, "-1/s"), (right, "1/s"), (same, "-tr(T(p) @ M @ q)/s"))

    g.conj(using(same), form)


def squared(g: Goal, whole: str, s: str, u: str, v: str, uu: str, vv: str) -> None:
    """|s u v^T|^2 = s^2."""
    h = g.have(f"T(W) @ W = {s}^2*({v} @ T({v}))", lambda g: g.nc(rw=[whole, uu]))
    one = unit_trace(g, vv, v)
    g.rewrite(h)
    g.field((one, f"{s}^2"))


def equal_sizes(g: Goal, one: str, two: str, s_pos: str, r_pos: str) -> None:
    """s = r from s^2 = r^2 for positive numbers, by s^2 - r^2 = (s - r)(s + r)."""
    g.antisym(
        lambda g: larger(g, one, two, s_pos, r_pos, 1),
        lambda g: larger(g, one, two, s_pos, r_pos, -1),
    )


def larger(g: Goal, one: str, two: str, s_pos: str, r_pos: str, sign: int) -> None:
    """The squares of different positive numbers differ."""
    k = g.contra()
    g.pos([f"@{k}", f"@{s_pos}"], [f"@{k}", f"@{r_pos}"], eqs=[(one, sign), (two, -sign)])


@part(
    "eftekhari2022.eq-32",
    "thin-singular-value",
    """all x y:Z, s:R, u:V(y), v:V(x), W:M(y,x). 0 < s => W = s*(u @ T(v)) => T(u) @ u = I(1) => T(v) @ v = I(1) => sv(W,1) = s""",
    says="the singular value of s u v^T",
    uses=["eftekhari2022.eq-32", "eftekhari2022.lemma-11"],
)
def singular_value_of_a_thin_decomposition(g: Goal) -> None:
    """Only the first singular value is not 0, and the sum of their squares is s^2."""
    s_pos, whole, uu, vv = g.intro()
    rank = g.lemma(
        "eftekhari2022.eq-32",
        "part:thin-has-rank-one",
        "x",
        "y",
        "s",
        "u",
        "v",
        "W",
        by=[using(h) for h in (s_pos, whole, uu, vv)],
    )
    nonempty(g, "y", "u", unit_trace(g, uu, "u"))
    nonempty(g, "x", "v", unit_trace(g, vv, "v"))
    zero, some = g.split(g.lemma("eftekhari2022.lemma-11", "part:rank-by-singular-values", "x", "y", "W"))
    norm = g.have("tr(T(W) @ W) = s^2", lambda g: squared(g, whole, "s", "u", "v", uu, vv))
    total = g.by_fact("sv_frobenius", "y", "x", "W")
    terms = "lam i:Z. sv(W,i)^2"
    split = g.by_fact("sum_first", 1, "x", terms)

    def vanish(g: Goal) -> None:
        g.fix("i")
        g.intro()
        z = g.apply(zero, "i", by=[None, lambda g: (g.rewrite(rank), g.auto())])
        g.field((z, "sv(W,i)"))

    rest = g.by_fact("sum_ext", 2, "x", terms, "lam i:Z. 0", by=[vanish])
    none = g.have("sum(i, 2, x, 0) = 0", lambda g: g.field())
    square = g.have("tr(T(W) @ W) = sv(W,1)^2", lambda g: g.field((total, 1), (split, 1), (rest, 1), (none, 1)))
    positive_value = g.apply(some, 1, by=[None, lambda g: (g.rewrite(rank), g.auto())])
    g.antisym(
        lambda g: larger(g, square, norm, positive_value, s_pos, 1),
        lambda g: larger(g, square, norm, positive_value, s_pos, -1),
    )
