"""The class of every text and tail of a page, from its gold (memory-based thesis 4.1.3, done by alignment).

The thesis's pages were annotated by hand, one element after the other. Gold of today's corpora is a text with a title
and, here and there, a list of headings. So: body is what the alignment of `learn.labels` finds in the gold text, where
most words of a text or tail are found; title is the first heading, or else the first block, that reads as the gold
title; headings are blocks of their own that read as one of gold's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.memory_based.features import TextRanges, parts
from tidings.fields.keys import key
from tidings.lab.learners.element_classes import Classes, ElementClass, ElementClasses
from tidings.lab.learners.lesson import found_words
from tidings.page import Page, tags
from tidings.page.columns import Ints
from tidings.page.flow import among, tag_set

_MOST: Final = 0.5
_HEADINGS: Final = tag_set(tags.HEADINGS)
_H1: Final = tags.NUMBERS["h1"]
#: A title element has the site's name behind the headline; so many words of it are enough to know it by.
_ENOUGH_WORDS: Final = 3


def classes_of(page: Page, gold: Mapping[str, Any]) -> ElementClasses:
    """Title, heading, body or garbage for the text and the tail of every element, from gold's text, title, headings."""
    place = parts(page)
    found = found_words(page, str(gold.get("text") or ""))
    text = _body(found.shares(place.text_start, place.text_end))
    tail = _body(found.shares(place.tail_start, place.tail_end))
    for block in _heading_blocks(page, gold.get("headings") or ()):
        _mark(page, place, block, ElementClass.HEADING, text, tail)
    title = _title_block(page, str(gold.get("title") or ""))
    if title is not None:
        _mark(page, place, title, ElementClass.TITLE, text, tail)
    return ElementClasses(text, tail)


def _body(share: NDArray[np.float64]) -> Classes:
    return np.where(share > _MOST, ElementClass.BODY, ElementClass.GARBAGE).astype(np.int8)


def _mark(page: Page, place: TextRanges, block: int, mark: ElementClass, text: Classes, tail: Classes) -> None:
    """Give everything that stands in a block a class."""
    start, end = page.blocks.text_start[block], page.blocks.text_end[block]
    for classes, first, last in ((text, place.text_start, place.text_end), (tail, place.tail_start, place.tail_end)):
        classes[(start <= first) & (first < last) & (last <= end)] = mark


def _title_block(page: Page, title: str) -> int | None:
    """The block that is the headline: an `h1` if one reads so, else another heading, else the first that does."""
    wanted = key(title)
    if not wanted:
        return None
    texts = _keys(page)
    same = [at for at, text in enumerate(texts) if text == wanted]
    if not same:
        same = [at for at, text in enumerate(texts) if _part_of_title(text, wanted)]
    tag = page.elements.tag[page.blocks.element]
    shown = [at for at in same if not page.blocks.hidden[at]]
    return min(shown, key=lambda at: (tag[at] != _H1, not _is_heading(tag, at), -len(texts[at]), at), default=None)


def _part_of_title(text: str, wanted: str) -> bool:
    """Whether a text is the first or the last part of a title element, the other part being the site's name."""
    if len(text.split()) < _ENOUGH_WORDS or len(text) >= len(wanted):
        return False
    if wanted.startswith(text):
        return not wanted[len(text)].isalnum()
    return wanted.endswith(text) and not wanted[-len(text) - 1].isalnum()


def _heading_blocks(page: Page, headings: Iterable[str]) -> list[int]:
    """The first blocks that read as these headings, each heading once, headings by tag before others."""
    wanted = [key(str(heading)) for heading in headings]
    if not wanted:
        return []
    tag = page.elements.tag[page.blocks.element]
    places: dict[str, list[int]] = {}
    for at, text in enumerate(_keys(page)):
        if not page.blocks.hidden[at]:
            places.setdefault(text, []).append(at)
    found = []
    for heading in wanted:
        here = places.get(heading)
        if heading and here:
            best = min(here, key=lambda at: (not _is_heading(tag, at), at))
            here.remove(best)
            found.append(best)
    return found


def _is_heading(tag: Ints, block: int) -> bool:
    return bool(among(tag[block : block + 1], _HEADINGS)[0])


def _keys(page: Page) -> list[str]:
    return [
        key(page.text[start:end])
        for start, end in zip(page.blocks.text_start.tolist(), page.blocks.text_end.tolist(), strict=True)
    ]
