"""The forms of the sources page: add, change, poll now, remove.

Adding looks at the address first, through the same guard as all that is fetched: what it is need not be known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.article.characters import legal
from tidings.errors import BadAddress, BadStatus, FetchError, InputError, TidingsError
from tidings.fetch import Kind, require
from tidings.fetch import Request as Asked
from tidings.fetch import Response as Answer
from tidings.fields.addresses import safe_picture
from tidings.news.accounts.current_user import only_who_runs
from tidings.news.portal.sources import INTERVALS, listed, source_asked, state_key
from tidings.news.recipes import DEFAULT_RECIPE, RecipeCatalogue
from tidings.news.selection import without_password
from tidings.news.store.records_of_work import NewSource, SourceKind
from tidings.news.watch.adding import KINDS, AddressSources, as_subscription, look_at, of_list
from tidings.news.watch.health import of_outcome
from tidings.news.web.app_state import App, app_of
from tidings.news.web.errors import HttpProblem, problem_of
from tidings.news.web.forms import posted, text, upload
from tidings.news.web.limits import take_turn
from tidings.news.web.pages import PageView, respond
from tidings.news.web.session import visit_of
from tidings.sources import read_opml, write_opml

#: Feeds that one page may offer at once.
_OFFERED: Final = 50
_LONGEST_NAME: Final = 200


async def add(request: Request) -> Response:
    """Add what is at an address; where its page offers feeds, ask which."""
    form = await changing(request)
    recipe = await run_in_threadpool(_recipe, request, form)
    chosen = _chosen(form, recipe)
    if chosen:
        return await run_in_threadpool(_put, request, chosen)
    told = NewSource(
        _completed(text(form, "address")), folder=name(form, "folder"), title=name(form, "title"), recipe=recipe
    )
    try:
        if not told.address:
            raise BadAddress(told.address, "there is no address")
        take_turn(request)
        found = await _looked(app_of(request), told, text(form, "kind"))
    except (TidingsError, HttpProblem) as error:
        return await run_in_threadpool(_again, request, form, error)
    if found.offers:
        return await run_in_threadpool(_ask, request, found)
    return await run_in_threadpool(_put, request, found.sources)


async def change(request: Request) -> Response:
    """Change what a source is called, where it stands, how often it is polled, and whether it is shown."""
    form = await changing(request)

    def work() -> Response:
        only_who_runs(request)
        app = app_of(request)
        kept = source_asked(request)
        minutes = text(form, "interval")
        allowed = {str(one): timedelta(minutes=one) for one in INTERVALS}
        if minutes not in allowed and minutes != "0" and kept.told.interval is not None:
            allowed[minutes] = kept.told.interval  # one of the command line's own
        told = replace(
            kept.told,
            title=name(form, "title"),
            folder=name(form, "folder"),
            interval=allowed.get(minutes),
            muted=text(form, "muted") == "yes",
            recipe=_recipe(request, form) if "recipe" in form else kept.told.recipe,
        )
        app.store.change_source(kept.id, told)
        app.shown.forget()
        return RedirectResponse(f"/sources/{kept.id}", 303)

    return await run_in_threadpool(work)


async def poll(request: Request) -> Response:
    """Poll a source now."""
    await changing(request)

    def work() -> Response:
        app = app_of(request)
        kept = source_asked(request)
        app.store.poll_again(kept.id, app.now())
        app.shown.forget()
        return RedirectResponse(f"/sources/{kept.id}", 303)

    return await run_in_threadpool(work)


def removal(request: Request) -> PageView:
    """The page that asks whether a source is really to go."""
    only_who_runs(request)
    kept = source_asked(request)
    values = {"one": kept, "articles": app_of(request).store.articles_by_source().get(kept.id, 0)}
    return PageView("source_removal.html", values)


async def remove(request: Request) -> Response:
    """Remove a source; its articles stay."""
    await changing(request)

    def work() -> Response:
        only_who_runs(request)
        app = app_of(request)
        app.store.remove_source(source_asked(request).id)
        app.shown.forget()
        return RedirectResponse("/sources", 303)

    return await run_in_threadpool(work)


async def changing(request: Request) -> FormData:
    """The form of somebody who may change sources.

    Raises:
        Problem: it is none of ours, or they may not.
    """
    form = await posted(request)
    try:
        only_people(request)
    except HttpProblem:
        await form.close()  # files that came with it
        raise
    return form


def only_people(request: Request) -> None:
    """See that somebody may change sources: those who are signed in, or whoever sits at this machine.

    Raises:
        Problem: they may not.
    """
    if visit_of(request).person is None:
        raise HttpProblem(401, "sign_in")


def name(form: FormData, field: str) -> str:
    """A title or a folder that somebody typed."""
    return legal(" ".join(text(form, field, _LONGEST_NAME).split()))


def put(request: Request, sources: Iterable[NewSource]) -> list[int]:
    """Add sources; with accounts they are the person's own from then on."""
    app, visit = app_of(request), visit_of(request)
    some = list(sources)
    numbers = app.store.add_sources(some, app.now())
    if visit.person is not None and not visit.is_local:
        for number, one in zip(numbers, some, strict=True):
            app.store.subscribe(number, visit.person, app.now(), folder=one.folder, title=one.title)
    app.shown.forget()
    return numbers


def _put(request: Request, sources: Sequence[NewSource]) -> Response:
    numbers = put(request, sources)
    return RedirectResponse(f"/sources/{numbers[0]}" if len(numbers) == 1 else "/sources", 303)


async def _looked(app: App, told: NewSource, kind: str) -> AddressSources:
    """What is at an address: found out by looking, or as somebody says; then too it must be there."""
    if kind not in KINDS:
        return await look_at(app.fetcher, told)
    answer = require(await app.fetcher.fetch(Asked(told.address, Kind.FEED)))
    return AddressSources((replace(told, address=answer.moved_to or told.address, kind=KINDS[kind]),))


def _completed(address: str) -> str:
    """An address as people type it: without a scheme it is one of the web."""
    is_bare = bool(address) and "://" not in address and ":" not in address.partition("/")[0]
    return f"https://{address}" if is_bare else address


def _recipe(request: Request, form: FormData) -> str:
    """The recipe that somebody chose; the default has no name."""
    said = text(form, "recipe", 60)
    known = RecipeCatalogue(app_of(request).store).names()
    return said if said in known and said != DEFAULT_RECIPE else ""


def _chosen(form: FormData, recipe: str) -> list[NewSource]:
    """The feeds, or the page itself, that somebody chose of those offered."""
    found = []
    for field, kind in (("feed", SourceKind.FEED), ("front", SourceKind.FRONT_PAGE)):
        for value in form.getlist(field)[:_OFFERED]:
            address = safe_picture(value[:2000]) if isinstance(value, str) else None
            if address:
                found.append(NewSource(address, kind, folder=name(form, "folder"), recipe=recipe))
    return found


def _ask(request: Request, found: AddressSources) -> Response:
    offers = [one for one in found.offers if safe_picture(one.address)][:_OFFERED]
    return respond(request, PageView("source_choice.html", {"front": found.sources[0], "offers": offers}))


def _again(request: Request, form: FormData, error: TidingsError | HttpProblem) -> Response:
    """The form once more, with what went wrong."""
    told = problem_of(error)
    if isinstance(error, InputError):
        key = "sources.no_source"
    elif isinstance(error, FetchError):
        answered = Answer(error.url, error.status, (), b"", Kind.FEED) if isinstance(error, BadStatus) else error
        key = state_key(visit_of(request).words, of_outcome(answered).state)
    else:
        key = f"problem.{told.key}"
    typed = {field: text(form, field) for field in ("address", "folder", "kind", "recipe")}
    shown = listed(request, {"typed": typed, "wrong": {"key": key, "detail": told.detail}}, told.status)
    response = respond(request, shown)
    response.headers.update(told.headers)
    return response


def download(request: Request) -> Response:
    """The list of sources. Passwords stay here, unless it is the one reader's own list."""
    app, is_local = app_of(request), visit_of(request).is_local
    told = [one.told for one in app.store.sources()]
    own = told if is_local else [replace(one, address=without_password(one.address)) for one in told]
    body = write_opml(map(as_subscription, own), app.settings.name)
    headers = {"content-disposition": 'attachment; filename="tidings.opml"', "cache-control": "private, no-cache"}
    return Response(body, headers=headers, media_type="text/x-opml")


async def import_(request: Request) -> Response:
    """Add all feeds of a list."""
    form = await changing(request)
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
        put(request, of_list(listing.feeds, NewSource("", folder=name(form, "folder"))))
        new = app.store.totals().sources - before
        return RedirectResponse(f"/sources?imported={new}", 303)

    return await run_in_threadpool(work)
