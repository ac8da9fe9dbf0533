"""Those who comment on a story are not its authors, and what a comment says of itself is not its text."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from tidings import extract
from tidings.article import Article
from tidings.fields import comments
from tidings.fields.comments.signatures import signed_line
from tidings.page import Page

TEXT = "".join(
    f"<p>{line}</p>"
    for line in (
        "The old lighthouse at Skerry Point will be lit again in May, for the first time in nineteen years.",
        "Volunteers have cleaned the lens, which is as tall as a man, with nothing but vinegar and newspaper.",
        "The harbour board pays for the lamp; the paint was given by a shop in the village, in two shades of white.",
        "On the first night there will be soup, and whoever wants to can climb the hundred and eleven steps.",
        "Boats have been told to take no notice of the light: they all find their way by satellite these days.",
    )
)
FIRST, SECOND = (
    "My father kept that light for eleven years, and I was born there.",
    "Will there be parking for coaches?",
)
#: What stands around the comments in each shape; the first two are how a story can be signed.
SIGNED = '<p class="byline">By <span class="author">Ann Lee</span></p>'
UNSIGNED = ""

WORDPRESS = f"""<div id="comments"><h3>2 Responses to Skerry Point</h3><ol class="commentlist">
<li class="comment even thread-even depth-1" id="comment-41"><div class="comment-author vcard">
<cite class="fn"><a href="http://jo.example" rel="external nofollow">Jo Miller</a></cite>
<span class="says">said on March 4, 2013:</span></div><p>{FIRST}</p></li>
<li class="comment odd alt depth-1" id="comment-42"><div class="comment-author vcard"><cite class="fn">Pat Quinn</cite>
<span class="says">said on March 5, 2013:</span></div><p>{SECOND}</p></li></ol></div>"""
#: An old theme: nothing has a class.
CITES = f"""<h3 id="comments">2 Responses</h3><ol class="commentlist">
<li id="comment-41"><cite><a href="http://jo.example" rel="author">Jo Miller</a></cite> said on March 4, 2013:
<p>{FIRST}</p></li><li id="comment-42"><cite>Pat Quinn</cite> said on March 5, 2013: <p>{SECOND}</p></li></ol>"""
LINES = f"""<div class="comments"><div class="comment"><p><a href="http://jo.example" rel="author">Jo Miller</a>
 said on March 4, 2013:</p><p>{FIRST}</p></div><div class="comment"><p><a href="/pat" rel="author">Pat Quinn</a>
 said on March 5, 2013:</p><p>{SECOND}</p></div></div>"""
BLOGGER = f"""<div class="comments" id="comments"><h4>2 comments:</h4><dl id="comments-block">
<dt class="comment-author" id="c41"><a href="http://jo.example" rel="author nofollow">Jo Miller</a> said...</dt>
<dd class="comment-body"><p>{FIRST}</p></dd><dd class="comment-footer"><span class="comment-timestamp">
<a href="#c41">March 4, 2013 at 10:10 AM</a></span></dd>
<dt class="comment-author" id="c42"><a href="http://pat.example" rel="author nofollow">Pat Quinn</a> said...</dt>
<dd class="comment-body"><p>{SECOND}</p></dd><dd class="comment-footer"><span class="comment-timestamp">
<a href="#c42">March 5, 2013 at 9:05 PM</a></span></dd></dl></div>"""
DISQUS = f"""<div id="disqus_thread"><div id="dsq-content"><ul id="dsq-comments">
<li id="dsq-comment-41"><div id="dsq-comment-header-41" class="dsq-comment-header"><cite id="dsq-cite-41">
<a href="http://jo.example" rel="author">Jo Miller</a></cite></div><div class="dsq-comment-body">
<div class="dsq-comment-message"><p>{FIRST}</p></div></div></li>
<li id="dsq-comment-42"><div id="dsq-comment-header-42" class="dsq-comment-header"><cite id="dsq-cite-42">
<span class="author">Pat Quinn</span></cite></div><div class="dsq-comment-body">
<div class="dsq-comment-message"><p>{SECOND}</p></div></div></li></ul></div></div>"""
MICRODATA = f"""<section class="discussion"><div itemprop="comment" itemscope itemtype="https://schema.org/Comment">
<span itemprop="author" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Jo Miller</b></span>
<time itemprop="dateCreated" datetime="2013-03-04">4 March</time><div itemprop="text"><p>{FIRST}</p></div></div>
<div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><span itemprop="author">Pat Quinn</span>
<time itemprop="dateCreated" datetime="2013-03-05">5 March</time><div itemprop="text"><p>{SECOND}</p></div></div>
</section>"""
#: A comment that is no property of the story, as the standard has it for one that stands for itself.
ITEMS = MICRODATA.replace('itemprop="comment" ', "")
HENTRY = f"""<div class="hfeed" id="comments-list"><div class="hentry comment" id="c41"><address class="author vcard">
<a class="url fn" rel="author" href="http://jo.example">Jo Miller</a></address>
<abbr class="published" title="2013-03-04">March 4, 2013</abbr><div class="entry-content"><p>{FIRST}</p></div></div>
<div class="hentry comment" id="c42"><address class="author vcard"><span class="fn">Pat Quinn</span></address>
<abbr class="published" title="2013-03-05">March 5, 2013</abbr><div class="entry-content"><p>{SECOND}</p></div></div>
</div>"""
SHAPES = {
    "WordPress": WORDPRESS,
    "an old theme": CITES,
    "paragraphs": LINES,
    "Blogger": BLOGGER,
    "Disqus": DISQUS,
    "microdata": MICRODATA,
    "items": ITEMS,
    "hentry": HENTRY,
}


def read(comments: str, signed: str = SIGNED) -> Article:
    html = f"""<html lang="en"><title>Light at Skerry Point</title><body>
<article itemscope itemtype="https://schema.org/BlogPosting"><h1 itemprop="headline">Light at Skerry Point</h1>{signed}
<div class="entry">{TEXT}</div>{comments}</article></body></html>"""
    return extract(html, url="https://skerry.example/2013/03/light")


@pytest.mark.parametrize("shape", SHAPES)
def test_commenters_are_no_authors(shape: str) -> None:
    assert read(SHAPES[shape], UNSIGNED).authors == ()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_author_is(shape: str) -> None:
    assert read(SHAPES[shape]).authors == ("Ann Lee",)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_author_who_comments_too_is_one(shape: str) -> None:
    assert read(SHAPES[shape].replace("Jo Miller", "Ann Lee")).authors == ("Ann Lee",)


@pytest.mark.parametrize("shape", SHAPES)
def test_comments_are_not_in_the_story(shape: str) -> None:
    assert "My father kept" not in read(SHAPES[shape]).text


@pytest.mark.parametrize("shape", SHAPES)
def test_who_said_what_and_when(shape: str) -> None:
    told = [(one.author, one.published_as_stated, one.text) for one in read(SHAPES[shape]).comments]
    times: list[datetime | date | None] = [date(2013, 3, 4), date(2013, 3, 5)]
    if shape == "Blogger":
        times = [datetime(2013, 3, 4, 10, 10), datetime(2013, 3, 5, 21, 5)]
    if shape == "Disqus":  # without scripts it tells none
        times = [None, None]
    assert told == [("Jo Miller", times[0], FIRST), ("Pat Quinn", times[1], SECOND)]


@pytest.mark.parametrize(
    ("line", "author", "signed"),
    [
        ("Jo Miller said on March 4, 2013:", "", ("Jo Miller", date(2013, 3, 4))),
        ("Jo Miller said on March 4, 2013:", "Jo Miller", ("Jo Miller", date(2013, 3, 4))),
        ("said on March 4, 2013 at 10:10 AM:", "Jo", ("Jo", datetime(2013, 3, 4, 10, 10))),
        ("Jörg schrieb am 4. März 2013:", "", ("Jörg", date(2013, 3, 4))),
        ("Zoé a écrit le 4 mars 2013 :", "", ("Zoé", date(2013, 3, 4))),
        ("March 4, 2013", "Jo", ("Jo", date(2013, 3, 4))),
        ("March 4, 2013 was the day when the lamp was lit.", "", None),
        ("They said on March 4, 2013 that it would be lit in May.", "", None),
        ("Come to the party on March 4, 2013!", "", None),
        ("Easter March 4, 2013", "", None),
        ("Jo Miller said:", "", None),
        ("", "", None),
    ],
)
def test_lines_that_sign(line: str, author: str, signed: tuple[str, object] | None) -> None:
    assert signed_line(line, author, "en") == signed


def test_what_a_comment_says_of_a_day_stays() -> None:
    said = WORDPRESS.replace(FIRST, "On March 1, 1994 the lamp went out, I was there.")
    told = read(said).comments[0]
    assert (told.published_as_stated, told.text) == (
        date(2013, 3, 4),
        "On March 1, 1994 the lamp went out, I was there.",
    )
    cited = LINES.replace("for coaches?", "for coaches, as <cite>The Skerry Herald</cite> says?")
    assert read(cited).comments[1].text == "Will there be parking for coaches, as The Skerry Herald says?"


def test_whom_a_comment_speaks_to_is_in_its_text() -> None:
    html = WORDPRESS.replace(SECOND, 'I agree with <a href="/users/jo">@Jo Miller</a> there.')
    assert read(html).comments[1].text == "I agree with @Jo Miller there."


def test_one_who_comments_and_stands_beside_the_date_is_the_author() -> None:
    line = "<p>skerryfan 2 March 2013, 9:30</p>"
    assert read(WORDPRESS.replace("Jo Miller", "skerryfan"), line).authors == ("skerryfan",)
    assert read(WORDPRESS, line).authors == ()


def test_the_answers_of_a_forum_are_posts_and_not_those_of_its_author() -> None:
    html = f"""<html lang="en"><title>Skerry Point</title><body>
<div itemscope itemtype="https://schema.org/DiscussionForumPosting"><h1 itemprop="headline">Light at Skerry Point</h1>
<div class="post"><span class="author">Ann Lee</span><div itemprop="text">{TEXT}</div></div>{MICRODATA}</div></body>"""
    found = comments.find(Page(html))
    assert not found.area
    assert "My father kept" in found.answers.text(Page(html))
    assert extract(html).authors == ("Ann Lee",)


def test_an_item_in_a_story_has_its_own_properties() -> None:
    """HTML standard, 5.2.5: an item with no name is not part of the one around it."""
    card = """<div itemscope itemtype="https://schema.org/Person"><b itemprop="name">Kim Berg</b>
        <i itemprop="author">Kim Berg</i></div>"""
    assert read("", '<span itemprop="author">Ann Lee</span>' + card).authors == ("Ann Lee",)
