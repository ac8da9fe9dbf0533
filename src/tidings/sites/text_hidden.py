"""Elements that nobody sees, taken out of the tags and texts of a fragment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Final

from tidings.page.attributes import attributes
from tidings.page.hidden import may_hide, named_suspects, ways_hidden
from tidings.page.style_sheet import StyleSheet
from tidings.page.styles import INHERITED
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

#: Of longer attributes nothing is remembered.
_LONGEST_KEPT: Final = 400


def in_small(said: str) -> str:
    """What tags say in small letters, as far as it is ASCII: enough to look for words, and quick."""
    return (said if said.isascii() else said.encode("ascii", "replace").decode("ascii")).lower()


def suspects(names: Sequence[str], attributed: Sequence[str], small: str, styles: StyleSheet) -> list[int]:
    """Which tags may hide their elements; `small` is all that they say, in small letters, with marks between them."""
    found: set[int] = set()
    if may_hide(small):
        found.update(
            place
            for place, one in enumerate(small.split(MARK))
            if one and (_may_hide(one) if len(one) <= _LONGEST_KEPT else may_hide(one))
        )
    if styles:
        found |= named_suspects([f"<{name} {said}>" for name, said in zip(names, attributed, strict=True)], styles)
    return sorted(found)


@lru_cache(maxsize=4096)
def _may_hide(small: str) -> bool:
    """Whether there is something in attributes that hides an element; the tags of a site say the same on all pages."""
    return may_hide(small)


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


def hides(name: str, said: str, styles: StyleSheet) -> bool:
    """Whether a tag with these attributes hides its element.

    Raises:
        Unclear: it does, unless something inside takes it back.
    """
    if styles or len(said) > _LONGEST_KEPT:
        ways, _ = ways_hidden(attributes(f"<{name} {said}>"), name.lower(), styles)
    else:
        ways = _ways(name, said)
    if ways & INHERITED:
        raise Unclear
    return ways != 0


@lru_cache(maxsize=1024)
def _ways(name: str, said: str) -> int:
    return ways_hidden(attributes(f"<{name} {said}>"), name.lower())[0]


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
