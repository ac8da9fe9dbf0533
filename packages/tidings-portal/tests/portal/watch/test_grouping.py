"""Articles of the newspaper become stories, in one go or in two, and nobody does it twice at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from tidings import extract, newspaper
from tidings.article import Article, Block, Inline, Kind, Provenance
from tidings.sources import Enclosure
from tidings_portal import store
from tidings_portal.recipes.recipe_reader import PROVENANCE
from tidings_portal.store.records_of_articles import ArticleSubject, NewArticle, Only
from tidings_portal.stories.duplicates import Signature
from tidings_portal.watch import grouping

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


def new_article(number: int, language: str, title: str, text: str) -> Article:
    """An article of our own."""
    blocks = tuple(Block(Kind.PARAGRAPH, (Inline(part),)) for part in text.split("\n"))
    return Article(url=f"https://paper.example/{number}", title=title, language=language, blocks=blocks)


def thirty() -> list[Article]:
    """Articles about thirty things."""
    words = [f"thing{number:02}" for number in range(30)]
    return [
        new_article(
            number, "en", f"The {word} of {word}shire", f"All of {word}shire speaks of the {word}, says {word}man."
        )
        for number, word in enumerate(words)
    ]


def test_a_greek_article_among_thirty_others(tmp_path: Path) -> None:
    """Words that Snowball leaves nothing of: HOSTILE 29."""
    greek = new_article(
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
        new_article(1, "en", "Strikers score", "PORT SELENE (AP) – " + long),
        new_article(2, "en", "Strikers score again", "PORT SELENE (AP) – " + long),
        replace(new_article(3, "en", "A quay", "Some words about a quay."), section="Meinung"),
        new_article(4, "en", "Nothing", "Zzz."),
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
    plain = new_article(1, "en", "Striker scores", "The coach of the team praised the match and the league.")
    by = {PROVENANCE: "n-ext"}
    with store.open(tmp_path / "a.tidings") as kept:
        kept.keep([NewArticle(one, NOW) for one in (plain, replace(plain, url="https://x.example/2", provenance=by))])
        grouping.group(kept, NOW)
        assert [one.headline.topic for one in kept.each_article()] == ["sport", "other"]


def test_show_notes_alone_make_no_story(tmp_path: Path) -> None:
    notes = (
        "This show is made possible by listeners like you. Follow the harbour podcast wherever you listen, rate the"
        " show, and send questions about boats, tides and seals to the studio on the old pier."
    )
    with store.open(tmp_path / "news.tidings") as kept:
        for number, title in enumerate(("Knots of the coast", "Lanterns at sea", "Herring and salt", "Winter ropes")):
            block = Block(Kind.PARAGRAPH, (Inline(notes),))
            article = Article(title=title, blocks=(block,), provenance=Provenance({"body": "feed"}), language="en")
            kept.keep([NewArticle(article, NOW, "feed", None, (f"guid:{number}",))])
            kept.keep_enclosures({f"guid:{number}": [Enclosure(f"https://cast.example/{number}.mp3", "audio/mpeg")]})
        grouping.group(kept, NOW)
        assert sorted(members for _, members in kept.each_story()) == [(1,), (2,), (3,), (4,)]


WEATHER = (
    "The weather office in {place} expects {degrees} degrees on Tuesday, with wind from the west at {wind} knots."
    " The harbour master asks small boats to stay in port until the evening tide, and to look after their lines."
    " Walkers on the cliff path are told to keep away from the edge, as the rain of last week has loosened stones."
    " The office will look at its figures again at noon and tell the radio what it has found out by then."
)


def test_reports_from_one_template_are_no_copies_and_each_is_found(tmp_path: Path) -> None:
    places = (("Norport", 17, 12), ("Skerry", 14, 21), ("Port Selene", 19, 9))
    told = [
        new_article(
            number,
            "en",
            f"Weather in {place}: {degrees} degrees",
            WEATHER.format(place=place, degrees=degrees, wind=wind),
        )
        for number, (place, degrees, wind) in enumerate(places)
    ]
    with store.open(tmp_path / "a.tidings") as kept:
        kept.keep([NewArticle(one, NOW) for one in told])
        grouping.group(kept, NOW)
        assert [one.headline.copies for one in kept.each_article()] == [(), (), ()]
        for query, title in (("17 degrees", "Norport"), ("14 degrees", "Skerry"), ("19 degrees", "Port Selene")):
            (hit,) = kept.search(f'"{query}"', Only(copies=False)).items
            assert title in hit.headline.title
        assert len(kept.search('"weather office"', Only(copies=False)).items) == 3


def test_a_copy_is_found_by_its_own_words_and_folded_where_both_are_found(tmp_path: Path) -> None:
    text = " ".join(
        f"The {word} of the harbour was painted by the council in May." for word in "quay crane buoy".split() * 9
    )
    told = [
        new_article(1, "en", "Harbour painted", text),
        new_article(2, "en", "Harbour painted, says Amsel", text + " Seen by Amsel."),
    ]
    with store.open(tmp_path / "a.tidings") as kept:
        kept.keep([NewArticle(one, NOW) for one in told])
        grouping.group(kept, NOW)
        assert [[copy.id for copy in one.headline.copies] for one in kept.each_article()] == [[2], [1]]
        assert [one.headline.id for one in kept.search("Amsel", Only(copies=False)).items] == [2]
        assert kept.count("Amsel", Only(copies=False)).number == 1
        assert [one.headline.id for one in kept.search("harbour", Only(copies=False)).items] == [1]
        assert kept.count("harbour", Only(copies=False)).number == 1
