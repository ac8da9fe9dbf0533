"""Two measures on real pages that no publication has: long texts, and hints from the link to a page.

Long texts: does the selection end before the text does? Few pages have stories of four thousand words, and those are
from few sites. So stories are lengthened: after the last paragraph of a story, in its box and with its start tag,
paragraphs of other stories of the site are inserted, and of other stories in the language if the site has too few,
until the ground truth has more than four thousand words. Nothing else of the page changes. No document has this
measure; once the scores of blocks sank steadily within one box.

Hints: is a page read better with the title, or with the teaser, that led to it? The title is the ground-truth headline,
or its first line if that is not a paragraph; the teaser is the first paragraph, like in feeds. Sites are in two halves
by a hash of their name, so that rules can be made with one half and tested on the other. No document has this measure
either; N-EXT, which is built on teasers, has its own studies.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from html import escape
from itertools import chain
from typing import Final

from tidings.charts import Chart
from tidings.extractors.learned import Learned
from tidings.extractors.registry import Extractor
from tidings.fields.keys import plain
from tidings.page import Hints, Page, tags
from tidings.text import base_language, count_words
from tidings_lab.corpora.sample import Sample
from tidings_lab.learners.gold_words import shares
from tidings_lab.metrics.page_scores import text_score
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.studies.trials import Trials
from tidings_lab.tables import Cell, Table

#: The least number of words of a long text.
LONG: Final = 4000
_PARAGRAPH: Final = 15  # words
_FEWEST: Final = 3  # least number of paragraphs in one box of a story to lengthen
_LOST: Final = 0.8  # recall below which a page counts as lost
_P: Final = tags.NUMBERS["p"]


@dataclass(frozen=True, slots=True)
class LengthenedPage:
    """A page into whose story paragraphs were inserted, with ground truth that includes them."""

    sample: Sample  # with the longer gold
    html: str


@dataclass(frozen=True, slots=True)
class LengthenedReading:
    """The scores for an original story, and for the same story with inserted paragraphs."""

    corpus: str
    before: float  # recall
    recall: float
    precision: float


@dataclass(frozen=True, slots=True)
class Lengthened:
    """The scores of all lengthened stories."""

    readings: Trials[LengthenedReading]

    def tables(self) -> tuple[Table, ...]:
        """Return a table with a row for each corpus, and one for all."""
        named = [(name, self.readings.where(corpus=name)) for name in sorted(set(self.readings.column("corpus")))]
        rows: list[tuple[Cell, ...]] = []
        for name, read in [*named, ("all", self.readings)]:
            means = map(read.mean, ("before", "recall", "precision"))
            rows.append((name, len(read), *means, sum(reading.recall < _LOST for reading in read)))
        columns = ("corpus", "stories", "recall as they are", "recall", "precision", f"stories under {_LOST}")
        return (Table("Stories that were lengthened", columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """Return no charts."""
        return ()


def run(
    samples: Sequence[Sample], each: Each = in_turn, extractor: Extractor | None = None, long: int = LONG
) -> Lengthened:
    """Measure every story that can be lengthened with the default extractor."""
    readings = each(partial(read, extractor=extractor or Learned()), with_more(samples, long), "pages")
    return Lengthened(Trials(reading for reading in readings if reading is not None))


def with_more(samples: Sequence[Sample], long: int = LONG) -> list[tuple[Sample, tuple[str, ...]]]:
    """Return each article with complete ground truth, and the paragraphs to insert."""
    articles = [sample for sample in samples if sample.page_type == "article" and not sample.is_partial]
    by_site, by_language = defaultdict(list), defaultdict(list)
    for sample in articles:
        by_site[sample.site].append(sample)
        by_language[base_language(sample.lang)].append(sample)
    result = []
    for place, sample in enumerate(articles):
        same_language = by_language[base_language(sample.lang)]
        start = place % len(same_language)  # each story gets others, the same ones each time
        others = chain(by_site[sample.site], same_language[start:], same_language[:start])
        added = tuple(_enough(sample, (other for other in others if other.id != sample.id), long))
        result += [(sample, added)] if added else []
    return result


def _enough(sample: Sample, stories: Iterator[Sample], long: int) -> list[str]:
    """Return distinct paragraphs of other stories, as many as make a story long; none if they do not suffice."""
    words, added = count_words(str(sample.gold["text"])), dict[str, int]()
    for other in stories:
        for paragraph in map(str.strip, str(other.gold["text"]).splitlines()):
            size = count_words(paragraph)
            if size >= _PARAGRAPH and paragraph not in added:
                added[paragraph] = size
                words += size
            if words > long:
                return list(added)
    return []


def lengthen(sample: Sample, added: Sequence[str]) -> LengthenedPage | None:
    """Return the page with inserted paragraphs; None if its story does not consist of paragraphs."""
    page = Page(sample.html, sample.url)
    blocks, elements, gold = page.blocks, page.elements, str(sample.gold["text"])
    is_story = (shares(page, gold) > 0.5) & ~blocks.hidden & (blocks.words >= _PARAGRAPH)
    story = blocks.element[is_story & (elements.tag[blocks.element] == _P)]
    if not len(story):
        return None
    box, count = Counter(elements.parent[story].tolist()).most_common(1)[0]
    if count < _FEWEST:
        return None
    last = int(story[elements.parent[story] == box][-1])
    end = int(elements.end[last])
    (tag,) = page.cut.tags(page.opened[[last]])
    inserted = "".join(f"{tag}{escape(paragraph)}</p>\n" for paragraph in added)
    longer = replace(sample, gold={**sample.gold, "text": "\n\n".join((gold, *added))})
    return LengthenedPage(longer, f"{page.source[:end]}\n{inserted}{page.source[end:]}")


def read(story: tuple[Sample, tuple[str, ...]], extractor: Extractor) -> LengthenedReading | None:
    """Return the scores of a story, original and lengthened; None if it cannot be lengthened."""
    sample, added = story
    longer = lengthen(sample, added)
    if longer is None:
        return None
    before, after = Page(sample.html, sample.url), Page(longer.html, sample.url)
    before_score = text_score(sample, extractor(before).text(before))
    after_score = text_score(longer.sample, extractor(after).text(after))
    if before_score is None or after_score is None:
        return None
    return LengthenedReading(sample.corpus, before_score.recall, after_score.recall, after_score.precision)


STUDY: Final = Study(
    "lengthened", "Recall of stories lengthened to four thousand words", "none: a measure of ours", run
)


#: Word F1 below which a page can be improved.
LOW: Final = 0.9
_LONGEST_TITLE, _SHORTEST_TITLE, _SHORTEST_TEASER = 160, 3, 60  # characters
_HALVES: Final = ("first half", "second half")


@dataclass(frozen=True, slots=True)
class HintedReading:
    """Word F1 for a story without hints, with its title, with its teaser, and with both."""

    corpus: str
    half: str
    without: float
    title: float
    teaser: float
    both: float


@dataclass(frozen=True, slots=True)
class HintsCompared:
    """Scores of all stories without and with hints."""

    readings: Trials[HintedReading]

    def tables(self) -> tuple[Table, ...]:
        """Return the gain over all stories, and over those with a low score without hints."""
        low = Trials(reading for reading in self.readings if reading.without < LOW)
        columns = ("corpus", "stories", "without", "title", "teaser", "both", "better by the title", "worse")
        return (
            Table("Gain by what led to the page", columns, tuple(_rows(self.readings))),
            Table(f"The same where word F1 is under {LOW} without", columns, tuple(_rows(low))),
        )

    def charts(self) -> tuple[Chart, ...]:
        """Return no charts."""
        return ()


def _rows(readings: Trials[HintedReading]) -> Iterator[tuple[Cell, ...]]:
    parts = [(name, readings.where(corpus=name)) for name in sorted(set(readings.column("corpus")))]
    parts += [(half, readings.where(half=half)) for half in _HALVES]
    for name, read in (*parts, ("all", readings)):
        if not len(read):
            continue
        without = read.mean("without")
        gains = [f"{read.mean(hint) - without:+.4f}" for hint in ("title", "teaser", "both")]
        better, worse = (
            sum(reading.title > reading.without for reading in read),
            sum(reading.title < reading.without for reading in read),
        )
        yield name, len(read), without, *gains, better, worse


def run_hints(samples: Sequence[Sample], each: Each = in_turn, extractor: Extractor | None = None) -> HintsCompared:
    """Measure every article with a ground-truth headline with the default extractor."""
    articles = [sample for sample in samples if sample.page_type == "article" and title_of(sample)]
    readings = each(partial(read_hinted, extractor=extractor or Learned()), articles, "pages")
    return HintsCompared(Trials(reading for reading in readings if reading is not None))


def title_of(sample: Sample) -> str:
    """Return the ground-truth headline: its title, or else its first line if that is short."""
    title = str(sample.gold.get("title") or "")
    first = str(sample.gold["text"]).partition("\n")[0].strip()
    return title or (first if _SHORTEST_TITLE <= len(first) <= _LONGEST_TITLE else "")


def teaser_of(sample: Sample) -> str:
    """Return the first paragraph of the ground truth after the headline."""
    title = plain(title_of(sample))
    lines = map(str.strip, str(sample.gold["text"]).splitlines())
    return next((line for line in lines if len(line) >= _SHORTEST_TEASER and plain(line) != title), "")


def read_hinted(sample: Sample, extractor: Extractor) -> HintedReading | None:
    """Return the scores of a story without and with hints; None if the ground truth is empty."""
    title, teaser = title_of(sample), teaser_of(sample)
    scores = []
    for hints in (Hints(), Hints(title=title), Hints(description=teaser), Hints(title=title, description=teaser)):
        page = Page(sample.html, sample.url, hints)
        score = text_score(sample, extractor(page).text(page), title)
        if score is None:
            return None
        scores.append(score.f1)
    return HintedReading(sample.corpus, _HALVES[sha256(sample.site.encode()).digest()[0] % 2], *scores)


HINTS: Final = Study(
    "hints", "Gain by the title and the teaser that led to a page", "none: a measure of ours", run_hints
)
