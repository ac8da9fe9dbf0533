"""Articles in the application state of a page, for pages that are empty without scripts.

Next.js, Arc's Fusion and similar systems write what they will render into a script as JSON: whole, or after an
assignment. The JSON-LD `articleBody` is such data too. The longest text in it is the article, if it shares words with
the page's title. The amount of data is limited, and invalid JSON is skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from typing import Any, Final, NamedTuple

import numpy as np

from tidings.page import tags
from tidings.page.page import Page
from tidings.text import words as words_of

_SCRIPT: Final = tags.NUMBERS["script"]
#: An assignment before the data.
_ASSIGNED: Final = re.compile(
    r"(?:window|self|globalThis|Fusion)(?:\.\w+|\[[\"'][^\"'\]]{1,80}[\"']\])\s*=\s*(?=[{\[])"
)
_JSON_TYPE: Final = re.compile(r"type\s*=\s*[\"']?application/(?:\w+\+)?json", re.IGNORECASE)
_DECODER: Final = json.JSONDecoder(strict=False)
_LARGEST: Final = 3_000_000  # characters of a script
_MOST_SCRIPTS: Final = 20  # scripts with data
_MOST_VALUES: Final = 50_000  # values per script
_DEEPEST: Final = 40
_LEAST: Final = 80  # words of an article
_PIECE: Final = 5  # words of a paragraph in a list
_TITLED: Final = 0.3  # share of the title's words in its article
#: Keys of paragraphs in lists.
_TEXTS: Final = ("content", "text", "html", "value", "body", "children")
_TAG: Final = re.compile(r"<[^<>]{1,300}>")


class StateStory(NamedTuple):
    """An article in a page's application state, as HTML with its provenance."""

    html: str
    by: str


def story_in_state(page: Page) -> StateStory | None:
    """Return the article in a page's application state; None if there is none."""
    best, by = "", ""
    for data, name in _data(page):
        for html in _texts(data):
            if len(html) > len(best):
                best, by = html, name
    words_of_story = words_of(_TAG.sub(" ", best))
    title = {word for word in words_of(page.signals.title) if len(word) > 1}
    if len(words_of_story) < _LEAST or len(title.intersection(words_of_story)) < _TITLED * len(title):
        return None
    return StateStory(f"<article>{best}</article>", by)


def _data(page: Page) -> Iterator[tuple[Any, str]]:
    """Yield the JSON values in the scripts of a page, with their provenance."""
    for thing in page.signals.json_ld:
        if isinstance(thing.get("articleBody"), str):
            yield thing["articleBody"], "json-ld articleBody"
    source, opened = page.cut.source, page.opened[np.flatnonzero(page.elements.tag == _SCRIPT)]
    count = 0
    for start, end in zip(page.cut.tag_start[opened].tolist(), page.cut.tag_end[opened].tolist(), strict=True):
        begin = source.find(">", start, end) + 1
        if not begin or end - begin < _LEAST or end - begin > _LARGEST or count >= _MOST_SCRIPTS:
            continue
        tag, script = source[start:begin], source[begin:end]
        if _JSON_TYPE.search(tag):
            places = [0] if "ld+json" not in tag else []
        else:
            places = [match.end() for match in _ASSIGNED.finditer(script)][:_MOST_SCRIPTS]
        for place in places:
            count += 1
            try:
                yield _DECODER.raw_decode(script, place or len(script) - len(script.lstrip()))[0], "data of a script"
            except (ValueError, RecursionError):
                continue


def _texts(data: Any) -> Iterator[str]:
    """Yield every text in JSON data that may be an article, as HTML: long strings, and lists of paragraphs."""
    waiting: list[tuple[Any, int]] = [(data, 0)]
    for _ in range(_MOST_VALUES):
        if not waiting:
            return
        value, depth = waiting.pop()
        if isinstance(value, str):
            if value.count(" ") >= _LEAST or len(value) > _LEAST * 20:
                yield _as_html(value)
        elif depth < _DEEPEST and isinstance(value, dict):
            waiting += [(item, depth + 1) for item in value.values()]
        elif depth < _DEEPEST and isinstance(value, list):
            waiting += [(item, depth + 1) for item in value]
            pieces = [piece for item in value if (piece := _piece(item))]
            if len(pieces) > 1:
                yield "".join(map(_as_html, pieces))


def _piece(value: Any) -> str:
    """Return the text of an item in a list of paragraphs; an empty string if it has none."""
    if isinstance(value, dict):
        value = next((value[name] for name in _TEXTS if isinstance(value.get(name), str)), "")
    return value if isinstance(value, str) and value.count(" ") >= _PIECE - 1 else ""


def _as_html(text: str) -> str:
    if _TAG.search(text):
        return text if "<p" in text else f"<p>{text}</p>"
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line.strip())
