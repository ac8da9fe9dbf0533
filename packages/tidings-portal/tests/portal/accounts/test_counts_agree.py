"""Unread counts agree everywhere: reading list, folders, sources, badge, API and Google Reader API."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.accounts.browsing import PASSWORD, Site, site_of
from tests.portal.greader.client import LABEL, STATE
from tests.portal.greader.test_conversation import phone, token_of
from tests.portal.store.made import new
from tidings_portal import store as stores
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import Mute
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.store.verbs.sending import ReaderRule, RuleEffect
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings

FOLDERS = ("", "Coast", "Hills")
READ = f"{STATE}read"


def fill(store: Store, chance: random.Random) -> None:
    """Eight sources in folders, and articles of none, one or several of them, with copies; some are muted."""
    sources = [
        NewSource(f"https://s{n}.example/feed", title=f"Source {n}", folder=chance.choice(FOLDERS)) for n in range(8)
    ]
    numbers = store.add_sources(sources, housed.NOW)
    count = chance.randrange(30, 90)
    store.keep(
        [
            new(
                number,
                f"Muted {number}" if chance.random() < 0.1 else f"Story {number}",
                language=chance.choice(("en", "de", "pl", "tr")),
                sources=tuple(chance.sample(numbers, chance.choice((0, 1, 1, 1, 2, 3)))),
                published=housed.NOW - timedelta(minutes=number),
                at=housed.NOW,
            )
            for number in range(1, count)
        ]
    )
    store.save_copies({n: chance.randrange(1, n // 2) for n in range(6, count) if n % 2 and chance.random() < 0.3})
    store.set_mutes([Mute("title:Muted")])


def use(store: Store, person: str, chance: random.Random) -> None:
    """Read, hide and read again as somebody does."""
    numbers = list(range(1, (store.latest_number() or 0) + 1))
    if chance.random() < 0.5:
        store.mark_all_read(person, up_to=chance.choice(numbers))
    store.mark_read(person, chance.sample(numbers, 8))
    store.mark_read(person, chance.sample(numbers, 8), read=False)
    rule = store.add_rule(ReaderRule("Story", RuleEffect.HIDE, person=person), housed.NOW)
    assert rule is not None
    store.hide(person, chance.sample(numbers, 5), rule)


@pytest.fixture(params=range(12))
def chance(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.param)


@pytest.fixture
def app(tmp_path: Path, chance: random.Random) -> Iterator[App]:
    with stores.open(tmp_path / "news.tidings") as kept:
        fill(kept, chance)
        web = housed.Web()
        yield App(kept, web, web, PortalSettings(), now=lambda: housed.NOW)


def rows(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'data-article="(\d+)"', page)]


def assert_agreement(site: Site, client: TestClient, person: str, name: str, password: str) -> None:
    """Compare what the web, the API and the Google Reader API say of one person's unread articles."""
    store = site.app.store
    site.app.cache.forget()
    reader = phone(site, name, password)
    secret = {"Authorization": f"Bearer {token_of(site, person)}"}
    ids = [int(one) for one in reader.numbers(n="1000", xt=READ)]
    total = len(ids)
    counts = {one["id"]: one["count"] for one in reader.get("unread-count")["unreadcounts"]}
    assert counts[f"{STATE}reading-list"] == total
    assert reader.get("unread-count")["max"] == total
    unread = client.get("/api/v1/own/unread", params={"limit": 100}, headers=secret).json()["items"]
    assert sorted(one["id"] for one in unread) == sorted(ids)
    for path in ("/unread", "/unread?order=old"):
        page = client.get(path).text
        assert f"{total} unread" in page
        listed = rows(page)
        while more := re.search(r'<a rel="next" class="button" href="([^"]+)"', page):
            page = client.get(more[1].replace("&amp;", "&")).text
            listed += rows(page)
        # Each text once, and no text lost.
        first = {
            one.id: min(one.id, *(copy.id for copy in one.copies)) for one in store.headlines_of(ids) if one.copies
        }
        assert sorted(first.get(number, number) for number in listed) == sorted({first.get(n, n) for n in ids})
        assert set(listed) <= set(ids)
        badge = re.search(r'href="/unread" aria-current="true">[^<]*<span class="left">(\d+)', page)
        assert (int(badge[1]) if badge else 0) == total
    folders = {one: 0 for one in FOLDERS if one}
    for one in client.get("/api/v1/own/sources", headers=secret).json()["items"]:
        number = one["source"]["id"]
        count = one["unread"]
        assert counts[f"feed/{number}"] == count
        assert len(reader.numbers(f"feed/{number}", n="1000", xt=READ)) == count
        page = client.get(f"/unread?source={number}").text
        assert f"{count} unread" in page
        assert sorted(rows(page)) == sorted(map(int, reader.numbers(f"feed/{number}", n="1000", xt=READ)))
        figure = re.search(rf'href="/unread\?source={number}"[^>]*>.*?</bdi>(?: <span class="left">(\d+))?', page)
        assert figure is not None
        assert int(figure[1] or 0) == count
        if one["folder"]:
            folders[one["folder"]] += 1
    for folder in (name for name, sources in folders.items() if sources):
        count = counts[LABEL + folder]
        assert len(reader.numbers(LABEL + folder, n="1000", xt=READ)) == count
        page = client.get(f"/unread?folder={folder}").text
        assert f"{count} unread" in page
        figure = re.search(rf'href="/unread\?folder={folder}"[^>]*>{folder}(?: <span class="left">(\d+))?', page)
        assert figure is not None
        assert int(figure[1] or 0) == count


def test_without_accounts(app: App, chance: random.Random) -> None:
    use(app.store, LOCAL, chance)
    site = site_of(app)
    assert_agreement(site, site.browser().client, LOCAL, "me", "")


@pytest.mark.parametrize("is_subscribed", [False, True])
def test_with_accounts(app: App, chance: random.Random, is_subscribed: bool) -> None:
    app.settings = PortalSettings(accounts=True)
    site = site_of(app)
    ann = site.person("Ann")
    for source in chance.sample(app.store.sources(), 4) if is_subscribed else ():
        app.store.subscribe(source.id, ann.key, housed.NOW, folder=chance.choice(FOLDERS))
    use(app.store, ann.key, chance)
    assert_agreement(site, ann.client, ann.key, "Ann", PASSWORD)
