"""Marked elements are found by the words of their start tags, in document order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tidings import Page
from tidings.fields.elements.by_attribute import marked, marked_with_text

TAGS = (
    '<p class="author">',
    '<span class="postAuthor">',
    "<time>",
    '<b itemprop="datePublished" content="2026-03-01">',
    '<i class="date">',
    "</p>",
    "</span>",
    "</b>",
    "text",
    '<img class="date" src="/author.png">',
)


@given(st.lists(st.sampled_from(TAGS), max_size=30))
def test_marks_are_those_of_the_elements_one_by_one(parts: list[str]) -> None:
    page = Page("".join(parts) + "end")
    names, elements = page.tag_names, page.elements
    expected = [
        (element, page.attributes(element))
        for element in range(1, len(elements))
        if names[elements.tag[element]] != "img"
        and any(word in page.cut.tag(page.opened[element]) for word in ("uthor", "date"))
    ]
    found = [(mark.element, dict(mark.attributes)) for mark in marked(page, ("uthor", "date"))]
    assert found == expected
    with_text = [one for one in expected if elements.first[one[0]] < elements.last[one[0]]]
    assert [(mark.element, dict(mark.attributes)) for mark in marked_with_text(page, ("uthor", "date"))] == with_text
