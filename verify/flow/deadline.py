"""A time at which an integration is given up, for everything that is computed inside of a block."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_end: ContextVar[float] = ContextVar("_end", default=math.inf)
_patience: ContextVar[float] = ContextVar("_patience", default=math.inf)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give integrations inside at most so many seconds, and no more than they have outside of the block."""
    mark = _end.set(min(_end.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _end.reset(mark)


def left() -> float:
    """The seconds that are left; infinity without a limit."""
    return _end.get() - time.monotonic()


def passed() -> bool:
    """Whether the time is over."""
    return left() <= 0


@contextmanager
def asked_first(seconds: float) -> Iterator[None]:
    """Integrations inside are not begun in earnest if they are likely to take longer, as nobody has allowed so much."""
    mark = _patience.set(seconds)
    try:
        yield
    finally:
        _patience.reset(mark)


def patience() -> float:
    """The seconds that an integration may take without having been allowed; infinity where nobody waits."""
    return _patience.get()
