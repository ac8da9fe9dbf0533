"""Language codes, white space, case, Arabic-script letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.text import base_language, content_words, fold_case, fold_space, unify_letters, without_breaks


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("en", "en"),
        ("pt-BR", "pt"),
        ("zh_Hant_TW", "zh"),
        ("TR", "tr"),
        ("nb-NO", "no"),
        ("nn", "no"),
        ("iw", "he"),
        ("", ""),
        ("x", ""),
        ("english", ""),
        ("../en", ""),
    ],
)
def test_base_language(tag: str, code: str) -> None:
    assert base_language(tag) == code


def test_fold_space() -> None:
    assert fold_space("\n a\u00a0\u2003b\t\r\n c ") == "a b c"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("IŞIK İZMİR", "tr", "ışık izmir"),
        ("IŞIK İZMİR", "", "işik izmir"),
        ("ISI", "az", "ısı"),
        ("I\u0307zmir", "tr", "izmir"),
        ("i\u0307zmir", "tr", "izmir"),
        ("Straße ΟΔΟΣ", "de", "straße οδος"),
        ("TITLE", "tr-TR", "tıtle"),
        ("TITLE", "en", "title"),
    ],
)
def test_fold_case(text: str, language: str, expected: str) -> None:
    assert fold_case(text, language) == expected


@given(st.text(), st.sampled_from(["", "tr", "en"]))
def test_folding_twice_is_folding_once(text: str, language: str) -> None:
    once = fold_case(text, language)
    assert fold_case(once, language) == once


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("ايران كتاب", "fa", "ایران کتاب"),
        ("على", "fa", "علی"),
        ("كتابـــ مُحَمَّد", "ar", "كتاب محمد"),
        ("کتاب فی", "ar", "كتاب في"),
        ("ه ك", "ur", "ہ ک"),
        ("ي ك", "ps", "ي ک"),
        ("ي ك", "en", "ي ك"),
    ],
)
def test_unify_letters(text: str, language: str, expected: str) -> None:
    assert unify_letters(text, language) == expected


def test_signs_that_only_say_where_a_line_may_break_break_no_word() -> None:
    said = "Donau\u00addampf\u200bschiff\u2060fahrt"
    assert fold_space(f" {said}\u00a0 ") == "Donaudampfschifffahrt"
    assert content_words(said) == ["donaudampfschifffahrt"]
    assert without_breaks("می\u200cخواهم 👩\u200d🚒") == "می\u200cخواهم 👩\u200d🚒", "joiners are letters' own"
    assert without_breaks("ភាសា\u200bខ្មែរ") == "ភាសា\u200bខ្មែរ", "Khmer parts words with it"
