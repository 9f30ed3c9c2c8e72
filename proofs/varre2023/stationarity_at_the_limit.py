"""Section 3.3, outline: alpha stays in the span of the data, and the limit of the projected flow satisfies the stationarity conditions."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.flows import ALPHA, SETTING
from proofs.varre2023.network_and_loss import size
from proofs.varre2023.potentials import LINE
from proofs.varre2023.residual_decay import LEMMA, TARGET_VARS, WITH_TARGET
from proofs.varre2023.variational_limit import first_is_regular, second_is_regular
from verify.kernel import Goal
from verify.registry import holds

AT = LINE.replace("Z", "A")
FIRST_POTENTIAL = f"(tr(T({AT}) @ {AT})/2 - c*log(det({AT} @ T({AT}))))"
SECOND_POTENTIAL = size("(B + s*K)") + "/2"


@holds(
    "varre2023.assertion-outline-alpha-span",
    f"""{WITH_TARGET} (all t:R. 0 <= t => ex L:M(n,k). {ALPHA} = T(X) @ L) and
       ex A:M(p,p), B:M(p,k), L:M(n,k). tends(t, Z1(t), A) and tends(t, Z2(t), B) and det(A) != 0 and X @ A @ B = Y and
       (all H:M(p,p). D(s, {FIRST_POTENTIAL}, 0) = tr(T(T(X) @ L @ T(B)) @ H)) and (all K:M(p,k). D(s, {SECOND_POTENTIAL}, 0) = tr(T(T(A) @ T(X) @ L) @ K))""",
    argument="sound",
    reading="psi_1(Z_1) = |Z_1|^2/2 - gamma log det(Z_1 Z_1^T) and psi_2(Z_2) = |Z_2|^2/2; L holds the multipliers of the constraint X Z_1 Z_2 = Y: the derivatives of psi_1 and psi_2"
    " at the limit (A, B) are those of <L, X Z_1 Z_2>. The span is that of the rows of X",
    context="an interpolator is available, Y = X b [Section 2]",
    uses=[LEMMA, "varre2023.step-c-3-projection", "varre2023.step-c-3-perp-ode", "varre2023.step-c-4-potential"],
)
def limit_is_stationary(g: Goal) -> None:
    """A^(-T) B (2 gamma + B^T B) = A B is in the span, so A^(-T) B = X^T L; then B = A^T X^T L and A - 2 gamma A^(-T) = A^(-T) B B^T."""
    names = g.intro()
    setting = names[1:6]

    def always(g: Goal) -> None:
        inner, sym = g.obtain(g.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X"), "G")
        step = g.lemma("varre2023.step-c-3-perp-ode", "statement", *SETTING, "G", by=[using(n) for n in (inner, sym, *setting)])
        idle = g.split_all(step)[-1]
        g.fix("t")
        g.assume()
        k = g.apply(idle, "t")
        g.witness(f"T(G) @ {ALPHA}")
        g.nc((k, 1, None, None), (sym, -1, None, ALPHA))

    def limit(g: Goal) -> None:
        done = g.lemma(LEMMA, "part:projected-limit", *TARGET_VARS, by=[using(n) for n in names])
        first, second, fits, invariant, spanned = g.obtain(done, "A", "B")
        (span,) = g.obtain(spanned, "M", split=False)
        regular = g.have("det(A) != 0", lambda g: first_is_regular(g, invariant))
        inverse = g.by_fact("inv_right", "k", "(2*c)*I(k) + T(B) @ B", by=[second_is_regular])
        q = "inv((2*c)*I(k) + T(B) @ B)"
        turned = g.have("det(T(A)) != 0", lambda g: (g.rewrite(g.fact("det_transpose", "p", "A")), g.close_by(regular))[-1])
        left = g.by_fact("inv_left", "p", "T(A)", by=[using(turned)])
        alpha = g.have(
            f"inv(T(A)) @ B = T(X) @ M @ {q}",
            lambda g: g.nc(
                (inverse, -1, "inv(T(A)) @ B", None),
                (invariant, -1, "inv(T(A))", f"B @ {q}"),
                (left, 1, None, f"A @ B @ {q}"),
                (span, 1, None, q),
            ),
        )
        right = g.by_fact("inv_right", "p", "T(A)", by=[using(turned)])
        own = g.have(f"B = T(A) @ T(X) @ (M @ {q})", lambda g: g.nc((alpha, 1, "T(A)", None), (right, -1, None, "B")))
        g.witness("A", "B", f"M @ {q}")

        def slope(g: Goal) -> None:
            g.fix("H")
            k = g.lemma("varre2023.step-c-4-potential", "statement", "p", "c", "A", by=[using(regular)])
            k = g.apply(k, "H")
            field = g.have(
                f"A - (2*c)*inv(T(A)) = T(X) @ (M @ {q}) @ T(B)",
                lambda g: g.nc((left, -1, None, "A"), (invariant, 1, "inv(T(A))", None), (alpha, 1, None, "T(B)")),
            )
            g.close_by(g.rewritten(k, field))

        def other(g: Goal) -> None:
            g.fix("K")
            value = g.have(f"D(s, {SECOND_POTENTIAL}, 0) = tr(T(B) @ K)", lambda g: g.field())
            back = g.have(f"T(A) @ T(X) @ (M @ {q}) = B", lambda g: g.nc((own, -1, None, None)))
            g.rewrite(back)
            g.close_by(value)

        g.conj(using(first), using(second), using(regular), using(fits), slope, other)

    g.conj(always, limit)
