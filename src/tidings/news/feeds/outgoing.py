"""What a feed gives out: its entries, their content, and how they are gathered from the store.

A feed before it is written: what RSS, Atom and JSON Feed all say, each in its way.

Whatever stands here came from strangers. It is cleaned once, in this file and in `content`: text holds no character
that XML cannot hold, no lone surrogate and no line break; addresses are absolute and http; HTML is sanitised.

From a kept article to an entry of a feed.

An entry's id is a name-based UUID (RFC 4122, 4.3) of the article's number and the moment the store first saw it. It is
the same in every feed and every format, and stays when the title, the address or the text is edited, and when the store
is copied to a server. The address would not do: pages name their home page as their canonical address, and edit it.
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
from tidings.article.characters import legal
from tidings.fields.addresses import safe_picture
from tidings.news.selection import page, source_name
from tidings.news.store import Store
from tidings.news.store.quarantine import Quarantine, article_name
from tidings.news.store.records_of_articles import ArticleHeadline, KeptArticle, Only, teaser_sentence
from tidings.news.store.records_of_work import Stage
from tidings.text import fold_space
from tidings.urls import origin_of, without_credentials

#: BCP 47 in its outer form; what is none is left out.
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}", re.ASCII)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FeedAddresses:
    """Where a feed lives, as its server knows it. Empty: not told."""

    home: str = ""  # the page for people
    itself: str = ""  # this document
    first: str = ""  # the newest page of a feed in pages (RFC 5005, 3); the feed's identity
    next: str = ""  # older entries
    previous: str = ""  # newer ones
    hubs: tuple[str, ...] = ()  # WebSub
    image: str = ""

    @property
    def cleaned(self) -> FeedAddresses:
        """Without what is no address."""
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
    """A feed to be written."""

    id: str
    title: str
    description: str = ""
    language: str = ""
    entries: tuple[FeedEntry, ...] = ()
    places: FeedAddresses = FeedAddresses()

    @property
    def updated(self) -> datetime:
        """When something of it last changed; the beginning of 1970 for one with nothing in it."""
        return max((entry.changed for entry in self.entries), default=_EPOCH)


def line(text: str) -> str:
    """A text as every format can hold it, on one line."""
    return fold_space(legal(text))


def web(address: str) -> str:
    """An absolute http address, or nothing."""
    found = safe_picture(legal(address))
    return found or ""


def language_tag(language: str) -> str:
    """A language tag, or nothing."""
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
    """How much of an article a feed gives."""

    FULL = "full"
    SUMMARY = "summary"


def entry(kept: KeptArticle, content: Content = Content.FULL) -> FeedEntry:
    """A kept article as an entry."""
    told, article = kept.headline, kept.article
    published = published_at(article.published_told, told.first_seen)
    image = web(told.image)
    site = line(told.site_name or told.site)
    return FeedEntry(
        id=identity(told),
        address=web(article.address or told.address),
        title=line(told.title),
        published=published,
        updated=_updated(kept, published),
        changed=_whole_seconds(kept.extracted),
        authors=_names(told.authors),
        categories=_names((told.category, article.section, *article.tags)),
        language=language_tag(article.language) or language_tag(told.language),
        direction=article.direction,
        summary=line(told.summary or article.summary) or _beginning(article),
        html=full_text(article, image) + _teaser_note(told) if content is Content.FULL else "",
        image=image,
        site=site,
        site_home=web(f"https://{told.site}/") if told.site else "",
        number=told.id,
        story=told.story,
    )


def _teaser_note(headline: ArticleHeadline) -> str:
    """Return a paragraph that says why there is only a teaser; empty where there is more."""
    if not headline.teaser_reason:
        return ""
    return f"<p><em>Only the teaser: {escape(teaser_sentence(headline.teaser_reason))}.</em></p>"


def identity(told: ArticleHeadline) -> str:
    """The name of an article that never changes."""
    return name(f"article {told.id} {told.first_seen.astimezone(UTC).isoformat()}")


def name(of: str) -> str:
    """A name for something that has no address."""
    return uuid5(_NAMES, of).urn


def full_text(article: Article, image: str = "") -> str:
    """The text as sanitised HTML, with its pictures; the lead comes first where the text does not show it."""
    lead = article.image
    shown = {web(one.src) for one in article.images}
    shown |= {web(block.image.src) for block in article.blocks if block.image is not None}
    if lead is not None and image and image not in shown:
        article = replace(article, images=(replace(lead, src=image, place=0), *article.images))
    return legal(render(article, "html", _SHOWN))


def published_at(told: datetime | date | None, first_seen: datetime) -> datetime | None:
    """When an article came out, never later than it was seen; a day alone is its noon, the same day all over the world.

    None where that is not told: no time is made up.
    """
    if told is None:
        return None
    moment = told if isinstance(told, datetime) else datetime.combine(told, time(12), UTC)
    moment = _whole_seconds(moment)
    try:
        return min(moment, _whole_seconds(first_seen))
    except OverflowError:  # the year 1 east of Greenwich
        return None


def _updated(kept: KeptArticle, published: datetime | None) -> datetime:
    """When it last changed: as the store saw it change, else as the page says, else when it came out."""
    changed = _whole_seconds(kept.extracted)
    if kept.version == 1:
        told = published_at(kept.article.modified_told, kept.extracted)
        changed = told or published or _whole_seconds(kept.headline.first_seen)
    return changed if published is None else max(changed, published)


def _whole_seconds(moment: datetime) -> datetime:
    """To the second, which is all that RSS can say, in a zone of whole minutes, which is all that any of them can."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    away = aware.utcoffset() or timedelta()
    if away % timedelta(minutes=1):
        try:
            aware = aware.astimezone(UTC)
        except OverflowError:
            aware = aware.replace(tzinfo=UTC)
    return aware.replace(microsecond=0)


def _names(told: Iterable[str]) -> tuple[str, ...]:
    found = dict.fromkeys(line(line(one)[:_LONGEST_NAME]) for one in told)
    found.pop("", None)
    return tuple(found)[:_MOST]


def _beginning(article: Article) -> str:
    """The first words of the text, where the page has no summary."""
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
        what.append(f"source {without_credentials(source.told.address)}")
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
