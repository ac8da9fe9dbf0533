"""Feeds as records, independent of RSS, Atom and JSON Feed, and their creation from stored articles.

All content comes from other sites and is cleaned here: text has no characters that XML forbids, no lone surrogates and
no line breaks; URLs are absolute and http(s); HTML is sanitised.

The id of an entry is a name-based UUID (RFC 4122, 4.3) of the article's id and the time when the store first saw it. It
is the same in every feed and format, and does not change when the article is edited or the store is copied. URLs are
not used, because sites change them and declare their home page as the canonical URL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from html import escape
from typing import Final
from uuid import UUID, uuid5

from tidings.article import Article, Kind, Options, render
from tidings.article.formats.characters import legal
from tidings.fields.urls.sanitise import safe_picture
from tidings.text import fold_space
from tidings.urls import origin_of, without_credentials
from tidings_portal.selection import page, source_name
from tidings_portal.store import Store
from tidings_portal.store.quarantine import Quarantine, article_name
from tidings_portal.store.records_of_articles import ArticleHeadline, KeptArticle, Only, teaser_sentence
from tidings_portal.store.records_of_work import Stage

#: BCP 47 in its outer form; what is none is left out.
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}", re.ASCII)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FeedAddresses:
    """The URLs of a feed: its web page, itself, its neighbouring pages and its hubs. Empty ones are left out."""

    home: str = ""  # the page for people
    itself: str = ""  # this document
    first: str = ""  # the newest page of a feed in pages (RFC 5005, 3); the feed's identity
    next: str = ""  # older entries
    previous: str = ""  # newer ones
    hubs: tuple[str, ...] = ()  # WebSub
    image: str = ""

    @property
    def cleaned(self) -> FeedAddresses:
        """Return these URLs without invalid ones."""
        return FeedAddresses(
            home=web(self.home),
            itself=web(self.itself),
            first=web(self.first),
            next=web(self.next),
            previous=web(self.previous),
            hubs=tuple(filter(None, map(web, self.hubs))),
            image=web(self.image),
        )


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One article of a feed."""

    id: str  # an IRI that never changes
    address: str = ""
    title: str = ""
    published: datetime | None = None
    updated: datetime = _EPOCH
    changed: datetime = _EPOCH  # when the store last wrote it
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    language: str = ""
    direction: str = "ltr"
    summary: str = ""
    html: str = ""  # empty where the feed is one of summaries
    image: str = ""
    site: str = ""  # who published it first
    site_home: str = ""
    number: int | None = None  # in the store
    story: int | None = None


@dataclass(frozen=True, slots=True)
class OutFeed:
    """A feed with its entries, independent of the output format."""

    id: str
    title: str
    description: str = ""
    language: str = ""
    entries: tuple[FeedEntry, ...] = ()
    places: FeedAddresses = FeedAddresses()

    @property
    def updated(self) -> datetime:
        """Return the time of the latest change of any entry, or the start of 1970 for an empty feed."""
        return max((entry.changed for entry in self.entries), default=_EPOCH)


def line(text: str) -> str:
    """Return a text on one line, without characters that XML forbids."""
    return fold_space(legal(text))


def web(address: str) -> str:
    """Return a URL if it is absolute and http(s), else ""."""
    found = safe_picture(legal(address))
    return found or ""


def language_tag(language: str) -> str:
    """Return a language as a tag with hyphens (`en-GB`), or "" if it is invalid."""
    told = language.replace("_", "-").strip()
    return told if _LANGUAGE.fullmatch(told) else ""


_NAMES: Final = UUID("6f0fd7c4-4c7e-5b0e-9d52-6c2f3d0e8a11")
_SHOWN: Final = Options(images=True)
#: Of each entry at most so many names and categories; real articles have fewer.
_MOST: Final = 50
_LONGEST_NAME: Final = 300
#: Of a summary that had to be made: two or three sentences.
_SUMMARY: Final = 400


class Content(Enum):
    """The content of feed entries: the full text or a summary."""

    FULL = "full"
    SUMMARY = "summary"


def entry(stored: KeptArticle, content: Content = Content.FULL) -> FeedEntry:
    """Return a stored article as a feed entry."""
    headline, article = stored.headline, stored.article
    published = published_at(article.published_as_stated, headline.first_seen)
    image = web(headline.image)
    site = line(headline.site_name or headline.site)
    return FeedEntry(
        id=identity(headline),
        address=web(article.address or headline.address),
        title=line(headline.title),
        published=published,
        updated=_updated(stored, published),
        changed=_whole_seconds(stored.extracted),
        authors=_names(headline.authors),
        categories=_names((headline.category, article.section, *article.tags)),
        language=language_tag(article.language) or language_tag(headline.language),
        direction=article.direction,
        summary=line(headline.summary or article.summary) or _beginning(article),
        html=full_text(article, image) + _teaser_note(headline) if content is Content.FULL else "",
        image=image,
        site=site,
        site_home=web(f"https://{headline.site}/") if headline.site else "",
        number=headline.id,
        story=headline.story,
    )


def _teaser_note(headline: ArticleHeadline) -> str:
    """Return a paragraph that says why the entry has only a teaser; an empty string for complete articles."""
    if not headline.teaser_reason:
        return ""
    return f"<p><em>Only the teaser: {escape(teaser_sentence(headline.teaser_reason))}.</em></p>"


def identity(headline: ArticleHeadline) -> str:
    """Return the permanent id of an article."""
    return name(f"article {headline.id} {headline.first_seen.astimezone(UTC).isoformat()}")


def name(of: str) -> str:
    """Return a permanent URN (name-based UUID) for a feed or entry without a URL."""
    return uuid5(_NAMES, of).urn


def full_text(article: Article, image: str = "") -> str:
    """Return the text as sanitised HTML with pictures, after the lead picture if the text does not contain it.

    Args:
        article: the article.
        image: the URL of the lead picture.
    """
    lead = article.image
    shown = {web(one.src) for one in article.images}
    shown |= {web(block.image.src) for block in article.blocks if block.image is not None}
    if lead is not None and image and image not in shown:
        article = replace(article, images=(replace(lead, src=image, place=0), *article.images))
    return legal(render(article, "html", _SHOWN))


def published_at(declared: datetime | date | None, first_seen: datetime) -> datetime | None:
    """Return the publication time, at most the time when the article was first seen, or None if it is not declared.

    A date becomes noon UTC, which is the same day in all time zones.
    """
    if declared is None:
        return None
    moment = declared if isinstance(declared, datetime) else datetime.combine(declared, time(12), UTC)
    moment = _whole_seconds(moment)
    try:
        return min(moment, _whole_seconds(first_seen))
    except OverflowError:  # the year 1 east of Greenwich
        return None


def _updated(stored: KeptArticle, published: datetime | None) -> datetime:
    """Return the time of the last change: as seen by the store, else as declared, else the publication time."""
    changed = _whole_seconds(stored.extracted)
    if stored.version == 1:
        declared = published_at(stored.article.modified_as_stated, stored.extracted)
        changed = declared or published or _whole_seconds(stored.headline.first_seen)
    return changed if published is None else max(changed, published)


def _whole_seconds(moment: datetime) -> datetime:
    """Return a time without fractions of a second, in UTC if its offset is not in whole minutes, as feed formats
    require.
    """
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    away = aware.utcoffset() or timedelta()
    if away % timedelta(minutes=1):
        try:
            aware = aware.astimezone(UTC)
        except OverflowError:
            aware = aware.replace(tzinfo=UTC)
    return aware.replace(microsecond=0)


def _names(names: Iterable[str]) -> tuple[str, ...]:
    unique = dict.fromkeys(line(line(one)[:_LONGEST_NAME]) for one in names)
    unique.pop("", None)
    return tuple(unique)[:_MOST]


def _beginning(article: Article) -> str:
    """Return the beginning of an article's text, as a summary for pages that declare none."""
    for block in article.blocks:
        if block.kind in {Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.QUOTE}:
            found = line(block.text)
            if len(found) > _SUMMARY:
                cut = found[:_SUMMARY]
                return (cut.rpartition(" ")[0] or cut) + " …"
            if found:
                return found
    return ""


#: As many as feeds of news mostly have.
ENTRIES: Final = 50
#: Full texts of so many are a few megabytes; who wants more asks for the next page.
MOST_ENTRIES: Final = 500


@dataclass(frozen=True, slots=True)
class Gathered:
    """A page of a feed, and the cursor of the next page (None at the end)."""

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
    """Return the latest articles that match a filter as a feed. Articles that cannot be entries are quarantined.

    Args:
        store: the store of the articles.
        only: the filter; `tidings_portal.selection.choice` creates it from user input.
        places: the URLs of the feed. For a paged feed, call `gather`, then set the URL with the result's cursor in
            `places.next` with `dataclasses.replace`.
        title: the title; empty: named after the source, story, category or search.
        search: the search query of `only` as text, for the title.
        content: full text or summaries.
        limit: the maximum number of entries, at most 500.
        after: the cursor of the previous page.
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
        what.append(f"source {without_credentials(source.settings.address)}")
        home = web(f"{origin_of(source.settings.address)}/")
        language = language or language_tag(source.settings.language)
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
