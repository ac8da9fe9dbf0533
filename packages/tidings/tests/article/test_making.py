"""Inlines from the rows of the core, and blocks with other fields."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from tidings.article.model.blocks import Block, Image, Inline, Item, Kind
from tidings.article.model.constructors import changed, new_inlines


@pytest.mark.parametrize(
    ("row", "inline"),
    [
        ((5, 0, 0), Inline("Seals")),
        ((5, 1, 0b00001), Inline("Seals", "/seals", strong=True)),
        ((5, 0, 0b10100), Inline("Seals", code=True, subscript=True)),
        ((5, 0, 0b11100000), Inline("Seals", formula=True, inserted=True, deleted=True)),
        ((5, 0, 2 << 8 | 0b01000), Inline("Seals", superscript=True, note="3", expansion="Sea lions")),
    ],
)
def test_a_row_of_the_core_is_an_inline(row: tuple[int, ...], inline: Inline) -> None:
    texts = [("", "reading", ""), ("3", "", "Sea lions")]
    assert new_inlines("Seals", [row], [None, "/seals"], texts) == [inline]


def test_inlines_follow_one_another() -> None:
    assert new_inlines("SealsSea", [(5, 0, 0), (8, 0, 0)], [None]) == [Inline("Seals"), Inline("Sea")]


def test_a_changed_block_keeps_its_other_fields() -> None:
    values = {one.name: f"{one.name} of a block" for one in fields(Block)}
    block = Block(**values)  # type: ignore[arg-type]  # any value will do
    assert changed(block) == block
    assert changed(block, depth=7, item=Item()) == replace(block, depth=7, item=Item())
    assert changed(Block(Kind.CAPTION), image=Image("/seal.jpg")) == Block(Kind.CAPTION, image=Image("/seal.jpg"))
