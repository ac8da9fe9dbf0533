"""Text below a story does not belong to it: another story, a list of links (`extractors.learned.ending`)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

import tidings
from tests.scores import word_score
from tidings import newspaper
from tidings.extractors.learned.blocks import VisibleBlocks, visible_blocks
from tidings.extractors.learned.ending import _goes_on, endings, is_headed, list_begins
from tidings.page import Page

TITLE = "Grey seals return to the estuary after forty years | The Harbour Gazette"
FIRST = "Grey seals return to the estuary after forty years"
OTHER = "Parliament argues about the price of water"
SEALS = ["Grey seals have come back to the estuary after more than forty years, the wardens of the bay say."]
SEALS += [f"Wardens counted {n} pups on the sandbank at dawn, more than in any year on record." for n in range(20, 30)]
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
    """Three equal boxes with a headline and a date could also be the posts of a thread, so the page says what it is."""
    more = box("Rovers win the cup with a late header again", "8 March 2026", WATER)
    parts = page(box(FIRST, "6 March 2026", SEALS), box(OTHER, "11 March 2026", WATER), more)
    found = tidings.extract(parts.replace("<title>", '<meta property="og:type" content="article"><title>')).text
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
        box(f"The sea at the quay, update {n} of today", f"14 March 2026, 1{n}:05", [f"{n}: {line}" for line in WATER])
        for n in range(count)
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


def teasers(count: int, where: str = "/news/", day: str = "") -> str:
    return "".join(
        f"<dt>{day}<a href={where}{n}>Ferry number {n} runs aground again</a><dd>{WATER[n]}" for n in range(count)
    )


def visible(source: str) -> tuple[Page, VisibleBlocks]:
    found = Page(source, "https://gazette.example/seals/1")
    seen = visible_blocks(found)
    return found, seen


def first_of_list(source: str) -> str:
    """The text of the first block of the list behind a story, where all blocks were chosen."""
    found, blocks = visible(source)
    count = len(blocks.blocks)
    lists = endings(found, blocks, np.ones(count), np.ones(count, np.bool_)).lists
    place = list_begins(found, blocks, lists)
    if place == len(blocks.blocks):
        return ""
    block = blocks.blocks[place]
    return found.text[found.blocks.text_start[block] : found.blocks.text_end[block]]


STORY = box(FIRST, "6 March 2026", SEALS)
UNDATED = box(FIRST, "By Ida Stone", SEALS)


@pytest.mark.parametrize("story", [STORY, STORY.replace("</article>", "<p>Photograph: A. Reed</p></article>")])
def test_a_list_of_other_stories_ends_the_story(story: str) -> None:
    assert first_of_list(page(story, f"<dl>{teasers(6)}</dl>")) == "Ferry number 0 runs aground again"


def test_a_list_with_days_needs_no_day_of_the_story() -> None:
    assert first_of_list(page(UNDATED, f"<dl>{teasers(6, day='10:15 ')}</dl>")).startswith("10:15")


@pytest.mark.parametrize(
    "source",
    [
        page(STORY, f"<dl>{teasers(4)}</dl>"),
        page(UNDATED, f"<dl>{teasers(6)}</dl>"),
        page(STORY, f"<dl>{teasers(6, 'https://elsewhere.example/')}</dl>"),
        page(STORY, f"<dl>{teasers(6, '#part-')}</dl>"),
        page(STORY, f"<dl>{teasers(6)}</dl>", paragraphs(SEALS)),
        page(box(FIRST, "6 March 2026", SEALS[:1]), f"<dl>{teasers(6)}</dl>"),
        page(STORY, "".join(f"<li><a href=/{n}>The harbour of town {n}</a>" for n in range(8))),
    ],
    ids=["short", "of a guide", "of links elsewhere", "of contents", "in the middle", "under a line", "without text"],
)
def test_a_list_of_the_story_ends_nothing(source: str) -> None:
    assert first_of_list(source) == ""


def test_the_list_is_left_out_of_the_text() -> None:
    found = tidings.extract(page(STORY, f"<dl>{teasers(8)}</dl>"), url="https://gazette.example/seals/1").text
    assert SEALS[-1] in found
    assert "Ferry" not in found


DECLARED = '<script type="application/ld+json">{"@type": "NewsArticle"}</script>'
LINKS = "".join(f"<li><a href=/{n}>The harbour of town {n}</a>" for n in range(90))


@pytest.mark.parametrize(
    ("parts", "is_story"),
    [
        ((box(FIRST, "6 March 2026, 10:15", SEALS[:1]), LINKS), True),
        ((DECLARED, box(FIRST, "By Ida Stone", SEALS[:1]), LINKS), True),
        ((box(FIRST, "By Ida Stone", SEALS[:1]), LINKS), False),
        ((box("Grey seals return", "6 March 2026, 10:15", SEALS[:1]), LINKS), False),
        ((box(OTHER, "6 March 2026, 10:15", SEALS[:1]), LINKS), False),
        ((box(FIRST, "6 March 2026, 10:15", SEALS[:1]), "<p>7 March 2026, 10:15" * 21), False),
        ((box(FIRST, "6 March 2026, 10:15", SEALS[:1]), "<h1>The harbour of a town</h1>" * 3), False),
    ],
)
def test_a_short_story_among_many_links_is_told_by_its_headline(parts: tuple[str, ...], *, is_story: bool) -> None:
    assert is_headed(*visible(page(*parts))) == is_story


DATA = '{"id": 7, "type": "widget", "items": [{"title": "The price of water", "url": "/a/b"}]}, ' * 12


@pytest.mark.parametrize("script", ['<script>var a = "</script>', ""])
def test_the_data_of_a_broken_script_is_no_text(script: str) -> None:
    found = text(STORY.replace("</article>", f"{script}{DATA}</article>"))
    assert SEALS[-1] in found
    assert "widget" not in found


def test_data_that_an_article_shows_is_text() -> None:
    found = text(STORY.replace("</article>", f"<pre><code>{DATA}</code></pre>{paragraphs(SEALS)}</article>"))
    assert "widget" in found


def test_a_story_with_quotes_and_colons_is_text() -> None:
    said = [f'The warden said "we counted {n}": nobody had expected so many of them on that bank.' for n in range(9)]
    assert said[-1] in text(box(FIRST, "6 March 2026", said))


_PARAGRAPHS = [
    f"<p>Wardens counted {n} pups of seals on the western shore at dawn, more than anybody can remember.</p>"
    for n in range(12)
]
_TEASERS = "".join(
    f"<div class=teaser><a href=/{n}>Ferry {n} is late</a><div>Comments: {n}, likes: 4</div><b>1{n}.04.2023</b></div>"
    for n in range(1, 5)
)


def test_counts_of_comments_on_teasers_inside_a_story_end_nothing() -> None:
    story = "".join(_PARAGRAPHS[:6]), "".join(_PARAGRAPHS[6:])
    found = tidings.extract(
        f"<title>Seals return</title><h1>Seals return</h1><div>{story[0]}<aside>{_TEASERS}</aside>{story[1]}</div>"
    )
    assert "counted 11 pups" in found.text


@pytest.mark.parametrize("box", ["<div>{}</div>", "{}"])
def test_a_line_over_comments_ends_the_story(box: str) -> None:
    said = "".join(
        f"<p>Jo, 1{n}.04.2023 10:3{n}</p><p>I saw {n} of them swim past the pier last week and took pictures.</p>"
        for n in range(6)
    )
    comments = box.format(f"<h3>Comments</h3>{said}")
    found = tidings.extract(
        f"<title>Seals return</title><h1>Seals return</h1><div>{''.join(_PARAGRAPHS)}{comments}</div>"
    )
    assert "counted 11 pups" in found.text
    assert "swim past the pier" not in found.text


def test_text_that_stands_in_the_document_itself_has_no_box_that_goes_on() -> None:
    found, blocks = visible("<hr>".join([*SEALS, "3 comments", *SEALS]))
    assert found.blocks.element[blocks.blocks].tolist() == [0] * len(blocks.blocks)
    assert not _goes_on(found, blocks, np.ones(len(blocks.blocks), np.bool_), len(SEALS))
