"""Articles of the newspaper become stories, in one go or in two, and nobody does it twice at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from tidings import extract
from tidings.article import Article, Block, Inline, Kind
from tidings.news import newspaper, store
from tidings.news.store.records_of_articles import NewArticle
from tidings.news.stories.duplicates import Signature
from tidings.news.watch import grouping

NOW = datetime(2026, 4, 1, tzinfo=UTC)


def articles() -> list[Article]:
    return [extract(page.html, page.url) for page in newspaper.pages(lang="en") if page.page_type != "front"]


def stories(where: Path, parts: list[list[Article]]) -> list[tuple[int, ...]]:
    with store.open(where) as kept:
        for part in parts:
            kept.keep([NewArticle(one, NOW) for one in part])
            assert grouping.group(kept, NOW) == len(part)
            assert grouping.group(kept, NOW) == 0
        found = [members for _, members in kept.each_story()]
        assert sorted(number for members in found for number in members) == list(range(1, sum(map(len, parts)) + 1))
        assert all(story.title for story, _ in kept.each_story())
        assert all(Signature.from_bytes(value).count for _, value in kept.signatures())
        assert kept.check() == []
    return sorted(found)


def test_in_one_go_or_in_two(tmp_path: Path) -> None:
    told = articles()
    # Another paper prints the agency's words.
    addresses = ("https://second.example/1", "https://second.example/2")
    every = [*told, *(replace(one, url=at, canonical=at) for one, at in zip(told[3:5], addresses, strict=True))]
    whole = stories(tmp_path / "a.tidings", [every])
    parts = stories(tmp_path / "b.tidings", [every[:5], every[5:]])
    assert whole == parts
    assert len(whole) == len(told) - 1  # two of them are of one storm


def made(number: int, language: str, title: str, text: str) -> Article:
    """An article of our own."""
    blocks = tuple(Block(Kind.PARAGRAPH, (Inline(part),)) for part in text.split("\n"))
    return Article(url=f"https://paper.example/{number}", title=title, language=language, blocks=blocks)


def thirty() -> list[Article]:
    """Articles about thirty things."""
    words = [f"thing{number:02}" for number in range(30)]
    return [
        made(number, "en", f"The {word} of {word}shire", f"All of {word}shire speaks of the {word}, says {word}man.")
        for number, word in enumerate(words)
    ]


def test_a_greek_article_among_thirty_others(tmp_path: Path) -> None:
    """Words that Snowball leaves nothing of: HOSTILE 29."""
    greek = made(
        99, "el", "Η εξάπλωση του ιού έως το καλοκαίρι", "Η μετάδοση του ιού συνεχίζεται έως και εις βάρος όλων."
    )
    others = thirty()
    found = stories(tmp_path / "a.tidings", [[*others[:15], greek, *others[15:]]])
    assert found == [(number,) for number in range(1, 32)]


def test_only_one_at_a_time(tmp_path: Path) -> None:
    with store.open(tmp_path / "a.tidings") as kept:
        kept.keep([NewArticle(articles()[0], NOW)])
        kept.save_state("lease", b"busy", NOW, version=0, space=grouping.SPACE)
        assert grouping.group(kept, NOW) == 0
        assert grouping.group(kept, NOW.replace(hour=5)) == 1  # whoever it was is not there any more
