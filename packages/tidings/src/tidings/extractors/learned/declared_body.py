"""Text of the story that a page hides, and that its structured data declares to be the story.

Sites show the beginning of a story, or none of it, until a reader clicks, pays or a script runs; the rest stands in the
page, hidden, and once more as `articleBody` in its JSON-LD. The declared body alone proves nothing: it may be cut short
or another story's. But a hidden paragraph that it repeats word by word is part of the story.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tidings.extractors.hashed_words import Hashes, hashes_of
from tidings.page import Page, Spans
from tidings.page.columns import Bools, distinct
from tidings.text.patterns import late_pattern

_LEAST: Final = 60  # words of a body that is believed
_LINE: Final = 8  # words of a hidden paragraph; shorter ones are not told from labels
_SAME: Final = 0.8  # share of a paragraph that the body repeats
_ADDS: Final = 0.1  # share of the body that is hidden
_HOLDS: Final = 0.6  # share of the body that the page has in all
_OTHER: Final = 0.2  # of a choice that shows less of the body nothing is the story
_LONGEST: Final = 200_000  # characters of a body
_TAG: Final = late_pattern(r"<[^<>]{1,300}>")
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


def with_hidden_story(page: Page, chosen: Spans) -> tuple[Spans, Spans | None]:
    """Return the chosen text with the hidden paragraphs that the declared body repeats, and these; None if there are
    none.
    """
    declared = _body(page)
    if not declared:  # as on most pages
        return chosen, None
    blocks = page.blocks
    hidden = (blocks.hidden & (blocks.words >= _LINE)).nonzero()[0]
    if not len(hidden):
        return chosen, None
    body = hashes_of(_TAG.sub(" ", declared) if "<" in declared else declared)
    if len(body) < _LEAST:
        return chosen, None
    told = distinct(_threes(body))
    texts = [page.text[blocks.text_start[block] : blocks.text_end[block]] for block in hidden.tolist()]
    threes = [_threes(hashes_of(text)) for text in texts]
    same = [len(held) > 0 and float(_among(held, told).mean()) >= _SAME for held in threes]
    if not any(same):
        return chosen, None
    found = distinct(np.concatenate([held for held, is_same in zip(threes, same, strict=True) if is_same]))
    shown = distinct(_threes(hashes_of(chosen.text(page))))
    in_hidden, in_shown = _among(told, found), _among(told, shown)
    if float((in_hidden & ~in_shown).mean()) < _ADDS or float((in_hidden | in_shown).mean()) < _HOLDS:
        return chosen, None
    story = Spans.of_blocks(page, hidden[np.array(same)]) & page.scope
    return (story if float(in_shown.mean()) < _OTHER else chosen | story), story


def _body(page: Page) -> str:
    """Return the longest body that the page declares."""
    bodies = [thing["articleBody"] for thing in page.signals.json_ld if "articleBody" in thing]
    return max((body for body in bodies if isinstance(body, str)), key=len, default="")[:_LONGEST] if bodies else ""


def _among(values: Hashes, ordered: Hashes) -> Bools:
    """Return which values are among others, which are in order."""
    if not len(ordered):
        return np.zeros(len(values), np.bool_)
    return np.asarray(ordered.take(np.searchsorted(ordered, values), mode="clip") == values)


def _threes(words: Hashes) -> Hashes:
    """Return a number for each run of three words."""
    return words[:-2] * _FIRST + words[1:-1] * _SECOND + words[2:] if len(words) >= 3 else words[:0]
