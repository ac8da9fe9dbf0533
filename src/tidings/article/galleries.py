"""Galleries: pictures that a page shows in one box, with nothing beside them but what they say of each picture.

A box is a gallery when it is named like one, or is a figure of figures, holds at least two pictures of the story, and
all that was chosen in it is short. What stands in the cell of a picture is its caption; so is what follows a picture,
where all stand in one row. What comes before the first picture, and the caption of the box itself, is what the gallery
says.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from tidings.article.article_tables import LONGEST_CAPTION
from tidings.article.blocks import Block, Image, Inline, Kind
from tidings.article.making import changed
from tidings.article.pictures import Picture, gallery_boxes
from tidings.article.units import children, inside, tag_of
from tidings.page import Page, Spans, tags
from tidings.text.patterns import late_pattern

#: So many blocks stand for one picture at most.
_MOST_BLOCKS: Final = 3
#: Where a reader is among the pictures, and what leads to the others.
_COUNTER: Final = late_pattern(r"\A\W*\d{1,3}\s*(?:/|of|von|de|sur|di|van|из|av|af|／)\s*\d{1,3}\W*\Z", re.IGNORECASE)
_LISTS: Final = tags.numbers("ol ul menu dir dl")
_QUOTE, _IMAGE = tags.NUMBERS["blockquote"], tags.NUMBERS["img"]
_SAYS: Final = (Kind.CAPTION, Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.HEADING, Kind.QUOTE)


class Gallery(NamedTuple):
    """The box of a gallery, and the places of its pictures among those of the story."""

    element: int
    pictures: list[int]


def may_hold_gallery(page: Page, shown: Spans) -> bool:
    """Return whether pictures stand among the chosen text in a box that may be a gallery: it says its text in another
    way.
    """
    images = np.flatnonzero(page.elements.tag == _IMAGE)
    if len(images) < 2 or not shown:
        return False
    chosen = np.flatnonzero(shown.runs(page))
    if not len(chosen):
        return False
    first = page.elements.first[images]
    among = images[(first >= chosen[0]) & (first <= chosen[-1] + 1)].tolist()
    return len(among) > 1 and any(gallery_boxes(page, one) for one in among)


def with_galleries(
    page: Page, blocks: list[Block], runs: array[int], captions: dict[int, int], found: Sequence[Picture]
) -> dict[int, Image]:
    """Put the galleries among the blocks, and says which of the pictures are in them, and where.

    Args:
        page: the page.
        blocks: those of the story; changed.
        runs: the first run of each; changed with them.
        captions: the figure of each block that is a caption, by its place; changed with them.
        found: the pictures of the story.
    """
    placed: dict[int, int] = {}
    shown: dict[int, Image] = {}
    for gallery in reversed(list(_galleries(page, blocks, runs, found))):
        first, last = page.elements.first.item(gallery.element), page.elements.last.item(gallery.element)
        low, high = bisect_left(runs, first), bisect_left(runs, last)
        made = _made(page, gallery, list(zip(blocks[low:high], runs[low:high], strict=True)), found)
        more = len(made) - (high - low)
        start = max(first, runs[low - 1] if low else 0)
        _widen(blocks, low, high, more)
        blocks[low:high] = made
        runs[low:high] = array("q", [start] * len(made))
        moved = {at + more * (at >= high): figure for at, figure in captions.items() if not low <= at < high}
        captions.clear()
        captions.update(moved)
        placed = {place: at + more for place, at in placed.items()}
        for at, place in enumerate(gallery.pictures, low + 1):
            image, says = found[place].image, " ".join(blocks[at].text.split())
            # What the box says of all is not said of its first picture.
            is_own = found[place].figure != gallery.element or not blocks[low].inlines
            shown[place] = replace(image, caption=image.caption if image.caption and is_own else says)
            placed[place] = at
    for place, at in placed.items():
        image = shown[place] = replace(shown[place], place=at)
        blocks[at] = changed(blocks[at], image=image)
    return shown


def _galleries(page: Page, blocks: list[Block], runs: array[int], found: Sequence[Picture]) -> Iterator[Gallery]:
    """Yield the galleries of a story, in its order; each picture is in one at most."""
    behind = -1
    for place, picture in enumerate(found):
        if picture.element < behind or place + 1 == len(found):
            continue
        for box in gallery_boxes(page, picture.element):
            end = inside(page, box).stop
            held = [at for at in range(place, len(found)) if found[at].element < end]
            if len(held) > 1 and _is_gallery(page, box, blocks, runs, [found[at] for at in held]):
                yield Gallery(box, held)
                behind = end
                break


def _is_gallery(page: Page, box: int, blocks: list[Block], runs: array[int], held: Sequence[Picture]) -> bool:
    """Return whether all that was chosen in a box is short, and no more than the pictures may have beside them."""
    low, high = (bisect_left(runs, run) for run in (page.elements.first.item(box), page.elements.last.item(box)))
    inner = blocks[low:high]
    return len(inner) <= _MOST_BLOCKS * len(held) + 1 and all(
        block.kind in _SAYS and not block.size and len(block.text) <= LONGEST_CAPTION for block in inner
    )


def _made(page: Page, gallery: Gallery, inner: Sequence[tuple[Block, int]], found: Sequence[Picture]) -> list[Block]:
    """Return the blocks of a gallery: its head, and one for each of its pictures."""
    elements = [found[place].element for place in gallery.pictures]
    cells = [_cell(page, gallery.element, element, elements) for element in elements]
    spans = [(page.elements.first.item(cell), page.elements.last.item(cell)) for cell in cells]
    own = next((one for one in children(page, gallery.element) if tag_of(page, one) == "figcaption"), 0)
    title: list[Block] = []
    said: list[list[Block]] = [[] for _ in elements]
    for block, run in inner:
        if _COUNTER.match(block.text):
            continue
        at = next((at for at, (low, high) in enumerate(spans) if low <= run < high), -1)
        if at < 0 and not (own and page.elements.first.item(own) <= run < page.elements.last.item(own)):
            at = bisect_left([low for low, _ in spans], run + 1) - 1
        (title if at < 0 else said[at]).append(block)
    texts = [_joined(some) for some in said]
    if 2 * sum(map(bool, texts)) >= sum(bool(found[place].image.caption) for place in gallery.pictures):
        # What is said of most is said of all.
        told = [found[place].image.caption * (found[place].figure != gallery.element) for place in gallery.pictures]
        texts = [text or ((Inline(more),) if more else ()) for text, more in zip(texts, told, strict=True)]
    parents, tag = page.elements.parent, page.elements.tag
    depth = quotes = 0
    around = parents.item(gallery.element)
    while around > 0:
        depth += tag.item(around) in _LISTS
        quotes += tag.item(around) == _QUOTE
        around = parents.item(around)
    head = Block(Kind.GALLERY, _joined(title), None, depth, None, quotes, size=len(elements))
    return [head, *(Block(Kind.CAPTION, text, None, depth, None, quotes) for text in texts)]


def _cell(page: Page, box: int, element: int, elements: Sequence[int]) -> int:
    """Return the largest element around a picture in the box that holds none of the others."""
    at = element
    parent = page.elements.parent.item(at)
    while parent > box and bisect_left(elements, inside(page, parent).stop) - bisect_left(elements, parent) == 1:
        at, parent = parent, page.elements.parent.item(parent)
    return at


def _joined(blocks: Sequence[Block]) -> tuple[Inline, ...]:
    """What several blocks say, each on a line."""
    found: list[Inline] = []
    for block in blocks:
        found += [Inline("\n"), *block.inlines] if found else block.inlines
    return tuple(found)


def _widen(blocks: list[Block], low: int, high: int, more: int) -> None:
    """Say in the heads of what the gallery stands in how many blocks there are now."""
    for at in range(low):
        if blocks[at].size and at + blocks[at].size >= (high - 1 if high > low else low):
            blocks[at] = changed(blocks[at], size=blocks[at].size + more)
