"""Whether memory stays flat: the resident size of one process while it reads 20,000 pages, the same ones in turn.

All of ../shared/data is read, over and over, so that what is kept from page to page would show.
Run: python -m benchmarks.memory [reads, 20000]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, islice
from pathlib import Path

import tidings
from benchmarks import machine, pages
from tidings.errors import PageError

CORPORA = ("wcxb-dev", "fundus-dev", "rtl", "news-multilingual", "trafilatura-eval", "sites", "frontpages")
#: Where the size is told, as parts of all reads; the first is when caches and allocator have settled.
TOLD = (0.1, 0.25, 0.5, 0.75, 1.0)


def megabytes() -> float:
    """The resident size of this process."""
    resident = int(Path("/proc/self/statm").read_text().split()[1])
    return resident * os.sysconf("SC_PAGE_SIZE") / 1e6


def read_again_and_again() -> Iterator[bytes]:
    """The pages of all corpora, one in memory at a time, from the beginning when all have been read."""
    newspaper = pages.newspaper()
    for _ in count():
        found = False
        for corpus in CORPORA:
            for page in pages.each(corpus):
                found = True
                yield page
        if not found:
            yield from newspaper


def main() -> None:
    reads = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    print(machine.describe("tidings", "numpy"))
    told = {int(reads * part) for part in TOLD}
    sizes: list[float] = []
    for number, page in enumerate(islice(read_again_and_again(), reads), 1):
        with suppress(PageError):
            tidings.extract(page)
        if number in told:
            sizes.append(megabytes())
            print(f"{number:7,} pages: {sizes[-1]:6.1f} MB", flush=True)
    print(f"growth after the first {int(reads * TOLD[0]):,}: {sizes[-1] - sizes[0]:+.1f} MB")


if __name__ == "__main__":
    main()
