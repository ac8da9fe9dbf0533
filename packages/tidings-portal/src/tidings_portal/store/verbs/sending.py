"""Store methods for reader rules, delivery targets, queued messages, WebSub hubs, enclosures and OIDC identities.

A message is stored before it is sent, and stays until its target accepts it. A failed message is retried with growing
delays and then quarantined, where its owner can see it.
"""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from tidings.sources import Enclosure
from tidings_portal.store.database import Row, Session, Verbs, clean, is_possible, key, possible
from tidings_portal.store.query import parse
from tidings_portal.store.records_of_articles import Only
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.store.records_of_work import maybe_micros, maybe_moment, micros, moment
from tidings_portal.store.verbs.read_articles import select

#: Per user.
MOST_RULES: Final = 200
MOST_TARGETS: Final = 50
#: Per target.
MOST_WAITING: Final = 1_000
#: The event of a confirmation mail: the only message to a target that is not confirmed.
CONFIRMATION: Final = "confirm"
#: Per link.
_MOST_FILES: Final = 10
#: The delays between attempts, in minutes. Then the message is quarantined.
PAUSES: Final = (1, 5, 30, 120, 720)
#: How long quarantined messages are listed.
_SHOWN: Final = timedelta(days=30)


class RuleEffect(StrEnum):
    """The action of a rule on the articles it matches."""

    KEEP = "keep"  # other articles of the same source are hidden
    HIDE = "hide"  # the article is left out of the user's lists and counts
    LABEL = "label"
    STAR = "star"  # the article is saved
    NOTIFY = "notify"  # targets subscribed to alarms get a message


@dataclass(frozen=True, slots=True)
class ReaderRule:
    """A user's rule for new articles."""

    query: str
    effect: RuleEffect
    value: str = ""  # the label
    source: int | None = None  # None: all
    person: str = ""
    id: int = 0


class TargetKind(StrEnum):
    """The kind of a delivery target."""

    WEBHOOK = "webhook"
    MAIL = "mail"
    FILE = "file"


class SendingEvent(StrEnum):
    """An event that is sent to a target automatically."""

    ARTICLE = "article"
    STORY = "story"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class NewTarget:
    """The settings of a delivery target."""

    kind: TargetKind
    name: str
    address: str = field(repr=False)  # it may hold a key
    secret: str = field(default="", repr=False)
    events: frozenset[SendingEvent] = frozenset()
    query: str = ""  # of articles; empty: all


@dataclass(frozen=True, slots=True)
class SendingTarget:
    """A stored delivery target with its state."""

    id: int
    person: str
    settings: NewTarget
    is_active: bool = True
    sent: int = 0
    last_sent: datetime | None = None
    problem: str = ""
    waiting: int = 0
    aside: int = 0
    is_confirmed: bool = True  # mail: the recipient followed the link of the confirmation mail


@dataclass(frozen=True, slots=True)
class Delivery:
    """A queued message."""

    id: int
    target: int
    event: str
    title: str
    body: str
    created: datetime
    attempts: int = 0
    problem: str = ""
    is_aside: bool = False


def new_secret() -> str:
    """Return a new secret for signing messages. Its owner passes it to the receiving program."""
    return "whsec_" + b64encode(secrets.token_bytes(24)).decode("ascii")


class RuleVerbs(Verbs):
    """Store methods for reader rules."""

    def rules(self, person: str | None = None) -> list[ReaderRule]:
        """Return the rules of a user, or of all users."""
        sql = "SELECT query, effect, value, source, person, id FROM reader_rule"
        with self.database.reading() as session:
            rows = (
                session.all(f"{sql} ORDER BY id")
                if person is None
                else session.all(f"{sql} WHERE person = ? ORDER BY id", key(person))
            )
        return [ReaderRule(row[0], RuleEffect(row[1]), row[2], row[3], row[4], row[5]) for row in rows]

    def add_rule(self, rule: ReaderRule, at: datetime) -> int | None:
        """Store a rule and return its number; None if there are too many, or no such source.

        Raises:
            BadQuery: its query is invalid.
        """
        if rule.query.strip():
            parse(rule.query)

        def work(session: Session) -> int | None:
            count = session.value("SELECT count(*) FROM reader_rule WHERE person = ?", key(rule.person))
            is_there = rule.source is None or session.value("SELECT 1 FROM source WHERE id = ?", rule.source)
            if count >= MOST_RULES or not is_there:
                return None
            sql = (
                "INSERT INTO reader_rule (person, source, query, effect, value, created) VALUES (?, ?, ?, ?, ?, ?)"
                " RETURNING id"
            )
            values = (key(rule.person), rule.source, clean(rule.query), rule.effect.value, clean(rule.value))
            return int(session.value(sql, *values, micros(at)))

        return self.database.write(work) if rule.source is None or is_possible(rule.source) else None

    def change_rule(self, number: int, rule: ReaderRule) -> bool:
        """Replace a rule of its user; return False if there is no such rule or source.

        Raises:
            BadQuery: its query is invalid.
        """
        if rule.query.strip():
            parse(rule.query)
        if not is_possible(number) or (rule.source is not None and not is_possible(rule.source)):
            return False
        sql = (
            "UPDATE reader_rule SET source = ?, query = ?, effect = ?, value = ? WHERE id = ? AND person = ?"
            " AND (CAST(? AS BIGINT) IS NULL OR EXISTS (SELECT 1 FROM source WHERE id = ?))"
        )
        values = (rule.source, clean(rule.query), rule.effect.value, clean(rule.value), number, key(rule.person))
        return self.database.write(lambda session: session.run(sql, *values, rule.source, rule.source) > 0)

    def remove_rule(self, number: int, person: str) -> bool:
        """Delete a rule and unhide its articles; return False if the user has no such rule."""

        def work(session: Session) -> bool:
            if not session.run("DELETE FROM reader_rule WHERE id = ? AND person = ?", number, key(person)):
                return False
            session.run("DELETE FROM hidden WHERE person = ? AND rule = ?", key(person), number)
            return True

        return is_possible(number) and self.database.write(work)

    def article_numbers(self, after: int, limit: int = 500) -> list[int]:
        """Return the numbers of the articles after a number, in order."""
        with self.database.reading() as session:
            rows = session.all("SELECT id FROM article WHERE id > ? ORDER BY id LIMIT ?", after, limit)
        return [row[0] for row in rows]

    def matching(self, query: str, source: int | None, articles: Sequence[int]) -> list[int]:
        """Return those of the given articles that a query matches, of one source or of all.

        Raises:
            BadQuery: the query is invalid.
        """
        with self.database.reading() as session:
            only = Only() if source is None else Only(source=source)
            chosen = select(self.database, session, parse(query) if query.strip() else None, only)
            sql = f"SELECT DISTINCT a.id FROM {chosen.tables} WHERE {chosen.where.sql} AND a.id IN ({{}})"
            return sorted(row[0] for row in session.in_all(sql, possible(articles), *chosen.where.values))


class DeliveryVerbs(Verbs):
    """Store methods for delivery targets and queued messages."""

    def targets(self, person: str | None = None) -> list[SendingTarget]:
        """Return the delivery targets of a user, or of all users."""
        where, values = ("", ()) if person is None else (" WHERE t.person = ?", (key(person),))
        with self.database.reading() as session:
            rows = session.all(
                "SELECT t.id, t.person, t.kind, t.name, t.address, t.secret, t.events, t.query, t.is_active, t.sent,"
                " t.last_sent, t.problem, (SELECT count(*) FROM delivery d WHERE d.target = t.id AND d.is_aside = 0),"
                " (SELECT count(*) FROM delivery d WHERE d.target = t.id AND d.is_aside = 1), t.confirmed"
                f" FROM target t{where} ORDER BY t.id",
                *values,
            )
        return [_target(row) for row in rows]

    def add_target(self, target: NewTarget, person: str, at: datetime) -> int | None:
        """Store a target and return its number; None if there are too many."""

        def work(session: Session) -> int | None:
            if session.value("SELECT count(*) FROM target WHERE person = ?", key(person)) >= MOST_TARGETS:
                return None
            sql = (
                "INSERT INTO target (person, kind, name, address, secret, events, query, is_active, created, confirmed)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?) RETURNING id"
            )
            # Without accounts the operator of the portal owns its targets.
            is_confirmed = target.kind is not TargetKind.MAIL or person == LOCAL
            events = " ".join(sorted(target.events))
            texts = (clean(target.name), clean(target.address), target.secret, events, clean(target.query))
            return int(session.value(sql, key(person), target.kind.value, *texts, micros(at), int(is_confirmed)))

        return self.database.write(work)

    def set_target_active(self, number: int, person: str, active: bool) -> bool:
        """Pause or resume a target; return False if the user has no such target."""
        sql = "UPDATE target SET is_active = ?, problem = '' WHERE id = ? AND person = ?"
        return is_possible(number) and self.database.write(
            lambda session: session.run(sql, int(active), number, key(person)) > 0
        )

    def remove_target(self, number: int, person: str) -> bool:
        """Delete a target with its queued messages; return False if the user has no such target."""
        sql = "DELETE FROM target WHERE id = ? AND person = ?"
        return is_possible(number) and self.database.write(lambda session: session.run(sql, number, key(person)) > 0)

    def send(self, messages: Sequence[tuple[int, str, str, str]], at: datetime) -> int:
        """Queue messages (target, event, title, body); return how many.

        A target that has too many messages waiting, or is not confirmed, gets none.
        """

        def work(session: Session) -> int:
            done = 0
            for target, event, title, body in messages:
                sql = "SELECT count(*) FROM delivery WHERE target = ? AND is_aside = 0"
                is_confirmed = session.value("SELECT confirmed FROM target WHERE id = ?", target)
                if (is_confirmed or event == CONFIRMATION) and session.value(sql, target) < MOST_WAITING:
                    session.run(
                        "INSERT INTO delivery (target, event, title, body, created, next_try)"
                        " VALUES (?, ?, ?, ?, ?, ?)",
                        *(target, event, clean(title)[:500], clean(body), micros(at), micros(at)),
                    )
                    done += 1
            return done

        return self.database.write(work) if messages else 0

    def due_deliveries(
        self, at: datetime, lease: timedelta, limit: int = 20, kinds: Collection[TargetKind] = tuple(TargetKind)
    ) -> list[Delivery]:
        """Lease due messages of some kinds of targets to the caller."""
        marks = ",".join("?" * len(kinds)) or "NULL"

        def work(session: Session) -> list[Delivery]:
            rows = session.all(
                "SELECT d.id, d.target, d.event, d.title, d.body, d.created, d.attempts, d.problem, d.is_aside"
                " FROM delivery d JOIN target t ON t.id = d.target WHERE t.is_active = 1 AND d.is_aside = 0"
                f" AND (t.confirmed = 1 OR d.event = '{CONFIRMATION}')"
                f" AND d.next_try <= ? AND t.kind IN ({marks}) ORDER BY d.next_try, d.id LIMIT ?",
                *(micros(at), *(kind.value for kind in kinds), limit),
            )
            sql = "UPDATE delivery SET next_try = ? WHERE id IN ({})"
            session.run_in(sql, [row[0] for row in rows], micros(at + lease))
            return [_delivery(row) for row in rows]

        return self.database.write(work)

    def delivered(self, delivery: Delivery, at: datetime) -> None:
        """Record that a target accepted a message."""

        def work(session: Session) -> None:
            session.run("DELETE FROM delivery WHERE id = ?", delivery.id)
            sql = "UPDATE target SET sent = sent + 1, last_sent = ?, problem = '' WHERE id = ?"
            session.run(sql, micros(at), delivery.target)

        self.database.write(work)

    def not_delivered(self, delivery: Delivery, reason: str, at: datetime, *, for_good: bool = False) -> bool:
        """Record a failed delivery: retry it later or quarantine it; return whether it was quarantined."""
        is_aside = for_good or delivery.attempts >= len(PAUSES)
        pause = timedelta(0) if is_aside else timedelta(minutes=PAUSES[delivery.attempts])

        def work(session: Session) -> None:
            session.run(
                "UPDATE delivery SET attempts = attempts + 1, is_aside = ?, problem = ?, next_try = ? WHERE id = ?",
                *(int(is_aside), clean(reason)[:500], micros(at + pause), delivery.id),
            )
            session.run("UPDATE target SET problem = ? WHERE id = ?", clean(reason)[:500], delivery.target)
            session.run("DELETE FROM delivery WHERE is_aside = 1 AND created < ?", micros(at - _SHOWN))

        self.database.write(work)
        return is_aside

    def deliveries_aside(self, person: str, limit: int = 50) -> list[Delivery]:
        """Return the quarantined messages of a user, latest first."""
        with self.database.reading() as session:
            rows = session.all(
                "SELECT d.id, d.target, d.event, d.title, d.body, d.created, d.attempts, d.problem, d.is_aside"
                " FROM delivery d JOIN target t ON t.id = d.target WHERE t.person = ? AND d.is_aside = 1"
                " ORDER BY d.id DESC LIMIT ?",
                *(key(person), limit),
            )
        return [_delivery(row) for row in rows]

    def try_deliveries_again(self, target: int, person: str, at: datetime) -> int:
        """Queue the quarantined messages of a target again; return their number."""
        sql = (
            "UPDATE delivery SET is_aside = 0, attempts = 0, next_try = ? WHERE is_aside = 1 AND target IN"
            " (SELECT id FROM target WHERE id = ? AND person = ?)"
        )
        return self.database.write(lambda session: session.run(sql, micros(at), target, key(person)))


@dataclass(frozen=True, slots=True)
class Hub:
    """The WebSub hub of a feed."""

    source: int
    address: str
    topic: str
    secret: str = field(default="", repr=False)
    asked: datetime | None = None
    expires: datetime | None = None
    problem: str = ""


class HubVerbs(Verbs):
    """Store methods for WebSub subscriptions, enclosures and OIDC identities."""

    def hubs(self) -> list[Hub]:
        """Return all hubs, by source."""
        with self.database.reading() as session:
            rows = session.all(
                "SELECT source, address, topic, secret, asked, expires, problem FROM hub ORDER BY source"
            )
        return [Hub(row[0], row[1], row[2], row[3], maybe_moment(row[4]), maybe_moment(row[5]), row[6]) for row in rows]

    def note_hub(self, source: int, address: str, topic: str) -> None:
        """Store the hub that a feed declares, or delete it if the feed declares none any more."""
        with self.database.reading() as session:
            before = session.first("SELECT address, topic FROM hub WHERE source = ?", source)
        if (before is None and not address) or (before is not None and tuple(before) == (address, topic)):
            return

        def work(session: Session) -> None:
            session.run("DELETE FROM hub WHERE source = ?", source)
            if address and session.value("SELECT 1 FROM source WHERE id = ?", source):
                sql = "INSERT INTO hub (source, address, topic, secret) VALUES (?, ?, ?, '')"
                session.run(sql, source, clean(address)[:2000], clean(topic)[:2000])

        self.database.write(work)

    def change_hub(self, hub: Hub) -> None:
        """Update the subscription state of a hub."""
        sql = "UPDATE hub SET secret = ?, asked = ?, expires = ?, problem = ? WHERE source = ?"
        times = (maybe_micros(hub.asked), maybe_micros(hub.expires))
        self.database.write(lambda session: session.run(sql, hub.secret, *times, clean(hub.problem)[:500], hub.source))

    def keep_enclosures(self, files: Mapping[str, Sequence[Enclosure]]) -> None:
        """Store the enclosures of links, by the keys of the links."""
        if not files:
            return

        def work(session: Session) -> None:
            for name, enclosures in files.items():
                link = session.value("SELECT link FROM link_key WHERE name = ?", key(name))
                if link is None:
                    continue
                rows = [
                    (
                        link,
                        place,
                        clean(enclosure.address)[:2000],
                        clean(enclosure.media_type)[:100],
                        enclosure.size,
                        enclosure.seconds,
                    )
                    for place, enclosure in enumerate(enclosures[:_MOST_FILES])
                ]
                session.many(
                    "INSERT INTO enclosure (link, place, address, media_type, size, seconds) VALUES (?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT (link, place) DO NOTHING",
                    rows,
                )

        self.database.write(work)

    def enclosures(self, article: int = 0, *, link: int = 0) -> list[Enclosure]:
        """Return the enclosures of an article, or of a link that has no article yet."""
        sql = (
            "SELECT e.address, e.media_type, e.size, e.seconds FROM enclosure e JOIN link l ON l.id = e.link"
            f" WHERE {'e.link' if link else 'l.article'} = ? ORDER BY e.link, e.place"
        )
        number = link or article
        with self.database.reading() as session:
            return [Enclosure(*row) for row in session.all(sql, number)] if is_possible(number) else []

    def enclosures_of(self, articles: Sequence[int]) -> dict[int, list[Enclosure]]:
        """Return the enclosures of each article that has some."""
        files: dict[int, list[Enclosure]] = {}
        with self.database.reading() as session:
            rows = session.in_all(
                "SELECT l.article, e.address, e.media_type, e.size, e.seconds FROM enclosure e JOIN link l"
                " ON l.id = e.link WHERE l.article IN ({}) ORDER BY e.link, e.place",
                possible(articles),
            )
            for article, *row in rows:
                files.setdefault(article, []).append(Enclosure(*row))
        return files

    def person_known_as(self, issuer: str, subject: str) -> int | None:
        """Return the number of the user with an OIDC identity (issuer and subject)."""
        with self.database.reading() as session:
            sql = "SELECT owner FROM identity WHERE issuer = ? AND subject = ?"
            number = session.value(sql, key(issuer), key(subject))
        return None if number is None else int(number)

    def know_person(self, issuer: str, subject: str, person: int) -> None:
        """Store the OIDC identity of a user."""
        sql = "INSERT INTO identity (issuer, subject, owner) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        self.database.write(lambda session: session.run(sql, key(issuer), key(subject), person))


def _target(row: Row) -> SendingTarget:
    events = frozenset(map(SendingEvent, row[6].split()))
    settings = NewTarget(TargetKind(row[2]), row[3], row[4], row[5], events, row[7])
    numbers = (row[9], maybe_moment(row[10]), row[11], row[12], row[13])
    return SendingTarget(row[0], row[1], settings, bool(row[8]), *numbers, is_confirmed=bool(row[14]))


def _delivery(row: Row) -> Delivery:
    return Delivery(row[0], row[1], row[2], row[3], row[4], moment(row[5]), row[6], row[7], bool(row[8]))
