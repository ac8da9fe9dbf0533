"""N-EXT's beta with queries from feeds: the feed's title, its description, or the page's own headline.

Source: N-EXT thesis 4.1.1, 6.2.1, tables 6.2 and 6.4: the title of the feed is the query, for Turkish and English
separately. Pages of a corpus whose folder has `feeds` are matched with the items there by URL; the sample newspaper has
feeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from tidings.charts import Chart, Series
from tidings.errors import InputError
from tidings.extractors.published.largest_block import BlockKind
from tidings.extractors.published.n_ext import NEXT
from tidings.page import Hints, Page
from tidings.sources.feeds import read_feed
from tidings.text import base_language
from tidings_lab.corpora import Sample
from tidings_lab.studies.n_ext_beta import BETAS
from tidings_lab.studies.n_ext_blocks import detect
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.studies.trials import Trials
from tidings_lab.tables import Cell, Table
from tidings_lab.validation import (
    ScoreRow,
)

#: What asks for the story.
QUERIES: Final = ("feed's title", "feed's description", "own headline")
_BLOCKS: Final = {BlockKind.OWN_TEXT: "blocks by own text", BlockKind.LEAVES: "leaf blocks"}
#: A language with fewer pages stands only in the row of all.
_FEWEST: Final = 3
ALL: Final = "all"
_LINES: Final = 4  # more cannot be told apart in one picture


@dataclass(frozen=True, slots=True)
class FeedPage:
    """A page, and what its feed says of it."""

    sample: Sample
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class FeedTrial:
    """One page asked for in one way: block accuracy and text F for each beta."""

    language: str
    query: str
    blocks: BlockKind
    right: ScoreRow
    text: ScoreRow


@dataclass(frozen=True, slots=True)
class FeedCurves:
    """What each query finds, by language."""

    pages: int
    trials: Trials[FeedTrial]

    def languages(self) -> list[str]:
        """All pages, then those languages that have enough of them, the most first."""
        each = self.trials.where(query=QUERIES[0]).column("language")
        counts = {name: each.count(name) // len(_BLOCKS) for name in set(each)}
        return [ALL, *sorted((one for one in counts if counts[one] >= _FEWEST), key=lambda one: (-counts[one], one))]

    def curve(self, language: str, query: str, blocks: BlockKind, what: str) -> tuple[float, ...]:
        """The mean of `right` or `text` for each beta."""
        trials = self.trials.where(query=query, blocks=blocks)
        return (trials if language == ALL else trials.where(language=language)).means(f"{what}.scores")

    def tables(self) -> tuple[Table, ...]:
        """The best beta of each query and language, then whole curves of all pages and of each language."""
        best: list[tuple[Cell, ...]] = []
        for language in self.languages():
            for query in QUERIES:
                for blocks, name in _BLOCKS.items():
                    right, text = (self.curve(language, query, blocks, what) for what in ("right", "text"))
                    at = int(np.argmax(right))
                    published = BETAS.index(0.6)
                    best.append(
                        (language, query, name, BETAS[at], right[at], right[published], text[published], max(text))
                    )
        columns = ("language", "query", "blocks", "best beta", "block accuracy", "at 0.6", "text F at 0.6", "best F")
        tables = [Table(f"N-EXT asked by feeds, {self.pages} pages", columns, tuple(best))]
        for language in self.languages():
            named = [(query, self.curve(language, query, BlockKind.OWN_TEXT, "right")) for query in QUERIES]
            rows = tuple((beta, *(values[at] for _, values in named)) for at, beta in enumerate(BETAS))
            tables.append(Table(f"Block accuracy by beta, own text: {language}", ("beta", *QUERIES), rows))
        return tuple(tables)

    def charts(self) -> tuple[Chart, ...]:
        """Block accuracy with the feed's title: all pages, and the languages with most of them."""
        series = tuple(
            Series(language, self.curve(language, QUERIES[0], BlockKind.OWN_TEXT, "right"))
            for language in self.languages()[:_LINES]
        )
        title, x = "N-EXT by beta, asked by the feed's title", "beta (0: likeness alone, 1: size alone)"
        return (Chart("n-ext-feeds", title, x, "block accuracy", BETAS, series, marked=((0.6, "thesis: 0.6"),)),)


def run_feeds(samples: Sequence[Sample], each: Each = in_turn) -> FeedCurves:
    """Every beta on every page that a feed of its corpus names.

    Raises:
        InputError: the corpora have no feeds, or these name none of the pages.
    """
    asked = list(feed_pages(samples))
    if not asked:
        raise InputError("no feed names any of these pages: the corpus has a folder `feeds`, as the newspaper has")
    return FeedCurves(len(asked), Trials.of(partial(_try_feed, betas=BETAS), asked, "feeds", each))


def feed_pages(samples: Iterable[Sample]) -> Iterable[FeedPage]:
    """The pages that feeds of their corpus name, with what these say."""
    known: dict[Path, dict[str, tuple[str, str]]] = {}
    for sample in samples:
        folder = next((one / "feeds" for one in sample.file.parents if (one / "pages.jsonl").is_file()), None)
        if folder is None or not sample.gold.get("text"):
            continue
        if folder not in known:
            known[folder] = _items(folder)
        if (said := known[folder].get(sample.url)) is not None:
            yield FeedPage(sample, *said)


def _items(folder: Path) -> dict[str, tuple[str, str]]:
    """Title and description of each item, by its address."""
    found: dict[str, tuple[str, str]] = {}
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        for link in read_feed(file.read_bytes()).items:  # a sitemap or a list of feeds has none
            if link.title:
                found |= dict.fromkeys((link.declared_address, link.address), (link.title, link.summary))
    return found


def _try_feed(page: FeedPage, betas: tuple[float, ...]) -> list[FeedTrial]:
    sample = page.sample
    hints = (Hints(title=page.title), Hints(description=page.description or page.title), Hints())
    trials = []
    for query, known in zip(QUERIES, hints, strict=True):
        held = Page(sample.html, sample.url or None, known)
        for blocks in _BLOCKS:
            found = detect(sample, held, tuple(NEXT(beta=beta, blocks=blocks) for beta in betas))
            right = ScoreRow(sample.site, tuple(float(one.right) for one in found))
            text = ScoreRow(sample.site, tuple(one.text for one in found))
            trials.append(FeedTrial(base_language(sample.lang), query, blocks, right, text))
    return trials


FEEDS: Final = Study(
    "n-ext-feeds", "N-EXT's beta curve with titles of feeds, languages apart", "N-EXT thesis 4.1.1, 6.2.1", run_feeds
)
