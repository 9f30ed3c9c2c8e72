"""Limits at infinity of functions of a real variable."""

C, A = "calculus", "axiom"
W = "W. Rudin, Principles of Mathematical Analysis, ch. 3-4"

FACTS = [
    ("tends_unique", C, "l m:R, E:R->R", "tends(t, E(t), l) => tends(t, E(t), m) => l = m", "A limit is unique.", W),
    ("tends_const", C, "c:R", "tends(t, c, c)", "A constant is its own limit.", W),
    ("tends_add", C, "l m:R, E F:R->R", "tends(t, E(t), l) => tends(t, F(t), m) => tends(t, E(t) + F(t), l + m)", "Limit of a sum.", W),
    ("tends_scale", C, "c l:R, E:R->R", "tends(t, E(t), l) => tends(t, c*E(t), c*l)", "Limit of a multiple.", W),
    ("tends_mul", C, "l m:R, E F:R->R", "tends(t, E(t), l) => tends(t, F(t), m) => tends(t, E(t)*F(t), l*m)", "Limit of a product.", W),
    ("tends_div", C, "l m:R, E F:R->R", "tends(t, E(t), l) => tends(t, F(t), m) => m != 0 => tends(t, E(t)/F(t), l/m)", "Limit of a quotient.", W),
    ("tends_compose", C, "l:R, E F:R->R", "tends(t, E(t), l) => dom(F, l) => tends(t, F(E(t)), F(l))", "Limit of a composition with a function that is continuous at the limit.", W),
    ("tends_ext", C, "a l:R, E F:R->R", "(all t:R. a <= t => E(t) = F(t)) => tends(t, E(t), l) => tends(t, F(t), l)", "Functions that agree eventually have the same limit.", W),
    ("tends_le", C, "a l m:R, E F:R->R", "(all t:R. a <= t => E(t) <= F(t)) => tends(t, E(t), l) => tends(t, F(t), m) => l <= m", "Limits keep weak inequalities.", W),
    ("tends_squeeze", C, "a l:R, E F G:R->R", "(all t:R. a <= t => E(t) <= F(t) and F(t) <= G(t)) => tends(t, E(t), l) => tends(t, G(t), l) => tends(t, F(t), l)", "Squeezing.", W),
    ("tends_shift", C, "a l:R, E:R->R", "tends(t, E(t), l) => tends(t, E(t + a), l)", "Shift of the argument.", W),
    ("tends_rescale", C, "a l:R, E:R->R", "0 < a => tends(t, E(t), l) => tends(t, E(a*t), l)", "Rescaling of the argument.", W),
    ("tends_abs", C, "l:R, E:R->R", "tends(t, E(t), l) => tends(t, abs(E(t)), abs(l))", "Limit of the absolute value.", W),
    ("tends_eventually_lt", C, "l b:R, E:R->R", "tends(t, E(t), l) => l < b => ex a:R. all t:R. a <= t => E(t) < b", "A function is eventually below a bound above its limit.", W),
    ("tends_eventually_gt", C, "l b:R, E:R->R", "tends(t, E(t), l) => b < l => ex a:R. all t:R. a <= t => b < E(t)", "A function is eventually above a bound below its limit.", W),
    ("tends_epsilon", C, "l:R, E:R->R", "tends(t, E(t), l) <=> all e:R. 0 < e => ex a:R. all t:R. a <= t => abs(E(t) - l) < e", "The definition of a limit.", W),
    ("tendsoo_definition", C, "E:R->R", "tendsoo(t, E(t)) <=> all b:R. ex a:R. all t:R. a <= t => b < E(t)", "The definition of an infinite limit.", W),
    ("tends_exp_decay", C, "k:R", "0 < k => tends(t, exp(-k*t), 0)", "Exponential decay.", W),
    ("tends_inverse", C, "", "tends(t, 1/t, 0)", "1/t tends to 0.", W),
    ("tends_inverse_oo", C, "E:R->R", "tendsoo(t, E(t)) => tends(t, 1/E(t), 0)", "The inverse of what tends to infinity.", W),
    ("tendsoo_identity", C, "", "tendsoo(t, t)", "t tends to infinity.", W),
    ("tendsoo_compose", C, "l:R, E F:R->R", "tendsoo(t, E(t)) => tends(t, F(t), l) => tends(t, F(E(t)), l)", "A limit at infinity along a function that tends to infinity.", W),
    ("tendsoo_exp", C, "k:R", "0 < k => tendsoo(t, exp(k*t))", "Exponential growth.", W),
    ("tends_exp_beats_power", C, "k:R, n:Z", "0 < k => 0 <= n => tends(t, t^n * exp(-k*t), 0)", "Exponentials beat powers.", W),
    ("monotone_limit", C, "a b:R, E:R->R", "(all t u:R. a <= t => t <= u => E(t) <= E(u)) => (all t:R. a <= t => E(t) <= b) => ex l:R. tends(t, E(t), l) and l <= b and all t:R. a <= t => E(t) <= l", "A bounded nondecreasing function converges.", W),
    ("monotone_limit_down", C, "a b:R, E:R->R", "(all t u:R. a <= t => t <= u => E(u) <= E(t)) => (all t:R. a <= t => b <= E(t)) => ex l:R. tends(t, E(t), l) and b <= l and all t:R. a <= t => l <= E(t)", "A bounded nonincreasing function converges.", W),
    ("finite_length_limit", C, "c k:R, E:R->R", "0 < k => (all t:R. 0 <= t => dom(E, t)) => (all t:R. 0 <= t => abs(D(s, E(s), t)) <= c*exp(-k*t)) => ex l:R. tends(t, E(t), l) and all t:R. 0 <= t => abs(E(t) - l) <= c/k*exp(-k*t)", "A function whose derivative decays exponentially converges exponentially.", W),
    ("derivative_not_away", C, "a c l:R, E:R->R", "0 < c => (all t:R. a <= t => dom(E, t)) => tends(t, E(t), l) => not (all t:R. a <= t => c <= D(s, E(s), t))", "A convergent function has no derivative bounded below by a positive constant.", W),
    ("tends_matrix", C, "m n:Z, L:M(m,n), E:R->M(m,n)", "tends(t, E(t), L) <=> all i j:Z. 1 <= i and i <= m and 1 <= j and j <= n => tends(t, E(t)[i,j], L[i,j])", "Limits of matrices are limits of entries.", W),
    ("tends_matrix_mul", C, "m k n:Z, L:M(m,k), N:M(k,n), E:R->M(m,k), F:R->M(k,n)", "tends(t, E(t), L) => tends(t, F(t), N) => tends(t, E(t) @ F(t), L @ N)", "Limit of a product of matrices.", W),
    ("tends_matrix_add", C, "m n:Z, L N:M(m,n), E F:R->M(m,n)", "tends(t, E(t), L) => tends(t, F(t), N) => tends(t, E(t) + F(t), L + N)", "Limit of a sum of matrices.", W),
    ("tends_matrix_transpose", C, "m n:Z, L:M(m,n), E:R->M(m,n)", "tends(t, E(t), L) => tends(t, T(E(t)), T(L))", "Limit of a transpose.", W),
]
