"""What was read is kept: into the store, like an article that came from a source, and among what the reader saved."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.errors import InputError
from tidings.news.reader.bringing import Brought, bring
from tidings.news.reader.pages import told_kindly
from tidings.news.reader.reduced import Reduced, reduced
from tidings.news.reader.wish import Wish
from tidings.news.store.records_of_articles import NewArticle, RawPage
from tidings.news.watch.store_links import address_key
from tidings.news.web.forms import posted
from tidings.news.web.house import House, house_of
from tidings.news.web.problems import Problem
from tidings.news.web.visit import visit_of


@told_kindly
async def save(request: Request) -> Response:
    """Keep the article of a page, and lead to it."""
    wish = Wish.of(await posted(request))
    request.state.typed = {"wish": wish}
    person = visit_of(request).person
    if person is None:
        raise Problem(401, "sign_in")
    if not wish.url:
        raise InputError("there is no address: give one as url")
    brought = await bring(request, wish.url)
    house = house_of(request)
    found = await house.reading.run(reduced, brought.sent, wish.extractor)
    number = await run_in_threadpool(keep, house, wish, brought, found)
    await run_in_threadpool(house.store.save, number, person, house.now())
    house.shown.forget()
    return RedirectResponse(f"/article/{number}", 303)


def keep(house: House, wish: Wish, brought: Brought, found: Reduced) -> int:
    """Keep an article and the page it came from; its number.

    Raises:
        InputError: there is no text to keep.
    """
    if not found.article.blocks:
        raise InputError("there is no text on this page to keep")
    now = house.now()
    page = RawPage(brought.url, brought.body, now, brought.content_type)
    keys = tuple(dict.fromkeys(filter(None, (address_key(wish.url), address_key(brought.url)))))
    (saved,) = house.store.keep([NewArticle(found.article, now, f"reader: {found.maker}", page, keys)])
    if saved.article is None:
        raise InputError("the article could not be kept")
    return saved.article
