"""Feeds that are no well-formed XML, entry by entry.

A document with one fault is cut into its entries by string search and each is parsed alone, so that a bad entry costs
itself and no other. In a bad one signs that are no markup where markup could be (a bare `&` or `<`) are taken for text;
if it is still none, its usual elements are looked for one by one, and their markup is text.
"""

from __future__ import annotations

import re
from html import escape
from itertools import islice
from typing import Final

from tidings.sources.feeds.entry import MOST_ITEMS
from tidings.sources.problem import ProblemKind, SourceProblem
from tidings.sources.xml_tree import XmlNode, read_xml, without_bad_characters, without_type

_ROOT: Final = re.compile(r"<(?:[\w.\-]{1,40}:)?(?:rss|rdf|feed|channel)\b[^<>]{0,4000}>", re.IGNORECASE)
_ENTRY: Final = re.compile(r"<((?:[\w.\-]{1,40}:)?(?:item|entry))(?=[\s>])", re.IGNORECASE)
#: Characters of a document without entries that is looked at again.
_LONGEST: Final = 50_000
#: The elements that an entry says the most in.
_PART: Final = re.compile(
    r"<((?:[\w.\-]{1,40}:)?(?:title|link|guid|id|pubdate|published|updated|date|description|summary|encoded|creator"
    r"|author|category))(?=[\s/>])([^<>]{0,2000}?)(/?)>",
    re.IGNORECASE,
)
_CDATA: Final = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
#: A sign that would begin markup and does not: `AT&T`, `5 < 6`.
_BARE: Final = re.compile(r"&(?!#?\w{1,40};)|<(?![\w/!?])")


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


def _repaired(piece: str) -> str:
    """An entry whose bare signs are text, as is all that stands in CDATA."""
    parts = _CDATA.split(without_bad_characters(piece))
    parts[::2] = [_BARE.sub(lambda one: f"&#{ord(one[0])};", part) for part in parts[::2]]
    parts[1::2] = [escape(part) for part in parts[1::2]]
    return "".join(parts)


def _parts_alone(piece: str) -> str:
    """What a broken entry, repaired as far as that goes, says in the usual elements, each with its markup as text."""
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
    """The root with what the feed says of itself, its entries, and how it went."""
    head, pieces, opening = cut(text)
    name = re.split(r"[\s>]", opening[1:], maxsplit=1)[0]
    found: list[XmlNode] = []
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
            found.append(node)
    if not pieces and len(text) <= _LONGEST:
        head = text
    problems = (
        (SourceProblem(ProblemKind.NOT_WELL_FORMED, f"{bad} of {len(pieces)} entries; {lost} lost"),) if bad else ()
    )
    return read_xml(head).root, tuple(found), problems
