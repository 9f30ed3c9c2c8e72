"""Extreme singular values by the stretching of vectors; approximation by low rank in the spectral norm."""

D, A = "definition", "axiom"
M = "linear algebra"

FACTS = [
    (
        "spec_least",
        D,
        "m n:Z, c:R, X:M(m,n)",
        "0 <= c => (all v:V(n). tr(T(X@v) @ (X@v)) <= c^2 * tr(T(v)@v)) => spec(X) <= c",
        "The spectral norm is the least bound of the stretching of vectors.",
        M,
    ),
    (
        "sv_stretch",
        D,
        "m n i:Z, c:R, X:M(m,n)",
        "1 <= i => i <= n => 0 <= c => (all v:V(n). c^2 * tr(T(v)@v) <= tr(T(X@v) @ (X@v))) => c <= sv(X,i)",
        "What every vector is stretched by at least bounds all n singular values from below.",
        M,
    ),
    (
        "eckart_young_spectral",
        A,
        "m n i:Z, X Y:M(m,n)",
        "1 <= i => rank(Y) < i => sv(X,i) <= spec(X - Y)",
        "A matrix of rank below i is at least the i-th singular value away, in the spectral norm.",
        "C. Eckart, G. Young, Psychometrika 1 (1936); L. Mirsky, Quart. J. Math. 11 (1960)",
    ),
]
