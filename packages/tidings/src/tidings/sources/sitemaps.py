"""Sitemaps: lists of pages, indexes of sitemaps, and the news extension (sitemaps.org, Google News sitemaps).

Supported are XML, plain text with one URL per line, and feeds, which the protocol also allows; optionally
gzip-compressed. Nothing is fetched: `Walk` says what to fetch next, each sitemap once, so that self-references and
cycles end (HOSTILE 14).
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
from tidings.sources.feeds.entry import distinct_files, distinct_texts, enclosure
from tidings.sources.feeds.xml_feed import Children, children, first, kind_of, moment, of_tree, words
from tidings.sources.link import Link, Origin
from tidings.sources.problems import ProblemKind, SourceProblem
from tidings.sources.xml_tree import read_xml

#: The protocol allows 50 MB and 50,000 URLs.
LARGEST: Final = 50 * 1024 * 1024
MOST: Final = 50_000
_ROBOTS: Final = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S{1,4000})", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The pages in a sitemap, and the further sitemaps that it lists."""

    pages: tuple[Link, ...] = ()
    sitemaps: tuple[str, ...] = ()
    problems: tuple[SourceProblem, ...] = ()


def read_sitemap(data: bytes | str, url: str = "", *, now: datetime | None = None, largest: int = LARGEST) -> Sitemap:
    """Parse a sitemap. Invalid parts are skipped and reported in its problems.

    Args:
        data: the sitemap as XML or as plain text, possibly compressed with gzip.
        url: the URL of the sitemap.
        now: the current time, after which dates are reported as future; None for no such check.
        largest: the maximum size in bytes; the rest is ignored.
    """
    decoded = body(data, None, largest)
    if not decoded.text:
        return Sitemap(problems=decoded.problems)
    text = decoded.text.lstrip()
    sitemap = _of_xml(text, url, now) if text.startswith("<") else _of_lines(text, url)
    return replace(sitemap, problems=decoded.problems + sitemap.problems)


def robots_sitemaps(robots: str, url: str = "") -> tuple[str, ...]:
    """Return the sitemaps in a robots.txt (a line of the sitemap protocol; RFC 9309 allows it)."""
    urls = (canonical(match[1], url) for match in _ROBOTS.finditer(robots[:1_000_000]))
    return tuple(dict.fromkeys(address for address in urls if address))


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
        by_name = children(node)
        place = first(by_name, ("loc",))
        address = canonical(place.text() if place else None, url)
        if address is None:
            without += 1
        elif node.name == "sitemap":
            inner[address] = None
        else:
            pages.append(_page(by_name, address, url, when))
    if without:
        problems += (SourceProblem(ProblemKind.NO_ADDRESS, str(without)),)
    return Sitemap(tuple(pages), tuple(inner), problems)


def _page(by_name: Children, address: str, url: str, when: Reader) -> Link:
    place = first(by_name, ("loc",))
    news = children(by_name["news:news"][0]) if "news:news" in by_name else {}
    publication = children(news["news:publication"][0]) if "news:publication" in news else {}
    keywords = words(first(news, ("news:keywords", "news:genres")))
    return Link(
        canonical_url=address,
        origin=Origin.SITEMAP,
        title=words(first(news, ("news:title",))),
        declared_url=place.text() if place else "",
        published=moment(news, ("news:publication_date",), when),
        updated=moment(by_name, ("lastmod",), when),
        categories=distinct_texts(keywords.split(",")) if keywords else (),
        enclosures=distinct_files(enclosure(image_url, url, "image") for image_url in _pictures(by_name))
        if "image:image" in by_name
        else (),
        language=words(first(publication, ("news:language",))),
        publisher=words(first(publication, ("news:name",))),
    )


def _pictures(by_name: Children) -> Iterable[str]:
    for image in by_name["image:image"]:
        place = first(children(image), ("image:loc",))
        if place is not None:
            yield place.text()


def _of_lines(text: str, url: str) -> Sitemap:
    """Parse a plain text sitemap: one URL per line."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    url_by_line = {
        line: address for line in lines[:MOST] if line[:4].lower() == "http" and (address := canonical(line, url))
    }
    if not url_by_line:
        return Sitemap(problems=(SourceProblem(ProblemKind.UNKNOWN_FORMAT, "neither XML nor a list of addresses"),))
    problems: tuple[SourceProblem, ...] = ()
    if len(lines) > MOST:
        problems = (SourceProblem(ProblemKind.TOO_MANY, f"{len(lines):,}; the first {MOST:,} were read"),)
    return Sitemap(
        tuple(Link(address, Origin.SITEMAP, declared_url=line) for line, address in url_by_line.items()),
        (),
        problems,
    )


@dataclass(frozen=True, slots=True)
class Walk:
    """An immutable walk through a site's sitemaps: the queue, the visited URLs and the limits.

    `step` returns the walk after a sitemap was read. News sitemaps come first, because they contain today's articles.
    """

    waiting: tuple[str, ...]
    queued_keys: frozenset[str] = frozenset()
    depths: tuple[tuple[str, int], ...] = field(default=())
    most: int = 500
    deepest: int = 4

    @classmethod
    def start(cls, addresses: Iterable[str], most: int = 500, deepest: int = 4) -> Walk:
        """Start a walk through the sitemaps of a site.

        Args:
            addresses: the URLs of the first sitemaps, from robots.txt or guessed.
            most: the maximum number of sitemaps.
            deepest: the maximum depth of nested sitemaps.
        """
        return cls((), most=most, deepest=deepest)._with(addresses, 0)

    @property
    def next(self) -> str | None:
        """Return the URL to fetch; None at the end."""
        return self.waiting[0] if self.waiting else None

    def step(self, sitemap: Sitemap) -> Walk:
        """Return the walk after the current sitemap was read or has failed."""
        if not self.waiting:
            return self
        depth = dict(self.depths).get(self.waiting[0], 0) + 1
        rest = replace(self, waiting=self.waiting[1:])
        return rest._with(sitemap.sitemaps, depth) if depth <= self.deepest else rest

    def _with(self, addresses: Iterable[str], depth: int) -> Walk:
        queued_keys, fresh = set(self.queued_keys), []
        for address in addresses:
            if key(address) not in queued_keys and len(queued_keys) < self.most:
                queued_keys.add(key(address))
                fresh.append(address)
        waiting = sorted((*self.waiting, *fresh), key=lambda address: "news" not in address.lower())
        return replace(
            self,
            waiting=tuple(waiting),
            queued_keys=frozenset(queued_keys),
            depths=(*self.depths, *((address, depth) for address in fresh)),
        )
