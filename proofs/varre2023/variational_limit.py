"""Theorem 3.1 (iii) and Lemma C.4: the limit of the flow minimises |W1|^2/2 + |W2|^2/2 - gamma log det(W1 W1^T) among the interpolators."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.network_and_loss import size
from proofs.varre2023.projection_steps import VARS
from proofs.varre2023.residual_decay import LEMMA, NO_RESTRICTION, TARGET_VARS, TWO_WITH_TARGET, WITH_TARGET
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "varre2023.lemma-c-4"


def objective(first: str, second: str) -> str:
    """|W2|^2/2 + |W1|^2/2 - gamma log det(W1 W1^T)."""
    return f"({size(second)}/2 + {size(first)}/2 - c*log(det({first} @ T({first}))))"


@part(
    CLAIM,
    "product-and-sum",
    """all n:Z, X:M(n,n). (all i:Z. 1 <= i => i <= n => 0 <= X[i,i]) => all q:Z. 0 <= q => q <= n =>
       0 <= prod(i, 1, q, X[i,i]) and prod(i, 1, q, X[i,i]) <= exp(sum(i, 1, q, X[i,i]) - q)""",
    says="a product of nonnegative numbers x is at most the exponential of the sum of the x - 1",
)
def product_below_the_exponential(g: Goal) -> None:
    """x <= exp(x - 1), by induction."""
    g.fix("n", "X")
    nonneg = g.assume()
    g.induct("q", "ih")
    high = g.assume()
    entry = "lam i:Z. X[i,i]"

    def empty(g: Goal) -> None:
        none = g.have("q = 0", lambda g: g.antisym())
        g.rewrite(none)
        p = g.by_fact("prod_empty", 1, 0, entry)
        s = g.by_fact("sum_empty", 1, 0, entry)
        g.rewrite(p)
        g.rewrite(s)
        g.conj(lambda g: g.pos([1]), lambda g: g.pos())

    def step(g: Goal) -> None:
        one = g.by_fact("int_lt", 0, "q")
        h = g.apply(
            "ih",
            "q - 1",
            by=[
                lambda g: g.conj(lambda g: g.pos([f"@{one}"]), lambda g: g.pos([1])),
                lambda g: g.pos([f"@{high}"], [1]),
            ],
        )
        low, bound = g.split(h)
        x = g.apply(nonneg, "q", by=[lambda g: g.pos([f"@{one}"]), None])
        p = g.by_fact("prod_last", 1, "q", entry, by=[lambda g: g.pos([f"@{one}"])])
        s = g.by_fact("sum_last", 1, "q", entry, by=[lambda g: g.pos([f"@{one}"])])
        g.rewrite(p)
        g.rewrite(s)
        total = "sum(i, 1, q - 1, X[i,i])"
        small = g.fact("exp_convex", "X[q,q] - 1")
        e, f = f"exp({total} - (q - 1))", "exp(X[q,q] - 1)"
        split = g.have(f"exp({total} + X[q,q] - q) = {e}*{f}", lambda g: g.field())
        g.conj(
            lambda g: g.pos([f"@{low}", f"@{x}"]),
            lambda g: g.pos([f"@{bound}", f"@{x}"], [e, f"@{small}"], eqs=[(split, 1)]),
        )

    g.em("q <= 0", empty, step)


@part(
    CLAIM,
    "determinant-and-trace",
    "all p q:Z, N:M(p,q). 0 <= p => 0 <= det(N @ T(N)) and det(N @ T(N)) <= exp(tr(N @ T(N)) - p)",
    says="the determinant of a Gram matrix is at most the exponential of its trace minus the dimension",
)
def determinant_below_the_exponential(g: Goal) -> None:
    """In an eigenbasis: a product against a sum."""
    (wide,) = g.intro()
    m = "(N @ T(N))"
    base = g.by_fact("simultaneous_diagonalisation", "p", m, m, by=[lambda g: g.nc(), lambda g: g.nc(), lambda g: g.refl()])
    orth, off = g.obtain(base, "U")
    back = g.split(g.by_fact("inv_unique", "p", "T(U)", "U"))[1]
    d = f"(T(U) @ {m} @ U)"
    diag = g.have(
        f"all i j:Z. i != j => {d}[i,j] = 0",
        lambda g: (g.fix("i", "j"), g.assume(), g.close_by(g.split(g.apply(off, "i", "j"))[0])),
    )
    det = g.by_fact("det_diagonal", "p", d, by=[using(diag)])
    one = g.fact("det_product", "p", "T(U)", f"{m} @ U")
    two = g.fact("det_product", "p", m, "U")
    three = g.fact("det_product", "p", "T(U)", "U")
    unit = g.fact("det_identity", "p")
    ortho = g.have("det(T(U) @ U) = 1", lambda g: (g.rewrite(orth), g.close_by(unit)))
    same = g.have(
        f"det({m}) = det({d})",
        lambda g: (
            g.have(f"det({d}) = det(T(U) @ ({m} @ U))", lambda g: g.ctx(lambda g: g.nc()), name="assoc"),
            g.field(("assoc", -1), (one, -1), (two, "-det(T(U))"), (three, f"det({m})"), (ortho, f"-det({m})")),
        ),
    )
    trace = g.have(f"tr({m}) = sum(i, 1, p, {d}[i,i])", lambda g: traced(g, back, d, m))

    def nonneg(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.assume()
        w = g.term("T(U) @ N")
        square = g.have(("=", g.term(d), ("mm", w, ("T", w))), lambda g: g.nc())
        entry = g.apply(g.fact("mm_entry", "p", "q", "p", "T(U) @ N", "T(T(U) @ N)"), "i", "i")
        terms = g.have("sum(l, 1, q, (T(U) @ N)[i,l]*T(T(U) @ N)[l,i]) = sum(l, 1, q, (T(U) @ N)[i,l]^2)", lambda g: g.field())
        g.rewrite(square)
        g.rewrite(entry)
        g.rewrite(terms)
        g.auto()

    h = g.lemma(CLAIM, "part:product-and-sum", "p", d, by=[nonneg])
    low, high = g.split(g.apply(h, "p", by=[using(wide), None]))
    g.rewrite(same)
    g.rewrite(det)
    g.rewrite(trace)
    g.conj(using(low), using(high))


def traced(g: Goal, back: str, d: str, m: str) -> None:
    """The trace in the eigenbasis."""
    entries = g.fact("tr_entries", "p", d)
    turned = g.have(f"{m} @ U @ T(U) = {m}", lambda g: g.nc((back, 1, m, None)))
    cyclic = g.have(f"tr({m} @ U @ T(U)) = tr({d})", lambda g: g.field())
    plain = g.have(f"tr({m} @ U @ T(U)) = tr({m})", lambda g: (g.rewrite(turned), g.refl()))
    g.field((plain, -1), (cyclic, 1), (entries, 1))


ALPHA = "(inv(T(A)) @ B)"


@part(
    CLAIM,
    "optimal",
    f"""all n p k q:Z, c:R, X:M(n,p), Y:M(n,k), A:M(p,p), B:M(p,k), L:M(n,k), C:M(p,q), E:M(q,k). 1 <= p => 0 < c =>
       T(A) @ A - B @ T(B) = (2*c)*I(p) => X @ A @ B = Y => A @ B = T(X) @ L => 0 < det(A @ T(A)) and
       (X @ C @ E = Y => det(C @ T(C)) != 0 => {objective("A", "B")} <= {objective("C", "E")})""",
    says="an interpolating pair with the invariant and the product in the span of the rows of X minimises the potential",
)
def invariant_pairs_are_optimal(g: Goal) -> None:
    """With alpha = A^{-T} B = X^T M: |E|^2 >= 2 <alpha, C E> - |C^T alpha|^2, I - alpha alpha^T = 2 gamma (A A^T)^{-1}, and log det N N^T <= tr N N^T - d
    for N = A^{-1} C."""
    many, _, invariant, fits, spanned = g.intro()[:5]
    regular = g.have("det(A) != 0", lambda g: first_is_regular(g, invariant))
    det_t = g.fact("det_transpose", "p", "A")
    g.have("det(T(A)) != 0", lambda g: (g.rewrite(det_t), g.close_by(regular)))
    g.by_fact("inv_left", "p", "A", by=[using(regular)])
    right = g.by_fact("inv_right", "p", "A", by=[using(regular)])
    square = g.fact("det_product", "p", "A", "T(A)")
    big = g.have(
        "0 < det(A @ T(A))",
        lambda g: (g.rewrite(square), g.rewrite(det_t), g.replace("det(A)*det(A)", "det(A)^2", lambda g: g.field()), g.auto()),
    )
    kk = "((2*c)*I(k) + T(B) @ B)"
    regular_k = g.have(f"det({kk}) != 0", lambda g: second_is_regular(g))
    right_k = g.by_fact("inv_right", "k", kk, by=[using(regular_k)])
    beta = g.have(f"A @ B = {ALPHA} @ {kk}", lambda g: g.nc((invariant, 1, "inv(T(A))", "B")))
    m = f"(L @ inv({kk}))"
    alpha = g.have(
        f"{ALPHA} = T(X) @ {m}",
        lambda g: g.nc((right_k, -1, ALPHA, None), (beta, -1, None, f"inv({kk})"), (spanned, 1, None, f"inv({kk})")),
    )

    def compare(g: Goal) -> None:
        other, nonzero = g.assume(), g.assume()
        named = g.obtain(g.have("ex N:M(p,q). N = inv(A) @ C", lambda g: (g.witness("inv(A) @ C"), g.refl())), "N")[0]
        n = "N"
        gram = g.have(
            f"(2*c)*(inv(T(A)) @ inv(A)) = I(p) - {ALPHA} @ T({ALPHA})", lambda g: g.nc((invariant, -1, "inv(T(A))", "inv(A)"))
        )
        trace = g.have(
            f"2*c*tr({n} @ T({n})) = {size('C')} - {size('T(C) @ ' + ALPHA)}",
            lambda g: (
                g.have(
                    f"tr(T(C) @ ((2*c)*(inv(T(A)) @ inv(A))) @ C) = tr(T(C) @ (I(p) - {ALPHA} @ T({ALPHA})) @ C)",
                    lambda g: (g.rewrite(gram), g.refl()),
                    name="tt",
                ),
                g.rewrite(named),
                g.field(("tt", 1)),
            ),
        )
        pairing = g.have(f"tr(T({ALPHA}) @ C @ E) = {size('B')}", lambda g: paired(g, alpha, other, fits, m))
        det = g.have(f"det(C @ T(C)) = det(A @ T(A))*det({n} @ T({n}))", lambda g: determinants(g, right, named, square))
        low, high = g.split(g.lemma(CLAIM, "part:determinant-and-trace", "p", "q", n, by=[lambda g: g.pos([f"@{many}"], [1])]))

        def strict(g: Goal) -> None:
            less = g.contra()
            zero = g.have(f"det({n} @ T({n})) = 0", lambda g: g.antisym(using(less), using(low)))
            none = g.have("det(C @ T(C)) = 0", lambda g: g.field((det, 1), (zero, "det(A @ T(A))")))
            g.clash(none, nonzero)

        some = g.have(f"0 < det({n} @ T({n}))", strict)
        logs = g.by_fact("log_mono", f"det({n} @ T({n}))", f"exp(tr({n} @ T({n})) - p)", by=[using(some), using(high)])
        plain = g.fact("log_exp", f"tr({n} @ T({n})) - p")
        parts = g.have(f"log(det(C @ T(C))) = log(det(A @ T(A))) + log(det({n} @ T({n})))", lambda g: (g.rewrite(det), g.field()))
        whole = g.have(f"{size('A')} = 2*c*p + {size('B')}", lambda g: invariant_trace(g, invariant, many))
        g.pos(
            ["1/2", size(f"E - T(C) @ {ALPHA}")],
            ["c", f"@{logs}"],
            eqs=[(whole, "-1/2"), (pairing, 1), (trace, "-1/2"), (parts, "-c"), (plain, "-c")],
        )

    g.conj(using(big), compare)


def first_is_regular(g: Goal, invariant: str) -> None:
    """A v = 0 gives 2 gamma |v|^2 + |B^T v|^2 = 0."""
    g.contra()
    nonzero, killed = g.obtain(g.by_fact("det_kernel", "p", "A"), "v")
    eq = g.have(
        "(2*c)*(T(v) @ v) = -(T(T(B) @ v) @ (T(B) @ v))",
        lambda g: g.nc((invariant, -1, "T(v)", "v"), (killed, 1, "T(v) @ T(A)", None)),
    )
    kernel_vanishes(g, eq, "p", "(T(B) @ v)", nonzero, -1)


def second_is_regular(g: Goal) -> None:
    """(2 gamma + B^T B) v = 0 gives 2 gamma |v|^2 + |B v|^2 = 0."""
    g.contra()
    nonzero, killed = g.obtain(g.by_fact("det_kernel", "k", "(2*c)*I(k) + T(B) @ B"), "v")
    eq = g.have("(2*c)*(T(v) @ v) = -(T(B @ v) @ (B @ v))", lambda g: g.nc((killed, 1, "T(v)", None)))
    kernel_vanishes(g, eq, "k", "(B @ v)", nonzero, -1)


def kernel_vanishes(g: Goal, eq: str, dim: str, w: str, nonzero: str, sign: int) -> None:
    """2 gamma |v|^2 = -|w|^2 contradicts v != 0."""
    f = g.hyp_formula(eq)
    h = g.have(("=", ("tr", f[1]), ("tr", f[2])), lambda g: (g.rewrite(eq), g.refl()))
    low = g.have("0 <= tr(T(v) @ v)")
    high = g.have("tr(T(v) @ v) <= 0", lambda g: g.pos([size(w)], mul=["2*c"], eqs=[(h, sign)]))
    zero = g.have("tr(T(v) @ v) = 0", lambda g: g.antisym(using(high), using(low)))
    none = g.by_fact("frobenius_zero", dim, 1, "v", by=[using(zero)])
    g.clash(none, nonzero)


def paired(g: Goal, alpha: str, other: str, fits: str, m: str) -> None:
    """<alpha, C E> = <M, Y> = <alpha, A B> = |B|^2."""
    turned = g.have(f"T({ALPHA}) = T({m}) @ X", lambda g: (g.rewrite(alpha), g.nc()))
    one = g.have(f"T({ALPHA}) @ C @ E = T({m}) @ Y", lambda g: g.nc((turned, 1, None, "C @ E"), (other, 1, f"T({m})", None)))
    two = g.have(f"T({m}) @ Y = T({ALPHA}) @ A @ B", lambda g: g.nc((turned, -1, None, "A @ B"), (fits, -1, f"T({m})", None)))
    three = g.have(f"T({ALPHA}) @ A @ B = T(B) @ B", lambda g: last_pair(g))
    g.replace(
        f"T({ALPHA}) @ C @ E", "T(B) @ B", lambda g: g.nc((one, 1, None, None), (two, 1, None, None), (three, 1, None, None))
    )
    g.refl()


def last_pair(g: Goal) -> None:
    """A^{-1} A = I."""
    left = next(h for h, f in g.seq.hyps.items() if f == g.formula("inv(A) @ A = I(p)"))
    g.nc((left, 1, "T(B)", "B"))


def determinants(g: Goal, right: str, named: str, square: str) -> None:
    """C C^T = A (N N^T) A^T."""
    back = g.have("C = A @ N", lambda g: g.nc((named, -1, "A", None), (right, -1, None, "C")))
    eq = g.have("C @ T(C) = A @ ((N @ T(N)) @ T(A))", lambda g: (g.rewrite(back), g.nc()))
    one = g.fact("det_product", "p", "A", "(N @ T(N)) @ T(A)")
    two = g.fact("det_product", "p", "N @ T(N)", "T(A)")
    g.rewrite(eq)
    g.field((one, 1), (two, "det(A)"), (square, "-det(N @ T(N))"))


def invariant_trace(g: Goal, invariant: str, many: str) -> None:
    """|A|^2 = 2 gamma d + |B|^2."""
    g.have("0 <= p", lambda g: g.pos([f"@{many}"], [1]))
    f = g.hyp_formula(invariant)
    t = g.have(("=", ("tr", f[1]), ("tr", f[2])), lambda g: (g.rewrite(invariant), g.refl()))
    g.field((t, 1))


REASON = (
    "the printed proof shows that the limit is a stationary point and reads Proposition C.5 backwards; the problem is not convex in (Z_1, Z_2), "
    "but the bound log det M <= tr M - d gives the minimum over all pairs"
)


def minimiser(first: str, second: str, dims: str, extra: str = "") -> str:
    """The pair interpolates, det > 0, and no interpolating pair of these dimensions with an invertible Gram matrix is better."""
    c, e = dims.split()
    return f"""X @ {first} @ {second} = Y and 0 < det({first} @ T({first})) and
       all C:{c}, E:{e}. X @ C @ E = Y => det(C @ T(C)) != 0 => {extra}{objective(first, second)} <= {objective("C", "E")}"""


READING = "pairs with det(W_1 W_1^T) = 0 are excluded, where the objective is +infinity; an interpolator is available"


@holds(
    CLAIM,
    f"""{WITH_TARGET.replace("0 < c =>", "1 <= p => 0 < c =>", 1)} ex A:M(p,p), B:M(p,k). tends(t, Z1(t), A) and tends(t, Z2(t), B) and
       {minimiser("A", "B", "M(p,p) M(p,k)")}""",
    argument="repaired",
    reason=REASON,
    reading=READING,
    uses=[LEMMA],
)
def limit_of_the_projected_flow_is_optimal(g: Goal) -> None:
    """The limit interpolates, keeps the invariant, and its product is in the span of the rows of X."""
    names = g.intro()
    target, many, setting = names[0], names[1], names[2:7]
    done = g.lemma(LEMMA, "part:projected-limit", *TARGET_VARS, by=[using(n) for n in (target, *setting)])
    a, b, fits, invariant, spanned = g.obtain(done, "A", "B")
    span = g.obtain(spanned, "L")[0]
    given = [using(n) for n in (many, setting[0], invariant, fits, span)]

    def best(g: Goal, c: str, e: str, q: str) -> tuple[str, str]:
        h = g.lemma(CLAIM, "part:optimal", *("n", "p", "k", q, "c", "X", "Y", "A", "B", "L", c, e), by=given)
        one, two = g.split(h)
        return one, two

    g.witness("A", "B")
    positive, _ = best(g, "A", "B", "p")

    def least(g: Goal) -> None:
        g.fix("C", "E")
        fit, regular = g.assume(), g.assume()
        _, h = best(g, "C", "E", "p")
        g.close_by(g.apply(h, by=[using(fit), using(regular)]))

    g.conj(using(a), using(b), using(fits), using(positive), least)


def two_layer_optimum(g: Goal, restricted: bool) -> None:
    """The pair (A P, P^T B) has the objective of (A, B)."""
    names = g.intro()
    extra = 4 if restricted else 1
    many = names[extra]
    setting = [names[0], *names[extra + 1 : extra + 6]]
    ortho = setting[2]
    done = g.lemma("varre2023.thm-3-1-i", "part:limit", *VARS, "b", by=[using(n) for n in setting])
    a, b, fits, invariant, spanned = g.obtain(done, "A", "B")
    span = g.obtain(spanned, "L")[0]
    given = [using(n) for n in (many, setting[1], invariant, fits, span)]
    g.witness("A @ P", "T(P) @ B")

    def best(g: Goal, c: str, e: str, q: str) -> list[str]:
        return g.split(g.lemma(CLAIM, "part:optimal", *("n", "p", "k", q, "c", "X", "Y", "A", "B", "L", c, e), by=given))

    positive = best(g, "A", "B", "p")[0]

    def regular(g: Goal) -> None:
        same = g.have(("=", g.concl[2], ("det", g.term("A @ T(A)"))), lambda g: g.ctx(lambda g: g.nc((ortho, 1, "A", "T(A)"))))
        g.rewrite(same)
        g.close_by(positive)

    def least(g: Goal) -> None:
        g.fix("C", "E")
        assumed = [g.assume() for _ in range(4 if restricted else 2)]
        h = g.apply(best(g, "C", "E", "l")[1], by=[using(n) for n in assumed[:2]])
        log = g.have(
            ("=", find_det(g.concl[1]), ("det", g.term("A @ T(A)"))), lambda g: g.ctx(lambda g: g.nc((ortho, 1, "A", "T(A)")))
        )
        g.rewrite(log)
        one = g.have(f"{size('A @ P')} = {size('A')}", lambda g: traces(g, "A @ (P @ T(P)) @ T(A)", ortho, ("A", "T(A)")))
        two = g.have(f"{size('T(P) @ B')} = {size('B')}", lambda g: traces(g, "T(B) @ (P @ T(P)) @ B", ortho, ("T(B)", "B")))
        g.pos([f"@{h}"], eqs=[(one, "-1/2"), (two, "-1/2")])

    g.conj(
        using(a),
        using(b),
        *([lambda g: inside_set(g, names, "first"), lambda g: inside_set(g, names, "second")] if restricted else []),
        lambda g: g.nc((ortho, 1, "X @ A", "B"), (fits, 1, None, None)),
        regular,
        least,
    )


def find_det(t: object) -> tuple:
    """The first determinant inside a term."""
    if isinstance(t, tuple):
        if t[0] == "det":
            return t
        for x in t[1:]:
            r = find_det(x)
            if r:
                return r
    return ()


def traces(g: Goal, middle: str, ortho: str, sides: tuple[str, str]) -> None:
    """P P^T = I inside a trace."""
    before, after = sides
    eq = g.have(f"{middle} = {before} @ {after}", lambda g: g.nc((ortho, 1, before, after)))
    t = g.have(f"tr({middle}) = tr({before} @ {after})", lambda g: (g.rewrite(eq), g.refl()))
    g.field((t, 1))


def inside_set(g: Goal, names: list[str], which: str) -> None:
    """Membership in the restricted set, from Q P^T = 0."""
    cross = names[3]
    if which == "first":
        turned = g.have("T(Q @ T(P)) = T(O(l - p, p))", lambda g: (g.rewrite(cross), g.nc()))
        g.nc((turned, 1, "A", None))
    else:
        g.nc((cross, 1, None, "B"))


@holds(
    "varre2023.thm-3-1-iii",
    f"""{TWO_WITH_TARGET.replace("0 < c =>", "1 <= p => 0 < c =>", 1)} ex A:M(p,l), B:M(l,k). tends(t, W1(t), A) and tends(t, W2(t), B) and
       {minimiser("A", "B", "M(p,l) M(l,k)")}""",
    argument="repaired",
    reason=REASON,
    reading=f"{READING}; {NO_RESTRICTION}",
    uses=[CLAIM, "varre2023.thm-3-1-i"],
)
def limit_of_the_layers_is_optimal(g: Goal) -> None:
    """The part of Lemma C.4 for pairs of any inner dimension."""
    two_layer_optimum(g, restricted=False)


RESTRICTED = TWO_WITH_TARGET.replace(", b:M(p,k).", ", b:M(p,k), Q:M(l - p,l).", 1).replace(
    "0 < c =>", "p <= l => Q @ T(Q) = I(l - p) => Q @ T(P) = O(l - p,p) => 1 <= p => 0 < c =>", 1
)
INSIDE = "C @ T(Q) = O(p,l - p) => Q @ E = O(l - p,k) => "


@holds(
    "varre2023.assertion-b-restricted-set",
    f"""{RESTRICTED} ex A:M(p,l), B:M(l,k). tends(t, W1(t), A) and tends(t, W2(t), B) and A @ T(Q) = O(p,l - p) and Q @ B = O(l - p,k) and
       {minimiser("A", "B", "M(p,l) M(l,k)", INSIDE)}""",
    argument="repaired",
    reason=REASON,
    reading=f"{READING}; Q stands for P_perp; by Theorem 3.1 (iii) the limit is also the best among all pairs, not only on this set",
    uses=[CLAIM, "varre2023.thm-3-1-i"],
)
def limit_is_optimal_on_the_restricted_set(g: Goal) -> None:
    """The limit is in the set, and optimal even among all pairs."""
    two_layer_optimum(g, restricted=True)


@holds(
    "varre2023.step-b-norm-transfer",
    """all p l k:Z, P:M(p,l), W1:M(p,l), W2:M(l,k), Z1:M(p,p), Z2:M(p,k). P @ T(P) = I(p) => W1 = Z1 @ P => W2 = T(P) @ Z2 =>
       sqrt(tr(T(W1) @ W1)) = sqrt(tr(T(Z1) @ Z1)) and sqrt(tr(T(W2) @ W2)) = sqrt(tr(T(Z2) @ Z2)) and
       Z1 @ T(Z1) = W1 @ T(W1) and Z1 @ Z2 = W1 @ W2""",
    argument="sound",
)
def norms_and_products_transfer(g: Goal) -> None:
    """P P^T = I."""
    ortho, one, two = g.intro()
    gram = g.have("W1 @ T(W1) = Z1 @ T(Z1)", lambda g: g.nc((ortho, 1, "Z1", "T(Z1)"), rw=[one]))
    own = g.have("T(W2) @ W2 = T(Z2) @ Z2", lambda g: g.nc((ortho, 1, "T(Z2)", "Z2"), rw=[two]))
    first = g.have("tr(W1 @ T(W1)) = tr(Z1 @ T(Z1))", lambda g: (g.rewrite(gram), g.refl()))
    second = g.have("tr(T(W2) @ W2) = tr(T(Z2) @ Z2)", lambda g: (g.rewrite(own), g.refl()))
    norm = g.have("tr(T(W1) @ W1) = tr(T(Z1) @ Z1)", lambda g: g.field((first, 1)))
    g.conj(
        lambda g: (g.rewrite(norm), g.refl()),
        lambda g: (g.rewrite(second), g.refl()),
        lambda g: g.nc((gram, -1, None, None)),
        lambda g: g.nc((ortho, -1, "Z1", "Z2"), rw=[one, two]),
    )


@holds(
    "varre2023.eq-b-2",
    "all p l:Z, P:M(p,l), W1:M(p,l), Z1:M(p,p). P @ T(P) = I(p) => W1 = Z1 @ P => W1 @ T(W1) = Z1 @ T(Z1)",
    argument="sound",
)
def gram_matrices_agree(g: Goal) -> None:
    """P P^T = I."""
    ortho, one = g.intro()
    g.nc((ortho, 1, "Z1", "T(Z1)"), rw=[one])


@holds(
    "varre2023.step-c-4-gradient",
    f"""{WITH_TARGET} ex A:M(p,p), B:M(p,k). tends(t, Z1(t), A) and tends(t, Z2(t), B) and det(A) != 0 and
       inv(T(A)) @ B @ T(B) = inv(T(A)) @ (T(A) @ A - (2*c)*I(p)) and inv(T(A)) @ (T(A) @ A - (2*c)*I(p)) = A - (2*c)*inv(T(A))""",
    argument="sound",
    reading="the chain of equalities at the limit, whose first member is what condition (P2) asks of the gradient",
    uses=[LEMMA],
)
def gradient_that_the_potential_must_have(g: Goal) -> None:
    """The invariant at the limit."""
    names = g.intro()
    done = g.lemma(LEMMA, "part:projected-limit", *TARGET_VARS, by=[using(n) for n in names])
    a, b, _, invariant, _ = g.obtain(done, "A", "B")
    g.witness("A", "B")
    regular = g.have("det(A) != 0", lambda g: first_is_regular(g, invariant))
    det_t = g.fact("det_transpose", "p", "A")
    turned = g.have("det(T(A)) != 0", lambda g: (g.rewrite(det_t), g.close_by(regular)))
    left = g.by_fact("inv_left", "p", "T(A)", by=[using(turned)])
    g.conj(
        using(a),
        using(b),
        using(regular),
        lambda g: g.nc((invariant, -1, "inv(T(A))", None)),
        lambda g: g.nc((left, 1, None, "A")),
    )
