"""Metadata that a page declares outside its text: title element, meta elements, OpenGraph, links, JSON-LD.

This module only reads; `tidings.fields` weighs the values against each other and against the text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tidings.page import tags
from tidings.page.attributes import attributes
from tidings.page.references import unescape, unescape_attribute
from tidings.page.tag_sets import among, tag_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tidings.page.page import Page
from tidings.page.json_ld import objects

_TAGS: Final = tuple(tags.NUMBERS[name] for name in ("meta", "link", "script", "title", "html", "base"))
_META, _LINK, _SCRIPT, _TITLE, _HTML, _BASE = _TAGS
_WANTED: Final = tag_set(frozenset(_TAGS))
#: The usual form of meta elements; others are parsed attribute by attribute.
_NAMED: Final = re.compile(
    r"""<meta\s(?:data-[a-z-]++="[^"]*+"[ ])?+(?:property|name|itemprop|http-equiv)="([^"&]*+)"\scontent="([^"]*+)\""""
    r"""(?:[ ]data-[a-z-]++="[^"]*+")?+[\s/]*+>"""
)
#: The usual form of link elements.
_LINKED: Final = re.compile(
    r"""<link[ ]rel="([^"&]*+)"(?:[ ](?:hreflang|type|title|sizes|media)="[^"]*+")*+[ ]href="([^"&]*+)\""""
)
#: Links to resources that a browser loads with the page, which are irrelevant here.
_LOADED: Final = re.compile(r"""rel=["']?(?:stylesheet|preload|preconnect|dns-prefetch|prefetch|icon|module)""")


class Signals(NamedTuple):
    """Declared metadata in document order, as written on the page."""

    title: str  # the title element
    language: str  # the html element's lang
    meta: tuple[tuple[str, str], ...]  # name, property or itemprop (lower case) and content
    links: tuple[tuple[str, str], ...]  # rel (lower case) and href of link elements, without loaded resources
    base: str  # href of the base element
    json_ld: tuple[dict[str, Any], ...]  # every JSON-LD object, with graphs and lists flattened
    named: Mapping[str, tuple[str, ...]]  # the non-empty contents of `meta`, by name

    def first(self, *names: str) -> tuple[str, str] | None:
        """Return the first non-empty meta content under one of the names, with its name."""
        for name in names:
            if name in self.named:
                return name, self.named[name][0]
        return None

    def all(self, *names: str) -> tuple[str, ...]:
        """Return all non-empty meta contents under the names, name by name."""
        contents: tuple[str, ...] = ()
        for name in names:
            contents += self.named.get(name, ())
        return contents


class _DeclaringElements(NamedTuple):
    """Meta elements and links, and source ranges of other elements by tag number."""

    meta: list[tuple[str, str]]
    links: list[tuple[str, str]]
    ranges: dict[int, list[tuple[int, int]]]  # for JSON-LD scripts their content


#: The result for a page or fragment without declarations.
_NOTHING: Final = Signals("", "", (), (), "", (), {})


def signals(page: Page) -> Signals:
    """Read the declared metadata of a page."""
    source = page.cut.source
    meta, links, ranges = _read(page)
    if not meta and not links and not any(ranges.values()):  # the common case for fragments
        return _NOTHING
    named: dict[str, tuple[str, ...]] = {}
    repeated: dict[str, list[str]] = {}  # further contents of repeated names
    for name, content in meta:
        if content:
            if name in named:
                repeated.setdefault(name, []).append(content)
            else:
                named[name] = (content,)
    for name, contents in repeated.items():
        named[name] += tuple(contents)
    titles, roots, bases = ([source[start:end] for start, end in ranges[tag]] for tag in (_TITLE, _HTML, _BASE))
    return Signals(
        title=next(filter(None, map(_title, titles)), ""),
        language=next(filter(None, map(_language, roots)), ""),
        meta=tuple(meta),
        links=tuple(links),
        base=next(filter(None, (values.get("href", "").strip() for values in map(attributes, bases))), "")
        if bases
        else "",
        json_ld=tuple([thing for start, end in ranges[_SCRIPT] for thing in objects(source[start:end])]),
        named=named,
    )


def _title(element: str) -> str:
    text = element.partition(">")[2]
    return " ".join((unescape(text) if "&" in text else text).split())


@lru_cache(256)  # the pages of a site begin alike
def _language(tag: str) -> str:
    values = attributes(tag)
    return values.get("lang", values.get("xml:lang", "")).strip()


def _read(page: Page) -> _DeclaringElements:
    tag, source = page.elements.tag, page.cut.source
    wanted = among(tag, _WANTED).nonzero()[0]
    opened = page.opened[wanted]
    starts, ends = page.cut.tag_start[opened].tolist(), page.cut.tag_end[opened].tolist()
    result = _DeclaringElements([], [], {_TITLE: [], _HTML: [], _BASE: [], _SCRIPT: []})
    for number, start, end in zip(tag[wanted].tolist(), starts, ends, strict=True):
        if number == _SCRIPT:
            if (begin := source.find(">", start, end) + 1) and "ld+json" in source[start:begin].lower():
                result.ranges[_SCRIPT].append((begin, end))
        elif number == _META:
            if pair := _meta(source[start:end]):
                result.meta.append(pair)
        elif number == _LINK:
            result.links.extend(_link(source[start:end]))
        else:
            result.ranges[number].append((start, end))
    return result


def _link(source: str) -> list[tuple[str, str]]:
    """Return the relations of a link element, each with its URL."""
    if _LOADED.search(source):
        return []
    if match := _LINKED.match(source):
        rels, address = match.groups()
    else:
        values = attributes(source)
        rels, address = values.get("rel", ""), values.get("href", "")
    return [(rel, address.strip()) for rel in rels.lower().split()]


def _meta(source: str) -> tuple[str, str] | None:
    """Return the name and the content of a meta element."""
    if match := _NAMED.match(source):
        name, content = match.groups()
        if "&" in content:
            content = unescape_attribute(content)
    else:
        values = attributes(source)
        name = values.get("property") or values.get("name") or values.get("itemprop") or values.get("http-equiv") or ""
        content = values.get("content") or values.get("value", "")  # some pages use `value` by mistake
    return (name.strip().lower(), " ".join(content.split())) if name else None
