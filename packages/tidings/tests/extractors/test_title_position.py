"""Title and position (Han, Noro, Tokuda 2009), with scores worked out by hand."""

from __future__ import annotations

import pytest

from tidings.extractors.published.title_position import TitlePosition, title_block, title_scores
from tidings.page import Hints, Page

TITLE = "Grey seals return to the estuary"
PARAGRAPH = "Wardens counted forty pups on the sandbanks this week, more than in any year before. "
OTHER = "Sign up to our letter and read every morning what the editors found worth your while today. "


def test_scores_by_hand() -> None:
    """Keywords in common for all of both: 3 of 3, 3 of 5, 1 of 4, none."""
    blocks = [["seal", "grey", "estuari"], ["seal", "grey", "estuari", "back", "home"], ["seal", "ferri"], []]
    assert title_scores(["grey", "seal", "estuari"], blocks).tolist() == pytest.approx([1, 0.6, 0.25, 0])


def story(holder: str = "div", more: str = "") -> str:
    return (
        f"<body><div><p>{OTHER * 6}</p></div><h1>{TITLE}</h1><{holder}><p>{PARAGRAPH}</p><h3>Further off</h3>"
        f"<p>The seals rest. {PARAGRAPH}</p></{holder}>{more}<div><p>{OTHER}</p></div></body>"
    )


def test_the_story_is_below_the_title() -> None:
    page = Page(story(), hints=Hints(title=TITLE))
    assert TitlePosition()(page).text(page).splitlines() == [
        PARAGRAPH.strip(), "Further off", f"The seals rest. {PARAGRAPH}".strip(),
    ]  # fmt: skip


def test_keywords_weigh_twice() -> None:
    """Of two columns with equally many words, the one with the words of the title is the story."""
    column = f"<section><p>{OTHER}</p></section><section><p>Grey seals rest there again. {OTHER}</p></section>"
    page = Page(f"<body><h1>{TITLE}</h1>{column}</body>", hints=Hints(title=TITLE))
    assert TitlePosition()(page).text(page).startswith("Grey seals")
    assert TitlePosition(keyword=1.0)(page).text(page).startswith("Sign up")  # the nearer one


def test_a_page_without_its_title_is_read_from_the_top() -> None:
    page = Page(f"<body><div><p>{PARAGRAPH}</p></div></body>", hints=Hints(title="Ferries"))
    assert title_block(page) == -1
    assert TitlePosition()(page).text(page) == PARAGRAPH.strip()


def _with_breadcrumb(title: str, siblings: tuple[Page, ...] = ()) -> Page:
    crumb = f"<nav class=crumb><span>{title}</span></nav><div class=ad><p>{OTHER * 8}</p></div>"
    return Page(
        f"<body>{crumb}<h1>{title}</h1><div><p>{PARAGRAPH}</p></div></body>",
        hints=Hints(title=title, siblings=siblings),
    )


def test_other_pages_say_which_of_several_places_is_the_title() -> None:
    """The title is also in the breadcrumb; on other pages of the site the breadcrumb is empty."""
    alone = _with_breadcrumb(TITLE)
    assert alone.blocks.element[title_block(alone)] < alone.blocks.element[2]
    others = tuple(
        Page(f"<body><nav class=crumb></nav><h1>{one}</h1><div><p>{PARAGRAPH}</p></div></body>", hints=Hints(title=one))
        for one in ("Ferries sail again", "Council votes on bridge")
    )
    page = _with_breadcrumb(TITLE, others)
    assert TitlePosition()(page).text(page) == PARAGRAPH.strip()
    assert TitlePosition()(alone).text(alone) != PARAGRAPH.strip()
