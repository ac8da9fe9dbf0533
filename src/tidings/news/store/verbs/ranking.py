"""How well an article answers a query, as each database works it out: a title counts more than a text."""

from __future__ import annotations

from tidings.news.store.database import Database
from tidings.news.store.verbs.selecting import Chosen


def score(database: Database, chosen: Chosen) -> tuple[str, tuple[str, ...]]:
    """An SQL expression that is larger for better answers, and its values; 0 where there is nothing to rank by."""
    if chosen.rank is None:
        return "0.0", ()
    return database.ranking(chosen.rank)
