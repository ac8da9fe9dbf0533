"""The compiled look against the Python that specifies it: every chance of every block the same, bit by bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks import pages
from hypothesis import given

import tidings.page.page as page_module
from tests.conftest import needs_core
from tests.page import soup
from tests.page.test_compiled import PIECES
from tidings import Page
from tidings.errors import PageError
from tidings.extractors.learned import compiled
from tidings.extractors.learned.choice import _chosen
from tidings.extractors.learned.extractor import Learned, _look
from tidings.extractors.learned.features import PlainFeatures
from tidings.extractors.learned.lexicon import names
from tidings.extractors.learned.model import shipped
from tidings.extractors.learned.seen_blocks import SeenBlocks
from tidings.extractors.learned.trees import chances
from tidings.news import newspaper


@pytest.fixture(autouse=True, scope="module")
def _has_core() -> None:
    needs_core()


def assert_same(data: bytes | str) -> None:
    """The names on a page, the chances of its kinds, and those of its blocks by both experts."""
    try:
        page = Page(data)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(page_module, "scan", lambda *_: None)
            plain_page = Page(data)
    except PageError:
        return
    experts = [shipped().article, shipped().other]
    looked = compiled.look(page, experts)
    if page.compiled is None:  # a page that is left to Python
        assert looked is None
        return
    assert looked is not None
    blocks, found = looked
    mine, theirs = names(page), names(plain_page)
    assert np.array_equal(mine.words, theirs.words)
    assert np.array_equal(mine.line_of_word, theirs.line_of_word)
    assert np.array_equal(shipped().kinds.chances(page), shipped().kinds.chances(plain_page))
    seen = SeenBlocks(plain_page)
    assert np.array_equal(blocks.blocks, seen.blocks)
    assert np.array_equal(blocks.words, seen.words)
    assert np.array_equal(blocks.dates, seen.dates)
    for expert, (chance, choice) in zip(experts, found, strict=True):
        assert np.array_equal(chance, _look(expert, PlainFeatures(seen), theirs))
        assert choice is not None
        for chosen, is_story in ((choice.plain, False), (choice.careful, True)):
            best, expected = _chosen(chance, seen.words, 1.0, is_story=is_story)
            assert chosen.tolist() == best.tolist()
            assert choice.expected == expected  # bit by bit


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


def test_a_model_that_asks_for_other_features_is_looked_at_in_python() -> None:
    page = Page("<p>Some words of a story that is told here.</p>" * 3)
    expert = shipped().article
    other = type(expert)(expert.lexicon, expert.second, expert.second)
    assert compiled.look(page, [other]) is None


def test_a_part_of_a_page_is_looked_at_in_python() -> None:
    page = Page("<p>Some words of a story that is told here.</p>" * 30)
    part = page.within(page.visible)
    assert part.is_part
    assert compiled.look(part, [shipped().article]) is None
    assert Learned().decide(part).spans == Learned().decide(page).spans


def test_chances_are_those_of_the_logistic_function() -> None:
    odds = np.linspace(-40, 40, 4001)
    assert np.allclose(chances(odds), 1 / (1 + np.exp(-np.clip(odds, -30, 30))), rtol=1e-14, atol=0)
