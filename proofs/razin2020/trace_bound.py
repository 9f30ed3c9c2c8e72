"""Lemma 11: a lower bound of a trace by the largest eigenvalue and the smallest singular value."""

from __future__ import annotations

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

PSD = "(all v:V(d). 0 <= tr(T(v) @ B @ v))"


@part(
    "razin2020.lemma-11",
    "columns",
    "all d:Z, N Y:M(d,d). (all v:V(d). 0 <= tr(T(v) @ N @ v)) => 0 <= tr(T(Y) @ N @ Y)",
    says="a quadratic form that is nonnegative on vectors is so on matrices",
)
def form_is_nonnegative_on_matrices(g: Goal) -> None:
    """The trace is the sum of the forms of the columns."""
    psd = g.intro()[0]
    z = named(g, "M(d,d)", "T(Y) @ N @ Y", "Z")
    g.rewrite(z, back=True)
    trace = g.fact("tr_entries", "d", "Z")

    def column(g: Goal) -> None:
        g.fix("i")
        g.split_all(g.assume())
        (pick,) = g.obtain(g.by_fact("unit_vector", "d", "i"), "e", split=False)
        form = g.apply(psd, "Y @ e")
        w = named(g, "V(d)", "Z @ e", "w")
        turn = g.have("T(Y @ e) @ N @ (Y @ e) = T(e) @ w", lambda g: g.nc((w, -1, "T(e)", None), (z, -1, "T(e)", "e")))
        form = g.rewritten(form, turn)
        one = g.fact("tr_entries", 1, "T(e) @ w")
        first = g.apply(pick, 1, "T(w)", 1)
        second = g.apply(pick, "d", "Z", "i")
        third = g.have("w[i,1] = (Z @ e)[i,1]", lambda g: g.ctx(using(w)))
        only(g, form, one, first, second, third)
        # e^T w = w^T e = w_i, and w_i is the entry (i,i)
        g.pos([f"@{form}"], eqs=[(one, -1), (first, -1), (third, -1), (second, -1)])

    k = g.by_fact("sum_nonneg", 1, "d", "lam i:Z. Z[i,i]", by=[column])
    only(g, k, trace)
    g.pos([f"@{k}"], eqs=[(trace, 1)])


def named(g: Goal, sort: str, value: str, name: str) -> str:
    """A variable for a matrix; returns the name of `name = value`."""
    (h,) = g.obtain(g.have(f"ex {name}:{sort}. {name} = {value}", lambda g: (g.witness(value), g.refl())[-1]), name)
    return h


@part(
    "razin2020.lemma-11",
    "smallest-stretch",
    "all d:Z, A:M(d,d), v:V(d). 1 <= d => sv(A,d)^2*tr(T(v) @ v) <= tr(T(v) @ A @ T(A) @ v)",
    says="A^T stretches every vector at least by the smallest singular value",
)
def smallest_stretch(g: Goal) -> None:
    """Rayleigh's principle for A A^T, whose eigenvalues are the squared singular values of A^T."""
    size = g.intro()[0]
    value = g.by_fact("sv_gram", "d", "d", "d", "T(A)", by=[using(size), None])
    turned = g.fact("sv_transpose", "d", "d", "d", "A")
    rayleigh = g.split(g.by_fact("eig_rayleigh", "d", "T(T(A)) @ T(A)", "v", by=[lambda g: g.nc(), using(size)]))[0]
    only(g, value, turned, rayleigh)
    g.pos([f"@{rayleigh}"], eqs=[(value, "-tr(T(v) @ v)"), (turned, "tr(T(v) @ v)*(sv(T(A),d) + sv(A,d))")])


@holds(
    "razin2020.lemma-11",
    f"all d:Z, A B:M(d,d). 1 <= d => T(B) = B => {PSD} => eig(B,1)*sv(A,d)^2 <= tr(T(A) @ B @ A)",
    uses=["razin2020.lemma-11"],
    argument="sound",
)
def trace_is_at_least_eigenvalue_times_singular_value(g: Goal) -> None:
    """With B = Y^2: tr(A^T Y Y A) = tr(Y A A^T Y) >= s^2 |Y|_F^2 >= s^2 sv_1(Y)^2 = s^2 eig_1(B), s the smallest singular value of A."""
    size, sym, psd = g.intro()
    yt, _, square = g.obtain(g.by_fact("psd_root_exists", "d", 2, "B", by=[None, using(sym), using(psd)]), "Y")
    value = g.by_fact("sv_gram", "d", "d", 1, "Y", by=[None, using(size)])
    gram = g.have("T(Y) @ Y = B", lambda g: g.nc((yt, 1, None, "Y"), (square, 1, None, None)))
    same = g.have("eig(T(Y) @ Y, 1) = eig(B,1)", lambda g: g.ctx(using(gram)))

    def gap(g: Goal) -> None:
        g.fix("v")
        k = g.lemma("razin2020.lemma-11", "part:smallest-stretch", "d", "A", "v", by=[using(size)])
        only(g, k)
        g.pos([f"@{k}"])

    stretched = g.lemma("razin2020.lemma-11", "part:columns", "d", "A @ T(A) - sv(A,d)^2*I(d)", "Y", by=[gap])
    norm = g.by_fact("sv_frobenius", "d", "d", "Y")
    one = g.apply(g.by_fact("sum_term_le", 1, "d", "lam i:Z. sv(Y,i)^2"), 1)
    turned = g.have("tr(T(A) @ B @ A) = tr(T(Y) @ A @ T(A) @ Y)", lambda g: trace_turned(g, square, yt))
    only(g, value, same, stretched, norm, one, turned)
    g.pos(
        [f"@{stretched}"],
        [f"@{one}", "sv(A,d)^2"],
        eqs=[(turned, 1), (norm, "sv(A,d)^2"), (value, "sv(A,d)^2"), (same, "sv(A,d)^2")],
    )


def trace_turned(g: Goal, square: str, yt: str) -> None:
    """tr(A^T Y Y A) = tr(Y A A^T Y)."""
    k = g.have("T(A) @ B @ A = T(A) @ Y @ Y @ A", lambda g: g.nc((square, -1, "T(A)", "A")))
    g.rewrite(k)
    m = g.have("T(Y) @ A @ T(A) @ Y = Y @ A @ T(A) @ Y", lambda g: g.nc((yt, 1, None, "A @ T(A) @ Y")))
    g.rewrite(m)
    g.field()


@holds(
    "razin2020.lemma-11-step-y",
    f"""all d:Z, A B U S V:M(d,d), o y:V(d). 1 <= d => T(B) = B => {PSD} => T(U) @ U = I(d) => T(V) @ V = I(d) => A = U @ S @ T(V) =>
       (all i j:Z. i != j => S[i,j] = 0) => (all i:Z. 1 <= i and i <= d => S[i,i] = sv(A,i)) =>
       tr(T(o) @ o) = 1 => B @ o = eig(B,1)*o => y = V @ T(U) @ o =>
       eig(T(A) @ B @ A, 1) <= tr(T(A) @ B @ A) and
       eig(B,1)*tr(T(o) @ A @ y)^2 <= eig(T(A) @ B @ A, 1) and
       eig(B,1)*tr(T(o) @ A @ y)^2 = eig(B,1)*tr(T(o) @ U @ S @ T(U) @ o)^2 and
       eig(B,1)*sv(A,d)^2 <= eig(B,1)*tr(T(o) @ U @ S @ T(U) @ o)^2""",
    uses=["razin2020.lemma-11"],
    argument="sound",
    reading="A = U S V^T is a singular value decomposition, o a unit eigenvector of B for its largest eigenvalue",
)
def chain_through_the_test_vector(g: Goal) -> None:
    """Trace against largest eigenvalue, Rayleigh's principle at y, B - lambda o o^T >= 0, and U S U^T >= sv_d I."""
    size, sym, psd, uu, vv, a, off, diag, unit, eigen, y = g.intro()
    lam = "eig(B,1)"
    us = g.by_fact("inv_unique", "d", "T(U)", "U", by=[using(uu)])
    uo = g.split(us)[1]  # U T(U) = I
    ayo = g.have(
        "A @ y = U @ S @ T(U) @ o", lambda g: g.nc((a, 1, None, "y"), (y, 1, "U @ S @ T(V)", None), (vv, 1, "U @ S", "T(U) @ o"))
    )
    yy = g.have("tr(T(y) @ y) = 1", lambda g: unit_test_vector(g, y, vv, uo, unit))
    nonneg = g.have(f"0 <= {lam}", lambda g: largest_is_nonneg(g, psd, unit, eigen))

    def trace(g: Goal) -> None:
        only(g, size, sym, psd)
        m = "T(A) @ B @ A"
        yt, _, square = g.obtain(g.by_fact("psd_root_exists", "d", 2, "B", by=[None, using(sym), using(psd)]), "Y")
        value = g.by_fact("sv_gram", "d", "d", 1, "Y @ A", by=[None, using(size)])
        gram = g.have(f"T(Y @ A) @ (Y @ A) = {m}", lambda g: g.nc((yt, 1, "T(A)", "Y @ A"), (square, 1, "T(A)", "A")))
        same = g.have(f"eig(T(Y @ A) @ (Y @ A), 1) = eig({m}, 1)", lambda g: g.ctx(using(gram)))
        norm = g.by_fact("sv_frobenius", "d", "d", "Y @ A")
        one = g.apply(g.by_fact("sum_term_le", 1, "d", "lam i:Z. sv(Y @ A,i)^2"), 1)
        total = g.have(f"tr(T(Y @ A) @ (Y @ A)) = tr({m})", lambda g: g.ctx(using(gram)))
        only(g, value, same, norm, one, total)
        g.pos([f"@{one}"], eqs=[(value, 1), (same, 1), (norm, 1), (total, -1)])

    def rayleigh(g: Goal) -> None:
        m = "T(A) @ B @ A"
        r = g.split(g.by_fact("eig_rayleigh", "d", m, "y", by=[lambda g: g.nc((sym, 1, "T(A)", "A")), using(size)]))[1]
        # with c = o^T A y and w = A y - c o: (A y)^T B (A y) = lam c^2 + w^T B w
        c = named(g, "R", "tr(T(o) @ A @ y)", "c")
        form = g.apply(psd, "A @ y - c*o")
        bo = g.have(f"tr(T(A @ y) @ B @ o) = {lam}*c", lambda g: cross(g, eigen, c))
        oo = g.have(f"tr(T(o) @ B @ o) = {lam}", lambda g: own_form(g, eigen, unit))
        ob = g.have(f"tr(T(o) @ B @ (A @ y)) = {lam}*c", lambda g: cross_back(g, eigen, c, sym))
        only(g, r, form, bo, oo, ob, c, yy)
        g.rewrite(c, back=True)
        g.pos([f"@{r}"], [f"@{form}"], eqs=[(yy, "-eig(T(A) @ B @ A, 1)"), (bo, "c"), (ob, "c"), (oo, "-c^2")])

    def same(g: Goal) -> None:
        k = g.have("tr(T(o) @ A @ y) = tr(T(o) @ U @ S @ T(U) @ o)", lambda g: g.ctx(lambda g: g.nc((ayo, 1, "T(o)", None))))
        g.rewrite(k)
        g.refl()

    def least(g: Goal) -> None:
        form = g.have("sv(A,d) <= tr(T(o) @ U @ S @ T(U) @ o)", lambda g: diagonal_form(g, off, diag, uo, unit, size))
        low = g.split(g.apply(g.fact("sv_range", "d", "d", "A"), "d", "d"))[0]
        only(g, form, low, nonneg)
        g.pos([f"@{form}", f"@{low}", 2, f"@{nonneg}"], [f"@{form}", f"@{form}", f"@{nonneg}"])

    g.conj(trace, rayleigh, same, least)


def unit_test_vector(g: Goal, y: str, vv: str, uo: str, unit: str) -> None:
    """|V U^T o| = |o|."""
    k = g.have("T(y) @ y = T(o) @ o", lambda g: squared(g, y, vv, uo))
    v = g.have("tr(T(y) @ y) = tr(T(o) @ o)", lambda g: g.ctx(using(k)))
    g.field((v, 1), (unit, 1))


def squared(g: Goal, y: str, vv: str, uo: str) -> None:
    """y^T y = o^T o."""
    g.rewrite(y)
    g.nc((vv, 1, "T(o) @ U", "T(U) @ o"), (uo, 1, "T(o)", "o"))


def largest_is_nonneg(g: Goal, psd: str, unit: str, eigen: str) -> None:
    """0 <= o^T B o = the eigenvalue."""
    form = g.apply(psd, "o")
    k = g.have("tr(T(o) @ B @ o) = eig(B,1)", lambda g: own_form(g, eigen, unit))
    only(g, form, k)
    g.pos([f"@{form}"], eqs=[(k, -1)])


def own_form(g: Goal, eigen: str, unit: str) -> None:
    """o^T B o = lam o^T o."""
    k = g.have("T(o) @ B @ o = eig(B,1)*(T(o) @ o)", lambda g: g.nc((eigen, 1, "T(o)", None)))
    g.rewrite(k)
    g.field((unit, "eig(B,1)"))


def cross(g: Goal, eigen: str, c: str) -> None:
    """(A y)^T B o = lam (A y)^T o."""
    k = g.have("T(A @ y) @ B @ o = eig(B,1)*(T(A @ y) @ o)", lambda g: g.nc((eigen, 1, "T(A @ y)", None)))
    g.rewrite(k)
    g.field((c, "-eig(B,1)"))


def cross_back(g: Goal, eigen: str, c: str, sym: str) -> None:
    """o^T B (A y) is the same number, as B is symmetric."""
    k = g.have("T(o) @ B = eig(B,1)*T(o)", lambda g: left_eigenvector(g, eigen, sym))
    m = g.have("T(o) @ B @ (A @ y) = eig(B,1)*(T(o) @ (A @ y))", lambda g: g.nc((k, 1, None, "A @ y")))
    g.rewrite(m)
    g.field((c, "-eig(B,1)"))


def left_eigenvector(g: Goal, eigen: str, sym: str) -> None:
    """o^T B = lam o^T."""
    k = g.have("T(B @ o) = T(eig(B,1)*o)", lambda g: g.ctx(using(eigen)))
    g.nc((k, 1, None, None), (sym, -1, "T(o)", None))


def diagonal_form(g: Goal, off: str, diag: str, uo: str, unit: str, size: str) -> None:
    """w^T S w >= sv_d w^T w for w = U^T o, as the diagonal of S is at least sv_d."""
    order = g.fact("sv_range", "d", "d", "A")
    w = "(T(U) @ o)"
    name = named(g, "V(d)", w, "w")
    ww = g.have("T(w) @ w = T(o) @ o", lambda g: (g.rewrite(name), g.nc((uo, 1, "T(o)", "o")))[-1])
    ww = g.have("tr(T(w) @ w) = 1", lambda g: (g.rewrite(ww), g.close_by(unit))[-1])
    target = g.have("T(o) @ U @ S @ T(U) @ o = T(w) @ S @ w", lambda g: (g.rewrite(name), g.nc())[-1])
    g.rewrite(target)
    only(g, off, diag, order, ww, size)
    u = named(g, "V(d)", "S @ w", "u")
    entries = g.fact("tr_entries", 1, "T(w) @ w")
    one = g.fact("tr_entries", 1, "T(w) @ u")

    def term(g: Goal) -> None:
        g.fix("i")
        g.split_all(g.assume())
        row = g.apply(g.fact("mm_entry", "d", "d", 1, "S", "w"), "i", 1)
        value = g.have("u[i,1] = (S @ w)[i,1]", lambda g: g.ctx(using(u)))

        def rest(g: Goal) -> None:
            g.fix("j")
            g.assume()
            n = g.assume()
            z = g.apply(off, "i", "j", by=[lambda g: different(g, n)])
            g.field((z, "w[j,1]"))

        delta = g.by_fact("sum_delta", 1, "d", "i", "lam j:Z. S[i,j]*w[j,1]", by=[None, None, rest])
        own = g.apply(diag, "i")
        mono = g.split(g.apply(order, "i", "d"))[1]
        mono = g.apply(mono)
        only(g, row, value, delta, own, mono)
        g.pos([f"@{mono}", "w[i,1]^2"], eqs=[(value, "w[i,1]"), (row, "w[i,1]"), (delta, "w[i,1]"), (own, "w[i,1]^2")])

    k = g.by_fact("sum_mono", 1, "d", "lam i:Z. sv(A,d)*w[i,1]^2", "lam i:Z. w[i,1]*u[i,1]", by=[term])
    form = g.have("T(w) @ S @ w = T(w) @ u", lambda g: g.nc((u, -1, "T(w)", None)))
    g.rewrite(form)
    only(g, k, entries, one, ww)
    g.pos([f"@{k}"], eqs=[(one, 1), (entries, "-sv(A,d)"), (ww, "sv(A,d)")])


def different(g: Goal, n: str) -> None:
    """i != j from j != i."""
    eq = g.contra()
    same = g.have("j = i", lambda g: g.field((eq, -1)))
    g.clash(same, n)
