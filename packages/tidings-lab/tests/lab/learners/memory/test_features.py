"""The 41 features (memory-based thesis, chapter 5 and tables 5.1 and 6.10)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tidings.extractors.published.memory_based.features import CAPITALS, NAMES, NUMERIC, parts, rows
from tidings.page import Page

from .pages import made_page

#: Figure 4.3's page, cut down: a heading between two paragraphs.
BBC = (
    "<p>This year has been no exception: pilgrims have been attacked.</p>"
    "<p><b>FEMALE MILITANTS</b><p>It was a grim reminder<br>that there are people out there.<img></p>"
)


def cell(page: Page, element: int, name: str) -> object:
    found = rows(page)
    value = int(found.values[element, NAMES.index(name)])
    return found.tags[value] if name.startswith("tag") else value


def numbered(page: Page, tag: str) -> int:
    return next(at for at, number in enumerate(page.elements.tag.tolist()) if page.tag_names[number] == tag)


def test_there_are_41_in_the_order_of_table_6_10() -> None:
    assert len(NAMES) == len(NUMERIC) == 41
    assert (NAMES[0], NAMES[5], NAMES[10]) == ("tag -5", "tag", "tag +5")
    assert (NAMES[11], NAMES[14], NAMES[21], NAMES[24]) == (
        "text length -3",
        "text length",
        "tail length",
        "tail length +3",
    )
    assert NAMES[25:27] == ("text capitals", "tail capitals")
    assert (NAMES[30], NAMES[37], NAMES[40]) == ("text mark", "tail mark", "tail mark +3")
    assert [place for place, numeric in enumerate(NUMERIC, 1) if numeric] == list(range(12, 28))


def test_an_element_and_its_neighbours() -> None:
    page = Page(BBC)
    heading = numbered(page, "b")
    assert [cell(page, heading, name) for name in ("tag -1", "tag", "tag +1", "tag +2", "tag +3")] == [
        "p", "b", "p", "br", "img",
    ]  # fmt: skip
    assert cell(page, heading, "tag +4") == "#"
    assert cell(page, heading, "text length") == len("FEMALE MILITANTS")
    assert cell(page, heading, "text length +1") == len("It was a grim reminder")
    assert cell(page, heading, "tail length +2") == len("that there are people out there.")
    assert cell(page, heading, "text capitals") == 1
    assert cell(page, heading, "text mark") == 0
    assert cell(page, heading, "text mark -2") == 1
    assert cell(page, heading, "tail mark +2") == 1


def test_more_than_seventy_per_cent_of_the_letters() -> None:
    for text, capitals in (("ABCDEFGabc", 0), ("ABCDEFGHab", 1), ("1234!", 0), ("", 0)):
        page = Page(f"<div><p>{text}</p></div>")
        assert cell(page, numbered(page, "p"), "text capitals") == capitals
        letters = [letter for letter in text if letter.isalpha()]
        assert capitals == (sum(letter.isupper() for letter in letters) > CAPITALS * len(letters))


def test_marks_of_other_scripts_and_quotation_marks_end_a_sentence() -> None:
    for text, mark in (
        ("end.", 1),
        ("why?", 1),
        ("go!", 1),
        ("he said “no”", 1),
        ("终。", 1),
        ("چرا؟", 1),
        ("end,", 0),
    ):
        page = Page(f"<div><p>{text}</p></div>")
        assert cell(page, numbered(page, "p"), "text mark") == mark, text


@given(st.lists(st.integers(0, 10_000), max_size=30))
def test_the_same_as_one_element_at_a_time(numbers: list[int]) -> None:
    page = made_page(tuple(numbers))
    found, place = rows(page), parts(page)
    tags = [page.tag_names[number] for number in page.elements.tag.tolist()]
    for element in range(len(tags)):
        for step in range(-5, 6):
            there = 0 <= element + step < len(tags)
            name = f"tag {step:+d}" if step else "tag"
            assert found.tags[found.values[element, NAMES.index(name)]] == (tags[element + step] if there else "#")
        text = page.text[place.text_start[element] : place.text_end[element]]
        assert found.values[element, NAMES.index("text length")] == len(text)
        assert found.values[element, NAMES.index("text mark")] == text.endswith((".", "!", "”", "?"))
        tail = page.text[place.tail_start[element] : place.tail_end[element]]
        assert found.values[element, NAMES.index("tail length")] == len(tail)


def test_a_page_without_text_has_features_too() -> None:
    for html in ("<img>", "<p></p>", "<html>", "a"):
        assert rows(Page(html)).values.shape == (len(Page(html).elements), 41)
