"""Stems: word forms brought back to one form, by the Snowball stemmers.

N-EXT (thesis 4.1.4) stems with Zemberek (Turkish) and Porter (English); LBNEST (III.B) and TrendFinder
(DANA thesis 2.1.4.4) stem too. Here every language that has a Snowball algorithm uses it; a word of any
other language is its own stem. A Snowball stem is a key for comparing, not always a word: Turkish *akşam*
becomes *akşa*, and the thesis's *catlike* and *catty* do not become *cat*.

No stem is empty. Of words that are made of endings alone Snowball leaves nothing: in Greek *ιού*, *έως*, *εις* and
hundreds more of up to four letters, in Nepali *को*, *थे* and their like. Such a word is its own stem, as it is in a
language without stemmer: an empty key would make all of them one term.
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

# No language inflects words this long; a hostile page may hold one of a million letters.
_LONGEST = 64
# 200 English articles hold some 19,000 distinct words. A stem takes a microsecond to find in C, some 30 in Python, and
# 0.3 to recall.
_REMEMBERED = 1 << 16


# A Snowball stemmer keeps its state in itself while it works, so each thread has its own.
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
    """Return the ISO codes of the languages that are stemmed; elsewhere a word is its own stem."""
    # An older Snowball, or PyStemmer, which it uses where installed, may lack some.
    available = set(_snowball().algorithms())
    return frozenset(code for code, algorithm in _ALGORITHMS.items() if algorithm in available)


class _Stems(dict[str, str]):
    """The stems of words met lately; words too long to have one are not remembered."""

    def __init__(self, code: str) -> None:
        self._code = code

    def __missing__(self, word: str) -> str:
        folded = fold_case(word, self._code)
        if len(word) > _LONGEST:
            return folded
        if len(self) >= _REMEMBERED:
            self.clear()
        try:
            found = _stemmer(self._code)(folded) or folded
        except UnicodeEncodeError:  # half of a character, which the stemmers in C do not take
            found = folded
        self[word] = found
        return found


@cache
def _remembered(code: str) -> _Stems:
    return _Stems(code)


def _stemmer(code: str) -> Callable[[str], str]:
    stemmers: dict[str, Callable[[str], str]] = _own.__dict__.setdefault("stemmers", {})
    if code not in stemmers:
        made = _snowball().stemmer(_ALGORITHMS[code])
        if hasattr(made, "maxCacheSize"):
            made.maxCacheSize = 0  # PyStemmer's own memory: it is kept here, and takes ten times as long as a stem
        stemmers[code] = made.stemWord
    return stemmers[code]


def _snowball() -> ModuleType:
    # Late, for it loads some forty modules; by name, for it comes without types.
    return import_module("snowballstemmer")
