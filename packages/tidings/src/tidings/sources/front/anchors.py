"""The links of a page, grouped by target (LBNEST II.C.2.i: URL extraction).

A front page links to an article several times: from its picture, headline, teaser and "read more". All links to one URL
are one target with several anchors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import compress
from typing import Final

import numpy as np

from tidings.fields.urls.sanitise import base_of
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Bools, Ints
from tidings.page.references import unescape_attribute
from tidings.page.tag_sets import among, tag_set
from tidings.sources.addresses import canonical, key

_A: Final = tags.NUMBERS["a"]
_HEADINGS: Final = tag_set(tags.HEADINGS)
_MENU: Final = tag_set(tags.numbers("nav footer menu"))
_ARTICLE: Final = tag_set(tags.numbers("article"))
_PICTURE: Final = tag_set(tags.numbers("img picture video"))
_LIST: Final = tag_set(tags.numbers("ul ol"))
#: The usual form of links; others are parsed attribute by attribute.
_HREF: Final = re.compile(r"""<a\s(?:(?:class|id|title|target|rel)="[^"]*+"\s+)*+href="([^"]*+)["]""", re.IGNORECASE)
#: Prefixes of URLs that lead to no page.
_NOWHERE: Final = ("#", "javascript:", "mailto:", "tel:", "sms:", "data:", "whatsapp:")
#: Limit on the number of links.
MOST: Final = 20_000
#: A list with at least this many links, and fewer words per link than this, is a menu.
_LIST_LINKS, _LIST_WORDS = 5, 3.0


@dataclass(frozen=True, slots=True)
class LinkElement:
    """A link element of a page."""

    element: int
    address: str  # canonical
    href: str  # as written on the page
    text: str  # on one line; if there is no text, the label or alt text
    place: frozenset[str]  # features of its position on the page


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """All links to one URL."""

    address: str
    anchors: tuple[LinkElement, ...]


def anchors(page: Page) -> list[LinkElement]:
    """Return the links of a page that lead to pages, in document order."""
    columns = page.elements
    links = np.flatnonzero(columns.tag == _A)[:MOST]
    start_tags = page.cut.tags(page.opened[links])
    base = base_of(page)
    url_by_href: dict[str, str | None] = {}
    addresses: list[str | None] = []
    hrefs: list[str] = []
    for tag in start_tags:
        href = _href(tag)
        if href not in url_by_href:
            url_by_href[href] = None if not href or href.lower().startswith(_NOWHERE) else canonical(href, base)
        addresses.append(url_by_href[href])
        hrefs.append(href)
    valid = [at for at, address in enumerate(addresses) if address is not None]
    if not valid:
        return []
    elements = links[valid]
    places = _places(page, elements)
    texts = _texts(page, elements)
    result = []
    for at, element, text, place in zip(valid, elements.tolist(), texts, places, strict=True):
        address = addresses[at]
        if address is not None:
            label = text or _label(page, element, start_tags[at])
            result.append(LinkElement(element, address, hrefs[at], label, place))
    return result


def targets(links: list[LinkElement]) -> list[LinkTarget]:
    """Group links by URL, in the order of their first links, with the spelling of the first."""
    by_key: dict[str, list[LinkElement]] = {}
    keys: dict[str, str] = {}
    for anchor in links:
        url_key = keys.get(anchor.address)
        if url_key is None:
            url_key = keys[anchor.address] = key(anchor.address)
        by_key.setdefault(url_key, []).append(anchor)
    return [LinkTarget(group[0].address, tuple(group)) for group in by_key.values()]


def _href(tag: str) -> str:
    match = _HREF.match(tag)
    if match is None:
        return attributes(tag).get("href", "").strip()
    href = match[1]
    return (unescape_attribute(href) if "&" in href else href).strip()


def _texts(page: Page, elements: Ints) -> list[str]:
    """Return the visible text of each link on one line."""
    columns, runs = page.elements, page.runs
    firsts, lasts = columns.first[elements].tolist(), columns.last[elements].tolist()
    starts, ends = runs.text_start.tolist(), runs.text_end.tolist()
    text = page.text
    hidden = runs.hidden
    covered = np.concatenate(([0], np.cumsum(hidden)))
    texts = []
    for first, last in zip(firsts, lasts, strict=True):
        if first >= last:
            texts.append("")
            continue
        piece = text[starts[first] : ends[last - 1]]
        if covered[last] - covered[first]:
            visible = [text[starts[run] : ends[run]] for run in range(first, last) if not hidden[run]]
            piece = " ".join(visible) or piece  # a link that is hidden as a whole keeps its text
        elif last - first > 1:
            piece = page.line(first, last)
        texts.append(" ".join(piece.split()) if "\n" in piece else piece)
    return texts


def _label(page: Page, element: int, tag: str) -> str:
    """Return the label, title or image alt text of a link without text."""
    if "aria-label" in tag or "title" in tag:
        values = attributes(tag)
        if label := (values.get("aria-label") or values.get("title") or "").strip():
            return " ".join(label.split())
    inside = element + 1
    columns = page.elements
    while inside < len(columns) and columns.start[inside] < columns.end[element]:
        if among(columns.tag[inside : inside + 1], _PICTURE)[0] and (values := page.attributes(inside)).get("alt"):
            return " ".join(values["alt"].split())
        inside += 1
    return ""


def _places(page: Page, elements: Ints) -> list[frozenset[str]]:
    columns = page.elements
    tag = columns.tag
    heading = (page.nearest(_HEADINGS)[elements] > 0) | _holds(page, elements, among(tag, _HEADINGS))
    picture = _holds(page, elements, among(tag, _PICTURE))
    article = page.nearest(_ARTICLE)[elements] > 0
    menu = page.nearest(_MENU)[elements] > 0
    visible_before = np.concatenate(([0], np.cumsum(~page.runs.hidden)))
    first, last = columns.first[elements], columns.last[elements]
    hidden = (last > first) & (visible_before[last] == visible_before[first])
    short = _in_short_list(page, elements)
    names = ("heading", "picture", "article", "menu", "hidden", "list of short links")
    columns_of = (heading, picture, article, menu, hidden, short)
    return [frozenset(compress(names, row)) for row in zip(*(column.tolist() for column in columns_of), strict=True)]


def _holds(page: Page, elements: Ints, is_wanted: Bools) -> Bools:
    """Return which elements contain at least one of the wanted elements."""
    places = page.elements.start[is_wanted]
    before = np.searchsorted(places, page.elements.start[elements], side="right")
    behind = np.searchsorted(places, page.elements.end[elements], side="left")
    return np.asarray(behind > before)


def _in_short_list(page: Page, elements: Ints) -> Bools:
    """Return which links are in lists of several short links with hardly any other words."""
    columns = page.elements
    lists = page.nearest(_LIST)[elements]
    words = np.concatenate(([0], np.cumsum(page.runs.words)))
    all_words = words[columns.last] - words[columns.first]
    counts = np.bincount(lists, minlength=len(columns))
    is_menu = (counts >= _LIST_LINKS) & (all_words < _LIST_WORDS * counts)
    is_menu[0] = False
    return np.asarray(is_menu[lists])
