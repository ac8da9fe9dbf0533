"""Learned sites in the store, shared by all watchers: rules, and which URL shapes lead to articles.

Pages teach which URL shapes lead to articles on each site. A process adds what it has learned to the stored counts, so
that concurrent writers lose nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from tidings.errors import BadModel, StoreConflict, StoreError
from tidings.sites.storage.backends import SiteEvent, SiteStorage
from tidings.sources import Shapes
from tidings.urls import outlet_of
from tidings_portal.store import Store


class StoredSites(SiteStorage):
    """Site rules in a store. Closing it leaves the store open.

    Args:
        store: the store.
        now: returns the time.
        teacher: the extractor that taught the rules; empty: the default. Each teacher has its own rules.
    """

    def __init__(
        self, store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC), *, teacher: str = ""
    ) -> None:
        self._store = store
        self._now = now
        self._prefix = f"{teacher}: " if teacher else ""

    def load(self, space: str, name: str) -> tuple[bytes, int] | None:
        """Return a stored value and its version, or None."""
        state = self._store.load_state(name, self._prefix + space)
        return None if state is None else (state.value, state.version)

    def save(self, space: str, name: str, value: bytes, over: int | None) -> bool:
        """Write a value over a version; return False if another process was faster."""
        try:
            self._store.save_state(name, value, self._now(), version=over, space=self._prefix + space)
        except StoreConflict:
            return False
        return True

    def forget(self, space: str, name: str) -> None:
        """Delete a value."""
        self._store.forget_state(name, self._prefix + space)

    def stored(self, space: str) -> list[str]:
        """Return the names of the values in a namespace."""
        return self._store.states(self._prefix + space)

    def tell(self, event: SiteEvent) -> None:
        """Append to the log of a site. If the log cannot be written, reading continues."""
        with suppress(StoreError):
            super().tell(event)


SPACE: Final = "shapes"
#: The number of pages of a site between saves.
_WRITTEN_EVERY: Final = 20
_TRIES: Final = 20


class LearnedShapes:
    """Learned URL shapes: for each site, which forms of URL lead to articles."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fresh: dict[str, list[tuple[str, bool]]] = {}

    def of(self, site: str) -> Shapes:
        """Return the URL shapes of a site, as counted by all processes."""
        self.write([site])
        state = self._store.load_state(site, SPACE)
        return Shapes() if state is None else _read(state.value)

    def learn(self, address: str, is_article: bool) -> None:
        """Count whether a page with this URL was an article."""
        site = outlet_of(address)
        if not site:
            return
        fresh = self._fresh.setdefault(site, [])
        fresh.append((address, is_article))
        if len(fresh) >= _WRITTEN_EVERY:
            self.write([site])

    def write(self, sites: Iterable[str] | None = None) -> None:
        """Store what was counted since the last call."""
        for site in list(self._fresh if sites is None else sites):
            fresh = self._fresh.pop(site, None)
            for _ in range(_TRIES if fresh else 0):
                state = self._store.load_state(site, SPACE)
                shapes = Shapes() if state is None else _read(state.value)
                text = shapes.learn(fresh or ()).to_json().encode()
                try:
                    version = 0 if state is None else state.version
                    self._store.save_state(site, text, datetime.now(UTC), version=version, space=SPACE)
                    break
                except StoreConflict:
                    continue


def _read(stored: bytes) -> Shapes:
    try:
        return Shapes.of_json(stored.decode("utf-8", "replace"))
    except BadModel:
        return Shapes()  # learned anew
