"""Articles of pages are whole: they hold their text and blocks, and no page."""

from __future__ import annotations

import copy
import gc
import pickle
from dataclasses import FrozenInstanceError, replace
from weakref import ref

import pytest

from tidings import Page, Spans, extractor, fields, newspaper, reading
from tidings.article import Article, Options, assemble, render
from tidings.article.model.plain_text import plain

BODY = "<p>One <b>bold</b> word and <span hidden>a secret</span> two.</p>"
PAGES = {
    "paragraphs": "<h1>Head</h1><p>One<br>two <a href=/x>three</a>.</p><p>Four</p>",
    "lists": "<ol start=4><li>a<li><p>b<p>c<ul><li>d</ul></ol><dl><dt>e<dd>f</dl><p>g",
    "a heading in a list": "<ul><li><h2>a</h2>b<li><blockquote>c</blockquote></ul>",
    "a table": "<p>a<table><tr><th>b<th>c<tr><td>d <b>e</b><td>f</table><p>g",
    "a table for layout": "<table><tr><td><p>a<p>b<td>c</table>",
    "preformatted": "<p>a<pre>  b\n    c</pre><p>d<textarea> e </textarea>",
    "hidden in the middle": BODY + BODY,
    "ruby": "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> a",
    "leftwards": "<p>שלום עולם<p>a",
    "a picture": "<p>a<figure><img src=/x.png><figcaption>b</figcaption></figure><p>c",
    "nothing": "<p> </p>",
}


def read(html: str) -> Article:
    page = Page(html, "https://example.org/1")
    return assemble(page, Spans.all(len(page.text)), fields.read(page), chosen_by="all")


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_the_text_is_that_of_the_blocks(html: str) -> None:
    article = read(html)
    assert article.text == plain(article.blocks)
    assert article == read(html)
    assert hash(article) == hash(read(html))


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_a_copy_is_whole(html: str) -> None:
    article = read(html)
    for copied in (pickle.loads(pickle.dumps(article)), copy.copy(article), copy.deepcopy(article)):  # noqa: S301  # our own
        assert copied == article
        assert copied.text == article.text


def test_another_body_is_another_text() -> None:
    article = read(PAGES["lists"])
    assert replace(article, blocks=article.blocks[-1:]).text == "g"
    with pytest.raises(FrozenInstanceError):
        article.text = "other"  # type: ignore[misc]


def test_what_is_between_chosen_parts_of_a_block() -> None:
    page = Page("<p>One <span hidden>secret</span>two<br><span hidden>more</span>three</p>")
    assert assemble(page, Spans.all(len(page.text))).text == "One two\nthree"


def test_a_part_of_a_run_is_folded() -> None:
    page = Page("<p>One two three</p><pre>a  b</pre>")
    article = assemble(page, Spans.of([(3, 8)], len(page.text)))
    assert article.text == "two"


def test_an_article_holds_no_page() -> None:
    page = Page("<p>Story of the day<table><tr><th>a<th>b<tr><td>c<td>d</table><img src=/a.png>")
    held = ref(page)
    article = assemble(page, Spans.all(len(page.text)), fields.read(page))
    del page
    gc.collect()
    assert held() is None
    assert article.text


def test_what_is_read_for_plain_text_alone_gives_the_same_plain_text() -> None:
    learned, options = extractor("learned"), Options(comments=True, headline=True)
    for sample in list(newspaper.pages())[::5]:
        whole = reading.read(Page(sample.html, sample.url), learned)
        less = reading.read(Page(sample.html, sample.url), learned, for_text=True)
        assert render(less, "text", options) == render(whole, "text", options)
        assert (less.confidence, less.doubt, less.kind) == (whole.confidence, whole.doubt, whole.kind)
        assert not less.images
