"""`tidings.extract_text` returns the text of the article that `tidings.extract` makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

import tidings
from benchmarks import pages
from tests.page import soup
from tests.page.documents import DOCUMENTS
from tests.page.soup import PIECES
from tidings import newspaper
from tidings.errors import BadArgument, ExtractionTimeout, PageError


def assert_same(data: bytes | str, url: str | None = None) -> None:
    try:
        article = tidings.extract(data, url)
    except PageError:
        with pytest.raises(PageError):
            tidings.extract_text(data, url)
        return
    assert tidings.extract_text(data, url) == article.text


def test_the_newspaper() -> None:
    for page in newspaper.pages():
        assert_same(page.html, page.url)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents(document: str) -> None:
    assert_same(DOCUMENTS[document])


@given(soup.soup(*PIECES, size=60))
def test_made_up_pages(html: str) -> None:
    assert_same(f"<title>a bc text</title>{html}")


@pytest.mark.parametrize("prefer", ["precision", "balanced", "recall"])
def test_each_preference(prefer: str) -> None:
    for page in list(newspaper.pages())[::6]:
        article = tidings.extract(page.html, prefer=prefer)  # type: ignore[arg-type]
        assert tidings.extract_text(page.html, prefer=prefer) == article.text  # type: ignore[arg-type]


def test_a_story_in_the_data_of_scripts_is_read() -> None:
    story = "The wardens counted forty pups on the sandbank at dawn, more than in any year on record. " * 8
    page = (
        f'<div id=__next></div><script id=__NEXT_DATA__ type="application/json">{{"body": "<p>{story}</p>"}}</script>'
    )
    assert "forty pups" in tidings.extract_text(page)
    assert_same(page)


def test_a_page_can_be_passed() -> None:
    page = next(iter(newspaper.pages()))
    assert tidings.extract_text(tidings.Page(page.html)) == tidings.extract_text(page.html)


def test_wrong_arguments_are_typed_errors() -> None:
    with pytest.raises(BadArgument, match="prefer"):
        tidings.extract_text("<p>some words", prefer="recal")  # type: ignore[arg-type]
    with pytest.raises(PageError):
        tidings.extract_text("page.html")


def test_a_page_that_takes_too_long_is_ended() -> None:
    with pytest.raises(ExtractionTimeout):
        tidings.extract_text("<div><p>some words of a story" * 20_000, timeout=0.001)


@pytest.mark.shared
@pytest.mark.parametrize("corpus", ["wcxb-dev", "fundus-dev", "sites", "news-multilingual", "rtl", "news-modern"])
def test_real_pages(corpus: str, shared_data: Path, gate: bool) -> None:
    assert shared_data.is_dir()
    for data in pages.each(corpus, every=4 if gate else 40):
        assert_same(data)
