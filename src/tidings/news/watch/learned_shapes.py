"""Which shapes of addresses lead to articles on each site, learned as pages are read, kept in the store.

What a process has learned is added to what is there: of two that write at once neither loses anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from tidings.addresses import outlet_of
from tidings.errors import BadModel, StoreConflict
from tidings.news.store import Store
from tidings.sources import Shapes

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
