"""Store methods for article lists, mute rules and columnists.

Mute rules are queries; sources can be muted too. An article's mark is 1 if a rule mutes it, 2 if all its sources are
muted, and 3 for both. It is a column of the article, so that lists stay fast.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from tidings.text import stop_words
from tidings.text.terms import terms
from tidings_portal.store.database import Row, Session, Verbs, clean, is_possible, key, place_of, spoken_in
from tidings_portal.store.query import Or, Query, SearchedWords, parse
from tidings_portal.store.records_of_articles import ArticleHeadline, ItemCounts, Listed, Mute, NameCount, Only, Totals
from tidings_portal.store.records_of_people import Columnist
from tidings_portal.store.records_of_work import maybe_micros, maybe_moment, micros, moment, place_moment, places
from tidings_portal.store.search_words import search_words
from tidings_portal.store.selection import name_key
from tidings_portal.store.verbs.read_articles import Lead, languages, listed, score, select
from tidings_portal.store.verbs.stories import COLUMNS, WIDTH, headlines

#: Similar articles are near in time.
_NEAR = timedelta(days=30)
_ALIKE_WORDS = 8
#: Candidates compared per similar article.
_CANDIDATES = 6
#: The least cosine of the words of title and summary of two similar articles, and the least number of shared words.
_LEAST_SIMILAR, _SHARED_TERMS = 0.18, 2
#: The maximum number of articles with one of the compared words. A word that is everywhere says little.
_ALIKE_ARTICLES = 1000


#: The newest articles of each site that are read, by the index of sites. Reading all 100,000 takes a third of a second.
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
    """Store methods for paginated lists and counts of articles."""

    def articles(
        self, only: Only | None = None, *, limit: int = 20, after: str | None = None
    ) -> Listed[ArticleHeadline]:
        """Return the latest articles, filtered by `only`. Pass the cursor of a list as `after` for the next page."""
        selection = only or Only()
        with self.database.reading() as session:
            chosen = select(self.database, session, selection.query, selection)
            rows = session.all(
                f"SELECT {COLUMNS} FROM {chosen.tables} WHERE {chosen.where.sql} AND {chosen.place} < ?"
                f" ORDER BY {chosen.place} DESC LIMIT ?",
                *chosen.where.values,
                *(place_of(after), limit + 1),
            )
            articles = headlines(session, rows[:limit])
        return Listed(tuple(articles), str(rows[limit - 1][WIDTH - 1]) if limit and len(rows) > limit else None)

    def most_read(
        self,
        since: datetime,
        *,
        language: str | Sequence[str] | None = None,
        limit: int = 20,
        after: str | None = None,
    ) -> Listed[ArticleHeadline]:
        """Return the most read articles since a day, in all languages or in some."""
        reads, number = _reads_of(after)
        none: tuple[str, tuple[str, ...]] = ("", ())
        sql, values = none if language is None else spoken_in("language", language)
        spoken = f" AND article IN (SELECT id FROM article WHERE {sql})" if sql else ""
        day = micros(since) // (24 * 3600 * 1_000_000)
        with self.database.reading() as session:
            # Select the most read first, so that the columns of lists are read for those alone.
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
            articles = headlines(session, rows[:limit])
        more = limit and len(rows) > limit
        return Listed(tuple(articles), f"{int(rows[limit - 1][WIDTH])}-{rows[limit - 1][0]}" if more else None)

    def similar(self, article: int, *, limit: int = 6) -> list[ArticleHeadline]:
        """Return articles of the same weeks on the same subject, most similar first, except those of its own story.

        Candidates share a rare word with the title. They count only if title and summary are similar enough.
        """
        if not is_possible(article):
            return []
        with self.database.reading() as session:
            row = session.first("SELECT title, summary, language, time, story FROM article WHERE id = ?", article)
            if row is None:
                return []
            title, summary, language, time, story = row
            stopped = {token for word in stop_words(language) for token in search_words(word)}
            tokens = dict.fromkeys(token for token in search_words(title) if token not in stopped and len(token) > 1)
            first, last = places(*_nearby(time))
            same_language = Only(language=language)
            longest = sorted(tokens, key=lambda token: -len(token))[:_ALIKE_WORDS]
            words = self._rarest(session, longest, (first or 0, last or 0))
            if not words:
                return []
            chosen = select(self.database, session, _any_of(words), same_language)
            ranked, values = score(self.database, chosen)
            rows = session.all(
                f"SELECT {COLUMNS}, {ranked} AS score FROM {chosen.tables} WHERE {chosen.where.sql}"
                f" AND {chosen.place} BETWEEN ? AND ? AND a.id <> ? AND (a.story IS NULL OR a.story <> ?)"
                " ORDER BY score DESC LIMIT ?",
                *(*values, *chosen.where.values, first, last, article, story or 0, limit * _CANDIDATES),
            )
            candidates = headlines(session, rows)
        own = Counter(terms(f"{title}\n{summary}", language))
        near = [
            (_similarity(own, Counter(terms(f"{candidate.title}\n{candidate.summary}", language))), candidate)
            for candidate in candidates
        ]
        near = sorted((pair for pair in near if pair[0] >= _LEAST_SIMILAR), key=lambda pair: -pair[0])
        return [candidate for _, candidate in near[:limit]]

    def _rarest(self, session: Session, words: Sequence[str], between: tuple[int, int]) -> list[str]:
        """Return the rarest of some words in a time range: as many as together have few enough articles to compare.

        Args:
            session: the transaction.
            words: the words of a title.
            between: the first and last place (sort key of lists) of the time range.
        """
        counted = []
        for word in words:
            chosen = select(self.database, session, _any_of([word]), Only(muted=True))
            if chosen.alone is not None:  # SQLite reads them in the order of time, and can stop
                number: int = session.value(
                    f"SELECT count(*) FROM (SELECT 1 FROM words w WHERE {chosen.alone.sql}"
                    f" AND {chosen.place} BETWEEN ? AND ? LIMIT ?) AS found",
                    *(*chosen.alone.values, *between, _ALIKE_ARTICLES),
                )
            else:  # PostgreSQL counts in the index of words; any other condition is slow
                sql = f"SELECT count(*) FROM article_words w WHERE {chosen.where.sql}"
                number = session.value(sql, *chosen.where.values)
            counted.append((number, word))
        rarest: list[str] = []
        together = 0
        for number, word in sorted(counted):
            together += number
            if rarest and together > _ALIKE_ARTICLES:
                break
            rarest.append(word)
        return rarest

    def categories(self) -> list[NameCount]:
        """Return the categories and their numbers of articles, largest first."""
        sql = (
            "SELECT (SELECT category FROM article a WHERE a.category_key = k.category_key ORDER BY a.place LIMIT 1),"
            " number FROM (SELECT category_key, count(*) AS number FROM article WHERE category_key <> ''"
            " GROUP BY category_key) AS k ORDER BY number DESC, category_key"
        )
        return self._tally(sql)

    def authors(self, *, limit: int = 100) -> list[NameCount]:
        """Return the authors with the most articles."""
        sql = (
            "SELECT min(name), count(*) FROM article_author WHERE author <> '' GROUP BY author"
            " ORDER BY count(*) DESC, author LIMIT ?"
        )
        return self._tally(sql, limit)

    def sites(self, *, limit: int = 100) -> list[NameCount]:
        """Return the hosts with the most articles."""
        return self._tally(
            "SELECT site, count(*) FROM article GROUP BY site ORDER BY count(*) DESC, site LIMIT ?", limit
        )

    def site_names(self) -> dict[str, str]:
        """Return the name of each site that most of its newest articles declare, unless it looks like a host name."""
        names: dict[str, tuple[int, str]] = {}
        with self.database.reading() as session:
            for site, name, count in session.all(_SITE_NAMES, _NEWEST - 1):
                if "." not in name.strip(" .") or " " in name.strip() or name != name.lower():
                    names[site] = max(names.get(site, (0, "")), (count, name))
        return {site: name for site, (_, name) in names.items()}

    def languages(self) -> list[str]:
        """Return the languages of the stored articles."""
        with self.database.reading() as session:
            return languages(session)

    def articles_by_source(self) -> dict[int, int]:
        """Return the number of articles of each source."""
        with self.database.reading() as session:
            return dict(session.all("SELECT source, count(*) FROM article_source GROUP BY source"))

    def item_counts(self) -> dict[int, ItemCounts]:
        """Return the numbers of items, articles and teasers of each source."""
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
        item_counts = {}
        for source in {*items, *articles}:
            number, article = rows.get(source, (0, 0))
            item_counts[source] = ItemCounts(
                *(items.get(source, 0), articles.get(source, 0), number, reasons.get(article, ""))
            )
        return item_counts

    def totals(self) -> Totals:
        """Return the totals of the whole store."""
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


def _nearby(time: int) -> tuple[datetime, datetime]:
    middle = max(moment(time), moment(0))  # there are no weeks before the year 1
    return middle - _NEAR, middle + _NEAR


def _reads_of(cursor: str | None) -> tuple[int, int]:
    if cursor is None:
        return 1 << 62, 1 << 62
    reads, _, number = cursor.partition("-")
    return place_of(reads or None), place_of(number or None)


class MuteVerbs(Verbs):
    """Store methods for mute rules."""

    def mutes(self) -> list[Mute]:
        """Return the mute rules."""
        with self.database.reading() as session:
            return _mutes(session)

    def set_mutes(self, rules: Sequence[Mute]) -> int:
        """Replace all mute rules and mark every article again; return the number of articles muted by a rule.

        Raises:
            BadQuery: the query of a rule is invalid.
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
        """Delete expired mute rules; return their number."""
        remaining = [rule for rule in self.mutes() if rule.until is None or rule.until > at]
        dropped = len(self.mutes()) - len(remaining)
        if dropped:
            self.set_mutes(remaining)
        return dropped

    def mute_fresh(self, session: Session, articles: Sequence[int]) -> None:
        """Mark new or changed articles that a mute rule matches as muted."""
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
#: Per user; of followed stories, the newest count.
MOST_FOLLOWED: Final = 500
#: Counted in an index. The latest article is read only for the selected authors.
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
    """Store methods for columnists and their followers."""

    def columnists(self, *, least: int = 2, limit: int = 100) -> list[Columnist]:
        """Return authors with opinion articles on at least `least` days, followed ones first.

        An opinion article is one that its outlet declares as such. Bylines of papers and agencies are left out.
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
        """Return a columnist by name, or None if no article has that author."""
        sql = _COLUMNISTS.format(f"{_WRITERS} WHERE author = ? AND author <> '' GROUP BY author")
        with self.database.reading() as session:
            row = session.first(sql, name_key(name))
        return None if row is None else _columnist(row)

    def follow_columnist(self, name: str, person: str, at: datetime) -> bool:
        """Follow a columnist; return False if there is none of that name, or the user follows too many."""

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
        """Unfollow a columnist; return False if the user did not follow them."""
        sql = "DELETE FROM author_follower WHERE person = ? AND author = ?"
        return self.database.write(lambda session: session.run(sql, key(person), name_key(name)) > 0)

    def is_followed_columnist(self, name: str, person: str) -> bool:
        """Return whether the user follows a columnist."""
        with self.database.reading() as session:
            return _is_followed(session, name, person)

    def followed_columnists(self, person: str) -> list[Columnist]:
        """Return the columnists that the user follows, by name, including those whose articles were deleted."""
        with self.database.reading() as session:
            followed = session.all("SELECT author, name, since FROM author_follower WHERE person = ?", key(person))
            sql = _COLUMNISTS.format(f"{_WRITERS} WHERE author IN ({{}}) GROUP BY author")
            writing = {row[0]: _columnist(row) for row in session.in_all(sql, [row[0] for row in followed])}
        columnists = [writing.get(author) or Columnist(name, 0, None, 1) for author, name, _ in followed]
        return sorted(columnists, key=lambda columnist: name_key(columnist.name))

    def followed_news(self, person: str, *, limit: int = 20, after: str | None = None) -> Listed[ArticleHeadline]:
        """Return the latest articles of the stories and columnists that the user follows."""
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
    """Return whether a byline names the paper itself: all its words are in the site's name."""
    return set(row[0].split()) <= set(name_key(row[6]).split())


def _columnist(row: Row) -> Columnist:
    _, name, articles, latest, followers, site, _ = row
    return Columnist(name, articles, place_moment(latest), int(followers), site)


def _similarity(first: Counter[str], second: Counter[str]) -> float:
    """Return the cosine of two bags of words; 0 if they share fewer than two words."""
    shared = first.keys() & second.keys()
    if len(shared) < _SHARED_TERMS:
        return 0.0
    lengths = math.sqrt(sum(count**2 for count in first.values()) * sum(count**2 for count in second.values()))
    return sum(first[term] * second[term] for term in shared) / lengths
