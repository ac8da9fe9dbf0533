"""TEI as the schema has it: what we write is a part of TEI P5, and that part is in `tei.rng`, which we wrote.

The models of the consortium stand in a DTD that comes with trafilatura, made by its tool without the modules for
figures, tables, formulas and code. Where that is installed, all else of what we write is held to it.
"""

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


#: Elements of modules that the DTD was made without, and what stands for them.
OTHER_MODULES = {"figure": "p", "table": "p", "formula": "hi", "code": "hi"}


def test_what_is_not_of_other_modules_is_valid_by_the_models_of_the_consortium() -> None:
    data = Path(pytest.importorskip("trafilatura").__file__).with_name("data")
    models = etree.DTD(str(data / "tei_corpus.dtd"))
    found = {}
    for page in pages()[::3]:
        document = etree.fromstring(render(read(page.html), "tei", Options(images=True, comments=True)).encode())
        for name, other in OTHER_MODULES.items():
            for element in list(document.iter(f"{{*}}{name}")):
                tail = element.tail
                element.clear()
                element.tail = tail
                element.tag = f"{{{etree.QName(document).namespace}}}{other}"
        if not models.validate(document):
            found[page.name] = [str(fault.message) for fault in models.error_log]
    assert not found
