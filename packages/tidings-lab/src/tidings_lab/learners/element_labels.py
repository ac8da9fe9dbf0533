"""Classes of texts and tails from the ground truth of a page (memory-based thesis 4.1.3, by alignment).

The thesis's pages were annotated by hand, element by element. The ground truth of current corpora is a text with a
title and sometimes a list of headings. So body is the text or tail most of whose words are aligned with the
ground-truth text (`gold_words`); the title is the first heading, or else the first block, that equals the ground-truth
title; headings are separate blocks that equal one of the ground-truth headings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.memory_based.features import (
    TextRanges,
    parts,
)
from tidings.fields.keys import key
from tidings.page import Page, tags
from tidings.page.columns import Ints
from tidings.page.tag_sets import among, tag_set
from tidings_lab.learners.element_classes import Classes, ElementClass, ElementClasses
from tidings_lab.learners.gold_words import found_words

_MOST: Final = 0.5
_HEADINGS: Final = tag_set(tags.HEADINGS)
_H1: Final = tags.NUMBERS["h1"]
#: A title element may contain the site's name after the headline; this many words identify the headline.
_ENOUGH_WORDS: Final = 3


def classes_of(page: Page, gold: Mapping[str, Any]) -> ElementClasses:
    """Return the classes of the text and the tail of every element, from the ground truth's text, title and
    headings.
    """
    place = parts(page)
    words = found_words(page, str(gold.get("text") or ""))
    text = _body(words.shares(place.text_start, place.text_end))
    tail = _body(words.shares(place.tail_start, place.tail_end))
    for block in _heading_blocks(page, gold.get("headings") or ()):
        _mark(page, place, block, ElementClass.HEADING, text, tail)
    title = _title_block(page, str(gold.get("title") or ""))
    if title is not None:
        _mark(page, place, title, ElementClass.TITLE, text, tail)
    return ElementClasses(text, tail)


def _body(share: NDArray[np.float64]) -> Classes:
    return np.where(share > _MOST, ElementClass.BODY, ElementClass.GARBAGE).astype(np.int8)


def _mark(page: Page, place: TextRanges, block: int, mark: ElementClass, text: Classes, tail: Classes) -> None:
    """Set the class of all texts and tails inside a block, in place.

    Args:
        page: the page.
        place: the ranges of all texts and tails.
        block: the index of the block.
        mark: the class to set.
        text: the classes of all texts, which this function changes.
        tail: the classes of all tails, which this function changes.
    """
    start, end = page.blocks.text_start[block], page.blocks.text_end[block]
    for classes, first, last in ((text, place.text_start, place.text_end), (tail, place.tail_start, place.tail_end)):
        classes[(start <= first) & (first < last) & (last <= end)] = mark


def _title_block(page: Page, title: str) -> int | None:
    """Return the block of the headline: an `h1` with its text, else another heading, else the first block."""
    title_key = key(title)
    if not title_key:
        return None
    texts = _keys(page)
    candidates = [block for block, text in enumerate(texts) if text == title_key]
    if not candidates:
        candidates = [block for block, text in enumerate(texts) if _part_of_title(text, title_key)]
    tag = page.elements.tag[page.blocks.element]
    visible = [block for block in candidates if not page.blocks.hidden[block]]
    return min(
        visible,
        key=lambda block: (tag[block] != _H1, not _is_heading(tag, block), -len(texts[block]), block),
        default=None,
    )


def _part_of_title(text: str, title_key: str) -> bool:
    """Return whether a text is the first or last part of a page title whose other part may be the site's name."""
    if len(text.split()) < _ENOUGH_WORDS or len(text) >= len(title_key):
        return False
    if title_key.startswith(text):
        return not title_key[len(text)].isalnum()
    return title_key.endswith(text) and not title_key[-len(text) - 1].isalnum()


def _heading_blocks(page: Page, headings: Iterable[str]) -> list[int]:
    """Return the first block with each heading's text, preferring heading tags."""
    heading_keys = [key(str(heading)) for heading in headings]
    if not heading_keys:
        return []
    tag = page.elements.tag[page.blocks.element]
    places: dict[str, list[int]] = {}
    for block, text in enumerate(_keys(page)):
        if not page.blocks.hidden[block]:
            places.setdefault(text, []).append(block)
    result = []
    for heading in heading_keys:
        candidates = places.get(heading)
        if heading and candidates:
            best = min(candidates, key=lambda block: (not _is_heading(tag, block), block))
            candidates.remove(best)
            result.append(best)
    return result


def _is_heading(tag: Ints, block: int) -> bool:
    return bool(among(tag[block : block + 1], _HEADINGS)[0])


def _keys(page: Page) -> list[str]:
    return [
        key(page.text[start:end])
        for start, end in zip(page.blocks.text_start.tolist(), page.blocks.text_end.tolist(), strict=True)
    ]
