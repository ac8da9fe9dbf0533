"""Trends: shares and cosines by hand, periods, charts, tables for spreadsheets, and what is talked about."""

from __future__ import annotations

import csv
import io
import math
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.pages.looked_at import Seen
from tests.portal.store.made import new
from tidings.article import Article, Block, Inline, Kind
from tidings.charts import Series, nice, over_periods
from tidings_portal import trends
from tidings_portal.portal.trends import period_name
from tidings_portal.store.records_of_articles import NewArticle
from tidings_portal.stories.trends.finder import DatedText, PeriodLength, TrendFinder, TrendQuery, find_trends
from tidings_portal.trends import among, cosines, least_surprise, log_likelihood, period_of, periods_up_to, shares, talk
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings
from tidings_portal.web.translations import words

TEXTS = {
    (3, 16): ["A storm came over the harbour.", "The bridge is open again.", "Storm upon storm, and the bridge shut."],
    (3, 17): ["Seals sleep."],
    (3, 19): ["Another storm.", "Fish are dear."],
}


def keep(app: App, texts: dict[tuple[int, int], list[str]], language: str = "en") -> None:
    new = []
    for (month, day), some in texts.items():
        for number, text in enumerate(some):
            article = Article(
                url=f"https://a{number % 3}.example/{language}/{month}/{day}/{number}",
                title=text.split(".")[0],
                published=datetime(2026, month, day, 9, tzinfo=UTC),
                language=language,
                blocks=(Block(Kind.PARAGRAPH, (Inline(text),)),),
            )
            new.append(NewArticle(article, housed.NOW, keys=(f"{language} {month} {day} {number}",)))
    app.store.keep(new)


def test_a_share_is_what_was_found_of_all(empty: App) -> None:
    keep(empty, TEXTS)
    found = shares(
        empty.store, ["storm", '"bridge is open" OR seals'], periods_up_to(PeriodLength.DAY, date(2026, 3, 19), 4)
    )
    assert found.periods == ("2026-03-16", "2026-03-17", "2026-03-18", "2026-03-19")
    means = [[point.mean for point in trend.points] for trend in found.trends]
    assert means == [pytest.approx([2 / 3, 0, 0, 1 / 2]), pytest.approx([1 / 3, 1, 0, 0])]
    assert [point.documents for point in found.trends[0].points] == [3, 1, 0, 2]


def test_cosines_are_those_of_trend_finder_over_everything(empty: App) -> None:
    """DANA thesis 6.6.3: reading only articles with a keyword gives the means of reading all of them."""
    keep(empty, TEXTS)
    keep(empty, {(3, 16): ["Storm auf See."]}, "de")
    periods = periods_up_to(PeriodLength.WEEK, date(2026, 3, 19), 1)
    (trend,) = cosines(empty.store, ["storm bridge"], PeriodLength.WEEK, periods, "en").trends
    documents = [
        DatedText(date(2026, month, day), text, text.split(".")[0], "en")
        for (month, day), some in TEXTS.items()
        for text in some
    ]
    (whole,) = find_trends(
        [TrendQuery("storm bridge", ("storm", "bridge"))], documents, PeriodLength.WEEK, with_titles=True
    ).trends
    (point,), (expected,) = trend.points, whole.points
    assert (point.period, point.documents) == (expected.period, expected.documents)
    assert (point.mean, point.error, point.without) == pytest.approx((expected.mean, expected.error, expected.without))


@given(
    st.lists(st.sampled_from(["storm", "storm bridge", "storm storm bridge", "bridge"]), min_size=1), st.integers(0, 40)
)
def test_articles_without_a_keyword_count_as_if_they_had_been_read(held: list[str], others: int) -> None:
    query, day = TrendQuery("q", ("storm", "bridge")), date(2026, 3, 1)
    some, every = TrendFinder([query], PeriodLength.DAY), TrendFinder([query], PeriodLength.DAY)
    for text in held:
        some.add(DatedText(day, text))
        every.add(DatedText(day, text))
    for _ in range(others):
        every.add(DatedText(day, "nothing"))
    point = among(some.trends().trends[0].points[0], "2026-03-01", len(held) + others)
    expected = every.trends().trends[0].points[0]
    assert (point.mean, point.without) == pytest.approx((expected.mean, expected.without))
    assert point.error == pytest.approx(expected.error, abs=1e-6)


def test_what_was_not_read_is_not_taken_for_nothing(empty: App, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(empty, {(3, day): ["A storm.", "A second storm."] for day in range(1, 20)})
    monkeypatch.setattr(trends, "MOST_READ", 10)
    monkeypatch.setattr(trends, "_READ_AT_ONCE", 5)
    found = cosines(
        empty.store, ["storm"], PeriodLength.DAY, periods_up_to(PeriodLength.DAY, date(2026, 3, 19), 19), "en"
    )
    assert found.periods == tuple(f"2026-03-{day}" for day in (16, 17, 18, 19))
    assert all(point.mean == pytest.approx(1) for point in found.trends[0].points)


@given(st.dates(date(1900, 1, 1), date(2300, 1, 1)), st.sampled_from(PeriodLength), st.integers(1, 30))
def test_periods_follow_one_another_without_a_gap(day: date, by: PeriodLength, count: int) -> None:
    found = periods_up_to(by, day, count)
    assert len(found) == count
    assert found[-1].first <= day <= found[-1].last
    for one, other in pairwise(found):
        assert one.last + timedelta(days=1) == other.first
        assert one.name < other.name
    for one in found:
        assert by.of(one.first) == by.of(one.last) == one.name == period_of(by, one.first).name
        assert one.begin.date() == one.first


@given(st.lists(st.lists(st.one_of(st.none(), st.floats(0, 1e9)), min_size=5, max_size=5), max_size=4))
def test_everything_of_a_chart_is_inside_it(values: list[list[float | None]]) -> None:
    drawn = over_periods(
        [str(n) for n in range(5)], [Series("s", tuple(some)) for some in values], lambda value: f"{value:g}"
    )
    for line, some in zip(drawn.lines, values, strict=True):
        assert len(line.dots) == sum(value is not None for value in some)
        assert all(0 <= dot.x <= drawn.width and 0 <= dot.y <= drawn.height for dot in line.dots)
        # A pen is put down anew behind every gap.
        gaps = sum(
            1 for before, value in zip([None, *some], some, strict=False) if before is None and value is not None
        )
        assert line.path.count("M") == gaps


@given(st.floats(1e-6, 1e12))
def test_a_round_number_is_near_above(highest: float) -> None:
    assert highest * (1 - 1e-6) <= nice(highest) <= highest * 2.0001


def test_a_chart_has_a_table_and_figures_to_take_away(reader: TestClient) -> None:
    page = reader.get("/trends?q=bridge,storm&by=month").text
    seen = Seen(page)
    assert [one["role"] for one in seen.all("svg") if "role" in one] == ["img", "img"]
    assert "style=" not in page
    assert len(seen.all("tr")) == 25
    answer = reader.get("/trends.csv?q=bridge&q=storm&by=month")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 48
    assert sum(int(row["found"]) for row in rows if row["query"] == "bridge") > 3
    cosine = reader.get("/trends.csv?q=bridge&by=year&measure=cosine&language=en").text
    assert cosine.startswith("query,period,documents,mean_cosine")


def test_a_query_is_no_formula_for_a_spreadsheet(reader: TestClient) -> None:
    body = reader.get("/trends.csv", params={"q": "-bridge"}).text
    assert "\n'-bridge," in body


def test_cosines_are_of_the_readers_language(reader: TestClient) -> None:
    for language in ("en", "tr"):
        page = reader.get("/trends?q=Selene&measure=cosine", headers={"accept-language": language}).text
        assert f'<option value="{language}" lang="{language}" selected>' in page.partition("<main")[2]
    assert reader.get("/trends?q=Selene&measure=cosine&language=de").text.count('value="de" lang="de" selected') == 1


def test_cosines_cost_a_turn_and_shares_do_not(app: App, client: TestClient) -> None:
    app.settings = PortalSettings(minute_fetches=1)
    asked = [client.get(f"/trends?q=word{n}&measure=cosine").status_code for n in (1, 1, 2)]
    assert asked == [200, 200, 429]
    assert client.get("/trends?q=word3").status_code == 200


def test_commas_part_queries_but_not_inside_quotes(reader: TestClient) -> None:
    page = reader.get("/trends", params={"q": 'storm, "bridge, again" ,seal,,'}).text
    assert [one for one in ("storm", "&#34;bridge, again&#34;", "seal") if f"<bdi>{one}</bdi>" in page] == [
        "storm",
        "&#34;bridge, again&#34;",
        "seal",
    ]


def test_a_query_that_cannot_be_read_is_explained(reader: TestClient) -> None:
    answer = reader.get("/trends", params={"q": 'storm, "open'}, headers={"accept-language": "tr"})
    assert answer.status_code == 400
    assert "Geçersiz arama" in answer.text


def test_words_that_rise_are_named_and_old_ones_are_not(empty: App) -> None:
    keep(empty, {(2, day): ["Council budget debate.", "Council meets on taxes."] for day in range(20, 28)})
    keep(empty, {(3, day): ["Volcano erupts near council.", "Ash from the volcano."] for day in range(15, 20)})
    found = talk(empty.store, housed.NOW)
    names = [one.word for one in found.words]
    assert names[0] == "volcano"
    assert "council" not in names
    assert found.words[0].now == 10
    assert found.words[0].before == 0


def test_chance_alone_brings_one_word_at_most() -> None:
    assert least_surprise(20) == pytest.approx(3.84, abs=0.01)  # one in twenty
    assert least_surprise(1000) == pytest.approx(10.83, abs=0.01)  # one in a thousand
    assert least_surprise(0) == least_surprise(20)


def test_surprise_is_that_of_dunning() -> None:
    """Dunning 1993: 2 log λ, which is 0 where both shares are the same."""
    assert log_likelihood(10, 100, 20, 200) == pytest.approx(0, abs=1e-9)
    expected = 2 * (
        10 * math.log(10 / 10) + 0 + 0 + 10 * math.log(10 / 10) - 10 * math.log(10 / 20) - 10 * math.log(10 / 20)
    )
    assert log_likelihood(10, 10, 0, 10) == pytest.approx(expected)
    assert log_likelihood(3, 10, 0, 1000) > log_likelihood(3, 10, 30, 1000)


def test_periods_are_said_as_people_say_them() -> None:
    told = [period_name(period, words("en")) for period in ("2026-W08", "2026-03-06", "2026-11", "2026")]
    assert told == ["Week 8, 2026", "6 March 2026", "November 2026", "2026"]
    assert period_name("2026-W08", words("tr")) == "2026, 8. hafta"


def test_a_chart_begins_where_there_is_something_to_tell(reader: TestClient) -> None:
    page = reader.get("/trends?q=bridge&by=week").text
    chart_of, _, table = page.partition("<details")
    assert "2025" not in chart_of.partition('class="chart"')[2]
    assert "2025" in table


def test_a_first_day_says_what_most_articles_share(empty: App) -> None:
    titles = ("Ferry strike ends", "Ferry strike talks fail", "A ferry is late")
    empty.store.keep([new(n, one, published=housed.NOW, at=housed.NOW) for n, one in enumerate(titles, 1)])
    found = talk(empty.store, housed.NOW)
    assert found.is_first
    assert [one.word.casefold() for one in found.words][:2] == ["ferry", "strike"]
    page = housed.client(empty).get("/trends").text
    assert "no earlier articles to compare with" in page
    assert "Ferry</a>" in page or "ferry</a>" in page
