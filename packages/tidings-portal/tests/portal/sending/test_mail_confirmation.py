"""Mail goes to confirmed addresses alone, within rate limits, and recipients can unsubscribe with one click."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest

from tests.portal.accounts.browsing import Browser, Site
from tests.portal.housed import NOW
from tests.portal.store.made import new
from tidings_portal import store as stores
from tidings_portal.portal.edition_mail import MailServer
from tidings_portal.sending.deliveries import Sender
from tidings_portal.sending.events import begin, look
from tidings_portal.store.verbs.sending import NewTarget, SendingEvent, SendingTarget, TargetKind
from tidings_portal.web.translations import words

HOME = "http://portal.example"
FIRST = ("Ann", "Bob")


@dataclass(frozen=True)
class Outbox(MailServer):
    host: str = "mail.example"
    mails: list[EmailMessage] = field(default_factory=list)

    def send(self, letter: EmailMessage) -> None:
        self.mails.append(letter)


@pytest.fixture
def portal(site: Site) -> Site:
    site.app.settings = replace(site.app.settings, sends=("webhook", "mail"), address=HOME)
    return site


def add(browser: Browser, address: str, **fields: str) -> int:
    told = {"kind": "mail", "address": address, "name": "Mine", **fields}
    return browser.send("/sending/add", page="/sending", **told).status_code


def deliver(site: Site, at: datetime = NOW) -> list[EmailMessage]:
    outbox = Outbox()
    site.app.now = lambda: at
    sender = Sender(site.app, outbox, "news@portal.example")

    async def all_due() -> None:
        while await sender.send_due():
            pass

    asyncio.run(all_due())
    return outbox.mails


def link_in(mail: EmailMessage) -> str:
    found = re.search(rf"{HOME}(/mail/confirm/\S+)", mail.get_content())
    assert found
    return found[1]


def confirmed(portal: Site, browser: Browser, address: str, **fields: str) -> SendingTarget:
    assert add(browser, address, **fields) == 303
    (mail,) = deliver(portal)
    assert portal.browser("198.51.100.7").client.post(link_in(mail)).status_code == 200
    return portal.app.store.targets()[-1]


def test_a_thousand_tries_send_nothing_but_confirmations(portal: Site) -> None:
    """Two accounts add targets, resend, send articles and wait for events; no recipient ever confirms."""
    people = [portal.person(name, f"192.0.2.{number}") for number, name in enumerate(FIRST, 1)]
    random, mails, tries = Random(32), list[EmailMessage](), 0
    at = NOW
    begin(portal.app.store, at)
    while tries < 1000:
        person = random.choice(people)
        targets = portal.app.store.targets(person.key)
        action = random.choice(("add", "resend", "article", "go on", "again", "event"))
        if action == "add" and len(targets) < 45:
            portal.app.store.add_target(
                NewTarget(TargetKind.MAIL, "x", f"stranger{random.randrange(40)}@other.example", "",
                          frozenset({SendingEvent.ARTICLE})), person.key, at,
            )  # fmt: skip
        elif action == "resend" and targets:
            from tidings_portal.accounts.mail_confirmation import ask

            ask(portal.app, words("en"), random.choice(targets))
        elif action == "article" and targets:
            body = '{"type": "article.sent", "data": {"title": "x"}}'
            portal.app.store.send([(random.choice(targets).id, "send", "Spam", body)], at)
        elif action in {"go on", "again"} and targets:
            number = random.choice(targets).id
            portal.app.store.set_target_active(number, person.key, True)
            portal.app.store.try_deliveries_again(number, person.key, at)
        elif action == "event":
            portal.app.store.keep([new(2000 + tries, f"Story {tries}", at=at)])
            look(portal.app.store, at)
        tries += 1
        if tries % 50 == 0:
            mails += deliver(portal, at)
            at += timedelta(minutes=30)
    assert mails
    assert [mail["Subject"] for mail in mails if "/mail/confirm/" not in mail.get_content()] == []
    recipients = [mail["To"] for mail in mails]  # of ten hours: each address once, each account ten times
    assert len(recipients) == len(set(recipients)) <= 10 * len(people)
    by_address = [mail["To"] for mail in mails]
    assert len(by_address) == len(set(by_address)), "one confirmation mail for each address in a day"
    assert len(by_address) <= 2 * 10


def test_the_forms_of_an_account_send_nothing_before_the_recipient_confirms(portal: Site) -> None:
    ann = portal.person()
    assert add(ann, "ann@example.org", event_article="yes") == 303
    target = portal.app.store.targets()[-1]
    assert "waiting for confirmation" in ann.get("/sending").text
    assert ann.send("/article/3/send", page="/article/3", target=target.id).headers["location"] == "/sending"
    (mail,) = deliver(portal)
    assert mail["To"] == "ann@example.org"
    recipient = portal.browser("198.51.100.7")
    link = link_in(mail)
    assert recipient.get(link).status_code == 200
    assert not portal.app.store.targets()[-1].is_confirmed, "a mail scanner that follows the link confirms nothing"
    assert recipient.client.post(link[:-1] + ("0" if link[-1] != "0" else "1")).status_code == 404
    assert recipient.client.post(link).status_code == 200
    assert portal.app.store.targets()[-1].is_confirmed
    assert "waiting for confirmation" not in ann.get("/sending").text
    ann.send("/article/3/send", page="/article/3", target=target.id)
    assert len(deliver(portal)) == 1


def test_a_confirmation_link_expires(portal: Site) -> None:
    add(portal.person(), "ann@example.org")
    (mail,) = deliver(portal)
    portal.app.now = lambda: NOW + timedelta(days=3, minutes=1)
    assert portal.browser().client.post(link_in(mail)).status_code == 404
    assert not portal.app.store.targets()[-1].is_confirmed


def test_one_confirmation_mail_for_an_address_in_a_day(portal: Site) -> None:
    ann = portal.person()
    add(ann, "stranger@other.example")
    target = portal.app.store.targets()[-1]
    again = ann.send("/sending/change", page="/sending", target=target.id, do="confirm")
    assert again.status_code == 422
    assert "No confirmation was sent" in again.text
    assert add(portal.person("Bob", "192.0.2.2"), "STRANGER@other.example") == 422
    assert len(deliver(portal)) == 1
    tomorrow = NOW + timedelta(days=1, minutes=1)
    portal.app.now = lambda: tomorrow
    assert ann.send("/sending/change", page="/sending", target=target.id, do="confirm").status_code == 303
    assert len(deliver(portal, tomorrow)) == 1


def test_unsubscribing_with_one_click_stops_all_mail_to_the_address(portal: Site) -> None:
    ann = portal.person()
    target = confirmed(portal, ann, "ann@example.org")
    ann.send("/article/3/send", page="/article/3", target=target.id)
    (mail,) = deliver(portal)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip("<>").removeprefix(HOME)
    provider = portal.browser("198.51.100.7").client
    assert provider.get(link).status_code == 200
    assert portal.app.store.targets()[-1].is_confirmed, "a GET changes nothing"
    ann.send("/article/4/send", page="/article/4", target=target.id)
    assert provider.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert deliver(portal, NOW + timedelta(days=2)) == []
    resent = ann.send("/sending/change", page="/sending", target=target.id, do="confirm")
    assert resent.status_code == 422
    assert provider.post(link[:-1] + ("0" if link[-1] != "0" else "1")).status_code == 404


def test_a_recipient_gets_a_limited_number_of_mails_in_a_day(portal: Site) -> None:
    target = confirmed(portal, portal.person(), "ann@example.org")
    body = '{"type": "article.sent", "data": {"title": "x"}}'
    portal.app.store.send([(target.id, "send", f"Mail {number}", body) for number in range(230)], NOW)
    assert len(deliver(portal)) == 200
    assert deliver(portal, NOW + timedelta(hours=2)) == []
    assert len(deliver(portal, NOW + timedelta(days=1, hours=3))) == 30, "postponed, not lost"


@pytest.mark.parametrize(
    "address",
    [
        "a@b.test, c@d.test",
        "a@b.test;c@d.test",
        "Ann <a@b.test>",
        "a@b.test\r\nBcc: c@d.test",
        "a b@c.test",
        "@b.test",
    ],
)
def test_a_target_is_one_address(portal: Site, address: str) -> None:
    ann = portal.person()
    assert add(ann, address) == 422
    assert portal.app.store.targets() == []


def test_accounts_have_no_mail_without_the_address_of_the_portal(site: Site) -> None:
    site.app.settings = replace(site.app.settings, sends=("webhook", "mail"))
    assert add(site.person(), "ann@example.org") == 400


def test_targets_of_before_count_as_unconfirmed_but_those_of_the_operator(tmp_path: Path) -> None:
    where = tmp_path / "news.tidings"
    with stores.open(where):
        pass
    with sqlite3.connect(where) as database:
        database.executescript(
            "DROP TABLE mail_log; DROP TABLE mail_blocked; ALTER TABLE target DROP COLUMN confirmed;"
            "DROP INDEX article_teaser; ALTER TABLE article DROP COLUMN teaser_reason;"
            "ALTER TABLE link_source DROP COLUMN fingerprint;"
        )
        database.execute("PRAGMA user_version = 12")
        for number, admin in ((1, 1), (2, 0)):
            database.execute(
                "INSERT INTO person (id, name, name_key, password, language, theme, admin, created)"
                " VALUES (?, ?, ?, '', '', '', ?, 0)", (number, f"p{number}", f"p{number}", admin),
            )  # fmt: skip
        for person, kind in (("local", "mail"), ("person 1", "mail"), ("person 2", "mail"), ("person 2", "webhook")):
            database.execute(
                "INSERT INTO target (person, kind, name, address, secret, events, query, is_active, created)"
                " VALUES (?, ?, '', 'a@b.example', '', '', '', 1, 0)", (person, kind),
            )  # fmt: skip
    database.close()
    with stores.open(where) as kept:
        assert [target.is_confirmed for target in kept.targets()] == [True, True, False, True]
