"""Random small problems for `verify flow` by the thousand: no traceback, no hang, and every certified answer checked again.

    python benchmarks/flow_fuzz.py 100000 --seed 0 --state fuzz.jsonl
    python benchmarks/flow_fuzz.py 1 --seed 4711 --show

Problems have the numbers `seed`, `seed + 1`, ... The file of `--state` gets a line for each; the same command goes on where it
stopped. They run in a child process, so that an abort or a hang of a library is a finding like any other. Ends with 1 if there is
one.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import multiprocessing
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

CHUNK = 200
"""Problems for one child."""
SILENT = 90.0
"""Seconds after which a problem hangs."""


def run(seeds: list[int], state: str, steps: int, seconds: float) -> None:
    """In the child: all problems, one line each; the line `begun` says which one is at work."""
    from tests.support.random_flows import answered, draw

    with open(state, "a", encoding="utf-8") as out:
        for seed in seeds:
            faulthandler.dump_traceback_later(SILENT, exit=True)
            clock, line = time.monotonic(), {"seed": seed, "status": "refused"}
            out.write(json.dumps({"begun": seed}) + "\n")
            out.flush()
            try:
                page = answered(draw(seed), steps, seconds)
                if page is not None:
                    line["status"] = page.answer.status
            except Exception:
                line |= {"status": "failed", "traceback": traceback.format_exc()}
            line["seconds"] = round(time.monotonic() - clock, 3)
            out.write(json.dumps(line) + "\n")
            out.flush()
    faulthandler.cancel_dump_traceback_later()


def read(state: Path) -> tuple[dict[int, dict[str, object]], int | None]:
    """What is done, and the problem that was begun last and not ended."""
    done: dict[int, dict[str, object]] = {}
    begun = None
    for text in state.read_text(encoding="utf-8").splitlines() if state.exists() else ():
        try:
            line = json.loads(text)
        except ValueError:  # cut off by an interruption
            continue
        if "begun" in line:
            begun = line["begun"]
        else:
            done[line["seed"]], begun = line, None
    return done, begun


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--state", type=Path, default=Path("fuzz.jsonl"))
    parser.add_argument("--max-steps", type=int, default=40)
    parser.add_argument("--time-limit", type=float, default=2.0)
    parser.add_argument("--show", action="store_true", help="print the page of each problem, in this process; no state")
    given = parser.parse_args()
    wanted = range(given.seed, given.seed + given.count)
    if given.show:
        from tests.support.random_flows import answered, draw

        for seed in wanted:
            print(draw(seed))
            page = answered(draw(seed), given.max_steps, given.time_limit)
            print("refused" if page is None else page.text())
        return 0
    while True:
        done, _ = read(given.state)
        missing = [seed for seed in wanted if seed not in done][:CHUNK]
        if not missing:
            break
        child = multiprocessing.get_context("spawn").Process(
            target=run, args=(missing, str(given.state), given.max_steps, given.time_limit)
        )
        child.start()
        child.join()
        done, begun = read(given.state)
        if child.exitcode and begun is not None:
            with given.state.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"seed": begun, "status": "died", "exit code": child.exitcode}) + "\n")
        elif child.exitcode:
            print(f"the child ended with {child.exitcode} before its first problem", file=sys.stderr)
            return 1
        _tell(read(given.state)[0], wanted)
    return _tell(read(given.state)[0], wanted)


def _tell(done: dict[int, dict[str, object]], wanted: range) -> int:
    """Print how far it is; 1 if there is a finding."""
    mine = [line for seed, line in done.items() if seed in wanted]
    counts = Counter(str(line["status"]) for line in mine)
    spent = sum(float(str(line.get("seconds", 0))) for line in mine)
    rate = f"{len(mine) / spent:.1f} a second" if spent else ""
    print(f"{len(mine)} of {len(wanted)} problems, {rate}:", ", ".join(f"{n} {s}" for s, n in counts.most_common()), flush=True)
    kinds: dict[str, list[int]] = {}
    for line in mine:
        if line["status"] in ("failed", "died"):
            last = str(line.get("traceback", f"exit code {line.get('exit code')}")).strip().splitlines()
            where = next((t.strip() for t in reversed(last) if t.lstrip().startswith("File")), "")
            kinds.setdefault(f"{last[-1][:150]} ({where[-70:]})", []).append(int(str(line["seed"])))
    for kind, seeds in sorted(kinds.items(), key=lambda pair: -len(pair[1])):
        print(f"  {len(seeds)} x {kind}, as for --seed {seeds[0]}", flush=True)
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
