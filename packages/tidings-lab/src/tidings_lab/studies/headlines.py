"""Headlines by TitleFinder in its four forms, by its baselines and rivals: found exactly or not, and how fast.

DANA thesis 5.4, table 5.4: F1 of exact matches (eq. 5.4, 5.5), its mean over sites, and KB/s. The thesis's pages all
meet a condition: the headline is part of the title element and stands on the page as a run of its own. Pages that meet
it are a column here, and so are all. Beside the forms stand the improvement of 5.5 (words of the title that the main
content does not have are not asked for), Fan's structural rival (5.1), and the choice that `tidings.extract` makes.

The main content that three of them need is the default extractor's, and its time is not counted. Speed is from bytes to
the headline, the page's columns made anew for each.

Fan's rival finds the headline by structure alone. Fan et al., cited in the DANA thesis, 5.1: candidates are lines of
text that begin no further to the right than the main text, stand no lower than its first quarter, and are set in type
no smaller than its; a score from the size of the type and from the place chooses among them. The thesis gives no
numbers for the score.

Here no page is drawn: the size of the type is estimated (`type_sizes`), the horizontal place not known and not asked
for. The score is the size in em; the nearness to the beginning of the main text decides among equals.

How large the type of each element is, is told by its tags alone; no style sheet is read. Sizes of headings and of the
font element are those of the HTML standard (15.3.7, 15.3.4); sizes in `style` count too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings import extractors
from tidings.charts import Chart, ChartKind, Series
from tidings.fields import title_choice
from tidings.fields.headline import Form, Headline, headline
from tidings.page import Page, Spans, tags
from tidings.page.columns import distinct
from tidings.text import fold_space
from tidings_lab.corpora import Sample
from tidings_lab.metrics.fields import FieldScore, FieldVerdict, headline_verdict
from tidings_lab.metrics.headline_equality import fold_typography
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.studies.trials import Trials
from tidings_lab.tables import Cell, Table

_SIZES: Final = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h4": 1.0, "h5": 0.83, "h6": 0.67, "big": 1.2, "small": 0.83}
_BOLD: Final = tags.numbers("b strong")
#: Sizes of the font element, 1 to 7, in em (HTML standard, 15.3.4).
_FONT: Final = (0.63, 0.82, 1.0, 1.13, 1.5, 2.0, 3.0)
_STYLED: Final = re.compile(r"font-size\s{0,9}:\s{0,9}(\d{1,3}(?:\.\d{1,3})?)(px|pt|r?em|%)", re.IGNORECASE)
_IN_EM: Final = {"px": 1 / 16, "pt": 1 / 12, "em": 1.0, "rem": 1.0, "%": 0.01}
#: Bold type looks larger than it is: between body text and h4.
_BOLDER: Final = 0.1


def type_sizes(page: Page) -> NDArray[np.float64]:
    """The estimated size of type of each element's text, in em; bold text a little larger."""
    own = np.ones(len(page.tag_names))
    for name, size in _SIZES.items():
        own[tags.NUMBERS[name]] = size
    sizes = own[page.elements.tag]
    told = sizes != 1.0
    for element in _styled(page):
        size = _told_size(page.attributes(element))
        if size:
            sizes[element], told[element] = size, True
    nearest = page.nearest_of(told)
    bold = page.nearest_of(np.isin(page.elements.tag, list(_BOLD))) > 0
    return np.asarray(np.where(nearest > 0, sizes[nearest], 1.0) + _BOLDER * bold)


def _styled(page: Page) -> list[int]:
    """Elements with a size of type in their start tag."""
    places = [match.start() for match in re.finditer(r"font-size|<font", page.source, re.IGNORECASE)]
    found = np.searchsorted(page.elements.start, places, side="right") - 1
    return [element for element in distinct(found).tolist() if element > 0]


def _told_size(attributes: dict[str, str]) -> float:
    if match := _STYLED.search(attributes.get("style", "")):
        return float(match[1]) * _IN_EM[match[2].lower()]
    size = attributes.get("size", "")
    return _FONT[int(size) - 1] if len(size) == 1 and size in "1234567" else 0.0


#: Less than any difference of sizes.
_NEARNESS: Final = 0.05
#: A headline has a word and no more than so many characters.
_LONGEST: Final = 300


def fan(page: Page, content: Spans) -> Headline | None:
    """The headline of a page whose main text is known; None where no line can be it."""
    if not content:
        return None
    blocks = page.blocks
    start, end = int(content.starts[0]), int(content.ends[-1])
    length = blocks.text_end - blocks.text_start
    fits = (blocks.text_start <= start + (end - start) / 4) & ~blocks.hidden & (length <= _LONGEST)
    sizes = type_sizes(page)[page.runs.element[blocks.first]]
    candidates = np.flatnonzero(fits & (sizes >= 1.0) & (blocks.link_words < blocks.words))
    if not len(candidates):
        return None
    beginning = int(np.searchsorted(blocks.text_start, start))
    scores = sizes[candidates] + _NEARNESS / (1 + np.abs(beginning - candidates))
    best = int(candidates[np.argmax(scores)])
    first, last = int(blocks.first[best]), int(blocks.last[best])
    spans = page.shown(Spans.of_blocks(page, [best]))
    return Headline(fold_space(spans.text(page)), spans, first, last, float(scores.max()), None)


Finds = Callable[[Page, Spans], str]


def _text(found: Headline | None) -> str:
    return found.text if found else ""


def _by(form: Form) -> Finds:
    return lambda page, _: _text(headline(page, form))


def _chosen(page: Page, content: Spans) -> str:
    found = title_choice.find(page, content)
    return found.value if found else ""


#: What is compared, in the order of table 5.4, then what came after it.
WAYS: Final[Mapping[str, Finds]] = {
    "TF": _by(Form.TF),
    "TF-IDF": _by(Form.TF_IDF),
    "OSM (eq. 5.2)": _by(Form.OSM),
    "Aggregate (eq. 5.3)": _by(Form.AGGREGATE),
    "largest heading": _by(Form.LARGEST_HEADING),
    "title element": _by(Form.TITLE_ELEMENT),
    "TF, words of the content (5.5)": lambda page, content: _text(headline(page, content=content)),
    "Fan (5.1)": lambda page, content: _text(fan(page, content)),
    "the choice": _chosen,
}


@dataclass(frozen=True, slots=True)
class HeadlineTrial:
    """One page: what became of its headline by each way, and how long that took."""

    corpus: str
    site: str
    is_eligible: bool
    size: int  # bytes
    verdicts: tuple[FieldVerdict, ...]  # in the order of WAYS
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Headlines:
    """How often each way finds the headline."""

    tried: Trials[HeadlineTrial]

    def tables(self) -> tuple[Table, ...]:
        """F1 over pages and over sites, on all pages and on those of the thesis's kind, and the speed."""
        rows: list[tuple[Cell, ...]] = []
        for corpus in sorted(set(self.tried.column("corpus"))):
            pages = self.tried.where(corpus=corpus)
            eligible = pages.where(is_eligible=True)
            for place, way in enumerate(WAYS):
                speed = sum(pages.column("size")) / 1000 / max(sum(one.seconds[place] for one in pages), 1e-9)
                figures = (f1(pages, place), f1(eligible, place), macro_f1(eligible, place))
                rows.append((corpus, len(pages), len(eligible), way, *figures, round(speed)))
        columns = ("pages of", "pages", "eligible", "by", "F1, all", "F1, eligible", "macro F1, eligible", "KB/s")
        return (Table("Headlines found exactly", columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """The same as bars, for eligible pages and for all."""
        corpora = sorted(set(self.tried.column("corpus")))
        charts = []
        of_thesis = self.tried.where(is_eligible=True)
        for name, title, tried in (
            ("all", "all pages", self.tried),
            ("eligible", "pages of the thesis's kind", of_thesis),
        ):
            series = tuple(
                Series(corpus, tuple(f1(tried.where(corpus=corpus), place) for place in range(len(WAYS))))
                for corpus in corpora
            )
            about = f"Headlines found exactly, {title}"
            charts.append(Chart(f"headlines-{name}", about, "", "F1", tuple(WAYS), series, ChartKind.BARS))
        return tuple(charts)


def f1(pages: Sequence[HeadlineTrial], place: int) -> float:
    """F1 of one way over pages (eq. 5.5)."""
    return FieldScore.of(one.verdicts[place] for one in pages).counts.f1


def macro_f1(pages: Trials[HeadlineTrial], place: int) -> float:
    """The mean of the sites' F1, as in the last row of table 5.4."""
    sites = set(pages.column("site"))
    return float(np.mean([f1(pages.where(site=site), place) for site in sites])) if sites else 0.0


def is_eligible(page: Page, wanted: str) -> bool:
    """Whether a headline is part of the title element and a run of its own (thesis 5.4.1)."""
    told = fold_typography(wanted)
    if not told or told not in fold_typography(page.signals.title):
        return False
    runs = page.runs
    shown = np.flatnonzero(~runs.hidden & (np.abs(runs.text_end - runs.text_start - len(wanted)) <= len(wanted)))
    return any(fold_typography(page.text[runs.text_start[one] : runs.text_end[one]]) == told for one in shown)


def run(samples: Sequence[Sample], each: Each = in_turn) -> Headlines:
    """Every way on every page whose gold has a headline."""
    told = [sample for sample in samples if str(sample.gold.get("title") or "").strip()]
    return Headlines(Trials(each(_try, told, "headlines")))


def _try(sample: Sample) -> HeadlineTrial:
    data = sample.html
    page = Page(data, sample.url or None)
    content = extractors.extractor(extractors.DEFAULT)(page)
    verdicts, seconds = [], []
    for way in WAYS.values():
        start = process_time()
        found = way(Page(data, sample.url or None), content)
        seconds.append(process_time() - start)
        verdicts.append(headline_verdict(found, sample.gold))
    corpus = sample.corpus or sample.file.parent.parent.name
    eligible = is_eligible(page, str(sample.gold["title"]))
    return HeadlineTrial(corpus, sample.site, eligible, len(data), tuple(verdicts), tuple(seconds))


STUDY: Final = Study("headlines", "TitleFinder's forms, its baselines and rivals", "DANA thesis 5.4, table 5.4", run)
