"""Stop words by language: the words that a text holds whatever it is about.

English and Turkish are the lists of the N-EXT thesis (tables A.2 and A.1, 221 and 217 words). The lists of
the other languages were written for this project: articles, pronouns, prepositions, conjunctions,
auxiliaries and common adverbs, in the form that `content_words` returns. Chinese stop words are single
characters, since its content words are. Serbian is listed in both alphabets.

The lists are files beside this module, one word a line, read when a language is first asked for.
"""

from functools import cache
from pathlib import Path

from tidings.text.normalise import base_language

_SUFFIX = ".txt"
_FOLDER = Path(__file__).with_name("stopwords")


def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, by ISO 639-1 code or tag (`pt`, `pt-BR`); none for an unknown one."""
    code = base_language(language)
    return _read(code) if code in stop_word_languages() else frozenset()


@cache
def stop_word_languages() -> frozenset[str]:
    """The ISO codes of the languages that have a list."""
    return frozenset(file.stem for file in _FOLDER.iterdir() if file.suffix == _SUFFIX)


@cache
def _read(code: str) -> frozenset[str]:
    listed = _FOLDER / f"{code}{_SUFFIX}"
    return frozenset(listed.read_text(encoding="utf-8").split())
