"""JSON Feed 1.0 and 1.1 (jsonfeed.org), parsed leniently."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from html import escape
from typing import Any

from tidings.page.invisible import visible_text
from tidings.sources.addresses import canonical
from tidings.sources.dates import Reader, reader
from tidings.sources.feeds.entry import (
    MOST_ITEMS,
    distinct_files,
    distinct_texts,
    each_entry,
    enclosure,
    plain_text,
    without_shared_addresses,
)
from tidings.sources.feeds.feed import Feed
from tidings.sources.link import Enclosure, Link, Origin
from tidings.sources.problems import ProblemKind, SourceProblem
from tidings.text import fold_space


def looks_like(text: str) -> bool:
    """Return whether a document looks like JSON."""
    return text[:100].lstrip()[:1] == "{"


def of_json(text: str, base: str, now: datetime | None) -> Feed:
    """Parse a JSON Feed."""
    try:
        document = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        return Feed("", problems=(SourceProblem(ProblemKind.NOT_WELL_FORMED, str(error)[:200]),))
    if not isinstance(document, dict) or not isinstance(document.get("items"), list):
        return Feed("", problems=(SourceProblem(ProblemKind.UNKNOWN_FORMAT, "JSON without a list of items"),))
    version = _text(document, "version").rpartition("/")[2]
    language = _text(document, "language")[:35]
    when = reader(language, now)
    entries = [item for item in document["items"] if isinstance(item, dict)]
    whole, bad = each_entry(entries[:MOST_ITEMS], lambda item: _link(item, base, language, when))
    items, problems = without_shared_addresses(whole)
    problems = bad + problems
    if len(entries) > MOST_ITEMS:
        problems += (SourceProblem(ProblemKind.TOO_MANY, f"{len(entries):,}; the first {MOST_ITEMS:,} were read"),)
    return Feed(
        kind=f"json feed {version}".strip() if version[:1].isdigit() and len(version) < 8 else "json feed",
        title=fold_space(_text(document, "title")),
        description=fold_space(_text(document, "description")),
        language=language,
        home=canonical(_text(document, "home_page_url"), base) or "",
        image=canonical(_text(document, "icon") or _text(document, "favicon"), base) or "",
        items=items,
        problems=problems,
        hubs=tuple(hub_url for hub in _objects(document, "hubs") if (hub_url := canonical(_text(hub, "url"), base))),
        itself=canonical(_text(document, "feed_url"), base) or "",
        next_page=canonical(_text(document, "next_url"), base) or "",
        is_ended=document.get("expired") is True,
    )


def _link(item: dict[str, Any], base: str, language: str, when: Reader) -> Link:
    declared_url = _text(item, "external_url") if not _text(item, "url") else _text(item, "url")
    guid = _text(item, "id")
    if not declared_url and guid.startswith(("http://", "https://")):
        declared_url = guid
    content = _text(item, "content_html") or escape(_text(item, "content_text"), quote=False)
    return Link(
        canonical_url=canonical(declared_url, base) or "",
        origin=Origin.FEED,
        title=fold_space(_text(item, "title")),
        summary=plain_text(_text(item, "summary")),
        content=content,
        declared_url=declared_url,
        url=canonical(declared_url, base, tracking=True) or "",
        guid=guid,
        published=when(_text(item, "date_published")),
        updated=when(_text(item, "date_modified")),
        authors=distinct_texts(
            _text(person, "name") for person in (*_objects(item, "authors"), *_objects(item, "author"))
        ),
        categories=distinct_texts(str(tag) for tag in item["tags"] if isinstance(tag, str))
        if isinstance(item.get("tags"), list)
        else (),
        enclosures=distinct_files(_files(item, base)),
        language=_text(item, "language")[:35] or language,
    )


def _files(item: dict[str, Any], base: str) -> Iterator[Enclosure | None]:
    for attachment in _objects(item, "attachments"):
        size, length = _text(attachment, "size_in_bytes"), _text(attachment, "duration_in_seconds")
        yield enclosure(_text(attachment, "url"), base, _text(attachment, "mime_type"), size, length)
    for name in ("image", "banner_image"):
        yield enclosure(_text(item, name), base, "image")


def _text(item: dict[str, Any], name: str) -> str:
    """Return a value as text. Identifiers may be numbers."""
    value = item.get(name)
    if isinstance(value, str):
        return visible_text(value).strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _objects(item: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = item.get(name)
    values = value if isinstance(value, list) else [value]
    return [value_item for value_item in values if isinstance(value_item, dict)]
