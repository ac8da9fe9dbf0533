"""The description, section and tags of an article, as its page declares them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tidings.fields.declared import Declared, address, is_same_url, text, types
from tidings.fields.elements.by_class import links_holding
from tidings.fields.keys import key
from tidings.fields.sourced import Sourced
from tidings.fields.urls.sanitise import absolute
from tidings.page import Page
from tidings.text import fold_space
from tidings.text.patterns import late_pattern
from tidings.urls import path_of

_DESCRIPTIONS: Final = ("og:description", "description", "twitter:description", "dc.description")
_SECTIONS: Final = ("article:section", "section", "parsely-section", "cxenseparse:category", "dc.subject")
#: Two descriptions with this many equal characters at the start are the same, and one of them is truncated.
_SAME: Final = 40
_CUT: Final = late_pattern(r"(?:…|\.\.\.|\[…\]|\[\.\.\.\])\s*$")
_TAG_BORDER: Final = late_pattern(r"[,;|，、،]")
#: Limits on the length and number of tags; more are search engine spam.
_LONGEST_TAG: Final = 60
_MOST_TAGS: Final = 40
_SECTION_LENGTH: Final = 60
_SAYS_TAG: Final = late_pattern(r"""\srel\s*=\s*["']?[^"'>]{0,60}\btag\b""", re.IGNORECASE)
#: Links that are checked for `rel=tag`.
_MOST_LOOKED: Final = 300


def description(page: Page, declared: Declared, title: str = "") -> Sourced[str] | None:
    """Return the summary of an article: the first description that differs from the title; not truncated, if
    possible.
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
    """Return the section of the site that an article belongs to."""
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
    """Yield the names in an article's breadcrumb navigation, without the home page and the article."""
    for thing in page.signals.json_ld:
        if "BreadcrumbList" not in types(thing):
            continue
        items = thing.get("itemListElement")
        for item in items if isinstance(items, list) else (items,):
            if not isinstance(item, dict):
                continue
            inner = item.get("item")
            name = text(item.get("name")) or text(inner)
            target = absolute(address(inner), base) or ""
            if not name or key(name) in key(title) or is_same_url(target, page.url or base):
                continue
            if target and not path_of(target).strip("/"):  # the home page
                continue
            if not target and item.get("position") in (1, "1"):
                continue
            yield name


def tags(page: Page, declared: Declared) -> Sourced[tuple[str, ...]] | None:
    """Return the declared tags of an article, or else the texts of links with `rel="tag"`."""
    for values, by in _declared_tags(page, declared):
        words = list(dict.fromkeys([word for value in values for word in tag_words(value)]))
        if words and len(words) <= _MOST_TAGS:
            return Sourced(tuple(words), by)
    return None


def _declared_tags(page: Page, declared: Declared) -> Iterator[tuple[Iterable[str], str]]:
    named = page.signals.named
    yield named.get("article:tag", ()), "meta article:tag"
    yield _listed(declared.get("keywords")), declared.by("keywords")
    yield named.get("news_keywords", ()), "meta news_keywords"
    yield _linked(page), "links rel=tag"
    yield named.get("keywords", ()), "meta keywords"


def _listed(value: Any) -> Iterable[str]:
    if isinstance(value, list):
        return [text(item) for item in value]
    return (text(value),)


def tag_words(value: str) -> Iterator[str]:
    """Split a string into tags at commas and similar separators."""
    for word in map(fold_space, _TAG_BORDER.split(value)):
        if word and len(word) <= _LONGEST_TAG and ":" not in word[:12]:
            yield word


def _linked(page: Page) -> list[str]:
    """Return the texts of links with `rel="tag"`."""
    which = links_holding(page, ("tag",))[:_MOST_LOOKED]
    if not len(which):
        return []
    matches = ["rel" in tag.lower() and bool(_SAYS_TAG.search(tag)) for tag in page.cut.tags(page.opened[which])]
    if not any(matches):
        return []
    tag_links = which[matches][:_MOST_TAGS]
    first, last = page.elements.first[tag_links], page.elements.last[tag_links]
    has_text = first < last
    starts, ends = page.runs.text_start[first[has_text]], page.runs.text_end[last[has_text] - 1]
    return [page.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
