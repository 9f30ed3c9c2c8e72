"""An answer as plain data, as text for a terminal, as a Markdown page and as a figure."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb

from verify.flow.ask import Answer, Question
from verify.flow.balls import ball as from_rational
from verify.flow.balls import precision
from verify.flow.facts import Observed, Spectrum
from verify.flow.numbers import exact_text, number
from verify.flow.predictors import Prediction
from verify.flow.trajectory import CLOCK, Sample, log10

SHOWN = 12  # digits of derived numbers in the text
TABLE = 12  # largest number of rows and columns of a table in the text


@dataclass(frozen=True)
class Page:
    """Everything that is told about one question."""

    name: str
    start: str
    question: Question
    answer: Answer
    observed: Observed
    spectrum: Spectrum | None
    predictions: Sequence[Prediction]
    everything: bool = False
    """Whether predictions are told that do not apply, or of which that is not known."""

    # -- the parts

    def _told(self) -> tuple[list[Prediction], str]:
        """The predictions that are shown, and a line about the others."""
        shown = [p for p in self.predictions if p.applies or self.everything]
        left = len(self.predictions) - len(shown)
        others = f"{left} more prediction{'' if left == 1 else 's'} of theorems that do not apply, as far as is known: see --all"
        return shown, others if left else ""

    def _cells(self) -> list[list[str]]:
        observed, fitted = self.question.observations.values, self.answer.fitted
        known = observed if self.answer.exact_loss else {cell: v for cell, v in observed.items() if cell in fitted}
        product = self.answer.product
        digits = self.question.digits if self.answer.enclosed else min(self.question.digits, self.answer.digits)
        return [
            [
                exact_text(known[i, j], digits) if (i, j) in known else number(_doubted(product[i, j], i, j, self.answer), digits)
                for j in range(product.shape[1])
            ]
            for i in range(product.shape[0])
        ]

    def _headline(self) -> str:
        a = self.answer
        if a.certified:
            note = f" ({a.reason})" if a.reason else ""
            if a.digits < 1:
                return f"at t = {a.time}: certified as bounds, of the worst entry no digit{note}"
            return f"at t = {a.time}: certified to {a.digits} digit{'' if a.digits == 1 else 's'}{note}"
        if a.status == "estimate":
            return f"at t = {a.time}: an estimate, {a.reason}"
        return f"undetermined: {a.reason}"

    def _where(self) -> str:
        """What is shown of a flow whose limit is not known."""
        a = self.answer
        return f"{'enclosure at the last useful time' if a.enclosed else 'estimate at the last time'}, t = {a.time}"

    def _facts(self) -> list[tuple[str, str]]:
        """(name, text) of the numbers beside the matrix."""
        a, o, s = self.answer, self.observed, self.spectrum
        digits = SHOWN if a.enclosed or a.product is None else min(SHOWN, a.digits)
        out: list[tuple[str, str]] = []
        if a.loss is not None:
            out.append(("loss", "0, exactly" if a.exact_loss else number(a.loss, digits)))
        if s is None and a.product is not None:
            out.append(("singular values", "not known: the time was over"))
        if s is not None:
            wide = _norm(a.doubt)
            values = [number(v if wide is None else v + arb(0, wide), digits) for v in s.values[:TABLE]]
            out.append(("singular values", ", ".join(values) + (", ..." if len(s.values) > TABLE else "")))
            for label, value in (("effective rank", s.effective), ("stable rank", s.stable)):
                out.append((label, "not defined: the matrix is or may be zero" if value is None else number(value, digits)))
            out.append(("nuclear norm", number(s.nuclear, digits)))
        with precision(128):
            low = o.norm_why if o.norm is None else number(o.norm.ball(), 9)
        out.append(("smallest possible", f"nuclear norm {low}" if o.norm is not None else f"nuclear norm not known: {low}"))
        if o.rank is None:
            out.append(("", f"rank not known: {o.rank_why}"))
        else:
            lower, upper = o.rank
            out.append(("", f"rank {lower}" if lower == upper else f"rank between {lower} and {upper}"))
        return out

    def _graph(self) -> str:
        q, o = self.question.observations, self.observed
        kind = o.kind.replace("-", " ")
        if len(o.components) > 1:
            kind = f"disconnected ({len(o.components)} components{', all complete' if 'complete' in o.kind else ''})"
        elif o.tree:
            kind = "connected (a tree)"
        return f"{q.rows} x {q.cols}, {len(q.cells)} of {q.rows * q.cols} entries observed; observation graph {kind}"

    def _widths(self) -> str:
        f = self.question.factors
        return "-".join(str(w) for w in (len(f[0][0]), *(len(x) for x in f)))

    # -- as text

    def text(self) -> str:
        """For a terminal."""
        a, o = self.answer, self.observed
        out = [f"{self.name}: {self._graph()}"]
        out += [f"note: {note}" for note in self.question.observations.notes()]
        out += [f"depth {self.question.depth} (widths {self._widths()}) from {self.start}"]
        out += [f"dynamics {o.coupling} (Definition 2): {o.coupling_why}"]
        out += [f"beforehand: {text}" for text in o.beforehand] + [""]
        out += [f"product of the factors {self._headline()}" if a.status != "undetermined" else self._headline()]
        if a.product is not None:
            if a.status == "undetermined":
                out += [f"{self._where()}:"]
            out += self._table()
        out += [""]
        out += [f"{label:<18}{text}" for label, text in self._facts()]
        told, others = self._told()
        if told:
            out += ["", "predictions"]
        for p in told:
            out += [f"  {p.theorem}: " + _told(p)]
            out += [f"    {hypothesis}: {known}" for hypothesis, known in p.hypotheses]
            out += [f"    here: {p.here}"] if p.here else []
        out += ["", others] if others else []
        out += ["", f"how: {a.method}"]
        if a.checked:
            out += [f"certificate accepted by the checker: {a.checked}"]
        return "\n".join(out)

    def _table(self) -> list[str]:
        rows, cols = self.answer.product.shape
        known = set(self.question.observations.cells)
        if max(rows, cols) > TABLE:
            return [f"  ({rows} x {cols}; in full with --out FILE.csv, --json or --report)"]
        cells = self._cells()
        marked = [[c + ("*" if (i, j) in known else " ") for j, c in enumerate(r)] for i, r in enumerate(cells)]
        widths = [max(len(r[j]) for r in marked) for j in range(cols)]
        if sum(widths) + 2 * cols > 150:
            return [f"  {i + 1},{j + 1}  {c}" for i, r in enumerate(marked) for j, c in enumerate(r)]
        return ["  " + "  ".join(c.rjust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in marked] + ["  * observed"]

    # -- as data

    def data(self, path: Sequence[Sample] | None = None) -> dict[str, Any]:
        """Plain data (JSON); numbers are text, `mid +/- rad` encloses the true value where it is certified. The path, where it is
        given, is not certified.
        """
        a, o, s = self.answer, self.observed, self.spectrum
        digits = self.question.digits + 5

        def ball(value: arb | None) -> str | None:
            if value is None:
                return None
            with precision(4 * digits + 64):
                return str((value if a.enclosed else value.mid()).str(digits))

        return {
            "schema": 1,
            "observations": {"file": self.name, **self.question.observations.to_data()},
            "depth": self.question.depth,
            "start": self.start,
            "digits": self.question.digits,
            "engine": self.question.engine,
            "asked": "infinity" if self.question.time is None else str(self.question.time),
            "status": a.status,
            "reason": a.reason,
            "method": a.method,
            "checked": a.checked,
            "time": a.time,
            "certain_digits": a.digits if a.certified else 0,
            "product": None if a.product is None else [[ball(v) for v in row] for row in a.product],
            "doubt": None if a.doubt is None else [[f"{v:.1e}" for v in row] for row in a.doubt],
            "loss": "0" if a.exact_loss else ball(a.loss),
            "singular_values": None if s is None else [ball(v) for v in s.values],
            "effective_rank": None if s is None else ball(s.effective),
            "stable_rank": None if s is None else ball(s.stable),
            "nuclear_norm": None if s is None else ball(s.nuclear),
            "graph": {"kind": o.kind, "components": o.components},
            "coupling": {"verdict": o.coupling, "reason": o.coupling_why},
            "smallest_nuclear_norm": None if o.norm is None else o.norm.decimal(15),
            "beforehand": list(o.beforehand),
            "smallest_rank": None if o.rank is None else list(o.rank),
            "notes": self.question.observations.notes(),
            "predictions": [p.to_data() for p in self.predictions],
        } | ({} if path is None else {"path": [_point(p) for p in path]})

    # -- as a page

    def markdown(self, figure: str | None) -> str:
        """A Markdown page; `figure` is the file name of the figure beside it."""
        a = self.answer
        out = [f"# Gradient flow on {self.name}", "", self._graph() + ".", ""]
        out += [line for note in self.question.observations.notes() for line in (_sentence(f"note: {note}"), "")]
        out += [f"Depth {self.question.depth}, widths {self._widths()}, start `{self.start}`. Loss: half the sum of the squared"]
        out += ["differences over the observed entries.", ""]
        out += [f"Dynamics (Definition 2): **{self.observed.coupling}**; {self.observed.coupling_why}.", ""]
        out += [f"Known before the first step: {text}.\n" for text in self.observed.beforehand]
        out += ["## Where it goes", "", _sentence(self._headline()), ""]
        if a.product is not None:
            if a.status == "undetermined":
                out += [f"{_sentence(self._where())[:-1]}:", ""]
            known = set(self.question.observations.cells)
            cells = self._cells()
            out += ["| | " + " | ".join(str(j + 1) for j in range(len(cells[0]))) + " |"]
            out += ["| --- " * (len(cells[0]) + 1) + "|"]
            for i, row in enumerate(cells):
                shown = [f"**{c}**" if (i, j) in known else c for j, c in enumerate(row)]
                out += [f"| {i + 1} | " + " | ".join(shown) + " |"]
            out += ["", "Bold: observed." + (" The last digit shown may be off by one." if a.enclosed else ""), ""]
        out += ["| | |", "| --- | --- |"]
        out += [f"| {label} | {text} |" for label, text in self._facts()] + [""]
        if figure:
            out += ["## The way there", "", f"![loss and singular values over time]({figure})", ""]
        told, others = self._told()
        if told:
            out += ["## What theorems predict", "", "| theorem | applies | why | prediction |", "| --- | --- | --- | --- |"]
            words = {True: "yes", False: "no", None: "not known"}
            for p in told:
                why = "; ".join(f"{hypothesis}: {known}" for hypothesis, known in p.hypotheses) or p.why
                words_of = f"{p.prediction}; here: {p.here}" if p.here else p.prediction
                out += [f"| {p.theorem} | {words[p.applies]} | {why} | {words_of} |"]
            out += [""]
        out += [_sentence(others), ""] if others else []
        out += ["## How it was found", "", _sentence(a.method)]
        if a.checked:
            out += ["", f"The certificate was accepted by the independent checker ({a.checked})."]
        return "\n".join(out) + "\n"

    def json(self, path: Sequence[Sample] | None = None) -> str:
        """The data as text."""
        return json.dumps(self.data(path), indent=1, ensure_ascii=False) + "\n"

    def table(self, sep: str = ",") -> str | None:
        """The product as a table of decimals (CSV), blank where a number is not known; None where it is undetermined."""
        product, fitted = self.answer.product, self.answer.fitted
        if product is None or self.answer.status == "undetermined":
            return None
        known = {cell: v for cell, v in self.question.observations.values.items() if cell in fitted or self.answer.exact_loss}
        digits = self.question.digits if self.answer.enclosed else min(self.question.digits, self.answer.digits)

        def cell(place: tuple[int, int]) -> str:
            exact = exact_text(known[place], digits) if place in known else ""
            if exact and "/" not in exact:
                return exact
            with precision(math.ceil(digits * 3.4) + 64):
                value = from_rational(known[place]) if place in known else product[place]
                return "" if not value.is_finite() else number(value.mid() if value.contains(0) else value, digits).split(" ")[0]

        rows, cols = product.shape
        return "".join(sep.join(cell((i, j)) for j in range(cols)) + "\n" for i in range(rows))


def _point(at: Sample) -> dict[str, Any]:
    """A point of the path, to six digits."""
    with precision(CLOCK):
        time = number(at.time, 9)
    return {"time": time, "loss": _power(at.loss), "singular_values": [_power(v) for v in at.singular]}


def _power(log: float) -> str | None:
    """10^log, also where no double holds it; None where it is not known."""
    if log == -math.inf:
        return "0"
    if not math.isfinite(log):
        return None
    text = f"{10 ** (log - math.floor(log)):.6g}"
    return f"{text}e{math.floor(log)}" if math.floor(log) else text


def _doubted(value: arb, row: int, column: int, answer: Answer) -> arb:
    """An entry as a ball: of an estimate, as wide as is believed."""
    with precision(64):
        return value if answer.doubt is None else value + arb(0, float(answer.doubt[row][column]))


def _norm(doubt: Any) -> float | None:
    """How far the matrix is believed to be from the truth; None where nothing is said."""
    return None if doubt is None else math.sqrt(sum(float(v) ** 2 for row in doubt for v in row))


def _told(prediction: Prediction) -> str:
    """Whether a theorem applies, and what it says then."""
    p = prediction
    if p.applies is None:
        return f"{p.verdict}; if so, {p.prediction}"
    return f"{p.verdict} ({p.why}): {p.prediction}" if p.applies else f"{p.verdict}: {p.why}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def figure(path: Sequence[Sample], title: str) -> str:
    """Loss and singular values over logarithmic time, as an SVG that depends on the numbers alone. Where nearly all happens in
    the last moment of a long time, that moment stands beside it, over linear time.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "verify-flow", "svg.fonttype": "none", "font.family": "DejaVu Sans"}):
        begin = _moment(path)
        canvas = Figure(figsize=(7.5, 5.5) if begin is None else (11, 5.5), layout="constrained")
        grid = canvas.subplots(2, 1 if begin is None else 2, sharex="col", sharey="row", squeeze=False)
        canvas.suptitle(title, fontsize=10)
        with precision(64):
            _curves(grid[:, 0], [round(log10(p.time), 6) for p in path], path)
        _ticks(grid[1, 0].xaxis, grid[1, 0].get_xlim())
        grid[1, 0].set_xlabel("time")
        if begin is not None:
            late = path[begin:]
            with precision(CLOCK):
                times = [round(float((p.time - late[0].time).mid()), 9) for p in late]
                _curves(grid[:, 1], times, late)
                grid[1, 1].set_xlabel(f"time after {number(late[0].time, 6)}")
        for axes, label in zip(grid[:, 0], ("loss", "singular values"), strict=True):
            axes.set_ylabel(label)
            _ticks(axes.yaxis, axes.get_ylim())
        if len(path[0].singular) > 1:
            grid[1, 0].legend(fontsize=7, ncols=6, frameon=False)
        out = io.StringIO()
        canvas.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _moment(path: Sequence[Sample]) -> int | None:
    """Where the last moment begins in which the loss falls, if it is less than a third of the time."""
    start = path[0].loss
    first = next((k for k, p in enumerate(path) if not p.loss > start - 0.01), len(path))
    if not 0 < first < len(path) - 10:
        return None
    with precision(CLOCK):
        end, falls = path[-1].time, path[first].time
        if not 3 * (end - falls) < end:
            return None
        return next(k for k, p in enumerate(path) if p.time > falls - (end - falls) / 8)


def _curves(pair: Any, times: list[float], path: Sequence[Sample]) -> None:
    upper, lower = pair
    mark = "." if len(path) < 60 else ""
    upper.plot(times, [_drawn(p.loss) for p in path], color="#4063d8", marker=mark, linewidth=1.4)
    count = min(TABLE, max((len(p.singular) for p in path), default=0))
    for k in range(count):
        line = [_drawn(p.singular[k]) if len(p.singular) > k else math.nan for p in path]
        # Thick under thin, so that equal ones are all seen.
        lower.plot(times, line, marker=mark, linewidth=1.2 + 1.6 * (count - 1 - k) / max(1, count - 1), label=f"{k + 1}")
    upper.grid(alpha=0.25)
    lower.grid(alpha=0.25)


def _drawn(log: float) -> float:
    return round(log, 6) if math.isfinite(log) else math.nan


def _ticks(axis: Any, ends: tuple[float, float]) -> None:
    """Ticks for an axis of logarithms: at powers of ten, also 2 and 5 times them where these are few, or at round numbers."""
    from matplotlib.ticker import MaxNLocator

    low, high = ends
    if high - low < 1 and -30 < low < 30:
        values = [float(v) for v in MaxNLocator(5).tick_values(10**low, 10**high) if 10**low <= v <= 10**high]
        axis.set_ticks([math.log10(v) for v in values], [f"{v:.6g}" for v in values])
        return
    every = max(1, math.ceil((high - low) / 8))
    powers = range(math.floor(low) // every * every, math.ceil(high) + 1, every)
    at = [(k + math.log10(n), n, k) for k in powers for n in ((1, 2, 5) if high - low < 3 else (1,))]
    shown = [(v, n, k) for v, n, k in at if low <= v <= high]
    axis.set_ticks([v for v, _, _ in shown], [_label(n, k) for _, n, k in shown])


def _label(digit: int, power: int) -> str:
    return f"{digit * 10.0**power:g}" if -3 < power < 4 else f"{digit}e{power}"
