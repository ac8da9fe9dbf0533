"""What `import tidings` adds to `import numpy`: at most 60 ms is the bar."""

from __future__ import annotations

import subprocess
import sys

from benchmarks import machine

ROUNDS = 11
_CODE = "from time import perf_counter as t; import numpy; a = t(); import tidings; print(t() - a)"


def main() -> None:
    times = sorted(float(subprocess.check_output([sys.executable, "-c", _CODE])) * 1000 for _ in range(ROUNDS))
    print(machine.describe("tidings", "numpy"))
    print(f"import tidings after numpy: best {times[0]:.1f} ms, median {times[ROUNDS // 2]:.1f} ms (bar: 60)")


if __name__ == "__main__":
    main()
