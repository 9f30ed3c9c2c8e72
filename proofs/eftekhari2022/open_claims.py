"""Claims that are open, with what was tried and what is missing."""

from __future__ import annotations

from verify.registry import undecided

undecided(
    "eftekhari2022.lemma-9-convergence",
    tried="the loss pays for the squared velocity of every layer, and the product stays bounded; from the stable set all layers converge (Theorem 16)",
    missing="bounds of the single layers from those of the product at any depth, and the theorem of Lojasiewicz for bounded flows",
)
undecided(
    "eftekhari2022.step-f-bounded",
    tried="the product stays bounded, also for unbalanced layers (Appendix G)",
    missing="an induction over the layers that bounds each of them by the product and the conserved differences",
)
undecided(
    "eftekhari2022.lemma-9-sosp",
    tried="Theorem 16 needs no exceptional set",
    missing="that strict saddles are avoided from almost every start: a centre-stable manifold theorem for flows",
)
undecided(
    "eftekhari2022.eq-32",
    tried="W(t) has rank one for all times, and a decomposition u s v^T exists at each of them, unique up to a common sign",
    missing="one analytic choice of the signs for all times",
)
undecided(
    "eftekhari2022.assertion-stall-at-saddle",
    tried="the constant layers solve the equations",
    missing="uniqueness of the solution for layers of any number, which the library has for linear equations only",
)
