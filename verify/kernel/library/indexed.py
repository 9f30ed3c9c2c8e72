"""Functions and matrices given by their values: cases, common values, reachability in a graph."""

D, A = "definition", "axiom"
Z = "the integers"
M = "linear algebra"

FACTS = [
    (
        "indicator",
        D,
        "E:Z->R",
        "ex f:Z->Z. all x:Z. (E(x) = 0 => f(x) = 0) and (E(x) != 0 => f(x) = 1)",
        "The indicator function of the set where a function does not vanish.",
        Z,
    ),
    (
        "piecewise",
        D,
        "a:Z, E F:Z->Z",
        "ex f:Z->Z. all x:Z. (x <= a => f(x) = E(x)) and (a < x => f(x) = F(x))",
        "A function given by two cases.",
        Z,
    ),
    (
        "common_value",
        D,
        "E:(Z,Z)->R, H:(Z,Z)->Z",
        "(all x v w:Z. E(x,v) = 1 and E(x,w) = 1 => H(x,v) = H(x,w)) => ex f:Z->Z. all x v:Z. E(x,v) = 1 => f(x) = H(x,v)",
        "What does not depend on the choice of v among the pairs with E(x,v) = 1 is a function of x.",
        Z,
    ),
    (
        "reachable",
        D,
        "a:Z, E:(Z,Z)->R",
        "ex f:Z->Z. all b:Z. (f(b) = 0 or f(b) = 1) and (f(b) = 1 <=>"
        " ex n:Z, w:Z->Z. 0 <= n and w(0) = a and w(n) = b and all k:Z. 0 <= k and k < n => E(w(k),w(k+1)) = 1)",
        "The indicator function of what can be reached from a by walks along the pairs with E = 1.",
        Z,
    ),
    (
        "sum_reindex",
        D,
        "lo hi:Z, f:Z->Z, E:Z->R",
        "(all i:Z. lo <= i and i <= hi => lo <= f(i) and f(i) <= hi) =>"
        " (all i j:Z. lo <= i and i <= hi and lo <= j and j <= hi => f(i) = f(j) => i = j) =>"
        " sum(i, lo, hi, E(f(i))) = sum(i, lo, hi, E(i))",
        "A finite sum does not change when the index is permuted.",
        "finite sums",
    ),
    (
        "matrix_of_entries",
        D,
        "m n:Z, E:(Z,Z)->R",
        "ex X:M(m,n). all i j:Z. 1 <= i and i <= m and 1 <= j and j <= n => X[i,j] = E(i,j)",
        "A matrix with given entries.",
        M,
    ),
    (
        "matrix_family",
        D,
        "m n:Z, E:(Z,Z,Z)->R",
        "ex X:Z->M(m,n). all k i j:Z. 1 <= i and i <= m and 1 <= j and j <= n => X(k)[i,j] = E(k,i,j)",
        "Matrices with given entries, one for each index k.",
        M,
    ),
    (
        "entry_outside",
        D,
        "m n:Z, X:M(m,n)",
        "all i j:Z. i < 1 or m < i or j < 1 or n < j => X[i,j] = 0",
        "Entries outside a matrix are 0 by convention.",
        M,
    ),
    (
        "det_kernel",
        D,
        "n:Z, X:M(n,n)",
        "det(X) = 0 => ex v:V(n). v != O(n,1) and X @ v = O(n,1)",
        "A singular matrix has a kernel.",
        M,
    ),
    (
        "linear_pair_zero",
        A,
        "m n k:Z, X:R->M(m,k), Y:R->M(n,k), F:R->M(m,n), G:R->M(n,m)",
        "(all t:R. 0 <= t => dom(X, t) and dom(Y, t) and dom(F, t) and dom(G, t)) =>"
        " (all t:R. 0 <= t => D(s, X(s), t) = F(t) @ Y(t)) => (all t:R. 0 <= t => D(s, Y(s), t) = G(t) @ X(t)) =>"
        " X(0) = O(m,k) => Y(0) = O(n,k) => all t:R. 0 <= t => X(t) = O(m,k) and Y(t) = O(n,k)",
        "A linear differential system for two matrices with initial value 0 has only the zero solution (Picard-Lindelof).",
        "E. A. Coddington, N. Levinson, Theory of ODE, ch. 1",
    ),
]
