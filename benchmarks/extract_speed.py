"""An article with its fields against trafilatura, page by page in turn: five times its pages a second is the bar.

Trafilatura twice: as it is by default, the text alone, and with its metadata, which is what an article's text and
fields are. Ours twice as well: blocks, pictures and what hangs on them are made when somebody asks, so once the text
and the fields are asked for, and once those too, for which trafilatura has nothing.
Processor time of one thread, the best of two a page. Run: python -m benchmarks.extract_speed [every n-th page, 10]
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from time import thread_time

import trafilatura

import tidings
from benchmarks import machine, pages

ROUNDS = 2
FIELDS = operator.attrgetter(
    "text",
    *"title authors published modified language direction site canonical summary section tags".split(),
    *"next_page single_page marks kind confidence".split(),
)
LATE = operator.attrgetter(*"blocks images image comments posts provenance text".split())
SYSTEMS: dict[str, Callable[[bytes], object]] = {
    "Page": tidings.Page,
    "tidings.extract": lambda data: FIELDS(tidings.extract(data)),
    "tidings.extract, blocks too": lambda data: LATE(tidings.extract(data)),
    "trafilatura.extract": trafilatura.extract,
    "trafilatura with metadata": lambda data: trafilatura.bare_extraction(data, with_metadata=True),
}


def seconds(work: Callable[[bytes], object], data: bytes) -> float:
    begin = thread_time()
    work(data)
    return thread_time() - begin


def main() -> None:
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    data = pages.load("wcxb-dev", every=every) or pages.newspaper()
    print(machine.describe("tidings", "numpy", "trafilatura"))
    for page in data[:5]:
        for work in SYSTEMS.values():
            work(page)
    total = dict.fromkeys(SYSTEMS, 0.0)
    for page in data:
        for name, work in SYSTEMS.items():
            total[name] += min(seconds(work, page) for _ in range(ROUNDS))
    ours = total["tidings.extract"]
    print(f"{len(data)} pages")
    for name, taken in total.items():
        print(f"  {name:27} {taken / len(data) * 1000:7.2f} ms a page  {taken / ours:6.2f} times tidings.extract")


if __name__ == "__main__":
    main()
