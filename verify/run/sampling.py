"""Sampled properties: a seeded search for a counterexample with hypothesis; evidence that can be replayed, never a decision.

An `@experiment(..., grade="sampled")` returns what `search` returns. A universal statement never holds by it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as hypothesis_seed
from hypothesis.strategies import SearchStrategy


class _Counterexample(Exception):
    """Raised inside a property so that hypothesis shrinks the example."""


def plain(value: Any) -> Any:
    """An example as plain JSON; fractions as text p/q. Floats are refused: examples are exact."""
    if isinstance(value, bool) or value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    raise TypeError(f"an example must be exact (integers, fractions, lists of them), not {type(value).__name__}")


def search(
    draw: SearchStrategy[Any], check: Callable[[Any], bool], *, examples: int, seed: int, distribution: str
) -> dict[str, Any]:
    """Look for a value drawn from `draw` at which `check` is false.

    Returns `{"holds": bool, "statistics": {"examples", "seed", "distribution", "counterexample"}}`; the counterexample is the
    shrunk one, exact, or None. Whatever else `check` raises is the caller's error and passes through.
    """
    tried = 0
    failing: list[Any] = []

    @hypothesis_seed(seed)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(draw)
    def holds_everywhere(value: Any) -> None:
        nonlocal tried
        if not failing:
            tried += 1
        if not check(value):
            failing.append(value)
            raise _Counterexample

    try:
        holds_everywhere()
    except _Counterexample:
        statistics = {"examples": tried, "seed": seed, "distribution": distribution, "counterexample": plain(failing[-1])}
        return {"holds": False, "statistics": statistics}
    return {"holds": True, "statistics": {"examples": tried, "seed": seed, "distribution": distribution, "counterexample": None}}
