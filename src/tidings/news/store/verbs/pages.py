"""Pages as they were sent, each once, compressed: so that better rules can be tried on the past."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from tidings.errors import StoreDamaged
from tidings.news.store.base import Verbs, clean, key, known
from tidings.news.store.clock import micros, moment
from tidings.news.store.codec import digest, pack, unpack
from tidings.news.store.database import Row, Session
from tidings.news.store.quarantine import LOG
from tidings.news.store.records_of_articles import RawPage


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page by its digest, and the articles that were taken from it."""

    hash: str
    page: RawPage
    articles: tuple[int, ...] = ()


class PageVerbs(Verbs):
    """Reading pages back."""

    def page(self, name: str) -> KeptPage | None:
        """A page by its digest."""
        with self.database.reading() as session:
            return _page(session, key(name))

    def page_of(self, article: int) -> KeptPage | None:
        """The page that an article's current version came from, where it is still kept."""
        if not known(article):
            return None
        with self.database.reading() as session:
            name = session.value(
                "SELECT v.page FROM article a JOIN version v ON v.id = a.current WHERE a.id = ?", article
            )
            return None if name is None else _page(session, name)

    def each_page(self, since: datetime | None = None) -> Iterator[KeptPage]:
        """All pages in the order they were fetched, one at a time; those that cannot be read any more are left out."""
        at, after = 0 if since is None else micros(since), ""
        while True:
            with self.database.reading() as session:
                row = session.one(
                    "SELECT fetched, hash FROM page WHERE (fetched, hash) > (?, ?) ORDER BY fetched, hash LIMIT 1",
                    *(at, after),
                )
            if row is None:
                return
            at, after = row
            try:
                found = self.page(after)
            except StoreDamaged as error:
                LOG.warning("page %s is left out: %s", after, error)
                continue
            if found is not None:
                yield found


def page_row(page: RawPage) -> Row:
    """A page as a row, its digest first."""
    packed = pack(page.content)
    return (
        *(digest(page.content), clean(page.address), micros(page.fetched), clean(page.content_type)),
        *(len(page.content), len(packed), packed),
    )


def keep_pages(session: Session, rows: Sequence[Row]) -> None:
    """Keep pages; of one that is kept already, when it was last fetched."""
    session.many(
        "INSERT INTO page (hash, address, fetched, content_type, size, stored, content) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (hash) DO UPDATE SET fetched = excluded.fetched",
        rows,
    )


def _page(session: Session, name: str) -> KeptPage | None:
    row = session.one("SELECT address, fetched, content_type, content FROM page WHERE hash = ?", name)
    if row is None:
        return None
    told = session.all("SELECT DISTINCT article FROM version WHERE page = ? ORDER BY article", name)
    page = RawPage(row[0], unpack(row[3]), moment(row[1]), row[2])
    return KeptPage(name, page, tuple(one[0] for one in told))
