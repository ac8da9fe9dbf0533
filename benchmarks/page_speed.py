"""How long a Page takes beside lxml.html parsing the same bytes, and the DANA family given the Page.

Each page is timed several times in turn with its rivals, as processor time, and the best counts, so that a busy machine
disturbs all alike. Run: python -m benchmarks.page_speed [every n-th page of wcxb-dev, 1 by default]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from time import thread_time

import lxml.html

from benchmarks import machine, pages
from tidings import Page, extractor

ROUNDS = 4
FAMILY = ("r2l", "dana", "danag", "addanag")
THESIS = {"dana": 19.4, "danag": 11.4}  # MB/s, DANA thesis tables 4.7 and 4.10


def best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        begin = thread_time()
        work()
        times.append(thread_time() - begin)
    return min(times)


def everything_asked_for(data: bytes) -> None:
    """A Page and all its columns."""
    page = Page(data)
    assert page.runs.words is not None
    assert page.runs.hidden is not None
    assert page.runs.in_link is not None
    assert len(page.blocks) + len(page.elements) > 0


def parse(data: list[bytes], title: str) -> None:
    rival = page = full = 0.0
    worst = (0.0, 0)
    for one in data:
        lxml_time = best(partial(lxml.html.document_fromstring, one))
        page_time = best(partial(Page, one))
        full += best(partial(everything_asked_for, one))
        rival += lxml_time
        page += page_time
        worst = max(worst, (page_time / lxml_time, len(one)))
    size = sum(map(len, data)) / 1e6
    print(f"{title}: {len(data)} pages, {size:.0f} MB")
    print(f"  lxml.html         1.00  {size / rival:7.1f} MB/s")
    print(f"  Page              {page / rival:.2f}  {size / page:7.1f} MB/s   (bar: 0.4)")
    print(f"  Page, all columns {full / rival:.2f}  {size / full:7.1f} MB/s")
    print(f"  worst single page {worst[0]:.2f} ({worst[1]:,} bytes)")


def family(data: list[bytes], title: str) -> None:
    size = sum(map(len, data)) / 1e6
    rival = 0.0
    totals = dict.fromkeys(FAMILY, 0.0)
    chosen = {name: extractor(name) for name in FAMILY}
    for one in data:
        rival += best(partial(lxml.html.document_fromstring, one))
        for name, method in chosen.items():
            times = []
            for _ in range(ROUNDS):
                page = Page(one)  # a fresh one: columns that the method asks for first are its own time
                begin = thread_time()
                method(page)
                times.append(thread_time() - begin)
            totals[name] += min(times)
    print(f"{title}: {len(data)} pages, {size:.1f} MB; ratios to lxml.html, the Page given")
    for name, total in totals.items():
        bar = 0.12 if name in ("r2l", "dana") else 0.25
        thesis = f", thesis {THESIS[name]}" if name in THESIS else ""
        print(f"  {name:8} {total / rival:.2f}  (bar: {bar})  {size / total:7.1f} MB/s{thesis}")


def main() -> None:
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    print(machine.describe("tidings", "numpy", "lxml"))
    real = pages.load("wcxb-dev", every=every)
    parse(real or pages.newspaper(), "wcxb-dev" if real else "bundled newspaper")
    rtl = pages.load("rtl") + pages.load("frontpages", ("fa", "ar"))
    family(rtl or pages.newspaper(), "rtl and Persian and Arabic front pages" if rtl else "bundled newspaper")


if __name__ == "__main__":
    main()
