"""Recordings and films that belong to a story: what the page declares of them, and the files that its feed has.

Structured data (`AudioObject`, `VideoObject`, an episode with its media) tells title, type, length and size of what the
page plays; a recording that the page declares and does not play is one of the story too, behind its text. So is the
file of a feed's entry. A link of the text to a file is a recording where the link stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tidings.article.blocks import Block, Embed, Kind
from tidings.article.model import Article
from tidings.article.units import FoundUnits, attributes_of, start_tags, text_of
from tidings.fields.addresses import absolute, safe
from tidings.fields.declared import text, types
from tidings.page import Page, tags
from tidings.page.columns import sums
from tidings.page.tag_words import places_in_source
from tidings.text.patterns import late_pattern

#: Where the object of a story or an episode has its media.
_INSIDE: Final = ("audio", "associatedMedia", "encoding", "video", "mainEntity", "@graph")
_SORTS: Final = {"AudioObject": "audio", "VideoObject": "video"}
_EPISODES: Final = frozenset(("PodcastEpisode", "RadioEpisode", "Episode"))
_FILE: Final = late_pattern(r"\.(?:mp3|m4a|m4b|ogg|oga|opus|aac|flac|wav)(?:$|[?#])", re.IGNORECASE)
_MAY_BE_FILE: Final = re.compile(r"\.(?:mp3|m4[ab]|og[ag]|opus|aac|flac|wav)(?![a-z])", re.IGNORECASE)
_DURATION: Final = late_pattern(
    r"\AP(?:(\d{1,3})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,7})(?:\.\d{1,9})?S)?)?\Z", re.IGNORECASE
)
_CLOCK: Final = late_pattern(r"\A(?:(\d{1,3}):)?(\d{1,3}):(\d{2})\Z")
_SIZE: Final = late_pattern(r"\A(\d{1,12}(?:[.,]\d{1,3})?)\s*([kmg]?)i?b?(?:ytes)?\Z", re.IGNORECASE)
_UNITS: Final = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3}
#: Objects that are looked at, and recordings of one story.
_MOST_OBJECTS, _MOST = 300, 8
_DEEPEST: Final = 3
#: A link that says less says what it does: play, download.
_SHORTEST_TITLE, _LONGEST_TITLE = 24, 300
_LINK: Final = tags.NUMBERS["a"]


def find_recordings(units: FoundUnits) -> None:
    """What is declared of what the page plays, and the recordings that it does not play."""
    plays = {_bare(block.embed.url) for _, block in units.inserted if block.embed is not None}
    plays |= _linked(units, plays)
    told = {_bare(one.url): one for one in declared(units.page, units.base)}
    if not told:  # as on most pages
        return
    for place, (run, block) in enumerate(units.inserted):
        known = told.get(_bare(block.embed.url)) if block.embed is not None else None
        if block.embed is not None and known is not None:
            units.inserted[place] = (run, replace(block, embed=_together(block.embed, known)))
    units.tail += [_block(one) for bare, one in told.items() if one.provider == "audio" and bare not in plays]


def _linked(units: FoundUnits, plays: set[str]) -> set[str]:
    """Puts in the recordings to which links of the chosen text lead; where they are."""
    page = units.page
    found: set[str] = set()
    # Links that other units have put in are asked too, but not where no start tag of what was chosen tells of a file.
    if not (units.places.may_play or units.is_changed):
        return found
    links = (page.elements.tag == _LINK).nonzero()[0]
    if not len(links):
        return found
    before = sums(units.chosen)
    links = links[before[page.elements.last[links]] > before[page.elements.first[links]]]
    if not _MAY_BE_FILE.search("\n".join(start_tags(page, links.tolist()))) or not places_in_source(
        page, (".mp3", ".m4a"), 1
    ):  # as on most pages
        return found
    for link in links.tolist():
        href = attributes_of(page, link).get("href", "")
        url = safe(absolute(href, units.base)) if _FILE.search(href) else None
        if url and _bare(url) not in plays | found and len(found) < _MOST:
            found.add(_bare(url))
            said = text_of(page, link)
            title = said if _SHORTEST_TITLE <= len(said) <= _LONGEST_TITLE else ""
            units.inserted.append((page.elements.first.item(link), _block(Embed("audio", url, title=title))))
    return found


def with_recordings(article: Article, found: Sequence[Embed]) -> Article:
    """An article with the files of its feed's entry: more is told of what it plays, the others stand behind it."""
    if not found:
        return article
    blocks = list(article.blocks)
    told = {_bare(one.url): one for one in found[:_MOST] if safe(one.url)}
    for place, block in enumerate(blocks):
        known = told.pop(_bare(block.embed.url), None) if block.embed is not None else None
        if block.embed is not None and known is not None:
            blocks[place] = replace(block, embed=_together(block.embed, known))
    blocks += map(_block, told.values())
    return replace(article, blocks=tuple(blocks))


def declared(page: Page, base: str) -> Iterator[Embed]:
    """What a page declares in its structured data and its head, each once."""
    seen: set[str] = set()
    found: list[Mapping[str, Any]] = [
        {"contentUrl": one, "@type": "AudioObject"} for one in page.signals.all("og:audio")
    ]
    if page.signals.json_ld:
        found = [*_objects(page), *found]
    for thing in found:
        sort = next(_SORTS[kind] for kind in types(thing) if kind in _SORTS)
        addresses = (thing.get(name) for name in ("contentUrl", "embedUrl", "url"))
        told = next((one for one in addresses if isinstance(one, str) and one.strip()), "")
        url = safe(absolute(told.strip(), base)) if told else None
        if url is None or _bare(url) in seen or len(seen) >= _MOST:
            continue
        seen.add(_bare(url))
        yield Embed(
            sort,
            url,
            title=text(thing.get("name"))[:_LONGEST_TITLE],
            media_type=media_type(text(thing.get("encodingFormat"))),
            seconds=seconds(text(thing.get("duration"))),
            size=size(text(thing.get("contentSize"))),
        )


def _objects(page: Page) -> Iterator[Mapping[str, Any]]:
    """The objects of recordings and films, those of an episode with its title."""
    waiting: list[tuple[Any, str, int]] = [(one, "", 0) for one in reversed(page.signals.json_ld[:_MOST_OBJECTS])]
    for _ in range(_MOST_OBJECTS):
        if not waiting:
            return
        thing, title, depth = waiting.pop()
        if isinstance(thing, list):
            waiting += [(one, title, depth + 1) for one in reversed(thing[:_MOST]) if depth < _DEEPEST]
        elif isinstance(thing, dict):
            kinds = types(thing)
            if not _SORTS.keys().isdisjoint(kinds):
                yield thing if thing.get("name") or not title else {**thing, "name": title}
            own = text(thing.get("name")) if not _EPISODES.isdisjoint(kinds) else ""
            if depth < _DEEPEST:
                waiting += [(thing[name], own, depth + 1) for name in _INSIDE if name in thing]


def media_type(told: str) -> str:
    """A type as `audio/mpeg`; nothing where it is not told so."""
    told = told.partition(";")[0].strip().lower()
    return told if re.fullmatch(r"(?:audio|video|application)/[\w.+-]{1,60}", told) else ""


def seconds(told: str) -> int | None:
    """Seconds from `PT1H2M3S` or `1:02:03`."""
    match = _DURATION.match(told) or _CLOCK.match(told)
    if match is None or not any(match.groups()):
        return None
    parts = [int(one or 0) for one in match.groups()]
    total = 0
    for part, factor in zip([0] * (4 - len(parts)) + parts, (86_400, 3600, 60, 1), strict=True):
        total += part * factor
    return total


def size(told: str) -> int | None:
    """Bytes from `31.3 MB` or `31300000`."""
    match = _SIZE.match(told.strip())
    return round(float(match[1].replace(",", ".")) * _UNITS[match[2].lower()]) or None if match else None


def _together(embed: Embed, known: Embed) -> Embed:
    """What is played, with what else is known of it."""
    return replace(
        embed,
        title=embed.title or known.title,
        media_type=embed.media_type or known.media_type,
        seconds=embed.seconds if embed.seconds is not None else known.seconds,
        size=embed.size if embed.size is not None else known.size,
    )


def _block(embed: Embed) -> Block:
    return Block(Kind.EMBED, (), embed=embed)


def _bare(url: str) -> str:
    """An address without what changes from one visit to the next."""
    return url.partition("#")[0].partition("?")[0].rpartition("://")[2]
