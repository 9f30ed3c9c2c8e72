"""The one exception that a user sees: a mistake in the input, said in one line; and how what a file says stands in a line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_PLAIN = re.compile(r"[\w./+~-]+(:[\w.-]+)?", re.ASCII)
_MOST = 160


def plain(name: str) -> str:
    """A name out of a file: as it is if it is a plain word or path, else quoted, with everything but ASCII escaped.

    So no name can end a line, begin another or look like the words around it.
    """
    return name if len(name) <= _MOST and _PLAIN.fullmatch(name) else ascii(name[:_MOST])


def one_line(text: str) -> str:
    """Free text out of a file in one line; what is not printable is escaped, so that it cannot move the cursor either."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(text.split()))


class InputError(Exception):
    """A usage or input error; its text is one line that says what would be right."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


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
