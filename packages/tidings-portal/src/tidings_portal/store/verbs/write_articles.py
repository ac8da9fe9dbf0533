"""Batch writing of articles. Work that needs no transaction is done before it, and each table gets its rows at once.

A transaction of sixteen articles takes a dozen statements instead of three hundred; on a server each is a round trip.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from tidings.article import Article
from tidings.text import base_language
from tidings_portal.store.codec import Indexed, article_bytes, digest, indexed, pack
from tidings_portal.store.database import Row, Session, clean, host, key
from tidings_portal.store.quarantine import LOG, ItemName, new_entry, reason_of
from tidings_portal.store.records_of_articles import Fate, NewArticle, SavedArticle
from tidings_portal.store.records_of_work import (
    ItemKind,
    LinkState,
    QuarantineEntry,
    Stage,
    micros,
    place,
    sort_micros,
    told_micros,
)
from tidings_portal.store.selection import name_key
from tidings_portal.store.verbs.links import end_links, lift, own_keys, put_aside
from tidings_portal.store.verbs.lists import MuteVerbs
from tidings_portal.store.verbs.retention import keep_pages, page_row
from tidings_portal.store.verbs.stories import refresh_stories

_NO_WORDS = Indexed("", "", "")
#: The maximum length of a summary in lists.
_SUMMARY = 600
#: The columns for lists and of the current version; first those that depend on the article alone.
_TOLD = (
    "address, site, site_name, title, language, direction, authors, published, summary, image, kind, word_count"
).split(", ")
_SHOWN = (*_TOLD, "place", "time", "category", "category_key", "teaser_reason", "current", "versions")
_INSERT = f"INSERT INTO article (id, first_seen, {', '.join(_SHOWN)}) VALUES ({', '.join('?' * (len(_SHOWN) + 2))})"
_UPDATE = f"UPDATE article SET {', '.join(f'{name} = ?' for name in _SHOWN)} WHERE id = ?"


class Prepared:
    """An article prepared for storing: compressed, tokenised and split into columns before the transaction."""

    __slots__ = ("authors", "body", "columns", "hash", "new", "page", "wordless", "words")

    def __init__(self, new: NewArticle) -> None:
        data = article_bytes(new.article)
        self.new = new
        self.hash = digest(data)
        self.body = pack(data)
        self.wordless = ""  # the error, if indexing failed
        try:
            self.words = indexed(new.article)
        except Exception as error:  # a bug: store the article anyway
            self.words, self.wordless = _NO_WORDS, reason_of(error)
        self.columns = _columns(new.article)
        self.authors = {name_key(name): clean(name) for name in new.article.authors if name.strip()}
        self.page = None if new.page is None else page_row(new.page)


@dataclass(slots=True)
class _ArticleLink:
    """The stored state of a link: its article, when it was first seen, its category and sources."""

    article: int | None
    first_seen: int
    category: str  # its own, or the folder of its first source
    sources: list[int]


class ArticleBatch:
    """Articles stored in one transaction. Rows are collected and written at the end.

    Args:
        verbs: the store.
        session: the transaction.
        links: the links of the articles.
    """

    def __init__(self, verbs: MuteVerbs, session: Session, links: Sequence[int]) -> None:
        self._verbs = verbs
        self._session = session
        self._links = _looked_up(session, links)
        new = sum(self._links[link].article is None for link in links)
        self._articles = iter(verbs.database.numbers(session, "article", new))
        self._versions = iter(verbs.database.numbers(session, "version", len(links)))
        self._rows = _TableRows()
        self._made: set[int] = set()  # articles that are new
        self._words: dict[int, tuple[int, Indexed]] = {}
        self._wordless: dict[int, QuarantineEntry] = {}
        self._stories: set[int] = set()
        self._fresh: list[int] = []

    def keep(self, link: int, ready: Prepared, stored_keys: Sequence[str] = ()) -> SavedArticle:
        """Store an article of a link; `stored_keys` are keys that the link has already."""
        names = [name for name in map(key, ready.new.keys) if name not in stored_keys]
        duplicates = own_keys(self._session, link, names) if names else []
        number = self._links[link].article
        if number is not None:
            return self._further(link, number, ready)
        number = self._article_of(duplicates)
        if number is None:
            return self._first(link, ready)
        self._rows.links.append((LinkState.DONE, "the same article as another link's", number, link))
        self._links[link].article = number
        self._join_sources(link, number, ready.new)
        return SavedArticle(Fate.DUPLICATE, number)

    def close(self) -> None:
        """Write all rows, index their words, and apply mute rules."""
        session, database = self._session, self._verbs.database
        self._rows.write(session)
        database.index(session, [(number, at, words) for number, (at, words) in self._words.items()])
        lift(session, Stage.SEARCH, [str(number) for number in self._words if number not in self._wordless])
        put_aside(session, list(self._wordless.values()))
        for entry in self._wordless.values():
            LOG.warning("%s", entry.sentence)
        self._verbs.mute_fresh(session, self._fresh)
        refresh_stories(session, self._stories)

    def _article_of(self, links: Sequence[int]) -> int | None:
        """Return the article of the first of some links that has one."""
        articles = {link: self._links[link].article for link in links if link in self._links}
        rest = [link for link in links if link not in articles]
        articles |= dict(self._session.in_all("SELECT id, article FROM link WHERE id IN ({})", rest))
        return next((articles[link] for link in links if articles.get(link) is not None), None)

    def _first(self, link: int, ready: Prepared) -> SavedArticle:
        facts, rows = self._links[link], self._rows
        first_seen = min(facts.first_seen, micros(ready.new.at))
        number: int = next(self._articles)
        columns, at = self._current_columns(facts, number, self._write_version(number, 1, ready), 1, first_seen, ready)
        rows.articles.append((number, first_seen, *columns))
        rows.links.append((LinkState.DONE, "", number, link))
        rows.sources += [(source, number, at) for source in sorted({*facts.sources, *ready.new.sources})]
        facts.article = number
        self._made.add(number)
        return SavedArticle(Fate.NEW, number, 1)

    def _further(self, link: int, number: int, ready: Prepared) -> SavedArticle:
        session = self._session
        if number in self._made:  # twice in one batch
            self._rows.write(session)
        row = session.first(
            "SELECT v.hash, a.versions, a.first_seen, a.story, a.current, a.teaser_reason FROM article a"
            " JOIN version v ON v.id = a.current WHERE a.id = ?",
            number,
        )
        assert row is not None  # noqa: S101  # a link names an article that is there
        current, versions, first_seen, story, pointer, teaser = row
        self._join_sources(link, number, ready.new)
        if ready.new.teaser_reason and not teaser:  # the page was read meanwhile
            return SavedArticle(Fate.SAME, number, versions)
        is_completed = bool(teaser) and not ready.new.teaser_reason
        if teaser != ready.new.teaser_reason:
            session.run("UPDATE article SET teaser_reason = ? WHERE id = ?", key(ready.new.teaser_reason), number)
        if is_completed:
            _regroup(session, number, micros(ready.new.at))
        if current == ready.hash:
            if ready.page is not None:
                self._rows.pages.append(ready.page)
                session.run("UPDATE version SET page = ? WHERE id = ?", ready.page[0], pointer)
            return SavedArticle(Fate.SAME, number, versions)
        if number in self._words:
            del self._words[number]
        else:
            self._verbs.database.unindex(session, [number])
        if is_completed:  # the text replaces the teaser without a new version
            session.run("DELETE FROM version WHERE id = ?", pointer)
            versions -= 1
        version = self._write_version(number, versions + 1, ready)
        session.run("DELETE FROM article_author WHERE article = ?", number)
        columns, at = self._current_columns(self._links[link], number, version, versions + 1, first_seen, ready)
        session.run(_UPDATE, *columns, number)
        session.run("UPDATE article_source SET place = ? WHERE article = ?", at, number)
        self._rows.write(session)
        if story is not None:
            self._stories.add(story)
        return SavedArticle(Fate.CHANGED, number, versions + 1)

    def _write_version(self, article: int, number: int, ready: Prepared) -> int:
        new, version = ready.new, next(self._versions)
        page = None
        if ready.page is not None:
            self._rows.pages.append(ready.page)
            page = ready.page[0]
        self._rows.versions.append(
            (version, article, number, ready.hash, clean(new.maker), micros(new.at), page, ready.body)
        )
        return int(version)

    def _current_columns(
        self, facts: _ArticleLink, article: int, version: int, number: int, first_seen: int, ready: Prepared
    ) -> tuple[Row, int]:
        """Return the columns of a current version and its place; write its authors and words."""
        current = ready.new.article
        time = sort_micros(current.published_as_stated, first_seen)
        at = place(time, article)
        category = clean(ready.new.category or current.section) or facts.category
        self._rows.authors += [(author, article, at, name) for author, name in ready.authors.items()]
        self._words[article] = at, ready.words
        self._wordless.pop(article, None)
        if ready.wordless:
            name = ItemName(ItemKind.ARTICLE, str(article), current.title or current.url)
            self._wordless[article] = new_entry(Stage.SEARCH, name, ready.wordless, ready.new.at)
        self._fresh.append(article)
        teaser = key(ready.new.teaser_reason)
        return (*ready.columns, at, time, category, name_key(category), teaser, version, number), at

    def _join_sources(self, link: int, article: int, new: NewArticle) -> None:
        """Add sources to an article that is stored already."""
        if article in self._made:
            self._rows.write(self._session)
        select = "SELECT ?, a.id, a.place FROM article a WHERE a.id = ? ON CONFLICT (article, source) DO NOTHING"
        for source in sorted({*self._links[link].sources, *new.sources}):
            self._session.run(f"INSERT INTO article_source (source, article, place) {select}", source, article)
        self._fresh.append(article)


@dataclass(slots=True)
class _TableRows:
    """A buffer of rows to write, by table."""

    pages: list[Row] = field(default_factory=list)
    articles: list[Row] = field(default_factory=list)
    versions: list[Row] = field(default_factory=list)
    authors: list[Row] = field(default_factory=list)
    sources: list[Row] = field(default_factory=list)
    links: list[tuple[LinkState, str, int | None, int]] = field(default_factory=list)

    def write(self, session: Session) -> None:
        """Write all rows and clear the buffer."""
        keep_pages(session, self.pages)
        session.many(_INSERT, self.articles)
        session.many(
            "INSERT INTO version (id, article, number, hash, maker, extracted, page, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            self.versions,
        )
        session.many(
            "INSERT INTO article_author (author, article, place, name) VALUES (?, ?, ?, ?)",
            self.authors,
        )
        session.many(
            "INSERT INTO article_source (source, article, place) VALUES (?, ?, ?)"
            " ON CONFLICT (article, source) DO NOTHING",
            self.sources,
        )
        end_links(session, self.links)
        for rows in (self.pages, self.articles, self.versions, self.authors, self.sources, self.links):
            rows.clear()


#: `remembered` rows, named by article number, of articles that were grouped as teasers and have their text now.
REGROUP = "regroup"


def _regroup(session: Session, article: int, at: int) -> None:
    session.run(
        "INSERT INTO remembered (space, name, value, version, changed) VALUES (?, ?, ?, 1, ?)"
        " ON CONFLICT (space, name) DO NOTHING",
        *(REGROUP, str(article), b"", at),
    )


def _looked_up(session: Session, links: Sequence[int]) -> dict[int, _ArticleLink]:
    """Return the links whose articles are stored."""
    rows = session.in_all("SELECT id, article, first_seen, category FROM link WHERE id IN ({})", links)
    facts = {number: _ArticleLink(article, first_seen, category, []) for number, article, first_seen, category in rows}
    for link, source, folder in session.in_all(
        "SELECT s.link, s.source, o.folder FROM link_source s JOIN source o ON o.id = s.source WHERE s.link IN ({})"
        " ORDER BY s.link, s.first_seen, s.source",
        links,
    ):
        link_facts = facts[link]
        if not link_facts.sources:
            link_facts.category = link_facts.category or folder
        link_facts.sources.append(source)
    return facts


def _columns(article: Article) -> Row:
    """Return the columns that depend on the article only, in the order of `_TOLD`."""
    address = article.address
    return (
        *(clean(address), host(article.url or address), clean(article.site), clean(article.title)),
        *(
            key(base_language(article.language)),
            article.direction,
            json.dumps([clean(name) for name in article.authors]),
        ),
        *(told_micros(article.published_as_stated), clean(article.summary)[:_SUMMARY]),
        *("" if article.image is None else clean(article.image.src), clean(article.kind)),
        sum(len(block.words) for block in article.blocks),
    )
