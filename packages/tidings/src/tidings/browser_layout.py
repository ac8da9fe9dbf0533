"""Pages with the layout that a browser gives them (LBNEST II.A).

    from tidings.fetch import Browser, Live
    from tidings.browser_layout import lay_out, laid_out

    async with Live() as live, Browser(live, pictures=True) as browser:
        page = (await lay_out(browser, "https://example.org/story")).page
    page = laid_out(saved_html).page          # of a saved page; nothing of the web is loaded
    tidings.extractor("layout-lbnest")(page)

Where there is no browser, or it dies, the error says so and what to do; the default needs none and goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tidings.errors import BrowserFailed, DeadlineExceeded, FetchError, MissingExtra, NoLayout, TooLarge
from tidings.extractors.published.layout.collector import collector, measured, new_mark
from tidings.fetch import Browser, Request, require
from tidings.fetch.archives.saved_pages import HERE, SavedPages
from tidings.fetch.live import run
from tidings.page import Page

#: Seconds that a saved page gets to come to rest: nothing of it is fetched, only its own scripts run.
SETTLE: Final = 0.1
#: What goes wrong in a browser with a page that could be had: the default goes on without boxes.
NOT_SHOWN: Final = (BrowserFailed, DeadlineExceeded, MissingExtra, NoLayout, TooLarge)


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A rendered page, and a screenshot of it if requested."""

    page: Page  # its source is that of the rendered document; its hints have the layout
    screenshot: bytes | None = None  # PNG, of the page from its top


async def lay_out(browser: Browser, url: str, *, screenshot: bool = False, page_url: str | None = None) -> LaidOut:
    """Render a URL in a browser and measure its boxes.

    Args:
        browser: the browser.
        url: the URL to render.
        screenshot: whether to take a screenshot of the page.
        page_url: the URL of the page itself, if another one is rendered.

    Raises:
        FetchError: the page cannot be fetched or rendered.
        NoLayout: the rendered page cannot be measured.
        PageError: the response is not a page.
    """
    mark = new_mark()
    result = await browser.look(Request(url), collector(mark), screenshot=screenshot, whole=True)
    if isinstance(result, FetchError):
        raise result
    require(result.response)
    return LaidOut(measured(result.value, mark, page_url or result.response.url), result.screenshot)


def laid_out(source: str, url: str | None = None, *, screenshot: bool = False) -> LaidOut:
    """Render a saved page in a new browser, without access to the web.

    Raises:
        FetchError: the page cannot be rendered.
        NoLayout: the rendered page cannot be measured.
        MissingExtra: playwright is not installed.
    """

    async def once() -> LaidOut:
        async with Browser(SavedPages({HERE: source}), settle=SETTLE) as browser:
            return await lay_out(browser, HERE, screenshot=screenshot, page_url=url)

    return run(once())


def pictured(document: str, width: int, height: int) -> bytes:
    """Return an HTML document as a PNG of the given size. The document must not come from the web.

    Raises:
        FetchError: the browser cannot show it.
        MissingExtra: playwright is not installed.
    """

    async def once() -> bytes:
        async with Browser(SavedPages({HERE: document}), settle=SETTLE, window=(width, height)) as browser:
            result = await browser.look(Request(HERE), screenshot=True, whole=True)
            if isinstance(result, FetchError):
                raise result
            return result.screenshot or b""

    return run(once())
