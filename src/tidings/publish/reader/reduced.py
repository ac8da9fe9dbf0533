"""A page reduced to its content: the article, what of the page it is, and HTML that can be put into a page of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from tidings import Page
from tidings.article import Article, Options, render
from tidings.extractors.explain import name_of
from tidings.extractors.registry import Extractor
from tidings.page import Spans
from tidings.publish.reader.wish import Wish
from tidings.publish.web.content import below_title, safe
from tidings.publish.web.house import House
from tidings.publish.web.pictures import picture_at
from tidings.publish.web.problems import Problem
from tidings.reading import read_and_show

#: Pages read at one time, and how long somebody waits for theirs, in seconds.
_AT_ONCE, _PATIENCE = 2, 30.0
_WITH_PICTURES: Final = Options(images=True)


@dataclass(frozen=True, slots=True)
class Reduced:
    """What an extractor made of a page."""

    page: Page
    article: Article
    spans: Spans
    maker: str

    @property
    def kept(self) -> int:
        """Words that were kept."""
        return len(self.spans.words(self.page))

    @property
    def words(self) -> int:
        """Words that the page shows."""
        return len(self.page.visible.words(self.page))

    def body(self, house: House, wish: Wish) -> Markup:
        """The text as HTML: links stay in the reader, pictures come from here."""

        def picture(address: str) -> str | None:
            return picture_at(house, address) or None

        html = render(below_title(self.article), "html", _WITH_PICTURES)
        return Markup(safe(html, link=wish.link, picture=picture))  # noqa: S704  # nh3


async def reduced(request: Request, page: Callable[[], Page], extractor: Extractor) -> Reduced:
    """A page as an extractor reads it.

    Raises:
        PageError: it is none.
        Problem: it takes too long.
    """
    places = _places(request)
    try:
        async with asyncio.timeout(_PATIENCE):
            await places.acquire()
        # A thread cannot be ended: its place is given back when it is done, not when nobody waits any more.
        doing = asyncio.ensure_future(run_in_threadpool(_reduced, page, extractor))
        doing.add_done_callback(lambda _: places.release())
        async with asyncio.timeout(_PATIENCE):
            return await asyncio.shield(doing)
    except TimeoutError as error:
        raise Problem(503, "reading_slow", headers={"Retry-After": "30"}) from error


def _reduced(page: Callable[[], Page], extractor: Extractor) -> Reduced:
    made = page()
    article, spans = read_and_show(made, extractor)
    return Reduced(made, article, spans, name_of(extractor))


def _places(request: Request) -> asyncio.Semaphore:
    """Places to read at; they belong to the loop that serves."""
    state, loop = request.app.state, asyncio.get_running_loop()
    known: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = getattr(state, "reader_places", None)
    if known is None or known[0] is not loop:
        known = state.reader_places = (loop, asyncio.Semaphore(_AT_ONCE))
    return known[1]
