"""Appendix B.6: the multi-head attention module is well defined, and what it depends on."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds

SCORE = "((1/sqrt(c))*(X @ Q(i) @ T(K(i)) @ T(X)))"
"""The scores of head i; c is the key dimension d_k."""
WEIGHTS = (
    f"(all i a b:Z. 1 <= a and a <= m and 1 <= b and b <= m => W(i)[a,b] = exp({SCORE}[a,b])/sum(l, 1, m, exp({SCORE}[a,l])))"
)
"""W(i) is the row-wise softmax of the scores."""
OUTPUT = "sum(i, 1, h, W(i) @ X @ V(i) @ U(i))"
SETTING = "all m q k c h:Z, X:M(m,q), Q K V:Z->M(q,k), U:Z->M(k,q). 1 <= m => 1 <= c =>"
OTHERS = (
    "(all Q2 K2 V2:Z->M(q,k), U2:Z->M(k,q), W2:Z->M(m,m). (all i:Z. Q2(i) @ T(K2(i)) = Q(i) @ T(K(i)) and V2(i) @ U2(i) = V(i) @ U(i)) =>"
    f" {WEIGHTS} => {WEIGHTS.replace('W(i)', 'W2(i)').replace('Q(i)', 'Q2(i)').replace('K(i)', 'K2(i)')} =>"
    f" {OUTPUT} = {OUTPUT.replace('W(i)', 'W2(i)').replace('V(i)', 'V2(i)').replace('U(i)', 'U2(i)')})"
)


@holds(
    "bai2024.b6-attention-model",
    f"""{SETTING} (ex W:Z->M(m,m). {WEIGHTS}) and (all W:Z->M(m,m). {WEIGHTS} =>
       (all i a b:Z. 1 <= a and a <= m and 1 <= b and b <= m => 0 < W(i)[a,b]) and
       (all i a:Z. 1 <= a and a <= m => sum(b, 1, m, W(i)[a,b]) = 1) and {OTHERS})""",
    argument="sound",
    reading="a definition is not true or false: the weights exist, they are positive, their rows have the sum 1, and the output depends on the"
    " query and key matrices only through W_Q W_K^T, and on the value and output matrices only through W_V W_O",
)
def attention_is_well_defined(g: Goal) -> None:
    """The sum of exponentials is positive; the scores and the outputs contain only the products."""
    g.fix()
    g.assume()
    g.assume()
    body = f"exp({SCORE}[a,b])/sum(l, 1, m, exp({SCORE}[a,l]))"

    def exists(g: Goal) -> None:
        (w,) = g.obtain(g.fact("matrix_family", "m", "m", f"lam i:Z, a:Z, b:Z. {body}"), "W", split=False)
        g.witness("W")
        g.fix("i", "a", "b")
        g.assume()
        g.close_by(g.apply(w, "i", "a", "b"))

    def total(g: Goal, i: str, a: str) -> str:
        """The sum of the exponentials of row a of head i is positive."""
        e = f"exp({SCORE}[a,l])".replace("[a,", f"[{a},").replace("(i)", f"({i})")
        term = g.fact("sum_term_le", 1, "m", f"lam l:Z. {e}")
        one = g.apply(term, by=[lambda g: (g.fix("l"), g.assume(), g.auto())[-1]], n=1)
        first = g.apply(one, 1)
        return g.have(f"0 < sum(l, 1, m, {e})", lambda g: g.pos([f"@{first}"], [e.replace(",l]", ",1]")]))

    def properties(g: Goal) -> None:
        g.fix("W")
        w = g.assume()

        def positive(g: Goal) -> None:
            g.fix("i", "a", "b")
            g.split(g.assume())
            s = total(g, "i", "a")
            k = g.apply(w, "i", "a", "b")
            g.rewrite(k)
            del s
            g.auto()

        def rows(g: Goal) -> None:
            g.fix("i", "a")
            g.split(g.assume())
            low = total(g, "i", "a")
            whole = g.hyp_formula(low)[2]
            (z,) = g.obtain(g.have(("ex", (("z", "R"),), ("=", "z", whole)), lambda g: (g.witness(whole), g.refl())[-1]), "z")
            positive_ = g.have("0 < z", lambda g: (g.rewrite(z), g.close_by(low))[-1])

            def each(g: Goal) -> None:
                g.fix("b")
                g.split(g.assume())
                k = g.apply(w, "i", "a", "b")
                g.rewrite(k)
                g.rewrite(z)
                g.field()

            del positive_
            e = f"exp({SCORE}[a,b])"
            s = g.by_fact("sum_ext", 1, "m", "lam b:Z. W(i)[a,b]", f"lam b:Z. (1/z)*{e}", by=[each])
            g.field((s, 1), (z, "-1/z"))

        def others(g: Goal) -> None:
            g.fix()
            same, one, two = g.assume(), g.assume(), g.assume()

            def head(g: Goal) -> None:
                g.fix("i")
                g.assume()
                scores, outputs = g.split(g.apply(same, "i"))

                def weights(g: Goal) -> None:
                    g.extn("a", "b")
                    x, y = g.apply(one, "i", "a", "b"), g.apply(two, "i", "a", "b")
                    g.rewrite(x)
                    g.rewrite(y)
                    other = SCORE.replace("Q(i)", "Q2(i)").replace("K(i)", "K2(i)")
                    z = g.have(f"{other} = {SCORE}", lambda g: g.nc((scores, "1/sqrt(c)", "X", "T(X)")))
                    g.rewrite(z)
                    g.refl()

                k = g.have("W(i) = W2(i)", weights)
                g.nc((k, 1, None, "X @ V(i) @ U(i)"), (outputs, -1, "W2(i) @ X", None))

            g.close_by(
                g.by_fact(
                    "matrix_sum_ext",
                    "m",
                    "q",
                    1,
                    "h",
                    "lam i:Z. W(i) @ X @ V(i) @ U(i)",
                    "lam i:Z. W2(i) @ X @ V2(i) @ U2(i)",
                    by=[head],
                )
            )

        g.conj(positive, rows, others)

    g.conj(exists, properties)
