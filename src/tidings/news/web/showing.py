"""Pages of the portal: a template and its values, made into an answer that is quick and safe.

A page handler is a plain function from a request to `Shown`; `page` makes an endpoint of it, which runs in a thread,
keeps what is shown for some seconds, and answers 304 to those who have it. Everything in a template is escaped.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, partial
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from tidings.news.store.records_of_articles import NameCount, Snippet
from tidings.news.web import times
from tidings.news.web.house import House, house_of
from tidings.news.web.own_reading import unread_count, unread_in
from tidings.news.web.pictures import picture_at
from tidings.news.web.query_reasons import in_words
from tidings.news.web.site_names import site_name
from tidings.news.web.visit import LOCAL, stranger, visit_of
from tidings.news.web.words import LANGUAGES

_PORTAL: Final = Path(str(files("tidings.news.portal")))
STATIC: Final = _PORTAL / "static"
#: Stands for the token of a form while a page is kept; random, so that no text of an article can be taken for it.
_TOKEN: Final = secrets.token_hex(20)
#: Seconds that what stands in the head of every page is kept.
_HEAD: Final = 30
_CATEGORIES: Final = 9
#: Stand for the ends of what is marked; in a text they are spaces.
_BEGIN: Final = "\x02"
_END: Final = "\x03"
_SIGNS: Final = {ord(_BEGIN): " ", ord(_END): " "}


@dataclass(frozen=True, slots=True)
class Shown:
    """A page to show."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200


Handler = Callable[[Request], Shown | Response]


class _NotKept(Exception):
    """What is not shown to the next one as well."""

    def __init__(self, shown: Shown | Response) -> None:
        super().__init__(shown)
        self.shown = shown


def page(handler: Handler, seconds: float = 0) -> Callable[[Request], Response]:
    """An endpoint of a handler; what it shows is shown again for so many seconds to those who read anonymously."""

    def endpoint(request: Request) -> Response:
        house, visit = house_of(request), visit_of(request)
        # What changes something may have to wait for the store, and others shall not wait for it.
        place = house.making if request.method in {"GET", "HEAD"} else nullcontext()
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

        key = (request.url.path, request.url.query, visit.words.language, visit.theme, visit.person)
        try:
            body = house.shown.get(key, make, seconds)
        except _NotKept as other:
            return other.shown if isinstance(other.shown, Response) else respond(request, other.shown)
        return _sent(request, body, 200)

    endpoint.__name__ = handler.__name__
    return endpoint


def respond(request: Request, shown: Shown) -> Response:
    """The answer that shows a page."""
    return _sent(request, render(request, shown), shown.status)


def _sent(request: Request, body: bytes, status: int) -> Response:
    token = visit_of(request).token(house_of(request)) if "visit" in request.scope else ""
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


def render(request: Request, shown: Shown) -> bytes:
    """A page as bytes, with a mark where the visitor's token goes."""
    house = house_of(request)
    template = templates().get_template(shown.template)
    return template.render(_common(request, house), **shown.values).encode("utf-8", "replace")


def _common(request: Request, house: House) -> dict[str, Any]:
    """What every template can use."""
    visit = request.scope.get("visit") or stranger(request)
    now = house.now()
    return {
        "t": visit.words,
        "visit": visit,
        "terms": house.terms,
        "house": house,
        "now": now,
        "path": request.url.path,
        "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        "query": dict(request.query_params),
        "languages": LANGUAGES,
        "token": _TOKEN,
        "static": static,
        "picture": partial(picture_at, house),
        "ago": lambda time: times.ago(visit.words, time, now),
        "day": partial(times.day, visit.words),
        "long_day": lambda time: times.long_day(visit.words, time, now),
        "full_day": partial(times.long_day, visit.words),
        "moment": partial(times.moment, visit.words),
        "number": visit.words.number,
        "nav_categories": lambda: categories(house),
        "query_reason": partial(in_words, visit.words),
        "site_name": partial(site_name, house),
        "unread_in": partial(unread_in, house, visit.person),
        "unread_count": lambda: unread_count(house, visit.person),
        "with_query": partial(with_query, request),
    }


def categories(house: House) -> list[NameCount]:
    """The largest categories, for the head of every page."""
    return house.shown.get("categories", house.store.categories, _HEAD)[:_CATEGORIES]


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
    whole = escape("".join((*parts, text[at:])))
    return whole.replace(_BEGIN, Markup("<mark>")).replace(_END, Markup("</mark>"))


@cache
def static(name: str) -> str:
    """Where a file of ours is; the address changes with its content, so that it can be kept for ever."""
    digest = blake2b(STATIC.joinpath(name).read_bytes(), digest_size=6).hexdigest()
    return f"/static/{digest}/{name}"
