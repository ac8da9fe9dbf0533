"""Recordings and films: their metadata, and the files of feeds."""

from __future__ import annotations

import pytest

from tests.lab.structure.test_structure import read
from tests.lab.structure.written import page
from tidings.article import Article, Block, Embed, Inline, Kind, article_from_json, render
from tidings.article.units.recordings import seconds, size, with_recordings

FILE = "https://cdn.example.org/seals.mp3"
EPISODE = (
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "PodcastEpisode", '
    '"name": "Counting seals, part two", "associatedMedia": {"@type": "AudioObject", '
    '"contentUrl": "https://cdn.example.org/seals.mp3?from=web", "encodingFormat": "audio/mpeg", '
    '"duration": "PT34M11S", "contentSize": "31.3 MB"}}</script>'
)
TOLD = {"title": "Counting seals, part two", "media_type": "audio/mpeg", "seconds": 2051, "size": 31_300_000}


def embeds(article: Article) -> list[Embed]:
    return [block.embed for block in article.blocks if block.embed is not None]


def test_a_recording_that_is_only_declared_stands_behind_the_text() -> None:
    article = read(page("", EPISODE))
    assert embeds(article) == [Embed("audio", FILE + "?from=web", **TOLD)]  # type: ignore[arg-type]
    assert article.blocks[-1].kind is Kind.EMBED
    assert article.text == read(page("")).text
    assert article_from_json(render(article, "json")) == article
    assert f"[audio, Counting seals, part two, 34:11]({FILE}?from=web)" in render(article, "markdown")
    assert 'mimeType="audio/mpeg"' in render(article, "tei")
    assert 'seconds="2051" bytes="31300000"' in render(article, "xml")


def test_what_is_declared_is_told_of_what_is_played() -> None:
    article = read(page(f'<audio controls src="{FILE}"></audio>', EPISODE))
    assert embeds(article) == [Embed("audio", FILE, **TOLD)]  # type: ignore[arg-type]
    assert article.blocks[-1].kind is not Kind.EMBED


def test_the_type_and_the_title_of_a_player() -> None:
    player = (
        f'<audio title="Episode two"><source src="blob:x"><source src="{FILE}" type="audio/mpeg; codecs=mp3"></audio>'
    )
    assert embeds(read(page(player))) == [Embed("audio", FILE, title="Episode two", media_type="audio/mpeg")]
    film = '<iframe title="{}" src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe>'
    assert embeds(read(page(film.format("YouTube video player"))))[0].title == ""
    assert embeds(read(page(film.format("Seals in May"))))[0].title == "Seals in May"


def test_a_link_of_the_text_to_a_file_is_a_recording() -> None:
    (found,) = embeds(read(page(f'<p>The whole talk is here: <a href="{FILE}">Download</a>, half an hour long.</p>')))
    assert (found.provider, found.url, found.title) == ("audio", FILE, "")


def test_the_file_of_a_feed_meets_what_the_page_plays() -> None:
    enclosed = Embed("audio", FILE + "?from=feed", media_type="audio/mpeg", seconds=60, size=5)
    text = Block(Kind.PARAGRAPH, (Inline("Seals."),))
    played = Article(blocks=(text, Block(Kind.EMBED, embed=Embed("audio", FILE, title="Two"))))
    (found,) = embeds(with_recordings(played, [enclosed]))
    assert found == Embed("audio", FILE, "", "Two", "audio/mpeg", 60, 5)
    assert embeds(with_recordings(Article(blocks=(text,)), [enclosed])) == [enclosed]
    assert not embeds(with_recordings(Article(blocks=(text,)), [Embed("audio", "javascript:x")]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PT1H2M3S", 3723),
        ("P1DT1S", 86_401),
        ("1:02:03", 3723),
        ("34:11", 2051),
        ("PT", None),
        ("", None),
        ("PT9.5S", 9),
    ],
)
def test_lengths(text: str, expected: int | None) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("31.3 MB", 31_300_000), ("500", 500), ("1,5 GB", 1_500_000_000), ("much", None), ("0", None)],
)
def test_sizes(text: str, expected: int | None) -> None:
    assert size(text) == expected
