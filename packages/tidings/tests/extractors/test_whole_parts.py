"""A part with all text of a page has its probabilities and selection; models that do not fit are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from tests.page import soup
from tests.page.soup import PIECES
from tidings import Page, newspaper
from tidings.errors import BadModel, PageError
from tidings.extractors.learned import blocks as block_looks
from tidings.extractors.learned.extractor import Learned
from tidings.extractors.learned.model import shipped


def assert_same(html: bytes | str) -> None:
    """Compare the kinds, probabilities and selection of a page with those of a part with all of its text."""
    try:
        page = Page(html, "https://gazette.example/seals/1")
    except PageError:
        return
    part = page.within(page.scope)
    assert part.is_part
    assert shipped().kinds.probabilities(page) == shipped().kinds.probabilities(part)
    experts = [shipped().article, shipped().other]
    (blocks, looks), (part_blocks, part_looks) = (block_looks.look(one, experts) for one in (page, part))
    assert [column.tolist() for column in blocks] == [column.tolist() for column in part_blocks]
    assert [look.tolist() for look in looks] == [look.tolist() for look in part_looks]
    assert Learned().decide(part).spans == Learned().decide(page).spans


def test_a_part_with_all_text_of_a_page_of_the_newspaper() -> None:
    for page in newspaper.pages():
        assert_same(page.html)


@given(soup.soup(*PIECES, size=60))
def test_a_part_with_all_text_of_a_random_page(html: str) -> None:
    assert_same(f"<title>a bc text</title>{html}")


def test_a_model_that_asks_for_other_features_is_refused() -> None:
    page = Page("<p>Some words of a story that is told here.</p>" * 3)
    expert = shipped().article
    other = replace(expert.trees, features=expert.trees.features[::-1])
    with pytest.raises(BadModel, match="features of another version"):
        block_looks.look(page, [expert._replace(trees=other)])
