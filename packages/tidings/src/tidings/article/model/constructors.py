"""Fast constructors: inlines from the rows of the Rust core, and copies of blocks with some fields replaced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from tidings.article.model.blocks import Block, Inline

#: Formatting bits, followed by the number of a style's texts, counted from 1.
_BITS: Final = 8
#: Strong, emphasis, code, superscript, subscript, formula, inserted, deleted, by the bits of the core.
_FLAGS: Final[tuple[Any, ...]] = tuple(
    tuple(bool(bits >> place & 1) for place in range(_BITS)) for bits in range(1 << _BITS)
)


def new_inlines(
    text: str,
    numbers: Iterable[tuple[int, ...]],
    addresses: Sequence[str | None],
    texts: Sequence[tuple[str, ...]] = (),
) -> list[Inline]:
    """Return the inlines of a text, from rows of the core.

    Args:
        text: the text of all inlines, concatenated.
        numbers: a row for each inline: its end in the text, the index of its URL, its style bits.
        addresses: URLs by index.
        texts: note, reading and expansion by index.
    """
    inlines = []
    start = 0
    for end, address, style in numbers:
        if not style:  # as most
            inlines.append(Inline(text[start:end], addresses[address]))
        else:
            inline = Inline(text[start:end], addresses[address], *_FLAGS[style & 0xFF])
            if style >> _BITS:
                inline.note, inline.reading, inline.expansion = texts[(style >> _BITS) - 1]
            inlines.append(inline)
        start = end
    return inlines


def changed(block: Block, **fields: Any) -> Block:
    """Return a copy of a block with some fields replaced, several times faster than `dataclasses.replace`."""
    copy = Block(
        block.kind, block.inlines, block.level, block.depth, block.item, block.quote_depth, block.rows, block.image,
        block.language, block.label, block.embed, block.size, block.post,
    )  # fmt: skip
    for name, value in fields.items():
        setattr(copy, name, value)
    return copy
