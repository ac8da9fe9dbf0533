"""What a page says of itself outside its text: title element, meta elements, OpenGraph, links, JSON-LD.

Only read here, not judged: `tidings.fields` weighs these against each other and against the text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tidings.page import tags
from tidings.page.references import unescape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tidings.page.page import Page

_META, _LINK, _TITLE, _SCRIPT, _HTML, _BASE = (
    tags.NUMBERS[name] for name in ("meta", "link", "title", "script", "html", "base")
)
#: Deeper nesting than this is not data about an article.
_JSON_DEPTH: Final = 12
_COMMENT_SIGNS: Final = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/)\s*$"
)


@dataclass(frozen=True, slots=True)
class Signals:
    """Declared facts, in document order, as they stand on the page."""

    title: str  # the title element
    language: str  # the html element's lang
    meta: tuple[tuple[str, str], ...]  # name, property or itemprop (lower case) and content
    links: tuple[tuple[str, str], ...]  # rel (lower case) and href of link elements
    base: str  # href of the base element
    json_ld: tuple[dict[str, Any], ...]  # every JSON-LD object, graphs and lists taken apart

    def first(self, *names: str) -> tuple[str, str] | None:
        """The first non-empty meta content among these names, in the order of the names, with its name."""
        for name in names:
            for key, value in self.meta:
                if key == name and value:
                    return name, value
        return None

    def all(self, *names: str) -> tuple[str, ...]:
        """All non-empty meta contents of these names."""
        return tuple(value for key, value in self.meta if key in names and value)


def signals(page: Page) -> Signals:
    """Read the declared facts of a page."""
    elements, cut, tree = page.elements, page._cut, page._tree
    wanted = np.flatnonzero(np.isin(elements.tag, (_META, _LINK, _TITLE, _SCRIPT, _HTML, _BASE)))
    title = language = base = ""
    meta: list[tuple[str, str]] = []
    links: list[tuple[str, str]] = []
    objects: list[dict[str, Any]] = []
    for element in wanted.tolist():
        tag = int(elements.tag[element])
        if tag == _TITLE:
            if not title:
                content = cut.tags[tree.opened[element]].partition(">")[2]
                title = " ".join(unescape(content).split())
            continue
        if tag == _SCRIPT:
            source = cut.tags[tree.opened[element]]
            if "ld+json" in source[: source.find(">") + 1].lower():
                objects += _json_objects(source.partition(">")[2])
            continue
        found = page.attributes(element)
        if tag == _META:
            name = found.get("property") or found.get("name") or found.get("itemprop") or found.get("http-equiv")
            if name:
                meta.append((name.strip().lower(), " ".join(found.get("content", "").split())))
        elif tag == _LINK:
            links += [(rel, found.get("href", "").strip()) for rel in found.get("rel", "").lower().split()]
        elif tag == _HTML:
            language = language or found.get("lang", found.get("xml:lang", "")).strip()
        else:
            base = base or found.get("href", "").strip()
    return Signals(title, language, tuple(meta), tuple(links), base, tuple(objects))


def _json_objects(text: str) -> list[dict[str, Any]]:
    """The objects of one JSON-LD script; none if it is not JSON."""
    text = _COMMENT_SIGNS.sub("", text.strip()).strip().rstrip(";")
    try:
        return list(_objects(json.loads(text, strict=False), 0))
    except (ValueError, RecursionError):
        return []


def _objects(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    if depth > _JSON_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _objects(item, depth + 1)
    elif isinstance(value, dict):
        yield value
        yield from _objects(value.get("@graph", []), depth + 1)
