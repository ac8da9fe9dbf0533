"""JSON Feed 1.1 (jsonfeed.org/version/1.1). What it has no word for stands under `_tidings`."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from tidings.article.characters import legal
from tidings.news.feeds.outgoing import Entry, OutFeed


def json_feed(feed: OutFeed) -> bytes:
    """A feed as JSON."""
    places = feed.places
    told = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": places.home,
        "feed_url": places.itself,
        "description": feed.description,
        "next_url": places.next,
        "icon": places.image,
        "language": feed.language,
        "hubs": [{"type": "WebSub", "url": hub} for hub in places.hubs],
    }
    items = [_item(entry) for entry in feed.entries]
    written = json.dumps(_said(told) | {"items": items}, ensure_ascii=False, indent=1)
    return legal(written).encode() + b"\n"  # whoever made the feed may not have cleaned its title


def _item(entry: Entry) -> dict[str, Any]:
    ours = {
        "direction": entry.direction,
        "site": entry.site,
        "site_url": entry.site_home,
        "article": entry.number,
        "story": entry.story,
    }
    told = {
        "id": entry.id,
        "url": entry.address,
        "title": entry.title,
        "content_html": entry.html,
        "summary": entry.summary,
        "image": entry.image,
        "date_published": _moment(entry.published),
        "date_modified": _moment(entry.updated),
        "authors": [{"name": author} for author in entry.authors],
        "tags": list(entry.categories),
        "language": entry.language,
        "_tidings": _said(ours),
    }
    if not entry.html:  # one of the two has to be there
        told["content_text"] = entry.summary or entry.title or " "
    return _said(told)


def _said(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value not in ("", None, [], {})}


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
