"""R2L, DANA, DANAg and AdDANAg against the equations, the algorithm and the listings of the DANA thesis, chapter 4."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadParameter, ExtractorError
from tidings.extractors import extractor
from tidings.extractors.published.dana import (
    DANA,
    R2L,
    AdaptiveAdDANAg,
    AdDANAg,
    DANAg,
    LinkFilter,
    Smoothing,
    adapted_gap,
    distance,
    main_regions,
    regions,
    right_to_left,
    smooth,
)
from tidings.page import Page, Spans
from tidings.page.columns import Ints
from tidings.page.counts import code_points

from .documents import ARABIC, ENGLISH, MENU, article, link_rich


def ints(*values: int) -> Ints:
    return np.array(values, np.int64)


# -- eq. 4.2 and 4.6: smoothing ---------------------------------------------------------------------------


def test_equation_4_2_on_a_hand_made_page() -> None:
    t1, t2 = ints(0, 10, 40, 50, 5, 0), ints(30, 20, 10, 5, 25, 30)
    # T1 - T2: -30 -10 30 45 -20 -30; outside the document both are 0
    assert smooth(t1, t2).tolist() == [-40, -10, 65, 55, -5, -50]


def test_equation_4_6_is_the_line_alone() -> None:
    t1, t2 = ints(0, 10, 40), ints(30, 20, 10)
    assert smooth(t1, t2, Smoothing.NONE).tolist() == [-30, -10, 30]


@pytest.mark.parametrize("smoothing", Smoothing)
@pytest.mark.parametrize(("lines", "expected"), [((), []), ((7,), [7])])
def test_smoothing_of_no_line_and_of_one(smoothing: Smoothing, lines: tuple[int, ...], expected: list[int]) -> None:
    assert smooth(ints(*lines), ints(*[0] * len(lines)), smoothing).tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=30))
def test_equation_4_2_as_it_is_printed(lines: list[tuple[int, int]]) -> None:
    t1, t2 = ints(*[content for content, _ in lines]), ints(*[code for _, code in lines])
    wide1, wide2 = [0, *t1.tolist(), 0], [0, *t2.tolist(), 0]
    printed = [sum(wide1[i + k] - wide2[i + k] for k in (-1, 0, 1)) for i in range(1, len(lines) + 1)]
    assert smooth(t1, t2).tolist() == printed


# -- eq. 4.3 and 4.4: regions and how far apart they are --------------------------------------------------


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        ((), []),
        ((-1, 0, -3), []),
        ((5,), [(0, 0)]),
        ((-1, 4, 5, 0, 6, -1, 2), [(1, 2), (4, 4), (6, 6)]),
        ((1, 1, 1), [(0, 2)]),
    ],
)
def test_regions_are_the_lines_above_the_axis(diff: tuple[int, ...], expected: list[tuple[int, int]]) -> None:
    assert regions(ints(*diff)) == expected


def test_equation_4_4() -> None:
    assert distance((3, 5), (9, 12)) == 9 - 5 + 1


# -- Algorithm 1 ------------------------------------------------------------------------------------------

REGIONS = [(0, 1), (10, 11), (20, 29), (35, 36), (60, 60)]
CONTENT = ints(*[1 if 20 <= line <= 29 else 0 for line in range(70)])


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        (0, [(20, 29)]),
        (6, [(20, 29)]),  # to the right: 35 - 29 + 1 = 7
        (7, [(20, 29), (35, 36)]),
        (9, [(20, 29), (35, 36)]),  # to the left: 20 - 11 + 1 = 10, and so is 10 - 1 + 1
        (10, REGIONS[:4]),
        (24, REGIONS[:4]),  # 60 - 36 + 1 = 25
        (25, REGIONS),
    ],
)
def test_algorithm_1_grows_to_both_sides_up_to_the_gap(gap: int, expected: list[tuple[int, int]]) -> None:
    assert main_regions(REGIONS, CONTENT, gap) == expected


@pytest.mark.parametrize(
    ("share", "gap"),
    [
        (0.5, 3),  # the largest region alone has 50 of 100; the least gap there is, is 3
        (0.6, 3),  # with the one beside it 60
        (0.65, 11),  # and 70 with the one before
        (0.9, 51),  # the far one
        (1.0, 51),
    ],
)
def test_a_gap_that_adapts_by_hand(share: float, gap: int) -> None:
    """Regions of 10, 50, 10 and 30 letters, 11, 3 and 51 lines apart (eq. 4.4)."""
    found = [(0, 0), (10, 10), (12, 12), (62, 62)]
    content = np.zeros(70, np.int64)
    content[[0, 10, 12, 62]] = 10, 50, 10, 30
    assert [distance(*pair) for pair in pairwise(found)] == [11, 3, 51]
    assert adapted_gap(found, content, share) == gap
    assert adapted_gap(found[:1], content, share) == 0


def test_a_page_of_two_parts_is_read_whole_when_the_gap_adapts() -> None:
    """Sixty lines of markup between two halves of a story: the published gap loses one of them."""
    half, box = f"<p>{ENGLISH * 4}</p>", "".join(f'<img src="/pictures/{one:060}.jpg">' for one in range(60))
    page = Page(f"<body>{half}<div>{box}</div>{half}</body>")
    assert AdDANAg()(page).text(page).count("harbour bridge") == 4
    assert AdaptiveAdDANAg()(page).text(page).count("harbour bridge") == 8


def test_algorithm_1_stops_at_the_first_gap_that_is_too_wide() -> None:
    found = [(0, 0), (1, 1), (40, 40), (42, 42)]
    assert main_regions(found, ints(*[0] * 42, 9), 8) == [(40, 40), (42, 42)]


def test_algorithm_1_starts_at_the_region_with_most_characters_and_not_with_most_lines() -> None:
    content = ints(1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 99)
    assert main_regions([(0, 3), (10, 10)], content, 2) == [(10, 10)]


@pytest.mark.parametrize("gap", [0, 8, 20])
def test_algorithm_1_with_one_region_and_with_none(gap: int) -> None:
    assert main_regions([(3, 4)], CONTENT, gap) == [(3, 4)]
    assert main_regions([], CONTENT, gap) == []


@pytest.mark.parametrize("kind", [R2L, DANA])
@pytest.mark.parametrize(("extra", "both"), [(0, True), (1, False)])
def test_the_gap_counts_lines_of_the_page(kind: type[R2L | DANA], extra: int, both: bool) -> None:
    """Two paragraphs with code in between: with the gap as wide as their distance both are taken, with one less not."""
    page = Page("<p>" + ARABIC * 6 + "</p>" + '<img src="/a/picture.png" alt="">' * 30 + "<p>" + ARABIC * 3 + "</p>")
    areas = regions(kind(gap=0).diagram(page).smoothed)
    assert len(areas) == 2
    spans = kind(gap=distance(*areas) - extra)(page)
    assert (spans.ends[-1] > page.blocks.text_start[1] + 100) == both


# -- phase one: what counts as content and what as code ---------------------------------------------------


@pytest.mark.parametrize("text", ["سلام", "שלום", "پښتو", "ܫܠܡܐ", "ߒߞߏ", "ﷺ", "ﭐ", "ﻼ", "𐤀𐤁", "𞤀𞤁", "١٢٣", "،؟"])
def test_scripts_written_from_right_to_left(text: str) -> None:
    assert right_to_left(code_points(text)).all()


@pytest.mark.parametrize("text", ["abc 123 <>", "é«»", "кириллица", "汉字かな", "😀", "\ue000", "हिन्दी"])
def test_scripts_that_are_not(text: str) -> None:
    assert not right_to_left(code_points(text)).any()


def test_r2l_and_dana_count_right_to_left_characters_against_ascii() -> None:
    page = Page("<p id=x>سلام é ab</p>")
    diagram = DANA(line_length=1000).diagram(page)
    # é is neither; code is `<p id=x>`, `</p>`, two spaces and `ab`
    assert (diagram.content.tolist(), diagram.code.tolist()) == ([4], [8 + 4 + 2 + 2])


def test_danag_counts_text_against_the_rest() -> None:
    """Eq. 4.5: T2 = Length - T1."""
    page = Page("<p id=x>One <b>two</b></p>")
    diagram = DANAg(line_length=1000).diagram(page)
    length = len(page.source)
    assert diagram.content.tolist() == [len("One") + len("two")]
    assert diagram.code.tolist() == [length - 6]


@pytest.mark.parametrize("name", ["r2l", "dana", "danag", "addanag"])
def test_scripts_styles_and_comments_count_nothing(name: str) -> None:
    """4.3.1: the preprocessing step."""
    junk = "<script>" + "var a;" * 200 + "</script><style>" + "p{}" * 200 + "</style><!-- " + ARABIC * 5 + " -->"
    plain = article(6, ARABIC)
    full = plain.replace("<p class", junk + "<p class")
    assert full != plain
    assert extractor(name)(Page(full)) == extractor(name)(Page(plain))


# -- phase four: the text ---------------------------------------------------------------------------------

MIXED = Page(
    f"<ul>{MENU}</ul><div><p>{ARABIC}</p><p>{ARABIC} (Harbour Bridge Company, 2024) {ARABIC}</p><p>{ARABIC}</p></div>"
    f"<ul>{MENU}</ul>"
)


def test_r2l_returns_only_right_to_left_characters_and_the_white_space_between_them() -> None:
    spans = R2L()(MIXED)
    chosen = "".join(MIXED.text[start:end] for start, end in spans)
    assert len(chosen) > 3 * len(ARABIC)
    assert all(character.isspace() or right_to_left(code_points(character))[0] for character in chosen)
    for start, end in spans:
        assert not MIXED.text[start].isspace()
        assert not MIXED.text[end - 1].isspace()


def test_r2l_keeps_words_of_right_to_left_text_apart() -> None:
    words = R2L()(MIXED).words(MIXED)
    assert set(words) <= {word.strip(".") for word in ARABIC.split()}
    assert len(words) > 0.95 * 4 * len(ARABIC.split())


def test_dana_keeps_the_english_words_inside() -> None:
    text = DANA()(MIXED).text(MIXED)
    assert "(Harbour Bridge Company, 2024)" in text
    assert len(text) > 0.95 * 4 * len(ARABIC)
    assert "Topic" not in text


def test_danag_works_in_any_language() -> None:
    page = Page(article(8, ENGLISH))
    text = DANAg()(page).text(page)
    assert text.count(ENGLISH.strip()) == 16
    assert "Topic 3" not in text
    assert not DANA()(page)


# -- links: Filters 1, 2 and 3 (4.6.1) --------------------------------------------------------------------

BBC = '<a href="http://www.BBC.com/">BBC Web Site</a>'
LISTING_4_1 = [
    '<a href="link_one">anchor text one</a>',
    '<a href="link_two">anchor text two</a>',
    '<a href="link_three">anchor text three</a>',
]
LISTING_4_2 = [
    'These three anchor tags are not extraneous items. <a href="link_one">anchor text one</a>',
    'They are located in one of the main content regions. <a href="link_two">anchor text two</a>',
    'Using Filter 3 we are able to extract anchor texts of hyperlinks. <a href="link_three">',
    "anchor text three</a> Filter 3 is used in AddDANAg as a preprocessing step.",
]


def counts(html: str, links: LinkFilter) -> tuple[int, int]:
    """Content and code of one line of HTML."""
    diagram = DANAg(line_length=10_000, links=links).diagram(Page(html))
    return int(diagram.content.sum()), int(diagram.code.sum())


def diffs(listing: list[str], links: LinkFilter) -> list[int]:
    """Eq. 4.2 over the lines of a listing, each line counted by itself."""
    lines = [counts(line, links) for line in listing]
    return list(smooth(ints(*[content for content, _ in lines]), ints(*[code for _, code in lines])))


@pytest.mark.parametrize(
    ("links", "content", "code"),
    [
        (LinkFilter.NONE, 12, len(BBC) - 12),
        (LinkFilter.FILTER_1, 0, 0),
        (LinkFilter.FILTER_2, 12, len("<a></a>")),
        (LinkFilter.FILTER_3, 12, len("<a _____></a>") - 1),  # as long as the text: `LT - 7` and the bare tags
    ],
)
def test_the_bbc_web_site_example(links: LinkFilter, content: int, code: int) -> None:
    assert counts(BBC, links) == (content, code)


@pytest.mark.parametrize(("text", "code"), [("", 7), ("x", 7), ("seven 7", 7), ("8 eights", 8), ("a" * 100, 100)])
def test_filter_3_never_goes_under_the_bare_tags(text: str, code: int) -> None:
    assert counts(f'<a href="http://example.org/">{text}</a>', LinkFilter.FILTER_3)[1] == code


def test_filter_3_makes_a_short_tag_longer_too() -> None:
    """`<a>` around a long text: the imbalance is evened out in both directions."""
    assert counts("<a>" + "x" * 50 + "</a>", LinkFilter.FILTER_3) == (50, 50)


def test_filter_2_leaves_only_the_bare_tag() -> None:
    assert counts("<a>" + "x" * 50 + "</a>", LinkFilter.FILTER_2) == (50, 7)


def test_listing_4_1_filter_2_lifts_the_second_line_above_the_axis() -> None:
    assert diffs(LISTING_4_1, LinkFilter.FILTER_2)[1] > 0


def test_listing_4_1_filter_3_leaves_the_second_line_on_the_axis() -> None:
    assert diffs(LISTING_4_1, LinkFilter.FILTER_3)[1] == 0


def test_listing_4_1_without_a_filter_is_below_the_axis() -> None:
    assert diffs(LISTING_4_1, LinkFilter.NONE)[1] < 0


def test_listing_4_2_is_above_the_axis() -> None:
    whole = " ".join(LISTING_4_2)
    content, code = counts(whole, LinkFilter.FILTER_3)
    assert content > code
    # line by line, where the lines hold whole links
    assert all(diff > 0 for diff in diffs(LISTING_4_2[:2], LinkFilter.FILTER_3))


def test_filter_1_removes_the_text_of_links() -> None:
    page = Page(article(8).replace("harbour bridge", '<a href="/bridge">harbour bridge</a>'))
    with_links, without = DANAg()(page), DANAg(links=LinkFilter.FILTER_1)(page)
    assert "harbour bridge" in with_links.text(page)
    assert "harbour bridge" not in without.text(page)
    assert "The council voted" in without.text(page)


def test_addanag_reads_link_rich_text_where_danag_does_not() -> None:
    page = Page(link_rich(8))
    story = " ".join(ENGLISH.split())
    assert AdDANAg()(page).text(page).count(story) >= 14
    assert DANAg()(page).characters < AdDANAg()(page).characters / 2


def test_addanag_is_danag_where_there_are_no_links() -> None:
    page = Page("".join(f"<p class=story>{ENGLISH}</p>" for _ in range(6)))
    assert AdDANAg()(page) == DANAg()(page)


# -- parameters -------------------------------------------------------------------------------------------


def test_published_defaults() -> None:
    assert R2L() == R2L(gap=8, smoothing=Smoothing.NEIGHBOURS, line_length=80)
    assert DANA() == DANA(gap=20, smoothing=Smoothing.NEIGHBOURS, line_length=80)
    assert DANAg() == DANAg(gap=20, smoothing=Smoothing.NEIGHBOURS, line_length=80, links=LinkFilter.NONE)
    assert AdDANAg() == AdDANAg(gap=20, smoothing=Smoothing.NEIGHBOURS, line_length=80, links=LinkFilter.FILTER_3)


@pytest.mark.parametrize("kind", [R2L, DANA, DANAg, AdDANAg])
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"gap": -1}, "gap is -1"),
        ({"adapt": 1.5}, "adapt is 1.5"),
        ({"line_length": 0}, "line_length is 0"),
        ({"line_length": -80}, "line_length is -80"),
    ],
)
def test_bad_parameters_are_refused_when_they_are_used(
    kind: type[R2L | DANA | DANAg | AdDANAg], parameters: dict[str, int], message: str
) -> None:
    made = kind(**parameters)  # type: ignore[arg-type]  # integers only; a constructor only stores
    with pytest.raises(BadParameter, match=message) as caught:
        made(MIXED)
    assert isinstance(caught.value, ExtractorError)


@pytest.mark.parametrize("smoothing", Smoothing)
@pytest.mark.parametrize("line_length", [1, 20, 80, 120])
def test_the_story_is_found_whatever_the_lines(smoothing: Smoothing, line_length: int) -> None:
    spans = DANA(smoothing=smoothing, line_length=line_length)(MIXED)
    assert spans.characters > 0.9 * 4 * len(ARABIC)


# -- the diagram: what is drawn ---------------------------------------------------------------------------


_PIECES = (
    *("سلام دنيا ", "خبر\u200cها، ", "plain text ", " 12. ", "\N{ARABIC LETTER SEEN}", "\U0001e900", "\U0001f600"),
    *("<p>", "<b>", "</b>", "<!-- x -->", "<i class=" + "y" * 90 + ">", "<br>", "<p hidden>"),
)


@pytest.mark.parametrize("kind", [R2L, DANA])
@given(st.lists(st.sampled_from(_PIECES), max_size=60), st.integers(0, 9), st.integers(1, 90))
def test_the_text_of_the_regions_is_chosen(
    kind: type[R2L | DANA], pieces: list[str], gap: int, line_length: int
) -> None:
    method, page = kind(gap=gap, line_length=line_length), Page("<html>" + "".join(pieces) + "x")
    diagram = method.diagram(page)
    regions = diagram.regions
    assert all(first <= last < len(diagram.content) for first, last in regions)
    assert all(last < first for (_, last), (first, _) in pairwise(regions))
    chosen = Spans.of(page.lines(line_length).text_ranges(regions), len(page.text))
    assert not method(page) - chosen


def test_the_diagram_belongs_to_the_result() -> None:
    diagram = DANA().diagram(MIXED)
    count = len(diagram.lines)
    assert len(diagram.content) == len(diagram.code) == len(diagram.smoothed) == len(diagram.chosen) == count
    assert diagram.smoothed.tolist() == smooth(diagram.content, diagram.code).tolist()
    assert (diagram.smoothed[diagram.chosen] > 0).all()
    assert diagram.content.sum() == right_to_left(MIXED.text_codes).sum()


def test_no_right_to_left_text_gives_nothing() -> None:
    page = Page(article(5, ENGLISH))
    assert not R2L()(page)
    assert not DANA()(page)
    assert not DANA().diagram(page).chosen.any()
