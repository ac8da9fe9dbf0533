"""Pieces of a text with the places a query was found at: ranges of characters, never markup.

The text is read word by word as the index reads it, so what is marked is what was found: other cases, accents and
forms of a word included. Of a long text the passage with the most different words of the query is shown.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from tidings.news.store.query import Query, SearchedField, positive
from tidings.news.store.records_of_articles import Snippet
from tidings.news.store.search_words import (
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
from tidings.news.store.selection import TokenPattern, pattern
from tidings.text import base_language, letter_run_matches, letter_runs, letter_runs_at, stem_languages

#: Stands for a character that cannot be folded by itself.
_ODD: Final = "\0"
#: Letters that are written one behind the other and become one.
_JOINING: Final = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
_MOST_REMEMBERED: Final = 1 << 16
#: So few different characters are replaced one after the other.
_FEW_CHARACTERS: Final = 24


def matches(
    text: str, wanted: frozenset[str], prefixes: tuple[str, ...], code: str | None
) -> list[tuple[int, str]] | None:
    """The runs of letters that may have one of the tokens wanted, or a token with one of some prefixes, or whose stems
    in a language may be wanted (None looks for no stems), with their places; None if they cannot be found this way.
    """
    firsts = _first_letters(wanted, prefixes, code)
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
    """A text with each character folded by itself; None where that is not enough."""
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
def _first_letters(wanted: frozenset[str], prefixes: tuple[str, ...], code: str | None) -> tuple[str, ...] | None:
    """What a word begins with that may be wanted, none the beginning of another. To look for each of them takes less
    time than to make a pattern of all: they are others with every query.
    """
    looked_for = {token.removeprefix(STEM_SIGN) for token in (*wanted, *prefixes)}
    if any(map(spaceless, looked_for)):
        return None
    if code in stem_languages():
        looked_for.update(beginnings(wanted, code))
    return None if "" in looked_for else tuple(_shortest(looked_for))


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


#: Characters of a snippet.
LENGTH: Final = 240
#: Of a text that is searched for the best passage.
_READ: Final = 100_000
_BEFORE: Final = 60
#: So few different words are looked for one by one.
_FEW: Final = 8

#: Start, end, token, and the other form it is found by. A plain tuple: a page of answers makes thousands.
_Place = tuple[int, int, str, tuple[str, ...]]


class Marker:
    """Marks what a query finds in texts; what it looks for is worked out once for all texts of an answer."""

    def __init__(self, patterns: Sequence[tuple[SearchedField | None, TokenPattern]]) -> None:
        self.patterns = tuple(patterns)
        self._title = _Wanted(self.patterns, SearchedField.TITLE)
        self._text = _Wanted(self.patterns, SearchedField.TEXT)

    @staticmethod
    def of(query: Query, languages: Sequence[str]) -> Marker:
        """A marker for the words of a query."""
        return Marker([(words.field, pattern(words, tuple(languages))) for words in positive(query)])

    def title(self, text: str, language: str) -> Snippet:
        """A whole text, marked as a title."""
        found = self._title.found(text, language, None)
        return Snippet(text, _joined([(start, end) for start, end, _ in found]))

    def text(self, text: str, language: str, length: int = LENGTH) -> Snippet:
        """The passage of a text in which most of the query is, or its beginning; dots stand for what was left out."""
        found = self._text.found(text[:_READ], language, length)
        start, end = _passage(text, found, length)
        before, behind = "… " if start else "", " …" if end < len(text) else ""
        shift = len(before) - start
        inside = [(max(first, start) + shift, min(last, end) + shift) for first, last, _ in found]
        marks = _joined([(first, last) for first, last in inside if first < last])
        return Snippet(f"{before}{text[start:end]}{behind}", marks)


class _Wanted:
    """What is looked for in one field."""

    def __init__(self, patterns: Sequence[tuple[SearchedField | None, TokenPattern]], field: SearchedField) -> None:
        wanted = [(one, which) for which, (where, one) in enumerate(patterns) if where in (None, field)]
        # By the token a match ends with; those that end with part of a token are tried everywhere.
        self._ends: dict[str, list[tuple[TokenPattern, int]]] = {}
        self._anywhere = [(one, which) for one, which in wanted if one.prefix]
        for one, which in wanted:
            for token in (*(() if one.prefix else one.tokens[-1:]), *one.instead):
                self._ends.setdefault(token, []).append((one, which))
        self._number = len(wanted)
        self._tokens = frozenset(token for one, _ in wanted for token in (*one.tokens, *one.instead))
        self._prefixes = tuple(one.tokens[-1] for one, _ in self._anywhere)
        self._stems = any(token.startswith(STEM_SIGN) for token in self._tokens)
        self._has_phrases = any(len(one.tokens) > 1 for one, _ in wanted)
        self._of_runs: dict[str, dict[str, list[int]]] = {}  # by language, which patterns a word is of

    def found(self, text: str, language: str, enough: int | None) -> list[tuple[int, int, int]]:
        """Start, end and which pattern, in the order of the text.

        With `enough`, reading stops behind the first passage of that length in which all of the patterns are.
        """
        found: list[tuple[int, int, int]] = []
        latest: dict[int, int] = {}
        stop = len(text)
        for last, start, end, which in self._hits(text, base_language(language)):
            if last >= stop:
                break
            found.append((start, end, which))
            if enough is not None:
                latest[which] = start
                if len(latest) == self._number and end - min(latest.values()) <= enough // 2:
                    stop = min(stop, end + enough)
        return found

    def _hits(self, text: str, code: str) -> Iterable[tuple[int, int, int, int]]:
        """Where the last word of a match begins, where the match begins and ends, and of which pattern it is."""
        if not self._number:
            return ()
        quickly = None if self._has_phrases or self._anywhere else self._single(text, code)
        return self._in_order(text, code) if quickly is None else quickly

    def _single(self, text: str, code: str) -> list[tuple[int, int, int, int]] | None:
        """The same where single words are wanted; None where the text has to be read word by word."""
        runs = matches(text, self._tokens, (), code if self._stems else None)
        if runs is None:
            return None
        told = self._of_runs.setdefault(code, {})
        hits: list[tuple[int, int, int, int]] = []
        for start, run in runs:
            if run not in told:
                if len(words := run_words(run)) != 1:
                    return None
                forms = (words[0], *(marked_stems(run, code) if self._stems else ()))
                told[run] = list(dict.fromkeys(which for form in forms for _, which in self._ends.get(form, ())))
            hits += [(start, start, start + len(run), which) for which in told[run]]
        return hits

    def _in_order(self, text: str, code: str) -> Iterator[tuple[int, int, int, int]]:
        read: list[_Place] = []
        ends, anywhere = self._ends, self._anywhere
        for here in self._places(text, code):
            start, end, token, stems = here
            read.append(here)
            forms = [form for form in (token, *stems) if form in ends]
            if not forms and not anywhere:
                continue
            patterns = dict.fromkeys(one for form in forms for one in ends[form])
            for one, which in (*patterns, *anywhere):
                first = _began(one, read)
                if first is not None:
                    yield start, first, end, which

    def _places(self, text: str, code: str) -> Iterator[_Place]:
        """The tokens of a text with the characters they stand for; of a pair of letters, both.

        Words that have nothing to do with what is wanted are left out, each different one after a single look; where
        words in a row are wanted a gap, which is no token, stands where there are some.
        """
        before = 0
        for start, run in _worth_reading(text, self._tokens, self._prefixes, code if self._stems else None):
            if self._has_phrases and before and next(letter_run_matches(text[before:start]), None) is not None:
                yield before, before, "", ()
            before = start + len(run)
            yield from _of_run(run, start, code, self._stems)


def _began(wanted: TokenPattern, read: Sequence[_Place]) -> int | None:
    """Where a match began that ends with what was read last."""
    start, _, token, stems = read[-1]
    if token in wanted.instead or any(stem in wanted.instead for stem in stems):
        return start
    first = len(read) - len(wanted.tokens)
    if first < 0 or any(read[first + place][2] != before for place, before in enumerate(wanted.tokens[:-1])):
        return None
    fits = token.startswith(wanted.tokens[-1]) if wanted.prefix else token == wanted.tokens[-1]
    return read[first][0] if fits else None


def _worth_reading(
    text: str, wanted: frozenset[str], prefixes: tuple[str, ...], code: str | None
) -> Iterable[tuple[int, str]]:
    """The runs of letters that have to do with what is wanted, with their places."""
    found = matches(text, wanted, prefixes, code)
    if found is None:
        runs = letter_runs(text)
        return _occurrences(text, runs, worth_reading(runs, wanted, prefixes, code))
    worth = worth_reading([run for _, run in found], wanted, prefixes, code)
    return [one for one in found if one[1] in worth]


def _occurrences(text: str, runs: Sequence[str], worth: set[str]) -> Iterator[tuple[int, str]]:
    """Where some of the runs of a text are."""
    if not worth:
        return
    if len(worth) <= _FEW and max(map(len, worth)) <= LONGEST:
        # A word or two: they are looked for, and seen to be whole.
        longest_first = sorted(worth, key=lambda run: (-len(run), run))
        for match in re.finditer("|".join(map(re.escape, longest_first)), text):
            around = letter_runs(text[max(0, match.start() - LONGEST) : match.end() + 1])
            if around and around[-1] == match[0]:
                yield match.start(), match[0]
        return
    end = 0
    for run in runs:
        # The next run is the next thing that looks like it: what lies between is no letter.
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
    else:  # folding made more or fewer letters of it: the run as a whole stands for each
        for token in tokens:
            yield at, end, token, ()


def _passage(text: str, found: Sequence[tuple[int, int, int]], length: int) -> tuple[int, int]:
    """Where the window with the most different patterns begins and ends, at spaces where there are some."""
    if len(text) <= length:
        return 0, len(text)
    best, start = 0, 0
    last = 0
    seen: dict[int, int] = {}
    for first, (begin, _, which) in enumerate(found):
        # The window ends with this match: those before it that are too far away fall out.
        seen[which] = seen.get(which, 0) + 1
        while found[last][0] < begin - length + 2 * _BEFORE and last < first:
            gone = found[last][2]
            seen[gone] -= 1
            if not seen[gone]:
                del seen[gone]
            last += 1
        worth = len(seen) * 100 + min(first - last, 50)
        if worth > best:
            best, start = worth, found[last][0]
    start = max(0, start - _BEFORE)
    if start:
        space = text.find(" ", start, start + _BEFORE)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + length)
    if end < len(text):
        space = text.rfind(" ", start + length // 2, end)
        end = space if space > 0 else end
    return start, end


def _joined(ranges: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Sorted ranges, those that touch made one."""
    made: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if made and start <= made[-1][1]:
            made[-1] = made[-1][0], max(made[-1][1], end)
        else:
            made.append((start, end))
    return tuple(made)
