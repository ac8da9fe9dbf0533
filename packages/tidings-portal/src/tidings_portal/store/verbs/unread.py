"""Store methods for read and unread articles, hidden articles and subscriptions.

A user has read everything up to a number, except where a read mark differs. The marks of a user are bounded. When there
are too many, everything up to the older half of them counts as read, and so does everything after "mark all as read".
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from tidings.text import fold_space
from tidings_portal.store.database import Row, Session, Value, Verbs, clean, is_possible, key, place_of, possible
from tidings_portal.store.records_of_articles import ArticleHeadline, Count, Listed
from tidings_portal.store.records_of_people import LOCAL, Subscription
from tidings_portal.store.records_of_work import micros, moment, places
from tidings_portal.store.verbs.read_articles import Lead, counts, listed, newest
from tidings_portal.store.verbs.sources import sources_by_number

#: Per user.
MOST_MARKS: Final = 10_000
#: Up to this many articles since the last "mark all as read" are checked one by one.
_FEW: Final = 2_000
#: Up to this many, lists go back no further than to the oldest of them.
_MANY: Final = 20_000


class UnreadVerbs(Verbs):
    """Store methods for read marks and hidden articles."""

    def unread(
        self,
        person: str,
        sources: Sequence[int] | None = None,
        *,
        limit: int = 20,
        after: str | None = None,
        folded: bool = False,
    ) -> Listed[ArticleHeadline]:
        """Return the articles that a user has not read yet, latest first.

        Args:
            person: the user.
            sources: only articles of these sources; None is all.
            limit: the maximum number of articles.
            after: the cursor of the previous page.
            folded: leave out copies of articles that are in the list too.
        """
        with self.database.reading() as session:
            leads = _leads(session, key(person), sources)
            if folded:
                sql, values = folded_condition(session, key(person), sources, is_unread=True)
                leads = [
                    replace(lead, where=f"{lead.where} AND {sql}", values=(*lead.values, *values)) for lead in leads
                ]
            return listed(session, leads, after, limit)

    def count_unread(
        self,
        person: str,
        sources: Sequence[int] | None = None,
        *,
        most: int = 1000,
    ) -> Count:
        """Return the number of unread articles, copies included. Counting stops at `most` to stay fast."""
        with self.database.reading() as session:
            leads = _leads(session, key(person), sources)
            count = len(newest(session, leads, place_of(None), most + 1))
        return Count(min(count, most), count > most)

    def unread_among(self, person: str, articles: Sequence[int]) -> set[int]:
        """Return those of the given articles that the user has not read yet."""
        with self.database.reading() as session:
            return unread_among(session, key(person), articles)

    def latest_number(self) -> int:
        """Return the number of the latest article, or 0 if there is none."""
        with self.database.reading() as session:
            return _latest(session)

    def hide(self, person: str, articles: Sequence[int], rule: int = 0) -> int:
        """Hide articles from a user's lists and counts, by a rule of theirs; return the number of articles."""

        def work(session: Session) -> int:
            stored = [row[0] for row in session.in_all("SELECT id FROM article WHERE id IN ({})", possible(articles))]
            session.many(
                "INSERT INTO hidden (person, article, rule) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [(key(person), number, rule) for number in stored],
            )
            return len(stored)

        return self.database.write(work)

    def unhide(self, person: str, articles: Sequence[int] | None = None) -> int:
        """Show hidden articles again (default: all); return the number of articles."""
        sql = "DELETE FROM hidden WHERE person = ?"
        if articles is None:
            return self.database.write(lambda session: session.run(sql, key(person)))
        numbers = possible(articles)
        return self.database.write(lambda session: session.run_in(f"{sql} AND article IN ({{}})", numbers, key(person)))

    def hidden_among(self, person: str, articles: Sequence[int]) -> set[int]:
        """Return those of the given articles that the user hides."""
        sql = "SELECT article FROM hidden WHERE person = ? AND article IN ({})"
        with self.database.reading() as session:
            return {row[0] for row in session.in_all(sql, possible(articles), key(person))}

    def count_hidden(self, person: str) -> int:
        """Return the number of articles that the user hides."""
        with self.database.reading() as session:
            return int(session.value("SELECT count(*) FROM hidden WHERE person = ?", key(person)))

    def mark_read(self, person: str, articles: Sequence[int], *, read: bool = True) -> int:
        """Mark articles as read, with their copies, or as unread, without copies; return the number of articles."""
        numbers = sorted(set(possible(articles)))

        def work(session: Session) -> int:
            count = _mark(session, key(person), numbers, read)
            if read:
                _mark(session, key(person), _copies_of(session, numbers), True)
            return count

        return self.database.write(work)

    def mark_all_read(
        self,
        person: str,
        sources: Sequence[int] | None = None,
        *,
        up_to: int | None = None,
        before: datetime | None = None,
    ) -> int:
        """Mark everything as read, or everything from some sources; return the number of articles (0 for everything).

        Args:
            person: the user.
            sources: only articles of these sources; None is all.
            up_to: the latest article in the user's list. Later articles stay unread.
            before: mark only articles older than this.
        """

        def work(session: Session) -> int:
            last = _latest(session)
            last = last if up_to is None else min(last, max(up_to, 0))
            if sources is None and before is None:
                sql = "SELECT article, is_read FROM read_mark WHERE person = ? AND article <= ? ORDER BY article"
                _remember(session, key(person), read_up_to(session, key(person)), session.all(sql, key(person), last))
                session.run("DELETE FROM read_mark WHERE person = ? AND article <= ?", key(person), last)
                _raise(session, key(person), last)
                return 0
            border = place_of(None) if before is None else places(before, None)[0] or 0
            unread = newest(session, _leads(session, key(person), sources), border, MOST_MARKS)
            numbers = sorted(number for _, number in unread if number <= last)
            copies = unread_among(session, key(person), _copies_of(session, numbers))
            _remember(session, key(person), None, [(number, 0) for number in sorted({*numbers, *copies})])
            _mark(session, key(person), sorted(copies), True)
            return _mark(session, key(person), numbers, True)

        return self.database.write(work)

    def can_undo(self, person: str) -> bool:
        """Return whether the user's last "mark all as read" can be undone."""
        with self.database.reading() as session:
            return bool(session.value(_UNDO, key(person)))

    def undo_read(self, person: str) -> bool:
        """Undo the user's last "mark all as read"; return False if there is none."""

        def work(session: Session) -> bool:
            saved = session.value(_UNDO, key(person))
            if not saved:
                return False
            before, marks = json.loads(saved)
            if before is not None:
                session.run("UPDATE read_up_to SET article = ? WHERE person = ?", before, key(person))
            stored = {
                row[0] for row in session.in_all("SELECT id FROM article WHERE id IN ({})", [n for n, _ in marks])
            }
            if before is None:
                _mark(session, key(person), sorted(stored), False)
            else:
                session.many(
                    "INSERT INTO read_mark (person, article, is_read) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    [(key(person), number, is_read) for number, is_read in marks if number in stored],
                )
            session.run("DELETE FROM preference WHERE person = ? AND name = 'undo'", key(person))
            return True

        return self.database.write(work)


def unread_among(session: Session, person: str, articles: Sequence[int]) -> set[int]:
    """Return those of the given articles that a user has not read yet."""
    sql = (
        "SELECT a.id FROM article a LEFT JOIN read_mark m ON m.article = a.id AND m.person = ? WHERE a.muted = 0"
        f" AND coalesce(m.is_read, CASE WHEN a.id > ? THEN 0 ELSE 1 END) = 0 AND {NOT_HIDDEN} AND a.id IN ({{}})"
    )
    return {row[0] for row in session.in_all(sql, possible(articles), person, read_up_to(session, person), person)}


def unread_by_source(session: Session, person: str, sources: Sequence[int], most: int) -> dict[int, int]:
    """Return the number of unread articles of each source, counted up to `most`."""
    numbers = sorted(set(possible(sources)))
    last = read_up_to(session, person)
    leads = [_again(person, None)]
    totals: Counter[int] = Counter()
    if _latest(session) - last <= _FEW:
        leads.append(_since(person, last, None))
    else:
        by_source = _visible(_by_source(session, person, last, numbers), person)
        totals.update(dict(zip(numbers, counts(session, by_source, most), strict=True)))
    single = [article for _, article in newest(session, _visible(leads, person), place_of(None), _FEW + MOST_MARKS)]
    sql = "SELECT source, count(*) FROM article_source WHERE article IN ({}) GROUP BY source"
    for source, number in session.in_all(sql, single):
        totals[source] += number
    return {number: min(totals[number], most) for number in numbers}


#: Condition on an article `a`, with the user as its value.
NOT_HIDDEN: Final = "NOT EXISTS (SELECT 1 FROM hidden h WHERE h.person = ? AND h.article = a.id)"


def _visible(leads: Sequence[Lead], person: str) -> list[Lead]:
    """Return leads (SQL tables that lists are read from) with a condition that excludes articles hidden by the user."""
    return [replace(lead, where=f"{lead.where} AND {NOT_HIDDEN}", values=(*lead.values, person)) for lead in leads]


def _leads(session: Session, person: str, sources: Sequence[int] | None) -> list[Lead]:
    """Return leads to the articles since the last "mark all as read", and to those marked as unread."""
    return _visible(_all_leads(session, person, sources), person)


def _all_leads(session: Session, person: str, sources: Sequence[int] | None) -> list[Lead]:
    numbers = None if sources is None else sorted(set(possible(sources)))
    last = read_up_to(session, person)
    again = _again(person, numbers)
    if _latest(session) - last <= _FEW:
        return [_since(person, last, numbers), again]
    if numbers is not None:
        return [*_by_source(session, person, last, numbers), again]
    # CASE reads the article row last, and only if there is no mark.
    where = f"a.place >= ? AND CASE WHEN a.id > ? AND {_unmarked('a.id')} THEN a.muted ELSE 1 END = 0"
    return [Lead("article a", "a.place", where, (_oldest(session, last), last, person)), again]


def folded_condition(
    session: Session, person: str, sources: Sequence[int] | None, *, is_unread: bool
) -> tuple[str, tuple[Value, ...]]:
    """Return the SQL condition that leaves a copy out of a list which has an earlier article with the same text.

    The earlier article must be visible, of these sources, and with `is_unread` not read yet.
    """
    numbers = None if sources is None else sorted(set(possible(sources)))
    visible = f"o.muted = 0 AND {NOT_HIDDEN}{_of(numbers)}".replace("a.id", "o.id")
    values: tuple[Value, ...] = (person,)
    if is_unread:
        visible += (
            " AND coalesce((SELECT f.is_read FROM read_mark f WHERE f.person = ? AND f.article = o.id),"
            " CASE WHEN o.id > ? THEN 0 ELSE 1 END) = 0"
        )
        values += (person, read_up_to(session, person))
    earlier = "(o.id = a.copy_of OR (o.copy_of = a.copy_of AND o.id < a.id))"
    return f"(a.copy_of IS NULL OR NOT EXISTS (SELECT 1 FROM article o WHERE {earlier} AND {visible}))", values


def _copies_of(session: Session, articles: Sequence[int]) -> list[int]:
    """Return the originals and copies of some articles, without the articles themselves."""
    rows = session.in_all("SELECT copy_of FROM article WHERE copy_of IS NOT NULL AND id IN ({})", articles)
    firsts = {row[0] for row in rows}
    copies = session.in_all("SELECT id FROM article WHERE copy_of IN ({})", sorted({*articles, *firsts}))
    return sorted(({row[0] for row in copies} | firsts) - set(articles))


def _since(person: str, last: int, sources: Sequence[int] | None) -> Lead:
    """Return a lead (see `Lead`) to the few newest articles, by number. `place + 0` prevents the use of the index of
    places.
    """
    where = f"a.id > ? AND a.muted = 0 AND {_unmarked('a.id')}{_of(sources)}"
    return Lead("article a", "(a.place + 0)", where, (last, person))


def _again(person: str, sources: Sequence[int] | None) -> Lead:
    where = f"m.person = ? AND m.is_read = 0 AND a.muted = 0{_of(sources)}"
    return Lead("read_mark m JOIN article a ON a.id = m.article", "(a.place + 0)", where, (person,))


def _by_source(session: Session, person: str, last: int, sources: Sequence[int]) -> list[Lead]:
    """Return leads (see `Lead`) to the newest articles of each source, by place. `article + 0` prevents the use of
    the other index.
    """
    tables = "article_source s JOIN article a ON a.id = s.article"
    where = f"s.source = ? AND s.place >= ? AND (s.article + 0) > ? AND a.muted = 0 AND {_unmarked('s.article')}"
    oldest = _oldest(session, last)
    return [Lead(tables, "s.place", where, (source, oldest, last, person)) for source in sources]


def _unmarked(article: str) -> str:
    return f"NOT EXISTS (SELECT 1 FROM read_mark m WHERE m.person = ? AND m.article = {article})"


def _of(sources: Sequence[int] | None) -> str:
    if sources is None:
        return ""
    numbers = ",".join(map(str, sources)) or "NULL"
    return f" AND EXISTS (SELECT 1 FROM article_source s WHERE s.article = a.id AND s.source IN ({numbers}))"


def _oldest(session: Session, last: int) -> int:
    """Return the smallest place (sort key) of the articles with numbers above `last`; 0 if they are too many."""
    if last == 0 or _latest(session) - last > _MANY:
        return 0
    return int(session.value("SELECT coalesce(min(place + 0), 0) FROM article WHERE id > ?", last))


def _latest(session: Session) -> int:
    return int(session.value("SELECT coalesce(max(id), 0) FROM article"))


def read_up_to(session: Session, person: str) -> int:
    """Return the article number up to which everything counts as read by a user."""
    return int(session.value("SELECT article FROM read_up_to WHERE person = ?", person) or 0)


_UNDO: Final = "SELECT value FROM preference WHERE person = ? AND name = 'undo'"


def _remember(session: Session, person: str, up_to: int | None, marks: Sequence[Row]) -> None:
    """Save the state before "mark all as read", so that it can be undone.

    Args:
        session: the transaction.
        person: the user.
        up_to: the previous article number up to which everything was read; None: single sources were marked.
        marks: the previous read marks, as article number and whether it was read.
    """
    session.run(
        "INSERT INTO preference (person, name, value) VALUES (?, 'undo', ?)"
        " ON CONFLICT (person, name) DO UPDATE SET value = excluded.value",
        *(person, json.dumps([up_to, [[number, is_read] for number, is_read in marks]], separators=(",", ":"))),
    )


def _raise(session: Session, person: str, number: int) -> None:
    session.run(
        "INSERT INTO read_up_to (person, article) VALUES (?, ?) ON CONFLICT (person) DO UPDATE SET article ="
        " CASE WHEN excluded.article > read_up_to.article THEN excluded.article ELSE read_up_to.article END",
        *(person, number),
    )


def _mark(session: Session, person: str, articles: Sequence[int], read: bool) -> int:
    last = read_up_to(session, person)
    stored = [row[0] for row in session.in_all("SELECT id FROM article WHERE id IN ({})", articles)]
    plain = [number for number in stored if (number <= last) == read]
    session.run_in("DELETE FROM read_mark WHERE person = ? AND article IN ({})", plain, person)
    session.many(
        "INSERT INTO read_mark (person, article, is_read) VALUES (?, ?, ?)"
        " ON CONFLICT (person, article) DO UPDATE SET is_read = excluded.is_read",
        [(person, number, int(read)) for number in stored if (number <= last) != read],
    )
    if session.value("SELECT count(*) FROM read_mark WHERE person = ?", person) > MOST_MARKS:
        middle = session.value(
            "SELECT article FROM read_mark WHERE person = ? ORDER BY article DESC LIMIT 1 OFFSET ?",
            *(person, MOST_MARKS // 2),
        )
        session.run("DELETE FROM read_mark WHERE person = ? AND article <= ?", person, middle)
        _raise(session, person, middle)
    return len(stored)


#: Per user.
MOST_SUBSCRIPTIONS: Final = 1_000


def subscribe_to_rest(session: Session, person: str, at: datetime, folder: str | None = None) -> int:
    """Subscribe to the sources, of a folder or of all, that have no subscription yet; return their number."""
    count = int(session.value("SELECT count(*) FROM subscription WHERE person = ?", person))
    in_folder, values = ("", ()) if folder is None else (" AND s.folder = ?", (folder,))
    return session.run(
        "INSERT INTO subscription (person, source, folder, title, since) SELECT ?, s.id, s.folder, '', ?"
        f" FROM source s WHERE s.id NOT IN (SELECT source FROM subscription WHERE person = ?){in_folder}"
        " ORDER BY s.id LIMIT ?",
        *(person, micros(at), person, *values, max(0, MOST_SUBSCRIPTIONS - count)),
    )


class SubscriptionVerbs(Verbs):
    """Store methods for a user's subscriptions to sources."""

    def subscribe(self, source: int, person: str, at: datetime, *, folder: str = "", title: str = "") -> bool:
        """Subscribe a user to a source, or change folder and title; False if there is no such source, or too many."""

        def work(session: Session) -> bool:
            if session.value("SELECT 1 FROM source WHERE id = ?", source) is None:
                return False
            session.run(
                "INSERT INTO subscription (person, source, folder, title, since) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (person, source) DO UPDATE SET folder = excluded.folder, title = excluded.title",
                *(key(person), source, _name(folder), _name(title), micros(at)),
            )
            count = session.value("SELECT count(*) FROM subscription WHERE person = ?", key(person))
            if count > MOST_SUBSCRIPTIONS:
                session.run("DELETE FROM subscription WHERE person = ? AND source = ?", key(person), source)
            return bool(count <= MOST_SUBSCRIPTIONS)

        return is_possible(source) and self.database.write(work)

    def subscribe_to_all(self, person: str, at: datetime, *, folder: str | None = None) -> int:
        """Subscribe to all sources, or to those in a folder of the site; return how many are new."""
        return self.database.write(lambda session: subscribe_to_rest(session, key(person), at, folder))

    def sources_read(self, person: str) -> list[int] | None:
        """Return the sources that a user subscribes to; None if they read all (no accounts, or no subscriptions)."""
        if person == LOCAL:
            return None
        with self.database.reading() as session:
            rows = session.all("SELECT source FROM subscription WHERE person = ? ORDER BY source", key(person))
        return [row[0] for row in rows] or None

    def begin_subscriptions(self, person: str, at: datetime) -> None:
        """Subscribe a user without subscriptions, who therefore reads everything, to all sources."""
        if person != LOCAL and self.sources_read(person) is None:
            self.subscribe_to_all(person, at)

    def unsubscribe(self, source: int, person: str) -> bool:
        """Unsubscribe a user from a source, which stays in the store; return False if they were not subscribed."""
        sql = "DELETE FROM subscription WHERE person = ? AND source = ?"
        return is_possible(source) and self.database.write(lambda session: session.run(sql, key(person), source) > 0)

    def subscriptions(self, person: str, *, most_unread: int = 99) -> list[Subscription]:
        """Return a user's subscriptions by folder and name, with unread counts up to `most_unread`."""
        with self.database.reading() as session:
            rows = session.all("SELECT source, folder, title, since FROM subscription WHERE person = ?", key(person))
            numbers = [row[0] for row in rows]
            sources = sources_by_number(session, numbers)
            unread = unread_by_source(session, key(person), numbers, most_unread) if most_unread else {}
        subscriptions = [
            Subscription(sources[number], folder, title, moment(since), unread.get(number, 0))
            for number, folder, title, since in rows
        ]
        return sorted(subscriptions, key=lambda item: (item.folder.casefold(), item.name.casefold(), item.source.id))

    def unread_by_source(self, person: str, sources: Sequence[int], *, most: int = 99) -> dict[int, int]:
        """Return the number of unread articles of each source, counted up to `most`."""
        with self.database.reading() as session:
            return unread_by_source(session, key(person), sources, most)

    def rename_folder(self, folder: str, new: str, person: str) -> int:
        """Rename one of the user's folders; return the number of sources in it. An empty name is no folder."""
        sql = "UPDATE subscription SET folder = ? WHERE person = ? AND folder = ?"
        return self.database.write(lambda session: session.run(sql, _name(new), key(person), _name(folder)))


def _name(name: str) -> str:
    return clean(fold_space(name))[:200]
