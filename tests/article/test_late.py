"""Articles of pages make their blocks when asked, and nobody can tell."""

from __future__ import annotations

import copy
import gc
import pickle
from concurrent.futures import ThreadPoolExecutor
from weakref import ref

import pytest

import tidings
from tidings import Page, Spans, fields
from tidings.article import Article, assemble
from tidings.article.few import MOST
from tidings.article.plain import plain

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
def test_asked_in_any_order_an_article_says_the_same(html: str) -> None:
    text_first, blocks_first = read(html), read(html)
    assert blocks_first.blocks == read(html).blocks
    assert text_first.text == plain(blocks_first.blocks) == blocks_first.text
    assert text_first == blocks_first
    assert hash(text_first) == hash(blocks_first)


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_a_copy_is_whole(html: str) -> None:
    assert pickle.loads(pickle.dumps(read(html))) == copy.copy(read(html)) == copy.deepcopy(read(html)) == read(html)  # noqa: S301  # our own


def test_what_is_between_chosen_parts_of_a_block() -> None:
    page = Page("<p>One <span hidden>secret</span>two<br><span hidden>more</span>three</p>")
    assert assemble(page, Spans.all(len(page.text))).text == "One two\nthree"


def test_a_part_of_a_run_is_folded() -> None:
    page = Page("<p>One two three</p><pre>a  b</pre>")
    article = assemble(page, Spans.of([(3, 8)], len(page.text)))
    assert article.text == "two"


def test_few_articles_hold_a_page() -> None:
    held = []
    articles = []
    for number in range(2 * MOST):
        page = Page(f"<p>Story {number} of the day</p>")
        held.append(ref(page))
        articles.append(assemble(page, Spans.all(len(page.text))))
        del page
    gc.collect()
    assert sum(page() is not None for page in held) == MOST
    assert [article.text for article in articles] == [f"Story {number} of the day" for number in range(2 * MOST)]


def test_an_article_that_is_gone_holds_nothing() -> None:
    page = Page("<p>Story of the day</p>")
    held = ref(page)
    article = assemble(page, Spans.all(len(page.text)))
    assert article.text
    del page, article
    gc.collect()
    assert held() is None


def test_threads_that_ask_one_article_get_the_same() -> None:
    html = "".join(f"<ul><li>item {number}<li><b>b</b>old</ul><p>text {number}</p>" for number in range(40))
    whole = read(html)
    expected = whole.blocks, whole.text
    for _ in range(5):
        article = read(html)
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: (article.text, article.blocks, article.text), range(16)))  # noqa: B023  # used in this round
        assert all((blocks, text) == expected and again == text for text, blocks, again in answers)


def test_the_default_says_the_same_late() -> None:
    html = "<h1>Seals are back</h1>" + "".join(
        f"<p>They were seen {number} times in the estuary.</p>" for number in range(9)
    )
    first, second = tidings.extract(html), tidings.extract(html)
    assert first.text == plain(second.blocks)
    assert first == second
