"""What each function of the compiled core is worth: its share of reading a page.

The functions come from `tidings.core.native.FUNCTIONS`. Each is replaced by a wrapper that adds up its processor time,
crossing the boundary included. `share` is that time of one page as a part of `tidings.extract` (or of reading a page of
a known site). `pays from` is how many times slower a replacement in Python must be before reading a page takes 3 %
longer, the price of a place in the core (docs/design/decisions/0003-what-may-enter-the-core.md). Python that works
character by character is 30 to 100 times slower than Rust, Python that calls NumPy once 1 to 5 times.
`recorded` is the time of a page without the function against the time with it, measured when both ways existed.
Processor time of one thread, the best of some rounds a page.
Run: python -m benchmarks.core_prices [--every 8] [--rounds 3] [--corpus wcxb-dev …]
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from time import thread_time_ns
from typing import Any

from benchmarks import machine, pages
from tidings.core import native

CORPORA = ("wcxb-dev", "fundus-dev", "sites")
#: An entry stays if reading without it takes at least so many times as long.
WORTH = 1.03
#: The last commit that had every function in Python too, and what its pages took without each: 80 pages, noise 1.006.
RECORDED_AT = "80b074fd"
RECORDED = {  # holding and telling: words in start tags, without both
    "signals": 1.02, "endings": 1.05, "kind_facts": 1.08, "heard": 1.07, "story_places": 1.08, "fill": 1.12,
    "blocks": 1.16, "look": 2.7, "holding": 2.8, "telling": 2.8, "fragments": 1.64, "cut": 2.2,
}  # fmt: skip
#: Of functions that are Python only since then.
REMOVED = {"headings": 1.01, "page_links": 1.01, "text_places": 1.01}


@dataclass
class Usage:
    """Time in each function of the core, and its calls."""

    nanoseconds: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)


class Meter:
    """Wrappers around all functions of the core, which add up their processor time."""

    def __init__(self) -> None:
        self.usage = Usage()
        library = native.library()
        self.names = sorted(native.FUNCTIONS)
        for name in self.names:
            setattr(library, f"tidings_{name}", self._wrapped(name, getattr(library, f"tidings_{name}")))
        self._clock = min(self._time_of_clock() for _ in range(1000))

    @staticmethod
    def _time_of_clock() -> int:
        begin = thread_time_ns()
        return thread_time_ns() - begin

    def _wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*arguments: Any) -> Any:
            begin = thread_time_ns()
            try:
                return function(*arguments)
            finally:
                usage = self.usage
                usage.nanoseconds[name] += thread_time_ns() - begin
                usage.calls[name] += 1

        return measured

    def read(self, work: Callable[[], object]) -> tuple[int, Usage]:
        """Return the nanoseconds of some work and what it used of the core, without the time of the clock."""
        self.usage = Usage()
        begin = thread_time_ns()
        work()
        taken = thread_time_ns() - begin
        used = self.usage
        for name, calls in used.calls.items():
            used.nanoseconds[name] = max(0, used.nanoseconds[name] - calls * self._clock)
        return taken - 2 * self._clock * used.calls.total(), used


def measure(meter: Meter, work: Iterable[Callable[[], object]], rounds: int) -> tuple[int, Usage, int]:
    """Return the sum of the best times of each page, what they used of the core, and how many pages there are."""
    total, used, count = 0, Usage(), 0
    for page in work:
        taken, best = min((meter.read(page) for _ in range(rounds)), key=lambda reading: reading[0])
        total, count = total + taken, count + 1
        used.nanoseconds.update(best.nanoseconds)
        used.calls.update(best.calls)
    return total, used, count


def show(name: str, total: int, used: Usage, count: int) -> None:
    """Print a row for each function that was called, the dearest first."""
    print(f"\n{name}: {count} pages, {total / count / 1e6:.2f} ms a page, load {os.getloadavg()[0]:.1f}")
    print(f"  {'function':16} {'calls':>7} {'µs':>8} {'share':>7} {'pays from':>10} {'recorded':>9}")
    for function, nanoseconds in used.nanoseconds.most_common():
        share = nanoseconds / total
        pays = f"{1 + (WORTH - 1) / share:9.1f} ×" if share > 0 else "never"
        recorded = f"{RECORDED[function]:.2f}" if function in RECORDED else ""
        calls, microseconds = used.calls[function] / count, nanoseconds / count / 1000
        print(f"  {function:16} {calls:7.1f} {microseconds:8.1f} {share:7.1%} {pays:>10} {recorded:>9}")
    spent = used.nanoseconds.total()
    print(f"  {'all of them':16} {used.calls.total() / count:7.1f} {spent / count / 1000:8.1f} {spent / total:7.1%}")


def known_sites() -> list[Callable[[], object]]:
    """Return the reading of each page that rules learned from five others of its site serve."""
    from benchmarks.sites_speed import SHARED, sites, taught

    if not SHARED.exists():
        return []
    work: list[Callable[[], object]] = []
    for several in sites():
        reader, _ = taught(several)
        reader.learn_from = 10**9  # no further learning
        work += [
            partial(reader.cut, data, url) for data, url in several[5:] if reader.text(data, url).by.startswith("rule")
        ]
    return work


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.core_prices", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--every", type=int, default=8, help="every n-th page [8]")
    parser.add_argument("--rounds", type=int, default=3, help="how often each page is read [3]")
    parser.add_argument("--corpus", nargs="+", default=CORPORA, help="corpora of ../shared/data")
    options = parser.parse_args()
    meter = Meter()  # before any part of Tidings keeps a function

    import tidings

    loaded = {name: pages.load(name, every=options.every) for name in options.corpus}
    loaded = {name: data for name, data in loaded.items() if data} or {"the newspaper": pages.newspaper()}
    print(machine.describe("tidings", "numpy"))
    called: set[str] = set()
    readings: dict[str, list[Callable[[], object]]] = {
        f"extract, {name}": [partial(tidings.extract, page) for page in data] for name, data in loaded.items()
    }
    readings["known sites, whole articles"] = known_sites()
    for name, work in readings.items():
        if not work:
            print(f"\n{name}: no ../shared/data/sites, nothing is measured")
            continue
        for page in work[:3]:  # what is loaded when it is first used
            page()
        total, used, count = measure(meter, work, options.rounds)
        show(name, total, used, count)
        called |= set(used.calls)
    print(f"\n{len(meter.names)} functions; not called by any of this: {', '.join(sorted(set(meter.names) - called))}")
    gone = [f"{name} {ratio:.2f}" for name, ratio in {**RECORDED, **REMOVED}.items() if name not in meter.names]
    print(f"recorded at {RECORDED_AT}; of functions that are no longer there: {', '.join(gone)}")


if __name__ == "__main__":
    main()
