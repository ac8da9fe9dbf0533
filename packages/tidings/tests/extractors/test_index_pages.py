"""Front pages of sites and sections: their text may be right, and is not the article asked for."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tidings
from tidings import newspaper
from tidings.extractors.learned import Learned
from tidings.extractors.learned.kinds import INDEX, is_index, names_no_story
from tidings.page import Hints, Page

ADDRESS = "https://gazette.example/politics"
HEADLINE = "<li><a href=/a/{n}>The harbour bridge number {n} reopens after two long years of work</a></li>"
STORY = {"@type": "NewsArticle", "headline": "Politics"}
PARAGRAPH = (
    "<p>After two years the harbour carries cars again, and the ferry has gone back to the islands, as the yard had "
    "said it would when the first of the new piers was built in the spring.</p>"
)


def page(
    body: str | None = None, url: str | None = ADDRESS, head: str = "", hints: Hints | None = None, links: int = 30
) -> Page:
    listed = "".join(HEADLINE.format(n=n) for n in range(links)) if body is None else body
    return Page(f"<html lang=en><head><title>Politics</title>{head}</head><ul>{listed}</ul></html>", url, hints)


def is_front(page: Page) -> bool:
    return is_index(page, Learned().look(page).blocks)


@pytest.mark.parametrize("url", ["https://gazette.example/", ADDRESS, "https://gazette.example/en/world?ref=menu"])
def test_a_front_page_is_not_believed_to_be_the_article(url: str) -> None:
    found = Learned().decide(page(url=url))
    assert found.kind in ("front", "listing")
    assert found.doubt == INDEX


@pytest.mark.parametrize(
    "other",
    [
        page(url=None),
        page(url="https://gazette.example/politics/harbour-bridge-reopens-after-two-years"),
        page(links=10),
        page(hints=Hints(title="The harbour bridge number 3 reopens")),
        page("".join(f"<li><a href=/a/{n}>Blue cotton shirt no. {n}</a></li>" for n in range(40))),
        page("".join(HEADLINE.format(n=n) for n in range(20)) + PARAGRAPH * 30),
        page(head=f'<script type="application/ld+json">{json.dumps(STORY)}</script>'),
    ],
    ids=["no address", "of a story", "few links", "led to", "names of goods", "running text", "declared"],
)
def test_other_pages_are_none(other: Page) -> None:
    assert is_front(page())
    assert not is_front(other)


@pytest.mark.parametrize(
    ("path", "is_section"),
    [
        ("", True),
        ("/", True),
        ("/index.html", True),
        ("/de/", True),
        ("/en-gb/world", True),
        ("/world-news", True),
        ("/world/europe", False),
        ("/harbour-bridge-reopens-today", False),
        ("/a20260314", False),
        ("/story?id=123456", False),
        ("/averyveryverylongnameofsomething", False),
    ],
)
def test_addresses_that_name_no_story(path: str, is_section: bool) -> None:
    assert names_no_story(f"https://gazette.example{path}") is is_section


@given(st.text(max_size=40))
def test_any_address_is_survived(address: str) -> None:
    names_no_story(address)
    names_no_story(f"http://[{address}")


def test_the_front_pages_of_the_bundled_newspaper_are_no_articles() -> None:
    fronts = [page for page in newspaper.pages() if page.page_type == "front"]
    kinds = {page.url: tidings.extract(page.html, page.url).kind for page in fronts}
    assert len(kinds) == 10
    assert "article" not in kinds.values()


def test_a_home_page_that_is_an_essay_is_no_list() -> None:
    paragraph = "<p>" + "The river has carried more water this year than in any year since the gauge was built. " * 6
    links = "".join(f"<li><a href=/notes/{n}>A short note about the river and its mills, {n}</a>" for n in range(5))
    page = f"<title>The river</title><h1>What the river carries</h1>{paragraph * 8}<ul>{links}</ul>"
    article = tidings.extract(page, "https://river.example/")
    assert article.kind not in ("front", "listing", "collection", "nothing")
    assert "since the gauge was built" in article.text
