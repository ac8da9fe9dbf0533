"""Retry of quarantined items, after an update of Tidings or on request.

Sources and links go back to their queues. Articles are retried by their own stage, or here if it does not run again.
`interval` and `decide` define the delays after failures of sources and pages.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from tidings.urls import without_credentials
from tidings_portal.store import Store
from tidings_portal.store.quarantine import ItemName, Quarantine, software_version
from tidings_portal.store.records_of_work import ItemKind, QuarantineEntry, Source, Stage

#: How long a link without a number is quarantined: feeds have dropped it by then, or it is retried.
_SHOWN: Final = timedelta(days=30)


def retry(store: Store, at: datetime) -> None:
    """Retry quarantined items that failed with another version of Tidings, or whose retry a user requested.

    Search index entries that an older version wrote are rewritten too.
    """
    store.index_older()
    store.retry_quarantine(at, unless=software_version())
    links = Quarantine(store, Stage.LINKS, at)
    links.lift([_name(entry) for entry in store.quarantine(Stage.LINKS) if at - entry.tried > _SHOWN])
    for stage, works in ((Stage.STORE, _is_readable), (Stage.SEARCH, _is_findable)):
        aside = Quarantine(store, stage, at, again=True)
        deque(aside.each(aside.due(), partial(works, store), _name), maxlen=0)


def source_name(source: Source) -> ItemName:
    """Return the item name of a source, without the password in its URL."""
    return ItemName(
        ItemKind.SOURCE, str(source.id), source.settings.title or without_credentials(source.settings.address)
    )


def without_secrets(text: str, source: Source) -> str:
    """Return a text about a source without its credentials."""
    settings = source.settings
    cleaned = text.replace(settings.address, without_credentials(settings.address))
    values = (line.partition(":")[2].strip() for line in settings.headers.splitlines())
    for secret in filter(None, (settings.credentials, settings.proxy, *values)):
        cleaned = cleaned.replace(secret, "…")
    return cleaned


def _name(entry: QuarantineEntry) -> ItemName:
    return ItemName(entry.kind, entry.item, entry.name)


def _is_readable(store: Store, entry: QuarantineEntry) -> None:
    store.article(int(entry.item))


def _is_findable(store: Store, entry: QuarantineEntry) -> None:
    store.index_again(int(entry.item))
