"""Real analytic functions: singular value decomposition of analytic matrix functions, analyticity of gradient flows."""

C, A = "calculus", "axiom"


def analytic(f: str, rows: str, columns: str) -> str:
    """The smooth rows x columns matrix function f of time is real analytic on t >= 0: its Taylor series at every a >= 0 converges
    to it near a."""
    partial = f"sum(k, 0, b, d(k,{f},a)[i,j]*(t - a)^k/prod(l, 1, k, l))"
    return (
        "(all a:R. 0 <= a => ex z:R. 0 < z and all t:R. 0 <= t and abs(t - a) < z =>"
        f" all i j:Z, e:R. 1 <= i and i <= {rows} and 1 <= j and j <= {columns} => 0 < e =>"
        f" ex o:Z. all b:Z. o <= b => abs({f}(t)[i,j] - {partial}) <= e)"
    )


def analytic_loss(f: str, rows: str, columns: str) -> str:
    """The real function f of rows x columns matrices is real analytic: near every matrix x it is the sum of homogeneous polynomials
    h(k,.) of the degrees k = 0, 1, ... in the displacement."""
    m = f"M({rows},{columns})"
    return (
        f"(all x:{m}. ex h:(Z,{m})->R, z:R. 0 < z and"
        f" (all k:Z, y:{m}, t:R. 0 <= k => h(k,t*y) = t^k*h(k,y)) and"
        f" (all k:Z, y u:{m}. 0 <= k => ex g:Z->R. all t:R. h(k,y + t*u) = sum(i, 0, k, g(i)*t^i)) and"
        f" (all y:{m}. tr(T(y) @ y) < z^2 => all e:R. 0 < e => ex o:Z. all b:Z. o <= b =>"
        f" abs({f}(x + y) - sum(k, 0, b, h(k,y))) <= e))"
    )


FACTS = [
    (
        "analytic_svd_any_shape",
        A,
        "m n:Z",
        f"""all F:R~>M(m,n). {analytic("F", "m", "n")} => ex U:R~>M(m,m), S:R~>M(m,n), V:R~>M(n,n).
           {analytic("U", "m", "m")} and {analytic("S", "m", "n")} and {analytic("V", "n", "n")} and
           (all t:R. 0 <= t => T(U(t)) @ U(t) = I(m) and T(V(t)) @ V(t) = I(n) and F(t) = U(t) @ S(t) @ T(V(t))) and
           (all t:R, i j:Z. 0 <= t => i != j => S(t)[i,j] = 0)""",
        "An analytic matrix function has an analytic singular value decomposition; the diagonal need be neither ordered nor nonnegative.",
        "A. Bunse-Gerstner, R. Byers, V. Mehrmann, N. K. Nichols, Numer. Math. 60 (1991), thm 1; B. De Moor, S. Boyd (1989); T. Kato, Perturbation Theory for Linear Operators, II.6",
    ),
    (
        "analytic_multiple",
        C,
        "p m n q:Z, X:M(p,m), Y:M(n,q)",
        f"""all F:R~>M(m,n). {analytic("F", "m", "n")} =>
           ex H:R~>M(p,q). {analytic("H", "p", "q")} and all t:R. H(t) = X @ F(t) @ Y""",
        "Constant factors keep a matrix function analytic.",
        "W. Rudin, Principles of Mathematical Analysis, ch. 8",
    ),
    (
        "analytic_factor_flow",
        A,
        "r c n L:Z, E:M(r,c)->R, N:M(r,c)->M(r,c)",
        f"""2 <= L => {analytic_loss("E", "r", "c")} => (all x y:M(r,c). D(s, E(x + s*y), 0) = tr(T(N(x)) @ y)) =>
           all A:R~>M(n,c), B:R~>M(r,n), W:(Z,R)~>M(n,n), P:(Z,R)~>M(r,n), Q:(Z,R)~>M(n,c), X:R~>M(r,c).
           (all t:R. 0 <= t => Q(1,t) = A(t) and P(L-1,t) = B(t) and X(t) = B(t) @ Q(L-1,t)) =>
           (all l:Z, t:R. 2 <= l and l <= L - 1 => 0 <= t => Q(l,t) = W(l,t) @ Q(l-1,t) and P(l-1,t) = P(l,t) @ W(l,t)) =>
           (all t:R. 0 <= t => A'(t) = -(T(P(1,t)) @ N(X(t))) and B'(t) = -(N(X(t)) @ T(Q(L-1,t)))) =>
           (all l:Z, t:R. 2 <= l and l <= L - 1 => 0 <= t => d(1,W,l,t) = -(T(P(l,t)) @ N(X(t)) @ T(Q(l-1,t)))) =>
           {analytic("X", "r", "c")}""",
        "A solution of an analytic differential equation is analytic, here of the gradient flow of E(B W_(L-1) ... W_2 A) for an analytic E with the gradient N; so is the product along it.",
        "A.-L. Cauchy; E. A. Coddington, N. Levinson, Theory of Ordinary Differential Equations, ch. 1.8",
    ),
]
