"""The nuclear norm: duality, factorisations, pinching, continuity; polar decomposition; the Powers-Stormer inequality."""

D, C, A = "definition", "calculus", "axiom"
PSD = "(all w:V(n). 0 <= tr(T(w) @ {} @ w))"

FACTS = [
    (
        "nuc_pairing",
        A,
        "m n:Z, X Z:M(m,n)",
        "spec(Z) <= 1 => tr(T(Z) @ X) <= nuc(X)",
        "The nuclear norm is dual to the spectral norm.",
        "R. A. Horn, C. R. Johnson, Matrix Analysis, 5.6, 7.4.1 (von Neumann's trace inequality)",
    ),
    (
        "nuc_factors",
        A,
        "m k n:Z, X:M(m,k), Y:M(k,n)",
        "nuc(X @ Y) <= (tr(T(X) @ X) + tr(T(Y) @ Y))/2",
        "The nuclear norm of a product is at most the mean of the squared Frobenius norms of the factors.",
        "N. Srebro, J. Rennie, T. Jaakkola, NIPS 17 (2004), lemma 1; B. Recht, M. Fazel, P. Parrilo, SIAM Rev. 52 (2010), lemma 5.1",
    ),
    (
        "polar_decomposition",
        A,
        "m n:Z, X:M(m,n)",
        f"""ex Z:M(m,n), S:M(n,n). X = Z @ S and T(Z) @ X = S and T(S) = S and {PSD.format("S")} and spec(Z) <= 1""",
        "Polar decomposition: a positive semidefinite S and a partial isometry Z that is isometric on the range of S.",
        "R. A. Horn, C. R. Johnson, Matrix Analysis, 7.3.1",
    ),
    (
        "powers_stormer",
        A,
        "n:Z, X Y:M(n,n)",
        f"T(X) = X => T(Y) = Y => {PSD.format('X')} => {PSD.format('Y')} => tr((X - Y) @ (X - Y)) <= nuc(X @ X - Y @ Y)",
        "The Powers-Stormer inequality.",
        "R. T. Powers, E. Stormer, Comm. Math. Phys. 16 (1970), lemma 4.1",
    ),
    (
        "nuc_pinching",
        A,
        "m n q:Z, X:M(m,n), R:Z->M(m,m), S:Z->M(n,n)",
        """(all p:Z. T(R(p)) = R(p) and R(p) @ R(p) = R(p) and T(S(p)) = S(p) and S(p) @ S(p) = S(p)) =>
           (all p l:Z. p != l => R(p) @ R(l) = O(m,m) and S(p) @ S(l) = O(n,n)) =>
           sum(p, 1, q, nuc(R(p) @ X @ S(p))) <= nuc(X)""",
        "Pinching: the diagonal blocks for two families of orthogonal projections have at most the nuclear norm of the whole.",
        "R. Bhatia, Matrix Analysis, IV.2",
    ),
    ("nuc_scale", D, "m n:Z, c:R, X:M(m,n)", "nuc(c*X) = abs(c)*nuc(X)", "Nuclear norm of a multiple.", "linear algebra"),
    (
        "tends_nuc",
        C,
        "m n:Z, L:M(m,n), E:R->M(m,n)",
        "tends(t, E(t), L) => tends(t, nuc(E(t)), nuc(L))",
        "The nuclear norm is continuous.",
        "linear algebra",
    ),
]
