"""All observation patterns of a grid x depths x scales x seeds: float64 runs in chunks, on all cores, resumable.

One chunk is one pattern at one depth, with all scales and seeds as one batch. A trial (pattern, seed) draws a ground truth u v^T
with standard normal u and v, and standard normal factors, which are scaled to the standard deviation alpha; all depths and scales
of a trial share the ground truth, and all scales its factors. A run goes on until the loss is at most `loss`: first by explicit
steps, then by the linearly implicit method, and is marked by the reason why it ended.

A chunk depends on its sweep alone, not on the number of processes or on what ran before. With a folder each finished chunk is
written at once, under its final name only when it is whole; a sweep that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import numpy as np

from verify.completion.graph import is_connected
from verify.completion.observations import Pattern
from verify.completion.patterns import MAX_SIDE, patterns
from verify.errors import InputError
from verify.flow.batch import REASONS, RUNNING, STEPS, State, Stop, gradient_flow, losses
from verify.flow.family import DeepFamily, tables
from verify.flow.models import FLOAT
from verify.flow.stiff import MAX_UNKNOWNS, stiff_flow

FORMAT = "verify-pattern-sweep 1"
MAX_CELLS = 16
"""The most cells of a grid: 4 x 4 has 189 patterns, larger ones have thousands."""

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
CONVERGED, FAILED = "loss", "failed"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Sweep:
    """What is swept.

    Attributes:
        rows, cols: of the grid. depths: each at least 1.
        scales: alpha^L, the scale of the product, as text of positive numbers.
        seeds: trials for each pattern. first: added to the seeds of all random numbers.
        loss: where a run ends. explicit, implicit: the most steps of either kind.
    """

    rows: int = 3
    cols: int = 3
    depths: tuple[int, ...] = (2, 3, 4)
    scales: tuple[str, ...] = ("1", "1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6")
    seeds: int = 10
    first: int = 1
    loss: float = 1e-10
    explicit: int = 100
    implicit: int = 5000

    def __post_init__(self) -> None:
        if not self.depths or min(self.depths) < 1 or len(set(self.depths)) < len(self.depths):
            raise InputError("depths must be different and at least 1")
        sides = range(1, MAX_SIDE + 1)
        if self.rows not in sides or self.cols not in sides or self.rows * self.cols > MAX_CELLS:
            raise InputError(
                f"a grid of {self.rows} x {self.cols}; a sweep takes sides of 1 to {MAX_SIDE} and at most {MAX_CELLS} cells"
            )
        if self.seeds < 1:
            raise InputError(f"{self.seeds} seeds; at least 1 is needed")
        if not self.scales or any(Fraction(s) <= 0 for s in self.scales) or len(set(self.scales)) < len(self.scales):
            raise InputError("scales must be different and positive")
        for depth in self.depths:
            size = sum(a * b for a, b in itertools.pairwise(self.widths(depth)))
            if size > MAX_UNKNOWNS:
                raise InputError(f"depth {depth} has {size} unknowns; a sweep takes at most {MAX_UNKNOWNS}")

    def widths(self, depth: int) -> tuple[int, ...]:
        """d_0, ..., d_L; inner widths are the shorter side."""
        return (self.cols, *[min(self.rows, self.cols)] * (depth - 1), self.rows)

    def patterns(self) -> list[Pattern]:
        """One pattern of each class with an observation: up to the order of rows and columns and, on a square grid,
        transposition."""
        return list(_classes(self.rows, self.cols))

    def chunks(self) -> list[tuple[int, int]]:
        """(number of the pattern, depth), the deep ones first, which take longest."""
        return [(k, depth) for depth in sorted(self.depths, reverse=True) for k in range(len(self.patterns()))]


@lru_cache(maxsize=4)
def _classes(rows: int, cols: int) -> tuple[Pattern, ...]:
    return tuple(p.representative for p in patterns(rows, cols, rows == cols) if p.representative.cells)


@dataclass(frozen=True, slots=True)
class Chunk:
    """The runs of one pattern at one depth.

    Attributes:
        pattern: its number in `Sweep.patterns()`; cells: its observed cells; connected: by its bipartite graph.
        runs: one for each scale and seed: scale, seed, ended ("loss" if it converged), loss, steps, singular values.
        failed: why there are no numbers; its runs have ended "failed". It is not kept, but tried again the next time.
    """

    pattern: int
    cells: tuple[tuple[int, int], ...]
    connected: bool
    depth: int
    runs: tuple[dict[str, Any], ...]
    failed: str = ""


def _failed(sweep: Sweep, number: int, depth: int, why: str) -> Chunk:
    """A chunk without numbers."""
    pattern = sweep.patterns()[number]
    trials = [(scale, seed) for scale in sweep.scales for seed in range(sweep.seeds)]
    none: dict[str, Any] = {"ended": FAILED, "loss": None, "steps": 0, "singular values": []}
    runs = tuple({"scale": scale, "seed": seed} | none for scale, seed in trials)
    return Chunk(number, pattern.cells, is_connected(pattern), depth, runs, why)


def run_chunk(sweep: Sweep, number: int, depth: int) -> Chunk:
    """Run one chunk."""
    pattern = sweep.patterns()[number]
    model = DeepFamily(sweep.widths(depth))
    truths, factors = zip(*(_trial(sweep, number, seed, depth) for seed in range(sweep.seeds)), strict=True)
    trials = [(scale, seed) for scale in sweep.scales for seed in range(sweep.seeds)]
    masks, targets = tables([pattern] * len(trials), [truths[seed] for _, seed in trials])
    alphas = [float(Fraction(scale)) ** (1 / depth) for scale, _ in trials]
    blocks = [np.array([a * factors[seed][level] for a, (_, seed) in zip(alphas, trials, strict=True)]) for level in range(depth)]
    state = State.begin(model, [*blocks, masks, targets])
    gradient_flow(model, state, Stop(loss=sweep.loss, steps=sweep.explicit), rtol=1e-7)
    state.status[state.status == STEPS] = RUNNING
    stiff_flow(model, state, Stop(loss=sweep.loss, steps=sweep.implicit), rtol=1e-5)
    ended, loss = state.reasons(), losses(model, state)
    values = np.linalg.svd(model.product(state.blocks, FLOAT), compute_uv=False)
    runs = tuple(
        {
            "scale": scale,
            "seed": seed,
            "ended": ended[k],
            "loss": float(loss[k]),
            "steps": int(state.steps[k]),
            "singular values": [float(v) for v in values[k]],
        }
        for k, (scale, seed) in enumerate(trials)
    )
    return Chunk(number, pattern.cells, is_connected(pattern), depth, runs)


def _trial(sweep: Sweep, number: int, seed: int, depth: int) -> tuple[Any, list[Any]]:
    """The ground truth and the factors, before scaling, of a trial."""
    draw = np.random.default_rng([sweep.first, number, seed])
    truth = np.outer(draw.standard_normal(sweep.rows), draw.standard_normal(sweep.cols))
    return truth, [draw.standard_normal((b, a)) for a, b in itertools.pairwise(sweep.widths(depth))]


def effective_rank(values: Sequence[float]) -> float:
    """exp of the entropy of the normalised singular values, in double precision; nan for a zero matrix."""
    p = np.asarray(values, dtype=np.float64)
    total = p.sum()
    if not total > 0:
        return float("nan")
    p = p[p > 0] / total
    return float(np.exp(-(p * np.log(p)).sum()))


def run(sweep: Sweep, folder: Path | None = None, jobs: int | None = None, say: Say = lambda text: None) -> Iterator[Chunk]:
    """All chunks, in the order in which they are finished; those that the folder holds come first.

    Args:
        folder: where finished chunks are kept; it must be new, or that of the same sweep.
        jobs: processes; by default one for each core. With 1 everything runs in this process.

    Raises InputError for a folder that holds another sweep or cannot be used. On KeyboardInterrupt nothing that is finished is
    lost, and nothing that is not finished is left behind.
    """
    wanted = sweep.chunks()
    kept = {} if folder is None else _open(folder, sweep)
    for key in wanted:
        if key in kept:
            yield kept[key]
    missing = [key for key in wanted if key not in kept]
    say(f"{len(kept)} of {len(wanted)} chunks are there")
    begun = monotonic()
    jobs = min(jobs or len(os.sched_getaffinity(0)), max(1, len(missing)))
    finished = _one_by_one(sweep, missing) if jobs == 1 else _on_cores(sweep, missing, jobs)
    with contextlib.closing(finished):
        for count, chunk in enumerate(finished, len(kept) + 1):
            if folder is not None and not chunk.failed:
                _keep(folder, chunk)
            left = (monotonic() - begun) / (count - len(kept)) * (len(wanted) - count)  # the deep ones came first: at most that
            say(f"{count} of {len(wanted)} chunks, about {left:.0f} s left")
            yield chunk


def _one_by_one(sweep: Sweep, missing: Sequence[tuple[int, int]]) -> Generator[Chunk]:
    for key in missing:
        yield _tried(sweep, *key)


def _tried(sweep: Sweep, number: int, depth: int) -> Chunk:
    """A chunk, or why it failed: the others are not lost."""
    try:
        return run_chunk(sweep, number, depth)
    except Exception as error:
        return _failed(sweep, number, depth, f"{type(error).__name__}: {error}")


def _on_cores(sweep: Sweep, missing: Sequence[tuple[int, int]], jobs: int) -> Generator[Chunk]:
    """By processes; each is handed a chunk when it is free. Where one dies, the chunks that it may have held are tried alone."""
    threads = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        rest = list(missing)
        while rest:
            done = yield from _in_pool(sweep, rest, jobs)
            rest = [key for key in rest if key not in done]
            for key in rest[: 2 * jobs + 1]:
                if not (yield from _in_pool(sweep, [key], 1)):
                    yield _failed(sweep, *key, "the process that ran it died")
            rest = rest[2 * jobs + 1 :]
    finally:
        for name, value in threads.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _in_pool(sweep: Sweep, keys: Sequence[tuple[int, int]], jobs: int) -> Generator[Chunk, None, set[tuple[int, int]]]:
    """By one pool; returns what is done: all, unless a process dies."""
    done: set[tuple[int, int]] = set()
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_quiet)
    try:
        waiting: set[Future[Chunk]] = {pool.submit(_tried, sweep, *key) for key in keys}
        while waiting:
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ended:
                chunk = future.result()
                done.add((chunk.pattern, chunk.depth))
                yield chunk
    except BrokenProcessPool:
        pass  # what is missing is tried again, or fails, in `_on_cores`
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return done


def _quiet() -> None:
    """A worker leaves an interruption to its parent, which waits for the chunks at work and drops the others; it ends with its
    parent, however that ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# -- the folder
# ----------------------------------------------------------------------------------------------------


def _open(folder: Path, sweep: Sweep) -> dict[tuple[int, int], Chunk]:
    """The finished chunks in a folder, which is made if it is not there."""
    head, text = folder / "sweep.json", json.dumps({"format": FORMAT, **asdict(sweep)}, indent=1) + "\n"
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder}: is a file; give a folder")
        if not head.is_file():
            if folder.is_dir() and any(folder.iterdir()):
                raise InputError(f"{folder}: holds other things; give a new folder, or that of an earlier sweep")
            folder.mkdir(exist_ok=True)
            _write(head, text)
        elif head.read_text(encoding="utf-8") != text:
            raise InputError(f"{folder}: holds another sweep (see {head.name}); give another folder")
        found = {}
        for key in sweep.chunks():
            path = folder / _name(*key)
            if path.is_file():
                found[key] = _read(path)
        return found
    except OSError as error:
        raise InputError(f"{folder}: cannot be used ({error.strerror or error})") from None


def _name(pattern: int, depth: int) -> str:
    return f"depth-{depth}-pattern-{pattern:03}.json"


def _keep(folder: Path, chunk: Chunk) -> None:
    try:
        data = {name: value for name, value in asdict(chunk).items() if name != "failed"}
        _write(folder / _name(chunk.pattern, chunk.depth), json.dumps(data) + "\n")
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror or error})") from None


def _write(path: Path, text: str) -> None:
    """A file is there as a whole or not at all."""
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _read(path: Path) -> Chunk:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        cells = tuple((int(i), int(j)) for i, j in data["cells"])
        return Chunk(data["pattern"], cells, data["connected"], data["depth"], tuple(data["runs"]))
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: is no chunk of a sweep; remove it and run again") from None


# -- what comes out
# ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mean:
    """Mean effective rank of the converged runs of a group, its standard error, and how many runs there are and converged.

    The standard error is that of the mean over trials; trials of different patterns are independent.
    """

    mean: float
    error: float
    runs: int
    converged: int


def means(chunks: Sequence[Chunk], connected: bool, depth: int, scale: str) -> Mean:
    """The mean over all patterns of a group, each trial with the same weight."""
    every = [r for c in chunks if c.connected is connected and c.depth == depth for r in c.runs if r["scale"] == scale]
    ranks = np.array([effective_rank(r["singular values"]) for r in every if r["ended"] == CONVERGED])
    if not ranks.size:
        return Mean(float("nan"), float("nan"), len(every), 0)
    error = float(ranks.std(ddof=1) / np.sqrt(ranks.size)) if ranks.size > 1 else float("nan")
    return Mean(float(ranks.mean()), error, len(every), int(ranks.size))


def ended(chunks: Sequence[Chunk]) -> dict[str, int]:
    """How many runs ended for which reason."""
    found = dict.fromkeys((*REASONS, FAILED), 0)
    for chunk in chunks:
        for one in chunk.runs:
            found[one["ended"]] += 1
    return {reason: count for reason, count in found.items() if count}
