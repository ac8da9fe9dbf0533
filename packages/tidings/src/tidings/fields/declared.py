"""The structured data that describes a page's article, out of all its JSON-LD and microdata objects.

A page may declare itself, its publisher, breadcrumbs and the articles it links to. The article is the object of an
article type whose URL is this page's or whose headline is this page's title. On a page with several articles, objects
with other URLs are excluded. References (`@id`) are followed.
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
#: Properties of a web page that may contain its article.
_INSIDE: Final = ("mainEntity", "mainEntityOfPage", "hasPart", "about")
_ADDRESSES: Final = ("url", "@id", "mainEntityOfPage")
_TAG: Final = late_pattern(r"<[^<>]*+>")
#: Limit for following references and lists.
_DEPTH: Final = 4
#: Limit on the number of objects.
_MOST: Final = 500

Object = Mapping[str, Any]
_NOTHING: Final[Object] = {}


class Declared(NamedTuple):
    """The structured data about a page's article (`{}` if none) and about the web page itself."""

    story: Object
    web_page: Object
    kind: str  # format of the article: "json-ld" or "microdata"
    of_others: bool  # articles are declared, but all with other URLs: a list of links
    ids: Mapping[str, Object]

    def get(self, name: str) -> Any:
        """Return a property of the article, with references resolved; None if it is missing."""
        return self.resolved(self.story.get(name))

    def resolved(self, value: Any) -> Any:
        """Return a value, or the object that it refers to."""
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, list):
            return [self.resolved(item) for item in value]
        if isinstance(value, dict) and len(value) <= 2 and isinstance(name := value.get("@id"), str):
            return self.ids.get(name, value)
        return value

    def by(self, name: str) -> str:
        """Return the provenance of a property, such as "json-ld author"."""
        return f"{self.kind} {name}"


@memoized
def declared(page: Page) -> Declared:
    """Return the article that a page's structured data describes."""
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
    if not stories and (items := microdata_stories(page)):
        stories, kind = list(items), "microdata"
    story = _of_this_page(stories, page, signals, kind) if stories else _NOTHING
    return Declared(story, web_page, kind, bool(stories) and not story, ids)


def types(thing: Object) -> tuple[str, ...]:
    """Return the type names of a structured data object."""
    kinds = thing.get("@type")
    if isinstance(kinds, list):
        return tuple([kind for kind in kinds if isinstance(kind, str)])
    return (kinds,) if isinstance(kinds, str) else ()


def text(value: Any) -> str:
    """Return a value as one line of text without markup: the first item of a list, the name of an object."""
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
    """Return each distinct value of a list as one line of text."""
    lines = (text(item) for item in (value if isinstance(value, list) else (value,)))
    return tuple(dict.fromkeys(item for item in lines if item))


def address(value: Any) -> str:
    """Return the URL in a property value: a string, an object's URL, or that of the first item."""
    for _ in range(_DEPTH):
        if isinstance(value, list):
            value = value[0] if value else ""
        elif isinstance(value, dict):
            value = value.get("url") or value.get("contentUrl") or value.get("@id") or ""
        else:
            break
    return value.strip() if isinstance(value, str) else ""


def is_same_url(first: str, second: str) -> bool:
    """Return whether two URLs identify the same page. Scheme, leading "www.", query, fragment and last slash are
    ignored.
    """
    return bool(first) and bool(second) and _host_and_path(first) == _host_and_path(second)


def _host_and_path(url: str) -> tuple[str, str]:
    parsed = URL.try_parse(url)
    return (url, "") if parsed is None else (parsed.authority.removeprefix("www."), parsed.path.rstrip("/"))


def _things(objects: Sequence[Object]) -> Iterator[Object]:
    """Yield structured data objects, and those nested in them in properties that may contain the article."""
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
                waiting += [(item, depth + 1) for item in listed if isinstance(item, dict) and "@type" in item]


def _of_this_page(stories: Sequence[Object], page: Page, signals: Signals, kind: str) -> Object:
    """Return the article object of this page: matched by URL, then by headline, then the most detailed."""
    own_urls = [page.url or "", *(href for rel, href in signals.links if rel == "canonical")]
    own_urls += signals.all("og:url")
    titles = " \n ".join((signals.title, *signals.all("og:title", "twitter:title"))).casefold()
    best, most = _NOTHING, -1
    for story in stories:
        urls = [address(story.get(name)) for name in _ADDRESSES]
        urls = [url for url in urls if "/" in url]
        about = any(is_same_url(url, own_url) for url in urls for own_url in own_urls)
        headline = text(story.get("headline") or story.get("name")).casefold()
        named = bool(headline) and headline in titles
        if (
            len(stories) > 1
            and not (about or named)
            and ((urls and any(own_urls)) or (headline and kind == "microdata"))
        ):
            continue
        score = 4 * about + 4 * named + ("headline" in story) + ("datePublished" in story) + ("articleBody" in story)
        if score > most:
            best, most = story, score
    return best
