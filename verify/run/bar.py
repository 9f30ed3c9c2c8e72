"""A progress bar by rich where the terminal can draw one."""

from __future__ import annotations

import atexit
from typing import TextIO


class Bar:
    """A bar on a terminal: how many results of how many, for how long, and what is going on."""

    def __init__(self, stream: TextIO) -> None:
        """Raises ImportError without rich, or where the terminal cannot draw."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        console = Console(file=stream)
        if not console.is_terminal or console.is_dumb_terminal:
            raise ImportError("no terminal that draws")
        what = TextColumn("{task.description}", markup=False)
        columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), what)
        self._progress = Progress(*columns, console=console, transient=True, auto_refresh=False)
        self._task = self._progress.add_task("", total=None)
        atexit.register(self.close)  # so that an interruption leaves the cursor visible
        self._progress.start()

    def show(self, text: str, done: int, total: int) -> None:
        """Draw the bar anew."""
        self._progress.update(self._task, description=text, completed=done, total=total or None)
        self._progress.refresh()

    def close(self) -> None:
        """Wipe the bar."""
        self._progress.stop()
        atexit.unregister(self.close)


def of(stream: TextIO) -> Bar | None:
    """A bar, or None where there cannot be one."""
    try:
        return Bar(stream)
    except ImportError:
        return None
