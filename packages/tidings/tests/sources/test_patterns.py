"""Regular expressions that cannot run away (HOSTILE 20)."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import Growth
from tidings.errors import BadPattern
from tidings.sources.front.linear_regex import Pattern

atoms = st.sampled_from(
    ["a", "b", ".", r"\d", r"\w", r"\s", r"\D", r"\.", "[ab]", "[^a]", "[a-c1-3]", r"[\d_-]", "-", "/", "[]a]", "é"]
)
repeats = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "{0,2}", "*?", "+?"])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = st.builds(lambda one, sign: f"({one}){sign}", inner, repeats)
    named = st.builds(lambda one, sign: f"(?:{one}){sign}", inner, repeats)
    either = st.builds(lambda one, other: f"{one}|{other}", inner, inner)
    return group | named | either | st.builds(lambda one, other: one + other, inner, inner)


patterns = st.recursive(st.builds(lambda atom, sign: atom + sign, atoms, repeats), _grown, max_leaves=6)
edged = st.builds(
    lambda start, pattern, end: start + pattern + end, st.sampled_from(["", "^"]), patterns, st.sampled_from(["", "$"])
)


@given(edged, st.lists(st.text(alphabet="abAc1 -/._é\n", max_size=8), min_size=3, max_size=3))
def test_it_finds_what_re_finds(pattern: str, texts: list[str]) -> None:
    ours = Pattern(pattern)
    theirs = re.compile(pattern.replace("$", r"\Z"), re.IGNORECASE | re.DOTALL)
    for text in texts:
        assert ours.search(text) == (theirs.search(text) is not None), text


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"(a)\1", "escape"),
        (r"(?=a)", "looks around"),
        (r"(?<=a)b", "looks around"),
        ("(a", "not closed"),
        ("a)", "not opened"),
        ("[a", "not closed"),
        ("*a", "nothing to repeat"),
        ("a**", "repeated"),
        ("a{5,2}", "fewer"),
        ("a{1001}", "too often"),
        ("((a{100}){100}){100}", "too often"),
        (r"(\w{200}){4}", "too large"),
        ("\\", "escape"),
        ("a" * 501, "characters"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(pattern: str, reason: str) -> None:
    with pytest.raises(BadPattern, match=re.escape(reason)) as raised:
        Pattern(pattern)
    assert "^" in str(raised.value)


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|aa)*$", "(a*)*b", "(.*)(.*)(.*)(.*)x$", "^(([a-z])+.)+[A-Z]([a-z])+$"]
)
def test_catastrophic_patterns_are_harmless(pattern: str, growth: Growth) -> None:
    def work(size: int) -> object:
        return [Pattern(pattern).search("a" * size + "!") for _ in range(5)]

    assert growth(lambda: work(1000), lambda: work(4000)) < 8


def test_a_catastrophic_pattern_ends() -> None:
    assert not Pattern("(a+)+$").search("a" * 3999 + "!")
    assert not Pattern("(x+x+)+y").search("x" * 4000)
    assert Pattern("a$").search("a" * 4001)


def test_shorthands_are_those_of_all_scripts() -> None:
    assert Pattern(r"^\w+$").search("новости")
    assert Pattern(r"^[\w-]+$").search("haber-ülke")
    assert Pattern(r"^\d{2}$").search("٤٢")
    assert not Pattern(r"\W").search("été")
    assert Pattern(r"a\sb").search("a\u00a0b")


def test_half_a_character_is_no_mistake() -> None:
    assert Pattern("a.b").search("a\ud800b")
    assert not Pattern("\ud800").search("a")


@given(st.text(alphabet="ab()[]{}|*+?\\^$.,-0129d", max_size=25))
def test_any_text_is_read_or_refused(pattern: str) -> None:
    with suppress(BadPattern):  # and nothing else
        assert Pattern(pattern).search("ab1") in {True, False}
