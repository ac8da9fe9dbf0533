"""Microdata (HTML standard 5): what the elements of a story say of it, in the form of JSON-LD objects.

Only stories are read: elements whose `itemtype` ends in Article, Posting or the like, and the properties in them.
Nearly all pages that have microdata and no such element describe their menus and logos with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from tidings.page.page import Page

_STORY: Final = re.compile(r"""itemtype\s*+=\s*+["']?[^"'\s>]*?(?:Article|Posting|Review)["'\s>]""")
_TELLING: Final = ("itemprop", "itemscope")
#: More properties than this are those of a list of stories.
_MOST: Final = 300
#: A property that a page shows is as long as this at most; the body of the story is not read here.
_LONGEST: Final = 600
#: Which attribute of an element is its value (5.2.4).
_TOLD_BY: Final = {"link": "href", "img": "src", "time": "datetime", "data": "value"}
#: Of a link the address is the value of these; of others, as of an author, its text serves better.
_ADDRESSES: Final = frozenset("url image sameAs mainEntityOfPage thumbnailUrl contentUrl".split())


def stories(page: Page) -> tuple[dict[str, Any], ...]:
    """Return the stories that a page describes by microdata, in document order."""
    return described(page, _STORY)


def described(page: Page, pattern: re.Pattern[str]) -> tuple[dict[str, Any], ...]:
    """Return the items in whose start tags a pattern is found, as objects, in document order."""
    attributes = cache(page.attributes)  # items inside each other share elements
    objects = (_object(page, scope, attributes) for scope in items(page, pattern)[:_MOST])
    return tuple(thing for thing in objects if len(thing) > 1)


def items(page: Page, pattern: re.Pattern[str]) -> list[int]:
    """Return the elements with an `itemtype` in whose start tags a pattern is found, in document order."""
    found = page.holding(("itemtype",))
    if not len(found):
        return []
    tags = page.cut.tags(page.opened[found])
    return [element for element, tag in zip(found.tolist(), tags, strict=True) if pattern.search(tag)]


def _object(page: Page, scope: int, attributes: Callable[[int], dict[str, str]]) -> dict[str, Any]:
    """Return an item with its properties, those of items in it apart."""
    elements = page.elements
    end = int(elements.end[scope])
    whole: dict[str, Any] = {"@type": _type(attributes(scope))}
    opened: list[tuple[int, dict[str, Any]]] = [(end, whole)]
    # An item without a name stands for itself: its properties are not those of the item around it (5.2.5).
    telling = page.holding(_TELLING)
    first, last = np.searchsorted(telling, (scope + 1, int(np.searchsorted(elements.start, end)))).tolist()
    for element in telling[first : min(last, first + _MOST - 1)].tolist():
        while len(opened) > 1 and elements.start[element] >= opened[-1][0]:
            opened.pop()
        found = attributes(element)
        value: Any
        if "itemscope" in found:
            value = {"@type": _type(found)}
            item = (int(elements.end[element]), value)
        else:
            value = _value(page, element, found)
        for name in found.get("itemprop", "").split():
            opened[-1][1].setdefault(name, []).append(value)
        if "itemscope" in found:
            opened.append(item)
    return whole


def _type(found: dict[str, str]) -> str:
    kind = found.get("itemtype", "").split()
    return kind[0].rpartition("/")[2] if kind else ""


def _value(page: Page, element: int, found: dict[str, str]) -> str:
    tag = page.tag_names[page.elements.tag[element]]
    told = found.get("content") or found.get(_TOLD_BY.get(tag, ""))
    if told is None and tag == "a" and not _ADDRESSES.isdisjoint(found.get("itemprop", "").split()):
        told = found.get("href")
    if told is not None:
        return told.strip()
    first, last = int(page.elements.first[element]), int(page.elements.last[element])
    if first == last:
        return ""
    start = int(page.runs.text_start[first])
    return page.text[start : min(int(page.runs.text_end[last - 1]), start + _LONGEST)].strip()
