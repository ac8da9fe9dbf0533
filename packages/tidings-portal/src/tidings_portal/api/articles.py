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
    """Filters of an article list; an article must match all of them."""

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
        """Return the filters as a store filter."""
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
    order: Annotated[SearchOrder, FieldDoc("By relevance, or the newest first.")] = SearchOrder.RELEVANCE
    limit: Limit = 20
    cursor: Cursor = None


def search_articles(call: Call, params: SearchAsked) -> Hits:
    """Search the stored articles.

    Queries have the syntax of `tidings search`. An invalid query is answered with 400 and the position of the error.
    """
    found = call.store.search(params.q, params.only, order=params.order, limit=params.limit, after=params.cursor)
    count = found.count or call.store.count(params.q, params.only)
    return Hits(tuple(map(responses.hit, found.items)), count.number, count.at_least, found.after)


SEARCH_OPERATIONS: Final = (Operation("GET", "/search", search_articles, "search"),)


_TAG: Final = "articles"


@dataclass(frozen=True, slots=True)
class ArticlesAsked(ArticleFilters):
    """Parameters of an article list."""

    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class MostReadAsked:
    """Parameters of the most read articles."""

    days: Annotated[int, FieldDoc("Count reads of the last days.", least=1, most=3650)] = 7
    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class OneAsked:
    """Parameters that name an article."""

    id: Number


@dataclass(frozen=True, slots=True)
class ArticleAsked:
    """Parameters of an article: its id and the format of the response."""

    id: Number
    version: Annotated[int | None, FieldDoc("Number of a version; 1 is the first.", least=1, most=LARGEST)] = None
    format: Format = None
    shape: Laid = Shape.ARTICLE


@dataclass(frozen=True, slots=True)
class SimilarAsked:
    """Parameters of similar articles: an article and a limit."""

    id: Number
    limit: Annotated[int, FieldDoc("Maximum number of results.", least=1, most=20)] = 6


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored article."""

    item: ArticleItem
    article: Article
    version: int
    maker: Annotated[str, FieldDoc("Extractor, model or rule that extracted it, with its version.")]
    extracted: datetime
    page: Annotated[str, FieldDoc("Digest of its page; empty without a page.")]


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
    """All versions of an article, the oldest first."""

    items: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class Similar:
    """Articles similar to a given article, the most similar first."""

    items: tuple[ArticleItem, ...]


def list_articles(call: Call, params: ArticlesAsked) -> Articles:
    """List the latest articles.

    Articles must match all filters.
    """
    return responses.articles(call.store.articles(params.only, limit=params.limit, after=params.cursor))


def most_read_articles(call: Call, params: MostReadAsked) -> Articles:
    """List the most read articles."""
    since = call.now - timedelta(days=params.days)
    return responses.articles(call.store.most_read(since, limit=params.limit, after=params.cursor))


def get_article(call: Call, params: ArticleAsked) -> Response:
    """Return an article in the requested format."""
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
    """List the versions of an article, which was edited after its first extraction."""
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
    """List similar articles of the same weeks that do not belong to the same story."""
    if call.store.article(params.id) is None:
        refuse(404, f"there is no article {params.id}")
    return Similar(tuple(map(responses.article, call.store.similar(params.id, limit=params.limit))))


def get_page(call: Call, params: OneAsked) -> Response:
    """Return the HTML of an article's page as it was fetched.

    It is sent as a download with a policy that blocks scripts and requests. X-Tidings-Content-Type is the Content-Type
    of the original server.
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

    url: Annotated[str, FieldDoc("URL of the page; http or https.", shortest=1, longest=2000)]
    html: Annotated[
        str | None, FieldDoc("HTML of the page as in the browser; if missing, the page is fetched.", longest=5_000_000)
    ] = None
    with_: With = None


@dataclass(frozen=True, slots=True)
class KeptReference:
    """A stored article, saved for the user of the token."""

    id: int
    title: str
    words: int


async def keep_page(call: Call, body: PageToKeep) -> KeptReference:
    """Store the article of a page, sent as HTML or as a URL.

    HTML from a browser makes it possible to store pages behind a sign-in, or built by scripts. The article is saved for
    the user of the token.
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
