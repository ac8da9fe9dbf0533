"""Articles of the newspaper become stories, in one go or in two, and nobody does it twice at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from tidings import extract
from tidings.article import Article, Block, Inline, Kind
from tidings.news import newspaper, store
from tidings.news.recipes.recipe_reader import PROVENANCE
from tidings.news.store.records_of_articles import ArticleSubject, NewArticle, Only
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


def test_topics_agencies_and_copies(tmp_path: Path) -> None:
    """Outlets' words first, then the article's own; the second print of a text is folded into the first."""
    long = " ".join(f"The striker of club{number} scored in the match." for number in range(20))
    told = [
        made(1, "en", "Strikers score", "PORT SELENE (AP) – " + long),
        made(2, "en", "Strikers score again", "PORT SELENE (AP) – " + long),
        replace(made(3, "en", "A quay", "Some words about a quay."), section="Meinung"),
        made(4, "en", "Nothing", "Zzz."),
    ]
    with store.open(tmp_path / "a.tidings") as kept:
        kept.keep([NewArticle(one, NOW) for one in told])
        grouping.group(kept, NOW)
        found = {one.headline.id: one.headline for one in kept.each_article()}
        assert [one.topic for one in found.values()] == ["sport", "sport", "opinion", "other"]
        assert found[3].category == "Meinung"
        assert [one.agency for one in found.values()] == ["AP", "AP", "", ""]
        assert [one.id for one in found[1].copies] == [2]
        assert len(kept.search("striker").items) == 2
        (hit,) = kept.search("striker", Only(copies=False)).items
        assert (hit.headline.id, hit.headline.copies[0].site) == (1, "paper.example")
        assert kept.count("striker", Only(copies=False)).number == 1
        assert [one.headline.id for one in kept.search("topic:opinion").items] == [3]
        assert {one.name: one.number for one in kept.topics()} == {"sport": 2, "opinion": 1}
        assert [one.size for one in kept.stories(topic="sport").items] == [2]
        # What was there before anybody asked is asked later.
        kept.save_subjects({1: ArticleSubject("")})
        grouping.group(kept, NOW)
        assert kept.without_topic(10, 10) == []


def test_a_recipe_may_leave_topics_to_outlets(tmp_path: Path) -> None:
    plain = made(1, "en", "Striker scores", "The coach of the team praised the match and the league.")
    by = {PROVENANCE: "n-ext"}
    with store.open(tmp_path / "a.tidings") as kept:
        kept.keep([NewArticle(one, NOW) for one in (plain, replace(plain, url="https://x.example/2", provenance=by))])
        grouping.group(kept, NOW)
        assert [one.headline.topic for one in kept.each_article()] == ["sport", "other"]
