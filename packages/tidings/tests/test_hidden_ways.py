"""Text that a person cannot see reaches no output, by model or by rule; what a person sees does (HOSTILE 19, 35)."""

from __future__ import annotations

from functools import cache

import pytest

import tidings
from tests.hidden_text.measure import outputs
from tests.hidden_text.way import SECRET, Way, story_page
from tests.hidden_ways import HIDDEN, SHOWN
from tests.sites import village
from tidings import Reader, extractors
from tidings.page import Page

_ADDRESS = "https://quay.example/news/{}"
_NOTHING = Way("nothing", "")


def paragraphs(number: int) -> list[str]:
    """Return the paragraphs of a story."""
    found = village.story(number)["paragraphs"]
    assert isinstance(found, list)
    return found


def page_of(way: Way, number: int = 0) -> str:
    """Return a page with a sentence of its own, hidden in the given way."""
    return story_page(way, number, f"The ombudsman praised {number} velvet {SECRET} of the lighthouse keeper.")


@cache
def reader() -> Reader:
    """A reader that knows the site from pages with nothing hidden in them."""
    found = Reader(audit_every=0)
    for number in range(8):
        found.extract(page_of(_NOTHING, number), _ADDRESS.format(number))
    known = found.extract(page_of(_NOTHING, 20), _ADDRESS.format(20))
    assert known.provenance["body"].startswith("rule"), "the site is learned"
    return found


def names(ways: list[Way]) -> list[str]:
    return [f"{number} {way.name}" for number, way in enumerate(ways)]


def test_there_are_many_ways() -> None:
    assert len(HIDDEN) >= 120
    assert len(SHOWN) >= 30


@pytest.mark.parametrize("way", HIDDEN, ids=names(HIDDEN))
def test_hidden_text_is_in_no_output(way: Way) -> None:
    page = page_of(way)
    article = tidings.extract(page, url=_ADDRESS.format("x"))
    assert paragraphs(0)[1] in article.text
    assert [name for name, said in outputs(article).items() if SECRET in said] == []


@pytest.mark.parametrize("way", HIDDEN, ids=names(HIDDEN))
def test_hidden_text_does_not_come_back_by_rules(way: Way) -> None:
    number = 30 + HIDDEN.index(way)
    article = reader().extract(page_of(way, number), _ADDRESS.format(number))
    assert paragraphs(number)[1] in article.text
    assert [name for name, said in outputs(article).items() if SECRET in said] == []


#: Methods that keep most of a page; each leaves hidden text out.
@pytest.mark.parametrize("name", ["bte", "cetr", "dana", "lqf-50", "crunch"])
def test_hidden_text_is_in_no_result_of_a_published_method(name: str) -> None:
    extractor = extractors.extractor(name)
    leaks = []
    for way in HIDDEN:
        page = Page(page_of(way))
        if SECRET in extractor(page).text(page):
            leaks.append(way.name)
    assert leaks == []


@pytest.mark.parametrize("way", SHOWN, ids=names(SHOWN))
def test_what_only_looks_hidden_is_there(way: Way) -> None:
    article = tidings.extract(page_of(way), url=_ADDRESS.format("x"))
    assert SECRET in outputs(article)["pictures" if "alt=" in way.body else "text attribute"]


@pytest.mark.parametrize("way", SHOWN, ids=names(SHOWN))
def test_what_only_looks_hidden_is_there_by_rules(way: Way) -> None:
    number = 300 + SHOWN.index(way)
    article = reader().extract(page_of(way, number), _ADDRESS.format(number))
    assert SECRET in outputs(article)["pictures" if "alt=" in way.body else "text attribute"]


@pytest.mark.parametrize(
    "piece", ['<span style="display:none">{}</span>', "<span class=sr-only>{}</span>", '<b style="opacity:.0">{}</b>']
)
def test_hidden_text_is_in_no_headline(piece: str) -> None:
    for number, read in ((0, tidings.extract), (21, reader().extract)):
        title = str(village.story(number)["title"])
        page = page_of(_NOTHING, number).replace("</h1>", piece.replace("{}", SECRET) + "</h1>")
        article = read(page, url=_ADDRESS.format(number))
        assert article.title == title
        assert [name for name, said in outputs(article).items() if SECRET in said] == []


def test_most_are_read_by_rule() -> None:
    articles = [reader().extract(page_of(way, 500 + at), _ADDRESS.format(500 + at)) for at, way in enumerate(HIDDEN)]
    assert sum(one.provenance["body"].startswith("rule") for one in articles) > 0.9 * len(HIDDEN)


@pytest.mark.parametrize("head", ["", "<style>.story-body{visibility:hidden}</style>"])
def test_a_story_hidden_until_a_script_runs_is_found_and_marked(head: str) -> None:
    attribute = "" if head else " hidden"
    page = page_of(Way("nothing", "", head), 3).replace('"story-body"', f'"story-body"{attribute}')
    article = tidings.extract(page, url=_ADDRESS.format(3))
    assert paragraphs(3)[1] in article.text
    assert article.provenance["body"] == "learned, hidden until a script runs"
    shown = tidings.extract(page_of(_NOTHING, 3), url=_ADDRESS.format(3))
    assert shown.provenance["body"] == "learned"
    assert shown.text == article.text
