"""One question from starts of several scales, a row for each: what fails is a row with the reason."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from verify.errors import InputError
from verify.flow import deadline
from verify.flow.ask import Question, answer
from verify.flow.facts import spectrum_of
from verify.flow.numbers import number

COLUMNS = ("scale", "status", "effective rank", "stable rank", "singular values")

Say = Callable[[str], None]


class Scales:
    """The rows so far.

    Attributes:
        head: the first line. rows: texts, one list for each scale; where there are no numbers the last one is the reason.
        failed: how many rows there are whose question was not answered because of an error of the program.
    """

    def __init__(self, head: str, scales: Sequence[str]):
        self.head, self.scales, self.failed = head, scales, 0
        self.rows: list[list[str]] = []
        self.found: list[dict[str, str]] = []

    def run(self, asked: Callable[[str, float], Question], say: Say) -> None:
        """Answer all; `asked` makes the question for a scale and the seconds it may take."""
        begun = monotonic()
        for count, scale in enumerate(self.scales):
            left = len(self.scales) - count
            told = f", about {(monotonic() - begun) / count * left:.0f} s for the others" if count else ""
            say(f"[{count + 1}/{len(self.scales)}] scale {scale}{told}")
            self._add(scale, asked, deadline.left() / left)

    def _add(self, scale: str, asked: Callable[[str, float], Question], seconds: float) -> None:
        try:
            row, more = _row(asked(scale, seconds))
        except InputError as error:
            row, more = ["refused", "", "", str(error)], {}
        except Exception as error:  # it is told in its row, and by the exit code; the other rows are not lost
            row, more = ["failed", "", "", f"an error of this program, {type(error).__name__}: {error}"], {}
            self.failed += 1
        self.rows.append([scale, *row])
        self.found.append(dict(zip(COLUMNS, self.rows[-1], strict=True)) | more)

    def text(self) -> str:
        """For a terminal."""
        table = [list(COLUMNS), *self.rows]
        widths = [max(len(r[k]) for r in table) for k in range(len(COLUMNS))]
        lines = ["  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in table]
        return "\n".join([self.head, "", *lines])

    def json(self) -> str:
        """As data."""
        return json.dumps(self.found, indent=1, ensure_ascii=False) + "\n"

    def files(self) -> dict[str, Any]:
        """Of a report."""
        table = [f"| {' | '.join(r)} |" for r in [list(COLUMNS), ["---"] * len(COLUMNS), *self.rows]]
        return {"report.md": f"# {self.head}\n\n" + "\n".join(table) + "\n", "answer.json": self.json()}


def _row(question: Question) -> tuple[list[str], dict[str, str]]:
    """Status, ranks and singular values or the reason; and what else is known."""
    found = answer(question)
    spectrum = None
    if found.status != "undetermined":
        spectrum = deadline.in_time(1 if deadline.left() == math.inf else 0.5, lambda: spectrum_of(question, found), lambda: None)
    more = {"method": found.method, "checked": found.checked}
    if spectrum is None:
        return [found.status, "", "", found.reason], more
    values = [number(v, 8) for v in (spectrum.effective, spectrum.stable) if v is not None] or ["", ""]
    return [found.status, *values, ", ".join(number(v, 8) for v in spectrum.values[:4])], more
