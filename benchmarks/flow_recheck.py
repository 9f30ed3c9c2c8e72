"""How long the checker of flows takes over a certificate, beside the run that made it and the polynomials that were added.

    python benchmarks/flow_recheck.py

Processor times in one process, the median of five. The run has compiled code and FLINT's routines below python-flint's interface
where they are available; the checker has the public interface only, and is timed once with its tables of cosines made before.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from verify.flow import recheck
from verify.flow.certificate import complete
from verify.flow.models import deep_factorization
from verify.flow.validated import Problem, certified_limit

F1 = Problem.make(deep_factorization([[1, "0.1"], [None, 1]], 2), [[[1, 0], [0, 1]]] * 2)
F2 = Problem.make(deep_factorization([[1, "0.5"], [None, 1]], 2), [[["1e-35", "0.5e-35"], ["0.5e-35", "1e-35"]]] * 2)
DIAGONAL = [[1 if i == j else None for j in range(3)] for i in range(3)]
F4 = Problem.make(deep_factorization(DIAGONAL, 3), [[["1e-2" if i == j else "0.5e-2" for j in range(3)] for i in range(3)]] * 3)
WORK = {"F1, 30 digits": (F1, 30), "F1, 100 digits": (F1, 100), "F2, 30 digits": (F2, 30), "F4, 20 digits": (F4, 20)}


def main() -> None:
    certified_limit(F1, 5)
    for name, (problem, digits) in WORK.items():
        run, result = timed(lambda p=problem, n=digits: certified_limit(p, n))
        adding, certificate = timed(lambda r=result: complete(r.certificate))
        text = json.dumps(certificate)
        check, _ = timed(lambda t=text: recheck.check(json.loads(t)))
        print(
            f"{name}: run {run:.3f} s, polynomials {adding:.3f} s, checker {check:.3f} s ({check / run:.1f} times the run), "
            f"{len(certificate['steps'])} steps, {len(text) // 1000} kB"
        )


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The median processor time of five calls, and the last value."""
    times = []
    for _ in range(5):
        start = time.process_time()
        value = work()
        times.append(time.process_time() - start)
    return sorted(times)[2], value


if __name__ == "__main__":
    main()
