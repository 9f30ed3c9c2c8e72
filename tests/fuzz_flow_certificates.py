"""Random edits of certificates of flows: each is refused, or what is still accepted is true.

    python -m tests.fuzz_flow_certificates [EDITS] [--seed N]

An edit changes a number a little or a lot, turns a bit of a polynomial, exchanges a value for another of the file, drops, doubles
or swaps members of a list, or drops or renames a key. What an accepted edit proves is compared with the truth about the problem
that it states then, from another run of the engine with more digits. Counted are: refused; the same problem with a true claim;
another problem with a true claim; and accepted ones about which nothing is known (a run that stopped somewhere). A false one ends
the run with 1.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import copy
import functools
import json
import random
import re
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

from flint import arb

from tests.fuzz_certificates import places, words
from verify.flow import recheck, validated
from verify.flow.certificate import complete, model_of
from verify.flow.pair import pair_limit
from verify.flow.recheck_numbers import numbers
from verify.flow.recheck_proved import Pair, Verified
from verify.flow.reductions import Network, applies
from verify.flow.reductions import limit as reduced_limit
from verify.flow.validated import Problem, certified_limit, enclose

DIGITS, FINE = 6, 14
BITS = 200
HEX = re.compile(r"-?[0-9a-f]+")
RATIONAL = re.compile(r"-?[0-9]+(/[0-9]+)?")
NEAR, EYE = [[1, "1/10"], [None, 1]], [[1, 0], [0, 1]]

Certificate = dict[str, Any]


# -- what is edited


def _network(target: Any, factors: Any) -> Network:
    cells = tuple(tuple(None if v is None else Fraction(v) for v in row) for row in target)
    return Network(cells, tuple(tuple(tuple(Fraction(v) for v in row) for row in f) for f in factors))


def corpus() -> dict[str, Certificate]:
    """One certificate of every kind."""
    problem = Problem.make(_network(NEAR, [EYE, EYE]).model, [EYE, EYE])
    out = {"exponential": complete(certified_limit(problem, DIGITS).certificate)}
    decay, validated._Run._decay = validated._Run._decay, lambda self: False
    try:
        out["limit"] = complete(certified_limit(problem, DIGITS).certificate)
    finally:
        validated._Run._decay = decay
    out["time"] = complete(enclose(problem, Fraction(5, 3), DIGITS).certificate)
    deep = _network([[1, None], ["1/2", 1]], [[["1/3", "1/10"], ["1/5", "2/5"]]] * 3)
    out["depth 3"] = complete(enclose(Problem.make(deep.model, deep.factors), Fraction(1, 2), DIGITS).certificate)
    closed = {
        "chain": _network([[4]], [[[1]], [[2]], [[1]]]),
        "row times column": _network([[3]], [[[1], [2]], [[1, -1]]]),
        "symmetric": _network([[2, 1], [1, 3]], [[["1/2", 0], [0, "1/2"]]] * 2),
        "blocks": _network([[4, 0], [None, 9]], [EYE, EYE]),
        "entries": _network([[1, None], [None, 2]], [[["1/2", 1], ["1/3", "1/5"]], [["1/2", 1], ["1/7", "1/5"]]]),
        "truncated": _network([[3, 1], [1, 2]], [[["1/3", "1/10"]], [[1], ["1/2"]]]),
    }
    out |= {name: reduced_limit(network, DIGITS, 100).certificate for name, network in closed.items()}
    out["stationary"] = certified_limit(
        Problem.make(_network(NEAR, [EYE, EYE]).model, [[[0, 0], [0, 0]]] * 2), DIGITS
    ).certificate
    out["pair"] = pair_limit(3, 3, "1/2", "1/3", "1/7", DIGITS).certificate
    return {name: json.loads(json.dumps(c)) for name, c in out.items()}


# -- edits


def edit(certificate: Certificate, rng: random.Random) -> Certificate:
    """A copy with one random edit."""
    new = copy.deepcopy(certificate)
    spots = places(new)
    path = rng.choice(spots)
    parent: Any = new
    for key in path[:-1]:
        parent = parent[key]
    old = parent[path[-1]]
    if isinstance(old, bool):
        parent[path[-1]] = rng.choice((not old, int(old), None))
    elif isinstance(old, int):
        parent[path[-1]] = rng.choice((old + 1, old - 1, -old, 0, 1, 2 * old + 3, float(old), True))
    elif isinstance(old, str) and path[-1] == "data" and rng.random() < 0.9:
        parent[path[-1]] = _turned(old, rng)
    elif isinstance(old, str) and rng.random() < 0.8 and HEX.fullmatch(old) and isinstance(parent, list):
        parent[path[-1]] = _moved_hex(old, rng)
    elif isinstance(old, str) and rng.random() < 0.8 and RATIONAL.fullmatch(old):
        value = Fraction(old)
        parent[path[-1]] = str(
            rng.choice((value + Fraction(1, 10**6), value - Fraction(1, 50), -value, 2 * value, value + 1, Fraction(0)))
        )
    elif isinstance(old, str):
        parent[path[-1]] = rng.choice(words(new))
    elif isinstance(old, list) and old and rng.random() < 0.7:
        i, j, kind = rng.randrange(len(old)), rng.randrange(len(old)), rng.randrange(3)
        if kind == 0:
            del old[i]
        elif kind == 1:
            old.insert(j, copy.deepcopy(old[i]))
        else:
            old[i], old[j] = old[j], old[i]
    elif isinstance(parent, dict) and rng.random() < 0.3:
        parent[rng.choice(words(new)) or "x"] = parent.pop(path[-1])
    else:
        donor: Any = new
        for key in rng.choice(spots):
            donor = donor[key]
        parent[path[-1]] = copy.deepcopy(donor)
    return new


def _turned(text: str, rng: random.Random) -> str:
    """Bytes in base 64 with one bit turned."""
    try:
        raw = bytearray(base64.b64decode(text, validate=True))
    except (ValueError, binascii.Error):
        return text + "="
    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    return base64.b64encode(raw).decode()


def _moved_hex(text: str, rng: random.Random) -> str:
    value = int(text, 16)
    step = value >> rng.choice((2, 8, 20, 40))
    return format(rng.choice((value + 1, value - 1, -value, value * 2, value + step, value - step, value >> 4)), "x")


# -- the truth


@functools.cache
def _truth(problem: str) -> tuple[tuple[arb, ...], ...] | None:
    """Enclosures of the product, from another run; None where none could be had."""
    kind, time, certificate = json.loads(problem)
    try:
        if kind == "scalar-pair":
            d, depth, target, start = certificate
            made = pair_limit(d, depth, target, *start, FINE)
            rows = [[made.diagonal if i == j else made.off_diagonal for j in range(d)] for i in range(d)]
        else:
            model = model_of({"model": certificate["model"]})
            assert model is not None
            network = _network(certificate["model"]["target"], certificate["start"])
            plain = certificate["model"]["factor"] == "1"
            if time is not None:
                rows = enclose(Problem.make(model, certificate["start"]), Fraction(time), FINE, 100).product.tolist()
            elif plain and applies(network):
                rows = reduced_limit(network, FINE, 100).product.tolist()
            else:
                result = certified_limit(Problem.make(model, certificate["start"]), FINE, 100)
                if not result.certified:
                    return None
                rows = result.product.tolist()
    except Exception:  # the engine was not made for every problem that can be stated
        return None
    return tuple(tuple(row) for row in rows)


def problem_of(certificate: Certificate, proved: Verified) -> str | None:
    """What a proved certificate is about, as text; None for a run that stopped somewhere."""
    if proved.kind == "undetermined":
        return None
    if isinstance(proved, Pair):
        about: Any = [proved.d, proved.depth, str(proved.target), [str(v) for v in proved.begin]]
        return json.dumps(["scalar-pair", None, about])
    model = certificate["model"]
    cells = [[None if v is None else str(Fraction(v)) for v in row] for row in model["target"]]
    start = [[[str(Fraction(v)) for v in row] for row in block] for block in certificate["start"]]
    about = {"model": {**model, "target": cells, "factor": str(Fraction(model["factor"]))}, "start": start}
    return json.dumps(["flow", proved.time if proved.kind == "time" else None, about], sort_keys=True)


def attempt(original: str | None, certificate: Certificate) -> str:
    """refused, same, another, unknown, or what is false."""
    try:
        proved = recheck.check(certificate, 60)
    except recheck.Refused:
        return "refused"
    about = problem_of(certificate, proved)
    if about is None:
        return "unknown"
    true = _truth(about)
    if true is None:
        return "unknown"
    found = numbers(proved, BITS)
    if len(found.product) != len(true) or any(len(a) != len(b) for a, b in zip(found.product, true, strict=True)):
        return f"another shape: {about[:300]}"
    for row, line in zip(found.product, true, strict=True):
        if not all(x.overlaps(y) for x, y in zip(row, line, strict=True)):
            return f"false: {about[:300]}"
    return "same" if about == original else "another"


def fuzz(edits: int, seed: int, certificates: dict[str, Certificate], most: int = 10**9) -> tuple[Counter[str], list[str]]:
    """Make so many edits, or until so many false ones were accepted; counts by answer, and the false ones."""
    rng = random.Random(seed)
    originals = {}
    for name, certificate in certificates.items():
        originals[name] = problem_of(certificate, recheck.check(certificate))
        assert attempt(originals[name], certificate) in ("same", "unknown"), name
    counts: Counter[str] = Counter()
    failures = []
    while counts.total() < edits and len(failures) < most:
        name = rng.choice(list(certificates))
        changed = edit(certificates[name], rng)
        if changed == certificates[name]:
            continue
        answer = attempt(originals[name], changed)
        if answer in ("refused", "same", "another", "unknown"):
            counts[answer] += 1
        else:
            counts["false"] += 1
            failures.append(f"{name}: {answer}")
    return counts, failures


def main() -> int:
    """Read the command line, and fuzz."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_flow_certificates")
    parser.add_argument("edits", type=int, nargs="?", default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts, failures = fuzz(options.edits, options.seed, corpus())
    accepted = counts["same"] + counts["another"] + counts["unknown"]
    print(
        f"{counts.total()} edits: {counts['refused']} refused, {accepted} accepted ({counts['same']} of the same problem, true; ",
        end="",
    )
    print(f"{counts['another']} of another problem, true; {counts['unknown']} not compared), {len(failures)} false")
    print("\n".join(failures[:20]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
