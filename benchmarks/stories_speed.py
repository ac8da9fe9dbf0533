"""How quick stories are among many articles: copies, single link at 0.38, and the tracker.

    python -m benchmarks.stories_speed [--articles 100000] [--timed 2000] [--only tracker]

Articles are generated: 250 words by Zipf's law from a vocabulary of 60,000, a third of them from their event's own 60
words, in events of about ten, one in twenty a copy with a few words changed, all within 25 days. The index is filled up
to the number asked for, and the last articles are timed one by one: processor time, as nothing waits for anything.
Stemming, shingling and weighing the article are part of it. Memory is what the process has grown by.
"""

from __future__ import annotations

import argparse
import gc
import resource
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.made_up_news import vocabulary
from tidings_portal.stories.duplicates import DuplicateIndex, Signature
from tidings_portal.stories.report import Report
from tidings_portal.stories.tracker import Tracker

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
WORDS = 250


def reports(number: int, days: float = 25.0, seed: int = 1) -> Iterator[Report]:
    chance = np.random.default_rng(seed)
    words = np.array(vocabulary(), dtype=object)
    cumulative = np.cumsum(1 / np.arange(100, len(words) + 100))  # the most frequent hundred are stop words
    events = [words[chance.integers(200, len(words), 60)] for _ in range(50)]
    last = ""
    for n in range(number):
        if chance.random() < 0.1:
            events[int(chance.integers(len(events)))] = words[chance.integers(200, len(words), 60)]
        own = events[int(chance.integers(len(events)))]
        drawn = words[np.searchsorted(cumulative, chance.random(WORDS) * cumulative[-1])]
        of_event = chance.random(WORDS) < 1 / 3
        drawn[of_event] = own[chance.integers(0, len(own), int(of_event.sum()))]
        text = " ".join(drawn)
        if last and chance.random() < 0.05:
            text = last.replace(" ", " changed ", 3)
        last = text
        when = BEGIN + timedelta(days=days * n / number)
        yield Report(n, " ".join(own[:6]), text, "en", when, f"site{n % 40}.example")


def duplicates() -> Callable[[Report], object]:
    index = DuplicateIndex()
    return lambda report: index.add(report.id, Signature.of(report.text, report.language))


def tracker() -> Callable[[Report], object]:
    return Tracker().add


KINDS = {"copies": duplicates, "tracker": tracker}


def memory() -> float:
    """What the process holds, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def measure(name: str, number: int, timed: int) -> None:
    add = KINDS[name]()
    for report in reports(200, seed=2):  # what is loaded late is loaded now
        KINDS[name]()(report)
    before, working = memory(), 0.0
    taken = []
    for n, report in enumerate(reports(number)):
        start = time.thread_time()
        add(report)
        spent = time.thread_time() - start
        working += spent
        if n >= number - timed:
            taken.append(spent * 1000)
    gc.collect()
    used = (memory() - before) / number * 100_000
    p50, p95, most = np.percentile(taken, [50, 95, 100]).tolist()
    print(
        f"{name:12} {number:8,} articles: {number / working:7,.0f} adds/s over all; at the end p50 {p50:.2f} ms,"
        f" p95 {p95:.2f} ms, most {most:.1f} ms; {timed / (sum(taken) / 1000):,.0f} adds/s; {used:,.0f} MB for 100,000"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--timed", type=int, default=2000)
    parser.add_argument("--only", choices=sorted(KINDS))
    given = parser.parse_args()
    print(machine.describe("numpy"))
    for name in KINDS if given.only is None else [given.only]:
        measure(name, given.articles, given.timed)


if __name__ == "__main__":
    main()
