"""What the tools do, without the protocol: read a page from the web or from given HTML, and look into the store."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, time

from tidings import Hints
from tidings.errors import InputError, StoreUnreachable
from tidings.extractors import Extractor
from tidings.fetch import Browser, Fetcher, Live, Request, Response, require
from tidings.fields.access import Mark
from tidings.news import store
from tidings.news.mcp import answers
from tidings.news.mcp.answers import FoundArticles, ListedStories, ReadArticle, StoryArticles
from tidings.news.store import Store
from tidings.news.store.records_of_articles import Only, SearchOrder
from tidings.news.web.reading_pool import ReadingPool, ReadingProcesses, ReadingThreads, SentPage, asked_extractor
from tidings.reading import read


@dataclass
class NewsService:
    """Where the answers come from. Use it as `async with service.open():`, once at a time.

    Args:
        where: the store, as `tidings.news.store.open` takes it; it is opened when somebody asks, and only read.
        live: makes the fetcher.
        browser: whether Chromium is asked for pages that are empty without their scripts.
        readers: processes that read pages, which others wrote; 0: this one, unguarded.
    """

    where: str
    live: Callable[[], Live] = Live
    browser: bool = False
    readers: int = 0
    _fetcher: Fetcher | None = None
    _shown_by: Fetcher | None = None
    _kept: Store | None = None
    _opening: threading.Lock = field(default_factory=threading.Lock)
    _reading: ReadingPool = field(default_factory=ReadingThreads)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Open what is needed, and close it again."""
        async with AsyncExitStack() as stack:
            live = await stack.enter_async_context(self.live())
            self._fetcher = live
            self._reading = ReadingProcesses(self.readers, modules=(__name__,)) if self.readers else ReadingThreads()
            stack.push_async_callback(self._reading.close)
            self._shown_by = await stack.enter_async_context(Browser(live)) if self.browser else None
            try:
                yield
            finally:
                self._fetcher = self._shown_by = None
                kept, self._kept = self._kept, None
                if kept is not None:
                    kept.close()

    async def read(
        self, url: str, html: str, extractor: str, start: int, most: int, about: str = "", tokens: int = 2000
    ) -> ReadArticle:
        """An article of the web, or of the HTML that is given; of it what answers a question, if one is asked.

        Raises:
            InputError: neither is given.
            ExtractorError: there is no such extractor, or it names a file of this machine.
            FetchError: the address cannot be had.
            PageError: what is there is no page.
        """
        if not url.strip() and not html.strip():
            raise InputError("give the address of a page as url, or its HTML as html")
        reading = asked_extractor(extractor)
        if html.strip():
            page = SentPage(html, url.strip() or None)
            return await self._reading.run(read_page, page, reading, start, most, about, tokens)
        return await self._fetched(url.strip(), reading, start, most, about, tokens)

    async def _fetched(
        self, url: str, reading: Extractor, start: int, most: int, about: str, tokens: int
    ) -> ReadArticle:
        if self._fetcher is None:
            raise InputError("the service is not open: use it as `async with service.open():`")
        response = require(await self._fetcher.fetch(Request(url)))
        found = await self._reading.run(read_page, _sent(response), reading, start, most, about, tokens)
        if Mark.SHELL in found.marks and self._shown_by is not None:
            shown = require(await self._shown_by.fetch(Request(response.url)))
            found = await self._reading.run(read_page, _sent(shown), reading, start, most, about, tokens)
        return found

    @property
    def store(self) -> Store:
        """The store, read-only; opened at the first question.

        Raises:
            StoreError: it cannot be opened.
        """
        with self._opening:
            if self._kept is None:
                try:
                    self._kept = store.open(self.where, readonly=True)
                except StoreUnreachable as error:
                    raise StoreUnreachable(
                        f"{error}. `tidings add` and `tidings watch` fill a store; `tidings mcp --store` names another"
                    ) from error
            return self._kept

    def search(self, query: str, only: Only, order: str, limit: int, after: str | None) -> FoundArticles:
        """Articles that a query finds; without one, the latest.

        Raises:
            BadQuery: the query cannot be read; the message points at the place.
        """
        if not query.strip():
            latest = self.store.articles(only, limit=limit, after=after)
            count = self.store.count(None, only)
            return FoundArticles(
                [answers.listed(one) for one in latest.items], count.number, count.at_least, latest.after
            )
        found = self.store.search(query, only, order=SearchOrder(order), limit=limit, after=after)
        count = found.count or self.store.count(query, only)
        return FoundArticles([answers.hit(one) for one in found.items], count.number, count.at_least, found.after)

    def stories(
        self, category: str, language: str, since: str, until: str, least: int, limit: int, after: str | None
    ) -> ListedStories:
        """Stories, the one with the latest news first."""
        found = self.store.stories(
            category=category or None,
            language=language or None,
            since=moment(since),
            until=moment(until, end=True),
            least=least,
            limit=limit,
            after=after,
        )
        return ListedStories([answers.story(one) for one in found.items], found.after)

    def story(self, number: int, limit: int, after: str | None) -> StoryArticles:
        """A story and its articles.

        Raises:
            InputError: there is none.
        """
        told = self.store.story(number)
        if told is None:
            raise InputError(f"there is no story {number}; list_stories names those there are")
        members = self.store.articles(Only(story=told.id), limit=limit, after=after)
        return StoryArticles(answers.story(told), [answers.listed(one) for one in members.items], members.after)

    def article(self, number: int, version: int | None, start: int, most: int) -> ReadArticle:
        """An article of the store.

        Raises:
            InputError: there is none.
        """
        kept = self.store.article(number, version)
        if kept is None:
            several = len(self.store.versions(number))
            advice = f"it has {several} versions" if several else "search names those there are"
            raise InputError(
                f"there is no article {number}" + (f" version {version}" if version else "") + f"; {advice}"
            )
        return answers.from_store(kept, start, most)


def read_page(
    page: SentPage, reading: Extractor, start: int, most: int, about: str = "", tokens: int = 2000
) -> ReadArticle:
    """The answer for the article on a page.

    Raises:
        PageError: there is no page.
    """
    article = read(page.page(), reading)
    return answers.from_page(article.about(about, tokens=tokens) if about.strip() else article, reading, start, most)


def _sent(response: Response) -> SentPage:
    hints = Hints(content_type=response.content_type, is_cut=response.truncated)
    return SentPage(response.body, response.url, hints)


def moment(said: str, *, end: bool = False) -> datetime | None:
    """A day or a moment as ISO 8601 writes it; UTC where no zone is told. A day that ends something counts whole.

    Raises:
        InputError: it is neither.
    """
    if not said.strip():
        return None
    try:
        found = datetime.fromisoformat(said.strip())
    except ValueError as error:
        raise InputError(f"{said!r} is no day and no moment; write 2026-03-01 or 2026-03-01T12:00:00Z") from error
    if end and found.time() == time() and "T" not in said.upper():
        found = datetime.combine(found, time.max)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
