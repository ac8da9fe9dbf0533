"""Who visits: the language they read, the look they like, a number for their forms, and their name if they gave one."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from tidings.news.web.app_state import App, HttpMiddleware, app_of
from tidings.news.web.words import LANGUAGES, Translation, wanted, words

#: The one reader of a portal without accounts.
LOCAL: Final = "local"
VISITOR, LANGUAGE, THEME, SESSION = "tidings_visitor", "tidings_language", "tidings_theme", "tidings_session"
DEVICE: Final = "tidings_device"  # `news.accounts.sessions`
THEMES: Final = ("", "light", "dark")  # empty: as the device likes it
_NUMBER: Final = re.compile("[0-9a-f]{32}")
_YEAR: Final = 31_536_000


@dataclass(frozen=True, slots=True)
class VisitorSession:
    """A visit. `person` is None for somebody who is not signed in, in a portal with accounts."""

    words: Translation
    theme: str = ""
    visitor: str = ""  # a random number, the same in all visits of one browser
    person: str | None = LOCAL
    session: str = ""  # what they are signed in by; forms belong to it

    @property
    def is_local(self) -> bool:
        """Whether this is a portal without accounts."""
        return self.person == LOCAL

    def token(self, app: App) -> str:
        """What forms of this visit carry, so that no other site can send them."""
        return app.sign("form", self.session or self.visitor)


def visit_of(connection: HTTPConnection) -> VisitorSession:
    """The visit that a request belongs to."""
    found: VisitorSession = connection.scope["visit"]
    return found


class VisitMiddleware(HttpMiddleware):
    """Finds out who visits, before anybody answers; a browser that has no number gets one."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its visit."""
        connection = HTTPConnection(scope)
        app = app_of(connection)
        visit = _seen(connection, app)
        is_new = not visit.visitor
        if is_new:
            visit = replace(visit, visitor=secrets.token_hex(16))
        if app.settings.accounts:
            visit = await _recognised(connection, app, visit)
        scope["visit"] = visit

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and is_new:
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", cookie(app, VISITOR, visit.visitor))
            await send(message)

        await self._app(scope, receive, sent)


def stranger(connection: HTTPConnection) -> VisitorSession:
    """Somebody who was refused before anybody asked who it is."""
    return VisitorSession(words(wanted(connection.headers.get("accept-language", ""))), person=None)


def cookie(app: App, name: str, value: str, seconds: int = _YEAR) -> str:
    """A Set-Cookie header: not for scripts, not for other sites' forms."""
    secure = "; Secure" if app.settings.is_secure else ""
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def _seen(connection: HTTPConnection, app: App) -> VisitorSession:
    cookies = connection.cookies
    language = cookies.get(LANGUAGE, "")
    if language not in LANGUAGES:
        language = wanted(connection.headers.get("accept-language", ""), app.settings.language)
    theme = cookies.get(THEME, "")
    number = cookies.get(VISITOR, "")
    return VisitorSession(
        words(language),
        theme if theme in THEMES else "",
        number if _NUMBER.fullmatch(number) else "",
    )


async def _recognised(connection: HTTPConnection, app: App, visit: VisitorSession) -> VisitorSession:
    session = connection.cookies.get(SESSION, "")[:200]
    person = await run_in_threadpool(app.recognise, session) if session else None
    return replace(visit, person=person, session=session if person else "")
