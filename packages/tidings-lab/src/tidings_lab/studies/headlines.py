"""Headlines by TitleFinder in its four forms, by its baselines and by rivals: exact matches, and speed.

Source: DANA thesis 5.4, table 5.4: F1 of exact matches (eq. 5.4, 5.5), its mean over sites, and KB/s. All pages of the
thesis meet a condition: the headline is part of the title element and a separate run of the page. Here there are
columns for eligible pages and for all pages. Also compared are the improvement of 5.5 (title words that are not in the
main content are ignored), Fan's structural rival (5.1), and the headline of `tidings.extract`. The main content comes
from the default extractor, and its time does not count. Speed is from bytes to headline, with a new page for each
method.

Fan's rival (Fan et al., cited in the DANA thesis, 5.1) uses structure only: candidates are lines that begin no further
to the right than the main text, are not below its first quarter, and have at least its font size; a score of font size
and position selects one. The thesis gives no numbers for the score. Here no page is rendered: the font size is
estimated from tags and `style` attributes (`type_sizes`, with the sizes of the HTML standard, 15.3.7 and 15.3.4), and
the horizontal position is ignored. The score is the size in em; proximity to the beginning of the main text decides
ties.
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
from tidings.fields.titles import choice as title_choice
from tidings.fields.titles.title_finder import Form, Headline, headline
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
#: Bold text counts as larger than it is: between body text and h4.
_BOLDER: Final = 0.1


def type_sizes(page: Page) -> NDArray[np.float64]:
    """Return the estimated font size of each element's text in em; bold text counts as slightly larger."""
    own = np.ones(len(page.tag_names))
    for name, size in _SIZES.items():
        own[tags.NUMBERS[name]] = size
    sizes = own[page.elements.tag]
    is_declared = sizes != 1.0
    for element in _styled(page):
        size = _declared_size(page.attributes(element))
        if size:
            sizes[element], is_declared[element] = size, True
    nearest = page.nearest_of(is_declared)
    bold = page.nearest_of(np.isin(page.elements.tag, list(_BOLD))) > 0
    return np.asarray(np.where(nearest > 0, sizes[nearest], 1.0) + _BOLDER * bold)


def _styled(page: Page) -> list[int]:
    """Return the elements whose start tag declares a font size, or that are `<font>`."""
    places = [match.start() for match in re.finditer(r"font-size|<font", page.source, re.IGNORECASE)]
    elements = np.searchsorted(page.elements.start, places, side="right") - 1
    return [element for element in distinct(elements).tolist() if element > 0]


def _declared_size(attributes: dict[str, str]) -> float:
    if match := _STYLED.search(attributes.get("style", "")):
        return float(match[1]) * _IN_EM[match[2].lower()]
    size = attributes.get("size", "")
    return _FONT[int(size) - 1] if len(size) == 1 and size in "1234567" else 0.0


#: Smaller than any difference of font sizes.
_NEARNESS: Final = 0.05
#: The maximal number of characters of a headline.
_LONGEST: Final = 300


def fan(page: Page, content: Spans) -> Headline | None:
    """Return the headline of a page with known main text; None if there is no candidate."""
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


def _text(result: Headline | None) -> str:
    return result.text if result else ""


def _by(form: Form) -> Finds:
    return lambda page, _: _text(headline(page, form))


def _chosen(page: Page, content: Spans) -> str:
    title = title_choice.find(page, content)
    return title.value if title else ""


#: The compared methods: those of table 5.4 in order, then the later ones.
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
    """The results of each method on a page: whether the headline is right, and the time."""

    corpus: str
    site: str
    is_eligible: bool
    size: int  # bytes
    verdicts: tuple[FieldVerdict, ...]  # in the order of WAYS
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Headlines:
    """Verdicts by page and method."""

    tried: Trials[HeadlineTrial]

    def tables(self) -> tuple[Table, ...]:
        """Return F1 over pages and over sites, on all pages and on eligible ones, and the speed."""
        rows: list[tuple[Cell, ...]] = []
        for corpus in sorted(set(self.tried.column("corpus"))):
            pages = self.tried.where(corpus=corpus)
            eligible = pages.where(is_eligible=True)
            for place, way in enumerate(WAYS):
                speed = sum(pages.column("size")) / 1000 / max(sum(page.seconds[place] for page in pages), 1e-9)
                figures = (f1(pages, place), f1(eligible, place), macro_f1(eligible, place))
                rows.append((corpus, len(pages), len(eligible), way, *figures, round(speed)))
        columns = ("pages of", "pages", "eligible", "by", "F1, all", "F1, eligible", "macro F1, eligible", "KB/s")
        return (Table("Headlines found exactly", columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """Return a chart of F1, for eligible pages and for all."""
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
    """Return the F1 of a method over pages (eq. 5.5)."""
    return FieldScore.of(page.verdicts[place] for page in pages).counts.f1


def macro_f1(pages: Trials[HeadlineTrial], place: int) -> float:
    """Return the mean of a method's F1 over sites, as in the last row of table 5.4."""
    sites = set(pages.column("site"))
    return float(np.mean([f1(pages.where(site=site), place) for site in sites])) if sites else 0.0


def is_eligible(page: Page, title: str) -> bool:
    """Return whether a page is eligible: its headline is part of the title element and a separate run of text (thesis
    5.4.1).
    """
    folded = fold_typography(title)
    if not folded or folded not in fold_typography(page.signals.title):
        return False
    runs = page.runs
    candidates = np.flatnonzero(~runs.hidden & (np.abs(runs.text_end - runs.text_start - len(title)) <= len(title)))
    return any(
        fold_typography(page.text[runs.text_start[run_number] : runs.text_end[run_number]]) == folded
        for run_number in candidates
    )


def run(samples: Sequence[Sample], each: Each = in_turn) -> Headlines:
    """Measure every method on every page with a ground-truth headline."""
    with_title = [sample for sample in samples if str(sample.gold.get("title") or "").strip()]
    return Headlines(Trials(each(_try, with_title, "headlines")))


def _try(sample: Sample) -> HeadlineTrial:
    data = sample.html
    page = Page(data, sample.url or None)
    content = extractors.extractor(extractors.DEFAULT)(page)
    verdicts, seconds = [], []
    for way in WAYS.values():
        start = process_time()
        result = way(Page(data, sample.url or None), content)
        seconds.append(process_time() - start)
        verdicts.append(headline_verdict(result, sample.gold))
    corpus = sample.corpus or sample.file.parent.parent.name
    eligible = is_eligible(page, str(sample.gold["title"]))
    return HeadlineTrial(corpus, sample.site, eligible, len(data), tuple(verdicts), tuple(seconds))


STUDY: Final = Study("headlines", "TitleFinder's forms, its baselines and rivals", "DANA thesis 5.4, table 5.4", run)
