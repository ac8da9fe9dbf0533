"""CETR: the worked lines of the thesis, smoothing, clusters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadParameter
from tidings.extractors import Extractor, extractor
from tidings.extractors.published.bte import Floats
from tidings.extractors.published.cetr import CETR, CETRKM, CETRTM, change, clusters, histogram, smooth, tag_ratios
from tidings.page import Page, Spans

MENU = "<ul>\n" + "<li><a href=/some/where>item</a></li>\n" * 150 + "</ul>\n"
STORY = f"{MENU}<h1>Head line</h1>\n" + f"<p>{'word ' * 60}</p>\n" * 10 + MENU
FORMS = [CETR(), CETRKM(), CETRTM()]
# Thesis, figure 3.11, without the "..." that its counts leave out.
WORKED = """\
<div id="topnav">
<div id="storyPageContent2">
<div id="author">James Smith</div>
OKLAHOMA CITY - Police were told that
The Oklahoman reported Sunday. <br><br> Jones had
</div></div>
"""


def ratios(source: str, line_length: int | None = None) -> list[float]:
    result: list[float] = histogram(Page(source), line_length).ratio.tolist()
    return result


def test_the_worked_lines() -> None:
    """Thesis, figure 3.11; SPEC 2, row CETR."""
    assert ratios(WORKED) == [0, 0, 5.5, 37, 20.5, 0]


def test_the_worked_counts() -> None:
    """Thesis, figure 3.11 and Algorithm 9: a line without tags is divided by 1."""
    text, tags = np.array([0, 0, 11, 37, 41, 0]), np.array([1, 1, 2, 0, 2, 2])
    assert tag_ratios(text, tags).tolist() == [0, 0, 5.5, 37, 20.5, 0]


def test_scripts_remarks_and_styles_are_removed_before() -> None:
    """Thesis 3.3.3.1 and Algorithm 9: they would count as text outside tags."""
    noise = "<script>\nvar text = 1;\n</script>\n<!-- a remark\nof two lines -->\n<style>\np { color: red }\n</style>\n"
    assert ratios(noise + WORKED + noise) == ratios(WORKED)


def test_white_space_counts_once_and_not_at_the_beginning_of_a_line() -> None:
    assert ratios("<p>one   two</p>") == [7 / 2]
    assert ratios("   <p>\n      one\n \t    two\n</p>") == [0, 3, 3, 0]
    assert ratios(" one\n\n") == [3]
    assert ratios("one <b>two</b> three") == [13 / 2]


def test_long_lines_are_broken() -> None:
    """Weninger et al. 2010: a page that is all one line has lines of 65 characters."""
    source = f"<p>{'x' * 127}</p>"
    assert ratios(source, 65) == [62, 65, 0]  # the end tag begins the third line
    assert ratios(source, None) == [127 / 2]
    assert ratios(f'<img alt="{"y" * 1000}">{"x" * 30}', 65) == [0, 28, 2]  # 1012 characters of tag end at 37 of 65


def test_a_word_belongs_to_the_line_it_begins_in() -> None:
    found = histogram(Page("one two\nthree <b>four</b>\n"), None)
    assert found.word_line.tolist() == [0, 0, 1, 1]


def test_smoothing() -> None:
    """A Gaussian of radius ceil(sigma), its weights summing to 1."""
    bell = np.exp([-0.5, 0, -0.5])
    assert smooth(np.array([0.0, 0, 6, 0, 0]), 1.0) == pytest.approx([0, *(6 * bell / bell.sum()), 0])
    assert smooth(np.ones(9), 2.0)[2:-2] == pytest.approx(1)
    assert smooth(np.array([1.0, 5.0]), 0.0).tolist() == [1, 5]


def test_smoothing_keeps_short_lines_between_long_ones() -> None:
    """Thesis 3.3.3.1: it can prevent removing short lines which might be part of the content, such as the title."""
    page = Page(STORY)
    assert all("Head line" in form(page).text(page) for form in FORMS)
    assert "Head line" not in CETRKM(sigma=0)(page).text(page)
    assert "Head line" not in CETRTM(sigma=0)(page).text(page)
    assert "Head line" in CETR(sigma=0)(page).text(page)  # the ratio rises behind it: the second dimension


def test_change_is_the_mean_of_the_next_three_lines_against_the_line_itself() -> None:
    assert change(np.array([3.0, 6, 0, 9, 3]), 3).tolist() == pytest.approx([2, 2, 6, 6, 0])
    assert change(np.array([5.0]), 3).tolist() == [0]


def test_clusters() -> None:
    points = np.array([0.0, 1, 2, 50, 52, 98, 100])[:, None]
    nearest, centres = clusters(points, 3, hold_origin=False)
    assert nearest.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert centres[:, 0].tolist() == pytest.approx([1, 51, 99])
    nearest, centres = clusters(points + 20, 3, hold_origin=True)
    assert nearest.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert centres[:, 0].tolist() == pytest.approx([0, 71, 119])  # not 21: the first stays where it is


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), max_size=30), st.integers(2, 4), st.booleans())
def test_each_point_is_in_the_cluster_of_the_nearest_centre(
    pairs: list[tuple[float, float]], k: int, hold_origin: bool
) -> None:
    points: Floats = np.array(pairs, float).reshape(-1, 2)
    nearest, centres = clusters(points, k, hold_origin)
    distance = ((points[:, None] - centres) ** 2).sum(axis=2)
    assert distance[np.arange(len(points)), nearest] == pytest.approx(distance.min(axis=1), abs=1e-6)
    if hold_origin:
        assert not centres[0].any()


def test_the_lines_at_the_origin_are_not_content() -> None:
    """Weninger et al. 2010: k = 3, all but the cluster nearest to the origin."""
    ratio = np.array([0.0, 0, 0, 30, 32, 60, 62, 0, 0])
    assert CETRKM(sigma=0).content(ratio, ratio).astype(int).tolist() == [0, 0, 0, 1, 1, 1, 1, 0, 0]
    assert CETR(sigma=0).content(ratio, ratio).astype(int).tolist()[3:7] == [1, 1, 1, 1]
    assert CETRTM(share=1.0).content(ratio, ratio).astype(int).tolist() == [0, 0, 0, 1, 1, 1, 1, 0, 0]


def test_text_is_kept_and_menus_are_not() -> None:
    page = Page(STORY)
    for form in FORMS:
        words = form(page).words(page)
        assert words.count("word") == 600, form
        assert words.count("item") < 60, form


def test_the_same_page_in_one_line() -> None:
    """Weninger et al. 2010: long lines are broken so that minified pages can be read too."""
    page = Page(STORY.replace("\n", ""))
    for form in FORMS:
        words = form(page).words(page)
        assert words.count("word") == 600
        assert words.count("item") < 90
    assert CETRKM(line_length=None)(page) == page.visible  # one line only: all or nothing


def test_hidden_text_is_left_out() -> None:
    page = Page(STORY.replace("</h1>", "</h1><p hidden>" + "secret " * 100 + "</p>"))
    for form in FORMS:
        assert form(page)
        assert "secret" not in form(page).text(page)


def test_without_a_word_there_is_nothing() -> None:
    for source in ("<p></p>", "<!-- -->", "<p>…</p>", "<p>\n\n</p>"):
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
        assert inside.words(page).count("word") == 600
        assert not form(page.within(Spans.none(len(page.text))))


def test_blocks_with_higher_ratios_score_higher() -> None:
    page = Page(STORY)
    story = page.blocks.words == 60
    for form in FORMS:
        scores = form.score(page)
        assert scores[story].min() > np.median(scores[~story])


def test_the_picture_is_figure_3_10() -> None:
    page = Page(STORY)
    picture = CETRKM().picture(page)
    (_, ratio), (_, smoothed) = picture.series
    assert ratio.tolist() == histogram(page, 65).ratio.tolist()
    assert smoothed.max() < ratio.max()
    assert picture.chosen is not None
    assert ratio[picture.chosen].mean() > ratio[~picture.chosen].mean()


@pytest.mark.parametrize("wrong", [CETR(line_length=0), CETRKM(sigma=-1), CETR(k=1), CETRKM(k=0), CETR(lines=0)])
def test_parameters_out_of_range(wrong: Extractor) -> None:
    with pytest.raises(BadParameter):
        wrong(Page("<p>text"))


def test_they_are_registered() -> None:
    assert [extractor(name) for name in ("cetr", "cetr-km", "cetr-tm")] == FORMS
