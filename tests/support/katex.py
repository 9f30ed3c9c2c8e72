"""KaTeX in this process: which formulas it cannot render."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from types import TracebackType

from py_mini_racer import MiniRacer

SCRIPT = """
function failures(formulas) {
  const found = [];
  formulas.forEach(([latex, display], place) => {
    try { katex.renderToString(latex, {displayMode: display, output: "html", strict: "ignore"}); }
    catch (error) { found.push([place, String(error.message)]); }
  });
  return JSON.stringify(found);
}
"""


class Katex:
    """The KaTeX that comes with sphinxcontrib-katex, in V8."""

    def __init__(self) -> None:
        self._engine = MiniRacer()
        self._engine.eval("var self = this;" + library().read_text(encoding="utf-8"))
        self._engine.eval(SCRIPT)

    def __enter__(self) -> Katex:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._engine.close()

    def failures(self, formulas: Iterable[tuple[str, bool]]) -> list[tuple[int, str]]:
        """Place and message of every formula that cannot be rendered; each is given with whether it is displayed."""
        answer = self._engine.call("failures", [list(f) for f in formulas])
        return [(int(place), str(message)) for place, message in json.loads(str(answer))]


def library() -> Path:
    """The file of KaTeX."""
    files = metadata.files("sphinxcontrib-katex") or []
    return Path(str(next(f.locate() for f in files if f.name == "katex.min.js")))
