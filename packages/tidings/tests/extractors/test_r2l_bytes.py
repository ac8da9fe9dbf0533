"""R2L as printed: bytes in, text out, nothing parsed (DANA thesis 4.3)."""

from __future__ import annotations

import numpy as np
import pytest

from tidings.extractors.published.dana import R2L
from tidings.extractors.published.r2l_bytes import R2LBytes, main_lines, text_of
from tidings.page import Page

from .documents import ARABIC, article

STORY = " ".join(ARABIC.split())


def test_lines_by_hand() -> None:
    """Lines of four, C is code: one region above the axis, from the second line to the fourth."""
    letters = "CCCC" + "aaaa" + "aaaa" + "CCCC" + "aaaC"
    is_content = np.array([one == "a" for one in letters])
    # differences: -4 4 4 -4 2; smoothed by eq. 4.2: 0 4 4 2 -2
    assert main_lines(is_content, gap=8, line_length=4) == [(4, 16)]
    assert main_lines(is_content[:6], gap=8, line_length=4) == []  # 0 of 4 and 2 of 2: -4 and 2, smoothed -2 and -2
    assert main_lines(np.zeros(0, np.bool_), gap=8, line_length=4) == []


def test_scripts_style_sheets_and_comments_are_cut_out() -> None:
    for hidden in (
        f"<script>var a='{ARABIC * 9}'</script>",
        f"<style>/*{ARABIC * 9}*/</style>",
        f"<!--{ARABIC * 9}-->",
    ):
        found = text_of(f"<body>{hidden}<p>{ARABIC}</p></body>".encode())
        assert found.count("المجلس") == 1
    assert text_of(f"<p>{ARABIC}</p><script>{ARABIC * 9}".encode()).count("المجلس") == 1


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1256"])
def test_the_story_without_ascii(encoding: str) -> None:
    page = f'<html><head><meta charset="{encoding}"></head><body><p>{ARABIC} (2026) {ARABIC}</p></body></html>'
    found = text_of(page.encode(encoding))
    assert found.count("صوت المجلس يوم الثلاثاء") == 2
    assert not any(letter.isascii() and not letter.isspace() for letter in found)


def test_it_finds_what_r2l_finds_on_a_plain_page() -> None:
    source = article(6, ARABIC)
    page = Page(source)
    mine, scanned = R2LBytes()(page), R2L()(page)
    letters = [set(np.flatnonzero(one.mask() & (page.text_codes > 127)).tolist()) for one in (mine, scanned)]
    assert len(letters[0] & letters[1]) > 0.98 * len(letters[0] | letters[1])
    assert "".join(text_of(source.encode()).split()) == "".join(mine.text(page).split())


def test_what_nobody_sees_counts_and_is_not_given_out() -> None:
    """As printed, hidden text is content; no extractor of ours gives it out."""
    page = Page(f"<p>{ARABIC}</p><p hidden>{ARABIC}</p>")
    assert text_of(page.source.encode()).count("المجلس") == 2
    assert R2LBytes()(page).text(page).count("المجلس") == 1
