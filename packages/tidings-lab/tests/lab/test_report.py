"""The report: everything escaped, nothing loaded, and it opens, sorts and draws in a real browser."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.page import Page
from tidings_lab.corpora import Sample, load
from tidings_lab.experiment.comparison import Comparison, compare
from tidings_lab.experiment.run import run
from tidings_lab.experiment.speed import spread, time_in_turn
from tidings_lab.experiment.system_names import find
from tidings_lab.experiment.systems import Document, Function, Reading
from tidings_lab.report import html_report
from tidings_lab.report.html import SCRIPT, policy
from tidings_lab.report.text_differences import MOST_CHARACTERS, side_by_side
from tidings_lab.report.worst import located, without_loads

_TAGS = re.compile(r"</?(?:del|ins)>")


def test_words_on_one_side_are_marked() -> None:
    gold, result = side_by_side("The seals are back, at last.", "Menu The seals are here, at last.")
    assert gold == "The seals are <del>back</del>, at last."
    assert result == "<ins>Menu</ins> The seals are <ins>here</ins>, at last."


def test_neighbours_share_a_mark_and_scripts_without_spaces_go_by_characters() -> None:
    assert side_by_side("seals", "one two, three seals")[1] == "<ins>one two, three</ins> seals"
    assert side_by_side("海豹回来了", "海豹走了", "zh") == ("海豹<del>回来</del>了", "海豹<ins>走</ins>了")
    assert side_by_side("", "") == ("", "")


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_marks_change_nothing_else(gold: str, result: str) -> None:
    for text, marked in zip((gold, result), side_by_side(gold, result), strict=True):
        assert html.unescape(_TAGS.sub("", marked)) == html.unescape(html.escape(text))


def test_what_is_very_long_is_cut_and_says_so() -> None:
    left, right = side_by_side("seal " * 10_000, "seal")
    assert f"{50_000 - MOST_CHARACTERS:,} characters more" in left
    assert len(left) < 2 * MOST_CHARACTERS
    assert "more" not in right


def test_a_result_is_found_on_the_page_line_by_line() -> None:
    page = Page("<p>Seals</p><p>Menu</p><ul><li>Back at <b>last</b></li></ul><p>Seals</p>")
    spans = located(page, "Seals\n\n- Back at  last\nnot there\nSeals")
    assert spans.text(page).split("\n") == ["Seals", "Back at last", "Seals"]
    assert located(page, "").text(page) == ""


def test_what_would_load_is_taken_out() -> None:
    source = (
        '<link rel=stylesheet href=x.css><style>p{}</style><script>var a="</p>"</script><p>Seals <img src=a.png>are '
        "<iframe src=b></iframe>back</p><video src=c>no video</video><SCRIPT src=d></SCRIPT><p>at last<script>open"
    )
    assert without_loads(Page(source)) == (
        "<style>p{}</style><p>Seals are back</p><video src=c>no video</video><p>at last"
    )


HOSTILE = '</script><script>alert("x")</script><img src=x onerror=alert(1)>'


def echo(document: Document) -> Reading:
    """A system that gives back what the page says, markup and all."""
    return Reading(document.data.decode()[:200], HOSTILE)


def test_everything_is_escaped(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<title>{HOSTILE}</title><p>Seals {HOSTILE} are back</p>" + "x" * 500)
    sample = Sample(HOSTILE, HOSTILE, '"><b', HOSTILE, page, {"text": f"{HOSTILE} Seals"}, HOSTILE, HOSTILE)
    systems = (Function(f"echo{HOSTILE}", "echo 1", echo),)
    rows = list(run(systems, [sample]))
    assert not rows[0].failed
    comparison = compare(rows, systems=[systems[0].name], measures=["words"])
    text = html_report(comparison, systems)
    assert "<script>alert" not in text
    assert "<img" not in text
    assert text.count("<script") == 1
    assert f"<script>{SCRIPT}</script>" in text
    assert html.escape(HOSTILE) in text


def test_the_policy_names_the_one_script() -> None:
    assert re.search(r"script-src 'sha256-[\w+/]{43}='", policy())
    assert policy().startswith("default-src 'none'")
    assert "unsafe-inline" not in policy().partition("style-src")[0]


@pytest.fixture(scope="module")
def newspaper_report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Comparison, Path]:
    """A real run on part of the bundled newspaper."""
    from tidings import newspaper

    systems = find(["dana", "everything", "resiliparse"])
    samples = spread(load(newspaper.path()), 12)
    rows = list(run(systems, samples))
    timings = time_in_turn(systems, samples[:3])
    comparison = compare(rows, timings, systems=[system.name for system in systems], measures=["words", "lcs"])
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(html_report(comparison, systems, worst=2), encoding="utf-8")
    return comparison, file


def test_a_real_report_has_all_parts_and_a_bounded_size(newspaper_report: tuple[Comparison, Path]) -> None:
    comparison, file = newspaper_report
    text = file.read_text(encoding="utf-8")
    assert text.count('<details class="page">') == 2
    assert text.count("<svg") >= 3
    assert all(f"<td>{line.system}</td>" in text for line in comparison.lines)
    assert len(text) < 1_000_000
    assert not re.search(r"(?:src|href)=[\"']?https?:", re.sub(r'data-page="[^"]*"', "", text))


def test_in_a_browser(newspaper_report: tuple[Comparison, Path], chromium: str) -> None:
    from playwright.sync_api import sync_playwright

    comparison, file = newspaper_report
    events: list[Any] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.on("console", lambda message: events.append(message.text))
        page.on("pageerror", lambda error: events.append(str(error)))
        page.on("request", lambda request: events.append(request.url))
        page.goto(file.as_uri())
        table = page.locator("table.sorts").first

        def column(number: int) -> list[str]:
            return table.locator(f"tbody tr td:nth-child({number})").all_inner_texts()

        scores = [f"{line.summary.mean:.3f}" for line in comparison.lines]
        assert column(2) == scores
        table.locator("th button").nth(1).click()
        assert column(2) == sorted(scores, reverse=True)
        table.locator("th button").nth(1).click()
        assert column(2) == sorted(scores)
        assert table.locator("th").nth(1).get_attribute("aria-sort") == "ascending"
        table.locator("th button").nth(0).press("Enter")  # the keyboard does it too
        assert column(1) == sorted(column(1), reverse=True)
        # Empty cells stay last, whichever way.
        for _ in range(2):
            table.locator("th button").last.click()
            assert column(1)[-1] == comparison.first
        charts = page.locator("figure svg")
        assert charts.count() >= 3
        assert all(charts.nth(place).bounding_box() for place in range(charts.count()))
        page.locator("details.page summary").first.click()
        frame = page.frame_locator("details.page iframe").first
        frame.locator("body").wait_for()
        assert frame.locator("h1").count() >= 1
        assert page.locator("details.page .text").first.is_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") == 390  # nothing sticks out on a phone
        browser.close()
    assert events == [file.as_uri()]
