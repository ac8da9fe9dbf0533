"""Who wrote a comment or post and when: the small elements in its box that are no text of its own.

Told by what an element is (`time`), by whom a link leads to, by microdata, and by class names, which are in English in
the common systems. What tells neither author nor time, such as buttons and counts, is a note too: no reader wrote it.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from tidings.fields import moments
from tidings.fields.named import names_of
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Ints

_META: Final = re.compile(
    r"author|user|member|nick|avatar|byline|meta|date|time|posted|ago\b|action|repl(?:y|ies)|vote|like|share|toolbar|"
    r"signature|permalink|poster|profile|badge|control|button|menu|rank|score|hnuser|comhead|header|footer|quote-?link"
)
_AUTHOR: Final = re.compile(
    r"\bfn\b|author|user-?_?name|nick|\buser\b|hnuser|poster|member-?name|display-?name|\bname\b|creator|\bby\b",
    re.IGNORECASE,
)
_TIMED: Final = re.compile(r"date|time|posted|\bage\b|\bago\b|published")
#: "Mara says:" and the like, in any language; markup that was escaped once too often.
_SAYS: Final = re.compile(r"(?: [^\W\d]{2,12})?:$| says$")
_MARKUP: Final = re.compile(r"<[^<>]*>")
_PERSON: Final = re.compile(
    r"/(?:u|users?|members?|profiles?|author|people|community/users)/|member\.php|userid|profile"
)
_TIME, _LINK = tags.NUMBERS["time"], tags.NUMBERS["a"]
_ASIDE: Final = tags.numbers("button form nav select label textarea footer header menu")
#: A note is no longer.
_SHORT: Final = 120
#: The longest name of a person.
_LONGEST_NAME: Final = 60
#: Characters of a start tag that are read.
_LONGEST_TAG: Final = 2000

Moment = datetime | date


class Note(NamedTuple):
    """What a small element of a comment tells."""

    author: int = 0  # how surely it names the author
    timed: str = ""  # the time as it is told, or that one is


def behind(page: Page, group: Ints) -> Ints:
    """For each element the first one that does not stand in it."""
    return np.searchsorted(page.elements.start, page.elements.end[group])


def notes(page: Page, group: Ints) -> list[tuple[int, Note]]:
    """The notes in some boxes, in document order, each with its element."""
    elements = page.elements
    size = len(elements)
    depth = np.bincount(group + 1, minlength=size + 1) - np.bincount(behind(page, group), minlength=size + 1)
    inner = np.flatnonzero(np.cumsum(depth)[:size] > 0)
    inner = inner[elements.first[inner] < elements.last[inner]]
    length = page.runs.text_end[elements.last[inner] - 1] - page.runs.text_start[elements.first[inner]]
    inner = inner[length <= _SHORT]
    tag, opened = elements.tag[inner].tolist(), page._tree.opened[inner].tolist()
    found = (
        (element, _note(number, page._cut.tags[at][:_LONGEST_TAG]))
        for element, number, at in zip(inner.tolist(), tag, opened, strict=True)
    )
    return [(element, note) for element, note in found if note is not None]


def time_in(page: Page, note: Note, element: int) -> Moment | None:
    """The time that a note tells, in its attribute or in words."""
    return moments.read(note.timed) or moments.read(_text(page, element), page.signals.language)


def name_in(page: Page, element: int) -> str:
    """The first line of a note that can be a name: two letters at least, not too many characters."""
    lines = (_SAYS.sub("", _MARKUP.sub("", line)).strip() for line in _text(page, element).split("\n"))
    return next((line for line in lines if sum(map(str.isalnum, line)) > 1 and len(line) <= _LONGEST_NAME), "")


def _text(page: Page, element: int) -> str:
    first, last = page.elements.first[element], page.elements.last[element]
    return page.text[page.runs.text_start[first] : page.runs.text_end[last - 1]]


# The same tags come again in every comment. Longer ones are cut: what hides behind is no class.
@lru_cache(maxsize=4096)
def _note(tag: int, source: str) -> Note | None:
    if tag == _TIME or "datetime=" in source:
        return Note(timed=attributes(source).get("datetime") or "told")
    if tag == _LINK and _PERSON.search(source):
        return Note(author=3)
    names = " ".join(names_of(source)).lower()
    if 'itemprop="author"' in source or 'itemprop="name"' in source or names == "fn" or names.startswith("fn "):
        return Note(author=4)
    if names and _META.search(names):
        timed = "told" if _TIMED.search(names) else ""
        return Note(author=2 if not timed and _AUTHOR.search(names) else 0, timed=timed)
    return Note() if tag in _ASIDE else None
