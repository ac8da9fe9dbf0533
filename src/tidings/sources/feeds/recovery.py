"""Feeds that are no well-formed XML, entry by entry.

A document with one fault is cut into its entries by string search and each is parsed alone, so that a bad entry costs
itself and no other. A bad one goes to feedparser where it is installed (`tidings[news]`), whose reading of tag soup is
as good as it gets; it is given that entry only, never an address (it would fetch it), neither cleans nor resolves, and
no more than a bounded number of times, for it takes hundreds of times as long as expat.
"""

from __future__ import annotations

import io
import re
import warnings
from itertools import islice
from typing import Any, Final

from tidings.sources.feeds.entry import MOST_ITEMS
from tidings.sources.problem import ProblemKind, SourceProblem
from tidings.sources.xml_tree import XmlNode, read_xml, without_bad_characters, without_type

_ROOT: Final = re.compile(r"<(?:[\w.\-]{1,40}:)?(?:rss|rdf|feed|channel)\b[^<>]{0,4000}>", re.IGNORECASE)
_ENTRY: Final = re.compile(r"<((?:[\w.\-]{1,40}:)?(?:item|entry))(?=[\s>])", re.IGNORECASE)
#: What feedparser is given of damaged entries: how many, and the characters of one and of all.
MOST_ASKED: Final = 200
_LONGEST: Final = 50_000
_MOST: Final = 500_000
#: Elements by the names under which feedparser gives them.
_TEXTS: Final = {
    "title": "title",
    "summary": "description",
    "id": "guid",
    "published": "pubdate",
    "updated": "updated",
    "author": "author",
}


def cut(text: str) -> tuple[str, list[str], str]:
    """A document as what stands before its entries, the entries, and the start tag of its root."""
    text, _ = without_type(text)
    root = _ROOT.search(text)
    starts = list(islice(_ENTRY.finditer(text), MOST_ITEMS))
    head = text[: starts[0].start()] if starts else text
    entries = []
    for at, match in enumerate(starts):
        end = starts[at + 1].start() if at + 1 < len(starts) else len(text)
        closing = text.find(f"</{match[1]}", match.start(), end)
        entries.append(text[match.start() : closing if closing >= 0 else end] + f"</{match[1]}>")
    return head, entries, root[0] if root else "<rss>"


def recover(text: str) -> tuple[XmlNode | None, tuple[XmlNode, ...], tuple[SourceProblem, ...]]:
    """The root with what the feed says of itself, its entries, and how it went."""
    head, pieces, opening = cut(text)
    name = re.split(r"[\s>]", opening[1:], maxsplit=1)[0]
    found: list[XmlNode] = []
    asked = lost = given = 0
    for piece in pieces:
        tree = read_xml(f"{opening}{piece}</{name}>")
        node = next(iter(tree.root.children), None) if tree.root else None
        if not tree.whole or node is None:
            asked += 1
            if asked <= MOST_ASKED and len(piece) <= _LONGEST and given + len(piece) <= _MOST:
                given += len(piece)
                node = _by_feedparser(opening, piece, name)
        if node is None:
            lost += 1
        else:
            found.append(node)
    if not pieces and len(text) <= _LONGEST:
        head = text
    problems = (
        (SourceProblem(ProblemKind.NOT_WELL_FORMED, f"{asked} of {len(pieces)} entries; {lost} lost"),) if asked else ()
    )
    return read_xml(head).root, tuple(found), problems


def _by_feedparser(opening: str, piece: str, name: str) -> XmlNode | None:
    """An entry as feedparser reads it, put back into a tree; without it the entry is lost and counted."""
    try:
        import feedparser
    except ImportError:
        return None
    document = without_bad_characters(f"{opening}{piece}</{name}>").encode("utf-8", "replace")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of its own history
        try:
            parsed = feedparser.parse(
                io.BytesIO(document),
                response_headers={"content-type": "application/xml; charset=utf-8"},
                sanitize_html=False,
                resolve_relative_uris=False,
            )
        except Exception:  # whatever an entry brings out in it, that entry is lost and counted, and the feed is not
            return None
    return _node(parsed.entries[0]) if parsed.entries else None


def _node(entry: dict[str, Any]) -> XmlNode | None:
    node = XmlNode("item", {}, [])
    for theirs, ours in _TEXTS.items():
        value = dict.get(entry, theirs)  # what is stored: asked its own way, feedparser makes up some from others
        if isinstance(value, str) and value.strip():
            node.parts.append(XmlNode(ours, {"ispermalink": "false"} if ours == "guid" else {}, [value]))
    for link in entry.get("links", ()):
        given = {key: str(value) for key, value in link.items() if key in {"rel", "href", "type", "length"}}
        node.parts.append(XmlNode("atom:link", given, []))
    for content in entry.get("content", ()):
        node.parts.append(XmlNode("content:encoded", {}, [str(content.get("value", ""))]))
    for tag in entry.get("tags", ()):
        node.parts.append(XmlNode("category", {}, [str(tag.get("term") or "")]))
    return node if node.parts else None
