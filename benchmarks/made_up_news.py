"""A store with many made-up articles, for measuring what reads it.

    python -m benchmarks.made_up_news PATH [--articles 100000]

Words are drawn by Zipf's law from a vocabulary of 60,000. Articles come in stories of one to twelve, each in one of
five languages (English, German, Turkish, Arabic, Japanese) and one of 20 categories, told within half a day by several
of 300 sites; 40 sources, 500 authors, pictures on two of three. The last story is told now, the first one as many
minutes ago as there are articles: 100,000 are ten weeks of news. The same number gives the same articles, but for the
time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice

import numpy as np

from tidings.article import Article, Block, Image, Inline, Kind
from tidings_portal import store
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import NewArticle, StoryDraft
from tidings_portal.store.records_of_work import NewSource

BATCH = 200
SOURCES, CATEGORIES, AUTHORS, SITES = 40, 20, 500, 300
#: How many articles the stories have, in turn.
SIZES = (1, 7, 2, 12, 3, 5, 1, 9, 4, 6)
LANGUAGES = ("en", "tr", "de", "en", "ja", "en", "tr", "ar", "en", "de")
CONSONANTS = "bcdfghklmnprstvz"
VOWELS = "aeiouı"
_ARABIC = str.maketrans("bcdfghklmnprstvzaeiouı", "بجدفغحكلمنصرستوزاةيعؤى")


def vocabulary(size: int = 60_000) -> list[str]:
    """Made-up words, the short ones first, as in any language."""
    syllables = [consonant + vowel for consonant in CONSONANTS for vowel in VOWELS]
    found = []
    for number in range(size):
        word, rest = syllables[number % 96], number // 96
        while rest:
            word += syllables[rest % 96]
            rest //= 96
        found.append(word)
    return found


class Writer:
    """Writes texts of words that are as common as words are."""

    def __init__(self, chance: np.random.Generator) -> None:
        self._chance = chance
        self._words = np.array(vocabulary(), dtype=object)
        self._cumulative = np.cumsum(1 / np.arange(1, len(self._words) + 1))
        self._signs = [chr(0x4E00 + code) for code in range(2000)]

    def text(self, language: str, length: int) -> str:
        """So many words, or signs."""
        if language == "ja":
            return "".join(self._signs[int(place)] for place in self._chance.zipf(1.3, length) % 2000)
        places = np.searchsorted(self._cumulative, self._chance.random(length) * self._cumulative[-1])
        text = " ".join(self._words[places])
        return text.translate(_ARABIC) if language == "ar" else text


def stories(number: int, now: datetime, seed: int = 1) -> Iterator[list[NewArticle]]:
    """So many articles, story by story."""
    chance = np.random.default_rng(seed)
    writer = Writer(chance)
    n = 0
    for size, language, one in zip(cycle(SIZES), cycle(LANGUAGES), range(number), strict=False):
        told = now - timedelta(minutes=int(chance.integers(0, number)))
        found = []
        for _ in range(min(size, number - n)):
            length = int(chance.integers(150, 600))
            text = writer.text(language, length)
            site = f"paper-{int(chance.integers(SITES))}.example"
            image = Image(f"https://{site}/pictures/{n}.jpg", alt=text[:30]) if n % 3 else None
            paragraphs = [text[start : start + 400] for start in range(0, len(text), 400)]
            article = Article(
                url=f"https://{site}/{seed}/{n}.html",
                title=text[:60].strip(),
                authors=(f"Author {n % AUTHORS}",),
                published=told + timedelta(minutes=int(chance.integers(0, 720)) - 720),
                language=language,
                direction="rtl" if language == "ar" else "ltr",
                site=site.removesuffix(".example").title(),
                section=f"Category {one % CATEGORIES}",
                summary=text[60:200].strip(),
                image=image,
                images=() if image is None else (image,),
                blocks=tuple(Block(Kind.PARAGRAPH, (Inline(part),)) for part in paragraphs),
            )
            found.append(NewArticle(article, now, "made up", sources=(int(chance.integers(SOURCES)) + 1,)))
            n += 1
        if found:
            yield found
        if n >= number:
            return


def articles(number: int, now: datetime, seed: int = 1) -> Iterator[NewArticle]:
    """The same without the stories."""
    for story in stories(number, now, seed):
        yield from story


def fill(kept: Store, number: int, now: datetime) -> float:
    """Fill an empty store; how many seconds keeping the articles took."""
    kept.add_sources([NewSource(f"https://paper-{n}.example/feed") for n in range(SOURCES)], now)
    told, spent = stories(number, now), 0.0
    while batch := list(islice(told, BATCH // 5)):
        begin = time.perf_counter()
        saved = iter(kept.keep([new for story in batch for new in story]))
        spent += time.perf_counter() - begin
        drafts = []
        for story in batch:
            first = story[0].article
            members = tuple(next(saved).article or 0 for _ in story)
            drafts.append(StoryDraft(members, first.title, first.summary, first.language, first.section))
        kept.save_stories(drafts)
    kept.count_reads({n: n % 97 + 1 for n in range(max(1, number - 5000), number)}, now)
    kept.tidy()
    return spent


def main() -> None:
    """Make a store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path")
    parser.add_argument("--articles", type=int, default=100_000)
    told = parser.parse_args()
    with store.open(told.path) as kept:
        begin = time.perf_counter()
        spent = fill(kept, told.articles, datetime.now(UTC).replace(microsecond=0))
        print(f"kept {told.articles:,} articles: {told.articles / spent:,.0f} a second", end="")
        print(f" ({time.perf_counter() - begin:.0f} s with making them and their stories)")


if __name__ == "__main__":
    main()
