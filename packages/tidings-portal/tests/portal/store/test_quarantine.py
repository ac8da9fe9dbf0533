"""What made a stage raise is set aside by name, left out, tried again, forgotten; in both databases (HOSTILE 29)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.portal.store.made import DAY, HOUR, NOON, link, new
from tidings.article import Article
from tidings.errors import StoreDamaged, StoreFull
from tidings_portal import store
from tidings_portal.store import Store, migrations, quarantine
from tidings_portal.store.codec import Indexed, indexed
from tidings_portal.store.quarantine import ItemName, Quarantine, article_name, bisect, software_version
from tidings_portal.store.records_of_articles import Finished, Only, RawPage, Retention
from tidings_portal.store.records_of_work import ItemKind, LinkState, NewSource, Poll, QuarantineEntry, Stage
from tidings_portal.store.verbs import write_articles

LEASE = timedelta(minutes=5)


def name(number: int) -> ItemName:
    return ItemName(ItemKind.ARTICLE, str(number), f"Story {number}")


def refuse(*bad: int) -> Callable[[Sequence[int]], list[int]]:
    def work(items: Sequence[int]) -> list[int]:
        if wrong := set(items) & set(bad):
            raise KeyError(f"cannot do {wrong}")
        return list(items)

    return work


def poison(kept: Store, article: int) -> None:
    """An article whose bytes nobody can read."""
    sql = "UPDATE version SET body = ? WHERE article = ?"
    kept.database.write(lambda session: session.run(sql, b"\x00 these are no bytes of ours", article))


# -- items apart ----------------------------------------------------------------------------------------------------


def test_bad_ones_stand_alone_and_the_rest_is_done_in_order() -> None:
    calls: list[int] = []

    def work(items: Sequence[int]) -> list[int]:
        calls.append(len(items))
        return list(refuse(17, 600)(items))

    results, bad = bisect(range(1000), work)
    assert [one for part in results for one in part] == [one for one in range(1000) if one not in (17, 600)]
    assert [item for item, _ in bad] == [17, 600]
    assert len(calls) < 50  # halves, not one by one
    assert bisect([], work) == ([], [])


def test_what_is_no_items_fault_is_raised() -> None:
    def full(items: Sequence[int]) -> None:
        raise StoreFull("no room")

    def unwritable(items: Sequence[int]) -> None:
        raise OSError("disk")

    with pytest.raises(StoreFull):
        bisect([1, 2], full)
    with pytest.raises(OSError, match="disk"):
        bisect([1, 2], unwritable)
    with pytest.raises(KeyError):  # nothing works: it is not the items
        bisect(range(100), refuse(*range(100)))
    results, bad = bisect(range(5), refuse(*range(5)))
    assert (results, len(bad)) == ([], 5)


# -- the table ------------------------------------------------------------------------------------------------------


def test_set_aside_left_out_tried_again_forgotten(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    aside = Quarantine(kept, Stage.STORIES, NOON)
    done = aside.run(range(1, 8), refuse(3, 5), name)
    assert [one for part in done for one in part] == [1, 2, 4, 6, 7]
    assert [(entry.item, entry.name, entry.reason) for entry in kept.quarantine(Stage.STORIES)] == [
        ("3", "Story 3", "KeyError: 'cannot do {3}'"),
        ("5", "Story 5", "KeyError: 'cannot do {5}'"),
    ]
    assert kept.quarantine_counts() == {Stage.STORIES: 2}
    assert kept.quarantine(Stage.FEEDS) == []
    # The next round leaves them out: they are not even tried.
    later = Quarantine(kept, Stage.STORIES, NOON + HOUR)
    tried: list[int] = []
    assert len(list(later.each(range(1, 8), tried.append, name))) == 5
    assert tried == [1, 2, 4, 6, 7]
    assert not later.due()
    # Another version of the software tries them again; one still fails, the other works and is forgotten.
    software_version.cache_clear()
    monkeypatch.setattr(quarantine, "version", lambda _name: "99.0")
    try:
        newer = Quarantine(kept, Stage.STORIES, NOON + DAY)
        assert {entry.item for entry in newer.due()} == {"3", "5"}
        assert list(newer.each((3, 5), lambda one: refuse(5)([one]), name)) == [[3]]
        (entry,) = kept.quarantine()
        assert (entry.item, entry.attempts, entry.version) == ("5", 2, "99.0")
        assert (entry.since, entry.tried) == (NOON, NOON + DAY)
        # And somebody may ask.
        assert kept.retry_quarantine(NOON, unless="99.0") == 0
        assert kept.retry_quarantine(NOON) == 1
        assert kept.retry_quarantine(NOON) == 0
        asked = Quarantine(kept, Stage.STORIES)
        assert [one.version for one in asked.due()] == [""]
        assert list(asked.each((5,), str, name)) == ["5"]
        assert kept.quarantine() == []
    finally:
        software_version.cache_clear()


def test_sources_and_links_go_back_to_their_queues(kept: Store) -> None:
    (source,) = kept.add_sources([NewSource("https://harbour.example/feed")], NOON)
    kept.polled(Poll(source, NOON, NOON + DAY, HOUR, "failed", "raised", failed=True))
    kept.note_links([link(1), link(2)], NOON, source)
    one, two = kept.claim("worker", 5, LEASE, NOON)
    reading = QuarantineEntry(Stage.READING, ItemKind.LINK, str(one.link.id), "", "died", "1", NOON, NOON)
    assert kept.fail(one, "died", None, reading)
    kept.finish([Finished(two, new(2))])
    kept.set_aside([replace(reading, stage=Stage.POLLING, kind=ItemKind.SOURCE, item=str(source))])
    assert kept.quarantine_counts() == {Stage.POLLING: 1, Stage.READING: 1}
    assert not kept.claim("worker", 5, LEASE, NOON + HOUR)  # not for ever
    assert not kept.claim_sources("worker", 5, LEASE, NOON + HOUR)
    assert kept.retry_quarantine(NOON + HOUR) == 2
    (again,) = kept.claim("worker", 5, LEASE, NOON + HOUR)
    assert again.link.id == one.link.id
    assert [due.id for due in kept.claim_sources("worker", 5, LEASE, NOON + HOUR)] == [source]
    kept.finish([Finished(again, new(1))])
    kept.polled(Poll(source, NOON, NOON + DAY, HOUR))
    assert kept.quarantine() == []
    found = kept.link(one.link.id)
    assert found is not None
    assert found.state is LinkState.DONE


def test_what_is_gone_is_set_aside_nowhere(kept: Store) -> None:
    (source,) = kept.add_sources([NewSource("https://harbour.example/feed")], NOON)
    kept.keep([new(1)])
    kept.note_links([link(7)], NOON - 9 * DAY)
    (task,) = kept.claim("worker", 1, LEASE, NOON - 9 * DAY)
    entry = QuarantineEntry(Stage.STORIES, ItemKind.ARTICLE, "1", "", "why", "1", NOON, NOON)
    kept.set_aside([entry, replace(entry, stage=Stage.POLLING, kind=ItemKind.SOURCE, item=str(source))])
    kept.fail(task, "died", None, replace(entry, stage=Stage.READING, kind=ItemKind.LINK, item=str(task.link.id)))
    assert len(kept.quarantine()) == 3
    kept.remove_articles([1])
    kept.remove_source(source)
    kept.retain(Retention(links_for=timedelta(days=5)), NOON)
    assert kept.quarantine() == []


def test_names_and_reasons_are_one_harmless_line(kept: Store, caplog: pytest.LogCaptureFixture) -> None:
    # Another test may have left the level at DEBUG, which adds the traceback; xdist cannot send its lone surrogate.
    caplog.set_level(logging.WARNING, "tidings.quarantine")
    hostile = "a\nb\x1b[2J\x00\ud800 " + "x" * 5000
    Quarantine(kept, Stage.FEEDS, NOON).add(ItemName(ItemKind.LINK, hostile, hostile), ValueError(hostile))
    (entry,) = kept.quarantine()
    assert entry.name.startswith("a b [2J")
    assert len(entry.name) <= 200
    assert len(entry.reason) <= 500
    (message,) = [record.getMessage() for record in caplog.records if record.name == "tidings.quarantine"]
    assert not set(message) & {"\n", "\x1b"}
    again = Quarantine(kept, Stage.FEEDS, NOON)
    assert again.is_out(ItemName(ItemKind.LINK, hostile))  # known, though its key is shortened


# -- articles that cannot be read, or not be made findable ----------------------------------------------------------


def test_a_poisoned_row_costs_itself(kept: Store, caplog: pytest.LogCaptureFixture) -> None:
    kept.keep([new(number) for number in range(1, 6)])
    poison(kept, 3)
    with caplog.at_level(logging.WARNING, "tidings.quarantine"):
        assert [one.headline.id for one in kept.each_article()] == [1, 2, 4, 5]
    assert "article 3 (Story 3) is set aside in store" in caplog.text
    assert [one.headline.id for one in kept.articles_by_number([5, 3, 1])] == [5, 1]
    assert [one.headline.id for one in kept.each_article(all_versions=True)] == [1, 2, 4, 5]
    assert {hit.headline.id for hit in kept.search("story").items} == {1, 2, 3, 4, 5}
    (entry,) = kept.quarantine()
    assert (entry.stage, entry.item, entry.attempts) == (Stage.STORE, "3", 1)  # told once, however often it is met
    with pytest.raises(StoreDamaged, match="article 3 cannot be read"):
        kept.article(3)
    kept.remove_articles([3])
    assert kept.quarantine() == []


def test_an_article_whose_words_cannot_be_made_is_kept(
    kept: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaking(article: Article) -> Indexed:
        if article.title == "Story 2":
            raise RuntimeError("no words for this")
        return indexed(article)

    with monkeypatch.context() as patch:
        patch.setattr(write_articles, "indexed", breaking)
        saved = kept.keep([new(number) for number in range(1, 4)])
    assert [one.article for one in saved] == [1, 2, 3]
    assert {hit.headline.id for hit in kept.search("story").items} == {1, 3}
    assert [one.id for one in kept.articles(Only()).items] == [1, 2, 3]
    (entry,) = kept.quarantine()
    assert (entry.stage, entry.item, entry.reason) == (Stage.SEARCH, "2", "RuntimeError: no words for this")
    assert "article 2 (Story 2) is set aside in search" in caplog.text
    assert kept.check() == []
    assert kept.index_again(2)
    assert {hit.headline.id for hit in kept.search("story").items} == {1, 2, 3}
    assert kept.quarantine() == []
    assert not kept.index_again(99)
    # And a further version is found too, and removed without a trace.
    assert kept.keep([new(2, "Another story")])[0].version == 2
    kept.remove_articles([2])
    assert kept.check() == []


def test_a_page_that_cannot_be_read_any_more(kept: Store, caplog: pytest.LogCaptureFixture) -> None:
    pages = [RawPage(f"https://a.example/{number}", b"<p>%d" % number, NOON + number * HOUR) for number in range(3)]
    kept.keep([new(number, page=page) for number, page in enumerate(pages)])
    sql = "UPDATE page SET content = ? WHERE address = ?"
    kept.database.write(lambda session: session.run(sql, b"\x28\xb5", "https://a.example/1"))
    assert [one.page.address for one in kept.each_page()] == ["https://a.example/0", "https://a.example/2"]
    assert "is left out" in caplog.text


def test_a_copy_goes_on_without_the_words_of_a_bad_one(both: tuple[Store, Store]) -> None:
    one, other = both
    one.keep([new(number) for number in range(1, 5)])
    poison(one, 2)
    assert one.copy_to(other) == 4
    assert {hit.headline.id for hit in other.search("story").items} == {1, 3, 4}
    assert [(entry.stage, entry.item) for entry in other.quarantine(Stage.SEARCH)] == [(Stage.SEARCH, "2")]
    assert other.check() == []


def test_a_store_from_before_anything_was_set_aside(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "latest", lambda: 3)
        store.open(where).close()
    with store.open(where) as kept:
        kept.keep([new(1)])
        Quarantine(kept, Stage.STORIES).add(article_name(kept.articles(Only()).items[0]), "why")
        assert [entry.name for entry in kept.quarantine()] == ["Story 1"]
        assert kept.check() == []
    if not where.startswith("postgresql"):
        assert Path(f"{where}.version-3").exists()
