"""What a page says of itself outside its text: title element, meta elements, OpenGraph, links, JSON-LD.

Only read here, not judged: `tidings.fields` weighs these against each other and against the text.

JSON-LD as pages write it: mostly JSON, sometimes nearly.

What is valid is read at once. For the rest the faults of the field are mended one after the other: comments and last
commas, references or backslashes for quotation marks, escapes that JSON does not know, several values in one script.
What is no JSON then is left; nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tidings.page import tags
from tidings.page.attributes import attributes
from tidings.page.references import unescape, unescape_attribute
from tidings.page.tag_sets import among, tag_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tidings.page.page import Page

Object = dict[str, Any]

#: Deeper nesting than this is not data about an article.
_DEPTH: Final = 12
#: More values in one script than this are no description of a story.
_MOST: Final = 100
_SIGNS: Final = re.compile(
    r"^\s*(?:<!--|(?://\s*)?<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)|(?:-->|(?://\s*)?\]\]>|/\*\s*\]\]>\s*\*/)\s*$"
)
#: Strings, which stay as they are, and what is no JSON: comments, commas before a closing bracket. What is not closed
#: goes to the end, so that no place is looked at twice.
_FAULT: Final = re.compile(
    r""""(?:[^"\\]|\\.)*+(?:"|\\?\Z)|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|,(?=\s*+[}\]])""", re.DOTALL
)
#: A backslash that begins no escape of JSON; the first group is one that does.
_ESCAPE: Final = re.compile(r"""(\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))|\\""")
_BETWEEN: Final = re.compile(r"[\s,;]*+")
_DECODER: Final = json.JSONDecoder(strict=False)


def objects(script: str) -> list[Object]:
    """Return the objects of a JSON-LD script, graphs and lists taken apart; none if it is no JSON, even when mended."""
    text = script.strip()
    if text.startswith(("<", "/")) or text.endswith((">", "*/")):  # few do
        text = _SIGNS.sub("", text).strip()
    text = text.rstrip(";")
    try:
        return list(_apart(_DECODER.decode(text), 0))
    except RecursionError:
        return []
    except ValueError:
        pass
    try:
        return [thing for value in _values(_mended(text)) for thing in _apart(value, 0)]
    except (RecursionError, ValueError):
        return []


def _mended(text: str) -> str:
    """Return the text without the faults that are frequent."""
    if '"' not in text and "&" in text:
        text = unescape(text)
    if text.startswith(('{\\"', '[{\\"')):  # JSON in a string
        text = text.replace('\\"', '"').replace("\\/", "/").replace("\\\\", "\\")
    if "\\" in text:
        text = _ESCAPE.sub(lambda match: match[1] or "", text)
    return _FAULT.sub(lambda match: match[0] if match[0][0] == '"' else "", text)


def _values(text: str) -> Iterator[Any]:
    """Yield the values that stand one behind the other, up to where it is no JSON any more."""
    at = _end_of(_BETWEEN, text, 0)
    for _ in range(_MOST):
        if at >= len(text):
            return
        try:
            value, at = _DECODER.raw_decode(text, at)
        except ValueError:
            return
        yield value
        at = _end_of(_BETWEEN, text, at)


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _apart(value: Any, depth: int) -> Iterator[Object]:
    if depth > _DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _apart(item, depth + 1)
    elif isinstance(value, dict):
        yield value
        yield from _apart(value.get("@graph", []), depth + 1)


_TAGS: Final = tuple(tags.NUMBERS[name] for name in ("meta", "link", "script", "title", "html", "base"))
_META, _LINK, _SCRIPT, _TITLE, _HTML, _BASE = _TAGS
_WANTED: Final = tag_set(frozenset(_TAGS))
#: How nearly all meta elements are written; the others are read attribute by attribute.
_NAMED: Final = re.compile(
    r"""<meta\s(?:data-[a-z-]++="[^"]*+"[ ])?+(?:property|name|itemprop|http-equiv)="([^"&]*+)"\scontent="([^"]*+)\""""
    r"""(?:[ ]data-[a-z-]++="[^"]*+")?+[\s/]*+>"""
)
#: And link elements, as far as they are read.
_LINKED: Final = re.compile(
    r"""<link[ ]rel="([^"&]*+)"(?:[ ](?:hreflang|type|title|sizes|media)="[^"]*+")*+[ ]href="([^"&]*+)\""""
)
#: Links to what a browser loads with the page: most of all links, and they say nothing of the story.
_LOADED: Final = re.compile(r"""rel=["']?(?:stylesheet|preload|preconnect|dns-prefetch|prefetch|icon|module)""")


class Signals(NamedTuple):
    """Declared facts, in document order, as they stand on the page."""

    title: str  # the title element
    language: str  # the html element's lang
    meta: tuple[tuple[str, str], ...]  # name, property or itemprop (lower case) and content
    links: tuple[tuple[str, str], ...]  # rel (lower case) and href of link elements, but for what is loaded
    base: str  # href of the base element
    json_ld: tuple[dict[str, Any], ...]  # every JSON-LD object, graphs and lists taken apart
    named: Mapping[str, tuple[str, ...]]  # the contents of `meta` that are not empty, by name

    def first(self, *names: str) -> tuple[str, str] | None:
        """Return the first non-empty meta content among these names, in the order of the names, with its name."""
        for name in names:
            if name in self.named:
                return name, self.named[name][0]
        return None

    def all(self, *names: str) -> tuple[str, ...]:
        """Return all non-empty meta contents of these names, name by name."""
        found: tuple[str, ...] = ()
        for name in names:
            found += self.named.get(name, ())
        return found


class _DeclaringElements(NamedTuple):
    """What meta elements and links tell, and where the others stand, by the number of their tag."""

    meta: list[tuple[str, str]]
    links: list[tuple[str, str]]
    others: dict[int, list[tuple[int, int]]]  # of scripts of JSON-LD what stands in them


#: Of a page, or a fragment of one, that declares nothing.
_NOTHING: Final = Signals("", "", (), (), "", (), {})


def signals(page: Page) -> Signals:
    """Read the declared facts of a page."""
    source = page.cut.source
    meta, links, others = _read(page)
    if not meta and not links and not any(others.values()):  # as in most fragments
        return _NOTHING
    named: dict[str, tuple[str, ...]] = {}
    others_of: dict[str, list[str]] = {}  # what is told more than once
    for name, content in meta:
        if content:
            if name in named:
                others_of.setdefault(name, []).append(content)
            else:
                named[name] = (content,)
    for name, contents in others_of.items():
        named[name] += tuple(contents)
    titles, roots, bases = ([source[start:end] for start, end in others[tag]] for tag in (_TITLE, _HTML, _BASE))
    return Signals(
        title=next(filter(None, map(_title, titles)), ""),
        language=next(filter(None, map(_language, roots)), ""),
        meta=tuple(meta),
        links=tuple(links),
        base=next(filter(None, (told.get("href", "").strip() for told in map(attributes, bases))), "") if bases else "",
        json_ld=tuple([thing for start, end in others[_SCRIPT] for thing in objects(source[start:end])]),
        named=named,
    )


def _title(element: str) -> str:
    text = element.partition(">")[2]
    return " ".join((unescape(text) if "&" in text else text).split())


@lru_cache(256)  # the pages of a site begin alike
def _language(tag: str) -> str:
    told = attributes(tag)
    return told.get("lang", told.get("xml:lang", "")).strip()


def _read(page: Page) -> _DeclaringElements:
    tag, source = page.elements.tag, page.cut.source
    wanted = among(tag, _WANTED).nonzero()[0]
    opened = page.opened[wanted]
    starts, ends = page.cut.tag_start[opened].tolist(), page.cut.tag_end[opened].tolist()
    found = _DeclaringElements([], [], {_TITLE: [], _HTML: [], _BASE: [], _SCRIPT: []})
    for number, start, end in zip(tag[wanted].tolist(), starts, ends, strict=True):
        if number == _SCRIPT:
            if (begun := source.find(">", start, end) + 1) and "ld+json" in source[start:begun].lower():
                found.others[_SCRIPT].append((begun, end))
        elif number == _META:
            if pair := _meta(source[start:end]):
                found.meta.append(pair)
        elif number == _LINK:
            found.links.extend(_link(source[start:end]))
        else:
            found.others[number].append((start, end))
    return found


def _link(source: str) -> list[tuple[str, str]]:
    """Return the relations of a link element, each with its address."""
    if _LOADED.search(source):
        return []
    if match := _LINKED.match(source):
        rels, address = match.groups()
    else:
        found = attributes(source)
        rels, address = found.get("rel", ""), found.get("href", "")
    return [(rel, address.strip()) for rel in rels.lower().split()]


def _meta(source: str) -> tuple[str, str] | None:
    """Return the name and the content of a meta element."""
    if match := _NAMED.match(source):
        name, content = match.groups()
        if "&" in content:
            content = unescape_attribute(content)
    else:
        found = attributes(source)
        name = found.get("property") or found.get("name") or found.get("itemprop") or found.get("http-equiv") or ""
        content = found.get("content") or found.get("value", "")  # some write the one and mean the other
    return (name.strip().lower(), " ".join(content.split())) if name else None
