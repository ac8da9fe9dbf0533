"""The measurements of the gate: the default extractor on every page of a corpus, each extractor on a fixed sample.

The default is measured on text, headline, authors and date, each registered extractor on text. `default` is a name of
its own: any extractor that becomes the default has to reach its floors.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tidings import extract
from tidings.article import Article
from tidings.errors import InputError, MissingExtra, TidingsError
from tidings.extractors import entries, extractor
from tidings.page import Page
from tidings_lab.corpora import Sample, digest, load
from tidings_lab.gate.floors import DEFAULT_NAME, Key
from tidings_lab.metrics.fields import FieldVerdict, authors_verdict, date_verdict, headline_verdict
from tidings_lab.metrics.page_scores import text_score
from tidings_lab.metrics.segments import gold_segments

#: The sample size per corpus for measuring every extractor; all corpora together take a few minutes.
SAMPLED: Final = 60


@dataclass(frozen=True, slots=True)
class Tested:
    """A corpus to measure: all pages for the default extractor, and a sample of them for the other extractors."""

    corpus: str
    samples: tuple[Sample, ...]
    sampled: tuple[Sample, ...]

    def digests(self) -> dict[bool, str]:
        """Return the digest of the pages for the default (True) and for the other extractors (False)."""
        return {True: digest(self.samples), False: digest(self.sampled)}


@dataclass(frozen=True, slots=True)
class GateItem:
    """A page and the names of the extractors to run on it, in addition to the default."""

    corpus: str
    sample: Sample
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FigurePart:
    """The contribution of a page to a figure.

    A figure is the sum of all `part` divided by the sum of all `whole`: for a mean, the score and 1.
    """

    key: Key
    part: float
    whole: float
    failed: bool = False


@dataclass(frozen=True, slots=True)
class GateFigure:
    """A measured figure, with the numbers of pages and of errors."""

    value: float
    pages: int
    failed: int = 0


def plan(folders: Sequence[Path]) -> list[Tested]:
    """Read corpora and select the pages to measure.

    Raises:
        InputError: a folder is no corpus, has no page with ground-truth text or segments, or two have the same name.
    """
    tested = []
    for folder in folders:
        samples = tuple(sample for sample in load(folder, needs=None) if _has_gold(sample))
        if not samples:
            raise InputError(f"{folder} has no page with gold text or segments")
        tested.append(Tested(folder.resolve().name, samples, _fixed_sample(samples)))
    names = [corpus.corpus for corpus in tested]
    if len(set(names)) < len(names):
        raise InputError(f"floors are kept by the corpus's name, and two have the same: {', '.join(sorted(names))}")
    return tested


def items(tested: Iterable[Tested]) -> Iterator[GateItem]:
    """Yield the pages to measure, each with its extractors."""
    names = tuple(entry.name for entry in entries())
    for corpus in tested:
        chosen = {sample.id for sample in corpus.sampled}
        for sample in corpus.samples:
            yield GateItem(corpus.corpus, sample, names if sample.id in chosen else ())


def measure_page(item: GateItem) -> list[FigurePart]:
    """Run extractors on a page. An extractor that raises an error counts as having selected nothing.

    Raises:
        MissingExtra: an extractor needs a package that is not installed.
    """
    page = _page(item.sample)
    article, failed = _by_default(page)
    marks = [*_text_marks(item, DEFAULT_NAME, article.text, article.title, failed), *_field_marks(item, article)]
    for name in item.names:
        text, failed = _by_name(page, name)
        marks += _text_marks(item, name, text, article.title, failed)
    return marks


def tally(marks: Iterable[FigurePart]) -> dict[Key, GateFigure]:
    """Compute the figures of all corpora from the contributions of their pages."""
    parts, wholes = defaultdict[Key, float](float), defaultdict[Key, float](float)
    pages, failed = defaultdict[Key, int](int), defaultdict[Key, int](int)
    for mark in marks:
        parts[mark.key] += mark.part
        wholes[mark.key] += mark.whole
        pages[mark.key] += 1
        failed[mark.key] += mark.failed
    return {key: GateFigure(parts[key] / wholes[key] if wholes[key] else 0.0, pages[key], failed[key]) for key in parts}


def _has_gold(sample: Sample) -> bool:
    return any(name in sample.gold for name in ("text", "with", "without"))


def _fixed_sample(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Return the pages with the smallest digests of their ids, so that the selection changes little if pages
    are added.
    """
    order = sorted(samples, key=lambda sample: hashlib.sha256(sample.id.encode(errors="surrogatepass")).digest())
    return tuple(order[:SAMPLED])


def _page(sample: Sample) -> Page | None:
    try:
        return Page(sample.html, sample.url or None)
    except TidingsError:
        return None


def _by_default(page: Page | None) -> tuple[Article, bool]:
    """Extract a page by the default; return the article, and whether the extraction failed."""
    if page is None:
        return Article(), True
    try:
        return extract(page), False
    except MissingExtra:
        raise
    except Exception:  # measure the other pages; the table counts the failure
        return Article(), True


def _by_name(page: Page | None, name: str) -> tuple[str, bool]:
    """Extract a page by a named extractor; return the text, and whether the extraction failed."""
    if page is None:
        return "", True
    try:
        return extractor(name)(page).text(page), False
    except MissingExtra:
        raise
    except Exception:  # see `_by_default`
        return "", True


def _text_marks(item: GateItem, name: str, text: str, title: str, failed: bool) -> Iterator[FigurePart]:
    """Yield word F1 (character F1 for scripts without spaces), or pooled F1 of segments if there is no ground-truth
    text.
    """
    sample = item.sample
    if "text" in sample.gold:
        score = text_score(sample, text, title)
        if score is not None:  # pages with empty ground truth count in no mean
            yield FigurePart(Key(item.corpus, name, "words"), score.f1, 1, failed)
        return
    counts = gold_segments(text, sample.gold)
    if counts is not None:
        yield FigurePart(
            Key(item.corpus, name, "segments"), 2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn, failed
        )


def _field_marks(item: GateItem, article: Article) -> Iterator[FigurePart]:
    """Yield for each field with ground truth whether it is exactly right."""
    gold = item.sample.gold
    verdicts: dict[str, FieldVerdict] = {
        "headline": headline_verdict(article.title, gold),
        "authors": authors_verdict(article.authors, gold),
        # Ground truth and other extractors have one date: the date of change if no other is declared.
        "date": date_verdict(article.published_as_stated or article.modified_as_stated, gold),
    }
    for measure, verdict in verdicts.items():
        if verdict.right is not None:
            yield FigurePart(Key(item.corpus, DEFAULT_NAME, measure), float(verdict.right), 1)
