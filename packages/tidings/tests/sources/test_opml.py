"""Lists of feeds, in and out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.sources import OpmlFeed, ProblemKind, read_opml, write_opml
from tidings.text import fold_space


def test_the_list_of_the_newspaper() -> None:
    source = next(one for one in newspaper.sources() if one.kind == "opml")
    listed = read_opml(source.content, source.url)
    assert listed.problems == ()
    feeds = {one.url for one in newspaper.sources() if one.kind not in {"opml", "sitemap"}}
    assert {feed.address for feed in listed.feeds} == feeds
    assert read_opml(write_opml(listed.feeds, listed.title)) == listed


def test_folders_and_attributes() -> None:
    listed = read_opml(
        '<opml version="1.0"><head><title>Mine</title></head><body><outline text="News"><outline title="Near"><outline '
        'text="A &amp; B" xmlUrl="http://a.example/rss?utm_source=x" htmlUrl="http://a.example" type="rss" '
        'category="/x"/></outline>'
        '<outline text="no address" xmlUrl="javascript:alert(1)"/></outline><outline XMLURL="http://b.example/f"/></body></opml>'
    )
    assert listed.title == "Mine"
    assert [feed.folder for feed in listed.feeds] == [("News", "Near"), ()]
    assert listed.feeds[0].address == "http://a.example/rss"
    assert listed.feeds[0].title == "A & B"
    assert listed.feeds[0].more == (("category", "/x"),)
    assert [problem.trouble for problem in listed.problems] == [ProblemKind.NO_ADDRESS]


def test_private_feeds_keep_name_and_password() -> None:
    listed = read_opml('<opml><body><outline xmlUrl="HTTPS://ann:p%40ss@A.example/feed?token=1"/></body></opml>')
    assert listed.feeds[0].address == "https://ann:p%40ss@a.example/feed?token=1"
    assert read_opml(write_opml(listed.feeds)).feeds[0].address == listed.feeds[0].address


def test_hostile_lists() -> None:
    laughs = '<!DOCTYPE opml [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><opml><body><outline text="&b;" xmlUrl="http://a.example/"/></body></opml>'
    assert ProblemKind.DECLARES_ENTITIES in {problem.trouble for problem in read_opml(laughs).problems}
    nested = "<opml><body>" + '<outline text="x">' * 20_000 + '<outline xmlUrl="http://a.example/"/>'
    assert len(read_opml(nested).feeds) <= 1
    for data in (b"", b"\0", b"<rss/>", b"{}", b"<opml", b"\x1f\x8b"):
        listed = read_opml(data)
        assert not listed.feeds
        assert listed.problems


@pytest.mark.parametrize("reference", ["&#1114112;", "&#xd800;", "&#99999999999999999999;", "&#0;"])
def test_a_reference_to_no_character_costs_that_character(reference: str) -> None:
    """HOSTILE 34."""
    rows = "".join(
        f'<outline text="Feed {at}{reference * (at == 1)}" xmlUrl="http://a.example/{at}"/>' for at in range(3)
    )
    listed = read_opml(f"<opml><head><title>Ours{reference}</title></head><body>{rows}</body></opml>")
    assert [feed.title for feed in listed.feeds] == ["Feed 0", "Feed 1", "Feed 2"]
    assert listed.title == "Ours"


names = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Z", "Cn"]), min_size=1, max_size=12
).filter(lambda name: fold_space(name) == name)
feeds = st.builds(
    OpmlFeed,
    address=st.integers(0, 99).map(lambda at: f"https://a{at}.example/feed"),
    title=names,
    home=st.sampled_from(["", "https://a.example/"]),
    folder=st.lists(names, max_size=3).map(tuple),
    language=st.sampled_from(["", "en", "fa"]),
    description=names,
    kind=st.sampled_from(["rss", "atom"]),
    more=st.dictionaries(st.from_regex(r"\Ax[a-z]{1,5}\Z"), names, max_size=2).map(lambda one: tuple(one.items())),
)


@given(st.lists(feeds, max_size=6))
def test_what_goes_out_comes_in_again(listed: list[OpmlFeed]) -> None:
    again = read_opml(write_opml(listed, "T"))
    assert sorted(again.feeds, key=repr) == sorted(listed, key=repr)
    assert again.title == "T"
    assert again.problems == ()
    assert write_opml(again.feeds, "T") == write_opml(read_opml(write_opml(again.feeds, "T")).feeds, "T")


@given(st.text(max_size=30))
def test_any_title_can_be_written(title: str) -> None:
    found = read_opml(write_opml([OpmlFeed("https://a.example/f", title, folder=(title,))], title))
    assert [feed.address for feed in found.feeds] == ["https://a.example/f"]
    assert not found.problems
