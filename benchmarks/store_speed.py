"""How quick the store is with many articles: keeping them, lists and searches, while another process writes.

    python -m benchmarks.store_speed [--articles 100000] [--store PATH or postgresql://…] [--readers 1]

The articles are made up (`made_up_news`); a store that has some already is asked as it is. Searches are distinct, so
that none is answered by what the one before has read. Readers are threads of one process, as those of a web server are.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.made_up_news import AUTHORS, BATCH, CATEGORIES, SOURCES, articles, fill, vocabulary
from tidings_portal import store
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import Only, SearchOrder

ASKED = 200


WRITER = "import sys; from benchmarks.store_speed import write_for_ever; write_for_ever(sys.argv[1])"


def write_for_ever(where: str) -> None:
    """Batches of 20 articles, one after the other with a pause, as a watch run writes them."""
    with store.open(where) as kept:
        made = articles(1_000_000, datetime.now(UTC), seed=2)
        while True:
            kept.keep([next(made) for _ in range(20)])
            time.sleep(0.2)


def questions(number: int, now: datetime) -> dict[str, Callable[[Store, int], object]]:
    words = vocabulary()
    chance = np.random.default_rng(3)
    common = [words[int(rank)] for rank in chance.permutation(np.arange(50, 1500))]
    rare = [words[int(rank)] for rank in chance.permutation(np.arange(1500, 30_000))]
    top = words[:50]
    pair = [chr(0x4E00 + a) + chr(0x4E00 + b) for a, b in chance.integers(1, 60, (3 * ASKED, 2))]
    latest = Only()
    return {
        "latest": lambda kept, _: kept.articles(latest),
        "latest, far back": lambda kept, n: kept.articles(Only(until=now - timedelta(minutes=number * n // 400))),
        "category": lambda kept, n: kept.articles(Only(category=f"Category {n % CATEGORIES}")),
        "source": lambda kept, n: kept.articles(Only(source=n % SOURCES + 1)),
        "author": lambda kept, n: kept.articles(Only(author=f"Author {n % AUTHORS}")),
        "story": lambda kept, n: (kept.story(n + 1), kept.articles(Only(story=n + 1))),
        "stories": lambda kept, n: kept.stories(category=f"Category {n % CATEGORIES}"),
        "front page": lambda kept, _: kept.top_stories(now - timedelta(days=2)),
        "most read": lambda kept, _: kept.most_read(now - timedelta(days=7)),
        "article": lambda kept, n: kept.article(n * 7 % number + 1),
        "similar": lambda kept, n: kept.similar(n * 7 % number + 1),
        "search, rare word": lambda kept, n: kept.search(rare[n]),
        "search, common word": lambda kept, n: kept.search(common[n]),
        "search, common word, by time": lambda kept, n: kept.search(common[n + 400], order=SearchOrder.TIME),
        "search, two words": lambda kept, n: kept.search(f"{common[n]} {common[n + 500]}"),
        "search, OR and NOT": lambda kept, n: kept.search(f"({common[n]} OR {rare[n]}) -{common[n + 700]}"),
        "search, phrase": lambda kept, n: kept.search(f'"{top[n % 50]} {common[n + 300]}"'),
        "search, prefix": lambda kept, n: kept.search(f"{rare[n][:4]}*"),
        "search, two signs": lambda kept, n: kept.search(pair[n]),
        "search, field and language": lambda kept, n: kept.search(f"title:{common[n]} lang:tr"),
        "search, the 50 commonest": lambda kept, n: kept.search(top[n % 50]),
        "count": lambda kept, n: kept.count(common[n + 900]),
    }


def ask(kept: Store, number: int, readers: int) -> None:
    now = kept.articles(limit=1).items[0].time
    print(f"{'':34}{'p50':>8}{'p95':>8}{'max':>8}   ms, {readers} readers at once")
    with ThreadPoolExecutor(readers) as crew:
        for name, question in questions(number, now).items():

            def timed(n: int, question: Callable[[Store, int], object] = question) -> float:
                begin = time.perf_counter()
                question(kept, n)
                return (time.perf_counter() - begin) * 1000

            taken = sorted(crew.map(timed, range(ASKED)))
            print(f"{name:34}{taken[len(taken) // 2]:8.1f}{taken[int(len(taken) * 0.95)]:8.1f}{taken[-1]:8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--store", default=None)
    parser.add_argument("--readers", type=int, default=1)
    told = parser.parse_args()
    print(machine.describe("tidings", "numpy", "zstandard"))
    with tempfile.TemporaryDirectory() as folder:
        where = told.store or str(Path(folder) / "news.tidings")
        with store.open(where) as kept:
            if not kept.totals().articles:
                begin = time.perf_counter()
                spent = fill(kept, told.articles, datetime.now(UTC))
                print(f"kept {told.articles:,} articles: {told.articles / spent:,.0f} a second", end="")
                print(f" in batches of about {BATCH}", end="")
                print(f" ({time.perf_counter() - begin:.0f} s with making them and their stories)")
            if Path(where).exists():
                print(f"{Path(where).stat().st_size / 1e6:,.0f} MB")
        with store.open(where) as kept:
            number = kept.totals().articles
            begin = time.perf_counter()
            kept.search("bubu")
            print(f"the first search after opening: {(time.perf_counter() - begin) * 1000:.1f} ms")
            ask(kept, number, told.readers)
            writer = subprocess.Popen([sys.executable, "-c", WRITER, where])
            try:
                print("while another process writes:")
                ask(kept, number, told.readers)
            finally:
                writer.kill()
                writer.wait()
            if problems := kept.check():
                print("\n".join(problems))


if __name__ == "__main__":
    main()
