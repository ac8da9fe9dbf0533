"""Where in a text the words of a query may stand, found without reading every word of it.

The text is folded character by character and searched for the first letters of what is wanted; only the runs of letters
found there are read as the index reads them. That is ten times quicker than looking at each word, and it may find too
much, never too little. Where folding depends on more than one character (vowel marks, joiners),
what is wanted is in a script without spaces, or stems begin with other letters than their words, there is no such way.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from typing import Final

from tidings.news.store.search_words import STEM_SIGN, beginnings, fold, spaceless
from tidings.text import letter_runs, letter_runs_at, stem_languages

#: Stands for a character that cannot be folded by itself.
_ODD: Final = "\0"
#: Letters that are written one behind the other and become one.
_JOINING: Final = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
_MOST_REMEMBERED: Final = 1 << 16
#: So few different characters are replaced one after the other.
_FEW: Final = 24


def spots(
    text: str, wanted: frozenset[str], prefixes: tuple[str, ...], code: str | None
) -> list[tuple[int, str]] | None:
    """The runs of letters that may have one of the tokens wanted, or a token with one of some prefixes, or whose stems
    in a language may be wanted (None looks for no stems), with their places; None if they cannot be found this way.
    """
    first = _first_letters(wanted, prefixes, code)
    if first is None:
        return None
    folded = _folded(text)
    if folded is None:
        return None
    at = [match.start() for match in first.finditer(folded)]
    if len(folded) != len(text):
        ends = list(accumulate(len(_FOLDED[ord(sign)]) for sign in text))
        at = [bisect_right(ends, place) for place in at]
    return [(run.start(), run[0]) for run in letter_runs_at(text, at)]


def _folded(text: str) -> str | None:
    """A text with each character folded by itself; None where that is not enough."""
    if text.isascii():
        return text.lower()
    signs = [sign for sign in set(text) if not sign.isascii()]
    if len(signs) > _FEW:
        folded = text.translate(_FOLDED)
    else:  # a few letters with accents, and quotation marks
        folded = text.replace(_ODD, " ")
        for sign in signs:
            folded = folded.replace(sign, _FOLDED[ord(sign)])
        folded = folded.lower()
    return None if _ODD in folded else folded


@lru_cache(maxsize=256)
def _first_letters(wanted: frozenset[str], prefixes: tuple[str, ...], code: str | None) -> re.Pattern[str] | None:
    """Finds where a word begins that may be wanted."""
    looked_for = {token.removeprefix(STEM_SIGN) for token in (*wanted, *prefixes)}
    if any(map(spaceless, looked_for)):
        return None
    if code in stem_languages():
        looked_for.update(beginnings(wanted, code))
    if "" in looked_for:
        return None
    # The letters first and what may not stand before them after: so the matcher skips quickly to where they are.
    return re.compile("|".join(rf"{one}(?<![^\W_]{one})" for one in map(re.escape, _shortest(looked_for))) or r"(?!)")


def _shortest(words: Iterable[str]) -> list[str]:
    """Those that begin with no other."""
    kept: list[str] = []
    for word in sorted(words):
        if not kept or not word.startswith(kept[-1]):
            kept.append(word)
    return kept


class _Folded(dict[int, str]):
    """Each character folded by itself: a space if no word has it, and a sign of its own if it has to be seen with
    those beside it. Letters of scripts without spaces part words of others.
    """

    def __missing__(self, code: int) -> str:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[code] = made = _alone(chr(code))
        return made


def _alone(sign: str) -> str:
    if spaceless(sign) or letter_runs(f"a{sign}") != [f"a{sign}"]:
        return " "
    if unicodedata.category(sign).startswith("M") or _JOINING.match(sign):
        return _ODD
    return fold(sign) or _ODD


_FOLDED: Final = _Folded()
