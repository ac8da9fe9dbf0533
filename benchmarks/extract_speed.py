"""An article, all of its fields and blocks, against trafilatura, page by page in turn.

Trafilatura twice: as it is by default, the text alone, and with its metadata, which is what an article's text and
fields are; for blocks and pictures it has nothing. The bars are 10, 7 and 8 times the pages a second of the first on
wcxb-dev, fundus-dev and sites, and 15, 9 and 12 times those of the second.
Processor time of one thread, the best of three a page.
Run: python -m benchmarks.extract_speed [every n-th page, 8] [corpora, wcxb-dev fundus-dev sites]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from time import thread_time

import trafilatura

import tidings
from benchmarks import machine, pages

ROUNDS = 3
CORPORA = ("wcxb-dev", "fundus-dev", "sites")
OURS = "tidings.extract"
SYSTEMS: dict[str, Callable[[bytes], object]] = {
    "Page": tidings.Page,
    OURS: tidings.extract,
    "tidings.extract_text": tidings.extract_text,
    "trafilatura.extract": trafilatura.extract,
    "trafilatura with metadata": lambda data: trafilatura.bare_extraction(data, with_metadata=True),
}


def seconds(work: Callable[[bytes], object], data: bytes) -> float:
    begin = thread_time()
    work(data)
    return thread_time() - begin


def measure(name: str, data: list[bytes]) -> None:
    total = dict.fromkeys(SYSTEMS, 0.0)
    for page in data:
        best = dict.fromkeys(SYSTEMS, float("inf"))
        for _ in range(ROUNDS):
            for system, work in SYSTEMS.items():
                best[system] = min(best[system], seconds(work, page))
        for system, taken in best.items():
            total[system] += taken
    size = sum(map(len, data)) / len(data) / 1000
    print(f"{name}: {len(data)} pages of {size:.0f} KB, load {os.getloadavg()[0]:.1f}")
    for system, taken in total.items():
        print(f"  {system:27} {taken / len(data) * 1000:7.2f} ms a page  {taken / total[OURS]:6.2f} times {OURS}")


def main() -> None:
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    loaded = {name: pages.load(name, every=every) for name in sys.argv[2:] or CORPORA}
    loaded = {name: data for name, data in loaded.items() if data} or {"the newspaper": pages.newspaper()[::every]}
    print(machine.describe("tidings", "numpy", "trafilatura"))
    for work in SYSTEMS.values():
        for page in next(iter(loaded.values()))[:5]:
            work(page)
    for name, data in loaded.items():
        measure(name, data)


if __name__ == "__main__":
    main()
