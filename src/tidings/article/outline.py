"""Flat blocks as the nested lists and quotes that a markup shows.

Two lists of the same sort with nothing between them become one; items keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tidings.article.blocks import Block, Image, Item, Kind
from tidings.article.model import Article
from tidings.article.options import Options
from tidings.article.text import MAX_NESTING

Leaf = Block | Image


@dataclass(slots=True)
class Quote:
    """A quotation, or the callout or details whose first block is its head."""

    head: Block | None = None
    children: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Entry:
    """An item of a list. One that only holds a deeper list has no `item`."""

    item: Item | None
    children: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Listing:
    """A list."""

    ordered: bool
    entries: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Pictures:
    """A gallery: the block that begins it, and the captions of its pictures."""

    head: Block
    captions: list[Block] = field(default_factory=list)


Node = Leaf | Quote | Listing | Pictures
_HEADS = (Kind.CALLOUT, Kind.DETAILS)
_Step = type[Quote] | type[Listing]


def noted(article: Article) -> frozenset[str]:
    """Return the labels of the notes of an article: what else inlines refer to is not there."""
    return frozenset(block.label for block in (*article.blocks, *article.notes) if block.kind is Kind.NOTE)


def leaves(article: Article, options: Options) -> Iterator[Leaf]:
    """Yield blocks, and the pictures that have no caption among them, in reading order."""
    captioned = {block.image for block in article.blocks if block.image is not None}
    waiting: dict[int, list[Image]] = {}
    if options.images:
        for image in article.images:
            if image not in captioned and image.place is not None:
                waiting.setdefault(min(max(image.place, 0), len(article.blocks)), []).append(image)
    for place, block in enumerate(article.blocks):
        yield from waiting.get(place, ())
        if options.tables or block.kind is not Kind.TABLE:
            yield block
    yield from waiting.get(len(article.blocks), ())
    yield from article.notes


def outline(found: Iterable[Leaf]) -> list[Node]:  # noqa: C901, PLR0912  # one sort each
    """Return the leaves in their lists and quotes."""
    root = Quote()
    opened: list[Quote | Listing] = []
    ends: list[tuple[int, int]] = []  # of callouts and details: the number of their last block, and how deep they are
    number = 0
    gallery: Pictures | None = None
    for leaf, following in _with_next_block(found):
        block = leaf if isinstance(leaf, Block) else None
        number += block is not None
        if gallery is not None:
            if block is not None and block.kind is Kind.CAPTION and len(gallery.captions) < gallery.head.size:
                gallery.captions.append(block)
                continue
            gallery = None
        while ends and number > ends[-1][0]:
            del opened[ends.pop()[1] :]
        # A picture stays in what is open around both the text before and the text behind it.
        wanted = _way(block or following)
        shared = _shared(opened, wanted)
        if block is not None and block.kind in _HEADS and wanted:
            del opened[min(shared, len(wanted) - 1) :]
            for place in range(len(opened), len(wanted)):
                inner_quote = Quote(block if place == len(wanted) - 1 else None)
                _inside(opened[-1] if opened else root).append(inner_quote)
                opened.append(inner_quote)
            ends.append((number + block.size, len(opened) - 1))
            continue
        if block is not None:
            item = block.item
            innermost = len(wanted) - 1 - wanted[::-1].index(Listing) if Listing in wanted else -1
            if (
                item is not None and shared > innermost
            ):  # close what is inside the item before, or a list of another sort
                around = opened[innermost]
                shared = innermost + (isinstance(around, Listing) and around.ordered == item.ordered)
            del opened[shared:]
            if item is not None and shared > innermost:
                _begin(opened[-1], item)
            for place in range(shared, len(wanted)):
                # Only of the innermost list it is known whether it has numbers.
                ordered = place == innermost and item is not None and item.ordered
                inner = Quote() if wanted[place] is Quote else Listing(ordered)
                _inside(opened[-1] if opened else root).append(inner)
                opened.append(inner)
                if place == innermost and item is not None:
                    _begin(inner, item)
        else:
            del opened[shared:]
        if block is not None and block.kind is Kind.GALLERY:
            gallery = Pictures(block)
        _inside(opened[-1] if opened else root).append(gallery or leaf)
        if block is not None and block.kind is Kind.ATTRIBUTION and opened and len(_inside(opened[-1])) > 1:
            del opened[-1:]  # behind what was said it ends the quote
    return root.children


def _way(block: Block | None) -> list[_Step]:
    """Return the lists and quotes around a block. A quote block is a quote inside a list, the others lists inside a
    quote.
    """
    if block is None:
        return []
    depth = max(block.depth, 1) if block.item is not None else block.depth
    lists: list[_Step] = [Listing] * min(depth, MAX_NESTING)
    at_least = 1 if block.kind in _HEADS else 0
    quotes: list[_Step] = [Quote] * min(max(block.quote_depth, at_least), MAX_NESTING)
    if block.kind in _HEADS:
        return quotes
    return lists + quotes if block.kind is Kind.QUOTE else quotes + lists


def _shared(opened: Iterable[Quote | Listing], wanted: Iterable[_Step]) -> int:
    """Return how many of the open lists and quotes are wanted, from the outermost on."""
    count = 0
    for around, step in zip(opened, wanted, strict=False):
        if type(around) is not step:
            break
        count += 1
    return count


def _begin(around: Quote | Listing, item: Item) -> None:
    if isinstance(around, Listing):
        around.entries.append(Entry(item))


def _inside(around: Quote | Listing) -> list[Node]:
    """Return where the next node goes."""
    if isinstance(around, Quote):
        return around.children
    if not around.entries:
        around.entries.append(Entry(None))
    return around.entries[-1].children


def _with_next_block(found: Iterable[Leaf]) -> list[tuple[Leaf, Block | None]]:
    pairs: list[tuple[Leaf, Block | None]] = []
    following: Block | None = None
    for leaf in reversed(list(found)):
        pairs.append((leaf, following))
        if isinstance(leaf, Block):
            following = leaf
    return pairs[::-1]


def with_table_captions(nodes: Sequence[Node]) -> Iterator[tuple[Node, Block | None]]:
    """Yield each node; a caption that stands right before a table and has no picture comes with the table instead."""
    caption: Block | None = None
    for place, node in enumerate(nodes):
        behind = nodes[place + 1] if place + 1 < len(nodes) else None
        if (
            isinstance(node, Block)
            and node.kind is Kind.CAPTION
            and node.image is None
            and isinstance(behind, Block)
            and behind.kind is Kind.TABLE
        ):
            caption = node
        else:
            yield node, caption
            caption = None
