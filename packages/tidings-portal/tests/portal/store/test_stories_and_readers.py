"""Stories, lists, readers, memory, retention and copies in both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.portal.store.made import DAY, HOUR, NOON, link, new
from tidings.errors import StoreConflict, StoreError
from tidings_portal import store
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import Finished, Mute, Only, RawPage, Removed, Retention, StoryDraft
from tidings_portal.store.records_of_work import LinkState, NewSource, Poll

SEALS = StoryDraft((1, 2, 3), "Seals return", "Three were seen.", "en", "Science")


@pytest.fixture
def six(kept: Store) -> Store:
    """Six articles, an hour apart, on two hosts."""
    kept.keep([new(n, url=f"https://{n % 2}.example/{n}", category="Sea" if n < 4 else "Land") for n in range(1, 7)])
    return kept


def test_stories_know_their_members(six: Store) -> None:
    (number,) = six.save_stories([SEALS])
    story = six.story(number)
    assert story is not None
    assert (story.title, story.summary, story.language, story.category) == (
        "Seals return", "Three were seen.", "en", "Science",
    )  # fmt: skip
    assert (story.size, story.sites, story.first, story.last) == (3, 2, NOON - 3 * HOUR, NOON - HOUR)
    assert [one.id for one in six.articles(Only(story=number)).items] == [1, 2, 3]
    assert six.join_story(number, [4])
    six.keep([new(4, url="https://0.example/4", published=NOON - 30 * HOUR)])
    story = six.story(number)
    assert story is not None
    assert (story.size, story.first) == (4, NOON - 30 * HOUR)
    assert not six.join_story(99, [5])


def test_a_split_story_keeps_its_number(six: Store) -> None:
    (old,) = six.save_stories([SEALS])
    found = six.save_stories([StoryDraft((1, 2), "Seals", id=old), StoryDraft((3, 5), "Whales")])
    assert found[0] == old != found[1]
    assert [one.size for one in six.stories().items] == [2, 2]
    assert {story.title: members for story, members in six.each_story()} == {"Seals": (1, 2), "Whales": (3, 5)}


def test_merged_stories_lead_on(six: Store) -> None:
    a, b, c = six.save_stories([StoryDraft((1,), "a"), StoryDraft((2,), "b"), StoryDraft((3,), "c")])
    six.follow(b, "ann", NOON)
    six.follow(a, "ann", NOON)
    six.follow(b, "bo", NOON)
    assert six.merge_stories(a, [b])
    assert six.merge_stories(c, [a, c])
    for number in (a, b, c):
        story = six.story(number)
        assert story is not None
        assert (story.id, story.size, story.followers) == (c, 3, 2)
        assert len(six.articles(Only(story=number)).items) == 3
        assert six.count(f"story:{number}").number == 3
    assert [one.id for one in six.stories().items] == [c]
    assert six.save_stories([StoryDraft((1, 2, 3, 4), "d", id=a)]) == [c]
    assert not six.merge_stories(99, [c])


def test_current_and_past_events(six: Store) -> None:
    numbers = six.save_stories(
        [
            StoryDraft((1, 2), "new", language="en", category="Sea"),
            StoryDraft((5,), "old", language="tr"),
            StoryDraft((3, 4), "mid"),
        ]
    )
    assert [one.title for one in six.stories().items] == ["new", "mid", "old"]
    assert [one.title for one in six.stories(since=NOON - 3 * HOUR).items] == ["new", "mid"]
    assert [one.title for one in six.stories(until=NOON - 4 * HOUR).items] == ["old"]
    assert [one.title for one in six.stories(least=2).items] == ["new", "mid"]
    assert [one.title for one in six.stories(language="tr").items] == ["old"]
    assert [one.title for one in six.stories(category="SEA").items] == ["new"]
    first = six.stories(limit=2)
    assert [one.title for one in six.stories(limit=2, after=first.after).items] == ["old"]
    assert [one.title for one in six.top_stories(NOON - DAY, limit=2)] == ["new", "mid"]
    six.follow(numbers[1], "ann", NOON)
    assert [one.title for one in six.followed("ann")] == ["old"]
    assert six.unfollow(numbers[1], "ann")
    assert not six.unfollow(numbers[1], "ann")
    assert six.followed("ann") == []
    six.remove_articles([1, 2])
    assert [one.title for one in six.stories().items] == ["mid", "old"]


def test_lists(six: Store) -> None:
    assert [one.id for one in six.articles(limit=2).items] == [1, 2]
    cursor = six.articles(limit=2).after
    assert [one.id for one in six.articles(limit=9, after=cursor).items] == [3, 4, 5, 6]
    assert six.articles(limit=6).after is None
    assert six.articles(limit=0).items == ()
    assert [one.id for one in six.articles(Only(category="sea")).items] == [1, 2, 3]
    assert [one.id for one in six.articles(Only(site="1.example", until=NOON - 2 * HOUR)).items] == [3, 5]
    assert [one.id for one in six.articles(Only(since=NOON - 2 * HOUR)).items] == [1, 2]
    assert [one.id for one in six.articles(Only(language="tr")).items] == []
    assert [(one.name, one.number) for one in six.sites()] == [("0.example", 3), ("1.example", 3)]
    assert six.languages() == ["en"]
    assert six.totals().articles == 6


def test_most_read(six: Store) -> None:
    six.count_reads({1: 2, 3: 5, 99: 1}, NOON)
    six.count_reads({1: 4}, NOON - 3 * DAY)
    six.count_reads({2: 2}, NOON)
    assert [(one.id, one.reads) for one in six.most_read(NOON - DAY).items] == [(3, 5), (2, 2), (1, 6)]
    assert [one.id for one in six.most_read(NOON - 9 * DAY).items] == [1, 3, 2]
    assert [one.id for one in six.most_read(NOON - DAY, language="en-GB").items] == [3, 2, 1]
    assert six.most_read(NOON - DAY, language="tr").items == ()
    second = six.most_read(NOON - DAY, language="en", limit=1).after
    assert [one.id for one in six.most_read(NOON - DAY, language="en", limit=1, after=second).items] == [2]
    first = six.most_read(NOON - DAY, limit=2)
    assert [one.id for one in six.most_read(NOON - DAY, limit=2, after=first.after).items] == [1]


def test_similar(kept: Store) -> None:
    kept.keep(
        [
            new(1, "Grey seals return to the estuary"),
            new(2, "The estuary and its seals"),
            new(3, "Ferry fares rise in the city"),
            new(4, "Seals!", published=NOON - 90 * DAY),
            new(5, "The and of"),
        ]
    )
    assert [one.id for one in kept.similar(1)] == [2]
    assert kept.similar(5) == []


def test_one_word_in_common_is_not_similar(kept: Store) -> None:
    kept.keep(
        [
            new(
                1,
                "Grey seals return to the estuary after forty years",
                summary="Biologists count the pups.",
            ),
            new(2, "Estuary bridge closed for repairs", summary="Drivers face delays until the autumn, the city says."),
            new(3, "Pups of grey seals counted", summary="Biologists find more seals in the estuary."),
        ]
    )
    assert [one.id for one in kept.similar(1)] == [3]


def test_saved_by_somebody(six: Store) -> None:
    assert six.save(3, "ann", NOON)
    assert six.save(3, "ann", NOON)
    assert six.save(1, "ann", NOON)
    assert not six.save(99, "ann", NOON)
    assert [one.id for one in six.saved("ann").items] == [1, 3]
    assert [one.id for one in six.saved("ann", limit=1, after=six.saved("ann", limit=1).after).items] == [3]
    assert six.saved("bo").items == ()
    assert six.is_saved(1, "ann")
    assert not six.is_saved(1, "ben")
    assert six.unsave(1, "ann")
    assert not six.is_saved(1, "ann")
    assert not six.unsave(1, "ann")


def test_states_are_changed_by_one_at_a_time(kept: Store) -> None:
    assert kept.load_state("clusters") is None
    assert kept.save_state("clusters", b"\x00\xff", NOON, version=0) == 1
    with pytest.raises(StoreConflict, match="clusters"):
        kept.save_state("clusters", b"other", NOON, version=0)
    assert kept.save_state("clusters", b"two", NOON + HOUR, version=1) == 2
    with pytest.raises(StoreConflict):
        kept.save_state("clusters", b"other", NOON, version=1)
    assert kept.save_state("clusters", b"three", NOON + HOUR, version=None) == 3
    found = kept.load_state("clusters")
    assert found is not None
    assert (found.value, found.version, found.changed) == (b"three", 3, NOON + HOUR)
    kept.save_state("a.example", b"rules", NOON, version=None, space="site")
    assert (kept.states(), kept.states("site")) == (["clusters"], ["a.example"])
    assert kept.forget_state("clusters")
    assert not kept.forget_state("clusters")


def test_signatures_and_settings(six: Store) -> None:
    six.save_signatures({1: b"a", 2: b"b"})
    six.save_signatures({2: b"c", 99: b"x"})
    assert list(six.signatures()) == [(1, b"a"), (2, b"c")]
    assert list(six.signatures(after=1)) == [(2, b"c")]
    six.remove_articles([1])
    assert list(six.signatures()) == [(2, b"c")]
    assert six.setting("theme", "light") == "light"
    six.set_setting("theme", "dark")
    six.set_setting("theme", "d\x00ark")
    assert six.setting("theme") == "dark"


def test_retention_by_age_leaves_what_somebody_saved_or_follows(six: Store) -> None:
    (story,) = six.save_stories([StoryDraft((5,), "followed")])
    six.follow(story, "ann", NOON)
    six.save(4, "ann", NOON)
    removed = six.retain(Retention(articles_for=timedelta(hours=2, minutes=30)), NOON)
    assert removed == Removed(articles=2)
    assert [one.id for one in six.articles().items] == [1, 2, 4, 5]
    assert six.search("story").after is None
    assert six.count("story").number == 4
    assert six.check() == []
    gone = six.link_for("https://1.example/3")
    assert gone is not None
    assert gone.state is LinkState.FORGOTTEN
    assert [one.new for one in six.note_links([link(3, keys=("https://1.example/3",))], NOON)] == [False]
    assert six.queue(NOON).waiting == 0


def test_retention_by_number(kept: Store) -> None:
    a, b = kept.add_sources([NewSource("https://a.example/"), NewSource("https://b.example/")], NOON)
    kept.keep([new(n, sources=(a,) if n < 5 else (a, b)) for n in range(1, 7)])
    kept.keep([new(9)])
    assert kept.retain(Retention(articles_per_source=2), NOON).articles == 2
    assert [one.title for one in kept.articles().items] == [f"Story {n}" for n in (1, 2, 5, 6, 9)]


def test_retention_of_versions_and_links(kept: Store) -> None:
    for text in "abcde":
        kept.keep([new(1, text=text)])
    assert kept.retain(Retention(versions_per_article=2), NOON).versions == 2
    assert [one.article.text for one in kept.versions(1)] == ["a", "d", "e"]
    kept.note_links([link(5), link(6)], NOON)
    tasks = kept.claim("w", 1, HOUR, NOON)
    kept.finish([Finished(tasks[0])])
    assert kept.retain(Retention(links_for=DAY), NOON + 2 * DAY).links == 1
    assert kept.totals().links == 2


def full(kept: Store) -> None:
    """Something of everything."""
    source, other = kept.add_sources(
        [NewSource("https://a.example/", credentials="x:y", interval=DAY), NewSource("https://b.example/", muted=True)],
        NOON,
    )
    kept.polled(Poll(source, NOON, NOON + DAY, DAY, "ok", etag="e"))
    kept.note_links([link(n) for n in range(20, 24)], NOON, source)
    done, failed, *_ = kept.claim("w", 3, HOUR, NOON)
    kept.finish([Finished(done, new(20, "İstanbul 東京", page=RawPage("https://a.example/", b"<p>", NOON)))])
    kept.fail(failed, "no", None)
    kept.keep([new(n, authors=("Ann",), sources=(other,)) for n in range(4)])
    kept.keep([new(2, text="changed")])
    a, b = kept.save_stories([StoryDraft((1, 2), "a"), StoryDraft((3,), "b")])
    kept.follow(b, "ann", NOON)
    kept.merge_stories(b, [a])
    kept.save(2, "ann", NOON)
    kept.count_reads({3: 4}, NOON)
    kept.set_mutes([Mute("changed")])
    kept.save_signatures({1: b"\x00s"})
    kept.save_state("s", b"\x00v", NOON, version=0)
    kept.set_setting("x", "y")
    kept.hold_host("a.example", NOON + DAY)


def contents_of(kept: Store) -> list[object]:
    """Return everything that the store has."""
    return [
        list(kept.each_article(all_versions=True)),
        list(kept.each_story()),
        list(kept.each_page()),
        list(kept.signatures()),
        kept.sources(),
        kept.totals(),
        kept.queue(NOON),
        kept.failed_links(),
        kept.mutes(),
        kept.load_state("s"),
        kept.setting("x"),
        [one.id for one in kept.articles(Only(muted=True)).items],
        [one.headline.id for one in kept.search("istanbul OR 東京 OR story").items],
        kept.most_read(NOON - DAY),
        kept.followed("ann"),
        kept.saved("ann"),
        kept.story(1),
    ]


def test_a_store_outgrows_its_file_and_comes_back(both: tuple[Store, Store], tmp_path: Path) -> None:
    file, served = both
    full(file)
    rows: list[tuple[str, int]] = []
    assert file.copy_to(served, lambda table, number: rows.append((table, number))) == 5
    assert ("article", 5) in rows
    with store.open(tmp_path / "back.tidings") as back:
        assert served.copy_to(back) == 5
        # Which of equally good answers comes first is each database's own.
        for one in (served, back):
            for mine, theirs in zip(contents_of(one), contents_of(file), strict=True):
                assert mine == theirs or sorted(map(str, mine)) == sorted(map(str, theirs))  # type: ignore[call-overload]
        with pytest.raises(StoreError, match="not empty"):
            file.copy_to(back)
        for one in (served, back):  # new numbers do not meet old ones
            (saved,) = one.keep([new(50)])
            assert saved.article == 6
            assert one.check() == []


def test_times_are_exact_to_the_microsecond(kept: Store) -> None:
    at = datetime(2024, 2, 29, 23, 59, 59, 999999, tzinfo=UTC)
    kept.note_links([link(1)], at)
    found = kept.link(1)
    assert found is not None
    assert found.first_seen == at
