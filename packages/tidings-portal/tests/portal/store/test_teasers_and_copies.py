"""Teaser-only articles, corrections and copies in both databases, and a store of before they were known."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from tests.portal.store.made import DAY, HOUR, NOON, link, new
from tidings_portal import store
from tidings_portal.store import Store, migrations
from tidings_portal.store.records_of_articles import Fate, Finished, ItemCounts, NewArticle, Only
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.store.verbs.sending import ReaderRule, RuleEffect
from tidings_portal.store.verbs.streams import StreamQuery

LEASE = timedelta(minutes=5)


def teaser(number: int, reason: str = "403") -> NewArticle:
    made = new(number, text="Only a teaser.", maker="feed")
    return NewArticle(made.article, made.at, made.maker, None, made.keys, teaser_reason=reason)


def test_a_teaser_stays_in_the_queue_and_is_replaced_in_place(kept: Store) -> None:
    (source,) = kept.add_sources([NewSource("https://harbour.example/feed")], NOON)
    kept.note_links([link(1), link(2)], NOON, source)
    assert [one.seen.address for one in kept.unread_items(NOON + HOUR, NOON)] == [link(1).address, link(2).address]
    first, second = kept.claim("worker", 2, LEASE, NOON)
    assert kept.unread_items(NOON + HOUR, NOON) == []  # somebody fetches them
    assert len(kept.unread_items(NOON + HOUR, NOON + HOUR)) == 2  # or was killed over it
    kept.finish([Finished(first, teaser(1), "the server says 403", NOON + HOUR), Finished(second, new(2))])
    assert kept.unread_items(NOON + HOUR, NOON + HOUR) == []
    assert kept.queued([first.link.id, second.link.id]) == {first.link.id}
    assert kept.item_counts() == {source: ItemCounts(2, 2, 1, "403")}
    assert kept.totals().teasers == 1
    assert kept.claim("worker", 2, LEASE, NOON) == []
    (again,) = kept.claim("worker", 2, LEASE, NOON + HOUR)
    assert (again.attempts, again.link.problem) == (2, "the server says 403")
    (saved,) = kept.finish([Finished(again, new(1, text="All of the text."))])
    assert (saved.fate, saved.version) == (Fate.CHANGED, 1)  # a teaser is no version of the text
    assert saved.article is not None
    assert [version.version for version in kept.versions(saved.article)] == [1]
    assert kept.item_counts() == {source: ItemCounts(2, 2)}
    assert kept.states("regroup") == [str(saved.article)]
    assert kept.check() == []


def test_an_item_that_changes_is_told_by_its_fingerprint_for_each_source(kept: Store) -> None:
    one, other = kept.add_sources([NewSource(f"https://{name}.example/feed") for name in "ab"], NOON)
    for at, source, fingerprint, before in (
        (NOON, one, "x", ""),
        (NOON, other, "y", ""),
        (NOON + HOUR, one, "x", "x"),
        (NOON + HOUR, one, "z", "x"),
        (NOON + HOUR, other, "y", "y"),
    ):
        (noted,) = kept.note_links([link(1, fingerprint=fingerprint)], at, source)
        assert noted.before == before
    kept.correct_links({noted.link: link(1, summary="Corrected.")})
    stored = kept.link(noted.link)
    assert stored is not None
    assert stored.seen.summary == "Corrected."


@pytest.fixture
def copies(kept: Store) -> Store:
    """Articles 2 and 3 have the text of 1, in other sources; 4 has its own."""
    sources = kept.add_sources([NewSource(f"https://{name}.example/feed") for name in "abc"], NOON)
    kept.keep([new(n, sources=(sources[min(n, 3) - 1],)) for n in range(1, 5)])
    kept.save_copies({2: 1, 3: 1})
    return kept


@pytest.mark.parametrize("number", [1, 2, 3])
def test_reading_one_marks_its_copies_in_every_list(copies: Store, number: int) -> None:
    assert copies.mark_read("ann", [number]) == 1
    assert copies.unread_among("ann", [1, 2, 3, 4]) == {4}
    assert copies.count_unread("ann").number == 1
    assert copies.unread_by_source("ann", [1, 2, 3]) == {1: 0, 2: 0, 3: 1}
    copies.mark_read("ann", [number], read=False)
    assert copies.unread_among("ann", [1, 2, 3, 4]) == {number, 4}


def test_a_copy_that_comes_later_is_read_by_those_who_read_the_first(copies: Store) -> None:
    copies.mark_read("ann", [1])
    copies.mark_all_read("bea")
    copies.keep([new(5), new(6)])
    copies.save_copies({5: 1})
    assert copies.unread_among("ann", [5, 6]) == {6}
    assert copies.unread_among("bea", [5, 6]) == {6}
    assert copies.unread_among("cid", [5, 6]) == {5, 6}


def test_copies_of_a_copy_name_the_same_original(copies: Store) -> None:
    copies.keep([new(5), new(6), new(7)])
    copies.save_copies({6: 5})
    copies.save_copies({5: 3, 7: 2})  # two stories became one
    assert {copy.id for copy in copies.headlines_of([1])[0].copies} == {2, 3, 5, 6, 7}
    assert [one.id for one in copies.unread("ann", folded=True).items] == [1, 4]


def test_a_copy_that_is_to_be_read_again_stays_unread(copies: Store) -> None:
    copies.mark_read("ann", [1])
    copies.mark_read("ann", [2], read=False)
    copies.save_copies({2: 1, 3: 1})  # the story has grown
    assert copies.unread_among("ann", [1, 2, 3]) == {2}


@pytest.mark.parametrize("is_oldest_first", [False, True])
def test_a_copy_of_a_hidden_or_read_article_is_in_the_list(copies: Store, is_oldest_first: bool) -> None:
    rule = copies.add_rule(ReaderRule("story", RuleEffect.HIDE, person="ann"), NOON)
    assert rule is not None
    copies.hide("ann", [1], rule)
    copies.mark_read("bea", [1])
    copies.mark_read("bea", [3], read=False)
    for person, listed in (("ann", {2, 4}), ("bea", {3, 4})):
        query = StreamQuery(read=False, is_folded=True, is_oldest_first=is_oldest_first)
        assert set(copies.stream(person, query).items) == listed
        assert {one.id for one in copies.unread(person, folded=True).items} == listed


def test_a_teaser_never_replaces_the_text(kept: Store) -> None:
    kept.keep([new(1, text="All of the text.")])
    (saved,) = kept.keep([teaser(1)])
    assert saved.fate is Fate.SAME
    (one,) = kept.each_article()
    assert (one.article.text, one.headline.teaser_reason, one.headline.versions) == ("All of the text.", "", 1)


def test_all_of_a_source_read_with_its_copies_and_undone(copies: Store) -> None:
    copies.mark_all_read("ann", [1])
    assert copies.unread_among("ann", [1, 2, 3, 4]) == {4}
    assert copies.undo_read("ann")
    assert copies.unread_among("ann", [1, 2, 3, 4]) == {1, 2, 3, 4}


def test_lists_show_a_copy_once_with_its_sources(copies: Store) -> None:
    folded = copies.unread("ann", folded=True).items
    assert [one.id for one in folded] == [1, 4]
    assert [copy.id for copy in folded[0].copies] == [3, 2]
    assert [one.id for one in copies.unread("ann").items] == [1, 2, 3, 4]
    others = copies.unread("ann", [2, 3], folded=True).items  # the first is not of these: the next one stands for it
    assert [(one.id, [copy.id for copy in one.copies]) for one in others] == [(2, [3, 1]), (4, [])]
    copies.mark_read("ann", [4])
    assert [one.id for one in copies.unread("ann", folded=True).items] == [1]
    assert list(copies.stream("ann", StreamQuery(is_folded=True)).items) == [1, 4]
    assert list(copies.stream("ann", StreamQuery([1, 2], is_folded=True)).items) == [1]
    assert list(copies.stream("ann", StreamQuery([2], is_folded=True)).items) == [2]


def test_search_finds_a_copy_by_words_that_only_it_has(kept: Store) -> None:
    kept.keep([new(1, text="Seals return."), new(2, text="Seals return, says Amsel.")])
    kept.save_copies({2: 1})
    assert [one.headline.id for one in kept.search("Amsel", Only(copies=False)).items] == [2]
    assert [one.headline.id for one in kept.search("seals", Only(copies=False)).items] == [1]
    assert [one.headline.id for one in kept.search("lang:en", Only(copies=False)).items] == [1]


def test_a_store_of_version_13_gets_the_columns_and_keeps_its_articles(tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    with store.open(path) as made:
        (source,) = made.add_sources([NewSource("https://harbour.example/feed")], NOON)
        made.note_links([link(1)], NOON, source)
        made.keep([new(1)])
    with sqlite3.connect(path) as connection:  # as it was before
        connection.execute("DROP INDEX article_teaser")
        connection.execute("ALTER TABLE article DROP COLUMN teaser_reason")
        connection.execute("ALTER TABLE link_source DROP COLUMN fingerprint")
        connection.execute("PRAGMA user_version = 13")
    connection.close()
    assert migrations.latest() >= 14
    with store.open(path) as kept:
        assert [one.teaser_reason for one in kept.articles().items] == [""]
        (noted,) = kept.note_links([link(1, fingerprint="x")], NOON + DAY, source)
        assert noted.before == ""  # what it said before is not known: it is no correction
        kept.keep([teaser(2)])
        assert kept.totals().teasers == 1
        assert kept.check() == []
