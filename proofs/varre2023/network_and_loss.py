"""Section 2: the loss, the network as a linear predictor, its homogeneity, and the convexity of the loss."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds


def size(x: str) -> str:
    """The squared norm."""
    return f"tr(T({x}) @ ({x}))"


POINT = "(y(i) - f(x(i)))"


@holds(
    "varre2023.eq-2-1",
    f"""all n d k:Z, x:Z->V(d), y:Z->V(k), f:V(d)->V(k), L:R. 1 <= n => L = (1/(2*n))*sum(i, 1, n, {size(POINT)}) =>
       0 <= L and (L = 0 <=> all i:Z. 1 <= i => i <= n => f(x(i)) = y(i))""",
    argument="sound",
    reading="the definition, with what makes it a training loss: it is nonnegative, and 0 exactly for a model that fits all samples",
)
def training_loss(g: Goal) -> None:
    """A mean of squares."""
    many, value = g.intro()
    total = f"sum(i, 1, n, {size(POINT)})"
    each = "lam i:Z. " + size(POINT)
    nonneg = g.have(f"0 <= {total}")
    g.have("0 < n", lambda g: g.pos([f"@{many}"], [1]))

    def forth(g: Goal) -> None:
        eq = g.assume()
        none = g.have(f"{total} = 0", lambda g: g.field((value, "-2*n"), (eq, "2*n")))
        terms = g.by_fact("sum_zero_terms", 1, "n", each, by=[None, lambda g: g.close_by(none)])
        g.fix("i")
        g.assume()
        g.assume()
        h = g.apply(terms, "i")
        zero = g.by_fact("frobenius_zero", "k", 1, POINT, by=[lambda g: g.close_by(h)])
        g.nc((zero, -1, None, None))

    def back(g: Goal) -> None:
        fits = g.assume()

        def term(g: Goal) -> None:
            g.fix("i")
            g.split_all(g.assume())
            h = g.apply(fits, "i")
            g.rewrite(h)
            g.field()

        same = g.by_fact("sum_ext", 1, "n", each, "lam i:Z. 0", by=[term])
        g.rewrite(value)
        g.rewrite(same)
        g.field()

    g.conj(lambda g: g.pos([f"@{nonneg}"], mul=["2*n"], eqs=[(value, "2*n")]), lambda g: g.iff(forth, back))


RESIDUAL = "(X @ W1 @ W2 - Y)"
SAMPLE = "(y(i) - T(W2) @ T(W1) @ x(i))"


@holds(
    "varre2023.eq-2-2",
    f"""all n d k l:Z, x:Z->V(d), y:Z->V(k), X:M(n,d), Y:M(n,k), W1:M(d,l), W2:M(l,k). 1 <= n => 0 <= d => 0 <= k =>
       (all i j:Z. 1 <= i => i <= n => 1 <= j => j <= d => X[i,j] = x(i)[j,1]) =>
       (all i j:Z. 1 <= i => i <= n => 1 <= j => j <= k => Y[i,j] = y(i)[j,1]) =>
       (1/(2*n))*{size(RESIDUAL)} = (1/(2*n))*sum(i, 1, n, {size(SAMPLE)})""",
    argument="sound",
    reading="N is the number of samples, n in (2.1)",
)
def loss_by_samples(g: Goal) -> None:
    """The rows of X W1 W2 - Y are the residuals of the samples."""
    many, _d, _k, data, labels = g.intro()
    g.have("0 <= n", lambda g: g.pos([f"@{many}"], [1]))
    rows = g.fact("frobenius_entries", "n", "k", RESIDUAL)
    left = g.apply(rows) if g.hyp_formula(rows)[0] == "=>" else rows

    def row(g: Goal) -> None:
        g.fix("i")
        g.split_all(g.assume())
        vector = g.fact("frobenius_entries", "k", 1, SAMPLE)
        own = g.apply(vector) if g.hyp_formula(vector)[0] == "=>" else vector

        def entry(g: Goal) -> None:
            g.fix("j")
            g.split_all(g.assume())
            one = g.apply(g.fact("mm_entry", "n", "d", "k", "X", "W1 @ W2"), "i", "j")
            two = g.apply(g.fact("mm_entry", "k", "d", 1, "T(W1 @ W2)", "x(i)"), "j", 1)

            def product(g: Goal) -> None:
                g.fix("l0")
                g.split_all(g.assume())
                h = g.apply(data, "i", "l0")
                g.field((h, "(W1 @ W2)[l0,j]"))

            sums = g.by_fact(
                "sum_ext", 1, "d", "lam l0:Z. X[i,l0]*(W1 @ W2)[l0,j]", "lam l0:Z. T(W1 @ W2)[j,l0]*x(i)[l0,1]", by=[product]
            )
            y = g.apply(labels, "i", "j")
            plain = g.have("T(W2) @ T(W1) @ x(i) = T(W1 @ W2) @ x(i)", lambda g: g.nc())
            same = g.have(
                f"{RESIDUAL}[i,j] = -({SAMPLE}[j,1])",
                lambda g: (
                    g.rewrite(plain),
                    g.replace("X @ W1 @ W2", "X @ (W1 @ W2)", lambda g: g.nc()),
                    g.field((one, 1), (sums, 1), (two, -1), (y, -1)),
                ),
            )
            g.rewrite(same)
            g.field()

        entries = g.by_fact("sum_ext", 1, "k", f"lam j:Z. {RESIDUAL}[i,j]^2", f"lam j:Z. {SAMPLE}[j,1]^2", by=[entry])
        inner = g.by_fact(
            "sum_ext",
            1,
            "k",
            f"lam r:Z. sum(j, 1, 1, {SAMPLE}[r,j]^2)",
            f"lam r:Z. {SAMPLE}[r,1]^2",
            by=[lambda g: (g.fix("r"), g.assume(), g.field())],
        )
        g.rewrite(entries)
        g.rewrite(own)
        g.rewrite(inner)
        g.refl()

    total = g.by_fact("sum_ext", 1, "n", f"lam i:Z. sum(j, 1, k, {RESIDUAL}[i,j]^2)", f"lam i:Z. {size(SAMPLE)}", by=[row])
    g.rewrite(left)
    g.rewrite(total)
    g.refl()


SCALED = "(((1/sqrt(m))*X) @ W1 @ W2 - (1/sqrt(m))*Y)"


@holds(
    "varre2023.assertion-data-rescaling",
    f"""all n d k l:Z, m:R, X:M(n,d), Y:M(n,k), W1:M(d,l), W2:M(l,k). 0 < m =>
       (1/(2*m))*{size(RESIDUAL)} = (1/2)*{size(SCALED)}""",
    argument="sound",
)
def factor_goes_into_the_data(g: Goal) -> None:
    """(1/sqrt(N))^2 = 1/N."""
    g.intro()
    g.field()


@holds(
    "varre2023.assertion-linear-predictor",
    """all d k l:Z. 1 <= d => 1 <= k => d <= l =>
       (all W1:M(d,l), W2:M(l,k), x:V(d). T(W2) @ T(W1) @ x = T(W1 @ W2) @ x) and
       (all B:M(d,k). ex W1:M(d,l), W2:M(l,k). all x:V(d). T(W2) @ T(W1) @ x = T(B) @ x)""",
    argument="sound",
    context="l >= d, weaker than the printed l >> d [the claim itself]",
)
def network_is_a_linear_predictor(g: Goal) -> None:
    """Transposes; a matrix of rank at most l is a product with inner dimension l."""
    g.intro()

    def every(g: Goal) -> None:
        g.fix("B")
        g.split_all(g.by_fact("rank_bounds", "d", "k", "B"))
        h = g.by_fact("rank_factor", "d", "k", "l", "B")
        made = g.obtain(h, "W1", "W2")
        g.witness("W1", "W2")
        g.fix("x")
        turned = g.have("T(B) = T(W2) @ T(W1)", lambda g: g.nc(rw=[made[0]]))
        g.nc((turned, -1, None, "x"))

    g.conj(lambda g: (g.intro(), g.nc()), every)


@holds(
    "varre2023.assertion-homogeneity",
    """(all d k l:Z, W1:M(d,l), W2:M(l,k), x:V(d), r:R. T(r*W2) @ T(r*W1) @ x = (r^2)*(T(W2) @ T(W1) @ x)) and
       (all l d:Z, W:M(d,l), a:V(l), x:V(d), r:R. 0 <= r =>
          sum(j, 1, l, (r*a)[j,1]*max(0, (T(r*W) @ x)[j,1])) = r^2*sum(j, 1, l, a[j,1]*max(0, (T(W) @ x)[j,1])))""",
    argument="sound",
    reading="for the linear network every real factor; for the ReLU network, given as the comparison, factors >= 0",
)
def predictor_is_homogeneous(g: Goal) -> None:
    """Both layers are scaled; max(0, r z) = r max(0, z) for r >= 0."""

    def relu(g: Goal) -> None:
        (nonneg,) = g.intro()

        def term(g: Goal) -> None:
            g.fix("j")
            g.assume()
            scaled = g.have(
                "(T(r*W) @ x)[j,1] = r*(T(W) @ x)[j,1]",
                lambda g: (g.replace("T(r*W) @ x", "r*(T(W) @ x)", lambda g: g.nc()), g.field()),
            )
            z = "(T(W) @ x)[j,1]"

            def signs(g: Goal) -> None:
                own = g.split_all(list(g.seq.hyps)[-1])
                up = g.term(z) == g.hyp_formula(own[0])[2]
                g.cases(g.fact("max_cases", 0, f"r*{z}"), lambda g: closed(g, own, up), lambda g: closed(g, own, up))

            def closed(g: Goal, own: list[str], up: bool) -> None:
                sign, value = g.split_all(list(g.seq.hyps)[-1])
                other = g.have(f"{'0 <= ' if up else ''}r*{z}{'' if up else ' <= 0'}", lambda g: g.pos(["r", f"@{own[0]}"]))
                g.rewrite(value)
                g.rewrite(own[1])
                if g.hyp_formula(sign) == g.hyp_formula(other):
                    g.field()
                    return
                zero = g.have(f"r*{z} = 0", lambda g: g.antisym())
                g.field((zero, f"{'-' if up else ''}r*a[j,1]"))

            g.rewrite(scaled)
            g.cases(g.fact("max_cases", 0, z), signs, signs)

        left, right = "(r*a)[j,1]*max(0, (T(r*W) @ x)[j,1])", "a[j,1]*max(0, (T(W) @ x)[j,1])"
        same = g.by_fact("sum_ext", 1, "l", f"lam j:Z. {left}", f"lam j:Z. r^2*({right})", by=[term])
        g.rewrite(same)
        g.field()

    g.conj(lambda g: (g.intro(), g.nc()), relu)


@holds(
    "varre2023.assertion-scalar-feature-map",
    """all d l:Z, W1:M(d,l), W2:V(l), x:V(d). (T(W2) @ T(W1) @ x)[1,1] = tr(T(T(W1) @ x) @ W2)""",
    argument="sound",
    reading="the inner product of u and v is tr(u^T v)",
)
def predictor_by_features(g: Goal) -> None:
    """A 1 x 1 matrix is its trace."""
    g.intro()
    h = g.fact("tr_entries", 1, "T(W2) @ T(W1) @ x")
    g.field((h, -1))


@holds(
    "varre2023.assertion-interpolator-existence",
    "all n d k:Z, X:M(n,d), Y:M(n,k). 1 <= n => n <= d => det(X @ T(X)) != 0 => ex B:M(d,k). X @ B = Y",
    argument="sound",
    reading="non-degenerate: X X^T is invertible, so every Y lies in the range; the parenthesis on Gaussian data is not part of the formula",
)
def interpolator_exists(g: Goal) -> None:
    """B = X^T (X X^T)^{-1} Y."""
    names = g.intro()
    right = g.by_fact("inv_right", "n", "X @ T(X)", by=[lambda g: g.close_by(names[2])])
    g.witness("T(X) @ inv(X @ T(X)) @ Y")
    g.nc((right, 1, None, "Y"))


def fit(b: str) -> str:
    """|X b - Y|^2."""
    return size(f"(X @ ({b}) - Y)")


@holds(
    "varre2023.assertion-convex-nonconvex",
    f"""all n d k l:Z, X:M(n,d), Y:M(n,k). 1 <= d => 1 <= k => d <= l =>
       (all A B:M(d,k), w:R. 0 <= w => w <= 1 => {fit("w*A + (1 - w)*B")} <= w*{fit("A")} + (1 - w)*{fit("B")}) and
       (T(X) @ Y != O(d,k) => ex A B:M(d,l), C E:M(l,k).
          {fit("A @ C")}/2 + {fit("B @ E")}/2 < {fit("((1/2)*A + (1/2)*B) @ ((1/2)*C + (1/2)*E)")})""",
    argument="sound",
    reading="generic data: X^T Y is not 0; the width is l >= d as in the setting",
)
def convex_in_the_predictor_only(g: Goal) -> None:
    """w (1 - w) |X (A - B)|^2; the mean of (e A, B) and (-e A, -B) is 0, where A B = X^T Y and e > 0 is small."""
    g.intro()

    def convex(g: Goal) -> None:
        g.fix()
        g.assume()
        high = g.assume()
        g.pos(["w", f"@{high}", size("X @ A - X @ B")])

    def nonconvex(g: Goal) -> None:
        nonzero = g.assume()
        s = "(T(X) @ Y)"
        g.split_all(g.by_fact("rank_bounds", "d", "k", s))
        made = g.obtain(g.by_fact("rank_factor", "d", "k", "l", s), "F", "H")[0]
        p, q = size(s), size(f"X @ {s}")
        g.have(f"0 <= {q}")
        g.have(f"0 <= {p}")

        def positive(g: Goal) -> None:
            g.contra()
            zero = g.have(f"{p} = 0", lambda g: g.antisym())
            h = g.by_fact("frobenius_zero", "d", "k", s, by=[lambda g: g.close_by(zero)])
            g.clash(h, nonzero)

        g.have(f"0 < {p}", positive)
        e = f"({p}/(1 + {q}))"
        g.witness(f"{e}*F", f"-({e}*F)", "H", "-H")
        back = g.have(f"F @ H = {s}", lambda g: g.nc((made, -1, None, None)))
        one = g.have(f"({e}*F) @ H = {e}*{s}", lambda g: g.nc((back, e, None, None)))
        two = g.have(f"-({e}*F) @ -H = {e}*{s}", lambda g: g.nc((back, e, None, None)))
        three = g.have(f"((1/2)*({e}*F) + (1/2)*-({e}*F)) @ ((1/2)*H + (1/2)*-H) = O(d,k)", lambda g: g.nc())
        for h in (one, two, three):
            g.rewrite(h)
        g.pos([p, p, f"2 + {q}"], mul=[f"1 + {q}", f"1 + {q}"])

    g.conj(convex, nonconvex)
