"""Stemming with the Snowball stemmers.

N-EXT (thesis 4.1.4) stems with Zemberek (Turkish) and Porter (English); LBNEST (III.B) and TrendFinder (DANA thesis
2.1.4.4) stem too. Here every language with a Snowball algorithm uses it; words of other languages are their own stems.
A Snowball stem is a key for comparison, not always a word: Turkish *akşam* becomes *akşa*, and the thesis's *catlike*
and *catty* do not become *cat*.

No stem is empty. Snowball removes everything from words that consist of endings: in Greek *ιού*, *έως*, *εις* and
hundreds more of up to four letters, in Nepali *को*, *थे* and others. Such a word is its own stem, because an empty key
would merge all of them into one term.
"""

import threading
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from types import ModuleType

from tidings.text.normalise import base_language, fold_case

# ISO 639-1 code → Snowball algorithm. English is Porter's revised algorithm ("Porter 2").
_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

# Longer words are not inflected; a hostile page may contain a word of a million letters.
_LONGEST = 64
# 200 English articles contain some 19,000 distinct words. Computing a stem takes a microsecond in C and some 30 in
# Python; a cache hit takes 0.3.
_REMEMBERED = 1 << 16


# A Snowball stemmer has internal state, so each thread has its own.
_own = threading.local()


def stem(word: str, language: str) -> str:
    """Return the stem of a word, lower-cased by the rules of the language."""
    return stems((word,), language)[0]


def stems(words: Iterable[str], language: str) -> list[str]:
    """Return the stems of many words, in their order."""
    code = base_language(language)
    if code not in stem_languages():
        return [fold_case(word, code) for word in words]
    return list(map(_remembered(code).__getitem__, words))


@cache
def stem_languages() -> frozenset[str]:
    """Return the ISO codes of the languages with a stemmer."""
    # An older Snowball, or PyStemmer, which it uses if installed, may lack some.
    available = set(_snowball().algorithms())
    return frozenset(code for code, algorithm in _ALGORITHMS.items() if algorithm in available)


class _Stems(dict[str, str]):
    """A cache of stems, without words that are too long to have one."""

    def __init__(self, code: str) -> None:
        self._code = code

    def __missing__(self, word: str) -> str:
        folded = fold_case(word, self._code)
        if len(word) > _LONGEST:
            return folded
        if len(self) >= _REMEMBERED:
            self.clear()
        try:
            result = _stemmer(self._code)(folded) or folded
        except UnicodeEncodeError:  # a lone surrogate, which the C stemmers reject
            result = folded
        self[word] = result
        return result


@cache
def _remembered(code: str) -> _Stems:
    return _Stems(code)


def _stemmer(code: str) -> Callable[[str], str]:
    stemmers: dict[str, Callable[[str], str]] = _own.__dict__.setdefault("stemmers", {})
    if code not in stemmers:
        stemmer = _snowball().stemmer(_ALGORITHMS[code])
        if hasattr(stemmer, "maxCacheSize"):
            stemmer.maxCacheSize = 0  # disable PyStemmer's own cache, which takes ten times as long as stemming
        stemmers[code] = stemmer.stemWord
    return stemmers[code]


def _snowball() -> ModuleType:
    # Imported late, because it loads some forty modules; by name, because it has no type hints.
    return import_module("snowballstemmer")
