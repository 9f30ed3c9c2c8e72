"""Derivatives, monotonicity, intermediate values, first exits, antiderivatives, differential comparison."""

C, A = "calculus", "axiom"
W = "W. Rudin, Principles of Mathematical Analysis, ch. 4-6"

FACTS = [
    ("mean_value_le", C, "a b:R, E:R->R", "(all t:R. a <= t and t <= b => dom(E, t)) => (all t:R. a < t and t < b => 0 <= D(s, E(s), t)) => a <= b => E(a) <= E(b)", "A function with derivative >= 0 does not decrease.", W),
    ("mean_value_lt", C, "a b:R, E:R->R", "(all t:R. a <= t and t <= b => dom(E, t)) => (all t:R. a < t and t < b => 0 < D(s, E(s), t)) => a < b => E(a) < E(b)", "A function with derivative > 0 increases strictly.", W),
    ("mean_value_eq", C, "a b:R, E:R->R", "(all t:R. a <= t and t <= b => dom(E, t)) => (all t:R. a < t and t < b => D(s, E(s), t) = 0) => a <= b => E(b) = E(a)", "A function with derivative 0 is constant.", W),
    ("constant", C, "a:R, E:R->R", "(all t:R. a <= t => dom(E, t)) => (all t:R. a <= t => D(s, E(s), t) = 0) => all t:R. a <= t => E(t) = E(a)", "A function with derivative 0 on a half-line is constant there.", W),
    ("constant_matrix", C, "m n:Z, a:R, E:R->M(m,n)", "(all t:R. a <= t => dom(E, t)) => (all t:R. a <= t => D(s, E(s), t) = O(m,n)) => all t:R. a <= t => E(t) = E(a)", "A matrix function with derivative 0 on a half-line is constant there.", W),
    ("nondecreasing", C, "a:R, E:R->R", "(all t:R. a <= t => dom(E, t)) => (all t:R. a <= t => 0 <= D(s, E(s), t)) => all t u:R. a <= t => t <= u => E(t) <= E(u)", "A function with derivative >= 0 on a half-line does not decrease there.", W),
    ("nonincreasing", C, "a:R, E:R->R", "(all t:R. a <= t => dom(E, t)) => (all t:R. a <= t => D(s, E(s), t) <= 0) => all t u:R. a <= t => t <= u => E(u) <= E(t)", "A function with derivative <= 0 on a half-line does not increase there.", W),
    ("mean_value", C, "a b:R, E:R->R", "(all t:R. a <= t and t <= b => dom(E, t)) => a < b => ex c:R. a < c and c < b and E(b) - E(a) = D(s, E(s), c)*(b - a)", "Mean value theorem.", W),
    ("intermediate_value", C, "a b y:R, E:R->R", "(all t:R. a <= t and t <= b => dom(E, t)) => a <= b => E(a) <= y and y <= E(b) or E(b) <= y and y <= E(a) => ex c:R. a <= c and c <= b and E(c) = y", "Intermediate value theorem.", W),
    ("extreme_value", C, "a b:R, E:R->R", "(all t:R. a <= t and t <= b => dom(E, t)) => a <= b => ex c:R. a <= c and c <= b and all t:R. a <= t and t <= b => E(t) <= E(c)", "A continuous function attains its maximum on a compact interval.", W),
    ("first_exit", C, "a b:R, E:R->R", "(all t:R. a <= t and t <= b => dom(E, t)) => a <= b => 0 < E(a) => E(b) <= 0 => ex c:R. a < c and c <= b and E(c) = 0 and all t:R. a <= t and t < c => 0 < E(t)", "The first time at which a positive continuous function vanishes.", W),
    ("last_entry", C, "a b:R, E:R->R", "(all t:R. a <= t and t <= b => dom(E, t)) => a <= b => E(a) <= 0 => 0 < E(b) => ex c:R. a <= c and c < b and E(c) = 0 and all t:R. c < t and t <= b => 0 < E(t)", "The last zero before a continuous function stays positive.", W),
    ("exit_derivative", C, "a c:R, E:R->R", "(all t:R. a <= t and t <= c => dom(E, t)) => a < c => E(c) = 0 => (all t:R. a <= t and t < c => 0 < E(t)) => D(s, E(s), c) <= 0", "At its first zero a positive function has derivative <= 0.", W),
    ("derivative_sign_right", C, "a:R, E:R->R", "dom(E, a) => 0 < D(s, E(s), a) => ex h:R. 0 < h and all t:R. a < t and t <= a + h => E(a) < E(t)", "A positive derivative makes the function larger just to the right.", W),
    ("persistence", C, "a:R, E:R->R", "dom(E, a) => 0 < E(a) => ex h:R. 0 < h and all t:R. a - h <= t and t <= a + h => 0 < E(t)", "A function that is continuous and positive at a point is positive near it.", W),
    ("antiderivative", C, "E:R->R", "(all t:R. 0 <= t => dom(E, t)) => ex F:R~>R. F(0) = 0 and all t:R. 0 <= t => F'(t) = E(t)", "A smooth function on t >= 0 has a smooth antiderivative.", W),
    ("antiderivative_from", C, "a:R, E:R->R", "(all t:R. a <= t => dom(E, t)) => ex F:R~>R. F(a) = 0 and all t:R. a <= t => F'(t) = E(t)", "A smooth function on t >= a has a smooth antiderivative that vanishes at a.", W),
    ("gronwall", C, "a:R, E K:R->R", "(all t:R. a <= t => dom(E, t) and dom(K, t)) => (all t:R. a <= t => D(s, E(s), t) <= D(s, K(s), t)*E(t)) => all t:R. a <= t => E(t) <= E(a)*exp(K(t) - K(a))", "Gronwall's inequality in differential form; K is an antiderivative of the rate.", "T. H. Gronwall, Ann. of Math. 20 (1919)"),
    ("linear_ode", C, "a:R, E K:R->R", "(all t:R. a <= t => dom(E, t) and dom(K, t)) => (all t:R. a <= t => D(s, E(s), t) = D(s, K(s), t)*E(t)) => all t:R. a <= t => E(t) = E(a)*exp(K(t) - K(a))", "A scalar linear differential equation; K is an antiderivative of the rate.", W),
    ("linear_system_zero", A, "n:Z, u:R->V(n), A:R->M(n,n)", "(all t:R. 0 <= t => dom(u, t) and dom(A, t)) => (all t:R. 0 <= t => D(s, u(s), t) = A(t) @ u(t)) => u(0) = O(n,1) => all t:R. 0 <= t => u(t) = O(n,1)", "A linear differential system with initial value 0 has only the zero solution (Picard-Lindelof).", "E. Lindelof, J. Math. Pures Appl. 10 (1894); E. A. Coddington, N. Levinson, Theory of ODE, ch. 1"),
    ("linear_matrix_ode_zero", A, "m n:Z, X:R->M(m,n), A:R->M(m,m), B:R->M(n,n)", "(all t:R. 0 <= t => dom(X, t) and dom(A, t) and dom(B, t)) => (all t:R. 0 <= t => D(s, X(s), t) = A(t) @ X(t) + X(t) @ B(t)) => X(0) = O(m,n) => all t:R. 0 <= t => X(t) = O(m,n)", "A linear matrix differential equation with initial value 0 has only the zero solution (Picard-Lindelof).", "E. A. Coddington, N. Levinson, Theory of ODE, ch. 1"),
]
