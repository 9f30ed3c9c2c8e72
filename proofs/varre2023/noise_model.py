"""Section 4.1 and Appendix D, noise model: label noise, its continuous version, and the driftless equation.

The hidden layer W is p x l, the output layer a is a column of length l; b stands for an increment dB of Brownian motion.
"""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import holds

NET = "all n p l:Z, X:M(n,p), Y:V(n), W:M(p,l), a:V(l)"
RES = "(Y - X @ W @ a)"
FIRST, SECOND = f"(-(T(X) @ {RES} @ T(a)))", f"(-(T(W) @ T(X) @ {RES}))"
GRADIENTS = "varre2023.step-d-gradients"


def slopes(labels: str, first: str, second: str) -> str:
    """The gradients of the loss with these labels, by its derivatives along all directions."""
    e1, e2 = f"(X @ (W + s*H) @ a - {labels})", f"(X @ W @ (a + s*h) - {labels})"
    return f"""(all H:M(p,l). D(s, tr(T({e1}) @ {e1})/2, 0) = tr(T({first}) @ H)) and
       (all h:V(l). D(s, tr(T({e2}) @ {e2})/2, 0) = tr(T({second}) @ h))"""


@holds(
    GRADIENTS,
    f"{NET}. {slopes('Y', FIRST, SECOND)}",
    argument="sound",
    reading="L = |X W a - Y|^2 / 2; gradients by directional derivatives",
)
def gradients_of_the_loss(g: Goal) -> None:
    """Traces of cyclically rotated words are equal."""
    g.intro()
    g.conj(*[lambda g: (g.intro(), g.field())] * 2)


NOISY = "(Y + N)"
NOISY_FIRST, NOISY_SECOND = FIRST.replace("(Y - ", "(Y + N - "), SECOND.replace("(Y - ", "(Y + N - ")


@holds(
    "varre2023.step-d-noisy-gradients",
    f"""{NET}, N:V(n). {slopes(NOISY, NOISY_FIRST, NOISY_SECOND)} and {NOISY_FIRST} = {FIRST} - T(X) @ N @ T(a) and
       {NOISY_SECOND} = {SECOND} - T(W) @ T(X) @ N""",
    argument="sound",
    reading="N stands for the noise of the labels",
)
def gradients_with_noisy_labels(g: Goal) -> None:
    """The residual is linear in the labels."""
    g.intro()
    g.conj(*[lambda g: (g.intro(), g.field())] * 2, lambda g: g.nc(), lambda g: g.nc())


STEP = f"(W - r*({FIRST} - T(X) @ N @ T(a)))"


@holds(
    "varre2023.step-d-lngd-update",
    f"""{NET}, b N:V(n), r q:R. N = q*b => W - r*{NOISY_FIRST} = {STEP} and
       {STEP} = W + 1*(-r*{FIRST}) + (r*q)*(T(X) @ b @ T(a)) and
       W + (1*(-r*{FIRST}) + (r*q)*(T(X) @ b @ T(a))) - (W + 1*(-r*{FIRST})) = (r*q)*(T(X) @ b @ T(a))""",
    context=(
        "the noise is delta times a standard Gaussian vector, as the increment of delta B over a unit of time is [Noise "
        "Model, Appendix D]; the passage from steps of length 1 to continuous time [Noise Model, Appendix D]"
    ),
    reading="r stands for eta, q for delta, b for the increment of B over a unit of time, N for the noise of the labels: a step of label noise gradient descent is "
    "the Euler step of length 1 of the stochastic equation, as an identity in the increment; that the printed equation is the continuous-time version is a definition, and no convergence of the steps "
    "to it is stated. In the large-noise regime the term with the gradient is left out: no error of leaving it out is stated",
)
def noisy_step_is_an_euler_step(g: Goal) -> None:
    """Linear in the noise."""
    (noise,) = g.intro()
    g.conj(lambda g: g.nc(), lambda g: g.nc((noise, "r", "T(X)", "T(a)")), lambda g: g.nc())


@holds(
    "varre2023.step-d-time-rescaling",
    """all n p l:Z, X:M(n,p), W:M(p,l), a:V(l), e:Z->V(n), q h:R. 0 < q => sum(j, 1, n, e(j) @ T(e(j))) = I(n) =>
       (all b:V(n). q*(T(X) @ b @ T(a)) = T(X) @ (q*b) @ T(a) and q*(T(W) @ T(X) @ b) = T(W) @ T(X) @ (q*b)) and
       (q^2*h)*sum(j, 1, n, e(j) @ T(e(j))) = (q^2*h)*I(n) and h*sum(j, 1, n, (q*e(j)) @ T(q*e(j))) = (q^2*h)*I(n)""",
    context=(
        "Brownian scaling: q B_t has the independent Gaussian increments, and the covariances, of a Brownian motion at the "
        "time q^2 t, so that a solution with the factor is, in law, a solution without it at the time q^2 t [definition of "
        "B]"
    ),
    reading="what the formula shows is algebra of one increment, the statement about processes is the context; q stands for eta delta: the factor goes into the increment q b, whose covariance over a time h is q^2 h I, as that of Brownian motion over a time q^2 h",
)
def factor_is_a_change_of_time(g: Goal) -> None:
    """The equations are linear in the increment."""
    _, basis = g.intro()
    scaled = g.fact("matrix_sum_linear", "n", "n", 1, "n", "q^2", 0, "lam j:Z. e(j) @ T(e(j))", "lam j:Z. e(j) @ T(e(j))")

    def covariance(g: Goal) -> None:
        terms = "lam j:Z. (q*e(j)) @ T(q*e(j))", "lam j:Z. q^2*(e(j) @ T(e(j))) + 0*(e(j) @ T(e(j)))"
        same = g.by_fact("matrix_sum_ext", "n", "n", 1, "n", *terms, by=[lambda g: (g.fix("j"), g.assume(), g.nc())])
        g.nc((same, "h", None, None), (scaled, "h", None, None), (basis, "q^2*h", None, None))

    g.conj(
        lambda g: (g.fix(), g.conj(lambda g: g.nc(), lambda g: g.nc())),
        lambda g: g.nc((basis, "q^2*h", None, None)),
        covariance,
    )


@holds(
    "varre2023.step-d-svd-reduction",
    """all n p l:Z, X:M(n,p), U S:M(n,n), V:M(p,n), W:M(p,l), a:V(l), b:V(n). X = U @ S @ T(V) => T(U) @ U = I(n) => U @ T(U) = I(n) =>
       T(V) @ V = I(n) => (all i j:Z. i != j => S[i,j] = 0) =>
       T(V) @ (T(X) @ b @ T(a)) = S @ (T(U) @ b) @ T(a) and T(W) @ T(X) @ b = T(T(V) @ W) @ S @ (T(U) @ b)""",
    argument="sound",
    reading="S stands for D, b for an increment dB: the equations of V^T W and a",
    uses=["shin2025.lemma-32"],
)
def equations_in_the_frame_of_the_data(g: Goal) -> None:
    """X^T = V S U^T, since a diagonal matrix is symmetric."""
    data, _, _, frame, off = g.intro()
    sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "n", "S", by=[lambda g: g.close_by(off)])
    turned = g.have("T(X) = T(U @ S @ T(V))", lambda g: (g.rewrite(data), g.refl()))
    flat = g.have("T(X) = V @ S @ T(U)", lambda g: g.nc((turned, 1, None, None), (sym, 1, "V", "T(U)")))
    g.conj(
        lambda g: g.nc((flat, 1, "T(V)", "b @ T(a)"), (frame, 1, None, "S @ T(U) @ b @ T(a)")),
        lambda g: g.nc((flat, 1, "T(W)", "b")),
    )


@holds(
    "varre2023.eq-4-1",
    """all d:Z, W E:M(d,d), a f b c:V(d), r:R. b @ T(r*a + f) = r*(b @ T(a)) + b @ T(f) and
       T(r*W + E) @ b = r*(T(W) @ b) + T(E) @ b and (r*b + c) @ T(a) = r*(b @ T(a)) + c @ T(a) and
       T(W) @ (r*b + c) = r*(T(W) @ b) + T(W) @ c""",
    reading="b and c stand for increments dB; a definition, and well-formed: the shapes fit, and the increments are linear in the state and in the noise. That is all the formula shows; "
    "existence and uniqueness of solutions (linear coefficients are globally Lipschitz) are not encoded",
)
def noise_is_linear_in_the_state(g: Goal) -> None:
    """Products are bilinear."""
    g.intro()
    g.conj(*[lambda g: g.nc()] * 4)


DRIFT_FIRST, DRIFT_SECOND = f"(-h*{FIRST} + q*(b @ T(a)))", f"(-h*{SECOND} + q*(T(W) @ b))"


@holds(
    "varre2023.eq-sde-with-drift",
    f"""all n p:Z, X:M(n,p), Y:V(n), W:M(p,p), a b:V(p), h q:R. {slopes("Y", FIRST, SECOND).replace("(p,l)", "(p,p)").replace("V(l)", "V(p)")} and
       (q = 0 => {DRIFT_FIRST} = -h*{FIRST} and {DRIFT_SECOND} = -h*{SECOND}) and
       (X = O(n,p) => {DRIFT_FIRST} = (q*b) @ T(a) and {DRIFT_SECOND} = T(W) @ (q*b))""",
    reading="q stands for delta, b for an increment dB, h for dt: the increments of W and a; without noise they are those of gradient flow, without data those of the "
    "equation (4.1) with the increment delta dB",
)
def noise_and_drift(g: Goal) -> None:
    """Put in 0."""
    g.intro()

    def without(g: Goal) -> None:
        (zero,) = g.intro()
        g.rewrite(zero)
        g.conj(lambda g: g.nc(), lambda g: g.nc())

    g.conj(*[lambda g: (g.intro(), g.field())] * 2, without, without)
