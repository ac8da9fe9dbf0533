"""Pages whose story a rule used to cut, the guard in front of all such rules, and the reasons that `explain` gives."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import tidings
from tests.page import soup
from tests.page.soup import PIECES
from tidings import newspaper
from tidings.errors import PageError
from tidings.extractors.explain import explain
from tidings.extractors.learned.blocks import VisibleBlocks, visible_blocks
from tidings.extractors.learned.boilerplate import is_repeated
from tidings.extractors.learned.choice import Preference
from tidings.extractors.learned.extractor import Learned
from tidings.extractors.learned.removal import Removal, RemovalRule, contains_headline
from tidings.extractors.learned.stages import select
from tidings.page import Page

STORY = [
    f"The harbour master of Port Selene said on day {n} that the ferry would stay in dock until the pump is mended, "
    f"and that {n + 4} crews had offered their help to the company without asking for any pay."
    for n in range(14)
]
TITLE = "Harbour ferry stays in dock until its pump is mended"

LINES = [
    "<p>Wardens counted forty pups on the sandbank at dawn, more than in any year on record.</p>",
    "<p>The <span hidden>old</span><i hidden>est</i> tide table of the bay was wrong by an hour.</p>",
    "<li><a href=/news/1>Ferry number one runs aground again</a></li>",
    "<li><a href=/news/2>Water will be dear this year</a> says the minister to the chamber</li>",
    "<li>Read <a href=/news/3>of the seals on the sandbank</a> and <a href=/x>more</a></li>",
    "<p>12:05 14.03.2026</p>",
    "<h1>Seals come back to the bay</h1>",
    "<h3>3 Comments</h3>",
    '<div>{"key": "value", "other": 1} and so on for a while, until there are twenty words of it, as here it is</div>',
    "<p>WARDENS counted forty pups on the sandbank at dawn, more than in any year on record.</p>",
    "<p>Wardens counted forty pups on the sandban\u212a at dawn, more than in any year on record.</p>",
    "<p>Wardens counted forty pups on the sandbank at dawn, more than in any other records.</p>",
    "<p hidden>Nobody sees this line.</p>",
    "<p></p>text<br>and more",
]


def paragraphs(lines: list[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


def read(body: str, title: str = TITLE, url: str = "https://gazette.example/news/ferry") -> str:
    html = f"<html lang=en><title>{title}</title><body><main><h1>{title}</h1>{body}</main></body></html>"
    return tidings.extract(html, url=url).text


def test_a_story_that_is_a_list_with_a_short_opening_stays() -> None:
    """The first item of the list is no part of the words before the list."""
    items = "".join(
        f"<p><a href=/items/{n}>Boat number {n} of the old ferry line</a> carried mail and {n + 20} passengers between "
        f"the islands for decades, and old sailors still tell how she crossed the bay in the great storm of the year "
        f"when the lighthouse went dark and the whole town stood waiting on the quay for her.</p>"
        for n in range(9)
    )
    title = "Nine boats of the old ferry line that sailors still remember"
    text = read(f"<p>6 March 2026</p><p>These nine boats made the old line famous in the bay.</p>{items}", title)
    assert "Boat number 8" in text


def test_the_stop_words_of_a_headline_do_not_allow_a_rule_to_cut_a_list() -> None:
    items = "".join(
        f"<h3>Boat {n}</h3><p>Carried mail and {n + 20} passengers between the islands for decades, and old sailors "
        f"still tell how she crossed the bay in the great storm of the year.</p>"
        f"<p><a href=/b/{n}>Read more about boat {n}</a></p>"
        for n in range(12)
    )
    title = "Twelve boats of the old ferry line that sailors still remember"
    text = read(f"<p>6 March 2026</p><p>These boats made the old line famous.</p>{items}", title)
    assert "mail and 31 passengers" in text


@pytest.mark.parametrize("place", [2, 6], ids=["before the story", "inside the story"])
@pytest.mark.parametrize("line", ["Comments (5)", "5 comments", "Kommentare (12)"])
def test_a_count_of_comments_does_not_end_a_story(line: str, place: int) -> None:
    dates = "<p>12.03.2026 10:15</p><p>Updated 13.03.2026 08:00</p>"
    body = f"{paragraphs(STORY[:place])}<div class=meta>{line}</div>{dates}{paragraphs(STORY[place:])}"
    text = read(f"<div>{body}</div>")
    assert STORY[0] in text
    assert STORY[-1] in text


@pytest.mark.parametrize("line", ["Comments (5)", "5 comments", "Kommentare (12)", "評論 (3)", "Комментарии: 7"])
def test_a_count_of_comments_is_no_part_of_a_story(line: str) -> None:
    for place in (2, 6, len(STORY)):
        text = read(f"<div>{paragraphs(STORY[:place])}<p>{line}</p>{paragraphs(STORY[place:])}</div>")
        assert line not in text
        assert all(paragraph in text for paragraph in STORY)


@pytest.mark.parametrize(
    "block",
    [
        "<h2>4 Discussion</h2>",
        "<p>The ministry counted 5 comments on the draft of the law.</p>",
        "<p>Comments (5) came from the islands and from the port.</p>",
        "<p>Five boats (5)</p>",
    ],
)
def test_lines_that_only_resemble_a_count_of_comments_stay(block: str) -> None:
    text = read(f"<div>{paragraphs(STORY[:4])}{block}{paragraphs(STORY[4:])}</div>")
    assert re.sub("<[^>]*>", "", block) in text


def test_the_heading_of_a_gallery_does_not_end_a_story() -> None:
    gallery = (
        "<div class=slideshow><h1>Pictures of the storm that closed the quay</h1><p>11 March 2026</p>"
        + "".join(f"<figure><img src=/{n}.jpg><figcaption>Waves at pier {n}.</figcaption></figure>" for n in range(4))
        + "</div>"
    )
    text = read(f"<p>10 March 2026</p><div>{paragraphs(STORY[:5])}</div>{gallery}<div>{paragraphs(STORY[5:])}</div>")
    assert STORY[-1] in text


def test_a_theme_that_calls_its_text_cm_content_has_no_code() -> None:
    html = f"<title>{TITLE}</title><h1>{TITLE}</h1><div class='cm-entry-summary cm-content'>{paragraphs(STORY)}</div>"
    found = tidings.extract(html)
    assert STORY[-1] in found.text
    assert {block.kind.value for block in found.blocks} == {"paragraph"}


MEALS = [
    "Oats with apple, walnuts, a spoon of honey and hot milk",
    "Lentil soup with carrots, bread and a bowl of green salad",
    "Baked trout with potatoes, lemon, dill and a glass of water",
    "Rice with beans, peppers, onions and a little grated cheese",
    "Pancakes with plums, yoghurt and a pinch of cinnamon on top",
]


def _selection(page: Page) -> tuple[VisibleBlocks, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    seen = visible_blocks(page)
    return seen, np.ones(len(seen.blocks), np.bool_)


@pytest.mark.parametrize("kind", ["article", "listing", "product", "forum"])
def test_meals_that_come_back_in_the_plan_of_a_week_stay(kind: str) -> None:
    plan = [(0, 1, 2), (4, 3, 1), (0, 2, 3), (4, 1, 2), (0, 3, 1), (4, 2, 0), (3, 1, 4)]
    days = "".join(
        f"<h3>Day {day}</h3>"
        + "".join(f"<h4>{name}</h4><p>{MEALS[meal]}</p>" for name, meal in zip("MNE", meals, strict=True))
        for day, meals in enumerate(plan)
    )
    page = Page(days)
    found, selected = _selection(page)
    assert not is_repeated(page, kind, found, selected).any()


@pytest.mark.parametrize("kind", ["listing", "product", "forum"])
def test_a_run_of_lines_that_comes_back_in_order_is_removed(kind: str) -> None:
    page = Page(paragraphs([*MEALS[:3], "Order now", *MEALS[:3]]))
    found, selected = _selection(page)
    assert np.flatnonzero(is_repeated(page, kind, found, selected)).tolist() == [4, 5, 6]


@pytest.mark.parametrize(
    "opening",
    ["", "<code>ferry.state</code> ", "The log of the pump follows this paragraph and nobody can read it at all. "],
)
def test_data_behind_the_first_run_of_a_block_is_no_text(opening: str) -> None:
    data = ", ".join(f'"key{n}": "value {n}", "when": "2026-03-{n:02}"' for n in range(10, 30))
    broken = f"<div>{opening}<script>var state = '</script>{{{data}}}</div>"
    text = read(f"<p>10 March 2026</p>{paragraphs(STORY[:8])}{broken}{paragraphs(STORY[8:])}")
    assert "key12" not in text
    assert STORY[-1] in text
    if opening.startswith("The log"):
        assert "nobody can read it" in text


def _removal(lines: list[str], title: str, probability: float | NDArray[np.float64] = 0.95) -> Removal:
    page = Page(f"<title>{title}</title>{paragraphs(lines)}")
    found, selected = _selection(page)
    return Removal(page, found, np.full(len(selected), probability), selected)


def _last(removal: Removal, count: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.arange(len(removal.selected)) >= len(removal.selected) - count


def test_a_rule_may_not_remove_most_of_what_the_model_is_sure_of() -> None:
    removal = _removal(STORY, "Minister says no to a higher price of water")
    assert not removal.remove(RemovalRule.STORY_LIST, _last(removal, 5))
    assert removal.selected.all()
    assert not removal.reasons()


def test_a_rule_may_remove_a_third() -> None:
    few = _removal(STORY, "Minister says no to a higher price of water")
    assert few.remove(RemovalRule.STORY_LIST, _last(few, 4))
    assert np.count_nonzero(few.selected) == len(STORY) - 4


def test_a_rule_may_remove_what_the_model_is_not_sure_of() -> None:
    probability = np.full(len(STORY), 0.95)
    probability[-4:] = 0.8
    removal = _removal(STORY, "Minister says no to a higher price of water", probability=probability)
    assert removal.remove(RemovalRule.STORY_LIST, _last(removal, 4))


def test_a_rule_may_not_remove_most_of_a_page_that_the_model_is_not_sure_of() -> None:
    unsure = _removal(STORY, "Minister says no to a higher price of water", probability=0.8)
    assert not unsure.remove(RemovalRule.STORY_LIST, _last(unsure, 10))
    assert unsure.remove(RemovalRule.STORY_LIST, _last(unsure, 4))


def test_a_rule_may_remove_more_where_the_rest_has_the_headlines_words() -> None:
    removal = _removal(STORY, TITLE)
    assert removal.remove(RemovalRule.COMMENTS_HEADING, _last(removal, 12))
    assert set(removal.reasons().values()) == {RemovalRule.COMMENTS_HEADING}


@pytest.mark.parametrize(
    ("paragraph", "headline", "is_contained"),
    [
        (STORY[0], TITLE, True),
        (STORY[0], f"Port news — {TITLE} — The Harbour Gazette of the Bay", True),
        (STORY[0], "Minister says no to a higher price of water", False),
        (TITLE, TITLE, False),
        ("港口渡轮因水泵损坏停航，船员表示将义务协助维修工作。", "渡轮停航等待维修水泵", True),
        ("港口渡轮因水泵损坏停航，船员表示将义务协助维修工作。", "部长拒绝提高自来价格", False),
    ],
)
def test_what_contains_a_headline(paragraph: str, headline: str, *, is_contained: bool) -> None:
    assert contains_headline([paragraph], headline) == is_contained


#: Reasons of blocks that the model does not judge.
NO_TEXT = ("hidden: not visible to readers", "no word in it")


def assert_explained(html: bytes | str) -> None:
    """Each block outside the selection has a reason; if the model selected the block, the reason names a rule."""
    extractor = Learned()
    try:
        page = Page(html, "https://gazette.example/news/1")
    except PageError:
        return
    look = extractor.look(page)
    selected = set(look.blocks.blocks[select(page, look, Preference.BALANCED)[0]].tolist())
    for verdict in explain(extractor, page):
        if verdict.selected_share or not page.blocks.chars[verdict.block]:
            continue
        if verdict.block in selected:
            assert "removed: " in verdict.reason
            assert any(verdict.reason.endswith(rule) for rule in RemovalRule)
        else:
            assert verdict.reason.endswith((": too low", *NO_TEXT)) or "removed: " in verdict.reason


def test_each_block_of_the_newspaper_that_is_left_out_has_a_reason() -> None:
    for page in newspaper.pages():
        assert_explained(page.html)


@given(st.lists(st.sampled_from([*LINES, *(f"<p>{line}</p>" for line in STORY)]), max_size=60))
def test_each_block_of_a_made_up_story_that_is_left_out_has_a_reason(lines: list[str]) -> None:
    assert_explained(f"<title>Seals come back</title>{''.join(lines)}")


@given(soup.soup(*PIECES, size=60))
def test_each_block_of_a_made_up_page_that_is_left_out_has_a_reason(html: str) -> None:
    assert_explained(f"<title>a bc text</title>{html}")


def test_explain_names_the_rule_that_removed_a_block() -> None:
    said = "".join(
        f"<p>Jo, 1{n}.04.2026 10:3{n}</p><p>I saw the ferry {n} times in dock last week and took pictures of her.</p>"
        for n in range(6)
    )
    page = Page(f"<title>{TITLE}</title><h1>{TITLE}</h1>{paragraphs(STORY)}<h3>Comments</h3>{said}")
    removed = [verdict.reason for verdict in explain(Learned(), page) if "took pictures" in verdict.text]
    assert len(removed) == 6
    assert all(reason.endswith(f"removed: {RemovalRule.COMMENTS_HEADING}") for reason in removed)
