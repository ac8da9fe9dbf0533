"""Comments, posts, marks and the next page in an article and in its formats."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, datetime

import pytest
from lxml import etree

import tidings
from tidings import fields
from tidings.article import (
    Article,
    Block,
    Comment,
    Inline,
    Kind,
    Options,
    article_from_json,
    assemble,
    csv_header,
    render,
)
from tidings.article.comment_classes import OBJECTING, THANKING, RemarkWords
from tidings.page import Page, Spans

PAGE = """<html lang=en><head><meta property="og:type" content="article"><link rel=next href="/seals/2">
<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}</script></head><body>
<h1>Seals</h1><p>%s</p><a href="?page=all">All</a>
<ol id=comments><li class=comment id=comment-1><b class=fn>Mara</b> <time datetime=2026-03-14>x</time>
<p>What a <i>sight</i>.</p><ol><li>One</li><li>Two</li></ol></li>
<li class=comment id=comment-2><b class=fn>Tom</b><blockquote>What a sight.</blockquote><p>Yes.</p></li></ol>""" % (
    "The seals are back in the estuary, and the town is glad of it. " * 8
)


@pytest.fixture(scope="module")
def article() -> Article:
    page = Page(PAGE, "https://example.org/seals")
    end = page.text.index("All")
    story = Spans.of([(0, end)], len(page.text))
    return assemble(page, story, fields.read(page, story))


def test_comments_are_no_list_items_though_they_are_written_as_ones(article: Article) -> None:
    first, second = article.comments
    assert (first.author, first.published_as_stated) == ("Mara", date(2026, 3, 14))
    assert first.text == "What a sight.\n\n1. One\n2. Two"
    assert first.blocks[0] == Block(Kind.PARAGRAPH, (Inline("What a "), Inline("sight", emphasis=True), Inline(".")))
    assert [(block.kind, block.quote_depth, block.depth) for block in second.blocks] == [
        (Kind.QUOTE, 1, 0),
        (Kind.PARAGRAPH, 0, 0),
    ]


def test_next_page_and_marks(article: Article) -> None:
    assert article.next_page == "https://example.org/seals/2"
    assert article.single_page == "https://example.org/seals?page=all"
    assert article.marks == ("paywall",)
    assert {"next_page", "single_page", "marks", "comments"} <= set(article.provenance)


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_json_brings_all_of_it_back(article: Article, name: str) -> None:
    posts = Article(
        posts=(
            Comment(
                (Block(Kind.PARAGRAPH, (Inline("Bees."),)),), "Ida", datetime(2026, 3, 1), published_precision="day"
            ),
        )
    )
    assert article_from_json(render(article, name)) == article
    assert article_from_json(render(posts, name)) == posts


def test_xml_and_tei(article: Article) -> None:
    root = etree.fromstring(render(article, "xml", Options(comments=True)).encode())
    assert (root.findtext("next_page"), root.findtext("single_page")) == (article.next_page, article.single_page)
    assert root.findtext("mark") == "paywall"
    assert [comment.get("author") for comment in root.findall("comment")] == ["Mara", "Tom"]
    tei = etree.fromstring(render(article, "tei").encode())
    space = {"t": "http://www.tei-c.org/ns/1.0"}
    targets = tei.xpath("//t:bibl/t:ptr[@type='next']/@target", namespaces=space)
    assert targets == [article.next_page]
    assert tei.xpath("//t:bibl/t:note[@type='mark']/text()", namespaces=space) == ["paywall"]


def test_csv_and_json_ld(article: Article) -> None:
    row = dict(zip(*csv.reader(io.StringIO(csv_header() + "\n" + render(article, "csv"))), strict=True))
    assert (row["next_page"], row["marks"]) == (article.next_page, "paywall")
    found = json.loads(render(article, "jsonld", Options(comments=True)))
    assert found["isAccessibleForFree"] is False
    assert [one["author"]["name"] for one in found["comment"]] == ["Mara", "Tom"]
    assert "isAccessibleForFree" not in json.loads(render(Article(title="x"), "jsonld"))


def test_addresses_that_may_not_be_shown_are_not() -> None:
    hostile = Article(next_page="javascript:alert(1)", single_page='https://x.example/"><script>')
    for name in ("xml", "tei"):
        written = render(hostile, name)
        assert "javascript" not in written
        assert "<script>" not in written


def test_comments_that_only_the_structured_data_holds() -> None:
    script = json.dumps({"@type": "Article", "comment": [{"text": "One. <b>Two</b>", "author": "Mara"}]})
    page = Page(f'<script type="application/ld+json">{script}</script><p>x')
    made = assemble(page, Spans.all(len(page.text)), fields.read(page))
    assert made.comments == (Comment((Block(Kind.PARAGRAPH, (Inline("One. Two"),)),), "Mara"),)


def test_a_comment_of_a_day_has_its_first_moment_and_says_so() -> None:
    day = article_from_json('{"comments": [{"author": "Ida", "published": "2026-03-01"}]}').comments[0]
    assert (day.published, day.published_precision) == (datetime(2026, 3, 1), "day")
    assert day.published_as_stated == date(2026, 3, 1)
    exact = Comment(author="Ida", published=datetime(2026, 3, 1, 10, 5))
    assert (exact.published_as_stated, exact.published_precision) == (datetime(2026, 3, 1, 10, 5), "second")
    assert (Comment().published, Comment().published_precision, Comment().published_as_stated) == (None, "", None)


def test_a_film_behind_the_last_word_of_the_last_comment() -> None:
    """What is embedded stands before a piece of text; behind it there may be none."""
    story = "<p>The harbour carries cars again, and the ferry has gone back to the islands of the bay.</p>" * 8
    said = "<p>I crossed it the next day and it was grand for everybody there.</p>"
    film = '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ" title="The bridge"></iframe>'
    remarks = "".join(f'<div class="comment"><cite class=fn>{name}</cite>{said}</div>' for name in ("Mara", "Tom"))
    remarks += f'<div class="comment"><cite class=fn>Ida</cite>{said}{film}'
    source = f"<h1>Harbour bridge reopens</h1>{story}<section id=comments class=comments>{remarks}"
    assert len(tidings.extract(source).comments) > 0


@pytest.mark.parametrize("words", [OBJECTING, THANKING])
@pytest.mark.parametrize("said", ["{}", "A {}!", "A{}b", "Ä {} ſ", "ſ {}"])
def test_words_that_tell_a_class_are_told_by_what_is_always_written_so(words: RemarkWords, said: str) -> None:
    alone = "disagree|YANLIŞ|yanlis|n’importe quoi|Не согласен|ΛΆΘΟΣ|胡说|thanks|Great read|OBRIGADA|ありがとう"
    for word in alone.split("|"):
        text = said.format(word)
        assert words(text) == words.words(text)
