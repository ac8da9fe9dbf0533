"""What each extractor costs in times of building the Page: at most 20 on any page is the bar.

Each page is built anew for each measurement, so that the columns a method asks for first are its own time; the best
of three counts. Run: python -m benchmarks.extractor_cost [every n-th page of wcxb-dev, 8 by default]
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from benchmarks import machine, pages
from tidings import Page, extractor
from tidings.extractors import entries

ROUNDS = 3


def cost(name: str, data: bytes) -> float:
    """Time of the extractor over time of the Page, each the best of three."""
    method = extractor(name)
    built, taken = [], []
    for _ in range(ROUNDS):
        begin = perf_counter()
        page = Page(data)
        middle = perf_counter()
        method(page)
        built.append(middle - begin)
        taken.append(perf_counter() - middle)
    return min(taken) / min(built)


def main() -> None:
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    real = pages.load("wcxb-dev", every=every)
    data = sorted(real or pages.newspaper(), key=len)
    print(machine.describe("tidings", "numpy"))
    print(f"{len(data)} pages, {len(data[0]):,} to {len(data[-1]):,} bytes; times of building the Page")
    for entry in entries():
        extractor(entry.name)(Page(data[0]))  # what is read once (stop words, tables) is not the page's time
        ratios = np.array([cost(entry.name, one) for one in data])
        over = "" if ratios.max() <= 20 else f"   over 20 on {(ratios > 20).sum()} pages"
        print(f"  {entry.name:24} median {np.median(ratios):6.2f}   worst {ratios.max():6.1f}{over}", flush=True)


if __name__ == "__main__":
    main()
