"""Posts of social networks inside a story are selected with it, whatever their probability is."""

from __future__ import annotations

import numpy as np
import pytest

import tidings
from tidings.extractors.learned.embedded_posts import with_embedded_posts
from tidings.page import Page, Spans

ONE = "<p>The wardens counted forty pups on the sandbank at dawn.</p>"
TWO = "<p>Nobody remembers a spring with so many of them.</p>"
POST = (
    '<blockquote class="twitter-tweet"><p>Seals everywhere this morning.</p>&mdash; Anna Lee (@anna) '
    '<a href="https://x.com/anna/status/1">May 1, 2024</a></blockquote>'
)
WITHOUT_CLASS = POST.replace(' class="twitter-tweet"', "")
LABEL = '<blockquote class="instagram-media"><a href="/p">View this post on Instagram</a></blockquote>'
TEASER = "<p>Harbour fees rise again in June.</p>"
CONSENT = " ".join(["We use cookies and ask for your consent to store them on this device."] * 60)


def _added(html: str) -> str:
    """Return what is added to a selection of exactly the paragraphs `ONE` and `TWO`."""
    page = Page(html)
    starts = [(page.text.find(text[3:-4]), len(text) - 7) for text in (ONE, TWO)]
    story = Spans.of([(start, start + length) for start, length in starts if start >= 0], len(page.text))
    return (with_embedded_posts(page, story) - story).text(page).replace("\n", " ")


@pytest.mark.parametrize(
    ("place", "html"),
    [
        ("between two paragraphs", f"<article>{ONE}{POST}{TWO}</article>"),
        ("in a box of its own", f"<article>{ONE}<figure><div>{POST}</div></figure>{TWO}</article>"),
        ("at the end of the container", f"<article>{ONE}{TWO}{POST}</article><div>{TEASER}</div>"),
        ("at the start of the container", f"<article>{POST}{ONE}{TWO}</article>"),
        ("without the class that the site removed", f"<article>{ONE}{WITHOUT_CLASS}{TWO}</article>"),
    ],
)
def test_a_post_inside_the_story_is_added(place: str, html: str) -> None:
    assert _added(html) == "Seals everywhere this morning. — Anna Lee (@anna) May 1, 2024", place


@pytest.mark.parametrize(
    ("place", "html"),
    [
        ("a column beside the story", f"<main><div>{ONE}{TWO}</div><div>{TEASER}{POST}</div></main>"),
        ("an aside between two paragraphs", f"<article>{ONE}<aside>{POST}</aside>{TWO}</article>"),
        ("a collection of posts at the end", f"<article>{ONE}{TWO}{POST * 3}</article>"),
        ("the footer", f"<article>{ONE}{TWO}</article><footer>{POST}</footer>"),
        ("a hidden box", f"<article>{ONE}<div hidden>{POST}</div>{TWO}</article>"),
        (
            "a quote of the story",
            f"<article>{ONE}<blockquote><p>Support us with a gift.</p></blockquote>{TWO}</article>",
        ),
        ("a quote that never ends", f'<article>{ONE}{TWO}<blockquote class="twitter-tweet"><p>{CONSENT}'),
        ("a consent dialogue", f'<article>{ONE}<div class="cookie-banner">{CONSENT}</div>{TWO}</article>'),
        ("a table of cookies", f"<article>{ONE}<table><tr><td>_ga<td>Twitter, two years</table>{TWO}</article>"),
        ("a call for support", f'<article>{ONE}<div class="support-us">Support us: follow @news.</div>{TWO}</article>'),
        ("lines that only lead to the network", f"<article>{ONE}{LABEL}{TWO}</article>"),
    ],
)
def test_what_is_no_post_of_the_story_is_not_added(place: str, html: str) -> None:
    assert _added(html) == "", place


def test_nothing_is_added_to_an_empty_selection() -> None:
    page = Page(f"<article>{ONE}{POST}{TWO}</article>")
    assert not with_embedded_posts(page, Spans.none(len(page.text)))


def test_posts_in_the_comments_stay_out() -> None:
    story = "".join(
        f"<p>{number}. The wardens counted forty pups on the sandbank at dawn, more than ever.</p>"
        for number in range(9)
    )
    remark = f"<p>I saw them too, all of them at once.</p>{POST}"
    comments = "".join(
        f'<div class="comment"><b>Bo {number}</b> <time>2 May 2024</time>{remark}</div>' for number in range(4)
    )
    article = tidings.extract(f'<article><h1>Seals</h1>{story}</article><section class="comments">{comments}</section>')
    assert "forty pups" in article.text
    assert "Seals everywhere" not in article.text


def test_a_post_is_selected_whole_or_not_at_all() -> None:
    page = Page(f"<article>{ONE}{POST}{TWO}</article>")
    half = Spans.of_runs(page, np.array([True, True, *[False] * (len(page.runs) - 3), True]))
    assert with_embedded_posts(page, half).text(page) == page.visible.text(page)
