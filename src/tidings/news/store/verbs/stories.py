"""Stories: articles about one event, and those who follow them. Ids stay good: what was merged leads on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from tidings.news.store.database import (
    Row,
    Session,
    Verbs,
    clean,
    key,
    known,
    place_of,
    possible,
    spoken_in,
)
from tidings.news.store.records_of_articles import (
    ArticleCopy,
    ArticleHeadline,
    ArticleSubject,
    Listed,
    NameCount,
    Story,
    StoryDraft,
)
from tidings.news.store.records_of_work import maybe_moment, micros, moment, place, places
from tidings.news.store.selection import name_key
from tidings.text import base_language

COLUMNS: Final = (
    "a.id, a.title, a.address, a.site, a.site_name, a.language, a.direction, a.authors, a.time, a.published,"
    " a.first_seen, a.category, a.summary, a.image, a.kind, a.word_count, a.story, a.reads, a.muted, a.versions,"
    " a.topic, a.agency, a.teaser_reason, a.place"
)


WIDTH: Final = 24


def headlines(session: Session, rows: Sequence[Row]) -> list[ArticleHeadline]:
    """Headlines of rows that begin with COLUMNS, with the sources that showed each, and the copies of its text."""
    sources: dict[int, list[int]] = {}
    for article, source in session.in_all(
        "SELECT article, source FROM article_source WHERE article IN ({}) ORDER BY source", [row[0] for row in rows]
    ):
        sources.setdefault(article, []).append(source)
    copies = _copies(session, [row[0] for row in rows])
    return [_headline(row, tuple(sources.get(row[0], ())), copies.get(row[0], ())) for row in rows]


def _mark_copy_read(session: Session, number: int, original: int) -> None:
    """Mark a new copy as read for everybody who has read the original."""
    read = session.all(
        "SELECT person FROM read_mark WHERE article = ? AND is_read = 1"
        " UNION SELECT person FROM read_up_to u WHERE u.article >= ?"
        " AND NOT EXISTS (SELECT 1 FROM read_mark m WHERE m.person = u.person AND m.article = ?)",
        *(original, original, original),
    )
    session.many(
        "INSERT INTO read_mark (person, article, is_read) SELECT ?, ?, 1 WHERE NOT EXISTS"
        " (SELECT 1 FROM read_up_to WHERE person = ? AND article >= ?) ON CONFLICT DO NOTHING",
        [(person, number, person, number) for (person,) in read],
    )


def _copies(session: Session, articles: Sequence[int]) -> dict[int, tuple[ArticleCopy, ...]]:
    """Return the other articles with the text of each article, whether it is the first of them or a copy itself."""
    firsts: dict[int, int] = {number: number for number in articles}
    firsts |= dict(session.in_all("SELECT id, copy_of FROM article WHERE copy_of IS NOT NULL AND id IN ({})", articles))
    originals = sorted({first for number, first in firsts.items() if first != number})
    columns = "id, address, site, site_name FROM article"
    rows = [
        *session.in_all(f"SELECT id, place, {columns} WHERE id IN ({{}})", originals),
        *session.in_all(f"SELECT copy_of, place, {columns} WHERE copy_of IN ({{}})", sorted(set(firsts.values()))),
    ]
    same: dict[int, list[ArticleCopy]] = {}
    for first, _, *values in sorted(rows, key=lambda row: row[1]):
        same.setdefault(first, []).append(ArticleCopy(*values))
    return {
        number: tuple(copy for copy in same.get(first, ()) if copy.id != number) for number, first in firsts.items()
    }


def _headline(row: Row, sources: tuple[int, ...], copies: tuple[ArticleCopy, ...]) -> ArticleHeadline:
    times = moment(row[8]), maybe_moment(row[9]), moment(row[10])
    told: list[Any] = [*row[:7], tuple(json.loads(row[7])), *times, *row[11:18], bool(row[18]), row[19], sources]
    told += [row[20], row[21], copies, row[22]]
    return ArticleHeadline(*told)


_COLUMNS = "id, title, summary, language, category, first_time, last_time, size, sites, followers, image, topic, place"


class StoryVerbs(Verbs):
    """Writing stories, merging them, listing them, following them."""

    def save_stories(self, drafts: Sequence[StoryDraft]) -> list[int]:
        """Write stories; their numbers, in order. An article is in one story: it leaves the one it was in.

        A draft with the number of a known story tells all of its members: those it leaves out leave it. A story that
        is split is written as two: the part that keeps the number, and a new one.
        """

        def work(session: Session) -> list[int]:
            touched: set[int] = set()
            found: list[int] = []
            for draft in drafts:
                number = None if draft.id is None else real_story(session, draft.id)
                if number is None:
                    number = session.value("INSERT INTO story (title) VALUES ('') RETURNING id")
                _write(session, number, draft, touched)
                found.append(number)
            refresh_stories(session, touched)
            return found

        return self.database.write(work)

    def join_story(self, story: int, articles: Sequence[int]) -> bool:
        """Articles join a story, as they come in one by one. False: there is no such story."""

        def work(session: Session) -> bool:
            number = real_story(session, story)
            if number is not None:
                touched = _stories_of(session, articles)
                session.run_in("UPDATE article SET story = ? WHERE id IN ({})", possible(articles), number)
                refresh_stories(session, touched | {number})
            return number is not None

        return self.database.write(work)

    def merge_stories(self, kept: int, others: Sequence[int]) -> bool:
        """Stories that turned out to be one: members and followers go over, old numbers lead on."""

        def work(session: Session) -> bool:
            into = real_story(session, kept)
            if into is None:
                return False
            for other in others:
                number = real_story(session, other)
                if number is None or number == into:
                    continue
                session.run("UPDATE article SET story = ? WHERE story = ?", into, number)
                session.run(
                    "INSERT INTO follower (story, person, since) SELECT ?, person, since FROM follower WHERE story = ?"
                    " ON CONFLICT (story, person) DO NOTHING",
                    *(into, number),
                )
                session.run("DELETE FROM follower WHERE story = ?", number)
                session.run("UPDATE story SET merged_into = ?, place = NULL, size = 0 WHERE id = ?", into, number)
                session.run("UPDATE story SET merged_into = ? WHERE merged_into = ?", into, number)
            refresh_stories(session, {into})
            return True

        return self.database.write(work)

    def story(self, number: int) -> Story | None:
        """A story by its number, or the one it was merged into: then it has another number than was asked for."""
        with self.database.reading() as session:
            real = real_story(session, number)
            row = None if real is None else session.one(f"SELECT {_COLUMNS} FROM story WHERE id = ?", real)
        return None if row is None else _story(row)

    def stories(
        self,
        *,
        category: str | None = None,
        topic: str | None = None,
        language: str | Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        least: int = 1,
        limit: int = 20,
        after: str | None = None,
    ) -> Listed[Story]:
        """Stories, the one with the latest news first: current events since a time, past ones until a time.

        Args:
            category: of this one only.
            topic: of this one only.
            language: of this one, or of these only.
            since: news since then.
            until: no news since then.
            least: with so many articles or more.
            limit: so many at a time.
            after: the cursor of the list before.
        """
        conditions: list[tuple[str, tuple[str | int, ...]]] = [
            ("place < ?", (place_of(after),)),
            ("size >= ?", (least,)),
        ]
        if category is not None:
            conditions.append(("category_key = ?", (name_key(category),)))
        if topic is not None:
            conditions.append(("topic = ?", (key(topic),)))
        if language is not None:
            conditions.append(spoken_in("language", language))
        first, last = places(since, until)
        conditions += [("place >= ?", (first,))] if first is not None else []
        conditions += [("place <= ?", (last,))] if last is not None else []
        where = " AND ".join(sql for sql, _ in conditions)
        sql = f"SELECT {_COLUMNS} FROM story WHERE {where} ORDER BY place DESC LIMIT ?"
        with self.database.reading() as session:
            rows = session.all(sql, *(value for _, values in conditions for value in values), limit + 1)
        more = len(rows) > limit
        return Listed(tuple(map(_story, rows[:limit])), str(rows[limit - 1][12]) if more and limit else None)

    def top_stories(
        self, since: datetime, *, limit: int = 20, language: str | Sequence[str] | None = None
    ) -> list[Story]:
        """The stories of a time that most sites tell of: a front page."""
        first, _ = places(since, None)
        told, values = ("", ()) if language is None else spoken_in("language", language)
        also = f" AND {told}" if told else ""
        sql = f"SELECT {_COLUMNS} FROM story WHERE place >= ?{also} ORDER BY sites DESC, size DESC, place DESC LIMIT ?"
        with self.database.reading() as session:
            return [_story(row) for row in session.all(sql, first, *values, limit)]

    def story_members(self, stories: Sequence[int], most: int = 12) -> dict[int, list[ArticleHeadline]]:
        """The latest articles of each of some stories."""
        found: dict[int, list[ArticleHeadline]] = {}
        with self.database.reading() as session:
            sql = f"SELECT {COLUMNS} FROM article a WHERE a.muted = 0 AND a.story IN ({{}})"
            rows = sorted(session.in_all(sql, possible(stories)), key=lambda row: row[WIDTH - 1], reverse=True)
            for one in headlines(session, rows):
                if one.story is not None and len(found.setdefault(one.story, [])) < most:
                    found[one.story].append(one)
        return found

    def each_story(self) -> Iterator[tuple[Story, tuple[int, ...]]]:
        """All stories with their members, in the order of their numbers."""
        after = 0
        while True:
            with self.database.reading() as session:
                rows = session.all(
                    f"SELECT {_COLUMNS} FROM story WHERE id > ? AND merged_into IS NULL ORDER BY id LIMIT 200", after
                )
                members: dict[int, list[int]] = {row[0]: [] for row in rows}
                for story, article in session.in_all(
                    "SELECT story, id FROM article WHERE story IN ({}) ORDER BY id", members
                ):
                    members[story].append(article)
            if not rows:
                return
            for row in rows:
                yield _story(row), tuple(members[row[0]])
            after = rows[-1][0]

    def save_subjects(self, subjects: Mapping[int, ArticleSubject]) -> None:
        """What articles are about, and the agencies that wrote them."""
        rows = [(key(one.topic), clean(one.agency), number) for number, one in sorted(subjects.items())]
        self.database.write(lambda session: session.many("UPDATE article SET topic = ?, agency = ? WHERE id = ?", rows))

    def save_copies(self, copies: Mapping[int, int]) -> None:
        """Store which articles repeat the text of which other.

        All copies of a text name the same article, also where that article turns out to be a copy itself. Whoever has
        read it has read a new copy.
        """

        def work(session: Session) -> None:
            for number, first in sorted(copies.items()):
                sql = "SELECT coalesce(copy_of, id) FROM article WHERE id = ?"
                original = session.value(sql, first)
                if original is None or original == number:
                    continue
                if session.run("UPDATE article SET copy_of = ? WHERE id = ? AND copy_of IS NULL", original, number):
                    session.run("UPDATE article SET copy_of = ? WHERE copy_of = ?", original, number)
                    _mark_copy_read(session, number, original)

        self.database.write(work)

    def without_topic(self, until: int, most: int) -> list[int]:
        """Articles up to a number that nobody has asked for their topic yet, the newest first."""
        sql = "SELECT id FROM article WHERE topic = '' AND id <= ? ORDER BY place DESC LIMIT ?"
        with self.database.reading() as session:
            return [row[0] for row in session.all(sql, until, most)]

    def topics(self) -> list[NameCount]:
        """The topics there are and how many articles each has, the largest first; without those that nothing tells."""
        sql = (
            "SELECT topic, count(*) AS number FROM article WHERE topic NOT IN ('', 'other') GROUP BY topic"
            " ORDER BY number DESC, topic"
        )
        with self.database.reading() as session:
            return [NameCount(name, number) for name, number in session.all(sql)]

    def follow(self, story: int, person: str, at: datetime) -> bool:
        """Somebody follows a story. False: there is no such story."""

        def work(session: Session) -> bool:
            number = real_story(session, story)
            if number is None:
                return False
            session.run(
                "INSERT INTO follower (story, person, since) VALUES (?, ?, ?) ON CONFLICT (story, person) DO NOTHING",
                *(number, key(person), micros(at)),
            )
            count_followers(session, number)
            return True

        return self.database.write(work)

    def unfollow(self, story: int, person: str) -> bool:
        """Somebody follows a story no more. False: they did not."""

        def work(session: Session) -> bool:
            number = real_story(session, story)
            if number is None:
                return False
            gone = session.run("DELETE FROM follower WHERE story = ? AND person = ?", number, key(person))
            count_followers(session, number)
            return gone > 0

        return self.database.write(work)

    def is_followed(self, story: int, person: str) -> bool:
        """Whether somebody follows a story."""
        with self.database.reading() as session:
            number = real_story(session, story)
            sql = "SELECT 1 FROM follower WHERE story = ? AND person = ?"
            return number is not None and bool(session.all(sql, number, key(person)))

    def followed(self, person: str) -> list[Story]:
        """The stories that somebody follows, the one with the latest news first."""
        sql = (
            f"SELECT {_COLUMNS} FROM story WHERE id IN (SELECT story FROM follower WHERE person = ?)"
            " ORDER BY place DESC"
        )
        with self.database.reading() as session:
            return [_story(row) for row in session.all(sql, key(person))]


def real_story(session: Session, number: int) -> int | None:
    """The number of a story, or of the one it was merged into; None where there is none."""
    if not known(number):
        return None
    row = session.one("SELECT merged_into FROM story WHERE id = ?", number)
    return None if row is None else row[0] or number


def refresh_stories(session: Session, stories: Iterable[int]) -> None:
    """Work out anew what follows from a story's members: times, size, picture. An empty one has no place."""
    for number in sorted(stories):
        row = session.one(
            "SELECT min(time), max(time), count(*), count(DISTINCT site) FROM article WHERE story = ?", number
        )
        first, last, size, sites = row or (None, None, 0, 0)
        image = session.value(
            "SELECT image FROM article WHERE story = ? AND image <> '' ORDER BY place DESC LIMIT 1", number
        )
        session.run(
            "UPDATE story SET first_time = ?, last_time = ?, size = ?, sites = ?, image = ?, place = ? WHERE id = ?",
            *(first or 0, last or 0, size, sites, image or "", place(last, number) if size else None, number),
        )
        count_followers(session, number)


def _write(session: Session, number: int, draft: StoryDraft, touched: set[int]) -> None:
    texts = (draft.title, draft.summary, base_language(draft.language), draft.category)
    session.run(
        "UPDATE story SET title = ?, summary = ?, language = ?, category = ?, category_key = ?, topic = ? WHERE id = ?",
        *map(clean, texts),
        *(name_key(draft.category), key(draft.topic), number),
    )
    members = sorted(set(possible(draft.members)))
    touched |= _stories_of(session, members) | {number}
    session.run("UPDATE article SET story = NULL WHERE story = ?", number)
    session.run_in("UPDATE article SET story = ? WHERE id IN ({})", members, number)


def _stories_of(session: Session, articles: Sequence[int]) -> set[int]:
    rows = session.in_all(
        "SELECT DISTINCT story FROM article WHERE story IS NOT NULL AND id IN ({})", possible(articles)
    )
    return {row[0] for row in rows}


def count_followers(session: Session, number: int) -> None:
    """Count a story's followers anew."""
    session.run(
        "UPDATE story SET followers = (SELECT count(*) FROM follower WHERE story = ?) WHERE id = ?", number, number
    )


def _story(row: Row) -> Story:
    told: list[Any] = [*row[:5], moment(row[5]), moment(row[6]), *row[7:12]]
    return Story(*told)
