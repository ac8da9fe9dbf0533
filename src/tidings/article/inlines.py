"""Pieces of text and their styles joined into inlines.

Two neighbours of one style are one inline. A space between two styles belongs to what they have in common, so that a
link or a strong word does not begin or end with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from tidings.article.blocks import Inline
from tidings.article.making import styled_inline
from tidings.text.patterns import late_pattern


class Style(NamedTuple):
    """The formatting of an inline: the fields of `Inline` behind its text, in their order."""

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


Part = tuple[str, Style]

_STYLE: Final = attrgetter(*Style._fields)

PLAIN: Final = Style()
#: Fields of a style that are an address or true or false; those behind are texts.
_FLAGS: Final = Style._fields.index("note")
_BLANKS: Final = late_pattern(r"[^\S\n]+")
_ODD: Final = late_pattern(r"[^\S ]|  ")
_EMPTY_LINES: Final = late_pattern(r"(?:[^\S\n]*+\n)*+")


def style_of(inline: Inline) -> Style:
    """The formatting of an inline."""
    return Style._make(_STYLE(inline))


def common(one: Style, other: Style) -> Style:
    """What two styles have in common."""
    if one is PLAIN or other is PLAIN:  # the most frequent by far
        return PLAIN
    if one == other:
        return one
    flags = (both and too for both, too in zip(one[1:_FLAGS], other[1:_FLAGS], strict=True))
    texts = (both if both == too else "" for both, too in zip(one[_FLAGS:], other[_FLAGS:], strict=True))
    return Style._make((one.href if one.href == other.href else None, *flags, *texts))


def with_style(one: Style, other: Style) -> Style:
    """What either of two styles has."""
    return Style._make(either or too for either, too in zip(one, other, strict=True))


def joined(parts: Iterable[Part]) -> tuple[Inline, ...]:
    """Neighbours of one style made one."""
    found: list[Inline] = []
    texts: list[str] = []
    current = PLAIN
    for text, style in parts:
        if texts and style != current:
            found.append(styled_inline("".join(texts), current))
            texts = []
        if text:
            texts.append(text)
            current = style
    if texts:
        found.append(styled_inline("".join(texts), current))
    return tuple(found)


def folded(parts: Sequence[Part]) -> tuple[Inline, ...]:
    """Inlines with single spaces and single line breaks, and none at the ends."""
    if len(parts) > 1:
        return joined(_folded(parts))
    for text, style in parts:
        if said := _of_one_style(text):
            return (styled_inline(said, style),)
    return ()


def _of_one_style(text: str) -> str:
    if "\n" not in text:
        return " ".join(text.split())
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _folded(parts: Iterable[Part]) -> Iterator[Part]:
    """The words, and between two of them a line break if there was one, else a space if there was white space."""
    waiting: Part | None = None  # white space, shown when a word follows
    begun = False
    for text, style in parts:
        lines = _BLANKS.sub(" ", text).split("\n") if _ODD.search(text) else (text,)
        for number, line in enumerate(lines):
            if number:
                waiting = ("\n", style)
            words = line.strip(" ")
            if line.startswith(" ") and waiting is None:
                waiting = (" ", style)
            if words:
                if waiting and begun:
                    yield waiting
                yield words, style
                begun = True
                waiting = (" ", style) if line.endswith(" ") else None


def exact(parts: Iterable[Part]) -> tuple[Inline, ...]:
    """Inlines with their white space as it is, without empty lines at the ends."""
    kept = list(parts)
    whole = "".join(text for text, _ in kept)
    start, end = _EMPTY_LINES.match(whole).end(), len(whole.rstrip())  # type: ignore[union-attr]  # it matches nothing too
    return joined(_clipped(kept, start, end))


def _clipped(parts: Iterable[Part], start: int, end: int) -> Iterator[Part]:
    place = 0
    for text, style in parts:
        yield text[max(start - place, 0) : max(end - place, 0)], style
        place += len(text)
