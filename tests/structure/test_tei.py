"""TEI as the schema has it: what we write is a part of TEI P5, and that part is in `tei.rng`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.structure.test_structure import pages, read
from tests.structure.test_threads import WAYS, thread
from tidings.article import Article, Options, render
from tidings.news import newspaper

etree = pytest.importorskip("lxml.etree")
SCHEMA = etree.RelaxNG(etree.parse(str(Path(__file__).with_name("tei.rng"))))


def faults(article: Article) -> list[str]:
    """What the schema says against the TEI of an article."""
    document = etree.fromstring(render(article, "tei", Options(images=True, comments=True)).encode())
    SCHEMA.validate(document)
    return [f"{fault.line}: {fault.message}" for fault in SCHEMA.error_log]


def test_the_pages_of_structure_are_valid() -> None:
    found = {page.name: said for page in pages() if (said := faults(read(page.html)))}
    assert not found


@pytest.mark.parametrize("way", WAYS)
def test_threads_are_valid(way: str) -> None:
    assert faults(thread(way)) == []


def test_articles_of_the_newspaper_and_empty_ones_are_valid() -> None:
    from tidings import extract

    for page in list(newspaper.pages("gazette"))[:5]:
        assert faults(extract(page.html)) == []
    assert faults(Article()) == []


def test_the_schema_refuses_what_tei_has_not() -> None:
    document = render(read(pages()[0].html), "tei").replace("<p>", "<paragraph>").replace("</p>", "</paragraph>")
    assert not SCHEMA.validate(etree.fromstring(document.encode()))
