"""The diagonal observation setting, the initialisation (7), and the orthogonal gradients at depth 2."""

from __future__ import annotations

from proofs.shin2025.entry_gradients import zero_sum
from verify.kernel import Goal
from verify.registry import holds


@holds(
    "shin2025.def-diagonal-setting",
    """all d L:Z, ws:R, W P:Z->M(d,d), Ws:M(d,d). 2 <= d => 2 <= L => 0 < ws => P(0) = I(d) =>
       (all l:Z. 0 <= l and l < L => P(l+1) = W(l+1) @ P(l)) => (all i:Z. 1 <= i and i <= d => Ws[i,i] = ws) =>
       sum(i, 1, d, sum(j, 1, d, I(d)[i,j]*(P(L)[i,j] - Ws[i,j])^2))/2 = sum(i, 1, d, (P(L)[i,i] - ws)^2)/2""",
    argument="sound",
    reading="a definition is not true or false: P(L) is the model W_{L:1}; the objective (2) on the observation "
    "set {(i,i)}, whose "
    "indicator is the identity, is half the sum of the squared residuals of the diagonal entries",
)
def objective_on_the_diagonal(g: Goal) -> None:
    """In each row only the diagonal term remains."""
    d, *_, same = g.intro()

    def row(g: Goal) -> None:
        g.intro()

        def off(g: Goal) -> None:
            g.fix("j")
            g.intro()
            g.have("i != j")
            g.field()

        h = g.by_fact("sum_delta", "1", "d", "i", "lam j:Z. I(d)[i,j]*(P(L)[i,j] - Ws[i,j])^2", by=[None, None, off])
        k = g.apply(same, "i")
        g.rewrite(h)
        g.rewrite(k)
        g.field()

    h = g.by_fact(
        "sum_ext", "1", "d", "lam i:Z. sum(j, 1, d, I(d)[i,j]*(P(L)[i,j] - Ws[i,j])^2)", "lam i:Z. (P(L)[i,i] - ws)^2", by=[row]
    )
    g.rewrite(h)
    g.refl()
    del d


@holds(
    "shin2025.eq-7",
    """all d:Z, al m:R, X:M(d,d). 2 <= d => 0 < al => 1 < m =>
       ((all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => (i = j => X[i,j] = al) and (i != j => X[i,j] = al/m)) <=>
        X = (al*(1 - 1/m))*I(d) + (al/m)*J(d))""",
    argument="sound",
    context="one factor at time 0 [(7)]",
)
def two_forms_of_the_initialisation(g: Goal) -> None:
    """Entry by entry."""
    g.intro()

    def forward(g: Goal) -> None:
        h = g.assume()
        g.extn()

        def equal(g: Goal) -> None:
            x, _ = g.split(g.apply(h, "i", "j"))
            x = g.apply(x)
            g.rewrite(x)
            g.replace("i", "j")
            g.field()

        def different(g: Goal) -> None:
            _, x = g.split(g.apply(h, "i", "j"))
            x = g.apply(x)
            g.rewrite(x)
            g.field()

        g.em("i = j", equal, different)

    def backward(g: Goal) -> None:
        h = g.assume()
        g.intro()
        g.rewrite(h)
        g.conj(lambda g: (g.assume(), g.replace("i", "j"), g.field())[-1], lambda g: (g.assume(), g.field())[-1])

    g.iff(forward, backward)


GRAD_A = "D(s, ((A + s*E(p,q)) @ B)[{0},{0}], 0)"
GRAD_B = "D(s, (A @ (B + s*E(p,q)))[{0},{0}], 0)"


def inner(g: str) -> str:
    """Sum over all entries of the product of the derivatives of w_ii and w_jj."""
    return f"sum(p, 1, d, sum(q, 1, d, {g.format('i')}*{g.format('j')}))"


@holds(
    "shin2025.proof-step-l2-gradient-support",
    f"""all d:Z, A B:M(d,d), E:(Z,Z)->M(d,d). 1 <= d =>
        (all p q a b:Z. 1 <= p and p <= d and 1 <= q and q <= d => 1 <= a and a <= d and 1 <= b and b <= d => E(p,q)[a,b] =
        I(d)[a,p]*I(d)[b,q]) =>
        (all i:Z. (A @ B)[i,i] = sum(k, 1, d, A[i,k]*B[k,i])) and
        (all i p q:Z. 1 <= i and i <= d => 1 <= p and p <= d and 1 <= q and q <= d =>
            (p != i => {GRAD_A.format("i")} = 0) and (q != i => {GRAD_B.format("i")} = 0)) and
        (all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d and i != j => {inner(GRAD_A)} + {inner(GRAD_B)} = 0)""",
    argument="sound",
    context=(
        "depth 2 with square factors A = W_2 and B = W_1, at any point [Section 2]; E(p,q) is the matrix with the entry 1 "
        "at (p,q) [notation]"
    ),
    uses=["shin2025.eq-lemma9-derivative"],
)
def gradients_of_diagonal_entries_are_orthogonal(g: Goal) -> None:
    """The derivative of w_ii is I[i,p] B[q,i] with respect to A[p,q] and A[i,p] I[q,i] with respect to B[p,q]."""
    g.fix()
    g.assume("d_lo")
    g.assume("elem")
    product = g.have(
        "all i:Z. (A @ B)[i,i] = sum(k, 1, d, A[i,k]*B[k,i])",
        lambda g: (g.intro(), h := g.fact("mm_entry", "d", "d", "d", "A", "B"), h := g.apply(h, "i", "i"), g.field((h, 1)))[-1],
    )

    def gradient(g: Goal, i: str, which: str) -> str:
        x = ("I(d)", "A", "B") if which == "A" else ("A", "B", "I(d)")

        def unit(g: Goal) -> None:
            names = g.fix()
            g.assume()
            h = g.apply("elem", "p", "q", *names)
            g.close_by(h)

        h = g.lemma("shin2025.eq-lemma9-derivative", "part:one-entry", "d", "p", "q", i, *x, "E(p,q)", by=[None, None, unit])
        mine = g.differentiate("s", f"((A + s*E(p,q)) @ B)[{i},{i}]" if which == "A" else f"(A @ (B + s*E(p,q)))[{i},{i}]", "0")
        other = g.differentiate("s", f"({x[0]} @ ({x[1]} + s*E(p,q)) @ {x[2]})[{i},{i}]", "0")
        same = g.have(("=", g.hyp_formula(mine)[2], g.hyp_formula(other)[2]), lambda g: g.ctx(lambda g: g.nc()))
        value = f"I(d)[{i},p]*B[q,{i}]" if which == "A" else f"A[{i},p]*I(d)[q,{i}]"
        left = (GRAD_A if which == "A" else GRAD_B).format(i)
        return g.have(f"{left} = {value}", lambda g: g.field((mine, 1), (same, 1), (other, -1), (h, 1)))

    def support(g: Goal) -> None:
        g.intro()
        a = gradient(g, "i", "A")
        b = gradient(g, "i", "B")
        g.conj(
            lambda g: (g.assume(), g.rewrite(a), g.have("i != p"), g.field())[-1],
            lambda g: (g.assume(), g.rewrite(b), g.have("i != q"), g.field())[-1],
        )

    def orthogonal(g: Goal) -> None:
        g.intro()

        def total(g: Goal, which: str) -> str:
            grad = GRAD_A if which == "A" else GRAD_B
            body = f"{grad.format('i')}*{grad.format('j')}"

            def row(g: Goal) -> None:
                g.fix("p")
                g.split_all(g.assume())

                def cell(g: Goal) -> None:
                    g.fix("q")
                    g.split_all(g.assume())
                    x = gradient(g, "i", which)
                    y = gradient(g, "j", which)
                    g.rewrite(x)
                    g.rewrite(y)
                    n = "p" if which == "A" else "q"

                    def at_i(g: Goal) -> None:
                        g.replace(n, "i")
                        g.have("j != i")
                        g.field()

                    g.em(f"{n} = i", at_i, lambda g: (g.have(f"i != {n}"), g.field())[-1])

                z = zero_sum(g, "1", "d", f"lam q:Z. {body}", cell)
                g.field((z, 1))

            return zero_sum(g, "1", "d", f"lam p:Z. sum(q, 1, d, {body})", row)

        a = total(g, "A")
        b = total(g, "B")
        g.field((a, 1), (b, 1))

    g.conj(lambda g: g.close_by(product), support, orthogonal)
