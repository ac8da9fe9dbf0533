"""Settings of the front page: languages and sections, stored in cookies and in the account."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from tidings_portal.accounts.current_user import Answer, back
from tidings_portal.portal.edition import topics
from tidings_portal.web.app_state import app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.forms import text
from tidings_portal.web.languages import language_name
from tidings_portal.web.pages import PageView
from tidings_portal.web.sessions import EVERY, READING, SECTIONS, cookie, languages_in, visit_of

_MOST: Final = 30


def paper(request: Request) -> PageView:
    """Return the settings page."""
    app, visit = app_of(request), visit_of(request)
    spoken = app.cache.get("languages", app.store.languages, 60)
    chosen = visit.sections or topics()
    values = {
        "spoken": [(code, language_name(code)) for code in spoken],
        "reading": [code for code in visit.reading if code in spoken],
        "topics": [*chosen, *(one for one in topics() if one not in chosen)],
        "chosen": chosen,
    }
    return PageView("paper.html", values)


def change(request: Request, form: FormData) -> Answer:
    """Save the settings."""
    response, is_both = back(form), text(form, "of") == "both"
    places = {one: text(form, f"place_{one}", 3) for one in topics()} if is_both else {}
    if not all(place.isascii() and place.isdigit() for place in places.values() if place):
        raise HttpProblem(400, "request")
    if is_both or text(form, "of") == "languages":
        chosen = [] if text(form, "every") else form.getlist("reading")
        languages = [one for one in chosen if isinstance(one, str)][:_MOST]
        _remember(request, response, READING, ".".join(languages_in(".".join(languages))) or EVERY)
    if is_both:
        placed = sorted((int(place), topics().index(one), one) for one, place in places.items() if place and int(place))
        names = tuple(one for _, _, one in placed)
        _remember(request, response, SECTIONS, "" if names == topics() else ".".join(names))
    return response


def _remember(request: Request, response: Response, name: str, value: str) -> None:
    app, visit = app_of(request), visit_of(request)
    response.headers.append("set-cookie", cookie(app, name, value, *(() if value else (0,))))
    if visit.person is not None and not visit.is_local:
        app.store.set_preference(visit.person, name, value)
