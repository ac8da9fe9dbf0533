"""Stop words by language: the words that a text holds whatever it is about.

English and Turkish are the lists of the N-EXT thesis (tables A.2 and A.1, 221 and 217 words). The lists of
the other languages were written for this project: articles, pronouns, prepositions, conjunctions,
auxiliaries and common adverbs, in the form that `content_words` returns. Chinese stop words are single
characters, since its content words are. Serbian is listed in both alphabets.

The lists are files beside this module, one word a line, read when a language is first asked for.
"""

from functools import cache
from importlib.resources import files

from tidings.text.normalise import base_language

_SUFFIX = ".txt"


def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, by ISO 639-1 code or tag (`pt`, `pt-BR`); none for an unknown one."""
    code = base_language(language)
    return _read(code) if code in stop_word_languages() else frozenset()


@cache
def stop_word_languages() -> frozenset[str]:
    """The ISO codes of the languages that have a list."""
    folder = files("tidings.text") / "stopwords"
    return frozenset(entry.name.removesuffix(_SUFFIX) for entry in folder.iterdir() if entry.name.endswith(_SUFFIX))


@cache
def _read(code: str) -> frozenset[str]:
    listed = files("tidings.text") / "stopwords" / f"{code}{_SUFFIX}"
    return frozenset(listed.read_text(encoding="utf-8").split())
