"""Scores and groups of pages in studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tidings.errors import InputError
from tidings.fields import read
from tidings.fields.headline import headline_text
from tidings.page import Page, Spans
from tidings_lab.corpora import Sample
from tidings_lab.metrics.page_scores import text_score
from tidings_lab.metrics.score import Score

#: A smaller group tells nothing of its kind of page.
SMALLEST = 3


def own_headline(sample: Sample, page: Page) -> str:
    """The page's headline, where the measure may need it: not if the corpus says that gold texts have none."""
    return "" if sample.headline_in_text is False else headline_text(page, read(page).language)


def scored(sample: Sample, page: Page, spans: Spans, measure: str = "words", headline: str | None = None) -> Score:
    """What an extractor's spans score on a page, with the headline on both sides or on neither (SPEC 8).

    Who scores a page often finds its headline once (`own_headline`) and gives it.

    Raises:
        InputError: there is no gold text to measure against.
    """
    found = own_headline(sample, page) if headline is None else headline
    score = text_score(sample, spans.text(page), found, measure)
    if score is None:
        raise InputError(f"the page {sample.id} has no gold text")
    return score


def group(sample: Sample) -> str:
    """The kind of page that a sample is: corpus, language, and its type unless it is an article."""
    kind = (sample.corpus or sample.file.parent.parent.name, sample.lang, sample.page_type)
    return " ".join(kind[:2] if sample.page_type == "article" else kind)


def large_groups(groups: Sequence[str]) -> list[str]:
    """The groups that are large enough to have a row of their own, by name."""
    return sorted(name for name, count in Counter(groups).items() if count >= SMALLEST)
