"""Options that select a recipe, and articles by a search or a day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tidings.errors import InputError

if TYPE_CHECKING:
    from tidings_portal.recipes.recipe import Recipe
    from tidings_portal.store import Store
    from tidings_portal.store.records_of_articles import Only


def only(query: str, day: str = "") -> Only:
    """Return a store filter for articles of a search and of a day.

    Raises:
        InputError: the day is invalid.
    """
    from tidings_portal.store import parse
    from tidings_portal.store.records_of_articles import Only

    if not day:
        return Only(query=parse(query) if query else None, muted=True)
    try:
        begin = datetime.fromisoformat(day).replace(tzinfo=UTC)
    except ValueError:
        raise InputError(f"{day!r} is not a day; write 2026-11-17") from None
    return Only(query=parse(query) if query else None, muted=True, since=begin, until=begin + timedelta(days=1))


def find_recipe(store: Store, name: str) -> Recipe:
    """Return a recipe by its name or its file path."""
    from tidings_portal.recipes.catalogue import RecipeCatalogue

    return RecipeCatalogue(store).named(name, datetime.now(UTC))
