"""The singular value decomposition; unit vectors."""

D, A = "definition", "axiom"
M = "linear algebra"

FACTS = [
    (
        "svd",
        A,
        "m n:Z, X:M(m,n)",
        """ex U:M(m,m), V:M(n,n), S:M(m,n). T(U) @ U = I(m) and T(V) @ V = I(n) and X = U @ S @ T(V) and
           (all i j:Z. i != j => S[i,j] = 0) and all i:Z. S[i,i] = sv(X,i)""",
        "Singular value decomposition.",
        "R. A. Horn, C. R. Johnson, Matrix Analysis, 2.6.3",
    ),
    (
        "svd_values",
        D,
        "m n:Z, X S:M(m,n), U:M(m,m), V:M(n,n)",
        """T(U) @ U = I(m) => T(V) @ V = I(n) => X = U @ S @ T(V) => (all i j:Z. i != j => S[i,j] = 0) =>
           (all i:Z. 1 <= i => 0 <= S[i,i] and S[i+1,i+1] <= S[i,i]) => all i:Z. sv(X,i) = S[i,i]""",
        "The ordered nonnegative diagonal of a singular value decomposition holds the singular values.",
        M,
    ),
    (
        "unit_vector",
        D,
        "n j:Z",
        "1 <= j => j <= n => ex e:V(n). all m:Z, X:M(m,n), i:Z. (X @ e)[i,1] = X[i,j]",
        "A unit vector picks a column.",
        M,
    ),
]
