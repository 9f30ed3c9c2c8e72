"""Section 3.1: the least half sum of squared norms of two layers is the nuclear norm of the predictor."""

from __future__ import annotations

from proofs.eftekhari2022.product_map import CLAIM as CORNER
from proofs.eftekhari2022.product_map import corner
from proofs.razin2020.scripts import using
from proofs.varre2023.least_norms import DUALITY
from proofs.varre2023.network_and_loss import size
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "varre2023.assertion-nuclear-norm-equivalence"


def cost(first: str, second: str) -> str:
    """Half the sum of the squared norms."""
    return f"({size(first)} + {size(second)})/2"


FACTORS = f"ex U:M(p,l), V:M(l,k). U @ V = B and {cost('U', 'V')} <= nuc(B)"


@part(
    CLAIM,
    "wide-enough",
    f"all p k l:Z, B:M(p,k). 0 <= k => k <= l => {FACTORS}",
    says="every matrix is a product of factors whose half sum of squared norms is at most the nuclear norm, if the width is at least k",
    uses=[CORNER],
)
def factors_from_the_polar_decomposition(g: Goal) -> None:
    """B = (Z R J^T)(J R) with R^2 = S, for B = Z S and the embedding J of R^k into R^l."""
    low, wide = g.intro()
    polar, back, sym, positive, small = g.obtain(g.fact("polar_decomposition", "p", "k", "B"), "Z", "S")
    r_sym, _, square = g.obtain(g.by_fact("psd_root_exists", "k", "2", "S", by=[None, using(sym), using(positive)]), "R")
    s = g.have("R @ R = S", lambda g: g.nc((square, 1, None, None)))
    unit = corner(g, "l", "k", "J", low, wide)[0]
    pairing = g.by_fact("nuc_pairing", "p", "k", "B", "Z", by=[using(small)])
    pairing = g.rewritten(pairing, back)
    g.witness("Z @ R @ T(J)", "J @ R")

    def norms(g: Goal) -> None:
        one = g.have("T(J @ R) @ (J @ R) = S", lambda g: g.nc((unit, 1, "T(R)", "R"), (r_sym, 1, None, "R"), (s, 1, None, None)))
        first = g.have(f"{size('(J @ R)')} = tr(S)", lambda g: (g.rewrite(one), g.refl())[-1])
        cyclic = g.have(f"{size('(Z @ R @ T(J))')} = tr(T(Z) @ Z @ (R @ T(J) @ J @ T(R)))", lambda g: g.field())
        two = g.have(
            "T(Z) @ Z @ (R @ T(J) @ J @ T(R)) = S",
            lambda g: g.nc(
                (unit, 1, "T(Z) @ Z @ R", "T(R)"),
                (r_sym, 1, "T(Z) @ Z @ R", None),
                (s, 1, "T(Z) @ Z", None),
                (polar, -1, "T(Z)", None),
                (back, 1, None, None),
            ),
        )
        second = g.have(f"{size('(Z @ R @ T(J))')} = tr(S)", lambda g: (g.rewrite(cyclic), g.rewrite(two), g.refl())[-1])
        g.pos([f"@{pairing}"], eqs=[(first, "-1/2"), (second, "-1/2")])

    g.conj(lambda g: g.nc((unit, 1, "Z @ R", "R"), (s, 1, "Z", None), (polar, -1, None, None)), norms)


@part(
    CLAIM,
    "factors",
    f"all p k l:Z, B:M(p,k). 0 <= p => 0 <= k => (k <= l or p <= l) => {FACTORS}",
    says="the same for a width of at least the smaller dimension",
    uses=[CLAIM, DUALITY],
)
def factors_of_either_shape(g: Goal) -> None:
    """For p <= l the transposes of the factors of B^T, which has the nuclear norm of B."""
    p0, k0, wide = g.intro()

    def tall(g: Goal) -> None:
        h = g.lemma(CLAIM, "part:wide-enough", "k", "p", "l", "T(B)", by=[using(p0), using(next(reversed(g.seq.hyps)))])
        product, bound = g.obtain(h, "U", "V")
        small, attained = g.obtain(g.split(g.lemma(DUALITY, "statement", "k", "p", "T(B)"))[1], "E")
        one, two = g.fact("spec_is_sv", "p", "k", "T(E)"), g.fact("spec_is_sv", "k", "p", "E")
        same = g.fact("sv_transpose", "k", "p", 1, "E")
        turned = g.have("spec(T(E)) <= 1", lambda g: g.pos([f"@{small}"], eqs=[(one, -1), (same, -1), (two, 1)]))
        k = g.by_fact("nuc_pairing", "p", "k", "B", "T(E)", by=[using(turned)])
        trace = g.have("tr(T(T(E)) @ B) = tr(T(T(B)) @ E)", lambda g: g.field())
        back = g.have("T(U @ V) = T(T(B))", lambda g: g.ctx(using(product)))
        g.witness("T(V)", "T(U)")
        left = g.have(f"{size('T(V)')} = {size('V')}", lambda g: g.field())
        right = g.have(f"{size('T(U)')} = {size('U')}", lambda g: g.field())
        g.conj(
            lambda g: g.nc((back, 1, None, None)),
            lambda g: g.pos([f"@{bound}"], [f"@{k}"], eqs=[(trace, 1), (attained, 1), (left, "-1/2"), (right, "-1/2")]),
        )

    g.cases(
        wide,
        lambda g: g.close_by(
            g.lemma(CLAIM, "part:wide-enough", "p", "k", "l", "B", by=[using(k0), using(next(reversed(g.seq.hyps)))])
        ),
        tall,
    )


LEAST_LAYERS = f"X @ U @ V = Y and all C:M(p,l), E:M(l,k). X @ C @ E = Y => {cost('U', 'V')} <= {cost('C', 'E')}"
LEAST_PREDICTOR = "(X @ B = Y and all C:M(p,k). X @ C = Y => nuc(B) <= nuc(C))"


@holds(
    CLAIM,
    f"""all n p k l:Z, X:M(n,p), Y:M(n,k). 0 <= p => 0 <= k => (k <= l or p <= l) =>
       all B:M(p,k). {LEAST_PREDICTOR} <=> ex U:M(p,l), V:M(l,k). U @ V = B and {LEAST_LAYERS}""",
    argument="sound",
    reading="the predictors of the minimisers of |W_1|^2/2 + |W_2|^2/2 are the minimisers of the nuclear norm",
    uses=[CLAIM],
)
def layers_and_predictors_have_the_same_minimisers(g: Goal) -> None:
    """nuc(U V) <= (|U|^2 + |V|^2)/2, with equality for some factors."""
    g.fix()
    p0, k0, wide = (g.assume() for _ in range(3))
    g.fix("B")

    def factors(g: Goal, b: str) -> tuple[str, str]:
        h = g.lemma(CLAIM, "part:factors", "p", "k", "l", b, by=[using(p0), using(k0), using(wide)])
        return tuple(g.obtain(h, "U", "V"))  # type: ignore[return-value]

    def forth(g: Goal) -> None:
        fits, least = g.split(g.assume())
        product, bound = factors(g, "B")
        g.witness("U", "V")

        def minimal(g: Goal) -> None:
            g.fix("C", "E")
            h = g.assume()
            other = g.have("X @ (C @ E) = Y", lambda g: g.nc((h, 1, None, None)))
            k = g.apply(least, "C @ E", by=[using(other)])
            up = g.fact("nuc_factors", "p", "l", "k", "C", "E")
            g.pos([f"@{bound}"], [f"@{k}"], [f"@{up}"])

        g.conj(using(product), lambda g: g.nc((product, 1, "X", None), (fits, 1, None, None)), minimal)

    def back(g: Goal) -> None:
        parts = g.obtain(g.assume(), "U1", "V1")
        product, fits, least = parts

        def minimal(g: Goal) -> None:
            g.fix("C")
            h = g.assume()
            own, bound = factors(g, "C")
            other = g.have("X @ U @ V = Y", lambda g: g.nc((own, 1, "X", None), (h, 1, None, None)))
            k = g.apply(least, "U", "V", by=[using(other)])
            up = g.rewritten(g.fact("nuc_factors", "p", "l", "k", "U1", "V1"), product)
            g.pos([f"@{up}"], [f"@{k}"], [f"@{bound}"])

        g.conj(lambda g: g.nc((product, -1, "X", None), (fits, 1, None, None)), minimal)

    g.iff(forth, back)
