"""Progress: on a terminal a bar (with rich) or one line that is rewritten; in a pipe a line for each stage of a run."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TextIO

from verify.run import bar


@dataclass
class Progress:
    """Counts what is done; only stages are said on anything but a terminal."""

    total: int = 0
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    bars: bool = True
    """Whether a bar is drawn where rich is installed."""
    done: int = 0
    problems: int = 0
    _began: float = field(default_factory=time.monotonic)
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

    def busy(self, what: str, seconds: float) -> None:
        """Something has been running for some time."""
        if seconds >= 2:
            self.say(f"running {what}, {seconds:.0f} s")

    def say(self, text: str) -> None:
        """Show a line in the place of the last one, with how much is done."""
        if not self.live:
            return
        if self.bars and self._bar is None:
            self._bar = bar.of(self.stream)
            self.bars = self._bar is not None
        if self._bar is not None:
            self._bar.show(text, self.done, self.total)
            return
        count = f"[{self.done}/{self.total}] " if self.total else ""
        line = f"{time.monotonic() - self._began:6.1f} s  {count}{text}"[:110]
        self.stream.write("\r" + line.ljust(self._drawn))
        self.stream.flush()
        self._drawn = len(line)

    def stage(self, text: str) -> None:
        """Say what begins, also when nobody is watching."""
        if self.live:
            self.say(text)
        else:
            self.stream.write(f"verify: {text}\n")
            self.stream.flush()

    def close(self) -> None:
        """Wipe the bar or the line."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        if self.live and self._drawn:
            self.stream.write("\r" + " " * self._drawn + "\r")
            self.stream.flush()
            self._drawn = 0
