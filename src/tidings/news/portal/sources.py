"""Sources: where the news comes from and how each of them is; and one source with what it brought.

The forms of the sources page: add, change, poll now, remove.

Adding looks at the address first, through the same guard as all that is fetched: what it is need not be known.
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

from tidings.article.characters import legal
from tidings.errors import BadStatus, FetchError, InputError, InvalidURL, TidingsError
from tidings.fetch import Kind
from tidings.fetch import Response as Answer
from tidings.fields.addresses import safe as safe_link
from tidings.fields.addresses import safe_picture
from tidings.news.accounts.current_user import only_who_runs, runs_the_house
from tidings.news.recipes.catalogue import RecipeCatalogue
from tidings.news.recipes.recipe import DEFAULT_RECIPE
from tidings.news.selection import source_name
from tidings.news.store.records_of_articles import ItemCounts, Only
from tidings.news.store.records_of_work import NewSource, Source, SourceKind
from tidings.news.watch.health import of_outcome, with_content
from tidings.news.watch.new_sources import KINDS, AddressSources, as_subscription, fetch_source, look_at, of_list
from tidings.news.watch.poll_source import own_headers
from tidings.news.watch.presence import watchers
from tidings.news.watch.sample_web import SETTING
from tidings.news.web.app_state import App, app_of
from tidings.news.web.errors import HttpProblem, problem_of
from tidings.news.web.forms import posted_form, text, upload
from tidings.news.web.limits import take_turn
from tidings.news.web.pages import PAGE, PageView, cursor, number_in_path, respond
from tidings.news.web.sessions import visit_of
from tidings.news.web.translations import Translation
from tidings.sources import read_opml, write_opml
from tidings.urls import URL, without_credentials

#: A source that was asked so lately is still being read: its pages come one by one. The first may take longer.
_READING, _FIRST = timedelta(seconds=15), timedelta(minutes=1)
#: How often one can have a source polled, in minutes. None: as often as it has news.
INTERVALS: Final = (15, 30, 60, 120, 360, 720, 1440)
_MINUTE: Final = timedelta(minutes=1)
_KINDS: Final = ("auto", "feed", "front", "sitemap")


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source as a person sees it."""

    source: Source
    name: str
    address: str  # without a password
    link: str  # where it leads; empty where it could run something
    articles: int
    teasers: int  # articles with only the teaser of the feed
    teaser_reason: str  # of the latest of them
    state: str  # the key of its words
    is_well: bool
    is_being_read: bool

    @property
    def id(self) -> int:
        """Its number."""
        return self.source.id


def sources(request: Request) -> PageView:
    """All sources, and the form that adds one."""
    return listed(request)


def listed(request: Request, values: Mapping[str, Any] | None = None, status: int = 200) -> PageView:
    """The page of all sources.

    Args:
        request: what was asked.
        values: what a form has to tell besides: what was typed, what went wrong.
        status: of the answer.
    """
    app, visit = app_of(request), visit_of(request)
    counts = app.store.item_counts()
    found = [seen(app, visit.words, one, counts.get(one.id)) for one in app.store.sources()]
    folders = [(folder, list(some)) for folder, some in groupby(found, key=lambda one: one.source.told.folder)]
    told: dict[str, Any] = {
        "folders": folders,
        "total": len(found),
        "ill": sum(not one.is_well for one in found),
        "may_change": visit.person is not None,
        "is_watched": is_watched(app),
        "is_waiting": any(one.is_being_read for one in found),
        "names": sorted({one.source.told.folder for one in found if one.source.told.folder}),
        "kinds": _KINDS,
        "recipes": RecipeCatalogue(app.store).names(),
        "typed": {},
        "wrong": None,
        "imported": _imported(request),
        "has_sample": bool(app.store.setting(SETTING)),
    }
    return PageView("sources.html", told | dict(values or {}), status)


def source(request: Request) -> PageView:
    """One source and its articles."""
    app, visit = app_of(request), visit_of(request)
    kept = source_asked(request)
    only = Only(source=kept.id, muted=True, reader=visit.person)
    found = app.store.articles(only, limit=PAGE, after=cursor(request))
    told = seen(app, visit.words, kept, app.store.item_counts().get(kept.id))
    interval = kept.told.interval
    return PageView(
        "source.html",
        {
            "one": told,
            "items": found.items,
            "after": found.after,
            "first": cursor(request) is None,
            "may_change": runs_the_house(request),
            "is_watched": is_watched(app),
            "intervals": INTERVALS,
            "recipes": RecipeCatalogue(app.store).names(),
            "interval": 0 if interval is None else max(1, interval // _MINUTE),
            "pace": max(1, kept.pace // _MINUTE),
            "proxy": without_credentials(kept.told.proxy) if kept.told.proxy else "",
        },
    )


def source_asked(request: Request) -> Source:
    """The source that an address names.

    Raises:
        Problem: there is none.
    """
    number = number_in_path(request)
    kept = app_of(request).store.source(number) if number is not None else None
    if kept is None:
        raise HttpProblem(404, "no_source")
    return kept


def seen(app: App, words: Translation, stored: Source, counts: ItemCounts | None) -> SourceStatus:
    """A source as a person sees it."""
    counts = counts or ItemCounts()
    one = with_content(stored, counts)
    address = legal(without_credentials(one.told.address))
    return SourceStatus(
        source=one,
        name=legal(source_name(one)),
        address=address,
        link=safe_link(address) or "",
        articles=counts.articles,
        teasers=counts.teasers,
        teaser_reason=counts.reason,
        state=state_key(words, one.state),
        is_well=not one.problem and not one.gone,
        is_being_read=is_being_read(stored, counts.articles, app.now()),
    )


def state_key(words: Translation, state: str) -> str:
    """The key of the words for how a source is; those for any trouble where there are no others."""
    key = f"state.{state.replace(' ', '_')}"
    return key if f"{key}.title" in words.texts else "state.failed"


def is_being_read(one: Source, articles: int, now: datetime) -> bool:
    """Whether its articles are about to appear: it is due, or was asked just now."""
    if one.gone or (one.problem and one.next_poll > now):
        return False
    if one.next_poll <= now:
        return True
    return one.last_success is not None and now - one.last_success < (_READING if articles else _FIRST)


def is_watched(app: App) -> bool:
    """Whether anybody polls the sources."""
    now = app.now()
    return any(watcher.is_alive(beat, now) for watcher, beat in watchers(app.store))


def _imported(request: Request) -> int | None:
    """How many sources a list has brought, after it was sent."""
    said = request.query_params.get("imported", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 7 else None


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
    told = NewSource(text(form, "address"), folder=name(form, "folder"), title=name(form, "title"), recipe=recipe)
    try:
        if not told.address:
            raise InvalidURL(told.address, "there is no address")
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
            takes_feed_text=text(form, "feed_text") == "yes",
            ignores_robots=text(form, "no_robots") == "yes",
            headers="" if text(form, "no_headers") == "yes" else _headers(form) or kept.told.headers,
            proxy=_proxy(form, kept),
        )
        app.store.change_source(kept.id, told)
        app.cache.forget()
        return RedirectResponse(f"/sources/{kept.id}", 303)

    return await run_in_threadpool(work)


def _headers(form: FormData) -> str:
    """Headers that somebody typed; they are never shown again.

    Raises:
        HttpProblem: a line is none.
    """
    lines = [line for line in text(form, "headers", 8000).splitlines() if line.strip()]
    found = own_headers("\n".join(lines))
    if len(found) != len(lines):
        raise HttpProblem(400, "headers")
    return "\n".join(f"{name}: {value}" for name, value in found)


def _proxy(form: FormData, kept: Source) -> str:
    """The proxy that somebody typed; the one that is there where only its password is not shown.

    Raises:
        InvalidURL: it is none.
    """
    said = text(form, "proxy", 500)
    if said and said == without_credentials(kept.told.proxy):
        return kept.told.proxy
    if said:
        URL.parse(said)
    return said


async def poll(request: Request) -> Response:
    """Poll a source now."""
    await changing(request)

    def work() -> Response:
        only_who_runs(request)
        app = app_of(request)
        kept = source_asked(request)
        app.store.poll_again(kept.id, app.now())
        app.cache.forget()
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
        app.cache.forget()
        return RedirectResponse("/sources", 303)

    return await run_in_threadpool(work)


async def changing(request: Request) -> FormData:
    """The form of somebody who may change sources.

    Raises:
        Problem: it is none of ours, or they may not.
    """
    form = await posted_form(request)
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
        app.store.begin_subscriptions(visit.person, app.now())
        for number, one in zip(numbers, some, strict=True):
            app.store.subscribe(number, visit.person, app.now(), folder=one.folder, title=one.title)
    elif visit.is_local:  # a list's folders are the reading list's, also of sources that were here before
        for number, one in zip(numbers, some, strict=True):
            kept = app.store.source(number) if one.folder else None
            if kept is not None and not kept.told.folder:
                app.store.change_source(number, replace(kept.told, folder=one.folder))
    app.cache.forget()
    return numbers


def _put(request: Request, sources: Sequence[NewSource]) -> Response:
    numbers = put(request, sources)
    return RedirectResponse(f"/sources/{numbers[0]}" if len(numbers) == 1 else "/sources", 303)


async def _looked(app: App, told: NewSource, kind: str) -> AddressSources:
    """What is at an address: found out by looking, or as somebody says; then too it must be there."""
    if kind not in KINDS:
        return await look_at(app.fetcher, told)
    address, _ = await fetch_source(app.fetcher, told.address)
    return AddressSources((replace(told, address=address, kind=KINDS[kind]),))


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
    own = told if is_local else [replace(one, address=without_credentials(one.address)) for one in told]
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
