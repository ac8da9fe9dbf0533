"""What stands in and beside chosen text: the compiled core against the Python that specifies it, number by number."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.article.test_compiled_blocks import STRUCTURE
from tests.article.test_whole import PAGES
from tests.page import soup

from tidings import Page, Spans
from tidings.article.places import LINK_NUMBERS, LONGEST_CAPTION, StoryPlaces, specified, story_places
from tidings.errors import PageError
from tidings.news import newspaper

PIECES = (
    *STRUCTURE, "<img src=a.png>", "<figure>", "</figure>", "<figcaption>c</figcaption>", "<div>", "</div>", "<p>",
    "<a href=b.MP3>", '<a class="x" href="c.opus?d&amp;e">', '<A href="d">', '<a hreflang="en" href="f">', "<ul>",
    "</ol>", "<dl>", "</dl>", "<abbr>", "<acronym>x", "<div LANG=de>", '<p dir="rtl">', "עברית", "<b hidden>",
    "<blockquote>", "<iframe>", "<pre>x</pre>", "word " * (LONGEST_CAPTION // 4), "<table><a>", "<nobr><a><p><nobr>",
)  # fmt: skip


def read(places: StoryPlaces) -> dict[str, object]:
    """What places say, but for the addresses of links."""
    return places._asdict() | {"chosen": places.chosen.tolist(), "links": places.links[::LINK_NUMBERS]}


def assert_same(data: bytes | str, ranges: Iterable[tuple[int, int]] = ()) -> None:
    """Of all that is seen, of some ranges and what is seen of them, and of nothing."""
    try:
        page = Page(data, "https://example.org/a/b")
    except PageError:
        return
    chosen = Spans.of(ranges, len(page.text))
    for shown in (page.visible, page.shown(chosen), chosen, Spans.none(len(page.text))):
        for with_pictures in (True, False):
            found = story_places(page, shown, chosen, with_pictures=with_pictures)
            assert read(found) == read(specified(page, shown, chosen, with_pictures=with_pictures))
        for element, start, end, _ in zip(*[iter(found.links)] * LINK_NUMBERS, strict=True):
            if start >= 0:
                assert page.cut.source[start:end] == page.attributes(element)["href"]


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_what_pages_are_made_of(html: str) -> None:
    assert_same(html, [(1, 3), (4, 5), (7, 20)])


def test_the_newspaper() -> None:
    for page in newspaper.pages():
        assert_same(page.html, [(100, 151), (160, 700), (701, 2000)])


@given(
    soup.soup(st.sampled_from(PIECES), size=30),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=5),
)
def test_made_up_pages(html: str, ranges: list[tuple[int, int]]) -> None:
    assert_same(html, ranges)


def test_addresses_of_links_are_found_where_they_stand() -> None:
    page = Page('<p>one <a class="x" href="/y">two</a> <a href=z>three</a>')
    _, start, end, _, _, other, _, _ = story_places(page, page.visible).links
    assert (page.source[start:end], other) == ("/y", -1)
