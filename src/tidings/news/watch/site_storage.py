"""What is known of sites, kept in the store: all watchers of a store, on whatever machines, learn a site once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from tidings.errors import StoreConflict, StoreError
from tidings.news.store import Store
from tidings.sites.storage import SiteEvent, SiteStorage


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
