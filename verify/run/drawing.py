"""Pictures: what a figure function draws, as SVG that is the same whenever it is drawn again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any

from verify.errors import InputError
from verify.registry import Figure
from verify.run.files import digest, sha256

if TYPE_CHECKING:
    from verify.project import Project

LARGEST = 2_000_000
"""The most characters of a picture."""

STYLE = {
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "path.simplify": False,
}
"""Letters are drawn as paths, so that the picture does not depend on the reader's fonts."""


def draw(script: Callable[..., Any], figure: Figure, found: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Call a figure function; its picture, the digest of its data, and its part of the caption.

    `found` has the results of the experiments that it needs, by claim and name.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Canvas

    style: Any = {**STYLE, "svg.hashsalt": f"{figure.claim} {figure.name}"}
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(style)
        canvas = Canvas(layout="constrained")
        FigureCanvasSVG(canvas)
        drawn = script(canvas, found) if figure.needs else script(canvas)
        if not isinstance(drawn, dict) or "data" not in drawn or set(drawn) - {"data", "caption", "svg"}:
            raise InputError(f'{figure.place}: a figure returns {{"data": ..., "caption": "...", "svg": "..."}}, data at least')
        svg = drawn.get("svg")
        if svg is None:
            text = StringIO()
            canvas.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
            svg = text.getvalue()
    svg = "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"
    if len(svg) > LARGEST:
        raise InputError(f"{figure.place}: the picture has more than {LARGEST} characters, the limit")
    if "<script" in svg.lower():
        raise InputError(f"{figure.place}: a picture must not contain a script")
    return {"svg": svg, "data": digest(drawn["data"]), "caption": " ".join(str(drawn.get("caption", "")).split())}


def path_of(figure: Figure) -> str:
    """The file of a picture, in `reports/`."""
    return f"figures/{figure.claim.partition('.')[0]}/{figure.name}.svg"


def read(project: Project, figure: Figure, expected: str) -> str:
    """The recorded picture; empty when there is none or when it is not the one that was recorded."""
    path = project.reports / path_of(figure)
    if not path.is_file() or path.stat().st_size > 4 * LARGEST:
        return ""
    data = path.read_bytes()
    return data.decode() if sha256(data) == expected else ""
