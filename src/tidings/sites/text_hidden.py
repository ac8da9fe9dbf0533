"""Elements that nobody sees, taken out of the tags and texts of a fragment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from tidings.page.attributes import attributes
from tidings.page.hidden import is_hidden
from tidings.sites.plain_tags import (
    BREAK,
    ENDS_BY_ITSELF,
    HOLDING_NOTHING,
    ITEM,
    PARAGRAPH,
    SORTS,
    TABLE,
)
from tidings.sites.text_acts import BETWEEN, BREAKS, INSIDE, MAKING
from tidings.sites.text_structure import STRUCTURED, Unclear

_WORDS: Final = ("style", "hidden", "screen", "sr-only")
_HIDING: Final = re.compile(
    r"hidden|sr-only|screen|none|visib|opacity|font-size\s*+:\s*+0|:\s*+-\d\d\d|clip|background"
)
#: A page with more elements that nobody sees is read otherwise.
_MOST_HIDDEN: Final = 40


def suspects(attributed: Sequence[str], said: str) -> list[int]:
    """Which tags have a word in their attributes with which an element can be hidden; `said` is all of them."""
    small = said.lower()
    words = [word for word in _WORDS if word in small]
    if not words:
        return []
    lowered = small.split(">")
    if len(lowered) != len(attributed):  # there is a `>` in a value
        lowered = [one.lower() for one in attributed]
    return sorted({place for place, one in enumerate(lowered) for word in words if word in one and _HIDING.search(one)})


def take_out_hidden(names: list[str], acts: list[int], texts: list[str], hidden: Sequence[int]) -> None:
    """Take out elements that nobody sees, told by the places of their start tags.

    Raises:
        Unclear: where one of them ends.
    """
    if len(hidden) > _MOST_HIDDEN:
        raise Unclear
    behind = 0
    for place in hidden:
        if place < behind or _holds_nothing(names[place]):
            continue
        behind = _behind(names, place)
        inner = acts[place:behind]
        if BREAKS in inner or (max(inner) > BETWEEN and not _is_apart(names, place, behind)):
            raise Unclear
        # Text that is not shown parts what stands around it, as a space does.
        blank = " " if any(texts[place : behind - 1]) else ""
        texts[place : behind - 1] = [""] * (behind - place - 1)
        texts[behind - 1] = blank + texts[behind - 1]
        acts[place:behind] = [BETWEEN if max(inner) > BREAKS else INSIDE] * (behind - place)


@lru_cache(maxsize=1024)
def hides(name: str, said: str) -> bool:
    """Whether a tag with these attributes hides its element."""
    return is_hidden(attributes(f"<{name} {said}>"))


def _holds_nothing(name: str) -> bool:
    return SORTS.get(name) in HOLDING_NOTHING


def _is_apart(names: Sequence[str], place: int, behind: int) -> bool:
    """Whether boxes, lists and tables in a hidden element mean nothing to those outside it."""
    inside = {name.lower() for name in names[place:behind]}
    if inside.isdisjoint(MAKING) and inside.isdisjoint(STRUCTURED):
        return True
    outside = {name.lower() for name in (*names[:place], *names[behind:])}
    return "table" not in outside and (
        inside.isdisjoint(MAKING) or not inside.isdisjoint(("table", "ul", "ol", "menu"))
    )


def _behind(names: Sequence[str], place: int) -> int:
    """The place behind the end tag of an element in which all is closed in order."""
    if names[place][0] == "/" or SORTS.get(names[place]) in (PARAGRAPH, ITEM, TABLE, BREAK):
        raise Unclear  # such an element may end by itself
    stack: list[str] = []
    for at in range(place, len(names)):
        name = names[at]
        if name[0] != "/":
            if not _holds_nothing(name):
                stack.append(name)
            continue
        if stack[-1] != name[1:] and SORTS.get(stack[-1]) in ENDS_BY_ITSELF:
            stack.pop()
        if stack.pop() != name[1:]:
            raise Unclear
        if not stack:
            return at + 1
    raise Unclear
