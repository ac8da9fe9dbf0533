"""API operations for stored articles: lists, search, single articles, versions and original pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from tidings.article import Article
from tidings.fetch import Request as WebRequest
from tidings.fetch import require
from tidings_portal import responses
from tidings_portal.api import formats
from tidings_portal.api.extraction import PATIENCE, Format, Laid, With
from tidings_portal.api.formats import GIVES, Mercury, Shape
from tidings_portal.api.operations import JSON, Call, Operation
from tidings_portal.api.requests import refuse
from tidings_portal.api.schema import (
    LARGEST,
    Author,
    Category,
    Copies,
    Cursor,
    Language,
    Limit,
    Muted,
    Number,
    Since,
    Site,
    SourceNumber,
    StoryNumber,
    Topic,
    Until,
)
from tidings_portal.reader.article_view import OriginalPage, ReadingRequest, reduced
from tidings_portal.reader.pages import keep
from tidings_portal.responses import ArticleItem, Articles, FieldDoc, Hits
from tidings_portal.store.query import LONGEST_QUERY
from tidings_portal.store.records_of_articles import KeptArticle, Only, SearchOrder
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.web.access import Access
from tidings_portal.web.headers import SANDBOX
from tidings_portal.web.reading_pool import asked_extractor


@dataclass(frozen=True, slots=True)
class ArticleFilters:
    """All that is given must be true."""

    category: Category = None
    topic: Topic = None
    source: SourceNumber = None
    site: Site = None
    author: Author = None
    language: Language = None
    story: StoryNumber = None
    since: Since = None
    until: Until = None
    muted: Muted = False
    copies: Copies = False

    @property
    def only(self) -> Only:
        """The same as the store takes it."""
        return Only(
            category=self.category,
            topic=self.topic,
            source=self.source,
            author=self.author,
            story=self.story,
            site=self.site,
            language=self.language,
            since=self.since,
            until=self.until,
            muted=self.muted,
            copies=self.copies or bool(self.source or self.site or self.author or self.story),
        )


Query = Annotated[
    str,
    FieldDoc(
        'Words, "phrases", AND, OR, NOT, title:, author:, site:, lang:, since: …',
        shortest=1,
        longest=LONGEST_QUERY,
        example="seal OR title:harbour",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAsked(ArticleFilters):
    """Parameters of a search."""

    q: Query
    order: Annotated[SearchOrder, FieldDoc("The best first, or the newest.")] = SearchOrder.RELEVANCE
    limit: Limit = 20
    cursor: Cursor = None


def search_articles(call: Call, params: SearchAsked) -> Hits:
    """Articles that a query finds.

    The language of queries is that of `tidings search`. A query that cannot be read is answered with 400 and the place
    where it goes wrong.
    """
    found = call.store.search(params.q, params.only, order=params.order, limit=params.limit, after=params.cursor)
    count = found.count or call.store.count(params.q, params.only)
    return Hits(tuple(map(responses.hit, found.items)), count.number, count.at_least, found.after)


SEARCH_OPERATIONS: Final = (Operation("GET", "/search", search_articles, "search"),)


_TAG: Final = "articles"


@dataclass(frozen=True, slots=True)
class ArticlesAsked(ArticleFilters):
    """Which articles."""

    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class MostReadAsked:
    """Parameters of the most read articles."""

    days: Annotated[int, FieldDoc("In so many days.", least=1, most=3650)] = 7
    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class OneAsked:
    """An article."""

    id: Number


@dataclass(frozen=True, slots=True)
class ArticleAsked:
    """An article, and how it is given."""

    id: Number
    version: Annotated[int | None, FieldDoc("An earlier version, 1 being the first.", least=1, most=LARGEST)] = None
    format: Format = None
    shape: Laid = Shape.ARTICLE


@dataclass(frozen=True, slots=True)
class SimilarAsked:
    """An article, and how many like it."""

    id: Number
    limit: Annotated[int, FieldDoc("How many to give.", least=1, most=20)] = 6


@dataclass(frozen=True, slots=True)
class Kept:
    """An article of the store."""

    item: ArticleItem
    article: Article
    version: int
    maker: Annotated[str, FieldDoc("The extractor, model or rule it was read by, and its version.")]
    extracted: datetime
    page: Annotated[str, FieldDoc("The digest of the page it came from; empty where there was none.")]


@dataclass(frozen=True, slots=True)
class Version:
    """A version of an article."""

    version: int
    extracted: datetime
    maker: str
    title: str
    words: int
    page: str


@dataclass(frozen=True, slots=True)
class Versions:
    """All versions of an article, the first one first."""

    items: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class Similar:
    """Articles that are like one, the most alike first."""

    items: tuple[ArticleItem, ...]


def list_articles(call: Call, params: ArticlesAsked) -> Articles:
    """The latest articles, all or some.

    All that is given must be true of them.
    """
    return responses.articles(call.store.articles(params.only, limit=params.limit, after=params.cursor))


def most_read_articles(call: Call, params: MostReadAsked) -> Articles:
    """List the most read articles."""
    since = call.now - timedelta(days=params.days)
    return responses.articles(call.store.most_read(since, limit=params.limit, after=params.cursor))


def get_article(call: Call, params: ArticleAsked) -> Response:
    """An article, in any format."""
    form = formats.negotiated_format(call.request, params.format)
    stored = call.store.article(params.id, params.version)
    if stored is None:
        refuse(404, f"there is no article {params.id}" + (f" version {params.version}" if params.version else ""))
    return formats.sent(
        call.request, formats.written(stored.article, form, params.shape, _stored_article(stored)), form
    )


def _stored_article(stored: KeptArticle) -> Kept:
    item = responses.article(stored.headline)
    return Kept(item, stored.article, stored.version, stored.maker, stored.extracted, stored.page)


def list_versions(call: Call, params: OneAsked) -> Versions:
    """The versions of an article: it was edited after it had been read."""
    found = call.store.versions(params.id)
    if not found:
        refuse(404, f"there is no article {params.id}")
    return Versions(
        tuple(
            Version(one.version, one.extracted, one.maker, one.article.title, len(one.article.words), one.page)
            for one in found
        )
    )


def list_similar(call: Call, params: SimilarAsked) -> Similar:
    """Articles of the same weeks that are like one, and not of its story."""
    if call.store.article(params.id) is None:
        refuse(404, f"there is no article {params.id}")
    return Similar(tuple(map(responses.article, call.store.similar(params.id, limit=params.limit))))


def get_page(call: Call, params: OneAsked) -> Response:
    """Return the HTML of the page of an article, as it was fetched.

    It comes as a file and under a policy by which nothing in it runs or loads anything. X-Tidings-Content-Type is what
    its own server called it.
    """
    stored = call.store.page_of(params.id)
    if stored is None:
        refuse(404, f"the page of article {params.id} is not kept (any more)")
    headers = {
        "content-security-policy": SANDBOX,
        "content-disposition": f'attachment; filename="article-{params.id}.html"',
        "x-tidings-content-type": "".join(sign for sign in stored.page.content_type[:200] if " " <= sign <= "~"),
    }
    return Response(stored.page.content, headers=headers, media_type="application/octet-stream")


@dataclass(frozen=True, slots=True)
class PageToKeep:
    """Parameters of an extraction: HTML or a URL."""

    url: Annotated[str, FieldDoc("Where the page is; http or https.", shortest=1, longest=2000)]
    html: Annotated[
        str | None, FieldDoc("The page as it stands in a browser; without it, it is fetched.", longest=5_000_000)
    ] = None
    with_: With = None


@dataclass(frozen=True, slots=True)
class KeptReference:
    """An article that was kept, and is among the saved ones of whoever sent it."""

    id: int
    title: str
    words: int


async def keep_page(call: Call, body: PageToKeep) -> KeptReference:
    """Keep the article of a page that is sent as a browser shows it, or of an address.

    So a page behind a sign-in, or one that scripts have made, is read as its reader sees it. It is kept in the store,
    and saved for the owner of the token.
    """
    wish = ReadingRequest(body.url.strip(), expression=body.with_ or "")
    if not wish.original:
        refuse(422, "url is the address of a page: http or https")
    extractor = asked_extractor(wish.expression)
    if body.html is None:
        call.app.reading.prepare()
        got = require(await call.app.fetcher.fetch(WebRequest(wish.url, seconds=PATIENCE)))
        brought = OriginalPage(got.url, got.content_type or "", got.body)
    else:
        brought = OriginalPage(wish.url, "text/html; charset=utf-8", body.html.encode("utf-8", "replace"))
    found = await call.app.reading.run(reduced, brought.sent, extractor)
    number = await run_in_threadpool(keep, call.app, wish, brought, found)
    person = LOCAL if call.caller.token is None else call.caller.token.person
    await run_in_threadpool(call.store.save, number, person, call.now)
    call.app.cache.forget()
    return KeptReference(number, found.article.title, found.kept)


OPERATIONS: Final = (
    Operation(
        "POST", "/articles", keep_page, _TAG, status=201, access=Access.OWN, costs=True, problems=(413, 502, 503, 504)
    ),
    Operation("GET", "/articles", list_articles, _TAG),
    Operation("GET", "/articles/most-read", most_read_articles, _TAG),
    Operation("GET", "/articles/{id}", get_article, _TAG, gives={**GIVES, JSON: Kept | Mercury}, problems=(404, 406)),
    Operation("GET", "/articles/{id}/versions", list_versions, _TAG, problems=(404,)),
    Operation("GET", "/articles/{id}/similar", list_similar, _TAG, problems=(404,)),
    Operation("GET", "/articles/{id}/page", get_page, _TAG, gives={"application/octet-stream": bytes}, problems=(404,)),
)
