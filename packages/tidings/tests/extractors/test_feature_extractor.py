"""FE and K-FE (DANA thesis 3.2.3, Algorithm 2; Debnath et al. 2005)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadParameter
from tidings.extractors.published.feature_extractor import FE, KFE, k_means, relative, text_blocks
from tidings.page import Page, tags

LONG, SHORT = "word " * 40, "word " * 30


def groups(source: str, block_tags: str = "table tr p hr ul div") -> list[list[str]]:
    """Return the runs of each block; blocks in the order of their first run."""
    page = Page(source)
    block, _ = text_blocks(page, block_tags)
    blocks: dict[int, list[str]] = {}
    for run, number in enumerate(block.tolist()):
        blocks.setdefault(number, []).append(page.text[page.runs.text_start[run] : page.runs.text_end[run]])
    return list(blocks.values())


def test_a_block_is_what_has_the_same_nearest_block_element() -> None:
    """Algorithm 2: a block is split at block elements inside it, and the text between them is kept."""
    assert groups("<div>a<p>b <b>c</b></p>d<table><tr><td>e<td>f<tr><td>g</table></div>h") == [
        ["a", "d"],
        ["b", "c"],
        ["e", "f"],
        ["g"],
        ["h"],
    ]


def test_a_rule_parts_blocks() -> None:
    assert groups("<div>a<hr>b<hr>c</div>") == [["a"], ["b"], ["c"]]
    assert groups("<div>a<hr>b</div>", "div") == [["a", "b"]]


def test_elements_are_in_the_block_around_them() -> None:
    page = Page("<p>a <img> <a href=x>b</a></p><p>c</p>")
    runs, elements = text_blocks(page, "p")
    tag = page.elements.tag
    assert elements[tag == tags.NUMBERS["img"]] == runs[0]
    assert elements[tag == tags.NUMBERS["a"]] == runs[0]
    assert elements[tag == tags.NUMBERS["p"]].tolist() == [runs[0], runs[2]]


def test_values_are_relative_to_the_set_of_blocks() -> None:
    """Each value is divided by the largest of its kind; a kind whose values are all 0 does not count."""
    assert relative(np.array([[1.0, 4.0], [0.0, 2.0], [0.0, 0.0]])).tolist() == [0.25, 2.0]


def test_a_block_goes_into_the_basket_if_the_wanted_features_are_at_least_the_others() -> None:
    """ "If the sum of feature values related to the desired features is greater than or equal …" (3.2.3)."""
    page = Page(f"<p>{LONG}</p><div>Menu <a href=x>a</a> <a href=x>b</a> <img> <form></form></div><p>{SHORT}</p>")
    block, basket, values = FE().winners(page)
    assert sorted(basket.tolist()) == sorted({int(block[0]), int(block[-1])})
    assert sorted(values.tolist()) == [1 + 30 / 40, 2.0]  # text 1 and 3/4 of the largest, one text tag (p) each


def test_a_draw_is_enough_for_the_basket() -> None:
    """ "Greater than or equal to" (3.2.3): all the text of the page on one side, all its links on the other."""
    page = Page("<div>one <a href=x>two</a></div>")
    assert FE()(page) == page.visible


def test_values_are_worked_out_once_more_in_the_basket() -> None:
    """ "In the second step, feature values will be calculated once again for a new set of blocks" (3.2.3)."""
    clutter = f"<div>{LONG * 2}<a href=x>a</a><img><form></form><iframe></iframe></div>"
    _, basket, values = FE().winners(Page(f"{clutter}<p>{LONG}</p>"))
    assert len(basket) == 1
    assert values.tolist() == [2.0]  # its text is now the largest there is


def test_fe_takes_the_one_block_with_most() -> None:
    """ "The block with the highest sum of desired values being selected as the winner block" (3.2.3)."""
    page = Page(f"<p>{SHORT}</p><p>{LONG}</p><p>{LONG}</p><p>few words</p>")
    assert FE()(page).text(page) == LONG.strip()
    assert FE()(page).starts[0] == len(SHORT)  # the first of equals


def test_k_fe_takes_a_cluster_of_them() -> None:
    """ "Select K blocks rather than a block" by k-means in the winner basket (3.2.3)."""
    page = Page(f"<p>{SHORT}</p><p>few words</p><p>{LONG}</p><p>others</p>")
    assert KFE(k=2)(page).text(page) == f"{SHORT.strip()}\n{LONG.strip()}"


def test_k_fe_keeps_all_when_all_are_alike() -> None:
    page = Page("<p>one two</p><p>three four</p>")
    assert KFE()(page) == page.visible


@pytest.mark.parametrize(
    ("values", "k", "expected"),
    [
        ([0.0, 0.1, 0.9, 1.0], 2, [0, 0, 1, 1]),
        ([1.0, 0.0, 0.45, 0.5], 3, [2, 0, 1, 1]),
        ([5.0], 4, [0]),
        ([2.0, 2.0], 2, [0, 0]),
        # Starts with centres 0 and 10; 4.5 moves to the upper cluster once that has come down.
        ([0.0, 0.0, 0.0, 0.0, 4.5, 6.0, 6.0, 10.0], 2, [0, 0, 0, 0, 1, 1, 1, 1]),
    ],
)
def test_k_means_on_a_line(values: list[float], k: int, expected: list[int]) -> None:
    assert k_means(np.array(values), k).tolist() == expected


PIECES = st.sampled_from(
    ["<p>", "</p>", "<div>", "<ul><li>", "<a href=x>", "</a>", "<hr>", "word ", "two words ", "<img>"]
)


@given(st.lists(PIECES, min_size=1))
def test_the_winner_of_fe_is_among_those_of_k_fe(pieces: list[str]) -> None:
    """K-FE is "the extended version of FE" (3.2.3)."""
    page = Page("".join(["x", *pieces]))
    assert FE()(page) <= KFE()(page)


def test_a_block_is_graded_by_the_wanted_and_by_nothing_outside_the_basket() -> None:
    page = Page(f"<p>{LONG}</p><div>Menu <a href=x>a</a> <a href=x>b</a> <img> <form></form></div><p>{SHORT}</p>")
    assert FE().score(page).tolist() == [2.0, 0.0, 1.75]


def test_wrong_parameters_are_errors() -> None:
    with pytest.raises(BadParameter, match="at least two"):
        KFE(k=1)(Page("<p>x"))
    with pytest.raises(BadParameter, match="'blok'"):
        FE(block_tags="p blok")(Page("<p>x"))
