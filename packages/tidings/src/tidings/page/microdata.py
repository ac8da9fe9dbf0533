"""Microdata (HTML standard 5): the properties of articles, in the form of JSON-LD objects.

Only articles are read: elements whose `itemtype` ends in Article, Posting or similar, with their properties. Nearly all
other pages with microdata describe their menus and logos with it.
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
#: A list of articles has more properties than this.
_MOST: Final = 300
#: Longest property value; the body of the article is not read here.
_LONGEST: Final = 600
#: The attribute with the value, by tag (5.2.4).
_VALUE_ATTRIBUTES: Final = {"link": "href", "img": "src", "time": "datetime", "data": "value"}
#: Properties of a link whose value is the URL; for others, such as an author, the text is better.
_ADDRESSES: Final = frozenset("url image sameAs mainEntityOfPage thumbnailUrl contentUrl".split())


def stories(page: Page) -> tuple[dict[str, Any], ...]:
    """Return the articles that a page describes by microdata, in document order."""
    return described(page, _STORY)


def described(page: Page, pattern: re.Pattern[str]) -> tuple[dict[str, Any], ...]:
    """Return the items whose start tags match a pattern as objects, in document order."""
    attributes = cache(page.attributes)  # nested items share elements
    objects = (_object(page, scope, attributes) for scope in items(page, pattern)[:_MOST])
    return tuple(thing for thing in objects if len(thing) > 1)


def items(page: Page, pattern: re.Pattern[str]) -> list[int]:
    """Return the elements with an `itemtype` whose start tags match a pattern, in document order."""
    elements = page.holding(("itemtype",))
    if not len(elements):
        return []
    tags = page.cut.tags(page.opened[elements])
    return [element for element, tag in zip(elements.tolist(), tags, strict=True) if pattern.search(tag)]


def _object(page: Page, scope: int, attributes: Callable[[int], dict[str, str]]) -> dict[str, Any]:
    """Return a microdata item with its properties. Nested items are separate objects."""
    elements = page.elements
    end = int(elements.end[scope])
    whole: dict[str, Any] = {"@type": _type(attributes(scope))}
    opened: list[tuple[int, dict[str, Any]]] = [(end, whole)]
    # A nested item without a name is independent: its properties do not belong to the outer item (5.2.5).
    telling = page.holding(_TELLING)
    first, last = np.searchsorted(telling, (scope + 1, int(np.searchsorted(elements.start, end)))).tolist()
    for element in telling[first : min(last, first + _MOST - 1)].tolist():
        while len(opened) > 1 and elements.start[element] >= opened[-1][0]:
            opened.pop()
        values_found = attributes(element)
        value: Any
        if "itemscope" in values_found:
            value = {"@type": _type(values_found)}
            item = (int(elements.end[element]), value)
        else:
            value = _value(page, element, values_found)
        for name in values_found.get("itemprop", "").split():
            opened[-1][1].setdefault(name, []).append(value)
        if "itemscope" in values_found:
            opened.append(item)
    return whole


def _type(attributes_found: dict[str, str]) -> str:
    kind = attributes_found.get("itemtype", "").split()
    return kind[0].rpartition("/")[2] if kind else ""


def _value(page: Page, element: int, attributes_found: dict[str, str]) -> str:
    tag = page.tag_names[page.elements.tag[element]]
    value = attributes_found.get("content") or attributes_found.get(_VALUE_ATTRIBUTES.get(tag, ""))
    if value is None and tag == "a" and not _ADDRESSES.isdisjoint(attributes_found.get("itemprop", "").split()):
        value = attributes_found.get("href")
    if value is not None:
        return value.strip()
    first, last = int(page.elements.first[element]), int(page.elements.last[element])
    if first == last:
        return ""
    start = int(page.runs.text_start[first])
    return page.text[start : min(int(page.runs.text_end[last - 1]), start + _LONGEST)].strip()
