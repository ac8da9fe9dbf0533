"""What is made quickly is what the constructors make (`article.making`), so that a new field cannot be forgotten."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from tidings.article.blocks import Block, BlockSlots, Cell, CellSlots, Image, ImageSlots, Inline, InlineSlots, Kind
from tidings.article.inlines import Style
from tidings.article.making import changed, new_block, new_cell, new_image, new_inline, new_inlines, styled_inline

INLINE = Inline("Seals")


@pytest.mark.parametrize(
    ("made", "constructed"),
    [
        (new_inline("Seals"), INLINE),
        (new_inline("Seals", "/seals", 0b00001), Inline("Seals", "/seals", strong=True)),
        (new_inline("Seals", None, 0b10100), Inline("Seals", code=True, subscript=True)),
        (
            new_inlines("SealsSea", [(5, 1, 0b00001), (8, 0, 0)], [None, "/seals"]),
            [Inline("Seals", "/seals", strong=True), Inline("Sea")],
        ),
        (styled_inline("Seals", Style(href="/seals", deleted=True)), Inline("Seals", "/seals", deleted=True)),
        (new_block(Kind.PARAGRAPH, (INLINE,)), Block(Kind.PARAGRAPH, (INLINE,))),
        (new_block(Kind.HEADING, (INLINE,), level=2), Block(Kind.HEADING, (INLINE,), level=2)),
        (
            changed(Block(Kind.PREFORMATTED, (INLINE,)), language="rust"),
            Block(Kind.PREFORMATTED, (INLINE,), language="rust"),
        ),
        (new_cell((INLINE,), True, 2, 3), Cell((INLINE,), header=True, colspan=2, rowspan=3)),
        (new_image("/seal.jpg", "A seal", credit="Ada Quill"), Image("/seal.jpg", "A seal", credit="Ada Quill")),
    ],
)
def test_what_is_made_quickly_is_what_the_constructor_makes(made: object, constructed: object) -> None:
    assert type(made) is type(constructed)
    assert made == constructed
    assert repr(made) == repr(constructed)
    if not isinstance(made, list):
        assert hash(made) == hash(constructed)


@pytest.mark.parametrize(
    ("slots", "whole"), [(BlockSlots, Block), (CellSlots, Cell), (ImageSlots, Image), (InlineSlots, Inline)]
)
def test_fields_have_the_slots_of_what_is_made_quickly(slots: type, whole: type) -> None:
    assert slots.__dict__["__slots__"] == tuple(one.name for one in fields(whole))
    assert whole.__dict__["__slots__"] == ()


def test_what_is_made_quickly_is_frozen_and_can_be_replaced() -> None:
    made = new_block(Kind.PARAGRAPH, (INLINE,))
    with pytest.raises(FrozenInstanceError):
        made.depth = 1  # type: ignore[misc]  # this is what is tested
    assert replace(made, depth=1) == Block(Kind.PARAGRAPH, (INLINE,), depth=1)
