"""Text density in its three forms (DANA thesis 3.2.7; Sun et al. 2011)."""

from __future__ import annotations

from math import e, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.extractors.published.cetd import CETD, CompositeCETD, DensitySum, element_counts
from tidings.page import Page, tags

#: body holds 12 characters in 3 tags, div 12 in 2, the paragraphs 10 and 2 in none.
PLAIN = "<body><div><p>abcdefghij</p><p>ab</p></div></body>"
#: div holds 30 characters, 10 of them linked, in 3 tags, 1 of them a link.
LINKED = "<body><div><p>abcdefghijabcdefghij</p><p><a href=x>abcdefghij</a></p></div></body>"

Form = CETD | CompositeCETD | DensitySum


def density(form: Form, source: str, name: str) -> list[float]:
    page = Page(source)
    return [float(one) for one in form.densities(page)[page.elements.tag == tags.NUMBERS[name]]]


def text(form: Form, source: str) -> str:
    page = Page(source)
    return form(page).text(page)


def composite(c: int, t: int, lc: int, lt: int, lc_body: int, c_body: int) -> float:
    """Eq. 3.2 as SPEC 2 gives it, for one element."""
    base = log(c * lc / max(c - lc, 1) + lc_body * c / max(c_body, 1) + e)
    return c / max(t, 1) * log((c / max(lc, 1)) * (max(t, 1) / max(lt, 1))) / (log(base) or 1)


# -- densities --------------------------------------------------------------------------------------------------


def test_text_density_is_characters_over_tags() -> None:
    """Eq. 3.1; an element without tags counts as one with one (Algorithm 4)."""
    assert density(CETD(), PLAIN, "body") == [12 / 3]
    assert density(CETD(), PLAIN, "div") == [12 / 2]
    assert density(CETD(), PLAIN, "p") == [10, 2]


def test_scripts_and_styles_are_no_tags_and_hidden_text_is_no_text() -> None:
    source = "<body><style>p{}</style><script>x</script><p>abcd<b hidden>secret</b></p></body>"
    assert density(CETD(), source, "body") == [4 / 2]


def test_long_simply_formatted_text_is_denser_than_short_formatted_text() -> None:
    """ "TD will get a greater value for the node containing a long and simply formatted text" (3.2.7)."""
    source = "<p>A long and simply formatted text of many words</p><div><b>A</b> <i>little</i> <u>text</u></div>"
    assert density(CETD(), source, "p")[0] > density(CETD(), source, "div")[0]


def test_composite_density_by_hand() -> None:
    """Eq. 3.2 with C, T, LC, LT of the element and LC, C of the body."""
    assert density(CompositeCETD(), LINKED, "div") == [pytest.approx(composite(30, 3, 10, 1, 10, 30))]
    assert density(CompositeCETD(), LINKED, "body") == [pytest.approx(composite(30, 4, 10, 1, 10, 30))]
    assert density(CompositeCETD(), LINKED, "p") == [
        pytest.approx(composite(20, 0, 0, 0, 10, 30)),
        pytest.approx(composite(10, 1, 10, 1, 10, 30)),
    ]


def test_a_text_without_links_on_a_page_without_links() -> None:
    """The base of the logarithm is ln e = 1, whose logarithm is 0: a zero denominator, taken as 1 (SPEC 2)."""
    assert density(CompositeCETD(), PLAIN, "p") == [pytest.approx(10 * log(10)), pytest.approx(2 * log(2))]
    assert density(CompositeCETD(), PLAIN, "div") == [pytest.approx(6 * log(24))]


def test_a_node_of_links_alone_has_no_composite_density() -> None:
    """ "The node which contains a great number of hyperlinks and a little text cannot be … important" (3.2.7)."""
    assert density(CompositeCETD(), LINKED, "p")[1] == 0
    assert density(CETD(), LINKED, "p")[1] == 10


def test_density_sums_by_hand() -> None:
    """Densities of the children together, text nodes included (Sun et al. 2011)."""
    page = Page("<body><div>abcd<p>abcdefghij</p>abcdef</div></body>")
    found = DensitySum().density_sums(page)[page.elements.tag == tags.NUMBERS["div"]]
    assert found.tolist() == [pytest.approx(4 * log(4) + 10 * log(10) + 6 * log(6))]


# -- content ----------------------------------------------------------------------------------------------------


def test_the_density_of_the_body_is_the_threshold() -> None:
    """ "Any node with a text density greater or equal to the threshold will be selected as content" (3.2.7)."""
    assert CETD().limit(Page(PLAIN)) == 4
    assert text(CETD(), PLAIN) == "abcdefghij"
    assert text(CETD(threshold=2), PLAIN) == "abcdefghij\nab"
    assert text(CETD(threshold=11), PLAIN) == ""


def test_an_element_that_is_too_thin_goes_with_all_in_it() -> None:
    source = f"<body><p>{'story ' * 20}</p><div>{'<b>x</b>' * 30}<p>a denser part in it</p></div></body>"
    assert text(CETD(), source) == ("story " * 20).strip()


def test_inline_elements_go_with_their_block() -> None:
    """A link has a composite density of 0 and still belongs to its sentence."""
    story = "The council voted to reopen the <a href=x>harbour bridge</a> which the storm had closed. " * 3
    source = f"<body><ul><li><a href=x>Home</a><li><a href=x>News</a></ul><div><p>{story}</p></div></body>"
    page = Page(source)
    assert CompositeCETD()(page).text(page) == page.text[page.text.index("The council") :]


def test_composite_density_drops_a_text_of_links_that_text_density_keeps() -> None:
    """In figure 3.3 "most of the vertical line associated with the noisy information is not seen … anymore" (3.2.7)."""
    links = f"<p><a href=x>{'A long line of link text that reads like a story. ' * 3}</a></p>"
    source = f"<body><div><p>{'The story goes on. ' * 8}</p></div><div>{links}</div></body>"
    assert "link text" in text(CETD(), source)
    assert "link text" not in text(CompositeCETD(), source)


def test_density_sum_keeps_short_paragraphs_of_the_densest_element() -> None:
    """What single densities lose, the density sum of the element around it keeps (Sun et al. 2011)."""
    story = f"<div><p>{'The story goes on and on. ' * 6}</p><p>Short.</p><p>{'It goes on. ' * 12}</p></div>"
    source = f"<body><ul>{'<li><a href=x>Home page</a></li>' * 9}</ul>{story}</body>"
    page = Page(source)
    assert "Short." not in text(CompositeCETD(threshold=40), source)
    assert DensitySum()(page).text(page) == page.text[page.text.index("The story") :]


def test_density_sum_takes_the_best_of_every_part_that_is_dense_enough() -> None:
    """The largest density sum is that of the first div; the other part is as dense and comes too (Sun et al. 2011)."""
    first, second = "The story goes on and on. " * 9, "It has a second part too. " * 9
    menu = "<ul>" + "<li><a href=x>Home page</a></li>" * 9 + "</ul>"
    source = f"<body>{menu}<div><p>{first}</p><p>{first}</p><p>{first}</p></div>{menu}<div><p>{second}</p></div></body>"
    page = Page(source)
    assert page.elements.tag[DensitySum().density_sums(page).argmax()] == tags.NUMBERS["div"]
    assert DensitySum()(page).text(page) == "\n".join([*[first.strip()] * 3, second.strip()])


def test_the_threshold_of_the_density_sum_is_the_lowest_density_up_to_the_body() -> None:
    page = Page(f"<body><main><b></b><i></i><div><p>{'word ' * 30}</p><p>{'word ' * 30}</p></div></main></body>")
    form = DensitySum()
    names = [page.tag_names[tag] for tag in page.elements.tag]
    path = [float(form.densities(page)[names.index(name)]) for name in ("div", "main", "body")]
    assert form.limit(page) == min(path) == path[-1]


def test_without_a_body_the_document_stands_for_it() -> None:
    assert CETD().limit(Page("<p>abcd</p><p>ab</p>")) == 3
    assert text(CETD(), "<p>abcd</p><p>ab</p>") == "abcd"


def test_misnested_elements_hold_what_stands_between_their_tags() -> None:
    """The div goes on behind the end of the b it begins in: b holds x and y, the div y and z."""
    page = Page("<b>xx<div>yyy</b>zzzz</div>")
    counts = element_counts(page)
    assert counts.chars.tolist() == [9, 5, 7]
    assert counts.tags.tolist() == [2, 1, 0]


PIECES = st.sampled_from(["<p>", "</p>", "<div>", "</div>", "<a href=x>", "</a>", "<b>", "</b>", "word ", "two words "])


@given(st.lists(PIECES, min_size=1))
def test_a_lower_threshold_keeps_more(pieces: list[str]) -> None:
    page = Page("".join(["x", *pieces]))
    for form in (CETD, CompositeCETD):
        assert form(threshold=5.0)(page) <= form(threshold=2.0)(page) <= form(threshold=0.0)(page) == page.visible


@given(st.lists(PIECES, min_size=1))
def test_the_body_is_never_too_thin_for_itself(pieces: list[str]) -> None:
    page = Page("<body>own words" + "".join(pieces))
    for form in (CETD(), CompositeCETD()):
        assert form(page).starts[0] == 0


def test_the_picture_has_a_bar_for_each_node() -> None:
    """Figures 3.2 and 3.3."""
    picture = CETD().picture(Page(PLAIN))
    assert picture.series[0][1].tolist() == [3.0, 4.0, 6.0, 10.0, 2.0]
    assert picture.thresholds == (("threshold", 4.0),)
    assert picture.chosen is not None
    assert picture.chosen.tolist() == [True, True, True, True, False]


def test_a_block_is_graded_by_the_density_of_its_element() -> None:
    assert CETD().score(Page(PLAIN)).tolist() == [10.0, 2.0]
