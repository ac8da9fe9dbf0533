"""Articles: kept once, in versions. A version is written and never changed; the current one is a pointer.

Finishing a task and keeping its article are one transaction, so that after kill -9 a task is either still to do or
done with its article there: nothing is lost and nothing is twice (HOSTILE 27).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from tidings.article import Article
from tidings.store.clock import micros, moment, place, sort_micros, told_micros
from tidings.store.database import Session
from tidings.store.indexed import Indexed, indexed
from tidings.store.packing import article_bytes, article_of, digest, pack
from tidings.store.records_of_articles import Fate, Finished, KeptArticle, NewArticle, Saved
from tidings.store.records_of_work import LinkState, SeenLink
from tidings.store.selection import name_key
from tidings.store.verbs.base import clean, host, key, known, possible
from tidings.store.verbs.headlines import COLUMNS, WIDTH, headlines
from tidings.store.verbs.links import end_link, insert_link, own_keys
from tidings.store.verbs.mutes import MuteVerbs
from tidings.store.verbs.pages import keep_page
from tidings.store.verbs.stories import refresh_stories
from tidings.text import base_language

#: Of a summary in a list.
_SUMMARY = 600


class ArticleVerbs(MuteVerbs):
    """Keeping articles and reading them back."""

    def finish(self, done: Sequence[Finished]) -> list[Saved]:
        """Tasks that are done: each leaves the queue and its article, if there is one, is kept; all in one step.

        A task that is the worker's no more is LOST: its lease ran out and somebody else has it. Nothing is written.
        """
        prepared = [None if one.found is None else _Prepared(one.found) for one in done]

        def work(session: Session) -> list[Saved]:
            batch = _Batch(self, session)
            found: list[Saved] = []
            for one, ready in zip(done, prepared, strict=True):
                task = one.task
                mine = (task.link.id, task.worker, task.lease)
                if not session.run("DELETE FROM task WHERE link = ? AND worker = ? AND lease = ?", *mine):
                    found.append(Saved(Fate.LOST))
                elif ready is None:
                    end_link(session, task.link.id, LinkState.SKIPPED, one.reason)
                    found.append(Saved(Fate.SKIPPED, task.link.article))
                else:
                    found.append(batch.keep(task.link.id, ready))
            batch.close()
            return found

        return self.database.write(work)

    def keep(self, articles: Sequence[NewArticle]) -> list[Saved]:
        """Articles that came some other way than through the queue: from a file, an import, a reader's wish."""
        prepared = [_Prepared(one) for one in articles]

        def work(session: Session) -> list[Saved]:
            batch = _Batch(self, session)
            found = [batch.keep(_link_for(session, ready), ready) for ready in prepared]
            batch.close()
            return found

        return self.database.write(work)

    def article(self, number: int, version: int | None = None) -> KeptArticle | None:
        """An article: its current version, or one by number."""
        if not known(number) or (version is not None and not known(version)):
            return None
        which = "v.id = a.current" if version is None else "v.article = a.id AND v.number = ?"
        with self.database.reading() as session:
            found = _kept(session, which, *(() if version is None else (version,)), number)
        return found[0] if found else None

    def articles_by_number(self, numbers: Sequence[int]) -> list[KeptArticle]:
        """Current versions of several articles, in the order given; those that are gone are left out."""
        with self.database.reading() as session:
            rows = {kept.headline.id: kept for kept in _kept(session, "v.id = a.current", *possible(numbers))}
        return [rows[number] for number in numbers if number in rows]

    def article_for(self, name: str) -> int | None:
        """The number of the article whose link is known by a key."""
        with self.database.reading() as session:
            found: int | None = session.value(
                "SELECT l.article FROM link_key k JOIN link l ON l.id = k.link WHERE k.name = ?", key(name)
            )
        return found

    def versions(self, number: int) -> list[KeptArticle]:
        """All versions of an article, the first one first."""
        if not known(number):
            return []
        with self.database.reading() as session:
            return _kept(session, "v.article = a.id", number)

    def each_article(self, after: int = 0, *, all_versions: bool = False) -> Iterator[KeptArticle]:
        """All articles in the order of their numbers, for exports: a few at a time, so that nobody is kept waiting.

        Args:
            after: begin behind this number.
            all_versions: every version of each, not the current one alone.
        """
        which = "v.article = a.id" if all_versions else "v.id = a.current"
        while True:
            with self.database.reading() as session:
                rows = session.all("SELECT id FROM article WHERE id > ? ORDER BY id LIMIT 200", after)
                found = _kept(session, which, *(row[0] for row in rows))
            if not rows:
                return
            yield from found
            after = rows[-1][0]


class _Prepared:
    """What of keeping an article can be done before the transaction, while others write."""

    __slots__ = ("body", "hash", "new", "words")

    def __init__(self, new: NewArticle) -> None:
        data = article_bytes(new.article)
        self.new = new
        self.hash = digest(data)
        self.body = pack(data)
        self.words = indexed(new.article)


class _Batch:
    """Articles kept in one transaction; what can be written for all at once is written at the end."""

    def __init__(self, verbs: ArticleVerbs, session: Session) -> None:
        self._verbs = verbs
        self._session = session
        self._words: dict[int, tuple[int, Indexed]] = {}
        self._stories: set[int] = set()
        self._fresh: list[int] = []

    def keep(self, link: int, ready: _Prepared) -> Saved:
        """Keep one article as a link's."""
        session, new = self._session, ready.new
        others = own_keys(session, link, [key(name) for name in new.keys]) if new.keys else []
        known_as: int | None = session.value("SELECT article FROM link WHERE id = ?", link)
        if known_as is None:
            for article in session.in_all("SELECT article FROM link WHERE article IS NOT NULL AND id IN ({})", others):
                end_link(session, link, LinkState.DONE, "the same article as another link's", article[0])
                self._join_sources(link, article[0], new)
                return Saved(Fate.DUPLICATE, article[0])
            return self._first(link, ready)
        return self._further(link, known_as, ready)

    def close(self) -> None:
        """Write the words of all, and mute what is to be muted."""
        session, database = self._session, self._verbs.database
        database.index(session, [(number, at, words) for number, (at, words) in self._words.items()])
        self._verbs.mute_fresh(session, self._fresh)
        refresh_stories(session, self._stories)

    def _first(self, link: int, ready: _Prepared) -> Saved:
        session = self._session
        seen: int = session.value("SELECT first_seen FROM link WHERE id = ?", link)
        first_seen = min(seen, micros(ready.new.at))
        article: int = session.value("INSERT INTO article (first_seen) VALUES (?) RETURNING id", first_seen)
        version = self._write_version(article, 1, ready)
        self._show(link, article, version, 1, first_seen, ready)
        end_link(session, link, LinkState.DONE, article=article)
        self._join_sources(link, article, ready.new)
        return Saved(Fate.NEW, article, 1)

    def _further(self, link: int, article: int, ready: _Prepared) -> Saved:
        session = self._session
        row = session.one(
            "SELECT v.hash, a.versions, a.first_seen, a.story, a.current FROM article a JOIN version v"
            " ON v.id = a.current WHERE a.id = ?",
            article,
        )
        if row is None:  # pragma: no cover  # a link names an article that is there
            return self._first(link, ready)
        current, versions, first_seen, story, pointer = row
        self._join_sources(link, article, ready.new)
        if current == ready.hash:
            if ready.new.page is not None:
                page = keep_page(session, ready.new.page)
                session.run("UPDATE version SET page = ? WHERE id = ?", page, pointer)
            return Saved(Fate.SAME, article, versions)
        version = self._write_version(article, versions + 1, ready)
        if article in self._words:  # twice in one batch
            del self._words[article]
        else:
            self._verbs.database.unindex(session, [article])
        self._show(link, article, version, versions + 1, first_seen, ready)
        if story is not None:
            self._stories.add(story)
        return Saved(Fate.CHANGED, article, versions + 1)

    def _write_version(self, article: int, number: int, ready: _Prepared) -> int:
        new = ready.new
        page = None if new.page is None else keep_page(self._session, new.page)
        found: int = self._session.value(
            "INSERT INTO version (article, number, hash, maker, extracted, page, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " RETURNING id",
            *(article, number, ready.hash, clean(new.maker), micros(new.at), page, ready.body),
        )
        return found

    def _show(self, link: int, article: int, version: int, number: int, first_seen: int, ready: _Prepared) -> None:
        """Make a version the current one: in lists, under its authors, in the index."""
        session, told = self._session, ready.new.article
        time = sort_micros(told.published, first_seen)
        at = place(time, article)
        category = self._category(link, ready.new)
        session.run(
            "UPDATE article SET place = ?, address = ?, site = ?, site_name = ?, title = ?, language = ?,"
            " direction = ?, authors = ?, published = ?, time = ?, category = ?, category_key = ?, summary = ?,"
            " image = ?, kind = ?, word_count = ?, current = ?, versions = ? WHERE id = ?",
            *(at, *_columns(told), told_micros(told.published), time, category, name_key(category)),
            *(clean(told.summary)[:_SUMMARY], _image(told), clean(told.kind), len(told.words)),
            *(version, number, article),
        )
        session.run("DELETE FROM article_author WHERE article = ?", article)
        names = {name_key(name): clean(name) for name in told.authors if name.strip()}
        session.many(
            "INSERT INTO article_author (author, article, place, name) VALUES (?, ?, ?, ?)",
            [(author, article, at, name) for author, name in names.items()],
        )
        session.run("UPDATE article_source SET place = ? WHERE article = ?", at, article)
        self._words[article] = at, ready.words
        self._fresh.append(article)

    def _category(self, link: int, new: NewArticle) -> str:
        if new.category or new.article.section:
            return clean(new.category or new.article.section)
        row = self._session.one(
            "SELECT l.category, o.folder FROM link l LEFT JOIN link_source s ON s.link = l.id LEFT JOIN source o"
            " ON o.id = s.source WHERE l.id = ? ORDER BY s.first_seen, s.source LIMIT 1",
            link,
        )
        return "" if row is None else row[0] or row[1] or ""

    def _join_sources(self, link: int, article: int, new: NewArticle) -> None:
        told = "SELECT ?, a.id, a.place FROM article a WHERE a.id = ? ON CONFLICT (article, source) DO NOTHING"
        shown = self._session.all("SELECT source FROM link_source WHERE link = ? ORDER BY source", link)
        for source in sorted({row[0] for row in shown} | set(new.sources)):
            self._session.run(f"INSERT INTO article_source (source, article, place) {told}", source, article)
        self._fresh.append(article)


def _columns(told: Article) -> tuple[str, ...]:
    address = told.canonical or told.url
    return (
        *(clean(address), host(told.url or address), clean(told.site), clean(told.title)),
        *(key(base_language(told.language)), told.direction, json.dumps([clean(name) for name in told.authors])),
    )


def _image(told: Article) -> str:
    return "" if told.image is None else clean(told.image.src)


def _link_for(session: Session, ready: _Prepared) -> int:
    """The link of an article that did not come through the queue: one that is known by a key, or a new one."""
    new = ready.new
    told = new.keys or tuple(filter(None, (new.article.canonical, new.article.url))) or (f"article:{ready.hash}",)
    names = [key(name) for name in told]
    rows: dict[str, int] = dict(session.in_all("SELECT name, link FROM link_key WHERE name IN ({})", names))
    mine = next((rows[name] for name in names if name in rows), None)
    if mine is not None:
        return mine
    seen = SeenLink(new.article.url or new.article.canonical, tuple(names), new.article.title)
    mine = insert_link(session, seen, new.at, LinkState.WAITING)
    others = own_keys(session, mine, names)
    if others:  # another writer was quicker
        session.run("DELETE FROM link WHERE id = ?", mine)
        return others[0]
    return mine


def _kept(session: Session, which: str, *values: int) -> list[KeptArticle]:
    """Versions of articles, with their headlines. The last values are numbers of articles."""
    before = values[:1] if "?" in which else ()
    rows = session.in_all(
        f"SELECT {COLUMNS}, v.number, v.maker, v.extracted, v.page, v.body FROM article a JOIN version v ON {which}"
        " WHERE a.id IN ({}) ORDER BY a.id, v.number",
        values[len(before) :],
        *before,
    )
    found: list[KeptArticle] = []
    for headline, row in zip(headlines(session, rows), rows, strict=True):
        number, maker, extracted, page, body = row[WIDTH:]
        found.append(KeptArticle(headline, article_of(body), number, maker, moment(extracted), page or ""))
    return found
