"""Recordings and films that belong to a story: what the page declares of them, and the files that its feed has.

Structured data (`AudioObject`, `VideoObject`, an episode with its media) tells title, type, length and size of what the
page plays; a recording that the page declares and does not play is one of the story too, behind its text. So is the
file of a feed's entry. A link of the text to a file is a recording where the link stands. What other sites show
inside a page stands where its element does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qs

from tidings.article.blocks import Block, Embed, Kind
from tidings.article.model import Article
from tidings.article.units import FoundUnits, attributes_of, inside, named, start_tags, tag_of, text_of
from tidings.fields.addresses import absolute, safe
from tidings.fields.declared import text, types
from tidings.page import Page, tags
from tidings.page.columns import any_set, sums
from tidings.page.tag_words import places_in_source
from tidings.text.patterns import late_pattern
from tidings.urls import URL

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
_PROVIDERS: Final = {
    "youtube.com": "YouTube", "youtu.be": "YouTube", "youtube-nocookie.com": "YouTube", "vimeo.com": "Vimeo",
    "twitter.com": "X", "x.com": "X", "instagram.com": "Instagram", "tiktok.com": "TikTok", "facebook.com": "Facebook",
    "spotify.com": "Spotify", "soundcloud.com": "SoundCloud", "bsky.app": "Bluesky", "reddit.com": "Reddit",
    "redditmedia.com": "Reddit", "dailymotion.com": "Dailymotion", "twitch.tv": "Twitch", "codepen.io": "CodePen",
    "ted.com": "TED", "apple.com": "Apple Podcasts", "threads.net": "Threads", "linkedin.com": "LinkedIn",
    "jsfiddle.net": "JSFiddle", "codesandbox.io": "CodeSandbox", "bandcamp.com": "Bandcamp", "acast.com": "Acast",
    "megaphone.fm": "Megaphone", "simplecast.com": "Simplecast", "streamable.com": "Streamable", "loom.com": "Loom",
    "wistia.net": "Wistia", "wistia.com": "Wistia", "pinterest.com": "Pinterest", "t.me": "Telegram",
    "gist.github.com": "GitHub",
    "rumble.com": "Rumble", "mixcloud.com": "Mixcloud", "art19.com": "ART19", "podbean.com": "Podbean",
}  # fmt: skip
FILMS: Final = frozenset(("video", "audio"))
NO_EMBEDS: Final = frozenset(("a", "body"))
_LATE: Final = ("src", "data-src", "data-lazy-src", "data-url", "data-embed-src")
#: Titles that say what plays, and not what is played.
_PLAYER: Final = late_pattern(
    r"\A(?:(?:youtube|vimeo|twitter|x|instagram|tiktok|facebook|spotify|soundcloud|video|audio|media|tweet|podcast|post|"
    r"content|player|iframe|embed|embedded|widget|frame)\W*)*\Z",
    re.IGNORECASE,
)
_PLAYER_BEFORE: Final = late_pattern(
    r"\A(?:spotify embed|youtube video|video|audio|podcast)\s?[:|–-]\s?", re.IGNORECASE
)
#: Characters of a title that are read.
_LONGEST_TOLD: Final = 200


def find_embeds(units: FoundUnits) -> None:
    """Films, recordings and the like between chosen texts."""
    page = units.page
    chosen = units.chosen.nonzero()[0]
    if not len(chosen):
        return
    low, high = int(chosen[0]), int(chosen[-1])
    seen: set[str] = set()
    for element in named(units, "embed"):
        first = page.elements.first.item(element)
        name = tag_of(page, element)
        if not low < first <= high + 1 or name in NO_EMBEDS:
            continue
        found = attributes_of(page, element)
        embed = _embed(units, element, name, found)
        if embed is None or embed.url in seen or not _is_beside_chosen(units, element):
            continue
        seen.add(embed.url)
        units.inserted.append((first, Block(Kind.EMBED, (), embed=embed)))


def _is_beside_chosen(units: FoundUnits, element: int) -> bool:
    """Return whether the nearest element around it that holds text holds chosen text."""
    page = units.page
    at = page.elements.parent.item(element)
    own = units.runs(element)
    while at > 0:
        low, high = units.runs(at)
        if high - low > own[1] - own[0]:
            return any_set(units.chosen[low:high])
        at = page.elements.parent.item(at)
    return False


def _embed(units: FoundUnits, element: int, name: str, found: dict[str, str]) -> Embed | None:
    if name not in FILMS:
        return framed(name, found, units.base)
    page = units.page
    inner = [attributes_of(page, one) for one in inside(page, element) if tag_of(page, one) == "source"]
    for one in (found, *inner):
        src = one.get("src") or one.get("data-src") or ""
        url = safe(absolute(src, units.base)) if src and not src.startswith("blob:") else None
        if url:
            return Embed(name, url, title=_told_title(found), media_type=media_type(one.get("type", "")))
    return None


def framed(name: str, found: dict[str, str], base: str) -> Embed | None:
    """What an element with these attributes shows of another site."""
    if name in ("lite-youtube", "lite-vimeo") or found.get("data-youtube-id"):
        key = found.get("videoid") or found.get("data-youtube-id") or ""
        if re.fullmatch(r"[\w-]{5,20}", key):
            return (
                Embed("YouTube", f"https://www.youtube.com/watch?v={key}")
                if "vimeo" not in name
                else Embed("Vimeo", f"https://vimeo.com/{key}")
            )
        return None
    if name != "iframe":
        return None
    src = next((found[one] for one in _LATE if found.get(one, "").strip().startswith(("http", "//", "/"))), "")
    url = safe(absolute(src, base)) if src else None
    parts = URL.try_parse(url)
    if url is None or parts is None:
        return None
    host = parts.host.removeprefix("www.")
    provider = next((by for site, by in _PROVIDERS.items() if host == site or host.endswith("." + site)), "")
    if not provider or (provider in ("Facebook", "X", "Pinterest") and "plugins/like" in url):
        return None
    return Embed(provider, _watched(provider, url, parts.path, parts.query), title=_told_title(found))


def _told_title(found: dict[str, str]) -> str:
    """What an element says that it plays; nothing where it only says with what."""
    told = " ".join((found.get("title") or found.get("aria-label") or "").split())[:_LONGEST_TOLD]
    told = _PLAYER_BEFORE.sub("", told)
    return "" if _PLAYER.search(told) else told


def _watched(provider: str, url: str, path: str, query: str) -> str:
    """Return the address at which people watch what an embed shows."""
    last = path.rstrip("/").rsplit("/", 1)[-1]
    if provider == "YouTube" and "/embed/" in path and last != "videoseries":
        return f"https://www.youtube.com/watch?v={last}"
    if provider == "Vimeo" and "/video/" in path:
        return f"https://vimeo.com/{last}"
    if provider == "X" and "id" in parse_qs(query):
        return f"https://x.com/i/status/{parse_qs(query)['id'][0]}"
    return url


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
    """Put in the recordings to which links of the chosen text lead; where they are."""
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
    """Return an article with the files of its feed's entry: more is told of what it plays, the others stand behind
    it.
    """
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
    """Yield the objects of recordings and films, those of an episode with its title."""
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
    """Return a type as `audio/mpeg`; nothing where it is not told so."""
    told = told.partition(";")[0].strip().lower()
    return told if re.fullmatch(r"(?:audio|video|application)/[\w.+-]{1,60}", told) else ""


def seconds(told: str) -> int | None:
    """Return seconds from `PT1H2M3S` or `1:02:03`."""
    match = _DURATION.match(told) or _CLOCK.match(told)
    if match is None or not any(match.groups()):
        return None
    parts = [int(one or 0) for one in match.groups()]
    total = 0
    for part, factor in zip([0] * (4 - len(parts)) + parts, (86_400, 3600, 60, 1), strict=True):
        total += part * factor
    return total


def size(told: str) -> int | None:
    """Return bytes from `31.3 MB` or `31300000`."""
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
    """Return an address without what changes from one visit to the next."""
    return url.partition("#")[0].partition("?")[0].rpartition("://")[2]
