"""Section 3.4, implication (ii): the guarantees recede continuously as the diagonal observation moves away from zero."""

from __future__ import annotations

from proofs.razin2020.perturbed_limits import ENTRY_RECEDES, SMALLER_DIAGONAL
from proofs.razin2020.perturbed_singular_values import LEAST
from proofs.razin2020.scripts import only
from verify.kernel import Goal
from verify.registry import holds

CLAIM, SMALLER, ENTRY = (
    "razin2020.assertion-3-4-graceful",
    "razin2020.assertion-3-4-small-b22",
    "razin2020.assertion-fig-5-recedes",
)
RANKS = f"""(all z y p q:R. z != 0 => y != 0 => abs((1 + 16/{LEAST}*p) - (1 + 16/{LEAST}*q)) = 16/{LEAST}*abs(p - q) and abs(4*p - 4*q) = 4*abs(p - q))"""


@holds(
    CLAIM,
    f"({SMALLER_DIAGONAL}) and ({ENTRY_RECEDES}) and {RANKS}",
    uses=[SMALLER, ENTRY],
    argument="sound",
    reading="the zero-loss limits of the bounds of Theorem 2: those of the norms decrease and those of effective rank and distance increase in |b_22|; the guaranteed size of the unobserved entry, which drives all norms, "
    "decreases from infinity locally Lipschitz continuously, and the bounds of effective rank and distance are Lipschitz continuous in p = |b_22|",
)
def guarantees_recede_continuously(g: Goal) -> None:
    """Monotone bounds, the continuous size of the entry, and two affine functions."""

    def ranks(g: Goal) -> None:
        z, y = g.intro()
        only(g, z, y)
        g.have("0 < abs(z)")
        g.have("0 < abs(y)")
        least = g.have(f"0 < {LEAST}")
        only(g, least)

        def scaled(g: Goal, factor: str, difference: str) -> None:
            k = g.fact("abs_product", factor, "p - q")
            size = g.have(f"abs({factor}) = {factor}", lambda g: (only(g, least), g.field())[-1])
            same = g.have(f"abs({difference}) = abs({factor}*(p - q))", lambda g: g.ctx(lambda g: g.field()))
            only(g, k, size, same)
            g.field((same, 1), (k, 1), (size, "abs(p - q)"))

        g.conj(
            lambda g: scaled(g, f"16/{LEAST}", f"(1 + 16/{LEAST}*p) - (1 + 16/{LEAST}*q)"),
            lambda g: scaled(g, "4", "4*p - 4*q"),
        )

    g.conj(lambda g: g.close_by(g.lemma(SMALLER)), lambda g: g.close_by(g.lemma(ENTRY)), ranks)
