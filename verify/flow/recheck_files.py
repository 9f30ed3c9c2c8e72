"""Files of certificates of flows: each is read and checked in a process of its own, within a time and a memory.

What was proved is told in the checker's own numbers, and an answer that lies beside the certificate is compared with it.

Imports python-flint and the standard library only.
"""

from __future__ import annotations

import json
import math
import os
import re
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import arb, ctx

from verify.flow import recheck_read as read
from verify.flow.recheck import check, within
from verify.flow.recheck_balls import _arb
from verify.flow.recheck_numbers import numbers
from verify.flow.recheck_proved import Pair, Verified
from verify.flow.recheck_read import NoCertificate, Refused, dyadic, need, plain, rational, shown

SECONDS, MEGABYTES = 600.0, 2_000
BITS, FINE = 128, 4_096  # of what is known exactly, in the text and where an answer is compared
TABLE, SHORT, DIGITS = 12, 24, 20  # sides of a table and characters of a number in the text; digits of a ball

Answer = dict[str, Any]


# -- one file, several certificates
# ---------------------------------------------------------------------------------------------------------


def members(data: Any) -> list[Any]:
    """The certificates in a file: its own, or those of a chain. Raises :class:`Refused` for something else."""
    if isinstance(data, dict) and data.get("format") == "verify-flow-chain":
        return read.items(read.fields(data, "chain", "format certificates")["certificates"], "certificates", 100, 1)
    if not isinstance(data, dict) or "kind" not in data:
        raise NoCertificate("no certificate of a flow")
    return [data]


def joined(earlier: Any, proved: Verified, later: Any) -> str:
    """Why a certificate of a chain is not about all starts that the one before it leaves possible, or empty where it is.

    Both hold; `proved` is what the earlier one was found to prove.
    """
    if later["kind"] == "scalar-pair":
        return "a scalar pair begins at a start of its own"
    before = _of_pair(proved) if isinstance(proved, Pair) else _apart_from_targets(earlier["model"])
    if _apart_from_targets(later["model"]) != before:
        return "it is about another model than the one before it"
    start = [[rational(v) for row in block for v in row] for block in later["start"]]
    reached, error = _reached(proved)
    if reached is None:
        return "the one before it proves no limit of the factors"
    if error == 0 and start == reached:
        return ""
    if isinstance(proved, Pair) and _is_root(proved, start):
        return ""
    if later["kind"] not in ("limit", "time", "undetermined"):
        return "it does not begin where the one before it ends"
    mid = [[dyadic(v) for v in flat] for flat in later["begin"]["mid"]]
    covered = within(reached, mid, dyadic(later["begin"]["error"]) - error)
    return "" if covered else "it does not begin where the one before it ends"


def _apart_from_targets(model: Any) -> Any:
    """Everything about a model that stays the same when other entries are observed."""
    data = model.get("data")
    exact = None if data is None else [[rational(v) for v in row] for row in data]
    return model["name"], model.get("widths", model.get("dims")), model.get("rank"), rational(model["factor"]), exact


def _of_pair(pair: Pair) -> Any:
    """As :func:`_apart_from_targets`."""
    return "linear-network", [pair.d] * (pair.depth + 1), None, Fraction(1), None


def _reached(proved: Verified) -> tuple[list[list[Fraction]] | None, Fraction]:
    """A point of the factors, and how far the limit may be from it."""
    if isinstance(proved, Pair):
        read.room(proved.d**2 * proved.depth, 64, "a chain")
        (first,), (second,) = proved.blocks
        d = proved.d
        factor = [(first - second) / d + (second if i == j else 0) for i in range(d) for j in range(d)]
        return [factor] * proved.depth, proved.error * proved.depth * d
    if proved.kind in ("limit", "rest", "stationary"):
        return proved.blocks, proved.error
    return None, proved.error


def _is_root(proved: Pair, start: list[list[Fraction]]) -> bool:
    """Whether the start is exactly the limit from equal components: the positive root of the target, times the identity."""
    root = start[0][0]
    if proved.begin[0] != proved.begin[1] or root <= 0 or not proved.loss_zero:
        return False
    read.spend(50, proved.depth * (root.numerator.bit_length() + root.denominator.bit_length()), "a chain")
    multiple = [root if i == j else Fraction(0) for i in range(proved.d) for j in range(proved.d)]
    return start == [multiple] * proved.depth and root**proved.depth == proved.target


def proofs(data: Any) -> list[Verified | Refused]:
    """What each certificate of a file proves, or why it is refused."""
    found: list[Verified | Refused] = []
    items = members(data)
    for number, item in enumerate(items):
        try:
            proved = check(item)
            if number:
                before = found[-1]
                if isinstance(before, Refused):
                    raise Refused("the certificate before it does not hold")
                why = joined(items[number - 1], before, item)
                need(not why, why)
            found.append(proved)
        except Refused as refused:
            found.append(refused)
    return found


# -- what was proved, as data and as text
# ---------------------------------------------------------------------------------------------------------


def told(proved: Verified) -> Answer:
    """What was proved, as JSON: exact numbers as text, balls as [mid +/- rad]."""
    out: Answer = {"kind": proved.kind, "error below": _bound(proved.error)}
    known = numbers(proved, BITS)
    if isinstance(proved, Pair):
        one = known.product[0]
        model = {"name": "deep scalar pair", "d": proved.d, "depth": proved.depth}
        data: Any = {"diagonal": str(proved.target)}
        start: Any = [str(v) for v in proved.begin]
        diagonal = _text(proved.target) if proved.loss_zero else _ball(one[0])
        product: Any = {"diagonal": diagonal, "off the diagonal": _ball(one[1])}
    else:
        width = proved.model.columns
        cells = [_text(v) if on else None for v, on in zip(proved.model.target, proved.model.mask, strict=True)]
        data = [cells[k : k + width] for k in range(0, len(cells), width)]
        start = [
            [[_text(v) for v in flat[k : k + c]] for k in range(0, r * c, c)]
            for flat, (r, c) in zip(proved.start, proved.model.shapes, strict=True)
        ]
        fitted = {cell: _text(proved.observed[cell]) for cell in proved.fitted}
        rows = known.product
        product = [[fitted.get((i, j)) or _ball(v) for j, v in enumerate(row)] for i, row in enumerate(rows)]
        shapes = [list(s) for s in proved.model.shapes]
        model = {"name": proved.model.name, "shapes": shapes, "factor": _text(proved.model.factor)}
        if proved.model.given is not None:
            model["data"] = [[_text(v) for v in row] for row in proved.model.given]
    time_ = proved.time if isinstance(proved.time, str) else _ball(proved.time)
    loss = "0" if known.loss_zero else _ball(known.loss)
    return out | {"model": model, "data": data, "start": start, "time": time_, "product": product, "loss": loss}


def _text(value: Fraction) -> str:
    return str(value) if value.numerator.bit_length() + value.denominator.bit_length() < 12_000 else f"about {_ball(_arb(value))}"


def _ball(value: arb) -> str:
    return str(value.str(DIGITS))


def _bound(error: Fraction) -> str:
    return f"2^{error.numerator.bit_length() - error.denominator.bit_length() + 1}" if error else "0"


def lines(answer: Answer) -> list[str]:
    """An answer as text."""
    name = shown(answer["file"]) + (f" ({answer['number']} of {answer['of']})" if answer["of"] > 1 else "")
    if not answer["accepted"]:
        return [f"refused   {name}: {answer['reason']}"]
    bound = answer["error below"]
    out = [f"accepted  {name}: {answer['kind']}; error {'' if bound == '0' else 'below '}{bound}"]
    model = answer["model"]
    if model["name"] == "deep scalar pair":
        about = f"{model['d']} x {model['d']} at depth {model['depth']}, observed on the diagonal"
        out += [f"  data      {_short(answer['data']['diagonal'])}; {about}"]
        out += [f"  start     lambda = {', '.join(map(_short, answer['start']))}"]
        product = answer["product"]
        shown_product = [f"  product   {product['diagonal']} on the diagonal, {product['off the diagonal']} off it"]
    else:
        widths = "-".join(str(n) for n in (model["shapes"][0][1], *(r for r, _ in model["shapes"])))
        kind = f"widths {widths}" if model["name"] == "linear-network" else f"CP tensor of rank {model['shapes'][0][1]}"
        extra = "" if model["factor"] == "1" else f", factor {_short(model['factor'])}"
        extra += ", times given data" if "data" in model else ""
        cells = [["?" if v is None else _short(v) for v in r] for r in answer["data"]]
        out += [f"  model     {kind}{extra}", "  data", *_table(cells), *_starts(answer["start"])]
        exact = re.compile(r"-?[0-9]+(/[0-9]+)?")
        cells = [[_short(v) if exact.fullmatch(v) else v for v in row] for row in answer["product"]]
        shown_product = ["  product", *_table(cells)]
    out += [f"  time      {answer['time']}", *shown_product]
    out += [f"  loss      {'0, exactly' if answer['loss'] == '0' else answer['loss']}"]
    if "beside" in answer:
        other = answer["beside"]
        out += [f"  answer    {shown(other['file'])}: {'; '.join(other['differs']) or 'follows from this'}"]
    return out


def _starts(blocks: list[Any]) -> list[str]:
    out, k = [], 0
    while k < len(blocks):
        last = k
        while last + 1 < len(blocks) and blocks[last + 1] == blocks[k]:
            last += 1
        out += [f"  start     W_{k + 1}" + (f" .. W_{last + 1}" if last > k else "")]
        out += _table([[_short(v) for v in row] for row in blocks[k]])
        k = last + 1
    return out


def _table(rows: list[list[str]]) -> list[str]:
    if max(len(rows), len(rows[0])) > TABLE:
        return [f"    {len(rows)} x {len(rows[0])}; in full with --json"]
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    return ["    " + "  ".join(v.rjust(w) for v, w in zip(row, widths, strict=True)) for row in rows]


def _short(text: str) -> str:
    """An exact number for the eye: as a decimal where it is one, cut where it is long."""
    if len(text) > 300 or text.startswith("about"):
        return text if len(text) <= SHORT + 30 else f"{text[:12]}.. ({len(text)} characters)"
    value = rational(text)
    q = value.denominator
    twos = (q & -q).bit_length() - 1
    fives = next(k for k in range(q.bit_length()) if (q >> twos) % 5 ** (k + 1))
    if q == 1 << twos if not fives else q >> twos == 5**fives:
        places = max(twos, fives)
        digits = f"{abs(value.numerator) * 10**places // q:0{places + 1}d}"
        exact = ("-" if value < 0 else "") + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
        if len(exact) <= SHORT:
            return exact
    return text if len(text) <= SHORT else f"{float(value):.12g}.."


# -- the answer beside a certificate
# ---------------------------------------------------------------------------------------------------------

_BALL = re.compile(r"\[?([+-]?[0-9.]+(?:e[+-]?[0-9]{1,5})?)?(?: ?\+/- ?([0-9.]+(?:e[+-]?[0-9]{1,5})?))?\]?", re.ASCII)


def beside(path: Path, number: int) -> Path | None:
    """The answer that `verify flow --report` wrote beside a certificate, where there is one."""
    if path.name != "certificate.json":
        return None
    answer = path.with_name("answer.json" if number == 1 else "answer-then.json")
    return answer if answer.is_file() else None


def compared(proved: Verified, path: Path) -> list[str]:
    """As :func:`differences`, of an answer in a file."""
    try:
        with path.open("rb") as stream:
            return differences(proved, read.parse(stream.read(read.MAX_BYTES + 1), decimals=True))
    except OSError:
        return ["cannot be read"]
    except Refused as refused:
        return [f"is malformed: {refused}"]


def differences(proved: Verified, answer: Any) -> list[str]:
    """In what an answer does not follow from what was proved, in words: other data, or a number without the proved one in it."""
    if not isinstance(answer, dict):
        return ["is no answer"]
    out = []
    known = numbers(proved, FINE)
    if isinstance(proved, Pair):
        shape, observed = [proved.d] * 2, {(k, k): proved.target for k in range(proved.d)}
    else:
        shape, observed = [len(proved.model.mask) // proved.model.columns, proved.model.columns], proved.observed
    try:
        if not _same_data(answer["observations"], shape, observed):
            out.append("is about other data")
        if answer["depth"] != (proved.depth if isinstance(proved, Pair) else proved.model.depth):
            out.append("is about another depth")
        if answer["status"] not in ("certified", "undetermined"):
            out.append("is none of the certificate")
        if answer["status"] == "certified" and proved.kind == "undetermined":
            out.append("says certified, of an enclosure at the time where a run stopped")
        if answer["status"] == "certified" and (answer["time"] == "infinity") != (proved.time == "infinity"):
            out.append("is about another time")
        if answer["product"] is not None:
            rows = known.product
            need(len(answer["product"]) == len(rows), "a product of another shape")
            for i, (row, given) in enumerate(zip(rows, answer["product"], strict=True)):
                bad = [f"({i + 1}, {j + 1})" for j, (v, text) in enumerate(zip(row, given, strict=True)) if not _holds(v, text)]
                if bad:
                    out.append(f"does not follow: product {', '.join(bad)}")
        if answer["loss"] is not None and not _holds(known.loss, answer["loss"]):
            out.append("does not follow: loss")
    except (Refused, KeyError, TypeError, ValueError, IndexError, AttributeError):
        out.append("is malformed")
    return out


def _same_data(data: Any, shape: list[int], observed: dict[tuple[int, int], Fraction]) -> bool:
    base = data.get("base", 1)
    found = {(i - base, j - base): rational(v) for i, j, v in data["entries"]}
    return bool(data["shape"] == shape and found == observed)


def _holds(proved: arb, text: Any) -> bool:
    """Whether a number in text, [mid +/- rad], contains what was proved."""
    found = _BALL.fullmatch(text) if isinstance(text, str) and len(text) < 20_000 else None
    if found is None:
        raise Refused("no number")
    saved, ctx.prec = ctx.prec, max(128, 4 * len(text) + 64)
    try:
        ball = arb(found[1] or "0") + arb(0, arb(found[2] or "0").abs_upper())
        return bool(ball.contains(proved))
    finally:
        ctx.prec = saved


# -- files
# ---------------------------------------------------------------------------------------------------------


def examine(name: str, seconds: float = SECONDS) -> list[Answer]:
    """The answers for one file, in this process."""
    path = Path(name)
    try:
        data = path.read_bytes() if path.is_file() and path.stat().st_size <= read.MAX_BYTES else None
    except (OSError, ValueError) as error:
        return [{"file": name, "unreadable": str(getattr(error, "strerror", None) or "no such file")}]
    if data is None:
        return [{"file": name, "unreadable": "no regular file" if not path.is_file() else "too large"}]
    out: list[Answer] = []
    with read.within(read.Budget(len(data), seconds)):
        try:
            found = proofs(read.parse(data))
        except NoCertificate as refused:
            return [{"file": name, "unreadable": str(refused)}]
        except Refused as refused:
            found = [refused]
        for number, proved in enumerate(found, 1):
            answer: Answer = {"file": name, "number": number, "of": len(found), "accepted": isinstance(proved, Verified)}
            try:
                if isinstance(proved, Refused):
                    raise proved
                answer |= told(proved)
                other = beside(path, number)
                if other is not None:
                    answer["beside"] = {"file": str(other), "differs": compared(proved, other)}
            except Refused as refused:
                answer |= {"accepted": False, "reason": str(refused)}
            out.append(answer)
    return out


def apart(name: str, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> list[Answer]:
    """As :func:`examine`, in a process of its own that ends at the time limit, or where it wants more memory."""
    if not hasattr(os, "fork"):
        return examine(name, seconds)
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        _in_child(source, sink, lambda: examine(name, seconds), megabytes)
    os.close(sink)
    chunks: list[bytes] = []
    end, late = time.monotonic() + seconds + 1, False
    try:
        while True:
            ready, _, _ = select.select([source], [], [], max(0.0, end - time.monotonic()))
            chunk = os.read(source, 1 << 20) if ready else b""
            if not chunk:
                late = not ready
                break
            chunks.append(chunk)
    finally:
        os.close(source)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    refused = {"file": name, "number": 1, "of": 1, "accepted": False}
    if late:
        return [refused | {"reason": f"the check took longer than {seconds:.6g} s; --time-limit allows more"}]
    try:
        answers: list[Answer] = json.loads(b"".join(chunks))
    except ValueError:
        return [refused | {"reason": f"the check wanted more than {megabytes} MB"}]
    return answers


def _in_child(source: int, sink: int, job: Callable[[], list[Answer]], megabytes: int) -> None:
    """Do the job within the memory, write its answers, and end this process."""
    import resource

    try:
        os.close(source)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 2)  # where the memory is over, FLINT says so and ends the process
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        data = json.dumps(job()).encode()
        while data:
            data = data[os.write(sink, data) :]
    finally:
        os._exit(0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the certificate files that are named (`--json`: answers as JSON; `--seconds N`: for each file); 0 if all hold and
    the answers beside them follow, 1 if one is refused, 2 for unreadable input.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    as_json, seconds, files = False, SECONDS, []
    while words:
        word = words.pop(0)
        if word == "--json":
            as_json = True
        elif word == "--seconds":
            seconds = _number(words.pop(0)) if words else math.nan
        else:
            files.append(word)
    if not files or not seconds > 0:
        print("usage: recheck [--json] [--seconds N] CERTIFICATE.json ...", file=sys.stderr)
        return 2
    code = 0
    answers = []
    for name in files:
        for answer in apart(name, seconds):
            if "unreadable" in answer:
                print(f"{shown(name)}: {plain(answer['unreadable'])}", file=sys.stderr)
                return 2
            answers.append(answer)
            if not answer["accepted"] or answer.get("beside", {}).get("differs"):
                code = 1
            if not as_json:
                print("\n".join(lines(answer)), flush=True)
    if as_json:
        print(json.dumps(answers, indent=1))
    return code


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
