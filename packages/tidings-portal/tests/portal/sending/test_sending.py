"""What is sent: signed webhooks through the guard, retries, letters, files; WebSub; saving an address (HOSTILE 41)."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import re
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fetch.server import Server, reply
from tests.portal.accounts.browsing import Browser, Site
from tests.portal.housed import NOW
from tests.portal.store.made import new
from tidings.errors import InputError
from tidings.fetch import Guard, Live, Outcome, Request, Response
from tidings_portal.portal.edition_mail import MailServer
from tidings_portal.sending import websub
from tidings_portal.sending.deliveries import Sender
from tidings_portal.sending.events import look
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.store.verbs.sending import PAUSES, SendingTarget

HOOK = "https://hooks.example/in?key=s3cret"


@dataclass
class Hooks:
    """A web that takes messages, or does not."""

    statuses: list[int] = field(default_factory=lambda: [200])
    taken: list[Request] = field(default_factory=list)

    async def fetch(self, request: Request) -> Outcome:
        self.taken.append(request)
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        return Response(request.url, status, (), b"", request.kind)


def target(site: Site, browser: Browser, **fields: str) -> SendingTarget:
    told = {"kind": "webhook", "address": HOOK, "name": "Mine", **fields}
    assert browser.send("/sending/add", page="/sending", **told).status_code == 303
    return site.app.store.targets()[-1]


def send_all(site: Site, hooks: Hooks | Live, at: datetime = NOW, **ways: object) -> int:
    site.app.pictures = hooks
    site.app.now = lambda: at
    return asyncio.run(Sender(site.app, **ways).send_due())  # type: ignore[arg-type]


def test_a_new_article_is_told_of_and_signed(local: Site) -> None:
    one = target(local, local.browser(), event_article="yes", query="seals")
    local.app.store.keep([new(801, "Grey seals"), new(802, "A bridge")])
    look(local.app.store, NOW)
    hooks = Hooks()
    assert send_all(local, hooks) == 1
    (request,) = hooks.taken
    headers = {name.lower(): value for name, value in request.headers}
    body = request.data
    assert body is not None
    told = json.loads(body)
    assert (request.url, told["type"], told["data"]["title"]) == (HOOK, "article.new", "Grey seals")
    key = b64decode(one.settings.secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    made = b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{made}"
    assert headers["webhook-timestamp"] == str(int(NOW.timestamp()))
    assert local.app.store.targets()[0].sent == 1
    assert send_all(local, hooks) == 0  # once is enough


def test_a_new_story_is_told_of_once(local: Site) -> None:
    from tidings_portal.store.records_of_articles import StoryDraft

    target(local, local.browser(), event_story="yes")
    first, second = local.app.store.keep(
        [new(801, "One", published=NOW, at=NOW), new(802, "Two", published=NOW, at=NOW)]
    )
    assert first.article
    assert second.article
    local.app.store.save_stories([StoryDraft((first.article, second.article), "Both of them", language="en")])
    for _ in range(2):
        look(local.app.store, NOW)
    hooks = Hooks()
    send_all(local, hooks)
    assert [json.loads(one.data or b"")["type"] for one in hooks.taken] == ["story.new"]


def test_what_is_not_taken_is_tried_with_growing_pauses_and_set_aside(
    local: Site, caplog: pytest.LogCaptureFixture
) -> None:
    browser = local.browser()
    one = target(local, browser)
    browser.send("/article/3/send", page="/article/3", target=one.id)
    hooks, at = Hooks([500]), NOW
    with caplog.at_level(logging.DEBUG):
        for pause in PAUSES:
            assert send_all(local, hooks, at) == 0
            assert send_all(local, hooks, at + timedelta(seconds=30)) == 0  # not yet
            at += timedelta(minutes=pause)
        send_all(local, hooks, at)
    assert len(hooks.taken) == len(PAUSES) + 1
    assert sorted(PAUSES) == list(PAUSES)
    page = browser.get("/sending").text
    assert "1 failed" in page
    assert "its server says 500" in page
    assert "s3cret" not in caplog.text
    assert send_all(local, Hooks(), at + timedelta(days=2)) == 0  # it stays aside
    browser.send("/sending/change", target=one.id, do="again")
    assert send_all(local, Hooks(), at + timedelta(days=2)) == 1


def test_a_target_that_is_gone_is_not_asked_again(local: Site) -> None:
    browser = local.browser()
    one = target(local, browser)
    browser.send("/article/3/send", page="/article/3", target=one.id)
    send_all(local, Hooks([410]))
    assert len(local.app.store.deliveries_aside(LOCAL)) == 1


def test_a_private_target_is_refused_by_the_guard_and_no_redirect_is_followed(local: Site) -> None:
    browser = local.browser()
    with Server({"/in": reply(b"", 302, {"Location": "/elsewhere"}), "/elsewhere": reply(b"ok")}) as server:
        one = target(local, browser, address=f"http://127.0.0.1:{server.port}/in")

        async def sent(guard: Guard) -> int:
            async with Live(guard=guard) as live:
                local.app.pictures = live.unhurried
                return await Sender(local.app).send_due()

        browser.send("/article/3/send", page="/article/3", target=one.id)
        assert asyncio.run(sent(Guard())) == 0
        assert not server.asked
        assert len(local.app.store.deliveries_aside(LOCAL)) == 1  # at once: it never will be taken
        browser.send("/article/4/send", page="/article/4", target=one.id)
        assert asyncio.run(sent(Guard.allowing(["127.0.0.1"]))) == 0
        assert [asked.path for asked in server.asked] == ["/in"]


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "gopher://x.example/", "javascript:alert(1)", "", "nonsense"]
)
def test_what_is_no_target_is_refused(local: Site, address: str) -> None:
    assert local.browser().send("/sending/add", page="/sending", kind="webhook", address=address).status_code == 422


def test_targets_are_their_owners_alone(site: Site) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    one = target(site, ann)
    page = bob.get("/sending").text
    assert "s3cret" not in page
    assert "Mine" not in page
    for path, fields in (("/sending/change", {"do": "remove"}), ("/article/3/send", {})):
        assert bob.send(path, target=one.id, **fields).status_code == 404
    assert ann.send("/sending/change", target=one.id, do="pause").status_code == 303
    ann.send("/article/3/send", target=one.id)
    assert send_all(site, Hooks()) == 0  # it waits
    ann.send("/sending/change", target=one.id, do="go on")
    assert send_all(site, Hooks()) == 1
    assert bob.send("/sending/add", page="/sending", kind="file").status_code == 400  # not set up


@dataclass(frozen=True)
class Post(MailServer):
    """Takes letters."""

    host: str = "mail.example"
    letters: list[EmailMessage] = field(default_factory=list)

    def send(self, letter: EmailMessage) -> None:
        self.letters.append(letter)


def test_by_letter_and_into_a_file(local: Site, tmp_path: Path) -> None:
    from dataclasses import replace

    local.app.settings = replace(local.app.settings, sends=("webhook", "mail", "file"))
    browser = local.browser()
    letter = target(local, browser, kind="mail", address="ann@example.org")
    file = target(local, browser, kind="file", address="", name="Notes")
    local.app.store.keep([new(801, "Evil\r\nBcc: all@example.org / ../../x", "The text of it.")])
    number = local.app.store.latest_number()
    for one in (letter, file):
        browser.send(f"/article/{number}/send", page="/", target=one.id)
    post, folder = Post("mail.example"), tmp_path / "notes"
    assert send_all(local, Hooks(), mail=post, sender="news@example.org", folder=folder) == 2
    (sent,) = post.letters
    assert sent["Bcc"] is None
    assert sent["To"] == "ann@example.org"
    assert "The text of it." in sent.get_content()
    (written,) = folder.iterdir()
    assert re.fullmatch(r"[\w.-]+\.md", written.name)
    assert written.parent == folder
    assert "The text of it." in written.read_text("utf-8")
    refused = browser.send("/sending/add", page="/sending", kind="mail", address="a@b.example\nBcc: c@d.example")
    assert refused.status_code == 422
    with pytest.raises(InputError):
        Sender(local.app)._mail(letter, local.app.store.due_deliveries(NOW, timedelta(0))[0:1] or None)  # type: ignore[arg-type]


def test_a_note_has_a_name_that_file_systems_take(local: Site, tmp_path: Path) -> None:
    from dataclasses import replace

    local.app.settings = replace(local.app.settings, sends=("file",))
    browser = local.browser()
    notes = target(local, browser, kind="file", address="", name="Notes")
    local.app.store.keep([new(801, "\U00020000" * 80)])
    number = local.app.store.latest_number()
    browser.send(f"/article/{number}/send", page="/", target=notes.id)
    assert send_all(local, Hooks(), folder=tmp_path / "notes") == 1
    (written,) = (tmp_path / "notes").iterdir()
    assert len(written.name.encode()) <= 255


def test_an_article_as_markdown(local: Site) -> None:
    answer = local.browser().get("/article/3/markdown")
    assert answer.headers["content-type"].startswith("text/markdown")
    assert answer.text.startswith("# ")
    assert local.browser().get("/article/99999/markdown").status_code == 404


class TestHubs:
    TOPIC = "https://feed.example/f"

    @pytest.fixture
    def hub(self, local: Site) -> int:
        from dataclasses import replace

        local.app.settings = replace(local.app.settings, address="http://localhost")
        (number,) = local.app.store.add_sources([NewSource(self.TOPIC)], NOW)
        local.app.store.note_hub(number, "https://hub.example/", self.TOPIC)
        return number

    def test_a_hub_is_asked_asks_back_and_tells(self, local: Site, hub: int) -> None:
        hooks, store, browser = Hooks([202]), local.app.store, local.browser()
        assert asyncio.run(websub.renew(local.app, hooks)) == 1
        (request,) = hooks.taken
        told = {name: value[0] for name, value in parse_qs((request.data or b"").decode()).items()}
        assert (told["hub.mode"], told["hub.topic"]) == ("subscribe", self.TOPIC)
        path = told["hub.callback"].removeprefix("http://localhost")
        asked = f"{path}?hub.mode=subscribe&hub.topic={self.TOPIC}&hub.challenge=abc&hub.lease_seconds=864000"
        assert browser.get(asked).text == "abc"
        assert browser.get(asked.replace(self.TOPIC, "https://other.example/")).status_code == 404
        assert store.hubs()[0].expires == NOW + timedelta(days=10)
        assert asyncio.run(websub.renew(local.app, hooks)) == 0
        later = NOW + timedelta(hours=5)
        local.app.now = lambda: later

        def due() -> datetime:
            kept = store.source(hub)
            assert kept is not None
            return kept.next_poll

        before = due()
        body = b"<feed/>"
        digest = hmac.new(told["hub.secret"].encode(), body, hashlib.sha256).hexdigest()
        for headers in ({}, {"x-hub-signature": "sha256=" + "0" * 64}, {"x-hub-signature": f"md5={digest}"}):
            assert browser.client.post(path, content=body, headers=headers).status_code == 202
            assert due() == before
        browser.client.post(path, content=body, headers={"x-hub-signature": f"sha256={digest}"})
        assert due() == later
        assert browser.client.post(path[:-1] + "x", content=body).status_code == 404
        assert browser.client.post(path, content=b"x" * 3_000_000).status_code == 413

    def test_nobody_answers_for_what_was_not_asked(self, local: Site, hub: int) -> None:
        path = websub.callback(local.app, hub)
        asked = f"{path}?hub.mode=subscribe&hub.topic={self.TOPIC}&hub.challenge=abc"
        assert local.browser().get(asked).status_code == 404

    def test_a_hub_that_refuses_is_left_alone_for_a_while(self, local: Site, hub: int) -> None:
        assert hub
        hooks = Hooks([500])
        for _ in range(2):
            asyncio.run(websub.renew(local.app, hooks))
        assert len(hooks.taken) == 1
        assert "500" in local.app.store.hubs()[0].problem


def test_saving_an_address_to_read_later(local: Site) -> None:
    browser = local.browser()
    page = browser.get("/save?text=Look+at+this:+https://a.example/x%3Fy=1+now&title=T").text
    assert 'value="https://a.example/x?y=1"' in page
    assert local.app.store.totals().articles == len(local.app.store.articles(limit=500).items)  # nothing was changed
    evil = browser.get('/save?url="><script>alert(1)</script>').text
    assert "<script>alert" not in evil
    manifest = browser.get("/manifest.webmanifest").json()
    assert manifest["share_target"]["action"] == "/save"
    one = local.app.store.articles(limit=1).items[0]
    local.app.store.save(one.id, LOCAL, NOW)
    assert browser.get(f"/save?url={one.address}").headers["location"] == f"/article/{one.id}"


def test_the_worker_that_keeps_pages(local: Site) -> None:
    browser = local.browser()
    answer = browser.get("/offline.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "{version}" not in answer.text
    assert browser.get("/offline").status_code == 200
