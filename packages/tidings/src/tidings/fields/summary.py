"""What the page says its story is about in a sentence or two: the description, the section, the tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tidings.fields.addresses import absolute
from tidings.fields.declared import Declared, address, same_address, text, types
from tidings.fields.elements_by_class import links_holding
from tidings.fields.keys import key
from tidings.fields.sourced import Sourced
from tidings.page import Page
from tidings.text import fold_space
from tidings.text.patterns import late_pattern
from tidings.urls import path_of

_DESCRIPTIONS: Final = ("og:description", "description", "twitter:description", "dc.description")
_SECTIONS: Final = ("article:section", "section", "parsely-section", "cxenseparse:category", "dc.subject")
#: Two descriptions that begin with so many equal characters are one, and one of them was cut.
_SAME: Final = 40
_CUT: Final = late_pattern(r"(?:…|\.\.\.|\[…\]|\[\.\.\.\])\s*$")
_TAG_BORDER: Final = late_pattern(r"[,;|，、،]")
#: A tag is a few words, and a page has a few tags: what is more was written for search engines.
_LONGEST_TAG: Final = 60
_MOST_TAGS: Final = 40
_SECTION_LENGTH: Final = 60
_SAYS_TAG: Final = late_pattern(r"""\srel\s*=\s*["']?[^"'>]{0,60}\btag\b""", re.IGNORECASE)
#: Links that are asked whether they are tags.
_MOST_LOOKED: Final = 300


def description(page: Page, declared: Declared, title: str = "") -> Sourced[str] | None:
    """Return the summary of a story: the first description that is not its title; of two that begin alike the uncut
    one.
    """
    best: Sourced[str] | None = None
    for value, by in _descriptions(page, declared):
        if not value or key(value) == key(title):
            continue
        if best is None or (len(value) > len(best.value) and value[:_SAME] == best.value[:_SAME]):
            best = Sourced(value, by)
        if not _CUT.search(best.value):
            break
    return best


def _descriptions(page: Page, declared: Declared) -> Iterator[tuple[str, str]]:
    named = page.signals.named
    for name in _DESCRIPTIONS:
        if name in named:
            yield text(named[name][0]), f"meta {name}"
    yield text(declared.get("description")), declared.by("description")


def section(page: Page, declared: Declared, base: str, title: str = "") -> Sourced[str] | None:
    """Return the part of the site that a story stands in."""
    if (found := text(declared.get("articleSection"))) and len(found) <= _SECTION_LENGTH:
        return Sourced(found, declared.by("articleSection"))
    for name in _SECTIONS:
        value = text(page.signals.named.get(name, ("",))[0])
        if value and len(value) <= _SECTION_LENGTH:
            return Sourced(value, f"meta {name}")
    for found in _trail(page, base, title):
        if len(found) <= _SECTION_LENGTH:
            return Sourced(found, "json-ld BreadcrumbList")
    return None


def _trail(page: Page, base: str, title: str) -> Iterator[str]:
    """Yield the names in the trail of links to a story, without the home page and the story."""
    for thing in page.signals.json_ld:
        if "BreadcrumbList" not in types(thing):
            continue
        items = thing.get("itemListElement")
        for item in items if isinstance(items, list) else (items,):
            if not isinstance(item, dict):
                continue
            inner = item.get("item")
            name = text(item.get("name")) or text(inner)
            where = absolute(address(inner), base) or ""
            if not name or key(name) in key(title) or same_address(where, page.url or base):
                continue
            if where and not path_of(where).strip("/"):  # the home page
                continue
            if not where and item.get("position") in (1, "1"):
                continue
            yield name


def tags(page: Page, declared: Declared) -> Sourced[tuple[str, ...]] | None:
    """Return the tags of a story: declared ones, else the links of the page that say `rel="tag"`."""
    for values, by in _told_tags(page, declared):
        found = list(dict.fromkeys([word for value in values for word in tag_words(value)]))
        if found and len(found) <= _MOST_TAGS:
            return Sourced(tuple(found), by)
    return None


def _told_tags(page: Page, declared: Declared) -> Iterator[tuple[Iterable[str], str]]:
    named = page.signals.named
    yield named.get("article:tag", ()), "meta article:tag"
    yield _listed(declared.get("keywords")), declared.by("keywords")
    yield named.get("news_keywords", ()), "meta news_keywords"
    yield _linked(page), "links rel=tag"
    yield named.get("keywords", ()), "meta keywords"


def _listed(value: Any) -> Iterable[str]:
    if isinstance(value, list):
        return [text(one) for one in value]
    return (text(value),)


def tag_words(value: str) -> Iterator[str]:
    """Yield the tags in a string with commas or the like between them."""
    for word in map(fold_space, _TAG_BORDER.split(value)):
        if word and len(word) <= _LONGEST_TAG and ":" not in word[:12]:
            yield word


def _linked(page: Page) -> list[str]:
    """Return the texts of links that say they are tags."""
    which = links_holding(page, ("tag",))[:_MOST_LOOKED]
    if not len(which):
        return []
    found = ["rel" in tag.lower() and bool(_SAYS_TAG.search(tag)) for tag in page.cut.tags(page.opened[which])]
    if not any(found):
        return []
    asked = which[found][:_MOST_TAGS]
    first, last = page.elements.first[asked], page.elements.last[asked]
    shown = first < last
    starts, ends = page.runs.text_start[first[shown]], page.runs.text_end[last[shown] - 1]
    return [page.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
