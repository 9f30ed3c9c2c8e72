"""What theorems predict for a user's data: functions that papers register; the engine knows no paper.

A predictor is a function `(observations, depth, factors, reached) -> list of Prediction`; `reached` holds what is certain of
where the flow goes, so that a theorem is not said to hold for an input whose own limit speaks against it. It is found
through the entry point group `verify.predictors` (name: the slug of the paper; value: `module:function`), or as the function
`predict` in `proofs/SLUG/predictions.py` of the current project.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from verify.completion.observations import Observations
from verify.errors import InputError

GROUP = "verify.predictors"
Factors = Sequence[Sequence[Sequence[Fraction]]]


@dataclass(frozen=True)
class Reached:
    """What is certain of the limit of the flow from this start, and of all completions.

    Attributes:
        fits: whether all observations are fitted in the limit; None: not known.
        singular: text of the singular values of the limit, largest first; empty: not known. nuclear: of its nuclear norm.
        rank: bounds of the smallest rank of a completion, or None.
        smallest: text of the smallest nuclear norm of a completion; empty: not known.
    """

    fits: bool | None = None
    singular: tuple[str, ...] = ()
    nuclear: str = ""
    rank: tuple[int, int] | None = None
    smallest: str = ""


@dataclass(frozen=True)
class Prediction:
    """What one theorem says about one input.

    Attributes:
        theorem: where it stands, as a reader finds it ("Shin and Yun 2025, Theorem 4").
        claim: the id in the catalogue, such as `shin2025.theorem-4-l2`.
        applies: whether its hypotheses hold for this input; None: not known of all of them.
        why: the first hypothesis that fails, or what makes them hold, in half a sentence.
        prediction: what it predicts here; empty where it does not apply.
        hypotheses: one by one, where not all can be decided: (hypothesis, what is known of it).
        here: what the limit from this start says beside it; may be empty.
    """

    theorem: str
    claim: str
    applies: bool | None
    why: str
    prediction: str = ""
    hypotheses: tuple[tuple[str, str], ...] = ()
    here: str = ""

    @property
    def verdict(self) -> str:
        """Whether it applies, in words."""
        return {True: "applies", False: "does not apply", None: "not known whether it applies"}[self.applies]

    def to_data(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


Predictor = Callable[[Observations, int, Factors, Reached], list[Prediction]]


def find(root: Path) -> dict[str, Predictor]:
    """All predictors by slug. Raises InputError for one that cannot be loaded."""
    from importlib.metadata import entry_points

    names = {p.name: p.value for p in entry_points(group=GROUP)}
    for path in root.glob("proofs/*/predictions.py"):
        names.setdefault(path.parent.name, f"proofs.{path.parent.name}.predictions:predict")
    out: dict[str, Predictor] = {}
    for slug, value in sorted(names.items()):
        module, _, function = value.partition(":")
        try:
            out[slug] = getattr(importlib.import_module(module), function)
        except (ImportError, AttributeError) as error:
            raise InputError(f"the predictor {slug!r} ({value}) cannot be loaded: {error}") from None
    return out


def predictions(
    root: Path, observations: Observations, depth: int, factors: Factors, reached: Reached | None = None
) -> list[Prediction]:
    """What every registered theorem says about this input, papers in alphabetical order."""
    known = reached or Reached()
    return [p for predict in find(root).values() for p in predict(observations, depth, factors, known)]
