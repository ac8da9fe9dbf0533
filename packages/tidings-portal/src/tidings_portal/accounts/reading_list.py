"""The reading list: unread articles by folder, source and label, and the forms that change it.

Articles can be marked as read individually, by scrolling, all at once, or by age. The last bulk change can be undone.
Users can give articles labels and a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from tidings.article.formats.characters import legal
from tidings.urls import site_of
from tidings_portal.accounts.account import folders_of, subscriptions_of
from tidings_portal.accounts.current_user import Answer, back, person_key
from tidings_portal.selection import source_name
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import ArticleHeadline, Count, Listed
from tidings_portal.store.records_of_people import Subscription
from tidings_portal.store.verbs.streams import MOST_NOTE, StreamQuery
from tidings_portal.web.app_state import app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.forms import number_in, text
from tidings_portal.web.pages import MOST_UNREAD, PAGE, PageView, cursor, number_in_path, recount

#: Days after which one may have what is older marked as read.
AGES: Final = (1, 3, 7, 30)
#: Of one source, counted so far.
_MOST: Final = 99
_SCROLLING: Final = "scrolling"
#: Articles that one message of a browser may mark.
_AT_ONCE: Final = 100
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class ListedSource:
    """A source in the sidebar of the reading list."""

    number: int
    name: str
    site: str
    unread: int


@dataclass(frozen=True, slots=True)
class ListedFolder:
    """A folder in the sidebar. Without a name, it has the sources that are in no folder."""

    name: str
    sources: tuple[ListedSource, ...]
    unread: int = 0  # of all its sources; an article of two of them counts once
    is_more: bool = False  # it was not counted to its end


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The filters and the order of the list."""

    folder: str = ""
    source: str = ""
    label: str = ""
    notes: str = ""
    order: str = ""  # "old": the oldest first
    show: str = ""  # "all": what is read too

    @classmethod
    def of(cls, request: Request) -> ListQuery:
        """Return the query from the URL parameters of a request."""
        asked = {name: legal(request.query_params.get(name, ""))[:_LONGEST] for name in cls.__slots__}
        return cls(**asked)

    @property
    def is_everything(self) -> bool:
        """Return whether no filter is set, so that the list has all unread articles."""
        return not (self.folder or self.source or self.label or self.notes)


def unread(request: Request) -> Answer:
    """Return the reading list: unread articles of a folder or source, or articles with a label or note."""
    store, person = app_of(request).store, person_key(request)
    own = subscriptions_of(store, person, most_unread=_MOST)
    asked = ListQuery.of(request)
    read = store.sources_read(person)
    sources = read if asked.is_everything else sources_in(own, asked.folder, asked.source)
    found = _matching_articles(request, person, asked, sources)
    counts_all = not (asked.label or asked.notes)
    count = store.count_unread(person, sources, most=MOST_UNREAD) if counts_all else Count(0, False)
    values = {
        "items": found.items,
        "unread": store.unread_among(person, [one.id for one in found.items]),
        "after": found.after,
        "first": cursor(request) is None,
        "count": count,
        "latest": store.latest_number(),
        "has_own": read is not None,
        "folders": _folders(store, person, own),
        "names": folders_of(own),
        "labels": store.labels(person),
        "notes": store.count_notes(person),
        "asked": asked,
        "heading": _heading(own, asked),
        "ages": AGES,
        "can_undo": store.can_undo(person),
        "marks_scrolling": store.preference(person, _SCROLLING) == "yes",
    }
    return PageView("accounts/unread.html", values)


def sources_in(own: Sequence[Subscription], folder: str, source: str) -> list[int] | None:
    """Return the ids of the sources in a folder, or of a single source. None means all.

    Raises:
        HttpProblem: 404 if the user has no such folder or source.
    """
    found = [
        one.source.id
        for one in own
        if (not folder or one.folder == folder) and (not source or str(one.source.id) == source)
    ]
    if not found and (folder or source):
        raise HttpProblem(404, "no_source")
    return found or None


def _matching_articles(
    request: Request, person: str, query: ListQuery, sources: list[int] | None
) -> Listed[ArticleHeadline]:
    store, after = app_of(request).store, cursor(request)
    is_plain = not (query.label or query.notes or query.show == "all" or query.order == "old")
    if is_plain:
        return store.unread(person, sources, limit=PAGE, after=after, folded=not query.source)
    has_marks = bool(query.label or query.notes)  # set by the user, so in all languages
    stream_query = StreamQuery(
        sources=None if has_marks else sources,
        read=None if has_marks or query.show == "all" else False,
        label=query.label,
        noted=bool(query.notes),
        is_oldest_first=query.order == "old",
        is_folded=not has_marks and not query.source,
    )
    numbers = store.stream(person, stream_query, limit=PAGE, after=after)
    return Listed(tuple(store.headlines_of(numbers.items)), numbers.after)


def _folders(store: Store, person: str, own: Sequence[Subscription]) -> list[ListedFolder]:
    """Return the folders of the sidebar with their sources. Sources without a folder come last."""
    found = []
    for name, some in groupby(own, key=lambda one: one.folder):
        lines = [
            ListedSource(
                *(one.source.id, legal(one.title or source_name(one.source)), site_of(one.source.settings.address)),
                one.unread,
            )
            for one in some
        ]
        count = Count(sum(one.unread for one in lines), any(one.unread >= _MOST for one in lines))
        if name and len(lines) > 1:
            count = store.count_unread(person, [one.number for one in lines], most=MOST_UNREAD)
        found.append(ListedFolder(name, tuple(lines), count.number, count.at_least))
    return sorted(found, key=lambda one: not one.name)


def _heading(own: Sequence[Subscription], query: ListQuery) -> str:
    """Return the heading of the list: the label, source or folder of the query, or an empty string for all articles."""
    named = (one.title or source_name(one.source) for one in own if str(one.source.id) == query.source)
    return query.label or next(named, "") or query.folder


def save(request: Request, form: FormData) -> Answer:
    """Save an article."""
    app = app_of(request)
    if not app.store.save(_article(request), person_key(request), app.now()):
        raise HttpProblem(404, "no_article")
    return back(form, f"/article/{_article(request)}")


def unsave(request: Request, form: FormData) -> Answer:
    """Remove an article from the user's saved articles."""
    if not app_of(request).store.unsave(_article(request), person_key(request)):
        raise HttpProblem(404, "no_article")
    return back(form, "/saved")


def mark_read(request: Request, form: FormData) -> Answer:
    """Mark an article as read."""
    return _mark(request, form, read=True)


def mark_unread(request: Request, form: FormData) -> Answer:
    """Mark an article as unread."""
    return _mark(request, form, read=False)


def mark_all_read(request: Request, form: FormData) -> Answer:
    """Mark all articles as read that the page listed, or that are older. Newer articles stay unread."""
    app, person = app_of(request), person_key(request)
    folder, source = text(form, "folder"), text(form, "source")
    sources = app.store.sources_read(person)
    if folder or source:
        sources = sources_in(subscriptions_of(app.store, person), folder, source)
    days = number_in(form, "days") if text(form, "days") else 0
    if days and days not in AGES:
        raise HttpProblem(400, "request")
    before = app.now() - timedelta(days=days) if days else None
    app.store.mark_all_read(person, sources, up_to=number_in(form, "up_to"), before=before)
    recount(app, person)
    return back(form, "/unread")


def mark_seen(request: Request, form: FormData) -> Answer:
    """Mark the articles as read that the user has scrolled past."""
    said = text(form, "articles", 2000).split(",")[:_AT_ONCE]
    numbers = [int(one) for one in said if one.isascii() and one.isdigit() and len(one) < 16]
    app, person = app_of(request), person_key(request)
    app.store.mark_read(person, numbers)
    recount(app, person)
    return Response(status_code=204)


def undo(request: Request, form: FormData) -> Answer:
    """Undo the last bulk change."""
    app, person = app_of(request), person_key(request)
    app.store.undo_read(person)
    recount(app, person)
    return back(form, "/unread")


def choose_scrolling(request: Request, form: FormData) -> Answer:
    """Turn marking articles as read by scrolling on or off."""
    app_of(request).store.set_preference(person_key(request), _SCROLLING, "yes" if text(form, "on") == "yes" else "")
    return back(form, "/unread")


def label(request: Request, form: FormData) -> Answer:
    """Give an article a label."""
    number, name = _article(request), legal(text(form, "name", _LONGEST))
    app = app_of(request)
    if name and not app.store.label(name, [number], person_key(request)):
        if app.store.headlines_of([number]):
            raise HttpProblem(409, "too_many")
        raise HttpProblem(404, "no_article")
    return back(form, f"/article/{number}")


def unlabel(request: Request, form: FormData) -> Answer:
    """Remove a label from an article."""
    number = _article(request)
    app_of(request).store.unlabel(text(form, "name", _LONGEST), [number], person_key(request))
    return back(form, f"/article/{number}")


def rename_label(request: Request, form: FormData) -> Answer:
    """Rename a label, or remove it from all articles if the new name is empty."""
    name, new = text(form, "label", _LONGEST), legal(text(form, "name", _LONGEST))
    if not app_of(request).store.rename_label(name, new, person_key(request)):
        raise HttpProblem(404, "missing_page")
    return back(form, "/unread")


def write_note(request: Request, form: FormData) -> Answer:
    """Save the user's note on an article. An empty note deletes it."""
    app, number = app_of(request), _article(request)
    if not app.store.set_note(number, person_key(request), legal(text(form, "note", MOST_NOTE)), app.now()):
        raise HttpProblem(404, "no_article")
    return back(form, f"/article/{number}")


def _mark(request: Request, form: FormData, *, read: bool) -> Answer:
    app, person, number = app_of(request), person_key(request), _article(request)
    if not app.store.mark_read(person, [number], read=read):
        raise HttpProblem(404, "no_article")
    recount(app, person)
    return back(form, "/unread")


def _article(request: Request) -> int:
    number = number_in_path(request)
    if number is None:
        raise HttpProblem(404, "no_article")
    return number
