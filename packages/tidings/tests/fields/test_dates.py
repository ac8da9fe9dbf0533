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


def test_days_of_other_stories_do_not_hide_that_only_a_change_is_shown() -> None:
    others = "<p>Other stories of the week in the town by the sea.</p>" * 30 + '<i class="post-date">2 March 2026</i>'
    found = page(body="<p>Last updated: 14 March 2026</p>" + STORY)
    found = Page(found.source.replace("</body>", f"{others}</body>"), URL)
    content = Spans.of([(found.text.index("After"), found.text.index("Other stories"))], len(found.text))
    first, changed = dates.find(found, content)
    assert first is None
    assert changed is not None
    assert changed.value == DAY


EARLIER = "<p>By Ann Lee | March 2, 2026</p>"


@pytest.mark.parametrize(
    ("head", "body", "day"),
    [
        (LD, EARLIER, 2),  # put into another system, and declared anew
        (LD, "<p>March 18, 2026</p>", 14),  # a change that nothing calls so
        (LD, "<p>Updated March 2, 2026</p>", 14),
        (ld(datePublished="2026-03-14", dateModified="2026-03-02"), EARLIER, 14),
        (LD, f"<p>{'It was long ago, and nobody remembers it. ' * 2}It rained on March 2, 2026.</p>", 14),
        (ld(datePublished="2026-04-03"), "<p>03.04.2026</p>", 3),  # day and month swapped
        (ld(datePublished="2026-03-03T02:00:00Z"), EARLIER, 3),  # the same moment further west
        (ld(datePublished="2026-03-03T22:00:00Z"), EARLIER, 2),  # no zone explains it
    ],
)
def test_an_earlier_day_under_the_headline(head: str, body: str, day: int) -> None:
    """No story is shown to be older than it is."""
    told = dates.find(page(head, body), None, "Harbour bridge reopens")[0]
    assert told is not None
    assert told.value.day == day


def test_a_list_of_days_is_no_dateline() -> None:
    days = "".join(f"<p>{day} March 2026</p>" for day in range(9, 1, -1))
    told = dates.find(page(LD, days), None, "Harbour bridge reopens")[0]
    assert told is not None
    assert told.value == DAY


def test_a_day_that_begins_at_the_declared_moment_tells_the_zone() -> None:
    found = page(ld(datePublished="2026-03-13T23:00:00Z"), "<p>14 March 2026</p>")
    told = dates.find(found, None, "Harbour bridge reopens")[0]
    assert told is not None
    assert told.value == datetime(2026, 3, 13, 23, tzinfo=UTC)
    assert isinstance(told.value, datetime)
    assert (told.value.day, told.value.utcoffset()) == (14, timedelta(hours=1))


@pytest.mark.parametrize("name", ["date", "dc.date", "dcterms.created"])
def test_dates_of_unknown_meaning_wait_for_what_is_shown(name: str) -> None:
    head = f'<meta name="{name}" content="2026-03-20">'
    assert dates.find(page(head), None, "Harbour bridge reopens")[0] is not None
    told = dates.find(page(head, LINE), None, "Harbour bridge reopens")[0]
    assert told is not None
    assert told.value == date(2026, 3, 18)


def test_the_earliest_of_the_names_that_speak_of_publishing() -> None:
    head = (
        '<meta name="published-time" content="2026-03-20T10:00:00Z"><meta name="published-day" content="2026-03-14">'
        '<meta name="x:last_published" content="2026-03-01"><meta name="publisher" content="2026-02-01">'
    )
    assert published(page(head)) == (DAY, "meta published-day")


@pytest.mark.parametrize(
    "script",
    [
        '<script>var state = {"story": {"publishedAt": "2026-03-14T10:00:00Z", "updatedAt": "2026-03-15"}}</script>',
        '<div data-page="{&quot;datePublished&quot;:&quot;2026-03-14&quot;}"></div>',
        r'<script>push("{\"publish_date\": \"2026-03-14\"}")</script>',
        '<script type="application/ld+json">{"headline": "A "bad" one", "datePublished": "2026-03-14"}</script>',
    ],
)
def test_data_of_scripts_where_nothing_else_tells(script: str) -> None:
    value, by = published(page(body=script))
    assert (str(value)[:10], by) == ("2026-03-14", "data of a script")
    assert published(page(body=script + LINE))[0] == date(2026, 3, 18)
    assert published(page(body=script + script.replace("03-14", "03-16"))) == (None, "")


@pytest.mark.parametrize(
    "body",
    [
        "<div><div>14</div><div>March</div><div>2026</div></div>",
        "<div><div>14 Mar</div><div>2026</div></div>",
        '<span class="datum" title="2026-03-14">heute</span>',
        '<span class="fecha">14.03.2026</span>',
    ],
)
def test_dates_in_pieces_and_in_titles(body: str) -> None:
    assert published(page(body=body))[0] == DAY


def test_a_date_that_opens_the_story() -> None:
    line = "Selene, 14 March 2026 – After two years of work the harbour carries cars again, and nobody is as glad of it"
    found = Page(f'<html lang="en"><h1>Harbour bridge reopens</h1><p>{line} {line}</p>{STORY}', URL)
    content = Spans.of([(found.text.index("Selene"), len(found.text))], len(found.text))
    told = dates.find(found, content)[0]
    assert told is not None
    assert told.value == DAY
    prose = Page(found.source.replace("14 March 2026 –", "on 14 March 2026 there was"), URL)
    assert dates.find(prose, content)[0] is None


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("This story was originally published on 2 March 2026 and is kept up to date.", 2),
        ("It is said that everything that is published is read.", 18),
    ],
)
def test_the_first_of_several_days_of_publication(line: str, day: int) -> None:
    told = dates.find(page(body=LINE + STORY * 5 + f"<p>{line}</p>"), None, "Harbour bridge reopens")[0]
    assert told is not None
    assert told.value.day == day


@pytest.mark.parametrize("line", ["Erschienen am: 14.03.2026", "Published on March 14, 2026", "Publié le 14 mars 2026"])
def test_words_before_the_day_of_publication(line: str) -> None:
    far = STORY * 10
    assert published(page(body=f"{far}<p>{line}</p>{far}"))[0] == DAY
    assert published(page(body=f"{far}<p>{line.replace('2026', '')}</p>{far}"))[0] is None


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


@pytest.mark.parametrize(
    ("language", "url", "others", "month"),
    [
        ("en", "https://example.org/a", "", 3),
        ("en-US", "https://example.org/a", "24/12/2025 and 5/1/2026", 4),
        ("en", "https://example.org/a", "12/24/2025", 3),
        ("en-GB", "https://example.org/a", "12/24/2025", 3),
        ("en", "https://harbour.example.co.uk/a", "", 4),
        ("en-US", "https://harbour.example.in/a", "12/24/2025", 3),
        ("en", "https://example.org/a", "24/12/2025, 12/24/2025", 3),
        ("de", "https://example.org/a", "12/24/2025", 4),
    ],
)
def test_the_order_of_day_and_month_by_other_dates_and_by_the_country(
    language: str, url: str, others: str, month: int
) -> None:
    page = Page(
        f'<html lang="{language}"><h1>The ferry came back</h1><p class="date">3/4/2026</p><p>{others}</p>'
        "<p>The ferry came back to the harbour, and the whole town stood on the quay.</p>",
        url,
    )
    found = dates.find(page, None, "The ferry came back")[0]
    assert found is not None
    assert found.value == date(2026, month, 7 - month)


@pytest.mark.parametrize(
    "said",
    [
        '<div class="comment"><cite>Mara</cite> <time datetime="2026-03-17">17 March 2026</time><p>{}</p></div>',
        '<div class="comment"><p>Mara, 17 March 2026</p><p>{}</p></div>',
        '<div class="comment"><p>Posted by Mara on 17 March 2026</p><p>{}</p></div>',
        '<div class="comment"><span class="comment-date">17.03.2026</span><p>{}</p></div>',
    ],
)
def test_the_day_of_a_comment_is_not_that_of_the_story(said: str) -> None:
    remarks = "".join(said.format(f"I crossed it {word} day and it was grand.") for word in ("every", "the next"))
    below = f'<section id="comments" class="comments"><h2>2 Comments</h2>{remarks}</section>'
    source = f"<html lang=en><body><h1>Harbour bridge reopens</h1>{STORY * 3}{below}</body></html>"
    assert published(Page(source, URL)) == (None, "")


@pytest.mark.parametrize(
    ("locale", "day"),
    [("en_GB", date(2026, 11, 3)), ("en_AU", date(2026, 11, 3)), ("en_US", date(2026, 3, 11)), ("", date(2026, 3, 11))],
)
def test_the_order_of_day_and_month_is_that_of_the_declared_country(locale: str, day: date) -> None:
    head = f'<meta property="og:locale" content="{locale}">' if locale else ""
    assert published(page(head, "<p>03/11/2026</p>"))[0] == day


@pytest.mark.parametrize("path", ["/2026/mar/14/bridge", "/news/2026/March/14/", "/2026/mar/14"])
def test_a_month_by_its_name_in_an_address(path: str) -> None:
    assert dates.day_in_address(f"https://gazette.example{path}") == DAY


@pytest.mark.parametrize("path", ["/2026/marches/14/bridge", "/2026/mar/34/", "/2026/mar/1455/"])
def test_words_in_an_address_that_are_no_months(path: str) -> None:
    assert dates.day_in_address(f"https://gazette.example{path}") is None


def test_a_morning_in_sydney_is_the_evening_before_in_utc() -> None:
    told = page(ld(datePublished="2026-03-13T18:30:00Z"), "<p>March 14, 2026 — 5.30am</p>")
    moment = published(told)[0]
    assert isinstance(moment, datetime)
    assert (moment.date(), moment.utcoffset()) == (DAY, timedelta(hours=11))


@pytest.mark.parametrize(
    ("declared", "modified", "day"),
    [
        ("2013-03-11", "2026-05-01", DAY),  # another edition
        ("2013-03-11", "2026-03-14", date(2013, 3, 11)),  # the day of the change
        ("2026-03-01", "2026-05-01", date(2026, 3, 1)),  # not much later
    ],
)
def test_a_day_shown_that_is_years_later_and_no_change(declared: str, modified: str, day: date) -> None:
    told = page(ld(datePublished=declared, dateModified=modified), "<p>March 14, 2026</p>")
    assert published(told)[0] == day
