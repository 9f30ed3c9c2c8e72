"""Finite ranges of integers: division with remainder, injective maps."""

D, A = "definition", "axiom"
Z = "the integers"

FACTS = [
    ("integer_division", D, "a b:Z", "1 <= b => ex q r:Z. a = q*b + r and 0 <= r and r < b", "Division with remainder.", Z),
    (
        "injective_onto",
        D,
        "n:Z, E:Z->Z",
        "(all k:Z. 1 <= k and k <= n => 1 <= E(k) and E(k) <= n) => (all k l:Z. 1 <= k and k <= n and 1 <= l and l <= n => E(k) = E(l) => k = l) => all m:Z. 1 <= m and m <= n => ex k:Z. 1 <= k and k <= n and E(k) = m",
        "An injective map of a finite set to itself is onto.",
        Z,
    ),
]
