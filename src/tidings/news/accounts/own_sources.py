"""One's own sources: which of the portal's sources somebody reads, in folders and under titles of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from tidings.news.accounts.current_user import Answer, back, person_key
from tidings.news.selection import source_name, without_password
from tidings.news.store.records_of_people import Subscription
from tidings.news.store.records_of_work import Source
from tidings.news.watch.adding import as_subscription
from tidings.news.web.app_state import app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.forms import number_in, text
from tidings.news.web.pages import PageView, recount
from tidings.sources import write_opml

_PAGE = "/my/sources"
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class OwnSourceRow:
    """A source as somebody sees it in a list; never with the password of a private feed."""

    number: int
    name: str
    address: str
    plain_name: str  # as the source is called; `name` may be their own
    title: str = ""
    folder: str = ""
    unread: int = 0


def own_sources(request: Request) -> Answer:
    """Somebody's own sources by folder, and those that they could add."""
    store = app_of(request).store
    own = store.subscriptions(person_key(request))
    known = {one.source.id for one in own}
    lines = [_own(one) for one in own]
    values = {
        "folders": [(name, list(part)) for name, part in groupby(lines, key=lambda one: one.folder)],
        "names": folders_of(own),
        "others": [_other(one) for one in store.sources() if one.id not in known],
    }
    return PageView("accounts/own_sources.html", values)


def own_list(request: Request) -> Answer:
    """Somebody's own sources, under their own titles and folders, as other feed readers take them (OPML)."""
    app = app_of(request)
    lines = [(one.source.told, _own(one)) for one in app.store.subscriptions(person_key(request), most_unread=0)]
    told = [replace(source, title=own.name, folder=own.folder, address=own.address) for source, own in lines]
    headers = {"content-disposition": 'attachment; filename="my-sources.opml"', "cache-control": "private, no-cache"}
    return Response(
        write_opml(map(as_subscription, told), app.settings.name), headers=headers, media_type="text/x-opml"
    )


def subscribe(request: Request, form: FormData) -> Answer:
    """A source becomes one's own, or goes to another folder."""
    app = app_of(request)
    folder, title = text(form, "folder", _LONGEST_NAME), text(form, "title", _LONGEST_NAME)
    source = number_in(form, "source")
    if not app.store.subscribe(source, person_key(request), app.now(), folder=folder, title=title):
        if app.store.source(source) is None:
            raise HttpProblem(404, "no_source")
        raise HttpProblem(409, "too_many")
    recount(app, person_key(request))
    return back(form, _PAGE)


def unsubscribe(request: Request, form: FormData) -> Answer:
    """A source is one's own no more."""
    app, person = app_of(request), person_key(request)
    if not app.store.unsubscribe(number_in(form, "source"), person):
        raise HttpProblem(404, "no_source")
    recount(app, person)
    return back(form, _PAGE)


def rename_folder(request: Request, form: FormData) -> Answer:
    """Call a folder something else."""
    old, new = text(form, "folder", _LONGEST_NAME), text(form, "name", _LONGEST_NAME)
    if not old or not app_of(request).store.rename_folder(old, new, person_key(request)):
        raise HttpProblem(404, "missing_page")
    return back(form, _PAGE)


def folders_of(own: Sequence[Subscription]) -> list[str]:
    """The names of somebody's folders."""
    return sorted({one.folder for one in own if one.folder}, key=str.casefold)


def sources_in(own: Sequence[Subscription], folder: str, source: str) -> list[int] | None:
    """The numbers of those of somebody's own sources that are in a folder, or are one; None: all there is to read.

    Raises:
        Problem: they have no such folder or source.
    """
    found = [
        one.source.id
        for one in own
        if (not folder or one.folder == folder) and (not source or str(one.source.id) == source)
    ]
    if not found and (folder or source):
        raise HttpProblem(404, "no_source")
    return found or None


def _own(one: Subscription) -> OwnSourceRow:
    source = _other(one.source)
    return replace(source, name=one.title or source.name, title=one.title, folder=one.folder, unread=one.unread)


def _other(one: Source) -> OwnSourceRow:
    return OwnSourceRow(
        one.id, source_name(one), without_password(one.told.address), source_name(one), folder=one.told.folder
    )
