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
from tidings_lab.metrics.texts import gold_segments, text_score

#: Pages of each corpus on which every extractor is measured: all corpora together stay within a few minutes.
SAMPLED: Final = 60


@dataclass(frozen=True, slots=True)
class Tested:
    """A corpus, the pages the default is measured on, and those of the sample."""

    corpus: str
    samples: tuple[Sample, ...]
    sampled: tuple[Sample, ...]

    def digests(self) -> dict[bool, str]:
        """For the default (True) and for the others (False) the digest of their pages."""
        return {True: digest(self.samples), False: digest(self.sampled)}


@dataclass(frozen=True, slots=True)
class GateItem:
    """One page and the extractors to run on it; the default always runs."""

    corpus: str
    sample: Sample
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FigurePart:
    """What a page adds to a figure, which is the sum of the parts over the sum of the wholes."""

    key: Key
    part: float
    whole: float
    failed: bool = False


@dataclass(frozen=True, slots=True)
class GateFigure:
    """A figure, of how many pages, and how often the extractor raised an error."""

    value: float
    pages: int
    failed: int = 0


def plan(folders: Sequence[Path]) -> list[Tested]:
    """The corpora as they are tested.

    Raises:
        InputError: a folder is no corpus, has no page with gold text or segments, or two have the same name.
    """
    tested = []
    for folder in folders:
        samples = tuple(sample for sample in load(folder, needs=None) if _has_gold(sample))
        if not samples:
            raise InputError(f"{folder} has no page with gold text or segments")
        tested.append(Tested(folder.resolve().name, samples, _fixed_sample(samples)))
    names = [one.corpus for one in tested]
    if len(set(names)) < len(names):
        raise InputError(f"floors are kept by the corpus's name, and two have the same: {', '.join(sorted(names))}")
    return tested


def items(tested: Iterable[Tested]) -> Iterator[GateItem]:
    """The pages to measure, each once."""
    names = tuple(entry.name for entry in entries())
    for one in tested:
        chosen = {sample.id for sample in one.sampled}
        for sample in one.samples:
            yield GateItem(one.corpus, sample, names if sample.id in chosen else ())


def measure_page(item: GateItem) -> list[FigurePart]:
    """Run extractors on a page. One that raises an error has found nothing there.

    Raises:
        MissingExtra: an extractor needs something that is not installed: that is no figure.
    """
    page = _page(item.sample)
    article, failed = _by_default(page)
    marks = [*_text_marks(item, DEFAULT_NAME, article.text, article.title, failed), *_field_marks(item, article)]
    for name in item.names:
        text, failed = _by_name(page, name)
        marks += _text_marks(item, name, text, article.title, failed)
    return marks


def tally(marks: Iterable[FigurePart]) -> dict[Key, GateFigure]:
    """Figures from marks."""
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
    """By the digest of the id: the same pages each time, and most of them still when pages are added."""
    order = sorted(samples, key=lambda sample: hashlib.sha256(sample.id.encode(errors="surrogatepass")).digest())
    return tuple(order[:SAMPLED])


def _page(sample: Sample) -> Page | None:
    try:
        return Page(sample.html, sample.url or None)
    except TidingsError:
        return None


def _by_default(page: Page | None) -> tuple[Article, bool]:
    """The article, and whether there is none because of an error."""
    if page is None:
        return Article(), True
    try:
        return extract(page), False
    except MissingExtra:
        raise
    except Exception:  # whatever it is, the other pages are measured, and the table counts this one
        return Article(), True


def _by_name(page: Page | None, name: str) -> tuple[str, bool]:
    """The text, and whether there is none because of an error."""
    if page is None:
        return "", True
    try:
        return extractor(name)(page).text(page), False
    except MissingExtra:
        raise
    except Exception:  # as above
        return "", True


def _text_marks(item: GateItem, name: str, text: str, title: str, failed: bool) -> Iterator[FigurePart]:
    """Word F1 (character F1 where the script has no spaces), or pooled F1 of segments where gold has no text."""
    sample = item.sample
    if "text" in sample.gold:
        score = text_score(sample, text, title)
        if score is not None:  # empty gold is in no mean
            yield FigurePart(Key(item.corpus, name, "words"), score.f1, 1, failed)
        return
    counts = gold_segments(text, sample.gold)
    if counts is not None:
        yield FigurePart(
            Key(item.corpus, name, "segments"), 2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn, failed
        )


def _field_marks(item: GateItem, article: Article) -> Iterator[FigurePart]:
    """Each field that gold has: exactly right or not."""
    gold = item.sample.gold
    verdicts: dict[str, FieldVerdict] = {
        "headline": headline_verdict(article.title, gold),
        "authors": authors_verdict(article.authors, gold),
        # Gold has one date: where a page tells only when it was changed, that one. So have the peers.
        "date": date_verdict(article.published_as_stated or article.modified_as_stated, gold),
    }
    for measure, verdict in verdicts.items():
        if verdict.right is not None:
            yield FigurePart(Key(item.corpus, DEFAULT_NAME, measure), float(verdict.right), 1)
