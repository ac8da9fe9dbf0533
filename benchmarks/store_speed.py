"""How quick the store is with many articles: keeping them, lists and searches, while another process writes.

    python -m benchmarks.store_speed [--articles 100000] [--store PATH or postgresql://…] [--readers 4]

Articles are generated: words by Zipf's law from a vocabulary of 60,000, three languages, 40 sources, 20 categories, 500
authors, stories of about five. Searches are distinct, so that none is answered by what the one before has read.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from benchmarks import machine
from tidings import store
from tidings.article import Article, Block, Inline, Kind
from tidings.store import DatabaseStore
from tidings.store.records_of_articles import NewArticle, Only, Order, StoryDraft
from tidings.store.records_of_work import NewSource

NOW = datetime(2024, 3, 5, 12, tzinfo=UTC)
BATCH = 200
ASKED = 200
LETTERS = "bcdfghklmnprstvz"
VOWELS = "aeiouı"


def vocabulary(size: int = 60_000) -> list[str]:
    """Made-up words, the short ones first, as in any language."""
    syllables = [consonant + vowel for consonant in LETTERS for vowel in VOWELS]
    found = []
    for number in range(size):
        word, rest = syllables[number % 96], number // 96
        while rest:
            word += syllables[rest % 96]
            rest //= 96
        found.append(word)
    return found


def articles(number: int, seed: int = 1) -> Iterator[NewArticle]:
    chance = np.random.default_rng(seed)
    words = np.array(vocabulary(), dtype=object)
    japanese = [chr(0x4E00 + code) for code in range(2000)]
    ranks = np.arange(1, len(words) + 1)
    cumulative = np.cumsum(1 / ranks)
    for n in range(number):
        length = int(chance.integers(150, 600))
        drawn = words[np.searchsorted(cumulative, chance.random(length) * cumulative[-1])]
        language = ("en", "tr", "ja")[n % 10 // 4]
        text = " ".join(drawn)
        if language == "ja":
            text = "".join(japanese[int(place)] for place in chance.zipf(1.3, length) % 2000)
        paragraphs = [text[start : start + 400] for start in range(0, len(text), 400)]
        article = Article(
            url=f"https://{n % 300}.example/{seed}/{n}",
            title=text[:60],
            authors=(f"Author {n % 500}",),
            published=NOW - timedelta(minutes=int(chance.integers(0, number))),
            language=language,
            section=f"Category {n % 20}",
            summary=text[60:200],
            blocks=tuple(Block(Kind.PARAGRAPH, (Inline(part),)) for part in paragraphs),
        )
        yield NewArticle(article, NOW, "generated", sources=(n % 40 + 1,))


def fill(kept: DatabaseStore, number: int) -> None:
    kept.add_sources([NewSource(f"https://{n}.example/feed") for n in range(40)], NOW)
    made = articles(number)
    begin, spent, done = time.perf_counter(), 0.0, 0
    while done < number:
        batch = [next(made) for _ in range(min(BATCH, number - done))]
        start = time.perf_counter()
        kept.keep(batch)
        spent += time.perf_counter() - start
        done += len(batch)
    for first in range(1, number, 1000):
        kept.save_stories(
            [
                StoryDraft(tuple(range(one, one + 5)), f"Story {one}", "A summary.", "en", f"Category {one % 20}")
                for one in range(first, min(first + 1000, number - 4), 5)
            ]
        )
    kept.count_reads({n: n % 97 + 1 for n in range(1, min(number, 5000))}, NOW)
    kept.tidy()
    print(f"kept {number:,} articles: {number / spent:,.0f} a second in batches of {BATCH}", end="")
    print(f" ({time.perf_counter() - begin:.0f} s with making them and their stories)")


WRITER = "import sys; from benchmarks.store_speed import write_for_ever; write_for_ever(sys.argv[1])"


def write_for_ever(where: str) -> None:
    """Batches of 20 articles, one after the other with a pause, as a watch run writes them."""
    with store.open(where) as kept:
        made = articles(1_000_000, seed=2)
        while True:
            kept.keep([next(made) for _ in range(20)])
            time.sleep(0.2)


def questions(number: int) -> dict[str, Callable[[DatabaseStore, int], object]]:
    words = vocabulary()
    chance = np.random.default_rng(3)
    common = [words[int(rank)] for rank in chance.permutation(np.arange(50, 1500))]
    rare = [words[int(rank)] for rank in chance.permutation(np.arange(1500, 30_000))]
    top = words[:50]
    pair = [chr(0x4E00 + a) + chr(0x4E00 + b) for a, b in chance.integers(1, 60, (3 * ASKED, 2))]
    latest = Only()
    return {
        "latest": lambda kept, _: kept.articles(latest),
        "latest, far back": lambda kept, n: kept.articles(Only(until=NOW - timedelta(minutes=number * n // 400))),
        "category": lambda kept, n: kept.articles(Only(category=f"Category {n % 20}")),
        "source": lambda kept, n: kept.articles(Only(source=n % 40 + 1)),
        "author": lambda kept, n: kept.articles(Only(author=f"Author {n % 500}")),
        "story": lambda kept, n: (kept.story(n + 1), kept.articles(Only(story=n + 1))),
        "stories": lambda kept, n: kept.stories(category=f"Category {n % 20}"),
        "front page": lambda kept, _: kept.top_stories(NOW - timedelta(days=2)),
        "most read": lambda kept, _: kept.most_read(NOW - timedelta(days=7)),
        "article": lambda kept, n: kept.article(n * 7 % number + 1),
        "similar": lambda kept, n: kept.similar(n * 7 % number + 1),
        "search, rare word": lambda kept, n: kept.search(rare[n]),
        "search, common word": lambda kept, n: kept.search(common[n]),
        "search, common word, by time": lambda kept, n: kept.search(common[n + 400], order=Order.TIME),
        "search, two words": lambda kept, n: kept.search(f"{common[n]} {common[n + 500]}"),
        "search, OR and NOT": lambda kept, n: kept.search(f"({common[n]} OR {rare[n]}) -{common[n + 700]}"),
        "search, phrase": lambda kept, n: kept.search(f'"{top[n % 50]} {common[n + 300]}"'),
        "search, prefix": lambda kept, n: kept.search(f"{rare[n][:4]}*"),
        "search, two signs": lambda kept, n: kept.search(pair[n]),
        "search, field and language": lambda kept, n: kept.search(f"title:{common[n]} lang:tr"),
        "search, the 50 commonest": lambda kept, n: kept.search(top[n % 50]),
        "count": lambda kept, n: kept.count(common[n + 900]),
    }


def ask(kept: DatabaseStore, number: int, readers: int) -> None:
    print(f"{'':34}{'p50':>8}{'p95':>8}{'max':>8}   ms, {readers} readers at once")
    with ThreadPoolExecutor(readers) as crew:
        for name, question in questions(number).items():

            def timed(n: int, question: Callable[[DatabaseStore, int], object] = question) -> float:
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
                fill(kept, told.articles)
            if Path(where).exists():
                print(f"{Path(where).stat().st_size / 1e6:,.0f} MB")
        with store.open(where) as kept:
            begin = time.perf_counter()
            kept.search("bubu")
            print(f"the first search after opening: {(time.perf_counter() - begin) * 1000:.1f} ms")
            ask(kept, told.articles, told.readers)
            writer = subprocess.Popen([sys.executable, "-c", WRITER, where])
            try:
                print("while another process writes:")
                ask(kept, told.articles, told.readers)
            finally:
                writer.kill()
                writer.wait()
            if problems := kept.check():
                print("\n".join(problems))


if __name__ == "__main__":
    main()
