"""Which object of the structured data is the story."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tidings.fields.declared import address, declared, is_same_url, text, texts
from tidings.page import Page

HERE = "https://example.org/news/seals"


def page_of(*things: Any, head: str = "", url: str = HERE) -> Page:
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(thing)}</script>' for thing in things)
    return Page(f"<html><head><title>Seals return | Example</title>{head}{scripts}</head><p>x", url)


def story(*things: Any, **more: Any) -> Any:
    return dict(declared(page_of(*things, **more)).story)


def test_one_story_is_taken_at_its_word() -> None:
    other = {"@type": "NewsArticle", "url": "https://syndication.example/1", "headline": "Something else"}
    assert story(other) == other


def test_of_several_the_one_at_this_address() -> None:
    here = {"@type": "NewsArticle", "mainEntityOfPage": {"@id": "http://www.example.org/news/seals/?a=1#x"}}
    teaser = {"@type": "NewsArticle", "url": "https://example.org/news/other", "headline": "Other"}
    assert story(teaser, here, teaser) == here


def test_of_several_the_one_with_this_headline() -> None:
    here = {"@type": ["Thing", "BlogPosting"], "headline": "Seals &amp; return".replace(" &amp;", "")}
    teaser = {
        "@type": "NewsArticle",
        "url": "https://example.org/news/other",
        "headline": "Other",
        "datePublished": "1",
    }
    assert story(teaser, here) == here


def test_a_list_of_other_stories_is_no_story() -> None:
    teasers = [{"@type": "NewsArticle", "url": f"https://example.org/{n}", "headline": f"Story {n}"} for n in range(3)]
    found = declared(page_of(*teasers))
    assert (dict(found.story), found.of_others) == ({}, True)


def test_a_story_inside_its_page() -> None:
    inner = {"@type": "Article", "headline": "Seals return"}
    assert story({"@type": "WebPage", "mainEntity": inner}) == inner


def test_references_are_followed() -> None:
    graph = {
        "@graph": [
            {"@type": "Article", "publisher": {"@id": "#site"}, "author": [{"@id": "#a"}, {"@id": "#none"}]},
            {"@type": "Organization", "@id": "#site", "name": "Example"},
            {"@type": "Person", "@id": "#a", "name": "Mara"},
        ]
    }
    found = declared(page_of(graph))
    assert text(found.get("publisher")) == "Example"
    assert texts(found.get("author")) == ("Mara",)


def test_a_circle_of_references_ends() -> None:
    found = declared(page_of({"@type": "Article", "@id": "#a", "author": {"@id": "#a"}, "mainEntity": {"@id": "#a"}}))
    assert text(found.get("author")) == ""


def test_microdata_serves_where_there_is_no_json_ld() -> None:
    html = '<main itemscope itemtype="https://schema.org/Article"><h1 itemprop="headline">Seals</h1></main>'
    found = declared(Page(html))
    assert (text(found.get("headline")), found.by("headline")) == ("Seals", "microdata headline")


def test_of_several_stories_in_microdata_none_with_another_headline_is_it() -> None:
    stories = "".join(
        f'<div itemscope itemtype="https://schema.org/BlogPosting"><h2 itemprop="headline">{one}</h2></div>'
        for one in ("Seals", "Tides")
    )
    others = declared(Page(f"<title>Herring</title><h1>Herring</h1>{stories}"))
    assert (others.story, others.of_others) == ({}, True)
    assert text(declared(Page(f"<title>Tides</title>{stories}")).get("headline")) == "Tides"


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("a  b", "a b"),
        (["a", "b"], "a"),
        ({"name": "a"}, "a"),
        ([{"@value": "a"}], "a"),
        ("Tom &amp; <b>Mara</b>", "Tom & Mara"),
        (3, ""),
        (None, ""),
        ([], ""),
        ([[[[[["a"]]]]]], ""),
    ],
)
def test_values_as_lines(value: Any, line: str) -> None:
    assert text(value) == line


def test_addresses() -> None:
    assert address([{"@type": "ImageObject", "url": ["https://example.org/a.jpg"]}]) == "https://example.org/a.jpg"
    assert is_same_url("https://www.example.org/a/?x#y", "http://example.org/a")
    assert not is_same_url("https://example.org/a", "https://example.org/b")
    assert not is_same_url("", "")
    assert not is_same_url("http://[::1", "http://example.org")
