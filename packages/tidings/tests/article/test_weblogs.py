"""Weblogs: classes of comments, posts by year, and who comments is nobody's author (DANA thesis 7.2.2)."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from tests.fields.test_commenters import LINES, SIGNED, TEXT
from tidings import extract
from tidings.article import Block, Comment, Inline, Kind, article_from_json
from tidings.article.comment_classes import classes_in, comment_class, posts_by_year


def block(*inlines: Inline) -> tuple[Block, ...]:
    return (Block(Kind.PARAGRAPH, inlines),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Will there be parking for coaches?", "question"), ("Park yeri var mı?", "question"),
        ("هل هناك موقف للسيارات؟", "question"), ("駐車場はありますか？", "question"), ("Υπάρχει χώρος;", "question"),
        ("It rained; we stayed.", ""), ("@Jo no, there is none.", "answer"), ("Thanks, a lovely read.", "thanks"),
        ("Teşekkürler, elinize sağlık.", "thanks"), ("Спасибо за статью.", "thanks"), ("写得好，谢谢", "thanks"),
        ("I disagree with all of this.", "objection"), ("Das stimmt nicht.", "objection"), ("Bu yanlış.", "objection"),
        ("Не согласен с автором.", "objection"), ("My father kept that light.", ""), ("", ""),
    ],
)  # fmt: skip
def test_classes_of_comments(text: str, expected: str) -> None:
    assert comment_class(block(Inline(text)), text) == expected


def test_replies_and_advertisements() -> None:
    assert comment_class(block(Inline("There is none.")), "There is none.", is_reply=True) == "answer"
    links = (
        Inline("cheap lamps here", "https://lamps.example/"),
        Inline(" and "),
        Inline("oil", "https://oil.example/"),
    )
    assert comment_class(block(*links), "cheap lamps here and oil") == "advert"
    assert comment_class(block(Inline("one", "https://a.example/"), Inline(" source")), "one source") == ""
    assert comment_class(block(Inline("x" * 1_000_000)), "x" * 1_000_000) == ""


def test_comments_of_a_page_have_their_class_and_are_no_authors() -> None:
    page = f"<html><body><article><h1>Skerry Point</h1>{SIGNED}{TEXT}</article>{LINES}</body></html>"
    article = extract(page)
    assert article.authors == ("Ann Lee",)
    assert [(one.author, one.kind) for one in article.comments] == [("Jo Miller", ""), ("Pat Quinn", "question")]
    assert classes_in(article.comments) == {"": 1, "question": 1}
    assert json.loads(article.json())["comments"][1]["kind"] == "question"
    assert article_from_json(article.json()) == article


def test_posts_by_year() -> None:
    days = (datetime(2013, 3, 4), datetime(2012, 1, 1), datetime(2013, 5, 6), None)
    assert posts_by_year(Comment(block(Inline("x")), published=day) for day in days) == {2012: 1, 2013: 2}
