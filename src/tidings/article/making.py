"""Inlines from the rows of the core, and blocks with other fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from tidings.article.blocks import Block, Inline

#: Bits of formatting, and behind them the number of the texts of a style, counted from 1.
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
    """Return the inlines of a text: where each ends, the number of its address, its formatting.

    Args:
        text: what they say, one behind the other.
        numbers: rows of the core.
        addresses: by number.
        texts: note, reading and expansion, by number.
    """
    found = []
    start = 0
    for end, address, style in numbers:
        if not style:  # as most
            found.append(Inline(text[start:end], addresses[address]))
        else:
            inline = Inline(text[start:end], addresses[address], *_FLAGS[style & 0xFF])
            if style >> _BITS:
                inline.note, inline.reading, inline.expansion = texts[(style >> _BITS) - 1]
            found.append(inline)
        start = end
    return found


def changed(block: Block, **fields: Any) -> Block:
    """Return a block with other fields. `dataclasses.replace` takes several times as long."""
    made = Block(
        block.kind, block.inlines, block.level, block.depth, block.item, block.quote_depth, block.rows, block.image,
        block.language, block.label, block.embed, block.size, block.post,
    )  # fmt: skip
    for name, value in fields.items():
        setattr(made, name, value)
    return made
