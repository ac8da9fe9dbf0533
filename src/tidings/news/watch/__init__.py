"""The order of the stages: the one place that knows that pages are fetched before they are read.

`watch` keeps a store up to date: it polls sources, fetches what is new, reads it and keeps it, until it is told to
stop. What is decided on the way is decided by pure functions: `decide` (what is done with an answer), `interval` (how
often a source is asked, and how long it rests after failures), `health`. `watcher` carries it out, with processes of
their own for reading pages; `quarantine` tries again what was set aside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidings.news.watch.plan import Plan
    from tidings.news.watch.watcher import watch

__all__ = ["Plan", "watch"]


def __getattr__(name: str) -> Any:
    # Who needs one part loads that part.
    if name == "watch":
        from tidings.news.watch.watcher import watch

        return watch
    if name == "Plan":
        from tidings.news.watch.plan import Plan

        return Plan
    raise AttributeError(f"module 'tidings.news.watch' has no attribute {name!r}")
