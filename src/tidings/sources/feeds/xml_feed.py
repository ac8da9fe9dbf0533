"""RSS, RDF and Atom documents: what the feed says of itself, and its entries."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from tidings.sources.addresses import canonical
from tidings.sources.feeds.entry import MOST_ITEMS, each_entry, settled
from tidings.sources.feeds.feed import Feed, Schedule
from tidings.sources.feeds.xml_entries import (
    Around,
    Children,
    alternate,
    based,
    children,
    entry,
    first,
    links_of,
    moment,
    words,
)
from tidings.sources.link import Link
from tidings.sources.problem import ProblemKind, SourceProblem
from tidings.sources.when import reader
from tidings.sources.xml_tree import XmlNode

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
    """A feed from its tree.

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
