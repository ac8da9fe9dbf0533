"""What all kinds of feeds have in common: from what an entry says to a link."""

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
from tidings.sources.link import Enclosure, Link, ProblemKind, SourceProblem
from tidings.text import fold_space

T = TypeVar("T")
#: More entries than any feed of news has; what follows is left out.
MOST_ITEMS: Final = 10_000
#: Of each entry at most so many names, sections and files.
MOST_EACH: Final = 50
#: Types by the endings of addresses. The standard library's table differs from machine to machine.
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
    """Return a file that can be fetched; None if its address is none."""
    found = canonical(address, base)
    if found is None:
        return None
    if "/" not in media_type:  # media:content says "image" for all pictures
        guessed = _TYPES.get(found.partition("?")[0].rpartition(".")[2].lower())
        media_type = guessed or (f"{media_type}/*" if media_type in {"image", "audio", "video"} else media_type)
    return Enclosure(found, media_type.strip().lower(), _number(size), duration(seconds))


def duration(told: str) -> int | None:
    """Return seconds from `3723` or `1:02:03`."""
    parts = told.strip().split(":")
    if not 1 <= len(parts) <= 3 or not all(part.isdecimal() and len(part) < 7 for part in parts):
        return None
    total = 0
    for part in parts:
        total = total * 60 + int(part)
    return total


def _number(told: str) -> int | None:
    told = told.strip()
    return int(told) if told.isdecimal() and 0 < len(told) < 16 and int(told) > 0 else None


def once(values: Iterable[str]) -> tuple[str, ...]:
    """Return values that say something, each once, in order."""
    found = dict.fromkeys(fold_space(value)[:300] for value in values)
    found.pop("", None)
    return tuple(found)[:MOST_EACH]


def files_once(files: Iterable[Enclosure | None]) -> tuple[Enclosure, ...]:
    """Return files, each once."""
    return tuple({one.address: one for one in files if one is not None}.values())[:MOST_EACH]


def each_entry(entries: Iterable[T], read: Callable[[T], Link]) -> tuple[list[Link], tuple[SourceProblem, ...]]:
    """Return the links of entries; one that makes us raise costs itself and no other (HOSTILE 29)."""
    found: list[Link] = []
    bad: list[str] = []
    for place, entry in enumerate(entries, 1):
        try:
            found.append(read(entry))
        except Exception as error:  # any mistake of ours
            bad.append(f"entry {place} raised {type(error).__name__}: {str(error)[:100]}")
    more = f" and {len(bad) - 1} more" if len(bad) > 1 else ""
    return found, (SourceProblem(ProblemKind.BAD_ENTRY, bad[0] + more),) if bad else ()


def settled(links: Sequence[Link]) -> tuple[tuple[Link, ...], tuple[SourceProblem, ...]]:
    """Return links that know whether their address is their own, and what is wrong with them as a whole.

    An address that names a whole site, or that stands at entries which differ in both GUID and title, tells nothing of
    an entry.
    """
    keys = [key(link.address) if link.address else "" for link in links]
    times = Counter(keys)
    sharing: dict[str, list[Link]] = {}
    for link, one in zip(links, keys, strict=True):
        if one and times[one] > 1:
            sharing.setdefault(one, []).append(link)
    shared = {
        one
        for one, entries in sharing.items()
        if len({link.guid for link in entries}) > 1 and len({squashed(link.title) for link in entries}) > 1
    }
    found = tuple(
        replace(link, own_address=False) if one and (one in shared or names_a_site(one)) else link
        for link, one in zip(links, keys, strict=True)
    )
    problems = []
    if without := sum(not link.address for link in found):
        problems.append(SourceProblem(ProblemKind.NO_ADDRESS, str(without)))
    if alike := sum(not link.own_address for link in found):
        problems.append(SourceProblem(ProblemKind.SHARED_ADDRESS, str(alike)))
    if undated := sum(link.published is not None and link.published.moment is None for link in found):
        problems.append(SourceProblem(ProblemKind.BAD_DATE, str(undated)))
    return found, tuple(problems)


#: Text of scripts and styles is none. What is never closed goes on to the end.
_UNREAD: Final = re.compile(r"<(script|style)\b(?s:.*?)(?:</\1\s*>|\Z)|<!--(?s:.*?)(?:-->|\Z)", re.IGNORECASE)
_TAG: Final = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)(?:[\s/][^<>]*+)?>")
#: Tags that stand inside a word or a line; all others part words.
_INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code em font i ins kbd mark q s small span strong sub sup tt u".split()
)


def plain_text(markup: str, longest: int = 100_000) -> str:
    """Return the words of a piece of HTML on one line; of a longer one the beginning."""
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
