"""Embedded posts become quotes with author and link, in every format."""

from __future__ import annotations

import pytest

import tidings
from tidings.article import Article, Block, Kind, article_from_json, render

STORY = "<p>The wardens counted forty pups on the sandbank at dawn, more than in any year on record, they said.</p>"
NETWORKS = {
    "X": (
        (
            '<blockquote class="twitter-tweet"><p lang="en">The seals are back.<br>All of them</p>'
            '&mdash; Anna Lee (@anna) <a href="https://x.com/a/status/1">May 1, 2024</a></blockquote>'
        ),
        "The seals are back.\nAll of them\n— Anna Lee (@anna) May 1, 2024",
        "Anna Lee (@anna)",
        "https://x.com/a/status/1",
    ),
    "Instagram": (
        (
            '<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/abc/">'
            '<a href="https://www.instagram.com/p/abc/"><div>View this post on Instagram</div></a>'
            '<p><a href="https://www.instagram.com/p/abc/">A post shared by Neha M (@neham)</a></p></blockquote>'
        ),
        "A post shared by Neha M (@neham)",
        "Neha M (@neham)",
        "https://www.instagram.com/p/abc/",
    ),
    "Facebook": (
        (
            '<div class="fb-post"><blockquote cite="https://www.facebook.com/a/posts/1" class="fb-xfbml-parse-ignore">'
            '<p>We opened the harbour today.</p>Posted by <a href="https://facebook.com/h">Harbour</a> on '
            '<a href="https://www.facebook.com/a/posts/1">Monday, May 1</a></blockquote></div>'
        ),
        "We opened the harbour today.\nPosted by Harbour on Monday, May 1",
        "Harbour",
        "https://www.facebook.com/a/posts/1",
    ),
    "Bluesky": (
        (
            '<blockquote class="bluesky-embed"><p>Look at the pups.</p>&mdash; Bo Day '
            '(<a href="https://bsky.app/profile/d">@bo-day.bsky.social</a>) '
            '<a href="https://bsky.app/profile/d/post/1">May 1, 2024</a></blockquote>'
        ),
        "Look at the pups.\n— Bo Day (@bo-day.bsky.social) May 1, 2024",
        "Bo Day (@bo-day.bsky.social)",
        "https://bsky.app/profile/d/post/1",
    ),
    "TikTok": (
        (
            '<blockquote class="tiktok-embed" cite="https://www.tiktok.com/@sea/video/1"><section>'
            '<a href="https://www.tiktok.com/@sea">@sea</a> <p>Seals at play #seals</p></section></blockquote>'
        ),
        "@sea\nSeals at play #seals",
        "@sea",
        "https://www.tiktok.com/@sea/video/1",
    ),
    "Mastodon": (
        (
            '<blockquote class="mastodon-embed"><a href="https://m.example/@bo/1"><div>Post by @bo@m.example</div>'
            "<div>View on Mastodon</div></a></blockquote>"
        ),
        "Post by @bo@m.example",
        "@bo@m.example",
        "https://m.example/@bo/1",
    ),
    "Reddit": (
        (
            '<blockquote class="reddit-embed-bq"><a href="https://reddit.com/r/s/comments/1/x/">Seals near my pier</a>'
            '<br> by<a href="https://reddit.com/user/anna/">u/anna</a> in<a href="https://reddit.com/r/s/">seals</a>'
            "</blockquote>"
        ),
        "Seals near my pier by u/anna in seals",
        "u/anna",
        "https://reddit.com/r/s/comments/1/x/",
    ),
}


def _article(post: str) -> Article:
    html = f"<title>Seals are back</title><article><h1>Seals are back</h1>{STORY * 2}{post}{STORY * 2}</article>"
    assert tidings.extract_text(html) == tidings.extract(html).text
    return tidings.extract(html)


def _post(article: Article) -> Block:
    (post,) = [block for block in article.blocks if block.kind is Kind.EMBED]
    return post


@pytest.mark.parametrize("network", NETWORKS)
def test_a_post_is_one_block_with_text_author_and_link(network: str) -> None:
    html, text, author, url = NETWORKS[network]
    post = _post(_article(html))
    assert post.embed is not None
    assert (post.text, post.embed.provider, post.embed.author, post.embed.url) == (text, network, author, url)


@pytest.mark.parametrize(
    ("format_name", "expected"),
    [
        ("text", "The seals are back.\nAll of them\n— Anna Lee (@anna) May 1, 2024"),
        (
            "markdown",
            "> The seals are back.\\\n> All of them\n>\n> — [Anna Lee (@anna) May 1, 2024, X](https://x.com/a/status/1)",
        ),
        (
            "html",
            (
                "<blockquote><p>The seals are back.<br>All of them</p></blockquote><figcaption>"
                '<a href="https://x.com/a/status/1" rel="noopener noreferrer">Anna Lee (@anna) May 1, 2024, X</a>'
            ),
        ),
        ("xml", '<embed provider="X" url="https://x.com/a/status/1" author="Anna Lee (@anna)">The seals are back.'),
        (
            "tei",
            (
                "<quote><p>The seals are back.<lb/>All of them</p><bibl>"
                '<ptr target="https://x.com/a/status/1" type="X"/>Anna Lee (@anna) May 1, 2024, X</bibl></quote>'
            ),
        ),
    ],
)
def test_every_format_shows_a_post_as_a_quote_with_author_and_link(format_name: str, expected: str) -> None:
    assert expected in render(_article(NETWORKS["X"][0]), format_name)


def test_a_post_survives_json() -> None:
    article = _article(NETWORKS["X"][0])
    assert article_from_json(render(article, "json")) == article


def test_a_byline_alone_is_a_link() -> None:
    assert (
        "\n\n[A post shared by Neha M (@neham), Instagram](https://www.instagram.com/p/abc/)\n\n"
        in _article(NETWORKS["Instagram"][0]).markdown()
    )


def test_a_dash_in_a_post_is_no_byline() -> None:
    html = NETWORKS["X"][0].replace("The seals are back.", "Seals — seals — dancing in the street.")
    assert _post(_article(html)).embed == _post(_article(NETWORKS["X"][0])).embed


@pytest.mark.parametrize(
    ("fallback", "title"),
    [('<a href="x">Tides by Sea &amp; Co</a>', "Tides by Sea & Co"), ("Your browser shows no frames", ""), ("", "")],
)
def test_the_text_inside_an_iframe_is_the_title_of_its_embed(fallback: str, title: str) -> None:
    post = _post(_article(f'<iframe src="https://bandcamp.com/EmbeddedPlayer/album=1">{fallback}</iframe>'))
    assert post.embed is not None
    assert post.embed.title == title
