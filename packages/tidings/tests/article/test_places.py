"""What stands in and beside chosen text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.article.test_page_blocks import STRUCTURE
from tests.page import soup
from tidings import Page, Spans
from tidings.article.units.article_tables import LONGEST_CAPTION, UNIT_WORDS
from tidings.article.units.places import BESIDE, BETWEEN, CAPTIONED, LEADING, LINK_NUMBERS, StoryPlaces, story_places
from tidings.page import tags

PIECES = (
    *STRUCTURE, "<img src=a.png>", "<figure>", "</figure>", "<figcaption>c</figcaption>", "<div>", "</div>", "<p>",
    "<a href=b.MP3>", '<a class="x" href="c.opus?d&amp;e">', '<A href="d">', '<a hreflang="en" href="f">', "<ul>",
    "</ol>", "<dl>", "</dl>", "<abbr>", "<acronym>x", "<div LANG=de>", '<p dir="rtl">', "עברית", "<b hidden>",
    "<blockquote>", "<iframe>", "<pre>x</pre>", "word " * (LONGEST_CAPTION // 4), "<table><a>", "<nobr><a><p><nobr>",
)  # fmt: skip


def of_all(html: str) -> StoryPlaces:
    page = Page(html, "https://example.org/a/b")
    return story_places(page, page.visible)


@given(
    soup.soup(st.sampled_from(PIECES), size=30),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=5),
)
def test_places_of_made_up_pages(html: str, ranges: list[tuple[int, int]]) -> None:
    page = Page("<p>a" + html, "https://example.org/a/b")
    chosen = Spans.of(ranges, len(page.text))
    held = page.words_by_element(UNIT_WORDS)
    for shown in (page.visible, page.shown(chosen), chosen, Spans.none(len(page.text))):
        places = story_places(page, shown, chosen)
        assert places.chosen.tolist() == shown.runs(page).tolist()
        runs = places.chosen.nonzero()[0].tolist() or [-1]
        assert (places.first, places.last) == (runs[0], runs[-1])
        assert places.unit_elements[::4] == held.nonzero()[0].tolist()
        assert places.has_abbreviations == any(page.tag_names[tag] in ("abbr", "acronym") for tag in page.elements.tag)
        for element, start, end, _ in zip(*[iter(places.links)] * LINK_NUMBERS, strict=True):
            assert page.elements.tag[element] == tags.NUMBERS["a"]
            if start >= 0:
                assert page.cut.source[start:end] == page.attributes(element)["href"]
        for picture in places.pictures:
            assert page.elements.tag[picture.element] == tags.NUMBERS["img"]
        without = story_places(page, shown, chosen, with_pictures=False)
        assert (without.pictures, without.links, without.tables) == ([], places.links, places.tables)


def test_addresses_of_links_are_found_where_they_stand() -> None:
    page = Page('<p>one <a class="x" href="/y">two</a> <a href=z>three</a>')
    _, start, end, _, _, other, _, _ = story_places(page, page.visible).links
    assert (page.source[start:end], other) == ("/y", -1)


@pytest.mark.parametrize(
    ("html", "tables"),
    [
        ("<p>one<table><tr><th>a<th>b<tr><td>c<td>d</table>", 1),
        ("<p>one<table><tr><td>a<td>b</table>", 0),  # a row alone, without a header
        ("<p>one<table><tr><td>a<td>b<td><table><tr><td>c<td>d<tr><td>e<td>f</table></table>", 1),
        ("<p>one<table role=NONE><tr><td>a<td>b<tr><td>c<td>d</table>", 0),
        ("<p>one<table><tr><td>a<td><ul><li>b</ul><tr><td>c<td>d</table>", 0),
        ("<p>one<table><tr><th>a<td><ul><li>b</ul><tr><td>c<td>d</table>", 1),
        ("<p>one<table>text<tr><td>a<td>b<tr><td>c<td>d</table>", 0),  # text outside cells
        ("<p>one<table><tr><td>a<td><blockquote>b</blockquote><tr><td>c<td>d</table>", 0),
        ("<p>one<table><caption>a<caption>b<tr><td>c<td>d<tr><td>e<td>f</table>", 0),
    ],
)
def test_tables_of_data(html: str, tables: int) -> None:
    assert len(of_all(html).tables) == tables


def test_pictures_by_where_they_stand() -> None:
    page = Page("<div><img src=a><p>one</p><img src=b><p>two</p><figure><img src=c><figcaption>three</figure></div>")
    pictures = story_places(page, page.visible).pictures
    assert [picture.place for picture in pictures] == [BESIDE | LEADING, BETWEEN | BESIDE, BETWEEN | BESIDE | CAPTIONED]


def test_facts_of_the_chosen_text() -> None:
    places = of_all("<div lang=de><p>one <a href=/x.mp3>two</a></p><ul><li>three</ul>שלום</div><abbr>x</abbr>")
    assert places.may_play
    assert places.may_run_leftwards
    assert places.has_abbreviations
    assert not places.has_table
    plain = of_all("<p>one</p>")
    assert not any((plain.may_play, plain.may_run_leftwards, plain.has_abbreviations, plain.has_outlived))
