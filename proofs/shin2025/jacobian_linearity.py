"""Proof of Lemma 28, conclusion: the Lipschitz bound through linearity and the Frobenius norm."""

from __future__ import annotations

from proofs.shin2025.jacobian_norms import CHANGE, COLUMNS, DIRECTION, MOVED, READ, ROWS, at_most_full, counted
from proofs.shin2025.measurement_flow import MASK, n2
from verify.kernel import Goal
from verify.registry import holds, part

FROBENIUS = "sum(k, 1, d, sum(l, 1, d, M[k,l]*(sum(q, 1, d, (A - U)[k,q]^2) + sum(q, 1, d, (B - V)[q,l]^2))))"
OF_DIFFERENCE = n2("had(M, H @ (B - V) + (A - U) @ K)")


@part(
    "shin2025.proof-step-j-linear",
    "four-numbers",
    "all a b h k x y:R. 0 <= a => 0 <= b => 0 <= h => 0 <= k => x^2 <= h*b => y^2 <= a*k => (x + y)^2 <= (a + b)*(h + k)",
)
def four_numbers(g: Goal) -> None:
    """2 x y <= a h + b k, since otherwise 4 x^2 y^2 > (a h + b k)^2 >= 4 a h b k."""
    a0, b0, h0, k0, x, y = g.intro()
    s = "(a*h + b*k)"
    g.have("0 <= h*b")

    def cross(g: Goal) -> None:
        more = g.contra()
        g.have(f"0 <= {s}")
        g.pos([f"@{more}", f"@{more}"], [f"@{more}", "2", s], ["(a*h - b*k)^2"], ["4", f"@{x}", "y^2"], ["4", "h", "b", f"@{y}"])

    c = g.have(f"2*x*y <= {s}", cross)
    g.pos([f"@{x}"], [f"@{y}"], [f"@{c}"])
    del a0, b0, h0, k0


FRO = "sum(k, 1, d, sum(l, 1, d, M[k,l]*(sum(q, 1, d, P[k,q]^2) + sum(q, 1, d, Q[q,l]^2))))"


@part(
    "shin2025.proof-step-j-linear",
    "operator",
    f"""all d:Z, M P Q H K:M(d,d). {MASK} => {n2("had(M, H @ Q + P @ K)")} <= {FRO}*{DIRECTION}""",
)
def operator_norm_by_frobenius(g: Goal) -> None:
    """Cauchy-Schwarz in every observed entry."""
    (m,) = g.intro()
    x = "H @ Q + P @ K"
    f = g.fact("frobenius_entries", "d", "d", f"had(M, {x})")
    fh, fk = g.fact("frobenius_entries", "d", "d", "H"), g.fact("frobenius_entries", "d", "d", "K")
    sw = g.fact("sum_swap", "1", "d", "1", "d", "lam q:Z, l:Z. K[q,l]^2")
    body = "(sum(q, 1, d, P[k,q]^2) + sum(q, 1, d, Q[q,l]^2))"

    def row(g: Goal) -> None:
        g.fix("k")
        g.split_all(g.assume())

        def entry(g: Goal) -> None:
            g.fix("l")
            g.split_all(g.assume())
            a, b = g.fact("mm_entry", "d", "d", "d", "H", "Q"), g.fact("mm_entry", "d", "d", "d", "P", "K")
            a, b = g.apply(a, "k", "l"), g.apply(b, "k", "l")
            g.fact("cauchy_schwarz", "1", "d", "lam q:Z. H[k,q]", "lam q:Z. Q[q,l]")
            g.fact("cauchy_schwarz", "1", "d", "lam q:Z. P[k,q]", "lam q:Z. K[q,l]")
            rp, cq = "sum(q, 1, d, P[k,q]^2)", "sum(q, 1, d, Q[q,l]^2)"
            rh, ck = "sum(q, 1, d, H[k,q]^2)", "sum(q, 1, d, K[q,l]^2)"
            u, v = "sum(q, 1, d, H[k,q]*Q[q,l])", "sum(q, 1, d, P[k,q]*K[q,l])"
            four = g.lemma("shin2025.proof-step-j-linear", "part:four-numbers", rp, cq, rh, ck, u, v)
            th = g.by_fact("sum_term_le", "1", "d", "lam k:Z. sum(q, 1, d, H[k,q]^2)", by=[lambda g: (g.intro(), g.auto())[-1]])
            th = g.apply(th, "k")
            tk = g.by_fact("sum_term_le", "1", "d", "lam l:Z. sum(q, 1, d, K[q,l]^2)", by=[lambda g: (g.intro(), g.auto())[-1]])
            tk = g.apply(tk, "l")
            h1 = g.have(f"{rh} <= {n2('H')}", lambda g: g.pos([f"@{th}"], eqs=[(fh, 1)]))
            k1 = g.have(f"{ck} <= {n2('K')}", lambda g: g.pos([f"@{tk}"], eqs=[(fk, 1), (sw, 1)]))
            top = g.have(
                f"({u} + {v})^2 <= {body}*{DIRECTION}", lambda g: g.pos([f"@{four}"], [body, f"@{h1}"], [body, f"@{k1}"])
            )
            e = g.have(f"had(M, {x})[k,l] = M[k,l]*({u} + {v})", lambda g: g.field((a, "M[k,l]"), (b, "M[k,l]")))
            g.rewrite(e)
            c = f"{body}*{DIRECTION}"

            def unseen(g: Goal) -> None:
                z = list(g.seq.hyps)[-1]
                g.pos(eqs=[(z, f"{c} - M[k,l]*({u} + {v})^2")])

            def seen(g: Goal) -> None:
                z = list(g.seq.hyps)[-1]
                g.pos([f"@{top}"], eqs=[(z, f"{c} - (M[k,l] + 1)*({u} + {v})^2")])

            g.cases(g.apply(m, "k", "l"), unseen, seen)

        h = g.by_fact("sum_mono", "1", "d", f"lam l:Z. had(M, {x})[k,l]^2", f"lam l:Z. M[k,l]*({body}*{DIRECTION})", by=[entry])
        g.close_by(h)

    h = g.by_fact(
        "sum_mono",
        "1",
        "d",
        f"lam k:Z. sum(l, 1, d, had(M, {x})[k,l]^2)",
        f"lam k:Z. sum(l, 1, d, M[k,l]*({body}*{DIRECTION}))",
        by=[row],
    )
    g.pos([f"@{h}"], eqs=[(f, -1)])


@part(
    "shin2025.proof-step-j-linear",
    "count",
    f"""all d:Z, M A B:M(d,d). 1 <= d => {MASK} => sum(k, 1, d, sum(l, 1, d, M[k,l]*({ROWS} + {COLUMNS}))) <= d*({n2("A")}
    + {n2("B")})""",
)
def rows_and_columns_are_counted(g: Goal) -> None:
    """The full-observation count."""
    m = g.intro()[1]
    t = f"({ROWS} + {COLUMNS})"
    a = g.have(f"sum(k, 1, d, sum(l, 1, d, M[k,l]*{t})) <= sum(k, 1, d, sum(l, 1, d, {t}))", lambda g: at_most_full(g, m))
    b = g.have(f"sum(k, 1, d, sum(l, 1, d, {t})) = d*({n2('A')} + {n2('B')})", counted)
    g.pos([f"@{a}"], eqs=[(b, -1)])


@holds(
    "shin2025.proof-step-j-linear",
    f"""all d:Z, M A B U V H K:M(d,d). 1 <= d => {MASK} => {CHANGE} = {OF_DIFFERENCE} and
        {OF_DIFFERENCE} <= {FROBENIUS}*{DIRECTION} and {FROBENIUS} <= d*{MOVED}""",
    argument="sound",
    uses=["shin2025.proof-step-j-linear"],
    reading=f"{READ} W = (A, B) and V = (U, V) in R^(2d x d); |J|_F^2 is the sum of |A_k|^2 + |B_l|^2 over the observed entries.",
)
def lipschitz_from_linearity(g: Goal) -> None:
    """J is linear in Theta; each entry by Cauchy-Schwarz; every row and column occurs at most d times."""
    d1, m = g.intro()

    def linear(g: Goal) -> None:
        def entries(g: Goal) -> None:
            g.extn()
            e = g.have("H @ (B - V) + (A - U) @ K = (H @ B + A @ K) - (H @ V + U @ K)", lambda g: g.nc())
            g.rewrite(e)
            g.field()

        e = g.have("had(M, H @ B + A @ K) - had(M, H @ V + U @ K) = had(M, H @ (B - V) + (A - U) @ K)", entries)
        g.rewrite(e)
        g.refl()

    def operator(g: Goal) -> None:
        g.close_by(g.lemma("shin2025.proof-step-j-linear", "part:operator", "d", "M", "A - U", "B - V", "H", "K"))

    def count(g: Goal) -> None:
        g.close_by(g.lemma("shin2025.proof-step-j-linear", "part:count", "d", "M", "A - U", "B - V"))

    g.conj(linear, operator, count)
    del d1, m
