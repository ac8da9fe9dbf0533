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

#: The queries.
QUERIES: Final = ("feed's title", "feed's description", "own headline")
_BLOCKS: Final = {BlockKind.OWN_TEXT: "blocks by own text", BlockKind.LEAVES: "leaf blocks"}
#: The least number of pages of a language with its own row.
_FEWEST: Final = 3
ALL: Final = "all"
_LINES: Final = 4  # more lines are indistinguishable in one chart


@dataclass(frozen=True, slots=True)
class FeedPage:
    """A page with its title and description from a feed."""

    sample: Sample
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class FeedTrial:
    """The results for a page with one query: block accuracy and text F for each beta."""

    language: str
    query: str
    blocks: BlockKind
    right: ScoreRow
    text: ScoreRow


@dataclass(frozen=True, slots=True)
class FeedCurves:
    """Scores by query, language and beta."""

    pages: int
    trials: Trials[FeedTrial]

    def languages(self) -> list[str]:
        """Return "all", then the languages with enough pages, the most frequent first."""
        each = self.trials.where(query=QUERIES[0]).column("language")
        counts = {name: each.count(name) // len(_BLOCKS) for name in set(each)}
        return [
            ALL,
            *sorted((name_ for name_ in counts if counts[name_] >= _FEWEST), key=lambda name_: (-counts[name_], name_)),
        ]

    def curve(self, language: str, query: str, blocks: BlockKind, what: str) -> tuple[float, ...]:
        """Return the mean of `right` or `text` for each beta."""
        trials = self.trials.where(query=query, blocks=blocks)
        return (trials if language == ALL else trials.where(language=language)).means(f"{what}.scores")

    def tables(self) -> tuple[Table, ...]:
        """Return tables of the best beta of each query and language, and of the curves of all pages and of each
        language.
        """
        best: list[tuple[Cell, ...]] = []
        for language in self.languages():
            for query in QUERIES:
                for blocks, name in _BLOCKS.items():
                    right, text = (self.curve(language, query, blocks, what) for what in ("right", "text"))
                    index = int(np.argmax(right))
                    published = BETAS.index(0.6)
                    best.append(
                        (
                            language,
                            query,
                            name,
                            BETAS[index],
                            right[index],
                            right[published],
                            text[published],
                            max(text),
                        )
                    )
        columns = ("language", "query", "blocks", "best beta", "block accuracy", "at 0.6", "text F at 0.6", "best F")
        tables = [Table(f"N-EXT asked by feeds, {self.pages} pages", columns, tuple(best))]
        for language in self.languages():
            named = [(query, self.curve(language, query, BlockKind.OWN_TEXT, "right")) for query in QUERIES]
            rows = tuple((beta, *(values[index] for _, values in named)) for index, beta in enumerate(BETAS))
            tables.append(Table(f"Block accuracy by beta, own text: {language}", ("beta", *QUERIES), rows))
        return tuple(tables)

    def charts(self) -> tuple[Chart, ...]:
        """Return a chart of block accuracy with the feed's title: all pages, and the most frequent languages."""
        series = tuple(
            Series(language, self.curve(language, QUERIES[0], BlockKind.OWN_TEXT, "right"))
            for language in self.languages()[:_LINES]
        )
        title, x = "N-EXT by beta, asked by the feed's title", "beta (0: likeness alone, 1: size alone)"
        return (Chart("n-ext-feeds", title, x, "block accuracy", BETAS, series, marked=((0.6, "thesis: 0.6"),)),)


def run_feeds(samples: Sequence[Sample], each: Each = in_turn) -> FeedCurves:
    """Measure every beta on every page that is in a feed of its corpus.

    Raises:
        InputError: the corpora have no feeds, or the feeds contain none of the pages.
    """
    pages = list(feed_pages(samples))
    if not pages:
        raise InputError("no feed names any of these pages: the corpus has a folder `feeds`, as the newspaper has")
    return FeedCurves(len(pages), Trials.of(partial(_try_feed, betas=BETAS), pages, "feeds", each))


def feed_pages(samples: Iterable[Sample]) -> Iterable[FeedPage]:
    """Yield the pages that are in feeds of their corpus, with title and description."""
    items_by_folder: dict[Path, dict[str, tuple[str, str]]] = {}
    for sample in samples:
        folder = next((parent / "feeds" for parent in sample.file.parents if (parent / "pages.jsonl").is_file()), None)
        if folder is None or not sample.gold.get("text"):
            continue
        if folder not in items_by_folder:
            items_by_folder[folder] = _items(folder)
        if (item := items_by_folder[folder].get(sample.url)) is not None:
            yield FeedPage(sample, *item)


def _items(folder: Path) -> dict[str, tuple[str, str]]:
    """Return title and description of each feed item by URL."""
    result: dict[str, tuple[str, str]] = {}
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        for link in read_feed(file.read_bytes()).items:  # sitemaps and lists of feeds have no items
            if link.title:
                result |= dict.fromkeys((link.declared_url, link.canonical_url), (link.title, link.summary))
    return result


def _try_feed(page: FeedPage, betas: tuple[float, ...]) -> list[FeedTrial]:
    sample = page.sample
    hints = (Hints(title=page.title), Hints(description=page.description or page.title), Hints())
    trials = []
    for query, page_hints in zip(QUERIES, hints, strict=True):
        page_with_hints = Page(sample.html, sample.url or None, page_hints)
        for blocks in _BLOCKS:
            detections = detect(sample, page_with_hints, tuple(NEXT(beta=beta, blocks=blocks) for beta in betas))
            right = ScoreRow(sample.site, tuple(float(detection.right) for detection in detections))
            text = ScoreRow(sample.site, tuple(detection.text for detection in detections))
            trials.append(FeedTrial(base_language(sample.lang), query, blocks, right, text))
    return trials


FEEDS: Final = Study(
    "n-ext-feeds", "N-EXT's beta curve with titles of feeds, languages apart", "N-EXT thesis 4.1.1, 6.2.1", run_feeds
)
