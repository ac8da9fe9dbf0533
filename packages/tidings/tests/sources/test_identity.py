"""Nothing lost, nothing twice (HOSTILE 21)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tidings.sources import Enclosure, Link, Origin, SourceDate, aliases, canonical, identity, read_feed, same
from tidings.sources.dates import read_when


def link(address: str, **more: object) -> Link:
    return replace(Link(canonical(address) or "", Origin.FEED), **more)  # type: ignore[arg-type]  # fields by name


def test_neither_guid_nor_title_makes_one_article_two() -> None:
    first = link("https://a.example/news/seals?utm_source=rss", guid="1", title="Seals return")
    for other in (
        link("https://a.example/news/seals", guid="2", title="Seals return"),
        link("http://www.a.example/news/seals/?fbclid=x", guid="", title="UPDATE: Nine seals counted"),
        link("https://m.a.example/news/seals?cmpid=feed", guid="1", title=""),
    ):
        assert identity(first) == identity(other)
        assert same(first, other)


def test_a_repeated_guid_makes_two_articles_not_one() -> None:
    first = link("https://a.example/news/seals", guid="same", title="Seals return to the estuary")
    second = link("https://a.example/news/bridge", guid="same", title="Harbour Bridge reopens after two years")
    assert identity(first) != identity(second)
    assert not same(first, second)


def test_an_edited_address_is_found_by_its_guid() -> None:
    when = read_when("Mon, 16 Mar 2026 10:00:00 GMT")
    first = link("https://a.example/news/123-seals", guid="g1", title="Seals return to the estuary", published=when)
    edited = link("https://a.example/news/123-nine-seals", guid="g1", title="Nine seals return to the estuary")
    renamed = link(
        "https://a.example/news/123-x",
        guid="g1",
        title="Wholly new words",
        published=read_when("2026-03-16T11:00:00+01:00"),
    )
    assert aliases(first) == aliases(edited)
    assert same(first, edited)
    assert same(first, renamed)
    elsewhere = replace(edited, canonical_url="https://b.example/news/123-nine-seals")
    assert not same(first, elsewhere)  # a GUID is a site's own


def test_entries_without_an_address_of_their_own() -> None:
    show = [link("https://a.example/show", guid=f"ep{at}", title=f"Part {at}", has_own_url=False) for at in range(3)]
    assert len(set(map(identity, show))) == 3
    files = [link("", enclosures=(Enclosure(f"https://a.example/{at}.mp3"),)) for at in range(2)]
    assert len(set(map(identity, files))) == 2
    untitled = [link("", title=title, published=SourceDate("today", None)) for title in ("One", "Two")]
    assert len(set(map(identity, untitled))) == 2


def test_the_same_article_in_five_feeds() -> None:
    marks = ("utm_source=a", "fbclid=b&utm_medium=c", "xtor=RSS-1", "at_medium=RSS", "wt_mc=x.y")
    feeds = [
        read_feed(
            f"<rss><channel><item><title>T {mark}</title><guid>{mark}</guid>"
            f"<link>https://a.example/x?{mark}</link></item></channel></rss>".replace("&", "&amp;")
        )
        for mark in marks
    ]
    assert len({identity(feed.items[0]) for feed in feeds}) == 1


texts = st.sampled_from(["", "a", "b", "Seals return", "Nine seals return"])
links = st.builds(
    lambda address, guid, title, own: link(address, guid=guid, title=title, has_own_url=own),
    st.sampled_from(
        ["", "https://a.example/", "https://a.example/x", "https://a.example/y?id=1", "https://b.example/x"]
    ),
    texts,
    texts,
    st.booleans(),
)


@given(links, links)
def test_sameness_is_mutual_and_reflexive(first: Link, second: Link) -> None:
    assert same(first, first)
    assert same(first, second) == same(second, first)
    assert identity(first)
    if identity(first) == identity(second):
        assert same(first, second)
