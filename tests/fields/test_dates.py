"""When a story was published and changed: which statement goes before which, and what is never made up."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.fields import dates
from tidings.page import Page, Spans

DAY = date(2026, 3, 14)
URL = "https://gazette.example/news/harbour-bridge"
STORY = "<p>After two years the harbour carries cars again, and the ferry has gone back to the islands.</p>" * 3


def page(head: str = "", body: str = "", url: str = URL, language: str = "en") -> Page:
    heading = "<h1>Harbour bridge reopens</h1>"
    return Page(f'<html lang="{language}"><head>{head}</head><body>{heading}{body}{STORY}</body></html>', url)


def ld(**thing: object) -> str:
    told = {"@type": "NewsArticle", "headline": "Harbour bridge reopens"} | thing
    return f'<script type="application/ld+json">{json.dumps(told)}</script>'


def published(found: Page) -> tuple[date | None, str]:
    told = dates.find(found)[0]
    return (told.value, told.by) if told else (None, "")


LD = ld(datePublished="2026-03-14")
META = '<meta property="article:published_time" content="2026-03-15T10:00:00+02:00">'
TIME = '<time datetime="2026-03-16">16 March</time>'
ADDRESS = "https://gazette.example/2026/03/17/bridge"
LINE = "<p>By Ann Lee</p><p>March 18, 2026</p>"


@pytest.mark.parametrize(
    ("head", "body", "url", "day", "by"),
    [
        (LD + META, TIME + LINE, ADDRESS, 14, "json-ld datePublished"),
        (META, TIME + LINE, ADDRESS, 15, "meta article:published_time"),
        ("", TIME.replace("<time", '<time itemprop="datePublished"') + LINE, ADDRESS, 16, "time element"),
        ("", TIME + LINE, ADDRESS, 17, "address"),
        ("", LINE, URL, 18, "date in the text"),
        ("", "", URL, 0, ""),
    ],
)
def test_order(head: str, body: str, url: str, day: int, by: str) -> None:
    value, told = published(page(head, body, url))
    assert told == by
    assert (value.day if value else 0) == day


def test_time_and_zone_are_kept_as_told() -> None:
    value, _ = published(page(META))
    assert value == datetime(2026, 3, 15, 10, tzinfo=timezone(timedelta(hours=2)))
    value, _ = published(page(ld(datePublished="2026-03-14T10:00:00")))
    assert value == datetime(2026, 3, 14, 10)  # no zone is told, none is given


def test_modified() -> None:
    head = ld(datePublished="2026-03-14", dateModified="2026-03-15T07:00:00Z")
    first, changed = dates.find(page(head))
    assert first is not None
    assert changed is not None
    assert (first.value, changed.value) == (DAY, datetime(2026, 3, 15, 7, tzinfo=UTC))
    assert changed.by == "json-ld dateModified"


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("Updated March 14, 2026", "en"),
        ("Last updated: 14 March 2026", "en"),
        ("Aktualisiert am 14. März 2026", "de"),
        ("Mis à jour le 14 mars 2026", "fr"),
        ("Actualizado el 14 de marzo de 2026", "es"),
        ("更新 2026年3月14日", "ja"),
    ],
)
def test_a_day_of_change_is_not_the_day_of_publication(line: str, language: str) -> None:
    first, changed = dates.find(page(body=f"<p>{line}</p>", language=language))
    assert first is None
    assert changed is not None
    assert changed.value == DAY


@pytest.mark.parametrize(
    "body",
    [
        "<p>© 2026 Gazette, 14 March 2026</p>",
        "<p>March 2026</p>",
        f"<p>{'It was long ago, and nobody remembers. ' * 5}On March 14, 2026 it rained.</p>",
    ],
)
def test_dates_of_something_else(body: str) -> None:
    assert published(page(body=body)) == (None, "")


@pytest.mark.parametrize("told", ["", "soon", "1970-01-01T00:00:00Z", "0001-01-01", "2026-02-31", "{{ date }}", "0"])
def test_declared_nonsense_is_passed_over(told: str) -> None:
    """HOSTILE 22: the beginning of the epoch is what programs write where there is no date."""
    assert published(page(ld(datePublished=told))) == (None, "")
    assert published(page(ld(datePublished=told), LINE))[0] == date(2026, 3, 18)


def test_future_dates_are_kept() -> None:
    """HOSTILE 22: they are what the page tells; no clock is asked."""
    assert published(page(ld(datePublished="2199-01-02")))[0] == date(2199, 1, 2)


def test_an_evening_in_america_is_the_day_of_the_address() -> None:
    """The moment in UTC is of the next day; the `time` element tells the zone."""
    head = '<meta property="article:published_time" content="2026-03-18T03:05:00+00:00">'
    value, by = published(page(head, url=ADDRESS))
    assert (value, by) == (date(2026, 3, 17), "address")
    value, by = published(page(head, '<time datetime="2026-03-17T19:05:00-08:00">7 pm</time>', ADDRESS))
    assert by == "time element"
    assert value == datetime(2026, 3, 18, 3, 5, tzinfo=UTC)
    assert isinstance(value, datetime)
    assert value.date() == date(2026, 3, 17)


@pytest.mark.parametrize(
    ("told", "shown", "day", "hours"),
    [
        ("2026-03-13T23:04:00Z", "14 March 2026 00:04", 14, 1),
        ("2026-03-14T03:37:20Z", "13 March 2026, 11:37 pm", 13, -4),
        ("2026-03-14T03:37:20Z", "13 March 2026, 11:20 pm", 14, 0),  # another moment
        ("2026-03-14T12:00:00Z", "14 March 2026 13:00", 14, 0),  # the same day everywhere it matters
    ],
)
def test_the_zone_of_a_time_beside_the_headline(told: str, shown: str, day: int, hours: int) -> None:
    value, by = published(page(ld(datePublished=told), f"<p>{shown}</p>"))
    assert by == "json-ld datePublished"
    assert isinstance(value, datetime)
    assert value == datetime.fromisoformat(told)
    assert (value.day, value.utcoffset()) == (day, timedelta(hours=hours))


def test_persian_page_with_jalali_date() -> None:
    assert published(page(body="<p>۲۳ اسفند ۱۴۰۴</p>", language="fa"))[0] == DAY


def test_related_stories_behind_the_content() -> None:
    """Dates behind the story are of other stories; the one before goes first, whatever stands behind."""
    found = page(body='<p class="post-date">14 March 2026</p>')
    text = found.text.index("After")
    content = Spans.of([(text, len(found.text))], len(found.text))
    told = dates.find(found, content)[0]
    assert told is not None
    assert told.value == DAY


@pytest.mark.parametrize(
    "path", ["/2026/03/14/bridge", "/news/2026-03-14-bridge", "/a/20260314/bridge.html", "/2026/3/14/x"]
)
def test_days_in_addresses(path: str) -> None:
    assert published(page(url="https://gazette.example" + path)) == (DAY, "address")


@pytest.mark.parametrize("path", ["/2026/03/bridge", "/2026/33/14/x", "/id/20261399/x", "/2026314", "/12026/03/14/x"])
def test_numbers_in_addresses_that_are_no_days(path: str) -> None:
    assert published(page(url="https://gazette.example" + path)) == (None, "")


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_declaration_is_survived(value: str, language: str) -> None:
    safe = value.replace('"', "").replace("<", "")
    dates.find(Page(f'<meta name="date" content="{safe}"><time datetime="{safe}">{safe}</time><p>{language}</p>'))


@pytest.mark.parametrize("outlet", newspaper.outlets())
def test_the_sample_newspaper(outlet: str) -> None:
    for sample in newspaper.pages(outlet):
        if not sample.gold.get("date"):
            continue
        told = dates.find(Page(sample.html, sample.url))[0]
        assert told is not None, sample.id
        assert str(told.value)[:10] == sample.gold["date"][:10], (sample.id, told)
