"""Feeds of the store: of a source, a search, a story, a category, of everything; in pages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tidings.errors import BadQuery, InputError
from tidings.sources import read_feed
from tidings_portal.feeds import FeedAddresses, FeedFormat, gather, write
from tidings_portal.selection import choice, each
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import Only


def numbers(store: Store, **told: str | int) -> list[int | None]:
    only = choice(store, **told)  # type: ignore[arg-type]  # one call for all kinds
    return [one.number for one in gather(store, only).feed.entries]


def test_each_kind_of_choice(store: Store) -> None:
    assert numbers(store) == [1, 2, 3, 4, 5, 6]  # the latest first
    assert numbers(store, source="1") == [1, 6]
    assert numbers(store, source="https://gazete.example.tr/rss") == [2]
    assert numbers(store, source="harbour gaz") == [1, 6]
    assert numbers(store, category="nature") == [1, 6]
    assert numbers(store, story=1) == [1, 6]
    assert numbers(store, search="seals OR söndü") == [1, 2]
    assert numbers(store, search="wall", category="Nature", source="Harbour") == [6]


def test_a_choice_that_cannot_be_made_says_why(store: Store) -> None:
    with pytest.raises(InputError, match="no source 'nobody'"):
        choice(store, source="nobody")
    with pytest.raises(InputError, match=r"2 \(Gazete\), 1 \(The Harbour Gazette\)"):
        choice(store, source="gaz")
    with pytest.raises(InputError, match="no story 77"):
        choice(store, story=77)
    with pytest.raises(BadQuery):
        choice(store, search="seals AND (")


def test_feeds_are_called_by_what_they_are_of(store: Store) -> None:
    def titled(search: str = "", **told: str | int) -> str:
        return gather(store, choice(store, search=search, **told), search=search).feed.title  # type: ignore[arg-type]

    assert gather(store, choice(store, source="1")).feed.places.home == "https://harbour.example/"
    assert titled() == "Tidings"
    assert titled(source="1") == "The Harbour Gazette"
    assert titled(story=1) == "The coast this week"
    assert titled("seals", category="Nature") == "Nature – seals"
    assert gather(store, choice(store, story=1)).feed.description == "Seals and walls."
    assert gather(store, choice(store, source="2")).feed.language == "tr"
    assert gather(store, Only(), title="Mine").feed.title == "Mine"


def test_identities_of_feeds(store: Store) -> None:
    one, same, other = (gather(store, choice(store, source=name)).feed.id for name in ("1", "1", "2"))
    assert one == same != other
    places = FeedAddresses(itself="https://news.example/feed?after=9", first="https://news.example/feed")
    assert gather(store, Only(), places).feed.id == "https://news.example/feed"


def test_feeds_in_pages_give_every_article_once(store: Store) -> None:
    found: list[str] = []
    after: str | None = None
    pages = 0
    while True:
        gathered = gather(store, Only(), limit=4, after=after)
        places = FeedAddresses(next=f"https://news.example/feed?after={gathered.after}" if gathered.after else "")
        read = read_feed(write(replace(gathered.feed, places=places), FeedFormat.ATOM).body)
        found += [item.guid for item in read.items]
        pages += 1
        after = gathered.after
        if not read.next_page:
            break
    assert pages == 2
    assert len(found) == len(set(found)) == 6


@pytest.mark.parametrize("form", list(FeedFormat))
def test_secrets_stay_inside(store: Store, form: FeedFormat) -> None:
    source = store.source(1)
    assert source is not None
    store.change_source(1, replace(source.settings, title=""))  # then it is called by its address
    for name in ("", "1"):
        assert b"secret" not in write(gather(store, choice(store, source=name)).feed, form).body


def test_all_of_a_choice_in_parts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings_portal.selection._AT_ONCE", 2)
    assert [kept.headline.id for kept in each(store, Only())] == [1, 2, 3, 4, 5, 6]
