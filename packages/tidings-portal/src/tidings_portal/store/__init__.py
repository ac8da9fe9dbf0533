"""The store: articles in versions, their sources, the fetch queue, stories, accounts and the search index.

from tidings_portal import store
with store.open("news.tidings") as stored:           # or "postgresql://host/database"
stored.search('title:"grey seal" OR lang:tr')
"""

from __future__ import annotations

from importlib.util import find_spec

from tidings.errors import MissingExtra

if find_spec("zstandard") is None:
    raise MissingExtra("a store of articles", "news")

# ruff: isort: split
from tidings_portal.store.query import parse
from tidings_portal.store.store import Store
from tidings_portal.store.store import open_store as open  # noqa: A004  # store.open is what it is

__all__ = ["Store", "open", "parse"]
