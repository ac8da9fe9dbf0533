"""HTML pages: rendering of Jinja templates, and the decorator `page` that turns a handler into an endpoint.

A handler is a plain function that returns a `PageView` for a request. Its endpoint runs in a thread, caches the
rendered page for some seconds and responds 304 if the browser has the current version. Templates escape all values.
"""

from __future__ import annotations

import mimetypes
import re
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, lru_cache, partial
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from tidings.article.formats.characters import legal
from tidings.urls import site_of
from tidings_portal.store.records_of_articles import ArticleHeadline, Count, Snippet, Story
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.stories.topics import OTHER, section_topic
from tidings_portal.web import languages
from tidings_portal.web.app_state import App, HttpMiddleware, app_of
from tidings_portal.web.csrf import csrf_token
from tidings_portal.web.errors import HttpProblem, problem_of, problem_response, wants_json
from tidings_portal.web.headers import POLICY
from tidings_portal.web.icons import icon_at, names_of_sites
from tidings_portal.web.languages import translated_reason
from tidings_portal.web.pictures import picture_at
from tidings_portal.web.sessions import anonymous_session, visit_of
from tidings_portal.web.translations import LANGUAGES, words

_SECONDS: Final = 60
#: A site name that is a host name or URL is not used.
_HOST: Final = re.compile(r"(?:https?://)?(?:[a-z0-9_-]+\.)+[a-z0-9]+(?::\d+)?/?")


def site_name(app: App, article: ArticleHeadline) -> str:
    """Return the display name of the site of an article."""
    host = article.site.removeprefix("www.")
    name = article.site_name.strip()
    if name and not _HOST.fullmatch(name):
        return name
    return names_of_sites(app).get(host) or _titles(app).get(host, host)


def writers(app: App, article: ArticleHeadline) -> list[str]:
    """Return the authors of an article, without names of the outlet."""
    outlet = site_name(app, article).casefold()
    return [name for name in article.authors if name.casefold() != outlet]


def displayed_topic(item: ArticleHeadline | Story) -> str:
    """Return the topic of an article or a story, or that of its outlet's section; "" if neither is known.

    The outlet's own section name is displayed only without a topic, so that a page does not mix two schemes.
    """
    topic = item.topic if item.topic != OTHER else ""
    return topic or section_topic(item.category)


def _titles(app: App) -> Mapping[str, str]:
    return app.cache.get("titles of sites", lambda: _source_titles(app), _SECONDS)


def _source_titles(app: App) -> dict[str, str]:
    """Return the title of each site whose feeds all have the same title."""
    titles: defaultdict[str, set[str]] = defaultdict(set)
    for one in app.store.sources():
        if one.settings.title:
            titles[site_of(one.settings.address)].add(legal(one.settings.title))
    return {host: title for host, (title, *others) in titles.items() if host and not others}


#: Reading speed (238 words a minute: Brysbaert 2019, silent reading of non-fiction in English).
_WORDS_A_MINUTE: Final = 238


def minutes_of(words: int) -> int:
    """Return the reading time of a text in minutes."""
    return max(1, round(words / _WORDS_A_MINUTE))


#: Upper limit of the unread count.
MOST_UNREAD: Final = 999
_UNREAD_SECONDS: Final = 5
_KEY: Final = "unread"


def unread_in(app: App, person: str | None, articles: Iterable[ArticleHeadline | int]) -> Collection[int] | None:
    """Return the ids of the unread articles among some, or None if the visitor is not signed in."""
    if person is None:
        return None
    return app.store.unread_among(person, [one if isinstance(one, int) else one.id for one in articles])


def unread_count(app: App, person: str | None) -> Count | None:
    """Return the number of unread articles of the user's sources, or of all sources if the user has none.

    It equals the count of the reading list, its folders and the Google Reader API, in all languages.
    """
    if person is None:
        return None
    if person != LOCAL:
        return _counted(app, person)
    return app.cache.get(_KEY, lambda: _counted(app, LOCAL), _UNREAD_SECONDS)


def next_unread(app: App, person: str | None, except_id: int) -> ArticleHeadline | None:
    """Return the first unread article of the reading list other than `except_id`."""
    if person is None:
        return None
    found = app.store.unread(person, app.store.sources_read(person), limit=2, folded=True).items
    return next((one for one in found if one.id != except_id), None)


def recount(app: App, person: str) -> None:
    """Drop a user's cached unread count, after articles were read or sources changed."""
    if person == LOCAL:
        app.cache.forget()


def _counted(app: App, person: str) -> Count:
    return app.store.count_unread(person, app.store.sources_read(person), most=MOST_UNREAD)


def reading_languages(request: Request) -> tuple[str, ...] | None:
    """Return the languages of articles to show: from the query string, else the visitor's choice. None means all."""
    app, visit = app_of(request), visit_of(request)
    requested = legal(request.query_params.get("language", ""))[:200].split(",")
    if any(one.strip() for one in requested):
        return tuple(dict.fromkeys(one.strip()[:40] for one in requested if one.strip()))
    spoken = app.cache.get("languages", app.store.languages, _SECONDS)
    return tuple(one for one in visit.reading if one in spoken) or None


_PORTAL: Final = Path(str(files("tidings_portal.portal")))
STATIC: Final = _PORTAL / "static"
#: Placeholder for the CSRF token in cached pages. It is random, so that no article can contain it.
_TOKEN: Final = secrets.token_hex(20)
#: Placeholder for the URL of the page in cached template fragments.
_HERE: Final = secrets.token_hex(20)
#: Items on one page of a list.
PAGE: Final = 30
#: Lifetime of the cached navigation, in seconds.
_HEAD: Final = 30
_CATEGORIES: Final = 9
#: Placeholders for the start and the end of a search hit. In the text itself they become spaces.
_BEGIN: Final = "\x02"
_END: Final = "\x03"
_SIGNS: Final = {ord(_BEGIN): " ", ord(_END): " "}


@dataclass(frozen=True, slots=True)
class PageView:
    """The result of a page handler: a template name with the values to render."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    plays: bool = False  # allows audio and video from other sites


Handler = Callable[[Request], PageView | Response]


class _Uncacheable(Exception):
    """The result of a handler that must not be cached."""

    def __init__(self, result: PageView | Response) -> None:
        super().__init__(result)
        self.result = result


def page(handler: Handler, seconds: float = 0) -> Callable[[Request], Response]:
    """Return an endpoint for a handler. Pages are cached for `seconds` for visitors who are not signed in."""

    def endpoint(request: Request) -> Response:
        app, visit = app_of(request), visit_of(request)
        # Requests that change something may wait for the store, so they take no render slot.
        slot = app.render_slots if request.method in {"GET", "HEAD"} else nullcontext()
        if not seconds or visit.person not in {None, LOCAL}:
            with slot:
                result = handler(request)
                return result if isinstance(result, Response) else respond(request, result)

        def make() -> bytes:
            with slot:
                result = handler(request)
                if isinstance(result, Response) or result.status != 200:
                    raise _Uncacheable(result)
                return render(request, result)

        front_page_key = (visit.has_chosen, visit.since, visit.sections) if request.url.path == "/" else ()
        look = (visit.words.language, visit.theme, visit.person, visit.reading)
        key = (request.url.path, request.url.query, *look, *front_page_key)
        try:
            body = app.cache.get(key, make, seconds)
        except _Uncacheable as uncacheable:
            result = uncacheable.result
            return result if isinstance(result, Response) else respond(request, result)
        return _html_response(request, body, 200)

    endpoint.__name__ = handler.__name__
    return endpoint


def respond(request: Request, view: PageView) -> Response:
    """Return the response that shows a page."""
    response = _html_response(request, render(request, view), view.status)
    if view.plays:
        response.headers["content-security-policy"] = f"{POLICY}; media-src https: http:"
    return response


def _html_response(request: Request, body: bytes, status: int) -> Response:
    token = csrf_token(app_of(request), visit_of(request)) if "visit" in request.scope else ""
    body = body.replace(_TOKEN.encode(), token.encode())
    headers = {"cache-control": "private, no-cache", "vary": "Cookie, Accept-Language"}
    if status == 200:
        headers["etag"] = f'"{blake2b(body, digest_size=12).hexdigest()}"'
        if has_current_version(request, headers["etag"]):
            return Response(status_code=304, headers=headers)
    return Response(body, status, headers, media_type="text/html")


def has_current_version(request: Request, etag: str) -> bool:
    """Return whether If-None-Match contains an entity tag (RFC 9110, 13.1.2)."""
    tags = request.headers.get("if-none-match", "")[:10_000]
    return etag in {tag.strip().removeprefix("W/") for tag in tags.split(",")}


def render(request: Request, view: PageView) -> bytes:
    """Return a rendered page, with a placeholder for the CSRF token."""
    app = app_of(request)
    template = templates().get_template(view.template)
    common = _template_globals(request, app)
    html = template.render(common, **view.values).replace(_HERE, str(escape(common["here"])))
    return html.encode("utf-8", "replace")


@lru_cache(maxsize=512)
def _fragment(name: str, language: str, theme: str, is_signed_in: bool, path: str) -> Markup:
    """Return a rendered template fragment that many pages share."""
    template = templates().get_template(f"pieces/{name}.html")
    values = {
        "t": words(language),
        "theme": theme,
        "is_known": is_signed_in,
        "path": path,
        "here": _HERE,
        "token": _TOKEN,
    }
    return Markup(template.render(values, languages=LANGUAGES))  # noqa: S704  # a template escapes what it shows


#: Pages in the navigation.
_SECTIONS: Final = frozenset({"/", "/latest", "/most-read", "/events", "/trends", "/columnists", "/sources", "/read"})


def _template_globals(request: Request, app: App) -> dict[str, Any]:
    """Return the values that every template can use."""
    visit = request.scope.get("visit") or anonymous_session(request)
    now = app.now()
    section = request.url.path if request.url.path in _SECTIONS else ""
    return {
        "t": visit.words,
        "visit": visit,
        "settings": app.settings,
        "app": app,
        "now": now,
        "path": request.url.path,
        "piece": lambda name: _fragment(name, visit.words.language, visit.theme, bool(visit.person), section),
        "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        "query": dict(request.query_params),
        "languages": LANGUAGES,
        "token": _TOKEN,
        "static": static,
        "picture": partial(picture_at, app),
        "ago": lambda time: languages.ago(visit.words, time, now),
        "day": partial(languages.day, visit.words),
        "long_day": lambda time: languages.long_day(visit.words, time, now),
        "full_day": partial(languages.long_day, visit.words),
        "clock": languages.clock,
        "minutes_of": minutes_of,
        "icon": partial(icon_at, app),
        "moment": partial(languages.moment, visit.words),
        "number": visit.words.number,
        "nav_categories": lambda: current_topics(app),
        "query_reason": partial(translated_reason, visit.words),
        "site_name": partial(site_name, app),
        "writers": partial(writers, app),
        "displayed_topic": displayed_topic,
        "unread_in": partial(unread_in, app, visit.person),
        "unread_count": lambda: unread_count(app, visit.person),
        "with_query": partial(with_query, request),
    }


def current_topics(app: App) -> list[str]:
    """Return the topics with most articles, for the navigation bar."""
    return app.cache.get("topics", lambda: _topics(app), _HEAD)


def _topics(app: App) -> list[str]:
    counted = Counter({one.name: one.number for one in app.store.topics()})
    for one in () if counted else app.store.categories():  # a store whose articles have no topics yet
        if topic := section_topic(one.name):
            counted[topic] += one.number
    return [topic for topic, _ in counted.most_common(_CATEGORIES)]


def with_query(request: Request, **changed: str | int | None) -> str:
    """Return the URL of this page with some query parameters changed. None removes a parameter."""
    unchanged = {name: value for name, value in request.query_params.items() if name not in changed}
    query = {**unchanged, **{name: value for name, value in changed.items() if value is not None}}
    return request.url.path + (f"?{urlencode(query)}" if query else "")


@cache
def templates() -> Environment:
    """Return the template environment: values are escaped, undefined names are errors."""
    environment = Environment(
        loader=FileSystemLoader(_PORTAL / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["marked"] = marked
    environment.filters["segment"] = lambda name: quote(str(name), safe="")
    environment.filters["iso"] = lambda time: time.isoformat() if isinstance(time, datetime) else str(time)
    return environment


def marked(snippet: Snippet) -> Markup:
    """Return a snippet as escaped HTML, with the hits in `<mark>`."""
    text = snippet.text.translate(_SIGNS)
    parts: list[str] = []
    at = 0
    for start, end in snippet.marks:
        parts += [text[at:start], _BEGIN, text[start:end], _END]
        at = end
    # Escaped once for speed: this runs for every search result.
    whole = str(escape("".join((*parts, text[at:]))))
    return Markup(whole.replace(_BEGIN, "<mark>").replace(_END, "</mark>"))  # noqa: S704  # escaped above


@cache
def static(name: str) -> str:
    """Return the URL of a static file. It contains a digest of the content, so that browsers may cache it forever."""
    digest = blake2b(STATIC.joinpath(name).read_bytes(), digest_size=6).hexdigest()
    return f"/static/{digest}/{name}"


def cursor(request: Request) -> str | None:
    """Return the pagination cursor of the query string."""
    return request.query_params.get("after") or None


def number_in_path(request: Request) -> int | None:
    """Return the number in the path, or None if it is not a valid id."""
    value: str = request.path_params["number"]
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def error_response(request: Request, error: Exception) -> Response:
    """Return the response for an exception: an HTML page, or a problem document for API clients."""
    problem = problem_of(error)
    if wants_json(request):
        return problem_response(problem)
    values = {"key": problem.key, "detail": problem.detail, "status": problem.status}
    response = respond(request, PageView("problem.html", values, problem.status))
    response.headers.update(problem.headers)
    return response


class ErrorPages(HttpMiddleware):
    """Middleware that turns exceptions into error responses."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; respond to an exception unless a response has started."""
        has_started = False

        async def send_and_note(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except Exception as error:
            if has_started:
                raise
            await error_response(Request(scope), error)(scope, receive, send)


_FOR_EVER: Final = "public, max-age=31536000, immutable"


def static_file(request: Request) -> Response:
    """Serve a static file."""
    name = request.path_params["name"]
    if name not in {one.name for one in STATIC.iterdir()}:
        raise HttpProblem(404, "missing_page")
    is_current = static(name) == request.url.path
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    headers = {"cache-control": _FOR_EVER if is_current else "no-cache"}
    return Response(STATIC.joinpath(name).read_bytes(), headers=headers, media_type=kind)


def offline_worker(request: Request) -> Response:  # noqa: ARG001  # as all endpoints
    """Serve the service worker for offline reading. At `/`, its scope is the whole site."""
    body = STATIC.joinpath("offline.js").read_bytes().replace(b"{version}", static("portal.css").split("/")[2].encode())
    return Response(body, headers={"cache-control": "no-cache"}, media_type="text/javascript")


def offline(request: Request) -> PageView:  # noqa: ARG001  # as all pages
    """Show the page for URLs that are not available offline."""
    return PageView("offline.html")


ROUTES: Final = [
    Route("/static/{digest}/{name}", static_file, name="static"),
    Route("/offline.js", offline_worker),
    Route("/offline", page(offline)),
]
