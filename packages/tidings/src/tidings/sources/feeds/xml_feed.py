"""RSS, RDF and Atom documents: the feed's metadata and its entries.

All dialects share one reader, because feeds mix them (Atom links in RSS, Dublin Core everywhere). Each value is
searched for under all of its names, the most specific first. RSS 2.0 (rssboard.org), RSS 1.0 with its modules, RFC
4287, Media RSS.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from typing import Final

from tidings.sources.addresses import canonical
from tidings.sources.dates import Reader, SourceDate, reader
from tidings.sources.feeds.entry import (
    MOST_ITEMS,
    distinct_files,
    distinct_texts,
    each_entry,
    enclosure,
    plain_text,
    without_shared_addresses,
)
from tidings.sources.feeds.feed import Feed, Schedule
from tidings.sources.link import Enclosure, Link, Origin
from tidings.sources.problems import ProblemKind, SourceProblem
from tidings.sources.xml_tree import XmlNode
from tidings.text import fold_space
from tidings.urls import resolve

_TITLE: Final = ("title", "atom:title", "dc:title", "media:title", "itunes:title")
_SUMMARY: Final = ("description", "atom:summary", "summary", "dc:description", "itunes:summary", "media:description")
_CONTENT: Final = ("content:encoded", "atom:content", "content", "xhtml:body", "xhtml:div")
_PUBLISHED: Final = (
    "pubdate",
    "atom:published",
    "published",
    "dc:date",
    "dcterms:issued",
    "dcterms:created",
    "atom:issued",
    "atom:created",
)
_UPDATED: Final = ("atom:updated", "updated", "dcterms:modified", "atom:modified")
_AUTHOR: Final = ("dc:creator", "atom:author", "author", "itunes:author")
_GUID: Final = ("guid", "atom:id", "id", "dc:identifier")
_CATEGORY: Final = ("category", "atom:category", "dc:subject")
#: `someone@example.org (Some One)` and `Some One <someone@example.org>`.
_MAIL_FIRST: Final = re.compile(r"\S+@\S+\s+\(([^()]*+)\)\s*")
_MAIL: Final = re.compile(r"<?\S+@\S+\.\S+>?")
_VOID: Final = frozenset("br hr img input wbr".split())

Children = dict[str, list[XmlNode]]


@dataclass(frozen=True, slots=True)
class FeedContext:
    """Values that apply to all entries of a feed."""

    base: str
    language: str
    when: Reader


def children(node: XmlNode) -> Children:
    """Return the child elements of a node by name."""
    by_name: Children = {}
    for part in node.parts:
        if not isinstance(part, str):
            by_name.setdefault(part.name, []).append(part)
    return by_name


def first(by_name: Children, names: Iterable[str]) -> XmlNode | None:
    """Return the first non-empty element under one of the names."""
    for name in names:
        for node in by_name.get(name, ()):
            if node.parts:
                return node
    return None


def words(node: XmlNode | None) -> str:
    """Return the content of an element as plain text. In Atom an attribute says whether it is plain already."""
    if node is None:
        return ""
    text = node.text()
    if ("<" in text or "&" in text) and node.attributes.get("type") not in {"text", "text/plain"}:
        return plain_text(text)
    return fold_space(text)


def moment(by_name: Children, names: Iterable[str], when: Reader) -> SourceDate | None:
    """Return the first valid date under some element names, or else the first date."""
    unread = None
    for name in names:
        for node in by_name.get(name, ()):
            date = when(node.text())
            if date is not None and date.moment is not None:
                return date
            unread = unread or date
    return unread


def based(node: XmlNode, base: str) -> str:
    """Return the base URL of an element (xml:base)."""
    declared = node.attributes.get("xml:base")
    return (resolve(declared, base) if declared else None) or base


def entry(node: XmlNode, context: FeedContext) -> Link:
    """Convert an item or entry to a link."""
    by_name = children(node)
    base = based(node, context.base)
    declared_url = _address(by_name, node, base)
    guid = first(by_name, _GUID)
    described, content = first(by_name, _SUMMARY), _html(first(by_name, _CONTENT))
    if not content and described is not None and described.text().count("</p>") > 1:
        content = described.text()  # a description of several paragraphs is the whole text
    return Link(
        canonical_url=canonical(declared_url, base) or "",
        origin=Origin.FEED,
        title=words(first(by_name, _TITLE)),
        summary=words(described),
        content=content,
        declared_url=declared_url,
        url=canonical(declared_url, base, tracking=True) or "",
        guid=fold_space(guid.text()) if guid else node.attributes.get("rdf:about", ""),
        published=moment(by_name, _PUBLISHED, context.when),
        updated=moment(by_name, _UPDATED, context.when),
        authors=distinct_texts(
            name for child in _AUTHOR for person in by_name.get(child, ()) for name in _names(person)
        ),
        categories=distinct_texts(_category(child) for name in _CATEGORY for child in by_name.get(name, ())),
        enclosures=distinct_files(_files(by_name, base)),
        language=_language(by_name, node) or context.language,
        publisher=_publisher(by_name),
        comments=_comments(by_name, base),
    )


def _address(by_name: Children, node: XmlNode, base: str) -> str:
    """Return the article's URL: the original link without a click counter, else the link, else the GUID."""
    if origin := first(by_name, ("feedburner:origlink",)):
        return origin.text()
    if link := first(by_name, ("link",)):
        return link.text()
    if address := alternate(by_name):
        return address
    guid = first(by_name, ("guid",))
    if guid and guid.attributes.get("ispermalink", "true").strip().lower() != "false" and canonical(guid.text(), base):
        return guid.text()
    if identifier := first(by_name, ("atom:id", "id")):
        text = identifier.text()
        if text.startswith(("http://", "https://")):
            return text
    return node.attributes.get("rdf:about", "")


def alternate(by_name: Children) -> str:
    """Return the Atom link of an entry to its own page, preferably in HTML."""
    fallback = ""
    for name in ("atom:link", "link"):
        for link in by_name.get(name, ()):
            href = link.attributes.get("href", "")
            if href and link.attributes.get("rel", "alternate").strip().lower() == "alternate":
                if "html" in link.attributes.get("type", "html"):
                    return href
                fallback = fallback or href
    return fallback


def links_of(by_name: Children, relation: str) -> list[XmlNode]:
    """Return the Atom links with a relation."""
    if "atom:link" not in by_name and "link" not in by_name:
        return []
    return [
        link
        for name in ("atom:link", "link")
        for link in by_name.get(name, ())
        if relation in link.attributes.get("rel", "").lower().split() and link.attributes.get("href")
    ]


def _html(node: XmlNode | None) -> str:
    """Return the content of an element as HTML."""
    if node is None:
        return ""
    kind = node.attributes.get("type", "").lower()
    if kind in {"text", "text/plain"}:
        return escape(node.text(), quote=False)
    if any(not isinstance(part, str) for part in node.parts):
        return markup(node)
    return node.text()


def markup(node: XmlNode) -> str:
    """Serialise the content of an element, without namespace prefixes, for XHTML in Atom."""
    parts: list[str] = []
    waiting: list[str | XmlNode | tuple[str]] = [*node.parts[::-1]]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            parts.append(part[0])
        elif isinstance(part, str):
            parts.append(escape(part, quote=False))
        else:
            name = part.name.rpartition(":")[2]
            attributes = "".join(
                f' {key}="{escape(value)}"' for key, value in part.attributes.items() if not key.startswith("xmlns")
            )
            parts.append(f"<{name}{attributes}>")
            if name not in _VOID:
                waiting.append((f"</{name}>",))
                waiting += part.parts[::-1]
    return "".join(parts).strip()


def _names(person: XmlNode) -> Iterator[str]:
    inner = children(person)
    if named := first(inner, ("atom:name", "name")):
        yield words(named)
        return
    text = words(person)
    if "@" in text:
        match = _MAIL_FIRST.fullmatch(text)
        text = match[1] if match else _MAIL.sub("", text)
    yield text


def _category(node: XmlNode) -> str:
    return plain_text(node.attributes.get("label") or node.attributes.get("term") or node.text())


def _language(by_name: Children, node: XmlNode) -> str:
    named = first(by_name, ("dc:language", "language"))
    return named.text() if named else node.attributes.get("xml:lang", "")


def _publisher(by_name: Children) -> str:
    if source := first(by_name, ("source", "dc:source")):
        return words(source)
    if source := first(by_name, ("atom:source",)):
        return words(first(children(source), _TITLE))
    return ""


def _comments(by_name: Children, base: str) -> str:
    node = first(by_name, ("comments",))
    url = node.text() if node else next((link.attributes["href"] for link in links_of(by_name, "replies")), "")
    return canonical(url, base) or ""


def _files(by_name: Children, base: str) -> Iterator[Enclosure | None]:
    length = next((node.text() for node in by_name.get("itunes:duration", ())), "")
    for node in by_name.get("enclosure", ()):
        attributes = node.attributes
        yield enclosure(
            attributes.get("url") or attributes.get("rdf:resource"),
            base,
            attributes.get("type", ""),
            attributes.get("length", ""),
            length,
        )
    for node in links_of(by_name, "enclosure"):
        attributes = node.attributes
        yield enclosure(attributes["href"], base, attributes.get("type", ""), attributes.get("length", ""), length)
    groups = [by_name, *(children(group) for group in by_name.get("media:group", ()))]
    for group in groups:
        for node in group.get("media:content", ()):
            attributes = node.attributes
            kind = attributes.get("type") or attributes.get("medium", "")
            yield enclosure(
                attributes.get("url"), base, kind, attributes.get("filesize", ""), attributes.get("duration", "")
            )
            for inner in children(node).get("media:thumbnail", ()):
                yield enclosure(inner.attributes.get("url"), base, "image")
        for node in group.get("media:thumbnail", ()):
            yield enclosure(node.attributes.get("url"), base, "image")
    for node in by_name.get("itunes:image", ()):
        yield enclosure(node.attributes.get("href"), base, "image")


_PERIODS: Final = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "weekly": timedelta(weeks=1),
    "monthly": timedelta(days=30),
    "yearly": timedelta(days=365),
}
_DAYS: Final = {
    name: number for number, name in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())
}
_VERSION: Final = re.compile(r"[\w. ]{1,20}")
ENTRIES: Final = ("item", "atom:entry", "entry")


def kind_of(root: XmlNode) -> str:
    """Return the kind of a feed by its root element; empty if it is not a feed."""
    if root.name == "rss":
        version = _VERSION.fullmatch(root.attributes.get("version", ""))
        return f"rss {version[0]}" if version else "rss"
    if root.name == "rdf:rdf":
        return "rdf"
    if root.name in {"atom:feed", "feed", "atom:entry", "entry"}:
        return "atom"
    return "rss" if root.name == "channel" else ""


def of_tree(root: XmlNode, base: str, now: datetime | None, more: tuple[XmlNode, ...] = ()) -> Feed:
    """Build a feed from its XML tree.

    Args:
        root: the root element.
        base: the feed's URL.
        now: the current time, to mark dates in the future.
        more: further entries that were parsed separately.
    """
    kind = kind_of(root)
    if not kind:
        return Feed("", problems=(SourceProblem(ProblemKind.UNKNOWN_FORMAT, f"the document is a {root.name[:40]}"),))
    head = next((node for node in root.children if node.name == "channel"), root)
    by_name = children(head)
    if head is not root:
        for name, nodes in children(
            root
        ).items():  # in RDF and broken RSS, entries and image are siblings of the channel
            by_name.setdefault(name, []).extend(nodes)
    base = based(head, based(root, base))
    named = first(by_name, ("language", "dc:language", "atom:language"))
    language = named.text() if named else head.attributes.get("xml:lang") or root.attributes.get("xml:lang", "")
    language = language.strip()[:35]
    context = FeedContext(base, language, reader(language, now))
    nodes = [node for name in ENTRIES for node in by_name.get(name, ())] if root.name not in ENTRIES else [root]
    nodes += more
    whole, bad = each_entry(nodes[:MOST_ITEMS], lambda node: entry(node, context))
    items, problems = without_shared_addresses(whole)
    problems = bad + problems
    if len(nodes) > MOST_ITEMS:
        problems += (SourceProblem(ProblemKind.TOO_MANY, f"{len(nodes):,}; the first {MOST_ITEMS:,} were read"),)
    return _described(kind, by_name, context, items, problems)


def _described(
    kind: str, by_name: Children, context: FeedContext, items: tuple[Link, ...], problems: tuple[SourceProblem, ...]
) -> Feed:
    base = context.base
    home = first(by_name, ("link",))
    following = next(iter(links_of(by_name, "next") or links_of(by_name, "prev-archive")), None)
    itself = next(iter(links_of(by_name, "self")), None)
    moved = first(by_name, ("itunes:new-feed-url",))
    ended = first(by_name, ("itunes:complete",))
    return Feed(
        kind=kind,
        title=words(first(by_name, ("title", "atom:title", "dc:title"))),
        description=words(
            first(by_name, ("description", "atom:subtitle", "subtitle", "atom:tagline", "itunes:summary"))
        ),
        language=context.language,
        home=canonical(home.text() if home else alternate(by_name), base) or "",
        image=_image(by_name, base),
        items=items,
        problems=problems,
        updated=moment(
            by_name, ("lastbuilddate", "atom:updated", "updated", "pubdate", "dc:date", "atom:modified"), context.when
        ),
        schedule=_schedule(by_name),
        hubs=tuple(
            address for link in links_of(by_name, "hub") if (address := canonical(link.attributes["href"], base))
        ),
        itself=(canonical(itself.attributes["href"], base) or "") if itself else "",
        next_page=(canonical(following.attributes["href"], base) or "") if following else "",
        moved_to=canonical(moved.text(), base) or "" if moved else "",
        is_ended=ended is not None and ended.text().lower() in {"yes", "true"},
    )


def _image(by_name: Children, base: str) -> str:
    for node in by_name.get("image", ()):
        address = first(children(node), ("url",))
        if address and (url := canonical(address.text(), base)):
            return url
    for name, attribute in (("itunes:image", "href"), ("atom:logo", ""), ("atom:icon", ""), ("logo", ""), ("icon", "")):
        for node in by_name.get(name, ()):
            url = canonical(node.attributes.get(attribute) if attribute else node.text(), base)
            if url:
                return url
    return ""


def _schedule(by_name: Children) -> Schedule:
    interval = None
    if minutes := _small_number(first(by_name, ("ttl",))):
        interval = timedelta(minutes=minutes)
    period = first(by_name, ("sy:updateperiod",))
    if period and (length := _PERIODS.get(period.text().lower())):
        interval = length / (_small_number(first(by_name, ("sy:updatefrequency",))) or 1)
    hours = (_small_number(hour) for node in by_name.get("skiphours", ()) for hour in node.children)
    days = (_DAYS.get(day.text().lower()) for node in by_name.get("skipdays", ()) for day in node.children)
    return Schedule(
        interval,
        frozenset(hour % 24 for hour in hours if hour is not None and hour <= 24),
        frozenset(day for day in days if day is not None),
    )


def _small_number(node: XmlNode | None) -> int | None:
    text = node.text() if node else ""
    return int(text) if text.isdecimal() and len(text) < 8 else None
