"""Pages of the reader: the form, the extracted article, details of the extraction, and errors."""

from __future__ import annotations

import functools
import io
import re
import zipfile
from collections.abc import Awaitable, Callable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tidings.errors import ExtractorError, InputError, TidingsError
from tidings.extractors import DEFAULT, entries
from tidings_portal.reader.article_view import (
    CHOICES,
    OriginalPage,
    ReadingRequest,
    Reduced,
    bring,
    change_look,
    check,
    look_of,
    marked,
    reduced,
    remember,
    remembered,
)
from tidings_portal.store.records_of_articles import NewArticle, RawPage
from tidings_portal.watch.store_links import address_key
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.article_html import lead
from tidings_portal.web.errors import HttpProblem, problem_of, wants_json
from tidings_portal.web.forms import posted_form, text, upload
from tidings_portal.web.headers import SANDBOX
from tidings_portal.web.limits import take_turn
from tidings_portal.web.pages import PageView, respond
from tidings_portal.web.reading_pool import SentPage
from tidings_portal.web.sessions import visit_of

_ORIGIN: Final = re.compile(r"https?://[\w.\-]+(?::\d+)?|https?://\[[0-9a-fA-F:.]+\](?::\d+)?", re.ASCII)
#: What is pasted is shown again in its form, so that another extractor can be tried; not when it is this long.
_SHOWN_AGAIN: Final = 200_000

Endpoint = Callable[[Request], Awaitable[Response]]


def with_error_page(endpoint: Endpoint) -> Endpoint:
    """Return an endpoint that shows errors of another endpoint, with the form and a link to the original page."""

    @functools.wraps(endpoint)
    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except (TidingsError, HttpProblem) as error:
            told = problem_of(error)
            if wants_json(request):
                raise
            values = {"key": told.key, "detail": told.detail, "status": told.status}
            if isinstance(error, ExtractorError):
                values["expression_wrong"] = str(error)
            values = (
                _values(request, ReadingRequest.of(request.query_params)) | getattr(request.state, "typed", {}) | values
            )
            response = await _respond(request, PageView("reader/problem.html", values, told.status))
            response.headers.update(told.headers)
            return response

    return answered


@with_error_page
async def read(request: Request) -> Response:
    """Show the article of the page in the parameter `url`, or the form if there is none."""
    wish = ReadingRequest.of(request.query_params)
    if not wish.url:
        return await _respond(request, PageView("reader/form.html", _values(request, wish)))
    extractor = wish.extractor  # a wrong one costs no fetch
    brought = await bring(request, wish.url)
    found = await app_of(request).reading.run(reduced, brought.sent, extractor)
    values = await run_in_threadpool(_reading, request, wish, found)
    return await _respond(request, PageView("reader/reading.html", values))


@with_error_page
async def paste(request: Request) -> Response:
    """Show the article of a pasted or uploaded page."""
    form = await posted_form(request)
    try:
        file = await upload(form, "file")
    finally:
        await form.close()
    check(request)
    take_turn(request)
    wish = ReadingRequest.of(form)
    pasted = form.get("html")
    html: str | bytes = file or (pasted if isinstance(pasted, str) else "")
    again = html if isinstance(html, str) and len(html) <= _SHOWN_AGAIN else ""
    request.state.typed = {"wish": wish, "is_pasted": True, "pasted": again}
    if not html.strip():
        raise InputError("there is nothing to read: paste the source of a page, or choose a file")
    found = await app_of(request).reading.run(reduced, SentPage(html, wish.original or None), wish.extractor)
    values = await run_in_threadpool(_reading, request, wish, found)
    sent = ""
    if visit_of(request).person is not None and wish.original and found.article.blocks:
        sent = remember(
            app_of(request), wish.original, html.encode("utf-8", "replace") if isinstance(html, str) else html
        )
    return await _respond(request, PageView("reader/reading.html", values | request.state.typed | {"sent": sent}))


async def receive(request: Request) -> Response:
    """Serve the window that the bookmarklet opens to send the current page.

    The window asks its opener for the page and puts it into its own form. The form has the visitor's CSRF token, so
    another site that opens the window can have a page read but not saved. It needs access to its opener, which all
    other pages of the portal forbid.
    """
    check(request)
    response = await _respond(request, PageView("reader/receive.html", _values(request, ReadingRequest())))
    response.headers["cross-origin-opener-policy"] = "unsafe-none"
    return response


async def extension(request: Request) -> Response:  # noqa: ARG001  # endpoints are called alike
    """Serve the browser extension as a zip file."""
    headers = {"content-disposition": 'attachment; filename="tidings-extension.zip"'}
    return Response(packed_extension(), headers=headers, media_type="application/zip")


@functools.cache
def packed_extension() -> bytes:
    """Return the browser extension as a zip file. The bytes are always the same."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, entry in _inside(files("tidings_portal.reader") / "extension"):
            archive.writestr(zipfile.ZipInfo(name), entry.read_bytes())
    return stream.getvalue()


def _inside(folder: Traversable, name: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the files of a folder and its subfolders with their relative paths, sorted."""
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _inside(entry, f"{name}{entry.name}/")
        else:
            yield name + entry.name, entry


@with_error_page
async def taken(request: Request) -> Response:
    """Show how a page was extracted: the origin of each field, and the page with the selection marked."""
    wish = _reading_request(request)
    reduced_page = await app_of(request).reading.run(reduced, (await bring(request, wish.url)).sent, wish.extractor)
    values = await run_in_threadpool(_reading, request, wish, reduced_page)
    fields = [
        (name, _plain(getattr(reduced_page.article, name, "")), said)
        for name, said in reduced_page.article.provenance.items()
    ]
    return await _respond(request, PageView("reader/taken.html", values | {"told": fields}))


@with_error_page
async def drawn(request: Request) -> Response:
    """Serve the page with the extracted text marked, for a sandboxed frame that loads nothing."""
    wish = _reading_request(request)
    document = await app_of(request).reading.run(marked, (await bring(request, wish.url)).sent, wish.extractor)
    headers = {
        "content-security-policy": SANDBOX,
        "cache-control": "private, no-store",
        "referrer-policy": "no-referrer",
    }
    return Response(document, headers=headers, media_type="text/html")


def _reading_request(request: Request) -> ReadingRequest:
    wish = ReadingRequest.of(request.query_params)
    if not wish.url:
        raise InputError("there is no address: give one as url")
    return wish


async def _respond(request: Request, view: PageView) -> Response:
    return await run_in_threadpool(respond, request, view)


def _values(request: Request, wish: ReadingRequest) -> dict[str, Any]:
    """Return the template values that all pages of the reader share."""
    return {
        "wish": wish,
        "methods": [entry.name for entry in entries()],
        "usual": DEFAULT,
        "look": look_of(request),
        "choices": CHOICES,
        "bookmarklet": bookmarklet(request),
        "sender": bookmarklet(request, is_sender=True),
        "sent": "",
        "expression_wrong": "",
        "is_pasted": False,
        "pasted": "",
    }


def _reading(request: Request, wish: ReadingRequest, result: Reduced) -> dict[str, Any]:
    app = app_of(request)
    article = result.article
    stored_id = None
    if wish.url:
        stored_id = app.store.article_for(address_key(result.url or wish.url) or address_key(wish.url))
    return _values(request, wish) | {
        "article": article,
        "body": result.body(app, wish),
        "lead": lead(app, article),
        "maker": result.maker,
        "kept": result.kept,
        "words": result.words,
        "next": wish.link(article.next_page) if article.next_page else "",
        "known": stored_id,
        "notices": [mark.replace(" ", "_") for mark in article.marks],
    }


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_plain, value))[:500]
    return str(getattr(value, "src", value) or "")[:500]


#: Opens our window, and answers it alone with the page as it stands.
_SENDER: Final = (
    "javascript:void((o,w)=>{{w=open(o+'/read/receive');addEventListener('message',e=>{{"
    "if(e.origin===o&&e.source===w&&e.data==='tidings page?')w.postMessage({{tidings:'page',url:location.href,"
    "html:document.documentElement.outerHTML}},o)}})}})('{own}')"
)


def bookmarklet(request: Request, *, is_sender: bool = False) -> str:
    """Return a bookmarklet that opens the current page in the reader, or "" if the portal's URL is unknown.

    Args:
        request: the current request.
        is_sender: send the HTML of the page, as the browser shows it, and not only its URL.
    """
    own = app_of(request).settings.address.rstrip("/") or f"{request.url.scheme}://{request.headers.get('host', '')}"
    if not _ORIGIN.fullmatch(own):
        return ""
    if is_sender:
        return _SENDER.format(own=own)
    return f"javascript:void(location.href='{own}/read?url='+encodeURIComponent(location.href))"


@with_error_page
async def save(request: Request) -> Response:
    """Store the article of a page, and redirect to it."""
    form = await posted_form(request)
    wish = ReadingRequest.of(form)
    request.state.typed = {"wish": wish}
    person = visit_of(request).person
    if person is None:
        raise HttpProblem(401, "sign_in")
    if not wish.url:
        raise InputError("there is no address: give one as url")
    app = app_of(request)
    if sent := text(form, "sent", 100):
        check(request)
        take_turn(request)
        brought = remembered(app, sent)
    else:
        brought = await bring(request, wish.url)
    found = await app.reading.run(reduced, brought.sent, wish.extractor)
    number = await run_in_threadpool(keep, app, wish, brought, found)
    await run_in_threadpool(app.store.save, number, person, app.now())
    app.cache.forget()
    return RedirectResponse(f"/article/{number}", 303)


def keep(app: App, wish: ReadingRequest, original: OriginalPage, result: Reduced) -> int:
    """Store an article and its page; return its id.

    Raises:
        InputError: the article has no text.
    """
    if not result.article.blocks:
        raise InputError("there is no text on this page to keep")
    now = app.now()
    page = RawPage(original.url, original.body, now, original.content_type)
    keys = tuple(dict.fromkeys(filter(None, (address_key(wish.url), address_key(original.url)))))
    (saved,) = app.store.keep([NewArticle(result.article, now, f"reader: {result.maker}", page, keys)])
    if saved.article is None:
        raise InputError("the article could not be kept")
    return saved.article


ROUTES: Final[list[BaseRoute]] = [
    Route("/read", read),
    Route("/read", paste, methods=["POST"]),
    Route("/read/receive", receive),
    Route("/read/extension.zip", extension),
    Route("/read/taken", taken),
    Route("/read/drawn", drawn),
    Route("/read/save", save, methods=["POST"]),
    Route("/read/look", change_look, methods=["POST"]),
]
