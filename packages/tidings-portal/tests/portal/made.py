"""Kept articles for tests, made without a store; and strategies of hostile ones."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

from hypothesis import strategies as st

from tidings.article import Article, Block, Image, Inline, Kind
from tidings_portal.store.records_of_articles import ArticleHeadline, KeptArticle

SEEN = datetime(2024, 3, 5, 12, 0, 0, 123456, tzinfo=UTC)
HOSTILE = (
    "]]>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt;",
    "&amp;amp;",
    "&copy",
    "<!--",
    "<![CDATA[",
    "java\tscript:alert(1)",
    '"><svg/onload=alert(1)>',
    "\x00",
    "\x0b",
    "\x85",
    "\ud800",
    "\udfff",
    "\ufffe",
    "\u2028",
    "\u202e",
    "\u200c",
    "\r\n",
    "😀",
    "İstanbul'da ışık",
    "می‌روم",
    "שלום",
    "%PDF-",
    "<?xml version='1.0'?>",
    "{{7*7}}",
    "---\n",
    "...",
    "AT&T",
    "a < b",
    "Q&A",
)
#: Every character there is, half ones too, and pieces that have broken somebody's writer.
texts = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=()), max_size=12),
        st.sampled_from(HOSTILE),
        st.just("word "),
        st.just(" "),
    ),
    max_size=6,
).map("".join)
addresses = st.one_of(
    st.builds(
        "https://{}/{}".format,
        st.sampled_from(("harbour.example", "www.gazete.example.tr", "müller.example")),
        st.integers(1, 10**6),
    ),
    st.sampled_from(
        ("", "javascript:alert(1)", "https://a.example/?q=<b>&x=\"'", "//x.example", "http://[::1", "data:text/html,x")
    ),
    texts,
)
moments = st.one_of(
    st.none(),
    st.dates(date(1995, 1, 1), date(2023, 1, 1)),
    st.datetimes(
        datetime(1995, 1, 1),
        datetime(2023, 1, 1),
        timezones=st.one_of(
            st.none(), st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
        ),
    ),
)
inlines = st.builds(Inline, texts, href=st.one_of(st.none(), addresses), strong=st.booleans(), code=st.booleans())
blocks = st.builds(
    Block, st.sampled_from((Kind.PARAGRAPH, Kind.QUOTE, Kind.HEADING, Kind.PREFORMATTED)), st.tuples(inlines, inlines)
)
articles = st.builds(
    Article,
    url=addresses,
    title=texts,
    authors=st.lists(texts, max_size=3).map(tuple),
    published=moments,
    modified=moments,
    language=st.one_of(st.sampled_from(("en", "tr", "fa", "pt-BR", "he")), texts),
    direction=st.sampled_from(("ltr", "rtl")),
    site=texts,
    canonical=addresses,
    summary=texts,
    section=texts,
    tags=st.lists(texts, max_size=3).map(tuple),
    image=st.one_of(st.none(), st.builds(Image, addresses, texts)),
    images=st.lists(st.builds(Image, addresses, texts, texts, st.just(0)), max_size=2).map(tuple),
    blocks=st.lists(blocks, max_size=4).map(tuple),
)


def kept(article: Article, number: int = 1, **told: Any) -> KeptArticle:
    """An article as the store would give it back, near enough for what is written of it."""
    version = told.pop("version", 1)
    extracted = told.pop("extracted", SEEN)
    headline: dict[str, Any] = {
        "id": number,
        "title": article.title,
        "address": article.canonical or article.url,
        "site": "harbour.example",
        "site_name": article.site,
        "language": article.language,
        "direction": article.direction,
        "authors": article.authors,
        "time": SEEN,
        "published": None,
        "first_seen": SEEN,
        "category": article.section,
        "summary": article.summary,
        "image": article.image.src if article.image else "",
        "kind": "article",
        "words": len(article.words),
        "story": None,
        "reads": 0,
        "muted": False,
        "versions": version,
        "sources": (),
    }
    return KeptArticle(ArticleHeadline(**headline | told), article, version, "learned 1", extracted)


def paragraph(text: str) -> Block:
    return Block(Kind.PARAGRAPH, (Inline(text),))
