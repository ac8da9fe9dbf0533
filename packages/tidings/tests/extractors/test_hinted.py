"""The title that led to a page: where its story begins, and when it tells nothing."""

from __future__ import annotations

import pytest

from tidings.extractors.learned import Learned
from tidings.extractors.learned.ending import headline_place, hinted_title, is_title
from tidings.page import Hints, Page

TITLE = "Harbour bridge reopens after two years"
OTHER = "Ferries to the islands will sail again in the spring"
STORY = (
    "<p>After two years the harbour carries cars again, and the ferry has gone back to the islands, as the yard had "
    "said.</p><p>Engineers had found cracks in the old piers, and the city paid for new ones, which took a year longer "
    "than anybody had thought.</p>"
)
ABOVE = (
    "<p>The ferries of the northern line will sail again from March on, the company says, with two ships that were "
    "bought in Norway.</p><p>They take an hour to the first island and carry forty cars each, and nobody has to book a "
    "place before.</p><p>Tickets are sold at the quay, and cost as much as they did ten years ago, when the last ship "
    "went.</p>"
)


def page(body: str, hints: Hints | None = None, title: str = "Harbour Gazette") -> Page:
    return Page(f"<html lang=en><head><title>{title}</title></head><body>{body}</body></html>", hints=hints)


def text(page: Page) -> str:
    return Learned()(page).text(page)


TWO = f"<h2>{OTHER}</h2>{ABOVE}<h2>{TITLE}</h2>{STORY}"


def test_a_story_above_the_hinted_headline_is_left_out() -> None:
    assert "Tickets are sold" in text(page(TWO))
    hinted = text(page(TWO, Hints(title=TITLE)))
    assert "Tickets are sold" not in hinted
    assert "Engineers had found" in hinted


def test_the_text_of_a_link_is_a_title_too() -> None:
    assert "Tickets are sold" not in text(page(TWO, Hints(anchor=TITLE)))


@pytest.mark.parametrize("title", ["", "More", "read on", "Harbour", "Nobody has written this line anywhere"])
def test_what_is_no_line_of_the_page_changes_nothing(title: str) -> None:
    assert text(page(TWO, Hints(title=title))) == text(page(TWO))


def test_a_linked_line_is_a_teaser() -> None:
    body = f"<h2>{OTHER}</h2>{ABOVE}<p><a href=/b>{TITLE}</a></p>{STORY}"
    assert text(page(body, Hints(title=TITLE))) == text(page(body))


def test_a_heading_inside_a_story_that_is_under_way_is_none() -> None:
    body = f"<h1>{OTHER}</h1>{ABOVE}<h2>{TITLE}</h2>{STORY}"
    assert text(page(body, Hints(title=TITLE))) == text(page(body))


def test_a_headline_without_a_story_behind_it_is_none() -> None:
    body = f"<h2>{OTHER}</h2>{ABOVE}{STORY}<h1>{TITLE}</h1>"
    assert text(page(body, Hints(title=TITLE))) == text(page(body))


def test_of_several_lines_the_h1_is_the_headline() -> None:
    body = f"<p>{TITLE}</p>{ABOVE}<h1>{TITLE}</h1>{STORY}"
    found = page(body, Hints(title=TITLE))
    look = Learned().look(page(body))
    place = headline_place(found, look.blocks, look.probability, hinted_title(found))
    block = look.blocks.blocks[place]
    assert found.text.index(TITLE, len(TITLE)) == found.blocks.text_start[block]


@pytest.mark.parametrize(
    ("line", "is_it"),
    [
        ("harbourbridgereopens", True),
        ("harbourbridgereopens140326", True),
        ("whytheharbourbridgereopensinspring", False),
        ("harbourbridge", False),
    ],
)
def test_a_line_says_little_besides_the_title(line: str, is_it: bool) -> None:
    assert is_title(line, "harbourbridgereopens") is is_it


def test_titles_in_scripts_without_spaces_count() -> None:
    assert hinted_title(page("", Hints(title="港の橋が二年ぶりに開通した"))) == "港の橋が二年ぶりに開通した"
    assert hinted_title(page("", Hints(title="もっと見る"))) == ""
