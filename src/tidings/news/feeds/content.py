"""From a kept article to an entry of a feed.

An entry's id is a name-based UUID (RFC 4122, 4.3) of the article's number and the moment the store first saw it. It is
the same in every feed and every format, and stays when the title, the address or the text is edited, and when the store
is copied to a server. The address would not do: pages name their home page as their canonical address, and edit it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from typing import Final
from uuid import UUID, uuid5

from tidings.article import Article, Kind, Options, render
from tidings.article.characters import legal
from tidings.news.feeds.outgoing import FeedEntry, language_tag, line, web
from tidings.news.store.records_of_articles import ArticleHeadline, KeptArticle

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
    published = published_at(article.published, told.first_seen)
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
        html=full_text(article, image) if content is Content.FULL else "",
        image=image,
        site=site,
        site_home=web(f"https://{told.site}/") if told.site else "",
        number=told.id,
        story=told.story,
    )


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
        changed = (
            published_at(kept.article.modified, kept.extracted) or published or _whole_seconds(kept.headline.first_seen)
        )
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
