"""What is known of sites, kept in the store: all watchers of a store, on whatever machines, learn a site once.

Which shapes of addresses lead to articles on each site is learned as pages are read. What a process has learned is
added to what is there: of two that write at once neither loses anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from tidings.errors import BadModel, StoreConflict, StoreError
from tidings.news.store import Store
from tidings.sites.storage import SiteEvent, SiteStorage
from tidings.sources import Shapes
from tidings.urls import outlet_of


class StoredSites(SiteStorage):
    """Sites in a store. Closing it leaves the store open.

    Args:
        store: the store.
        now: tells the time.
        teacher: whose rules these are; empty: the default's. Those of two teachers do not meet.
    """

    def __init__(
        self, store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC), *, teacher: str = ""
    ) -> None:
        self._store = store
        self._now = now
        self._prefix = f"{teacher}: " if teacher else ""

    def load(self, space: str, name: str) -> tuple[bytes, int] | None:
        """The value under a name and its version."""
        state = self._store.load_state(name, self._prefix + space)
        return None if state is None else (state.value, state.version)

    def save(self, space: str, name: str, value: bytes, over: int | None) -> bool:
        """Write a value over a version."""
        try:
            self._store.save_state(name, value, self._now(), version=over, space=self._prefix + space)
        except StoreConflict:
            return False
        return True

    def forget(self, space: str, name: str) -> None:
        """Forget a value."""
        self._store.forget_state(name, self._prefix + space)

    def stored(self, space: str) -> list[str]:
        """The names in a space."""
        return self._store.states(self._prefix + space)

    def tell(self, event: SiteEvent) -> None:
        """Write a line into the log of a site. A log that cannot be written is no reason to read no page."""
        with suppress(StoreError):
            super().tell(event)


SPACE: Final = "shapes"
#: Pages of a site after which what was learned is written.
_WRITTEN_EVERY: Final = 20
_TRIES: Final = 20


class LearnedShapes:
    """What a process knows of the shapes of sites' addresses."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fresh: dict[str, list[tuple[str, bool]]] = {}

    def of(self, site: str) -> Shapes:
        """What is known of a site, by all processes."""
        self.write([site])
        kept = self._store.load_state(site, SPACE)
        return Shapes() if kept is None else _read(kept.value)

    def learn(self, address: str, is_article: bool) -> None:
        """A page was read: it was an article, or something else."""
        site = outlet_of(address)
        if not site:
            return
        fresh = self._fresh.setdefault(site, [])
        fresh.append((address, is_article))
        if len(fresh) >= _WRITTEN_EVERY:
            self.write([site])

    def write(self, sites: Iterable[str] | None = None) -> None:
        """Write what was learned since."""
        for site in list(self._fresh if sites is None else sites):
            fresh = self._fresh.pop(site, None)
            for _ in range(_TRIES if fresh else 0):
                kept = self._store.load_state(site, SPACE)
                known = Shapes() if kept is None else _read(kept.value)
                text = known.learn(fresh or ()).to_json().encode()
                try:
                    version = 0 if kept is None else kept.version
                    self._store.save_state(site, text, datetime.now(UTC), version=version, space=SPACE)
                    break
                except StoreConflict:
                    continue


def _read(kept: bytes) -> Shapes:
    try:
        return Shapes.of_json(kept.decode("utf-8", "replace"))
    except BadModel:
        return Shapes()  # learned anew
