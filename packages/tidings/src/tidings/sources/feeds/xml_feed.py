"""RSS, RDF and Atom documents: what the feed says of itself, and its entries.

Entries have one reading for all dialects. Feeds mix them (Atom links in RSS, Dublin Core everywhere), so what is asked
of an entry is asked by all names it may go under, the most telling first. RSS 2.0 (rssboard.org), RSS 1.0 with its
modules, RFC 4287, Media RSS.
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
from tidings.sources.feeds.entry import MOST_ITEMS, each_entry, enclosure, files_once, once, plain_text, settled
from tidings.sources.feeds.feed import Feed, Schedule
from tidings.sources.link import Enclosure, Link, Origin, ProblemKind, SourceProblem
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
class Around:
    """What holds for all entries of a feed."""

    base: str
    language: str
    when: Reader


def children(node: XmlNode) -> Children:
    """Return the elements in a node, by name."""
    found: Children = {}
    for part in node.parts:
        if not isinstance(part, str):
            found.setdefault(part.name, []).append(part)
    return found


def first(told: Children, names: Iterable[str]) -> XmlNode | None:
    """Return the first element of the first name that is there and says something."""
    for name in names:
        for node in told.get(name, ()):
            if node.parts:
                return node
    return None


def words(node: XmlNode | None) -> str:
    """Return the text of an element as plain text; Atom says when it is that already."""
    if node is None:
        return ""
    text = node.text()
    if ("<" in text or "&" in text) and node.attributes.get("type") not in {"text", "text/plain"}:
        return plain_text(text)
    return fold_space(text)


def moment(told: Children, names: Iterable[str], when: Reader) -> SourceDate | None:
    """Return the first date under one of the names that could be read, else the first at all."""
    unread = None
    for name in names:
        for node in told.get(name, ()):
            found = when(node.text())
            if found is not None and found.moment is not None:
                return found
            unread = unread or found
    return unread


def based(node: XmlNode, base: str) -> str:
    """What addresses in an element are relative to (xml:base)."""
    declared = node.attributes.get("xml:base")
    return (resolve(declared, base) if declared else None) or base


def entry(node: XmlNode, around: Around) -> Link:
    """Return an item or entry as a link."""
    told = children(node)
    base = based(node, around.base)
    said = _address(told, node, base)
    guid = first(told, _GUID)
    described, content = first(told, _SUMMARY), _html(first(told, _CONTENT))
    if not content and described is not None and described.text().count("</p>") > 1:
        content = described.text()  # a description of several paragraphs is the whole text
    return Link(
        address=canonical(said, base) or "",
        origin=Origin.FEED,
        title=words(first(told, _TITLE)),
        summary=words(described),
        content=content,
        said=said,
        url=canonical(said, base, tracking=True) or "",
        guid=fold_space(guid.text()) if guid else node.attributes.get("rdf:about", ""),
        published=moment(told, _PUBLISHED, around.when),
        updated=moment(told, _UPDATED, around.when),
        authors=once(name for one in _AUTHOR for person in told.get(one, ()) for name in _names(person)),
        categories=once(_category(one) for name in _CATEGORY for one in told.get(name, ())),
        enclosures=files_once(_files(told, base)),
        language=_language(told, node) or around.language,
        publisher=_publisher(told),
        comments=_comments(told, base),
    )


def _address(told: Children, node: XmlNode, base: str) -> str:
    """Return the address of the story: without the detour over a counter if that is told, else the link, else the
    GUID.
    """
    if origin := first(told, ("feedburner:origlink",)):
        return origin.text()
    if link := first(told, ("link",)):
        return link.text()
    if address := alternate(told):
        return address
    guid = first(told, ("guid",))
    if guid and guid.attributes.get("ispermalink", "true").strip().lower() != "false" and canonical(guid.text(), base):
        return guid.text()
    if identifier := first(told, ("atom:id", "id")):
        text = identifier.text()
        if text.startswith(("http://", "https://")):
            return text
    return node.attributes.get("rdf:about", "")


def alternate(told: Children) -> str:
    """Return the Atom link that leads to the page itself: one to HTML before others."""
    found = ""
    for name in ("atom:link", "link"):
        for link in told.get(name, ()):
            href = link.attributes.get("href", "")
            if href and link.attributes.get("rel", "alternate").strip().lower() == "alternate":
                if "html" in link.attributes.get("type", "html"):
                    return href
                found = found or href
    return found


def links_of(told: Children, relation: str) -> list[XmlNode]:
    """Return the Atom links of a relation."""
    if "atom:link" not in told and "link" not in told:
        return []
    return [
        link
        for name in ("atom:link", "link")
        for link in told.get(name, ())
        if relation in link.attributes.get("rel", "").lower().split() and link.attributes.get("href")
    ]


def _html(node: XmlNode | None) -> str:
    """What an element holds as HTML."""
    if node is None:
        return ""
    kind = node.attributes.get("type", "").lower()
    if kind in {"text", "text/plain"}:
        return escape(node.text(), quote=False)
    if any(not isinstance(part, str) for part in node.parts):
        return markup(node)
    return node.text()


def markup(node: XmlNode) -> str:
    """Return the markup inside an element, names without prefixes: how XHTML stands in Atom."""
    found: list[str] = []
    waiting: list[str | XmlNode | tuple[str]] = [*node.parts[::-1]]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            found.append(part[0])
        elif isinstance(part, str):
            found.append(escape(part, quote=False))
        else:
            name = part.name.rpartition(":")[2]
            given = "".join(
                f' {key}="{escape(value)}"' for key, value in part.attributes.items() if not key.startswith("xmlns")
            )
            found.append(f"<{name}{given}>")
            if name not in _VOID:
                waiting.append((f"</{name}>",))
                waiting += part.parts[::-1]
    return "".join(found).strip()


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


def _language(told: Children, node: XmlNode) -> str:
    named = first(told, ("dc:language", "language"))
    return named.text() if named else node.attributes.get("xml:lang", "")


def _publisher(told: Children) -> str:
    if source := first(told, ("source", "dc:source")):
        return words(source)
    if source := first(told, ("atom:source",)):
        return words(first(children(source), _TITLE))
    return ""


def _comments(told: Children, base: str) -> str:
    node = first(told, ("comments",))
    found = node.text() if node else next((link.attributes["href"] for link in links_of(told, "replies")), "")
    return canonical(found, base) or ""


def _files(told: Children, base: str) -> Iterator[Enclosure | None]:
    length = next((node.text() for node in told.get("itunes:duration", ())), "")
    for node in told.get("enclosure", ()):
        given = node.attributes
        yield enclosure(
            given.get("url") or given.get("rdf:resource"), base, given.get("type", ""), given.get("length", ""), length
        )
    for node in links_of(told, "enclosure"):
        given = node.attributes
        yield enclosure(given["href"], base, given.get("type", ""), given.get("length", ""), length)
    groups = [told, *(children(group) for group in told.get("media:group", ()))]
    for group in groups:
        for node in group.get("media:content", ()):
            given = node.attributes
            kind = given.get("type") or given.get("medium", "")
            yield enclosure(given.get("url"), base, kind, given.get("filesize", ""), given.get("duration", ""))
            for inner in children(node).get("media:thumbnail", ()):
                yield enclosure(inner.attributes.get("url"), base, "image")
        for node in group.get("media:thumbnail", ()):
            yield enclosure(node.attributes.get("url"), base, "image")
    for node in told.get("itunes:image", ()):
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
    """What a document is by its root element; empty if it is no feed."""
    if root.name == "rss":
        version = _VERSION.fullmatch(root.attributes.get("version", ""))
        return f"rss {version[0]}" if version else "rss"
    if root.name == "rdf:rdf":
        return "rdf"
    if root.name in {"atom:feed", "feed", "atom:entry", "entry"}:
        return "atom"
    return "rss" if root.name == "channel" else ""


def of_tree(root: XmlNode, base: str, now: datetime | None, more: tuple[XmlNode, ...] = ()) -> Feed:
    """Return a feed from its tree.

    Args:
        root: the root element.
        base: the address the feed came from.
        now: for telling dates in the future.
        more: further entries, where they had to be read apart from the tree.
    """
    kind = kind_of(root)
    if not kind:
        return Feed("", problems=(SourceProblem(ProblemKind.UNKNOWN_FORMAT, f"the document is a {root.name[:40]}"),))
    head = next((node for node in root.children if node.name == "channel"), root)
    told = children(head)
    if head is not root:
        for name, nodes in children(root).items():  # RDF, and broken RSS, have entries and image beside the channel
            told.setdefault(name, []).extend(nodes)
    base = based(head, based(root, base))
    named = first(told, ("language", "dc:language", "atom:language"))
    language = named.text() if named else head.attributes.get("xml:lang") or root.attributes.get("xml:lang", "")
    language = language.strip()[:35]
    around = Around(base, language, reader(language, now))
    nodes = [node for name in ENTRIES for node in told.get(name, ())] if root.name not in ENTRIES else [root]
    nodes += more
    whole, bad = each_entry(nodes[:MOST_ITEMS], lambda node: entry(node, around))
    items, problems = settled(whole)
    problems = bad + problems
    if len(nodes) > MOST_ITEMS:
        problems += (SourceProblem(ProblemKind.TOO_MANY, f"{len(nodes):,}; the first {MOST_ITEMS:,} were read"),)
    return _described(kind, told, around, items, problems)


def _described(
    kind: str, told: Children, around: Around, items: tuple[Link, ...], problems: tuple[SourceProblem, ...]
) -> Feed:
    base = around.base
    home = first(told, ("link",))
    following = next(iter(links_of(told, "next") or links_of(told, "prev-archive")), None)
    itself = next(iter(links_of(told, "self")), None)
    moved = first(told, ("itunes:new-feed-url",))
    ended = first(told, ("itunes:complete",))
    return Feed(
        kind=kind,
        title=words(first(told, ("title", "atom:title", "dc:title"))),
        description=words(first(told, ("description", "atom:subtitle", "subtitle", "atom:tagline", "itunes:summary"))),
        language=around.language,
        home=canonical(home.text() if home else alternate(told), base) or "",
        image=_image(told, base),
        items=items,
        problems=problems,
        updated=moment(
            told, ("lastbuilddate", "atom:updated", "updated", "pubdate", "dc:date", "atom:modified"), around.when
        ),
        schedule=_schedule(told),
        hubs=tuple(address for link in links_of(told, "hub") if (address := canonical(link.attributes["href"], base))),
        itself=(canonical(itself.attributes["href"], base) or "") if itself else "",
        next_page=(canonical(following.attributes["href"], base) or "") if following else "",
        moved_to=canonical(moved.text(), base) or "" if moved else "",
        ended=ended is not None and ended.text().lower() in {"yes", "true"},
    )


def _image(told: Children, base: str) -> str:
    for node in told.get("image", ()):
        address = first(children(node), ("url",))
        if address and (found := canonical(address.text(), base)):
            return found
    for name, attribute in (("itunes:image", "href"), ("atom:logo", ""), ("atom:icon", ""), ("logo", ""), ("icon", "")):
        for node in told.get(name, ()):
            found = canonical(node.attributes.get(attribute) if attribute else node.text(), base)
            if found:
                return found
    return ""


def _schedule(told: Children) -> Schedule:
    interval = None
    if lives := _small_number(first(told, ("ttl",))):
        interval = timedelta(minutes=lives)
    period = first(told, ("sy:updateperiod",))
    if period and (length := _PERIODS.get(period.text().lower())):
        interval = length / (_small_number(first(told, ("sy:updatefrequency",))) or 1)
    hours = (_small_number(hour) for node in told.get("skiphours", ()) for hour in node.children)
    days = (_DAYS.get(day.text().lower()) for node in told.get("skipdays", ()) for day in node.children)
    return Schedule(
        interval,
        frozenset(hour % 24 for hour in hours if hour is not None and hour <= 24),
        frozenset(day for day in days if day is not None),
    )


def _small_number(node: XmlNode | None) -> int | None:
    text = node.text() if node else ""
    return int(text) if text.isdecimal() and len(text) < 8 else None
