"""Snippets of texts, with the ranges that a query matches: ranges of characters, never markup.

The text is read word by word as the index reads it, so matches are marked in other cases, accents and forms too. The
snippet of a long text is the passage with the most different words of the query.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from tidings.text import base_language, letter_run_matches, letter_runs, letter_runs_at, stem_languages
from tidings_portal.store.query import Query, SearchedField, positive
from tidings_portal.store.records_of_articles import Snippet
from tidings_portal.store.search_words import (
    LONGEST,
    STEM_SIGN,
    beginnings,
    fold,
    marked_stems,
    one_letter,
    run_words,
    spaceless,
    units,
    worth_reading,
)
from tidings_portal.store.selection import TokenPattern, pattern

#: Replaces a character that cannot be folded separately.
_ODD: Final = "\0"
#: Adjacent letters that fold to one.
_JOINING: Final = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
_MOST_REMEMBERED: Final = 1 << 16
#: Up to this many different characters are replaced one by one.
_FEW_CHARACTERS: Final = 24


def matches(
    text: str, tokens: frozenset[str], prefixes: tuple[str, ...], code: str | None
) -> list[tuple[int, str]] | None:
    """Return the sequences of letters that may match, with their positions; None if each word must be tokenised.

    A sequence may match a token, a prefix, or a stem in a language (`code`; None looks for no stems).
    """
    firsts = _first_letters(tokens, prefixes, code)
    folded = None if firsts is None else _folded(text)
    if firsts is None or folded is None:
        return None
    at: list[int] = []
    for first in firsts:
        place = folded.find(first)
        while place >= 0:
            if not place or not folded[place - 1].isalnum():
                at.append(place)
            place = folded.find(first, place + 1)
    if len(firsts) > 1:
        at.sort()
    if len(folded) != len(text):
        ends = list(accumulate(len(_FOLDED[ord(sign)]) for sign in text))
        at = [bisect_right(ends, place) for place in at]
    return [(run.start(), run[0]) for run in letter_runs_at(text, at)]


def _folded(text: str) -> str | None:
    """Return a text with each character folded separately; None if that is not enough."""
    if text.isascii():
        return text.lower()
    signs = [sign for sign in set(text) if not sign.isascii()]
    if len(signs) > _FEW_CHARACTERS:
        folded = text.translate(_FOLDED)
    else:  # a few letters with accents, and quotation marks
        folded = text.replace(_ODD, " ")
        for sign in signs:
            folded = folded.replace(sign, _FOLDED[ord(sign)])
        folded = folded.lower()
    return None if _ODD in folded else folded


@lru_cache(maxsize=256)
def _first_letters(tokens: frozenset[str], prefixes: tuple[str, ...], code: str | None) -> tuple[str, ...] | None:
    """Return the first letters of words that may match, none a prefix of another.

    Searching each is faster than compiling a pattern, as the words change with every query.
    """
    looked_for = {token.removeprefix(STEM_SIGN) for token in (*tokens, *prefixes)}
    if any(map(spaceless, looked_for)):
        return None
    if code in stem_languages():
        looked_for.update(beginnings(tokens, code))
    return None if "" in looked_for else tuple(_shortest(looked_for))


def _shortest(words: Iterable[str]) -> list[str]:
    """Return the words without those that begin with another."""
    shortest: list[str] = []
    for word in sorted(words):
        if not shortest or not word.startswith(shortest[-1]):
            shortest.append(word)
    return shortest


class _Folded(dict[int, str]):
    """A table that folds single characters.

    A sign becomes a space, and a character that depends on its neighbours a marker. Letters of scripts without spaces
    separate words of others.
    """

    def __missing__(self, code: int) -> str:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[code] = folded = _alone(chr(code))
        return folded


def _alone(sign: str) -> str:
    if spaceless(sign) or letter_runs(f"a{sign}") != [f"a{sign}"]:
        return " "
    if unicodedata.category(sign).startswith("M") or _JOINING.match(sign):
        return _ODD
    return fold(sign) or _ODD


_FOLDED: Final = _Folded()


#: The length of a snippet in characters.
LENGTH: Final = 240
#: The part of a text that is searched for the best passage, in characters.
_READ: Final = 100_000
_BEFORE: Final = 60
#: Up to this many different words are searched one by one.
_FEW: Final = 8

#: Start, end, token and stems. A plain tuple: a page of results creates thousands.
_Place = tuple[int, int, str, tuple[str, ...]]


class Marker:
    """Marks the matches of a query in texts. Its patterns are compiled once for all results."""

    def __init__(self, patterns: Sequence[tuple[SearchedField | None, TokenPattern]]) -> None:
        self.patterns = tuple(patterns)
        self._title = _FieldPatterns(self.patterns, SearchedField.TITLE)
        self._text = _FieldPatterns(self.patterns, SearchedField.TEXT)

    @staticmethod
    def of(query: Query, languages: Sequence[str]) -> Marker:
        """Return a marker for the words of a query."""
        return Marker([(words.field, pattern(words, tuple(languages))) for words in positive(query)])

    def title(self, text: str, language: str) -> Snippet:
        """Return a whole text as a snippet, marked as a title."""
        matches_ = self._title.find(text, language, None)
        return Snippet(text, _merged([(start, end) for start, end, _ in matches_]))

    def text(self, text: str, language: str, length: int = LENGTH) -> Snippet:
        """Return the passage of a text with most of the query, or its beginning, with dots for omitted text."""
        matches_ = self._text.find(text[:_READ], language, length)
        start, end = _passage(text, matches_, length)
        before, behind = "… " if start else "", " …" if end < len(text) else ""
        shift = len(before) - start
        inside = [(max(first, start) + shift, min(last, end) + shift) for first, last, _ in matches_]
        marks = _merged([(first, last) for first, last in inside if first < last])
        return Snippet(f"{before}{text[start:end]}{behind}", marks)


class _FieldPatterns:
    """Patterns to look for in a field of an article."""

    def __init__(self, patterns: Sequence[tuple[SearchedField | None, TokenPattern]], field: SearchedField) -> None:
        selected = [(pattern_, which) for which, (where, pattern_) in enumerate(patterns) if where in (None, field)]
        # Patterns by their last token; those that end with a prefix are tried everywhere.
        self._ends: dict[str, list[tuple[TokenPattern, int]]] = {}
        self._anywhere = [(pattern_, which) for pattern_, which in selected if pattern_.prefix]
        for pattern_, which in selected:
            for token in (*(() if pattern_.prefix else pattern_.tokens[-1:]), *pattern_.instead):
                self._ends.setdefault(token, []).append((pattern_, which))
        self._number = len(selected)
        self._tokens = frozenset(token for pattern_, _ in selected for token in (*pattern_.tokens, *pattern_.instead))
        self._prefixes = tuple(pattern_.tokens[-1] for pattern_, _ in self._anywhere)
        self._stems = any(token.startswith(STEM_SIGN) for token in self._tokens)
        self._has_phrases = any(len(pattern_.tokens) > 1 for pattern_, _ in selected)
        self._of_runs: dict[str, dict[str, list[int]]] = {}  # by language: the patterns of a word

    def find(self, text: str, language: str, enough: int | None) -> list[tuple[int, int, int]]:
        """Return start, end and pattern of each match, in the order of the text.

        With `enough`, reading stops after the first passage of that length that contains all patterns.
        """
        hits: list[tuple[int, int, int]] = []
        latest: dict[int, int] = {}
        stop = len(text)
        for last, start, end, which in self._hits(text, base_language(language)):
            if last >= stop:
                break
            hits.append((start, end, which))
            if enough is not None:
                latest[which] = start
                if len(latest) == self._number and end - min(latest.values()) <= enough // 2:
                    stop = min(stop, end + enough)
        return hits

    def _hits(self, text: str, code: str) -> Iterable[tuple[int, int, int, int]]:
        """Return for each match where its last word begins, where it begins and ends, and its pattern."""
        if not self._number:
            return ()
        quickly = None if self._has_phrases or self._anywhere else self._single(text, code)
        return self._in_order(text, code) if quickly is None else quickly

    def _single(self, text: str, code: str) -> list[tuple[int, int, int, int]] | None:
        """Return the matches if all patterns are single words; None if the text has to be read word by word."""
        runs = matches(text, self._tokens, (), code if self._stems else None)
        if runs is None:
            return None
        by_run = self._of_runs.setdefault(code, {})
        hits: list[tuple[int, int, int, int]] = []
        for start, run in runs:
            if run not in by_run:
                if len(words := run_words(run)) != 1:
                    return None
                forms = (words[0], *(marked_stems(run, code) if self._stems else ()))
                by_run[run] = list(dict.fromkeys(which for form in forms for _, which in self._ends.get(form, ())))
            hits += [(start, start, start + len(run), which) for which in by_run[run]]
        return hits

    def _in_order(self, text: str, code: str) -> Iterator[tuple[int, int, int, int]]:
        read: list[_Place] = []
        ends, anywhere = self._ends, self._anywhere
        for place in self._places(text, code):
            start, end, token, stems = place
            read.append(place)
            forms = [form for form in (token, *stems) if form in ends]
            if not forms and not anywhere:
                continue
            patterns = dict.fromkeys(pattern_ for form in forms for pattern_ in ends[form])
            for pattern_, which in (*patterns, *anywhere):
                first = _began(pattern_, read)
                if first is not None:
                    yield start, first, end, which

    def _places(self, text: str, code: str) -> Iterator[_Place]:
        """Yield the tokens of a text with the characters they stand for; for a pair of letters, both.

        Words that match no pattern are left out, each distinct one after a single lookup. For phrases, an empty token
        marks the gap.
        """
        before = 0
        for start, run in _worth_reading(text, self._tokens, self._prefixes, code if self._stems else None):
            if self._has_phrases and before and next(letter_run_matches(text[before:start]), None) is not None:
                yield before, before, "", ()
            before = start + len(run)
            yield from _of_run(run, start, code, self._stems)


def _began(pattern_: TokenPattern, read: Sequence[_Place]) -> int | None:
    """Return the start of a pattern's match that ends with the last token, or None."""
    start, _, token, stems = read[-1]
    if token in pattern_.instead or any(stem in pattern_.instead for stem in stems):
        return start
    first = len(read) - len(pattern_.tokens)
    if first < 0 or any(read[first + place][2] != before for place, before in enumerate(pattern_.tokens[:-1])):
        return None
    fits = token.startswith(pattern_.tokens[-1]) if pattern_.prefix else token == pattern_.tokens[-1]
    return read[first][0] if fits else None


def _worth_reading(
    text: str, tokens: frozenset[str], prefixes: tuple[str, ...], code: str | None
) -> Iterable[tuple[int, str]]:
    """Return the sequences of letters that may match a query, with their positions in the text."""
    runs_at = matches(text, tokens, prefixes, code)
    if runs_at is None:
        runs = letter_runs(text)
        return _occurrences(text, runs, worth_reading(runs, tokens, prefixes, code))
    worth = worth_reading([run for _, run in runs_at], tokens, prefixes, code)
    return [run_at for run_at in runs_at if run_at[1] in worth]


def _occurrences(text: str, runs: Sequence[str], worth: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the positions of some sequences of letters in a text."""
    if not worth:
        return
    if len(worth) <= _FEW and max(map(len, worth)) <= LONGEST:
        # A word or two: search for them, and check that they are whole.
        longest_first = sorted(worth, key=lambda run: (-len(run), run))
        for match in re.finditer("|".join(map(re.escape, longest_first)), text):
            context = letter_runs(text[max(0, match.start() - LONGEST) : match.end() + 1])
            if context and context[-1] == match[0]:
                yield match.start(), match[0]
        return
    end = 0
    for run in runs:
        # The next run is the next occurrence: there are no letters in between.
        start = text.find(run, end)
        end = start + len(run)
        if run in worth:
            yield start, run


def _of_run(run: str, at: int, code: str, stems: bool) -> Iterator[_Place]:
    end = at + len(run)
    tokens = run_words(run)
    if len(tokens) == 1:
        yield at, end, tokens[0], marked_stems(run, code) if stems else ()
    elif len(parts := units(run)) == len(tokens):
        for which, (token, (first, last)) in enumerate(zip(tokens, parts, strict=True)):
            pair = spaceless(token) and not one_letter(token) and which + 1 < len(parts)
            yield at + first, at + (parts[which + 1][1] if pair else last), token, ()
    else:  # folding changed the number of letters: each token covers the whole run
        for token in tokens:
            yield at, end, token, ()


def _passage(text: str, hits: Sequence[tuple[int, int, int]], length: int) -> tuple[int, int]:
    """Return start and end of the window with the most different patterns, at spaces if possible."""
    if len(text) <= length:
        return 0, len(text)
    best, start = 0, 0
    last = 0
    counts: dict[int, int] = {}
    for first, (begin, _, which) in enumerate(hits):
        # The window ends with this match; drop those too far before it.
        counts[which] = counts.get(which, 0) + 1
        while hits[last][0] < begin - length + 2 * _BEFORE and last < first:
            dropped = hits[last][2]
            counts[dropped] -= 1
            if not counts[dropped]:
                del counts[dropped]
            last += 1
        worth = len(counts) * 100 + min(first - last, 50)
        if worth > best:
            best, start = worth, hits[last][0]
    start = max(0, start - _BEFORE)
    if start:
        space = text.find(" ", start, start + _BEFORE)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + length)
    if end < len(text):
        space = text.rfind(" ", start + length // 2, end)
        end = space if space > 0 else end
    return start, end


def _merged(ranges: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return sorted ranges with adjacent ones merged."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return tuple(merged)
