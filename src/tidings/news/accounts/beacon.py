"""The beacon: a browser tells that somebody has an article before them. Never counted by the request for the page.

It carries a mark that the page was given for this browser and this article, so that nobody counts by guessing numbers.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tidings.errors import StoreError
from tidings.news.accounts.account import number_in
from tidings.news.accounts.reception import reception_of
from tidings.news.web.forms import is_from_here, text
from tidings.news.web.house import House, house_of
from tidings.news.web.own_reading import recount
from tidings.news.web.problems import Problem
from tidings.news.web.proxies import address_of
from tidings.news.web.visit import visit_of

#: Readings that one address may tell in a minute: a busy office, not a program.
_A_MINUTE: Final = 120
_MOST_BYTES: Final = 1000
_PURPOSE: Final = "read"


def beacon_mark(house: House, article: int, visitor: str) -> str:
    """What the page of an article is given, so that its reading can be told."""
    return house.sign(_PURPOSE, f"{article} {visitor}")


async def beacon(request: Request) -> Response:
    """Somebody reads an article: it is counted, and for those who keep such things it is read."""
    if not is_from_here(request):
        raise Problem(403, "forged")
    try:
        form = await request.form(max_files=0, max_fields=4, max_part_size=_MOST_BYTES)
    except HTTPException as error:
        raise Problem(413, "large") from error
    house, visit = house_of(request), visit_of(request)
    article = number_in(form, "article")
    if not house.is_signed(_PURPOSE, f"{article} {visit.visitor}", text(form, "mark", 64)):
        raise Problem(403, "forged")
    await run_in_threadpool(_count, request, article)
    return Response(status_code=204)


def _count(request: Request, article: int) -> None:
    """Count a reading; whoever asks is told of nothing but that it was too often."""
    house, visit, counting = house_of(request), visit_of(request), reception_of(request).counting
    wait = house.turns.take("beacon", address_of(request), _A_MINUTE).wait
    if wait:
        raise Problem(429, "often", headers={"Retry-After": str(wait)})
    with suppress(StoreError):  # nobody waits for the answer to a beacon
        counting.read(article, visit.visitor)
        if visit.person is not None and counting.is_first(article, visit.person):
            house.store.mark_read(visit.person, [article])
            recount(house, visit.person)
