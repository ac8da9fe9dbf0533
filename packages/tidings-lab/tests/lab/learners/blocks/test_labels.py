"""Classes of blocks from gold."""

from __future__ import annotations

from datetime import date

import numpy as np

from tests.lab.learners.blocks.pages import page_and_gold, taught_pages
from tidings.extractors.published.block_tree.features import TAGS, BlockClass
from tidings.page import Page
from tidings_lab.learners.blocks.labelled_tables import CLASSES, draw
from tidings_lab.learners.blocks.labels import FIELDS, LEFT_OUT, PART, LabelledBlocks, label
from tidings_lab.learners.blocks.page_gold import PageGold


def tags_by_class(page: Page, labelled: LabelledBlocks) -> dict[str, str]:
    """Return the tag and class of the block of each kind that matters."""
    named = {}
    for at in np.flatnonzero((labelled.label >= 0) & (labelled.label != BlockClass.UNINFORMATIVE)).tolist():
        element = int(labelled.blocks.element[at])
        kind = FIELDS[labelled.field[at]] or BlockClass(labelled.label[at]).label
        named[kind] = f"{page.tag_names[page.elements.tag[element]]}.{page.attributes(element).get('class', '')}"
    return named


def test_every_class_is_found_where_it_stands() -> None:
    html, gold = page_and_gold(3)
    page = Page(html)
    found = label(page, gold)
    assert tags_by_class(page, found) == {"main": "div.text3", "headline": "h1.", "author": "a.", "date": "time."}
    assert found.main.f1 > 0.95
    tags = [TAGS[int(tag)] for tag in found.blocks.rows[:, 12]]
    parts = [tag for tag, kind in zip(tags, found.label, strict=True) if kind == PART]
    assert parts == ["p"] * 6
    # The span with "By" around the name is neither right nor wrong, nor is the box of byline and date.
    classes = [page.attributes(int(one)).get("class") for one in found.blocks.element[found.label == LEFT_OUT]]
    assert "by" in classes
    assert all(kind == BlockClass.UNINFORMATIVE for kind, tag in zip(found.label, tags, strict=True) if tag == "li")


def test_of_nested_boxes_with_the_same_text_the_innermost_is_main() -> None:
    lines = [f"Sentence {one} of the story, long enough to be one of its paragraphs." for one in range(5)]
    text = "".join(f"<p>{line}</p>" for line in lines)
    page = Page(f"<div class=a><div class=b><div class=c>{text}</div></div></div>")
    found = label(page, PageGold("\n".join(lines)))
    assert tags_by_class(page, found) == {"main": "div.c"}


def test_a_story_in_pieces_has_several_main_blocks() -> None:
    def words(stem: str, count: int) -> str:
        return " ".join(f"{stem}{number}" for number in range(count))

    first, second = words("one", 60), words("two", 60)
    between = f"<div class=other>{words('other', 300)}</div>"
    page = Page(f"<body><div class=a>{first}</div>{between}<div class=b>{second}</div></body>")
    found = label(page, PageGold(f"{first}\n{second}"))
    classes = [page.attributes(one)["class"] for one in found.main.elements]
    assert classes == ["a", "b"]
    assert found.main.f1 == 1


def test_a_heading_is_the_headline_and_no_teaser_of_the_same_words() -> None:
    text = "Words of the story that are many enough to be found again on the page, with more behind."
    teaser = "<li><a href=/>Storm over the harbour</a></li>"
    page = Page(f"<ul>{teaser}</ul><h2><span>Storm over the harbour</span></h2><div>{text}</div>")
    found = label(page, PageGold(text, "Storm over the harbour – The Gazette"))
    assert tags_by_class(page, found)["headline"] == "h2."


def test_summary_and_captions() -> None:
    text = "Words of the story that are many enough to be found again on the page, with more behind."
    html = (
        f"<p class=lead>What it is about, shortly.</p><div>{text}</div><figcaption>A boat in the harbour</figcaption>"
    )
    page = Page(f"<body>{html}</body>")
    gold = PageGold.of(
        {"text": text, "summary": ["What it is about, shortly."], "images": [{"caption": "A boat in the harbour"}]}
    )
    assert tags_by_class(page, label(page, gold)) == {"summary": "p.lead", "main": "div.", "caption": "figcaption."}


def test_gold_of_any_form_is_read() -> None:
    gold = PageGold.of(
        {"text": "x", "date": "2026-03-01T10:00:00+01:00", "authors": "no list", "images": [{"url": "y"}, 3]}
    )
    assert gold == PageGold("x", day=date(2026, 3, 1))
    assert PageGold.of({}) == PageGold("")


def test_pages_without_text_or_gold_have_no_classes() -> None:
    for html, text in (("<div></div>", "gold"), ("<div>words</div>", ""), ("words", "words")):
        found = label(Page(html), PageGold(text, "title", ("Nobody Known",), date(2026, 1, 1)))
        assert not found.main.elements
        assert set(found.label.tolist()) <= {int(BlockClass.UNINFORMATIVE)}


def test_tables_are_drawn_the_same_each_time_and_hold_what_is_asked() -> None:
    pages = taught_pages(4)
    table = draw(pages, 3)
    assert table.counts.tolist() == [8, 8, 16, 24]
    assert table.classes == CLASSES
    assert np.array_equal(table.rows, draw(pages, 3).rows)
    assert not np.array_equal(table.rows, draw(pages, 3, seed=2).rows)
    assert draw(pages, None).counts[3] > 24
    assert draw(pages, None, parts=True).counts[3] == draw(pages, None).counts[3] + 8 * 6
    assert len(set(table.site.tolist())) == 4
    assert not len(draw([]))
