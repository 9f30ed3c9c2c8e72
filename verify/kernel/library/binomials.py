"""Binomial coefficients by Pascal's triangle."""

D = "definition"

FACTS = [
    (
        "binomials",
        D,
        "",
        "ex C:(Z,Z)->R. (all n:Z. 0 <= n => C(n,0) = 1 and C(n,n) = 1) and (all n i:Z. 1 <= i and i <= n => C(n+1,i) = C(n,i) + C(n,i-1))",
        "Pascal's triangle exists.",
        "the integers",
    ),
]
