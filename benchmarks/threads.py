"""Two threads beside one in one process: the interpreter lock is free while the core works.

Run: python -m benchmarks.threads [every n-th page of wcxb-dev, 8 by default]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from benchmarks import machine, pages
from tidings import Page, extract

ROUNDS = 3


def seconds(work: Callable[[bytes], object], data: list[bytes], threads: int) -> float:
    """How long a pool of threads takes for all pages, the best of several."""
    times = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(ROUNDS):
            begin = perf_counter()
            for _ in pool.map(work, data):
                pass
            times.append(perf_counter() - begin)
    return min(times)


def main() -> None:
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    print(machine.describe("tidings", "numpy"))
    data = pages.load("wcxb-dev", every=every) or pages.newspaper()
    for name, work in (("Page", Page), ("extract", extract)):
        work(data[0])
        one, two = seconds(work, data, 1), seconds(work, data, 2)
        print(f"{name:8} {len(data)} pages: one thread {one:.2f} s, two {two:.2f} s: x {one / two:.2f} (bar: 1.7)")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
