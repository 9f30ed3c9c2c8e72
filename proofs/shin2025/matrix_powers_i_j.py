"""Powers, eigenvalues and singular values of x I + y (J - I): Lemma 10's product, the algebra in the proof of Lemma 14."""

from __future__ import annotations

from proofs.shin2025.commutant import by_last
from verify.kernel import Goal
from verify.registry import holds, part

CONTEXT = "the factor (x - y) I + y J of Lemma 13, for any x and y [Lemma 13]; only d >= 1 matters [encoding]"
POWER = "((x - y)*I(d) + y*J(d))^(L - 1)"


@holds(
    "shin2025.eq-lemma10-product",
    "all n:Z, a b c d:R. 1 <= n => (a*I(n) + b*J(n)) @ (c*I(n) + d*J(n)) = (a*c)*I(n) + (a*d + b*c + n*b*d)*J(n)",
    argument="sound",
)
def product_in_the_span(g: Goal) -> None:
    """J J = n J."""
    g.intro()
    g.nc()


@part(
    "shin2025.proof-step-power",
    "any-power",
    """all d:Z, x y:R. 1 <= d => all n:Z. 0 <= n =>
       ((x - y)*I(d) + y*J(d))^n = ((x - y)^n)*I(d) + (((x + (d-1)*y)^n - (x - y)^n)/d)*J(d)""",
)
def any_power(g: Goal) -> None:
    """Induction: J J = d J."""
    g.fix()
    g.assume()
    g.induct("n", "ih")

    def step(g: Goal) -> None:
        h = g.apply("ih", "n - 1")
        m = g.by_fact("mpow_add", "d", "1", "n - 1", "(x - y)*I(d) + y*J(d)")
        p = g.have(
            "((x - y)*I(d) + y*J(d))^n = ((x - y)*I(d) + y*J(d)) @ ((x - y)*I(d) + y*J(d))^(n-1)",
            lambda g: (
                g.replace("((x - y)*I(d) + y*J(d))^n", "((x - y)*I(d) + y*J(d))^(1 + (n - 1))", lambda g: g.ctx()),
                g.rewrite(m),
                g.nc(),
            )[-1],
        )
        g.rewrite(p)
        g.rewrite(h)
        a = g.by_fact("ipow_step", "x - y", "n - 1")
        b = g.by_fact("ipow_step", "x + (d-1)*y", "n - 1")
        a = g.have("(x - y)^n = (x - y)*(x - y)^(n-1)", lambda g: g.exact(a, by=[lambda g: g.ctx()]))
        b = g.have("(x + (d-1)*y)^n = (x + (d-1)*y)*(x + (d-1)*y)^(n-1)", lambda g: g.exact(b, by=[lambda g: g.ctx()]))
        g.rewrite(a)
        g.rewrite(b)
        g.nc()

    by_last(g, lambda g: (g.replace("n", "0"), g.nc())[-1], step)


@holds(
    "shin2025.proof-step-power",
    f"""all d L:Z, x y a b:R. 2 <= d => 2 <= L => a = x + (d-1)*y => b = x - y =>
        {POWER} = a^(L-1)*((1/d)*J(d)) + b^(L-1)*(I(d) - (1/d)*J(d)) and
        {POWER} = ((x - y)^(L-1))*I(d) + (((x + (d-1)*y)^(L-1) - (x - y)^(L-1))/d)*J(d)""",
    argument="sound",
    context=CONTEXT,
)
def the_power_in_both_forms(g: Goal) -> None:
    """The closed form of powers, and its regrouping with the projections J/d and I - J/d."""
    g.intro("d_lo", "L_lo", "a_is", "b_is")
    h = g.apply(g.lemma("shin2025.proof-step-power", "part:any-power", "d", "x", "y"), "L - 1")
    g.rewrite("a_is")
    g.rewrite("b_is")
    g.rewrite(h)
    g.conj(lambda g: g.nc(), lambda g: g.refl())


@holds(
    "shin2025.eq-26",
    f"""all d L i:Z, x y:R. 2 <= d => 2 <= L => 1 <= i => i <= d =>
        ({POWER})[i,i] = (x - y)^(L-1) + ((x + (d-1)*y)^(L-1) - (x - y)^(L-1))/d and
        ({POWER})[i,i] = ((x + (d-1)*y)^(L-1) + (d-1)*(x - y)^(L-1))/d""",
    argument="sound",
    context=CONTEXT,
    uses=["shin2025.proof-step-power"],
)
def diagonal_entries_of_the_power(g: Goal) -> None:
    """Read off the closed form."""
    g.intro()
    h = g.apply(g.lemma("shin2025.proof-step-power", "part:any-power", "d", "x", "y"), "L - 1")
    g.rewrite(h)
    g.conj(lambda g: g.field(), lambda g: g.field())


@holds(
    "shin2025.eq-27",
    f"""all d L i j:Z, x y:R. 2 <= d => 2 <= L => 1 <= i => i <= d => 1 <= j => j <= d => i != j =>
        ({POWER})[i,j] = ((x + (d-1)*y)^(L-1) - (x - y)^(L-1))/d""",
    argument="sound",
    context=CONTEXT,
    uses=["shin2025.proof-step-power"],
)
def off_diagonal_entries_of_the_power(g: Goal) -> None:
    """Read off the closed form."""
    g.intro()
    h = g.apply(g.lemma("shin2025.proof-step-power", "part:any-power", "d", "x", "y"), "L - 1")
    g.rewrite(h)
    g.field()


@holds(
    "shin2025.proof-step-eigenvalues",
    """all d:Z, x y:R. 2 <= d =>
       ((x - y)*I(d) + y*J(d)) @ J(d,1) = (x + (d-1)*y)*J(d,1) and
       (all v:V(d). J(1,d) @ v = O(1,1) => ((x - y)*I(d) + y*J(d)) @ v = (x - y)*v) and
       (all s:R. s != x - y => det(s*I(d) - ((x - y)*I(d) + y*J(d))) = (s - (x + (d-1)*y))*(s - (x - y))^(d - 1))""",
    argument="sound",
    context=CONTEXT + "; the multiplicity d - 1 is read off the characteristic polynomial [encoding]",
)
def eigenvalues_of_the_factor(g: Goal) -> None:
    """J 1 = d 1, J v = 0; Sylvester's determinant identity for s I - (x - y) I - y 1 1^T."""
    g.intro()

    def orthogonal(g: Goal) -> None:
        g.intro("orth")
        h = g.have("J(d,d) @ v = O(d,1)", lambda g: g.nc(("orth", 1, "J(d,1)", None)))
        g.nc((h, "y", None, None))

    def swapped(g: Goal, h: str, k: str) -> None:
        e = g.have("I(d) + (-y/(s - (x - y)))*J(d,1) @ J(1,d) = I(d) + ((-y/(s - (x - y)))*J(d,1)) @ J(1,d)", lambda g: g.nc())
        g.rewrite(e)
        g.rewrite(h)
        g.close_by(k)

    def polynomial(g: Goal) -> None:
        g.intro("apart")
        g.have("s - (x - y) != 0")
        h = g.fact("det_one_plus", "d", "1", "(-y/(s - (x - y)))*J(d,1)", "J(1,d)")
        k = g.have(
            "det(I(1) + J(1,d) @ ((-y/(s - (x - y)))*J(d,1))) = 1 - d*y/(s - (x - y))",
            lambda g: (
                g.replace("I(1) + J(1,d) @ ((-y/(s - (x - y)))*J(d,1))", "I(1) + (-d*y/(s - (x - y)))*J(1,1)", lambda g: g.nc()),
                g.field(),
            )[-1],
        )
        c = g.by_fact("det_scale", "d", "s - (x - y)", "I(d) + (-y/(s - (x - y)))*J(d,1) @ J(1,d)")
        e = g.have(
            "(s - (x - y))*(I(d) + (-y/(s - (x - y)))*J(d,1) @ J(1,d)) = s*I(d) - ((x - y)*I(d) + y*J(d))", lambda g: g.nc()
        )
        g.rewrite(e, back=True)
        g.rewrite(c)
        p = g.by_fact("ipow_step", "s - (x - y)", "d - 1")
        p = g.have("(s - (x - y))^d = (s - (x - y))*(s - (x - y))^(d-1)", lambda g: g.exact(p, by=[lambda g: g.ctx()]))
        h = g.have("det(I(d) + (-y/(s - (x - y)))*J(d,1) @ J(1,d)) = 1 - d*y/(s - (x - y))", lambda g: swapped(g, h, k))
        g.rewrite(p)
        g.rewrite(h)
        g.field()

    g.conj(lambda g: g.nc(), orthogonal, polynomial)
