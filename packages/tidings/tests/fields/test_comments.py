"""Comments and posts as lists of their own (DANA thesis 7.2.2)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from tests.support import Growth
from tidings.fields.comments import Remarks, find
from tidings.page import Page

ARTICLE = '<meta property="og:type" content="article">'
STORY = "<h1>Seals return</h1>" + "<p>" + "The seals are back in the estuary, and the town is glad of it. " * 8 + "</p>"
WORDPRESS = """<section id="comments" class="comments-area"><h2 class="comments-title">2 thoughts</h2>
<ol class="comment-list"><li id="comment-7" class="comment even depth-1">
<article id="div-comment-7" class="comment-body"><footer class="comment-meta">
<div class="comment-author vcard"><b class="fn">Mara</b> <span class="says">says:</span></div>
<time datetime="2026-03-14T08:30:00+00:00">14 March 2026 at 8:30</time></footer>
<div class="comment-content"><p>What a sight.</p><ul><li>I counted six.</li></ul></div>
<div class="reply"><a href="?replytocom=7">Reply</a></div></article>
<ol class="children"><li id="comment-9" class="comment odd depth-2"><article class="comment-body">
<div class="comment-author vcard"><b class="fn">Tom</b></div><span class="date">15 March 2026</span>
<div class="comment-content"><p>Seven, in fact.</p></div></article></li></ol></li></ol>
<div id="respond" class="comment-respond"><h3>Leave a comment</h3><form><label>Name</label></form></div></section>"""


def remarks_of(html: str) -> tuple[Page, Remarks]:
    page = Page(html)
    return page, find(page)


def summary_of(page: Page, remarks: tuple[object, ...]) -> list[tuple[str, object, str]]:
    return [(one.author, one.published, one.spans.text(page)) for one in remarks]  # type: ignore[attr-defined]


def test_comments_and_their_answers() -> None:
    page, remarks = remarks_of(STORY + WORDPRESS)
    assert summary_of(page, remarks.comments) == [
        ("Mara", datetime(2026, 3, 14, 8, 30, tzinfo=UTC), "What a sight.\nI counted six."),
        ("Tom", date(2026, 3, 15), "Seven, in fact."),
    ]
    assert remarks.posts == ()
    assert remarks.area.text(page).startswith("2 thoughts")
    assert remarks.area.text(page).endswith("Name")
    assert "glad of it" not in remarks.area.text(page)


def test_an_empty_place_for_comments_is_an_area_too() -> None:
    page, remarks = remarks_of(
        STORY + '<div id="respond"><h3>Leave a reply</h3><p>Your address is not shown.</p></div>'
    )
    assert (remarks.comments, remarks.posts) == ((), ())
    assert remarks.area.text(page) == "Leave a reply\nYour address is not shown."


@pytest.mark.parametrize(
    "html",
    [
        f'<main class="has-comments comments-open">{STORY}</main>',
        f'<body class="single comment-enabled">{STORY}</body>',
        f'<div class="comment"><h1>My comment on the budget</h1>{STORY}</div>',
        f'<article class="opinion-comment">{STORY}</article>',
        STORY,
        "<p>x</p>",
    ],
)
def test_a_story_is_no_comment(html: str) -> None:
    _, remarks = remarks_of(html)
    assert remarks.comments == remarks.posts == ()
    assert not remarks.area


def post(number: int, author: str, words: str, extra: str = "") -> str:
    return (
        f'<article id="js-post-{number}" class="message message--post"><div class="message-user">'
        f'<a href="/members/{author.lower()}.{number}/" class="username">{author}</a></div>'
        f'<time datetime="2026-03-1{number}T10:00:00+01:00">Mar {number}</time>'
        f'<div class="message-content">{words}</div><div class="actions"><a href="#">Like</a></div>{extra}</article>'
    )


LONG = "<p>" + "I have kept bees for thirty years and never saw this. " * 4 + "</p>"


def test_posts_of_a_forum() -> None:
    page, remarks = remarks_of("<h1>Bees</h1>" + post(1, "Mara", LONG) + post(2, "Tom", LONG + "<p>Second.</p>"))
    assert [(one.author, str(one.published)) for one in remarks.posts] == [
        ("Mara", "2026-03-11 10:00:00+01:00"),
        ("Tom", "2026-03-12 10:00:00+01:00"),
    ]
    assert remarks.posts[1].spans is not None
    assert remarks.posts[1].spans.text(page).endswith("Second.")
    assert "Like" not in remarks.posts[1].spans.text(page)
    assert not remarks.area
    assert remarks.comments == ()


def test_the_comments_on_a_post_are_not_the_post() -> None:
    comments = (
        '<div class="comments"><div class="comment"><a href="/users/9">Ida</a> <b>Nice bees indeed.</b></div></div>'
    )
    page, remarks = remarks_of("<h1>Bees</h1>" + post(1, "Mara", LONG, comments) + post(2, "Tom", LONG))
    assert [author for author, _, _ in summary_of(page, remarks.posts)] == ["Mara", "Tom"]
    assert all("Nice bees" not in text for _, _, text in summary_of(page, remarks.posts))


def test_teasers_beside_a_story_are_no_posts() -> None:
    cards = "".join(
        f'<div class="post-card"><time datetime="2026-03-0{n}">x</time><a href="/{n}">A story of a length {n}</a></div>'
        for n in range(1, 7)
    )
    _, remarks = remarks_of(f"<article>{STORY * 3}</article><aside>{cards}</aside>")
    assert remarks.posts == ()


def test_a_story_and_teasers_of_the_same_name_are_no_posts() -> None:
    signed = '<span class="author">Mara</span>'
    teaser = f'<div class="post">{signed}<p>A teaser of another story, long enough to count as one of these.</p></div>'
    _, remarks = remarks_of(f'{ARTICLE}<div class="post">{signed}{STORY}</div>{teaser}{teaser}')
    assert remarks.posts == ()


def test_hidden_text_is_in_no_comment() -> None:
    html = STORY + WORDPRESS.replace("What a sight.", 'What a <i style="display:none">secret</i> sight.')
    page, remarks = remarks_of(html)
    assert remarks.comments[0].spans is not None
    assert remarks.comments[0].spans.words(page)[:3] == ["What", "a", "sight."]


def test_many_comments_and_deep_ones_take_no_longer_than_they_must() -> None:
    one = '<li class="comment" id="comment-{}"><b class="fn">A</b><p>Some words of mine.</p>'
    flat = "<ol id=comments>" + "".join(one.format(n) + "</li>" for n in range(1500)) + "</ol>"
    deep = "<div id=comments>" + "".join(one.replace("li", "div").format(n) for n in range(400)) + "</div>" * 400
    for html in (flat, deep):
        _, remarks = remarks_of(ARTICLE + STORY + html)
        assert len(remarks.comments) == html.count("comment-")


def test_the_answer_is_kept_with_the_page_and_a_part_has_its_own() -> None:
    page, remarks = remarks_of(STORY + WORDPRESS)
    assert find(page) is remarks
    part = page.within(~remarks.area)
    assert find(part).comments == ()


def test_time_grows_with_the_page_and_not_with_its_square(growth: Growth) -> None:
    def work(count: int) -> Callable[[], Remarks]:
        boxes = "".join(f'<div class="comment n{n}"><h1 class=author>A{n}</h1><p>words</p></div>' for n in range(count))
        source = STORY + boxes
        return lambda: find(Page(source))

    assert growth(work(2000), work(8000)) < 8
