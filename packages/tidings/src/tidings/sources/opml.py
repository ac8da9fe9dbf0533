"""Reading and writing OPML subscription lists with folders (opml.org/spec2).

The hardened XML parser reads the input. Invalid URLs are left out and counted. Written lists read back unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Final
from urllib.parse import quote

from tidings.sources.addresses import canonical
from tidings.sources.body import body
from tidings.sources.problems import ProblemKind, SourceProblem
from tidings.sources.xml_tree import XmlNode, read_xml
from tidings.text import fold_space

_LARGEST: Final = 8 * 1024 * 1024
#: Limit on the number of subscriptions.
_MOST: Final = 100_000
_DEEPEST: Final = 50
_USER: Final = re.compile(r"https?://([^/?#@\s]{1,500})@", re.IGNORECASE)
_IN_USER: Final = ":%!$&'()*+,;=~"
_OWN: Final = frozenset({"text", "title", "type", "xmlurl", "htmlurl", "language", "description"})


@dataclass(frozen=True, slots=True)
class OpmlFeed:
    """A subscription."""

    address: str
    title: str = ""
    home: str = ""
    folder: tuple[str, ...] = ()  # folder names, the outermost first
    language: str = ""
    description: str = ""
    kind: str = ""  # declared: rss, atom
    more: tuple[tuple[str, str], ...] = ()  # other attributes, names in lower case


@dataclass(frozen=True, slots=True)
class OpmlList:
    """Subscriptions in document order, with problems."""

    feeds: tuple[OpmlFeed, ...]
    title: str = ""
    problems: tuple[SourceProblem, ...] = ()


def read_opml(data: bytes | str, url: str = "") -> OpmlList:
    """Parse an OPML document. A feed in two folders appears twice."""
    decoded = body(data, None, _LARGEST)
    if not decoded.text:
        return OpmlList((), problems=decoded.problems)
    tree = read_xml(decoded.text)
    problems = decoded.problems + tree.problems
    if tree.root is None or tree.root.name not in {"opml", "body", "outline"}:
        kind = f"the document is a {tree.root.name[:40]}" if tree.root else ""
        return OpmlList((), problems=(*problems, SourceProblem(ProblemKind.UNKNOWN_FORMAT, kind)))
    feeds: list[OpmlFeed] = []
    without = 0
    waiting: list[tuple[XmlNode, tuple[str, ...]]] = [(tree.root, ())]
    while waiting and len(feeds) < _MOST:
        node, folder = waiting.pop()
        declared_url = node.attributes.get("xmlurl", "").strip() if node.name == "outline" else ""
        if declared_url:
            address = _address(declared_url, url)
            if address is None:
                without += 1
            else:
                feeds.append(_subscription(node, address, folder, url))
        elif node.name == "outline" and len(folder) < _DEEPEST:
            folder = (*folder, _name(node)) if _name(node) else folder
        waiting += [(child, folder) for child in reversed(node.children)]
    if without:
        problems += (SourceProblem(ProblemKind.NO_ADDRESS, str(without)),)
    if waiting:
        problems += (SourceProblem(ProblemKind.TOO_MANY, f"the first {_MOST:,} were read"),)
    return OpmlList(tuple(feeds), _title(tree.root), problems)


def write_opml(feeds: Iterable[OpmlFeed], title: str = "") -> bytes:
    """Write an OPML 2.0 document. The feeds of a folder are grouped at its first feed."""
    top: dict[str, object] = {}
    for number, feed in enumerate(feeds):
        inside = top
        for name in feed.folder[:_DEEPEST]:
            inner = inside.setdefault("folder " + name, {})
            if isinstance(inner, dict):
                inside = inner
        inside[f"feed {number}"] = feed
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<opml version="2.0">',
        f"<head><title>{escape(_clean(title))}</title></head>",
    ]
    lines += ["<body>", *_outlines(top), "</body>", "</opml>", ""]
    return "\n".join(lines).encode("utf-8", "replace")


def _outlines(inside: dict[str, object]) -> Iterable[str]:
    for name, thing in inside.items():
        if isinstance(thing, OpmlFeed):
            yield f"<outline {_attributes(thing)}/>"
        elif isinstance(thing, dict):
            label = escape(_clean(name.removeprefix("folder ")))
            yield f'<outline text="{label}" title="{label}">'
            yield from _outlines(thing)
            yield "</outline>"


def _attributes(feed: OpmlFeed) -> str:
    values = {
        "type": feed.kind or "rss",
        "text": feed.title or feed.address,
        "title": feed.title,
        "xmlUrl": feed.address,
        "htmlUrl": feed.home,
        "language": feed.language,
        "description": feed.description,
        **{name: value for name, value in feed.more if name.isidentifier() and name not in _OWN},
    }
    return " ".join(f'{name}="{escape(_clean(value))}"' for name, value in values.items() if value)


def _clean(text: str) -> str:
    """Remove characters that XML does not allow."""
    return "".join(
        char for char in text if char >= " " and not "\ud800" <= char <= "\udfff" and char not in "\ufffe\uffff"
    )


def _subscription(node: XmlNode, address: str, folder: tuple[str, ...], url: str) -> OpmlFeed:
    attributes = node.attributes
    name = _name(node)
    return OpmlFeed(
        address=address,
        title="" if name == address else name,
        home=canonical(attributes.get("htmlurl"), url) or "",
        folder=folder,
        language=attributes.get("language", ""),
        description=fold_space(attributes.get("description", "")),
        kind=attributes.get("type", "").strip().lower(),
        more=tuple((key, value) for key, value in attributes.items() if key not in _OWN),
    )


def _address(declared_url: str, url: str) -> str | None:
    """Return the URL of a feed, including user name and password of private feeds."""
    found, user = canonical(declared_url, url), _USER.match(declared_url)
    return found.replace("://", f"://{quote(user[1], safe=_IN_USER)}@", 1) if found and user else found


def _name(node: XmlNode) -> str:
    return fold_space(node.attributes.get("title") or node.attributes.get("text") or "")


def _title(root: XmlNode) -> str:
    head = next((node for node in root.children if node.name == "head"), None)
    title = next((node for node in head.children if node.name == "title"), None) if head else None
    return fold_space(title.text()) if title else ""
