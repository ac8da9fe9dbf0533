"""Elements that nobody sees, taken out of the tags and texts of a fragment."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
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
from tidings.sites.text_acts import BETWEEN, BREAKS, INSIDE, MAKING, MARK
from tidings.sites.text_structure import STRUCTURED, Unclear

_WORDS: Final = ("style", "hidden", "screen", "sr-only")
_HIDING: Final = re.compile(
    r"hidden|sr-only|screen|none|visib|opacity|font-size\s*+:\s*+0|:\s*+-\d\d\d|clip|background"
)
#: Of longer attributes nothing is remembered.
_LONGEST_KEPT: Final = 400


def in_small(said: str) -> str:
    """What tags say in small letters, as far as it is ASCII: enough to look for words, and quick."""
    return (said if said.isascii() else said.encode("ascii", "replace").decode("ascii")).lower()


def suspects(small: str) -> list[int]:
    """Which tags have a word in their attributes with which an element can be hidden; given with marks between them."""
    words = [word for word in _WORDS if word in small]
    if not words:
        return []
    each = small.split(MARK)
    found = [
        place
        for word in words
        for place, one in enumerate(each)
        if word in one and (_may_hide(one) if len(one) <= _LONGEST_KEPT else _HIDING.search(one))
    ]
    return sorted(set(found)) if len(words) > 1 else found


@lru_cache(maxsize=4096)
def _may_hide(small: str) -> bool:
    """Whether there is something in attributes that hides an element; the tags of a site say the same on all pages."""
    return _HIDING.search(small) is not None


def take_out_hidden(names: Sequence[str], acts: str, texts: list[str], hidden: Sequence[int]) -> str:
    """Take out elements that nobody sees, told by the places of their start tags; says what is left of the acts.

    Raises:
        Unclear: where one of them ends.
    """
    if not hidden:
        return acts
    left = list(acts)
    tables = cache(lambda: [name.lower() for name in names].count("table"))  # counted once, where it matters
    behind = 0
    for place in hidden:
        if place < behind or _holds_nothing(names[place]):
            continue
        behind = _behind(names, place)
        inner = acts[place:behind]
        if BREAKS in inner or (max(inner) > BETWEEN and not _is_apart(names[place:behind], tables)):
            raise Unclear
        # Text that is not shown parts what stands around it, as a space does.
        blank = " " if any(texts[place + 1 : behind]) else ""
        texts[place + 1 : behind] = [""] * (behind - place - 1)
        texts[behind] = blank + texts[behind]
        left[place:behind] = (BETWEEN if max(inner) > BREAKS else INSIDE) * (behind - place)
    return "".join(left)


def hides(name: str, said: str) -> bool:
    """Whether a tag with these attributes hides its element."""
    return _hides(name, said) if len(said) <= _LONGEST_KEPT else is_hidden(attributes(f"<{name} {said}>"))


@lru_cache(maxsize=1024)
def _hides(name: str, said: str) -> bool:
    return is_hidden(attributes(f"<{name} {said}>"))


def _holds_nothing(name: str) -> bool:
    return SORTS.get(name) in HOLDING_NOTHING


def _is_apart(names: Sequence[str], tables: Callable[[], int]) -> bool:
    """Whether boxes, lists and tables in a hidden element mean nothing outside it; told how many tables are."""
    small = [name.lower() for name in names]
    inside = frozenset(small)
    if inside.isdisjoint(MAKING):
        return inside.isdisjoint(STRUCTURED) or not tables()
    return not inside.isdisjoint(("table", "ul", "ol", "menu")) and small.count("table") == tables()


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
