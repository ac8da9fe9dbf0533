"""Visitor sessions, read from cookies: the user who is signed in, the interface language, the theme and other choices.

Signing in and out is in `tidings_portal.accounts.sessions`.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from tidings_portal.web.app_state import App, HttpMiddleware, app_of
from tidings_portal.web.translations import LANGUAGES, Translation, accepted, best_language, words

#: The user key of a portal without accounts.
LOCAL: Final = "local"
VISITOR, LANGUAGE, THEME, SESSION = "tidings_visitor", "tidings_language", "tidings_theme", "tidings_session"
READING, SECTIONS, SEEN = "tidings_reading", "tidings_sections", "tidings_seen"
EVERY: Final = "*"  # all languages
DEVICE: Final = "tidings_device"  # `news.accounts.sessions`
THEMES: Final = ("", "light", "dark")  # empty: that of the device
_VISITOR_ID: Final = re.compile("[0-9a-f]{32}")
_YEAR: Final = 31_536_000
_TOPIC: Final = re.compile("[a-z]{2,30}")
_CODE: Final = re.compile("[a-z]{2,3}")
_VISIT_TIMES: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})", re.ASCII)
_VISIT_MINUTES: Final = 30


@dataclass(frozen=True, slots=True)
class VisitorSession:
    """A session of a visitor. `person` is None if the portal has accounts and the visitor is not signed in."""

    words: Translation
    theme: str = ""
    visitor: str = ""  # a random number, stored in the browser
    person: str | None = LOCAL
    session: str = ""  # the login session; CSRF tokens belong to it
    reading: tuple[str, ...] = ()  # languages of articles; empty: all
    has_chosen: bool = False  # whether `reading` was chosen here; else it is from Accept-Language
    sections: tuple[str, ...] = ()  # topics of the front page, in order; empty: all
    since: datetime | None = None  # the end of the previous visit

    @property
    def is_local(self) -> bool:
        """Return whether this is a portal without accounts."""
        return self.person == LOCAL


def visit_of(connection: HTTPConnection) -> VisitorSession:
    """Return the session of a request."""
    session: VisitorSession = connection.scope["visit"]
    return session


class VisitMiddleware(HttpMiddleware):
    """Middleware that reads the session of each request, and gives new visitors a number in a cookie."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its session."""
        connection = HTTPConnection(scope)
        app = app_of(connection)
        visit = _session_of(connection, app)
        is_new = not visit.visitor
        if is_new:
            visit = replace(visit, visitor=secrets.token_hex(16))
        old_session = connection.cookies.get(SESSION, "")
        if app.settings.accounts:
            visit = await _with_user(connection, app, visit)
        scope["visit"] = visit
        is_signed_in_now = bool(visit.session) and visit.session != old_session

        async def send_with_cookies(message: Message) -> None:
            if message["type"] == "http.response.start" and is_signed_in_now:
                MutableHeaders(scope=message).append("set-cookie", cookie(app, SESSION, visit.session))
            if message["type"] == "http.response.start" and is_new:
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", cookie(app, VISITOR, visit.visitor))
            await send(message)

        await self._app(scope, receive, send_with_cookies)


def anonymous_session(connection: HTTPConnection) -> VisitorSession:
    """Return an anonymous session, for a request that was refused before its cookies were read."""
    return VisitorSession(words(best_language(connection.headers.get("accept-language", ""))), person=None)


def cookie(app: App, name: str, value: str, seconds: int = _YEAR) -> str:
    """Return a Set-Cookie header value: `HttpOnly`, `SameSite=Lax`, and `Secure` if the portal is on https."""
    secure = "; Secure" if app.settings.is_secure else ""
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def _session_of(connection: HTTPConnection, app: App) -> VisitorSession:
    cookies = connection.cookies
    language = cookies.get(LANGUAGE, "")
    if language not in LANGUAGES:
        language = best_language(connection.headers.get("accept-language", ""), app.settings.language)
    theme = cookies.get(THEME, "")
    number = cookies.get(VISITOR, "")
    return VisitorSession(
        words(language),
        theme if theme in THEMES else "",
        number if _VISITOR_ID.fullmatch(number) else "",
        **_preferences(connection),
    )


def _preferences(connection: HTTPConnection) -> dict[str, Any]:
    chosen = connection.cookies.get(READING, "")[:200]
    accepted_languages = accepted(connection.headers.get("accept-language", ""))
    reading = languages_in(chosen) if chosen else tuple(dict.fromkeys(accepted_languages))
    sections = tuple(_TOPIC.findall(connection.cookies.get(SECTIONS, "")[:400]))
    return {"reading": reading, "has_chosen": bool(chosen), "sections": sections, "since": last_visit(connection)}


def languages_in(value: str) -> tuple[str, ...]:
    """Return the language codes of a dot-separated list; empty for `EVERY`."""
    return tuple(dict.fromkeys(code for code in value.lower().split(".") if _CODE.fullmatch(code)))


def last_visit(connection: HTTPConnection) -> datetime | None:
    """Return when the previous visit ended. A visit ends after half an hour without requests."""
    previous, last = _visit_times(connection)
    if not last:
        return None
    end = previous if _minutes(app_of(connection).now()) - last < _VISIT_MINUTES else last
    return datetime.fromtimestamp(end * 60, UTC) if end else None


def visit_cookie(connection: HTTPConnection) -> str:
    """Return the new value of the cookie `SEEN`: the end of the previous visit and the current time, in minutes."""
    previous, last = _visit_times(connection)
    now = _minutes(app_of(connection).now())
    return f"{previous if now - last < _VISIT_MINUTES else last}.{now}"


def _visit_times(connection: HTTPConnection) -> tuple[int, int]:
    match = _VISIT_TIMES.fullmatch(connection.cookies.get(SEEN, ""))
    now = _minutes(app_of(connection).now())
    return (min(int(match[1]), now), min(int(match[2]), now)) if match else (0, 0)


def _minutes(moment: datetime) -> int:
    return int(moment.timestamp() // 60)


async def _with_user(connection: HTTPConnection, app: App, visit: VisitorSession) -> VisitorSession:
    session = connection.cookies.get(SESSION, "")[:200]
    if app.settings.user_header and connection.scope.get("by_proxy"):
        # The trusted proxy alone decides who is signed in. A repeated header is not trusted (HOSTILE 41).
        names = connection.headers.getlist(app.settings.user_header)
        device = connection.headers.get("user-agent", "")
        name = names[0].encode("latin-1").decode("utf-8", "replace") if len(names) == 1 else ""
        user = await run_in_threadpool(app.recognise_named, name, session, device) if name else None
        return replace(visit, person=user[0] if user else None, session=user[1] if user else "")
    person = await run_in_threadpool(app.recognise, session) if session else None
    return replace(visit, person=person, session=session if person else "")
