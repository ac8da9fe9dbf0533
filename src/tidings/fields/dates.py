"""When a story was published and last modified.

In order: JSON-LD, meta elements, marked elements and `time` elements near the headline, the day in the address, the
date in the text near the headline. A date is taken as it is told: in the zone it is told in, without a time where none
is told; nothing is completed or guessed (a month without a day is no date, a copyright year is none).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from typing import Final
from urllib.parse import urlsplit

from tidings.fields.declared import declared, text
from tidings.fields.found import Found
from tidings.fields.moments import Moment, read
from tidings.fields.visible_dates import by_marks, by_place, times
from tidings.page import Page, Spans

_PUBLISHED: Final = tuple(
    "article:published_time article:published og:published_time og:article:published_time datepublished "
    "article.published parsely-pub-date sailthru.date pubdate publishdate publish-date publish_date publication_date "
    "date.published cxenseparse:recs:publishtime cxenseparse:publishtime published_time article:post_date "
    "article:create_at bt:pubdate displaydate dcterms.created dcterms.issued dcterms.date dc.date.issued "
    "dc.date.created dc.date dc.created citation_publication_date citation_online_date citation_date "
    "originalpublicationdate rnews:datepublished vr:published_time created date created_at pub_date publishedtime "
    "release_date".split()
)
_MODIFIED: Final = tuple(
    "article:modified_time article:modified og:updated_time og:modified_time datemodified article.updated "
    "dcterms.modified dc.date.modified article:updated lastmod revision_date last-modified last_modified modified "
    "updated_time date.modified updated".split()
)
#: No date is longer; what is behind is not looked at.
_LONGEST: Final = 100
#: A day in an address: /2026/03/14/, /2026-03-14-…, /20260314/.
_IN_ADDRESS: Final = re.compile(r"[/_.-]((?:19|20)\d\d)([/_.-]?)(\d\d?)\2(\d\d?)(?=[/_.-]|$)")
#: Hours of UTC at which it is another day where most people live: from Moscow to Honolulu.
_EVENING, _MORNING = 20, 11
_HALF_HOUR, _FURTHEST = timedelta(minutes=30), timedelta(hours=14)
#: What programs write where there is no date.
_NEVER: Final = date(1970, 1, 1)


def find(page: Page, content: Spans | None = None) -> tuple[Found[Moment] | None, Found[Moment] | None]:
    """When a page's story was published and last modified, and what told it; None for what nothing tells."""
    language = page.signals.language
    published = next(_first(_declared(page, "datePublished", _PUBLISHED), language), None)
    modified = next(_first(_declared(page, "dateModified", _MODIFIED), language), None)
    if published is not None and isinstance(published.value, datetime):
        published = _at_home(page, published, published.value, content)
    if published is None:
        marked = by_marks(page, content, language)
        published = marked.published or _in_address(page) or next(_first(_like_published(page), language), None)
        modified = modified or marked.modified
        if published is None:
            published, changed = by_place(page, content, language)
            published, modified = published or marked.plain, modified or changed
    return published, modified


def _at_home(page: Page, published: Found[Moment], told: datetime, content: Spans | None) -> Found[Moment]:
    """A moment told in UTC as the publisher tells it: an evening in America is the next day in UTC.

    A `time` element of the same moment tells the zone, and so does a time in the text near the headline that is some
    whole half hours away. Where only the address gives the day before or after, the day is known and the hour is not,
    so the day is what is kept.
    """
    if told.utcoffset() != timedelta(0) or not (told.hour >= _EVENING or told.hour < _MORNING):
        return published
    there = _in_address(page)
    for moment in times(page):
        if isinstance(moment, datetime) and moment.tzinfo and moment == told and moment.utcoffset() != timedelta(0):
            return Found(moment, "time element")
    seen = by_place(page, content, page.signals.language)[0]
    if seen is not None and isinstance(seen.value, datetime) and seen.value.tzinfo is None:
        away = seen.value - told.replace(tzinfo=None, second=0, microsecond=0)
        if timedelta(0) < abs(away) <= _FURTHEST and not away % _HALF_HOUR:
            return Found(told.astimezone(timezone(away)), published.by)
    return there if there is not None and abs(_day(there.value) - told.date()) == timedelta(days=1) else published


def _declared(page: Page, name: str, metas: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    known = declared(page)
    by_script = known.kind == "json-ld"  # microdata is often that of another story or of a comment
    if by_script and name in known.story:
        yield text(known.story[name]), known.by(name)
    if name in known.web_page:
        yield text(known.web_page[name]), f"json-ld {name}"
    named = page.signals.named
    for key in metas:
        if key in named:
            yield named[key][0], f"meta {key}"
    if not by_script and name in known.story:
        yield text(known.story[name]), known.by(name)


def _like_published(page: Page) -> Iterator[tuple[str, str]]:
    """Meta elements of unknown names that speak of publishing."""
    for key, values in page.signals.named.items():
        if "publish" in key and "publisher" not in key:
            yield values[0], f"meta {key}"


def _first(values: Iterator[tuple[str, str]], language: str) -> Iterator[Found[Moment]]:
    for value, by in values:
        moment = read(value[:_LONGEST], language)
        if moment is not None and _day(moment) != _NEVER:
            yield Found(moment, by)


def _day(moment: Moment) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _in_address(page: Page) -> Found[Moment] | None:
    signals = page.signals
    canonical = (href for rel, href in signals.links if rel == "canonical")
    for address in (page.url, *canonical, *signals.all("og:url")):
        try:
            path = urlsplit(address or "").path
        except ValueError:
            continue
        if match := _IN_ADDRESS.search(path):
            if not match[2] and len(match[3]) + len(match[4]) < 4:
                continue
            try:
                return Found(date(int(match[1]), int(match[3]), int(match[4])), "address")
            except ValueError:
                continue
    return None
