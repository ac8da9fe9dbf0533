"""The sample newspaper: added to an empty store, and removed with a button."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings_portal.accounts.current_user import only_who_runs
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import Only
from tidings_portal.watch.sample_web import SETTING, hosts, sources
from tidings_portal.web.app_state import app_of
from tidings_portal.web.forms import posted_form

_AT_ONCE: Final = 500
#: The default of the setting, in a store that never had the sample.
NEVER: Final = "never"


def is_sample(store: Store) -> bool:
    """Return whether the sample newspaper is all that a store reads."""
    return bool(store.setting(SETTING)) and {one.settings.address for one in store.sources()} <= {
        one.address for one in sources()
    }


def add(store: Store, at: datetime) -> bool:
    """Add the sample newspaper to an empty store, unless it was removed before. Return whether it was added."""
    if store.setting(SETTING, NEVER) != NEVER or store.sources() or store.articles(limit=1).items:
        return False
    store.add_sources(sources(), at)
    store.set_setting(SETTING, "yes")
    return True


def remove(store: Store) -> None:
    """Remove the sources and articles of the sample newspaper from a store."""
    for source in sources():
        if (kept := store.source_at(source.address)) is not None:
            store.remove_source(kept.id)
    for host in sorted(hosts()):
        while found := store.articles(Only(site=host, muted=True), limit=_AT_ONCE).items:
            store.remove_articles([one.id for one in found])
    store.set_setting(SETTING, "")  # removed: unlike a store that never had it, which has no such setting


async def remove_sample(request: Request) -> Response:
    """Handle the button that removes the sample newspaper."""
    await posted_form(request)
    app = app_of(request)

    def work() -> None:
        only_who_runs(request)
        remove(app.store)

    await run_in_threadpool(work)
    app.cache.forget()
    return RedirectResponse("/", 303)
