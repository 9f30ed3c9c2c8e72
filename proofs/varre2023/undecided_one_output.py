"""What is open in the proof of Lemma C.7: the steps that transpose Z1, and the metric that is no Hessian."""

from __future__ import annotations

from verify.registry import undecided

undecided(
    "varre2023.step-c-7-reduced-flow",
    outcome="open",
    tried="the first equation is Lemma C.2 for k = 1; the flow gives Z1' = r alpha^T Z1, while the page prints Z1 alpha r^T: they agree for d = 1 and at t = 0 "
    "to second order, and differ at third order when X^T X r is not parallel to r (X = diag(1, 2), Y = (1, 1))",
    missing="the exact counterexample: second derivatives at 0 of r_1 (r_1 Z2_2 - r_2 Z2_1), which the printed equation forces to vanish",
)
undecided(
    "varre2023.step-c-7-beta-r-flow",
    outcome="open",
    tried="with Z1 Z1^T in place of Z1^T Z1 the equations follow from the invariant (part velocity of step-c-7-beta-ode); as printed beta = Z1^T Z1 alpha fails in general",
    missing="an exact counterexample with Z1 not normal, as for step-c-7-reduced-flow",
)
undecided(
    "varre2023.step-c-7-not-hessian",
    outcome="open",
    tried="for d >= 2 the third derivatives would have to be symmetric and are not; for d = 1 every function is a second derivative, so the claim fails there: "
    "1/(1 - a^2) is that of ((1 + a) log(1 + a) + (1 - a) log(1 - a))/2",
    missing="the encoding of second derivatives of a function on the unit ball",
)
