"""Who visits: the language they read, the look they like, a number for their forms, and their name if they gave one."""

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

from tidings.news.web.app_state import App, HttpMiddleware, app_of
from tidings.news.web.translations import LANGUAGES, Translation, accepted, wanted, words

#: The one reader of a portal without accounts.
LOCAL: Final = "local"
VISITOR, LANGUAGE, THEME, SESSION = "tidings_visitor", "tidings_language", "tidings_theme", "tidings_session"
READING, SECTIONS, SEEN = "tidings_reading", "tidings_sections", "tidings_seen"
EVERY: Final = "*"  # all languages
DEVICE: Final = "tidings_device"  # `news.accounts.sessions`
THEMES: Final = ("", "light", "dark")  # empty: as the device likes it
_NUMBER: Final = re.compile("[0-9a-f]{32}")
_YEAR: Final = 31_536_000
_TOPIC: Final = re.compile("[a-z]{2,30}")
_CODE: Final = re.compile("[a-z]{2,3}")
_LOOKS: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})", re.ASCII)
_VISIT: Final = 30  # minutes


@dataclass(frozen=True, slots=True)
class VisitorSession:
    """A visit. `person` is None for somebody who is not signed in, in a portal with accounts."""

    words: Translation
    theme: str = ""
    visitor: str = ""  # a random number, the same in all visits of one browser
    person: str | None = LOCAL
    session: str = ""  # what they are signed in by; forms belong to it
    reading: tuple[str, ...] = ()  # the languages they read; none: all
    has_chosen: bool = False  # they said so; else their browser did
    sections: tuple[str, ...] = ()  # the topics of their front page, in their order; none: all
    since: datetime | None = None  # when they last looked at the front page, a while ago

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
        before = connection.cookies.get(SESSION, "")
        if app.settings.accounts:
            visit = await _recognised(connection, app, visit)
        scope["visit"] = visit
        is_let_in = bool(visit.session) and visit.session != before

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and is_let_in:
                MutableHeaders(scope=message).append("set-cookie", cookie(app, SESSION, visit.session))
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
        **_liked(connection),
    )


def _liked(connection: HTTPConnection) -> dict[str, Any]:
    """The languages somebody reads, as they chose or as their browser asks for; and when they were here last."""
    chosen = connection.cookies.get(READING, "")[:200]
    asked = accepted(connection.headers.get("accept-language", ""))
    reading = languages_in(chosen) if chosen else tuple(dict.fromkeys(asked))
    sections = tuple(_TOPIC.findall(connection.cookies.get(SECTIONS, "")[:400]))
    return {"reading": reading, "has_chosen": bool(chosen), "sections": sections, "since": last_look(connection)}


def languages_in(said: str) -> tuple[str, ...]:
    """The languages of a list with dots between them; none where it says all."""
    return tuple(dict.fromkeys(one for one in said.lower().split(".") if _CODE.fullmatch(one)))


def last_look(connection: HTTPConnection) -> datetime | None:
    """When somebody looked before this visit; a visit lasts half an hour."""
    before, last = _looks(connection)
    if not last:
        return None
    then = before if _minutes(app_of(connection).now()) - last < _VISIT else last
    return datetime.fromtimestamp(then * 60, UTC) if then else None


def looked(connection: HTTPConnection) -> str:
    """What is remembered of somebody who looks now: the end of the last visit, and this moment, in minutes."""
    before, last = _looks(connection)
    now = _minutes(app_of(connection).now())
    return f"{before if now - last < _VISIT else last}.{now}"


def _looks(connection: HTTPConnection) -> tuple[int, int]:
    found = _LOOKS.fullmatch(connection.cookies.get(SEEN, ""))
    now = _minutes(app_of(connection).now())
    return (min(int(found[1]), now), min(int(found[2]), now)) if found else (0, 0)


def _minutes(moment: datetime) -> int:
    return int(moment.timestamp() // 60)


async def _recognised(connection: HTTPConnection, app: App, visit: VisitorSession) -> VisitorSession:
    session = connection.cookies.get(SESSION, "")[:200]
    if app.settings.user_header and connection.scope.get("by_proxy"):
        # Whom a named proxy has let in; what it says is all that counts, and it says it once (HOSTILE 41).
        names = connection.headers.getlist(app.settings.user_header)
        device = connection.headers.get("user-agent", "")
        name = names[0].encode("latin-1").decode("utf-8", "replace") if len(names) == 1 else ""
        found = await run_in_threadpool(app.recognise_named, name, session, device) if name else None
        return replace(visit, person=found[0] if found else None, session=found[1] if found else "")
    person = await run_in_threadpool(app.recognise, session) if session else None
    return replace(visit, person=person, session=session if person else "")
