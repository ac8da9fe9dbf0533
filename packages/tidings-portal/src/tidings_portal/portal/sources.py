"""Pages of the sources: the list with its states, a single source with its articles, and the forms that change them.

To add a source, its URL is fetched through the guard against internal addresses, and its kind (feed, front page,
sitemap) is detected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.article.formats.characters import legal
from tidings.errors import BadStatus, FetchError, InputError, InvalidURL, TidingsError
from tidings.fetch import Kind
from tidings.fetch import Response as Answer
from tidings.fields.urls.sanitise import safe as safe_link
from tidings.fields.urls.sanitise import safe_picture
from tidings.sources import read_opml, write_opml
from tidings.urls import URL, without_credentials
from tidings_portal.accounts.current_user import only_who_runs, runs_the_house
from tidings_portal.recipes.catalogue import RecipeCatalogue
from tidings_portal.recipes.recipe import DEFAULT_RECIPE
from tidings_portal.selection import source_name
from tidings_portal.store.records_of_articles import ItemCounts, Only
from tidings_portal.store.records_of_work import NewSource, Source, SourceKind
from tidings_portal.watch.health import of_outcome, with_content
from tidings_portal.watch.new_sources import KINDS, AddressSources, as_subscription, fetch_source, look_at, of_list
from tidings_portal.watch.poll_source import own_headers
from tidings_portal.watch.presence import watchers
from tidings_portal.watch.sample_web import SETTING
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem, problem_of
from tidings_portal.web.forms import posted_form, text, upload
from tidings_portal.web.limits import take_turn
from tidings_portal.web.pages import PAGE, PageView, cursor, number_in_path, respond
from tidings_portal.web.sessions import visit_of
from tidings_portal.web.translations import Translation

#: A source polled this recently is still being read, because its pages are fetched successively; and the first poll.
_READING, _FIRST = timedelta(seconds=15), timedelta(minutes=1)
#: Choices of the polling interval, in minutes.
INTERVALS: Final = (15, 30, 60, 120, 360, 720, 1440)
_MINUTE: Final = timedelta(minutes=1)
_KINDS: Final = ("auto", "feed", "front", "sitemap")


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source with the values that its page shows."""

    source: Source
    name: str
    address: str  # without a password
    link: str  # URL, empty if its scheme is not safe
    articles: int
    teasers: int  # articles with only the teaser of the feed
    teaser_reason: str  # of the latest teaser
    state: str  # message key
    is_well: bool
    is_being_read: bool

    @property
    def id(self) -> int:
        """Return the id of the source."""
        return self.source.id


def sources(request: Request) -> PageView:
    """Return the page of all sources, with the form to add a source."""
    return listed(request)


def listed(request: Request, values: Mapping[str, Any] | None = None, status: int = 200) -> PageView:
    """Return the page of all sources.

    Args:
        request: the request.
        values: further template values, such as the entered values and the error of a form.
        status: the HTTP status.
    """
    app, visit = app_of(request), visit_of(request)
    counts = app.store.item_counts()
    statuses = [status_of(app, visit.words, one, counts.get(one.id)) for one in app.store.sources()]
    folders = [(folder, list(some)) for folder, some in groupby(statuses, key=lambda one: one.source.settings.folder)]
    template_values: dict[str, Any] = {
        "folders": folders,
        "total": len(statuses),
        "ill": sum(not one.is_well for one in statuses),
        "may_change": visit.person is not None,
        "is_watched": is_watched(app),
        "is_waiting": any(one.is_being_read for one in statuses),
        "names": sorted({one.source.settings.folder for one in statuses if one.source.settings.folder}),
        "kinds": _KINDS,
        "recipes": RecipeCatalogue(app.store).names(),
        "typed": {},
        "wrong": None,
        "imported": _imported(request),
        "has_sample": bool(app.store.setting(SETTING)),
    }
    return PageView("sources.html", template_values | dict(values or {}), status)


def source(request: Request) -> PageView:
    """Return the page of a source and its articles."""
    app, visit = app_of(request), visit_of(request)
    stored = requested_source(request)
    only = Only(source=stored.id, muted=True, reader=visit.person)
    found = app.store.articles(only, limit=PAGE, after=cursor(request))
    status = status_of(app, visit.words, stored, app.store.item_counts().get(stored.id))
    interval = stored.settings.interval
    return PageView(
        "source.html",
        {
            "one": status,
            "items": found.items,
            "after": found.after,
            "first": cursor(request) is None,
            "may_change": runs_the_house(request),
            "is_watched": is_watched(app),
            "intervals": INTERVALS,
            "recipes": RecipeCatalogue(app.store).names(),
            "interval": 0 if interval is None else max(1, interval // _MINUTE),
            "pace": max(1, stored.pace // _MINUTE),
            "proxy": without_credentials(stored.settings.proxy) if stored.settings.proxy else "",
        },
    )


def requested_source(request: Request) -> Source:
    """Return the source whose id is in the URL path of a request.

    Raises:
        HttpProblem: 404 if it does not exist.
    """
    number = number_in_path(request)
    stored = app_of(request).store.source(number) if number is not None else None
    if stored is None:
        raise HttpProblem(404, "no_source")
    return stored


def status_of(app: App, words: Translation, stored: Source, counts: ItemCounts | None) -> SourceStatus:
    """Return a source with the values that its page shows."""
    counts = counts or ItemCounts()
    source = with_content(stored, counts)
    address = legal(without_credentials(source.settings.address))
    return SourceStatus(
        source=source,
        name=legal(source_name(source)),
        address=address,
        link=safe_link(address) or "",
        articles=counts.articles,
        teasers=counts.teasers,
        teaser_reason=counts.reason,
        state=state_key(words, source.state),
        is_well=not source.problem and not source.gone,
        is_being_read=is_being_read(stored, counts.articles, app.now()),
    )


def state_key(words: Translation, state: str) -> str:
    """Return the message key of a source state, or that of a general failure."""
    key = f"state.{state.replace(' ', '_')}"
    return key if f"{key}.title" in words.texts else "state.failed"


def is_being_read(source: Source, articles: int, now: datetime) -> bool:
    """Return whether new articles will appear soon: the source is due or was just polled."""
    if source.gone or (source.problem and source.next_poll > now):
        return False
    if source.next_poll <= now:
        return True
    return source.last_success is not None and now - source.last_success < (_READING if articles else _FIRST)


def is_watched(app: App) -> bool:
    """Return whether a watcher polls the sources."""
    now = app.now()
    return any(watcher.is_alive(beat, now) for watcher, beat in watchers(app.store))


def _imported(request: Request) -> int | None:
    """Return the number of sources imported by the preceding OPML upload, from the query string."""
    value = request.query_params.get("imported", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 7 else None


#: Maximum number of feeds offered from one page.
_OFFERED: Final = 50
_LONGEST_NAME: Final = 200


async def add(request: Request) -> Response:
    """Add the source at a URL. If its page links to several feeds, offer a choice."""
    form = await source_form(request)
    recipe = await run_in_threadpool(_recipe, request, form)
    chosen = _chosen(form, recipe)
    if chosen:
        return await run_in_threadpool(_add_and_redirect, request, chosen)
    new = NewSource(text(form, "address"), folder=name(form, "folder"), title=name(form, "title"), recipe=recipe)
    try:
        if not new.address:
            raise InvalidURL(new.address, "there is no address")
        take_turn(request)
        looked_up = await _resolve(app_of(request), new, text(form, "kind"))
    except (TidingsError, HttpProblem) as error:
        return await run_in_threadpool(_again, request, form, error)
    if looked_up.offers:
        return await run_in_threadpool(_offer_feeds, request, looked_up)
    return await run_in_threadpool(_add_and_redirect, request, looked_up.sources)


async def change(request: Request) -> Response:
    """Change title, folder, polling interval and other settings of a source."""
    form = await source_form(request)

    def work() -> Response:
        only_who_runs(request)
        app = app_of(request)
        stored = requested_source(request)
        minutes = text(form, "interval")
        allowed = {str(one): timedelta(minutes=one) for one in INTERVALS}
        if minutes not in allowed and minutes != "0" and stored.settings.interval is not None:
            allowed[minutes] = stored.settings.interval  # set on the command line
        changed = replace(
            stored.settings,
            title=name(form, "title"),
            folder=name(form, "folder"),
            interval=allowed.get(minutes),
            muted=text(form, "muted") == "yes",
            recipe=_recipe(request, form) if "recipe" in form else stored.settings.recipe,
            takes_feed_text=text(form, "feed_text") == "yes",
            ignores_robots=text(form, "no_robots") == "yes",
            headers="" if text(form, "no_headers") == "yes" else _headers(form) or stored.settings.headers,
            proxy=_proxy(form, stored),
        )
        app.store.change_source(stored.id, changed)
        app.cache.forget()
        return RedirectResponse(f"/sources/{stored.id}", 303)

    return await run_in_threadpool(work)


def _headers(form: FormData) -> str:
    """Return the entered request headers. They are never displayed again.

    Raises:
        HttpProblem: 400 if a line is not a header.
    """
    lines = [line for line in text(form, "headers", 8000).splitlines() if line.strip()]
    headers = own_headers("\n".join(lines))
    if len(headers) != len(lines):
        raise HttpProblem(400, "headers")
    return "\n".join(f"{name}: {value}" for name, value in headers)


def _proxy(form: FormData, stored: Source) -> str:
    """Return the entered proxy, or the stored one if it was left as displayed (without its password).

    Raises:
        InvalidURL: it is not a URL.
    """
    value = text(form, "proxy", 500)
    if value and value == without_credentials(stored.settings.proxy):
        return stored.settings.proxy
    if value:
        URL.parse(value)
    return value


async def poll(request: Request) -> Response:
    """Poll a source now."""
    await source_form(request)

    def work() -> Response:
        only_who_runs(request)
        app = app_of(request)
        stored = requested_source(request)
        app.store.poll_again(stored.id, app.now())
        app.cache.forget()
        return RedirectResponse(f"/sources/{stored.id}", 303)

    return await run_in_threadpool(work)


def removal(request: Request) -> PageView:
    """Return the page that confirms the removal of a source."""
    only_who_runs(request)
    stored = requested_source(request)
    values = {"one": stored, "articles": app_of(request).store.articles_by_source().get(stored.id, 0)}
    return PageView("source_removal.html", values)


async def remove(request: Request) -> Response:
    """Remove a source. Its articles stay."""
    await source_form(request)

    def work() -> Response:
        only_who_runs(request)
        app = app_of(request)
        app.store.remove_source(requested_source(request).id)
        app.cache.forget()
        return RedirectResponse("/sources", 303)

    return await run_in_threadpool(work)


async def source_form(request: Request) -> FormData:
    """Return the form of a signed-in user.

    Raises:
        HttpProblem: the CSRF token is invalid, or the visitor is not signed in.
    """
    form = await posted_form(request)
    try:
        require_user(request)
    except HttpProblem:
        await form.close()  # deletes the temporary files of uploads
        raise
    return form


def require_user(request: Request) -> None:
    """Raise an HTTP error unless a user is signed in, or the portal has no accounts.

    Raises:
        HttpProblem: 401 if the visitor is not signed in.
    """
    if visit_of(request).person is None:
        raise HttpProblem(401, "sign_in")


def name(form: FormData, field: str) -> str:
    """Return a title or folder name from a form."""
    return legal(" ".join(text(form, field, _LONGEST_NAME).split()))


def add_sources(request: Request, sources: Iterable[NewSource]) -> list[int]:
    """Add sources and return their ids. With accounts, subscribe the user to them."""
    app, visit = app_of(request), visit_of(request)
    new_sources = list(sources)
    numbers = app.store.add_sources(new_sources, app.now())
    if visit.person is not None and not visit.is_local:
        app.store.begin_subscriptions(visit.person, app.now())
        for number, new in zip(numbers, new_sources, strict=True):
            app.store.subscribe(number, visit.person, app.now(), folder=new.folder, title=new.title)
    elif visit.is_local:  # OPML folders apply to existing sources too
        for number, new in zip(numbers, new_sources, strict=True):
            stored = app.store.source(number) if new.folder else None
            if stored is not None and not stored.settings.folder:
                app.store.change_source(number, replace(stored.settings, folder=new.folder))
    app.cache.forget()
    return numbers


def _add_and_redirect(request: Request, sources: Sequence[NewSource]) -> Response:
    numbers = add_sources(request, sources)
    return RedirectResponse(f"/sources/{numbers[0]}" if len(numbers) == 1 else "/sources", 303)


async def _resolve(app: App, new: NewSource, kind: str) -> AddressSources:
    """Return the sources at a URL, of the chosen kind or by detection. The URL must respond in both cases."""
    if kind not in KINDS:
        return await look_at(app.fetcher, new)
    address, _ = await fetch_source(app.fetcher, new.address)
    return AddressSources((replace(new, address=address, kind=KINDS[kind]),))


def _recipe(request: Request, form: FormData) -> str:
    """Return the chosen recipe, or an empty string for the default."""
    value = text(form, "recipe", 60)
    names = RecipeCatalogue(app_of(request).store).names()
    return value if value in names and value != DEFAULT_RECIPE else ""


def _chosen(form: FormData, recipe: str) -> list[NewSource]:
    """Return the sources that a user selected from a page's feeds and the page itself."""
    chosen = []
    for field, kind in (("feed", SourceKind.FEED), ("front", SourceKind.FRONT_PAGE)):
        for value in form.getlist(field)[:_OFFERED]:
            address = safe_picture(value[:2000]) if isinstance(value, str) else None
            if address:
                chosen.append(NewSource(address, kind, folder=name(form, "folder"), recipe=recipe))
    return chosen


def _offer_feeds(request: Request, result: AddressSources) -> Response:
    offers = [one for one in result.offers if safe_picture(one.address)][:_OFFERED]
    return respond(request, PageView("source_choice.html", {"front": result.sources[0], "offers": offers}))


def _again(request: Request, form: FormData, error: TidingsError | HttpProblem) -> Response:
    """Return the form to add a source again, with an error."""
    problem = problem_of(error)
    if isinstance(error, InputError):
        key = "sources.no_source"
    elif isinstance(error, FetchError):
        answered = Answer(error.url, error.status, (), b"", Kind.FEED) if isinstance(error, BadStatus) else error
        key = state_key(visit_of(request).words, of_outcome(answered).state)
    else:
        key = f"problem.{problem.key}"
    typed = {field: text(form, field) for field in ("address", "folder", "kind", "recipe")}
    page_view = listed(request, {"typed": typed, "wrong": {"key": key, "detail": problem.detail}}, problem.status)
    response = respond(request, page_view)
    response.headers.update(problem.headers)
    return response


def download(request: Request) -> Response:
    """Export the sources as OPML. Passwords are included only in a portal without accounts."""
    app, is_local = app_of(request), visit_of(request).is_local
    exported = [one.settings for one in app.store.sources()]
    own = exported if is_local else [replace(one, address=without_credentials(one.address)) for one in exported]
    body = write_opml(map(as_subscription, own), app.settings.name)
    headers = {"content-disposition": 'attachment; filename="tidings.opml"', "cache-control": "private, no-cache"}
    return Response(body, headers=headers, media_type="text/x-opml")


async def import_(request: Request) -> Response:
    """Import an OPML file."""
    form = await source_form(request)
    data = await upload(form, "file")

    def work() -> Response:
        listing = read_opml(data)
        if not listing.feeds:
            why = "; ".join(map(str, listing.problems)) or "it names no feed"
            error = InputError(f"this is no list of feeds: {why}")
            wrong = {"key": "sources.no_list", "detail": str(error)}
            return respond(request, listed(request, {"wrong": wrong}, 400))
        app = app_of(request)
        before = app.store.totals().sources
        add_sources(request, of_list(listing.feeds, NewSource("", folder=name(form, "folder"))))
        new = app.store.totals().sources - before
        return RedirectResponse(f"/sources?imported={new}", 303)

    return await run_in_threadpool(work)
