"""Bylines and dates never open a summary."""

from __future__ import annotations

import pytest

from tidings_portal.portal.edition import brief
from tidings_portal.stories.byline import without_byline

SENTENCE = "Flip side of the bridge is rusting."


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        (f"By Jo Okafor 2026-11-15T23:26:00+00:00 {SENTENCE}", ()),
        (f"Von Jo Okafor, 2026-11-15 – {SENTENCE}", ()),
        (f"2026-11-15T23:26:00Z {SENTENCE}", ()),
        (f"2026-11-15 23:26 | 2026-11-16 {SENTENCE}", ()),
        (f"By Jo Okafor {SENTENCE}", ("Jo Okafor",)),
        (f"Jo Okafor | {SENTENCE}", ("Ann Bell", "Jo Okafor")),
        (SENTENCE, ()),
    ],
)
def test_the_byline_and_the_date_are_cut(text: str, authors: tuple[str, ...]) -> None:
    assert without_byline(text, authors) == SENTENCE


@pytest.mark.parametrize(
    "text",
    [
        "By Monday the bridge will be closed.",
        "Von Anfang an war die Brücke rostig.",
        "2026 was a good year for seals.",
        "Jo Okafors book is out.",
    ],
)
def test_sentences_that_only_look_so_stay(text: str) -> None:
    assert without_byline(text, ("Jo Okafor",)) == text


def test_a_byline_alone_leaves_nothing() -> None:
    assert without_byline("By Jo Okafor 2026-11-15T23:26:00+00:00", ()) == ""


def test_a_summary_on_the_front_page_begins_with_its_sentence() -> None:
    assert brief(f"By Jo Okafor 2026-11-15T23:26:00+00:00 {SENTENCE}", "Bridge") == SENTENCE
