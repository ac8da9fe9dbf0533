"""The text and the fields of a page that rules cut, without its blocks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.sites import village
from tidings import Reader
from tidings.sites import ArticleText
from tidings_lab.corpora import load
from tidings_lab.studies.learned_sites import address, groups


def _as_text(reader: Reader, number: int) -> tuple[ArticleText, ArticleText]:
    data, url = village.page(number), village.address(number)
    article = reader.cut(data, url)
    assert article is not None
    return reader.text(data, url), ArticleText.of(article)


def test_text_and_fields_are_those_of_the_article() -> None:
    reader = Reader()
    for number in range(5):
        found = reader.text(village.page(number), village.address(number))
        assert not found.by.startswith("rule")
        assert found.title == village.story(number)["title"]
    for number in range(5, 15):
        found, whole = _as_text(reader, number)
        assert found == whole
        assert found.by.startswith("rule")


def test_pages_of_no_site_are_read_too() -> None:
    assert "estuary" in Reader().text("<html><body><p>Seals are back in the estuary.</p></body></html>").text


def test_text_alone_teaches_and_is_doubted_as_articles_are() -> None:
    by_text, by_article = Reader(audit_every=0), Reader(audit_every=0)
    for number in range(20):
        data, url = village.page(number), village.address(number)
        if number in (8, 11):
            data = "<title>Something else</title><p>short"
        by_text.text(data, url)
        by_article.extract(data, url)
    (one,), (other,) = (
        [reader.memory.site(name) for name in reader.memory.names()] for reader in (by_text, by_article)
    )
    assert one == other


@pytest.mark.shared
def test_real_pages_have_the_text_of_their_articles(shared_data: Path) -> None:
    served = 0
    for samples in list(groups(load(shared_data / "sites")).values())[::6]:
        reader = Reader(audit_every=0)
        for sample in samples[:5]:
            reader.extract(sample.html, address(sample))
        for sample in samples[5:]:
            article = reader.cut(sample.html, address(sample))
            if article is not None:
                served += 1
                found, whole = reader.text(sample.html, address(sample)), ArticleText.of(article)
                assert replace(found, image="") == replace(whole, image="")
    assert served > 30
