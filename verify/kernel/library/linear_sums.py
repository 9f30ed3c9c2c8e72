"""Linearity of finite sums of matrices."""

D = "definition"

FACTS = [
    (
        "matrix_sum_linear",
        D,
        "m n lo hi:Z, a b:R, E F:Z->M(m,n)",
        "sum(i, lo, hi, a*E(i) + b*F(i)) = a*sum(i, lo, hi, E(i)) + b*sum(i, lo, hi, F(i))",
        "A linear combination of sums.",
        "finite sums",
    ),
]
