"""Verbs of lists, mutes and columnists.

What is not to be shown: rules that are queries, and muted sources. Marked on the articles, so that lists stay quick.

An article's mark is 1 by a rule, 2 where all its sources are muted, 3 by both.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from tidings.news.store.database import Row, Session, Verbs, clean, key, known, place_of, spoken_in
from tidings.news.store.query import Or, Query, SearchedWords, parse
from tidings.news.store.records_of_articles import ArticleHeadline, ItemCounts, Listed, Mute, NameCount, Only, Totals
from tidings.news.store.records_of_people import Columnist
from tidings.news.store.records_of_work import maybe_micros, maybe_moment, micros, moment, place_moment, places
from tidings.news.store.search_words import search_words
from tidings.news.store.selection import name_key
from tidings.news.store.verbs.read_articles import Lead, languages, listed, score, select
from tidings.news.store.verbs.stories import COLUMNS, WIDTH, headlines
from tidings.text import stop_words
from tidings.text.terms import terms

#: Articles about the same thing are near in time.
_NEAR = timedelta(days=30)
_ALIKE_WORDS = 8
#: For each similar article that is wanted, so many candidates are compared.
_CANDIDATES = 6
#: Cosine of the words of title and summary, below which two articles are not about the same thing; and the fewest
#: words that they share.
_LEAST_SIMILAR, _SHARED_TERMS = 0.18, 2
#: Articles with one of these words that are compared; a word that is everywhere says little.
_ALIKE_ARTICLES = 1000


#: Of so many articles of each site, the newest, the index of sites leads to each: to read all takes a third of a second
#: where there are 100,000.
_NEWEST: Final = 20
_SITE_NAMES: Final = (
    "WITH RECURSIVE sites (site) AS (SELECT min(site) FROM article UNION ALL"
    " SELECT (SELECT min(a.site) FROM article a WHERE a.site > sites.site) FROM sites WHERE sites.site IS NOT NULL),"
    " since (site, place) AS (SELECT sites.site, coalesce((SELECT a.place FROM article a WHERE a.site = sites.site"
    " ORDER BY a.place DESC LIMIT 1 OFFSET ?), 0) FROM sites WHERE sites.site IS NOT NULL)"
    " SELECT a.site, a.site_name, count(*) FROM since JOIN article a ON a.site = since.site AND a.place >= since.place"
    " WHERE a.site_name <> '' GROUP BY a.site, a.site_name"
)


class ListVerbs(Verbs):
    """Lists, a page at a time."""

    def articles(
        self, only: Only | None = None, *, limit: int = 20, after: str | None = None
    ) -> Listed[ArticleHeadline]:
        """The latest articles, all of them or some only. The cursor of a list asks for what comes after it."""
        wanted = only or Only()
        with self.database.reading() as session:
            chosen = select(self.database, session, wanted.query, wanted)
            rows = session.all(
                f"SELECT {COLUMNS} FROM {chosen.tables} WHERE {chosen.where.sql} AND {chosen.place} < ?"
                f" ORDER BY {chosen.place} DESC LIMIT ?",
                *chosen.where.values,
                *(place_of(after), limit + 1),
            )
            found = headlines(session, rows[:limit])
        return Listed(tuple(found), str(rows[limit - 1][WIDTH - 1]) if limit and len(rows) > limit else None)

    def most_read(
        self,
        since: datetime,
        *,
        language: str | Sequence[str] | None = None,
        limit: int = 20,
        after: str | None = None,
    ) -> Listed[ArticleHeadline]:
        """What was read most since a day, in all languages or in some."""
        reads, number = _reads_of(after)
        none: tuple[str, tuple[str, ...]] = ("", ())
        sql, values = none if language is None else spoken_in("language", language)
        spoken = f" AND article IN (SELECT id FROM article WHERE {sql})" if sql else ""
        day = micros(since) // (24 * 3600 * 1_000_000)
        with self.database.reading() as session:
            # The most read are found first, and what lists show is read for those alone.
            rows = session.all(
                f"SELECT {COLUMNS}, r.total FROM (SELECT article, sum(reads) AS total FROM reading WHERE day >= ?"
                " AND article NOT IN (SELECT id FROM article WHERE muted <> 0)" + spoken + " GROUP BY article"
                " HAVING sum(reads) < ? OR (sum(reads) = ? AND article < ?)"
                " ORDER BY sum(reads) DESC, article DESC LIMIT ?) AS r JOIN article a ON a.id = r.article"
                " ORDER BY r.total DESC, a.id DESC",
                day,
                *values,
                *(reads, reads, number, limit + 1),
            )
            found = headlines(session, rows[:limit])
        more = limit and len(rows) > limit
        return Listed(tuple(found), f"{int(rows[limit - 1][WIDTH])}-{rows[limit - 1][0]}" if more else None)

    def similar(self, article: int, *, limit: int = 6) -> list[ArticleHeadline]:
        """Return articles of the same weeks that are about the same thing, most similar first; none of its own story.

        Candidates share a rare word with the title. They count only if title and summary are similar enough.
        """
        if not known(article):
            return []
        with self.database.reading() as session:
            row = session.one("SELECT title, summary, language, time, story FROM article WHERE id = ?", article)
            if row is None:
                return []
            title, summary, language, time, story = row
            stopped = {token for word in stop_words(language) for token in search_words(word)}
            told = dict.fromkeys(token for token in search_words(title) if token not in stopped and len(token) > 1)
            first, last = places(*_around(time))
            asked = Only(language=language)
            longest = sorted(told, key=lambda token: -len(token))[:_ALIKE_WORDS]
            words = self._rarest(session, longest, (first or 0, last or 0))
            if not words:
                return []
            chosen = select(self.database, session, _any_of(words), asked)
            ranked, values = score(self.database, chosen)
            rows = session.all(
                f"SELECT {COLUMNS}, {ranked} AS score FROM {chosen.tables} WHERE {chosen.where.sql}"
                f" AND {chosen.place} BETWEEN ? AND ? AND a.id <> ? AND (a.story IS NULL OR a.story <> ?)"
                " ORDER BY score DESC LIMIT ?",
                *(*values, *chosen.where.values, first, last, article, story or 0, limit * _CANDIDATES),
            )
            candidates = headlines(session, rows)
        own = Counter(terms(f"{title}\n{summary}", language))
        near = [(_similarity(own, Counter(terms(f"{one.title}\n{one.summary}", language))), one) for one in candidates]
        near = sorted((pair for pair in near if pair[0] >= _LEAST_SIMILAR), key=lambda pair: -pair[0])
        return [one for _, one in near[:limit]]

    def _rarest(self, session: Session, words: Sequence[str], between: tuple[int, int]) -> list[str]:
        """The rarest words of a stretch of time, as many as lead to few enough articles together."""
        counted = []
        for word in words:
            chosen = select(self.database, session, _any_of([word]), Only(muted=True))
            if chosen.alone is not None:  # SQLite goes through them in the order of time, and can stop
                number: int = session.value(
                    f"SELECT count(*) FROM (SELECT 1 FROM words w WHERE {chosen.alone.sql}"
                    f" AND {chosen.place} BETWEEN ? AND ? LIMIT ?) AS found",
                    *(*chosen.alone.values, *between, _ALIKE_ARTICLES),
                )
            else:  # PostgreSQL counts in the index of words, and is slow wherever it has to look beside it
                sql = f"SELECT count(*) FROM article_words w WHERE {chosen.where.sql}"
                number = session.value(sql, *chosen.where.values)
            counted.append((number, word))
        found: list[str] = []
        together = 0
        for number, word in sorted(counted):
            together += number
            if found and together > _ALIKE_ARTICLES:
                break
            found.append(word)
        return found

    def categories(self) -> list[NameCount]:
        """The categories there are and how many articles each has, the largest first."""
        sql = (
            "SELECT (SELECT category FROM article a WHERE a.category_key = k.category_key ORDER BY a.place LIMIT 1),"
            " number FROM (SELECT category_key, count(*) AS number FROM article WHERE category_key <> ''"
            " GROUP BY category_key) AS k ORDER BY number DESC, category_key"
        )
        return self._tally(sql)

    def authors(self, *, limit: int = 100) -> list[NameCount]:
        """Those who have written most."""
        sql = (
            "SELECT min(name), count(*) FROM article_author WHERE author <> '' GROUP BY author"
            " ORDER BY count(*) DESC, author LIMIT ?"
        )
        return self._tally(sql, limit)

    def sites(self, *, limit: int = 100) -> list[NameCount]:
        """The hosts with most articles."""
        return self._tally(
            "SELECT site, count(*) FROM article GROUP BY site ORDER BY count(*) DESC, site LIMIT ?", limit
        )

    def site_names(self) -> dict[str, str]:
        """What sites call themselves, where their newest articles mostly agree on something that is no address."""
        found: dict[str, tuple[int, str]] = {}
        with self.database.reading() as session:
            for site, name, count in session.all(_SITE_NAMES, _NEWEST - 1):
                if "." not in name.strip(" .") or " " in name.strip() or name != name.lower():
                    found[site] = max(found.get(site, (0, "")), (count, name))
        return {site: name for site, (_, name) in found.items()}

    def languages(self) -> list[str]:
        """The languages of the articles there are."""
        with self.database.reading() as session:
            return languages(session)

    def articles_by_source(self) -> dict[int, int]:
        """How many articles each source has brought."""
        with self.database.reading() as session:
            return dict(session.all("SELECT source, count(*) FROM article_source GROUP BY source"))

    def item_counts(self) -> dict[int, ItemCounts]:
        """Return how many items, articles and teasers each source has brought."""
        counted = "SELECT source, count(*) FROM link_source GROUP BY source"
        teasers = (
            "SELECT s.source, count(*), max(a.id) FROM article a JOIN article_source s ON s.article = a.id"
            " WHERE a.teaser_reason <> '' GROUP BY s.source"
        )
        with self.database.reading() as session:
            items: dict[int, int] = dict(session.all(counted))
            articles: dict[int, int] = dict(session.all(counted.replace("link_source", "article_source")))
            rows = {row[0]: row[1:] for row in session.all(teasers)}
            latest = sorted({article for _, article in rows.values()})
            sql = "SELECT id, teaser_reason FROM article WHERE id IN ({})"
            reasons: dict[int, str] = dict(session.in_all(sql, latest))
        found = {}
        for source in {*items, *articles}:
            number, article = rows.get(source, (0, 0))
            found[source] = ItemCounts(
                *(items.get(source, 0), articles.get(source, 0), number, reasons.get(article, ""))
            )
        return found

    def totals(self) -> Totals:
        """How much there is."""
        with self.database.reading() as session:
            counted: list[Any] = [
                session.value(f"SELECT count(*) FROM {table}")
                for table in ("article", "version", "story WHERE size > 0", "source", "link", "page")
            ]
            counted.append(int(session.value("SELECT coalesce(sum(stored), 0) FROM page")))
            counted.append(session.value("SELECT count(*) FROM article WHERE teaser_reason <> ''"))
        return Totals(*counted)

    def _tally(self, sql: str, *values: int) -> list[NameCount]:
        with self.database.reading() as session:
            return [NameCount(name, number) for name, number in session.all(sql, *values)]


def _any_of(words: Sequence[str]) -> Query:
    return Or(tuple(SearchedWords(word, exact=True) for word in words))


def _around(time: int) -> tuple[datetime, datetime]:
    middle = max(moment(time), moment(0))  # weeks before the year 1 there are none
    return middle - _NEAR, middle + _NEAR


def _reads_of(cursor: str | None) -> tuple[int, int]:
    if cursor is None:
        return 1 << 62, 1 << 62
    reads, _, number = cursor.partition("-")
    return place_of(reads or None), place_of(number or None)


class MuteVerbs(Verbs):
    """Rules, and marking by them."""

    def mutes(self) -> list[Mute]:
        """The rules there are."""
        with self.database.reading() as session:
            return _mutes(session)

    def set_mutes(self, rules: Sequence[Mute]) -> int:
        """Replace all rules; every article is marked anew. How many are muted by a rule now.

        Raises:
            BadQuery: a rule is no query.
        """
        for rule in rules:
            parse(rule.query)

        def work(session: Session) -> int:
            session.run("DELETE FROM mute")
            session.many(
                "INSERT INTO mute (query, reason, until) VALUES (?, ?, ?)",
                [(clean(rule.query), clean(rule.reason), maybe_micros(rule.until)) for rule in rules],
            )
            session.run("UPDATE article SET muted = muted & 2 WHERE muted <> 0")
            return self._mark(session, rules, None)

        return self.database.write(work)

    def lift_mutes(self, at: datetime) -> int:
        """Drop the rules whose time is over; how many there were."""
        kept = [rule for rule in self.mutes() if rule.until is None or rule.until > at]
        dropped = len(self.mutes()) - len(kept)
        if dropped:
            self.set_mutes(kept)
        return dropped

    def mute_fresh(self, session: Session, articles: Sequence[int]) -> None:
        """Mark articles that have just come or changed."""
        fresh = sorted(set(articles))
        if session.value("SELECT count(*) FROM source WHERE muted = 1"):
            session.run_in(
                "UPDATE article SET muted = muted | 2 WHERE EXISTS (SELECT 1 FROM article_source s WHERE s.article ="
                " article.id) AND NOT EXISTS (SELECT 1 FROM article_source s JOIN source o ON o.id = s.source"
                " WHERE s.article = article.id AND o.muted = 0) AND id IN ({})",
                fresh,
            )
            session.run_in(
                "UPDATE article SET muted = muted & 1 WHERE EXISTS (SELECT 1 FROM article_source s JOIN source o"
                " ON o.id = s.source WHERE s.article = article.id AND o.muted = 0) AND id IN ({})",
                fresh,
            )
        rules = _mutes(session)
        if rules:
            session.run_in("UPDATE article SET muted = muted & 2 WHERE muted <> 0 AND id IN ({})", fresh)
            self._mark(session, rules, fresh)

    def _mark(self, session: Session, rules: Sequence[Mute], articles: Sequence[int] | None) -> int:
        for rule in rules:
            chosen = select(self.database, session, parse(rule.query))
            sql = (
                f"UPDATE article SET muted = muted | 1 WHERE id IN (SELECT a.id FROM {chosen.tables}"
                f" WHERE {chosen.where.sql})"
            )
            if articles is None:
                session.run(sql, *chosen.where.values)
            else:
                session.run_in(sql + " AND id IN ({})", articles, *chosen.where.values)
        return int(session.value("SELECT count(*) FROM article WHERE muted & 1 = 1"))


def _mutes(session: Session) -> list[Mute]:
    rows = session.all("SELECT query, reason, until FROM mute ORDER BY id")
    return [Mute(query, reason, maybe_moment(until)) for query, reason, until in rows]


#: A day in the units of the store.
_DAY: Final = 86_400_000_000
#: Of one person; and of the stories that are followed, the newest.
MOST_FOLLOWED: Final = 500
#: Counted in an index; only of those that are wanted the latest article is looked at.
_WRITERS: Final = (
    "SELECT b.author AS author, count(*) AS articles, max(b.place) AS latest, (SELECT count(*) FROM author_follower f"
    " WHERE f.author = b.author) AS followers FROM article_author b"
)
_COLUMNISTS: Final = (
    "SELECT w.author, n.name, w.articles, w.latest, w.followers, a.site, a.site_name FROM ({}) AS w"
    " JOIN article_author n ON n.author = w.author AND n.place = w.latest JOIN article a ON a.id = n.article"
    " ORDER BY w.followers DESC, w.articles DESC, w.author"
)


class ColumnistVerbs(Verbs):
    """Those who write, and who follows them."""

    def columnists(self, *, least: int = 2, limit: int = 100) -> list[Columnist]:
        """Those who write columns, on at least so many days; those with followers first.

        A column is what its outlet calls an opinion. Papers are no people, and neither are agencies.
        """
        most = (
            f"{_WRITERS} JOIN article o ON o.id = b.article WHERE b.author <> '' AND o.topic = 'opinion'"
            f" AND o.agency = '' GROUP BY b.author HAVING count(DISTINCT o.time / {_DAY}) >= ?"
            " ORDER BY followers DESC, articles DESC, b.author LIMIT ?"
        )
        with self.database.reading() as session:
            rows = session.all(_COLUMNISTS.format(most), least, limit)
        return [_columnist(row) for row in rows if not _is_site(row)]

    def columnist(self, name: str) -> Columnist | None:
        """Somebody who writes, by name; None where there is no article of theirs."""
        sql = _COLUMNISTS.format(f"{_WRITERS} WHERE author = ? AND author <> '' GROUP BY author")
        with self.database.reading() as session:
            row = session.one(sql, name_key(name))
        return None if row is None else _columnist(row)

    def follow_columnist(self, name: str, person: str, at: datetime) -> bool:
        """Somebody follows a columnist. False: nobody of that name writes, or they follow too many."""

        def work(session: Session) -> bool:
            written = session.value("SELECT min(name) FROM article_author WHERE author = ?", name_key(name))
            if written is None or not name_key(name):
                return False
            session.run(
                "INSERT INTO author_follower (person, author, name, since) SELECT ?, ?, ?, ? WHERE (SELECT count(*)"
                " FROM author_follower WHERE person = ?) < ? ON CONFLICT (person, author) DO NOTHING",
                *(key(person), name_key(name), clean(written), micros(at), key(person), MOST_FOLLOWED),
            )
            return _is_followed(session, name, person)

        return self.database.write(work)

    def unfollow_columnist(self, name: str, person: str) -> bool:
        """Somebody follows a columnist no more. False: they did not."""
        sql = "DELETE FROM author_follower WHERE person = ? AND author = ?"
        return self.database.write(lambda session: session.run(sql, key(person), name_key(name)) > 0)

    def is_followed_columnist(self, name: str, person: str) -> bool:
        """Whether somebody follows a columnist."""
        with self.database.reading() as session:
            return _is_followed(session, name, person)

    def followed_columnists(self, person: str) -> list[Columnist]:
        """The columnists that somebody follows, by name; also those whose articles are gone."""
        with self.database.reading() as session:
            kept = session.all("SELECT author, name, since FROM author_follower WHERE person = ?", key(person))
            sql = _COLUMNISTS.format(f"{_WRITERS} WHERE author IN ({{}}) GROUP BY author")
            writing = {row[0]: _columnist(row) for row in session.in_all(sql, [row[0] for row in kept])}
        found = [writing.get(author) or Columnist(name, 0, None, 1) for author, name, _ in kept]
        return sorted(found, key=lambda one: name_key(one.name))

    def followed_news(self, person: str, *, limit: int = 20, after: str | None = None) -> Listed[ArticleHeadline]:
        """The latest articles of the stories and columnists that somebody follows."""
        with self.database.reading() as session:
            authors = session.all("SELECT author FROM author_follower WHERE person = ?", key(person))
            stories = session.all(
                "SELECT f.story FROM follower f JOIN story s ON s.id = f.story WHERE f.person = ?"
                " ORDER BY s.place DESC LIMIT ?",
                *(key(person), MOST_FOLLOWED),
            )
            by = "article_author w JOIN article a ON a.id = w.article"
            leads = [Lead(by, "w.place", "a.muted = 0 AND w.author = ?", (author,)) for (author,) in authors]
            leads += [Lead("article a", "a.place", "a.muted = 0 AND a.story = ?", (story,)) for (story,) in stories]
            return listed(session, leads, after, limit)


def _is_followed(session: Session, name: str, person: str) -> bool:
    sql = "SELECT 1 FROM author_follower WHERE person = ? AND author = ?"
    return session.value(sql, key(person), name_key(name)) is not None


def _is_site(row: Row) -> bool:
    """Whether what signs an article is the paper itself: all its words are in the paper's name."""
    return set(row[0].split()) <= set(name_key(row[6]).split())


def _columnist(row: Row) -> Columnist:
    _, name, articles, latest, followers, site, _ = row
    return Columnist(name, articles, place_moment(latest), int(followers), site)


def _similarity(one: Counter[str], other: Counter[str]) -> float:
    """Return the cosine of two bags of words; 0 if they share fewer than two words."""
    shared = one.keys() & other.keys()
    if len(shared) < _SHARED_TERMS:
        return 0.0
    lengths = math.sqrt(sum(count**2 for count in one.values()) * sum(count**2 for count in other.values()))
    return sum(one[term] * other[term] for term in shared) / lengths
