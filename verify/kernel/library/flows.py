"""Existence of gradient flows."""

A = "axiom"

FACTS = [
    ("two_layer_flow", A, "m k n:Z, X:M(m,k), Y:M(k,n), S Z:M(m,n)", "ex A:R~>M(m,k), B:R~>M(k,n). A(0) = X and B(0) = Y and all t:R. 0 <= t => A'(t) = -(had(had(S,S), A(t) @ B(t) - Z) @ T(B(t))) and B'(t) = -(T(A(t)) @ had(had(S,S), A(t) @ B(t) - Z))", "The gradient flow of |S o (AB - Z)|_F^2 / 2 exists for t >= 0 from every start: a solution exists locally (Picard-Lindelof) and stays bounded on bounded intervals, because its squared speed is minus the derivative of a nonnegative loss.", "E. A. Coddington, N. Levinson, Theory of Ordinary Differential Equations, ch. 1"),
]
