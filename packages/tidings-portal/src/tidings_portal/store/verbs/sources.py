"""Store methods for sources, which users add and workers poll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from tidings_portal.store.database import Row, Session, Verbs, clean, is_possible, key
from tidings_portal.store.records_of_work import (
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
from tidings_portal.store.search_words import search_words
from tidings_portal.store.verbs.links import forget_items, lift

_COLUMNS = (
    "id, address, kind, title, folder, language, interval_wanted, credentials, muted, added, next_poll, pace, etag,"
    " last_modified, last_try, last_success, failures, state, problem, gone, recipe,"
    " takes_feed_text, ignores_robots, headers, proxy"
)


class SourceVerbs(Verbs):
    """Store methods for sources."""

    def add_sources(self, sources: Sequence[NewSource], at: datetime) -> list[int]:
        """Add sources and return their numbers in order. A stored source is not changed."""

        def work(session: Session) -> list[int]:
            for source in sources:
                pace = micros_of(source.interval or TWO_HOURS)
                session.run(
                    "INSERT INTO source (address, address_key, kind, title, folder, language, interval_wanted,"
                    " credentials, muted, recipe, takes_feed_text, ignores_robots, headers, proxy, added, next_poll,"
                    " pace)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT (address_key) DO NOTHING",
                    *_settings_values(source),
                    *(micros(at), micros(at), pace),
                )
            return [
                session.value("SELECT id FROM source WHERE address_key = ?", key(source.address)) for source in sources
            ]

        return self.database.write(work)

    def change_source(self, number: int, settings: NewSource) -> bool:
        """Change the user's settings of a source, not its polling state; return False if there is no such source."""

        def work(session: Session) -> bool:
            changed = session.run(
                "UPDATE source SET address = ?, address_key = ?, kind = ?, title = ?, folder = ?, language = ?,"
                " interval_wanted = ?, credentials = ?, muted = ?, recipe = ?, takes_feed_text = ?, ignores_robots = ?,"
                " headers = ?, proxy = ? WHERE id = ?",
                *_settings_values(settings),
                number,
            )
            if settings.interval is not None:
                session.run("UPDATE source SET pace = ? WHERE id = ?", micros_of(settings.interval), number)
            self._mute_by_sources(session, number)
            return changed > 0

        return is_possible(number) and self.database.write(work)

    def remove_source(self, number: int) -> bool:
        """Delete a source. Its articles stay: they may belong to other sources too."""

        def work(session: Session) -> bool:
            forget_items(session, ItemKind.SOURCE, [number])
            return session.run("DELETE FROM source WHERE id = ?", number) > 0

        return is_possible(number) and self.database.write(work)

    def source(self, number: int) -> Source | None:
        """Return a source by its number."""
        if not is_possible(number):
            return None
        with self.database.reading() as session:
            row = session.first(f"SELECT {_COLUMNS} FROM source WHERE id = ?", number)
        return None if row is None else _source(row)

    def source_at(self, address: str) -> Source | None:
        """Return a source by its URL."""
        with self.database.reading() as session:
            row = session.first(f"SELECT {_COLUMNS} FROM source WHERE address_key = ?", key(address))
        return None if row is None else _source(row)

    def sources(self) -> list[Source]:
        """Return all sources, by folder and name."""
        with self.database.reading() as session:
            sources = [_source(row) for row in session.all(f"SELECT {_COLUMNS} FROM source")]
        return sorted(sources, key=lambda one: (one.settings.folder.casefold(), one.name.casefold(), one.id))

    def claim_sources(self, worker: str, count: int, lease: timedelta, at: datetime) -> list[Source]:
        """Lease due sources to a worker, the longest overdue first."""
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
        """Store the result of a poll and end the lease; return False if the source was deleted meanwhile."""

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
            for column, value in (("etag", poll.etag), ("last_modified", poll.last_modified)):
                if value is not None:
                    session.run(f"UPDATE source SET {column} = ? WHERE id = ?", clean(value), poll.source)
            if poll.title:
                title = clean(poll.title)
                session.run("UPDATE source SET title = ? WHERE id = ? AND title = ''", title, poll.source)
            return changed > 0

        return is_possible(poll.source) and self.database.write(work)

    def poll_again(self, number: int, at: datetime) -> bool:
        """Schedule the next poll of a source, even if its server answered 410 (gone)."""
        return is_possible(number) and self.database.write(
            lambda session: (
                session.run(
                    "UPDATE source SET next_poll = ?, gone = 0, leased_until = 0 WHERE id = ?", micros(at), number
                )
                > 0
            )
        )

    @staticmethod
    def _mute_by_sources(session: Session, number: int) -> None:
        """Mark the articles of a source as muted if all of their sources are muted, else as visible."""
        session.run(
            "UPDATE article SET muted = CASE WHEN EXISTS (SELECT 1 FROM article_source s JOIN source o ON o.id ="
            " s.source WHERE s.article = article.id AND o.muted = 0) THEN muted & 1 ELSE muted | 2 END"
            " WHERE id IN (SELECT article FROM article_source WHERE source = ?)",
            number,
        )


def sources_by_number(session: Session, numbers: Iterable[int]) -> dict[int, Source]:
    """Return sources by their numbers."""
    rows = session.in_all(f"SELECT {_COLUMNS} FROM source WHERE id IN ({{}})", numbers)
    return {row[0]: _source(row) for row in rows}


def named_sources(session: Session, name: str) -> list[int]:
    """Return the numbers of the sources that `source:NAME` in a query matches: by number, title, folder or URL."""
    words_of_name = search_words(name)
    numbers: list[int] = []
    for number, title, folder, address in session.all("SELECT id, title, folder, address FROM source ORDER BY id"):
        words = search_words(f"{title} {folder} {address}")
        if name == str(number) or (words_of_name and set(words_of_name) <= set(words)):
            numbers.append(number)
    return numbers


def micros_of(length: timedelta) -> int:
    """Return a duration in microseconds."""
    return length // timedelta(microseconds=1)


def _settings_values(source: NewSource) -> tuple[str | int | None, ...]:
    interval = None if source.interval is None else micros_of(source.interval)
    texts = (source.title, source.folder, source.language)
    return (
        *(clean(source.address), key(source.address), source.kind.value, *map(clean, texts)),
        *(interval, clean(source.credentials), int(source.muted), clean(source.recipe)),
        *(int(source.takes_feed_text), int(source.ignores_robots), clean(source.headers), clean(source.proxy)),
    )


def _source(row: Row) -> Source:
    interval = None if row[6] is None else timedelta(microseconds=row[6])
    settings = NewSource(
        *(row[1], SourceKind(row[2]), row[3], row[4], row[5], interval, row[7], bool(row[8]), row[20]),
        *(bool(row[21]), bool(row[22]), row[23], row[24]),
    )
    pace = timedelta(microseconds=row[11])
    tries = maybe_moment(row[14]), maybe_moment(row[15])
    return Source(
        *(row[0], settings, moment(row[9]), moment(row[10]), pace, row[12], row[13], *tries),
        *(row[16], row[17], row[18], bool(row[19])),
    )
