"""Dates that a reader sees: in elements that say so, and in the lines around the headline."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.fields.found import Found
from tidings.fields.marks import marked, text_of
from tidings.fields.moments import Moment, find, read
from tidings.fields.places import headline_places
from tidings.page import Page, Spans, tags

_TIME: Final = tags.NUMBERS["time"]
_WORDS: Final = ("ublish", "date", "Date")
_PUBLISHED: Final = re.compile(
    r"publi[sc]h|publié|publicado|pubblicato|veröffentlicht|erstellt|pubdate|posted|created|issued|entry-date"
    r"|post-date|release",
    re.IGNORECASE,
)
_MODIFIED: Final = re.compile(r"updat|modif|revis|aktualis|edited", re.IGNORECASE)
_DATE: Final = re.compile(r"date(?!-?(?:picker|range))|datum|fecha|timestamp|publish", re.IGNORECASE)
#: Words before a date that say it is not the day of publication.
_CHANGED: Final = re.compile(
    r"updat|modif|revis|aktualisier|geändert|stand[: ]|mis[e]? à jour|actualiz|aggiorn|bijgewerkt|oppdater"
    r"|uppdater|opdater|güncel|обновл|оновл"
    r"|aktualiz|päivitetty|ενημερ|تحديث|به‌?روز|עודכן|更新|업데이트|수정|cập nhật|diperbarui|edited|reviewed|checked",
    re.IGNORECASE,
)
_OTHER: Final = re.compile(r"©|copyright|\(c\)|all rights|born|geboren|founded|since|seit", re.IGNORECASE)
_LONGEST: Final = 120
#: A page with more `time` elements is a list; the first ones are enough.
_MOST_TIMES: Final = 100
#: A dateline stands within so many characters above or below the beginning of a headline or of the content.
_ABOVE, _BELOW = 300, 900

Pair = tuple[Found[Moment] | None, Found[Moment] | None]


@dataclass(frozen=True, slots=True)
class Marked:
    """Dates of marked elements: the first said to be of publication, the first of change, the first other."""

    published: Found[Moment] | None = None
    modified: Found[Moment] | None = None
    plain: Found[Moment] | None = None


def by_marks(page: Page, content: Spans | None, language: str) -> Marked:
    """Dates of marked elements and `time` elements.

    What stands behind the content is mostly about other stories: it counts where nothing stands before.
    """
    end = int(content.ends[-1]) + 300 if content else len(page.text)
    ranked: dict[tuple[bool, str], Found[Moment]] = {}
    for element, told in _marks(page):
        is_time = int(page.elements.tag[element]) == _TIME
        words = " ".join(told.get(name, "") for name in ("class", "id", "itemprop", "property", "data-testid"))
        if not is_time and not _DATE.search(words):
            continue
        value = told.get("datetime") or told.get("content") or ""
        text = "" if value else text_of(page, element)
        if len(text) > _LONGEST or (moment := read((value or text)[:_LONGEST], language)) is None:
            continue
        at = _place(page, element)
        before = page.text[max(0, at - 30) : at]
        what = _what(words, before + text)
        ranked.setdefault((at > end, what), Found(moment, "time element" if is_time else "marked date"))
    return Marked(
        ranked.get((False, "published")),
        ranked.get((False, "modified")),
        ranked.get((False, "plain")) or ranked.get((True, "published")) or ranked.get((True, "plain")),
    )


def times(page: Page) -> Iterator[Moment]:
    """The moments of the `time` elements that have one."""
    for element in np.flatnonzero(page.elements.tag == _TIME)[:_MOST_TIMES].tolist():
        if (moment := read(page.attributes(element).get("datetime", "")[:_LONGEST])) is not None:
            yield moment


def _marks(page: Page) -> list[tuple[int, Mapping[str, str]]]:
    seen = {mark.element: mark.attributes for mark in marked(page, _WORDS)}
    for element in np.flatnonzero(page.elements.tag == _TIME)[:_MOST_TIMES].tolist():
        seen.setdefault(element, page.attributes(element))
    return sorted(seen.items(), key=lambda one: one[0])


def _place(page: Page, element: int) -> int:
    first = int(page.elements.first[element])
    return int(page.runs.text_start[first]) if first < len(page.runs) else len(page.text)


def _what(words: str, line: str) -> str:
    if _CHANGED.search(line) or (_MODIFIED.search(words) and not _PUBLISHED.search(words)):
        return "modified"
    return "published" if _PUBLISHED.search(words) or _PUBLISHED.search(line) else "plain"


def by_place(page: Page, content: Spans | None, language: str) -> Pair:
    """The dates in the lines around the headings and the beginning of the content."""
    modified: Found[Moment] | None = None
    for start, end in _windows(page, content):
        label = ""
        for line in page.text[start:end].split("\n"):
            if len(line) <= _LONGEST and not _OTHER.search(line) and (found := find(line, language)):
                told = Found(found[0], "date in the text")
                if not _CHANGED.search(label + " " + line[: found[1]]):
                    return told, modified
                modified = modified or told
            label = line if len(line) < 25 else ""
    return None, modified


def _windows(page: Page, content: Spans | None) -> Iterator[tuple[int, int]]:
    for at in headline_places(page):
        yield at, at + _BELOW
        yield max(0, at - _ABOVE), at
    if content:
        at = int(content.starts[0])
        yield max(0, at - 2 * _ABOVE), at + _BELOW
        yield max(0, int(content.ends[-1]) - _ABOVE), int(content.ends[-1]) + _ABOVE
