"""Find galleries: boxes of pictures with nothing but captions next to them.

A box is a gallery if its class names say so or it is a figure of figures, if it holds at least two pictures of the
story, and if all selected text in it is short. Text in the cell of a picture is its caption; so is the text after a
picture if all pictures are in one row. Text before the first picture and the caption of the box are the gallery's
title.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from tidings.article.model.blocks import Block, Image, Inline, Kind
from tidings.article.model.constructors import changed
from tidings.article.pictures.select import Picture, gallery_boxes
from tidings.article.units.article_tables import LONGEST_CAPTION
from tidings.article.units.units import children, inside, tag_of
from tidings.page import Page, Spans, tags
from tidings.text.patterns import late_pattern

#: The maximum number of blocks per picture.
_MOST_BLOCKS: Final = 3
#: Picture counters such as "3 / 12".
_COUNTER: Final = late_pattern(r"\A\W*\d{1,3}\s*(?:/|of|von|de|sur|di|van|из|av|af|／)\s*\d{1,3}\W*\Z", re.IGNORECASE)
_LISTS: Final = tags.numbers("ol ul menu dir dl")
_QUOTE, _IMAGE = tags.NUMBERS["blockquote"], tags.NUMBERS["img"]
_SAYS: Final = (Kind.CAPTION, Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.HEADING, Kind.QUOTE)


class Gallery(NamedTuple):
    """A gallery: its box, and the indices of its pictures among those of the story."""

    element: int
    pictures: list[int]


def may_hold_gallery(page: Page, visible: Spans) -> bool:
    """Return whether the selected text has pictures in a box that may be a gallery, which changes its blocks."""
    images = np.flatnonzero(page.elements.tag == _IMAGE)
    if len(images) < 2 or not visible:
        return False
    chosen = np.flatnonzero(visible.runs(page))
    if not len(chosen):
        return False
    first = page.elements.first[images]
    among = images[(first >= chosen[0]) & (first <= chosen[-1] + 1)].tolist()
    return len(among) > 1 and any(gallery_boxes(page, one) for one in among)


def with_galleries(
    page: Page, blocks: list[Block], runs: array[int], captions: dict[int, int], candidates: Sequence[Picture]
) -> dict[int, Image]:
    """Insert the blocks of galleries.

    Args:
        page: the page.
        blocks: the blocks of the story; changed in place.
        runs: the first run of each block; changed in place.
        captions: the figure of each caption, by block index; changed in place.
        candidates: the pictures of the story.

    Returns:
        The pictures in galleries with their positions, by index among the candidates.
    """
    placed: dict[int, int] = {}
    images: dict[int, Image] = {}
    for gallery in reversed(list(_galleries(page, blocks, runs, candidates))):
        first, last = page.elements.first.item(gallery.element), page.elements.last.item(gallery.element)
        low, high = bisect_left(runs, first), bisect_left(runs, last)
        gallery_blocks = _gallery_blocks(
            page, gallery, list(zip(blocks[low:high], runs[low:high], strict=True)), candidates
        )
        more = len(gallery_blocks) - (high - low)
        start = max(first, runs[low - 1] if low else 0)
        _widen(blocks, low, high, more)
        blocks[low:high] = gallery_blocks
        runs[low:high] = array("q", [start] * len(gallery_blocks))
        moved = {at + more * (at >= high): figure for at, figure in captions.items() if not low <= at < high}
        captions.clear()
        captions.update(moved)
        placed = {place: at + more for place, at in placed.items()}
        for at, place in enumerate(gallery.pictures, low + 1):
            image, says = candidates[place].image, " ".join(blocks[at].text.split())
            # The caption of the box is not the caption of its first picture.
            is_own = candidates[place].figure != gallery.element or not blocks[low].inlines
            images[place] = replace(image, caption=image.caption if image.caption and is_own else says)
            placed[place] = at
    for place, at in placed.items():
        image = images[place] = replace(images[place], place=at)
        blocks[at] = changed(blocks[at], image=image)
    return images


def _galleries(page: Page, blocks: list[Block], runs: array[int], candidates: Sequence[Picture]) -> Iterator[Gallery]:
    """Yield the galleries of a story in order; each picture is in at most one."""
    behind = -1
    for place, picture in enumerate(candidates):
        if picture.element < behind or place + 1 == len(candidates):
            continue
        for box in gallery_boxes(page, picture.element):
            end = inside(page, box).stop
            members = [at for at in range(place, len(candidates)) if candidates[at].element < end]
            if len(members) > 1 and _is_gallery(page, box, blocks, runs, [candidates[at] for at in members]):
                yield Gallery(box, members)
                behind = end
                break


def _is_gallery(page: Page, box: int, blocks: list[Block], runs: array[int], members: Sequence[Picture]) -> bool:
    """Return whether all selected text in a box is short, and not more than pictures have as captions."""
    low, high = (bisect_left(runs, run) for run in (page.elements.first.item(box), page.elements.last.item(box)))
    inner = blocks[low:high]
    return len(inner) <= _MOST_BLOCKS * len(members) + 1 and all(
        block.kind in _SAYS and not block.size and len(block.text) <= LONGEST_CAPTION for block in inner
    )


def _gallery_blocks(
    page: Page, gallery: Gallery, inner: Sequence[tuple[Block, int]], candidates: Sequence[Picture]
) -> list[Block]:
    """Return the blocks of a gallery: its head, and one caption for each picture."""
    elements = [candidates[place].element for place in gallery.pictures]
    cells = [_cell(page, gallery.element, element, elements) for element in elements]
    spans = [(page.elements.first.item(cell), page.elements.last.item(cell)) for cell in cells]
    box_caption = next((one for one in children(page, gallery.element) if tag_of(page, one) == "figcaption"), 0)
    title: list[Block] = []
    caption_blocks: list[list[Block]] = [[] for _ in elements]
    for block, run in inner:
        if _COUNTER.match(block.text):
            continue
        at = next((at for at, (low, high) in enumerate(spans) if low <= run < high), -1)
        if at < 0 and not (
            box_caption and page.elements.first.item(box_caption) <= run < page.elements.last.item(box_caption)
        ):
            at = bisect_left([low for low, _ in spans], run + 1) - 1
        (title if at < 0 else caption_blocks[at]).append(block)
    texts = [_lines_of(parts) for parts in caption_blocks]
    if 2 * sum(map(bool, texts)) >= sum(bool(candidates[place].image.caption) for place in gallery.pictures):
        # If most pictures have captions, use the declared caption for the rest.
        declared_captions = [
            candidates[place].image.caption * (candidates[place].figure != gallery.element)
            for place in gallery.pictures
        ]
        texts = [text or ((Inline(more),) if more else ()) for text, more in zip(texts, declared_captions, strict=True)]
    parents, tag = page.elements.parent, page.elements.tag
    depth = quotes = 0
    ancestor = parents.item(gallery.element)
    while ancestor > 0:
        depth += tag.item(ancestor) in _LISTS
        quotes += tag.item(ancestor) == _QUOTE
        ancestor = parents.item(ancestor)
    head = Block(Kind.GALLERY, _lines_of(title), None, depth, None, quotes, size=len(elements))
    return [head, *(Block(Kind.CAPTION, text, None, depth, None, quotes) for text in texts)]


def _cell(page: Page, box: int, element: int, elements: Sequence[int]) -> int:
    """Return the outermost element around a picture that is inside the gallery `box` and contains none of its other
    pictures.
    """
    at = element
    parent = page.elements.parent.item(at)
    while parent > box and bisect_left(elements, inside(page, parent).stop) - bisect_left(elements, parent) == 1:
        at, parent = parent, page.elements.parent.item(parent)
    return at


def _lines_of(blocks: Sequence[Block]) -> tuple[Inline, ...]:
    """Return the inlines of several blocks, each block on a line."""
    inlines: list[Inline] = []
    for block in blocks:
        inlines += [Inline("\n"), *block.inlines] if inlines else block.inlines
    return tuple(inlines)


def _widen(blocks: list[Block], low: int, high: int, more: int) -> None:
    """Add `more` to the sizes of the blocks that enclose a gallery, after blocks were added to it. `low` and `high` are
    the range of the gallery's blocks.
    """
    for at in range(low):
        if blocks[at].size and at + blocks[at].size >= (high - 1 if high > low else low):
            blocks[at] = changed(blocks[at], size=blocks[at].size + more)
