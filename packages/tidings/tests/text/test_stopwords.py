"""Stop word lists."""

import hashlib
from importlib.resources import files

import pytest

from tidings.text import (
    content_words,
    fold_case,
    stem_languages,
    stop_word_languages,
    stop_words,
    unify_letters,
)

LANGUAGES = sorted(stop_word_languages())
# SHA-256 of the sorted words of the thesis's tables, one a line, taken from the thesis itself.
N_EXT_TABLES = {
    "en": (221, "c2abce9e5e3f432479cc38546331e78cd45cd4dd52520d5bc2a8bb9b664b7551"),
    "tr": (217, "7f13df2c65216d5754f20ff17f64911dc1dfb8da20e761adfa1bb5eae6ab61a9"),
}


def test_every_stemmed_language_and_the_right_to_left_ones_have_a_list() -> None:
    assert set(LANGUAGES) >= stem_languages() | {"fa", "ur", "ps", "he", "ar"}


@pytest.mark.parametrize("language", sorted(N_EXT_TABLES))
def test_english_and_turkish_are_the_tables_of_n_ext(language: str) -> None:
    """N-EXT thesis tables A.1 (Turkish, 217 words) and A.2 (English, 221 words, "arent" as printed)."""
    count, digest = N_EXT_TABLES[language]
    listed = sorted(stop_words(language))
    assert len(listed) == count
    assert hashlib.sha256("\n".join(listed).encode()).hexdigest() == digest


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_list_has_one_lower_case_word_a_line_and_none_twice(language: str) -> None:
    lines = (files("tidings.text") / "stopwords" / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 60
    assert len(lines) == len(set(lines))
    assert [line for line in lines if line != fold_case(line, language).strip()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_stop_word_is_one_content_word(language: str) -> None:
    """Otherwise it could never be met in a text."""
    listed = stop_words(language)
    assert {word for word in listed if content_words(unify_letters(word, language), language) != [word]} == set()


@pytest.mark.parametrize(
    ("language", "function_words", "content_word"),
    [
        ("de", {"der", "und", "nicht"}, "haus"),
        ("fr", {"le", "et", "l", "à"}, "maison"),
        ("fa", {"در", "است", "را"}, "ایران"),
        ("ar", {"في", "من", "التي"}, "رئيس"),
        ("ru", {"и", "не", "который"}, "дом"),
        ("hi", {"का", "और", "है"}, "समाचार"),
        ("zh", {"的", "了"}, "国"),
        ("sr", {"је", "je"}, "kuća"),
    ],
)
def test_lists_hold_function_words_only(language: str, function_words: set[str], content_word: str) -> None:
    assert function_words <= stop_words(language)
    assert content_word not in stop_words(language)


def test_a_tag_is_read_by_its_language_and_an_unknown_one_has_no_words() -> None:
    assert stop_words("pt-BR") == stop_words("pt") != frozenset()
    assert stop_words("nb") == stop_words("no") != frozenset()
    assert stop_words("xx") == stop_words("") == stop_words("../text/stopwords/en") == frozenset()
