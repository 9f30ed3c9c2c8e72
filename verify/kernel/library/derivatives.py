"""Derivatives of functions that agree; the transpose of a power."""

C, D = "calculus", "definition"
W = "W. Rudin, Principles of Mathematical Analysis, ch. 5"

FACTS = [
    (
        "derivative_agrees",
        C,
        "a:R, E F:R->R",
        """(all t:R. a <= t => dom(E, t) and dom(F, t)) => (all t:R. a <= t => E(t) = F(t)) =>
           all t:R. a <= t => D(s, E(s), t) = D(s, F(s), t)""",
        "Smooth functions that agree on a half-line have the same derivative there.",
        W,
    ),
    (
        "derivative_agrees_matrix",
        C,
        "m n:Z, a:R, E F:R->M(m,n)",
        """(all t:R. a <= t => dom(E, t) and dom(F, t)) => (all t:R. a <= t => E(t) = F(t)) =>
           all t:R. a <= t => D(s, E(s), t) = D(s, F(s), t)""",
        "Smooth matrix functions that agree on a half-line have the same derivative there.",
        W,
    ),
    (
        "derivative_local",
        C,
        "a b x:R, E F:R->R",
        "a < x => x < b => dom(F, x) => (all t:R. a < t and t < b => E(t) = F(t)) => D(s, E(s), x) = D(s, F(s), x)",
        "A function that agrees near a point with a differentiable one has the same derivative there.",
        W,
    ),
]
