"""The structured data of a page that describes its story: one object out of all the JSON-LD and microdata objects.

A page may declare many things: itself, its publisher, a trail of links, the stories it links to. The story is the
object of an article type that says it is about this address or has this page's headline; objects that say they are
about other addresses of a page with several are not it. References (`{"@id": …}`) are followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tidings.fields.memo import memoized
from tidings.page import Page
from tidings.page.invisible import visible_text
from tidings.page.microdata import stories as microdata_stories
from tidings.page.references import unescape
from tidings.page.signals import Signals
from tidings.text.patterns import late_pattern
from tidings.urls import URL

_STORY_TYPE: Final = re.compile(r"(?:Article|Posting|Report|NewsItem|Review)$")
_PAGE_TYPE: Final = re.compile(r"Page$")
#: Where an object of a page keeps the article it is about.
_INSIDE: Final = ("mainEntity", "mainEntityOfPage", "hasPart", "about")
_ADDRESSES: Final = ("url", "@id", "mainEntityOfPage")
_TAG: Final = late_pattern(r"<[^<>]*+>")
#: Following references and lists stops here.
_DEPTH: Final = 4
#: More objects than this describe other things than one story.
_MOST: Final = 500

Object = Mapping[str, Any]
_NOTHING: Final[Object] = {}


class Declared(NamedTuple):
    """What a page declares of its story, `{}` if nothing, and of itself as a web page."""

    story: Object
    web_page: Object
    kind: str  # "json-ld" or "microdata": how the story is declared
    of_others: bool  # stories are declared, but all of them at other addresses: a list of links
    ids: Mapping[str, Object]

    def get(self, name: str) -> Any:
        """What the story says under a name, a reference followed; None if nothing."""
        return self.resolved(self.story.get(name))

    def resolved(self, value: Any) -> Any:
        """Return a value, or the object that it refers to."""
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, list):
            return [self.resolved(one) for one in value]
        if isinstance(value, dict) and len(value) <= 2 and isinstance(name := value.get("@id"), str):
            return self.ids.get(name, value)
        return value

    def by(self, name: str) -> str:
        """Return where such a value came from, for the provenance."""
        return f"{self.kind} {name}"


@memoized
def declared(page: Page) -> Declared:
    """Return the story that a page's structured data describes."""
    signals = page.signals
    ids: dict[str, Object] = {}
    stories: list[Object] = []
    web_page: Object = _NOTHING
    for thing in _things(signals.json_ld):
        name = thing.get("@id")
        if isinstance(name, str) and len(thing) > len(ids.get(name, _NOTHING)):
            ids[name] = thing
        kinds = types(thing)
        if not kinds:
            continue
        if any(map(_STORY_TYPE.search, kinds)):
            stories.append(thing)
        elif not web_page and any(map(_PAGE_TYPE.search, kinds)):
            web_page = thing
    kind = "json-ld"
    if not stories and (found := microdata_stories(page)):
        stories, kind = list(found), "microdata"
    story = _of_this_page(stories, page, signals, kind) if stories else _NOTHING
    return Declared(story, web_page, kind, bool(stories) and not story, ids)


def types(thing: Object) -> tuple[str, ...]:
    """Return the names of an object's types."""
    kinds = thing.get("@type")
    if isinstance(kinds, list):
        return tuple([kind for kind in kinds if isinstance(kind, str)])
    return (kinds,) if isinstance(kinds, str) else ()


def text(value: Any) -> str:
    """Return a value as a line of text: the first of several, the name of an object, no markup."""
    if not value:  # as mostly
        return ""
    if not isinstance(value, str):
        for _ in range(_DEPTH):
            if isinstance(value, list):
                value = value[0] if value else ""
            elif isinstance(value, dict):
                value = value.get("name") or value.get("@value") or ""
        if not isinstance(value, str):
            return ""
    if "&" in value:
        value = visible_text(unescape(value))
    if "<" in value:
        value = _TAG.sub(" ", value)
    return " ".join(value.split())


def texts(value: Any) -> tuple[str, ...]:
    """Return every value of a list as a line of text, each once."""
    found = (text(one) for one in (value if isinstance(value, list) else (value,)))
    return tuple(dict.fromkeys(one for one in found if one))


def address(value: Any) -> str:
    """Return the address that a value gives: itself, or that of an object or of the first of several."""
    for _ in range(_DEPTH):
        if isinstance(value, list):
            value = value[0] if value else ""
        elif isinstance(value, dict):
            value = value.get("url") or value.get("contentUrl") or value.get("@id") or ""
        else:
            break
    return value.strip() if isinstance(value, str) else ""


def same_address(one: str, other: str) -> bool:
    """Return whether two addresses name one page: scheme, `www.`, query, fragment and a last slash do not count."""
    return bool(one) and bool(other) and _bare(one) == _bare(other)


def _bare(found: str) -> tuple[str, str]:
    url = URL.try_parse(found)
    return (found, "") if url is None else (url.authority.removeprefix("www."), url.path.rstrip("/"))


def _things(objects: Sequence[Object]) -> Iterator[Object]:
    """Yield the objects, and those that stand in them where a page keeps its story."""
    waiting = [(thing, 0) for thing in reversed(objects[:_MOST])]
    while waiting:
        thing, depth = waiting.pop()
        yield thing
        if depth < _DEPTH:
            for name in _INSIDE:
                inner = thing.get(name)
                if inner is None:  # as nearly always
                    continue
                listed = inner[:_MOST] if isinstance(inner, list) else [inner]
                waiting += [(one, depth + 1) for one in listed if isinstance(one, dict) and "@type" in one]


def _of_this_page(stories: Sequence[Object], page: Page, signals: Signals, kind: str) -> Object:
    """Return the story that is about this page: by address, then by headline, then the one that tells most of
    itself.
    """
    here = [page.url or "", *(href for rel, href in signals.links if rel == "canonical")]
    here += signals.all("og:url")
    titles = " \n ".join((signals.title, *signals.all("og:title", "twitter:title"))).casefold()
    best, most = _NOTHING, -1
    for story in stories:
        told = [address(story.get(name)) for name in _ADDRESSES]
        told = [one for one in told if "/" in one]
        about = any(same_address(one, this) for one in told for this in here)
        headline = text(story.get("headline") or story.get("name")).casefold()
        named = bool(headline) and headline in titles
        if len(stories) > 1 and not (about or named) and ((told and any(here)) or (headline and kind == "microdata")):
            continue
        score = 4 * about + 4 * named + ("headline" in story) + ("datePublished" in story) + ("articleBody" in story)
        if score > most:
            best, most = story, score
    return best
