"""From bytes to a feed (N-EXT 4.1.1: title, date and address of each story; here with all else that feeds tell).

Well-formed feeds, nearly all, are read by expat and our own reading of its tree, in a quarter of feedparser's time; the
others entry by entry (`recovery`). Nothing raises: what is wrong with a feed is in
`Feed.problems`, for the feed may be well again at the next poll.
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
from tidings.sources.feeds import json_feed
from tidings.sources.feeds.feed import Feed
from tidings.sources.feeds.recovery import recover
from tidings.sources.feeds.xml_feed import kind_of, of_tree
from tidings.sources.problem import ProblemKind, SourceProblem
from tidings.sources.xml_tree import read_xml

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
    """A feed from what a server sent.

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
    if json_feed.looks_like(text):
        return json_feed.of_json(text, url, now)
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
