"""The Google Reader API, spoken by a client written from its documentation; answers are held to schemas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.portal import housed
from tests.portal.accounts.browsing import PASSWORD, Site, site_of
from tests.portal.greader.client import LABEL, STATE, GReaderClient
from tidings.article import Article, Block, Inline, Kind
from tidings.sources import Enclosure
from tidings_portal.accounts.sessions import Device
from tidings_portal.store.records_of_articles import NewArticle
from tidings_portal.store.records_of_people import LOCAL, Scope
from tidings_portal.web.access import make_token
from tidings_portal.web.settings import PortalSettings

FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Coast</title><link>https://coast.example/</link>
<item><title>Tide</title><link>https://coast.example/1</link></item></channel></rss>"""
OPML = b"""<?xml version="1.0"?><opml version="2.0"><head><title>My feeds</title></head><body>
<outline text="Sea"><outline text="Ships" type="rss" xmlUrl="https://ships.example/feed"/></outline>
<outline text="Hills" type="rss" xmlUrl="https://hills.example/feed"/></body></opml>"""


@pytest.fixture
def site(filled: Path, tmp_path: Path) -> Iterator[Site]:
    web = housed.Web({"https://coast.example/feed": ("application/rss+xml", FEED)})
    with housed.app(housed.copy_of(filled, tmp_path), PortalSettings(accounts=True), web) as app:
        yield site_of(app)


@pytest.fixture
def local(filled: Path, tmp_path: Path) -> Iterator[Site]:
    web = housed.Web({"https://coast.example/feed": ("application/rss+xml", FEED)})
    with housed.app(housed.copy_of(filled, tmp_path), web=web) as app:
        yield site_of(app)


def token_of(site: Site, person: str = LOCAL, *scopes: Scope) -> str:
    made = make_token("phone", frozenset(scopes or (Scope.READ, Scope.WRITE)))
    assert site.app.store.add_token(made.record, person, site.app.now())
    return made.secret


def phone(site: Site, name: str = "me", password: str = "") -> GReaderClient:
    client = GReaderClient(site.browser().client)
    assert client.sign_in(name, password or token_of(site)).status_code == 200
    return client


def test_a_whole_conversation(local: Site) -> None:  # noqa: PLR0915  # one conversation of sixty questions
    client = phone(local)
    store = local.app.store
    assert client.http.get("/api/greader.php/check/compatibility").text == "PASS"
    assert client.get("user-info")["userName"] == "local"
    feeds = client.get("subscription/list")["subscriptions"]
    assert [one["id"] for one in feeds] == [f"feed/{one.id}" for one in store.sources()]
    assert client.get("tag/list")["tags"][0]["id"] == f"{STATE}starred"

    everything = client.numbers(n="7")
    assert everything == [str(one.id) for one in store.articles(limit=1000).items]
    assert client.numbers(n="1000") == everything
    assert client.numbers(n="11", r="o") == everything[::-1]
    first = feeds[0]["id"]
    of_feed = client.numbers(first, n="1000")
    assert 0 < len(of_feed) < len(everything)
    assert client.numbers(f"feed/{feeds[0]['url']}", n="1000") == of_feed

    page = client.get(f"stream/contents/{first}", n="3")
    assert [one["origin"]["streamId"] for one in page["items"]] == [first] * 3
    assert page["items"][0]["id"] == f"tag:google.com,2005:reader/item/{int(of_feed[0]):016x}"
    assert "<article" in page["items"][0]["summary"]["content"]
    more = client.get(f"stream/contents/{first}", n="3", c=page["continuation"])
    assert not {one["id"] for one in more["items"]} & {one["id"] for one in page["items"]}
    assert len(client.get("stream/contents")["items"]) == min(20, len(everything))

    long, short, plain = (one["id"] for one in client.get("stream/contents", n="3")["items"])
    names = [long, short.rpartition("/")[2], str(int(plain.rpartition("/")[2], 16))]
    again = client.send("stream/items/contents", i=names)
    assert [one["id"] for one in again.json()["items"]] == [long, short, plain]

    total = client.unread(f"{STATE}reading-list")
    assert total == len(everything) == len(client.numbers(n="1000", xt=f"{STATE}read"))
    client.do("edit-tag", i=[long, short], a=f"{STATE}read")
    assert client.unread(f"{STATE}reading-list") == total - 2
    assert client.numbers(f"{STATE}read") == everything[:2] == client.numbers(it=f"{STATE}read")
    read = client.get("stream/contents", n="1")["items"][0]
    assert f"{STATE}read" in read["categories"]
    client.do("edit-tag", i=long, r=f"{STATE}read", a=f"{STATE}kept-unread")
    assert client.unread(f"{STATE}reading-list") == total - 1

    client.do("edit-tag", i=[long, plain], a=f"{STATE}starred")
    assert client.numbers(f"{STATE}starred") == [everything[0], everything[2]]
    assert store.is_saved(int(everything[0]), LOCAL)
    client.do("edit-tag", i=long, r=f"{STATE}starred")
    assert client.numbers(f"{STATE}starred") == [everything[2]]

    client.do("edit-tag", i=[long, short], a=f"{LABEL}For Monday")
    assert client.numbers(f"{LABEL}For Monday") == everything[:2]
    assert {"id": f"{LABEL}For Monday", "type": "tag", "unread_count": 1} in client.get("tag/list")["tags"]
    client.do("rename-tag", s=f"{LABEL}For Monday", dest=f"{LABEL}For Tuesday")
    assert client.numbers(f"{LABEL}For Tuesday") == everything[:2]
    client.do("mark-all-as-read", s=f"{LABEL}For Tuesday")
    assert client.unread(f"{STATE}reading-list") == total - 2
    client.do("edit-tag", i=long, r=f"{LABEL}For Tuesday")
    assert client.numbers(f"{LABEL}For Tuesday") == everything[1:2]
    client.do("disable-tag", s=f"{LABEL}For Tuesday")
    assert client.numbers(f"{LABEL}For Tuesday") == []

    client.do("subscription/edit", ac="edit", s=first, t="Morning", a=f"{LABEL}News/Coast")
    renamed = next(one for one in client.get("subscription/list")["subscriptions"] if one["id"] == first)
    assert renamed["title"] == "Morning"
    assert renamed["categories"] == [{"id": f"{LABEL}News/Coast", "label": "News/Coast"}]
    assert client.numbers(f"{LABEL}News/Coast", n="1000") == of_feed
    assert client.unread(f"{LABEL}News/Coast") == client.unread(first)
    client.do("rename-tag", s=f"{LABEL}News/Coast", dest=f"{LABEL}Harbour")
    assert {"id": f"{LABEL}Harbour", "type": "folder"} in client.get("tag/list")["tags"]
    client.do("mark-all-as-read", s=f"{LABEL}Harbour")
    assert client.unread(first) == 0
    client.do("disable-tag", s=f"{LABEL}Harbour")
    assert store.sources()[0].settings.folder in {"", *(one.settings.folder for one in store.sources())}

    added = client.send("subscription/quickadd", quickadd="https://coast.example/feed").json()
    assert added["numResults"] == 1
    assert added["streamName"] == "Coast"
    nothing = client.send("subscription/quickadd", quickadd="https://nowhere.example/").json()
    assert nothing["numResults"] == 0
    assert nothing["error"]
    exported = client.ask("subscription/export")
    assert "https://coast.example/feed" in exported.text
    answer = client.http.post(
        "/api/greader.php/reader/api/0/subscription/import",
        content=OPML,
        headers={**client.headers, "content-type": "text/xml"},
    )
    assert answer.text == "OK"
    told = {one["title"]: one["categories"] for one in client.get("subscription/list")["subscriptions"]}
    assert told["Ships"][0]["label"] == "Sea"
    assert told["Hills"] == []
    client.do("subscription/edit", ac="unsubscribe", s=added["streamId"])
    assert added["streamId"] not in {one["id"] for one in client.get("subscription/list")["subscriptions"]}

    client.do("mark-all-as-read", s=f"{STATE}reading-list", ts="1")
    assert client.unread(f"{STATE}reading-list") > 0
    client.do("mark-all-as-read", s=f"{STATE}reading-list", ts="9999999999999999")
    assert client.unread(f"{STATE}reading-list") == 0
    assert client.numbers(xt=f"{STATE}read") == []
    assert client.asked >= 60


def test_what_a_phone_reads_the_portal_shows_as_read(local: Site) -> None:
    client = phone(local)
    newest = client.numbers(n="1")[0]
    client.do("edit-tag", i=newest, a=f"{STATE}read")
    assert local.app.store.unread_among(LOCAL, [int(newest)]) == set()
    local.app.store.mark_read(LOCAL, [int(newest)], read=False)
    assert newest in client.numbers(f"{STATE}reading-list", xt=f"{STATE}read")


def test_people_sign_in_with_their_password_or_with_a_token_of_theirs(site: Site) -> None:
    ann, ben = site.person("Ann"), site.person("Ben", "192.0.2.2")
    by_password = phone(site, "ann", PASSWORD)
    everything = len(site.app.store.sources())
    assert len(by_password.get("subscription/list")["subscriptions"]) == everything  # until Ann chooses some
    source = site.app.store.sources()[0]
    by_password.do("subscription/edit", ac="subscribe", s=f"feed/{source.id}", a=f"{LABEL}Mine")
    assert [one.folder for one in site.app.store.subscriptions(ann.key)].count("Mine") == 1
    assert len(by_password.get("subscription/list")["subscriptions"]) == everything
    by_token = phone(site, "Ben", token_of(site, ben.key))
    assert len(by_token.get("subscription/list")["subscriptions"]) == everything
    by_token.do("subscription/edit", ac="subscribe", s=f"feed/{source.id}")
    number = by_token.numbers(n="1")[0]
    by_token.do("edit-tag", i=number, a=[f"{STATE}read", f"{STATE}starred", f"{LABEL}Ben's"])
    assert number in by_password.numbers(n="1000", xt=f"{STATE}read")
    assert by_password.numbers(f"{LABEL}Ben's") == []
    by_token.do("subscription/edit", ac="unsubscribe", s=f"feed/{source.id}")
    assert len(by_token.get("subscription/list")["subscriptions"]) == everything - 1
    assert site.app.store.source(source.id) is not None
    site.sessions.change_password(
        site.app.store.persons()[0], PASSWORD, "another one at dusk", Device("192.0.2.1"), by_password.auth
    )
    assert by_password.ask("user-info").status_code == 401


def test_an_episode_without_a_page_has_its_file_and_a_link(local: Site) -> None:
    store, at = local.app.store, local.app.now()
    notes = ("Notes of the week. " * 40).strip(), "And of the next."
    blocks = tuple(Block(Kind.PARAGRAPH, (Inline(one),)) for one in notes)
    episode = Article(title="Episode 7", summary=" ".join(notes), blocks=blocks)
    (source, *_) = store.sources()
    (kept,) = store.keep([NewArticle(episode, at, "feed", None, ("guid:7",), "", (source.id,))])
    sound = Enclosure("https://cast.example/7.mp3", "audio/mpeg", 1234, 60)
    store.keep_enclosures({"guid:7": [sound]})
    client = phone(local)
    (item,) = [one for one in client.get("stream/contents", n="1000")["items"] if one["title"] == "Episode 7"]
    assert item["enclosure"] == [{"href": sound.address, "type": "audio/mpeg", "length": 1234}]
    assert item["canonical"] == [{"href": sound.address}]
    page = local.browser().get(f"/article/{kept.article}").text
    assert 'href=""' not in page
    assert page.count("And of the next.") == 1 + page.count('content="Notes of the week.')  # no standfirst repeats it
    assert 'rel="canonical"' not in page


def test_nobody_gets_in_without(site: Site) -> None:
    ann = site.person("Ann")
    client = GReaderClient(site.browser("192.0.2.9").client)
    for path in ("token", "subscription/list", "stream/contents", "unread-count", "tag/list", "no/such"):
        answer = client.ask(path)
        assert (answer.status_code, answer.text) == (401, "Unauthorized!")
        assert answer.headers["google-bad-token"] == "true"
    for name, password in (("Ann", "wrong"), ("", ""), ("Ann", "tidings_wrong"), ("Ben", token_of(site, ann.key))):
        assert client.sign_in(name, password).status_code == 401
    person = site.app.store.persons()[0]
    for auth in (f"{person.id}/", f"{person.id}/{'0' * 32}", "/", "x" * 1000, "9" * 30 + "/1"):
        client.auth = auth
        assert client.ask("user-info").status_code == 401
    revoked = phone(site, "Ann", token_of(site, ann.key))
    for token in site.app.store.tokens(ann.key):
        site.app.store.revoke_token(token.id, ann.key, site.app.now())
    assert revoked.ask("user-info").status_code == 401


def test_a_token_that_may_only_read_changes_nothing(local: Site) -> None:
    client = phone(local, "me", token_of(local, LOCAL, Scope.READ))
    number = client.numbers(n="1")[0]
    assert client.send("edit-tag", i=number, a=f"{STATE}read").status_code == 403
    assert local.app.store.unread_among(LOCAL, [int(number)]) == {int(number)}
    writing = phone(local)
    writing.token = "another"  # noqa: S105
    assert writing.send("edit-tag", i=number, a=f"{STATE}read").status_code == 401
    writing.token = ""
    assert writing.send("edit-tag", i=number, a=f"{STATE}read").text == "OK"
    assert writing.ask("edit-tag", i=number, r=f"{STATE}read").status_code == 400


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("stream/items/ids", {"n": "-1"}),
        ("stream/items/ids", {"n": "1e999"}),
        ("stream/items/ids", {"c": "nonsense"}),
        ("stream/items/ids", {"ot": "yesterday"}),
        ("stream/items/ids", {"s": "user/-/nonsense"}),
        ("stream/contents/feed/99999", {}),
        ("stream/contents/feed/%00", {}),
        ("stream/items/contents", {"i": "not hexadecimal"}),
        ("subscription/nonsense", {}),
        ("preference/list", {}),
    ],
)
def test_nonsense_gets_the_errors_of_the_protocol(local: Site, path: str, told: dict[str, str]) -> None:
    answer = phone(local).ask(path, **told)
    assert answer.status_code in {400, 404}
    assert answer.text.startswith(("Bad Request!", "Not Found!"))
    assert answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("edit-tag", {}),
        ("edit-tag", {"i": "1"}),
        ("edit-tag", {"i": "x", "a": f"{STATE}read"}),
        ("edit-tag", {"i": "1", "a": "nonsense"}),
        ("subscription/edit", {"ac": "burn", "s": "feed/1"}),
        ("subscription/edit", {"ac": "edit", "s": "feed/999999"}),
        ("subscription/quickadd", {}),
        ("subscription/import", {}),
        ("rename-tag", {"s": f"{LABEL}There is none", "dest": f"{LABEL}x"}),
        ("rename-tag", {"s": f"{LABEL}x"}),
        ("disable-tag", {}),
        ("mark-all-as-read", {}),
        ("mark-all-as-read", {"s": f"{STATE}reading-list", "ts": "soon"}),
        ("edit-tag", {"i": ["1"] * 6000, "a": f"{STATE}read"}),
    ],
)
def test_nonsense_changes_nothing(local: Site, path: str, told: dict[str, object]) -> None:
    client = phone(local)
    before = local.app.store.labels(LOCAL), client.numbers(n="1000", xt=f"{STATE}read"), local.app.store.sources()
    answer = client.send(path, **told)
    assert answer.status_code in {400, 404}, answer.text
    after = local.app.store.labels(LOCAL), client.numbers(n="1000", xt=f"{STATE}read"), local.app.store.sources()
    assert after == before


def test_a_private_feed_does_not_tell_its_password(local: Site) -> None:
    from tidings_portal.store.records_of_work import NewSource

    local.app.store.add_sources([NewSource("https://me:secret@private.example/feed")], local.app.now())
    client = phone(local)
    for path in ("subscription/list", "subscription/export", "tag/list", "stream/contents"):
        assert "secret" not in client.ask(path).text


def test_a_stream_as_atom(local: Site) -> None:
    from xml.etree import ElementTree

    client = phone(local)
    number = client.numbers(n="1")[0]
    client.do("edit-tag", i=number, a=f"{STATE}read")
    answer = client.http.get(
        f"/api/greader.php/reader/atom/{STATE}reading-list", params={"n": "5"}, headers=client.headers
    )
    root = ElementTree.fromstring(answer.text)
    atom = "{http://www.w3.org/2005/Atom}"
    entries = root.findall(f"{atom}entry")
    assert len(entries) == 5
    assert entries[0].findtext(f"{atom}id") == f"tag:google.com,2005:reader/item/{int(number):016x}"
    labels = [[one.get("label") for one in each.findall(f"{atom}category")] for each in entries]
    assert "read" in labels[0]
    assert all("fresh" in one for one in labels[1:])
