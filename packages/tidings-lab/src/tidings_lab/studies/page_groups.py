"""Scores and groups of pages in studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tidings.errors import InputError
from tidings.fields import read
from tidings.fields.titles.title_finder import headline_text
from tidings.page import Page, Spans
from tidings_lab.corpora import Sample
from tidings_lab.metrics.page_scores import text_score
from tidings_lab.metrics.score import Score

#: The least number of pages of a group.
SMALLEST = 3


def own_headline(sample: Sample, page: Page) -> str:
    """Return the page's headline; empty if the corpus says that ground-truth texts have none."""
    return "" if sample.headline_in_text is False else headline_text(page, read(page).language)


def scored(sample: Sample, page: Page, spans: Spans, measure: str = "words", headline: str | None = None) -> Score:
    """Return the score of an extractor's spans on a page, with the headline on both sides or on neither (SPEC 8).

    Pass `headline` (from `own_headline`) to avoid computing it repeatedly.

    Raises:
        InputError: there is no ground-truth text.
    """
    title = own_headline(sample, page) if headline is None else headline
    score = text_score(sample, spans.text(page), title, measure)
    if score is None:
        raise InputError(f"the page {sample.id} has no gold text")
    return score


def corpus_name(sample: Sample) -> str:
    """Return the name of a sample's corpus, or else of its folder."""
    return sample.corpus or sample.file.parent.parent.name


def group(sample: Sample) -> str:
    """Return the group of a sample: corpus, language, and page type unless it is an article."""
    kind = (corpus_name(sample), sample.lang, sample.page_type)
    return " ".join(kind[:2] if sample.page_type == "article" else kind)


def large_groups(groups: Sequence[str]) -> list[str]:
    """Return the groups with enough pages, sorted by name."""
    return sorted(name for name, count in Counter(groups).items() if count >= SMALLEST)
