"""Density: C1, C2 and the region with most text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadParameter
from tidings.extractors import extractor
from tidings.extractors.published.density import Density, regions
from tidings.page import Page, Spans


def lengths_page(lengths: list[int]) -> Page:
    """A page with texts of these lengths, each between two tags."""
    return Page("".join(f"<p>{chr(97 + place % 26) * length}</p>" for place, length in enumerate(lengths)))


def chosen(lengths: list[int], c1: int, c2: int) -> list[int]:
    page = lengths_page(lengths)
    result: list[int] = np.flatnonzero(Density(c1, c2)(page).runs(page)).tolist()
    return result


def grown(lengths: list[int], c1: int, c2: int) -> list[int]:
    """The prose of the thesis, step by step: R grows by texts of at least C1 that are within C2 of it."""
    best: list[int] = []
    for seed, length in enumerate(lengths):
        if length < c1:
            continue
        region = {seed}
        while more := {
            place
            for place, other in enumerate(lengths)
            if place not in region and other >= c1 and min(abs(place - one) for one in region) <= c2
        }:
            region |= more
        if sum(lengths[place] for place in region) > sum(lengths[place] for place in best):
            best = sorted(region)
    return best


@given(st.lists(st.integers(1, 12), min_size=1, max_size=16), st.integers(1, 12), st.integers(1, 4))
def test_the_region_is_what_growing_finds(lengths: list[int], c1: int, c2: int) -> None:
    """Thesis 3.3.3.2: C1 is the least length of a text in R, C2 the distance over which R takes in another."""
    assert _expected(lengths, c1, c2) == grown(lengths, c1, c2)
    assert set(grown(lengths, c1, c2)) <= set(chosen(lengths, c1, c2))


def _expected(lengths: list[int], c1: int, c2: int) -> list[int]:
    places, region = regions(np.array(lengths), c1, c2)
    weight = np.bincount(region, np.array(lengths)[places])
    result: list[int] = places[region == weight.argmax()].tolist() if len(places) else []
    return result


def test_the_densest_region_is_the_main_content() -> None:
    assert chosen([30, 5, 5, 5, 40, 50, 5, 60, 5, 5, 5, 90], c1=30, c2=2) == [4, 5, 7]


def test_short_texts_are_left_out_inside_the_region_too() -> None:
    """Thesis 3.3.3.2: C1 is the length a text needs to be put into R."""
    page = Page(f"<p>{'a' * 30}</p><p>short</p><p>{'b' * 30}</p>")
    assert Density(20, 5)(page).text(page) == f"{'a' * 30}\n{'b' * 30}"


def test_a_text_too_far_away_is_another_region() -> None:
    """Thesis 3.3.3.2: C2 is the distance that is still accepted."""
    lengths = [40, 1, 1, 50, 1, 1, 1, 20]
    assert chosen(lengths, 20, 3) == [0, 3]
    assert chosen(lengths, 20, 4) == [0, 3, 7]
    assert chosen(lengths, 20, 2) == [3]


def test_of_equals_the_first() -> None:
    assert chosen([30, 1, 1, 1, 30], 20, 2) == [0]


def test_hidden_texts_have_no_place() -> None:
    hidden = "<p hidden>hidden hidden hidden hidden</p>" * 30
    page = Page(f"<p>{'a' * 30}</p>{hidden}<p>{'b' * 30}</p>")
    assert Density(20, 1)(page).text(page) == f"{'a' * 30}\n{'b' * 30}"


def test_without_long_texts_there_is_nothing() -> None:
    for source in ("<p></p>", "<p>short</p>", "<!-- -->"):
        page = Page(source)
        assert not Density()(page)
        assert not Density().score(page).any()
        assert Density().picture(page).chosen is not None


def test_part_of_a_page() -> None:
    page = lengths_page([30, 40, 5, 50, 90])
    part = Spans.of([(0, int(page.runs.text_end[2]))], len(page.text))
    assert Density(20, 3)(page.within(part)) == Spans.of([(0, int(page.runs.text_end[1]))], len(page.text))
    around = Spans.of([(0, 30), (int(page.runs.text_start[3]), len(page.text))], len(page.text))
    assert Density(20, 3)(page.within(around)) <= around
    assert not Density()(page.within(Spans.none(len(page.text))))


def test_a_score_is_the_share_of_the_region() -> None:
    page = lengths_page([30, 5, 5, 5, 40, 5, 50])
    assert Density(30, 2).score(page).tolist() == [0.25, 0, 0, 0, 0.75, 0, 0.75]


def test_the_picture_is_figure_3_13() -> None:
    picture = Density(30, 2).picture(lengths_page([30, 5, 5, 5, 40, 5, 50]))
    assert picture.series[0][1].tolist() == [30, 5, 5, 5, 40, 5, 50]
    assert picture.chosen is not None
    assert picture.chosen.tolist() == [False] * 4 + [True, False, True]
    assert picture.thresholds == (("C1", 30.0),)


@pytest.mark.parametrize("wrong", [Density(c1=0), Density(c2=0)])
def test_parameters_out_of_range(wrong: Density) -> None:
    with pytest.raises(BadParameter):
        wrong(Page("<p>text"))


def test_it_is_registered() -> None:
    assert extractor("density") == Density()
