"""One changed import: what others answer to, Tidings answers to, with results of the same shape."""

from __future__ import annotations

import inspect
import json
import warnings
from dataclasses import fields
from datetime import datetime
from importlib import import_module
from typing import Any

import pytest

from tests.bulk.made import page
from tests.support import missing
from tidings import ExtractOptions
from tidings.adapters import newspaper, readability, trafilatura
from tidings.errors import BadArgument, BadParameter, UnknownFormat

URL = "http://post.test/news/1"
HTML = page(1).decode()
RICH = """<html lang=de><title>Robben | Post</title><meta name=author content="Ann Warden">
<meta property="og:site_name" content="Die Post"><meta name=description content="Zwölf Robben sind wieder da.">
<article><h1>Robben sind wieder da</h1><p>Zwölf <b>graue</b> Robben sind wieder an der <a href="/fluss">Mündung</a> des
Flusses, sagte das Hafenamt am Freitag, nachdem dort neun Jahre lang keine einzige gesehen worden war.</p>
<figure><img src="/seal.jpg" alt="Robbe" width=640 height=400>
<figcaption>Eine Robbe</figcaption></figure>
<p>Sie seien mit dem Hering gekommen, sagte die Wärterin, die sie jeden Morgen vom alten Steg aus zählt und die Zahl auf
eine Tafel schreibt, die an der Tür hängt.</p></article></html>"""


def real(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some warn of their own optional parts
        try:
            return import_module(name)
        except ImportError:
            missing(f"needs {name}: the extra peers")


# -- trafilatura ------------------------------------------------------------------------------------------------------


def test_extract_gives_text_or_none() -> None:
    found = trafilatura.extract(HTML)
    assert found is not None
    assert "Twelve grey seals" in found
    assert "Sport" not in found
    assert trafilatura.extract("") is None
    assert trafilatura.extract(b"%PDF-1.4 \x00\x01") is None
    assert trafilatura.extract(RICH, target_language="en") is None
    assert trafilatura.extract(RICH, target_language="de")
    assert trafilatura.extract(RICH, only_with_metadata=True) is None, "it has no date"
    assert trafilatura.extract(HTML, url=URL, only_with_metadata=True, favor_precision=True)


@pytest.mark.parametrize("form", ["txt", "markdown", "html", "json", "csv", "xml", "xmltei"])
def test_formats_of_trafilatura(form: str) -> None:
    found = trafilatura.extract(RICH, output_format=form, with_metadata=True)
    assert found is not None
    assert "Hafenamt" in found
    if form == "json":
        assert json.loads(found)["title"] == "Robben sind wieder da"
    with pytest.raises(UnknownFormat):
        trafilatura.extract(HTML, output_format="docx")


def test_what_is_shown_follows_the_options() -> None:
    shown = trafilatura.extract(
        RICH, "http://post.test/", output_format="markdown", include_links=True, include_images=True
    )
    assert "](http://post.test/fluss)" in (shown or "")
    assert "![" in (shown or "")
    bare = trafilatura.extract(RICH, output_format="markdown")
    assert "](" not in (bare or "")


@pytest.mark.parametrize(
    "options",
    [
        {"url_blacklist": {"http://post.test/1"}},
        {"author_blacklist": {"ann warden"}},
        {"options": ExtractOptions(max_text_length=3)},
        {"target_language": "en"},
    ],
)
def test_filters_of_trafilatura_give_none(options: dict[str, Any]) -> None:
    assert trafilatura.extract(RICH, "http://post.test/1")
    assert trafilatura.extract(RICH, "http://post.test/1", **options) is None


def test_options_without_a_counterpart_say_so() -> None:
    options: dict[str, Any] = {"prune_xpath": "//div", "options": object()}
    for name, value in options.items():
        with pytest.raises(BadParameter, match=name):
            trafilatura.extract(HTML, **{name: value})
    with pytest.raises(BadParameter, match="no option"):
        trafilatura.extract(HTML, unheard_of=1)
    with pytest.raises(BadArgument, match="not object"):
        trafilatura.extract(object())
    with pytest.raises(BadParameter, match="certificates"):
        trafilatura.fetch_url(URL, no_ssl=True)
    with pytest.raises(BadParameter):
        trafilatura.extract_metadata(HTML, date_config={"a": 1})
    assert trafilatura.fetch_url("http://127.0.0.1:1/") is None


def test_every_option_of_the_real_one_is_known() -> None:
    theirs = real("trafilatura")
    known = trafilatura._KNOWN | trafilatura._IDLE | set(trafilatura._INSTEAD) | {"output_format", "as_dict"}
    for name in ("extract", "bare_extraction"):
        parameters = set(inspect.signature(getattr(theirs, name)).parameters) - {"filecontent", "url"}
        assert parameters <= known


def test_a_document_has_the_fields_of_the_real_one() -> None:
    theirs = real("trafilatura").bare_extraction(HTML, url=URL, with_metadata=True)
    ours = trafilatura.bare_extraction(HTML, url=URL, with_metadata=True)
    assert isinstance(ours, trafilatura.Document)
    assert {field.name for field in fields(ours)} == set(theirs.as_dict())
    assert (ours.title, ours.date, ours.hostname, ours.language) == (theirs.title, theirs.date, theirs.hostname, "en")
    mapping = trafilatura.bare_extraction(HTML, as_dict=True)
    assert isinstance(mapping, dict)
    assert set(mapping) == set(theirs.as_dict())
    assert trafilatura.bare_extraction("") is None
    told = trafilatura.extract_metadata(RICH, default_url="http://post.test/")
    assert (told.author, told.sitename, told.text) == ("Ann Warden", "Die Post", None)
    assert trafilatura.extract_metadata("").title is None


# -- readability ------------------------------------------------------------------------------------------------------


def test_a_document_of_readability() -> None:
    ours = readability.Document(RICH, url="http://post.test/")
    theirs = real("readability").Document(RICH)
    assert ours.title() == theirs.title() == "Robben | Post"
    assert ours.short_title() == "Robben sind wieder da"
    assert ours.author() == "Ann Warden"
    whole, part = ours.summary(), ours.summary(html_partial=True)
    assert whole.startswith("<html><body><div>") == theirs.summary().startswith("<html><body><div>")
    assert part.startswith("<div>")
    assert "Hafenamt" in whole
    assert "<script" not in whole
    assert ours.get_clean_html() == whole
    assert ours.content() == RICH
    assert readability.Document("<p>Some text.</p>").title() == "[no-title]"
    with pytest.raises(readability.Unparseable):
        readability.Document("").summary()
    with pytest.raises(BadParameter):
        readability.Document(RICH, positive_keywords=["a"])


# -- newspaper --------------------------------------------------------------------------------------------------------


def test_an_article_of_newspaper() -> None:
    ours = newspaper.Article(URL, language="en")
    with pytest.raises(newspaper.ArticleException, match="download"):
        ours.parse()
    ours.download(input_html=HTML)
    assert ours.html == HTML
    ours.parse()
    assert ours.title == "Seals number 1 are back in the estuary"
    assert ours.publish_date == datetime.fromisoformat("2024-05-03T08:00:00+00:00")
    assert "Twelve grey seals" in ours.text
    assert ours.is_valid_body()
    ours.nlp()
    assert "number" in ours.keywords
    assert "the" not in ours.keywords
    assert (ours.top_img, ours.imgs) == (ours.top_image, ours.images)
    with pytest.raises(newspaper.ArticleException):
        newspaper.Article("http://127.0.0.1:1/").download()
    with pytest.raises(newspaper.ArticleException):
        newspaper.article("http://127.0.0.1:1/")
    assert "Twelve" in newspaper.fulltext(HTML)


def test_attributes_are_those_of_the_real_one() -> None:
    theirs = real("newspaper").Article(URL)
    ours = newspaper.Article(URL)
    for name in vars(ours):
        if not name.startswith("_") and name != "tidings":
            assert hasattr(theirs, name), name
            if name != "publish_date":
                assert type(getattr(ours, name)) is type(getattr(theirs, name)), name
