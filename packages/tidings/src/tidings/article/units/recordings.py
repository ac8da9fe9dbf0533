"""Find the recordings and videos of a story, in its structured data, links, embeds and the enclosures of its feed
entry.

Structured data (`AudioObject`, `VideoObject`, an episode with its media) gives title, type, duration and size of the
players on the page. A declared recording without a player is added after the text, as is the enclosure of the feed
entry. A link to an audio file becomes a recording at the position of the link. Embeds of other sites keep their
position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qs

from tidings.article.model.article import Article
from tidings.article.model.blocks import Block, Embed, Kind
from tidings.article.units.units import (
    LONGEST_TAG,
    FoundUnits,
    attributes_of,
    inside,
    named,
    start_tags,
    tag_of,
    text_of,
)
from tidings.fields.declared import text, types
from tidings.fields.urls.sanitise import absolute, safe
from tidings.page import Page, tags
from tidings.page.columns import any_set, sums
from tidings.page.references import unescape
from tidings.page.tag_words import places_in_source
from tidings.text.patterns import late_pattern
from tidings.urls import URL

#: Properties of a story or episode that hold its media.
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
#: The maximum number of JSON-LD objects that are read, and of recordings per story.
_MOST_OBJECTS, _MOST = 300, 8
_DEEPEST: Final = 3
#: Length of a link text that is used as title; shorter ones are labels such as "play" or "download".
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
#: Titles that name the player and not the recording.
_PLAYER: Final = late_pattern(
    r"\A(?:(?:youtube|vimeo|twitter|x|instagram|tiktok|facebook|spotify|soundcloud|video|audio|media|tweet|podcast|post|"
    r"content|player|iframe|embed|embedded|widget|frame)\W*)*\Z",
    re.IGNORECASE,
)
_PLAYER_BEFORE: Final = late_pattern(
    r"\A(?:spotify embed|youtube video|video|audio|podcast)\s?[:|–-]\s?", re.IGNORECASE
)
#: Fallback texts of iframes that are about the browser.
_ABOUT_FRAMES: Final = late_pattern(r"i-?frame|browser|navigat|java-?script|frames", re.IGNORECASE)
_TAG: Final = late_pattern(r"<[^>]*>")
#: The maximum length of a title.
_LONGEST_PLAYER_TITLE: Final = 200


def find_embeds(units: FoundUnits) -> None:
    """Find videos, recordings and other embeds between selected texts."""
    page = units.page
    chosen = units.chosen.nonzero()[0]
    if not len(chosen):
        return
    low, high = int(chosen[0]), int(chosen[-1])
    urls: set[str] = set()
    for element in named(units, "embed"):
        first = page.elements.first.item(element)
        name = tag_of(page, element)
        if not low < first <= high + 1 or name in NO_EMBEDS:
            continue
        values = attributes_of(page, element)
        embed = _embed(units, element, name, values)
        if embed is None or embed.url in urls or not _is_beside_chosen(units, element):
            continue
        if embed.title and page.unseen([element])[0]:
            embed = replace(embed, title="")
        urls.add(embed.url)
        units.inserted.append((first, Block(Kind.EMBED, (), embed=embed)))


def _is_beside_chosen(units: FoundUnits, element: int) -> bool:
    """Return whether the nearest ancestor with text has selected text."""
    page = units.page
    ancestor = page.elements.parent.item(element)
    own = units.runs(element)
    while ancestor > 0:
        low, high = units.runs(ancestor)
        if high - low > own[1] - own[0]:
            return any_set(units.chosen[low:high])
        ancestor = page.elements.parent.item(ancestor)
    return False


def _embed(units: FoundUnits, element: int, name: str, values: dict[str, str]) -> Embed | None:
    page = units.page
    if name not in FILMS:
        embed = framed(name, values, units.base)
        return replace(embed, title=_fallback(page, element)) if embed is not None and not embed.title else embed
    inner = [attributes_of(page, source) for source in inside(page, element) if tag_of(page, source) == "source"]
    for source in (values, *inner):
        src = source.get("src") or source.get("data-src") or ""
        url = safe(absolute(src, units.base)) if src and not src.startswith("blob:") else None
        if url:
            return Embed(name, url, title=_title(values), media_type=media_type(source.get("type", "")))
    return None


def framed(name: str, values: dict[str, str], base: str) -> Embed | None:
    """Return the embed of another site for an element with these attributes; None if there is none."""
    if name in ("lite-youtube", "lite-vimeo") or values.get("data-youtube-id"):
        key = values.get("videoid") or values.get("data-youtube-id") or ""
        if re.fullmatch(r"[\w-]{5,20}", key):
            return (
                Embed("YouTube", f"https://www.youtube.com/watch?v={key}")
                if "vimeo" not in name
                else Embed("Vimeo", f"https://vimeo.com/{key}")
            )
        return None
    if name != "iframe":
        return None
    src = next(
        (
            values[name_of_source]
            for name_of_source in _LATE
            if values.get(name_of_source, "").strip().startswith(("http", "//", "/"))
        ),
        "",
    )
    url = safe(absolute(src, base)) if src else None
    parts = URL.try_parse(url)
    if url is None or parts is None:
        return None
    host = parts.host.removeprefix("www.")
    provider = next((by for site, by in _PROVIDERS.items() if host == site or host.endswith("." + site)), "")
    if not provider or (provider in ("Facebook", "X", "Pinterest") and "plugins/like" in url):
        return None
    return Embed(provider, _public_url(provider, url, parts.path, parts.query), title=_title(values))


def _title(values: dict[str, str]) -> str:
    """Return the title of an embed; empty if it only names the player."""
    title = " ".join((values.get("title") or values.get("aria-label") or "").split())[:_LONGEST_PLAYER_TITLE]
    title = _PLAYER_BEFORE.sub("", title)
    return "" if _PLAYER.search(title) else title


def _fallback(page: Page, element: int) -> str:
    """Return the text inside an iframe, which browsers without frames show; empty if it is about the browser."""
    start, end = page.elements.start.item(element), page.elements.end.item(element)
    content = page.source[start : min(end, start + LONGEST_TAG)].partition(">")[2]
    title = " ".join(unescape(_TAG.sub(" ", content)).split())
    return "" if len(title) > _LONGEST_PLAYER_TITLE or _ABOUT_FRAMES.search(title) else title


def _public_url(provider: str, url: str, path: str, query: str) -> str:
    """Return the URL at which the embedded recording can be watched on its own site."""
    last = path.rstrip("/").rsplit("/", 1)[-1]
    if provider == "YouTube" and "/embed/" in path and last != "videoseries":
        return f"https://www.youtube.com/watch?v={last}"
    if provider == "Vimeo" and "/video/" in path:
        return f"https://vimeo.com/{last}"
    if provider == "X" and "id" in parse_qs(query):
        return f"https://x.com/i/status/{parse_qs(query)['id'][0]}"
    return url


def find_recordings(units: FoundUnits) -> None:
    """Add declared metadata to the players of the page, and declared recordings without a player."""
    plays = {_bare(block.embed.url) for _, block in units.inserted if block.embed is not None}
    plays |= _linked(units, plays)
    declared_by_url = {_bare(embed.url): embed for embed in declared(units.page, units.base)}
    if not declared_by_url:  # as on most pages
        return
    for place, (run, block) in enumerate(units.inserted):
        metadata = declared_by_url.get(_bare(block.embed.url)) if block.embed is not None else None
        if block.embed is not None and metadata is not None:
            units.inserted[place] = (run, replace(block, embed=_merged(block.embed, metadata)))
    units.tail += [
        _block(embed) for bare, embed in declared_by_url.items() if embed.provider == "audio" and bare not in plays
    ]


def _linked(units: FoundUnits, plays: set[str]) -> set[str]:
    """Insert recordings linked from the selected text; return their URLs."""
    page = units.page
    urls: set[str] = set()
    # Links added by other units count, too. Most pages are done here: no start tag has the name of an audio file.
    if not (units.places.may_play or units.is_changed):
        return urls
    links = (page.elements.tag == _LINK).nonzero()[0]
    if not len(links):
        return urls
    before = sums(units.chosen)
    links = links[before[page.elements.last[links]] > before[page.elements.first[links]]]
    if not _MAY_BE_FILE.search("\n".join(start_tags(page, links.tolist()))) or not places_in_source(
        page, (".mp3", ".m4a"), 1
    ):  # as on most pages
        return urls
    for link in links.tolist():
        href = attributes_of(page, link).get("href", "")
        url = safe(absolute(href, units.base)) if _FILE.search(href) else None
        if url and _bare(url) not in plays | urls and len(urls) < _MOST:
            urls.add(_bare(url))
            label = text_of(page, link)
            title = label if _SHORTEST_TITLE <= len(label) <= _LONGEST_TITLE else ""
            units.inserted.append((page.elements.first.item(link), _block(Embed("audio", url, title=title))))
    return urls


def with_recordings(article: Article, enclosures: Sequence[Embed]) -> Article:
    """Return an article with the enclosures of its feed entry.

    Enclosures complete the metadata of players in the text; others are added at the end.
    """
    if not enclosures:
        return article
    blocks = list(article.blocks)
    by_url = {_bare(enclosure.url): enclosure for enclosure in enclosures[:_MOST] if safe(enclosure.url)}
    for place, block in enumerate(blocks):
        enclosure_at = by_url.pop(_bare(block.embed.url), None) if block.embed is not None else None
        if block.embed is not None and enclosure_at is not None:
            blocks[place] = replace(block, embed=_merged(block.embed, enclosure_at))
    blocks += map(_block, by_url.values())
    return replace(article, blocks=tuple(blocks))


def declared(page: Page, base: str) -> Iterator[Embed]:
    """Yield the recordings declared in structured data and in the head, each once."""
    urls: set[str] = set()
    objects: list[Mapping[str, Any]] = [
        {"contentUrl": candidate, "@type": "AudioObject"} for candidate in page.signals.all("og:audio")
    ]
    if page.signals.json_ld:
        objects = [*_objects(page), *objects]
    for thing in objects:
        sort = next(_SORTS[kind] for kind in types(thing) if kind in _SORTS)
        addresses = (thing.get(name) for name in ("contentUrl", "embedUrl", "url"))
        declared_url = next(
            (candidate for candidate in addresses if isinstance(candidate, str) and candidate.strip()), ""
        )
        url = safe(absolute(declared_url.strip(), base)) if declared_url else None
        if url is None or _bare(url) in urls or len(urls) >= _MOST:
            continue
        urls.add(_bare(url))
        yield Embed(
            sort,
            url,
            title=text(thing.get("name"))[:_LONGEST_TITLE],
            media_type=media_type(text(thing.get("encodingFormat"))),
            seconds=seconds(text(thing.get("duration"))),
            size=size(text(thing.get("contentSize"))),
        )


def _objects(page: Page) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON-LD objects of recordings and videos, with the title of the episode around them."""
    waiting: list[tuple[Any, str, int]] = [(item, "", 0) for item in reversed(page.signals.json_ld[:_MOST_OBJECTS])]
    for _ in range(_MOST_OBJECTS):
        if not waiting:
            return
        thing, title, depth = waiting.pop()
        if isinstance(thing, list):
            waiting += [(item, title, depth + 1) for item in reversed(thing[:_MOST]) if depth < _DEEPEST]
        elif isinstance(thing, dict):
            kinds = types(thing)
            if not _SORTS.keys().isdisjoint(kinds):
                yield thing if thing.get("name") or not title else {**thing, "name": title}
            own = text(thing.get("name")) if not _EPISODES.isdisjoint(kinds) else ""
            if depth < _DEEPEST:
                waiting += [(thing[name], own, depth + 1) for name in _INSIDE if name in thing]


def media_type(text: str) -> str:
    """Return a media type such as `audio/mpeg`; empty if the text is none."""
    text = text.partition(";")[0].strip().lower()
    return text if re.fullmatch(r"(?:audio|video|application)/[\w.+-]{1,60}", text) else ""


def seconds(text: str) -> int | None:
    """Return the seconds in a duration such as PT1H2M3S (ISO 8601) or 1:02:03."""
    match = _DURATION.match(text) or _CLOCK.match(text)
    if match is None or not any(match.groups()):
        return None
    parts = [int(number or 0) for number in match.groups()]
    total = 0
    for part, factor in zip([0] * (4 - len(parts)) + parts, (86_400, 3600, 60, 1), strict=True):
        total += part * factor
    return total


def size(text: str) -> int | None:
    """Return the bytes in `31.3 MB` or `31300000`."""
    match = _SIZE.match(text.strip())
    return round(float(match[1].replace(",", ".")) * _UNITS[match[2].lower()]) or None if match else None


def _merged(embed: Embed, other: Embed) -> Embed:
    """Return an embed with missing fields filled in from another."""
    return replace(
        embed,
        title=embed.title or other.title,
        media_type=embed.media_type or other.media_type,
        seconds=embed.seconds if embed.seconds is not None else other.seconds,
        size=embed.size if embed.size is not None else other.size,
    )


def _block(embed: Embed) -> Block:
    return Block(Kind.EMBED, (), embed=embed)


def _bare(url: str) -> str:
    """Return a URL without scheme, query and fragment, which change between visits."""
    return url.partition("#")[0].partition("?")[0].rpartition("://")[2]
