"""How long the checker of flows takes over a certificate, beside the run that made it, and the leaf of the kernel's logic.

    python benchmarks/flow_recheck.py

Processor times in one process. The run has FLINT's routines below python-flint's interface where they are available; the
checker has the public interface only.
"""

from __future__ import annotations

import json
import time

from verify.flow import recheck
from verify.flow.models import deep_factorization
from verify.flow.validated import Problem, certified_limit

F1 = Problem.make(deep_factorization([[1, "0.1"], [None, 1]], 2), [[[1, 0], [0, 1]]] * 2)
F2 = Problem.make(deep_factorization([[1, "0.5"], [None, 1]], 2), [[["1e-35", "0.5e-35"], ["0.5e-35", "1e-35"]]] * 2)
DIAGONAL = [[1 if i == j else None for j in range(3)] for i in range(3)]
F4 = Problem.make(deep_factorization(DIAGONAL, 3), [[["1e-2" if i == j else "0.5e-2" for j in range(3)] for i in range(3)]] * 3)
WORK = {"F1, 30 digits": (F1, 30), "F1, 100 digits": (F1, 100), "F2, 30 digits": (F2, 30), "d = 3, L = 3, 20 digits": (F4, 20)}


def main() -> None:
    certified_limit(F1, 5)
    for name, (problem, digits) in WORK.items():
        start = time.process_time()
        result = certified_limit(problem, digits)
        run = time.process_time() - start
        certificate = json.loads(json.dumps(result.certificate))
        start = time.process_time()
        recheck.check(certificate)
        check = time.process_time() - start
        steps = len(certificate["steps"])
        print(f"{name}: run {run:.2f} s, checker {check:.2f} s ({check / run:.1f} times), {steps} steps")


if __name__ == "__main__":
    main()
