"""The functions behind the MCP tools: read a page from a URL or HTML, and query the store.

Results are the records of `tidings_portal.responses`, and articles as Markdown in parts. Control characters and lone
surrogates are removed from text, so that every client can parse it. The records have no slots, because the MCP library
would take slot descriptors for default values.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Final

from tidings.article import Article, Options, render
from tidings.article.formats.characters import legal
from tidings.errors import InputError, StoreUnreachable
from tidings.extractors import Extractor
from tidings.extractors.explain import name_of
from tidings.extractors.learned.choice import Preference
from tidings.fetch import Browser, Fetcher, Live, Request, Response, require
from tidings.fields.access import Mark
from tidings.options import DEFAULT, ExtractOptions
from tidings_portal import responses, store
from tidings_portal.feeds.outgoing import line
from tidings_portal.responses import ArticleItem, Found, HitItem, Hits, Stories, StoryItem, ToldStory, UnfitValue, plain
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import ArticleHeadline, KeptArticle, Only, SearchOrder
from tidings_portal.web.reading_pool import (
    ReadingPool,
    ReadingProcesses,
    ReadingThreads,
    SentPage,
    asked_extractor,
    hints_of,
    read_with_options,
)

#: How much of an article one answer holds, if nothing else is asked for, and at most: about 5,000 and 25,000 words.
USUAL: Final = 30_000
MOST: Final = 150_000
#: Of a list that a page wrote, as its tags, so many.
_FEW: Final = 50
#: Characters of a line of a list.
_LONGEST: Final = 1000
_SHOWN: Final = Options(images=True)


@dataclass(frozen=True)
class ReadArticle:
    """An article with its metadata, and its text or a part of it as Markdown."""

    title: str
    url: str
    site: str
    authors: list[str]
    published: str | None
    modified: str | None
    language: str
    direction: str
    summary: str
    section: str
    tags: list[str]
    image: str | None
    kind: str
    marks: list[str]  # what stands between a reader and the story: "paywall", "login" …
    confidence: float | None
    made_by: str
    markdown: str
    start: int  # the place in the whole Markdown where this part begins
    characters: int  # of the whole Markdown
    next_start: int | None  # ask again with this for the part behind; None: there is none
    id: int | None = None  # its number in the store
    version: int | None = None
    story: int | None = None
    doubt: str = ""  # why the confidence is low, or that nothing matches the question


def from_page(article: Article, extractor: Extractor, start: int, most: int) -> ReadArticle:
    """Return a newly extracted article as an MCP result."""
    return _article(article, name_of(extractor), start, most)


def from_store(stored: KeptArticle, start: int, most: int) -> ReadArticle:
    """Return a stored article as an MCP result."""
    headline = stored.headline
    return _article(
        stored.article, stored.maker, start, most, address=headline.address, version=stored.version, headline=headline
    )


def _article(
    article: Article,
    maker: str,
    start: int,
    most: int,
    *,
    address: str = "",
    version: int | None = None,
    headline: ArticleHeadline | None = None,
) -> ReadArticle:
    whole = legal(render(article, "markdown", _SHOWN))
    end = _end(whole, start, most)
    return ReadArticle(
        title=line(article.title),
        url=line(address or article.canonical or article.url),
        site=line(article.site or (headline.site if headline else "")),
        authors=_lines(article.authors),
        published=_when(article.published_as_stated),
        modified=_when(article.modified_as_stated),
        doubt=line(article.doubt),
        language=line(article.language),
        direction=article.direction,
        summary=line(article.summary),
        section=line(article.section),
        tags=_lines(article.tags),
        image=line(article.image.src) if article.image else None,
        kind=line(article.kind),
        marks=_lines(article.marks),
        confidence=article.confidence,
        made_by=line(maker),
        markdown=whole[start:end],
        start=start,
        characters=len(whole),
        next_start=end if end < len(whole) else None,
        id=headline.id if headline else None,
        version=version,
        story=headline.story if headline else None,
    )


def _end(whole: str, start: int, most: int) -> int:
    """Return the offset at which to end a part of a text: a block boundary if there is one in its last third."""
    end = min(start + most, len(whole))
    if end < len(whole):
        gap = whole.rfind("\n\n", start + most * 2 // 3, end)
        end = gap + 2 if gap >= 0 else end
    return end


def _lines(texts: tuple[str, ...]) -> list[str]:
    return [one for one in (line(text)[:300] for text in texts[:_FEW]) if one]


def _when(moment: datetime | date | None) -> str | None:
    return None if moment is None else moment.isoformat()


def article_text(article: ReadArticle) -> str:
    """Return an MCP article as text: its metadata, a rule, and its body."""
    head = {
        "title": article.title,
        "address": article.url,
        "site": article.site,
        "authors": ", ".join(article.authors),
        "published": article.published,
        "modified": article.modified,
        "language": article.language,
        "section": article.section,
        "kind": article.kind,
        "behind": ", ".join(article.marks),
        "number": article.id,
        "story": article.story,
    }
    lines = [f"{name}: {value}" for name, value in head.items() if value]
    if article.start >= article.characters:
        body = "(There is no text here.)" if article.characters else "(There is no article on this page.)"
    else:
        body = article.markdown
    return "\n".join(lines) + "\n\n---\n\n" + body + _rest(article)


def _rest(article: ReadArticle) -> str:
    if article.next_start is None:
        return ""
    progress = f"{article.next_start:,} of {article.characters:,} characters"
    return f"\n\n---\n\n({progress}; ask again with start={article.next_start})"


def as_fields(result: ReadArticle | Hits | Stories | ToldStory) -> dict[str, Any]:
    """Return a record as JSON values, with long texts in lists cut."""
    fields: dict[str, Any] = plain(result)
    return fields if isinstance(result, ReadArticle) else {name: _clean(value) for name, value in fields.items()}


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return line(value)[:_LONGEST]
    if isinstance(value, dict):
        return {name: _clean(inner) for name, inner in value.items()}
    return [_clean(inner) for inner in value] if isinstance(value, list) else value


def hits_text(hits: Hits) -> str:
    """Return search results as text."""
    several = f"{hits.total:,}" + (" or more" if hits.total_is_at_least else "")
    items = (_listed(one.article, one.text.text) for one in hits.items)
    return "\n\n".join([f"{several} found", *items, *_more(hits.next)])


def stories_text(stories: Stories) -> str:
    """Return a list of stories as text."""
    return "\n\n".join([*map(_story, stories.items), *_more(stories.next)] or ["There are no such stories."])


def story_text(result: ToldStory) -> str:
    """Return a story with its articles as text."""
    return "\n\n".join([_story(result.story), *map(_listed, result.articles), *_more(result.next)])


def _listed(article: ArticleItem, text: str = "") -> str:
    about = [article.time.date().isoformat(), article.site, ", ".join(article.authors), article.category]
    if article.story is not None:
        about.append(f"story {article.story}")
    return _lined(
        f"article {article.id}: {article.title}", " · ".join(filter(None, about)), article.url, text or article.summary
    )


def _story(story: StoryItem) -> str:
    days = " to ".join(dict.fromkeys((story.first.date().isoformat(), story.last.date().isoformat())))
    about = [days, f"{story.articles} articles of {story.sites} sites", story.category]
    return _lined(f"story {story.id}: {story.title}", " · ".join(filter(None, about)), story.summary)


def _lined(*lines: str) -> str:
    return "\n".join(filter(None, (line(one)[:_LONGEST] for one in lines)))


def _more(after: str | None) -> list[str]:
    return [f"(There is more: ask again with after={after!r})"] if after is not None else []


@dataclass
class NewsService:
    """The functions behind the MCP tools. Use it as `async with service.open():`, once at a time.

    Args:
        where: the store, as `tidings_portal.store.open` takes it; it is opened when somebody asks, and only read.
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
    _store: Store | None = None
    _opening: threading.Lock = field(default_factory=threading.Lock)
    _reading: ReadingPool = field(default_factory=ReadingThreads)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Open the store, fetcher and workers for the duration of the context."""
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
                kept, self._store = self._store, None
                if kept is not None:
                    kept.close()

    async def read(
        self,
        url: str,
        html: str,
        extractor: str,
        start: int,
        most: int,
        about: str = "",
        tokens: int = 2000,
        options: ExtractOptions = DEFAULT,
    ) -> ReadArticle:
        """Extract the article of a URL or of HTML; with a question, only the parts that answer it.

        Raises:
            InputError: neither is given.
            ExtractorError: there is no such extractor, or it names a file of this machine.
            FetchError: the address cannot be had.
            PageError: what is there is no page.
        """
        if not url.strip() and not html.strip():
            raise InputError("give the address of a page as url, or its HTML as html")
        preference = None if options.prefer == DEFAULT.prefer else Preference(options.prefer)
        work = ReadWork(asked_extractor(extractor, preference), start, most, about, tokens, options)
        if html.strip():
            return await self._reading.run(read_page, SentPage(html, url.strip() or None, hints_of(options)), work)
        return await self._fetched(url.strip(), work)

    async def _fetched(self, url: str, work: ReadWork) -> ReadArticle:
        if self._fetcher is None:
            raise InputError("the service is not open: use it as `async with service.open():`")
        response = require(await self._fetcher.fetch(Request(url)))
        found = await self._reading.run(read_page, _sent(response, work.options), work)
        if Mark.SHELL in found.marks and self._shown_by is not None:
            shown = require(await self._shown_by.fetch(Request(response.url)))
            found = await self._reading.run(read_page, _sent(shown, work.options), work)
        return found

    @property
    def store(self) -> Store:
        """Return the store, opened read-only on first use.

        Raises:
            StoreError: it cannot be opened.
        """
        with self._opening:
            if self._store is None:
                try:
                    self._store = store.open(self.where, readonly=True)
                except StoreUnreachable as error:
                    raise StoreUnreachable(
                        f"{error}. `tidings add` and `tidings watch` fill a store; `tidings mcp --store` names another"
                    ) from error
            return self._store

    def search(self, query: str, only: Only, order: str, limit: int, after: str | None) -> Hits:
        """Search the stored articles; without a query, return the latest.

        Raises:
            BadQuery: the query cannot be read; the message points at the place.
        """
        if not query.strip():
            latest = self.store.articles(only, limit=limit, after=after)
            count = self.store.count(None, only)
            items = tuple(
                HitItem(responses.article(one), Found(one.title, ()), Found(one.summary, ()), 0.0)
                for one in latest.items
            )
            return Hits(items, count.number, count.at_least, latest.after)
        found = self.store.search(query, only, order=SearchOrder(order), limit=limit, after=after)
        count = found.count or self.store.count(query, only)
        return Hits(tuple(map(responses.hit, found.items)), count.number, count.at_least, found.after)

    def stories(
        self, category: str, language: str, since: str, until: str, least: int, limit: int, after: str | None
    ) -> Stories:
        """List stories, the most recently updated first."""
        found = self.store.stories(
            category=category or None,
            language=language or None,
            since=moment(since),
            until=moment(until, end=True),
            least=least,
            limit=limit,
            after=after,
        )
        return Stories(tuple(map(responses.story, found.items)), found.after)

    def story(self, number: int, limit: int, after: str | None) -> ToldStory:
        """Return a story with its articles.

        Raises:
            InputError: there is none.
        """
        told = self.store.story(number)
        if told is None:
            raise InputError(f"there is no story {number}; list_stories names those there are")
        members = self.store.articles(Only(story=told.id), limit=limit, after=after)
        return ToldStory(responses.story(told), tuple(map(responses.article, members.items)), members.after)

    def article(self, number: int, version: int | None, start: int, most: int) -> ReadArticle:
        """Return a stored article.

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
        return from_store(kept, start, most)


@dataclass(frozen=True, slots=True)
class ReadWork:
    """How a page is read, and which part of the article is returned."""

    extractor: Extractor
    start: int
    most: int
    about: str = ""
    tokens: int = 2000
    options: ExtractOptions = DEFAULT


def read_page(page: SentPage, work: ReadWork) -> ReadArticle:
    """Return the article on a page.

    Raises:
        PageError: there is no page.
    """
    article = read_with_options(page, work.extractor, work.options)
    if work.about.strip():
        article = article.about(work.about, tokens=work.tokens)
    return from_page(article, work.extractor, work.start, work.most)


def _sent(response: Response, options: ExtractOptions) -> SentPage:
    hints = replace(hints_of(options, response.content_type), is_cut=response.truncated)
    return SentPage(response.body, response.url, hints)


def moment(text: str, *, end: bool = False) -> datetime | None:
    """Return an ISO 8601 date or date-time, or None if it is empty. The default time zone is UTC.

    With `end`, a date means the end of the day.

    Raises:
        InputError: it is neither.
    """
    if not text.strip():
        return None
    try:
        return responses.moment(text.strip(), end=end)
    except UnfitValue as error:
        raise InputError(f"{text!r} {error}") from error
