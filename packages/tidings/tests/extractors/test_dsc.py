"""DSC: Algorithm 6 of the thesis, and what its prose says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scores import word_score
from tidings.errors import BadParameter
from tidings.extractors import extractor
from tidings.extractors.published.bte import BTE
from tidings.extractors.published.dsc import DSC, Border, regions, sections, window
from tidings.page import Page, Spans

MENU = "<ul>" + "<li><a href=x>item</a></li>" * 12 + "</ul>"


def algorithm_6(row: list[int]) -> list[int]:
    """The pseudo-code to the letter, with the second test under `lr = 1`, where it belongs."""
    size = len(row)
    d = [sum(row[: i + 1]) for i in range(size)]
    w = 8
    if size > 5000:
        w = 50
    elif size >= 200:
        w = math.ceil(0.00875 * size + 6.25)
    total = d[size - 1] / size
    history, low_region, marks = [0, 0], 0, [0] * size
    for i in range(0, size - w, w // 2):
        low = int((d[i + w - 1] - d[i]) / w < 0.5 * total)
        if low_region == 0 and low == history[0] == history[1] == 1:
            low_region = 1
        elif low_region == 1 and low == history[0] == history[1] == 0:
            low_region = 0
        for j in range(i, size):  # the thesis stops at i + w - 1: what is behind the last window stays open there
            marks[j] = low_region
        history = [low, history[0]]
    return marks


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(1, 40)), min_size=1, max_size=12))
def test_algorithm_6(stretches: list[tuple[int, int]]) -> None:
    row = [token for token, length in stretches for _ in range(length)]
    found = sections(np.array(row, np.bool_), window(len(row)))
    inside = regions(found.slope < 0.5 * found.average, 3, Border.LATE)
    marks = inside[found.section_of(np.arange(len(row)))] if len(inside) else np.zeros(len(row))
    assert marks.astype(int).tolist() == algorithm_6(row)


@pytest.mark.parametrize(
    ("size", "length"), [(1, 8), (199, 8), (200, 8), (201, 9), (1000, 15), (5000, 50), (5001, 50), (90_000, 50)]
)
def test_the_window_depends_on_the_number_of_tokens(size: int, length: int) -> None:
    """Algorithm 6: 8 tokens up to 200, ceil(0.00875 N + 6.25), 50 at most."""
    assert window(size) == length


def test_windows_move_by_half_their_length() -> None:
    row = np.tile([True, False], 50)
    assert sections(row, 8).start.tolist() == list(range(0, 92, 4))
    assert sections(row, 9).start.tolist() == list(range(0, 91, 4))
    assert sections(row, 8).average == 0.5


def test_three_low_sections_open_a_region_and_three_others_close_it() -> None:
    low = np.array([1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1], np.bool_)
    assert regions(low, 3, Border.LATE).astype(int).tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0]
    assert regions(low, 3, Border.EARLY).astype(int).tolist() == [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    assert regions(low, 1, Border.LATE).tolist() == regions(low, 1, Border.EARLY).tolist() == low.tolist()


def test_five_plateaus_are_five_parts_of_the_story() -> None:
    """Thesis 3.3.1.2, figure 3.6: unlike BTE it finds every part."""
    parts = [f"part{number} " * 120 for number in range(5)]
    page = Page((MENU * 4).join(["", *(f"<p>{part}</p>" for part in parts), ""]))
    regions_found = [page.text[start:end].split() for start, end in DSC()(page)]
    assert [words.count(f"part{number}") > 90 for number, words in enumerate(regions_found)] == [True] * 5
    assert [words.count("item") < 10 for words in regions_found] == [True] * 5
    assert set(BTE()(page).words(page)) == {"part0"}


def test_it_is_above_bte_where_the_story_is_split() -> None:
    """Thesis 3.3.1.2: several parts, BTE's drawback turned into an advantage."""
    parts = [f"part{number} " * 120 for number in range(3)]
    page = Page((MENU * 8).join(["", *(f"<p>{part}</p>" for part in parts), ""]))
    gold = " ".join(parts)
    assert word_score(DSC()(page).text(page), gold).f1 > 0.9 > word_score(BTE()(page).text(page), gold).f1


def test_a_page_of_menus_has_no_region() -> None:
    """Thesis, figure 3.7: a page without main content is a curve without plateaus."""
    assert not DSC()(Page(MENU * 20))


def test_a_page_without_tags_or_with_few_tokens_has_no_region() -> None:
    """Algorithm 6: no slope is under half of 0, and there are no three windows."""
    for source in ("word " * 500, "<p>one two</p>", "<!-- -->", "<p></p>"):
        page = Page(source)
        assert not DSC()(page)
        assert not DSC().score(page).any()


def test_hidden_text_is_left_out() -> None:
    page = Page(f"{MENU * 5}<p>{'word ' * 100}<span hidden>secret</span>{'word ' * 100}</p>{MENU * 5}")
    assert DSC()(page)
    assert "secret" not in DSC()(page).text(page)


def test_part_of_a_page() -> None:
    page = Page(f"{MENU * 5}<p>{'word ' * 200}</p>{MENU * 5}<p>{'other ' * 200}</p>{MENU * 5}")
    part = Spans.of([(0, len(page.text) // 2)], len(page.text))
    inside = DSC()(page.within(part))
    assert inside <= part
    assert set(inside.words(page)) == {"word"}


def test_flat_blocks_score_higher() -> None:
    page = Page(f"{MENU * 5}<p>{'word ' * 200}</p>{MENU * 5}")
    scores = DSC().score(page)
    story = int(page.blocks.words.argmax())
    assert scores[story] > 0.9
    assert np.delete(scores, story).max() < 0.9
    assert ((scores >= 0) & (scores <= 1)).all()


def test_the_picture_is_figure_3_6() -> None:
    picture = DSC().picture(Page(f"{MENU * 5}<p>{'word ' * 200}</p>{MENU * 5}"))
    curve = picture.series[0][1]
    assert picture.chosen is not None
    assert len(picture.chosen) == len(curve)
    assert np.diff(curve)[picture.chosen[1:]].mean() < 0.1 < np.diff(curve)[~picture.chosen[1:]].mean()


@pytest.mark.parametrize("wrong", [DSC(share=0), DSC(row=0)])
def test_parameters_out_of_range(wrong: DSC) -> None:
    with pytest.raises(BadParameter):
        wrong(Page("<p>text"))


def test_it_is_registered() -> None:
    assert extractor("dsc") == DSC()
