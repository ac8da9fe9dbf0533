"""The text that a feed has of an article, kept until its page has been read: where the page cannot be had, or shows
a wall instead of the story, this is the article. What is no longer needed goes at the end of a round.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

from tidings import extractors
from tidings.article import Article, Embed, with_recordings
from tidings.errors import PageError
from tidings.news.store import Store
from tidings.page import Page
from tidings.reading import read
from tidings.sources import Enclosure, Link
from tidings.sources.dates import SourceDate

SPACE: Final = "feed text"
#: Characters under which a text is a teaser; and of which a longer one is cut.
_SHORTEST: Final = 300
_LONGEST: Final = 1_000_000


def keep(store: Store, name: str, link: Link, at: datetime, *, is_all: bool = False) -> bool:
    """Keep what a feed says of an article by the article's identity; False where it says too little.

    Args:
        store: where.
        name: the identity.
        link: as the feed shows it.
        at: now.
        is_all: no page is to be fetched: whatever the feed says is the article.
    """
    if len(link.content) < _SHORTEST and not is_all:
        return False
    told = _told(link)
    told["content"] = told["content"] or f"<p>{escape(link.summary or link.title)}</p>"
    store.save_state(name, json.dumps(told).encode(), at, version=None, space=SPACE)
    return True


def find(store: Store, name: str, url: str) -> Article | None:
    """The article as its feed has it."""
    kept = store.load_state(name, SPACE)
    if kept is None:
        return None
    try:
        told = json.loads(kept.value)
    except ValueError:
        return None
    return _article(told, url) if isinstance(told, dict) else None


def forget(store: Store, name: str) -> None:
    """The page has been read, or never will be."""
    store.forget_state(name, SPACE)


def of_link(link: Link) -> Article | None:
    """The article of an entry that has no page of its own: a note, an episode."""
    told = _told(link)
    told["content"] = told["content"] or f"<p>{escape(link.summary)}</p>"
    article = _article(told, link.address) if link.content or link.summary else None
    return with_recordings(article, embeds(link.enclosures)) if article is not None else None


def embeds(files: Iterable[Enclosure]) -> list[Embed]:
    """The recordings and films among the files of an entry."""
    sorts = ((one, one.media_type.partition("/")[0]) for one in files)
    return [
        Embed(sort, one.address, media_type=one.media_type, seconds=one.seconds, size=one.size)
        for one, sort in sorts
        if sort in ("audio", "video")
    ]


def _told(link: Link) -> dict[str, Any]:
    return {
        "title": link.title,
        "content": link.content[:_LONGEST],
        "authors": list(link.authors[:10]),
        "published": _moment(link.published),
        "summary": link.summary[:2000],
        "language": link.language,
    }


def _moment(when: SourceDate | None) -> str:
    return "" if when is None or when.moment is None else when.moment.isoformat()


def _article(told: dict[str, Any], url: str) -> Article | None:
    title = str(told.get("title", ""))
    source = f"<!DOCTYPE html><title>{escape(title)}</title><body><article>{told.get('content', '')}</article>"
    try:
        article = read(Page(source, url or None), extractors.extractor("everything"))
    except PageError:
        return None
    if not article.blocks:
        return None
    said = str(told.get("published", ""))
    provenance = {**article.provenance, "body": "feed", "title": "feed"}
    published, precision = article.published, article.published_precision
    if said:
        try:
            published = datetime.fromisoformat(said)
        except ValueError:
            published = article.published
        else:
            precision = "day" if len(said) == 10 else "second"
            if precision == "second" and published.tzinfo is None:
                published = published.replace(tzinfo=UTC)
            provenance["published"] = "feed"
    return replace(
        article,
        url=url,
        title=title or article.title,
        authors=tuple(map(str, told.get("authors", ()))) or article.authors,
        published=published,
        published_precision=precision,
        language=article.language or str(told.get("language", "")),
        summary=str(told.get("summary", "")) or article.summary,
        marks=(),
        provenance=provenance,
    )
