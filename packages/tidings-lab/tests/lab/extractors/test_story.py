"""How blocks stand to the headline and the description of a page, and hidden text that a page declares its story."""

from __future__ import annotations

import json

import pytest

from tidings import extract
from tidings.extractors.learned.declared_body import with_hidden_story
from tidings.extractors.learned.features import table
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.page import Page
from tidings_lab.learners.features import features

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
    page = Page(f"<html><head>{HEAD}</head><body>{MENU}{body}</body></html>")
    found = features(page, Lexicon(Weights.of({}), Weights.of({})))
    story = {feature.name for feature in table() if feature.group == "story"}
    return {name: row.tolist() for name, row in zip(found.names, found.rows, strict=True) if name in story}


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


def hiding(hidden: str, declared: str, visible: str = "") -> Page:
    data = json.dumps({"@type": "NewsArticle", "headline": "The ferry comes back", "articleBody": declared})
    return Page(
        f"<html><head>{HEAD}<script type='application/ld+json'>{data}</script></head><body>{MENU}"
        f"<h1>The ferry comes back</h1>{visible}<div style='display:none'>{hidden}</div></body></html>"
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


def test_filters_and_an_order_to_choose_are_none_of_a_list() -> None:
    walks = {
        "The sea wall": "A flat hour with a pram, from the lighthouse to the fish market and back along the quay.",
        "The long dunes": "Half a day over sand and grass, with seals on the outer bank at low water.",
        "The old railway": "Nine kilometres on the bed of a line that carried grain until 1961.",
        "The weir": "Down the river past three mills, of which one still grinds on Saturdays.",
        "The cliffs": "A long day for people with good shoes, and an inn at the end of it.",
        "The salt pans": "Wooden walks between the pans, and a museum of salt in the last hut.",
    }
    chosen = ("Under one hour", "Half a day", "A whole day", "With a pram", "With a dog", "By the sea", "By the river")
    boxes = "".join(f"<label><input type=checkbox> {name}</label><br>" for name in chosen)
    controls = (
        f"<aside class=filters><h2>Filter by</h2><form>{boxes}<button>Apply filters</button></form></aside>"
        "<div class=sort-bar>Sort by: <select><option>Newest<option>Nearest</select> <span>Best match</span></div>"
    )
    items = "".join(f"<li><h3><a href=/{n}>{name}</a></h3><p>{walks[name]}</p>" for n, name in enumerate(walks))
    text = extract(
        f"<html><head><title>Walks on the estuary</title></head><body>{MENU}<main><h1>Walks on the estuary</h1>"
        f"<p>Six ways to go out and come back muddy, chosen by the wardens of the estuary.</p>{controls}"
        f"<ul>{items}</ul></main><footer>Wardens</footer></body></html>",
        url="https://walks.example/all",
    ).text
    assert [walk for walk in walks.values() if walk not in text] == []
    assert [word for word in ("With a dog", "Apply filters", "Sort by", "Best match") if word in text] == []


def test_what_is_hidden_under_questions_stays_hidden() -> None:
    """It may be an answer that a reader opens, or text for machines alone: the page does not say."""
    unseen = [f"Machines that read answer {number} tell nobody of the ferries of the south." for number in range(4)]
    boxes = "".join(f"<h3>When do they sail?</h3><div class='text hidden'><p>{text}</p></div>" for text in unseen)
    story = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
    found = extract(f"<html><body>{MENU}<main><h1>Questions</h1>{story}{boxes}</main></body></html>").text
    assert PARAGRAPHS[-1] in found
    assert [text for text in unseen if text in found] == []


def test_a_story_in_boxes_called_comments_is_the_story() -> None:
    said = "".join(f"<div class='comment'><p>{text}</p></div>" for text in PARAGRAPHS)
    page = Page(
        f"<html><head>{HEAD}</head><body>{MENU}<h1>The ferry comes back</h1><div id='comments' class='comments'>{said}"
        "</div></body></html>"
    )
    assert PARAGRAPHS[0] in extract(page).text
