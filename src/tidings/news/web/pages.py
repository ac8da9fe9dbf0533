"""Pages of the portal: a template and its values, made into an answer that is quick and safe.

A page handler is a plain function from a request to `Shown`; `page` makes an endpoint of it, which runs in a thread,
keeps what is shown for some seconds, and answers 304 to those who have it. Everything in a template is escaped.
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

from tidings.article.characters import legal
from tidings.news.store.records_of_articles import ArticleHeadline, Count, Snippet, Story
from tidings.news.store.records_of_people import LOCAL
from tidings.news.stories.topics import section_topic
from tidings.news.web import languages
from tidings.news.web.app_state import App, HttpMiddleware, app_of
from tidings.news.web.errors import HttpProblem, as_json, problem_of, wants_json
from tidings.news.web.headers import POLICY
from tidings.news.web.icons import icon_at, names_of_sites
from tidings.news.web.languages import in_words
from tidings.news.web.pictures import picture_at
from tidings.news.web.session import stranger, visit_of
from tidings.news.web.translations import LANGUAGES, Translation, words
from tidings.urls import site_of

_SECONDS: Final = 60
#: A name that is an address says nothing that people call the site.
_HOST: Final = re.compile(r"(?:https?://)?(?:[a-z0-9_-]+\.)+[a-z0-9]+(?::\d+)?/?")


def site_name(app: App, one: ArticleHeadline) -> str:
    """What to call the site of an article."""
    host = one.site.removeprefix("www.")
    name = one.site_name.strip()
    if name and not _HOST.fullmatch(name):
        return name
    return names_of_sites(app).get(host) or _titles(app).get(host, host)


def writers(app: App, one: ArticleHeadline) -> list[str]:
    """Those who wrote an article; its outlet, which stands beside them, is none of them."""
    outlet = site_name(app, one).casefold()
    return [name for name in one.authors if name.casefold() != outlet]


def outlet_category(said: Translation, one: ArticleHeadline | Story) -> str:
    """What its outlet calls the section of an article or a story, where that is more than its topic."""
    topic = said(f"topic.{one.topic}") if one.topic else ""
    return "" if one.category.casefold() == topic.casefold() else one.category


def _titles(app: App) -> Mapping[str, str]:
    return app.shown.get("titles of sites", lambda: _found(app), _SECONDS)


def _found(app: App) -> dict[str, str]:
    """The title of each site all of whose feeds have the same one."""
    titles: defaultdict[str, set[str]] = defaultdict(set)
    for one in app.store.sources():
        if one.told.title:
            titles[site_of(one.told.address)].add(legal(one.told.title))
    return {host: title for host, (title, *others) in titles.items() if host and not others}


#: Words that people read in a minute (238: Brysbaert 2019, silent reading of non-fiction in English).
_WORDS_A_MINUTE: Final = 238


def minutes_of(words: int) -> int:
    """How long it takes to read so many words."""
    return max(1, round(words / _WORDS_A_MINUTE))


#: Counted so far: a larger number tells nobody more.
MOST_UNREAD: Final = 999
_UNREAD_SECONDS: Final = 5
_KEY: Final = "unread"


def unread_in(app: App, person: str | None, articles: Iterable[ArticleHeadline | int]) -> Collection[int] | None:
    """The numbers of those of some articles that somebody has not read; None where nobody is known."""
    if person is None:
        return None
    return app.store.unread_among(person, [one if isinstance(one, int) else one.id for one in articles])


def unread_count(app: App, person: str | None) -> Count | None:
    """Return how much somebody has to read, of their own sources where there are any, else of all.

    It is the number of the reading list, of its folders and of the Google Reader API: no language is left out.
    """
    if person is None:
        return None
    if person != LOCAL:
        return _counted(app, person)
    return app.shown.get(_KEY, lambda: _counted(app, LOCAL), _UNREAD_SECONDS)


def next_unread(app: App, person: str | None, but: int) -> ArticleHeadline | None:
    """Return the first article of the reading list, other than the one that somebody reads."""
    if person is None:
        return None
    found = app.store.unread(person, app.store.sources_read(person), limit=2, folded=True).items
    return next((one for one in found if one.id != but), None)


def recount(app: App, person: str) -> None:
    """Somebody has read something, or reads other sources: the number is another one at once."""
    if person == LOCAL:
        app.shown.forget()


def _counted(app: App, person: str) -> Count:
    return app.store.count_unread(person, app.store.sources_read(person), most=MOST_UNREAD)


def reading_languages(request: Request) -> tuple[str, ...] | None:
    """The languages that somebody reads, of those there are: as the address says, else as they chose; None: all."""
    app, visit = app_of(request), visit_of(request)
    asked = legal(request.query_params.get("language", ""))[:200].split(",")
    if any(one.strip() for one in asked):
        return tuple(dict.fromkeys(one.strip()[:40] for one in asked if one.strip()))
    spoken = app.shown.get("languages", app.store.languages, _SECONDS)
    return tuple(one for one in visit.reading if one in spoken) or None


_PORTAL: Final = Path(str(files("tidings.news.portal")))
STATIC: Final = _PORTAL / "static"
#: Stands for the token of a form while a page is kept; random, so that no text of an article can be taken for it.
_TOKEN: Final = secrets.token_hex(20)
#: Stands for the address of a page in pieces that many pages have.
_HERE: Final = secrets.token_hex(20)
#: Items on one page of a list.
PAGE: Final = 30
#: Seconds that what stands in the head of every page is kept.
_HEAD: Final = 30
_CATEGORIES: Final = 9
#: Stand for the ends of what is marked; in a text they are spaces.
_BEGIN: Final = "\x02"
_END: Final = "\x03"
_SIGNS: Final = {ord(_BEGIN): " ", ord(_END): " "}


@dataclass(frozen=True, slots=True)
class PageView:
    """A page to show."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    plays: bool = False  # sound or video of elsewhere, when somebody presses the button


Handler = Callable[[Request], PageView | Response]


class _NotKept(Exception):
    """What is not shown to the next one as well."""

    def __init__(self, shown: PageView | Response) -> None:
        super().__init__(shown)
        self.shown = shown


def page(handler: Handler, seconds: float = 0) -> Callable[[Request], Response]:
    """An endpoint of a handler; what it shows is shown again for so many seconds to those who read anonymously."""

    def endpoint(request: Request) -> Response:
        app, visit = app_of(request), visit_of(request)
        # What changes something may have to wait for the store, and others shall not wait for it.
        place = app.making if request.method in {"GET", "HEAD"} else nullcontext()
        if not seconds or visit.person not in {None, LOCAL}:
            with place:
                shown = handler(request)
                return shown if isinstance(shown, Response) else respond(request, shown)

        def make() -> bytes:
            with place:
                shown = handler(request)
                if isinstance(shown, Response) or shown.status != 200:
                    raise _NotKept(shown)
                return render(request, shown)

        of_front = (visit.has_chosen, visit.since, visit.sections) if request.url.path == "/" else ()
        look = (visit.words.language, visit.theme, visit.person, visit.reading)
        key = (request.url.path, request.url.query, *look, *of_front)
        try:
            body = app.shown.get(key, make, seconds)
        except _NotKept as other:
            return other.shown if isinstance(other.shown, Response) else respond(request, other.shown)
        return _sent(request, body, 200)

    endpoint.__name__ = handler.__name__
    return endpoint


def respond(request: Request, shown: PageView) -> Response:
    """The answer that shows a page."""
    answer = _sent(request, render(request, shown), shown.status)
    if shown.plays:
        answer.headers["content-security-policy"] = f"{POLICY}; media-src https: http:"
    return answer


def _sent(request: Request, body: bytes, status: int) -> Response:
    token = visit_of(request).token(app_of(request)) if "visit" in request.scope else ""
    body = body.replace(_TOKEN.encode(), token.encode())
    headers = {"cache-control": "private, no-cache", "vary": "Cookie, Accept-Language"}
    if status == 200:
        headers["etag"] = f'"{blake2b(body, digest_size=12).hexdigest()}"'
        if is_known(request, headers["etag"]):
            return Response(status_code=304, headers=headers)
    return Response(body, status, headers, media_type="text/html")


def is_known(request: Request, etag: str) -> bool:
    """Whether the one who asks has it already (RFC 9110, 13.1.2)."""
    asked = request.headers.get("if-none-match", "")[:10_000]
    return etag in {tag.strip().removeprefix("W/") for tag in asked.split(",")}


def render(request: Request, shown: PageView) -> bytes:
    """A page as bytes, with a mark where the visitor's token goes."""
    app = app_of(request)
    template = templates().get_template(shown.template)
    common = _common(request, app)
    made = template.render(common, **shown.values).replace(_HERE, str(escape(common["here"])))
    return made.encode("utf-8", "replace")


@lru_cache(maxsize=512)
def _piece(name: str, language: str, theme: str, is_known: bool, path: str) -> Markup:
    """A piece that is the same on many pages, made once: it knows no more of them than this."""
    template = templates().get_template(f"pieces/{name}.html")
    told = {"t": words(language), "theme": theme, "is_known": is_known, "path": path, "here": _HERE, "token": _TOKEN}
    return Markup(template.render(told, languages=LANGUAGES))  # noqa: S704  # a template escapes what it shows


#: Pages that stand in the head of every page.
_SECTIONS: Final = frozenset({"/", "/latest", "/most-read", "/events", "/trends", "/columnists", "/sources", "/read"})


def _common(request: Request, app: App) -> dict[str, Any]:
    """What every template can use."""
    visit = request.scope.get("visit") or stranger(request)
    now = app.now()
    section = request.url.path if request.url.path in _SECTIONS else ""
    return {
        "t": visit.words,
        "visit": visit,
        "settings": app.settings,
        "app": app,
        "now": now,
        "path": request.url.path,
        "piece": lambda name: _piece(name, visit.words.language, visit.theme, bool(visit.person), section),
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
        "query_reason": partial(in_words, visit.words),
        "site_name": partial(site_name, app),
        "writers": partial(writers, app),
        "outlet_category": partial(outlet_category, visit.words),
        "unread_in": partial(unread_in, app, visit.person),
        "unread_count": lambda: unread_count(app, visit.person),
        "with_query": partial(with_query, request),
    }


def current_topics(app: App) -> list[str]:
    """The topics that most is told of, for the head of every page."""
    return app.shown.get("topics", lambda: _topics(app), _HEAD)


def _topics(app: App) -> list[str]:
    counted = Counter({one.name: one.number for one in app.store.topics()})
    for one in () if counted else app.store.categories():  # a store that nobody has asked yet
        if topic := section_topic(one.name):
            counted[topic] += one.number
    return [topic for topic, _ in counted.most_common(_CATEGORIES)]


def with_query(request: Request, **changed: str | int | None) -> str:
    """The address of this page with some parameters changed; None takes one away."""
    kept = {name: value for name, value in request.query_params.items() if name not in changed}
    asked = {**kept, **{name: value for name, value in changed.items() if value is not None}}
    return request.url.path + (f"?{urlencode(asked)}" if asked else "")


@cache
def templates() -> Environment:
    """The templates: everything escaped, a name that is not there is an error."""
    made = Environment(
        loader=FileSystemLoader(_PORTAL / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["marked"] = marked
    made.filters["segment"] = lambda name: quote(str(name), safe="")
    made.filters["iso"] = lambda time: time.isoformat() if isinstance(time, datetime) else str(time)
    return made


def marked(snippet: Snippet) -> Markup:
    """A snippet with what was found in it marked; its text is escaped as any other."""
    text = snippet.text.translate(_SIGNS)
    parts: list[str] = []
    at = 0
    for start, end in snippet.marks:
        parts += [text[at:start], _BEGIN, text[start:end], _END]
        at = end
    # Escaped as a whole, as it is done for every answer of a search.
    whole = str(escape("".join((*parts, text[at:]))))
    return Markup(whole.replace(_BEGIN, "<mark>").replace(_END, "</mark>"))  # noqa: S704  # escaped above


@cache
def static(name: str) -> str:
    """Where a file of ours is; the address changes with its content, so that it can be kept for ever."""
    digest = blake2b(STATIC.joinpath(name).read_bytes(), digest_size=6).hexdigest()
    return f"/static/{digest}/{name}"


def cursor(request: Request) -> str | None:
    """Where a list goes on."""
    return request.query_params.get("after") or None


def number_asked(request: Request) -> int | None:
    """The number in an address; None where it is none that anything can have."""
    said: str = request.path_params["number"]
    return int(said) if said.isascii() and said.isdigit() and len(said) < 16 else None


def answer(request: Request, error: Exception) -> Response:
    """The answer to a request that went wrong."""
    told = problem_of(error)
    if wants_json(request):
        return as_json(told)
    values = {"key": told.key, "detail": told.detail, "status": told.status}
    response = respond(request, PageView("problem.html", values, told.status))
    response.headers.update(told.headers)
    return response


class ErrorPages(HttpMiddleware):
    """Answers for those who could not."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; where nothing was answered, say what happened."""
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception as error:
            if begun:
                raise
            await answer(Request(scope), error)(scope, receive, send)


_FOR_EVER: Final = "public, max-age=31536000, immutable"


def static_file(request: Request) -> Response:
    """A file of ours."""
    name = request.path_params["name"]
    if name not in {one.name for one in STATIC.iterdir()}:
        raise HttpProblem(404, "missing_page")
    is_current = static(name) == request.url.path
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    headers = {"cache-control": _FOR_EVER if is_current else "no-cache"}
    return Response(STATIC.joinpath(name).read_bytes(), headers=headers, media_type=kind)


def offline_worker(request: Request) -> Response:  # noqa: ARG001  # as all endpoints
    """The script that keeps what was opened or saved for when there is no network; its place makes it everybody's."""
    body = STATIC.joinpath("offline.js").read_bytes().replace(b"{version}", static("portal.css").split("/")[2].encode())
    return Response(body, headers={"cache-control": "no-cache"}, media_type="text/javascript")


def offline(request: Request) -> PageView:  # noqa: ARG001  # as all pages
    """What is shown where a page was not kept."""
    return PageView("offline.html")


ROUTES: Final = [
    Route("/static/{digest}/{name}", static_file, name="static"),
    Route("/offline.js", offline_worker),
    Route("/offline", page(offline)),
]
