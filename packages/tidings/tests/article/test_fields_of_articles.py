"""What an article knows besides its blocks: fields, provenance, language, direction."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tidings import fields
from tidings.article import Article, Image, assemble
from tidings.page import Page, Spans

HEAD = """<html lang="en-GB"><head><title>Seals return | Gazette</title>
<meta property="og:title" content="Seals return"><meta name="author" content="Mara Ellison">
<meta property="article:published_time" content="2026-03-14T08:30:00+00:00">
<meta property="og:image" content="/lead.jpg"><link rel="canonical" href="/canonical">
<meta property="og:description" content="A summary."></head>"""


OTHERS = ("kind", "confidence", "published_precision")


def whole(html: str, **more: object) -> Article:
    page = Page(html, "https://example.org/news/story")
    return assemble(page, Spans.all(len(page.text)), fields.read(page), **more)  # type: ignore[arg-type]


def test_fields_and_where_they_came_from() -> None:
    article = whole(HEAD + "<p>Text.</p>", chosen_by="dana", confidence=0.9, kind="live")
    assert article.url == "https://example.org/news/story"
    assert article.title == "Seals return"
    assert article.authors == ("Mara Ellison",)
    assert article.published == datetime(2026, 3, 14, 8, 30, tzinfo=UTC)
    assert article.modified is None
    assert article.language == "en-GB"
    assert article.canonical == "https://example.org/canonical"
    assert article.summary == "A summary."
    assert article.image == Image("https://example.org/lead.jpg")
    assert (article.kind, article.confidence) == ("live", 0.9)
    assert article.provenance["title"] == "meta og:title"
    assert article.provenance["body"] == "dana"
    told = {name for name in Article.__slots__ if getattr(article, name) and name not in OTHERS}
    assert set(article.provenance) == told - {"provenance", "blocks", "text"} | {"body"}


def test_without_fields() -> None:
    page = Page('<html lang="de"><p>Text.</p><img src="https://example.org/a.png"><p>Mehr.</p>')
    article = assemble(page, Spans.all(len(page.text)))
    assert (article.title, article.url, article.language) == ("", "", "de")
    assert article.image == article.images[0]
    assert article.provenance["image"] == "first image of the text"
    assert article.provenance["language"] == "lang attribute"
    assert "url" not in article.provenance


def test_a_lead_that_may_not_be_shown_is_none() -> None:
    article = whole('<meta property="og:image" content="javascript:alert(1)"><p>Text.</p>')
    assert article.image is None
    assert "image" not in article.provenance


@pytest.mark.parametrize(
    ("html", "runs", "by"),
    [
        ("<p>English</p>", "ltr", "letters of the text"),
        ("<p>متن فارسی</p>", "rtl", "letters of the text"),
        ("<p>עברית</p>", "rtl", "letters of the text"),
        ("<html dir=rtl lang=ar><p>An English guest column.</p>", "ltr", "letters of the text"),
        ("<p>Windows 11 و Linux و macOS نظام</p>", "ltr", "letters of the text"),
        ("<div dir=rtl><p>Windows 11 و Linux و macOS نظام تشغيل</p></div>", "rtl", "dir attribute"),
        ("<html lang=fa><p>Windows 11 و Linux و macOS نظام تشغيل</p>", "rtl", "language"),
        ("<html lang=az-Arab><p>۱۲۳</p>", "rtl", "language"),
        ("<html lang=ar-Latn><p>123</p>", "ltr", "language"),
        ("<html dir=rtl><p>۱۲۳</p>", "rtl", "dir attribute"),
    ],
)
def test_direction(html: str, runs: str, by: str) -> None:
    page = Page(html)
    article = assemble(page, Spans.all(len(page.text)))
    assert (article.direction, article.provenance["direction"]) == (runs, by)


def test_the_declared_direction_must_hold_for_all_of_the_text() -> None:
    page = Page("<p dir=rtl>123</p><p>456</p>")
    assert assemble(page, Spans.all(len(page.text))).direction == "ltr"
    assert assemble(page, Spans.of([(0, 3)], len(page.text))).direction == "rtl"
