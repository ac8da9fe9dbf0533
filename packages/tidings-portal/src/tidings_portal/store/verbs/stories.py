"""Store methods for stories: writing, merging, listing, following. The number of a merged story leads to its target."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from tidings.text import base_language
from tidings_portal.store.database import (
    Row,
    Session,
    Verbs,
    clean,
    is_possible,
    key,
    place_of,
    possible,
    spoken_in,
)
from tidings_portal.store.records_of_articles import (
    ArticleCopy,
    ArticleHeadline,
    ArticleSubject,
    Listed,
    NameCount,
    Story,
    StoryDraft,
)
from tidings_portal.store.records_of_work import maybe_moment, micros, moment, place, places
from tidings_portal.store.selection import name_key

COLUMNS: Final = (
    "a.id, a.title, a.address, a.site, a.site_name, a.language, a.direction, a.authors, a.time, a.published,"
    " a.first_seen, a.category, a.summary, a.image, a.kind, a.word_count, a.story, a.reads, a.muted, a.versions,"
    " a.topic, a.agency, a.teaser_reason, a.place"
)


WIDTH: Final = 24


def headlines(session: Session, rows: Sequence[Row]) -> list[ArticleHeadline]:
    """Return database rows as headlines, with sources and copies. Each row must begin with the columns `COLUMNS`."""
    sources: dict[int, list[int]] = {}
    for article, source in session.in_all(
        "SELECT article, source FROM article_source WHERE article IN ({}) ORDER BY source", [row[0] for row in rows]
    ):
        sources.setdefault(article, []).append(source)
    copies = _copies(session, [row[0] for row in rows])
    return [_headline(row, tuple(sources.get(row[0], ())), copies.get(row[0], ())) for row in rows]


def _mark_copy_read(session: Session, number: int, original: int) -> None:
    """Mark a new copy as read for all users who have read the original."""
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
    """Return the other articles with the same text, for each article (an original or a copy)."""
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
    columns: list[Any] = [*row[:7], tuple(json.loads(row[7])), *times, *row[11:18], bool(row[18]), row[19], sources]
    columns += [row[20], row[21], copies, row[22]]
    return ArticleHeadline(*columns)


_COLUMNS = "id, title, summary, language, category, first_time, last_time, size, sites, followers, image, topic, place"


class StoryVerbs(Verbs):
    """Store methods for stories, topics, copies and followers."""

    def save_stories(self, drafts: Sequence[StoryDraft]) -> list[int]:
        """Write stories and return their numbers in order. An article moves out of its previous story.

        A draft with the number of a stored story lists all of its members: members it leaves out leave the story. To
        split a story, write two: the part that keeps the number, and a new one.
        """

        def work(session: Session) -> list[int]:
            touched: set[int] = set()
            numbers: list[int] = []
            for draft in drafts:
                number = None if draft.id is None else real_story(session, draft.id)
                if number is None:
                    number = session.value("INSERT INTO story (title) VALUES ('') RETURNING id")
                _write(session, number, draft, touched)
                numbers.append(number)
            refresh_stories(session, touched)
            return numbers

        return self.database.write(work)

    def join_story(self, story: int, articles: Sequence[int]) -> bool:
        """Add articles to a story; return False if there is no such story."""

        def work(session: Session) -> bool:
            number = real_story(session, story)
            if number is not None:
                touched = _stories_of(session, articles)
                session.run_in("UPDATE article SET story = ? WHERE id IN ({})", possible(articles), number)
                refresh_stories(session, touched | {number})
            return number is not None

        return self.database.write(work)

    def merge_stories(self, target: int, merged: Sequence[int]) -> bool:
        """Merge stories into a target: members and followers move, and old numbers lead to it."""

        def work(session: Session) -> bool:
            into = real_story(session, target)
            if into is None:
                return False
            for other in merged:
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
        """Return a story by its number, or the story that it was merged into."""
        with self.database.reading() as session:
            real = real_story(session, number)
            row = None if real is None else session.first(f"SELECT {_COLUMNS} FROM story WHERE id = ?", real)
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
        """Return stories, latest news first: current ones since a time, past ones until a time.

        Args:
            category: only stories of this category.
            topic: only stories of this topic.
            language: only stories in this language, or in these.
            since: only stories with news since then.
            until: only stories without news since then.
            least: the minimum number of articles.
            limit: the maximum number of stories.
            after: the cursor of the previous page.
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
        """Return the stories since a time that most sites cover: a front page."""
        first, _ = places(since, None)
        condition, values = ("", ()) if language is None else spoken_in("language", language)
        also = f" AND {condition}" if condition else ""
        sql = f"SELECT {_COLUMNS} FROM story WHERE place >= ?{also} ORDER BY sites DESC, size DESC, place DESC LIMIT ?"
        with self.database.reading() as session:
            return [_story(row) for row in session.all(sql, first, *values, limit)]

    def story_members(self, stories: Sequence[int], most: int = 12) -> dict[int, list[ArticleHeadline]]:
        """Return the latest articles of each story."""
        members: dict[int, list[ArticleHeadline]] = {}
        with self.database.reading() as session:
            sql = f"SELECT {COLUMNS} FROM article a WHERE a.muted = 0 AND a.story IN ({{}})"
            rows = sorted(session.in_all(sql, possible(stories)), key=lambda row: row[WIDTH - 1], reverse=True)
            for article in headlines(session, rows):
                if article.story is not None and len(members.setdefault(article.story, [])) < most:
                    members[article.story].append(article)
        return members

    def each_story(self) -> Iterator[tuple[Story, tuple[int, ...]]]:
        """Yield all stories with their members, by number."""
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
        """Store the topics and agencies of articles."""
        rows = [(key(subject.topic), clean(subject.agency), number) for number, subject in sorted(subjects.items())]
        self.database.write(lambda session: session.many("UPDATE article SET topic = ?, agency = ? WHERE id = ?", rows))

    def save_copies(self, copies: Mapping[int, int]) -> None:
        """Store which articles repeat the text of which other.

        All copies of a text name the same article, even if it becomes a copy itself. Users who have read the original
        have read a new copy.
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
        """Return articles up to a number that have not been classified yet, newest first."""
        sql = "SELECT id FROM article WHERE topic = '' AND id <= ? ORDER BY place DESC LIMIT ?"
        with self.database.reading() as session:
            return [row[0] for row in session.all(sql, until, most)]

    def topics(self) -> list[NameCount]:
        """Return the topics and their numbers of articles, largest first. Unclassified articles are not counted."""
        sql = (
            "SELECT topic, count(*) AS number FROM article WHERE topic NOT IN ('', 'other') GROUP BY topic"
            " ORDER BY number DESC, topic"
        )
        with self.database.reading() as session:
            return [NameCount(name, number) for name, number in session.all(sql)]

    def follow(self, story: int, person: str, at: datetime) -> bool:
        """Follow a story; return False if there is no such story."""

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
        """Unfollow a story; return False if the user did not follow it."""

        def work(session: Session) -> bool:
            number = real_story(session, story)
            if number is None:
                return False
            count = session.run("DELETE FROM follower WHERE story = ? AND person = ?", number, key(person))
            count_followers(session, number)
            return count > 0

        return self.database.write(work)

    def is_followed(self, story: int, person: str) -> bool:
        """Return whether the user follows a story."""
        with self.database.reading() as session:
            number = real_story(session, story)
            sql = "SELECT 1 FROM follower WHERE story = ? AND person = ?"
            return number is not None and bool(session.all(sql, number, key(person)))

    def followed(self, person: str) -> list[Story]:
        """Return the stories that the user follows, latest news first."""
        sql = (
            f"SELECT {_COLUMNS} FROM story WHERE id IN (SELECT story FROM follower WHERE person = ?)"
            " ORDER BY place DESC"
        )
        with self.database.reading() as session:
            return [_story(row) for row in session.all(sql, key(person))]


def real_story(session: Session, number: int) -> int | None:
    """Return the number of a story, or of the story it was merged into; None if there is none."""
    if not is_possible(number):
        return None
    row = session.first("SELECT merged_into FROM story WHERE id = ?", number)
    return None if row is None else row[0] or number


def refresh_stories(session: Session, stories: Iterable[int]) -> None:
    """Recompute times, size and picture of stories from their articles. Stories without articles are removed from
    lists.
    """
    for number in sorted(stories):
        row = session.first(
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
    """Recount the followers of a story."""
    session.run(
        "UPDATE story SET followers = (SELECT count(*) FROM follower WHERE story = ?) WHERE id = ?", number, number
    )


def _story(row: Row) -> Story:
    columns: list[Any] = [*row[:5], moment(row[5]), moment(row[6]), *row[7:12]]
    return Story(*columns)
