"""The publication and modification dates of an article.

Sources in order: JSON-LD and publication meta elements, unless the page shows an earlier day under its headline; marked
elements about publishing, the day in the URL, the line under the headline, the text near it, ambiguous meta elements,
other marked elements; last, words like "published on" anywhere, and data in scripts. Dates keep their declared time
zone. Nothing is completed or guessed: a month without a day or a copyright year is not a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from itertools import islice
from typing import Final

from tidings.fields.date_parsing.parsing import Moment, month, read
from tidings.fields.dates.visible_dates import MarkedDates, by_label, by_place, dateline, in_pieces, times
from tidings.fields.declared import declared, text
from tidings.fields.memo import memoized
from tidings.fields.sourced import Sourced
from tidings.page import Page, Spans
from tidings.page.tag_words import places_in_source
from tidings.text import base_language
from tidings.text.patterns import late_pattern
from tidings.urls import URL, path_of

_PUBLISHED: Final = tuple(
    "article:published_time article:published og:published_time og:article:published_time datepublished "
    "article.published parsely-pub-date sailthru.date pubdate publishdate publish-date publish_date publication_date "
    "date.published cxenseparse:recs:publishtime cxenseparse:publishtime published_time article:post_date "
    "article:create_at bt:pubdate displaydate dcterms.issued dc.date.issued citation_publication_date "
    "citation_online_date citation_date originalpublicationdate rnews:datepublished vr:published_time pub_date "
    "publishedtime release_date".split()
)
#: Ambiguous: publication, last change or copy. A date under the headline takes precedence.
_PERHAPS: Final = tuple(
    "dcterms.created dcterms.date dc.date.created dc.date dc.created created date created_at pdate sdate".split()
)
_MODIFIED: Final = tuple(
    "article:modified_time article:modified og:updated_time og:modified_time datemodified article.updated "
    "dcterms.modified dc.date.modified article:updated lastmod revision_date last-modified last_modified modified "
    "updated_time date.modified updated".split()
)
_NOT_FIRST: Final = late_pattern(r"publisher|last|modif|updat|expir|unpublish")
#: Only this many characters of a value are parsed.
_LONGEST: Final = 100
#: A day in a URL: /2026/03/14/, /2026-03-14-…, /20260314/.
_IN_ADDRESS: Final = late_pattern(r"[/_.-]((?:19|20)\d\d)([/_.-]?)(\d\d?)\2(\d\d?)(?=[/_.-]|$)")
#: The same with the name of a month: /2026/mar/14/.
_NAMED_IN_ADDRESS: Final = late_pattern(r"/((?:19|20)\d\d)/([a-z]{3,9})/(\d\d?)(?=[/_.-]|$)", re.IGNORECASE)
#: Until this hour of UTC it is still the day before in Honolulu.
_MORNING: Final = 11
#: A visible day this much later than the declared one, and not the modification date, is of another edition.
_LATER: Final = timedelta(days=300)
_ONE_DAY: Final = timedelta(days=1)
_SEEN: Final = "date in the text"
_HALF_HOUR, _FURTHEST = timedelta(minutes=30), timedelta(hours=14)
#: Placeholders that programs write if there is no date.
_NEVER: Final = date(1970, 1, 1)

#: Numeric dates: the year, and the two numbers before it. Only the first few are checked.
_YEAR_BEHIND: Final = late_pattern(r"/(?:19|20)\d\d(?!\d)")
_TWO_NUMBERS: Final = late_pattern(r"(?<![\d/])(\d{1,2})/(\d{1,2})$")
_MOST_NUMBERED: Final = 50
_MONTHS: Final = 12
_DAY_FIRST, _MONTH_FIRST = "en-GB", "en-US"
#: Countries with English pages that write the day before the month.
_DAY_FIRST_COUNTRIES: Final = frozenset("uk ie au nz in za sg my hk ng ke gh pk bd lk mt zw".split())
_DAY_FIRST_LOCALES: Final = _DAY_FIRST_COUNTRIES - {"uk"} | {"gb"}  # as in en_GB

#: A quotation mark in a script, in an attribute, and in a string of a script.
_QUOTE: Final = r"(?:\\?\"|&quot;|&#34;)"
_IN_SCRIPT: Final = late_pattern(
    rf"{_QUOTE}(?:date_?published|(?:first|original(?:ly)?)?_?publish(?:ed)?_?(?:at|on|date|time|datetime)?"
    rf"|publication_?date(?:time)?|pub_?date){_QUOTE}\s*+:\s*+{_QUOTE}([^\"&\\<>]{{8,40}})",
    re.IGNORECASE,
)
#: Substrings of the names, and how much of the source around them is searched for name and value.
_HELD: Final = ("ublish", "ublication", "ubDate", "ubdate", "ub_date")
_BEFORE, _BEHIND = 25, 95
#: Further matches belong to other articles.
_MOST_IN_SCRIPTS: Final = 100
#: Placeholders that programs write if there is no date.
_NO_DAYS: Final = frozenset({date(1970, 1, 1), date(1, 1, 1)})


def find(
    page: Page, content: Spans | None = None, title: str = ""
) -> tuple[Sourced[Moment] | None, Sourced[Moment] | None]:
    """Return the publication and modification dates of an article with their provenance; None for unknown ones.

    Args:
        page: the page.
        content: the main content; dates are near its start or end.
        title: the headline; the dateline is under it.
    """
    language = _written_in(page)
    published = next(_first(_declared(page, "datePublished", _PUBLISHED), language), None)
    modified = next(_first(_declared(page, "dateModified", _MODIFIED), language), None)
    if published is not None:
        return _corrected_by_page(page, published, modified, content, title), modified
    marked = MarkedDates(page, content, language)
    published = marked.published or _in_address(page) or _like_published(page, language)
    modified = modified or marked.modified
    if published is None:
        visible = by_label(page, language, original=True) or dateline(page, content, title, language)
        published = Sourced(visible, _SEEN) if visible else None
    if published is None:
        published, changed = by_place(page, content, language)
        published = published or next(_first(_metas(page, _PERHAPS), language), None) or marked.plain
        modified = modified or changed
        if published is None and modified is None:
            published = _last_resort(page, marked, content)
    return published, modified


@memoized
def _written_in(page: Page) -> str:
    """Return the page's language for reading dates; for English with a country that fits the day-month order of other
    dates or the host.

    Software declares `en-US` on pages of every country, so dates in the text take precedence.
    """
    language = page.signals.language
    if base_language(language) != "en":
        return language
    days = months = 0
    for match in islice(_YEAR_BEHIND.finditer(page.text), _MOST_NUMBERED):
        before = _TWO_NUMBERS.search(page.text, max(match.start() - 5, 0), match.start())
        if before:
            first, second = int(before[1]), int(before[2])
            days += first > _MONTHS >= second
            months += second > _MONTHS >= first
    if days != months:
        return _DAY_FIRST if days > months else _MONTH_FIRST
    return _DAY_FIRST if not days and _is_day_first(page) else language


def _is_day_first(page: Page) -> bool:
    """Return whether the page's locale or host belongs to an English-speaking country that writes the day first."""
    locale = page.signals.first("og:locale")
    if locale is not None and locale[1][:2].lower() == "en" and locale[1][3:].lower() in _DAY_FIRST_LOCALES:
        return True
    url = URL.try_parse(page.url)
    return url is not None and url.host.rpartition(".")[2] in _DAY_FIRST_COUNTRIES


def _last_resort(page: Page, marked: MarkedDates, content: Spans | None) -> Sourced[Moment] | None:
    """Return a date from places that often belong to something else, for pages without any other date."""
    language = _written_in(page)
    if visible := by_label(page, language) or in_pieces(page, content, language):
        return Sourced(visible, _SEEN)
    return _in_scripts(page) or marked.behind


def _corrected_by_page(
    page: Page, published: Sourced[Moment], modified: Sourced[Moment] | None, content: Spans | None, title: str
) -> Sourced[Moment]:
    """Return a declared date, unless the page shows an earlier one under its headline.

    A page never shows an article as older than it is. The declared date is then that of a migration to another system
    or of a change. A later visible day is mostly an unlabelled change, unless it is much later.
    """
    visible = dateline(page, content, title, _written_in(page))
    day = _day(published.value)
    if visible is not None and _day(visible) == day:
        return published
    if isinstance(published.value, datetime):
        local = _in_local_zone(page, published, published.value, visible, content)
        if local is not published:
            return local
    if visible is None or (modified is not None and _day(visible) == _day(modified.value)):
        return published
    if _day(visible) > day:
        return Sourced(visible, _SEEN) if _day(visible) - day > _LATER else published
    if (_day(visible).day, _day(visible).month) == (day.month, day.day):  # 09.10. for the tenth of September
        return published
    by_zone = (
        day - _day(visible) == _ONE_DAY and isinstance(published.value, datetime) and published.value.hour < _MORNING
    )
    return published if by_zone else Sourced(visible, _SEEN)


def _in_local_zone(
    page: Page, published: Sourced[Moment], utc_time: datetime, visible: Moment | None, content: Spans | None
) -> Sourced[Moment]:
    """Convert a UTC time to the publisher's time zone: an evening in America is the next day in UTC.

    The zone comes from a `time` element of the same moment, from a time near the headline that differs by whole half
    hours, or from a day there that begins at this moment. If only the URL has the day before or after, that day is
    returned without a time.
    """
    if utc_time.utcoffset() != timedelta(0):
        return published
    for element_time in times(page):
        if (
            isinstance(element_time, datetime)
            and element_time.tzinfo
            and element_time == utc_time
            and element_time.utcoffset() != timedelta(0)
        ):
            return Sourced(element_time, "time element")
    if visible is None:
        place_date = by_place(page, content, _written_in(page))[0]
        visible = place_date.value if place_date else None
    if visible is not None and not (isinstance(visible, datetime) and visible.tzinfo):
        local = visible if isinstance(visible, datetime) else datetime(visible.year, visible.month, visible.day)
        offset = local - utc_time.replace(
            tzinfo=None, second=0 if isinstance(visible, datetime) else utc_time.second, microsecond=0
        )
        if timedelta(0) < abs(offset) <= _FURTHEST and not offset % _HALF_HOUR:
            return Sourced(utc_time.astimezone(timezone(offset)), published.by)
    url_day = _in_address(page)
    return url_day if url_day is not None and abs(_day(url_day.value) - utc_time.date()) == _ONE_DAY else published


def _declared(page: Page, name: str, metas: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    metadata = declared(page)
    by_script = metadata.kind == "json-ld"  # microdata is often that of another story or of a comment
    if by_script and name in metadata.story:
        yield text(metadata.story[name]), metadata.by(name)
    if name in metadata.web_page:
        yield text(metadata.web_page[name]), f"json-ld {name}"
    yield from _metas(page, metas)
    if not by_script and name in metadata.story:
        yield text(metadata.story[name]), metadata.by(name)


def _metas(page: Page, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    named = page.signals.named
    for name in names:
        if name in named:
            yield named[name][0], f"meta {name}"


def _like_published(page: Page, language: str) -> Sourced[Moment] | None:
    """Return the earliest date of meta elements with unknown names that contain "publish"."""
    named = (
        (values[0], f"meta {key}")
        for key, values in page.signals.named.items()
        if "publish" in key and not _NOT_FIRST.search(key)
    )
    return min(_first(named, language), key=lambda date_value: _day(date_value.value), default=None)


def _first(values: Iterator[tuple[str, str]], language: str) -> Iterator[Sourced[Moment]]:
    for value, by in values:
        moment = read(value[:_LONGEST], language)
        if moment is not None and _day(moment) != _NEVER:
            yield Sourced(moment, by)


def _day(moment: Moment) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _in_address(page: Page) -> Sourced[Moment] | None:
    signals = page.signals
    canonical = (href for rel, href in signals.links if rel == "canonical")
    for address in (page.url, *canonical, *signals.all("og:url")):
        if (day := day_in_address(address or "")) is not None:
            return Sourced(day, "address")
    return None


def day_in_address(address: str) -> date | None:
    """Return the day in the path of a URL, or None."""
    try:
        path = path_of(address)
        match = _IN_ADDRESS.search(path)
        if match is None:
            match = _NAMED_IN_ADDRESS.search(path)
            named_month = month(match[2], "en") if match else None
            return date(int(match[1]), named_month[0], int(match[3])) if match and named_month else None
        if not match[2] and len(match[3]) + len(match[4]) < 4:
            return None
        return date(int(match[1]), int(match[3]), int(match[4]))
    except ValueError:
        return None


def _in_scripts(page: Page) -> Sourced[Moment] | None:
    """Return the publication date in script data; None if there is none, or several different days.

    Application state, analytics data and invalid JSON-LD often contain other articles too, so the dates count only if
    all of them agree on the day.
    """
    published: Moment | None = None
    days: set[date] = set()
    for place in places_in_source(page, _HELD, _MOST_IN_SCRIPTS):
        match = _IN_SCRIPT.search(page.source, max(place - _BEFORE, 0), place + _BEHIND)
        if match and (moment := read(match[1])) is not None:
            published = published or moment
            days.add(moment.date() if isinstance(moment, datetime) else moment)
    return (
        Sourced(published, "data of a script") if published and len(days) == 1 and days.isdisjoint(_NO_DAYS) else None
    )
