"""From chosen ranges of a page to an article.

Only what was chosen goes in: a block of which half was chosen gives half a block. Everything is asked of columns
and of contexts that are kept, so the time grows with the page and not with its square.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tidings.article.blocks import Block, Image, Inline, Item, Kind
from tidings.article.chosen import Piece, exact_parts, parts, pieces
from tidings.article.context import Contexts, Place
from tidings.article.direction import direction
from tidings.article.inlines import exact, folded
from tidings.article.lists import numbers
from tidings.article.model import Article, Comment
from tidings.article.pictures import pictures
from tidings.article.tables import data_tables
from tidings.fields.addresses import absolute, base_of, safe_picture
from tidings.page import Page, Spans, tags

if TYPE_CHECKING:
    from tidings.fields import Fields, Remark

_TERM: Final = tags.NUMBERS["dt"]
_AS_THEY_ARE: Final = tuple(
    "title authors published modified language site summary section tags next_page single_page".split()
)
#: A heading element with more blocks than this was never closed: only the first of them is the heading.
_MAX_HEADING_BLOCKS: Final = 3


def assemble(
    page: Page,
    spans: Spans,
    fields: Fields | None = None,
    *,
    chosen_by: str = "spans",
    kind: str = "article",
    confidence: float | None = None,
) -> Article:
    """The article that the chosen text of a page makes.

    Args:
        page: the page.
        spans: what was chosen of its text.
        fields: what is known besides the text.
        chosen_by: who chose the text, for the provenance.
        kind: what sort of page it is.
        confidence: how sure the choice is, 0 to 1.
    """
    base = base_of(page)
    blocks, images = _Assembly(page, base, spans).result()
    declared = _declared(page, spans)
    told: dict[str, str] = {}
    values: dict[str, Any] = {}
    if fields is not None:
        values = {name: getattr(fields, name) for name in _AS_THEY_ARE}
        told = dict(fields.provenance)
        values["marks"] = tuple(sorted(map(str, fields.marks)))
        values["comments"] = remarks(page, base, fields.comments)
        values["posts"] = remarks(page, base, fields.posts)
        values["canonical"] = safe_picture(absolute(fields.canonical, base)) if fields.canonical else ""
        values["image"] = _lead(safe_picture(absolute(fields.image, base)) if fields.image else None, images)
        told = {name: by for name, by in told.items() if values.get(name)}
    if not values.get("language") and declared.get("lang"):
        values["language"], told["language"] = declared["lang"], "lang attribute"
    if not values.get("image") and images:
        values["image"], told["image"] = images[0], "first image of the text"
    values["direction"], told["direction"] = direction(
        (block.text for block in blocks), declared.get("dir", ""), values.get("language", "")
    )
    known = {"url": ("page", page.url), "body": (chosen_by, blocks), "images": (chosen_by, images)}
    told |= {name: by for name, (by, value) in known.items() if value}
    values = {name: value for name, value in values.items() if value}
    return Article(
        url=page.url or "",
        images=images,
        blocks=blocks,
        kind=kind,
        confidence=confidence,
        provenance=told,
        **values,
    )


def remarks(page: Page, base: str, found: Sequence[Remark]) -> tuple[Comment, ...]:
    """Comments or posts with their texts in blocks; those that say nothing are left out."""
    if not found:
        return ()
    shown = [remark for remark in found if remark.spans is not None]
    texts: dict[int, list[Block]] = {}
    if shown:
        owner = np.full(len(page.runs), -1, np.int64)
        for place, remark in enumerate(shown):
            if remark.spans is not None:
                owner[remark.spans.runs(page)] = place
        assembly = _Assembly(page, base, Spans.of_runs(page, owner >= 0), [remark.element for remark in shown])
        blocks = list(assembly.blocks())
        for run, block in zip(assembly.runs, blocks, strict=True):
            texts.setdefault(int(owner[run]), []).append(block)
    places = {id(remark): place for place, remark in enumerate(shown)}
    made = []
    for remark in found:
        inside = texts.get(places[id(remark)], []) if id(remark) in places else _paragraphs(remark.text)
        if inside:
            made.append(Comment(tuple(inside), remark.author, remark.published))
    return tuple(made)


def _paragraphs(text: str) -> list[Block]:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [Block(Kind.PARAGRAPH, (Inline(line),)) for line in lines if line]


def _lead(src: str | None, images: tuple[Image, ...]) -> Image | None:
    return next((image for image in images if image.src == src), Image(src)) if src else None


def _declared(page: Page, spans: Spans) -> dict[str, str]:
    """The `dir` and `lang` that hold for all of the chosen text."""
    chosen = np.flatnonzero(spans.runs(page))
    if not len(chosen):
        return {}
    elements = page.elements
    element, last = int(page.runs.element[chosen[0]]), int(chosen[-1])
    found: dict[str, str] = {}
    while element > 0:
        if elements.last[element] > last:
            attributes = page.attributes(element)
            for name, value in (("dir", attributes.get("dir")), ("lang", attributes.get("lang"))):
                if value and value.strip():
                    found.setdefault(name, value.strip().lower() if name == "dir" else value.strip().replace("_", "-"))
        element = int(elements.parent[element])
    return found


class _Assembly:
    """The blocks of one article in the making: it remembers which list items have begun."""

    def __init__(self, page: Page, base: str, spans: Spans, roots: Sequence[int] = ()) -> None:
        self.page = page
        self.base = base
        self.tables = data_tables(page)
        self.pieces = pieces(page, spans, Contexts(page, base, self.tables.begins, roots))
        self.begun: set[int] = set()  # list items, and definition lists with a term
        self.runs: list[int] = []  # per block the first run of it
        self.figures: list[int] = []  # per block the figure it is the caption of

    @cached_property
    def numbers(self) -> dict[int, int]:
        return numbers(self.page)

    def result(self) -> tuple[tuple[Block, ...], tuple[Image, ...]]:
        """Blocks, with pictures given to their captions, and pictures, with their place among the blocks."""
        blocks = list(self.blocks())
        chosen = np.zeros(len(self.page.runs), np.bool_)
        chosen[[piece.run for piece in self.pieces]] = True
        images = []
        by_figure: dict[int, Image] = {}
        for picture in pictures(self.page, self.base, chosen):
            image = picture.image
            image = Image(image.src, image.alt, image.caption, bisect_left(self.runs, picture.run))
            images.append(image)
            by_figure.setdefault(picture.figure, image)
        for place, figure in enumerate(self.figures):
            if figure and figure in by_figure:
                blocks[place] = replace(blocks[place], image=by_figure.pop(figure))
        return tuple(blocks), tuple(images)

    def blocks(self) -> Iterator[Block]:
        for _, group in groupby(self.pieces, _together):
            found = list(group)
            block = self.block(found)
            if block is not None:
                self.runs.append(found[0].run)
                self.figures.append(found[0].context.place.figure if block.kind is Kind.CAPTION else 0)
                yield block

    def block(self, found: list[Piece]) -> Block | None:
        """The block that pieces make, None if they are white space."""
        around = found[0].context.place
        if around.cell:
            cells = groupby(found, lambda piece: piece.context.place.cell)
            texts = {cell: folded(parts(self.page, list(inside))) for cell, inside in cells}
            rows = self.tables.rows(self.page, around.table, {cell: text for cell, text in texts.items() if text})
            if not rows:
                return None
            return Block(Kind.TABLE, (), None, around.depth, self.item(around), around.quotes, rows)
        preformatted = _is_preformatted(around)
        inlines = exact(exact_parts(self.page, found)) if preformatted else folded(parts(self.page, found))
        if not inlines:
            return None
        item = self.item(around)
        level = self.level(around, found[0].block)
        if around.caption:
            kind = Kind.CAPTION
        elif preformatted:
            kind = Kind.PREFORMATTED
        elif level:
            kind = Kind.HEADING
        elif around.quoted:
            kind = Kind.QUOTE
        else:
            kind = Kind.LIST_ITEM if item else Kind.PARAGRAPH
        return Block(kind, inlines, level if kind is Kind.HEADING else None, around.depth, item, around.quotes)

    def item(self, around: Place) -> Item | None:
        """The list item that a block begins: each item is begun once. A definition goes on with its term's item."""
        if not around.item or around.item in self.begun:
            return None
        self.begun.add(around.item)
        if around.defines and around.owner in self.begun:
            return None
        if self.page.elements.tag[around.item] == _TERM and around.owner:
            self.begun.add(around.owner)
        number = self.numbers.get(around.item)
        return Item(number is not None, number)

    def level(self, around: Place, block: int) -> int | None:
        """The level of the heading, if the block is one."""
        if not around.heading:
            return None
        elements, runs = self.page.elements, self.page.runs
        first, last = (
            int(runs.block[run]) for run in (elements.first[around.heading], elements.last[around.heading] - 1)
        )
        if block != first and last - first >= _MAX_HEADING_BLOCKS:
            return None
        return int(self.page.tag_names[elements.tag[around.heading]][1])


def _is_preformatted(around: Place) -> bool:
    return bool(around.preformatted) and not around.caption and not around.heading


def _together(piece: Piece) -> tuple[str, int]:
    """Pieces with the same answer make one block: of a table, of preformatted text, of a block of the page."""
    around = piece.context.place
    if around.cell:
        return "table", around.table
    if around.preformatted and _is_preformatted(around):
        return "preformatted", around.preformatted
    return "block", piece.block
