"""Memory: whether it stays flat from page to page, and how much one page can take.

Flat: the resident size of one process while it reads 20,000 pages, the same ones in turn. All of ../shared/data is
read, over and over, so that what is kept from page to page would show.
One page: the peak of the resident size over what it is after import and one small page, for pages that are nothing but
one small thing again and again, each in a process of its own. The goal is 60 MB and 40 times the page.

Small: as flat, with small pages of our own that are all different.

Run: python -m benchmarks.memory [reads, 20000]
     python -m benchmarks.memory small [reads, 100000]
     python -m benchmarks.memory peaks [sizes in MB, 1 5 16]
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, islice
from pathlib import Path

import tidings
from benchmarks import machine, pages
from tidings import core
from tidings.errors import PageError

CORPORA = ("wcxb-dev", "fundus-dev", "rtl", "news-multilingual", "trafilatura-eval", "sites", "frontpages")
#: Where the size is told, as parts of all reads; the first is when caches and allocator have settled.
TOLD = (0.1, 0.25, 0.5, 0.75, 1.0)
#: What a page is made of, by name.
SHAPES = {
    "paragraphs": "<p>ab</p>",
    "links": "<a href=x>a</a>",
    "list items": "<li>a",
    "cells": "<td>a",
    "line breaks": "<br>a",
    "empty lines": "<br><br>a",
    "bold letters": "<b>a</b>",
    "nested boxes": "<div>a",
    "headings": "<h2>a b</h2>",
    "pictures": "<img src=a>",
    "references": "<p>a&amp;b",
    "words": "ab ",
    "ideographs": "\u6e2f",
    "brackets": "<",
    "prose": "<p>The ferry came back to the old harbour on Monday, and the whole town stood on the pier.</p>\n",
}
GOAL, GOAL_PER_BYTE = 60e6, 40


def megabytes() -> float:
    """The resident size of this process."""
    resident = int(Path("/proc/self/statm").read_text().split()[1])
    return resident * os.sysconf("SC_PAGE_SIZE") / 1e6


def peak(shape: str, size: float) -> None:
    """Read one page of some megabytes and print how far the resident size rose; in a process of its own."""
    usual = "<p>Seals are back in the estuary, said the warden on Monday, 3 May 2024, and many more will come.</p>"
    tidings.extract(f"<title>Seals are back</title><h1>Seals are back</h1>{usual * 8}")
    unit = SHAPES[shape].encode()
    around = b"<table><tr>" if shape == "cells" else b""
    page = b"<html><head><title>Seals</title></head><body>" + around + unit * (int(size * 1e6) // len(unit))
    before = megabytes()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted anew
    heights = []
    article = tidings.extract(page)
    for made in (lambda: article.text, lambda: article.blocks):
        heights.append(_highest() - before)
        made()
    heights.append(_highest() - before)
    goal = (GOAL + GOAL_PER_BYTE * len(page)) / 1e6
    verdict = "within" if heights[0] <= goal else "OVER"
    marks = ", ".join(article.marks)
    print(
        f"{shape:13} {size:4g} MB: read {heights[0]:5.0f} MB, with text {heights[1]:5.0f}, with blocks"
        f" {heights[2]:5.0f}; goal {goal:4.0f}, {verdict} {marks}",
        flush=True,
    )


def _highest() -> float:
    told = Path("/proc/self/status").read_text().partition("VmHWM:")[2]
    return int(told.split()[0]) * 1024 / 1e6


def peaks(sizes: list[str]) -> None:
    """The peaks of all shapes."""
    print(machine.describe("tidings", "numpy"))
    for shape in SHAPES:
        for size in sizes:
            subprocess.run([sys.executable, "-m", "benchmarks.memory", "peak", shape, size], check=False)


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


def small_pages() -> Iterator[bytes]:
    """Small pages, no two of them the same; of eight, one has a tag whose name is not ASCII, and one is no story."""
    for number in count():
        box = (f"x-{number % 997}", "x-\u00e9", "div", "pre")[min(number % 8, 3)]
        story = f"Seal number {number} came back to the estuary on Monday, said the warden of pier {number % 91}. "
        told = story * (number % 5) if number % 8 != 4 else ""
        yield (
            f"<title>Seals {number}</title><h1 class='c{number % 1009} head'>Seals {number}</h1>"
            f"<{box} id=i{number}><p>{told}<p>{told[::-1]}<a href=/{number}>&#{number % 60000 + 33};</a></{box}>"
        ).encode()


def flat(reads: int, read: Iterator[bytes]) -> float:
    """How much the size grows while pages are read, in megabytes."""
    print(machine.describe("tidings", "numpy"))
    print(core.state().reason)
    told = {int(reads * part) for part in TOLD}
    sizes: list[float] = []
    for number, page in enumerate(islice(read, reads), 1):
        with suppress(PageError):
            tidings.extract(page)
        if number in told:
            sizes.append(megabytes())
            print(f"{number:7,} pages: {sizes[-1]:6.1f} MB", flush=True)
    grown = sizes[-1] - sizes[0]
    print(f"growth after the first {int(reads * TOLD[0]):,}: {grown:+.1f} MB")
    return grown


def main() -> None:
    match sys.argv[1:]:
        case ["peak", shape, size]:
            peak(shape, float(size))
        case ["peaks", *sizes]:
            peaks(sizes or ["1", "5", "16"])
        case ["small", *reads]:
            flat(int(reads[0]) if reads else 100_000, small_pages())
        case [reads]:
            flat(int(reads), read_again_and_again())
        case _:
            flat(20_000, read_again_and_again())


if __name__ == "__main__":
    main()
