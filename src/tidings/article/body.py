"""The blocks and pictures that chosen ranges of a page make."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from tidings.article import compiled
from tidings.article.blocks import Block, Image
from tidings.article.building import Building, PlacedBlock
from tidings.article.pictures import pictures
from tidings.page import Page, Spans


class Body(NamedTuple):
    """What was chosen of a page, or of a fragment of one."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]


def body_of(page: Page, base: str, shown: Spans) -> Body:
    """Blocks, with pictures given to their captions, and pictures, with their place among the blocks.

    Args:
        page: the page.
        base: what its addresses are relative to.
        shown: what was chosen of what a reader sees.
    """
    blocks: list[Block] = []
    runs: list[int] = []
    captions: list[tuple[int, int]] = []  # the place of a caption among the blocks, and its figure
    for block, run, figure in blocks_of(page, base, shown):
        if figure:
            captions.append((len(blocks), figure))
        blocks.append(block)
        runs.append(run)
    images = []
    by_figure: dict[int, Image] = {}
    for picture in pictures(page, base, shown):
        image = picture.image
        image = Image(image.src, image.alt, image.caption, bisect_left(runs, picture.run))
        images.append(image)
        by_figure.setdefault(picture.figure, image)
    for place, figure in captions:
        if figure in by_figure:
            blocks[place] = replace(blocks[place], image=by_figure.pop(figure))
    return Body(tuple(blocks), tuple(images))


def blocks_of(page: Page, base: str, shown: Spans, roots: Sequence[int] = ()) -> Iterable[PlacedBlock]:
    """The blocks of what was chosen, in reading order; what stands around the roots does not count."""
    building = Building(page, base, shown, roots)
    found = compiled.made(building)
    return building.made() if found is None else found
