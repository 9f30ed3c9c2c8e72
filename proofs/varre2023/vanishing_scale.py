"""Section 3.1: for gamma to 0 the limits of the layers minimise the sum of the squared norms among the interpolators."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.factor_norms import cost
from proofs.varre2023.network_and_loss import size
from proofs.varre2023.projection_steps import VARS
from proofs.varre2023.residual_decay import LEMMA, NO_RESTRICTION, TWO_WITH_TARGET
from proofs.varre2023.variational_limit import first_is_regular
from verify.kernel import Goal
from verify.registry import holds

STATED = TWO_WITH_TARGET.replace("0 < c =>", "1 <= p => 0 < c =>", 1)


@holds(
    "varre2023.assertion-vanishing-gamma-problem",
    f"""{STATED} ex U:M(p,l), V:M(l,k). tends(t, W1(t), U) and tends(t, W2(t), V) and X @ U @ V = Y and
       all C:M(p,l), E:M(l,k). X @ C @ E = Y => {cost("U", "V")} <= {cost("C", "E")} + c*p""",
    argument="repaired",
    reason="shown for every gamma with an explicit error, without the selection theorem that is cited",
    reading="for every gamma the limits U, V of the layers are interpolators whose half sum of squared norms is within gamma d of the least one, so that by continuity a limit for gamma to 0 is a"
    f" minimiser. {NO_RESTRICTION}",
    uses=[LEMMA, "varre2023.thm-3-1-i", "varre2023.assertion-nuclear-equals-l2"],
)
def limits_are_nearly_minimal(g: Goal) -> None:
    """|Z_1|^2 = 2 gamma d + |Z_2|^2, and |Z_2|^2 = tr(alpha^T beta) <= nuc(beta) since alpha = Z_1^(-T) Z_2 is a contraction; nuc(beta) is least, and at most the cost of any factors."""
    names = g.intro()
    target, wide, small, frame = names[0], *names[1:4]
    done = g.lemma("varre2023.thm-3-1-i", "part:limit", *VARS, "b", by=[using(n) for n in (target, *names[2:])])
    one, two, fits, invariant, spanned = g.obtain(done, "A", "B")
    (span,) = g.obtain(spanned, "L", split=False)
    g.have("0 < c", using(small))
    regular = g.have("det(A) != 0", lambda g: first_is_regular(g, invariant))
    turned = g.have("det(T(A)) != 0", lambda g: (g.rewrite(g.fact("det_transpose", "p", "A")), g.close_by(regular))[-1])
    right = g.by_fact("inv_right", "p", "A", by=[using(regular)])
    right_t = g.by_fact("inv_right", "p", "T(A)", by=[using(turned)])
    (alpha,) = g.obtain(
        g.have("ex K:M(p,k). K = inv(T(A)) @ B", lambda g: (g.witness("inv(T(A)) @ B"), g.refl())[-1]), "K", split=False
    )
    own = g.have("T(A) @ K = B", lambda g: g.nc((alpha, 1, "T(A)", None), (right_t, 1, None, "B")))
    g.witness("A @ P", "T(P) @ B")

    def contraction(g: Goal) -> None:
        g.fix("w")
        (y,) = g.obtain(
            g.have("ex y:V(p). y = inv(A) @ K @ w", lambda g: (g.witness("inv(A) @ K @ w"), g.refl())[-1]), "y", split=False
        )
        ay = g.have("K @ w = A @ y", lambda g: g.nc((y, -1, "A", None), (right, -1, None, "K @ w")))
        g.rewrite(ay)
        form = g.have("T(A @ y) @ (A @ y) = T(y) @ B @ w", lambda g: g.nc((own, 1, "T(y)", "w"), (ay, -1, "T(y) @ T(A)", None)))
        first = g.have(f"{size('(A @ y)')} = tr(T(T(B) @ y) @ w)", lambda g: (g.rewrite(form), g.field())[-1])
        split = g.have(
            "T(A @ y) @ (A @ y) = (2*c)*(T(y) @ y) + T(T(B) @ y) @ (T(B) @ y)", lambda g: g.nc((invariant, 1, "T(y)", "y"))
        )
        second = g.have(
            f"{size('(A @ y)')} = 2*c*{size('y')} + {size('(T(B) @ y)')}", lambda g: (g.rewrite(split), g.field())[-1]
        )
        g.pos([size("(T(B) @ y - w)")], ["2*c", size("y")], eqs=[(first, -2), (second, 1)])

    bound = g.by_fact("spec_least", "p", "k", 1, "K", by=[None, contraction])
    pairing = g.by_fact("nuc_pairing", "p", "k", "A @ B", "K", by=[using(bound)])
    flip = g.have("T(T(A) @ K) = T(B)", lambda g: g.ctx(using(own)))
    inner = g.have("T(K) @ (A @ B) = T(B) @ B", lambda g: g.nc((flip, 1, None, "B")))
    pairing = g.rewritten(pairing, inner)
    ones = g.fact("tr_entries", "p", "I(p)")
    terms = g.by_fact(
        "sum_ext", 1, "p", "lam i:Z. I(p)[i,i]", "lam i:Z. 1", by=[lambda g: (g.fix("i"), g.split(g.assume()), g.field())[-1]]
    )
    count = g.by_fact("sum_const", 1, "p", 1, by=[lambda g: g.pos([f"@{wide}"], [1])])
    gram = g.have("T(A) @ A = (2*c)*I(p) + B @ T(B)", lambda g: g.nc((invariant, 1, None, None)))
    trace = g.have(f"{size('A')} = 2*c*tr(I(p)) + {size('B')}", lambda g: (g.rewrite(gram), g.field())[-1])
    first = g.have(f"{size('(A @ P)')} = {size('A')}", lambda g: framed(g, frame, "A @ P @ T(P) @ T(A)", "A @ T(A)", "A", None))
    second = g.have(
        f"{size('(T(P) @ B)')} = {size('B')}", lambda g: framed(g, frame, "T(B) @ P @ T(P) @ B", "T(B) @ B", "T(B)", "B")
    )
    fit = g.have("X @ (A @ B) = Y", lambda g: g.nc((fits, 1, None, None)))
    least = g.lemma(LEMMA, "part:least-norm", *("n", "p", "k", "X", "Y", "A @ B", "L"), by=[using(span), using(fit)])

    def shortest(g: Goal) -> None:
        def each(g: Goal) -> None:
            g.fix("C")
            h = g.assume()
            k = g.apply(least, "C", by=[using(h)])
            g.close_by(g.split(k)[0])

        g.conj(using(fit), each)

    nuclear = g.lemma("varre2023.assertion-nuclear-equals-l2", "statement", "n", "p", "k", "X", "Y", "A @ B", by=[shortest])

    def minimal(g: Goal) -> None:
        g.fix("C", "E")
        h = g.assume()
        other = g.have("X @ (C @ E) = Y", lambda g: g.nc((h, 1, None, None)))
        low = g.split(g.apply(nuclear, "C @ E", by=[using(other)]))[0]
        up = g.fact("nuc_factors", "p", "l", "k", "C", "E")
        g.pos(
            [f"@{pairing}"],
            [f"@{low}"],
            [f"@{up}"],
            eqs=[(first, "-1/2"), (second, "-1/2"), (trace, "-1/2"), (ones, "-c"), (terms, "-c"), (count, "-c")],
        )

    g.conj(using(one), using(two), lambda g: g.nc((frame, 1, "X @ A", "B"), (fits, 1, None, None)), minimal)


def framed(g: Goal, frame: str, word: str, short: str, left: str, right: str | None) -> None:
    """A factor P P^T = I inside a trace."""
    whole = g.have(f"{word} = {short}", lambda g: g.nc((frame, 1, left, right or f"T({left})")))
    value = g.have(f"tr({word}) = tr({short})", lambda g: (g.rewrite(whole), g.refl())[-1])
    g.field((value, 1))
