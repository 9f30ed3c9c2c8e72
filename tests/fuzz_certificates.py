"""Random edits of the stored certificates, their digests made anew: each is refused or still proves the pinned statement.

    python -m tests.fuzz_certificates [EDITS] [--seed N] [--reports DIR] [--largest BYTES]

An edit changes a number, exchanges a word for another of the file, drops, doubles or swaps members of a list, or drops or
renames a key. What an accepted edit proves is compared with the pinned statement; a difference ends the run with 1, and so do
edits of which fewer than REFUSED are refused, or fewer than SAME still prove the same: they would show nothing.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from verify.recheck.store import FACTS, STATEMENTS, Store, digests, load
from verify.recheck.terms import Refused, show_json
from verify.run.files import digest

REFUSED, SAME = 0.5, 0.01


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All positions in a JSON value below its root."""
    out = []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        out.append((*path, key))
        out += places(child, (*path, key))
    return out


def words(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [w for c in children for w in words(c)]


def edit(certificate: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A copy with one random edit below `parts` and a fitting digest."""
    new = copy.deepcopy(certificate)
    spots = [p for p in places(new["parts"], ("parts",)) if len(p) > 2]
    path = rng.choice(spots)
    parent: Any = new
    for key in path[:-1]:
        parent = parent[key]
    old = parent[path[-1]]
    if isinstance(old, int):
        parent[path[-1]] = rng.choice((old + 1, old - 1, -old, 0, 1, 2 * old + 3))
    elif isinstance(old, str):
        parent[path[-1]] = rng.choice(words(new["parts"]))
    elif isinstance(old, list) and old and rng.random() < 0.7:
        i = rng.randrange(len(old))
        j = rng.randrange(len(old))
        kind = rng.randrange(3)
        if kind == 0:
            del old[i]
        elif kind == 1:
            old.insert(j, copy.deepcopy(old[i]))
        else:
            old[i], old[j] = old[j], old[i]
    elif isinstance(parent, dict) and rng.random() < 0.3:
        parent[rng.choice(words(new["parts"])) or "x"] = parent.pop(path[-1])
    else:
        donor: Any = new
        for key in rng.choice(spots):
            donor = donor[key]
        parent[path[-1]] = copy.deepcopy(donor)
    body = {k: v for k, v in new.items() if k != "sha256"}
    return {**body, "sha256": digest(body)}


def attempt(store: Store, path: Path, certificate: dict[str, Any], pins: dict[str, Any]) -> str:
    """refused, same (the proof still stands for the pinned statement), or what went wrong."""
    claim = certificate["claim"]
    trial = copy.copy(store)
    trial.parts = {k: v for k, v in store.parts.items() if k[0] != claim}
    trial.results = {k: v for k, v in store.results.items() if k[0] != claim}
    trial.broken = []
    trial._statements = dict(store._statements)
    try:
        found = trial._content(certificate, path)
    except (Refused, RecursionError):
        return "refused"
    for role, part in found.items():
        trial.parts[claim, role] = part
    accepted = 0
    for role, part in found.items():
        result = trial.part((claim, role))
        if not result.accepted:
            continue
        accepted += 1
        wanted = pins.get(claim, {}).get("statement" if role == "negation" and "negation" not in pins.get(claim, {}) else role)
        if wanted not in digests(part["statement"]):
            return f"accepted another statement: {claim} {role}: {show_json(part['statement'])[:200]}"
    return "same" if accepted == len(found) else "refused"


def fuzz(reports: Path, edits: int, seed: int, largest: int) -> tuple[Counter[str], list[str]]:
    """Make the edits on certificates of at most so many bytes; counts and failures."""
    rng = random.Random(seed)
    store = Store(reports.parent, FACTS)
    store.check()
    pins = load(reports.parent / STATEMENTS)
    files = [f for f in sorted((reports / "certificates").glob("*/*.json")) if f.stat().st_size <= largest]
    originals = {f: json.loads(f.read_text(encoding="utf-8")) for f in files}
    counts: Counter[str] = Counter()
    failures: list[str] = []
    while counts.total() < edits:
        path = rng.choice(files)
        changed = edit(originals[path], rng)
        if changed == originals[path]:
            continue
        answer = attempt(store, path, changed, pins)
        if answer in ("refused", "same"):
            counts[answer] += 1
        else:
            counts["failed"] += 1
            failures.append(answer)
    return counts, failures


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_certificates")
    parser.add_argument("edits", type=int, nargs="?", default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reports", type=Path, default=Path("reports"))
    parser.add_argument("--largest", type=int, default=10**9)
    options = parser.parse_args()
    counts, failures = fuzz(options.reports, options.edits, options.seed, options.largest)
    print(
        f"{counts.total()} edits: {counts['refused']} refused, {counts['same']} still prove the same statement, {len(failures)} failed"
    )
    print("\n".join(failures[:20]))
    few = counts["refused"] < REFUSED * counts.total() or counts["same"] < SAME * counts.total()
    if few:
        print(f"at least {REFUSED:.0%} were to be refused, and {SAME:.0%} to prove the same")
    raise SystemExit(1 if failures or few else 0)


if __name__ == "__main__":
    sys.setrecursionlimit(60_000)
    threading.stack_size(512 * 1024 * 1024)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
