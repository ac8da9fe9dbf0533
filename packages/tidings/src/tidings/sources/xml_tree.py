"""A hardened XML parser that builds a small tree: no entities are expanded and nothing is loaded (HOSTILE 13).

It uses the standard library's expat. The document type is cut off before parsing, and if an entity declaration occurs
all the same, parsing stops. References to undeclared entities have their meaning in HTML (such as nbsp), or remain as
written. Names are resolved by the namespaces that matter here. An unbound prefix, a frequent error, has its usual
meaning. A truncated document results in a partial tree, whose complete entries are valid.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from html.entities import html5
from typing import Final
from xml.parsers import expat

from tidings.page.invisible import cleaned
from tidings.sources.problems import ProblemKind, SourceProblem

#: Prefixes of namespaces, without scheme and trailing slash; empty for plain RSS and sitemaps.
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
#: The text of deeper elements is added to their ancestor at this depth.
_DEEPEST: Final = 100
#: Characters that XML does not allow; some feeds contain them.
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DECLARATION: Final = re.compile(r"\s*+<\?xml\s[^>]*+>")
_DOCTYPE: Final = re.compile(r"<!doctype", re.IGNORECASE)
#: Unclosed parts extend to the end, here and below, so that the search for their end runs only once.
_PROLOGUE: Final = re.compile(r"(?:\s++|<!--(?s:.*?)(?:-->|\Z)|<\?(?s:.*?)(?:\?>|\Z))*+")
#: Parts of a document type, to find its end: quoted text, comments, instructions, brackets.
_TYPE_PART: Final = re.compile(r"""<!--(?s:.*?)(?:-->|\Z)|<\?(?s:.*?)(?:\?>|\Z)|"[^"]*+"|'[^']*+'|[\[\]<>]""")
#: Outside of CDATA: a numeric character reference, and an ampersand that begins no reference, by far the most
#: frequent error.
_CDATA: Final = r"<!\[CDATA\[(?s:.*?)(?:\]\]>|\Z)"
_NUMBER: Final = re.compile(_CDATA + r"|&#(?:[xX]([0-9a-fA-F]++)|([0-9]++));")
_BARE: Final = re.compile(_CDATA + r"|&(?!(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|[^\W\d]\w{0,31});)")
#: Digits of the largest code point, decimal or hexadecimal; Python rejects numbers with thousands of digits.
_MOST_DIGITS: Final = 7
_ENDS_TOO_SOON: Final = frozenset({3, 5, 6, 20})  # no element, unclosed token, partial character, unclosed CDATA
_MORE_BEHIND: Final = 9  # content after the root element


@dataclass(slots=True, eq=False)
class XmlNode:
    """An element: its name with namespace prefix (`dc:creator`) in lower case, its attributes and content."""

    name: str
    attributes: dict[str, str]
    parts: list[str | XmlNode]

    @property
    def children(self) -> list[XmlNode]:
        """Return the child elements."""
        return [part for part in self.parts if not isinstance(part, str)]

    def text(self) -> str:
        """Return the text content, stripped."""
        parts = self.parts
        if len(parts) == 1 and isinstance(parts[0], str):
            return parts[0].strip()
        texts: list[str] = []
        waiting: list[str | XmlNode] = parts[::-1]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                texts.append(part)
            else:
                waiting += part.parts[::-1]
        return "".join(texts).strip()


@dataclass(frozen=True, slots=True)
class XmlTree:
    """The root of an XML document, with problems; `whole` is False if the document is incomplete."""

    root: XmlNode | None
    problems: tuple[SourceProblem, ...] = ()
    whole: bool = True


class _EntityDeclared(Exception):  # never leaves this file
    """The document has an entity declaration outside of its document type."""


def read_xml(text: str) -> XmlTree:
    """Parse a document. One repair is tried: stray ampersands and invalid characters."""
    text, declares = without_type(cleaned(text.lstrip("\ufeff \t\r\n")).text)
    problems = [SourceProblem(ProblemKind.DECLARES_ENTITIES, "none was expanded")] if declares else []
    try:
        root, error = _parse(text)
        if error is not None and error.code not in _ENDS_TOO_SOON and error.code != _MORE_BEHIND:
            repaired = _repaired(text)
            if repaired != text:
                root, error = _parse(repaired)
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
    """Remove the XML declaration and the document type; return whether the type declared entities."""
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
    return "", True  # an unclosed document type: nothing follows


def without_bad_characters(text: str) -> str:
    """Remove characters that XML does not allow, literal or as numeric references."""
    return _NUMBER.sub(_character, _FORBIDDEN.sub("", text))


def _character(match: re.Match[str]) -> str:
    """Normalise a character reference, or remove it if it is invalid, because that would stop the parser."""
    digits, base = (match[1], 16) if match[1] else (match[2], 10)
    if digits is None:
        return match[0]  # CDATA
    digits = digits.lstrip("0")
    number = int(digits or "0", base) if len(digits) <= _MOST_DIGITS else sys.maxunicode + 1
    is_one = 0 < number <= sys.maxunicode and not _FORBIDDEN.match(chr(number))
    return f"&#{number};" if is_one else ""


def _repaired(text: str) -> str:
    """Escape stray ampersands and remove invalid characters."""
    return _BARE.sub(lambda match: "&amp;" if match[0] == "&" else match[0], without_bad_characters(text))


def _parse(text: str) -> tuple[XmlNode | None, expat.ExpatError | None]:
    """Return the tree of an XML document up to its first error, and the error."""
    grower = _TreeBuilder()
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = grower.start, grower.end
    parser.CharacterDataHandler = grower.characters
    parser.SkippedEntityHandler = grower.skipped
    parser.EntityDeclHandler = _refuse
    parser.UseForeignDTD(True)  # reports undeclared entities instead of an error
    error = None
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as expat_error:
        error = expat_error
    return next(iter(grower.document.children), None), error


def _refuse(*_: object) -> None:
    raise _EntityDeclared


class _TreeBuilder:
    """Builds a tree from expat's events."""

    def __init__(self) -> None:
        self.document = XmlNode("", {}, [])
        self._open = [self.document]
        self._parts = self.document.parts  # content of the innermost open element
        self._scopes = [_UNBOUND]
        self._names: dict[str, str] = {}  # resolved names in the innermost scope
        self._too_deep = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle a start tag."""
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
        """Handle an end tag."""
        if self._too_deep:
            self._too_deep -= 1
            return
        self._open.pop()
        if self._scopes.pop() is not self._scopes[-1]:
            self._names = {}
        self._parts = self._open[-1].parts

    def characters(self, text: str) -> None:
        """Handle text."""
        self._parts.append(text)

    def skipped(self, name: str, is_parameter: bool) -> None:
        """Handle a reference to an undeclared entity."""
        if not is_parameter:
            self._parts.append(html5.get(name + ";", f"&{name};"))


def _inner(scope: dict[str, str], attributes: dict[str, str]) -> dict[str, str]:
    """Return the namespace prefixes in effect inside an element."""
    inner = dict(scope)
    for key, value in attributes.items():
        if key == "xmlns" or key[:6] == "xmlns:":
            prefix = key[6:]
            short_name = _NAMESPACES.get(value.strip().lower().rpartition("://")[2].rstrip("/"))
            inner[prefix] = prefix.lower() if short_name is None else short_name
    return inner


def _resolved(name: str, scope: dict[str, str]) -> str:
    prefix, _, local = name.rpartition(":")
    short = scope.get(prefix, prefix.lower())
    return f"{short}:{local.lower()}" if short else local.lower()
