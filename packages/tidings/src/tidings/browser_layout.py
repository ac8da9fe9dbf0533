"""Pages with their layout: shown by a browser, measured there, and carried on as data (LBNEST II.A).

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
from tidings.fetch.live import run
from tidings.fetch.saved_pages import HERE, SavedPages
from tidings.page import Page

#: Seconds that a saved page gets to come to rest: nothing of it is fetched, only its own scripts run.
SETTLE: Final = 0.1
#: What goes wrong in a browser with a page that could be had: the default goes on without boxes.
NOT_SHOWN: Final = (BrowserFailed, DeadlineExceeded, MissingExtra, NoLayout, TooLarge)


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A page as a browser drew it."""

    page: Page  # its source is that of the drawn document; its hints hold the layout
    screenshot: bytes | None = None  # PNG, of the page from its top


async def lay_out(browser: Browser, url: str, *, screenshot: bool = False, called: str | None = None) -> LaidOut:
    """Show what is at an address, and measure it.

    Args:
        browser: who shows it.
        url: where it is.
        screenshot: whether to take a picture of the page.
        called: the page's own address, if it is shown at another.

    Raises:
        FetchError: it cannot be had, or not be shown.
        NoLayout: it was shown and cannot be measured.
        PageError: it is no page.
    """
    mark = new_mark()
    seen = await browser.look(Request(url), collector(mark), screenshot=screenshot, whole=True)
    if isinstance(seen, FetchError):
        raise seen
    require(seen.response)
    return LaidOut(measured(seen.value, mark, called or seen.response.url), seen.screenshot)


def laid_out(source: str, url: str | None = None, *, screenshot: bool = False) -> LaidOut:
    """Show a saved page in a browser of its own, and nothing of the web.

    Raises:
        FetchError: it cannot be shown.
        NoLayout: it was shown and cannot be measured.
        MissingExtra: playwright is not installed.
    """

    async def once() -> LaidOut:
        async with Browser(SavedPages({HERE: source}), settle=SETTLE) as browser:
            return await lay_out(browser, HERE, screenshot=screenshot, called=url)

    return run(once())


def pictured(document: str, width: int, height: int) -> bytes:
    """Return a document of our own as a PNG of that size.

    Raises:
        FetchError: the browser cannot show it.
        MissingExtra: playwright is not installed.
    """

    async def once() -> bytes:
        async with Browser(SavedPages({HERE: document}), settle=SETTLE, window=(width, height)) as browser:
            seen = await browser.look(Request(HERE), screenshot=True, whole=True)
            if isinstance(seen, FetchError):
                raise seen
            return seen.screenshot or b""

    return run(once())
