"""A fetcher for pages that are empty without scripts: renders them in Chromium, whose requests Tidings makes itself.

Each request of the browser is intercepted and answered through one of our fetchers, so the guard, the limits and the
deadline apply to scripts and pictures too. Chromium itself cannot reach the network (`chromium`). Only GET requests are
answered, so rendering a page has no side effects.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self

from tidings.errors import BrowserFailed, DeadlineExceeded, FetchError, TooLarge, needs
from tidings.fetch.deadline import Deadline
from tidings.fetch.limits import Limits
from tidings.fetch.live import Live
from tidings.fetch.messages import Fetcher, Kind, Outcome, Request, Response, as_value

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Page, Playwright, Route
from tidings.fetch.rendering.chromium import ALONE, find, has_sandbox, is_own, readable_message

#: Limits per page. The largest front pages make about 500 requests, most of them for pictures.
MAX_REQUESTS: Final = 300
MAX_BYTES: Final = 64 * 1024 * 1024
#: Largest height of a screenshot of a whole page, in pixels; more than ten windows of text.
MAX_HEIGHT: Final = 12_000
#: Resource types that do not affect the text.
_UNWANTED: Final = frozenset(("media", "font", "texttrack", "eventsource", "websocket", "manifest", "ping", "other"))
_OF_TRANSFER: Final = frozenset(("content-encoding", "content-length", "transfer-encoding", "set-cookie", "connection"))

#: Returns the URL too, because a page cannot overwrite `location`.
_HTML: Final = """(most) => {
  const type = document.doctype ? "<!DOCTYPE html>\\n" : "";
  return [location.href, (type + document.documentElement.outerHTML).slice(0, most + 1)];
}"""
#: Timeout for closing a page, in seconds.
_CLOSING: Final = 5.0
_CALL: Final = """async (most) => {
  const text = JSON.stringify(await (FUNCTION)()) ?? "null";
  return text.length > most ? "" : text;
}"""


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A rendered page: its HTML, and optionally a function's result and a screenshot."""

    response: Response  # the body is the HTML after scripts have run, in UTF-8
    value: Any = None  # the return value of the function
    screenshot: bytes | None = None  # PNG


class Browser:
    """A fetcher that renders pages with Chromium. Use it as `async with Browser(live) as browser`.

    Args:
        inner: the fetcher for pages.
        parts: the fetcher for scripts, styles and pictures; by default `inner`, without turns if it is a `Live`.
        limits: the deadline applies to the whole page, the cap to its HTML.
        settle: seconds to wait for network idle after loading.
        pictures: whether to fetch pictures. Layout and screenshots need them, text does not.
        at_once: number of pages rendered at the same time.
        window: width and height of the browser window.
        executable: path of Chromium; by default the first one on the PATH.
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
        """Close the browser."""
        starting, self._starting = self._starting, None
        if starting is not None:
            await asyncio.wait([starting], timeout=_CLOSING)
        await asyncio.gather(*self._closing)
        browser, self._chromium = self._chromium, None
        playwright, self._playwright = self._playwright, None
        if browser is not None:
            with suppress(Exception):  # it may have crashed already
                await browser.close()
        if playwright is not None:
            await playwright.stop()

    async def fetch(self, request: Request) -> Outcome:
        """Render a page and return its HTML. Other resources are returned unchanged."""
        rendered = await self.look(request)
        return rendered.response if isinstance(rendered, RenderedPage) else rendered

    async def look(
        self, request: Request, function: str | None = None, *, screenshot: bool = False, whole: bool = False
    ) -> RenderedPage | FetchError:
        """Render a page, and optionally run a function on it or take a screenshot.

        Args:
            request: the page.
            function: source of a JavaScript function without arguments whose result can be serialised as JSON.
            screenshot: whether to take a screenshot of the window.
            whole: whether the screenshot is of the whole page, up to `MAX_HEIGHT`.
        """
        with needs("the browser", "browser"):
            from playwright.async_api import Error

        deadline = request.deadline or Deadline.after(request.seconds, self._limits.deadline)
        response = await self._inner.fetch(replace(request, deadline=deadline))
        if isinstance(response, FetchError):
            return response
        if response.status >= 300 or "html" not in (response.content_type or "html").lower():
            return RenderedPage(response)
        interceptor = _RequestInterceptor(
            self._inner, self._parts, response, self._pictures, deadline, status=response.status
        )
        try:
            async with deadline.turn():
                await self._places.acquire()
            try:
                async with deadline.limit():
                    return await self._show(interceptor, function, screenshot, whole)
            finally:
                self._places.release()
        except TimeoutError:
            return DeadlineExceeded(response.url, f"its scripts did not end within {deadline}")
        except FetchError as error:
            return as_value(error)
        except Error as error:
            return interceptor.failed or BrowserFailed(response.url, readable_message(error.message))

    async def _show(
        self, interceptor: _RequestInterceptor, function: str | None, screenshot: bool, whole: bool
    ) -> RenderedPage:
        response = interceptor.first
        browser = await self._started(response.url)
        width, height = self._window
        context = await browser.new_context(
            service_workers="block",
            accept_downloads=False,
            viewport={"width": width, "height": height},
        )
        try:
            page = await self._opened(context, interceptor)
            value = None if function is None else await self._evaluated(page, function, response.url)
            image = await self._picture(page, whole) if screenshot else None
            most = self._limits.cap(Kind.PAGE).size
            url, html = await page.evaluate(_HTML, most)
            if is_own(url):
                # Chromium's error page, for example after a script navigated to a bad URL.
                raise interceptor.failed or BrowserFailed(
                    response.url, "Chromium shows an error of its own in its place"
                )
            if not isinstance(html, str):
                raise BrowserFailed(response.url, "its scripts prevent reading its HTML")
            data = html.encode("utf-8", "replace")
            headers = tuple(pair for pair in response.headers if pair[0] not in (*_OF_TRANSFER, "content-type"))
            rendered = replace(
                response,
                url=url if url.startswith(("http:", "https:")) else response.url,
                status=interceptor.status,
                headers=(*headers, ("content-type", "text/html; charset=utf-8")),
                body=data[:most],
                truncated=response.truncated or len(data) > most,
            )
            return RenderedPage(rendered, value, image)
        finally:
            # Closing is not awaited, because a page that hangs may also take long to close.
            closing = asyncio.create_task(_closed(context))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def _opened(self, context: BrowserContext, interceptor: _RequestInterceptor) -> Page:
        from playwright.async_api import TimeoutError as TookTooLong

        async def intercept(route: Route) -> None:
            await interceptor.give(route)

        await context.route("**/*", intercept)
        await context.route_web_socket("**/*", lambda socket: socket.close())
        page = await context.new_page()
        page.set_default_timeout(0)  # our deadline applies instead
        await page.goto(interceptor.first.url, wait_until="domcontentloaded")
        with suppress(TookTooLong):
            await page.wait_for_load_state("networkidle", timeout=self._settle * 1000)
        return page

    async def _picture(self, page: Page, whole: bool) -> bytes:
        if not whole:
            return await page.screenshot()
        width, height = self._window
        scroll_height = await page.evaluate("() => document.documentElement.scrollHeight")
        tall = (
            int(scroll_height)
            if isinstance(scroll_height, int | float) and height < scroll_height < float("inf")
            else height
        )
        return await page.screenshot(
            full_page=True, clip={"x": 0, "y": 0, "width": width, "height": min(tall, MAX_HEIGHT)}
        )

    async def _evaluated(self, page: Page, function: str, url: str) -> Any:
        text = await page.evaluate(_CALL.replace("FUNCTION", function), MAX_BYTES)
        if not text:
            raise TooLarge(url, f"what was read from it has more than {MAX_BYTES:,} characters")
        try:
            return json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise BrowserFailed(url, "its scripts interfere with ours") from error

    async def _started(self, url: str) -> Chromium:
        """Return the running browser. Start it if there is none or if it has crashed."""
        if self._chromium is not None and self._chromium.is_connected():
            return self._chromium
        # A task of its own starts it, so that a cancelled caller does not leave an unknown browser behind.
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
            except Exception as error:  # Playwright raises a bare one, for example if a system library is missing
                reason = "its driver does not start; `playwright --version` in a terminal says why"
                raise BrowserFailed("the browser", reason) from error
        self._chromium = await self._playwright.chromium.launch(
            executable_path=executable, args=list(ALONE), chromium_sandbox=has_sandbox()
        )
        return self._chromium


async def _closed(context: BrowserContext) -> None:
    with suppress(Exception):  # the browser may have crashed
        await asyncio.wait_for(context.close(), _CLOSING)


@dataclass(slots=True)
class _RequestInterceptor:
    """Answers the requests that a rendered page makes."""

    inner: Fetcher
    parts: Fetcher
    first: Response
    pictures: bool
    deadline: Deadline
    count: int = 0
    size: int = 0
    is_first_answered: bool = False
    status: int = 200  # of the rendered page: scripts may have navigated to another one
    failed: FetchError | None = None  # the error of the last navigation by scripts

    async def give(self, route: Route) -> None:
        """Answer or abort a request."""
        from playwright.async_api import Error

        with suppress(Error):  # the page is closed already
            answer = await self._answer(route)
            if answer is None:
                await route.abort("blockedbyclient")
                return
            headers = {name: value for name, value in answer.headers if name not in _OF_TRANSFER}
            await route.fulfill(status=answer.status, headers=headers, body=answer.body)

    async def _answer(self, route: Route) -> Response | None:
        browser_request = route.request
        if (
            browser_request.is_navigation_request()
            and not self.is_first_answered
            and browser_request.url.partition("#")[0] == self.first.url
        ):
            self.is_first_answered = True
            return self.first
        self.count += 1
        if browser_request.method != "GET" or self.count > MAX_REQUESTS or self.size > MAX_BYTES:
            return None
        kind = browser_request.resource_type
        if kind in _UNWANTED or (kind == "image" and not self.pictures):
            return None
        whole = browser_request.is_navigation_request() and browser_request.frame.parent_frame is None
        request = Request(browser_request.url, Kind.PICTURE if kind == "image" else Kind.PAGE, deadline=self.deadline)
        outcome = await (self.inner if whole else self.parts).fetch(request)
        if isinstance(outcome, FetchError):
            self.failed = outcome if whole else self.failed
            return None
        if whole:
            self.failed, self.status = None, outcome.status
        self.size += len(outcome.body)
        return outcome
