"""Appendix G, repaired: det(I + k W^T W) changes along the induced flow at a relative rate that does not depend on k."""

from __future__ import annotations

from proofs.eftekhari2022.gram_eigenvectors import STATIC
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

SHIFTED = "(I(x) + k*(T(W) @ W))"
SIZE = "tr(T(W) @ W)"
STEEP = "tr(T(G) @ G)"
CAP = f"((1 + {STEEP})*(1 + {SIZE}))"


@part(
    "eftekhari2022.lemma-11",
    "shifted-gram-regular",
    f"all x y:Z, W:M(y,x), k:R. 0 <= k => det({SHIFTED}) != 0",
    says="I + k W^T W is invertible",
)
def shifted_gram_matrix_is_invertible(g: Goal) -> None:
    """|v|^2 + k |W v|^2 = 0 forces v = 0."""
    g.fix()
    g.assume()
    g.contra("singular")
    flat = g.by_fact("det_kernel", "x", SHIFTED, by=[using("singular")])
    nonzero, kernel = g.obtain(flat, "v")
    value = g.have(f"T(v) @ {SHIFTED} @ v = O(1,1)", lambda g: g.nc((kernel, 1, "T(v)", None)))
    trace = g.have(f"tr(T(v) @ {SHIFTED} @ v) = 0", lambda g: (g.rewrite(value), g.field()))
    low = g.have("tr(T(v) @ v) <= 0", lambda g: g.pos(["k", "tr(T(W @ v) @ (W @ v))"], eqs=[(trace, -1)]))
    zero = g.have("tr(T(v) @ v) = 0", lambda g: g.antisym(using(low), None))
    v = g.by_fact("frobenius_zero", "x", 1, "v", by=[using(zero)])
    g.clash(v, nonzero)


@part(
    "eftekhari2022.lemma-11",
    "bounded-rate",
    """all k N c h w f s n e:R. 0 < k => 0 <= N => 0 <= w => w = c^2*h => 0 <= h => h <= 1 + w => w <= n => f^2 <= w*s => 0 <= s =>
       e*(1 + k*w) = -(k*N*c*h*f) => -(N*((1 + s)*(1 + n))) <= e and e <= N*((1 + s)*(1 + n))""",
    says="a bound for -k N c h f/(1 + k c^2 h) that does not depend on k",
)
def rate_is_bounded(g: Goal) -> None:
    """(c h f)^2 <= w^2 h s <= w^2 (1 + n)^2 (1 + s)^2, and k w <= 1 + k w."""
    _, _, nonneg, product, _, mild, small, square, _, value = g.intro()
    cap = "((1 + s)*(1 + n))"
    g.have("0 <= n")
    one = g.have("(c*h*f)^2 <= w^2*h*s", lambda g: g.pos(["c^2", "h^2", f"@{square}"], eqs=[(product, "w*h*s")]))
    two = g.have("w^2*h*s <= w^2*(1 + n)*s", lambda g: g.pos(["w^2", "s", f"@{mild}"], ["w^2", "s", f"@{small}"]))
    bound = g.have(
        f"(c*h*f)^2 <= (w*{cap})^2", lambda g: g.pos([f"@{one}"], [f"@{two}"], ["w^2", "1 + n", "1 + s + s^2 + n*(1 + s)^2"])
    )
    big = g.have(f"0 <= w*{cap}")

    def low(g: Goal) -> None:
        k = g.contra()
        g.pos([f"@{k}", f"@{k}"], ["2", f"@{k}", f"@{big}"], [f"@{bound}"])

    upper, lower = g.have(f"c*h*f <= w*{cap}", low), g.have(f"-(w*{cap}) <= c*h*f", low)
    g.have("0 < 1 + k*w", lambda g: g.pos(["1"], ["k", f"@{nonneg}"]))
    g.conj(
        lambda g: g.pos(["k", "N", f"@{upper}"], ["N", cap], mul=["1 + k*w"], eqs=[(value, 1)]),
        lambda g: g.pos(["k", "N", f"@{lower}"], ["N", cap], mul=["1 + k*w"], eqs=[(value, -1)]),
    )


@part(
    "eftekhari2022.lemma-11",
    "eigenvector-rate",
    f"""all x y N:Z, W V G:M(y,x), L:M(y,y), K:M(x,x). {STATIC} all k w:R, v:V(x). 0 < k => T(v) @ v = I(1) =>
       T(W) @ W @ v = w*v =>
       -(N*{CAP}) <= k*tr(T(v) @ inv({SHIFTED}) @ T(W) @ V @ v) and k*tr(T(v) @ inv({SHIFTED}) @ T(W) @ V @ v) <= N*{CAP}""",
    says="the diagonal entries of k (I + k W^T W)^{-1} W^T W' in an eigenbasis are bounded, whatever k is",
    uses=["eftekhari2022.lemma-11"],
)
def rate_along_an_eigenvector(g: Goal) -> None:
    """With w = c^N the entry is -k N c^(N-1) (W v)^T G v / (1 + k w), and (c^(N-1) (W v)^T G v)^2 <= w^2 c^(N-2) |G|^2,
    c^(N-2) <= 1 + w."""
    g.fix()
    hyps = [g.assume() for _ in range(6)]
    g.fix("k", "w", "v")
    _, unit, eigen = g.assume(), g.assume(), g.assume()
    one = g.have("tr(T(v) @ v) = 1", lambda g: (g.rewrite(unit), g.field()))
    stretched = g.have("T(W @ v) @ (W @ v) = w*I(1)", lambda g: g.nc((eigen, 1, "T(v)", None), (unit, "w", None, None)))
    length = g.have("tr(T(W @ v) @ (W @ v)) = w", lambda g: (g.rewrite(stretched), g.field()))
    nonneg = g.have("0 <= w", lambda g: g.pos(["tr(T(W @ v) @ (W @ v))"], eqs=[(length, -1)]))
    shorter = g.fact("frobenius_submultiplicative", "y", "x", 1, "W", "v")
    small = g.have(f"w <= {SIZE}", lambda g: g.pos([f"@{shorter}"], eqs=[(length, 1), (one, f"-{SIZE}")]))
    root = g.have("ex c:R. 0 <= c and c^N = w", lambda g: real_root(g, nonneg))
    c_nonneg, power = g.obtain(root, "c")
    below = g.by_fact("ipow_nonneg", "c", "N - 2")
    h = "(c^(N-2))"
    step = g.by_fact("ipow_add", "c", "N - 2", 1)
    jump = g.by_fact("ipow_add", "c", "N - 2", 2)
    first = g.have(f"c^(N-1) = c*{h}", lambda g: g.field((step, 1)))
    second = g.have(f"w = c^2*{h}", lambda g: g.field((power, -1), (jump, 1)))
    mild = g.have(f"{h} <= 1 + w", lambda g: power_below(g, second, nonneg, below))
    moved = g.have("T(W) @ W @ v = c^N*v", lambda g: (g.rewrite(power), g.close_by(eigen)))
    velocity = g.lemma(
        "eftekhari2022.lemma-11", "part:velocity-at-an-eigenvector", *("x", "y", "N", "W", "V", "G", "L", "K"),
        by=[using(k) for k in hyps],
    )  # fmt: skip
    velocity = g.apply(velocity, "c", "v", by=[using(c_nonneg), using(moved)])
    g.have("0 <= k")
    regular = g.lemma("eftekhari2022.lemma-11", "part:shifted-gram-regular", "x", "y", "W", "k")
    right = g.by_fact("inv_right", "x", SHIFTED, by=[using(regular)])
    image = g.have(f"T(v) @ {SHIFTED} = (1 + k*w)*T(v)", lambda g: shifted_row(g, eigen))
    g.have("0 < 1 + k*w")
    inverse = f"inv({SHIFTED})"
    row = g.have(
        f"T(v) @ {inverse} = (1/(1 + k*w))*T(v)",
        lambda g: g.nc((right, "1/(1 + k*w)", "T(v)", None), (image, "-1/(1 + k*w)", None, inverse)),
    )
    form = "tr(T(W @ v) @ G @ v)"
    entry = g.have(
        f"T(v) @ {inverse} @ T(W) @ V @ v = (1/(1 + k*w))*(T(W @ v) @ V @ v)",
        lambda g: g.nc((row, 1, None, "T(W) @ V @ v")),
    )
    value = g.have(
        f"k*tr(T(v) @ {inverse} @ T(W) @ V @ v)*(1 + k*w) = -(k*N*c*{h}*{form})",
        lambda g: (g.rewrite(entry), scaled(g, velocity, first, form)),
    )
    cauchy = g.fact("frobenius_cauchy", "y", 1, "W @ v", "G @ v")
    steep = g.fact("frobenius_submultiplicative", "y", "x", 1, "G", "v")
    steep = g.rewritten(steep, one)
    cauchy = g.rewritten(cauchy, length)
    square = g.have(f"{form}^2 <= w*{STEEP}", lambda g: g.pos([f"@{cauchy}"], ["w", f"@{steep}"]))
    bounds = g.lemma(
        "eftekhari2022.lemma-11", "part:bounded-rate", "k", "N", "c", h, "w", form, STEEP, SIZE,
        f"k*tr(T(v) @ {inverse} @ T(W) @ V @ v)",
        by=[None, None, using(nonneg), using(second), using(below), using(mild), using(small), using(square), None, lambda g: g.field((value, 1))],
    )  # fmt: skip
    g.close_by(bounds)


def real_root(g: Goal, nonneg: str) -> None:
    """The N-th root of a nonnegative number."""

    def zero(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        h = g.by_fact("ipow_zero", "N")
        g.witness("0")
        g.conj(None, lambda g: g.field((h, 1), (eq, 1)))

    def general(g: Goal) -> None:
        g.have("0 < N")
        h = g.by_fact("pow_pow", "w", "1/N", "N")
        g.witness("w^(1/N)")
        g.conj(None, lambda g: g.field((h, 1)))

    g.cases(g.by_fact("lt_or_eq", 0, "w", by=[using(nonneg)]), general, zero)


def power_below(g: Goal, second: str, nonneg: str, below: str) -> None:
    """c^(N-2) <= 1 + c^N, for c <= 1 and for c >= 1."""
    order = g.fact("total", "c", 1)

    def low(g: Goal) -> None:
        k = g.by_fact("ipow_mono", "c", 1, "N - 2")
        one = g.have("1^(N-2) = 1", lambda g: g.field())
        g.pos([f"@{k}"], [f"@{nonneg}"], eqs=[(one, 1)])

    def high(g: Goal) -> None:
        k = next(reversed(g.seq.hyps))
        g.pos(["1"], [f"@{below}", f"@{k}", "c + 1"], eqs=[(second, 1)])

    g.cases(order, low, high)


def shifted_row(g: Goal, eigen: str) -> None:
    """v^T (I + k W^T W) = (1 + k w) v^T."""
    turned = g.have("T(T(W) @ W @ v) = T(w*v)", lambda g: (g.rewrite(eigen), g.refl()))
    g.nc((turned, "k", None, None))


def scaled(g: Goal, velocity: str, first: str, form: str) -> None:
    """The trace of the velocity, with c^(N-1) = c c^(N-2)."""
    value = g.have(f"tr(T(W @ v) @ V @ v) = -(N*c^(N-1)*{form})", lambda g: (g.rewrite(velocity), g.field()))
    g.field((value, "k"), (first, f"-(k*N*{form})"))


@part(
    "eftekhari2022.lemma-11",
    "trace-rate",
    f"""all x y N:Z, W V G:M(y,x), L:M(y,y), K:M(x,x). {STATIC} 0 <= x => all k:R. 0 < k =>
       -(x*(N*{CAP})) <= k*tr(inv({SHIFTED}) @ T(W) @ V) and k*tr(inv({SHIFTED}) @ T(W) @ V) <= x*(N*{CAP})""",
    says="the relative rate of change of det(I + k W^T W) is bounded, whatever k is",
    uses=["eftekhari2022.lemma-11"],
)
def rate_of_the_determinant_is_bounded(g: Goal) -> None:
    """The trace in the eigenbasis of W^T W, entry by entry."""
    g.fix()
    hyps = [g.assume() for _ in range(6)]
    g.assume()
    g.fix("k")
    scale = g.assume()
    basis = g.lemma("eftekhari2022.lemma-11", "part:gram-diagonal", "x", "y", "W")
    left, right, gram, diagonal, _ = g.obtain(basis, "B", "D_")
    rate = f"inv({SHIFTED}) @ T(W) @ V"
    turned = f"(T(B) @ {rate} @ B)"
    same = g.have(f"({rate}) @ B @ T(B) = {rate}", lambda g: g.nc((right, 1, rate, None)))

    def trace(g: Goal) -> None:
        g.replace(f"tr({turned})", f"tr(({rate}) @ B @ T(B))", lambda g: g.field())
        g.rewrite(same)
        g.refl()

    whole = g.have(f"tr({turned}) = tr({rate})", trace)
    entries = g.fact("tr_entries", "x", turned)
    cap = f"N*{CAP}"

    def each(g: Goal) -> None:
        g.fix("i")
        g.split_all(g.assume())
        unit = g.lemma("eftekhari2022.lemma-11", "part:unit-vector", "x", "i")
        norm, picks, eigen = g.obtain(unit, "e")
        entry = g.apply(picks, turned)
        column = g.apply(eigen, "D_", by=[using(diagonal)])
        length = g.have("T(B @ e) @ (B @ e) = I(1)", lambda g: g.nc((left, 1, "T(e)", "e"), (norm, 1, None, None)))
        image = g.have(
            "T(W) @ W @ (B @ e) = D_[i,i]*(B @ e)",
            lambda g: g.nc((gram, 1, None, "B @ e"), (left, 1, "B @ D_", "e"), (column, 1, "B", None)),
        )
        bound = g.lemma(
            "eftekhari2022.lemma-11", "part:eigenvector-rate", *("x", "y", "N", "W", "V", "G", "L", "K"),
            by=[using(h) for h in hyps],
        )  # fmt: skip
        low, high = g.split(g.apply(bound, "k", "D_[i,i]", "B @ e", by=[using(scale), using(length), using(image)]))
        vector = f"tr(T(B @ e) @ {rate} @ (B @ e))"

        def value(g: Goal) -> None:
            g.replace(vector, f"tr(T(e) @ {turned} @ e)", lambda g: g.field())
            g.rewrite(entry)
            g.field()

        number = g.have(f"{vector} = {turned}[i,i]", value)
        g.conj(lambda g: g.exact(g.rewritten(low, number)), lambda g: g.exact(g.rewritten(high, number)))

    inside = g.have(f"all i:Z. 1 <= i and i <= x => -({cap}) <= k*{turned}[i,i] and k*{turned}[i,i] <= {cap}", each)

    def half(which: int) -> Script:
        def script(g: Goal) -> None:
            g.fix("i")
            g.assume()
            g.close_by(g.split(g.apply(inside, "i"))[which])

        return script

    lower = g.by_fact("sum_mono", 1, "x", f"lam i:Z. -({cap})", f"lam i:Z. k*{turned}[i,i]", by=[half(0)])
    upper = g.by_fact("sum_mono", 1, "x", f"lam i:Z. k*{turned}[i,i]", f"lam i:Z. {cap}", by=[half(1)])
    below = g.by_fact("sum_const", 1, "x", f"-({cap})")
    above = g.by_fact("sum_const", 1, "x", cap)
    total = g.have(f"sum(i, 1, x, k*{turned}[i,i]) = k*tr({rate})", lambda g: g.field((entries, "-k"), (whole, "k")))
    lower, upper = (g.rewritten(g.rewritten(h, c), total) for h, c in ((lower, below), (upper, above)))
    g.conj(lambda g: g.pos([f"@{lower}"]), lambda g: g.pos([f"@{upper}"]))
