"""Hidden text of the story that the page's structured data declares as article body.

Sites show the beginning of a story, or nothing, until a reader clicks, pays or a script runs. The rest is hidden in the
page and repeated as `articleBody` in its JSON-LD. The declared body alone proves nothing: it may be truncated or belong
to another story. But a hidden paragraph that it repeats word by word is part of the story.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tidings.extractors.hashed_words import Hashes, hashes_of
from tidings.page import Page, Spans
from tidings.page.columns import Bools, distinct
from tidings.text.patterns import late_pattern

_LEAST: Final = 60  # words of a usable body
_LINE: Final = 8  # words of a hidden paragraph; shorter ones may be labels
_SAME: Final = 0.8  # share of a paragraph that the body repeats
_ADDS: Final = 0.1  # share of the body that is hidden
_HOLDS: Final = 0.6  # share of the body that the page contains
_OTHER: Final = 0.2  # a selection with less of the body is another text
_LONGEST: Final = 200_000  # characters of a body
_TAG: Final = late_pattern(r"<[^<>]{1,300}>")
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


def with_hidden_story(page: Page, selected: Spans) -> tuple[Spans, Spans | None]:
    """Return the selected text with the hidden paragraphs that the declared body repeats, and those paragraphs or
    None.
    """
    declared = _body(page)
    if not declared:  # on most pages
        return selected, None
    blocks = page.blocks
    hidden = (blocks.hidden & (blocks.words >= _LINE)).nonzero()[0]
    if not len(hidden):
        return selected, None
    body = hashes_of(_TAG.sub(" ", declared) if "<" in declared else declared)
    if len(body) < _LEAST:
        return selected, None
    body_trigrams = distinct(_trigrams(body))
    texts = [page.text[blocks.text_start[block] : blocks.text_end[block]] for block in hidden.tolist()]
    paragraphs = [_trigrams(hashes_of(text)) for text in texts]
    same = [len(trigrams) > 0 and float(_among(trigrams, body_trigrams).mean()) >= _SAME for trigrams in paragraphs]
    if not any(same):
        return selected, None
    hidden_trigrams = distinct(
        np.concatenate([trigrams for trigrams, is_same in zip(paragraphs, same, strict=True) if is_same])
    )
    visible_trigrams = distinct(_trigrams(hashes_of(selected.text(page))))
    in_hidden, in_visible = _among(body_trigrams, hidden_trigrams), _among(body_trigrams, visible_trigrams)
    if float((in_hidden & ~in_visible).mean()) < _ADDS or float((in_hidden | in_visible).mean()) < _HOLDS:
        return selected, None
    story = Spans.of_blocks(page, hidden[np.array(same)]) & page.scope
    return (story if float(in_visible.mean()) < _OTHER else selected | story), story


def _body(page: Page) -> str:
    """Return the longest body in the page's JSON-LD."""
    bodies = [thing["articleBody"] for thing in page.signals.json_ld if "articleBody" in thing]
    return max((body for body in bodies if isinstance(body, str)), key=len, default="")[:_LONGEST] if bodies else ""


def _among(values: Hashes, ordered: Hashes) -> Bools:
    """Return which hashes are in a sorted array of hashes."""
    if not len(ordered):
        return np.zeros(len(values), np.bool_)
    return np.asarray(ordered.take(np.searchsorted(ordered, values), mode="clip") == values)


def _trigrams(words: Hashes) -> Hashes:
    """Return a hash for each run of three words."""
    return words[:-2] * _FIRST + words[1:-1] * _SECOND + words[2:] if len(words) >= 3 else words[:0]
