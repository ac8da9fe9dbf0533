"""TitleFinder: the headline is the text run most similar to the page's `title` element.

Mohammadzadeh, Gottron, Schweiggert, Heyer; DANA thesis, chapter 5. The title element contains the headline, and often
the site, the date and more. It is a query against every visible text run of the page; the most similar run is the
headline. Only words count, so it works on any template and in any language.

- TF, TF-IDF: cosine of term weights (eq. 2.6 to 2.9).
- OSM: overlap scoring, the query by tf-idf, the run by tf brought to length 1 (eq. 5.2).
- Aggregate: the sum of the three (eq. 5.3).
- Baselines (5.4.3): the title element itself; the first heading of the highest order.

Stop words are removed and words are not stemmed (2.1.4.4). A query of nothing but stop words ("Who are we?") keeps
them. Site names in the title mislead if they outnumber the words of the headline (5.4.4). The thesis's remedy (5.5), to
drop title words that are not in the main content, is the argument `content`. Headings count as content there, because
otherwise content without the headline would remove the headline's own words. With AdDANAg's result as content, TF
finds 0.972 instead of 0.950 of the headlines on wcxb-dev that are runs and in the title.

The thesis does not say which of several equal runs is the headline, and the same line is often in breadcrumbs or a list
too. Here headings take precedence, higher levels first, then the earlier run.
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

#: Scores that differ by less are equal: the order of summation changes the last digits.
_EQUAL: Final = 1e-9
#: Runs that are compared with the title in one batch; the largest of 3,916 real pages has 6,594.
_TOGETHER: Final = 10_000
_ORDERS: Final = tuple(tags.NUMBERS[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6"))
_HEADINGS: Final = tag_set(tags.HEADINGS)


class Form(StrEnum):
    """The four variants of TitleFinder and its two baselines (thesis, table 5.4)."""

    TF = "tf"  # did best there: macro F1 0.989
    TF_IDF = "tf-idf"  # 0.975
    OSM = "osm"  # 0.969
    AGGREGATE = "aggregate"  # 0.978
    LARGEST_HEADING = "largest heading"  # 0.6
    TITLE_ELEMENT = "title element"  # 0.1


class Headline(NamedTuple):
    """A headline with its spans and text runs (`first` to `last - 1`, none for the title element)."""

    text: str
    spans: Spans
    first: int
    last: int
    score: float  # similarity to the query; 0 for the baselines
    form: Form | None  # None for other methods


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
    """Return the similarity of each sentence to a query, all given as terms (thesis 5.3.3)."""
    return _SCORES[form](*count_against(query, sentences))


def headline(
    page: Page,
    form: Form = Form.TF,
    *,
    content: Spans | None = None,
    hinted: bool = False,
    language: str | None = None,
) -> Headline | None:
    """Return the headline of a page, or None if no visible text resembles its title.

    Args:
        page: the page, or a part of it.
        form: how runs are compared with the title; a baseline instead of TitleFinder.
        content: the main content; title words that neither it nor a heading holds are dropped first (thesis 5.5).
        hinted: use the feed's title or the anchor text as the query, if the page has such a hint.
        language: the language of the stop words to remove; if None, the one that the page declares.
    """
    if form is Form.LARGEST_HEADING:
        return largest_heading(page)
    declared = page.signals
    if form is Form.TITLE_ELEMENT:
        return Headline(declared.title, Spans.none(len(page.text)), 0, 0, 0.0, form) if declared.title else None
    query_text = (hinted and (page.hints.title or page.hints.anchor)) or declared.title
    language_code = declared.language if language is None else language
    stopped = bool(terms(query_text, language_code, stemmed=False))

    def read(text: str) -> list[str]:
        return terms(text, language_code, without_stop_words=stopped, stemmed=False)

    query = read(query_text)
    if content is not None:
        lines = (content | _headings(page)).text(page).split("\n")
        query_terms = frozenset(query)
        content_terms = set(read("\n".join([line for line in lines if _may_contain(line, query_terms, language_code)])))
        query = [term for term in query if term in content_terms] or query
    visible_runs = np.flatnonzero(~page.runs.hidden)
    if form is Form.TF:  # a run without a word of the title has similarity 0
        visible_runs = _runs_with_terms(page, visible_runs, frozenset(query), language_code)
    # TF scores each run on its own, so batches are possible; the other forms weight words by all runs.
    batch = _TOGETHER if form is Form.TF else max(len(visible_runs), 1)
    if not len(visible_runs):
        return None
    parts = [
        scores(query, [read(page.text[start:end]) for start, end in _ranges(page, some)], form)
        for some in np.split(visible_runs, range(batch, len(visible_runs), batch))
    ]
    similarities = np.concatenate(parts)
    if not len(similarities) or similarities.max() <= 0:
        return None
    equals = visible_runs[similarities >= similarities.max() - _EQUAL]
    chosen = int(equals[np.argmin(_orders(page)[equals])])
    return _of_runs(page, chosen, chosen + 1, float(similarities.max()), form)


def _runs_with_terms(page: Page, runs: Ints, query: frozenset[str], language: str) -> Ints:
    """Return the runs of text that may contain a word of a query."""
    may_contain = [_may_contain(page.text[start:end], query, language) for start, end in _ranges(page, runs)]
    return runs[np.array(may_contain, np.bool_)]


def _may_contain(text: str, query: frozenset[str], language: str) -> bool:
    """Return whether a text may contain a word of a query: as a substring, or if its letters are decomposed."""
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
    """Return TitleFinder's headline, or else the largest heading, or the title element."""
    for form in (Form.TF, Form.LARGEST_HEADING, Form.TITLE_ELEMENT):
        if result := headline(page, form, language=language):
            return result.text
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
    """Return for each run of text the level of its heading, counted from 0; 6 outside headings."""
    order = np.full(len(page.tag_names), len(_ORDERS))
    order[list(_ORDERS)] = range(len(_ORDERS))
    return order[page.elements.tag[page.nearest(_HEADINGS)[page.runs.element]]]


def _headings(page: Page) -> Spans:
    """Return the headings outside links. Extractors often leave the headline out, and its words must not be dropped."""
    return Spans.of_runs(page, (_orders(page) < len(_ORDERS)) & ~page.runs.in_link & ~page.runs.hidden)


def _of_runs(page: Page, first: int, last: int, score: float, form: Form) -> Headline:
    spans = page.shown(Spans.of_runs(page, np.arange(first, last)))
    return Headline(fold_space(spans.text(page)), spans, first, last, score, form)
