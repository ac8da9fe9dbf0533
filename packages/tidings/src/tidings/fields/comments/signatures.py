"""Authors and times of comments and posts, from the small elements in them ("notes").

A note is recognised by its tag (`time`), the target of its link, microdata, or its class names, which are English in
the common systems. Buttons and counts are notes too, because no reader wrote them. If no element names author and time,
a line that has only these does: "Mara said on March 4, 2013:".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from tidings.fields.date_parsing import parsing
from tidings.fields.elements.by_class import names_of
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Ints
from tidings.text.patterns import late_pattern

_META: Final = late_pattern(
    r"author|user|member|nick|avatar|byline|meta|date|time|posted|ago\b|action|repl(?:y|ies)|vote|like|share|toolbar|"
    r"signature|permalink|poster|profile|badge|control|button|menu|rank|score|hnuser|comhead|header|footer|quote-?link|"
    r"\bpublished\b"
)
_AUTHOR: Final = late_pattern(
    r"\bfn\b|author|user-?_?name|nick|\buser\b|hnuser|poster|member-?name|display-?name|\bname\b|creator|\bby\b",
    re.IGNORECASE,
)
_TIMED: Final = late_pattern(r"date|time|posted|\bage\b|\bago\b|published")
#: "Mara says:" and the like, in any language; markup that was escaped once too often.
_SAYS: Final = late_pattern(r"(?: [^\W\d]{2,12})?:$| says$")
_MARKUP: Final = late_pattern(r"<[^<>]*>")
_PERSON: Final = late_pattern(
    r"/(?:u|users?|members?|profiles?|author|people|community/users)/|member\.php|userid|profile"
)
_TIME, _LINK, _CITE, _ABBREVIATION = (tags.NUMBERS[name] for name in ("time", "a", "cite", "abbr"))
_BY_AUTHOR: Final = late_pattern(r"""\srel\s*+=\s*+["']?[^"'>]*\bauthor\b""", re.IGNORECASE)
#: Words of a signature line besides the name and the date.
_SAYING: Final = frozenset(
    "said says say wrote writes write posted posts commented comments replied replies added on at the of from and "
    "schrieb schreibt sagt sagte meint meinte kommentiert kommentierte am um vom uhr den "
    "a dit écrit écrivait commenté posté le à dijo dice escribió comentó el a las ha scritto dice disse il alle "
    "escreveu comentou diz em às skrev skriver sier siger säger kl klo zei schreef schrijft op om "
    "napisał napisała pisze o пишет написал написала сказал сказала в yazdı dedi "
    "am pm a.m p.m utc gmt permalink link".split()
)
_WORD: Final = late_pattern(r"[^\W\d_]+(?:\.[^\W\d_]+)*")
#: Most words of a name; more are a sentence.
_MOST_NAMES: Final = 4
_ASIDE: Final = tags.numbers("button form nav select label textarea footer header menu")
#: Longest note, in characters.
_SHORT: Final = 120
#: The longest name of a person.
_LONGEST_NAME: Final = 60
#: Characters of a start tag that are read.
_LONGEST_TAG: Final = 2000

Moment = datetime | date


class Note(NamedTuple):
    """What a small element in a comment contains: probably the author (with a confidence), or the time."""

    author: int = 0  # confidence that it names the author
    timed: str = ""  # the declared time; "told" if only the text has it


def behind(page: Page, group: Ints) -> Ints:
    """Return for each element the next element outside it."""
    return page.elements.start.searchsorted(page.elements.end[group])


def notes(page: Page, group: Ints) -> Iterator[tuple[int, Note]]:
    """Yield the small elements inside `group` that contain an author or a time, in document order, each with its
    element number.
    """
    return _Small(page, group).notes()


def are_signed(page: Page, group: Ints) -> list[bool]:
    """Return which of some elements contain a note with an author or a time."""
    small = _Small(page, group)
    borders = np.searchsorted(small.inner, (group, behind(page, group))).tolist()
    return [any(any(note) for _, note in small.notes(first, last)) for first, last in zip(*borders, strict=True)]


class _Small:
    """The small elements inside some comments, which may contain author and time."""

    def __init__(self, page: Page, group: Ints) -> None:
        elements, size = page.elements, len(page.elements)
        depth = np.bincount(group + 1, minlength=size + 1) - np.bincount(behind(page, group), minlength=size + 1)
        inner = (depth.cumsum()[:size] > 0).nonzero()[0]
        first, last = elements.first[inner], elements.last[inner]
        some = first < last
        some[some] = page.runs.text_end[last[some] - 1] - page.runs.text_start[first[some]] <= _SHORT
        self.inner, self._begun = inner[some], first[some]
        self._page, self._beginnings = page, frozenset(elements.first[group].tolist())
        # Every comment repeats the same tags.
        self._known: dict[tuple[int, int], Note | None] = page.memo.setdefault(_Small, {})

    def notes(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, Note]]:
        """Yield the author and time elements among a range of elements, by index."""
        page, inner = self._page, self.inner[first:last]
        runs, text, beginnings = self._begun[first:last], page.text, self._beginnings
        note_by_tag, source, opened, bounds = self._known, page.cut.source, page.opened.item, page.cut.bounds.item
        columns = (inner, runs, page.elements.tag[inner], page.runs.text_start[runs], page.start_tags.number_of(inner))
        for element, run, number, start, spelling in zip(*[column.tolist() for column in columns], strict=True):
            if number == _LINK and text[start] == "@":  # a mention, not the author
                continue
            if (number, spelling) in note_by_tag:
                note = note_by_tag[number, spelling]
            else:
                at = 2 * opened(element) + 1
                note = note_by_tag[number, spelling] = _note(number, source[bounds(at) : bounds(at + 1)][:_LONGEST_TAG])
            if note is None and number == _CITE:
                note = _cited(number, run in beginnings)
            if note is not None:
                yield element, note


def _cited(tag: int, begins: bool) -> Note | None:
    """Return a note for a `cite` element at the start of a comment, which names its author; later ones are
    quotations.
    """
    return Note(author=1) if tag == _CITE and begins else None


def time_in(page: Page, note: Note, element: int) -> Moment | None:
    """Return the time of a note, from its attribute or its text."""
    return parsing.read(note.timed) or parsing.read(_text(page, element), page.signals.language)


class Signed(NamedTuple):
    """Author and time of a signature line."""

    author: str
    published: Moment | None


def signed_line(line: str, author: str = "", language: str = "") -> Signed | None:
    """Parse a line that has only an author and a date, such as "Mara said on March 4, 2013:"; else return None.

    Args:
        line: the line, which has a date in it.
        author: the author's name, if known.
        language: the page's, for names of months.
    """
    if len(line) > _SHORT or (dated := parsing.find(line, language)) is None:
        return None
    when, start, end = dated
    lead = len(line) - len(line.lstrip())  # offsets are relative to the stripped line
    before, after = line[: lead + start], line[lead + end :]
    words = _WORD.findall(before.replace(author, " ", 1) if author else before)
    name = 0
    while name < len(words) and not author and words[name].lower() not in _SAYING:
        name += 1
    if name > _MOST_NAMES or not all(word.lower() in _SAYING for word in (*words[name:], *_WORD.findall(after))):
        return None
    if name == len(words) and name:  # "Easter 4 March 2013": no word of writing
        return None
    if not name:
        return Signed(author, when)
    named = re.match(r"\W*" + r"[^\w]+".join(map(re.escape, words[:name])), before)
    return Signed(named[0].strip(" \t\n\"'“”«»-–—") if named else "", when)


def name_in(page: Page, element: int) -> str:
    """Return the first line of an element if it may be a name: at least two letters and not too long."""
    for line in _text(page, element).split("\n"):
        name = _MARKUP.sub("", line) if "<" in line else line
        name = _SAYS.sub("", name) if name.endswith((":", " says")) else name
        name = name.strip()
        if len(name) <= _LONGEST_NAME and sum(map(str.isalnum, name)) > 1:
            return name
    return ""


def _text(page: Page, element: int) -> str:
    first, last = page.elements.first.item(element), page.elements.last.item(element)
    return page.text[page.runs.text_start.item(first) : page.runs.text_end.item(last - 1)]


# Every comment repeats the same tags. Long tags are cut: their ends contain no class names.
@lru_cache(maxsize=4096)
def _note(tag: int, source: str) -> Note | None:
    if tag == _TIME or "datetime=" in source:
        return Note(timed=attributes(source).get("datetime") or "told")
    if tag == _LINK and (_PERSON.search(source) or _BY_AUTHOR.search(source)):
        return Note(author=3)
    names = " ".join(names_of(source)).lower()
    if 'itemprop="author"' in source or 'itemprop="name"' in source or names == "fn" or names.startswith("fn "):
        return Note(author=4)
    if names and _META.search(names):
        timed = "told" if _TIMED.search(names) else ""
        if timed and tag == _ABBREVIATION:  # microformats: <abbr class="published" title="2013-03-04">
            timed = attributes(source).get("title") or timed
        return Note(author=2 if not timed and _AUTHOR.search(names) else 0, timed=timed)
    return Note() if tag in _ASIDE else None
