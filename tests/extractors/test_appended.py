"""Another story under the story: the default ends where it begins (`extractors.learned.appended`)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

import tidings
from tidings.lab.metrics import word_score
from tidings.news import newspaper

TITLE = "Grey seals return to the estuary after forty years | The Harbour Gazette"
FIRST = "Grey seals return to the estuary after forty years"
OTHER = "Parliament argues about the price of water"
SEALS = [f"Wardens counted {n} pups on the sandbank at dawn, more than in any year on record." for n in range(20, 30)]
WATER = [f"The minister told the chamber that tier {n} would pay for the leaking pipes of the city." for n in range(10)]


def paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


def page(*parts: str, title: str = TITLE) -> str:
    return f"<html lang=en><head><title>{title}</title></head><body><main>{''.join(parts)}</main></body></html>"


def box(headline: str, line: str, lines: Iterable[str], tag: str = "h1") -> str:
    return f"<article><{tag}>{headline}</{tag}><p class=meta>{line}</p>{paragraphs(lines)}</article>"


def text(*parts: str, title: str = TITLE) -> str:
    return tidings.extract(page(*parts, title=title)).text


@pytest.mark.parametrize(
    "line",
    [
        "By Ada Reed 11 March 2026",
        "2026-03-11",
        "11.3.2026",
        "環境 | 2026年3月11日",
        "٧ مارس/ آذار ٢٠٢٦",
        "۲۰ اسفند ۱۴۰۴",
    ],
)
def test_it_ends_where_another_story_begins(line: str) -> None:
    found = text(box(FIRST, "By Ida Stone 6 March 2026", SEALS), box(OTHER, line, WATER))
    assert SEALS[-1] in found
    assert "minister" not in found
    assert OTHER not in found


def test_of_several_stories_the_first_is_kept() -> None:
    more = box("Rovers win the cup with a late header again", "8 March 2026", WATER)
    found = text(box(FIRST, "6 March 2026", SEALS), box(OTHER, "11 March 2026", WATER), more)
    assert SEALS[-1] in found
    assert "minister" not in found


def test_sections_as_high_as_the_headline_stay() -> None:
    """Without a date of its own a heading is one of the story's."""
    found = text(box(FIRST, "6 March 2026", SEALS), f"<h1>What the fishermen of the bay say</h1>{paragraphs(WATER)}")
    assert WATER[-1] in found


def test_lower_headings_stay() -> None:
    found = text(box(FIRST, "6 March 2026", SEALS), box("The fishermen of the bay", "11 March 2026", WATER, "h2"))
    assert WATER[-1] in found


def test_a_second_headline_that_the_title_names_stays() -> None:
    both = f"{FIRST} and {OTHER}"
    found = text(box(FIRST, "6 March 2026", SEALS), box(OTHER, "11 March 2026", WATER), title=both)
    assert WATER[-1] in found


def test_a_headline_above_the_story_ends_nothing() -> None:
    """The name of the site as H1, with the day below it, comes before the story and not after it."""
    found = text("<h1>The Morning Post of the Bay</h1><p>11 March 2026</p>", box(FIRST, "6 March 2026", SEALS))
    assert SEALS[0] in found
    assert SEALS[-1] in found


def entries(count: int) -> str:
    """Entries of a live page that are made like stories."""
    return "".join(
        box(f"The sea at the quay, update {n} of today", f"14 March 2026, 1{n}:05", WATER) for n in range(count)
    )


@pytest.mark.parametrize("opening", [SEALS, SEALS[:1]], ids=["after a long beginning", "from the beginning"])
def test_the_entries_of_a_live_page_stay(opening: list[str]) -> None:
    found = text(box(FIRST, "6 March 2026", opening), entries(6))
    assert found.count(WATER[-1]) == 6


def test_on_the_newspaper() -> None:
    """Of the pages with a second story most are read without it, and none loses more than a line of its own."""
    scores = [
        word_score(tidings.extract(one.html, url=one.url).text, one.gold["text"])
        for one in newspaper.pages()
        if "appended" in one.traps
    ]
    assert len(scores) == 17
    assert min(score.recall for score in scores) > 0.98
    assert sum(score.precision > 0.6 for score in scores) >= 14
