"""Themes that begin, meet, split and fade, and how much keywords separate: by hand, in the API and in the portal."""

from __future__ import annotations

from datetime import date
from xml.etree.ElementTree import fromstring

import pytest
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.api.covered import covers
from tests.portal.pages.looked_at import Seen
from tests.portal.pages.test_trends import keep
from tidings.errors import BadQuery
from tidings_portal.stories.trends.finder import PeriodLength
from tidings_portal.theme_flow import theme_flow_svg
from tidings_portal.themes import Theme, ThemeChange, connect, history, keyword_quality
from tidings_portal.trends import periods_up_to
from tidings_portal.web.app_state import App


def theme(period: str, words: str, articles: int = 3, language: str = "en") -> Theme:
    told = tuple(words.split())
    return Theme(period, language, told, articles, articles / 10, frozenset(told))


def changes(found: list[tuple[str, tuple[Theme, ...]]]) -> list[tuple[str, str, list[str], list[str]]]:
    return [
        (one.change.value, one.period, [" ".join(t.words) for t in one.before], [" ".join(t.words) for t in one.after])
        for one in connect(found).steps
    ]


def test_themes_meet_split_begin_and_fade() -> None:
    storm, bridge, seals = theme("1", "storm flood"), theme("1", "bridge toll"), theme("1", "seals bay")
    both = theme("2", "storm flood bridge toll", 6)
    again, other = theme("3", "storm flood"), theme("3", "bridge toll ferry")
    assert changes([("1", (storm, bridge, seals)), ("2", (both,)), ("3", (again, other))]) == [
        ("splits", "3", ["storm flood bridge toll"], ["storm flood", "bridge toll ferry"]),
        ("meets", "2", ["storm flood", "bridge toll"], ["storm flood bridge toll"]),
        ("fades", "2", ["seals bay"], []),
    ]
    begun = changes([("1", (storm,)), ("2", (theme("2", "storm flood"), theme("2", "mayor vote")))])
    assert begun == [("begins", "2", [], ["mayor vote"])]


def test_lines_go_through_the_periods() -> None:
    one, two = theme("1", "storm flood"), theme("2", "storm flood rain", 5)
    other = theme("2", "storm flood", language="de")  # of another language: another theme
    found = connect([("1", (one,)), ("2", (two, other)), ("3", ())])
    assert found.lines == ((one, two, None), (None, other, None))
    assert [step.change for step in found.steps if step.period == "3"] == [ThemeChange.FADES] * 2
    assert connect([]).lines == ()


def test_drawing_has_a_band_for_each_continuation() -> None:
    storm, bridge = theme("1", "storm flood"), theme("1", "bridge toll")
    both = theme("2", "storm flood bridge toll", 6)
    found = connect([("1", (storm, bridge)), ("2", (both,)), ("3", (theme("3", "<b> mayor"),))])
    assert found.links == ((storm, both), (bridge, both))
    svg = fromstring(theme_flow_svg(found))
    titles = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}title")]
    assert [one for one in titles if "→" in (one or "")] == [
        "storm flood → storm flood bridge", "bridge toll → storm flood bridge",
    ]  # fmt: skip
    assert "<b> mayor: 3 articles in 3" in titles
    assert fromstring(theme_flow_svg(connect([]))) is not None


def test_one_shared_word_of_many_is_no_theme() -> None:
    found = connect([("1", (theme("1", "storm flood rain"),)), ("2", (theme("2", "storm warning flag"),))])
    assert {step.change for step in found.steps} == {ThemeChange.BEGINS, ThemeChange.FADES}


STORM = ["Storm floods quay.", "Storm floods market.", "Floods after storm."]
BRIDGE = ["Bridge toll rises.", "Toll of bridge disputed.", "Bridge toll vote."]
BOTH = ["Storm floods bridge, toll waived.", "Bridge toll waived as storm floods quay.", "Storm floods: bridge toll."]


def test_of_a_store(empty: App) -> None:
    keep(empty, {(3, 2): STORM + BRIDGE, (3, 10): BOTH})
    found = history(empty.store, housed.NOW)
    assert found.periods == ("2026-W10", "2026-W11")
    assert [sorted(one.terms) for one in found.themes[0]] == [["bridg", "toll"], ["flood", "storm"]]
    met = [one for one in found.steps if one.change is ThemeChange.MEETS]
    assert [len(one.before) for one in met] == [2]
    assert {"storm", "bridge", "toll"} <= set(met[0].after[0].words)
    assert history(empty.store, housed.NOW, language=["de"]).periods == ()


def test_a_first_day_says_something(empty: App) -> None:
    assert history(empty.store, housed.NOW).themes == ()
    keep(empty, {(3, 19): STORM})
    found = history(empty.store, housed.NOW)
    assert found.is_first
    assert [one.words[:2] for one in found.themes[0]] == [("floods", "storm")]
    assert found.steps == ()
    keep(empty, {(3, 18): BRIDGE})  # days, while there are no two weeks
    found = history(empty.store, housed.NOW)
    assert found.periods == ("2026-03-18", "2026-03-19")
    assert {one.change for one in found.steps} == {ThemeChange.BEGINS, ThemeChange.FADES}


def test_how_much_a_keyword_separates(empty: App) -> None:
    texts = [
        "Storm over the bridge.",
        "Storm and bridge.",
        "Storm again.",
        "The mayor.",
        "The seals.",
        "The mayor sails.",
    ]
    keep(empty, {(3, 19): texts})
    periods = periods_up_to(PeriodLength.WEEK, date(2026, 3, 19), 2)
    found = keyword_quality(empty.store, "storm bridge mayor", periods)
    told = {one.word: (one.articles, one.together) for one in found}
    separation = {one.word: one.separation for one in found}
    # Of the four articles with bridge or mayor two have storm, of the other two one.
    assert told["storm"] == (3, 2)
    assert separation["storm"] == pytest.approx(2 / 4 - 1 / 2)
    assert told["bridge"] == (2, 2)
    assert separation["bridge"] == pytest.approx(2 / 5 - 0)
    assert told["mayor"] == (2, 0)
    assert separation["mayor"] == pytest.approx(0 - 2 / 3)
    assert [one.word for one in found] == ["bridge", "storm", "mayor"]
    assert keyword_quality(empty.store, "storm", periods) == []
    with pytest.raises(BadQuery):
        keyword_quality(empty.store, '"storm', periods)


@covers("list_themes", "list_keywords")
def test_in_the_portal_and_the_api(empty: App) -> None:
    keep(empty, {(3, 2): STORM + BRIDGE, (3, 10): BOTH})
    client: TestClient = housed.client(empty)
    seen = Seen(client.get("/trends?q=storm+bridge").text)
    assert "have merged" in seen.words
    assert "Quality of the keywords" in seen.words
    assert "theme-chart-name" in client.get("/trends").text
    found = client.get("/api/v1/trends/themes").json()
    assert found["periods"] == ["2026-W10", "2026-W11"]
    assert [one["change"] for one in found["steps"] if one["change"] == "meets"] == ["meets"]
    items = client.get("/api/v1/trends/keywords?q=storm+bridge").json()["items"]
    assert {one["word"] for one in items} == {"storm", "bridge"}
    assert client.get("/api/v1/trends/keywords?q=%22storm").status_code == 400
