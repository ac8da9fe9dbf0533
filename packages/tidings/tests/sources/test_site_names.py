"""Links in which a site speaks of itself are no stories; those that tell of it are (LBNEST II.C.2.ii)."""

from __future__ import annotations

import pytest

from tidings.fields.keys import squashed
from tidings.sources.front.filters import SiteName, _is_promotion

NAMES = ("theislandherald", "islandherald")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Subscribe to the Island Herald newspaper", True),
        ("Download the Island Herald app", True),
        ("About the Island Herald", True),
        ("Island Herald wins a prize for its report on the ferry", False),
        ("Subscribe to the ferry's timetable", False),
        ("Ferry strike enters second week", False),
        ("", False),
    ],
)
def test_the_name_among_words_that_ask_for_something(text: str, expected: bool) -> None:
    assert _is_promotion(text, squashed(text), NAMES) is expected


def test_likeness_is_as_it_was() -> None:
    assert SiteName()._is_similar("theislandherald", NAMES[0])
    assert not SiteName()._is_similar(squashed("Ferry strike enters second week"), NAMES[0])
