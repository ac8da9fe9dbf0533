"""Sitemaps: lists of pages, lists of lists, and the extension for news (sitemaps.org, Google's news sitemaps).

XML, plain text with an address a line, and feeds, which the protocol allows too; packed by gzip or not. Nothing is
fetched: `Walk` says what to fetch next, each once, so that an index that names itself or a cycle of them ends
(HOSTILE 14).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from tidings.sources.addresses import canonical, key
from tidings.sources.body import body
from tidings.sources.dates import Reader, reader
from tidings.sources.feeds.entry import enclosure, files_once, once
from tidings.sources.feeds.xml_feed import Children, children, first, kind_of, moment, of_tree, words
from tidings.sources.link import Link, Origin, ProblemKind, SourceProblem
from tidings.sources.xml_tree import read_xml

#: The protocol allows 50 MB and 50,000 addresses.
LARGEST: Final = 50 * 1024 * 1024
MOST: Final = 50_000
_ROBOTS: Final = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S{1,4000})", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The pages and the further sitemaps that one sitemap names."""

    pages: tuple[Link, ...] = ()
    sitemaps: tuple[str, ...] = ()
    problems: tuple[SourceProblem, ...] = ()


def read_sitemap(data: bytes | str, url: str = "", *, now: datetime | None = None, largest: int = LARGEST) -> Sitemap:
    """Return a sitemap from what a server sent; what cannot be read is among its problems."""
    found = body(data, None, largest)
    if not found.text:
        return Sitemap(problems=found.problems)
    text = found.text.lstrip()
    sitemap = _of_xml(text, url, now) if text.startswith("<") else _of_lines(text, url)
    return replace(sitemap, problems=found.problems + sitemap.problems)


def robots_sitemaps(robots: str, url: str = "") -> tuple[str, ...]:
    """Return the sitemaps that a robots.txt names (RFC 9309 leaves the line to the sitemap protocol)."""
    found = (canonical(match[1], url) for match in _ROBOTS.finditer(robots[:1_000_000]))
    return tuple(dict.fromkeys(address for address in found if address))


def _of_xml(text: str, url: str, now: datetime | None) -> Sitemap:
    tree = read_xml(text)
    root = tree.root
    if root is None:
        return Sitemap(problems=tree.problems)
    if kind_of(root):
        feed = of_tree(root, url, now)
        return Sitemap(feed.items, (), tree.problems + feed.problems)
    problems = tree.problems
    entries = [node for node in root.children if node.name in {"url", "sitemap"}]
    if root.name not in {"urlset", "sitemapindex"} and not entries:
        return Sitemap(
            problems=(*problems, SourceProblem(ProblemKind.UNKNOWN_FORMAT, f"the document is a {root.name[:40]}"))
        )
    if len(entries) > MOST:
        problems += (SourceProblem(ProblemKind.TOO_MANY, f"{len(entries):,}; the first {MOST:,} were read"),)
    when = reader("", now)
    pages: list[Link] = []
    inner: dict[str, None] = {}
    without = 0
    for node in entries[:MOST]:
        told = children(node)
        place = first(told, ("loc",))
        address = canonical(place.text() if place else None, url)
        if address is None:
            without += 1
        elif node.name == "sitemap":
            inner[address] = None
        else:
            pages.append(_page(told, address, url, when))
    if without:
        problems += (SourceProblem(ProblemKind.NO_ADDRESS, str(without)),)
    return Sitemap(tuple(pages), tuple(inner), problems)


def _page(told: Children, address: str, url: str, when: Reader) -> Link:
    place = first(told, ("loc",))
    news = children(told["news:news"][0]) if "news:news" in told else {}
    publication = children(news["news:publication"][0]) if "news:publication" in news else {}
    keywords = words(first(news, ("news:keywords", "news:genres")))
    return Link(
        address=address,
        origin=Origin.SITEMAP,
        title=words(first(news, ("news:title",))),
        said=place.text() if place else "",
        published=moment(news, ("news:publication_date",), when),
        updated=moment(told, ("lastmod",), when),
        categories=once(keywords.split(",")) if keywords else (),
        enclosures=files_once(enclosure(one, url, "image") for one in _pictures(told)) if "image:image" in told else (),
        language=words(first(publication, ("news:language",))),
        publisher=words(first(publication, ("news:name",))),
    )


def _pictures(told: Children) -> Iterable[str]:
    for image in told["image:image"]:
        place = first(children(image), ("image:loc",))
        if place is not None:
            yield place.text()


def _of_lines(text: str, url: str) -> Sitemap:
    """Return a sitemap in plain text: an address a line."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    found = {line: address for line in lines[:MOST] if line[:4].lower() == "http" and (address := canonical(line, url))}
    if not found:
        return Sitemap(problems=(SourceProblem(ProblemKind.UNKNOWN_FORMAT, "neither XML nor a list of addresses"),))
    problems: tuple[SourceProblem, ...] = ()
    if len(lines) > MOST:
        problems = (SourceProblem(ProblemKind.TOO_MANY, f"{len(lines):,}; the first {MOST:,} were read"),)
    return Sitemap(tuple(Link(address, Origin.SITEMAP, said=line) for line, address in found.items()), (), problems)


@dataclass(frozen=True, slots=True)
class Walk:
    """A way through the sitemaps of a site: what to fetch next, what was seen, and how far it may go.

    A value: `step` gives the walk after a sitemap was read. Sitemaps of news come first: the stories of today are in
    them.
    """

    waiting: tuple[str, ...]
    seen: frozenset[str] = frozenset()
    depths: tuple[tuple[str, int], ...] = field(default=())
    most: int = 500
    deepest: int = 4

    @classmethod
    def start(cls, addresses: Iterable[str], most: int = 500, deepest: int = 4) -> Walk:
        """Return a walk from the sitemaps that robots.txt or a guess names."""
        return cls((), most=most, deepest=deepest)._with(addresses, 0)

    @property
    def next(self) -> str | None:
        """The address to fetch, None at the end."""
        return self.waiting[0] if self.waiting else None

    def step(self, sitemap: Sitemap) -> Walk:
        """Return the walk after the next sitemap was read, or could not be."""
        if not self.waiting:
            return self
        depth = dict(self.depths).get(self.waiting[0], 0) + 1
        rest = replace(self, waiting=self.waiting[1:])
        return rest._with(sitemap.sitemaps, depth) if depth <= self.deepest else rest

    def _with(self, addresses: Iterable[str], depth: int) -> Walk:
        seen, fresh = set(self.seen), []
        for address in addresses:
            if key(address) not in seen and len(seen) < self.most:
                seen.add(key(address))
                fresh.append(address)
        waiting = sorted((*self.waiting, *fresh), key=lambda address: "news" not in address.lower())
        return replace(
            self,
            waiting=tuple(waiting),
            seen=frozenset(seen),
            depths=(*self.depths, *((address, depth) for address in fresh)),
        )
