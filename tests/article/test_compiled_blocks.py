"""The blocks of the compiled core against the Python that specifies them, block by block."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from benchmarks import pages
from hypothesis import given
from hypothesis import strategies as st
from tests.article.test_whole import PAGES
from tests.page import soup
from tests.page.soup import PIECES

from tidings import Page, Spans
from tidings.article import compiled
from tidings.article.building import Building, MadeBlocks
from tidings.article.context import HEADINGS, ROLES, Role
from tidings.article.inlines import Style
from tidings.article.places import story_places
from tidings.article.tables import data_tables, specified
from tidings.article.text import plain
from tidings.article.units import FoundUnits, Special
from tidings.errors import PageError
from tidings.news import newspaper
from tidings.page import tags
from tidings.text import without_breaks

BASE = "https://example.org/a/b"
STRUCTURE = (
    "<ol start=4><li>", "<ul><li>", "<dl><dt>a<dd>b", "<dd>", "<li value=9>", "<blockquote>", "</blockquote>", "</ul>",
    "<figure><img src=a.png><figcaption>b", "<h2>", "</h2>", "<h3>a<p>b<p>c<p>d<p>e", "<pre> a\n  b </pre>", "<br>",
    "<table><tr><th>a<th>b<tr><td>c<td>d", "</table>", "<td>", "<textarea> a  b\n</textarea>", " ", "word",
    "two words ", "<a href=/x>", "<a href='javascript:x'>", "<a name=y>", "</a>", "<b>", "<i>", "</b>", "</i>", "<sup>",
    "<code>", "<caption>", "<span hidden>no</span>", "&nbsp;", "<p>", "שלום", "😀", "<a class=z href='/x'>", "<sub>",
    '<a id="i" href="/x">',
)  # fmt: skip


def assert_same(data: bytes | str, ranges: Iterable[tuple[int, int]] = (), roots: Iterable[int] = ()) -> None:
    """The blocks of all that is visible, and of some ranges."""
    try:
        page = Page(data, BASE)
    except PageError:
        return
    for shown in (page.visible, Spans.of(ranges, len(page.text)) & page.visible):
        inside = [root for root in roots if root < len(page.elements)]
        building = Building(page, BASE, shown, inside)
        found = compiled.made(building)
        assert (found is None) == (page.compiled is None)
        if found is not None:
            assert_equal(found, Building(page, BASE, shown, inside).collected())


def assert_equal(found: MadeBlocks, expected: MadeBlocks) -> None:
    """The same blocks; and what they say as a whole, where that is known."""
    assert found._replace(text=None) == expected
    if found.text is not None:
        assert found.text == without_breaks(plain(expected.blocks))


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_what_pages_are_made_of(html: str) -> None:
    assert_same(html, [(1, 3), (4, 5), (7, 20)], [2])


def test_the_newspaper() -> None:
    for page in newspaper.pages():
        assert_same(page.html, [(100, 151), (160, 700), (701, 2000)])


@given(
    soup.soup(st.sampled_from(STRUCTURE), size=30),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=5),
    st.lists(st.integers(0, 12), max_size=2),
)
def test_made_up_structure(html: str, ranges: list[tuple[int, int]], roots: list[int]) -> None:
    assert_same(html, ranges, roots)


@given(
    soup.soup(st.sampled_from(STRUCTURE), size=30),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=3),
    st.dictionaries(st.integers(0, 12), st.sampled_from((None, "x", " y\n", " ")), min_size=1, max_size=4),
)
def test_runs_for_which_something_stands(
    html: str, ranges: list[tuple[int, int]], specials: dict[int, str | None]
) -> None:
    page = Page(html, BASE)
    for shown in (page.visible, Spans.of(ranges, len(page.text)) & page.visible):
        units = FoundUnits(page, BASE, shown, story_places(page, shown), shown.runs(page))
        units.specials |= {
            run: Special(text, Style(formula=True)) for run, text in specials.items() if run < len(page.runs)
        }
        tables = data_tables(page).begins
        found = compiled.made(Building(page, BASE, shown, units=units))
        is_told = page.compiled is not None and " " not in specials.values()
        assert found is not None or not is_told or tables
        if found is not None:
            assert_equal(found, Building(page, BASE, shown, units=units).collected())


@given(soup.soup(*PIECES, size=40), st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), max_size=4))
def test_made_up_pages(html: str, ranges: list[tuple[int, int]]) -> None:
    assert_same(html, ranges)


@pytest.mark.parametrize(
    "html",
    [
        "<a href=/x><p>one <a href=/y>two</a> three</p>four</a>",
        "<b><p>one</b> two</p><a href=/x><div>a<table><tr><td><a href=/y>b</a><td>c<tr><td>d</table>e</div>",
    ],
)
def test_text_in_an_element_that_was_closed_before(html: str) -> None:
    assert_same(html, [(4, 30)])


TABLES = (
    "<table>", "</table>", "<tr>", "<td>", "<th>", "<td>a", "<th>b", "<caption>c", "<tbody>", "<p>d", "<ul><li>e",
    "</ul>",
    "<h2>f</h2>", "<blockquote>g", "</blockquote>", "<br>", "<table role=presentation>", "<table role=grid>", "h",
    "<figure>", "<pre>i</pre>", "</td>", "</tr>", "<div>",
)  # fmt: skip


@given(soup.soup(st.sampled_from(TABLES), size=40))
def test_tables_of_data(html: str) -> None:
    page = Page("<table>" + html, BASE)
    for one in (page, Page(f"<table><tr><th>a<td>b</table><table><tr><td>c<td>d<tr><td>e{html}", BASE)):
        assert data_tables(one) == specified(one)


def test_a_part_of_a_page_is_left_to_python() -> None:
    page = Page("<p>one<p>two<p>three", BASE)
    part = page.within(Spans.of([(4, 7)], len(page.text)))
    assert compiled.made(Building(part, BASE, part.visible)) is None


def test_what_blocks_say_as_a_whole_is_told_where_no_item_has_a_number() -> None:
    def whole(html: str) -> str | None:
        page = Page(html, BASE)
        found = compiled.made(Building(page, BASE, page.visible))
        return found.text if found is not None else ""

    assert whole("<h1>a</h1><ul><li>b<br>c<li>d<ul><li>e</ul></ul><dl><dt>f<dd>g</dl>h&shy;i") == (
        "a\n\n- b\n  c\n- d\n  - e\n- f\n\ng\n\nhi"
    )
    assert whole("<ol><li>a</ol>") is None
    assert whole("<p>a<pre>b</pre>") is None


def test_every_role_is_that_of_its_tag() -> None:
    assert len(ROLES) == len(tags.NAMES) + 1
    assert ROLES[-1] == 0
    assert [ROLES[tags.NUMBERS[name]] for name in ("a", "em", "dd", "th", "h1", "h6", "p")] == [
        *(Role.LINK, Role.EMPHASIS, Role.DEFINITION, Role.CELL, Role.H1, Role.H6, 0)
    ]
    assert [role.value - Role.H1 for role in HEADINGS] == list(range(6))


@pytest.mark.shared
@pytest.mark.parametrize(
    "corpus",
    ["wcxb-dev", "fundus-dev", "sites", "news-multilingual", "rtl", "trafilatura-eval", "news-modern", "frontpages"],
)
def test_real_pages(corpus: str, shared_data: Path, gate: bool) -> None:
    assert shared_data.is_dir()
    for data in pages.each(corpus, every=1 if gate else 20):
        assert_same(data, [(100, 151), (160, 700), (701, 2000), (2400, 9000)])
