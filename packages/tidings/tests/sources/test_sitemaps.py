"""Sitemaps, and the way through them (HOSTILE 8, 13, 14)."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.sources import Origin, ProblemKind, Sitemap, Walk, read_sitemap, robots_sitemaps

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'


def test_the_news_sitemap_of_the_newspaper() -> None:
    source = next(one for one in newspaper.sources() if one.kind == "sitemap")
    sitemap = read_sitemap(source.content, source.url)
    stories = {page.url: page for page in newspaper.pages("gazette") if page.page_type != "front"}
    assert {link.canonical_url for link in sitemap.pages} <= set(stories)
    assert len(sitemap.pages) == 9
    for link in sitemap.pages:
        assert link.origin is Origin.SITEMAP
        assert link.title == stories[link.canonical_url].gold["title"]
        assert link.publisher == "The Harbour Gazette"


def test_index_urlset_and_extensions() -> None:
    text = (
        f"<urlset {NS}><url><loc> https://a.example/1?utm_source=x </loc><lastmod>2026-03-16</lastmod>"
        "<image:image><image:loc>/p.png"
        "</image:loc></image:image><news:news><news:publication><news:name>A</news:name><news:language>en</news:language>"
        "</news:publication><news:publication_date>2026-03-15T10:00Z</news:publication_date><news:title>T</news:title>"
        "<news:keywords>x, y</news:keywords></news:news></url><url><loc>ftp://no</loc></url></urlset>"
    )
    sitemap = read_sitemap(gzip.compress(text.encode()), "https://a.example/s.xml.gz")
    (link,) = sitemap.pages
    assert (link.canonical_url, link.title, link.language, link.categories) == (
        "https://a.example/1",
        "T",
        "en",
        ("x", "y"),
    )
    assert link.published is not None
    assert link.updated is not None
    assert link.enclosures[0].address == "https://a.example/p.png"
    assert [problem.trouble for problem in sitemap.problems] == [ProblemKind.NO_ADDRESS]
    index = read_sitemap(f"<sitemapindex {NS}><sitemap><loc>https://a.example/s1.xml</loc></sitemap></sitemapindex>")
    assert index.sitemaps == ("https://a.example/s1.xml",)


def test_plain_text_and_feeds() -> None:
    assert [
        link.canonical_url
        for link in read_sitemap(b"\xef\xbb\xbfhttps://a.example/1\n\n# no\nhttps://a.example/2\r\n").pages
    ] == [
        "https://a.example/1",
        "https://a.example/2",
    ]
    feed = "<rss><channel><item><link>https://a.example/1</link></item></channel></rss>"
    assert read_sitemap(feed).pages[0].canonical_url == "https://a.example/1"


def test_a_bomb_stops_at_the_cap() -> None:
    bomb = gzip.compress(b"<urlset>" + b"<url><loc>https://a.example/1</loc></url>" * 300_000)
    sitemap = read_sitemap(bomb, largest=200_000)
    assert ProblemKind.TOO_LARGE in {problem.trouble for problem in sitemap.problems}
    assert 4000 < len(sitemap.pages) < 6000


def test_an_index_that_names_itself_and_a_cycle_are_visited_once() -> None:
    site = {
        "https://a.example/a.xml": (
            "https://a.example/a.xml",
            "https://a.example/b.xml",
            "http://www.a.example/a.xml?utm_source=x",
        ),
        "https://a.example/b.xml": ("https://a.example/a.xml", "https://a.example/news.xml", "https://a.example/c.xml"),
        "https://a.example/c.xml": ("https://a.example/b.xml",),
        "https://a.example/news.xml": (),
    }
    walk, visited = Walk.start(["https://a.example/a.xml"]), []
    while (address := walk.next) is not None:
        visited.append(address)
        walk = walk.step(Sitemap(sitemaps=site[address]))
    assert sorted(visited) == sorted(site)
    assert visited.index("https://a.example/news.xml") < visited.index("https://a.example/c.xml")


def test_a_walk_ends_however_many_sitemaps_are_named() -> None:
    walk, steps = Walk.start(["https://a.example/0"], most=50, deepest=3), 0
    while walk.next is not None:
        walk = walk.step(Sitemap(sitemaps=tuple(f"https://a.example/{steps}/{at}" for at in range(1000))))
        steps += 1
    assert steps == 50
    walk, steps = Walk.start(["https://a.example/0"], deepest=3), 0
    while walk.next is not None:
        steps += 1
        walk = walk.step(Sitemap(sitemaps=(f"https://a.example/deeper/{steps}",)))
    assert steps == 4


@pytest.mark.parametrize("reference", ["&#1114112;", "&#xd800;", "&#99999999999999999999;", "&#0;"])
def test_a_reference_to_no_character_costs_that_character(reference: str) -> None:
    """HOSTILE 34."""
    news = f"<news:news><news:title>Sto{reference}ry</news:title></news:news>"
    rows = "".join(f"<url><loc>https://a.example/{at}{reference * (at == 1)}</loc>{news}</url>" for at in range(3))
    sitemap = read_sitemap(f'<urlset xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">{rows}</urlset>')
    assert [link.canonical_url for link in sitemap.pages] == [f"https://a.example/{at}" for at in range(3)]
    assert {link.title for link in sitemap.pages} == {"Story"}


def test_lines_of_robots_txt() -> None:
    text = "User-agent: *\nDisallow: /\n  SiteMap : https://a.example/s.xml \nSitemap: /rel.xml\n"
    text += "Sitemap:https://a.example/s.xml\n#Sitemap: x"
    assert robots_sitemaps(text, "https://a.example/robots.txt") == (
        "https://a.example/s.xml",
        "https://a.example/rel.xml",
    )


def test_what_is_none_says_so() -> None:
    for data in (b"", b"<html><body>no</body></html>", b"no", b"<urlset", b"\0\0", b"%PDF-1"):
        sitemap = read_sitemap(data)
        assert not sitemap.pages
        assert sitemap.problems


@given(st.binary(max_size=200))
def test_bytes_never_raise(data: bytes) -> None:
    read_sitemap(data)
    read_sitemap(b"<urlset><url><loc>" + data)
