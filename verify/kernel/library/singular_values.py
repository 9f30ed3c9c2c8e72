"""Perturbation of singular values, best approximation by low rank, roots of positive semidefinite matrices."""

D, C, A = "definition", "calculus", "axiom"

FACTS = [
    (
        "sv_perturbation",
        A,
        "m n i:Z, X Y:M(m,n)",
        "abs(sv(X,i) - sv(Y,i)) <= spec(X - Y)",
        "Weyl's inequality: singular values move by at most the spectral norm of the perturbation.",
        "H. Weyl, Math. Ann. 71 (1912); R. A. Horn, C. R. Johnson, Matrix Analysis, 7.3.5",
    ),
    (
        "eckart_young",
        A,
        "m n k:Z, X:M(m,n)",
        """0 <= m => 0 <= n => 0 <= k =>
           (ex Y:M(m,n). rank(Y) <= k and tr(T(X - Y) @ (X - Y)) = sum(i, k + 1, n, sv(X,i)^2)) and
           (all Z:M(m,n). rank(Z) <= k => sum(i, k + 1, n, sv(X,i)^2) <= tr(T(X - Z) @ (X - Z)))""",
        "The best approximation of rank at most k in the Frobenius norm leaves the singular values beyond the k-th.",
        "C. Eckart, G. Young, Psychometrika 1 (1936)",
    ),
    (
        "psd_root_unique",
        A,
        "n k:Z, X Y:M(n,n)",
        """1 <= k => T(X) = X => T(Y) = Y => (all v:V(n). 0 <= tr(T(v) @ X @ v)) => (all v:V(n). 0 <= tr(T(v) @ Y @ v)) =>
           X^k = Y^k => X = Y""",
        "A positive semidefinite matrix has only one positive semidefinite k-th root.",
        "R. A. Horn, C. R. Johnson, Matrix Analysis, 7.2.6",
    ),
    (
        "psd_power_eigenvector",
        A,
        "n k:Z, c:R, X:M(n,n), v:V(n)",
        "1 <= k => 0 <= c => T(X) = X => (all w:V(n). 0 <= tr(T(w) @ X @ w)) => X^k @ v = c^k * v => X @ v = c*v",
        "An eigenvector of the k-th power of a positive semidefinite matrix is one of the matrix, with the k-th root of the eigenvalue.",
        "R. A. Horn, C. R. Johnson, Matrix Analysis, 7.2.6 (spectral theorem)",
    ),
    (
        "jacobi_formula",
        C,
        "n:Z, X:R->M(n,n)",
        """(all t:R. 0 <= t => dom(X, t)) =>
           ex F:R~>R. all t:R. 0 <= t => F(t) = det(X(t)) and (det(X(t)) != 0 => F'(t) = F(t)*tr(inv(X(t)) @ D(s, X(s), t)))""",
        "The determinant of a smooth matrix function is smooth; Jacobi's formula for its derivative.",
        "R. A. Horn, C. R. Johnson, Matrix Analysis, 0.8.10",
    ),
]
