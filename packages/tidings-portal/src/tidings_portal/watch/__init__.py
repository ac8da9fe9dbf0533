"""Watching of a store: polls sources, and fetches, reads and stores new articles, until it is stopped.

Pure functions decide: `decide` (what follows a response), `interval` (when a source is polled) and `health`. `watcher`
carries the decisions out, and reads pages in worker processes. `quarantine` retries quarantined items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidings_portal.watch.plan import Plan
    from tidings_portal.watch.watcher import watch

__all__ = ["Plan", "watch"]


def __getattr__(name: str) -> Any:
    # Load parts on demand.
    if name == "watch":
        from tidings_portal.watch.watcher import watch

        return watch
    if name == "Plan":
        from tidings_portal.watch.plan import Plan

        return Plan
    raise AttributeError(f"module 'tidings_portal.watch' has no attribute {name!r}")
