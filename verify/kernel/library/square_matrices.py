"""Singular value decomposition of a square matrix; multiples; determinant of a diagonal matrix."""

D, A = "definition", "axiom"

FACTS = [
    ("sv_scale", D, "m n i:Z, c:R, X:M(m,n)", "sv(c*X,i) = abs(c)*sv(X,i)", "Singular values of a multiple.", "linear algebra"),
    (
        "svd_square",
        A,
        "n:Z, X:M(n,n)",
        """ex U V:M(n,n). T(U) @ U = I(n) and T(V) @ V = I(n) and (all i j:Z. i != j => (T(U) @ X @ V)[i,j] = 0) and
           all i:Z. 1 <= i => i <= n => (T(U) @ X @ V)[i,i] = sv(X,i)""",
        "Singular value decomposition of a square matrix.",
        "R. A. Horn, C. R. Johnson, Matrix Analysis, 2.6.3",
    ),
    (
        "det_diagonal",
        D,
        "n:Z, X:M(n,n)",
        "(all i j:Z. i != j => X[i,j] = 0) => det(X) = prod(i, 1, n, X[i,i])",
        "Determinant of a diagonal matrix.",
        "linear algebra",
    ),
]
