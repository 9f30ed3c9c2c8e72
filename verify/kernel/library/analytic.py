"""Taylor's theorem, the flat function, analytic singular value decompositions."""

C, A = "calculus", "axiom"
W = "W. Rudin, Principles of Mathematical Analysis, ch. 5 and 8"

FACTS = [
    (
        "taylor",
        C,
        "",
        """all f:R~>R, a x:R, n:Z. 0 <= n => ex c:R. min(a,x) <= c and c <= max(a,x) and
           f(x) = sum(k, 0, n - 1, d(k,f,a)*(x - a)^k/prod(l, 1, k, l)) + d(n,f,c)*(x - a)^n/prod(l, 1, n, l)""",
        "Taylor's theorem with the remainder of Lagrange.",
        W,
    ),
    (
        "flat_function",
        C,
        "",
        "ex f:R~>R. (all k:Z, t:R. 0 <= k => t <= 0 => d(k,f,t) = 0) and all t:R. 0 < t => f(t) = exp(-1/t)",
        "exp(-1/t) is continued by 0 for t <= 0 to a smooth function, all of whose derivatives vanish there.",
        W,
    ),
    (
        "analytic_svd",
        A,
        "",
        """all n:Z, X:R~>M(n,n). (all i j:Z, s:R. 1 <= i and i <= n and 1 <= j and j <= n => 0 <= s => ex r:R. 0 < r and
           all t:R. 0 <= t => abs(t - s) < r => all e:R. 0 < e => ex p:Z. all m:Z. p <= m =>
           abs(X(t)[i,j] - sum(k, 0, m, d(k,X,s)[i,j]*(t - s)^k/prod(l, 1, k, l))) <= e) =>
           ex U S V:R~>M(n,n). all t:R. 0 <= t => T(U(t)) @ U(t) = I(n) and T(V(t)) @ V(t) = I(n) and
           X(t) = U(t) @ S(t) @ T(V(t)) and (all i j:Z. i != j => S(t)[i,j] = 0)""",
        "A real analytic square matrix function on t >= 0 has a singular value decomposition with analytic factors; the diagonal "
        "may have any sign and order.",
        "T. Kato, Perturbation Theory for Linear Operators, II.6; A. Bunse-Gerstner, R. Byers, V. Mehrmann, N. K. Nichols, "
        "Numer. Math. 60 (1991)",
    ),
]
