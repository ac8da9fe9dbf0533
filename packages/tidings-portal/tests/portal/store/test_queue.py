"""Sources, links and the queue in both databases: nothing lost, nothing twice."""

from __future__ import annotations

import pytest

from tests.portal.store.made import DAY, HOUR, NOON, link, new
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import Fate, Finished, Only
from tidings_portal.store.records_of_work import TWO_HOURS, LinkState, NewSource, NotedLink, Poll, SourceKind

FEED = NewSource("https://a.example/feed", title="The Harbour Times", folder="News", credentials="ann:secret")


def test_sources_are_added_once(kept: Store) -> None:
    front = NewSource("https://b.example/", SourceKind.FRONT_PAGE, interval=HOUR)
    assert kept.add_sources([FEED, front, FEED], NOON) == [1, 2, 1]
    assert kept.add_sources([NewSource(FEED.address, title="Other")], NOON) == [1]
    found = kept.source(1)
    assert found is not None
    assert found.settings == FEED
    assert (found.state, found.pace, found.next_poll) == ("new", TWO_HOURS, NOON)
    assert "secret" not in repr(found)
    assert [one.settings.kind for one in kept.sources()] == [SourceKind.FRONT_PAGE, SourceKind.FEED]
    assert kept.source_at(front.address) == kept.source(2)
    assert kept.change_source(1, NewSource(FEED.address, title="Tides", interval=DAY))
    changed = kept.source(1)
    assert changed is not None
    assert (changed.name, changed.pace) == ("Tides", DAY)
    assert kept.remove_source(2)
    assert not kept.remove_source(2)
    assert kept.source(2) is None


def test_what_polling_tells(kept: Store) -> None:
    kept.add_sources([NewSource(FEED.address)], NOON)
    assert kept.polled(Poll(1, NOON, NOON + DAY, HOUR, etag='"x"', title="The Times"))
    found = kept.source(1)
    assert found is not None
    assert (found.state, found.etag, found.name, found.failures) == ("ok", '"x"', "The Times", 0)
    assert found.last_success == found.last_try == NOON
    for hour in (1, 2):
        kept.polled(Poll(1, NOON + hour * HOUR, NOON + DAY, DAY, "timeout", "No answer in 30 seconds.", failed=True))
    found = kept.source(1)
    assert found is not None
    assert (found.state, found.problem, found.failures) == ("timeout", "No answer in 30 seconds.", 2)
    assert (found.last_success, found.last_try, found.etag) == (NOON, NOON + 2 * HOUR, '"x"')
    kept.polled(Poll(1, NOON, NOON, DAY, "gone", "It answered 410.", failed=True, gone=True))
    assert kept.claim_sources("w", 5, HOUR, NOON + 9 * DAY) == []
    assert kept.poll_again(1, NOON)
    assert [one.id for one in kept.claim_sources("w", 5, HOUR, NOON)] == [1]
    assert not kept.polled(Poll(99, NOON, NOON, DAY))


def test_sources_are_lent_to_one_worker(kept: Store) -> None:
    kept.add_sources([NewSource(f"https://{n}.example/feed") for n in range(3)], NOON)
    assert [one.id for one in kept.claim_sources("a", 2, HOUR, NOON)] == [1, 2]
    assert [one.id for one in kept.claim_sources("b", 2, HOUR, NOON)] == [3]
    assert kept.claim_sources("c", 2, HOUR, NOON) == []
    assert len(kept.claim_sources("c", 9, HOUR, NOON + 2 * HOUR)) == 3


def test_links_are_known_by_any_of_their_keys(kept: Store) -> None:
    (source,) = kept.add_sources([FEED], NOON)
    first = link(1, keys=("https://a.example/1", "guid:1"))
    assert kept.note_links([first, first], NOON, source) == [NotedLink(1, True), NotedLink(1, False)]
    other_guid = link(1, keys=("https://a.example/1", "guid:2"))
    assert kept.note_links([other_guid], NOON + HOUR, source) == [NotedLink(1, False)]
    moved = link(1, keys=("https://a.example/moved", "guid:2"))
    assert kept.note_links([moved], NOON + 2 * HOUR) == [NotedLink(1, False)]
    assert kept.note_links([link(2)], NOON) == [NotedLink(kept.link_for(link(2).address).id, True)]  # type: ignore[union-attr]
    found = kept.link(1)
    assert found is not None
    assert found.seen.keys == ("guid:1", "guid:2", "https://a.example/1", "https://a.example/moved")
    assert (found.first_seen, found.last_seen, found.sources) == (NOON, NOON + 2 * HOUR, (source,))
    assert kept.queue(NOON).waiting == 2


def test_keys_of_any_length(kept: Store) -> None:
    long = ["https://a.example/" + "ş" * 5000 + end for end in "ab"]
    noted = kept.note_links([link(n, keys=(one,)) for n, one in enumerate(long)], NOON)
    assert [one.new for one in noted] == [True, True]
    assert [one.new for one in kept.note_links([link(n, keys=(one,)) for n, one in enumerate(long)], NOON)] == [
        False
    ] * 2
    kept.add_sources([NewSource(long[0])], NOON)
    assert kept.source_at(long[0]) is not None
    kept.save_state(long[0], b"x", NOON, version=0)
    assert kept.load_state(long[0]) is not None
    kept.keep([new(3, section=long[0], authors=(long[0],))])
    assert len(kept.articles(Only(author=long[0], category=long[0])).items) == 1


def test_a_task_is_leased_to_one_worker_until_its_deadline(kept: Store) -> None:
    kept.note_links([link(n) for n in range(3)], NOON)
    first = kept.claim("a", 2, HOUR, NOON)
    assert len(first) == 2
    assert len(kept.claim("b", 5, HOUR, NOON)) == 1
    assert kept.claim("c", 5, HOUR, NOON) == []
    state = kept.queue(NOON)
    assert (state.waiting, state.leased, state.later) == (0, 3, 0)
    assert kept.renew(first[:1], NOON + 3 * HOUR) == [True]
    late = kept.claim("c", 5, HOUR, NOON + 2 * HOUR)
    assert len(late) == 2
    assert {task.attempts for task in late} == {2}
    assert kept.renew(first, NOON + 5 * HOUR) == [True, False]
    saved = kept.finish([Finished(task, new(task.link.id)) for task in first])
    assert [one.fate for one in saved] == [Fate.NEW, Fate.LOST]
    assert kept.totals().articles == 1


def test_a_task_that_fails_is_tried_again_or_given_up(kept: Store) -> None:
    kept.note_links([link(1), link(2)], NOON)
    one, two = kept.claim("a", 5, HOUR, NOON)
    assert kept.fail(one, "It answered 503.", NOON + 2 * HOUR)
    assert not kept.fail(one, "again", None)
    assert kept.fail(two, "It answered 404.", None)
    state = kept.queue(NOON)
    assert (state.waiting, state.later, state.failed, state.next_try) == (0, 1, 1, NOON + 2 * HOUR)
    (failed,) = kept.failed_links()
    assert (failed.state, failed.problem) == (LinkState.FAILED, "It answered 404.")
    assert [noted.new for noted in kept.note_links([link(2)], NOON)] == [False]
    assert kept.queue(NOON).waiting == 0
    (again,) = kept.claim("b", 5, HOUR, NOON + 2 * HOUR)
    assert again.link.id == one.link.id
    (skipped,) = kept.finish([Finished(again, None, "not an article")])
    assert skipped.fate is Fate.SKIPPED
    assert kept.link(again.link.id).state is LinkState.SKIPPED  # type: ignore[union-attr]


def test_a_worker_that_begins_anew_gives_back_what_it_had(kept: Store) -> None:
    kept.note_links([link(n) for n in range(4)], NOON)
    kept.claim("a", 3, DAY, NOON)
    assert kept.release("a", NOON) == 3
    assert sorted(task.attempts for task in kept.claim("b", 9, HOUR, NOON)) == [1, 2, 2, 2]  # killed: it counts
    assert kept.release("b", NOON, counted=False) == 4
    assert sorted(task.attempts for task in kept.claim("c", 9, HOUR, NOON)) == [1, 2, 2, 2]


def test_what_is_urgent_comes_first_and_no_host_gets_all(kept: Store) -> None:
    kept.note_links([link(n, f"{n % 2}.example", priority=int(n == 4)) for n in range(6)], NOON)
    tasks = kept.claim("a", 9, HOUR, NOON, per_host=2)
    assert [task.link.seen.address for task in tasks] == [
        "https://0.example/4",
        "https://0.example/0",
        "https://1.example/1",
        "https://1.example/3",
    ]
    kept.hold_host("1.example", NOON + HOUR)
    kept.hold_host("1.example", NOON)  # never shorter
    assert [task.link.seen.address for task in kept.claim("b", 9, HOUR, NOON)] == ["https://0.example/2"]
    assert len(kept.claim("b", 9, HOUR, NOON + HOUR)) == 6


def test_an_article_can_be_fetched_again(kept: Store) -> None:
    kept.note_links([link(1)], NOON)
    (task,) = kept.claim("a", 1, HOUR, NOON)
    kept.finish([Finished(task, new(1, text="First."))])
    assert kept.fetch_again([task.link.id, 99], NOON) == 1
    assert kept.fetch_again([task.link.id], NOON) == 0
    (task,) = kept.claim("a", 1, HOUR, NOON)
    assert task.link.article == 1
    (saved,) = kept.finish([Finished(task, new(1, text="Second."))])
    assert saved.fate is Fate.CHANGED
    (task2,) = kept.note_links([link(1)], NOON)
    assert not task2.new
    kept.fetch_again([task.link.id], NOON)
    (task,) = kept.claim("a", 1, HOUR, NOON)
    kept.fail(task, "It answered 404.", None)
    found = kept.link(task.link.id)
    assert found is not None
    assert found.state is LinkState.DONE  # its article is there


def test_a_link_shown_by_a_further_source_brings_its_article_there(kept: Store) -> None:
    sources = kept.add_sources([FEED, NewSource("https://b.example/feed")], NOON)
    kept.note_links([link(1)], NOON, sources[0])
    (task,) = kept.claim("a", 1, HOUR, NOON)
    kept.finish([Finished(task, new(1))])
    kept.note_links([link(1)], NOON + HOUR, sources[1])
    for source in sources:
        assert [one.id for one in kept.articles(Only(source=source)).items] == [1]
    assert kept.articles_by_source() == {1: 1, 2: 1}
    (headline,) = kept.articles().items
    assert headline.category == "News"  # the folder of its first source


@pytest.mark.parametrize("keys", [(), ("https://a.example/1",)])
def test_links_without_keys_are_known_by_their_address(kept: Store, keys: tuple[str, ...]) -> None:
    noted = [kept.note_links([link(1, keys=keys)], NOON)[0].new for _ in range(2)]
    assert noted == [True, False]
