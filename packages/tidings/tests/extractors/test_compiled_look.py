"""A part that holds all text of a page gets the same probabilities as the page; models that do not fit are refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from benchmarks import pages
from tests.page import soup
from tests.page.soup import PIECES
from tidings import Page, newspaper
from tidings.errors import BadModel, PageError
from tidings.extractors.learned import blocks as block_looks
from tidings.extractors.learned.extractor import Learned
from tidings.extractors.learned.model import shipped


def assert_same(data: bytes | str) -> None:
    """The probabilities of the kinds of a page, and those of its blocks by both experts."""
    try:
        page = Page(data)
    except PageError:
        return
    part = page.within(page.scope)
    assert part.is_part
    assert shipped().kinds.probabilities(page) == shipped().kinds.probabilities(part)
    assert_looks_equal(page, part)


def assert_looks_equal(page: Page, other: Page) -> None:
    experts = [shipped().article, shipped().other]
    (blocks, looks), (other_blocks, other_looks) = block_looks.look(page, experts), block_looks.look(other, experts)
    for column, other_column in zip(blocks, other_blocks, strict=True):
        assert np.array_equal(column, other_column)
    for probability, other_chance in zip(looks, other_looks, strict=True):
        assert np.array_equal(probability, other_chance)


def test_the_newspaper_is_seen_the_same() -> None:
    for page in newspaper.pages():
        assert_same(page.html)


@given(soup.soup(*PIECES, size=60))
def test_made_up_pages_are_seen_the_same(html: str) -> None:
    assert_same(f"<title>a bc text</title>{html}")


@pytest.mark.parametrize("blocks", [0, 1, 2, 15, 16, 17, 33, 500])
def test_any_number_of_blocks_is_seen_the_same(blocks: int) -> None:
    words = "the seals came back to the estuary, and 3 of 14:05 stay. ".split(" ")
    paragraphs = "".join(
        f"<div class='n{place % 7} meta_{place % 3}'><p id=x{place % 5}>{' '.join(words[: place % 12])}</p></div>"
        for place in range(blocks)
    )
    assert_same(f"<title>Seals came back</title><h1>Seals</h1>{paragraphs}<p hidden>not this</p>")


@pytest.mark.shared
@pytest.mark.parametrize("corpus", ["wcxb-dev", "fundus-dev", "sites", "news-multilingual", "rtl", "news-modern"])
def test_real_pages_are_seen_the_same(corpus: str, shared_data: Path, gate: bool) -> None:
    assert shared_data.is_dir()
    for data in pages.each(corpus, every=4 if gate else 40):
        assert_same(data)


def test_a_model_that_asks_for_other_features_is_refused() -> None:
    page = Page("<p>Some words of a story that is told here.</p>" * 3)
    expert = shipped().article
    other = replace(expert.trees, features=expert.trees.features[::-1])
    with pytest.raises(BadModel, match="features of another version"):
        block_looks.look(page, [expert._replace(trees=other)])


def test_a_part_that_holds_all_text_is_looked_at_like_the_page() -> None:
    page = Page("<div class=story><p>Some words of a story that is told here.</p></div><p class=menu>Home" * 30)
    part = page.within(page.visible)
    assert part.is_part
    assert_looks_equal(part, page)
    assert Learned().decide(part).spans == Learned().decide(page).spans
