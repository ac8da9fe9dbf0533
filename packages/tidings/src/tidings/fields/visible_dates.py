"""Dates that a reader sees: in elements that say so, and in the lines around the headline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from tidings.fields.comments import answering, own_text
from tidings.fields.elements_by_attribute import MarkedElement, elements_of, marked
from tidings.fields.headline_area import headline_places, title_place
from tidings.fields.memo import memoized
from tidings.fields.moments import Moment, find, read
from tidings.fields.sourced import Sourced
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, kept
from tidings.text.patterns import LateWords, late_pattern

_TIME: Final = tags.NUMBERS["time"]
_WORDS: Final = ("ublish", "date", "Date", "atum", "fecha", "imestamp")
#: Attributes that say what an element holds.
_SAYING: Final = ("class", "id", "itemprop", "property", "data-testid")
_SAYS: Final = late_pattern(r"[\s\"'/](?:class|id|itemprop|property|data-testid)\s*=", re.IGNORECASE)
_PUBLISHED: Final = LateWords(
    r"publi[sc]h|publié|publicado|pubblicato|veröffentlicht|erstellt|pubdate|posted|created|issued|entry-date"
    r"|post-date|release",
)
_MODIFIED: Final = LateWords(r"updat|modif|revis|aktualis|edited")
_DATE: Final = LateWords(r"date(?!-?(?:picker|range))|datum|fecha|timestamp|publish")
#: Words before a date that say it is not the day of publication.
_CHANGED: Final = LateWords(
    r"updat|modif|revis|aktualisier|geändert|stand[: ]|mis[e]? à jour|actualiz|aggiorn|bijgewerkt|oppdater"
    r"|uppdater|opdater|güncel|обновл|оновл"
    r"|aktualiz|päivitetty|ενημερ|تحديث|به‌?روز|עודכן|更新|업데이트|수정|cập nhật|diperbarui|edited|reviewed|checked",
)
_OTHER: Final = LateWords(r"©|copyright|\(c\)|all rights|born|geboren|founded|since|seit")
_LONGEST: Final = 120
#: A page with more `time` elements is a list; the first ones are enough.
_MOST_TIMES: Final = 100
#: A dateline stands within so many characters above or below the beginning of a headline or of the content.
_ABOVE, _BELOW = 300, 900

#: The dateline stands so many characters behind the headline, with so few before and behind the date.
_DATELINE, _FEW, _SOME = 250, 25, 70
#: A line before a date that says what it is the date of is shorter.
_LABEL: Final = 25
#: So many lines with dates are an archive or a list of other stories.
_LISTED: Final = 4
#: What a reader is shown as the day of a story is no day of the next century.
_LAST_YEAR: Final = 2100
#: The parts of a date on a sheet of a calendar are no longer.
_PIECE: Final = 12
#: What parts a date from the story that it opens: "Selene, 14 March 2026 – After two years …".
_OPENED: Final = late_pattern(r"\s?[)\]]|\s?[–—:|]|\s-\s|\s\(\w{2,5}\)")
#: How many places of each word are told.
_TRIED: Final = 3
#: Words before the day of publication, without the letters that may be capitals.
_LABELS: Final = tuple(
    (
        "ublished|osted|eleased|eröffentlicht|rschienen|rstellt|ingestellt|ublié|ublicado|ubblicato|epubliceerd"
        "|ublicerad|ublisert|publikowano|публиковано|atum"
    ).split("|")
)
#: What those hold that stand before the first of several days.
_FIRST_OF_SEVERAL: Final = ("riginally ", "irst p", "irst appeared", "rsprünglich v")
#: What stands before an author, so clear that it counts wherever it stands.
SAYING_WHO: Final = ("ritten by", "Autorin/Autor")
_RARE: Final = (*_LABELS, *_FIRST_OF_SEVERAL, *SAYING_WHO)
#: What stands before the first of several days, by what is looked for first.
_ORIGINALLY: Final = dict(
    zip(
        _FIRST_OF_SEVERAL,
        (
            ("riginally published", "riginally posted", "riginally appeared"),
            ("irst published", "irst posted"),
            ("irst appeared",),
            ("rsprünglich veröffentlicht",),
        ),
        strict=True,
    )
)
_ON: Final = late_pattern(r"\b(?: ?(?:on|am|le|el|il|op|den|dnia)\b)? ?:?")
#: What every date has, in any digits: a year, or three numbers. In one line, and in several that are read as one.
_NUMBERS_IN: Final = late_pattern(r"\d(?:\d{3}|[^\S\n]?[./-][^\S\n]?\d{1,2}[^\S\n]?[./-][^\S\n]?\d\d)")
_NUMBERS_IN_LINES: Final = late_pattern(r"\d(?:\d{3}|\s?[./-]\s?\d{1,2}\s?[./-]\s?\d\d)")
_YEAR: Final = late_pattern(r"\d\d\d\d")
_THREE_NUMBERS: Final = late_pattern(r"\d\s?[./-]\s?\d{1,2}\s?[./-]\s?\d\d")
_DIGITS_IN: Final = late_pattern(r"\d\d")

Pair = tuple[Sourced[Moment] | None, Sourced[Moment] | None]


class _DatedLine(NamedTuple):
    """A line with a date: whether words say that it is that of a change, and how much stands around the date."""

    moment: Moment
    changed: bool
    before: int
    behind: int


class MarkedDates:
    """Dates of marked elements and `time` elements; those of readers' comments tell nothing of the story.

    What stands behind the content is mostly about other stories: it is apart, and read only where somebody asks.

    Args:
        page: the page.
        content: the main content.
        language: the page's.
    """

    def __init__(self, page: Page, content: Spans | None, language: str) -> None:
        self._page, self._language = page, language
        self._end = content.ends.item(-1) + 300 if content else len(page.text)
        behind = None
        if self._end < len(page.text):  # elements come in the order of their runs
            behind = int(page.elements.first.searchsorted(page.runs.text_start.searchsorted(self._end, "right")))
        found = self._read(_marks(page, behind))
        #: The first that is said to be of publication, the first of a change, the first other.
        self.published, self.modified = found.get("published"), found.get("modified")
        self.plain = found.get("plain")

    @kept
    def behind(self) -> Sourced[Moment] | None:
        """Return the first behind the content that is said to be of publication, or else the first that is not of a
        change.
        """
        found = self._read([mark for mark in _marks(self._page) if mark.start > self._end])
        return found.get("published") or found.get("plain")

    def _read(self, marks: Iterable[MarkedElement]) -> dict[str, Sourced[Moment]]:
        """Return the first of each kind."""
        page, language, found = self._page, self._language, dict[str, Sourced[Moment]]()
        readers: Bools | None = None
        for mark in marks:
            is_time = mark.number == _TIME
            if not is_time and (_SAYS.search(mark.tag) is None or ("&" not in mark.tag and not _DATE(mark.tag))):
                continue  # most that is said of others, and addresses with dates in them
            told = mark.attributes
            words = " ".join([told.get(name, "") for name in _SAYING])
            if not is_time and not _DATE(words):
                continue
            value = told.get("datetime") or told.get("content") or ""
            text = "" if value else page.text[mark.start : mark.end]
            if len(text) > _LONGEST:
                continue
            moment = read((value or text)[:_LONGEST], language)
            if moment is None and "title" in told:
                moment = read(told["title"][:_LONGEST], language)
            if moment is None:
                continue
            readers = answering(page) if readers is None else readers
            if mark.first < len(readers) and readers[mark.first]:
                continue
            what = _what(words, page.text[max(0, mark.start - 30) : mark.start] + text)
            found.setdefault(what, Sourced(moment, "time element" if is_time else "marked date"))
            if len(found) == _KINDS:
                break
        return found


#: Of publication, of a change, other.
_KINDS: Final = 3


def times(page: Page) -> Iterator[Moment]:
    """Yield the moments of the `time` elements that have one."""
    for element in _time_elements(page).tolist():
        if (moment := read(page.attributes(element).get("datetime", "")[:_LONGEST])) is not None:
            yield moment


def _marks(page: Page, behind: int | None = None) -> list[MarkedElement]:
    """Return marked elements and `time` elements, or those of them before another."""
    marks, times = marked(page, _WORDS, before=behind), _time_elements(page)
    if behind is not None:
        times = times[: times.searchsorted(behind)]
    if not len(times):
        return marks
    seen = {mark.element: mark for mark in elements_of(page, times)} | {mark.element: mark for mark in marks}
    return [seen[element] for element in sorted(seen)]


def _time_elements(page: Page) -> Ints:
    return np.asarray((page.elements.tag == _TIME).nonzero()[0][:_MOST_TIMES])


def _what(words: str, line: str) -> str:
    if _CHANGED(line) or (_MODIFIED(words) and not _PUBLISHED(words)):
        return "modified"
    return "published" if _PUBLISHED(words) or _PUBLISHED(line) else "plain"


def by_place(page: Page, content: Spans | None, language: str) -> Pair:
    """Return the dates in the lines around the headings and the beginning of the content."""
    modified: Sourced[Moment] | None = None
    for start, end in _windows(page, content):
        for line in _dated(own_text(page)[start:end], language):
            told = Sourced(line.moment, "date in the text")
            if not line.changed:
                return told, modified
            modified = modified or told
    return None, modified


def dateline(page: Page, content: Spans | None, title: str, language: str) -> Moment | None:
    """Return the day that a line of its own under the headline shows, before the text of the story begins.

    Only the first date there counts, and only where nothing says that it is the day of a change. Many dates are a list.
    """
    places, at = headline_places(page), title_place(page, title)
    if at < 0 and not places:
        return None
    start = at + len(title) if at >= 0 else places[0]
    begin = int(content.starts[0]) if content else start
    end = max(start + _DATELINE, min(begin + _DATELINE // 2, start + _BELOW))
    dated = list(islice(_dated(own_text(page)[start:end], language), _LISTED))
    if not dated or len(dated) == _LISTED:
        return None
    first = dated[0]
    return None if first.changed or first.before > _FEW or first.behind > _SOME else first.moment


def by_label(page: Page, language: str, *, original: bool = False) -> Moment | None:
    """Return the first date that words like "published on" stand before, wherever it is.

    Args:
        page: the page.
        language: the page's.
        original: only where the words say that it is the first of several days of publication.
    """
    text, places = own_text(page), word_places(page)
    if original:
        labels = [one for part, some in _ORIGINALLY.items() if part in places for one in some]
        ends = _behind(text, labels) if labels else []
    else:
        ends = [place + len(word) for word in _LABELS if word in places for place in places[word]]
    for end in sorted(ends):
        if match := _ON.match(text, end):
            behind = text[match.end() : match.end() + _LONGEST // 2].partition("\n")[0]
            if (found := find(behind, language)) and found[1] <= _FEW // 2:
                return found[0]
    return None


def _behind(text: str, words: Iterable[str]) -> list[int]:
    """Return the ends of the first few places of each word."""
    ends = []
    for word in words:
        at = text.find(word)
        for _ in range(_TRIED):
            if at < 0:
                break
            ends.append(at + len(word))
            at = text.find(word, at + 1)
    return ends


def in_pieces(page: Page, content: Spans | None, language: str) -> Moment | None:
    """Return a date that by_place does not see: day, month and year on lines of their own, or one that opens the
    story.
    """
    for start, end in _windows(page, content):
        text = own_text(page)[start:end]
        places = _before_digits(text)
        lines = text.split("\n") if places else []
        for at in places:
            for count in (2, 3) if len(lines[at]) <= _PIECE else ():
                joined = " ".join(lines[at : at + count])
                if len(joined) > 2 * _PIECE:
                    break
                if _DIGITS_IN.search(joined) and (found := find(joined, language)) and found[1:] == (0, len(joined)):
                    return found[0]
    if content:
        at = int(content.starts[0])
        opening = page.text[at : at + _LONGEST]
        if (found := find(opening, language)) and found[1] <= _FEW and _OPENED.match(opening, found[2]):
            return found[0]
    return None


def _before_digits(text: str) -> list[int]:
    """Return the lines of a text that hold a year, or two digits if there are three numbers, and the two before
    each.
    """
    found: dict[int, None] = {}
    if _NUMBERS_IN_LINES.search(text) is None:  # as mostly
        return []
    digits = _DIGITS_IN if _THREE_NUMBERS.search(text) else _YEAR
    match, line, counted = digits.search(text), 0, 0
    while match is not None:
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        found.update(dict.fromkeys(range(max(line - 2, 0), line + 1)))
        behind = text.find("\n", match.end())
        match = digits.search(text, behind) if behind >= 0 else None
    return list(found)


def _dated(text: str, language: str) -> Iterator[_DatedLine]:
    """Yield the short lines of a text that hold a date."""
    match = _NUMBERS_IN.search(text)
    while match is not None:
        begin, finish = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
        line = text[begin:] if finish < 0 else text[begin:finish]
        if len(line) <= _LONGEST and (found := find(line, language)):
            moment, start, end = found
            if moment.year <= _LAST_YEAR and not _OTHER(line):
                before = text[text.rfind("\n", 0, max(begin - 1, 0)) + 1 : max(begin - 1, 0)]
                changed = _CHANGED(f"{before if len(before) < _LABEL else ''} {line[:start]}")
                yield _DatedLine(moment, changed, start, len(line) - end)
        match = _NUMBERS_IN.search(text, finish) if finish >= 0 else None


def _windows(page: Page, content: Spans | None) -> Iterator[tuple[int, int]]:
    for at in headline_places(page):
        yield at, at + _BELOW
        yield max(0, at - _ABOVE), at
    if content:
        at = int(content.starts[0])
        yield max(0, at - 2 * _ABOVE), at + _BELOW
        yield max(0, int(content.ends[-1]) - _ABOVE), int(content.ends[-1]) + _ABOVE


@memoized
def word_places(page: Page) -> Mapping[str, Sequence[int]]:
    """Of each of the words that stands in the page's own text the first few places."""
    return in_text(own_text(page))


def in_text(text: str) -> dict[str, list[int]]:
    """Return the same of any text."""
    found: dict[str, list[int]] = {}
    for word in _RARE:
        at = text.find(word)
        while at >= 0 and len(found.setdefault(word, [])) < _TRIED:
            found[word].append(at)
            at = text.find(word, at + 1)
    return found
