# ruff: noqa: E501  # markup stands as tools write it, on one line
"""Posts of forums, question sites and live pages: who, when, which number, which they answer; in every format."""

from __future__ import annotations

import json
from datetime import date

import pytest

from tidings import Page, fields
from tidings.article import Article, Block, Kind, Post, article_from_json, assemble, render

FIRST = "The seals have come back to the northern sandbank, and nobody in the office knows what brought them here."
SECOND = "They follow the herring, which came closer to the coast this spring than in any year that I remember."
THIRD = "That would explain why the boats from the south have had so little in their nets for several weeks now."


def discourse(number: int, by: str, text: str, quote: str = "") -> str:
    return (
        f'<div id="post_{number}" itemprop="comment" class="topic-body crawler-post"><div class="crawler-post-meta">'
        f'<span class="creator" itemprop="author"><a href="/u/{by}"><span itemprop="name">{by}</span></a></span>'
        f'<span class="crawler-post-infos"><time datetime="2024-05-0{number}T10:00:00Z" class="post-time">May {number}</time>'
        f'<meta itemprop="position" content="{number}"></span></div><div class="post" itemprop="text">{quote}<p>{text}</p></div></div>'
    )


def xenforo(number: int, by: str, text: str, quote: str = "") -> str:
    return (
        f'<article class="message message--post" data-author="{by}" data-content="post-{900 + number}" id="js-post-{900 + number}">'
        f'<h4 class="message-name"><a href="/members/{by}/" class="username">{by}</a></h4><ul class="message-attribution-main">'
        f'<li><time datetime="2024-05-0{number}T10:00:00+0000">May {number}, 2024</time></li></ul>'
        f'<ul><li><a href="/threads/seals.1/post-{900 + number}">#{number}</a></li></ul>'
        f'<div class="message-body">{quote}<div class="bbWrapper">{text}</div></div></article>'
    )


def phpbb(number: int, by: str, text: str, quote: str = "") -> str:
    return (
        f'<div id="p{70 + number}" class="post has-profile bg{number % 2}"><dl class="postprofile"><dt><a class="username" href="/u{number}">{by}</a></dt></dl><p class="post-date">'
        f'<time datetime="2024-05-0{number}T10:00:00+00:00">May {number}, 2024</time></p><div class="content">{quote}{text}</div></div>'
    )


def exchange(number: int, by: str, text: str, quote: str = "") -> str:
    sort = "question" if number == 1 else "answer"
    return (
        f'<div id="{sort}-{500 + number}" class="{sort} js-post" data-postid="{500 + number}"><div class="s-prose post-text">{quote}<p>{text}</p></div>'
        f'<div class="post-signature"><time datetime="2024-05-0{number}T10:00:00">May {number}</time> <div class="user-details" itemprop="author"><a href="/u/{number}">{by}</a></div></div></div>'
    )


def live(number: int, by: str, text: str, quote: str = "") -> str:
    return (
        f'<article class="liveblog-post" id="post-{number}"><time class="post-time" datetime="2024-05-01T1{number}:00:00Z">1{number}:00</time>'
        f'<span class="post-author author">{by}</span>{quote}<p>{text}</p></article>'
    )


WAYS = {
    "discourse": (discourse, '<aside class="quote" data-post="1" data-topic="9"><blockquote><p>nobody knows</p></blockquote></aside>'),
    "xenforo": (xenforo, '<blockquote data-quote="Anna" data-source="post: 901" class="bbCodeBlock bbCodeBlock--quote">nobody knows</blockquote>'),
    "phpbb": (phpbb, '<blockquote><cite><a href="/u1">Anna</a> wrote: <a href="./viewtopic.php?p=71#p71">↑</a></cite>nobody knows</blockquote>'),
    "exchange": (exchange, ""),
    "live": (live, ""),
}  # fmt: skip


def thread(way: str) -> Article:
    make, quote = WAYS[way]
    posts = make(1, "Anna", FIRST), make(2, "Bert", SECOND, quote), make(3, "Clara", THIRD)
    html = f"<html><head><title>Seals</title></head><body><main><h1>Seals</h1>{''.join(posts)}</main></body></html>"
    page = Page(html, "https://forum.example.org/t/seals/9")
    return assemble(page, page.visible, fields.read(page, page.visible))


@pytest.mark.parametrize("way", WAYS)
def test_posts_have_author_time_and_number_and_stand_among_the_blocks(way: str) -> None:
    article = thread(way)
    heads = [block.post for block in article.blocks if block.post is not None]
    assert [head.author for head in heads] == ["Anna", "Bert", "Clara"]
    assert [head.number for head in heads] == [1, 2, 3]
    assert all(isinstance(head.published, date) for head in heads)
    assert [(post.author, post.number, post.reply) for post in article.posts] == [
        (head.author, head.number, head.reply) for head in heads
    ]
    for place, block in enumerate(article.blocks):
        if block.post is not None and block.post.number == 3:
            assert THIRD in " ".join(one.text for one in article.blocks[place : place + block.size + 1])


@pytest.mark.parametrize(("way", "replies"), [("discourse", [None, 1, None]), ("xenforo", [None, 1, None]), ("phpbb", [None, 1, None]), ("exchange", [None, 1, 1]), ("live", [None] * 3)])  # fmt: skip
def test_a_post_answers_the_one_it_quotes_or_the_question(way: str, replies: list[int | None]) -> None:
    assert [post.reply for post in thread(way).posts] == replies


def test_a_post_in_a_post_answers_it() -> None:
    inner = (
        '<div class="comment"><span class="author">{}</span> <time datetime="2024-05-0{}">May</time><p>{}</p>{}</div>'
    )
    html = inner.format("Anna", 1, FIRST, inner.format("Bert", 2, SECOND, inner.format("Clara", 3, THIRD, "")))
    page = Page(f"<html><body><main>{html}</main></body></html>")
    assert [post.reply for post in assemble(page, page.visible, fields.read(page, page.visible)).posts] == [None, 1, 2]


def test_every_format_marks_posts_and_json_is_read_back() -> None:
    article = thread("xenforo")
    assert article_from_json(render(article, "json")) == article
    assert "#2 Bert, 2024-05-02T10:00:00+00:00, ↩ #1" in render(article, "text")
    assert "\n\n---\n\n**#2 Bert, " in render(article, "markdown")
    assert '<header data-post="2" data-reply="1">#2 Bert <time' in render(article, "html")
    assert '<post number="2" author="Bert"' in render(article, "xml")
    assert '<note type="post" n="2"><name>Bert</name>' in render(article, "tei")
    assert "#2 Bert" in json.loads(render(article, "jsonld"))["articleBody"]


def test_the_text_of_an_article_has_nothing_that_the_page_does_not_say() -> None:
    assert "↩" not in thread("xenforo").text


def test_posts_that_answer_themselves_or_what_comes_later_answer_nothing() -> None:
    quote = '<aside class="quote" data-post="{}"><blockquote><p>nobody knows</p></blockquote></aside>'
    posts = discourse(1, "Anna", FIRST, quote.format(2)), discourse(2, "Bert", SECOND, quote.format(2))
    page = Page(f"<html><body><main>{''.join(posts)}</main></body></html>")
    assert [post.reply for post in assemble(page, page.visible, fields.read(page, page.visible)).posts] == [None, None]


def test_a_head_with_text_loses_nothing() -> None:
    block = Block(Kind.POST, thread("live").blocks[0].inlines, post=Post("Anna", None, 7))
    for name in ("text", "markdown", "html", "xml", "tei"):
        shown = render(Article(blocks=(block,)), name)
        assert "Seals" in shown
        assert "Anna" in shown
