"""Feeds that a page offers, the likeliest first."""

from __future__ import annotations

import pytest

from tidings import newspaper
from tidings.page import Page
from tidings.sources import discover

HEAD = """<html><head><base href="/site/">
<link rel="stylesheet" type="text/css" href="x.css">
<link rel="alternate" type="application/rss+xml" href="/comments/feed/" title="Comments">
<link rel="alternate" type="application/rss+xml; charset=utf-8" href="feed" title="All &amp; everything">
<link rel="feed" type="application/atom+xml" href="https://a.example/atom.xml">
<link rel="alternate" type="application/feed+json" href="/feed.json">
<link rel="alternate" type="application/json" href="/wp-json/wp/v2/pages/1">
<link rel="alternate" type="text/xml+oembed" href="/oembed?x">
<link rel="alternate" hreflang="de" href="/de/"></head>
<body><a href="/rss/sport.xml">Sport RSS</a> <a href="/feedback">Feedback</a> <a href="https://feeds.b.example/rss">b</a>
<a href="javascript:rss()">no</a> <a href="/story/new-rss-reader">A new reader of feeds is here</a></body></html>"""


def test_the_order_of_likelihood() -> None:
    offers = discover(Page(HEAD, "https://a.example/x"))
    told = [offer.address for offer in offers if not offer.guess]
    assert told == [
        "https://a.example/site/feed",
        "https://a.example/atom.xml",
        "https://a.example/feed.json",
        "https://a.example/comments/feed/",
        "https://a.example/rss/sport.xml",
        "https://feeds.b.example/rss",
    ]
    assert offers[0].title == "All & everything"
    assert [offer.kind for offer in offers[:3]] == ["rss", "atom", "json"]
    guesses = [offer for offer in offers if offer.guess]
    assert guesses
    assert offers[-len(guesses) :] == tuple(guesses)
    assert discover(Page(HEAD, "https://a.example/x"), guesses=False) == offers[: -len(guesses)]


@pytest.mark.parametrize("page", list(newspaper.pages(page_type="front")), ids=lambda one: one.id)
def test_the_front_pages_of_the_newspaper_name_their_feeds(page: newspaper.SamplePage) -> None:
    held = Page(page.html, page.url)
    feeds = {source.url for source in newspaper.sources() if source.outlet == page.outlet}
    offered = {offer.address for offer in discover(held, guesses=False)}
    if "alternate" in held.source:
        assert offered & feeds


def test_without_an_address_only_absolute_feeds_are_found() -> None:
    assert [offer.address for offer in discover(Page(HEAD.replace('<base href="/site/">', "")))] == [
        "https://a.example/atom.xml",
        "https://feeds.b.example/rss",
    ]
