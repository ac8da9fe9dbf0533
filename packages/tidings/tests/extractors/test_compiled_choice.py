"""The endings and spans of a part that holds all text of a page are those of the page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import pages
from tests.page import soup
from tests.page.soup import PIECES
from tidings import Page, newspaper
from tidings.errors import PageError
from tidings.extractors.learned import ending
from tidings.extractors.learned.blocks import visible_blocks
from tidings.extractors.learned.removal import Removal
from tidings.extractors.learned.stages import BlockProbabilities, selected_text


def assert_same(data: bytes | str, seed: int) -> None:
    """Compare the compiled functions with Python's on blocks of which some are chosen."""
    url = "https://gazette.example/seals/1"
    try:
        page = Page(data, url)
    except PageError:
        return
    part = page.within(page.scope)
    found, count = visible_blocks(page), len(visible_blocks(page).blocks)
    random = np.random.default_rng(seed)
    probability = random.random(count)
    for share in (0.2, 0.6, 1.0):
        # In stretches, as a story is.
        chosen = np.repeat(random.random(count // 4 + 1) < share, 4)[:count]
        mine, theirs = (ending.endings(one, found, probability, chosen) for one in (page, part))
        assert mine.signs == theirs.signs
        assert [one.tolist() for one in mine.lists] == [one.tolist() for one in theirs.lists]
        removals = [Removal(one, found, probability, chosen.copy()) for one in (page, part)]
        ending.end(page, found, removals[0], mine)
        ending.end(part, found, removals[1], theirs)
        assert removals[0].selected.tolist() == removals[1].selected.tolist()
        look = BlockProbabilities("article", 0.9, found, probability)
        taken = selected_text(part, look, chosen)
        assert selected_text(page, look, chosen) == selected_text(page, look, chosen, mine.text) == taken


def test_the_newspaper_is_chosen_from_alike() -> None:
    for seed, page in enumerate(newspaper.pages()):
        assert_same(page.html, seed)


@given(soup.soup(*PIECES, size=60), st.integers(0, 2**32 - 1))
def test_made_up_pages_are_chosen_from_alike(html: str, seed: int) -> None:
    assert_same(f"<title>a bc text</title>{html}", seed)


LINES = [
    "<p>Wardens counted forty pups on the sandbank at dawn, more than in any year on record.</p>",
    "<p>The <span hidden>old</span><i hidden>est</i> tide table of the bay was wrong by an hour.</p>",
    "<li><a href=/news/1>Ferry number one runs aground again</a></li>",
    "<li><a href=/news/2>Water will be dear this year</a> says the minister to the chamber</li>",
    "<li>Read <a href=/news/3>of the seals on the sandbank</a> and <a href=/x>more</a></li>",
    "<p>12:05 14.03.2026</p>",
    "<h1>Seals come back to the bay</h1>",
    "<h3>3 Comments</h3>",
    '<div>{"key": "value", "other": 1} and so on for a while, until there are twenty words of it, as here it is</div>',
    "<p>WARDENS counted forty pups on the sandbank at dawn, more than in any year on record.</p>",
    "<p>Wardens counted forty pups on the sandban\u212a at dawn, more than in any year on record.</p>",
    "<p>Wardens counted forty pups on the sandbank at dawn, more than in any other records.</p>",
    "<p hidden>Nobody sees this line.</p>",
    "<p></p>text<br>and more",
]


@given(st.lists(st.sampled_from(LINES), max_size=40), st.integers(0, 2**32 - 1))
def test_made_up_stories_are_chosen_from_alike(lines: list[str], seed: int) -> None:
    assert_same(f"<title>Seals come back</title>{''.join(lines)}", seed)


@pytest.mark.shared
@pytest.mark.parametrize("corpus", ["wcxb-dev", "fundus-dev", "sites", "news-multilingual", "rtl", "news-modern"])
def test_real_pages_are_chosen_from_alike(corpus: str, shared_data: Path, gate: bool) -> None:
    assert shared_data.is_dir()
    for seed, data in enumerate(pages.each(corpus, every=4 if gate else 40)):
        assert_same(data, seed)
