"""Parts of frameworks, tried with the frameworks. Those of the extra `gate` are tried by `make gate`."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.bulk.made import page
from tests.support import needs
from tidings.adapters.fields import article_or_none, metadata_of
from tidings.adapters.nemo_curator import TidingsExtractor

pytestmark = pytest.mark.filterwarnings("ignore")
HTML = page(1).decode()
TITLE = "Seals number 1 are back in the estuary"


def adapter(name: str, *libraries: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for library in libraries:
            needs(library)
        return import_module(f"tidings.adapters.{name}")


def test_fields_are_plain() -> None:
    found = article_or_none(HTML, "http://post.test/1")
    assert found is not None
    told = metadata_of(found)
    assert told["title"] == TITLE
    assert told["published"] == "2024-05-03T08:00:00+00:00"
    assert told["source"] == "http://post.test/1"
    assert all(isinstance(value, str | float | list) and value for value in told.values())
    assert article_or_none("") is None


@pytest.mark.gate
def test_datatrove() -> None:
    module = adapter("datatrove", "datatrove")
    from datatrove.data import Document

    def documents() -> Iterator[Any]:
        yield Document(text=HTML, id="1", metadata={"url": "http://post.test/1"})
        yield Document(text="", id="2")
        yield Document(text="", id="3", metadata={"html": page(3)})

    found = list(module.TidingsFields().run(documents()))
    assert [document.id for document in found] == ["1", "3"]
    assert found[0].metadata["article"]["title"] == TITLE
    assert "Twelve grey seals" in found[1].text
    (plain, *_) = list(module.Tidings(timeout=60).run(documents()))
    assert "Twelve grey seals" in plain.text


def test_nemo_curator_by_its_documented_interface() -> None:
    extractor = TidingsExtractor()
    found = extractor.extract_text(HTML, frozenset({"the"}), "ENGLISH")
    assert found is not None
    assert [part[:6] for part in found[-3:]] == ["Twelve", "They c", "Boats "]
    assert extractor.extract_text("", frozenset(), "ENGLISH") is None


@pytest.mark.gate
def test_langchain(tmp_path: Path) -> None:
    module = adapter("langchain", "langchain_core")
    from langchain_core.documents import Document

    (tmp_path / "a.html").write_text(HTML, encoding="utf-8")
    (document,) = module.TidingsLoader([tmp_path / "a.html", tmp_path / "none.html"], skip=True).load()
    assert "Twelve grey seals" in document.page_content
    assert document.metadata["title"] == TITLE
    with pytest.raises(FileNotFoundError):
        module.TidingsLoader([tmp_path / "none.html"]).load()
    made = module.TidingsTransformer("markdown").transform_documents(
        [Document(page_content=HTML, metadata={"source": "http://post.test/1", "mine": 1}), Document(page_content="")]
    )
    assert len(made) == 1
    assert made[0].page_content.startswith("# ")
    assert made[0].metadata["mine"] == 1


@pytest.mark.gate
def test_llama_index(tmp_path: Path) -> None:
    module = adapter("llama_index", "llama_index.core")
    (tmp_path / "a.html").write_text(HTML, encoding="utf-8")
    (document,) = module.TidingsReader().load_data(tmp_path / "a.html", extra_info={"mine": 1})
    assert "Twelve grey seals" in document.text
    assert document.metadata["title"] == TITLE
    assert document.metadata["mine"] == 1
    from llama_index.core import SimpleDirectoryReader

    read = SimpleDirectoryReader(str(tmp_path), file_extractor={".html": module.TidingsReader()}).load_data()
    assert "Twelve grey seals" in read[0].text


@pytest.mark.gate
def test_haystack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")  # tests ask nobody on the web
    module = adapter("haystack", "haystack")
    from haystack import Pipeline
    from haystack.dataclasses import ByteStream

    (tmp_path / "a.html").write_text(HTML, encoding="utf-8")
    pipeline = Pipeline()
    pipeline.add_component("convert", module.TidingsConverter())
    stream = ByteStream(page(2), meta={"url": "http://post.test/2"})
    found = pipeline.run({"convert": {"sources": [str(tmp_path / "a.html"), stream, ByteStream(b"")]}})
    one, two = found["convert"]["documents"]
    assert "Twelve grey seals" in one.content
    assert one.meta["title"] == TITLE
    assert two.meta["url"] == "http://post.test/2"
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["tidings.adapters.haystack"])
    assert again.get_component("convert").form == "text"


def test_duckdb() -> None:
    module = adapter("duckdb", "duckdb", "pyarrow")
    import duckdb
    import pyarrow as pa

    connection = duckdb.connect()
    module.register(connection)
    pages = pa.table({"html": [page(1), b"", None], "url": ["http://post.test/1", None, None]})
    connection.register("pages", pages)
    texts = connection.sql("SELECT article_text(html) FROM pages").fetchall()
    assert "Twelve grey seals" in texts[0][0]
    assert texts[1:] == [(None,), (None,)]
    told = connection.sql("SELECT article(html, url).title, article(html, url).authors FROM pages").fetchall()
    assert told[0] == (TITLE, [])


def test_polars() -> None:
    adapter("polars", "polars")
    import polars as pl

    frame = pl.DataFrame({"html": [page(1), b"", None]})
    column: Any = pl.col("html")
    found = frame.with_columns(column.tidings.text().alias("text"), column.tidings.article().alias("article"))
    assert "Twelve grey seals" in found["text"][0]
    assert found["text"][1:].to_list() == [None, None]
    assert found["article"].struct.field("title")[0] == TITLE
    strings: Any = pl.Series("html", [HTML])
    assert strings.tidings.text()[0] == found["text"][0]


# -- Scrapy -----------------------------------------------------------------------------------------------------------


def test_an_item_pipeline() -> None:
    module = adapter("scrapy", "scrapy")
    from scrapy.http import HtmlResponse

    pipeline = module.TidingsPipeline()
    response = HtmlResponse("http://post.test/1", body=page(1))
    item = pipeline.process_item({"response": response, "mine": 1}, None)
    assert "Twelve grey seals" in item["text"]
    assert (item["title"], item["url"], item["mine"]) == (TITLE, "http://post.test/1", 1)
    assert "response" not in item
    assert pipeline.process_item({"html": HTML}, None)["title"] == TITLE
    assert pipeline.process_item({"name": "none"}, None) == {"name": "none"}
    assert pipeline.process_item({"html": b"%PDF-1.4 \x00\x01"}, None)["text"] == ""


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        number = self.path.strip("/")
        body = page(int(number)) if number.isdigit() else b"<a href=/1>one</a> <a href=/2>two</a>"
        self.send_response(200 if number.isdigit() or not number else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody asked."""


@pytest.fixture
def site() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Site) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy_poet import DummyResponse
from tidings.adapters.web_poet import TidingsArticlePage

class Stories(scrapy.Spider):
    name = "stories"
    start_urls = [sys.argv[1]]
    custom_settings = {
        "ADDONS": {"scrapy_poet.Addon": 300},
        "SCRAPY_POET_PROVIDERS": {"tidings.adapters.web_poet.TidingsProvider": 500},
        "LOG_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "FEEDS": {sys.argv[2]: {"format": "jsonlines"}},
    }

    def parse(self, response):
        for link in response.css("a"):
            yield response.follow(link, self.parse_story)

    async def parse_story(self, response: DummyResponse, page: TidingsArticlePage):
        yield await page.to_item()

process = CrawlerProcess()
process.crawl(Stories)
process.start()
"""


@pytest.mark.gate
def test_a_crawl_with_page_objects(site: str, tmp_path: Path) -> None:
    adapter("web_poet", "scrapy", "scrapy_poet", "zyte_common_items")
    import json

    (tmp_path / "spider.py").write_text(SPIDER, encoding="utf-8")
    to = tmp_path / "items.jsonl"
    subprocess.run([sys.executable, str(tmp_path / "spider.py"), site, str(to)], check=True, timeout=300)
    items = sorted(
        (json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()), key=lambda one: one["url"]
    )
    assert [item["headline"] for item in items] == [
        f"Seals number {number} are back in the estuary" for number in (1, 2)
    ]
    assert items[0]["datePublished"] == "2024-05-03T08:00:00Z"
    assert "Twelve grey seals" in items[0]["articleBody"]
    assert items[0]["inLanguage"] == "en"
