"""Rebuild nested lists and quotes from flat blocks, for the markup formats.

Two adjacent lists of the same type become one; items keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tidings.article.formats.options import Options
from tidings.article.model.article import Article
from tidings.article.model.blocks import Block, Image, Item, Kind
from tidings.article.model.plain_text import MAX_NESTING

Leaf = Block | Image


@dataclass(slots=True)
class Quote:
    """A quote, or a callout or details with its first block as `head`."""

    head: Block | None = None
    children: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Entry:
    """A list item. It has no `item` if it only holds a deeper list."""

    item: Item | None
    children: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Listing:
    """A list with its items."""

    ordered: bool
    entries: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Pictures:
    """A gallery: its first block and the captions of its pictures."""

    head: Block
    captions: list[Block] = field(default_factory=list)


Node = Leaf | Quote | Listing | Pictures
_HEADS = (Kind.CALLOUT, Kind.DETAILS)
_Step = type[Quote] | type[Listing]


def noted(article: Article) -> frozenset[str]:
    """Return the labels of the article's notes. References to other labels are not linked."""
    return frozenset(block.label for block in (*article.blocks, *article.notes) if block.kind is Kind.NOTE)


def leaves(article: Article, options: Options) -> Iterator[Leaf]:
    """Yield blocks in reading order, and pictures without a caption among them."""
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


def outline(leaves_in_order: Iterable[Leaf]) -> list[Node]:  # noqa: C901, PLR0912  # one sort each
    """Nest blocks and pictures in their lists and quotes."""
    root = Quote()
    opened: list[Quote | Listing] = []
    ends: list[tuple[int, int]] = []  # of callouts and details: the number of their last block, and how deep they are
    number = 0
    gallery: Pictures | None = None
    for leaf, following in _with_next_block(leaves_in_order):
        block = leaf if isinstance(leaf, Block) else None
        number += block is not None
        if gallery is not None:
            if block is not None and block.kind is Kind.CAPTION and len(gallery.captions) < gallery.head.size:
                gallery.captions.append(block)
                continue
            gallery = None
        while ends and number > ends[-1][0]:
            del opened[ends.pop()[1] :]
        # A picture stays in the containers that enclose both the text before and the text after it.
        path = _path(block or following)
        shared = _shared(opened, path)
        if block is not None and block.kind in _HEADS and path:
            del opened[min(shared, len(path) - 1) :]
            for place in range(len(opened), len(path)):
                inner_quote = Quote(block if place == len(path) - 1 else None)
                _inside(opened[-1] if opened else root).append(inner_quote)
                opened.append(inner_quote)
            ends.append((number + block.size, len(opened) - 1))
            continue
        if block is not None:
            item = block.item
            innermost = len(path) - 1 - path[::-1].index(Listing) if Listing in path else -1
            if (
                item is not None and shared > innermost
            ):  # close the content of the previous item, or a list of another type
                open_list = opened[innermost]
                shared = innermost + (isinstance(open_list, Listing) and open_list.ordered == item.ordered)
            del opened[shared:]
            if item is not None and shared > innermost:
                _begin(opened[-1], item)
            for place in range(shared, len(path)):
                # Only of the innermost list it is known whether it has numbers.
                ordered = place == innermost and item is not None and item.ordered
                inner = Quote() if path[place] is Quote else Listing(ordered)
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
            del opened[-1:]  # after the quotation it ends the quote
    return root.children


def _path(block: Block | None) -> list[_Step]:
    """Return the types of the lists and quotes around a block, outermost first.

    A quote block is a quote inside a list; other blocks are lists inside a quote.
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


def _shared(opened: Iterable[Quote | Listing], path: Iterable[_Step]) -> int:
    """Return the number of open lists and quotes, counted from the outermost, whose types match the path of the next
    block.
    """
    count = 0
    for container, step in zip(opened, path, strict=False):
        if type(container) is not step:
            break
        count += 1
    return count


def _begin(container: Quote | Listing, item: Item) -> None:
    if isinstance(container, Listing):
        container.entries.append(Entry(item))


def _inside(container: Quote | Listing) -> list[Node]:
    """Return the list of child nodes to which the next node is added."""
    if isinstance(container, Quote):
        return container.children
    if not container.entries:
        container.entries.append(Entry(None))
    return container.entries[-1].children


def _with_next_block(leaves_in_order: Iterable[Leaf]) -> list[tuple[Leaf, Block | None]]:
    pairs: list[tuple[Leaf, Block | None]] = []
    following: Block | None = None
    for leaf in reversed(list(leaves_in_order)):
        pairs.append((leaf, following))
        if isinstance(leaf, Block):
            following = leaf
    return pairs[::-1]


def with_table_captions(nodes: Sequence[Node]) -> Iterator[tuple[Node, Block | None]]:
    """Yield each node with its table caption; a caption without picture before a table is yielded with the table."""
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
