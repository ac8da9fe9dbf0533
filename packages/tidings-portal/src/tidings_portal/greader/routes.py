"""Routes of the Google Reader API. They respond with JSON, plain text, or an error of the protocol."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from tidings.article.formats.characters import legal
from tidings.errors import BadQuery, TidingsError
from tidings_portal.greader import streams, subscriptions
from tidings_portal.greader.account import GReaderAccount, GReaderProblem, account_of, bad_request, sign_in
from tidings_portal.greader.streams import (
    LABEL,
    READ,
    READING_LIST,
    STARRED,
    StreamRequest,
    label_in,
    stream_name,
    whole,
)
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem, problem_of
from tidings_portal.web.limits import FETCHES, READS, take
from tidings_portal.web.pages import recount
from tidings_portal.web.proxies import address_of

BASE: Final = "/api/greader.php"
_API: Final = f"{BASE}/reader/api/0"
#: Of one request: so many articles may be named at once.
_MOST_FIELDS: Final = 5_000
_MOST_UNREAD: Final = 10_000
_USEC: Final = timedelta(microseconds=1)
_FORM: Final = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class GReaderCall:
    """A request of a client, with its account and its fields."""

    app: App
    account: GReaderAccount
    request: Request
    fields: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(default=b"", repr=False)

    def value(self, name: str) -> str:
        """Return the first value of a field, or an empty string."""
        return next((value for key, value in self.fields if key == name), "")

    def every(self, name: str) -> list[str]:
        """Return all values of a field."""
        return [value for told, value in self.fields if told == name]


Answer = Response | dict[str, Any] | str
Handler = Callable[[GReaderCall], Answer | Awaitable[Answer]]


def _endpoint(handler: Handler, *, writes: bool = False, costs: bool = False) -> Callable[..., Awaitable[Response]]:
    async def respond(request: Request) -> Response:
        app = app_of(request)
        try:
            account = await _account(request, app)
            purpose = (FETCHES, app.settings.minute_fetches) if costs else (READS, app.settings.minute_reads)
            await run_in_threadpool(take, app, purpose[0], account.turns, purpose[1])
            call = GReaderCall(app, account, request, *await _fields(request))
            if writes:
                account.check_form(app, call.value("T"))
            if inspect.iscoroutinefunction(handler):
                answer = await handler(call)
            else:
                answer = await run_in_threadpool(handler, call)
            return _sent(answer)
        except Exception as error:  # what is unexpected is logged there
            return _refused(error)

    return respond


async def _account(request: Request, app: App) -> GReaderAccount:
    try:
        return await run_in_threadpool(account_of, request)
    except GReaderProblem:  # guessing costs a turn too
        await run_in_threadpool(take, app, READS, address_of(request), app.settings.minute_reads)
        raise


async def _fields(request: Request) -> tuple[tuple[tuple[str, str], ...], bytes]:
    """Return the fields of the query string and the form body, and the raw body if it has another type (such as
    OPML).
    """
    body = await request.body()
    told = list(request.query_params.multi_items())
    kind = request.headers.get("content-type", _FORM).partition(";")[0].strip().lower()
    if kind == _FORM and body.lstrip()[:1] != b"<":
        try:
            told += parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
        except ValueError:
            raise bad_request("too much at once") from None
        body = b""
    return tuple(told), body


def _sent(answer: Any) -> Response:
    headers = {"cache-control": "private, no-cache"}
    if isinstance(answer, Response):
        return answer
    if isinstance(answer, str):
        return PlainTextResponse(answer, headers=headers)
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode("utf-8", "replace"), headers=headers, media_type="application/json")


def _refused(error: Exception) -> Response:
    if isinstance(error, BadQuery):
        error = bad_request("this is no continuation")
    if isinstance(error, GReaderProblem):
        return PlainTextResponse(legal(error.text), error.status, error.headers)
    told = problem_of(error)
    return PlainTextResponse(legal(told.detail or told.key), told.status, told.headers)


async def client_login(request: Request) -> Response:
    """Sign in with name and password; respond with the lines SID, LSID and Auth (the token)."""
    try:
        await run_in_threadpool(
            take, app_of(request), READS, address_of(request), app_of(request).settings.minute_reads
        )
        fields = dict(reversed((await _fields(request))[0]))
        auth = await run_in_threadpool(sign_in, request, fields.get("Email", ""), fields.get("Passwd", ""))
    except Exception as error:
        return _refused(error)
    return PlainTextResponse(f"SID={auth}\nLSID=null\nAuth={auth}\n", headers={"cache-control": "no-store"})


def token(call: GReaderCall) -> Answer:
    """Return the edit token that clients send with every change."""
    return call.account.form_token(call.app)


def user_info(call: GReaderCall) -> Answer:
    """Return name and id of the user."""
    name, number = call.account.name, call.account.person.removeprefix("person ")
    return {
        "userId": number,
        "userName": name,
        "userProfileId": number,
        "userEmail": "",
        "isBloggerUser": False,
        "isMultiLoginEnabled": False,
    }


def subscription_list(call: GReaderCall) -> Answer:
    """Return the user's feeds."""
    found = subscriptions.feeds_of(call.app.store, call.account)
    newest = call.app.store.newest_by_source([one.number for one in found])
    told = [
        {
            "id": one.stream,
            "title": one.title,
            "categories": [{"id": LABEL + one.folder, "label": one.folder}] if one.folder else [],
            "url": one.address,
            "htmlUrl": one.home,
            "iconUrl": "",
            "sortid": f"{one.number:08X}",
            "firstitemmsec": str(int(newest[one.number].timestamp()) * 1000) if one.number in newest else "0",
        }
        for one in found
    ]
    return {"subscriptions": told}


async def subscription_edit(call: GReaderCall) -> Answer:
    """Subscribe to feeds, move, rename or unsubscribe them, according to the field `ac` of the request."""
    action, names = call.value("ac"), call.every("s")
    if action not in {"subscribe", "edit", "unsubscribe"} or not names:
        raise bad_request("ac is subscribe, edit or unsubscribe, and s a feed")
    titles = call.every("t")
    into, out = label_in(call.value("a")), label_in(call.value("r"))
    for place, name in enumerate(names):
        title = titles[place] if place < len(titles) else None
        if action == "subscribe":
            await _added(call, name, title or "", into)
        else:
            await run_in_threadpool(_changed, call, action, name, title, into or ("" if out else None))
    return "OK"


def _changed(call: GReaderCall, action: str, name: str, title: str | None, folder: str | None) -> None:
    feed = subscriptions.named(call.app.store, call.account, name)
    if action == "unsubscribe":
        subscriptions.leave(call.app, call.account, feed)
    else:
        subscriptions.change(call.app, call.account, feed, title=title, folder=folder)


async def _added(call: GReaderCall, name: str, title: str, folder: str) -> list[int]:
    await run_in_threadpool(take, call.app, FETCHES, call.account.turns, call.app.settings.minute_fetches)
    wanted = name.removeprefix("feed/")
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 16:  # a source of the portal
        if await run_in_threadpool(call.app.store.source, int(wanted)) is None:
            raise GReaderProblem(404, "Not Found!")
        subscribe = call.app.store.subscribe
        now, person = call.app.now(), call.account.person
        await run_in_threadpool(call.app.store.begin_subscriptions, person, now)
        await run_in_threadpool(subscribe, int(wanted), person, now, folder=folder, title=title)
        return [int(wanted)]
    found = await subscriptions.found_at(call.app.fetcher, name, title, folder)
    return await run_in_threadpool(subscriptions.add, call.app, call.account, found)


async def quick_add(call: GReaderCall) -> Answer:
    """Subscribe to the feed at a URL."""
    wanted = call.value("quickadd").strip()
    if not wanted:
        raise bad_request("quickadd is an address")
    try:
        numbers = await _added(call, wanted, "", "")
    except (TidingsError, HttpProblem) as error:
        why = problem_of(error)
        return {"numResults": 0, "error": legal(why.detail or why.key)}
    source = await run_in_threadpool(call.app.store.source, numbers[0])
    name = source.name if source is not None else ""
    return {"numResults": len(numbers), "query": wanted, "streamId": f"feed/{numbers[0]}", "streamName": legal(name)}


def subscription_import(call: GReaderCall) -> Answer:
    """Subscribe the user to the feeds of an OPML file."""
    subscriptions.taken_in(call.app, call.account, call.body or call.value("opml").encode())
    return "OK"


def subscription_export(call: GReaderCall) -> Answer:
    """Return the user's feeds as OPML."""
    headers = {"content-disposition": 'attachment; filename="subscriptions.opml"', "cache-control": "private, no-cache"}
    return Response(subscriptions.given_out(call.app, call.account), headers=headers, media_type="text/x-opml")


def tag_list(call: GReaderCall) -> Answer:
    """Return the tags of the user: states (such as starred), folders and labels."""
    store = call.app.store
    folders = sorted(
        {one.folder for one in subscriptions.feeds_of(store, call.account) if one.folder}, key=str.casefold
    )
    tags: list[dict[str, Any]] = [{"id": STARRED}]
    tags += [{"id": LABEL + one, "type": "folder"} for one in folders]
    labels = store.labels(call.account.person).items()
    tags += [
        {"id": LABEL + name, "type": "tag", "unread_count": count} for name, count in labels if name not in folders
    ]
    return {"tags": tags}


def unread_count(call: GReaderCall) -> Answer:
    """Return the number of unread articles of each feed, folder and label, and in total."""
    store = call.app.store
    feeds = subscriptions.feeds_of(store, call.account, _MOST_UNREAD)
    newest = store.newest_by_source([one.number for one in feeds])
    micros = {one.number: int(newest[one.number].timestamp()) * 1_000_000 for one in feeds if one.number in newest}
    counted: dict[str, tuple[int, int]] = {}
    folders: dict[str, list[int]] = {}
    for one in feeds:
        counted[one.stream] = one.unread, micros.get(one.number, 0)
        if one.folder:
            folders.setdefault(one.folder, []).append(one.number)
    for folder, numbers in folders.items():
        count = store.count_unread(call.account.person, numbers, most=_MOST_UNREAD).number
        counted[LABEL + folder] = count, max(micros.get(number, 0) for number in numbers)
    for name, count in store.labels(call.account.person).items():
        counted.setdefault(LABEL + name, (count, 0))
    everything = store.sources_read(call.account.person)
    total = store.count_unread(call.account.person, everything, most=_MOST_UNREAD).number
    counted[READING_LIST] = (total, max(micros.values(), default=0))
    told = [
        {"id": stream, "count": count, "newestItemTimestampUsec": str(latest)}
        for stream, (count, latest) in counted.items()
    ]
    return {"max": total, "unreadcounts": told}


def _stream_request(call: GReaderCall, name: str, most: int) -> StreamRequest:
    return StreamRequest(
        name=name,
        limit=min(whole(call.value("n"), 20), most) or most,
        is_oldest_first=call.value("r") == "o",
        continuation=call.value("c"),
        leave_out=call.value("xt"),
        only=call.value("it"),
        since=streams.moment_of(call.value("ot")),
        until=streams.moment_of(call.value("nt")),
    )


def stream_contents(call: GReaderCall) -> Answer:
    """Return the articles of a stream, with text."""
    name = call.request.path_params.get("stream", "") or call.value("s") or READING_LIST
    found = streams.articles_of(call.app.store, call.account, _stream_request(call, name, streams.MOST_ITEMS))
    items = streams.items(call.app.store, call.account, found.items)
    response: dict[str, Any] = {
        "id": stream_name(name),
        "updated": int(call.app.now().timestamp()),
        "items": [streams.as_json(one) for one in items],
    }
    return response if found.after is None else {**response, "continuation": found.after}


def stream_numbers(call: GReaderCall) -> Answer:
    """Return the ids of the articles of a stream."""
    query = _stream_request(call, call.value("s") or READING_LIST, streams.MOST_NUMBERS)
    found = streams.articles_of(call.app.store, call.account, query)
    marks = call.app.store.reader_marks(call.account.person, found.items)
    response: dict[str, Any] = {"itemRefs": [streams.as_reference(one, marks) for one in found.items]}
    return response if found.after is None else {**response, "continuation": found.after}


def stream_items(call: GReaderCall) -> Answer:
    """Return articles by their item ids, with text."""
    numbers = list(dict.fromkeys(streams.item_number(one) for one in call.every("i")))
    if len(numbers) > streams.MOST_ITEMS:
        raise bad_request(f"at most {streams.MOST_ITEMS:,} items at once")
    items = streams.items(call.app.store, call.account, numbers)
    told = [streams.as_json(one) for one in items]
    return {"id": READING_LIST, "updated": int(call.app.now().timestamp()), "items": told}


def atom(call: GReaderCall) -> Answer:
    """Return a stream as an Atom feed."""
    name = stream_name(call.request.path_params["stream"])
    found = streams.articles_of(call.app.store, call.account, _stream_request(call, name, streams.MOST_ITEMS))
    items = streams.items(call.app.store, call.account, found.items)
    feeds = subscriptions.feeds_of(call.app.store, call.account)
    title = next((one.title for one in feeds if one.stream == name), name.rpartition("/")[2])
    text = streams.as_atom(name, title, items, found.after or "", call.app.now())
    return Response(text.encode("utf-8", "replace"), media_type="application/atom+xml")


def edit_tag(call: GReaderCall) -> Answer:
    """Mark articles as read, unread or starred, or change their labels."""
    numbers = [streams.item_number(one) for one in call.every("i")]
    changes = [(one, True) for one in call.every("a")] + [(one, False) for one in call.every("r")]
    if not numbers or not changes:
        raise bad_request("i is an item, and a or r a tag")
    for said, is_set in changes:
        _mark(call, stream_name(said), numbers, is_set)
    recount(call.app, call.account.person)
    return "OK"


def _mark(call: GReaderCall, tag: str, numbers: list[int], is_set: bool) -> None:
    store, person = call.app.store, call.account.person
    if tag == READ:
        store.mark_read(person, numbers, read=is_set)
    elif tag == streams.KEPT_UNREAD:
        if is_set:  # taking it away says nothing: `read` is told besides
            store.mark_read(person, numbers, read=False)
    elif tag == STARRED:
        for number in numbers:
            if is_set:
                store.save(number, person, call.app.now())
            else:
                store.unsave(number, person)
    elif label := label_in(tag):
        if is_set:
            store.label(label, numbers, person)
        else:
            store.unlabel(label, numbers, person)
    elif not tag.startswith(streams.STATE):  # shared, liked: nothing of that is here, and nobody minds
        raise bad_request(f"{tag[:100]!r} is no tag")


def rename_tag(call: GReaderCall) -> Answer:
    """Rename a folder or a label."""
    return _renamed(call, label_in(call.value("dest")), "dest is a label")


def disable_tag(call: GReaderCall) -> Answer:
    """Delete a folder or label. Its feeds and articles stay."""
    return _renamed(call, "", "")


def _renamed(call: GReaderCall, new: str, problem: str) -> Answer:
    old = label_in(call.value("s")) or call.value("t")
    if not old or (problem and not new):
        raise bad_request(problem or "s is a label")
    folders = subscriptions.rename_folder(call.app, call.account, old, new)
    if not call.app.store.rename_label(old, new, call.account.person) and not folders:
        raise GReaderProblem(404, "Not Found!")
    return "OK"


def mark_all_as_read(call: GReaderCall) -> Answer:
    """Mark all articles of a stream as read, up to a time."""
    store = call.app.store
    name = stream_name(call.value("s"))
    if not name:
        raise bad_request("s is a stream")
    before = streams.moment_of(call.value("ts"), _USEC)
    up_to = None if before is None else store.latest_number_at(before)
    label = label_in(name)
    folders = {one.folder for one in subscriptions.feeds_of(store, call.account)}
    is_of_feeds = label in folders if label else name != STARRED
    if not is_of_feeds:
        query = StreamRequest(name, limit=streams.MOST_NUMBERS, until=before)
        store.mark_read(call.account.person, list(streams.articles_of(store, call.account, query).items))
    else:
        sources = streams.sources_in(store, call.account, name)
        store.mark_all_read(call.account.person, sources, up_to=up_to)
    recount(call.app, call.account.person)
    return "OK"


def unknown(call: GReaderCall) -> Answer:  # noqa: ARG001  # all endpoints are called alike
    """Respond to an operation that is not supported."""
    raise bad_request()


def compatibility(request: Request) -> Response:  # noqa: ARG001  # all endpoints are called alike
    """Respond to the compatibility check of clients as FreshRSS does: `PASS`."""
    return PlainTextResponse("PASS")


def _get(path: str, handler: Handler) -> Route:
    return Route(f"{_API}/{path}", _endpoint(handler))


def _post(path: str, handler: Handler) -> Route:
    return Route(f"{_API}/{path}", _endpoint(handler, writes=True), methods=["POST"])


ROUTES: Final[list[BaseRoute]] = [
    Route(f"{BASE}/accounts/ClientLogin", client_login, methods=["GET", "POST"]),
    Route(f"{BASE}/check/compatibility", compatibility),
    _get("token", token),
    _get("user-info", user_info),
    _get("subscription/list", subscription_list),
    _get("subscription/export", subscription_export),
    _post("subscription/edit", subscription_edit),
    _post("subscription/quickadd", quick_add),
    _post("subscription/import", subscription_import),
    _get("tag/list", tag_list),
    _post("edit-tag", edit_tag),
    _post("rename-tag", rename_tag),
    _post("disable-tag", disable_tag),
    _post("mark-all-as-read", mark_all_as_read),
    _get("unread-count", unread_count),
    _get("stream/contents", stream_contents),
    _get("stream/contents/{stream:path}", stream_contents),
    _get("stream/items/ids", stream_numbers),
    Route(f"{_API}/stream/items/contents", _endpoint(stream_items), methods=["GET", "POST"]),
    Route(f"{BASE}/reader/atom/{{stream:path}}", _endpoint(atom)),
    Route(f"{BASE}/{{rest:path}}", _endpoint(unknown), methods=["GET", "POST"]),
]
