"""Store methods for article streams, notes and labels.

A stream is a filtered list of a user's articles: read, unread, saved or labelled. Lists for people go from new to old.
A program that syncs a copy also goes forward, from where it left off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tidings.text import fold_space
from tidings_portal.store.database import Session, Value, Verbs, clean, is_possible, key, place_of, possible, spoken_in
from tidings_portal.store.records_of_articles import ArticleHeadline, Listed
from tidings_portal.store.records_of_work import micros, place_moment
from tidings_portal.store.verbs.stories import COLUMNS, headlines
from tidings_portal.store.verbs.unread import MOST_MARKS, NOT_HIDDEN, folded_condition, read_up_to, unread_among

#: Per user.
MOST_LABELS: Final = 500
#: The maximum length of a note.
MOST_NOTE: Final = 20_000


@dataclass(frozen=True, slots=True)
class StreamQuery:
    """The filters of a stream; all of them must match."""

    sources: Sequence[int] | None = None
    read: bool | None = None
    saved: bool = False
    label: str = ""
    noted: bool = False  # only articles with a note by the user
    language: Sequence[str] | None = None
    since: datetime | None = None  # by the time of storage
    until: datetime | None = None
    is_oldest_first: bool = False
    is_folded: bool = False  # leave out copies of articles of the same sources


@dataclass(frozen=True, slots=True)
class ReaderMarks:
    """A user's marks on an article: read, saved, labels."""

    is_read: bool = False
    is_saved: bool = False
    labels: tuple[str, ...] = ()


class StreamVerbs(Verbs):
    """Store methods for streams, notes and labels."""

    def stream(self, person: str, query: StreamQuery, *, limit: int = 20, after: str | None = None) -> Listed[int]:
        """Return the numbers of a user's articles, one page at a time."""
        if after is None and query.is_oldest_first:
            after = "0"
        order, sign = ("ASC", ">") if query.is_oldest_first else ("DESC", "<")
        with self.database.reading() as session:
            where, values = _conditions(session, key(person), query)
            rows = session.all(
                f"SELECT a.place, a.id FROM article a WHERE {where} AND a.place {sign} ?"
                f" ORDER BY a.place {order} LIMIT ?",
                *(*values, place_of(after), limit + 1),
            )
        more = limit > 0 and len(rows) > limit
        return Listed(tuple(row[1] for row in rows[:limit]), str(rows[limit - 1][0]) if more else None)

    def headlines_of(self, numbers: Sequence[int]) -> list[ArticleHeadline]:
        """Return articles by their numbers, in that order; deleted ones are left out."""
        with self.database.reading() as session:
            rows = session.in_all(f"SELECT {COLUMNS} FROM article a WHERE a.id IN ({{}})", possible(numbers))
            stored = {headline.id: headline for headline in headlines(session, rows)}
        return [stored[number] for number in numbers if number in stored]

    def note(self, article: int, person: str) -> str:
        """Return the user's note on an article, or ""."""
        sql = "SELECT text FROM note WHERE person = ? AND article = ?"
        with self.database.reading() as session:
            return str(session.value(sql, key(person), article) or "") if is_possible(article) else ""

    def set_note(self, article: int, person: str, text: str, at: datetime) -> bool:
        """Store the user's note on an article; an empty note deletes it. Return False if there is no such article."""

        def work(session: Session) -> bool:
            if not is_possible(article) or session.value("SELECT 1 FROM article WHERE id = ?", article) is None:
                return False
            if not text.strip():
                session.run("DELETE FROM note WHERE person = ? AND article = ?", key(person), article)
                return True
            session.run(
                "INSERT INTO note (person, article, text, written) VALUES (?, ?, ?, ?) ON CONFLICT (person, article)"
                " DO UPDATE SET text = excluded.text, written = excluded.written",
                *(key(person), article, clean(text)[:MOST_NOTE], micros(at)),
            )
            return True

        return self.database.write(work)

    def count_notes(self, person: str) -> int:
        """Return the number of the user's notes."""
        with self.database.reading() as session:
            return int(session.value("SELECT count(*) FROM note WHERE person = ?", key(person)))

    def reader_marks(self, person: str, articles: Sequence[int]) -> dict[int, ReaderMarks]:
        """Return the user's marks on some articles."""
        numbers = possible(articles)
        with self.database.reading() as session:
            unread = unread_among(session, key(person), numbers)
            sql = "SELECT article FROM saved WHERE person = ? AND article IN ({})"
            saved = {row[0] for row in session.in_all(sql, numbers, key(person))}
            sql = "SELECT article, name FROM label WHERE person = ? AND article IN ({}) ORDER BY name"
            labels: dict[int, list[str]] = {}
            for article, name in session.in_all(sql, numbers, key(person)):
                labels.setdefault(article, []).append(name)
        return {
            number: ReaderMarks(number not in unread, number in saved, tuple(labels.get(number, ())))
            for number in numbers
        }

    def newest_by_source(self, sources: Iterable[int]) -> Mapping[int, datetime]:
        """Return the time of the newest article of each source."""
        sql = "SELECT source, max(place) FROM article_source WHERE source IN ({}) GROUP BY source"
        with self.database.reading() as session:
            return {source: place_moment(place) for source, place in session.in_all(sql, possible(sources))}

    def latest_number_at(self, at: datetime) -> int:
        """Return the number of the last article that was stored up to a time; 0 if there was none."""
        sql = "SELECT id FROM article WHERE first_seen <= ? ORDER BY id DESC LIMIT 1"
        with self.database.reading() as session:
            return int(session.value(sql, micros(at)) or 0)

    def labels(self, person: str) -> dict[str, int]:
        """Return the user's labels with their numbers of unread articles."""
        with self.database.reading() as session:
            rows = session.all("SELECT name, article FROM label WHERE person = ? ORDER BY name", key(person))
            unread = unread_among(session, key(person), [article for _, article in rows][:MOST_MARKS])
        labels: dict[str, int] = {}
        for name, article in rows:
            labels[name] = labels.get(name, 0) + (article in unread)
        return labels

    def label(self, name: str, articles: Sequence[int], person: str) -> int:
        """Label articles; return their number, or 0 if the user has too many labels."""
        label = _name(name)

        def work(session: Session) -> int:
            sql = "SELECT count(DISTINCT name) FROM label WHERE person = ? AND name <> ?"
            if not label or session.value(sql, key(person), label) >= MOST_LABELS:
                return 0
            stored = [row[0] for row in session.in_all("SELECT id FROM article WHERE id IN ({})", possible(articles))]
            session.many(
                "INSERT INTO label (person, name, article) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [(key(person), label, number) for number in stored],
            )
            return len(stored)

        return self.database.write(work)

    def unlabel(self, name: str, articles: Sequence[int], person: str) -> int:
        """Remove a label from articles; return the number of articles that had it."""
        sql = "DELETE FROM label WHERE person = ? AND name = ? AND article IN ({})"
        return self.database.write(
            lambda session: session.run_in(sql, sorted(set(possible(articles))), key(person), _name(name))
        )

    def rename_label(self, name: str, new: str, person: str) -> int:
        """Rename a label; return the number of its articles. An empty name removes the label."""
        old, renamed = _name(name), _name(new)

        def work(session: Session) -> int:
            if renamed and renamed != old:
                session.run(
                    "INSERT INTO label (person, name, article) SELECT person, ?, article FROM label"
                    " WHERE person = ? AND name = ? ON CONFLICT DO NOTHING",
                    *(renamed, key(person), old),
                )
            if renamed == old:
                return int(session.value("SELECT count(*) FROM label WHERE person = ? AND name = ?", key(person), old))
            return session.run("DELETE FROM label WHERE person = ? AND name = ?", key(person), old)

        return self.database.write(work)


def _conditions(session: Session, person: str, query: StreamQuery) -> tuple[str, list[Value]]:
    is_own = query.saved or query.label or query.noted  # articles that a user marked are visible to them even if muted
    where, values = ["a.muted = 0"] if is_own else ["a.muted = 0", NOT_HIDDEN], list[Value]([] if is_own else [person])
    if query.sources is not None:
        numbers = ",".join(map(str, sorted(set(possible(query.sources))))) or "NULL"
        where.append(f"EXISTS (SELECT 1 FROM article_source s WHERE s.article = a.id AND s.source IN ({numbers}))")
    if query.is_folded:
        sql, folding = folded_condition(session, person, query.sources, is_unread=query.read is False)
        where.append(sql)
        values += folding
    if query.read is not None:
        last = read_up_to(session, person)
        marked = "SELECT m.article FROM read_mark m WHERE m.person = ? AND m.is_read ="
        if query.read:
            where.append(f"(a.id IN ({marked} 1) OR (a.id <= ? AND a.id NOT IN ({marked} 0)))")
            values += [person, last, person]
        else:
            where.append(f"(a.id IN ({marked} 0) OR (a.id > ? AND a.id NOT IN ({marked} 1)))")
            values += [person, last, person]
    own_conditions = (
        (query.saved, "SELECT s.article FROM saved s WHERE s.person = ?", (person,)),
        (query.label, "SELECT l.article FROM label l WHERE l.person = ? AND l.name = ?", (person, _name(query.label))),
        (query.noted, "SELECT n.article FROM note n WHERE n.person = ?", (person,)),
    )
    for is_set, sql, own_values in own_conditions:
        if is_set:
            where.append(f"a.id IN ({sql})")
            values += own_values
    if query.language:
        sql, spoken = spoken_in("a.language", query.language)
        where.append(sql)
        values += spoken
    for border, sign in ((query.since, ">="), (query.until, "<=")):
        if border is not None:
            where.append(f"a.first_seen {sign} ?")
            values.append(micros(border))
    return " AND ".join(where), values


def _name(name: str) -> str:
    return clean(fold_space(name))[:200]
