"""XML from strangers as a small tree: no entity is declared, nothing is loaded, nothing is expanded (HOSTILE 13).

The standard library's expat with three things settled. A document type is cut off before parsing, and should a
declaration of an entity be met all the same, parsing ends. References to entities nobody declared are what HTML means
by them (`&nbsp;`), or stand as written. Names are read by the namespaces that matter here; a prefix that was never
bound, a frequent fault, means what it usually means.

A document that ends too soon gives the tree as far as it came: its complete entries are good.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from html.entities import html5
from typing import Final
from xml.parsers import expat

from tidings.page.invisible import cleaned
from tidings.sources.link import ProblemKind, SourceProblem

#: Short names of namespaces, without scheme and closing slash; the empty one is that of plain RSS and of sitemaps.
_NAMESPACES: Final = {
    "www.w3.org/2005/atom": "atom",
    "purl.org/atom/ns#": "atom",
    "www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "purl.org/rss/1.0": "",
    "my.netscape.com/rdf/simple/0.9": "",
    "channel.netscape.com/rdf/simple/0.9": "",
    "purl.org/net/rss1.1#": "",
    "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/elements/1.0": "dc",
    "purl.org/dc/terms": "dcterms",
    "purl.org/rss/1.0/modules/content": "content",
    "purl.org/rss/1.0/modules/syndication": "sy",
    "search.yahoo.com/mrss": "media",
    "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "purl.org/syndication/history/1.0": "fh",
    "www.w3.org/1999/xhtml": "xhtml",
    "www.sitemaps.org/schemas/sitemap/0.9": "",
    "www.google.com/schemas/sitemap/0.84": "",
    "www.google.com/schemas/sitemap-news/0.9": "news",
    "www.google.com/schemas/sitemap-image/1.1": "image",
    "www.google.com/schemas/sitemap-video/1.1": "video",
}
_UNBOUND: Final = {"xml": "xml"}
#: Text of deeper elements belongs to the last one above.
_DEEPEST: Final = 100
#: What XML has no place for; feeds hold some now and then.
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DECLARATION: Final = re.compile(r"\s*+<\?xml\s[^>]*+>")
_DOCTYPE: Final = re.compile(r"<!doctype", re.IGNORECASE)
#: What is never closed goes on to the end, here and below, so that looking for its end is done once.
_PROLOGUE: Final = re.compile(r"(?:\s++|<!--(?s:.*?)(?:-->|\Z)|<\?(?s:.*?)(?:\?>|\Z))*+")
#: What a document type is made of, for finding its end: quoted text, comments, instructions, brackets.
_TYPE_PART: Final = re.compile(r"""<!--(?s:.*?)(?:-->|\Z)|<\?(?s:.*?)(?:\?>|\Z)|"[^"]*+"|'[^']*+'|[\[\]<>]""")
#: Outside of CDATA: a reference to a character by its number, and an ampersand that begins no reference, by far the
#: most frequent fault.
_CDATA: Final = r"<!\[CDATA\[(?s:.*?)(?:\]\]>|\Z)"
_NUMBER: Final = re.compile(_CDATA + r"|&#(?:[xX]([0-9a-fA-F]++)|([0-9]++));")
_BARE: Final = re.compile(_CDATA + r"|&(?!(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|[^\W\d]\w{0,31});)")
#: Digits of the last character that there is, in tens and in sixteens; Python refuses to read thousands of them.
_MOST_DIGITS: Final = 7
_ENDS_TOO_SOON: Final = frozenset({3, 5, 6, 20})  # no element, unclosed token, partial character, unclosed CDATA
_MORE_BEHIND: Final = 9  # something stands behind the root element


@dataclass(slots=True, eq=False)
class XmlNode:
    """An element: its name with the short name of its namespace (`dc:creator`), in lower case, and what is in it."""

    name: str
    attributes: dict[str, str]
    parts: list[str | XmlNode]

    @property
    def children(self) -> list[XmlNode]:
        """The elements directly inside."""
        return [part for part in self.parts if not isinstance(part, str)]

    def text(self) -> str:
        """Return all text inside, white space at the ends left out."""
        parts = self.parts
        if len(parts) == 1 and isinstance(parts[0], str):
            return parts[0].strip()
        found: list[str] = []
        waiting: list[str | XmlNode] = parts[::-1]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                found.append(part)
            else:
                waiting += part.parts[::-1]
        return "".join(found).strip()


@dataclass(frozen=True, slots=True)
class XmlTree:
    """The root of a document as far as it could be read; `whole` unless something is missing."""

    root: XmlNode | None
    problems: tuple[SourceProblem, ...] = ()
    whole: bool = True


class _EntityDeclared(Exception):  # never leaves this file
    """An entity is declared where no document type can be."""


def read_xml(text: str) -> XmlTree:
    """Return the tree of a document. One repair is tried: characters that should have been written otherwise."""
    text, declares = without_type(cleaned(text.lstrip("\ufeff \t\r\n")).text)
    problems = [SourceProblem(ProblemKind.DECLARES_ENTITIES, "none was expanded")] if declares else []
    try:
        root, error = _parse(text)
        if error is not None and error.code not in _ENDS_TOO_SOON and error.code != _MORE_BEHIND:
            mended = _mended(text)
            if mended != text:
                root, error = _parse(mended)
                problems.append(
                    SourceProblem(ProblemKind.NOT_WELL_FORMED, "ampersands or characters that XML does not have")
                )
    except _EntityDeclared:
        return XmlTree(
            None,
            (*problems, SourceProblem(ProblemKind.DECLARES_ENTITIES, "in a place where nothing is declared")),
            False,
        )
    if error is None:
        return XmlTree(root, tuple(problems))
    place = f"line {error.lineno}, column {error.offset}"
    if error.code in _ENDS_TOO_SOON:
        problems.append(SourceProblem(ProblemKind.CUT_SHORT, f"it ends at {place}"))
    else:
        problems.append(SourceProblem(ProblemKind.NOT_WELL_FORMED, f"{expat.ErrorString(error.code)} at {place}"))
    return XmlTree(root, tuple(problems), whole=error.code == _MORE_BEHIND)


def without_type(text: str) -> tuple[str, bool]:
    """Return a document without XML declaration and document type, and whether the type declared entities."""
    text = _DECLARATION.sub("", text, count=1)
    prologue = _PROLOGUE.match(text)
    start = prologue.end() if prologue else 0
    if not _DOCTYPE.match(text, start):
        return text, False
    depth = 0
    for part in _TYPE_PART.finditer(text, start + 2):
        mark = part[0]
        if mark in "[<":
            depth += 1
        elif mark == "]":
            depth -= 1
        elif mark == ">":
            if depth <= 0:
                return text[:start] + text[part.end() :], "<!ENTITY" in text[start : part.end()]
            depth -= 1
    return "", True  # a document type without end: there is nothing behind it


def without_bad_characters(text: str) -> str:
    """Return characters that XML does not have left out, written as they are or as references to their numbers."""
    return _NUMBER.sub(_character, _FORBIDDEN.sub("", text))


def _character(match: re.Match[str]) -> str:
    """Return a reference in the one way that every parser reads, or nothing: the others would end the document."""
    digits, base = (match[1], 16) if match[1] else (match[2], 10)
    if digits is None:
        return match[0]  # CDATA
    digits = digits.lstrip("0")
    number = int(digits or "0", base) if len(digits) <= _MOST_DIGITS else sys.maxunicode + 1
    is_one = 0 < number <= sys.maxunicode and not _FORBIDDEN.match(chr(number))
    return f"&#{number};" if is_one else ""


def _mended(text: str) -> str:
    """Return ampersands that begin no reference escaped, characters that XML does not have left out."""
    return _BARE.sub(lambda match: "&amp;" if match[0] == "&" else match[0], without_bad_characters(text))


def _parse(text: str) -> tuple[XmlNode | None, expat.ExpatError | None]:
    """Return the tree as far as it came, and what ended it."""
    grower = _TreeBuilder()
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = grower.start, grower.end
    parser.CharacterDataHandler = grower.characters
    parser.SkippedEntityHandler = grower.skipped
    parser.EntityDeclHandler = _refuse
    parser.UseForeignDTD(True)  # so that an undeclared entity is told of, and is no error
    error = None
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as found:
        error = found
    return next(iter(grower.document.children), None), error


def _refuse(*_: object) -> None:
    raise _EntityDeclared


class _TreeBuilder:
    """Grows a tree from what expat tells."""

    def __init__(self) -> None:
        self.document = XmlNode("", {}, [])
        self._open = [self.document]
        self._parts = self.document.parts  # of the innermost open element
        self._scopes = [_UNBOUND]
        self._names: dict[str, str] = {}  # as resolved in the innermost scope
        self._too_deep = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if len(self._open) > _DEEPEST:
            self._too_deep += 1
            return
        scope = self._scopes[-1]
        if attributes:
            if "xmlns" in attributes or any(key.startswith("xmlns:") for key in attributes):
                scope = _inner(scope, attributes)
                self._names = {}
            attributes = {key.lower(): value for key, value in attributes.items()}
        self._scopes.append(scope)
        resolved = self._names.get(name)
        if resolved is None:
            resolved = self._names[name] = _resolved(name, scope)
        node = XmlNode(resolved, attributes, [])
        self._parts.append(node)
        self._open.append(node)
        self._parts = node.parts

    def end(self, _name: str) -> None:
        """An element ends."""
        if self._too_deep:
            self._too_deep -= 1
            return
        self._open.pop()
        if self._scopes.pop() is not self._scopes[-1]:
            self._names = {}
        self._parts = self._open[-1].parts

    def characters(self, found: str) -> None:
        """Text."""
        self._parts.append(found)

    def skipped(self, name: str, is_parameter: bool) -> None:
        """A reference to an entity that nobody declared."""
        if not is_parameter:
            self._parts.append(html5.get(name + ";", f"&{name};"))


def _inner(scope: dict[str, str], attributes: dict[str, str]) -> dict[str, str]:
    """Return the prefixes that hold inside an element which binds some."""
    inner = dict(scope)
    for key, value in attributes.items():
        if key == "xmlns" or key[:6] == "xmlns:":
            prefix = key[6:]
            known = _NAMESPACES.get(value.strip().lower().rpartition("://")[2].rstrip("/"))
            inner[prefix] = prefix.lower() if known is None else known
    return inner


def _resolved(name: str, scope: dict[str, str]) -> str:
    prefix, _, local = name.rpartition(":")
    short = scope.get(prefix, prefix.lower())
    return f"{short}:{local.lower()}" if short else local.lower()
