"""Limits of matrix functions: constants and traces."""

C, A = "calculus", "axiom"
W = "W. Rudin, Principles of Mathematical Analysis, ch. 4"

FACTS = [
    ("tends_matrix_const", C, "m n:Z, X:M(m,n)", "tends(t, X, X)", "A constant matrix is its own limit.", W),
    ("tends_trace", C, "n:Z, L:M(n,n), E:R->M(n,n)", "tends(t, E(t), L) => tends(t, tr(E(t)), tr(L))", "Limit of a trace.", W),
]
