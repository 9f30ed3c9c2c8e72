"""Power series of hyperbolic functions."""

D = "calculus"
S = "power series, real analysis"

FACTS = [
    (
        "cosh_series",
        D,
        "x e:R",
        "0 < e => ex n:Z. all m:Z. n <= m => abs(cosh(x) - sum(k, 0, m, x^(2*k)/prod(l, 1, 2*k, l))) <= e",
        "cosh is the sum of x^(2k)/(2k)!.",
        S,
    ),
    (
        "sinh_series",
        D,
        "x e:R",
        "0 < e => ex n:Z. all m:Z. n <= m => abs(sinh(x) - sum(k, 0, m, x^(2*k + 1)/prod(l, 1, 2*k + 1, l))) <= e",
        "sinh is the sum of x^(2k+1)/(2k+1)!.",
        S,
    ),
]
