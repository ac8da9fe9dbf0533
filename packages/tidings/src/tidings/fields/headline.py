"""TitleFinder: the headline is the piece of text most like the page's `title` element.

Mohammadzadeh, Gottron, Schweiggert, Heyer; DANA thesis, chapter 5. The title element names the story, and often the
site, the date and more besides. It is put as a query to every visible run of text of the page; the most similar one
is the headline. Only words count, so it works on any template and in any language.

- TF, TF-IDF: cosine of term weights (eq. 2.6 to 2.9).
- OSM: overlap scoring, the query by tf-idf, the run by tf brought to length 1 (eq. 5.2).
- Aggregate: the sum of the three (eq. 5.3).
- Baselines (5.4.3): the title element itself; the first heading of the highest order.

Stop words are removed and words are not stemmed (2.1.4.4). A query of nothing but stop words ("Who are we?") keeps
them. Names of the site in the title mislead where they outnumber the words of the headline (5.4.4); the thesis's
remedy (5.5), to drop title words that the main content does not hold, is the argument `content`. Headings count as
content there: with content that lacks the headline, the remedy takes the headline's own words and does harm. So used,
with AdDANAg's result, TF finds 0.972 instead of 0.950 of the headlines on wcxb-dev that are runs and in the title.

The thesis does not say which of several equal runs is the headline, and the same line often stands in a trail of links
or a list too. Here a heading goes before other text, the higher order first, then the earlier before the later.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np

from tidings.page import Page, Spans, tags
from tidings.page.columns import Ints
from tidings.page.tag_sets import tag_set
from tidings.text import (
    FloatArray,
    Vectors,
    aggregate_scores,
    cosines,
    count_against,
    fold_case,
    fold_space,
    inverse_document_frequencies,
    overlap_scores,
    terms,
    tf_idf,
    unify_letters,
)

#: Scores nearer than this are equal: the order of a sum makes differences in the last digits.
_EQUAL: Final = 1e-9
#: Runs that are compared with the title at the same time; the largest of 3,916 real pages has 6,594.
_TOGETHER: Final = 10_000
_ORDERS: Final = tuple(tags.NUMBERS[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6"))
_HEADINGS: Final = tag_set(tags.HEADINGS)


class Form(StrEnum):
    """The four forms of TitleFinder and its two baselines (thesis, table 5.4)."""

    TF = "tf"  # did best there: macro F1 0.989
    TF_IDF = "tf-idf"  # 0.975
    OSM = "osm"  # 0.969
    AGGREGATE = "aggregate"  # 0.978
    LARGEST_HEADING = "largest heading"  # 0.6
    TITLE_ELEMENT = "title element"  # 0.1


class Headline(NamedTuple):
    """A headline and where it stands: runs `first` … `last - 1`, none for the title element."""

    text: str
    spans: Spans
    first: int
    last: int
    score: float  # how like the query; 0 for the baselines, which compare nothing
    form: Form | None  # None for a rival of TitleFinder's


def _on_tf_idf(query: Vectors, rows: Vectors) -> FloatArray:
    inverse = inverse_document_frequencies(rows)
    return cosines(tf_idf(query, inverse), tf_idf(rows, inverse))


_SCORES: Final[dict[Form, Callable[[Vectors, Vectors], FloatArray]]] = {
    Form.TF: cosines,
    Form.TF_IDF: _on_tf_idf,
    Form.OSM: overlap_scores,
    Form.AGGREGATE: aggregate_scores,
}


def scores(query: Sequence[str], sentences: Sequence[Sequence[str]], form: Form = Form.TF) -> FloatArray:
    """Return how like a query each sentence is, all given as terms (thesis 5.3.3)."""
    return _SCORES[form](*count_against(query, sentences))


def headline(
    page: Page,
    form: Form = Form.TF,
    *,
    content: Spans | None = None,
    hinted: bool = False,
    language: str | None = None,
) -> Headline | None:
    """Return the headline of a page, or None where nothing visible resembles its title.

    Args:
        page: the page, or a part of it.
        form: how runs are compared with the title; a baseline instead of TitleFinder.
        content: the main content; title words that neither it nor a heading holds are dropped first (thesis 5.5).
        hinted: ask by the feed's title or the anchor text, where the page has such a hint.
        language: whose stop words are removed; the one the page declares if None.
    """
    if form is Form.LARGEST_HEADING:
        return largest_heading(page)
    declared = page.signals
    if form is Form.TITLE_ELEMENT:
        return Headline(declared.title, Spans.none(len(page.text)), 0, 0, 0.0, form) if declared.title else None
    asked = (hinted and (page.hints.title or page.hints.anchor)) or declared.title
    spoken = declared.language if language is None else language
    stopped = bool(terms(asked, spoken, stemmed=False))

    def read(text: str) -> list[str]:
        return terms(text, spoken, without_stop_words=stopped, stemmed=False)

    query = read(asked)
    if content is not None:
        lines = (content | _headings(page)).text(page).split("\n")
        asked_for = frozenset(query)
        held = set(read("\n".join([line for line in lines if _may_hold(line, asked_for, spoken)])))
        query = [term for term in query if term in held] or query
    shown = np.flatnonzero(~page.runs.hidden)
    if form is Form.TF:  # a run that holds no word of the title is not like it
        shown = _holding(page, shown, frozenset(query), spoken)
    # The likeness of one run to the title has nothing to do with the others, but where words are weighed by those.
    together = _TOGETHER if form is Form.TF else max(len(shown), 1)
    if not len(shown):
        return None
    parts = [
        scores(query, [read(page.text[start:end]) for start, end in _ranges(page, some)], form)
        for some in np.split(shown, range(together, len(shown), together))
    ]
    found = np.concatenate(parts)
    if not len(found) or found.max() <= 0:
        return None
    equals = shown[found >= found.max() - _EQUAL]
    chosen = int(equals[np.argmin(_orders(page)[equals])])
    return _of_runs(page, chosen, chosen + 1, float(found.max()), form)


def _holding(page: Page, runs: Ints, query: frozenset[str], language: str) -> Ints:
    """Of some runs those that may hold a word of a query."""
    held = [_may_hold(page.text[start:end], query, language) for start, end in _ranges(page, runs)]
    return runs[np.array(held, np.bool_)]


def _may_hold(text: str, query: frozenset[str], language: str) -> bool:
    """Return whether a text may hold a word of a query: it stands in it somewhere, or letters are not composed."""
    text = fold_case(unify_letters(text, language), language)
    if not text.isascii():
        if not unicodedata.is_normalized("NFC", text):
            return True
        text = text.replace("’", "'").replace("ʼ", "'")
    for word in query:  # noqa: SIM110  # `any` takes three times as long
        if word in text:
            return True
    return False


def _ranges(page: Page, runs: Ints) -> Iterator[tuple[int, int]]:
    return zip(page.runs.text_start[runs].tolist(), page.runs.text_end[runs].tolist(), strict=True)


def headline_text(page: Page, language: str | None = None) -> str:
    """What to ask by when only the page itself tells: TitleFinder's headline, or the largest heading, or the title."""
    for form in (Form.TF, Form.LARGEST_HEADING, Form.TITLE_ELEMENT):
        if found := headline(page, form, language=language):
            return found.text
    return ""


def largest_heading(page: Page) -> Headline | None:
    """Return the first visible heading of the highest order on the page (thesis 5.4.3)."""
    orders = np.where(page.runs.hidden, len(_ORDERS), _orders(page))
    if not len(orders) or orders.min() == len(_ORDERS):
        return None
    element = page.nearest(_HEADINGS)[page.runs.element[int(np.argmin(orders))]]
    first, last = int(page.elements.first[element]), int(page.elements.last[element])
    return _of_runs(page, first, last, 0.0, Form.LARGEST_HEADING)


def _orders(page: Page) -> Ints:
    """For each run the order of the heading it stands in, counted from 0; 6 outside headings."""
    order = np.full(len(page.tag_names), len(_ORDERS))
    order[list(_ORDERS)] = range(len(_ORDERS))
    return order[page.elements.tag[page.nearest(_HEADINGS)[page.runs.element]]]


def _headings(page: Page) -> Spans:
    """Return headings that are no links: an extractor often leaves the headline out, and its words must not be
    dropped.
    """
    return Spans.of_runs(page, (_orders(page) < len(_ORDERS)) & ~page.runs.in_link & ~page.runs.hidden)


def _of_runs(page: Page, first: int, last: int, score: float, form: Form) -> Headline:
    spans = page.shown(Spans.of_runs(page, np.arange(first, last)))
    return Headline(fold_space(spans.text(page)), spans, first, last, score, form)
