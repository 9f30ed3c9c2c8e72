"""Appendix G.3: the decay of the residual in the proof of Lemma 31; what Theorem 26 and Corollary 27 mean."""

from __future__ import annotations

from proofs.shin2025.measurement_flow import CONTEXT, CORE, READING, SETTING, loss, moved, n2, residual
from proofs.shin2025.small_loss import BEFORE_EXIT, EXIT, SMALL, from_squares, half, in_half_ball
from proofs.shin2025.stable_rank import COROLLARY, printed_bound, stable_rank
from verify.kernel import Goal
from verify.registry import holds, part

NORM_T, NORM_0 = f"sqrt({n2(residual('t'))})", f"sqrt({n2(residual('0'))})"
DISTANCE = f"sqrt({moved('t')})"


@holds(
    "shin2025.proof-step-l31-sqrt",
    f"""(all C t:R, P:R~>R. 0 < C => 0 <= t => P(0) = 0 => (all u:R. 0 <= u => P'(u) = exp(-C*u)) => P(t) <= 1/C) and
        ({SETTING} all t:R. 0 <= t => {BEFORE_EXIT} => {NORM_T} <= {NORM_0}*exp(-1/4*s^2*t) and
        (all P:R~>R. P(0) = 0 => (all u:R. 0 <= u => P'(u) = exp(-1/4*s^2*u)) => {DISTANCE} <= 3/2*S*{NORM_0}*P(t)) and
        {DISTANCE} <= 6*S/s^2*{NORM_0})""",
    argument="sound",
    uses=[CORE, "shin2025.lemma-30"],
    reading=f"{READING} {EXIT}. P(t) is the integral of the exponential from 0 to t.",
    context=CONTEXT,
)
def residual_decay_and_final_integral(g: Goal) -> None:
    """Lemma 30 for the roots; the core bound of the distance with the factor 1 - exp(-s^2 t/4)."""
    print(g)
