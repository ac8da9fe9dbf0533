"""The next page of a story, and its single page."""

from __future__ import annotations

import pytest

from tidings.fields.urls.paging import Paging, find, numbered
from tidings.fields.urls.sanitise import base_of
from tidings.page import Page

HERE = "https://example.org/2026/03/seals-return"


def paging(html: str, url: str | None = HERE) -> Paging:
    page = Page(html + "<p>x", url)
    return find(page, base_of(page))


@pytest.mark.parametrize(
    ("url", "href", "following"),
    [
        (HERE, "/2026/03/seals-return/2", HERE + "/2"),
        (HERE, "seals-return/page/2/", HERE + "/page/2/"),
        (HERE, "?page=2", HERE + "?page=2"),
        (HERE, "?a=1&amp;page=2", None),
        (HERE + "?a=1", "?a=1&amp;page=2", HERE + "?a=1&page=2"),
        (HERE + "/seite-2", "/2026/03/seals-return/seite-3", HERE + "/seite-3"),
        (HERE + "-123.html", "seals-return-123-p2.html", HERE + "-123-p2.html"),
        (HERE + ".html", "seals-return-2.html", HERE + "-2.html"),
        (HERE + "?page=2", "?page=3", HERE + "?page=3"),
        (HERE + "?page=2", "?page=4", None),
        (HERE + "?page=2", "?page=1", None),
        (HERE, "seals-return-2", None),  # another story of that name
        (HERE, "/2026/03/otters-return/2", None),
        (HERE, "https://elsewhere.example/2026/03/seals-return/2", None),
        (HERE, "seals-return/comment-page-2/", None),
        (HERE, "?cpage=2", None),
        (HERE, "javascript:page(2)", None),
    ],
)
def test_a_link_counts_by_its_shape(url: str, href: str, following: str | None) -> None:
    assert paging(f'<a href="{href}">→</a>', url).next_page == (following or "")


def test_the_next_story_is_not_the_next_page() -> None:
    assert paging('<link rel="next" href="/2026/03/otters"><a rel="next" href="/2026/03/otters">Next</a>') == Paging()


def test_a_declared_next_page() -> None:
    assert paging(f'<link rel="next" href="{HERE}/2">').next_page == HERE + "/2"


def test_without_an_address_nothing_is_told() -> None:
    assert paging('<a href="?page=2">2</a>', None) == Paging()


@pytest.mark.parametrize("href", ["?page=all", "?view=all", "seals-return/komplettansicht", "?single_page=true"])
def test_the_story_on_one_page(href: str) -> None:
    assert paging(f'<a href="{href}">All</a>').single_page.startswith(HERE)


def test_all_of_another_story_is_not_this_one() -> None:
    assert paging('<a href="/otters?page=all">All of seals-return</a>').single_page == ""


def test_numbers_of_addresses() -> None:
    assert numbered("https://www.example.org/a/2") == (numbered("https://example.org/a/3?")[0], 2)
    assert numbered("https://example.org/2026/03/12") == ("example.org/2026/03?", 12)
    assert numbered("http://[::1") == ("http://[::1", 1)


def test_a_page_of_many_links() -> None:
    assert paging('<a href="/2026/03/seals-return#c">x</a>' * 20_000 + '<a href="?page=2">2</a>').next_page
