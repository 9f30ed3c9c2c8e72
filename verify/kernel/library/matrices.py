"""Inverse, determinant, trace; constants for singular values, eigenvalues, norms."""

D, A = "definition", "axiom"
M = "linear algebra"

SIGNATURES = [
    ("rank", "m n", "A:M(m,n)", "Z", "Rank of a matrix."),
    ("ncomp", "m n", "A:M(m,n)", "Z", "Number of connected components of the bipartite graph of the nonzero entries, isolated vertices removed."),
    ("sv", "m n", "A:M(m,n), i:Z", "R", "The i-th largest singular value, i = 1..min(m,n); 0 for other i."),
    ("eig", "n", "A:M(n,n), i:Z", "R", "The i-th largest eigenvalue of a symmetric matrix, i = 1..n; unspecified otherwise."),
    ("nuc", "m n", "A:M(m,n)", "R", "Nuclear norm: the sum of the singular values."),
    ("spec", "m n", "A:M(m,n)", "R", "Spectral norm: the largest singular value."),
]

FACTS = [
    ("inv_right", D, "n:Z, X:M(n,n)", "det(X) != 0 => X @ inv(X) = I(n)", "The inverse from the right.", M),
    ("inv_left", D, "n:Z, X:M(n,n)", "det(X) != 0 => inv(X) @ X = I(n)", "The inverse from the left.", M),
    ("inv_unique", D, "n:Z, X Y:M(n,n)", "X @ Y = I(n) => inv(X) = Y and Y @ X = I(n) and det(X) != 0", "A one-sided inverse of a square matrix is the inverse.", M),
    ("det_product", D, "n:Z, X Y:M(n,n)", "det(X @ Y) = det(X)*det(Y)", "The determinant is multiplicative.", M),
    ("det_transpose", D, "n:Z, X:M(n,n)", "det(T(X)) = det(X)", "Determinant of the transpose.", M),
    ("det_identity", D, "n:Z", "det(I(n)) = 1", "Determinant of the identity.", M),
    ("det_scale", D, "n:Z, c:R, X:M(n,n)", "1 <= n => det(c*X) = c^n * det(X)", "Determinant of a multiple.", M),
    ("det_one_plus", A, "m n:Z, X:M(m,n), Y:M(n,m)", "det(I(m) + X @ Y) = det(I(n) + Y @ X)", "Sylvester's determinant identity.", "J. J. Sylvester, Phil. Mag. 1 (1851)"),
    ("frobenius_zero", D, "m n:Z, X:M(m,n)", "tr(T(X) @ X) = 0 => X = O(m,n)", "Only the zero matrix has Frobenius norm 0.", M),
    ("frobenius_entries", D, "m n:Z, X:M(m,n)", "tr(T(X) @ X) = sum(i, 1, m, sum(j, 1, n, X[i,j]^2))", "The squared Frobenius norm by entries.", M),
    ("frobenius_cauchy", A, "m n:Z, X Y:M(m,n)", "tr(T(X) @ Y)^2 <= tr(T(X) @ X)*tr(T(Y) @ Y)", "Cauchy-Schwarz inequality for the Frobenius inner product.", "A.-L. Cauchy, Cours d'analyse (1821), note II"),
    ("frobenius_submultiplicative", A, "m n k:Z, X:M(m,n), Y:M(n,k)", "tr(T(X@Y) @ (X@Y)) <= tr(T(X) @ X)*tr(T(Y) @ Y)", "The Frobenius norm is submultiplicative.", "R. A. Horn, C. R. Johnson, Matrix Analysis, 5.6"),
    ("mpow_add", D, "n a b:Z, X:M(n,n)", "0 <= a => 0 <= b => X^(a + b) = X^a @ X^b", "Sum of exponents.", M),
    ("tr_entries", D, "n:Z, X:M(n,n)", "tr(X) = sum(i, 1, n, X[i,i])", "The trace by entries.", M),
    ("mm_entry", D, "m k n:Z, X:M(m,k), Y:M(k,n)", "all i j:Z. (X @ Y)[i,j] = sum(l, 1, k, X[i,l]*Y[l,j])", "An entry of a product.", M),
    ("rank_bounds", D, "m n:Z, X:M(m,n)", "0 <= m => 0 <= n => 0 <= rank(X) and rank(X) <= m and rank(X) <= n", "Bounds of the rank.", M),
    ("rank_product", D, "m k n:Z, X:M(m,k), Y:M(k,n)", "rank(X @ Y) <= rank(X) and rank(X @ Y) <= rank(Y)", "Rank of a product.", M),
    ("rank_full", D, "n:Z, X:M(n,n)", "0 <= n => (rank(X) = n <=> det(X) != 0)", "Full rank and determinant.", M),
    ("sv_range", D, "m n:Z, X:M(m,n)", "all i j:Z. 0 <= sv(X,i) and (1 <= i and i <= j => sv(X,j) <= sv(X,i))", "Singular values are nonnegative and ordered.", M),
    ("sv_frobenius", D, "m n:Z, X:M(m,n)", "0 <= n => tr(T(X) @ X) = sum(i, 1, n, sv(X,i)^2)", "Squared Frobenius norm by singular values.", M),
    ("sv_2x2", D, "X:M(2,2)", "sv(X,1)*sv(X,2) = abs(det(X)) and sv(X,1)^2 + sv(X,2)^2 = tr(T(X) @ X)", "Singular values of a 2 x 2 matrix.", M),
    ("spec_is_sv", D, "m n:Z, X:M(m,n)", "spec(X) = sv(X,1)", "The spectral norm is the largest singular value.", M),
    ("nuc_is_sum", D, "n:Z, X:M(n,n)", "nuc(X) = sum(i, 1, n, sv(X,i))", "The nuclear norm of a square matrix.", M),
    ("spec_bound", D, "m n:Z, X:M(m,n), v:V(n)", "tr(T(X@v) @ (X@v)) <= spec(X)^2 * tr(T(v)@v)", "The spectral norm bounds the stretching of vectors.", M),
    ("eig_rayleigh", D, "n:Z, X:M(n,n), v:V(n)", "T(X) = X => 1 <= n => eig(X,n)*tr(T(v)@v) <= tr(T(v)@X@v) and tr(T(v)@X@v) <= eig(X,1)*tr(T(v)@v)", "Rayleigh quotients lie between the extreme eigenvalues.", M),
]
