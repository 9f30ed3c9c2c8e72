"""A time at which work is given up, for everything that is computed inside of a block.

Integrations ask between their steps whether the time is over (`within`, `passed`), so that they can tell how far they are. What
does not ask is ended by an alarm (`enforced`), in the main thread, between two calls of a library.
"""

from __future__ import annotations

import math
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import TypeVar

from flint import ctx

_end: ContextVar[float] = ContextVar("_end", default=math.inf)
_patience: ContextVar[float] = ContextVar("_patience", default=math.inf)
_enforced: ContextVar[bool] = ContextVar("_enforced", default=False)

AGAIN = 0.25
"""Seconds between two alarms."""
FINALIZERS = ("_clear", "__del__")
"""Functions that are not to be ended in their midst."""

T = TypeVar("T")
S = TypeVar("S")


class Over(Exception):
    """The time that was given is over."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give integrations inside at most so many seconds, and no more than they have outside of the block."""
    mark = _end.set(min(_end.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _end.reset(mark)


@contextmanager
def enforced(seconds: float) -> Iterator[None]:
    """As `within`, and raises Over inside when the time is over, wherever the main thread is (in another one it is `within`)."""
    if seconds == math.inf or threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with within(seconds):
            yield
        return
    outer = _end.get(), _enforced.get(), signal.getsignal(signal.SIGALRM), ctx.prec
    marks = _end.set(min(outer[0], time.monotonic() + seconds)), _enforced.set(True)
    signal.signal(signal.SIGALRM, _ring)
    _arm()
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        except Over:  # it rang just now
            signal.setitimer(signal.ITIMER_REAL, 0)
        _end.reset(marks[0])
        _enforced.reset(marks[1])
        signal.signal(signal.SIGALRM, outer[2])
        ctx.prec = outer[3]  # Over may have come where it was another one for a moment
        if outer[1]:
            _arm()


def _arm() -> None:
    signal.setitimer(signal.ITIMER_REAL, max(1e-3, left()), AGAIN)


def _ring(_: int, frame: FrameType | None) -> None:
    """The alarm. It rings again after some time where it would be lost, since Python drops what is raised in a finalizer."""
    while frame is not None:
        if frame.f_code.co_name in FINALIZERS or frame.f_code.co_filename == weakref.__file__:
            return
        frame = frame.f_back
    if _end.get() < math.inf and passed():
        raise Over


def in_time(share: float, work: Callable[[], T], otherwise: Callable[[], S]) -> T | S:
    """What `work` gives, or `otherwise` if that takes longer than a share of the time that is left."""
    try:
        with enforced(left() * share):
            return work()
    except Over:
        return otherwise()


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
