"""`verify flow`: where gradient flow on a user's own observations goes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verify.commands import _files as files_of
from verify.commands import _options as options
from verify.commands import _tables as tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from verify.completion.observations import Observations
    from verify.flow.ask import Answer, Question
    from verify.flow.facts import Observed
    from verify.flow.page import Page
    from verify.flow.starts import Start
    from verify.flow.trajectory import Sample

INTERRUPTED = 130
LEGS = [f"{name}{leg}" for leg in ("", "-then") for name in ("report", "answer", "flow")]
REPORT = ("certificate.json", *(f"{name}.{end}" for name in LEGS for end in ("md", "json", "svg")))
"""The files of a report."""
AROUND = 0.2
"""The part of the time limit that is for what is known before the answer."""
PIPED = 10.0
"""Seconds between two lines of progress in a pipe."""
ANSWER = 0.7
"""The part that is for the answer and its check."""
MOST = {"validated": 20_000, "high-precision": 2_000, "float64": 200_000}  # unknowns; the validated engine refuses earlier


@click.command(name="flow", cls=options.EachOnce)
@click.argument("file", metavar="FILE")
@click.option("--depth", type=int, default=2, show_default=True, help="The number L of factors W_L ... W_1.")
@click.option("--init", default="identity:1e-3", show_default=True, metavar="START", help="identity:ALPHA, ones:ALPHA,M, gaussian:STD,SEED or file:PATH.")  # fmt: skip  # noqa: E501
@click.option("--hidden", type=int, help="Inner widths; default: the smaller side of the matrix.")
@click.option("--digits", type=int, default=15, show_default=True, help="Digits to certify.")
@click.option("--to", "until", default="infinity", show_default=True, metavar="TIME", help="A time (0: the start), or infinity.")
@click.option("--engine", default="validated", show_default=True, help="validated, high-precision or float64.")
@click.option("--max-steps", type=int, help="Steps after which it is undetermined; default: 300, high-precision 5000, float64 100000.")  # fmt: skip  # noqa: E501
@click.option("--time-limit", type=float, metavar="SECONDS", help="Seconds for the whole command, check and all, after which it is undetermined; default: none (float64: 60, high-precision: 300).")  # fmt: skip  # noqa: E501
@click.option("--sweep", metavar="alpha=A..B", help="Repeat for scales from A to B, like alpha=1e-1..1e-35.")
@click.option("--then", metavar="FILE", help="Go on from the limit with these observations (warm start).")
@click.option("--report", metavar="DIR", help="Write a Markdown page, figure, data and certificate.")
@click.option("--certificate", metavar="FILE", help="Write the certificate (JSON).")
@click.option("--out", metavar="FILE", help="Write the completed table (.csv or .tsv).")
@click.option("--all", "everything", is_flag=True, help="Tell predictions that do not apply as well.")
@tables.layout_options
@options.as_json
def command(**words: Any) -> int:
    """Say where gradient flow on the observed entries in FILE goes, with a guarantee.

    The flow is that of 1/2 sum (w_ij - w*_ij)^2 over the observed entries of W_L ... W_1. Numbers are exact: 1.5, 2/3, 1e-35.

    \b
    FILE, by the end of its name (not observed: blank, ?, * or nan):
      .csv .tsv  a row a line; # begins a comment; more with the options --sep,
                 --decimal, --na, --header, --triples
                   1, 0.5, ?
      .json      a list of rows (null or "?": not observed), or the entries
                   [[1, "1/2", null], ["?", 2, 1e-3]]
                   {"shape": [2, 3], "entries": [[1, 1, 0.5], [2, 3, "1/3"]]}
      .npy .npz  the array "matrix", or the only one, with nan; or with "mask";
                 or the arrays "rows", "cols" (from 0), "values" and "shape";
                 or what scipy.sparse.save_npz wrote (stored is observed)
                   numpy.savez("x.npz", matrix=[[1, numpy.nan], [0.5, 2]])
      .mtx       Matrix Market, array or coordinate (listed is observed)
                   %%MatrixMarket matrix coordinate real general
                   2 3 1
                   1 2 0.5
    Packed with gzip (.csv.gz) as well; - is standard input, in CSV or --format.

    \b
    START:
      identity:1e-35   every factor is 1e-35 times the identity
      ones:1e-35,2     1e-35 on the diagonal, 1e-35/2 off it, in every factor
      gaussian:0.1,7   normal entries of standard deviation 0.1, drawn from seed 7
      file:start.json  the factors W_1, W_2, ...: [[[1, 0], [0, 1]], [["1/2", 0], ...]]
                       (or an NPZ file with the arrays W1, W2, ...)
    """
    from verify.flow import deadline

    done: list[str] = []
    limit = words["time_limit"]
    try:
        with deadline.within(limit if limit is not None and limit > 0 else float("inf")):
            return _answered(done, **words)
    except KeyboardInterrupt:
        click.echo(f"verify: interrupted; {' and '.join(done) + ' was written' if done else 'nothing was written'}", err=True)
        return INTERRUPTED


def _answered(
    done: list[str],
    file: str,
    depth: int,
    init: str,
    hidden: int | None,
    digits: int,
    until: str,
    engine: str,
    max_steps: int | None,
    time_limit: float | None,
    sweep: str | None,
    then: str | None,
    report: str | None,
    certificate: str | None,
    out: str | None,
    everything: bool,
    as_json: bool,
    **layout: Any,
) -> int:
    """Answer, print and write; `done` gets what was written."""
    from verify.errors import InputError
    from verify.flow.ask import ENGINES, MAX_DIGITS
    from verify.flow.starts import parse_start

    if engine not in ENGINES:
        from verify.errors import suggestion

        raise InputError(f"--engine {engine!r} is unknown; {suggestion(engine, ENGINES)}")
    if not 1 <= depth <= 1000:
        raise InputError(f"--depth {depth}; it must be at least 1 (and at most 1000)")
    if not 1 <= digits <= MAX_DIGITS:
        raise InputError(f"--digits {digits}; it must be between 1 and {MAX_DIGITS}")
    if hidden is not None and hidden < 1:
        raise InputError(f"--hidden {hidden}; it must be at least 1")
    if max_steps is not None and max_steps < 1:
        raise InputError(f"--max-steps {max_steps}; it must be at least 1")
    if time_limit is not None and not 0 < time_limit < float("inf"):
        raise InputError(f"--time-limit {time_limit:g}; it must be a positive number of seconds")
    start, time = parse_start(init), _time(until)
    scales = [] if sweep is None else _scales(sweep)
    if scales and (then or certificate or out):
        raise InputError("--sweep cannot be combined with --then, --certificate or --out")
    if then and (engine != "validated" or time is not None):
        raise InputError("--then goes on from a certified limit: it needs --engine validated and --to infinity")
    inputs = [file, *([then] if then else []), *([init.partition(":")[2]] if init.startswith("file:") else [])]
    _writable(report, certificate, out, inputs)
    laid_out = tables.layout_of(layout)
    if inputs.count("-") > 1:
        raise InputError("standard input can be read once; give a file for the other table")
    data = tables.read(file, laid_out)
    ask = _Asker(data, _title(file), depth, hidden, digits, time, engine, max_steps, time_limit, everything)
    code = 0
    with _Ticker() as say:
        if scales:
            files, shown, code = ask.sweep(start, scales, as_json, say)
        else:
            more = None if then is None else (tables.read(then, laid_out), _title(then))
            files, shown = ask.once(start, more, as_json, say)
        table = files.pop("completed", None)
        files = files if report is None else _made(files, say)
    _put(files, table, out, certificate, report, done)
    click.echo(shown.rstrip("\n"))
    return code


def _put(
    files: dict[str, Any], table: Page | None, out: str | None, certificate: str | None, report: str | None, done: list[str]
) -> None:
    """Write what was asked for; `done` gets its names."""
    from verify.errors import InputError

    proof = files.pop("certificate.json", None)
    if certificate is not None and proof is None:
        raise InputError("there is no certificate to write: nothing was certified")
    if out is not None:
        text = None if table is None else table.table("\t" if out.lower().endswith(".tsv") else ",")
        if text is None:
            raise InputError("there is no completed table to write: it is undetermined")
        files_of.write(Path(out).parent, {Path(out).name: text})
        done.append(out)
    if certificate is not None and proof is not None:
        files_of.write(Path(certificate).parent, {Path(certificate).name: proof})
        done.append(certificate)
    if report is not None:
        files_of.write(Path(report), {**files, **({} if proof is None else {"certificate.json": proof})}, REPORT)
        done.append(report)


class _Asker:
    """One table, and everything about a question but the start."""

    def __init__(
        self,
        data: Observations,
        name: str,
        depth: int,
        hidden: int | None,
        digits: int,
        time: Fraction | None,
        engine: str,
        max_steps: int | None,
        seconds: float | None,
        everything: bool = False,
    ) -> None:
        from verify.errors import InputError
        from verify.flow.ask import shapes

        self.data, self.name, self.depth, self.digits, self.time, self.engine = data, name, depth, digits, time, engine
        self.everything = everything
        self.max_steps, self.seconds = max_steps, seconds
        self.shapes = shapes(data.rows, data.cols, depth, hidden)
        unknowns = sum(r * c for r, c in self.shapes)
        if unknowns > MOST[engine]:
            from verify.flow.ask import refuse_large

            refuse_large(self.shapes, engine)
            raise InputError(f"the factors have {unknowns} unknowns; --engine {engine} takes at most {MOST[engine]}")

    def limits(self, most: float | None = None) -> tuple[int | None, float | None]:
        """Steps and seconds for an answer: of the time that is left for the command some is kept for what is told around it."""
        from verify.flow import deadline

        if self.seconds is None:
            return self.max_steps, None
        left = deadline.left() if most is None else most
        return self.max_steps, min(self.seconds, ANSWER * max(left, 1e-3))

    def question(self, start: Start, digits: int | None = None, seconds: float | None = None) -> Question:
        from fractions import Fraction

        from verify.flow.ask import Question

        factors = start.factors(self.shapes)
        exactly = Fraction(0)
        limits = self.limits(seconds)
        return Question(self.data, self.depth, factors, digits or self.digits, self.time, self.engine, exactly, *limits)

    def page(self, question: Question, start: str, name: str, say: Callable[[str], None]) -> Page:
        from verify.flow import deadline
        from verify.flow.ask import answer
        from verify.flow.facts import observed

        with deadline.within(AROUND * deadline.left()):
            around = observed(question, say)
        for text in around.beforehand if sys.stderr.isatty() else ():
            click.echo(f"verify: {name}: {text}", err=True)
        return self.around(question, answer(question, say), around, start, name, say)

    def around(
        self, question: Question, found: Answer, around: Observed, start: str, name: str, say: Callable[[str], None]
    ) -> Page:
        from verify.flow import deadline
        from verify.flow.facts import reached, spectrum_of
        from verify.flow.page import Page
        from verify.flow.predictors import Prediction, predictions
        from verify.project import find_root

        say("spectrum")
        spectrum = deadline.in_time(0.5, lambda: spectrum_of(question, found), lambda: None)

        def predicted() -> list[Prediction]:
            known = reached(found, around, spectrum)
            return predictions(find_root(), question.observations, question.depth, question.factors, known)

        told: list[Prediction] = [] if question.spread else deadline.in_time(0.5, predicted, list)
        return Page(name, start, question, found, around, spectrum, told, self.everything)

    def once(self, start: Start, then: tuple[Observations, str] | None, as_json: bool, say: Callable[[str], None]) -> Any:
        import json
        from dataclasses import replace

        from verify.errors import InputError
        from verify.flow import deadline

        more = 0 if then is None else 15
        if then is not None and (then[0].rows, then[0].cols) != (self.data.rows, self.data.cols):
            raise InputError(f"{then[1]}: {then[0].rows} x {then[0].cols}; {self.name} is {self.data.rows} x {self.data.cols}")
        half = None if then is None else deadline.left() / 2
        pages = [self.page(self.question(start, self.digits + more, half), start.text, self.name, say)]
        if then is not None:
            pages[0] = replace(pages[0], answer=_ahead(pages[0].answer, more))
            pages.append(self.warm(pages[0], then[0], then[1], say))
        files: dict[str, Any] = {"completed": pages[-1]}
        for page, mark in zip(pages, ("", "-then"), strict=False):
            files |= self.files(page, mark)
        proofs = [p.answer.certificate for p in pages if p.answer.certificate is not None]
        if len(proofs) == len(pages):
            whole: Any = proofs[0] if len(proofs) == 1 else {"format": "verify-flow-chain", "certificates": proofs}
            files["certificate.json"] = json.dumps(whole) + "\n"
        if as_json:
            told = [p.data(_own_path(p)) for p in pages]
            return files, json.dumps(told[0] if then is None else told, indent=1)
        return files, "\n\n".join(p.text() for p in pages)

    def files(self, page: Page, mark: str) -> dict[str, Any]:
        """The names of the files of a report, and the page that each is made from by `_made` when one is asked for."""
        return {f"report{mark}.md": page, f"answer{mark}.json": page, f"flow{mark}.svg": page}

    def warm(self, first: Page, data: Observations, name: str, say: Callable[[str], None]) -> Page:
        """The second leg: from the limit of the first one."""
        from verify.flow.ask import Answer, Question
        from verify.flow.facts import observed

        found = first.answer
        label = f"the limit on {first.name}"
        if not (found.certified and found.factors is not None):
            question = Question(data, self.depth, first.question.factors, self.digits)
            why = f"the warm start is not certified ({found.reason})"
            if found.certified:
                why = "the warm start is not known: of the limit only the product of the factors is certified"
            none = Answer("undetermined", why, "not run", "", None, 0, None)
            return self.around(question, none, observed(question, say), label, name, say)
        factors = []
        for flat, (rows, cols) in zip(found.factors, self.shapes, strict=True):
            factors.append(tuple(tuple(flat[i * cols : (i + 1) * cols]) for i in range(rows)))
        limits = self.limits()
        question = Question(data, self.depth, tuple(factors), self.digits, None, "validated", found.radius, *limits)
        label += ", exactly" if not found.radius else f", from every point of a ball of radius {float(found.radius):.1e}"
        return self.page(question, label, name, say)

    def sweep(
        self, start: Start, scales: list[str], as_json: bool, say: Callable[[str], None]
    ) -> tuple[dict[str, Any], str, int]:
        """The files of a report, what is shown, and the exit code."""
        from verify.flow.scales import Scales

        head = f"{self.name}: depth {self.depth}, {start.kind}, {self.digits} digits, to t = {self.time or 'infinity'}"
        found = Scales(head, scales)
        try:
            found.run(lambda scale, seconds: self.question(start.rescaled(scale), None, seconds), say)
        except KeyboardInterrupt:
            click.echo(found.json() if as_json else found.text())
            raise
        return found.files(), found.json() if as_json else found.text(), 1 if found.failed else 0


def _ahead(found: Answer, more: int) -> Answer:
    """The answer of the first leg, with the reason why it has other digits than were asked for."""
    from dataclasses import replace

    if not found.certified:
        return found
    why = f"{more} more than for the end, which is computed from here"
    return replace(found, reason=f"{found.reason}, {why}" if found.reason else why)


def _title(file: str) -> str:
    """What a table is called."""
    return "standard input" if file == "-" else Path(file).name


def _own_path(page: Page) -> list[Sample]:
    """Points on the way that the answer itself has; none where the flow would have to be followed for them."""
    from functools import partial

    from verify.flow import deadline
    from verify.flow.ask import path_of

    found, proof = page.answer, page.answer.certificate or {}
    if not (found.path or proof.get("steps") or proof.get("kind") == "scalar-pair"):
        return []
    return deadline.in_time(1, partial(path_of, page.question, found), list)


def _made(files: dict[str, Any], say: Callable[[str], None]) -> dict[str, str]:
    """The texts of the files of a report."""
    from functools import partial

    from verify.flow import deadline
    from verify.flow.ask import path_of
    from verify.flow.page import figure

    say("figure")
    out: dict[str, str] = {}
    paths: dict[int, list[Sample]] = {}
    for name, page in files.items():
        if isinstance(page, str):
            out[name] = page
        elif name.endswith(".svg"):
            path = paths[id(page)] = deadline.in_time(1, partial(path_of, page.question, page.answer), list)
            if len(path) > 1:
                out[name] = figure(path, f"{page.name}, depth {page.question.depth}, {page.start}")
    for name, page in files.items():
        if name.endswith(".md") and not isinstance(page, str):
            drawing = name.replace("report", "flow").replace(".md", ".svg")
            out[name] = page.markdown(drawing if drawing in out else None)
        elif name.endswith(".json") and not isinstance(page, str):
            out[name] = page.json(paths.get(id(page)))
    return out


def _time(text: str) -> Fraction | None:
    from verify.flow.starts import positive

    return None if text in ("infinity", "inf") else positive(text, "--to: the time", zero=True)


def _scales(text: str) -> list[str]:
    """The scales of a sweep: whole powers of ten (at most eight), or eight numbers in equal ratios, with both ends."""
    import math

    from verify.errors import InputError
    from verify.flow.starts import positive

    name, equals, ends = text.partition("=")
    first, dots, last = ends.partition("..")
    if name not in ("alpha", "std") or not equals or not dots:
        raise InputError(f"--sweep {text!r}; write alpha=A..B, like alpha=1e-1..1e-35")
    a, b = (positive(v, f"--sweep {text!r}: an end") for v in (first, last))
    logs = [math.log10(v.numerator) - math.log10(v.denominator) for v in (a, b)]
    if a == b:
        return [first]
    if all(abs(v - round(v)) < 1e-9 for v in logs):
        low, high = round(logs[0]), round(logs[1])
        count = min(8, abs(high - low) + 1)
        return [f"1e{round(low + (high - low) * k / (count - 1))}" for k in range(count)]
    out = [logs[0] + (logs[1] - logs[0]) * k / 7 for k in range(8)]
    middle = [f"{10 ** (v - math.floor(v)):.4f}e{math.floor(v)}" for v in out[1:-1]]
    return [first, *middle, last]


def _writable(report: str | None, certificate: str | None, out: str | None, inputs: list[str]) -> None:
    """Refuse, before anything is computed, what could not be written in the end."""
    from verify.errors import InputError

    if certificate is not None:
        files_of.need_file("--certificate", certificate, inputs)
    if out is not None:
        if not out.lower().endswith((".csv", ".tsv")):
            raise InputError(f"--out {out}: not a name that ends with .csv or .tsv")
        files_of.need_file("--out", out, inputs)
    if report is not None:
        files_of.need_folder("--report", report, "answer.json")


class _Ticker:
    """Progress: what is being done and for how long; in a pipe a line every ten seconds."""

    def __init__(self) -> None:
        import threading

        from verify.run.progress import Progress

        self.progress, self.text = Progress(), ""
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Callable[[str], None]:
        self.thread.start()
        return self._say

    def _say(self, text: str) -> None:
        self.text = text

    def _tick(self) -> None:
        live = self.progress.live
        while not self.over.wait(0.3 if live else PIPED):
            if self.text and live:
                self.progress.say(self.text)
            elif self.text:
                self.progress.stage(self.text)

    def __exit__(self, *_: object) -> None:
        self.over.set()
        if self.thread.is_alive():
            self.thread.join()
        self.progress.close()
