"""Zeros of polynomials in several variables."""

A = "axiom"

FACTS = [
    (
        "polynomial_zeros_null",
        A,
        "n:Z, E:V(n)->R",
        """1 <= n => (all x y:V(n). ex m:Z, c:Z->R. all t:R. E(x + t*y) = sum(k, 0, m, c(k)*t^k)) => (ex x:V(n). E(x) != 0) =>
           all e:R. 0 < e => ex A B:Z->V(n). (all k i:Z. 1 <= i and i <= n => A(k)[i,1] <= B(k)[i,1]) and
             (all m:Z. sum(k, 1, m, prod(i, 1, n, B(k)[i,1] - A(k)[i,1])) <= e) and
             all x:V(n). E(x) = 0 => ex k:Z. 1 <= k and all i:Z. 1 <= i and i <= n => A(k)[i,1] <= x[i,1] and x[i,1] <= B(k)[i,1]""",
        "A function that is a polynomial on every line and not zero everywhere vanishes on a Lebesgue null set only: boxes of arbitrarily small total volume cover its zeros.",
        "F. W. Carroll, Amer. Math. Monthly 68 (1961) (such a function is a polynomial); M. Okamoto, Ann. Statist. 1 (1973), lemma (null set)",
    ),
]
