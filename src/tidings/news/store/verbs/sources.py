"""Sources: added by people, polled by workers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from tidings.news.store.database import Row, Session, Verbs, clean, key, known
from tidings.news.store.records_of_work import (
    TWO_HOURS,
    ItemKind,
    NewSource,
    Poll,
    Source,
    SourceKind,
    Stage,
    maybe_moment,
    micros,
    moment,
)
from tidings.news.store.search_words import search_words
from tidings.news.store.verbs.links import forget_items, lift

_COLUMNS = (
    "id, address, kind, title, folder, language, interval_wanted, credentials, muted, added, next_poll, pace, etag,"
    " last_modified, last_try, last_success, failures, state, problem, gone, recipe,"
    " takes_feed_text, ignores_robots, headers, proxy"
)


class SourceVerbs(Verbs):
    """Adding, listing, changing, polling."""

    def add_sources(self, sources: Sequence[NewSource], at: datetime) -> list[int]:
        """Add sources; their numbers, in order. One that is there already stays as it is."""

        def work(session: Session) -> list[int]:
            for one in sources:
                pace = micros_of(one.interval or TWO_HOURS)
                session.run(
                    "INSERT INTO source (address, address_key, kind, title, folder, language, interval_wanted,"
                    " credentials, muted, recipe, takes_feed_text, ignores_robots, headers, proxy, added, next_poll,"
                    " pace)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT (address_key) DO NOTHING",
                    *_told(one),
                    *(micros(at), micros(at), pace),
                )
            return [session.value("SELECT id FROM source WHERE address_key = ?", key(one.address)) for one in sources]

        return self.database.write(work)

    def change_source(self, number: int, told: NewSource) -> bool:
        """Change what somebody has told of a source; what polling has told stays. False: there is none."""

        def work(session: Session) -> bool:
            changed = session.run(
                "UPDATE source SET address = ?, address_key = ?, kind = ?, title = ?, folder = ?, language = ?,"
                " interval_wanted = ?, credentials = ?, muted = ?, recipe = ?, takes_feed_text = ?, ignores_robots = ?,"
                " headers = ?, proxy = ? WHERE id = ?",
                *_told(told),
                number,
            )
            if told.interval is not None:
                session.run("UPDATE source SET pace = ? WHERE id = ?", micros_of(told.interval), number)
            self._mute_by_sources(session, number)
            return changed > 0

        return known(number) and self.database.write(work)

    def remove_source(self, number: int) -> bool:
        """Forget a source. Its articles stay: they may be somebody else's too."""

        def work(session: Session) -> bool:
            forget_items(session, ItemKind.SOURCE, [number])
            return session.run("DELETE FROM source WHERE id = ?", number) > 0

        return known(number) and self.database.write(work)

    def source(self, number: int) -> Source | None:
        """A source by its number."""
        if not known(number):
            return None
        with self.database.reading() as session:
            row = session.one(f"SELECT {_COLUMNS} FROM source WHERE id = ?", number)
        return None if row is None else _source(row)

    def source_at(self, address: str) -> Source | None:
        """A source by its address."""
        with self.database.reading() as session:
            row = session.one(f"SELECT {_COLUMNS} FROM source WHERE address_key = ?", key(address))
        return None if row is None else _source(row)

    def sources(self) -> list[Source]:
        """All sources, by folder and name."""
        with self.database.reading() as session:
            found = [_source(row) for row in session.all(f"SELECT {_COLUMNS} FROM source")]
        return sorted(found, key=lambda one: (one.told.folder.casefold(), one.name.casefold(), one.id))

    def claim_sources(self, worker: str, count: int, lease: timedelta, at: datetime) -> list[Source]:
        """Sources that are due, lent to this worker alone until the lease runs out; the longest due first."""
        now, until = micros(at), micros(at + lease)

        def work(session: Session) -> list[Source]:
            due = session.all(
                "SELECT id FROM source WHERE gone = 0 AND next_poll <= ? AND leased_until <= ?"
                f" ORDER BY next_poll, id LIMIT ?{self.database.skip_locked}",
                *(now, now, count),
            )
            numbers = [row[0] for row in due]
            session.run_in(
                "UPDATE source SET leased_until = ?, worker = ? WHERE id IN ({})", numbers, until, key(worker)
            )
            rows = session.in_all(f"SELECT {_COLUMNS} FROM source WHERE id IN ({{}})", numbers)
            return sorted(map(_source, rows), key=lambda one: numbers.index(one.id))

        return self.database.write(work)

    def polled(self, poll: Poll) -> bool:
        """What came of polling a source; the lease ends. False: the source has been removed meanwhile."""

        def work(session: Session) -> bool:
            last_success = "last_success" if poll.failed else "last_try"
            changed = session.run(
                "UPDATE source SET last_try = ?, next_poll = ?, pace = ?, state = ?, problem = ?, gone = ?,"
                " failures = CASE WHEN ? = 1 THEN failures + 1 ELSE 0 END, leased_until = 0, worker = ''"
                " WHERE id = ?",
                *(micros(poll.at), micros(poll.next_poll), micros_of(poll.pace)),
                *(clean(poll.state), clean(poll.problem), int(poll.gone), int(poll.failed), poll.source),
            )
            session.run(f"UPDATE source SET last_success = {last_success} WHERE id = ?", poll.source)
            if not poll.failed:
                lift(session, Stage.POLLING, [str(poll.source)])
            for column, told in (("etag", poll.etag), ("last_modified", poll.last_modified)):
                if told is not None:
                    session.run(f"UPDATE source SET {column} = ? WHERE id = ?", clean(told), poll.source)
            if poll.title:
                title = clean(poll.title)
                session.run("UPDATE source SET title = ? WHERE id = ? AND title = ''", title, poll.source)
            return changed > 0

        return known(poll.source) and self.database.write(work)

    def poll_again(self, number: int, at: datetime) -> bool:
        """Poll a source at a time of one's own choosing, even one that was gone."""
        return known(number) and self.database.write(
            lambda session: (
                session.run(
                    "UPDATE source SET next_poll = ?, gone = 0, leased_until = 0 WHERE id = ?", micros(at), number
                )
                > 0
            )
        )

    @staticmethod
    def _mute_by_sources(session: Session, number: int) -> None:
        """Articles that come from muted sources only are not shown."""
        session.run(
            "UPDATE article SET muted = CASE WHEN EXISTS (SELECT 1 FROM article_source s JOIN source o ON o.id ="
            " s.source WHERE s.article = article.id AND o.muted = 0) THEN muted & 1 ELSE muted | 2 END"
            " WHERE id IN (SELECT article FROM article_source WHERE source = ?)",
            number,
        )


def sources_by_number(session: Session, numbers: Iterable[int]) -> dict[int, Source]:
    """Some of the sources, by their numbers."""
    rows = session.in_all(f"SELECT {_COLUMNS} FROM source WHERE id IN ({{}})", numbers)
    return {row[0]: _source(row) for row in rows}


def named_sources(session: Session, name: str) -> list[int]:
    """The sources that a word in a query names: by number, or by words in their title, folder or address."""
    wanted = search_words(name)
    found: list[int] = []
    for number, title, folder, address in session.all("SELECT id, title, folder, address FROM source ORDER BY id"):
        words = search_words(f"{title} {folder} {address}")
        if name == str(number) or (wanted and set(wanted) <= set(words)):
            found.append(number)
    return found


def micros_of(length: timedelta) -> int:
    """A length of time as a whole number."""
    return length // timedelta(microseconds=1)


def _told(one: NewSource) -> tuple[str | int | None, ...]:
    interval = None if one.interval is None else micros_of(one.interval)
    texts = (one.title, one.folder, one.language)
    return (
        *(clean(one.address), key(one.address), one.kind.value, *map(clean, texts)),
        *(interval, clean(one.credentials), int(one.muted), clean(one.recipe)),
        *(int(one.takes_feed_text), int(one.ignores_robots), clean(one.headers), clean(one.proxy)),
    )


def _source(row: Row) -> Source:
    interval = None if row[6] is None else timedelta(microseconds=row[6])
    told = NewSource(
        *(row[1], SourceKind(row[2]), row[3], row[4], row[5], interval, row[7], bool(row[8]), row[20]),
        *(bool(row[21]), bool(row[22]), row[23], row[24]),
    )
    pace = timedelta(microseconds=row[11])
    tries = maybe_moment(row[14]), maybe_moment(row[15])
    return Source(
        *(row[0], told, moment(row[9]), moment(row[10]), pace, row[12], row[13], *tries),
        *(row[16], row[17], row[18], bool(row[19])),
    )
