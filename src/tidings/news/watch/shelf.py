"""What is known of sites, kept in the store: all watchers of a store, on whatever machines, learn a site once."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final

import zstandard

from tidings.errors import StoreConflict, StoreError
from tidings.news.store import Store
from tidings.sites.shelf import MOST_PAGES, Event, Kept

_SITE, _LOG = "site", "site log"
_LARGEST_PAGE: Final = 8 * 1024 * 1024
_MOST_LINES: Final = 100  # of the log of one site
_TRIES: Final = 20


class StoreShelf:
    """A shelf (`tidings.sites.shelf.Shelf`) in a store. Closing it leaves the store open."""

    def __init__(self, store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self._now = now

    def get(self, site: str) -> tuple[str, int] | None:
        """The text of a site and its version."""
        kept = self._store.load_state(site, _SITE)
        return None if kept is None else (kept.value.decode("utf-8", "replace"), kept.version)

    def put(self, site: str, text: str, over: int) -> bool:
        """Write the text of a site over a version."""
        try:
            self._store.save_state(site, text.encode(), self._now(), version=over, space=_SITE)
        except StoreConflict:
            return False
        return True

    def remove(self, site: str) -> None:
        """Forget a site with its pages."""
        self._store.forget_state(site, _SITE)
        self.drop_pages(site)

    def names(self) -> list[str]:
        """The sites there are."""
        return self._store.states(_SITE)

    def keep(self, site: str, page: Kept) -> int:
        """Keep a page to learn from; the oldest go when there are too many."""
        space, mark = _pages(site), blake2b(page.url.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        names = self._store.states(space)
        gone = [name for name in names if page.url and name.endswith(mark)]
        left = [name for name in names if name not in gone]
        if len(page.data) <= _LARGEST_PAGE:
            value = json.dumps(page.url).encode() + b"\n" + page.data
            name = f"{time.time_ns():020d} {mark}"
            packed = zstandard.ZstdCompressor(level=1).compress(value)
            self._store.save_state(name, packed, self._now(), version=None, space=space)
            left.append(name)
        for name in gone + left[:-MOST_PAGES]:
            self._store.forget_state(name, space)
        return min(len(left), MOST_PAGES)

    def pages(self, site: str) -> list[Kept]:
        """The pages kept to learn from, the oldest first."""
        found = []
        unpacker = zstandard.ZstdDecompressor()
        for name in self._store.states(_pages(site)):
            kept = self._store.load_state(name, _pages(site))
            if kept is None:  # another process may have learned meanwhile
                continue
            try:
                url, _, data = unpacker.decompress(kept.value).partition(b"\n")
                found.append(Kept(str(json.loads(url)), data))
            except (zstandard.ZstdError, ValueError):  # damaged: the site is learned from the others
                self._store.forget_state(name, _pages(site))
        return found

    def drop_pages(self, site: str) -> None:
        """Drop the pages kept to learn from."""
        for name in self._store.states(_pages(site)):
            self._store.forget_state(name, _pages(site))

    def tell(self, event: Event) -> None:
        """Write a line into the log of a site. A log that cannot be written is no reason to read no page."""
        for _ in range(_TRIES):
            kept = self._store.load_state(event.site, _LOG)
            lines = [] if kept is None else json.loads(kept.value)
            lines.append([event.at.isoformat(timespec="seconds"), event.what, event.why])
            value = json.dumps(lines[-_MOST_LINES:]).encode()
            try:
                version = 0 if kept is None else kept.version
                self._store.save_state(event.site, value, self._now(), version=version, space=_LOG)
            except StoreConflict:
                continue
            except StoreError:
                return
            return

    def told(self, site: str | None = None) -> list[Event]:
        """The log, of one site or of all, the oldest first."""
        found = []
        for name in [site] if site is not None else self._store.states(_LOG):
            kept = self._store.load_state(name, _LOG)
            for at, what, why in json.loads(kept.value) if kept is not None else ():
                found.append(Event(datetime.fromisoformat(at), name, what, why))
        return sorted(found, key=lambda event: event.at)

    def close(self) -> None:
        """Nothing is open but the store, which is somebody else's."""


def _pages(site: str) -> str:
    return f"site page {site}"
