"""Columnists: those who write, as people one can follow (N-EXT thesis, chapter 7)."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from tidings.news.store.base import Verbs, clean, key
from tidings.news.store.clock import micros, place_moment
from tidings.news.store.database import Row, Session
from tidings.news.store.records_of_articles import ArticleHeadline, Listed
from tidings.news.store.records_of_people import Columnist
from tidings.news.store.selection import name_key
from tidings.news.store.verbs.newest_articles import Lead, listed

#: Of one person; and of the stories that are followed, the newest.
MOST_FOLLOWED: Final = 500
#: Counted in an index; only of those that are wanted the latest article is looked at.
_WRITERS: Final = (
    "SELECT author, count(*) AS articles, max(place) AS latest, (SELECT count(*) FROM author_follower f"
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
        """Those who have written most, at least so many articles; those with followers first. Papers are no people."""
        most = (
            f"{_WRITERS} WHERE author <> '' GROUP BY author HAVING count(*) >= ?"
            " ORDER BY followers DESC, articles DESC, author LIMIT ?"
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
