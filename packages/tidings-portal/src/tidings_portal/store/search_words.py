"""Tokenisation for the search index: the same in both databases and for all languages.

The tokenisers of the databases are not used: they differ, and neither supports Turkish, Persian and Chinese at once. A
text becomes a line of plain tokens here, and each database only splits that line at its spaces.

- Case and accents are ignored: "İstanbul", "istanbul" and "ISTANBUL" are one word, and so are "café" and "cafe". The
  dotless ı is an i, because people type what their keyboard has. Vowel signs of Indic scripts are letters and remain.
  In Cyrillic only й remains a separate letter.
- Arabic, Persian and Urdu variants of a letter are one letter; vowel marks and tatweel are removed. A non-joiner
  separates words (the ending of "کتاب‌ها" is a word), and the joined form is indexed too. Digits of all scripts are 0
  to 9.
- In scripts without spaces, or with particles attached to words (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar), a token
  is a pair of adjacent letters, and the last letter of a run alone. A search for two or more letters is a search for
  their pairs in order. A search for one letter matches all pairs that begin with it.
- Apostrophes and all other signs separate words: "don't" is a search for "don" followed by "t".

Stems are separate tokens, with a sign and the language as prefix, after the words of their field. Phrases and prefixes
match the words as written; a single word also matches by its stem. A stem never matches an article in another language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from tidings.text import base_language, letter_runs, stem_languages, stems, turkish_keys, unify_letters

#: The prefix of a stem. No word contains it.
STEM_SIGN: Final = "≈"
#: Separates the parts of a field, so that no phrase crosses them. No word contains it.
PART_SIGN: Final = "¶"
#: Longer words are cut, in the index and in the query. PostgreSQL takes 2,046 bytes.
LONGEST: Final = 48
#: Languages whose stemmers leave the beginning of a word alone, so that words that begin otherwise need no stem.
_SUFFIXES_ONLY: Final = frozenset("ca cs da de en es et fi fr hu it no pl pt ro ru sv tr".split())
#: Of these, those that change letters anywhere but the first: arroyo, aroyo.
_CHANGING_MORE: Final = frozenset(("et", "fi"))
_VOICED: Final = {"p": "b", "t": "d", "k": "g"}
#: A newspaper has more than 65,536 words.
_MOST_REMEMBERED: Final = 1 << 17

# Marks that do not tell words apart: accents (but й is a letter of its own), Hebrew points, Arabic vowels and signs,
# the Arabic stretching line, joiners, variation selectors.
_MARKS: Final = re.compile(
    "(?<!и)\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0640\u200c\u200d\ufe00-\ufe0f]"
)
_PARTING: Final = re.compile("(?<=[\u0600-\u06ff])\u200c")
_ALIKE: Final = str.maketrans(
    {
        "ı": "i", "đ": "d", "ð": "d", "ø": "o", "ł": "l", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th",
        "ی": "ي", "ى": "ي", "ې": "ي", "ے": "ي", "ک": "ك", "ة": "ه", "ہ": "ه", "ھ": "ه", "ە": "ه", "ۀ": "ه",
    }
)  # fmt: skip
# Letters of scripts whose words are not parted by spaces, each with the marks behind it.
_SPACELESS: Final = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARK_BEHIND: Final = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u17b4-\u17d3\u17dd"
    "\u3099\u309a"
)
_UNIT: Final = rf"[{_SPACELESS}][{_MARK_BEHIND}]*"
_IS_SPACELESS: Final = re.compile(f"[{_SPACELESS}]")
_PIECES: Final = re.compile(rf"(?:{_UNIT})+|[^{_SPACELESS}]+")
_UNITS: Final = re.compile(_UNIT)
# After folding nothing but letters, digits, marks and underscores may be left; NFKC may bring in spaces and signs.
_NO_WORD: Final = re.compile(rf"[\s\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x9f{STEM_SIGN}{PART_SIGN}\ud800-\udfff]+")


def search_words(text: str) -> list[str]:
    """Return the tokens of a text in reading order."""
    return [token for run in letter_runs(text) for token in run_words(run)]


def run_words(run: str) -> Sequence[str]:
    """Return the tokens of an unbroken sequence of letters."""
    if run.isascii():
        return (run[:LONGEST].lower(),)
    return _tokens(run) if len(run) <= LONGEST else list(_long(run))


def line_of(runs: Iterable[str]) -> str:
    """Return the tokens of sequences of letters in reading order, separated by spaces."""
    return " ".join(map(_LINES.__getitem__, runs))


def stems_of(runs: Iterable[str], language: str) -> list[str]:
    """Return further tokens for sequences of letters, each once with a marking sign: stems by language, and joined
    words.
    """
    code = base_language(language)
    forms = _forms_of(code if code in stem_languages() else "")
    return list(dict.fromkeys(" ".join(map(forms.__getitem__, dict.fromkeys(runs))).split()))


def worth_reading(runs: Iterable[str], tokens: frozenset[str], prefixes: tuple[str, ...], code: str | None) -> set[str]:
    """Return those sequences of letters that may match a search: a token, a prefix, or another form of a token.

    Args:
        runs: unbroken runs of letters of a text.
        tokens: the tokens of the query.
        prefixes: the prefixes of the query.
        code: the language of the text, for other forms; None: no other forms.
    """
    distinct = dict.fromkeys(runs)
    lines = list(map(_LINES.__getitem__, distinct))
    # Inlined: this runs for every word of every result.
    matching = {
        run
        for run, line in zip(distinct, lines, strict=True)
        if line in tokens or (" " in line and not tokens.isdisjoint(line.split()))
    }
    if prefixes:
        starting = [f" {prefix}" for prefix in prefixes]
        matching |= {
            run for run, line in zip(distinct, lines, strict=True) if any(start in f" {line}" for start in starting)
        }
    if code is not None:
        forms = _forms_of(code if code in stem_languages() else "")
        begins = beginnings(tokens, code)
        matching |= {
            run
            for run, line in zip(distinct, lines, strict=True)
            # The other form of a word with a joiner is the word without it.
            if (line.replace(" ", "") if "\u200c" in run else line).startswith(begins)
            and not tokens.isdisjoint(forms[run].split())
        }
    return matching


@lru_cache(maxsize=512)
def beginnings(tokens: frozenset[str], code: str) -> tuple[str, ...]:
    """Return the possible first letters, in all spellings, of words with the given stems."""
    if code not in _SUFFIXES_ONLY:
        return ("",)
    firsts: set[str] = set()
    for stem in (token.rpartition(STEM_SIGN)[2] for token in tokens):
        first = stem[: _kept_letters(stem, code)]
        # The stem of duesseldorf is dusseldorf; that of the Turkish bunların is unvoiced, p.
        firsts |= _with_e(first) if code == "de" else {first, _VOICED.get(first, first)}
    return tuple(firsts)


def _kept_letters(stem: str, code: str) -> int:
    """Return the number of letters that the words of a stem share with it. Stemmers change only the last one or two."""
    length = len(stem)
    if code in _CHANGING_MORE or length < 3 or (length == 3 and stem.endswith("ie")):  # dying: die
        return 1
    return min(4, length - (2 if code == "fr" and length > 3 else 1))  # implication: impliqu


def _with_e(first: str) -> set[str]:
    """Return the spellings of the first letters of a German word, umlauts with and without an e."""
    spelt = {""}
    for letter in first:
        spelt = {
            f"{spelling}{way}"
            for spelling in spelt
            for way in ((letter, letter + "e") if letter in "aou" else (letter,))
        }
    return {spelling[: len(first)] for spelling in spelt}


def marked_stems(run: str, code: str) -> tuple[str, ...]:
    """Return the other forms of a sequence of letters, each with a marking sign; `code` is a base language."""
    if len(run) > LONGEST:
        return ()
    if "\u200c" in run:
        return tuple(filter(None, (_together(run),)))
    return tuple(_stems(run, code).split()) if code in stem_languages() else ()


def word_stems(word: str, languages: Iterable[str]) -> list[str]:
    """Return further tokens to search for: the stems of a word in some languages, with their marking signs."""
    tokens = search_words(word)
    if len(tokens) != 1 or len(word) > LONGEST or spaceless(tokens[0]):
        return []
    forms: dict[str, None] = {STEM_SIGN + tokens[0]: None}
    for code in sorted({base_language(language) for language in languages} & stem_languages()):
        for stemmed in _folded_stems(word, code):
            forms[_tagged(stemmed, code)] = None
            forms[STEM_SIGN + stemmed] = None  # as older versions wrote it, until the article is indexed again
    return list(forms)


def fold(word: str) -> str:
    """Return a word without case, accents and other differences that search ignores."""
    text = unicodedata.normalize("NFKC", word[:LONGEST]).casefold().translate(_ALIKE)
    text = _MARKS.sub("", _PARTING.sub(" ", unicodedata.normalize("NFD", text))).translate(_ALIKE)
    return _digits(unicodedata.normalize("NFC", text))


def units(run: str) -> list[tuple[int, int]]:
    """Return the ranges of a sequence of letters with a token each: letters of a script without spaces, or
    whole words.
    """
    ranges: list[tuple[int, int]] = []
    for piece in _PIECES.finditer(run):
        if _IS_SPACELESS.match(piece[0]):
            ranges += [unit.span() for unit in _UNITS.finditer(run, piece.start(), piece.end())]
        else:
            ranges.append(piece.span())
    return ranges


def spaceless(token: str) -> bool:
    """Return whether a token is a letter or pair of a script without spaces."""
    return _IS_SPACELESS.match(token) is not None


def one_letter(token: str) -> bool:
    """Return whether a token is a single letter of a script without spaces: the end of a run."""
    return _UNITS.fullmatch(token) is not None


@lru_cache(maxsize=1 << 16)
def _tokens(run: str) -> tuple[str, ...]:
    tokens: list[str] = []
    for word in _NO_WORD.sub(" ", fold(run)).split():
        for piece in _PIECES.findall(word):
            if _IS_SPACELESS.match(piece):
                letters = _UNITS.findall(piece)
                tokens += [*map("".join, pairwise(letters)), letters[-1]]
            else:
                tokens.append(piece[:LONGEST])
    return tuple(tokens)


def _long(run: str) -> Iterator[str]:
    """Yield the pieces of a long sequence of letters: a clause without spaces is split; any other word is cut."""
    for piece in _PIECES.findall(run):
        if not _IS_SPACELESS.match(piece):
            yield from _tokens(piece[:LONGEST])
            continue
        letters = [token for unit in _UNITS.findall(piece) for token in _letter(unit)]
        yield from map("".join, pairwise(letters))
        yield from letters[-1:]


@lru_cache(maxsize=1 << 14)
def _letter(unit: str) -> tuple[str, ...]:
    return tuple(_UNITS.findall(_NO_WORD.sub("", fold(unit))))


def _together(run: str) -> str:
    tokens = _tokens(run.replace("\u200c", ""))
    return STEM_SIGN + tokens[0] if len(tokens) == 1 and len(_tokens(run)) > 1 else ""


@lru_cache(maxsize=1 << 16)
def _stems(run: str, code: str) -> str:
    return " ".join(_tagged(stemmed, code) for stemmed in _folded_stems(run, code))


def _tagged(stemmed: str, code: str) -> str:
    return f"{STEM_SIGN}{code}{STEM_SIGN}{stemmed}"


def _folded_stems(word: str, code: str) -> tuple[str, ...]:
    stemmed = turkish_keys(word) if code == "tr" else stems([unify_letters(word, code)], code)
    tokens = [_tokens(words_of_stem) for words_of_stem in stemmed]
    return tuple(
        words_of_stem[0] for words_of_stem in tokens if len(words_of_stem) == 1 and not spaceless(words_of_stem[0])
    )


def _digits(text: str) -> str:
    if text.isascii() or not any(sign.isdecimal() for sign in text):
        return text
    return "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text)


class _WordCache(dict[str, str]):
    """A cache of the forms of recent words; a newspaper repeats its words every day. Long words are not cached."""

    def __init__(self, make: Callable[[str], str]) -> None:
        self._make = make

    def __missing__(self, run: str) -> str:
        forms = self._make(run)
        if len(run) <= LONGEST:
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
            self[run] = forms
        return forms


_LINES: Final = _WordCache(lambda run: " ".join(run_words(run)))


@cache
def _forms_of(code: str) -> _WordCache:
    def forms(run: str) -> str:
        if len(run) > LONGEST:
            return ""
        together = _together(run) if "\u200c" in run else ""
        stemmed = _stems(run, code) if code else ""
        return f"{together} {stemmed}" if together and stemmed else together or stemmed

    return _WordCache(forms)
