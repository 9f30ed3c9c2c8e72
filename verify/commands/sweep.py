"""`verify sweep`: gradient flow on all observation patterns of a grid, on all cores, resumable."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from verify.commands import _options as options

if TYPE_CHECKING:
    from verify.flow.sweep import Chunk, Sweep
    from verify.run.progress import Progress

INTERRUPTED = 130
SCALES = "1,1e-1,1e-2,1e-3,1e-4,1e-5,1e-6"


@click.command(name="sweep", cls=options.EachOnce)
@click.argument("grid", metavar="ROWSxCOLUMNS", default="3x3")
@click.option("--depths", default="2,3,4", show_default=True, metavar="L,L,...", help="Numbers of factors.")
@click.option("--scales", default=SCALES, show_default=True, metavar="S,S,...", help="Scales alpha^L of the product.")
@click.option("--seeds", type=int, default=10, show_default=True, help="Trials for each pattern.")
@click.option("--state", metavar="DIR", help="Keep finished parts there; the same command goes on where it stopped.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes; default: one per core.")
@options.as_json
def command(grid: str, depths: str, scales: str, seeds: int, state: str | None, jobs: int | None, as_json: bool) -> int:
    """Say to which effective rank gradient flow goes on all observation patterns of a grid.

    Patterns are taken up to the order of rows and columns (and transposition); each trial has a rank-one ground truth and
    Gaussian factors. Means are over the connected and over the disconnected patterns. In double precision, without a guarantee.
    """
    from verify.flow.sweep import run
    from verify.run.progress import Progress

    sweep = _sweep(grid, depths, scales, seeds)
    progress = Progress()
    chunks = []
    say = _Spoken(progress)
    try:
        for chunk in run(sweep, None if state is None else Path(state), jobs, say):
            chunks.append(chunk)
    except KeyboardInterrupt:
        progress.close()
        kept = "nothing was kept (see --state)" if state is None else f"{state} has {len(chunks)} parts; the same command goes on"
        click.echo(f"verify: interrupted; {kept}", err=True)
        return INTERRUPTED
    progress.close()
    found = _summary(sweep, chunks)
    if as_json:
        options.print_json(found)
    else:
        click.echo("\n".join(_lines(found)))
    return 1 if found["failed"] else 0


class _Spoken:
    """Progress on a terminal, and a line every ten seconds in a pipe."""

    def __init__(self, progress: Progress) -> None:
        self.progress, self.last = progress, monotonic()

    def __call__(self, text: str) -> None:
        if self.progress.live:
            self.progress.say(text)
        elif monotonic() - self.last >= 10:
            self.progress.stage(text)
            self.last = monotonic()


def _sweep(grid: str, depths: str, scales: str, seeds: int) -> Sweep:
    """Read the options. Raises InputError in one line."""
    from verify.completion.observations import shown
    from verify.errors import InputError
    from verify.flow.starts import positive
    from verify.flow.sweep import Sweep

    sides = grid.lower().split("x")
    if len(sides) != 2 or not all(s.isdecimal() and len(s) < 4 for s in sides):
        raise InputError(f"{shown(grid)} is no grid; write ROWSxCOLUMNS, like 3x3")
    levels = [part.strip() for part in depths.split(",")]
    if not all(s.isdecimal() and len(s) < 4 for s in levels):
        raise InputError(f"--depths {shown(depths)}; write whole numbers, like 2,3,4")
    sizes = tuple(part.strip() for part in scales.split(","))
    for size in sizes:
        value = positive(size, f"--scales {shown(scales)}: a scale")
        if not 1e-60 < value < 1e60:
            raise InputError(f"--scales {shown(scales)}: {shown(size)} is outside 1e-60 to 1e60, the range of these runs")
    return Sweep(int(sides[0]), int(sides[1]), tuple(int(s) for s in levels), sizes, seeds)


def _summary(sweep: Sweep, chunks: list[Chunk]) -> dict[str, Any]:
    """What came out, as data."""
    from verify.flow.sweep import ended, means

    sizes = {group: len({c.pattern for c in chunks if c.connected is group}) for group in (True, False)}
    table = []
    for group in (True, False):
        for depth in sweep.depths:
            for scale in sweep.scales if sizes[group] else ():
                mean = means(chunks, group, depth, scale)
                entry = {"connected": group, "depth": depth, "scale": scale, "runs": mean.runs, "converged": mean.converged}
                if mean.converged:
                    entry |= {"effective rank": mean.mean}
                if mean.converged > 1:
                    entry |= {"standard error": mean.error}
                table.append(entry)
    return {
        "grid": [sweep.rows, sweep.cols],
        "patterns": {"connected": sizes[True], "disconnected": sizes[False]},
        "seeds": sweep.seeds,
        "ended": ended(chunks),
        "failed": [{"pattern": c.pattern, "depth": c.depth, "reason": c.failed} for c in chunks if c.failed],
        "means": table,
    }


def _lines(found: dict[str, Any]) -> list[str]:
    """What came out, as text."""
    rows, cols = found["grid"]
    both = found["patterns"]
    count = both["connected"] + both["disconnected"]
    runs = ", ".join(f"{number} by {reason}" for reason, number in found["ended"].items())
    out = [
        f"{rows} x {cols}: {count} patterns with an observation, {both['connected']} connected and {both['disconnected']} not; "
        f"{found['seeds']} seeds; runs ended: {runs}",
        "mean effective rank of the product at the end (standard error)",
    ]
    scales = list(dict.fromkeys(entry["scale"] for entry in found["means"]))
    for group, word in ((True, "connected"), (False, "disconnected")):
        mine = [entry for entry in found["means"] if entry["connected"] is group]
        if not mine:
            continue
        out += ["", f"{word:<14}" + "".join(f"{'alpha^L = ' + s:>18}" for s in scales)]
        for depth in dict.fromkeys(entry["depth"] for entry in mine):
            cells = [_cell(entry) for entry in mine if entry["depth"] == depth]
            out.append(f"{'depth ' + str(depth):<14}" + "".join(f"{c:>18}" for c in cells))
    told = [f"failed: pattern {f['pattern']} at depth {f['depth']}: {f['reason']}" for f in found["failed"]]
    return [*out, *([""] if told else []), *told]


def _cell(entry: dict[str, Any]) -> str:
    if "effective rank" not in entry:
        return "-"
    error = f" ({entry['standard error']:.4f})" if "standard error" in entry else ""
    return f"{entry['effective rank']:.4f}{error}"
