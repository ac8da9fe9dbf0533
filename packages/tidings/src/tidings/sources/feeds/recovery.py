"""Recovery of feeds that are not well-formed XML, entry by entry.

A document with an error is cut into its entries by string search, and each is parsed alone, so that a bad entry does
not affect the others. In a bad entry, stray characters (a bare `&` or `<`) are treated as text. If it still cannot be
parsed, its usual elements are extracted one by one, with their markup as text.
"""

from __future__ import annotations

import re
from html import escape
from itertools import islice
from typing import Final

from tidings.sources.feeds.entry import MOST_ITEMS
from tidings.sources.problems import ProblemKind, SourceProblem
from tidings.sources.xml_tree import XmlNode, read_xml, without_bad_characters, without_type

_ROOT: Final = re.compile(r"<(?:[\w.\-]{1,40}:)?(?:rss|rdf|feed|channel)\b[^<>]{0,4000}>", re.IGNORECASE)
_ENTRY: Final = re.compile(r"<((?:[\w.\-]{1,40}:)?(?:item|entry))(?=[\s>])", re.IGNORECASE)
#: A document without entries is read again only up to this length.
_LONGEST: Final = 50_000
#: The most useful elements of an entry.
_PART: Final = re.compile(
    r"<((?:[\w.\-]{1,40}:)?(?:title|link|guid|id|pubdate|published|updated|date|description|summary|encoded|creator"
    r"|author|category))(?=[\s/>])([^<>]{0,2000}?)(/?)>",
    re.IGNORECASE,
)
_CDATA: Final = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
#: A stray character that does not begin markup: `AT&T`, `5 < 6`.
_BARE: Final = re.compile(r"&(?!#?\w{1,40};)|<(?![\w/!?])")


def cut(text: str) -> tuple[str, list[str], str]:
    """Split an invalid feed into the source before its first entry, the source of each entry, and the start tag of the
    root.
    """
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


def _repaired(piece: str) -> str:
    """Escape stray characters and the content of CDATA in the source of an entry."""
    piece = without_bad_characters(piece)
    end = piece.rfind("]]>") + 3 if "]]>" in piece else 0  # no CDATA is closed after this
    parts = _CDATA.split(piece[:end])
    parts[-1] += piece[end:]
    parts[::2] = [_BARE.sub(lambda match: f"&#{ord(match[0])};", part) for part in parts[::2]]
    parts[1::2] = [escape(part) for part in parts[1::2]]
    return "".join(parts)


def _parts_alone(piece: str) -> str:
    """Return the source of an entry reduced to its usual elements (title, link, date …), with their markup escaped."""
    parts, at = [], 0
    while match := _PART.search(piece, at):
        name, attributes, closed = match.groups()
        at = match.end()
        end = at if closed else piece.find(f"</{name}", at)
        if end >= 0:
            text = piece[at:end].replace("<", "&lt;")
            parts.append(f"<{name}{attributes}>{text}</{name}>")
            at = end
    return f"<item>{''.join(parts)}</item>"


def recover(text: str) -> tuple[XmlNode | None, tuple[XmlNode, ...], tuple[SourceProblem, ...]]:
    """Parse an invalid feed entry by entry. Return the root element with the feed's metadata, the readable entries, and
    the problems.
    """
    head, pieces, opening = cut(text)
    name = re.split(r"[\s>]", opening[1:], maxsplit=1)[0]
    nodes: list[XmlNode] = []
    bad = lost = 0
    for piece in pieces:
        tree = read_xml(f"{opening}{piece}</{name}>")
        if not tree.whole:
            bad += 1
            repaired = _repaired(piece)
            tree = read_xml(f"{opening}{repaired}</{name}>")
            if not tree.whole:
                tree = read_xml(f"{opening}{_parts_alone(repaired)}</{name}>")
        node = next(iter(tree.root.children), None) if tree.root else None
        if node is None or not node.children:
            lost += 1
        else:
            nodes.append(node)
    if not pieces and len(text) <= _LONGEST:
        head = text
    problems = (
        (SourceProblem(ProblemKind.NOT_WELL_FORMED, f"{bad} of {len(pieces)} entries; {lost} lost"),) if bad else ()
    )
    return read_xml(head).root, tuple(nodes), problems
