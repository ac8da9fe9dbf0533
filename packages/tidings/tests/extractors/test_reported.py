"""Found by the review of issue 2: each test is the smallest page that shows the fault."""

from __future__ import annotations

import pytest

from tidings.extractors import extractor
from tidings.extractors.published.dana import R2L
from tidings.page import Page

from .documents import ARABIC

PERSIAN = "مردم می‌خواهند کتاب‌های تازه را بخوانند و درباره‌ی آن‌ها بنویسند "


def test_r2l_keeps_the_joiners_inside_words() -> None:
    """U+200C and U+200D belong to the words (thesis 4.3.2: S2, the code, is ASCII; they are not)."""
    page = Page(f"<p>{PERSIAN * 10}</p>")
    assert R2L()(page).words(page)[:7] == PERSIAN.split()[:7]


@pytest.mark.parametrize("name", ["r2l", "dana"])
def test_hidden_text_is_not_the_largest_region(name: str) -> None:
    """The largest region is hidden, nothing of it may be shown, and the story is left out: nothing comes back."""
    links = '<a href="http://example.org/a/rather/long/address">x</a>' * 60
    page = Page(f"<div hidden><p>{ARABIC * 20}</p></div>{links}<p>{ARABIC * 10}</p>")
    assert extractor(name)(page).characters > 0.9 * len(ARABIC * 10)
