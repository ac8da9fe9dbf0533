"""What each person keeps, in both databases: read and unread, own sources, columnists."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.portal.store.made import DAY, HOUR, NOON, new
from tidings.errors import BadQuery
from tidings_portal import store
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import (
    ArticleHeadline,
    ArticleSubject,
    Count,
    Listed,
    Mute,
    Only,
    StoryDraft,
)
from tidings_portal.store.records_of_people import LOCAL, NewPerson, NewToken
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.store.verbs import unread as unread_verbs
from tidings_portal.store.verbs.lists import MOST_FOLLOWED
from tidings_portal.store.verbs.sending import ReaderRule, RuleEffect
from tidings_portal.store.verbs.streams import StreamQuery
from tidings_portal.store.verbs.unread import MOST_SUBSCRIPTIONS


@pytest.fixture
def eight(kept: Store) -> Store:
    """Eight articles of three sources; the sixth is of two, the last of none. Article 1 is the newest."""
    kept.add_sources([NewSource(f"https://{name}.example/", title=name) for name in "abc"], NOON)
    sources = {1: (1,), 2: (2,), 3: (1,), 4: (3,), 5: (1,), 6: (1, 2), 7: (2,), 8: ()}
    writers = {1: ("Ada Reed",), 2: ("Ada Reed", "Bo Ek"), 3: ("ADA REED",), 4: ("Cem Su",), 5: ("Bo Ek",)}
    kept.keep([new(n, sources=sources[n], authors=writers.get(n, ())) for n in range(1, 9)])
    return kept


def numbers(listed: Listed[ArticleHeadline]) -> list[int]:
    return [one.id for one in listed.items]


@pytest.fixture(params=["few", "many"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to look for what is unread."""
    if request.param == "many":
        monkeypatch.setattr(unread_verbs, "_FEW", -1)


@pytest.mark.usefixtures("way")
class TestUnread:
    def test_marks(self, eight: Store) -> None:
        assert numbers(eight.unread("ann")) == [1, 2, 3, 4, 5, 6, 7, 8]
        assert eight.mark_read("ann", [2, 4, 4, 99, -1, 1 << 80]) == 2
        assert numbers(eight.unread("ann")) == [1, 3, 5, 6, 7, 8]
        assert numbers(eight.unread("bo")) == [1, 2, 3, 4, 5, 6, 7, 8]
        assert eight.mark_read("ann", [4], read=False) == 1
        assert numbers(eight.unread("ann")) == [1, 3, 4, 5, 6, 7, 8]
        assert eight.unread_among("ann", [1, 2, 3, 99, -5]) == {1, 3}
        assert eight.count_unread("ann") == Count(7)
        assert eight.count_unread("ann", most=3) == Count(3, at_least=True)

    def test_all(self, eight: Store) -> None:
        eight.mark_read("ann", [2])
        eight.mark_all_read("ann", up_to=6)
        assert numbers(eight.unread("ann")) == [7, 8]
        eight.mark_read("ann", [3], read=False)
        assert numbers(eight.unread("ann")) == [3, 7, 8]
        eight.mark_all_read("ann", up_to=4)
        assert numbers(eight.unread("ann")) == [7, 8]
        eight.mark_all_read("ann", up_to=-3)
        eight.mark_all_read("ann", up_to=1 << 80)
        assert numbers(eight.unread("ann")) == []
        eight.keep([new(9)])
        assert eight.latest_number() == 9
        assert numbers(eight.unread("ann")) == [9]

    def test_of_some_sources(self, eight: Store) -> None:
        assert numbers(eight.unread("ann", [1, 2])) == [1, 2, 3, 5, 6, 7]
        assert numbers(eight.unread("ann", [3, 3, -1, 1 << 90])) == [4]
        assert numbers(eight.unread("ann", [])) == []
        eight.mark_all_read("ann", [2])
        assert numbers(eight.unread("ann")) == [1, 3, 4, 5, 8]
        assert eight.count_unread("ann", [1]) == Count(3)
        eight.mark_all_read("ann", [1], up_to=3)
        assert numbers(eight.unread("ann")) == [4, 5, 8]

    def test_a_page_at_a_time(self, eight: Store) -> None:
        for sources, wanted in ((None, [1, 2, 3, 4, 5, 6, 7, 8]), ([1, 2], [1, 2, 3, 5, 6, 7])):
            found: list[int] = []
            after: str | None = None
            while len(found) < 20:
                page = eight.unread("ann", sources, limit=2, after=after)
                found += numbers(page)
                after = page.after
                if after is None:
                    break
            assert found == wanted
        assert eight.unread("ann", limit=0) == Listed(())
        with pytest.raises(BadQuery, match="no cursor"):
            eight.unread("ann", after="x")

    def test_muted_and_removed(self, eight: Store) -> None:
        eight.set_mutes([Mute("title:3")])
        assert 3 not in numbers(eight.unread("ann"))
        eight.mark_read("ann", [1])
        eight.remove_articles([1, 2])
        assert numbers(eight.unread("ann")) == [4, 5, 6, 7, 8]
        assert eight.check() == []


def test_marks_are_bounded(eight: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth mark is too many: of the older half everything counts as read."""
    monkeypatch.setattr(unread_verbs, "MOST_MARKS", 4)
    eight.mark_read("ann", [1, 3, 5, 7])
    assert numbers(eight.unread("ann")) == [2, 4, 6, 8]
    eight.mark_read("ann", [8])
    assert numbers(eight.unread("ann")) == [6]
    with eight.database.reading() as session:
        assert session.all("SELECT article FROM read_mark ORDER BY article") == [(7,), (8,)]
    eight.mark_read("ann", [6])
    assert numbers(eight.unread("ann")) == []


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("read"), st.integers(1, 6), st.just(0)),
        st.tuples(st.just("again"), st.integers(1, 6), st.just(0)),
        st.tuples(st.just("all"), st.integers(0, 7), st.just(0)),
        st.tuples(st.just("source"), st.integers(1, 2), st.integers(0, 7)),
    ),
    max_size=12,
)


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_unread_is_what_was_not_read(steps: list[tuple[str, int, int]]) -> None:
    """Whatever is done in whatever order, both ways of looking find what a set would hold."""
    with tempfile.TemporaryDirectory() as folder, store.open(Path(folder) / "news.tidings") as kept:
        kept.add_sources([NewSource("https://a.example/"), NewSource("https://b.example/")], NOON)
        kept.keep([new(n, sources=(1 + n % 2,)) for n in range(1, 7)])
        wanted = set(range(1, 7))
        for what, number, up_to in steps:
            if what == "source":
                kept.mark_all_read(LOCAL, [number], up_to=up_to)
                wanted -= {n for n in range(1, up_to + 1) if 1 + n % 2 == number}
            elif what == "all":
                kept.mark_all_read(LOCAL, up_to=number)
                wanted -= set(range(1, number + 1))
            else:
                kept.mark_read(LOCAL, [number], read=what == "read")
                wanted = wanted - {number} if what == "read" else wanted | {number}
        for number in (1, 2):
            kept.subscribe(number, LOCAL, NOON)
        counted = [sum(1 + n % 2 == number for n in wanted) for number in (1, 2)]
        for few, many in ((-1, -1), (-1, 2000), (2000, 2000)):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(unread_verbs, "_FEW", few)
                patch.setattr(unread_verbs, "_MANY", many)
                assert sorted(one.unread for one in kept.subscriptions(LOCAL)) == sorted(counted)
                assert numbers(kept.unread(LOCAL)) == sorted(wanted)
                assert numbers(kept.unread(LOCAL, [1])) == sorted(n for n in wanted if n % 2 == 0)
        assert kept.unread_among(LOCAL, list(range(9))) == wanted


def test_own_sources(eight: Store) -> None:
    assert eight.subscribe(2, "ann", NOON, folder=" The  sea ", title="My b")
    assert eight.subscribe(1, "ann", NOON + HOUR)
    assert eight.subscribe(3, "bo", NOON, folder="the sea")
    assert not eight.subscribe(99, "ann", NOON)
    assert not eight.subscribe(-1, "ann", NOON)
    found = eight.subscriptions("ann")
    assert [(one.source.id, one.folder, one.name, one.since, one.unread) for one in found] == [
        (1, "", "a", NOON + HOUR, 4), (2, "The sea", "My b", NOON, 3),
    ]  # fmt: skip
    eight.mark_read("ann", [1, 2])
    assert [one.unread for one in eight.subscriptions("ann", most_unread=2)] == [2, 2]
    assert eight.subscribe(2, "ann", NOON + DAY, folder="Land")
    assert [(one.folder, one.name, one.since) for one in eight.subscriptions("ann")][1] == ("Land", "b", NOON)
    assert eight.rename_folder("Land", "Coast", "ann") == 1
    assert eight.rename_folder("the sea", "Coast", "ann") == 0
    assert [one.folder for one in eight.subscriptions("ann")] == ["", "Coast"]
    assert [one.folder for one in eight.subscriptions("bo")] == ["the sea"]
    assert not eight.unsubscribe(3, "ann")
    assert eight.unsubscribe(2, "ann")
    eight.remove_source(1)
    assert eight.subscriptions("ann") == []
    assert len(eight.subscriptions("bo")) == 1


def test_own_sources_are_bounded(kept: Store) -> None:
    few = kept.add_sources([NewSource(f"https://{n}.example/") for n in range(MOST_SUBSCRIPTIONS + 1)], NOON)
    rows = [("ann", number, "", "", 0) for number in few[:-1]]
    kept.database.write(lambda session: session.many("INSERT INTO subscription VALUES (?, ?, ?, ?, ?)", rows))
    assert not kept.subscribe(few[-1], "ann", NOON)
    assert kept.subscribe(few[0], "ann", NOON, folder="still")
    assert len(kept.subscriptions("ann")) == MOST_SUBSCRIPTIONS
    assert kept.unread("ann", few).items == ()


def as_columns(kept: Store, *others: int) -> None:
    """All articles stand in the section of opinions, but some."""
    numbers = [one.headline.id for one in kept.each_article()]
    kept.save_subjects({number: ArticleSubject("sport" if number in others else "opinion") for number in numbers})


def test_columnists(eight: Store) -> None:
    assert eight.columnists(least=1) == []  # reporters write no columns
    as_columns(eight)
    assert eight.columnists(least=2) == []  # all on one day
    found = eight.columnists(least=1)[:2]
    assert [(one.name, one.articles, one.latest, one.site) for one in found] == [
        ("Ada Reed", 3, NOON - HOUR, "harbour.example"), ("Bo Ek", 2, NOON - 2 * HOUR, "harbour.example"),
    ]  # fmt: skip
    assert [one.name for one in eight.columnists(least=1)][2] == "Cem Su"
    assert len(eight.columnists(least=1, limit=1)) == 1
    assert eight.follow_columnist("bo ek", "ann", NOON)
    assert eight.follow_columnist("BO EK", "ann", NOON)
    assert eight.follow_columnist("Ada Reed", "cem", NOON)
    assert eight.follow_columnist("bo ek", "cem", NOON)
    assert [(one.name.casefold(), one.followers) for one in eight.columnists(least=1)[:2]] == [
        ("bo ek", 2),
        ("ada reed", 1),
    ]
    one = eight.columnist("Bo  Ek")
    assert one is not None
    assert (one.articles, one.followers) == (2, 2)
    for nobody in ("", "  ", "Nobody", "\x00", "x" * 5000):
        assert eight.columnist(nobody) is None
        assert not eight.follow_columnist(nobody, "ann", NOON)
    assert eight.is_followed_columnist("Bo ek", "cem")
    assert eight.unfollow_columnist("BO EK", "cem")
    assert not eight.is_followed_columnist("Bo ek", "cem")
    assert not eight.unfollow_columnist("BO EK", "cem")


def test_a_paper_is_no_columnist(kept: Store) -> None:
    """The harbour's own name over its articles; one of its writers is called like part of it and something more."""
    names = ("HARBOUR gazette", "Gazette", "Ann Harbour")
    days = (NOON, NOON - timedelta(days=1))
    kept.keep([new(n, authors=names, site="The Harbour Gazette", published=day) for n, day in enumerate(days, 1)])
    as_columns(kept)
    assert [one.name for one in kept.columnists()] == ["Ann Harbour"]
    as_columns(kept, 2)
    assert kept.columnists() == []  # a single column, and a report
    kept.save_subjects({2: ArticleSubject("opinion", "AP")})
    assert kept.columnists() == []  # an agency's are no columns of hers
    assert kept.columnist("gazette") is not None


def test_a_columnist_whose_articles_are_gone_stays(eight: Store) -> None:
    eight.follow_columnist("Cem Su", "ann", NOON)
    eight.follow_columnist("Bo Ek", "ann", NOON)
    eight.remove_articles([4])
    assert [(one.name, one.articles, one.latest) for one in eight.followed_columnists("ann")] == [
        ("Bo Ek", 2, NOON - 2 * HOUR), ("Cem Su", 0, None),
    ]  # fmt: skip
    assert eight.columnist("Cem Su") is None
    assert eight.unfollow_columnist("Cem Su", "ann")


def test_columnists_followed_are_bounded(eight: Store) -> None:
    rows = [("ann", f"writer {n}", "W", 0) for n in range(MOST_FOLLOWED)]
    eight.database.write(lambda session: session.many("INSERT INTO author_follower VALUES (?, ?, ?, ?)", rows))
    assert not eight.follow_columnist("Bo Ek", "ann", NOON)
    assert eight.followed_news("ann").items == ()


def test_news_of_what_is_followed(eight: Store) -> None:
    (story, _) = eight.save_stories([StoryDraft((2, 6, 8), "seals"), StoryDraft((7,), "other")])
    assert eight.followed_news("ann") == Listed(())
    eight.follow(story, "ann", NOON)
    eight.follow_columnist("Bo Ek", "ann", NOON)
    assert numbers(eight.followed_news("ann")) == [2, 5, 6, 8]
    first = eight.followed_news("ann", limit=3)
    assert numbers(first) == [2, 5, 6]
    assert numbers(eight.followed_news("ann", limit=3, after=first.after)) == [8]
    eight.set_mutes([Mute("title:6")])
    assert numbers(eight.followed_news("ann")) == [2, 5, 8]


def test_the_first_person_has_what_was_kept_before_anybody_signed_in(eight: Store) -> None:
    (story,) = eight.save_stories([StoryDraft((1, 2), "Harbour")])
    eight.mark_all_read(LOCAL, up_to=4)
    eight.mark_read(LOCAL, [6])
    eight.mark_read(LOCAL, [2], read=False)
    eight.save(3, LOCAL, NOON)
    eight.follow(story, LOCAL, NOON)
    eight.follow_columnist("Ada Reed", LOCAL, NOON)
    eight.subscribe(1, LOCAL, NOON, folder="Mornings")
    eight.add_token(NewToken("digest", "abc"), LOCAL, NOON)
    ann, bob = (eight.add_person(NewPerson(name, "x"), NOON) for name in ("Ann", "Bob"))
    assert ann is not None
    assert bob is not None
    everything = range(1, 9)
    assert eight.unread_among(ann.key, everything) == {2, 5, 7, 8}
    assert numbers(eight.saved(ann.key)) == [3]
    assert [(one.id, one.followers) for one in eight.followed(ann.key)] == [(story, 1)]
    assert [one.name for one in eight.followed_columnists(ann.key)] == ["Ada Reed"]
    folders = {one.source.id: one.folder for one in eight.subscriptions(ann.key)}
    assert folders == {source.id: "Mornings" if source.id == 1 else "" for source in eight.sources()}
    assert [one.settings.digest for one in eight.tokens(LOCAL)] == ["digest"]
    for other in (bob.key, LOCAL):
        assert eight.unread_among(other, everything) == set(everything)
        assert not eight.saved(other).items
        assert not eight.followed(other)
        assert not eight.followed_columnists(other)
        assert not eight.subscriptions(other)


def test_what_is_hidden_and_what_a_reader_did(kept: Store) -> None:
    kept.add_sources([NewSource("https://gazette.example/feed")], NOON)
    saved = kept.keep([new(number, f"Seals {number}", sources=(1,)) for number in range(1, 5)])
    first, second, third, fourth = (one.article or 0 for one in saved)
    rule = ReaderRule("seals", RuleEffect.HIDE, person="ann")
    number = kept.add_rule(rule, NOON)
    assert number is not None
    assert kept.hide("ann", [first, second, 99], number) == 2
    kept.save(third, "ann", NOON)
    kept.set_note(fourth, "ann", "Ask", NOON)
    kept.label("Sea", [fourth], "ann")
    assert kept.count_hidden("ann") == 2
    assert kept.hidden_among("ann", [first, third]) == {first}
    assert {one.id for one in kept.unread("ann").items} == {third, fourth}
    assert kept.count_unread("ann", [1]).number == 2
    assert kept.unread_by_source("ann", [1]) == {1: 2}
    assert set(kept.stream("ann", StreamQuery()).items) == {third, fourth}
    assert {one.id for one in kept.articles(Only(reader="ann")).items} == {third, fourth}
    for query, found in (
        ("seals", {third, fourth}),
        ("is:hidden", {first, second}),
        ("seals is:hidden", {first, second}),
        ("seals NOT is:hidden", {third, fourth}),
        ("is:saved OR is:noted", {third, fourth}),
        ("is:labelled", {fourth}),
    ):
        assert {hit.headline.id for hit in kept.search(query, Only(reader="ann")).items} == found, query
        assert kept.count(query, Only(reader="ann")).number == len(found)
    assert len(kept.search("seals", Only(reader="bob")).items) == 4
    assert not kept.search("is:hidden").items
    assert kept.change_rule(number, replace(rule, source=1))
    assert not kept.change_rule(number, replace(rule, source=99))
    assert not kept.change_rule(number, replace(rule, person="bob"))
    assert kept.unhide("ann", [first]) == 1
    assert kept.remove_rule(number, "ann")
    assert kept.count_hidden("ann") == 0
