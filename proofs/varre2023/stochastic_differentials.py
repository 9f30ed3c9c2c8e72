"""Appendix D: the stochastic differentials of a column of W, and of quantities of it, by Ito's formula.

A process that solves dM = sum_j S_j(M) dB^j, with the d-dimensional Brownian motion B = sum_j e_j B^j, has
df(M) = sum_j N_j dB^j + L dt, where N_j is the derivative of f along S_j(M) and L half the sum over j of the second derivatives
along S_j(M). So a differential is encoded by these numbers, for every state: the coefficient of each dB^j, and that of dt. For a
column (w, v) = (w_i, a_i) the equation is dw = v dB, dv = <w, dB>, so that S_j moves it along (v e_j, <w, e_j>).
"""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

BASIS = "(all j:Z. 1 <= j and j <= d => tr(T(e(j)) @ e(j)) = 1) => sum(j, 1, d, e(j) @ T(e(j))) = I(d) =>"
"""The vectors e(1), .., e(d) are an orthonormal basis."""
COLUMN = f"all d:Z, e:Z->V(d), w:V(d), v:R. 1 <= d => {BASIS}"
ITO = (
    "Ito's formula: the coefficient of dB^j is the first derivative along the j-th column of the noise, the coefficient of "
    "dt half the sum over j of the second derivatives [Appendix D]"
)
READING = "e is an orthonormal basis, along which the coordinates of B are independent Brownian motions; w and v stand for w_i and a_i at any time"
INSIDE = "1 <= j and j <= d"
ALONG = "tr(T(w) @ e(j))"


def moved(f: str, time: str) -> str:
    """A function of w and v, written {w} and {v}, along the j-th noise direction of a column."""
    return f.format(w=f"(w + ({time}*v)*e(j))", v=f"(v + {time}*{ALONG})")


def noise(f: str) -> str:
    """The coefficient of dB^j."""
    return f"D(s, {moved(f, 's')}, 0)"


def bend(f: str) -> str:
    """The second derivative along the j-th noise direction."""
    return f"D(s, D(r, {moved(f, 'r')}, s), 0)"


def drift(f: str) -> str:
    """The coefficient of dt."""
    return f"sum(j, 1, d, {bend(f)})/2"


def differential(f: str, martingale: str, rate: str) -> str:
    """df = rate dt + sum_j martingale dB^j."""
    return f"(all j:Z. {INSIDE} => {noise(f)} = {martingale}) and {drift(f)} = {rate}"


SQUARED_W, SQUARED_V = "tr(T({w}) @ {w})", "({v}^2)"
NORM = "tr(T(w) @ w)"
PARSEVAL = "varre2023.step-d-ito-a", "part:parseval"


@part(
    "varre2023.step-d-ito-a",
    "parseval",
    "all d:Z, e:Z->V(d), w x:V(d). sum(j, 1, d, e(j) @ T(e(j))) = I(d) => sum(j, 1, d, tr(T(w) @ e(j))*tr(T(x) @ e(j))) = tr(T(w) @ x)",
    says="the inner product in an orthonormal basis",
)
def inner_product_in_a_basis(g: Goal) -> None:
    """w^T (sum_j e_j e_j^T) x."""
    (basis,) = g.intro()
    left = g.fact("matrix_sum_mul_left", "d", "d", 1, 1, "d", "T(w)", "lam j:Z. e(j) @ T(e(j))")
    right = g.fact("matrix_sum_mul_right", 1, "d", 1, 1, "d", "x", "lam j:Z. T(w) @ (e(j) @ T(e(j)))")
    total = g.hyp_formula(right)[2]
    traced = g.fact("matrix_sum_trace", 1, 1, "d", ("lam", ((total[1], "Z"),), total[4]))
    whole = g.have(
        ("=", g.term("T(w) @ x"), total),
        lambda g: g.nc((basis, -1, "T(w)", "x"), (left, 1, None, "x"), (right, 1, None, None)),
    )

    def term(g: Goal) -> None:
        g.fix("j")
        g.assume()
        one = g.fact("tr_entries", 1, "T(w) @ e(j)")
        two = g.fact("tr_entries", 1, "T(x) @ e(j)")
        a = g.have("T(w) @ e(j) = tr(T(w) @ e(j))*I(1)", lambda g: g.ext(lambda g: g.field((one, -1))))
        b = g.have("T(x) @ e(j) = tr(T(x) @ e(j))*I(1)", lambda g: g.ext(lambda g: g.field((two, -1))))
        turned = g.have("T(T(x) @ e(j)) = T(tr(T(x) @ e(j))*I(1))", lambda g: g.ctx(using(b)))
        product = g.have(
            "(T(w) @ (e(j) @ T(e(j)))) @ x = (tr(T(w) @ e(j))*tr(T(x) @ e(j)))*I(1)",
            lambda g: g.nc((a, 1, None, "T(e(j)) @ x"), (turned, "tr(T(w) @ e(j))", None, None)),
        )
        t = g.have(
            "tr((T(w) @ (e(j) @ T(e(j)))) @ x) = tr((tr(T(w) @ e(j))*tr(T(x) @ e(j)))*I(1))",
            lambda g: (g.rewrite(product), g.refl()),
        )
        g.field((t, -1))

    same = g.by_fact(
        "sum_ext", 1, "d", "lam j:Z. tr(T(w) @ e(j))*tr(T(x) @ e(j))", "lam j:Z. tr((T(w) @ (e(j) @ T(e(j)))) @ x)", by=[term]
    )
    t = g.have(("=", g.term("tr(T(w) @ x)"), ("tr", total)), lambda g: g.ctx(using(whole)))
    g.field((same, 1), (traced, -1), (t, -1))


@holds(
    "varre2023.step-d-column-sde",
    """all d:Z, W:M(d,d), a b:V(d), i l:Z. (b @ T(a))[l,i] = a[i,1]*b[l,1] and
       (T(W) @ b)[i,1] = sum(l, 1, d, W[l,i]*b[l,1])""",
    argument="sound",
    reading="b is an increment dB: the i-th columns of dW = b a^T and da = W^T b",
)
def columns_of_the_noise(g: Goal) -> None:
    """Entries of products."""
    g.intro()
    g.conj(lambda g: g.field(), lambda g: g.field())


@holds(
    "varre2023.step-d-row-sde",
    """all d:Z, W:M(d,d), a b:V(d), i l:Z. (b @ T(a))[i,l] = a[l,1]*b[i,1] and
       (T(W) @ b)[l,1] = sum(j, 1, d, W[j,l]*b[j,1])""",
    argument="sound",
    reading="b is an increment dB: the i-th row of dW = b a^T, and da = W^T b as a combination of the rows",
)
def rows_of_the_noise(g: Goal) -> None:
    """Entries of products."""
    g.intro()
    g.conj(lambda g: g.field(), lambda g: g.field())


@holds(
    "varre2023.step-d-ito-w",
    f"""{COLUMN} {differential(SQUARED_W, f"2*v*{ALONG}", "d*v^2")} and
       (all j:Z. {INSIDE} => {noise(SQUARED_W)} = 2*tr(T(w) @ (v*e(j)))) and sum(j, 1, d, tr(T(v*e(j)) @ (v*e(j)))) = d*v^2""",
    argument="sound",
    context=ITO,
    reading=READING,
)
def squared_norm_of_a_column(g: Goal) -> None:
    """The second derivative along v e_j is 2 v^2 |e_j|^2 = 2 v^2."""
    one, unit, _ = g.intro()

    def constant(body: str, value: str) -> str:
        def term(g: Goal) -> None:
            g.fix("j")
            e = g.apply(unit, "j", by=[using(g.assume())])
            g.field((e, value))

        s = g.by_fact("sum_ext", 1, "d", f"lam j:Z. {body}", f"lam j:Z. {value}", by=[term])
        c = g.by_fact("sum_const", 1, "d", value, by=[Goal.auto])
        return g.have(f"sum(j, 1, d, {body}) = d*({value})", lambda g: g.field((s, 1), (c, 1)))

    second = constant(bend(SQUARED_W), "2*v^2")
    size = constant("tr(T(v*e(j)) @ (v*e(j)))", "v^2")
    first = [lambda g: (g.intro(), g.field())] * 2
    g.conj(first[0], lambda g: g.field((second, "1/2")), first[1], using(size))


def squares_along(g: Goal, basis: str, w: str = "w") -> str:
    """sum_j <w, e_j>^2 = |w|^2."""
    return g.lemma(*PARSEVAL, "d", "e", w, w, by=[using(basis)])


@holds(
    "varre2023.step-d-ito-a",
    f"{COLUMN} {differential(SQUARED_V, f'2*v*{ALONG}', NORM)}",
    argument="sound",
    context=ITO,
    reading=READING,
)
def square_of_a_coordinate(g: Goal) -> None:
    """The second derivative along <w, e_j> is 2 <w, e_j>^2."""
    _, _, basis = g.intro()
    total = squares_along(g, basis)

    def term(g: Goal) -> None:
        g.intro()
        g.field()

    s = g.by_fact("sum_ext", 1, "d", f"lam j:Z. {bend(SQUARED_V)}", f"lam j:Z. 2*({ALONG}*{ALONG})", by=[term])
    g.conj(lambda g: (g.intro(), g.field()), lambda g: g.field((s, "1/2"), (total, 1)))


NOISE = f"2*sqrt({NORM})*v*({ALONG}/sqrt({NORM}))"


@holds(
    "varre2023.eq-d-2",
    f"""{COLUMN} 0 < {NORM} => sum(j, 1, d, ({ALONG}/sqrt({NORM}))^2) = 1 and {differential(SQUARED_W, NOISE, "d*v^2")} and
       {differential(SQUARED_V, NOISE, f"sqrt({NORM})^2")}""",
    argument="sound",
    context=f"{ITO}; the column is not 0, so that its direction is defined [the display uses it]",
    reading=f"{READING}; u is the root of |w|^2, and the coefficients of dB~ = sum_j <w, e_j>/u dB^j have the sum of squares 1, as Levy's "
    "characterisation of a Brownian motion needs",
    uses=["varre2023.step-d-ito-w", "varre2023.step-d-ito-a"],
)
def both_squares_have_one_noise(g: Goal) -> None:
    """2 v <w, e_j> = 2 u v <w/u, e_j>."""
    one, unit, basis, positive = g.intro()
    root = g.by_fact("sqrt_sq", NORM, by=[Goal.auto])
    g.have(f"0 < sqrt({NORM})", Goal.auto)
    total = squares_along(g, basis)
    s = g.by_fact(
        "sum_ext", 1, "d", f"lam j:Z. ({ALONG}/sqrt({NORM}))^2", f"lam j:Z. (1/{NORM})*({ALONG}*{ALONG})",
        by=[lambda g: (g.fix("j"), g.assume(), g.field((root, f"-({ALONG}/sqrt({NORM}))^2/{NORM}")))],
    )  # fmt: skip
    size = g.split_all(
        g.lemma("varre2023.step-d-ito-w", "statement", "d", "e", "w", "v", by=[using(one), using(unit), using(basis)])
    )
    last = g.split_all(
        g.lemma("varre2023.step-d-ito-a", "statement", "d", "e", "w", "v", by=[using(one), using(unit), using(basis)])
    )

    def first(h: str) -> object:
        def script(g: Goal) -> None:
            g.fix("j")
            k = g.apply(h, "j", by=[using(g.assume())])
            g.rewrite(k)
            g.field()

        return script

    g.conj(
        lambda g: g.field((s, 1), (total, f"1/{NORM}")),
        first(size[0]),
        using(size[1]),
        first(last[0]),
        lambda g: g.field((last[1], 1), (root, -1)),
    )
