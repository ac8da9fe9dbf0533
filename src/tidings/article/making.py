"""Blocks, inlines, cells and pictures made quickly: to set frozen fields one by one takes several times as long.

Each is filled as an object of another class with the same slots, which is of the right class before anybody sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tidings.article.blocks import (
    Block,
    BlockSlots,
    Cell,
    CellSlots,
    Embed,
    Image,
    ImageSlots,
    Inline,
    InlineSlots,
    Item,
    Kind,
    Post,
)

if TYPE_CHECKING:
    from tidings.article.inlines import Style

#: Strong, emphasis, code, superscript, subscript, by the bits of the core.
_FLAGS: Final = tuple(tuple(bool(bits >> place & 1) for place in range(5)) for bits in range(32))


class _InlineInMaking(InlineSlots):
    __slots__ = ()


class _BlockInMaking(BlockSlots):
    __slots__ = ()


class _CellInMaking(CellSlots):
    __slots__ = ()


class _ImageInMaking(ImageSlots):
    __slots__ = ()


def new_inline(text: str, href: str | None = None, bits: int = 0) -> Inline:
    """A piece of text, with formatting by the bits of the core."""
    made: Any = _InlineInMaking()
    made.text = text
    made.href = href
    if bits:
        made.strong, made.emphasis, made.code, made.superscript, made.subscript = _FLAGS[bits]
    else:
        made.strong = made.emphasis = made.code = made.superscript = made.subscript = False
    made.formula = made.inserted = made.deleted = False
    made.note = made.reading = made.expansion = ""
    made.__class__ = Inline
    inline: Inline = made
    return inline


def new_inlines(
    text: str, numbers: Iterable[tuple[int, ...]], addresses: Sequence[str | None], start: int = 0
) -> list[Inline]:
    """Pieces of a text one behind the other: where each ends, the number of its address, formatting by bits."""
    found: list[Any] = []
    for end, address, bits in numbers:
        made: Any = _InlineInMaking()
        made.text = text[start:end]
        made.href = addresses[address]
        if bits:
            made.strong, made.emphasis, made.code, made.superscript, made.subscript = _FLAGS[bits]
        else:
            made.strong = made.emphasis = made.code = made.superscript = made.subscript = False
        made.formula = made.inserted = made.deleted = False
        made.note = made.reading = made.expansion = ""
        made.__class__ = Inline
        found.append(made)
        start = end
    return found


def styled_inline(text: str, style: Style) -> Inline:
    """A piece of text of some style."""
    made: Any = _InlineInMaking()
    made.text = text
    (
        made.href, made.strong, made.emphasis, made.code, made.superscript, made.subscript, made.formula,
        made.inserted, made.deleted, made.note, made.reading, made.expansion,
    ) = style  # fmt: skip
    made.__class__ = Inline
    inline: Inline = made
    return inline


def new_block(
    kind: Kind,
    inlines: tuple[Inline, ...] = (),
    level: int | None = None,
    depth: int = 0,
    item: Item | None = None,
    quote_depth: int = 0,
    rows: tuple[tuple[Cell, ...], ...] = (),
    language: str = "",
    label: str = "",
    embed: Embed | None = None,
    size: int = 0,
    post: Post | None = None,
) -> Block:
    """A block without a picture."""
    made: Any = _BlockInMaking()
    made.kind = kind
    made.inlines = inlines
    made.level = level
    made.depth = depth
    made.item = item
    made.quote_depth = quote_depth
    made.rows = rows
    made.image = None
    made.language = language
    made.label = label
    made.embed = embed
    made.size = size
    made.post = post
    made.__class__ = Block
    block: Block = made
    return block


def changed(block: Block, **fields: Any) -> Block:
    """A block with other fields, as `dataclasses.replace` makes it."""
    made: Any = _BlockInMaking()
    made.kind = block.kind
    made.inlines = block.inlines
    made.level = block.level
    made.depth = block.depth
    made.item = block.item
    made.quote_depth = block.quote_depth
    made.rows = block.rows
    made.image = block.image
    made.language = block.language
    made.label = block.label
    made.embed = block.embed
    made.size = block.size
    made.post = block.post
    for name, value in fields.items():
        setattr(made, name, value)
    made.__class__ = Block
    whole: Block = made
    return whole


def new_cell(inlines: tuple[Inline, ...], header: bool, colspan: int, rowspan: int) -> Cell:
    """A cell of a table."""
    made: Any = _CellInMaking()
    made.inlines = inlines
    made.header = header
    made.colspan = colspan
    made.rowspan = rowspan
    made.__class__ = Cell
    cell: Cell = made
    return cell


def new_image(src: str, alt: str, caption: str = "", place: int | None = None, credit: str = "") -> Image:
    """A picture."""
    made: Any = _ImageInMaking()
    made.src = src
    made.alt = alt
    made.caption = caption
    made.place = place
    made.credit = credit
    made.__class__ = Image
    image: Image = made
    return image
