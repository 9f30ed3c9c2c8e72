"""The one exception that a user sees: a mistake in the input, said in one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(Exception):
    """A usage or input error; its text is one line that says what would be right."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


def nearest(word: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known words that are most like the given one, best first."""
    pool = sorted(set(known))
    close = difflib.get_close_matches(word, pool, n=count, cutoff=0.5)
    inside = [k for k in pool if word and word.lower() in k.lower() and k not in close]
    return (close + inside)[:count]


def suggestion(word: str, known: Iterable[str]) -> str:
    """A half-sentence that names the nearest known words, or how many there are."""
    pool = sorted(set(known))
    close = nearest(word, pool)
    if close:
        return "nearest: " + ", ".join(close)
    if 0 < len(pool) <= 12:
        return "known: " + ", ".join(pool)
    return f"none of the {len(pool)} known ones is like it"
