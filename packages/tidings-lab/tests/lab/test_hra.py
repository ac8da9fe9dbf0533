"""Annotation files and character-based annotation (memory-based thesis 4.1.2 and 4.1.3)."""

from __future__ import annotations

import lxml.html
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.soup import COMMENTS, FLOW, INLINE, TABLE, soup, tagged
from tidings import newspaper
from tidings.page import Page
from tidings.page.text_and_tail import text_and_tail
from tidings.text import fold_space
from tidings_lab.annotation import character_ranges, hra_files
from tidings_lab.annotation.character_ranges import CharacterRange
from tidings_lab.annotation.hra_files import Record
from tidings_lab.annotation.marks import UnitMark
from tidings_lab.learners.element_classes import LETTERS, PAIRS, ElementClass, ElementClasses

#: After the markup of the thesis's own example (its figures 4.2 and 4.3), in our words; the comment is a node there.
MARKUP = """<table><tr><td><p>The first paragraph says it all.
<p><b>A small heading</b>
<p>The second one says the rest,
in two lines.
<!-- E BO -->
<br /><br clear="all" />
<div id="marks"><h3>Keep it:</h3><ul><li><a href="x">Here</a></li></ul></div>a tail</td></tr></table>"""

#: As figure 4.3 writes records, with the numbers of a parser that counts comments and puts in html, body and tbody.
FIGURE = """\
The first paragraph says it all.

#7 <p> text b

--------------------------------------------------------------------------------

A small heading

#9 <b> text h

--------------------------------------------------------------------------------

The second one says the rest,

in two lines.

#10 <p> text b

--------------------------------------------------------------------------------

Keep it:

#15 <h3> text g
"""

soups = soup(
    *tagged(INLINE + FLOW + TABLE), st.sampled_from([*COMMENTS, "<br>", "<img>", "<script>x</script>"]), size=20
)


def drawn(page: Page, numbers: st.DataObject) -> ElementClasses:
    """Classes at random for what has text; what has none is garbage."""
    parts = text_and_tail(page)
    classes = {False: np.zeros(len(page.elements), np.int8), True: np.zeros(len(page.elements), np.int8)}
    for element, in_tail in sorted({*zip(parts.element.tolist(), parts.in_tail.tolist(), strict=True)}):
        classes[in_tail][element] = numbers.draw(st.integers(0, 3))
    return ElementClasses(classes[False], classes[True])


def test_the_sixteen_pairs() -> None:
    assert len(PAIRS) == 16
    assert {"g+g", "b+g", "t+g", "h+b"} <= set(PAIRS)
    classes = ElementClasses(np.array([3, 0, 1], np.int8), np.array([0, 0, 2], np.int8))
    assert [PAIRS[pair] for pair in classes.pairs] == ["b+g", "g+g", "t+h"]
    assert ElementClasses.of_pairs(classes.pairs) == classes
    assert hash(ElementClasses.of_pairs(classes.pairs)) == hash(classes)
    assert [ElementClass(number).letter for number in range(4)] == list(LETTERS)
    assert [UnitMark(number).name for number in (1, 2, 3)] == [ElementClass(number).name for number in (1, 2, 3)]


def test_a_file_of_the_thesis_finds_its_places() -> None:
    page = Page(MARKUP)
    records, wrong = hra_files.parse(FIGURE)
    assert wrong == []
    assert [(record.element, record.tag, record.mark.letter) for record in records] == [
        (7, "p", "b"),
        (9, "b", "h"),
        (10, "p", "b"),
        (15, "h3", "g"),
    ]
    assert records[2].text == "The second one says the rest, in two lines."
    placed = hra_files.place(records, page)
    assert placed.lost == ()
    said = {record.text: record.mark.letter for record in hra_files.records(page, placed.classes)}
    assert said == {
        "The first paragraph says it all.": "b",
        "A small heading": "h",
        "The second one says the rest, in two lines.": "b",
        "Keep it:": "g",
        "Here": "g",
        "a tail": "g",
    }


def test_texts_and_tails_are_those_of_element_tree() -> None:
    source = "<div>a<p>b<b>c</b>d<i>e</i>f</p>g<br>h<ul><li>i</li> <li>j<a>k</a></li></ul>l</div>"
    expected = []
    for element in lxml.html.fragment_fromstring(source).iter():
        expected += [(element.tag, False, element.text.strip())] if (element.text or "").strip() else []
        expected += [(element.tag, True, element.tail.strip())] if (element.tail or "").strip() else []
    page = Page(source)
    found = [record.key for record in hra_files.records(page, ElementClasses.none(len(page.elements)))]
    assert sorted(found) == sorted(expected)
    assert "".join(text for _, _, text in found) == "abcdefghijkl"


@given(soups)
def test_every_run_is_in_one_text_or_tail(source: str) -> None:
    page = Page(source)
    parts = text_and_tail(page)
    for element in range(len(page.elements)):
        for in_tail, first, last in (
            (False, parts.text_first[element], parts.text_last[element]),
            (True, parts.tail_first[element], parts.tail_last[element]),
        ):
            here = np.flatnonzero((parts.element == element) & (parts.in_tail == in_tail))
            assert here.tolist() == list(range(first, last))
    owner = np.where(parts.in_tail, page.elements.parent[parts.element], parts.element)
    assert owner.tolist() == page.runs.element.tolist()


@given(soups, st.data())
def test_files_and_classes_round_trip(source: str, data: st.DataObject) -> None:
    page = Page(source)
    classes = drawn(page, data)
    records = list(hra_files.records(page, classes))
    assert hra_files.parse(hra_files.write(records)) == (records, [])
    assert hra_files.place(records, page) == hra_files.PlacedRecords(classes, ())


@given(soups, st.data())
def test_classes_and_characters_round_trip(source: str, data: st.DataObject) -> None:
    page = Page(source)
    classes = drawn(page, data)
    ranges = character_ranges.characters_to_ranges(page, classes)
    assert character_ranges.parse(character_ranges.write(ranges)) == (ranges, [])
    assert character_ranges.to_classes(page, ranges) == classes


any_records = st.builds(
    Record,
    st.integers(0, 999),
    st.sampled_from(["p", "b", "", "a<b"]),
    st.booleans(),
    st.sampled_from(ElementClass),
    st.text().map(fold_space),
)


@given(st.lists(any_records))
def test_whatever_a_text_holds_comes_back(records: list[Record]) -> None:
    assert hra_files.parse(hra_files.write(records)) == (records, [])


@pytest.mark.parametrize("text", ["-" * 80, "#5 <p> text b", "", "#1 <p> text", "-" * 79])
def test_texts_that_look_like_the_format(text: str) -> None:
    records = [Record(1, "p", False, ElementClass.BODY, text), Record(2, "p", True, ElementClass.TITLE, text)]
    assert hra_files.parse(hra_files.write(records)) == (records, [])


def test_what_is_no_record_is_told() -> None:
    broken = FIGURE.replace("#9 <b> text h", "#9 <b> text q").replace("\n", "\r\n")
    records, wrong = hra_files.parse(broken)
    assert [record.element for record in records] == [7, 10, 15]
    assert wrong == ["before line 11: no record ends with '#9 <b> text q'"]
    assert hra_files.parse("") == ([], [])


def test_the_same_text_twice_is_told_apart_by_order() -> None:
    page = Page("<p>Same<p>Same<p>Same")
    records = [Record(70 + number, "p", False, ElementClass(mark), "Same") for number, mark in enumerate((1, 2, 3, 3))]
    placed = hra_files.place(records, page)
    assert placed.classes.text[1:].tolist() == [1, 2, 3]
    assert placed.lost == (records[3],)


def test_table_4_1() -> None:
    """The thesis prints ranges with the end left out: its title has 32 characters, its heading 16."""
    printed = "title: 2151 2183\nbody1: 2512 2782\nbody2: 2986 3154\nheading1: 3307 3323\nbody3: 3400 3587\n"
    ranges, wrong = character_ranges.parse(printed)
    assert wrong == []
    assert ranges[0].end - ranges[0].start == len("Iraq suicide bomb kills pilgrims")
    assert ranges[3].end - ranges[3].start == len("Female militants")
    assert character_ranges.write(ranges) == printed


def test_lines_that_are_no_range() -> None:
    ranges, wrong = character_ranges.parse("title: 5 9\n\nbody: 9 5\nbody1 1 2\nlead: 1 2\nbody1: -1 2\n")
    assert ranges == [CharacterRange(5, 9, ElementClass.TITLE)]
    assert [line.split(" is")[0] for line in wrong] == ["line 3", "line 4", "line 5", "line 6"]


def test_characters_are_finer_than_elements() -> None:
    """Part of a text may be body and part garbage (4.1.3): the larger part decides."""
    source = "<p>The last paragraph of the article. John Smith<p>Other"
    page = Page(source)
    body = CharacterRange(source.index("The"), source.index(" John"), ElementClass.BODY)
    assert character_ranges.to_classes(page, [body]).text.tolist() == [0, 3, 0]
    name = CharacterRange(source.index("John"), source.index("<p>O"), ElementClass.TITLE)
    assert character_ranges.to_classes(page, [name]).text.tolist() == [0, 0, 0]
    assert character_ranges.to_classes(page, [body, name]).text.tolist() == [0, 3, 0]
    assert character_ranges.to_classes(page, [CharacterRange(0, 10**9, ElementClass.BODY)]).text.tolist() == [0, 3, 3]


def test_ranges_keep_the_words_of_their_page() -> None:
    for sample in newspaper.pages(page_type="article"):
        page = Page(sample.html)
        classes = ElementClasses(
            np.full(len(page.elements), ElementClass.BODY, np.int8),
            np.full(len(page.elements), ElementClass.BODY, np.int8),
        )
        ranges = character_ranges.characters_to_ranges(page, classes)
        assert len(ranges) == len(page.blocks)
        assert [one.start for one in ranges] == sorted(one.start for one in ranges)
