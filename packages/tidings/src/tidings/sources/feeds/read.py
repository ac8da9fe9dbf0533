"""Reading of feeds (N-EXT 4.1.1: title, date and address of each article; here with all other metadata).

Well-formed feeds, nearly all, are parsed by expat and our own code, in a quarter of feedparser's time. Others are read
entry by entry (`recovery`). No exceptions are raised: problems are in `Feed.problems`, because the next poll may
succeed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from tidings.errors import PageError
from tidings.page import Page
from tidings.sources.body import LARGEST, body
from tidings.sources.discovery import discover
from tidings.sources.feeds.feed import Feed
from tidings.sources.feeds.json_feed import looks_like, of_json
from tidings.sources.feeds.recovery import recover
from tidings.sources.feeds.xml_feed import kind_of, of_tree
from tidings.sources.problems import ProblemKind, SourceProblem
from tidings.sources.xml_tree import read_xml

_FEED: Final = re.compile(r"<(?:[\w.\-]{1,40}:)?(?:rss|rdf|feed|channel|entry)[\s>]", re.IGNORECASE)
_WEB_PAGE: Final = re.compile(r"<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]", re.IGNORECASE)
#: Characters in which the root element is searched for, because comments may come first.
_BEGINNING: Final = 20_000


def read_feed(
    data: bytes | str,
    url: str = "",
    content_type: str | None = None,
    *,
    now: datetime | None = None,
    largest: int = LARGEST,
) -> Feed:
    """Parse a feed from the body of a response.

    Args:
        data: the body, optionally gzip-compressed.
        url: the feed's URL, the base of relative URLs.
        content_type: the HTTP header, for its charset. The kind of document is detected from the content.
        now: the time of the poll, to mark dates in the future.
        largest: limit of bytes; of a longer feed the first entries are read.
    """
    decoded = body(data, content_type, largest)
    if not decoded.text:
        return Feed("", problems=decoded.problems)
    feed = _of_text(decoded.text, url, now)
    return replace(feed, problems=decoded.problems + feed.problems)


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
