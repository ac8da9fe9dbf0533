"""The score of a page: the headline is on both sides or on neither, and empty ground truth has no score (SPEC 8).

Corpora differ on whether the headline belongs to the text, some even by page; `Sample` has this information. If the
ground truth contains the headline, it is added to a result that does not begin with it. If the corpus does not say so,
the ground truth contains the headline if it begins with the extracted one. Otherwise both texts are compared unchanged.
"""

from __future__ import annotations

from tidings.text import characters
from tidings_lab.corpora.headline_in_text import opens_with
from tidings_lab.corpora.sample import Sample
from tidings_lab.metrics.score import Score
from tidings_lab.metrics.texts import MEASURES, units_for


def is_empty(text: str) -> bool:
    """Return whether a text has no words or characters to measure."""
    return not characters(text)


def both_sides(sample: Sample, text: str, headline: str = "") -> tuple[str, str]:
    """Return result and ground truth in comparable form: with the headline on both sides, or unchanged."""
    gold = str(sample.gold.get("text") or "")
    declared = sample.headline_in_text
    has_headline = opens_with(gold, headline) if declared is None else declared
    return (with_headline(text, headline) if has_headline else text), gold


def with_headline(text: str, headline: str) -> str:
    """Prepend the headline to a text, unless the text begins with it or is empty."""
    if not text.strip() or not headline.strip() or opens_with(text, headline):
        return text
    return f"{headline}\n\n{text}"


def text_score(sample: Sample, text: str, headline: str = "", measure: str = "words") -> Score | None:
    """Return a page's score by a measure of `MEASURES`, in the units of its script; None if the ground truth is
    empty.
    """
    result, gold = both_sides(sample, text, headline)
    if is_empty(gold):
        return None
    return MEASURES[measure](result, gold, units_for(gold, sample.lang))
