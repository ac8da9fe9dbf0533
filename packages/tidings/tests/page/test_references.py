"""Character references: those that are plain are told quickly, and as the standard library tells them."""

from __future__ import annotations

from html import unescape as thoroughly

from hypothesis import given
from hypothesis import strategies as st

from tidings.page.references import unescape

_PIECES = "& amp; lt; nbsp; rsquo; notit; nosuch; # #x 8217 41 1; 128; 0; x110000; ; a b & < é".split(" ")


@given(st.lists(st.sampled_from(["&", *_PIECES]), max_size=12).map("".join))
def test_plain_references_stand_for_what_they_stand_for(text: str) -> None:
    assert unescape(text) == thoroughly(text)


def test_what_is_remembered_is_bounded() -> None:
    for number in range(10_000):
        assert unescape(f"&#{40_000 + number};") == chr(40_000 + number)


def test_a_number_without_end_is_no_reason_to_fail() -> None:
    assert unescape("a &amp; &#" + "9" * 5000 + ";") == "a & \ufffd"
