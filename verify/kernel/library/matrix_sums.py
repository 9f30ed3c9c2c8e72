"""Finite sums of matrices over an index."""

D = "definition"
S = "finite sums"

FACTS = [
    ("matrix_sum_empty", D, "m n lo hi:Z, E:Z->M(m,n)", "hi < lo => sum(i, lo, hi, E(i)) = O(m,n)", "An empty sum.", S),
    (
        "matrix_sum_last",
        D,
        "m n lo hi:Z, E:Z->M(m,n)",
        "lo <= hi => sum(i, lo, hi, E(i)) = sum(i, lo, hi - 1, E(i)) + E(hi)",
        "Split off the last term.",
        S,
    ),
    (
        "matrix_sum_ext",
        D,
        "m n lo hi:Z, E F:Z->M(m,n)",
        "(all i:Z. lo <= i and i <= hi => E(i) = F(i)) => sum(i, lo, hi, E(i)) = sum(i, lo, hi, F(i))",
        "Equal terms.",
        S,
    ),
    (
        "matrix_sum_delta",
        D,
        "m n lo hi k:Z, E:Z->M(m,n)",
        """lo <= k => k <= hi => (all i:Z. lo <= i and i <= hi => i != k => E(i) = O(m,n)) =>
           sum(i, lo, hi, E(i)) = E(k)""",
        "Only one term is not zero.",
        S,
    ),
    (
        "matrix_sum_mul_right",
        D,
        "m n k lo hi:Z, Y:M(n,k), E:Z->M(m,n)",
        "sum(i, lo, hi, E(i)) @ Y = sum(i, lo, hi, E(i) @ Y)",
        "A factor on the right of a sum.",
        S,
    ),
    (
        "matrix_sum_mul_left",
        D,
        "m n k lo hi:Z, Y:M(k,m), E:Z->M(m,n)",
        "Y @ sum(i, lo, hi, E(i)) = sum(i, lo, hi, Y @ E(i))",
        "A factor on the left of a sum.",
        S,
    ),
    (
        "matrix_sum_transpose",
        D,
        "m n lo hi:Z, E:Z->M(m,n)",
        "T(sum(i, lo, hi, E(i))) = sum(i, lo, hi, T(E(i)))",
        "Transpose of a sum.",
        S,
    ),
    (
        "matrix_sum_reverse",
        D,
        "m n lo hi:Z, E:Z->M(m,n)",
        "sum(i, lo, hi, E(i)) = sum(i, lo, hi, E(lo + hi - i))",
        "The terms in reversed order.",
        S,
    ),
    ("matrix_sum_const", D, "m n lo hi:Z, Y:M(m,n)", "lo <= hi + 1 => sum(i, lo, hi, Y) = (hi - lo + 1)*Y", "Constant terms.", S),
    (
        "matrix_sum_trace",
        D,
        "n lo hi:Z, E:Z->M(n,n)",
        "tr(sum(i, lo, hi, E(i))) = sum(i, lo, hi, tr(E(i)))",
        "Trace of a sum.",
        S,
    ),
]
