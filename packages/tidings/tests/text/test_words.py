"""Words for measures and words for content."""

import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.text import characters, content_words, count_words, letter_runs, words

ZWNJ = "\u200c"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat's 2nd hat, re-read.", ["the", "cat", "s", "2nd", "hat", "re", "read"]),
        ("İstanbul'da", ["istanbul", "da"]),
        ("ÉTÉ snake_case", ["été", "snake_case"]),
        ("東京で地震。", ["東京で地震"]),
        (f"می{ZWNJ}روم", ["می", "روم"]),
        ("", []),
    ],
)
def test_measured_words_are_the_benchmarks_reading(text: str, expected: list[str]) -> None:
    r"""SPEC 8: words = `\w+`, lower case."""
    assert words(text) == expected


@given(st.text())
def test_measured_words_are_lower_case_word_characters(text: str) -> None:
    for word in words(text):
        assert re.fullmatch(r"\w+", word)
        assert word == word.lower()


def test_characters_are_those_of_the_measured_words() -> None:
    assert characters("東京 A1!") == ["東", "京", "a", "1"]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Don’t stop: it's 5 o'clock", "en", ["don't", "stop", "it's", "5", "o'clock"]),
        ("the boys' toys", "en", ["the", "boys", "toys"]),
        ("L’homme d'aujourd’hui", "fr", ["l", "homme", "d", "aujourd'hui"]),
        ("dell'arte", "it", ["dell", "arte"]),
        ("Ali'nin IŞIĞI İstanbul'da", "tr", ["ali", "ışığı", "istanbul"]),
        ("IŞIK", "de", ["işik"]),
        ("об'єкт", "uk", ["об'єкт"]),
        ('צה"ל הודיע', "he", ['צה"ל', "הודיע"]),
        (f"می{ZWNJ}روم کتاب{ZWNJ}ها", "fa", [f"می{ZWNJ}روم", f"کتاب{ZWNJ}ها"]),
        (f"پایان{ZWNJ} متن", "fa", ["پایان", "متن"]),
        ("हिन्दी में समाचार", "hi", ["हिन्दी", "में", "समाचार"]),
        ("2024年の東京", "ja", ["2024", "年", "の", "東", "京"]),
        ("サーバー", "ja", ["サ", "ー", "バ", "ー"]),
        ("か\u3099く", "ja", ["が", "く"]),
        ("日本Linux協会", "ja", ["日", "本", "linux", "協", "会"]),
        ("ภาษาไทย ๒๕๖๗", "th", ["ภา", "ษา", "ไท", "ย", "๒๕๖๗"]),
        ("ພາສາລາວ", "lo", ["ພາ", "ສາ", "ລາ", "ວ"]),
        ("ភាសាខ្មែរ", "km", ["ភា", "សា", "ខ្មែ", "រ"]),
        ("မြန်မာစာ", "my", ["မြ", "န်", "မာ", "စာ"]),
        ("한국어 뉴스", "ko", ["한국어", "뉴스"]),
        ("___ a_b", "", ["a_b"]),
        ("cafe\u0301", "", ["café"]),
    ],
)
def test_content_words(text: str, language: str, expected: list[str]) -> None:
    assert content_words(text, language) == expected


def test_every_combining_mark_of_a_living_script_stays_in_its_word() -> None:
    r"""`\w` leaves marks out; the class in `words.py` must hold them all."""
    marks = [chr(c) for c in range(0x300, 0x1E00) if unicodedata.category(chr(c)) in {"Mn", "Mc"}]
    assert len(marks) > 1000
    assert [mark for mark in marks if len(content_words(f"a{mark}b")) != 1] == []


@given(st.text(alphabet=st.characters(exclude_characters="'’ʼ")))
def test_without_apostrophes_the_count_is_the_number_of_content_words(text: str) -> None:
    assert count_words(text) == len(content_words(text))


@given(st.text(), st.sampled_from(["", "fr", "tr", "en", "fa"]))
def test_no_content_word_is_empty_or_has_white_space(text: str, language: str) -> None:
    for word in content_words(text, language):
        assert word
        assert not any(char.isspace() for char in word)


def test_letter_runs_keep_case_and_scripts() -> None:
    assert letter_runs("It's 東京!") == ["It", "s", "東京"]


@pytest.mark.parametrize("unit", ["a\u0301\u0316", "\u0301\u0316", f"a{ZWNJ}", "a'", "ក្", 'א"', "เ", "_"])
def test_hostile_runs_take_linear_time(unit: str) -> None:
    """HOSTILE 15. Normalising a run of marks is quadratic: 80,000 of them take Python six seconds."""
    text = "a" + unit * 100_000
    began = time.perf_counter()
    content_words(text, "fr")
    count_words(text)
    assert time.perf_counter() - began < 3
