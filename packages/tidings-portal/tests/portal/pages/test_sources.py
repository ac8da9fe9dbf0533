"""Sources: added by form whatever they are, changed, polled, removed, brought and taken away as lists."""

from __future__ import annotations

from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.accounts.browsing import site_of
from tests.portal.pages.looked_at import Seen
from tests.portal.pages.test_pages import digest
from tidings.errors import ConnectionFailed, DeadlineExceeded, RefusedAddress, UnknownHost
from tidings.fetch import Live, Outcome, Request, Response
from tidings.sources import read_opml
from tidings_portal.portal import sample
from tidings_portal.portal import sources as pages
from tidings_portal.store.records_of_work import NewSource, Poll, Source, SourceKind
from tidings_portal.watch.presence import Watcher
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings

FEED = (
    b'<?xml version="1.0"?><rss version="2.0"><channel><title>Lantern</title><link>https://lantern.example/</link>'
    b"<item><title>Orchestra buys a lighthouse</title><link>https://lantern.example/1</link></item></channel></rss>"
)
FRONT = (
    "<html><head><title>Lantern front</title>"
    '<link rel="alternate" type="application/rss+xml" title="All &lt;news&gt;" href="/feed.xml">'
    '<link rel="alternate" type="application/atom+xml" title="Sport" href="/sport.atom"></head><body>'
    + "".join(
        f'<h2><a href="/2026/03/{n}/a-long-title-of-a-story-{n}">A long title of a story {n}</a></h2>' for n in range(9)
    )
    + "</body></html>"
).encode()
PAGES = {
    "https://lantern.example/feed.xml": ("application/rss+xml", FEED),
    "https://lantern.example/": ("text/html", FRONT),
    "https://lantern.example/nothing": ("text/html", b"<html><body><p>Nothing to follow here.</p></body></html>"),
}
LIST = (
    b'<?xml version="1.0"?><opml version="2.0"><body><outline text="Coast"><outline text="Lantern" type="rss" '
    b'xmlUrl="https://lantern.example/feed.xml"/></outline><outline text="Buoy" xmlUrl="https://buoy.example/rss"/>'
    b"</body></opml>"
)


class Failing:
    """A web in which everything goes wrong in one way."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    async def fetch(self, _request: Request, /) -> Outcome:
        return self.outcome


class Guarded:
    """The real web with its guard."""

    async def fetch(self, request: Request) -> Outcome:
        async with Live(robots=False) as live:
            return await live.fetch(request)


@pytest.fixture
def web(app: App) -> housed.Web:
    made = housed.Web(dict(PAGES))
    app.fetcher = made
    return made


def test_a_feed_is_added_and_is_being_read(app: App, client: TestClient, web: housed.Web) -> None:
    answer = client.post(
        "/sources",
        data={
            "token": housed.token_in(client.get("/sources").text),
            "address": " lantern.example/feed.xml ",
            "folder": "Coast  news",
        },
    )
    assert answer.status_code == 303
    kept = app.store.source_at("https://lantern.example/feed.xml")
    assert kept is not None
    assert answer.headers["location"] == f"/sources/{kept.id}"
    assert (kept.settings.kind, kept.settings.title, kept.settings.folder) == (SourceKind.FEED, "Lantern", "Coast news")
    page = client.get(answer.headers["location"]).text
    assert "Fetching …" in page
    assert "data-refresh" not in page  # nobody watches here
    assert "The sources are not being checked" in page
    Watcher.current(housed.NOW).beat(app.store, housed.NOW)
    page = client.get(answer.headers["location"]).text
    assert "data-refresh" in page
    assert "appear here within seconds" in page
    at = housed.NOW - timedelta(minutes=5)
    app.store.polled(Poll(kept.id, at, housed.NOW + timedelta(hours=2), timedelta(hours=2)))
    assert "Fetching …" not in client.get(answer.headers["location"]).text


def test_a_page_with_feeds_asks_which(app: App, client: TestClient, web: housed.Web) -> None:
    token = housed.token_in(client.get("/sources").text)
    answer = client.post("/sources", data={"token": token, "address": "https://lantern.example/", "folder": "F"})
    assert answer.status_code == 200
    offered = {one["value"] for one in Seen(answer.text).all("input") if one.get("type") == "checkbox"}
    assert offered == {
        "https://lantern.example/feed.xml",
        "https://lantern.example/sport.atom",
        "https://lantern.example/",
    }
    assert "All &lt;news&gt;" in answer.text
    chosen = {
        "token": token,
        "folder": "F",
        "feed": ["https://lantern.example/feed.xml"],
        "front": "https://lantern.example/",
    }
    assert client.post("/sources", data=chosen).status_code == 303
    kept = {one.settings.address: one.settings for one in app.store.sources() if "lantern" in one.settings.address}
    assert {told.kind for told in kept.values()} == {SourceKind.FEED, SourceKind.FRONT_PAGE}
    assert {told.folder for told in kept.values()} == {"F"}


def test_a_kind_that_somebody_names_is_believed(app: App, client: TestClient, web: housed.Web) -> None:
    token = housed.token_in(client.get("/sources").text)
    address = "https://lantern.example/nothing"
    refused = client.post("/sources", data={"token": token, "address": address})
    assert refused.status_code == 400
    assert "No feed or front page was found" in refused.text
    assert f'value="{address}"' in refused.text
    assert client.post("/sources", data={"token": token, "address": address, "kind": "front"}).status_code == 303
    kept = app.store.source_at(address)
    assert kept is not None
    assert kept.settings.kind is SourceKind.FRONT_PAGE


@pytest.mark.parametrize(
    ("outcome", "status", "english", "turkish"),
    [
        (RefusedAddress("u", "private"), 403, "leads to a private network", "özel bir ağa"),
        (UnknownHost("u", "no such name"), 502, "cannot be resolved", "Sunucu adı çözümlenemiyor"),
        (DeadlineExceeded("u", "30 s"), 504, "did not answer in time", "zamanında yanıt vermedi"),
        (Response("u", 404), 502, "nothing at this URL any more", "artık bir şey yok"),
        (Response("u", 401), 502, "Needs a password", "Parola gerekiyor"),
    ],
)
def test_what_goes_wrong_is_explained_in_the_readers_language(
    app: App, client: TestClient, outcome: Outcome, status: int, english: str, turkish: str
) -> None:
    app.fetcher = Failing(outcome)
    before = len(app.store.sources())
    token = housed.token_in(client.get("/sources").text)
    for language, expected in (("en", english), ("tr", turkish)):
        asked = {"token": token, "address": "https://x.example/"}
        answer = client.post("/sources", data=asked, headers={"accept-language": language})
        assert answer.status_code == status
        assert expected in answer.text
    assert len(app.store.sources()) == before


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1/", "http://[::1]:80/", "127.1", "http://169.254.169.254/", "http://0x7f.1/", "localhost"],
)
@pytest.mark.parametrize("kind", ["auto", "feed"])
def test_private_addresses_are_refused(app: App, client: TestClient, address: str, kind: str) -> None:
    app.fetcher = Guarded()
    token = housed.token_in(client.get("/sources").text)
    answer = client.post("/sources", data={"token": token, "address": address, "kind": kind})
    assert answer.status_code == 403
    assert "Not allowed" in answer.text


@pytest.mark.parametrize(
    "address", ["", "   ", "file:///etc/passwd", "javascript:alert(1)", "ftp://x.example/", "http://", "x y"]
)
def test_what_is_no_address_is_refused(app: App, client: TestClient, address: str) -> None:
    app.fetcher = Guarded()
    token = housed.token_in(client.get("/sources").text)
    answer = client.post("/sources", data={"token": token, "address": address})
    assert answer.status_code in {400, 502}
    assert app.store.source_at(address) is None


def test_one_visitor_has_only_so_many_fetches(app: App, client: TestClient, web: housed.Web) -> None:
    app.settings = PortalSettings(minute_fetches=2)
    token = housed.token_in(client.get("/sources").text)
    asked = {"token": token, "address": "https://lantern.example/nothing"}
    assert [client.post("/sources", data=asked).status_code for _ in range(3)] == [400, 400, 429]


def test_a_source_can_be_changed(app: App, client: TestClient) -> None:
    token = housed.token_in(client.get("/sources/3").text)
    told = {"title": "My Gazette", "folder": "Home", "interval": "30", "muted": "yes"}
    assert client.post("/sources/3", data={"token": token, **told}).status_code == 303
    kept = app.store.source(3)
    assert kept is not None
    assert (kept.settings.title, kept.settings.folder, kept.settings.muted) == ("My Gazette", "Home", True)
    assert kept.settings.interval == timedelta(minutes=30)
    assert "gazette.example" not in client.get("/latest").text.partition("<main")[2]
    client.post("/sources/3", data={"token": token, **told, "interval": "0", "muted": ""})
    kept = app.store.source(3)
    assert kept is not None
    assert (kept.settings.interval, kept.settings.muted) == (None, False)


def test_an_interval_of_the_command_line_is_kept(app: App, client: TestClient) -> None:
    kept = app.store.source(3)
    assert kept is not None
    app.store.change_source(3, NewSource(kept.settings.address, title="G", interval=timedelta(minutes=47)))
    page = client.get("/sources/3").text
    assert '<option value="47" selected>' in page
    client.post("/sources/3", data={"token": housed.token_in(page), "title": "G", "interval": "47"})
    changed = app.store.source(3)
    assert changed is not None
    assert changed.settings.interval == timedelta(minutes=47)


def test_poll_now_and_remove(app: App, client: TestClient) -> None:
    token = housed.token_in(client.get("/sources/3").text)
    assert client.post("/sources/3/poll", data={"token": token}).status_code == 303
    kept = app.store.source(3)
    assert kept is not None
    assert kept.next_poll == housed.NOW
    articles = app.store.totals().articles
    assert "9 articles stay" in Seen(client.get("/sources/3/remove").text).words
    assert client.post("/sources/3/remove", data={"token": token}).status_code == 303
    assert app.store.source(3) is None
    assert app.store.totals().articles == articles
    assert client.post("/sources/3/remove", data={"token": token}).status_code == 404


def test_lists_come_in_and_go_out(app: App, client: TestClient) -> None:
    token = housed.token_in(client.get("/sources").text)
    answer = client.post("/sources/import", data={"token": token}, files={"file": ("my.opml", LIST)})
    assert answer.headers["location"] == "/sources?imported=2"
    assert "2 new sources were added" in client.get("/sources?imported=2").text
    body = client.get("/sources.opml")
    assert "attachment" in body.headers["content-disposition"]
    told = {one.address: one.folder for one in read_opml(body.content).feeds}
    assert told["https://lantern.example/feed.xml"] == ("Coast",)
    assert len(told) == len(app.store.sources())


@pytest.mark.parametrize(
    "data", [b"", b"no list", b"<opml/>", b'<!DOCTYPE x [<!ENTITY a "b">]><opml>&a;</opml>', b"\x00" * 100]
)
def test_a_file_that_is_no_list_is_explained(client: TestClient, data: bytes) -> None:
    token = housed.token_in(client.get("/sources").text)
    answer = client.post("/sources/import", data={"token": token}, files={"file": ("x", data)})
    assert answer.status_code == 400
    assert "This is not a list of feeds" in answer.text


def test_trouble_is_told_in_words(app: App, client: TestClient) -> None:
    at = housed.NOW - timedelta(hours=1)
    later = housed.NOW + timedelta(hours=1)
    app.store.polled(Poll(3, at, later, timedelta(hours=2), "not found", "the server says 404", failed=True))
    for language, expected in (
        ("en", "There is nothing at this URL any more"),
        ("tr", "artık bir şey yok"),
    ):
        for path in ("/sources", "/sources/3"):
            assert expected in client.get(path, headers={"accept-language": language}).text
    assert "the server says 404" in client.get("/sources/3").text
    assert "1 with a problem" in client.get("/sources").text


def test_passwords_are_never_shown(app: App, client: TestClient) -> None:
    (number,) = app.store.add_sources(
        [NewSource("https://reader:secret@private.example/feed", credentials="user:hidden")], housed.NOW
    )
    app.settings = PortalSettings(accounts=True)
    for path in ("/sources", f"/sources/{number}", "/sources.opml", "/feeds", "/search"):
        page = client.get(path).text
        assert "secret" not in page
        assert "hidden@" not in page
        assert "user:hidden" not in page
    assert "private.example" in client.get("/sources").text


def test_with_accounts_only_people_change_sources(app: App, client: TestClient, web: housed.Web) -> None:
    app.settings = PortalSettings(accounts=True)
    page = client.get("/sources").text
    assert 'action="/sources"' not in page
    assert "/sign-in?next=/sources" in page
    assert 'action="/sources/3' not in client.get("/sources/3").text
    token = housed.token_in(page)
    before = digest(app.store.where)
    forms = ("/sources", "/sources/import", "/sources/3", "/sources/3/poll", "/sources/3/remove")
    for path in forms:
        told = {"token": token, "address": "https://lantern.example/feed.xml"}
        assert client.post(path, data=told).status_code == 401
    assert client.get("/sources/3/remove").status_code == 401
    assert not web.asked
    assert digest(app.store.where) == before


def test_with_accounts_only_who_runs_the_house_changes_what_is_everybodys(app: App) -> None:
    app.settings = PortalSettings(accounts=True)
    site = site_of(app)
    admin, other = site.person("Ann"), site.person("Ben")
    assert 'action="/sources/3"' in admin.get("/sources/3").text
    page = other.get("/sources/3").text
    assert 'action="/sources/3/poll"' not in page
    assert 'action="/my/sources/subscribe"' in page
    assert 'action="/sources/3"' not in page
    assert "/sources/3/remove" not in page
    assert other.send("/sources/3/poll", page="/sources").status_code == 403  # as by the API
    assert admin.send("/sources/3/poll", page="/sources").status_code == 303
    assert other.send("/sources/3", page="/sources", title="Mine").status_code == 403
    assert other.send("/sources/3/remove", page="/sources").status_code == 403
    assert other.get("/sources/3/remove").status_code == 403
    assert admin.send("/sources/3", page="/sources", title="Ours").status_code == 303
    kept = app.store.source(3)
    assert kept is not None
    assert kept.settings.title == "Ours"


def test_with_accounts_what_somebody_adds_is_their_own(app: App, web: housed.Web) -> None:
    app.settings = PortalSettings(accounts=True)
    ann = site_of(app).person("Ann")
    told = {"address": "https://lantern.example/feed.xml", "folder": "Coast"}
    assert ann.send("/sources", page="/sources", **told).status_code == 303
    assert web.asked == ["https://lantern.example/feed.xml"]
    own = [(one.name, one.folder) for one in app.store.subscriptions(ann.key)]
    assert ("Lantern", "Coast") in own
    assert len(own) == len(app.store.sources())  # she read everything before, and still does


@pytest.mark.parametrize("path", ["/sources", "/sources/import", "/sources/3", "/sources/3/poll", "/sources/3/remove"])
def test_forms_of_others_and_large_ones_change_nothing(app: App, client: TestClient, path: str) -> None:
    token = housed.token_in(client.get("/sources").text)
    before = digest(app.store.where)
    assert client.post(path, data={"address": "https://lantern.example/"}).status_code == 403
    assert client.post(path, data={"token": "0" * 32}).status_code == 403
    foreign = {"origin": "https://evil.example"}
    assert client.post(path, data={"token": token}, headers=foreign).status_code == 403
    assert client.post(path, data={"token": token, "address": "a" * 10_000_000}).status_code == 413
    assert client.post(path, data={"token": token}, files={"file": ("x", b"a" * 10_000_000)}).status_code == 413
    assert digest(app.store.where) == before


def test_what_is_due_is_being_read_and_what_is_gone_is_not() -> None:
    now, hour = housed.NOW, timedelta(hours=1)
    told = NewSource("https://a.example/")
    source = Source(1, told, now, now + hour)
    assert not pages.is_being_read(source, 0, now)
    assert pages.is_being_read(Source(1, told, now, now), 5, now)
    assert not pages.is_being_read(Source(1, told, now, now, gone=True), 5, now)
    fresh = Source(1, told, now, now + hour, last_success=now - timedelta(seconds=20))
    assert pages.is_being_read(fresh, 0, now)
    assert not pages.is_being_read(fresh, 3, now)
    assert pages.is_being_read(Source(1, told, now, now + hour, last_success=now - timedelta(seconds=5)), 3, now)
    ill = Source(1, told, now, now + hour, last_success=now, problem="trouble")
    assert not pages.is_being_read(ill, 0, now)


class PlainHttpOnly:
    """A site whose https connections fail for one reason."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self.requests: list[str] = []

    async def fetch(self, request: Request) -> Outcome:
        self.requests.append(request.url)
        if request.url.startswith("https:"):
            return ConnectionFailed(request.url, self.reason)
        return Response(request.url, 200, (("content-type", "application/rss+xml"),), FEED, request.kind)


@pytest.mark.parametrize("kind", ["auto", "feed"])
def test_a_bare_domain_falls_back_to_http_when_https_is_refused(app: App, client: TestClient, kind: str) -> None:
    app.fetcher = PlainHttpOnly("no connection (refused)")
    form = {"token": housed.token_in(client.get("/sources").text), "address": "plain.example/feed.xml", "kind": kind}
    assert client.post("/sources", data=form).status_code == 303
    assert app.store.source_at("http://plain.example/feed.xml") is not None


@pytest.mark.parametrize(
    ("typed", "reason"),
    [("https://plain.example/feed.xml", "no connection (refused)"), ("plain.example", "its certificate is not valid")],
)
def test_a_typed_scheme_and_a_bad_certificate_are_no_reason_for_http(
    app: App, client: TestClient, typed: str, reason: str
) -> None:
    app.fetcher = web = PlainHttpOnly(reason)
    form = {"token": housed.token_in(client.get("/sources").text), "address": typed}
    page = client.post("/sources", data=form)
    assert page.status_code == 502
    assert reason in page.text
    assert all(url.startswith("https:") for url in web.requests)


def test_the_removed_sample_stays_removed_and_its_banner_is_not_over_own_news(app: App, client: TestClient) -> None:
    assert "/sample/remove" in client.get("/").text
    app.store.add_sources([NewSource("https://lantern.example/feed.xml")], housed.NOW)
    app.cache.forget()
    assert "/sample/remove" not in client.get("/").text
    page = client.get("/sources").text
    assert "/sample/remove" in page
    client.post("/sample/remove", data={"token": housed.token_in(page)})
    assert [one.settings.address for one in app.store.sources()] == ["https://lantern.example/feed.xml"]
    app.store.remove_source(app.store.sources()[0].id)
    assert not sample.add(app.store, housed.NOW)  # what `tidings serve` does with an empty store
    assert app.store.sources() == []
    assert "/sample/remove" not in client.get("/sources").text
