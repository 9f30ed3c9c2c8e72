"""What is open in the proof of Lemma C.7: the steps that transpose Z1, and the metric that is no Hessian."""

from __future__ import annotations

from verify.registry import undecided

undecided(
    "varre2023.step-c-7-not-hessian",
    outcome="open",
    tried="for d >= 2 the third derivatives would have to be symmetric and are not; for d = 1 every function is a second derivative, so the claim fails there: "
    "1/(1 - a^2) is that of ((1 + a) log(1 + a) + (1 - a) log(1 - a))/2",
    missing="the encoding of second derivatives of a function on the unit ball",
)
