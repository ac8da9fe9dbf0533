"""Light stemming for Turkish search: several keys per word, one of which its other forms share.

Turkish words take many suffixes, and the Snowball stemmer leaves different stems for forms of one word (*banka* and
*bankaların*). Three keys are used together: the word without its inflectional suffixes, its first five letters (Can et
al. 2008, "Information retrieval on Turkish texts": as good as a lemmatiser), and the Snowball stem. Final consonants
that soften before a vowel (*kitap*, *kitabı*) are written alike.
"""

from __future__ import annotations

import re
from typing import Final

from tidings.text.normalise import fold_case
from tidings.text.stems import stem

#: Letters without diacritics, as in the search index.
_FOLDED: Final = str.maketrans("çğıöşüâîû", "cgiosuaiu")
_PREFIX: Final = 5
#: Least length of a root: three letters, or two before a plural (*ev*, *evler*).
_SHORTEST, _SHORTEST_PLURAL = 3, 2
#: Inflectional suffixes of nouns, outermost first: relative, copula, case, possessive, plural. Each group occurs once.
_SUFFIXES: Final = (
    re.compile(r"(?:d[ae]|[iu]n)ki(?:l[ae]r)?$"),
    re.compile(r"(?:[dt][iu]r)$"),
    re.compile(r"(?:[dt][ae]n|y?l[ae]|[dt][ae]|n[dt]?[iu]n|y[iuae]|n[iuae]|[iu]n|(?<=[^aeiou])[aeiu])$"),
    re.compile(r"(?:[iu]?m[iu]z|[iu]?n[iu]z|s[iu]|[iu]m|[iu]n|(?<=[aeiou])[mn]|(?<=[^aeiou])[iu])$"),
    re.compile(r"l[ae]r$"),
)
_ENDING: Final = re.compile("[aeioudtl]|$")
_VOWEL: Final = re.compile("[aeiou]")
_HARD: Final = str.maketrans("ptk", "bdg")
#: A last vowel that drops before a suffix: şehir, şehri; burun, burnu.
_DROPPING: Final = re.compile(r"([^aeiou])[iu]([rnmlsz])$")


def turkish_keys(word: str) -> tuple[str, ...]:
    """Return the search keys of a Turkish word, folded to ASCII letters and without duplicates."""
    folded = fold_case(word, "tr").translate(_FOLDED)
    stemmed = stem(word, "tr").translate(_FOLDED)
    keys = dict.fromkeys((_soft(folded[:_PREFIX]), _root(folded)))
    # A Snowball stem of two letters is trusted only before a case ending: *evde* is *ev*, but *deniz* is not *de*.
    if len(stemmed) >= _SHORTEST or _ENDING.match(folded[len(stemmed) :]):
        keys[_soft(stemmed)] = None
    return tuple(keys)


def _root(word: str) -> str:
    """Return a word without inflectional suffixes, with its last consonant softened and a dropping vowel removed."""
    for suffix in _SUFFIXES:
        match = suffix.search(word)
        if match is None or _VOWEL.search(word[: match.start()]) is None:
            continue
        if match.start() >= (_SHORTEST_PLURAL if match[0].startswith("l") else _SHORTEST):
            word = word[: match.start()]
    return _DROPPING.sub(r"\1\2", _soft(word)) if len(word) > 3 else _soft(word)


def _soft(word: str) -> str:
    return word[:-1] + word[-1:].translate(_HARD) if len(word) >= _SHORTEST else word
