"""Entropy of repeated blocks (Lin and Ho 2002), with figures worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tidings.extractors.published.block_entropy import (
    BlockEntropy,
    block_entropy,
    chosen_threshold,
    term_entropies,
)
from tidings.page import Hints, Page


def test_entropy_of_terms_by_hand() -> None:
    """Four pages: on one alone 0; on all alike 1; on two alike log_4 2 = 0.5; 3 to 1 on two pages 0.406."""
    pages = [{"menu": 1, "seal": 7, "pair": 2, "skew": 3}, {"menu": 1, "pair": 2, "skew": 1}, {"menu": 1}, {"menu": 1}]
    found = term_entropies(pages)
    assert found["seal"] == 0
    assert found["menu"] == pytest.approx(1)
    assert found["pair"] == pytest.approx(0.5)
    by_hand = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25)) / math.log(4)
    assert found["skew"] == pytest.approx(by_hand)
    assert by_hand == pytest.approx(0.406, abs=5e-4)


def test_entropy_of_a_block_is_the_mean_of_its_terms() -> None:
    known = {"menu": 1.0, "seal": 0.0, "pair": 0.5}
    assert block_entropy(["seal", "menu", "menu"], known) == 0.5
    assert block_entropy(["seal", "menu", "pair"], known) == 0.5
    assert block_entropy([], known) == 1.0


@pytest.mark.parametrize(
    ("entropies", "sizes", "expected"),
    [
        ([0.05, 0.12, 0.9], [50, 5, 20], 0.2),  # 50 terms at 0.1, 55 at 0.2, 55 at 0.3: no more
        ([0.0, 1.0], [10, 10], 0.0),
        ([0.65], [10], 0.7),  # below there is nothing informative at all
        ([0.05, 0.15, 0.25, 0.35], [1, 1, 1, 1], 0.4),
    ],
)
def test_the_threshold_stops_where_no_term_is_added(entropies: list[float], sizes: list[int], expected: float) -> None:
    assert chosen_threshold(np.array(entropies), np.array(sizes)) == pytest.approx(expected)


def site(story: str, more: str = "") -> str:
    return (
        "<html lang=en><body><div>Home Politics Sport Weather</div>"
        f"<div>{story}{more}</div><div>All rights reserved. The Harbour Gazette, Quay Street.</div></body>"
    )


STORIES = (
    "Grey seals have returned to the estuary, wardens counted forty pups.",
    "The council voted to reopen the bridge after repairs.",
    "Fishermen asked for lower mooring fees this winter.",
)


def test_what_stands_on_every_page_goes() -> None:
    siblings = tuple(Page(site(story)) for story in STORIES[1:])
    page = Page(site(STORIES[0]), hints=Hints(siblings=siblings))
    assert BlockEntropy()(page).text(page) == STORIES[0]
    menu, story, foot = BlockEntropy().score(page).tolist()
    assert menu == pytest.approx(0)
    assert story == pytest.approx(1)
    assert foot == pytest.approx(0)


def test_text_of_links_is_returned_only_when_asked_for() -> None:
    siblings = tuple(Page(site(story)) for story in STORIES[1:])
    page = Page(site(STORIES[0], ' <a href="/pups">Pups in pictures</a>'), hints=Hints(siblings=siblings))
    assert "pictures" not in BlockEntropy()(page).text(page)
    assert "pictures" in BlockEntropy(link_text=True)(page).text(page)
