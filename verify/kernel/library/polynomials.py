"""Zeros of polynomials; determinants of matrices of polynomials."""

D, C, A = "definition", "calculus", "axiom"

FACTS = [
    (
        "det_polynomial",
        D,
        "n:Z, E:R->M(n,n)",
        """(all i j:Z. 1 <= i and i <= n and 1 <= j and j <= n => ex m:Z, c:Z->R. all t:R. E(t)[i,j] = sum(k, 0, m, c(k)*t^k)) =>
           ex m:Z, c:Z->R. all t:R. det(E(t)) = sum(k, 0, m, c(k)*t^k)""",
        "The determinant of a matrix of polynomials is a polynomial: it is a sum of products of entries.",
        "linear algebra (Leibniz's formula)",
    ),
    (
        "polynomial_nonzero_near",
        C,
        "m:Z, E:Z->R",
        """(ex t:R. sum(k, 0, m, E(k)*t^k) != 0) => all a e:R. 0 < e => ex t:R. a < t and t < a + e and sum(k, 0, m, E(k)*t^k) != 0""",
        "A polynomial that does not vanish everywhere has finitely many zeros, so it does not vanish at points near any given one.",
        "W. Rudin, Principles of Mathematical Analysis, ch. 8",
    ),
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
