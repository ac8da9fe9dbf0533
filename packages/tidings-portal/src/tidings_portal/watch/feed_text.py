"""Feed texts of articles, stored until their pages are read.

If a page cannot be fetched, or shows a wall instead of the story, the feed text becomes the article. Texts that are not
needed any more are deleted at the end of a round.
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
from tidings.page import Page
from tidings.reading import read
from tidings.sources import Enclosure, Link
from tidings.sources.dates import SourceDate
from tidings_portal.store import Store

SPACE: Final = "feed text"
#: The length below which a text is a teaser, and the maximum length, in characters.
_SHORTEST: Final = 300
_LONGEST: Final = 1_000_000


def keep(store: Store, name: str, link: Link, at: datetime, *, is_all: bool = False) -> bool:
    """Store the feed text of an article; return False if it is too short.

    Args:
        store: the store.
        name: the identity of the article.
        link: the link of the feed.
        at: now.
        is_all: no page is fetched, so any feed text is the article.
    """
    if len(link.content) < _SHORTEST and not is_all:
        return False
    fields = _fields(link)
    fields["content"] = fields["content"] or f"<p>{escape(link.summary or link.title)}</p>"
    store.save_state(name, json.dumps(fields).encode(), at, version=None, space=SPACE)
    return True


def find(store: Store, name: str, url: str) -> Article | None:
    """Return the article from its feed text, or None."""
    state = store.load_state(name, SPACE)
    if state is None:
        return None
    try:
        fields = json.loads(state.value)
    except ValueError:
        return None
    return _article(fields, url) if isinstance(fields, dict) else None


def forget(store: Store, name: str) -> None:
    """Delete a feed text, because the page was read or never will be."""
    store.forget_state(name, SPACE)


def of_link(link: Link) -> Article | None:
    """Return the article of an entry without a page: a note, an episode."""
    fields = _fields(link)
    fields["content"] = fields["content"] or f"<p>{escape(link.summary)}</p>"
    article = _article(fields, link.canonical_url) if link.content or link.summary else None
    return with_recordings(article, embeds(link.enclosures)) if article is not None else None


def embeds(files: Iterable[Enclosure]) -> list[Embed]:
    """Return the audio and video among the enclosures of an entry."""
    sorts = ((enclosure, enclosure.media_type.partition("/")[0]) for enclosure in files)
    return [
        Embed(sort, enclosure.address, media_type=enclosure.media_type, seconds=enclosure.seconds, size=enclosure.size)
        for enclosure, sort in sorts
        if sort in ("audio", "video")
    ]


def _fields(link: Link) -> dict[str, Any]:
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


def _article(fields: dict[str, Any], url: str) -> Article | None:
    title = str(fields.get("title", ""))
    source = f"<!DOCTYPE html><title>{escape(title)}</title><body><article>{fields.get('content', '')}</article>"
    try:
        article = read(Page(source, url or None), extractors.extractor("everything"))
    except PageError:
        return None
    if not article.blocks:
        return None
    date = str(fields.get("published", ""))
    provenance = {**article.provenance, "body": "feed", "title": "feed"}
    published, precision = article.published, article.published_precision
    if date:
        try:
            published = datetime.fromisoformat(date)
        except ValueError:
            published = article.published
        else:
            precision = "day" if len(date) == 10 else "second"
            if precision == "second" and published.tzinfo is None:
                published = published.replace(tzinfo=UTC)
            provenance["published"] = "feed"
    return replace(
        article,
        url=url,
        title=title or article.title,
        authors=tuple(map(str, fields.get("authors", ()))) or article.authors,
        published=published,
        published_precision=precision,
        language=article.language or str(fields.get("language", "")),
        summary=str(fields.get("summary", "")) or article.summary,
        marks=(),
        provenance=provenance,
    )
