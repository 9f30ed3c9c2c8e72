"""The deep scalar pair: 50 digits of its limit from alpha = 1e-35.

python benchmarks/flow_pair.py
"""

from __future__ import annotations

import statistics
import time
from fractions import Fraction

from verify.flow.pair import check, pair_limit


def main() -> None:
    alpha = Fraction(1, 10**35)
    for depth in (2, 3, 4, 10):
        spent, checked = [], []
        for _ in range(15):
            begin = time.process_time()
            limit = pair_limit(3, depth, 1, alpha * 2, alpha / 2, 50)
            middle = time.process_time()
            check(limit.certificate)
            spent.append(middle - begin)
            checked.append(time.process_time() - middle)
        mine, check_time = statistics.median(spent) * 1e3, statistics.median(checked) * 1e3
        print(f"depth {depth:2d}: {mine:.2f} ms, check {check_time:.2f} ms")


if __name__ == "__main__":
    main()
