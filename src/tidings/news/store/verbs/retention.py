"""What goes: by age, by number, by size. Never what somebody saved, nor the members of a story somebody follows.

A link stays when its article goes, marked as forgotten, so that a feed that still shows it does not bring it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from tidings.news.store.base import Verbs
from tidings.news.store.clock import micros, places
from tidings.news.store.database import Session, Value, chunks
from tidings.news.store.records_of_articles import Removed, Retention
from tidings.news.store.records_of_work import ItemKind, LinkState
from tidings.news.store.verbs.quarantine_rows import forget_items
from tidings.news.store.verbs.stories import refresh_stories

#: Articles in one transaction, so that nobody waits long.
_AT_ONCE = 500
_FREE = (
    "NOT EXISTS (SELECT 1 FROM saved WHERE saved.article = a.id)"
    " AND NOT EXISTS (SELECT 1 FROM follower WHERE follower.story = a.story)"
)


class RetentionVerbs(Verbs):
    """Removing."""

    def retain(self, policy: Retention, at: datetime) -> Removed:
        """Remove what a policy does not keep."""
        with self.database.reading() as session:
            articles = sorted(_old(session, policy, at) | _surplus(session, policy))
            versions = _versions(session, policy)
        gone = self.remove_articles(articles)
        self._delete("version", "id", versions)
        with self.database.reading() as session:
            pages = _pages(session, policy, at)
        self._delete("page", "hash", pages)
        return Removed(gone, len(versions), len(pages), self._forget_links(policy, at))

    def remove_articles(self, articles: Sequence[int]) -> int:
        """Remove articles with all their versions; their links are not fetched again. How many there were."""
        return sum(self.database.write(partial(self._remove, part=part)) for part in chunks(articles, _AT_ONCE))

    def _remove(self, session: Session, part: Sequence[int]) -> int:
        stories = session.in_all("SELECT DISTINCT story FROM article WHERE story IS NOT NULL AND id IN ({})", part)
        self.database.unindex(session, part)
        session.run_in("UPDATE link SET article = NULL, state = ? WHERE article IN ({})", part, LinkState.FORGOTTEN)
        removed = session.run_in("DELETE FROM article WHERE id IN ({})", part)
        forget_items(session, ItemKind.ARTICLE, part)
        refresh_stories(session, {row[0] for row in stories})
        return removed

    def _delete(self, table: str, column: str, names: Sequence[Value]) -> None:
        sql = f"DELETE FROM {table} WHERE {column} IN ({{}})"
        for part in chunks(names, _AT_ONCE):
            self.database.write(partial(Session.run_in, sql=sql, wanted=part))

    def _forget_links(self, policy: Retention, at: datetime) -> int:
        if policy.links_for is None:
            return 0
        sql = "DELETE FROM link WHERE article IS NULL AND state <> ? AND last_seen < ? RETURNING id"
        before = micros(at - policy.links_for)

        def work(session: Session) -> int:
            gone = [row[0] for row in session.all(sql, LinkState.WAITING, before)]
            forget_items(session, ItemKind.LINK, gone)
            return len(gone)

        return self.database.write(work)


def _old(session: Session, policy: Retention, at: datetime) -> set[int]:
    if policy.articles_for is None:
        return set()
    first, _ = places(at - policy.articles_for, None)
    return {row[0] for row in session.all(f"SELECT a.id FROM article a WHERE a.place < ? AND {_FREE}", first)}


def _surplus(session: Session, policy: Retention) -> set[int]:
    """Articles that are beyond the number in each of their sources."""
    if policy.articles_per_source is None:
        return set()
    ranked = "SELECT article, ROW_NUMBER() OVER (PARTITION BY source ORDER BY place DESC) AS rank FROM article_source"
    sql = (
        f"SELECT a.id FROM article a JOIN (SELECT article, min(rank) AS best FROM ({ranked}) AS r GROUP BY article)"
        f" AS b ON b.article = a.id WHERE b.best > ? AND {_FREE}"
    )
    return {row[0] for row in session.all(sql, policy.articles_per_source)}


def _versions(session: Session, policy: Retention) -> list[int]:
    """Versions that are neither the first, nor the current one, nor among the latest."""
    if policy.versions_per_article is None:
        return []
    sql = (
        "SELECT v.id FROM version v JOIN article a ON a.id = v.article WHERE v.number > 1 AND v.id <> a.current"
        " AND v.number <= a.versions - ?"
    )
    return [row[0] for row in session.all(sql, policy.versions_per_article)]


def _pages(session: Session, policy: Retention, at: datetime) -> list[str]:
    """The oldest pages, until what is left fits."""
    before = None if policy.pages_for is None else micros(at - policy.pages_for)
    total = int(session.value("SELECT coalesce(sum(stored), 0) FROM page"))
    found: list[str] = []
    for name, fetched, stored in session.each("SELECT hash, fetched, stored FROM page ORDER BY fetched, hash"):
        too_old = before is not None and fetched < before
        too_much = policy.pages_bytes is not None and total > policy.pages_bytes
        if not too_old and not too_much:
            break
        found.append(name)
        total -= stored
    return found
