"""Singular values as eigenvalues of Gram matrices; quadratic polynomials of and a common basis for symmetric matrices."""

D, A = "definition", "axiom"
M = "linear algebra"

FACTS = [
    (
        "sv_gram",
        D,
        "m n i:Z, X:M(m,n)",
        "1 <= i => i <= n => sv(X,i)^2 = eig(T(X) @ X, i)",
        "The squared singular values are the eigenvalues of the Gram matrix.",
        M,
    ),
    ("sv_transpose", D, "m n i:Z, X:M(m,n)", "sv(T(X),i) = sv(X,i)", "Singular values of the transpose.", M),
    (
        "eig_lower_bound",
        D,
        "n:Z, c:R, X:M(n,n)",
        "1 <= n => T(X) = X => (all v:V(n). c*tr(T(v) @ v) <= tr(T(v) @ X @ v)) => c <= eig(X,n)",
        "A lower bound of all Rayleigh quotients bounds the least eigenvalue.",
        M,
    ),
    (
        "eig_quadratic",
        A,
        "n i:Z, b c:R, X:M(n,n)",
        """T(X) = X => 1 <= i => i <= n => 0 <= 2*eig(X,n) + b => eig(X @ X + b*X + c*I(n), i) = eig(X,i)^2 + b*eig(X,i) + c""",
        "Spectral mapping: a quadratic polynomial that increases on the spectrum maps the i-th eigenvalue to the i-th.",
        "R. A. Horn, C. R. Johnson, Matrix Analysis, 2.5.6 (spectral theorem)",
    ),
    (
        "psd_root_exists",
        A,
        "n k:Z, X:M(n,n)",
        """1 <= k => T(X) = X => (all w:V(n). 0 <= tr(T(w) @ X @ w)) =>
           ex Y:M(n,n). T(Y) = Y and (all w:V(n). 0 <= tr(T(w) @ Y @ w)) and Y^k = X""",
        "A positive semidefinite matrix has a positive semidefinite k-th root.",
        "R. A. Horn, C. R. Johnson, Matrix Analysis, 7.2.6",
    ),
    (
        "simultaneous_diagonalisation",
        A,
        "n:Z, X Y:M(n,n)",
        """T(X) = X => T(Y) = Y => X @ Y = Y @ X => ex U:M(n,n). T(U) @ U = I(n) and
           all i j:Z. i != j => (T(U) @ X @ U)[i,j] = 0 and (T(U) @ Y @ U)[i,j] = 0""",
        "Commuting symmetric matrices have a common orthonormal basis of eigenvectors.",
        "R. A. Horn, C. R. Johnson, Matrix Analysis, 2.5.5",
    ),
]
