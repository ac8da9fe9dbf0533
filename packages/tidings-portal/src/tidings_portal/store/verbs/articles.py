"""Store methods for articles and their versions. A version never changes; the article points to its current version.

Finishing a task and storing its article are one transaction. After kill -9 a task is either still queued, or finished
with its article stored: nothing is lost or stored twice (HOSTILE 27).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tidings.errors import StoreDamaged
from tidings_portal.store.codec import WORDS_VERSION, article_of, indexed
from tidings_portal.store.database import Row, Session, is_possible, key, possible
from tidings_portal.store.quarantine import ItemName, Quarantine, article_name, reason_of
from tidings_portal.store.records_of_articles import (
    ArticleHeadline,
    Fate,
    Finished,
    KeptArticle,
    NewArticle,
    SavedArticle,
)
from tidings_portal.store.records_of_work import ItemKind, LinkState, SeenLink, Stage, moment
from tidings_portal.store.verbs.links import add_retry, end_links, insert_link, leave_queue, lift, own_keys
from tidings_portal.store.verbs.lists import MuteVerbs
from tidings_portal.store.verbs.quarantine import QuarantineVerbs
from tidings_portal.store.verbs.stories import COLUMNS, WIDTH, headlines
from tidings_portal.store.verbs.write_articles import ArticleBatch, Prepared


class ArticleVerbs(MuteVerbs, QuarantineVerbs):
    """Store methods for writing and reading articles."""

    def finish(self, done: Sequence[Finished]) -> list[SavedArticle]:
        """Finish page tasks, and store their articles, if any, in one transaction.

        A task is LOST if its lease ran out and another worker has it. Nothing is written for it.
        """
        prepared = [None if finished.found is None else Prepared(finished.found) for finished in done]

        def work(session: Session) -> list[SavedArticle]:
            mine = leave_queue(session, [finished.task for finished in done], self.database.locked)
            lift(session, Stage.READING, [str(link) for link in mine])
            links = {
                finished.task.link.id
                for finished in done
                if finished.found is not None and finished.task.link.id in mine
            }
            batch = ArticleBatch(self, session, sorted(links))
            results: list[SavedArticle] = []
            skipped: list[tuple[LinkState, str, int | None, int]] = []
            for finished, ready in zip(done, prepared, strict=True):
                link = finished.task.link
                if mine.get(link.id) != finished.task.lease:
                    results.append(SavedArticle(Fate.LOST))
                    continue
                del mine[link.id]
                if ready is None:
                    skipped.append((LinkState.SKIPPED, finished.reason, None, link.id))
                    results.append(SavedArticle(Fate.SKIPPED, link.article))
                else:
                    results.append(batch.keep(link.id, ready, link.seen.keys))
            end_links(session, skipped)
            batch.close()
            for finished, saved in zip(done, results, strict=True):
                if saved.fate is Fate.LOST:
                    continue
                if finished.found is not None and finished.found.teaser_reason:
                    end_links(session, [(LinkState.DONE, finished.reason, None, finished.task.link.id)])
                if finished.retry_at is not None:
                    add_retry(session, finished.task, finished.reason, finished.retry_at)
            return results

        return self.database.write(work)

    def keep(self, articles: Sequence[NewArticle]) -> list[SavedArticle]:
        """Store articles that did not come through the fetch queue, such as those of a file or an import."""
        prepared = [Prepared(article) for article in articles]

        def work(session: Session) -> list[SavedArticle]:
            links = [_link_for(session, ready) for ready in prepared]
            batch = ArticleBatch(self, session, links)
            results = [batch.keep(link, ready) for link, ready in zip(links, prepared, strict=True)]
            batch.close()
            return results

        return self.database.write(work)

    def article(self, number: int, version: int | None = None) -> KeptArticle | None:
        """Return an article in its current version, or in a given one.

        Raises:
            StoreDamaged: its stored bytes are damaged.
        """
        if not is_possible(number) or (version is not None and not is_possible(version)):
            return None
        which = "v.id = a.current" if version is None else "v.article = a.id AND v.number = ?"
        with self.database.reading() as session:
            rows = _rows(session, which, *(() if version is None else (version,)), number)
        return _read(*rows[0]) if rows else None

    def articles_by_number(self, numbers: Sequence[int]) -> list[KeptArticle]:
        """Return the current versions of articles, in the given order. Damaged articles are quarantined."""
        with self.database.reading() as session:
            rows = _rows(session, "v.id = a.current", *possible(numbers))
        by_number = {article.headline.id: article for article in self._readable(rows)}
        return [by_number[number] for number in numbers if number in by_number]

    def article_for(self, name: str) -> int | None:
        """Return the number of the article whose link has a key (such as a canonical URL or GUID), or None."""
        with self.database.reading() as session:
            number: int | None = session.value(
                "SELECT l.article FROM link_key k JOIN link l ON l.id = k.link WHERE k.name = ?", key(name)
            )
        return number

    def versions(self, number: int) -> list[KeptArticle]:
        """Return all versions of an article, first one first. Damaged ones are left out."""
        if not is_possible(number):
            return []
        with self.database.reading() as session:
            rows = _rows(session, "v.article = a.id", number)
        return list(self._readable(rows))

    def each_article(self, after: int = 0, *, all_versions: bool = False) -> Iterator[KeptArticle]:
        """Yield all articles by number, read a few at a time so that exports do not block other work.

        Damaged articles are left out and quarantined.

        Args:
            after: begin after this number.
            all_versions: yield every version, not only the current one.
        """
        which = "v.article = a.id" if all_versions else "v.id = a.current"
        while True:
            with self.database.reading() as session:
                numbers = session.all("SELECT id FROM article WHERE id > ? ORDER BY id LIMIT 200", after)
                rows = _rows(session, which, *(row[0] for row in numbers))
            if not numbers:
                return
            yield from self._readable(rows)
            after = numbers[-1][0]

    def index_again(self, number: int) -> bool:
        """Write an article to the search index again; return False if it does not exist or has no readable words."""
        article = self.article(number)
        if article is None:
            return False
        words = indexed(article.article)

        def work(session: Session) -> bool:
            place = session.value("SELECT place FROM article WHERE id = ?", number)
            if place is None:
                return False
            self.database.unindex(session, [number])
            self.database.index(session, [(number, place, words)])
            self.mute_fresh(session, [number])
            lift(session, Stage.SEARCH, [str(number)])
            return True

        return self.database.write(work)

    def index_older(self, most: int = 200) -> int:
        """Rewrite some search index entries that an older version of Tidings wrote; return their number.

        The setting `words` holds the version of the index and the highest article left to index.
        """
        with self.database.reading() as session:
            state = session.value("SELECT value FROM setting WHERE name = 'words'") or ""
            version, _, pending = state.partition(" ")
            newest = session.value("SELECT max(id) FROM article") or 0
            last = int(pending) if version == WORDS_VERSION and pending.isdigit() else int(newest)
            rows = session.all("SELECT id FROM article WHERE id <= ? ORDER BY id DESC LIMIT ?", last, most)
        numbers = [int(row[0]) for row in rows]
        names = {number: ItemName(ItemKind.ARTICLE, str(number)) for number in numbers}
        for _ in Quarantine(self, Stage.SEARCH).each(numbers, self.index_again, names.__getitem__):
            pass  # an article that cannot be indexed is quarantined
        highest = numbers[-1] - 1 if len(numbers) == most else 0
        if f"{WORDS_VERSION} {highest}" != state:
            self.database.write(
                lambda session: session.run(
                    "INSERT INTO setting (name, value) VALUES ('words', ?) ON CONFLICT (name) DO UPDATE SET value ="
                    " excluded.value",
                    f"{WORDS_VERSION} {highest}",
                )
            )
        return len(numbers)

    def _readable(self, rows: Iterable[tuple[ArticleHeadline, Row]]) -> Iterator[KeptArticle]:
        """Yield readable articles, and quarantine damaged ones."""
        for headline, row in rows:
            try:
                article = _read(headline, row)
            except StoreDamaged as error:
                self._unreadable(headline, error)
            else:
                yield article

    def _unreadable(self, headline: ArticleHeadline, error: StoreDamaged) -> None:
        aside = Quarantine(self, Stage.STORE)
        if not aside.is_out(article_name(headline)):  # do not rewrite the entry at every read
            aside.add(article_name(headline), error)


def _link_for(session: Session, ready: Prepared) -> int:
    """Return the stored link that shares a key with an article from outside the fetch queue, or create one."""
    new = ready.new
    keys = new.keys or tuple(filter(None, (new.article.canonical, new.article.url))) or (f"article:{ready.hash}",)
    names = [key(name) for name in keys]
    rows: dict[str, int] = dict(session.in_all("SELECT name, link FROM link_key WHERE name IN ({})", names))
    mine = next((rows[name] for name in names if name in rows), None)
    if mine is not None:
        return mine
    link = SeenLink(new.article.url or new.article.canonical, tuple(names), new.article.title)
    mine = insert_link(session, link, new.at, LinkState.WAITING)
    duplicates = own_keys(session, mine, names)
    if duplicates:  # another writer was faster
        session.run("DELETE FROM link WHERE id = ?", mine)
        return duplicates[0]
    return mine


def _rows(session: Session, which: str, *values: int) -> list[tuple[ArticleHeadline, Row]]:
    """Return article versions as rows with their headlines. The last values are article numbers."""
    before = values[:1] if "?" in which else ()
    rows = session.in_all(
        f"SELECT {COLUMNS}, v.number, v.maker, v.extracted, v.page, v.body FROM article a JOIN version v ON {which}"
        " WHERE a.id IN ({}) ORDER BY a.id, v.number",
        values[len(before) :],
        *before,
    )
    return list(zip(headlines(session, rows), rows, strict=True))


def _read(headline: ArticleHeadline, row: Row) -> KeptArticle:
    """Return a version of an article.

    Raises:
        StoreDamaged: its stored bytes are damaged.
    """
    number, maker, extracted, page, body = row[WIDTH:]
    try:
        article = article_of(body)
    except Exception as error:  # damaged bytes may raise any exception
        why = reason_of(error.__cause__ or error)
        raise StoreDamaged(
            f"version {number} of article {headline.id} cannot be read any more ({why}); restore a copy of the store,"
            " or remove the article"
        ) from error
    return KeptArticle(headline, article, number, maker, moment(extracted), page or "")
