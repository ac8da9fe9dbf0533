"""What was set aside is tried again: by another version of the software, or because somebody asked for it.

Sources and links go back to their queues; articles are tried by their own stage when it comes by, or here where no
stage comes by again. How long a source or a page that failed is left alone is decided in `interval` and `decide`.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from tidings.news.store import Store
from tidings.news.store.quarantine import ItemName, Quarantine, software_version
from tidings.news.store.records_of_work import ItemKind, QuarantineEntry, Source, Stage
from tidings.urls import without_credentials

#: A link that has no number is forgotten after so long: feeds do not show it any more, or it is time to try again.
_SHOWN: Final = timedelta(days=30)


def retry(store: Store, at: datetime) -> None:
    """Try what another version failed on, and what somebody wants tried; index again what an older version indexed."""
    store.index_older()
    store.retry_quarantine(at, unless=software_version())
    shown = Quarantine(store, Stage.LINKS, at)
    shown.lift([_name(entry) for entry in store.quarantine(Stage.LINKS) if at - entry.tried > _SHOWN])
    for stage, works in ((Stage.STORE, _is_readable), (Stage.SEARCH, _is_findable)):
        aside = Quarantine(store, stage, at, again=True)
        deque(aside.each(aside.due(), partial(works, store), _name), maxlen=0)


def source_name(source: Source) -> ItemName:
    """A source, without the password that may stand in its address."""
    return ItemName(ItemKind.SOURCE, str(source.id), source.told.title or without_credentials(source.told.address))


def without_secrets(text: str, source: Source) -> str:
    """A text about a source without what it is asked for with."""
    told = source.told
    found = text.replace(told.address, without_credentials(told.address))
    values = (line.partition(":")[2].strip() for line in told.headers.splitlines())
    for secret in filter(None, (told.credentials, told.proxy, *values)):
        found = found.replace(secret, "…")
    return found


def _name(entry: QuarantineEntry) -> ItemName:
    return ItemName(entry.kind, entry.item, entry.name)


def _is_readable(store: Store, entry: QuarantineEntry) -> None:
    store.article(int(entry.item))


def _is_findable(store: Store, entry: QuarantineEntry) -> None:
    store.index_again(int(entry.item))
