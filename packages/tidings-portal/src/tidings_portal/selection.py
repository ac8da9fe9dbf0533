"""Selection of articles for exports and feeds, in batches, and public names of sources without credentials."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tidings.errors import InputError
from tidings.text import fold_case
from tidings.urls import without_credentials
from tidings_portal.store import Store, parse
from tidings_portal.store.records_of_articles import KeptArticle, Listed, Only
from tidings_portal.store.records_of_work import Source


def source_name(source: Source) -> str:
    """Return the display name of a source: its title, or its URL without credentials."""
    return source.settings.title or without_credentials(source.settings.address)


_AT_ONCE: Final = 100
#: Of the sources that a word could mean, so many are named.
_NAMED: Final = 5


def choice(
    store: Store,
    *,
    search: str = "",
    source: str = "",
    story: int | None = None,
    category: str = "",
    muted: bool = False,
) -> Only:
    """Create a filter of articles from user input; articles must match all conditions.

    Args:
        store: the store of the articles.
        search: a search query.
        source: the number, URL or name of a source, or a part of these.
        story: the number of a story.
        category: the name of a category.
        muted: include muted articles.

    Raises:
        BadQuery: the search query is invalid; the message gives the position.
        InputError: there is no such source or story, or several sources match.
    """
    only = Only(muted=muted, category=category or None, query=parse(search) if search.strip() else None)
    if source:
        only = replace(only, source=source_named(store, source).id)
    if story is not None:
        found = store.story(story)
        if found is None:
            raise InputError(f"there is no story {story}")
        only = replace(only, story=found.id)  # the one it was merged into
    return only


def source_named(store: Store, name: str) -> Source:
    """Return a source by its number, URL or name, or by a part of these that no other source has.

    Raises:
        InputError: no source matches, or several do.
    """
    every = store.sources()
    wanted = fold_case(name.strip())
    for exact in (lambda one: str(one.id), lambda one: one.settings.address, lambda one: fold_case(source_name(one))):
        found = [one for one in every if wanted in {exact(one), fold_case(exact(one))}]
        if len(found) == 1:
            return found[0]
    found = [one for one in every if wanted in fold_case(source_name(one)) or wanted in fold_case(one.settings.address)]
    if len(found) == 1 and wanted:
        return found[0]
    if not found or not wanted:
        raise InputError(f"there is no source {name!r}; the store has {len(every):,}")
    several = ", ".join(f"{one.id} ({source_name(one)})" for one in found[:_NAMED])
    raise InputError(f"{name!r} may be any of {len(found)} sources: {several}; give a number")


def page(store: Store, only: Only, *, limit: int, after: str | None = None) -> Listed[KeptArticle]:
    """Return a page of the latest articles that match a filter, with their text."""
    listed = store.articles(only, limit=limit, after=after)
    return Listed(tuple(store.articles_by_number([one.id for one in listed.items])), listed.after)


def each(store: Store, only: Only) -> Iterator[KeptArticle]:
    """Yield all articles that match a filter, the latest first. At most a hundred are in memory."""
    after: str | None = None
    while True:
        listed = page(store, only, limit=_AT_ONCE, after=after)
        yield from listed.items
        after = listed.after
        if after is None:
            return
