"""How blocks stand to the headline and the description of a page, and hidden text that a page declares its story."""

from __future__ import annotations

import json

import pytest

from tidings import extract
from tidings.extractors.learned.declared_body import with_hidden_story
from tidings.extractors.learned.features import PlainFeatures
from tidings.extractors.learned.seen_blocks import SeenBlocks
from tidings.extractors.learned.story import NAMES
from tidings.page import Page

PARAGRAPHS = [
    f"Paragraph number {place} tells how the ferry of the north shore came back after {place} winters under repair."
    for place in range(12)
]
HEAD = (
    "<title>The ferry comes back - Harbour Gazette</title><meta property='og:title' content='The ferry comes back'>"
    "<meta name='description' content='After three years the old ferry crosses the bay again'>"
)
MENU = "<nav><a href=/a>News</a> <a href=/b>Sport</a></nav>"


def rows(body: str) -> dict[str, list[float]]:
    seen = SeenBlocks(Page(f"<html><head>{HEAD}</head><body>{MENU}{body}</body></html>"))
    found = seen.story.rows(0, seen.count)
    assert found.shape == (len(NAMES), seen.count)
    assert (PlainFeatures(seen).rows(0, seen.count)[-len(NAMES) :] == found).all()
    return {name: row.tolist() for name, row in zip(NAMES, found, strict=True)}


def paragraphs(count: int) -> str:
    return "".join(f"<p>{PARAGRAPHS[place % 12]}</p>" for place in range(count))


def test_the_headline_is_the_heading_that_says_what_is_declared() -> None:
    told = rows(f"<h1>Harbour Gazette</h1><h2>The ferry comes back</h2><div>{paragraphs(4)}</div>")
    assert set(told["headline_found"]) == {2.0}
    assert set(told["headline_level"]) == {1.0}  # an h2
    told = rows(f"<h1>Something else</h1><div>{paragraphs(4)}</div>")
    assert set(told["headline_found"]) == {1.0}  # for want of a better one the h1
    assert set(rows(paragraphs(4))["headline_found"]) == {0.0}


def test_places_do_not_change_down_a_long_text() -> None:
    told = rows(f"<h1>The ferry comes back</h1><div>{paragraphs(300)}</div><footer>About</footer>")
    for name in ("child_gap", "child_far", "run_before", "run_behind", "run_rank", "up", "dates_since", "peers_since"):
        assert len(set(told[name][-200:-1])) == 1, name
    assert max(map(abs, told["run_first"])) <= 8


def test_a_block_knows_whether_its_article_holds_the_headline() -> None:
    other = f"<article><h2>Other news</h2>{paragraphs(3)}</article>"
    told = rows(f"<article><h1>The ferry comes back</h1>{paragraphs(3)}</article>{other}<p>Some words of nobody.</p>")
    assert told["own_article"][-8:] == [1, 1, 1, -1, -1, -1, -1, 0]
    assert told["headline_article"][-8:] == [1, 1, 1, 0, 0, 0, 0, 0]
    assert set(told["articles"]) == {2.0}


def test_the_description_is_found_where_it_is_repeated() -> None:
    told = rows(
        f"<h1>The ferry comes back</h1><p>After three years the old ferry crosses the bay again.</p>{paragraphs(3)}"
    )
    assert set(told["told_found"]) == {1.0}
    assert max(told["told_cover"]) == 1.0


# -- hidden text that is declared ----------------------------------------------------------------------------------


def hiding(hidden: str, declared: str, shown: str = "") -> Page:
    data = json.dumps({"@type": "NewsArticle", "headline": "The ferry comes back", "articleBody": declared})
    return Page(
        f"<html><head>{HEAD}<script type='application/ld+json'>{data}</script></head><body>{MENU}"
        f"<h1>The ferry comes back</h1>{shown}<div style='display:none'>{hidden}</div></body></html>"
    )


def test_hidden_paragraphs_that_the_page_declares_are_the_story() -> None:
    found = extract(hiding(paragraphs(8), " ".join(PARAGRAPHS[:8])))
    assert [block.text for block in found.blocks] == PARAGRAPHS[:8]
    assert found.kind == "article"
    assert "articleBody" in found.provenance["body"]


def test_what_is_shown_stays_before_what_is_hidden() -> None:
    page = hiding("".join(f"<p>{text}</p>" for text in PARAGRAPHS[4:8]), " ".join(PARAGRAPHS[:8]), paragraphs(4))
    assert [block.text for block in extract(page).blocks][-8:] == PARAGRAPHS[:8]


@pytest.mark.parametrize(
    ("hidden", "declared"),
    [
        (paragraphs(8), ""),
        (paragraphs(8), "Another story about the lighthouse and its keeper, who never saw the sea. " * 12),
        (paragraphs(1), " ".join(PARAGRAPHS[:1])),  # too short to be believed
        ("", " ".join(PARAGRAPHS[:8])),
    ],
    ids=["nothing declared", "another story", "a line", "nothing hidden"],
)
def test_hidden_text_is_left_out_unless_it_is_declared(hidden: str, declared: str) -> None:
    page = hiding(hidden, declared)
    assert with_hidden_story(page, page.visible) == (page.visible, None)


def test_marks_of_html_in_the_declared_body_are_no_words() -> None:
    declared = "".join(f"<p class='x'>{text}</p>" for text in PARAGRAPHS[:8])
    assert len(extract(hiding(paragraphs(8), declared)).blocks) == 8


def test_a_story_in_boxes_called_comments_is_the_story() -> None:
    said = "".join(f"<div class='comment'><p>{text}</p></div>" for text in PARAGRAPHS)
    page = Page(
        f"<html><head>{HEAD}</head><body>{MENU}<h1>The ferry comes back</h1><div id='comments' class='comments'>{said}"
        "</div></body></html>"
    )
    assert PARAGRAPHS[0] in extract(page).text
