"""Lists of feeds in and out (OPML), as other feed readers write them and want them."""

from __future__ import annotations

from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.errors import InputError
from tidings.news.names import without_password
from tidings.news.portal.source_forms import changing, name, put
from tidings.news.portal.sources import listed
from tidings.news.store.records_of_work import NewSource
from tidings.news.watch.adding import as_subscription, of_list
from tidings.news.web.forms import upload
from tidings.news.web.house import house_of
from tidings.news.web.showing import respond
from tidings.news.web.visit import visit_of
from tidings.sources import read_opml, write_opml


def download(request: Request) -> Response:
    """The list of sources. Passwords stay here, unless it is the one reader's own list."""
    house, is_local = house_of(request), visit_of(request).is_local
    told = [one.told for one in house.store.sources()]
    own = told if is_local else [replace(one, address=without_password(one.address)) for one in told]
    body = write_opml(map(as_subscription, own), house.terms.name)
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
        house = house_of(request)
        before = house.store.totals().sources
        put(request, of_list(listing.feeds, NewSource("", folder=name(form, "folder"))))
        new = house.store.totals().sources - before
        return RedirectResponse(f"/sources?imported={new}", 303)

    return await run_in_threadpool(work)
