"""When a story was published and last modified.

In order: JSON-LD and meta elements of publication, unless the page shows an earlier day under its headline; marked
elements that speak of publishing, the day in the address, the line under the headline, the text around, meta elements
of uncertain meaning, other marked elements; last, words like "published on" anywhere and the data of scripts. A date is
taken as it is told: in the zone it is told in, without a time where none is told; nothing is completed or guessed (a
month without a day is no date, a copyright year is none).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from itertools import islice
from typing import Final

from tidings.fields.declared import declared, text
from tidings.fields.memo import memoized
from tidings.fields.moments import Moment, month, read
from tidings.fields.sourced import Sourced
from tidings.fields.visible_dates import MarkedDates, by_label, by_place, dateline, in_pieces, times
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
#: Of publication, of the last change or of the copy: what the page shows under its headline goes before these.
_PERHAPS: Final = tuple(
    "dcterms.created dcterms.date dc.date.created dc.date dc.created created date created_at pdate sdate".split()
)
_MODIFIED: Final = tuple(
    "article:modified_time article:modified og:updated_time og:modified_time datemodified article.updated "
    "dcterms.modified dc.date.modified article:updated lastmod revision_date last-modified last_modified modified "
    "updated_time date.modified updated".split()
)
_NOT_FIRST: Final = late_pattern(r"publisher|last|modif|updat|expir|unpublish")
#: No date is longer; what is behind is not looked at.
_LONGEST: Final = 100
#: A day in an address: /2026/03/14/, /2026-03-14-…, /20260314/.
_IN_ADDRESS: Final = late_pattern(r"[/_.-]((?:19|20)\d\d)([/_.-]?)(\d\d?)\2(\d\d?)(?=[/_.-]|$)")
#: The same with the name of a month: /2026/mar/14/.
_NAMED_IN_ADDRESS: Final = late_pattern(r"/((?:19|20)\d\d)/([a-z]{3,9})/(\d\d?)(?=[/_.-]|$)", re.IGNORECASE)
#: Up to this hour of UTC it is the day before elsewhere: in Honolulu.
_MORNING: Final = 11
#: A day shown so much later than the declared one, and not that of the last change, is that of another edition.
_LATER: Final = timedelta(days=300)
_ONE_DAY: Final = timedelta(days=1)
_SEEN: Final = "date in the text"
_HALF_HOUR, _FURTHEST = timedelta(minutes=30), timedelta(hours=14)
#: What programs write where there is no date.
_NEVER: Final = date(1970, 1, 1)

#: Dates in numbers: the year, and what stands before it. Of more the first ones are enough.
_YEAR_BEHIND: Final = late_pattern(r"/(?:19|20)\d\d(?!\d)")
_TWO_NUMBERS: Final = late_pattern(r"(?<![\d/])(\d{1,2})/(\d{1,2})$")
_MOST_NUMBERED: Final = 50
_MONTHS: Final = 12
_DAY_FIRST, _MONTH_FIRST = "en-GB", "en-US"
#: English is written there, and the day before the month.
_DAY_FIRST_COUNTRIES: Final = frozenset("uk ie au nz in za sg my hk ng ke gh pk bd lk mt zw".split())
_DAY_FIRST_LOCALES: Final = _DAY_FIRST_COUNTRIES - {"uk"} | {"gb"}  # as in en_GB

#: A quotation mark as it stands in a script, in an attribute, and in a string of a script.
_QUOTE: Final = r"(?:\\?\"|&quot;|&#34;)"
_IN_SCRIPT: Final = late_pattern(
    rf"{_QUOTE}(?:date_?published|(?:first|original(?:ly)?)?_?publish(?:ed)?_?(?:at|on|date|time|datetime)?"
    rf"|publication_?date(?:time)?|pub_?date){_QUOTE}\s*+:\s*+{_QUOTE}([^\"&\\<>]{{8,40}})",
    re.IGNORECASE,
)
#: What the names hold, and how much of the source around it may be name and value.
_HELD: Final = ("ublish", "ublication", "ubDate", "ubdate", "ub_date")
_BEFORE, _BEHIND = 25, 95
#: More are those of other stories.
_MOST_IN_SCRIPTS: Final = 100
#: What programs write where there is no date.
_NO_DAYS: Final = frozenset({date(1970, 1, 1), date(1, 1, 1)})


def find(
    page: Page, content: Spans | None = None, title: str = ""
) -> tuple[Sourced[Moment] | None, Sourced[Moment] | None]:
    """When a page's story was published and last modified, and what told it; None for what nothing tells.

    Args:
        page: the page.
        content: the main content; a date stands near its ends.
        title: the headline; the dateline stands under it.
    """
    language = _written_in(page)
    published = next(_first(_declared(page, "datePublished", _PUBLISHED), language), None)
    modified = next(_first(_declared(page, "dateModified", _MODIFIED), language), None)
    if published is not None:
        return _as_shown(page, published, modified, content, title), modified
    marked = MarkedDates(page, content, language)
    published = marked.published or _in_address(page) or _like_published(page, language)
    modified = modified or marked.modified
    if published is None:
        shown = by_label(page, language, original=True) or dateline(page, content, title, language)
        published = Sourced(shown, _SEEN) if shown else None
    if published is None:
        published, changed = by_place(page, content, language)
        published = published or next(_first(_metas(page, _PERHAPS), language), None) or marked.plain
        modified = modified or changed
        if published is None and modified is None:
            published = _last_resort(page, marked, content)
    return published, modified


@memoized
def _written_in(page: Page) -> str:
    """Return the page's language; English with a country whose order of day and month its other dates or its host tell.

    Programs declare `en-US` on the pages of every country, so what the page writes goes before that.
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
    """Return whether the page declares to be in the English of a country that writes the day first, or its host is
    there.
    """
    spoken = page.signals.first("og:locale")
    if spoken is not None and spoken[1][:2].lower() == "en" and spoken[1][3:].lower() in _DAY_FIRST_LOCALES:
        return True
    url = URL.try_parse(page.url)
    return url is not None and url.host.rpartition(".")[2] in _DAY_FIRST_COUNTRIES


def _last_resort(page: Page, marked: MarkedDates, content: Spans | None) -> Sourced[Moment] | None:
    """Return dates that are often of something else: they count only where the page tells no other."""
    language = _written_in(page)
    if seen := by_label(page, language) or in_pieces(page, content, language):
        return Sourced(seen, _SEEN)
    return _in_scripts(page) or marked.behind


def _as_shown(
    page: Page, told: Sourced[Moment], modified: Sourced[Moment] | None, content: Spans | None, title: str
) -> Sourced[Moment]:
    """Return a declared date, unless the page shows an earlier one under its headline.

    No story is shown to be older than it is. What is declared then is the day on which it was put into another system,
    or changed. A later day is mostly that of a change that nothing calls so, unless it is much later.
    """
    shown = dateline(page, content, title, _written_in(page))
    day = _day(told.value)
    if shown is not None and _day(shown) == day:
        return told
    if isinstance(told.value, datetime):
        home = _at_home(page, told, told.value, shown, content)
        if home is not told:
            return home
    if shown is None or (modified is not None and _day(shown) == _day(modified.value)):
        return told
    if _day(shown) > day:
        return Sourced(shown, _SEEN) if _day(shown) - day > _LATER else told
    if (_day(shown).day, _day(shown).month) == (day.month, day.day):  # 09.10. for the tenth of September
        return told
    by_zone = day - _day(shown) == _ONE_DAY and isinstance(told.value, datetime) and told.value.hour < _MORNING
    return told if by_zone else Sourced(shown, _SEEN)


def _at_home(
    page: Page, published: Sourced[Moment], told: datetime, shown: Moment | None, content: Spans | None
) -> Sourced[Moment]:
    """Return a moment told in UTC as the publisher tells it: an evening in America is the next day in UTC.

    A `time` element of the same moment tells the zone, and so does a time in the text near the headline that is some
    whole half hours away, or a day there that begins at this moment. Where only the address gives the day before or
    after, the day is known and the hour is not, so the day is what is kept.
    """
    if told.utcoffset() != timedelta(0):
        return published
    for moment in times(page):
        if isinstance(moment, datetime) and moment.tzinfo and moment == told and moment.utcoffset() != timedelta(0):
            return Sourced(moment, "time element")
    if shown is None:
        seen = by_place(page, content, _written_in(page))[0]
        shown = seen.value if seen else None
    if shown is not None and not (isinstance(shown, datetime) and shown.tzinfo):
        local = shown if isinstance(shown, datetime) else datetime(shown.year, shown.month, shown.day)
        away = local - told.replace(
            tzinfo=None, second=0 if isinstance(shown, datetime) else told.second, microsecond=0
        )
        if timedelta(0) < abs(away) <= _FURTHEST and not away % _HALF_HOUR:
            return Sourced(told.astimezone(timezone(away)), published.by)
    there = _in_address(page)
    return there if there is not None and abs(_day(there.value) - told.date()) == _ONE_DAY else published


def _declared(page: Page, name: str, metas: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    known = declared(page)
    by_script = known.kind == "json-ld"  # microdata is often that of another story or of a comment
    if by_script and name in known.story:
        yield text(known.story[name]), known.by(name)
    if name in known.web_page:
        yield text(known.web_page[name]), f"json-ld {name}"
    yield from _metas(page, metas)
    if not by_script and name in known.story:
        yield text(known.story[name]), known.by(name)


def _metas(page: Page, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    named = page.signals.named
    for name in names:
        if name in named:
            yield named[name][0], f"meta {name}"


def _like_published(page: Page, language: str) -> Sourced[Moment] | None:
    """Return the earliest date of the meta elements of unknown names that speak of publishing."""
    named = (
        (values[0], f"meta {key}")
        for key, values in page.signals.named.items()
        if "publish" in key and not _NOT_FIRST.search(key)
    )
    return min(_first(named, language), key=lambda found: _day(found.value), default=None)


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
    """Return the day that stands in the path of an address."""
    try:
        path = path_of(address)
        match = _IN_ADDRESS.search(path)
        if match is None:
            match = _NAMED_IN_ADDRESS.search(path)
            told = month(match[2], "en") if match else None
            return date(int(match[1]), told[0], int(match[3])) if match and told else None
        if not match[2] and len(match[3]) + len(match[4]) < 4:
            return None
        return date(int(match[1]), int(match[3]), int(match[4]))
    except ValueError:
        return None


def _in_scripts(page: Page) -> Sourced[Moment] | None:
    """Return the moment of publication that the data of scripts tells; None if it tells none or several days.

    State of an application, data for counting visits, JSON-LD that is no JSON: such data often holds other stories too,
    so it counts only where all of it tells one day.
    """
    found: Moment | None = None
    days: set[date] = set()
    for place in places_in_source(page, _HELD, _MOST_IN_SCRIPTS):
        match = _IN_SCRIPT.search(page.source, max(place - _BEFORE, 0), place + _BEHIND)
        if match and (moment := read(match[1])) is not None:
            found = found or moment
            days.add(moment.date() if isinstance(moment, datetime) else moment)
    return Sourced(found, "data of a script") if found and len(days) == 1 and days.isdisjoint(_NO_DAYS) else None
