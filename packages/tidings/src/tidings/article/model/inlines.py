"""The formatting of inlines."""

from __future__ import annotations

from operator import attrgetter
from typing import Final, NamedTuple

from tidings.article.model.blocks import Inline


class Style(NamedTuple):
    """The formatting of an inline: the fields of `Inline` after its text, in the same order."""

    href: str | None = None
    strong: bool = False
    emphasis: bool = False
    code: bool = False
    superscript: bool = False
    subscript: bool = False
    formula: bool = False
    inserted: bool = False
    deleted: bool = False
    note: str = ""
    reading: str = ""
    expansion: str = ""


_STYLE: Final = attrgetter(*Style._fields)


def style_of(inline: Inline) -> Style:
    """Return the formatting of an inline."""
    return Style._make(_STYLE(inline))


def with_style(style: Style, other: Style) -> Style:
    """Return the union of two styles."""
    return Style._make(either or too for either, too in zip(style, other, strict=True))
