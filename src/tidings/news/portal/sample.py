"""The sample newspaper in a store: put there when it is empty, taken out by a button."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.news.accounts.current_user import only_who_runs
from tidings.news.store import Store
from tidings.news.store.records_of_articles import Only
from tidings.news.watch.sample_web import SETTING, hosts, sources
from tidings.news.web.app_state import app_of
from tidings.news.web.forms import posted

_AT_ONCE: Final = 500


def add(store: Store, at: datetime) -> bool:
    """Add the sources of the newspaper to a store that has none and no articles. False: it has some."""
    if store.sources() or store.articles(limit=1).items:
        return False
    store.add_sources(sources(), at)
    store.set_setting(SETTING, "yes")
    return True


def remove(store: Store) -> None:
    """Take the newspaper out of a store: its sources and its articles."""
    for source in sources():
        if (kept := store.source_at(source.address)) is not None:
            store.remove_source(kept.id)
    for host in sorted(hosts()):
        while found := store.articles(Only(site=host, muted=True), limit=_AT_ONCE).items:
            store.remove_articles([one.id for one in found])
    store.set_setting(SETTING, "")


async def remove_sample(request: Request) -> Response:
    """The button that takes it out."""
    await posted(request)
    app = app_of(request)

    def work() -> None:
        only_who_runs(request)
        remove(app.store)

    await run_in_threadpool(work)
    app.shown.forget()
    return RedirectResponse("/", 303)
