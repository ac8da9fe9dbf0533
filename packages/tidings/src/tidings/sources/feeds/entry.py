"""Common parts of all feed formats: conversion of entries to links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from tidings.fields.keys import squashed
from tidings.page.invisible import visible_text
from tidings.page.references import unescape
from tidings.sources.addresses import canonical, key, names_a_site
from tidings.sources.link import Enclosure, Link
from tidings.sources.problems import ProblemKind, SourceProblem
from tidings.text import fold_space

T = TypeVar("T")
#: Limit on the entries of a feed.
MOST_ITEMS: Final = 10_000
#: Limit on the names, sections and files of an entry.
MOST_EACH: Final = 50
#: Media types by file extension. The standard library's table differs between machines.
_TYPES: Final = {
    **{ending: f"image/{ending}" for ending in ("png", "gif", "webp", "avif")},
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "svg": "image/svg+xml",
    "mp3": "audio/mpeg",
    "m4a": "audio/mp4",
    "aac": "audio/aac",
    "ogg": "audio/ogg",
    "opus": "audio/ogg",
    "wav": "audio/wav",
    "mp4": "video/mp4",
    "m4v": "video/mp4",
    "webm": "video/webm",
    "mov": "video/quicktime",
    "pdf": "application/pdf",
}


def enclosure(
    address: str | None, base: str, media_type: str = "", size: str = "", seconds: str = ""
) -> Enclosure | None:
    """Return an enclosure, or None if its URL is invalid."""
    url = canonical(address, base)
    if url is None:
        return None
    if "/" not in media_type:  # media:content says "image" for all pictures
        guessed = _TYPES.get(url.partition("?")[0].rpartition(".")[2].lower())
        media_type = guessed or (f"{media_type}/*" if media_type in {"image", "audio", "video"} else media_type)
    return Enclosure(url, media_type.strip().lower(), _number(size), duration(seconds))


def duration(text: str) -> int | None:
    """Parse a duration in seconds from `3723` or `1:02:03`."""
    parts = text.strip().split(":")
    if not 1 <= len(parts) <= 3 or not all(part.isdecimal() and len(part) < 7 for part in parts):
        return None
    total = 0
    for part in parts:
        total = total * 60 + int(part)
    return total


def _number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isdecimal() and 0 < len(text) < 16 and int(text) > 0 else None


def distinct_texts(values: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct non-empty values in order."""
    values_in_order = dict.fromkeys(fold_space(value)[:300] for value in values)
    values_in_order.pop("", None)
    return tuple(values_in_order)[:MOST_EACH]


def distinct_files(files: Iterable[Enclosure | None]) -> tuple[Enclosure, ...]:
    """Return enclosures with distinct URLs."""
    return tuple({file.address: file for file in files if file is not None}.values())[:MOST_EACH]


def each_entry(entries: Iterable[T], read: Callable[[T], Link]) -> tuple[list[Link], tuple[SourceProblem, ...]]:
    """Convert entries to links. An entry that raises an error is skipped and reported (HOSTILE 29)."""
    links: list[Link] = []
    errors: list[str] = []
    for place, entry in enumerate(entries, 1):
        try:
            links.append(read(entry))
        except Exception as error:  # any bug of ours
            errors.append(f"entry {place} raised {type(error).__name__}: {str(error)[:100]}")
    more = f" and {len(errors) - 1} more" if len(errors) > 1 else ""
    return links, (SourceProblem(ProblemKind.BAD_ENTRY, errors[0] + more),) if errors else ()


def without_shared_addresses(links: Sequence[Link]) -> tuple[tuple[Link, ...], tuple[SourceProblem, ...]]:
    """Mark links whose URL does not identify them, and return the problems of all links.

    A URL of a home page, or one of several entries with different GUIDs and titles, does not identify an entry.
    """
    keys = [key(link.canonical_url) if link.canonical_url else "" for link in links]
    times = Counter(keys)
    sharing: dict[str, list[Link]] = {}
    for link, url_key in zip(links, keys, strict=True):
        if url_key and times[url_key] > 1:
            sharing.setdefault(url_key, []).append(link)
    shared = {
        url_key
        for url_key, entries in sharing.items()
        if len({link.guid for link in entries}) > 1 and len({squashed(link.title) for link in entries}) > 1
    }
    marked = tuple(
        replace(link, has_own_url=False) if url_key and (url_key in shared or names_a_site(url_key)) else link
        for link, url_key in zip(links, keys, strict=True)
    )
    problems = []
    if without := sum(not link.canonical_url for link in marked):
        problems.append(SourceProblem(ProblemKind.NO_ADDRESS, str(without)))
    if alike := sum(not link.has_own_url for link in marked):
        problems.append(SourceProblem(ProblemKind.SHARED_ADDRESS, str(alike)))
    if undated := sum(link.published is not None and link.published.moment is None for link in marked):
        problems.append(SourceProblem(ProblemKind.BAD_DATE, str(undated)))
    return marked, tuple(problems)


#: Scripts, styles and comments contain no text. Unclosed ones extend to the end.
_UNREAD: Final = re.compile(r"<(script|style)\b(?s:.*?)(?:</\1\s*>|\Z)|<!--(?s:.*?)(?:-->|\Z)", re.IGNORECASE)
_TAG: Final = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)(?:[\s/][^<>]*+)?>")
#: Inline tags; all others separate words.
_INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code em font i ins kbd mark q s small span strong sub sup tt u".split()
)


def plain_text(markup: str, longest: int = 100_000) -> str:
    """Return the text of a piece of HTML on one line, truncated at `longest`."""
    text = markup[:longest]
    for _ in range(2):  # `&amp;lt;b&amp;gt;` is frequent
        if "<" in text:
            if "<s" in text or "<S" in text or "<!" in text:
                text = _UNREAD.sub(" ", text)
            text = _TAG.sub(_gap, text)
        if "&" not in text:
            break
        text = unescape(text)
    return " ".join(visible_text(text.replace("\0", "")).split())


def _gap(tag: re.Match[str]) -> str:
    return "" if tag[1].lower() in _INLINE else " "
