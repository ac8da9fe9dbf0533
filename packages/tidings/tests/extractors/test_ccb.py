"""Content code blurring: Algorithm 7 of the thesis, and its remarks on the blurred values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.errors import BadParameter
from tidings.extractors import Extractor, extractor
from tidings.extractors.published.bte import tokens
from tidings.extractors.published.ccb import ACCB, CCB, TCCB18, TCCB25, blur, weights
from tidings.page import Page, Spans

MENU = "<ul>" + "<li><a href=/somewhere/else>item</a></li>" * 10 + "</ul>"
STORY = f"{MENU}<p>{'word ' * 100}</p>{MENU}"
FORMS = [CCB(), ACCB(), TCCB18(), TCCB25()]
vectors = st.lists(st.integers(0, 1), min_size=1, max_size=40)


def algorithm_7(vector: list[float], reach: int) -> list[float]:
    """One round of the pseudo-code's inner loops; outside the page there is nothing to weigh."""
    weight = weights(reach)
    blurred = []
    for i in range(len(vector)):
        near = [j for j in range(-reach, reach + 1) if 0 <= i + j < len(vector)]
        total = sum(vector[i + j] * weight[j + reach] for j in near)
        blurred.append(float(total / sum(weight[j + reach] for j in near)))
    return blurred


@given(vectors, st.integers(1, 12), st.integers(1, 3))
def test_blurring_is_algorithm_7(vector: list[int], reach: int, rounds: int) -> None:
    expected = [float(value) for value in vector]
    for _ in range(rounds):
        expected = algorithm_7(expected, reach)
    assert blur(np.array(vector, float), weights(reach), -1.0, rounds) == pytest.approx(expected)


@given(vectors, st.integers(1, 12))
def test_values_stay_between_zero_and_one(vector: list[int], reach: int) -> None:
    """Thesis 3.3.1.3: 1 where all r neighbours on both sides are 1, 0 where all are 0, else between."""
    blurred = blur(np.array(vector, float), weights(reach), 0.0, 1)
    for i, value in enumerate(blurred):
        around = set(vector[max(i - reach, 0) : i + reach + 1])
        if len(around) == 1:
            assert value == pytest.approx(around.pop())
        else:
            assert 0 < value < 1


def test_weights_are_gaussian() -> None:
    weight = weights(40)
    assert len(weight) == 81
    assert weight.sum() == pytest.approx(1)
    assert weight.tolist() == pytest.approx(weight[::-1].tolist())
    assert weight[40] / weight[60] == pytest.approx(np.exp(0.5))  # one standard deviation from the middle


def test_blurring_ends_when_it_is_stable() -> None:
    """Thesis 3.3.1.3: repeated until the elements reach their stable values."""
    content = np.tile([1.0] * 60 + [0.0] * 60, 20)
    stable = blur(content, weights(20), 0.02)
    once_more = blur(stable, weights(20), -1.0, 1)
    assert np.abs(once_more - stable).max() <= 0.02
    assert not np.array_equal(stable, blur(content, weights(20), -1.0, 2))


def test_the_vector_leaves_out_comments_white_space_scripts_and_styles() -> None:
    """Algorithm 7: `</p>` and `<p>` are code, four characters and three; `&amp;` is resolved."""
    page = Page("<p>ab &amp;\n d</p><!-- comment --><script>script</script><style>style</style>")
    assert CCB(grain=1).vector(page).content.tolist() == [0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]
    spaced = Page('<p class="a b">c</p>')
    assert CCB(grain=1).vector(spaced).content.tolist() == [0] * 13 + [1] + [0] * 4


def test_accb_ignores_the_tags_of_links() -> None:
    """Thesis 3.3.1.3: anchor tags are ignored when the vector is made; their text is not."""
    page = Page('<p>a<a href="b">cd</a></p>')
    assert ACCB(grain=1).vector(page).content.tolist() == [0, 0, 0, 1, 1, 1, 0, 0, 0, 0]
    assert CCB(grain=1).vector(page).content.tolist() == [0, 0, 0, 1, *[0] * 11, 1, 1, *[0] * 8]


def test_tccb_has_one_place_for_each_token() -> None:
    page = Page("<p>one <b>two</b></p>")
    assert TCCB18().vector(page).content.tolist() == [0, 1, 0, 1, 0, 0]


def test_words_know_their_place_in_the_vector() -> None:
    page = Page("<p>ab <i>cde f</i></p><div hidden>gh</div><p>ij</p>")
    vector = CCB(grain=1).vector(page)
    assert [page.text[at] for at in vector.tokens.word_at] == ["a", "c", "f", "i"]
    assert vector.cell.tolist() == [3, 8, 11, 12 + len("</i></p><divhidden></div><p>")]
    assert vector.content[vector.cell].all()


def test_text_in_the_open_is_kept_and_menus_are_not() -> None:
    page = Page(STORY)
    for form in FORMS:
        words = form(page).words(page)
        assert words.count("word") > 95, form
        assert words.count("item") < 4, form


def test_a_link_rich_story_is_safer_with_accb() -> None:
    """Thesis, glossary: this version extracts pages with a great number of links with higher accuracy."""
    linked = 'some text <a href="/wiki/A_long_address_of_a_page" title="A long address">word</a> '
    page = Page(f"{MENU}<p>{linked * 30}</p>{MENU}")
    assert not CCB()(page)
    assert ACCB()(page).words(page).count("word") > 25


def test_cells_make_no_difference_that_matters() -> None:
    for sample in newspaper.pages("gazette", page_type="article"):
        page = Page(sample.html)
        fine, coarse = ACCB(grain=1)(page).mask(), ACCB()(page).mask()
        assert (fine != coarse).mean() < 0.02


def test_code_beyond_reach_of_the_text_changes_nothing() -> None:
    near, far = (Page(f'<p>{"word " * 30}</p><img alt="{"x" * size}"><p>{"more " * 30}</p>') for size in (6000, 60_000))
    for form in FORMS:
        assert form(near) == form(far)
        assert len(form.vector(far).content) < 2000


def test_hidden_text_is_left_out() -> None:
    page = Page(f"<p>{'word ' * 50}<span hidden>{'secret ' * 50}</span>{'word ' * 50}</p>")
    for form in FORMS:
        assert set(form(page).words(page)) == {"word"}


def test_a_page_of_nothing_but_text_is_kept_whole() -> None:
    page = Page("word " * 100)
    for form in FORMS:
        assert form(page) == page.visible


def test_without_a_word_there_is_nothing() -> None:
    for source in ("<p></p>", "<!-- -->", "<p>…</p>"):
        page = Page(source)
        for form in FORMS:
            assert not form(page)
            assert not form.score(page).any()
            assert form.picture(page).chosen is not None


def test_part_of_a_page() -> None:
    page = Page(f"{STORY}<p>{'other ' * 100}</p>")
    part = Spans.of([(0, page.text.index("other"))], len(page.text))
    for form in FORMS:
        inside = form(page.within(part))
        assert inside <= part
        assert inside.words(page).count("word") > 95
        assert not form(page.within(Spans.none(len(page.text))))


def test_scores_are_shares_of_content() -> None:
    page = Page(STORY)
    story = int(page.blocks.words.argmax())
    for form in FORMS:
        scores = form.score(page)
        assert ((scores >= 0) & (scores <= 1)).all()
        assert scores.argmax() == story


def test_the_picture_is_figure_3_8() -> None:
    for form in FORMS:
        picture = form.picture(Page(STORY))
        (_, first), (_, blurred) = picture.series
        assert np.abs(np.diff(blurred)).max() < np.abs(np.diff(first)).max()
        assert picture.chosen is not None
        assert picture.chosen.tolist() == (blurred > 0.5).tolist()


def test_they_are_registered() -> None:
    assert [extractor(name) for name in ("ccb", "accb-40", "accb", "tccb-18", "tccb-25")] == [
        CCB(),
        ACCB(),
        ACCB(),
        TCCB18(),
        TCCB25(),
    ]


@pytest.mark.parametrize("wrong", [CCB(reach=0), ACCB(threshold=1.5), CCB(grain=0), TCCB18(threshold=-1)])
def test_parameters_out_of_range(wrong: Extractor) -> None:
    with pytest.raises(BadParameter):
        wrong(Page("<p>text"))


def test_every_token_has_its_word() -> None:
    page = Page(STORY)
    assert (TCCB25().vector(page).cell == tokens(page).place).all()
