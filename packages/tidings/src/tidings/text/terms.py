"""Terms for comparison: content words without stop words, stemmed.

This is the preparation that N-EXT (thesis 4.1.4), LBNEST (III.B) and TrendFinder (DANA thesis 2.1.4.4) share;
TitleFinder removes stop words and does not stem. Stop words are removed before stemming, because the lists contain full
forms. Persian, Urdu, Pashto and Arabic letters are unified first.

English and Turkish stop words are the lists of the N-EXT thesis (tables A.2 and A.1, 221 and 217 words). The lists of
other languages were written for this project: articles, pronouns, prepositions, conjunctions, auxiliaries and common
adverbs, in the form that `content_words` returns. Chinese stop words are single characters, like its content words.
Serbian is listed in both alphabets. The lists are files in `stopwords`, one word per line, read on first use.
"""

from functools import cache
from pathlib import Path

from tidings.text.normalise import base_language, unify_letters
from tidings.text.stems import stems
from tidings.text.words import content_words

_SUFFIX = ".txt"
_FOLDER = Path(__file__).with_name("stopwords")


def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language by ISO 639-1 code or tag (`pt`, `pt-BR`); empty if it is unknown."""
    code = base_language(language)
    return _read(code) if code in stop_word_languages() else frozenset()


@cache
def stop_word_languages() -> frozenset[str]:
    """Return the ISO codes of the languages with a stop word list."""
    return frozenset(file.stem for file in _FOLDER.iterdir() if file.suffix == _SUFFIX)


@cache
def _read(code: str) -> frozenset[str]:
    listed = _FOLDER / f"{code}{_SUFFIX}"
    return frozenset(listed.read_text(encoding="utf-8").split())


def terms(text: str, language: str = "", *, without_stop_words: bool = True, stemmed: bool = True) -> list[str]:
    """Return the terms of a text in reading order, with repetitions.

    Without a known language the terms are the content words.
    """
    result = content_words(unify_letters(text, language), language)
    if without_stop_words:
        excluded = stop_words(language)
        result = [word for word in result if word not in excluded]
    return stems(result, language) if stemmed else result
