"""One's own paper: the languages one reads and the sections one wants, remembered by the browser and by the account."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from tidings.news.accounts.current_user import Answer, back
from tidings.news.portal.edition import topics
from tidings.news.web.app_state import app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.forms import text
from tidings.news.web.languages import language_name
from tidings.news.web.pages import PageView
from tidings.news.web.sessions import EVERY, READING, SECTIONS, cookie, languages_in, visit_of

_MOST: Final = 30


def paper(request: Request) -> PageView:
    """The page on which one chooses."""
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
    """Take over what somebody chose."""
    answer, is_both = back(form), text(form, "of") == "both"
    places = {one: text(form, f"place_{one}", 3) for one in topics()} if is_both else {}
    if not all(place.isascii() and place.isdigit() for place in places.values() if place):
        raise HttpProblem(400, "request")
    if is_both or text(form, "of") == "languages":
        chosen = [] if text(form, "every") else form.getlist("reading")
        wanted = [one for one in chosen if isinstance(one, str)][:_MOST]
        _keep(request, answer, READING, ".".join(languages_in(".".join(wanted))) or EVERY)
    if is_both:
        shown = sorted((int(place), topics().index(one), one) for one, place in places.items() if place and int(place))
        names = tuple(one for _, _, one in shown)
        _keep(request, answer, SECTIONS, "" if names == topics() else ".".join(names))
    return answer


def _keep(request: Request, answer: Response, name: str, value: str) -> None:
    app, visit = app_of(request), visit_of(request)
    answer.headers.append("set-cookie", cookie(app, name, value, *(() if value else (0,))))
    if visit.person is not None and not visit.is_local:
        app.store.set_preference(visit.person, name, value)
