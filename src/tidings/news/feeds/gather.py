"""From the store to a feed: of everything, a source, a search, a story, a category, or all of these at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tidings.addresses import origin_of
from tidings.news.feeds.content import Content, entry, name
from tidings.news.feeds.outgoing import FeedAddresses, OutFeed, language_tag, line, web
from tidings.news.selection import page, source_name, without_password
from tidings.news.store import Store
from tidings.news.store.quarantine import Quarantine, article_name
from tidings.news.store.records_of_articles import Only
from tidings.news.store.records_of_work import Stage

#: As many as feeds of news mostly have.
ENTRIES: Final = 50
#: Full texts of so many are a few megabytes; who wants more asks for the next page.
MOST_ENTRIES: Final = 500


@dataclass(frozen=True, slots=True)
class Gathered:
    """A feed, and the cursor that asks for the entries behind its last; None at the end."""

    feed: OutFeed
    after: str | None = None


def gather(
    store: Store,
    only: Only,
    places: FeedAddresses | None = None,
    *,
    title: str = "",
    search: str = "",
    content: Content = Content.FULL,
    limit: int = ENTRIES,
    after: str | None = None,
) -> Gathered:
    """The latest articles of a choice as a feed. An article that cannot be an entry is left out and set aside.

    Args:
        store: where they are.
        only: which; `tidings.news.selection.choice` makes it of what a person typed.
        places: where the feed lives. For a feed in pages: gather it, then put the address made of `after` in
            `places.next` with `dataclasses.replace`.
        title: what to call it; else it is called by what it is of.
        search: the words of the query in `only`, for the title.
        content: full text or summaries.
        limit: entries, at most 500.
        after: the cursor of the page before.
    """
    where = (places or FeedAddresses()).cleaned
    told = _described(store, only, search)
    listed = page(store, only, limit=max(1, min(limit, MOST_ENTRIES)), after=after)
    aside = Quarantine(store, Stage.FEEDS)
    entries = tuple(aside.each(listed.items, lambda kept: entry(kept, content), article_name))
    languages = {one.language for one in entries}
    feed = OutFeed(
        id=where.first or where.itself or name(f"feed {told.what}"),
        title=line(title) or told.title,
        description=told.description,
        language=told.language or (languages.pop() if len(languages) == 1 else ""),
        entries=entries,
        places=replace(where, home=where.home or told.home),
    )
    return Gathered(feed, listed.after)


@dataclass(frozen=True, slots=True)
class _FeedTitle:
    what: str  # the same for the same choice
    title: str
    description: str
    language: str
    home: str


def _described(store: Store, only: Only, search: str) -> _FeedTitle:
    titles: list[str] = []
    what: list[str] = []
    description = language = home = ""
    if only.story is not None and (story := store.story(only.story)) is not None:
        titles.append(line(story.title) or f"Story {story.id}")
        what.append(f"story {story.id}")
        description, language = line(story.summary), language_tag(story.language)
    if only.source is not None and (source := store.source(only.source)) is not None:
        titles.append(line(source_name(source)))
        what.append(f"source {without_password(source.told.address)}")
        home = web(f"{origin_of(source.told.address)}/")
        language = language or language_tag(source.told.language)
    for kind, value in (("category", only.category), ("author", only.author), ("site", only.site)):
        if value:
            titles.append(line(value))
            what.append(f"{kind} {value}")
    if only.language:
        spoken = (only.language,) if isinstance(only.language, str) else only.language
        titles.append(", ".join(spoken))
        language = language or (language_tag(spoken[0]) if len(spoken) == 1 else "")
        what.append(f"language {only.language}")
    if only.query is not None:
        titles.append(line(search) or "Search")
        what.append(f"search {search or only.query!r}")
    return _FeedTitle(" ".join(what), " – ".join(titles) or "Tidings", description, language, home)
