"""Outgoing feeds: every list of articles as RSS, Atom or JSON Feed, with full text and paging (RFC 5005)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import wraps
from typing import Final
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tidings.article.formats.characters import legal
from tidings_portal import feeds
from tidings_portal.portal.lists import languages_asked
from tidings_portal.store import parse
from tidings_portal.store.quarantine import Quarantine
from tidings_portal.store.records_of_articles import Only
from tidings_portal.store.records_of_work import Stage
from tidings_portal.stories.topics import topic_names
from tidings_portal.web.access import Access, admit, caller_of
from tidings_portal.web.app_state import app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.limits import READS, take
from tidings_portal.web.proxies import address_of
from tidings_portal.web.sessions import LOCAL, visit_of
from tidings_portal.web.settings import ReadAccess

_FORMS: Final = {form.value: form for form in feeds.FeedFormat}
_KEPT: Final = 20  # seconds in the cache
_LONGEST_QUERY: Final = 1000


def latest(request: Request) -> Response:
    """Serve the feed of the latest articles."""
    return _feed(request, Only(language=languages_asked(request)), "/", app_of(request).settings.name)


def of_source(request: Request) -> Response:
    """Serve the feed of a source."""
    number = _number(request, "no_source")
    if app_of(request).store.source(number) is None:
        raise HttpProblem(404, "no_source")
    return _feed(request, Only(source=number), f"/sources/{number}")


def of_story(request: Request) -> Response:
    """Serve the feed of a story, or of the story that it was merged into."""
    story = app_of(request).store.story(_number(request, "no_story"))
    if story is None:
        raise HttpProblem(404, "no_story")
    return _feed(request, Only(story=story.id), f"/story/{story.id}")


def of_category(request: Request) -> Response:
    """Serve the feed of a category."""
    name = legal(request.path_params["name"]).strip()
    if not name:
        raise HttpProblem(404, "missing_page")
    only = Only(category=name, language=languages_asked(request))
    return _feed(request, only, f"/category/{quote(name, safe='')}", must_have_some=True)


def of_topic(request: Request) -> Response:
    """Serve the feed of a topic."""
    name: str = request.path_params["name"]
    if name not in topic_names():
        raise HttpProblem(404, "missing_page")
    only = Only(topic=name, language=languages_asked(request))
    return _feed(request, only, f"/topic/{name}", visit_of(request).words(f"topic.{name}"))


def of_columnist(request: Request) -> Response:
    """Serve the feed of a columnist."""
    name = legal(request.path_params["name"]).strip()
    if not name:
        raise HttpProblem(404, "no_columnist")
    return _feed(request, Only(author=name), f"/columnist/{quote(name, safe='')}", must_have_some=True)


def of_search(request: Request) -> Response:
    """Serve the feed of a search."""
    query = legal(request.query_params.get("q", ""))
    if len(query) > _LONGEST_QUERY:
        raise HttpProblem(400, "query", f"a query of a feed has at most {_LONGEST_QUERY:,} characters")
    return _feed(request, Only(query=parse(query)), f"/search?{urlencode({'q': query})}", search=query)


def _feed(
    request: Request, only: Only, home: str, title: str = "", *, search: str = "", must_have_some: bool = False
) -> Response:
    app = app_of(request)
    form = _FORMS.get(request.path_params["form"])
    if form is None:
        raise HttpProblem(404, "missing_page")
    after = request.query_params.get("after") or None
    summaries = request.query_params.get("content") == "summary"
    base = app.settings.address.rstrip("/") or f"{request.url.scheme}://{request.url.netloc}"
    spoken = only.language if isinstance(only.language, str) else ",".join(only.language or ())
    declared_params = {"q": search, "language": spoken, "content": "summary" if summaries else ""}
    params = {name: value for name, value in declared_params.items() if value}

    def at(cursor: str | None) -> str:
        query = params | ({"after": cursor} if cursor is not None else {})
        return f"{base}{quote(request.url.path, safe='/%')}" + (f"?{urlencode(query)}" if query else "")

    def make() -> bytes:
        home_path = f"{home}?{urlencode({'language': spoken})}" if spoken else home
        places = feeds.FeedAddresses(home=f"{base}{home_path}", itself=at(after), first=at(None))
        gathered = feeds.gather(
            app.store,
            only,
            places,
            title=title,
            search=search,
            content=feeds.Content.SUMMARY if summaries else feeds.Content.FULL,
            after=after,
        )
        if must_have_some and not gathered.feed.entries:
            raise HttpProblem(404, "missing_page")
        following = "" if gathered.after is None else at(gathered.after)
        whole = replace(gathered.feed, places=replace(gathered.feed.places, next=following))
        return _packed(feeds.write(whole, form, Quarantine(app.store, Stage.FEEDS)))

    written = _unpacked(app.cache.get(("feed", base, request.url.path, tuple(params.items()), after), make, _KEPT))
    headers = {
        "etag": written.etag,
        "last-modified": written.last_modified,
        "cache-control": "private, no-cache" if app.settings.reading is ReadAccess.CLOSED else "public, max-age=60",
    }
    if written.is_known(request.headers.get("if-none-match", ""), request.headers.get("if-modified-since", "")):
        return Response(status_code=304, headers=headers)
    return Response(written.body, headers=headers | {"content-type": written.media_type})


def _packed(written: feeds.Written) -> bytes:
    """Return a feed as bytes, for the cache."""
    head = (written.media_type, written.etag, written.changed.isoformat())
    return "\n".join(head).encode() + b"\n" + written.body


def _unpacked(cached: bytes) -> feeds.Written:
    media_type, etag, changed, body = cached.split(b"\n", 3)
    return feeds.Written(body, media_type.decode(), etag.decode(), datetime.fromisoformat(changed.decode()))


def _limited(handler: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Return an endpoint that first checks rate limit and read access."""

    @wraps(handler)
    def endpoint(request: Request) -> Response:
        app = app_of(request)
        take(app, READS, address_of(request), app.settings.minute_reads)
        if app.settings.reading is ReadAccess.CLOSED and visit_of(request).person in {None, LOCAL}:
            admit(app, caller_of(request, app), Access.READING)
        return handler(request)

    return endpoint


def _number(request: Request, key: str) -> int:
    value: str = request.path_params["number"]
    if not (value.isascii() and value.isdigit() and len(value) <= 18):
        raise HttpProblem(404, key)
    return int(value)


ROUTES: Final[list[BaseRoute]] = [
    Route("/feeds/latest.{form}", _limited(latest)),
    Route("/feeds/search.{form}", _limited(of_search)),
    Route("/feeds/source/{number}.{form}", _limited(of_source)),
    Route("/feeds/story/{number}.{form}", _limited(of_story)),
    Route("/feeds/category/{name:path}.{form}", _limited(of_category)),
    Route("/feeds/topic/{name}.{form}", _limited(of_topic)),
    Route("/feeds/columnist/{name:path}.{form}", _limited(of_columnist)),
]
