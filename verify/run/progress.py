"""Progress: on a terminal a bar (with rich) or one line that is rewritten; in a pipe a line for each stage and every ten seconds.

Everything goes to standard error, so that what a command prints stays clean.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TextIO

from verify.run import bar

PIPED = 10.0
"""Seconds between two lines in a pipe."""
SLOW = 2.0
"""Seconds after which what runs is worth naming."""
LATE = 0.1
"""The share of a stage that has to be done before it is said how long the rest takes."""


@dataclass
class Progress:
    """Counts what is done of a stage, and says what is left and what is slow."""

    total: int = 0
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    bars: bool = True
    """Whether a bar is drawn where rich is installed."""
    done: int = 0
    problems: int = 0
    _began: float = field(default_factory=lambda: time.monotonic())
    _stage: str = ""
    _since: float = field(default_factory=lambda: time.monotonic())
    """When the stage began."""
    _said: float = field(default_factory=lambda: time.monotonic())
    """When the last line was written to a pipe."""
    _drawn: int = 0
    _bar: bar.Bar | None = None

    @property
    def live(self) -> bool:
        """Whether anybody is watching."""
        return self.stream.isatty()

    def step(self, what: str, problem: bool = False) -> None:
        """One more is done."""
        self.done += 1
        self.problems += problem
        self.say(what + (f"  ({self.problems} without proof)" if self.problems else ""))

    def at(self, done: int, total: int, what: str = "", seconds: float = 0.0) -> None:
        """So many of so many are done; `what` has been running for some time."""
        self.done, self.total = done, total
        self.say(f"running {what}, {seconds:.0f} s" if what and seconds >= SLOW else what or self._stage)

    def busy(self, what: str, seconds: float) -> None:
        """Something has been running for some time."""
        if seconds >= SLOW:
            self.say(f"running {what}, {seconds:.0f} s")

    def left(self) -> str:
        """About how long the rest of the stage takes, in words; empty while that is a guess."""
        passed = time.monotonic() - self._since
        if not self.total or self.done >= self.total or self.done < LATE * self.total or passed < SLOW:
            return ""
        seconds = passed / self.done * (self.total - self.done)
        return f"about {seconds:.0f} s left" if seconds < 100 else f"about {seconds / 60:.0f} min left"

    def say(self, text: str) -> None:
        """Show what is going on: in the place of the last line, or in a pipe as a line every ten seconds."""
        now = time.monotonic()
        left = self.left()
        if not self.live:
            if now - self._said >= PIPED:
                count = f"{self.done} of {self.total}, " if self.total else ""
                rest = f", {left}" if left else ""
                self._line(f"{self._stage + ': ' if self._stage else ''}{count}{now - self._began:.0f} s{rest}; {text}")
            return
        if self.bars and self._bar is None:
            self._bar = bar.of(self.stream)
            self.bars = self._bar is not None
        text = f"{text}  ({left})" if left else text
        if self._bar is not None:
            self._bar.show(text, self.done, self.total)
            return
        count = f"[{self.done}/{self.total}] " if self.total else ""
        line = f"{now - self._began:6.1f} s  {count}{text}"[:110]
        self.stream.write("\r" + line.ljust(self._drawn))
        self.stream.flush()
        self._drawn = len(line)

    def stage(self, text: str, total: int | None = None) -> None:
        """Say what begins, also when nobody is watching; `total`: of how many results, from now on."""
        self.begin(text, total)
        if not self.live:
            self._line(text)

    def begin(self, text: str, total: int | None = None) -> None:
        """The same of what usually is over at once: a pipe hears of it only when it is not."""
        self._stage, self._since = text, time.monotonic()
        if total is not None:
            self.total, self.done, self.problems = total, 0, 0
        if self.live:
            self.say(text)

    def _line(self, text: str) -> None:
        self.stream.write(f"verify: {text}\n")
        self.stream.flush()
        self._said = time.monotonic()

    def close(self) -> None:
        """Wipe the bar or the line."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        if self.live and self._drawn:
            self.stream.write("\r" + " " * self._drawn + "\r")
            self.stream.flush()
            self._drawn = 0
