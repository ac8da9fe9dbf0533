"""Visible dates: in marked elements, `time` elements and the lines near the headline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from tidings.fields.comments import answering, own_text
from tidings.fields.date_parsing.parsing import Moment, find, read
from tidings.fields.elements.by_attribute import MarkedElement, elements_of, marked
from tidings.fields.memo import memoized
from tidings.fields.sourced import Sourced
from tidings.fields.titles.headline_area import headline_places, title_place
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, kept
from tidings.text.patterns import LateWords, late_pattern

_TIME: Final = tags.NUMBERS["time"]
_WORDS: Final = ("ublish", "date", "Date", "atum", "fecha", "imestamp")
#: Attributes whose values describe an element's content.
_SAYING: Final = ("class", "id", "itemprop", "property", "data-testid")
_SAYS: Final = late_pattern(r"[\s\"'/](?:class|id|itemprop|property|data-testid)\s*=", re.IGNORECASE)
_PUBLISHED: Final = LateWords(
    r"publi[sc]h|publié|publicado|pubblicato|veröffentlicht|erstellt|pubdate|posted|created|issued|entry-date"
    r"|post-date|release",
)
_MODIFIED: Final = LateWords(r"updat|modif|revis|aktualis|edited")
_DATE: Final = LateWords(r"date(?!-?(?:picker|range))|datum|fecha|timestamp|publish")
#: Words before a date that is a modification date.
_CHANGED: Final = LateWords(
    r"updat|modif|revis|aktualisier|geändert|stand[: ]|mis[e]? à jour|actualiz|aggiorn|bijgewerkt|oppdater"
    r"|uppdater|opdater|güncel|обновл|оновл"
    r"|aktualiz|päivitetty|ενημερ|تحديث|به‌?روز|עודכן|更新|업데이트|수정|cập nhật|diperbarui|edited|reviewed|checked",
)
_OTHER: Final = LateWords(r"©|copyright|\(c\)|all rights|born|geboren|founded|since|seit")
_LONGEST: Final = 120
#: Number of `time` elements that are read; a page with more is a list.
_MOST_TIMES: Final = 100
#: Range of a dateline above and below the start of the headline or of the content, in characters.
_ABOVE, _BELOW = 300, 900

#: Range of the dateline after the headline, and the most characters before and after the date in its line.
_DATELINE, _FEW, _SOME = 250, 25, 70
#: Longest label line before a date.
_LABEL: Final = 25
#: This many lines with dates are an archive or a list of other articles.
_LISTED: Final = 4
#: Later years are not publication dates.
_LAST_YEAR: Final = 2100
#: Longest part of a date that is split over lines, as on a calendar sheet.
_PIECE: Final = 12
#: Separators between a date and the article that it opens: "Selene, 14 March 2026 – After two years …".
_OPENED: Final = late_pattern(r"\s?[)\]]|\s?[–—:|]|\s-\s|\s\(\w{2,5}\)")
#: Largest number of places per word.
_TRIED: Final = 3
#: Words before the publication date, without their first letters, which may be capitals.
_LABELS: Final = tuple(
    (
        "ublished|osted|eleased|eröffentlicht|rschienen|rstellt|ingestellt|ublié|ublicado|ubblicato|epubliceerd"
        "|ublicerad|ublisert|publikowano|публиковано|atum"
    ).split("|")
)
#: Substrings of labels for the first of several publication dates.
_FIRST_OF_SEVERAL: Final = ("riginally ", "irst p", "irst appeared", "rsprünglich v")
#: Labels of an author that count anywhere on the page.
SAYING_WHO: Final = ("ritten by", "Autorin/Autor")
_RARE: Final = (*_LABELS, *_FIRST_OF_SEVERAL, *SAYING_WHO)
#: Full labels for the first of several publication dates, by their substrings.
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
#: Numbers that every date has: a year, or three numbers; within a line, and across lines.
_NUMBERS_IN: Final = late_pattern(r"\d(?:\d{3}|[^\S\n]?[./-][^\S\n]?\d{1,2}[^\S\n]?[./-][^\S\n]?\d\d)")
_NUMBERS_IN_LINES: Final = late_pattern(r"\d(?:\d{3}|\s?[./-]\s?\d{1,2}\s?[./-]\s?\d\d)")
_YEAR: Final = late_pattern(r"\d\d\d\d")
_THREE_NUMBERS: Final = late_pattern(r"\d\s?[./-]\s?\d{1,2}\s?[./-]\s?\d\d")
_DIGITS_IN: Final = late_pattern(r"\d\d")

Pair = tuple[Sourced[Moment] | None, Sourced[Moment] | None]


class _DatedLine(NamedTuple):
    """A line with a date: the date, whether it is a modification date, and the length of the line's text before and
    after it.
    """

    moment: Moment
    changed: bool
    before: int
    behind: int


class MarkedDates:
    """Dates of marked elements and `time` elements, without those of comments.

    Dates after the content mostly belong to other articles. They are separate and read on demand.

    Args:
        page: the page.
        content: the main content.
        language: the page's.
    """

    def __init__(self, page: Page, content: Spans | None, language: str) -> None:
        self._page, self._language = page, language
        self._end = content.ends.item(-1) + 300 if content else len(page.text)
        behind = None
        if self._end < len(page.text):  # elements are in the order of their runs
            behind = int(page.elements.first.searchsorted(page.runs.text_start.searchsorted(self._end, "right")))
        dates = self._read(_marks(page, behind))
        #: The first publication date, the first modification date, the first other date.
        self.published, self.modified = dates.get("published"), dates.get("modified")
        self.plain = dates.get("plain")

    @kept
    def behind(self) -> Sourced[Moment] | None:
        """Return the first publication date after the content, or else the first date there that is not a
        modification.
        """
        dates = self._read([mark for mark in _marks(self._page) if mark.start > self._end])
        return dates.get("published") or dates.get("plain")

    def _read(self, marks: Iterable[MarkedElement]) -> dict[str, Sourced[Moment]]:
        """Return the first date of each kind (such as "published" or "plain") in some marked elements."""
        page, language, dates = self._page, self._language, dict[str, Sourced[Moment]]()
        readers: Bools | None = None
        for mark in marks:
            is_time = mark.number == _TIME
            if not is_time and (_SAYS.search(mark.tag) is None or ("&" not in mark.tag and not _DATE(mark.tag))):
                continue  # other attributes, and URLs with dates
            attributes = mark.attributes
            words = " ".join([attributes.get(name, "") for name in _SAYING])
            if not is_time and not _DATE(words):
                continue
            value = attributes.get("datetime") or attributes.get("content") or ""
            text = "" if value else page.text[mark.start : mark.end]
            if len(text) > _LONGEST:
                continue
            moment = read((value or text)[:_LONGEST], language)
            if moment is None and "title" in attributes:
                moment = read(attributes["title"][:_LONGEST], language)
            if moment is None:
                continue
            readers = answering(page) if readers is None else readers
            if mark.first < len(readers) and readers[mark.first]:
                continue
            kind = _kind_of_date(words, page.text[max(0, mark.start - 30) : mark.start] + text)
            dates.setdefault(kind, Sourced(moment, "time element" if is_time else "marked date"))
            if len(dates) == _KINDS:
                break
        return dates


#: Published, modified, plain.
_KINDS: Final = 3


def times(page: Page) -> Iterator[Moment]:
    """Yield the moments that `time` elements declare."""
    for element in _time_elements(page).tolist():
        if (moment := read(page.attributes(element).get("datetime", "")[:_LONGEST])) is not None:
            yield moment


def _marks(page: Page, behind: int | None = None) -> list[MarkedElement]:
    """Return the `time` elements and those whose attributes contain date words; with `behind`, only those before that
    element.
    """
    marks, times = marked(page, _WORDS, before=behind), _time_elements(page)
    if behind is not None:
        times = times[: times.searchsorted(behind)]
    if not len(times):
        return marks
    by_element = {mark.element: mark for mark in elements_of(page, times)} | {mark.element: mark for mark in marks}
    return [by_element[element] for element in sorted(by_element)]


def _time_elements(page: Page) -> Ints:
    return np.asarray((page.elements.tag == _TIME).nonzero()[0][:_MOST_TIMES])


def _kind_of_date(words: str, line: str) -> str:
    if _CHANGED(line) or (_MODIFIED(words) and not _PUBLISHED(words)):
        return "modified"
    return "published" if _PUBLISHED(words) or _PUBLISHED(line) else "plain"


def by_place(page: Page, content: Spans | None, language: str) -> Pair:
    """Return the dates in lines near the headings and the start of the content."""
    modified: Sourced[Moment] | None = None
    for start, end in _windows(page, content):
        for line in _dated(own_text(page)[start:end], language):
            sourced = Sourced(line.moment, "date in the text")
            if not line.changed:
                return sourced, modified
            modified = modified or sourced
    return None, modified


def dateline(page: Page, content: Spans | None, title: str, language: str) -> Moment | None:
    """Return the date of the line under the headline, before the article's text.

    Only the first date counts, and only if it is not labelled as a modification. Several dated lines are a list.
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
    """Return the first date after a label such as "published on", anywhere on the page.

    Args:
        page: the page.
        language: the page's.
        original: only labels of the first of several publication dates.
    """
    text, places = own_text(page), word_places(page)
    if original:
        labels = [label for part, some in _ORIGINALLY.items() if part in places for label in some]
        ends = _behind(text, labels) if labels else []
    else:
        ends = [place + len(word) for word in _LABELS if word in places for place in places[word]]
    for end in sorted(ends):
        if match := _ON.match(text, end):
            behind = text[match.end() : match.end() + _LONGEST // 2].partition("\n")[0]
            if (dated := find(behind, language)) and dated[1] <= _FEW // 2:
                return dated[0]
    return None


def _behind(text: str, words: Iterable[str]) -> list[int]:
    """Return the end offsets of the first few occurrences of each word in a text."""
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
    """Return a date that `by_place` misses: split over several lines, or at the start of the article."""
    for start, end in _windows(page, content):
        text = own_text(page)[start:end]
        places = _before_digits(text)
        lines = text.split("\n") if places else []
        for at in places:
            for count in (2, 3) if len(lines[at]) <= _PIECE else ():
                joined_lines = " ".join(lines[at : at + count])
                if len(joined_lines) > 2 * _PIECE:
                    break
                if (
                    _DIGITS_IN.search(joined_lines)
                    and (dated := find(joined_lines, language))
                    and dated[1:] == (0, len(joined_lines))
                ):
                    return dated[0]
    if content:
        at = int(content.starts[0])
        opening = page.text[at : at + _LONGEST]
        if (dated := find(opening, language)) and dated[1] <= _FEW and _OPENED.match(opening, dated[2]):
            return dated[0]
    return None


def _before_digits(text: str) -> list[int]:
    """Return the numbers of lines with a year (or two digits, if there are three numbers), and the two lines before."""
    line_numbers: dict[int, None] = {}
    if _NUMBERS_IN_LINES.search(text) is None:  # as mostly
        return []
    digits = _DIGITS_IN if _THREE_NUMBERS.search(text) else _YEAR
    match, line, counted = digits.search(text), 0, 0
    while match is not None:
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        line_numbers.update(dict.fromkeys(range(max(line - 2, 0), line + 1)))
        behind = text.find("\n", match.end())
        match = digits.search(text, behind) if behind >= 0 else None
    return list(line_numbers)


def _dated(text: str, language: str) -> Iterator[_DatedLine]:
    """Yield the short lines of a text that contain a date."""
    match = _NUMBERS_IN.search(text)
    while match is not None:
        begin, finish = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
        line = text[begin:] if finish < 0 else text[begin:finish]
        if len(line) <= _LONGEST and (dated := find(line, language)):
            moment, start, end = dated
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
    """Return the first few offsets of each label in the page's own text."""
    return label_places(own_text(page))


def label_places(text: str) -> dict[str, list[int]]:
    """Return the first few offsets of each label in a text."""
    places: dict[str, list[int]] = {}
    for word in _RARE:
        at = text.find(word)
        while at >= 0 and len(places.setdefault(word, [])) < _TRIED:
            places[word].append(at)
            at = text.find(word, at + 1)
    return places
