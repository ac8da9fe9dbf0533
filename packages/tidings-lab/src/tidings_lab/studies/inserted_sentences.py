"""LBNEST's inserted sentences: foreign sentences are inserted into stories; accepted and rejected sentences are
counted.

Source: LBNEST VI.B: 100 stories, unrelated sentences inserted by hand, similarity analysis with and without the text
filters (stop words removed, words stemmed), and for each story the share of sentences correctly accepted or rejected.
The figures of its table III are lost; its threshold of 0.20 (III.B) is known.

Here each story gets one foreign sentence for every four of its own, from stories of other sites in its language, at
positions determined by the story's id. The story is written as a page with one paragraph per sentence, its headline is
the anchor text that led to it, and LBNEST processes it.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import islice
from typing import Final

import numpy as np

from tidings.charts import Chart, Series
from tidings.extractors.published.lbnest import LBNEST, SentenceNeighbours, related
from tidings.page import Page
from tidings.page.columns import Bools
from tidings.page.hints import Hints
from tidings.text import FloatArray, base_language, count_words, sentences
from tidings_lab.corpora import Sample
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Table

THRESHOLDS: Final = tuple(round(0.02 * step, 2) for step in range(31))
OWN_FOR_EACH_FOREIGN: Final = 4
_FEWEST: Final = 4  # least number of sentences of a story
_LONGEST: Final = 60  # largest number of sentences of a story
_WORDS: Final = 5  # least number of words of a sentence: shorter ones are captions or datelines


@dataclass(frozen=True, slots=True)
class SampleStory:
    """A headline and its sentences, and which of these were inserted."""

    id: str
    lang: str
    headline: str
    sentences: tuple[str, ...]
    foreign: tuple[bool, ...]

    @property
    def page(self) -> Page:
        """Return the story as a page, with its headline as the anchor text of the link to it."""
        paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        html = f'<html lang="{escape(self.lang)}"><body>{paragraphs}</body></html>'
        return Page(html, hints=Hints(anchor=self.headline))


@dataclass(frozen=True, slots=True)
class SentenceCounts:
    """The results for a story at one threshold: shares of its own sentences accepted and of foreign ones rejected."""

    own_accepted: float
    foreign_rejected: float
    right: float  # the paper's accuracy: the share of correct decisions


@dataclass(frozen=True, slots=True)
class StoryReading:
    """The results for a story with one choice of filters and neighbours, for each threshold."""

    counts: dict[tuple[bool, SentenceNeighbours], tuple[SentenceCounts, ...]]
    own: float  # share of its own sentences: the accuracy of accepting everything


@dataclass(frozen=True, slots=True)
class Inserted:
    """The results for all stories."""

    readings: tuple[StoryReading, ...]

    def mean(self, filtered: bool, neighbours: SentenceNeighbours, what: str) -> tuple[float, ...]:
        """Return the mean of a count over stories, for each threshold."""
        key = filtered, neighbours
        table = [[getattr(counts, what) for counts in reading.counts[key]] for reading in self.readings]
        return tuple(np.mean(table, axis=0).tolist())

    def tables(self) -> tuple[Table, ...]:
        """Return table III at the paper's threshold, and at the best threshold."""
        rows: list[tuple[str | int | float, ...]] = []
        published = THRESHOLDS.index(LBNEST().similarity)
        for filtered in (False, True):
            for neighbours in SentenceNeighbours:
                own, foreign, right = (
                    self.mean(filtered, neighbours, what) for what in ("own_accepted", "foreign_rejected", "right")
                )
                balanced = [
                    (own_share + foreign_share) / 2 for own_share, foreign_share in zip(own, foreign, strict=True)
                ]
                best = int(np.argmax(balanced))
                filters = "with filters" if filtered else "without"
                published_figures = (own[published], foreign[published], right[published], balanced[published])
                rows.append((filters, neighbours.value, *published_figures, THRESHOLDS[best], balanced[best]))
        columns = (
            "text filters",
            "neighbours that must be related",
            "own accepted",
            "foreign rejected",
            "accuracy",
            "mean of both shares",
            "best threshold",
            "mean of both with it",
        )
        everything = float(np.mean([reading.own for reading in self.readings])) if self.readings else 0.0
        title = (
            f"{len(self.readings)} stories at similarity {LBNEST().similarity:.2f}; "
            f"accepting everything has accuracy {everything:.3f}"
        )
        return (Table(title, columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """Return a chart of accepted and rejected shares by threshold, with filters."""
        series = tuple(
            Series(f"{label},\nneighbours: {neighbours.value}", self.mean(True, neighbours, what))
            for neighbours in (SentenceNeighbours.BOTH, SentenceNeighbours.NONE)
            for label, what in (("own accepted", "own_accepted"), ("foreign rejected", "foreign_rejected"))
        )
        x, y = "similarity from which a sentence is related", "share of sentences"
        marked = ((LBNEST().similarity, "paper: 0.20"),)
        title = "Foreign sentences put into stories (text filters on)"
        return (Chart("inserted-sentences", title, x, y, THRESHOLDS, series, marked=marked),)


def run(samples: Sequence[Sample], each: Each = in_turn) -> Inserted:
    """Insert foreign sentences into every story with a headline and other stories in its language."""
    return Inserted(tuple(each(read, insert(samples), "stories")))


def insert(samples: Sequence[Sample]) -> list[SampleStory]:
    """Return the stories with foreign sentences."""
    own = {sample.id: _sentences(sample) for sample in samples}
    pools: dict[str, list[tuple[str, str]]] = {}
    for sample in samples:
        pools.setdefault(base_language(sample.lang), []).extend((sample.site, sentence) for sentence in own[sample.id])
    stories = []
    for sample in samples:
        headline = str(sample.gold.get("title") or "")
        if headline and len(own[sample.id]) >= _FEWEST:
            story = _with_foreign(sample, headline, own[sample.id][:_LONGEST], pools[base_language(sample.lang)])
            stories += [story] if any(story.foreign) else []
    return stories


def read(story: SampleStory) -> StoryReading:
    """Run LBNEST on a story with each choice and threshold."""
    page = story.page
    foreign = np.array(story.foreign)
    counts = {}
    for filtered in (False, True):
        likeness = LBNEST(filtered=filtered).score(page)  # one block for each paragraph, so for each sentence
        for neighbours in SentenceNeighbours:
            counts[filtered, neighbours] = tuple(map(partial(_count, likeness, foreign, neighbours), THRESHOLDS))
    return StoryReading(counts, float((~foreign).mean()))


def _count(likeness: FloatArray, foreign: Bools, neighbours: SentenceNeighbours, threshold: float) -> SentenceCounts:
    accepted = related(likeness, threshold, neighbours)
    return SentenceCounts(
        float(accepted[~foreign].mean()), float((~accepted[foreign]).mean()), float((accepted != foreign).mean())
    )


def _sentences(sample: Sample) -> list[str]:
    """Return the sentences of a story by paragraph."""
    headline = str(sample.gold.get("title") or "").strip()
    lines = [line for line in str(sample.gold["text"]).splitlines() if line.strip() and line.strip() != headline]
    cut = [sentence for line in lines for sentence in sentences(line, sample.lang)]
    return [sentence for sentence in cut if count_words(sentence) >= _WORDS]


def _with_foreign(sample: Sample, headline: str, own: list[str], pool: list[tuple[str, str]]) -> SampleStory:
    random = np.random.default_rng(zlib.crc32(sample.id.encode(errors="surrogatepass")))
    drawn = (pool[place] for place in random.permutation(len(pool)).tolist())
    count = max(1, len(own) // OWN_FOR_EACH_FOREIGN)
    inserted = list(islice((sentence for site, sentence in drawn if site != sample.site), count))
    foreign = np.zeros(len(own) + len(inserted), np.bool_)
    foreign[random.choice(len(foreign), len(inserted), replace=False)] = True
    own_sentences, foreign_sentences = iter(own), iter(inserted)
    text = tuple(next(foreign_sentences) if is_foreign else next(own_sentences) for is_foreign in foreign.tolist())
    return SampleStory(sample.id, sample.lang, headline, text, tuple(foreign.tolist()))


STUDY: Final = Study(
    "inserted-sentences", "Foreign sentences put into stories, accepted and rejected", "LBNEST VI.B, table III", run
)
