"""Taylor's theorem and the flat function."""

C = "calculus"
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
]
