"""What a feed tells of a story beforehand: is a page read better with the title, or with the teaser, that led to it?

The title is gold's headline, or its first line where that is no paragraph; the teaser is gold's first paragraph, as
feeds give it. Each story is read without, with the title, with the teaser and with both. Sites are in two halves by
a hash of their name, so that rules may be made with one half in view and held to the other. No document has this
measure; N-EXT, which is built on teasers, has studies of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Final

from tidings.charts import Chart
from tidings.extractors.learned import Learned
from tidings.extractors.registry import Extractor
from tidings.fields.keys import plain
from tidings.lab.corpora.corpus import Sample
from tidings.lab.metrics.texts import text_score
from tidings.lab.studies.study import Each, Study, Trials, in_turn
from tidings.lab.tables import Cell, Table
from tidings.page import Hints, Page

#: Word F1 below which there is something to gain.
LOW: Final = 0.9
_LONGEST_TITLE, _SHORTEST_TITLE, _SHORTEST_TEASER = 160, 3, 60  # characters
_HALVES: Final = ("first half", "second half")


@dataclass(frozen=True, slots=True)
class HintedReading:
    """The word F1 of a story as it is read without and with what led to it."""

    corpus: str
    half: str
    without: float
    title: float
    teaser: float
    both: float


@dataclass(frozen=True, slots=True)
class HintsCompared:
    """What was measured."""

    readings: Trials[HintedReading]

    def tables(self) -> tuple[Table, ...]:
        """The gain over all stories, and over those that are read badly without."""
        low = Trials(one for one in self.readings if one.without < LOW)
        columns = ("corpus", "stories", "without", "title", "teaser", "both", "better by the title", "worse")
        return (
            Table("Gain by what led to the page", columns, tuple(_rows(self.readings))),
            Table(f"The same where word F1 is under {LOW} without", columns, tuple(_rows(low))),
        )

    def charts(self) -> tuple[Chart, ...]:
        """None."""
        return ()


def _rows(readings: Trials[HintedReading]) -> Iterator[tuple[Cell, ...]]:
    parts = [(name, readings.where(corpus=name)) for name in sorted(set(readings.column("corpus")))]
    parts += [(half, readings.where(half=half)) for half in _HALVES]
    for name, read in (*parts, ("all", readings)):
        if not len(read):
            continue
        without = read.mean("without")
        gains = [f"{read.mean(hint) - without:+.4f}" for hint in ("title", "teaser", "both")]
        better, worse = sum(one.title > one.without for one in read), sum(one.title < one.without for one in read)
        yield name, len(read), without, *gains, better, worse


def run(samples: Sequence[Sample], each: Each = in_turn, extractor: Extractor | None = None) -> HintsCompared:
    """Every article whose gold has a headline, read by the default."""
    articles = [sample for sample in samples if sample.page_type == "article" and title_of(sample)]
    found = each(partial(read, extractor=extractor or Learned()), articles, "pages")
    return HintsCompared(Trials(one for one in found if one is not None))


def title_of(sample: Sample) -> str:
    """Gold's headline: its title, or else its first line, where that is short."""
    title = str(sample.gold.get("title") or "")
    first = str(sample.gold["text"]).partition("\n")[0].strip()
    return title or (first if _SHORTEST_TITLE <= len(first) <= _LONGEST_TITLE else "")


def teaser_of(sample: Sample) -> str:
    """Gold's first paragraph behind the headline."""
    title = plain(title_of(sample))
    lines = map(str.strip, str(sample.gold["text"]).splitlines())
    return next((line for line in lines if len(line) >= _SHORTEST_TEASER and plain(line) != title), "")


def read(sample: Sample, extractor: Extractor) -> HintedReading | None:
    """How a story is read without and with hints; None if gold is empty."""
    title, teaser = title_of(sample), teaser_of(sample)
    scores = []
    for hints in (Hints(), Hints(title=title), Hints(description=teaser), Hints(title=title, description=teaser)):
        page = Page(sample.html, sample.url, hints)
        score = text_score(sample, extractor(page).text(page), title)
        if score is None:
            return None
        scores.append(score.f1)
    return HintedReading(sample.corpus, _HALVES[sha256(sample.site.encode()).digest()[0] % 2], *scores)


STUDY: Final = Study("hints", "Gain by the title and the teaser that led to a page", "none: a measure of ours", run)
