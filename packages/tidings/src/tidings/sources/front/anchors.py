"""The links of a page by where they lead (LBNEST II.C.2.i: URL extraction).

A story is linked several times on a front page: from its picture, its headline, its teaser and "read more". What leads
to one address is one target with several anchors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import compress
from typing import Final

import numpy as np

from tidings.fields.addresses import base_of
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
#: How nearly all links are written; what stands otherwise is read attribute by attribute.
_HREF: Final = re.compile(r"""<a\s(?:(?:class|id|title|target|rel)="[^"]*+"\s+)*+href="([^"]*+)["]""", re.IGNORECASE)
#: Addresses that lead to no page.
_NOWHERE: Final = ("#", "javascript:", "mailto:", "tel:", "sms:", "data:", "whatsapp:")
#: More links than any front page has.
MOST: Final = 20_000
#: A list of at least so many links with fewer words each than this is a menu.
_LIST_LINKS, _LIST_WORDS = 5, 3.0


@dataclass(frozen=True, slots=True)
class LinkElement:
    """One link element."""

    element: int
    address: str  # canonical
    said: str  # as it stands on the page
    text: str  # folded to one line; the label or the alternative text of its picture, where it has no text
    place: frozenset[str]  # marks of its place on the page


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """What one address is linked by."""

    address: str
    anchors: tuple[LinkElement, ...]


def anchors(page: Page) -> list[LinkElement]:
    """Return the links of a page that lead to pages, in document order."""
    columns = page.elements
    found = np.flatnonzero(columns.tag == _A)[:MOST]
    start_tags = page.cut.tags(page.opened[found])
    base = base_of(page)
    known: dict[str, str | None] = {}
    addresses: list[str | None] = []
    said: list[str] = []
    for tag in start_tags:
        href = _href(tag)
        if href not in known:
            known[href] = None if not href or href.lower().startswith(_NOWHERE) else canonical(href, base)
        addresses.append(known[href])
        said.append(href)
    wanted = [at for at, address in enumerate(addresses) if address is not None]
    if not wanted:
        return []
    elements = found[wanted]
    places = _places(page, elements)
    texts = _texts(page, elements)
    result = []
    for at, element, text, place in zip(wanted, elements.tolist(), texts, places, strict=True):
        address = addresses[at]
        if address is not None:
            label = text or _label(page, element, start_tags[at])
            result.append(LinkElement(element, address, said[at], label, place))
    return result


def targets(found: list[LinkElement]) -> list[LinkTarget]:
    """Return anchors by address, in the order of the first of each; the spelling of the first counts."""
    by_key: dict[str, list[LinkElement]] = {}
    keys: dict[str, str] = {}
    for anchor in found:
        one = keys.get(anchor.address)
        if one is None:
            one = keys[anchor.address] = key(anchor.address)
        by_key.setdefault(one, []).append(anchor)
    return [LinkTarget(group[0].address, tuple(group)) for group in by_key.values()]


def _href(tag: str) -> str:
    match = _HREF.match(tag)
    if match is None:
        return attributes(tag).get("href", "").strip()
    href = match[1]
    return (unescape_attribute(href) if "&" in href else href).strip()


def _texts(page: Page, elements: Ints) -> list[str]:
    """Return the text of each link that a reader sees, on one line."""
    columns, runs = page.elements, page.runs
    firsts, lasts = columns.first[elements].tolist(), columns.last[elements].tolist()
    starts, ends = runs.text_start.tolist(), runs.text_end.tolist()
    text = page.text
    hidden = runs.hidden
    covered = np.concatenate(([0], np.cumsum(hidden)))
    found = []
    for first, last in zip(firsts, lasts, strict=True):
        if first >= last:
            found.append("")
            continue
        piece = text[starts[first] : ends[last - 1]]
        if covered[last] - covered[first]:
            shown = [text[starts[run] : ends[run]] for run in range(first, last) if not hidden[run]]
            piece = " ".join(shown) or piece  # a link hidden as a whole keeps its text
        elif last - first > 1:
            piece = page.line(first, last)
        found.append(" ".join(piece.split()) if "\n" in piece else piece)
    return found


def _label(page: Page, element: int, tag: str) -> str:
    """What a link without text is called: its label, its title, the alternative text of its picture."""
    if "aria-label" in tag or "title" in tag:
        told = attributes(tag)
        if label := (told.get("aria-label") or told.get("title") or "").strip():
            return " ".join(label.split())
    inside = element + 1
    columns = page.elements
    while inside < len(columns) and columns.start[inside] < columns.end[element]:
        if among(columns.tag[inside : inside + 1], _PICTURE)[0] and (told := page.attributes(inside)).get("alt"):
            return " ".join(told["alt"].split())
        inside += 1
    return ""


def _places(page: Page, elements: Ints) -> list[frozenset[str]]:
    columns = page.elements
    tag = columns.tag
    heading = (page.nearest(_HEADINGS)[elements] > 0) | _holds(page, elements, among(tag, _HEADINGS))
    picture = _holds(page, elements, among(tag, _PICTURE))
    article = page.nearest(_ARTICLE)[elements] > 0
    menu = page.nearest(_MENU)[elements] > 0
    shown = np.concatenate(([0], np.cumsum(~page.runs.hidden)))
    first, last = columns.first[elements], columns.last[elements]
    hidden = (last > first) & (shown[last] == shown[first])
    short = _in_short_list(page, elements)
    names = ("heading", "picture", "article", "menu", "hidden", "list of short links")
    columns_of = (heading, picture, article, menu, hidden, short)
    return [frozenset(compress(names, row)) for row in zip(*(column.tolist() for column in columns_of), strict=True)]


def _holds(page: Page, elements: Ints, wanted: Bools) -> Bools:
    """Return which of the elements have a wanted one inside."""
    places = page.elements.start[wanted]
    before = np.searchsorted(places, page.elements.start[elements], side="right")
    behind = np.searchsorted(places, page.elements.end[elements], side="left")
    return np.asarray(behind > before)


def _in_short_list(page: Page, elements: Ints) -> Bools:
    """Return which links stand in lists of several links that have few words each, and hardly any words beside them."""
    columns = page.elements
    around = page.nearest(_LIST)[elements]
    words = np.concatenate(([0], np.cumsum(page.runs.words)))
    all_words = words[columns.last] - words[columns.first]
    counts = np.bincount(around, minlength=len(columns))
    few = (counts >= _LIST_LINKS) & (all_words < _LIST_WORDS * counts)
    few[0] = False
    return np.asarray(few[around])
