"""A page of a corpus and what was taken out of it: the headline on both sides or on neither, empty gold apart (SPEC 8).

Corpora differ on whether the headline belongs to the text, and some on whether it does on this page. `Sample` says so;
where gold has the headline, it is added to a result that does not open with it. Where nothing tells, gold has the
headline if it opens with the one that was found. Otherwise both texts are taken as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from tidings.lab.corpora.sample import Sample, opens_with
from tidings.lab.metrics.score import Score
from tidings.lab.metrics.texts import (
    Units,
    lcs_score,
    shingle_score,
    units_for,
    word_score,
    word_set_score,
)
from tidings.text import characters

Measure = Callable[[str, str, Units], Score]


def _by_characters(result: str, gold: str, units: Units) -> Score:  # noqa: ARG001  # a measure with its own units
    return word_score(result, gold, characters)


def _by_shingles(result: str, gold: str, units: Units) -> Score:
    return shingle_score(result, gold, units=units)


#: Text measures by name. All but `characters` count what the page's script needs: words, or characters.
MEASURES: Final[Mapping[str, Measure]] = MappingProxyType(
    {
        "words": word_score,
        "word-set": word_set_score,
        "shingles": _by_shingles,
        "lcs": lcs_score,
        "characters": _by_characters,
    }
)


def is_empty(text: str) -> bool:
    """Whether a text has nothing to measure."""
    return not characters(text)


def both_sides(sample: Sample, text: str, headline: str = "") -> tuple[str, str]:
    """Result and gold as they are compared: with the headline on both sides, or as they are."""
    gold = str(sample.gold.get("text") or "")
    told = sample.headline_in_text
    wanted = opens_with(gold, headline) if told is None else told
    return (with_headline(text, headline) if wanted else text), gold


def with_headline(text: str, headline: str) -> str:
    """A text with its headline before it, unless it opens with it or there is no text."""
    if not text.strip() or not headline.strip() or opens_with(text, headline):
        return text
    return f"{headline}\n\n{text}"


def text_score(sample: Sample, text: str, headline: str = "", measure: str = "words") -> Score | None:
    """A page's score by a measure of `MEASURES`, in words or characters as its script needs; None if gold is empty."""
    result, gold = both_sides(sample, text, headline)
    if is_empty(gold):
        return None
    return MEASURES[measure](result, gold, units_for(gold, sample.lang))
