"""From bytes to a feed (N-EXT 4.1.1: title, date and address of each story; here with all else that feeds tell).

Well-formed feeds, nearly all, are read by expat and our own reading of its tree, in a quarter of feedparser's time; the
others entry by entry (`recovery`). Nothing raises: what is wrong with a feed is in
`Feed.problems`, for the feed may be well again at the next poll.

JSON Feed 1.0 and 1.1 (jsonfeed.org), read as leniently as feeds have to be.

Feeds that are no well-formed XML, entry by entry.

A document with one fault is cut into its entries by string search and each is parsed alone, so that a bad entry costs
itself and no other. In a bad one signs that are no markup where markup could be (a bare `&` or `<`) are taken for text;
if it is still none, its usual elements are looked for one by one, and their markup is text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from html import escape
from itertools import islice
from typing import Any, Final

from tidings.errors import PageError
from tidings.page import Page
from tidings.page.invisible import visible_text
from tidings.sources.addresses import canonical
from tidings.sources.body import LARGEST, body
from tidings.sources.dates import Reader, reader
from tidings.sources.discovery import discover
from tidings.sources.feeds.entry import MOST_ITEMS, each_entry, enclosure, files_once, once, plain_text, settled
from tidings.sources.feeds.feed import Feed
from tidings.sources.feeds.xml_feed import kind_of, of_tree
from tidings.sources.link import Enclosure, Link, Origin, ProblemKind, SourceProblem
from tidings.sources.xml_tree import XmlNode, read_xml, without_bad_characters, without_type
from tidings.text import fold_space


def looks_like(text: str) -> bool:
    """Return whether a document is JSON."""
    return text[:100].lstrip()[:1] == "{"


def of_json(text: str, base: str, now: datetime | None) -> Feed:
    """Return a feed from JSON."""
    try:
        told = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        return Feed("", problems=(SourceProblem(ProblemKind.NOT_WELL_FORMED, str(error)[:200]),))
    if not isinstance(told, dict) or not isinstance(told.get("items"), list):
        return Feed("", problems=(SourceProblem(ProblemKind.UNKNOWN_FORMAT, "JSON without a list of items"),))
    version = _text(told, "version").rpartition("/")[2]
    language = _text(told, "language")[:35]
    when = reader(language, now)
    entries = [one for one in told["items"] if isinstance(one, dict)]
    whole, bad = each_entry(entries[:MOST_ITEMS], lambda one: _link(one, base, language, when))
    items, problems = settled(whole)
    problems = bad + problems
    if len(entries) > MOST_ITEMS:
        problems += (SourceProblem(ProblemKind.TOO_MANY, f"{len(entries):,}; the first {MOST_ITEMS:,} were read"),)
    return Feed(
        kind=f"json feed {version}".strip() if version[:1].isdigit() and len(version) < 8 else "json feed",
        title=fold_space(_text(told, "title")),
        description=fold_space(_text(told, "description")),
        language=language,
        home=canonical(_text(told, "home_page_url"), base) or "",
        image=canonical(_text(told, "icon") or _text(told, "favicon"), base) or "",
        items=items,
        problems=problems,
        hubs=tuple(found for hub in _objects(told, "hubs") if (found := canonical(_text(hub, "url"), base))),
        itself=canonical(_text(told, "feed_url"), base) or "",
        next_page=canonical(_text(told, "next_url"), base) or "",
        ended=told.get("expired") is True,
    )


def _link(told: dict[str, Any], base: str, language: str, when: Reader) -> Link:
    said = _text(told, "external_url") if not _text(told, "url") else _text(told, "url")
    guid = _text(told, "id")
    if not said and guid.startswith(("http://", "https://")):
        said = guid
    written = _text(told, "content_html") or escape(_text(told, "content_text"), quote=False)
    return Link(
        address=canonical(said, base) or "",
        origin=Origin.FEED,
        title=fold_space(_text(told, "title")),
        summary=plain_text(_text(told, "summary")),
        content=written,
        said=said,
        url=canonical(said, base, tracking=True) or "",
        guid=guid,
        published=when(_text(told, "date_published")),
        updated=when(_text(told, "date_modified")),
        authors=once(_text(one, "name") for one in (*_objects(told, "authors"), *_objects(told, "author"))),
        categories=once(str(tag) for tag in told["tags"] if isinstance(tag, str))
        if isinstance(told.get("tags"), list)
        else (),
        enclosures=files_once(_files(told, base)),
        language=_text(told, "language")[:35] or language,
    )


def _files(told: dict[str, Any], base: str) -> Iterator[Enclosure | None]:
    for one in _objects(told, "attachments"):
        size, length = _text(one, "size_in_bytes"), _text(one, "duration_in_seconds")
        yield enclosure(_text(one, "url"), base, _text(one, "mime_type"), size, length)
    for name in ("image", "banner_image"):
        yield enclosure(_text(told, name), base, "image")


def _text(told: dict[str, Any], name: str) -> str:
    """Return a value as text; an identifier may be a number."""
    value = told.get(name)
    if isinstance(value, str):
        return visible_text(value).strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _objects(told: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = told.get(name)
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, dict)]


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
    """Return a document as what stands before its entries, the entries, and the start tag of its root."""
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
    """Return an entry whose bare signs are text, as is all that stands in CDATA."""
    piece = without_bad_characters(piece)
    end = piece.rfind("]]>") + 3 if "]]>" in piece else 0  # behind it none is closed, so none is looked for
    parts = _CDATA.split(piece[:end])
    parts[-1] += piece[end:]
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
    """Return the root with what the feed says of itself, its entries, and how it went."""
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


_FEED: Final = re.compile(r"<(?:[\w.\-]{1,40}:)?(?:rss|rdf|feed|channel|entry)[\s>]", re.IGNORECASE)
_WEB_PAGE: Final = re.compile(r"<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]", re.IGNORECASE)
#: What a document is, it says at its beginning; comments and stylesheets may come first.
_BEGINNING: Final = 20_000


def read_feed(
    data: bytes | str,
    url: str = "",
    content_type: str | None = None,
    *,
    now: datetime | None = None,
    largest: int = LARGEST,
) -> Feed:
    """Return a feed from what a server sent.

    Args:
        data: the body, packed by gzip or not.
        url: where it came from; what addresses in it are relative to.
        content_type: the HTTP header, for its charset. What kind of document it is, the document says better.
        now: the time of the poll, for telling dates that lie in the future.
        largest: bytes that are looked at; of a longer feed the first entries are read.
    """
    found = body(data, content_type, largest)
    if not found.text:
        return Feed("", problems=found.problems)
    feed = _of_text(found.text, url, now)
    return replace(feed, problems=found.problems + feed.problems)


def _of_text(text: str, url: str, now: datetime | None) -> Feed:
    if looks_like(text):
        return of_json(text, url, now)
    beginning = text[:_BEGINNING]
    marked = _FEED.search(beginning)
    if (page := _WEB_PAGE.search(beginning)) and (marked is None or page.start() < marked.start()):
        return _web_page(text, url)
    if marked is None:
        return Feed(
            "", problems=(SourceProblem(ProblemKind.UNKNOWN_FORMAT, "neither RSS, Atom, RDF, JSON nor a web page"),)
        )
    tree = read_xml(text)
    if tree.root is not None and (tree.whole or _only_cut_short(tree.problems)):
        feed = of_tree(tree.root, url, now)
        return replace(feed, problems=tree.problems + feed.problems)
    root, entries, problems = recover(text)
    if root is None or not kind_of(root):
        return Feed("", problems=tree.problems)
    feed = of_tree(root, url, now, more=entries)
    return replace(feed, problems=tree.problems + problems + feed.problems)


def _only_cut_short(problems: tuple[SourceProblem, ...]) -> bool:
    return any(problem.trouble is ProblemKind.CUT_SHORT for problem in problems)


def _web_page(text: str, url: str) -> Feed:
    problem = SourceProblem(ProblemKind.WEB_PAGE)
    try:
        offers = discover(Page(text, url or None))
    except PageError:
        offers = ()
    return Feed("", problems=(problem,), offers=offers)
