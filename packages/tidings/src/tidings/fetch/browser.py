"""Pages that are empty without scripts: shown by the system's Chromium, every byte of them fetched by us.

The browser asks, we answer: each of its requests is taken over and goes through a fetcher of ours, so the guard, the
caps and the deadline hold for scripts and pictures as for pages, and the address that was checked is the one that is
connected to. What Chromium would fetch by itself leads nowhere (`chromium`). Only GET is answered: a page that is
read does nothing.

The system's Chromium, started so that it can reach nothing by itself.

Scripts, prefetches, preconnects, WebRTC and whatever a browser does unasked would connect past the guard. So every
name is unknown to it and its proxy does not exist: only requests that we take over and answer ourselves get anywhere.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self

from tidings.errors import BrowserFailed, DeadlineExceeded, FetchError, TooLarge, needs
from tidings.fetch.deadline import Deadline
from tidings.fetch.exchange import Fetcher, Kind, Limits, Outcome, Request, Response, as_value
from tidings.fetch.live import Live

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Page, Playwright, Route

NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chromium-headless-shell",
)

#: A proxy that can never be found (RFC 2606, 2), for this machine's own addresses too.
ALONE: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://nowhere.invalid:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=Prerender2,NetworkPrediction,OptimizationHints,MediaRouter",
    "--no-first-run",
    "--disable-dev-shm-usage",
)


def find() -> str | None:
    """Return where Chromium is, if it is on the PATH."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def has_sandbox() -> bool:
    """Return whether Chromium can lock itself in; as root, as in a container, it cannot."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def is_own(address: object) -> bool:
    """Return whether an address is of a page that Chromium makes itself: what it shows where a page was blocked,
    refused or could not be had, and its warnings.
    """
    return not isinstance(address, str) or address.startswith(("chrome-error:", "chrome:", "chrome-untrusted:"))


def told(message: str) -> str:
    """Return a sentence for what Playwright says in many lines."""
    if "sandboxing failed" in message:
        return (
            "Chromium may not make the namespaces that its sandbox needs here; in a container it may with"
            " --security-opt seccomp=unconfined"
        )
    return f"the browser could not show it ({message.partition(chr(10))[0]}); try again"


#: One page's requests and bytes; the largest front pages make about 500 requests, most of them for pictures.
MAX_REQUESTS: Final = 300
MAX_BYTES: Final = 64 * 1024 * 1024
#: Pixels of a picture of a whole page, from its top; more than ten windows of text.
MAX_HEIGHT: Final = 12_000
#: What no text depends on.
_UNWANTED: Final = frozenset(("media", "font", "texttrack", "eventsource", "websocket", "manifest", "ping", "other"))
_OF_TRANSFER: Final = frozenset(("content-encoding", "content-length", "transfer-encoding", "set-cookie", "connection"))

#: With where it is of: `location` cannot be written over by a page.
_HTML: Final = """(most) => {
  const type = document.doctype ? "<!DOCTYPE html>\\n" : "";
  return [location.href, (type + document.documentElement.outerHTML).slice(0, most + 1)];
}"""
#: Seconds in which a page is closed.
_CLOSING: Final = 5.0
_CALL: Final = """async (most) => {
  const text = JSON.stringify(await (FUNCTION)()) ?? "null";
  return text.length > most ? "" : text;
}"""


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page as the browser shows it."""

    response: Response  # its body is the page's HTML after its scripts, in UTF-8
    value: Any = None  # what the function that was run on it returned
    screenshot: bytes | None = None  # PNG


class Browser:
    """Shows pages and gives their HTML. Use it as `async with Browser(live) as browser`.

    Args:
        inner: who fetches pages.
        parts: who fetches scripts, styles and pictures; by default `inner`, without its turns where it is a `Live`.
        limits: the deadline holds for all of a page, the cap for its HTML.
        settle: seconds to wait for a page to come to rest after it has loaded.
        pictures: whether they are fetched; boxes and screenshots need them, text does not.
        at_once: pages shown at one time.
        window: its width and height.
        executable: where Chromium is; by default the first one on the PATH.
    """

    def __init__(
        self,
        inner: Fetcher,
        parts: Fetcher | None = None,
        limits: Limits = Limits(),  # noqa: B008  # frozen
        *,
        settle: float = 3.0,
        pictures: bool = False,
        at_once: int = 2,
        window: tuple[int, int] = (1280, 1024),
        executable: str | None = None,
    ) -> None:
        self._inner = inner
        self._parts = parts or (inner.unhurried if isinstance(inner, Live) else inner)
        self._limits = limits
        self._settle = settle
        self._pictures = pictures
        self._window = window
        self._executable = executable
        self._places = asyncio.Semaphore(at_once)
        self._starting: asyncio.Task[Chromium] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._playwright: Playwright | None = None
        self._chromium: Chromium | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """End the browser."""
        starting, self._starting = self._starting, None
        if starting is not None:
            await asyncio.wait([starting], timeout=_CLOSING)
        await asyncio.gather(*self._closing)
        browser, self._chromium = self._chromium, None
        playwright, self._playwright = self._playwright, None
        if browser is not None:
            with suppress(Exception):  # it may be dead already
                await browser.close()
        if playwright is not None:
            await playwright.stop()

    async def fetch(self, request: Request) -> Outcome:
        """Return a page with its HTML as it is after its scripts; what is no page, as it came."""
        seen = await self.look(request)
        return seen.response if isinstance(seen, ShownPage) else seen

    async def look(
        self, request: Request, function: str | None = None, *, screenshot: bool = False, whole: bool = False
    ) -> ShownPage | FetchError:
        """Show a page, and run a function on it, or take its picture.

        Args:
            request: the page.
            function: the source of a JavaScript function without arguments; what it returns must fit into JSON.
            screenshot: whether to take a picture of the window.
            whole: whether the picture is of the page instead, to `MAX_HEIGHT`, with what scrolling would show.
        """
        with needs("the browser", "browser"):
            from playwright.async_api import Error

        deadline = request.deadline or Deadline.after(request.seconds, self._limits.deadline)
        response = await self._inner.fetch(replace(request, deadline=deadline))
        if isinstance(response, FetchError):
            return response
        if response.status >= 300 or "html" not in (response.content_type or "html").lower():
            return ShownPage(response)
        answers = _Answers(self._inner, self._parts, response, self._pictures, deadline, status=response.status)
        try:
            async with deadline.turn():
                await self._places.acquire()
            try:
                async with deadline.limit():
                    return await self._show(answers, function, screenshot, whole)
            finally:
                self._places.release()
        except TimeoutError:
            return DeadlineExceeded(response.url, f"its scripts did not end within {deadline}")
        except FetchError as error:
            return as_value(error)
        except Error as error:
            return answers.failed or BrowserFailed(response.url, told(error.message))

    async def _show(self, answers: _Answers, function: str | None, screenshot: bool, whole: bool) -> ShownPage:
        response = answers.first
        browser = await self._started(response.url)
        width, height = self._window
        context = await browser.new_context(
            service_workers="block",
            accept_downloads=False,
            viewport={"width": width, "height": height},
        )
        try:
            page = await self._opened(context, answers)
            value = None if function is None else await self._called(page, function, response.url)
            picture = await self._picture(page, whole) if screenshot else None
            most = self._limits.cap(Kind.PAGE).size
            where, html = await page.evaluate(_HTML, most)
            if is_own(where):
                # Not the page but what Chromium shows where it could not have one, as after a script led us astray.
                raise answers.failed or BrowserFailed(response.url, "Chromium shows an error of its own in its place")
            if not isinstance(html, str):
                raise BrowserFailed(response.url, "its scripts hide its HTML from us")
            data = html.encode("utf-8", "replace")
            headers = tuple(pair for pair in response.headers if pair[0] not in (*_OF_TRANSFER, "content-type"))
            shown = replace(
                response,
                url=where if where.startswith(("http:", "https:")) else response.url,
                status=answers.status,
                headers=(*headers, ("content-type", "text/html; charset=utf-8")),
                body=data[:most],
                truncated=response.truncated or len(data) > most,
            )
            return ShownPage(shown, value, picture)
        finally:
            # Not waited for: a page that does not end does not close at once either.
            closing = asyncio.create_task(_closed(context))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def _opened(self, context: BrowserContext, answers: _Answers) -> Page:
        from playwright.async_api import TimeoutError as TookTooLong

        async def answered(route: Route) -> None:
            await answers.give(route)

        await context.route("**/*", answered)
        await context.route_web_socket("**/*", lambda socket: socket.close())
        page = await context.new_page()
        page.set_default_timeout(0)  # the deadline is ours
        await page.goto(answers.first.url, wait_until="domcontentloaded")
        with suppress(TookTooLong):
            await page.wait_for_load_state("networkidle", timeout=self._settle * 1000)
        return page

    async def _picture(self, page: Page, whole: bool) -> bytes:
        if not whole:
            return await page.screenshot()
        width, height = self._window
        told = await page.evaluate("() => document.documentElement.scrollHeight")
        tall = int(told) if isinstance(told, int | float) and height < told < float("inf") else height
        return await page.screenshot(
            full_page=True, clip={"x": 0, "y": 0, "width": width, "height": min(tall, MAX_HEIGHT)}
        )

    async def _called(self, page: Page, function: str, url: str) -> Any:
        text = await page.evaluate(_CALL.replace("FUNCTION", function), MAX_BYTES)
        if not text:
            raise TooLarge(url, f"what was read from it has more than {MAX_BYTES:,} characters")
        try:
            return json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise BrowserFailed(url, "its scripts get in the way of ours") from error

    async def _started(self, url: str) -> Chromium:
        """Return the running browser, started if there is none or if it died."""
        if self._chromium is not None and self._chromium.is_connected():
            return self._chromium
        # Started by a task of its own: whoever has no time to wait leaves no browser behind that nobody knows of.
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._start())
        try:
            return await asyncio.shield(self._starting)
        except BrowserFailed as error:
            raise BrowserFailed(url, error.reason) from error

    async def _start(self) -> Chromium:
        from playwright.async_api import async_playwright

        executable = self._executable or find()
        if executable is None:
            raise BrowserFailed("the browser", "there is no Chromium on the PATH; install it, or say where it is")
        if self._playwright is None:
            try:
                self._playwright = await async_playwright().start()
            except Exception as error:  # Playwright says it with a bare one, as where a system library is missing
                reason = "its driver does not start; `playwright --version` in a terminal says why"
                raise BrowserFailed("the browser", reason) from error
        self._chromium = await self._playwright.chromium.launch(
            executable_path=executable, args=list(ALONE), chromium_sandbox=has_sandbox()
        )
        return self._chromium


async def _closed(context: BrowserContext) -> None:
    with suppress(Exception):  # of a dead browser
        await asyncio.wait_for(context.close(), _CLOSING)


@dataclass(slots=True)
class _Answers:
    """Answers the requests of one page."""

    inner: Fetcher
    parts: Fetcher
    first: Response
    pictures: bool
    deadline: Deadline
    asked: int = 0
    size: int = 0
    shown: bool = False
    status: int = 200  # of the page that is shown: scripts may have led to another
    failed: FetchError | None = None  # why the page that scripts led to last could not be had

    async def give(self, route: Route) -> None:
        """Answer one request, or see to it that it fails."""
        from playwright.async_api import Error

        with suppress(Error):  # the page is gone, and nobody waits for the answer
            answer = await self._answer(route)
            if answer is None:
                await route.abort("blockedbyclient")
                return
            headers = {name: value for name, value in answer.headers if name not in _OF_TRANSFER}
            await route.fulfill(status=answer.status, headers=headers, body=answer.body)

    async def _answer(self, route: Route) -> Response | None:
        asked = route.request
        if asked.is_navigation_request() and not self.shown and asked.url.partition("#")[0] == self.first.url:
            self.shown = True
            return self.first
        self.asked += 1
        if asked.method != "GET" or self.asked > MAX_REQUESTS or self.size > MAX_BYTES:
            return None
        kind = asked.resource_type
        if kind in _UNWANTED or (kind == "image" and not self.pictures):
            return None
        whole = asked.is_navigation_request() and asked.frame.parent_frame is None
        request = Request(asked.url, Kind.PICTURE if kind == "image" else Kind.PAGE, deadline=self.deadline)
        outcome = await (self.inner if whole else self.parts).fetch(request)
        if isinstance(outcome, FetchError):
            self.failed = outcome if whole else self.failed
            return None
        if whole:
            self.failed, self.status = None, outcome.status
        self.size += len(outcome.body)
        return outcome
