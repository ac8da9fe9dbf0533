"""JSON Feed 1.0 and 1.1 (jsonfeed.org), read as leniently as feeds have to be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from html import escape
from typing import Any

from tidings.sources.addresses import canonical
from tidings.sources.feeds.entry import MOST_ITEMS, each_entry, enclosure, files_once, once, settled
from tidings.sources.feeds.feed import Feed
from tidings.sources.link import Enclosure, Link, Origin
from tidings.sources.problem import ProblemKind, SourceProblem
from tidings.sources.strip_markup import plain_text
from tidings.sources.when import Reader, reader
from tidings.text import fold_space


def looks_like(text: str) -> bool:
    """Whether a document is JSON."""
    return text[:100].lstrip()[:1] == "{"


def of_json(text: str, base: str, now: datetime | None) -> Feed:
    """A feed from JSON."""
    try:
        told = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        return Feed("", problems=(SourceProblem(ProblemKind.NOT_WELL_FORMED, str(error)[:200]),))
    if not isinstance(told, dict) or not isinstance(told.get("items"), list):
        return Feed("", problems=(SourceProblem(ProblemKind.UNKNOWN_FORMAT, "JSON without a list of items"),))
    version = _text(told, "version").rpartition("/")[2]
    language = _text(told, "language")[:35]
    when = reader(language, now)
    entries = [one for one in told["items"] if isinstance(one, dict)]
    whole, bad = each_entry(entries[:MOST_ITEMS], lambda one: _link(one, base, language, when))
    items, problems = settled(whole)
    problems = bad + problems
    if len(entries) > MOST_ITEMS:
        problems += (SourceProblem(ProblemKind.TOO_MANY, f"{len(entries):,}; the first {MOST_ITEMS:,} were read"),)
    return Feed(
        kind=f"json feed {version}".strip() if version[:1].isdigit() and len(version) < 8 else "json feed",
        title=fold_space(_text(told, "title")),
        description=fold_space(_text(told, "description")),
        language=language,
        home=canonical(_text(told, "home_page_url"), base) or "",
        image=canonical(_text(told, "icon") or _text(told, "favicon"), base) or "",
        items=items,
        problems=problems,
        hubs=tuple(found for hub in _objects(told, "hubs") if (found := canonical(_text(hub, "url"), base))),
        itself=canonical(_text(told, "feed_url"), base) or "",
        next_page=canonical(_text(told, "next_url"), base) or "",
        ended=told.get("expired") is True,
    )


def _link(told: dict[str, Any], base: str, language: str, when: Reader) -> Link:
    said = _text(told, "external_url") if not _text(told, "url") else _text(told, "url")
    guid = _text(told, "id")
    if not said and guid.startswith(("http://", "https://")):
        said = guid
    written = _text(told, "content_html") or escape(_text(told, "content_text"), quote=False)
    return Link(
        address=canonical(said, base) or "",
        origin=Origin.FEED,
        title=fold_space(_text(told, "title")),
        summary=plain_text(_text(told, "summary")),
        content=written,
        said=said,
        guid=guid,
        published=when(_text(told, "date_published")),
        updated=when(_text(told, "date_modified")),
        authors=once(_text(one, "name") for one in (*_objects(told, "authors"), *_objects(told, "author"))),
        categories=once(str(tag) for tag in told["tags"] if isinstance(tag, str))
        if isinstance(told.get("tags"), list)
        else (),
        enclosures=files_once(_files(told, base)),
        language=_text(told, "language")[:35] or language,
    )


def _files(told: dict[str, Any], base: str) -> Iterator[Enclosure | None]:
    for one in _objects(told, "attachments"):
        size, length = _text(one, "size_in_bytes"), _text(one, "duration_in_seconds")
        yield enclosure(_text(one, "url"), base, _text(one, "mime_type"), size, length)
    for name in ("image", "banner_image"):
        yield enclosure(_text(told, name), base, "image")


def _text(told: dict[str, Any], name: str) -> str:
    """A value as text; an identifier may be a number."""
    value = told.get(name)
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _objects(told: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = told.get(name)
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, dict)]
